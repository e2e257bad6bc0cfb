"""The question test: whether a test with a d100 succeeds, and by how much."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from battletape.cards import Answer, Inputs, Lead, Line, Measure, Question, asked, percent
from battletape.rulebook import D100, Meta, Procedure, State, Tape, clause, plural, replace
from battletape.rulesets.deathwatch.questions import _inputs
from battletape.rulesets.deathwatch.rules import d100_tests, traits
from battletape.rulesets.deathwatch.rules.attack.modifiers import Situation, row_modifiers
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables.sheet import situation_key
from battletape.rulesets.deathwatch.words import modifier_lines, test_words

TargetInput = Annotated[int, Meta(ge=-200, le=300)]
ModifierInput = Annotated[int, Meta(ge=-200, le=200)]
CHARACTERISTIC = "Characteristic, skill, or the target itself"


class TestInputs(Inputs, frozen=True):
    """One test with a d100."""

    characteristic: TargetInput = asked(40, CHARACTERISTIC, "DW-TEST-1", group="attacker")
    difficulty: str = asked(
        "Challenging",
        "Difficulty",
        "DW-TEST-2",
        group="circumstances",
        chip="Difficulty",
        known=_inputs.DIFFICULTY_WORDS,
    )
    modifiers: tuple[ModifierInput, ...] = asked((), "Further modifiers", "DW-TEST-4", group="circumstances")
    situations: _inputs.Situations = ()
    fatigue: int = asked(0, "Levels of fatigue", "DW-FAT-1", group="attacker", ge=0, le=40)
    tries: int = asked(
        1,
        "How often it is tried",
        "DW-TEST-1",
        group="circumstances",
        note="with more than one, degrees are those of the best",
        ge=1,
        le=20,
    )


class TestState(State, frozen=True):
    """A test before and after its roll."""

    characteristic: int
    modifiers: tuple[traits.Modifier, ...]
    target: int
    rulings: Rulings
    tries: int = 1
    best: traits.Degrees | None = None  # so far
    successes: int = 0

    @property
    def total(self) -> tuple[int, int]:
        """The sum of the modifiers, and the part of it that counts."""
        return d100_tests.total(self.modifiers, self.rulings)


def begin_test(inputs: TestInputs, rulings: Rulings = DEFAULT) -> TestState:
    """Return the test with its modifiers and its target number."""
    hard = d100_tests.difficulty(inputs.difficulty)
    modifiers = [traits.Modifier(inputs.difficulty.lower(), hard, "DW-TEST-2")] if hard else []
    for at, value in enumerate(inputs.modifiers, 1):
        modifiers.append(traits.Modifier(f"modifier {at}" if len(inputs.modifiers) > 1 else "modifier", value))
    keys = dict.fromkeys((*map(situation_key, inputs.situations), *(("fatigued",) if inputs.fatigue else ())))
    modifiers.extend(row_modifiers(Situation(fatigue=inputs.fatigue), keys, rulings))
    target = d100_tests.target(inputs.characteristic, modifiers, rulings)
    return TestState(inputs.characteristic, tuple(modifiers), target, rulings, inputs.tries)


@clause("DW-TEST-1", "DW-TEST-4")
def add_modifiers(tape: Tape, tested: TestState) -> TestState:
    """Add up what changes the test; no dice."""
    tape.tell(target_lines, tested)
    return tested


@clause("DW-TEST-3", "DW-TEST-1", "DW-TEST-5")
def roll_test(tape: Tape, tested: TestState) -> TestState:
    """Roll against the target; of several tries the best is kept."""
    degrees = d100_tests.roll_degrees(tape, tested.target, "test", tested.rulings)
    best = degrees if tested.best is None else max(tested.best, degrees, key=lambda way: (way.success, signed(way)))
    tape.tell("{} {}", "The best so far" if tested.tries > 1 else "The test", test_words(best))
    return replace(tested, best=best, successes=tested.successes + degrees.success)


def target_lines(tested: TestState) -> Iterator[Line]:
    """Say the modifiers one by one, and how many rolls succeed."""
    yield from modifier_lines(tested.characteristic, tested.modifiers, tested.rulings.modifier_cap)
    rolls = sum(d100_tests.succeeds(tested.target, roll, tested.rulings) for roll in D100.faces)
    yield Line(f"{rolls} of 100 rolls succeed", result=str(rolls))


def signed(way: traits.Degrees) -> int:
    """Return the degrees of success, below zero those of failure."""
    return way.degrees if way.success else -way.degrees


def test_headline(answer: Answer) -> str:
    """Say how often the test succeeds, and how well."""
    odds = answer.odds("degrees")
    best = [degrees for degrees in (3, 2, 1) if odds.at_least(degrees)]
    more = f"; {plural(best[0], 'degree')} or more {percent(odds.at_least(best[0]))}" if best else ""
    return f"Succeeds {answer.chance('success')}{more}."


TEST = Question(
    "test",
    "Does a test succeed, and by how much?",
    TestInputs,
    begin_test,
    lambda tested: Procedure("test", (add_modifiers, *(roll_test,) * tested.tries)),
    (
        Measure("success", "Success", lambda tested: int(tested.best.success)),
        Measure("successes", "Tries that succeed", lambda tested: tested.successes, "tries"),
        Measure("degrees", "Degrees, below 0 of failure", lambda tested: signed(tested.best), "degrees"),
        Measure("outcome", "Outcome", lambda tested: d100_tests.words_of(tested.best)),
        Measure("target", "Target", lambda tested: tested.target),
        Measure("modifier", "Sum of the modifiers", lambda tested: tested.total[0], "points"),
        Measure("counted", "What of it counts", lambda tested: tested.total[1], "points"),
    ),
    test_headline,
    example={"characteristic": 45, "difficulty": "Hard", "modifiers": [10]},
    rulings=_inputs.OF_ATTACKS,
    lead=(Lead("success", "succeeds"),),
)
