"""What can be done in a battle, in the order of the phases."""

from __future__ import annotations

from battletape.rulesets.vehicles5.battle.actions.assault import ASSAULT, FIGHT
from battletape.rulesets.vehicles5.battle.actions.drive import DRIVE, SMOKE, STAND, TURN
from battletape.rulesets.vehicles5.battle.actions.embark import DISEMBARK, EMBARK
from battletape.rulesets.vehicles5.battle.actions.end_phase import END_PHASE, END_TURN
from battletape.rulesets.vehicles5.battle.actions.fire import FIRE_ACTION, PIVOT, SHOOT_UNIT
from battletape.rulesets.vehicles5.battle.actions.move_unit import CONSOLIDATE, FALL_BACK, MOVE_UNIT, RUN
from battletape.rulesets.vehicles5.battle.actions.tank_shock import RAM_ACTION, TANK_SHOCK_ACTION

ACTIONS = (
    *(TURN, STAND, DRIVE, TANK_SHOCK_ACTION, RAM_ACTION, SMOKE, MOVE_UNIT, FALL_BACK, EMBARK, DISEMBARK),
    *(FIRE_ACTION, SHOOT_UNIT, RUN, PIVOT),
    *(ASSAULT, FIGHT, CONSOLIDATE),
    *(END_PHASE, END_TURN),
)
