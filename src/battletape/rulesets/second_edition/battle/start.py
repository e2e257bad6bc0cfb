"""How a battle starts: sides and units, by the names of profiles or with their own numbers, with places or without."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from battletape.cards import Inputs, ProfileBook, as_entry, asked, entry_value, named_entry, pick_fields
from battletape.field import setup
from battletape.field.clock import Clock
from battletape.field.state import Position
from battletape.rulebook import BadInput, UnknownName, by_name, clause, replace
from battletape.rulesets.second_edition.battle.state import (
    COVERS,
    PHASES,
    CarriedWeapon,
    CoverKind,
    Field,
    Fighter,
    PlacedMarker,
    State,
    Terrain,
)
from battletape.rulesets.second_edition.battle.turn import after_any_action, start_turn
from battletape.rulesets.second_edition.profiles.book import unit_numbers
from battletape.rulesets.second_edition.profiles.types import (
    Remains,
    Save,
    SaveDice,
    Template,
    UnitProfile,
    WeaponProfile,
)
from battletape.rulesets.second_edition.rules.attack import Condition, Hit, Model
from battletape.rulesets.second_edition.rules.grenades import GRENADES_EACH
from battletape.rulesets.second_edition.rules.keywords import hit_of, rules_of
from battletape.rulesets.second_edition.rules.sustained import WeaponState
from battletape.rulesets.second_edition.rules.templates import teardrop_of
from battletape.rulesets.second_edition.rulings import Rulings
from battletape.table.bases import base_radius
from battletape.table.points import Point

MAX_MODELS = 100
MISSION_TURNS, ENDLESS = 4, 1_000_000
"""Turns of a game with a mission, and of one without an end, where nothing else is said."""


class EarlierDamage(Inputs, frozen=True):
    """Damage from before the battle: wounds lost, the weapon whose flames burn the model, jams of a weapon."""

    model: int = asked(1, "Which model of the unit", ge=1, le=100)
    lost: int = asked(0, "Wounds lost", ge=0, le=99)
    on_fire: str = asked("", "Burns by, a weapon of the arsenal")
    weapon: str = asked("", "Weapon that has jammed or is destroyed")
    jams: int = asked(0, ge=0, le=20)
    destroyed: bool = False


class UnitStart(UnitProfile, setup.Placement, frozen=True):
    """A unit at the start, with a place on the table or without."""

    unwritten: ClassVar = setup.Placement.unwritten

    profile: str = ""
    save: Save | None = None
    save_dice: SaveDice = "1d6"
    area_save: Save | None = asked(None, "Save against blasts and templates")
    each: int = asked(GRENADES_EACH, "Grenades of each kind that a model carries", ge=0, le=99)
    wear: tuple[EarlierDamage, ...] = asked((), "What its models bring from earlier")
    arsenal: tuple[WeaponProfile, ...] = ()
    templates: tuple[Template, ...] = ()


class SideStart(Inputs, frozen=True):
    """A side and its units."""

    name: str = ""
    units: tuple[UnitStart, ...] = ()


class MarkerStart(Inputs, frozen=True):
    """A marker in play at the start: a cloud or a plasma ball."""

    name: str = ""
    kind: Remains = asked("cloud", "Cloud or plasma ball")
    radius: float = asked(2.0, unit="inches", ge=0.5, le=12)
    x: setup.Place | None = None
    y: setup.Place | None = None
    owner: str = asked("", "Side that it belongs to", about="(empty: the first)")
    strength: int | None = asked(None, ge=1, le=10)
    damage: str = "1"
    save_modifier: int = asked(0, ge=-12, le=6)


class TerrainStart(Inputs, frozen=True):
    """A piece of terrain: three corners or more, or one and a radius; it covers models in it and behind it."""

    name: str = ""
    corners: tuple[setup.Spot, ...] = ()
    radius: float = asked(0.0, ge=0, le=60)
    top: float = asked(0.0, "Height", "SE-117", ge=0, le=60)
    cover: CoverKind = asked("none", "Cover", "SE-17")
    impassable: bool = False


class Start(setup.TableStart, frozen=True):
    """The table and what lies on it, the sides in turn order, markers in play, and the mission."""

    unwritten: ClassVar = (*setup.MissionStart.unwritten, "zone", "terrain")

    coherency: float = asked(2.0, "Inches between models of a unit at most", ge=0, le=24)
    sides: tuple[SideStart, ...] = ()
    markers: tuple[MarkerStart, ...] = ()
    terrain: tuple[TerrainStart, ...] = ()


# --- profiles written out --------------------------------------------------------------------------------------------


def fill_unit(given: Mapping[str, Any], book: ProfileBook) -> Mapping[str, Any]:
    """Fill in the numbers of a unit's profile, its armour, weapons, grenades and their templates."""
    filled = dict(given)
    if given.get("profile"):
        unit: UnitProfile = book.find("unit", str(given["profile"]))
        numbers = {name: getattr(unit, name) for name in unit.__struct_fields__}
        worn = {name: value for name, value in unit_numbers(unit, book).items() if name != "unit"}
        filled = {**numbers, **worn, **given, "profile": unit.name}
    if isinstance(filled.get("weapons"), (list, tuple)):
        filled["weapons"] = [
            as_entry(named_entry(weapon, known=book.entries["weapon"]), "name") for weapon in filled["weapons"]
        ]
    if "arsenal" not in given:
        filled["arsenal"] = tuple(dict.fromkeys(_arsenal(filled, book)))
    if "templates" not in given:
        named = {
            weapon.template for weapon in filled["arsenal"] if isinstance(weapon, WeaponProfile) and weapon.template
        }
        filled["templates"] = tuple(book.find("template", name) for name in sorted(named))
    return filled


def _arsenal(filled: Mapping[str, Any], book: ProfileBook) -> Iterator[WeaponProfile]:
    carried = [entry_value(weapon, "name") for weapon in filled.get("weapons", ())]
    burning = [entry_value(wear, "on_fire") for wear in filled.get("wear", ())]
    for name in (*carried, *filled.get("grenades", ()), *burning):
        if name:
            yield book.find("weapon", name)


# --- the first state -------------------------------------------------------------------------------------------------


@clause("SE-117", "SE-10")
def begin_battle(start: Start, rulings: Rulings) -> State:
    """Set the sides up: every model with a name, and on a place of its own if it has one."""
    sides = setup.check_sides([side.name for side in start.sides])
    if not all(side.units for side in start.sides):
        raise BadInput("a side needs at least one unit.", field="sides")
    models = sum(unit.models for side in start.sides for unit in side.units)
    if models > MAX_MODELS:
        reason = f"a battle takes at most {MAX_MODELS} models; got {models}. Leave out those that stay behind"
        raise BadInput(f"{reason}.", field="models", clause="SE-10")
    setup.check_names("unit", [_called(unit) for side in start.sides for unit in side.units])
    squads = [(unit, tuple(_squad(unit, side.name))) for side in start.sides for unit in side.units]
    fighters = tuple(fighter for _, squad in squads for fighter in squad)
    setup.check_names("model", [fighter.name for fighter in fighters])
    markers = tuple(_lying(marker, number, sides) for number, marker in enumerate(start.markers, 1))
    terrain = _terrain(start.terrain)
    setup.check_names("marker or piece of terrain", [piece.name for piece in (*markers, *terrain)])
    positions = [position for unit, squad in squads for position in _positions(unit, squad)]
    field: Field = setup.lay_out(start, sides, positions, (*terrain, *markers), "bonus")
    field = replace(field, between="middles" if rulings.measuring == "centres" else "rims")
    setup.check_places(field, cites="SE-10")
    clock = Clock(sides, PHASES, start.turns or (MISSION_TURNS if start.mission else ENDLESS))
    state = State(rulings, field, fighters, clock, start.coherency, len(markers), start.mission)
    return after_any_action(start_turn(state.with_models(*fighters)))


def _called(unit: UnitStart) -> str:
    return unit.name or unit.profile or "Unit"


@clause("SE-110", "SE-117")
def _squad(unit: UnitStart, side: str) -> Iterator[Fighter]:
    """Return the models of a unit; weapons go to one after another, and round again if there are more."""
    name = _called(unit)
    if any(mark in name for mark in "[],;"):
        raise BadInput(f"the name of a unit must be without brackets, comma and semicolon; got {name!r}.", field="name")
    armed: list[list[CarriedWeapon]] = [[] for _ in range(unit.models)]
    bearers = [carried.name for carried in unit.weapons for _ in range(carried.models)]
    for index, weapon in enumerate(bearers):
        _give(armed[index % unit.models], _arm(unit, weapon))
    for arms in armed:
        for grenade in unit.grenades:
            _give(arms, replace(_arm(unit, grenade), grenades_left=unit.each))
    for number, arms in enumerate(armed, 1):
        called = name if unit.models == 1 else f"{name} {number}"
        names = ("toughness", "wounds", "save", "save_dice", "area_save", "field_save", "aura", "types")
        model = Model(**pick_fields(unit, *names), name=name)
        fighter = Fighter(
            called,
            name,
            side,
            model,
            Condition(unit.wounds),
            tuple(arms),
            unit.bs,
            unit.strength,
            unit.move,
            unit.mastery,
            float(base_radius(unit.base)),
        )
        for wear in unit.wear:
            fighter = _worn(fighter, wear, unit) if wear.model == number else fighter
        yield fighter


def _give(arms: list[CarriedWeapon], weapon: CarriedWeapon) -> None:
    if weapon.name not in (known.name for known in arms):
        arms.append(weapon)


def _arm(unit: UnitStart, name: str) -> CarriedWeapon:
    weapon = _weapon(unit, name)
    if weapon.template is None:
        return CarriedWeapon(weapon)
    sizes = {template.name: template for template in unit.templates}
    if weapon.template not in sizes:
        raise UnknownName("template", weapon.template, sizes, source=_called(unit))
    teardrop_of(sizes[weapon.template])  # a template of no size is refused here and not in the middle of a battle
    return CarriedWeapon(weapon, sizes[weapon.template])


def _weapon(unit: UnitStart, name: str) -> WeaponProfile:
    weapon: WeaponProfile = by_name("weapon", name, unit.arsenal, source=_called(unit))
    rules_of(weapon)  # a special rule that nothing has is refused here and not in the middle of a battle
    return weapon


def _worn(fighter: Fighter, wear: EarlierDamage, unit: UnitStart) -> Fighter:
    flame = hit_of(_weapon(unit, wear.on_fire)) if wear.on_fire else fighter.condition.on_fire
    condition = replace(fighter.condition, wounds=max(fighter.condition.wounds - wear.lost, 0), on_fire=flame)
    fighter = replace(fighter, condition=condition)
    if not wear.weapon:
        return fighter
    return fighter.with_weapon(replace(fighter.weapon(wear.weapon), state=WeaponState(wear.jams, wear.destroyed)))


def _lying(start: MarkerStart, number: int, sides: tuple[str, ...]) -> PlacedMarker:
    owner = start.owner or sides[0]
    if owner not in sides:
        raise UnknownName("side", owner, sides)
    if start.kind == "none" or (start.x is None) != (start.y is None):
        raise BadInput(
            "a marker is a cloud or a plasma ball, with x and y or with neither.", field="markers", clause="SE-66"
        )
    name = start.name or f"{'Cloud' if start.kind == 'cloud' else 'Plasma ball'} {number}"
    hit = Hit(start.strength, start.damage, start.save_modifier, area=True, weapon=name)
    corners = () if start.x is None or start.y is None else (Point(start.x, start.y),)
    return PlacedMarker(name, kind=start.kind, corners=corners, radius=start.radius, hit=hit, owner=owner)


# --- places ----------------------------------------------------------------------------------------------------------


@clause("SE-10")
def _positions(unit: UnitStart, squad: Sequence[Fighter]) -> Iterator[Position]:
    """Return where the models of a unit stand: one by one, or in a formation; without x and y nowhere."""
    if (unit.x is None) != (unit.y is None):
        message = f"x and y name the place of {_called(unit)} together; got one of them."
        raise BadInput(message, field="x", clause="SE-10")
    bases = setup.arranged(unit, len(squad), squad[0].radius)
    for number, fighter in enumerate(squad):
        yield Position(fighter.name, fighter.side, bases[number : number + 1])


@clause("SE-17", "SE-117")
def _terrain(starts: Sequence[TerrainStart]) -> tuple[Terrain, ...]:
    """Lay the terrain; pieces without a name are numbered."""
    pieces = []
    for number, start in enumerate(starts, 1):
        corners = setup.points_of(start.corners)
        setup.check_outline(corners, start.radius)
        name, kind = start.name or f"Terrain {number}", "impassable" if start.impassable else ""
        pieces.append(Terrain(name, kind, corners, start.radius, start.top, COVERS.index(start.cover)))
    return tuple(pieces)
