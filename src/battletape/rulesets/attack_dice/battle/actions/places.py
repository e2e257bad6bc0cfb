"""Where a unit is: `engage` and `leave` for a Melee, `cover`, `embark` and `disembark` for a transport."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from battletape.cards import Inputs, at_once
from battletape.rulebook import Meta, Refused, clause, replace
from battletape.rulesets.attack_dice.battle.actions._orders import ANY_UNIT, OneUnit, TwoUnits
from battletape.rulesets.attack_dice.battle.state import State, refuse_gone


class Cover(Inputs, frozen=True):
    """The cover a unit has."""

    unit: str = ANY_UNIT
    stat: Literal["defence", "armour"] = "defence"
    amount: Annotated[int, Meta(ge=0, le=15, extra={"part": "count"})] = 1


@clause("AD-56")
def refuse_engage(state: State, order: TwoUnits) -> Refused | None:
    """Two living units of different sides can be locked in a Melee, unless both are in different ones."""
    unit, target = state.squad(order.unit), state.squad(order.target)
    if unit.is_gone or target.is_gone:
        return Refused("both units need a model left", "AD-80")
    if unit.side == target.side:
        return Refused(f"{unit.name} and {target.name} are on the same side", "AD-56")
    for squad in (unit, target):
        if squad.aboard:
            return Refused(f"{squad.name} is aboard {squad.aboard}; it must leave the transport first", "AD-65")
    if unit.melee and unit.melee == target.melee:
        return Refused(f"they are already in Melee {unit.melee}", "AD-56")
    if unit.melee and target.melee:
        return Refused(f"{unit.name} is in Melee {unit.melee}; it must leave that one first", "AD-56")
    return None


def _own(state: State) -> Iterator[OneUnit]:
    """Each unit of the side whose activation it is."""
    return (OneUnit(squad.name) for squad in state.squads if squad.side == state.active)


def _engagements(state: State) -> Iterator[TwoUnits]:
    """Each living unit of the side whose activation it is, with each living enemy."""
    living = [squad for squad in state.squads if not squad.is_gone]
    for unit in living:
        if unit.side == state.active:
            yield from (TwoUnits(unit.name, target.name) for target in living if target.side != unit.side)


def _engage(state: State, order: TwoUnits) -> State:
    unit, target = state.squad(order.unit), state.squad(order.target)
    taken = {squad.melee for squad in state.squads}
    fresh = next(name for name in (f"M{number}" for number in range(1, len(state.squads) + 2)) if name not in taken)
    melee = unit.melee or target.melee or fresh
    return state.with_squads(replace(unit, melee=melee), replace(target, melee=melee))


def refuse_leave(state: State, order: OneUnit) -> Refused | None:
    """Only a unit in a Melee leaves one."""
    unit = state.squad(order.unit)
    return None if unit.melee else Refused(f"{unit.name} is in no Melee", "AD-56")


def _leave(state: State, order: OneUnit) -> State:
    return state.with_squads(replace(state.squad(order.unit), melee=""))


def refuse_cover(state: State, order: Cover) -> Refused | None:
    """Any living unit may be in cover."""
    return refuse_gone(state.squad(order.unit))


def _covers(state: State) -> Iterator[Cover]:
    """For each living unit the least cover if it has none, and none if it has some."""
    return (Cover(squad.name, amount=0 if squad.cover else 1) for squad in state.squads if not squad.is_gone)


def _cover(state: State, order: Cover) -> State:
    return state.with_squads(replace(state.squad(order.unit), cover_stat=order.stat, cover=order.amount))


@clause("AD-65")
def refuse_embark(state: State, order: TwoUnits) -> Refused | None:
    """A unit embarks in another living unit of its own side, if it is free and that one is not itself aboard."""
    unit, transport = state.squad(order.unit), state.squad(order.target)
    if unit.name == transport.name or unit.side != transport.side:
        return Refused(f"{transport.name} cannot carry {unit.name}", "AD-65")
    if unit.is_gone or transport.is_gone:
        return Refused("both units need a model left", "AD-80")
    if unit.melee:
        return Refused(f"{unit.name} is in Melee {unit.melee}; it must leave that one first", "AD-65")
    for squad in (unit, transport):
        if squad.aboard:
            return Refused(f"{squad.name} is itself aboard {squad.aboard}", "AD-65")
    passenger = next((squad.name for squad in state.squads if squad.aboard == unit.name), None)
    return Refused(f"{unit.name} carries {passenger} itself", "AD-65") if passenger else None


def _boardings(state: State) -> Iterator[TwoUnits]:
    """Who might go aboard what, of the side whose activation it is: a single model is proposed that carries somebody.

    No profile says what is a transport, so a first passenger is for the players to name.
    """
    own = [squad for squad in state.squads if squad.side == state.active]
    for transport in own:
        if any(squad.aboard == transport.name for squad in own):
            yield from (TwoUnits(unit.name, transport.name) for unit in own if unit.name != transport.name)


def _embark(state: State, order: TwoUnits) -> State:
    transport = state.squad(order.target)
    return state.with_squads(replace(state.squad(order.unit), aboard=transport.name))


def refuse_disembark(state: State, order: OneUnit) -> Refused | None:
    """Only a unit aboard leaves a transport."""
    unit = state.squad(order.unit)
    return None if unit.aboard else Refused(f"{unit.name} is not aboard anything", "AD-65")


def _disembark(state: State, order: OneUnit) -> State:
    return state.with_squads(replace(state.squad(order.unit), aboard=""))


ENGAGE = at_once("engage", "Lock two units in a Melee", TwoUnits, refuse_engage, _engage, "AD-56", options=_engagements)
LEAVE = at_once("leave", "Leave a Melee", OneUnit, refuse_leave, _leave, "AD-56", options=_own)
COVER = at_once("cover", "Set a unit's cover", Cover, refuse_cover, _cover, "AD-58", options=_covers)
EMBARK = at_once("embark", "Go aboard a transport", TwoUnits, refuse_embark, _embark, "AD-65", options=_boardings)
DISEMBARK = at_once("disembark", "Leave a transport", OneUnit, refuse_disembark, _disembark, "AD-65", options=_own)
