"""Why two answers to one question differ: the numbers that a profile brings, and the steps that came out otherwise.

Nothing here knows a ruleset. Steps of two answers belong together if they have the same key: one rule asked or told
them, “Modifiers +30: 48 becomes 78” and “Modifiers +10: 48 becomes 58”.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battletape.answer import Answer
from battletape.inputs import Inputs, fields
from battletape.odds import percent
from battletape.steps import Step
from battletape.views.profile_choices import Path, ProfileChoice, profile_choices
from battletape.views.question_text import in_words, lower, value_words
from battletape.words import capital

MAX_REASONS = 8
"""How many reasons are told at most."""
MAX_NUMBERS = 4
"""And how many of them are numbers that were put in."""


class Why(Struct, frozen=True):
    """One reason: what differs, how it was in the first answer and how it is in the other; empty if it is not there."""

    title: str
    first: str
    other: str
    words: str  # all of it


def _why(title: str, first: str, other: str) -> Why:
    if not (first and other):
        return Why(title, first, other, lower(other) if other else f"without {lower(first)}")
    before = first if title else lower(first)
    return Why(title, first, other, lower(f"{title} {other} instead of {before}".strip()))


def reasons(first: Answer, other: Answer, changed: Collection[str] = ()) -> tuple[Why, ...]:
    """Return why the other answer differs: steps that only one of them has, then steps with other needs, then numbers.

    What was changed by name is known already.
    """
    pairs, lost = _paired(first.steps, other.steps)
    only = [_why(step.title, "", _text(step)) for step, before in pairs if before is None]
    gone = [_why(step.title, _text(step), "") for step in lost]
    moved = [_changed(before, step) for step, before in pairs if before is not None]
    known = profile_choices(other.ruleset, other.question)
    named = {(name.split(".")[-1]) for name in changed}
    numbers = list(_numbers(first.inputs, other.inputs, (), known, named))[:MAX_NUMBERS]
    steps = [why for why in (*only, *gone, *moved) if why is not None]
    return tuple(dict.fromkeys((*steps[: MAX_REASONS - len(numbers)], *numbers)))


SAME_STEP_KEYS: tuple[Callable[[Step], Any], ...] = (
    lambda step: (step.stage, step.about, step.key),
    lambda step: (step.about, step.key),
    lambda step: (step.stage, step.key),
    lambda step: step.key,
)
"""What steps of two answers must share to belong together, the closest first: another weapon has another name."""


def _paired(before: Iterable[Step], after: Iterable[Step]) -> tuple[list[tuple[Step, Step | None]], list[Step]]:
    """Return the steps after, each with the one before that belongs to it; and those before that belong to none."""
    old, new = ([step for step in steps if not step.is_choice] for steps in (before, after))
    found: dict[int, int] = {}
    for alike in SAME_STEP_KEYS:
        waiting: dict[Any, list[int]] = {}
        for at in sorted({*range(len(old))} - {*found.values()}):
            waiting.setdefault(alike(old[at]), []).append(at)
        for at, step in enumerate(new):
            if at not in found and waiting.get(alike(step)):
                found[at] = waiting[alike(step)].pop(0)
    pairs = [(step, old[found[at]] if at in found else None) for at, step in enumerate(new)]
    return pairs, [step for at, step in enumerate(old) if at not in found.values()]


def _changed(before: Step, after: Step) -> Why | None:
    if (before.needed, before.chance) != (after.needed, after.chance):
        return _why(_title(after), _need(before), _need(after))
    return None if before.label == after.label else _why("", before.label, after.label)


def _title(step: Step) -> str:
    """Return the name and the label of a step, without what its need says already: damage table."""
    label = "" if step.needed.startswith(step.label) else step.label.removesuffix(step.needed).rstrip(": ")
    return capital(": ".join(filter(None, (step.about, label))))


def _text(step: Step) -> str:
    title, need = _title(step), _need(step)
    return ": ".join(filter(None, (title, need)))


def _need(step: Step) -> str:
    parts = [step.needed] if step.needed else []
    if step.chance is not None:
        parts.append(f"({percent(step.chance)})")
    return " ".join(parts)


def _numbers(
    before: Inputs, after: Inputs, path: Path, known: Mapping[Path, ProfileChoice], named: Collection[str]
) -> Iterable[Why]:
    """Return the numbers that differ, typed or brought by a profile."""
    for field in fields(type(after)):
        old, new = getattr(before, field.name), getattr(after, field.name)
        if old == new or field.name in named or (*path, field.name) in known:
            continue
        if field.item is not None:
            if len(old) == len(new):
                for earlier, other in zip(old, new, strict=True):
                    yield from _numbers(earlier, other, (*path, field.name), known, named)
            continue
        why = _why(field.short or field.heading, value_words(field, old), value_words(field, new))
        yield replace(why, words=lower(in_words(field, new))) if field.kind == "yes_no" else why


def why_words(whys: Sequence[Why]) -> str:
    """Return reasons in one sentence."""
    return "; ".join(why.words for why in whys)
