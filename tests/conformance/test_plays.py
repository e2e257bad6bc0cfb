"""How often situations are played, and that recalling a stage changes nothing but the time."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from battletape.conformance import test_battle_odds as battle_odds
from battletape.conformance.random_play import Recalling
from battletape.conformance.situations import Situation, situations
from battletape.conformance.subjects import find_subjects
from battletape.dice import D6, at_least
from battletape.system import Measure
from battletape.tape.sampled import Quick

TESTS = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def situation() -> Situation:
    """The shot with most dice in battles of the toy."""
    (toy,) = find_subjects(["tests.toy:RULESET"], [TESTS / "toy" / "starts.toml"], [])
    shoot = next(action for action in toy.actions if action.name == "shoot")
    return max(situations(toy, shoot), key=lambda situation: situation.dice)


def test_plays_that_recall_stages_end_as_others_do_with_the_same_dice(situation):
    tape = Recalling("dice")
    recalled = list(islice(situation.results(tape), 400))
    assert recalled == list(islice(situation.results(Quick("dice")), 400))
    assert len(set(recalled)) > 1
    assert tape.runs < 400 * len(situation.stages())


def test_a_stage_is_run_once_for_each_way_its_answers_may_go():
    ran = []

    def stage(tape: Any, state: int) -> int:
        ran.append(state)
        first = tape.roll(D6, at_least(4), label="first")
        return state + (2 if first and tape.roll(D6, at_least(6), label="second") else int(first))

    tape = Recalling(1)
    ends = {tape.run(stage, start) for start in (0, 10) for _ in range(200)}
    assert ends == {0, 1, 2, 10, 11, 12}
    assert len(ran) == tape.runs == 6


@pytest.mark.parametrize(
    "calls, plays, times",
    [
        (10, 0, 20_000),  # as often as may be
        (1_600, 0, 2_500),
        (5_000, 0, 1_000),  # as often as the calls allow
        (5_000, 3_000, 3_000),  # as often as is asked for
        (10, 100, 20_000),  # which never makes it less
        (10, 21_000, 21_000),
        (1e12, 0, 1_000),  # however long it takes
        (7_000, 0, 20_000),  # but what is recalled costs nothing
    ],
)
def test_how_often_a_situation_is_played(situation, monkeypatch, calls, plays, times):
    monkeypatch.setattr(battle_odds, "calls_of", lambda situation: calls)
    assert sum(1 for _ in battle_odds.many(situation, plays)) == times


def test_calls_are_counted_alike_each_time(situation):
    assert battle_odds.calls_of(situation) == battle_odds.calls_of(situation) > 10


@pytest.mark.parametrize("came, told", [((1, 2), []), ((2, 3), ["points 3 came of choices, and is not listed"])])
def test_an_outcome_of_choices_that_is_not_listed_is_reported(came, told):
    """Of a situation without luck whose choices lead to 1 or 2 points, by the list."""
    answer = SimpleNamespace(outcomes=lambda: SimpleNamespace(states=(1, 2)))
    action = SimpleNamespace(measures=(Measure("points", "Points", lambda state: state),))
    met: Any = SimpleNamespace(
        has_luck=False, odds=lambda: answer, action=action, decided=lambda: iter([(points,) for points in came])
    )
    said = list(battle_odds.unlisted(met))
    assert [text.split(": ")[1].split(". ")[0] for text in said] == told
