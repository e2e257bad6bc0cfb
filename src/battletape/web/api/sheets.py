"""Sheets by the API: which there are, and each as PDF, PNG or SVG, blank or from profiles, a battle or a question."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from battletape.errors import BadInput, UnknownName, echo
from battletape.sheets import PAPERS, Paper
from battletape.sheets.typeset import FORMATS, Format, page, pdf
from battletape.system import Ruleset
from battletape.views import sheets
from battletape.views.own_profiles import with_own
from battletape.views.sheets import Source
from battletape.web.api.reading import check_shapes, read_body
from battletape.web.forms import Pairs
from battletape.web.jobs import JSON, NotHere, Reply, ReplyForm, job
from battletape.web.pages.asking import find_question
from battletape.web.pages.printing import MOST_CARDS, PDF, file_name, with_sheets
from battletape.words import listed

TYPES: dict[Format, str] = {"pdf": PDF, "png": "image/png", "svg": "image/svg+xml"}
MOST_NAMES, MOST_PAGES = 200, 1_000


class Order(Struct, frozen=True, forbid_unknown_fields=True):
    """What to print from, and how; with nothing to print from, the sheet is blank."""

    profiles: Annotated[tuple[str, ...], Meta(max_length=MOST_NAMES, description="Units by name; “3 x NAME”.")] = ()
    own: Annotated[str, Meta(description="A list of one's own, as TOML; without `profiles`, all that is in it.")] = ""
    battle: Annotated[str, Meta(description="The text of a battle file: the battle as it stands now.")] = ""
    question: Annotated[str, Meta(description="The name of a question.")] = ""
    inputs: Annotated[dict[str, Any], Meta(description="What the question is asked with.")] = {}
    rulings: Annotated[dict[str, Any], Meta(description="Rulings and `preset`; a battle has its own.")] = {}
    paper: Paper = "a4"
    format: Format = "pdf"
    page: Annotated[int, Meta(ge=1, le=MOST_PAGES, description="Which page, for PNG and SVG.")] = 1


@job
def api_sheets(*, seconds: float, reply_form: ReplyForm, ruleset: str) -> Reply:
    """Return every sheet of a system."""
    return Reply(msgspec.json.encode(sheets.sheet_views(with_sheets(ruleset))), JSON, keep=True)


@job
def api_sheet(*, seconds: float, reply_form: ReplyForm, ruleset: str, sheet: str, pairs: Pairs) -> Reply:
    """Return a sheet, blank or for the profiles of the query."""
    sent: dict[str, Any] = {}
    for name, value in pairs:
        if name == "profile":
            sent.setdefault("profiles", []).append(value)
        elif name in ("paper", "format"):
            sent[name] = value
        elif name == "page":
            sent[name] = int(value) if value.isascii() and value.isdigit() and len(value) < 6 else value
        else:
            raise BadInput(f"there is no option {echo(name)}. Known: profile, paper, format, page.", field=name)
    return _drawn(ruleset, sheet, _order(sent))


@job
def api_sheet_from(*, seconds: float, reply_form: ReplyForm, ruleset: str, sheet: str, body: bytes) -> Reply:
    """Return a sheet from what the body says."""
    return _drawn(ruleset, sheet, _order(read_body(body)))


def _order(sent: dict[str, Any]) -> Order:
    for name, known in (("paper", PAPERS), ("format", FORMATS)):
        if name in sent and sent[name] not in known:
            raise BadInput.of(name, f"must be {listed(known, 'or')}; got {echo(str(sent[name]))}.")
    number = sent.get("page", 1)
    if not isinstance(number, int) or not 1 <= number <= MOST_PAGES:
        raise BadInput.of("page", f"must be a whole number from 1 to {MOST_PAGES:,}; got {echo(str(number))}.")
    try:
        return msgspec.convert(sent, Order)
    except msgspec.ValidationError as error:
        raise BadInput(f"this is no order for a sheet: {str(error)[:300]}.") from None


def _drawn(ruleset: str, sheet: str, order: Order) -> Reply:
    card = with_sheets(ruleset)
    try:
        card.sheet(sheet)
    except UnknownName as error:
        raise NotHere(str(error)) from None
    card, source = _source(card, order)
    document = sheets.make_document(card, (sheet,), source, order.paper, MOST_CARDS)
    if order.format == "pdf":
        body = pdf(document)
    else:
        form: Literal["png", "svg"] = order.format
        body = page(document, form, order.page)
    headers = {"Content-Disposition": f'inline; filename="{file_name(card, (sheet,))}.{order.format}"'}
    return Reply(body, TYPES[order.format], headers=headers, keep=True)


def _source(ours: Ruleset, order: Order) -> tuple[Ruleset, Source]:
    """Return the system, with a list of one's own, and what the sheet is printed from."""
    named = {"profiles": order.profiles, "battle": order.battle.strip(), "question": order.question}
    named_ones = [name for name, value in named.items() if value]
    if len(named_ones) > 1:
        raise BadInput(f"a sheet is printed from one thing; got {' and '.join(named_ones)}.", field=named_ones[1])
    if order.battle.strip():
        beside = [name for name, value in (("own", order.own.strip()), ("rulings", order.rulings)) if value]
        if beside:
            raise BadInput(f"a battle has its own units and rulings; leave {beside[0]} out.", field=beside[0])
        return ours, sheets.from_text(ours, order.battle)
    card = with_own(ours, order.own) if order.own.strip() else ours
    if order.question:
        _, question = find_question(card.name, order.question)
        given = {**order.rulings, **order.inputs}
        check_shapes(card, question, given)
        return card, sheets.from_question(card, question, given)
    if order.profiles:
        return card, sheets.from_names(card, order.profiles, order.rulings)
    if order.own.strip():
        return card, sheets.from_list(card, ours, order.rulings)
    return card, Source(rulings=card.parse_rulings(order.rulings))
