"""The state of a battle: a sheet for each unit, the field they stand on, and whose turn it is."""

from __future__ import annotations

from math import ceil
from typing import Literal

from battletape import rulebook
from battletape.cards import Inputs, asked
from battletape.field.measure import UNKNOWN, Claim, Measurement, measure
from battletape.field.moves import with_count
from battletape.field.state import Battlefield, TerrainPiece
from battletape.rulebook import by_name, clause, need, replace
from battletape.rulesets.attack_dice.profiles.types import Save
from battletape.rulesets.attack_dice.rules.damage import Ranks, all_hp, all_models, models_left, wounded_hp
from battletape.rulesets.attack_dice.rules.melee import Facing, Situation
from battletape.rulesets.attack_dice.rulings import Rulings
from battletape.table.points import TOLERANCE

BASE_RADIUS = 0.5
"""Inches; no profile gives the size of a base."""
CoverStat = Literal["defence", "armour"]


class Terrain(TerrainPiece, frozen=True):
    """A piece of terrain; its cover is a bonus to Defence or Armour."""

    cover_stat: CoverStat = "defence"


class CarriedWeapon(Inputs, frozen=True):
    """A weapon of a unit, and how many models carry it."""

    name: str = "Weapon"
    models: int = asked(1, ge=1, le=1000)
    attacks: int = asked(1, ge=1, le=1000)
    power: int = asked(4, ge=0, le=100)
    ap: Save | None = None
    range: int | None = asked(None, ge=0, le=500)
    weapon_class: str = ""


class Done(rulebook.State, frozen=True):
    """What a unit has done in a turn."""

    fired: tuple[tuple[str, int], ...] = ()  # weapons of this activation, and by how many models each
    activated: bool = False


class BattleUnit(rulebook.State, frozen=True):
    """The sheet of a unit in play; its place is on the field."""

    name: str
    side: str
    defence: int
    ranks: Ranks
    weapons: tuple[CarriedWeapon, ...]
    armour: int | None = None
    aegis: int | None = None
    hp_lost: int = 0  # HP
    melee: str = ""  # the name of the Melee it is in
    cover_stat: CoverStat = "defence"
    cover: int = 0  # as the players say; it goes before that of the terrain
    done: Done = Done()

    @property
    def models(self) -> int:
        """Count the models still standing."""
        left, _ = models_left(self.ranks, self.hp_lost)
        return all_models(left)

    @property
    def wounded(self) -> int:
        """Return the HP left to the wounded model; 0 if no model is wounded."""
        return wounded_hp(self.ranks, self.hp_lost)

    @property
    def is_gone(self) -> bool:
        """Return whether the unit has no HP left."""
        return self.hp_lost >= all_hp(self.ranks)


class State(rulebook.State, frozen=True):
    """A battle: rulings, sides in turn order, units, the field, the mission, and whose turn it is."""

    rulings: Rulings
    sides: tuple[str, ...]
    units: tuple[BattleUnit, ...]
    active_side: str
    field: Battlefield[Terrain]
    mission: str = ""
    turns: int = 0  # after which the game ends; 0: when one side alone is left
    turn: int = 1
    phase: Literal["before", "running", "over"] = "before"
    active_unit: str = ""

    def unit(self, name: str) -> BattleUnit:
        """Return the unit of this name, in any case; raise UnknownName with the nearest one."""
        return by_name("unit", name, self.units)

    def passengers(self, name: str) -> tuple[BattleUnit, ...]:
        """Return the units aboard a transport."""
        return tuple(self.unit(position.name) for position in self.field.passengers(name))

    def transport_of(self, name: str) -> str:
        """Return the name of the transport that a unit is aboard; empty if it is aboard none."""
        return self.field.position(name).aboard

    def with_units(self, *changed: BattleUnit) -> State:
        """Return a copy with these units changed; fallen models leave the table, and others come back to it."""
        now, field = {unit.name: unit for unit in changed}, self.field
        for unit in changed:
            field = with_count(field, unit.name, unit.models)
        return replace(self, units=tuple(now.get(unit.name, unit) for unit in self.units), field=field)


@clause("AD-68")
def measured(
    state: State, unit: BattleUnit, target: BattleUnit, distance: int | None = None, line_of_sight: bool = True
) -> Measurement:
    """Measure an attack by the board, or as the players say; where neither tells the distance, it is unknown."""
    claim = Claim(distance=distance, sees=None if line_of_sight else False)
    return measure(state.field, unit.name, target.name, claim, {"distance": "AD-68"}, unstated=UNKNOWN)


@clause("AD-56", "AD-58", "AD-61", "AD-65", "AD-68")
def situation_of(
    state: State,
    unit: BattleUnit,
    target: BattleUnit,
    shown: Measurement,
    facing: Facing = "none",
    modifier: int = 0,
) -> Situation:
    """Return what counts of the table for an attack; a passenger is in the Melee of its transport."""
    transport = state.transport_of(unit.name)
    cover_stat, cover = target.cover_stat, target.cover
    if shown.covered_by and not cover:
        cover_stat, cover = state.field.terrain_piece(shown.covered_by).cover_stat, shown.cover
    friends = (other for other in state.units if other.side == unit.side and not other.is_gone)
    return Situation(
        attacker_melee=state.unit(transport).melee if transport else unit.melee,
        target_melee=target.melee,
        friend_in_target_melee=any(friend.melee and friend.melee == target.melee for friend in friends),
        embarked=bool(transport),
        cover_stat=cover_stat,
        cover=cover,
        facing=facing,
        distance=None if shown.distance == UNKNOWN else ceil(shown.distance - TOLERANCE),
        line_of_sight=shown.sees,
        modifier=modifier,
    )


@clause("AD-80")
def living_unit(state: State, name: str) -> BattleUnit:
    """Return the unit of this name; refuse it if no model of it is left."""
    unit = state.unit(name)
    need(not unit.is_gone, f"{unit.name} has no model left", "AD-80")
    return unit


@clause("AD-82")
def models_left_to_fire(unit: BattleUnit, weapon: CarriedWeapon) -> int:
    """Return how many models may still fire this weapon in this activation."""
    fired = sum(models for name, models in unit.done.fired if name == weapon.name)
    return max(0, min(weapon.models, unit.models) - fired)
