"""What if: what the answer would become with other choices, for the chips and pictures that are already on the page.

The page asks for it once its answer stands there: the address of the question with `/whatif`, and an `_if` for every
alternative that it shows, `_if=guns.0.facing=side`. The reply is JSON, by the same words: `whatif.js` looks for all
elements with `data-if="guns.0.facing=side"` and writes the figure into them. What there was no time for is not in the
reply; the page asks for it again by itself, and each request brings at least one more.
"""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import APIRouter, Request, Response

from battletape.errors import BadInput, sentence
from battletape.views.heat import CellQuestion
from battletape.views.whatif import WhatIf, what_if
from battletape.web import error_replies
from battletape.web.error_wording import titles
from battletape.web.forms import Pairs
from battletape.web.jobs import JSON, Job, Reply, ReplyForm, job
from battletape.web.limits import LIMITS
from battletape.web.pages.asking import AskedQuestion, have_done, pairs_of, read_asked, respond
from battletape.words import capital

router = APIRouter(include_in_schema=False)
MAX_ALTERNATIVES = 60
"""How many alternatives may be asked for at once."""
SECONDS = 1.5
"""How long they may take together, even in the patient lane, where answers may be waiting."""


@router.get("/{ruleset}/{question}/whatif")
async def whatif(request: Request, ruleset: str, question: str) -> Response:
    """Reply with what the answer would become; no answer waits for it, as it is counted apart."""
    if len(request.url.query) > LIMITS.query:
        sentence = f"an address may have at most {LIMITS.query:,} characters; got {len(request.url.query):,}."
        return respond(request, error_replies.error_reply(414, sentence, "api"))
    given: dict[str, Any] = {"ruleset": ruleset, "question": question, "pairs": pairs_of(request)}
    return respond(request, await have_done(request, Job("whatif_figures", "api", given), " what if"))


@job
def whatif_figures(*, seconds: float, reply_form: ReplyForm, ruleset: str, question: str, pairs: Pairs) -> Reply:
    """Reply with the figure of every alternative, by the words in which it was asked for."""
    asked = read_asked(ruleset, question, pairs)
    keys = tuple(dict.fromkeys(value for name, value in pairs if name == "_if"))
    if len(keys) > MAX_ALTERNATIVES:
        raise BadInput(
            f"at most {MAX_ALTERNATIVES} alternatives can be asked for at once; got {len(keys)}.", field="_if"
        )
    figures = what_if(base_of(asked), keys, min(seconds, SECONDS), asked.sent.page.get("measure"))
    body = {figure.key: _plain(figure) for figure in figures if not figure.is_open}
    return Reply(msgspec.json.encode(body), JSON, cut=not body and bool(keys), keep=len(body) == len(keys))


def base_of(asked: AskedQuestion) -> CellQuestion:
    """Return the question that the alternatives change."""
    card, question = asked.ruleset, asked.question
    return CellQuestion(card, question, asked.inputs, asked.rulings, asked.sent.preset, titles(card, question))


def _plain(figure: WhatIf) -> dict[str, Any]:
    if figure.is_silent:
        return {}
    if figure.why:
        return {"why": capital(sentence(figure.why))}
    body: dict[str, Any] = {"text": figure.text, "words": figure.words}
    body |= {"same": True} if figure.same else {"still": True} if figure.still else {}
    return body | {"spot": figure.spot} if figure.spot else body
