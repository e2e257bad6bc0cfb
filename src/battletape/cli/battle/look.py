"""`battletape battle show`, `log`, `undo` and `redo`."""

from __future__ import annotations

from collections.abc import Callable

import click

from battletape.battle import Battle
from battletape.battle.journal import Move
from battletape.cli.app import refuse_together
from battletape.cli.battle.options import in_file, keep, open_file
from battletape.cli.battle.pages import draw_battle, draw_journal, draw_now, unbroken
from battletape.cli.drawing import draw_board, write_svg
from battletape.cli.terminal import echo_json, page
from battletape.errors import BadInput
from battletape.views.battle import battle_view, log_view, move_view


@click.command()
@click.option("--board", is_flag=True, help="Draw the table below it.")
@click.option("--svg", metavar="FILE.svg", help="Draw the table into this file.")
@in_file
def show(board: bool, svg: str | None, path: str, as_json: bool) -> None:
    """Show how the battle stands; where places are known, draw the table.

    \b
    Example:
      $ battletape battle show
    """
    refuse_together({"--json": as_json, "--board": board}, "--json has the table as data, and --svg draws it")
    battle = open_file(path).battle
    if svg is not None:
        write_svg(svg, battle.picture, "this battle")
    view = battle_view(battle)
    if as_json:
        echo_json(view)
        return
    shown = page()
    draw_battle(shown, view)
    if board:
        picture = battle.picture
        if picture is None:
            raise BadInput("--board draws a table with models on it; this battle has none.", field="board")
        draw_board(shown, picture)
    if svg is not None:
        shown.gap()
        shown.text(f"The table is drawn in {svg}.", "soft")
    shown.show()


@click.command()
@in_file
def log(path: str, as_json: bool) -> None:
    """Tell what happened, with the dice and the rules; moves taken back are marked.

    \b
    Example:
      $ battletape battle log
    """
    battle = open_file(path).battle
    views = log_view(battle)
    if as_json:
        echo_json(views)
        return
    shown = page()
    draw_journal(shown, battle_view(battle), views)
    shown.show()


@click.command()
@in_file
def undo(path: str, as_json: bool) -> None:
    """Take the last move back; it stays in the log.

    \b
    Example:
      $ battletape battle undo
    """
    _turn(path, as_json, "Taken back", lambda battle: battle.pop())


@click.command()
@in_file
def redo(path: str, as_json: bool) -> None:
    """Bring back the move that was taken back last.

    \b
    Example:
      $ battletape battle redo
    """
    _turn(path, as_json, "Made again", lambda battle: battle.redo())


def _turn(path: str, as_json: bool, verb: str, turn: Callable[[Battle], Move]) -> None:
    file = open_file(path)
    number = turn(file.battle).number
    keep(file, f"Move {number} was {verb[0].lower()}{verb[1:]}")
    move = move_view(file.battle, file.battle.move_record(number))
    view = battle_view(file.battle)
    if as_json:
        echo_json({"move": move, "battle": view})
        return
    shown = page()
    shown.text(f"{verb}: {number}. {unbroken(move.command)}", "strong", hang=3)
    draw_now(shown, view)
    shown.show()
