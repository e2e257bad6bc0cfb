"""The actions of a battle; a refused action names the clause."""

from __future__ import annotations

from battletape.rulesets.diceless40k.battle.actions import by_hand
from battletape.rulesets.diceless40k.battle.actions.assault import (
    ASSAULT_VEHICLE,
    CHARGE,
    CONSOLIDATE,
    FIGHTING,
    HIT_AND_RUN,
)
from battletape.rulesets.diceless40k.battle.actions.cast import CAST
from battletape.rulesets.diceless40k.battle.actions.drive import DRIVE, RAMMING, SELF_REPAIR, SMOKING, TANK_SHOCK
from battletape.rulesets.diceless40k.battle.actions.end_phase import END_PHASE
from battletape.rulesets.diceless40k.battle.actions.joining import DISEMBARK, EMBARK, JOIN, LEAVE
from battletape.rulesets.diceless40k.battle.actions.move import FALL_BACK, GO_TO_GROUND, MOVE, REGROUP, RUN
from battletape.rulesets.diceless40k.battle.actions.repair import REPAIR
from battletape.rulesets.diceless40k.battle.actions.reserves import ARRIVE, OUTFLANKING, RESERVES, STRIKE
from battletape.rulesets.diceless40k.battle.actions.shoot import SHOOT

ACTIONS = (
    REGROUP,
    FALL_BACK,
    RESERVES,
    ARRIVE,
    OUTFLANKING,
    STRIKE,
    SELF_REPAIR,
    MOVE,
    DRIVE,
    RAMMING,
    TANK_SHOCK,
    JOIN,
    LEAVE,
    EMBARK,
    DISEMBARK,
    SMOKING,
    SHOOT,
    CAST,
    RUN,
    REPAIR,
    GO_TO_GROUND,
    CHARGE,
    FIGHTING,
    ASSAULT_VEHICLE,
    HIT_AND_RUN,
    CONSOLIDATE,
    END_PHASE,
    by_hand.LOSE_HP,
    by_hand.CHANGE_GROUP,
    by_hand.LEADERSHIP_TEST,
    by_hand.MARK_LINE,
    by_hand.PLACE,
    by_hand.NIGHT,
)
