"""Sides: which one makes a decision that the rules ask of “the attacker”, and which one a unit belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import asdict

if TYPE_CHECKING:
    from battletape.battle.battle import Ready
    from battletape.system import BattleRules

ACTING, AGAINST = ("attacker", "owner"), ("defender",)
"""What rules call the two sides that do not know their names."""


def side_of(state: Any, unit: str) -> str:
    """Return the side of a unit in any list of a battle state; empty if it is in none."""
    return next((side for name, side in _named(state) if name == unit), "")


def side_names(state: Any) -> tuple[str, ...]:
    """Return every side that has a unit, in order."""
    return tuple(dict.fromkeys(side for _, side in _named(state) if side))


def deciding_sides(rules: BattleRules, ready: Ready) -> dict[str, str]:
    """Return the side behind each name decisions are asked of: attacker, defender, owner, and the sides themselves.

    The attacker is the side of the unit that acts, the defender that of its target, or the other one.
    """
    state, about = ready.state, ready.action.about(ready.state, ready.order)
    sides = side_names(state)
    acting = side_of(state, about.get("unit", "")) or rules.where(state).get("side", "")
    others = [side for side in sides if side != acting]
    target = side_of(state, about.get("target", ""))
    against = target if target and target != acting else others[0] if others else target
    named = {**dict.fromkeys(ACTING, acting), **dict.fromkeys(AGAINST, against)}
    return {**{role: side for role, side in named.items() if side}, **{side: side for side in sides}}


def _named(state: Any) -> Iterator[tuple[str, str]]:
    """Yield the units of a state: each thing in its lists that has a name and a side."""
    for values in asdict(state).values() if isinstance(state, Struct) else ():
        for value in values if isinstance(values, tuple) else ():
            if isinstance(value, Struct) and hasattr(value, "name") and hasattr(value, "side"):
                yield value.name, value.side
