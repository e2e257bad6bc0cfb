"""The words that every other chapter uses, and the flags of a vehicle."""

from __future__ import annotations

from typing import Literal, TypeAlias

from battletape.rulebook import State

Band: TypeAlias = Literal["stationary", "combat", "cruising", "flat_out"]  # how fast a vehicle moved
Hit: TypeAlias = Literal["none", "glance", "penetrate"]
DamageRow: TypeAlias = Literal["none", "shaken", "stunned", "weapon_destroyed", "immobilised", "wrecked", "exploded"]
Status: TypeAlias = Literal["ok", "wrecked", "exploded"]
Ap: TypeAlias = Literal[1, 2, 3, 4, 5, 6, "-"]
"""Armour piercing; None has no AP at all: blows, grenades and rams."""
PenDice: TypeAlias = Literal["d6", "higher_of_two", "2d6", "six_adds_d3"]
Phase: TypeAlias = Literal["movement", "shooting", "assault"]
Relation: TypeAlias = Literal["starting", "into", "through", "over", "landing"]
Ground: TypeAlias = Literal["difficult", "dangerous", "impassable"]
Declared: TypeAlias = Literal["normal", "tank_shock", "ram"]

BANDS: tuple[Band, ...] = ("stationary", "combat", "cruising", "flat_out")
PHASES: tuple[Phase, ...] = ("movement", "shooting", "assault")


class Traits(State, frozen=True):
    """What kind of vehicle it is; several may be true at once, and an ordinary vehicle has none."""

    fast: bool = False
    tank: bool = False
    skimmer: bool = False
    walker: bool = False
    open_topped: bool = False
