"""Unit types: how far they move, charge and fall back, and what terrain does to them."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from battletape.clauses import clause
from battletape.errors import Refused, UnknownName

Ground: TypeAlias = Literal["slowed", "dangerous", "dangerous_at_ends"]
"""What difficult terrain is to a type: slow, dangerous all the way, or dangerous where a move starts or ends in it."""


class Gait(msgspec.Struct, frozen=True):
    """How a type of unit moves, in inches; who never falls back has no distance for it."""

    move: int
    assault: int
    fall_back: int | None
    difficult: Ground
    turbo: int | None = None  # instead of firing and assaulting


#                          move, assault, falls back, difficult terrain, turbo-boost
GAITS = {
    "infantry": Gait(6, 6, 7, "slowed"),
    "jump_infantry": Gait(12, 6, 10, "dangerous_at_ends"),
    "bike": Gait(12, 6, 10, "dangerous", 24),
    "jetbike": Gait(12, 6, 10, "dangerous_at_ends", 24),
    "beast": Gait(6, 12, 10, "slowed"),
    "cavalry": Gait(6, 12, 10, "slowed"),
    "monstrous_creature": Gait(6, 6, 7, "slowed"),
    "artillery": Gait(6, 6, 7, "slowed"),
    "walker": Gait(6, 6, None, "slowed"),
}


def gait_of(unit_type: str) -> Gait:
    """How units of this type move."""
    gait = GAITS.get(unit_type)
    if gait is None:
        raise UnknownName("unit type", unit_type, GAITS)
    return gait


@clause("DL-45.1", "DL-52.1", "DL-53.1", "DL-54.1")
def fall_back_inches(unit_type: str) -> int:
    """How far a unit falls back: 7 inches, and 10 if it jumps, rides or runs on more than two legs."""
    inches = gait_of(unit_type).fall_back
    if inches is None:
        raise Refused(f"a unit of this type ({unit_type}) never falls back", "DL-45.1")
    return inches


@clause("DL-14.1", "DL-14.2")
def terrain_for(unit_type: str, starts_or_ends_inside: bool, is_dangerous: bool = False) -> tuple[bool, bool]:
    """Whether difficult (or dangerous) terrain on its way slows a unit down, and whether it hurts it."""
    ground = gait_of(unit_type).difficult
    slows = ground == "slowed"
    touched = ground != "dangerous_at_ends" or starts_or_ends_inside
    return slows, touched and (is_dangerous or not slows)
