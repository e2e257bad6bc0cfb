"""The catalogue by JSON: rulesets, clauses, profiles; the OpenAPI document, and the page that explains it all."""

from __future__ import annotations

from typing import Any

import msgspec

from battletape import registry
from battletape.errors import BadInput, UnknownName
from battletape.views.catalogue import field_views, plain_example, ruleset_view
from battletape.views.profiles import book_view
from battletape.views.rules import clause_use, rules_view
from battletape.web.api.schemas import MOST_WORDS, QUERY, openapi
from battletape.web.jobs import JSON, NotHere, Reply, ReplyForm, job
from battletape.web.pages.asking import find_ruleset
from battletape.web.rendering import render


@job
def api_rulesets(*, seconds: float, reply_form: ReplyForm) -> Reply:
    """Return every ruleset."""
    return _json([ruleset_view(card) for card in registry.rulesets()])


@job
def api_clauses(*, seconds: float, reply_form: ReplyForm, ruleset: str, words: str) -> Reply:
    """Return the clauses that contain every word."""
    if len(words) > MOST_WORDS:
        raise BadInput.of("words", f"may have at most {MOST_WORDS} characters; got {len(words):,}.")
    return _json(rules_view(find_ruleset(ruleset), words))


@job
def api_clause(*, seconds: float, reply_form: ReplyForm, ruleset: str, clause: str) -> Reply:
    """Return one clause, and where it is used."""
    try:
        return _json(clause_use(find_ruleset(ruleset), clause))
    except UnknownName as error:
        raise NotHere(str(error)) from None


@job
def api_profiles(*, seconds: float, reply_form: ReplyForm, ruleset: str) -> Reply:
    """Units and weapons."""
    return _json(book_view(find_ruleset(ruleset)))


@job
def api_openapi(*, seconds: float, reply_form: ReplyForm) -> Reply:
    """Return the OpenAPI document."""
    return _json(openapi())


@job
def api_page(*, seconds: float, reply_form: ReplyForm) -> Reply:
    """Return the page that explains the API, with an example for every question."""
    systems = []
    for name in registry.names():
        card = registry.ruleset(name)
        questions = [
            {
                "name": question.name,
                "title": question.title,
                "measures": [each.name for each in question.measures],
                "fields": field_views(question.inputs),
                "example": msgspec.json.encode(plain_example(question)).decode(),
            }
            for question in card.questions
        ]
        systems.append({"name": card.name, "title": card.title, "questions": questions})
    options = [{"name": name, "about": about} for name, _, about in QUERY]
    return Reply(render("api.html", systems=systems, options=options), keep=True)


def _json(value: Any) -> Reply:
    return Reply(msgspec.json.encode(value, enc_hook=str), JSON, keep=True)
