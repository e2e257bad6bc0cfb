"""Variants in an address: read, changed and worked out.

The question itself is the first variant. Each further one is a parameter `_variant`: a query string of what it changes
(`weapon=Yew+bow`), or a whole question with “?” in front.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import parse_qsl, quote_plus

from msgspec import Struct
from msgspec.structs import replace

from battletape.answer import Answer
from battletape.errors import BadInput, BattletapeError, BudgetSpent
from battletape.views.changed import change
from battletape.views.own_profiles import SOURCE, with_own
from battletape.views.own_text import merge_lists
from battletape.views.short_inputs import short_given
from battletape.views.variants import QuestionInputs
from battletape.web.error_wording import in_titles
from battletape.web.forms import Pairs, write_query
from battletape.web.own_profiles import OWN, kept_own
from battletape.web.pages.asking import AskedQuestion, find_ruleset, read_asked, work_out

MAX_VARIANTS = 4
"""How many variants stand side by side at most."""
OURS = ("variant", "vary", "to", "at", "look")
"""Values of the page that belong to a comparison."""


class Variant(Struct, frozen=True):
    """One variant: its text in the address, and its answer, or why there is none."""

    text: str
    asked: AskedQuestion | None = None
    answer: Answer | None = None
    trouble: str = ""
    late: bool = False  # more time might help


def address_of(asked: AskedQuestion, texts: Sequence[str], **page: str) -> str:
    """Return the address of a comparison."""
    values = {"measure": asked.sent.page.get("measure", ""), **page}
    more = [(f"_{name}", value) for name, value in values.items() if value] + [("_variant", text) for text in texts]
    query = "&".join(f"{name}={quote_plus(value, safe=',')}" for name, value in more)
    address = variant_address(asked, "/compare", measure=None)
    return f"{address}{'&' if '?' in address else '?'}{query}" if query else address


def variant_address(asked: AskedQuestion, ending: str, **page: str | None) -> str:
    """Return the address of a page about the first variant alone."""
    return asked.address(ending, **(dict.fromkeys(OURS) | page))


def texts_of(pairs: Pairs) -> list[str]:
    """Return the variants of an address."""
    texts = [value for name, value in pairs if name == "_variant" and value]
    if len(texts) > MAX_VARIANTS - 1:
        raise BadInput(
            f"a comparison takes at most {MAX_VARIANTS - 1} variants besides the first; got {len(texts)}.",
            field="_variant",
        )
    return texts


def place_of(text: str, others: int) -> int | None:
    """Return the variant to change, if one is named."""
    if text and (not text.isascii() or not text.isdigit() or int(text[:3]) > others):
        raise BadInput.of("_at", f"must be the number of a variant, 0 to {others}; got {text!r}.")
    return int(text) if text else None


def varied(
    asked: AskedQuestion, texts: list[str], at: int | None, name: str, value: str, profiles: str
) -> tuple[AskedQuestion, list[str]]:
    """Return the question and its variants with one change, in a new variant or an existing one."""
    start = asked if at is None or at == 0 else read_variant(asked, texts[at - 1])
    card = find_ruleset(asked.ruleset.name)
    profiles = merge_lists(start.sent.page.get(OWN, ""), profiles, SOURCE, SOURCE) if profiles else ""
    if profiles:
        start = replace(start, ruleset=with_own(card, profiles))
    given = with_changes(start, {name: value})
    if profiles:  # it keeps only those it uses now
        sent = replace(given.sent, page={**given.sent.page, OWN: profiles})
        given = replace(given, sent=kept_own(card, sent, given.inputs))
    if at == 0:
        return given, texts
    if at is None:
        if len(texts) >= MAX_VARIANTS - 1:
            raise BadInput("four variants are the most; take one away first.", field="_variant")
        added = write_query({name: value}) if given.sent.page.get(OWN) == asked.sent.page.get(OWN) else whole(given)
        return asked, [*texts, added]
    text = texts[at - 1]
    same = given.sent.page.get(OWN) == start.sent.page.get(OWN)
    pairs = dict(parse_qsl(text, keep_blank_values=True)) if same and not text.startswith("?") else None
    changed = whole(given) if pairs is None else write_query({**pairs, name: value})
    return asked, [*texts[: at - 1], changed, *texts[at:]]


def whole(asked: AskedQuestion) -> str:
    """Return a variant written in full, independent of the first one."""
    page = {OWN: asked.sent.page[OWN]} if asked.sent.page.get(OWN) else {}
    return "?" + write_query(asked.said, page)


def read_variant(first: AskedQuestion, text: str) -> AskedQuestion:
    """Return the question of a variant; raises BadInput if it does not fit."""
    pairs = parse_qsl(text.removeprefix("?"), keep_blank_values=True)
    if text.startswith("?"):
        return read_asked(first.ruleset.name, first.question.name, pairs)
    if not pairs:
        raise BadInput.of("_variant", f"must name changes such as weapon=…, or a whole question; got {text!r}.")
    return with_changes(first, dict(pairs))


def with_changes(start: AskedQuestion, changes: Mapping[str, str]) -> AskedQuestion:
    """Return the question with these changes; raises BadInput."""
    card, question, preset = start.ruleset, start.question, start.sent.preset
    inputs, rulings = change(card, question, start.inputs, start.rulings, preset, changes)
    shortest = short_given(card, question, inputs, rulings, preset)
    return replace(start, inputs=inputs, rulings=rulings, said=shortest)


def worked_out(asked: AskedQuestion, texts: Sequence[str], seconds: float) -> list[Variant]:
    """Return every variant, each with its share of the seconds; one that fails says why."""
    variants = []
    for text in ("", *texts):
        read: AskedQuestion | None = None
        try:
            read = read_variant(asked, text) if text else asked
            variants.append(Variant(text, read, work_out(read, seconds / (len(texts) + 1))))
        except BattletapeError as error:
            sentence = in_titles(error, asked.ruleset, asked.question)
            variants.append(Variant(text, read, None, sentence, isinstance(error, BudgetSpent)))
    return variants


def asking(asked: AskedQuestion) -> QuestionInputs:
    """Return what was asked, without the page."""
    return QuestionInputs(asked.ruleset, asked.question, asked.inputs, asked.rulings)
