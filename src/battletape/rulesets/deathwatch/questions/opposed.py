"""The question opposed: which side wins a test of one against the other."""

from __future__ import annotations

from battletape.cards import Answer, Inputs, Lead, Measure, Question, asked, percent
from battletape.rulebook import Procedure, State, Tape, clause, plural, replace
from battletape.rulesets.deathwatch.questions import _inputs, test
from battletape.rulesets.deathwatch.rules import d100_tests
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings


class OpposedInputs(Inputs, frozen=True):
    """Two tests against each other, as of feint, manoeuvre, knock-down and grapple."""

    one: test.TargetInput = asked(50, test.CHARACTERISTIC, "DW-TEST-6", group="attacker")
    one_modifiers: tuple[test.ModifierInput, ...] = asked((), "Modifiers", "DW-TEST-4", group="attacker")
    one_bonus: int | None = asked(
        None, "Bonus for ties", "DW-TEST-6", about="the tens of the number if left out", group="attacker", ge=0, le=60
    )
    two: test.TargetInput = asked(40, test.CHARACTERISTIC, "DW-TEST-6", group="target")
    two_modifiers: tuple[test.ModifierInput, ...] = asked((), "Modifiers of the other", "DW-TEST-4", group="target")
    two_bonus: int | None = asked(
        None,
        "Bonus of the other for ties",
        "DW-TEST-6",
        about="the tens of the number if left out",
        group="target",
        ge=0,
        le=60,
    )


class OpposedState(State, frozen=True):
    """Two sides before and after their rolls."""

    one: d100_tests.Contestant
    other: d100_tests.Contestant
    rulings: Rulings
    contest: d100_tests.Contest | None = None

    @property
    def winner(self) -> str:
        """The winner: one, two or nobody, as the measure says."""
        return {"one": "one", "other": "two", "nobody": "nobody"}[self.contest.winner if self.contest else "nobody"]


def begin_opposed(inputs: OpposedInputs, rulings: Rulings = DEFAULT) -> OpposedState:
    """Return both sides with target numbers and bonuses."""

    def side(label: str, value: int, modifiers: tuple[int, ...], bonus: int | None) -> d100_tests.Contestant:
        own = max(0, d100_tests.bonus(value)) if bonus is None else bonus
        return d100_tests.Contestant(d100_tests.target(value, modifiers, rulings), own, label)

    one = side("one", inputs.one, inputs.one_modifiers, inputs.one_bonus)
    return OpposedState(one, side("two", inputs.two, inputs.two_modifiers, inputs.two_bonus), rulings)


@clause("DW-TEST-6")
def roll_both(tape: Tape, sides: OpposedState) -> OpposedState:
    """Roll for both sides."""
    contest = d100_tests.contest(tape, sides.one, sides.other, sides.rulings, max_degrees=10)
    rolled = replace(sides, contest=contest)
    by = f" by {plural(contest.by, 'degree')}" if contest.by else ""
    tape.tell("{} wins{}", rolled.winner.capitalize(), by)
    return rolled


def opposed_headline(answer: Answer) -> str:
    """Say how often each side wins."""
    nobody = percent(answer.odds("winner").chance("nobody"))
    return f"One wins {answer.chance('one_wins')}, two {answer.chance('two_wins')}, nobody {nobody}."


OPPOSED = Question(
    "opposed",
    "Who wins an opposed test?",
    OpposedInputs,
    begin_opposed,
    Procedure("opposed test", (roll_both,)),
    (
        Measure("winner", "Winner", lambda sides: sides.winner, values=("one", "two", "nobody")),
        Measure("one_wins", "One wins", lambda sides: int(sides.winner == "one")),
        Measure("two_wins", "Two wins", lambda sides: int(sides.winner == "two")),
        Measure("by", "Degrees more of the winner", lambda sides: sides.contest.by, "degrees"),
    ),
    opposed_headline,
    example={"one": 50, "two": 45},
    rulings=(*_inputs.OF_TESTS, *_inputs.OF_CONTESTS),
    lead=(Lead("one_wins", lambda answer: f"one wins, two {answer.chance('two_wins')}"),),
)
