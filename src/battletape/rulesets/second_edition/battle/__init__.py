"""A battle: models that move, shoot, burn and jam, turn after turn, with places on a table or without."""

from __future__ import annotations

from battletape.cards import BattleRules
from battletape.rulesets.second_edition.battle.actions import ACTIONS
from battletape.rulesets.second_edition.battle.show import picture, show
from battletape.rulesets.second_edition.battle.start import Start, begin_battle, fill_unit, sample
from battletape.rulesets.second_edition.battle.state import State
from battletape.rulesets.second_edition.battle.turn import apply_consequences, turn_summary

BATTLE = BattleRules(
    start=Start,
    begin=begin_battle,
    state=State,
    actions=ACTIONS,
    show=show,
    picture=picture,
    sample=sample,
    where=turn_summary,
    fill={"units": fill_unit},
    settle=apply_consequences,
)
