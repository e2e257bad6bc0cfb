"""The question `leadership`: a test, how many more are passed, and after which the next one fails."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from battletape.cards import Inputs, Lead, Line, Measure, ProfileBook, Question, Table, asked
from battletape.rulebook import Caution, Procedure, State, Tape, clause, plural, raise_if_refused, replace
from battletape.rulesets.diceless40k import words
from battletape.rulesets.diceless40k.questions._inputs import Op, TestLd
from battletape.rulesets.diceless40k.rules import leadership, morale
from battletape.rulesets.diceless40k.rules.characteristics import groups_of
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.rulesets.diceless40k.tables.printed import leadership_table

if TYPE_CHECKING:
    from battletape.answer import Answer


class LeadershipInputs(Inputs, frozen=True):
    """A unit about to take a test."""

    unit: str = asked("", "Unit profile", group="target", profile="unit")
    ld: TestLd = asked(8, "Ld used for the test", "DL-8.1", group="target")
    op: Op = asked(leadership.order_points_at_start(), "Order points now", "DL-6.3", group="target")
    reroll: bool = asked(False, "Failed tests may be re-rolled", "DL-8.2", group="target")
    fearless: bool = asked(False, "Nobody in it knows fear", "DL-8.1", group="target")
    stubborn: bool = asked(False, "Everybody in it is stubborn", "DL-8.2", group="target")
    test: Literal["morale", "pinned", "other"] = asked("morale", "What it tests for", "DL-8.1", group="circumstances")
    modifier: int = asked(0, "Modifiers of Ld", "DL-8.2", group="circumstances", ge=-10, le=10)
    leader_op: int | None = asked(
        None, "Order points of an independent character that leads", "DL-8.3", group="target", ge=0, le=5000
    )


class LeadershipTest(State, frozen=True):
    """A test about to be taken, and how it went."""

    inputs: LeadershipInputs
    rulings: Rulings
    test_result: leadership.TestResult | None = None
    passes: int = 0


@clause("DL-6.3", "DL-8.1")
def begin_leadership(inputs: LeadershipInputs, rulings: Rulings) -> LeadershipTest:
    """Return the unit with the order points it has; a game begins without any."""
    raise_if_refused(morale.refuse_test(inputs.unit or "the unit", inputs.fearless and inputs.test != "other"))
    return LeadershipTest(inputs, rulings)


def modifier_of(inputs: LeadershipInputs) -> int:
    """Return the modifiers that count."""
    return morale.counted_modifier(inputs.modifier, inputs.stubborn)


@clause("DL-8.1", "DL-8.2", "DL-8.3")
def test_once(tape: Tape, test: LeadershipTest) -> LeadershipTest:
    """Take the test, with the unit's own Ld or that of the character that leads it."""
    given, modifier = test.inputs, modifier_of(test.inputs)
    if given.leader_op is None:
        test_result = leadership.take_test(given.op, given.ld, given.reroll, modifier)
        tape.tell(leadership.leadership_line, test_result)
    else:
        test_result = leadership.take_test_led(
            given.op, given.leader_op, given.ld, given.reroll, modifier, test.rulings
        )
        tape.tell(leadership.leadership_line, test_result)
        text = f"The character's own track rises to {test_result.leader_op} OP"
        tape.tell(Line, text, ("DL-8.3",), result=f"{test_result.leader_op} OP")
    return replace(test, test_result=test_result)


@clause("DL-8.1")
def count_passes(tape: Tape, test: LeadershipTest) -> LeadershipTest:
    """Count how many tests in a row are passed from here."""
    given = test.inputs
    passes = leadership.passes_in_a_row(given.op, given.ld + modifier_of(given), given.reroll)
    tape.tell(passes_line, test_result_of(test), passes)
    return replace(test, passes=passes)


def passes_line(test_result: leadership.TestResult, passes: int) -> Line:
    """Show the order points of the tests to come, up to the first that fails."""
    op = [test_result.op + (test_result.op - test_result.op_before) * later for later in range(passes + 1)]
    passed = ", ".join(map(str, op[:-1])) or "none"
    text = f"Tests in a row: {passed} pass; {op[-1]} is more than {test_result.threshold} and fails"
    return Line(text, ("DL-8.1",), result=str(passes))


def test_result_of(test: LeadershipTest) -> leadership.TestResult:
    """Return how the test went."""
    assert test.test_result is not None
    return test.test_result


def leadership_headline(answer: Answer) -> str:
    """Say how many more tests are passed, and which one fails."""
    passes, threshold = words.value(answer, "passes"), words.value(answer, "threshold")
    before = f"With {answer.inputs.op} order points against {threshold}"
    if not passes:
        return f"{before} the next test fails."
    return f"{before} it passes {plural(passes, 'more test')}; number {passes + 1} fails."


def fill_leadership(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in the best Ld of a named unit, whether it may re-roll, and whether it is fearless or stubborn."""
    if not given.get("unit"):
        return dict(given)
    unit = book.find("unit", str(given["unit"]))
    groups = groups_of(unit)
    nerves = {"fearless": morale.is_fearless(groups), "stubborn": morale.is_stubborn(groups)}
    return {"ld": morale.best_ld(groups), "reroll": morale.may_reroll_ld(groups), **nerves, **given, "unit": unit.name}


def table(inputs: LeadershipInputs, rulings: Rulings) -> Table:
    """Show Tables 2 and 3 with the threshold in use."""
    return leadership_table(inputs.ld + modifier_of(inputs), inputs.reroll)


def warn_leadership(inputs: LeadershipInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn where the table ends."""
    counted = inputs.ld + modifier_of(inputs)
    if modifier_of(inputs) != inputs.modifier:
        yield Caution(f"{inputs.unit or 'The unit'} is stubborn, so nothing lowers its Ld", "DL-8.2")
    if counted > leadership.MAX_LD:
        yield Caution(f"A Ld of {counted} reads as {leadership.MAX_LD}", "DL-8.2")
    if counted < leadership.MIN_LD:
        yield Caution(f"With a Ld of {counted} no test is passed with any order points", "DL-8.2")


LEADERSHIP = Question(
    "leadership",
    "How many more tests can this unit pass?",
    LeadershipInputs,
    begin_leadership,
    Procedure("leadership", (test_once, count_passes)),
    (
        Measure("passes", "Tests that it passes in a row", lambda test: test.passes, "tests"),
        Measure("passed", "The next test is passed", lambda test: int(test_result_of(test).passed)),
        Measure("op_after", "Order points after the next test", lambda test: test_result_of(test).op, "OP"),
        Measure("threshold", "Order points it may have", lambda test: test_result_of(test).threshold, "OP"),
        Measure(
            "leader_op",
            "Order points of the character after it",
            lambda test: test_result_of(test).leader_op or 0,
            "OP",
            usual=lambda test: test.inputs.leader_op is not None,
        ),
    ),
    leadership_headline,
    fill=fill_leadership,
    table=table,
    warn=warn_leadership,
    example={"unit": "Ork Boyz", "op": 50},
    small={"ld": 8, "op": 50},
    rulings=("character_compares",),
    lead=(
        Lead(
            "passes", lambda answer: "more test passed" if words.value(answer, "passes") == 1 else "more tests passed"
        ),
    ),
)
