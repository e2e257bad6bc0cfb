"""A comparison to show: variants of one question side by side, each against the first."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from battletape.answer import Answer, caveat_of_choices
from battletape.errors import BadInput
from battletape.odds import Odds, percent
from battletape.system import Measure
from battletape.views.answer import HowView, how_view, plain_inputs
from battletape.views.answer_summary import leading_measures
from battletape.views.chances import Amount, Chance, Row, amount, chance, kind_of, number_text, rows_of, worded
from battletape.views.question_text import question_line
from battletape.views.why import Why, reasons
from battletape.words import listed


class VariantView(Struct, frozen=True):
    """One variant: what it changes, its average, its chances at the thresholds, and how it does against the first."""

    name: str
    changes: dict[str, str]
    inputs: dict[str, Any]
    headline: str
    rivals: str  # how many options may be better than the one that was chosen, in a sentence
    mean: Amount
    difference: Amount
    at_least: tuple[Chance, ...]
    more: Chance
    equal: Chance
    less: Chance
    rows: tuple[Row, ...]
    how: HowView
    asked: str  # what was asked, in a line
    why: tuple[Why, ...] = ()  # why it differs from the first


class CompareView(Struct, frozen=True):
    """Variants side by side; `thresholds` are the values whose “at least” is compared."""

    ruleset: str
    question: str
    title: str
    headline: str
    measure: str
    measure_title: str
    kind: str
    thresholds: tuple[Any, ...]
    variants: tuple[VariantView, ...]


def compare_view(
    named: Sequence[tuple[str, dict[str, str], Answer]],
    measure: str | None = None,
    at_least: Sequence[Any] = (),
    most: int | None = None,
) -> CompareView:
    """Return variants (name, what it changes, answer) to show; the first is what the others are measured against."""
    first = named[0][2]
    question = first.question
    wanted = question.measure(measure) if measure else measure_to_compare([answer for _, _, answer in named])
    odds = [worded(wanted, answer.odds(wanted.name)) for _, _, answer in named]
    kinds = [kind_of(variant, wanted.unit) for variant in odds]
    kind = "number" if "number" in kinds else kinds[0]
    if kind == "other":
        raise BadInput(f"a comparison needs a measure that counts; {wanted.name} does not", field="measure")
    if kind == "yes_no" and at_least:
        raise BadInput(f"--at-least needs a measure in numbers; {wanted.name} is yes or no", field="at_least")
    odds = [variant.project(int) if kind == "yes_no" else variant for variant in odds]
    thresholds = tuple(at_least) or ((1,) if kind == "yes_no" else find_thresholds(odds))
    variants = tuple(
        _variant(name, changes, answer, first, own_odds, odds[0], thresholds, most)
        for (name, changes, answer), own_odds in zip(named, odds, strict=True)
    )
    return CompareView(
        first.ruleset.name,
        question.name,
        question.title,
        _headline(wanted, kind, variants),
        wanted.name,
        wanted.title,
        kind,
        thresholds,
        variants,
    )


def measure_to_compare(answers: Sequence[Answer]) -> Measure:
    """Return what is compared by default: what leads the first answer if the variants differ in it.

    Otherwise it is the first leading measure in which they differ, or the first that is a number or yes or no.
    """
    first = answers[0]
    leads = leading_measures(first)
    counts = [
        measure
        for measure in (*leads, *first.measures)
        if kind_of(worded(measure, first.odds(measure.name)), measure.unit) != "other"
    ]
    differ = (
        measure
        for measure in counts
        if measure in leads and any(answer.odds(measure.name) != first.odds(measure.name) for answer in answers)
    )
    return next(differ, counts[0] if counts else first.measures[0])


def find_thresholds(odds: Sequence[Odds[Any]]) -> tuple[Any, ...]:
    """Return a few values worth comparing: the smallest, and those around the medians of the weakest and strongest
    variant.
    """
    values = sorted({value for variant in odds for value in variant.weights})
    low, high = min(variant.median for variant in odds), max(variant.median for variant in odds)
    smallest = next((value for value in values if value > 0), values[-1])
    wanted = {smallest, low, high, (low + high + 1) // 2 if isinstance(low, int) and isinstance(high, int) else high}
    return tuple(sorted(value for value in wanted if value > min(values)))[:4] or (values[-1],)


def _variant(
    name: str,
    changes: dict[str, str],
    answer: Answer,
    base: Answer,
    odds: Odds[Any],
    first: Odds[Any],
    thresholds: Sequence[Any],
    most: int | None,
) -> VariantView:
    against = odds.compare(first)
    return VariantView(
        name=name,
        changes=changes,
        inputs=plain_inputs(answer.inputs),
        headline=answer.headline,
        rivals=caveat_of_choices(answer.choices),
        mean=amount(odds.mean),
        difference=amount(against["difference"]),
        at_least=tuple(chance(odds.at_least(value)) for value in thresholds),
        more=chance(against["more"]),
        equal=chance(against["equal"]),
        less=chance(against["less"]),
        rows=rows_of(odds, most)[0],
        how=how_view(answer.states, answer.seconds),
        asked=question_line(answer.ruleset, answer.question, answer.inputs, answer.rulings),
        why=() if answer is base else reasons(base, answer, changes),
    )


def _headline(measure: Measure, kind: str, variants: Sequence[VariantView]) -> str:
    best = max(variants, key=lambda variant: variant.mean.value)
    alike = [variant for variant in variants if variant.mean.fraction == best.mean.fraction]
    if len(alike) == len(variants):
        return f"{measure.title}: no difference between the {len(variants)} variants on average."
    named = best.name if len(alike) == 1 else f"{listed([variant.name for variant in alike])} alike"
    if kind == "yes_no":
        others = [variant for variant in variants if variant not in alike][:3]
        chances = ", ".join(f"{percent(Fraction(variant.mean.value))} with {variant.name}" for variant in others)
        return f"{measure.title}: likeliest with {named}, {percent(Fraction(best.mean.value))}, against {chances}."
    sentence = f"{measure.title}: most with {named}, {best.mean.text} on average"
    others = [variant for variant in variants if variant not in alike]
    other = variants[0] if variants[0] in others else max(others, key=lambda other: other.mean.value)
    gap = number_text(best.mean.value - other.mean.value)
    sentence += f", {gap} more than {other.name}"
    winner = "it" if len(alike) == 1 else best.name
    if best is variants[0]:
        return f"{sentence}; {other.name} {_beats(other, winner)}."
    return f"{sentence}, which {winner} {_beats(best)}."


def _beats(variant: VariantView, rival: str = "") -> str:
    """Return how often a variant gets more than the first: beats it 24 % of the time, and they tie 36 %."""
    beats, share = f"beats {rival}".rstrip(), variant.more.value
    often = f"never {beats}" if share == 0 else f"always {beats}" if share == 1 else ""
    often = often or f"{beats} {variant.more.percent} of the time"
    return often + (f", and they tie {variant.equal.percent}" if variant.equal.value else "")
