"""The question `cloud`: a blast cloud turn by turn, its size, its drift, and the models that the next test hurts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from battletape.cards import Measure, Question
from battletape.rulebook import Procedure, clause
from battletape.rulesets.second_edition.questions import _lingering
from battletape.rulesets.second_edition.rules.clouds import MarkerTest, cloud_tests
from battletape.rulesets.second_edition.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer


class CloudInputs(_lingering.MarkerInputs, frozen=True):
    """A blast cloud with its middle at 0, 0, and the models near it."""


@clause("SE-66", "SE-74")
def begin_cloud(inputs: CloudInputs, rulings: Rulings) -> MarkerTest:
    """Return the cloud in play, and all models near it."""
    return _lingering.begin_lingering("cloud", inputs, rulings)


def course(start: MarkerTest) -> Procedure:
    """Return as many tests as are looked at."""
    return cloud_tests(start.tests_ahead)


def cloud_headline(answer: Answer) -> str:
    """Say how long the cloud stays, and how many models it hits next."""
    return _lingering.lingering_headline(answer, "the cloud", "at its next test")


CLOUD = Question(
    "cloud",
    "Where will a cloud be, and how large?",
    CloudInputs,
    begin_cloud,
    course,
    (
        _lingering.RADIUS,
        _lingering.STANDING,
        Measure("moves", "Times it has drifted", lambda cloud: cloud.marker.moves, "times"),
        Measure("inches", "Inches it has drifted in all", lambda cloud: cloud.marker.inches, "inches"),
        *_lingering.hits("at the next test"),
        _lingering.TESTS,
        _lingering.SIZE,
        _lingering.EVENT,
        _lingering.COVERED,
    ),
    cloud_headline,
    **_lingering.shared_parts("cloud", CloudInputs),
    example={
        "weapon": "Choke grenade",
        "unit": "Mud clan",
        "tests": 2,
        "models": ["ring 5 at 0,0 spacing 1.2 name=Mud"],
    },
    small={"radius": 2.0, "tests": 2, "models": ["ring 5 at 0,0 spacing 1.2 name=Ork"]},
)
