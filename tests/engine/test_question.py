"""Questions and their answers as text: what a person types, what a file keeps, and what is said of a misfit."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battletape.dice import D6, D10, D100, at_least, bands, degrees, dice, face, special
from battletape.errors import BadInput
from battletape.tape.question import Ask, Entry, NeedAnswer, Tally, TapeMismatch, arc_of

FROM_ZERO = special("D10", range(10), "0 to 9")
SCATTER = special("scatter", ["hit", "direct hit", "arrow"])
PAIRS = special("pairs", [(1, 2), (2, 1), "no, nothing"])
TO_HIT = Ask("pool", "to hit", die=D6, count=20, read=at_least(4))
TO_WOUND = Ask("pool", "to wound", die=D6, count=10, read=bands(pierced=6, wound=3))


class TestTally:
    def test_what_did_not_come_up_counts_nothing(self):
        tally = Tally({"wound": 2})
        assert (tally["wound"], tally["pierced"], len(tally)) == (2, 0, 1)

    def test_equal_tallies_are_one_key_whatever_their_order(self):
        one, other = Tally([("a", 1), ("b", 2)]), Tally([("b", 2), ("a", 1)])
        assert one == other
        assert hash(one) == hash(other)
        assert {one: "x"}[other] == "x"

    @pytest.mark.parametrize(
        "change",
        [
            lambda t: t.__setitem__(1, 2),
            lambda t: t.__delitem__(1),
            lambda t: t.update({1: 2}),
            lambda t: t.__ior__({1: 2}),
            lambda t: t.pop(1),
            lambda t: t.popitem(),
            lambda t: t.clear(),
            lambda t: t.setdefault(9, 1),
        ],
    )
    def test_it_cannot_be_changed(self, change):
        tally = Tally({1: 5})
        with pytest.raises(TypeError, match="a tally of dice cannot be changed"):
            change(tally)
        assert tally == {1: 5}

    def test_it_can_be_copied_and_sent_to_another_process(self):
        tally = Tally({True: 3, False: 1})
        for again in (pickle.loads(pickle.dumps(tally)), copy.deepcopy(tally), copy.copy(tally)):
            assert again == tally
            assert isinstance(again, Tally)


@pytest.mark.parametrize(
    "ask, text, answer",
    [
        (Ask("roll", "save", die=D6), "4", 4),
        (Ask("roll", "save", die=D6), "  04 ", 4),
        (Ask("roll", "location", die=D100), "100", 100),
        (Ask("roll", "scatter", die=SCATTER), "direct hit", "direct hit"),
        (Ask("roll", "sum", die=dice("d6-3")), "-2", -2),
        (Ask("pool", "to hit", die=D6, count=4), "5 5 2 1", (5, 5, 2, 1)),
        (Ask("pool", "to hit", die=D6, count=4), "5,5;2, 1", (5, 5, 2, 1)),
        (Ask("pool", "to hit", die=D6, count=4), "5521", (5, 5, 2, 1)),
        (Ask("pool", "to hit", die=FROM_ZERO, count=3), "907", (9, 0, 7)),
        (Ask("pool", "to hit", die=D10, count=2), "10 1", (10, 1)),
        (Ask("pool", "to hit", die=D6, count=1), "6", (6,)),
        (Ask("pool", "scatter", die=SCATTER, count=3), "hit direct hit arrow", ("hit", "direct hit", "arrow")),
        (Ask("pool", "pairs", die=PAIRS, count=2), "(1, 2), no, nothing", ((1, 2), "no, nothing")),
        (TO_HIT, "14 hits", Tally({True: 14, False: 6})),
        (TO_HIT, "14 hit", Tally({True: 14, False: 6})),
        (TO_HIT, "6 misses", Tally({True: 14, False: 6})),
        (TO_HIT, "6 fail", Tally({True: 14, False: 6})),
        (TO_HIT, "20 passes", Tally({True: 20})),
        (TO_HIT, "0 hits", Tally({False: 20})),
        (TO_HIT, "14 hits, 6 misses", Tally({True: 14, False: 6})),
        (TO_WOUND, "3 pierced, 4 wound", Tally({"pierced": 3, "wound": 4, "none": 3})),
        (TO_WOUND, "4 wounds, 3 pierced, 3 none", Tally({"pierced": 3, "wound": 4, "none": 3})),
        (Ask("direction", "scatter", cuts=(0, 90)), "275.5", 275.5),
        (Ask("direction", "scatter", cuts=(0, 90)), "90°", 90.0),
        (Ask("direction", "scatter", cuts=(0, 90)), "360", 0.0),
        (Ask("choose", "mode", options=("Single shot", "burst")), "burst", "burst"),
        (Ask("choose", "mode", options=("Single shot", "burst")), "single SHOT", "Single shot"),
        (Ask("choose", "mode", options=("Single shot", "burst")), "2", "burst"),
        (Ask("choose", "shots", options=(3, 2, 1)), "3", 3),
        (Ask("choose", "unit", options=("Orks", "ORKS", " Gretchin ")), "ORKS", "ORKS"),
        (Ask("choose", "unit", options=("Orks", "ORKS", " Gretchin ")), "gretchin", " Gretchin "),
    ],
)
def test_typed_answers_are_read(ask, text, answer):
    found = ask.parse(text)
    assert found == answer
    assert type(found) is type(answer)
    assert ask.parse(ask.format(found)) == answer


@pytest.mark.parametrize(
    "ask, text, said",
    [
        (Ask("pool", "to hit", die=D6, count=2), "7 1", "to hit 1/2 must be 1-6, got 7"),
        (Ask("pool", "to hit", die=D6, count=2), "1 11", "to hit 2/2 must be 1-6, got 11"),
        (Ask("pool", "to hit", die=D10, count=1), "11", "to hit 1/1 must be 1-10, got 11"),
        (Ask("roll", "save", die=D10), "11", "save must be 1-10, got 11"),
        (Ask("roll", "save", die=D10), "", "save must be 1-10, got nothing"),
        (Ask("roll", "save", die=D10), "3.5", "save must be 1-10, got 3.5"),
        (Ask("roll", "save", die=D10), "²", "save must be 1-10, got ²"),
        (Ask("roll", "scatter", die=SCATTER), "left", "scatter must be hit, direct hit, arrow, got left"),
        (
            Ask("pool", "to hit", die=D6, count=3, read=at_least(4)),
            "6 1",
            "to hit needs 3 dice (1-6), or a count such as “3 pass”; got 2: '6 1'",
        ),
        (TO_HIT, "", "to hit needs 20 dice (1-6), or a count such as “20 pass”; got 0: ''"),
        (TO_HIT, "21 hits", "to hit needs counts that add up to 20 dice, got 21"),
        (TO_WOUND, "3 pierced", "to wound needs counts that add up to 10 dice, got 3"),
        (
            TO_WOUND,
            "3 dead",
            "to wound needs dice or counts such as “2 none”, “2 wound”, “2 pierced”; got '3 dead'",
        ),
        (
            TO_WOUND,
            "many wounds",
            "to wound needs dice or counts such as “2 none”, “2 wound”, “2 pierced”; got 'many wounds'",
        ),
        (Ask("pool", "damage", die=D10, count=1), "x", "damage needs one die (1-10); got 'x'"),
        (Ask("pool", "damage", die=D10, count=1), "3 4", "damage needs one die (1-10); got 2: '3 4'"),
        (Ask("pool", "damage", die=D10, count=2), "ten", "damage needs 2 dice (1-10); got 'ten'"),
        (Ask("pool", "damage", die=D10, count=2), "3", "damage needs 2 dice (1-10); got 1: '3'"),
        (
            Ask("pool", "to hit", die=D6, count=1, read=at_least(4)),
            "dead",
            "to hit needs dice or counts such as “1 fail”, “1 pass”; got 'dead'",
        ),
        (Ask("direction", "scatter"), "400", "scatter must be a bearing from 0 to 360 degrees, got '400'"),
        (Ask("direction", "scatter"), "north", "scatter must be a bearing from 0 to 360 degrees, got 'north'"),
        (Ask("direction", "scatter"), "nan", "scatter must be a bearing from 0 to 360 degrees, got 'nan'"),
        (Ask("choose", "mode", options=("single", "burst")), "3", "mode must be one of single | burst, got '3'"),
        (Ask("choose", "mode", options=("single", "burst")), "0", "mode must be one of single | burst, got '0'"),
    ],
)
def test_a_wrong_answer_is_refused_kindly(ask, text, said):
    with pytest.raises(BadInput) as error:
        ask.parse(text)
    assert str(error.value) == said
    assert error.value.field == ask.label


@pytest.mark.parametrize(
    "ask, text, said",
    [
        (Ask("roll", "test", die=D100, clauses=("X-1",)), "0", "test must be 1-100 (00 for 100), got 0 (X-1)"),
        (
            Ask("pool", "damage", die=D10, count=1, clauses=("X-1", "X-2")),
            "11",
            "damage 1/1 must be 1-10, got 11 (X-1, X-2)",
        ),
        (Ask("choose", "mode", options=("a", "b"), clauses=("X-1",)), "c", "mode must be one of a | b, got 'c' (X-1)"),
        (
            Ask("direction", "scatter", clauses=("X-1",)),
            "north",
            "scatter must be a bearing from 0 to 360 degrees, got 'north' (X-1)",
        ),
    ],
)
def test_a_wrong_answer_is_refused_with_the_clause_that_asks(ask, text, said):
    with pytest.raises(BadInput) as error:
        ask.parse(text)
    assert str(error.value) == said
    assert error.value.field == ask.label


def test_a_question_has_label_options_and_clause():
    ask = Ask("pool", "to wound", die=D6, count=10, read=bands(pierced=6, wound=3), clauses=("X-1",))
    assert (ask.domain, ask.needed) == ("10 x 1-6", "pierced 6+, wound 3+")
    assert ask.words == ("none", "wound", "pierced")
    assert Ask("roll", "save", die=D6, read=at_least(5)).domain == "1-6"
    assert Ask("direction", "scatter", cuts=(0, 9)).domain == "degrees"
    assert Ask("choose", "mode", options=("a", 2)).domain == "a | 2"
    assert Ask("choose", "mode", options=("a", 2)).words == ()


def test_the_rule_gets_the_meaning_of_an_answer():
    assert Ask("roll", "save", die=D6, read=at_least(5)).meaning(4) is False
    assert Ask("roll", "test", die=D100, read=degrees(40)).meaning(15) == (True, 2)
    assert TO_WOUND.meaning((6, 6, 5, 1, 1, 1, 1, 1, 1, 1)) == Tally(pierced=2, wound=1, none=7)
    assert TO_WOUND.meaning(Tally(pierced=10)) == Tally(pierced=10)
    assert Ask("choose", "mode", options=("a", "b")).meaning("b") == "b"


@pytest.mark.parametrize(
    "bearing, arc", [(0, 0), (9.9, 0), (10, 1), (199, 1), (200, 2), (299.9, 2), (300, 0), (359, 0)]
)
def test_a_bearing_lies_in_the_arc_after_its_cut(bearing, arc):
    assert arc_of((10, 200, 300), bearing) == arc
    assert Ask("direction", "scatter", cuts=(10, 200, 300)).meaning(bearing) == arc


TEXT = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1).map(str.strip).filter(bool)
LABELS = TEXT.filter(lambda text: "[" not in text)
DOMAINS = TEXT.filter(lambda text: "] =" not in text)


@given(st.sampled_from(["roll", "pool", "direction", "choose"]), LABELS, DOMAINS, st.one_of(st.just(""), TEXT))
def test_an_entry_is_one_line_that_reads_back(kind, label, domain, value):
    entry = Entry(kind, label, domain, value)
    assert "\n" not in str(entry)
    assert Entry.parse(str(entry)) == entry
    assert Entry.parse(f"  {entry}\n") == entry


@given(st.data())
def test_an_answer_reads_back_from_its_entry(data):
    die = data.draw(st.sampled_from([D6, D10, FROM_ZERO, SCATTER, PAIRS, dice("2d6-7")]))
    count = data.draw(st.integers(1, 12))
    faces = tuple(data.draw(st.lists(st.sampled_from(die.faces), min_size=count, max_size=count)))
    pool = Ask("pool", "to hit", die=die, count=count, read=data.draw(st.sampled_from([face, str])))
    for ask, answer in (
        (pool, faces),
        (Ask("roll", "die", die=die), faces[0]),
        (Ask("direction", "scatter", cuts=(1, 2)), data.draw(st.floats(0, 359.999))),
        (Ask("choose", "which", options=die.faces), faces[0]),
    ):
        entry = Entry.parse(str(ask.entry(answer)))
        assert (entry.kind, entry.label, entry.domain) == (ask.kind, ask.label, ask.domain)
        assert ask.parse(entry.value) == answer


@pytest.mark.parametrize(
    "line", ["", "roll", "roll save 4", "throw save [1-6] = 4", "roll [1-6] = 4", "roll save [1-6]"]
)
def test_a_damaged_entry_is_refused(line):
    with pytest.raises(BadInput) as error:
        Entry.parse(line)
    assert str(error.value) == f"an entry must have the form “roll label [1-6] = 4”, got {line!r}"


def test_need_answer_carries_the_whole_question():
    ask = Ask("choose", "grit", options=("spend", "bleed"), by="defender", clauses=("X-1",))
    need = NeedAnswer(ask, [Entry("roll", "save", "1-6", "3")])
    assert str(need) == "grit [spend | bleed] (defender decides)"
    assert need.ask is ask
    assert need.answered == (Entry("roll", "save", "1-6", "3"),)
    assert str(NeedAnswer(Ask("roll", "save", die=D6, read=at_least(5)))) == "save [1-6], needs 5+"


def test_a_mismatch_names_entry_question_and_answer():
    ask, entry = Ask("roll", "save", die=D6), Entry("roll", "bleeding", "1-6", "3")
    assert str(TapeMismatch(4, ask, entry)) == (
        "entry 4: the rule asks roll save [1-6], the recording has roll bleeding [1-6] = 3"
    )
    assert str(TapeMismatch(4, ask, None)) == "entry 4: the rule asks roll save [1-6], the recording has nothing"
    assert str(TapeMismatch(4, None, entry, "odd")) == (
        "entry 4: the rule asks nothing more, the recording has roll bleeding [1-6] = 3: odd"
    )
