"""Whose turn it is: who may act, who is next, and when a new turn begins or the battle is over."""

from __future__ import annotations

from collections.abc import Mapping

from battletape.rulebook import Refused, clause, replace
from battletape.rulesets.attack_dice.battle.state import State, refuse_gone


@clause("AD-82")
def refuse_turn(state: State, name: str) -> Refused | None:
    """Why this unit may not act now."""
    unit = state.squad(name)
    if state.phase == "before":
        return Refused("the game has not started; use start first", "AD-4")
    gone = refuse_gone(unit)
    if gone:
        return gone
    if unit.side != state.active:
        return Refused(f"it is the turn of {state.active}; {unit.name} belongs to {unit.side}", "AD-82")
    if unit.activated:
        return Refused(f"{unit.name} has already been activated this turn", "AD-82")
    if state.acting and state.acting != unit.name:
        return Refused(f"{state.acting} is acting; end its activation first", "AD-82")
    return None


@clause("AD-80", "AD-82")
def settle(state: State) -> State:
    """What follows from losses: units that are gone leave Melees and transports, and the next side acts if need be."""
    fighting = [squad.melee for squad in state.squads if squad.melee and not squad.is_gone]
    gone = {squad.name for squad in state.squads if squad.is_gone}
    squads = [
        replace(
            squad,
            melee="" if squad.name in gone or fighting.count(squad.melee) < 2 else squad.melee,
            aboard="" if squad.name in gone or squad.aboard in gone else squad.aboard,
        )
        for squad in state.squads
    ]
    after = replace(state.with_squads(*squads), acting="" if state.acting in gone else state.acting)
    return after if after.phase == "before" or after.active in _waiting(after) else pass_on(after)


def _waiting(state: State) -> set[str]:
    """The sides that have a unit which may still act in this turn."""
    return {squad.side for squad in state.squads if not squad.activated and not squad.is_gone}


def _alive(state: State) -> list[str]:
    """The sides with models left, in turn order."""
    alive = {squad.side for squad in state.squads if not squad.is_gone}
    return [side for side in state.sides if side in alive]


@clause("AD-82")
def pass_on(state: State) -> State:
    """The next player's unit follows; when every unit has been activated a new turn begins."""
    waiting = _waiting(state)
    at = state.sides.index(state.active)
    order = state.sides[at + 1 :] + state.sides[: at + 1]
    following = next((side for side in order if side in waiting), None)
    if following is not None:
        return replace(state, active=following, acting="")
    fresh = tuple(replace(squad, activated=False, used=()) for squad in state.squads)
    first = next(iter(_alive(state)), state.active)
    return replace(state, squads=fresh, active=first, acting="", turn=state.turn + 1)


def where(state: State) -> Mapping[str, str]:
    """Turn, phase and whose turn it is."""
    phase = "before the game" if state.phase == "before" else f"{state.acting} acts" if state.acting else "activation"
    return {"turn": str(state.turn), "phase": phase, "side": state.active}
