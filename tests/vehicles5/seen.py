"""How the measures of a battle are seen in its state, before and after an action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from battletape.rulesets.vehicles5.battle.state import Squad, State, Vehicle


def of_target(read: Callable[[Any, Any], Any], field: str = "target") -> Callable[[State, Any, State], Any]:
    """Something about the target, before and after."""

    def seen(before: State, order: Any, after: State) -> Any:
        name = getattr(order, field, "")
        if not name:
            return NotImplemented
        was = before.find(name)
        return read(was, after.find(was.name))

    return seen


def weapons_lost(was: Any, now: Any) -> Any:
    return len(was.condition.weapons) - len(now.condition.weapons) if isinstance(was, Vehicle) else 0


def casualties(was: Any, now: Any) -> int:
    return was.models - now.models if isinstance(was, Squad) else 0


def is_stuck(unit: Any) -> bool:
    return isinstance(unit, Vehicle) and (unit.is_gone or unit.condition.immobilised)


def fled(before: State, order: Any, after: State) -> int:
    unit = before.find(order.unit)
    both = {unit.name, *unit.locked_with, *filter(None, [getattr(order, "target", "")])}
    return sum(squad.fled > 0 for squad in after.squads if squad.name in both)


SEEN: dict[str, Callable[[State, Any, State], Any]] = {
    "destroyed": of_target(lambda was, now: int(now.is_gone)),
    "exploded": of_target(lambda was, now: int(isinstance(now, Vehicle) and now.condition.status == "exploded")),
    "immobilised_or_worse": of_target(lambda was, now: int(is_stuck(now))),
    "weapons_lost": of_target(weapons_lost),
    "casualties": of_target(casualties),
    "drive.immobilised": of_target(lambda was, now: int(is_stuck(now)), "unit"),
    "own_immobilised": of_target(lambda was, now: int(is_stuck(now)), "unit"),
    "own_destroyed": of_target(lambda was, now: int(now.is_gone), "unit"),
    "target_destroyed": of_target(lambda was, now: int(now.is_gone)),
    "move_unit.models": of_target(lambda was, now: now.models, "unit"),
    "target_gone": of_target(lambda was, now: int(now.is_lost)),
    "own_gone": of_target(lambda was, now: int(now.is_lost), "unit"),
    "fled": fled,
}
UNSEEN = {
    "moved": "the way that a tank drove need not be straight",
    "rolled": "a squad need not run as far as its die allows",
    "result": "in words, the condition that the other measures show",
    "contact": "who came into contact may have won and be free again",
}
