"""Decide: for a question with choices, the value of each option for a goal, and the best one.

In the address, `_goal` names the measure, and `_sides` says how each side plays: `attacker=max,defender=min`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from time import monotonic, perf_counter
from urllib.parse import parse_qsl, urlsplit

from fastapi import APIRouter, Request, Response
from msgspec import Struct

from battletape.answer import advise
from battletape.errors import BadInput, BattletapeError, BudgetSpent
from battletape.inputs import fields, parse_pairs
from battletape.odds import percent
from battletape.system import Measure
from battletape.tape.best import POLICIES
from battletape.tape.limits import Budget
from battletape.views.advice import advice_view, is_a_chance
from battletape.views.choices import ChoiceSum, choices_of, leaves_choice
from battletape.views.heat import goals
from battletape.web.forms import Pairs
from battletape.web.jobs import Reply, ReplyForm, job
from battletape.web.pages.asking import AskedQuestion, do, pairs_of, read_asked, work_out
from battletape.web.pages.variants import with_changes
from battletape.web.pages.whatif import base_of
from battletape.web.rendering import render

router = APIRouter(include_in_schema=False)
MAX_BRANCHES = 500_000
TOO_MANY = "They cannot all be weighed in the time there is; ask about fewer rounds, models or dice."
READ, OPENS = 40_000, 4
"""How much reading it may be to look for changes that would leave a choice, counted in branches, and how many of them
are shown."""
NOT_ALL = "There was not enough time to see whether somebody has something to decide; ask about fewer dice or turns."
WAYS = {"max": "for the most", "min": "for the least", "first": "the first option", "last": "the last option"}


class DecideView(Struct, frozen=True):
    """Advice for a page; without choices if none comes up."""

    headline: str
    number: str
    choices: tuple[ChoiceSum, ...]
    plays: dict[str, str]
    milliseconds: float


@router.get("/{ruleset}/{question}/decide")
async def decide(request: Request, ruleset: str, question: str) -> Response:
    """Reply with what to choose for a goal."""
    return await do(request, "decide_page", ruleset=ruleset, question=question, pairs=pairs_of(request))


@job
def decide_page(*, seconds: float, reply_form: ReplyForm, ruleset: str, question: str, pairs: Pairs) -> Reply:
    """Reply with the page of a decision."""
    asked = read_asked(ruleset, question, pairs)
    page = asked.sent.page
    sides = read_sides(page.get("sides", ""))
    sides |= {name.removeprefix("side."): play for name, play in page.items() if name.startswith("side.")}
    _check(sides)
    if reply_form == "page" and any(name.startswith("side.") for name in page):
        return Reply(b"", status=303, headers={"Location": address_of(asked, page.get("goal", ""), sides)})
    began = monotonic()
    answer = work_out(asked, seconds / 2)
    known = goals(answer)
    shown = {"asked": asked, "links": {"odds": question_address(asked)}, "ways": WAYS, "goals": known, "sides": sides}
    if not (answer.how.policy or answer.choices) or not known:
        late = NOT_ALL if answer.is_cut else ""
        opens = () if late else tuple(islice(_opens(asked), OPENS))
        body = render("decide.html", **shown, decided=None, goal=None, late=late, opens=opens)
        return Reply(body, cut=bool(late), keep=not late)
    hidden = [
        pair
        for pair in parse_qsl(urlsplit(question_address(asked)).query, keep_blank_values=True)
        if pair[0] != "_measure"
    ]
    shown |= {"opens": (), "hidden": hidden}
    wanted = page.get("goal") or page.get("measure") or ""
    goal = asked.question.measure(wanted) if page.get("goal") else _goal(known, wanted)
    shown |= {"goal": goal}
    try:
        decided = _decided(asked, goal, sides, max(seconds - (monotonic() - began), 0))
    except BudgetSpent:
        body = render("decide.html", **shown, decided=None, late=TOO_MANY)
        return Reply(body, status=422, cut=True)
    return Reply(render("decide.html", **shown, decided=decided, late=""), keep=True)


def address_of(asked: AskedQuestion, goal: str, sides: Mapping[str, str]) -> str:
    """Return the address of the advice for a goal."""
    plays = ",".join(f"{side}={play}" for side, play in sides.items())
    return question_address(asked, "/decide", goal=goal, sides=plays)


def question_address(asked: AskedQuestion, ending: str = "", **page: str | None) -> str:
    """Return the address of a page about the question alone."""
    ours = {name: None for name in asked.sent.page if name in ("goal", "sides") or name.startswith("side.")}
    return asked.address(ending, **(ours | page))


def read_sides(text: str) -> dict[str, str]:
    """Return how each side plays: attacker=max,defender=min."""
    return parse_pairs(text.replace(",", " ")) if text.strip() else {}


def _check(sides: Mapping[str, str]) -> None:
    known = ("max", "min", *POLICIES)
    for side, play in sides.items():
        if play not in known:
            raise BadInput(f"the {side} may play {', '.join(known)}; got {play!r}.", field="_sides")


def _goal(known: tuple[Measure, ...], wanted: str) -> Measure:
    """Return the current measure, if it can be a goal; otherwise the first that can."""
    return next((measure for measure in known if measure.name == wanted), known[0])


def _decided(asked: AskedQuestion, goal: Measure, sides: dict[str, str], seconds: float) -> DecideView:
    began = perf_counter()
    budget = Budget(branches=MAX_BRANCHES, seconds=seconds)
    advice = advise(asked.ruleset, asked.question, asked.said, goal.name, sides, budget=budget)
    took = perf_counter() - began
    view = advice_view(asked.ruleset, asked.question, asked.inputs, goal, sides, advice, took)
    chance = is_a_chance(goal, advice)
    number = percent(advice.value) if chance else view.value.text
    return DecideView(view.headline, number, choices_of(view, chance), view.sides, view.milliseconds)


def _opens(asked: AskedQuestion) -> Iterator[tuple[str, str, str]]:
    """Yield changes to inputs and rulings that would leave a choice, each with its address; the clock has no say."""
    tries = READ // base_of(asked).reading
    matter = asked.question.rulings
    rulings = (field for field in fields(type(asked.rulings)) if matter is None or field.name in matter)
    for choice in (*fields(type(asked.inputs)), *rulings):
        now = getattr(asked.inputs, choice.name, getattr(asked.rulings, choice.name, None))
        for value in choice.choices if choice.kind == "choice" else ():
            if value == now:
                continue
            tries -= 1
            if tries < 0:
                return
            try:
                other = with_changes(asked, {choice.name: str(value)})
                if leaves_choice(other.question, other.inputs, other.rulings):
                    yield choice.title, str(value).replace("_", " "), question_address(other, "/decide")
            except BattletapeError:
                continue
