"""Home: an example to turn, the search over all systems, the systems as tiles; and one system with all its questions.

The last questions asked on this device come from the device.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from markupsafe import Markup

from battletape import registry
from battletape.system import Ruleset
from battletape.views.front_page import battles_in, group_views, live_view, tile_view
from battletape.views.search import TITLES, SearchResult, result_inputs, search
from battletape.web.forms import write_address
from battletape.web.jobs import Reply, ReplyForm, job
from battletape.web.pages.asking import do, find_ruleset
from battletape.web.rendering import render

router = APIRouter(include_in_schema=False)
MAX_WORDS_LETTERS = 200
AT_ONCE_SECONDS = 0.2
"""So many seconds may the answers take that stand on the page of a system when it comes; the others follow."""


@router.get("/")
async def home(request: Request, turn: str = "") -> Response:
    """Reply with all systems; `turn` is the number of the example."""
    return await do(request, "home_page", turn=turn[:MAX_WORDS_LETTERS])


@router.get("/search")
async def find(request: Request, words: str = "") -> Response:
    """Reply with what was found in all systems."""
    return await do(request, "search_page", words=words[:MAX_WORDS_LETTERS])


@router.get("/{ruleset}")
async def system(request: Request, ruleset: str) -> Response:
    """Reply with one system."""
    return await do(request, "system_page", ruleset=ruleset)


@job
def home_page(*, seconds: float, reply_form: ReplyForm, turn: str = "") -> Reply:
    """Reply with the first page; for htmx the example alone."""
    cards = registry.rulesets()
    value = int(turn) if turn.isascii() and turn.isdigit() and len(turn) < 6 else None
    live = live_view(cards, value, seconds)
    shown = {"live": live, "address": write_address}
    if reply_form == "part":
        return Reply(render("home_live.html", **shown), keep=True)
    tiles = [tile_view(card) for card in cards]
    battles = battles_in(Path.cwd(), {card.name: card.title for card in cards})
    return Reply(
        render("home.html", **shown, tiles=tiles, battles=battles, drawings=_drawings(cards), broken=registry.broken())
    )


@job
def system_page(*, seconds: float, reply_form: ReplyForm, ruleset: str) -> Reply:
    """Reply with a system with all its questions; for htmx the questions alone, with the answers that took longer."""
    card = find_ruleset(ruleset)
    groups = group_views(card, seconds if reply_form == "part" else min(seconds, AT_ONCE_SECONDS))
    whole = all(lead for group in groups for _, _, lead in group.questions)
    shown = {"card": card, "tile": tile_view(card), "groups": groups, "whole": whole, "address": write_address}
    if reply_form == "part":
        return Reply(render("system_questions.html", **(shown | {"whole": True})), keep=whole)
    return Reply(render("system.html", **shown, drawings=_drawings([card])), keep=whole)


@job
def search_page(*, seconds: float, reply_form: ReplyForm, words: str) -> Reply:
    """Questions, profiles, rules and tables that fit the words."""
    cards = {card.name: card for card in registry.rulesets()}
    view = search(cards.values(), words)
    groups = [
        (TITLES[kind], [(found, *_link(cards[found.ruleset], found)) for found in finds]) for kind, finds in view.groups
    ]
    template = "search_found.html" if reply_form == "part" else "search.html"
    return Reply(render(template, view=view, groups=groups), keep=True)


def _drawings(cards: list[Ruleset]) -> dict[str, Markup]:
    """Return the drawing of each system; it comes with the code of the system, and is trusted like it."""
    return {card.name: Markup(tile_view(card).drawing) for card in cards}


def _link(card: Ruleset, found: SearchResult) -> tuple[str, str]:
    """Return where a find leads, and the question that a profile is put into."""
    home = f"/{quote(card.name, safe='')}"
    if found.kind == "table":
        return f"{home}/tables#{found.name}", ""
    if found.kind == "rule":
        return f"{home}/rules/{quote(found.name, safe='')}", ""
    given = result_inputs(card, found)
    if given is None:
        return f"{home}/units", ""
    question, shortest = given
    return write_address(card.name, question.name, shortest), "" if found.kind == "question" else question.title
