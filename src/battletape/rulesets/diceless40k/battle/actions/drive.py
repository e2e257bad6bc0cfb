"""Vehicles that move: `drive`, `ram`, `tank_shock`, `smoke`, and `self_repair` of those that are stuck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from battletape.cards import Inputs
from battletape.cards import refusing as Action
from battletape.rulebook import Line, Meta, Procedure, Refused, Tape, clause, fold, plain, replace
from battletape.rulebook import inches as told_inches
from battletape.rulesets.diceless40k.battle.actions._orders import (
    ENEMY_MACHINE,
    ENEMY_TROOP,
    OWN_MACHINE,
    OneMachine,
    at_once,
)
from battletape.rulesets.diceless40k.battle.board import (
    MoveOrder,
    Way,
    all_of,
    known_distance,
    refuse_room,
    refuse_through,
    way_of,
)
from battletape.rulesets.diceless40k.battle.deed import (
    FAILED,
    GLANCING,
    PENETRATING,
    UNDONE,
    WRECKED,
    Deed,
    Walk,
    bear,
    begin_deed,
    finish_deed,
    headline,
    strike_machine,
    write_attack,
)
from battletape.rulesets.diceless40k.battle.ground import check_morale, mines_on, without_mines
from battletape.rulesets.diceless40k.battle.start import Heading, Inches, Spot
from battletape.rulesets.diceless40k.battle.state import Machine, State, Unitlike, things_of
from battletape.rulesets.diceless40k.battle.turn import can_follow, refuse_own_repair, refuse_turn
from battletape.rulesets.diceless40k.rules import base_vehicles
from battletape.rulesets.diceless40k.rules.base_vehicles import most_inches, speed_of_move
from battletape.rulesets.diceless40k.rules.casualties import Packet, Target, take_share
from battletape.rulesets.diceless40k.rules.characteristics import SMOKE
from battletape.rulesets.diceless40k.rules.damage_rows import refuse_drive, refuse_target
from battletape.rulesets.diceless40k.rules.movement import allowance, refuse_path
from battletape.rulesets.diceless40k.rules.ramming import RAM, Rammer, ram_of, refuse_ram
from battletape.rulesets.diceless40k.rules.repairs import REPAIR, Repair, rhino_points
from battletape.rulesets.diceless40k.rules.vehicles import (
    HullPacket,
    inches_in_danger,
    mines_packet,
    terrain_packet,
    tremor_packet,
)
from battletape.table.distances import gap
from battletape.table.facings import Facing, armour_at, facing
from battletape.table.hulls import Hull
from battletape.table.points import apart, bearing, step
from battletape.table.sweeps import free_distance

SHORT = 0.1  # inches that a tank stops before whom it meets
ROUNDING = 0.02  # inches, so that a goal in hundredths is never too far
GLORY_DMG = 20  # of one sure hit, as with grenades and rams


class Drive(MoveOrder, frozen=True):
    """A vehicle drives."""

    unit: str = OWN_MACHINE
    heading: Annotated[Heading | None, Meta(title="How it turns at the end")] = None
    on_road: bool = False


# --- driving ---------------------------------------------------------------------------------------------------------


def _refuse_machine(state: State, name: str) -> Refused | None:
    """Why a vehicle does not move now."""
    refused = refuse_turn(state, name, "movement")
    if refused is not None:
        return refused
    machine = state.machine(name)
    if machine.combat:
        return Refused(f"{machine.name} is locked in combat", "DL-0.1", "locked")
    if machine.moved:
        return Refused(f"{machine.name} has moved in this turn", "DL-0.1", "moved")
    return refuse_drive(machine.damage)


@clause("DL-60.2", "DL-57.1", "DL-14.1")
def refuse_driving(state: State, order: Drive) -> Refused | None:
    """Why a vehicle may not drive like this."""
    refused = _refuse_machine(state, order.unit)
    if refused is not None:
        return refused
    machine = state.machine(order.unit)
    way = way_of(state, machine, order)
    if isinstance(way, Refused):
        return way
    if not way.inches:
        return Refused("a drive needs a distance above 0; a vehicle that stays needs no order", "DL-60.2", "distance")
    if machine.is_walker:
        refused = refuse_path(way.pieces, allowance("walker"), rules=state.rulings)
    else:
        refused = base_vehicles.refuse_move(machine.profile.types, machine.damage, way.inches, order.on_road)
    if refused is not None or machine.hull is None:
        return refused
    there = replace(machine, hull=_hull_after(machine.hull, way, order))
    refused = refuse_room(state, (there,)) or refuse_through(state, (machine,), way)
    return refused or _refuse_apart(state, machine, there)


@clause("DL-0.1")
def _refuse_apart(state: State, machine: Machine, there: Machine) -> Refused | None:
    """Why a vehicle may not leave its squadron: those that stay where they are, or else those that can still follow."""
    others = [other for other in state.squadron_of(machine)[1:] if other.hull is not None]
    settled = [other for other in others if not can_follow(other)]
    if not others:
        return None
    before, after = (_to_nearest(unit, settled or others) for unit in (machine, there))
    reach = None if settled else max(most_inches(other.profile.types) for other in others)
    return base_vehicles.refuse_apart(machine.name, machine.squadron, before, after, reach)


def _to_nearest(machine: Machine, others: Sequence[Machine]) -> float:
    return min(gap(thing, there) for thing in things_of(machine) for other in others for there in things_of(other))


def _hull_after(hull: Hull, way: Way, order: Drive) -> Hull:
    if not way.points:
        return hull
    heading = order.heading if order.heading is not None else bearing(way.points[-2], way.points[-1])
    return replace(hull, centre=way.points[-1], heading=heading % 360)


def begin_drive(state: State, order: Drive) -> Walk:
    """A drive before it begins."""
    way = way_of(state, state.machine(order.unit), order)
    if isinstance(way, Refused):
        raise way
    return Walk(state, order, way=way)


@clause("DL-60.2")
def roll_on(tape: Tape, deed: Walk) -> Walk:
    """The vehicle stands at the end of its way; its speed is what firers will meet."""
    machine, way = deed.state.machine(deed.order.unit), deed.way
    speed = speed_of_move(machine.profile.types, way.inches, deed.order.on_road)
    if isinstance(speed, Refused):
        raise speed
    hull = None if machine.hull is None else _hull_after(machine.hull, way, deed.order)
    tape.tell(driven_line, machine.name, speed, way.inches)
    return deed.with_units(replace(machine, hull=hull, speed=speed, inches=way.inches, moved=True))


def driven_line(name: str, speed: str, inches: float) -> Line:
    """Say how far a vehicle drove, and how fast that is."""
    way = told_inches(round(inches, 1))
    return Line(f"{name} drives {way}: {plain(speed)} speed" if inches else f"{name} does not move", ("DL-60.2",))


@clause("DL-57.1", "DL-57.2", "DL-SM-67.1", "DL-SM-73.2")
def suffer_ground(tape: Tape, deed: Walk) -> Walk:
    """Terrain, shaken ground and mines on the way meet the rear armour."""
    machine, state = deed.state.machine(deed.order.unit), deed.state
    packets: list[HullPacket] = []
    rear, skims = machine.profile.rear, "skimmer" in machine.profile.types
    hurt = spared = 0.0  # inches in terrain that is dangerous for it, and in other terrain
    for crossing in deed.way.crossings:
        ground = state.ground(crossing.ground)
        if not ground.dangerous and (machine.is_walker or not ground.difficult):
            spared += crossing.inches
        else:
            inches = inches_in_danger(crossing.inches, skims, crossing.starts, crossing.ends, state.rulings)
            hurt += inches
            packets.append(terrain_packet(rear, inches, ground.strength, ground.vehicle_dmg_per_inch))
    mined = mines_on(state, machine.side, deed.way)
    packets += [mines_packet(rear, state.rulings)] * len(mined)
    deed = replace(deed, state=without_mines(deed.state, mined)) if mined else deed
    if machine.tremor:  # no inch counts twice
        packets.append(tremor_packet(rear, max(0.0, deed.way.inches - hurt), spared, state.rulings))
    packets = [packet for packet in packets if packet.dmg]
    return strike_machine(tape, deed, machine.name, packets, state.other(machine.side)) if packets else deed


def _drives(state: State) -> Iterator[Drive]:
    for machine in state.machines:
        if machine.side != state.active or machine.is_gone or machine.where != "table":
            continue
        top = most_inches(machine.profile.types)
        for inches in dict.fromkeys((6.0, min(12.0, top), top)):
            if machine.hull is None:
                yield Drive(unit=machine.name, inches=inches)
                continue
            for turn in (-45, 0, 45, 180):
                goal = step(machine.hull.centre, machine.hull.heading + turn, inches - ROUNDING)
                if abs(goal.x) <= 240 and abs(goal.y) <= 240:
                    yield Drive(unit=machine.name, path=(Spot(x=round(goal.x, 2), y=round(goal.y, 2)),))


DRIVE = Action(
    "drive",
    "Drive a vehicle",
    Drive,
    refuse_driving,
    begin_drive,
    Procedure("drive", (roll_on, suffer_ground)),
    finish_deed,
    _drives,
    measures=(GLANCING, PENETRATING, WRECKED),
    headline=headline,
    clauses=("DL-60.2", "DL-57.1"),
)


# --- ramming ---------------------------------------------------------------------------------------------------------


class RamOrder(Inputs, frozen=True):
    """A tank rams: how far it drives, and the facing that it hits, unless the board shows them."""

    unit: str = OWN_MACHINE
    target: str = ENEMY_MACHINE
    inches: Annotated[Inches | None, Meta(title="Inches driven")] = None
    facing: Literal["front", "side", "rear"] | None = None


@clause("DL-0.1")
def _rush(state: State, machine: Machine, target: Unitlike, said: float | None, cited: str) -> Machine | Refused:
    """A tank that has driven straight at a unit: its inches and speed, and on a board its place in front of it."""
    inches = known_distance(state, machine, target, said, cited)
    if inches is None:
        return Refused("nobody has said how far it drives; say inches=…", cited, "distance")
    if isinstance(inches, Refused):
        return inches
    most = most_inches(machine.profile.types)
    if inches > most:
        reason = f"{machine.name} drives {told_inches(most)} at most; {told_inches(inches)} are wanted"
        return Refused(reason, cited, "distance")
    speed = speed_of_move(machine.profile.types, inches)
    rolled = replace(machine, moved=True, inches=inches)
    rolled = rolled if isinstance(speed, Refused) else replace(rolled, speed=speed)
    foes = all_of(state, target)
    things = [thing for foe in foes for thing in things_of(foe)]
    hull = machine.hull
    if hull is None or not things:
        return rolled
    goal = min(things, key=lambda thing: gap(hull, thing))
    turned = replace(hull, heading=bearing(hull.centre, goal.centre))
    free = free_distance(turned, apart(hull.centre, goal.centre), things) - SHORT
    if free <= 0:
        return rolled
    there = replace(rolled, hull=replace(turned, centre=step(hull.centre, turned.heading, free)))
    names = [foe.name for foe in foes]
    way = Way(free, (("open", free),), points=(hull.centre, step(hull.centre, turned.heading, free)))
    return refuse_room(state, (there,), names) or refuse_through(state, (machine,), way, names) or there


@clause("DL-69.1")
def refuse_ramming(state: State, order: RamOrder) -> Refused | None:
    """Why a vehicle may not ram that one."""
    refused = _refuse_machine(state, order.unit)
    if refused is not None:
        return refused
    machine, target = state.machine(order.unit), state.machine(order.target)
    refused = refuse_ram(machine.profile.types, machine.damage) or refuse_target(target.damage)
    if refused is not None:
        return refused
    if target.side == machine.side or target.where != "table":
        return Refused(f"{target.name} cannot be rammed", "DL-69.1", "target")
    if order.facing is not None and machine.hull is not None and target.hull is not None:
        shown = facing(target.hull, machine.hull.centre)
        if order.facing != shown:
            reason = f"on the board {machine.name} comes from the {shown} of {target.name}, not from the {order.facing}"
            return Refused(f"{reason}; leave out facing", "DL-69.1", "facing")
    rolled = _rush(state, machine, target, order.inches, "DL-69.1")
    return rolled if isinstance(rolled, Refused) else None


@clause("DL-69.1", "DL-71.1")
def collide(tape: Tape, deed: Deed) -> Deed:
    """Both vehicles suffer."""
    state, order = deed.state, deed.order
    rammer, target = state.machine(order.unit), state.machine(order.target)
    rolled = _rush(state, rammer, target, order.inches, "DL-69.1")
    if isinstance(rolled, Refused):
        raise rolled
    met: Facing = order.facing or "side"
    if order.facing is None and rammer.hull is not None and target.hull is not None:
        met = facing(target.hull, rammer.hull.centre)
    types = rammer.profile.types, target.profile.types
    ram = ram_of(
        (rammer.damage, target.damage),
        Rammer(rammer.profile.front, "tank" in types[0], "skimmer" in types[0]),
        Rammer(armour_at(target.profile, met), "tank" in types[1], "skimmer" in types[1]),
        rolled.inches,
        (rammer.side, target.side),
        state.rulings,
    )
    tape.tell(
        "{} drives {} and rams {}", rammer.name, told_inches(round(rolled.inches, 1)), target.name, clause="DL-69.1"
    )
    ram = fold(RAM, tape, ram)
    deed = deed.with_units(replace(rolled, rammed=True))
    deed = write_attack(tape, deed, target.name, ram.target)
    return write_attack(tape, deed, rammer.name, ram.rammer)


RAMMING = Action(
    "ram",
    "Ram a vehicle",
    RamOrder,
    refuse_ramming,
    begin_deed,
    Procedure("ram", (collide,)),
    finish_deed,
    measures=(GLANCING, PENETRATING, WRECKED),
    headline=headline,
    clauses=("DL-69.1", "DL-71.1"),
)


# --- tank shock ------------------------------------------------------------------------------------------------------


class Shock(Inputs, frozen=True):
    """A tank drives through a unit of the enemy."""

    unit: str = OWN_MACHINE
    target: str = ENEMY_TROOP
    inches: Annotated[Inches | None, Meta(title="Inches driven")] = None


@clause("DL-8.1")
def refuse_shock(state: State, order: Shock) -> Refused | None:
    """Why a vehicle may not drive through that unit."""
    refused = _refuse_machine(state, order.unit)
    if refused is not None:
        return refused
    machine, target = state.machine(order.unit), state.troop(order.target)
    if "tank" not in machine.profile.types:
        return Refused("only a tank drives through its enemies", "DL-8.1", "type")
    if target.side == machine.side or target.is_gone or target.where != "table" or target.joined:
        return Refused(f"{target.name} cannot be driven through", "DL-8.1", "target")
    rolled = _rush(state, machine, target, order.inches, "DL-8.1")
    return rolled if isinstance(rolled, Refused) else None


@clause("DL-8.1", "DL-60.4")
def drive_through(tape: Tape, deed: Deed) -> Deed:
    """The unit tests its morale; if it stands, one of its models may stop the tank for death or glory."""
    state, order = deed.state, deed.order
    machine, target = state.machine(order.unit), state.troop(order.target)
    rolled = _rush(state, machine, target, order.inches, "DL-8.1")
    if isinstance(rolled, Refused):
        raise rolled
    tape.tell(driven_line, f"{machine.name}, through {target.name},", rolled.speed, rolled.inches)
    deed = deed.with_units(rolled)
    deed = check_morale(tape, deed, target.name, "tank shock")
    target = deed.state.troop(target.name)
    if target.falling_back or target.is_gone or target.combat:
        return deed
    heroes = tuple(group.name for group in target.groups if group.models)
    chosen = tape.choose(("move aside", *heroes), by=target.side, label=f"death or glory of {target.name}")
    if chosen == "move aside":
        tape.tell("{} moves aside", target.name)
        return deed
    at = target.group_at(chosen)
    strengths = [target.weapon(name).strength or 0 for name in target.groups[at].weapons if _is_known(target, name)]
    strength = max((target.groups[at].strength, *strengths))
    packet = HullPacket("death or glory", GLORY_DMG, strength, machine.profile.front)
    deed = strike_machine(tape, deed, machine.name, (packet,), target.side)
    after = deed.state.machine(machine.name).damage
    if after.destroyed or after.immobilised or after.stunned:
        tape.tell("{} has stopped {}", chosen, machine.name, clause="DL-60.4")
        return deed
    hero = deed.state.troop(target.name)
    crushed = Packet("run over", hero.groups[at].front_hp, 0, no_saves=True)
    return bear(tape, deed, hero.name, take_share(tape, _alone(deed.state, hero.name), crushed, at, crushed.dmg))


def _is_known(target: object, name: str) -> bool:
    return any(weapon.name == name for weapon in getattr(target, "arsenal", ()))


def _alone(state: State, name: str) -> Target:
    return state.target(state.troop(name))


TANK_SHOCK = Action(
    "tank_shock",
    "Drive through a unit",
    Shock,
    refuse_shock,
    begin_deed,
    Procedure("tank shock", (drive_through,)),
    finish_deed,
    measures=(FAILED,),
    headline=headline,
    clauses=("DL-8.1",),
)


# --- smoke and repairs -----------------------------------------------------------------------------------------------


@clause("DL-60.6")
def refuse_smoke(state: State, order: OneMachine) -> Refused | None:
    """Why a vehicle may not hide itself in smoke."""
    refused = refuse_turn(state, order.unit, "movement", "shooting")
    if refused is not None:
        return refused
    machine = state.machine(order.unit)
    if SMOKE not in machine.profile.rules or machine.smoke_used:
        why = "has used its smoke" if machine.smoke_used else "has no smoke launchers"
        return Refused(f"{machine.name} {why}", "DL-60.6", "smoke")
    if machine.fired_at:
        return Refused(f"{machine.name} has fired in this turn", "DL-60.6", "fired")
    return None


@clause("DL-60.6")
def lay_smoke(tape: Tape, state: State, order: OneMachine) -> State:
    """Hide a vehicle in smoke until its next turn."""
    machine = state.machine(order.unit)
    tape.tell("{} hides in smoke", machine.name)
    return state.changed(replace(machine, smoke_used=True, in_smoke=True))


SMOKING = at_once("smoke", "Hide in smoke", OneMachine, refuse_smoke, lay_smoke, "DL-60.6")


@clause("DL-SM-76.1")
def refuse_self_repair(state: State, order: OneMachine) -> Refused | None:
    """Only a vehicle that can, is immobilised and has damage on a line repairs itself, once in each of its turns."""
    refused = refuse_turn(state, order.unit, "movement")
    if refused is not None:
        return refused
    return refuse_own_repair(state.machine(order.unit))


@clause("DL-SM-76.1", "DL-SM-71.2")
def patch_up(tape: Tape, deed: Deed) -> Deed:
    """The owner picks a line, and 6 DMG come off it."""
    machine = deed.state.machine(deed.order.unit)
    points = rhino_points(machine.damage.immobilised)
    repair = Repair(machine.damage, points, machine.side, deed.state.rulings)
    return repaired(tape, deed, machine, repair)


def repaired(tape: Tape, deed: Deed, machine: Machine, repair: Repair) -> Deed:
    """A repair written on the sheet."""
    done = fold(REPAIR, tape, repair, about=machine.name)
    crew = machine.damage.shaken or machine.damage.stunned
    if crew and not (done.damage.shaken or done.damage.stunned):
        tape.tell("{}: the crew has recovered", machine.name, clause="DL-SM-71.2")
    deed = deed.counted(undone=len(done.undone))
    return deed.with_units(replace(machine, damage=done.damage, repaired=True))


SELF_REPAIR = Action(
    "self_repair",
    "Repair itself",
    OneMachine,
    refuse_self_repair,
    begin_deed,
    Procedure("repair", (patch_up,)),
    finish_deed,
    measures=(UNDONE,),
    headline=headline,
    clauses=("DL-SM-76.1",),
)
