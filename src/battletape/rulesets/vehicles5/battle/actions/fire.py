"""The Shooting phase: `fire` for machines, `pivot_to_fire` for walkers, and `shoot_unit` for squads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Annotated

from battletape.cards import Action, Inputs, at_once, named_by
from battletape.rulebook import Meta, Refused, clause, replace
from battletape.rulesets.vehicles5.battle import shooting, start, turn
from battletape.rulesets.vehicles5.battle.actions._orders import ENEMY, enemies, mine
from battletape.rulesets.vehicles5.battle.shooting import FIRE, FIRE_MEASURES, MAN_HIGH, Gunfire, Muzzle
from battletape.rulesets.vehicles5.battle.state import Gun, Machine, Squad, State, Unitlike, things_of
from battletape.rulesets.vehicles5.profiles.book import find_named
from battletape.rulesets.vehicles5.profiles.types import Weapon
from battletape.rulesets.vehicles5.rules import firing, geometry, movement, transports, troops, walkers
from battletape.rulesets.vehicles5.rules.shooting import BARRAGE, ONE_SHOT, TEMPLATE, Shot
from battletape.table import distances, hulls, points, sight


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
    heading: start.Heading = 0.0


@clause("V5-FIRE-0", "V5-CORE-1", "V5-TRAN-2", "V5-WALK-8")
def _refuse_target(state: State, firer: Unitlike, name: str) -> Refused | None:
    target = state.find(name)
    if target.side == firer.side:
        return Refused(f"{target.name}: on the same side", "V5-CORE-1", "side")
    if isinstance(target, Squad) and target.aboard:
        return Refused(f"{target.name}: aboard {target.aboard}, which can be shot at instead", "V5-TRAN-2", "aboard")
    if target.locked_with and not target.is_gone:
        return Refused(f"{target.name}: locked in a fight; nobody shoots into it", "V5-WALK-8", "locked")
    return turn.refuse_gone(target)


def _gun(machine: Machine, order: GunOrder) -> tuple[Gun, Weapon]:
    """A weapon of a machine, and what it fires."""
    gun = find_named("weapon", order.gun, machine.guns, lambda gun: gun.label, source=machine.name)
    if not order.weapon:
        return gun, gun.weapons[0]
    return gun, find_named("missile", order.weapon, gun.weapons, lambda weapon: weapon.name, source=gun.label)


def _muzzle(state: State, machine: Machine, order: GunOrder, target: Unitlike) -> Muzzle:
    gun, weapon = _gun(machine, order)
    eye = geometry.eye_of(machine.hull, gun.fitting, state.rules)
    parts = things_of(target)
    there = [part for part in parts if shooting.refuse_arc(state, machine, gun.fitting, target, part) is None]
    near = there or parts  # a model that the weapon cannot point at is not measured to
    distance = min(geometry.range_of(machine.hull, gun.fitting, part, state.rules) for part in near)
    lobbed = firing.is_lobbed(weapon, order.barrage)
    sees = not weapon.blast or shooting.refuse_sight(state, eye, machine.name, target) is None
    return Muzzle(weapon, eye, weapon.shots, machine.profile.bs, distance, lobbed, sees)


@clause("V5-FIRE-5", "V5-FIRE-0", "V5-LOS-1", "V5-ORD-1", "V5-ORD-4")
@turn.only(Machine, "fire; squads use shoot_unit", "V5-FIRE-0", "shooting")
def _refuse_firing(state: State, machine: Machine, order: FireOrder) -> Refused | None:
    refused = _refuse_target(state, machine, order.target)
    if refused is None and not order.guns:
        refused = Refused(f"guns must be one or more weapons of {machine.name}", "V5-FIRE-0", "guns")
    if refused is not None:
        return refused
    rights, high = [], []
    for named in order.guns:
        gun, weapon = _gun(machine, named)
        refused = refused or _refuse_gun(gun)
        rights.append(_use(gun, weapon))
        high += rights[-1:] if named.barrage else []
    refused = refused or firing.refuse_fire(state.situation(machine), rights, high)
    target = state.find(order.target)
    for named in order.guns:
        if refused is None:
            gun, _ = _gun(machine, named)
            muzzle = _muzzle(state, machine, named, target)
            refused = shooting.refuse_muzzle(state, muzzle, machine, target, gun.fitting)
    return refused


def _use(gun: Gun, weapon: Weapon) -> movement.WeaponUse:
    ordnance = weapon.type == "ordnance"
    lobs = BARRAGE in weapon.rules
    return movement.WeaponUse(weapon.name, weapon.strength or 1, ordnance, gun.label, lobs)


@clause("V5-DMG-3")
def _refuse_gun(gun: Gun) -> Refused | None:
    refused = troops.refuse_unfired(gun.weapons[0])
    if refused is None and gun.spent:
        return Refused(f"{gun.label} had one shot, which is spent", "V5-DMG-3", "spent")
    return refused


def _begin_fire(state: State, order: FireOrder) -> Gunfire:
    machine, target = state.machine(order.unit), state.find(order.target)
    muzzles = [_muzzle(state, machine, gun, target) for gun in order.guns]
    return ready_to_fire(state, machine, target, muzzles)


@clause("V5-FIRE-0", "V5-SHOT-5", "V5-SHOT-6")
def ready_to_fire(state: State, firer: Unitlike, target: Unitlike, muzzles: Sequence[Muzzle]) -> Gunfire:
    """Every weapon that is fired, by what it is fired at."""
    by = firer.side
    level = [muzzle for muzzle in muzzles if not muzzle.barrage]
    cover = shooting.cover_of(state, level, firer.name, target)
    shots: list[Shot] = []
    salvos: list[shooting.Salvo] = []
    shells: list[shooting.Dropped] = []
    for muzzle in muzzles:
        if muzzle.weapon.blast:
            shells += [shooting.shell_at(muzzle, target, cover, by)] * muzzle.shots
        elif isinstance(target, Machine):
            shots += shooting.shots_at(state, muzzle, target, cover, by)
        elif TEMPLATE in muzzle.weapon.rules:
            salvos += _burnt(state, muzzle, firer, target)
        else:
            salvos.append(shooting.salvo_at(muzzle, target, cover))
    work = Gunfire(state, firer.name, target.name, tuple(shots), tuple(salvos), tuple(shells))
    if isinstance(target, Machine):
        return replace(work, weapons=len(target.condition.weapons))
    return replace(work, models=len(target.models))


def _burnt(state: State, muzzle: Muzzle, firer: Unitlike, target: Squad) -> Iterator[shooting.Salvo]:
    flame = shooting.lay_flame(state, muzzle, firer, target)
    if isinstance(flame, Refused):
        return
    for foe in state.on_foot:
        burnt = len(geometry.burnt(flame, foe.models))
        if burnt and foe.side != firer.side:
            yield shooting.salvo_at(muzzle, foe, 0, burnt)


@clause("V5-FIRE-0", "V5-DMG-3")
def _finish_fire(state: State, order: FireOrder, work: Gunfire) -> State:
    machine = work.field.machine(order.unit)
    fired = [_gun(machine, named)[0] for named in order.guns]
    spent = {gun.label for gun in fired if any(ONE_SHOT in weapon.rules for weapon in gun.weapons)}
    guns = tuple(replace(gun, spent=True) if gun.label in spent else gun for gun in machine.guns)
    kept = tuple(label for label in machine.condition.weapons if label not in spent)
    condition = replace(machine.condition, weapons=kept)
    target = work.field.find(order.target).name
    return work.field.changed(replace(machine, guns=guns, condition=condition, fired_at=target))


def _fires(state: State) -> Iterator[FireOrder]:
    for unit in mine(state, Machine, "shooting"):
        if unit.fired_at:
            continue
        guns = [gun for gun in unit.guns if gun.label in unit.condition.weapons and gun.weapons[0].type != "melee"]
        for target in enemies(state):
            every = tuple(GunOrder(gun=gun.label) for gun in guns if gun.weapons[0].type != "ordnance")
            if len(every) > 1:
                yield FireOrder(unit=unit.name, target=target.name, guns=every)
            for gun in guns:
                for weapon in gun.weapons:
                    named = GunOrder(gun=gun.label, weapon=weapon.name if len(gun.weapons) > 1 else "")
                    yield FireOrder(unit=unit.name, target=target.name, guns=(named,))
                    if BARRAGE in weapon.rules:
                        yield FireOrder(unit=unit.name, target=target.name, guns=(replace(named, barrage=True),))


@clause("V5-WALK-5", "V5-TERR-4")
@turn.only(Machine, "turn to fire", "V5-WALK-5", "shooting")
def _refuse_aiming(state: State, machine: Machine, order: Aimed) -> Refused | None:
    if not machine.traits.walker:
        return Refused("only a walker turns when it fires; others turn in the Movement phase", "V5-WALK-5", "type")
    refused = walkers.refuse_deed("pivot_when_firing", state.situation(machine))
    return refused or turn.refuse_heading(state, machine, order.heading)


def _aim(state: State, order: Aimed) -> State:
    machine = state.machine(order.unit)
    return state.changed(replace(machine, hull=hulls.turned(machine.hull, order.heading)))


def _aims(state: State) -> Iterator[Aimed]:
    for unit in mine(state, Machine, "shooting"):
        if unit.traits.walker:
            centre = unit.hull.centre
            places = (things_of(target)[0].centre for target in enemies(state))
            yield from (Aimed(unit=unit.name, heading=round(points.bearing(centre, place), 1)) for place in places)


FIRE_ACTION = Action(
    "fire",
    "Fire the weapons of a machine",
    FireOrder,
    _refuse_firing,
    _begin_fire,
    FIRE,
    _finish_fire,
    _fires,
    measures=FIRE_MEASURES,
    lens=lambda asked: ((Gunfire, shooting.target_alone),),
    about=lambda state, order: {**named_by(state, order), "weapon": ", ".join(gun.gun for gun in order.guns)},
    clauses=("V5-FIRE-0", "V5-FIRE-5", "V5-VOLLEY-1"),
)
PIVOT = at_once(
    "pivot_to_fire", "Turn a walker towards its target", Aimed, _refuse_aiming, _aim, "V5-WALK-5", options=_aims
)


class Arms(Inputs, frozen=True):
    """A weapon of a squad, and how many models fire it."""

    weapon: Annotated[str, Meta(title="Weapon of the squad", extra={"form": "name"})] = ""
    models: Annotated[int, Meta(title="Models that fire (0 = all that carry it)", ge=0, le=100)] = 0


class ShootOrder(Inputs, frozen=True):
    """A squad shoots at one unit, with the weapons named or with all it can use."""

    unit: Annotated[str, Meta(extra={"role": "squad that shoots"})] = ""
    target: str = ENEMY
    weapons: tuple[Arms, ...] = ()


@clause("V5-TRAN-3", "V5-CORE-21")
def counts_as_moving(state: State, squad: Squad) -> bool:
    """Whether a squad counts as having moved, on foot or in a vehicle."""
    if squad.aboard:
        return transports.shooters(_inside(state, squad))[1] or squad.moved
    way = turn.exit_of(state, squad)
    return squad.moved or (way is not None and way.counts_as_moving)


def _carried(squad: Squad, target: Unitlike, order: ShootOrder) -> list[tuple[Weapon, int, int]]:
    """Each weapon, how many fire it, and the first model that does."""
    counts = dict(squad.bearers())
    firsts = dict(zip(counts, accumulate(counts.values(), initial=0), strict=False))
    if not order.weapons:
        return [(_fitting_way(squad, name, target), count, firsts[name]) for name, count in counts.items()]
    carried = []
    for arms in order.weapons:
        named = find_named("weapon", arms.weapon, squad.arsenal, lambda weapon: weapon.name, source=squad.name)
        names = (named.mode_of.lower(), named.name.lower())
        carrier = next((name for name in counts if name.lower() in names), "")
        carried.append((named, arms.models or counts.get(carrier, 0), firsts.get(carrier, 0)))
    return carried


def _fitting_way(squad: Squad, name: str, target: Unitlike) -> Weapon:
    """The missile that a player would load against such a target."""
    ways = squad.ways(name)
    if isinstance(target, Machine):
        return max(ways, key=lambda way: way.strength or 0)
    return next((way for way in ways if way.blast), ways[0])


def _muzzles(state: State, squad: Squad, target: Unitlike, order: ShootOrder) -> tuple[list[Muzzle], Refused | None]:
    """Everybody who can fire, and why the first of the others cannot."""
    ready: list[Muzzle] = []
    why: Refused | None = None
    moving = counts_as_moving(state, squad)
    firer: Unitlike = state.machine(squad.aboard) if squad.aboard else squad
    for weapon, count, first in _carried(squad, target, order):
        refused = troops.refuse_weapon_on_foot(weapon, moving)
        for at in range(first, min(first + count, len(squad.models))):
            muzzle = _rifle(state, squad, at, weapon, target, moving)
            wrong = refused or shooting.refuse_muzzle(state, muzzle, firer, target)
            wrong = wrong or troops.refuse_rapid_fire(weapon, muzzle.distance, moving, state.rules)
            if wrong is None:
                ready.append(muzzle)
            why = why or wrong
    return ready, why


def _rifle(state: State, squad: Squad, at: int, weapon: Weapon, target: Unitlike, moving: bool) -> Muzzle:
    if squad.aboard:
        machine = state.machine(squad.aboard)
        hull = machine.hull
        thing = min(things_of(target), key=lambda part: distances.gap(hull, part))
        away = transports.range_from_inside(hull, thing)
        eye = sight.Eye(distances.nearest_point(thing.centre, hull), machine.profile.height)
    else:
        model = squad.models[at]
        away = min(distances.gap(model, part) for part in things_of(target))
        eye = sight.Eye(model.centre, MAN_HIGH)
    shots = max(troops.shots_on_foot(weapon, away, moving, state.rules), 1)
    lobbed = firing.is_lobbed(weapon, False)
    return Muzzle(weapon, eye, shots, squad.profile.bs, away, lobbed, rules=squad.profile.rules)


@clause("V5-CORE-1", "V5-CORE-21", "V5-TRAN-3", "V5-OPEN-1")
@turn.only(Squad, "shoot like this; machines use fire", "V5-CORE-1", "shooting")
def refuse_shooting(state: State, squad: Squad, order: ShootOrder) -> Refused | None:
    """Why a squad may not shoot like this."""
    refused = turn.refuse_squad(state, squad, "shoot", aboard=True) or _refuse_target(state, squad, order.target)
    if refused is not None:
        return refused
    if squad.fired_at or squad.ran:
        done = f"fired at {squad.fired_at}" if squad.fired_at else "ran"
        return Refused(f"{squad.name}: {done} already in this turn", "V5-CORE-1", "fired")
    target = state.find(order.target)
    carried = dict(squad.bearers())
    for weapon, count, _ in _carried(squad, target, order):
        most = carried.get(weapon.mode_of, carried.get(weapon.name, 0))
        if not 0 < count <= most:
            return Refused(f"{most} models of {squad.name} can fire {weapon.name}; {count} were named", "V5-CORE-1")
    muzzles, why = _muzzles(state, squad, target, order)
    named = len(muzzles) if order.weapons else 0
    refused = transports.refuse_passenger_fire(_inside(state, squad), named) if squad.aboard else None
    if refused is not None or muzzles:
        return refused
    return why or Refused(f"{squad.name}: nothing to shoot with", "V5-CORE-21", "weapons")


def _inside(state: State, squad: Squad) -> movement.Situation:
    """The machine that a squad shoots out of."""
    return replace(state.situation(state.machine(squad.aboard)), passengers=len(squad.models))


def _begin_shooting(state: State, order: ShootOrder) -> Gunfire:
    squad, target = state.squad(order.unit), state.find(order.target)
    muzzles, _ = _muzzles(state, squad, target, order)
    if squad.aboard:
        muzzles.sort(key=lambda muzzle: -(muzzle.weapon.strength or 0))
        muzzles = muzzles[: transports.shooters(_inside(state, squad))[0]]
    return ready_to_fire(state, squad, target, muzzles)


@clause("V5-CORE-21")
def _finish_shooting(state: State, order: ShootOrder, work: Gunfire) -> State:
    squad, target = work.field.squad(order.unit), work.field.find(order.target)
    muzzles, _ = _muzzles(state, state.squad(order.unit), state.find(order.target), order)
    slow = [muzzle.weapon.name for muzzle in muzzles if troops.refuse_charge_after(muzzle.weapon)]
    return work.field.changed(replace(squad, fired_at=target.name, fired_slow=slow[0] if slow else ""))


SHOOT_UNIT = Action(
    "shoot_unit",
    "Shoot with a squad",
    ShootOrder,
    refuse_shooting,
    _begin_shooting,
    FIRE,
    _finish_shooting,
    measures=FIRE_MEASURES,
    lens=lambda asked: ((Gunfire, shooting.target_alone),),
    about=lambda state, order: {**named_by(state, order), "weapon": ", ".join(arms.weapon for arms in order.weapons)},
    clauses=("V5-CORE-1", "V5-CORE-21", "V5-TRAN-3"),
)
