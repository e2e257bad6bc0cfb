"""What a player can ask."""

from __future__ import annotations

from typing import Annotated

from battletape.cards import Inputs, Lead, Measure, Question, asked
from battletape.dice import look_up
from battletape.rulebook import Meta, Procedure, find_keywords, with_keywords
from tests.toy.attack import ONE_HIT, SHOOTING, Shot
from tests.toy.keywords import KEYWORDS
from tests.toy.rulings import Rulings
from tests.toy.tables import HIT_ON
from tests.toy.words import headline

MEASURES = (
    Measure("lost", "Wounds lost", lambda shot: shot.lost, "wounds"),
    Measure("fallen", "The target falls", lambda shot: shot.wounds == 0),
    Measure("pinned", "The target is pinned", lambda shot: shot.pinned),
)
LEAD = (Lead("lost", "wounds lost on average"),)


class Target(Inputs, frozen=True):
    """Who is hit."""

    wounds: int = asked(4, "Wounds left", group="target", ge=1, le=12)
    save: Annotated[int, Meta(ge=2, le=6, extra={"form": "save", "group": "target"})] | None = 5
    nerve: int = asked(4, "Nerve", group="target", ge=1, le=5)


class Shoot(Target, frozen=True):
    """A whole shot."""

    dice: int = asked(3, "Dice of the weapon", group="attacker", ge=1, le=12)
    paces: int = asked(6, "Distance", unit="paces", ge=0, le=12)
    keywords: tuple[str, ...] = asked((), "Special rules", group="attacker")


def begin_hit(target: Target, rulings: Rulings) -> Shot:
    """The target before it is hit."""
    nerve_at = 1 if rulings.nerve_test == "last" else 99
    return Shot(target.wounds, save_on=target.save or 7, nerve=target.nerve, again=rulings.again, nerve_at=nerve_at)


def begin_shot(shoot: Shoot, rulings: Rulings) -> Shot:
    """The shot before anything is rolled."""
    target = begin_hit(shoot, rulings)
    return Shot(
        target.wounds,
        shoot.dice,
        look_up(HIT_ON, shoot.paces),
        target.save_on,
        target.nerve,
        target.again,
        target.nerve_at,
        keywords=shoot.keywords,
    )


def shooting(shot: Shot) -> Procedure:
    """The stages of a shot with its special rules."""
    return with_keywords(SHOOTING, find_keywords(shot.keywords, KEYWORDS))


SHOOT = Question(
    "shoot",
    "What will a shot do?",
    Shoot,
    begin_shot,
    shooting,
    MEASURES,
    headline,
    example={"dice": 4, "keywords": ("Heavy", "Smoke")},
    lead=LEAD,
)
HIT = Question("hit", "What will one hit do?", Target, begin_hit, ONE_HIT, MEASURES[:2], headline, lead=LEAD)
