"""Attack dice: Power against Defence on a D10 chart or formula, Armour and AEGIS Saves."""

from __future__ import annotations

from battletape.clauses import cites
from battletape.rulesets.attack_dice.battle import BATTLE
from battletape.rulesets.attack_dice.profiles.book import book
from battletape.rulesets.attack_dice.questions import QUESTIONS
from battletape.rulesets.attack_dice.rules.keywords import KEYWORDS
from battletape.rulesets.attack_dice.rulings import Rulings
from battletape.rulesets.attack_dice.sheets import SHEETS
from battletape.rulesets.attack_dice.tables.printed import printed_tables
from battletape.system import Ruleset

RULESET = Ruleset(
    name="attack_dice",
    title="Attack dice",
    summary="Power against Defence on a chart or by a formula, then Armour and AEGIS Saves",
    package=__name__,
    rulings=Rulings,
    questions=QUESTIONS,
    presets={"sheet": {}, "d10": {"dice": "d10"}, "dual": {"dice": "dual"}, "d6": {"dice": "d6"}},
    tables=printed_tables,
    profiles=book,
    battle=BATTLE,
    keywords=KEYWORDS,
    sheets=SHEETS,
    defends=("save",),
)

cites("AD-1", where=f"{__name__}.RULESET")
