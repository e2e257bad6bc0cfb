"""The shapes of a profile: a weapon, a suit of armour, a character, a horde."""

from __future__ import annotations

from typing import Annotated, Literal

from battletape.cards import Inputs, short
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


class Weapon(Inputs, frozen=True):
    """A weapon, or what a launcher fires; its qualities are names of the book, with their numbers."""

    name: str = ""
    number: Annotated[str, Meta(title="Its clause")] = ""
    group: str = ""
    kind: Kind = "Basic"
    melee: bool = False
    range: Annotated[Metres, short("Range")] = 0
    single: Annotated[bool, Meta(title="Single shots")] = True
    semi: Annotated[Annotated[Rof, Meta(title="Rounds of a semi-auto burst")], short("Semi")] = 0
    full: Annotated[Annotated[Rof, Meta(title="Rounds of a full-auto burst")], short("Full")] = 0
    damage: Annotated[str, short("Damage")] = ""
    damage_type: DamageType = "I"
    pen: Annotated[Pen, short("Pen")] = 0
    clip: Annotated[Annotated[int, Meta(ge=0, le=500, extra={"clause": "DW-RWEP-00"})], short("Clip")] = 0
    reload: Annotated[int, Meta(title="Full Actions to reload", ge=0, le=10, extra={"clause": "DW-ACT-RELOAD"})] = 1
    qualities: tuple[str, ...] = ()
    grade: Grade = "common"
    doubles_sb: Annotated[bool, Meta(title="Doubles the strength bonus", extra={"clause": "DW-MWEP-00"})] = False
    ammunition: tuple[str, ...] = ()


class Armour(Inputs, frozen=True):
    """A suit or piece of armour: its points on each place."""

    name: str = ""
    number: Annotated[str, Meta(title="Its clause")] = ""
    head: Annotated[Ap, short("Head")] = 0
    arm: Annotated[Ap, short("Arms")] = 0
    body: Annotated[Ap, short("Body")] = 0
    leg: Annotated[Ap, short("Legs")] = 0
    primitive: bool = False
    sealed: bool = False
    note: str = ""


class Character(Inputs, frozen=True):
    """A character: characteristics, wounds, armour and weapons."""

    name: str = ""
    kind: Literal["character", "minion", "leader"] = "character"
    ws: Annotated[Stat, short("WS")] = 30
    bs: Annotated[Stat, short("BS")] = 30
    strength: Annotated[Stat, short("S")] = 30
    toughness: Annotated[Stat, short("T")] = 30
    agility: Stat = 30
    intelligence: Stat = 30
    perception: Stat = 30
    willpower: Stat = 30
    fellowship: Stat = 30
    wounds: Annotated[Annotated[int, Meta(ge=1, le=500, extra={"clause": "DW-DMG-1"})], short("Wounds")] = 10
    dodge: Annotated[Stat, Meta(title="Dodge, 0 if untrained")] = 0
    medicae: Annotated[Stat, Meta(title="Medicae, 0 if untrained")] = 0
    unnatural_strength: Multiplier = 1
    unnatural_toughness: Multiplier = 1
    strength_bonus: Annotated[Flat, Meta(title="More strength bonus")] = 0
    toughness_bonus: Annotated[Flat, Meta(title="More toughness bonus")] = 0
    size: Size = "Average"
    size_hidden: bool = False
    armour: tuple[str, ...] = ()
    weapons: tuple[str, ...] = ()
    talents: tuple[str, ...] = ()
    fury: Annotated[bool, Meta(title="May have righteous fury", extra={"clause": "DW-RF-3"})] = False
    fury_sure_against: Annotated[tuple[str, ...], Meta(title="Needs no confirming against")] = ()
    tags: tuple[str, ...] = ()
    true_grit: bool = False
    immune_blood_loss: bool = False
    no_bracing: bool = False
    psy_rating: Annotated[int, Meta(ge=0, le=10)] = 0
    renown: Annotated[int, Meta(ge=0, le=200, extra={"clause": "DW-REN-1"})] = 0
    squad: str = ""


class Horde(Inputs, frozen=True):
    """A crowd that fights as one: Magnitude instead of wounds, one armour value."""

    name: str = ""
    ws: Annotated[Stat, short("WS")] = 30
    bs: Annotated[Stat, short("BS")] = 30
    strength: Stat = 30
    toughness: Annotated[Stat, short("T")] = 30
    agility: Stat = 30
    willpower: Stat = 30
    magnitude: Annotated[Annotated[int, Meta(ge=1, le=200, extra={"clause": "DW-HORDE-14"})], short("Magnitude")] = 30
    ap: Annotated[Ap, short("AP")] = 0
    unnatural_strength: Multiplier = 1
    unnatural_toughness: Multiplier = 1
    weapons: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    leaders: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


KINDS = (("weapon", Weapon), ("armour", Armour), ("character", Character), ("horde", Horde))
cites("DW-RWEP-00", "DW-MWEP-00", where=f"{__name__}.Weapon")
