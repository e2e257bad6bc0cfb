"""Vehicles of the 5th edition: driving, shooting, ramming and what is left of them."""

from __future__ import annotations

from battletape.rulesets.vehicles5.battle import BATTLE
from battletape.rulesets.vehicles5.profiles.book import book
from battletape.rulesets.vehicles5.questions import QUESTIONS
from battletape.rulesets.vehicles5.rules.shooting import ALSO_OTHER_WORDS, KEYWORDS
from battletape.rulesets.vehicles5.rulings import PRESETS, Rulings
from battletape.rulesets.vehicles5.sheets import SHEETS
from battletape.rulesets.vehicles5.tables.worked_out import printed_tables
from battletape.system import Ruleset

RULESET = Ruleset(
    name="vehicles5",
    title="Vehicles, 5th edition",
    summary="Armour and penetration, the damage table, transports, tank shock, ramming and walkers",
    package=__name__,
    rulings=Rulings,
    questions=QUESTIONS,
    presets=PRESETS,
    tables=printed_tables,
    profiles=book,
    battle=BATTLE,
    keywords=tuple(keyword for keyword in KEYWORDS if keyword.name not in ALSO_OTHER_WORDS),
    sheets=SHEETS,
    defends=("save", "morale", "pinning", "dodge", "escape", "walker:"),
)
