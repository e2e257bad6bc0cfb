"""Machines in the Shooting phase: `fire`, and `pivot_to_fire` for walkers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused, UnknownName
from battletape.inputs import Inputs
from battletape.rulesets.vehicles5.battle.actions._orders import about, at_once, enemies, machine_of, mine, tidy
from battletape.rulesets.vehicles5.battle.log import chronicle
from battletape.rulesets.vehicles5.battle.shooting import (
    FIRE,
    FIRE_MEASURES,
    Firing,
    Muzzle,
    burnt,
    cover_of,
    fire_lens,
    lay_flame,
    lobbed,
    refuse_arc,
    refuse_muzzle,
    refuse_sight,
    salvo_at,
    shell_at,
    shots_at,
    squad_cover,
)
from battletape.rulesets.vehicles5.battle.start import Heading
from battletape.rulesets.vehicles5.battle.state import Field, Gun, Machine, Squad, Unitlike, things_of
from battletape.rulesets.vehicles5.battle.turn import refuse_gone, refuse_turn
from battletape.rulesets.vehicles5.profiles.book import is_barrage, is_one_shot, is_template
from battletape.rulesets.vehicles5.profiles.types import Weapon
from battletape.rulesets.vehicles5.rules import geometry
from battletape.rulesets.vehicles5.rules.firing import fire_mode, refuse_barrage, refuse_set
from battletape.rulesets.vehicles5.rules.walkers import refuse_walker
from battletape.system import Action
from battletape.table.hulls import turned
from battletape.table.points import bearing


class GunOrder(Inputs, frozen=True):
    """A weapon of a machine: which one, what it fires, and whether as a barrage."""

    gun: Annotated[str, Meta(title="Weapon of the machine", extra={"form": "name"})] = ""
    weapon: Annotated[str, Meta(title="What a launcher fires")] = ""
    barrage: bool = False


class FireOrder(Inputs, frozen=True):
    """A machine fires at one unit; its weapons are all named at once."""

    unit: str = ""
    target: str = ""
    guns: tuple[GunOrder, ...] = ()


class Aimed(Inputs, frozen=True):
    """A walker turns to fire."""

    unit: str = ""
    heading: Heading = 0.0


# --- the target -----------------------------------------------------------------------------------------------------


@clause("V5-FIRE-0", "V5-CORE-1", "V5-TRAN-2", "V5-WALK-8")
def refuse_target(field: Field, firer: Unitlike, name: str) -> Refused | None:
    """Why nobody may shoot at this unit."""
    target = field.find(name)
    if target.side == firer.side:
        return Refused(f"{target.name}: on the same side", "V5-CORE-1", "side")
    if isinstance(target, Squad) and target.aboard:
        return Refused(f"{target.name}: aboard {target.aboard}, which can be shot at instead", "V5-TRAN-2", "aboard")
    if target.locked_with and not target.is_gone:
        return Refused(f"{target.name}: locked in a fight; nobody shoots into it", "V5-WALK-8", "locked")
    return refuse_gone(target)


# --- a machine fires ------------------------------------------------------------------------------------------------


def _gun(machine: Machine, label: str) -> Gun:
    for gun in machine.guns:
        if gun.label.lower() == label.strip().lower():
            return gun
    raise UnknownName("weapon", label, [one.label for one in machine.guns], source=machine.name)


def _weapon(gun: Gun, name: str) -> Weapon:
    for one in gun.weapons:
        if not name or one.name.lower() == name.strip().lower():
            return one
    raise UnknownName("missile", name, [one.name for one in gun.weapons], source=gun.label)


def _muzzle(field: Field, machine: Machine, order: GunOrder, target: Unitlike) -> Muzzle:
    gun = _gun(machine, order.gun)
    weapon, eye = _weapon(gun, order.weapon), geometry.eye_of(machine.hull, gun.fitting, field.rules)
    there = [one for one in things_of(target) if refuse_arc(field, machine, gun.fitting, target, one) is None]
    near = there or things_of(target)  # a model that the weapon cannot point at is not measured to
    distance = min(geometry.range_of(machine.hull, gun.fitting, one, field.rules) for one in near)
    muzzle = Muzzle(gun.label, weapon, eye, weapon.shots, machine.profile.bs, distance, order.barrage)
    blind = weapon.blast and refuse_sight(field, eye, machine.name, target) is not None
    return replace(muzzle, sees=False) if blind else muzzle


@clause("V5-FIRE-5", "V5-FIRE-0", "V5-LOS-1", "V5-ORD-1", "V5-ORD-4")
def refuse_fire(field: Field, order: FireOrder) -> Refused | None:
    """Why a machine may not fire like this; a weapon that fails is named."""
    refused = refuse_turn(field, order.unit, "shooting")
    if refused is not None:
        return refused
    machine = machine_of(field, order.unit, "fire; squads use shoot_unit", "V5-FIRE-0")
    if isinstance(machine, Refused):
        return machine
    refused = refuse_target(field, machine, order.target)
    if refused is not None:
        return refused
    if machine.fired_at:
        return Refused(f"{machine.name} has fired at {machine.fired_at} this turn", "V5-FIRE-0", "fired")
    if machine.locked_with:
        return Refused(f"{machine.name} is locked in a fight with {machine.locked_with[0]}", "V5-WALK-8", "locked")
    return _refuse_guns(field, machine, order)


def _refuse_guns(field: Field, machine: Machine, order: FireOrder) -> Refused | None:
    mode = fire_mode(
        machine.traits,
        machine.band,
        field.condition(machine).state,
        smoke=machine.smoke_turn == field.turn,
        rammed=machine.declared == "ram",
        ran=machine.ran,
        rules=field.rules,
    )
    if mode.mode == "none":
        return mode.why
    names = [_gun(machine, one.gun).label for one in order.guns]
    if not names or len(set(names)) < len(names):
        return Refused(f"guns want one or more weapons of {machine.name}, each once", "V5-FIRE-0", "guns")
    for one in order.guns:
        refused = _refuse_gun(machine, _gun(machine, one.gun))
        if refused is not None:
            return refused
    weapons = [_weapon(_gun(machine, one.gun), one.weapon) for one in order.guns]
    refused = refuse_set(mode, [(one.strength or 1, one.type == "ordnance") for one in weapons])
    target = field.find(order.target)
    for one, weapon in zip(order.guns, weapons, strict=True):
        if refused is None and one.barrage and weapon.type == "ordnance":
            refused = refuse_barrage(mode)
        if refused is None:
            fitting = _gun(machine, one.gun).fitting
            refused = refuse_muzzle(field, _muzzle(field, machine, one, target), machine, target, fitting)
    return refused


@clause("V5-DMG-3")
def _refuse_gun(machine: Machine, gun: Gun) -> Refused | None:
    if gun.weapons[0].type == "melee":
        return Refused(f"{gun.label} is for striking and is not fired", "V5-WALK-16", "type")
    if gun.spent:
        return Refused(f"{gun.label} had one shot, which is spent", "V5-DMG-3", "spent")
    if gun.label not in machine.condition.weapons:
        return Refused(f"{gun.label} of {machine.name} is destroyed", "V5-DMG-3", "destroyed")
    return None


def begin_fire(field: Field, order: FireOrder) -> Firing:
    """All weapons that were named, ready to be fired."""
    machine, target = field.machine(order.unit), field.find(order.target)
    return ready_to_fire(field, machine, target, [_muzzle(field, machine, one, target) for one in order.guns])


@clause("V5-FIRE-0", "V5-SHOT-5", "V5-SHOT-6")
def ready_to_fire(field: Field, firer: Unitlike, target: Unitlike, muzzles: Sequence[Muzzle]) -> Firing:
    """Shots at a machine, salvos at squads and blasts, from every weapon that is fired."""
    direct = [one for one in muzzles if not one.weapon.blast]
    level = [one for one in muzzles if not lobbed(one)]
    if isinstance(target, Machine):
        cover = cover_of(field, level, firer.name, target)
    else:
        cover = squad_cover(field, level, firer.name, target)
    shells = tuple(shell_at(one, target, cover) for one in muzzles if one.weapon.blast for _ in range(one.shots))
    work = Firing(field, firer.name, target.name, shells=shells)
    if isinstance(target, Machine):
        shots = (shot for one in direct for shot in shots_at(field, one, target, cover, firer.side))
        return replace(work, shots=tuple(shots), weapons=len(target.condition.weapons), models=0)
    salvos = []
    for one in direct:
        if not is_template(one.weapon):
            salvos.append(salvo_at(one, target, cover))
            continue
        flame = lay_flame(field, one, firer, target)
        if not isinstance(flame, Refused):
            foes = [foe for foe in field.squads if foe.side != firer.side and not foe.aboard]
            salvos += [salvo_at(one, foe, cover, len(burnt(flame, foe))) for foe in foes if burnt(flame, foe)]
    return replace(work, salvos=tuple(salvos), models=len(target.models))


@clause("V5-FIRE-0", "V5-DMG-3")
def finish_fire(field: Field, order: FireOrder, work: Firing) -> Field:
    """Note at whom a machine fired, and which of its weapons are spent."""
    machine = work.field.machine(order.unit)
    fired = [_gun(machine, one.gun) for one in order.guns]
    spent = {gun.label for gun in fired if any(is_one_shot(one) for one in gun.weapons)}
    guns = tuple(replace(one, spent=True) if one.label in spent else one for one in machine.guns)
    kept = tuple(one for one in machine.condition.weapons if one not in spent)
    condition = replace(machine.condition, weapons=kept)
    target = work.field.find(order.target).name
    return tidy(work.field.changed(replace(machine, guns=guns, condition=condition, fired_at=target)))


def _fires(field: Field) -> Iterator[FireOrder]:
    for one in mine(field, "shooting"):
        if not isinstance(one, Machine) or one.fired_at:
            continue
        guns = [gun for gun in one.guns if gun.label in one.condition.weapons and gun.weapons[0].type != "melee"]
        for target in enemies(field):
            every = tuple(GunOrder(gun=gun.label) for gun in guns if gun.weapons[0].type != "ordnance")
            if len(every) > 1:
                yield FireOrder(unit=one.name, target=target.name, guns=every)
            for gun in guns:
                for weapon in gun.weapons:
                    named = GunOrder(gun=gun.label, weapon=weapon.name if len(gun.weapons) > 1 else "")
                    yield FireOrder(unit=one.name, target=target.name, guns=(named,))
                    if is_barrage(weapon):
                        yield FireOrder(unit=one.name, target=target.name, guns=(replace(named, barrage=True),))


# --- a walker turns to fire -----------------------------------------------------------------------------------------


@clause("V5-WALK-5")
def refuse_aiming(field: Field, order: Aimed) -> Refused | None:
    """Why a machine may not turn towards its target in the Shooting phase."""
    refused = refuse_turn(field, order.unit, "shooting")
    if refused is not None:
        return refused
    machine = machine_of(field, order.unit, "turn to fire", "V5-WALK-5")
    if isinstance(machine, Refused):
        return machine
    if not machine.traits.walker:
        return Refused("only a walker turns when it fires; others turn in the Movement phase", "V5-WALK-5", "type")
    if machine.fired_at or machine.locked_with:
        return Refused(f"{machine.name} turns as it fires, not afterwards and not in a fight", "V5-WALK-5", "fired")
    state = field.condition(machine).state
    return refuse_walker("pivot_when_firing", ran=machine.ran, state=state)


def _aim(field: Field, order: Aimed) -> Field:
    machine = field.machine(order.unit)
    return field.changed(replace(machine, hull=turned(machine.hull, order.heading)))


def _aims(field: Field) -> Iterator[Aimed]:
    for one in mine(field, "shooting"):
        if isinstance(one, Machine) and one.traits.walker:
            for target in enemies(field):
                place = things_of(target)[0].centre
                yield Aimed(unit=one.name, heading=bearing(one.hull.centre, place))


FIRE_ACTION = Action(
    "fire",
    "Fire the weapons of a machine",
    FireOrder,
    refuse_fire,
    begin_fire,
    FIRE,
    finish_fire,
    _fires,
    measures=FIRE_MEASURES,
    lens=fire_lens,
    about=lambda field, order: {**about(field, order), "weapon": ", ".join(one.gun for one in order.guns)},
    tell=chronicle,
    clauses=("V5-FIRE-0", "V5-FIRE-5", "V5-VOLLEY-1"),
)
PIVOT = at_once("pivot_to_fire", "Turn a walker towards its target", Aimed, refuse_aiming, _aim, _aims, "V5-WALK-5")
