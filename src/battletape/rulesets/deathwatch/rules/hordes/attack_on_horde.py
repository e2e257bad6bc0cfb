"""One attack on a horde: the roll to hit, the hits it counts as, and the damage of each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.dice import D100, Reading, d
from battletape.rulesets.deathwatch.rules.attack.records import Attack, AttackDraft, Guard, Spec
from battletape.rulesets.deathwatch.rules.attack.stages import NOBODY, check_jam, hit_for, outcome
from battletape.rulesets.deathwatch.rules.damage import Hit, net
from battletape.rulesets.deathwatch.rules.hordes.size_and_nerve import SIZES, Counting, counted, counting, size_bonus
from battletape.rulesets.deathwatch.rules.qualities.keywords import ready, values
from battletape.rulesets.deathwatch.rules.tests import on_d100
from battletape.rulesets.deathwatch.rules.traits import Modifier
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.tape import Tape
from battletape.words import labelled, plural

Kind: TypeAlias = Literal["shoot", "melee", "flame", "psychic"]
"""How a horde is attacked."""
METRES_A_HIT = 4
"""Of the range of a flame weapon."""


class Onslaught(Struct, frozen=True, cache_hash=True):
    """An attack on a horde as its dice see it, for every size the horde may have; rulings are in the numbers."""

    kind: Kind
    steps: tuple[tuple[int, Spec], ...]  # from which Magnitude on which attack is made, largest first
    count: Counting
    takes: int = 1  # Magnitude by a hit that does damage
    least: int = 0  # hits of a success in melee
    base: int = 0  # hits of flames and powers
    die: int = 0  # sides of the die added to those, if there is one
    sure: bool = False  # no roll to hit

    def spec(self, magnitude: int) -> Spec:
        """The attack on a horde of this size."""
        return next(spec for least, spec in self.steps if magnitude >= least)


class Volley(NamedTuple):
    """What an attack on a horde came to: how it went, hits on the horde, and the Magnitude left."""

    status: str
    hits: int
    magnitude: int


@clause("DW-HPIPE-1", "DW-HORDE-1", "DW-HORDE-2", "DW-HORDE-3", "DW-HORDE-12", "DW-QUAL-DEVASTATING")
def onslaught(
    draft: AttackDraft,
    names: Sequence[str],
    guard: Guard,
    kind: Kind = "shoot",
    range_m: float = 0,
    area: bool = False,
    sure: bool = False,
    rules: Rulings = DEFAULT,
) -> Onslaught:
    """An attack made ready against a horde: qualities have turned their dials, its size is added."""
    qualities = values(names)
    steps = SIZES if kind in ("shoot", "melee") else SIZES[-1:]
    base = {"flame": ceil(range_m / METRES_A_HIT), "psychic": draft.psy_rating}.get(kind, 0)
    deep = qualities.devastating if rules.horde_devastating == "per_hit_magnitude" else 0
    return Onslaught(
        kind,
        tuple((least, ready(_sized(draft, least, rules), names, guard, rules)) for least, _ in steps),
        counting(qualities.blast, draft.damage_type == "X", qualities.devastating, rules),
        1 + deep,
        rules.horde_melee_minimum,
        base,
        {"flame": 5, "psychic": 10 if area else 0}.get(kind, 0),
        sure or kind == "flame",
    )


def _sized(draft: AttackDraft, least: int, rules: Rulings) -> AttackDraft:
    bonus = size_bonus(least, rules)
    if not bonus:
        return draft
    return replace(draft, modifiers=(*draft.modifiers, Modifier(f"horde of {least} or more", bonus, "DW-HORDE-2")))


@clause("DW-HPIPE-1", "DW-HORDE-1", "DW-HORDE-3", "DW-ACT-MULTIPLE-ATTACKS")
def attack_horde(tape: Tape, attack: Onslaught, magnitude: int, attacks: int = 1) -> Volley:
    """So many attacks on a horde, each against what the one before has left."""
    return tape.each(volley, Volley("", 0, magnitude), (attack,) * attacks)


@clause("DW-HPIPE-1", "DW-HORDE-1", "DW-HORDE-3")
def volley(tape: Tape, so_far: Volley, attack: Onslaught) -> Volley:
    """One attack on a horde: the roll, the hits it counts as, and the damage of each."""
    if so_far.magnitude <= 0:
        return so_far
    status, hits = tape.call(score, attack, attack.spec(so_far.magnitude))
    left = take_all(tape, attack, so_far.magnitude, hits)
    return Volley(status or so_far.status, so_far.hits + len(hits), left)


@clause("DW-HORDE-3")
def take_all(tape: Tape, attack: Onslaught, magnitude: int, hits: tuple[Hit, ...]) -> int:
    """What is left of a horde after these hits of an attack."""
    return tape.each(take_hit, magnitude, tuple((hit, attack.takes) for hit in hits))


@clause("DW-HPIPE-1", "DW-HORDE-5", "DW-HORDE-10", "DW-HORDE-12", "DW-HORDE-13")
def score(tape: Tape, attack: Onslaught, spec: Spec) -> tuple[str, tuple[Hit, ...]]:
    """How the roll went, and every hit on the horde."""
    status, degrees, base = "hit", 0, 0
    if not attack.sure:
        status, degrees, base = tape.roll(D100, score_reading(attack, spec), label=labelled(spec.name, "to hit"))
    if status == "jam?":
        saved = check_jam(tape, Attack(spec, NOBODY, status, degrees, base, "", base))
        status, degrees, base = saved.status, saved.degrees, saved.hits
    if status == "hit" and attack.kind in ("flame", "psychic"):
        base = attack.base
        if attack.die:
            what = "hits of flames" if attack.kind == "flame" else "hits on an area"
            base += int(tape.roll(d(attack.die), label=f"{what} (d{attack.die})"))
    hits = counted(base, attack.count)
    return status, tuple(hit_for(spec, "body", degrees, at == 0) for at in range(hits))


@lru_cache(1024)
def score_reading(attack: Onslaught, spec: Spec) -> Reading:
    """A roll to hit a horde read as status, degrees still felt, and hits before blasts and explosions count."""

    def meaning(roll: int) -> tuple[str, int, int]:
        status, degrees, base = outcome(spec, roll)
        if attack.kind == "melee":
            base = max(attack.least, degrees // 2) + spec.power_field if base else 0
        return status, min(degrees, spec.degrees_felt) if base else 0, base

    def words(scored: tuple[str, int, int]) -> str:
        return scored[0].rstrip("?") + (f", {plural(scored[2], 'hit')}" if scored[2] else "")

    return on_d100(meaning, f"{spec.target} or less", words, lambda scored: scored[2])


@clause("DW-HORDE-3", "DW-HORDE-7", "DW-HORDE-8", "DW-HORDE-14")
def take_hit(tape: Tape, magnitude: int, item: tuple[Hit, int]) -> int:
    """One hit on a horde: any damage at all takes its share; nothing is left to hit at Magnitude 0."""
    hit, takes = item
    return max(0, magnitude - takes) if magnitude > 0 and tape.call(net, hit, 1) else magnitude
