"""Where everything is: units as bases and hulls, terrain, the edge of the table, zones and objectives.

    field = Battlefield[TerrainPiece](sides=("South", "North"), positions=(Position("Squad", "South", bases),))
    field = field.with_place("Squad", *moved)     # other places
    field = field.with_models("Squad", 3)         # losses: the last models leave the table
    field = field.off_table("Squad", RESERVE)     # away from the table

A ruleset keeps one field in its battle state, beside the sheets of its units, and changes both by one function.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Generic, Literal, TypeAlias, TypeVar

from battletape.errors import by_name
from battletape.rulebook import State, replace
from battletape.table.areas import Area, Ground
from battletape.table.bases import Base
from battletape.table.board import Board, is_on_board
from battletape.table.hulls import Hull
from battletape.table.points import Point

Footprint: TypeAlias = Base | Hull
"""What a model or a vehicle covers of the table; distances are measured to it."""
TABLE, ABOARD, RESERVE, OFF = "table", "aboard", "reserve", "off"
"""Where a unit may be; a system may add words of its own, such as those for units that arrive."""
Between: TypeAlias = Literal["rims", "middles"]
"""From where to where a system measures: between the rims of bases and hulls, or between their middles."""
Edge: TypeAlias = Literal["south", "north", "west", "east"]
EDGES: tuple[Edge, ...] = ("south", "north", "west", "east")
"""The home edges of the sides, in the order of play."""


class TerrainPiece(State, frozen=True):
    """A piece of terrain: three corners or more, one and a radius, or no outline; systems subclass it."""

    name: str
    kind: str = ""  # what the rules call it: difficult, impassable, road, wreck, crater
    corners: tuple[Point, ...] = ()
    radius: float = 0.0
    top: float = 0.0  # inches that it rises into lines of sight; 0 is flat
    cover: int = 0  # of units in it and behind it; 0 is none

    @property
    def shape(self) -> Ground:
        """The outline on the table, of terrain that has one."""
        return _shape(self.corners, self.radius)

    @property
    def is_impassable(self) -> bool:
        """Impassable terrain can be neither entered nor crossed."""
        return self.kind == "impassable"


@lru_cache(1024)
def _shape(corners: tuple[Point, ...], radius: float) -> Ground:
    return Area(corners) if len(corners) > 2 else Base(corners[0], radius)


class Position(State, frozen=True):
    """The bases and hulls of a unit on the table; without any its place is unknown, or it is elsewhere.

    A walker on a round base has both: distances are measured to its base, and its hull is seen.
    """

    name: str
    side: str
    bases: tuple[Base, ...] = ()
    hulls: tuple[Hull, ...] = ()
    top: float = 1.0  # inches from the table to its eyes and its top
    cover: int = 0  # that it gives to units behind it; 0: it hides none
    where: str = TABLE
    aboard: str = ""  # the name of the unit that carries it

    @property
    def footprints(self) -> tuple[Footprint, ...]:
        """The bases, or the hulls of a vehicle without a base."""
        return self.bases or self.hulls


class Zone(State, frozen=True):
    """The ground on which a side is deployed."""

    side: str
    area: Area


class Objective(State, frozen=True):
    """A point to hold, by units within reach of it."""

    name: str
    at: Point
    reach: float = 3.0
    worth: int = 1


T = TypeVar("T", bound=TerrainPiece)


class Battlefield(State, Generic[T], frozen=True, kw_only=True):
    """Everything that stands and lies on a table; the home edge of the first side is in the south."""

    sides: tuple[str, ...]
    positions: tuple[Position, ...] = ()
    terrain: tuple[T, ...] = ()
    board: Board | None = None  # a table without edges has none
    zones: tuple[Zone, ...] = ()
    objectives: tuple[Objective, ...] = ()
    unit: Literal["inches", "metres"] = "inches"
    cover_is: Literal["save", "bonus"] = "save"  # the lowest save is best, and the highest bonus
    between: Between = "rims"

    # --- finding ------------------------------------------------------------------------------------------------------

    def position(self, name: str) -> Position:
        """Return the position of the unit of this name, in any case; raise UnknownName with the nearest name."""
        for position in self.positions:
            if position.name == name:
                return position
        return by_name("unit", name, self.positions)

    def footprints(self, *names: str) -> tuple[Footprint, ...]:
        """Return the bases and hulls of these units together."""
        return tuple([footprint for name in names for footprint in self.position(name).footprints])

    def on_table(self, *but: str, side: str = "") -> Iterator[Position]:
        """Return the units that have a place, of one side or of all, except these."""
        for position in self.positions:
            if position.footprints and position.name not in but and side in ("", position.side):
                yield position

    def enemies_of(self, side: str, *but: str) -> Iterator[Position]:
        """Return the units of other sides that have a place, except these."""
        return (position for position in self.on_table(*but) if position.side != side)

    def waiting(self, side: str, where: str = RESERVE) -> tuple[Position, ...]:
        """Return the units of a side that are somewhere off the table."""
        return tuple(position for position in self.positions if position.side == side and position.where == where)

    def passengers(self, carrier: str) -> tuple[Position, ...]:
        """Return the units aboard another."""
        return tuple(position for position in self.positions if position.aboard == carrier)

    def measured_from(self, name: str) -> Position:
        """Return the position that a unit sees and measures from: that of its transport, or its own."""
        position = self.position(name)
        return self.position(position.aboard) if position.aboard else position

    @property
    def laid_terrain(self) -> tuple[T, ...]:
        """The terrain that has an outline."""
        return tuple([piece for piece in self.terrain if piece.corners])

    def terrain_piece(self, name: str) -> T:
        """Return the terrain of this name, in any case; raise UnknownName with the nearest name."""
        return by_name("terrain", name, self.terrain)

    def is_on_board(self, footprint: Footprint) -> bool:
        """Return whether all of a footprint is on the table; without edges there is room everywhere."""
        return self.board is None or is_on_board(self.board, footprint)

    def home_edge(self, side: str) -> Edge:
        """Return the edge of the table that belongs to a side."""
        return EDGES[self.sides.index(side) % len(EDGES)]

    # --- copies with changes ------------------------------------------------------------------------------------------

    def with_positions(self, *positions: Position) -> Battlefield[T]:
        """Return a copy with these units changed."""
        now = {position.name: position for position in positions}
        return replace(self, positions=tuple([now.get(position.name, position) for position in self.positions]))

    def with_place(self, name: str, *footprints: Footprint) -> Battlefield[T]:
        """Return a copy with a unit in another place on the table; without footprints its place is unknown.

        Of a walker on a round base either will do: base and hull keep together.
        """
        position = self.position(name)
        bases = tuple([footprint for footprint in footprints if isinstance(footprint, Base)])
        hulls = tuple([footprint for footprint in footprints if isinstance(footprint, Hull)])
        if position.bases and position.hulls and footprints:
            centres = [footprint.centre for footprint in hulls or bases]
            bases = tuple([replace(base, centre=at) for base, at in zip(position.bases, centres, strict=True)])
            hulls = hulls or tuple([replace(hull, centre=at) for hull, at in zip(position.hulls, centres, strict=True)])
        return self.with_positions(replace(position, bases=bases, hulls=hulls, where=TABLE, aboard=""))

    def with_models(self, name: str, count: int) -> Battlefield[T]:
        """Return a copy with at most this many models left of a unit; the last ones leave the table first."""
        position = self.position(name)
        if len(position.footprints) <= count:
            return self
        return self.with_positions(replace(position, bases=position.bases[:count], hulls=position.hulls[:count]))

    def without_models(self, name: str, fallen: Collection[int]) -> Battlefield[T]:
        """Return a copy without some models of a unit, by their numbers in its footprints."""
        position = self.position(name)
        bases = tuple([base for at, base in enumerate(position.bases) if at not in fallen])
        hulls = tuple([hull for at, hull in enumerate(position.hulls) if at not in fallen])
        return self.with_positions(replace(position, bases=bases, hulls=hulls))

    def off_table(self, name: str, where: str = OFF, aboard: str = "") -> Battlefield[T]:
        """Return a copy with a unit off the table: fled, destroyed, in reserve, or aboard another."""
        return self.with_positions(replace(self.position(name), bases=(), hulls=(), where=where, aboard=aboard))

    def with_terrain(self, *pieces: T) -> Battlefield[T]:
        """Return a copy with more terrain, such as a wreck or a crater; a piece of a known name takes its place."""
        now = {piece.name: piece for piece in pieces}
        kept = [now.pop(piece.name, piece) for piece in self.terrain]
        return replace(self, terrain=(*kept, *now.values()))

    def without_terrain(self, *names: str) -> Battlefield[T]:
        """Return a copy without some terrain, such as a cloud that has blown away."""
        return replace(self, terrain=tuple(piece for piece in self.terrain if piece.name not in names))

    @property
    def without_places(self) -> Battlefield[T]:
        """The sides and units without any place or terrain: what a lens keeps once everything is measured."""
        bare = [Position(each.name, each.side, where=each.where, aboard=each.aboard) for each in self.positions]
        return Battlefield(
            sides=self.sides, positions=tuple(bare), unit=self.unit, cover_is=self.cover_is, between=self.between
        )
