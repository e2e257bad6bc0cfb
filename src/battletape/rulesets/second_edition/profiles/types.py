"""The shapes of profiles: a weapon, an armour, a unit of models, a flamer template."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from battletape.cards import Inputs, asked
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


class WeaponProfile(Inputs, frozen=True):
    """A weapon profile; without Strength its hits are harmless."""

    unwritten: ClassVar = ("rules",)
    name: str = ""
    short_range: Inches = asked(0.0, short="Short")
    long_range: Inches = asked(0.0, short="Long")
    to_hit_short: ToHit = asked(0, "To Hit at short range")
    to_hit_long: ToHit = asked(0, "To Hit at long range")
    strength: Stat | None = asked(None, short="S")
    damage: str = asked("1", "Damage, a number or dice such as D4", short="Damage")
    save_modifier: SaveModifier = asked(0, short="Save mod")
    blast: Radius | None = asked(None, "Radius of its blast marker")
    template: TemplateName | None = asked(None, "Flamer template")
    sustained: int | None = asked(None, "Sustained Fire dice", ge=1, le=10)
    remains: Remains = asked("none", "What its blast leaves behind")
    incendiary: bool = asked(False, "Sets survivors on fire")
    grenade: bool = asked(False, "Thrown by hand")
    force: bool = asked(False, "A force weapon")
    explodes_on: int | None = asked(None, "Explodes on so many jams at once", "SE-111", ge=1, le=10)
    linked: bool = asked(False, "Two weapons fired as one", "SE-111")
    recharges: bool = asked(False, "Fires every other turn", "SE-111")
    rules: tuple[str, ...] = asked((), "Special rules")
    ours: tuple[str, ...] = asked((), "Numbers that are ours, not from a source")


class Armour(Inputs, frozen=True):
    """A kind of armour: its save, the dice it is rolled on, and a better save against blasts and templates."""

    name: str = ""
    save: Save | None = asked(None, short="Save")
    save_dice: SaveDice = "1d6"
    area_save: Save | None = asked(None, "Save against blasts and templates")
    types: tuple[str, ...] = asked((), "What it makes its wearer")
    ours: tuple[str, ...] = asked((), "Numbers that are ours, not from a source")


class Carried(Inputs, frozen=True):
    """A weapon that some models of a unit carry."""

    name: str = ""
    models: int = asked(1, ge=1, le=100)


class UnitProfile(Inputs, frozen=True):
    """A unit of equal models; no Toughness means a vehicle, which the base game's armour penetration handles."""

    name: str = ""
    models: int = asked(1, short="Models", ge=1, le=100)
    base: Millimetres = asked(25.0, "Diameter of a base")
    move: Inches = asked(4.0, "Move")
    bs: Skill = asked(3, "Ballistic Skill", short="BS")
    strength: Stat = 3
    toughness: Stat | None = asked(None, short="T")
    wounds: Wounds = asked(1, short="W")
    armour: str = asked("", "Armour worn", short="Armour")
    field_save: Save | None = asked(None, "Field save, which no modifier touches")
    aura: Save | None = asked(None, "Daemonic aura")
    types: tuple[str, ...] = ()
    mastery: Mastery = asked(0, "Mastery Level of a psyker")
    weapons: tuple[Carried, ...] = ()
    grenades: tuple[str, ...] = ()


class Template(Inputs, frozen=True):
    """A flamer template: its whole length, and the radius of its round end."""

    name: str = ""
    length: Inches = asked(8.5, "Length from the tip to the far end")
    radius: Radius = asked(1.25, "Radius of the round end")
    ours: tuple[str, ...] = asked((), "Numbers that are ours, not from a source")


KINDS = (("weapon", WeaponProfile), ("armour", Armour), ("unit", UnitProfile), ("template", Template))
