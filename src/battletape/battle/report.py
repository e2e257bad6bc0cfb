"""What happened, for people and for other programs: the log as text, a flat CSV, JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from battletape.answer import rulings_used
from battletape.battle.battle import Battle, MoveRecord
from battletape.battle.journal import UndoMark
from battletape.battle.notation import FORMAT, format_command
from battletape.log import as_text
from battletape.tape.story import Line
from battletape.words import capital

COLUMNS = ("turn", "phase", "unit", "target", "weapon", "question", "needed", "rolled", "result", "clause")


def log_text(battle: Battle) -> str:
    """The log as text: every move with its dice and decisions, undone ones marked."""
    agreed = [f"{name} {text}" for name, (text, default, _) in rulings_used(battle.rulings).items() if not default]
    rulings = f"{', '.join(agreed)}, the rest as usual" if agreed else "all as usual"
    lines = [battle.title or battle.ruleset.title, f"Rules: {battle.ruleset.name}; rulings: {rulings}"]
    heading = ""
    for record in battle.move_records():
        if isinstance(record, UndoMark):
            lines.append(
                f"   {record.kind}: move {record.move} is {'taken back' if record.kind == 'undo' else 'made again'}"
            )
            continue
        now = _where_text(battle.rules.where(record.before))
        if now != heading:
            lines += ["", now]
            heading = now
        lines.append(
            f"{record.move.number}. {format_command(record.move, brief=True)}" + (" (undone)" if record.undone else "")
        )
        if record.lines:
            lines += [f"   {line}" for line in as_text(record.lines).split("\n")]
    lines += ["", f"Over: {battle.over}." if battle.over else f"Now: {_where_text(battle.where)}."]
    return "\n".join(lines) + "\n"


def to_csv(battle: Battle) -> str:
    """A flat table with a row for each roll, decision and event; undone moves are left out, so sums are right."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows(battle):
        writer.writerow([_guarded(row[name]) for name in COLUMNS])
    return text.getvalue()


def rows(battle: Battle) -> Iterator[dict[str, str]]:
    """The rows of the flat table, by column."""
    for record in battle.move_records():
        if isinstance(record, UndoMark) or record.undone:
            continue
        where, about = battle.rules.where(record.before), _about(battle, record)
        card = battle.rules.action(record.move.action)
        for line in record.lines or (Line(card.title, card.clauses),):
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


def to_dict(battle: Battle) -> dict[str, Any]:
    """Plain data: header, start, every move with its answers and log lines, including undone ones, and the state."""
    return {
        "format": FORMAT,
        "ruleset": battle.ruleset.name,
        "version": battle.version,
        "title": battle.title,
        "rulings": msgspec.to_builtins(battle.rulings),
        "start": msgspec.to_builtins(battle.start),
        "journal": [_item(battle, record) for record in battle.move_records()],
        "now": {
            "move": battle.record.live[-1],
            "where": dict(battle.where),
            "over": battle.over,
            "tables": [{"title": table.title, "head": table.head, "rows": table.rows} for table in battle.tables],
        },
    }


def to_json(battle: Battle) -> str:
    """Return `to_dict` as JSON text."""
    return msgspec.json.format(msgspec.json.encode(to_dict(battle)), indent=2).decode() + "\n"


def _item(battle: Battle, item: MoveRecord | UndoMark) -> dict[str, Any]:
    if isinstance(item, UndoMark):
        return {item.kind: item.move}
    return {
        "move": item.move.number,
        "follows": item.move.follows,
        "undone": item.undone,
        "where": dict(battle.rules.where(item.before)),
        "about": dict(_about(battle, item)),
        "action": item.move.action,
        "params": msgspec.to_builtins(item.move.params),
        "entries": [msgspec.to_builtins(entry) for entry in item.move.entries],
        "lines": [msgspec.to_builtins(line) for line in item.lines],
    }


def _about(battle: Battle, record: MoveRecord) -> Mapping[str, str]:
    return battle.rules.action(record.move.action).about(record.before, record.move.params)


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
