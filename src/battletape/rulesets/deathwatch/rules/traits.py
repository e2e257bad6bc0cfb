"""Words of the rules and small records that all chapters share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

from battletape.rulebook import State

Spot: TypeAlias = Literal["head", "right_arm", "left_arm", "body", "right_leg", "left_leg"]
"""One of the six places of a body, with its side."""
Place: TypeAlias = Literal["head", "arm", "body", "leg"]
"""One of the four kinds of place, which armour and critical tables know."""
Mode: TypeAlias = Literal["single", "semi", "full"]
Aim: TypeAlias = Literal["none", "half", "full"]
Band: TypeAlias = Literal["point_blank", "short", "normal", "long", "extreme"]
DamageType: TypeAlias = Literal["E", "X", "I", "R"]
Grade: TypeAlias = Literal["poor", "common", "good", "best"]
Size: TypeAlias = Literal[
    "Minuscule", "Puny", "Scrawny", "Average", "Hulking", "Enormous", "Massive", "Immense", "Monumental", "Titanic"
]

SPOTS: tuple[Spot, ...] = ("head", "right_arm", "left_arm", "body", "right_leg", "left_leg")
PLACES: tuple[Place, ...] = ("head", "arm", "body", "leg")
MODES: tuple[Mode, ...] = ("single", "semi", "full")
DEAD = -100
"""Health of the dead; less by the critical row that killed."""

_PLACE_OF: dict[str, Place] = {spot: place for place in PLACES for spot in (*SPOTS, place) if spot.endswith(place)}
place_of: Callable[[str], Place] = _PLACE_OF.__getitem__
"""The kind of place a spot is; a place is itself."""


class Modifier(State, frozen=True):
    """A modifier of a test: its source, how much it adds, and the clause that says so."""

    source: str
    value: int
    clause: str = ""


class Degrees(NamedTuple):
    """How a test went: passed or not, and by how many degrees."""

    success: bool
    degrees: int


class Qualities(State, frozen=True):
    """The qualities of a weapon that other rules ask for by name: a flag or a number each, nothing by default."""

    balanced: bool = False
    blast: int = 0
    defensive: bool = False
    devastating: int = 0
    flame: bool = False
    gyro_stabilised: bool = False
    haywire: int = 0
    overheats: bool = False
    power_field: bool = False
    primitive: bool = False
    recharge: bool = False
    smoke: bool = False
    twin_linked: bool = False
    unbalanced: bool = False
    unwieldy: bool = False
    special: bool = False
