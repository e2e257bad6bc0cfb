"""A battle of machines and squads on a table."""

from __future__ import annotations

from battletape.rulesets.vehicles5.battle.actions import ACTIONS
from battletape.rulesets.vehicles5.battle.show import show, where
from battletape.rulesets.vehicles5.battle.start import Start, begin_field, fill_machine, fill_squad, sample
from battletape.rulesets.vehicles5.battle.state import Field
from battletape.rulesets.vehicles5.battle.turn import over
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
    fill={"machines": fill_machine, "squads": fill_squad},
)
