"""Advice to show: what to choose for a goal, its value then, and how each side plays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from battletape.answer import ways_to_play
from battletape.inputs import Inputs
from battletape.odds import percent
from battletape.procedure import stage_title
from battletape.system import Measure, Question, Ruleset
from battletape.views.answer import plain_inputs
from battletape.views.chances import Amount, Chance, amount, chance, value_text
from battletape.words import plain

if TYPE_CHECKING:
    from battletape.tape.best import Advice, Decision


class OptionView(Struct, frozen=True):
    """One option of a decision and what it is worth."""

    option: str
    value: Amount
    best: bool  # no other option is worth more to the side that decides; several may be best


class DecisionView(Struct, frozen=True):
    """A decision: the side that makes it and when, its options, the best one, and how likely it is to come up."""

    label: str
    by: str
    stage: str
    when: str  # what tells it from other decisions of the same name
    best: str
    reached: Chance
    options: tuple[OptionView, ...]
    clauses: tuple[str, ...] = ()


class AdviceView(Struct, frozen=True):
    """What to choose for a goal, and its value then."""

    ruleset: str
    question: str
    title: str
    headline: str
    inputs: dict[str, Any]
    measure: str
    sides: dict[str, str]
    value: Amount
    decisions: tuple[DecisionView, ...]
    warnings: tuple[str, ...]
    milliseconds: float


def advice_view(
    ruleset: Ruleset,
    question: Question,
    inputs: Inputs,
    measure: Measure,
    sides: dict[str, str],
    advice: Advice,
    seconds: float,
) -> AdviceView:
    """Return advice to show: the value of the goal and every decision that matters, likeliest first."""
    whens = _whens(advice.decisions)
    deciding = tuple(dict.fromkeys(decision.by for decision in advice.decisions))
    idle = [side for side in sides if side not in deciding]
    ways = ways_to_play(measure, sides)
    plays = {side: str(ways.get(side, "max")) for side in deciding}
    decisions = tuple(
        DecisionView(
            decision.label,
            decision.by,
            stage_title(decision.stage),
            whens[decision.stage, decision.state, decision.label],
            value_text(decision.best),
            chance(decision.reached),
            tuple(
                OptionView(value_text(option), amount(value), option in _as_good(decision, plays))
                for option, value in decision.options
            ),
            tuple(getattr(decision.stage, "__clauses__", ())),
        )
        for decision in sorted(advice.decisions, key=lambda decision: -decision.reached)
    )
    value = amount(advice.value)
    chances = percent(advice.value) if is_a_chance(measure, advice) else f"{value.text} on average"
    if advice.is_sure:
        chances = value.text
    ending = "; no decision comes up" if not decisions else f", {_play_words(plays)}"
    headline = f"{measure.title}: {chances}{ending}."
    return AdviceView(
        ruleset.name,
        question.name,
        question.title,
        headline,
        plain_inputs(inputs),
        measure.name,
        {**sides, **plays},
        value,
        decisions,
        tuple(f"{side} decides nothing here" for side in idle),
        round(seconds * 1000, 3),
    )


def _as_good(decision: Decision, plays: dict[str, str]) -> list[Any]:
    """Return the best option, and those that are worth just as much to its side."""
    if plays[decision.by] not in ("max", "min"):
        return [decision.best]
    worth = next(value for option, value in decision.options if option == decision.best)
    return [option for option, value in decision.options if value == worth]


PLAYS = {
    "max": "to make it as high as possible",
    "min": "to keep it as low as possible",
    "first": "by the first option",
    "last": "by the last option",
}


def _play_words(plays: dict[str, str]) -> str:
    """Return how each side plays: “if the attacker plays to make it as high as possible and the defender …”."""
    parts = [f"the {side or 'player'} plays {PLAYS.get(play, 'as told')}" for side, play in plays.items()]
    return "if " + " and ".join(parts)


def is_a_chance(measure: Measure, advice: Advice) -> bool:
    """Return whether a goal is something that happens or not."""
    values = [advice.value, *(value for decision in advice.decisions for _, value in decision.options)]
    return not measure.unit and all(0 <= value <= 1 for value in values)


PLAIN = (int, str, float)
"""Types of plain values, which can tell one state from another."""


def _whens(decisions: Sequence[Decision]) -> dict[tuple[Any, Any, str], str]:
    """Return for each decision what distinguishes its state from others with the same label: hits 2, wounds 4."""
    whens: dict[tuple[Any, Any, str], str] = {}
    alike: dict[tuple[Any, str], list[tuple[Any, dict[str, Any]]]] = {}
    for decision in decisions:
        alike.setdefault((decision.stage, decision.label), []).append((decision.state, _facts(decision.state)))
    for (stage, label), states in alike.items():
        names = dict.fromkeys(name for _, facts in states for name in facts)
        differ = [name for name in names if len({facts.get(name) for _, facts in states}) > 1]
        for state, facts in states:
            here = {name: facts[name] for name in differ if name in facts}
            texts = [name if value is True else f"{name} {value_text(value)}" for name, value in here.items()]
            shown = [words for words, value in zip(texts, here.values(), strict=True) if value is not False]
            whens[stage, state, label] = ", ".join(shown or texts)
    return whens


def _facts(state: Any, above: str = "") -> dict[str, Any]:
    """Return the plain values of a state and of its parts, each called as `field_words` of its type says.

    A list of plain values counts as one value.
    """
    homes = ("__struct_fields__", "_fields", "__dataclass_fields__")
    fields: Iterable[str] = next((getattr(state, home) for home in homes if hasattr(state, home)), ())
    words: Mapping[str, str] = getattr(state, "field_words", {})
    facts: dict[str, Any] = {}
    for field in fields:
        value, name = getattr(state, field), words.get(field, plain(field))
        if isinstance(value, PLAIN):
            facts[above + name] = value
        elif type(value) is tuple and value and all(isinstance(part, PLAIN) for part in value):
            facts[above + name] = ", ".join(map(value_text, value))
        else:
            facts |= _facts(value, f"{above}{name} ")
    return facts
