"""What a player can ask: a file for each question."""

from __future__ import annotations

from battletape.rulesets.vehicles5.questions.assault import ASSAULT
from battletape.rulesets.vehicles5.questions.damage import DAMAGE_ROLLS
from battletape.rulesets.vehicles5.questions.dangerous_terrain import DANGEROUS_TERRAIN
from battletape.rulesets.vehicles5.questions.explosion import EXPLOSION
from battletape.rulesets.vehicles5.questions.kill_time import KILL_TIME
from battletape.rulesets.vehicles5.questions.line_of_fire import LINE_OF_FIRE
from battletape.rulesets.vehicles5.questions.ordnance import ORDNANCE
from battletape.rulesets.vehicles5.questions.pinning import PINNING
from battletape.rulesets.vehicles5.questions.ram import RAM
from battletape.rulesets.vehicles5.questions.shoot import SHOOT
from battletape.rulesets.vehicles5.questions.tank_shock import TANK_SHOCK
from battletape.rulesets.vehicles5.questions.transport import TRANSPORT
from battletape.rulesets.vehicles5.questions.walker_fight import WALKER_FIGHT
from battletape.rulesets.vehicles5.questions.what_may_it_do import WHAT_MAY_IT_DO

QUESTIONS = (
    SHOOT,
    KILL_TIME,
    ASSAULT,
    EXPLOSION,
    WALKER_FIGHT,
    ORDNANCE,
    TANK_SHOCK,
    RAM,
    DANGEROUS_TERRAIN,
    WHAT_MAY_IT_DO,
    DAMAGE_ROLLS,
    LINE_OF_FIRE,
    TRANSPORT,
    PINNING,
)
