"""Vehicles from above: which side is met, and the armour there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from battletape.cards import ProfileBook
from battletape.rulesets.vehicles5.profiles.book import traits_of
from battletape.rulesets.vehicles5.rules import assault
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.table.facings import Facing
from battletape.table.outlines import Arcs, Shape

FACINGS: tuple[Facing, ...] = ("front", "side", "rear")


def _armour(inputs: Any, rulings: Rulings, book: ProfileBook, prefix: str = "") -> Mapping[Facing, int]:
    return {facing: getattr(inputs, prefix + facing) for facing in FACINGS}


def _assaulted(inputs: Any, rulings: Rulings, book: ProfileBook) -> Mapping[Facing, int] | None:
    """Return the armour of each facing if the ruling lets blows meet more than one."""
    met = {assault.facing_struck(traits_of(inputs.types), facing, rulings) for facing in FACINGS}
    return _armour(inputs, rulings, book) if len(met) > 1 else None


def _shape(inputs: Any, prefix: str = "") -> Shape:
    types = getattr(inputs, prefix + "types")
    return "walker" if "walker" in types else "skimmer" if "skimmer" in types else "tank"


def _guns_at(guns: Iterable[Any], facing: Facing) -> int:
    return sum(gun.models for gun in guns if gun.facing == facing)


SHOT_AT = (Arcs(("guns", "facing"), _armour, _shape, lambda inputs, facing: _guns_at(inputs.guns, facing)),)
SHOT_AT_IN_TURN = (
    Arcs(
        ("volleys", "guns", "facing"),
        _armour,
        _shape,
        lambda inputs, facing: max((_guns_at(volley.guns, facing) for volley in inputs.volleys), default=1),
    ),
)
ASSAULTED = (Arcs(("contact",), _assaulted, _shape),)
RAMMED = (Arcs(("target_struck",), partial(_armour, prefix="target_"), partial(_shape, prefix="target_")),)
