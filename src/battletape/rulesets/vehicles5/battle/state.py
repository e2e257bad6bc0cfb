"""The state of a battle: vehicles and squads on a table, the ground, the active side and the phase."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import hypot
from typing import Any, Literal, Self, TypeAlias

from battletape import rulebook
from battletape.rulebook import by_name, clause, replace
from battletape.rulesets.vehicles5.profiles.book import has_smoke, ways_to_fire
from battletape.rulesets.vehicles5.profiles.types import Fitting, UnitProfile, VehicleProfile, WeaponProfile
from battletape.rulesets.vehicles5.rules import movement, terrain, troops, walkers
from battletape.rulesets.vehicles5.rules.damage import UNDAMAGED, Condition, crash_of, dazed_until, max_repeated_dazes
from battletape.rulesets.vehicles5.rules.keywords import DREADNOUGHT_WEAPON
from battletape.rulesets.vehicles5.rules.traits import Band, Declared, Phase, Relation, Traits
from battletape.rulesets.vehicles5.rules.transports import Solid
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.rulesets.vehicles5.tables.printed import NEVER
from battletape.table import areas, facings, hulls, paths, points
from battletape.table.bases import Base
from battletape.table.board import Board
from battletape.table.distances import overlaps

OFF_TABLE_INCHES = 60.0  # how far the ground beyond the edge is taken to reach
ExitKind: TypeAlias = Literal["", "before_move", "after_move", "emergency"]
"""How a squad left its transport this turn."""


class TerrainPiece(rulebook.State, frozen=True):
    """A piece of ground: three corners or more, or one point and a radius."""

    name: str
    kind: terrain.Terrain
    corners: tuple[points.Point, ...]
    radius: float = 0.0
    top: float = 0.0  # how high it stands in the way of sight; 0 is flat
    cover: int = 0  # the save of those in it and of what it hides: 3 to 6, or 0 for none

    @property
    def ground(self) -> areas.Ground:
        """Return the shape of the ground on the table."""
        return areas.Area(self.corners) if len(self.corners) > 2 else Base(self.corners[0], self.radius)


class MountedWeapon(rulebook.State, frozen=True):
    """A weapon of a vehicle and the ways to fire it; it is intact while its label is in the condition."""

    label: str
    weapons: tuple[WeaponProfile, ...]
    fitting: Fitting
    spent: bool = False


class Vehicle(rulebook.State, frozen=True):
    """A vehicle in play; `condition` holds what lasts, player turns say how long a crew is shaken or stunned."""

    name: str
    side: str
    profile: VehicleProfile
    traits: Traits
    guns: tuple[MountedWeapon, ...]
    hull: hulls.Hull
    condition: Condition
    shaken_until: int = 0
    stunned_until: int = 0
    band: Band = "stationary"
    assault_band: Band = "stationary"
    path: float = 0.0
    displacement: float = 0.0
    on_road: bool = False
    moved: bool = False
    pivoted: bool = False
    declared: Declared = "normal"
    ran: bool = False
    fired_at: str = ""
    locked_with: tuple[str, ...] = ()
    smoke_used: bool = False
    smoke_turn: int = 0
    exit_after_move: bool = False
    finished_move: bool = False
    fought: bool = False  # in this Assault phase
    consolidates: bool = False

    @property
    def is_gone(self) -> bool:
        """Return whether the vehicle is wrecked or exploded."""
        return self.condition.is_destroyed

    @property
    def is_lost(self) -> bool:
        """Return whether the vehicle is destroyed; vehicles do not flee."""
        return self.is_gone

    @property
    def footprint(self) -> Base | hulls.Hull:
        """Return what distances are measured to: the hull or base."""
        return self.hull if self.profile.base is None else Base(self.hull.centre, self.profile.base)

    @property
    def walker_fighter(self) -> walkers.WalkerFighter:
        """Return what stays the same about a walker during a fight."""
        fists = tuple(gun.label for gun in self.guns if any(DREADNOUGHT_WEAPON in way.rules for way in gun.weapons))
        return walkers.walker_fighter(self.profile, fists, self.traits.open_topped, self.name)

    def armour(self, facing: facings.Facing) -> int:
        """Return the armour of a facing."""
        return facings.armour_at(self.profile, facing)

    @clause("V5-MOVE-7")
    def with_move(
        self,
        hull: hulls.Hull,
        band: Band,
        inches: float,
        displacement: float,
        on_road: bool,
        declared: Declared = "normal",
    ) -> Vehicle:
        """Return the vehicle after its move; for assaults the straight way counts."""
        assault_band = movement.assault_band(displacement, self.traits)
        after = replace(self, hull=hull, band=band, assault_band=assault_band, path=inches, displacement=displacement)
        return replace(after, on_road=on_road, moved=True, finished_move=True, declared=declared)


class Squad(rulebook.State, frozen=True):
    """A unit of soldiers in play; the models that carry the plainest weapons, which are listed first, fall first."""

    name: str
    side: str
    profile: UnitProfile
    arsenal: tuple[WeaponProfile, ...]
    models: tuple[Base, ...]
    wounds_lost: int = 0
    weapons_of_fallen: tuple[tuple[str, str], ...] = ()  # gun and blade of each model lost by death or glory
    aboard: str = ""
    boarded: bool = False
    exit_kind: ExitKind = ""
    exit_from: str = ""
    moved: bool = False
    ran: bool = False
    fired_at: str = ""
    fired_no_charge: str = ""  # the weapon fired after which the squad does not charge
    falling_back: bool = False
    fell_back: bool = False
    pinned_until: int = 0
    fought: bool = False  # in this Assault phase
    locked_with: tuple[str, ...] = ()
    consolidates: bool = False
    fled: int = 0  # models that ran off the table
    models_before_shooting: int = 0  # for morale tests by losses in a Shooting phase

    @property
    def is_gone(self) -> bool:
        """Return whether no model is left on the table."""
        return not self.models

    @property
    def is_lost(self) -> bool:
        """Return whether the last model was killed; a squad that ran off the table is gone, but not lost."""
        return self.is_gone and not self.fled

    def with_models(self, models: tuple[Base, ...], wounds_lost: int | None = None) -> Squad:
        """Return the squad with these models left, and wounds on the first of them."""
        wounds = self.wounds_lost if wounds_lost is None else wounds_lost
        return replace(self, models=models, wounds_lost=wounds if models else 0)

    def model_group(self, models: Sequence[Any]) -> troops.ModelGroup:
        """Return these of its models, as hits meet them."""
        profile = self.profile
        return troops.ModelGroup(self.name, len(models), profile.toughness, profile.save or NEVER, profile.wounds)

    def bearers(self, melee: bool = False) -> Iterator[tuple[str, int]]:
        """Return what the models shoot or strike with, and how many do."""
        lost = self.profile.models - len(self.models) - len(self.weapons_of_fallen)
        for carried in self.profile.weapons:
            if (self.fire_modes(carried.name)[0].type == "melee") is melee:
                left = carried.models - sum(casualties[melee] == carried.name for casualties in self.weapons_of_fallen)
                casualties = min(lost, left)
                lost -= casualties
                if left > casualties:
                    yield carried.name, left - casualties

    def fire_modes(self, name: str) -> tuple[WeaponProfile, ...]:
        """Return the ways to fire a weapon: itself, or the missiles of a launcher."""
        return ways_to_fire(name, self.arsenal, self.name)


BattleUnit: TypeAlias = Vehicle | Squad


class State(rulebook.State, frozen=True, kw_only=True):
    """A battle; `turn` counts player turns, and the edge of the first side is in the south."""

    rules: Rulings
    board: Board
    sides: tuple[str, str]
    active: str
    turn: int = 1
    phase: Phase = "movement"
    vehicles: tuple[Vehicle, ...] = ()
    squads: tuple[Squad, ...] = ()
    terrain_pieces: tuple[TerrainPiece, ...] = ()
    max_turns: int = 12

    @property
    def units(self) -> tuple[BattleUnit, ...]:
        """Return all vehicles and squads, destroyed ones too."""
        return (*self.vehicles, *self.squads)

    def find(self, name: str) -> BattleUnit:
        """Return the vehicle or squad of this name; raise UnknownName if there is none."""
        return by_name("unit", name, self.units)

    def vehicle(self, name: str) -> Vehicle:
        """Return the vehicle of this name."""
        return by_name("vehicle", name, self.vehicles)

    def squad(self, name: str) -> Squad:
        """Return the squad of this name."""
        return by_name("squad", name, self.squads)

    def with_units(self, *units: BattleUnit) -> State:
        """Return a copy with these units changed."""
        by_name = {unit.name: unit for unit in units}
        vehicles = tuple(by_name.get(vehicle.name, vehicle) for vehicle in self.vehicles)
        squads = tuple(by_name.get(squad.name, squad) for squad in self.squads)
        return replace(self, vehicles=vehicles, squads=squads)

    def enemy_of(self, side: str) -> str:
        """Return the side of the enemy."""
        return self.sides[side == self.sides[0]]

    @clause("V5-DMG-1", "V5-DMG-2", "V5-SKIM-7")
    def condition(self, vehicle: Vehicle) -> Condition:
        """Return a vehicle's condition now: shaken and stunned by the turn, a crash by its speed."""
        if vehicle.is_gone:
            return vehicle.condition
        return replace(
            vehicle.condition,
            shaken=vehicle.shaken_until >= self.turn,
            stunned=vehicle.stunned_until >= self.turn,
            crash=crash_of(vehicle.traits, vehicle.band, self.rules),
            max_repeats=max_repeated_dazes(self.rules) or 1,
            in_batch=self.rules.volley_order == "batch",
        )

    def condition_before_turn(self, vehicle: Vehicle) -> Condition:
        """Return a vehicle's condition without shaken and stunned, so that new ones show."""
        return replace(self.condition(vehicle), shaken=False, stunned=False, max_repeats=max_repeated_dazes(self.rules))

    @clause("V5-DMG-1", "V5-DMG-2", "V5-CUMUL")
    def with_damage(self, vehicle: Vehicle, after: Condition, before: Condition | None = None) -> Vehicle:
        """Return a vehicle after new damage."""
        ends = (vehicle.shaken_until, vehicle.stunned_until)
        own_turn = vehicle.side == self.active
        shaken, stunned = dazed_until(ends, before or UNDAMAGED, after, self.turn, own_turn, self.rules)
        lasting = replace(
            after,
            shaken=False,
            stunned=False,
            crash="no",
            max_repeats=0,
            shaken_again=0,
            stunned_again=0,
            in_batch=False,
        )
        return replace(vehicle, condition=lasting, shaken_until=shaken, stunned_until=stunned)

    def situation(self, vehicle: Vehicle) -> movement.Situation:
        """Return what a vehicle is and has done this turn."""
        aboard = self.passengers(vehicle)
        boarded = any(squad.boarded for squad in aboard)
        return movement.Situation(
            vehicle.traits,
            self.condition(vehicle),
            vehicle.band,
            vehicle.declared,
            has_smoke(vehicle.profile),
            vehicle.smoke_used,
            vehicle.smoke_turn == self.turn,
            vehicle.ran,
            bool(vehicle.fired_at),
            sum(len(squad.models) for squad in aboard),
            vehicle.profile.fire_points,
            vehicle.path > 0,
            unit_left=vehicle.exit_after_move,
            will_not_move=vehicle.finished_move,
            given_phase=self.phase,
            rulings=self.rules,
            name=vehicle.name,
            locked_with=", ".join(vehicle.locked_with[:1]),
            unit_got_in_or_out=boarded or vehicle.name in [squad.exit_from for squad in self.squads],
        )

    @clause("V5-SMOKE-3")
    def in_smoke(self, vehicle: Vehicle) -> bool:
        """Return whether smoke hangs about a vehicle now."""
        return vehicle.smoke_turn > 0 and movement.smoke_is_active(vehicle.smoke_turn, (self.turn, self.phase))

    def passengers(self, vehicle: Vehicle) -> tuple[Squad, ...]:
        """Return the squads aboard a vehicle."""
        return tuple(squad for squad in self.squads if squad.aboard == vehicle.name and not squad.is_gone)

    def on_table(self, *but: str) -> Iterator[BattleUnit]:
        """Return vehicles and squads that stand on the table, except these."""
        units: tuple[BattleUnit, ...] = (*self.intact, *self.on_foot)
        for unit in units:
            if not unit.is_gone and unit.name not in but:
                yield unit

    @property
    def intact(self) -> list[Vehicle]:
        """Return the vehicles that are not destroyed."""
        return [vehicle for vehicle in self.vehicles if not vehicle.is_gone]

    @property
    def on_foot(self) -> list[Squad]:
        """Return the squads that are not aboard."""
        return [squad for squad in self.squads if not squad.aboard]

    def enemy_footprints(self, unit: BattleUnit) -> Iterator[Base | hulls.Hull]:
        """Return hulls and bases of the other side."""
        return self.footprints_on_table(side=self.enemy_of(unit.side))

    def footprints_on_table(self, *but: str, side: str = "") -> Iterator[Base | hulls.Hull]:
        """Return hulls and bases on the table, of one side or of both."""
        for unit in self.on_table(*but):
            if not side or unit.side == side:
                yield from footprints(unit)

    @clause("V5-TERR-4", "V5-CORE-22")
    def stands_on_model(self, vehicle: Vehicle) -> bool:
        """Return whether a vehicle would stand on any other model."""
        near = near_hull(vehicle.hull, vehicle.profile.base or 0.0, self.footprints_on_table(vehicle.name))
        return bool(paths.stood_on(vehicle.footprint, near))

    def terrain_of_kind(self, kind: terrain.Terrain) -> list[areas.Ground]:
        """Return the ground of this kind."""
        return [piece.ground for piece in self.terrain_pieces if piece.kind == kind]

    @property
    def areas_off_table(self) -> tuple[areas.Area, ...]:
        """Return the ground beyond the four edges of the table."""
        wide, deep = self.board.width, self.board.depth
        east, north = wide + OFF_TABLE_INCHES, deep + OFF_TABLE_INCHES
        return (
            areas.rectangle(-OFF_TABLE_INCHES, -OFF_TABLE_INCHES, 0, north),
            areas.rectangle(wide, -OFF_TABLE_INCHES, east, north),
            areas.rectangle(-OFF_TABLE_INCHES, -OFF_TABLE_INCHES, east, 0),
            areas.rectangle(-OFF_TABLE_INCHES, deep, east, north),
        )

    def obstacles(self, *but: str, side: str = "") -> list[Solid]:
        """Return what no model can stand on: models, impassable ground, and all off the table."""
        return [*self.footprints_on_table(*but, side=side), *self.terrain_of_kind("impassable"), *self.areas_off_table]

    def terrain_near(self, hull: hulls.Hull, way: float) -> list[TerrainPiece]:
        """Return the ground that a hull may reach within so many inches."""
        return [piece for piece in self.terrain_pieces if near_hull(hull, way, (piece.ground,))]

    @clause("V5-TERR-2", "V5-SKIM-3")
    def areas_on(self, vehicle: Vehicle, goals: Sequence[points.Point], end: hulls.Hull) -> list[terrain.Area]:
        """Return the ground on the way of a vehicle, or where a skimmer starts or lands."""
        areas: list[terrain.Area] = []
        hull = vehicle.hull
        for piece in self.terrain_near(hull, paths.path_length((hull.centre, *goals))):
            starts, ends = (overlaps(place, piece.ground) for place in (hull, end))
            spans = paths.hull_spans_along(hull, goals, (piece.ground,))
            if spans or (vehicle.traits.skimmer and (starts or ends)):
                relation: Relation = "starting" if starts else "landing" if ends else "through"
                areas.append((piece.kind, relation, spans[0][0] if spans else 0.0))
        return areas

    def on_road(self, path: Sequence[points.Point]) -> bool:
        """Return whether a whole path lies on roads."""
        road = self.terrain_of_kind("road")
        return bool(road) and paths.is_wholly_on(path, road)


class PendingAction(rulebook.State, frozen=True):
    """An action in progress: the battle so far, and the unit that acts."""

    state: State
    unit: str

    @property
    def vehicle(self) -> Vehicle:
        """Return the vehicle that acts."""
        return self.state.vehicle(self.unit)

    def with_units(self, *units: BattleUnit, **more: Any) -> Self:
        """Return a copy with these units changed."""
        return replace(self, state=self.state.with_units(*units), **more)


def footprints(unit: BattleUnit) -> tuple[Base | hulls.Hull, ...]:
    """Return the bases or the hull of a unit, to measure distances to."""
    return (unit.footprint,) if isinstance(unit, Vehicle) else unit.models


def near_point(point: points.Point, reach: float, things: Iterable[Solid]) -> list[Solid]:
    """Return the things that may be this close: a rough look, before any is measured."""
    return [thing for thing in things if _min_distance(point, thing) <= reach]


def near_hull(hull: hulls.Hull, inches: float, things: Iterable[Solid]) -> list[Solid]:
    """Return the things that may be so many inches from a hull."""
    return near_point(hull.centre, inches + _half_diagonal(hull), things)


def _min_distance(point: points.Point, thing: Solid) -> float:
    """Return a distance that is no more than the true one."""
    if isinstance(thing, areas.Area):
        xs = [corner.x for corner in thing.outline]
        ys = [corner.y for corner in thing.outline]
        east = max(min(xs) - point.x, 0, point.x - max(xs))
        north = max(min(ys) - point.y, 0, point.y - max(ys))
        return hypot(east, north)
    size = thing.radius if isinstance(thing, Base) else _half_diagonal(thing)
    return hypot(thing.centre.x - point.x, thing.centre.y - point.y) - size


def _half_diagonal(hull: hulls.Hull) -> float:
    return hypot(hull.length, hull.width) / 2


@clause("V5-CORE-8")
def after_losses(squad: Squad, loss: troops.Loss, models_hit: Sequence[int]) -> Squad:
    """Return a squad without its casualties, taken from the hit models, last model first."""
    fallen = set(models_hit[len(models_hit) - loss.models :])
    models = tuple(base for index, base in enumerate(squad.models) if index not in fallen)
    return squad.with_models(models, loss.wounds_on_next)
