"""The start of a battle: two armies by the names of profiles or with numbers of their own, terrain, and reserves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Annotated, Any, ClassVar

from battletape.cards import Inputs, ProfileBook, asked, described, written_out
from battletape.field import setup
from battletape.field.clock import Clock
from battletape.field.setup import Heading, Place, Spot
from battletape.field.state import ABOARD, RESERVE, TABLE, Position
from battletape.rulebook import BadInput, Meta, clause, find_keywords, replace
from battletape.rulesets.diceless40k.battle.state import (
    COHERENCY,
    CREW,
    PHASES,
    Arrival,
    BattleUnit,
    Player,
    Squad,
    State,
    Terrain,
    Vehicle,
    with_turns_alone,
)
from battletape.rulesets.diceless40k.profiles.book import modes
from battletape.rulesets.diceless40k.profiles.types import Save, UnitProfile, VehicleProfile, WeaponProfile
from battletape.rulesets.diceless40k.rules import characteristics
from battletape.rulesets.diceless40k.rules.base_vehicles import WRECK_COVER
from battletape.rulesets.diceless40k.rules.damage_rows import new_sheet
from battletape.rulesets.diceless40k.rules.keywords import KEYWORDS
from battletape.rulesets.diceless40k.rules.leadership import order_points_at_start
from battletape.rulesets.diceless40k.rules.passengers import tank_commander
from battletape.rulesets.diceless40k.rules.preparation import (
    TokenSource,
    agree,
    token_sources,
    total_tokens,
    vehicle_entries,
)
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.table.distances import is_coherent
from battletape.table.hulls import Hull
from battletape.table.points import Point

VEHICLE_TOP = 2.0
"""Inches to the top of a vehicle and to its guns."""
Inches = Annotated[float, Meta(ge=0, le=240, extra={"unit": "inches"})]
Distance = Annotated[Inches | None, described("Distance", about="(left out where both stand on the board)")]
Cover = Annotated[Save | None, Meta(title="Cover save")]
Hood = Annotated[
    bool | None,
    described("A psychic hood is near", "DL-SM-56.1", about="(left out: as the board shows, near without)"),
]
NullZone = Annotated[
    bool | None,
    described("A null zone is near", "DL-SM-57.2", about="(left out: as the board shows, near without)"),
]


class NamedUnit(UnitProfile, frozen=True):
    """A unit by the name of a profile, or with numbers of its own."""

    profile: str = ""


class UnitStart(NamedUnit, setup.Placement, frozen=True):
    """A unit at the start: by the name of a profile, or with numbers of its own; x and y are its first model's."""

    unwritten: ClassVar = ("heading", "formation", "spacing", "abreast", "spots")

    formation = "rings"
    spacing = 0.0
    reserve: bool = False
    arrives: Arrival = "edge"
    aboard: str = asked("", "Rides in")
    joined: str = asked("", "Has joined")
    arsenal: tuple[WeaponProfile, ...] = ()


class VehicleStart(VehicleProfile, frozen=True):
    """A vehicle at the start: by the name of a profile, or with numbers of its own; x and y are its middle."""

    profile: str = ""
    x: Place | None = None
    y: Place | None = None
    heading: Heading = 0.0
    reserve: bool = False
    arrives: Arrival = "edge"
    squadron: str = asked("", "Squadron that it belongs to")
    arsenal: tuple[WeaponProfile, ...] = ()


class SideStart(Inputs, frozen=True):
    """A side; `mines` names the terrain in which its scout bikers have laid cluster mines."""

    name: str = ""
    units: tuple[UnitStart, ...] = ()
    vehicles: tuple[VehicleStart, ...] = ()
    mines: str = asked("", clause="DL-SM-67.1")


class GroundStart(Inputs, frozen=True):
    """A piece of terrain, and what it does to units that move in it; an outline may be left out."""

    unwritten: ClassVar = ("top",)

    name: str = ""
    difficult: bool = True
    dangerous: bool = False
    impassable: bool = False
    cover: Save | None = None
    dmg_per_model: int = asked(10, clause="DL-14.4", ge=0, le=100)
    dmg_per_inch: int = asked(0, clause="DL-14.4", ge=0, le=100)
    strength: int = asked(8, "Strength on vehicles", "DL-57.2", ge=1, le=10)
    vehicle_dmg_per_inch: int = asked(10, clause="DL-57.2", ge=0, le=100)
    corners: tuple[Spot, ...] = ()
    radius: float = asked(0.0, ge=0, le=60)
    top: float = asked(0.0, "Height", "DL-32.1", about="(0: it hides nothing)", ge=0, le=60)


class Armies(Inputs, frozen=True):
    """Two armies, and the terrain between them."""

    sides: tuple[SideStart, ...] = ()
    grounds: tuple[GroundStart, ...] = ()


class Start(Armies, setup.TableStart, frozen=True):
    """A battle before its first turn; the edge of the side that stands first is in the south.

    A board is used where units have places on it; a battle may do without. In a game with a mission units begin in the
    zones of their sides.
    """

    unwritten: ClassVar = ("mission", "objectives", "turns")

    zone: float = asked(12.0, "Depth of the deployment zones", unit="inches", ge=0, le=60)
    first: str = asked("", "Who plays first", "DL-PREP.8")
    night: bool = asked(False, "Night fighting", "DL-95.8")


# --- profiles written out ---------------------------------------------------------------------------------------------


def fill_unit(given: Mapping[str, Any], book: ProfileBook) -> Mapping[str, Any]:
    """Fill in a unit with the numbers of its profile and of every weapon in it."""
    filled = written_out(given, "unit", book)
    if not given.get("profile"):
        return filled
    unit: UnitProfile = book.find("unit", filled["profile"])
    names = (*unit.weapons, *(weapon for group_profile in unit.groups for weapon in group_profile.weapons))
    return {"arsenal": _arsenal(names, book), **filled}


def fill_vehicle(given: Mapping[str, Any], book: ProfileBook) -> Mapping[str, Any]:
    """Fill in a vehicle with the numbers of its profile and of its weapons."""
    filled = written_out(given, "vehicle", book)
    if not given.get("profile"):
        return filled
    return {"arsenal": _arsenal(book.find("vehicle", filled["profile"]).weapons, book), **filled}


def _arsenal(names: Iterable[str], book: ProfileBook) -> tuple[WeaponProfile, ...]:
    return tuple(dict.fromkeys(mode for name in names for mode in modes(book, name)))


# --- setting up -------------------------------------------------------------------------------------------------------


@clause("DL-PREP.4", "DL-PREP.5", "DL-PREP.6", "DL-PREP.7", "DL-PREP.8", "DL-30.1")
def begin_battle(start: Start, rulings: Rulings) -> State:
    """Return the battle before its first move: sheets for all units, the players' tokens, and declared reserves."""
    setup.check_sides([side.name for side in start.sides], most=2)
    first, second = start.sides
    agreed = agree((first.name, second.name), start.first, start.mission, start.night, rulings)
    given = {side.name: total_tokens(_token_sources(side, rulings)) for side in start.sides}
    squads = tuple(_squad(unit, side.name, rulings) for side in start.sides for unit in side.units)
    vehicles = tuple(vehicle for side in start.sides for vehicle in _vehicles(side, rulings))
    tanks = [vehicle for vehicle in vehicles if characteristics.CHRONUS in vehicle.profile.rules]
    commanders = tuple(map(_commander, tanks))
    units: tuple[BattleUnit, ...] = (*squads, *commanders, *vehicles)
    setup.check_names("unit", [unit.name for unit in units])
    positions = (
        *map(_position, (unit for side in start.sides for unit in side.units), squads),
        *map(_inside, commanders, tanks),
        *(_hull_position(unit, vehicle, rulings) for unit, vehicle in zip(_all_vehicles(start), vehicles, strict=True)),
    )
    laid = start if rulings.missions == "scored" else replace(start, mission="")
    field = setup.lay_out(
        laid, (first.name, second.name), positions, [_terrain(piece, start.sides) for piece in start.grounds]
    )
    if laid.mission:
        setup.check_places(field, cites="DL-PREP.8")
    order = (first.name, second.name) if agreed.first == first.name else (second.name, first.name)
    state = State(
        rulings=rulings,
        sides=(first.name, second.name),
        players=(Player(first.name, given[second.name]), Player(second.name, given[first.name])),
        clock=Clock(order, PHASES, start.turns or agreed.turns),
        mission=agreed.mission,
        night=agreed.night,
        field=field,
        zone=start.zone,
        squads=(*squads, *commanders),
        vehicles=vehicles,
    )
    for squad in squads:
        state = _with_its_unit(state, squad) if squad.joined else state
    _check(state, start)
    return state.with_units(*(with_turns_alone(state, squad) for squad in state.squads if squad.side == state.active))


def _all_vehicles(start: Start) -> list[VehicleStart]:
    return [vehicle for side in start.sides for vehicle in side.vehicles]


def _position(start: UnitStart, squad: Squad) -> Position:
    """Return where a unit is at the start."""
    where = ABOARD if start.aboard else RESERVE if start.reserve else TABLE
    bases = setup.arranged(start, squad.count, squad.base) if where == TABLE else ()
    if not is_coherent(bases, COHERENCY):
        reason = f"models of {squad.name} would stand more than {COHERENCY} inches from the others."
        raise BadInput(reason, field="spots" if start.spots else "spacing", clause="DL-0.1")
    return Position(squad.name, squad.side, bases, where=where, aboard=start.aboard)


def _inside(commander: Squad, tank: Vehicle) -> Position:
    return Position(commander.name, commander.side, where=CREW, aboard=tank.name)


def _hull_position(start: VehicleStart, vehicle: Vehicle, rulings: Rulings) -> Position:
    """Return where a vehicle is at the start, and what it hides."""
    hulls: tuple[Hull, ...] = ()
    if start.x is not None and start.y is not None and not start.reserve:
        hulls = (Hull(Point(start.x, start.y), start.heading % 360, start.length, start.width),)
    cover = WRECK_COVER if rulings.vehicles_hide == "yes" else 0
    where = RESERVE if start.reserve else TABLE
    return Position(vehicle.name, vehicle.side, hulls=hulls, top=VEHICLE_TOP, cover=cover, where=where)


def _token_sources(side: SideStart, rulings: Rulings) -> tuple[TokenSource, ...]:
    """Return everything in an army that gives its opponent tokens."""
    modes_by_name: dict[str, list[WeaponProfile]] = {}
    owners: list[UnitStart | VehicleStart] = [*side.units, *side.vehicles]
    for owner in owners:
        for weapon in owner.arsenal:
            find_keywords(weapon.rules, KEYWORDS)  # refused here and not in the middle of a battle
            for name in {weapon.name, weapon.mode_of} - {""}:
                modes_by_name.setdefault(name.lower(), [])
                if weapon not in modes_by_name[name.lower()]:
                    modes_by_name[name.lower()].append(weapon)
    strikers = sum(owner.arrives == "deep_strike" for owner in owners if not getattr(owner, "joined", ""))

    def modes_of(name: str) -> Sequence[WeaponProfile]:
        if name.lower() not in modes_by_name:
            raise BadInput.of("arsenal", f"lacks the weapon {name!r}, which a unit carries.")
        return modes_by_name[name.lower()]

    return token_sources(side.units, side.vehicles, modes_of, strikers, rulings)


@clause("DL-25.1", "DL-6.1", "DL-6.3")
def _squad(start: UnitStart, side: str, rulings: Rulings) -> Squad:
    """Return a unit with its groups of identical models, their hit points, and no order points."""
    name = start.name or start.profile or "Unit"
    groups = characteristics.groups_of(start, rulings)
    count = sum(group.models for group in groups)
    _check_arrival(
        name,
        start.reserve,
        start.arrives,
        any(characteristics.OUTFLANK in group.rules for group in groups),
        any(characteristics.DEEP_STRIKE in group.rules for group in groups),
    )
    return Squad(
        name=name,
        side=side,
        type=start.type,
        groups=groups,
        starting=count,
        army=start.army,
        prefers=start.prefers,
        arsenal=start.arsenal,
        powers=start.powers,
        guns=(start.weapons[0],) * start.guns if start.weapons else (),
        base=start.base,
        op=order_points_at_start(),
        arrives=start.arrives,
        joined=start.joined,
        models_at_phase_start=count,
    )


def _with_its_unit(state: State, character: Squad) -> State:
    """Return the battle with a character where the unit is that it has joined; it arrives as that unit does."""
    unit = state.squad(character.joined)
    there = state.field.position(unit.name)
    state = state.with_units(replace(character, arrives=unit.arrives))
    if state.where(character) == there.where and state.carrier(character) == there.aboard:
        return state
    if there.where == TABLE:
        return state.with_places(((character.name, ()),))
    return state.off_table((character,), there.where, there.aboard)


@clause("DL-PREP.7", "DL-70.2")
def _vehicles(side: SideStart, rulings: Rulings) -> list[Vehicle]:
    """Return a sheet for each vehicle; those of the same name are numbered."""
    names = vehicle_entries([start.name or start.profile or "Vehicle" for start in side.vehicles])
    return [_vehicle(start, name, side.name, rulings) for start, name in zip(side.vehicles, names, strict=True)]


def _vehicle(start: VehicleStart, name: str, side: str, rulings: Rulings) -> Vehicle:
    _check_arrival(name, start.reserve, start.arrives, False, characteristics.DEEP_STRIKE in start.rules)
    profile = VehicleProfile(**{field: getattr(start, field) for field in VehicleProfile.__struct_fields__})
    return Vehicle(
        name=name,
        side=side,
        profile=profile,
        damage=new_sheet(start.weapons, "open_topped" in start.types, rulings),
        arsenal=start.arsenal,
        arrives=start.arrives,
        squadron=start.squadron,
    )


@clause("DL-SM-89.1")
def _commander(vehicle: Vehicle) -> Squad:
    """Return the commander of a tank, inside until it has to be left."""
    name = f"Commander of {vehicle.name}"
    commander = tank_commander(name)
    return Squad(
        name=name,
        side=vehicle.side,
        type=commander.type,
        groups=(commander,),
        starting=1,
        op=order_points_at_start(),
        models_at_phase_start=1,
    )


@clause("DL-94.8", "DL-95.1")
def _check_arrival(name: str, reserve: bool, arrives: Arrival, outflanks: bool, strikes: bool) -> None:
    """Refuse units that outflank or deep strike without the rule for it, or do not begin in reserve."""
    if arrives == "edge":
        return
    may = outflanks if arrives == "outflank" else strikes
    if not may:
        which = "DL-94.8" if arrives == "outflank" else "DL-95.1"
        raise BadInput(f"{name} has no rule that lets it {arrives.replace('_', ' ')} ({which}).", field="arrives")
    if not reserve:
        raise BadInput(f"{name} must begin in reserve to {arrives.replace('_', ' ')}.", field="reserve")


@clause("DL-14.4", "DL-57.2", "DL-SM-67.1")
def _terrain(start: GroundStart, sides: Sequence[SideStart]) -> Terrain:
    """Return terrain with the values that the players have agreed on, and the side that has mined it."""
    corners = setup.points_of(start.corners)
    setup.check_outline(corners, start.radius, needed=False)
    return Terrain(
        name=start.name or "Terrain",
        kind="impassable" if start.impassable else "",
        corners=corners,
        radius=start.radius,
        top=start.top,
        cover=start.cover or 0,
        difficult=start.difficult,
        dangerous=start.dangerous,
        dmg_per_model=start.dmg_per_model,
        dmg_per_inch=start.dmg_per_inch,
        strength=start.strength,
        vehicle_dmg_per_inch=start.vehicle_dmg_per_inch,
        mined_by=next((side.name for side in sides if side.mines.lower() == start.name.lower() != ""), ""),
    )


def _check(state: State, start: Start) -> None:
    """Refuse passengers and characters with enemies, and mines without a unit that lays them."""
    _check_groups(state)
    for squad in state.squads:
        if state.where(squad) == ABOARD:
            vehicle = state.vehicle(state.carrier(squad))
            if vehicle.side != squad.side:
                raise BadInput(f"{vehicle.name} carries its own side only, not {squad.name}.", field="aboard")
            passengers = sum(squad.count for squad in state.passengers(vehicle.name))
            if passengers > vehicle.profile.capacity:
                raise BadInput(
                    f"{vehicle.name} has room for {vehicle.profile.capacity}; {passengers} ride.", field="aboard"
                )
        if squad.joined:
            unit = state.squad(squad.joined)
            if unit.side != squad.side or not all(characteristics.INDEPENDENT in group.rules for group in squad.groups):
                raise BadInput(f"{squad.name} cannot join {unit.name}: only a character, and a friend.", field="joined")
    for side in start.sides:
        if side.mines:
            state.field.terrain_piece(side.mines)
            if not any(
                squad.groups_with(characteristics.CLUSTER_MINES) for squad in state.squads if squad.side == side.name
            ):
                raise BadInput(f"{side.name} has no unit that lays cluster mines.", field="mines", clause="DL-SM-67.1")


@clause("DL-25.1")
def _check_groups(state: State) -> None:
    """Refuse groups with the same name in a unit, or in a unit and a character that may join it."""
    for squad in state.squads:
        names = [group.name.lower() for group in squad.groups]
        if len(set(names)) < len(names):
            raise BadInput(f"every group of {squad.name} needs a name of its own.", field="groups", clause="DL-25.1")
    characters = [squad for squad in state.squads if squad.is_character]
    for character, unit in product(characters, state.squads):
        if unit is character or unit.side != character.side:
            continue
        alike = {group.name.lower() for group in unit.groups} & {group.name.lower() for group in character.groups}
        if alike:
            text = f"{character.name} may join {unit.name}, and both have a group called {min(alike)!r}"
            raise BadInput(f"{text}; give the character a name of its own.", field="name", clause="DL-25.1")


def sample() -> Mapping[str, Any]:
    """Return a small game: two armies of about 500 points that fight for three points of a salt marsh."""
    ranks = {"formation": "block", "spacing": 1, "abreast": 10}
    vigil = {
        "name": "Vigil",
        "units": [
            {"name": "Tactical squad", "profile": "Combat squad", "x": 26, "y": 9, "spacing": 1},
            {"name": "Forge team", "profile": "Forge team", "x": 38, "y": 6, "spacing": 1},
            {"name": "Osric", "profile": "Librarian Osric Vale", "x": 20, "y": 11},
            {"name": "Jump squad", "profile": "Assault Marines", "reserve": True, "arrives": "deep_strike"},
        ],
        "vehicles": [{"name": "Rhino", "profile": "Rhino", "x": 46, "y": 8}],
    }
    horde = {
        "name": "Horde",
        "units": [
            {"name": "Boyz", "profile": "Ork Boyz", "x": 26, "y": 37.5, "heading": 180, **ranks},
            {"name": "Shootas", "profile": "Shoota Boyz", "x": 48, "y": 42, "heading": 180, **ranks},
            {"name": "Kommandos", "profile": "Kommandos", "reserve": True, "arrives": "outflank"},
            {"name": "Zagnit", "profile": "Weirdboy Zagnit", "x": 36, "y": 43},
        ],
        "vehicles": [
            {"name": "Trukk", "profile": "Trukk", "x": 14, "y": 40, "heading": 180},
            {"name": "Dread", "profile": "Deff Dread", "x": 60, "y": 38.5, "heading": 180},
        ],
    }
    pieces = [
        {"name": "Wood", "corners": _corners(30, 20, 40, 27), "cover": 4},
        {"name": "Ruin", "corners": _corners(12, 16, 20, 22), "cover": 4, "top": 4},
        {"name": "Wall", "corners": _corners(44, 30, 54, 31), "cover": 4, "top": 0.9, "difficult": False},
        {"name": "Swamp", "dangerous": True, "corners": [{"x": 61, "y": 26}], "radius": 4},
    ]
    return {"sides": [vigil, horde], "grounds": pieces, "mission": "take and hold"}


def _corners(west: float, south: float, east: float, north: float) -> list[dict[str, float]]:
    return [{"x": x, "y": y} for x, y in ((west, south), (east, south), (east, north), (west, north))]
