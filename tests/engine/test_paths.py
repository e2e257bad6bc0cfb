"""The readers of one path: rolled, typed, recorded and script; each question gets one answer, which is kept."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.clauses import clause
from battletape.dice import D6, D10, at_least, bands, d, dice, special
from battletape.errors import BadInput, BattletapeError
from battletape.procedure import fold
from battletape.tape.exact import Exact
from battletape.tape.path import Path
from battletape.tape.question import Entry, NeedAnswer, Tally, TapeMismatch
from battletape.tape.recorded import Recorded
from battletape.tape.rolled import Rolled
from battletape.tape.script import Script
from battletape.tape.typed import Typed
from tests.engine.programs import programs


@clause("X-1")
def shoot(tape: Any, dice: int) -> tuple[Any, ...]:
    """Every kind of question once."""
    hits = tape.pool(dice, D6, at_least(4), label="to hit")[True]
    wounds = tape.pool(hits, D6, bands(pierced=6, wound=3), label="to wound")
    fled = tape.each(flee, 0, range(2))
    arc = tape.direction((0, 90, 180), label="flight")
    mercy = tape.choose(("spare", "slay"), by="victor", label="mercy")
    return hits, wounds["pierced"], fled, arc, mercy


@clause("X-2")
def flee(tape: Any, fled: int, at: int) -> int:
    return fled + int(tape.roll(D10, at_least(8), label=f"nerve {at}"))


@pytest.mark.parametrize("seed", [0, 7, "a word", 10**30])
def test_the_same_seed_rolls_the_same(seed):
    one, other = Rolled(seed), Rolled(seed)
    assert shoot(one, 8) == shoot(other, 8)
    assert one.entries == other.entries


def test_seeds_differ_and_none_is_fresh():
    assert len({tuple(_rolled(seed).entries) for seed in range(20)}) > 10
    assert _rolled(None).entries


def _rolled(seed: Any, dice: int = 8) -> Rolled:
    tape = Rolled(seed)
    shoot(tape, dice)
    return tape


def test_rolled_keeps_the_faces_and_shows_the_meaning():
    tape = Rolled(3)
    hits = tape.pool(6, D6, at_least(4), label="to hit")
    ((ask, faces),) = tape.trail
    assert len(faces) == 6
    assert hits == Tally(
        {m: n for m, n in ((True, sum(f >= 4 for f in faces)), (False, sum(f < 4 for f in faces))) if n}
    )
    assert tape.entries == (Entry("pool", "to hit", "6 x 1-6", " ".join(map(str, faces))),)
    assert ask.needed == "4+"


def test_rolled_takes_the_first_option_and_a_bearing_within_the_turn():
    tape = Rolled(5)
    assert tape.choose(("a", "b"), by="us", label="which") == "a"
    for _ in range(200):
        assert tape.direction((0, 90), label="way") in (0, 1)
    assert all(0 <= bearing < 360 for _, bearing in tape.trail[1:])


def test_questions_that_are_none_leave_no_entry():
    tape = Script()
    assert tape.pool(0, D6, label="none") == Tally()
    assert tape.direction((), label="way") == 0
    assert tape.direction((7,), label="way") == 0
    assert tape.choose(("only",), by="us", label="which") == "only"
    assert tape.entries == ()


def test_weighted_dice_are_thrown_by_their_weights():
    weighted = special("weighted", "aaab")
    came = Counter(Rolled(1).throw(weighted, 10_000))
    assert abs(came["a"] - 7_500) < 4.5 * (10_000 * 3 / 16) ** 0.5
    heavy = dice("900d3")
    assert heavy.total > 10**308
    faces = Rolled(1).throw(heavy, 50)
    assert set(faces) <= set(heavy.faces)
    assert abs(sum(faces) / 50 - 1_800) < 4.5 * (900 * Fraction(2, 3) / 50) ** 0.5


def test_a_recording_replays_and_must_be_used_up():
    rolled = Rolled(11)
    state = shoot(rolled, 8)
    replay = Recorded(rolled.entries)
    assert shoot(replay, 8) == state
    replay.finish()
    assert replay.entries == rolled.entries
    assert [ask for ask, _ in replay.trail] == [ask for ask, _ in rolled.trail]


@given(programs(choices=True), st.integers(0, 5), st.integers(0, 999))
@settings(max_examples=100, deadline=None)
def test_any_rolled_rule_replays_types_and_is_possible(rule, state, seed):
    rolled = Rolled(seed)
    last = rule(rolled, state)
    lines = [str(entry) for entry in rolled.entries]
    recorded = Recorded([Entry.parse(line) for line in lines])
    assert rule(recorded, state) == last
    recorded.finish()
    assert rule(Typed([entry.value for entry in rolled.entries]), state) == last
    assert Exact().run((rule,), state).chance(last) > 0


def test_a_shorter_recording_asks_the_next_question():
    rolled = _rolled(11)
    with pytest.raises(NeedAnswer) as need:
        shoot(Recorded(rolled.entries[:2]), 8)
    assert need.value.ask.label == "nerve 0"
    assert need.value.ask.die is D10
    assert need.value.ask.clauses == ("X-2",)
    assert need.value.answered == rolled.entries[:2]


def test_a_longer_recording_is_refused():
    rolled = _rolled(11)
    replay = Recorded([*rolled.entries, Entry("roll", "more", "1-6", "1")])
    shoot(replay, 8)
    with pytest.raises(TapeMismatch) as error:
        replay.finish()
    number = len(rolled.entries) + 1
    assert str(error.value) == (f"entry {number}: the rule asks nothing more, the recording has roll more [1-6] = 1")
    assert error.value.number == number


@pytest.mark.parametrize(
    "entry, said",
    [
        (Entry("roll", "to hit", "1-6", "4"), "roll to hit [1-6] = 4"),
        (Entry("pool", "to wound", "2 x 1-6", "4 4"), "pool to wound [2 x 1-6] = 4 4"),
        (Entry("pool", "to hit", "3 x 1-6", "4 4 4"), "pool to hit [3 x 1-6] = 4 4 4"),
        (Entry("pool", "to hit", "2 x 1-6", "4 9"), "pool to hit [2 x 1-6] = 4 9: to hit 2/2 must be 1-6, got 9"),
    ],
)
def test_a_recording_of_another_question_is_refused(entry, said):
    with pytest.raises(TapeMismatch) as error:
        shoot(Recorded([entry]), 2)
    assert str(error.value) == f"entry 1: the rule asks pool to hit [2 x 1-6], the recording has {said}"
    assert error.value.entry == entry
    assert error.value.ask is not None
    assert error.value.ask.label == "to hit"


def test_a_shortened_recording_goes_on_with_other_dice():
    rolled = _rolled(11)
    tape = Recorded(rolled.entries[:2], then=Rolled(5))
    shoot(tape, 8)
    assert tape.entries[:2] == rolled.entries[:2]
    assert len(tape.entries) == len(rolled.entries)


def test_typed_answers_are_asked_for_one_by_one():
    answers: list[str] = []
    table = {"to hit": "3 hits", "to wound": "1 pierced, 2 wounds", "nerve 0": "8", "nerve 1": "7"}
    table |= {"flight": "100", "mercy": "slay"}
    asked = []
    while True:
        try:
            state = shoot(Typed(answers), 5)
            break
        except NeedAnswer as need:
            asked.append(str(need))
            answers.append(table[need.ask.label])
    assert state == (3, 1, 1, 2, "slay")
    assert asked == [
        "to hit [5 x 1-6], needs 4+",
        "to wound [3 x 1-6], needs pierced 6+, wound 3+",
        "nerve 0 [1-10], needs 8+",
        "nerve 1 [1-10], needs 8+",
        "flight [degrees]",
        "mercy [spare | slay] (victor decides)",
    ]


def test_a_wrong_typed_answer_is_refused_with_what_would_do():
    with pytest.raises(BadInput, match=r"^nerve 0 must be 1-10, got 11 \(X-2\)$"):
        shoot(Typed(["0 hits", "11"]), 2)


def test_half_typed_half_rolled():
    tape = Typed(["2 hits", "6 6"], then=Rolled(1))
    hits, pierced, *_ = shoot(tape, 4)
    assert (hits, pierced) == (2, 2)
    assert [entry.value for entry in tape.entries[:2]] == ["2 fail, 2 pass", "6 6"]
    assert len(tape.entries) == 6
    again = Recorded(tape.entries)
    shoot(again, 4)
    again.finish()


def test_a_recording_may_go_on_by_typing():
    rolled = _rolled(11)
    rest = [entry.value for entry in rolled.entries[2:]]
    tape = Recorded(rolled.entries[:2], then=Typed(rest))
    shoot(tape, 8)
    assert [entry.value for entry in tape.entries] == [entry.value for entry in rolled.entries]
    assert rolled.entries[-1].by_default
    assert not tape.entries[-1].by_default  # typed by a person
    with pytest.raises(NeedAnswer) as need:
        shoot(Recorded(rolled.entries[:2], then=Typed(rest[:1])), 8)
    assert need.value.answered == rolled.entries[:3]


def test_a_recording_may_go_on_by_another():
    rolled = _rolled(11)
    tape = Recorded(rolled.entries[:1], then=Recorded(rolled.entries[1:]))
    shoot(tape, 8)
    assert tape.entries == rolled.entries


def test_a_script_takes_a_face_for_each_die():
    tape = Script(4, 6, 1, 5, 3, 8, 1, 45.0, "slay")
    assert shoot(tape, 3) == (2, 0, 1, 1, "slay")
    assert tape.used_up
    left = Script(1, 2)
    left.roll(D6, label="die")
    assert not left.used_up


@pytest.mark.parametrize(
    "answers, said",
    [
        ((7,), "to hit 1/2 must be 1-6, got 7"),
        ((4,), "to hit 2/2 needs 1-6, but the script has run out"),
        ((1, 1, 11), "nerve 0 must be 1-10, got 11"),
        ((1, 1, 1, 1, 360), "flight must be degrees, got 360"),
        ((1, 1, 1, 1, "north"), "flight must be degrees, got north"),
        ((1, 1, 1, 1, 0, "forgive"), "mercy must be spare | slay, got forgive"),
        ((1, 1, 1, 1, 0), "mercy needs spare | slay, but the script has run out"),
    ],
)
def test_a_script_that_does_not_fit_is_refused(answers, said):
    with pytest.raises(BattletapeError) as error:
        shoot(Script(*answers), 2)
    assert str(error.value) == said


def test_questions_carry_the_clauses_of_their_rule():
    tape = Rolled(11)
    tape.call(shoot, 8)
    assert {ask.label: ask.clauses for ask, _ in tape.trail} == {
        "to hit": ("X-1",),
        "to wound": ("X-1",),
        "nerve 0": ("X-2",),
        "nerve 1": ("X-2",),
        "flight": ("X-1",),
        "mercy": ("X-1",),
    }


def test_a_rule_that_fails_leaves_its_clauses():
    @clause("X-9")
    def fail(tape):
        raise ValueError

    tape = Rolled(1)
    for call in (lambda: tape.call(fail), lambda: tape.each(lambda t, s, i: fail(t), 0, (1,))):
        with pytest.raises(ValueError):
            call()
    tape.roll(d(4), label="after")
    assert tape.trail[-1][0].clauses == ()


def test_a_path_of_no_kind_has_no_answers():
    with pytest.raises(NotImplementedError):
        Path().roll(D6, label="die")


def test_fold_runs_the_stages_in_order():
    stages = (lambda tape, s: s + tape.roll(D6, label="one"), lambda tape, s: s * tape.roll(D6, label="two"))
    assert fold(stages, Script(2, 3), 1) == 9
