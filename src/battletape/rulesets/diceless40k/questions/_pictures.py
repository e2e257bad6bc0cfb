"""Vehicles from above: the armour of each side of a named profile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from battletape.cards import ProfileBook
from battletape.rulesets.diceless40k.profiles.types import VehicleProfile
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.table.facings import Facing
from battletape.table.outlines import Arcs


def _armour_of(named: str, met: str, armour: str) -> Callable[[Any, Rulings, ProfileBook], Mapping[Facing, int] | None]:
    """Return the armour of the profile, and at the facing that is met the counting number; none without a profile."""

    def sides(inputs: Any, rulings: Rulings, book: ProfileBook) -> Mapping[Facing, int] | None:
        if not getattr(inputs, named):
            return None
        vehicle: VehicleProfile = book.find("vehicle", getattr(inputs, named))
        sides: dict[Facing, int] = {"front": vehicle.front, "side": vehicle.side, "rear": vehicle.rear}
        return {**sides, getattr(inputs, met): getattr(inputs, armour)}

    return sides


SHOT_AT = (
    Arcs(
        ("facing",),
        _armour_of("vehicle", "facing", "av"),
        attacks=lambda inputs, facing: sum(gun.weapons for gun in inputs.guns),
    ),
)
RAMMED = (Arcs(("struck",), _armour_of("target", "struck", "target_av")),)
