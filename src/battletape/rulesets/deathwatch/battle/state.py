"""The state of a battle: fighters and mobs, where they are, how far they can go, and the order of turns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from battletape.rulebook import State as FrozenState
from battletape.rulebook import UnknownName, by_name, clause, replace
from battletape.rulesets.deathwatch.rules import blasts, conditions, movement
from battletape.rulesets.deathwatch.rules.attack.fighters import CarriedWeapon, Fighter, Mob, Overwatch, Unit
from battletape.rulesets.deathwatch.rules.quality_effects import FIELDS, NO_FIELD, HaywireField
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.rulesets.deathwatch.tables.sheet import Moves
from battletape.table import points
from battletape.table.points import Placed, Point

__all__ = ["Fighter", "CarriedWeapon", "Mob", "Unit", "Overwatch"]  # of the rules
ADJACENT = 2.0
"""Metres between two units that can come to blows."""
CONTACT = 1.0
"""Metres left between them after a charge."""


class ZoneEntry(FrozenState, frozen=True):
    """A unit that has just come into a kill zone, with the cover it counts as being in."""

    watcher: str
    target: str
    cover_ap: int = 0
    hidden: tuple[str, ...] = ()


class State(FrozenState, frozen=True, kw_only=True):
    """A battle now."""

    rules: Rulings
    sides: tuple[str, ...]
    fighters: tuple[Fighter, ...] = ()
    mobs: tuple[Mob, ...] = ()
    round: int = 0  # 0: initiative is still to be rolled
    order: tuple[str, ...] = ()
    active: str = ""  # the unit that has its turn
    interrupt: str = ""  # the unit that acts on a delay in it
    entered: tuple[ZoneEntry, ...] = ()
    clouds: tuple[blasts.Cloud, ...] = ()
    cohesion: tuple[tuple[str, int], ...] = ()  # of each side
    most_rounds: int = 20
    notes: tuple[str, ...] = ()  # by hand

    @property
    def units(self) -> tuple[Unit, ...]:
        """All units of the battle."""
        return (*self.fighters, *self.mobs)

    @property
    def present(self) -> tuple[Unit, ...]:
        """All units still there: neither dead nor run away."""
        return tuple(unit for unit in self.units if not is_gone(unit))

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
        """Return a copy with these units changed."""
        by_name = {unit.name: unit for unit in units}
        fighters = tuple(by_name.get(fighter.name, fighter) for fighter in self.fighters)
        mobs = tuple(by_name.get(mob.name, mob) for mob in self.mobs)
        return replace(self, fighters=fighters, mobs=mobs)

    def enemies_of(self, side: str) -> Iterator[Unit]:
        """Yield the units of other sides that are not out."""
        return (unit for unit in self.units if unit.side != side and not unit.is_out)

    def smoke_at(self, unit: Unit) -> bool:
        """Return whether a unit stands in smoke."""
        return any(cloud.kind == "smoke" and distance(cloud, unit) <= cloud.radius for cloud in self.clouds)

    def field_at(self, unit: Unit) -> HaywireField:
        """Return the haywire field about a unit; an insignificant one if there is none."""
        fields = [cloud for cloud in self.clouds if cloud.kind == "haywire" and distance(cloud, unit) <= cloud.radius]
        return FIELDS[fields[-1].strength] if fields else NO_FIELD  # type: ignore[index]


def is_gone(unit: Unit) -> bool:
    """Return whether a unit is dead, run away, or gone from the battle."""
    return unit.is_dead or unit.has_left or (isinstance(unit, Mob) and unit.broken)


def distance(start: Placed, goal: Placed) -> float:
    """Return the metres between two places."""
    return round(points.apart(start, goal), 6)


def bearing(start: Placed, goal: Placed) -> float:
    """Return the bearing from one place to another, clockwise from north; 0 if both are the same."""
    return 0.0 if (start.x, start.y) == (goal.x, goal.y) else points.bearing(start, goal)


def is_adjacent(start: Placed, goal: Placed) -> bool:
    """Return whether two units are close enough to fight in melee."""
    return distance(start, goal) <= ADJACENT


@clause("DW-MOVE-1", "DW-CRIT-2", "DW-QUAL-HAYWIRE")
def moves_of(state: State, unit: Unit) -> Moves:
    """Return the metres of each gait, by Agility, size, wounds and fields that slow power armour."""
    if not isinstance(unit, Fighter):
        return movement.moves(unit.ab)
    less = -state.field_at(unit).movement if unit.sealed else 0
    return movement.moves(unit.ab, unit.profile.size, conditions.is_slowed(unit.conditions), less)


def point_along(start: Placed, goal: Placed, metres: float) -> Point:
    """Return the place so many metres on the way from one place to another."""
    way = points.apart(start, goal)
    place = points.between(start, goal, metres / way if way else 0.0)
    return Point(round(place.x, 3), round(place.y, 3))


def steps(start: Placed, goal: Placed) -> tuple[Placed, ...]:
    """Return places on the way, a metre apart, without the first."""
    return (*(point_along(start, goal, far) for far in range(1, int(points.apart(start, goal)) + 1)), goal)


@clause("DW-ACT-BRACE-HEAVY-WEAPON")
def moved(unit: Unit, to: Placed, **cover: Any) -> Unit:
    """Return a unit at another place, behind other cover if given; its weapons are not braced any more."""
    if isinstance(unit, Fighter):
        weapons = tuple(replace(weapon, braced=False) for weapon in unit.weapons)
        return replace(unit, x=to.x, y=to.y, weapons=weapons, **cover)
    return replace(unit, x=to.x, y=to.y, cover_ap=cover.get("cover_ap", unit.cover_ap))
