"""`battletape print`: sheets, cards, tokens and templates on paper, blank or as a battle stands now."""

from __future__ import annotations

import os
from typing import Any

import click

from battletape import registry
from battletape.battle.store import write_bytes
from battletape.cli import done
from battletape.cli.app import refuse_alone, refuse_together
from battletape.cli.asking import shell_names, whole
from battletape.cli.battle.options import open_file, parse_words
from battletape.cli.terminal import Column, Page, echo_json, page
from battletape.errors import BadInput, UnknownName
from battletape.sheets import PAPERS, Document
from battletape.sheets.typeset import FORMATS, PPI, count_pages, pdf
from battletape.sheets.typeset import page as one_page
from battletape.system import Ruleset
from battletape.views import sheets
from battletape.views.sheets import Source
from battletape.words import plural

STDOUT = "-"


def complete_words(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return rulesets first, then the sheets of the ruleset."""
    words = ctx.params.get("words") or ()
    try:
        card = registry.ruleset(words[0]) if words else None
    except UnknownName:
        return []
    names = [sheet.name for sheet in card.sheets] if card else registry.names()
    return [name for name in names if name.startswith(incomplete)]


def complete_profile(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return profiles whose name begins like this."""
    words = ctx.params.get("words") or ()
    try:
        book = registry.ruleset(words[0] if words else "").book
    except UnknownName:
        return []
    names = (name for entries in book.entries.values() for name in entries)
    return shell_names(name for name in names if name.lower().startswith(incomplete.lower()))


@click.command("print")
@click.argument("words", metavar="[RULESET] [SHEET]…", nargs=-1, shell_complete=complete_words)
@click.option("--battle", metavar="FILE", help="From a battle, with its damage, tokens and boxes as they are now.")
@click.option(
    "--profile",
    "profiles",
    metavar="NAME",
    multiple=True,
    shell_complete=complete_profile,
    help="From a unit or vehicle; may be repeated, and “3 x NAME” prints three.",
)
@click.option("--list", "lists", metavar="FILE.toml", multiple=True, help="Everything in a list of your own.")
@click.option("--question", metavar="NAME", help="From a question: what its inputs name.")
@click.option("--with", "inputs", metavar="KEY=VALUE", multiple=True, help="An input of that question.")
@click.option("--preset", metavar="NAME", help="A named set of rulings.")
@click.option("--ruling", "rulings", metavar="KEY=VALUE", multiple=True, help="A ruling that the sheets follow.")
@click.option("--paper", metavar="|".join(PAPERS), default="a4", help="The size of the paper. [a4]")
@click.option("-o", "--output", metavar="FILE", help="FILE.pdf, or FILE.png or FILE.svg of one page. [RULESET.pdf]")
@click.option("--page", "number", metavar="N", help="Which page, for PNG and SVG. [1]")
@click.option("--ppi", metavar="N", help="Pixels to the inch, for PNG. [144]")
@click.option("--force", is_flag=True, help="Replace the output file if it is there already.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: the sheets there are, or what was written.")
def print_sheets(
    words: tuple[str, ...], output: str | None, number: str | None, ppi: str | None, as_json: bool, **own: Any
) -> None:
    """Print unit cards, vehicle sheets, tables, tokens, markers and templates at their true size.

    With only a ruleset, it lists the sheets that there are.

    \b
    Examples:
      $ battletape print attack_dice
      $ battletape print attack_dice unit_cards --profile "Hill raiders" -o raiders.pdf
      $ battletape print vehicles5 markers --paper letter -o markers.pdf
      $ battletape print --battle battle.bt -o now.pdf
    """
    refuse_together({"--battle": own["battle"], "--profile": own["profiles"]}, "a battle has its own units")
    refuse_together({"--battle": own["battle"], "--list": own["lists"]}, "a battle has its own units")
    refuse_together({"--battle": own["battle"], "--question": own["question"]}, "sheets come from one or the other")
    refuse_together({"--question": own["question"], "--profile": own["profiles"]}, "a question names its own")
    for option, given in (("--preset", own["preset"]), ("--ruling", own["rulings"])):
        refuse_together({"--battle": own["battle"], option: given}, "a battle has its own rulings")
    refuse_alone("--with", own["inputs"], "--question NAME", own["question"])
    sheets.check_paper(own["paper"])
    card, names, source = _read(words, **own)
    if source is None:
        refuse_alone("--output", output, "the name of a sheet", None)
        views = sheets.sheet_views(card)
        if as_json:
            echo_json(views)
            return
        shown = page()
        draw_sheets(shown, card)
        shown.show()
        return
    place = output or f"{card.name}{f'-{names[0]}' if len(names) == 1 else ''}.pdf"
    form = _form(place, number)
    refuse_alone("--ppi", ppi, "an output that ends in .png", True if form == "png" else None)
    _refuse_place(place, own["force"], own["battle"])
    document = sheets.make_document(card, names, source, own["paper"])
    if form == "pdf":
        made = pdf(document)
        pages = count_pages(made)
    else:
        chosen = whole(number, "page", 1, 10_000) or 1
        sharp = whole(ppi, "ppi", 20, 600) or PPI
        made, pages = one_page(document, form, chosen, sharp), 1  # type: ignore[arg-type]
    if place == STDOUT:
        click.echo(made, nl=False)
        return
    write_bytes(place, made)
    done.append(f"It was written to {place} all the same.")
    _tell(document, place, pages, as_json)


def _tell(document: Document, place: str, pages: int, as_json: bool) -> None:
    titles = [part.title for part in document.parts]
    if as_json:
        report = {"file": place, "pages": pages, "paper": document.paper, "sheets": titles}
        echo_json({**report, "left_out": document.left_out} if document.left_out else report)
        return
    size, left = {"a4": "A4", "letter": "Letter"}[document.paper], document.left_out
    click.echo(
        f"Written to {place}: {', '.join(titles)}; {plural(pages, 'page')}, {size}{f', {left}' if left else ''}."
    )
    if place.lower().endswith(".pdf"):
        click.echo("Print it in actual size (100 %): the ruler on each page must be 100 mm long.")


def _read(
    words: tuple[str, ...],
    battle: str | None,
    profiles: tuple[str, ...],
    lists: tuple[str, ...],
    question: str | None,
    inputs: tuple[str, ...],
    preset: str | None,
    rulings: tuple[str, ...],
    **others: Any,
) -> tuple[Ruleset, tuple[str, ...], Source | None]:
    """Return the system, the sheets that are named, and what they are printed from; None where they are only listed."""
    if battle is not None:
        opened = open_file(battle).battle
        card = opened.ruleset
        names = words[1:] if words and words[0] == card.name else words
        if names and names[0] in registry.names():
            raise BadInput(f"the battle in {battle!r} is one of {card.name}, not of {names[0]}.", field="ruleset")
        return card, names, sheets.from_battle(opened)
    if not words:
        raise BadInput(
            f"battletape print needs a ruleset, one of {', '.join(registry.names())}, or --battle FILE.",
            field="ruleset",
        )
    ours, names = registry.ruleset(words[0]), words[1:]
    card = ours.with_profiles(*lists) if lists else ours
    agreed: dict[str, Any] = parse_words(rulings, "--ruling")
    if preset is not None:
        agreed["preset"] = preset
    if question is not None:
        return (
            card,
            names,
            sheets.from_question(card, card.question(question), {**parse_words(inputs, "--with"), **agreed}),
        )
    if profiles:
        return card, names, sheets.from_names(card, profiles, agreed)
    if lists:
        return card, names, sheets.from_list(card, ours, agreed)
    if not names:
        return card, (), None
    return card, names, Source(rulings=card.parse_rulings(agreed))


def _form(place: str, number: str | None) -> str:
    ending = "pdf" if place == STDOUT else os.path.splitext(place)[1].removeprefix(".").lower()
    if ending not in FORMATS:
        raise BadInput(f"the output must end in .{', .'.join(FORMATS)}; got {place!r}.", field="output")
    refuse_alone("--page", number, "an output that ends in .png or .svg", None if ending == "pdf" else ending)
    return ending


def _refuse_place(place: str, force: bool, battle: str | None) -> None:
    if place == STDOUT:
        return
    if os.path.isdir(place):
        raise BadInput(f"{place!r} is a folder; a print needs the name of a file, in it or elsewhere.", field="output")
    if battle is not None and os.path.exists(place) and os.path.samefile(place, battle):
        raise BadInput(f"{place!r} is the battle itself; a print needs another name.", field="output")
    if os.path.exists(place) and not force:
        raise BadInput(f"{place!r} is there already; choose another name, or replace it with --force.", field="output")


def draw_sheets(shown: Page, card: Ruleset) -> None:
    """Draw the sheets of a system, each with what it is and what it can be printed from."""
    shown.text(f"{card.title}: {plural(len(card.sheets), 'sheet')} to print.", "strong")
    shown.gap()
    rows = [(view.name, view.about, ", ".join(view.sources)) for view in sheets.sheet_views(card)]
    shown.table([Column("sheet", style="strong"), Column("what it is", wraps=True), Column("printed from")], rows)
    shown.gap()
    shown.text(f"Print one: battletape print {card.name} {card.sheets[0].name if card.sheets else 'SHEET'}", "soft")
