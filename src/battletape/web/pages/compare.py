"""Compare: up to four variants of a question in one picture and one table; the address holds them all.

The question itself is the first variant. Each further one is a parameter `_variant`: a query string of what it changes
(`weapon=Yew+bow`), or a whole question with “?” in front. A form adds to them: `_vary` names an input, `_to` is its
new value, and `_at` the variant to change, unless it is a new one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import parse_qsl, urlsplit

from fastapi import APIRouter, Request, Response
from msgspec import Struct
from msgspec.structs import replace

from battletape.errors import BadInput, BattletapeError
from battletape.views.compare import compare_view, measure_to_compare
from battletape.views.controls import ChoiceView, ControlView
from battletape.views.export import Grid
from battletape.views.form import FormView, form_view
from battletape.views.overlay import OverlayLine, lines, named_headline, overlay, shared_kind, spread_lines
from battletape.views.question_text import question_line
from battletape.views.variants import Difference, differences, name_variants
from battletape.views.why import Why, reasons
from battletape.web.charts import BARS
from battletape.web.error_wording import in_titles
from battletape.web.forms import Pairs
from battletape.web.jobs import Reply, ReplyForm, job
from battletape.web.overlays import LETTERS, Overlay, draw
from battletape.web.own_profiles import own_text, used_card
from battletape.web.pages.asking import AskedQuestion, do, is_bare, pairs_of, read_asked, to_example
from battletape.web.pages.takeaway import GRIDS, file_of, grid_file, need_grid
from battletape.web.pages.variants import (
    MAX_VARIANTS,
    Variant,
    address_of,
    asking,
    place_of,
    texts_of,
    variant_address,
    varied,
    whole,
    worked_out,
)
from battletape.web.rendering import render
from battletape.words import listed

router = APIRouter(include_in_schema=False)


class VariantView(Struct, frozen=True):
    """A variant to show beside the picture."""

    at: int
    letter: str
    name: str
    changes: tuple[Difference, ...]
    headline: str
    trouble: str
    open: str
    change: str
    remove: str
    asked: str = ""  # all that was asked for
    why: tuple[Why, ...] = ()  # why it differs from the first


class AddView(Struct, frozen=True):
    """The form that adds a variant or changes one."""

    inputs: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]  # groups of names and titles
    control: ControlView
    vary: str
    at: int | None
    hidden: tuple[tuple[str, str], ...]
    trouble: str


class ComparedView(Struct, frozen=True):
    """A comparison as the page shows it."""

    headline: str
    measure: str
    title: str
    unit: str
    picture: Overlay | None
    spread: tuple[OverlayLine, ...]
    lines: tuple[OverlayLine, ...]


@router.get("/{ruleset}/{question}/compare")
async def compare(request: Request, ruleset: str, question: str) -> Response:
    """Variants of a question side by side."""
    return await do(request, "compare_page", ruleset=ruleset, question=question, pairs=pairs_of(request))


@router.get("/{ruleset}/{question}/compare.{ending}")
async def compare_file(request: Request, ruleset: str, question: str, ending: str) -> Response:
    """Reply with a comparison as a file."""
    given = {"ruleset": ruleset, "question": question, "pairs": pairs_of(request), "ending": ending}
    return await file_of(request, "compare_export", given)


@job
def compare_export(
    *, seconds: float, reply_form: ReplyForm, ruleset: str, question: str, pairs: Pairs, ending: str
) -> Reply:
    """Reply with the table of a comparison as a file."""
    asked = read_asked(ruleset, question, pairs)
    need_grid(ending)
    texts = texts_of(pairs)
    variants = worked_out(asked, texts, seconds)
    views = _views(asked, texts, variants)
    compared = _compared(asked, variants, asked.sent.page.get("measure"))
    if compared is None:
        raise BadInput("none of these variants can be worked out.")
    lines = [line for line in (*compared.lines, *compared.spread) if any(line.figures)]
    rows = tuple((line.title, *(figure.text if figure else "" for figure in line.figures)) for line in lines)
    about = tuple(f"{view.letter}: {view.asked}" for view in views)
    head = (asked.question.title, *(f"{view.letter}: {view.name}" for view in views))
    grid = Grid(compared.headline, about, head, rows)
    cut = any(variant.late or (variant.answer is not None and variant.answer.is_cut) for variant in variants)
    return grid_file(asked, grid, ending, "compared", cut)


@job
def compare_page(*, seconds: float, reply_form: ReplyForm, ruleset: str, question: str, pairs: Pairs) -> Reply:
    """Reply with the page of a comparison, or the part that changes."""
    asked = read_asked(ruleset, question, pairs)
    texts = texts_of(pairs)
    if is_bare(asked, reply_form) and not texts and "to" not in asked.sent.page:
        return to_example(asked, "/compare")
    given = [value for name, value in pairs if name == "_to" and value] if "look" not in asked.sent.page else []
    at = place_of(asked.sent.page.get("at", ""), len(texts))
    trouble = ""
    if given:
        try:
            value = ",".join(filter(None, given))
            asked, texts = varied(asked, texts, at, asked.sent.page.get("vary", ""), value, own_text(pairs))
        except BattletapeError as error:
            if reply_form == "part":
                raise
            trouble = in_titles(error, asked.ruleset, asked.question)
        else:
            if reply_form == "page":
                return Reply(b"", status=303, headers={"Location": address_of(asked, texts) + "#compared"})
            at = None
    measure = asked.sent.page.get("measure")
    if measure:
        asked.question.measure(measure)
    variants = worked_out(asked, texts, seconds)
    cut = any(variant.answer is not None and variant.answer.is_cut for variant in variants)
    shown = {
        "asked": asked,
        "variants": _views(asked, texts, variants),
        "compared": _compared(asked, variants, measure),
        "add": _add(asked, texts, variants, at, trouble) if len(texts) < MAX_VARIANTS - 1 or at is not None else None,
        "most": MAX_VARIANTS,
        "links": {
            "odds": variant_address(asked, ""),
            "here": address_of(asked, texts),
            "again": address_of(asked, texts) if any(variant.late for variant in variants) else "",
            "files": {
                ending: address_of(asked, texts).replace("/compare", f"/compare.{ending}", 1) for ending in GRIDS
            },
        },
        "measures": {
            measure.name: address_of(asked, texts, measure=measure.name) for measure in asked.question.measures
        },
    }
    body = render("compare_part.html" if reply_form == "part" else "compare.html", **shown)
    late = any(variant.late for variant in variants)
    fits = not (cut or late or trouble)
    return Reply(body, status=422 if trouble else 200, address=address_of(asked, texts), cut=cut or late, keep=fits)


def _views(asked: AskedQuestion, texts: Sequence[str], variants: Sequence[Variant]) -> tuple[VariantView, ...]:
    changes = [_changes(asked, variant) for variant in variants]
    names = name_variants(changes)
    views = []
    for at, variant in enumerate(variants):
        rest = [text for place, text in enumerate(texts, 1) if place != at]
        views.append(
            VariantView(
                at=at,
                letter=LETTERS[at],
                name=names[at] if variant.asked else "does not fit",
                changes=changes[at],
                headline=variant.answer.headline if variant.answer else "",
                trouble=variant.trouble,
                open=variant_address(variant.asked, "", measure=asked.sent.page.get("measure"))
                if variant.asked
                else "",
                change=f"{address_of(asked, texts, at=str(at))}#add" if variant.asked else "",
                remove=_without_first(variants) if at == 0 else address_of(asked, rest),
                asked=_variant_line(variant),
                why=_why(variants[0], variant, changes[at]),
            )
        )
    return tuple(views)


def _variant_line(variant: Variant) -> str:
    asked = variant.asked
    return "" if asked is None else question_line(asked.ruleset, asked.question, asked.inputs, asked.rulings)


def _why(first: Variant, variant: Variant, changes: Sequence[Difference]) -> tuple[Why, ...]:
    if first.answer is None or variant.answer is None or first is variant:
        return ()
    return reasons(first.answer, variant.answer, [change.name for change in changes])


def _changes(asked: AskedQuestion, variant: Variant) -> tuple[Difference, ...]:
    return () if variant.asked is None or not variant.text else differences(asking(asked), asking(variant.asked))


def _without_first(variants: Sequence[Variant]) -> str:
    """Return the comparison without its first variant; the others say everything then."""
    others = [variant.asked for variant in variants[1:] if variant.asked is not None]
    return address_of(others[0], [whole(other) for other in others[1:]]) if others else ""


def _compared(asked: AskedQuestion, variants: Sequence[Variant], wanted: str | None) -> ComparedView | None:
    answers = [variant.answer for variant in variants]
    fit = [answer for answer in answers if answer is not None]
    if not fit:
        return None
    measure = asked.question.measure(wanted) if wanted else measure_to_compare(fit)
    odds = [None if answer is None else answer.odds(measure.name) for answer in answers]
    names = name_variants([_changes(asked, variant) for variant in variants])
    kind = "other" if measure.words is not None else shared_kind(measure, odds)
    named = [(names[at], dict[str, str](), answer) for at, answer in enumerate(answers) if answer is not None]
    headline = named_headline(measure, [(name, answer.odds(measure.name)) for name, _, answer in named])
    spread: tuple[OverlayLine, ...] = ()
    if kind != "other":
        view = compare_view(named, measure.name, most=BARS)
        headline = view.headline if len(named) > 1 else "Add a variant to compare with."
        spread = spread_lines(odds, view.thresholds) if kind == "number" else ()
    if late := [names[at] for at, variant in enumerate(variants) if variant.late]:
        headline = f"There was no time yet for {listed(late)}; the verdict waits for all that is compared."
    measure_lines = lines(
        [measure for measure in asked.question.measures if all(fitting.includes(measure.name) for fitting in fit)],
        answers,
    )
    return ComparedView(
        headline, measure.name, measure.title, measure.unit, draw(overlay(measure, odds, BARS)), spread, measure_lines
    )


def _add(
    asked: AskedQuestion, texts: Sequence[str], variants: Sequence[Variant], at: int | None, trouble: str
) -> AddView:
    """Return the form that adds a variant, or changes one."""
    start = variants[at or 0].asked or asked
    card = used_card(start.ruleset, start.sent)
    form = form_view(card, start.question, start.inputs, start.rulings, start.sent.preset)
    controls = {control.name: (title, control) for title, control in _controls(form)}
    last = [change.name for variant in variants for change in _changes(asked, variant)]
    pick = next((name for name, (_, control) in controls.items() if control.kind == "pick"), next(iter(controls)))
    named = asked.sent.page.get("vary", "")
    vary = named if named in controls else last[-1] if last and last[-1] in controls else pick
    groups: dict[str, list[tuple[str, str]]] = {}
    for name, (title, input_control) in controls.items():
        groups.setdefault(title, []).append((name, input_control.title))
    control = controls[vary][1]
    if control.kind == "pick":  # a variant names a profile
        choices = tuple(choice for choice in control.choices if choice.value)
        if at is None:
            choices = (ChoiceView("", "choose…"), *choices)
        value = control.value if at is not None else ""
        control = replace(control, choices=choices, value=value or choices[0].value)
    pairs = parse_qsl(urlsplit(address_of(asked, texts)).query, keep_blank_values=True)
    return AddView(
        inputs=tuple((title, tuple(names)) for title, names in groups.items()),
        control=replace(control, name="_to"),
        vary=vary,
        at=at,
        hidden=(*pairs, *((("_at", str(at)),) if at is not None else ())),
        trouble=trouble,
    )


def _controls(form: FormView) -> Iterator[tuple[str, ControlView]]:
    """Yield every input that can be varied, with the title of its group."""
    for group in form.groups:
        yield from _within(group.title, (*group.shown, *group.more))
    yield from _within("Rulings", form.rulings)


def _within(title: str, controls: Sequence[ControlView]) -> Iterator[tuple[str, ControlView]]:
    for control in controls:
        if control.kind not in ("list", "places"):
            yield title, control
        for entry in control.entries:
            yield from _within(entry.title, (*entry.shown, *entry.more))
