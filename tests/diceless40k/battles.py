"""Small battles for tests, with a board or without one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from battletape.battle import Battle
from battletape.errors import Refused
from battletape.rulesets.diceless40k import RULESET
from tests.diceless40k.wished_options import WishedOptions

Given = Mapping[str, Any] | str


def unit(profile: str, name: str = "", **more: Any) -> dict[str, Any]:
    """A unit or vehicle by its profile."""
    return {"name": name or profile, "profile": profile, **more}


def battle(
    vigil: Sequence[Given] = (),
    horde: Sequence[Given] = (),
    vigil_vehicles: Sequence[Given] = (),
    horde_vehicles: Sequence[Given] = (),
    rulings: Mapping[str, Any] | None = None,
    mines: str = "",
    **start: Any,
) -> Battle:
    """A battle of Vigil, who plays first, against the Horde; each has somebody far away, so that it goes on."""
    sides = [
        {
            "name": "Vigil",
            "units": [*vigil, unit("Grots", "Far Vigil")],
            "vehicles": list(vigil_vehicles),
            "mines": mines,
        },
        {"name": "Horde", "units": [*horde, unit("Grots", "Far Horde")], "vehicles": list(horde_vehicles)},
    ]
    return Battle.new(RULESET, {"sides": sides, **start}, rulings or {})


def do(one: Battle, action: str, *wishes: Any, **params: Any) -> list[str]:
    """Do something and hear what the log says; choices take a wish, or their first option."""
    move = one.push(action, params, tape=WishedOptions(*wishes))
    return [line.text for line in one.move_record(move.number).lines]


def end(one: Battle, phases: int = 1) -> None:
    """End so many phases."""
    for _ in range(phases):
        do(one, "end_phase")


def refused(one: Battle, action: str, clause: str, match: str | None = None, **params: Any) -> None:
    """The action is refused by a clause with a reason, and nothing changes."""
    before, text = one.state, one.text
    with pytest.raises(Refused, match=match) as error:
        one.push(action, params, tape=WishedOptions())
    assert error.value.clause == clause
    assert error.value.reason
    assert (one.state, one.text) == (before, text)


def hp(one: Battle, name: str) -> int:
    """Hit points left to a unit."""
    return int(one.state.squad(name).hp)
