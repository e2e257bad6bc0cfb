"""What if: the figure of a question for other choices of a few inputs, as chips and pictures show it beside each.

An alternative is written as a form names inputs: `guns.0.facing=side`, or several at once: `cover=16;hidden=body`. Each
is an ordinary question, asked with those inputs changed; no number here is worked out in any other way.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from time import monotonic

from msgspec import Struct

from battletape.answer import Answer, ask
from battletape.errors import BadInput, BattletapeError, echo
from battletape.tape.budget import Budget
from battletape.views.changed import changed_given
from battletape.views.glance import cut_headline, leading, measure_glance
from battletape.views.heat import TINY, Base

LEAST = 0.02
"""Every alternative gets at least this many seconds."""
SMALL = re.compile(r"(?<=;)(?=[a-z_][\w.]*=)")


class WhatIf(Struct, frozen=True):
    """What the answer would become: its figure and what that is, or why it cannot be; nothing if time ran out."""

    key: str  # the alternative as it was written
    text: str = ""  # 39 %
    words: str = ""  # Destroyed 39 %, immobilised or worse 58 %
    why: str = ""

    @property
    def is_late(self) -> bool:
        """Whether there was no time to work it out."""
        return not self.text and not self.why


def parse_alternative(key: str) -> dict[str, str]:
    """An alternative as values by the names of inputs.

    >>> parse_alternative("guns.0.facing=side;cover=")
    {'guns.0.facing': 'side', 'cover': ''}
    """
    pairs = [part.removesuffix(";").partition("=") for part in SMALL.split(key)]
    for name, equals, _ in pairs:
        if not equals or not re.fullmatch(r"[a-z_][\w.]*", name):
            raise BadInput(f"an alternative is written NAME=VALUE, such as facing=side; got {echo(key)}.", field="_if")
    return {name: value for name, _, value in pairs}


def format_alternative(changes: Mapping[str, str]) -> str:
    """An alternative as text.

    >>> format_alternative({"guns.0.facing": "side", "cover": ""})
    'guns.0.facing=side;cover='
    """
    return ";".join(f"{name}={value}" for name, value in changes.items())


def what_if(base: Base, keys: Sequence[str], seconds: float, measure: str | None = None) -> tuple[WhatIf, ...]:
    """The figure of each alternative: the number of the headline, or of the measure that is named.

    They share the seconds: what a quick one leaves over goes to the others.
    """
    named = () if measure is None else (base.question.measure(measure).name,)
    until = monotonic() + seconds
    figures: list[WhatIf] = []
    for at, key in enumerate(keys):
        left = until - monotonic()
        share = max(left / (len(keys) - at), LEAST)
        figures.append(_what_if(base, key, share, named) if left > 0 else WhatIf(key))
    return tuple(figures)


def _what_if(base: Base, key: str, seconds: float, named: tuple[str, ...]) -> WhatIf:
    try:
        changes = parse_alternative(key)
        given = changed_given(base.ruleset, base.question, base.inputs, base.rulings, base.preset, changes)
        answer = ask(base.ruleset, base.question, given, budget=Budget(seconds=seconds), measures=named)
    except BattletapeError as error:
        return WhatIf(key, why=str(error))
    if answer.states.unexplored >= TINY or answer.caveat:
        return WhatIf(key)
    return WhatIf(key, *figure(answer, *named))


def figure(answer: Answer, measure: str | None = None) -> tuple[str, str]:
    """The one number of an answer and what it is: that of its headline, or of the measure that is named."""
    first = answer.question.measures[0]
    if measure is not None and measure != first.name:
        named = answer.question.measure(measure)
        glance = measure_glance(named, answer.odds(named.name))
        return glance.text, named.title + (f", {glance.note}" if glance.note else "")
    lead, odds = leading(answer)
    headline = cut_headline(answer.headline, lead, odds)
    return headline.number or measure_glance(lead, odds).text, headline.short
