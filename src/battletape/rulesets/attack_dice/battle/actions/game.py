"""The course of the game: `agree` on a ruling, `start`, and `done` with an activation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from battletape.cards import Action, Inputs, Nothing, Plan, fields, parse_value
from battletape.rulebook import Tape, UnknownName, clause, need, replace
from battletape.rulesets.attack_dice.battle import turn
from battletape.rulesets.attack_dice.battle.actions._orders import UnitOrder
from battletape.rulesets.attack_dice.battle.state import State
from battletape.rulesets.attack_dice.rulings import Rulings


class AgreeOrder(Inputs, frozen=True):
    """A setting of the game."""

    ruling: str = "method"
    value: str = "chart"


@clause("AD-3", "AD-4")
def plan_agreement(state: State, order: AgreeOrder) -> Plan:
    """Refuse to change a ruling once the game has started."""
    known = {ruling.name: ruling for ruling in fields(Rulings)}
    name = order.ruling.strip().lower().replace("-", "_")
    if name not in known:
        raise UnknownName("ruling", order.ruling, known)
    value, now = parse_value(known[name], order.value), getattr(state.rulings, name)
    held = f"{name} is {now} for the whole game; it cannot change once the game has started"
    need(state.phase == "before", held, "AD-4", at_all=True)
    return Plan(agree, state, name, value, known[name].clause)


@clause("AD-3", "AD-4")
def agree(tape: Tape, state: State, ruling: str, value: Any, cited: str) -> State:
    """Play by this value of a ruling."""
    tape.tell("Agreed: {} is {}", ruling, value, clause=cited)
    return replace(state, rulings=replace(state.rulings, **{ruling: value}))


def propose_agreements(state: State) -> Iterator[AgreeOrder]:
    """Propose every value of a ruling but the one in force."""
    for ruling in fields(Rulings):
        now = getattr(state.rulings, ruling.name)
        yield from (AgreeOrder(ruling.name, str(value)) for value in ruling.choices if value != now)


@clause("AD-4")
def plan_start(state: State, order: Nothing) -> Plan:
    """Refuse to start a game twice."""
    need(state.phase == "before", "the game has already started", "AD-4", at_all=True)
    return Plan(start_game, state)


@clause("AD-4")
def start_game(tape: Tape, state: State) -> State:
    """Start the game; from now on its rulings hold."""
    tape.tell("The game begins")
    return replace(state, phase="running")


@clause("AD-82")
def plan_done(state: State, order: UnitOrder) -> Plan:
    """Refuse to end the activation of a unit that may not act."""
    return Plan(turn.end_activation, state, turn.acting_unit(state, order.unit))


AGREE = Action(
    "agree", "Agree on a ruling", AgreeOrder, plan_agreement, options=propose_agreements, clauses=("AD-4",), aside=True
)
START = Action("start", "Start the game", Nothing, plan_start, clauses=("AD-4",), closed=turn.refuse_after_end)
DONE = Action(
    "done",
    "End a unit's activation",
    UnitOrder,
    plan_done,
    clauses=("AD-82",),
    ends="unit",
    closed=turn.refuse_after_end,
)
