"""The boxes of a question, and every way to answer it: box by box, counted, in a line, with dice left to the page."""

from __future__ import annotations

import re

import pytest

from battletape.dice import D6, D100, at_least, bands, d, dice, special
from battletape.errors import BadInput
from battletape.tape.question import Ask, Tally
from battletape.tape.rolled import Rolled
from battletape.views.boxes import boxes_view
from battletape.web.pages.answers import Table, read_throw, roll_one, write_throw
from battletape.web.pages.dice import answer_of

HIT = Ask("pool", "to hit", die=D6, count=4, read=at_least(4))
TEST = Ask("roll", "test", die=D100, read=at_least(50))
MORALE = Ask("roll", "morale", die=dice("2d6"))


def test_boxes_know_when_they_are_full():
    assert (boxes_view(HIT).wide, boxes_view(HIT).boxes) == (1, 4)
    many = boxes_view(Ask("pool", "tests", die=D100, count=2, read=at_least(50)))
    assert (many.kind, many.wide, many.longest) == ("dice", 2, 3)
    assert {"07", "00", "7", "50"} <= set(many.known)
    assert "00" in many.ok
    assert "07" in many.no
    tens = boxes_view(Ask("pool", "damage", die=d(10), count=2))
    assert (tens.wide, tens.longest, tens.hint) == (1, 2, "0 is ten.")
    assert boxes_view(Ask("pool", "x", die=d(20), count=2)).wide == 2


def test_single_dice_are_picked_by_their_face():
    view = boxes_view(Ask("roll", "to hit", die=D6, read=at_least(4)))
    assert view.kind == "faces"
    assert [(face.value, face.said, face.die.mark) for face in view.faces][2:4] == [
        ("3", "3, fail", "no"),
        ("4", "4, pass", "ok"),
    ]
    scatter = boxes_view(Ask("roll", "scatter", die=special("scatter die", ("hit", "arrow"))))
    assert [face.value for face in scatter.faces] == ["hit", "arrow"]


def test_counts_are_asked_with_successes_first():
    assert boxes_view(HIT).words == ((1, "pass"), (0, "fail"))
    wounds = Ask("pool", "to wound", die=D6, count=3, read=bands(pierced=6, wound=3))
    assert [word for _, word in boxes_view(wounds).words] == ["wound", "pierced", "none"]
    assert boxes_view(Ask("pool", "pips", die=D6, count=3)).words == ()


def test_very_many_dice_are_counted():
    view = boxes_view(Ask("pool", "to hit", die=D6, count=500, read=at_least(4)))
    assert (view.kind, view.boxes, len(view.words)) == ("line", 0, 2)


# --- what the boxes say -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ask, sent, text",
    [
        (HIT, {"d0": "5", "d1": "3", "d2": "6", "d3": "1"}, "5 3 6 1"),
        (HIT, {"line": "5 3 6 1"}, "5 3 6 1"),
        (HIT, {"line": "5361"}, "5 3 6 1"),
        (HIT, {"line": "3 hits"}, "1 fail, 3 pass"),
        (HIT, {"c1": "3"}, "1 fail, 3 pass"),
        (HIT, {"c0": "4", "c1": "0"}, "4 fail"),
        (TEST, {"d0": "07"}, "7"),
        (TEST, {"d0": "00"}, "100"),
        (MORALE, {"d0": "3", "d1": "4"}, "3 4"),
        (MORALE, {"total": "7"}, "7"),
        (Ask("roll", "to hit", die=D6), {"pick": "4"}, "4"),
        (Ask("direction", "scatter", cuts=(10.0, 90.0)), {"bearing": "45.5"}, "45.5"),
        (Ask("choose", "grit", options=("spend", "bleed"), by="red"), {"pick": "bleed"}, "bleed"),
    ],
)
def test_every_way_to_answer(ask, sent, text):
    assert answer_of(ask, sent, roll=False) == text
    assert write_throw(read_throw(ask, text)) == text


@pytest.mark.parametrize(
    "ask, sent, sentence",
    [
        (HIT, {"d0": "5", "d2": "7"}, "to hit 3/4 must be 1-6, got 7"),
        (HIT, {"d0": "5", "d1": "3"}, "to hit needs 4 dice; got 2: type the others, or let the page roll them."),
        (HIT, {}, "to hit needs 4 dice; nothing came."),
        (HIT, {"d0": "5", "c0": "2"}, "to hit needs one way to answer; got counts and dice."),
        (HIT, {"c0": "2", "c1": "3"}, "to hit needs counts that add up to 4 dice, got 5"),
        (HIT, {"c0": "two"}, "to hit needs a count such as 3; got 'two'."),
        (TEST, {"d0": "101"}, "test must be 1-100 (00 for 100), got 101"),
        (MORALE, {"d0": "3"}, "morale needs 2 dice; got 1."),
        (Ask("direction", "scatter", cuts=(1.0, 2.0)), {"bearing": "400"}, "from 0 to 360 degrees"),
        (
            Ask("direction", "scatter", cuts=(1.0, 2.0)),
            {},
            "scatter needs a bearing from 0 to 360 degrees; nothing came.",
        ),
        (Ask("choose", "grit", options=("a", "b"), by="red"), {"pick": "c"}, "grit must be one of a | b, got 'c'"),
    ],
)
def test_what_does_not_fit_says_what_would_do(ask, sent, sentence):
    with pytest.raises(BadInput, match=re.escape(sentence)):
        answer_of(ask, sent, roll=False)


def test_the_missing_dice_are_rolled_and_marked():
    text = answer_of(HIT, {"d0": "5", "d3": "1"}, roll=True)
    assert re.fullmatch(r"5 1~[1-6] [1-6]", text)
    throw = read_throw(HIT, text)
    assert (throw.answer[:2], throw.rolled) == ((5, 1), 2)
    assert re.fullmatch(r"~[1-6] [1-6] [1-6] [1-6]", answer_of(HIT, {}, roll=True))
    half = answer_of(MORALE, {"d1": "4"}, roll=True)
    assert re.fullmatch(r"4~[1-6]", half)
    assert read_throw(MORALE, half).answer == sum(map(int, re.findall(r"\d", half)))


ASKS = [HIT, TEST, MORALE, Ask("pool", "many", die=D6, count=300), Ask("direction", "x", cuts=(1.0, 2.0))]
ASKS += [
    Ask("choose", "x", options=("a;b", "c~d", "e"), by="red"),
    Ask("pool", "p", die=special("s", ("hit", "long one")), count=3),
]


@pytest.mark.parametrize("ask", ASKS, ids=lambda ask: f"{ask.kind} {ask.label}")
@pytest.mark.parametrize("seed", range(5))
def test_what_was_rolled_can_be_written_and_read_again(ask, seed):
    text = roll_one(ask, Rolled(seed))
    assert ";" not in text
    throw = read_throw(ask, text)
    assert write_throw(throw) == text
    assert ask.meaning(throw.answer) is not None
    assert len(text) < 120


def test_the_last_option_of_a_decision_can_be_told_whatever_it_is_called():
    ask = Ask("choose", "x", options=("a;b", "c~d", "e"), by="red")
    for option in ask.options:
        assert read_throw(ask, answer_of(ask, {"pick": option}, roll=False)).answer == option


def test_a_table_tells_all_it_was_told():
    tape = Table(["5 3~2 6", ""], luck=Rolled(1))
    assert tape.answer(HIT) == (5, 3, 2, 6)
    assert tape.is_told
    assert tape.answer(HIT)
    assert not tape.is_told
    assert tape.text.startswith("5 3~2 6;~")
    counted = read_throw(HIT, "3 pass")
    assert counted.answer == Tally({True: 3, False: 1})
