"""Straight drives: `tank_shock` through squads, and `ram` into a vehicle, and on if there is nothing left of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from battletape.cards import Action, Inputs, Measure, Plan, asked
from battletape.field.measure import least_gap
from battletape.field.moves import box_of_paths, straight_paths
from battletape.field.setup import Heading
from battletape.field.state import Position
from battletape.rulebook import (
    Line,
    Procedure,
    Refused,
    Tape,
    clause,
    granted,
    need,
    plain,
    plural,
    raise_if_refused,
    replace,
    take_stage,
)
from battletape.rulesets.vehicles5.battle import losses, turn, words
from battletape.rulesets.vehicles5.battle.actions import _orders
from battletape.rulesets.vehicles5.battle.state import PendingAction, Squad, State, TerrainPiece, Vehicle
from battletape.rulesets.vehicles5.rules import damage, movement, ramming, tank_shock, terrain, troops, walkers
from battletape.rulesets.vehicles5.rules.assault import grenade_blow
from battletape.rulesets.vehicles5.rules.keywords import FEARLESS
from battletape.rulesets.vehicles5.rules.movement import band_of_distance, max_inches, refuse_flat_out, top_band
from battletape.rulesets.vehicles5.rules.ramming import RAM, RamState, begin_ram, impact_facings
from battletape.rulesets.vehicles5.rules.tank_shock import (
    FISTS,
    Drive,
    GloryWeapon,
    ShockedUnit,
    glory_weapon,
    ways_aside,
)
from battletape.rulesets.vehicles5.rules.traits import Band, Declared
from battletape.table import distances, places, points, sweeps
from battletape.table.areas import join
from battletape.table.bases import Base
from battletape.table.board import board_distance
from battletape.table.hulls import Hull, driven, turned

PLACE_SEARCH_INCHES = 4.0  # about a hull, within which a displaced model finds a place
ROCK = "in the way"


class TankShockOrder(Inputs, frozen=True):
    """A tank turns and drives straight through enemies."""

    unit: str = ""
    heading: Heading = 0.0
    inches: float = _orders.DISTANCE


class PendingTankShock(PendingAction, frozen=True):
    """A tank on its line."""

    heading: float
    declared: float
    target: str = ""  # of a ram
    driven: float = 0.0
    goes_on: bool = True
    outcome: str = ""  # of the last ram
    rammed_vehicle: str = ""  # the vehicle it drives into now
    drive: Drive | None = None  # just made: squads have yet to get out of its way
    target_condition: damage.Condition | None = None  # what that vehicle has suffered from it

    @property
    def hull(self) -> Hull:
        """Return the hull of the tank as it faces its line."""
        return turned(self.state.hull(self.unit), self.heading)

    @property
    def inches_left(self) -> float:
        """Return how many inches the tank has still to go, if it may."""
        return tank_shock.inches_rammer_drives_on(self.declared, self.driven, self.goes_on)

    @property
    def drives_on(self) -> bool:
        """Return whether the tank has some way left."""
        return self.inches_left > points.TOLERANCE


# --- the line of a tank ---------------------------------------------------------------------------------------------


def _is_road_ahead(state: State, hull: Hull, inches: float) -> bool:
    return state.on_road((hull.centre, points.step(hull.centre, hull.heading, inches)))


@clause("V5-TANK-2", "V5-RAM-1", "V5-FAST-5")
def _need_charge(state: State, vehicle: Vehicle, heading: float, band: Band, ram: bool = False) -> None:
    """Refuse a tank that may not move like this, or not so fast, or has no room to turn."""
    situation = state.situation(vehicle)
    raise_if_refused(movement.refuse_move_now("ram" if ram else "tank_shock", situation))
    raise_if_refused(refuse_flat_out(situation, band))
    turn.need_room(state, vehicle, heading)


@clause("V5-TANK-3", "V5-TANK-4")
def on_line(state: State, vehicle: Vehicle, hull: Hull, inches: float, ram: bool) -> tuple[tank_shock.ThingOnLine, ...]:
    """Return everything on the lane ahead; a ram is not about other vehicles."""
    lane = box_of_paths((hull,), straight_paths((hull,), hull.heading, inches))
    free: dict[str, tuple[Base, ...]] = {}
    solid: list[tank_shock.Obstruction] = []
    for position in state.near(lane, troops.ENEMY_GAP, vehicle.name):
        parts = position.footprints
        if position.side == vehicle.side:
            solid.append(("friendly", position.name, parts))
        elif not position.hulls and not state.squad(position.name).locked_with:
            free[position.name] = position.bases
        elif not position.hulls:
            solid.append(("enemy_unit_engaged", position.name, parts))
        elif not ram:
            solid.append(("enemy_vehicle", position.name, parts))
    solid.append(("impassable", "", state.terrain_of_kind("impassable")))
    edge = tank_shock.ThingOnLine("edge", board_distance(state.board, hull))
    return (*tank_shock.things_ahead(hull, inches, free, solid), edge)


@clause("V5-TANK-3", "V5-TANK-5", "V5-DOG-1")
def drive_of(work: PendingTankShock, target_at: float | None = None) -> Drive | Refused:
    """Return a tank about to charge along its line, or why it cannot."""
    state = work.state
    vehicle = work.vehicle
    hull = work.hull
    way = line_of(state, vehicle, hull, work.inches_left, target_at, going_on=bool(work.outcome))
    if isinstance(way, Refused):
        return way
    shocked = []
    for squad in map(state.squad, way.shocked):
        touched = sweeps.swept(hull, way.moved, state.bases(squad.name))
        if touched:
            shocked.append(_shocked_unit(squad, touched))
    end = driven(hull, way.moved)
    areas = state.terrain_on_way(vehicle.traits, hull, (end.centre,), end)
    bad_ground = [area[1:] for area in areas if terrain.needs_test(vehicle.traits, area[0], state.rulings)]
    return tank_shock.begin_drive(
        way,
        shocked,
        bad_ground,
        state.condition_before_turn(vehicle),
        front=vehicle.profile.front,
        traits=vehicle.traits,
        by=state.enemy_of(vehicle.side),
        on_road=_is_road_ahead(state, hull, work.inches_left),
        ram=bool(work.target),
        declared=work.inches_left,
        rulings=state.rulings,
        name=vehicle.name,
    )


def line_of(
    state: State, vehicle: Vehicle, hull: Hull, inches: float, target_at: float | None = None, going_on: bool = False
) -> tank_shock.StraightDrive | Refused:
    """Return how far the tank gets if nothing stops it, or why it may not try."""
    rulings = state.rulings
    return tank_shock.straight_drive(
        vehicle.traits,
        damage.UNDAMAGED if going_on else state.condition(vehicle),
        inches,
        on_line(state, vehicle, hull, inches, target_at is not None),
        on_road=_is_road_ahead(state, hull, inches),
        target_at=target_at,
        rulings=replace(rulings, tank_shock_least="above_zero") if going_on else rulings,
    )


@clause("V5-SKIM-4")
def _need_line(state: State, vehicle: Vehicle, hull: Hull, inches: float, target_at: float | None = None) -> None:
    """Refuse a line that the tank may not drive along, or a skimmer that would come to rest on a friend."""
    way = granted(line_of(state, vehicle, hull, inches, target_at))
    raise_if_refused(movement.refuse_path(vehicle.traits, (), resting_at(state, vehicle, hull, way.moved) < way.moved))


@clause("V5-SKIM-4")
def resting_at(state: State, vehicle: Vehicle, hull: Hull, inches: float) -> float:
    """Return where a tank that stops after so many inches comes to rest; a skimmer stops short of a friend."""
    if not vehicle.traits.skimmer:
        return inches
    positions = state.field.on_table(vehicle.name, side=vehicle.side)
    friends = [footprint for position in positions for footprint in position.footprints]
    over = join(span for friend in friends for span in sweeps.contact_spans(hull, inches + PLACE_SEARCH_INCHES, friend))
    return next((start for start, end in over if start + points.TOLERANCE < inches < end - points.TOLERANCE), inches)


def _shocked_unit(squad: Squad, contacts: Sequence[sweeps.Contact]) -> ShockedUnit:
    profile = squad.profile
    fearless = FEARLESS in profile.rules
    return ShockedUnit(
        squad.name, contacts[0].inches, profile.ld, squad.falling_back, fearless, glory_weapons(squad, contacts)
    )


@clause("V5-DOG-1", "V5-DOG-2")
def glory_weapons(squad: Squad, contacts: Sequence[sweeps.Contact]) -> tuple[GloryWeapon, ...]:
    """Return what models in the path may strike with, each weapon once."""
    profile = squad.profile
    carried = _carried_by_model(squad)
    blades = _carried_by_model(squad, melee=True)
    weapons: dict[str, GloryWeapon] = {}
    for contact in contacts:
        for weapon in squad.fire_modes(carried[contact.model]) if contact.model < len(carried) else ():
            glory = glory_weapon(weapon, profile.strength, profile.rules)
            weapons.setdefault(weapon.name, replace(glory, model=contact.model, at=contact.inches))
    first = contacts[0]
    for name in profile.grenades:
        grenade_attack = grenade_blow(name, 1, squad.arsenal)
        glory = GloryWeapon(name, grenade_attack.strength, dice=grenade_attack.dice, rules=profile.rules)
        weapons[name] = replace(glory, model=first.model, at=first.inches)
    for contact in contacts:
        blade = squad.fire_modes(blades[contact.model])[0] if contact.model < len(blades) else FISTS
        name = blade.name if blade.times > 1 else FISTS.name
        glory = glory_weapon(blade, profile.strength, profile.rules)
        weapons.setdefault(name, replace(glory, name=name, model=contact.model, at=contact.inches))
    return tuple(sorted(weapons.values(), key=lambda glory: (-glory.strength, glory.name)))


def _carried_by_model(squad: Squad, melee: bool = False) -> list[str]:
    return [name for name, count in squad.bearers(melee) for _ in range(count)]


@clause("V5-WALK-15", "V5-DOG-2", "V5-DMG-1", "V5-DMG-2")
def walker_glory_weapons(state: State, vehicle: Vehicle) -> tuple[GloryWeapon, ...]:
    """Return what a walker may strike a ramming tank with."""
    walker, condition = vehicle.walker_fighter, state.condition(vehicle)
    intact = walkers.intact_melee_weapons(walker, condition, state.rulings)
    weapons = {FISTS.name: GloryWeapon(FISTS.name, walkers.blow_strength(walker.strength, intact))}
    for gun in vehicle.guns:
        for weapon in gun.weapons if gun.label in condition.weapons and not gun.spent else ():
            if weapon.type != "melee" and ramming.is_usable_when_rammed(weapon, condition):
                weapons[weapon.name] = glory_weapon(weapon, walker.strength)
    return tuple(weapons.values())


@clause("V5-DOG-4")
def without_model(squad: Squad, index: int) -> Squad:
    """Return the sheet of a squad without one of its models and what that carried."""
    gun = _carried_by_model(squad)[index : index + 1] or [""]
    blade = _carried_by_model(squad, melee=True)[index : index + 1] or [""]
    remaining = squad.with_models(squad.models - 1)
    return replace(remaining, weapons_of_fallen=(*squad.weapons_of_fallen, (gun[0], blade[0])))


# --- tank shock -----------------------------------------------------------------------------------------------------


@clause("V5-TANK-1", "V5-TANK-2", "V5-TANK-3")
def plan_shock(state: State, order: TankShockOrder) -> Plan:
    """Refuse a tank shock that the tank may not declare, or has no line for."""
    vehicle = turn.acting_as(Vehicle, state, order.unit, "tank shock", "V5-TANK-1", "movement")
    hull = turned(state.hull(vehicle.name), order.heading)
    band = band_of_distance(order.inches, vehicle.traits, _is_road_ahead(state, hull, order.inches), state.rulings)
    slow: Band = "combat"  # too far, which the line says better
    _need_charge(state, vehicle, order.heading, slow if isinstance(band, Refused) else band)
    _need_line(state, vehicle, hull, order.inches)
    return Plan(declare_charge, PendingTankShock(state, vehicle.name, order.heading, order.inches))


@clause("V5-TANK-2")
def declare_charge(tape: Tape, work: PendingTankShock) -> PendingTankShock:
    """Declare a tank shock or a ram."""
    tape.tell(declaration, work, clause="V5-RAM-2" if work.target else "V5-TANK-2")
    return work


def declaration(work: PendingTankShock) -> str:
    """Say which way a tank turns, and what it declares."""
    action = f"a ram of {work.target}" if work.target else "a tank shock"
    return f"{work.unit} turns to heading {work.heading:.0f} and declares {action}, up to {work.declared:g} inches"


@clause("V5-TANK-3", "V5-TANK-5")
def charge_through(tape: Tape, work: PendingTankShock) -> PendingTankShock:
    """Drive straight ahead; units run, stand aside, or stop the tank."""
    drive = drive_of(work)
    if isinstance(drive, Refused):
        tape.tell("{} drives no farther: {}", work.unit, drive.reason, clause=drive.clause)
        return replace(work, goes_on=False)
    stages = tank_shock.TANK_SHOCK.stages
    return tape.each(take_stage, drive, stages, then=_after_drive, rest=work, tell=end_of_drive_line)


def end_of_drive_line(work: PendingTankShock, drive: Drive) -> Line:
    """Say where the tank stands after a drive, and as how fast that counts."""
    after = _at_end_of_drive(work, drive)
    place = words.vehicle_place(work.unit, after.state.hull(work.unit))
    return Line(f"{place}; {plain(after.vehicle.done.band)} speed", ("V5-TANK-6",))


def _after_drive(work: PendingTankShock, drive: Drive) -> PendingTankShock:
    return replace(_at_end_of_drive(work, drive), goes_on=False)


@clause("V5-TANK-6", "V5-RAM-2")
def _at_end_of_drive(work: PendingTankShock, drive: Drive) -> PendingTankShock:
    moved = resting_at(work.state, work.vehicle, work.hull, drive.moved)
    end = driven(work.hull, moved)
    driven_inches = work.driven + moved
    band = tank_shock.band_at(drive, driven_inches)
    hurt = work.state.with_damage(work.vehicle, drive.tank)
    declared: Declared = "ram" if drive.ram else "tank_shock"
    after = hurt.with_move(band, driven_inches, driven_inches, drive.on_road, declared)
    state = work.state.with_place(work.unit, end).with_units(after)
    return replace(work, state=state, driven=driven_inches, drive=drive)


@clause("V5-TANK-7", "V5-TANK-5", "V5-DOG-4")
def make_way(tape: Tape, work: PendingTankShock) -> PendingTankShock:
    """Move squads out of the way of the tank."""
    state, drive = work.state, work.drive
    if drive is None:
        return work
    end = state.hull(work.unit)
    for name, glory in zip(drive.killed, drive.fallen_weapons, strict=True):
        squad = state.squad(name)
        left = without_model(squad, glory.model)
        tape.tell(words.models_lost, squad, left, clause="V5-DOG-4")
        state = replace(state, field=state.field.without_models(name, (glory.model,))).with_units(left)
    for name in drive.fled:
        state = tape.call(losses.fall_back, state, name)
    for name in drive.met:
        if name not in drive.fled:
            state = tape.call(move_aside, state, name, end)
    return _with_rammed_vehicle(replace(work, state=state, drive=None))


def _with_rammed_vehicle(work: PendingTankShock) -> PendingTankShock:
    """Return the work with the damage of the rammed vehicle, which counts once the drive is over."""
    if work.target_condition is None:
        return work
    rammed = work.state.with_damage(work.state.vehicle(work.rammed_vehicle), work.target_condition)
    return work.with_units(rammed, target_condition=None)


@clause("V5-TANK-7", "V5-CORE-17")
def move_aside(tape: Tape, state: State, name: str, hull: Hull) -> State:
    """Move models under the tank aside; those without a place are lost."""
    squad, models = state.squad(name), state.bases(name)
    waiting = [model for model in models if distances.overlaps(model, hull)]
    if not waiting:
        return state
    kept = [model for model in models if model not in waiting]
    others = [places.KeepOff(obstacle) for obstacle in state.obstacles(name)]
    for model in waiting:
        ways = ways_aside(hull, model, kept, others) or ways_aside(hull, model, (), others)
        place = tape.call(tank_shock.step_aside, ways, squad.side, squad.name)
        if place is not None:
            kept.append(replace(model, centre=place))
    clear = squad.with_models(len(kept))
    tape.tell("{}: {} under the tank", name, plural(len(waiting), "model"))
    tape.tell(words.models_lost, squad, clear, "the tank, without room to step aside")
    return state.with_place(name, *kept).with_units(clear)


def propose_shocks(state: State) -> Iterator[TankShockOrder]:
    """Propose a short and a long drive at each enemy squad."""
    for name in _orders.ROLES["tank"](state, {}):
        tank, here = state.vehicle(name), state.hull(name).centre
        for enemy in _orders.enemies(state):
            if isinstance(enemy, Squad):
                heading = round(points.bearing(here, state.bases(enemy.name)[0].centre), 1)
                for way in (6.0, max_inches(tank.traits, rulings=state.rulings)):
                    yield TankShockOrder(unit=name, heading=heading, inches=way)


WON = Measure("target_destroyed", "Target destroyed", lambda work: int(work.state.vehicle(work.target).is_gone))
MOVED = Measure("moved", "Inches driven", lambda work: work.driven, "inches")
LOST = Measure("own_destroyed", "Tank destroyed", lambda work: int(work.vehicle.is_gone))
STUCK = Measure("own_immobilised", "Tank immobilised or worse", turn.is_stuck)


def forget_all_but_tank(work: PendingTankShock) -> PendingTankShock:
    """Forget all but the tank and its target, once the drive is over."""
    if work.drives_on:
        return work
    state = _with_rammed_vehicle(work).state
    both = (vehicle for vehicle in state.vehicles if vehicle.name in (work.unit, work.target))
    state = state.with_only(*map(summary_condition, both), places=False)
    return replace(work, state=state, goes_on=False, outcome="", rammed_vehicle="", drive=None, target_condition=None)


def summary_condition(vehicle: Vehicle) -> Vehicle:
    """Forget all of a vehicle but whether it is destroyed and can move."""
    now = vehicle.condition
    summary = damage.Condition(immobilised=now.immobilised, status=now.status)
    return replace(vehicle, condition=summary, shaken_until=0, stunned_until=0)


def _without_met_units(drive: Drive) -> Drive:
    """Forget the units that a drive has met."""
    return replace(drive, fled=(), killed=(), fallen_weapons=(), met=())


TANK_SHOCK_ACTION = Action(
    "tank_shock",
    "Drive a tank through enemies",
    TankShockOrder,
    plan_shock,
    Procedure("tank shock", (charge_through, make_way, losses.replace_destroyed)),
    propose_shocks,
    measures=(MOVED, LOST, STUCK),
    clauses=("V5-TANK-1", "V5-TANK-5", "V5-DOG-1"),
    lens=lambda asked: ((PendingTankShock, forget_all_but_tank), (Drive, _without_met_units)),
)


# --- ramming --------------------------------------------------------------------------------------------------------


class RamOrder(Inputs, frozen=True):
    """A tank turns and drives straight into an enemy vehicle."""

    unit: str = _orders.OWN_TANK
    target: str = asked("", role="enemy vehicle")
    heading: Heading | None = asked(None, "Heading", about="(none = at the middle of the target)")


def _ram_line(state: State, vehicle: Vehicle, target: Vehicle, order: RamOrder) -> tuple[Hull, float]:
    """Return a tank that faces its line, and how far it can drive."""
    hull, heading = state.hull(vehicle.name), order.heading
    if heading is None:
        heading = points.bearing(hull.centre, state.hull(target.name).centre)
    hull = turned(hull, heading)
    by_road = max_inches(vehicle.traits, True, rulings=state.rulings)
    if _is_road_ahead(state, hull, by_road):
        return hull, by_road
    return hull, max_inches(vehicle.traits, rulings=state.rulings)


@clause("V5-RAM-1", "V5-RAM-2")
def plan_ram(state: State, order: RamOrder) -> Plan:
    """Refuse a ram of anything but the first enemy vehicle on the line of a tank."""
    vehicle = turn.acting_as(Vehicle, state, order.unit, "ram", "V5-RAM-1", "movement")
    target = turn.unit_of_kind(Vehicle, state.find(order.target), "can be rammed", "V5-RAM-1")
    turn.need_there(target)
    need(target.side != vehicle.side, f"{target.name} is on the same side", "V5-RAM-1", "side")
    hull, reach = _ram_line(state, vehicle, target, order)
    _need_charge(state, vehicle, hull.heading, top_band(vehicle.traits), ram=True)
    inches, first = _first_vehicle_ahead(state, vehicle, hull, reach) or (None, None)
    if first is None:
        raise_if_refused(ramming.refuse_distance(None, reach, target.name))
    elif first.name != target.name:
        raise_if_refused(Refused(f"{vehicle.name} would run into {first.name} first", "V5-RAM-1", "target"))
    _need_line(state, vehicle, hull, reach, inches)
    return Plan(declare_charge, PendingTankShock(state, vehicle.name, hull.heading, reach, target.name))


def _vehicles_ahead(state: State, vehicle: Vehicle, hull: Hull, reach: float) -> list[tuple[float, Vehicle]]:
    """Return the enemy vehicles on a line, and how far away each is."""
    ahead = []
    for position in state.field.enemies_of(vehicle.side, *state.destroyed):
        if not position.hulls:
            continue
        impact = impact_facings(hull, position.hulls[0], reach, state.rulings, position.footprints[0])
        if impact is not None:
            ahead.append((impact[0].inches, state.vehicle(position.name)))
    return ahead


def _first_vehicle_ahead(state: State, vehicle: Vehicle, hull: Hull, reach: float) -> tuple[float, Vehicle] | None:
    return min(_vehicles_ahead(state, vehicle, hull, reach), key=lambda pair: pair[0], default=None)


@clause("V5-RAM-4", "V5-RAM-3", "V5-SKIM-8", "V5-WALK-15")
def next_ram(work: PendingTankShock, target: Vehicle) -> RamState | None:
    """Return the ram that lies ahead, if there is one."""
    state = work.state
    vehicle = work.vehicle
    position = state.field.position(target.name)
    impact_found = impact_facings(work.hull, position.hulls[0], work.inches_left, state.rulings, position.footprints[0])
    if impact_found is None:
        return None
    impact, rammer_facing, target_facing = impact_found
    drive = drive_of(work, impact.inches)
    if isinstance(drive, Refused):
        return None
    return begin_ram(
        drive,
        state.condition_before_turn(target),
        target.traits,
        (vehicle.armour(rammer_facing), target.armour(target_facing), target.armour("rear")),
        work.driven + impact.inches,
        target_facing,
        walker_glory_weapons(state, target) if target.traits.walker else (),
        state.condition(target),
        vehicle.side,
        target.side,
        name=target.name,
    )


@clause("V5-RAM-4", "V5-RAM-7")
def ram_next(tape: Tape, work: PendingTankShock) -> PendingTankShock:
    """Drive into the target; if it explodes, drive on."""
    if not work.drives_on:
        return work
    target: Vehicle | None = work.state.vehicle(work.target)
    if work.outcome:
        ahead = _first_vehicle_ahead(work.state, work.vehicle, work.hull, work.inches_left)
        target = ahead[1] if ahead else None
    if target is None:
        return charge_through(tape, work)
    ram = next_ram(work, target)
    if ram is None:
        tape.tell("{} drives no farther", work.unit)
        return replace(work, goes_on=False)
    rest = replace(work, rammed_vehicle=target.name)
    return tape.each(take_stage, ram, RAM.stages, then=_after_ram, rest=rest, tell=end_of_ram_line)


def end_of_ram_line(work: PendingTankShock, ram: RamState) -> Line:
    """Say where the tank stands after a ram, and as how fast that counts."""
    return end_of_drive_line(work, ram.drive)


def _after_ram(work: PendingTankShock, ram: RamState) -> PendingTankShock:
    work = _at_end_of_drive(work, ram.drive)
    return replace(work, goes_on=ram.drives_on, outcome=ram.outcome, target_condition=ram.target)


def ram_stages(work: PendingTankShock) -> Procedure:
    """Return the stages of every ram ahead, and of the drive after the last."""
    ahead = _vehicles_ahead(work.state, work.vehicle, work.hull, work.declared)
    return Procedure("ram", (ram_next, make_way, losses.replace_destroyed) * (len(ahead) + 1))


def forget_all_but_both(work: PendingTankShock) -> PendingTankShock:
    """Forget all but the two vehicles and what may yet be in their way."""
    if not work.drives_on or not work.outcome:
        return forget_all_but_tank(work)
    own = replace(work.vehicle, shaken_until=0, stunned_until=0)
    gone = (summary_condition(vehicle) for vehicle in work.state.vehicles if vehicle.is_gone)
    state = work.state.with_units(own, *gone)
    return replace(work, state=_with_units_ahead(work, state) if work.drive is None else state)


def _with_units_ahead(work: PendingTankShock, state: State) -> State:
    """Keep the squads that may yet be met; one that is only in the way of passengers becomes a rock."""
    hull, left, field = work.hull, work.inches_left, state.field
    next_ones = [field.position(enemy.name) for _, enemy in _vehicles_ahead(state, work.vehicle, hull, left)]
    blown = [field.position(gone.name) for gone in state.vehicles if gone.is_gone and state.passengers(gone)]
    named = {position.name for position in (*next_ones, *blown)}
    kept: list[Squad] = []
    rocks: list[TerrainPiece] = []
    for squad in state.squads:
        position = field.position(squad.name)
        wide = [replace(base, radius=base.radius + PLACE_SEARCH_INCHES) for base in position.bases]
        if position.aboard:
            meets = position.aboard in named
        elif next_ones:
            meets = bool(sweeps.swept(hull, left, wide)) or _is_near(position, next_ones)
        else:
            meets = bool(squad.locked_with) or bool(sweeps.swept(hull, left, position.bases))
        if meets:
            kept.append(squad)
        elif _is_near(position, blown):
            rocks += [
                TerrainPiece(name=ROCK, kind="impassable", corners=(base.centre,), radius=base.radius)
                for base in position.bases
            ]
    terrain = (*(piece for piece in field.terrain if piece.name != ROCK or blown), *rocks)
    alone = state.with_only(*state.vehicles, *kept)
    return replace(alone, field=replace(alone.field, terrain=terrain))


def _is_near(squad: Position, vehicles: Sequence[Position]) -> bool:
    between = least_gap(squad.bases, [hull for vehicle in vehicles for hull in vehicle.hulls])
    return between is not None and between <= PLACE_SEARCH_INCHES


def without_pinning(state: State) -> State:
    """Forget which squads are pinned."""
    return replace(state, squads=tuple(replace(squad, pinned_until=0) for squad in state.squads))


def forget_all_but_crash(ram: RamState) -> RamState:
    """Forget all but the end of both vehicles, after a ram that stops the tank."""
    rammer = ram.rammer
    collided = ram.outcome == "collided"
    if not ram.outcome or (collided and ramming.can_drive_on(ram.target, rammer, ram.drive.rulings)):
        return ram
    tank = damage.Condition(stunned=rammer.stunned, immobilised=rammer.immobilised, status=rammer.status)
    target = damage.Condition(status=ram.target.status)
    return replace(ram, drive=replace(_without_met_units(ram.drive), tank=tank), target=target)


RAM_ACTION = Action(
    "ram",
    "Drive a tank into an enemy vehicle",
    RamOrder,
    plan_ram,
    ram_stages,
    measures=(WON, MOVED, LOST, STUCK),
    clauses=("V5-RAM-1", "V5-RAM-6", "V5-RAM-7"),
    lens=lambda asked: (
        (PendingTankShock, forget_all_but_both),
        (RamState, forget_all_but_crash),
        (State, without_pinning),
    ),
)
