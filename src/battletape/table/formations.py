"""Formations: where the models of a unit stand, without typing ten pairs of numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import cos, pi, radians, sin

from battletape.errors import BadInput
from battletape.table.points import Point, check_length

_HAIR = 0.015
"""How much places can move when they are rounded; touching bases stand so far apart, or they would overlap."""
SPACING = 1.0
"""Inches between two bases by default."""
_Places = list[tuple[float, float]]
"""Inches to the right and ahead of the middle."""


def _line(count: int, apart: float) -> _Places:
    """Return side by side."""
    return [((at - (count - 1) / 2) * apart, 0.0) for at in range(count)]


def _ranks(count: int, apart: float) -> _Places:
    """Return places in two ranks, the front one first; an odd model stands in front."""
    front = (count + 1) // 2
    ahead, behind = _line(front, apart), _line(count - front, apart)
    if not behind:
        return ahead
    return [(x, apart / 2) for x, _ in ahead] + [(x, -apart / 2) for x, _ in behind]


def _cluster(count: int, apart: float) -> _Places:
    """Close together, from the middle outwards."""
    reach = 1
    while 1 + 3 * reach * (reach + 1) < count:
        reach += 1
    spots = [
        (apart * (column + row / 2), apart * row * 3**0.5 / 2)
        for row in range(-reach, reach + 1)
        for column in range(-reach, reach + 1)
        if abs(column + row) <= reach
    ]
    spots.sort(key=lambda spot: (round(spot[0] ** 2 + spot[1] ** 2, 6), -spot[1], spot[0]))
    return spots[:count]


def _ring(count: int, apart: float) -> _Places:
    """Return places in a circle around the middle, the first one ahead of it, then clockwise."""
    radius = apart / (2 * sin(pi / count)) if count > 1 else 0.0
    return [(radius * sin(2 * pi * at / count), radius * cos(2 * pi * at / count)) for at in range(count)]


FORMATIONS: Mapping[str, Callable[[int, float], _Places]] = {
    "line": _line,
    "ranks": _ranks,
    "cluster": _cluster,
    "ring": _ring,
}


def formation(
    name: str, count: int, at: Point, *, spacing: float = SPACING, facing: float = 0.0, base: float = 1.0
) -> tuple[Point, ...]:
    """Return the places of so many models around a middle; `spacing` is the gap between two bases of this diameter."""
    if name not in FORMATIONS:
        raise BadInput(f"a formation must be one of {', '.join(FORMATIONS)}; got {name!r}.", field="formation")
    if count < 1:
        raise BadInput(f"a formation needs one model or more; got {count}.", field="formation")
    check_length("spacing", spacing)
    turn = radians(facing)
    apart = base + max(spacing, _HAIR)
    return tuple(
        Point(
            round(at.x + right * cos(turn) + ahead * sin(turn), 2) + 0.0,
            round(at.y - right * sin(turn) + ahead * cos(turn), 2) + 0.0,
        )
        for right, ahead in FORMATIONS[name](count, apart)
    )
