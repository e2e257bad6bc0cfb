"""The state of a battle: a sheet for each vehicle and squad, the field they stand on, the active side and the phase."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, Self, TypeAlias, TypeVar

from battletape import rulebook
from battletape.field import moves
from battletape.field import state as field_state
from battletape.field.boxes import Box, box_of, meet
from battletape.field.clock import Clock
from battletape.field.state import Battlefield, Footprint, Position
from battletape.rulebook import by_name, clause, replace
from battletape.rulesets.vehicles5.profiles.book import has_smoke, ways_to_fire
from battletape.rulesets.vehicles5.profiles.types import Fitting, UnitProfile, VehicleProfile, WeaponProfile
from battletape.rulesets.vehicles5.rules import movement, terrain, troops, walkers
from battletape.rulesets.vehicles5.rules.damage import UNDAMAGED, Condition, crash_of, dazed_until, max_repeated_dazes
from battletape.rulesets.vehicles5.rules.keywords import DREADNOUGHT_WEAPON
from battletape.rulesets.vehicles5.rules.traits import PHASES, Band, Declared, Phase, Relation, Traits
from battletape.rulesets.vehicles5.rules.transports import Solid
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.rulesets.vehicles5.tables.printed import NEVER
from battletape.table import areas, facings
from battletape.table.bases import Base
from battletape.table.board import Board
from battletape.table.distances import overlaps
from battletape.table.hulls import Hull
from battletape.table.paths import is_wholly_on
from battletape.table.points import Point

ExitKind: TypeAlias = Literal["", "before_move", "after_move", "emergency"]
"""How a squad left its transport this turn."""


class TerrainPiece(field_state.TerrainPiece, frozen=True, kw_only=True):
    """A piece of terrain; its cover is a save of 3 to 6, or 0 for none."""

    kind: terrain.Terrain = "difficult"


class MountedWeapon(rulebook.State, frozen=True):
    """A weapon of a vehicle and the ways to fire it; it is intact while its label is in the condition."""

    label: str
    weapons: tuple[WeaponProfile, ...]
    fitting: Fitting
    spent: bool = False


class Done(rulebook.State, frozen=True):
    """What a unit has done in its turn; its next one begins with nothing done."""

    moved: bool = False
    ran: bool = False
    fired_at: str = ""
    # vehicles
    band: Band = "stationary"
    assault_band: Band = "stationary"
    path: float = 0.0
    displacement: float = 0.0
    on_road: bool = False
    pivoted: bool = False
    declared: Declared = "normal"
    finished_move: bool = False
    exit_after_move: bool = False  # of a squad
    # squads
    boarded: bool = False
    exit_kind: ExitKind = ""
    exit_from: str = ""
    fired_no_charge: str = ""  # the weapon fired after which the squad does not charge
    fell_back: bool = False


class Vehicle(rulebook.State, frozen=True):
    """The sheet of a vehicle; `condition` holds what lasts, player turns say how long a crew is shaken or stunned."""

    name: str
    side: str
    profile: VehicleProfile
    traits: Traits
    guns: tuple[MountedWeapon, ...]
    condition: Condition
    shaken_until: int = 0
    stunned_until: int = 0
    locked_with: tuple[str, ...] = ()
    smoke_used: bool = False
    smoke_turn: int = 0
    done: Done = Done()
    fought: bool = False  # in this Assault phase
    consolidates: bool = False

    @property
    def is_gone(self) -> bool:
        """Return whether the vehicle is wrecked or exploded."""
        return self.condition.is_destroyed

    @property
    def models(self) -> int:
        """Count the models left: a vehicle is one."""
        return int(not self.is_gone)

    @property
    def is_lost(self) -> bool:
        """Return whether the vehicle is destroyed; vehicles do not flee."""
        return self.is_gone

    def footprint_at(self, hull: Hull) -> Footprint:
        """Return what distances are measured to where the hull is there: the hull, or the base of a walker."""
        return hull if self.profile.base is None else Base(hull.centre, self.profile.base)

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
        self, band: Band, inches: float, displacement: float, on_road: bool, declared: Declared = "normal"
    ) -> Vehicle:
        """Return the vehicle after its move; for assaults the straight way counts."""
        assault_band = movement.assault_band(displacement, self.traits)
        return did(
            self,
            band=band,
            assault_band=assault_band,
            path=inches,
            displacement=displacement,
            on_road=on_road,
            moved=True,
            finished_move=True,
            declared=declared,
        )


class Squad(rulebook.State, frozen=True):
    """The sheet of a unit of soldiers; those with the plainest weapons, which are listed first, fall first."""

    name: str
    side: str
    profile: UnitProfile
    arsenal: tuple[WeaponProfile, ...]
    models: int
    wounds_lost: int = 0
    weapons_of_fallen: tuple[tuple[str, str], ...] = ()  # gun and blade of each model lost by death or glory
    done: Done = Done()
    falling_back: bool = False
    pinned_until: int = 0
    fought: bool = False  # in this Assault phase
    locked_with: tuple[str, ...] = ()
    consolidates: bool = False
    fled: int = 0  # models that ran off the table
    models_before_shooting: int = 0  # for morale tests by losses in a Shooting phase

    @property
    def is_gone(self) -> bool:
        """Return whether no model is left in play."""
        return not self.models

    @property
    def is_lost(self) -> bool:
        """Return whether the last model was killed; a squad that ran off the table is gone, but not lost."""
        return self.is_gone and not self.fled

    def with_models(self, models: int, wounds_lost: int | None = None) -> Squad:
        """Return the squad with so many models left, and wounds on the first of them."""
        wounds = self.wounds_lost if wounds_lost is None else wounds_lost
        return replace(self, models=models, wounds_lost=wounds if models else 0)

    def model_group(self, models: int) -> troops.ModelGroup:
        """Return so many of its models, as hits meet them."""
        profile = self.profile
        return troops.ModelGroup(self.name, models, profile.toughness, profile.save or NEVER, profile.wounds)

    def bearers(self, melee: bool = False) -> Iterator[tuple[str, int]]:
        """Return what the models shoot or strike with, and how many do."""
        lost = self.profile.models - self.models - len(self.weapons_of_fallen)
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
U = TypeVar("U", bound=Vehicle | Squad)


def did(unit: U, **deeds: Any) -> U:
    """Return a unit that has also done this in its turn."""
    return replace(unit, done=replace(unit.done, **deeds))


class State(rulebook.State, frozen=True, kw_only=True):
    """A battle: rulings, the field, the sheets of its units, the time, and the mission."""

    rulings: Rulings
    field: Battlefield[TerrainPiece]
    clock: Clock
    vehicles: tuple[Vehicle, ...] = ()
    squads: tuple[Squad, ...] = ()
    max_turns: int = 12  # player turns
    mission: str = ""

    @property
    def active(self) -> str:
        """The side whose player turn it is."""
        return self.clock.active

    @property
    def turn(self) -> int:
        """The number of the player turn."""
        return self.clock.player_turn

    @property
    def phase(self) -> Phase:
        """The phase of the player turn."""
        return PHASES[self.clock.step]

    @property
    def is_out_of_time(self) -> bool:
        """Return whether the last player turn is over."""
        return self.clock.over or self.turn > self.max_turns

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

    @property
    def board(self) -> Board:
        """The table; here it always has edges."""
        assert self.field.board is not None
        return self.field.board

    def enemy_of(self, side: str) -> str:
        """Return the side of the enemy."""
        return self.field.sides[side == self.field.sides[0]]

    # --- copies with changes ------------------------------------------------------------------------------------------

    def with_units(self, *units: BattleUnit) -> State:
        """Return a copy with these units changed; lost models of squads leave the table, the last ones first."""
        by_name, field = {unit.name: unit for unit in units}, self.field
        for unit in units:
            if isinstance(unit, Squad):
                field = field.with_models(unit.name, unit.models)
        vehicles = tuple(by_name.get(vehicle.name, vehicle) for vehicle in self.vehicles)
        squads = tuple(by_name.get(squad.name, squad) for squad in self.squads)
        return replace(self, vehicles=vehicles, squads=squads, field=field)

    @clause("V5-CORE-8")
    def with_losses(self, squad: Squad, loss: troops.Loss, models_hit: Sequence[int]) -> State:
        """Return a copy without the casualties of a squad, taken from the hit models, last model first."""
        fallen = models_hit[len(models_hit) - loss.models :]
        left = replace(self, field=self.field.without_models(squad.name, fallen)) if fallen else self
        return left.with_units(squad.with_models(squad.models - loss.models, loss.wounds_on_next))

    def with_place(self, name: str, *footprints: Footprint) -> State:
        """Return a copy with a unit in another place."""
        return replace(self, field=self.field.with_place(name, *footprints))

    def with_only(self, *units: BattleUnit, places: bool = True) -> State:
        """Return a copy that has forgotten all other units, and all places and terrain if these are not wanted."""
        names = {unit.name for unit in units}
        kept = tuple(position for position in self.field.positions if position.name in names)
        field = replace(self.field, positions=kept)
        vehicles = tuple(unit for unit in units if isinstance(unit, Vehicle))
        squads = tuple(unit for unit in units if isinstance(unit, Squad))
        return replace(self, vehicles=vehicles, squads=squads, field=field if places else field.without_places)

    # --- conditions ---------------------------------------------------------------------------------------------------

    @clause("V5-DMG-1", "V5-DMG-2", "V5-SKIM-7")
    def condition(self, vehicle: Vehicle) -> Condition:
        """Return a vehicle's condition now: shaken and stunned by the turn, a crash by its speed."""
        if vehicle.is_gone:
            return vehicle.condition
        return replace(
            vehicle.condition,
            shaken=vehicle.shaken_until >= self.turn,
            stunned=vehicle.stunned_until >= self.turn,
            crash=crash_of(vehicle.traits, vehicle.done.band, self.rulings),
            max_repeats=max_repeated_dazes(self.rulings) or 1,
            in_batch=self.rulings.volley_order == "batch",
        )

    def condition_before_turn(self, vehicle: Vehicle) -> Condition:
        """Return a vehicle's condition without shaken and stunned, so that new ones show."""
        return replace(
            self.condition(vehicle), shaken=False, stunned=False, max_repeats=max_repeated_dazes(self.rulings)
        )

    @clause("V5-DMG-1", "V5-DMG-2", "V5-CUMUL")
    def with_damage(self, vehicle: Vehicle, after: Condition, before: Condition | None = None) -> Vehicle:
        """Return a vehicle after new damage."""
        ends = (vehicle.shaken_until, vehicle.stunned_until)
        own_turn = vehicle.side == self.active
        shaken, stunned = dazed_until(ends, before or UNDAMAGED, after, self.turn, own_turn, self.rulings)
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
        boarded = any(squad.done.boarded for squad in aboard)
        return movement.Situation(
            vehicle.traits,
            self.condition(vehicle),
            vehicle.done.band,
            vehicle.done.declared,
            has_smoke(vehicle.profile),
            vehicle.smoke_used,
            vehicle.smoke_turn == self.turn,
            vehicle.done.ran,
            bool(vehicle.done.fired_at),
            sum(squad.models for squad in aboard),
            vehicle.profile.fire_points,
            vehicle.done.path > 0,
            unit_left=vehicle.done.exit_after_move,
            will_not_move=vehicle.done.finished_move,
            given_phase=self.phase,
            rulings=self.rulings,
            name=vehicle.name,
            locked_with=", ".join(vehicle.locked_with[:1]),
            unit_got_in_or_out=boarded or vehicle.name in [squad.done.exit_from for squad in self.squads],
        )

    @clause("V5-SMOKE-3")
    def in_smoke(self, vehicle: Vehicle) -> bool:
        """Return whether smoke hangs about a vehicle now."""
        return vehicle.smoke_turn > 0 and movement.smoke_is_active(vehicle.smoke_turn, (self.turn, self.phase))

    # --- places -------------------------------------------------------------------------------------------------------

    def hull(self, name: str) -> Hull:
        """Return the hull of a vehicle on the table."""
        return self.field.position(name).hulls[0]

    def bases(self, name: str) -> tuple[Base, ...]:
        """Return the models of a squad on the table."""
        return self.field.position(name).bases

    def transport_of(self, name: str) -> str:
        """Return the name of the vehicle that a squad is aboard; empty if it is aboard none."""
        return self.field.position(name).aboard

    def passengers(self, vehicle: Vehicle) -> tuple[Squad, ...]:
        """Return the squads aboard a vehicle."""
        aboard = {position.name for position in self.field.passengers(vehicle.name)}
        return tuple(squad for squad in self.squads if squad.name in aboard and not squad.is_gone)

    def on_table(self, *but: str) -> Iterator[BattleUnit]:
        """Return vehicles and squads that stand on the table, except these."""
        placed = {position.name for position in self.field.on_table(*but)}
        return (unit for unit in self.units if unit.name in placed and not unit.is_gone)

    @property
    def on_foot(self) -> list[Squad]:
        """Return the squads that are not aboard."""
        return [squad for squad in self.squads if not self.transport_of(squad.name)]

    @property
    def destroyed(self) -> tuple[str, ...]:
        """Return the vehicles that are destroyed; until they are replaced they stand on the table, in no one's way."""
        return tuple(vehicle.name for vehicle in self.vehicles if vehicle.is_gone)

    def obstacles(self, *but: str, side: str = "") -> tuple[Solid, ...]:
        """Return what no model can stand on: models, impassable ground, and all off the table."""
        return moves.solid_shapes(self.field, *but, *self.destroyed, side=side)

    def enemy_footprints(self, side: str) -> tuple[Footprint, ...]:
        """Return hulls and bases of the enemies of a side."""
        enemies = self.field.enemies_of(side, *self.destroyed)
        return tuple(footprint for position in enemies for footprint in position.footprints)

    def near(self, around: Box, inches: float, *but: str) -> list[Position]:
        """Return the units that may be so many inches from a box: a rough look before anything is measured."""
        return [each for each in self.field.on_table(*but) if meet(around, box_of(each.footprints), inches)]

    @clause("V5-TERR-4", "V5-CORE-22")
    def stands_on_model(self, vehicle: Vehicle, hull: Hull) -> bool:
        """Return whether a vehicle would stand on any other model there."""
        footprint = vehicle.footprint_at(hull)
        near = self.near(box_of((footprint,)), 0, vehicle.name)
        return any(overlaps(footprint, other) for position in near for other in position.footprints)

    def terrain_of_kind(self, kind: terrain.Terrain) -> list[areas.Ground]:
        """Return the ground of this kind."""
        return [piece.shape for piece in self.field.laid_terrain if piece.kind == kind]

    @clause("V5-TERR-2", "V5-SKIM-3")
    def terrain_on_way(self, traits: Traits, hull: Hull, goals: Sequence[Point], end: Hull) -> list[terrain.Area]:
        """Return the terrain on the way of a vehicle, or where a skimmer starts or lands."""
        areas: list[terrain.Area] = []
        way = moves.crossings(self.field, (hull,), ((hull.centre, *goals),), "bases")
        below = moves.crossings(self.field, (end,), ((end.centre,),), "bases") if traits.skimmer else ()
        landing = [crossing.terrain for crossing in below]
        for crossing in way:
            starts, ends, spans = crossing.starts[0], crossing.terrain in landing, crossing.spans[0]
            if spans or (traits.skimmer and (starts or ends)):
                relation: Relation = "starting" if starts else "landing" if ends else "through"
                areas.append((crossing.terrain.kind, relation, spans[0][0] if spans else 0.0))
        missed = [piece for piece in landing if piece not in [crossing.terrain for crossing in way]]
        return [*areas, *((piece.kind, "landing", 0.0) for piece in missed)]  # a last turn brings it over these

    def on_road(self, path: Sequence[Point]) -> bool:
        """Return whether a whole path lies on roads."""
        road = self.terrain_of_kind("road")
        return bool(road) and is_wholly_on(path, road)


class PendingAction(rulebook.State, frozen=True):
    """An action in progress: the battle so far, and the unit that acts."""

    state: State
    unit: str

    @property
    def vehicle(self) -> Vehicle:
        """Return the vehicle that acts."""
        return self.state.vehicle(self.unit)

    @property
    def hull(self) -> Hull:
        """Return the hull of the vehicle that acts."""
        return self.state.hull(self.unit)

    def with_units(self, *units: BattleUnit, **more: Any) -> Self:
        """Return a copy with these units changed."""
        return replace(self, state=self.state.with_units(*units), **more)
