"""A field and the sheets tell one story: as many bases as models, distances, map and points as the field shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import inf
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battletape.battle import Battle
from battletape.battle.battle import Option
from battletape.conformance.plugin import fail_if
from battletape.conformance.situations import battles
from battletape.conformance.subjects import Subject
from battletape.errors import BattletapeError
from battletape.field.measure import ROUNDING, Measurement, distance
from battletape.field.moves import destination, ends_of
from battletape.field.state import TABLE, Battlefield
from battletape.inputs import fields
from battletape.table.bases import Base
from battletape.table.distances import gap
from battletape.table.picture import Figure, Machine

FAR = 3
"""Inches by which a claimed distance is wrong here: more than players may round."""
NEAR = 1e-6


def test_a_unit_on_the_table_has_a_base_for_each_model_of_its_sheet(battling: Subject) -> None:
    fail_if(
        f"{name}@{number}: {fault}"
        for name, battle in battles(battling).items()
        for number in (0, *(move.number for move in battle.moves))
        for fault in faults_of_places(battle, battle.reach(number))
    )


def faults_of_places(battle: Battle, state: object) -> Iterator[str]:
    """Say which units of a battle have places that do not fit their sheets."""
    field = battle.rules.field(state)
    if not isinstance(field, Battlefield):
        return
    for position in field.positions:
        name, placed = position.name, len(position.footprints)
        models = battle.rules.models(state, name)
        if placed not in (0, models):
            yield f"{name} has {placed} bases and hulls on the field and {models} models on its sheet."
        if placed and position.where != TABLE:
            yield f"{name} has a place on the table, and yet it is {position.where}."
        if not all(field.is_on_board(footprint) for footprint in position.footprints):
            yield f"{name} stands beyond the edge of the table."
        if position.aboard and position.aboard not in {other.name for other in field.positions}:
            yield f"{name} is aboard {position.aboard}, which is not on the field."


def test_a_distance_is_that_of_the_field_whatever_is_said(battling: Subject) -> None:
    fail_if(
        f"{name}@{number}: {fault}"
        for name, battle in battles(battling).items()
        for number in (0, *(move.number for move in battle.moves))
        if battle.rules.field(battle.reach(number)) is not None
        for branch in [battle.fork(number)]
        for option in branch.legal()
        for fault in faults_of_distance(branch, option)
    )


def faults_of_distance(battle: Battle, option: Option) -> Iterator[str]:
    """Say where an action that is measured does not take the distance of the field."""
    action, order, field = option.action, option.params, battle.rules.field(battle.state)
    inputs = {each.name: each for each in fields(action.inputs)}
    if not isinstance(field, Battlefield) or not inputs.keys() >= {"unit", "target"}:
        return
    unit, target = (getattr(order, name) for name in ("unit", "target"))
    try:
        shown = distance(field, unit, target)
    except BattletapeError:  # a target of several units, or none
        return
    if shown is None:
        return
    measured = f"{action.name}: {unit} is {shown:g} from {target} on the field, and yet"
    for measurement in measurements_in(battle.rules.plan(action, battle.state, order).begin.args, battle.state):
        if (measurement.distance, measurement.by) != (shown, "board"):
            yield f"{measured} its plan takes {measurement.distance:g}, by the {measurement.by}."
    if "distance" in inputs:
        is_whole = inputs["distance"].kind == "whole"
        right, wrong = (round(shown), int(shown) + FAR) if is_whole else (shown, shown + FAR)
        refused = battle.refusal(action.name, replace(order, distance=right))
        if abs(right - shown) <= ROUNDING and refused is not None:
            yield f"{measured}: {refused}"
        if battle.refusal(action.name, replace(order, distance=wrong)) is None:
            yield f"{measured} it may be {wrong:g} away."


def measurements_in(value: Any, state: object) -> Iterator[Measurement]:
    """Return the measurements in what a plan hands on, but not those of a battle state."""
    if isinstance(value, Measurement):
        yield value
    elif value is not state and isinstance(value, (tuple, Struct)):
        parts = value if isinstance(value, tuple) else [getattr(value, name) for name in value.__struct_fields__]
        for part in parts:
            yield from measurements_in(part, state)


def test_the_map_names_every_unit_that_has_a_place(battling: Subject) -> None:
    fail_if(
        f"{name}@{number}: {fault}"
        for name, battle in battles(battling).items()
        for number in (0, *(move.number for move in battle.moves))
        for fault in faults_of_map(battle.fork(number))
    )


def faults_of_map(battle: Battle) -> Iterator[str]:
    """Say which units and terrain the map of a battle leaves out, and of which it says something that are not there."""
    field = battle.rules.field(battle.state)
    if not isinstance(field, Battlefield):
        return
    standing = {position.name: len(position.footprints) for position in field.on_table()}
    picture = battle.picture
    names = [thing.name for thing in picture.things if isinstance(thing, (Figure, Machine))] if picture else []
    if standing != dict(Counter(names)):
        yield f"the map shows {dict(Counter(names))}, and on the field are {standing}."
    known = {thing.name for things in (field.positions, field.terrain) for thing in things}
    for name in battle.rules.about(battle.state).keys() - known:
        yield f"`about` tells of {name}, which is not on the field."
    for position in field.on_table():
        for reach in battle.rules.reaches(battle.state, position.name):
            if not 0 <= reach.inches < inf:
                yield f"{position.name} reaches {reach.inches} inches by {reach.name}."


def test_a_way_to_everything_on_the_table_ends_there(battling: Subject) -> None:
    fail_if(
        f"{name}: {fault}" for name, battle in battles(battling).items() for fault in faults_of_destinations(battle)
    )


def faults_of_destinations(battle: Battle) -> Iterator[str]:
    """Say where the way of a unit to a unit, terrain or an objective does not bring it there."""
    field = battle.rules.field(battle.state)
    if not isinstance(field, Battlefield):
        return
    places = [*field.on_table(), *field.laid_terrain, *field.objectives]
    for position in field.on_table():
        for place in places:
            if place.name != position.name:
                there = destination(field, place.name.upper())
                way = there.inches_from(position.footprints)
                ends = ends_of(position.footprints, there.paths_from(position.footprints, way))
                if there.inches_from(ends) > way / 2 + NEAR:  # hulls go at the middle of a place, not at its rim
                    yield f"{position.name} goes {way:g} to {place.name} and has {there.inches_from(ends):g} to go."


def test_points_are_those_of_the_sides_and_of_what_they_hold(battling: Subject) -> None:
    fail_if(
        f"{name}@{number}: {fault}"
        for name, battle in battles(battling).items()
        for number in (0, *(move.number for move in battle.moves))
        for fault in faults_of_points(battle.fork(number))
    )


def faults_of_points(battle: Battle) -> Iterator[str]:
    """Say where points do not fit the sides, or an objective is held by a side without a unit near it."""
    field, points = battle.rules.field(battle.state), battle.points
    if not isinstance(field, Battlefield):
        return
    if points and set(points) != set(field.sides):
        yield f"there are points of {sorted(points)}, and the sides are {sorted(field.sides)}."
    if any(count < 0 for count in points.values()):
        yield f"a side has fewer points than none: {dict(points)}."
    for objective in field.objectives:
        side = battle.holders[objective.name]
        near = {
            position.side
            for position in field.on_table()
            if battle.rules.scores(battle.state, position.name)
            and any(gap(each, Base(objective.at, 0.0)) <= objective.reach + NEAR for each in position.footprints)
        }
        if side != (next(iter(near)) if len(near) == 1 else ""):
            yield f"{objective.name} is held by {side or 'no side'}, and near it are {sorted(near)}."
