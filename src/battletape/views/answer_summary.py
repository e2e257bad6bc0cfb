"""An answer at a glance: the sentence with its one number, every measure in a word, and one measure in full."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from battletape.answer import Answer
from battletape.answer import caveat as of_chances
from battletape.dice import Die, Face
from battletape.errors import Caution, cited
from battletape.odds import Odds, percent
from battletape.steps import Step
from battletape.system import Lead, Measure, Rank, Table
from battletape.views.answer import (
    HowView,
    MeasureView,
    RulingView,
    StepView,
    how_view,
    measure_view,
    ranges_view,
    ruling_views,
    step_view,
    table_view,
)
from battletape.views.chances import kind_of, number_text, value_text, worded
from battletape.views.dice import form_of, side_of_roll
from battletape.words import capital

MAX_MEASURES_SHOWN = 6
"""How many measures are shown at once."""
MAX_ALIKE_STEPS = 3
"""More steps than this in a row that differ only in what they need are told as one."""
ARROW = "arrow"
"""The face that makes a die one that tells a direction."""
NOT_INCLUDED = "show"
"""In place of a number: the answer does not include this measure until it is chosen."""


class Headline(Struct, frozen=True):
    """The answer in one sentence, and the number or word that leads it."""

    text: str
    number: str
    rest: str  # the sentence, without the number if it begins with it
    short: str  # what the number is, in a few words: for the bar of a phone


class MeasureSummary(Struct, frozen=True):
    """One measure in a word or number: 2.55, 39 %, shaken."""

    name: str
    title: str
    text: str
    note: str  # what the text is: on average, mostly, always


class StepSummary(StepView, frozen=True):
    """A step with its die: the shape, the face that is just enough, and the side that rolls it."""

    die: str = ""  # d6, d10, …, scatter, special; “none” where nothing is rolled
    face: str = ""
    side: str = "attacker"


class AnswerSummary(Struct, frozen=True):
    """An answer as a page shows it."""

    ruleset: str
    question: str
    title: str
    headline: Headline
    understood: tuple[str, ...]
    warnings: tuple[Caution, ...]
    measure: MeasureView
    measures: tuple[MeasureSummary, ...]  # the first few, and the one in full
    others: tuple[MeasureSummary, ...]
    steps: tuple[StepSummary, ...]
    rulings: tuple[RulingView, ...]  # those that can change it, or were changed
    how: HowView
    table: Table | None
    ranges: Table | None = None
    is_luck: bool = False  # whether anything of it is rolled
    usual: str = ""  # what was chosen as players usually do, and what else there was
    ranks: tuple[Rank, ...] = ()  # the models that fall and those that stand


def answer_summary(answer: Answer, measure: str | None = None, most: int | None = None) -> AnswerSummary:
    """Return an answer at a glance, with one measure in full, in at most `most` bars."""
    question = answer.question
    chosen = question.measure(measure)
    odds = {measure.name: answer.odds(measure.name) for measure in answer.measures}
    glances = [measure_summary(measure, odds[measure.name]) for measure in answer.measures]
    glances += [
        MeasureSummary(measure.name, measure.title, NOT_INCLUDED, "")
        for measure in question.measures
        if measure.name not in odds
    ]
    few = [
        glance
        for at, glance in enumerate(glances)
        if at < MAX_MEASURES_SHOWN or glance.name == chosen.name or len(glances) <= MAX_MEASURES_SHOWN + 2
    ]
    return AnswerSummary(
        ruleset=answer.ruleset.name,
        question=question.name,
        title=question.title,
        headline=headline_view(answer),
        understood=answer.understood,
        warnings=answer.cautions,
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
        usual=answer.usual,
        ranks=tuple(question.ranks(answer)) if question.ranks is not None and not is_luck(answer) else (),
    )


def is_luck(answer: Answer) -> bool:
    """Return whether anything is left to luck: where all is sure or chosen there is nothing to roll."""
    return len(answer.states) > 1 or any(asked.kind != "choose" for count in answer.counts for asked in count.asked)


def _folded(answer: Answer) -> tuple[StepSummary, ...]:
    """Return the steps to show; one die that needs many different numbers, as another die says, is one step."""
    views = [_step(step) for step in answer.steps]
    folded: list[StepSummary] = []
    for _, run in groupby(views, lambda view: (view.title, view.clauses)):
        alike = list(run)
        if len(alike) <= MAX_ALIKE_STEPS:
            folded += alike
        else:
            folded.append(replace(alike[0], needed=f"{alike[0].needed} to {alike[-1].needed}", chance=None))
    return tuple(folded)


def _step(step: Step) -> StepSummary:
    """Return a step with its die, and all its clauses beside its words; the die says what is rolled."""
    form, face = ("none", "") if step.dice is None else _sign(step.dice, step.least)
    view = replace(
        step_view(step),
        title=step.title.removesuffix(cited("", step.cites)),
        clauses=tuple(dict.fromkeys((*step.clauses, *step.cites))),
    )
    return StepSummary(**asdict(view), die=form, face=face, side=side_of_roll(step.by))


def _sign(die: Die, least: Face) -> tuple[str, str]:
    """Return the shape of a die, and what stands on it: the face that is just enough, or what tells it from other
    dice.
    """
    form, face = form_of(die.faces), "" if least is None else str(least)
    if form == "named":
        return ("scatter" if ARROW in die.faces else "special"), die.name[:1].upper()
    return ("special", face or (str(die.added[0]) if die.added else "")) if form == "tile" else (form, face)


def leading_measure(answer: Answer) -> Lead:
    """Return what leads an answer: the first lead of its question that it tells and that can happen, otherwise the
    last.
    """
    *first, last = answer.question.leads
    return next((lead for lead in first if _may_lead(lead, answer)), last)


def leading_measures(answer: Answer) -> tuple[Measure, ...]:
    """Return the measures that may lead an answer, that of its bar first; shares of single values are left out."""
    leads = (leading_measure(answer), *answer.question.leads)
    names = dict.fromkeys(lead.measure for lead in leads if lead.holds is None and answer.includes(lead.measure))
    return tuple(map(answer.question.measure, names))


def _may_lead(lead: Lead, answer: Answer) -> bool:
    may = answer.includes(lead.measure) and (lead.when is None or lead.when(answer))
    return may and bool(answer.odds(lead.measure).chance(lead.holds or bool))


def lead_number(answer: Answer, lead: Lead) -> str:
    """Return the number or word of a lead, as sentences have it: 2.7, 52 %, 7, yes."""
    measure, odds = answer.question.measure(lead.measure), answer.odds(lead.measure)
    if lead.holds is not None:
        return percent(odds.chance(lead.holds))
    kind = kind_of(odds, measure.unit) if measure.words is None else "other"
    if kind == "yes_no" and is_luck(answer):
        return percent(odds.chance(bool))
    if kind == "number" and is_luck(answer):
        return f"{float(odds.mean):,.1f}"
    value = bool(odds.mode) if kind == "yes_no" else odds.mode
    return capital(value_text(value) if measure.words is None else measure.words(value))


def measure_summary(measure: Measure, odds: Odds[Any]) -> MeasureSummary:
    """Return one measure in a word or number."""
    odds = worded(measure, odds)
    if len(odds) == 1 and not odds.unexplored_weight:
        value = next(iter(odds.weights))
        value = bool(value) if kind_of(odds, measure.unit) == "yes_no" else value
        return MeasureSummary(measure.name, measure.title, value_text(value), "always")
    kind = kind_of(odds, measure.unit)
    if kind == "number":
        return MeasureSummary(measure.name, measure.title, number_text(float(odds.mean)), "on average")
    if kind == "yes_no":
        return MeasureSummary(measure.name, measure.title, percent(odds.chance(bool)), "")
    likely = odds.mode
    return MeasureSummary(measure.name, measure.title, value_text(likely), f"likeliest, {percent(odds.chance(likely))}")


def headline_view(answer: Answer, lead: Lead | None = None) -> Headline:
    """Return the sentence of an answer with its number: that of this lead, or of the one that leads it.

    Where a budget left something out, the short form says so in a few words.
    """
    lead = leading_measure(answer) if lead is None else lead
    number, text = lead_number(answer, lead), answer.headline
    says = lead.says if isinstance(lead.says, str) else lead.says(answer)
    left_out = " (other options may be better)" if answer.caveat else ""
    if of_chances(answer.states.unexplored):
        left_out = f" ({percent(1 - answer.states.unexplored)} explored)"
    return Headline(text, number, text.removeprefix(number + " "), says + left_out)
