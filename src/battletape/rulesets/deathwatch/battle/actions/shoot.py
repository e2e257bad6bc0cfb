"""Firing in a battle: `shoot` (shots, bursts, called shots), and at all in reach `flame`, `blast` and `suppress`.

Overwatch: `watch` waits for a foe, `fire_on_watch` fires at it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause, refuses
from battletape.errors import Refused
from battletape.rulesets.deathwatch.battle.acting import (
    ATTACK,
    FIRST_IN_HAND,
    AnyFoe,
    AnyGun,
    Who,
    attack,
    deed,
    is_gun,
    mine,
    named,
    needed,
    refuse_begun,
    refuse_target,
)
from battletape.rulesets.deathwatch.battle.attack import prepare
from battletape.rulesets.deathwatch.battle.outcome import emptied, write_back
from battletape.rulesets.deathwatch.battle.start import Bearing, Place
from battletape.rulesets.deathwatch.battle.state import Entered, Fighter, Held, Mob, State, Unit, Watch, apart, bearing
from battletape.rulesets.deathwatch.profiles.types import Character
from battletape.rulesets.deathwatch.rules import guns, melee, suppression
from battletape.rulesets.deathwatch.rules.attack.exchange import Blow, Caught, Exchange
from battletape.rulesets.deathwatch.rules.attack.fighters import ACTIONS, draft_of, fire_draft
from battletape.rulesets.deathwatch.rules.attack.modifiers import refuse_range
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, Guard
from battletape.rulesets.deathwatch.rules.blasts import in_flames
from battletape.rulesets.deathwatch.rules.conditions import budget
from battletape.rulesets.deathwatch.rules.hordes import size_and_nerve
from battletape.rulesets.deathwatch.rules.qualities.keywords import ready
from battletape.rulesets.deathwatch.rules.traits import SPOTS, Mode
from battletape.system import EACH, Action
from battletape.words import listed

FARTHEST_SCATTER = 10  # metres


class Firing(prepare.Circumstances, frozen=True):
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


class Suppressing(Firing, frozen=True):
    """Suppressing fire along a bearing, or towards somebody."""

    target: Annotated[str, Meta(title="Towards whom", extra={"role": "foe"})] = ""
    direction: Annotated[Bearing, Meta(title="Which way, if nobody is named", extra={"clause": "DW-SUPP-1"})] = 0.0


class Watching(Suppressing, frozen=True):
    """Overwatch along a bearing, or towards somebody."""


class WatchFire(prepare.Circumstances, frozen=True):
    """Fire from overwatch at somebody who has just come into the zone."""

    unit: Annotated[str, Meta(title="Who is on overwatch", extra={"role": "watching fighter"})] = ""
    target: Annotated[str, Meta(extra={"role": "unit in its zone"})] = ""
    mode: Annotated[
        Literal["full", "semi", "suppressing"], Meta(title="Fire mode", extra={"clause": "DW-OVER-2", "role": EACH})
    ] = "full"


# --- what all of them share -------------------------------------------------------------------------------------------


def by_gun(
    *card: Any,
    mode: Callable[[Held, Any], Mode] = lambda held, order: getattr(order, "mode", "single"),
    refuse: Callable[[State, Fighter, Held, Any], Refused | None],
    begin: Callable[[State, Fighter, Held, Any], Exchange],
) -> Action:
    """An action with a gun: rounds are spent by it, whatever the roll."""

    def writes(state: State, who: Fighter, order: Any, exchange: Exchange) -> State:
        held = gun_of(state, order)
        return write_back(emptied(state, who, held, mode(held, order)), exchange)

    return attack(
        *card,
        refuse=lambda state, who, order: refuse(state, who, gun_of(state, order), order),
        begin=lambda state, who, order: begin(state, who, gun_of(state, order), order),
        writes=writes,
    )


def gun_of(state: State, order: Any) -> Held:
    """The gun that an order names, or the first in hand."""
    return prepare.gun_of(state, order.unit, order.weapon)[1]


def caught_of(state: State, who: Fighter, held: Held, draft: AttackDraft, units: list[Unit]) -> tuple[Caught, ...]:
    """Those whom an attack may strike besides its target, or instead of it."""
    blows = (prepare.blow_of(state, who, held, unit, draft) for unit in units)
    return tuple(Caught(unit.name, blow.spec, blow.onslaught) for unit, blow in zip(units, blows, strict=True))


def way_of(state: State, who: Fighter, order: Any) -> float:
    """The bearing of the fire: towards somebody, or as it is said."""
    target = named(state, order.target)
    return order.direction if target is None else bearing(who, target.x, target.y)


def in_area(state: State, who: Fighter, way: float, covers: Callable[[float, float], bool]) -> list[Unit]:
    """Everybody, friend or foe, in the area that covers such a distance and bearing off the way of the fire."""
    others = (unit for unit in state.present if unit.name != who.name)
    return [unit for unit in others if covers(apart(who, unit), bearing(who, unit.x, unit.y) - way)]


# --- shots and bursts -------------------------------------------------------------------------------------------------


@refuses("DW-ACT-STANDARD-ATTACK", "DW-ACT-CALLED-SHOT", "DW-AUTO-3", "DW-RANGE-1", "DW-HORDE-6")
def refuse_shot(state: State, who: Fighter, held: Held, order: Shooting) -> Iterator[Refused | None]:
    """Why a fighter cannot shoot like this."""
    yield prepare.refuse_gun(state, who, held, order.mode)
    yield refuse_target(state, who, order.target)
    if held.qualities.flame or held.qualities.blast:
        action = "flame" if held.qualities.flame else "blast"
        yield Refused(f"{held.name} does more than shoot at one target; use {action}", "DW-PIPE-1", "kind")
    target = state.find(order.target)
    if order.off_hand:
        yield melee.refuse_two_weapons((held.weapon,))
    if prepare.spot_named(order.called):
        yield size_and_nerve.refuse_called() if isinstance(target, Mob) else guns.refuse_called(order.mode)
    yield refuse_range(held.name, held.fired.range, apart(who, target))
    for other in map(state.find, order.others):
        if isinstance(target, Mob):
            yield size_and_nerve.refuse_allocation("leader")
        if isinstance(other, Mob):
            reason = f"{other.name} is a horde, which is attacked as a whole; no hit of a burst can be given to it"
            yield Refused(reason, "DW-HORDE-6", "target")
        yield refuse_target(state, who, other.name) or guns.refuse_allocation(apart(target, other))


def begin_shot(state: State, who: Fighter, held: Held, order: Shooting) -> Exchange:
    """The shot about to be fired."""
    target, called = state.find(order.target), prepare.spot_named(order.called)
    hand = melee.off_hand(who.profile.talents) if order.off_hand else ()
    setting = prepare.setting_of(state, who, held, target, order, other=hand)
    blow = prepare.shot_blow(state, who, held, target, setting, order.mode, called, order.others)
    return prepare.exchange_of(state, who, (blow,), (order.target, *order.others))


# --- flames and blasts ------------------------------------------------------------------------------------------------


@refuses("DW-QUAL-FLAME", "DW-HORDE-12")
def refuse_flame(state: State, who: Fighter, held: Held, order: Flaming) -> Iterator[Refused | None]:
    """Why nobody can be set on fire so."""
    yield prepare.refuse_gun(state, who, held, "single")
    target = named(state, order.target)
    yield refuse_target(state, who, target.name) if target else None
    if not held.qualities.flame:
        yield Refused(f"{held.name} throws no flames; use shoot", "DW-QUAL-FLAME", "kind")
    yield refuse_range(held.name, held.fired.range, apart(who, target), flame=True) if target else None


def begin_flame(state: State, who: Fighter, held: Held, order: Flaming) -> Exchange:
    """The flames about to be thrown: everybody in the arc makes a test, the one they are thrown at first."""
    aimed = named(state, order.target)
    struck = in_area(state, who, way_of(state, who, order), lambda far, off: in_flames(far, off, held.fired.range))
    struck.sort(key=lambda unit: (unit is not aimed, apart(who, unit), unit.name))
    blows = []
    for unit in struck:
        draft = draft_of(who, held, unit, prepare.setting_of(state, who, held, unit, order))
        blow = replace(prepare.blow_of(state, who, held, unit, draft, "flame"), burn=None)
        blows.append(blow if isinstance(unit, Mob) else replace(blow, how="flame"))
    return prepare.exchange_of(state, who, tuple(blows), tuple(unit.name for unit in struck))


@refuses("DW-QUAL-BLAST", "DW-RANGE-1")
def refuse_blast(state: State, who: Fighter, held: Held, order: Blasting) -> Iterator[Refused | None]:
    """Why such a weapon cannot be fired there."""
    yield prepare.refuse_gun(state, who, held, order.mode)
    yield refuse_target(state, who, order.target) if order.target.strip() else None
    if not held.qualities.blast:
        yield Refused(f"{held.name} does not burst; use shoot", "DW-QUAL-BLAST", "kind")
    yield refuse_range(held.name, held.fired.range, apart(who, _aimed_at(state, order)))


def _aimed_at(state: State, order: Blasting) -> Unit:
    """The target, or a stand-in for the ground that is aimed at."""
    return named(state, order.target) or Fighter(name="", side="", profile=Character(), x=order.x, y=order.y)


def begin_blast(state: State, who: Fighter, held: Held, order: Blasting) -> Exchange:
    """The shot about to be fired, with everybody whom it may reach wherever it lands."""
    target = _aimed_at(state, order)
    setting = prepare.setting_of(state, who, held, target, order)
    draft = draft_of(who, held, target, setting, ACTIONS[order.mode], order.mode)
    near = [unit for unit in state.present if apart(unit, target) <= held.qualities.blast + FARTHEST_SCATTER]
    blow = prepare.blow_of(state, who, held, target, draft)
    blow = replace(
        blow,
        spec=blow.onslaught.spec(target.magnitude) if isinstance(target, Mob) and blow.onslaught else blow.spec,
        onslaught=None,
        how="blast",
        caught=caught_of(state, who, held, draft, near),
        at=(target.x, target.y),
        bearing=bearing(who, target.x, target.y),
        haywire=held.qualities.haywire,
    )
    return prepare.exchange_of(state, who, (blow,), tuple(unit.name for unit in (target, *near) if unit.name))


# --- suppressing fire -------------------------------------------------------------------------------------------------


def refuse_bursts(state: State, who: Fighter, held: Held, order: Suppressing) -> Refused | None:
    """Why this weapon cannot fire the bursts that it takes."""
    if held.weapon.melee:
        return guns.refuse_mode(held.fired, "single")
    return suppression.refuse_suppress(held.fired) or prepare.refuse_gun(
        state, who, held, suppression.burst_of(held.fired)
    )


@clause("DW-SUPP-1", "DW-SUPP-4", "DW-ACT-SUPPRESSING-FIRE")
def refuse_suppress(state: State, who: Fighter, held: Held, order: Suppressing) -> Refused | None:
    """Why a fighter cannot lay down suppressing fire."""
    target = named(state, order.target)
    return refuse_bursts(state, who, held, order) or (refuse_far(who, held, target) if target else None)


@clause("DW-SUPP-1")
def refuse_far(who: Fighter, held: Held, target: Unit) -> Refused | None:
    """Why suppressing fire does not reach this unit."""
    away, reach = apart(who, target), suppression.suppressed_reach(held.fired.range)
    if away <= reach:
        return None
    reason = f"suppressing fire reaches half the range of {held.name}, {reach:g} m; {target.name} is {away:.4g} m away"
    return Refused(reason, "DW-SUPP-1", "range")


def begin_suppress(state: State, who: Fighter, held: Held, order: Any) -> Exchange:
    """Suppressing fire, with everybody in its way; measured by whom it is meant for, else by the first enemy in it."""
    reach, rules = suppression.suppressed_reach(held.fired.range), state.rules
    struck = in_area(state, who, way_of(state, who, order), lambda far, off: suppression.in_arc(far, off, reach, rules))
    target = struck[0] if struck else who
    setting = prepare.setting_of(state, who, held, target, order)
    if rules.suppressing_modifiers == "own_state":
        setting = replace(setting, band=None)  # of those in the area each has its own
    draft = replace(fire_draft(who, held, target, setting, "suppressing"), sure=False)  # it is meant for nobody
    blow = Blow(
        who.name,
        "",
        held.name,
        spec=ready(replace(draft, by_side=False), held.fired.qualities, Guard(), rules),
        how="spray",
        caught=caught_of(state, who, held, draft, struck),
        pins=pins_of(state, struck),
        burn=prepare.burn_of(state, who, held, draft),
    )
    meant = named(state, order.target)
    struck.sort(key=lambda unit: (unit is not meant, unit.side == who.side))
    return prepare.exchange_of(state, who, (blow,), tuple(unit.name for unit in struck))


def pins_of(state: State, units: list[Unit]) -> tuple[tuple[str, int], ...]:
    """Who tests Willpower not to be pinned, and the target; nobody in melee does, a mob adds its Magnitude later."""
    tested = (unit for unit in units if not unit.engaged_with)
    return tuple(
        (unit.name, unit.profile.willpower)
        if isinstance(unit, Mob)
        else (unit.name, suppression.pin_target(needed(state, unit, "willpower"), rules=state.rules))
        for unit in tested
    )


# --- overwatch --------------------------------------------------------------------------------------------------------


@clause("DW-ACT-OVERWATCH")
def watch(state: State, who: Fighter, order: Watching, result: State) -> State:
    """A fighter waits for a foe to come into its zone."""
    way = way_of(state, who, order)
    return state.changed(replace(who, facing=way, overwatch=Watch(gun_of(state, order).name, way, state.round)))


@clause("DW-OVER-1")
def watched_at(state: State, watcher: Unit, x: float, y: float) -> bool:
    """Whether a place lies in a unit's kill zone."""
    if not isinstance(watcher, Fighter) or watcher.overwatch is None or watcher.is_out:
        return False
    held = watcher.carries(watcher.overwatch.weapon)
    off = bearing(watcher, x, y) - watcher.overwatch.facing
    return suppression.in_arc(apart(watcher, replace(watcher, x=x, y=y)), off, held.fired.range, state.rules)


@clause("DW-OVER-2", "DW-OVER-1")
def entered(
    state: State, unit: Unit, way: tuple[tuple[float, float], ...], cover: int = 0, hidden: tuple[str, ...] = ()
) -> State:
    """Note whose kill zones a unit entered on its way; they may fire at once."""
    seen = tuple(
        Entered(watcher.name, unit.name, cover, hidden)
        for watcher in state.foes(unit.side)
        if any(watched_at(state, watcher, x, y) for x, y in way)
    )
    return replace(state, entered=seen)


@refuses("DW-OVER-2", "DW-OVER-4", "DW-STUN-1")
def refuse_watch_fire(state: State, order: WatchFire) -> Iterator[Refused | None]:
    """Why nobody can fire from overwatch now."""
    yield refuse_begun(state)
    who = state.find(order.unit)
    if not isinstance(who, Fighter) or who.overwatch is None:
        yield Refused(f"{who.name} keeps no overwatch; use watch in its turn", "DW-OVER-1", "overwatch")
        return
    allowed = budget(who.conditions, who.screaming)
    if not allowed.full:
        yield Refused(f"{who.name} cannot fire: {allowed.reason}", allowed.clause, "condition")
    yield refuse_target(state, who, order.target)
    target = state.find(order.target)
    if _came(state, who, target) is None:
        reason = f"{target.name} has not just come into the kill zone of {who.name}; fire at once when somebody does"
        yield Refused(reason, "DW-OVER-2", "zone")
    _, held, mode = _on_watch(state, order)
    yield prepare.refuse_gun(state, who, held, mode)
    yield refuse_far(who, held, target) if order.mode == "suppressing" else None


def _came(state: State, who: Unit, target: Unit) -> Entered | None:
    return next((came for came in state.entered if (came.watcher, came.target) == (who.name, target.name)), None)


def _on_watch(state: State, order: WatchFire) -> tuple[Fighter, Held, Mode]:
    """Who keeps overwatch, with which gun, and how it is fired."""
    who = state.fighter(order.unit)
    assert who.overwatch is not None
    held = who.carries(who.overwatch.weapon)
    return who, held, suppression.burst_of(held.fired) if order.mode == "suppressing" else order.mode


def begin_watch_fire(state: State, order: WatchFire) -> Exchange:
    """A burst at -20, after which the target tests not to be pinned."""
    (who, held, mode), target = _on_watch(state, order), state.find(order.target)
    if order.mode == "suppressing":
        return begin_suppress(state, who, held, order)
    came = _came(state, who, target)
    if isinstance(target, Fighter) and came is not None:
        target = replace(target, cover_ap=came.cover_ap, hidden=came.hidden)
        state = state.changed(target)
    pins = pins_of(state, [target])
    setting = prepare.setting_of(state, who, held, target, order, overwatch=True)
    blow = prepare.shot_blow(state, who, held, target, setting, mode, pins=pins)
    return prepare.exchange_of(state, who, (blow,), (target.name,))


@clause("DW-OVER-4")
def finish_watch_fire(state: State, order: WatchFire, exchange: Exchange) -> State:
    """Rounds are spent, and the watch is over unless the ruling lets it go on."""
    who, held, mode = _on_watch(state, order)
    after = write_back(emptied(state, who, held, mode), exchange)
    if suppression.ends_overwatch(0, who.profile.willpower, fired=True, rules=state.rules):
        after = after.changed(replace(after.fighter(who.name), overwatch=None))
    return replace(after, entered=tuple(came for came in state.entered if came.watcher != who.name))


# --- cards ------------------------------------------------------------------------------------------------------------


def _watches(state: State) -> Iterator[Watching]:
    who = mine(state)
    if who is not None:
        for gun in filter(is_gun, who.held):
            yield Watching(unit=who.name, weapon=gun.name, direction=who.facing)


SHOOT = by_gun(
    *("shoot", "Shoot at somebody", Shooting, lambda state, order: prepare.action_name(order.mode, order.called)),
    *(prepare.refuse_shooter, "DW-PIPE-1", "DW-ACT-STANDARD-ATTACK", "DW-ACT-SEMI-AUTO-BURST"),
    *("DW-ACT-FULL-AUTO-BURST", "DW-ACT-CALLED-SHOT"),
    refuse=refuse_shot,
    begin=begin_shot,
)
FLAME = by_gun(
    *("flame", "Throw flames", Flaming, "Standard Attack", prepare.refuse_shooter, "DW-QUAL-FLAME", "DW-HORDE-12"),
    refuse=refuse_flame,
    begin=begin_flame,
)
BLAST = by_gun(
    *("blast", "Fire a weapon that bursts", Blasting, lambda state, order: prepare.action_name(order.mode)),
    *(prepare.refuse_shooter, "DW-QUAL-BLAST", "DW-SCAT-2"),
    refuse=refuse_blast,
    begin=begin_blast,
)
SUPPRESS = by_gun(
    *("suppress", "Suppressing fire", Suppressing, "Suppressing Fire", prepare.refuse_shooter),
    *("DW-ACT-SUPPRESSING-FIRE", "DW-SUPP-1", "DW-SUPP-2", "DW-SUPP-3"),
    mode=lambda held, order: suppression.burst_of(held.fired),
    refuse=refuse_suppress,
    begin=begin_suppress,
)
WATCH = deed(
    *("watch", "Keep overwatch", Watching, "Overwatch", prepare.refuse_shooter, "DW-ACT-OVERWATCH", "DW-OVER-1"),
    refuse=lambda state, who, order: refuse_bursts(state, who, gun_of(state, order), order),
    finish=watch,
    options=_watches,
)
FIRE_ON_WATCH = Action(
    *("fire_on_watch", "Fire from overwatch", WatchFire, refuse_watch_fire, begin_watch_fire),
    finish=finish_watch_fire,
    clauses=("DW-OVER-2", "DW-OVER-3", "DW-OVER-4"),
    **ATTACK,
)
