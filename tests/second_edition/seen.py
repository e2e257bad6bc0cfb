"""How the measures of a battle are seen in its state, before and after an action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from battletape.rulesets.second_edition.battle.state import Fighter, State


def everybody(
    read: Callable[[Fighter, Fighter], int], friends: bool | None = None
) -> Callable[[State, Any, State], int]:
    """A number of every model, before and after, added up; of friends or enemies of who acts, if it matters."""

    def seen(before: State, order: Any, after: State) -> int:
        return sum(
            read(was, now)
            for was, now in zip(before.fighters, after.fighters, strict=True)
            if friends is None or (was.side == before.active) == friends
        )

    return seen


def killed(was: Fighter, now: Fighter) -> int:
    return int(now.condition.is_dead and not was.condition.is_dead)


def wounds(was: Fighter, now: Fighter) -> int:
    return max(0, was.condition.wounds) - max(0, now.condition.wounds)


def lit(was: Fighter, now: Fighter) -> int:
    return int(now.is_burning and not was.is_burning)


def penetrating(was: Fighter, now: Fighter) -> int:
    return now.condition.vehicle_hits - was.condition.vehicle_hits


def grenades_left(before: State, order: Any, after: State) -> Any:
    who = after.fighter(order.unit)
    return next((arm.grenades_left for arm in who.weapons if arm.name == order.weapon), NotImplemented)


def burnt(before: State, order: Any, after: State) -> int:
    return wounds(before.fighter(order.unit), after.fighter(order.unit))


def radius(before: State, order: Any, after: State) -> Any:
    left = next((lying for lying in after.markers if lying.name == before.marker(order.marker).name), None)
    return 0 if left is None else left.radius


SEEN: dict[str, Callable[[State, Any, State], Any]] = {
    "killed": everybody(killed),
    "casualties": everybody(killed),
    "wounds_lost": everybody(wounds),
    "enemies_killed": everybody(killed, friends=False),
    "friends_killed": everybody(killed, friends=True),
    "on_fire": everybody(lit),
    "vehicle_hits": everybody(penetrating),
    "fire_test.wounds_lost": burnt,
    "beat_out.out": lambda before, order, after: int(not after.fighter(order.unit).is_burning),
    "grenade.grenades_left": grenades_left,
    "test_marker.radius": radius,
    "burst.jams": lambda before, order, after: sum(
        now.state.jams - was.state.jams
        for who, then in zip(before.fighters, after.fighters, strict=True)
        for was, now in zip(who.weapons, then.weapons, strict=True)
    ),
}
UNSEEN = {
    "hits": "a hit that a save stops leaves no trace",
    "enemies_hit": "a hit that a save stops leaves no trace",
    "friends_hit": "a hit that a save stops leaves no trace",
    "event": "in words, what becomes of the marker; its radius is seen",
    "outcome": "in words, what the model must do",
    "fate": "in words, what became of the shot",
}
