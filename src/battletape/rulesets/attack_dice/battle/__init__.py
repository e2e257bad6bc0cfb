"""A battle: units that act in turn, attack, and lose models."""

from __future__ import annotations

from battletape.rulesets.attack_dice.battle.actions import ACTIONS
from battletape.rulesets.attack_dice.battle.show import show
from battletape.rulesets.attack_dice.battle.start import Start, begin_field, fill_start, sample
from battletape.rulesets.attack_dice.battle.state import Field
from battletape.rulesets.attack_dice.battle.turn import over, where
from battletape.system import BattleRules

BATTLE = BattleRules(
    start=Start,
    begin=begin_field,
    state=Field,
    actions=ACTIONS,
    where=where,
    show=show,
    over=over,
    sample=sample,
    fill=fill_start,
)
