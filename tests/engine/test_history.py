"""What was asked before makes an answer quicker and changes nothing in it."""

from __future__ import annotations

from typing import Any

from battletape.dice import D6, at_least
from battletape.tape import Continuation, Tape
from battletape.tape.exact import Exact, Memo
from battletape.tape.limits import KEEP_PER_STATE_AFTER

KINDS = ("ant", "bee", "cat")


def draw(tape: Tape, state: tuple[int, tuple[str, ...]]) -> tuple[int, str]:
    number, kinds = state
    return number, kinds[tape.roll(D6, label="who") % len(kinds)]


def strike(tape: Tape, kind: str, item: int) -> str:
    """Everybody asks dice of its own; a bite makes a cat of anybody, which asks once more."""
    bitten = tape.roll(D6, at_least(item), label=f"bite of {kind}")
    return "cat" if bitten else kind


def luck(tape: Tape) -> Continuation[tuple[int, str]]:
    return Continuation(strike, tuple(range(2, 2 + tape.roll(D6, at_least(4), label="twice") + 1)), _struck, 0)


def _struck(rest: int, kind: str) -> tuple[int, str]:
    return rest, kind


def fall(tape: Tape, state: tuple[int, str]) -> Any:
    return tape.call(luck, onto=state[1])


def told(reader: Exact, number: int, kinds: tuple[str, ...]) -> Any:
    """All that is said of a procedure: odds, work, and the questions in their order."""
    kernel, counts = reader.stages((draw, fall), (number, kinds))
    asked = [(count.branches, count.states, [one.label for one in count.asked]) for count in counts]
    return reader.odds(kernel, counts), str(reader.odds(kernel, counts).how), asked


def test_the_steps_of_a_procedure_do_not_depend_on_earlier_questions():
    asked = [
        (number, kinds)
        for number in range(2 * KEEP_PER_STATE_AFTER)
        for kinds in (KINDS[:2], KINDS, KINDS[1:], KINDS[::-1])
    ]
    fresh = [told(Exact(Memo()), *given) for given in asked]
    memo, other = Memo(), Memo()
    assert [told(Exact(memo), *given) for given in asked] == fresh
    assert [told(Exact(other), *given) for given in reversed(asked)] == fresh[::-1]


def test_steps_from_the_memo_name_no_dice_of_other_attackers():
    memo = Memo()
    for number in range(2 * KEEP_PER_STATE_AFTER):  # often enough to be kept for each of them
        told(Exact(memo), number, KINDS[:2])
    _, _, (_, (_, _, labels)) = told(Exact(memo), 99, ("bee", "cat"))
    assert set(labels) == {"twice", "bite of bee", "bite of cat"}
