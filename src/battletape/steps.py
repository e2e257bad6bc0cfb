"""The steps of an answer: what each stage asks for, with its chance and clause, and what is told without luck."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from battletape.dice import Die, Face, Meaning, passing
from battletape.procedure import FirstOptions, Stage
from battletape.tape.kernel import AskedRoll, StageCount
from battletape.tape.story import Line
from battletape.words import capital, labelled, name_and_what, with_article

if TYPE_CHECKING:
    from battletape.tape.plans import Plan
else:  # help() reads annotations too; the reader of decisions is imported when a question has some
    Plan = Any

StepKey = tuple[str | int, ...]
"""What is asked or told, whatever the numbers and names in it: the label of a die, or the sentence."""


class Step(Struct, frozen=True):
    """One step of an answer: what is needed, its chance for one die, and the clause."""

    title: str
    needed: str = ""
    chance: Fraction | None = None
    clauses: tuple[str, ...] = ()
    die: str = ""  # as players call it, if one is rolled
    why: str = ""  # the end of `needed` that gives its reason: against Toughness 4
    by: str = ""  # the side that rolls or decides; empty: the attacker
    dice: Die | None = None  # what is rolled
    least: Face = None  # the lowest face that passes, where higher is better
    stage: str = ""  # the rule that asks or tells it
    key: StepKey = ()
    about: str = ""  # the name in front of the title
    label: str = ""  # the title without that name and without the die
    dice_words: str = ""  # the end of the title that says on which die
    is_choice: bool = False
    cites: tuple[str, ...] = ()  # further clauses, which stand in brackets at the end of the title


def explain(counts: tuple[StageCount, ...], start: Any, plan: Plan = ()) -> tuple[Step, ...]:
    """Return the steps of an answer: what each stage asks for, and what a stage without luck does.

    A choice is no luck.
    """
    steps: list[Step] = []
    before = start
    for count in counts:
        own = getattr(count.stage, "__clauses__", ())[:1]
        stage = getattr(count.stage, "__qualname__", "")
        steps += (_asked_step(stage, asked, own) for asked in count.asked)
        if before is not None and count.only is not None and all(asked.kind == "choose" for asked in count.asked):
            steps += said_without_luck(count.stage, before, plan)
        before = count.only
    alike: dict[tuple[Any, ...], Step] = {}
    for step in steps:
        alike.setdefault((step.title, step.needed, step.chance, step.clauses, step.die, step.why), step)
    return tuple(alike.values())


def _asked_step(stage: str, asked: AskedRoll, own: tuple[str, ...]) -> Step:
    """Return a step of a die or choice; a title that does not name the die is told on which one it is."""
    about, label = name_and_what(asked.label)
    on_die = ""
    if asked.die and asked.die.description.removesuffix(" die").lower() not in asked.label:
        on_die = f" on {with_article(asked.die.description)}"
    return Step(
        f"Choice: {asked.label}" if asked.kind == "choose" else capital(asked.label) + on_die,
        asked.needed,
        asked.chance,
        asked.clauses or own,
        asked.die.description if asked.die else "",
        asked.why,
        by=asked.by,
        dice=asked.die,
        least=_least(asked.die, asked.read) if asked.die else None,
        stage=stage,
        key=(asked.kind, label),
        about=about,
        label=label,
        dice_words=on_die,
        is_choice=asked.kind == "choose",
    )


def _least(die: Die, read: Callable[[Face], Meaning]) -> Face:
    """Return the lowest face that passes, if the highest passes; None where low faces do, or names of faces."""
    passes = passing(die, read)
    return min(passes) if passes and _is_numbered(die) and max(die.faces) in passes else None


@lru_cache(256)
def _is_numbered(die: Die) -> bool:
    """Return whether all faces of a die are numbers."""
    return all(isinstance(face, int) for face in die.faces)


def said_without_luck(stage: Stage, state: Any, plan: Plan = ()) -> Iterator[Step]:
    """Yield what a stage says that leaves nothing to luck.

    Choices are made as planned, others take their first option.
    """
    tape = FirstOptions(dict(plan))
    tape.call(stage, state)
    own, name = getattr(stage, "__clauses__", ())[:1], getattr(stage, "__qualname__", "")
    for entry in tape.story:
        sentence = _sentence_name(entry.sentence)
        for at, line in enumerate(entry.bare_lines()):
            yield _told_step(name, line, line.clauses or own, (sentence, at), entry.about)


def _told_step(stage: str, line: Line, clauses: tuple[str, ...], key: StepKey, about: str = "") -> Step:
    title, label, key = str(labelled(about, line.text)), str(line.text), ("tell", *key)
    return Step(title, line.needed, None, clauses, stage=stage, key=key, about=about, label=label, cites=line.cites)


def _sentence_name(sentence: Any) -> str:
    """Return the name of a sentence: that of its function, or its text with the places left open."""
    if isinstance(sentence, str):
        return sentence
    return f"{getattr(sentence, '__module__', '')}.{getattr(sentence, '__qualname__', type(sentence).__qualname__)}"


def stopping_steps(lines: Iterable[Line]) -> Iterator[Step]:
    """Return the steps of what stops damage without any dice, told apart by the clauses that are cited."""
    return (_told_step("stops", line, line.clauses, line.clauses) for line in lines)
