"""Objectives and victory points: who holds what, and what a mission counts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from msgspec import Struct

from battletape.field.state import Field, Objective, Stand
from battletape.table.distances import is_within


class Mission(Struct, frozen=True, cache_hash=True):
    """What counts at the end: points for each objective held, unit destroyed, and unit in the enemy's zone."""

    name: str = ""
    held: int = 0  # times the worth of an objective
    destroyed: int = 0
    breakthrough: int = 0


def holder(field: Field[Any], objective: Objective, counts: Callable[[Stand], bool] = lambda stand: True) -> str:
    """The side that alone has units within reach of an objective; nobody if it is contested."""
    near = {
        stand.side
        for stand in field.on_table()
        if counts(stand) and any(is_within(thing, objective.at, objective.reach) for thing in stand.footprints)
    }
    return near.pop() if len(near) == 1 else ""


def points(
    field: Field[Any],
    mission: Mission,
    destroyed: Mapping[str, int],
    scoring: Callable[[Stand], bool] = lambda stand: True,
) -> dict[str, int]:
    """The points of each side now; `destroyed` are units that each side has lost."""
    total = dict.fromkeys(field.sides, 0)
    for objective in field.objectives:
        side = holder(field, objective, scoring)
        if side:
            total[side] += mission.held * objective.worth
    for side in field.sides:
        total[side] += mission.destroyed * sum(lost for other, lost in destroyed.items() if other != side)
        total[side] += mission.breakthrough * len(in_zones(field, side, [it.side for it in field.zones]))
    return total


def in_zones(field: Field[Any], side: str, zones: Collection[str]) -> tuple[str, ...]:
    """The units of a side that stand wholly in a zone of another side."""
    areas = [zone.area for zone in field.zones if zone.side in zones and zone.side != side]
    return tuple(
        stand.name
        for stand in field.on_table(side=side)
        if any(all(is_within(thing.centre, area, 0) for thing in stand.footprints) for area in areas)
    )
