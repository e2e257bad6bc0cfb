"""A roll that scattered is drawn: where the marker was aimed, how far it went, and whom it hit."""

from __future__ import annotations

from math import hypot

import pytest

from battletape import registry
from battletape.table.picture import Arrow, Figure, Marker
from battletape.table.points import apart
from tests.web.test_questions import example_address

QUESTIONS = [
    ("second_edition", "blast"),
    ("second_edition", "grenade"),
    ("second_edition", "ground"),
    ("second_edition", "scatter"),
    ("vehicles5", "ordnance"),
]


def scattered(ruleset: str, question: str):
    """The first roll of the example whose marker goes astray."""
    card = registry.ruleset(ruleset)
    for seed in range(100):
        roll = card.roll(question, seed=seed, **card.question(question).example)
        if roll.picture is not None and any(isinstance(thing, Arrow) for thing in roll.picture.things):
            return seed, roll
    raise AssertionError("no marker went astray")


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_a_marker_lies_as_far_from_its_aim_as_it_scattered_that_way(ruleset, question):
    _, roll = scattered(ruleset, question)
    aim, spot = (thing for thing in roll.picture.things if isinstance(thing, Marker))
    (way,) = (thing for thing in roll.picture.things if isinstance(thing, Arrow))
    assert (aim.ghost, spot.ghost) == (True, False)
    assert (way.start, way.end) == (aim.disc.centre, spot.disc.centre)
    inches = roll.state.inches
    assert hypot(way.end.x - way.start.x, way.end.y - way.start.y) == pytest.approx(inches)


@pytest.mark.parametrize("question", ["blast", "grenade", "ground"])
def test_models_that_were_hit_lie_under_the_marker_that_is_drawn(question):
    _, roll = scattered("second_edition", question)
    spot = [thing for thing in roll.picture.things if isinstance(thing, Marker)][-1].disc
    figures = [thing for thing in roll.picture.things if isinstance(thing, Figure)]
    touched = {
        figure.name for figure in figures if apart(figure.base.centre, spot.centre) < figure.base.radius + spot.radius
    }
    assert {figure.name for figure in figures if figure.about} <= touched
    assert {name for name, _ in roll.state.covered} == touched


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_the_page_of_a_roll_and_of_typed_dice_has_the_picture(client, ruleset, question):
    seed, _ = scattered(ruleset, question)
    path, _, query = example_address(ruleset, question).partition("?")
    page = client.get(f"{path}/roll?{query}&_seed={seed}").text
    assert "Where the marker came down" in page
    assert 'class="drawn"' in page
