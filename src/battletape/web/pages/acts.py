"""What can be done with an answer besides reading it: one line for each flow; the first one stands out."""

from __future__ import annotations

from msgspec import Struct

from battletape.web.pages.asking import Asked


class Act(Struct, frozen=True):
    """A flow that begins at an answer: its name on the button, and the ending of its address (`/roll`)."""

    title: str
    ending: str


class ActLink(Struct, frozen=True):
    """An act for one question."""

    title: str
    address: str
    main: bool


ACTS: tuple[Act, ...] = (Act("Roll it", "/roll"), Act("My dice", "/dice"), Act("Take away", "/take"))
"""In the order of the buttons."""


def acts(asked: Asked) -> tuple[ActLink, ...]:
    """The acts for a question, each with its address."""
    return tuple(ActLink(one.title, asked.address(one.ending), at == 0) for at, one in enumerate(ACTS))
