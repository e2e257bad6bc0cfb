"""Deathwatch: d100 combat of characters and hordes, from one test to a battle."""

from __future__ import annotations

from battletape.rulesets.deathwatch.battle import BATTLE
from battletape.rulesets.deathwatch.profiles.book import book
from battletape.rulesets.deathwatch.questions import QUESTIONS
from battletape.rulesets.deathwatch.rules.qualities.keywords import KEYWORDS
from battletape.rulesets.deathwatch.rulings import PRESETS, Rulings
from battletape.rulesets.deathwatch.sheets import SHEETS
from battletape.rulesets.deathwatch.tables.printed import printed_tables
from battletape.system import Ruleset

RULESET = Ruleset(
    name="deathwatch",
    title="Deathwatch, d100 combat",
    summary="Degrees, hit locations, bursts, jams, Righteous Fury, critical tables, conditions and hordes",
    package=__name__,
    rulings=Rulings,
    questions=QUESTIONS,
    presets=PRESETS,
    tables=printed_tables,
    profiles=book,
    battle=BATTLE,
    keywords=KEYWORDS,
    sheets=SHEETS,
    defends=("dodge", "parry", "willpower", "agility", "toughness", "two", "second test", "b:"),
)
