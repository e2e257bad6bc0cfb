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
    refuses,
    replace,
)
from battletape.rulesets.deathwatch.profiles.types import WeaponProfile
from battletape.rulesets.deathwatch.rules import damage, guns, melee, tests
from battletape.rulesets.deathwatch.rules.attack import records, stages
from battletape.rulesets.deathwatch.rules.guns import LASTS, FirePlan, Gunfire, GunState
from battletape.rulesets.deathwatch.rules.keywords import ready, values
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
    """What the traits of a horde mean."""

    overwhelming: bool = False
    fire_drill: bool = False
    disciplined: bool = False


class Breaking(NamedTuple):
    """Whether a horde must test its nerve, with which modifier, or breaks without a test."""

    test: bool
    auto: bool
    penalty: int


class Counting(NamedTuple):
    """How the hits of an attack count against a horde: so many each, and so many more if there is one."""

    each: int
    plus: int


# --- size and traits --------------------------------------------------------------------------------------------------


@clause("DW-HORDE-2")
def size_bonus(magnitude: int, rules: Rulings = DEFAULT) -> int:
    """What every attack on a horde of this Magnitude adds, in melee too."""
    if magnitude < 0:
        raise BadInput.of("magnitude", f"must be 0 or more; got {magnitude}", clause="DW-HORDE-2")
    if magnitude < FIRST_PRINTED and rules.small_horde == "no_bonus":
        return 0
    return next(bonus for least, bonus in SIZES if magnitude >= least)


@clause("DW-HORDE-17")
def traits_of(names: Iterable[str]) -> Traits:
    """What a list of traits means; an unknown one is refused with the nearest."""
    given = {find_name("trait of a horde", name, TRAITS) for name in names}
    return Traits(*(trait in given for trait in tuple(TRAITS)[:3]))


@clause("DW-HORDE-7", "DW-HORDE-14")
def horde_guard(armour: int, tb: int, multiplier: int = 1, cover: int = 0) -> records.Defender:
    """A horde as damage sees it: the profile of one of them, the same armour everywhere."""
    everywhere = len(SPOTS)  # it has no places, one value counts for all
    return records.Defender(
        ap=(armour,) * everywhere, cover=(cover,) * everywhere, tb=tb, multiplier=multiplier, wounds=1
    )


@refuses("DW-HORDE-6")
def refuse_allocation(to: str) -> Iterator[Refused]:
    """Why a hit on a horde cannot be given to somebody else: all of them go to the horde."""
    if to.strip().lower() != "horde":
        reason = f"every hit of an attack on a horde goes to the horde; none can be given to a {to} in or near it"
        yield Refused(reason, "DW-HORDE-6", "target")


@clause("DW-HPIPE-1")
def refuse_called() -> Refused:
    """Why no place of a horde can be called."""
    return Refused("a horde has no places to call; attack it without a called shot", "DW-HPIPE-1", "called")


# --- hits and losses --------------------------------------------------------------------------------------------------


@clause("DW-HORDE-4", "DW-HORDE-11", "DW-QUAL-DEVASTATING")
def counting(blast: int | None, explosive: bool, devastating: int = 0, rules: Rulings = DEFAULT) -> Counting:
    """How hits count: a blast X times, an explosion once more, a devastating attack X more in all."""
    wide = max(1, blast or 1)
    each, plus = (wide, 0) if rules.horde_blast == "times_hits" else (1, wide - 1)
    if explosive:
        each, plus = (2 * each, 2 * plus) if rules.horde_explosive == "per_hit" else (each, plus + 1)
    return Counting(each, plus + (devastating if rules.horde_devastating == "extra_hits" else 0))


def counted(base: int, how: Counting) -> int:
    """The same, once it is known how hits count."""
    return base * how.each + how.plus if base > 0 else 0


@clause("DW-HORDE-16", "DW-HORDE-17")
def breaking(starting: int, current: int, lost: int, disciplined: bool = False) -> Breaking:
    """What the start of its turn asks of a horde that lost so much since its last one."""
    if 4 * current < starting and not disciplined:
        return Breaking(False, True, 0)
    if not is_bled(starting, lost):
        return Breaking(False, False, 0)
    return Breaking(True, False, -10 if 2 * current < starting and not disciplined else 0)


@clause("DW-HORDE-16")
def is_bled(starting: int, lost: int) -> bool:
    """Whether a quarter or more of a horde is lost, which tests its nerve."""
    return 4 * lost >= starting


@clause("DW-HORDE-16")
def breaks(tape: Tape, nerve: Breaking, willpower: int, label: str, rules: Rulings = DEFAULT) -> bool:
    """Whether a horde breaks as its turn begins: without a test, or because its nerve fails."""
    will = tests.target(willpower, (nerve.penalty,), rules)
    return nerve.auto or (nerve.test and not tests.check(tape, will, label, rules, by="defender"))


Kind: TypeAlias = Literal["shoot", "melee", "flame", "psychic"]
"""How a horde is attacked."""
METRES_A_HIT = 4
"""Of the range of a flame weapon."""


class HordeAttack(State, frozen=True):
    """An attack on a horde as its dice see it, for every size the horde may have; rulings are in the numbers."""

    kind: Kind
    steps: tuple[tuple[int, records.Spec], ...]  # from which Magnitude on which attack is made, largest first
    count: Counting
    takes: int = 1  # Magnitude by a hit that does damage
    base: int = 0  # hits of flames and powers
    die: int = 0  # sides of the die added to those, if there is one
    sure: bool = False  # no roll to hit

    def spec(self, magnitude: int) -> records.Spec:
        """The attack on a horde of this size."""
        return next(spec for least, spec in self.steps if magnitude >= least)


class HordeAttackResult(NamedTuple):
    """What an attack on a horde came to: how it went, hits on the horde, and the Magnitude left."""

    status: str
    hits: int
    magnitude: int


@clause("DW-HPIPE-1", "DW-HORDE-1", "DW-HORDE-2", "DW-HORDE-3", "DW-HORDE-12", "DW-QUAL-DEVASTATING")
def onslaught(
    draft: records.AttackDraft,
    names: Sequence[str],
    guard: records.Defender,
    kind: Kind = "shoot",
    range_m: float = 0,
    area: bool = False,
    sure: bool = False,
    rules: Rulings = DEFAULT,
) -> HordeAttack:
    """An attack made ready against a horde: qualities have turned their dials, its size is added."""
    qualities = values(names)
    steps = SIZES if kind in ("shoot", "melee") else SIZES[-1:]
    base = {"flame": ceil(range_m / METRES_A_HIT), "psychic": draft.psy_rating}.get(kind, 0)
    counts = {"location": "fresh", "in_crowd": rules.horde_melee_minimum if kind == "melee" else None}  # no places
    deep = qualities.devastating if rules.horde_devastating == "per_hit_magnitude" else 0
    return HordeAttack(
        kind,
        tuple(
            (least, replace(ready(_sized(draft, least, rules), names, guard, rules), **counts)) for least, _ in steps
        ),
        counting(qualities.blast, draft.damage_type == "X", qualities.devastating, rules),
        1 + deep,
        base,
        {"flame": 5, "psychic": 10 if area else 0}.get(kind, 0),
        sure or kind == "flame",
    )


def _sized(draft: records.AttackDraft, least: int, rules: Rulings) -> records.AttackDraft:
    bonus = size_bonus(least, rules)
    if not bonus:
        return draft
    return replace(draft, modifiers=(*draft.modifiers, Modifier(f"horde of {least} or more", bonus, "DW-HORDE-2")))


@clause("DW-HPIPE-1", "DW-HORDE-1", "DW-HORDE-3", "DW-ACT-MULTIPLE-ATTACKS")
def attack_horde(tape: Tape, attack: HordeAttack, magnitude: int, attacks: int = 1) -> HordeAttackResult:
    """So many attacks on a horde, each against what the one before has left."""
    return tape.each(volley, HordeAttackResult("", 0, magnitude), (attack,) * attacks)


@clause("DW-HPIPE-1", "DW-HORDE-1", "DW-HORDE-3")
def volley(tape: Tape, so_far: HordeAttackResult, attack: HordeAttack) -> HordeAttackResult:
    """One attack on a horde: the roll, the hits it counts as, and the damage of each."""
    if so_far.magnitude <= 0:
        return so_far
    status, hits = tape.call(score, attack, attack.spec(so_far.magnitude))
    left = take_all(tape, attack, so_far.magnitude, hits)
    return HordeAttackResult(status or so_far.status, so_far.hits + len(hits), left)


@clause("DW-HORDE-3")
def take_all(tape: Tape, attack: HordeAttack, magnitude: int, hits: tuple[damage.Hit, ...]) -> int:
    """What is left of a horde after these hits of an attack."""
    return tape.each(take_hit, magnitude, tuple((hit, attack.takes) for hit in hits))


@clause("DW-HPIPE-1", "DW-HORDE-5", "DW-HORDE-12", "DW-HORDE-13")
def score(tape: Tape, attack: HordeAttack, spec: records.Spec) -> tuple[str, tuple[damage.Hit, ...]]:
    """How the roll went, and every hit on the horde."""
    status, degrees, base = "hit", 0, 0
    if not attack.sure:
        rolled = stages.roll_alone(tape, spec)
        status, degrees, base = rolled.status, rolled.degrees, rolled.hits
    if status == "hit" and attack.kind in ("flame", "psychic"):
        base = attack.base
        if attack.die:
            what = "hits of flames" if attack.kind == "flame" else "hits on an area"
            base += int(tape.roll(d(attack.die), label=f"{what} (d{attack.die})"))
    hits = hits_on(attack, spec, base, degrees)
    if len(hits) != base:
        tape.tell(count_line, attack, base, len(hits))
    return status, hits


@clause("DW-HPIPE-1", "DW-HORDE-7")
def hits_on(attack: HordeAttack, spec: records.Spec, base: int, degrees: int) -> tuple[damage.Hit, ...]:
    """Every hit on the horde of an attack that scored so many: as many as they count, at no place of their own."""
    return tuple(_nowhere(stages.hit_for(spec, "body", degrees, at == 0)) for at in range(counted(base, attack.count)))


@clause("DW-HPIPE-1")
@lru_cache(1024)
def _nowhere(hit: damage.Hit) -> damage.Hit:
    """Return a hit at no place: a horde has none."""
    return replace(hit, spot="")


@clause("DW-HORDE-3", "DW-HORDE-7", "DW-HORDE-8", "DW-HORDE-14")
def take_hit(tape: Tape, magnitude: int, item: tuple[damage.Hit, int]) -> int:
    """One hit on a horde: any damage at all takes its share; nothing is left to hit at Magnitude 0."""
    hit, takes = item
    return max(0, magnitude - takes) if magnitude > 0 and tape.call(damage.damage_after_armour, hit, 1) else magnitude


MOST_DICE = 2
MANY = 20
"""From this Magnitude on a horde can be overwhelming."""
PLAIN = Traits()
COUNTED = 12
"""Hits are counted where there cannot be more of them than this; else it would take too long to follow them."""


FISTS = "1d10-3"
"""Damage of the bare hands of a horde, to which it adds d10s."""


@clause("DW-HORDE-15", "DW-UNARM-1")
def armed_with(carried: Iterable[WeaponProfile], in_melee: bool) -> WeaponProfile:
    """What a horde attacks with unless it is told: the first gun or blade it carries; bare hands if it has none."""
    own = next((weapon for weapon in carried if weapon.melee == in_melee), None)
    return replace(melee.fist(), damage=FISTS) if own is None else own


@clause("DW-HORDE-15", "DW-HORDE-17")
def attacks_of(magnitude: int, melee: bool, traits: Traits = PLAIN) -> int:
    """Attacks of a horde in a turn: a shot for each ten, or in melee one at each engaged enemy, of whom this is one."""
    if melee or magnitude <= 0:
        return int(magnitude > 0)
    return magnitude // 10 + traits.fire_drill


@refuses("DW-HORDE-15", "DW-EVA-1")
def refuse_manner(evades: bool, aimed: bool, furious: bool) -> Iterator[Refused | None]:
    """What nobody does against a horde, evade it, and what it cannot do: take aim, or have righteous fury."""
    if evades:
        yield stages.refuse_reaction(stages.ReactionLimits(("by_horde",)), "dodge or parry")
    if aimed:
        yield Refused("a horde does not aim; leave the aim out", "DW-HORDE-15", "aim")
    if furious:
        yield Refused("a horde has no righteous fury; leave it out", "DW-HORDE-15", "fury")


@clause("DW-HORDE-15", "DW-HORDE-17", "DW-RF-3")
def horde_draft(draft: records.AttackDraft, magnitude: int, traits: Traits = PLAIN) -> records.AttackDraft:
    """One creature's attack as the whole horde makes it: hits that cannot be evaded, and never any fury.

    Each full ten gives a d10 more, two at most; an overwhelming rush another. Bare hands of so many only do damage:
    DW-UNARM-3 is about those of one.
    """
    if draft.sides != 10:
        raise BadInput(
            f"a horde adds d10s to its damage; got d{draft.sides}s, write it with d10s", clause="DW-HORDE-15"
        )
    rush = draft.melee and traits.overwhelming and magnitude >= MANY
    more = min(MOST_DICE, magnitude // 10) + rush
    draft = replace(draft, dice=draft.dice + more, aimed=0, breakable=False, evadable=False, how="")
    return replace(draft, eligible=False, sure=False, furious=False)


class HordeAssault(Gunfire, frozen=True):
    """A horde that attacks a character turn after turn; it has guns enough for none of them to be followed."""

    attacks: int = 1  # a turn
    turn: int = 1
    dead_in: int = 0  # the turn; 0 not

    def after(self, attack: records.Attack) -> HordeAssault:
        """The same once an attack is rolled."""
        shot: HordeAssault = super().after(attack)
        return replace(shot, gun=self.gun, rounds=0)


def begin_rush(spec: records.Spec, attacks: int, health: int, turns: int = 1, cap: int = 60) -> HordeAssault:
    """A horde about to attack a target of this health."""
    drill = FirePlan(spec, turns, tests=Rulings(modifier_cap=cap))
    return HordeAssault(drill, stages.victim_of(spec, health), health, GunState(), attacks=attacks)


def is_counted(rush: HordeAssault) -> bool:
    """Whether its hits are few enough to be counted unasked."""
    return rush.attacks * rush.drill.turns * stages.hits_of(rush.spec, records.MOST_DEGREES) <= COUNTED


def rush_procedure(rush: HordeAssault) -> Procedure:
    """The attacks of so many turns."""
    return Procedure(
        "horde attacks", (declare_assault, *((*(attack_target,) * rush.attacks, end_turn) * rush.drill.turns))
    )


@clause("DW-HORDE-15")
def declare_assault(tape: Tape, rush: HordeAssault) -> HordeAssault:
    """Say how the horde attacks, and what adds to it."""
    tape.tell(stages.modifier_lines, rush.spec)
    tape.tell("{} a turn, which nobody can dodge or parry", plural(rush.attacks, "attack"))
    return rush


@clause("DW-HORDE-15", "DW-PIPE-1", "DW-DMG-1")
def attack_target(tape: Tape, rush: HordeAssault) -> HordeAssault:
    """One attack of a horde; a gun that jams is one of many, and costs it this attack only. The dead are left alone."""
    victim, rest = rush.victim, replace(rush, victim=stages.NO_VICTIM)
    if victim.health <= DEAD:
        return rush
    return tape.call(guns.shoot, rest, onto=victim)  # type: ignore[no-any-return]


@clause("DW-HORDE-15")
def end_turn(tape: Tape, rush: HordeAssault) -> HordeAssault:
    """The horde has made all its attacks of this turn."""
    died = rush.victim.health <= DEAD and not rush.dead_in
    if not rush.dead_in:
        health = health_words(rush.victim.health, rush.spec.defender.wounds).lower()
        tape.tell("Turn {}: {}", rush.turn, health)
    return replace(rush, turn=rush.turn + 1, dead_in=rush.turn if died else rush.dead_in)


class Siege(State, frozen=True):
    """Who attacks a horde turn by turn, and what holds it together; constant through the fight."""

    attack: HordeAttack
    drill: FirePlan
    starting: int  # Magnitude of the horde when it was whole
    willpower: int = 30
    disciplined: bool = False
    breaks: bool = True  # its nerve is tested at all
    attacks: int = 1  # a turn


class SiegeState(State, frozen=True):
    """How far it has got."""

    siege: Siege
    before: int  # Magnitude at first
    magnitude: int
    gun: GunState = GunState()
    turn: int = 0
    bled: bool = False  # a quarter or more was lost since the horde's last turn
    hits: int = 0
    broken_in: int = 0  # the turn; 0 not
    destroyed_in: int = 0
    rounds: int = 0  # spent

    @property
    def is_over(self) -> bool:
        """The horde is destroyed, or has fled."""
        return self.magnitude <= 0 or self.broken_in > 0


def begin_siege(siege: Siege, magnitude: int, clip: int = LASTS) -> SiegeState:
    """A horde of this Magnitude about to be attacked."""
    return SiegeState(siege, magnitude, magnitude, GunState(left=siege.drill.turns, clip=clip))


def siege_procedure(now: SiegeState) -> Procedure:
    """So many turns: the attack, then the start of the horde's own turn."""
    return Procedure("horde", (declare_siege, *(attack_turn, nerve_test) * now.siege.drill.turns))


@clause("DW-HPIPE-1", "DW-HORDE-2")
def declare_siege(tape: Tape, now: SiegeState) -> SiegeState:
    """Say how the horde is attacked, and what its size adds to that at first."""
    tape.tell(size_lines, now)
    return now


@clause("DW-HPIPE-1", "DW-HORDE-3", "DW-JAM-2", "DW-ACT-RELOAD", "DW-ACT-AIM", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS")
def attack_turn(tape: Tape, now: SiegeState) -> SiegeState:
    """A turn of the attacker: clear a jam, reload, aim, wait or attack; nobody attacks a horde that is gone."""
    siege, drill, gun, now = now.siege, now.siege.drill, now.gun, replace(now, turn=now.turn + 1)
    if now.is_over:
        return replace(now, gun=guns.gun_state(gun))
    paused = guns.turn_without_attack(tape, drill, gun)
    if paused is not None:
        return replace(now, gun=paused)
    attack, spent = siege.attack, guns.attack_with(drill.spec, gun.clip, drill.tests).rounds
    if spent < drill.spec.rounds:
        steps = tuple((least, guns.attack_with(spec, gun.clip, drill.tests)) for least, spec in attack.steps)
        attack = replace(attack, steps=steps)
    came: HordeAttackResult = tape.call(attack_horde, attack, now.magnitude, siege.attacks)
    gone, gun = came.magnitude <= 0, guns.fired(drill, gun, spent, came.status)
    left = "the horde is destroyed" if gone else f"Magnitude {now.magnitude} to {came.magnitude}"
    tape.tell("Turn {}: {}, {}", now.turn, plural(came.hits, "hit"), left, clause="DW-HORDE-3")
    if came.status == "jam":
        tape.tell("The weapon jams", clause="DW-JAM-1")
    return replace(
        now,
        magnitude=came.magnitude,
        bled=is_bled(siege.starting, now.magnitude - came.magnitude),
        hits=now.hits + came.hits,
        destroyed_in=now.turn if gone else 0,
        rounds=now.rounds + spent,
        gun=guns.gun_state(gun) if gone else gun,
    )


@clause("DW-HORDE-16")
def nerve_test(tape: Tape, now: SiegeState) -> SiegeState:
    """The start of the horde's turn: a quarter lost since the last one tests its Willpower, or it has too few left."""
    siege, label = now.siege, "willpower (breaking)"
    is_tested = siege.breaks and not now.is_over
    if not is_tested or not breaks(tape, nerve_of(now), siege.willpower, label, siege.drill.tests):
        return replace(now, bled=False)
    why = "too few are left" if nerve_of(now).auto else "its nerve fails"
    tape.tell("The horde breaks in turn {}: {}", now.turn, why)
    return replace(now, bled=False, broken_in=now.turn, gun=guns.gun_state(now.gun))


@clause("DW-HORDE-16")
def nerve_of(now: SiegeState) -> Breaking:
    """What the start of the horde's turn asks of it."""
    siege = now.siege
    return breaking(siege.starting, now.magnitude, siege.starting if now.bled else 0, siege.disciplined)


# --- what is told -----------------------------------------------------------------------------------------------------


def count_line(attack: HordeAttack, base: int, hits: int) -> Line:
    """Say as how many an attack's hits count, and by which rule."""
    return Line(f"{plural(base, 'hit')}, which counts as {hits}", (counted_by(attack),), result=str(hits))


def counted_by(attack: HordeAttack) -> str:
    """Return the clause by which hits count as more."""
    spec = attack.steps[0][1]
    return "DW-HORDE-11" if spec.blast else "DW-HORDE-4" if spec.hits[0].damage_type == "X" else "DW-QUAL-DEVASTATING"


def size_lines(now: SiegeState) -> Iterator[Line]:
    """Say how a horde of this size is attacked, and how hits count."""
    attack = now.siege.attack
    if attack.kind == "flame":
        yield Line(f"No roll to hit: {attack.base} and a d{attack.die} hits", ("DW-HORDE-12",), result=str(attack.base))
    elif not attack.sure:
        yield from stages.modifier_lines(attack.spec(now.magnitude))
    if attack.kind == "psychic":
        more = f" and a d{attack.die}" if attack.die else ""
        yield Line(f"{attack.base}{more} hits by the psy rating", ("DW-HORDE-13",), result=str(attack.base))
    each, plus = attack.count
    if (each, plus) != (1, 0):
        times = f"counts {each} times" if each > 1 else "counts once"
        yield Line(f"Each hit {times}" + (f", and {plus} more for the attack" if plus else ""), (counted_by(attack),))
