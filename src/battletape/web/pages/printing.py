"""Print: the sheets of a system to choose from, and the PDF: blank, for units, for a question, or for a battle."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, Request, Response

from battletape.errors import BadInput
from battletape.sheets import PAPERS
from battletape.sheets.typeset import pdf
from battletape.system import Ruleset
from battletape.views.own_profiles import with_own
from battletape.views.sheets import Source, from_inputs, from_list, from_names, from_text, make_document, sheet_views
from battletape.web.forms import Pairs
from battletape.web.jobs import NotHere, Reply, ReplyForm, job
from battletape.web.pages.asking import do, find_ruleset, pairs_of, read_asked
from battletape.web.pages.units import posted
from battletape.web.rendering import render

router = APIRouter(include_in_schema=False)
PDF = "application/pdf"
MOST_CARDS = 40
"""How many cards a worker draws for one request."""


@router.get("/{ruleset}/print")
async def choose(request: Request, ruleset: str) -> Response:
    """Reply with the page on which sheets are chosen."""
    return await do(request, "print_page", ruleset=ruleset)


@router.get("/{ruleset}/print.pdf")
async def sheets_file(request: Request, ruleset: str) -> Response:
    """Reply with the sheets that were chosen."""
    return await do(request, "print_file", ruleset=ruleset, pairs=pairs_of(request))


@router.post("/{ruleset}/print.pdf")
async def list_file(request: Request, ruleset: str) -> Response:
    """Reply with a card for everything in a player's own list, or the sheets of a battle."""
    pairs = await posted(request)
    if isinstance(pairs, Response):
        return pairs
    return await do(request, "print_file", ruleset=ruleset, pairs=pairs)


@router.get("/{ruleset}/{question}/print.pdf")
async def question_file(request: Request, ruleset: str, question: str) -> Response:
    """Reply with the sheets of what a question names."""
    return await do(request, "print_question", ruleset=ruleset, question=question, pairs=pairs_of(request))


@job
def print_page(*, seconds: float, reply_form: ReplyForm, ruleset: str) -> Reply:
    """Reply with every sheet, and the units and vehicles it can be printed for."""
    card = with_sheets(ruleset)
    kinds = dict.fromkeys(kind for sheet in card.sheets for kind in sheet.kinds)
    names = {kind: tuple(card.book.entries[kind]) for kind in kinds}
    battles = any(sheet.of_battle for sheet in card.sheets)
    body = render("print.html", card=card, sheets=sheet_views(card), names=names, papers=PAPERS, battles=battles)
    return Reply(body, keep=True)


@job
def print_file(*, seconds: float, reply_form: ReplyForm, ruleset: str, pairs: Pairs) -> Reply:
    """Reply with the chosen sheets as PDF."""
    card = with_sheets(ruleset)
    sent: dict[str, list[str]] = {}
    for name, value in pairs:
        sent.setdefault(name, []).append(value)
    sheets, paper = sent.get("sheet", []), sent.get("paper", ["a4"])[-1]
    own = sent.get("toml", [""])[-1].replace("\r\n", "\n").lstrip("\ufeff")
    battle = sent.get("battle", [""])[-1]
    if battle.strip():
        return drawn(card, sheets, from_text(card, battle), paper)
    if "battle" in sent:
        raise BadInput("there is no battle yet; open its file, or paste its text.", field="battle")
    if own.strip():
        listed = with_own(card, own)
        return drawn(listed, sheets, from_list(listed, card), paper)
    if "toml" in sent:
        raise BadInput("your list is empty; there is nothing to print yet.", field="toml")
    names = [name for value in sent.get("profile", []) for name in value.splitlines() if name.strip()]
    source = from_names(card, names) if names else Source(rulings=card.parse_rulings({}))
    return drawn(card, sheets, source, paper)


@job
def print_question(*, seconds: float, reply_form: ReplyForm, ruleset: str, question: str, pairs: Pairs) -> Reply:
    """Reply with what a question names, as PDF."""
    asked = read_asked(ruleset, question, pairs)
    source = from_inputs(asked.ruleset, asked.question, asked.inputs, asked.rulings)
    return drawn(asked.ruleset, (), source, asked.sent.page.get("paper") or "a4")


def with_sheets(ruleset: str) -> Ruleset:
    """Return the ruleset of this name, if it has sheets."""
    card = find_ruleset(ruleset)
    if not card.sheets:
        raise NotHere(f"{card.title} has nothing to print.")
    return card


def drawn(card: Ruleset, sheets: Sequence[str], source: Source, paper: str) -> Reply:
    """Return the document as a file that a browser shows."""
    document = make_document(card, sheets, source, paper, MOST_CARDS)
    headers = {"Content-Disposition": f'inline; filename="{file_name(card, sheets)}.pdf"'}
    return Reply(pdf(document), PDF, headers=headers, keep=True)


def file_name(card: Ruleset, sheets: Sequence[str]) -> str:
    """Return the name of the file, without its ending: the system, and the sheet if there is only one."""
    return f"{card.name}-{card.sheet(sheets[0]).name}" if len(sheets) == 1 else card.name
