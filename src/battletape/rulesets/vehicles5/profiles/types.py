"""The types of profiles: a weapon, a vehicle with its mounts, a unit of troops."""

from __future__ import annotations

from typing import Annotated, Literal

from battletape.cards import Inputs, asked
from battletape.rulebook import Meta
from battletape.rulesets.vehicles5.rules.traits import Ap

Stat = Annotated[int, Meta(ge=1, le=10, extra={"clause": "V5-CORE-23"})]
Armour = Annotated[int, Meta(ge=10, le=14, extra={"clause": "V5-PEN-3"})]
Degrees = Annotated[int, Meta(ge=-180, le=180)]
Size = Annotated[float, Meta(ge=0.25, le=60, extra={"unit": "inches"})]
Offset = Annotated[float, Meta(ge=-30, le=30, extra={"unit": "inches"})]
Inches = Annotated[int, Meta(ge=0, le=240, extra={"unit": "inches"})]
Distance = Annotated[float, Meta(ge=0, le=240, extra={"unit": "inches"})]
Count = Annotated[int, Meta(ge=1, le=100)]
Seats = Annotated[int, Meta(ge=0, le=60)]
Many = Annotated[int, Meta(ge=0, le=100)]
Mount = Literal["turret", "hull", "sponson", "pintle", "arm"]
Stand = Literal["turret", "hull"]
ArmourSave = Annotated[int, Meta(ge=2, le=6, extra={"form": "save", "clause": "V5-CORE-8"})]


class WeaponProfile(Inputs, frozen=True):
    """A weapon profile."""

    name: str = ""
    type: Literal["assault", "heavy", "rapid_fire", "pistol", "ordnance", "grenade", "melee"] = "heavy"
    strength: Stat | None = asked(None, short="S")
    times: int = asked(1, "Times the striker's strength", ge=1, le=2)
    ap: Ap | None = asked(None, "AP", short="AP")
    range: Inches = asked(0, short="Range")
    least: Inches = asked(0, "Minimum range")
    shots: int = asked(1, short="Shots", ge=1, le=60)
    blast: Literal["small", "large"] | None = None
    mode_of: str = ""
    rules: tuple[str, ...] = ()


class Door(Inputs, frozen=True):
    """An access point, in inches to the right and ahead of the hull's middle."""

    x: Offset = 0.0
    y: Offset = 0.0


class Fitting(Inputs, frozen=True):
    """A weapon on a vehicle: where it is (right, ahead, up) and how it can point."""

    weapon: str = ""
    label: str = ""
    mount: Mount = "turret"
    on: Stand | None = None
    direction: Degrees = 0
    arc: tuple[Degrees, ...] = ()
    x: Offset = 0.0
    y: Offset = 0.0
    z: float = asked(0.0, ge=0, le=60)


class VehicleProfile(Inputs, frozen=True):
    """A vehicle profile."""

    name: str = ""
    types: tuple[str, ...] = ()
    front: Armour = asked(10, short="Front")
    side: Armour = asked(10, short="Side")
    rear: Armour = asked(10, short="Rear")
    bs: Stat = asked(3, short="BS")
    length: Size = 4.0
    width: Size = 3.0
    height: Size = 2.0
    base: Size | None = asked(None, "Radius of its base")
    upgrades: tuple[str, ...] = ()
    capacity: Seats = 0
    fire_points: Seats = 0
    access: tuple[Door, ...] = ()
    ws: Stat | None = None
    strength: Stat | None = None
    initiative: Stat | None = None
    attacks: Stat | None = None
    mounts: tuple[Fitting, ...] = ()


class Carried(Inputs, frozen=True):
    """A weapon that a unit carries, and how many models carry it."""

    name: str = ""
    models: Count = 1


class UnitProfile(Inputs, frozen=True):
    """A profile of troops."""

    name: str = ""
    type: Literal["infantry", "jump_infantry", "bike", "beast"] = "infantry"
    models: Count = asked(5, short="Models")
    ws: Stat = 4
    bs: int = asked(4, short="BS", ge=0, le=10)
    strength: Stat = asked(4, short="S")
    toughness: Stat = asked(4, short="T")
    wounds: Stat = 1
    initiative: Stat = 4
    attacks: Stat = 1
    ld: int = asked(8, short="Ld", ge=2, le=10)
    save: int | None = asked(None, short="Save", form="save", ge=2, le=6)
    base: Size = asked(0.5, "Radius of a base")
    grenades: tuple[str, ...] = ()
    weapons: tuple[Carried, ...] = ()
    two_weapons: Many = 0
    rules: tuple[str, ...] = ()


KINDS = (("weapon", WeaponProfile), ("vehicle", VehicleProfile), ("unit", UnitProfile))
