"""Leadership tests: order points against the threshold of a Ld."""

from __future__ import annotations

import msgspec

from battletape.rulebook import BadInput, Line, State, clause
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings
from battletape.rulesets.diceless40k.tables.sheet import REROLLED_THRESHOLDS, THRESHOLDS

TEST_POINTS = 25
"""Order points that a test adds."""
FIRST_OP = 0
MIN_LD, MAX_LD = min(THRESHOLDS), max(THRESHOLDS)


class TestResult(State, frozen=True):
    """A test taken: the order points before and after, the Ld that counted, its threshold, and how it went."""

    op_before: int
    op: int
    ld: int
    threshold: int
    passed: bool
    reroll: bool = False
    leader_op: int | None = None  # of an independent character that took it


@clause("DL-6.3")
def order_points_at_start() -> int:
    """Return the order points at the start of a game: none, for units, characters and psykers alike."""
    return FIRST_OP


@clause("DL-8.2", "DL-T2", "DL-T3")
def threshold(ld: int, reroll: bool = False) -> int:
    """Return the most order points with which a test on this Ld is passed: above 10 read as 10, below 2 none."""
    table = REROLLED_THRESHOLDS if reroll else THRESHOLDS
    return 0 if ld < MIN_LD else table[min(ld, MAX_LD)]


@clause("DL-8.1", "DL-8.2")
def take_test(op: int, ld: int, reroll: bool = False, modifier: int = 0, added: int = TEST_POINTS) -> TestResult:
    """Add 25 order points for good; the test is failed if they exceed the threshold of the modified Ld."""
    if op < 0:
        raise BadInput(f"order points are 0 or more; got {op}", clause="DL-6.3")
    most = threshold(ld + modifier, reroll)
    return TestResult(op, op + added, ld + modifier, most, op + added <= most, reroll)


@clause("DL-8.3")
def take_test_led(
    unit_op: int, leader_op: int, ld: int, reroll: bool = False, modifier: int = 0, rulings: Rulings = DEFAULT
) -> TestResult:
    """Return a test that an independent character takes for its unit: both tracks rise, and the unit's is compared."""
    unit = take_test(unit_op, ld, reroll, modifier)
    leader = take_test(leader_op, ld, reroll, modifier)
    passed = unit.passed if rulings.character_compares == "unit" else leader.passed
    return msgspec.structs.replace(unit, passed=passed, leader_op=leader.op)


@clause("DL-8.1")
def passes_in_a_row(op: int, ld: int, reroll: bool = False) -> int:
    """Return how many tests in a row a unit passes before the first that it fails."""
    return max(0, threshold(ld, reroll) - op) // TEST_POINTS


# --- log lines --------------------------------------------------------------------------------------------------------


def leadership_line(result: TestResult, what: str = "Test", clause: str = "DL-8.1", because: str = "") -> Line:
    """Show a test: order points before and after, the threshold, and how it went."""
    added = result.op - result.op_before
    table = "table 3" if result.reroll else "table 2"
    text = (
        f"{what} on Ld {result.ld}: {result.op_before} + {added}{because} = {result.op} OP against {result.threshold}"
    )
    passed = "passed" if result.passed else "failed"
    return Line(f"{text} ({table}): {passed}", (clause, "DL-T3" if result.reroll else "DL-T2"), result=passed)
