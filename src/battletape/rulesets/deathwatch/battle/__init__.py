"""A battle of Deathwatch: how it begins, what can be done in it, how it is shown, and when it is over."""

from __future__ import annotations

from functools import partial

from battletape.cards import BattleRules, sample_of
from battletape.rulesets.deathwatch.battle.actions import ACTIONS
from battletape.rulesets.deathwatch.battle.referee import ROLES, battle_end, points, scores, waiting
from battletape.rulesets.deathwatch.battle.show import about, reaches, show, where
from battletape.rulesets.deathwatch.battle.start import Start, begin_battle, fill_unit
from battletape.rulesets.deathwatch.battle.state import State, is_there
from battletape.rulesets.deathwatch.battle.turn import apply_consequences

BATTLE = BattleRules(
    start=Start,
    begin=begin_battle,
    state=State,
    actions=ACTIONS,
    where=where,
    show=show,
    over=battle_end,
    sample=sample_of(__name__),
    fill={"fighters": partial(fill_unit, "character"), "mobs": partial(fill_unit, "horde")},
    roles=ROLES,
    settle=apply_consequences,
    waiting=waiting,
    field=lambda state: state.field,
    models=lambda state, name: int(is_there(state.find(name))),  # a horde has one base for all of it
    about=about,
    reaches=reaches,
    mission=lambda state: state.mission,
    points=points,
    scores=scores,
)
