"""Assaulting a vehicle: who may, who strikes and how often, at which armour, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.procedure import Procedure
from battletape.rulesets.vehicles5.blows import Struck, count_blow, land_blow
from battletape.rulesets.vehicles5.damage import Condition
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.tables import ASSAULT_TO_HIT
from battletape.rulesets.vehicles5.terrain import roll_difficult
from battletape.rulesets.vehicles5.traits import Band, Facing, Traits
from battletape.rulesets.vehicles5.troops import COHERENCY, refuse_coherency
from battletape.rulesets.vehicles5.volley import (
    Expected,
    Shot,
    expected,
)
from battletape.rulesets.vehicles5.walkers import armour_struck
from battletape.table import distances
from battletape.table.points import TOLERANCE
from battletape.tape import Tape

REACH = 6  # inches of a charge over open ground


class Melee(Struct, frozen=True, cache_hash=True):
    """The state of an assault: all blows fall at once; `wounds` counts the damage rolls against a walker."""

    start: Condition
    now: Condition
    blows: tuple[Shot, ...]
    wounds: int = 0
    expected: Expected = Expected()
    walker: bool = False  # whether it is one that they fall on


class MayAssault(Protocol):
    """How a unit left its transport this turn."""

    @property
    def may_assault(self) -> bool: ...


# --- who strikes, and how -------------------------------------------------------------------------------------------


@clause("V5-ASLT-1", "V5-CORE-16")
def refuse_assault(
    target_side_is_own: bool, in_reach: bool = True, exit: MayAssault | None = None, target_destroyed: bool = False
) -> Refused | None:
    """Why a unit may not assault a vehicle; skimmers can be assaulted as any other."""
    if target_side_is_own:
        return Refused("a vehicle of one's own side is no target; any enemy vehicle in reach is", "V5-ASLT-1", "side")
    if target_destroyed:
        return Refused("what is destroyed is no vehicle any more", "V5-DMG-5", "destroyed")
    if exit is not None and not exit.may_assault:
        return Refused("a unit that got out like this may not assault in the same turn", "V5-TRAN-8", "exit")
    if not in_reach:
        reason = f"a charge reaches {REACH} inches, or the higher of two dice through difficult ground"
        return Refused(f"{reason}; the target is further away", "V5-CORE-16", "reach")
    return None


@clause("V5-CORE-16", "V5-ASLT-2", "V5-WALK-1")
def roll_reach(tape: Tape, through_difficult: bool = False) -> int:
    """How many inches a charge covers."""
    return int(tape.call(roll_difficult)) if through_difficult else REACH


@clause("V5-ASLT-3", "V5-ASLT-2")
def strikers(models: Sequence[tuple[float, float | None]]) -> int:
    """How many strike, by the gaps of each to the hull and to the nearest friend in contact."""
    touching = (gap <= TOLERANCE for gap, _ in models)
    near = (friend is not None and friend <= COHERENCY + TOLERANCE for _, friend in models)
    return sum(one or other for one, other in zip(touching, near, strict=True))


@clause("V5-ASLT-3", "V5-ASLT-2")
def strikers_on_table(target: distances.Thing, unit: Sequence[distances.Thing]) -> tuple[int, ...]:
    """Which models strike: those in contact and those within 2 inches of one that is."""
    return distances.strikers(target, unit, COHERENCY)


@clause("V5-ASLT-2", "V5-CORE-17")
def refuse_places(target: distances.Thing, unit: Sequence[distances.Thing]) -> Refused | None:
    """Why a unit may not end its charge like this: nobody touches the vehicle, or the unit is torn apart."""
    if not any(distances.touches(model, target) for model in unit):
        return Refused("a charge brings at least one model into contact; none would be", "V5-ASLT-2", "contact")
    return refuse_coherency(unit)


@clause("V5-ASLT-3", "V5-ASLT-4")
def attacks(models: int, a: int, two_weapons: bool, charged: bool, grenades: bool = False) -> int:
    """How often so many models strike; a grenade is one attack, and nothing adds to it."""
    return models if grenades else models * (a + two_weapons + charged)


@clause("V5-ASLT-5")
def to_hit(assault_band: Band, immobilised: bool = False) -> int:
    """What a blow needs against a vehicle that moved at this speed: 0 is no roll."""
    return ASSAULT_TO_HIT["stationary" if immobilised else assault_band]


@clause("V5-ASLT-7", "V5-WALK-9")
def facing(traits: Traits, contact: Facing, rules: Rulings = DEFAULT) -> Facing:
    """The armour that blows have to beat."""
    return armour_struck(traits, contact if rules.assault_facing == "contact" else "rear")


# --- the blows ------------------------------------------------------------------------------------------------------


def begin_melee(condition: Condition, blows: Sequence[Shot], walker: bool = False) -> Melee:
    """An assault about to be fought."""
    return Melee(condition, condition, tuple(blows), expected=expected(blows), walker=walker)


@clause("V5-ASLT-6", "V5-ASLT-5", "V5-VOLLEY-1", "V5-VOLLEY-2")
def strike_blows(tape: Tape, melee: Melee) -> Melee:
    """Strike every blow at a vehicle."""
    blows = () if melee.now.is_destroyed else melee.blows
    return tape.each(land_blow, melee.now, blows, then=_landed, rest=replace(melee, now=melee.start))


def _landed(melee: Melee, now: Condition) -> Melee:
    return replace(melee, now=now)


@clause("V5-WALK-8", "V5-WALK-12", "V5-VOLLEY-2")
def strike_walker(tape: Tape, melee: Melee) -> Melee:
    """Strike every blow at a walker and count the damage rolls."""
    blows = () if melee.now.is_destroyed else melee.blows
    return tape.each(count_blow, Struck(melee.now), blows, then=_counted, rest=replace(melee, now=melee.start))


def _counted(melee: Melee, struck: Struck) -> Melee:
    return replace(melee, now=struck.condition, wounds=melee.wounds + struck.wounds)


ASSAULT = Procedure("assault", (strike_blows,))
ON_WALKER = Procedure("assault", (strike_walker,))


def assaulting(melee: Melee) -> Procedure:
    """The stages of an assault on a vehicle of this kind."""
    return ON_WALKER if melee.walker else ASSAULT
