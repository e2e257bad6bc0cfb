"""The odds of every action agree with the action as played, for every measure.

A small situation is played in every way there is, and must agree exactly. Any other is played 20,000 times, or as often
as a number of function calls allows, but never less than 1,000 times, and must agree within 4.5 standard deviations.
Where one play takes many calls, stages that go the same way again are recalled and not run again. `--plays 20000` plays
every situation that often, however long it takes.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from numbers import Number
from typing import Any

from battletape.conformance.brute_force import TooMany, brute_force
from battletape.conformance.plugin import fail_if
from battletape.conformance.random_play import Recalling
from battletape.conformance.situations import Situation, situations, taken
from battletape.conformance.subjects import Subject
from battletape.errors import BudgetSpent
from battletape.odds import Odds
from battletape.system import Action, Measure
from battletape.tape.exact import Exact
from battletape.tape.limits import Budget
from battletape.tape.sampled import Quick

SIGMAS = 4.5
FACES = 300  # as many ways for the dice to fall as are tried one by one
SMALL = Budget(branches=2_000)  # what the exact reader may walk through the played stages
PLAYS, FEWER = 20_000, 1_000  # as many as this at most, and at least
CALLS = 5_000_000  # of Python functions
TRIES = 4  # plays to count how many functions one calls
UNEXPLORED = Fraction(1, 50)
ROUNDING = 1e-9  # of means of inches


def test_the_odds_of_an_action_are_those_of_its_play(subject: Subject, action: Action, plays: int) -> None:
    met = situations(subject, action)
    fail_if(text for situation in met for text in disagreements(situation, plays))
    left_out = {situation: shown_odds(situation)[1] for situation in met}
    fail_if(
        f"{situation}: the odds leave out {float(share):.1%}; let the rules merge more, or forget more with a lens."
        for situation, share in left_out.items()
        if share > UNEXPLORED
    )


def test_every_action_can_be_taken_somewhere_and_luck_decides(subject: Subject, action: Action) -> None:
    if not situations(subject, action):
        fail_if([f"In no battle may {action.name} be taken; give a start (--starts) where it may."])
    if not varying(subject, action):
        decides = "no decision matters" if is_luckless(subject) else "luck decides nothing"
        fail_if([f"Wherever {action.name} is taken, {decides} that it measures; give a start where it does."])


def test_whatever_players_decide_is_among_what_their_choices_can_lead_to(subject: Subject, action: Action) -> None:
    fail_if(text for situation in situations(subject, action) for text in unlisted(situation))


def test_every_measure_differs_between_plays_of_some_action(battling: Subject) -> None:
    names = dict.fromkeys(measure.name for action in battling.actions for measure in action.measures)
    differing = {name for action in battling.actions for name in varying(battling, action)}
    fail_if(
        f"The measure {name} is the same in all plays of every action; give a start (--starts) where it is not."
        for name in names
        if name not in differing
    )


@lru_cache(None)
def varying(subject: Subject, action: Action) -> frozenset[str]:
    """Return the measures of an action that luck decides; in a game without luck, those that differ between plays."""
    met = situations(subject, action)
    if not is_luckless(subject):
        return frozenset(name for situation in met for name in situation.differing)
    seen: dict[str, set[Any]] = {measure.name: set() for measure in action.measures}
    for situation in (*met, *taken(subject, action)):
        for play in situation.decided():
            for measure, value in zip(action.measures, play, strict=True):
                seen[measure.name].add(value)
        if all(len(values) > 1 for values in seen.values()):
            break
    return frozenset(name for name, values in seen.items() if len(values) > 1)


@lru_cache(None)
def is_luckless(subject: Subject) -> bool:
    """Return whether no action of a ruleset asks for dice in any of its situations, whatever players decide."""
    return not any(situation.has_luck for action in subject.actions for situation in situations(subject, action))


def disagreements(situation: Situation, plays: int = 0) -> Iterator[str]:
    """Yield where the odds differ from the play by more than luck, or what was left out, can explain.

    For each measure, the value that differs most.
    """
    odds, unexplored = shown_odds(situation)
    times, chances = played(situation, plays)
    for measure, came in zip(situation.action.measures, chances, strict=True):
        if measure.name not in odds:  # it is told only if it is asked for
            continue
        off = [
            (abs(was - said), f"{what}: told {float(said):.4f}, played {float(was):.4f} ± {slack:.4f}")
            for what, said, was, slack in _compared(odds[measure.name], came, times)
            if not -slack <= was - said <= slack + unexplored
        ]
        if off:
            yield f"{situation}: {measure.name} {max(off)[1]}. Odds and play should come of one procedure."


def unlisted(situation: Situation) -> Iterator[str]:
    """Yield where no luck is involved, results of a few plays by any option that a player is not shown as possible."""
    if situation.has_luck:
        return
    answer, measures = situation.odds(), situation.action.measures
    try:
        states = answer.outcomes().states
    except BudgetSpent:  # a player is told so
        return
    shown = {tuple(measure.of(state) for measure in measures) for state in states}
    came = next((play for play in situation.decided() if play not in shown), None)
    if came is not None:
        values = ", ".join(f"{measure.name} {value}" for measure, value in zip(measures, came, strict=True))
        yield f"{situation}: {values} came of choices, and is not listed. Odds and play should come of one procedure."


def _compared(
    odds: Odds[Any], came: Mapping[Any, Fraction], times: int
) -> Iterator[tuple[str, Fraction, Fraction, float]]:
    """Odds and play for each value, for all rare values together, and on average, with the limit of luck."""
    rare_said, rare_was = Fraction(0), Fraction(0)
    for value in sorted({*odds.weights, *came}, key=str):
        said, was = odds.chance(value), came.get(value, Fraction(0))
        if not times or said * (1 - said) * times >= 10 or said in (0, 1):
            yield f"{value}", said, was, luck(said, times)
        else:
            rare_said, rare_was = rare_said + said, rare_was + was
    if rare_said * times >= 10:
        yield "rare values", rare_said, rare_was, luck(rare_said, times)
    if times and not odds.unexplored_weight and all(isinstance(value, Number) for value in {*odds.weights, *came}):
        mean = sum((value * chance for value, chance in came.items()), Fraction(0))
        yield "on average", odds.mean, mean, SIGMAS * (float(odds.variance) / times) ** 0.5 + ROUNDING


def luck(chance: Fraction, times: int) -> float:
    """Return how far a number of plays may be from a chance by luck; 0 if every branch was tried."""
    return SIGMAS * float(chance * (1 - chance) / times) ** 0.5 if times else 0.0


@lru_cache(None)
def shown_odds(situation: Situation) -> tuple[dict[str, Odds[Any]], Fraction]:
    """Return the odds of each measure that a player sees, and how much they leave out."""
    answer = situation.odds()
    odds = {measure.name: answer.odds(measure.name) for measure in answer.measures}
    return odds, answer.states.unexplored


def played(situation: Situation, plays: int = 0) -> tuple[int, tuple[dict[Any, Fraction], ...]]:
    """Return the chance of each value of each measure in play, and the number of plays (0: every branch)."""
    stages, work, measures = situation.stages(), situation.work(), situation.action.measures
    try:
        return 0, _by_measure(brute_force(stages, work, FACES), measures)
    except TooMany:
        pass
    odds = Exact(budget=SMALL).run(stages, work)
    if odds.is_exact:
        return 0, _by_measure(odds.fractions(), measures)
    counts = Counter(many(situation, plays))
    by_measure = [Counter[Any]() for _ in measures]
    for values, count in counts.items():
        for counter, value in zip(by_measure, values, strict=True):
            counter[value] += count
    times = counts.total()
    return times, tuple({value: Fraction(count, times) for value, count in counter.items()} for counter in by_measure)


def many(situation: Situation, plays: int = 0) -> Iterator[tuple[Any, ...]]:
    """Yield the measures of many plays, as many as a number of calls allows or as are asked for.

    Never by the clock, which would give different plays each time.
    """
    calls, most, least = calls_of(situation), max(PLAYS, plays), max(FEWER, plays)
    if FEWER * calls <= CALLS:
        times = most
        while times > least and times * calls > CALLS:
            times = max(least, times // 2)
        yield from islice(situation.results(Quick(str(situation))), times)
        return
    tape, in_a_play = Recalling(str(situation)), len(situation.stages())
    for number, values in enumerate(situation.results(tape), 1):
        yield values
        if number >= most or (number >= least and tape.runs * calls > CALLS * in_a_play):
            return


def calls_of(situation: Situation) -> float:
    """Return how many functions a play calls, on average over a few."""
    calls = 0

    def count(*_: Any) -> None:
        nonlocal calls
        calls += 1

    list(islice(situation.plays(Quick("warm")), TRIES))
    ends = situation.plays(Quick("count"))
    sys.setprofile(count)
    try:
        list(islice(ends, TRIES))
    finally:
        sys.setprofile(None)
    return calls / TRIES


def _by_measure(chances: Mapping[Any, Fraction], measures: tuple[Measure, ...]) -> tuple[dict[Any, Fraction], ...]:
    by_measure: tuple[dict[Any, Fraction], ...] = tuple({} for _ in measures)
    for state, chance in chances.items():
        for mine, measure in zip(by_measure, measures, strict=True):
            value = measure.of(state)
            mine[value] = mine.get(value, Fraction(0)) + chance
    return by_measure
