"""Inputs that questions share, the fighters and attacks made of them, and rulings."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from battletape.cards import Inputs, asked, described, part_of
from battletape.rulebook import BadInput, Caution, Meta, Refused, clause, keywords_in_words, raise_if_refused, replace
from battletape.rulesets.deathwatch.profiles.book import OF_ATTACKER, OF_TARGET, WEAPON_ONLY
from battletape.rulesets.deathwatch.profiles.types import Ap, Character, Kind, Rof, Stat, WeaponProfile
from battletape.rulesets.deathwatch.rules import traits
from battletape.rulesets.deathwatch.rules.attack import fighters, stages
from battletape.rulesets.deathwatch.rules.attack.modifiers import Action, band, refuse_range
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, PreparedAttack
from battletape.rulesets.deathwatch.rules.conditions import Conditions
from battletape.rulesets.deathwatch.rules.guns import refuse_called, refuse_mode
from battletape.rulesets.deathwatch.rules.keywords import KEYWORDS, LISTED, qualities_named
from battletape.rulesets.deathwatch.rules.melee import off_hand, refuse_two_weapons
from battletape.rulesets.deathwatch.rules.talents import TALENTS
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables.sheet import COVER, DIFFICULTIES, SITUATIONS, parse_cover

BOLTER_QUALITIES = tuple(keyword.name for keyword in KEYWORDS if "DW-QUAL-TEARING" in keyword.clauses)
BLADE_QUALITIES = tuple(
    keyword.name for keyword in KEYWORDS if {"DW-QUAL-BALANCED", "DW-QUAL-TEARING"} & {*keyword.clauses}
)
"""Qualities of a bolter and of a chainsword, which stand in the forms until another weapon is named."""
# names that a player may give, each with a few words about it
COVERS = {name: f"{points} AP" for name, points in COVER.items()}
TALENT_NAMES = tuple(talent.name for talent in TALENTS)
QUALITIES = keywords_in_words(LISTED)
DIFFICULTY_WORDS = {name: f"{number:+d}" if number else "no modifier" for name, number in DIFFICULTIES.items()}
SITUATION_WORDS = {key: row.words for key, row in SITUATIONS.items()}
Names = tuple[str, ...]
SkillNumber = Annotated[int, Meta(ge=0, le=150)]
TargetNumber = Annotated[int, Meta(ge=-200, le=300)]
"""Of a test: what it must roll or less."""
Reaction = Literal["none", "dodge", "parry", "choose"]
Special = Literal["none", "claws", "force"]
SPECIAL_NOTE = "claws: more damage for each degree; force: more in the hands of a psyker"
CHOOSE_NOTE = "choose: the defender picks dodge or parry, or neither, once hit"
# inputs that more than one question has
Ws = Annotated[Stat, described("Weapon Skill", "DW-TEST-1", group="attacker", short="WS")]
Sb = Annotated[int, described("Strength bonus", "DW-MWEP-00", group="attacker", ge=0, le=60, short="SB")]
Single = Annotated[bool, described("It fires single shots", "DW-RWEP-00", group="weapon")]
Semi = Annotated[Rof, described("Rounds of a semi-auto burst", "DW-AUTO-1", about=", 0 if it has none", group="weapon")]
Full = Annotated[Rof, described("Rounds of a full-auto burst", "DW-AUTO-2", about=", 0 if it has none", group="weapon")]
ToHit = Annotated[
    TargetNumber | None,
    described("Target number of the attack itself", "DW-TEST-1", about="nothing is added", group="attacker"),
]
SizeOf = Annotated[traits.Size, described("Size", "DW-RANGE-2", group="target")]
ModeOf = Annotated[
    traits.Mode, described("Fire mode", "DW-RWEP-00", group="attacker", form="mode", beside="jammed:jams")
]
AimOf = Annotated[traits.Aim, described("Aim taken before", "DW-ACT-AIM", group="attacker", chip="Aim")]
PsyRating = Annotated[int, described("Psy Rating", "DW-QUAL-SPECIAL", group="attacker", ge=0, le=10)]
QualitiesOf = Annotated[Names, described("Qualities", group="weapon", known=QUALITIES, short="Qualities")]
Situations = Annotated[
    Names, described("Situations of the combat summary", "DW-SUMM-00", group="circumstances", known=SITUATION_WORDS)
]
Cover = Annotated[str, described("Cover", "DW-COVER-2", group="target", chip="Cover", known=COVERS)]
FURY_NOTE = "none: it has none; confirm: a second roll to hit confirms it; sure: it needs no confirming"
Confirmed = Literal["none", "confirm", "sure"]
Fury = Annotated[Confirmed, described("Righteous fury", "DW-RF-3", group="attacker", note=FURY_NOTE)]
Hidden = Annotated[
    Names,
    described(
        "Places behind the cover",
        "DW-COVER-1",
        about="all if none is named",
        group="target",
        form="places",
        known=traits.SPOTS,
    ),
    described(short="Behind the cover"),
]
Surprised = Annotated[bool, described("Surprised or unaware", "DW-COND-SURPRISED", group="target", chip="Surprised")]
Running = Annotated[bool, described("Running", "DW-ACT-RUN", group="target", chip="Running")]
IsArmed = Annotated[bool, described("It is armed", "DW-UNARM-1", group="target")]
Engaged = Annotated[
    bool, described("In melee with the target", "DW-COND-ENGAGED", group="circumstances", chip="In melee")
]
OnOverwatch = Annotated[bool, described("Fired from overwatch", "DW-OVER-2", group="circumstances", chip="Overwatch")]
# parts of which the inputs of questions are put together


class AttackerInputs(Inputs, frozen=True):
    """The attacker, and its state."""

    attacker: str = asked("", "Attacker's profile", group="attacker", profile="character")
    talents: Names = asked((), "Talents", group="attacker", known=TALENT_NAMES)
    fury: Fury = "none"
    psy_rating: PsyRating = 0
    own_willpower: Stat = asked(0, "Willpower of a psyker", "DW-QUAL-SPECIAL", group="attacker")
    trained: bool = asked(True, "Trained with the weapon", "DW-UNTR-1", group="attacker")
    off_hand: bool = asked(False, "With the off hand", "DW-TWOW-1", group="attacker")
    fatigue: int = asked(0, "Levels of fatigue", "DW-FAT-1", group="attacker", ge=0, le=40)
    aim: AimOf = "none"


class MeleeSkillInputs(Inputs, frozen=True):
    """A fighter in melee."""

    ws: Ws = 50


class MeleeStrengthInputs(Inputs, frozen=True):
    """The Strength bonus of an attacker in melee, what it is made of, and what the weapon does with it."""

    sb: Sb = 8
    times_sb: int = asked(2, "Times unnatural strength", "DW-MWEP-00", group="attacker", ge=1, le=6)
    more_sb: int = asked(0, "Part of it that a suit adds", "DW-MWEP-00", group="attacker", ge=0, le=20)
    doubles_sb: bool = asked(False, "It doubles the strength bonus", "DW-MWEP-00", group="weapon")
    pair: bool = asked(False, "A pair of claws", "DW-QUAL-SPECIAL", group="weapon")


class WeaponInputs(Inputs, frozen=True):
    """A weapon: what each of its hits does."""

    weapon: str = asked("", "Weapon's profile", group="weapon", profile="weapon")
    ammunition: str = asked("", "What a launcher fires", "DW-RWEP-24", group="weapon", profile="weapon", worn=True)
    kind: Kind = asked("Basic", "Class of weapon", "DW-RWEP-00", group="weapon")
    damage: str = asked("2d10+5", "Damage", "DW-RWEP-00", about=", such as 2d10+5", group="weapon", short="Damage")
    damage_type: traits.DamageType = asked("X", "Damage type", "DW-CRIT-1", group="weapon")
    pen: int = asked(5, "Penetration", "DW-DMG-3", group="weapon", short="Pen", ge=0, le=60)
    qualities: QualitiesOf = BOLTER_QUALITIES
    special: Special = asked("none", "What “special” stands for", "DW-QUAL-SPECIAL", group="weapon", note=SPECIAL_NOTE)
    grade: traits.Grade = asked("common", "Craftsmanship", "DW-CRAFT-COMMON", group="weapon")


class ArmedAttackerInputs(AttackerInputs, WeaponInputs, frozen=True):
    """An attacker with a weapon: everything that does not depend on the target."""

    situations: Situations = ()
    modifier: int = asked(0, "Anything else to hit", "DW-TEST-1", group="circumstances", ge=-200, le=200)


class GunInputs(Inputs, frozen=True):
    """A gun, how well it is fired, and from how far away."""

    bs: Stat = asked(50, "Ballistic Skill", "DW-TEST-1", group="attacker", short="BS")
    pinned: bool = asked(False, "The attacker is pinned", "DW-PIN-1", group="attacker", chip="Pinned")
    barrel: str = asked(
        "", "Second barrel of a combi-weapon, by its profile", "DW-RWEP-04", group="weapon", profile="weapon"
    )
    single: Single = True
    semi: Semi = 2
    full: Full = 4
    range: int = asked(100, "Range", "DW-RANGE-1", group="weapon", unit="metres", short="Range", ge=0, le=2000)
    clip: int = asked(28, "Rounds in the clip", "DW-RWEP-00", group="weapon", short="Clip", ge=0, le=500)
    reload: int = asked(1, "Full Actions to reload", "DW-ACT-RELOAD", group="weapon", ge=0, le=10)
    distance: float = asked(
        30.0, "Distance", "DW-RANGE-1", group="circumstances", unit="metres", form="circumstance", ge=0, le=10_000
    )
    band: traits.Band | None = asked(
        None, "Range band", "DW-RANGE-1", about=", whatever the distance", group="circumstances"
    )
    braced: bool = asked(
        True, "A heavy weapon is braced", "DW-ACT-BRACE-HEAVY-WEAPON", group="circumstances", chip="Braced"
    )
    no_bracing: bool = asked(
        False, "A talent or suit carries heavy weapons unbraced", "DW-ACT-BRACE-HEAVY-WEAPON", group="attacker"
    )


class ShooterInputs(ArmedAttackerInputs, GunInputs, frozen=True):
    """An attacker with a gun, for any target."""


class TargetBodyInputs(Inputs, frozen=True):
    """The body that is hit, and the armour it wears."""

    target: str = asked("", "Target's profile", group="target", profile="character")
    armour: Names = asked((), "Armour worn", "DW-ARM-2", group="target", profile="armour")
    head: Ap = asked(8, "AP on the head", "DW-ARM-1", group="target", short="Head")
    arm: Ap = asked(8, "AP on the arms", "DW-ARM-1", group="target", short="Arms")
    body: Ap = asked(10, "AP on the body", "DW-ARM-1", group="target", short="Body")
    leg: Ap = asked(8, "AP on the legs", "DW-ARM-1", group="target", short="Legs")
    primitive_armour: bool = asked(False, "The armour is primitive", "DW-QUAL-PRIMITIVE", group="target")
    tb: int = asked(4, "Toughness bonus, tens only", "DW-DMG-3", group="target", short="TB", ge=0, le=30)
    unnatural_toughness: int = asked(2, "Times unnatural toughness", "DW-DMG-3", group="target", ge=1, le=6)
    more_tb: int = asked(0, "More toughness bonus", "DW-DMG-3", group="target", ge=0, le=20)
    toughness: Stat = asked(40, "Toughness", "DW-CRIT-2", group="target")
    agility: Stat = asked(40, "Agility", "DW-QUAL-FLAME", group="target")
    target_sb: int = asked(8, "Strength bonus", "DW-QUAL-CONCUSSIVE", group="target", ge=0, le=60)
    daemon: bool = asked(False, "A daemon", "DW-QUAL-SANCTIFIED", group="target")


class TargetHealthInputs(Inputs, frozen=True):
    """The wounds of a character, and how much it can take."""

    wounds: int = asked(21, "Wounds", "DW-DMG-1", group="target", short="Wounds", ge=1, le=500)
    health: int | None = asked(
        None,
        "Wounds left, below 0 the critical damage",
        "DW-DMG-1",
        about="as many as it has if left out",
        group="target",
        ge=-9,
        le=500,
    )
    willpower: Stat = asked(40, "Willpower", "DW-COND-FIRE", group="target")
    minion: bool = asked(False, "Dies of the first critical damage", "DW-DMG-4", group="target")
    true_grit: bool = asked(False, "Halves critical damage", "DW-DMG-2", group="target")


class AttackInputs(ArmedAttackerInputs, TargetBodyInputs, TargetHealthInputs, frozen=True):
    """An attacker with a weapon, and the character attacked."""

    sealed: bool = asked(True, "The armour is sealed", "DW-COND-FIRE", group="target")
    strength: Stat = asked(40, "Strength", "DW-QUAL-CONCUSSIVE", group="target")
    immune_blood_loss: bool = asked(False, "Does not bleed", "DW-BLOOD-1", group="target")
    dodge: SkillNumber | None = asked(None, "Dodge", "DW-EVA-2", about="none if it cannot", group="target")
    reaction: Reaction = asked(
        "none", "Reaction of the target", "DW-EVA-1", group="target", chip="Reaction", note=CHOOSE_NOTE
    )
    cover: Cover = ""
    hidden: Hidden = ()
    stunned: bool = asked(False, "Stunned", "DW-STUN-1", group="target", chip="Stunned")
    prone: bool = asked(False, "Prone", "DW-COND-PRONE", group="target", chip="Prone")
    surprised: Surprised = False
    running: Running = False


class RangedInputs(AttackInputs, GunInputs, frozen=True):
    """An attacker with a gun, and the character fired at."""

    engaged: Engaged = False
    size: SizeOf = "Average"
    size_hidden: bool = asked(False, "Its size gives no bonus", "DW-RANGE-2", group="target")


BlowAction = Literal["standard", "all_out", "charge", "guarded"]
TrialAction = Literal["feint_and_attack", "knock_down", "manoeuvre", "grapple"]
MeleeAction = Literal[BlowAction, "called", "stun", "swift", "lightning", "two_weapons", TrialAction, "unarmed"]
"""Actions of a turn in melee."""


class FightInputs(AttackInputs, MeleeSkillInputs, MeleeStrengthInputs, frozen=True):
    """A turn of melee: one action of the attacker."""

    action: MeleeAction = asked("standard", "Action", "DW-ACT-00", group="attacker", form="mode")
    to_hit: ToHit = None
    own_strength: Stat = asked(40, "Strength, for tests of it", "DW-ACT-KNOCK-DOWN", group="attacker")
    kind: Kind = asked("Melee", "Class of weapon", "DW-MWEP-00", group="weapon")
    damage: str = asked(
        "1d10+3", "Damage without strength", "DW-MWEP-00", about=", such as 1d10+3", group="weapon", short="Damage"
    )
    damage_type = "R"
    pen = 4
    qualities: QualitiesOf = BLADE_QUALITIES
    pair: bool = asked(
        False, "A pair of claws", "DW-QUAL-SPECIAL", about="found out if both weapons are named", group="weapon"
    )
    called: traits.Spot | None = asked(None, "Place aimed at, of a called shot", "DW-ACT-CALLED-SHOT", group="attacker")
    weapon2: str = asked("", "Second weapon's profile", "DW-TWOW-2", group="weapon", profile="weapon")
    kind2: Kind | None = asked(None, "Its class", "DW-TWOW-1", about="Melee or Pistol if left out", group="weapon")
    damage2: str = asked("1d10+3", "Its damage", "DW-TWOW-2", group="weapon")
    damage_type2: traits.DamageType = asked("R", "Its damage type", "DW-TWOW-2", group="weapon")
    pen2: int = asked(4, "Its penetration", "DW-TWOW-2", group="weapon", ge=0, le=60)
    qualities2: Names = asked(BLADE_QUALITIES, "Its qualities", "DW-TWOW-2", group="weapon", known=QUALITIES)
    doubles_sb2: bool = asked(False, "It doubles the strength bonus too", "DW-MWEP-00", group="weapon")
    special2: Special = asked("none", "What its “special” stands for", "DW-QUAL-SPECIAL", group="weapon")
    grade2: traits.Grade = asked("common", "Its craftsmanship", "DW-CRAFT-COMMON", group="weapon")
    gun2: bool = asked(False, "It is a pistol", "DW-TWOW-2", group="weapon")
    skill2: SkillNumber | None = asked(
        None, "Skill with it", "DW-TWOW-2", about="as the first if left out", group="attacker"
    )
    trained2: bool = asked(True, "Trained with it", "DW-UNTR-1", group="attacker")
    target_ws: Stat = asked(40, "Weapon Skill", "DW-ACT-FEINT", group="target")
    armed: IsArmed = True
    parry: SkillNumber | None = asked(
        None, "Weapon Skill it parries with", "DW-EVA-3", about="none if it cannot", group="target"
    )
    parry_with: str = asked("", "Weapon it parries with", "DW-EVA-3", group="target", profile="weapon", worn=True)
    parry_qualities: Names = asked((), "Qualities of that weapon", "DW-EVA-3", group="target", known=QUALITIES)
    guarded: bool = asked(False, "It made a guarded attack", "DW-ACT-GUARDED-ATTACK", group="target", chip="Guarded")
    defensive_stance: bool = asked(
        False, "In a defensive stance", "DW-ACT-DEFENSIVE-STANCE", group="target", chip="Defensive stance"
    )
    grappled: bool = asked(False, "In a grapple", "DW-ACT-GRAPPLE", group="target", chip="Grappled")


# --- the fighters that inputs describe --------------------------------------------------------------------------------


class QuestionFighter(fighters.Fighter, frozen=True, kw_only=True):
    """A fighter of a question: these numbers are given, in place of those worked out from a profile."""

    name: str = ""
    side: str = ""
    sb: int = 0
    toughness_tens: int = 3
    dodge: int | None = None
    reaction: Reaction = "none"


_WEAPON = tuple(name for name in WeaponProfile.__struct_fields__ if name not in (*WEAPON_ONLY, "group", "melee"))
_GROUPS = {"none": "", "claws": "Power", "force": "Force"}
_STATES = {"primitive_armour": "primitive", "target_sb": "sb", "tb": "toughness_tens"}
"""Inputs about the target, and what a fighter calls them."""
TARGET_TAG = "foe"
"""A tag of every target, so that fury may need no confirming against it."""


def weapon_of(inputs: Any, melee: bool = False) -> WeaponProfile:
    """Return the weapon of these numbers as a profile."""
    group = _GROUPS[getattr(inputs, "special", "none")]
    return WeaponProfile(name=inputs.weapon, melee=melee, group=group, **part_of(inputs, *_WEAPON))


def attacker_of(inputs: Any, melee: bool = False, **numbers: Any) -> QuestionFighter:
    """Return the attacker, with its weapon in hand; twice if it is one of a pair."""
    sure = (TARGET_TAG,) if inputs.fury == "sure" else ()
    skill = {"bs": getattr(inputs, "ws", 0)}  # of both weapons, where there is one for them
    fury = {"fury": inputs.fury != "none", "fury_sure_against": sure}
    profile = Character(**{**skill, **part_of(inputs, **OF_ATTACKER), **fury, **numbers})
    carried = fighters.CarriedWeapon(
        weapon_of(inputs, melee),
        **{"clip": fighters.UNCOUNTED_ROUNDS, "braced": True, **part_of(inputs, "clip", "braced")},
    )
    return QuestionFighter(
        side="attacker",
        profile=profile,
        sb=getattr(inputs, "sb", 0),
        aim=inputs.aim,
        conditions=Conditions(**part_of(inputs, "fatigue", "pinned")),
        weapons=(carried, carried) if getattr(inputs, "pair", False) else (carried,),
    )


def target_of(inputs: Any) -> QuestionFighter:
    """Return the character attacked, as far as the question has inputs for it."""
    cover_ap, hidden = parse_cover(inputs.cover, inputs.hidden) if inputs.cover else (0, ())
    numbers = {**part_of(inputs, **OF_TARGET), "tags": (TARGET_TAG, "daemon") if inputs.daemon else (TARGET_TAG,)}
    numbers["kind"] = "minion" if getattr(inputs, "minion", False) else "character"
    blades: tuple[fighters.CarriedWeapon, ...] = ()
    if isinstance(inputs, FightInputs) and inputs.parry is not None:
        numbers["ws"], blades = (
            inputs.parry,
            (fighters.CarriedWeapon(WeaponProfile(melee=True, qualities=inputs.parry_qualities)),),
        )
    return QuestionFighter(
        side="defender",
        profile=Character(**numbers),
        armour=tuple(getattr(inputs, traits.place_of(spot)) for spot in traits.SPOTS),
        cover_ap=cover_ap,
        hidden=hidden,
        conditions=Conditions(**part_of(inputs, "stunned", "prone")),
        weapons=blades,
        grappled_with="somebody" if getattr(inputs, "grappled", False) else "",
        done=fighters.Done(**part_of(inputs, "running", "guarded", defensive_stance="defensive")),
        **part_of(inputs, "sealed", "surprised", "dodge", "reaction", **_STATES),
    )


def setting_of(
    inputs: ArmedAttackerInputs, carried: fighters.CarriedWeapon, rulings: Rulings = DEFAULT, **more: Any
) -> fighters.AttackSetting:
    """Return the setting of an attack from inputs; refuse targets out of reach and a wrong hand."""
    known = part_of(inputs, "engaged", "armed", "to_hit")
    known |= (
        {}
        if carried.profile.melee or not isinstance(inputs, ShooterInputs | RangedInputs)
        else {"band": band_of(inputs, rulings)}
    )
    if inputs.off_hand and "other" not in more:
        raise_if_refused(refuse_two_weapons((replace(carried.profile, name=carried.name or "the weapon", melee=True),)))
        more["other"] = off_hand(inputs.talents)
    return fighters.AttackSetting(
        **{"rulings": rulings, "untrained": not inputs.trained, "by_side": False, **known, **more},
        situations=inputs.situations,
        modifier=inputs.modifier,
    )


def band_of(inputs: ShooterInputs | RangedInputs, rulings: Rulings = DEFAULT) -> traits.Band | None:
    """Return the range band of the shot, None for flames; refuse targets out of reach."""
    qualities = qualities_named(inputs.qualities)
    if qualities.flame or inputs.band is None:
        raise_if_refused(refuse_range(inputs.weapon or "the weapon", inputs.range, inputs.distance, qualities.flame))
    return None if qualities.flame else inputs.band or band(inputs.range, inputs.distance, rulings)


def shot_draft(
    inputs: ArmedAttackerInputs, target: fighters.Unit, mode: traits.Mode, rulings: Rulings = DEFAULT, **more: Any
) -> AttackDraft:
    """Return a shot or burst of this gun; refuse a mode it does not have, or a clip too small for it."""
    called, overwatch = getattr(inputs, "called", None), getattr(inputs, "on_overwatch", False)
    if overwatch and mode == "single":
        raise Refused("overwatch fires a burst, semi or full; a single shot is not one", "DW-OVER-2", "mode")
    attacker = attacker_of(inputs)
    gun, setting = attacker.weapons[0], setting_of(inputs, attacker.weapons[0], rulings, overwatch=overwatch, **more)
    raise_if_refused(refuse_mode(gun.profile, mode, gun.clip, rulings=rulings))
    raise_if_refused(refuse_called(mode, gun.qualities.flame, bool(gun.qualities.blast)) if called else None)
    return fighters.draft_of(
        attacker, gun, target, setting, "called" if called else fighters.ACTIONS[mode], mode, called
    )


def blow_draft(
    inputs: ArmedAttackerInputs, target: fighters.Unit, rulings: Rulings = DEFAULT, action: Action = ""
) -> AttackDraft:
    """Return a blow with this weapon."""
    attacker = attacker_of(inputs, True)
    return fighters.draft_of(
        attacker, attacker.weapons[0], target, setting_of(inputs, attacker.weapons[0], rulings), action
    )


def attack_on(draft: AttackDraft, names: tuple[str, ...], target: QuestionFighter) -> PreparedAttack:
    """Return the attack of a draft on this character; refuse a reaction that is not allowed."""
    _refuse_reaction(target, draft.melee, qualities_named(names).flame)
    return fighters.attack_on(draft, names, target)


def _refuse_reaction(target: QuestionFighter, melee: bool, flames: bool) -> None:
    """Refuse a reaction that the defender cannot make."""
    if target.reaction == "none":
        return
    state = fighters.reaction_limits(target)
    state = replace(state, hindrances=(*state.hindrances, "flames")) if flames else state
    qualities = target.blades[0].qualities if target.blades else stages.NO_QUALITIES
    parries = target.reaction == "parry"
    raise_if_refused(
        stages.refuse_parry(state, melee, qualities=qualities) if parries else stages.refuse_reaction(state)
    )
    can = {"dodge": target.dodge is not None, "parry": bool(fighters.parrying_weapons(target))}
    wanted = ("dodge", "parry") if target.reaction == "choose" else (target.reaction,)
    if not any(can[reaction] for reaction in wanted):
        names = " or ".join(wanted)
        raise BadInput(f"the target has no skill to {names} with; give it one", field="reaction", clause="DW-EVA-1")


@clause("DW-CRIT-2")
def warnings_between(inputs: AttackInputs, attacks: int) -> list[str | Caution]:
    """Warn that later attacks ignore what critical rows do, unless the target is a minion."""
    return [BETWEEN_ATTACKS] if attacks > 1 and not inputs.minion else []


BETWEEN_ATTACKS = Caution(
    "Of the effects of critical rows only death and lost armour change later attacks here; stun, fatigue, fire, "
    "blood loss and lower Toughness count in a battle, from one action to the next.",
    "DW-CRIT-2",
)


def health_of(inputs: AttackInputs) -> int:
    """Return the wounds left, or all of them if none are given."""
    if inputs.health is not None and inputs.health > inputs.wounds:
        raise BadInput.of("health", f"must be {inputs.wounds} wounds or less; got {inputs.health}", clause="DW-DMG-1")
    return inputs.wounds if inputs.health is None else inputs.health


# --- rulings that can change the answers ------------------------------------------------------------------------------

OF_TESTS = ("degrees", "modifier_cap", "auto_results")
OF_ATTACKS = (*OF_TESTS, "fatigue_penalty", "combat_table", "same_condition")
OF_PLACES = ("hit_location", "cover_and_penetration", "cover_doubles", "cover_degrades", "ap_doublings")
OF_JAMS = ("jam_roll", "reliable_roll", "poor_and_reliable", "overheating_shot")
OF_BURSTS = (*OF_JAMS, "storm", "twin_linked_hit", "scatter_with_burst", "accurate_dice")
OF_GUNS = (*OF_ATTACKS, "point_blank", "short_clip", *OF_BURSTS, "scatter_distance", "untrained_flame")
OF_DAMAGE = ("tearing", "dos_minimum_die", "righteous_fury", "felling")
OF_HARM = (*OF_DAMAGE, "critical_track", "shocking_rounds")
OF_CONTESTS = ("opposed_ties", "opposed_failures")
OF_SHOTS = (*OF_GUNS, "jam_clear_empties_clip", "multi_dodge", *OF_PLACES, *OF_HARM)
"""Of the questions `shoot` and `fire_mode`."""
OF_HANDS = ("multi_dodge", "power_field", "power_fist", "two_weapons_off_hand", "unarmed_fatigue")
OF_BLOWS = (*OF_ATTACKS, *OF_CONTESTS, *OF_JAMS, *OF_PLACES, *OF_HARM, "accurate_dice", *OF_HANDS)
"""Of the question `fight`."""
