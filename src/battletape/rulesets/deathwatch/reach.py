"""How far somebody in a battle can go, and where he comes out."""

from __future__ import annotations

from math import hypot

from battletape.clauses import clause
from battletape.rulesets.deathwatch.conditions import is_slowed
from battletape.rulesets.deathwatch.effects import FIELDS
from battletape.rulesets.deathwatch.field import Field, Fighter, Unit
from battletape.rulesets.deathwatch.movement import moves
from battletape.rulesets.deathwatch.tables import Moves


@clause("DW-MOVE-1", "DW-CRIT-2", "DW-QUAL-HAYWIRE")
def moves_of(field: Field, unit: Unit) -> Moves:
    """Metres of each gait, by Agility, size, wounds and fields that slow power armour."""
    if not isinstance(unit, Fighter):
        return moves(unit.ab)
    less = -FIELDS[field.field_at(unit)].movement if unit.sealed else 0  # type: ignore[index]
    return moves(unit.ab, unit.profile.size, is_slowed(unit.conditions), less)


def towards(unit: Unit, other: Unit, far: float) -> tuple[float, float]:
    """The place so many metres on the way to somebody."""
    return along(unit.x, unit.y, other.x, other.y, far)


def along(x: float, y: float, to_x: float, to_y: float, far: float) -> tuple[float, float]:
    """The place so many metres on the way from one place to another."""
    way = hypot(to_x - x, to_y - y)
    share = far / way if way else 0.0
    return round(x + (to_x - x) * share, 3), round(y + (to_y - y) * share, 3)


def steps(x: float, y: float, to_x: float, to_y: float) -> tuple[tuple[float, float], ...]:
    """Places on the way, a metre apart, without the first."""
    way = hypot(to_x - x, to_y - y)
    between = [along(x, y, to_x, to_y, far) for far in range(1, int(way) + 1)]
    return (*between, (to_x, to_y))
