"""Dice to look at: the shape of each, its face, and whether it succeeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import comb
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battletape.dice import Die, meanings, passing
from battletape.log import Played, dice_line, narrated_lines, together
from battletape.procedure import stage_title
from battletape.tape.question import Ask, Tally
from battletape.tape.story import Line
from battletape.tape.together import as_throw
from battletape.words import capital

ONE_BY_ONE = 40
"""More dice than this are drawn once for each face, with a count beside it."""
MOST_ADDED = 12
"""A sum of more dice than this is drawn as one."""
FORMS = {2: "coin", 3: "d6", 4: "d4", 6: "d6", 8: "d8", 10: "d10", 12: "d12", 20: "d20", 100: "d100"}


class DieView(Struct, frozen=True):
    """One die, or several that show the same: its form, its face, and whether it succeeded."""

    form: str  # coin d4 d6 d8 d10 d12 d20 d100, named (faces of its own), sum, tile (any other)
    text: str
    mark: str = ""  # ok, no, drop (thrown, but not counted), or nothing where the face itself counts
    count: int = 1
    rolled: bool = False  # by the computer, among dice that were typed in
    subject: str = ""  # whose it is, among dice of several


class ThrowView(Struct, frozen=True):
    """A question of the rules with its answer: the dice, what was needed, and the result."""

    at: int  # its number among all answers
    kind: str
    title: str
    die: str
    count: int
    needed: str
    by: str
    dice: tuple[DieView, ...]
    result: str
    text: str  # all of it as a sentence
    clauses: tuple[str, ...]
    bearing: float | None = None
    rolled: bool = False  # by the computer, all of it
    side: str = "attacker"  # the side that rolls: attacker or defender


class StageView(Struct, frozen=True):
    """A stage of the rules: what was thrown and decided in it, and the log lines."""

    title: str
    throws: tuple[ThrowView, ...]
    lines: tuple[Line, ...]


class Throw(Struct, frozen=True):
    """An answered question, how many of its dice the computer rolled (the last ones), and the dice of a sum."""

    ask: Ask
    answer: Any
    rolled: int = 0
    parts: tuple[int, ...] = ()
    names: tuple[str, ...] = ()  # whose its dice are, if several were thrown together


def stage_views(played: Played, throws: Sequence[Throw]) -> tuple[StageView, ...]:
    """Return what was thrown, stage by stage, with the ruleset's log lines; a stage that still waits comes last.

    Dice that players throw together stand together, even if the rules asked for them one by one.
    """
    views: list[StageView] = []
    done = 0
    for at, (stage, _, _, start, end) in enumerate(played.stages):
        title = stage_title(stage)
        shown = _thrown(throws, range(start, end), title)
        lines = tuple(narrated_lines(played, at))
        if shown or lines:
            views.append(StageView(title, shown, lines))
        done = end
    if done < len(throws):
        views.append(StageView("", _thrown(throws, range(done, len(throws)), ""), ()))
    return tuple(views)


def _thrown(throws: Sequence[Throw], places: range, stage: str) -> tuple[ThrowView, ...]:
    """Return the throws of a stage, those of the same question as one."""
    groups = together([(throws[at].ask, throws[at].answer) for at in places])
    return tuple(throw_view(places[group[0]], _as_one([throws[places[at]] for at in group]), stage) for group in groups)


def _as_one(throws: Sequence[Throw]) -> Throw:
    """Return several dice for the same question as one throw; those that the computer rolled come last."""
    if len(throws) == 1:
        return throws[0]
    typed = sorted(throws, key=lambda throw: throw.rolled)
    faces = tuple(throw.answer for throw in typed)
    names = tuple(throw.ask.subject for throw in typed)
    whole = as_throw(throws[0].ask, len(throws))
    return Throw(whole, faces, sum(throw.rolled for throw in throws), names=names if any(names) else ())


def throw_view(at: int, throw: Throw, stage: str) -> ThrowView:
    """Return an answered question to look at."""
    ask, answer = throw.ask, throw.answer
    line = dice_line(ask, answer, stage)
    return ThrowView(
        at=at,
        kind=ask.kind,
        title=capital(ask.title),
        die=die_name(ask.die) if ask.die else "",
        count=ask.count,
        needed=ask.needed,
        by=ask.by,
        dice=dice_views(throw),
        result=_result(ask, answer, line),
        text=line.text,
        clauses=line.clauses,
        bearing=answer if ask.kind == "direction" else None,
        rolled=bool(throw.rolled) and throw.rolled >= max(ask.count, len(throw.parts)),
        side=side_of_roll(ask.by),
    )


def side_of_roll(by: str) -> str:
    """Return the side that rolls: the attacker, unless the rule names another."""
    return by or "attacker"


def dice_views(throw: Throw) -> tuple[DieView, ...]:
    """Return the dice of an answer, in the order they came.

    Many of them face by face, and counts as they were given.
    """
    ask, answer = throw.ask, throw.answer
    if ask.die is None:
        return ()
    if isinstance(answer, Tally):
        faces_of = {meaning: face for face, meaning in meanings(ask.die, ask.read).items() if answer[meaning]}
        name = getattr(ask.read, "name", str)
        return tuple(
            DieView("tile", str(name(meaning)), mark_of(face, ask), answer[meaning])
            for meaning, face in faces_of.items()
        )
    if throw.parts and ask.die.added:
        mark = mark_of(answer, ask)
        form = form_of(tuple(range(1, ask.die.added[1] + 1)))
        typed = len(throw.parts) - throw.rolled
        return tuple(DieView(form, str(part), mark, rolled=at >= typed) for at, part in enumerate(throw.parts))
    faces = answer if ask.kind == "pool" else (answer,)
    typed = len(faces) - throw.rolled
    if len(faces) <= ONE_BY_ONE:
        shown = [die_view(ask, face, rolled=at >= typed) for at, face in enumerate(faces)]
        if len(throw.names) == len(shown):
            shown = [replace(die, subject=owner) for die, owner in zip(shown, throw.names, strict=True)]
        return tuple(_kept(ask, faces, shown))
    order = {face: at for at, face in enumerate(ask.die.faces)}
    counts = sorted(Counter(faces).items(), key=lambda face: order[face[0]])
    return tuple(die_view(ask, face, number, rolled=not typed) for face, number in counts)


def _kept(ask: Ask, faces: Sequence[Any], shown: Sequence[DieView]) -> Iterable[DieView]:
    """Return the dice of a throw of which only the best count: those are filled, the others dropped."""
    keep = getattr(ask.whole, "keep", 1 if ask.whole is not None and ask.count > 1 else None)
    if keep is None or ask.die is None:
        return shown
    best = sorted(range(len(faces)), key=lambda at: -ask.die.faces.index(faces[at]))[:keep]  # type: ignore[union-attr]
    return (replace(die, mark=(die.mark or "ok") if at in best else "drop") for at, die in enumerate(shown))


def die_view(ask: Ask, face: Any, count: int = 1, *, rolled: bool = False) -> DieView:
    """Return one die of a question."""
    assert ask.die is not None
    form = "sum" if ask.die.added else form_of(ask.die.faces)
    return DieView(form, face_text(form, face), mark_of(face, ask), count, rolled)


@lru_cache(1024)
def form_of(faces: tuple[Any, ...]) -> str:
    """Return the form of a die with these faces."""
    if faces == tuple(range(10)):
        return "d10"
    if faces == tuple(range(1, len(faces) + 1)):
        return FORMS.get(len(faces), "tile")
    return "tile" if all(isinstance(face, int) for face in faces) else "named"


def die_name(die: Die) -> str:
    """Return what players call a die: equal faces from 1 to 6 are a D6, whatever the ruleset calls it."""
    plain = form_of(die.faces) not in ("tile", "named") and len(set(die.weights)) == 1 and not die.note
    return f"D{len(die.faces)}" if plain else die.description


def face_text(form: str, face: Any) -> str:
    """Return what a die prints on a face: 07 and 00 on a D100."""
    return f"{face % 100:02d}" if form == "d100" else str(face)


def mark_of(face: Any, ask: Ask) -> str:
    """Return whether a face passes: ok or no; nothing where the rule uses the face itself."""
    passes = passing_faces(ask)
    return "" if passes is None else "ok" if face in passes else "no"


def passing_faces(ask: Ask) -> frozenset[Any] | None:
    """Return the faces that pass; None where each die says more, or where only the whole pool counts."""
    if ask.die is None or not ask.needed:
        return None
    is_one_of_a_whole = ask.whole is not None and not isinstance(ask.read(ask.die.faces[0]), bool)
    return None if is_one_of_a_whole else passing(ask.die, ask.read)


def marks(ask: Ask) -> dict[str, str]:
    """Return for every face of a die, as people type it, whether it succeeds."""
    assert ask.die is not None
    return {text: mark for text, face in typed_faces(ask.die).items() if (mark := mark_of(face, ask))}


@lru_cache(256)
def typed_faces(die: Die) -> dict[str, Any]:
    """Return every short text a person may type for a face: a D100 takes 7, 07 and 00, a D10 takes 0."""
    texts = [*map(str, die.faces), "0", *(f"{number:02d}" for number in range(10))]
    faces = {}
    for text in texts:
        try:
            faces[text] = die.face(text)
        except ValueError:
            continue
    return faces


def split_sum(die: Die, total: int, luck: Random) -> tuple[int, ...]:
    """Return single dice for a sum that was rolled as one, as likely as at the table; none if there are too many."""
    if die.added is None or die.added[0] > MOST_ADDED:
        return ()
    count, sides, plus = die.added
    left, parts = total - plus, []
    for more in range(count - 1, -1, -1):
        faces = range(1, sides + 1)
        face = luck.choices(faces, [_ways(more, sides, left - face) for face in faces])[0]
        parts.append(face)
        left -= face
    return tuple(parts)


@lru_cache(4096)
def _ways(count: int, sides: int, total: int) -> int:
    """Return in how many ways a number of dice make a total."""
    if not count <= total <= count * sides:
        return 0
    if not count:
        return 1
    terms = range((total - count) // sides + 1)
    return sum((-1) ** k * comb(count, k) * comb(total - sides * k - 1, count - 1) for k in terms)


def _result(ask: Ask, answer: Any, line: Line) -> str:
    """Return the result of a throw, in a word; nothing if the dice show it themselves."""
    meaning = ask.meaning(answer)
    if isinstance(meaning, Tally) and ask.needed and not all(isinstance(meant, bool) for meant in meaning):
        assert ask.die is not None
        name, passes = getattr(ask.read, "name", str), passing_faces(ask)
        good = {ask.read(face) for face in (ask.die.faces if passes is None else passes)}
        counts = [f"{number} × {name(meant)}" for meant, number in meaning.items() if meant in good]
        return ", ".join(counts) or str(name(next(iter(meaning))))
    if ask.kind == "choose":
        return line.rolled
    if ask.kind == "direction":
        return f"{float(line.rolled):g}°"
    if ask.die is not None and ask.die.added and not line.result:
        return line.rolled
    if ask.die is not None and ask.die.added:
        return f"{line.rolled} → {line.result}"
    return line.result
