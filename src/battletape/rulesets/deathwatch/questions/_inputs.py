"""What questions share: inputs (attacker, weapon, target, circumstances), what dice make of them, and rulings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import BadInput, insist
from battletape.inputs import Inputs, meta
from battletape.rulesets.deathwatch.profiles.book import OF_ATTACKER, OF_TARGET, OWN_WORDS
from battletape.rulesets.deathwatch.profiles.types import Ap, Character, Kind, Rof, Stat, Weapon
from battletape.rulesets.deathwatch.rules.attack import fighters
from battletape.rulesets.deathwatch.rules.attack.fighters import (
    ACTIONS,
    ENOUGH,
    Fighter,
    Held,
    Setting,
    Unit,
    defender_of,
    draft_of,
    in_turn,
    reacting,
)
from battletape.rulesets.deathwatch.rules.attack.modifiers import band, refuse_range
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, Spec
from battletape.rulesets.deathwatch.rules.attack.stages import NO_QUALITIES, refuse_parry, refuse_reaction
from battletape.rulesets.deathwatch.rules.conditions import Conditions
from battletape.rulesets.deathwatch.rules.guns import refuse_called, refuse_mode
from battletape.rulesets.deathwatch.rules.melee import off_hand, refuse_two_weapons
from battletape.rulesets.deathwatch.rules.qualities.keywords import LISTED, NUMBERED, ROWS, values
from battletape.rulesets.deathwatch.rules.talents import TALENTS
from battletape.rulesets.deathwatch.rules.traits import (
    SPOTS,
    Aim,
    Band,
    DamageType,
    Grade,
    Mode,
    Size,
    Spot,
    place_of,
)
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables.sheet import COVER, DIFFICULTIES, SITUATIONS, parse_cover, situation_key

BOLTER_QUALITIES = tuple(name for name, *_, rule in ROWS if rule == "TEARING")
BLADE_QUALITIES = tuple(name for name, *_, rule in ROWS if rule in ("BALANCED", "TEARING"))
"""Qualities of a bolter and of a chainsword, which stand in the forms until another weapon is named."""
# names that a player may give, each with a few words about it
COVERS = {name: f"{points} AP" for name, points in COVER.items()}
TALENT_NAMES = tuple(talent.name for talent in TALENTS)
QUALITIES = {name: "with its number, such as (2)" if name in NUMBERED else "" for name in LISTED}
DIFFICULTY_WORDS = {name: f"{number:+d}" if number else "no modifier" for name, number in DIFFICULTIES.items()}
SITUATION_WORDS = {key: row.words for key, row in SITUATIONS.items()}
Skill = Annotated[int, Meta(ge=0, le=150)]
Number = Annotated[int, Meta(ge=-200, le=300)]
"""Of a test: what it must roll or less."""
Reaction = Literal["none", "dodge", "parry", "choose"]
Special = Literal["none", "claws", "force"]
# inputs that more than one question has
Ws = Annotated[Stat, meta("attacker", "Weapon Skill", "DW-TEST-1", short="WS")]
Sb = Annotated[int, meta("attacker", "Strength bonus", "DW-MWEP-00", ge=0, le=60, short="SB")]
Single = Annotated[bool, meta("weapon", "It fires single shots", "DW-RWEP-00")]
Semi = Annotated[Rof, meta("weapon", "Rounds of a semi-auto burst, 0 if it has none", "DW-AUTO-1")]
Full = Annotated[Rof, meta("weapon", "Rounds of a full-auto burst, 0 if it has none", "DW-AUTO-2")]
ToHit = Annotated[Number | None, meta("attacker", "Target number of the attack itself; nothing is added", "DW-TEST-1")]
SizeOf = Annotated[Size, meta("target", "Size", "DW-RANGE-2")]
ModeOf = Annotated[Mode, meta("attacker", "Fire mode", "DW-RWEP-00", form="mode", beside="jammed:jams")]
AimOf = Annotated[Aim, meta("attacker", "Aim taken before", "DW-ACT-AIM", form="circumstance", short="Aim")]
PsyRating = Annotated[int, meta("attacker", "Psy Rating", "DW-QUAL-SPECIAL", ge=0, le=10)]
QualitiesOf = Annotated[tuple[str, ...], meta("weapon", "Qualities", known=QUALITIES, short="Qualities")]
Situations = Annotated[
    tuple[str, ...], meta("circumstances", "Situations of the combat summary", "DW-SUMM-00", known=SITUATION_WORDS)
]
Cover = Annotated[str, meta("target", "Cover", "DW-COVER-2", form="circumstance", short="Cover", known=COVERS)]
Fury = Annotated[
    Literal["none", "confirm", "sure"],
    Meta(description="none: it has none; confirm: a second roll to hit confirms it; sure: it needs no confirming"),
    meta("attacker", "Righteous fury", "DW-RF-3"),
]
Hidden = Annotated[
    tuple[str, ...],
    meta(
        "target",
        "Places behind the cover; all if none is named",
        "DW-COVER-1",
        form="places",
        short="Behind the cover",
        known=SPOTS,
    ),
]
OnOverwatch = Annotated[
    bool, meta("circumstances", "Fired from overwatch", "DW-OVER-2", form="circumstance", short="Overwatch")
]
# parts of which the inputs of questions are put together


class Attacker(Inputs, frozen=True):
    """Who attacks, and in which state."""

    attacker: Annotated[str, meta("attacker", "Attacker's profile")] = ""
    talents: Annotated[tuple[str, ...], meta("attacker", "Talents", known=TALENT_NAMES)] = ()
    fury: Fury = "none"
    psy_rating: PsyRating = 0
    own_willpower: Annotated[Stat, meta("attacker", "Willpower of a psyker", "DW-QUAL-SPECIAL")] = 0
    trained: Annotated[bool, meta("attacker", "Trained with the weapon", "DW-UNTR-1")] = True
    off_hand: Annotated[bool, meta("attacker", "With the off hand", "DW-TWOW-1")] = False
    fatigue: Annotated[int, meta("attacker", "Levels of fatigue", "DW-FAT-1", ge=0, le=40)] = 0
    aim: AimOf = "none"


class Skilled(Inputs, frozen=True):
    """A fighter in melee."""

    ws: Ws = 50


class Strong(Inputs, frozen=True):
    """The Strength bonus of an attacker in melee, what it is made of, and what the weapon does with it."""

    sb: Sb = 8
    times_sb: Annotated[int, meta("attacker", "Times unnatural strength", "DW-MWEP-00", ge=1, le=6)] = 2
    more_sb: Annotated[int, meta("attacker", "Part of it that a suit adds", "DW-MWEP-00", ge=0, le=20)] = 0
    doubles_sb: Annotated[bool, meta("weapon", "It doubles the strength bonus", "DW-MWEP-00")] = False
    pair: Annotated[bool, meta("weapon", "A pair of claws", "DW-QUAL-SPECIAL")] = False


class Wielded(Inputs, frozen=True):
    """A weapon: what each of its hits does."""

    weapon: Annotated[str, meta("weapon", "Weapon's profile")] = ""
    ammunition: Annotated[str, meta("weapon", "What a launcher fires", "DW-RWEP-24", profile="weapon")] = ""
    kind: Annotated[Kind, meta("weapon", "Class of weapon", "DW-RWEP-00")] = "Basic"
    damage: Annotated[str, meta("weapon", "Damage, such as 2d10+5", "DW-RWEP-00", short="Damage")] = "2d10+5"
    damage_type: Annotated[DamageType, meta("weapon", "Damage type", "DW-CRIT-1")] = "X"
    pen: Annotated[int, meta("weapon", "Penetration", "DW-DMG-3", ge=0, le=60, short="Pen")] = 5
    qualities: QualitiesOf = BOLTER_QUALITIES
    special: Annotated[
        Special,
        Meta(description="claws: more damage for each degree; force: more in the hands of a psyker"),
        meta("weapon", "What “special” stands for", "DW-QUAL-SPECIAL"),
    ] = "none"
    grade: Annotated[Grade, meta("weapon", "Craftsmanship", "DW-CRAFT-COMMON")] = "common"


class Armed(Attacker, Wielded, frozen=True):
    """An attacker with a weapon: everything that does not depend on the target."""

    situations: Situations = ()
    modifier: Annotated[int, meta("circumstances", "Anything else to hit", "DW-TEST-1", ge=-200, le=200)] = 0


class Gun(Inputs, frozen=True):
    """A gun, how well it is fired, and from how far away."""

    bs: Annotated[Stat, meta("attacker", "Ballistic Skill", "DW-TEST-1", short="BS")] = 50
    pinned: Annotated[
        bool, meta("attacker", "The attacker is pinned", "DW-PIN-1", form="circumstance", short="Pinned")
    ] = False
    barrel: Annotated[
        str, meta("weapon", "Second barrel of a combi-weapon, by its profile", "DW-RWEP-04", profile="weapon")
    ] = ""
    single: Single = True
    semi: Semi = 2
    full: Full = 4
    range: Annotated[int, meta("weapon", "Range", "DW-RANGE-1", "metres", ge=0, le=2000, short="Range")] = 100
    clip: Annotated[int, meta("weapon", "Rounds in the clip", "DW-RWEP-00", ge=0, le=500, short="Clip")] = 28
    reload: Annotated[int, meta("weapon", "Full Actions to reload", "DW-ACT-RELOAD", ge=0, le=10)] = 1
    distance: Annotated[
        float, meta("circumstances", "Distance", "DW-RANGE-1", "metres", ge=0, le=10_000, form="circumstance")
    ] = 30.0
    band: Annotated[Band | None, meta("circumstances", "Range band, whatever the distance", "DW-RANGE-1")] = None
    braced: Annotated[
        bool,
        meta(
            "circumstances",
            "A heavy weapon is braced",
            "DW-ACT-BRACE-HEAVY-WEAPON",
            form="circumstance",
            short="Braced",
        ),
    ] = True
    no_bracing: Annotated[
        bool, meta("attacker", "A talent or suit carries heavy weapons unbraced", "DW-ACT-BRACE-HEAVY-WEAPON")
    ] = False


class Shooter(Armed, Gun, frozen=True):
    """An attacker with a gun, whatever the target."""


class Struck(Inputs, frozen=True):
    """The body that is hit, and what it wears."""

    target: Annotated[str, meta("target", "Target's profile")] = ""
    armour: Annotated[tuple[str, ...], meta("target", "Armour worn", "DW-ARM-2", profile="armour")] = ()
    head: Annotated[Ap, meta("target", "AP on the head", "DW-ARM-1", short="Head")] = 8
    arm: Annotated[Ap, meta("target", "AP on the arms", "DW-ARM-1", short="Arms")] = 8
    body: Annotated[Ap, meta("target", "AP on the body", "DW-ARM-1", short="Body")] = 10
    leg: Annotated[Ap, meta("target", "AP on the legs", "DW-ARM-1", short="Legs")] = 8
    primitive_armour: Annotated[bool, meta("target", "The armour is primitive", "DW-QUAL-PRIMITIVE")] = False
    tb: Annotated[int, meta("target", "Toughness bonus, tens only", "DW-DMG-3", ge=0, le=30, short="TB")] = 4
    unnatural_toughness: Annotated[int, meta("target", "Times unnatural toughness", "DW-DMG-3", ge=1, le=6)] = 2
    more_tb: Annotated[int, meta("target", "More toughness bonus", "DW-DMG-3", ge=0, le=20)] = 0
    toughness: Annotated[Stat, meta("target", "Toughness", "DW-CRIT-2")] = 40
    agility: Annotated[Stat, meta("target", "Agility", "DW-QUAL-FLAME")] = 40
    target_sb: Annotated[int, meta("target", "Strength bonus", "DW-QUAL-CONCUSSIVE", ge=0, le=60)] = 8
    daemon: Annotated[bool, meta("target", "A daemon", "DW-QUAL-SANCTIFIED")] = False


class Alive(Inputs, frozen=True):
    """How much somebody can take."""

    wounds: Annotated[int, meta("target", "Wounds", "DW-DMG-1", ge=1, le=500, short="Wounds")] = 21
    health: Annotated[
        Annotated[int, Meta(ge=-9, le=500)] | None,
        meta("target", "Wounds left, below 0 the critical damage; as many as it has if left out", "DW-DMG-1"),
    ] = None
    willpower: Annotated[Stat, meta("target", "Willpower", "DW-COND-FIRE")] = 40
    minion: Annotated[bool, meta("target", "Dies of the first critical damage", "DW-DMG-4")] = False
    true_grit: Annotated[bool, meta("target", "Halves critical damage", "DW-DMG-2")] = False


class Against(Armed, Struck, Alive, frozen=True):
    """An attacker with a weapon, and the character attacked."""

    sealed: Annotated[bool, meta("target", "The armour is sealed", "DW-COND-FIRE")] = True
    strength: Annotated[Stat, meta("target", "Strength", "DW-QUAL-CONCUSSIVE")] = 40
    immune_blood_loss: Annotated[bool, meta("target", "Does not bleed", "DW-BLOOD-1")] = False
    dodge: Annotated[Skill | None, meta("target", "Dodge; none if it cannot", "DW-EVA-2")] = None
    reaction: Annotated[
        Reaction,
        Meta(description="choose: the defender picks dodge or parry, or neither, once hit"),
        meta("target", "Reaction of the target", "DW-EVA-1", form="circumstance", short="Reaction"),
    ] = "none"
    cover: Cover = ""
    hidden: Hidden = ()
    stunned: Annotated[bool, meta("target", "Stunned", "DW-STUN-1", form="circumstance", short="Stunned")] = False
    prone: Annotated[bool, meta("target", "Prone", "DW-COND-PRONE", form="circumstance", short="Prone")] = False
    surprised: Annotated[
        bool, meta("target", "Surprised or unaware", "DW-COND-SURPRISED", form="circumstance", short="Surprised")
    ] = False
    running: Annotated[bool, meta("target", "Running", "DW-ACT-RUN", form="circumstance", short="Running")] = False


class Ranged(Against, Gun, frozen=True):
    """An attacker with a gun, and the character fired at."""

    engaged: Annotated[
        bool,
        meta("circumstances", "In melee with the target", "DW-COND-ENGAGED", form="circumstance", short="In melee"),
    ] = False
    size: SizeOf = "Average"
    size_hidden: Annotated[bool, meta("target", "Its size gives no bonus", "DW-RANGE-2")] = False


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
"""What a turn in melee may be used for."""


class Fight(Against, Skilled, Strong, frozen=True):
    """A turn of melee: one action of the attacker."""

    action: Annotated[Deed, meta("attacker", "Action", "DW-ACT-00", form="mode")] = "standard"
    to_hit: ToHit = None
    own_strength: Annotated[Stat, meta("attacker", "Strength, for tests of it", "DW-ACT-KNOCK-DOWN")] = 40
    kind: Annotated[Kind, meta("weapon", "Class of weapon", "DW-MWEP-00")] = "Melee"
    damage: Annotated[str, meta("weapon", "Damage without strength, such as 1d10+3", "DW-MWEP-00", short="Damage")] = (
        "1d10+3"
    )
    damage_type = "R"
    pen = 4
    qualities: QualitiesOf = BLADE_QUALITIES
    pair: Annotated[bool, meta("weapon", "A pair of claws; found out if both weapons are named", "DW-QUAL-SPECIAL")] = (
        False
    )
    called: Annotated[Spot | None, meta("attacker", "Place aimed at, of a called shot", "DW-ACT-CALLED-SHOT")] = None
    weapon2: Annotated[str, meta("weapon", "Second weapon's profile", "DW-TWOW-2")] = ""
    kind2: Annotated[Kind | None, meta("weapon", "Its class; Melee or Pistol if left out", "DW-TWOW-1")] = None
    damage2: Annotated[str, meta("weapon", "Its damage", "DW-TWOW-2")] = "1d10+3"
    damage_type2: Annotated[DamageType, meta("weapon", "Its damage type", "DW-TWOW-2")] = "R"
    pen2: Annotated[int, meta("weapon", "Its penetration", "DW-TWOW-2", ge=0, le=60)] = 4
    qualities2: Annotated[tuple[str, ...], meta("weapon", "Its qualities", "DW-TWOW-2", known=QUALITIES)] = (
        BLADE_QUALITIES
    )
    doubles_sb2: Annotated[bool, meta("weapon", "It doubles the strength bonus too", "DW-MWEP-00")] = False
    special2: Annotated[Special, meta("weapon", "What its “special” stands for", "DW-QUAL-SPECIAL")] = "none"
    grade2: Annotated[Grade, meta("weapon", "Its craftsmanship", "DW-CRAFT-COMMON")] = "common"
    gun2: Annotated[bool, meta("weapon", "It is a pistol", "DW-TWOW-2")] = False
    skill2: Annotated[Skill | None, meta("attacker", "Skill with it; as the first if left out", "DW-TWOW-2")] = None
    trained2: Annotated[bool, meta("attacker", "Trained with it", "DW-UNTR-1")] = True
    target_ws: Annotated[Stat, meta("target", "Weapon Skill", "DW-ACT-FEINT")] = 40
    armed: Annotated[bool, meta("target", "It is armed", "DW-UNARM-1")] = True
    parry: Annotated[Skill | None, meta("target", "Weapon Skill it parries with; none if it cannot", "DW-EVA-3")] = None
    parry_with: Annotated[str, meta("target", "Weapon it parries with", "DW-EVA-3", profile="weapon")] = ""
    parry_qualities: Annotated[
        tuple[str, ...], meta("target", "Qualities of that weapon", "DW-EVA-3", known=QUALITIES)
    ] = ()
    guarded: Annotated[
        bool, meta("target", "It made a guarded attack", "DW-ACT-GUARDED-ATTACK", form="circumstance", short="Guarded")
    ] = False
    defensive_stance: Annotated[
        bool,
        meta(
            "target", "In a defensive stance", "DW-ACT-DEFENSIVE-STANCE", form="circumstance", short="Defensive stance"
        ),
    ] = False
    grappled: Annotated[
        bool, meta("target", "In a grapple", "DW-ACT-GRAPPLE", form="circumstance", short="Grappled")
    ] = False


# --- the fighters that inputs describe --------------------------------------------------------------------------------


class Given(Fighter, frozen=True, kw_only=True, cache_hash=True):
    """A fighter of a question: these numbers are given, whatever a profile would come to."""

    name: str = ""
    side: str = ""
    sb: int = 0
    tens: int = 3
    dodge: int | None = None
    reaction: Reaction = "none"


def part_of(inputs: Inputs, names: Mapping[str, str]) -> dict[str, Any]:
    """What inputs say by these names, as far as the question asks for it."""
    return {name: getattr(inputs, given) for name, given in names.items() if hasattr(inputs, given)}


_WEAPON = {name: name for name in Weapon.__struct_fields__ if name not in (*OWN_WORDS, "group", "melee")}
_GROUPS = {"none": "", "claws": "Power", "force": "Force"}
_STATES = {
    **{name: name for name in ("sealed", "surprised", "running", "guarded", "dodge", "reaction")},
    **{"primitive": "primitive_armour", "defensive": "defensive_stance", "sb": "target_sb", "tens": "tb"},
}
"""Of a fighter the names that inputs about the target have for it."""
FOE = "foe"
"""A tag of everybody attacked, against whom fury may need no confirming."""


def weapon_of(inputs: Any, melee: bool = False) -> Weapon:
    """The weapon of these numbers as a profile."""
    group = _GROUPS[getattr(inputs, "special", "none")]
    return Weapon(name=inputs.weapon, melee=melee, group=group, **part_of(inputs, _WEAPON))


def attacker_of(inputs: Any, melee: bool = False, **numbers: Any) -> Given:
    """The attacker, with its weapon in hand; twice if it is one of a pair."""
    sure = (FOE,) if inputs.fury == "sure" else ()
    skill = {"bs": getattr(inputs, "ws", 0)}  # of both weapons, where there is one for them
    fury = {"fury": inputs.fury != "none", "fury_sure_against": sure}
    profile = Character(**{**skill, **part_of(inputs, OF_ATTACKER), **fury, **numbers})
    held = Held(weapon_of(inputs, melee), **{"clip": ENOUGH, "braced": True, **part_of(inputs, _HELD)})
    return Given(
        side="attacker",
        profile=profile,
        sb=getattr(inputs, "sb", 0),
        aim=inputs.aim,
        conditions=Conditions(**part_of(inputs, {"fatigue": "fatigue", "pinned": "pinned"})),
        held=(held, held) if getattr(inputs, "pair", False) else (held,),
    )


_HELD = {"clip": "clip", "braced": "braced"}


def attacked(inputs: Any) -> Given:
    """The character attacked, as far as the question asks for it."""
    suit = {"head": inputs.head, "arm": inputs.arm, "body": inputs.body, "leg": inputs.leg}
    concealed = "shoot_completely_concealed" in map(situation_key, getattr(inputs, "situations", ()))
    cover_ap, hidden = parse_cover(inputs.cover, ("all",) if concealed else inputs.hidden) if inputs.cover else (0, ())
    numbers = {**part_of(inputs, OF_TARGET), "tags": (FOE, "daemon") if inputs.daemon else (FOE,)}
    numbers["kind"] = "minion" if getattr(inputs, "minion", False) else "character"
    blades: tuple[Held, ...] = ()
    if isinstance(inputs, Fight) and inputs.parry is not None:
        numbers["ws"], blades = inputs.parry, (Held(Weapon(melee=True, qualities=inputs.parry_qualities)),)
    return Given(
        side="defender",
        profile=Character(**numbers),
        armour=tuple(suit[place_of(spot)] for spot in SPOTS),
        cover_ap=cover_ap,
        hidden=hidden,
        conditions=Conditions(**part_of(inputs, {"stunned": "stunned", "prone": "prone"})),
        held=blades,
        grappled_with="somebody" if getattr(inputs, "grappled", False) else "",
        **part_of(inputs, _STATES),
    )


def setting_of(inputs: Armed, held: Held, rules: Rulings = DEFAULT, **more: Any) -> Setting:
    """What inputs say of an attack besides attacker and target; out of reach or with the wrong hand is refused."""
    known = part_of(inputs, {name: name for name in ("engaged", "armed", "to_hit")})
    known |= {} if held.weapon.melee or not isinstance(inputs, Shooter | Ranged) else {"band": band_of(inputs, rules)}
    if inputs.off_hand and "other" not in more:
        insist(refuse_two_weapons((replace(held.weapon, name=held.name or "the weapon", melee=True),)))
        more["other"] = off_hand(inputs.talents)
    return Setting(
        **{"rules": rules, "untrained": not inputs.trained, "by_side": False, **known, **more},
        situations=inputs.situations,
        modifier=inputs.modifier,
    )


def band_of(inputs: Shooter | Ranged, rules: Rulings = DEFAULT) -> Band | None:
    """The range band of the shot, flames have none; out of reach is refused."""
    qualities = values(inputs.qualities)
    if qualities.flame or inputs.band is None:
        insist(refuse_range(inputs.weapon or "the weapon", inputs.range, inputs.distance, qualities.flame))
    return None if qualities.flame else inputs.band or band(inputs.range, inputs.distance, False, rules)


def fire_of(
    inputs: Armed,
    target: Unit,
    mode: Mode,
    called: Spot | None = None,
    rules: Rulings = DEFAULT,
    **more: Any,
) -> AttackDraft:
    """A shot or burst of this gun; a mode it does not have, or a clip too small for it, is refused."""
    who = attacker_of(inputs)
    gun, setting = who.held[0], setting_of(inputs, who.held[0], rules, **more)
    insist(
        refuse_mode(gun.weapon, mode, gun.clip, rules=rules),
        refuse_called(mode, gun.qualities.flame, bool(gun.qualities.blast)) if called else None,
    )
    return draft_of(who, gun, target, setting, "called" if called else ACTIONS[mode], mode, called)


def attack_on(draft: AttackDraft, names: tuple[str, ...], target: Given) -> Spec:
    """The attack of a draft on this character; a reaction that is not allowed is refused."""
    _refuse_reaction(target, draft.melee, values(names).flame)
    return fighters.attack_on(draft, names, defender_of(target, None, draft.melee, rules=draft.rules), target)


def _refuse_reaction(target: Given, melee: bool, flames: bool) -> None:
    """Raise if the defender is to react and cannot."""
    if target.reaction == "none":
        return
    state = reacting(target)
    state = replace(state, hindered=(*state.hindered, "flames")) if flames else state
    qualities = target.blades[0].qualities if target.blades else NO_QUALITIES
    parries = target.reaction == "parry"
    insist(refuse_parry(state, melee, qualities=qualities) if parries else refuse_reaction(state))
    can = {"dodge": target.dodge is not None, "parry": bool(in_turn(target))}
    wanted = ("dodge", "parry") if target.reaction == "choose" else (target.reaction,)
    if not any(can[reaction] for reaction in wanted):
        names = " or ".join(wanted)
        raise BadInput(f"the target has no skill to {names} with; give it one (DW-EVA-1)", field="reaction")


@clause("DW-CRIT-2")
def warn_between(inputs: Against, attacks: int) -> list[str]:
    """What critical rows do that later attacks ignore here; minions do not live to see it."""
    return [BETWEEN] if attacks > 1 and not inputs.minion else []


BETWEEN = (
    "Of the effects of critical rows only death and lost armour change later attacks here; stun, fatigue, fire, "
    "blood loss and lower Toughness count in a battle, from one action to the next (DW-CRIT-2)."
)


def health_of(inputs: Against) -> int:
    """Wounds left, or all of them if none are given."""
    if inputs.health is not None and inputs.health > inputs.wounds:
        raise BadInput(f"health must be {inputs.wounds} wounds or less; got {inputs.health} (DW-DMG-1)", field="health")
    return inputs.wounds if inputs.health is None else inputs.health


# --- rulings that can change the answers ------------------------------------------------------------------------------

OF_TESTS = ("degrees", "modifier_cap", "auto_results")
OF_FATIGUE = ("fatigue_penalty",)
OF_SITUATIONS = ("combat_table", "same_condition")
OF_PLACES = ("hit_location", "cover_and_penetration", "cover_doubles", "cover_degrades", "ap_doublings")
OF_JAMS = ("jam_roll", "reliable_roll", "poor_and_reliable", "overheating_shot")
OF_BURSTS = ("storm", "twin_linked_hit", "scatter_with_burst", "accurate_dice")
OF_GUNS = ("point_blank", "short_clip", *OF_JAMS, *OF_BURSTS, "scatter_distance", "untrained_flame")
OF_HARM = ("tearing", "dos_minimum_die", "righteous_fury", "felling", "critical_track", "shocking_rounds")
OF_CONTESTS = ("opposed_ties", "opposed_failures")
OF_SHOTS = (
    *(*OF_TESTS, *OF_FATIGUE, *OF_SITUATIONS, *OF_GUNS, "jam_clear_empties_clip", "multi_dodge", *OF_PLACES),
    *OF_HARM,
)
"""Of the questions `shoot` and `fire_mode`."""
