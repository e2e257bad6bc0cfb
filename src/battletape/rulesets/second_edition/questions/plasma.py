"""The question `plasma`: a plasma ball turn by turn, how large it is, and the models that it burns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from battletape.cards import Question
from battletape.rulebook import Procedure, clause
from battletape.rulesets.second_edition.questions import _lingering
from battletape.rulesets.second_edition.rules import measures
from battletape.rulesets.second_edition.rules.clouds import MarkerTest, plasma_tests
from battletape.rulesets.second_edition.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer


class PlasmaInputs(_lingering.MarkerInputs, frozen=True):
    """A plasma ball with its middle at 0, 0, and the models near it."""


@clause("SE-75", "SE-80")
def begin_plasma(inputs: PlasmaInputs, rulings: Rulings) -> MarkerTest:
    """Return the ball in play, and all models near it."""
    return _lingering.begin_lingering("plasma", inputs, rulings)


def course(start: MarkerTest) -> Procedure:
    """Return as many tests as are looked at."""
    return plasma_tests(start.tests_ahead)


def plasma_headline(answer: Answer) -> str:
    """Say how long the ball stays, and how many models it hits."""
    return _lingering.lingering_headline(answer, "the ball", "at all those tests")


PLASMA = Question(
    "plasma",
    "How large will a plasma ball be, and whom does it burn?",
    PlasmaInputs,
    begin_plasma,
    course,
    (
        _lingering.RADIUS,
        _lingering.STANDING,
        measures.happens("swells", "It has swollen", lambda plasma: plasma.marker.grown),
        *_lingering.hits("at all those tests"),
        _lingering.TESTS,
        _lingering.SIZE,
        _lingering.EVENT,
    ),
    plasma_headline,
    **_lingering.shared_parts("plasma", PlasmaInputs),
    example={
        "weapon": "Plasma grenade",
        "unit": "Mud clan",
        "tests": 1,
        "models": ["line 4 at 0,1 spacing 0.5 name=Mud"],
    },
    small={"radius": 1.5, "tests": 2, "models": ["line 4 at 0,1 spacing 0.5 name=Ork"], "save": 4},
)
