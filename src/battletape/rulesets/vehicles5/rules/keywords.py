"""Special rules of weapons and units, each in one place: a row of `KEYWORDS` with its clauses and what it does."""

from __future__ import annotations

from collections.abc import Sequence

from battletape.rulebook import (
    Keyword,
    Procedure,
    clause,
    find_keywords,
    keywords_in_words,
    replace,
    with_keywords,
    without_luck,
)
from battletape.rulesets.vehicles5.rules.shooting import Shot, ShotDraft, TargetArmour, note_armour
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.table.facings import Facing

BARRAGE = "barrage"
DREADNOUGHT_WEAPON = "dreadnought_weapon"
FEARLESS = "fearless"
ONE_SHOT = "one_shot"
ORDNANCE = "ordnance"
TANK_HUNTERS = "tank_hunters"
TEMPLATE = "template"


@clause("V5-ORD-2", "V5-PEN-2")
def _ordnance(draft: ShotDraft) -> ShotDraft:
    return replace(draft, dice="higher_of_two")


@clause("V5-CORE-11")
def _melta(draft: ShotDraft) -> ShotDraft:
    return replace(draft, dice="2d6") if draft.half_range else draft


@clause("V5-CORE-12")
def _rending(draft: ShotDraft) -> ShotDraft:
    return replace(draft, dice="six_adds_d3")


@clause("V5-CORE-15")
def _sniper(draft: ShotDraft) -> ShotDraft:
    return replace(draft, strength=3, dice="six_adds_d3")


@clause("V5-CORE-13")
def _lance(draft: ShotDraft) -> ShotDraft:
    return replace(draft, av=min(draft.av, 12))


@clause("V5-CORE-14")
def _tank_hunters(draft: ShotDraft) -> ShotDraft:
    return replace(draft, bonus=draft.bonus + 1)


@clause("V5-SHOT-6", "V5-CORE-4")
def _template(draft: ShotDraft) -> ShotDraft:
    return replace(draft, hits_on=0, cover=0, template=True)


@clause("V5-CORE-2")
def _twin_linked(draft: ShotDraft) -> ShotDraft:
    return replace(draft, rerolls=True)


KEYWORDS = (
    Keyword(ORDNANCE, ("V5-ORD-2",), before={note_armour: _ordnance}),
    Keyword("melta", ("V5-CORE-11",), before={note_armour: _melta}),
    Keyword("rending", ("V5-CORE-12",), before={note_armour: _rending}),
    Keyword("sniper", ("V5-CORE-15",), before={note_armour: _sniper}),
    Keyword("lance", ("V5-CORE-13",), before={note_armour: _lance}),
    Keyword(TANK_HUNTERS, ("V5-CORE-14",), before={note_armour: _tank_hunters}),
    Keyword(TEMPLATE, ("V5-SHOT-6",), before={note_armour: _template}),
    Keyword("twin_linked", ("V5-CORE-2",), before={note_armour: _twin_linked}),
    # other rules ask for these: how a weapon is fired and whether again, what a walker strikes with, morale tests
    Keyword(BARRAGE, ("V5-ORD-4",)),
    Keyword(ONE_SHOT, ("V5-DMG-3",)),
    Keyword(DREADNOUGHT_WEAPON, ("V5-WALK-16",)),
    Keyword(FEARLESS, ("V5-CORE-5",)),
    # no rule asks for this one: it goes through armour saves, and vehicles have none
    Keyword("power_weapon", ("V5-CORE-8",)),
)
OF_WEAPONS = tuple(keyword for keyword in KEYWORDS if keyword.name not in (ORDNANCE, FEARLESS))
WEAPON_RULES = keywords_in_words(sorted(OF_WEAPONS, key=lambda keyword: keyword.name))
"""What a weapon's profile may name; ordnance follows from its type."""
UNIT_RULES = (FEARLESS, TANK_HUNTERS)
AMBIGUOUS_NAMES = (ORDNANCE, BARRAGE)
"""These are also a weapon type and a way to fire."""
READY = Procedure("ready", (note_armour,))


def shot_with_rules(draft: ShotDraft, names: Sequence[str] = (), rulings: Rulings = DEFAULT) -> Shot:
    """Return a shot to which the special rules of these names have been applied."""
    shot: Shot = without_luck(with_keywords(READY, find_keywords(names, KEYWORDS)), replace(draft, rulings=rulings))
    return shot


@clause("V5-SHOT-4", "V5-SHOT-5", "V5-SHOT-10")
def shot_at(draft: ShotDraft, armour: TargetArmour, facing: Facing, names: Sequence[str], rulings: Rulings) -> Shot:
    """Return a shot at one facing of a vehicle."""
    draft = replace(draft, av=armour.armour(facing), cover=armour.cover, open_topped=armour.open_topped)
    return shot_with_rules(draft, names, rulings)


@clause("V5-SHOT-6")
def max_hits(names: Sequence[str], shots: int) -> int:
    """Return how often a weapon may hit a vehicle: a template once, any other with every shot."""
    return 1 if TEMPLATE in names else shots
