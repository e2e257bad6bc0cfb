"""How the game goes on: `end_phase`, `end_turn`, and `remove` for what the rules of the base game decide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from battletape.cards import Inputs, Nothing, last_side
from battletape.cards import refusing_at_once as at_once
from battletape.rulebook import Meta, Refused, clause, replace
from battletape.rulesets.second_edition.battle.state import PHASES, State
from battletape.rulesets.second_edition.battle.turn import close_turn, refuse_gone, to_do


class Removed(Inputs, frozen=True):
    """A model that leaves the battle."""

    unit: Annotated[str, Meta(title="Model")] = ""


@clause("SE-118")
def refuse_end(state: State, order: Nothing) -> Refused | None:
    """Why a phase cannot end yet: markers and fires come first, or the battle is over."""
    ended = last_side(state)
    if ended:
        return Refused(f"the battle is over: {ended}", "SE-117", "over")
    return Refused(f"first comes: {to_do(state)}", "SE-118", "due") if state.phase == "start" else None


def _end_phase(state: State, order: Nothing) -> State:
    at = PHASES.index(state.phase) + 1
    return close_turn(state) if at == len(PHASES) else replace(state, phase=PHASES[at])


def _end_turn(state: State, order: Nothing) -> State:
    return close_turn(state)


@clause("SE-96", "SE-117")
def refuse_removal(state: State, order: Removed) -> Refused | None:
    """Why a model cannot be taken off: it has fallen already."""
    return refuse_gone(state.fighter(order.unit))


def _remove(state: State, order: Removed) -> State:
    return state.changed(replace(state.fighter(order.unit), gone=True))


def _vehicles(state: State) -> Iterator[Removed]:
    """Vehicles that were hit: whether that was the end of them, armour penetration says."""
    return (Removed(unit=fighter.name) for fighter in state.standing() if fighter.state.vehicle_hits)


END_PHASE = at_once("end_phase", "End the phase", Nothing, refuse_end, _end_phase, "SE-117", "SE-68")
END_TURN = at_once("end_turn", "End the turn", Nothing, refuse_end, _end_turn, "SE-117", "SE-68")
REMOVE = at_once(
    "remove", "Take a model off, by the base game", Removed, refuse_removal, _remove, "SE-96", options=_vehicles
)
