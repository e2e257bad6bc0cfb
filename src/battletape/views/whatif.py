"""What if: the figure of a question for other choices of a few inputs, as chips and pictures show it beside each.

An alternative is written as a form names inputs: `guns.0.facing=side`, or several at once: `cover=16;hidden=body`. Each
is an ordinary question, asked with those inputs changed; no number here is worked out in any other way. Where another
measure than the one shown is wanted, it is named at the end: `mode=full@jammed`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from battletape.answer import Answer, ask
from battletape.errors import BadInput, BattletapeError, echo
from battletape.system import Lead, Question
from battletape.table.picture import Lies, lies
from battletape.tape.limits import Budget
from battletape.views import heat
from battletape.views.answer_summary import headline_view, leading_measure, measure_summary
from battletape.views.heat import CellQuestion, TimeSlice

BETWEEN_CHANGES = re.compile(r"(?<=;)(?=[a-z_][\w.]*=)")


class WhatIf(Struct, frozen=True):
    """What the answer would become: its figure and what that is, or why there is none."""

    key: str  # the alternative as it was written
    text: str = ""  # 39 %
    words: str = ""  # Destroyed 39 %, immobilised or worse 58 %
    why: str = ""
    same: bool = False  # nothing of the answer changes
    still: bool = False  # something changes, but not this figure
    spot: Lies | None = None  # where the marker or template lies, if the alternative leaves the aim open

    @property
    def is_open(self) -> bool:
        """Whether there was no time for it yet: asked for again, it will come."""
        return self.why == heat.NOT_YET

    @property
    def is_silent(self) -> bool:
        """Whether it is too much work, so that there will be no figure."""
        return self.why == heat.TOO_MUCH


def parse_alternative(key: str, field: str = "_if") -> dict[str, str]:
    """Return an alternative as values by the names of inputs.

    >>> parse_alternative("guns.0.facing=side;cover=")
    {'guns.0.facing': 'side', 'cover': ''}
    """
    pairs = [part.removesuffix(";").partition("=") for part in BETWEEN_CHANGES.split(key)]
    for name, equals, _ in pairs:
        if not equals or not re.fullmatch(r"[a-z_][\w.]*", name):
            raise BadInput(f"an alternative is written NAME=VALUE, such as facing=side; got {echo(key)}.", field=field)
    return {name: value for name, _, value in pairs}


def format_alternative(changes: Mapping[str, str]) -> str:
    """Return an alternative as text.

    >>> format_alternative({"guns.0.facing": "side", "cover": ""})
    'guns.0.facing=side;cover='
    """
    return ";".join(f"{name}={value}" for name, value in changes.items())


def best_aim(question: Question) -> str:
    """Return the alternative that leaves it open where a question is aimed, so that the best place is found.

    Or nothing.
    """
    return format_alternative(dict.fromkeys(question.aims, ""))


def what_if(base: CellQuestion, keys: Sequence[str], seconds: float, measure: str | None = None) -> tuple[WhatIf, ...]:
    """Return the figure of each alternative: the number of the headline, or of the measure that is named.

    They share the seconds; those that there was no time for are open, and come when they are asked for again.
    """
    time_slice = TimeSlice(seconds)
    shown = None if measure is None else base.question.measure(measure).name
    measures_of: dict[str, list[str]] = {}  # alternatives with the measures wanted of each
    for key in keys:
        alternative, named = _parted(key)
        measures_of.setdefault(alternative, []).append(named)
    now = _answer_now(base)
    found: dict[str, WhatIf] = {}
    for alternative, measures in measures_of.items():
        wanted = {_written(alternative, named): named or shown for named in measures}
        budget = time_slice.budget()
        found |= _figures(base, alternative, wanted, budget, now) if budget else _open(wanted)
    return tuple(found[key] for key in keys)


def _parted(key: str) -> tuple[str, str]:
    """Return an alternative and the measure at its end, if there is one."""
    match = re.fullmatch(r"(.*)@([a-z]\w*)", key, re.DOTALL)
    return (match[1], match[2]) if match else (key, "")


def _written(alternative: str, named: str) -> str:
    return f"{alternative}@{named}" if named else alternative


def _answer_now(base: CellQuestion) -> Answer | None:
    """Return the answer as it is asked; its leading measure leads the alternatives too."""
    try:
        given = base.given({})
        answer = ask(base.ruleset, base.question, given, budget=Budget(branches=heat.SURE_BRANCHES))
        return answer if answer.states.weights else None
    except BattletapeError:
        return None


def _figures(
    base: CellQuestion, alternative: str, wanted: Mapping[str, str | None], budget: Budget, now: Answer | None
) -> dict[str, WhatIf]:
    """Return what the answer to one alternative says, by the keys that ask for it."""
    try:
        changes = parse_alternative(alternative)
        given = base.given(changes)
        named = tuple(dict.fromkeys(base.question.measure(name).name for name in wanted.values() if name))
        answer = ask(base.ruleset, base.question, given, budget=budget, measures=named)
    except BattletapeError as error:
        why = "\n".join(line.text for line in error.lines(base.called))
        return {key: WhatIf(key, why=why) for key in wanted}
    if not heat.is_exact(answer):
        return {key: WhatIf(key, why=heat.TOO_MUCH) for key in wanted} if heat.is_too_much(budget) else _open(wanted)
    lead = leading_measure(now) if now is not None else None
    same = now is not None and _is_same(answer, now)
    spot = aim_of(answer) if alternative == best_aim(base.question) else None
    figures = {key: figure(answer, name, lead) for key, name in wanted.items()}
    return {
        key: WhatIf(key, *texts, same=same, still=_is_still(texts[0], now, wanted[key], lead), spot=spot)
        for key, texts in figures.items()
    }


def _open(keys: Iterable[str]) -> dict[str, WhatIf]:
    return {key: WhatIf(key, why=heat.NOT_YET) for key in keys}


def _is_still(text: str, now: Answer | None, measure: str | None, lead: Lead | None) -> bool:
    """Return whether an alternative has the figure that the answer has already."""
    return now is not None and (measure is None or now.includes(measure)) and text == figure(now, measure, lead)[0]


def aim_of(answer: Answer) -> Lies | None:
    """Return where the marker or template of an answer lies on the table."""
    return next(filter(None, map(lies, answer.picture.things if answer.picture else ())), None)


def _is_same(answer: Answer, now: Answer) -> bool:
    """Return whether an alternative says all that the answer says already."""
    if answer.headline != now.headline or now.states.unexplored:
        return False
    return all(
        answer.includes(measure.name) and answer.odds(measure.name) == now.odds(measure.name)
        for measure in now.measures
    )


def figure(answer: Answer, measure: str | None = None, lead: Lead | None = None) -> tuple[str, str]:
    """Return the one number of an answer and what it is: that of its headline, or of the measure that is named.

    With `lead` the answer is told as one that this leads, so that the two can be compared.
    """
    if measure is not None and measure != answer.question.measures[0].name:
        named = answer.question.measure(measure)
        glance = measure_summary(named, answer.odds(named.name))
        return glance.text, named.title + (f", {glance.note}" if glance.note else "")
    headline = headline_view(answer, lead if lead is not None and answer.includes(lead.measure) else None)
    return headline.number, f"{headline.number} {headline.short}"
