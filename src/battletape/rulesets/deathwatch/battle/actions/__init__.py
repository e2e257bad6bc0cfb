"""The actions of a battle, in the order in which a player sees them."""

from __future__ import annotations

from battletape.rulesets.deathwatch.battle.actions.care import BREAK_FREE, PUT_OUT, TREAT, USE_SKILL
from battletape.rulesets.deathwatch.battle.actions.horde import HORDE_SHOOTS, HORDE_STRIKES
from battletape.rulesets.deathwatch.battle.actions.move import ADVANCE, DISENGAGE, DROP_PRONE, LEAP, MOVE, RUN, STAND
from battletape.rulesets.deathwatch.battle.actions.power import FOCUS_POWER
from battletape.rulesets.deathwatch.battle.actions.shoot import BLAST, FIRE_ON_WATCH, FLAME, SHOOT, SUPPRESS, WATCH
from battletape.rulesets.deathwatch.battle.actions.strike import CONTEST, GRAPPLE, STRIKE
from battletape.rulesets.deathwatch.battle.actions.turn import (
    ACT_DELAYED,
    BEGIN_BATTLE,
    DEFEND,
    DELAY,
    DODGE,
    END_TURN,
    PARRY,
)
from battletape.rulesets.deathwatch.battle.actions.weapons import AIM, BRACE, CLEAR_JAM, DROP, READY, RELOAD

ACTIONS = (
    *(BEGIN_BATTLE, AIM, BRACE, READY, DROP, RELOAD, CLEAR_JAM),
    *(SHOOT, BLAST, FLAME, SUPPRESS, WATCH, FIRE_ON_WATCH),
    *(STRIKE, CONTEST, GRAPPLE, DEFEND, DODGE, PARRY),
    *(MOVE, RUN, DISENGAGE, ADVANCE, LEAP, STAND, DROP_PRONE),
    *(TREAT, PUT_OUT, BREAK_FREE, USE_SKILL, FOCUS_POWER, DELAY, ACT_DELAYED),
    *(HORDE_SHOOTS, HORDE_STRIKES, END_TURN),
)
