"""What a player points at: a vehicle from above with its sides, a body with its places.

A ruleset says which inputs they stand for and what counts there, and draws nothing:

    Arcs(("guns", "facing"), lambda inputs, rulings, book: {"front": inputs.front, "side": inputs.side, …})
    Body(armour_of, cover=cover_on, chances=hit_chances, hidden="hidden", material="cover", aimed="called")

The page draws them (`views.outlines`), and beside every choice it writes what the answer would become.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from msgspec import Struct, field

from battletape.table.facings import Facing

Shape: TypeAlias = Literal["tank", "walker", "skimmer"]
"""What a vehicle looks like from above, as far as it matters."""
Spot: TypeAlias = Literal["head", "right_arm", "left_arm", "body", "right_leg", "left_leg"]
"""A place of a body."""
SPOTS: tuple[Spot, ...] = ("head", "right_arm", "left_arm", "body", "right_leg", "left_leg")


def a_tank(inputs: Any) -> Shape:
    """Return what a vehicle looks like if nothing else is known."""
    return "tank"


def one_attack(inputs: Any, facing: Facing) -> int:
    """Return a single arrow at the side that is met."""
    return 1


class Arcs(Struct, frozen=True):
    """A vehicle from above: the input that says which side is met, and the armour of each side.

    `facing` is the path of the input; in a list it stands in every entry, and the picture sets all of them together.
    """

    facing: tuple[str, ...]
    armour: Callable[
        [Any, Any, Any], Mapping[Facing, int] | None
    ]  # (inputs, rulings, profiles) -> by facing, or nothing
    shape: Callable[[Any], Shape] = a_tank
    attacks: Callable[[Any, Facing], int] = one_attack  # (inputs, side) -> how many guns or blows meet it, as arrows


def nowhere(inputs: Any, rulings: Any) -> Mapping[Spot, Any]:
    """Return nothing: no place is known."""
    return {}


class Body(Struct, frozen=True):
    """A body from the front: the armour of its places, the cover in front of them, and the chance that each is hit.

    Of `hidden` (the input that lists the places behind the cover) nothing named means all of them, once there is cover.
    """

    armour: Callable[[Any, Any], Mapping[Spot, int]]  # (inputs, rulings) -> by place
    cover: Callable[[Any, Any], Mapping[Spot, int]] = nowhere
    chances: Callable[[Any, Any], Mapping[Spot, Fraction]] = nowhere
    hidden: str = ""
    material: str = ""  # the input that says what the cover is
    usual: str = ""  # what it is if a player only points at a place
    aimed: str = ""  # the input that names the place aimed at
    aimed_with: Mapping[str, str] = field(default_factory=dict)  # what has to be so besides: {"mode": "single"}


Outline: TypeAlias = Arcs | Body
