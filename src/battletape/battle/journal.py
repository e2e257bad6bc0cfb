"""The journal: every move ever made, with its recorded answers, and each undo and redo; nothing is ever deleted."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from battletape.errors import BadInput, BattletapeError
from battletape.inputs import Inputs
from battletape.tape.question import Entry

LONGEST_FAULT = 600
"""A fault says what came, but never a whole file of it."""


class BattleFault(BadInput):
    """A battle file or recording does not fit: the message names file and line, what was needed and what came."""

    def __init__(self, message: str, *, source: str = "", line: int = 0) -> None:
        if len(message) > LONGEST_FAULT:
            message = message[: LONGEST_FAULT - 1] + "…"
        super().__init__(message, source=f"{source} line {line}".strip() if line else source)
        self.line = line


@dataclass(frozen=True, slots=True)
class SourceLines:
    """An item as it stands in its file: the number of its first line, and its lines, with comments."""

    line: int
    text: tuple[str, ...]

    @property
    def answers(self) -> tuple[int, ...]:
        """The line of each recorded answer."""
        return tuple(self.line + number for number, line in enumerate(self.text) if number and not is_comment(line))


MoveContent = tuple[Inputs, tuple[Entry, ...]]
"""The parameters of a move and its recorded answers."""


class Move:
    """A command with its recorded answers; no number is used twice, so an undone move keeps its own.

    What a move of a trusted file says is read when it is asked for.
    """

    __slots__ = ("_said", "action", "follows", "number", "written")

    def __init__(
        self,
        number: int,
        follows: int,  # the move before it; 0 is the start
        action: str,
        content: MoveContent | Callable[[SourceLines], MoveContent],
        written: SourceLines | None = None,
    ) -> None:
        self.number, self.follows, self.action, self.written = number, follows, action, written
        self._said = content

    @property
    def content(self) -> MoveContent:
        """Parameters and answers."""
        if not isinstance(self._said, tuple):
            assert self.written is not None
            self._said = self._said(self.written)
        return self._said

    @property
    def params(self) -> Inputs:
        """The inputs of its action."""
        return self.content[0]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The answers to what its rules asked."""
        return self.content[1]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        own = (self.number, self.follows, self.action, self.content)
        return own == (other.number, other.follows, other.action, other.content)

    def __hash__(self) -> int:
        return hash((self.number, self.follows, self.action))

    def __repr__(self) -> str:
        return f"Move({self.number}, {self.follows}, {self.action!r}, {self.content!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Move, (self.number, self.follows, self.action, self.content, self.written))


@dataclass(frozen=True, slots=True)
class UndoMark:
    """An undo or a redo, with the number of the move that it touches."""

    kind: Literal["undo", "redo"]
    move: int
    written: SourceLines | None = field(default=None, compare=False, repr=False)


class Peek(NamedTuple):
    """The last move, which undo would take back, and the one that redo would bring back."""

    undo: Move | None
    redo: Move | None


class Journal:
    """What was done, in order, and which moves count now."""

    def __init__(self) -> None:
        self.items: list[Move | UndoMark] = []
        self.moves: list[Move] = []  # every one ever made, by number - 1
        self.live: list[int] = [0]  # the start and the moves that count
        self.undone: list[int] = []  # what redo brings back, the next one last

    def __eq__(self, other: object) -> bool:
        return self.items == other.items if isinstance(other, Journal) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __getitem__(self, number: int) -> Move:
        """Return the move of this number."""
        return self.moves[number - 1]

    def counts(self, number: int) -> bool:
        """Return whether a move stands; those that do are in the order of their numbers."""
        index = bisect_left(self.live, number)
        return index < len(self.live) and self.live[index] == number

    def peek(self) -> Peek:
        """Return what undo and redo would touch."""
        last, next_one = self.live[-1], self.undone[-1] if self.undone else 0
        return Peek(self[last] if last else None, self[next_one] if next_one else None)

    def add(self, action: str, params: Inputs, entries: Iterable[Entry], written: SourceLines | None = None) -> Move:
        """Return a move after the last one that counts; what was undone can no longer be redone."""
        return self.take(action, (params, tuple(entries)), written)

    def take(
        self,
        action: str,
        content: MoveContent | Callable[[SourceLines], MoveContent],
        written: SourceLines | None = None,
    ) -> Move:
        """Return a move as it was said, or with a way to read it later."""
        move = Move(len(self.moves) + 1, self.live[-1], action, content, written)
        self.items.append(move)
        self.moves.append(move)
        self.live.append(move.number)
        self.undone.clear()
        return move

    def undo(self, written: SourceLines | None = None) -> Move:
        """Take the last move back."""
        move = self.peek().undo
        if move is None:
            raise BattletapeError("there is nothing to undo: no move stands")
        self.undone.append(self.live.pop())
        self.items.append(UndoMark("undo", move.number, written))
        return move

    def redo(self, written: SourceLines | None = None) -> Move:
        """Bring back the move undone last."""
        move = self.peek().redo
        if move is None:
            raise BattletapeError("there is nothing to redo: no move was undone since the last one was made")
        self.live.append(self.undone.pop())
        self.items.append(UndoMark("redo", move.number, written))
        return move

    def way_to(self, number: int) -> Iterator[Move]:
        """Yield a move and those before it, the last one first."""
        while number:
            yield self[number]
            number = self[number].follows

    def before(self, number: int) -> Journal:
        """Return the journal as it was before this move was made."""
        earlier = Journal()
        for item in self.items:
            if isinstance(item, UndoMark):
                earlier.undo(item.written) if item.kind == "undo" else earlier.redo(item.written)
            elif item.number == number:
                break
            else:
                earlier.take(item.action, item.content, item.written)
        return earlier


def is_comment(line: str) -> bool:
    """Return whether a line of a file says nothing to us."""
    bare = line.lstrip()
    return not bare or bare[0] == "#"
