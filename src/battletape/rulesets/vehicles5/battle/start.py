"""How a battle is set up: a table, the ground on it, and two sides with their vehicles and squads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from typing import Annotated, Any

from battletape.cards import Inputs, ProfileBook, asked, pick_fields, written_out
from battletape.rulebook import BadInput, Meta, clause
from battletape.rulesets.vehicles5.battle.state import MountedWeapon, Squad, State, TerrainPiece, Vehicle, footprints
from battletape.rulesets.vehicles5.profiles.book import label_of, labels, modes, traits_of, ways_to_fire
from battletape.rulesets.vehicles5.profiles.types import UnitProfile, VehicleProfile, WeaponProfile
from battletape.rulesets.vehicles5.rules import damage, terrain, transports
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.table import areas, bases, board, distances, hulls
from battletape.table.points import Point, step, wrap

Place = Annotated[float, Meta(ge=-240, le=240, extra={"unit": "inches"})]
Heading = Annotated[float, Meta(ge=0, le=360, extra={"unit": "degrees"})]
ELBOW_ROOM = 0.5  # inches between the bases of a formation


class Spot(Inputs, frozen=True):
    """A place on the table: inches east and north of its south-west corner."""

    x: Place = 0.0
    y: Place = 0.0


def points(spots: Iterable[Spot]) -> tuple[Point, ...]:
    """Return places as points."""
    return tuple(Point(spot.x, spot.y) for spot in spots)


class VehicleStart(VehicleProfile, frozen=True):
    """A vehicle at the start: by the name of a profile, or with numbers of its own."""

    profile: str = ""
    x: Place = 0.0
    y: Place = 0.0
    heading: Heading = 0.0
    arsenal: tuple[WeaponProfile, ...] = ()


class SquadStart(UnitProfile, frozen=True):
    """A squad at the start; x and y are the middle of its front rank."""

    profile: str = ""
    x: Place = 0.0
    y: Place = 0.0
    heading: Heading = 0.0
    abreast: int = asked(5, "Models in a rank", ge=1, le=100)
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
    corners: tuple[Spot, ...] = ()
    radius: float = asked(0.0, ge=0, le=60)
    top: float = asked(0.0, "Height", ge=0, le=60)
    cover: int = asked(0, "Cover save", about="(0 = none)", ge=0, le=6)


class Start(Inputs, frozen=True):
    """A battle before its first turn; the side listed first begins, and its table edge is in the south."""

    width: float = asked(72.0, ge=12, le=240)
    depth: float = asked(48.0, ge=12, le=240)
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
def begin_battle(start: Start, rules: Rulings) -> State:
    """Set the sides up."""
    if len(start.sides) != 2:
        raise BadInput(f"a battle needs two sides; got {len(start.sides)}.", field="sides")
    first, second = (side.name for side in start.sides)
    if not first or not second or first == second:
        raise BadInput("the two sides need names of their own.", field="sides")
    vehicles = tuple(_vehicle(vehicle, side.name, rules) for side in start.sides for vehicle in side.machines)
    carriers = {vehicle.name.lower(): vehicle.name for vehicle in vehicles}
    squads = tuple(_squad(squad, side.name, carriers) for side in start.sides for squad in side.squads)
    grounds = tuple(_marker(ground, number) for number, ground in enumerate(start.grounds, 1))
    state = State(
        rules=rules,
        board=board.Board(start.width, start.depth),
        sides=(first, second),
        active=first,
        vehicles=vehicles,
        squads=squads,
        terrain_pieces=grounds,
        max_turns=start.most_turns,
    )
    _check(state)
    return state


def _vehicle(start: VehicleStart, side: str, rules: Rulings) -> Vehicle:
    profile = VehicleProfile(**pick_fields(start, *VehicleProfile.__struct_fields__))
    guns = tuple(
        MountedWeapon(label_of(fitting), ways_to_fire(fitting.weapon, start.arsenal, start.name), fitting)
        for fitting in start.mounts
    )
    hull = hulls.Hull(Point(start.x, start.y), start.heading % 360, start.length, start.width)
    condition = damage.condition_with(labels(profile), labels(profile, "arm"), rulings=rules)
    name, traits = start.name or start.profile or "Vehicle", traits_of(profile.types)
    return Vehicle(name, side, profile, traits, guns, hull, condition)


def _squad(start: SquadStart, side: str, carriers: Mapping[str, str]) -> Squad:
    profile = UnitProfile(**pick_fields(start, *UnitProfile.__struct_fields__))
    models = formation(Point(start.x, start.y), start.heading, start.models, start.abreast, start.base)
    name = start.name or start.profile or "Squad"
    aboard = carriers.get(start.aboard.lower(), start.aboard)
    return Squad(name, side, profile, start.arsenal, models, aboard=aboard)


def formation(front: Point, heading: float, models: int, abreast: int, radius: float) -> tuple[bases.Base, ...]:
    """Return models in ranks, the middle of the first rank at a point."""
    apart = 2 * radius + ELBOW_ROOM
    right, back = wrap(heading + 90), wrap(heading + 180)
    bases_placed = []
    for index in range(models):
        rank, file = divmod(index, abreast)
        count = min(abreast, models - rank * abreast)
        spot = step(step(front, back, rank * apart), right, (file - (count - 1) / 2) * apart)
        bases_placed.append(bases.Base(Point(round(spot.x, 6), round(spot.y, 6)), radius))
    return tuple(bases_placed)


def _marker(start: GroundStart, number: int) -> TerrainPiece:
    corners = points(start.corners)
    if len(corners) < 3 and not (len(corners) == 1 and start.radius):
        raise BadInput("a piece of ground needs three corners or more, or one and a radius.", field="grounds")
    if len(corners) > 2:
        areas.Area(corners)  # an outline around nothing is refused here and not in the middle of a battle
    if start.cover in (1, 2):
        reason = f"cover of a piece of ground must be 3 to 6, or 0 for none; got {start.cover}."
        raise BadInput(reason, field="grounds", clause="V5-CORE-4")
    return TerrainPiece(
        start.name or f"{start.kind} {number}", start.kind, corners, start.radius, start.top, start.cover
    )


def _check(state: State) -> None:
    """Refuse units with the same name, passengers without room, and units that stand on each other."""
    names = [unit.name.lower() for unit in state.units]
    for name in names:
        if names.count(name) > 1:
            raise BadInput(f"every unit needs a name of its own; {name!r} is given twice.", field="name")
    for squad in state.squads:
        if squad.aboard:
            vehicle = state.vehicle(squad.aboard)
            if vehicle.side != squad.side:
                reason = f"{vehicle.name} belongs to {vehicle.side} and carries its own side only"
                raise BadInput(
                    f"{squad.name} of {squad.side} cannot ride: {reason}.", field="aboard", clause="V5-TRAN-1"
                )
            others = sum(len(other.models) for other in state.passengers(vehicle) if other is not squad)
            unit = transports.BoardingUnit(squad.profile.type, len(squad.models))
            refused = transports.refuse_load(unit, vehicle.profile.capacity, others, state.rules)
            if refused is not None:
                raise BadInput(f"{squad.name} cannot ride in {vehicle.name}: {refused}", field="aboard")
    placed = [(unit.name, thing) for unit in state.on_table() for thing in footprints(unit)]
    for name, thing in placed:
        if not board.is_on_board(state.board, thing):
            raise BadInput(f"{name} does not stand wholly on the table.", field="x")
    for (name, thing), (other, its) in combinations(placed, 2):
        if distances.overlaps(thing, its):
            raise BadInput(f"{name} and {other} stand on the same ground.", field="x")
