"""How the measures of a battle are seen in its state, before and after an attack."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from battletape.rulesets.attack_dice.battle.state import BattleUnit, State


def of_targets(read: Callable[[BattleUnit, BattleUnit], int]) -> Callable[[State, Any, State], int]:
    """A number of every unit but the attacker's, before and after, added up."""
    return lambda before, order, after: sum(
        read(was, after.unit(was.name)) for was in before.units if was.side != before.unit(order.unit).side
    )


def wiped_out(before: State, order: Any, after: State) -> Any:
    aimed = {order.target, *(aim.target for aim in order.also)}
    return NotImplemented if len(aimed) > 1 else int(after.unit(order.target).is_gone)


SEEN: dict[str, Callable[[State, Any, State], Any]] = {
    "casualties": of_targets(lambda was, now: was.models - now.models),
    "hp_lost": of_targets(lambda was, now: now.hp_lost - was.hp_lost),
    "wiped_out": wiped_out,
}
UNSEEN = {"damage": "overkill leaves no trace"}
