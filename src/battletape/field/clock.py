"""Turns and phases in order, as data: whose turn it is, which phase, and what ends when the next one begins."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

Ended: TypeAlias = Literal["phase", "player turn", "turn", "game"]


class Clock(Struct, frozen=True, cache_hash=True):
    """Where a game is; `order` are sides, or fighters by initiative, and `phases` those of each of their turns."""

    order: tuple[str, ...]
    phases: tuple[str, ...]
    most: int = 6  # turns
    turn: int = 1
    at: int = 0  # in the order
    step: int = 0  # in the phases
    over: bool = False

    @property
    def active(self) -> str:
        """Whose turn it is."""
        return self.order[self.at]

    @property
    def phase(self) -> str:
        """The phase now."""
        return self.phases[self.step]

    @property
    def player_turn(self) -> int:
        """Player turns so far, this one counted."""
        return (self.turn - 1) * len(self.order) + self.at + 1

    def next(self) -> tuple[Clock, tuple[Ended, ...]]:
        """The phase that follows, and all that has ended with this one."""
        if self.step + 1 < len(self.phases):
            return replace(self, step=self.step + 1), ("phase",)
        if self.at + 1 < len(self.order):
            return replace(self, at=self.at + 1, step=0), ("phase", "player turn")
        if self.turn < self.most:
            return replace(self, turn=self.turn + 1, at=0, step=0), ("phase", "player turn", "turn")
        return replace(self, over=True), ("phase", "player turn", "turn", "game")
