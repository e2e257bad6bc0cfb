"""Hordes: their size, nerve and traits; attacks on them, for one turn or several; and what they do to others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import ceil
from typing import Literal, NamedTuple, TypeAlias

from battletape.cards import Line
from battletape.rulebook import (
    BadInput,
    Procedure,
    Refused,
    State,
    Tape,
    cites,
    clause,
    d,
    plural,
    replace,
)
from battletape.rulesets.deathwatch.profiles.types import WeaponProfile
from battletape.rulesets.deathwatch.rules import d100_tests, damage, guns, melee
from battletape.rulesets.deathwatch.rules.attack import records, stages
from battletape.rulesets.deathwatch.rules.guns import UNLIMITED, FirePlan, Gunfire, GunState
from battletape.rulesets.deathwatch.rules.keywords import apply_qualities, qualities_named
from battletape.rulesets.deathwatch.rules.traits import DEAD, SPOTS, Modifier
from battletape.rulesets.deathwatch.rules.wounds import health_words
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables.sheet import find_name

SIZES = ((120, 60), (90, 50), (60, 40), (30, 30), (20, 20), (10, 10), (0, 0))
"""From which Magnitude on a horde adds how much to every attack on it."""
FIRST_PRINTED = 30  # smaller ones stand in no table
cites("DW-HORDE-2", where=f"{__name__}.SIZES")
TRAITS: Mapping[str, str] = {
    "Overwhelming": "a d10 more damage in melee while its Magnitude is 20 or more",
    "Fire Drill": "one ranged attack more",
    "Disciplined": "never breaks without a test, and tests without the -10",
    "Fighting Withdrawal": "noted only: the sheet does not say what it does",
    "Blood Soaked Tide": "noted only: the sheet does not say what it does",
}
cites("DW-HORDE-17", where=f"{__name__}.TRAITS")


class Traits(NamedTuple):
    """The meaning of a horde's traits."""

    overwhelming: bool = False
    fire_drill: bool = False
    disciplined: bool = False


class NerveCheck(NamedTuple):
    """The check of a horde's nerve: a test with a modifier, or breaking without one."""

    test: bool
    auto: bool
    penalty: int


class HitCount(NamedTuple):
    """The rule by which hits of an attack count against a horde: so many each, and so many more."""

    each: int
    plus: int


# --- size and traits --------------------------------------------------------------------------------------------------


@clause("DW-HORDE-2")
def size_bonus(magnitude: int, rulings: Rulings = DEFAULT) -> int:
    """Return what every attack on a horde of this Magnitude adds, in melee too."""
    if magnitude < 0:
        raise BadInput.of("magnitude", f"must be 0 or more; got {magnitude}", clause="DW-HORDE-2")
    if magnitude < FIRST_PRINTED and rulings.small_horde == "no_bonus":
        return 0
    return next(bonus for least, bonus in SIZES if magnitude >= least)


@clause("DW-HORDE-17")
def traits_of(names: Iterable[str]) -> Traits:
    """Return what a list of traits means; an unknown one is refused with the nearest."""
    given = {find_name("trait of a horde", name, TRAITS) for name in names}
    return Traits(*(trait in given for trait in tuple(TRAITS)[:3]))


@clause("DW-HORDE-7", "DW-HORDE-14")
def horde_defender(armour: int, tb: int, multiplier: int = 1, cover: int = 0) -> records.Defender:
    """Return a horde as damage sees it: the profile of one of them, the same armour everywhere."""
    everywhere = len(SPOTS)  # it has no places, one value counts for all
    return records.Defender(
        ap=(armour,) * everywhere, cover=(cover,) * everywhere, tb=tb, multiplier=multiplier, wounds=1
    )


@clause("DW-HORDE-6")
def refuse_allocation(to: str) -> Refused | None:
    """Refuse to give a hit on a horde to any other unit."""
    if to.strip().lower() != "horde":
        reason = f"every hit of an attack on a horde goes to the horde; none can be given to a {to} in or near it"
        return Refused(reason, "DW-HORDE-6", "target")
    return None


@clause("DW-HPIPE-1")
def refuse_called() -> Refused:
    """Refuse to call a place of a horde."""
    return Refused("a horde has no places to call; attack it without a called shot", "DW-HPIPE-1", "called")


# --- hits and losses --------------------------------------------------------------------------------------------------


@clause("DW-HORDE-4", "DW-HORDE-11", "DW-QUAL-DEVASTATING")
def hit_count(blast: int | None, explosive: bool, devastating: int = 0, rulings: Rulings = DEFAULT) -> HitCount:
    """Return how hits count: a blast X times, an explosion once more, a devastating attack X more in all."""
    wide = max(1, blast or 1)
    each, plus = (wide, 0) if rulings.horde_blast == "times_hits" else (1, wide - 1)
    if explosive:
        each, plus = (2 * each, 2 * plus) if rulings.horde_explosive == "per_hit" else (each, plus + 1)
    return HitCount(each, plus + (devastating if rulings.horde_devastating == "extra_hits" else 0))


def hits_counted(base: int, how: HitCount) -> int:
    """Return as how many hits so many count."""
    return base * how.each + how.plus if base > 0 else 0


@clause("DW-HORDE-16", "DW-HORDE-17")
def nerve_check(starting: int, current: int, lost: int, disciplined: bool = False) -> NerveCheck:
    """Return the check of nerve at the start of a horde's turn, after such losses."""
    if 4 * current < starting and not disciplined:
        return NerveCheck(False, True, 0)
    if not has_lost_a_quarter(starting, lost):
        return NerveCheck(False, False, 0)
    return NerveCheck(True, False, -10 if 2 * current < starting and not disciplined else 0)


@clause("DW-HORDE-16")
def has_lost_a_quarter(starting: int, lost: int) -> bool:
    """Return whether a quarter or more of a horde is lost, which tests its nerve."""
    return 4 * lost >= starting


@clause("DW-HORDE-16")
def breaks(tape: Tape, nerve: NerveCheck, willpower: int, label: str, rulings: Rulings = DEFAULT) -> bool:
    """Test whether a horde breaks as its turn begins."""
    will = d100_tests.target(willpower, (nerve.penalty,), rulings)
    return nerve.auto or (nerve.test and not d100_tests.roll_success(tape, will, label, rulings, by="defender"))


Kind: TypeAlias = Literal["shoot", "melee", "flame", "psychic"]
"""How a horde is attacked."""
METRES_A_HIT = 4
"""Of the range of a flame weapon."""


class HordeAttack(State, frozen=True):
    """An attack on a horde as its dice see it, for every size the horde may have; rulings are in the numbers."""

    kind: Kind
    by_size: tuple[
        tuple[int, records.PreparedAttack], ...
    ]  # from which Magnitude on which attack is made, largest first
    hit_count: HitCount
    magnitude_per_hit: int = 1  # Magnitude by a hit that does damage
    base_hits: int = 0  # hits of flames and powers
    hit_die: int = 0  # sides of the die added to those, if there is one
    always_hits: bool = False  # no roll to hit

    def spec(self, magnitude: int) -> records.PreparedAttack:
        """Return the attack on a horde of this size."""
        return next(spec for least, spec in self.by_size if magnitude >= least)


class Crowd(NamedTuple):
    """A horde under attack: its Magnitude, and the points of its cover that are gone."""

    magnitude: int
    cover_lost: int = 0


class HordeAttackResult(NamedTuple):
    """The result of an attack on a horde: its status, the hits, and what is left of it."""

    status: str
    hits: int
    crowd: Crowd

    @property
    def magnitude(self) -> int:
        """The Magnitude left."""
        return self.crowd.magnitude


@clause("DW-HPIPE-1", "DW-HORDE-1", "DW-HORDE-2", "DW-HORDE-3", "DW-HORDE-12", "DW-QUAL-DEVASTATING")
def make_horde_attack(
    draft: records.AttackDraft,
    names: Sequence[str],
    defender: records.Defender,
    kind: Kind = "shoot",
    range_m: float = 0,
    area: bool = False,
    always_hits: bool = False,
    rulings: Rulings = DEFAULT,
) -> HordeAttack:
    """Return an attack made ready against a horde, for each size."""
    qualities = qualities_named(names)
    steps = SIZES if kind in ("shoot", "melee") else SIZES[-1:]
    base = {"flame": ceil(range_m / METRES_A_HIT), "psychic": draft.psy_rating}.get(kind, 0)
    least_hits = rulings.horde_melee_minimum if kind == "melee" else None
    horde_numbers = {"location": "fresh", "min_horde_hits": least_hits}  # a horde has no places
    more_magnitude = qualities.devastating if rulings.horde_devastating == "per_hit_magnitude" else 0
    return HordeAttack(
        kind,
        tuple(
            (
                least,
                replace(
                    apply_qualities(_with_size_bonus(draft, least, rulings), names, defender, rulings), **horde_numbers
                ),
            )
            for least, _ in steps
        ),
        hit_count(qualities.blast, draft.damage_type == "X", qualities.devastating, rulings),
        1 + more_magnitude,
        base,
        {"flame": 5, "psychic": 10 if area else 0}.get(kind, 0),
        always_hits or kind == "flame",
    )


def _with_size_bonus(draft: records.AttackDraft, least: int, rulings: Rulings) -> records.AttackDraft:
    bonus = size_bonus(least, rulings)
    if not bonus:
        return draft
    return replace(draft, modifiers=(*draft.modifiers, Modifier(f"horde of {least} or more", bonus, "DW-HORDE-2")))


@clause("DW-HPIPE-1", "DW-HORDE-1", "DW-HORDE-3", "DW-ACT-MULTIPLE-ATTACKS")
def attack_horde(tape: Tape, attack: HordeAttack, crowd: Crowd, attacks: int = 1) -> HordeAttackResult:
    """Attack a horde so many times, each against what the one before has left."""
    return tape.each(attack_horde_once, HordeAttackResult("", 0, crowd), (attack,) * attacks)


@clause("DW-HPIPE-1", "DW-HORDE-1", "DW-HORDE-3")
def attack_horde_once(tape: Tape, so_far: HordeAttackResult, attack: HordeAttack) -> HordeAttackResult:
    """Attack a horde once: the roll, the hits it counts as, and the damage of each."""
    if so_far.magnitude <= 0:
        return so_far
    status, hits = tape.call(roll_hits, attack, attack.spec(so_far.magnitude))
    left = take_hits(tape, attack, so_far.crowd, hits)
    return HordeAttackResult(status or so_far.status, so_far.hits + len(hits), left)


@clause("DW-HORDE-3")
def take_hits(tape: Tape, attack: HordeAttack, crowd: Crowd, hits: tuple[damage.Hit, ...]) -> Crowd:
    """Take these hits of an attack, and return what is left of the horde."""
    return tape.each(take_hit, crowd, tuple((hit, attack.magnitude_per_hit) for hit in hits))


@clause("DW-HPIPE-1", "DW-HORDE-5", "DW-HORDE-12", "DW-HORDE-13")
def roll_hits(tape: Tape, attack: HordeAttack, spec: records.PreparedAttack) -> tuple[str, tuple[damage.Hit, ...]]:
    """Roll an attack, and return its status and every hit on the horde."""
    status, degrees, base = "hit", 0, 0
    if not attack.always_hits:
        rolled = stages.roll_and_check_jam(tape, spec)
        status, degrees, base = rolled.status, rolled.degrees, rolled.hits
    if status == "hit" and attack.kind in ("flame", "psychic"):
        base = attack.base_hits
        if attack.hit_die:
            what = "hits of flames" if attack.kind == "flame" else "hits on an area"
            base += int(tape.roll(d(attack.hit_die), label=f"{what} (d{attack.hit_die})"))
    hits = hits_on(attack, spec, base, degrees)
    if len(hits) != base:
        tape.tell(count_line, attack, base, len(hits))
    return status, hits


@clause("DW-HPIPE-1", "DW-HORDE-7")
def hits_on(attack: HordeAttack, spec: records.PreparedAttack, base: int, degrees: int) -> tuple[damage.Hit, ...]:
    """Return every hit on the horde of an attack that scored so many, at no place."""
    return tuple(
        _without_place(stages.hit_for(spec, "body", degrees, at == 0))
        for at in range(hits_counted(base, attack.hit_count))
    )


@clause("DW-HPIPE-1")
@lru_cache(1024)
def _without_place(hit: damage.Hit) -> damage.Hit:
    """Return a hit at no place: a horde has none."""
    return replace(hit, spot="")


@clause("DW-HORDE-3", "DW-HORDE-7", "DW-HORDE-8", "DW-HORDE-14")
def take_hit(tape: Tape, crowd: Crowd, item: tuple[damage.Hit, int]) -> Crowd:
    """Take one hit: any damage at all takes Magnitude."""
    (hit, takes), (magnitude, cover_lost) = item, crowd
    if magnitude <= 0:
        return crowd
    if hit.by_cover_lost:
        hurts, cover_lost = tape.call(break_through_cover, hit, cover_lost)
    else:
        hurts = tape.call(damage.damage_after_armour, hit, 1)
    return Crowd(max(0, magnitude - takes) if hurts else magnitude, cover_lost)


@clause("DW-COVER-1", "DW-HORDE-3")
def break_through_cover(tape: Tape, hit: damage.Hit, lost: int) -> tuple[bool, int]:
    """Roll whether a hit does any damage through cover that wears down, and the points of it that are gone then."""
    reduction = hit.by_cover_lost[min(lost, hit.cover)]
    rolled = damage.damage_before_armour(tape, hit, max(reduction, hit.cover) + 1)
    return rolled > reduction, damage.cover_lost_by(hit, lost, rolled)


MAX_EXTRA_DICE = 2
OVERWHELMING_FROM = 20
"""From this Magnitude on a horde can be overwhelming."""
NO_TRAITS = Traits()
MAX_COUNTED_HITS = 12
"""Hits are counted where there cannot be more of them than this; else it would take too long to follow them."""


FISTS = "1d10-3"
"""Damage of the bare hands of a horde, to which it adds d10s."""


@clause("DW-HORDE-15", "DW-UNARM-1")
def usual_weapon(carried: Iterable[WeaponProfile], in_melee: bool) -> WeaponProfile:
    """Return the weapon that a horde uses unless another is named; bare hands if it has none."""
    own = next((weapon for weapon in carried if weapon.melee == in_melee), None)
    return replace(melee.fist(), damage=FISTS) if own is None else own


@clause("DW-HORDE-15", "DW-HORDE-17")
def attacks_of(magnitude: int, melee: bool, traits: Traits = NO_TRAITS) -> int:
    """Return the attacks of a horde in a turn: a shot for each ten, in melee one at each enemy."""
    if melee or magnitude <= 0:
        return int(magnitude > 0)
    return magnitude // 10 + traits.fire_drill


@clause("DW-HORDE-15", "DW-EVA-1")
def refuse_horde_attack(evades: bool, aimed: bool, furious: bool) -> Refused | None:
    """Refuse to evade attacks of a horde; and a horde that aims or has righteous fury."""
    if evades:
        return stages.refuse_reaction(stages.ReactionLimits(("by_horde",)), "dodge or parry")
    if aimed:
        return Refused("a horde does not aim; leave the aim out", "DW-HORDE-15", "aim")
    if furious:
        return Refused("a horde has no righteous fury; leave it out", "DW-HORDE-15", "fury")
    return None


@clause("DW-HORDE-15", "DW-HORDE-17", "DW-RF-3")
def horde_draft(draft: records.AttackDraft, magnitude: int, traits: Traits = NO_TRAITS) -> records.AttackDraft:
    """Return one member's attack as the whole horde makes it: it cannot be evaded, and has no fury.

    Each full ten gives a d10 more, two at most; an overwhelming rush another. Bare hands of so many only do damage:
    DW-UNARM-3 is about those of one.
    """
    if draft.sides != 10:
        raise BadInput(
            f"a horde adds d10s to its damage; got d{draft.sides}s, write it with d10s", clause="DW-HORDE-15"
        )
    overwhelms = draft.melee and traits.overwhelming and magnitude >= OVERWHELMING_FROM
    more = min(MAX_EXTRA_DICE, magnitude // 10) + overwhelms
    draft = replace(draft, dice=draft.dice + more, aim_bonus=0, breakable=False, evadable=False, how="")
    return replace(draft, fury_eligible=False, fury_sure=False, fury_possible=False)


class HordeAssault(Gunfire, frozen=True):
    """A horde that attacks a character turn after turn; its guns are too many for one to matter."""

    attacks: int = 1  # a turn
    turn: int = 1
    dead_in: int = 0  # the turn; 0 not

    def after_attack(self, attack: records.Attack) -> HordeAssault:
        """Return a copy after an attack."""
        shot: HordeAssault = super().after_attack(attack)
        return replace(shot, gun=self.gun, rounds=0)


def begin_assault(
    spec: records.PreparedAttack, attacks: int, health: int, turns: int = 1, modifier_cap: int = 60
) -> HordeAssault:
    """Return a horde about to attack a target of this health."""
    fire_plan = FirePlan(spec, turns, test_rulings=Rulings(modifier_cap=modifier_cap))
    return HordeAssault(fire_plan, stages.victim_of(spec, health), health, GunState(), attacks=attacks)


def is_counted(assault: HordeAssault) -> bool:
    """Return whether the hits of an assault are few enough to be counted unasked."""
    return (
        assault.attacks * assault.fire_plan.turns * stages.hits_of(assault.spec, records.MAX_DEGREES)
        <= MAX_COUNTED_HITS
    )


def assault_procedure(assault: HordeAssault) -> Procedure:
    """Return the attacks of so many turns."""
    return Procedure(
        "horde attacks", (declare_assault, *((*(attack_target,) * assault.attacks, end_turn) * assault.fire_plan.turns))
    )


@clause("DW-HORDE-15")
def declare_assault(tape: Tape, assault: HordeAssault) -> HordeAssault:
    """Say how the horde attacks, and what adds to it."""
    tape.tell(stages.modifier_lines, assault.spec)
    tape.tell("{} a turn, which nobody can dodge or parry", plural(assault.attacks, "attack"))
    return assault


@clause("DW-HORDE-15", "DW-PIPE-1", "DW-DMG-1")
def attack_target(tape: Tape, assault: HordeAssault) -> HordeAssault:
    """Make one attack of a horde; a gun that jams costs it this attack only."""
    victim, rest = assault.victim, replace(assault, victim=stages.NO_VICTIM)
    if victim.health <= DEAD:
        return assault
    return tape.call(guns.shoot, rest, onto=victim)  # type: ignore[no-any-return]


@clause("DW-HORDE-15")
def end_turn(tape: Tape, assault: HordeAssault) -> HordeAssault:
    """End a turn of the horde."""
    died = assault.victim.health <= DEAD and not assault.dead_in
    if not assault.dead_in:
        health = health_words(assault.victim.health, assault.spec.defender.wounds).lower()
        tape.tell("Turn {}: {}", assault.turn, health)
    return replace(assault, turn=assault.turn + 1, dead_in=assault.turn if died else assault.dead_in)


class HordeFight(State, frozen=True):
    """The attacker of a horde turn by turn, and the nerve of the horde; constant through the fight."""

    attack: HordeAttack
    fire_plan: FirePlan
    starting: int  # Magnitude of the horde when it was whole
    willpower: int = 30
    disciplined: bool = False
    breaks: bool = True  # its nerve is tested at all
    attacks: int = 1  # a turn


class HordeFightState(State, frozen=True):
    """A fight with a horde in progress."""

    fight: HordeFight
    before: int  # Magnitude at first
    magnitude: int
    cover_lost: int = 0
    gun: GunState = GunState()
    turn: int = 0
    lost_a_quarter: bool = False  # a quarter or more was lost since the horde's last turn
    hits: int = 0
    broken_in: int = 0  # the turn; 0 not
    destroyed_in: int = 0
    rounds: int = 0  # spent

    @property
    def is_over(self) -> bool:
        """Return whether the horde is destroyed, or has fled."""
        return self.magnitude <= 0 or self.broken_in > 0


def begin_horde_fight(fight: HordeFight, magnitude: int, clip: int = UNLIMITED) -> HordeFightState:
    """Return a horde of this Magnitude about to be attacked."""
    return HordeFightState(fight, magnitude, magnitude, gun=GunState(turns_left=fight.fire_plan.turns, clip=clip))


def horde_fight_procedure(state: HordeFightState) -> Procedure:
    """Return the stages of so many turns: the attack, then the start of the horde's own turn."""
    return Procedure("horde", (declare_horde_fight, *(attack_turn, nerve_test) * state.fight.fire_plan.turns))


@clause("DW-HPIPE-1", "DW-HORDE-2")
def declare_horde_fight(tape: Tape, state: HordeFightState) -> HordeFightState:
    """Say how the horde is attacked, and what its size adds to that at first."""
    tape.tell(size_lines, state)
    return state


@clause("DW-HPIPE-1", "DW-HORDE-3", "DW-JAM-2", "DW-ACT-RELOAD", "DW-ACT-AIM", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS")
def attack_turn(tape: Tape, state: HordeFightState) -> HordeFightState:
    """Play a turn of the attacker: clear a jam, reload, aim, wait or attack."""
    fight, fire_plan, gun, state = state.fight, state.fight.fire_plan, state.gun, replace(state, turn=state.turn + 1)
    if state.is_over:
        return replace(state, gun=guns.gun_at_rest(gun))
    paused = guns.turn_without_attack(tape, fire_plan, gun)
    if paused is not None:
        return replace(state, gun=paused)
    attack, spent = fight.attack, guns.attack_with(fire_plan.spec, gun.clip, fire_plan.test_rulings).rounds
    if spent < fire_plan.spec.rounds:
        steps = tuple(
            (least, guns.attack_with(spec, gun.clip, fire_plan.test_rulings)) for least, spec in attack.by_size
        )
        attack = replace(attack, by_size=steps)
    result: HordeAttackResult = tape.call(attack_horde, attack, Crowd(state.magnitude, state.cover_lost), fight.attacks)
    gone, gun = result.magnitude <= 0, guns.after_firing(fire_plan, gun, spent, result.status)
    left = "the horde is destroyed" if gone else f"Magnitude {state.magnitude} to {result.magnitude}"
    tape.tell("Turn {}: {}, {}", state.turn, plural(result.hits, "hit"), left, clause="DW-HORDE-3")
    if result.status == "jam":
        tape.tell("The weapon jams", clause="DW-JAM-1")
    return replace(
        state,
        magnitude=result.magnitude,
        cover_lost=result.crowd.cover_lost,
        lost_a_quarter=has_lost_a_quarter(fight.starting, state.magnitude - result.magnitude),
        hits=state.hits + result.hits,
        destroyed_in=state.turn if gone else 0,
        rounds=state.rounds + spent,
        gun=guns.gun_at_rest(gun) if gone else gun,
    )


@clause("DW-HORDE-16")
def nerve_test(tape: Tape, state: HordeFightState) -> HordeFightState:
    """Begin the horde's turn: it tests its nerve if a quarter was lost, or has too few left."""
    fight, label = state.fight, "willpower (breaking)"
    is_tested = fight.breaks and not state.is_over
    if not is_tested or not breaks(tape, nerve_of(state), fight.willpower, label, fight.fire_plan.test_rulings):
        return replace(state, lost_a_quarter=False)
    why = "too few are left" if nerve_of(state).auto else "its nerve fails"
    tape.tell("The horde breaks in turn {}: {}", state.turn, why)
    return replace(state, lost_a_quarter=False, broken_in=state.turn, gun=guns.gun_at_rest(state.gun))


@clause("DW-HORDE-16")
def nerve_of(state: HordeFightState) -> NerveCheck:
    """Return the check of nerve at the start of the horde's turn."""
    fight = state.fight
    return nerve_check(
        fight.starting, state.magnitude, fight.starting if state.lost_a_quarter else 0, fight.disciplined
    )


# --- lines of the log -------------------------------------------------------------------------------------------------


def count_line(attack: HordeAttack, base: int, hits: int) -> Line:
    """Say as how many an attack's hits count, and by which rule."""
    return Line(f"{plural(base, 'hit')}, which counts as {hits}", (clause_of_count(attack),), result=str(hits))


def clause_of_count(attack: HordeAttack) -> str:
    """Return the clause by which hits count as more."""
    spec = attack.by_size[0][1]
    return "DW-HORDE-11" if spec.blast else "DW-HORDE-4" if spec.hits[0].damage_type == "X" else "DW-QUAL-DEVASTATING"


def size_lines(state: HordeFightState) -> Iterator[Line]:
    """Say how a horde of this size is attacked, and how hits count."""
    attack = state.fight.attack
    if attack.kind == "flame":
        yield Line(
            f"No roll to hit: {attack.base_hits} and a d{attack.hit_die} hits",
            ("DW-HORDE-12",),
            result=str(attack.base_hits),
        )
    elif not attack.always_hits:
        yield from stages.modifier_lines(attack.spec(state.magnitude))
    if attack.kind == "psychic":
        more = f" and a d{attack.hit_die}" if attack.hit_die else ""
        yield Line(f"{attack.base_hits}{more} hits by the psy rating", ("DW-HORDE-13",), result=str(attack.base_hits))
    each, plus = attack.hit_count
    if (each, plus) != (1, 0):
        times = f"counts {each} times" if each > 1 else "counts once"
        yield Line(
            f"Each hit {times}" + (f", and {plus} more for the attack" if plus else ""), (clause_of_count(attack),)
        )
