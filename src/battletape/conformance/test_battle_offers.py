"""What a battle offers can be done and changes something; what else is said is refused for the true reason.

A player sees offers as options (`Battle.legal`) and as commands (`bt battle do`, its examples, and the reasons of
`--all`). Each is tried on a copy of the battle.
"""

from __future__ import annotations

import random
import shlex
from collections.abc import Collection, Iterator

import pytest

from battletape.battle import Battle
from battletape.battle.battle import Option
from battletape.cli.battle.options import find_params
from battletape.conformance.plugin import fail_if
from battletape.conformance.random_play import AnyOption
from battletape.conformance.situations import battles
from battletape.conformance.subjects import Subject
from battletape.errors import BadInput, BattletapeError, MissingInput, Refused, UnknownName
from battletape.inputs import Inputs, fields
from battletape.system import Action
from battletape.views.battle import ActionView, action_views, command_line

POINTS = 5
"""At how many points of each battle its offers are tried."""
OPTIONS = 3
"""How many options of an action are tried at each point, and how many commands that would be refused."""
EXAMPLE = "  battletape battle do "


def test_every_option_can_be_done_and_changes_something(battling: Subject) -> None:
    fail_if(
        trouble
        for name, battle, luck in points(battling)
        for option in some_of(battle.legal(), luck)
        for trouble in undone(name, battle, option)
    )


def test_every_printed_command_does_what_it_says(battling: Subject) -> None:
    fail_if(
        trouble
        for name, battle, luck in points(battling)
        for view in action_views(battle, everything=True)
        for trouble in unlike(name, battle, view, luck)
    )


def test_an_action_alone_is_done_or_asks_for_what_it_needs_with_an_example_that_works(battling: Subject) -> None:
    fail_if(
        trouble
        for name, battle, _ in points(battling)
        for action in battle.actions
        for trouble in examples_that_fail(name, battle, action)
    )


def test_what_is_not_offered_is_refused_for_the_true_reason(battling: Subject) -> None:
    known = battling.ruleset.clauses.by_id
    fail_if(
        trouble
        for name, battle, luck in points(battling)
        for action in battle.actions
        for given in sayings(battle, action, luck)
        for trouble in untrue(name, battle, action, given, known)
    )


def points(subject: Subject) -> Iterator[tuple[str, Battle, random.Random]]:
    """Return a few points of every battle, the first and the last among them."""
    for name, battle in battles(subject).items():
        numbers = [0, *(move.number for move in battle.moves)]
        luck = random.Random(name)
        inner = luck.sample(numbers[1:-1], min(POINTS - 2, max(0, len(numbers) - 2)))
        for number in sorted({numbers[0], *inner, numbers[-1]}):
            yield f"{subject} {name}@{number}", battle.fork(number), random.Random(f"{name} {number}")


def some_of(options: tuple[Option, ...], luck: random.Random) -> Iterator[Option]:
    """Return a few options of each action."""
    by_action: dict[str, list[Option]] = {}
    for option in options:
        by_action.setdefault(option.action.name, []).append(option)
    for ways in by_action.values():
        yield from luck.sample(ways, min(len(ways), OPTIONS))


def undone(name: str, battle: Battle, option: Option) -> Iterator[str]:
    """Say what goes wrong where an option is taken."""
    command = command_line(option.action.name, option.params)
    branch = battle.fork()
    try:
        branch.push(option, tape=AnyOption(name))
    except BattletapeError as error:
        yield f"{name}: {command} is offered, but: {error}"
    else:
        if branch.state == battle.state:
            yield f"{name}: {command} is offered, but changes nothing."


def unlike(name: str, battle: Battle, view: ActionView, luck: random.Random) -> Iterator[str]:
    """Say which commands do not do what the list says, or are refused for another reason."""
    for command in luck.sample(view.allowed, min(len(view.allowed), OPTIONS)):
        yield from undone_command(name, battle, command)
    reasons = [(reason, command) for reason in view.refused for command in reason.commands[:1]]
    for reason, command in luck.sample(reasons, min(len(reasons), OPTIONS)):
        try:
            typed(battle, command)
        except Refused as refused:
            if (refused.reason, refused.clause) != (reason.reason, reason.clause):
                yield f"{name}: {command} is refused as {reason.reason!r}, and when it is typed as {refused.reason!r}."
        except BadInput as error:  # it lacks something, which is the reason that the list gives
            if reason.reason.partition(" (")[0].rstrip(".") not in str(error):
                yield f"{name}: {command} is refused as {reason.reason!r}, and when it is typed: {error}"
        else:
            yield f"{name}: {command} is refused as {reason.reason!r}, but can be done."


def undone_command(name: str, battle: Battle, command: str) -> Iterator[str]:
    """Say what goes wrong where a command is typed as it was printed."""
    try:
        branch = typed(battle, command)
    except BattletapeError as error:
        yield f"{name}: “{command}” is printed, but: {error}"
    else:
        if branch.state == battle.state:
            yield f"{name}: “{command}” is printed, but changes nothing."


def typed(battle: Battle, command: str) -> Battle:
    """Return a copy of the battle after a command, as the terminal reads it."""
    branch = battle.fork()
    action, *words = shlex.split(command)
    branch.push(action, find_params(branch, action, words), tape=AnyOption(command))
    return branch


def examples_that_fail(name: str, battle: Battle, action: Action) -> Iterator[str]:
    """Say what is wrong with the answer to an action that is typed without anything else."""
    offered = any(way.refused is None for way in battle.options_of(action.name))
    try:
        find_params(battle.fork(), action.name, [])
    except Refused:
        return
    except BadInput as error:
        examples = [line.removeprefix(EXAMPLE) for line in str(error).splitlines() if line.startswith(EXAMPLE)]
        if offered and not examples:
            yield f"{name}: {action.name} can be done, but no example shows how: {error}"
        for command in examples:
            yield from undone_command(name, battle, command)


def sayings(battle: Battle, action: Action, luck: random.Random) -> Iterator[dict[str, str]]:
    """Return an action alone, with each of its names alone, with another name there, and with a part of it."""
    yield {}
    ways = list(battle.rules.options(action, battle.state))
    names = sorted({text for order in ways for _, text in texts(order)})
    if names:
        for field in texts(luck.choice(ways)):
            word = luck.choice(names)
            yield dict([field])
            yield {field[0]: word}
            yield {field[0]: luck.choice(word.split() or [word]).lower()}


def texts(order: Inputs) -> Iterator[tuple[str, str]]:
    """Return the names in an order."""
    named = (field.name for field in fields(type(order)) if field.kind == "text")
    return ((name, text) for name in named if (text := getattr(order, name)))


def untrue(name: str, battle: Battle, action: Action, given: dict[str, str], known: Collection[str]) -> Iterator[str]:
    """Say where the answer to an order hides the true reason."""
    ways = list(battle.options_of(action.name))
    closed = next((way.refused for way in ways if way.refused is not None and way.refused.at_all), None)
    place = f"{name}: {action.name} {given}"
    try:
        refused = battle.refusal(action.name, given)
    except MissingInput as error:
        if closed is not None:
            yield f"{place}: {error} In truth: {closed.reason}."
    except UnknownName as error:
        if any(error.name.lower() == there.lower() for there in error.known):
            yield f"{place}: {error} It is there."
        elif closed is not None and not given:
            yield f"{place}: {error} In truth: {closed.reason}."
    except BadInput:
        pass
    else:
        if refused is not None and not (refused.reason and refused.clause in known):
            yield f"{place} is refused without a clause of the book: {refused}"
        if refused is not None and refused.at_all and any(way.refused is None for way in ways):
            yield f"{place} is refused whatever is said ({refused}), and yet another way is offered."


@pytest.fixture(autouse=True)
def _nothing_is_spoilt(battling: Subject) -> Iterator[None]:
    """Battles are shared with other tests, so they must be as they were."""
    before = {name: len(battle.record.moves) for name, battle in battles(battling).items()}
    yield
    assert before == {name: len(battle.record.moves) for name, battle in battles(battling).items()}
