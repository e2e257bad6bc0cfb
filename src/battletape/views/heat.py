"""A heat map: one question asked with each of many profiles, as a table of averages and chances in steps of colour.

The rows are profiles that one input takes (targets). The columns are profiles of another input (weapons), with one
measure in the cells; or else the measures, one column each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from time import monotonic
from typing import Any

from msgspec import Struct

from battletape.answer import Answer, ask
from battletape.errors import BattletapeError
from battletape.inputs import Inputs, fields
from battletape.odds import Odds, percent
from battletape.system import Measure, Question, Ruleset
from battletape.tape.budget import Budget
from battletape.views.chances import kind_of, number_text
from battletape.views.changed import changed_given, name_at, value_at
from battletape.views.form import TONES
from battletape.views.picks import Path, picks

STEPS = 6
"""The colours go from step 0, nothing, to the last, the most."""
PALE = 0.05
"""Where no chance is larger than this, all of them stay pale."""
LEAST = 0.02
"""A cell gets no less of the time than this, so that the first ones do not use it all up."""


class Axis(Struct, frozen=True):
    """An input that takes a profile: its name in a form, its title, its kind of profile and the names that fit."""

    name: str
    title: str
    kind: str
    names: tuple[str, ...]
    tone: str
    now: str  # the profile that the question names


class Cell(Struct, frozen=True):
    """One cell: its value, as a text, and its step of colour; or why there is none."""

    value: float | None
    text: str
    step: int
    why: str = ""
    given: Mapping[str, Any] | None = None  # what to say to ask it


class Column(Struct, frozen=True):
    """A column: a profile or a measure."""

    key: str
    title: str
    note: str = ""


class HeatRow(Struct, frozen=True):
    """A row: a profile and its cells."""

    name: str
    cells: tuple[Cell, ...]


class HeatView(Struct, frozen=True):
    """A heat map; `is_cut` where there was no time for all of it."""

    columns: tuple[Column, ...]
    rows: tuple[HeatRow, ...]
    whys: tuple[str, ...]  # the reasons why cells are empty; a cell names them by their number
    is_cut: bool


class Base(Struct, frozen=True):
    """The question that is asked again and again."""

    ruleset: Ruleset
    question: Question
    inputs: Inputs
    rulings: Inputs
    preset: str | None = None


def axes(base: Base) -> tuple[Axis, ...]:
    """Every input that takes a profile, targets first."""
    found = []
    for path, pick in picks(base.ruleset, base.question).items():
        name = name_at(path)
        title, tone = _title(base.question, path)
        now = value_at(base.inputs, name)
        found.append(Axis(name, title, pick.kind, pick.names, tone, now if isinstance(now, str) else ""))
    return tuple(sorted(found, key=lambda one: one.tone != "defend"))


def goals(question: Question, answer: Answer) -> tuple[Measure, ...]:
    """The measures that a cell can show: numbers and chances."""
    return tuple(
        one
        for one in question.measures
        if one.words is None and kind_of(answer.odds(one.name), one.unit) in ("number", "yes_no")
    )


def fitting(base: Base, axis: Axis, most: int, until: float) -> tuple[str, ...]:
    """Profiles of an input with which the question can be asked: the one it names, and others from all of the book."""
    found: list[str] = []
    for name in axis.names:
        if monotonic() < until and _begins(base, {axis.name: name}):
            found.append(name)
    if len(found) <= most:
        return tuple(found)
    spread = [found[at * len(found) // most] for at in range(most)]
    return tuple(spread) if axis.now in spread or axis.now not in found else (axis.now, *spread[1:])


def heat(
    base: Base,
    rows: tuple[Axis, Sequence[str]],
    columns: tuple[Axis, Sequence[str]] | None,
    measures: Sequence[Measure],
    seconds: float,
) -> HeatView:
    """The heat map of these profiles: against those of another input, or measure by measure."""
    until = monotonic() + seconds
    heads = _heads(columns, measures)
    whys: dict[str, int] = {}
    is_cut = False
    table: list[list[_Raw]] = []
    left = len(rows[1]) * (len(columns[1]) if columns else 1)
    for name in rows[1]:
        cells: list[_Raw] = []
        for other in columns[1] if columns else ("",):
            changes = {rows[0].name: name} | ({columns[0].name: other} if columns else {})
            share = max((until - monotonic()) / max(left, 1) * 4, LEAST)
            got = answer_with(base, changes, share) if monotonic() < until else LATE
            left -= 1
            is_cut = is_cut or got == LATE or (isinstance(got, Answer) and bool(got.states.unexplored_weight))
            given = None if isinstance(got, str) else _given(base, changes)
            cells += [
                _Raw(None, "", got, None)
                if isinstance(got, str)
                else _Raw(*_figure(one, got.odds(one.name)), "", given)
                for one in (measures[:1] if columns else measures)
            ]
        table.append(cells)
    for row in table:
        for cell in row:
            if cell.why:
                whys.setdefault(cell.why, len(whys) + 1)
    made = tuple(
        HeatRow(name, tuple(_cell(cell, _scale(table, at, bool(columns)), whys) for at, cell in enumerate(cells)))
        for name, cells in zip(rows[1], table, strict=True)
    )
    return HeatView(heads, made, tuple(whys), is_cut)


LATE = "there was no time left for it"


class _Raw(Struct, frozen=True):
    """A cell before its colour is known."""

    value: float | None
    text: str
    why: str
    given: Mapping[str, Any] | None


def answer_with(base: Base, changes: Mapping[str, str], seconds: float) -> Answer | str:
    """An answer, or why there is none."""
    try:
        answer = ask(base.ruleset, base.question, _given(base, changes), budget=Budget(seconds=seconds))
    except BattletapeError as error:
        return str(error)
    return answer if answer.states.weights else LATE


def _begins(base: Base, changes: Mapping[str, str]) -> bool:
    """Whether the question can be asked so; nothing is worked out yet."""
    try:
        inputs, rulings = base.ruleset.split(base.question, _given(base, changes))
        base.question.begin(inputs, rulings)
    except BattletapeError:
        return False
    return True


def _given(base: Base, changes: Mapping[str, str]) -> dict[str, Any]:
    return changed_given(base.ruleset, base.question, base.inputs, base.rulings, base.preset, changes)


def _heads(columns: tuple[Axis, Sequence[str]] | None, measures: Sequence[Measure]) -> tuple[Column, ...]:
    if columns is not None:
        return tuple(Column(name, name) for name in columns[1])
    return tuple(Column(one.name, one.title, "on average" if one.unit else "") for one in measures)


def _figure(measure: Measure, odds: Odds[Any]) -> tuple[float, str]:
    kind = kind_of(odds, measure.unit)
    if kind == "yes_no":
        chance = odds.chance(bool)
        return float(chance), percent(chance)
    mean = float(odds.mean) if kind == "number" else 0.0
    return mean, number_text(mean)


def _scale(table: Sequence[Sequence[_Raw]], at: int, shared: bool) -> float:
    """What counts as the most: in all of the table, or in a column."""
    cells: Iterable[_Raw] = (cell for row in table for cell in row) if shared else (row[at] for row in table)
    known = [(abs(one.value), one.text) for one in cells if one.value is not None]
    most = max((value for value, _ in known), default=0.0)
    return max(most, PALE) if all(text.endswith("%") for _, text in known) else most


def _cell(cell: _Raw, most: float, whys: Mapping[str, int]) -> Cell:
    value = cell.value
    if value is None:
        return Cell(None, "", 0, str(whys[cell.why]))
    step = min(STEPS - 1, int(abs(value) / most * (STEPS - 1) + 0.5)) if most and value else 0
    return Cell(value, cell.text, max(step, 1) if value else 0, given=cell.given)


def _title(question: Question, path: Path) -> tuple[str, str]:
    """The title of an input, and the tone of its group."""
    known = {one.name: one for one in fields(question.inputs)}
    tone = TONES.get(known[path[0]].group, "around")
    title = ""
    for name in path:
        title = known[name].title
        item = known[name].item
        known = {one.name: one for one in fields(item)} if item is not None else {}
    return title, tone
