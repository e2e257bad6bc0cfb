"""Blows in close combat: one attack from the roll to hit to its damage, and all of one step of a fight."""

from __future__ import annotations

from msgspec import Struct

from battletape.clauses import clause
from battletape.dice import D6, at_least
from battletape.errors import UnknownName
from battletape.rulesets.vehicles5.damage import (
    Condition,
    Dealt,
    at_stake,
    befall,
    is_spared,
    modifier_of_hit,
    risk,
    roll_row,
)
from battletape.rulesets.vehicles5.keywords import ready
from battletape.rulesets.vehicles5.penetration import labelled, penetrate
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.tables import GRENADES, NEVER
from battletape.rulesets.vehicles5.traits import Hit, PenDice, Row
from battletape.rulesets.vehicles5.volley import Aim, Shot
from battletape.tape import Rule, Tape


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
    return tape.call(risk, blow_result, blow, *at_stake(condition), then=_landed, rest=condition)


def _landed(condition: Condition, dealt: Dealt) -> Condition:
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
    return tape.call(risk, walker_result, blow, *at_stake(struck.condition), then=_counted, rest=struck)


def _counted(struck: Struck, dealt: Dealt) -> Struck:
    return struck if dealt[0] is None else Struck(befall(struck.condition, *dealt), struck.wounds + 1)
