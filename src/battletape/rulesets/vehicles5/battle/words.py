"""Sentences that several actions share: where units go, and how many models they lose."""

from __future__ import annotations

from battletape.rulebook import Line, inches, plural
from battletape.rulesets.vehicles5.battle.state import Squad, Vehicle
from battletape.table.points import TOLERANCE, apart


def vehicle_place(vehicle: Vehicle) -> str:
    """Say where a vehicle stands after its move."""
    at = vehicle.hull.centre
    return f"{vehicle.name} stands at ({at.x:.1f}, {at.y:.1f}), heading {vehicle.hull.heading:.0f}"


def vehicle_turned(vehicle: Vehicle) -> str:
    """Say which way a vehicle faces now."""
    return f"{vehicle.name} turns to heading {vehicle.hull.heading:.0f}"


def squad_moved(was: Squad, now: Squad) -> str:
    """Say how far the models of a squad move."""
    ways = [apart(before.centre, after.centre) for before, after in zip(was.models, now.models, strict=True)]
    most = max(ways, default=0.0)
    if most <= TOLERANCE:
        return f"{now.name}: stays where it is"
    return f"{now.name}: moved {'up to ' if max(ways) - min(ways) > 0.01 else ''}{inches(round(most, 2))}"


def models_lost(was: Squad, now: Squad, why: str = "") -> Line | None:
    """Say how many models a squad has lost, and how many are left."""
    lost, left = len(was.models) - len(now.models), len(now.models)
    if not lost:
        return None
    cause = f" to {why}" if why else ""
    result = plural(lost, "model")
    return Line(f"{now.name}: {result} lost{cause}, {left or 'none'} left", result=result)
