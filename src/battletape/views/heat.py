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
from battletape.errors import BattletapeError, Called, own_name
from battletape.inputs import Inputs, fields
from battletape.odds import Odds, percent
from battletape.system import Measure, Question, Ruleset
from battletape.tape.exact import Memo
from battletape.tape.limits import Budget
from battletape.views.chances import kind_of, number_text
from battletape.views.changed import Left, name_at, spread_given, value_at, with_changes
from battletape.views.controls import OWN_NUMBERS
from battletape.views.form import TONES
from battletape.views.profile_choices import Path, profile_choices

COLOUR_STEPS = 6
"""The colours go from step 0, nothing, to the last, the most."""
PALE_UP_TO = 0.05
"""If no chance is larger than this, all of them stay pale."""
SURE_BRANCHES, CELL_BRANCHES, AMPLE_SECONDS = 60_000, 200_000, 1.0
"""How many branches a cell may follow whatever the clock says, in a second at most, so that every try gets on; and how
many at all, for which a try has at least so many seconds. What is more is too much for a cell on every machine."""
MAX_LEFT_OUT = Fraction(1, 1_000_000)
"""How much an answer may leave out."""
LEAN = 1.5
GLANCE_BRANCHES, MAX_GLANCES = 1_000, 2
"""How many branches are followed to see which profiles differ at all, and against how many others."""
GLANCE_WORK, FITTING_WORK = 100_000, 30_000
"""How much work may go into that, and into finding rows that fit, counted in branches: about a second, and less than
half of one. A larger question would cost its worker, which is ended if it takes much longer."""
VALUES_PER_BRANCH = 5
"""Reading so many values of a question is as much work as following a branch."""
ROLLS = 32
ASKED = "*"
"""The key of the numbers that the question was asked with."""
NOT_YET = "not worked out in the time there was; asked again, it comes"
TOO_MUCH = "too much work to stand here; asked alone, it may have an answer"


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
    is_open: bool = False  # it is not worked out yet


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
    """A heat map, as far as it is worked out."""

    columns: tuple[Column, ...]
    rows: tuple[HeatRow, ...]
    whys: tuple[str, ...]  # the reasons why cells are empty; a cell names them by their number

    @property
    def total(self) -> int:
        """How many cells it has."""
        return len(self.rows) * len(self.columns)

    @property
    def done(self) -> int:
        """How many of them are worked out, or cannot be."""
        return sum(not cell.is_open for row in self.rows for cell in row.cells)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to do."""
        return self.done == self.total


class Figure(Struct, frozen=True, array_like=True):
    """What a cell shows, as it was worked out: a value and its text, or why there is none."""

    value: float | None
    text: str
    why: str = ""
    is_chance: bool = False


Figures = dict[int, tuple[Figure, ...]]
"""What is worked out: of each question in the order of rows and columns, a figure for each measure."""


class TimeSlice:
    """A stretch of time in which many small questions are worked out one by one.

    The first may take what it needs, counted in branches: however busy the machine is, every slice gets on.
    """

    def __init__(self, seconds: float) -> None:
        self.until, self.is_ample = monotonic() + seconds, seconds >= AMPLE_SECONDS
        self.is_first = True
        self.is_last = False  # what is left did not fit into the seconds, and has them no more

    def budget(self) -> Budget | None:
        """Return what the next question may take; None if the time is over."""
        if self.is_first:
            self.is_first = False
            return Budget(branches=CELL_BRANCHES if self.is_ample else SURE_BRANCHES)
        left = self.until - monotonic()
        return Budget(branches=CELL_BRANCHES, seconds=None if self.is_last else left) if left > 0 else None


def is_exact(answer: Answer) -> bool:
    """Return whether next to nothing was left out."""
    return answer.states.unexplored < MAX_LEFT_OUT and not answer.caveat


def is_too_much(budget: Budget) -> bool:
    """Return whether what does not fit into this budget fits into no other."""
    return budget.seconds is None and budget.branches >= CELL_BRANCHES


class CellQuestion(Struct, frozen=True, dict=True):
    """The question that is asked for each cell."""

    ruleset: Ruleset
    question: Question
    inputs: Inputs
    rulings: Inputs
    preset: str | None = None
    called: Called = own_name  # how a page calls an input

    def reason(self, error: BattletapeError) -> str:
        """Return why a cell is empty, in the words of the page."""
        return error.sentence(self.called)

    @cached_property
    def entries(self) -> dict[str, Any]:
        """What a player says to ask it, entry by entry."""
        return spread_given(self.ruleset, self.question, self.inputs, self.rulings, self.preset)

    def given(self, changes: Mapping[str, str]) -> dict[str, Any]:
        """Return what a player says to ask it with these changes."""
        return with_changes(self.ruleset, self.question, self.inputs, self.entries, changes, self._left)

    @cached_property
    def _left(self) -> Left:
        return {}

    @cached_property
    def reading(self) -> int:
        """How much work it is to read it, counted in branches."""
        return 1 + _count_values(self.inputs) // VALUES_PER_BRANCH


def _count_values(value: Any) -> int:
    """Return how many values there are in an input and its entries."""
    if isinstance(value, Inputs):
        value = tuple(getattr(value, name) for name in value.__struct_fields__)
    return sum(map(_count_values, value)) if isinstance(value, tuple) else 1


def axes(base: CellQuestion) -> tuple[Axis, ...]:
    """Return every input that takes a profile: a target first, then those that the question names before others."""
    profile_axes = []
    for path, pick in profile_choices(base.ruleset, base.question).items():
        name = name_at(path)
        title, tone = _title(base.question, path)
        value = value_at(base.inputs, name)
        now = value if isinstance(value, str) else ""
        profile_axes.append(Axis(name, title, pick.kind, pick.names if now else ("", *pick.names), tone, now))
    profile_axes.sort(key=lambda axis: (axis.tone != "defend", not axis.now))
    return (*profile_axes[:1], *sorted(profile_axes[1:], key=lambda axis: (not axis.now, axis.tone != "defend")))


def goals(answer: Answer) -> tuple[Measure, ...]:
    """Return the measures that a cell can show: numbers and chances."""
    return tuple(
        measure
        for measure in answer.measures
        if measure.words is None and kind_of(answer.odds(measure.name), measure.unit) in ("number", "yes_no")
    )


def fitting(base: CellQuestion, axis: Axis, most: int) -> tuple[str, ...]:
    """Profiles of an input with which the question can be asked: the current one, then others from the whole book.

    Where it would be too much work to try more of them, they count as fitting; a cell says why it is empty.
    """
    size = len(axis.names)
    spread = {at * size // most for at in range(most)}
    first = axis.names.index(axis.now) if axis.now in axis.names else None
    order = sorted(range(size), key=lambda at: (at != first, at not in spread))
    tries = FITTING_WORK // base.reading
    fits = (at for tried, at in enumerate(order) if tried >= tries or _begins(base, picked(axis, axis.names[at])))
    return tuple(axis.names[at] for at in sorted(islice(fits, most), key=lambda at: (at != first, at)))


class ChosenProfiles(Struct, frozen=True):
    """The profiles that are worth a column, and how many were never looked at, because it would be too much work."""

    names: tuple[str, ...]
    unseen: int = 0


def telling(
    base: CellQuestion, axis: Axis, most: int, measure: Measure, against: Axis, targets: Sequence[str]
) -> ChosenProfiles:
    """Return the profiles of an input that are worth a column: all if they are few, else those that differ, best first.

    Of many weapons some do the same to every target, and many do nothing. So one of each kind is shown, by what it does
    to a few of the targets. Neither the clock nor what is known already has a say in it, so the same address shows the
    same columns everywhere.
    """
    few = dict.fromkeys([against.now, *targets[:: max(len(targets) // MAX_GLANCES, 1)]][: MAX_GLANCES + 1])
    kinds: dict[tuple[float, ...], str] = {}
    fits: list[str] = []
    memo, left = Memo(), GLANCE_WORK  # what is known already would show more of some
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
        return ChosenProfiles((*fits, *unseen))
    first = [name for name in fits if name == axis.now]
    best = [kinds[key] for key in sorted(kinds, key=lambda key: (-sum(key), key)) if any(key)]
    others = [name for name in best if name not in first]
    room = most - len(first)
    if len(others) > room:  # closer together where they do much
        places = dict.fromkeys(round((at / (room - 1)) ** LEAN * (len(others) - 1)) for at in range(room))
        more = (at for at in range(len(others)) if at not in places)
        others = [others[at] for at in sorted([*places, *islice(more, room - len(places))])]
    idle = [name for name in kinds.values() if name not in best and name not in first]
    return ChosenProfiles((*first, *others, *idle, *unseen)[:most], len(unseen))


def _glance(base: CellQuestion, changes: Mapping[str, str], measure: Measure, memo: Memo) -> tuple[float, int]:
    """Return roughly what a cell will show, nothing if the question does not fit.

    And the work it was, counted in branches.
    """
    given, budget = base.given(changes), Budget(branches=GLANCE_BRANCHES)
    try:
        answer = ask(base.ruleset, base.question, given, budget=budget, measures=[measure.name], memo=memo)
    except BattletapeError:
        return 0.0, base.reading
    figure = round(_figure(measure, answer.odds(measure.name)).value or 0.0, 6) if answer.states.weights else 0.0
    return figure, base.reading + answer.spent


def picked(axis: Axis, name: str) -> dict[str, str]:
    """Return what changes with this profile; nothing with the numbers that the question was asked with."""
    return {axis.name: name} if name else {}


class Layout(Struct, frozen=True):
    """What stands in a heat map: profiles in rows, and in columns profiles of another input or measures."""

    base: CellQuestion
    rows: tuple[Axis, Sequence[str]]
    columns: tuple[Axis, Sequence[str]] | None
    measures: Sequence[Measure]

    @property
    def shown(self) -> Sequence[Measure]:
        """The measures of one question."""
        return self.measures[:1] if self.columns else self.measures

    @property
    def questions(self) -> list[dict[str, str]]:
        """What changes in each of its questions, row by row."""
        columns = self.columns
        return [
            picked(self.rows[0], name) | (picked(columns[0], other) if columns else {})
            for name in self.rows[1]
            for other in (columns[1] if columns else ("",))
        ]

    @property
    def order(self) -> list[int]:
        """The order of work: what was asked itself, its row and its column, then the rest row by row."""
        names = self.columns[1] if self.columns else ("",)
        is_row = [name == self.rows[0].now for name in self.rows[1]]
        is_column = [self.columns is None or name == self.columns[0].now for name in names]
        places = [(row, column) for row in range(len(is_row)) for column in range(len(names))]

        def rank(at: int) -> tuple[bool, bool, bool]:
            row, column = places[at]
            return not (is_row[row] and is_column[column]), not is_row[row], not is_column[column]

        return sorted(range(len(places)), key=rank)


def work_on(layout: Layout, figures: Figures, hard: set[int], seconds: float) -> bool:
    """Work out more of a heat map, in about so many seconds; False if nothing was added to the figures.

    Questions that were too much for the first of a slice are hard: they come last, where there is more time.
    """
    time_slice, before, questions = TimeSlice(seconds), len(figures), layout.questions
    for _ in range(2 if time_slice.is_ample else 1):
        for at in sorted((at for at in layout.order if at not in figures), key=lambda at: at in hard):
            budget = time_slice.budget()
            if budget is None:
                break
            found = _figures(layout, questions[at], budget)
            if found is not None:
                figures[at] = found
            elif budget.seconds is None:
                hard.add(at)
        time_slice.is_last = True
    return len(figures) > before


def _figures(layout: Layout, changes: Mapping[str, str], budget: Budget) -> tuple[Figure, ...] | None:
    """Return the figures of one question, or why it has none; None if it needs more time."""
    base, names = layout.base, [measure.name for measure in layout.shown]
    try:
        answer = ask(base.ruleset, base.question, base.given(changes), budget=budget, measures=names)
    except BattletapeError as error:
        return (Figure(None, "", base.reason(error)),) * len(names)
    if is_exact(answer):
        return tuple(_figure(measure, answer.odds(measure.name)) for measure in layout.shown)
    return (Figure(None, "", TOO_MUCH),) * len(names) if is_too_much(budget) else None


def heat(layout: Layout, figures: Figures) -> HeatView:
    """Return a heat map as far as its figures are known."""
    heads = _heads(layout.columns, layout.measures)
    whys: dict[str, int] = {}
    raw: list[tuple[Figure | None, Mapping[str, str]]] = []
    for at, changes in enumerate(layout.questions):
        known: Sequence[Figure | None] = figures.get(at, (None,) * len(layout.shown))
        raw += [(figure, changes) for figure in known]
    table = [raw[at : at + len(heads)] for at in range(0, len(raw), len(heads))]
    for figure, _ in raw:
        if figure is not None and figure.why:
            whys.setdefault(figure.why, len(whys) + 1)
    scales = [
        _scale([[figure for figure, _ in row] for row in table], at, bool(layout.columns)) for at in range(len(heads))
    ]
    rows = tuple(
        HeatRow(
            name or ASKED,
            name or OWN_NUMBERS,
            tuple(_cell(layout.base, *cell, scales[at], whys) for at, cell in enumerate(cells)),
        )
        for name, cells in zip(layout.rows[1], table, strict=True)
    )
    return HeatView(heads, rows, tuple(whys))


def few_rolls(base: CellQuestion, changes: Mapping[str, str], measures: Sequence[str] = ()) -> Answer:
    """Return a few rolls, always the same, that show the kind of each measure."""
    given, budget = base.given(changes), Budget(branches=GLANCE_BRANCHES)
    return sample(base.ruleset, base.question, given, ROLLS, seed=1, budget=budget, memo=Memo(), measures=measures)


def rolled_with(base: CellQuestion, changes: Mapping[str, str], measures: Sequence[str] = ()) -> Answer | None:
    """Return a few rolls; None if the question does not fit."""
    try:
        return few_rolls(base, changes, measures)
    except BattletapeError:
        return None


def _begins(base: CellQuestion, changes: Mapping[str, str]) -> bool:
    """Return whether the question can be asked like this; nothing is worked out."""
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


def _figure(measure: Measure, odds: Odds[Any]) -> Figure:
    kind = kind_of(odds, measure.unit)
    if kind == "yes_no":
        chance = odds.chance(bool)
        return Figure(float(chance), percent(chance), is_chance=True)
    mean = float(odds.mean) if kind == "number" else 0.0
    return Figure(mean, number_text(mean))


def _scale(table: Sequence[Sequence[Figure | None]], at: int, shared: bool) -> float:
    """Return the largest value of the table, or of a column."""
    cells: Iterable[Figure | None] = (cell for row in table for cell in row) if shared else (row[at] for row in table)
    known = [(abs(cell.value), cell.is_chance) for cell in cells if cell is not None and cell.value is not None]
    most = max((value for value, _ in known), default=0.0)
    return max(most, PALE_UP_TO) if all(is_chance for _, is_chance in known) else most


def _cell(
    base: CellQuestion, figure: Figure | None, changes: Mapping[str, str], most: float, whys: Mapping[str, int]
) -> Cell:
    if figure is None:
        return Cell(None, "", 0, is_open=True)
    value = figure.value
    if value is None:
        return Cell(None, "", 0, str(whys[figure.why]))
    step = min(COLOUR_STEPS - 1, int(abs(value) / most * (COLOUR_STEPS - 1) + 0.5)) if most and value else 0
    return Cell(value, figure.text, max(step, 1) if value else 0, given=base.given(changes))


def _title(question: Question, path: Path) -> tuple[str, str]:
    """Return the title of an input, and the tone of its group."""
    known = {field.name: field for field in fields(question.inputs)}
    tone = TONES.get(known[path[0]].group, "around")
    title = ""
    for name in path:
        title = known[name].title
        item = known[name].item
        known = {field.name: field for field in fields(item)} if item is not None else {}
    return title, tone
