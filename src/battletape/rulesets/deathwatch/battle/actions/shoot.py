"""Shooting in a battle (`shoot`): single shots, bursts and called shots."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.deathwatch.battle.acting import AnyFoe, AnyGun, Who, refuse_target, with_blows
from battletape.rulesets.deathwatch.battle.attack.prepare import (
    Circumstances,
    action_name,
    exchange_of,
    gun_of,
    refuse_gun,
    refuse_shooter,
    shot_blow,
    spot_named,
)
from battletape.rulesets.deathwatch.battle.outcome import fired
from battletape.rulesets.deathwatch.battle.state import Mob, State, apart
from battletape.rulesets.deathwatch.rules import guns, melee
from battletape.rulesets.deathwatch.rules.attack.exchange import Exchange
from battletape.rulesets.deathwatch.rules.attack.modifiers import refuse_range
from battletape.rulesets.deathwatch.rules.hordes import size_and_nerve
from battletape.rulesets.deathwatch.rules.traits import SPOTS, Mode
from battletape.words import listed


class Shooting(Circumstances, frozen=True):
    """A shot or burst at somebody."""

    unit: Who = ""
    weapon: AnyGun = ""
    target: AnyFoe = ""
    mode: Annotated[Mode, Meta(title="Fire mode", extra={"clause": "DW-RWEP-00", "role": "fire mode"})] = "single"
    called: Annotated[
        str, Meta(title=f"Place aimed at, one of {listed(SPOTS, 'or')}", extra={"clause": "DW-ACT-CALLED-SHOT"})
    ] = ""
    off_hand: Annotated[bool, Meta(title="Fired with the off hand", extra={"clause": "DW-TWOW-1"})] = False
    others: Annotated[
        tuple[str, ...], Meta(title="Who else may be given hits of a burst", extra={"clause": "DW-AUTO-3"})
    ] = ()


@clause("DW-ACT-STANDARD-ATTACK", "DW-ACT-CALLED-SHOT", "DW-AUTO-3", "DW-RANGE-1", "DW-HORDE-6")
def refuse_shot(state: State, order: Shooting) -> Refused | None:
    """Why a fighter cannot shoot like this."""
    refused = refuse_shooter(state, order.unit, action_name(order.mode, order.called))
    if refused is not None:
        return refused
    who, held = gun_of(state, order.unit, order.weapon)
    refused = refuse_gun(state, who, held, order.mode) or refuse_target(state, who, order.target)
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
        other = state.find(name)
        if refused is None and isinstance(target, Mob):
            refused = size_and_nerve.refuse_allocation("leader")
        if refused is None and isinstance(other, Mob):
            reason = f"{other.name} is a horde, which is attacked as a whole; no hit of a burst can be given to it"
            refused = Refused(reason, "DW-HORDE-6", "target")
        refused = refused or refuse_target(state, who, name)
        refused = refused or guns.refuse_allocation(apart(target, other))
    return refused


def begin_shot(state: State, order: Shooting) -> Exchange:
    """The shot about to be fired."""
    who, held = gun_of(state, order.unit, order.weapon)
    called = spot_named(order.called)
    off_hand = order.off_hand and not melee.has(who.profile.talents, melee.BOTH_HANDS)
    target = state.find(order.target)
    blow = shot_blow(state, who, held, target, order, order.mode, called, order.others, off_hand=off_hand)
    return exchange_of(state, who, (blow,), (order.target, *order.others))


def finish_shot(state: State, order: Shooting, exchange: Exchange) -> State:
    """Rounds are spent, whatever the roll."""
    who, held = gun_of(state, order.unit, order.weapon)
    return fired(state, who, held, order.mode, action_name(order.mode, order.called), exchange)


SHOOT = with_blows(
    "shoot",
    "Shoot at somebody",
    Shooting,
    refuse_shot,
    begin_shot,
    finish_shot,
    *("DW-PIPE-1", "DW-ACT-STANDARD-ATTACK", "DW-ACT-SEMI-AUTO-BURST", "DW-ACT-FULL-AUTO-BURST", "DW-ACT-CALLED-SHOT"),
)
