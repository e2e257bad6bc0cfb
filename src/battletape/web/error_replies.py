"""Troubles: an error as a page, as part of a page or as a problem document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from battletape import errors
from battletape.web.jobs import NotHere, Reply, ReplyForm, Unreadable
from battletape.web.rendering import render

PROBLEM = "application/problem+json"
TITLES = {
    400: "This cannot be read",
    404: "There is no such page",
    405: "This cannot be done here",
    408: "This took too long to come",
    413: "This is too large",
    414: "This address is too long",
    421: "This is not a name of this server",
    422: "This does not fit",
    429: "Too much at once",
    431: "This is too large",
    500: "We failed",
    503: "Not now",
}
STATUSES: dict[type[errors.BattletapeError], int] = {Unreadable: 400, NotHere: 404}
TOO_LARGE = "This question is too large"
LESS = "ask about fewer dice, models, entries, turns or rounds"
"""What to do about a question that takes too long."""
TOO_LONG = f"This question is too large to be worked out in the time there is; {LESS}."
MAX_LETTERS, MAX_LINES = 2_000, 40
"""How long a sentence may be, and how many are shown."""
UNANSWERED = {
    "closed": "Battletape is ending just now; ask again when it is back.",
    "late": "Too many questions are being answered, and it was not this one's turn in time; ask again in a moment.",
    "hung": "This question took too long. Ask again in a moment, or ask a smaller one.",
    "died": "The process that worked on this question failed twice on the way. Ask again in a moment.",
}
"""Why a question has no answer now, though it may be a good one."""


def reply(error: errors.BattletapeError, reply_form: ReplyForm, called: errors.Called = errors.own_name) -> Reply:
    """Return an error about what does not fit, with inputs called by their titles or names."""
    status = next((status for kind, status in STATUSES.items() if isinstance(error, kind)), 422)
    more: dict[str, Any] = {}
    if isinstance(error, errors.BadInput) and error.field:
        more["field"] = str(error.field)[: errors.MOST_LETTERS]
    if isinstance(error, errors.UnknownName) and error.nearest:
        more["nearest"] = error.nearest
    if isinstance(error, errors.Refused) and error.clause:
        more["clause"] = error.clause
    sentence, lines = error.sentence(called), error.lines(called)
    if isinstance(error, NotHere) and reply_form == "api":
        sentence = error.names or sentence
    elif isinstance(error, NotHere) and error.ways:
        more["ways"] = error.ways
    title = TOO_LARGE if isinstance(error, errors.BudgetSpent) else ""
    return error_reply(status, sentence, reply_form, lines, title=title, **more)


def too_large(reply_form: ReplyForm) -> Reply:
    """Reply that the question is too large to work out here."""
    sentence = f"This question is larger than can be worked out here; {LESS}."
    return error_reply(422, sentence, reply_form, title=TOO_LARGE)


def too_many(reply_form: ReplyForm) -> Reply:
    """Reply that too many ask at once."""
    return error_reply(429, "Too many questions came at once; wait a moment and ask again.", reply_form, wait=1)


def unanswered(fate: str, reply_form: ReplyForm) -> Reply:
    """Return the reply that there is no answer now, which need not be the question's fault."""
    return error_reply(503, UNANSWERED[fate], reply_form, wait=5 if fate == "closed" else 2)


def our_fault(reply_form: ReplyForm) -> Reply:
    """Return the reply for something that broke and should not."""
    parts = "the address and the body" if reply_form == "api" else "the address"
    return error_reply(
        500, f"Battletape failed, and not by your doing; please report it, with {parts} of what was asked.", reply_form
    )


def error_reply(
    status: int,
    sentence: str,
    reply_form: ReplyForm,
    lines: Sequence[errors.ErrorLine] = (),
    *,
    title: str = "",
    wait: int = 0,
    **more: Any,
) -> Reply:
    """Return a sentence in the form that the client expects; `lines` hold what it cites apart."""
    headers = {"Retry-After": str(wait)} if wait else {}
    sentence = "\n".join(map(_cut, sentence.splitlines()[:MAX_LINES]))
    title = title or TITLES.get(status, "This did not work")
    if reply_form == "api":
        problem = {"type": f"/api#problem-{status}", "title": title, "status": status, "detail": sentence, **more}
        return Reply(msgspec.json.encode(problem), PROBLEM, status, headers)
    if reply_form == "part":
        headers |= {"HX-Retarget": "#trouble", "HX-Reswap": "innerHTML"}
        parts = [errors.ErrorLine(_cut(line.text), line.clauses) for line in lines[:MAX_LINES]]
        parts = parts or list(map(errors.ErrorLine, sentence.splitlines()))
        return Reply(render("trouble_part.html", title=title, sentences=parts, **more), status=status, headers=headers)
    shown = {"title": title, "status": status, "sentences": sentence.splitlines(), **more}
    return Reply(render("trouble.html", **shown), status=status, headers=headers)


def _cut(line: str) -> str:
    return line if len(line) <= MAX_LETTERS else line[:MAX_LETTERS] + "…"
