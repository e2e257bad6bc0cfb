"""Circles: where the rims of two of them cross."""

from __future__ import annotations

from math import hypot, sqrt

Circle = tuple[float, float, float]
"""Inches east and north of its middle, and its radius."""


def circle_crossings(circle: Circle, other: Circle) -> tuple[tuple[float, float], ...]:
    """Return the points in which two rims cross, or meet; none if they keep apart, or one lies in the other.

    >>> circle_crossings((0.0, 0.0, 5.0), (6.0, 0.0, 5.0))
    ((3.0, 4.0), (3.0, -4.0))
    >>> circle_crossings((0.0, 0.0, 1.0), (6.0, 0.0, 1.0))
    ()
    """
    (x, y, radius), (east, north, reach) = circle, other
    away = hypot(east - x, north - y)
    if not away or away > radius + reach or away < abs(radius - reach):
        return ()
    along = (away * away + radius * radius - reach * reach) / (2 * away)
    aside = sqrt(max(radius * radius - along * along, 0.0))
    over, up = (east - x) / away, (north - y) / away
    middle = (x + along * over, y + along * up)
    return (
        (middle[0] - aside * up, middle[1] + aside * over),
        (middle[0] + aside * up, middle[1] - aside * over),
    )
