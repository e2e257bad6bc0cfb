"""What questions share: inputs (attacker, weapon, target, circumstances), what dice make of them, and rulings."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from battletape.cards import Inputs, around, meta, of_attacker, of_target, of_weapon, part_of, short
from battletape.rulebook import BadInput, Meta, Refused, clause, raise_if_refused, replace
from battletape.rulesets.deathwatch.profiles.book import OF_ATTACKER, OF_TARGET, OWN_WORDS
from battletape.rulesets.deathwatch.profiles.types import Ap, Character, Kind, Rof, Stat, Weapon
from battletape.rulesets.deathwatch.rules.attack import fighters, stages
from battletape.rulesets.deathwatch.rules.attack.modifiers import Action, band, refuse_range
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, Spec
from battletape.rulesets.deathwatch.rules.conditions import Conditions
from battletape.rulesets.deathwatch.rules.guns import refuse_called, refuse_mode
from battletape.rulesets.deathwatch.rules.melee import off_hand, refuse_two_weapons
from battletape.rulesets.deathwatch.rules.qualities.keywords import LISTED, NUMBERED, ROWS, values
from battletape.rulesets.deathwatch.rules.talents import TALENTS
from battletape.rulesets.deathwatch.rules.traits import SPOTS, Aim, Band, DamageType, Grade, Mode, Size, Spot, place_of
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables.sheet import COVER, DIFFICULTIES, SITUATIONS, parse_cover

BOLTER_QUALITIES = tuple(name for name, *_, rule in ROWS if rule == "TEARING")
BLADE_QUALITIES = tuple(name for name, *_, rule in ROWS if rule in ("BALANCED", "TEARING"))
"""Qualities of a bolter and of a chainsword, which stand in the forms until another weapon is named."""
# names that a player may give, each with a few words about it
COVERS = {name: f"{points} AP" for name, points in COVER.items()}
TALENT_NAMES = tuple(talent.name for talent in TALENTS)
QUALITIES = {name: "with its number, such as (2)" if name in NUMBERED else "" for name in LISTED}
DIFFICULTY_WORDS = {name: f"{number:+d}" if number else "no modifier" for name, number in DIFFICULTIES.items()}
SITUATION_WORDS = {key: row.words for key, row in SITUATIONS.items()}
Names = tuple[str, ...]
Skill = Annotated[int, Meta(ge=0, le=150)]
Number = Annotated[int, Meta(ge=-200, le=300)]
"""Of a test: what it must roll or less."""
Reaction = Literal["none", "dodge", "parry", "choose"]
Special = Literal["none", "claws", "force"]
SPECIAL_NOTE = "claws: more damage for each degree; force: more in the hands of a psyker"
CHOOSE_NOTE = "choose: the defender picks dodge or parry, or neither, once hit"
# inputs that more than one question has
Ws = Annotated[Stat, meta("attacker", "Weapon Skill", "DW-TEST-1", short="WS")]
Sb = Annotated[int, meta("attacker", "Strength bonus", "DW-MWEP-00", ge=0, le=60, short="SB")]
Single = Annotated[bool, meta("weapon", "It fires single shots", "DW-RWEP-00")]
Semi = Annotated[Rof, meta("weapon", "Rounds of a semi-auto burst, 0 if it has none", "DW-AUTO-1")]
Full = Annotated[Rof, meta("weapon", "Rounds of a full-auto burst, 0 if it has none", "DW-AUTO-2")]
ToHit = Annotated[Number | None, meta("attacker", "Target number of the attack itself; nothing is added", "DW-TEST-1")]
SizeOf = Annotated[Size, meta("target", "Size", "DW-RANGE-2")]
ModeOf = Annotated[Mode, meta("attacker", "Fire mode", "DW-RWEP-00", form="mode", beside="jammed:jams")]
AimOf = Annotated[Aim, meta("attacker", "Aim taken before", "DW-ACT-AIM", chip="Aim")]
PsyRating = Annotated[int, meta("attacker", "Psy Rating", "DW-QUAL-SPECIAL", ge=0, le=10)]
QualitiesOf = Annotated[Names, meta("weapon", "Qualities", known=QUALITIES, short="Qualities")]
Situations = Annotated[
    Names, meta("circumstances", "Situations of the combat summary", "DW-SUMM-00", known=SITUATION_WORDS)
]
Cover = Annotated[str, meta("target", "Cover", "DW-COVER-2", chip="Cover", known=COVERS)]
FURY_NOTE = "none: it has none; confirm: a second roll to hit confirms it; sure: it needs no confirming"
Confirmed = Literal["none", "confirm", "sure"]
Fury = Annotated[Confirmed, meta("attacker", "Righteous fury", "DW-RF-3", description=FURY_NOTE)]
Hidden = Annotated[
    Names,
    meta("target", "Places behind the cover; all if none is named", "DW-COVER-1", form="places", known=SPOTS),
    short("Behind the cover"),
]
Surprised = Annotated[bool, meta("target", "Surprised or unaware", "DW-COND-SURPRISED", chip="Surprised")]
Running = Annotated[bool, meta("target", "Running", "DW-ACT-RUN", chip="Running")]
IsArmed = Annotated[bool, meta("target", "It is armed", "DW-UNARM-1")]
Engaged = Annotated[bool, meta("circumstances", "In melee with the target", "DW-COND-ENGAGED", chip="In melee")]
OnOverwatch = Annotated[bool, meta("circumstances", "Fired from overwatch", "DW-OVER-2", chip="Overwatch")]
# parts of which the inputs of questions are put together


class Attacker(Inputs, frozen=True):
    """Who attacks, and in which state."""

    attacker: str = of_attacker("", "Attacker's profile", profile="character")
    talents: Names = of_attacker((), "Talents", known=TALENT_NAMES)
    fury: Fury = "none"
    psy_rating: PsyRating = 0
    own_willpower: Stat = of_attacker(0, "Willpower of a psyker", "DW-QUAL-SPECIAL")
    trained: bool = of_attacker(True, "Trained with the weapon", "DW-UNTR-1")
    off_hand: bool = of_attacker(False, "With the off hand", "DW-TWOW-1")
    fatigue: int = of_attacker(0, "Levels of fatigue", "DW-FAT-1", ge=0, le=40)
    aim: AimOf = "none"


class Skilled(Inputs, frozen=True):
    """A fighter in melee."""

    ws: Ws = 50


class Strong(Inputs, frozen=True):
    """The Strength bonus of an attacker in melee, what it is made of, and what the weapon does with it."""

    sb: Sb = 8
    times_sb: int = of_attacker(2, "Times unnatural strength", "DW-MWEP-00", ge=1, le=6)
    more_sb: int = of_attacker(0, "Part of it that a suit adds", "DW-MWEP-00", ge=0, le=20)
    doubles_sb: bool = of_weapon(False, "It doubles the strength bonus", "DW-MWEP-00")
    pair: bool = of_weapon(False, "A pair of claws", "DW-QUAL-SPECIAL")


class Wielded(Inputs, frozen=True):
    """A weapon: what each of its hits does."""

    weapon: str = of_weapon("", "Weapon's profile", profile="weapon")
    ammunition: str = of_weapon("", "What a launcher fires", "DW-RWEP-24", profile="weapon", worn=True)
    kind: Kind = of_weapon("Basic", "Class of weapon", "DW-RWEP-00")
    damage: str = of_weapon("2d10+5", "Damage, such as 2d10+5", "DW-RWEP-00", short="Damage")
    damage_type: DamageType = of_weapon("X", "Damage type", "DW-CRIT-1")
    pen: int = of_weapon(5, "Penetration", "DW-DMG-3", ge=0, le=60, short="Pen")
    qualities: QualitiesOf = BOLTER_QUALITIES
    special: Special = of_weapon("none", "What “special” stands for", "DW-QUAL-SPECIAL", note=SPECIAL_NOTE)
    grade: Grade = of_weapon("common", "Craftsmanship", "DW-CRAFT-COMMON")


class Armed(Attacker, Wielded, frozen=True):
    """An attacker with a weapon: everything that does not depend on the target."""

    situations: Situations = ()
    modifier: int = around(0, "Anything else to hit", "DW-TEST-1", ge=-200, le=200)


class Gun(Inputs, frozen=True):
    """A gun, how well it is fired, and from how far away."""

    bs: Stat = of_attacker(50, "Ballistic Skill", "DW-TEST-1", short="BS")
    pinned: bool = of_attacker(False, "The attacker is pinned", "DW-PIN-1", chip="Pinned")
    barrel: str = of_weapon("", "Second barrel of a combi-weapon, by its profile", "DW-RWEP-04", profile="weapon")
    single: Single = True
    semi: Semi = 2
    full: Full = 4
    range: int = of_weapon(100, "Range", "DW-RANGE-1", "metres", ge=0, le=2000, short="Range")
    clip: int = of_weapon(28, "Rounds in the clip", "DW-RWEP-00", ge=0, le=500, short="Clip")
    reload: int = of_weapon(1, "Full Actions to reload", "DW-ACT-RELOAD", ge=0, le=10)
    distance: float = around(30.0, "Distance", "DW-RANGE-1", "metres", ge=0, le=10_000, form="circumstance")
    band: Band | None = around(None, "Range band, whatever the distance", "DW-RANGE-1")
    braced: bool = around(True, "A heavy weapon is braced", "DW-ACT-BRACE-HEAVY-WEAPON", chip="Braced")
    no_bracing: bool = of_attacker(
        False, "A talent or suit carries heavy weapons unbraced", "DW-ACT-BRACE-HEAVY-WEAPON"
    )


class Shooter(Armed, Gun, frozen=True):
    """An attacker with a gun, whatever the target."""


class Struck(Inputs, frozen=True):
    """The body that is hit, and what it wears."""

    target: str = of_target("", "Target's profile", profile="character")
    armour: Names = of_target((), "Armour worn", "DW-ARM-2", profile="armour")
    head: Ap = of_target(8, "AP on the head", "DW-ARM-1", short="Head")
    arm: Ap = of_target(8, "AP on the arms", "DW-ARM-1", short="Arms")
    body: Ap = of_target(10, "AP on the body", "DW-ARM-1", short="Body")
    leg: Ap = of_target(8, "AP on the legs", "DW-ARM-1", short="Legs")
    primitive_armour: bool = of_target(False, "The armour is primitive", "DW-QUAL-PRIMITIVE")
    tb: int = of_target(4, "Toughness bonus, tens only", "DW-DMG-3", ge=0, le=30, short="TB")
    unnatural_toughness: int = of_target(2, "Times unnatural toughness", "DW-DMG-3", ge=1, le=6)
    more_tb: int = of_target(0, "More toughness bonus", "DW-DMG-3", ge=0, le=20)
    toughness: Stat = of_target(40, "Toughness", "DW-CRIT-2")
    agility: Stat = of_target(40, "Agility", "DW-QUAL-FLAME")
    target_sb: int = of_target(8, "Strength bonus", "DW-QUAL-CONCUSSIVE", ge=0, le=60)
    daemon: bool = of_target(False, "A daemon", "DW-QUAL-SANCTIFIED")


class Alive(Inputs, frozen=True):
    """How much somebody can take."""

    wounds: int = of_target(21, "Wounds", "DW-DMG-1", ge=1, le=500, short="Wounds")
    health: int | None = of_target(
        None, "Wounds left, below 0 the critical damage; as many as it has if left out", "DW-DMG-1", ge=-9, le=500
    )
    willpower: Stat = of_target(40, "Willpower", "DW-COND-FIRE")
    minion: bool = of_target(False, "Dies of the first critical damage", "DW-DMG-4")
    true_grit: bool = of_target(False, "Halves critical damage", "DW-DMG-2")


class Against(Armed, Struck, Alive, frozen=True):
    """An attacker with a weapon, and the character attacked."""

    sealed: bool = of_target(True, "The armour is sealed", "DW-COND-FIRE")
    strength: Stat = of_target(40, "Strength", "DW-QUAL-CONCUSSIVE")
    immune_blood_loss: bool = of_target(False, "Does not bleed", "DW-BLOOD-1")
    dodge: Skill | None = of_target(None, "Dodge; none if it cannot", "DW-EVA-2")
    reaction: Reaction = of_target("none", "Reaction of the target", "DW-EVA-1", chip="Reaction", note=CHOOSE_NOTE)
    cover: Cover = ""
    hidden: Hidden = ()
    stunned: bool = of_target(False, "Stunned", "DW-STUN-1", chip="Stunned")
    prone: bool = of_target(False, "Prone", "DW-COND-PRONE", chip="Prone")
    surprised: Surprised = False
    running: Running = False


class Ranged(Against, Gun, frozen=True):
    """An attacker with a gun, and the character fired at."""

    engaged: Engaged = False
    size: SizeOf = "Average"
    size_hidden: bool = of_target(False, "Its size gives no bonus", "DW-RANGE-2")


Blow = Literal["standard", "all_out", "charge", "guarded"]
Trial = Literal["feint_and_attack", "knock_down", "manoeuvre", "grapple"]
Deed = Literal[Blow, "called", "stun", "swift", "lightning", "two_weapons", Trial, "unarmed"]
"""What a turn in melee may be used for."""


class Fight(Against, Skilled, Strong, frozen=True):
    """A turn of melee: one action of the attacker."""

    action: Deed = of_attacker("standard", "Action", "DW-ACT-00", form="mode")
    to_hit: ToHit = None
    own_strength: Stat = of_attacker(40, "Strength, for tests of it", "DW-ACT-KNOCK-DOWN")
    kind: Kind = of_weapon("Melee", "Class of weapon", "DW-MWEP-00")
    damage: str = of_weapon("1d10+3", "Damage without strength, such as 1d10+3", "DW-MWEP-00", short="Damage")
    damage_type = "R"
    pen = 4
    qualities: QualitiesOf = BLADE_QUALITIES
    pair: bool = of_weapon(False, "A pair of claws; found out if both weapons are named", "DW-QUAL-SPECIAL")
    called: Spot | None = of_attacker(None, "Place aimed at, of a called shot", "DW-ACT-CALLED-SHOT")
    weapon2: str = of_weapon("", "Second weapon's profile", "DW-TWOW-2", profile="weapon")
    kind2: Kind | None = of_weapon(None, "Its class; Melee or Pistol if left out", "DW-TWOW-1")
    damage2: str = of_weapon("1d10+3", "Its damage", "DW-TWOW-2")
    damage_type2: DamageType = of_weapon("R", "Its damage type", "DW-TWOW-2")
    pen2: int = of_weapon(4, "Its penetration", "DW-TWOW-2", ge=0, le=60)
    qualities2: Names = of_weapon(BLADE_QUALITIES, "Its qualities", "DW-TWOW-2", known=QUALITIES)
    doubles_sb2: bool = of_weapon(False, "It doubles the strength bonus too", "DW-MWEP-00")
    special2: Special = of_weapon("none", "What its “special” stands for", "DW-QUAL-SPECIAL")
    grade2: Grade = of_weapon("common", "Its craftsmanship", "DW-CRAFT-COMMON")
    gun2: bool = of_weapon(False, "It is a pistol", "DW-TWOW-2")
    skill2: Skill | None = of_attacker(None, "Skill with it; as the first if left out", "DW-TWOW-2")
    trained2: bool = of_attacker(True, "Trained with it", "DW-UNTR-1")
    target_ws: Stat = of_target(40, "Weapon Skill", "DW-ACT-FEINT")
    armed: IsArmed = True
    parry: Skill | None = of_target(None, "Weapon Skill it parries with; none if it cannot", "DW-EVA-3")
    parry_with: str = of_target("", "Weapon it parries with", "DW-EVA-3", profile="weapon", worn=True)
    parry_qualities: Names = of_target((), "Qualities of that weapon", "DW-EVA-3", known=QUALITIES)
    guarded: bool = of_target(False, "It made a guarded attack", "DW-ACT-GUARDED-ATTACK", chip="Guarded")
    defensive_stance: bool = of_target(
        False, "In a defensive stance", "DW-ACT-DEFENSIVE-STANCE", chip="Defensive stance"
    )
    grappled: bool = of_target(False, "In a grapple", "DW-ACT-GRAPPLE", chip="Grappled")


# --- the fighters that inputs describe --------------------------------------------------------------------------------


class Given(fighters.Fighter, frozen=True, kw_only=True):
    """A fighter of a question: these numbers are given, whatever a profile would come to."""

    name: str = ""
    side: str = ""
    sb: int = 0
    tens: int = 3
    dodge: int | None = None
    reaction: Reaction = "none"


_WEAPON = tuple(name for name in Weapon.__struct_fields__ if name not in (*OWN_WORDS, "group", "melee"))
_GROUPS = {"none": "", "claws": "Power", "force": "Force"}
_STATES = {"primitive_armour": "primitive", "defensive_stance": "defensive", "target_sb": "sb", "tb": "tens"}
"""Inputs about the target, and what a fighter calls them."""
FOE = "foe"
"""A tag of everybody attacked, against whom fury may need no confirming."""


def weapon_of(inputs: Any, melee: bool = False) -> Weapon:
    """The weapon of these numbers as a profile."""
    group = _GROUPS[getattr(inputs, "special", "none")]
    return Weapon(name=inputs.weapon, melee=melee, group=group, **part_of(inputs, *_WEAPON))


def attacker_of(inputs: Any, melee: bool = False, **numbers: Any) -> Given:
    """The attacker, with its weapon in hand; twice if it is one of a pair."""
    sure = (FOE,) if inputs.fury == "sure" else ()
    skill = {"bs": getattr(inputs, "ws", 0)}  # of both weapons, where there is one for them
    fury = {"fury": inputs.fury != "none", "fury_sure_against": sure}
    profile = Character(**{**skill, **part_of(inputs, **OF_ATTACKER), **fury, **numbers})
    held = fighters.Held(
        weapon_of(inputs, melee), **{"clip": fighters.ENOUGH, "braced": True, **part_of(inputs, "clip", "braced")}
    )
    return Given(
        side="attacker",
        profile=profile,
        sb=getattr(inputs, "sb", 0),
        aim=inputs.aim,
        conditions=Conditions(**part_of(inputs, "fatigue", "pinned")),
        held=(held, held) if getattr(inputs, "pair", False) else (held,),
    )


def attacked(inputs: Any) -> Given:
    """The character attacked, as far as the question asks for it."""
    cover_ap, hidden = parse_cover(inputs.cover, inputs.hidden) if inputs.cover else (0, ())
    numbers = {**part_of(inputs, **OF_TARGET), "tags": (FOE, "daemon") if inputs.daemon else (FOE,)}
    numbers["kind"] = "minion" if getattr(inputs, "minion", False) else "character"
    blades: tuple[fighters.Held, ...] = ()
    if isinstance(inputs, Fight) and inputs.parry is not None:
        numbers["ws"], blades = inputs.parry, (fighters.Held(Weapon(melee=True, qualities=inputs.parry_qualities)),)
    return Given(
        side="defender",
        profile=Character(**numbers),
        armour=tuple(getattr(inputs, place_of(spot)) for spot in SPOTS),
        cover_ap=cover_ap,
        hidden=hidden,
        conditions=Conditions(**part_of(inputs, "stunned", "prone")),
        held=blades,
        grappled_with="somebody" if getattr(inputs, "grappled", False) else "",
        **part_of(inputs, "sealed", "surprised", "running", "guarded", "dodge", "reaction", **_STATES),
    )


def setting_of(inputs: Armed, held: fighters.Held, rules: Rulings = DEFAULT, **more: Any) -> fighters.Setting:
    """What inputs say of an attack besides attacker and target; out of reach or with the wrong hand is refused."""
    known = part_of(inputs, "engaged", "armed", "to_hit")
    known |= {} if held.weapon.melee or not isinstance(inputs, Shooter | Ranged) else {"band": band_of(inputs, rules)}
    if inputs.off_hand and "other" not in more:
        raise_if_refused(refuse_two_weapons((replace(held.weapon, name=held.name or "the weapon", melee=True),)))
        more["other"] = off_hand(inputs.talents)
    return fighters.Setting(
        **{"rules": rules, "untrained": not inputs.trained, "by_side": False, **known, **more},
        situations=inputs.situations,
        modifier=inputs.modifier,
    )


def band_of(inputs: Shooter | Ranged, rules: Rulings = DEFAULT) -> Band | None:
    """The range band of the shot, flames have none; out of reach is refused."""
    qualities = values(inputs.qualities)
    if qualities.flame or inputs.band is None:
        raise_if_refused(refuse_range(inputs.weapon or "the weapon", inputs.range, inputs.distance, qualities.flame))
    return None if qualities.flame else inputs.band or band(inputs.range, inputs.distance, rules)


def fire_of(inputs: Armed, target: fighters.Unit, mode: Mode, rules: Rulings = DEFAULT, **more: Any) -> AttackDraft:
    """A shot or burst of this gun; a mode it does not have, or a clip too small for it, is refused."""
    called, overwatch = getattr(inputs, "called", None), getattr(inputs, "on_overwatch", False)
    if overwatch and mode == "single":
        raise Refused("overwatch fires a burst, semi or full; a single shot is not one", "DW-OVER-2", "mode")
    who = attacker_of(inputs)
    gun, setting = who.held[0], setting_of(inputs, who.held[0], rules, overwatch=overwatch, **more)
    raise_if_refused(refuse_mode(gun.weapon, mode, gun.clip, rules=rules))
    raise_if_refused(refuse_called(mode, gun.qualities.flame, bool(gun.qualities.blast)) if called else None)
    return fighters.draft_of(who, gun, target, setting, "called" if called else fighters.ACTIONS[mode], mode, called)


def blow_of(inputs: Armed, target: fighters.Unit, rules: Rulings = DEFAULT, action: Action = "") -> AttackDraft:
    """A blow with this weapon."""
    who = attacker_of(inputs, True)
    return fighters.draft_of(who, who.held[0], target, setting_of(inputs, who.held[0], rules), action)


def attack_on(draft: AttackDraft, names: tuple[str, ...], target: Given) -> Spec:
    """The attack of a draft on this character; a reaction that is not allowed is refused."""
    _refuse_reaction(target, draft.melee, values(names).flame)
    return fighters.attack_on(draft, names, target)


def _refuse_reaction(target: Given, melee: bool, flames: bool) -> None:
    """Raise if the defender is to react and cannot."""
    if target.reaction == "none":
        return
    state = fighters.reacting(target)
    state = replace(state, hindered=(*state.hindered, "flames")) if flames else state
    qualities = target.blades[0].qualities if target.blades else stages.NO_QUALITIES
    parries = target.reaction == "parry"
    raise_if_refused(
        stages.refuse_parry(state, melee, qualities=qualities) if parries else stages.refuse_reaction(state)
    )
    can = {"dodge": target.dodge is not None, "parry": bool(fighters.in_turn(target))}
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
