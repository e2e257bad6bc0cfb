"""The first page to show: the systems as tiles, an example to turn, and the battles that can go on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Any

from msgspec import Struct

from battletape.answer import Answer, ask
from battletape.errors import BattletapeError
from battletape.inputs import fields
from battletape.memory import Kept
from battletape.profiles import read_file
from battletape.system import LiveExample, Question, Ruleset
from battletape.tape.limits import Budget
from battletape.views.answer_summary import Headline, headline_view
from battletape.views.question_text import input_texts
from battletape.views.short_inputs import Given, short_given

FIRST_QUESTIONS = 3
"""So many questions stand on a tile."""
MOST_DICE, MOST_FIGURES = 40, 20
"""So many dice and figures of an example are drawn."""
LONGEST_ABOUT = 60
"""So many letters say what an example is about."""
BATTLES = "*.bt"
MOST_BATTLES = 4
HEADER = 4_000
"""The title of a battle is in so many characters at the start of its file."""


class Sign(Struct, frozen=True):
    """A die as a sign: its shape, and the face it shows."""

    shape: str
    face: str


class Asking(Struct, frozen=True):
    """A question on a tile, and what to say to ask its example."""

    name: str
    title: str
    said: Given


class LeadView(Struct, frozen=True):
    """The answer of an example in a few words, its number first."""

    number: str
    words: str


class GroupView(Struct, frozen=True):
    """The questions of a moment of play, each with what its example is about and its answer, if that is known."""

    title: str
    questions: tuple[tuple[Asking, str, LeadView | None], ...]


class TileView(Struct, frozen=True):
    """A system on the first page."""

    name: str
    title: str
    players: str
    dice: tuple[Sign, ...]
    dice_words: str
    drawing: str  # SVG, empty if the system has none
    first: tuple[Asking, ...]
    questions: int  # how many there are
    tables: bool
    units: bool
    sheets: bool
    battles: bool


class LiveView(Struct, frozen=True):
    """An example with its answer: turn one number, and see what falls."""

    ruleset: str
    question: str
    title: str
    label: str
    value: int
    fewer: int | None  # None: it cannot go further
    more: int | None
    headline: Headline
    about: str
    said: Given
    die: str
    dice: tuple[bool, ...]  # whether each succeeds, on average
    figures: tuple[float, ...]  # how much of each stands, on average
    standing: str


class BattleOnFile(Struct, frozen=True):
    """A battle in a file: what it is called, of which system it is, and how far it got."""

    file: str
    title: str
    system: str
    moves: int


@lru_cache(32)
def tile_view(ruleset: Ruleset) -> TileView:
    """Return a system as a tile; one that says nothing about itself is told by its summary."""
    tile = ruleset.tile
    first = [ruleset.question(name) for name in (tile.questions if tile else ())] or ruleset.questions[:FIRST_QUESTIONS]
    dice = [sign.partition(":") for sign in (tile.dice if tile else ())]
    return TileView(
        name=ruleset.name,
        title=ruleset.title,
        players=(tile.players if tile else ruleset.summary).rstrip("."),
        dice=tuple(Sign(shape, face) for shape, _, face in dice),
        dice_words=tile.dice_words if tile else "",
        drawing=ruleset.drawing,
        first=tuple(_asking(ruleset, question) for question in first),
        questions=len(ruleset.questions),
        tables=bool(ruleset.tables()),
        units=ruleset.profiles is not None,
        sheets=bool(ruleset.sheets),
        battles=ruleset.battle is not None,
    )


def askings(ruleset: Ruleset) -> tuple[Asking, ...]:
    """Return every question of a system."""
    return tuple(_asking(ruleset, question) for question in ruleset.questions)


def group_views(ruleset: Ruleset, seconds: float) -> tuple[GroupView, ...]:
    """Return the questions of a system by the moment of play; as many examples are answered as there is time for."""
    end = monotonic() + seconds
    by_name = {question.name: question for question in askings(ruleset)}
    return tuple(
        GroupView(
            title,
            tuple(
                (
                    by_name[question.name],
                    _about(ruleset, question.name),
                    _lead(ruleset, question.name, end - monotonic()),
                )
                for question in questions
            ),
        )
        for title, questions in ruleset.grouped
    )


_leads: Kept[tuple[Ruleset, str], LeadView] = Kept(256)
"""The answers of examples, which stay the same: so a page has them at once when it is asked for again."""


def _lead(ruleset: Ruleset, question: str, seconds: float) -> LeadView | None:
    """Return the answer of an example in a few words; None if it takes longer."""
    key = ruleset, question
    if key not in _leads and seconds > 0:
        try:
            posed = ruleset.question(question)
            answer = ask(ruleset, posed, posed.example, budget=Budget(seconds=seconds))
        except BattletapeError:
            return None
        if answer.is_cut:
            return None
        headline = headline_view(answer)
        _leads.keep(key, LeadView(headline.number, headline.short))
    return _leads.get(key)


@lru_cache(256)
def _about(ruleset: Ruleset, question: str) -> str:
    """Return what an example is about, in a few words; nothing if it is all as usual."""
    posed = ruleset.question(question)
    parts = [text.words for text in input_texts(ruleset, posed, *ruleset.split(posed, posed.example))]
    while len(" · ".join(parts)) > LONGEST_ABOUT and len(parts) > 1:
        parts.pop()
    return " · ".join(parts)


def example_given(ruleset: Ruleset, question: str) -> Given:
    """Return what to say to ask the example of a question."""
    return _asking(ruleset, ruleset.question(question)).said


@lru_cache(256)
def _asking(ruleset: Ruleset, question: Question) -> Asking:
    inputs, rulings = ruleset.split(question, question.example)
    return Asking(question.name, question.title, short_given(ruleset, question, inputs, rulings))


def live_view(rulesets: Sequence[Ruleset], value: int | None = None, seconds: float | None = None) -> LiveView | None:
    """Return the first example among these systems, turned to a value; None if no system has one."""
    for ruleset in rulesets:
        if ruleset.tile is not None and ruleset.tile.live is not None:
            return _live(ruleset, ruleset.tile.live, value, seconds)
    return None


def _live(ruleset: Ruleset, live: LiveExample, value: int | None, seconds: float | None) -> LiveView:
    question = ruleset.question(live.question)
    turn = next(field for field in fields(question.inputs) if field.name == live.turn)
    low, high = turn.low or 0, min(turn.high if turn.high is not None else MOST_DICE, MOST_DICE)
    now = min(high, max(low, live.given[live.turn] if value is None else value))
    given: dict[str, Any] = {**live.given, live.turn: now}
    answer = ask(ruleset, question, given, budget=Budget(seconds=seconds))
    figures = _figures(live, answer)
    return LiveView(
        ruleset=ruleset.name,
        question=question.name,
        title=live.title.format(turn=now, figures=len(figures)),
        label=live.label,
        value=now,
        fewer=now - 1 if now > low else None,
        more=now + 1 if now < high else None,
        headline=headline_view(answer),
        about=live.about,
        said=short_given(ruleset, question, answer.inputs, answer.rulings),
        die=live.die,
        dice=_dice(live, answer, now),
        figures=figures,
        standing=f"{sum(figures):.1f} of {len(figures)} stand on average",
    )


def _dice(live: LiveExample, answer: Answer, count: int) -> tuple[bool, ...]:
    """Return the dice of the first roll: those that succeed on average come first."""
    chance = next((step.chance for step in answer.steps if step.chance is not None), None)
    if not live.die or chance is None:
        return ()
    good = round(count * chance)
    return tuple(at < good for at in range(count))


def _figures(live: LiveExample, answer: Answer) -> tuple[float, ...]:
    """Return how much of each figure stands on average: whole ones first, one in part, the fallen last."""
    if not live.figures or not live.fallen:
        return ()
    count = min(int(getattr(answer.inputs, live.figures)), MOST_FIGURES)
    standing = count - float(answer.odds(live.fallen).mean)
    return tuple(min(1.0, max(0.0, standing - at)) for at in range(count))


def battles_in(folder: Path, titles: dict[str, str]) -> tuple[BattleOnFile, ...]:
    """Return the battles in a folder, the last one played first; files that are no battles are passed over."""
    found: list[tuple[float, BattleOnFile]] = []
    for place in folder.glob(BATTLES):
        try:
            text, played = read_file(place, -1).decode("utf-8", "replace"), place.stat().st_mtime
        except OSError:
            continue
        text = text.replace("\r\n", "\n")
        head = dict(re.findall(r"(?m)^(ruleset|title): (.*)$", text[:HEADER]))
        if not text.startswith("battletape battle ") or head.get("ruleset") not in titles:
            continue
        moves = len(re.findall(r"(?m)^\d+\. ", text))
        title = head.get("title") or place.stem
        found.append((played, BattleOnFile(place.name, title, titles[head["ruleset"]], moves)))
    return tuple(battle for _, battle in sorted(found, key=lambda pair: -pair[0])[:MOST_BATTLES])
