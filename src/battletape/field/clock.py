"""Turns and phases in order, as data: whose turn it is, which phase, and what ends when the next one begins.

clock = Clock(("South", "North"), ("movement", "shooting", "assault"), turns=6)
clock, ended = clock.next()      # ended: ("phase",), or with "player turn", "turn" and "game" after it
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from battletape.rulebook import State, replace

Ended: TypeAlias = Literal["phase", "player turn", "turn", "game"]


class Clock(State, frozen=True):
    """The time of a game; `order` names sides, or fighters by initiative, and each of them plays every phase."""

    order: tuple[str, ...]
    phases: tuple[str, ...]
    turns: int = 6
    turn: int = 1
    place: int = 0  # in the order
    step: int = 0  # in the phases
    over: bool = False

    @property
    def active(self) -> str:
        """The side or fighter that plays now."""
        return self.order[self.place]

    @property
    def phase(self) -> str:
        """The name of the phase now."""
        return self.phases[self.step]

    @property
    def player_turn(self) -> int:
        """The number of player turns so far, this one counted; what lasts until one names its number."""
        return (self.turn - 1) * len(self.order) + self.place + 1

    @property
    def where(self) -> Mapping[str, str]:
        """The turn, phase and side, as tables show them."""
        return {"turn": str(self.turn), "phase": self.phase, "side": self.active}

    def next(self) -> tuple[Clock, tuple[Ended, ...]]:
        """Return the clock in the following phase, and everything that ended before it."""
        if self.step + 1 < len(self.phases):
            return replace(self, step=self.step + 1), ("phase",)
        return self.next_player()

    def next_player(self) -> tuple[Clock, tuple[Ended, ...]]:
        """Return the clock in the first phase of the next player turn, and everything that ended before it."""
        if self.place + 1 < len(self.order):
            return replace(self, place=self.place + 1, step=0), ("phase", "player turn")
        if self.turn < self.turns:
            return replace(self, turn=self.turn + 1, place=0, step=0), ("phase", "player turn", "turn")
        return replace(self, over=True), ("phase", "player turn", "turn", "game")
