"""The Shooting phase: `fire` for vehicles, `pivot_to_fire` for walkers, and `shoot_unit` for squads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate

from battletape import rulebook
from battletape.cards import Action, Inputs, Line, Plan, asked, named_by
from battletape.field.setup import Heading
from battletape.rulebook import Refused, Tape, clause, listed, need, raise_if_refused, replace
from battletape.rulesets.vehicles5.battle import shooting, turn, words
from battletape.rulesets.vehicles5.battle.actions._orders import ENEMY, enemies, mine
from battletape.rulesets.vehicles5.battle.shooting import FIRE, FIRE_MEASURES, FiringWeapon, PendingShooting
from battletape.rulesets.vehicles5.battle.state import BattleUnit, MountedWeapon, Squad, State, Vehicle, did
from battletape.rulesets.vehicles5.profiles.book import find_named
from battletape.rulesets.vehicles5.profiles.types import WeaponProfile
from battletape.rulesets.vehicles5.rules import firing, geometry, movement, transports, troops, walkers
from battletape.rulesets.vehicles5.rules.keywords import BARRAGE, ONE_SHOT, TEMPLATE
from battletape.rulesets.vehicles5.rules.shooting import Shot
from battletape.table.distances import gap, nearest_point
from battletape.table.hulls import turned
from battletape.table.points import bearing
from battletape.table.sight import Eye

ALL = "all"
"""What stands for all weapons of a vehicle that can be fired together."""


class GunOrder(Inputs, frozen=True):
    """A weapon of a vehicle: which one, what it fires, and whether as a barrage."""

    gun: str = asked("", "Weapon of the vehicle", form="name")
    weapon: str = asked("", "What a launcher fires")
    barrage: bool = False


class FireOrder(Inputs, frozen=True):
    """A vehicle fires at one unit; its weapons are all named at once."""

    unit: str = ""
    target: str = ""
    guns: tuple[GunOrder, ...] = ()


class PivotOrder(Inputs, frozen=True):
    """A walker turns to fire."""

    unit: str = ""
    heading: Heading = 0.0


@clause("V5-FIRE-0", "V5-CORE-1", "V5-TRAN-2", "V5-WALK-8")
def _target(state: State, firer: BattleUnit, name: str) -> BattleUnit:
    """Return the unit of this name; refuse it unless it may be shot at."""
    target = state.find(name)
    need(target.side != firer.side, f"{target.name}: on the same side", "V5-CORE-1", "side")
    inside = state.transport_of(target.name)
    need(not inside, f"{target.name}: aboard {inside}, which can be shot at instead", "V5-TRAN-2", "aboard")
    fights = f"{target.name}: locked in a fight; no unit shoots into it"
    need(target.is_gone or not target.locked_with, fights, "V5-WALK-8", "locked")
    turn.need_there(target)
    return target


def _gun(vehicle: Vehicle, order: GunOrder) -> tuple[MountedWeapon, WeaponProfile]:
    """Return a weapon of a vehicle, and what it fires."""
    gun = find_named("weapon", order.gun, vehicle.guns, lambda gun: gun.label, source=vehicle.name)
    if not order.weapon:
        return gun, gun.weapons[0]
    return gun, find_named("missile", order.weapon, gun.weapons, lambda weapon: weapon.name, source=gun.label)


def _firing_weapon(
    state: State, vehicle: Vehicle, gun: MountedWeapon, weapon: WeaponProfile, barrage: bool, target: BattleUnit
) -> FiringWeapon:
    hull, parts = state.hull(vehicle.name), state.field.footprints(target.name)
    eye = geometry.eye_of(hull, gun.fitting, state.rulings)
    there = [part for part in parts if shooting.refuse_arc(state, vehicle, gun.fitting, target, part) is None]
    near = there or parts  # a model that the weapon cannot point at is not measured to
    distance = min(geometry.range_of(hull, gun.fitting, part, state.rulings) for part in near)
    lobbed = firing.is_barrage(weapon, barrage)
    sees = not weapon.blast or shooting.refuse_sight(state, eye, vehicle.name, target) is None
    return FiringWeapon(weapon, eye, weapon.shots, vehicle.profile.bs, distance, lobbed, sees)


@clause("V5-FIRE-5", "V5-FIRE-0", "V5-LOS-1", "V5-ORD-1", "V5-ORD-4")
def plan_fire(state: State, order: FireOrder) -> Plan:
    """Refuse vehicles that may not fire, and weapons that cannot; without names, take all that bear."""
    vehicle = turn.acting_as(Vehicle, state, order.unit, "fire; squads use shoot_unit", "V5-FIRE-0", "shooting")
    situation = state.situation(vehicle)
    mode = firing.fire_mode(situation)
    raise_if_refused(mode.why if mode.mode == "none" else None)  # it has fired, or is too fast, or its crew is shaken
    target = _target(state, vehicle, order.target)
    together = [gun.gun.strip().lower() for gun in order.guns] == [ALL]
    named = _bearing_guns(state, vehicle, target) if together else order.guns or _bearing_guns(state, vehicle, target)
    guns = [(*_gun(vehicle, gun), gun.barrage) for gun in named]
    for gun, _, _ in guns:
        raise_if_refused(_refuse_gun(gun))
    high = [_weapon_use(gun, weapon) for gun, weapon, barrage in guns if barrage]
    raise_if_refused(firing.refuse_fire(situation, [_weapon_use(gun, weapon) for gun, weapon, _ in guns], high))
    firing_weapons = []
    for gun, weapon, barrage in guns:
        firing_weapons.append(_firing_weapon(state, vehicle, gun, weapon, barrage, target))
        raise_if_refused(shooting.refuse_weapon(state, firing_weapons[-1], vehicle, target, gun.fitting))
    fired = [gun for gun, _, _ in guns]
    plan = Plan(ready_to_fire, state, vehicle, target, tuple(firing_weapons), order=replace(order, guns=named))
    return plan.then(after_fire, tuple(fired))


@clause("V5-FIRE-0", "V5-FIRE-2")
def _bearing_guns(state: State, vehicle: Vehicle, target: BattleUnit) -> tuple[GunOrder, ...]:
    """Return all weapons that can be fired at a target together; ordnance is tried last."""
    situation = state.situation(vehicle)
    found: list[GunOrder] = []
    uses: list[movement.WeaponUse] = []
    why: Refused | None = Refused(f"{vehicle.name} has nothing to fire with", "V5-FIRE-0", "guns")
    guns = [gun for gun in vehicle.guns if _refuse_gun(gun) is None and gun.label in vehicle.condition.weapons]
    for gun in sorted(guns, key=lambda gun: gun.weapons[0].type == "ordnance"):
        weapon = gun.weapons[0]
        refused = firing.refuse_fire(situation, [*uses, _weapon_use(gun, weapon)])
        if refused is None:
            firing_weapon = _firing_weapon(state, vehicle, gun, weapon, False, target)
            refused = shooting.refuse_weapon(state, firing_weapon, vehicle, target, gun.fitting)
        if refused is None:
            found.append(GunOrder(gun=gun.label))
            uses.append(_weapon_use(gun, weapon))
        why = refused or why
    if not found:
        raise_if_refused(why)
    return tuple(found)


def _weapon_use(gun: MountedWeapon, weapon: WeaponProfile) -> movement.WeaponUse:
    ordnance = weapon.type == "ordnance"
    lobs = BARRAGE in weapon.rules
    return movement.WeaponUse(weapon.name, weapon.strength or 1, ordnance, gun.label, lobs)


@clause("V5-DMG-3")
def _refuse_gun(gun: MountedWeapon) -> Refused | None:
    refused = troops.refuse_close_combat_weapon(gun.weapons[0])
    if refused is None and gun.spent:
        return Refused(f"{gun.label} had one shot, which is spent", "V5-DMG-3", "spent")
    return refused


@clause("V5-FIRE-0", "V5-SHOT-5", "V5-SHOT-6")
def ready_to_fire(
    tape: Tape, state: State, firer: BattleUnit, target: BattleUnit, firing_weapons: Sequence[FiringWeapon]
) -> PendingShooting:
    """Aim every weapon, by what it is fired at."""
    by = firer.side
    level = [firing_weapon for firing_weapon in firing_weapons if not firing_weapon.barrage]
    cover = shooting.cover_of(state, level, firer.name, target)
    tape.tell(
        volley_summary,
        firer.name,
        target.name,
        tuple(firing_weapon.weapon.name for firing_weapon in firing_weapons),
        cover,
    )
    shots: list[Shot] = []
    squad_volleys: list[shooting.SquadVolley] = []
    blasts_in_flight: list[shooting.BlastInFlight] = []
    for firing_weapon in firing_weapons:
        if firing_weapon.weapon.blast:
            blasts_in_flight += [shooting.blast_at(state, firing_weapon, target, cover, by)] * firing_weapon.shots
        elif isinstance(target, Vehicle):
            shots += shooting.shots_at(state, firing_weapon, target, cover, by)
        elif TEMPLATE in firing_weapon.weapon.rules:
            squad_volleys += _template_hits(state, firing_weapon, firer, target)
        else:
            squad_volleys.append(shooting.squad_volley_at(firing_weapon, target, cover))
    work = PendingShooting(state, firer.name, target.name, tuple(shots), tuple(squad_volleys), tuple(blasts_in_flight))
    if isinstance(target, Vehicle):
        return replace(work, weapons=len(target.condition.weapons))
    return replace(work, models=target.models)


def _template_hits(
    state: State, firing_weapon: FiringWeapon, firer: BattleUnit, target: Squad
) -> Iterator[shooting.SquadVolley]:
    flame = shooting.lay_flame(state, firing_weapon, firer, target)
    if isinstance(flame, Refused):
        return
    for squad in state.on_foot:
        hits = len(geometry.models_under(flame, state.bases(squad.name)))
        if hits and squad.side != firer.side:
            yield shooting.squad_volley_at(firing_weapon, squad, 0, hits)


@clause("V5-FIRE-0", "V5-DMG-3")
def after_fire(tape: Tape, work: PendingShooting, fired: Sequence[MountedWeapon]) -> State:
    """Note that the vehicle has fired, and that weapons of one shot are spent."""
    vehicle = work.vehicle
    spent = {gun.label for gun in fired if any(ONE_SHOT in weapon.rules for weapon in gun.weapons)}
    for label in sorted(spent):
        tape.tell("{} has spent its {}", vehicle.name, label, clause="V5-DMG-3")
    guns = tuple(replace(gun, spent=True) if gun.label in spent else gun for gun in vehicle.guns)
    kept = tuple(label for label in vehicle.condition.weapons if label not in spent)
    condition = replace(vehicle.condition, weapons=kept)
    return work.state.with_units(did(replace(vehicle, guns=guns, condition=condition), fired_at=work.target))


def volley_summary(firer: str, target: str, weapons: Sequence[str], cover: int) -> str:
    """Say what is fired at which unit, and which save its cover gives it."""
    counted = Counter(weapons)
    named = listed([f"{count} x {name}" if count > 1 else name for name, count in counted.items()])
    return f"{firer} at {target}: {named}" + (f"; cover save {cover}+" if cover else "")


def propose_fire(state: State) -> Iterator[FireOrder]:
    """Propose all weapons that bear on each target, and each alone."""
    for unit in mine(state, Vehicle):
        guns = [gun for gun in unit.guns if gun.label in unit.condition.weapons and gun.weapons[0].type != "melee"]
        for target in enemies(state):
            if len(guns) > 1:
                yield FireOrder(unit=unit.name, target=target.name)
            for gun in guns:
                for weapon in gun.weapons:
                    named = GunOrder(gun=gun.label, weapon=weapon.name if len(gun.weapons) > 1 else "")
                    yield FireOrder(unit=unit.name, target=target.name, guns=(named,))
                    if BARRAGE in weapon.rules:
                        yield FireOrder(unit=unit.name, target=target.name, guns=(replace(named, barrage=True),))


@clause("V5-WALK-5", "V5-TERR-4")
def plan_pivot(state: State, order: PivotOrder) -> Plan:
    """Refuse to turn anything but a walker that may still fire."""
    vehicle = turn.acting_as(Vehicle, state, order.unit, "turn to fire", "V5-WALK-5", "shooting")
    others = "only a walker turns when it fires; others turn in the Movement phase"
    need(vehicle.traits.walker, others, "V5-WALK-5", "type")
    raise_if_refused(walkers.refuse_action_now("pivot_when_firing", state.situation(vehicle)))
    turn.need_room(state, vehicle, order.heading)
    return Plan(turn_to_fire, state, vehicle, order.heading)


@clause("V5-WALK-5")
def turn_to_fire(tape: Tape, state: State, walker: Vehicle, heading: float) -> State:
    """Turn a walker towards its target."""
    hull = turned(state.hull(walker.name), heading)
    tape.tell(words.vehicle_turned, walker.name, hull)
    return state.with_place(walker.name, hull)


def propose_pivots(state: State) -> Iterator[PivotOrder]:
    """Propose to turn towards each enemy, unless the walker faces it already."""
    for unit in mine(state, Vehicle):
        hull = state.hull(unit.name)
        for target in enemies(state):
            heading = round(bearing(hull.centre, state.field.footprints(target.name)[0].centre), 1)
            if turned(hull, heading) != hull:
                yield PivotOrder(unit=unit.name, heading=heading)


FIRE_ACTION = Action(
    "fire",
    "Fire the weapons of a vehicle",
    FireOrder,
    plan_fire,
    FIRE,
    propose_fire,
    measures=FIRE_MEASURES,
    lens=lambda asked: ((PendingShooting, shooting.forget_all_but_target),),
    about=lambda state, order: {**named_by(state, order), "weapon": ", ".join(gun.gun for gun in order.guns)},
    clauses=("V5-FIRE-0", "V5-FIRE-5", "V5-VOLLEY-1"),
)
PIVOT = Action(
    "pivot_to_fire",
    "Turn a walker towards its target",
    PivotOrder,
    plan_pivot,
    options=propose_pivots,
    clauses=("V5-WALK-5",),
)


class SquadWeapon(Inputs, count="models", frozen=True):
    """A weapon of a squad, and how many models fire it."""

    weapon: str = asked("", "Weapon of the squad", form="name")
    models: int = asked(0, "Models that fire", about="(0 = all that carry it)", ge=0, le=100)


class ShootOrder(Inputs, frozen=True):
    """A squad shoots at one unit, with the weapons named or with all it can use."""

    unit: str = asked("", role="squad")
    target: str = ENEMY
    weapons: tuple[SquadWeapon, ...] = ()


@clause("V5-TRAN-3", "V5-CORE-21")
def counts_as_moving(state: State, squad: Squad) -> bool:
    """Return whether a squad counts as having moved, on foot or in a vehicle."""
    if state.transport_of(squad.name):
        return transports.shooters(_situation_inside(state, squad))[1] or squad.done.moved
    way = turn.exit_this_turn(state, squad)
    return squad.done.moved or (way is not None and way.counts_as_moving)


def _carried(squad: Squad, weapons: Sequence[SquadWeapon]) -> list[tuple[WeaponProfile, int, int]]:
    """Return each weapon, how many models fire it, and the first model that does."""
    counts = dict(squad.bearers())
    firsts = dict(zip(counts, accumulate(counts.values(), initial=0), strict=False))
    carried = []
    for order in weapons:
        named = find_named("weapon", order.weapon, squad.arsenal, lambda weapon: weapon.name, source=squad.name)
        names = (named.mode_of.lower(), named.name.lower())
        carrier = next((name for name in counts if name.lower() in names), "")
        carried.append((named, order.models or counts.get(carrier, 0), firsts.get(carrier, 0)))
    return carried


def _best_fire_mode(squad: Squad, name: str, target: BattleUnit) -> WeaponProfile:
    """Return the missile that a player would load against such a target."""
    ways = squad.fire_modes(name)
    if isinstance(target, Vehicle):
        return max(ways, key=lambda way: way.strength or 0)
    return next((way for way in ways if way.blast), ways[0])


class IdleModels(rulebook.State, frozen=True):
    """Models that cannot fire a weapon with the others, and why the first of them cannot."""

    weapon: str
    models: int
    of: int
    why: Refused


def _firing_weapons(
    state: State, squad: Squad, target: BattleUnit, carried: Sequence[tuple[WeaponProfile, int, int]]
) -> tuple[list[FiringWeapon], list[IdleModels]]:
    """Return the weapons of all models that can fire, and the models that cannot."""
    ready: list[FiringWeapon] = []
    idle: list[IdleModels] = []
    moving = counts_as_moving(state, squad)
    transport = state.transport_of(squad.name)
    firer: BattleUnit = state.vehicle(transport) if transport else squad
    for weapon, count, first in carried:
        refused = troops.refuse_weapon_on_foot(weapon, moving)
        reasons: list[Refused] = []
        bearers = range(first, min(first + count, squad.models))
        for index in bearers:
            firing_weapon = _firing_weapon_of_model(state, squad, index, weapon, target, moving)
            wrong = refused or shooting.refuse_weapon(state, firing_weapon, firer, target)
            wrong = wrong or troops.refuse_rapid_fire(weapon, firing_weapon.distance, moving, state.rulings)
            if wrong is None:
                ready.append(firing_weapon)
            else:
                reasons.append(wrong)
        if reasons:
            idle.append(IdleModels(weapon.name, len(reasons), len(bearers), reasons[0]))
    return ready, idle


def _firing_weapon_of_model(
    state: State, squad: Squad, index: int, weapon: WeaponProfile, target: BattleUnit, moving: bool
) -> FiringWeapon:
    seat, parts = state.field.measured_from(squad.name), state.field.footprints(target.name)
    if seat.hulls:
        hull = seat.hulls[0]
        part = min(parts, key=lambda part: gap(hull, part))
        away = transports.range_from_inside(hull, part)
        eye = Eye(nearest_point(part.centre, hull), seat.top)
    else:
        model = seat.bases[index]
        away = min(gap(model, part) for part in parts)
        eye = Eye(model.centre, seat.top)
    shots = max(troops.shots_on_foot(weapon, away, moving, state.rulings), 1)
    lobbed = firing.is_barrage(weapon, False)
    return FiringWeapon(weapon, eye, shots, squad.profile.bs, away, lobbed, rules=squad.profile.rules)


@clause("V5-CORE-1", "V5-CORE-21", "V5-TRAN-3", "V5-OPEN-1")
def plan_shooting(state: State, order: ShootOrder) -> Plan:
    """Refuse squads that may not shoot, and weapons that none of their models can fire."""
    squad = turn.acting_as(Squad, state, order.unit, "shoot like this; vehicles use fire", "V5-CORE-1", "shooting")
    turn.need_free(state, squad, "shoot", aboard=True)
    fired_at, ran = squad.done.fired_at, squad.done.ran
    what = f"fired at {fired_at}" if fired_at else "ran"
    need(not (fired_at or ran), f"{squad.name}: {what} already in this turn", "V5-CORE-1", "fired")
    target = _target(state, squad, order.target)
    bearers = dict(squad.bearers())
    named = order.weapons or tuple(SquadWeapon(_best_fire_mode(squad, name, target).name) for name in bearers)
    carried = _carried(squad, named)
    for weapon, count, _ in carried:
        most = bearers.get(weapon.mode_of, bearers.get(weapon.name, 0))
        some = 0 < count <= most
        need(some, f"{most} models of {squad.name} can fire {weapon.name}; {count} were named", "V5-CORE-1")
    firing_weapons, idle = _firing_weapons(state, squad, target, carried)
    slow = next(
        (
            firing_weapon.weapon.name
            for firing_weapon in firing_weapons
            if troops.refuse_charge_after(firing_weapon.weapon)
        ),
        "",
    )
    transport = state.transport_of(squad.name)
    if transport:
        raise_if_refused(
            transports.refuse_passenger_fire(
                _situation_inside(state, squad), len(firing_weapons) if order.weapons else 0
            )
        )
    if not firing_weapons:
        nothing = Refused(f"{squad.name}: nothing to shoot with", "V5-CORE-21", "weapons")
        raise_if_refused(idle[0].why if idle else nothing)
    if transport:  # as many as have room to shoot, so their weapons are not written out
        firing_weapons.sort(key=lambda firing_weapon: -(firing_weapon.weapon.strength or 0))
        room, ready = transports.shooters(_situation_inside(state, squad))[0], len(firing_weapons)
        if room < ready:
            why = Refused(f"there is room for {room} to shoot out of {transport}", "V5-TRAN-3", "points")
            idle.append(IdleModels("", ready - room, ready, why))
        firing_weapons = firing_weapons[:room]
    else:
        order = replace(order, weapons=named)
    plan = Plan(begin_shooting, state, squad, target, tuple(firing_weapons), tuple(idle), order=order)
    return plan.then(after_shooting, slow)


@clause("V5-CORE-21", "V5-CORE-1")
def begin_shooting(
    tape: Tape,
    state: State,
    squad: Squad,
    target: BattleUnit,
    firing_weapons: Sequence[FiringWeapon],
    idle: Sequence[IdleModels],
) -> PendingShooting:
    """Aim every weapon of a squad that can be fired."""
    for others in idle:
        tape.tell(idle_line, squad.name, others)
    volley: PendingShooting = tape.call(ready_to_fire, state, squad, target, firing_weapons)
    return volley


def idle_line(squad: str, idle: IdleModels) -> Line:
    """Say how many models do not fire a weapon, and why."""
    why = idle.why
    return Line(f"{squad}: {idle.models} of {idle.of} do not fire; {why.reason}", (why.clause,) if why.clause else ())


def _situation_inside(state: State, squad: Squad) -> movement.Situation:
    """Return the vehicle that a squad shoots out of, with that squad alone inside."""
    return replace(state.situation(state.vehicle(state.transport_of(squad.name))), passengers=squad.models)


@clause("V5-CORE-21")
def after_shooting(tape: Tape, work: PendingShooting, slow: str) -> State:
    """Note that the squad has shot, and whether with a weapon after which it may not charge."""
    if slow:
        tape.tell("{}: fired {}, so it does not charge this turn", work.unit, slow)
    return work.state.with_units(did(work.state.squad(work.unit), fired_at=work.target, fired_no_charge=slow))


SHOOT_UNIT = Action(
    "shoot_unit",
    "Shoot with a squad",
    ShootOrder,
    plan_shooting,
    FIRE,
    measures=FIRE_MEASURES,
    lens=lambda asked: ((PendingShooting, shooting.forget_all_but_target),),
    about=lambda state, order: {**named_by(state, order), "weapon": ", ".join(arms.weapon for arms in order.weapons)},
    clauses=("V5-CORE-1", "V5-CORE-21", "V5-TRAN-3"),
)
