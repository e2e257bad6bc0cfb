"""Players for tests."""

from __future__ import annotations

from typing import Any

from battletape.tape.script import Script


class Default(Script):
    """Takes the first option of every choice."""

    def choose(self, options: Any, *, by: str, label: str) -> Any:
        return next(iter(options))
