"""Morale: when a unit tests, lost assaults in hit points, no retreat, falling back and regrouping."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec

from battletape.rulebook import BadInput, Refused, State, UnknownName, clause, labelled
from battletape.rulesets.diceless40k.rules.casualties import Packet
from battletape.rulesets.diceless40k.rules.characteristics import FEARLESS, REROLL_LD, STUBBORN, Group, majority
from battletape.rulesets.diceless40k.rules.leadership import TEST_POINTS, TestResult, take_test, threshold
from battletape.rulesets.diceless40k.rules.movement import round_half_up
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings

NO_ENEMY_WITHIN = 6  # inches of a unit that regroups
REGROUP_MOVE = 3  # inches
HP_OF_A_WOUND = 10  # for each point of Toughness

# Inches that a unit falls back, by its type; walkers never do.
FALL_BACK = {
    "infantry": 7,
    "monstrous_creature": 7,
    "artillery": 7,
    "jump_infantry": 10,
    "bike": 10,
    "jetbike": 10,
    "beast": 10,
    "cavalry": 10,
}


# --- tests, and their Ld ----------------------------------------------------------------------------------------------


@clause("DL-8.1")
def must_check(models_before: int, removed: int) -> bool:
    """Return whether a unit that lost so many models in a phase, not to blows, must test: a quarter or more of them."""
    return removed > 0 and 4 * removed >= models_before


@clause("DL-8.2")
def ld_modifier(models_left: int, starting: int, stubborn: bool = False) -> int:
    """Return -1 for a unit below half of its starting strength; stubborn units ignore it."""
    return -1 if 2 * models_left < starting and not stubborn else 0


@clause("DL-8.2")
def best_ld(groups: Iterable[Group]) -> int:
    """Return the Ld of a unit: the best one among the models it has left."""
    return max((group.ld for group in groups if group.models), default=0)


@clause("DL-44.4")
def is_fearless(groups: Iterable[Group]) -> bool:
    """Return whether a unit takes no test, because all its models left are fearless."""
    return all(FEARLESS in group.rules for group in groups if group.models)


@clause("DL-8.2")
def may_reroll_ld(groups: Iterable[Group]) -> bool:
    """Return whether a model left in the unit lets it repeat a failed test."""
    return any(REROLL_LD in group.rules for group in groups if group.models)


@clause("DL-8.2")
def is_stubborn(groups: Iterable[Group]) -> bool:
    """Return whether all models left in a unit are stubborn, so that nothing lowers its Ld."""
    return all(STUBBORN in group.rules for group in groups if group.models)


@clause("DL-8.2")
def counted_modifier(modifier: int, stubborn: bool = False) -> int:
    """Return the modifier of Ld that counts: nothing lowers that of stubborn units."""
    return max(0, modifier) if stubborn else modifier


@clause("DL-8.1")
def refuse_test(name: str, fearless: bool) -> Refused | None:
    """Refuse a morale or pinning test of a unit that knows no fear."""
    return Refused(f"{name} knows no fear and takes no such test", "DL-8.1", "fearless") if fearless else None


@clause("DL-8.1", "DL-8.2")
def take_morale_test(groups: Sequence[Group], op: int, starting: int) -> TestResult | None:
    """Take the morale test of a unit on its own that began with so many models; a fearless one takes none."""
    if is_fearless(groups):
        return None
    modifier = ld_modifier(sum(group.models for group in groups), starting, is_stubborn(groups))
    return take_test(op, best_ld(groups), may_reroll_ld(groups), modifier)


# --- losing an assault ------------------------------------------------------------------------------------------------


class AssaultOutcome(State, frozen=True):
    """The side that lost an assault, 0 or 1, and by how many HP; None in a draw."""

    loser: int | None
    difference: int


@clause("DL-44.3")
def extra_wounds(wounds: int, toughness: Fraction | int, rulings: Rulings = DEFAULT) -> int:
    """Return the HP that extra wounds in a combat result stand for: 10 times the enemy's Toughness each, half up."""
    if rulings.combat_wounds == "each":
        return wounds * round_half_up(HP_OF_A_WOUND * Fraction(toughness))
    return round_half_up(wounds * HP_OF_A_WOUND * Fraction(toughness))


@clause("DL-44.3")
def average_toughness(groups: Iterable[Group], rulings: Rulings = DEFAULT) -> Fraction:
    """Return the Toughness of a unit's models on average, or of most of them where the players have agreed on that."""
    if rulings.combat_wounds == "majority":
        return Fraction(majority(groups, lambda group: group.toughness))
    models = [(group.models, group.toughness) for group in groups]
    number = sum(count for count, _ in models)
    return Fraction(sum(count * toughness for count, toughness in models), number) if number else Fraction(0)


@clause("DL-44.1")
def assault_result(lost: tuple[int, int], extra: tuple[int, int] = (0, 0)) -> AssaultOutcome:
    """Return the loser and the difference in HP; HP for extra wounds count as lost by the enemy."""
    counted = lost[0] + extra[1], lost[1] + extra[0]
    if counted[0] == counted[1]:
        return AssaultOutcome(None, 0)
    return AssaultOutcome(0 if counted[0] > counted[1] else 1, abs(counted[0] - counted[1]))


@clause("DL-44.1", "DL-44.2")
def take_lost_assault_test(
    op: int,
    ld: int,
    difference: int,
    reroll: bool = False,
    leader_op: int | None = None,
    rulings: Rulings = DEFAULT,
) -> TestResult:
    """Add 25 and the difference of HP to the order points, and compare them with the printed Ld.

    A character that takes it for a unit adds 25 to the character's own track as well.
    """
    points = TEST_POINTS if rulings.lost_assault == "test_and_difference" else 0
    unit = take_test(op, ld, reroll, added=points + difference)
    if leader_op is None:
        return unit
    leader = take_test(leader_op, ld, reroll, added=points)
    passed = unit.passed if rulings.character_compares == "unit" else leader.passed
    return msgspec.structs.replace(unit, passed=passed, leader_op=leader.op)


@clause("DL-44.4")
def no_retreat(difference: int, name: str = "") -> Packet:
    """Return the packet of no retreat: the difference of HP, without AP; cover does not help."""
    return Packet(labelled(name, "no retreat"), difference, strength=0, assault=True)


# --- falling back and regrouping --------------------------------------------------------------------------------------


@clause("DL-45.1", "DL-52.1", "DL-53.1", "DL-54.1")
def fall_back_inches(unit_type: str) -> int:
    """Return how far a unit falls back: 7 inches, or 10 if it jumps, rides or runs like a beast."""
    if unit_type not in FALL_BACK:
        raise UnknownName("type of unit that falls back", unit_type, FALL_BACK, clause="DL-45.1")
    return FALL_BACK[unit_type]


class RegroupResult(State, frozen=True):
    """An attempt to regroup: order points before, what was taken off them, after, the threshold, and how it went."""

    op_before: int
    subtracted: int
    op: int
    threshold: int
    passed: bool


@clause("DL-46.1")
def refuse_regroup(
    models_left: int, starting: int, enemy_inches: float | None = None, coherent: bool = True
) -> Refused | None:
    """Refuse to regroup a unit below half, out of coherency, or with an enemy too near."""
    if not models_left:
        return Refused("nobody is left to regroup", "DL-46.1")
    if 2 * models_left < starting:
        return Refused(f"half of the unit must be left to regroup: {models_left} of {starting} are", "DL-46.1")
    if not coherent:
        return Refused("a unit regroups only in coherency", "DL-46.1")
    if enemy_inches is not None and enemy_inches <= NO_ENEMY_WITHIN:
        return Refused(
            f'an enemy stands {enemy_inches:.4g}" away; a unit regroups with no enemy within {NO_ENEMY_WITHIN}"',
            "DL-46.1",
        )
    return None


@clause("DL-46.1")
def regroup(
    op: int, lds: Sequence[int], test_ld: int, reroll: bool = False, rulings: Rulings = DEFAULT
) -> RegroupResult:
    """Take the Ld of every model off the order points for good; it regroups if the threshold is not exceeded."""
    if op < 0:
        raise BadInput(f"order points are 0 or more; got {op}", clause="DL-46.1")
    less = max(0, op - sum(lds))
    after = less + TEST_POINTS if rulings.regroup == "plus_25" else less
    most = threshold(test_ld, reroll)
    return RegroupResult(op, sum(lds), after, most, after <= most)


@clause("DL-46.1")
def lds_of(groups: Iterable[Group]) -> tuple[int, ...]:
    """Return the Ld of every model that a unit has left."""
    return tuple(group.ld for group in groups for _ in range(group.models))
