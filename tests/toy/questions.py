"""What a player can ask."""

from __future__ import annotations

from typing import Annotated

from battletape.cards import Inputs, Lead, Measure, Question
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

    wounds: Annotated[int, Meta(title="Wounds left", ge=1, le=12, extra={"group": "target"})] = 4
    save: Annotated[int, Meta(ge=2, le=6, extra={"form": "save", "group": "target"})] | None = 5
    nerve: Annotated[int, Meta(title="Nerve", ge=1, le=5, extra={"group": "target"})] = 4


class Shoot(Target, frozen=True):
    """A whole shot."""

    dice: Annotated[int, Meta(title="Dice of the weapon", ge=1, le=12, extra={"group": "attacker"})] = 3
    paces: Annotated[int, Meta(title="Distance", ge=0, le=12, extra={"unit": "paces"})] = 6
    keywords: Annotated[tuple[str, ...], Meta(title="Special rules", extra={"group": "attacker"})] = ()


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
