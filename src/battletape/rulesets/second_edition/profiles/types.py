"""The shapes of profiles: a weapon, an armour, a unit of models, a flamer template."""

from __future__ import annotations

from typing import Annotated, Literal

from battletape.cards import Inputs, short
from battletape.rulebook import Meta

Stat = Annotated[int, Meta(ge=1, le=10)]
Skill = Annotated[int, Meta(ge=0, le=10)]
Wounds = Annotated[int, Meta(ge=1, le=100)]
Inches = Annotated[float, Meta(ge=0, le=500, extra={"unit": "inches"})]
Radius = Annotated[float, Meta(ge=0.25, le=12, extra={"unit": "inches"})]
ToHit = Annotated[int, Meta(ge=-6, le=6)]
SaveModifier = Annotated[int, Meta(ge=-12, le=6)]
Save = Annotated[int, Meta(ge=2, le=6, extra={"form": "save"})]
Mastery = Annotated[int, Meta(ge=0, le=4)]
Millimetres = Annotated[float, Meta(ge=10, le=200, extra={"unit": "millimetres"})]
SaveDice = Literal["1d6", "2d6"]
Remains = Literal["none", "cloud", "plasma"]
TemplateName = Literal["small", "medium", "large"]
TYPES = ("infantry", "vehicle", "dreadnought", "terminator", "frenzied", "tyranid", "daemon", "psyker")
"""What a model may be, where a rule asks."""


class Weapon(Inputs, frozen=True):
    """A weapon profile; no Strength means that its hits hurt nobody."""

    name: str = ""
    short_range: Annotated[Inches, short("Short")] = 0.0
    long_range: Annotated[Inches, short("Long")] = 0.0
    to_hit_short: Annotated[ToHit, Meta(title="To Hit at short range")] = 0
    to_hit_long: Annotated[ToHit, Meta(title="To Hit at long range")] = 0
    strength: Annotated[Stat | None, short("S")] = None
    damage: Annotated[Annotated[str, Meta(title="Damage, a number or dice such as D4")], short("Damage")] = "1"
    save_modifier: Annotated[SaveModifier, short("Save mod")] = 0
    blast: Annotated[Radius | None, Meta(title="Radius of its blast marker")] = None
    template: Annotated[TemplateName | None, Meta(title="Flamer template")] = None
    sustained: Annotated[Annotated[int, Meta(ge=1, le=10)] | None, Meta(title="Sustained Fire dice")] = None
    remains: Annotated[Remains, Meta(title="What its blast leaves behind")] = "none"
    incendiary: Annotated[bool, Meta(title="Sets survivors on fire")] = False
    grenade: Annotated[bool, Meta(title="Thrown by hand")] = False
    force: Annotated[bool, Meta(title="A force weapon")] = False
    explodes_on: Annotated[
        Annotated[int, Meta(ge=1, le=10)] | None,
        Meta(title="Explodes on so many jams at once", extra={"clause": "SE-111"}),
    ] = None
    linked: Annotated[bool, Meta(title="Two weapons fired as one", extra={"clause": "SE-111"})] = False
    recharges: Annotated[bool, Meta(title="Fires every other turn", extra={"clause": "SE-111"})] = False
    ours: Annotated[tuple[str, ...], Meta(title="Numbers that are ours, not from a source")] = ()


class Armour(Inputs, frozen=True):
    """A kind of armour: its save, the dice it is rolled on, and a better save against blasts and templates."""

    name: str = ""
    save: Annotated[Save | None, short("Save")] = None
    save_dice: SaveDice = "1d6"
    area_save: Annotated[Save | None, Meta(title="Save against blasts and templates")] = None
    types: Annotated[tuple[str, ...], Meta(title="What it makes its wearer")] = ()
    ours: Annotated[tuple[str, ...], Meta(title="Numbers that are ours, not from a source")] = ()


class Carried(Inputs, frozen=True):
    """A weapon that some models of a unit carry."""

    name: str = ""
    models: Annotated[int, Meta(ge=1, le=100)] = 1


class Unit(Inputs, frozen=True):
    """A unit of equal models; no Toughness means a vehicle, which the base game's armour penetration handles."""

    name: str = ""
    models: Annotated[Annotated[int, Meta(ge=1, le=100)], short("Models")] = 1
    base: Annotated[Millimetres, Meta(title="Diameter of a base")] = 25.0
    move: Annotated[Inches, Meta(title="Move")] = 4.0
    bs: Annotated[Annotated[Skill, Meta(title="Ballistic Skill")], short("BS")] = 3
    strength: Stat = 3
    toughness: Annotated[Stat | None, short("T")] = None
    wounds: Annotated[Wounds, short("W")] = 1
    armour: Annotated[Annotated[str, Meta(title="Armour worn")], short("Armour")] = ""
    field_save: Annotated[Save | None, Meta(title="Field save, which no modifier touches")] = None
    aura: Annotated[Save | None, Meta(title="Daemonic aura")] = None
    types: tuple[str, ...] = ()
    mastery: Annotated[Mastery, Meta(title="Mastery Level of a psyker")] = 0
    weapons: tuple[Carried, ...] = ()
    grenades: tuple[str, ...] = ()


class Template(Inputs, frozen=True):
    """A flamer template: its whole length, and the radius of its round end."""

    name: str = ""
    length: Annotated[Inches, Meta(title="Length from the tip to the far end")] = 8.5
    radius: Annotated[Radius, Meta(title="Radius of the round end")] = 1.25
    ours: Annotated[tuple[str, ...], Meta(title="Numbers that are ours, not from a source")] = ()


KINDS = (("weapon", Weapon), ("armour", Armour), ("unit", Unit), ("template", Template))
