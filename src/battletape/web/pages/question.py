"""A question: the form, and the answer that redraws while a value changes."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from battletape.errors import BadInput, BattletapeError, BudgetSpent, Refused
from battletape.views.asked import short_given
from battletape.views.form import form_view
from battletape.views.glance import answer_glance
from battletape.web import troubles
from battletape.web.charts import BARS, chart
from battletape.web.forms import Pairs, Sent, read_pairs
from battletape.web.jobs import Door, Reply, job
from battletape.web.own import mended_own
from battletape.web.pages.acts import acts
from battletape.web.pages.asking import Asked, do, find_question, pairs_of, read_asked, work_out
from battletape.web.rendering import render

router = APIRouter(include_in_schema=False)


@router.get("/{ruleset}/{question}")
async def question(request: Request, ruleset: str, question: str) -> Response:
    """A question with its answer; for htmx the answer alone, with the form where that has to change too."""
    form = request.headers.get("battletape-form") == "1"
    return await do(request, "question_page", ruleset=ruleset, question=question, pairs=pairs_of(request), form=form)


@job
def question_page(
    *, seconds: float, door: Door, ruleset: str, question: str, pairs: Pairs, form: bool = False
) -> Reply:
    """The page of a question, or its answer alone."""
    try:
        asked = read_asked(ruleset, question, pairs)
    except BadInput as error:
        if door == "part":
            raise
        return _in_trouble(_mended(ruleset, question, pairs), error)
    if asked.sent.from_form and door == "page":
        return Reply(b"", status=303, headers={"Location": asked.address()})
    try:
        answer = work_out(asked, seconds)
        glance = answer_glance(answer, asked.sent.page.get("measure"), BARS)
    except (BadInput, Refused, BudgetSpent) as error:
        if door == "part":
            raise
        return _in_trouble(asked, error)
    shown = {
        "asked": asked,
        "answer": glance,
        "chart": chart(glance.measure),
        "acts": acts(asked, answer),
        "fractions": "fractions" in asked.sent.page,
    }
    cut = bool(answer.states.unexplored_weight)
    if door == "part":
        body = render("answer_part.html", **shown, form=_form(asked) if form else None)
    else:
        body = render("question.html", **shown, form=_form(asked), trouble=None)
    return Reply(body, address=asked.address(), cut=cut, keep=not cut)


def _form(asked: Asked) -> Any:
    return form_view(asked.ruleset, asked.question, asked.inputs, asked.rulings, asked.sent.preset)


def _in_trouble(asked: Asked, error: BattletapeError) -> Reply:
    """The page with what does not fit in place of an answer."""
    trouble = troubles.reply(error, "part")
    field = getattr(error, "field", "")
    shown = {"title": troubles.TITLES[trouble.status], "sentences": str(error).splitlines(), "field": field}
    body = render("question.html", asked=asked, form=_form(asked), answer=None, trouble=shown)
    return Reply(body, status=trouble.status, cut=isinstance(error, BudgetSpent))


def _mended(ruleset: str, question: str, pairs: Pairs) -> Asked:
    """The question without what does not fit, so that the form can be shown and mended."""
    known, one = find_question(ruleset, question)
    card, own = mended_own(known, pairs)
    try:
        sent = read_pairs(card, one, pairs)
    except BadInput:
        sent = Sent({}, {}, from_form=False)
    given = dict(sent.given)
    for _ in range(len(given)):
        try:
            inputs, rulings = card.split(one, given)
            break
        except BadInput as error:
            name = next((name for name in given if name.replace("-", "_") == error.field.replace("-", "_")), None)
            given = {key: value for key, value in given.items() if key != name} if name else {}
    else:
        inputs, rulings = card.split(one, {})
    sent = Sent(given, own, from_form=False)
    return Asked(card, one, sent, inputs, rulings, short_given(card, one, inputs, rulings, sent.preset))
