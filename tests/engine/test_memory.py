"""What a process keeps of earlier answers has a bound, and an answer does not depend on what is kept."""

from __future__ import annotations

import gc
from itertools import islice

import pytest

from battletape import memory
from battletape.answer import ask
from battletape.errors import BattletapeError
from battletape.memory import Kept, caches, entries, forget, lasting
from battletape.registry import ruleset
from battletape.tape.exact import Exact, Memo
from battletape.tape.limits import READINGS, Budget
from benchmarks.library_soak import questions

FEW = 10_000
"""Blocks that may be kept in these tests, so that they are soon used up."""


@pytest.fixture
def forgotten(monkeypatch):
    """How much was kept whenever everything was forgotten; there is room for a little only."""
    kept: list[int] = []

    def counted() -> None:
        kept.append(entries())
        forget()

    forget()
    gc.collect()
    monkeypatch.setattr(memory, "MAX_NEW_BLOCKS", FEW)
    monkeypatch.setattr(memory, "CHECK_EVERY", 1)
    monkeypatch.setattr(memory, "forget", counted)
    monkeypatch.setattr(memory, "_floor", [0])
    return kept


def test_a_process_that_asks_many_questions_stays_within_its_bound(forgotten):
    most = 0
    for card, question, given in islice(questions(seed=3), 60):
        try:
            ask(card, question, given, budget=Budget(branches=2_000))
        except BattletapeError:
            continue
        most = max(most, entries())
    assert len(forgotten) > 3
    assert 3 * most < sum(forgotten)  # that much would be kept without the bound
    forget()
    gc.collect()
    assert entries() < 1_000


def test_an_answer_does_not_depend_on_the_memory(forgotten):
    compared = 0
    for card, question, given in islice(questions(seed=5), 40):
        try:
            answer = ask(card, question, given, budget=Budget(branches=3_000))
        except BattletapeError:
            continue
        if answer.states.is_exact:
            alone = ask(card, question, given, budget=Budget(branches=100_000), memo=Memo())
            assert (str(answer), answer.states.fractions()) == (str(alone), alone.states.fractions())
            compared += 1
    assert compared > 10
    assert forgotten


def test_books_stay_and_results_go():
    card = ruleset("attack_dice")
    card.ask("attack", weapon="Yew bow", attacks=7)
    book = card.book.entries
    assert len(card.memo) > 0
    assert len(card.memo.whole) > 0
    gc.collect()  # readers go round in circles, and their marks stay as long as they do
    forget()
    assert len(card.memo) == len(card.memo.whole) == len(card.memo.marks) == 0
    assert not any(card.memo.by_rule.values())  # readers that are still about have theirs, without anything
    assert card.book.entries is book


def test_a_full_cache_begins_anew():
    kept: Kept[int, int] = Kept(3)
    assert [kept.keep(at, at * at) for at in range(4)] == [0, 1, 4, 9]
    assert kept == {3: 9}


def test_a_lasting_cache_is_cleared_while_it_exists():
    kept: Kept[int, int] = lasting(Kept(10))
    kept.keep(1, 1)
    before = entries()
    forget()
    assert (len(kept), entries() < before) == (0, True)
    named = id(kept)
    del kept
    assert named not in memory._lasting


def test_ways_of_reading_are_bounded_and_no_mark_is_given_twice():
    memo = Memo()
    marks = [memo.mark(lambda ask: ask.options[0], False, ()) for _ in range(3 * READINGS)]
    assert len(set(marks)) == len(marks)
    assert len(memo.marks) <= READINGS


def test_a_reader_at_work_keeps_its_marks_when_everything_is_forgotten():
    memo = Memo()
    reader, gone = Exact(memo), Exact(memo, floats=True)
    other = gone.mark
    del gone
    memo.clear()
    assert memo.by_rule.get(reader.mark) is reader.marks
    assert other not in memo.by_rule
    assert Exact(memo, floats=True).mark not in (other, reader.mark)


def test_the_caches_of_every_ruleset_are_found():
    for name in ("deathwatch", "second_edition"):
        ruleset(name)
    homes = {cache.__wrapped__.__module__ for cache in caches()}
    assert {"battletape.dice", "battletape.tape.question", "battletape.rulesets.deathwatch.rules.lenses"} <= homes
