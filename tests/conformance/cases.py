"""What the conformance tests run on: the example of every question of every ruleset, its variants, and small cases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import Any

from msgspec import structs

from battletape import registry
from battletape.answer import Answer, ask
from battletape.errors import BattletapeError
from battletape.inputs import Field, Inputs, fields
from battletape.log import Played, play
from battletape.system import Question, Ruleset
from battletape.tape.exact import Exact
from battletape.tape.path import Path
from battletape.tape.rolled import Rolled
from tests.engine.twin import TooMany, brute_force
from tests.toy import RULESET as TOY


@dataclass(frozen=True)
class Case:
    """A question with inputs and rulings."""

    ruleset: Ruleset
    question: Question
    name: str
    inputs: Any
    rulings: Any

    def __str__(self) -> str:
        return f"{self.ruleset.name} {self.question.name} {self.name}"

    @property
    def start(self) -> Any:
        """The state before the first stage."""
        return self.question.begin(self.inputs, self.rulings)

    @property
    def stages(self) -> tuple[Any, ...]:
        """The stages, special rules attached."""
        return self.question.procedure(self.inputs, self.rulings).stages

    def answer(self) -> Answer:
        """The answer a player gets, past the memory of other cases."""
        given = {**structs.asdict(self.inputs), **structs.asdict(self.rulings)}
        return ask(self.ruleset, self.question, given)

    def play(self, tape: Path) -> Played:
        """One way it may go."""
        return play(self.stages, tape, self.start, self.question.narrate)


@lru_cache
def rulesets() -> tuple[Ruleset, ...]:
    """Every registered ruleset, and the toy."""
    return (*(registry.ruleset(name) for name in registry.names() if name != TOY.name), TOY)


@lru_cache
def examples() -> tuple[Case, ...]:
    """The example of each question."""
    return tuple(
        Case(ruleset, question, "example", *ruleset.split(question, question.example))
        for ruleset in rulesets()
        for question in ruleset.questions
    )


@lru_cache
def variants() -> tuple[Case, ...]:
    """The examples with one ruling or one choice of the inputs changed at a time, where the question accepts it."""
    return tuple(variant for example in examples() for variant in _variants(example) if _is_accepted(variant))


def _variants(example: Case) -> Iterator[Case]:
    for part in ("rulings", "inputs"):
        given: Inputs = getattr(example, part)
        for field in fields(type(given)):
            for value in _other_values(field, getattr(given, field.name)):
                changed = {part: structs.replace(given, **{field.name: value})}
                yield other(example, f"{field.name}={field.show(value)}", **changed)


def _other_values(field: Field, now: Any) -> Iterator[Any]:
    if field.kind == "yes_no":
        yield not now
    if field.kind == "choice":
        yield from (choice for choice in field.choices if choice != now)
    if field.form == "save":
        yield from (value for value in (field.low, field.high, None) if value != now and (value or field.optional))


def other(case: Case, name: str, inputs: Any = None, rulings: Any = None) -> Case:
    """The same question with other inputs or rulings."""
    return Case(case.ruleset, case.question, name, inputs or case.inputs, rulings or case.rulings)


def _is_accepted(case: Case) -> bool:
    try:
        case.play(Rolled(0))
    except BattletapeError:
        return False
    return True


def small(case: Case, most: int) -> tuple[Case, dict[Any, Any]]:
    """The case with its numbers made smaller until every face can be tried, and the chances that brute force gives.

    No field is known by name: at each step the number shrinks that saves most dice, as long as luck still decides.
    """
    room = log(most) * 1.5
    while True:
        if dice_thrown(case) <= room:
            try:
                return case, brute_force(case.stages, case.start, most)
            except TooMany:
                room = dice_thrown(case) - 0.01
        smaller = [one for one in _smaller(case) if _is_accepted(one) and len(Exact().run(one.stages, one.start)) > 1]
        if not smaller or dice_thrown(best := min(smaller, key=dice_thrown)) >= dice_thrown(case):
            raise AssertionError(f"{case} has no small case: no number of its inputs makes for fewer dice")
        case = best


def dice_thrown(case: Case) -> float:
    """How many ways there are to throw the dice of a dozen runs at most, as a logarithm."""
    most = 0.0
    for seed in range(12):
        tape = Rolled(seed)
        case.play(tape)
        most = max(most, sum(ask.count * log(len(ask.die.faces)) for ask, _ in tape.trail if ask.die is not None))
    return most


def _smaller(case: Case) -> Iterator[Case]:
    for inputs in _smaller_inputs(case.inputs):
        yield other(case, case.name, inputs=inputs)


def _smaller_inputs(inputs: Inputs) -> Iterator[Inputs]:
    for field in fields(type(inputs)):
        value = getattr(inputs, field.name)
        if field.kind == "whole" and value is not None:
            less = value // 2 if value > 4 else value - 1
            if less >= max(field.low or 0, 1):
                yield structs.replace(inputs, **{field.name: less})
        elif field.kind == "many":
            for at, entry in enumerate(value):
                for other in _smaller_inputs(entry):
                    yield structs.replace(inputs, **{field.name: (*value[:at], other, *value[at + 1 :])})
