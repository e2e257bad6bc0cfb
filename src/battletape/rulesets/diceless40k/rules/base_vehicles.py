"""Rules of the base game for vehicles that Diceless leaves alone: speeds, weapons and passengers that may fire, rams.

The rules are those of `vehicles5`, and this is the only chapter that asks them; what they refuse is told as a rule of
the base game.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from battletape.rulebook import Refused, clause, replace
from battletape.rulebook import inches as inches_text
from battletape.rulesets.diceless40k.rules.damage_rows import DamageSheet, refuse_drive
from battletape.rulesets.diceless40k.rules.vehicles import Speed, speed_for_firers
from battletape.rulesets.vehicles5.rules import ramming, terrain
from battletape.rulesets.vehicles5.rules.damage import UNDAMAGED, Condition
from battletape.rulesets.vehicles5.rules.firing import fire_mode, refuse_weapons_together
from battletape.rulesets.vehicles5.rules.movement import Situation, band_of_distance, max_inches
from battletape.rulesets.vehicles5.rules.traits import Band, Traits
from battletape.rulesets.vehicles5.rules.transports import refuse_passenger_fire, shooters
from battletape.rulesets.vehicles5.rules.walkers import refuse_walker
from battletape.table.points import TOLERANCE

BANDS: dict[Speed, Band] = {
    "immobile": "stationary",
    "combat": "combat",
    "cruising": "cruising",
    "flat_out": "flat_out",
}


SQUADRON_COHERENCY = 4  # inches
WRECK_COVER = terrain.WRECK_COVER
"""The cover save behind a wreck, or behind a vehicle that hides others."""


def traits_of(types: Collection[str]) -> Traits:
    """Return the kinds of a vehicle's profile, as the base game's rules ask for them."""
    kinds = {kind: kind in types for kind in Traits.__struct_fields__}
    return Traits(**kinds)


@clause("DL-0.1", "DL-60.2")
def speed_of_move(types: Collection[str], inches: float, on_road: bool = False) -> Speed | Refused:
    """Return the speed of a vehicle after so many inches, or why it cannot go so far."""
    driven = band_of_distance(inches, traits_of(types), on_road)
    if not isinstance(driven, Refused):
        return speed_for_firers(driven)
    rounded = band_of_distance(float(f"{inches:.4g}"), traits_of(types), on_road)  # told as people measure
    return _as_base_rule(rounded if isinstance(rounded, Refused) else driven)


@clause("DL-0.1")
def most_inches(types: Collection[str], on_road: bool = False) -> float:
    """Return how far a vehicle goes at its top speed."""
    return max_inches(traits_of(types), on_road)


@clause("DL-0.1")
def refuse_apart(name: str, squadron: str, before: float, after: float, waiting: float | None = None) -> Refused | None:
    """Refuse to drive a vehicle away from its squadron, unless it stays near or comes nearer.

    `waiting` is how far another one that has yet to drive can follow it.
    """
    most = SQUADRON_COHERENCY + (waiting or 0)
    if after <= most + TOLERANCE or after < before - TOLERANCE:
        return None
    text = f"{name} would be {inches_text(after)} from the rest of {squadron}"
    less = "" if waiting is None else f", which can follow it {inches_text(waiting)}"
    return Refused(f"{text}{less}; a squadron stays within {SQUADRON_COHERENCY} inches", "DL-0.1", "squadron")


@clause("DL-0.1", "DL-60.2")
def refuse_move(types: Collection[str], damage: DamageSheet, inches: float, on_road: bool = False) -> Refused | None:
    """Refuse a vehicle's move of more inches than its types and damage allow."""
    if inches and (refused := refuse_drive(damage)) is not None:
        return refused
    speed = speed_of_move(types, inches, on_road)
    return speed if isinstance(speed, Refused) else None


@clause("DL-0.1", "DL-60.4")
def refuse_weapons(
    types: Collection[str],
    speed: Speed,
    weapons: Sequence[tuple[int, bool]],
    *,
    smoke: bool = False,
    rammed: bool = False,
    ran: bool = False,
) -> Refused | None:
    """Refuse weapons, each a Strength and whether it is ordnance, that may not fire together at this speed."""
    now = Situation(
        traits_of(types),
        UNDAMAGED,
        band=BANDS[speed],
        declared="ram" if rammed else "normal",
        smoke_this_turn=smoke,
        ran=ran,
        given_phase="shooting",
    )
    refused = refuse_weapons_together(fire_mode(now), weapons)
    return None if refused is None else _as_base_rule(refused)


@clause("DL-0.1")
def passengers_who_fire(
    types: Collection[str],
    damage: DamageSheet,
    speed: Speed,
    passengers: int,
    fire_points: int = 0,
    *,
    smoke: bool = False,
) -> int | Refused:
    """Return how many passengers may fire out of a vehicle, at a target of their own, or why none may.

    Without a roof all of them may; else as many as it has fire points; none above combat speed.
    """
    if damage.destroyed:
        return Refused("nobody is inside a wreck", "DL-60.23", "destroyed")
    now = Situation(
        traits_of(types),
        Condition(shaken=damage.shaken, stunned=damage.stunned),
        band=BANDS[speed],
        smoke_this_turn=smoke,
        passengers=passengers,
        fire_points=fire_points,
        given_phase="shooting",
    )
    now = replace(now, rulings=replace(now.rulings, passenger_fire_max_band="combat"))
    if (refused := refuse_passenger_fire(now)) is not None:
        return _as_base_rule(refused)
    return shooters(now)[0]


@clause("DL-0.1", "DL-40.1")
def may_sweep(damage: DamageSheet) -> bool:
    """Return whether a walker pursues beaten enemies; a stunned or immobilised one does not."""
    now = Condition(stunned=damage.stunned, immobilised=damage.immobilised)
    return refuse_walker("sweeping_advance", condition=now) is None


@clause("DL-69.1")
def ram_strength(av: int, tank: bool, inches: float) -> int:
    """Return how hard a vehicle hits in a ram: armour over 10, full 3 inches driven, and 1 for a tank; 10 at most."""
    return ramming.ram_strength(av, tank, inches)


def _as_base_rule(refused: Refused) -> Refused:
    return Refused(refused.reason, "DL-0.1", refused.kind)
