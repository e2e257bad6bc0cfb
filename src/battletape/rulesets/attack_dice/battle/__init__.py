"""A battle: units that act in turn, attack, and lose models."""

from __future__ import annotations

from battletape.rulesets.attack_dice.battle.actions import ACTIONS
from battletape.rulesets.attack_dice.battle.show import show
from battletape.rulesets.attack_dice.battle.start import Start, begin_battle, fill_start, sample
from battletape.rulesets.attack_dice.battle.state import State
from battletape.rulesets.attack_dice.battle.turn import over, where
from battletape.system import BattleRules

BATTLE = BattleRules(
    start=Start,
    begin=begin_battle,
    state=State,
    actions=ACTIONS,
    where=where,
    show=show,
    over=over,
    sample=sample,
    fill=fill_start,
)
