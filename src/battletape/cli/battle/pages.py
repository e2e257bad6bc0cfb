"""Battles drawn on a page: how it stands, what may be done, what happened."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from battletape.battle.report import score_line
from battletape.cli.drawing import draw_log, draw_rulings, draw_table
from battletape.cli.terminal import Page, size
from battletape.inputs import quoted
from battletape.views.battle import ActionView, BattleView, MarkView, MoveView, where_text

T = TypeVar("T")
MAX_COMMANDS_SHOWN = 6
"""How many commands of an action are listed unless all are asked for."""


def draw_battle(page: Page, view: BattleView) -> None:
    """Draw how it stands: turn, sides, what undo would take back, rulings."""
    page.gap()
    page.heading(view.title, where_text(view.where))
    if view.over:
        page.text(f"Over: {view.over}.", "best")
    if view.mission:
        page.text(f"Mission: {view.mission}", hang=2)
    draw_score(page, view)
    names = max((size(row[0]) for table in view.tables for row in table.rows if row), default=0)
    for table in view.tables:
        draw_table(page, table, first=names)
    page.gap()
    if view.undo:
        page.text(f"undo takes back: {unbroken(view.undo)}", "soft", hang=2)
    if view.redo:
        page.text(f"redo brings back: {unbroken(view.redo)}", "soft", hang=2)
    if any(ruling.changed for ruling in view.rulings):
        page.gap()
        draw_rulings(page, view.rulings)


def draw_score(page: Page, view: BattleView) -> None:
    """Show the victory points and the holders of objectives, if the battle has a mission."""
    score = score_line(view.points, view.objectives)
    if score:
        page.text(score, hang=2)


def draw_now(page: Page, view: BattleView) -> None:
    """Draw where the battle stands, in a line."""
    page.gap()
    page.text(f"Over: {view.over}." if view.over else f"Now: {where_text(view.where)}.", "strong")
    draw_score(page, view)


def draw_move(page: Page, move: MoveView) -> None:
    """Draw a move and what it did."""
    name = f"{move.number}. {move.action}"
    given = move.command.removeprefix(move.action).strip()
    mark = "  (taken back)" if move.undone else ""
    fits = size(f"{name}  {given}{mark}") <= page.width - 1
    page.line((name, "soft" if move.undone else "strong"), (f"  {given}" if fits else "", "soft"), (mark, "rule"))
    if not fits:
        page.text(unbroken(given), "soft", indent=3)
    draw_log(page, move.lines, indent=3)


def draw_actions(page: Page, views: Sequence[ActionView], *, everything: bool = False, path: str = "") -> None:
    """Draw what may be done now as commands; what may not is named last, with `everything` why.

    `path` is the file of the battle, if the commands have to name it.
    """
    where = f" --file {quoted(path)}" if path else ""
    page.text("What may be done now, as commands to copy:", "strong")
    hidden = False
    shown = sorted(views, key=lambda view: not view.allowed) if everything else [view for view in views if view.allowed]
    for view in shown:
        page.heading(view.name, view.title)
        allowed, more = _few(view.allowed, MAX_COMMANDS_SHOWN, everything)
        for command in allowed:
            page.line(f"  battletape battle do {command}{where}")  # never wrapped, so that it can be copied
        if more:
            page.text(f"and {more} more", "soft", indent=2)
        for refusal in view.refused if everything else ():
            clause = f" ({refusal.clause})" if refusal.clause else ""
            page.text(f"not now: {refusal.reason}{clause}", "soft", indent=2, hang=4)
        hidden = hidden or bool(more)
    others = [view.name for view in views if view.refused and view not in shown]
    hidden = hidden or (not everything and any(not view.allowed and not view.refused for view in views))
    if others:
        page.gap()
        page.text(f"Not now: {', '.join(others)}.", "soft", hang=2)
    if hidden or others:
        page.gap()
        why = "Everything, and why not" if others else "Everything"
        page.text(f"{why}: battletape battle do --all{where}", "soft")


def _few(things: Sequence[T], most: int, everything: bool) -> tuple[Sequence[T], int]:
    """Return the first few, and how many more there are; never just one more."""
    if everything or len(things) <= most + 1:
        return things, 0
    return things[:most], len(things) - most


def unbroken(command: str) -> str:
    """Return a command whose quoted names stay on one line, so that it can be copied."""
    return re.sub(r"""'[^']*'|"[^"]*\"""", lambda match: match[0].replace(" ", "\xa0"), command)


def draw_journal(page: Page, view: BattleView, moves: Sequence[MoveView | MarkView]) -> None:
    """Draw the log: every move under its turn, undone ones marked."""
    page.line((view.title, "strong"))
    heading = ""
    for move in moves:
        if isinstance(move, MarkView):
            verb = "taken back" if move.kind == "undo" else "made again"
            page.text(f"{move.kind}: move {move.move} is {verb}", "rule", indent=3)
            continue
        now = where_text(move.where)
        if now != heading:
            heading = now
            page.heading(now)
        draw_move(page, move)
    draw_now(page, view)
