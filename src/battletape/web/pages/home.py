"""Home: the systems as cards with their questions; the last questions asked on this device come from the device."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from battletape import registry
from battletape.views.asked import short_given
from battletape.views.catalogue import ruleset_view
from battletape.web.forms import write_address
from battletape.web.jobs import Door, Reply, job
from battletape.web.pages.asking import do, find_ruleset
from battletape.web.rendering import render

router = APIRouter(include_in_schema=False)


@router.get("/")
async def home(request: Request) -> Response:
    """All systems."""
    return await do(request, "home_page", only="")


@router.get("/{ruleset}")
async def system(request: Request, ruleset: str) -> Response:
    """One system."""
    return await do(request, "home_page", only=ruleset)


@job
def home_page(*, seconds: float, door: Door, only: str) -> Reply:
    """The cards of all systems, or of one."""
    cards = [find_ruleset(only)] if only else [registry.ruleset(name) for name in registry.names()]
    shown = []
    for card in cards:
        addresses = {}
        for question in card.questions:
            inputs, rulings = card.split(question, question.example)
            addresses[question.name] = write_address(
                card.name, question.name, short_given(card, question, inputs, rulings)
            )
        shown.append({"card": ruleset_view(card), "addresses": addresses, "units": card.profiles is not None})
    return Reply(render("home.html", systems=shown, only=only), keep=True)
