"""Firing in a battle: `shoot` (single shots, bursts, called shots), `flame` and `blast`, which strike all in reach."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.deathwatch.battle.acting import (
    FIRST_IN_HAND,
    AnyFoe,
    AnyGun,
    Options,
    Who,
    refuse_target,
    with_blows,
)
from battletape.rulesets.deathwatch.battle.attack import prepare
from battletape.rulesets.deathwatch.battle.attack.prepare import Circumstances, spot_named
from battletape.rulesets.deathwatch.battle.outcome import fired
from battletape.rulesets.deathwatch.battle.start import Bearing, Place
from battletape.rulesets.deathwatch.battle.state import Fighter, Held, Mob, State, Unit, apart, bearing
from battletape.rulesets.deathwatch.profiles.types import Character
from battletape.rulesets.deathwatch.rules import guns, melee
from battletape.rulesets.deathwatch.rules.attack.exchange import Blow, Caught, Exchange
from battletape.rulesets.deathwatch.rules.attack.fighters import ACTIONS, draft_of, onslaught_of
from battletape.rulesets.deathwatch.rules.attack.modifiers import refuse_range
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft
from battletape.rulesets.deathwatch.rules.blasts import in_flames
from battletape.rulesets.deathwatch.rules.hordes import size_and_nerve
from battletape.rulesets.deathwatch.rules.traits import SPOTS, Mode
from battletape.system import Action
from battletape.words import listed

FARTHEST_SCATTER = 10  # metres


class Firing(Circumstances, frozen=True):
    """A gun fired at somebody."""

    unit: Who = ""
    weapon: AnyGun = ""
    target: AnyFoe = ""


class Shooting(Firing, frozen=True):
    """A shot or burst at somebody."""

    mode: Annotated[Mode, Meta(title="Fire mode", extra={"clause": "DW-RWEP-00", "role": "fire mode"})] = "single"
    called: Annotated[
        str, Meta(title=f"Place aimed at, one of {listed(SPOTS, 'or')}", extra={"clause": "DW-ACT-CALLED-SHOT"})
    ] = ""
    off_hand: Annotated[bool, Meta(title="Fired with the off hand", extra={"clause": "DW-TWOW-1"})] = False
    others: Annotated[
        tuple[str, ...], Meta(title="Who else may be given hits of a burst", extra={"clause": "DW-AUTO-3"})
    ] = ()


class Flaming(Firing, frozen=True):
    """Flames towards a bearing, or towards somebody."""

    weapon: Annotated[str, Meta(title=FIRST_IN_HAND, extra={"role": "flamer"})] = ""
    direction: Annotated[Bearing, Meta(title="Which way, if no target is named")] = 0.0


class Blasting(Firing, frozen=True):
    """A weapon that bursts, fired at somebody or, without a target, at a place."""

    weapon: Annotated[str, Meta(title=FIRST_IN_HAND, extra={"role": "bursting gun"})] = ""
    mode: Annotated[Mode, Meta(title="Fire mode", extra={"clause": "DW-RWEP-00"})] = "single"
    x: Place = 0.0
    y: Place = 0.0


# --- what all of them share -------------------------------------------------------------------------------------------


def by_gun(
    name: str,
    title: str,
    inputs: type[Circumstances],
    action: Callable[[Any], str],
    mode: Callable[[Held, Any], Mode],
    refuse: Callable[[State, Fighter, Held, Any], Refused | None],
    begin: Callable[[State, Fighter, Held, Any], Exchange],
    *clauses: str,
    options: Options = None,
) -> Action:
    """An action with a gun: rounds are spent by it, whatever the roll."""

    def refused(state: State, order: Any) -> Refused | None:
        forbidden = prepare.refuse_shooter(state, order.unit, action(order))
        return forbidden or refuse(state, *prepare.gun_of(state, order.unit, order.weapon), order)

    def opened(state: State, order: Any) -> Exchange:
        return begin(state, *prepare.gun_of(state, order.unit, order.weapon), order)

    def finish(state: State, order: Any, exchange: Exchange) -> State:
        who, held = prepare.gun_of(state, order.unit, order.weapon)
        return fired(state, who, held, mode(held, order), action(order), exchange)

    return with_blows(name, title, inputs, refused, opened, finish, *clauses, options=options)


def refuse_fire(state: State, who: Fighter, held: Held, mode: Mode, target: str) -> Refused | None:
    """Why a gun cannot be fired so, or at this target if one is named."""
    refused = prepare.refuse_gun(state, who, held, mode)
    return refused or (refuse_target(state, who, target) if target.strip() else None)


def caught_of(state: State, who: Fighter, held: Held, draft: AttackDraft, unit: Unit) -> Caught:
    """Somebody whom an attack may strike besides its target, or instead of it."""
    if isinstance(unit, Mob):
        return Caught(unit.name, unit.x, unit.y, onslaught=onslaught_of(held, draft, unit, "shoot"))
    return Caught(unit.name, unit.x, unit.y, prepare.attack_on(state, draft, held.fired.qualities, unit, who))


# --- shots and bursts -------------------------------------------------------------------------------------------------


@clause("DW-ACT-STANDARD-ATTACK", "DW-ACT-CALLED-SHOT", "DW-AUTO-3", "DW-RANGE-1", "DW-HORDE-6")
def refuse_shot(state: State, who: Fighter, held: Held, order: Shooting) -> Refused | None:
    """Why a fighter cannot shoot like this."""
    refused = prepare.refuse_gun(state, who, held, order.mode) or refuse_target(state, who, order.target)
    if refused is not None:
        return refused
    if held.qualities.flame or held.qualities.blast:
        action = "flame" if held.qualities.flame else "blast"
        return Refused(f"{held.name} does more than shoot at one target; use {action}", "DW-PIPE-1", "kind")
    target = state.find(order.target)
    if order.off_hand:
        refused = melee.refuse_two_weapons((held.weapon,))
    if order.called.strip() and refused is None:
        spot_named(order.called)
        refused = size_and_nerve.refuse_called() if isinstance(target, Mob) else guns.refuse_called(order.mode)
    refused = refused or refuse_range(held.name, held.fired.range, apart(who, target))
    for name in order.others:
        refused = refused or _refuse_share(state, who, target, state.find(name))
    return refused


def _refuse_share(state: State, who: Fighter, target: Unit, other: Unit) -> Refused | None:
    """Why no hit of a burst can be given to this one."""
    if isinstance(target, Mob):
        return size_and_nerve.refuse_allocation("leader")
    if isinstance(other, Mob):
        reason = f"{other.name} is a horde, which is attacked as a whole; no hit of a burst can be given to it"
        return Refused(reason, "DW-HORDE-6", "target")
    return refuse_target(state, who, other.name) or guns.refuse_allocation(apart(target, other))


def begin_shot(state: State, who: Fighter, held: Held, order: Shooting) -> Exchange:
    """The shot about to be fired."""
    target, called = state.find(order.target), spot_named(order.called)
    hand = melee.off_hand(who.profile.talents) if order.off_hand else ()
    setting = prepare.setting_of(state, who, held, target, order, other=hand)
    blow = prepare.shot_blow(state, who, held, target, setting, order.mode, called, order.others)
    return prepare.exchange_of(state, who, (blow,), (order.target, *order.others))


# --- flames -----------------------------------------------------------------------------------------------------------


@clause("DW-QUAL-FLAME", "DW-HORDE-12")
def refuse_flame(state: State, who: Fighter, held: Held, order: Flaming) -> Refused | None:
    """Why nobody can be set on fire so."""
    refused = refuse_fire(state, who, held, "single", order.target)
    if refused is None and not held.qualities.flame:
        refused = Refused(f"{held.name} throws no flames; use shoot", "DW-QUAL-FLAME", "kind")
    if refused is None and order.target.strip():
        refused = refuse_range(held.name, held.fired.range, apart(who, state.find(order.target)), flame=True)
    return refused


def in_arc(state: State, who: Fighter, held: Held, order: Flaming) -> list[Unit]:
    """Everybody in the arc of the flames, friend or foe; the one they are thrown at first."""
    aimed = state.find(order.target) if order.target.strip() else None
    way = order.direction if aimed is None else bearing(who, aimed.x, aimed.y)
    caught = [
        unit
        for unit in state.present
        if unit.name != who.name and in_flames(apart(who, unit), bearing(who, unit.x, unit.y) - way, held.fired.range)
    ]
    return sorted(caught, key=lambda unit: (unit is not aimed, apart(who, unit), unit.name))


def begin_flame(state: State, who: Fighter, held: Held, order: Flaming) -> Exchange:
    """The flames about to be thrown: everybody in the arc makes a test."""
    struck = in_arc(state, who, held, order)
    blows = []
    for unit in struck:
        draft = draft_of(who, held, unit, prepare.setting_of(state, who, held, unit, order))
        blow = replace(prepare.blow_of(state, who, held, unit, draft, "flame"), burn=None)
        blows.append(blow if isinstance(unit, Mob) else replace(blow, how="flame"))
    return prepare.exchange_of(state, who, tuple(blows), tuple(unit.name for unit in struck))


# --- blasts -----------------------------------------------------------------------------------------------------------


@clause("DW-QUAL-BLAST", "DW-RANGE-1")
def refuse_blast(state: State, who: Fighter, held: Held, order: Blasting) -> Refused | None:
    """Why such a weapon cannot be fired there."""
    refused = refuse_fire(state, who, held, order.mode, order.target)
    if refused is None and not held.qualities.blast:
        refused = Refused(f"{held.name} does not burst; use shoot", "DW-QUAL-BLAST", "kind")
    return refused or refuse_range(held.name, held.fired.range, apart(who, _aimed_at(state, order)))


def _aimed_at(state: State, order: Blasting) -> Unit:
    """The target, or a stand-in for the ground that is aimed at."""
    if order.target.strip():
        return state.find(order.target)
    return Fighter(name="", side="", profile=Character(), x=order.x, y=order.y)


def begin_blast(state: State, who: Fighter, held: Held, order: Blasting) -> Exchange:
    """The shot about to be fired, with everybody whom it may reach wherever it lands."""
    target = _aimed_at(state, order)
    setting = prepare.setting_of(state, who, held, target, order)
    draft = draft_of(who, held, target, setting, ACTIONS[order.mode], order.mode)
    reach = held.qualities.blast + FARTHEST_SCATTER
    near = [unit for unit in state.present if apart(unit, target) <= reach]
    if isinstance(target, Mob):
        spec = onslaught_of(held, draft, target, "shoot").spec(target.magnitude)
    else:
        spec = prepare.attack_on(state, draft, held.fired.qualities, target, who)
    blow = Blow(
        who.name,
        target.name,
        held.name,
        spec=spec,
        how="blast",
        caught=tuple(caught_of(state, who, held, draft, unit) for unit in near),
        at=(target.x, target.y),
        bearing=bearing(who, target.x, target.y),
        burn=prepare.burn_of(state, who, held, draft),
        haywire=held.qualities.haywire,
    )
    first = (target.name,) if target.name else ()
    return prepare.exchange_of(state, who, (blow,), (*first, *(unit.name for unit in near)))


SHOOT = by_gun(
    "shoot",
    "Shoot at somebody",
    Shooting,
    lambda order: prepare.action_name(order.mode, order.called),
    lambda held, order: order.mode,
    refuse_shot,
    begin_shot,
    *("DW-PIPE-1", "DW-ACT-STANDARD-ATTACK", "DW-ACT-SEMI-AUTO-BURST", "DW-ACT-FULL-AUTO-BURST", "DW-ACT-CALLED-SHOT"),
)
FLAME = by_gun(
    "flame",
    "Throw flames",
    Flaming,
    lambda order: "Standard Attack",
    lambda held, order: "single",
    refuse_flame,
    begin_flame,
    *("DW-QUAL-FLAME", "DW-HORDE-12"),
)
BLAST = by_gun(
    "blast",
    "Fire a weapon that bursts",
    Blasting,
    lambda order: prepare.action_name(order.mode),
    lambda held, order: order.mode,
    refuse_blast,
    begin_blast,
    *("DW-QUAL-BLAST", "DW-SCAT-2"),
)
