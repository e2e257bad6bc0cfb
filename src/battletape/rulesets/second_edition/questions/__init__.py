"""What a player can ask."""

from __future__ import annotations

from battletape.rulesets.second_edition.questions.shoot import SHOOT
from battletape.system import Question

QUESTIONS: tuple[Question, ...] = (SHOOT,)
