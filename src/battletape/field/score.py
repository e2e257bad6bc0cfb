"""Objectives and their holders, missions, and the victory points of each side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from battletape.errors import by_name
from battletape.field.state import Battlefield, Objective, Position
from battletape.rulebook import State
from battletape.table.board import Board
from battletape.table.distances import is_within
from battletape.table.points import Point
from battletape.words import listed, plural


class Mission(State, frozen=True):
    """What counts at the end of a game, in points; objectives lie at shares of the width and depth of the table."""

    name: str
    held: int = 0  # for each objective that a side holds, times its worth
    destroyed: int = 0  # for each enemy unit that is lost
    breakthrough: int = 0  # for each own unit in an enemy's deployment zone
    objectives: tuple[tuple[float, float], ...] = ()


MISSIONS = (
    Mission("annihilation", destroyed=1),
    Mission("take and hold", held=1, objectives=((0.25, 0.5), (0.5, 0.5), (0.75, 0.5))),
    Mission("king of the hill", held=1, objectives=((0.5, 0.5),)),
    Mission("breakthrough", destroyed=1, breakthrough=2),
)


def mission(name: str) -> Mission:
    """Return the mission of this name; raise UnknownName with the nearest one."""
    return by_name("mission", name, MISSIONS)


def mission_words(name: str) -> str:
    """Return a mission and what counts when the game ends; only its name where the players score it by themselves."""
    planned = next((each for each in MISSIONS if each.name == name.lower()), None)
    if planned is None:
        return name
    scored = (
        (planned.held, "for each objective held"),
        (planned.destroyed, "for each enemy unit lost"),
        (planned.breakthrough, "for each unit in the zone of an enemy"),
    )
    counts = [f"{plural(worth, 'point')} {what}" for worth, what in scored if worth]
    return f"{planned.name}; at the end {listed(counts)}"


def objectives_of(mission: Mission, board: Board, reach: float = 3.0) -> tuple[Objective, ...]:
    """Return the objectives of a mission where they lie on this table."""
    spots = [Point(east * board.width, north * board.depth) for east, north in mission.objectives]
    return tuple(Objective(f"Objective {number}", spot, reach) for number, spot in enumerate(spots, 1))


def every_unit(position: Position) -> bool:
    """Return True: where a system says nothing else, every unit holds objectives."""
    return True


def holder(field: Battlefield[Any], objective: Objective, scores: Callable[[Position], bool] = every_unit) -> str:
    """Return the side that alone has units within reach of an objective; empty if none or several have."""
    near = {
        position.side
        for position in field.on_table()
        if scores(position) and any(is_within(each, objective.at, objective.reach) for each in position.footprints)
    }
    return near.pop() if len(near) == 1 else ""


def breakthroughs(field: Battlefield[Any], side: str) -> tuple[str, ...]:
    """Return the units of a side whose footprints all have their middle in an enemy's deployment zone."""
    areas = [zone.area for zone in field.zones if zone.side != side]
    return tuple(
        position.name
        for position in field.on_table(side=side)
        if any(all(is_within(each.centre, area, 0) for each in position.footprints) for area in areas)
    )


def points(
    field: Battlefield[Any],
    mission: Mission,
    lost: Mapping[str, int],
    scores: Callable[[Position], bool] = every_unit,
) -> dict[str, int]:
    """Return the victory points of each side now; `lost` counts the units that each side has lost."""
    total = dict.fromkeys(field.sides, 0)
    for objective in field.objectives:
        side = holder(field, objective, scores)
        if side:
            total[side] += mission.held * objective.worth
    for side in field.sides:
        total[side] += mission.destroyed * sum(count for other, count in lost.items() if other != side)
        through = [name for name in breakthroughs(field, side) if scores(field.position(name))]
        total[side] += mission.breakthrough * len(through)
    return total


def standings(
    field: Battlefield[Any], mission_name: str, units: Iterable[Any], scores: Callable[[Position], bool] = every_unit
) -> dict[str, int]:
    """Return the victory points now by the sheets of all units (`side`, `is_gone`); none without a mission."""
    if not mission_name:
        return {}
    lost = Counter(unit.side for unit in units if unit.is_gone)
    return points(field, mission(mission_name), lost, scores)


def leader(points: Mapping[str, int]) -> str:
    """Return the side with the most points; empty in a draw."""
    most = max(points.values())
    first, *others = [side for side, count in points.items() if count == most]
    return "" if others else first


def verdict(points: Mapping[str, int]) -> str:
    """Say which side has won by its points, and by how many."""
    won, counts = leader(points), sorted(points.values(), reverse=True)
    told = " to ".join(map(str, counts))
    return f"{won} won by {told} points" if won else f"A draw at {told} points"
