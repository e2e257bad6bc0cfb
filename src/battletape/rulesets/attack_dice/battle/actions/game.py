"""How the game goes on: `agree` on a ruling, `start`, and `done` with an activation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused, UnknownName
from battletape.inputs import Inputs, fields, parse_value
from battletape.rulesets.attack_dice.battle.actions._orders import OneUnit, done_at_once, each_unit
from battletape.rulesets.attack_dice.battle.state import Field
from battletape.rulesets.attack_dice.battle.turn import pass_on, refuse_turn, settle
from battletape.rulesets.attack_dice.rulings import Rulings


class Agreement(Inputs, frozen=True):
    """A setting of the game."""

    ruling: str = "method"
    value: str = "chart"


class Nothing(Inputs, frozen=True):
    """No parameters."""


@clause("AD-3", "AD-4")
def refuse_agreement(field: Field, order: Agreement) -> Refused | None:
    """Settings are agreed before the game and hold until it ends."""
    name, _ = _agreed(order)
    if field.phase == "running":
        now = getattr(field.rules, name)
        return Refused(f"{name} is {now} for the whole game; it cannot change once the game has started", "AD-4")
    return None


def _agreed(order: Agreement) -> tuple[str, Any]:
    """The ruling and the value that are meant; a name or value that nobody knows is a BadInput."""
    known = {one.name: one for one in fields(Rulings)}
    name = order.ruling.strip().lower().replace("-", "_")
    if name not in known:
        raise UnknownName("ruling", order.ruling, known)
    return name, parse_value(known[name], order.value)


def _agree(field: Field, order: Agreement) -> Field:
    name, value = _agreed(order)
    return replace(field, rules=replace(field.rules, **{name: value}))


def _agreements(field: Field) -> Iterable[Agreement]:
    return (Agreement(ruling=one.name, value=str(value)) for one in fields(Rulings) for value in one.choices)


@clause("AD-4")
def refuse_start(field: Field, order: Nothing) -> Refused | None:
    """A game starts once."""
    return Refused("the game has already started", "AD-4") if field.phase == "running" else None


def _begin_game(field: Field, order: Nothing) -> Field:
    return settle(replace(field, phase="running"))


def _one(field: Field) -> Iterable[Nothing]:
    return (Nothing(),)


def refuse_done(field: Field, order: OneUnit) -> Refused | None:
    """Only a unit of the active side ends its activation."""
    return refuse_turn(field, order.unit)


def _done(field: Field, order: OneUnit) -> Field:
    return pass_on(field.with_squads(replace(field.squad(order.unit), activated=True, used=())))


AGREE = done_at_once("agree", "Agree on a ruling", Agreement, refuse_agreement, _agree, _agreements, "AD-4")
START = done_at_once("start", "Start the game", Nothing, refuse_start, _begin_game, _one, "AD-4")
DONE = done_at_once("done", "End a unit's activation", OneUnit, refuse_done, _done, each_unit(OneUnit), "AD-82")
