"""How the game goes on: `end_phase`, `end_turn`, and `remove` for what the rules of the base game decide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from battletape.cards import Action, Inputs, Nothing, Plan, asked
from battletape.rulebook import Tape, clause, replace
from battletape.rulesets.second_edition.battle import turn
from battletape.rulesets.second_edition.battle.state import COVERS, Fighter, State, Terrain

WRECK_TOP = 0.8
"""Inches that a wreck rises; models look over it."""


class RemoveOrder(Inputs, frozen=True):
    """A model that leaves the battle."""

    unwritten: ClassVar = ("wreck",)

    unit: str = asked("", "Model")
    wreck: bool = asked(False, "Leaves a wreck, which is hard cover", "SE-17")


def plan_phase_end(state: State, order: Nothing) -> Plan:
    """Plan the end of a phase."""
    return Plan(end_phase, state)


@clause("SE-118")
def end_phase(tape: Tape, state: State) -> State:
    """Go on to the next phase, or to the next turn after the last one."""
    clock, ended = state.clock.next()
    if "player turn" in ended:
        return turn.end_turn(tape, state)
    tape.tell("{} phase", turn.phase_name(clock.phase).capitalize())
    return replace(state, clock=clock)


def plan_turn_end(state: State, order: Nothing) -> Plan:
    """Plan the end of a turn."""
    return Plan(turn.end_turn, state)


@clause("SE-96", "SE-117")
def plan_removal(state: State, order: RemoveOrder) -> Plan:
    """Refuse to take off a model that has fallen already."""
    fighter = state.fighter(order.unit)
    turn.need_standing(fighter)
    return Plan(remove, state, fighter, order.wreck)


@clause("SE-96", "SE-117")
def remove(tape: Tape, state: State, fighter: Fighter, wreck: bool) -> State:
    """Take a model off the table; what is left of a vehicle may stay as terrain."""
    tape.tell("{} is taken off", fighter.name)
    left = [
        Terrain(f"Wreck of {fighter.name}", "wreck", (base.centre,), base.radius, WRECK_TOP, COVERS.index("hard"))
        for base in state.field.position(fighter.name).bases
        if wreck
    ]
    for piece in left:
        tape.tell("{} lies there, and is hard cover", piece.name, clause="SE-17")
    state = state.with_models(replace(fighter, gone=True))
    return replace(state, field=state.field.with_terrain(*left))


def propose_removals(state: State) -> Iterator[RemoveOrder]:
    """Propose vehicles that were hit: armour penetration says whether that was the end of them."""
    return (RemoveOrder(unit=fighter.name) for fighter in state.standing() if fighter.condition.vehicle_hits)


END_PHASE = Action(
    "end_phase", "End the phase", Nothing, plan_phase_end, clauses=("SE-117", "SE-68"), closed=turn.refuse_end
)
END_TURN = Action(
    "end_turn",
    "End the turn",
    Nothing,
    plan_turn_end,
    clauses=("SE-117", "SE-68"),
    ends="turn",
    closed=turn.refuse_end,
)
REMOVE = Action(
    "remove",
    "Take a model off, by the base game",
    RemoveOrder,
    plan_removal,
    options=propose_removals,
    clauses=("SE-96",),
)
