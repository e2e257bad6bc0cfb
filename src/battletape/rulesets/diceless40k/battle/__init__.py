"""A battle: two armies without dice, their sheets and tokens, turn by turn."""

from __future__ import annotations

from battletape.cards import BattleRules
from battletape.rulesets.diceless40k.battle.actions import ACTIONS
from battletape.rulesets.diceless40k.battle.actions._orders import ROLES
from battletape.rulesets.diceless40k.battle.pending import state_of
from battletape.rulesets.diceless40k.battle.show import about, reaches, show
from battletape.rulesets.diceless40k.battle.start import Start, begin_battle, fill_unit, fill_vehicle, sample
from battletape.rulesets.diceless40k.battle.state import State
from battletape.rulesets.diceless40k.battle.turn import apply_consequences, battle_end, holds, points, where

BATTLE = BattleRules(
    start=Start,
    begin=begin_battle,
    state=State,
    actions=ACTIONS,
    show=show,
    sample=sample,
    where=where,
    over=battle_end,
    fill={"units": fill_unit, "vehicles": fill_vehicle},
    roles=ROLES,
    settle=apply_consequences,
    state_of=state_of,
    about=about,
    reaches=reaches,
    mission=lambda state: state.mission,
    points=points,
    scores=holds,
    field=lambda state: state.field,
    models=lambda state, name: state.count(name),
)
