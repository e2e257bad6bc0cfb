"""Deathwatch: d100 combat of characters and hordes, from one test to a battle."""

from __future__ import annotations

from battletape.cards import BattleRules, Ruleset, Tile
from battletape.rulesets.deathwatch.profiles.book import book
from battletape.rulesets.deathwatch.questions import QUESTIONS
from battletape.rulesets.deathwatch.rules.keywords import LISTED
from battletape.rulesets.deathwatch.rulings import PRESETS, Rulings
from battletape.rulesets.deathwatch.sheets import SHEETS
from battletape.rulesets.deathwatch.tables.printed import printed_tables


def battle_rules() -> BattleRules:
    """Return how a battle goes; its rooms are read when one is played, not for a question."""
    from battletape.rulesets.deathwatch.battle import BATTLE

    return BATTLE


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
    battle=battle_rules,
    keywords=LISTED,
    sheets=SHEETS,
    tile=Tile(
        players="The role-playing game of one kill-team against the rest: bursts, places, hordes",
        dice=("d10:4", "d10:7"),
        dice_words="d100, read as 47",
        questions=("shoot", "horde", "fire_mode"),
        drawing="tile.svg",
    ),
    groups={
        "Shooting": ("shoot", "fire_mode", "suppress"),
        "Melee": ("fight", "duel"),
        "Hordes": ("horde", "horde_attacks"),
        "Wounds": ("hit", "burning", "bleeding"),
        "Tests and moves": ("test", "opposed", "movement"),
    },
    synonyms={
        "headshot": "called shot",
        "full auto": "full auto burst",
        "rapid fire": "full auto burst",
        "critical": "critical damage",
        "crit": "critical damage",
        "explode": "righteous fury",
        "exploding dice": "righteous fury",
        "covering fire": "suppressing fire",
        "pinned": "pinning",
        "overwatch": "overwatch",
        "grenade": "blast",
        "flamer": "flame",
        "on fire": "burning",
        "bleed": "blood loss",
        "bleeding": "blood loss",
        "mob": "horde",
        "to hit": "attack test",
        "hp": "wounds",
        "hit points": "wounds",
        "melee": "close combat",
        "obscured": "cover",
        "hiding": "cover",
        "hit location": "location",
    },
)
