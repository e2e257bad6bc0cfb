"""Random little rules for hypothesis: sequences of rolls, pools, bearings, conditions, folds, sub-rules and choices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from battletape.dice import at_least, at_most, bands, d, face, special
from battletape.tape.question import Tally

DICE = (d(2), d(3), special("weighted", "aab"), special("far", (0, 0, 0, 5)))
READINGS = {
    "D2": (face, at_least(2)),
    "D3": (face, at_least(2), at_most(2), bands(high=3, middle=2)),
    "weighted": (face,),
    "far": (face, at_least(1)),
}
WORTH = {"a": 1, "b": 4, "high": 2, "middle": 1, "none": 0}


@dataclass(frozen=True)
class Program:
    """A rule made of statements; its state is a whole number below 30. Equal programs are equal rules."""

    statements: tuple[tuple[Any, ...], ...]

    def __call__(self, tape: Any, state: int, item: int = 0) -> int:
        state = (state + item) % 30
        for at, statement in enumerate(self.statements):
            state = _do(tape, state, statement, f"question {at}") % 30
        return state


def _do(tape: Any, state: int, statement: tuple[Any, ...], label: str) -> int:
    kind, *rest = statement
    if kind == "roll":
        die, read = rest
        return state + _worth(tape.roll(die, read, label=label))
    if kind == "pool":
        count, die, read = rest
        tally: Tally = tape.pool(count, die, read, label=label)
        return 2 * state + sum(_worth(meaning) * number for meaning, number in tally.items())
    if kind == "direction":
        return state + int(tape.direction(rest[0], label=label))
    if kind == "choose":
        return state + int(tape.choose(rest[0], by=rest[1], label=label))
    if kind == "if":
        number, then, otherwise = rest
        return int((then if state % 5 >= number else otherwise)(tape, state))
    if kind == "call":
        return int(tape.call(rest[0], state % 4)) + state
    assert kind == "each"
    return int(tape.each(rest[0], state, rest[1]))


def _worth(meaning: Any) -> int:
    return WORTH[meaning] if isinstance(meaning, str) else int(meaning)


def programs(choices: bool = False, most: int = 3) -> st.SearchStrategy[Program]:
    """Small rules, with decisions of two sides if wanted."""
    seen = st.sampled_from([(die, read) for die in DICE for read in READINGS[die.name]])
    cuts = st.lists(st.integers(0, 359), min_size=1, max_size=4, unique=True).map(lambda found: tuple(sorted(found)))
    plain = [
        st.tuples(st.just("roll"), seen).map(_flat),
        st.tuples(st.just("pool"), st.integers(0, 3), seen).map(_flat),
        st.tuples(st.just("direction"), cuts),
    ]
    if choices:
        options = st.lists(st.integers(0, 9), min_size=1, max_size=3, unique=True).map(tuple)
        plain.append(st.tuples(st.just("choose"), options, st.sampled_from(("us", "them"))))

    def longer(inner: st.SearchStrategy[Program]) -> st.SearchStrategy[Program]:
        items = st.lists(st.integers(0, 2), max_size=3).map(tuple)
        deep = [
            st.tuples(st.just("if"), st.integers(0, 4), inner, inner),
            st.tuples(st.just("call"), inner),
            st.tuples(st.just("each"), inner, items),
        ]
        return st.lists(st.one_of(*plain, *deep), min_size=1, max_size=most).map(_program)

    return st.recursive(st.lists(st.one_of(*plain), max_size=2).map(_program), longer, max_leaves=4)


def _flat(found: tuple[Any, ...]) -> tuple[Any, ...]:
    *first, (die, read) = found
    return (*first, die, read)


def _program(statements: list[tuple[Any, ...]]) -> Program:
    return Program(tuple(statements))
