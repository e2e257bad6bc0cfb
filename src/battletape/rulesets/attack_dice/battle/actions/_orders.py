"""What the actions share that are done at once: an order of one unit or two, and every way to give it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from battletape.inputs import Inputs
from battletape.rulesets.attack_dice.battle.log import tell_action
from battletape.rulesets.attack_dice.battle.state import Field
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
    return lambda field: (order(unit=one.name) for one in field.squads)


def each_pair(field: Field) -> Iterable[TwoUnits]:
    """Every unit towards every other."""
    pairs = ((one, other) for one in field.squads for other in field.squads if one.name != other.name)
    return (TwoUnits(unit=one.name, target=other.name) for one, other in pairs)


def _about(field: Field, order: Any) -> Mapping[str, str]:
    return {key: getattr(order, key, "") for key in ("unit", "target")}


done_at_once = partial(at_once, about=_about, tell=tell_action)
