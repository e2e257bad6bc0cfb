"""How the measures of a battle are seen in its state, before and after an action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from battletape.rulesets.diceless40k.battle.state import State, Vehicle


def tokens(state: State) -> int:
    return sum(player.tokens.scatter + player.tokens.gets_hot + player.tokens.warp for player in state.players)


def less(count: Callable[[State], int]) -> Callable[[State, Any, State], int]:
    """How much less there is of something afterwards."""
    return lambda before, order, after: count(before) - count(after)


def hits(kind: str) -> Callable[[State, Any, State], Any]:
    """Hits of a kind that stand on all sheets; a vehicle that is destroyed shows no further ones."""

    def standing(vehicle: Vehicle) -> int:
        return sum(ticked.hit.kind == kind for ticked in vehicle.damage.history)

    def seen(before: State, order: Any, after: State) -> Any:
        struck = [(was, now) for was, now in zip(before.vehicles, after.vehicles, strict=True) if was != now]
        if any(now.damage.destroyed for _, now in struck):
            return NotImplemented
        return sum(standing(now) - standing(was) for was, now in struck)

    return seen


SEEN: dict[str, Callable[[State, Any, State], Any]] = {
    "hp": less(lambda state: sum(troop.hp for troop in state.squads)),
    "removed": less(lambda state: sum(troop.count for troop in state.squads)),
    "wrecked": less(lambda state: sum(not vehicle.damage.destroyed for vehicle in state.vehicles)),
    "spent": less(tokens),
    "reserves.arriving": lambda before, order, after: sum(after.where(unit) == "arriving" for unit in after.units),
    "deep_strike.landed": lambda before, order, after: int(after.field.position(order.unit).where == "table"),
    "glancing": hits("G"),
    "penetrating": hits("P"),
    "recorded": lambda before, order, after: sum(
        sum(now.damage.lines) - sum(was.damage.lines) for was, now in zip(before.vehicles, after.vehicles, strict=True)
    ),
    "undone": lambda before, order, after: sum(
        len(was.damage.glancing) + len(was.damage.penetrating) - len(now.damage.glancing) - len(now.damage.penetrating)
        for was, now in zip(before.vehicles, after.vehicles, strict=True)
    ),
}
UNSEEN = {
    "dmg": "damage that saves stop leaves no trace",
    "failed": "a test that fails may change nothing",
}
