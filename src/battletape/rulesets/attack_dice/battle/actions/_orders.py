"""What the actions without dice share: orders of one unit or two, and every way to give them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from battletape.inputs import Inputs
from battletape.rulesets.attack_dice.battle.log import tell_action
from battletape.rulesets.attack_dice.battle.state import State
from battletape.system import at_once


class OneUnit(Inputs, frozen=True):
    """An action of one unit."""

    unit: str = ""


class TwoUnits(Inputs, frozen=True):
    """An action of one unit towards another."""

    unit: str = ""
    target: str = ""


def each_unit(order: type[Inputs]) -> Any:
    """How to list an order for every unit."""
    return lambda state: (order(unit=unit.name) for unit in state.squads)


def each_pair(state: State) -> Iterable[TwoUnits]:
    """Every unit towards every other."""
    names = [squad.name for squad in state.squads]
    return (TwoUnits(unit, target) for unit in names for target in names if unit != target)


def _about(state: State, order: Any) -> Mapping[str, str]:
    return {key: getattr(order, key, "") for key in ("unit", "target")}


done_at_once = partial(at_once, about=_about, tell=tell_action)
