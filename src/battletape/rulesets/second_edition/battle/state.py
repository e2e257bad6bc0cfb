"""The state of a battle: models with their weapons, markers that stay, the active side and the phase."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from battletape import rulebook
from battletape.rulebook import UnknownName, by_name, clause, replace
from battletape.rulesets.second_edition.profiles.types import Template, WeaponProfile
from battletape.rulesets.second_edition.rules.attack import Condition, Model
from battletape.rulesets.second_edition.rules.blasts import Figure, HitResults, Side
from battletape.rulesets.second_edition.rules.clouds import Marker
from battletape.rulesets.second_edition.rules.fire import FireResult, allowed_actions
from battletape.rulesets.second_edition.rules.grenades import throw_bands
from battletape.rulesets.second_edition.rules.guns import Gun
from battletape.rulesets.second_edition.rules.keywords import gun_of
from battletape.rulesets.second_edition.rules.scatter import distance_between
from battletape.rulesets.second_edition.rules.sustained import WeaponState, after_burst
from battletape.rulesets.second_edition.rules.to_hit import Aim
from battletape.rulesets.second_edition.rulings import Rulings
from battletape.table.bases import Base
from battletape.table.board import Board
from battletape.table.distances import is_coherent
from battletape.table.points import Point

Phase: TypeAlias = Literal["start", "movement", "shooting", "hand_to_hand"]
PHASES: tuple[Phase, ...] = ("start", "movement", "shooting", "hand_to_hand")
Use: TypeAlias = Literal["", "fired", "cleared", "held"]
"""What was done with a weapon in this turn."""
Due: TypeAlias = Literal["", "test", "harm"]
"""What is still to be done about a marker at the start of this turn."""
NOWHERE = Point(0.0, 0.0)


class CarriedWeapon(rulebook.State, frozen=True):
    """A weapon in play: whether it works, and how many are left of a grenade; on a vehicle it has a gunner."""

    weapon: WeaponProfile
    template: Template | None = None
    state: WeaponState = WeaponState()
    grenades_left: int | None = None  # grenades of the kind; None: it is no grenade
    used: Use = ""

    @property
    def name(self) -> str:
        """Return the name of the weapon."""
        return self.weapon.name

    @property
    def gun(self) -> Gun:
        """Return its Sustained Fire dice, with its special rules."""
        return gun_of(self.weapon)


class Fighter(rulebook.State, frozen=True):
    """A model in play: its numbers, its condition, its weapons, and what it did in this turn."""

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
    place: Point | None = None  # where it stands, in a battle with positions
    gone: bool = False  # taken off by the rules of the base game
    due: bool = False  # whether its Fire Test of this turn is still to come
    result: FireResult = ""  # what its Fire Test of this turn brought; "out" also if others put the fire out
    ignores: bool = False  # the flames, in this turn
    beating_tried: bool = False  # whether others tried to beat out its flames in this turn
    helped: bool = False
    moved: bool = False
    fought: bool = False

    @property
    def is_gone(self) -> bool:
        """Return whether it is out of the battle."""
        return self.gone or self.condition.is_dead

    @property
    def is_burning(self) -> bool:
        """Return whether it lives and burns."""
        return not self.is_gone and self.condition.on_fire is not None

    @property
    def base(self) -> Base | None:
        """Return the base where the model stands; None in a battle without positions."""
        return None if self.place is None else Base(self.place, self.radius)

    def weapon(self, name: str) -> CarriedWeapon:
        """Return the weapon of this name; raise UnknownName with the nearest one."""
        return by_name(f"weapon of {self.name}", name, self.weapons)

    def with_weapon(self, changed: CarriedWeapon) -> Fighter:
        """Return a copy with one weapon changed."""
        return replace(
            self, weapons=tuple(changed if weapon.name == changed.name else weapon for weapon in self.weapons)
        )


class PlacedMarker(rulebook.State, frozen=True):
    """A marker that stays in play: its owner, the turn it was placed in, and what is still to be done about it."""

    name: str
    marker: Marker
    owner: str
    turn: int = 1
    placed: bool = True  # whether its place is known
    due: Due = ""


class State(rulebook.State, frozen=True):
    """A battle: settings, table, models, markers, and the active side."""

    rules: Rulings
    board: Board
    sides: tuple[str, ...]
    fighters: tuple[Fighter, ...]
    active: str
    markers: tuple[PlacedMarker, ...] = ()
    turn: int = 1
    phase: Phase = "start"
    coherency: float = 2.0
    markers_made: int = 0  # markers placed so far, for their names

    @property
    def units(self) -> tuple[Fighter, ...]:
        """Return the models that may hold the field."""
        return self.fighters

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
        """Return a copy with these models changed."""
        by_name = {fighter.name: fighter for fighter in fighters}
        return replace(self, fighters=tuple(by_name.get(fighter.name, fighter) for fighter in self.fighters))

    def with_marker(self, changed: PlacedMarker) -> State:
        """Return a copy with one marker changed."""
        return replace(self, markers=tuple(changed if old.name == changed.name else old for old in self.markers))

    def standing(self) -> Iterator[Fighter]:
        """Return the models still in the battle."""
        return (fighter for fighter in self.fighters if not fighter.is_gone)

    def bases_on_table(self, *but: str) -> tuple[Base, ...]:
        """Return the bases of all models on the table, except those named."""
        others = (fighter.base for fighter in self.standing() if fighter.name not in but)
        return tuple(base for base in others if base is not None)


# --- distances -------------------------------------------------------------------------------------------------------


@clause("SE-10")
def distance_of(state: State, fighter: Fighter, other: Fighter, given: float | None = None) -> float | None:
    """Return how far two models stand apart: as given, else measured on the table; None if neither is known."""
    if given is not None:
        return given
    base, other_base = fighter.base, other.base
    return None if base is None or other_base is None else distance_between(base, other_base, state.rules)


@clause("SE-90", "SE-117")
def is_out_of_coherency(state: State, fighter: Fighter) -> bool:
    """Return whether a model is too far from its unit; one that burns need not keep to it."""
    free = allowed_actions(fighter.result, fighter.condition.on_fire is not None, fighter.ignores, state.rules)
    mates = [mate.base for mate in state.squad(fighter.unit) if not mate.is_gone and mate.name != fighter.name]
    near = [base for base in mates if base is not None]
    if fighter.is_gone or fighter.base is None or not near or not free.keeps_coherency:
        return False
    return not any(is_coherent((fighter.base, base), state.coherency) for base in near)


# --- targets and weapons ---------------------------------------------------------------------------------------------


def figure_of(fighter: Fighter, base: Base, side: Side) -> Figure:
    """Return a model as markers and templates meet it."""
    return Figure(fighter.name, side, base, fighter.model, fighter.condition)


@clause("SE-40", "SE-10")
def figures_near(state: State, shooter: Fighter, spot: Point, reach: float) -> tuple[Figure, ...]:
    """Return the models that a marker may cover which ends within reach of a spot, and those as near the shooter."""
    found = []
    for fighter in state.standing():
        if fighter.base is None:
            continue
        side: Side = "enemy"
        if fighter.side == shooter.side:
            side = "shooter" if fighter.name == shooter.name else "friend"
        ways = [spot] if shooter.place is None else [spot, shooter.place]
        near = any(_distance(fighter.base.centre, way) <= reach + fighter.radius for way in ways)
        if near or side == "shooter":
            found.append(figure_of(fighter, fighter.base, side))
    return tuple(found)


def _distance(point: Point, other: Point) -> float:
    return float(((point.x - other.x) ** 2 + (point.y - other.y) ** 2) ** 0.5)


@clause("SE-10")
def figures_of_pair(shooter: Fighter, target: Fighter, distance: float, rules: Rulings) -> tuple[Figure, ...]:
    """Return shooter and target alone, so far apart, for battles without positions."""
    rims = 0.0 if rules.measuring == "centres" else shooter.radius + target.radius
    bases = Base(NOWHERE, shooter.radius), Base(Point(0.0, distance + rims), target.radius)
    return figure_of(shooter, bases[0], "shooter"), figure_of(target, bases[1], "enemy")


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
    conditions = {record.name: record.state for record in results.records if record.state is not None}
    return state.with_models(*(replace(state.fighter(name), condition=after) for name, after in conditions.items()))


@clause("SE-106", "SE-111")
def after_firing(state: State, fighter: Fighter, weapon: CarriedWeapon) -> State:
    """Return the battle after a model has used its shot; a weapon that must recharge begins to do so."""
    left = None if weapon.grenades_left is None else max(weapon.grenades_left - 1, 0)
    used = replace(weapon, state=after_burst(weapon.gun, weapon.state, 0), used="fired", grenades_left=left)
    return state.with_models(state.fighter(fighter.name).with_weapon(used))
