"""`battletape battle luck`: how lucky each side has been so far, move by move."""

from __future__ import annotations

import click

from battletape.battle.luck import MoveLuck, SideLuck, move_lucks, side_lucks
from battletape.cli.battle.options import in_file, open_file
from battletape.cli.terminal import Cell, Column, Page, echo_json, page
from battletape.odds import percent
from battletape.views.chances import number_text


@click.command()
@in_file
def luck(path: str, as_json: bool) -> None:
    """Show how lucky each side has been so far, move by move: what was due, what came, and how lucky that was.

    50 % is what is to be expected, 100 % the best that could happen. The odds are exact where that is cheap, and
    estimated by rolls elsewhere; decisions count as made as usual.

    \b
    Example:
      $ battletape battle luck
    """
    battle = open_file(path).battle
    lucks = list(move_lucks(battle))
    sides = side_lucks(lucks)
    if as_json:
        totals = [{"side": side.side, "moves": side.moves, "luck": round(float(side.luck), 4)} for side in sides]
        echo_json({"moves": [move.to_dict() for move in lucks], "sides": totals})
        return
    shown = page()
    draw_luck(shown, lucks, sides)
    shown.show()


def draw_luck(shown: Page, lucks: list[MoveLuck], sides: tuple[SideLuck, ...], *, moves: bool = True) -> None:
    """Draw the luck of each side, and of each move."""
    if not lucks:
        shown.text("Nothing has been left to luck so far.")
        return
    if moves:
        columns = [
            Column("move", right=True),
            Column("", wraps=True),
            Column("measure", wraps=True, style="soft"),
            Column("due", right=True),
            Column("came", right=True, style="best"),
            Column("luck", right=True, style="strong"),
        ]
        rows: list[list[Cell]] = [
            [
                str(move.move),
                f"{move.unit or move.side}: {move.action}",
                move.title,
                ("~" if move.rolls else "") + number_text(float(move.due)),
                number_text(float(move.came)),
                percent(move.luck),
            ]
            for move in lucks
        ]
        shown.table(columns, rows, indent=0)
        shown.gap()
    for side in sides:
        count = f"{side.moves} move{'s' * (side.moves != 1)} with dice"
        shown.text(f"{side.side or 'Nobody'}: luck {percent(side.luck)} over {count}.", "strong")
    estimated = [move for move in lucks if move.rolls]
    how = f"~ is estimated by {estimated[0].rolls} rolls, the rest exact" if estimated else "All by exact odds"
    shown.text(f"50 % is what is to be expected. {how}; decisions as usual.", "soft")
