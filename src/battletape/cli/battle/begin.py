"""`battletape battle new`: begin a battle in a new file."""

from __future__ import annotations

import os
from pathlib import Path

import click

from battletape import registry
from battletape.battle import Battle
from battletape.battle.muster import muster
from battletape.battle.store import BattleFile
from battletape.cli.battle.options import in_file, keep, named_file, parse_words
from battletape.cli.battle.pages import draw_battle
from battletape.cli.files import read_toml, tell_line
from battletape.cli.rules import complete_ruleset
from battletape.cli.terminal import echo_json, page
from battletape.errors import BadInput
from battletape.inputs import quoted
from battletape.views.battle import battle_view

MISSION_NAMES = "annihilation, breakthrough, king of the hill or take and hold"


@click.command()
@click.argument("ruleset", shell_complete=complete_ruleset)
@click.option(
    "--sides",
    metavar="FILE.toml|LIST",
    multiple=True,
    help="The sides: a file, or a list of units for each; without it, two small forces to try out.",
)
@click.option("--board", default="", metavar="72x48", help="The table that the lists are set up on, in inches.")
@click.option("--mission", default="", metavar="NAME", help=f"What the game is about: {MISSION_NAMES}.")
@click.option("--ruling", "rulings", metavar="NAME=VALUE", multiple=True, help="A ruling; may be repeated.")
@click.option("--preset", help="A named set of rulings to start from.")
@click.option("--profiles", metavar="FILE.toml", multiple=True, help="Your own units and weapons.")
@click.option("--title", default="", help="A title for the battle.")
@in_file
def new(
    ruleset: str,
    sides: tuple[str, ...],
    board: str,
    mission: str,
    rulings: tuple[str, ...],
    preset: str | None,
    profiles: tuple[str, ...],
    title: str,
    path: str,
    as_json: bool,
) -> None:
    """Begin a battle in a new file.

    \b
    Example:
      $ battletape battle new attack_dice --title "The ford at dusk" --ruling spill=lost
      $ battletape battle new vehicles5 --file mill.bt --sides "Anvil battle tank" --sides "2 x Kingfisher"
      $ battletape battle new attack_dice --file a.bt --sides "Hill raiders" --sides "Marsh hobs" --mission annihilation
    """
    if os.path.exists(path):
        trouble = "is a folder" if os.path.isdir(path) else "is there already"
        raise BadInput(f"{path!r} {trouble}; choose another name with --file, or move it away.", field="file")
    card = registry.ruleset(ruleset)
    card = card.with_profiles(*profiles) if profiles else card
    agreed = parse_words(rulings, "--ruling")
    if preset is not None:
        agreed["preset"] = preset
    if len(sides) == 1 and not {":", ","} & set(sides[0]):
        if board or mission:
            raise BadInput("a file of sides says its own board and mission; write them there.", field="sides")
        data, text = read_toml(sides[0])
        with tell_line(sides[0], text):
            begun = Battle.new(card, data, agreed, title=title)
    elif sides:
        begun = Battle.new(card, muster(card, sides, board, mission), agreed, title=title)
    elif board or mission:
        raise BadInput("--board and --mission go with lists of units: --sides LIST --sides LIST.", field="sides")
    else:
        begun = Battle.new(card, None, agreed, title=title)
    keep(BattleFile(Path(path), begun, None), "The battle was begun")
    view = battle_view(begun)
    if as_json:
        echo_json(view)
        return
    shown = page()
    shown.text(f"Begun in {path}.", "strong")
    draw_battle(shown, view)
    shown.gap()
    named = named_file(path)
    where = f" --file {quoted(named)}" if named else ""
    shown.text(f"What may be done: battletape battle do{where}", "soft")
    shown.text(f"Play it at a table: battletape battle play{where}", "soft")
    shown.show()
