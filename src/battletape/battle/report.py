"""What happened, for people and for other programs: the log as text, a flat CSV, JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from battletape.answer import rulings_used
from battletape.battle.battle import Battle, Told
from battletape.battle.journal import Mark
from battletape.battle.notation import FORMAT, format_command
from battletape.log import Line, as_text
from battletape.words import capital

COLUMNS = ("turn", "phase", "unit", "target", "weapon", "question", "needed", "rolled", "result", "clause")


def log_text(battle: Battle) -> str:
    """The log as text: every move with its dice and decisions, undone ones marked."""
    agreed = [f"{name} {text}" for name, (text, default, _) in rulings_used(battle.rulings).items() if not default]
    rulings = f"{', '.join(agreed)}, the rest as usual" if agreed else "all as usual"
    lines = [battle.title or battle.ruleset.title, f"Rules: {battle.ruleset.name}; rulings: {rulings}"]
    heading = ""
    for one in battle.told():
        if isinstance(one, Mark):
            lines.append(f"   {one.kind}: move {one.move} is {'taken back' if one.kind == 'undo' else 'made again'}")
            continue
        now = _where_text(battle.rules.where(one.before))
        if now != heading:
            lines += ["", now]
            heading = now
        lines.append(f"{one.move.number}. {format_command(one.move, brief=True)}" + (" (undone)" if one.undone else ""))
        if one.lines:
            lines += [f"   {line}" for line in as_text(one.lines).split("\n")]
    lines += ["", f"Over: {battle.over}." if battle.over else f"Now: {_where_text(battle.where)}."]
    return "\n".join(lines) + "\n"


def to_csv(battle: Battle) -> str:
    """A flat table with a row for each roll, decision and event; undone moves are left out, so that sums are right."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows(battle):
        writer.writerow([_guarded(row[name]) for name in COLUMNS])
    return text.getvalue()


def rows(battle: Battle) -> Iterator[dict[str, str]]:
    """The rows of the flat table, by column."""
    for one in battle.told():
        if isinstance(one, Mark) or one.undone:
            continue
        where, about = battle.rules.where(one.before), _about(battle, one)
        card = battle.rules.action(one.move.action)
        for line in one.lines or (Line(card.title, card.clauses),):
            yield {
                "turn": where.get("turn", ""),
                "phase": where.get("phase", ""),
                "unit": about.get("unit", ""),
                "target": about.get("target", ""),
                "weapon": about.get("weapon", ""),
                "question": line.question or line.stage or card.name,
                "needed": line.needed,
                "rolled": line.rolled,
                "result": line.result or line.rolled or line.text,
                "clause": " ".join(line.clauses),
            }


def to_json(battle: Battle) -> dict[str, Any]:
    """Plain data: header, start, every move with its answers and log lines, undone ones too, and how it stands."""
    return {
        "format": FORMAT,
        "ruleset": battle.ruleset.name,
        "version": battle.version,
        "title": battle.title,
        "rulings": msgspec.to_builtins(battle.rulings),
        "start": msgspec.to_builtins(battle.start),
        "journal": [_item(battle, one) for one in battle.told()],
        "now": {
            "move": battle.record.live[-1],
            "where": dict(battle.where),
            "over": battle.over,
            "tables": [{"title": one.title, "head": one.head, "rows": one.rows} for one in battle.tables],
        },
    }


def _item(battle: Battle, one: Told | Mark) -> dict[str, Any]:
    if isinstance(one, Mark):
        return {one.kind: one.move}
    return {
        "move": one.move.number,
        "follows": one.move.follows,
        "undone": one.undone,
        "where": dict(battle.rules.where(one.before)),
        "about": dict(_about(battle, one)),
        "action": one.move.action,
        "params": msgspec.to_builtins(one.move.params),
        "entries": [msgspec.to_builtins(entry) for entry in one.move.entries],
        "lines": [msgspec.to_builtins(line) for line in one.lines],
    }


def _about(battle: Battle, one: Told) -> Mapping[str, str]:
    return battle.rules.action(one.move.action).about(one.before, one.move.params)


def _where_text(where: Mapping[str, str]) -> str:
    text = ", ".join(f"turn {value}" if name == "turn" else value for name, value in where.items() if value)
    return capital(text)


def _guarded(cell: str) -> str:
    """Text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay numbers."""
    if not cell.startswith(("=", "+", "-", "@", "\t", "\r")):
        return cell
    try:
        float(cell)
    except ValueError:
        return "'" + cell
    return cell
