"""Attack dice: Power against Defence on a D10 chart or formula, Armour and AEGIS Saves."""

from __future__ import annotations

from battletape.clauses import cites
from battletape.rulesets.attack_dice import words
from battletape.rulesets.attack_dice.keywords import KEYWORDS
from battletape.rulesets.attack_dice.profiles import book
from battletape.rulesets.attack_dice.questions import ATTACK, CHART, VOLLEY
from battletape.rulesets.attack_dice.rulings import Rulings
from battletape.rulesets.attack_dice.turn import BATTLE
from battletape.system import Ruleset

RULESET = Ruleset(
    name="attack_dice",
    title="Attack dice",
    summary="Power against Defence on a chart or by a formula, then Armour and AEGIS Saves",
    package=__name__,
    rulings=Rulings,
    questions=(ATTACK, VOLLEY, CHART),
    presets={"sheet": {}, "d10": {"dice": "d10"}, "dual": {"dice": "dual"}, "d6": {"dice": "d6"}},
    tables=words.printed_tables,
    profiles=book,
    battle=BATTLE,
    keywords=KEYWORDS,
)

cites("AD-1", where=f"{__name__}.RULESET")
