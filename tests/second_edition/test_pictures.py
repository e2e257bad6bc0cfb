"""Pictures of a table: everybody where they stand, with the chance that the answer gives them."""

from __future__ import annotations

from itertools import count

import pytest
from msgspec.structs import replace

from battletape.answer import Answer
from battletape.registry import ruleset
from battletape.table.picture import Figure, Marker, Template, Thing

SYSTEM = ruleset("second_edition")
DRAWN = ("blast", "grenade", "ground", "template", "scatter", "cloud", "plasma")


def things_of(asked: Answer) -> tuple[Thing, ...]:
    """What the picture of an answer shows."""
    assert asked.picture is not None
    return asked.picture.things


@pytest.mark.clause("SE-53")
@pytest.mark.parametrize("name", DRAWN)
def test_the_example_has_a_picture_with_its_marker_or_template(name):
    asked = SYSTEM.ask(name, **SYSTEM.question(name).example)
    assert any(isinstance(thing, (Marker, Template)) for thing in things_of(asked))
    assert any(isinstance(thing, Figure) for thing in things_of(asked))


@pytest.mark.clause("SE-53")
@pytest.mark.parametrize("name", ["blast", "ground"])
def test_the_chances_are_those_of_who_is_hit(name):
    asked = SYSTEM.ask(name, measures=["who"], models=[{"name": "A", "y": 8.0}, {"name": "B", "x": 1.5, "y": 8.0}])
    who = asked.odds("who")
    for thing in things_of(asked):
        if isinstance(thing, Figure):
            assert thing.chance == who.chance(lambda names, figure=thing: figure.name in names.split(", "))


@pytest.mark.clause("SE-10")
@pytest.mark.parametrize("name", ["blast", "grenade", "ground", "template"])
def test_what_is_dragged_is_an_input(name):
    asked = SYSTEM.ask(name)
    for thing in things_of(asked):
        if isinstance(thing, Figure):
            for axis, at in zip(thing.drag, (thing.base.centre.x, thing.base.centre.y), strict=True):
                field, *place = axis.split(".")
                value = getattr(asked.inputs, field)
                assert (getattr(value[int(place[0])], place[1]) if place else value) == at


@pytest.mark.clause("SE-53")
@pytest.mark.parametrize("name", ["scatter", "cloud", "plasma", "template", "grenade"])
def test_the_chances_of_all_add_up_to_the_hits(name):
    """Each model can be hit once, so the mean of the hits is the sum of the chances."""
    given = {**SYSTEM.question(name).example, **({"tests": 1} if name in ("cloud", "plasma") else {})}
    asked = SYSTEM.ask(name, **given)
    told = [thing.chance for thing in things_of(asked) if isinstance(thing, Figure)]
    assert sum(told) == asked.odds("hits").mean


@pytest.mark.clause("SE-10")
def test_a_formation_stands_on_the_table():
    asked = SYSTEM.ask("blast", models="ring 6 at 0,20 spacing 1 name=Ork", target="Ork 4")
    names = [thing.name for thing in things_of(asked) if isinstance(thing, Figure)]
    assert names == ["shooter", *(f"Ork {at}" for at in range(1, 7))]


@pytest.mark.clause("SE-54")
def test_names_cost_no_more_than_who_is_hit():
    """Fourteen models base to base under a large marker: what befell each of them is not told apart."""
    places = [{"name": f"Ork {at}", "x": at % 5 - 2.0, "y": 20.0 + at // 5} for at in range(14)]
    asked = SYSTEM.ask("blast", models=places, target="Ork 7", blast=3.0, measures=["who"], save=6)
    assert not asked.states.unexplored
    plain = SYSTEM.ask("blast", models=places, target="Ork 7", blast=3.0, save=6)
    assert asked.odds("killed") == plain.odds("killed")
    assert asked.odds("who").project(lambda names: 0 if names == "nobody" else len(names.split(", "))) == plain.odds(
        "hits"
    )


@pytest.mark.clause("SE-80")
def test_a_picture_keeps_to_the_seconds_and_says_who_was_left_out(monkeypatch):
    given = {"models": [{"name": f"Ork {at}", "x": at - 6.0} for at in range(12)], "tests": 3}
    asked = SYSTEM.ask("plasma", **given)
    monkeypatch.setattr("battletape.tape.limits.monotonic", count(0.0, 1.0).__next__)  # a second at every look
    late = replace(asked, limit=asked.seconds + 20.0).picture
    assert late is not None
    told = [thing.chance for thing in late.things if isinstance(thing, Figure)]
    assert None in told
    assert "no time for everybody" in late.says
    known = [thing.chance for thing in things_of(asked) if isinstance(thing, Figure)]
    assert all(chance in (None, whole) for chance, whole in zip(told, known, strict=True))
