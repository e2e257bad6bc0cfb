"""How the game goes on: `agree` on a ruling, `start`, and `done` with an activation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from battletape.cards import Inputs, Nothing, at_once, fields, parse_value
from battletape.rulebook import Refused, UnknownName, clause, replace
from battletape.rulesets.attack_dice.battle.actions._orders import OneUnit
from battletape.rulesets.attack_dice.battle.state import State
from battletape.rulesets.attack_dice.battle.turn import pass_on, refuse_turn
from battletape.rulesets.attack_dice.rulings import Rulings


class Agreement(Inputs, frozen=True):
    """A setting of the game."""

    ruling: str = "method"
    value: str = "chart"


@clause("AD-3", "AD-4")
def refuse_agreement(state: State, order: Agreement) -> Refused | None:
    """Settings are agreed before the game and hold until it ends."""
    name, _ = _agreed(order)
    if state.phase == "running":
        now = getattr(state.rules, name)
        return Refused(f"{name} is {now} for the whole game; it cannot change once the game has started", "AD-4")
    return None


def _agreed(order: Agreement) -> tuple[str, Any]:
    """The ruling and the value that are meant; an unknown name or value is a BadInput."""
    known = {ruling.name: ruling for ruling in fields(Rulings)}
    name = order.ruling.strip().lower().replace("-", "_")
    if name not in known:
        raise UnknownName("ruling", order.ruling, known)
    return name, parse_value(known[name], order.value)


def _agree(state: State, order: Agreement) -> State:
    name, value = _agreed(order)
    return replace(state, rules=replace(state.rules, **{name: value}))


def _agreements(state: State) -> Iterable[Agreement]:
    """Every value of a ruling but the one that holds."""
    for ruling in fields(Rulings):
        now = getattr(state.rules, ruling.name)
        yield from (Agreement(ruling.name, str(value)) for value in ruling.choices if value != now)


@clause("AD-4")
def refuse_start(state: State, order: Nothing) -> Refused | None:
    """A game starts once."""
    return Refused("the game has already started", "AD-4") if state.phase == "running" else None


def _begin_game(state: State, order: Nothing) -> State:
    return replace(state, phase="running")


def refuse_done(state: State, order: OneUnit) -> Refused | None:
    """Only a unit of the active side ends its activation."""
    return refuse_turn(state, order.unit)


def _done(state: State, order: OneUnit) -> State:
    return pass_on(state.with_squads(replace(state.squad(order.unit), activated=True, used=())))


AGREE = at_once("agree", "Agree on a ruling", Agreement, refuse_agreement, _agree, "AD-4", options=_agreements)
START = at_once("start", "Start the game", Nothing, refuse_start, _begin_game, "AD-4")
DONE = at_once("done", "End a unit's activation", OneUnit, refuse_done, _done, "AD-82")
