"""The records of an attack: who defends, its draft, what rules make of it, and how far it has got."""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.rulesets.deathwatch.rules.criticals.results import takes_armour
from battletape.rulesets.deathwatch.rules.damage import Act, Hit
from battletape.rulesets.deathwatch.rules.traits import Band, DamageType, Grade, Mode, Modifier, Spot, place_of
from battletape.rulesets.deathwatch.rules.wounds import NONE_BY_SPOT, Aftermath, Follow, Victim
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings

NEVER = 101
"""A d100 does not show this: a jam or overheating that cannot happen."""


class Guard(Struct, frozen=True, cache_hash=True):
    """The defender, as dice and damage see it."""

    ap: tuple[int, ...] = NONE_BY_SPOT  # by SPOTS, armour only
    cover: tuple[int, ...] = NONE_BY_SPOT  # AP of cover on hidden spots
    primitive: bool = False
    tb: int = 3
    multiplier: int = 1
    flat_tb: int = 0
    toughness: int = 30
    agility: int = 30
    strength: int = 30
    sb: int = 3
    willpower: int = 30
    wounds: int = 10
    sudden_death: bool = False
    true_grit: bool = False
    immune_blood_loss: bool = False
    sealed: bool = False
    dodge: int | None = None  # the target number, with all that changes it
    parry: int | None = None
    parry_field: bool = False  # the parrying weapon has a power field
    spare: tuple[tuple[int, bool], ...] = ()  # the same of the blades that parry once the first is broken
    reaction: Literal["none", "dodge", "parry", "choose"] = "none"
    holy_weak: bool = False
    by: str = "defender"
    name: str = ""  # leads the labels of its dice, in battles


class AttackDraft(Struct, frozen=True):
    """An attack before special rules turn its dials."""

    skill: int
    modifiers: tuple[Modifier, ...] = ()
    melee: bool = False
    mode: Mode | Literal["suppress"] = "single"
    rof: int = 1
    kind: str = "Basic"
    band: Band = "normal"
    aimed: int = 0  # the bonus of an aim that is used
    braced: bool = True
    called: Spot | None = None
    two_weapons: bool = False
    pair: bool = False
    dice: int = 1
    sides: int = 10
    flat: int = 0
    pen: int = 0
    damage_type: DamageType = "I"
    psy_rating: int = 0
    eligible: bool = False  # for righteous fury
    sure: bool = False  # righteous fury needs no confirming
    volatile: bool = False  # nor anybody eligible
    furious: bool = True  # False: of a horde, which never has it
    grade: Grade = "common"
    rounds: int = 1
    reload: int = 1
    jam_from: int = NEVER  # lower than the mode has it, if something says so
    jam_on_miss: bool = False
    jam_check: bool = False
    overheat_from: int = NEVER
    times: int = 1
    twin: bool = False
    per_two: bool = False
    extra_dice: int = 0
    best_each: bool = False
    accurate: bool = False
    razor: bool = False
    per_degree: int = 0
    doublings: int = 0
    primitive: bool = False
    felling: int = 0
    holy: bool = False
    special: Literal["", "claws", "force"] = ""  # what stands behind the word in the melee table
    willpower: int = 0  # of the attacker, for a force weapon
    tail: tuple[str, ...] = ()  # blast, smoke, haywire, cohesion: what it does beyond its target
    degrees_kept: int = 0  # as many degrees are still felt after the hits
    power_field: bool = False
    breakable: bool = True  # no natural weapon, no fist
    evadable: bool = True  # no feint, no horde
    flame: bool = False
    flame_bonus: int = 0  # to the first test against flames of somebody untrained
    blast: int = 0  # metres
    acts: tuple[Act, ...] = ()  # what its qualities do after each hit that hurts
    follows: tuple[Follow, ...] = ()  # and once after all hits
    counts: int = 0  # as much net damage as they ask for
    counts_always: bool = False
    how: Literal["", "fists", "stun"] = ""  # in place of damage by a weapon
    sb: int = 0  # of the attacker, for a blow to stun
    rolls: int = 1  # times the damage of a hit is rolled and added
    by_side: bool = False  # left and right are told apart whatever the armour
    target: int | None = None  # the target number itself, where it is known: nothing is added to it
    guard: Guard = Guard()
    rules: Rulings = DEFAULT
    by: str = "attacker"
    name: str = ""  # leads the labels of the attacker's dice, in battles


class Spec(Struct, frozen=True, cache_hash=True):
    """What special rules and rulings make of a draft: constant through an attack."""

    target: int
    modifiers: tuple[Modifier, ...]
    total: int  # of the modifiers, before the cap
    skill: int
    melee: bool
    mode: str
    jam_from: int
    overheat_from: int
    jam_on_miss: bool
    jam_check: bool
    jam_may_hit: bool
    saved_may_hit: bool
    overheat_may_hit: bool
    natural_only: bool
    per: int  # degrees for one hit more, 0 none
    cap: int
    times: int
    twin: int  # 0 no, 1 beyond, 2 within the cap
    per_two: bool
    called: str
    location: Literal["reversed", "fresh", "unpadded"]
    sides: bool
    degrees_felt: int
    tests: Rulings  # how tests are read: all that is left of the rulings
    by_location: bool  # critical damage is counted place by place
    hits: tuple[Hit, ...]  # by SPOTS (or PLACES) at 0 degrees
    sharp: tuple[Hit, ...]  # the same for a razor edge with degrees enough; else none
    accurate: bool
    per_degree: int
    dos_minimum: bool
    guard: Guard
    multi_dodge: bool
    evadable: bool
    power_field: bool
    breakable: bool
    any_clash: bool
    rounds: int
    reload: int
    tail: tuple[str, ...]
    follows: tuple[Follow, ...]
    degrees_kept: int
    flame: bool
    flame_bonus: int
    blast: int
    scatter: str  # dice of metres that a missed blast lands off
    psy_rating: int
    willpower: int
    how: str
    sb: int
    by: str
    name: str
    pen: int = 0  # for the log: both are in the reductions of the hits
    tb: int = 0

    @property
    def is_frail(self) -> bool:
        """Critical rows of the attack may cost armour that later hits would meet."""
        return any(hit.frail for hit in self.hits)


@clause("DW-CRIT-2")
def share_losses(specs: tuple[Spec, ...]) -> tuple[Spec, ...]:
    """Attacks on the same person: armour that one hit may cost a place is gone for all that would feel it there."""
    hits = [hit for spec in specs for hit in (*spec.hits, *spec.sharp) if hit.plates]
    felt = {hit.spot for hit in hits if hit.plates[0] != hit.plates[-1]}
    frail = {hit.spot for hit in hits if hit.spot in felt and takes_armour(hit.damage_type, place_of(hit.spot))}
    if not frail:
        return specs
    return tuple(replace(spec, hits=_frail(spec.hits, frail), sharp=_frail(spec.sharp, frail)) for spec in specs)


def _frail(hits: tuple[Hit, ...], spots: set[str]) -> tuple[Hit, ...]:
    return tuple(replace(hit, frail=hit.spot in spots) for hit in hits)


def without_losses(spec: Spec) -> Spec:
    """An attack whose critical rows cost no armour."""
    if not spec.is_frail:
        return spec
    hits, sharp = (tuple(replace(hit, frail=False) for hit in row) for row in (spec.hits, spec.sharp))
    return replace(spec, hits=hits, sharp=sharp)


class HitRoll(NamedTuple):
    """An attack roll kept to the end, with the hits it scored and the spot of the first."""

    roll: int = 0  # 0 before it is thrown
    hits: int = 0
    first: str = ""


class Attack(Struct, frozen=True, cache_hash=True):
    """The state of an attack from the roll to hit to the last wound."""

    spec: Spec
    victim: Victim
    status: str = ""  # jam? still needs a d10
    degrees: int = 0
    hits: int = 0
    first: str = ""
    landed: int = 0
    items: tuple[Hit | Aftermath, ...] = ()
    before: int = 0  # health before the hits
    weapon_broken: bool = False
    parry_broken: bool = False
    hit_roll: HitRoll | None = None  # None: nobody asks for more of it than the attack feels
    strays: int = 0  # hits that still need places of their own
    places: tuple[int, ...] = ()  # which hits of a burst strike here, where others take some of them
    reactions: int = 1  # left to the target
    broken: int = 0  # weapons it parried with before, best first
    reacted: bool = False
    tired: bool = False  # a fist gave a level of fatigue
    stunned: int = 0  # rounds, by a blow to stun

    @property
    def specs(self) -> tuple[Spec, ...]:
        """All attacks there are: this one."""
        return (self.spec,)

    @property
    def placed(self) -> tuple[Hit, ...]:
        """The hits that were placed."""
        return tuple(hit for hit in self.items if isinstance(hit, Hit))
