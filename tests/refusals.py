"""Tables of refusals: what is ordered, asked or set up, and the clause and words of the answer.

A file of refusals names its starts and lists its rows:

    STARTS = {"engaged": (skirmish, "start", ("engage", {"unit": "Wardens", "target": "Raiders"}))}
    ROWS = [Row("engaged", "embark", {"unit": "Wardens", "target": "Wagon"}, "AD-65", "it must leave that one first")]

    @pytest.mark.parametrize("row", ROWS, ids=str)
    def test_an_order_is_refused(row: Row):
        assert not faults(begin(STARTS[row.start]), row)

`QuestionRow` and `question_faults` are the same for questions, `start_faults` for battles that cannot begin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from battletape.battle import Battle
from battletape.errors import BattletapeError, Refused
from battletape.system import Ruleset
from battletape.tape.script import Script

Move = str | tuple[str, Mapping[str, Any]] | tuple[str, Mapping[str, Any], tuple[Any, ...]]
"""An action, with its inputs and its dice and choices where it has any."""
Start = tuple[Any, ...]
"""What makes the battle, and the moves made in it."""


class Row(NamedTuple):
    """An order in a battle, and why it is refused; without a clause the order itself is wrong."""

    start: str
    action: str
    params: Mapping[str, Any]
    clause: str
    fragment: str

    def __str__(self) -> str:
        return f"{self.start}-{self.action} {_written(self.params)}"


class Allowed(NamedTuple):
    """An order at the edge of what is refused, which is not."""

    start: str
    action: str
    params: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.start}-{self.action} {_written(self.params)}"


class QuestionRow(NamedTuple):
    """A question, and why it is refused; without a clause an input is wrong."""

    question: str
    given: Mapping[str, Any]
    clause: str
    fragment: str

    def __str__(self) -> str:
        return f"{self.question} {_written(self.given)}"


def _written(params: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in params.items())


def begin(start: Start) -> Battle:
    """Return a battle after the moves of its start."""
    make: Callable[[], Battle] = start[0]
    battle = make()
    for move in start[1:]:
        action, params, dice = (move, {}, ()) if isinstance(move, str) else (*move, ())[:3]
        tape = Script(*dice)
        battle.push(action, params, tape=tape)
        assert tape.used_up, f"{action}: {tape.left} dice are left"
    return battle


def faults(battle: Battle, row: Row) -> list[str]:
    """Return what is not as the row says: the clause, the words, or that nothing was changed."""
    return list(_faults(battle, row))


def _faults(battle: Battle, row: Row) -> Iterator[str]:
    before = battle.text, battle.state
    yield from _answer_faults(lambda: battle.push(row.action, row.params, tape=Script()), row.clause, row.fragment)
    if (battle.text, battle.state) != before:
        yield "the battle is another one"
    if row.clause and (asked := battle.refusal(row.action, row.params)) is not None and asked.clause != row.clause:
        yield f"asked first, the clause is {asked.clause}"


def is_allowed(row: Allowed, starts: Mapping[str, Start]) -> bool:
    """Return whether an order is not refused."""
    return begin(starts[row.start]).refusal(row.action, row.params) is None


def question_faults(ruleset: Ruleset, row: QuestionRow) -> list[str]:
    """Return what is not as the row says: the clause or the words."""
    return list(_answer_faults(lambda: ruleset.ask(row.question, **row.given), row.clause, row.fragment))


def start_faults(make: Callable[[], Battle], fragment: str) -> list[str]:
    """Return what is wrong with the answer to a start that does not fit."""
    return list(_answer_faults(make, None, fragment))


def _answer_faults(ask: Callable[[], object], clause: str | None, fragment: str) -> Iterator[str]:
    try:
        ask()
    except BattletapeError as error:
        refused = error.clause if isinstance(error, Refused) else ""
        if clause is not None and refused != clause:
            yield f"the clause is {refused or 'none'}, not {clause or 'none'}: {error}"
        if fragment not in str(error):
            yield f"{fragment!r} is not in {str(error)!r}"
    else:
        yield "nothing is refused"
