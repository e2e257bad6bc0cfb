"""The questions that a player can ask."""

from __future__ import annotations

from battletape.rulesets.diceless40k.questions.army_tokens import ARMY_TOKENS
from battletape.rulesets.diceless40k.questions.arrival import ARRIVAL
from battletape.rulesets.diceless40k.questions.assault_or_stay import ASSAULT_OR_STAY
from battletape.rulesets.diceless40k.questions.assault_vehicle import ASSAULT_VEHICLE
from battletape.rulesets.diceless40k.questions.blast import BLAST
from battletape.rulesets.diceless40k.questions.casualties import CASUALTIES
from battletape.rulesets.diceless40k.questions.drive import DRIVE
from battletape.rulesets.diceless40k.questions.fight import FIGHT
from battletape.rulesets.diceless40k.questions.focus import FOCUS
from battletape.rulesets.diceless40k.questions.leadership import LEADERSHIP
from battletape.rulesets.diceless40k.questions.lost_assault import LOST_ASSAULT
from battletape.rulesets.diceless40k.questions.move import MOVE
from battletape.rulesets.diceless40k.questions.psychic_test import PSYCHIC_TEST
from battletape.rulesets.diceless40k.questions.ram import RAM
from battletape.rulesets.diceless40k.questions.regroup import REGROUP
from battletape.rulesets.diceless40k.questions.rending import RENDING
from battletape.rulesets.diceless40k.questions.repair import REPAIR
from battletape.rulesets.diceless40k.questions.reserves import RESERVES
from battletape.rulesets.diceless40k.questions.save_table import SAVE_TABLE
from battletape.rulesets.diceless40k.questions.shoot import SHOOT
from battletape.rulesets.diceless40k.questions.shoot_artillery import SHOOT_ARTILLERY
from battletape.rulesets.diceless40k.questions.shoot_vehicle import SHOOT_VEHICLE
from battletape.rulesets.diceless40k.questions.tokens import TOKENS
from battletape.rulesets.diceless40k.questions.vehicle_end import VEHICLE_END
from battletape.rulesets.diceless40k.questions.vehicle_hits import VEHICLE_HITS

QUESTIONS = (
    SHOOT,
    FIGHT,
    SAVE_TABLE,
    CASUALTIES,
    BLAST,
    RENDING,
    SHOOT_VEHICLE,
    ASSAULT_VEHICLE,
    VEHICLE_HITS,
    VEHICLE_END,
    RAM,
    DRIVE,
    REPAIR,
    SHOOT_ARTILLERY,
    LEADERSHIP,
    LOST_ASSAULT,
    REGROUP,
    PSYCHIC_TEST,
    MOVE,
    RESERVES,
    ARRIVAL,
    ARMY_TOKENS,
    TOKENS,
    FOCUS,
    ASSAULT_OR_STAY,
)
