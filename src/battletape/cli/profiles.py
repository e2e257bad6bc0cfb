"""`battletape profiles`: units and weapons, ours and the players' own."""

from __future__ import annotations

from typing import Any

import click

from battletape import registry
from battletape.cli.asking import shell_names
from battletape.cli.rules import complete_ruleset
from battletape.cli.terminal import Cell, Column, Page, echo_json, page
from battletape.errors import BadInput, UnknownName
from battletape.views.profiles import BookView, KindView, ProfileView, book_view, find_profile


def complete_name(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Profiles whose name begins like this."""
    try:
        book = registry.ruleset(ctx.params.get("ruleset") or "").book
    except UnknownName:
        return []
    names = [name for entries in book.entries.values() for name in entries]
    return shell_names(name for name in names if name.lower().startswith(incomplete.lower()))


@click.command()
@click.argument("ruleset", shell_complete=complete_ruleset)
@click.argument("name", required=False, shell_complete=complete_name)
@click.option("--file", "files", metavar="FILE.toml", multiple=True, help="Your own file: checked, and listed too.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def profiles(ruleset: str, name: str | None, files: tuple[str, ...], as_json: bool) -> None:
    """List units and weapons, show one by name, or check your own files.

    \b
    Examples:
      $ battletape profiles attack_dice
      $ battletape profiles attack_dice "Hill raiders"
    """
    card = registry.ruleset(ruleset)
    if card.profiles is None:
        raise BadInput(f"{card.name} has no profiles; give its questions numbers instead.", field="ruleset")
    card = card.with_profiles(*files) if files else card
    if name is not None:
        matches = find_profile(card, name)
        if as_json:
            echo_json(matches)
            return
        shown = page()
        for profile in matches:
            draw_profile(shown, profile, card.name)
        shown.show()
        return
    view = book_view(card, files)
    if as_json:
        echo_json(view)
        return
    shown = page()
    draw_book(shown, view)
    shown.show()


def draw_book(page: Page, view: BookView) -> None:
    """Every profile as a table for each kind."""
    for path in view.files:
        page.text(f"{path}: every entry fits.", "strong")
    for kind in view.kinds:
        page.heading(f"{kind.title} ({len(kind.profiles)})")
        _draw_kind(page, kind)


def _draw_kind(page: Page, kind: KindView) -> None:
    keys = [key for key in kind.keys if any(profile.values.get(key) for profile in kind.profiles)]
    columns = [Column("name", style="strong"), *(Column(kind.heads[key], right=True) for key in keys)]
    rows: list[list[Cell]] = [
        [profile.name, *(profile.values.get(key, "") for key in keys)] for profile in kind.profiles
    ]
    page.table(columns, rows)


def draw_profile(page: Page, profile: ProfileView, ruleset: str) -> None:
    """One profile with all its numbers."""
    page.heading(profile.name, profile.kind)
    rows: list[tuple[Any, ...]] = [(profile.titles[key], value) for key, value in profile.values.items() if value]
    rows += [(profile.titles[key], value) for key, value in profile.lists.items() if value]
    page.table([Column(style="soft"), Column(wraps=True)], rows)
    for question in profile.questions[:1]:
        page.text(f'Use it: battletape odds {ruleset} {question} --{profile.kind} "{profile.name}"', "soft", indent=2)
