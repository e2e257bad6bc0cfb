"""Attack dice: Power against Defence on a D10 chart or formula, Armour and AEGIS Saves."""

from __future__ import annotations

from battletape.cards import BattleRules, LiveExample, Ruleset, Tile
from battletape.rulebook import cites
from battletape.rulesets.attack_dice.profiles.book import book
from battletape.rulesets.attack_dice.questions import QUESTIONS
from battletape.rulesets.attack_dice.rules.keywords import KEYWORDS
from battletape.rulesets.attack_dice.rulings import Rulings
from battletape.rulesets.attack_dice.sheets import SHEETS
from battletape.rulesets.attack_dice.tables.printed import printed_tables


def battle_rules() -> BattleRules:
    """Return how a battle goes; its rooms are read when one is played, not for a question."""
    from battletape.rulesets.attack_dice.battle import BATTLE

    return BATTLE


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
    battle=battle_rules,
    keywords=KEYWORDS,
    sheets=SHEETS,
    tile=Tile(
        players="Armies of your own: Power against Defence, then Armour and AEGIS",
        dice=("d10:7", "d6:5"),
        dice_words="D10, or D6",
        questions=("attack", "volley", "chart"),
        drawing="tile.svg",
        live=LiveExample(
            question="attack",
            given={"weapon": "Storm carbine", "attacks": 12, "unit": "Hill raiders"},
            turn="attacks",
            label="Attack dice",
            title="{turn} dice at {figures} models",
            figures="models",
            fallen="casualties",
            die="d10",
            about="Storm carbines (Power 6) at Hill raiders: Defence 4, armour 5+, 2 HP each.",
        ),
    ),
    groups={
        "Attacks": ("attack", "volley"),
        "Look it up": ("chart",),
    },
    synonyms={
        "wounds": "HP",
        "hit points": "HP",
        "lives": "HP",
        "shots": "attacks",
        "strength": "power",
        "toughness": "defence",
        "invulnerable": "AEGIS",
        "ward save": "AEGIS",
        "shield": "AEGIS",
        "to hit": "needs",
        "range": "distance",
        "armor piercing": "AP",
    },
)

cites("AD-1", where=f"{__name__}.RULESET")
