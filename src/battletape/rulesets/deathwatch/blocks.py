"""Inputs that questions share: who attacks, with what, whom and in which circumstances."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from battletape.inputs import Inputs
from battletape.rulesets.deathwatch.keywords import ROWS
from battletape.rulesets.deathwatch.shapes import Ap, Kind, Rof, Stat
from battletape.rulesets.deathwatch.traits import Band, DamageType, Grade, Size, Spot


def meta(group: str, title: str, clause: str = "", unit: str = "", **more: Any) -> Any:
    """Group, title, clause and unit of an input."""
    extra = {"group": group, "clause": clause and f"DW-{clause}", "unit": unit}
    return Meta(title=title, extra={name: value for name, value in extra.items() if value}, **more)


BOLTER_QUALITIES = tuple(name for name, *_, rule in ROWS if rule == "TEARING")
BLADE_QUALITIES = tuple(name for name, *_, rule in ROWS if rule in ("BALANCED", "TEARING"))
"""Of a bolter and of a chainsword, which stand in the forms until somebody names another weapon."""
Skill = Annotated[int, Meta(ge=0, le=150)]
Number = Annotated[int, Meta(ge=-200, le=300)]
"""Of a test: what it must roll or less."""
Reaction = Literal["none", "dodge", "parry", "choose"]
Special = Literal["none", "claws", "force"]
# inputs that more than one question has; each class below names those it takes
Bs = Annotated[Stat, meta("attacker", "Ballistic Skill", "TEST-1")]
Ws = Annotated[Stat, meta("attacker", "Weapon Skill", "TEST-1")]
Sb = Annotated[int, meta("attacker", "Strength bonus", "MWEP-00", ge=0, le=60)]
Barrel = Annotated[str, meta("weapon", "Second barrel of a combi-weapon, by its profile", "RWEP-04")]
Single = Annotated[bool, meta("weapon", "It fires single shots", "RWEP-00")]
Semi = Annotated[Rof, meta("weapon", "Rounds of a semi-auto burst, 0 if it has none", "AUTO-1")]
Full = Annotated[Rof, meta("weapon", "Rounds of a full-auto burst, 0 if it has none", "AUTO-2")]
Range = Annotated[int, meta("weapon", "Range", "RANGE-1", "metres", ge=0, le=2000)]
Clip = Annotated[int, meta("weapon", "Rounds in the clip", "RWEP-00", ge=0, le=500)]
Reload = Annotated[int, meta("weapon", "Full Actions to reload", "ACT-RELOAD", ge=0, le=10)]
Distance = Annotated[float, meta("circumstances", "Distance", "RANGE-1", "metres", ge=0, le=10_000)]
BandOrNone = Annotated[Band | None, meta("circumstances", "Range band, whatever the distance", "RANGE-1")]
Braced = Annotated[bool, meta("circumstances", "A heavy weapon is braced", "ACT-BRACE-HEAVY-WEAPON")]
NoBracing = Annotated[
    bool, meta("attacker", "A talent or suit carries heavy weapons unbraced", "ACT-BRACE-HEAVY-WEAPON")
]
ToHit = Annotated[Number | None, meta("attacker", "Target number of the attack itself, whatever adds to it", "TEST-1")]
Pinned = Annotated[bool, meta("attacker", "The attacker is pinned", "PIN-1")]
SizeOf = Annotated[Size, meta("target", "Size", "RANGE-2")]
ModeOf = Annotated[Literal["single", "semi", "full"], meta("attacker", "Fire mode", "RWEP-00")]


class Armed(Inputs, frozen=True):
    """Somebody with a weapon: all that does not depend on whom he attacks."""

    attacker: Annotated[str, meta("attacker", "Attacker's profile")] = ""
    talents: Annotated[tuple[str, ...], meta("attacker", "Talents")] = ()
    fury: Annotated[
        Literal["none", "confirm", "sure"],
        Meta(description="none: he has none; confirm: a second roll to hit confirms it; sure: it needs no confirming"),
        meta("attacker", "Righteous fury", "RF-3"),
    ] = "none"
    psy_rating: Annotated[int, meta("attacker", "Psy Rating", "QUAL-SPECIAL", ge=0, le=10)] = 0
    own_willpower: Annotated[Stat, meta("attacker", "Willpower of a psyker", "QUAL-SPECIAL")] = 0
    trained: Annotated[bool, meta("attacker", "Trained with the weapon", "UNTR-1")] = True
    off_hand: Annotated[bool, meta("attacker", "With the off hand", "TWOW-1")] = False
    fatigue: Annotated[int, meta("attacker", "Levels of fatigue", "FAT-1", ge=0, le=40)] = 0
    aim: Annotated[Literal["none", "half", "full"], meta("attacker", "Aim taken before", "ACT-AIM")] = "none"
    weapon: Annotated[str, meta("weapon", "Weapon's profile")] = ""
    ammunition: Annotated[str, meta("weapon", "What a launcher fires", "RWEP-24")] = ""
    kind: Annotated[Kind, meta("weapon", "Class of weapon", "RWEP-00")] = "Basic"
    damage: Annotated[str, meta("weapon", "Damage, such as 2d10+5", "RWEP-00")] = "2d10+5"
    damage_type: Annotated[DamageType, meta("weapon", "Damage type", "CRIT-1")] = "X"
    pen: Annotated[int, meta("weapon", "Penetration", "DMG-3", ge=0, le=60)] = 5
    qualities: Annotated[tuple[str, ...], meta("weapon", "Qualities, such as Blast (5)")] = BOLTER_QUALITIES
    special: Annotated[
        Special,
        Meta(description="claws: more damage for each degree; force: more in the hands of a psyker"),
        meta("weapon", "What “special” stands for", "QUAL-SPECIAL"),
    ] = "none"
    grade: Annotated[Grade, meta("weapon", "Craftsmanship", "CRAFT-COMMON")] = "common"
    situations: Annotated[tuple[str, ...], meta("circumstances", "Situations of the combat summary", "SUMM-00")] = ()
    modifier: Annotated[int, meta("circumstances", "Anything else to hit", "TEST-1", ge=-200, le=200)] = 0


class Shooter(Armed, frozen=True):
    """Somebody with a gun, whatever he fires at."""

    bs: Bs = 50
    pinned: Pinned = False
    barrel: Barrel = ""
    single: Single = True
    semi: Semi = 2
    full: Full = 4
    range: Range = 100
    clip: Clip = 28
    reload: Reload = 1
    distance: Distance = 30.0
    band: BandOrNone = None
    braced: Braced = True
    no_bracing: NoBracing = False


class Against(Armed, frozen=True):
    """Somebody with a weapon and the character he attacks."""

    target: Annotated[str, meta("target", "Target's profile")] = ""
    armour: Annotated[tuple[str, ...], meta("target", "Armour worn, by name", "ARM-2")] = ()
    head: Annotated[Ap, meta("target", "AP on the head", "ARM-1")] = 8
    arm: Annotated[Ap, meta("target", "AP on the arms", "ARM-1")] = 8
    body: Annotated[Ap, meta("target", "AP on the body", "ARM-1")] = 10
    leg: Annotated[Ap, meta("target", "AP on the legs", "ARM-1")] = 8
    primitive_armour: Annotated[bool, meta("target", "The armour is primitive", "QUAL-PRIMITIVE")] = False
    sealed: Annotated[bool, meta("target", "The armour is sealed", "COND-FIRE")] = True
    tb: Annotated[int, meta("target", "Toughness bonus, tens only", "DMG-3", ge=0, le=30)] = 4
    unnatural_toughness: Annotated[int, meta("target", "Times unnatural toughness", "DMG-3", ge=1, le=6)] = 2
    more_tb: Annotated[int, meta("target", "More toughness bonus", "DMG-3", ge=0, le=20)] = 0
    toughness: Annotated[Stat, meta("target", "Toughness", "CRIT-2")] = 40
    agility: Annotated[Stat, meta("target", "Agility", "QUAL-FLAME")] = 40
    strength: Annotated[Stat, meta("target", "Strength", "QUAL-CONCUSSIVE")] = 40
    target_sb: Annotated[int, meta("target", "Strength bonus", "QUAL-CONCUSSIVE", ge=0, le=60)] = 8
    willpower: Annotated[Stat, meta("target", "Willpower", "COND-FIRE")] = 40
    wounds: Annotated[int, meta("target", "Wounds", "DMG-1", ge=1, le=500)] = 21
    health: Annotated[
        Annotated[int, Meta(ge=-9, le=500)] | None,
        meta("target", "Wounds left, below 0 the critical damage; as many as it has if left out", "DMG-1"),
    ] = None
    minion: Annotated[bool, meta("target", "Dies of the first critical damage", "DMG-4")] = False
    true_grit: Annotated[bool, meta("target", "Halves critical damage", "DMG-2")] = False
    immune_blood_loss: Annotated[bool, meta("target", "Does not bleed", "BLOOD-1")] = False
    daemon: Annotated[bool, meta("target", "A daemon", "QUAL-SANCTIFIED")] = False
    dodge: Annotated[Skill | None, meta("target", "Dodge; none if it cannot", "EVA-2")] = None
    reaction: Annotated[
        Reaction,
        Meta(description="choose: the defender picks dodge or parry, or neither, when he is hit"),
        meta("target", "Reaction of the target", "EVA-1"),
    ] = "none"
    cover: Annotated[str, meta("target", "Cover: a material or its AP", "COVER-2")] = ""
    hidden: Annotated[tuple[str, ...], meta("target", "Places behind the cover; all if none is named", "COVER-1")] = ()
    stunned: Annotated[bool, meta("target", "Stunned", "STUN-1")] = False
    prone: Annotated[bool, meta("target", "Prone", "COND-PRONE")] = False
    surprised: Annotated[bool, meta("target", "Surprised or unaware", "COND-SURPRISED")] = False
    running: Annotated[bool, meta("target", "Running", "ACT-RUN")] = False


class Ranged(Against, frozen=True):
    """Somebody with a gun and the character he fires at."""

    bs: Bs = 50
    pinned: Pinned = False
    barrel: Barrel = ""
    single: Single = True
    semi: Semi = 2
    full: Full = 4
    range: Range = 100
    clip: Clip = 28
    reload: Reload = 1
    distance: Distance = 30.0
    band: BandOrNone = None
    braced: Braced = True
    no_bracing: NoBracing = False
    engaged: Annotated[bool, meta("circumstances", "In melee with the target", "COND-ENGAGED")] = False
    size: SizeOf = "Average"
    size_hidden: Annotated[bool, meta("target", "Its size gives no bonus", "RANGE-2")] = False


Deed = Literal[
    "standard",
    "all_out",
    "charge",
    "guarded",
    "called",
    "stun",
    "swift",
    "lightning",
    "two_weapons",
    "feint_and_attack",
    "knock_down",
    "manoeuvre",
    "grapple",
    "unarmed",
]
"""What somebody in melee may do with his turn."""


class Fight(Against, frozen=True):
    """A turn of melee: one action of the attacker."""

    action: Annotated[Deed, meta("attacker", "Action", "ACT-00")] = "standard"
    ws: Ws = 50
    to_hit: ToHit = None
    sb: Sb = 8
    own_strength: Annotated[Stat, meta("attacker", "Strength, for trials of it", "ACT-KNOCK-DOWN")] = 40
    kind: Annotated[Kind, meta("weapon", "Class of weapon", "MWEP-00")] = "Melee"
    damage: Annotated[str, meta("weapon", "Damage without strength, such as 1d10+3", "MWEP-00")] = "1d10+3"
    damage_type: Annotated[DamageType, meta("weapon", "Damage type", "CRIT-1")] = "R"
    pen: Annotated[int, meta("weapon", "Penetration", "DMG-3", ge=0, le=60)] = 4
    qualities: Annotated[tuple[str, ...], meta("weapon", "Qualities, such as Balanced")] = BLADE_QUALITIES
    doubles_sb: Annotated[bool, meta("weapon", "It doubles the strength bonus", "MWEP-00")] = False
    times_sb: Annotated[int, meta("attacker", "Times unnatural strength", "MWEP-00", ge=1, le=6)] = 2
    more_sb: Annotated[int, meta("attacker", "Part of it that a suit adds", "MWEP-00", ge=0, le=20)] = 0
    pair: Annotated[bool, meta("weapon", "A pair of claws; known if both weapons are", "QUAL-SPECIAL")] = False
    called: Annotated[Spot | None, meta("attacker", "Place aimed at, of a called shot", "ACT-CALLED-SHOT")] = None
    weapon2: Annotated[str, meta("weapon", "Second weapon's profile", "TWOW-2")] = ""
    kind2: Annotated[Kind | None, meta("weapon", "Its class; Melee or Pistol if left out", "TWOW-1")] = None
    damage2: Annotated[str, meta("weapon", "Its damage", "TWOW-2")] = "1d10+3"
    damage_type2: Annotated[DamageType, meta("weapon", "Its damage type", "TWOW-2")] = "R"
    pen2: Annotated[int, meta("weapon", "Its penetration", "TWOW-2", ge=0, le=60)] = 4
    qualities2: Annotated[tuple[str, ...], meta("weapon", "Its qualities", "TWOW-2")] = BLADE_QUALITIES
    doubles_sb2: Annotated[bool, meta("weapon", "It doubles the strength bonus too", "MWEP-00")] = False
    special2: Annotated[Special, meta("weapon", "What its “special” stands for", "QUAL-SPECIAL")] = "none"
    grade2: Annotated[Grade, meta("weapon", "Its craftsmanship", "CRAFT-COMMON")] = "common"
    gun2: Annotated[bool, meta("weapon", "It is a pistol", "TWOW-2")] = False
    skill2: Annotated[Skill | None, meta("attacker", "Skill with it; as the first if left out", "TWOW-2")] = None
    trained2: Annotated[bool, meta("attacker", "Trained with it", "UNTR-1")] = True
    target_ws: Annotated[Stat, meta("target", "Weapon Skill", "ACT-FEINT")] = 40
    armed: Annotated[bool, meta("target", "It is armed", "UNARM-1")] = True
    parry: Annotated[Skill | None, meta("target", "Weapon Skill it parries with; none if it cannot", "EVA-3")] = None
    parry_with: Annotated[str, meta("target", "Weapon it parries with", "EVA-3")] = ""
    parry_qualities: Annotated[tuple[str, ...], meta("target", "Qualities of that weapon", "EVA-3")] = ()
    guarded: Annotated[bool, meta("target", "It made a guarded attack", "ACT-GUARDED-ATTACK")] = False
    defensive_stance: Annotated[bool, meta("target", "In a defensive stance", "ACT-DEFENSIVE-STANCE")] = False
    grappled: Annotated[bool, meta("target", "In a grapple", "ACT-GRAPPLE")] = False
