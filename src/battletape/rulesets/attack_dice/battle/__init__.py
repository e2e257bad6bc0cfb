"""A battle: units that act in turn, attack, and lose models."""

from __future__ import annotations

from battletape.cards import BattleRules, sample_of
from battletape.rulesets.attack_dice.battle.actions import ACTIONS
from battletape.rulesets.attack_dice.battle.actions._orders import ROLES
from battletape.rulesets.attack_dice.battle.show import about, reaches, show
from battletape.rulesets.attack_dice.battle.start import Start, begin_battle, fill_unit
from battletape.rulesets.attack_dice.battle.state import State
from battletape.rulesets.attack_dice.battle.turn import apply_consequences, battle_end, points, waiting, where

BATTLE = BattleRules(
    start=Start,
    begin=begin_battle,
    state=State,
    actions=ACTIONS,
    show=show,
    sample=sample_of(__name__),
    where=where,
    over=battle_end,
    mission=lambda state: state.mission,
    points=points,
    fill={"units": fill_unit},
    roles=ROLES,
    settle=apply_consequences,
    waiting=waiting,
    about=about,
    reaches=reaches,
    field=lambda state: state.field,
    models=lambda state, name: state.unit(name).models,
)
