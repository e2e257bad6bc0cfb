"""The start of a battle: sides and units, by the names of profiles or with numbers of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from battletape.cards import Inputs, ProfileBook, as_entry, asked, named_entry
from battletape.field import setup
from battletape.field.state import Position
from battletape.rulebook import BadInput, Meta, UnknownName, clause
from battletape.rulesets.attack_dice.battle.state import (
    BASE_RADIUS,
    BattleUnit,
    CarriedWeapon,
    CoverStat,
    State,
    Terrain,
)
from battletape.rulesets.attack_dice.profiles.book import unit_numbers, weapon_numbers
from battletape.rulesets.attack_dice.profiles.types import Save
from battletape.rulesets.attack_dice.rules.damage import make_ranks
from battletape.rulesets.attack_dice.rules.keywords import keywords_of
from battletape.rulesets.attack_dice.rulings import Rulings

MISSION_TURNS = 5
"""The turns of a game with a mission."""


class UnitStart(setup.Placement, frozen=True):
    """A unit at the start: by the name of a profile, or with numbers of its own."""

    name: str = ""
    profile: str = ""
    models: int = asked(5, ge=1, le=1000)
    hp: int = asked(1, ge=1, le=1000)
    others: tuple[Annotated[int, Meta(ge=1, le=1000)], ...] = ()
    defence: int = asked(3, ge=0, le=100)
    armour: Save | None = None
    aegis: Save | None = None
    weapons: tuple[CarriedWeapon, ...] = ()


class SideStart(Inputs, frozen=True):
    """A side and its units."""

    name: str = ""
    units: tuple[UnitStart, ...] = ()


class TerrainStart(Inputs, frozen=True):
    """A piece of terrain: three corners or more, or one and a radius; it covers units in it and behind it."""

    name: str = ""
    corners: tuple[setup.Spot, ...] = ()
    radius: float = asked(0.0, ge=0, le=60)
    top: float = asked(0.0, "Height", "AD-68", ge=0, le=60)
    stat: CoverStat = asked("defence", "What its cover improves", "AD-58")
    cover: int = asked(0, "Cover bonus", "AD-58", ge=0, le=15)
    impassable: bool = False


class Start(setup.TableStart, frozen=True):
    """The sides of a battle, in turn order; the table and its terrain count for units that have a place on it.

    A game with a mission lasts five turns, unless it says how many.
    """

    unwritten: ClassVar = (*setup.TableStart.unwritten, "terrain")

    sides: tuple[SideStart, ...] = ()
    terrain: tuple[TerrainStart, ...] = ()


def fill_unit(given: Mapping[str, Any], book: ProfileBook) -> Mapping[str, Any]:
    """Write out a unit: the numbers of its profile and of its weapons."""
    if given.get("profile"):
        unit = book.find("unit", str(given["profile"]))
        carried = [{"name": weapon.name, "models": weapon.models} for weapon in unit.weapons]
        numbers = {"name": unit.name, **unit_numbers(unit), "profile": unit.name, "weapons": carried}
        given = {**numbers, **given, "profile": unit.name}
    weapons = given.get("weapons", ())
    if not isinstance(weapons, (list, tuple)):
        return dict(given)
    known = book.entries["weapon"]
    entries = [as_entry(named_entry(weapon, known=known), "name") for weapon in weapons]
    return {**given, "weapons": [_fill_weapon(entry, book) for entry in entries]}


def _fill_weapon(given: Any, book: ProfileBook) -> Any:
    """Write out a weapon by the name of a profile; one with numbers of its own needs none."""
    if not isinstance(given, Mapping):
        return given
    name = str(given.get("name", "")).strip()
    weapons = {own.lower(): weapon for own, weapon in book.entries["weapon"].items()}
    weapon = weapons.get(name.lower())
    if weapon is None:
        if given.keys() <= {"name", "models"}:
            raise UnknownName("weapon", name, book.entries["weapon"])
        return dict(given)
    return {"name": name, **weapon_numbers(weapon), **given} | {"name": weapon.name}


@clause("AD-67")
def begin_battle(start: Start, rulings: Rulings) -> State:
    """Set the sides up; every unit needs a name of its own."""
    if len(start.sides) < 2:
        raise BadInput(f"a battle needs two sides or more; got {len(start.sides)}.", field="sides")
    sides, units, positions = tuple(side.name for side in start.sides), [], []
    for side in start.sides:
        if not side.name or not side.units:
            raise BadInput("a side needs a name and at least one unit.", field="sides")
        for unit in side.units:
            name = unit.name or unit.profile or "Unit"
            ranks = make_ranks(unit.models, unit.hp, unit.others)
            units.append(BattleUnit(name, side.name, unit.defence, ranks, unit.weapons, unit.armour, unit.aegis))
            positions.append(Position(name, side.name, setup.arranged(unit, units[-1].models, BASE_RADIUS)))
            setup.check_names(f"weapon of {name}", [weapon.name for weapon in unit.weapons])
            for weapon in unit.weapons:
                keywords_of(weapon.weapon_class)  # a class without its number is refused here and not in the middle
    setup.check_names("unit", [unit.name for unit in units])
    setup.check_names("side", sides)
    field = setup.lay_out(start, sides, positions, _terrain(start.terrain), "bonus")
    setup.check_places(field, cites="AD-68")
    turns = start.turns or (MISSION_TURNS if start.mission else 0)
    return State(rulings, sides, tuple(units), sides[0], field, start.mission, turns)


@clause("AD-58", "AD-68")
def _terrain(starts: Sequence[TerrainStart]) -> tuple[Terrain, ...]:
    """Lay the terrain; pieces without a name are numbered."""
    pieces = []
    for number, start in enumerate(starts, 1):
        corners = setup.points_of(start.corners)
        setup.check_outline(corners, start.radius)
        name, kind = start.name or f"Terrain {number}", "impassable" if start.impassable else ""
        pieces.append(Terrain(name, kind, corners, start.radius, start.top, start.cover, start.stat))
    setup.check_names("piece of terrain", [piece.name for piece in pieces])
    return tuple(pieces)
