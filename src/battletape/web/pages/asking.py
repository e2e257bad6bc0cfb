"""What every page about a question shares: the client, what was asked, and the reply as a response."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, quote

from fastapi import Request, Response
from msgspec import Struct

from battletape import calculator, registry
from battletape.answer import Answer, ask_read
from battletape.errors import BudgetSpent, UnknownName, shortened
from battletape.inputs import Inputs, Nothing
from battletape.system import Question, Ruleset
from battletape.tape.limits import Budget
from battletape.views.front_page import example_given
from battletape.views.question_text import InputText, input_texts
from battletape.views.short_inputs import Given, short_given
from battletape.web import error_replies, forms
from battletape.web.fair_queue import sender_of
from battletape.web.forms import Pairs, Sent
from battletape.web.jobs import Job, NotHere, Reply, ReplyForm
from battletape.web.limits import LIMITS
from battletape.web.own_profiles import kept_own, own_card

DICE = "dice"
"""The name of the dice in the address of the calculator."""
MINE = "/mine"
"""Where dice of one's own are typed in for the calculator."""
GONE = 499
"""The status in our log if the client has gone away."""


class AskedQuestion(Struct, frozen=True):
    """A question as it was asked: read, and in the fewest words."""

    ruleset: Ruleset
    question: Question
    sent: Sent
    inputs: Inputs
    rulings: Inputs
    said: Given

    @property
    def is_plain_dice(self) -> bool:
        """Whether it is about dice alone, of no system."""
        return False

    @property
    def path(self) -> str:
        """Where the page of this question is."""
        return forms.write_path(self.ruleset.name, self.question.name)

    @property
    def home(self) -> tuple[str, str]:
        """The page above this one: its title and its address."""
        return self.ruleset.title, f"/{quote(self.ruleset.name, safe='')}"

    @property
    def given(self) -> Given:
        """What the question is given when it is worked out."""
        return self.said

    @property
    def input_texts(self) -> tuple[InputText, ...]:
        """What was asked, as titles and values."""
        return input_texts(self.ruleset, self.question, self.inputs, self.rulings)

    def address(self, ending: str = "", **page: str | None) -> str:
        """Return the address of this question, or of a page about it; `page` changes the page's own values."""
        return forms.write_address(
            self.ruleset.name, self.question.name + ending, self.said, self.page_values(ending, page)
        )

    def page_values(self, ending: str, page: Mapping[str, str | None]) -> dict[str, str]:
        """Return the page's own values in an address, with these changes."""
        values = {name: value for name, value in {**self.sent.page, **page}.items() if value}
        if values.get("measure") == self.question.measures[0].name:
            del values["measure"]  # it is shown anyway
        if ending:
            values.pop(forms.FRAME, None)  # other pages show no board, or all of it
        return values


class AskedCalculation(AskedQuestion, frozen=True):
    """Dice as they were typed into the calculator: a question of no system, at an address of its own."""

    @property
    def is_plain_dice(self) -> bool:
        """It is."""
        return True

    @property
    def path(self) -> str:
        """Where the calculator is."""
        return f"/{calculator.CARD.name}"

    @property
    def home(self) -> tuple[str, str]:
        """All systems."""
        return "All games", "/"

    @property
    def given(self) -> Given:
        """Nothing: the dice are the question."""
        return {}

    @property
    def input_texts(self) -> tuple[InputText, ...]:
        """The dice."""
        return (InputText("Dice", self.question.title, self.question.title),)

    def address(self, ending: str = "", **page: str | None) -> str:
        """Return the address of the calculator with these dice, or of a page about them."""
        query = forms.write_query(self.said, self.page_values(ending, page))
        return f"{self.path}{MINE if ending == '/dice' else ending}?{query}"


def find_ruleset(name: str) -> Ruleset:
    """Return the ruleset of this name; raises NotHere."""
    try:
        return registry.ruleset(name)
    except UnknownName as error:
        ways = [(card.title, f"/{card.name}") for card in map(registry.ruleset, registry.names())]
        raise NotHere(f"there is no system “{shortened(error.name)}” here. There are:", ways, str(error)) from None


def find_question(ruleset: str, question: str) -> tuple[Ruleset, Question]:
    """Return the question of this name; raises NotHere."""
    card = find_ruleset(ruleset)
    try:
        return card, card.question(question)
    except UnknownName as error:
        raise not_here(card, error) from None


def not_here(card: Ruleset, error: UnknownName) -> NotHere:
    """Return what a system does not have, with the name that players know it by; of questions, those that it has."""
    if error.field == "question":
        ways = [(question.title, f"/{card.name}/{question.name}") for question in card.questions]
        return NotHere(f"{card.title} has no question “{shortened(error.name)}”. It has:", ways, str(error))
    return NotHere(str(error).replace(f"{card.name}: ", f"{card.title}: ", 1))


def read_asked(ruleset: str, question: str, pairs: Pairs) -> AskedQuestion:
    """Return what was asked."""
    if ruleset == calculator.CARD.name:
        return read_dice(pairs)
    known, posed = find_question(ruleset, question)
    card = own_card(known, pairs)
    sent = forms.read_pairs(card, posed, pairs)
    inputs, rulings = card.split(posed, sent.given)
    sent = kept_own(known, sent, inputs)
    return AskedQuestion(card, posed, sent, inputs, rulings, short_given(card, posed, inputs, rulings, sent.preset))


def read_dice(pairs: Pairs) -> AskedCalculation:
    """Return the dice that an address asks about; raises BadInput if they cannot be read."""
    text = next((value for name, value in reversed(pairs) if name == DICE), "")
    page = {name[1:]: value for name, value in pairs if name.startswith("_")}
    question = calculator.question_of(text)
    shortest: Given = {DICE: " ".join(text.split())}
    return AskedCalculation(calculator.CARD, question, Sent({}, page, from_form=False), Nothing(), Nothing(), shortest)


def is_bare(asked: AskedQuestion, reply_form: ReplyForm) -> bool:
    """Return whether an address says nothing about the question; then its page opens with the example."""
    return reply_form == "page" and not asked.sent.given and forms.BLANK not in asked.sent.page


def to_example(asked: AskedQuestion, ending: str = "") -> Reply:
    """Go to the example: named cards to begin with, not a form of bare numbers."""
    example = example_given(asked.ruleset, asked.question.name)
    address = forms.write_address(asked.ruleset.name, asked.question.name + ending, example, asked.sent.page)
    return Reply(b"", status=303, headers={"Location": address})


STATES = 20_000
"""How many states go on from stage to stage: drawing more takes as long as finding them."""


def work_out(asked: AskedQuestion, seconds: float) -> Answer:
    """Return the odds, within this many seconds."""
    named = asked.sent.page.get("measure")
    measures = (asked.question.measure(named).name,) if named else ()
    budget = Budget(seconds=seconds, states=STATES)
    answer = ask_read(asked.ruleset, asked.question, asked.inputs, asked.rulings, budget=budget, measures=measures)
    if not answer.states.weights:
        raise BudgetSpent(error_replies.TOO_LONG)
    return answer


# --- between a request and a job --------------------------------------------------------------------------------------


def reply_form_of(request: Request) -> ReplyForm:
    """Return whether htmx asks for a part, or a browser for a page."""
    return "part" if request.headers.get("hx-request") == "true" else "page"


def pairs_of(request: Request) -> list[tuple[str, str]]:
    """Return the pairs of the query string."""
    return parse_qsl(request.url.query, keep_blank_values=True, errors="replace")


def client_of(request: Request) -> str:
    """Return the client, as limits count clients."""
    return sender_of(request.client.host) if request.client else ""


async def do(request: Request, name: str, **given: Any) -> Response:
    """Do a job, and return its reply."""
    reply_form = reply_form_of(request)
    if len(request.url.query) > LIMITS.query:
        sentence = f"an address may have at most {LIMITS.query:,} characters; got {len(request.url.query):,}."
        return respond(request, error_replies.error_reply(414, sentence, reply_form))
    return respond(request, await have_done(request, Job(name, reply_form, given)))


async def have_done(request: Request, job: Job, apart: str = "") -> Reply:
    """Do a job, unless the client goes away: a slider that moves on drops the last question.

    What is done `apart` is counted as if another client had asked.
    """
    client = client_of(request) + apart
    work = asyncio.ensure_future(request.app.state.executor.do(job, client))
    left = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait((work, left), return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            reply: Reply = work.result()
            return reply
        return Reply(b"", status=GONE)
    finally:
        work.cancel()
        left.cancel()


async def _gone(request: Request) -> None:
    """Return when the client has gone away."""
    while (await request.receive())["type"] != "http.disconnect":
        continue


def respond(request: Request, reply: Reply) -> Response:
    """Return a reply as a response; htmx is told the address of the question."""
    headers = {"Vary": "HX-Request", "Cache-Control": "no-store" if reply_form_of(request) == "part" else "no-cache"}
    headers |= reply.headers
    if reply.address and reply_form_of(request) == "part":
        push = request.headers.get("battletape-history") == "push"
        headers["HX-Push-Url" if push else "HX-Replace-Url"] = reply.address
    return Response(reply.body, reply.status, headers, reply.type)
