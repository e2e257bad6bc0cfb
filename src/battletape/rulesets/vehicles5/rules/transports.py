"""Transports: how units get in and out, what follows, and how many passengers may shoot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, TypeVar

from battletape.rulebook import Refused, State, clause, listed, plain, plural, replace
from battletape.rulesets.vehicles5.rules import movement
from battletape.rulesets.vehicles5.rules.movement import (
    Situation,
    refuse_move,
    refuse_passengers_in_smoke,
    refuse_phase,
)
from battletape.rulesets.vehicles5.rules.traits import BANDS, Band, Traits
from battletape.rulesets.vehicles5.rules.troops import ENEMY_GAP, refuse_standing
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.tables.printed import AFTER_EXIT
from battletape.table import areas, bases, hulls
from battletape.table.distances import Thing, gap
from battletape.table.places import ACCESS, KeepOff, access_points, find_room, is_at_access

T = TypeVar("T")
Placement: TypeAlias = Literal["access", "hull", "emergency", "none"]
Solid: TypeAlias = bases.Base | hulls.Hull | areas.Area  # that no model can stand on


class BoardingUnit(State, frozen=True):
    """A unit that may board, and whether it got out of a vehicle this turn."""

    kind: str
    models: int
    got_out: bool = False


class Exit(State, frozen=True):
    """The actions left this turn to a unit that got out, and to its vehicle."""

    may_move: bool
    may_shoot: bool
    may_assault: bool
    counts_as_moving: bool
    vehicle_may_move: bool
    emergency: bool
    vehicle_may_turn: bool = True

    @property
    def allowed_actions(self) -> list[str]:
        """List what the unit may do."""
        allowed = {"move": self.may_move, "shoot": self.may_shoot, "assault": self.may_assault}
        return [action for action, may in allowed.items() if may]


class Room(State, frozen=True):
    """Places for a unit that gets out, and the kind of exit that they allow."""

    placement: Placement
    places: tuple[bases.Base, ...]


@clause("V5-TRAN-5", "V5-TRAN-4", "V5-FAST-5", "V5-OPEN-2")
def refuse_embark(
    situation: Situation, unit: BoardingUnit, capacity: int, in_reach: int, then_moves: Band | None = None
) -> Refused | None:
    """Refuse a unit that may not board, with so many of its models in reach of an entrance."""
    refused = _refuse_passage("board", situation, then_moves)
    if refused is None and unit.got_out and unit.kind == "infantry":
        refused = Refused("a unit that got out this turn may not board as well", "V5-TRAN-4", "left")
    refused = refused or refuse_load(unit, capacity, situation.passengers, situation.rulings)
    if refused is None and in_reach < unit.models:
        at, by = entrance_choice(situation.traits, ("an access point", "V5-TRAN-5"), ("its hull", "V5-OPEN-2"))
        reason = f"all {unit.models} models must be within {ACCESS:g} inches of {at}; {in_reach} are"
        return Refused(reason, by, "reach")
    return refused


@clause("V5-TRAN-1", "V5-TRAN-2")
def refuse_load(unit: BoardingUnit, capacity: int, aboard: int = 0, rulings: Rulings = DEFAULT) -> Refused | None:
    """Refuse a unit that may not ride beside the models aboard."""
    if unit.kind != "infantry":
        reason = f"only infantry without jump packs may ride; this unit is {plain(unit.kind)}"
        return Refused(reason, "V5-TRAN-1", "type")
    if aboard and rulings.one_unit_per_transport:
        return Refused("there is a unit aboard, and a transport takes one at a time", "V5-TRAN-2", "aboard")
    return refuse_crowd(unit.models, capacity, aboard)


@clause("V5-TRAN-1")
def refuse_crowd(models: int, capacity: int, aboard: int = 0) -> Refused | None:
    """Refuse more models than a vehicle carries."""
    if aboard + models <= capacity:
        return None
    there = f" beside the {aboard} aboard" if aboard else ""
    vehicle = f"a vehicle with room for {capacity}" if capacity else "a vehicle that carries no unit"
    return Refused(f"{plural(models, 'model')}{there} cannot ride in {vehicle}", "V5-TRAN-1", "capacity")


@clause("V5-TRAN-6", "V5-TRAN-4", "V5-TRAN-7", "V5-TRAN-8", "V5-TRAN-9", "V5-OPEN-2", "V5-OPEN-3", "V5-FAST-5")
def exit_by_choice(
    situation: Situation, placement: Placement = "access", then_moves: Band | None = None
) -> Exit | Refused:
    """Return what follows if a unit gets out now by choice, or a refusal."""
    refused = _refuse_passage("get out", situation, then_moves)
    if refused is not None:
        return refused
    if situation.boarded:
        return Refused("a unit that boarded this turn may not get out as well", "V5-TRAN-4", "boarded")
    if placement == "none":
        reason = f"there is no room within {ACCESS:g} inches of the hull, and no unit gets out by choice without it"
        return Refused(reason, "V5-TRAN-7", "room")
    if placement == "hull" and entrance_choice(situation.traits, "access", "hull") != placement:
        reason = f"models are set up within {ACCESS:g} inches of access points; at any part of the hull only where it"
        return Refused(f"{reason} is open-topped, or in an emergency", "V5-TRAN-6", "access")
    refused = movement.refuse_driving_on(situation.moved and then_moves not in (None, "stationary"))
    return refused or exit_from(situation, situation.moved, placement == "emergency")


@clause("V5-TRAN-8", "V5-TRAN-9", "V5-TRAN-7", "V5-OPEN-3")
def exit_from(situation: Situation, moved: bool, emergency: bool) -> Exit:
    """Return the row of the printed table for this way out."""
    usual = "not_moved"
    if moved:
        usual = "moved_open_topped" if situation.traits.open_topped else "moved"
    free = bool(AFTER_EXIT[usual][-1])
    moves, shoots, assaults, counts, _ = AFTER_EXIT["emergency" if emergency else usual]
    drives = free and refuse_move("move", situation.traits, situation.condition, situation.rulings) is None
    turns = free and refuse_move("pivot", situation.traits, situation.condition, situation.rulings) is None
    return Exit(moves, shoots, assaults, counts, drives, emergency, turns)


@clause("V5-TRAN-8", "V5-TRAN-7", "V5-OPEN-3")
def refuse_after_exit(action: str, name: str, how_left: Exit | None) -> Refused | None:
    """Refuse an action that a unit may not do in the turn in which it got out like this."""
    if how_left is None or action in how_left.allowed_actions:
        return None
    if how_left.emergency:
        return Refused(f"{name} got out in an emergency and does nothing more this turn", "V5-TRAN-7", "exit")
    reason = f"{name} got out of a vehicle that had moved, and may only {listed(how_left.allowed_actions)}"
    return Refused(reason, "V5-TRAN-8", "exit")


def exit_clause(situation: Situation, way: Exit) -> str:
    """Return the clause that lets passengers out like this."""
    if way.emergency:
        return "V5-TRAN-7"
    if not situation.moved:
        return "V5-TRAN-9"
    return "V5-OPEN-3" if situation.traits.open_topped else "V5-TRAN-8"


def _refuse_passage(what: str, situation: Situation, then_moves: Band | None) -> Refused | None:
    if situation.condition.is_destroyed:
        reason = f"no unit may {what} by choice once the vehicle is {situation.condition.status}"
        return Refused(reason, situation.condition.ended_by, "destroyed")
    refused = refuse_phase(f"units {what}", situation.phase, "movement", by="V5-TRAN-4")
    if refused is None and situation.band == "flat_out":
        return Refused(f"no unit may {what} once the vehicle has gone flat out", "V5-FAST-5", "flat_out")
    return refused or movement.refuse_flat_out(replace(situation, unit_got_in_or_out=True), then_moves)


@clause("V5-TRAN-3", "V5-OPEN-1")
def shooters(situation: Situation) -> tuple[int, bool]:
    """Return how many passengers may shoot, and whether they count as moving."""
    count = _max_shooters(situation) if refuse_passenger_fire(situation) is None else 0
    return count, situation.moved and situation.passengers > 0


def _max_shooters(situation: Situation) -> int:
    return situation.passengers if situation.traits.open_topped else min(situation.passengers, situation.fire_points)


@clause("V5-TRAN-3", "V5-OPEN-1", "V5-SMOKE-2", "V5-DMG-1", "V5-DMG-2")
def refuse_passenger_fire(situation: Situation, named: int = 0) -> Refused | None:
    """Refuse fire by passengers, or by as many as were named."""
    condition = situation.condition
    most = situation.rulings.passenger_fire_max_band
    if condition.is_destroyed:
        return Refused(f"no unit is inside once a vehicle is {condition.status}", condition.ended_by, "destroyed")
    if condition.dazed is not None:
        word, by = condition.dazed
        return Refused(f"no passengers shoot out of a {word} vehicle", by, word)
    if not situation.fire_points and not situation.traits.open_topped:
        return Refused("this vehicle has no fire points; an open-topped one needs none", "V5-TRAN-3", "fire_points")
    if most is not None and BANDS.index(situation.band) > BANDS.index(most):
        speeds = plain(f"at {most} speed at most; this one goes {situation.band}")
        return Refused(f"passengers shoot {speeds}, by the ruling passenger_fire_max_band", "V5-TRAN-3", "speed")
    refused = refuse_passengers_in_smoke(situation.smoke_this_turn, situation.rulings)
    if refused is None and named > _max_shooters(situation):
        may = plural(_max_shooters(situation), "passenger")
        return Refused(f"{may} may shoot out of {situation.name}; {named} were named", "V5-TRAN-3", "points")
    return refused


@clause("V5-TRAN-3", "V5-OPEN-1")
def range_from_inside(hull: hulls.Hull, target: Thing) -> float:
    """Return how far passengers have to shoot, from the hull."""
    return gap(hull, target)


@clause("V5-OPEN-2", "V5-TRAN-4", "V5-TRAN-5")
def entrance_choice(traits: Traits, at_access: T, at_hull: T) -> T:
    """Return the value for access points, or for an open hull that needs none."""
    return at_hull if traits.open_topped else at_access


def entrances(traits: Traits, hull: hulls.Hull, doors: Sequence[tuple[float, float]]) -> tuple[Thing, ...]:
    """Return where passengers get in and out; `doors` are inches ahead and to the right."""
    return entrance_choice(traits, access_points(hull, doors), (hull,))


@clause("V5-TRAN-5")
def count_in_reach(models: Sequence[bases.Base], at: Sequence[Thing]) -> int:
    """Count the models that stand close enough to board."""
    return sum(is_at_access(model, at) for model in models)


@clause("V5-TRAN-6", "V5-TRAN-7", "V5-CORE-17", "V5-CORE-19")
def refuse_places(
    models: Sequence[bases.Base], at: Sequence[Thing], in_the_way: Sequence[Solid] = (), enemies: Sequence[Solid] = ()
) -> Refused | None:
    """Refuse places where models that get out may not be set up."""
    for number, model in enumerate(models, 1):
        if not is_at_access(model, at):
            away = min((gap(model, place) for place in at), default=0.0)
            reason = f"model {number} is {away:.2f} inches from the way out; {ACCESS:g} would do"
            return Refused(reason, "V5-TRAN-6", "reach")
    return refuse_standing(models, in_the_way, enemies, by="V5-TRAN-6")


@clause("V5-TRAN-6", "V5-TRAN-7", "V5-OPEN-2")
def find_places(
    traits: Traits,
    hull: hulls.Hull,
    doors: Sequence[tuple[float, float]],
    models: int,
    radius: float,
    in_the_way: Sequence[Solid] = (),
    enemies: Sequence[Solid] = (),
) -> Room:
    """Find places for a unit that gets out, at the entrances or else about the hull."""
    keep_off = [*map(KeepOff, (hull, *in_the_way)), *(KeepOff(enemy, ENEMY_GAP) for enemy in enemies)]
    places = find_room(models, radius, entrances(traits, hull, doors), keep_off)
    if len(places) == models:
        return Room(entrance_choice(traits, "access", "hull"), places)
    places = max(places, find_room(models, radius, (hull,), keep_off), key=len)
    return Room("emergency" if len(places) == models else "none", places)
