"""A question of the tape that waits for an answer, as data: enough for a form, a prompt or a program to answer it."""

from __future__ import annotations

from msgspec import Struct

from battletape.tape.question import Ask, NeedAnswer


class NeedView(Struct, frozen=True):
    """What is asked: dice to roll, a bearing to give or an option to choose; `answer` says what may be written."""

    kind: str  # roll, pool, direction, choose
    label: str
    count: int
    die: str
    note: str  # how to read the die, where that is not plain
    faces: tuple[str, ...]
    needed: str
    words: tuple[str, ...]  # what each face means, where counts may be given instead of dice
    options: tuple[str, ...]
    by: str
    clauses: tuple[str, ...]
    answer: str


def need_view(ask: Ask) -> NeedView:
    """Return a question to show."""
    return NeedView(
        kind=ask.kind,
        label=ask.label,
        count=ask.count,
        die=ask.die.name if ask.die else "",
        note=ask.die.note if ask.die else "",
        faces=tuple(map(str, ask.die.faces)) if ask.die and len(ask.die.faces) <= 100 else (),
        needed=ask.needed,
        words=ask.words if len(ask.words) <= 20 else (),
        options=tuple(map(str, ask.options)),
        by=ask.by,
        clauses=ask.clauses,
        answer=_answer(ask),
    )


def answered(need: NeedAnswer) -> tuple[str, ...]:
    """Return the earlier answers, as texts that give the same answers again."""
    return tuple(entry.value for entry in need.answered)


def _answer(ask: Ask) -> str:
    if ask.kind == "choose":
        return "the name of an option, or its number"
    if ask.kind == "direction":
        return "degrees from 0 to 360"
    if ask.kind == "roll":
        return "the face"
    count = f", or a count such as “{min(ask.count, 5)} {ask.words[-1]}”" if ask.words and ask.needed else ""
    faces = "1 face" if ask.count == 1 else f"{ask.count} faces with spaces between them"
    return faces + count
