"""Second edition: the weapon rules of 1993, from To Hit modifiers to force weapons."""

from __future__ import annotations

from battletape.rulesets.second_edition.battle import BATTLE
from battletape.rulesets.second_edition.profiles.book import book
from battletape.rulesets.second_edition.questions import QUESTIONS
from battletape.rulesets.second_edition.rulings import PRESETS, Rulings
from battletape.rulesets.second_edition.sheets import SHEETS
from battletape.rulesets.second_edition.tables.printed import printed_tables
from battletape.system import Ruleset

RULESET = Ruleset(
    name="second_edition",
    title="Second edition",
    summary="Weapon rules of 1993: To Hit, wounds and saves, scatter, templates, fire, sustained fire, force weapons",
    package=__name__,
    rulings=Rulings,
    questions=QUESTIONS,
    presets=PRESETS,
    tables=printed_tables,
    profiles=book,
    battle=BATTLE,
    sheets=SHEETS,
    defends=("save", "flames", "fire test"),
)
