"""What a player may do in a battle; a refused action names the clause and what would do."""

from __future__ import annotations

from battletape.rulesets.second_edition.battle.actions.blasts import BLAST_ACTION, GRENADE, GROUND_ACTION
from battletape.rulesets.second_edition.battle.actions.burst import BURST_ACTION
from battletape.rulesets.second_edition.battle.actions.game import END_PHASE, END_TURN, REMOVE
from battletape.rulesets.second_edition.battle.actions.jams import CLEAR_JAM, HOLD_FIRE
from battletape.rulesets.second_edition.battle.actions.move import BEAT_OUT, MOVE, MOVE_UNIT
from battletape.rulesets.second_edition.battle.actions.place import PLACE
from battletape.rulesets.second_edition.battle.actions.shoot import SHOOT, VOLLEY
from battletape.rulesets.second_edition.battle.actions.start_of_turn import FIRE_TEST, MARKER_HARM, TEST_MARKER
from battletape.rulesets.second_edition.battle.actions.strike import STRIKE
from battletape.rulesets.second_edition.battle.actions.template import TEMPLATE_ACTION

ACTIONS = (
    *(PLACE, TEST_MARKER, MARKER_HARM, FIRE_TEST),
    *(MOVE, MOVE_UNIT, BEAT_OUT),
    *(SHOOT, VOLLEY, BURST_ACTION, BLAST_ACTION, GRENADE, GROUND_ACTION, TEMPLATE_ACTION, CLEAR_JAM, HOLD_FIRE),
    STRIKE,
    *(END_PHASE, END_TURN, REMOVE),
)
