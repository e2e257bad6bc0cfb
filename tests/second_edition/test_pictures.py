"""Pictures of a table: everybody where they stand, with the chance that the answer gives them."""

from __future__ import annotations

import pytest

from battletape.registry import ruleset
from battletape.table.picture import Figure, Marker, Template

SYSTEM = ruleset("second_edition")
DRAWN = ("blast", "grenade", "ground", "template", "scatter", "cloud", "plasma")


@pytest.mark.clause("SE-53")
@pytest.mark.parametrize("name", DRAWN)
def test_the_example_has_a_picture_with_its_marker_or_template(name):
    asked = SYSTEM.ask(name, **SYSTEM.question(name).example)
    assert any(isinstance(thing, (Marker, Template)) for thing in asked.picture.things)
    assert any(isinstance(thing, Figure) for thing in asked.picture.things)


@pytest.mark.clause("SE-53")
@pytest.mark.parametrize("name", ["blast", "ground"])
def test_the_chances_are_those_of_who_is_hit(name):
    asked = SYSTEM.ask(name, measures=["who"], models=[{"name": "A", "y": 8.0}, {"name": "B", "x": 1.5, "y": 8.0}])
    who = asked.odds("who")
    for thing in asked.picture.things:
        if isinstance(thing, Figure):
            assert thing.chance == who.chance(lambda names, figure=thing: figure.name in names.split(", "))


@pytest.mark.clause("SE-10")
@pytest.mark.parametrize("name", ["blast", "grenade", "ground", "template"])
def test_what_is_dragged_is_an_input(name):
    asked = SYSTEM.ask(name)
    for thing in asked.picture.things:
        if isinstance(thing, Figure):
            for axis, at in zip(thing.drag, (thing.base.centre.x, thing.base.centre.y), strict=True):
                field, *place = axis.split(".")
                value = getattr(asked.inputs, field)
                assert (getattr(value[int(place[0])], place[1]) if place else value) == at
