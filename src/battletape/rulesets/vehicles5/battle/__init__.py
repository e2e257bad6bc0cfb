"""A battle of vehicles and squads on a table."""

from __future__ import annotations

from battletape.cards import BattleRules, sample_of
from battletape.rulesets.vehicles5.battle.actions import ACTIONS
from battletape.rulesets.vehicles5.battle.actions._orders import ROLES
from battletape.rulesets.vehicles5.battle.show import about, reaches, show
from battletape.rulesets.vehicles5.battle.start import Start, begin_battle, fill_squad, fill_vehicle
from battletape.rulesets.vehicles5.battle.state import State
from battletape.rulesets.vehicles5.battle.turn import apply_consequences, battle_end, points, state_of

BATTLE = BattleRules(
    start=Start,
    begin=begin_battle,
    state=State,
    actions=ACTIONS,
    show=show,
    over=battle_end,
    sample=sample_of(__name__),
    fill={"machines": fill_vehicle, "squads": fill_squad},
    roles=ROLES,
    settle=apply_consequences,
    state_of=state_of,
    about=about,
    reaches=reaches,
    mission=lambda state: state.mission,
    points=points,
    field=lambda state: state.field,
    models=lambda state, name: state.find(name).models,
)
