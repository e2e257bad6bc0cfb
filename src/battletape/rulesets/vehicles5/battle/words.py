"""Sentences that several actions share: where units go, and how many models they lose."""

from __future__ import annotations

from collections.abc import Sequence

from battletape.rulebook import Line, inches, plural
from battletape.rulesets.vehicles5.battle.state import Squad
from battletape.table.bases import Base
from battletape.table.hulls import Hull
from battletape.table.points import TOLERANCE, apart


def vehicle_place(name: str, hull: Hull) -> str:
    """Say where a vehicle stands after its move."""
    return f"{name} stands at ({hull.centre.x:.1f}, {hull.centre.y:.1f}), heading {hull.heading:.0f}"


def vehicle_turned(name: str, hull: Hull) -> str:
    """Say which way a vehicle faces now."""
    return f"{name} turns to heading {hull.heading:.0f}"


def squad_moved(name: str, was: Sequence[Base], now: Sequence[Base]) -> str:
    """Say how far the models of a squad move."""
    ways = [apart(before.centre, after.centre) for before, after in zip(was, now, strict=True)]
    most = max(ways, default=0.0)
    if most <= TOLERANCE:
        return f"{name}: stays where it is"
    return f"{name}: moved {'up to ' if max(ways) - min(ways) > 0.01 else ''}{inches(round(most, 2))}"


def models_lost(was: Squad, now: Squad, why: str = "") -> Line | None:
    """Say how many models a squad has lost, and how many are left."""
    lost, left = was.models - now.models, now.models
    if not lost:
        return None
    cause = f" to {why}" if why else ""
    result = plural(lost, "model")
    return Line(f"{now.name}: {result} lost{cause}, {left or 'none'} left", result=result)
