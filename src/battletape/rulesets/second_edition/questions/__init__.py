"""What a player can ask."""

from __future__ import annotations

from battletape.system import Question

QUESTIONS: tuple[Question, ...] = ()
