"""The dice calculator: a line of text and keys that write it, its odds, one roll, and dice of one's own.

Without scripts every key loads the page anew; with them htmx swaps the keys and the answer.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from battletape.calculator import EXAMPLES, FORMS
from battletape.errors import BadInput, BudgetSpent
from battletape.views.answer_summary import answer_summary
from battletape.views.calculator import examples_view, keys_view, lead_view, press, results_view
from battletape.web import error_replies
from battletape.web.charts import BARS, chart
from battletape.web.forms import Pairs, write_query
from battletape.web.jobs import Reply, ReplyForm, job
from battletape.web.pages import asking
from battletape.web.pages.acts import ActLink
from battletape.web.pages.asking import AskedCalculation
from battletape.web.rendering import render

router = APIRouter(include_in_schema=False)


@router.get("/dice")
async def calculator(request: Request) -> Response:
    """Reply with the calculator; without dice, with an example."""
    return await asking.do(request, "calculator_page", pairs=asking.pairs_of(request))


@router.get("/dice/roll")
async def roll(request: Request) -> Response:
    """Reply with one roll of any dice."""
    return await asking.do(request, "roll_page", ruleset="dice", question="dice", pairs=asking.pairs_of(request))


@router.get(f"/dice{asking.MINE}")
async def mine(request: Request) -> Response:
    """Reply with any dice, typed in from the table."""
    return await asking.do(request, "dice_page", ruleset="dice", question="dice", pairs=asking.pairs_of(request))


@job
def calculator_page(*, seconds: float, reply_form: ReplyForm, pairs: Pairs) -> Reply:
    """Reply with the calculator with what was typed, or with what a key made of it."""
    given = dict(pairs)
    text = given.get(asking.DICE, EXAMPLES[0])
    pressed = given.get("_do", "")
    if pressed:
        text = press(text, pressed)
        pairs = [(asking.DICE, text), *((name, value) for name, value in pairs if name not in (asking.DICE, "_do"))]
        if reply_form == "page":
            query = write_query({asking.DICE: text}, {name[1:]: value for name, value in pairs if name.startswith("_")})
            return Reply(b"", status=303, headers={"Location": f"/dice?{query}"})
    elif asking.DICE not in given:
        pairs = [(asking.DICE, text), *pairs]
    shown: dict[str, Any] = {"text": text, "pressed": bool(pressed), "asked": None, "answer": None, "trouble": None}
    status = 200
    try:
        if text.strip():
            shown |= _answered(asking.read_dice(pairs), seconds)
    except (BadInput, BudgetSpent) as error:
        status = 422
        title = error_replies.TOO_LARGE if isinstance(error, BudgetSpent) else error_replies.TITLES[status]
        shown["trouble"] = {"title": title, "sentences": error.lines(), "field": asking.DICE}
    asked = shown["asked"]
    body = render(
        "calculator_part.html" if reply_form == "part" else "calculator.html",
        **shown,
        keys=keys_view(text),
        forms=FORMS,
        examples=examples_view() if reply_form == "page" else (),
        here=f"/dice?{write_query({asking.DICE: ' '.join(text.split())})}",
    )
    cut = bool(shown["answer"]) and shown["answer"].how.unexplored.value > 0
    return Reply(body, status=status, address=asked.address() if asked else "", cut=cut, keep=status == 200 and not cut)


def _answered(asked: AskedCalculation, seconds: float) -> dict[str, Any]:
    """Return what the templates show of an answer: the sentence, the picture, every result, and what can be done
    with it.
    """
    answer = asking.work_out(asked, seconds)
    last = asked.question.measures[-1]  # of a comparison, what is compared
    glance = answer_summary(answer, last.name, BARS)
    is_rolled = glance.is_luck
    acts = (
        ActLink("Roll", asked.address("/roll"), True),
        ActLink("My dice", asked.address("/dice"), False),
    )
    return {
        "asked": asked,
        "answer": glance,
        "lead": lead_view(answer),
        "chart": chart(glance.measure),
        "results": results_view(answer),
        "fractions": "fractions" in asked.sent.page,
        "acts": acts if is_rolled else (),
        "links": {
            "fractions": asked.address(fractions="1"),
            "percent": asked.address(fractions=None),
        },
    }
