"""Hordes: a crowd that is attacked as one creature. Its size, the hits it takes, its losses, its nerve."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from battletape.clauses import cites, clause, refuses
from battletape.errors import BadInput, Refused
from battletape.rulesets.deathwatch.rules import tests
from battletape.rulesets.deathwatch.rules.attack.records import Guard
from battletape.rulesets.deathwatch.rules.traits import SPOTS
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables.sheet import find_name
from battletape.tape import Tape

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
        raise BadInput(f"magnitude must be 0 or more; got {magnitude} (DW-HORDE-2)", field="magnitude")
    if magnitude < FIRST_PRINTED and rules.small_horde == "no_bonus":
        return 0
    return next(bonus for least, bonus in SIZES if magnitude >= least)


@clause("DW-HORDE-17")
def traits_of(names: Iterable[str]) -> Traits:
    """What a list of traits means; an unknown one is refused with the nearest."""
    given = {find_name("trait of a horde", name, TRAITS) for name in names}
    return Traits(*(trait in given for trait in tuple(TRAITS)[:3]))


@clause("DW-HORDE-7", "DW-HORDE-14")
def horde_guard(armour: int, tb: int, multiplier: int = 1, cover: int = 0) -> Guard:
    """A horde as damage sees it: the profile of one of them, the same armour everywhere."""
    everywhere = len(SPOTS)  # it has no places, one value counts for all
    return Guard(ap=(armour,) * everywhere, cover=(cover,) * everywhere, tb=tb, multiplier=multiplier, wounds=1)


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
    if 4 * lost < starting:
        return Breaking(False, False, 0)
    return Breaking(True, False, -10 if 2 * current < starting and not disciplined else 0)


@clause("DW-HORDE-16")
def breaks(tape: Tape, nerve: Breaking, willpower: int, label: str, rules: Rulings = DEFAULT) -> bool:
    """Whether a horde breaks as its turn begins: without a test, or because its nerve fails."""
    will = tests.target(willpower, (nerve.penalty,), rules)
    return nerve.auto or (nerve.test and not tests.check(tape, will, label, rules))
