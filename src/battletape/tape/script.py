"""Script: fixed answers that must be used up; for tests."""

from __future__ import annotations

from typing import Any

from battletape.errors import BattletapeError
from battletape.tape.path import Path
from battletape.tape.question import Ask


class Script(Path):
    """Faces, bearings and options in the order they will be asked; a pool takes one face for each die."""

    def __init__(self, *answers: Any) -> None:
        super().__init__()
        self.left = list(answers)

    @property
    def used_up(self) -> bool:
        """Whether every answer of the script was used."""
        return not self.left

    def answer(self, ask: Ask) -> Any:
        """Return the next answers of the script."""
        if ask.kind == "pool":
            return tuple(self._next(ask, f"{ask.label} {at}/{ask.count}") for at in range(1, ask.count + 1))
        return self._next(ask, ask.label)

    def _next(self, ask: Ask, label: str) -> Any:
        needed = ask.die.domain if ask.die else ask.domain
        if not self.left:
            raise BattletapeError(f"{label} needs {needed}, but the script has run out")
        value = self.left.pop(0)
        if ask.kind == "direction":
            fits = isinstance(value, (int, float)) and 0 <= value < 360
        else:
            fits = value in (ask.die.faces if ask.die else ask.options)
        if not fits:
            raise BattletapeError(f"{label} must be {needed}, got {value}")
        return value
