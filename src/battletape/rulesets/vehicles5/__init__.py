"""Vehicles of the 5th edition: driving, shooting, ramming and what is left of them."""

from __future__ import annotations

from battletape.rulesets.vehicles5 import ask_contact, ask_tanks
from battletape.rulesets.vehicles5.ask_damage import DAMAGE_ROLLS
from battletape.rulesets.vehicles5.ask_line_of_fire import LINE_OF_FIRE
from battletape.rulesets.vehicles5.ask_pinning import PINNING
from battletape.rulesets.vehicles5.ask_shooting import KILL_TIME, SHOOT
from battletape.rulesets.vehicles5.ask_state import WHAT_MAY_IT_DO
from battletape.rulesets.vehicles5.ask_terrain import DANGEROUS_TERRAIN
from battletape.rulesets.vehicles5.ask_transport import TRANSPORT
from battletape.rulesets.vehicles5.keywords import ALSO_OTHER_WORDS, KEYWORDS
from battletape.rulesets.vehicles5.profiles import book
from battletape.rulesets.vehicles5.rulings import PRESETS, Rulings
from battletape.rulesets.vehicles5.turn import BATTLE
from battletape.rulesets.vehicles5.words_tables import printed_tables
from battletape.system import Ruleset

RULESET = Ruleset(
    name="vehicles5",
    title="Vehicles, 5th edition",
    summary="Armour and penetration, the damage table, transports, tank shock, ramming and walkers",
    package=__name__,
    rulings=Rulings,
    questions=(
        SHOOT,
        KILL_TIME,
        *ask_contact.QUESTIONS,
        *ask_tanks.QUESTIONS,
        DANGEROUS_TERRAIN,
        WHAT_MAY_IT_DO,
        DAMAGE_ROLLS,
        LINE_OF_FIRE,
        TRANSPORT,
        PINNING,
    ),
    presets=PRESETS,
    tables=printed_tables,
    profiles=book,
    battle=BATTLE,
    keywords=tuple(keyword for keyword in KEYWORDS if keyword.name not in ALSO_OTHER_WORDS),
)
