"""The state of a battle: a sheet for each model, the field with the models and markers on it, and the time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from battletape import rulebook
from battletape.cards import last_side
from battletape.field import measure, score
from battletape.field.clock import Clock
from battletape.field.measure import Measurement
from battletape.field.state import OFF, Battlefield, Position, TerrainPiece
from battletape.rulebook import UnknownName, by_name, clause, replace
from battletape.rulesets.second_edition.profiles.types import Template, WeaponProfile
from battletape.rulesets.second_edition.rules.attack import Condition, Hit, Model
from battletape.rulesets.second_edition.rules.blasts import Figure, HitResults, Side
from battletape.rulesets.second_edition.rules.clouds import ORIGIN, Marker, MarkerKind, MarkerStatus
from battletape.rulesets.second_edition.rules.fire import FireResult, allowed_actions
from battletape.rulesets.second_edition.rules.grenades import throw_bands
from battletape.rulesets.second_edition.rules.guns import Gun
from battletape.rulesets.second_edition.rules.keywords import gun_of
from battletape.rulesets.second_edition.rules.sustained import WeaponState, after_burst
from battletape.rulesets.second_edition.rules.to_hit import Aim
from battletape.rulesets.second_edition.rulings import Rulings
from battletape.table.bases import Base
from battletape.table.distances import is_coherent, is_within
from battletape.table.points import Point

Phase: TypeAlias = Literal["start", "movement", "shooting", "hand_to_hand"]
PHASES: tuple[Phase, ...] = ("start", "movement", "shooting", "hand_to_hand")
Use: TypeAlias = Literal["", "fired", "cleared", "held"]
"""What was done with a weapon in this turn."""
Due: TypeAlias = Literal["", "test", "harm"]
"""What is still to be done about a marker at the start of this turn."""
CoverKind: TypeAlias = Literal["none", "soft", "hard"]
COVERS: tuple[CoverKind, ...] = ("none", "soft", "hard")
"""The kinds of cover; the field counts them from 0."""


class CarriedWeapon(rulebook.State, frozen=True):
    """A weapon in play: whether it works, and how many are left of a grenade; on a vehicle it has a gunner."""

    weapon: WeaponProfile
    template: Template | None = None
    state: WeaponState = WeaponState()
    grenades_left: int | None = None  # grenades of the kind; None: it is no grenade

    @property
    def name(self) -> str:
        """Return the name of the weapon."""
        return self.weapon.name

    @property
    def gun(self) -> Gun:
        """Return its Sustained Fire dice, with its special rules."""
        return gun_of(self.weapon)


class Done(rulebook.State, frozen=True):
    """What a model did in this turn, and whether its Fire Test is still to come."""

    due: bool = False
    result: FireResult = ""  # of its Fire Test; "out" also if others put the fire out
    ignores: bool = False  # the flames
    beating_tried: bool = False  # whether others tried to beat out its flames
    helped: bool = False
    moved: bool = False
    fought: bool = False
    uses: tuple[tuple[str, Use], ...] = ()  # weapons by name, and what was done with them


class Fighter(rulebook.State, frozen=True):
    """The sheet of a model in play: its numbers, its condition, its weapons; its place is on the field."""

    name: str
    unit: str
    side: str
    model: Model
    condition: Condition
    weapons: tuple[CarriedWeapon, ...] = ()
    bs: int = 3
    strength: int = 3
    move: float = 4.0
    mastery: int = 0
    radius: float = 0.5
    gone: bool = False  # taken off by the rules of the base game
    done: Done = Done()

    @property
    def is_gone(self) -> bool:
        """Return whether it is out of the battle."""
        return self.gone or self.condition.is_dead

    @property
    def is_burning(self) -> bool:
        """Return whether it lives and burns."""
        return not self.is_gone and self.condition.on_fire is not None

    def weapon(self, name: str) -> CarriedWeapon:
        """Return the weapon of this name; raise UnknownName with the nearest one."""
        return by_name(f"weapon of {self.name}", name, self.weapons)

    def with_weapon(self, changed: CarriedWeapon) -> Fighter:
        """Return a copy with one weapon changed."""
        return replace(
            self, weapons=tuple(changed if weapon.name == changed.name else weapon for weapon in self.weapons)
        )

    def use_of(self, weapon: str) -> Use:
        """Return what it did with a weapon in this turn; empty for nothing."""
        return dict(self.done.uses).get(weapon, "")

    def with_use(self, weapon: str, use: Use) -> Fighter:
        """Return a copy that has done this with a weapon."""
        return replace(self, done=replace(self.done, uses=(*self.done.uses, (weapon, use))))


class Terrain(TerrainPiece, frozen=True, tag="terrain"):
    """A piece of terrain; its cover is soft (1) or hard (2)."""


class PlacedMarker(TerrainPiece, frozen=True, kw_only=True, tag="marker"):
    """A marker that stays in play, with or without a place: what it does, whose it is, how it ages, what is due."""

    kind: MarkerKind = "cloud"
    hit: Hit
    owner: str
    turn: int = 1  # in which it was placed
    status: MarkerStatus = "active"
    grown: bool = False
    due: Due = ""

    @property
    def marker(self) -> Marker:
        """Return the marker as the rules test it; one without a place lies nowhere in particular."""
        centre = self.corners[0] if self.corners else ORIGIN
        return Marker(self.kind, self.radius, self.hit, centre, self.status, self.grown)

    def aged(self, marker: Marker) -> PlacedMarker:
        """Return a copy as a test has left the marker."""
        corners = (marker.centre,) if self.corners else ()
        return replace(self, radius=marker.radius, status=marker.status, grown=marker.grown, corners=corners)


Field: TypeAlias = Battlefield[Terrain | PlacedMarker]


class State(rulebook.State, frozen=True):
    """A battle: settings, the field, the sheets of its models, and the time."""

    rulings: Rulings
    field: Field
    fighters: tuple[Fighter, ...]
    clock: Clock
    coherency: float = 2.0
    markers_made: int = 0  # markers placed so far, for their names
    mission: str = ""  # none

    @property
    def active(self) -> str:
        """Return the side whose turn it is."""
        return self.clock.active

    @property
    def units(self) -> tuple[Fighter, ...]:
        """Return the models that may hold the field."""
        return self.fighters

    @property
    def markers(self) -> tuple[PlacedMarker, ...]:
        """Return the markers in play."""
        return tuple([piece for piece in self.field.terrain if isinstance(piece, PlacedMarker)])

    def fighter(self, name: str) -> Fighter:
        """Return the model of this name, in any case; raise UnknownName with the nearest one."""
        return by_name("model", name, self.fighters)

    def squad(self, name: str) -> tuple[Fighter, ...]:
        """Return all models of a unit, the fallen too; raise UnknownName with the nearest unit."""
        found = tuple(fighter for fighter in self.fighters if fighter.unit.lower() == name.strip().lower())
        if not found:
            raise UnknownName("unit", name, dict.fromkeys(fighter.unit for fighter in self.fighters))
        return found

    def marker(self, name: str) -> PlacedMarker:
        """Return the marker of this name; raise UnknownName with the nearest one."""
        return by_name("marker", name, self.markers)

    def with_models(self, *fighters: Fighter) -> State:
        """Return a copy with these models changed; those that have fallen leave the table."""
        now, field = {fighter.name: fighter for fighter in fighters}, self.field
        for fighter in fighters:
            if fighter.is_gone and field.position(fighter.name).where != OFF:
                field = field.off_table(fighter.name)
        changed = tuple([now.get(fighter.name, fighter) for fighter in self.fighters])
        return replace(self, fighters=changed, field=field)

    def with_places(self, *places: tuple[str, Base]) -> State:
        """Return a copy with models in other places on the table."""
        positions = [replace(self.field.position(name), bases=(base,)) for name, base in places]
        return replace(self, field=self.field.with_positions(*positions))

    def with_markers(self, *markers: PlacedMarker) -> State:
        """Return a copy with markers changed, or placed."""
        return replace(self, field=self.field.with_terrain(*markers))

    def standing(self) -> Iterator[Fighter]:
        """Return the models still in the battle."""
        return (fighter for fighter in self.fighters if not fighter.is_gone)


def table_size(state: State) -> str:
    """Write how large the table is; empty for a table without edges."""
    board = state.field.board
    return f"{board.width:g} by {board.depth:g} inches" if board else ""


# --- the end ---------------------------------------------------------------------------------------------------------


def points_of(state: State) -> Mapping[str, int]:
    """Return the victory points of each side now; none without a mission."""
    if not state.mission:
        return {}
    units = dict.fromkeys((fighter.unit, fighter.side) for fighter in state.fighters)
    lost = Counter(side for unit, side in units if all(fighter.is_gone for fighter in state.squad(unit)))
    return score.points(state.field, score.mission(state.mission), lost)


def battle_end(state: State) -> str | None:
    """Say how the battle has ended: one side is left, or the last turn is over; None while it goes on."""
    if not state.clock.over:
        return None
    by_points = score.verdict(points_of(state)) if state.mission else "The last turn is over"
    return last_side(state) or by_points


# --- distances -------------------------------------------------------------------------------------------------------


@clause("SE-10")
def distance_of(state: State, fighter: Fighter, other: Fighter, unknown: float = 0.0) -> float:
    """Return how far two models stand apart on the table; `unknown` if either has no place."""
    shown = measure.distance(state.field, fighter.name, other.name)
    return unknown if shown is None else shown


@clause("SE-90", "SE-117")
def is_out_of_coherency(state: State, fighter: Fighter) -> bool:
    """Return whether a model is too far from its unit; one that burns need not keep to it."""
    done = fighter.done
    free = allowed_actions(done.result, fighter.condition.on_fire is not None, done.ignores, state.rulings)
    own = state.field.footprints(fighter.name)
    mates = state.field.footprints(*(mate.name for mate in state.squad(fighter.unit) if mate.name != fighter.name))
    if not (own and mates and free.keeps_coherency):
        return False
    return not any(is_coherent((*own, mate), state.coherency) for mate in mates)


# --- targets and weapons ---------------------------------------------------------------------------------------------


def figure_of(fighter: Fighter, base: Base, side: Side) -> Figure:
    """Return a model as markers and templates meet it."""
    return Figure(fighter.name, side, base, fighter.model, fighter.condition)


@clause("SE-40", "SE-10")
def figures_near(state: State, field: Field, shooter: Fighter, spot: Point, reach: float) -> tuple[Figure, ...]:
    """Return the models that a marker may cover which ends within reach of a spot, and those as near the shooter."""
    found, own = [], field.position(shooter.name).bases[0].centre
    for position in field.on_table():
        base, fighter = position.bases[0], state.fighter(position.name)
        side: Side = "enemy" if position.side != shooter.side else "friend"
        if fighter.name == shooter.name:
            side = "shooter"
        if side == "shooter" or is_within(base, spot, reach) or is_within(base, own, reach):
            found.append(figure_of(fighter, base, side))
    return tuple(found)


@clause("SE-10")
def measured_field(state: State, shooter: Fighter, target: Fighter, shown: Measurement) -> Field:
    """Return the field on which a distance was measured; as players measured it, these two are alone there."""
    if shown.by == "board":
        return state.field
    rims = 0.0 if state.rulings.measuring == "centres" else shooter.radius + target.radius
    return without_others(state, (shooter, ORIGIN), (target, Point(0.0, shown.distance + rims)))


def without_others(state: State, *models: tuple[Fighter, Point]) -> Field:
    """Return a bare field with some models alone at these places."""
    positions = [Position(model.name, model.side, (Base(at, model.radius),)) for model, at in models]
    return replace(state.field.without_places, positions=tuple(positions))


@clause("SE-11", "SE-17", "SE-57", "SE-117")
def aim_of(
    fighter: Fighter, weapon: CarriedWeapon, distance: float | None, situations: tuple[str, ...] = (), modifier: int = 0
) -> Aim:
    """Return a shot as it is aimed; a grenade is thrown as far as the Strength of the thrower allows."""
    profile = weapon.weapon
    short, far = profile.short_range, profile.long_range
    if profile.grenade:
        short, far = throw_bands(fighter.strength, short, far)
    return Aim(fighter.bs, distance, short, far, profile.to_hit_short, profile.to_hit_long, situations, modifier)


@clause("SE-24", "SE-41", "SE-96")
def after_hits(state: State, results: HitResults) -> State:
    """Return the battle with every model that a marker or template hit as the hit left it."""
    conditions = {record.name: record.condition for record in results.records if record.condition is not None}
    return state.with_models(*(replace(state.fighter(name), condition=after) for name, after in conditions.items()))


@clause("SE-106", "SE-111")
def after_firing(state: State, fighter: Fighter, weapon: CarriedWeapon) -> State:
    """Return the battle after a model has used its shot; a weapon that must recharge begins to do so."""
    left = None if weapon.grenades_left is None else max(weapon.grenades_left - 1, 0)
    used = replace(weapon, state=after_burst(weapon.gun, weapon.state, 0), grenades_left=left)
    return state.with_models(state.fighter(fighter.name).with_weapon(used).with_use(weapon.name, "fired"))
