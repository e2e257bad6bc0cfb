"""What the orders of a battle share: the units and weapons that they name, and what each of them may be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from battletape.cards import Inputs, param
from battletape.rulesets.attack_dice.battle.state import State

ANY_UNIT: str = param("", role="unit")


class OneUnit(Inputs, frozen=True):
    """An action of one unit."""

    unit: str = ANY_UNIT


class TwoUnits(Inputs, frozen=True):
    """An action of one unit towards another."""

    unit: str = ANY_UNIT
    target: str = param("", role="other unit")


def units(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Every unit."""
    return (squad.name for squad in state.squads)


def other_units(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Every unit but the one that acts."""
    return (squad.name for squad in state.squads if squad.name != named["unit"])


def own_units(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """The units of the side whose turn it is."""
    return (squad.name for squad in state.squads if squad.side == state.active)


def weapons(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """The weapons of the unit that acts."""
    return (arm.name for arm in state.squad(named["unit"]).weapons)


def enemies(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """The units of other sides that have a model left."""
    return (squad.name for squad in state.squads if squad.side != state.active and not squad.is_gone)


ROLES = {"unit": units, "other unit": other_units, "own unit": own_units, "weapon": weapons, "enemy": enemies}
