"""The shapes of profiles: a weapon, a unit with its groups of identical models, a vehicle."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from battletape.cards import Inputs, asked
from battletape.rulebook import Meta

WeaponType: TypeAlias = Literal["pistol", "rapid_fire", "assault", "heavy", "ordnance", "melee", "grenade"]
Marker: TypeAlias = Literal["none", "template", "blast", "large_blast"]
UnitType: TypeAlias = Literal[
    "infantry",
    "jump_infantry",
    "bike",
    "jetbike",
    "beast",
    "cavalry",
    "monstrous_creature",
    "artillery",
    "walker",
]
VehicleType: TypeAlias = Literal["tank", "fast", "skimmer", "open_topped", "walker"]

Stat = Annotated[int, Meta(ge=0, le=10)]
Least1 = Annotated[int, Meta(ge=1, le=10)]
Save = Annotated[int, Meta(ge=2, le=6, extra={"form": "save", "clause": "DL-20.1"})]
Ap = Annotated[int, Meta(ge=1, le=6, title="AP")]
Leadership = Annotated[int, Meta(ge=1, le=10, title="Ld", extra={"clause": "DL-8.1"})]
Armour = Annotated[int, Meta(ge=10, le=14, extra={"clause": "DL-60.7"})]
UNLIMITED_RANGE = 240
"""The range, in inches, of a weapon that fires as far as anybody sees; it is the most that a range may be."""
Inches = Annotated[int, Meta(ge=0, le=UNLIMITED_RANGE, extra={"unit": "inches"})]
Size = Annotated[float, Meta(ge=0.25, le=60, extra={"unit": "inches"})]
Count = Annotated[int, Meta(ge=1, le=100)]
Army = Annotated[str, Meta(title="Army that it belongs to", extra={"clause": "DL-75.5"})]
Points = Annotated[int, Meta(ge=0, le=2000)]


class WeaponProfile(Inputs, frozen=True):
    """A weapon profile; a melee weapon without a strength strikes with its wielder's, an AP of none is AP-.

    A range of 240 inches is unlimited, and earns a heavy weapon no bonus.
    """

    name: str = ""
    type: WeaponType = "rapid_fire"
    strength: int | None = asked(None, short="S", ge=1, le=12)
    ap: Ap | None = asked(None, short="AP")
    range: Inches = asked(0, short="Range")
    shots: int = asked(1, short="Shots", ge=1, le=60)
    marker: Marker = "none"
    mode_of: str = ""
    rules: tuple[str, ...] = ()


class GroupProfile(Inputs, frozen=True):
    """Identical models of a unit that differ from its others; what is left out is as in the unit's own profile."""

    name: str = ""
    models: Count = 1
    ws: Stat | None = None
    bs: Stat | None = None
    strength: Least1 | None = None
    toughness: Least1 | None = None
    toughness_bonus: Stat | None = None
    wounds: Least1 | None = None
    initiative: Stat | None = None
    attacks: Stat | None = None
    ld: Leadership | None = None
    armour: Save | None = None
    invulnerable: Save | None = None
    weapons: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


class UnitProfile(Inputs, frozen=True):
    """A profile of a unit: `models` alike, each with all the `weapons`, and `groups` of models that differ.

    The printed T4(5) is a toughness of 4 with a bonus of 1. Weapons and rules of a unit are those of its groups too,
    unless a group names its own.
    """

    name: str = ""
    type: UnitType = "infantry"
    points: Points = 0
    models: Count = asked(5, short="Models")
    ws: Stat = 4
    bs: Stat = asked(4, short="BS")
    strength: Least1 = 4
    toughness: Least1 = asked(4, short="T")
    toughness_bonus: Stat = asked(0, "Bracketed toughness above it", "DL-6.1")
    wounds: Least1 = asked(1, short="W")
    initiative: Stat = 4
    attacks: Stat = 1
    ld: Leadership = asked(8, short="Ld")
    armour: Save | None = asked(None, short="Save")
    invulnerable: Save | None = asked(None, short="Inv")
    base: Size = asked(0.5, "Radius of a base")
    weapons: tuple[str, ...] = ()
    powers: tuple[str, ...] = ()
    guns: int = asked(0, "Guns of an artillery unit", ge=0, le=20)
    rules: tuple[str, ...] = ()
    army: Army = ""
    prefers: tuple[str, ...] = asked(
        (), "Preferred enemies", "DL-75.5", about=": armies or units (none named: everybody)"
    )
    groups: tuple[GroupProfile, ...] = ()


class VehicleProfile(Inputs, frozen=True):
    """A profile of a vehicle, a weapon named as often as it has it; a walker can fight in close combat as well."""

    name: str = ""
    points: Points = 0
    types: tuple[str, ...] = ()
    front: Armour = asked(10, short="Front")
    side: Armour = asked(10, short="Side")
    rear: Armour = asked(10, short="Rear")
    bs: Stat = asked(3, short="BS")
    ws: Stat | None = None
    strength: Least1 | None = None
    initiative: Stat | None = None
    attacks: Stat | None = None
    length: Size = 4.0
    width: Size = 3.0
    capacity: int = asked(0, ge=0, le=60)
    fire_points: int = asked(0, "Passengers who may fire", about="(all if open-topped)", ge=0, le=60)
    weapons: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    army: Army = ""


KINDS = (("weapon", WeaponProfile), ("unit", UnitProfile), ("vehicle", VehicleProfile))
