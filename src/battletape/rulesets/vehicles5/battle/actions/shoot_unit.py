"""The action `shoot_unit`: squads shoot, on foot or out of a transport."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused, UnknownName
from battletape.inputs import Inputs
from battletape.rulesets.vehicles5.battle.actions._orders import about, enemies, mine, squad_of, tidy
from battletape.rulesets.vehicles5.battle.actions.fire import ready_to_fire, refuse_target
from battletape.rulesets.vehicles5.battle.log import chronicle
from battletape.rulesets.vehicles5.battle.shooting import (
    FIRE,
    FIRE_MEASURES,
    MAN_HIGH,
    Firing,
    Muzzle,
    fire_lens,
    refuse_muzzle,
)
from battletape.rulesets.vehicles5.battle.state import Field, Machine, Squad, Unitlike, things_of
from battletape.rulesets.vehicles5.battle.turn import refuse_squad, refuse_turn
from battletape.rulesets.vehicles5.profiles.types import Weapon
from battletape.rulesets.vehicles5.rules.firing import refuse_charge_after, refuse_weapon_on_foot, shots_on_foot
from battletape.rulesets.vehicles5.rules.transports import range_from_inside, refuse_passenger_fire, shooters
from battletape.system import Action
from battletape.table.distances import gap, nearest_point
from battletape.table.sight import Eye


class Arms(Inputs, frozen=True):
    """A weapon of a squad, and how many models fire it."""

    weapon: Annotated[str, Meta(title="Weapon of the squad", extra={"form": "name"})] = ""
    models: Annotated[int, Meta(title="Models that fire (0 = all that carry it)", ge=0, le=100)] = 0


class ShootOrder(Inputs, frozen=True):
    """A squad shoots at one unit, with the weapons named or with all it can use."""

    unit: str = ""
    target: str = ""
    weapons: tuple[Arms, ...] = ()


@clause("V5-TRAN-3", "V5-CORE-21")
def counts_as_moving(field: Field, squad: Squad) -> bool:
    """Whether a squad counts as having moved: on its feet, by getting out, or in a vehicle that did."""
    if squad.aboard:
        return field.machine(squad.aboard).path > 0 or squad.moved
    return squad.moved or bool(squad.left)


def _carried(squad: Squad, target: Unitlike, order: ShootOrder) -> list[tuple[Weapon, int, int]]:
    """Weapon, how many fire it, and the first model that does; those that are not named find their own."""
    counts = dict(squad.bearers())
    firsts, first = {}, 0
    for name, count in counts.items():
        firsts[name], first = first, first + count
    if not order.weapons:
        return [(_fitting_way(squad, name, target), count, firsts[name]) for name, count in counts.items()]
    found = []
    for arms in order.weapons:
        named = _named(squad, arms.weapon)
        carrier = next((one for one in counts if one.lower() in (named.mode_of.lower(), named.name.lower())), "")
        most = counts.get(carrier, 0)
        found.append((named, arms.models or most, firsts.get(carrier, 0)))
    return found


def _named(squad: Squad, name: str) -> Weapon:
    for one in squad.arsenal:
        if one.name.lower() == name.strip().lower():
            return one
    known = [one.name for one in squad.arsenal if one.type not in ("melee", "grenade")]
    raise UnknownName("weapon", name, known, source=squad.name)


def _fitting_way(squad: Squad, name: str, target: Unitlike) -> Weapon:
    """The missile a player would load: the strongest against machines, one with a marker against squads."""
    ways = squad.ways(name)
    if isinstance(target, Machine):
        return max(ways, key=lambda one: one.strength or 0)
    return next((one for one in ways if one.blast), ways[0])


def _muzzles(field: Field, squad: Squad, target: Unitlike, order: ShootOrder) -> tuple[list[Muzzle], Refused | None]:
    """Everybody who can fire, and why the first of the others cannot."""
    found: list[Muzzle] = []
    why: Refused | None = None
    moving = counts_as_moving(field, squad)
    firer: Unitlike = field.machine(squad.aboard) if squad.aboard else squad
    for weapon, count, first in _carried(squad, target, order):
        refused = refuse_weapon_on_foot(weapon, moving)
        for at in range(first, min(first + count, len(squad.models))):
            muzzle = _muzzle(field, squad, at, weapon, target, moving)
            wrong = refused or refuse_muzzle(field, muzzle, firer, target)
            if wrong is None:
                found.append(muzzle)
            why = why or wrong
    return found, why


def _muzzle(field: Field, squad: Squad, at: int, weapon: Weapon, target: Unitlike, moving: bool) -> Muzzle:
    if squad.aboard:
        hull, height = field.machine(squad.aboard).hull, field.machine(squad.aboard).profile.height
        thing = min(things_of(target), key=lambda one: gap(hull, one))
        away = range_from_inside(hull, thing)
        eye = Eye(nearest_point(thing.centre, hull), height)
    else:
        model = squad.models[at]
        away = min(gap(model, one) for one in things_of(target))
        eye = Eye(model.centre, MAN_HIGH)
    shots = shots_on_foot(weapon, away, moving)
    return Muzzle(weapon.name, weapon, eye, max(shots, 1), squad.profile.bs, away, rules=squad.profile.rules)


@clause("V5-CORE-1", "V5-CORE-21", "V5-TRAN-3", "V5-OPEN-1")
def refuse_shooting(field: Field, order: ShootOrder) -> Refused | None:
    """Why a squad may not shoot like this."""
    refused = refuse_turn(field, order.unit, "shooting")
    if refused is not None:
        return refused
    squad = squad_of(field, order.unit, "shoot so; machines use fire", "V5-CORE-1")
    if isinstance(squad, Refused):
        return squad
    refused = refuse_squad(field, squad, aboard=True) or refuse_target(field, squad, order.target)
    if refused is not None:
        return refused
    if squad.fired_at or squad.ran:
        done = f"fired at {squad.fired_at}" if squad.fired_at else "ran"
        return Refused(f"{squad.name}: {done} already in this turn", "V5-CORE-1", "fired")
    target = field.find(order.target)
    carried = dict(squad.bearers())
    for weapon, count, _ in _carried(squad, target, order):
        most = carried.get(weapon.mode_of, carried.get(weapon.name, 0))
        if not 0 < count <= most:
            return Refused(f"{most} models of {squad.name} can fire {weapon.name}; {count} were named", "V5-CORE-1")
    muzzles, why = _muzzles(field, squad, target, order)
    refused = _refuse_from_inside(field, squad, len(muzzles), bool(order.weapons))
    if refused is not None or muzzles:
        return refused
    return why or Refused(f"{squad.name}: nothing to shoot with", "V5-CORE-21", "weapons")


def _refuse_from_inside(field: Field, squad: Squad, firing: int, named: bool) -> Refused | None:
    if not squad.aboard:
        return None
    machine = field.machine(squad.aboard)
    state, smoke = field.condition(machine).state, machine.smoke_turn == field.turn
    points = machine.profile.fire_points
    refused = refuse_passenger_fire(machine.traits, points, machine.band, state, smoke, field.rules)
    most = _shooters(field, squad)
    if refused is None and named and firing > most:
        return Refused(f"{most} passengers may shoot out of {machine.name}; {firing} were named", "V5-TRAN-3", "points")
    return refused


def _shooters(field: Field, squad: Squad) -> int:
    machine = field.machine(squad.aboard)
    state, smoke = field.condition(machine).state, machine.smoke_turn == field.turn
    count = len(squad.models)
    return shooters(machine.traits, machine.profile.fire_points, count, machine.band, state, smoke, field.rules)[0]


def begin_shooting(field: Field, order: ShootOrder) -> Firing:
    """Everybody who can fire does; out of a transport the strongest weapons take the fire points."""
    squad, target = field.squad(order.unit), field.find(order.target)
    muzzles, _ = _muzzles(field, squad, target, order)
    if squad.aboard:
        muzzles.sort(key=lambda one: -(one.weapon.strength or 0))
        muzzles = muzzles[: _shooters(field, squad)]
    return ready_to_fire(field, squad, target, muzzles)


@clause("V5-CORE-21")
def finish_shooting(field: Field, order: ShootOrder, work: Firing) -> Field:
    """Note at whom a squad fired, and whether it fired anything after which nobody charges."""
    squad, target = work.field.squad(order.unit), work.field.find(order.target)
    muzzles, _ = _muzzles(field, field.squad(order.unit), field.find(order.target), order)
    slow = next((one.weapon.name for one in muzzles if refuse_charge_after(one.weapon) is not None), "")
    return tidy(work.field.changed(replace(squad, fired_at=target.name, fired_slow=slow)))


def _orders(field: Field) -> Iterator[ShootOrder]:
    for one in mine(field, "shooting"):
        if isinstance(one, Squad) and not one.fired_at:
            for target in enemies(field):
                yield ShootOrder(unit=one.name, target=target.name)


SHOOT_UNIT = Action(
    "shoot_unit",
    "Shoot with a squad",
    ShootOrder,
    refuse_shooting,
    begin_shooting,
    FIRE,
    finish_shooting,
    _orders,
    measures=FIRE_MEASURES,
    lens=fire_lens,
    about=lambda field, order: {**about(field, order), "weapon": ", ".join(one.weapon for one in order.weapons)},
    tell=chronicle,
    clauses=("V5-CORE-1", "V5-CORE-21", "V5-TRAN-3"),
)
