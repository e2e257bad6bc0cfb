"""What stands where: units as bases and hulls, terrain, the edge of the table, zones and objectives."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from battletape.errors import by_name
from battletape.table.areas import Area, Ground
from battletape.table.bases import Base
from battletape.table.board import Board, is_on_board
from battletape.table.hulls import Hull
from battletape.table.points import Point

Footprint: TypeAlias = Base | Hull
TABLE, ABOARD, OFF = "table", "aboard", "off"
"""Where a unit may be; a system adds its own words for those who wait, such as reserve."""


class Terrain(Struct, frozen=True, cache_hash=True):
    """A piece of ground: three corners or more, one and a radius, or no outline; systems add what it does."""

    name: str
    kind: str = ""  # what it is to the rules: difficult, impassable, road, wreck, crater
    corners: tuple[Point, ...] = ()
    radius: float = 0.0
    top: float = 0.0  # how high it stands in the way of sight; 0 is flat
    cover: int = 0  # the save of those in it and of what it hides; 0 is none

    @property
    def shape(self) -> Ground:
        """Its outline on the table; only of terrain that has one."""
        return _shape(self.corners, self.radius)

    @property
    def bars(self) -> bool:
        """Whether no model may stand in it or go through it."""
        return self.kind == "impassable"


@lru_cache(1024)
def _shape(corners: tuple[Point, ...], radius: float) -> Ground:
    return Area(corners) if len(corners) > 2 else Base(corners[0], radius)


class Stand(Struct, frozen=True, cache_hash=True):
    """A unit as the table knows it; without bases and hulls it has no place, whether or not it is on the table.

    A machine on a round base has both: its base is measured to and stood on, its hull is looked at.
    """

    name: str
    side: str
    bases: tuple[Base, ...] = ()
    hulls: tuple[Hull, ...] = ()
    top: float = 1.0  # inches to its eyes and its top
    cover: int = 0  # that it gives to what it hides; 0: it hides nothing
    where: str = TABLE
    aboard: str = ""

    @property
    def footprints(self) -> tuple[Footprint, ...]:
        """What of it stands on the table."""
        return (self.bases or self.hulls) if self.where == TABLE else ()


class Zone(Struct, frozen=True, cache_hash=True):
    """Where a side sets up."""

    side: str
    area: Area


class Objective(Struct, frozen=True, cache_hash=True):
    """A point to hold: units count that are within reach of it."""

    name: str
    at: Point
    reach: float = 3.0
    worth: int = 1


T = TypeVar("T", bound=Terrain)


class Field(Struct, Generic[T], frozen=True, cache_hash=True, kw_only=True):
    """Everything that lies and stands on a table; `sides` in the order of play, the first one's edge in the south."""

    sides: tuple[str, ...]
    stands: tuple[Stand, ...] = ()
    terrain: tuple[T, ...] = ()
    board: Board | None = None  # a field without edges has none
    zones: tuple[Zone, ...] = ()
    objectives: tuple[Objective, ...] = ()
    unit: Literal["inches", "metres"] = "inches"

    def stand(self, name: str) -> Stand:
        """The unit of this name, in any case; raises UnknownName with the nearest one."""
        for stand in self.stands:
            if stand.name == name:
                return stand
        return by_name("unit", name, self.stands)

    def on_table(self, *but: str, side: str = "") -> Iterator[Stand]:
        """The units that have a place on the table, of one side or of all, but for these."""
        for stand in self.stands:
            here = stand.where == TABLE and (stand.bases or stand.hulls)
            if here and stand.name not in but and (not side or stand.side == side):
                yield stand

    def footprints(self, *but: str, side: str = "") -> Iterator[Footprint]:
        """The bases and hulls of those units."""
        for stand in self.on_table(*but, side=side):
            yield from stand.footprints

    def enemies_of(self, side: str, *but: str) -> Iterator[Stand]:
        """The units of every other side."""
        return (stand for stand in self.on_table(*but) if stand.side != side)

    @property
    def outlined_terrain(self) -> tuple[T, ...]:
        """The terrain that has an outline on the table."""
        return tuple([piece for piece in self.terrain if piece.corners])

    def passengers(self, carrier: str) -> tuple[Stand, ...]:
        """Who is aboard a unit."""
        return tuple(stand for stand in self.stands if stand.aboard == carrier and stand.where == ABOARD)

    def measured_from(self, name: str) -> Stand:
        """Where a unit looks and measures from: what it rides in, or itself."""
        stand = self.stand(name)
        return self.stand(stand.aboard) if stand.aboard else stand

    def is_on(self, thing: Footprint) -> bool:
        """Whether a thing is on the table with all its parts; a field without edges has room for everything."""
        return self.board is None or is_on_board(self.board, thing)

    def home(self, side: str) -> float:
        """The bearing of a side's own edge."""
        return 180.0 if side == self.sides[0] else 0.0

    # --- changes ------------------------------------------------------------------------------------------------------

    def with_stands(self, *stands: Stand) -> Field[T]:
        """The same field with these units as they are now."""
        now = {stand.name: stand for stand in stands}
        return replace(self, stands=tuple([now.get(stand.name, stand) for stand in self.stands]))

    def with_place(self, name: str, *things: Footprint) -> Field[T]:
        """A unit in other places."""
        bases = tuple(thing for thing in things if isinstance(thing, Base))
        hulls = tuple(thing for thing in things if isinstance(thing, Hull))
        return self.with_stands(replace(self.stand(name), bases=bases, hulls=hulls, where=TABLE, aboard=""))

    def without_models(self, name: str, fallen: Collection[int]) -> Field[T]:
        """A unit after the loss of some of its models, by their place in the list; those without places lose none."""
        stand = self.stand(name)
        return self.with_stands(
            replace(stand, bases=tuple(base for at, base in enumerate(stand.bases) if at not in fallen))
        )

    def with_models(self, name: str, count: int) -> Field[T]:
        """A unit of which so many models are left; the last fall first.

        Models that come back have no place, so the whole unit loses its place until it is put somewhere.
        """
        stand = self.stand(name)
        if len(stand.bases) in (0, count):
            return self
        return self.with_stands(replace(stand, bases=stand.bases[:count] if count < len(stand.bases) else ()))

    def off_table(self, name: str, where: str = OFF, aboard: str = "") -> Field[T]:
        """A unit off the table: fled, in reserve, aboard another."""
        return self.with_stands(replace(self.stand(name), bases=(), hulls=(), where=where, aboard=aboard))

    def ruined(self, name: str, *left: T) -> Field[T]:
        """A unit that is destroyed, and the terrain it leaves: a wreck, a crater, or none."""
        gone = self.off_table(name)
        return replace(gone, terrain=(*gone.terrain, *left))

    @property
    def without_places(self) -> Field[T]:
        """The same sides and names with no place: what a lens keeps once everything is measured."""
        bare = tuple(Stand(stand.name, stand.side, where=stand.where, aboard=stand.aboard) for stand in self.stands)
        return Field(sides=self.sides, stands=bare, unit=self.unit)
