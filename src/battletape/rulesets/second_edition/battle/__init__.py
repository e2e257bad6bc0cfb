"""A battle: models that move, shoot, burn and jam, turn after turn, with places on a table or without."""

from __future__ import annotations

from battletape.cards import BattleRules, sample_of
from battletape.rulesets.second_edition.battle.actions import ACTIONS
from battletape.rulesets.second_edition.battle.show import about, reaches, show
from battletape.rulesets.second_edition.battle.start import Start, begin_battle, fill_unit
from battletape.rulesets.second_edition.battle.state import State, battle_end, points_of
from battletape.rulesets.second_edition.battle.turn import apply_consequences, turn_summary

BATTLE = BattleRules(
    start=Start,
    begin=begin_battle,
    state=State,
    actions=ACTIONS,
    show=show,
    about=about,
    reaches=reaches,
    sample=sample_of(__name__),
    where=turn_summary,
    fill={"units": fill_unit},
    over=battle_end,
    settle=apply_consequences,
    field=lambda state: state.field,
    models=lambda state, name: int(not state.fighter(name).is_gone),
    mission=lambda state: state.mission,
    points=points_of,
)
