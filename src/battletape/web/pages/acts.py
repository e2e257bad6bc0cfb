"""What can be done with an answer besides reading it: one line for each flow; the first one stands out."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from battletape.answer import Answer
from battletape.views.answer_summary import is_luck
from battletape.views.profile_choices import profile_choices
from battletape.views.sheets import can_print
from battletape.web.pages.asking import AskedQuestion


def _always(asked: AskedQuestion, answer: Answer) -> bool:
    return True


def _picks(asked: AskedQuestion, answer: Answer) -> bool:
    return bool(profile_choices(asked.ruleset, asked.question))


def _chooses(asked: AskedQuestion, answer: Answer) -> bool:
    return bool(answer.how.policy)


def _rolls(asked: AskedQuestion, answer: Answer) -> bool:
    return is_luck(answer)


def _prints(asked: AskedQuestion, answer: Answer) -> bool:
    """Return whether a sheet has something of this question on it."""
    return can_print(asked.ruleset, asked.question, asked.inputs, asked.rulings)


class Act(Struct, frozen=True):
    """A flow that begins at an answer: its name on the button, and the ending of its address (`/roll`)."""

    title: str
    ending: str
    fits: Callable[[AskedQuestion, Answer], bool] = _always
    more: bool = False  # it waits under “More”


class ActLink(Struct, frozen=True):
    """An act for one question."""

    title: str
    address: str
    main: bool
    more: bool = False
    file: bool = False  # a file opens beside the page


ACTS: tuple[Act, ...] = (
    Act("Roll", "/roll", _rolls),
    Act("My dice", "/dice", _rolls),
    Act("Play it", "/dice", lambda asked, answer: answer.is_chosen),
    Act("Decide", "/decide", lambda asked, answer: _chooses(asked, answer) and not _rolls(asked, answer)),
    Act("Compare", "/compare"),
    Act("Decide", "/decide", lambda asked, answer: _chooses(asked, answer) and _rolls(asked, answer), more=True),
    Act("Export", "/take", more=True),
    Act("Print cards", "/print.pdf", _prints, more=True),
    Act("Heat map", "/targets", _picks, more=True),
)
"""In the order of the buttons."""


def acts(asked: AskedQuestion, answer: Answer) -> tuple[ActLink, ...]:
    """Return the acts for a question that fit it, each with its address."""
    fit = (act for act in ACTS if act.fits(asked, answer))
    return tuple(
        ActLink(act.title, asked.address(act.ending), at == 0, act.more, "." in act.ending)
        for at, act in enumerate(fit)
    )
