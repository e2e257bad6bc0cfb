"""Every measure of an action equals what the battle shows: a count of its state before and after the play.

The author says how to see a measure, in a Python file that a file of starts names as `seen`. Its SEEN has a function
for each measure, or for one of an action ("strike.dead"): (state before, inputs, state after) -> the value, or
NotImplemented where these states cannot tell. Its UNSEEN has the reason for each measure that leaves no trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from battletape.battle.replay import play_action
from battletape.conformance.plugin import fail_if
from battletape.conformance.random_play import AnyOption
from battletape.conformance.situations import Situation, situations, taken
from battletape.conformance.subjects import Subject
from battletape.errors import file_trouble
from battletape.system import Action, BattleRules, Measure, Plan
from battletape.tape import Tape

PLAYS = 8
Reading = Callable[[Any, Any, Any], Any]


def test_a_measure_is_what_the_battle_shows_after_the_play(subject: Subject, action: Action) -> None:
    if not subject.seen:
        pytest.skip("no file says how measures are seen (seen = in a file of starts)")
    readings = {measure: found for measure in action.measures if (found := reading(subject, action, measure))}
    met = dict.fromkeys(chain(situations(subject, action), taken(subject, action)))
    fail_if(text for situation in met for text in unlike(situation, readings))


def test_every_measure_is_seen_or_there_is_a_reason_why_not(battling: Subject) -> None:
    if not battling.seen:
        pytest.skip("no file says how measures are seen (seen = in a file of starts)")
    measures = [(action, measure) for action in battling.actions for measure in action.measures]
    known = {name for action, measure in measures for name in names_of(action, measure)}
    fail_if(
        f"{action.name}: no state shows {measure.name}; say how it is seen (SEEN), or why it is not (UNSEEN)."
        for action, measure in measures
        if reading(battling, action, measure) is None and not any(map(unseen(battling).get, names_of(action, measure)))
    )
    fail_if(
        f"There is no measure {name}, which {' and '.join(map(str, battling.seen))} says how to see."
        for name in (*seen(battling), *unseen(battling))
        if name not in known
    )


def unlike(situation: Situation, readings: Mapping[Measure, Reading]) -> Iterator[str]:
    """Yield where a measure differs from what the state shows after a play; of each measure the first play."""
    before, rules, left = situation.state, situation.battle.rules, dict(readings)
    for number in range(PLAYS):
        ends: list[Any] = []
        plan = _watched(rules, rules.plan(situation.action, before, situation.params), ends)
        tape = AnyOption(f"{situation} seen {number}")
        after, _ = play_action(rules, situation.action, plan, tape)
        for measure, read in tuple(left.items()):
            promised, shown = measure.of(ends[0]), read(before, situation.params, after)
            if shown is not NotImplemented and promised != shown:
                del left[measure]
                contradiction = f"{measure.name} is {promised} by its measure, and {shown} by the state after the play."
                yield f"{situation}: {contradiction}"


def _watched(rules: BattleRules, plan: Plan, ends: list[Any]) -> Plan:
    """Return the plan, which now also notes the working state that its stages end with."""
    after = plan.after

    def note(tape: Tape, work: Any) -> Any:
        ends.append(work)
        return rules.state_of(work) if after is None else after.on(tape, work)

    return plan.then(note)


def reading(subject: Subject, action: Action, measure: Measure) -> Reading | None:
    """Return how a measure of an action is seen, if it is."""
    return next(filter(None, map(seen(subject).get, names_of(action, measure))), None)


def names_of(action: Action, measure: Measure) -> tuple[str, str]:
    """Return what a measure of an action is called among the readings: its own name and that of all actions."""
    return f"{action.name}.{measure.name}", measure.name


def seen(subject: Subject) -> dict[str, Reading]:
    """Return how the measures of a ruleset are seen."""
    return _of(subject, "SEEN")


def unseen(subject: Subject) -> dict[str, str]:
    """Return why measures of a ruleset are not seen."""
    return _of(subject, "UNSEEN")


@lru_cache(None)
def _of(subject: Subject, what: str) -> dict[str, Any]:
    return {name: own for path in subject.seen for name, own in _run(path).get(what, {}).items()}


@lru_cache(None)
def _run(path: Path) -> dict[str, Any]:
    try:
        return run_path(str(path))
    except OSError as error:
        pytest.fail(f"{path}: {file_trouble(error)}.", pytrace=False)
