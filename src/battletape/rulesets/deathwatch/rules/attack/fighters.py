"""Fighters and mobs, the weapons they carry, how they defend themselves, and their attacks made ready."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from battletape.rulebook import Refused, State, UnknownName, clause, raise_if_refused, replace
from battletape.rulesets.deathwatch.profiles.book import with_round
from battletape.rulesets.deathwatch.profiles.types import Character, Horde, WeaponProfile
from battletape.rulesets.deathwatch.rules import (
    conditions,
    d100_tests,
    damage,
    guns,
    hordes,
    melee,
    suppression,
    wounds,
)
from battletape.rulesets.deathwatch.rules.attack import modifiers, stages
from battletape.rulesets.deathwatch.rules.attack.modifiers import (
    Situation,
    TestAction,
    fatigue_modifier,
    parry_modifiers,
)
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, Defender, PreparedAttack, against
from battletape.rulesets.deathwatch.rules.conditions import Conditions, can_use, characteristic, modifiers_of
from battletape.rulesets.deathwatch.rules.d100_tests import Contestant, bonus
from battletape.rulesets.deathwatch.rules.hordes import HordeAttack, Kind, make_horde_attack
from battletape.rulesets.deathwatch.rules.keywords import apply_qualities, qualities_named, special_of
from battletape.rulesets.deathwatch.rules.quality_effects import NO_FIELD, HaywireField
from battletape.rulesets.deathwatch.rules.traits import DEAD, SPOTS, Aim, Mode, Modifier, Qualities, Spot
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings

HANDS_NEEDED = {"Basic": 2, "Heavy": 2, "Mounted": 0, "n/a": 0}  # others need one
UNCOUNTED_ROUNDS = 500
"""The clip of a gun without counted rounds."""


class CarriedWeapon(guns.Gun, frozen=True):
    """A weapon in a fighter's hands or on its belt."""

    profile: WeaponProfile
    ammunition: tuple[WeaponProfile, ...] = ()  # the rounds that a launcher may fire
    loaded: str = ""  # the name of the round in it
    braced: bool = False
    ready: bool = True
    destroyed: bool = False
    dropped_at: tuple[float, float] | None = None  # where it lies, if dropped
    trained: bool = True  # its bearer, by talents
    barrel_of: WeaponProfile | None = None  # its combi-weapon, of a second barrel

    @property
    def name(self) -> str:
        """The name of the weapon."""
        return self.profile.name

    @property
    def as_fired(self) -> WeaponProfile:
        """The weapon as it is fired, with the round that is in it."""
        for round in self.ammunition:
            if round.name == self.loaded:
                return with_round(self.profile, round)
        return self.profile

    @property
    def qualities(self) -> Qualities:
        """The qualities of the weapon, with those of the round in it."""
        return qualities_named(self.as_fired.qualities)

    @property
    def special(self) -> Literal["", "claws", "force"]:
        """The meaning of “special” for this weapon, if it has that quality."""
        return special_of(self.profile.group) if self.qualities.special else ""

    @property
    def hands(self) -> int:
        """The hands that the weapon needs; a second barrel, those of its combi-weapon."""
        return HANDS_NEEDED.get((self.barrel_of or self.profile).kind, 1)

    @property
    def whole_name(self) -> str:
        """The name of the weapon in the hands: of a second barrel, its combi-weapon."""
        return (self.barrel_of or self.profile).name

    @property
    def in_hand(self) -> bool:
        """Return whether the weapon is in hand and not destroyed."""
        return self.ready and not self.destroyed and self.dropped_at is None

    @property
    def is_put_away(self) -> bool:
        """Return whether the weapon is carried, but not in hand."""
        return not (self.ready or self.destroyed) and self.dropped_at is None


class Overwatch(State, frozen=True):
    """Overwatch with a weapon, and the facing it covers."""

    weapon: str
    facing: float


class Done(State, frozen=True, kw_only=True):
    """What a unit has done in its turn, and what holds of it for that until its next one."""

    actions: tuple[str, ...] = ()
    delayed: bool = False
    no_evasion: bool = False  # after an all out attack
    defensive: bool = False
    guarded: bool = False
    running: bool = False
    screaming: bool = False  # on fire, and may only run
    lies_still: bool = False  # not to tear a wound open
    holds_wound: bool = False  # with one hand


class Fighter(State, frozen=True, kw_only=True):
    """A character in a battle: the profile, and everything that changes but its place."""

    name: str
    side: str
    profile: Character
    armour: tuple[int, ...] = wounds.NONE_BY_SPOT
    primitive: bool = False  # the armour
    sealed: bool = False
    facing: float = 0.0
    cover_ap: int = 0
    hidden: tuple[Spot, ...] = ()  # behind the cover
    health: int = 0  # wounds left; below zero the critical total; DEAD and less is dead
    by_spot: tuple[int, ...] = ()  # critical damage by location, where the ruling counts it so
    conditions: Conditions = Conditions()
    weapons: tuple[CarriedWeapon, ...] = ()
    engaged_with: tuple[str, ...] = ()
    grappled_with: str = ""
    holds_other: bool = False  # the grapple
    surprised: bool = False
    aim: Aim = "none"
    overwatch: Overwatch | None = None
    fooled_enemy: str = ""  # the name of the enemy fooled by a feint
    feint_turns: int = 0  # own turns until that is over
    done: Done = Done()
    reactions_used: int = 0
    shot_at: bool = False  # since its last turn
    has_left: bool = False  # the battle, alive
    initiative: int = 0

    @property
    def is_dead(self) -> bool:
        """Return whether the fighter has died of a critical row or blood loss."""
        return self.health <= DEAD

    @property
    def is_gone(self) -> bool:
        """Return whether the fighter is dead, or gone from the battle."""
        return self.is_dead or self.has_left

    @property
    def is_out(self) -> bool:
        """Return whether the fighter is dead, unconscious, or gone from the battle."""
        return self.has_left or self.conditions.unconscious > 0 or self.is_dead

    @property
    def ab(self) -> int:
        """The Agility bonus, as critical wounds leave it."""
        return bonus(characteristic(self.conditions, "ag", self.profile.agility))

    @property
    def sb(self) -> int:
        """The Strength bonus with its multiplier, as critical wounds leave it."""
        own = self.profile
        return bonus(characteristic(self.conditions, "s", own.strength), own.unnatural_strength, own.strength_bonus)

    @property
    def toughness_tens(self) -> int:
        """The tens of Toughness, as critical wounds leave it."""
        return bonus(characteristic(self.conditions, "t", self.profile.toughness))

    @property
    def tb(self) -> int:
        """The Toughness bonus with its multiplier, as critical wounds leave it."""
        return self.toughness_tens * self.profile.unnatural_toughness + self.profile.toughness_bonus

    @property
    def dodge(self) -> int | None:
        """The Dodge skill, as critical wounds leave it; None if untrained."""
        return characteristic(self.conditions, "ag", self.profile.dodge) if self.profile.dodge else None

    @property
    def reaction(self) -> Literal["none", "dodge", "parry", "choose"]:
        """The reaction to an attack that may be evaded: in a battle, chosen once it hits."""
        return "choose"

    @property
    def free_hands(self) -> int:
        """The usable hands that hold nothing."""
        return self.hands - sum(weapon.hands for weapon in self.weapons if weapon.in_hand and not weapon.barrel_of)

    @property
    def hands(self) -> int:
        """The usable hands, but for one that holds a wound."""
        whole = sum(can_use(self.conditions, arm) for arm in ("right_arm", "left_arm"))
        return max(0, whole - self.done.holds_wound)

    @property
    def blades(self) -> tuple[CarriedWeapon, ...]:
        """The melee weapons in hand."""
        return tuple(weapon for weapon in self.weapons if weapon.in_hand and weapon.profile.melee)

    def weapon_named(self, name: str) -> CarriedWeapon:
        """Return the weapon of this name; without a name the first that is in hand."""
        wanted = name.strip().lower()
        for weapon in self.weapons:
            if weapon.name.lower() == wanted or (not wanted and weapon.in_hand):
                return weapon
        if not wanted and self.weapons:
            return self.weapons[0]
        raise UnknownName("weapon", name, [weapon.name for weapon in self.weapons], source=self.name)

    @clause("DW-RWEP-04")
    def with_weapon(self, changed_weapon: CarriedWeapon) -> Fighter:
        """Return a copy with a weapon changed; both barrels of a combi-weapon change together."""

        def with_change(weapon: CarriedWeapon) -> CarriedWeapon:
            if weapon.name == changed_weapon.name:
                return changed_weapon
            if weapon.whole_name != changed_weapon.whole_name:
                return weapon
            braced = weapon.braced and changed_weapon.in_hand
            return replace(
                weapon,
                ready=changed_weapon.ready,
                destroyed=changed_weapon.destroyed,
                dropped_at=changed_weapon.dropped_at,
                braced=braced,
            )

        return replace(self, weapons=tuple(map(with_change, self.weapons)))

    def with_conditions(self, **conditions: Any) -> Fighter:
        """Return a copy with these conditions."""
        return replace(self, conditions=replace(self.conditions, **conditions))

    def with_done(self, **done: Any) -> Fighter:
        """Return a copy that has done this in its turn."""
        return replace(self, done=replace(self.done, **done))


class Mob(State, frozen=True, kw_only=True):
    """A horde in a battle."""

    name: str
    side: str
    profile: Horde
    arsenal: tuple[WeaponProfile, ...] = ()
    magnitude: int = 30
    starting: int = 30
    cover_ap: int = 0  # a horde has no places: it hides all of it
    lost_since: int = 0  # Magnitude, since its last turn
    broken: bool = False
    pinned: bool = False
    surprised: bool = False
    done: Done = Done()
    shot_at: bool = False  # since its last turn
    engaged_with: tuple[str, ...] = ()
    has_left: bool = False  # the battle
    initiative: int = 0

    @property
    def is_dead(self) -> bool:
        """Return whether the horde is destroyed."""
        return self.magnitude <= 0

    @property
    def is_gone(self) -> bool:
        """Return whether the horde is destroyed, on the run, or gone from the battle."""
        return self.is_dead or self.broken or self.has_left

    is_out = is_gone  # none of it is left to do anything

    @property
    def ab(self) -> int:
        """The Agility bonus."""
        return bonus(self.profile.agility)

    def with_done(self, **done: Any) -> Mob:
        """Return a copy that has done this in its turn."""
        return replace(self, done=replace(self.done, **done))


Unit: TypeAlias = Fighter | Mob
Cover: TypeAlias = tuple[int, tuple[Spot, ...]]
"""The AP of a cover, and the places of a body behind it."""


@clause("DW-COVER-1")
def behind(unit: Unit, cover: Cover) -> Unit:
    """Return a unit behind this cover; without AP it is in the open."""
    ap, hidden = cover
    return replace(unit, cover_ap=ap) if isinstance(unit, Mob) else replace(unit, cover_ap=ap, hidden=hidden)


@clause("DW-HORDE-14")
def member_of_horde(mob: Mob) -> Fighter:
    """Return one member of a horde, with the profile that all share; heavy weapons stand braced."""
    names = ("ws", "bs", "strength", "unnatural_strength")
    profile = Character(**{name: getattr(mob.profile, name) for name in names}, no_bracing=True)
    return Fighter(name=mob.name, side=mob.side, profile=profile, conditions=Conditions(pinned=mob.pinned))


@clause("DW-EVA-3", "DW-QUAL-UNWIELDY")
def parrying_weapons(fighter: Fighter) -> tuple[CarriedWeapon, ...]:
    """Return the melee weapons in hand that parry, the best first."""
    fit = (blade for blade in fighter.blades if not blade.qualities.unwieldy)
    return tuple(sorted(fit, key=lambda blade: -sum(by.value for by in parry_modifiers(blade.qualities))))


# --- the defender -----------------------------------------------------------------------------------------------------


@clause("DW-COVER-1", "DW-ARM-2")
def armour_of(fighter: Fighter) -> tuple[int, ...]:
    """Return armour on every spot, less what critical wounds have taken."""
    lost = dict(fighter.conditions.armour_lost)
    return tuple(max(0, ap - lost.get(spot, 0)) for spot, ap in zip(SPOTS, fighter.armour, strict=True))


@clause("DW-COVER-1")
def cover_of(fighter: Fighter) -> tuple[int, ...]:
    """Return AP of the cover on every spot."""
    return tuple(fighter.cover_ap if spot in fighter.hidden else 0 for spot in SPOTS)


def reaction_limits(fighter: Fighter, attacker: Unit | None = None) -> stages.ReactionLimits:
    """Return everything that may prevent a reaction to an attack."""
    hindered = {
        "stunned": fighter.conditions.stunned,
        "surprised": fighter.surprised,
        "helpless": conditions.is_helpless(fighter.conditions),
        "unconscious": fighter.conditions.unconscious,
        "grappled": fighter.grappled_with,
        "all_out": fighter.done.no_evasion,
        "feinted": isinstance(attacker, Fighter) and attacker.fooled_enemy == fighter.name != "",
        "by_horde": isinstance(attacker, Mob),
    }
    return stages.ReactionLimits(
        tuple(filter(hindered.get, hindered)),
        fighter.reactions_used,
        stages.reactions_per_round(fighter.done.defensive),
    )


@clause("DW-EVA-1", "DW-EVA-2", "DW-EVA-3")
def refuse_reaction(fighter: Fighter, attacker: Unit | None, in_melee: bool) -> Refused | None:
    """Refuse a reaction of a fighter in a battle to an attack of this unit, or return None."""
    if attacker is None:
        return None
    refused = stages.refuse_reaction(reaction_limits(fighter, attacker), "dodge or parry" if in_melee else "dodge")
    if refused is None and not fighter.profile.dodge and not (in_melee and parrying_weapons(fighter)):
        lacks = f"it has no Dodge{' and no weapon that parries' if in_melee else ''}"
        return Refused(lacks, "DW-EVA-3" if in_melee else "DW-EVA-2")
    return refused


@clause("DW-EVA-1", "DW-EVA-2", "DW-EVA-3")
def defender_of(
    fighter: Fighter, attacker: Unit | None, in_melee: bool, field: HaywireField = NO_FIELD, rulings: Rulings = DEFAULT
) -> Defender:
    """Return a fighter as the dice of an attack need it, with the reactions it has left."""
    profile, conditions = fighter.profile, fighter.conditions
    refused = refuse_reaction(fighter, attacker, in_melee)
    may_react = fighter.reaction != "none" and stages.refuse_reaction(reaction_limits(fighter, attacker)) is None
    own = Situation(own_prone=conditions.prone, fatigue=conditions.fatigue, guarded=fighter.done.guarded)
    dodging = (*modifiers.dodge_modifiers(own, rulings), *modifiers_of(conditions, "ag"))
    dodge = d100_tests.target(fighter.dodge, dodging, rulings) if may_react and fighter.dodge is not None else None
    blades = parrying_weapons(fighter) if may_react and in_melee else ()
    parries = tuple((parry_of(fighter, blade, rulings), is_powered(blade, field)) for blade in blades)
    parry, parry_field = parries[0] if parries else (None, False)
    return Defender(
        ap=armour_of(fighter),
        cover=cover_of(fighter),
        primitive=fighter.primitive,
        tb=fighter.toughness_tens,
        multiplier=profile.unnatural_toughness,
        flat_tb=profile.toughness_bonus,
        toughness=target_of(fighter, "t", profile.toughness, rulings=rulings),
        agility=target_of(fighter, "ag", profile.agility, rulings=rulings),
        sb=fighter.sb,
        willpower=target_of(fighter, "wp", profile.willpower, rulings=rulings),
        wounds=profile.wounds,
        sudden_death=profile.kind == "minion",
        true_grit=profile.true_grit,
        immune_blood_loss=profile.immune_blood_loss,
        dodge=dodge,
        parry=parry,
        parry_field=parry_field,
        later_parries=parries[1:] if rulings.power_field == "any_clash" else (),
        reaction="none" if dodge is None and parry is None else fighter.reaction,
        weak_to_holy="daemon" in profile.tags,
        reaction_refusal=(refused.reason, refused.clause) if refused else ("", ""),
        by=fighter.side,
        name=fighter.name,
    )


@clause("DW-EVA-3", "DW-QUAL-BALANCED", "DW-QUAL-DEFENSIVE", "DW-QUAL-UNBALANCED")
def parry_of(fighter: Fighter, blade: CarriedWeapon, rulings: Rulings = DEFAULT) -> int:
    """Return the target number of a parry with this weapon."""
    added = parry_modifiers(blade.qualities, fighter.done.guarded, rulings)
    return target_of(fighter, "ws", fighter.profile.ws, added, rulings)


@clause("DW-TEST-1", "DW-FAT-1", "DW-CRIT-2")
def target_of(
    fighter: Fighter, test: str, value: int, added: tuple[Modifier, ...] = (), rulings: Rulings = DEFAULT
) -> int:
    """Return the target number of a fighter's test, with fatigue and wounds."""
    tired = fatigue_modifier(fighter.conditions.fatigue, rulings)
    own = (*added, *modifiers_of(fighter.conditions, test), *((tired,) if tired else ()))
    return d100_tests.target(characteristic(fighter.conditions, test, value), own, rulings)


# --- the attack -------------------------------------------------------------------------------------------------------

ACTIONS: dict[Mode, modifiers.Action] = {"single": "standard", "semi": "semi", "full": "full"}
PSY_BONUS = 5  # for each point of the psy rating


class AttackSetting(Situation, frozen=True):
    """The situation of an attack, with the rulings and what players add."""

    rulings: Rulings = DEFAULT
    field: HaywireField = NO_FIELD  # of haywire about the attacker
    armed: bool = False  # the target is
    modifier: int = 0  # anything else to hit
    to_hit: int | None = None  # the target number itself: nothing is added to it
    by_side: bool = True  # left and right are told apart


def situation_of(
    fighter: Fighter, carried: CarriedWeapon, target: Unit, action: TestAction, setting: AttackSetting
) -> Situation:
    """Return everything that modifies an attack."""
    in_melee, conditions = carried.profile.melee, fighter.conditions
    other = [Modifier("other modifiers", setting.modifier)] if setting.modifier else []
    disrupted = setting.field.to_technology
    if disrupted and not in_melee and not carried.qualities.primitive:
        other.append(Modifier("haywire field", disrupted, "DW-QUAL-HAYWIRE"))
    return replace(
        setting,
        action=action,
        aim=fighter.aim,
        grade=carried.as_fired.grade,
        heavy=guns.needs_bracing(carried.as_fired, fighter.profile.no_bracing) and not in_melee,
        braced=carried.braced,
        gyro=carried.qualities.gyro_stabilised,
        fatigue=conditions.fatigue,
        pinned=conditions.pinned,
        blind=conditions.blind > 0,
        untrained=setting.untrained and not modifiers.is_bare(carried.name),
        band=None if in_melee or carried.qualities.flame else setting.band,
        outnumber=in_melee and setting.outnumber,
        fog=not in_melee and setting.fog,
        unarmed_vs_armed=modifiers.is_bare(carried.name) and setting.armed,
        other=(*other, *modifiers_of(conditions, "ws" if in_melee else "bs", "right_arm"), *setting.other),
        **state_of(target, fighter),
    )


def state_of(target: Unit, attacker: Unit) -> dict[str, Any]:
    """Return the states of a target, a fighter or a horde, that make it easier or harder to hit."""
    known = {
        "surprised": target.surprised,
        "running": target.done.running,
        "in_melee": any(name != attacker.name for name in target.engaged_with),
    }
    if isinstance(target, Mob):  # which is never stunned, prone or held as a whole; its size is its Magnitude
        return known
    return {
        **known,
        "size": target.profile.size,
        "size_hidden": target.profile.size_hidden,
        "stunned": target.conditions.stunned > 0,
        "prone": target.conditions.prone,
        "defensive_stance": target.done.defensive,
        "grappled": bool(target.grappled_with) and target.grappled_with != attacker.name,
    }


@clause("DW-PIN-1")
def is_pinned(unit: Unit) -> bool:
    """Return whether a fighter or a horde is pinned."""
    return unit.pinned if isinstance(unit, Mob) else unit.conditions.pinned


@clause("DW-SUMM-UNARMED_VS_ARMED")
def is_armed(unit: Unit) -> bool:
    """Return whether a fighter has a weapon in hand, or a horde has weapons at all."""
    return bool(unit.arsenal) if isinstance(unit, Mob) else any(weapon.in_hand for weapon in unit.weapons)


@clause("DW-MWEP-00")
def strength_bonus_of(fighter: Fighter, weapon: CarriedWeapon, rulings: Rulings = DEFAULT) -> int:
    """Return the strength bonus that a blow adds; fists of power count it twice, or raise its multiplier by one."""
    if weapon.as_fired.doubles_sb and rulings.power_fist == "multiplier_plus_one":
        return fighter.sb + (fighter.sb - fighter.profile.strength_bonus) // fighter.profile.unnatural_strength
    return 2 * fighter.sb if weapon.as_fired.doubles_sb else fighter.sb


@clause("DW-PIPE-1", "DW-UNARM-1", "DW-ACT-STUN", "DW-TWOW-2", "DW-SUMM-UNARMED_VS_ARMED")
def draft_of(
    fighter: Fighter,
    carried: CarriedWeapon,
    target: Unit,
    setting: AttackSetting,
    action: TestAction = "",
    mode: Mode = "single",
    called: Spot | None = None,
) -> AttackDraft:
    """Return an attack before qualities turn its dials: weapon and modifiers; refuse misfits."""
    weapon, rulings, profile = carried.as_fired, setting.rulings, fighter.profile
    in_melee, bare_handed = weapon.melee, modifiers.is_bare(carried.name)
    situation = situation_of(fighter, carried, target, action, setting)
    raise_if_refused(modifiers.refuse_situations(situation, in_melee))
    situation = suppression.situation_that_counts(situation, rulings) if action == "suppressing" else situation
    dice, sides, flat = damage.parse_damage(weapon.damage)
    rof = 1 if in_melee else guns.rof_of(weapon, mode, carried.clip, rulings)
    unbraced = situation.heavy and not situation.braced
    return AttackDraft(
        characteristic(fighter.conditions, "ws" if in_melee else "bs", profile.ws if in_melee else profile.bs),
        modifiers.attack_modifiers(situation, in_melee, rulings),
        melee=in_melee,
        mode=mode,
        rof=rof,
        rounds=rof,
        kind=weapon.kind,
        band=modifiers.band_of(situation) or "normal",
        aim_bonus=modifiers.AIM_BONUS[fighter.aim],
        called=called,
        how="stun" if action == "stun" else "fists" if bare_handed else "",
        sb=fighter.sb,
        two_weapons=action == "two_weapons",
        claw_pair=carried.special == "claws"
        and sum(weapon.in_hand and weapon.special == "claws" for weapon in fighter.weapons) > 1,
        dice=dice,
        sides=sides,
        flat=flat + (strength_bonus_of(fighter, carried, rulings) if in_melee else 0),
        pen=weapon.pen,
        damage_type=weapon.damage_type,
        grade=weapon.grade,
        psy_rating=profile.psy_rating,
        special=carried.special,
        willpower=profile.willpower if profile.psy_rating else 0,
        fury_eligible=profile.fury,
        fury_sure=damage.is_fury_sure(profile.fury_sure_against, target.profile.tags),
        primitive=in_melee and carried.qualities.power_field and not is_powered(carried, setting.field),
        armour_doublings=int(bare_handed and not modifiers.has_talent(profile.talents, melee.UNARMED_MASTER)),
        breakable=not bare_handed,
        flame_bonus=modifiers.untrained_bonus(setting.untrained, unbraced, rulings),
        target=setting.to_hit,
        concealed="shoot_completely_concealed" in modifiers.rows_that_hold(situation, in_melee),
        by_side=setting.by_side,
        rulings=rulings,
        by=fighter.side,
        name=fighter.name,
    )


@clause("DW-ACT-FOCUS-POWER", "DW-HORDE-13")
def power_draft(fighter: Fighter, power: CarriedWeapon, target: Unit, setting: AttackSetting) -> AttackDraft:
    """Return a psychic power: Willpower and five for each point of the rating; it cannot be evaded."""
    own = fighter.profile
    added = (
        Modifier("psy rating", PSY_BONUS * own.psy_rating, "DW-ACT-FOCUS-POWER"),
        Modifier("fatigue", fatigue_modifier(fighter.conditions.fatigue, setting.rulings), "DW-FAT-1"),
        Modifier("other modifiers", setting.modifier),
    )
    psyker = replace(fighter, aim="none", conditions=Conditions(), profile=replace(own, bs=own.willpower))
    draft = draft_of(psyker, power, target, AttackSetting(rulings=setting.rulings, to_hit=setting.to_hit))
    draft = replace(draft, melee=True, breakable=False, evadable=False)
    return replace(draft, modifiers=tuple(modifier for modifier in added if modifier.value))


@clause("DW-SUPP-2", "DW-OVER-2")
def area_fire_draft(
    fighter: Fighter, carried: CarriedWeapon, target: Unit, setting: AttackSetting, fire: suppression.Fire
) -> AttackDraft:
    """Return fire at an area, suppressing or from overwatch, before qualities turn its dials."""
    if fire != "suppressing":
        return draft_of(fighter, carried, target, setting, fire, fire)
    draft = draft_of(fighter, carried, target, setting, fire, suppression.burst_of(carried.as_fired))
    return replace(draft, mode="suppress", fury_sure=False)  # it has no target


@clause("DW-EVA-1", "DW-EVA-2", "DW-EVA-3", "DW-SUMM-SHOOT_COMPLETELY_CONCEALED")
def attack_on(
    draft: AttackDraft,
    names: tuple[str, ...],
    target: Fighter,
    attacker: Unit | None = None,
    field: HaywireField = NO_FIELD,
) -> PreparedAttack:
    """Return the attack on a fighter, ready for the dice; `field` is the haywire field about it."""
    hidden_target = replace(target, hidden=SPOTS) if draft.concealed else target
    defender = defender_of(hidden_target, attacker, draft.melee, field, draft.rulings)
    draft_on = against(target.conditions, draft)
    if defender.reaction == "none":
        draft_on = replace(draft_on, evadable=False)
    return apply_qualities(draft_on, unpowered(names) if draft.primitive else names, defender, draft.rulings)


def horde_attack_of(
    carried: CarriedWeapon, draft: AttackDraft, target: Mob, kind: Kind, area: bool = False, sure: bool = False
) -> HordeAttack:
    """Return the attack on a mob, ready for the dice."""
    profile, weapon = target.profile, carried.as_fired
    defender = hordes.horde_defender(profile.ap, profile.toughness // 10, profile.unnatural_toughness, target.cover_ap)
    names = unpowered(weapon.qualities) if draft.primitive else weapon.qualities
    draft = replace(draft, by_side=False)  # it has no places
    return make_horde_attack(draft, names, defender, kind, weapon.range, area, sure, draft.rulings)


@clause("DW-ACT-FEINT", "DW-ACT-KNOCK-DOWN", "DW-ACT-MANOEUVRE", "DW-ACT-GRAPPLE")
def contestant(
    fighter: Fighter, test: str, label: str, added: tuple[Modifier, ...] = (), rulings: Rulings = DEFAULT
) -> Contestant:
    """Return one side of a trial, by strength or by skill."""
    own = fighter.profile
    if test not in melee.BY_SKILL:
        return Contestant(target_of(fighter, "s", own.strength, added, rulings), fighter.sb, f"{label}strength")
    return Contestant(
        target_of(fighter, "ws", own.ws, added, rulings), d100_tests.bonus(own.ws), f"{label}weapon skill"
    )


def fists_of(fighter: Fighter) -> CarriedWeapon:
    """Return bare hands as a weapon."""
    return CarriedWeapon(melee.fist(fighter.profile.talents))


@clause("DW-QUAL-HAYWIRE", "DW-QUAL-POWER-FIELD")
def is_powered(carried: CarriedWeapon, field: HaywireField) -> bool:
    """Return whether the power field of a blade works: it has one, and no haywire field stops it."""
    return carried.qualities.power_field and not field.unpowers


@clause("DW-QUAL-HAYWIRE", "DW-QUAL-POWER-FIELD")
def unpowered(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the qualities of a blade with a power field that does not work."""
    return tuple(quality for quality in names if not qualities_named((quality,)).power_field)
