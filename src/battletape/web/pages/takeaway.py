"""Export: an answer as CSV, JSON, SVG, PNG, a Vega-Lite specification, a text for chats, and a link."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import msgspec
from fastapi import APIRouter, FastAPI, Request, Response
from msgspec import Struct

from battletape.answer import Answer
from battletape.errors import BadInput
from battletape.system import Question
from battletape.views.answer import answer_view, measure_view, table_view
from battletape.views.board import draw_svg
from battletape.views.export import Grid, answer_csv, grid_csv, question_words, table_csv, text_block
from battletape.web.api import shapes
from battletape.web.chart_process import TYPES, ChartProcess
from battletape.web.charts import BARS
from battletape.web.forms import Pairs
from battletape.web.jobs import JSON, Job, NotHere, Reply, ReplyForm, job
from battletape.web.limits import LIMITS
from battletape.web.pages import asking
from battletape.web.pages.asking import AskedQuestion
from battletape.web.rendering import render
from battletape.web.specs import LOOKS, grid_spec, vega_lite

TEXT, CSV = "text/plain; charset=utf-8", "text/csv; charset=utf-8"
SPEC = "application/vnd.vegalite.v5+json"


class Kind(Struct, frozen=True):
    """A file of an answer: the ending of its name, its title, and its purpose."""

    ending: str
    title: str
    use: str


KINDS = (
    Kind("png", "PNG", "the picture, for a chat"),
    Kind("svg", "SVG", "the picture, for print and documents"),
    Kind("csv", "CSV", "every measure, for a spreadsheet"),
    Kind("json", "JSON", "everything, for a program"),
    Kind("vl.json", "Vega-Lite", "the picture, to change it"),
    Kind("txt", "Text", "the lines below, as a file"),
)


BOARD = Kind("board.svg", "Board", "the table, drawn for print and documents")
"""A file of those answers that know what lies on the table."""


def kinds_of(question: Question) -> tuple[Kind, ...]:
    """Return the files that answers of a question can be exported as."""
    return KINDS if question.picture is None else (*KINDS, BOARD)


@asynccontextmanager
async def _with_press(app: FastAPI) -> AsyncIterator[None]:
    app.state.charts = ChartProcess()
    yield
    await app.state.charts.stop()


router = APIRouter(include_in_schema=False, lifespan=_with_press)


@router.get("/{ruleset}/{question}/take")
async def take(request: Request, ruleset: str, question: str) -> Response:
    """Reply with the page with every file of an answer."""
    base = str(request.base_url).rstrip("/")
    return await asking.do(
        request, "take_page", ruleset=ruleset, question=question, pairs=asking.pairs_of(request), base=base
    )


@router.get("/{ruleset}/{question}/answer.{ending}")
async def answer_file(request: Request, ruleset: str, question: str, ending: str) -> Response:
    """Reply with one file; a picture goes from the worker that knows the numbers to the process that draws it."""
    base = str(request.base_url).rstrip("/")
    given = {
        "ruleset": ruleset,
        "question": question,
        "pairs": asking.pairs_of(request),
        "ending": ending,
        "base": base,
    }
    return await file_of(request, "take_file", given)


async def file_of(request: Request, name: str, given: dict[str, Any]) -> Response:
    """Return the file that a job makes; for a picture the chart process draws its specification."""
    ending = given["ending"]
    if ending not in TYPES or len(request.url.query) > LIMITS.query:
        return await asking.do(request, name, **given)  # it refuses what is too long
    client = asking.client_of(request)
    spec: Reply = await request.app.state.executor.do(Job(name, asking.reply_form_of(request), given), client)
    if spec.status != 200:
        return asking.respond(request, spec)
    drawn: Reply = await request.app.state.charts.draw(spec.body, ending, client)
    headers = spec.headers if drawn.status == 200 else drawn.headers
    return asking.respond(request, msgspec.structs.replace(drawn, headers=headers))


@job
def take_page(*, seconds: float, reply_form: ReplyForm, ruleset: str, question: str, pairs: Pairs, base: str) -> Reply:
    """Reply with every file of an answer, the text and the link."""
    asked = asking.read_asked(ruleset, question, pairs)
    answer = asking.work_out(asked, seconds)
    measure = asked.question.measure(asked.sent.page.get("measure")).name
    look = _look(asked)
    link = base + asked.address(look=None, table=None)
    body = render(
        "take.html",
        asked=asked,
        headline=answer.headline,
        measure=measure,
        look=look,
        looks=tuple(LOOKS),
        kinds=kinds_of(asked.question),
        board=answer.picture,
        link=link,
        text=text_block(answer, measure, link),
        table=answer.table,
        words=question_words(answer),
    )
    cut = answer.is_cut
    return Reply(body, cut=cut, keep=not cut)


@job
def take_file(
    *, seconds: float, reply_form: ReplyForm, ruleset: str, question: str, pairs: Pairs, ending: str, base: str
) -> Reply:
    """Reply with one file of an answer; for a picture, its specification."""
    asked = asking.read_asked(ruleset, question, pairs)
    known = [kind.ending for kind in kinds_of(asked.question)]
    if ending not in known:
        raise NotHere(f"an answer can be exported as {', '.join(known)}; got {ending[:40]!r}.")
    answer = asking.work_out(asked, seconds)
    measure = asked.question.measure(asked.sent.page.get("measure")).name
    cut = answer.is_cut
    if ending == "csv":
        body, kind = _csv(asked, answer), CSV
    elif ending == "json":
        shape = shapes.Odds(base + asked.address(look=None, table=None), answer_view(answer))
        body, kind = msgspec.json.format(msgspec.json.encode(shape, enc_hook=str), indent=2), JSON
    elif ending == BOARD.ending:
        body, kind = _board(asked, answer), TYPES["svg"]
    elif ending == "txt":
        link = base + asked.address(look=None, table=None)
        body, kind = text_block(answer, measure, link).encode(), TEXT
    else:
        body, kind = msgspec.json.format(msgspec.json.encode(_spec(asked, answer, measure)), indent=2), SPEC
    whole = ending in ("csv", "json", BOARD.ending)
    about = "-table" if "table" in asked.sent.page else "" if whole else f"-{measure}"
    name = f"{asked.ruleset.name}-{asked.question.name}{about}.{ending}"
    return Reply(body, kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}, cut=cut, keep=not cut)


GRIDS = ("csv", "png", "svg")
"""The files of a comparison or a heat map."""


def need_grid(ending: str) -> None:
    """Refuse a kind of file that there is not, before anything is worked out."""
    if ending not in GRIDS:
        raise NotHere(f"this can be exported as {', '.join(GRIDS)}; got {ending[:40]!r}.")


def grid_file(asked: AskedQuestion, grid: Grid, ending: str, name: str, cut: bool) -> Reply:
    """Return a table of figures as a file; for a picture, its specification."""
    if ending == "csv":
        body, kind = grid_csv(grid).encode("utf-8-sig"), CSV
    else:
        body, kind = msgspec.json.encode(grid_spec(grid, _look(asked))), SPEC
    file = f"{asked.ruleset.name}-{asked.question.name}-{name}.{ending}"
    return Reply(body, kind, headers={"Content-Disposition": f'attachment; filename="{file}"'}, cut=cut, keep=not cut)


def _board(asked: AskedQuestion, answer: Answer) -> bytes:
    """Return the table as a drawing that needs nothing else."""
    picture = answer.picture
    if picture is None:
        raise NotHere(f"the answer to “{asked.question.title}” has no table with models on it.")
    return draw_svg(picture, look=_look(asked)).encode()


def _csv(asked: AskedQuestion, answer: Answer) -> bytes:
    """Return the measures, or with `_table` the table of the answer.

    With a mark that tells spreadsheets the encoding.
    """
    text = answer_csv(answer)
    if "table" in asked.sent.page:
        table = table_view(answer.table)
        if table is None:
            raise NotHere(
                f"the answer to “{asked.question.title}” has no table; without _table there are its measures."
            )
        text = table_csv(table)
    return text.encode("utf-8-sig")


def _spec(asked: AskedQuestion, answer: Answer, measure: str) -> dict[str, Any]:
    view = measure_view(asked.question.measure(measure), answer.odds(measure), BARS)
    words = question_words(answer)
    lines = (f"{asked.question.title} {' · '.join(words)}", "battletape, unofficial")
    return vega_lite(view, answer.headline, lines, _look(asked))


def _look(asked: AskedQuestion) -> Literal["light", "dark"]:
    look = asked.sent.page.get("look") or "light"
    if look not in LOOKS:
        raise BadInput.of("_look", f"must be {' or '.join(LOOKS)}; got {look[:40]!r}.")
    return "dark" if look == "dark" else "light"
