"""The state of a battle: fighters and mobs, the field they stand on, how far they can go, and the order of turns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TypeAlias

from battletape.field.clock import Clock
from battletape.field.measure import between_middles
from battletape.field.state import Battlefield, Position
from battletape.rulebook import State as FrozenState
from battletape.rulebook import UnknownName, by_name, clause, need, replace
from battletape.rulesets.deathwatch.rules import conditions, movement
from battletape.rulesets.deathwatch.rules.attack.fighters import (
    CarriedWeapon,
    Cover,
    Done,
    Fighter,
    Mob,
    Overwatch,
    Unit,
)
from battletape.rulesets.deathwatch.rules.quality_effects import FIELDS, NO_FIELD, HaywireField
from battletape.rulesets.deathwatch.rules.terrain import Terrain
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.rulesets.deathwatch.tables.sheet import Moves
from battletape.table import points
from battletape.table.bases import Base
from battletape.table.points import Point

__all__ = ["Fighter", "CarriedWeapon", "Mob", "Unit", "Overwatch", "Done"]  # of the rules
ADJACENT = 2.0
"""Metres between two units that can come to blows."""
CONTACT = 1.0
"""Metres left between them after a charge."""
FIGHTER_RADIUS, MOB_RADIUS = 0.5, 1.5
"""Metres; what touches a mob is adjacent to it, between middles."""
EYES = 2.0
"""Metres from the ground to the eyes and the top of a unit."""
Place: TypeAlias = Unit | Point
"""A unit, for the place where it is, or a place."""


class ZoneEntry(FrozenState, frozen=True):
    """A unit that has just come into a kill zone, with the cover it counts as being in."""

    watcher: str
    target: str
    cover: Cover = (0, ())


class State(FrozenState, frozen=True, kw_only=True):
    """A battle now."""

    rulings: Rulings
    field: Battlefield[Terrain]
    fighters: tuple[Fighter, ...] = ()
    mobs: tuple[Mob, ...] = ()
    clock: Clock  # of units by initiative; turn 0: it is still to be rolled
    interrupt: str = ""  # the unit that acts on a delay in it
    entered: tuple[ZoneEntry, ...] = ()
    cohesion: tuple[tuple[str, int], ...] = ()  # of each side
    mission: str = ""
    notes: tuple[str, ...] = ()  # by hand

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the sides."""
        return self.field.sides

    @property
    def round(self) -> int:
        """The round now; 0 before initiative is rolled."""
        return self.clock.turn

    @property
    def most_rounds(self) -> int:
        """The rounds of the battle, which is over as one more begins."""
        return self.clock.turns - 1

    @property
    def active(self) -> str:
        """The name of the unit that has its turn; empty before initiative is rolled."""
        return self.clock.active if self.round else ""

    @property
    def units(self) -> tuple[Unit, ...]:
        """All units of the battle."""
        return (*self.fighters, *self.mobs)

    @property
    def present(self) -> tuple[Unit, ...]:
        """All units still there: neither dead nor run away."""
        return tuple(unit for unit in self.units if not unit.is_gone)

    @property
    def actor(self) -> str:
        """The name of the unit that may act now."""
        return self.interrupt or self.active

    def find(self, name: str) -> Unit:
        """Return the fighter or mob of this name, or the one that may act; raise UnknownName with the nearest."""
        return by_name("fighter", name if name.strip() else self.actor, self.units)

    def fighter(self, name: str) -> Fighter:
        """Return the fighter of this name; raise UnknownName for a mob."""
        unit = self.find(name)
        if isinstance(unit, Fighter):
            return unit
        raise UnknownName("fighter", name, [fighter.name for fighter in self.fighters])

    def with_units(self, *units: Unit) -> State:
        """Return a copy with these units changed; the dead lie where they fell, and units that leave are off it."""
        by_name, field = {unit.name: unit for unit in units}, self.field
        for unit in units:
            bases = field.position(unit.name).bases
            if bases and not is_there(unit):
                field = field.off_table(unit.name)
                if unit.is_dead:
                    place = (bases[0].centre,)
                    field = field.with_terrain(Terrain(fallen_name(unit), "fallen", place, bases[0].radius, hidden=()))
        fighters = tuple(by_name.get(fighter.name, fighter) for fighter in self.fighters)
        mobs = tuple(by_name.get(mob.name, mob) for mob in self.mobs)
        return replace(self, fighters=fighters, mobs=mobs, field=field)

    def with_new(self, unit: Unit, at: Point) -> State:
        """Return a copy with one more unit, at a place."""
        field = replace(self.field, positions=(*self.field.positions, position_of(unit, at)))
        if isinstance(unit, Mob):
            return replace(self, mobs=(*self.mobs, unit), field=field)
        return replace(self, fighters=(*self.fighters, unit), field=field)

    def with_place(self, unit: Unit, at: Point) -> State:
        """Return a copy with a unit at another place."""
        return replace(self, field=self.field.with_place(unit.name, base_of(unit, at)))

    def with_clouds(self, *clouds: Terrain) -> State:
        """Return a copy with more clouds on the field, each with a name of its own."""
        field = self.field
        for cloud in clouds:
            taken = {piece.name for piece in field.terrain}
            name = next(name for number in count(1) if (name := f"{cloud.kind} {number}") not in taken)
            field = field.with_terrain(replace(cloud, name=name))
        return replace(self, field=field)

    # --- where they are -----------------------------------------------------------------------------------------------

    def at(self, place: Place) -> Point:
        """Return where the middle of a unit is, or where it fell; of a place, the place itself."""
        if isinstance(place, Point):
            return place
        bases = self.field.position(place.name).bases
        if bases:
            return bases[0].centre
        fell = [piece.corners[0] for piece in self.field.terrain if piece.name == fallen_name(place)]
        need(fell, f"{place.name} has left the battle", "DW-ECON-1", "gone")
        return fell[0]

    def metres(self, start: Place, goal: Place) -> float:
        """Return the metres between two units or places."""
        return between_middles(self.at(start), self.at(goal))

    def bearing(self, start: Place, goal: Place) -> float:
        """Return the bearing from one unit or place to another, clockwise from north; 0 if they are at one place."""
        here, there = self.at(start), self.at(goal)
        return 0.0 if here == there else points.bearing(here, there)

    def is_adjacent(self, start: Place, goal: Place) -> bool:
        """Return whether two units are close enough to fight in melee."""
        return self.metres(start, goal) <= ADJACENT

    def enemies_of(self, side: str) -> Iterator[Unit]:
        """Yield the units of other sides that are not out."""
        return (unit for unit in self.units if unit.side != side and not unit.is_out)

    @property
    def clouds(self) -> tuple[Terrain, ...]:
        """The smoke and the haywire fields."""
        return tuple(piece for piece in self.field.terrain if piece.rounds)

    def _clouds_about(self, place: Place, kind: str) -> list[Terrain]:
        clouds = [cloud for cloud in self.field.terrain if cloud.rounds and cloud.kind == kind]
        return [cloud for cloud in clouds if self.metres(cloud.corners[0], place) <= cloud.radius]

    def smoke_at(self, place: Place) -> bool:
        """Return whether a unit or a place is in smoke."""
        return bool(self._clouds_about(place, "smoke"))

    def haywire_at(self, unit: Unit) -> HaywireField:
        """Return the haywire field about a unit; an insignificant one if there is none."""
        fields = self._clouds_about(unit, "haywire")
        return FIELDS[fields[-1].strength] if fields else NO_FIELD  # type: ignore[index]


def is_there(unit: Unit) -> bool:
    """Return whether a unit has a place on the field; a broken horde still has, and may be shot at."""
    return not (unit.is_dead or unit.has_left)


def fallen_name(unit: Unit) -> str:
    """Return the name of the terrain where a unit fell."""
    return f"{unit.name} (fallen)"


def base_of(unit: Unit, at: Point) -> Base:
    """Return the base of a unit at a place."""
    return Base(at, FIGHTER_RADIUS if isinstance(unit, Fighter) else MOB_RADIUS)


def position_of(unit: Unit, at: Point) -> Position:
    """Return a unit at a place, as the field knows it."""
    return Position(unit.name, unit.side, (base_of(unit, at),), top=EYES)


@clause("DW-MOVE-1", "DW-CRIT-2", "DW-QUAL-HAYWIRE")
def moves_of(state: State, unit: Unit) -> Moves:
    """Return the metres of each gait, by Agility, size, wounds and fields that slow power armour."""
    if not isinstance(unit, Fighter):
        return movement.moves(unit.ab)
    less = -state.haywire_at(unit).movement if unit.sealed else 0
    return movement.moves(unit.ab, unit.profile.size, conditions.is_slowed(unit.conditions), less)


def point_along(start: Point, goal: Point, metres: float) -> Point:
    """Return the place so many metres on the way from one place to another, to the millimetre."""
    return to_the_millimetre(points.towards(start, goal, metres))


def to_the_millimetre(place: Point) -> Point:
    """Return a place as it is written."""
    return Point(round(place.x, 3), round(place.y, 3))
