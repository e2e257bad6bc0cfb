"""A table of refusals: a battle at some point, an action with its inputs, and the clause and words of the answer.

A file of refusals names its starts and lists its rows:

    STARTS = {"engaged": (skirmish, "start", ("engage", {"unit": "Wardens", "target": "Raiders"}))}
    ROWS = [Row("engaged", "embark", {"unit": "Wardens", "target": "Wagon"}, "AD-65", "it must leave that one first")]

    @pytest.mark.parametrize("row", ROWS, ids=str)
    def test_what_is_refused(row: Row):
        assert not faults(begin(STARTS[row.start]), row)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from battletape.battle import Battle
from battletape.errors import BattletapeError, Refused
from battletape.tape.script import Script

Move = str | tuple[str, Mapping[str, Any]]
"""An action, with its inputs where it has any."""
Start = tuple[Any, ...]
"""What makes the battle, and the moves made in it; none of them rolls a die."""


class Row(NamedTuple):
    """What is said, and what comes of it; without a clause the order itself is wrong."""

    start: str
    action: str
    params: Mapping[str, Any]
    clause: str
    fragment: str

    def __str__(self) -> str:
        said = " ".join(f"{name}={value}" for name, value in self.params.items())
        return f"{self.start}-{self.action} {said}"


def begin(start: Start) -> Battle:
    """Return a battle after the moves of its start."""
    make: Callable[[], Battle] = start[0]
    battle = make()
    for move in start[1:]:
        action, params = (move, {}) if isinstance(move, str) else move
        battle.push(action, params)
    return battle


def faults(battle: Battle, row: Row) -> list[str]:
    """Return what is not as the row says: the clause, the words, or that nothing was changed."""
    return list(_faults(battle, row))


def _faults(battle: Battle, row: Row) -> Iterator[str]:
    before = battle.state, len(battle.moves)
    try:
        battle.push(row.action, row.params, tape=Script())
    except BattletapeError as error:
        clause = error.clause if isinstance(error, Refused) else ""
        if clause != row.clause:
            yield f"the clause is {clause or 'none'}, not {row.clause or 'none'}: {error}"
        if row.fragment not in str(error):
            yield f"{row.fragment!r} is not in {str(error)!r}"
    else:
        yield f"{row} is done"
    if (battle.state, len(battle.moves)) != before:
        yield "the battle is another one"
    if row.clause and (asked := battle.refusal(row.action, row.params)) is not None and asked.clause != row.clause:
        yield f"asked first, the clause is {asked.clause}"
