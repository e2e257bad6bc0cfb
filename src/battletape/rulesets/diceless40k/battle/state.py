"""The state of a battle: the sheets of squads and vehicles, the players' tokens, the field, and whose turn it is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from battletape import rulebook
from battletape.field.clock import Clock
from battletape.field.measure import least_gap
from battletape.field.state import ABOARD, OFF, TABLE, Battlefield, Footprint, TerrainPiece
from battletape.rulebook import UnknownName, clause, replace
from battletape.rulesets.diceless40k.profiles.types import VehicleProfile, WeaponProfile
from battletape.rulesets.diceless40k.rules import characteristics
from battletape.rulesets.diceless40k.rules.casualties import Target
from battletape.rulesets.diceless40k.rules.damage_rows import NO_LINES, SHAKEN, STUNNED, BoxResult, DamageSheet
from battletape.rulesets.diceless40k.rules.preparation import Tokens
from battletape.rulesets.diceless40k.rules.space_marines import hood_reaches, null_zone_reaches, turns_without
from battletape.rulesets.diceless40k.rules.vehicles import Speed
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.table.board import Board

Phase: TypeAlias = Literal["movement", "shooting", "assault"]
PHASES: tuple[Phase, ...] = ("movement", "shooting", "assault")
COHERENCY = 2  # inches
HELD, ARRIVING, CREW = "held", "arriving", "crew"
"""Where a unit is beside the words of the field: put off to the next turn, to be set up now, commanding a tank."""
Places: TypeAlias = tuple[tuple[str, tuple[Footprint, ...]], ...]
"""Where units stand or will stand: their bases or hulls, by the names of the units; none where that is unknown."""
Arrival: TypeAlias = Literal["edge", "outflank", "deep_strike"]


class Player(rulebook.State, frozen=True):
    """The tokens that a player holds, and if a warp token was played in this player turn."""

    side: str
    tokens: Tokens
    warp_used: bool = False


class Terrain(TerrainPiece, frozen=True, kw_only=True):
    """A piece of terrain, and what it does to units that move in it."""

    difficult: bool = False
    dangerous: bool = False
    dmg_per_model: int = 10
    dmg_per_inch: int = 0
    strength: int = 8  # on vehicles
    vehicle_dmg_per_inch: int = 10
    mined_by: str = ""  # the side whose cluster mines lie in it

    @property
    def is_mark(self) -> bool:
        """True of a wreck or crater that players do not count: it shows where a vehicle was, and does nothing."""
        return self.kind in ("wreck", "crater") and not self.difficult


class Squad(rulebook.State, frozen=True, kw_only=True):
    """A unit of models: its groups with the damage recorded, its order points, and what it has done."""

    name: str
    side: str
    type: str
    groups: tuple[characteristics.Group, ...]
    starting: int  # models that it began with
    army: str = ""
    prefers: tuple[str, ...] = ()  # armies and units that are its preferred enemies; all if it names none
    arsenal: tuple[WeaponProfile, ...] = ()
    powers: tuple[str, ...] = ()
    guns: tuple[str, ...] = ()  # of an artillery unit
    gun_lines: tuple[int, ...] = NO_LINES  # damage on the gun in front
    base: float = 0.5
    op: int = 0
    psyker_op: int = 0  # of a psyker among others, which has its own track
    arrives: Arrival = "edge"
    joined: str = ""  # the unit that this character belongs to
    falling_back: bool = False
    gone_to_ground: bool = False
    went_to_ground_in: int = 0  # the player turn
    combat: int = 0  # the fight it is locked in
    on_shaken_ground: bool = False
    null_zone: bool = False  # its psyker keeps one up
    turns_without: int = 0  # that servitors have been without a techmarine
    used: tuple[str, ...] = ()  # weapons that fire once in a game
    # in this turn
    moved: bool = False
    ran: bool = False
    boosted: bool = False
    fired_at: str = ""
    fired_slow: bool = False  # with weapons that forbid an assault in the same turn
    repaired: str = ""  # the vehicle that it repaired instead of firing
    cast: bool = False
    charged: bool = False
    slowed: bool = False  # it charged through difficult terrain
    fought: bool = False
    may_consolidate: bool = False
    cannot_assault: bool = False  # it came on, or out of a vehicle that had moved
    lost_in_phase: int = 0  # not to blows
    models_at_phase_start: int = 0

    @property
    def count(self) -> int:
        """Models left."""
        return sum(group.models for group in self.groups)

    @property
    def is_destroyed(self) -> bool:
        """True if no model of it is left."""
        return not any(group.models for group in self.groups)

    @property
    def hp(self) -> int:
        """Hit points of all its models together."""
        return sum(group.hp_left for group in self.groups)

    @property
    def is_character(self) -> bool:
        """True if it is an independent character."""
        return all(characteristics.INDEPENDENT in group.rules for group in self.groups)

    @property
    @clause("DL-50.1", "DL-6.3")
    def is_psyker(self) -> bool:
        """True if all its models are psykers; a psyker among others has order points apart from those of the unit."""
        return all(characteristics.PSYKER in group.rules for group in self.groups)

    def groups_with(self, rule: str) -> tuple[characteristics.Group, ...]:
        """Return the groups with a rule that have models left."""
        return tuple(group for group in self.groups if group.models and rule in group.rules)

    def group_index(self, name: str) -> int:
        """Return the place of the group of this name."""
        for at, group in enumerate(self.groups):
            if group.name.lower() == name.strip().lower():
                return at
        raise UnknownName(f"group of {self.name}", name, [group.name for group in self.groups])

    def weapon(self, name: str) -> WeaponProfile:
        """Return a weapon of it, or one way to fire a weapon."""
        return _weapon(self.arsenal, name, self.name)


class Vehicle(rulebook.State, frozen=True, kw_only=True):
    """A vehicle: its profile, its sheet, and what it has done."""

    name: str
    side: str
    profile: VehicleProfile
    damage: DamageSheet
    arsenal: tuple[WeaponProfile, ...] = ()
    squadron: str = ""  # what it is a part of
    arrives: Arrival = "edge"
    speed: Speed = "immobile"  # in its last Movement phase
    inches: float = 0.0
    smoke_used: bool = False
    in_smoke: bool = False
    on_shaken_ground: bool = False
    combat: int = 0
    shaken_in: int = 0  # the player turn in which its crew was last shaken
    stunned_in: int = 0  # and stunned
    used: tuple[str, ...] = ()
    # in this turn
    moved: bool = False
    ran: bool = False
    rammed: bool = False
    fired_at: str = ""
    repaired: bool = False
    charged: bool = False
    fought: bool = False
    may_consolidate: bool = False  # a walker

    @property
    def is_destroyed(self) -> bool:
        """True if it is wrecked or has exploded."""
        return bool(self.damage.destroyed)

    @property
    @clause("DL-95.2")
    def arrived_this_turn(self) -> bool:
        """True if it was set up on the table in this turn, as by deep strike: it has moved, but driven no inch."""
        return self.moved and not self.inches

    def with_results(self, damage: DamageSheet, results: Iterable[BoxResult], player_turn: int) -> Vehicle:
        """Return a copy of the vehicle with the results of hits in a player turn."""
        kinds = {hit.result for hit in results}
        return replace(
            self,
            damage=damage,
            shaken_in=player_turn if SHAKEN in kinds else self.shaken_in,
            stunned_in=player_turn if STUNNED in kinds else self.stunned_in,
        )

    @property
    def is_walker(self) -> bool:
        """True if it walks, and fights in close combat."""
        return "walker" in self.profile.types

    def weapon(self, name: str) -> WeaponProfile:
        """Return a weapon of it, or one way to fire a weapon."""
        return _weapon(self.arsenal, name, self.name)


def _weapon(arsenal: Sequence[WeaponProfile], name: str, owner: str) -> WeaponProfile:
    for weapon in arsenal:
        if weapon.name.lower() == name.strip().lower():
            return weapon
    raise UnknownName(f"weapon of {owner}", name, [weapon.name for weapon in arsenal])


def fire_modes(unit: BattleUnit, name: str) -> tuple[WeaponProfile, ...]:
    """Return the ways to fire a weapon that a unit carries: itself, or its kinds of ammunition."""
    wanted = name.lower()
    modes = tuple(weapon for weapon in unit.arsenal if weapon.mode_of.lower() == wanted)
    return modes or tuple(weapon for weapon in unit.arsenal if weapon.name.lower() == wanted)


BattleUnit: TypeAlias = Squad | Vehicle


class State(rulebook.State, frozen=True, kw_only=True):
    """A battle: a sheet for each unit, and the field on which they are."""

    rulings: Rulings
    sides: tuple[str, str]
    players: tuple[Player, Player]
    clock: Clock
    mission: str = ""
    night: bool = False
    field: Battlefield[Terrain]
    zone: float = 12.0  # depth of the deployment zones
    squads: tuple[Squad, ...] = ()
    vehicles: tuple[Vehicle, ...] = ()
    combats: int = 0  # fights so far
    reserves_called: bool = False

    @property
    def active(self) -> str:
        """The side whose turn it is."""
        return self.clock.active

    @property
    def phase(self) -> str:
        """The phase of the turn."""
        return self.clock.phase

    @property
    def turn(self) -> int:
        """The turn of the game."""
        return self.clock.turn

    @property
    def units(self) -> tuple[BattleUnit, ...]:
        """Troops and vehicles, destroyed ones too."""
        return (*self.squads, *self.vehicles)

    @property
    def board(self) -> Board:
        """The table; a battle has one even if no unit has a place on it."""
        assert self.field.board is not None
        return self.field.board

    @property
    def player_turn(self) -> int:
        """Player turns so far, this one counted."""
        return self.clock.player_turn

    def find(self, name: str) -> BattleUnit:
        """Return the unit of this name, in any case; raises UnknownName with the nearest one."""
        for squad in self.squads:
            if squad.name == name:
                return squad
        for vehicle in self.vehicles:
            if vehicle.name == name:
                return vehicle
        wanted = name.strip().lower()
        for unit in self.units:
            if unit.name.lower() == wanted:
                return unit
        raise UnknownName("unit", name, [unit.name for unit in self.units])

    def squad(self, name: str) -> Squad:
        """Return the unit of models of this name."""
        unit = self.find(name)
        if isinstance(unit, Squad):
            return unit
        raise UnknownName("unit of models", name, [squad.name for squad in self.squads])

    def vehicle(self, name: str) -> Vehicle:
        """Return the vehicle of this name."""
        unit = self.find(name)
        if isinstance(unit, Vehicle):
            return unit
        raise UnknownName("vehicle", name, [vehicle.name for vehicle in self.vehicles])

    def with_units(self, *units: BattleUnit) -> State:
        """Return a copy of the battle with these units changed."""
        squads = {unit.name: unit for unit in units if isinstance(unit, Squad)}
        vehicles = {unit.name: unit for unit in units if isinstance(unit, Vehicle)}
        state = self
        if squads:
            state = replace(state, squads=tuple([squads.get(squad.name, squad) for squad in self.squads]))
        if vehicles:
            now = tuple([vehicles.get(vehicle.name, vehicle) for vehicle in self.vehicles])
            state = replace(state, vehicles=now)
        return state

    def with_losses(self, squad: Squad, fallen: Collection[int]) -> State:
        """Return a copy with a unit as it is after losses; the fallen models, by their numbers, leave the table."""
        field = self.field.without_models(squad.name, fallen) if fallen else self.field
        return replace(self.with_units(squad), field=field)

    def with_places(self, places: Places) -> State:
        """Return a copy with these units on the table, where they stand now."""
        field = self.field
        for name, footprints in places:
            field = field.with_place(name, *footprints)
        return replace(self, field=field)

    def off_table(self, units: Iterable[BattleUnit], where: str, aboard: str = "") -> State:
        """Return a copy with units away from the table: out of play, in reserve, or aboard a vehicle."""
        field = self.field
        for unit in units:
            field = field.off_table(unit.name, where, aboard)
        return replace(self, field=field)

    def enemy_of(self, side: str) -> str:
        """Return the enemy of a side."""
        return self.sides[side == self.sides[0]]

    def player(self, side: str) -> Player:
        """Return the player of a side, with the tokens held."""
        return self.players[self.sides.index(side)]

    def with_player(self, player: Player) -> State:
        """Return a copy of the battle with the tokens that a player holds now."""
        first, second = self.players
        return replace(self, players=(player, second) if player.side == first.side else (first, player))

    def spend(self, side: str, spent: Tokens) -> State:
        """Return the battle after a side has spent tokens for good."""
        player = self.player(side)
        held = player.tokens
        left = Tokens(held.scatter - spent.scatter, held.gets_hot - spent.gets_hot, held.warp - spent.warp)
        return self.with_player(replace(player, tokens=left))

    def on_table(self, side: str = "", *except_names: str) -> Iterator[BattleUnit]:
        """Yield the units on the table, of one side or of both, without those named."""
        for unit in self.units:
            if side in ("", unit.side) and unit.name not in except_names and self.is_on_table(unit):
                yield unit

    def passengers(self, vehicle: str) -> tuple[Squad, ...]:
        """Return the squads that ride in a vehicle."""
        return tuple(squad for squad in self._aboard(vehicle, ABOARD) if not squad.is_destroyed)

    def commanders(self, vehicle: str) -> tuple[Squad, ...]:
        """Return the commander inside a tank, if it has one."""
        return self._aboard(vehicle, CREW)

    def _aboard(self, vehicle: str, where: str) -> tuple[Squad, ...]:
        inside = (position for position in self.field.passengers(vehicle) if position.where == where)
        return tuple(self.squad(position.name) for position in inside)

    def squadron_of(self, vehicle: Vehicle) -> tuple[Vehicle, ...]:
        """Return a vehicle and those of its squadron that are on the table with it."""
        if not vehicle.squadron:
            return (vehicle,)
        others = (unit for unit in self.on_table(vehicle.side, vehicle.name) if isinstance(unit, Vehicle))
        return (vehicle, *(other for other in others if other.squadron == vehicle.squadron))

    def joined_units(self, squad: Squad) -> tuple[Squad, ...]:
        """Return a unit and the characters that have joined it."""
        return (squad, *(other for other in self.squads if other.joined == squad.name and not self.is_gone(other)))

    @clause("DL-SM-72.1")
    def has_techmarine(self, squad: Squad) -> bool:
        """Return whether a model that commands servitors is with a unit."""
        return any(
            member.groups_with(characteristics.TECHMARINE) or member.groups_with(characteristics.MASTER_OF_THE_FORGE)
            for member in self.joined_units(squad)
        )

    @clause("DL-94.2", "DL-94.6")
    def reserves(self, where: str) -> tuple[BattleUnit, ...]:
        """Return the units of the acting side that wait there; a character comes with the unit it has joined."""
        mine = (self.find(position.name) for position in self.field.waiting(self.active, where))
        return tuple(unit for unit in mine if not (isinstance(unit, Squad) and unit.joined))

    def count(self, name: str) -> int:
        """Return how many models a unit has left; a vehicle that is not destroyed counts as one."""
        unit = self.find(name)
        return unit.count if isinstance(unit, Squad) else int(not unit.is_destroyed)

    def in_combat(self, number: int) -> tuple[BattleUnit, ...]:
        """Return the units locked in a fight."""
        return tuple(unit for unit in self.units if number and unit.combat == number and not self.is_gone(unit))

    # --- where units are --------------------------------------------------------------------------------------------

    def where(self, unit: BattleUnit) -> str:
        """Return where a unit is: on the table, aboard, in reserve, out of play."""
        return self.field.position(unit.name).where

    def is_gone(self, unit: BattleUnit) -> bool:
        """Return whether a unit is destroyed, or has left the table for good."""
        return unit.is_destroyed or self.field.position(unit.name).where == OFF

    def units_left(self, side: str) -> Iterator[BattleUnit]:
        """Yield the units of a side that are still in the battle, on the table or off it."""
        return (unit for unit in self.units if unit.side == side and not self.is_gone(unit))

    def is_on_table(self, unit: BattleUnit) -> bool:
        """Return whether a unit is in play on the table, be its place known or not."""
        return not unit.is_destroyed and self.where(unit) == TABLE

    def carrier(self, unit: BattleUnit) -> str:
        """Return the name of the vehicle that a unit is aboard; empty if it is aboard none."""
        return self.field.position(unit.name).aboard

    def footprints(self, *units: BattleUnit) -> tuple[Footprint, ...]:
        """Return the bases and hulls of units on the table, where their places are known."""
        return self.field.footprints(*(unit.name for unit in units))

    def distance(self, unit: BattleUnit, other: BattleUnit) -> float | None:
        """Return the inches between two units, if both stand on the board."""
        return least_gap(self.footprints(unit), self.footprints(other))

    def nearest_enemy(self, unit: BattleUnit) -> float | None:
        """Return the inches to the nearest enemy, as far as places are known."""
        found = (self.distance(unit, enemy) for enemy in self.on_table(self.enemy_of(unit.side)))
        return min((inches for inches in found if inches is not None), default=None)

    @clause("DL-SM-57.2")
    def in_null_zone(self, unit: BattleUnit, near: bool | None = None) -> bool:
        """Return whether an enemy psyker's null zone covers a unit; without places it does unless denied."""
        keepers = (
            squad for squad in self.squads if squad.null_zone and squad.side != unit.side and not self.is_gone(squad)
        )
        found = (self.distance(unit, keeper) for keeper in keepers)
        return any(near is not False if inches is None else null_zone_reaches(inches) for inches in found)

    @clause("DL-SM-56.1")
    def in_hood(self, psyker: Squad, near: bool | None = None) -> bool:
        """Return whether an enemy librarian's hood hinders a psyker; without places it does unless denied."""
        enemies = [unit for unit in self.on_table(self.enemy_of(psyker.side)) if isinstance(unit, Squad)]
        found = (self.distance(psyker, enemy) for enemy in enemies if enemy.groups_with(characteristics.PSYCHIC_HOOD))
        return any(near is not False if inches is None else hood_reaches(inches) for inches in found)

    def target(
        self, squad: Squad, cover: int | None = None, groups: tuple[characteristics.Group, ...] | None = None
    ) -> Target:
        """Return a unit as the target of an attack."""
        return Target(
            groups=squad.groups if groups is None else groups,
            rulings=self.rulings,
            cover=cover,
            gone_to_ground=squad.gone_to_ground,
            null_zone=self.in_null_zone(squad),
            by=squad.side,
        )


@clause("DL-SM-72.1")
def with_turns_alone(state: State, squad: Squad) -> Squad:
    """Return a unit at the start of its own turn: servitors without a techmarine have been alone a turn more."""
    alone = (
        turns_without(squad.turns_without, state.has_techmarine(squad))
        if squad.groups_with(characteristics.SERVITOR)
        else 0
    )
    return replace(squad, turns_without=alone)
