"""Vehicles that move: `drive`, `ram`, `tank_shock`, `smoke`, and `self_repair` of those that are stuck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Literal

from battletape.cards import Action, Inputs, Plan, asked
from battletape.field.measure import UNKNOWN
from battletape.field.setup import Heading, Spot
from battletape.field.state import TABLE
from battletape.rulebook import (
    Line,
    Procedure,
    Refused,
    Tape,
    clause,
    fold,
    granted,
    need,
    plain,
    raise_if_refused,
    replace,
)
from battletape.rulebook import inches as inches_text
from battletape.rulesets.diceless40k.battle import moves, pending, turn
from battletape.rulesets.diceless40k.battle.actions._orders import ENEMY_SQUAD, ENEMY_VEHICLE, OWN_VEHICLE, VehicleOrder
from battletape.rulesets.diceless40k.battle.ground import check_morale, mines_on, without_mines
from battletape.rulesets.diceless40k.battle.moves import MoveOrder, MovePath
from battletape.rulesets.diceless40k.battle.start import Inches
from battletape.rulesets.diceless40k.battle.state import BattleUnit, Places, Squad, State, Vehicle
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

STOPPING_GAP = 0.1  # inches between a tank that stops and the unit that it meets
ROUNDING = 0.02  # inches, so that a goal in hundredths is never too far
DEATH_OR_GLORY_DMG = 20  # of one sure hit, as with grenades and rams


class DriveOrder(MoveOrder, frozen=True):
    """A vehicle drives."""

    unit: str = OWN_VEHICLE
    heading: Heading | None = asked(None, "How it turns at the end")
    on_road: bool = False


# --- driving ----------------------------------------------------------------------------------------------------------


class PendingDrive(pending.PendingMove, frozen=True, kw_only=True):
    """A drive in progress: the vehicle at the end of its path with its speed, and where it stands then."""

    vehicle: Vehicle
    places: Places


def moving_vehicle(state: State, name: str, otherwise: str) -> Vehicle:
    """Return the vehicle of this name; refuse it unless it may move now."""
    vehicle = turn.acting_vehicle(state, name, otherwise=otherwise)
    need(not vehicle.combat, f"{vehicle.name} is locked in combat", "DL-0.1", "locked")
    need(not vehicle.moved, f"{vehicle.name} has moved in this turn", "DL-0.1", "moved")
    raise_if_refused(refuse_drive(vehicle.damage))
    return vehicle


def begin_drive(
    tape: Tape, state: State, order: DriveOrder, path: MovePath, vehicle: Vehicle, places: Places
) -> PendingDrive:
    """Return a drive as planned, before the first inch."""
    return PendingDrive(state, order, path=path, vehicle=vehicle, places=places)


@clause("DL-60.2", "DL-57.1", "DL-14.1")
def plan_drive(state: State, order: DriveOrder) -> Plan:
    """Refuse a drive that is too long, is barred, ends without room, or leaves the squadron behind."""
    vehicle = moving_vehicle(state, order.unit, "it uses move")
    types, walks = vehicle.profile.types, vehicle.is_walker

    def refuse(path: MovePath) -> Refused | None:
        if walks:
            too_far = refuse_path(path.pieces, allowance("walker"), rulings=state.rulings)
        else:
            too_far = base_vehicles.refuse_move(types, vehicle.damage, path.inches, order.on_road)
        if too_far is not None:
            return too_far
        hulls = _hulls_after(state, vehicle, path, order)
        barred = moves.refuse_room(state, ((vehicle.name, hulls),)) or moves.refuse_through(state, (vehicle,), path)
        return barred or _refuse_apart(state, vehicle, hulls)

    path = moves.free_path(state, vehicle, order, allowance("walker") if walks else most_inches(types), refuse)
    stays = "a drive needs a distance above 0; a vehicle that stays needs no order"
    need(path.inches, stays, "DL-60.2", "distance")
    speed = granted(speed_of_move(types, path.inches, order.on_road))
    driven = replace(vehicle, speed=speed, inches=path.inches, moved=True)
    places = ((vehicle.name, _hulls_after(state, vehicle, path, order)),)
    return Plan(begin_drive, state, order, path, driven, places)


@clause("DL-0.1")
def _refuse_apart(state: State, vehicle: Vehicle, after: Sequence[Hull]) -> Refused | None:
    """Refuse to drive a vehicle too far from those of its squadron that stay, or else that can follow."""
    others = [other for other in state.squadron_of(vehicle)[1:] if state.footprints(other)]
    settled = [other for other in others if not turn.can_follow(other)]
    if not others or not after:
        return None
    there = state.footprints(*(settled or others))
    far, farther = (
        min(gap(hull, other) for hull in hulls for other in there) for hulls in (state.footprints(vehicle), after)
    )
    reach = None if settled else max(most_inches(other.profile.types) for other in others)
    return base_vehicles.refuse_apart(vehicle.name, vehicle.squadron, far, farther, reach)


def _hulls_after(state: State, vehicle: Vehicle, path: MovePath, order: DriveOrder) -> tuple[Hull, ...]:
    """Return the hull of a vehicle at the end of its path, if it has a place."""
    hulls = state.field.position(vehicle.name).hulls
    if not path.points:
        return hulls
    heading = order.heading if order.heading is not None else bearing(path.points[-2], path.points[-1])
    return tuple(replace(hull, centre=path.points[-1], heading=heading % 360) for hull in hulls)


@clause("DL-60.2")
def finish_drive(tape: Tape, work: PendingDrive) -> PendingDrive:
    """Put the vehicle at the end of its path, with the speed that counts for firers."""
    vehicle = work.vehicle
    tape.tell(driven_line, vehicle.name, vehicle.speed, vehicle.inches)
    tape.tell(moves.end_line, vehicle.name, work.path)
    return work.with_units(vehicle).with_places(work.places)


def driven_line(name: str, speed: str, inches: float) -> Line:
    """Say how far a vehicle drove, and how fast that is."""
    path = inches_text(round(inches, 1))
    return Line(f"{name} drives {path}: {plain(speed)} speed" if inches else f"{name} does not move", ("DL-60.2",))


@clause("DL-57.1", "DL-57.2", "DL-SM-67.1", "DL-SM-73.2")
def terrain_damage_to_vehicle(tape: Tape, work: pending.PendingMove) -> pending.PendingMove:
    """Deal the damage of terrain, shaken ground and mines on the path to the rear armour."""
    vehicle, state = work.state.vehicle(work.order.unit), work.state
    packets: list[HullPacket] = []
    rear, skims = vehicle.profile.rear, "skimmer" in vehicle.profile.types
    dangerous_inches = other_inches = 0.0  # inches in terrain that is dangerous for it, and in other terrain
    for crossing in work.path.crossings:
        piece = state.field.terrain_piece(crossing.terrain)
        if not piece.dangerous and (vehicle.is_walker or not piece.difficult):
            other_inches += crossing.inches
        else:
            inches = inches_in_danger(crossing.inches, skims, crossing.starts, crossing.ends, state.rulings)
            dangerous_inches += inches
            packets.append(terrain_packet(rear, inches, piece.strength, piece.vehicle_dmg_per_inch))
    mined = mines_on(state, vehicle.side, work.path)
    packets += [mines_packet(rear, state.rulings)] * len(mined)
    work = replace(work, state=without_mines(work.state, mined)) if mined else work
    if vehicle.on_shaken_ground:  # no inch counts twice
        packets.append(tremor_packet(rear, max(0.0, work.path.inches - dangerous_inches), other_inches, state.rulings))
    packets = [packet for packet in packets if packet.dmg]
    return pending.damage_vehicle(tape, work, vehicle.name, packets, state.enemy_of(vehicle.side)) if packets else work


def propose_drives(state: State) -> Iterator[DriveOrder]:
    """Propose three distances for each vehicle, and on a board four ways."""
    for vehicle in state.vehicles:
        if vehicle.side != state.active or not state.is_on_table(vehicle):
            continue
        hulls = state.field.position(vehicle.name).hulls
        top = most_inches(vehicle.profile.types)
        yield from (DriveOrder(unit=vehicle.name, towards=name) for name in moves.propose_goals(state, vehicle))
        for inches in dict.fromkeys((6.0, min(12.0, top), top)):
            if not hulls:
                yield DriveOrder(unit=vehicle.name, inches=inches)
            for hull, side in product(hulls, (-45, 0, 45, 180)):
                goal = step(hull.centre, hull.heading + side, inches - ROUNDING)
                if abs(goal.x) <= 240 and abs(goal.y) <= 240:
                    yield DriveOrder(unit=vehicle.name, path=(Spot(x=round(goal.x, 2), y=round(goal.y, 2)),))


DRIVE = Action(
    "drive",
    "Drive a vehicle",
    DriveOrder,
    plan_drive,
    Procedure("drive", (finish_drive, terrain_damage_to_vehicle)),
    options=propose_drives,
    measures=(pending.GLANCING, pending.PENETRATING, pending.WRECKED),
    headline=pending.headline,
    closed=turn.closed_but_in("movement"),
    clauses=("DL-60.2", "DL-57.1"),
)


# --- ramming ----------------------------------------------------------------------------------------------------------


class RamOrder(Inputs, frozen=True):
    """A tank rams: how far it drives, and the facing that it hits, unless the board shows them."""

    unit: str = OWN_VEHICLE
    target: str = ENEMY_VEHICLE
    inches: Inches | None = asked(None, "Inches driven")
    facing: Literal["front", "side", "rear"] | None = None


class PendingImpact(pending.PendingAction, frozen=True, kw_only=True):
    """A tank about to hit what it has driven at: the tank then, where it stands, and the facing that it hits."""

    vehicle: Vehicle
    places: Places
    facing: Facing = "side"


@clause("DL-0.1")
def _drive_at(
    state: State, vehicle: Vehicle, target: BattleUnit, given: float | None, clause_id: str
) -> tuple[Vehicle, Places]:
    """Drive straight at a unit: return the tank with its inches and speed, and on a board its place in front of it."""
    inches = moves.distance_to(state, vehicle, target, given, clause_id, UNKNOWN)
    need(inches != UNKNOWN, "the length of the drive is not known; say inches=…", clause_id, "distance")
    most = most_inches(vehicle.profile.types)
    far = f"{vehicle.name} drives {inches_text(most)} at most; {inches_text(inches)} are wanted"
    need(inches <= most, far, clause_id, "distance")
    speed = speed_of_move(vehicle.profile.types, inches)
    driven = replace(vehicle, moved=True, inches=inches)
    driven = driven if isinstance(speed, Refused) else replace(driven, speed=speed)
    enemies = moves.unit_and_characters(state, target)
    footprints = state.footprints(*enemies)
    places: Places = ()
    for hull in state.field.position(vehicle.name).hulls if footprints else ():
        goal = min(footprints, key=lambda each: gap(hull, each))
        turned = replace(hull, heading=bearing(hull.centre, goal.centre))
        free = free_distance(turned, apart(hull.centre, goal.centre), footprints) - STOPPING_GAP
        if free > 0:
            end, names = step(hull.centre, turned.heading, free), [enemy.name for enemy in enemies]
            places = ((vehicle.name, (replace(turned, centre=end),)),)
            path = MovePath(free, (("open", free),), points=(hull.centre, end))
            barred = moves.refuse_room(state, places, names) or moves.refuse_through(state, (vehicle,), path, names)
            raise_if_refused(barred)
    return driven, places


def begin_impact(
    tape: Tape, state: State, order: RamOrder | TankShockOrder, vehicle: Vehicle, places: Places, hit: Facing = "side"
) -> PendingImpact:
    """Return a ram or tank shock as planned, before the vehicle moves."""
    return PendingImpact(state, order, vehicle=vehicle, places=places, facing=hit)


@clause("DL-69.1")
def plan_ram(state: State, order: RamOrder) -> Plan:
    """Refuse vehicles that are no tanks, friends, targets out of reach, and a facing not shown on the board."""
    turn.need_vehicle(state, order.target, state.enemy_of(state.active))
    vehicle = moving_vehicle(state, order.unit, "only tanks ram")
    target = turn.of_kind(Vehicle, state.find(order.target), "is no vehicle; tanks drive through it by tank_shock")
    raise_if_refused(refuse_ram(vehicle.profile.types, vehicle.damage), refuse_target(target.damage))
    in_reach = target.side != vehicle.side and state.where(target) == TABLE
    need(in_reach, f"{target.name} cannot be rammed", "DL-69.1", "target")
    hit_facing = order.facing
    rammer, rammed = state.field.position(vehicle.name).hulls, state.field.position(target.name).hulls
    for hull, hit in zip(rammer, rammed, strict=False):
        hit_facing = facing(hit, hull.centre)
        shown = f"on the board {vehicle.name} comes from the {hit_facing} of {target.name}, not from the {order.facing}"
        need(order.facing in (None, hit_facing), f"{shown}; leave out facing", "DL-69.1", "facing")
    driven, places = _drive_at(state, vehicle, target, order.inches, "DL-69.1")
    return Plan(begin_impact, state, order, driven, places, order.facing or hit_facing or "side")


@clause("DL-69.1", "DL-71.1")
def collide(tape: Tape, work: PendingImpact) -> PendingImpact:
    """Resolve the packets of the ram on both vehicles."""
    state, order = work.state, work.order
    rammer, target = state.vehicle(order.unit), state.vehicle(order.target)
    driven, hit_facing = work.vehicle, work.facing
    types = rammer.profile.types, target.profile.types
    ram = ram_of(
        (rammer.damage, target.damage),
        Rammer(rammer.profile.front, "tank" in types[0], "skimmer" in types[0]),
        Rammer(armour_at(target.profile, hit_facing), "tank" in types[1], "skimmer" in types[1]),
        driven.inches,
        (rammer.side, target.side),
        state.rulings,
    )
    tape.tell(
        "{} drives {} and rams {}", rammer.name, inches_text(round(driven.inches, 1)), target.name, clause="DL-69.1"
    )
    ram = fold(RAM, tape, ram)
    work = work.with_units(replace(driven, rammed=True)).with_places(work.places)
    work = pending.write_attack(tape, work, target.name, ram.target)
    return pending.write_attack(tape, work, rammer.name, ram.rammer)


RAMMING = Action(
    "ram",
    "Ram a vehicle",
    RamOrder,
    plan_ram,
    Procedure("ram", (collide,)),
    measures=(pending.GLANCING, pending.PENETRATING, pending.WRECKED),
    headline=pending.headline,
    closed=turn.closed_but_in("movement"),
    clauses=("DL-69.1", "DL-71.1"),
)


# --- tank shock -------------------------------------------------------------------------------------------------------


class TankShockOrder(Inputs, frozen=True):
    """A tank drives through a unit of the enemy."""

    unit: str = OWN_VEHICLE
    target: str = ENEMY_SQUAD
    inches: Inches | None = asked(None, "Inches driven")


@clause("DL-8.1")
def plan_tank_shock(state: State, order: TankShockOrder) -> Plan:
    """Refuse vehicles that are no tanks, and units that are gone, out of reach or no enemies."""
    turn.need_squad(state, order.target, state.enemy_of(state.active))
    vehicle = moving_vehicle(state, order.unit, "only tanks drive through their enemies")
    need("tank" in vehicle.profile.types, "only a tank drives through its enemies", "DL-8.1", "type")
    target = turn.of_kind(Squad, state.find(order.target), "is a vehicle; tanks ram it")
    in_reach = target.side != vehicle.side and state.is_on_table(target) and not target.joined
    need(in_reach, f"{target.name} cannot be driven through", "DL-8.1", "target")
    driven, places = _drive_at(state, vehicle, target, order.inches, "DL-8.1")
    return Plan(begin_impact, state, order, driven, places)


@clause("DL-8.1", "DL-60.4")
def drive_through(tape: Tape, work: PendingImpact) -> PendingImpact:
    """Test the morale of the unit; if it stands, one of its models may stop the tank for death or glory."""
    vehicle, target = work.vehicle, work.state.squad(work.order.target)
    tape.tell(driven_line, f"{vehicle.name}, through {target.name},", vehicle.speed, vehicle.inches)
    work = work.with_units(vehicle).with_places(work.places)
    work = check_morale(tape, work, target.name, "tank shock")
    target = work.state.squad(target.name)
    if target.falling_back or work.state.is_gone(target) or target.combat:
        return work
    heroes = tuple(group.name for group in target.groups if group.models)
    chosen = tape.choose(("move aside", *heroes), by=target.side, label=f"death or glory of {target.name}")
    if chosen == "move aside":
        tape.tell("{} moves aside", target.name)
        return work
    at = target.group_index(chosen)
    strengths = [target.weapon(name).strength or 0 for name in target.groups[at].weapons if _is_known(target, name)]
    strength = max((target.groups[at].strength, *strengths))
    packet = HullPacket("death or glory", DEATH_OR_GLORY_DMG, strength, vehicle.profile.front)
    work = pending.damage_vehicle(tape, work, vehicle.name, (packet,), target.side)
    after = work.state.vehicle(vehicle.name).damage
    if after.destroyed or after.immobilised or after.stunned:
        tape.tell("{} has stopped {}", chosen, vehicle.name, clause="DL-60.4")
        return work
    hero = work.state.squad(target.name)
    crushed = Packet("run over", hero.groups[at].front_hp, 0, no_saves=True)
    return pending.record_losses(
        tape, work, hero.name, take_share(tape, _target_alone(work.state, hero.name), crushed, at, crushed.dmg)
    )


def _is_known(target: object, name: str) -> bool:
    return any(weapon.name == name for weapon in getattr(target, "arsenal", ()))


def _target_alone(state: State, name: str) -> Target:
    return state.target(state.squad(name))


TANK_SHOCK = Action(
    "tank_shock",
    "Drive through a unit",
    TankShockOrder,
    plan_tank_shock,
    Procedure("tank shock", (drive_through,)),
    measures=(pending.FAILED,),
    headline=pending.headline,
    closed=turn.closed_but_in("movement"),
    clauses=("DL-8.1",),
)


# --- smoke and repairs ------------------------------------------------------------------------------------------------


@clause("DL-60.6")
def plan_smoke(state: State, order: VehicleOrder) -> Plan:
    """Refuse vehicles without launchers, and those that have used them or fired."""
    vehicle = turn.acting_vehicle(state, order.unit, otherwise="only vehicles hide in smoke")
    launchers = f"{vehicle.name} has no smoke launchers"
    need(SMOKE in vehicle.profile.rules, launchers, "DL-60.6", "smoke")
    need(not vehicle.smoke_used, f"{vehicle.name} has used its smoke", "DL-60.6", "smoke")
    need(not vehicle.fired_at, f"{vehicle.name} has fired in this turn", "DL-60.6", "fired")
    return Plan(lay_smoke, state, vehicle)


@clause("DL-60.6")
def lay_smoke(tape: Tape, state: State, vehicle: Vehicle) -> State:
    """Hide a vehicle in smoke until its next turn."""
    tape.tell("{} hides in smoke", vehicle.name)
    return state.with_units(replace(vehicle, smoke_used=True, in_smoke=True))


SMOKING = Action(
    "smoke",
    "Hide in smoke",
    VehicleOrder,
    plan_smoke,
    closed=turn.closed_but_in("movement", "shooting"),
    clauses=("DL-60.6",),
)


@clause("DL-SM-76.1")
def plan_self_repair(state: State, order: VehicleOrder) -> Plan:
    """Refuse vehicles that cannot repair themselves, need not, or have done so in this turn."""
    vehicle = turn.acting_vehicle(state, order.unit, otherwise="only vehicles repair themselves")
    raise_if_refused(turn.refuse_own_repair(state, vehicle))
    return Plan(pending.begin_action, state, order)


@clause("DL-SM-76.1", "DL-SM-71.2")
def repair_own_line(tape: Tape, work: pending.PendingAction) -> pending.PendingAction:
    """Let the owner pick a line; 6 DMG come off it."""
    vehicle = work.state.vehicle(work.order.unit)
    points = rhino_points(vehicle.damage.immobilised)
    repair = Repair(vehicle.damage, points, vehicle.side, work.state.rulings)
    return apply_repair(tape, work, vehicle, repair)


def apply_repair(tape: Tape, work: pending.PendingAction, vehicle: Vehicle, repair: Repair) -> pending.PendingAction:
    """Carry out a repair and write it on the vehicle's sheet."""
    done = fold(REPAIR, tape, repair, about=vehicle.name)
    crew = vehicle.damage.shaken or vehicle.damage.stunned
    if crew and not (done.damage.shaken or done.damage.stunned):
        tape.tell("{}: the crew has recovered", vehicle.name, clause="DL-SM-71.2")
    work = work.with_counts(undone=len(done.undone))
    return work.with_units(replace(vehicle, damage=done.damage, repaired=True))


SELF_REPAIR = Action(
    "self_repair",
    "Repair itself",
    VehicleOrder,
    plan_self_repair,
    Procedure("repair", (repair_own_line,)),
    measures=(pending.UNDONE,),
    headline=pending.headline,
    closed=turn.closed_but_in("movement"),
    clauses=("DL-SM-76.1",),
)
