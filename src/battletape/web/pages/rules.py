"""The rules: clauses found as somebody types, one clause as a page or beside an answer, the tables, the sources."""

from __future__ import annotations

from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response

from battletape.errors import UnknownName
from battletape.system import Ruleset
from battletape.views.rulebook import book_page, pieces, placed_tables, source_views
from battletape.views.rulebook import clause_page as clause_page_view
from battletape.views.rules import clause_view, others_shown
from battletape.views.sheets import table_sheets
from battletape.web.jobs import Door, NotHere, Reply, job
from battletape.web.pages.asking import do, find_ruleset
from battletape.web.rendering import render

router = APIRouter(include_in_schema=False)
LONGEST = 200
MOST_TOGETHER = 12
"""So many clauses may stand on one page."""


@router.get("/{ruleset}/rules")
async def rules(request: Request, ruleset: str, words: str = "", topic: str = "") -> Response:
    """The rule book, or the results of a search."""
    return await do(request, "rules_page", ruleset=ruleset, words=words[:LONGEST], topic=topic[:LONGEST])


@router.get("/{ruleset}/rules/{clause}")
async def clause(request: Request, ruleset: str, clause: str) -> Response:
    """One clause."""
    return await do(request, "clause_page", ruleset=ruleset, clause=clause)


@router.get("/{ruleset}/tables")
async def tables(request: Request, ruleset: str, words: str = "") -> Response:
    """Every table, or those that contain the words."""
    return await do(request, "tables_page", ruleset=ruleset, words=words[:LONGEST])


@router.get("/{ruleset}/sources")
async def sources(request: Request, ruleset: str) -> Response:
    """Where each clause comes from."""
    return await do(request, "sources_page", ruleset=ruleset)


@job
def rules_page(*, seconds: float, door: Door, ruleset: str, words: str, topic: str = "") -> Reply:
    """The clauses and tables that contain every word."""
    card = find_ruleset(ruleset)
    try:
        book = book_page(card, words, topic)
    except UnknownName as error:
        raise NotHere(str(error)) from None
    template = "rules_found.html" if door == "part" else "rules.html"
    body = render(template, card=card, book=book, pieces=pieces(card, words), tables=len(card.tables()))
    return Reply(body, address=_address(card, "rules", words=words, topic=topic), keep=True)


@job
def clause_page(*, seconds: float, door: Door, ruleset: str, clause: str) -> Reply:
    """One clause: its text beside an answer, or a page with everything that belongs to it; several by commas."""
    card = find_ruleset(ruleset)
    try:
        known = [card.clauses[wanted] for wanted in dict.fromkeys(clause.split(",")[:MOST_TOGETHER])]
    except UnknownName as error:
        raise NotHere(str(error)) from None
    first = known[0]
    cut = pieces(card, "", first.id)
    if door == "part":
        return Reply(
            render("clause_part.html", card=card, clauses=[clause_view(one) for one in known], pieces=cut), keep=True
        )
    if len(known) > 1:
        return Reply(
            render("clauses.html", card=card, clauses=[clause_view(one) for one in known], pieces=cut), keep=True
        )
    view = clause_page_view(card, first.id)
    others, more = others_shown(view.code)
    return Reply(render("clause.html", card=card, page=view, pieces=cut, others=others, more=more), keep=True)


@job
def tables_page(*, seconds: float, door: Door, ruleset: str, words: str) -> Reply:
    """The printed tables."""
    card = find_ruleset(ruleset)
    template = "tables_found.html" if door == "part" else "tables.html"
    count = len(card.tables())
    printed = urlencode([("sheet", name) for name in table_sheets(card)])
    body = render(template, card=card, words=words, tables=placed_tables(card, words), count=count, printed=printed)
    return Reply(body, address=_address(card, "tables", words=words), keep=True)


@job
def sources_page(*, seconds: float, door: Door, ruleset: str) -> Reply:
    """Every place of the sources, with the clauses that come from it."""
    card = find_ruleset(ruleset)
    return Reply(render("sources.html", card=card, sources=source_views(card)), keep=True)


def _address(card: Ruleset, page: str, **said: str) -> str:
    query = urlencode({name: value for name, value in said.items() if value.strip()})
    return f"/{card.name}/{page}" + (f"?{query}" if query else "")
