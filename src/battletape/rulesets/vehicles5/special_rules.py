"""The names of the special rules, each written here and nowhere else."""

from __future__ import annotations

BARRAGE = "barrage"
DREADNOUGHT_WEAPON = "dreadnought_weapon"
FEARLESS = "fearless"
LANCE = "lance"
MELTA = "melta"
ONE_SHOT = "one_shot"
ORDNANCE = "ordnance"
POWER_WEAPON = "power_weapon"
RENDING = "rending"
SNIPER = "sniper"
TANK_HUNTERS = "tank_hunters"
TEMPLATE = "template"
TWIN_LINKED = "twin_linked"

WEAPON_RULES = (
    BARRAGE,
    DREADNOUGHT_WEAPON,
    LANCE,
    MELTA,
    ONE_SHOT,
    POWER_WEAPON,
    RENDING,
    SNIPER,
    TANK_HUNTERS,
    TEMPLATE,
    TWIN_LINKED,
)
"""What a weapon's profile may name; ordnance follows from its type."""
UNIT_RULES = (FEARLESS, TANK_HUNTERS)
