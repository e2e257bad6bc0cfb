"""What orders share: the units that they name, and what each of them may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from battletape.cards import Inputs, Role, asked
from battletape.rulesets.vehicles5.battle.state import BattleUnit, Squad, State, U, Vehicle

DISTANCE: float = asked(0.0, clause="V5-MOVE-2", unit="inches", ge=0, le=240)
OWN_VEHICLE: str = asked("", role="vehicle")
OWN_TANK: str = asked("", role="tank")
ENEMY: str = asked("", role="enemy")


class UnitOrder(Inputs, frozen=True):
    """Something that one vehicle or squad does."""

    unit: str = ""


class VehicleOrder(Inputs, frozen=True):
    """Something that one vehicle does."""

    unit: str = OWN_VEHICLE


def mine(state: State, kind: type[U]) -> Sequence[U]:
    """Return the units of this kind on the active side."""
    return [unit for unit in state.units if isinstance(unit, kind) and unit.side == state.active and not unit.is_gone]


def enemies(state: State) -> Sequence[BattleUnit]:
    """Return the units of the other side that stand on the table."""
    return [unit for unit in state.on_table() if unit.side != state.active]


def _own(kind: type[U], fits: Callable[[U], bool] = lambda unit: True) -> Role:
    return lambda state, named: (unit.name for unit in mine(state, kind) if fits(unit))


ROLES: dict[str, Role] = {
    "vehicle": _own(Vehicle),
    "tank": _own(Vehicle, lambda vehicle: vehicle.traits.tank),
    "squad": _own(Squad),
    "enemy": lambda state, named: (unit.name for unit in enemies(state)),
    "enemy vehicle": lambda state, named: (unit.name for unit in enemies(state) if isinstance(unit, Vehicle)),
}
