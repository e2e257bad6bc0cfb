"""On our own rulesets the conformance tests have something to do, and every ruleset of ours is among them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from battletape.battle import Battle
from battletape.conformance import test_battle_measures
from battletape.conformance.random_play import play_at_random
from battletape.conformance.situations import situations
from battletape.conformance.subjects import Subject, find_subjects
from battletape.conformance.test_battles import STEPS, refused_in
from battletape.registry import OURS
from battletape.system import nothing_forgotten


@pytest.fixture
def subjects(pytestconfig: pytest.Config) -> tuple[Subject, ...]:
    """The rulesets that pyproject.toml names, with their starts."""
    names, starts, tests = (pytestconfig.getini(f"conformance_{name}") for name in ("ruleset", "starts", "tests"))
    return find_subjects(names, starts, tests)


def test_every_ruleset_of_ours_and_the_toy_are_tested_with_starts_and_battles(subjects: tuple[Subject, ...]):
    assert {str(subject) for subject in subjects} == {*OURS, "toy"}
    assert all(subject.starts and subject.played and subject.seen and subject.tests for subject in subjects)


def test_some_questions_and_actions_have_a_lens(subjects: tuple[Subject, ...]):
    questions = [question for subject in subjects for question in subject.ruleset.questions]
    actions = [action for subject in subjects for action in subject.actions]
    assert any(question.lens is not nothing_forgotten for question in questions)
    assert any(action.lens is not nothing_forgotten for action in actions)


def test_every_ruleset_refuses_some_option_in_a_random_battle(subjects: tuple[Subject, ...]):
    for subject in subjects:
        battle = Battle.new(subject.ruleset)
        play_at_random(battle, STEPS[0][:15])
        assert any(refused_in(battle)), subject


def test_a_measure_that_differs_from_the_state_is_reported(subjects: tuple[Subject, ...]):
    subject = next(subject for subject in subjects if str(subject) == "toy")
    action = next(action for action in subject.actions if action.name == "shoot")
    lost = next(measure for measure in action.measures if measure.name == "lost")
    right = test_battle_measures.reading(subject, action, lost)
    assert right is not None
    wrong = replace(lost, of=lambda shot: shot.lost + 1)
    met = situations(subject, action)
    assert not [text for situation in met for text in test_battle_measures.unlike(situation, {lost: right})]
    told = [text for situation in met for text in test_battle_measures.unlike(situation, {wrong: right})]
    assert len(told) == len(met)
    assert all("by the state after the play" in text for text in told)
