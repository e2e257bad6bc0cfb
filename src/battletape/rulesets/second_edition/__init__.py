"""Second edition: the weapon rules of 1993, from To Hit modifiers to force weapons."""

from __future__ import annotations

from battletape.cards import BattleRules, Ruleset, Tile
from battletape.rulesets.second_edition.profiles.book import book
from battletape.rulesets.second_edition.questions import QUESTIONS
from battletape.rulesets.second_edition.rules.keywords import KEYWORDS
from battletape.rulesets.second_edition.rulings import PRESETS, Rulings
from battletape.rulesets.second_edition.sheets import SHEETS
from battletape.rulesets.second_edition.tables.printed import printed_tables


def battle_rules() -> BattleRules:
    """Return how a battle goes; its rooms are read when one is played, not for a question."""
    from battletape.rulesets.second_edition.battle import BATTLE

    return BATTLE


RULESET = Ruleset(
    name="second_edition",
    title="2nd-edition weapons",
    summary="Weapon rules of 1993: To Hit, wounds and saves, scatter, templates, fire, sustained fire, force weapons",
    package=__name__,
    rulings=Rulings,
    questions=QUESTIONS,
    presets=PRESETS,
    tables=printed_tables,
    profiles=book,
    battle=battle_rules,
    keywords=KEYWORDS,
    sheets=SHEETS,
    tile=Tile(
        players="The box of 1993 and its gang fights: blasts, scatter, jams, clouds, flames",
        dice=("d6:4", "scatter", "die:8", "die:J"),
        dice_words="D6, scatter, artillery, sustained fire",
        questions=("blast", "sustained", "template"),
        drawing="tile.svg",
    ),
    groups={
        "Shooting": ("shoot", "sustained"),
        "Blasts and scatter": ("blast", "scatter", "grenade", "ground"),
        "Templates and fire": ("template", "burning"),
        "Clouds and plasma": ("cloud", "plasma"),
        "Close combat": ("force_weapon",),
    },
    synonyms={
        "flamer": "template",
        "flames": "burning",
        "grenades": "grenade",
        "misfire": "dud",
        "machine gun": "sustained fire",
        "jammed": "jam",
        "smoke": "cloud",
        "gas": "cloud",
        "drift": "scatter",
        "deviate": "scatter",
        "explosion": "blast",
        "obscured": "behind cover",
        "wound": "to wound",
        "psyker": "force weapon",
    },
)
