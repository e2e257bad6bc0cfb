"""Dice that players throw together: a look ahead finds the pools that come whatever the dice show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import Struct

from battletape.dice import D6, D10, at_least, best_of
from battletape.errors import BadInput
from battletape.log import play_on
from battletape.log import together as log_together
from battletape.tape import NeedAnswer, Tape
from battletape.tape.path import Path
from battletape.tape.together import MAX_DICE, thrown_together
from battletape.tape.typed import Typed
from battletape.words import labelled

HITS = 3


def burst(tape: Tape, health: int) -> int:
    """Three hits of two dice, of which the better counts; a ten is rolled again and added."""
    for _ in range(HITS):
        best = tape.pool(2, D10, label="damage", whole=best_of(1))
        health -= best + (tape.roll(D10, label="fury") if best == 10 else 0)
    return health


def burst_until_dead(tape: Tape, health: int) -> int:
    """The same, but the dead are not hit."""
    for _ in range(HITS):
        health -= tape.pool(2, D10, label="damage", whole=best_of(1)) if health > 0 else 0
    return health


def burst_with_a_will(tape: Tape, health: int) -> int:
    """After each hit the shooter may stop."""
    for _ in range(HITS):
        health -= tape.pool(2, D10, label="damage", whole=best_of(1))
        if tape.choose(("go on", "stop"), by="shooter", label="enough?") == "stop":
            break
    return health


def volley(tape: Tape, health: int) -> int:
    """More dice than anybody holds."""
    return health - sum(tape.pool(25, D6, at_least(4), label="to hit")[True] for _ in range(HITS))


def together(rule: Callable[[Tape, int], int], health: int, answers: tuple[str, ...] = ()) -> int:
    """How many pools are asked for at once, after these answers."""

    def play(tape: Path) -> Any:
        _, need = play_on((rule,), tape, health)
        if need is not None:
            raise need

    tape = Typed(answers)
    with pytest.raises(NeedAnswer) as stopped:
        play(tape)
    return len(thrown_together(play, stopped.value.ask, [answer for _, answer in tape.trail], tape.hand))


def test_pools_that_follow_with_all_faces_are_asked_together():
    assert together(burst, 40) == 3
    assert together(burst, 40, ("4 4",)) == 2
    assert together(burst, 40, ("4 4 | 3 9",)) == 1


@pytest.mark.parametrize("health, pools", [(1, 1), (10, 1), (11, 2), (20, 2), (21, 3)])
def test_a_pool_that_may_not_come_waits(health, pools):
    assert together(burst_until_dead, health) == pools


def test_a_choice_is_asked_before_later_dice():
    assert together(burst_with_a_will, 40) == 1


class Mark(Struct, frozen=True):
    """A model under a marker; one that is covered entirely is hit without a roll."""

    name: str
    sure: bool

    @property
    def subject(self) -> str:
        return self.name


MARKS = (Mark("Ann", sure=False), Mark("Bea", sure=True), Mark("Cid", sure=False))


def strike(tape: Tape, fallen: int, mark: Mark) -> int:
    if not mark.sure and not tape.roll(D6, at_least(4), label=labelled(mark.name, "partly covered")):
        return fallen
    return fallen + int(tape.roll(D6, at_least(3), label="to wound"))


def blast(tape: Tape, fallen: int) -> int:
    """Partly covered models are hit on a 4+, then each is wounded on a 3+."""
    return tape.each(strike, fallen, MARKS)


def test_dice_of_several_models_are_asked_together_and_each_says_whose_it_is():
    def names(*answers: str) -> tuple[str, ...]:
        def play(tape: Path) -> None:
            _, need = play_on((blast,), tape, 0)
            if need is not None:
                raise need

        tape = Typed(answers)
        with pytest.raises(NeedAnswer) as stopped:
            play(tape)
        return thrown_together(play, stopped.value.ask, [answer for _, answer in tape.trail], tape.hand)

    assert names() == ("Ann", "Cid")  # Bea stands between them, and what she suffers changes nothing for Cid
    assert names("5 2") == ("Ann", "Bea")
    assert names("1 6") == ("Bea", "Cid")
    assert blast(Typed(["5 2", "6 1"]), 0) == 1


def test_what_decides_how_many_dice_there_are_stands_before_them_in_the_log():
    played = play_on((blast,), Typed(["5 6", "6 1 3"]), 0)[0]
    throws = [[played.trail[at][0].label for at in throw] for throw in log_together(played.trail)]
    assert throws == [["Ann: partly covered"], ["Cid: partly covered"], ["to wound"] * 3]


def test_no_more_dice_at_once_than_hands_hold():
    assert together(volley, 0) == MAX_DICE // 25 == 2


def test_pools_typed_together_are_those_typed_one_by_one():
    one_by_one, at_once = Typed(["4 4", "10 2", "7", "1 5"]), Typed(["4 4 | 10 2 | 1 5", "7"])
    assert burst(one_by_one, 40) == burst(at_once, 40) == 40 - 4 - 17 - 5
    assert one_by_one.entries == at_once.entries
    at_once.finish()


def test_pools_typed_without_a_mark_between_them_are_too_many_dice():
    with pytest.raises(BadInput, match=r"^damage needs 2 dice \(1-10\).*; got 4: '4 4 10 2'$"):
        burst(Typed(["4 4 10 2"]), 40)
    with pytest.raises(BadInput, match=r"^damage needs 2 dice \(1-10\).*; got 1: '9'$"):
        burst(Typed(["4 4 | 9"]), 40)
