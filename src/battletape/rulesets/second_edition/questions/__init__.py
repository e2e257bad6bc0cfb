"""What a player can ask."""

from __future__ import annotations

from battletape.cards import Question
from battletape.rulesets.second_edition.questions.blast import BLAST_QUESTION
from battletape.rulesets.second_edition.questions.burning import BURNING
from battletape.rulesets.second_edition.questions.cloud import CLOUD
from battletape.rulesets.second_edition.questions.force_weapon import FORCE_WEAPON
from battletape.rulesets.second_edition.questions.grenade import GRENADE
from battletape.rulesets.second_edition.questions.ground import GROUND_QUESTION
from battletape.rulesets.second_edition.questions.plasma import PLASMA
from battletape.rulesets.second_edition.questions.scatter import SCATTER
from battletape.rulesets.second_edition.questions.shoot import SHOOT
from battletape.rulesets.second_edition.questions.sustained import SUSTAINED
from battletape.rulesets.second_edition.questions.template import TEMPLATE_QUESTION

QUESTIONS: tuple[Question, ...] = (
    SHOOT,
    SUSTAINED,
    BLAST_QUESTION,
    SCATTER,
    GRENADE,
    GROUND_QUESTION,
    TEMPLATE_QUESTION,
    BURNING,
    CLOUD,
    PLASMA,
    FORCE_WEAPON,
)
