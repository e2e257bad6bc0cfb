"""A battle to show: how it stands, what may be done and why not, what happened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from battletape.battle import Battle
from battletape.battle.battle import MoveRecord, Option
from battletape.battle.journal import Move, UndoMark
from battletape.errors import BattletapeError, Refused, sentence
from battletape.inputs import Inputs, fields, quoted
from battletape.system import Action, Table
from battletape.tape.story import Line
from battletape.views.answer import RulingView, ruling_views, table_view
from battletape.views.catalogue import FieldView, field_views
from battletape.views.picture import PictureView, picture_view


class MoveView(Struct, frozen=True):
    """A move: its command, where in the battle it came, what the log says, and whether it was taken back."""

    number: int
    action: str
    command: str
    params: dict[str, Any]
    undone: bool
    where: dict[str, str]
    lines: tuple[Line, ...]
    recording: tuple[str, ...]


class MarkView(Struct, frozen=True):
    """An undo or redo, and the move it touched."""

    kind: str
    move: int


class RefusalView(Struct, frozen=True):
    """Why some commands may not be given now."""

    reason: str
    clause: str
    commands: tuple[str, ...]


class ActionView(Struct, frozen=True):
    """Something players do: the commands that may be given now, and why others may not."""

    name: str
    title: str
    clauses: tuple[str, ...]
    fields: tuple[FieldView, ...]
    allowed: tuple[str, ...]
    refused: tuple[RefusalView, ...]


class BattleView(Struct, frozen=True):
    """How a battle stands."""

    title: str
    ruleset: str
    where: dict[str, str]
    over: str | None
    moves: int
    undo: str | None  # the command that undo would take back
    redo: str | None
    tables: tuple[Table, ...]
    rulings: tuple[RulingView, ...]
    picture: PictureView | None = None
    mission: str = ""  # in words, with what counts for it; empty: none
    points: dict[str, int] = {}  # victory points by side
    objectives: dict[str, str] = {}  # the side that holds each, by name; empty: none does


def battle_view(battle: Battle) -> BattleView:
    """Return how it stands now."""
    peek = battle.peek()
    return BattleView(
        title=battle.title or battle.ruleset.title,
        ruleset=battle.ruleset.name,
        where=dict(battle.where),
        over=battle.over,
        moves=len(battle.record.live) - 1,
        undo=command_text(peek.undo) if peek.undo else None,
        redo=command_text(peek.redo) if peek.redo else None,
        tables=tuple(view for table in battle.tables if (view := table_view(table)) is not None),
        rulings=ruling_views(battle.rulings),
        picture=picture_view(battle.picture),
        mission=battle.mission,
        points=dict(battle.points),
        objectives=dict(battle.holders),
    )


def command_text(move: Move) -> str:
    """Return a move as the command that makes it."""
    return command_line(move.action, move.params)


def move_view(battle: Battle, record: MoveRecord) -> MoveView:
    """Return a move to show."""
    move = record.move
    return MoveView(
        number=move.number,
        action=move.action,
        command=command_text(move),
        params=msgspec.to_builtins(move.params),
        undone=record.undone,
        where=dict(battle.rules.where(record.before)),
        lines=record.lines,
        recording=tuple(map(str, move.entries)),
    )


def log_view(battle: Battle) -> tuple[MoveView | MarkView, ...]:
    """Everything that was ever done, including undone moves and each undo and redo."""
    return tuple(
        MarkView(record.kind, record.move) if isinstance(record, UndoMark) else move_view(battle, record)
        for record in battle.move_records()
    )


def last_move(battle: Battle) -> MoveView:
    """Return the last move that was made."""
    return move_view(battle, battle.move_record(len(battle.record.moves)))


def action_views(battle: Battle, only: str | None = None, everything: bool = False) -> tuple[ActionView, ...]:
    """Return what may be done now, and why the rest may not; `only` names an action, `everything` adds the hopeless."""
    wanted = battle.actions if only is None else (battle.rules.action(only),)
    options = {action.name: list(battle.options_of(action.name)) for action in wanted}
    if everything:
        for action in wanted:
            options[action.name] = options[action.name] or [_bare(battle, action)]
    return tuple(_action(action, options[action.name]) for action in wanted)


def _bare(battle: Battle, action: Action) -> Option:
    """Return an action without parameters, and why it may not be done like that."""
    params = action.inputs()
    try:
        refused = battle.refusal(action.name)
    except BattletapeError as error:  # it needs more than its name
        refused = Refused(sentence(error).rstrip("."), action.clauses[0] if action.clauses else "")
    return Option(action, params, refused)


def _action(action: Action, options: Iterable[Option]) -> ActionView:
    allowed: list[str] = []
    refused: dict[tuple[str, str], list[str]] = {}
    for option in options:
        command = command_line(action.name, option.params)
        if option.refused is None:
            allowed.append(command)
        else:
            refused.setdefault((option.refused.reason, option.refused.clause), []).append(command)
    return ActionView(
        name=action.name,
        title=action.title,
        clauses=action.clauses,
        fields=field_views(action.inputs, action.title),
        allowed=tuple(allowed),
        refused=tuple(RefusalView(reason, clause, tuple(all_)) for (reason, clause), all_ in refused.items()),
    )


def where_text(where: Mapping[str, str]) -> str:
    """Turn, phase and side in a line."""
    parts = [f"turn {value}" if name == "turn" else value for name, value in where.items() if value]
    text = ", ".join(parts)
    return text[:1].upper() + text[1:]


def command_line(action: str, params: Inputs) -> str:
    """Return an action with what it is about, as the command line takes it."""
    return " ".join([action, *(f"{name}={quoted(text)}" for name, text in command_pairs(params).items())])


def command_pairs(params: Inputs) -> dict[str, str]:
    """Return what an action is about: every name and amount, and what differs from the default."""
    return {
        field.name: field.show(in_whole_numbers(value))
        for field in fields(type(params))
        if (value := getattr(params, field.name)) != field.default
        or (field.kind == "text" and value)
        or field.part == "count"
    }


def in_whole_numbers(value: Any) -> Any:
    """Return a number without decimals that are zero, also in lists and their entries: 6, not 6.0."""
    if isinstance(value, tuple):
        return tuple(map(in_whole_numbers, value))
    if isinstance(value, Inputs):
        return replace(value, **{name: in_whole_numbers(getattr(value, name)) for name in value.__struct_fields__})
    return int(value) if isinstance(value, float) and value.is_integer() else value
