"""The question `lost_assault`: which side has lost, whether it holds, and whether it gets away."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

from battletape.cards import Inputs, Lead, Line, Measure, Question, Table, asked
from battletape.rulebook import Meta, Procedure, State, Tape, clause, replace
from battletape.rulesets.diceless40k import words
from battletape.rulesets.diceless40k.questions._inputs import Op, TestLd
from battletape.rulesets.diceless40k.rules.close_combat import breaks_off
from battletape.rulesets.diceless40k.rules.leadership import TestResult, leadership_line
from battletape.rulesets.diceless40k.rules.morale import (
    AssaultOutcome,
    assault_result,
    extra_wounds,
    take_lost_assault_test,
)
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.rulesets.diceless40k.tables.printed import leadership_table

if TYPE_CHECKING:
    from battletape.answer import Answer

Initiatives = tuple[Annotated[int, Meta(ge=0, le=10)], ...]


class LostAssaultInputs(Inputs, frozen=True):
    """The losses of both sides in a fight, and the nerves of the first one."""

    own_lost: int = asked(80, "HP that the unit lost", "DL-44.1", group="target", ge=0, le=100_000)
    enemy_lost: int = asked(40, "HP that the enemy lost", "DL-44.1", group="attacker", ge=0, le=100_000)
    enemy_extra_wounds: int = asked(0, "Wounds added to its result", "DL-44.3", group="attacker", ge=0, le=50)
    toughness: float = asked(4.0, "Its average Toughness", "DL-44.3", group="target", ge=0, le=10)
    ld: TestLd = asked(8, "Its printed Ld", "DL-44.2", group="target")
    op: Op = asked(0, "Its order points", "DL-44.1", group="target")
    reroll: bool = asked(False, "Failed tests may be re-rolled", "DL-44.2", group="target")
    initiatives: Initiatives = asked((4, 4, 4), "Initiative of every model it has left", "DL-40.1", group="target")
    enemy_initiatives: Initiatives = asked((4, 4, 4), "Initiative of every enemy left", "DL-40.1", group="attacker")


class Aftermath(State, frozen=True):
    """After the blows: the result, the test, the pursuit."""

    inputs: LostAssaultInputs
    rulings: Rulings
    outcome: AssaultOutcome | None = None
    test_result: TestResult | None = None
    totals: tuple[int, int] = (0, 0)
    escapes: bool = False


@clause("DL-44.1")
def begin_lost_assault(inputs: LostAssaultInputs, rulings: Rulings) -> Aftermath:
    """Return both sides after their blows."""
    return Aftermath(inputs, rulings)


@clause("DL-44.1", "DL-44.3")
def compare_losses(tape: Tape, after: Aftermath) -> Aftermath:
    """Find the side that lost more HP; extra wounds count as HP."""
    given = after.inputs
    added = extra_wounds(given.enemy_extra_wounds, Fraction(given.toughness).limit_denominator(1000), after.rulings)
    outcome = assault_result((given.own_lost, given.enemy_lost), (0, added))
    tape.tell(outcome_line, given, outcome)
    return replace(after, outcome=outcome)


def outcome_line(given: LostAssaultInputs, outcome: AssaultOutcome) -> Line:
    """Say which side has lost, and by how much."""
    text = f"{given.own_lost} HP lost against {given.enemy_lost}"
    if given.enemy_extra_wounds:
        text += f", and {given.enemy_extra_wounds} extra wounds at Toughness {given.toughness:g}"
    by = f" has lost by {outcome.difference} HP"
    result = {0: f"the unit{by}", 1: f"the enemy{by}", None: "a draw"}[outcome.loser]
    return Line(f"{text}: {result}", ("DL-44.1",), result=str(outcome.difference))


@clause("DL-44.1", "DL-44.2")
def take_leadership_test(tape: Tape, after: Aftermath) -> Aftermath:
    """Let the loser add 25 and the difference to its order points and test."""
    assert after.outcome is not None
    given, outcome = after.inputs, after.outcome
    if outcome.loser != 0:
        return after
    test_result = take_lost_assault_test(given.op, given.ld, outcome.difference, given.reroll, rulings=after.rulings)
    tape.tell(leadership_line, test_result, "Test", "DL-44.1", f" (with the difference of {outcome.difference})")
    return replace(after, test_result=test_result)


@clause("DL-40.1")
def pursue(tape: Tape, after: Aftermath) -> Aftermath:
    """Compare the sums of Initiative: they decide whether a unit that falls back breaks off."""
    own, enemy = sum(after.inputs.initiatives), sum(after.inputs.enemy_initiatives)
    escapes = breaks_off(own, enemy, after.rulings)
    result = "it would break off" if escapes else "it would be caught"
    tape.tell(Line, f"Initiative {own} against {enemy}: {result}", ("DL-40.1",), result=result)
    return replace(after, totals=(own, enemy), escapes=escapes)


def outcome_of(after: Aftermath) -> AssaultOutcome:
    """Return which side lost, and by how much."""
    assert after.outcome is not None
    return after.outcome


def lost_assault_headline(answer: Answer) -> str:
    """Say which side lost, and whether the unit holds."""
    (after,) = answer.states.weights
    outcome = outcome_of(after)
    if outcome.loser is None:
        return "A draw: nobody tests."
    if after.test_result is None:
        return f"The unit has won by {outcome.difference} HP; the enemy tests."
    lost = f"The unit has lost by {outcome.difference} HP"
    numbers = f"{after.test_result.op} order points against {after.test_result.threshold}"
    if after.test_result.passed:
        return f"{lost} and holds: {numbers}."
    end = "breaks off" if after.escapes else "is run down"
    return f"{lost}, falls back ({numbers}) and {end}."


def table(inputs: LostAssaultInputs, rulings: Rulings) -> Table:
    """Show Tables 2 and 3 with the threshold in use."""
    return leadership_table(inputs.ld, inputs.reroll)


LOST_ASSAULT = Question(
    "lost_assault",
    "Who has lost an assault, and does the loser hold?",
    LostAssaultInputs,
    begin_lost_assault,
    Procedure("lost assault", (compare_losses, take_leadership_test, pursue)),
    (
        Measure(
            "passed",
            "It holds or has not lost",
            lambda after: int(after.test_result is None or after.test_result.passed),
        ),
        Measure("difference", "HP by which a side lost", lambda after: outcome_of(after).difference, "HP"),
        Measure(
            "loser",
            "Who lost: the unit, the enemy or nobody",
            lambda after: {0: "unit", 1: "enemy", None: "nobody"}[outcome_of(after).loser],
            values=("unit", "enemy", "nobody"),
        ),
        Measure(
            "op_after",
            "Its order points afterwards",
            lambda after: after.test_result.op if after.test_result else after.inputs.op,
            "OP",
        ),
        Measure("breaks_off", "It would break off", lambda after: int(after.escapes)),
        Measure("own_initiative", "Sum of its Initiative", lambda after: after.totals[0], "points"),
        Measure("enemy_initiative", "Sum of the enemy's Initiative", lambda after: after.totals[1], "points"),
    ),
    lost_assault_headline,
    table=table,
    example={"own_lost": 190, "enemy_lost": 67, "initiatives": [4], "enemy_initiatives": [2] * 9},
    rulings=("lost_assault", "combat_wounds", "sweep_tie"),
    lead=(Lead("passed", lambda answer: "it holds" if words.value(answer, "passed") else "it does not hold"),),
)
