"""Vehicles of the 5th edition: driving, shooting, ramming and what is left of them."""

from __future__ import annotations

from battletape.cards import BattleRules, Ruleset, Tile
from battletape.rulesets.vehicles5.profiles.book import book
from battletape.rulesets.vehicles5.questions import QUESTIONS
from battletape.rulesets.vehicles5.rules.keywords import AMBIGUOUS_NAMES, KEYWORDS
from battletape.rulesets.vehicles5.rulings import EARLIER, PRESETS, Rulings
from battletape.rulesets.vehicles5.sheets import SHEETS
from battletape.rulesets.vehicles5.tables.worked_out import printed_tables


def battle_rules() -> BattleRules:
    """Return how a battle goes; its rooms are read when one is played, not for a question."""
    from battletape.rulesets.vehicles5.battle import BATTLE

    return BATTLE


RULESET = Ruleset(
    name="vehicles5",
    title="Vehicles, 5th edition",
    summary="Armour and penetration, the damage table, transports, tank shock, ramming and walkers",
    package=__name__,
    rulings=Rulings,
    questions=QUESTIONS,
    presets=PRESETS,
    earlier=EARLIER,
    tables=printed_tables,
    profiles=book,
    battle=battle_rules,
    keywords=tuple(keyword for keyword in KEYWORDS if keyword.name not in AMBIGUOUS_NAMES),
    sheets=SHEETS,
    tile=Tile(
        players="Tanks, transports and walkers of the battles of 2008 to 2012",
        dice=("d6:5",),
        dice_words="D6",
        questions=("shoot", "kill_time", "ram"),
        drawing="tile.svg",
    ),
    groups={
        "Shooting": ("shoot", "kill_time", "ordnance", "damage", "line_of_fire"),
        "Close in": ("assault", "walker_fight", "tank_shock", "ram", "explosion"),
        "Moving and carrying": ("what_may_it_do", "dangerous_terrain", "transport", "pinning"),
    },
    synonyms={
        "tank": "vehicle",
        "hull down": "vehicle in cover",
        "obscured": "vehicle in cover",
        "flank": "side",
        "side armour": "which side is hit",
        "facing": "which side is hit",
        "rear armour": "which side is hit",
        "front armour": "which side is hit",
        "arc of fire": "sight of each weapon",
        "dismount": "getting out",
        "disembark": "getting out",
        "embark": "boarding",
        "bail out": "emergency exit",
        "overrun": "tank shock",
        "run over": "tank shock",
        "glancing": "glance",
        "penetrating": "penetration",
        "blown up": "explodes",
        "blows up": "explodes",
        "smoke launchers": "smoke",
        "dreadnought": "walker",
        "gunship": "skimmer",
        "hover": "skimmer",
    },
)
