"""Diceless 40k: every roll replaced by damage points, tables, order points and tokens."""

from __future__ import annotations

from battletape.cards import Ruleset, Tile
from battletape.rulebook import cites
from battletape.rulesets.diceless40k.battle import BATTLE
from battletape.rulesets.diceless40k.profiles.book import book
from battletape.rulesets.diceless40k.questions import QUESTIONS
from battletape.rulesets.diceless40k.questions.rending import RENDING
from battletape.rulesets.diceless40k.rules.keywords import KEYWORDS
from battletape.rulesets.diceless40k.rulings import EARLIER, PRESETS, Rulings
from battletape.rulesets.diceless40k.sheets import SHEETS
from battletape.rulesets.diceless40k.tables.printed import printed_tables

RULESET = Ruleset(
    name="diceless40k",
    title="Diceless 40k",
    summary="Damage points, tables, order points and tokens instead of dice; rules by Dav0r",
    package=__name__,
    rulings=Rulings,
    questions=QUESTIONS,
    presets=PRESETS,
    earlier=EARLIER,
    tables=printed_tables,
    profiles=book,
    battle=BATTLE,
    keywords=KEYWORDS,
    sheets=SHEETS,
    tile=Tile(
        players="5th-edition battles without a roll: damage points, order points, tokens; rules by Dav0r",
        dice=("none",),
        dice_words="no dice, three kinds of token",
        questions=("shoot", "shoot_vehicle", "army_tokens"),
        drawing="tile.svg",
    ),
    groups={
        "Shooting": ("shoot", "blast", "shoot_artillery", "casualties", "save_table", RENDING.name),
        "Vehicles": ("shoot_vehicle", "assault_vehicle", "vehicle_hits", "vehicle_end", "ram", "drive", "repair"),
        "Close combat and morale": ("fight", "lost_assault", "leadership", "regroup"),
        "Moving and arriving": ("move", "reserves", "arrival"),
        "Tokens and powers": ("army_tokens", "tokens", "psychic_test"),
        "Choose for me": ("focus", "assault_or_stay"),
    },
    synonyms={
        "wounds": "HP",
        "hit points": "HP",
        "morale": "leadership",
        "ld": "leadership",
        "tank": "vehicle",
        "melee": "close combat",
        "charge": "assault",
        "flee": "fall back",
        "rally": "regroup",
        "overheat": "gets hot",
        "plasma": "gets hot",
        "perils": "warp",
        "psyker": "psychic power",
        "drop pod": "deep strike",
        "flank march": "outflanking",
        "hull down": "vehicle in cover",
        "obscured": "vehicle in cover",
        "invulnerable": "invulnerable save",
    },
)

cites("DL-0.1", "DL-0.2", "DL-0.4", where=f"{__name__}.RULESET")
