"""How a battle is set up: a table, the ground on it, and two sides with their vehicles and squads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import ceil
from typing import Any, ClassVar

from battletape.cards import Inputs, ProfileBook, asked, pick_fields, written_out
from battletape.field import setup
from battletape.field.clock import Clock
from battletape.field.state import ABOARD, Position
from battletape.rulebook import BadInput, clause, find_keywords
from battletape.rulesets.vehicles5.battle.state import MountedWeapon, Squad, State, TerrainPiece, Vehicle
from battletape.rulesets.vehicles5.profiles.book import label_of, labels, modes, traits_of, ways_to_fire
from battletape.rulesets.vehicles5.profiles.types import UnitProfile, VehicleProfile, WeaponProfile
from battletape.rulesets.vehicles5.rules import damage, geometry, terrain, transports
from battletape.rulesets.vehicles5.rules.keywords import KEYWORDS
from battletape.rulesets.vehicles5.rules.traits import PHASES
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.table.bases import Base
from battletape.table.hulls import Hull
from battletape.table.points import Point


class VehicleStart(VehicleProfile, frozen=True):
    """A vehicle at the start: by the name of a profile, or with numbers of its own."""

    profile: str = ""
    x: setup.Place = 0.0
    y: setup.Place = 0.0
    heading: setup.Heading = 0.0
    arsenal: tuple[WeaponProfile, ...] = ()


class SquadStart(UnitProfile, setup.Placement, frozen=True):
    """A squad at the start, in a formation or with a place for each model; passengers need no place."""

    unwritten: ClassVar[tuple[str, ...]] = ("formation", "spacing", "spots")

    profile: str = ""
    aboard: str = asked("", "Rides in")
    arsenal: tuple[WeaponProfile, ...] = ()


class SideStart(Inputs, frozen=True):
    """A side."""

    name: str = ""
    machines: tuple[VehicleStart, ...] = ()
    squads: tuple[SquadStart, ...] = ()


class GroundStart(Inputs, frozen=True):
    """A piece of ground: three corners or more, or one and a radius."""

    name: str = ""
    kind: terrain.Terrain = "difficult"
    corners: tuple[setup.Spot, ...] = ()
    radius: float = asked(0.0, ge=0, le=60)
    top: float = asked(0.0, "Height", ge=0, le=60)
    cover: int = asked(0, "Cover save", about="(0 = none)", ge=0, le=6)


class Start(setup.TableStart, frozen=True):
    """A battle before its first turn; the side listed first begins, and its table edge is in the south.

    It lasts as many player turns as `most_turns` says, unless `turns` says how many both sides have.
    """

    unwritten: ClassVar[tuple[str, ...]] = ("zone", *setup.MissionStart.unwritten)

    sides: tuple[SideStart, ...] = ()
    grounds: tuple[GroundStart, ...] = ()
    most_turns: int = asked(12, "Player turns", ge=1, le=1000)


def fill_vehicle(given: Mapping[str, Any], book: ProfileBook) -> Mapping[str, Any]:
    """Write out a vehicle: the numbers of its profile and weapons."""
    return _armed(given, "vehicle", book, lambda vehicle: [mount.weapon for mount in vehicle.mounts])


def fill_squad(given: Mapping[str, Any], book: ProfileBook) -> Mapping[str, Any]:
    """Write out a squad: the numbers of its profile and weapons."""
    return _armed(given, "unit", book, lambda unit: [*(weapon.name for weapon in unit.weapons), *unit.grenades])


def _armed(
    given: Mapping[str, Any], kind: str, book: ProfileBook, weapons: Callable[[Any], list[str]]
) -> Mapping[str, Any]:
    filled = written_out(given, kind, book)
    if not given.get("profile"):
        return filled
    names = weapons(book.find(kind, filled["profile"]))
    return {"arsenal": tuple(dict.fromkeys(way for name in names for way in modes(book, name))), **filled}


@clause("V5-CORE-16")
def begin_battle(start: Start, rulings: Rulings) -> State:
    """Set the sides up."""
    sides = setup.check_sides([side.name for side in start.sides], 2)
    machines = [(vehicle, side.name) for side in start.sides for vehicle in side.machines]
    infantry = [(squad, side.name) for side in start.sides for squad in side.squads]
    vehicles = tuple(_vehicle(vehicle, side, rulings) for vehicle, side in machines)
    squads = tuple(_squad(squad, side) for squad, side in infantry)
    setup.check_names("unit", [*(vehicle.name for vehicle in vehicles), *(squad.name for squad in squads)])
    hulls = (_hull_position(unit, start) for unit, (start, _) in zip(vehicles, machines, strict=True))
    carriers = {vehicle.name.lower(): vehicle.name for vehicle in vehicles}
    bases = (_squad_position(unit, start, carriers) for unit, (start, _) in zip(squads, infantry, strict=True))
    terrain = (_terrain_piece(ground, number) for number, ground in enumerate(start.grounds, 1))
    field = setup.lay_out(start, sides, (*hulls, *bases), terrain)
    turns = len(sides) * start.turns or start.most_turns
    state = State(
        rulings=rulings,
        field=field,
        clock=Clock(sides, PHASES, ceil(turns / len(sides))),
        vehicles=vehicles,
        squads=squads,
        max_turns=turns,
        mission=start.mission,
    )
    for squad in squads:
        _check_ride(state, squad)
    setup.check_places(field, cites="V5-CORE-16", impassable=False)  # skimmers may stand there
    return state


def _vehicle(start: VehicleStart, side: str, rulings: Rulings) -> Vehicle:
    _check_rules(start.arsenal)
    profile = VehicleProfile(**pick_fields(start, *VehicleProfile.__struct_fields__))
    guns = tuple(
        MountedWeapon(label_of(fitting), ways_to_fire(fitting.weapon, start.arsenal, start.name), fitting)
        for fitting in start.mounts
    )
    condition = damage.condition_with(labels(profile), labels(profile, "arm"), rulings=rulings)
    name, traits = start.name or start.profile or "Vehicle", traits_of(profile.types)
    return Vehicle(name, side, profile, traits, guns, condition)


def _hull_position(vehicle: Vehicle, start: VehicleStart) -> Position:
    """Return where a vehicle stands; it hides what is behind it."""
    profile = vehicle.profile
    hull = Hull(Point(start.x, start.y), start.heading % 360, profile.length, profile.width)
    bases = () if profile.base is None else (Base(hull.centre, profile.base),)
    return Position(vehicle.name, vehicle.side, bases, (hull,), profile.height, geometry.COVER)


def _check_rules(arsenal: Iterable[WeaponProfile]) -> None:
    """Refuse special rules that nothing has, or without their number, here and not in the middle of a battle."""
    for weapon in arsenal:
        find_keywords(weapon.rules, KEYWORDS)


def _squad(start: SquadStart, side: str) -> Squad:
    _check_rules(start.arsenal)
    profile = UnitProfile(**pick_fields(start, *UnitProfile.__struct_fields__))
    return Squad(start.name or start.profile or "Squad", side, profile, start.arsenal, start.models)


def _squad_position(squad: Squad, start: SquadStart, carriers: Mapping[str, str]) -> Position:
    """Return where a squad stands, or what it is aboard."""
    if start.aboard:
        carrier = carriers.get(start.aboard.lower(), start.aboard)
        return Position(squad.name, squad.side, where=ABOARD, aboard=carrier)
    bases = setup.arranged(start, squad.models, squad.profile.base)
    if not bases:
        raise BadInput(f"{squad.name} needs a place: x and y, spots, or the vehicle that it is aboard.", field="x")
    return Position(squad.name, squad.side, bases)


def _terrain_piece(start: GroundStart, number: int) -> TerrainPiece:
    corners = setup.points_of(start.corners)
    setup.check_outline(corners, start.radius)
    if start.cover in (1, 2):
        reason = f"cover of a piece of ground must be 3 to 6, or 0 for none; got {start.cover}."
        raise BadInput(reason, field="grounds", clause="V5-CORE-4")
    name = start.name or f"{start.kind} {number}"
    return TerrainPiece(
        name=name, kind=start.kind, corners=corners, radius=start.radius, top=start.top, cover=start.cover
    )


@clause("V5-TRAN-1", "V5-TRAN-2")
def _check_ride(state: State, squad: Squad) -> None:
    """Refuse passengers of the other side, and those without room."""
    carrier = state.transport_of(squad.name)
    if not carrier:
        return
    vehicle = state.vehicle(carrier)
    if vehicle.side != squad.side:
        reason = f"{vehicle.name} belongs to {vehicle.side} and carries its own side only"
        raise BadInput(f"{squad.name} of {squad.side} cannot ride: {reason}.", field="aboard", clause="V5-TRAN-1")
    others = sum(other.models for other in state.passengers(vehicle) if other is not squad)
    unit = transports.BoardingUnit(squad.profile.type, squad.models)
    refused = transports.refuse_load(unit, vehicle.profile.capacity, others, state.rulings)
    if refused is not None:
        raise BadInput(f"{squad.name} cannot ride in {vehicle.name}: {refused}", field="aboard")
