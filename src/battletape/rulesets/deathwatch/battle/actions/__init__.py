"""The actions of a battle, in the order in which a player sees them."""

from __future__ import annotations

from battletape.rulesets.deathwatch.battle.actions import by_hand, care, horde, move, shoot, strike, turn, weapons

ACTIONS = (
    *(turn.BEGIN_BATTLE, weapons.AIM, weapons.BRACE, weapons.READY, weapons.DROP, weapons.RELOAD, weapons.CLEAR_JAM),
    *(shoot.SHOOT, shoot.BLAST, shoot.FLAME, shoot.SUPPRESS, shoot.WATCH, shoot.FIRE_ON_WATCH),
    *(strike.STRIKE, strike.CONTEST, strike.GRAPPLE, turn.DEFEND, turn.DODGE, turn.PARRY),
    *(move.MOVE, move.RUN, move.DISENGAGE, move.ADVANCE, move.LEAP, move.STAND, move.DROP_PRONE),
    *(care.TREAT, care.PUT_OUT, care.BREAK_FREE, care.USE_SKILL, shoot.FOCUS_POWER, turn.DELAY, turn.ACT_DELAYED),
    *(horde.HORDE_SHOOTS, horde.HORDE_STRIKES, turn.END_TURN),
    *by_hand.BY_HAND,
)
