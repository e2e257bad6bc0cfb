"""The heat map: one question against a list of targets, or weapons against targets.

In the address, `_rows` and `_cols` name the inputs whose profiles stand in rows and columns (`_cols=measures`: one
column for each measure), `_row` and `_col` the profiles themselves, and `_sort` the column that sorts the rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from time import monotonic
from typing import Any
from urllib.parse import quote_plus

import msgspec
from fastapi import APIRouter, Request, Response
from msgspec import Struct
from msgspec.structs import replace

from battletape.answer import Answer
from battletape.errors import BadInput, BattletapeError, UnknownName
from battletape.inputs import Inputs
from battletape.system import Measure
from battletape.views import heat
from battletape.views.answer_summary import leading_measures
from battletape.views.changed import flat_given
from battletape.views.export import Grid
from battletape.views.question_text import AS_USUAL, input_texts
from battletape.views.question_text import InputText as ToldInput
from battletape.web import error_replies
from battletape.web.forms import BLANK, Pairs, write_address
from battletape.web.jobs import Job, NotHere, Reply, ReplyForm, job
from battletape.web.limits import LIMITS
from battletape.web.own_profiles import OWN, own_text
from battletape.web.pages import asking
from battletape.web.pages.asking import AskedQuestion
from battletape.web.pages.takeaway import GRIDS, file_of, grid_file, need_grid
from battletape.web.pages.whatif import base_of
from battletape.web.rendering import render
from battletape.web.worker_pool import UnfinishedResults

router = APIRouter(include_in_schema=False)
OURS = ("rows", "cols", "row", "col", "sort", "form")
KEPT = (f"_{OWN}", f"_{BLANK}")
"""Values of the page that belong to the question."""
MEASURES = "measures"
ROWS, COLUMNS, FIGURES = 24, 10, 8
"""How many are shown by default: profiles in rows, in columns, and measures in columns."""
MOST_ROWS, MOST_COLUMNS = 48, 16
TRIES = 20
"""How often a file is tried without getting on; then it has the cells that there are."""


class HeatChoice(Struct, frozen=True):
    """What stands in rows and columns."""

    axes: tuple[heat.Axis, ...]
    rows: heat.Axis
    row_names: tuple[str, ...]
    cols: heat.Axis | None
    col_names: tuple[str, ...]
    measures: tuple[Measure, ...]  # those that a cell can show
    measure: Measure
    unseen: int  # profiles that were not looked at when columns were chosen


class HeatNotes(Struct, frozen=True, array_like=True):
    """A heat map as far as it was worked out: what was chosen for it, what its heading says, and its figures."""

    row_names: tuple[str, ...]
    col_names: tuple[str, ...]
    measures: tuple[str, ...]
    measure: str
    unseen: int
    asks: str
    figures: heat.Figures
    hard: frozenset[int]


read_notes = msgspec.msgpack.Decoder(HeatNotes).decode


class HeatPage(Struct, frozen=True):
    """A heat map to show, and its notes for the job that goes on with it."""

    base: heat.CellQuestion
    chosen: HeatChoice
    view: heat.HeatView
    wanted: Sequence[Measure]
    asks: str
    found: bytes
    got_on: bool  # whether anything was added


@router.get("/{ruleset}/{question}/targets")
async def targets(request: Request, ruleset: str, question: str) -> Response:
    """Reply with a question against a list of targets: what is worked out at once, the rest goes on."""
    return asking.respond(request, await _get_on(request, "targets_page", ruleset, question))


@router.get("/{ruleset}/{question}/targets/more")
async def targets_goes_on(request: Request, ruleset: str, question: str) -> Response:
    """Reply with the table of a heat map with more of its cells."""
    return asking.respond(request, await _get_on(request, "targets_more", ruleset, question))


@router.get("/{ruleset}/{question}/targets.{ending}")
async def targets_file(request: Request, ruleset: str, question: str, ending: str) -> Response:
    """Reply with a heat map as a file, once it is whole; a kind of file that there is not is refused before."""
    given = {"ruleset": ruleset, "question": question, "pairs": asking.pairs_of(request), "ending": ending}
    if ending not in GRIDS:
        return await file_of(request, "targets_export", given)
    reply = await _get_on(request, "targets_more", ruleset, question)
    idle = 0
    while reply.status == 200 and not reply.keep and idle < TRIES:
        before = reply.found
        reply = await _get_on(request, "targets_more", ruleset, question)
        idle = idle + 1 if reply.found == before else 0
    return await file_of(request, "targets_export", given | {"found": reply.found})


async def _get_on(request: Request, name: str, ruleset: str, question: str) -> Reply:
    """Work on a heat map from where the last request left it."""
    if len(request.url.query) > LIMITS.query:
        sentence = f"an address may have at most {LIMITS.query:,} characters; got {len(request.url.query):,}."
        return error_replies.error_reply(414, sentence, asking.reply_form_of(request))
    pairs = asking.pairs_of(request)
    settings = sorted({pair for pair in pairs if pair[0] not in ("_sort", "_form")})
    key = sha256(msgspec.msgpack.encode((ruleset, question, settings))).digest()
    unfinished: UnfinishedResults = request.app.state.unfinished_results
    given = {"ruleset": ruleset, "question": question, "pairs": pairs, "found": unfinished.find(key)}
    reply = await asking.have_done(request, Job(name, asking.reply_form_of(request), given), " heat map")
    if reply.found:
        unfinished.put(key, reply.found)
    return reply


@job
def targets_export(
    *, seconds: float, reply_form: ReplyForm, ruleset: str, question: str, pairs: Pairs, ending: str, found: bytes = b""
) -> Reply:
    """Reply with the table of a heat map as a file."""
    asked = asking.read_asked(ruleset, question, pairs)
    need_grid(ending)
    heat_page = _worked_out(asked, pairs, seconds, found)
    if heat_page is None:
        raise NotHere(f"“{asked.question.title}” takes no profiles by their names, so there is no heat map of it.")
    chosen, view = heat_page.chosen, _sorted(heat_page.view, asked.sent.page.get("sort", ""))
    head = (chosen.rows.title, *(column.title for column in view.columns))
    rows = tuple((row.name, *(cell.text for cell in row.cells)) for row in view.rows)
    shares = tuple(tuple(cell.step / (heat.COLOUR_STEPS - 1) for cell in row.cells) for row in view.rows)
    about = (asked.question.title, heat_page.asks, *filter(None, [_unseen(chosen)]))
    grid = Grid(_heat_sentence(chosen, view), about, head, rows, shares)
    return grid_file(asked, grid, ending, "heat-map", not view.is_whole)


def _worked_out(asked: AskedQuestion, pairs: Pairs, seconds: float, found: bytes) -> HeatPage | None:
    """Return a heat map with more of its cells than were found so far; None if the question takes no profiles."""
    began = monotonic()
    base = base_of(asked)
    known = heat.axes(base)
    if not known:
        return None
    notes = read_notes(found) if found else None
    chosen = _chosen(asked, base, known, pairs, notes)
    columns = (chosen.cols, chosen.col_names) if chosen.cols else None
    wanted = (chosen.measure,) if columns else chosen.measures[:FIGURES]
    layout = heat.Layout(base, (chosen.rows, chosen.row_names), columns, wanted)
    figures, hard = (dict(notes.figures), set(notes.hard)) if notes else ({}, set())
    left = seconds - (monotonic() - began)
    got_on = (notes is None) | (heat.work_on(layout, figures, hard, left) if notes or left > 0 else False)
    view = heat.heat(layout, figures)
    asks = notes.asks if notes else _asks(base, chosen)
    measures = tuple(measure.name for measure in chosen.measures)
    measure, unseen = chosen.measure.name, chosen.unseen
    now = HeatNotes(chosen.row_names, chosen.col_names, measures, measure, unseen, asks, figures, frozenset(hard))
    return HeatPage(base, chosen, view, wanted, asks, msgspec.msgpack.encode(now), got_on)


def _asks(base: heat.CellQuestion, chosen: HeatChoice) -> str:
    """Say what all cells have in common, in a line: “3 × any weapon, side · Smoke”; of the rest, that each has its own.

    Of the weapons that a squad brings along it says which one the columns stand for.
    """
    shown = {axis.name: axis.kind for axis in (chosen.rows, chosen.cols) if axis}
    usual = {axis.now: axis.kind for axis in (chosen.rows, chosen.cols) if axis}
    texts = [text for text in _cell_inputs(base, base.inputs) if text.name not in shown]
    words = {text.name: _any(text.words, usual) for text in texts}
    for axis, names in ((chosen.rows, chosen.row_names), (chosen.cols, chosen.col_names)):
        if axis is None:
            continue
        for inputs, name in _read_with(base, axis, names):
            other = {text.name: text.words for text in _cell_inputs(base, inputs)}
            for text in texts:
                same = getattr(inputs, text.name, None) == getattr(base.inputs, text.name, None)
                if not same and _any(other.get(text.name, ""), {name: shown[axis.name], **usual}) != words[text.name]:
                    words[text.name] = f"{text.title}: each its own"
    brought = [
        f"any {axis.kind} in place of {axis.now}"
        for axis in (chosen.rows, chosen.cols)
        if axis and axis.now and "." in axis.name and axis.name.partition(".")[0] not in words
    ]
    return " · ".join([*words.values(), *brought]) or AS_USUAL


def _read_with(base: heat.CellQuestion, axis: heat.Axis, names: Iterable[str]) -> Iterator[tuple[Inputs, str]]:
    """Yield the inputs with each of these profiles that can be asked about."""
    for name in names:
        with suppress(BattletapeError):
            yield base.ruleset.split(base.question, base.given(heat.picked(axis, name)))[0], name


def _cell_inputs(base: heat.CellQuestion, inputs: Inputs) -> tuple[ToldInput, ...]:
    return input_texts(base.ruleset, base.question, inputs, base.rulings)


def _any(words: str, kinds: Mapping[str, str]) -> str:
    """Return words with “any weapon” in place of the profiles that stand in rows and columns."""
    for profile, kind in kinds.items():
        words = words.replace(profile, f"any {kind}") if profile else words
    return words


@job
def targets_page(
    *, seconds: float, reply_form: ReplyForm, ruleset: str, question: str, pairs: Pairs, found: bytes = b""
) -> Reply:
    """Reply with the page of a heat map."""
    asked = asking.read_asked(ruleset, question, pairs)
    if asking.is_bare(asked, reply_form) and not {"row", "col"} & asked.sent.page.keys():
        return asking.to_example(asked, "/targets")
    heat_page = _worked_out(asked, pairs, seconds, found)
    if heat_page is None:
        return Reply(render("targets.html", asked=asked, links={"odds": question_address(asked)}, heat=None), keep=True)
    hidden = [(name, value) for name, value in pairs if not name.startswith("_") or name in KEPT]
    return _reply(
        "targets.html",
        heat_page,
        links={"odds": question_address(asked)},
        hidden=hidden,
        **_table(asked, pairs, heat_page),
    )


@job
def targets_more(
    *, seconds: float, reply_form: ReplyForm, ruleset: str, question: str, pairs: Pairs, found: bytes = b""
) -> Reply:
    """Reply with the table of a heat map, with more of its cells than were found so far."""
    asked = asking.read_asked(ruleset, question, pairs)
    heat_page = _worked_out(asked, pairs, seconds, found)
    if heat_page is None:
        return Reply(b"", keep=True)
    return _reply("targets_part.html", heat_page, **_table(asked, pairs, heat_page))


def _reply(template: str, heat_page: HeatPage, **values: Any) -> Reply:
    """Return a heat map as far as it is; where nothing was added, more time would help."""
    whole = heat_page.view.is_whole
    return Reply(render(template, **values), cut=not (whole or heat_page.got_on), keep=whole, found=heat_page.found)


def _table(asked: AskedQuestion, pairs: Pairs, heat_page: HeatPage) -> dict[str, Any]:
    """Return what the table of a heat map shows."""
    chosen, view = heat_page.chosen, heat_page.view
    sort = asked.sent.page.get("sort", "")
    here = _here(asked, pairs)
    return {
        "asked": asked,
        "heat": _sorted(view, sort),
        "chosen": chosen,
        "said": _heat_sentence(chosen, view),
        "asks": heat_page.asks,
        "here": here,
        "more": here.replace("/targets", "/targets/more", 1),
        "files": {ending: here.replace("/targets", f"/targets.{ending}", 1) for ending in GRIDS},
        "idle": _idle(chosen, view),
        "unseen": _unseen(chosen),
        "sort": sort,
        "cells": {
            (row.key, at): cell_address(
                heat_page.base, cell.given, heat_page.wanted[0 if chosen.cols else at], own_text(pairs)
            )
            for row in view.rows
            for at, cell in enumerate(row.cells)
            if cell.given is not None
        },
        "sorts": {
            column.key: _here(asked, pairs, sort="-" + column.key if sort == column.key else column.key)
            for column in view.columns
        },
        "by_name": _here(asked, pairs, sort=""),
    }


def question_address(asked: AskedQuestion, ending: str = "", **page: str | None) -> str:
    """Return the address of a page about the question alone."""
    return asked.address(ending, **(dict.fromkeys(OURS) | page))


def _chosen(
    asked: AskedQuestion, base: heat.CellQuestion, known: Sequence[heat.Axis], pairs: Pairs, notes: HeatNotes | None
) -> HeatChoice:
    page = asked.sent.page
    rows = _axis(known, page.get("rows") or known[0].name, "_rows")
    others = [axis for axis in known if axis.name != rows.name]
    cols: heat.Axis | None = None
    if page.get("cols"):
        cols = _axis(others, page["cols"], "_cols") if page["cols"] != MEASURES else None
    elif others:
        cols = next((other for other in others if other.tone == "attack" and other.kind != rows.kind), others[0])
    if notes is not None:
        measures = tuple(map(asked.question.measure, notes.measures))
        measure = asked.question.measure(notes.measure)
        return HeatChoice(tuple(known), rows, notes.row_names, cols, notes.col_names, measures, measure, notes.unseen)
    row_names = _names(rows, pairs, "_row", MOST_ROWS) or heat.fitting(base, rows, ROWS)
    chosen = heat.ChosenProfiles(_names(cols, pairs, "_col", MOST_COLUMNS))
    named = page.get("measure", "")
    rolled = _rolled(base, rows, row_names, [named] if named else [])
    measures = heat.goals(rolled)
    leads = (asked.question.measure(named),) if named else leading_measures(rolled)
    measure = next((lead for lead in leads if lead in measures), measures[0])
    if cols and not chosen.names:
        chosen = heat.telling(base, cols, COLUMNS, measure, rows, row_names)
    for field, axis, names in (("_row", rows, row_names), ("_col", cols, chosen.names)):
        if axis and not names:
            asked.question.begin(asked.inputs, asked.rulings)  # says what is wrong with the question, if something is
            raise BadInput(f"no profile for “{axis.title}” fits this question as it is asked.", field=field)
    return HeatChoice(tuple(known), rows, row_names, cols, chosen.names, measures, measure, chosen.unseen)


def _rolled(base: heat.CellQuestion, rows: heat.Axis, names: Sequence[str], also: Sequence[str]) -> Answer:
    """Return a few rolls that show what a cell can show: of the question itself, or of the first profile that fits."""
    known = (heat.rolled_with(base, changes, also) for changes in ({}, *(heat.picked(rows, name) for name in names)))
    first = next((answer for answer in known if answer is not None), None)
    if first is None:
        base.question.begin(base.inputs, base.rulings)  # says what is wrong with the question, if something is
    if first is None or not heat.goals(first):
        raise BadInput("a heat map needs a measure that counts, or a chance; this question has none as it is asked.")
    return first


def _axis(known: Sequence[heat.Axis], name: str, field: str) -> heat.Axis:
    axis = next((known_axis for known_axis in known if known_axis.name == name), None)
    if axis is None:
        raise BadInput(
            str(UnknownName("input with profiles", name, [known_axis.name for known_axis in known])), field=field
        )
    return axis


def _names(axis: heat.Axis | None, pairs: Pairs, name: str, most: int) -> tuple[str, ...]:
    """Return the profiles that the address names, in their order."""
    if axis is None:
        return ()
    names = dict.fromkeys(value for key, value in pairs if key == name)
    named = tuple(
        profile for profile in names if profile or "" in axis.names
    )  # own numbers are there only where no profile is
    for profile in named:
        if profile not in axis.names:
            raise UnknownName(axis.kind, profile, filter(None, axis.names))
    if len(named) > most:
        raise BadInput(f"a heat map takes at most {most} in {name}; got {len(named)}.", field=name)
    return named


def _sorted(view: heat.HeatView, sort: str) -> heat.HeatView:
    """Return the rows by a column: the most first, or with “-” the least; empty cells come last."""
    keys = [column.key for column in view.columns]
    if sort.removeprefix("-") not in keys:
        return view
    at, sign = keys.index(sort.removeprefix("-")), 1 if sort.startswith("-") else -1

    def order(row: heat.HeatRow) -> tuple[bool, float]:
        value = row.cells[at].value
        return value is None, sign * (value or 0.0)

    return replace(view, rows=tuple(sorted(view.rows, key=order)))


def _heat_sentence(chosen: HeatChoice, view: heat.HeatView) -> str:
    """Return the heat map in one sentence: where the first measure is highest and lowest, once all of it is
    compared.
    """
    if not view.is_whole:
        return f"{view.done} of {view.total} cells are worked out; the others are on their way."
    known = [
        (cell.value, cell.text, row.name, view.columns[at])
        for row in view.rows
        for at, cell in enumerate(row.cells if chosen.cols else row.cells[:1])
        if cell.value is not None
    ]
    if not known:
        return "Nothing here can be worked out; below it says why."
    title = chosen.measure.title if chosen.cols else view.columns[0].title
    most, least = max(known, key=lambda cell: cell[0]), min(known, key=lambda cell: cell[0])
    by_row = not chosen.cols or bool(_idle(chosen, view))

    def words(column: tuple[float, str, str, heat.Column]) -> str:
        return column[2] if by_row else f"{column[2]}, {column[3].title}"

    if most[0] == least[0]:
        return f"{title}: {most[1]} everywhere."
    return f"{title}: most with {words(most)} ({most[1]}), least with {words(least)} ({least[1]})."


def _idle(chosen: HeatChoice, view: heat.HeatView) -> str:
    """Return a sentence, if the columns make no difference in any row."""
    cells = [[(cell.value, cell.why) for cell in row.cells] for row in view.rows]
    known = any(value is not None for row in cells for value, _ in row)
    if (
        chosen.cols is None
        or len(view.columns) < 2
        or not view.is_whole
        or not known
        or any(len(set(row)) > 1 for row in cells)
    ):
        return ""
    far = "" if len(view.columns) == len(chosen.cols.names) else ", as far as shown here,"
    return f"{chosen.cols.title}{far} makes no difference to “{chosen.measure.title}” in this question as it is asked."


def _unseen(chosen: HeatChoice) -> str:
    """Return a sentence, if not every profile was looked at to find columns that differ."""
    if chosen.cols is None or not chosen.unseen:
        return ""
    known, title = len(chosen.cols.names), chosen.cols.title
    tried = f"only {known - chosen.unseen} of {known} in “{title}” were tried to find columns that differ"
    return f"So large a question is much work: {tried}."


def _here(asked: AskedQuestion, pairs: Pairs, **page: str) -> str:
    """Return the address of this heat map with something changed."""
    ours = ("_form", *KEPT, *(f"_{name}" for name in page))
    kept = [(name, value) for name, value in pairs if name.startswith("_") and name not in ours]
    kept += [(f"_{name}", value) for name, value in page.items() if value]
    text = own_text(pairs)
    query = "&".join(f"{quote_plus(name)}={quote_plus(value)}" for name, value in kept)
    address = question_address(asked, "/targets", **(dict.fromkeys(asked.sent.page) | {OWN: text or None}))
    return f"{address}{'&' if '?' in address else '?'}{query}" if query else address


def cell_address(base: heat.CellQuestion, given: Mapping[str, Any], measure: Measure, own: str) -> str:
    """Return the address of the question behind a cell, which shows what the cell shows."""
    shown = "" if measure is base.question.measures[0] else measure.name
    page = {name: value for name, value in {OWN: own, "measure": shown}.items() if value}
    return write_address(base.ruleset.name, base.question.name, {**flat_given(given)}, page)
