"""Deathwatch: d100 combat of characters and hordes, from one test to a battle."""

from __future__ import annotations

from battletape.rulesets.deathwatch import ask_conditions, ask_horde, ask_tests
from battletape.rulesets.deathwatch.ask_duel import DUEL
from battletape.rulesets.deathwatch.ask_fighting import FIGHT
from battletape.rulesets.deathwatch.ask_fire_mode import FIRE_MODE
from battletape.rulesets.deathwatch.ask_hit import HIT
from battletape.rulesets.deathwatch.ask_movement import MOVE
from battletape.rulesets.deathwatch.ask_shooting import SHOOT
from battletape.rulesets.deathwatch.ask_suppress import SUPPRESS
from battletape.rulesets.deathwatch.keywords import KEYWORDS
from battletape.rulesets.deathwatch.profiles import book
from battletape.rulesets.deathwatch.rulings import PRESETS, Rulings
from battletape.rulesets.deathwatch.turn import BATTLE
from battletape.rulesets.deathwatch.words_tables import printed_tables
from battletape.system import Ruleset

RULESET = Ruleset(
    name="deathwatch",
    title="Deathwatch, d100 combat",
    summary="Degrees, hit locations, bursts, jams, Righteous Fury, critical tables, conditions and hordes",
    package=__name__,
    rulings=Rulings,
    questions=(
        *ask_tests.QUESTIONS,
        SHOOT,
        FIGHT,
        HIT,
        *ask_horde.QUESTIONS,
        SUPPRESS,
        ask_conditions.BURNING,
        ask_conditions.BLEEDING,
        FIRE_MODE,
        DUEL,
        MOVE,
    ),
    presets=PRESETS,
    tables=printed_tables,
    profiles=book,
    battle=BATTLE,
    keywords=KEYWORDS,
)
