"""The actions of a battle; a refusal names the clause."""

from __future__ import annotations

from battletape.rulesets.attack_dice.battle.actions.attack import ATTACK
from battletape.rulesets.attack_dice.battle.actions.game import AGREE, DONE, START
from battletape.rulesets.attack_dice.battle.actions.hp import LOSE_HP, RESTORE_HP
from battletape.rulesets.attack_dice.battle.actions.places import MOVE, PLACE
from battletape.rulesets.attack_dice.battle.actions.positions import COVER, DISEMBARK, EMBARK, ENGAGE, LEAVE

ACTIONS = (ATTACK, AGREE, START, DONE, ENGAGE, LEAVE, COVER, EMBARK, DISEMBARK, PLACE, MOVE, LOSE_HP, RESTORE_HP)
