"""A question: the form, and the answer that redraws while a value changes."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from battletape.errors import BadInput, BattletapeError, BudgetSpent, Refused
from battletape.inputs import fields
from battletape.table.picture import Picture
from battletape.views.answer_summary import answer_summary
from battletape.views.board import KeyView, draw_svg, key_views
from battletape.views.board_frame import Steps, parse_frame, steps
from battletape.views.form import form_view
from battletape.views.outlines import OutlineView, draw_outline, outline_views
from battletape.views.profile_choices import own_names
from battletape.views.short_inputs import short_given
from battletape.views.variants import profile_changes
from battletape.views.whatif import best_aim
from battletape.web import error_replies
from battletape.web.charts import BARS, chart
from battletape.web.error_wording import titles
from battletape.web.forms import FRAME, Pairs, Sent, read_pairs
from battletape.web.jobs import Reply, ReplyForm, job
from battletape.web.limits import LIMITS
from battletape.web.misfits import clash_of, drop_misfits, place_of, with_misfit_texts
from battletape.web.own_profiles import mended_own, used_card
from battletape.web.pages.acts import acts
from battletape.web.pages.asking import (
    AskedQuestion,
    do,
    find_question,
    is_bare,
    pairs_of,
    read_asked,
    to_example,
    work_out,
)
from battletape.web.pages.variants import asking
from battletape.web.rendering import render

router = APIRouter(include_in_schema=False)


@router.get("/{ruleset}/{question}")
async def question(request: Request, ruleset: str, question: str) -> Response:
    """Reply with a question with its answer; for htmx only the answer, with the form if it has to change too."""
    form = request.headers.get("battletape-form") == "1"
    return await do(request, "question_page", ruleset=ruleset, question=question, pairs=pairs_of(request), form=form)


@job
def question_page(
    *, seconds: float, reply_form: ReplyForm, ruleset: str, question: str, pairs: Pairs, form: bool = False
) -> Reply:
    """Reply with the page of a question, or its answer alone."""
    try:
        asked = read_asked(ruleset, question, pairs)
    except BadInput as error:
        return _misread(reply_form, error, ruleset, question, pairs, form)
    if asked.sent.from_form and reply_form == "page":
        return Reply(b"", status=303, headers={"Location": asked.address()})
    if is_bare(asked, reply_form):
        return to_example(asked)
    form = form or _is_filled(asked)
    try:
        answer = work_out(asked, seconds)
        glance = answer_summary(answer, asked.sent.page.get("measure"), BARS)
    except (BadInput, Refused, BudgetSpent) as error:
        return _in_trouble(reply_form, error, asked, form)
    shown = {
        "asked": asked,
        "answer": glance,
        "chart": chart(glance.measure),
        "acts": acts(asked, answer),
        "fractions": "fractions" in asked.sent.page,
        "board": drawn(answer.picture, asked),
        "outlines": outlined(asked),
    }
    cut = answer.is_cut
    if reply_form == "part":
        body = render("answer_part.html", **shown, form=_form(asked) if form else None)
    else:
        body = render("question.html", **shown, form=_form(asked), trouble=None)
    return Reply(body, address=asked.address(), cut=cut, keep=not cut)


class Drawn(Struct, frozen=True):
    """What lies on the table, for the page: the drawing, what its signs mean, and what a player may do with it."""

    svg: Markup
    key: tuple[KeyView, ...]
    moves: bool
    taps: bool
    frame: str  # the part of the table that was chosen
    steps: Steps
    best: str  # the alternative that leaves the aim open, if it is not open already


def drawn(picture: Picture | None, asked: AskedQuestion) -> Drawn | None:
    """Return the board of an answer, if it has one."""
    if picture is None:
        return None
    frame = parse_frame(asked.sent.page.get(FRAME, ""))
    aims = asked.question.aims
    return Drawn(
        svg=Markup(draw_svg(picture, page=True, frame=frame)),
        key=key_views(picture),
        moves=any(getattr(thing, "drag", None) for thing in picture.things),
        taps=any(getattr(thing, "tap", "") for thing in picture.things),
        frame=str(frame or ""),
        steps=steps(picture, frame),
        best=best_aim(asked.question) if any(name in asked.said for name in aims) else "",
    )


class Outlined(Struct, frozen=True):
    """A picture that is the input: what is in it, and its drawing."""

    view: OutlineView
    svg: Markup


def outlined(asked: AskedQuestion) -> tuple[Outlined, ...]:
    """Return the pictures of a question that is asked so."""
    views = outline_views(asked.ruleset, asked.question, asked.inputs, asked.rulings)
    return tuple(Outlined(view, Markup(draw_outline(view))) for view in views)


def _is_filled(asked: AskedQuestion) -> bool:
    """Return whether one input filled in another, so that the form has to change."""
    given = {name.replace("-", "_").partition(".")[0] for name in asked.sent.given}
    names = own_names(asked.ruleset, asked.question, (), asked.inputs)
    if any(field.part == "facing" for field in fields(type(asked.inputs))) and names:
        return True  # which side is met may say which armour of the vehicle counts
    return any(field.name in asked.said and field.name not in given for field in fields(type(asked.inputs)))


def _form(asked: AskedQuestion, typed: dict[str, str] | None = None) -> Any:
    card = used_card(asked.ruleset, asked.sent)
    shortest = asked.said if card is asked.ruleset and typed is None else None
    read = asked.inputs, asked.rulings, asked.sent.preset
    return form_view(card, asked.question, *read, typed, _brought(asked), shortest)


def _brought(asked: AskedQuestion) -> dict[str, str]:
    """Return what else the profiles just picked have changed, by the names of their controls."""
    if asked.sent.before is None:
        return {}
    after = asking(asked)
    before = replace(after, inputs=asked.sent.before)
    return {name: profile_changes(before, after, name) for name in asked.sent.picked}


def _in_trouble(
    reply_form: ReplyForm, error: BattletapeError, asked: AskedQuestion, form: bool, typed: dict[str, str] | None = None
) -> Reply:
    """Return the error in place of an answer, with the form if it is needed."""
    plain_reply = error_replies.reply(error, "part")
    place = place_of(error, {**asked.sent.given, **(typed or {})}) if isinstance(error, BadInput) else ""
    place = place or _row(error, asked) or next(iter(typed or {}), "")
    if not place and isinstance(error, (BadInput, Refused)):
        place = clash_of(error, asked.ruleset, asked.question, asked.sent.given)
    called = titles(asked.ruleset, asked.question)
    shown = {
        "title": error_replies.TOO_LARGE
        if isinstance(error, BudgetSpent)
        else error_replies.TITLES[plain_reply.status],
        "sentences": error.lines(called),
        "summary": error.summary(called),
        "field": place,
        "asked": asked,
        "outlines": outlined(asked),
    }
    cut = isinstance(error, BudgetSpent)
    if reply_form == "part":
        body = render("trouble_answer.html", **shown, form=_form(asked, typed) if form else None)
        address = asked.address()
        address = address if len(address) <= LIMITS.query else ""
        return Reply(body, status=plain_reply.status, headers=plain_reply.headers, address=address, cut=cut)
    body = render("question.html", **shown, form=_form(asked, typed), answer=None, trouble=shown, board=None)
    return Reply(body, status=plain_reply.status, cut=cut)


def _row(error: BattletapeError, asked: AskedQuestion) -> str:
    """Return the input that an error names, if the form has it."""
    name = str(getattr(error, "field", ""))
    return name if name in {field.name for field in fields(type(asked.inputs))} else ""


def _misread(reply_form: ReplyForm, error: BadInput, ruleset: str, question: str, pairs: Pairs, form: bool) -> Reply:
    """Return the question without what does not fit, so that the form can be shown and corrected."""
    known, posed = find_question(ruleset, question)
    card, own = mended_own(known, pairs)
    try:
        sent = read_pairs(card, posed, pairs)
    except BadInput:
        sent = Sent({}, {}, from_form=False)
    mended = drop_misfits(card, posed, sent.given)
    page = {name: text for name, text in sent.page.items() if name not in ("own", "form", "do")} | own
    kept = Sent(mended.given, page, from_form=False)
    shortest = short_given(card, posed, mended.inputs, mended.rulings, kept.preset)
    shortest = with_misfit_texts(card, posed, mended, shortest)
    asked = AskedQuestion(card, posed, kept, mended.inputs, mended.rulings, shortest)
    return _in_trouble(reply_form, error, asked, form, mended.typed)
