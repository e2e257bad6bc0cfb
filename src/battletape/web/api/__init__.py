"""The JSON API, version 1: rulesets, questions (their shape, odds, rolls, advice), clauses, profiles and sheets."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from battletape.web import error_replies
from battletape.web.api import catalogue, questions, sheets
from battletape.web.jobs import Job
from battletape.web.limits import LIMITS
from battletape.web.pages.asking import do, have_done, pairs_of, respond

__all__ = ["catalogue", "questions", "router", "sheets"]
router = APIRouter(include_in_schema=False)
ROOT = "/api/v1"


@router.get("/api")
async def page(request: Request) -> Response:
    """Reply with the page that explains the API."""
    return await do(request, "api_page")


@router.get(ROOT)
@router.get(ROOT + "/")
async def root() -> Response:
    """Reply with the way to the catalogue."""
    return RedirectResponse(ROOT + "/rulesets")


@router.get(ROOT + "/openapi.json")
async def openapi(request: Request) -> Response:
    """Reply with the OpenAPI document."""
    return await _do(request, "api_openapi")


@router.get(ROOT + "/rulesets")
async def rulesets(request: Request) -> Response:
    """Reply with every ruleset."""
    return await _do(request, "api_rulesets")


@router.get(ROOT + "/dice")
async def dice_shape(request: Request) -> Response:
    """Reply with what dice may be asked about."""
    return await _do(request, "api_dice_shape")


@router.post(ROOT + "/dice")
async def dice(request: Request) -> Response:
    """Reply with any dice worked out or rolled."""
    body = await _body(request, LIMITS.body)
    if body is None:
        return _too_large(request, LIMITS.body)
    return await _do(request, "api_dice", pairs=pairs_of(request), body=body)


@router.get(ROOT + "/{ruleset}/questions/{question}")
async def shape(request: Request, ruleset: str, question: str) -> Response:
    """Reply with what a question takes."""
    return await _do(request, "api_question", ruleset=ruleset, question=question)


@router.post(ROOT + "/{ruleset}/questions/{question}")
async def ask(request: Request, ruleset: str, question: str) -> Response:
    """Reply with the answer to a question."""
    body = await _body(request, LIMITS.body)
    if body is None:
        return _too_large(request, LIMITS.body)
    pairs = pairs_of(request)
    return await _do(request, "api_ask", ruleset=ruleset, question=question, pairs=pairs, body=body)


@router.get(ROOT + "/{ruleset}/clauses")
async def clauses(request: Request, ruleset: str, words: str = "") -> Response:
    """Reply with the clauses that contain every word."""
    return await _do(request, "api_clauses", ruleset=ruleset, words=words)


@router.get(ROOT + "/{ruleset}/clauses/{clause}")
async def clause(request: Request, ruleset: str, clause: str) -> Response:
    """Reply with one clause, and where it is used."""
    return await _do(request, "api_clause", ruleset=ruleset, clause=clause)


@router.get(ROOT + "/{ruleset}/profiles")
async def profiles(request: Request, ruleset: str) -> Response:
    """Units and weapons."""
    return await _do(request, "api_profiles", ruleset=ruleset)


@router.get(ROOT + "/{ruleset}/sheets")
async def list_sheets(request: Request, ruleset: str) -> Response:
    """Reply with what can be printed."""
    return await _do(request, "api_sheets", ruleset=ruleset)


@router.get(ROOT + "/{ruleset}/sheets/{sheet}")
async def sheet(request: Request, ruleset: str, sheet: str) -> Response:
    """Reply with a sheet, blank or for profiles."""
    return await _do(request, "api_sheet", ruleset=ruleset, sheet=sheet, pairs=pairs_of(request))


@router.post(ROOT + "/{ruleset}/sheets/{sheet}")
async def sheet_from(request: Request, ruleset: str, sheet: str) -> Response:
    """Reply with a sheet from a battle, a question or a list."""
    body = await _body(request, LIMITS.upload)
    if body is None:
        return _too_large(request, LIMITS.upload)
    return await _do(request, "api_sheet_from", ruleset=ruleset, sheet=sheet, body=body)


async def _do(request: Request, name: str, **given: Any) -> Response:
    """Have a job done for a program."""
    if len(request.url.query) > LIMITS.query:
        sentence = f"an address may have at most {LIMITS.query:,} characters; got {len(request.url.query):,}."
        return respond(request, error_replies.error_reply(414, sentence, "api"))
    return respond(request, await have_done(request, Job(name, "api", given)))


def _too_large(request: Request, most: int) -> Response:
    return respond(
        request, error_replies.error_reply(413, f"a body may have at most {most:,} bytes; this one is larger.", "api")
    )


async def _body(request: Request, most: int) -> bytes | None:
    """Return the body, or None if it is too large."""
    parts = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            return None
        parts.append(part)
    return b"".join(parts)
