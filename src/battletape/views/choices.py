"""Decisions summed up: the value of each option of a choice for a goal, over all states it comes up in."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from battletape.inputs import Inputs
from battletape.odds import percent
from battletape.procedure import chosen
from battletape.system import Question
from battletape.tape.question import Ask
from battletape.tape.sampled import sampled
from battletape.views.advice import AdviceView, DecisionView
from battletape.views.chances import number_text
from battletape.words import capital

MAX_CASES = 12
"""How many states of a choice are listed, the likeliest first."""
TRIAL_ROLLS = 4
"""In how many rolls a choice has to come up, if it is to be found."""


class OptionSum(Struct, frozen=True):
    """One option: its value where the choice comes up, and how often it is the best."""

    option: str
    text: str
    value: float
    width: float  # of its bar, in percent of the most
    taken: float
    best: bool


class CaseView(Struct, frozen=True):
    """One state in which a choice comes up."""

    when: str
    reached: str
    best: str
    values: tuple[str, ...]


class ChoiceSum(Struct, frozen=True):
    """A choice in all the states in which it comes up."""

    title: str
    by: str
    stage: str
    clauses: tuple[str, ...]
    comes_up: str
    said: str
    options: tuple[OptionSum, ...]
    cases: tuple[CaseView, ...]
    more: int


def choices_of(view: AdviceView, is_chance: bool) -> tuple[ChoiceSum, ...]:
    """Return every choice of the advice, the one that comes up most often first."""
    groups: dict[tuple[str, str, str], list[DecisionView]] = {}
    for decision in view.decisions:
        groups.setdefault((decision.label, decision.by, decision.stage), []).append(decision)
    sums = [(sum(decision.reached.value for decision in group), group) for group in groups.values()]
    return tuple(_choice(group, often, is_chance) for often, group in sorted(sums, key=lambda pair: -pair[0]))


def _choice(group: Sequence[DecisionView], often: float, is_chance: bool) -> ChoiceSum:
    first = group[0]
    names = tuple(dict.fromkeys(option.option for decision in group for option in decision.options))
    worth = {name: _mean(group, name) for name in names}
    taken = {
        name: sum(decision.reached.value for decision in group if decision.best == name) / (often or 1)
        for name in names
    }
    best = max(names, key=lambda name: taken[name])
    top = max((abs(value) for value in worth.values()), default=0.0)
    as_good = {name for name in names if all(_is_best(decision, name) for decision in group)} or {best}
    options = tuple(
        OptionSum(
            name,
            _text(worth[name], is_chance),
            worth[name],
            round(abs(worth[name]) / top * 100, 2) if top else 0.0,
            taken[name],
            name in as_good and len(as_good) < len(names),
        )
        for name in names
    )
    cases = _cases(group, names, is_chance)
    return ChoiceSum(
        title=capital(first.label),
        by=first.by,
        stage=first.stage,
        clauses=first.clauses,
        comes_up=_comes_up(often),
        said=_advice_sentence(options, as_good, is_chance),
        options=options,
        cases=cases[:MAX_CASES] if len(cases) > 1 else (),
        more=max(len(cases) - MAX_CASES, 0),
    )


def _advice_sentence(options: Sequence[OptionSum], as_good: set[str], is_chance: bool) -> str:
    """Return the advice in one sentence."""
    if len(as_good) == len(options):
        return f"It makes no difference: {options[0].text} either way."
    best = next(option for option in options if option.best)
    others = [option for option in options if option.option not in as_good]
    near = min(others, key=lambda other: abs(other.value - best.value))
    gap = abs(best.value - near.value)
    apart = f"{number_text(gap * 100)} points" if is_chance else number_text(gap)
    way = "more" if best.value > near.value else "less"
    name = " or ".join(option.option for option in options if option.best)
    if best.taken >= 0.9995 or len(as_good) > 1:
        return f"Take {name}: {best.text}, {apart} {way} than {near.option}."
    return f"Mostly {name} ({percent_of(best.taken)} of the time); it depends on how things stand."


def percent_of(share: float) -> str:
    """Return a share as people say it."""
    return percent(Fraction(share))


def _mean(group: Sequence[DecisionView], name: str) -> float:
    """Return what an option is worth on average over the states that offer it."""
    offered = [
        (decision.reached.value, option.value.value)
        for decision in group
        for option in decision.options
        if option.option == name
    ]
    whole = sum(weight for weight, _ in offered)
    return sum(weight * value for weight, value in offered) / whole if whole else 0.0


def _is_best(decision: DecisionView, name: str) -> bool:
    return any(option.option == name and option.best for option in decision.options)


def _cases(group: Sequence[DecisionView], names: Sequence[str], is_chance: bool) -> tuple[CaseView, ...]:
    """Return state by state, the likeliest first; luck within a stage is averaged."""
    alike: dict[tuple[str, str], list[DecisionView]] = {}
    for decision in group:
        alike.setdefault((decision.when, decision.best), []).append(decision)
    sums = [(sum(decision.reached.value for decision in same), same) for same in alike.values()]
    cases = []
    for often, same in sorted(sums, key=lambda pair: -pair[0]):
        values = tuple(_text(_mean(same, name), is_chance) if _offers(same, name) else "" for name in names)
        best = same[0].best if len(set(values)) > 1 else ""  # none of several equal ones is the best
        comes_up = percent_of(often) if often <= 1.0005 else f"{number_text(often)} times"
        cases.append(CaseView(same[0].when, comes_up, best, values))
    return tuple(cases)


def _offers(group: Sequence[DecisionView], name: str) -> bool:
    return any(option.option == name for decision in group for option in decision.options)


def _text(value: float, is_chance: bool) -> str:
    return percent_of(value) if is_chance else number_text(value)


def _comes_up(often: float) -> str:
    if often > 1.0005:
        return f"comes up {number_text(often)} times on average"
    return "comes up every time" if often > 0.9995 else f"comes up {percent_of(often)} of the time"


def leaves_choice(question: Question, inputs: Inputs, rulings: Inputs) -> bool:
    """Return whether a choice comes up in a few rolls, which are always the same."""
    choices: list[Ask] = []

    def note(ask: Ask) -> Any:
        choices.append(ask)
        return ask.options[0]

    start = question.begin(inputs, rulings)
    sampled(chosen(question.procedure, start, question.name).stages, start, TRIAL_ROLLS, seed=1, policy=note)
    return bool(choices)
