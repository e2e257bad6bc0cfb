"""The journal: every move ever made, with its recorded answers, and each undo and redo; nothing is ever deleted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from battletape.errors import BadInput, BattletapeError
from battletape.inputs import Inputs
from battletape.tape.question import Entry


class BattleFault(BadInput):
    """A battle file or recording does not fit: the message names file and line, what was needed and what came."""

    def __init__(self, message: str, *, source: str = "", line: int = 0) -> None:
        super().__init__(message, source=f"{source} line {line}".strip() if line else source)
        self.line = line


@dataclass(frozen=True, slots=True)
class Written:
    """An item as it stands in its file: its lines, with comments, and their numbers."""

    line: int
    text: tuple[str, ...]
    answers: tuple[int, ...] = ()  # the line of each recorded answer


@dataclass(frozen=True, slots=True)
class Move:
    """A command with its recorded answers; no number is used twice, so an undone move keeps its own."""

    number: int
    follows: int  # the move before it; 0 is the start
    action: str
    params: Inputs
    entries: tuple[Entry, ...]
    written: Written | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Mark:
    """An undo or a redo, with the number of the move that it touches."""

    kind: Literal["undo", "redo"]
    move: int
    written: Written | None = field(default=None, compare=False, repr=False)


class Peek(NamedTuple):
    """The last move, which undo would take back, and the one that redo would bring back."""

    undo: Move | None
    redo: Move | None


class Journal:
    """What was done, in order, and which moves count now."""

    def __init__(self) -> None:
        self.items: list[Move | Mark] = []
        self.moves: list[Move] = []  # every one ever made, by number - 1
        self.live: list[int] = [0]  # the start and the moves that count
        self.undone: list[int] = []  # what redo brings back, the next one last

    def __eq__(self, other: object) -> bool:
        return self.items == other.items if isinstance(other, Journal) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __getitem__(self, number: int) -> Move:
        """The move of this number."""
        return self.moves[number - 1]

    def peek(self) -> Peek:
        """What undo and redo would touch."""
        last, next_one = self.live[-1], self.undone[-1] if self.undone else 0
        return Peek(self[last] if last else None, self[next_one] if next_one else None)

    def add(self, action: str, params: Inputs, entries: Iterable[Entry], written: Written | None = None) -> Move:
        """A move after the last one that counts; what was undone can no longer be redone."""
        move = Move(len(self.moves) + 1, self.live[-1], action, params, tuple(entries), written)
        self.items.append(move)
        self.moves.append(move)
        self.live.append(move.number)
        self.undone.clear()
        return move

    def undo(self, written: Written | None = None) -> Move:
        """Take the last move back."""
        move = self.peek().undo
        if move is None:
            raise BattletapeError("there is nothing to undo: no move stands")
        self.undone.append(self.live.pop())
        self.items.append(Mark("undo", move.number, written))
        return move

    def redo(self, written: Written | None = None) -> Move:
        """Bring back the move undone last."""
        move = self.peek().redo
        if move is None:
            raise BattletapeError("there is nothing to redo: no move was undone since the last one was made")
        self.live.append(self.undone.pop())
        self.items.append(Mark("redo", move.number, written))
        return move

    def way_to(self, number: int) -> Iterator[Move]:
        """A move and those before it, the last one first."""
        while number:
            yield self[number]
            number = self[number].follows

    def before(self, number: int) -> Journal:
        """The journal as it was before this move was made."""
        earlier = Journal()
        for item in self.items:
            if isinstance(item, Mark):
                earlier.undo(item.written) if item.kind == "undo" else earlier.redo(item.written)
            elif item.number == number:
                break
            else:
                earlier.add(item.action, item.params, item.entries, item.written)
        return earlier
