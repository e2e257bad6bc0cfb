"""Orders that several actions share, and the roles of the names in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from battletape.cards import Inputs, asked
from battletape.rulesets.attack_dice.battle.state import State

ANY_UNIT: str = asked("", role="unit")


class UnitOrder(Inputs, frozen=True):
    """An action of one unit."""

    unit: str = ANY_UNIT


class UnitAndTargetOrder(Inputs, frozen=True):
    """An action of one unit towards another."""

    unit: str = ANY_UNIT
    target: str = asked("", role="other unit")


def units(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Name every unit."""
    return (unit.name for unit in state.units)


def other_units(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Name every unit but the one that acts."""
    return (unit.name for unit in state.units if unit.name != named["unit"])


def own_units(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Name the units of the active side."""
    return (unit.name for unit in state.units if unit.side == state.active_side)


def weapons(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Name the weapons of the unit that acts."""
    return (weapon.name for weapon in state.unit(named["unit"]).weapons)


def enemies(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Name the living units of other sides."""
    return (unit.name for unit in state.units if unit.side != state.active_side and not unit.is_gone)


ROLES = {"unit": units, "other unit": other_units, "own unit": own_units, "weapon": weapons, "enemy": enemies}
