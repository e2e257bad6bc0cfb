"""The records of an attack, and the last step before the dice: a draft with its dials turned becomes a spec."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Literal, NamedTuple

from battletape.rulebook import State, Tape, clause, replace
from battletape.rulesets.deathwatch.rules import d100_tests, damage, traits
from battletape.rulesets.deathwatch.rules.conditions import BodyNumbers, Conditions, is_helpless
from battletape.rulesets.deathwatch.rules.wounds import NONE_BY_SPOT, Aftermath, AttackEffect, Victim
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables import sheet
from battletape.rulesets.deathwatch.tables.criticals import ARMOUR_TAKERS, LAST_ROW, PLACES_THAT_LOSE_ARMOUR

NEVER = 101
"""A d100 does not show this: a jam or overheating that cannot happen."""


class Defender(State, frozen=True):
    """The defender of an attack, as dice and damage need it."""

    ap: tuple[int, ...] = NONE_BY_SPOT  # by SPOTS, armour only
    cover: tuple[int, ...] = NONE_BY_SPOT  # AP of cover on hidden spots
    primitive: bool = False
    tb: int = 3
    multiplier: int = 1
    flat_tb: int = 0
    toughness: int = 30
    agility: int = 30
    sb: int = 3
    willpower: int = 30
    wounds: int = 10
    sudden_death: bool = False
    true_grit: bool = False
    immune_blood_loss: bool = False
    dodge: int | None = None  # the target number, with all that changes it
    parry: int | None = None
    parry_field: bool = False  # the parrying weapon has a power field
    later_parries: tuple[tuple[int, bool], ...] = ()  # the same of the blades that parry once the first is broken
    reaction: Literal["none", "dodge", "parry", "choose"] = "none"
    weak_to_holy: bool = False
    reaction_refusal: tuple[str, str] = ("", "")  # why it has no reaction, and the clause
    by: str = "defender"
    name: str = ""  # leads the labels of its dice, in battles


class AttackNumbers(State, frozen=True):
    """The numbers of an attack that draft and spec share."""

    skill: int
    modifiers: tuple[traits.Modifier, ...] = ()
    melee: bool = False
    mode: traits.Mode | Literal["suppress"] = "single"
    called: traits.Spot | None = None
    pen: int = 0
    psy_rating: int = 0
    rounds: int = 1
    jam_from: int = NEVER  # of a draft: lower than the mode has it, if something says so
    jam_on_miss: bool = False
    jam_check: bool = False
    overheat_from: int = NEVER
    hit_multiplier: int = 1
    twin_linked: int = 0  # 1 beyond, 2 within the cap
    hit_per_two_degrees: bool = False
    accurate: bool = False
    damage_per_degree: int = 0
    willpower: int = 0  # of the attacker, for a force weapon
    extra_effects: tuple[str, ...] = ()  # blast, smoke, haywire, cohesion: what it does beyond its target
    degrees_kept: int = 0  # degrees that still matter after the hits, at most
    power_field: bool = False
    breakable: bool = True  # no natural weapon, no fist
    evadable: bool = True  # no feint, no horde
    flame: bool = False
    flame_bonus: int = 0  # to the first test against flames of an untrained attacker
    blast: int = 0  # metres
    attack_effects: tuple[AttackEffect, ...] = ()  # what its qualities do once after all hits
    inflicts: tuple[str, ...] = ()  # conditions that they themselves bring about: answers tell these unasked
    how: Literal["", "fists", "stun"] = ""  # a fist or a blow to stun in place of a weapon's damage
    sb: int = 0  # of the attacker, for a blow to stun
    defender: Defender = Defender()
    by: str = "attacker"
    name: str = ""  # leads the labels of the attacker's dice, in battles


class AttackDraft(AttackNumbers, frozen=True):
    """An attack before special rules turn its dials."""

    rof: int = 1
    kind: str = "Basic"
    band: traits.Band = "normal"
    aim_bonus: int = 0  # the bonus of an aim that is used
    two_weapons: bool = False
    claw_pair: bool = False
    dice: int = 1
    sides: int = 10
    flat: int = 0
    damage_type: traits.DamageType = "I"
    fury_eligible: bool = False  # for righteous fury
    fury_sure: bool = False  # righteous fury needs no confirming
    volatile: bool = False  # righteous fury for any attacker, unconfirmed
    fury_possible: bool = True  # False: of a horde, which never has it
    grade: traits.Grade = "common"
    extra_dice: int = 0
    better_of_two: bool = False  # each damage die is the better of two
    razor: bool = False
    armour_doublings: int = 0
    primitive: bool = False
    felling: int = 0
    holy: bool = False
    special: Literal["", "claws", "force"] = ""  # what stands behind the word in the melee table
    hit_effects: tuple[damage.HitEffect, ...] = ()  # what its qualities do after each hit that hurts
    net_limit: int = 0  # as much net damage as they ask for
    always_counts_net: bool = False
    damage_rolls: int = 1  # times the damage of a hit is rolled and added
    concealed: bool = False  # its target is, so that cover hides every place
    by_side: bool = False  # left and right are told apart, even if armour is alike
    target: int | None = None  # the target number itself, where it is known: nothing is added to it
    rulings: Rulings = DEFAULT


class PreparedAttack(AttackNumbers, frozen=True, kw_only=True):
    """An attack as special rules and rulings make it of a draft: constant through the attack."""

    target: int
    total: int  # of the modifiers, before the cap
    jam_may_hit: bool
    saved_may_hit: bool
    overheat_may_hit: bool
    natural_only: bool
    degrees_per_hit: int  # degrees for one hit more, 0 none
    max_hits: int
    location: Literal["reversed", "fresh", "unpadded"]
    left_and_right: bool
    degrees_that_matter: int
    test_rulings: Rulings  # how tests are read: all that is left of the rulings
    by_location: bool  # critical damage is counted place by place
    hits: tuple[damage.Hit, ...]  # by SPOTS (or PLACES) at 0 degrees
    razor_hits: tuple[damage.Hit, ...]  # the same for a razor edge with degrees enough; else none
    dos_minimum: bool
    multi_dodge: bool
    any_clash: bool
    scatter: str  # dice of metres that a missed blast, or smoke, lands off
    min_horde_hits: int | None = None  # of a blow at a horde, the least hits of a success, which count by degrees
    tb: int = 0  # that counts against it; part of the reductions of the hits


@clause("DW-CRIT-2")
def share_armour_losses(specs: tuple[PreparedAttack, ...]) -> tuple[PreparedAttack, ...]:
    """Return attacks on one target so that armour lost to a hit is gone for all that it can matter to."""
    hits = [hit for spec in specs for hit in (*spec.hits, *spec.razor_hits) if hit.by_armour_lost]
    spots = {hit.spot for hit in hits if hit.by_armour_lost[0] != hit.by_armour_lost[-1]}
    losing = {
        hit.spot for hit in hits if hit.spot in spots and (hit.damage_type, traits.place_of(hit.spot)) in ARMOUR_TAKERS
    }
    return tuple(with_armour_loss_at(spec, losing) for spec in specs) if losing else specs


def with_armour_loss_at(spec: PreparedAttack, spots: Collection[str]) -> PreparedAttack:
    """Return an attack whose critical rows may cost armour at these spots only."""
    hits, sharp = (
        tuple(replace(hit, armour_may_go=hit.spot in spots) for hit in row) for row in (spec.hits, spec.razor_hits)
    )
    return replace(spec, hits=hits, razor_hits=sharp)


class HitRoll(NamedTuple):
    """An attack roll kept to the end, with the hits it scored and the spot of the first."""

    roll: int = 0  # 0 before it is thrown
    hits: int = 0
    first_spot: str = ""


class Attack(State, frozen=True):
    """The state of an attack from the roll to hit to the last wound."""

    spec: PreparedAttack
    victim: Victim
    status: str = ""  # may_jam still needs a d10
    degrees: int = 0
    hits: int = 0
    first_spot: str = ""
    landed: int = 0
    unresolved: tuple[damage.Hit | Aftermath, ...] = ()
    weapon_broken: bool = False
    parry_broken: bool = False
    hit_roll: HitRoll | None = None  # None: no measure needs more of it than the attack does
    stray_hits: int = 0  # hits that still need places of their own
    hit_numbers: tuple[int, ...] = ()  # which hits of a burst strike here, where others take some of them
    reactions: int = 1  # left to the target
    parries_broken: int = 0  # weapons it parried with before, best first
    reacted: bool = False
    gains_fatigue: bool = False  # a fist gave a level of fatigue
    stunned: int = 0  # rounds, by a blow to stun

    @property
    def placed_hits(self) -> tuple[damage.Hit, ...]:
        """The hits that were placed."""
        return tuple(hit for hit in self.unresolved if isinstance(hit, damage.Hit))


JAM_FROM = {"single": 96, "semi": 94, "full": 94, "suppress": 94}
DEGREES_A_HIT = {"single": 0, "semi": 2, "full": 1, "suppress": 2}
SURE_HIT = 100
MAX_DEGREES = 20
"""There cannot be more: a skill of 150 and all modifiers against a roll of 01."""
OF_TESTS, OF_CONTESTS = ("auto_results", "degrees"), ("opposed_ties", "opposed_failures")
"""The rulings that say how tests are read, and tests against each other."""


@clause("DW-PIPE-1", "DW-DMG-3", "DW-RF-3", "DW-QUAL-FLAME")
def specify_attack(tape: Tape, draft: AttackDraft) -> PreparedAttack:
    """Make the spec of a draft: the target number, the hits at every place, and all that rulings decide."""
    rulings, defender = draft.rulings, draft.defender
    grade = sheet.GRADE_TABLE[draft.grade]
    if draft.target is not None:  # nothing is added to it
        draft = replace(draft, skill=draft.skill if draft.flame else draft.target, modifiers=())
    total, applied = d100_tests.total(draft.modifiers, rulings)
    target = draft.skill + applied if draft.target is None else draft.target
    draft = replace(draft, flat=draft.flat + grade.damage)
    is_gun = not (draft.melee or draft.flame)
    overheats = is_gun and draft.overheat_from < NEVER
    jam_from = min(draft.jam_from, JAM_FROM[draft.mode]) if is_gun and not overheats else NEVER
    evades = draft.evadable and defender.reaction != "none"
    sides = (
        draft.by_side
        or is_lopsided(defender.ap)
        or is_lopsided(defender.cover)
        or rulings.critical_track == "by_location"
    )
    spots: Sequence[str] = traits.SPOTS if sides else traits.PLACES
    degrees_per_hit = 0 if draft.melee else DEGREES_A_HIT[draft.mode]
    fists = ("unarmed_fatigue",) if draft.how == "fists" else ()
    degrees_that_matter = max(
        damage.RAZOR_DEGREES if draft.razor else 0,
        damage.ACCURATE_DICE * damage.DEGREES_A_DIE if draft.accurate else 0,
        10 if rulings.dos_minimum_die else 0,
        MAX_DEGREES if draft.damage_per_degree else 0,
        draft.degrees_kept,
    )
    confirm = draft.skill if draft.flame else target  # of flames, which roll nothing to hit
    fury = damage.fury_of(confirm, draft.fury_eligible, draft.fury_sure, draft.volatile, draft.sides, rulings)
    as_drafted: dict[str, Any] = {name: getattr(draft, name) for name in AttackNumbers.__struct_fields__}
    worked_out: dict[str, Any] = {
        "target": target,
        "total": total,
        "rounds": draft.rounds * barrels(draft),
        "jam_from": jam_from,
        "overheat_from": draft.overheat_from if is_gun else NEVER,
        "jam_on_miss": is_gun and (draft.jam_on_miss or grade.jam_on_any_miss),
        "jam_may_hit": jam_from <= target and rulings.jam_roll == "may_hit",
        "saved_may_hit": draft.jam_check and jam_from <= target and rulings.reliable_roll == "as_rolled",
        "overheat_may_hit": overheats and rulings.overheating_shot == "counts",
        "natural_only": draft.jam_check and rulings.poor_and_reliable == "natural_only",
        "degrees_per_hit": degrees_per_hit,
        "max_hits": draft.rof if degrees_per_hit else 1,
        "twin_linked": int(draft.twin_linked) and (2 if rulings.twin_linked_hit == "within_cap" else 1),
        "location": rulings.hit_location,
        "left_and_right": sides,
        "degrees_that_matter": degrees_that_matter,
        "test_rulings": d100_tests.only_rulings(
            rulings, *OF_TESTS, *(OF_CONTESTS if draft.attack_effects else ()), *fists
        ),
        "by_location": rulings.critical_track == "by_location",
        "hits": tuple(hit_at(draft, spot, fury, 0) for spot in spots),
        "razor_hits": tuple(hit_at(draft, spot, fury, degrees_that_matter) for spot in spots) if draft.razor else (),
        "dos_minimum": rulings.dos_minimum_die,
        "multi_dodge": evades and rulings.multi_dodge == "one_plus_dos",
        "any_clash": evades and draft.power_field and rulings.power_field == "any_clash",
        "flame_bonus": d100_tests.total((draft.flame_bonus,), rulings)[1] if draft.flame else 0,
        "scatter": rulings.scatter_distance if draft.blast or "smoke" in draft.extra_effects else "",
        "sb": draft.sb if draft.how == "stun" else 0,
        "tb": tb_against(draft),
    }
    spec = PreparedAttack(**{**as_drafted, **worked_out})
    return share_armour_losses((spec,))[0]


@clause("DW-QUAL-STORM", "DW-QUAL-TWIN")
def barrels(draft: AttackDraft) -> int:
    """Return the rounds spent for each that is counted: two for weapons with two barrels."""
    return 2 if draft.hit_multiplier > 1 or draft.twin_linked else 1


def is_lopsided(by_spot: tuple[int, ...]) -> bool:
    """Return whether left and right differ."""
    _, right_arm, left_arm, _, right_leg, left_leg = by_spot
    return right_arm != left_arm or right_leg != left_leg


@clause("DW-QUAL-SANCTIFIED", "DW-QUAL-FELLING")
def tb_against(draft: AttackDraft) -> int:
    """Return the Toughness bonus against this attack; holy damage ignores a daemon's multiplier."""
    defender = draft.defender
    multiplier = 1 if draft.holy and defender.weak_to_holy else defender.multiplier
    return damage.effective_tb(defender.tb, multiplier, draft.felling, defender.flat_tb, draft.rulings)


_AS_DRAFTED = tuple(name for name in damage.Hit.__struct_fields__ if name in AttackDraft.__struct_fields__)


@clause("DW-DMG-3", "DW-COVER-1", "DW-QUAL-PRIMITIVE", "DW-QUAL-SCATTER", "DW-QUAL-SANCTIFIED", "DW-QUAL-RAZOR")
def hit_at(draft: AttackDraft, spot: str, fury: int, degrees: int) -> damage.Hit:
    """Return a hit of this attack at a place; a razor edge doubles penetration from two degrees on."""
    rulings, defender = draft.rulings, draft.defender
    index = next(index for index, place in enumerate(traits.SPOTS) if place == spot or traits.place_of(place) == spot)
    ap, cover = defender.ap[index], 0 if draft.flame else defender.cover[index]
    doublings = draft.armour_doublings + int(draft.primitive and not defender.primitive)
    pen = 2 * draft.pen if draft.razor and degrees >= damage.RAZOR_DEGREES else draft.pen
    tb = tb_against(draft)
    wearable = cover if rulings.cover_degrades else 0

    def reductions_without(lost: int) -> tuple[int, ...]:
        return tuple(
            damage.reduction(ap - lost, cover - cover_gone, pen, doublings, tb, rulings)
            for cover_gone in range(wearable + 1)
        )

    may_lose = ap and traits.place_of(spot) in PLACES_THAT_LOSE_ARMOUR and not defender.sudden_death
    plates = tuple(reductions_without(lost) for lost in range(ap + 1)) if may_lose else ()
    reduction = damage.reduction(ap, cover, pen, doublings, tb, rulings)
    return damage.Hit(
        spot,
        **{name: getattr(draft, name) for name in _AS_DRAFTED},
        dropped_dice=draft.extra_dice,
        reduction=reduction,
        taken_off=taken_off(ap, cover, pen, tb, reduction),
        fury=fury if draft.fury_possible else damage.NO_FURY,
        max_damage=defender.wounds + (2 * LAST_ROW if defender.true_grit else LAST_ROW),
        true_grit=defender.true_grit,
        sudden_death=defender.sudden_death,
        armoured=ap > 0,
        ap=ap,
        by_cover_lost=reductions_without(0) if wearable else (),
        cover=wearable,
        by_armour_lost=plates,
        body=body_of(
            damage.effective_tb(defender.tb, defender.multiplier, 0, defender.flat_tb),
            defender.toughness,
            defender.agility,
            defender.immune_blood_loss,
            rulings if draft.hit_effects else replace(rulings, shocking_rounds=DEFAULT.shocking_rounds),
        ),
    )


def taken_off(ap: int, cover: int, pen: int, tb: int, reduction: int) -> str:
    """Return the parts of what is taken off a hit: AP 8, cover 4, penetration 5, TB 4."""
    doubled = " doubled" if reduction > max(0, ap - pen) + cover + tb else ""
    parts = (f"AP {ap}{doubled}", f"cover {cover}" if cover else "", f"penetration {pen}" if pen else "", f"TB {tb}")
    return ", ".join(filter(None, parts))


def body_of(
    tb: int, toughness: int, agility: int = 30, immune_blood_loss: bool = False, rulings: Rulings = DEFAULT
) -> BodyNumbers:
    """Return a victim's numbers with the rulings of the game."""
    rules_that_matter = d100_tests.only_rulings(rulings, "modifier_cap", "auto_results", "shocking_rounds")
    return BodyNumbers(tb, toughness, agility, immune_blood_loss, rules_that_matter)


@clause("DW-COND-HELPLESS")
def against(conditions: Conditions, draft: AttackDraft) -> AttackDraft:
    """Return an attack on a target in these conditions: melee surely hits the helpless, with two damage rolls."""
    if not is_helpless(conditions):
        return draft
    return (
        replace(draft, target=SURE_HIT, damage_rolls=2, evadable=False)
        if draft.melee
        else replace(draft, evadable=False)
    )
