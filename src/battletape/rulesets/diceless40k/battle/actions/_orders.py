"""The fields that orders of a battle share, and the units that may stand for each role."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from battletape.cards import Inputs, asked
from battletape.rulesets.diceless40k.battle.state import BattleUnit, Squad, State, Vehicle
from battletape.rulesets.diceless40k.rules.characteristics import INDEPENDENT, POWERS, PSYKER
from battletape.rulesets.diceless40k.rules.weapons import PSYCHIC

OWN_UNIT: str = asked("", "Unit", role="own unit")
OWN_SQUAD: str = asked("", "Unit", role="own troop")
OWN_VEHICLE: str = asked("", "Which vehicle", role="own vehicle")
ENEMY: str = asked("", "Target", role="enemy")
ENEMY_SQUAD: str = asked("", "Target", role="enemy troop")
ENEMY_VEHICLE: str = asked("", "Target vehicle", role="enemy vehicle")


class SquadOrder(Inputs, frozen=True):
    """An action of one unit of models."""

    unit: str = OWN_SQUAD


class VehicleOrder(Inputs, frozen=True):
    """An action of one vehicle."""

    unit: str = OWN_VEHICLE


# --- roles ------------------------------------------------------------------------------------------------------------


@lru_cache(64)  # asked for every input of every action
def _units_left(state: State, mine: bool) -> tuple[BattleUnit, ...]:
    return tuple(state.units_left(state.active if mine else state.enemy_of(state.active)))


def own_units(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Return the units of the side whose turn it is."""
    return (unit.name for unit in _units_left(state, True))


def own_squads(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Return the squads of the side whose turn it is."""
    return (unit.name for unit in _units_left(state, True) if isinstance(unit, Squad))


def own_vehicles(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Return the vehicles of the side whose turn it is."""
    return (unit.name for unit in _units_left(state, True) if isinstance(unit, Vehicle))


def other_squads(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Return the squads of the side whose turn it is, without the one that acts."""
    return (name for name in own_squads(state, named) if name != named["unit"])


def enemies(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Return the units of the other side."""
    return (unit.name for unit in _units_left(state, False))


def enemy_squads(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Return the squads of the other side."""
    return (unit.name for unit in _units_left(state, False) if isinstance(unit, Squad))


def enemy_vehicles(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Return the vehicles of the other side."""
    return (unit.name for unit in _units_left(state, False) if isinstance(unit, Vehicle))


def characters(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Return the independent characters of the side whose turn it is."""
    return (
        squad.name for squad in _units_left(state, True) if isinstance(squad, Squad) and squad.groups_with(INDEPENDENT)
    )


def casters(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Return the psykers of the side whose turn it is."""
    return (squad.name for squad in _units_left(state, True) if isinstance(squad, Squad) and squad.groups_with(PSYKER))


def powers(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Return the powers of the psyker that acts."""
    psyker = state.squad(named["unit"])
    attacks = [weapon.name for weapon in psyker.arsenal if PSYCHIC in weapon.rules]
    return [*(power for power in POWERS if power in psyker.powers), *attacks]


def aims_of_power(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Return the targets that a power may be aimed at: enemies, or none where it needs no target."""
    power = named["power"]
    if power == "machine_curse":
        return enemy_vehicles(state, named)
    return ("",) if power in POWERS else enemies(state, named)


def groups(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Return the groups of the unit that is named."""
    unit = state.find(named["unit"])
    return [group.name for group in unit.groups if group.models] if isinstance(unit, Squad) else []


def all_squads(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Return every unit of models that is left."""
    return (squad.name for squad in state.squads if not state.is_gone(squad))


def all_vehicles(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Return every vehicle that is left."""
    return (vehicle.name for vehicle in state.vehicles if not state.is_gone(vehicle))


def all_units(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Return every unit and vehicle that is left."""
    return (unit.name for unit in state.units if not state.is_gone(unit))


def combats(state: State, named: Mapping[str, Any]) -> Iterable[str]:
    """Return a unit of each fight that is still to be fought."""
    first: dict[int, str] = {}
    for unit in state.units:
        if unit.combat and not unit.fought and not state.is_gone(unit):
            first.setdefault(unit.combat, unit.name)
    return first.values()


ROLES = {
    "own unit": own_units,
    "own troop": own_squads,
    "own vehicle": own_vehicles,
    "other troop": other_squads,
    "enemy": enemies,
    "enemy troop": enemy_squads,
    "enemy vehicle": enemy_vehicles,
    "character": characters,
    "psyker": casters,
    "power": powers,
    "aim of a power": aims_of_power,
    "group": groups,
    "any troop": all_squads,
    "any unit": all_units,
    "any vehicle": all_vehicles,
    "combat": combats,
}
