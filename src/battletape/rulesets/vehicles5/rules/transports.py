"""Transports: who may get in and out, what they may do afterwards, and who may shoot from inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.vehicles5.rules.movement import refuse_move
from battletape.rulesets.vehicles5.rules.smoke import refuse_passengers_in_smoke
from battletape.rulesets.vehicles5.rules.traits import BANDS, Band, Phase, State, Traits
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.tables.printed import AFTER_EXIT
from battletape.table.areas import Area
from battletape.table.bases import Base
from battletape.table.distances import Thing, gap, is_coherent
from battletape.table.hulls import Hull
from battletape.table.places import ACCESS, CLEAR, KeepOff, access_points, find_room, is_at_access, is_place
from battletape.words import plural

Placement: TypeAlias = Literal["access", "hull", "emergency", "none"]
"""Where a unit that gets out is set up: at access points, anywhere at an open hull, in an emergency, or nowhere."""
Solid: TypeAlias = Base | Hull | Area
"""What nobody can stand on."""


class Exit(Struct, frozen=True):
    """What a unit that got out may do this turn, and what its vehicle may still do."""

    may_move: bool
    may_shoot: bool
    may_assault: bool
    counts_as_moving: bool
    vehicle_may_move: bool
    emergency: bool
    vehicle_may_turn: bool = True


class Room(Struct, frozen=True):
    """Places for a unit that gets out, and what way out they are."""

    placement: Placement
    places: tuple[Base, ...]


# --- getting in -----------------------------------------------------------------------------------------------------


@clause("V5-TRAN-5", "V5-TRAN-1", "V5-TRAN-2", "V5-TRAN-4", "V5-FAST-5", "V5-OPEN-2")
def refuse_embark(
    unit_type: str,
    models: int,
    capacity: int,
    aboard: int,
    in_reach: int,
    traits: Traits = Traits(),
    band_so_far: Band = "stationary",
    disembarked_this_turn: bool = False,
    phase: Phase = "movement",
    state: State = State(),
    rules: Rulings = DEFAULT,
    then_moves: Band | None = None,
) -> Refused | None:
    """Why a unit may not board, with so many models aboard already and so many of its own in reach of an entrance."""
    refused = _refuse_passage("board", band_so_far, phase, state, then_moves, rules)
    if refused is not None:
        return refused
    if disembarked_this_turn and unit_type == "infantry":
        return Refused("a unit that got out this turn may not board as well", "V5-TRAN-4", "left")
    refused = refuse_load(unit_type, aboard, rules)
    if refused is not None:
        return refused
    if aboard + models > capacity:
        there = f" beside the {aboard} aboard" if aboard else ""
        reason = f"{models} models{there} are more than the {capacity} this vehicle holds"
        return Refused(reason, "V5-TRAN-1", "capacity")
    if in_reach < models:
        at, by = ("its hull", "V5-OPEN-2") if traits.open_topped else ("an access point", "V5-TRAN-5")
        reason = f"all {models} models must be within {ACCESS:g} inches of {at}; {in_reach} are"
        return Refused(reason, by, "reach")
    return None


@clause("V5-TRAN-1", "V5-TRAN-2")
def refuse_load(unit_type: str, aboard: int, rules: Rulings = DEFAULT) -> Refused | None:
    """Why a unit may not ride beside so many models that are aboard already."""
    if unit_type != "infantry":
        kind = unit_type.replace("_", " ")
        return Refused(f"only infantry without jump packs may ride; this unit is {kind}", "V5-TRAN-1", "type")
    if aboard and rules.one_unit_per_transport:
        return Refused("there is a unit aboard, and a transport takes one at a time", "V5-TRAN-2", "aboard")
    return None


@clause("V5-TRAN-1")
def refuse_crowd(passengers: int, capacity: int) -> Refused | None:
    """Why so many cannot ride in a vehicle."""
    if passengers <= capacity:
        return None
    if not capacity:
        return Refused(f"{plural(passengers, 'passenger')} in a vehicle that carries nobody", "V5-TRAN-1", "capacity")
    return Refused(f"{passengers} passengers are more than the {capacity} this vehicle holds", "V5-TRAN-1", "capacity")


@clause("V5-OPEN-2", "V5-TRAN-5")
def models_in_reach(traits: Traits, at_access: int, at_hull: int) -> int:
    """How many models can board: those at access points, or at any part of the hull where there is no roof."""
    return max(at_access, at_hull) if traits.open_topped else at_access


@clause("V5-TRAN-5", "V5-DMG-4")
def may_move_after_boarding(state: State, has_moved: bool, rules: Rulings = DEFAULT) -> bool:
    """Whether a vehicle may drive off with those who have just boarded."""
    return not has_moved and refuse_move("move", Traits(), state, rules) is None


# --- getting out ----------------------------------------------------------------------------------------------------


@clause("V5-TRAN-6", "V5-TRAN-4", "V5-TRAN-7", "V5-TRAN-8", "V5-TRAN-9", "V5-OPEN-2", "V5-OPEN-3", "V5-FAST-5")
def leave(
    traits: Traits,
    has_moved: bool,
    band_so_far: Band,
    state: State = State(),
    embarked_this_turn: bool = False,
    placement: Placement = "access",
    phase: Phase = "movement",
    then_moves: Band | None = None,
    rules: Rulings = DEFAULT,
) -> Exit | Refused:
    """What follows if a unit gets out now by choice, or why it may not; turning on the spot is no move."""
    refused = _refuse_passage("get out", band_so_far, phase, state, then_moves, rules)
    if refused is not None:
        return refused
    if embarked_this_turn:
        return Refused("a unit that boarded this turn may not get out as well", "V5-TRAN-4", "boarded")
    if placement == "none":
        reason = f"there is no room within {ACCESS:g} inches of the hull, and nobody gets out by choice without it"
        return Refused(reason, "V5-TRAN-7", "room")
    if placement == "hull" and not traits.open_topped:
        reason = f"models are set up within {ACCESS:g} inches of access points; at any part of the hull only where it"
        return Refused(f"{reason} is open-topped, or in an emergency", "V5-TRAN-6", "access")
    moved = has_moved or band_so_far != "stationary"
    if moved and then_moves not in (None, "stationary"):
        return Refused("a vehicle that moved stays where it is once a unit has got out", "V5-TRAN-8", "moved")
    return exit_from(traits, moved, state, placement == "emergency", rules)


@clause("V5-TRAN-8", "V5-TRAN-9", "V5-TRAN-7", "V5-OPEN-3")
def exit_from(traits: Traits, moved: bool, state: State, emergency: bool, rules: Rulings = DEFAULT) -> Exit:
    """The line of the table for this way out."""
    usual = ("moved_open_topped" if traits.open_topped else "moved") if moved else "not_moved"
    free = AFTER_EXIT[usual][-1]
    moves, shoots, assaults, counts, _ = AFTER_EXIT["emergency" if emergency else usual]
    drives, turns = (bool(free) and refuse_move(how, traits, state, rules) is None for how in ("move", "pivot"))
    return Exit(moves, shoots, assaults, counts, drives, emergency, turns)


def _refuse_passage(
    what: str, band_so_far: Band, phase: Phase, state: State, then_moves: Band | None, rules: Rulings
) -> Refused | None:
    """Why nobody may get in or out now."""
    if state.is_destroyed:
        by = "V5-DMG-5" if state.status == "wrecked" else "V5-DMG-6"
        return Refused(f"nobody may {what} by choice where the vehicle is {state.status}", by, "destroyed")
    if phase != "movement":
        return Refused(f"units {what} in the Movement phase; this is the {phase} phase", "V5-TRAN-4", "phase")
    if band_so_far == "flat_out":
        return Refused(f"nobody may {what} once the vehicle has gone flat out", "V5-FAST-5", "flat_out")
    if then_moves == "flat_out" and rules.flat_out_symmetric:
        reason = f"nobody may {what} before the vehicle goes flat out, by the ruling flat_out_symmetric"
        return Refused(reason, "V5-FAST-5", "flat_out")
    return None


# --- shooting from inside -------------------------------------------------------------------------------------------


@clause("V5-TRAN-3", "V5-OPEN-1")
def shooters(
    traits: Traits,
    fire_points: int,
    passengers: int,
    band: Band,
    state: State = State(),
    smoke: bool = False,
    rules: Rulings = DEFAULT,
) -> tuple[int, bool]:
    """How many passengers may shoot, at a target of their own, and whether they count as moving."""
    if refuse_passenger_fire(traits, fire_points, band, state, smoke, rules) is not None:
        return 0, band != "stationary"
    return (passengers if traits.open_topped else min(passengers, fire_points)), band != "stationary"


@clause("V5-TRAN-3", "V5-OPEN-1", "V5-SMOKE-2", "V5-DMG-1", "V5-DMG-2")
def refuse_passenger_fire(
    traits: Traits,
    fire_points: int,
    band: Band,
    state: State = State(),
    smoke: bool = False,
    rules: Rulings = DEFAULT,
) -> Refused | None:
    """Why no passenger may shoot."""
    if state.is_destroyed:
        by = "V5-DMG-5" if state.status == "wrecked" else "V5-DMG-6"
        return Refused(f"nobody is inside once a vehicle is {state.status}", by, "destroyed")
    if state.shaken or state.stunned:
        word, by = ("stunned", "V5-DMG-2") if state.stunned else ("shaken", "V5-DMG-1")
        return Refused(f"nobody shoots out of a {word} vehicle", by, word)
    if not fire_points and not traits.open_topped:
        return Refused("this vehicle has no fire points; an open-topped one needs none", "V5-TRAN-3", "fire_points")
    most = rules.passenger_fire_max_band
    if most is not None and BANDS.index(band) > BANDS.index(most):
        speeds = " ".join(f"at {most} speed at most; this one goes {band}".split("_"))
        return Refused(f"passengers shoot {speeds}, by the ruling passenger_fire_max_band", "V5-TRAN-3", "speed")
    return refuse_passengers_in_smoke(smoke, rules)


@clause("V5-TRAN-3", "V5-OPEN-1")
def range_from_inside(hull: Hull, target: Thing) -> float:
    """How far passengers have to shoot: measured from the hull, wherever they sit."""
    return gap(hull, target)


# --- on the table ---------------------------------------------------------------------------------------------------


@clause("V5-OPEN-2", "V5-TRAN-4")
def entrances(traits: Traits, hull: Hull, doors: Sequence[tuple[float, float]]) -> tuple[Thing, ...]:
    """Where passengers come and go: doors (inches ahead and to the right), or the whole hull if it is open-topped."""
    return (hull,) if traits.open_topped else access_points(hull, doors)


@clause("V5-TRAN-5")
def count_in_reach(models: Sequence[Base], at: Sequence[Thing]) -> int:
    """How many models stand close enough to board: the nearest part of a base within 2 inches."""
    return sum(is_at_access(one, at) for one in models)


@clause("V5-TRAN-6", "V5-TRAN-7", "V5-CORE-17", "V5-CORE-19")
def refuse_places(
    models: Sequence[Base], at: Sequence[Thing], in_the_way: Sequence[Solid] = (), enemies: Sequence[Solid] = ()
) -> Refused | None:
    """Why models may not be set up here: at the entrances, in an emergency at the hull, which is itself in the way."""
    for number, one in enumerate(models, 1):
        if not is_at_access(one, at):
            away = min((gap(one, place) for place in at), default=0.0)
            reason = f"model {number} is {away:.2f} inches from the way out; {ACCESS:g} would do"
            return Refused(reason, "V5-TRAN-6", "reach")
        others = [KeepOff(base) for base in models if base is not one]
        if not is_place(one, [*others, *_obstacles(in_the_way, ())]):
            return Refused(f"model {number} would stand on something else", "V5-TRAN-6", "room")
        if not is_place(one, _obstacles((), enemies)):
            reason = f"model {number} would stand within {CLEAR:g} inch of an enemy"
            return Refused(reason, "V5-CORE-19", "enemy")
    if not is_coherent(models):
        return Refused("every model must be within 2 inches of another of its unit", "V5-CORE-17", "coherency")
    return None


@clause("V5-TRAN-6", "V5-TRAN-7", "V5-OPEN-2")
def find_places(
    traits: Traits,
    hull: Hull,
    doors: Sequence[tuple[float, float]],
    models: int,
    radius: float,
    in_the_way: Sequence[Solid] = (),
    enemies: Sequence[Solid] = (),
) -> Room:
    """Places for a unit that gets out: at the entrances, else about the hull in an emergency, else none.

    A good packing but not always the fullest: players may find room where this finds none.
    """
    keep_off = [KeepOff(hull), *_obstacles(in_the_way, enemies)]
    places = find_room(models, radius, entrances(traits, hull, doors), keep_off)
    if len(places) == models:
        return Room("hull" if traits.open_topped else "access", places)
    places = max(places, find_room(models, radius, (hull,), keep_off), key=len)
    return Room("emergency" if len(places) == models else "none", places)


def _obstacles(in_the_way: Sequence[Solid], enemies: Sequence[Solid]) -> list[KeepOff]:
    return [*(KeepOff(one) for one in in_the_way), *(KeepOff(one, CLEAR) for one in enemies)]
