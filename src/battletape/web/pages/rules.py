"""The rules: clauses found while typing, one clause as a page or beside an answer, the tables, the sources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from fastapi import APIRouter, Request, Response
from msgspec import Struct, field

from battletape.errors import BattletapeError, UnknownName
from battletape.inputs import fields
from battletape.system import Ruleset
from battletape.views.front_page import example_given
from battletape.views.rulebook import book_page, pieces, placed_tables, source_views
from battletape.views.rulebook import clause_page as clause_page_view
from battletape.views.rules import others_shown
from battletape.views.sheets import table_sheets
from battletape.views.short_inputs import short_given
from battletape.web.forms import read_pairs, write_address
from battletape.web.jobs import Reply, ReplyForm, job
from battletape.web.pages.asking import do, find_ruleset, not_here
from battletape.web.rendering import render

router = APIRouter(include_in_schema=False)
MAX_WORDS_LETTERS = 200
LONGEST_WAY = 4_000
"""The most letters of an address that is remembered as the way back."""
MOST_TOGETHER = 12
"""So many clauses may stand on one page."""


@router.get("/{ruleset}/rules")
async def rules(request: Request, ruleset: str, words: str = "", topic: str = "") -> Response:
    """Reply with the rule book, or the results of a search."""
    return await do(
        request, "rules_page", ruleset=ruleset, words=words[:MAX_WORDS_LETTERS], topic=topic[:MAX_WORDS_LETTERS]
    )


@router.get("/{ruleset}/rules/{clause}")
async def clause(request: Request, ruleset: str, clause: str) -> Response:
    """Reply with one clause, or several by commas, with the way back to the question."""
    came = (
        request.query_params.get("from")
        or urlsplit(request.headers.get("hx-current-url", ""))._replace(scheme="", netloc="", fragment="").geturl()
    )
    return await do(
        request,
        "clause_page",
        ruleset=ruleset,
        clause=clause,
        came=came[:LONGEST_WAY],
        code="code" in request.query_params,
    )


@router.get("/{ruleset}/tables")
async def tables(request: Request, ruleset: str, words: str = "") -> Response:
    """Reply with every table, or those that contain the words."""
    return await do(request, "tables_page", ruleset=ruleset, words=words[:MAX_WORDS_LETTERS])


@router.get("/{ruleset}/sources")
async def sources(request: Request, ruleset: str) -> Response:
    """Reply with where each clause comes from."""
    return await do(request, "sources_page", ruleset=ruleset)


@job
def rules_page(*, seconds: float, reply_form: ReplyForm, ruleset: str, words: str, topic: str = "") -> Reply:
    """Reply with the clauses and tables that contain every word."""
    card = find_ruleset(ruleset)
    try:
        book = book_page(card, words, topic)
    except UnknownName as error:
        raise not_here(card, error) from None
    template = "rules_found.html" if reply_form == "part" else "rules.html"
    body = render(template, card=card, book=book, pieces=pieces(card, words), tables=len(card.tables()))
    return Reply(body, address=_address(card, "rules", words=words, topic=topic), keep=True)


@job
def clause_page(
    *, seconds: float, reply_form: ReplyForm, ruleset: str, clause: str, came: str = "", code: bool = False
) -> Reply:
    """Reply with one clause: its text beside an answer, or a page with all that belongs to it; several by commas."""
    card = find_ruleset(ruleset)
    try:
        known = [card.clauses[wanted] for wanted in dict.fromkeys(clause.split(",")[:MOST_TOGETHER])]
    except UnknownName as error:
        raise not_here(card, error) from None
    first = known[0]
    way = _way(card, came)
    shown = {"card": card, "pieces": pieces(card, "", first.id), "suffix": way.suffix}
    if reply_form == "part" or len(known) > 1:
        template = "clause_part.html" if reply_form == "part" else "clauses.html"
        return Reply(render(template, **shown, clauses=known), keep=not way.suffix)
    view = clause_page_view(card, first.id, code)
    others, more = others_shown(view.code)
    links = {user.name: way.to(card, user.name) for user in view.entry.questions}
    body = render("clause.html", **shown, page=view, others=others, more=more, back=way.back, links=links)
    return Reply(body, keep=not way.suffix)


class Back(Struct, frozen=True):
    """The question that the link came from."""

    name: str
    title: str
    address: str


class Way(Struct, frozen=True):
    """The way back: a question with its values, which other questions take over as far as they can."""

    back: Back | None = None
    given: Mapping[str, Any] = field(default_factory=dict)
    suffix: str = ""  # what a link to another rule ends in, so that the way is not lost

    def to(self, card: Ruleset, name: str) -> str:
        """Return the address of a question: the one that was left, or another with the same values where it takes
        them.
        """
        if self.back is None:
            return write_address(card.name, name, example_given(card, name))
        if self.back.name == name:
            return self.back.address
        question = card.question(name)
        known = {field.name for field in fields(question.inputs)}
        kept = {key: value for key, value in self.given.items() if key in known}
        for given in ({**question.example, **kept}, kept) if kept else ():
            try:
                inputs, rulings = card.split(question, given)
                question.begin(inputs, rulings)
            except BattletapeError:  # they do not go together
                continue
            return write_address(card.name, name, short_given(card, question, inputs, rulings))
        return write_address(card.name, name, example_given(card, name))


def _way(card: Ruleset, came: str) -> Way:
    """Return the question that an address asks, if it is one of this system."""
    place = urlsplit(came)
    parts = [unquote(part) for part in place.path.split("/") if part]
    if place.netloc or len(parts) < 2 or parts[0] != card.name:
        return Way()
    try:
        question = card.question(parts[1])
        sent = read_pairs(card, question, parse_qsl(place.query, keep_blank_values=True, errors="replace"))
        card.split(question, sent.given)
    except BattletapeError:
        return Way()
    address = f"/{quote(parts[0], safe='')}/{quote(parts[1], safe='')}" + (f"?{place.query}" if place.query else "")
    return Way(Back(question.name, question.title, address), sent.given, f"?{urlencode({'from': address})}")


@job
def tables_page(*, seconds: float, reply_form: ReplyForm, ruleset: str, words: str) -> Reply:
    """Reply with the printed tables."""
    card = find_ruleset(ruleset)
    template = "tables_found.html" if reply_form == "part" else "tables.html"
    count = len(card.tables())
    printed = urlencode([("sheet", name) for name in table_sheets(card)])
    body = render(template, card=card, words=words, tables=placed_tables(card, words), count=count, printed=printed)
    return Reply(body, address=_address(card, "tables", words=words), keep=True)


@job
def sources_page(*, seconds: float, reply_form: ReplyForm, ruleset: str) -> Reply:
    """Reply with every place of the sources, with the clauses that come from it."""
    card = find_ruleset(ruleset)
    return Reply(render("sources.html", card=card, sources=source_views(card)), keep=True)


def _address(card: Ruleset, page: str, **params: str) -> str:
    query = urlencode({name: value for name, value in params.items() if value.strip()})
    return f"/{card.name}/{page}" + (f"?{query}" if query else "")
