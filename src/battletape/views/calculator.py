"""The dice calculator to show: the text line and its keys, which are two views of one expression, and the answer.

A key changes the dice that were typed last (their kind, their number, what is done with them), so a thumb can write
all that a keyboard can. A chip that is off says what the answer would become.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import ceil, floor
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battletape import calculator
from battletape.answer import Answer
from battletape.calculator import Dice, Last, Typed
from battletape.dice import die_called
from battletape.errors import BadInput, BattletapeError
from battletape.odds import percent
from battletape.tape.limits import Budget
from battletape.views.chances import Chance, chance, number_text

KINDS = ("4", "6", "8", "10", "12", "20", "100", "F")
"""The dice that have a key."""
GLANCE = Budget(branches=20_000, states=5_000, seconds=0.1)
"""What a figure beside a chip may take; if it takes more there is none."""
MOST_BESIDE = 3
MOST_RESULTS = 300
"""So many results stand in the table of all results."""


class KeyView(Struct, frozen=True):
    """A key of the calculator: what is written on it, what it does, and whether it is down."""

    title: str
    does: str
    on: bool = False
    then: str = ""  # what the answer would become


class StepperView(Struct, frozen=True):
    """A number of the expression that can be turned: dice, what a die must show, what is compared with."""

    title: str
    value: int
    fewer: str  # what its keys do; empty: it cannot go further
    more: str


class BesideView(Struct, frozen=True):
    """An expression beside this one, and its figure."""

    text: str
    words: str
    figure: str


class KeysView(Struct, frozen=True):
    """The keys for a text: those of an unreadable one write it anew."""

    text: str
    read: str
    kinds: tuple[KeyView, ...]
    chips: tuple[KeyView, ...] = ()
    steppers: tuple[StepperView, ...] = ()
    beside: tuple[BesideView, ...] = ()


def keys_view(text: str) -> KeysView:
    """Return the keys for a text."""
    try:
        typed = calculator.read_text(text)
    except BattletapeError:
        return KeysView(text, "", _kinds(None))
    last = typed.last
    return KeysView(
        text=typed.text,
        read=calculator.read_back(text),
        kinds=_kinds(last),
        chips=tuple(_chips(typed)),
        steppers=tuple(_steppers(typed)),
        beside=tuple(_beside(typed)),
    )


def press(text: str, does: str) -> str:
    """Return the text after a key; a key that does not fit leaves it as it is."""
    try:
        typed = calculator.read_text(text)
    except BattletapeError:
        typed = None
    name, _, value = does.partition(":")
    if name == "back":
        return _without_last(text)
    if name == "die":
        return _with_kind(typed, value)
    if typed is None or name not in PRESSES:
        return text
    changed = PRESSES[name](typed, value)
    try:
        calculator.read_text(changed)
    except BadInput:
        return text
    return changed


class LeadView(Struct, frozen=True):
    """The answer with its one number first; without a number the sentence says it all."""

    number: str
    sentence: str
    short: str  # what the number is, as the bar of a phone has it


def lead_view(answer: Answer) -> LeadView:
    """Return the one number of an answer and what it is: the average with the chances around it, or how likely it
    is.
    """
    odds = answer.odds()
    if answer.question.measures[0].name == "holds":
        about = f"for {answer.question.title}"
        return LeadView(figure_of(answer), f"{about}.{answer.caveat and f' {answer.caveat}'}", about)
    if len(odds) == 1 or calculator.read_text(answer.question.title).asked.is_looked_up:
        return LeadView("", answer.headline, answer.headline)
    least = floor(odds.mean)
    around = [number for number in (least, least + 1) if 0 < odds.at_least(number) < 1]
    chances = [f"{percent(odds.at_least(number))} for {number} or more" for number in around]
    about = f"on average{'; ' if chances else ''}{', '.join(chances)}."
    return LeadView(figure_of(answer), f"{about}{answer.caveat and f' {answer.caveat}'}", "on average")


class ResultView(Struct, frozen=True):
    """A result with its chance, and those of so many or more and so many or fewer."""

    value: str
    exactly: Chance
    at_least: Chance
    at_most: Chance


def results_view(answer: Answer) -> tuple[ResultView, ...]:
    """Return every result of what is thrown, in order; none if there is but one, or too many to read."""
    odds = answer.odds(answer.question.measures[-1].name)
    if not 1 < len(odds) <= MOST_RESULTS:
        return ()
    return tuple(
        ResultView(
            str(value),
            chance(odds.chance(value)),
            chance(odds.at_least(value)),
            chance(odds.at_most(value)),
        )
        for value in odds.values()
    )


def figure_of(answer: Answer) -> str:
    """Return the one number of an answer: a chance, or the average."""
    odds = answer.odds()
    if answer.question.measures[0].name == "holds":
        return percent(odds.chance(True))
    return number_text(float(odds.mean))


# --- keys -------------------------------------------------------------------------------------------------------------


def _with(typed: Typed, **changes: Any) -> str:
    """Return the text with its last dice changed."""
    last = typed.last
    if last is None:
        return typed.text
    dice = replace(last.dice, **changes)
    dice = replace(dice, kept=_fitting(last.dice, dice))
    return typed.text[: last.start] + dice.text + typed.text[last.end :]


def _fitting(before: Dice, dice: Dice) -> tuple[int, int] | None:
    """Return which dice are kept after a change: as many are dropped as before, where that goes."""
    if dice.kept is None or before.kept is None or dice.count == before.count:
        return dice.kept
    skip, keep = before.kept
    left = keep if keep == 1 else max(dice.count - (before.count - keep), 1)
    left = min(left, dice.count)
    return (0 if skip == 0 else dice.count - left), left


def _with_kind(typed: Typed | None, sides: str) -> str:
    if typed is None or typed.last is None:
        return f"d{sides}"
    faces = die_called(sides).faces
    dice = typed.last.dice
    again = tuple(face for face in dice.again if face in faces)
    hits = dice.hits if dice.hits in faces else None if dice.hits is None else _usual_hit(sides)
    bursts = (faces[-1],) if dice.bursts and sides != "F" else ()
    changed = _with(typed, sides=sides, again=again, hits=hits, bursts=bursts)
    try:
        calculator.read_text(changed)
    except BadInput:  # so many of them cannot explode
        return _with(typed, sides=sides, again=(), hits=None, bursts=(), kept=None)
    return changed


def _with_count(typed: Typed, value: str) -> str:
    return _with(typed, count=int(value)) if re.fullmatch(r"[1-9]\d{0,3}", value) else typed.text


def _with_hits(typed: Typed, value: str) -> str:
    return _with(typed, hits=int(value), kept=None) if re.fullmatch(r"\d{1,4}", value) else typed.text


def _as_sum(typed: Typed, value: str) -> str:
    return _with(typed, hits=None, kept=None)


def _with_reroll(typed: Typed, value: str) -> str:
    dice = typed.last.dice if typed.last else None
    return typed.text if dice is None else _with(typed, again=() if dice.again else (die_called(dice.sides).faces[0],))


def _with_kept(typed: Typed, value: str) -> str:
    if typed.last is None:
        return typed.text
    dice = typed.last.dice
    if dice.kept is not None:
        return _with(typed, kept=None)
    count = max(dice.count, 2)
    widened = replace(typed.last.dice, count=count, hits=None, kept=(0, max(count - 1, 1)))
    return typed.text[: typed.last.start] + widened.text + typed.text[typed.last.end :]


def _with_burst(typed: Typed, value: str) -> str:
    dice = typed.last.dice if typed.last else None
    if dice is None:
        return typed.text
    return _with(typed, bursts=() if dice.bursts else (die_called(dice.sides).faces[-1],))


def _with_more(typed: Typed, value: str) -> str:
    """Return the text with other dice added before the comparison."""
    end = len(typed.text) if typed.sign_at is None else typed.sign_at
    kind = typed.last.dice.sides if typed.last else "6"
    return f"{typed.text[:end].rstrip()} + d{kind}{f' {typed.text[end:].lstrip()}' if end < len(typed.text) else ''}"


def _with_target(typed: Typed, value: str) -> str:
    """Compare with a number, or with another one, or no longer."""
    bare = typed.text if typed.sign_at is None else typed.text[: typed.sign_at].rstrip()
    return f"{bare} >= {int(value)}" if re.fullmatch(r"-?\d{1,9}", value) else bare


PRESSES = {
    "count": _with_count,
    "hits": _with_hits,
    "sum": _as_sum,
    "reroll": _with_reroll,
    "keep": _with_kept,
    "explode": _with_burst,
    "more": _with_more,
    "target": _with_target,
}
"""What the keys do, by their names; one with a number has it behind a colon: `hits:5`."""


def _without_last(text: str) -> str:
    """Return the text without its last part: a word, a number, dice or a sign."""
    return re.sub(r"\s*(?:\d*\s*d\s*(?:\d+|f|%)|[a-z]+|(?<![\dd])\d+\+?|[<>=!]+|.)\s*$", "", text, flags=re.IGNORECASE)


def _kinds(last: Last | None) -> tuple[KeyView, ...]:
    sides = last.dice.sides if last else ""
    return tuple(KeyView(f"d{kind}", f"die:{kind}", kind == sides) for kind in KINDS)


def _usual_hit(sides: str) -> int:
    faces = die_called(sides).faces
    return int(faces[len(faces) * 2 // 3])


def _chips(typed: Typed) -> Iterator[KeyView]:
    if typed.last is not None:
        dice = typed.last.dice
        hit = dice.hits if dice.hits is not None else _usual_hit(dice.sides)
        faces = die_called(dice.sides).faces
        yield _chip(typed, f"count {hit}+", "sum" if dice.hits is not None else f"hits:{hit}", dice.hits is not None)
        yield _chip(typed, "sum", "sum", dice.hits is None and dice.kept is None)
        numbered = faces[0] == 1
        if numbered:
            yield _chip(typed, f"reroll {dice.again[0] if dice.again else faces[0]}", "reroll", bool(dice.again))
        yield _chip(typed, _kept_title(dice), "keep", dice.kept is not None)
        if numbered:
            yield _chip(typed, f"explode {dice.bursts[0] if dice.bursts else faces[-1]}", "explode", bool(dice.bursts))
        yield KeyView("+ more dice", "more")
    target = _target(typed)
    if target is not None or typed.asked.right is None:
        yield _chip(
            typed, f"≥ {_usual_target(typed) if target is None else target}", _target_key(typed), target is not None
        )


def _kept_title(dice: Dice) -> str:
    if dice.kept is None:
        return f"keep highest {max(dice.count, 2) - 1}"
    skip, keep = dice.kept
    return f"keep {'highest' if skip == 0 else 'lowest'} {keep}"


def _target_key(typed: Typed) -> str:
    return f"target:{_usual_target(typed)}" if typed.asked.right is None else "target"


def _target(typed: Typed) -> int | None:
    """Return what a sum is compared with, if that is a plain number it must reach."""
    right = typed.asked.right.alone if typed.asked.right is not None else None
    return getattr(right, "value", None) if typed.asked.compare == ">=" else None


def _usual_target(typed: Typed) -> int:
    try:
        return ceil(calculator.calculate(typed.text, budget=GLANCE).odds("total").mean)
    except BattletapeError:
        return 1


def _chip(typed: Typed, title: str, does: str, on: bool) -> KeyView:
    then = "" if on else _figure(press(typed.text, does), typed.text)
    return KeyView(title, does, on, then)


def _figure(text: str, now: str = "") -> str:
    """Return the figure of another text; empty if it is the same text, or takes too long."""
    if text == now:
        return ""
    try:
        answer = calculator.calculate(text, budget=GLANCE)
        return "" if answer.is_cut else figure_of(answer)
    except BattletapeError:
        return ""


def _steppers(typed: Typed) -> Iterator[StepperView]:
    if typed.last is not None:
        dice = typed.last.dice
        least = 2 if dice.kept is not None else 1
        yield _stepper("How many", dice.count, "count", least, calculator.MOST_DICE)
        if dice.hits is not None:
            faces = die_called(dice.sides).faces
            yield _stepper("Needs", dice.hits, "hits", int(faces[0]), int(faces[-1]))
    target = _target(typed)
    if target is not None:
        yield _stepper("At least", target, "target", 1 - 10**6, 10**6)


def _stepper(title: str, value: int, name: str, low: int, high: int) -> StepperView:
    fewer = f"{name}:{value - 1}" if value > low else ""
    return StepperView(title, value, fewer, f"{name}:{value + 1}" if value < high else "")


def _beside(typed: Typed) -> Iterator[BesideView]:
    """Yield a few expressions next to this one, each with its figure."""
    found: dict[str, str] = {}
    if typed.last is not None:
        dice = typed.last.dice
        if dice.again:
            found[_with(typed, again=())] = "without the reroll"
        if dice.bursts:
            found[_with(typed, bursts=())] = "without what explodes"
        if dice.hits is not None:
            found[_with(typed, hits=dice.hits - 1)] = "one easier"
        found[_with(typed, count=dice.count + 1)] = "one die more"
        if dice.count > (1 if dice.kept is None else 2):
            found[_with(typed, count=dice.count - 1)] = "one die fewer"
    figures = ((text, words, _figure(text, typed.text)) for text, words in found.items())
    yield from [BesideView(*figure) for figure in figures if figure[2]][:MOST_BESIDE]


def examples_view() -> tuple[BesideView, ...]:
    """Return expressions to begin with, each with its figure."""
    return tuple(BesideView(text, "", _figure(text)) for text in calculator.EXAMPLES)
