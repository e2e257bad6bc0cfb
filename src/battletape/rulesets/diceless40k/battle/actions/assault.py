"""The Assault phase: `charge`, `fight`, `assault_vehicle`, `hit_and_run`, and `consolidate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from battletape.cards import Action, Inputs, Plan, asked
from battletape.field.setup import Heading, inward
from battletape.field.state import ABOARD, TABLE
from battletape.rulebook import (
    Meta,
    Procedure,
    Refused,
    Tape,
    clause,
    granted,
    listed,
    need,
    raise_if_refused,
    replace,
)
from battletape.rulebook import inches as inches_text
from battletape.rulesets.diceless40k.battle import moves, pending, turn
from battletape.rulesets.diceless40k.battle.actions._orders import ENEMY, ENEMY_VEHICLE, OWN_UNIT
from battletape.rulesets.diceless40k.battle.actions.drive import terrain_damage_to_vehicle
from battletape.rulesets.diceless40k.battle.actions.move import cross_terrain, trigger_mines, walk
from battletape.rulesets.diceless40k.battle.assault import attack_vehicle, fight_round
from battletape.rulesets.diceless40k.battle.charge import charge_paths, refuse_reach
from battletape.rulesets.diceless40k.battle.ground import hurt_by_terrain, spring_mines_on, spring_mines_under
from battletape.rulesets.diceless40k.battle.moves import (
    MoveOrder,
    MovePath,
    path_as_said,
    places_at_end,
    unit_and_characters,
)
from battletape.rulesets.diceless40k.battle.start import Distance, Hood, Inches, NullZone
from battletape.rulesets.diceless40k.battle.state import BattleUnit, Squad, State, Vehicle
from battletape.rulesets.diceless40k.rules.close_combat import consolidation, hit_and_run_inches, refuse_hit_and_run
from battletape.rulesets.diceless40k.rules.damage_rows import refuse_drive, refuse_target
from battletape.rulesets.diceless40k.rules.movement import (
    refuse_assault_after_run,
)
from battletape.table.distances import gap
from battletape.table.points import bearing, step

TURNS = (0, *(sign * turn for turn in range(15, 180, 15) for sign in (1, -1)), 180)
"""Degrees to either side of the path straight from the enemy."""


class ChargeOrder(Inputs, frozen=True):
    """A unit charges an enemy; distance and terrain are given where there is no board."""

    unit: str = OWN_UNIT
    target: str = ENEMY
    distance: Distance = None
    terrain: str = asked("", "Terrain on the way, where there is no board")
    inside: Inches = asked(0.0, "Inches of the move in it")


# --- charging ---------------------------------------------------------------------------------------------------------


@clause("DL-38.1", "DL-16.1")
def plan_charge(state: State, order: ChargeOrder) -> Plan:
    """Refuse units that may not assault, targets that do not fight, and charges that fall short."""
    unit = assaulting_unit(state, order.unit)
    target = state.find(order.target)
    if isinstance(target, Vehicle):
        raise_if_refused(refuse_target(target.damage))
        need(target.is_walker, f"{target.name} is a vehicle; use assault_vehicle", "DL-63.1", "vehicle")
    return _plan_charge_at(state, order, unit, target)


@clause("DL-0.1", "DL-16.1")
def assaulting_unit(state: State, name: str) -> BattleUnit:
    """Return the unit of this name; refuse it unless it may assault now."""
    unit = turn.acting_unit(state, name)
    if isinstance(unit, Squad):
        turn.need_free(state, unit)
        if unit.ran:
            raise_if_refused(refuse_assault_after_run(pending.combined_groups(state.joined_units(unit))))
        slow = unit.fired_slow and unit.type not in ("bike", "jetbike", "monstrous_creature")
        need(not slow, f"{unit.name} fired weapons after which no unit assaults", "DL-0.1", "fired")
        late = unit.cannot_assault or unit.boosted
        need(not late, f"{unit.name} came on, got out or turbo-boosted and does not assault", "DL-0.1", "exit")
    else:
        need(unit.is_walker, f"{unit.name} is no walker and does not assault", "DL-0.1", "type")
        raise_if_refused(refuse_drive(unit.damage))
        need(not unit.ran, f"{unit.name} has run and does not assault", "DL-16.1", "ran")
        need(not unit.combat, f"{unit.name} is locked in combat", "DL-0.1", "locked")
    need(not (unit.fought or unit.charged), f"{unit.name} has assaulted in this turn", "DL-0.1", "charged")
    return unit


@clause("DL-14.1", "DL-0.1")
def _plan_charge_at(state: State, order: ChargeOrder, unit: BattleUnit, target: BattleUnit) -> Plan:
    """Plan the path to a target; refuse targets that are no enemies on the table, and paths that are too long."""
    other = f"{unit.name} fired at {unit.fired_at} and may assault no other unit"
    need(unit.fired_at in ("", target.name), other, "DL-0.1", "fired")
    friends = f"{target.name} is on the same side; friends are not assaulted"
    need(target.side != unit.side, friends, "DL-0.1", "target")
    where, gone, carrier = state.where(target), state.is_gone(target), state.carrier(target)
    inside = where == ABOARD and not gone
    need(not inside, f"{target.name} rides in {carrier}; assault {carrier}", "DL-0.1", "target")
    left = "nobody is left of it" if gone else "assault a unit that is"
    on_table = not gone and where == TABLE
    need(on_table, f"{target.name} is not on the table; {left}", "DL-0.1", "target")
    joined = target.joined if isinstance(target, Squad) else ""
    need(not joined, f"{target.name} is with {joined}; charge {joined}", "DL-0.1", "joined")
    path = _charge_path(state, unit, target, order)
    raise_if_refused(refuse_reach(state, unit_and_characters(state, unit), path))
    return Plan(pending.begin_move, state, order, path)


def _charge_path(state: State, unit: BattleUnit, target: BattleUnit, order: ChargeOrder) -> MovePath:
    """Return the path of a charge: by the board if both stand on it, else by the order."""
    moves.distance_to(state, unit, target, order.distance, "DL-14.1")
    if state.footprints(unit) and state.footprints(*unit_and_characters(state, target)):
        return granted(charge_paths(state, unit, target))
    if order.distance is None:
        raise Refused("the distance to the enemy is not known; say distance=…", "DL-14.1", "distance")
    need(order.inside <= order.distance, "more of the way is in terrain than there is", "DL-14.1", "distance")
    return granted(path_as_said(state, MoveOrder(inches=order.distance, terrain=order.terrain, inside=order.inside)))


@clause("DL-14.2", "DL-57.1", "DL-SM-67.1")
def charge_move(tape: Tape, work: pending.PendingMove) -> pending.PendingMove:
    """Make the charge move, with the terrain on it and what lies hidden there; a walker suffers as a vehicle."""
    unit, target = work.state.find(work.order.unit), work.state.find(work.order.target)
    members = unit_and_characters(work.state, unit)
    tape.tell("{} {} {}", *pending.subject(members, "charges", "charge"), target.name, clause="DL-38.1")
    if isinstance(unit, Vehicle):
        return terrain_damage_to_vehicle(tape, work.with_places(places_at_end(work.state, members, work.path)))
    return trigger_mines(tape, walk(tape, cross_terrain(tape, work)))


@clause("DL-38.1")
def lock_in_combat(tape: Tape, work: pending.PendingMove) -> pending.PendingMove:
    """Lock chargers and charged in a fight."""
    state = work.state
    unit, target = state.find(work.order.unit), state.find(work.order.target)
    if state.is_gone(unit):
        return work
    number = target.combat or state.combats + 1
    slowed = any(ground == "difficult" and inches > 0 for ground, inches in work.path.pieces)
    chargers = state.joined_units(unit) if isinstance(unit, Squad) else (unit,)
    charged = state.joined_units(target) if isinstance(target, Squad) else (target,)
    locked: list[BattleUnit] = []
    for charger in chargers:
        now = replace(charger, combat=number, charged=True)
        locked.append(replace(now, slowed=slowed) if isinstance(now, Squad) else now)
    for enemy in charged:
        now = replace(enemy, combat=number)
        locked.append(replace(now, gone_to_ground=False) if isinstance(now, Squad) else now)
    tape.tell("{} are locked in combat", listed([member.name for member in (*chargers, *charged)]))
    for enemy in charged:
        if isinstance(enemy, Squad) and enemy.gone_to_ground:
            tape.tell("{} gets up again", enemy.name, clause="DL-20.1")
    return replace(
        work.with_units(*locked), state=replace(state.with_units(*locked), combats=max(state.combats, number))
    )


CHARGE = Action(
    "charge",
    "Charge",
    ChargeOrder,
    plan_charge,
    Procedure("charge", (charge_move, lock_in_combat)),
    measures=(pending.HP, pending.REMOVED),
    headline=pending.headline,
    closed=turn.closed_but_in("assault"),
    clauses=("DL-14.1", "DL-38.1"),
)


# --- fighting ---------------------------------------------------------------------------------------------------------


ExtraWounds = Annotated[
    int, Meta(ge=0, le=50, title="Wounds that special rules add to a result", extra={"clause": "DL-44.3"})
]


class FightOrder(Inputs, frozen=True):
    """A fight is fought; any unit in it names it, and extra wounds are those of its side and of the enemy's."""

    unit: str = asked("", "A unit in the fight", role="combat")
    extra_wounds: ExtraWounds = 0
    enemy_extra_wounds: ExtraWounds = 0
    hood: Hood = None
    null_zone: NullZone = None


@clause("DL-38.1")
def plan_fight(state: State, order: FightOrder) -> Plan:
    """Refuse units that are in no fight, or in one that has been fought in this phase."""
    need_assault_phase(state, "fights are fought in the Assault phase", "DL-38.1")
    waiting = (unit for unit in state.units if unit.combat and not unit.fought)
    turn.need_any(state, order.unit, waiting, "no fight is left to be fought in this phase", "DL-38.1")
    unit = state.find(order.unit)
    need(unit.combat, f"{unit.name} is in no fight", "DL-38.1", "combat")
    need(not unit.fought, f"the fight of {unit.name} has been fought in this phase", "DL-38.1", "fought")
    units = state.in_combat(unit.combat)
    squads = [squad for squad in units if isinstance(squad, Squad)]
    moves.need_hood(state, squads, order.hood)
    moves.need_null_zone(state, units, order.null_zone)
    return Plan(pending.begin_action, state, order)


def need_assault_phase(state: State, reason: str, clause_id: str) -> None:
    """Refuse what belongs to any Assault phase, of either side, in the other phases."""
    need(state.phase == "assault", reason, clause_id, "phase", at_all=True)


@clause("DL-38.1", "DL-63.1", "DL-44.1")
def strike_blows(tape: Tape, work: pending.PendingAction) -> pending.PendingAction:
    """Strike blows in order of Initiative, at models and at walkers, and apply what follows from them."""
    number = work.state.find(work.order.unit).combat
    work = fight_round(tape, work, number)
    done = [replace(unit, fought=True) for unit in work.state.units if unit.combat == number]
    return work.with_units(*done)


FIGHTING = Action(
    "fight",
    "Fight a round",
    FightOrder,
    plan_fight,
    Procedure("fight", (strike_blows,)),
    measures=pending.ATTACK_MEASURES,
    headline=pending.headline,
    closed=turn.refuse_over,
    clauses=("DL-38.1", "DL-44.1"),
)


# --- vehicles ---------------------------------------------------------------------------------------------------------


class VehicleAssaultOrder(ChargeOrder, frozen=True):
    """A unit assaults a vehicle that does not fight."""

    target: str = ENEMY_VEHICLE


@clause("DL-63.1")
def plan_vehicle_assault(state: State, order: VehicleAssaultOrder) -> Plan:
    """Refuse units that may not assault, targets that are no vehicles or fight, and charges that fall short."""
    turn.need_vehicle(state, order.target, state.enemy_of(state.active))
    unit = assaulting_unit(state, order.unit)
    target = turn.of_kind(Vehicle, state.find(order.target), "is no vehicle; charge it and fight")
    raise_if_refused(refuse_target(target.damage))
    need(not target.is_walker, f"{target.name} is a walker; charge it and fight", "DL-63.4", "walker")
    return _plan_charge_at(state, order, unit, target)


@clause("DL-63.1", "DL-63.4", "DL-63.5")
def strike_vehicle_hull(tape: Tape, work: pending.PendingMove) -> pending.PendingMove:
    """Strike at the vehicle, all at once, with weapons or with grenades."""
    unit = work.state.find(work.order.unit)
    if work.state.is_gone(unit):
        return work
    members = work.state.joined_units(unit) if isinstance(unit, Squad) else (unit,)
    charging = [replace(member, charged=True) for member in members]
    work = work.with_units(*charging)
    return attack_vehicle(tape, work, tuple(charging), work.order.target)


ASSAULT_VEHICLE = Action(
    "assault_vehicle",
    "Assault a vehicle",
    VehicleAssaultOrder,
    plan_vehicle_assault,
    Procedure("assault on a vehicle", (charge_move, strike_vehicle_hull)),
    measures=pending.ATTACK_MEASURES,
    headline=pending.headline,
    closed=turn.closed_but_in("assault"),
    clauses=("DL-63.1",),
)


# --- after the fight --------------------------------------------------------------------------------------------------


class HitAndRunOrder(Inputs, frozen=True):
    """A unit leaves its fight, in a direction where there is a board."""

    unit: str = asked("", "Unit", role="any troop")
    bearing: Heading | None = asked(None, "Direction", about="straight from the enemy if none")


@clause("DL-75.2")
def plan_hit_and_run(state: State, order: HitAndRunOrder) -> Plan:
    """Refuse units in no fight, in one not yet fought, or without the rule; they go at the end of any Assault phase."""
    need_assault_phase(state, "units hit and run in the Assault phase", "DL-75.2")
    unit = turn.of_kind(Squad, state.find(order.unit), "is a vehicle and does not hit and run")
    done = unit.combat and unit.fought and not unit.joined
    need(done, f"{unit.name} leaves a fight once it has been fought", "DL-75.2", "combat")
    members = state.joined_units(unit)
    raise_if_refused(refuse_hit_and_run(pending.combined_groups(members), state.rulings))
    return Plan(pending.begin_move, state, order, _path_out_of_fight(state, unit, members, order.bearing))


@clause("DL-75.2", "DL-0.1")
def _path_out_of_fight(state: State, unit: Squad, members: Sequence[Squad], given: float | None) -> MovePath:
    """Return the path of a unit out of its fight: as ordered, or as straight from the enemy as there is room."""
    inches = hit_and_run_inches()
    footprints = state.footprints(unit)
    if not footprints:
        return MovePath(inches, (("open", inches),))
    fighting = state.in_combat(unit.combat)
    enemies = state.footprints(*(enemy for enemy in fighting if enemy.side != unit.side))
    start = footprints[0].centre
    front = step(start, inward(state.field.home_edge(unit.side)), 1)  # where enemies are, if places are unknown
    if given is not None:
        bearings = [given]
    else:
        nearest = min(enemies, key=lambda enemy: gap(enemy, footprints[0])).centre if enemies else front
        bearings = [bearing(nearest, start) + aside for aside in TURNS]
    barred: Refused | None = None
    for towards in bearings:
        path = moves.straight_path(state, members, towards, inches)
        refused = path if isinstance(path, Refused) else _refuse_leaving(state, members, path, fighting)
        if isinstance(path, MovePath) and refused is None:
            return path
        barred = barred or refused
    assert barred is not None
    raise Refused(f"{barred.reason}; say another bearing=…", "DL-75.2", barred.kind)


def _refuse_leaving(
    state: State, members: Sequence[Squad], path: MovePath, fighting: Sequence[BattleUnit]
) -> Refused | None:
    foes = [enemy.name for enemy in fighting]
    room = moves.refuse_room(state, places_at_end(state, members, path))
    return room or moves.refuse_through(state, members, path, foes)


@clause("DL-75.2", "DL-14.2", "DL-SM-67.1")
def leave_fight(tape: Tape, work: pending.PendingMove) -> pending.PendingMove:
    """Let a unit leave its fight; what is dangerous on its path hurts it, as on any other."""
    members = work.state.joined_units(work.state.squad(work.order.unit))
    tape.tell("{} {} the fight and {} {}", *_leaving(members), inches_text(round(work.path.inches, 1)))
    work = hurt_by_terrain(
        tape, work.with_units(*(replace(member, combat=0) for member in members)), work.order.unit, work.path
    )
    members = work.state.joined_units(work.state.squad(work.order.unit))
    work = work.with_places(places_at_end(work.state, members, work.path))
    return spring_mines_on(tape, work, work.order.unit, work.path)


def _leaving(members: Sequence[Squad]) -> tuple[str, str, str]:
    names, leave = pending.subject(members, "leaves", "leave")
    return names, leave, "moves" if leave == "leaves" else "move"


HIT_AND_RUN = Action(
    "hit_and_run",
    "Hit and run",
    HitAndRunOrder,
    plan_hit_and_run,
    Procedure("hit and run", (leave_fight,)),
    closed=turn.refuse_over,
    clauses=("DL-75.2",),
)


class ConsolidateOrder(MoveOrder, frozen=True):
    """A victorious unit that is free moves a little, in its own turn or in the enemy's."""

    unit: str = asked("", "Unit", role="any unit")


@clause("DL-40.2")
def plan_consolidation(state: State, order: ConsolidateOrder) -> Plan:
    """Refuse units that have won no fight or are not free, and moves that are too long, barred, or without room."""
    need_assault_phase(state, "units consolidate in the Assault phase", "DL-40.2")
    unit = state.find(order.unit)
    won = unit.may_consolidate and not state.is_gone(unit)
    need(won, f"{unit.name} has won no fight that it could leave", "DL-40.2", "free")
    members = unit_and_characters(state, unit)

    def refuse(path: MovePath) -> Refused | None:
        if path.inches > consolidation():
            far = f"a unit consolidates {consolidation()} inches; got {inches_text(path.inches)}"
            return Refused(far, "DL-40.2", "distance")
        return moves.refuse_path_taken(state, members, path)

    path = moves.free_path(state, unit, order, consolidation(), refuse)
    return Plan(pending.begin_move, state, order, path)


@clause("DL-40.2", "DL-SM-67.1")
def consolidate_move(tape: Tape, work: pending.PendingMove) -> pending.PendingMove:
    """Move a free unit; no terrain slows or hurts it, but mines that lie hidden there do not care."""
    unit = work.state.find(work.order.unit)
    members = unit_and_characters(work.state, unit)
    verb = pending.subject(members, "consolidates", "consolidate")
    tape.tell("{} {} {}", *verb, inches_text(round(work.path.inches, 1)))
    work = work.with_units(*(replace(member, may_consolidate=False) for member in members))
    work = work.with_places(places_at_end(work.state, members, work.path))
    if isinstance(unit, Vehicle):
        return spring_mines_under(tape, work, unit.name, work.path)
    return spring_mines_on(tape, work, unit.name, work.path)


CONSOLIDATE = Action(
    "consolidate",
    "Consolidate",
    ConsolidateOrder,
    plan_consolidation,
    Procedure("consolidation", (consolidate_move,)),
    closed=turn.refuse_over,
    clauses=("DL-40.2",),
)
