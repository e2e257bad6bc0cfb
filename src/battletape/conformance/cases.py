"""What the tests of questions run on: the example of every question, its variants, and small cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil, log
from typing import Any

from msgspec import structs

from battletape.answer import Answer, ask
from battletape.conformance.brute_force import TooMany, brute_force
from battletape.errors import BattletapeError
from battletape.inputs import Field, Inputs, fields
from battletape.log import Played, play
from battletape.odds import Odds
from battletape.system import Measure, Question, Ruleset
from battletape.tape import Forget
from battletape.tape.exact import Exact
from battletape.tape.path import Path
from battletape.tape.rolled import Rolled

BRUTE_FORCE_WAYS = 2_500  # as many ways for the dice to fall as brute force should try
MAX_BRUTE_FORCE_WAYS = 20_000  # and as many as it may, where a case cannot be made smaller
MAX_VARIANTS = 8  # variants of one question; the ruleset's own tests try every value
Chances = dict[Any, Fraction]
Change = tuple[str, str, Any]
"""One thing that is not as in the example: "inputs" or "rulings", the field, the value."""


@dataclass(frozen=True, eq=False)
class Case:
    """A question with inputs and rulings."""

    ruleset: Ruleset
    question: Question
    inputs: Any
    rulings: Any
    change: Change | None = None

    def __str__(self) -> str:
        changed = f"{self.change[1]}={self.change[2]}" if self.change else "example"
        return f"{self.ruleset.name} {self.question.name} {changed}"

    @property
    def start(self) -> Any:
        """The state before the first stage."""
        return self.question.begin(self.inputs, self.rulings)

    @property
    def stages(self) -> tuple[Any, ...]:
        """The stages, special rules attached."""
        return self.question.procedure(self.start).stages

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures of its answer."""
        return self.question.shown_measures(self.start)

    @property
    def forget(self) -> Forget:
        """The lens for these measures."""
        return self.question.lens(frozenset(measure.name for measure in self.measures))

    def exact(self) -> Odds[Any]:
        """Return the odds through the lens."""
        return Exact(forget=self.forget).run(self.stages, self.start)

    def changed(self, change: Change) -> Case:
        """Return the case with one thing changed."""
        part, field, value = change
        given = structs.replace(getattr(self, part), **{field: value})
        return replace(self, change=change, **{part: given})

    @property
    def given(self) -> dict[str, Any]:
        """What a player would write."""
        return {**structs.asdict(self.inputs), **structs.asdict(self.rulings)}

    def answer(self, *measures: str) -> Answer:
        """Return the answer a player gets, with these measures beside the usual ones."""
        return ask(self.ruleset, self.question, self.given, measures=measures)

    def play(self, tape: Path) -> Played:
        """Return one roll of it."""
        return play(self.stages, tape, self.start)


@lru_cache(None)
def examples(ruleset: Ruleset) -> tuple[Case, ...]:
    """Return the example of each question, or the smaller case that it has for tests."""
    return tuple(
        Case(ruleset, question, *ruleset.split(question, question.small or question.example))
        for question in ruleset.questions
    )


@lru_cache(None)
def variants(ruleset: Ruleset) -> tuple[Case, ...]:
    """Return the examples with one ruling or one choice of the inputs changed, where that matters and is accepted."""
    chosen: list[Case] = []
    for example in examples(ruleset):
        own = [variant for variant in _variants(example) if _is_accepted(variant) and _is_other(variant, example)]
        chosen += own[:: ceil(len(own) / MAX_VARIANTS)] if own else []  # thinned evenly
    return tuple(chosen)


def _variants(example: Case) -> Iterator[Case]:
    looked_at = rulings_looked_at(example)
    for part in ("rulings", "inputs"):
        given: Inputs = getattr(example, part)
        for field in fields(type(given)):
            if part == "inputs" or field.name in looked_at:
                for value in _other_values(field, getattr(given, field.name)):
                    yield example.changed((part, field.name, value))


def rulings_looked_at(case: Case) -> set[str]:
    """Return the rulings that the rules read in any branch; no other ruling can change the odds."""
    read: set[str] = set()
    plain: Any = type(case.rulings)

    class Watched(plain, frozen=True):  # type: ignore[misc, call-arg]
        """Return the rulings as a separate type, so that no earlier result is reused."""

        def __getattribute__(self, name: str) -> Any:
            read.add(name)
            return super().__getattribute__(name)

    watched = replace(case, rulings=Watched(**structs.asdict(case.rulings)))
    with suppress(Exception):  # a rule that fails does so in a test, not while tests are collected
        watched.exact()
    return read & {field.name for field in fields(plain)}


def _other_values(field: Field, now: Any) -> Iterator[Any]:
    if field.kind == "yes_no":
        yield not now
    if field.kind == "choice":
        yield from (choice for choice in field.choices if choice != now)
    if field.form == "save":
        yield from (value for value in (field.low, field.high, None) if value != now and (value or field.optional))


def _is_accepted(case: Case) -> bool:
    try:
        case.ruleset.split(case.question, case.given)
        case.play(Rolled(0))
    except BattletapeError:
        return False
    except Exception:  # so that a test fails
        return True
    return True


def _is_other(variant: Case, example: Case) -> bool:
    try:
        return (variant.stages, variant.start) != (example.stages, example.start)
    except Exception:  # so that a test fails
        return True


@lru_cache(512)
def small(case: Case) -> tuple[Case, Chances]:
    """Return the case with smaller numbers, so that every face of every die can be tried, and the result of that."""
    base, chances = _small_example(case.ruleset, case.question)
    return shrink(base.changed(case.change)) if case.change else (base, chances)


@lru_cache(None)
def _small_example(ruleset: Ruleset, question: Question) -> tuple[Case, Chances]:
    (example,) = (example for example in examples(ruleset) if example.question is question)
    return shrink(example)


def shrink(case: Case) -> tuple[Case, Chances]:
    """Make numbers smaller until there are few ways for the dice to fall, and try them all.

    No field is known by name: each step shrinks the number that saves most dice, as long as luck still decides.
    """
    while True:
        thrown = dice_thrown(case)
        if thrown < 1.2 * log(BRUTE_FORCE_WAYS):
            try:
                return case, brute_force(case.stages, case.start, BRUTE_FORCE_WAYS)
            except TooMany:
                pass
        smaller = _smallest(_smaller(case), thrown) or _smallest(_without_an_entry(case), thrown)
        if smaller is None:
            try:
                return case, brute_force(case.stages, case.start, MAX_BRUTE_FORCE_WAYS)
            except TooMany:
                smaller = _fewest_branches(case)
        case = smaller


def _smallest(cases: Iterable[Case], thrown: float) -> Case | None:
    """Return the one with the fewest dice, if that is fewer than now and luck still decides."""
    sizes = [(dice_thrown(smaller), at, smaller) for at, smaller in enumerate(cases) if _is_accepted(smaller)]
    fewer = sorted(size for size in sizes if size[0] < thrown)
    return next((smaller for _, _, smaller in fewer if len(smaller.exact()) > 1), None)


def _fewest_branches(case: Case) -> Case:
    """Make the one number tiny that leaves the fewest branches; a few runs may miss rare rolls of many dice."""
    now, _ = _counted(case)
    sizes = [(*_counted(tiny), at, tiny) for at, tiny in enumerate(_tiny(case)) if _is_accepted(tiny)]
    fewer = [size for size in sizes if size[0] < now and size[1] > 1]
    if not fewer:
        raise TooMany(f"{case}: no smaller numbers make it so small that every face of every die could be tried.")
    return min(fewer)[-1]


def _tiny(case: Case) -> Iterator[Case]:
    for field in fields(case.question.inputs):
        value = getattr(case.inputs, field.name)
        if field.kind == "whole" and value is not None:
            for less in range(max(field.low or 0, 1), min(value, 4)):
                yield replace(case, inputs=structs.replace(case.inputs, **{field.name: less}))


def _counted(case: Case) -> tuple[int, int]:
    """Return the number of branches and of results."""
    kernel, _ = Exact(forget=case.forget).stages(case.stages, case.start)
    return kernel.branches, len(kernel.results)


def dice_thrown(case: Case) -> float:
    """Return in how many ways the dice of a run can fall, as a logarithm; the mean of some runs."""
    sizes = []
    for seed in range(20):
        tape = Rolled(seed)
        case.play(tape)
        sizes.append(sum(ask.count * log(len(ask.die.faces)) for ask, _ in tape.trail if ask.die is not None))
    return sum(sizes) / len(sizes)


def _smaller(case: Case) -> Iterator[Case]:
    for inputs in _smaller_inputs(case.inputs):
        yield replace(case, inputs=inputs)


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


def _without_an_entry(case: Case) -> Iterator[Case]:
    for field in fields(case.question.inputs):
        if field.kind == "many":
            value = getattr(case.inputs, field.name)
            for at in range(len(value)):
                fewer = structs.replace(case.inputs, **{field.name: (*value[:at], *value[at + 1 :])})
                yield replace(case, inputs=fewer)
