"""The log: what was asked, rolled and decided, stage by stage, with the clause it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battletape.procedure import Stage, stage_title
from battletape.tape.path import Path
from battletape.tape.question import BY_DEFAULT, Ask, Entry, NeedAnswer, Tally
from battletape.tape.story import Line, StoryEntry
from battletape.tape.together import as_throw, key_of
from battletape.words import capital


def lines(*rows: tuple[object, str, str]) -> Iterator[Line]:
    """Return a line for each row that holds: its sentence, and the clause that it rests on."""
    return (Line(text, (clause,) if clause else ()) for holds, text, clause in rows if holds)


Trail = Sequence[tuple[Ask, Any]]
"""Questions with their answers, in order."""


class Played(Struct, frozen=True, dict=True):
    """One result: the last state, and the log and the recording, which are written when they are read."""

    state: Any
    stages: tuple[tuple[Stage, Any, Any, int, int], ...]  # the states before and after it, and its part of the trail
    trail: tuple[tuple[Ask, Any], ...]
    story: tuple[StoryEntry, ...] = ()

    @cached_property
    def log(self) -> tuple[Line, ...]:
        """What happened, line by line."""
        return tuple(_lines(self))

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The recording: every question with its answer."""
        return tuple(ask.entry(answer) for ask, answer in self.trail)


def play(stages: Iterable[Stage], tape: Path, state: Any) -> Played:
    """Run the stages on a tape of one path; the log can be read afterwards."""
    played, need = play_on(stages, tape, state)
    if need is not None:
        raise need
    return played


def play_on(stages: Iterable[Stage], tape: Path, state: Any) -> tuple[Played, NeedAnswer | None]:
    """Run the stages as far as the tape has answers; returns what happened, and the question that stopped it."""
    course: list[tuple[Stage, Any, Any, int, int]] = []
    need: NeedAnswer | None = None
    tape.idle, tape.stages = 0, tuple(stages)
    earlier = len(tape.story)
    for at, stage in enumerate(tape.stages):
        start = len(tape.trail)
        tape.begin(at, state)
        tape.enter(stage)
        try:
            after = stage(tape, state)
        except NeedAnswer as stopped:
            need = stopped
            break
        finally:
            tape.leave()
        course.append((stage, state, after, start, len(tape.trail)))
        state = after
    return Played(state, tuple(course), tuple(tape.trail), tuple(tape.story[earlier:])), need


def _lines(played: Played) -> Iterable[Line]:
    """Return the log in the order of play: the story as it went on between the dice."""
    explained: set[str] = set()
    for at, (stage, _before, _after, start, end) in enumerate(played.stages):
        title = stage_title(stage)
        entries = [known for known in played.story if known.stage == at]
        for place in range(start, end + 1):
            yield from _spoken((known for known in entries if known.at == place), title)
            if place < end:
                yield _dice(*played.trail[place], title, explained)


def thrown_lines(played: Played) -> Iterable[Line]:
    """Return the log as players tell it: the dice of a stage throw by throw, then what they did."""
    explained: set[str] = set()
    for at, (stage, _before, _after, start, end) in enumerate(played.stages):
        title, trail = stage_title(stage), played.trail[start:end]
        for throw in together(trail):
            ask, answer = trail[throw[0]]
            if len(throw) > 1:
                ask, answer = as_throw(ask, len(throw)), tuple(trail[place][1] for place in throw)
            yield _dice(ask, answer, title, explained)
        yield from narrated_lines(played, at)


def narrated_lines(played: Played, at: int) -> Iterable[Line]:
    """Return what was said in a stage, without its dice."""
    title = stage_title(played.stages[at][0])
    yield from _spoken((known for known in played.story if known.stage == at), title)


def _spoken(story: Iterable[StoryEntry], title: str) -> Iterable[Line]:
    return (replace(line, stage=title) for entry in story for line in entry.lines())


def _dice(ask: Ask, answer: Any, title: str, explained: set[str]) -> Line:
    note = ask.die.note if ask.die else ""
    line = dice_line(ask, answer, title, explained=note in explained)
    explained.add(note)
    return line


def dice_line(ask: Ask, answer: Any, stage: str, *, explained: bool = False) -> Line:
    """Return a question and its answer as a sentence; it explains how the die reads, unless an earlier line did."""
    rolled, result = ask.format(answer), _result(ask, answer)
    needs = f" (needs {ask.needed})" if ask.needed else ""
    reads = f" ({ask.die.name}: {ask.die.note})" if ask.die and ask.die.note and not explained else ""
    decider = f" by {ask.by}" if ask.by and ask.kind == "choose" else ""
    text = f"{capital(ask.line_begin)}{needs}{decider}: {rolled}" + (
        f" → {result}" if result and result != rolled else ""
    )
    text += BY_DEFAULT if ask.by_default else ""
    return Line(text + reads, ask.clauses, stage, ask.label, ask.needed, rolled, result)


def _result(ask: Ask, answer: Any) -> str:
    meaning = ask.meaning(answer)
    if ask.whole is not None:
        return ask.whole.name(meaning)
    if isinstance(meaning, Tally):
        names = getattr(ask.read, "name", str)
        if all(isinstance(reading, bool) for reading in meaning):
            return f"{meaning[True]} of {ask.count}"
        return ", ".join(f"{number} x {names(reading)}" for reading, number in meaning.items()) if ask.needed else ""
    if ask.kind == "roll" and ask.needed:
        return str(getattr(ask.read, "name", str)(meaning))
    return f"arc {meaning}" if ask.kind == "direction" else ""


def together(trail: Trail) -> list[list[int]]:
    """Return the numbers of those questions that players roll together, throw by throw: all to hit, then all to wound.

    A throw comes when its last die does: what decides how many dice there are stands before them.
    """
    throws: dict[Any, list[int]] = {}
    for at, (ask, _) in enumerate(trail):
        key = key_of(ask, 0) if ask.kind == "roll" else None
        throws.setdefault(at if key is None else (ask.label, key), []).append(at)
    return sorted(throws.values(), key=lambda places: places[-1])


def as_text(lines: Sequence[Line]) -> str:
    """Return the log as plain text, a line each, followed by the clause ids."""
    return "\n".join(line.text + (f"  [{', '.join(line.clauses)}]" if line.clauses else "") for line in lines)
