"""A question of the rules as boxes to fill in: dice one by one or counted, a bearing, or options to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battletape.dice import Die, meanings
from battletape.tape.question import Ask
from battletape.tape.together import as_throw
from battletape.views import dice
from battletape.views.dice import DieView
from battletape.words import capital

MOST_BOXES = 60
"""More dice than this are counted, or typed in one line."""
MOST_FACES = 20
"""A single die with up to this many faces is answered by picking one."""
MOST_WORDS = 6


class FaceView(Struct, frozen=True):
    """A face to pick: what is sent, and the die that shows it."""

    value: str
    die: DieView
    said: str


class BoxesView(Struct, frozen=True):
    """A question that waits for an answer, and every way to answer it."""

    kind: str  # faces (pick one), dice (boxes), line (one box), bearing, options
    title: str
    label: str
    die: str
    form: str
    count: int
    boxes: int
    wide: int  # how many letters fill a box; then the focus moves on
    longest: int
    numeric: bool
    needed: str
    by: str
    clauses: tuple[str, ...]
    hint: str
    faces: tuple[FaceView, ...] = ()
    ok: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    words: tuple[tuple[int, str], ...] = ()  # the words that can be counted, with their places; successes first
    options: tuple[tuple[str, str], ...] = ()  # the answer, and its words
    cuts: tuple[float, ...] = ()
    total: str = ""  # of a sum: what it may be as a whole
    side: str = "attacker"  # the side that rolls
    pools: int = 1  # that are thrown together: so many groups of boxes
    names: tuple[str, ...] = ()  # whose each of the dice or pools is, where they differ


def boxes_view(ask: Ask, names: Sequence[str] = ("",)) -> BoxesView:
    """Return the boxes for a question, or for dice or pools that are thrown together, each by its subject."""
    together = len(names)
    view = replace(_boxes(as_throw(ask, together)), side=dice.side_of_roll(ask.by))
    if together > 1 and any(names):
        view = replace(view, names=tuple(names))
    if ask.kind == "pool":
        view = replace(view, pools=together, count=ask.count, needed=ask.needed)
    return replace(view, words=()) if together > 1 else view  # what follows depends on each of them


def _boxes(ask: Ask) -> BoxesView:
    die = ask.die
    if die is None:
        return _plain(ask)
    if die.added and ask.kind == "roll" and die.added[0] <= dice.MOST_ADDED:
        return _sum(ask, die, die.added)
    single = ask.count == 1
    kind = "faces" if single and len(die.faces) <= MOST_FACES else "dice" if ask.count <= MOST_BOXES else "line"
    seen = dice.marks(ask)
    # one die alone may be typed in full, such as 100 for 00; among several the focus moves on after two digits
    known = tuple(text for text in dice.typed_faces(die) if len(text) <= _width(die) or ask.count == 1)
    wide = _width(die)
    return BoxesView(
        kind=kind,
        title=capital(ask.title),
        label=ask.label,
        die=dice.die_name(die),
        form="sum" if die.added else dice.form_of(die.faces),
        count=ask.count,
        boxes=ask.count if kind == "dice" else 0,
        wide=wide,
        longest=max(wide, *(len(str(face)) for face in die.faces)),
        numeric=all(isinstance(face, int) and face >= 0 for face in die.faces),
        needed=ask.needed,
        by=ask.by,
        clauses=ask.clauses,
        hint=_hint(die, wide),
        faces=tuple(_face(ask, face) for face in die.faces) if kind != "line" and len(die.faces) <= MOST_FACES else (),
        ok=tuple(text for text, mark in seen.items() if mark == "ok"),
        no=tuple(text for text, mark in seen.items() if mark == "no"),
        known=known if len(known) <= 220 else (),
        words=() if single else _words(ask),
    )


def _words(ask: Ask) -> tuple[tuple[int, str], ...]:
    """Return what can be counted instead of typed die by die."""
    if not ask.needed or not 2 <= len(ask.words) <= MOST_WORDS:
        return ()
    assert ask.die is not None
    faces = {str(getattr(ask.read, "name", str)(ask.read(face))): face for face in ask.die.faces}
    passes = dice.passing_faces(ask)
    good = {word for word, face in faces.items() if passes is None or face in passes}
    return tuple(sorted(enumerate(ask.words), key=lambda numbered: numbered[1] not in good))


def _plain(ask: Ask) -> BoxesView:
    choose = ask.kind == "choose"
    hint = "" if choose else "Degrees from 0 to 360: 0 is straight up, 90 to the right."
    return BoxesView(
        kind="options" if choose else "bearing",
        title=capital(ask.title),
        label=ask.label,
        die="",
        form="",
        count=1,
        boxes=0,
        wide=0,
        longest=8,
        numeric=not choose,
        needed=ask.needed,
        by=ask.by,
        clauses=ask.clauses,
        hint=hint,
        options=tuple((str(option), ask.option_words(option)) for option in ask.options),
        cuts=ask.cuts,
    )


def _sum(ask: Ask, die: Die, added: tuple[int, int, int]) -> BoxesView:
    """Return the dice of a sum one by one, or their sum."""
    count, sides, plus = added
    more = f" {plus:+d} is added by itself." if plus else ""
    return BoxesView(
        kind="dice",
        title=capital(ask.title),
        label=ask.label,
        die=die.name,
        form=dice.form_of(tuple(range(1, sides + 1))),
        count=count,
        boxes=count,
        wide=len(str(sides)),
        longest=len(str(sides)),
        numeric=True,
        needed=ask.needed,
        by=ask.by,
        clauses=ask.clauses,
        hint=f"The {count} dice one by one, or their sum.{more}",
        known=tuple(str(face) for face in range(1, sides + 1)),
        total=die.domain,
    )


def _face(ask: Ask, face: Any) -> FaceView:
    assert ask.die is not None
    word = str(getattr(ask.read, "name", str)(meanings(ask.die, ask.read)[face])) if ask.needed else ""
    return FaceView(
        str(face), dice.die_view(ask, face), f"{face}, {word}" if word not in ("", str(face)) else str(face)
    )


def _width(die: Die) -> int:
    """Return how many characters fill a box: one for a D10 (0 is ten), two for a D100 (00 is a hundred)."""
    known = dice.typed_faces(die)
    form = dice.form_of(die.faces)
    if form == "d10" and "0" in known:
        return 1
    if form == "d100" and "00" in known:
        return 2
    return max(len(str(face)) for face in die.faces)


def _hint(die: Die, wide: int) -> str:
    """Return how the die is read, if players might misread it."""
    form = dice.form_of(die.faces)
    if die.note:
        zero = "; a 0 is zero, not ten" if 0 in die.faces and 10 not in die.faces else ""
        return f"Read the {die.name} as {die.note}{zero}."
    if form == "d100":
        return "As the dice show it: 07 is seven, 00 a hundred."
    if form == "d10" and 10 in die.faces and wide == 1:
        return "0 is ten."
    return ""
