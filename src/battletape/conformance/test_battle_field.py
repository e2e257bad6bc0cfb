"""A field and the sheets tell one story: as many bases as models, and distances as the field shows them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from battletape.battle import Battle
from battletape.battle.battle import Option
from battletape.conformance.plugin import fail_if
from battletape.conformance.situations import battles
from battletape.conformance.subjects import Subject
from battletape.errors import BattletapeError
from battletape.field.measure import ROUNDING, distance
from battletape.field.state import TABLE, Battlefield
from battletape.inputs import fields

FAR = 3
"""Inches by which a claimed distance is wrong here: more than players may round."""
NAMES = {"unit", "target", "distance"}
"""The inputs of an action that is measured."""


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
    field = battle.rules.field(battle.state)
    inputs = {each.name: each for each in fields(option.action.inputs)}
    if not isinstance(field, Battlefield) or not inputs.keys() >= NAMES:
        return
    unit, target = (getattr(option.params, name) for name in ("unit", "target"))
    try:
        shown = distance(field, unit, target)
    except BattletapeError:  # a target of several units, or none
        return
    if shown is None:
        return
    wrong, right = shown + FAR, shown
    if inputs["distance"].kind == "whole":
        wrong, right = int(wrong), round(shown)
    if abs(right - shown) <= ROUNDING:
        refused = battle.refusal(option.action.name, replace(option.params, distance=right))
        if refused is not None:
            yield f"{option.action.name}: {unit} is {shown:g} from {target} on the field, and yet: {refused}"
    if battle.refusal(option.action.name, replace(option.params, distance=wrong)) is None:
        yield f"{option.action.name}: {unit} is {shown:g} from {target} on the field, and yet may be {wrong:g} away."
