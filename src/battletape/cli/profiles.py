"""`battletape profiles`: units and weapons, ours and the players' own."""

from __future__ import annotations

import re
from typing import Any

import click

from battletape import registry
from battletape.cli.asking import option_text, shell_names
from battletape.cli.rules import complete_ruleset
from battletape.cli.terminal import Column, Page, echo_json, page, size
from battletape.errors import BadInput, UnknownName
from battletape.inputs import quoted
from battletape.system import Ruleset
from battletape.views.profiles import BookView, KindView, ProfileView, book_view, find_profile, way_to_ask
from battletape.words import plain


def complete_name(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return profiles whose name begins like this."""
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
            draw_profile(shown, profile, card, files)
        shown.show()
        return
    view = book_view(card, files)
    if as_json:
        echo_json(view)
        return
    shown = page()
    draw_book(shown, view, files)
    shown.show()


def draw_book(page: Page, view: BookView, files: tuple[str, ...] = ()) -> None:
    """Draw every profile in a line, with what tells those of its kind apart as far as the page is wide."""
    for path in view.files:
        page.text(f"{path}: every entry fits.", "strong")
    for kind in view.kinds:
        page.heading(f"{kind.title} ({len(kind.profiles)})")
        _draw_kind(page, kind)
    names = [profile.name for kind in view.kinds for profile in kind.profiles]
    if names:
        page.gap()
        own = "".join(f" --file {quoted(path)}" for path in files)
        page.text(f"All about one: battletape profiles {view.ruleset} {quoted(names[0])}{own}", "soft")


SHORT = {"strength": "S", "toughness": "T", "wounds": "W", "initiative": "I", "attacks": "A", "ws": "WS", "bs": "BS"}
SHORT |= {"ld": "Ld", "ap": "AP", "pen": "Pen", "hp": "HP", "save": "Sv", "power": "Pow", "defence": "Def"}
"""How stat lines call what they are made of."""
LONGEST_CELL = 14
USUAL = 80
"""The width for which the columns are chosen; where a page is narrower, they stand below each name."""
NONE = ("", "0", '0"', "no", "none")
WORTH = {"choice": 1, "yes_no": 2}
"""Which columns come last, where there is no room for all."""


def _draw_kind(page: Page, kind: KindView) -> None:
    cells = {key: [plain(profile.values.get(key, "")) for profile in kind.profiles] for key in kind.keys}
    chosen = _chosen(max(page.width, USUAL), kind, cells)
    names = [profile.name for profile in kind.profiles]
    if chosen != _chosen(page.width, kind, cells):  # too narrow for what counts: below each name
        for at, profile in enumerate(kind.profiles):
            page.text(profile.name, "strong")
            numbers = [f"{_head(kind, key)} {cells[key][at]}" for key in chosen if cells[key][at] not in NONE]
            page.text(", ".join(part.replace(" ", "\xa0") for part in numbers), indent=2)
        return
    columns = [Column("name", style="strong"), *(Column(_head(kind, key), right=True) for key in chosen)]
    rows = [[name, *(cells[key][at] for key in chosen)] for at, name in enumerate(names)]
    page.table(columns, rows, indent=0)


def _chosen(width: int, kind: KindView, cells: dict[str, list[str]]) -> list[str]:
    """Return the columns for which there is room: those that most profiles have first, then what is said of a few."""
    room = width - 1 - max(map(size, (profile.name for profile in kind.profiles)), default=0)
    differ = [key for key in kind.keys if len(set(cells[key])) > 1 and not _are_ids(cells[key])]
    worth = sorted(differ, key=lambda key: (_is_rare(cells[key]), WORTH.get(kind.kinds[key], 0)))
    chosen = []
    for key in worth:
        wide = max(size(word) for word in (*_head(kind, key).split(), *cells[key]))
        if wide <= LONGEST_CELL and wide + 2 <= room:
            room -= wide + 2
            chosen.append(key)
    return [key for key in kind.keys if key in chosen]


def _head(kind: KindView, key: str) -> str:
    return SHORT.get(key, kind.heads[key])


def _is_rare(cells: list[str]) -> bool:
    """Return whether fewer than a third of the profiles have it, or have anything but the usual value."""
    usual = max(cells.count(cell) for cell in set(cells))
    return 3 * min(len(cells) - usual, len([cell for cell in cells if cell not in NONE])) < len(cells)


def _are_ids(cells: list[str]) -> bool:
    return any(re.fullmatch(r"[A-Z]+(-[A-Z0-9]+)+", cell) for cell in cells)


def draw_profile(page: Page, profile: ProfileView, card: Ruleset, files: tuple[str, ...] = ()) -> None:
    """Draw one profile with all its numbers, and a command that uses it."""
    page.heading(profile.name, profile.kind)
    rows: list[tuple[Any, ...]] = [(profile.titles[key], value) for key, value in profile.values.items() if value]
    rows += [(profile.titles[key], value) for key, value in profile.lists.items() if value]
    page.table([Column(style="soft", wraps=True), Column(wraps=True)], rows)
    way = way_to_ask(card, profile.kind, profile.name)
    if way is not None:
        question, given = way
        own = "".join(f" --profiles {quoted(path)}" for path in files)
        page.gap()
        page.line((f"  Use it: battletape odds {card.name} {question.name}{option_text(given)}{own}", "soft"))
