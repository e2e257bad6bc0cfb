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
from battletape.battle.luck import move_lucks, side_lucks
from battletape.battle.notation import FORMAT, format_command
from battletape.log import as_text
from battletape.odds import percent
from battletape.tape.story import Line
from battletape.words import capital, listed, plural

COLUMNS = ("turn", "phase", "unit", "target", "weapon", "question", "needed", "rolled", "result", "clause")


LUCK_COLUMNS = ("due", "came", "luck", "by")
"""What an export says of the luck of a move, in its first row, if it is asked for."""


def log_text(battle: Battle, *, luck: bool = False) -> str:
    """Return the log as text: every move with its dice and decisions, undone ones marked.

    At the end the luck, if asked.
    """
    agreed = [f"{name} {text}" for name, (text, default, _) in rulings_used(battle.rulings).items() if not default]
    rulings = f"{', '.join(agreed)}, the rest as usual" if agreed else "all as usual"
    lines = [battle.title or battle.ruleset.title, f"Rules: {battle.ruleset.name}; rulings: {rulings}"]
    lines += [f"Mission: {battle.mission}."] if battle.mission else []
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
            f"{record.move.number}. {format_command(record.move, for_people=True)}"
            + (" (undone)" if record.undone else "")
        )
        if record.lines:
            lines += [f"   {line}" for line in as_text(record.lines).split("\n")]
    lines += ["", f"Over: {battle.over}." if battle.over else f"Now: {_where_text(battle.where)}."]
    score = score_line(battle.points, battle.holders)
    lines += [f"{score}."] if score else []
    if luck:
        lines += ["", "Luck: 50 % is what is to be expected", *_luck_lines(battle)]
    return "\n".join(lines) + "\n"


def score_line(points: Mapping[str, int], holders: Mapping[str, str]) -> str:
    """Return the victory points of each side, and which objectives they hold; empty without any."""
    counts = ", ".join(f"{side} {count}" for side, count in points.items())
    held = [f"{side} holds {listed(held)}" for side, held in _held(holders).items()]
    return "; ".join([*([f"Points: {counts}"] if counts else []), *held])


def _held(holders: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the objectives that each side holds."""
    held: dict[str, list[str]] = {}
    for name, side in holders.items():
        if side:
            held.setdefault(side, []).append(name)
    return held


def _luck_lines(battle: Battle) -> Iterator[str]:
    """Yield the luck of each move, then of each side."""
    lucks = list(move_lucks(battle))
    for move in lucks:
        figures = move.to_dict()
        name = f"{move.unit or move.side}: {move.action}"
        yield (
            f"   {move.move}. {name}, {move.title}: {figures['due']:g} due, {figures['came']:g} came, "
            f"luck {percent(move.luck)} by {figures['by']}"
        )
    for side in side_lucks(lucks):
        yield f"{side.side}: luck {percent(side.luck)} over {plural(side.moves, 'move')} with dice"


def to_csv(battle: Battle, *, luck: bool = False) -> str:
    """Return a flat table with a row for each roll, decision and event; undone moves are left out, so sums are right.

    With `luck`, the first row of each move says what was due, what came, and how lucky that was.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns = (*COLUMNS, *LUCK_COLUMNS) if luck else COLUMNS
    writer.writerow(columns)
    for row in rows(battle, luck=luck):
        writer.writerow([_guarded(row.get(name, "")) for name in columns])
    return text.getvalue()


def rows(battle: Battle, *, luck: bool = False) -> Iterator[dict[str, str]]:
    """Yield the rows of the flat table, by column."""
    lucks = {move.move: move.to_dict() for move in move_lucks(battle)} if luck else {}
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
                **{
                    name: str(value)
                    for name, value in lucks.pop(record.move.number, {}).items()
                    if name in LUCK_COLUMNS
                },
            }


def to_dict(battle: Battle, *, luck: bool = False) -> dict[str, Any]:
    """Return plain data: header, start, every move with its answers and log lines, including undone ones, and the
    state.
    """
    lucks = list(move_lucks(battle)) if luck else []
    sides = [{"side": side.side, "moves": side.moves, "luck": float(side.luck)} for side in side_lucks(lucks)]
    return {
        **({"luck": {"moves": [move.to_dict() for move in lucks], "sides": sides}} if luck else {}),
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
            "mission": battle.mission,
            "points": dict(battle.points),
            "objectives": dict(battle.holders),
            "tables": [{"title": table.title, "head": table.head, "rows": table.rows} for table in battle.tables],
        },
    }


def to_json(battle: Battle, *, luck: bool = False) -> str:
    """Return the same as `to_dict`, as JSON text."""
    return msgspec.json.format(msgspec.json.encode(to_dict(battle, luck=luck)), indent=2).decode() + "\n"


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
    """Return text with an apostrophe in front if a spreadsheet would take it for a formula."""
    if not cell.startswith(("=", "+", "-", "@", "\t", "\r")):
        return cell
    try:
        float(cell)
    except ValueError:
        return "'" + cell
    return cell
