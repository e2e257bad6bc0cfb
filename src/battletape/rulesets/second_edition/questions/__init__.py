"""What a player can ask."""

from __future__ import annotations

from battletape.rulesets.second_edition.questions.force_weapon import FORCE_WEAPON
from battletape.rulesets.second_edition.questions.shoot import SHOOT
from battletape.rulesets.second_edition.questions.sustained import SUSTAINED
from battletape.system import Question

QUESTIONS: tuple[Question, ...] = (SHOOT, SUSTAINED, FORCE_WEAPON)
