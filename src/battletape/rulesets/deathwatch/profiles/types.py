"""The shapes of a profile: a weapon, a suit of armour, a character, a horde."""

from __future__ import annotations

from typing import Annotated, Literal

from battletape.cards import Inputs, asked
from battletape.rulebook import Meta, cites
from battletape.rulesets.deathwatch.rules.traits import DamageType, Grade, Size

Stat = Annotated[int, Meta(ge=0, le=150, extra={"clause": "DW-TEST-1"})]
Ap = Annotated[int, Meta(ge=0, le=40, extra={"clause": "DW-ARM-1"})]
Rof = Annotated[int, Meta(ge=0, le=20, extra={"clause": "DW-RWEP-00"})]
Metres = Annotated[int, Meta(ge=0, le=2000, extra={"unit": "metres", "clause": "DW-RWEP-00"})]
Pen = Annotated[int, Meta(title="Penetration", ge=0, le=30, extra={"clause": "DW-RWEP-00"})]
Multiplier = Annotated[int, Meta(ge=1, le=6)]
Flat = Annotated[int, Meta(ge=0, le=20)]
Kind = Literal["Pistol", "Basic", "Heavy", "Mounted", "n/a", "Melee", "Ammunition"]


class WeaponProfile(Inputs, frozen=True):
    """A weapon, or what a launcher fires; its qualities are names of the book, with their numbers."""

    name: str = ""
    number: str = asked("", "Its clause")
    group: str = ""
    kind: Kind = "Basic"
    melee: bool = False
    range: Metres = asked(0, short="Range")
    single: bool = asked(True, "Single shots")
    semi: Rof = asked(0, "Rounds of a semi-auto burst", short="Semi")
    full: Rof = asked(0, "Rounds of a full-auto burst", short="Full")
    damage: str = asked("", short="Damage")
    damage_type: DamageType = "I"
    pen: Pen = asked(0, short="Pen")
    clip: int = asked(0, clause="DW-RWEP-00", short="Clip", ge=0, le=500)
    reload: int = asked(1, "Full Actions to reload", "DW-ACT-RELOAD", ge=0, le=10)
    qualities: tuple[str, ...] = ()
    grade: Grade = "common"
    doubles_sb: bool = asked(False, "Doubles the strength bonus", "DW-MWEP-00")
    ammunition: tuple[str, ...] = ()


class Armour(Inputs, frozen=True):
    """A suit or piece of armour: its points on each place."""

    name: str = ""
    number: str = asked("", "Its clause")
    head: Ap = asked(0, short="Head")
    arm: Ap = asked(0, short="Arms")
    body: Ap = asked(0, short="Body")
    leg: Ap = asked(0, short="Legs")
    primitive: bool = False
    sealed: bool = False
    note: str = ""


class Character(Inputs, frozen=True):
    """A character: characteristics, wounds, armour and weapons."""

    name: str = ""
    kind: Literal["character", "minion", "leader"] = "character"
    ws: Stat = asked(30, short="WS")
    bs: Stat = asked(30, short="BS")
    strength: Stat = asked(30, short="S")
    toughness: Stat = asked(30, short="T")
    agility: Stat = 30
    intelligence: Stat = 30
    perception: Stat = 30
    willpower: Stat = 30
    fellowship: Stat = 30
    wounds: int = asked(10, clause="DW-DMG-1", short="Wounds", ge=1, le=500)
    dodge: Stat = asked(0, "Dodge", about=", 0 if untrained")
    medicae: Stat = asked(0, "Medicae", about=", 0 if untrained")
    unnatural_strength: Multiplier = 1
    unnatural_toughness: Multiplier = 1
    strength_bonus: Flat = asked(0, "More strength bonus")
    toughness_bonus: Flat = asked(0, "More toughness bonus")
    size: Size = "Average"
    size_hidden: bool = False
    armour: tuple[str, ...] = ()
    weapons: tuple[str, ...] = ()
    talents: tuple[str, ...] = ()
    fury: bool = asked(False, "May have righteous fury", "DW-RF-3")
    fury_sure_against: tuple[str, ...] = asked((), "Needs no confirming against")
    tags: tuple[str, ...] = ()
    true_grit: bool = False
    immune_blood_loss: bool = False
    no_bracing: bool = False
    psy_rating: int = asked(0, ge=0, le=10)
    renown: int = asked(0, clause="DW-REN-1", ge=0, le=200)
    squad: str = ""


class Horde(Inputs, frozen=True):
    """A crowd that fights as one: Magnitude instead of wounds, one armour value."""

    name: str = ""
    ws: Stat = asked(30, short="WS")
    bs: Stat = asked(30, short="BS")
    strength: Stat = 30
    toughness: Stat = asked(30, short="T")
    agility: Stat = 30
    willpower: Stat = 30
    magnitude: int = asked(30, clause="DW-HORDE-14", short="Magnitude", ge=1, le=200)
    ap: Ap = asked(0, short="AP")
    unnatural_strength: Multiplier = 1
    unnatural_toughness: Multiplier = 1
    weapons: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    leaders: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


KINDS = (("weapon", WeaponProfile), ("armour", Armour), ("character", Character), ("horde", Horde))
cites("DW-RWEP-00", "DW-MWEP-00", where=f"{__name__}.WeaponProfile")
