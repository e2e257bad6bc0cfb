"""Assaulting a vehicle: who may, who strikes and how often, at which armour; each blow from its roll to its damage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.dice import D6, at_least
from battletape.errors import Refused, UnknownName
from battletape.procedure import Procedure
from battletape.rulesets.vehicles5.rules.damage import (
    Condition,
    Dealt,
    at_stake,
    befall,
    is_spared,
    modifier_of_hit,
    penetrate,
    risk,
    roll_row,
)
from battletape.rulesets.vehicles5.rules.shooting import Aim, Expected, Shot, expected
from battletape.rulesets.vehicles5.rules.special_rules import ready
from battletape.rulesets.vehicles5.rules.terrain import roll_difficult
from battletape.rulesets.vehicles5.rules.traits import Band, Hit, PenDice, Row, Traits
from battletape.rulesets.vehicles5.rules.troops import COHERENCY, refuse_coherency
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.tables.printed import ASSAULT_TO_HIT, GRENADES, NEVER
from battletape.table import distances
from battletape.table.facings import Facing
from battletape.table.points import TOLERANCE
from battletape.tape import Rule, Tape
from battletape.words import labelled

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


@clause("V5-WALK-9", "V5-WALK-17")
def armour_struck(traits: Traits, otherwise: Facing = "rear") -> Facing:
    """The armour that blows have to beat: a walker's front, wherever they come from."""
    return "front" if traits.walker else otherwise


class Blow(Struct, frozen=True):
    """One kind of close combat attack."""

    name: str
    attacks: int
    strength: int
    dice: PenDice = "d6"
    grenade: bool = False
    rules: tuple[str, ...] = ()


class Struck(Struct, frozen=True, cache_hash=True):
    """A walker under blows, and how many damage rolls were made against it."""

    condition: Condition
    wounds: int = 0


# --- before the dice ------------------------------------------------------------------------------------------------


@clause("V5-GREN-1", "V5-GREN-2", "V5-GREN-3", "V5-ASLT-4")
def grenade_blow(name: str, models: int) -> Blow:
    """So many models with a grenade each."""
    if name not in GRENADES:
        raise UnknownName("grenade", name, GRENADES)
    strength, dice = GRENADES[name]
    return Blow(name.replace("_", " "), models, strength, dice, grenade=True)


@clause("V5-ASLT-6", "V5-GREN-3")
def aimed(
    blow: Blow, needs: int, av: int, open_topped: bool = False, rules: Rulings = DEFAULT, by: str = "attacker"
) -> Shot:
    """One attack of a kind, ready to be rolled: no AP and no cover."""
    aim = Aim(
        blow.name, needs, blow.strength, av, dice=blow.dice, open_topped=open_topped, half_range=True, by=by
    )  # what adds dice up close does so at arm's length
    return ready(aim, blow.rules, rules)


# --- one blow -------------------------------------------------------------------------------------------------------


@clause("V5-ASLT-6")
def blow_result(tape: Tape, blow: Shot) -> Row | None:
    """The damage roll of one blow at a vehicle, or None where it came to none."""
    return _result(tape, blow, roll_at_vehicle)


@clause("V5-ASLT-6", "V5-WALK-12")
def walker_result(tape: Tape, blow: Shot) -> Row | None:
    """The same at a walker."""
    return _result(tape, blow, roll_at_walker)


def _result(tape: Tape, blow: Shot, roll: Rule) -> Row | None:
    if blow.needs and not tape.call(roll, blow.name, blow.needs):
        return None
    hit: Hit = tape.call(penetrate, blow.name, blow.dice, blow.gap)
    if hit == "none":
        return None
    row: Row = tape.call(roll_row, blow.name, modifier_of_hit(blow.modifier, hit), blow.low)
    return row


@clause("V5-ASLT-5")
def roll_at_vehicle(tape: Tape, name: str, needs: int) -> bool:
    """Roll to hit a vehicle, which its speed makes hard."""
    return needs < NEVER and bool(tape.roll(D6, at_least(needs), label=labelled(name, "to hit")))


@clause("V5-WALK-8", "V5-WALK-10", "V5-CORE-10")
def roll_at_walker(tape: Tape, name: str, needs: int) -> bool:
    """Roll to hit a walker, which fights back."""
    return needs < NEVER and bool(tape.roll(D6, at_least(needs), label=labelled(name, "to hit")))


# --- all blows of one step ------------------------------------------------------------------------------------------


@clause("V5-VOLLEY-2", "V5-ASLT-6")
def land_blow(tape: Tape, condition: Condition, blow: Shot) -> Condition:
    """One blow at a vehicle; nobody strikes what is gone, unless all blows are rolled together."""
    if is_spared(condition):
        return condition
    return tape.call(risk, blow_result, blow, *at_stake(condition), then=_one_landed, rest=condition)


def _one_landed(condition: Condition, dealt: Dealt) -> Condition:
    return befall(condition, *dealt)


@clause("V5-WALK-8", "V5-WALK-13")
def break_walker(tape: Tape, condition: Condition, blows: tuple[Shot, ...]) -> Condition:
    """Blows of one walker at another; nobody counts them, as neither side would test its morale."""
    struck: Struck = tape.call(rain_on, condition, blows)
    return struck.condition


@clause("V5-WALK-12")
def rain_on(tape: Tape, condition: Condition, blows: tuple[Shot, ...]) -> Struck:
    """All blows of one step of a fight at a walker: they fall at once, so that a wreck does not end the count."""
    return tape.each(count_blow, Struck(condition), blows)


@clause("V5-WALK-12", "V5-VOLLEY-2")
def count_blow(tape: Tape, struck: Struck, blow: Shot) -> Struck:
    """One blow at a walker; each damage roll counts as a wound, whatever it does."""
    return tape.call(risk, walker_result, blow, *at_stake(struck.condition), then=_one_counted, rest=struck)


def _one_counted(struck: Struck, dealt: Dealt) -> Struck:
    return struck if dealt[0] is None else Struck(befall(struck.condition, *dealt), struck.wounds + 1)


# --- the assault ----------------------------------------------------------------------------------------------------


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
