"""A heat map: one question asked with each of many profiles, as a table of averages and chances in steps of colour.

The rows are profiles that one input takes (targets). The columns are profiles of another input (weapons), with one
measure in the cells; or else the measures, one column each.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import islice
from time import monotonic
from typing import Any

from msgspec import Struct

from battletape.answer import Answer, ask, sample
from battletape.errors import BattletapeError
from battletape.inputs import Inputs, fields
from battletape.odds import Odds, percent
from battletape.system import Measure, Question, Ruleset
from battletape.tape.budget import Budget
from battletape.tape.exact import Memo
from battletape.views.chances import kind_of, number_text
from battletape.views.changed import Left, name_at, spread_given, value_at, with_changes
from battletape.views.controls import OWN_NUMBERS
from battletape.views.form import TONES
from battletape.views.picks import Path, picks

STEPS = 6
"""The colours go from step 0, nothing, to the last, the most."""
PALE = 0.05
"""If no chance is larger than this, all of them stay pale."""
LEAST = 0.02
"""Every cell gets at least this many seconds."""
TINY = Fraction(1, 1_000_000)
"""How much an answer may leave out."""
LEAN = 1.5
GLANCE, GLANCES = 1_000, 2
"""How many branches are followed to see which profiles differ at all, and against how many others."""
LOOKED, TRIED = 100_000, 30_000
"""How much work may go into that, and into finding rows that fit, counted in branches: about a second, and less than
half of one. A larger question would cost its worker, which is ended if it takes much longer."""
VALUES = 5
"""Reading so many values of a question is as much work as following a branch."""
ROLLS = 32
ASKED = "*"
"""The key of the numbers that the question was asked with."""
LATE = "not worked out in the time there is"


class Axis(Struct, frozen=True):
    """An input that takes a profile: its name in a form, its title, its kind of profile and the names that fit.

    If the question names no profile, its own numbers stand first, as a profile without a name.
    """

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
    is_late: bool = False  # there was no time for it


class Column(Struct, frozen=True):
    """A column: a profile or a measure."""

    key: str
    title: str
    note: str = ""


class HeatRow(Struct, frozen=True):
    """A row: a profile and its cells."""

    key: str
    name: str
    cells: tuple[Cell, ...]


class HeatView(Struct, frozen=True):
    """A heat map; `is_cut` if there was no time for all of it."""

    columns: tuple[Column, ...]
    rows: tuple[HeatRow, ...]
    whys: tuple[str, ...]  # the reasons why cells are empty; a cell names them by their number
    is_cut: bool


class Base(Struct, frozen=True, dict=True):
    """The question that is asked for each cell."""

    ruleset: Ruleset
    question: Question
    inputs: Inputs
    rulings: Inputs
    preset: str | None = None

    @cached_property
    def said(self) -> dict[str, Any]:
        """What a player says to ask it, entry by entry."""
        return spread_given(self.ruleset, self.question, self.inputs, self.rulings, self.preset)

    def given(self, changes: Mapping[str, str]) -> dict[str, Any]:
        """What a player says to ask it with these changes."""
        return with_changes(self.ruleset, self.question, self.inputs, self.said, changes, self._left)

    @cached_property
    def _left(self) -> Left:
        return {}

    @cached_property
    def reading(self) -> int:
        """How much work it is to read it, counted in branches."""
        return 1 + _count_values(self.inputs) // VALUES


def _count_values(value: Any) -> int:
    """How many values there are in an input and its entries."""
    if isinstance(value, Inputs):
        value = tuple(getattr(value, name) for name in value.__struct_fields__)
    return sum(map(_count_values, value)) if isinstance(value, tuple) else 1


def axes(base: Base) -> tuple[Axis, ...]:
    """Every input that takes a profile: a target first, then those that the question names before others."""
    profile_axes = []
    for path, pick in picks(base.ruleset, base.question).items():
        name = name_at(path)
        title, tone = _title(base.question, path)
        said = value_at(base.inputs, name)
        now = said if isinstance(said, str) else ""
        profile_axes.append(Axis(name, title, pick.kind, pick.names if now else ("", *pick.names), tone, now))
    profile_axes.sort(key=lambda axis: (axis.tone != "defend", not axis.now))
    return (*profile_axes[:1], *sorted(profile_axes[1:], key=lambda axis: (not axis.now, axis.tone != "defend")))


def goals(answer: Answer) -> tuple[Measure, ...]:
    """The measures that a cell can show: numbers and chances."""
    return tuple(
        measure
        for measure in answer.measures
        if measure.words is None and kind_of(answer.odds(measure.name), measure.unit) in ("number", "yes_no")
    )


def fitting(base: Base, axis: Axis, most: int) -> tuple[str, ...]:
    """Profiles of an input with which the question can be asked: the current one, then others from the whole book.

    Where it would be too much work to try more of them, they count as fitting; a cell says why it is empty.
    """
    size = len(axis.names)
    spread = {at * size // most for at in range(most)}
    first = axis.names.index(axis.now) if axis.now in axis.names else None
    order = sorted(range(size), key=lambda at: (at != first, at not in spread))
    tries = TRIED // base.reading
    fits = (at for done, at in enumerate(order) if done >= tries or _begins(base, picked(axis, axis.names[at])))
    return tuple(axis.names[at] for at in sorted(islice(fits, most), key=lambda at: (at != first, at)))


class Told(Struct, frozen=True):
    """The profiles that are worth a column, and how many were never looked at, because it would be too much work."""

    names: tuple[str, ...]
    unseen: int = 0


def telling(base: Base, axis: Axis, most: int, measure: Measure, against: Axis, targets: Sequence[str]) -> Told:
    """The profiles of an input that are worth a column: all if they are few; otherwise those that differ, best first.

    Of many weapons some do the same to every target, and many do nothing. So one of each kind is shown, by what it does
    to a few of the targets. Neither the clock nor what is known already has a say in it, so the same address shows the
    same columns everywhere.
    """
    few = dict.fromkeys([against.now, *targets[:: max(len(targets) // GLANCES, 1)]][: GLANCES + 1])
    kinds: dict[tuple[float, ...], str] = {}
    fits: list[str] = []
    memo, left = Memo(), LOOKED  # what is known already would show more of some
    unseen = deque(sorted(axis.names, key=lambda name: name != axis.now))
    while unseen and left > 0:
        name = unseen.popleft()
        left -= base.reading
        if not _begins(base, picked(axis, name)):
            continue
        fits.append(name)
        if len(axis.names) > most:
            glances = [_glance(base, picked(against, other) | picked(axis, name), measure, memo) for other in few]
            left -= sum(spent for _, spent in glances)
            kinds.setdefault(tuple(figure for figure, _ in glances), name)
    if len(fits) + len(unseen) <= most:
        return Told((*fits, *unseen))
    first = [name for name in fits if name == axis.now]
    best = [kinds[key] for key in sorted(kinds, key=lambda key: (-sum(key), key)) if any(key)]
    others = [name for name in best if name not in first]
    room = most - len(first)
    if len(others) > room:  # closer together where they do much
        places = dict.fromkeys(round((at / (room - 1)) ** LEAN * (len(others) - 1)) for at in range(room))
        more = (at for at in range(len(others)) if at not in places)
        others = [others[at] for at in sorted([*places, *islice(more, room - len(places))])]
    idle = [name for name in kinds.values() if name not in best and name not in first]
    return Told((*first, *others, *idle, *unseen)[:most], len(unseen))


def _glance(base: Base, changes: Mapping[str, str], measure: Measure, memo: Memo) -> tuple[float, int]:
    """About what a cell will show, nothing if the question does not fit; and the work it was, counted in branches."""
    given, budget = base.given(changes), Budget(branches=GLANCE)
    try:
        got = ask(base.ruleset, base.question, given, budget=budget, measures=[measure.name], memo=memo)
    except BattletapeError:
        return 0.0, base.reading
    figure = round(_figure(measure, got.odds(measure.name))[0], 6) if got.states.weights else 0.0
    return figure, base.reading + got.spent


def picked(axis: Axis, name: str) -> dict[str, str]:
    """What changes with this profile; nothing with the numbers that the question was asked with."""
    return {axis.name: name} if name else {}


def heat(
    base: Base,
    rows: tuple[Axis, Sequence[str]],
    columns: tuple[Axis, Sequence[str]] | None,
    measures: Sequence[Measure],
    seconds: float,
) -> HeatView:
    """The heat map of these profiles: against those of another input, or measure by measure."""
    heads = _heads(columns, measures)
    whys: dict[str, int] = {}
    changes = [
        picked(rows[0], name) | (picked(columns[0], other) if columns else {})
        for name in rows[1]
        for other in (columns[1] if columns else ("",))
    ]
    shown = measures[:1] if columns else measures
    answers = _answers(base, changes, [measure.name for measure in shown], seconds)
    raw = [_raw(base, change, got, measure) for change, got in zip(changes, answers, strict=True) for measure in shown]
    table = [raw[at : at + len(heads)] for at in range(0, len(raw), len(heads))]
    for row in table:
        for cell in row:
            if cell.why:
                whys.setdefault(cell.why, len(whys) + 1)
    made = tuple(
        HeatRow(
            name or ASKED,
            name or OWN_NUMBERS,
            tuple(_cell(cell, _scale(table, at, bool(columns)), whys) for at, cell in enumerate(cells)),
        )
        for name, cells in zip(rows[1], table, strict=True)
    )
    return HeatView(heads, made, tuple(whys), LATE in whys)


class _Raw(Struct, frozen=True):
    """A cell before its colour is known."""

    value: float | None
    text: str
    why: str
    given: Mapping[str, Any] | None


def _answers(
    base: Base, changes: Sequence[Mapping[str, str]], measures: Sequence[str], seconds: float
) -> list[Answer | str]:
    """The answer to each, or why there is none: quick ones first, then the others one by one."""
    now = monotonic()
    got: list[Answer | str] = [LATE] * len(changes)
    for until, fewest in ((now + seconds / 3, len(changes) / 4), (now + seconds, 3.0)):
        for at in [at for at, answer in enumerate(got) if answer == LATE]:
            left = until - monotonic()
            if left > 0:
                got[at] = _answer(base, changes[at], measures, max(left / max(fewest, 1), LEAST))
    return got


def _answer(base: Base, changes: Mapping[str, str], measures: Sequence[str], seconds: float) -> Answer | str:
    """An answer, or why there is none."""
    try:
        budget = Budget(seconds=seconds)
        answer = ask(base.ruleset, base.question, base.given(changes), budget=budget, measures=measures)
    except BattletapeError as error:
        return str(error)
    return answer if answer.states.unexplored < TINY and not answer.caveat else LATE


def _raw(base: Base, changes: Mapping[str, str], got: Answer | str, measure: Measure) -> _Raw:
    if isinstance(got, str):
        return _Raw(None, "", got, None)
    return _Raw(*_figure(measure, got.odds(measure.name)), "", base.given(changes))


def few_rolls(base: Base, changes: Mapping[str, str], measures: Sequence[str] = ()) -> Answer:
    """A few rolls, always the same, that show the kind of each measure."""
    given, budget = base.given(changes), Budget(branches=GLANCE)
    return sample(base.ruleset, base.question, given, ROLLS, seed=1, budget=budget, memo=Memo(), measures=measures)


def rolled_with(base: Base, changes: Mapping[str, str], measures: Sequence[str] = ()) -> Answer | None:
    """A few rolls; None if the question does not fit."""
    try:
        return few_rolls(base, changes, measures)
    except BattletapeError:
        return None


def _begins(base: Base, changes: Mapping[str, str]) -> bool:
    """Whether the question can be asked like this; nothing is worked out."""
    try:
        inputs, rulings = base.ruleset.split(base.question, base.given(changes))
        base.question.begin(inputs, rulings)
    except BattletapeError:
        return False
    return True


def _heads(columns: tuple[Axis, Sequence[str]] | None, measures: Sequence[Measure]) -> tuple[Column, ...]:
    if columns is not None:
        return tuple(Column(name or ASKED, name or OWN_NUMBERS) for name in columns[1])
    return tuple(Column(measure.name, measure.title, "on average" if measure.unit else "") for measure in measures)


def _figure(measure: Measure, odds: Odds[Any]) -> tuple[float, str]:
    kind = kind_of(odds, measure.unit)
    if kind == "yes_no":
        chance = odds.chance(bool)
        return float(chance), percent(chance)
    mean = float(odds.mean) if kind == "number" else 0.0
    return mean, number_text(mean)


def _scale(table: Sequence[Sequence[_Raw]], at: int, shared: bool) -> float:
    """The largest value of the table, or of a column."""
    cells: Iterable[_Raw] = (cell for row in table for cell in row) if shared else (row[at] for row in table)
    known = [(abs(cell.value), cell.text) for cell in cells if cell.value is not None]
    most = max((value for value, _ in known), default=0.0)
    return max(most, PALE) if all(text.endswith("%") for _, text in known) else most


def _cell(cell: _Raw, most: float, whys: Mapping[str, int]) -> Cell:
    value = cell.value
    if value is None:
        return Cell(None, "", 0, str(whys[cell.why]), is_late=cell.why == LATE)
    step = min(STEPS - 1, int(abs(value) / most * (STEPS - 1) + 0.5)) if most and value else 0
    return Cell(value, cell.text, max(step, 1) if value else 0, given=cell.given)


def _title(question: Question, path: Path) -> tuple[str, str]:
    """The title of an input, and the tone of its group."""
    known = {field.name: field for field in fields(question.inputs)}
    tone = TONES.get(known[path[0]].group, "around")
    title = ""
    for name in path:
        title = known[name].title
        item = known[name].item
        known = {field.name: field for field in fields(item)} if item is not None else {}
    return title, tone
