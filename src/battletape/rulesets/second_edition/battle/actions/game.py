"""How the game goes on: `end_phase`, `end_turn`, and `remove` for what the rules of the base game decide."""

from __future__ import annotations

from collections.abc import Iterator

from battletape.cards import Action, Inputs, Nothing, Plan, asked
from battletape.rulebook import Tape, clause, need, replace
from battletape.rulesets.second_edition.battle import turn
from battletape.rulesets.second_edition.battle.state import PHASES, Fighter, State


class RemoveOrder(Inputs, frozen=True):
    """A model that leaves the battle."""

    unit: str = asked("", "Model")


@clause("SE-118")
def need_nothing_due(state: State) -> None:
    """Refuse to end anything while markers and fires are still to be tested, and once the battle is over."""
    turn.need_running(state)
    if state.phase == "start":
        need(False, f"first comes: {turn.due_text(state)}", "SE-118", "due", at_all=True)


def plan_phase_end(state: State, order: Nothing) -> Plan:
    """Refuse to end a phase before everything due in it is done."""
    need_nothing_due(state)
    return Plan(end_phase, state)


@clause("SE-118")
def end_phase(tape: Tape, state: State) -> State:
    """Go on to the next phase, or to the next turn after the last one."""
    index = PHASES.index(state.phase) + 1
    if index == len(PHASES):
        return turn.end_turn(tape, state)
    tape.tell("{} phase", turn.phase_name(PHASES[index]).capitalize())
    return replace(state, phase=PHASES[index])


def plan_turn_end(state: State, order: Nothing) -> Plan:
    """Refuse to end a turn before everything due in it is done."""
    need_nothing_due(state)
    return Plan(turn.end_turn, state)


@clause("SE-96", "SE-117")
def plan_removal(state: State, order: RemoveOrder) -> Plan:
    """Refuse to take off a model that has fallen already."""
    fighter = state.fighter(order.unit)
    turn.need_standing(fighter)
    return Plan(remove, state, fighter)


@clause("SE-96", "SE-117")
def remove(tape: Tape, state: State, fighter: Fighter) -> State:
    """Take a model off the table."""
    tape.tell("{} is taken off", fighter.name)
    return state.with_models(replace(fighter, gone=True))


def propose_removals(state: State) -> Iterator[RemoveOrder]:
    """Propose vehicles that were hit: armour penetration says whether that was the end of them."""
    return (RemoveOrder(unit=fighter.name) for fighter in state.standing() if fighter.condition.vehicle_hits)


END_PHASE = Action("end_phase", "End the phase", Nothing, plan_phase_end, clauses=("SE-117", "SE-68"))
END_TURN = Action("end_turn", "End the turn", Nothing, plan_turn_end, clauses=("SE-117", "SE-68"), ends="turn")
REMOVE = Action(
    "remove",
    "Take a model off, by the base game",
    RemoveOrder,
    plan_removal,
    options=propose_removals,
    clauses=("SE-96",),
)
