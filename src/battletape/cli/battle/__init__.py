"""`battletape battle`: a battle in a file; act, undo, redo, look, export, check."""

from __future__ import annotations

import click

from battletape.cli.app import LazyGroup

COMMANDS = {
    "new": ("Begin a battle in a new file.", "begin:new"),
    "do": ("Do something, or list what may be done.", "act:do"),
    "play": ("Play at an interactive table: numbers, names, odds, map, undo.", "play:play"),
    "odds": ("The exact odds of an action before it is taken.", "act:odds"),
    "show": ("Show how the battle stands.", "look:show"),
    "undo": ("Take the last move back.", "look:undo"),
    "redo": ("Bring back the move that was taken back last.", "look:redo"),
    "log": ("Tell what happened, with the dice and the rules.", "look:log"),
    "luck": ("How lucky each side has been so far, move by move.", "luck:luck"),
    "export": ("The log as text, a flat table as CSV, everything as JSON.", "files:export"),
    "check": ("Replay it all, point to any damaged line, and repair the file.", "files:check"),
}


@click.command(cls=LazyGroup, package=__name__, listing=COMMANDS, invoke_without_command=True)
@click.pass_context
def battle(ctx: click.Context) -> None:
    """Keep a battle in a file that you can read and edit: act, undo, redo, look, export.

    \b
    Examples:
      $ battletape battle new attack_dice
      $ battletape battle do start
      $ battletape battle do attack unit="Storm wardens" weapon="Storm carbine" target="Hill raiders" distance=18
      $ battletape battle undo
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
