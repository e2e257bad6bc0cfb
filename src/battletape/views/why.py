"""Why two answers to one question differ: the numbers that a profile brings, and the steps that came out otherwise.

Nothing here knows a ruleset. Steps of two answers belong together if they say the same but for their numbers and the
name in front: “Modifiers +30: 48 becomes 78” and “Modifiers +10: 48 becomes 58”.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from battletape.answer import Answer, Step
from battletape.inputs import Inputs, fields
from battletape.odds import percent
from battletape.views.picks import Path, Pick, picks
from battletape.views.told import in_words, lower, plain_title, value_words

MOST = 8
"""How many reasons are told at most."""
NUMBERS = 4
"""And how many of them are numbers that were put in."""


class Why(Struct, frozen=True):
    """One reason: what differs, how it was in the first answer and how it is in the other; empty if it is not there."""

    title: str
    first: str
    other: str
    words: str  # all of it


def _why(title: str, first: str, other: str) -> Why:
    if first and other:
        what = lower(title).removesuffix(other.partition(" ")[0]).strip()  # “damage: damage table” says it twice
        both = other.partition(", ")[0] + ", "
        return Why(title, first, other, f"{what} {other} instead of {first.removeprefix(both)}".strip())
    return Why(title, first, other, lower(other) if other else f"without {lower(first)}")


def reasons(first: Answer, other: Answer, changed: Collection[str] = ()) -> tuple[Why, ...]:
    """Why the other answer differs: steps that only one of them has, then steps with other needs, then numbers.

    What was changed by name is known already.
    """
    before, after = _steps(first), _steps(other)
    only = [_why(step.title, "", _text(step)) for key, step in after.items() if key not in before]
    lost = [_why(step.title, _text(step), "") for key, step in before.items() if key not in after]
    moved = [_changed(before[key], step) for key, step in after.items() if key in before]
    known = picks(other.ruleset, other.question)
    named = {(name.split(".")[-1]) for name in changed}
    numbers = list(_numbers(first.inputs, other.inputs, (), known, named))[:NUMBERS]
    steps = [why for why in (*only, *lost, *moved) if why is not None]
    return tuple(dict.fromkeys((*steps[: MOST - len(numbers)], *numbers)))


def _steps(answer: Answer) -> dict[tuple[str, int], Step]:
    """The steps by what they say without their numbers; equal ones are counted."""
    by_key: dict[tuple[str, int], Step] = {}
    names = [str(value) for value in _names(answer.inputs)]
    for step in answer.steps:
        if step.title.startswith("Choice: "):
            continue
        said = step.title
        for name in names:
            said = said.replace(name, "").replace(name.capitalize(), "")
        said = re.sub(r"[-+−]?\d+[+%]?", "", said.rpartition(": ")[2] if ": to " in said else said).lower().strip(" :")
        at = 0
        while (said, at) in by_key:
            at += 1
        by_key[said, at] = step
    return by_key


def _names(inputs: Inputs) -> Iterable[str]:
    """Every name among the inputs, the longest first."""
    texts: list[str] = []
    for field in fields(type(inputs)):
        value = getattr(inputs, field.name)
        if field.item is not None:
            texts += [name for entry in value for name in _names(entry)]
        elif field.kind == "text" and value:
            texts.append(value)
    return sorted(texts, key=len, reverse=True)


def _changed(before: Step, after: Step) -> Why | None:
    if (before.needed, before.chance) != (after.needed, after.chance):
        return _why(_title(after), _need(before), _need(after))
    if re.findall(r"\d+", before.title) != re.findall(r"\d+", after.title):
        return _apart(before.title.split(), after.title.split())
    return None


def _apart(before: list[str], after: list[str]) -> Why:
    """Two sentences that differ in their numbers: what both begin with, and where they differ."""
    same = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), 0)
    end = 0
    while end < min(len(before), len(after)) - same - 1 and before[-1 - end] == after[-1 - end]:
        end += 1
    parts = (" ".join(words[same : len(words) - end]).rstrip(",;:") for words in (before, after))
    begin = " ".join(before[:same])
    if begin.count("(") > begin.count(")"):  # it ends where they differ, before the bracket is closed
        begin = ", ".join(begin.rsplit(" (", 1))
    return _why(begin, *parts)


def _title(step: Step) -> str:
    return re.sub(r" on (?:an? |\d)[^:]*$", "", step.title)


def _text(step: Step) -> str:
    need = _need(step)
    title = _title(step).removesuffix(need.partition(" ")[0]).strip(": ") if need else _title(step)
    return f"{title}: {need}" if need else title


def _need(step: Step) -> str:
    said = [step.needed] if step.needed else []
    if step.chance is not None:
        said.append(f"({percent(step.chance)})")
    return " ".join(said)


def _numbers(
    before: Inputs, after: Inputs, path: Path, known: Mapping[Path, Pick], named: Collection[str]
) -> Iterable[Why]:
    """The numbers that differ, whoever put them in."""
    for field in fields(type(after)):
        old, new = getattr(before, field.name), getattr(after, field.name)
        if old == new or field.name in named or (*path, field.name) in known:
            continue
        if field.item is not None:
            if len(old) == len(new):
                for one, other in zip(old, new, strict=True):
                    yield from _numbers(one, other, (*path, field.name), known, named)
            continue
        why = _why(field.short or plain_title(field.title), value_words(field, old), value_words(field, new))
        yield replace(why, words=lower(in_words(field, new))) if field.kind == "yes_no" else why


def why_words(whys: Sequence[Why]) -> str:
    """Reasons in one sentence."""
    return "; ".join(why.words for why in whys)
