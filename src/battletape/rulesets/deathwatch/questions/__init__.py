"""The questions that a player can ask of Deathwatch."""

from __future__ import annotations

from battletape.rulesets.deathwatch.questions.bleeding import BLEEDING
from battletape.rulesets.deathwatch.questions.burning import BURNING
from battletape.rulesets.deathwatch.questions.duel import DUEL
from battletape.rulesets.deathwatch.questions.fight import FIGHT
from battletape.rulesets.deathwatch.questions.fire_mode import FIRE_MODE
from battletape.rulesets.deathwatch.questions.hit import HIT
from battletape.rulesets.deathwatch.questions.horde import HORDE
from battletape.rulesets.deathwatch.questions.horde_attacks import HORDE_ATTACKS
from battletape.rulesets.deathwatch.questions.movement import MOVE
from battletape.rulesets.deathwatch.questions.opposed import OPPOSED
from battletape.rulesets.deathwatch.questions.shoot import SHOOT
from battletape.rulesets.deathwatch.questions.suppress import SUPPRESS
from battletape.rulesets.deathwatch.questions.test import TEST

QUESTIONS = (TEST, OPPOSED, SHOOT, FIGHT, HIT, HORDE, HORDE_ATTACKS, SUPPRESS, BURNING, BLEEDING, FIRE_MODE, DUEL, MOVE)
