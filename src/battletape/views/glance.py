"""An answer at a glance: the sentence with its one number, every measure in a word, and one measure in full."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battletape.answer import Answer, Step
from battletape.answer import caveat as of_chances
from battletape.odds import Odds, percent
from battletape.system import Measure
from battletape.views.answer import (
    HowView,
    MeasureView,
    RulingView,
    StepView,
    TableView,
    how_view,
    measure_view,
    ranges_view,
    ruling_views,
    table_view,
)
from battletape.views.chances import chance, kind_of, number_text, value_text, worded
from battletape.words import with_article

FEW = 6
"""How many measures are shown at once."""
ALIKE = 3
"""More steps than this in a row that differ only in what they need are told as one."""
ASK = "show"
"""In place of a number: the answer does not include this measure until it is chosen."""
SHORT = 50
"""How many letters fit into the bar of a phone."""
STOPS = ("; ", ". ", ": ", " (")
NUMBER = r"(?<![\w.,-])[<>]?\d[\d.,]*(?: %)?(?![\w+])"


class Headline(Struct, frozen=True):
    """The answer in one sentence, cut at its main number; `number` may be empty."""

    text: str
    before: str
    number: str
    after: str
    short: str  # what the number is, in a few words: for the bar of a phone


class MeasureGlance(Struct, frozen=True):
    """One measure in a word or number: 2.55, 39 %, shaken."""

    name: str
    title: str
    text: str
    note: str  # what the text is: on average, mostly, always


class StepGlance(StepView, frozen=True):
    """A step with its die: the shape, the face that is just enough, and who rolls it."""

    die: str = ""  # d6, d10, …, scatter, special; “none” where nothing is rolled
    face: str = ""
    who: str = "attacker"


class AnswerGlance(Struct, frozen=True):
    """An answer as a page shows it."""

    ruleset: str
    question: str
    title: str
    headline: Headline
    understood: tuple[str, ...]
    warnings: tuple[str, ...]
    measure: MeasureView
    measures: tuple[MeasureGlance, ...]  # the first few, and the one in full
    others: tuple[MeasureGlance, ...]
    steps: tuple[StepGlance, ...]
    rulings: tuple[RulingView, ...]  # those that can change it, or were changed
    how: HowView
    table: TableView | None
    ranges: TableView | None = None
    is_luck: bool = False  # whether anything of it is rolled


def answer_glance(answer: Answer, measure: str | None = None, most: int | None = None) -> AnswerGlance:
    """An answer at a glance, with one measure in full, in at most `most` bars."""
    question = answer.question
    chosen = question.measure(measure)
    odds = {measure.name: answer.odds(measure.name) for measure in answer.measures}
    glances = [measure_glance(measure, odds[measure.name]) for measure in answer.measures]
    glances += [
        MeasureGlance(measure.name, measure.title, ASK, "") for measure in question.measures if measure.name not in odds
    ]
    few = [
        glance for at, glance in enumerate(glances) if at < FEW or glance.name == chosen.name or len(glances) <= FEW + 2
    ]
    return AnswerGlance(
        ruleset=answer.ruleset.name,
        question=question.name,
        title=question.title,
        headline=cut_headline(answer.headline, *leading(answer), answer.caveat),
        understood=answer.understood,
        warnings=answer.warnings,
        measure=measure_view(chosen, odds[chosen.name], most),
        measures=tuple(few),
        others=tuple(glance for glance in glances if glance not in few),
        steps=_folded(answer),
        rulings=tuple(
            view
            for view in ruling_views(answer.rulings)
            if question.rulings is None or view.name in question.rulings or view.changed
        ),
        how=how_view(answer.states, answer.seconds),
        table=table_view(answer.table),
        ranges=ranges_view(answer, answer.measures),
        is_luck=is_luck(answer),
    )


def is_luck(answer: Answer) -> bool:
    """Whether anything is left to luck: where all is sure or chosen there is nothing to roll."""
    return len(answer.states) > 1 or any(asked.kind != "choose" for count in answer.counts for asked in count.asked)


def _folded(answer: Answer) -> tuple[StepGlance, ...]:
    """The steps to show; one die that needs many different numbers, as another die says, is one step."""
    views = [_step(answer, step) for step in answer.steps]
    folded: list[StepGlance] = []
    for _, run in groupby(views, lambda view: (view.title, view.clauses)):
        alike = list(run)
        if len(alike) <= ALIKE:
            folded += alike
        else:
            folded.append(replace(alike[0], needed=f"{alike[0].needed} to {alike[-1].needed}", chance=None))
    return tuple(folded)


def _step(answer: Answer, step: Step) -> StepGlance:
    """A step with its die; the die says what is rolled, so the words need not."""
    share = None if step.chance is None else chance(step.chance)
    match = re.search(r"\bd(\d+)\b", step.die, re.IGNORECASE)
    least = re.search(r"(?<![\w-])(\d+)(?=\+|, )", step.needed)
    return StepGlance(
        step.title,
        step.needed,
        share,
        step.clauses,
        step.why,
        die=f"d{match[1]}" if match else _special(step.die) if step.die else "none",
        face=least[1] if least else "" if match else step.die[:1].upper(),
        who=answer.ruleset.rolls_it(step.title.removesuffix(f" on {with_article(step.die)}")),
    )


def _special(die: str) -> str:
    """The shape of a die without numbers: one that shows arrows, or any other."""
    return "scatter" if "scatter" in die.lower() else "special"


def leading(answer: Answer) -> tuple[Measure, Odds[Any]]:
    """The measure whose number leads an answer, with its odds: the one that the question names, unless it is zero."""
    question = answer.question
    first = question.measures[0]
    if question.lead and answer.tells(question.lead):
        odds = answer.odds(question.lead)
        if odds.chance(bool):
            return question.measure(question.lead), odds
        counts = (
            measure for measure in answer.measures if kind_of(answer.odds(measure.name), measure.unit) == "number"
        )
        first = next((measure for measure in counts if measure.words is None), first)
    return first, answer.odds(first.name)


def measure_glance(measure: Measure, odds: Odds[Any]) -> MeasureGlance:
    """One measure in a word or number."""
    odds = worded(measure, odds)
    if len(odds) == 1 and not odds.unexplored_weight:
        value = next(iter(odds.weights))
        value = bool(value) if kind_of(odds, measure.unit) == "yes_no" else value
        return MeasureGlance(measure.name, measure.title, value_text(value), "always")
    kind = kind_of(odds, measure.unit)
    if kind == "number":
        return MeasureGlance(measure.name, measure.title, number_text(float(odds.mean)), "on average")
    if kind == "yes_no":
        return MeasureGlance(measure.name, measure.title, percent(odds.chance(bool)), "")
    likely = odds.mode
    return MeasureGlance(measure.name, measure.title, value_text(likely), f"likeliest, {percent(odds.chance(likely))}")


def cut_headline(text: str, measure: Measure, odds: Odds[Any], caveat: str = "") -> Headline:
    """The sentence cut at its number: that of the first measure if the sentence names it, otherwise its first chance.

    The caveat at its end says what a budget left out; the short form keeps it in a few words.
    """
    wanted: list[str] = []
    kind = kind_of(odds, measure.unit)
    if kind == "number" and measure.words is None:  # volleys by name have a mean, but nobody says it
        mean = float(odds.mean)
        wanted = [f"{mean:.1f}", number_text(mean), f"{mean:.2f}", f"{mean:.0f}"]
    elif kind == "yes_no":
        wanted = [percent(odds.chance(bool))]
    answer = text.removesuffix(caveat).rstrip()
    left_out = " (other options may be better)" if caveat else ""
    if of_chances(odds.unexplored):
        left_out = f" ({percent(1 - odds.unexplored)} explored)"
    numbers = list(re.finditer(NUMBER, answer))
    best = next((match for want in wanted for match in numbers if match[0].rstrip(".,") == want), None)
    best = best or next((match for match in numbers if match[0].endswith("%")), None)
    if best is None or (best[0] == "0" and best.start()):  # a nought is no news, where a sentence has more to say
        return Headline(text, text, "", "", opening(answer) + left_out)
    number = best[0].rstrip(".,")
    before, end = text[: best.start()], best.start() + len(number)
    return Headline(text, before, number, text[end:], shortened(before, number, answer[end:]) + left_out)


def opening(text: str) -> str:
    """The first part of a sentence that is short enough to stand in a line.

    >>> opening("Concentrate: Ash and Birch at the crows on the hill beyond the mill; that brings 10 models.")
    'Concentrate'
    """
    for stops in ((". ", "; "), STOPS):
        part = text[: min((text.find(stop) for stop in stops if stop in text), default=len(text))].rstrip(".")
        if len(part) <= SHORT:
            break
    return part


def shortened(before: str, number: str, after: str) -> str:
    """The part of a sentence that says what its number is: from one stop to the next, or from one comma to the next.

    >>> shortened("Destroyed in 4 volleys ", "66 %", "; as likely as not by volley 3.")
    'Destroyed in 4 volleys 66 %'
    """
    for stops in (STOPS, (*STOPS, ", ")):
        start = max((before.rfind(stop) + len(stop) for stop in stops if stop in before), default=0)
        if before[start:].count("(") != before[start:].count(")"):  # half an aside says nothing
            start = 0
        end = min((after.find(stop) for stop in stops if stop in after), default=len(after))
        part = before[start:] + number + after[:end].rstrip(".")
        if len(part) <= SHORT:
            break
    if part.startswith(number):  # which stands beside it
        return part.removeprefix(number).strip()
    return part[:1].upper() + part[1:]
