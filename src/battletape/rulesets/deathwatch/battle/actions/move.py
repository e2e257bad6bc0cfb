"""Moving in a battle: `move`, `run`, `disengage` (leave a melee), `advance`, `leap`, `stand` and `drop_prone`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, get_args

from battletape.cards import Action, Plan, asked
from battletape.rulebook import Procedure, Tape, clause, need, raise_if_refused, replace
from battletape.rulesets.deathwatch.battle import attack, referee, start
from battletape.rulesets.deathwatch.battle.actions import horde, shoot, strike
from battletape.rulesets.deathwatch.battle.changes import change
from battletape.rulesets.deathwatch.battle.referee import (
    PendingTest,
    UnitOrder,
    active_fighter,
    card_of_test,
    test_target,
)
from battletape.rulesets.deathwatch.battle.state import (
    State,
    distance,
    is_adjacent,
    moved,
    moves_of,
    point_along,
    steps,
)
from battletape.rulesets.deathwatch.rules import movement
from battletape.rulesets.deathwatch.rules.attack.exchange import Exchange
from battletape.rulesets.deathwatch.rules.attack.fighters import Fighter, Mob, Unit
from battletape.rulesets.deathwatch.tables.sheet import parse_cover
from battletape.table import points


class WalkOrder(UnitOrder, frozen=True):
    """A unit goes in a straight line; the cover is what it stands behind at the end."""

    x: float = start.PLACE
    y: float = start.PLACE
    cover: str = asked("", "Cover at the end", "DW-COVER-2", about=": a material or its AP")
    hidden: tuple[str, ...] = asked((), "Places behind it", "DW-COVER-1", about="all if none is named")


class MoveOrder(WalkOrder, frozen=True):
    """A half or full move."""

    pace: referee.Pace = asked("half", referee.HALF_OR_FULL, "DW-ACT-MOVE")


class LeapOrder(WalkOrder, frozen=True):
    """A leap to a place."""

    by: Literal["agility", "strength"] = asked("agility", "By which test")
    modifier: int = referee.HOW_HARD


@clause("DW-OVER-2", "DW-COND-ENGAGED", "DW-COVER-1")
def walk(tape: Tape, state: State, unit: Unit, order: WalkOrder, is_covered: bool = False) -> State:
    """Put a unit at its new place, where overwatch may fire; `is_covered`: it still counts as in the cover it left."""
    ap, hidden = parse_cover(order.cover, order.hidden)
    after = moved(unit, order, cover_ap=ap, hidden=hidden)
    cover = (unit.cover_ap, unit.hidden) if is_covered and isinstance(unit, Fighter) else (ap, hidden)
    return shoot.enter_kill_zones(tape, change(tape, state, after), after, steps(unit, order), *cover)


# --- move and run -----------------------------------------------------------------------------------------------------


@clause("DW-ACT-MOVE", "DW-ACT-RUN", "DW-COND-PRONE")
def plan_walk(state: State, order: WalkOrder) -> Plan:
    """Refuse places that the gait does not reach, and more than a crawl to the prone."""
    action = f"Move ({order.pace})" if isinstance(order, MoveOrder) else "Run"
    unit = referee.able_unit(state, order, action)
    parse_cover(order.cover, order.hidden)  # which must be known
    gait: movement.Gait = order.pace if isinstance(order, MoveOrder) else "run"
    may_go = not (isinstance(unit, Fighter) and unit.conditions.prone) or gait == "half"
    need(may_go, f"{unit.name} is prone; stand first, or crawl a half move", "DW-COND-PRONE", "prone")
    raise_if_refused(movement.refuse_move(distance(unit, order), gait, moves_of(state, unit)))
    full = replace(order, unit=unit.name)
    return Plan(begin_walk, state, unit, full, order=full).then(end_walk, state, unit.name, action, full)


@clause("DW-ACT-DISENGAGE")
def begin_walk(tape: Tape, state: State, unit: Unit, order: WalkOrder) -> Exchange:
    """Let every enemy that is left in melee without disengaging strike once."""
    left = [enemy for enemy in map(state.find, unit.engaged_with) if not is_adjacent(order, enemy) and not enemy.is_out]
    blows = []
    for enemy in (enemy for enemy in left if not enemy.surprised):
        if isinstance(enemy, Mob) and isinstance(unit, Fighter):
            blows.append(horde.declare_mob_attack(state, enemy, unit, horde.weapon_of(enemy, "", True)))
        elif isinstance(enemy, Fighter) and not enemy.conditions.stunned and not enemy.grappled_with:
            blows.append(strike.declare_strike(state, enemy, strike.blade_of(enemy), unit))
    return attack.exchange_of(state, unit, blows, (unit, *left))


@clause("DW-ACT-MOVE", "DW-ACT-RUN")
def end_walk(tape: Tape, exchange: Exchange, state: State, name: str, action: str, order: WalkOrder) -> State:
    """Let the unit go, unless a free attack stopped it."""
    state = referee.end_attack(tape, exchange, state, name, action)
    unit = state.find(name)
    if unit.is_out or (isinstance(unit, Fighter) and unit.conditions.stunned):
        return state
    if action == "Run":
        unit = replace(unit, running=True)
        state = change(tape, state, unit)
    return walk(tape, state, unit, order)


# --- disengage, advance, leap, stand ----------------------------------------------------------------------------------


@clause("DW-ACT-DISENGAGE")
def plan_disengaging(state: State, order: WalkOrder) -> Plan:
    """Refuse fighters in no melee, and places farther than a half move."""
    fighter = referee.acting_fighter(state, order, "Disengage", "disengage")
    metres = distance(fighter, order)
    raise_if_refused(movement.refuse_disengage(metres, moves_of(state, fighter), bool(fighter.engaged_with)))
    return _plan_going(state, fighter, order, "Disengage")


def _plan_going(state: State, fighter: Fighter, order: WalkOrder, action: str, is_covered: bool = False) -> Plan:
    full = replace(order, unit=fighter.name)
    return Plan(go_and_spend, state, fighter.name, action, full, is_covered, order=full)


@clause("DW-ACT-DISENGAGE", "DW-ACT-TACTICAL-ADVANCE")
def go_and_spend(tape: Tape, state: State, name: str, action: str, order: WalkOrder, is_covered: bool) -> State:
    """Note the action, and put the fighter at its new place."""
    state = referee.spend(tape, state, name, action)
    return walk(tape, state, state.find(name), order, is_covered)


@clause("DW-ACT-TACTICAL-ADVANCE", "DW-COND-PRONE")
def plan_advance(state: State, order: WalkOrder) -> Plan:
    """Refuse fighters that are prone or in melee, and ways that do not lead from cover to cover."""
    fighter = referee.acting_fighter(state, order, "Tactical Advance", "advance from cover to cover")
    referee.need_standing(fighter)
    engaged = f"{fighter.name} is in melee; disengage instead"
    need(not fighter.engaged_with, engaged, "DW-ACT-DISENGAGE", "engaged")
    reaches, metres = parse_cover(order.cover, order.hidden)[0] > 0, distance(fighter, order)
    raise_if_refused(movement.refuse_advance(metres, moves_of(state, fighter), fighter.cover_ap > 0, reaches))
    return _plan_going(state, fighter, order, "Tactical Advance", is_covered=True)


@clause("DW-ACT-JUMP-OR-LEAP")
def plan_leap(state: State, order: LeapOrder) -> Plan:
    """Refuse fighters that are prone, and leaps farther than a full move."""
    fighter = referee.acting_fighter(state, order, "Jump or Leap", "leap")
    referee.need_standing(fighter)
    most, metres = moves_of(state, fighter).full, distance(fighter, order)
    need(
        metres <= most, f"a leap goes no farther than a full move of {most} m, not {metres:g} m", "DW-ACT-JUMP-OR-LEAP"
    )
    attempt = PendingTest(fighter.name, test_target(state, fighter, order.by) + order.modifier, "leap", state.rules)
    full = replace(order, unit=fighter.name)
    return Plan(referee.begin_attempt, attempt, order=full).then(end_leap, state, full)


@clause("DW-ACT-JUMP-OR-LEAP")
def leap(tape: Tape, test: PendingTest) -> PendingTest:
    """Leap all the way, or not at all."""
    return referee.attempt(tape, test)


@clause("DW-ACT-JUMP-OR-LEAP")
def end_leap(tape: Tape, test: PendingTest, state: State, order: LeapOrder) -> State:
    """Put the fighter where its leap ends, if the test has succeeded."""
    state = referee.spend(tape, state, test.name, "Jump or Leap")
    return walk(tape, state, state.find(test.name), order) if test.passed else state


@clause("DW-ACT-STAND-MOUNT")
def plan_standing(state: State, order: UnitOrder) -> Plan:
    """Refuse fighters that are not prone; getting up is a Half Action, after some critical wounds a Full one."""
    unit = referee.acting_unit(state, order.unit)
    slow = isinstance(unit, Fighter) and unit.conditions.stand_is_full
    action = "Stand/Mount (full)" if slow else "Stand/Mount"
    fighter = referee.acting_fighter(state, order, action, "get up")
    referee.need_condition(fighter, "prone", "is not prone", "DW-ACT-STAND-MOUNT", "prone")
    full = replace(order, unit=fighter.name)
    return Plan(set_conditions, state, fighter.name, action, {"prone": False, "stand_is_full": False}, order=full)


@clause("DW-COND-PRONE", "DW-PIN-1")
def plan_dropping_prone(state: State, order: UnitOrder) -> Plan:
    """Refuse fighters that are prone already."""
    fighter = referee.acting_fighter(state, order, "Drop Prone", "drop prone")
    need(not fighter.conditions.prone, f"{fighter.name} is prone already", "DW-COND-PRONE", "prone")
    full = replace(order, unit=fighter.name)
    return Plan(set_conditions, state, fighter.name, "Drop Prone", {"prone": True}, order=full)


@clause("DW-COND-PRONE", "DW-ACT-STAND-MOUNT")
def set_conditions(tape: Tape, state: State, name: str, action: str, conditions: dict[str, Any]) -> State:
    """Note the action, after which these conditions of the fighter hold."""
    state = referee.spend(tape, state, name, action)
    return change(tape, state, state.fighter(name).with_conditions(**conditions))


# --- cards ------------------------------------------------------------------------------------------------------------


def approaches(state: State, gait: movement.Gait) -> Iterator[dict[str, Any]]:
    """Yield a place towards each enemy, as far as this gait goes or right up to it."""
    unit = referee.active_unit(state)
    if unit is None:
        return
    most = float(getattr(moves_of(state, unit), gait))
    for enemy in state.enemies_of(unit.side):
        metres = min(most, max(0.0, points.apart(unit, enemy) - 1))
        end = point_along(unit, enemy, int(metres * 1000) / 1000)
        if points.apart(unit, end) <= most:
            yield {"unit": unit.name, "x": end.x, "y": end.y}


def _ways_out_of_melee(state: State) -> Iterator[WalkOrder]:
    fighter = active_fighter(state)
    if fighter is not None and fighter.engaged_with:
        enemy = state.find(fighter.engaged_with[0])
        end = point_along(fighter, points.between(enemy, fighter, 2), float(moves_of(state, fighter).half) - 0.01)
        yield WalkOrder(unit=fighter.name, x=end.x, y=end.y)


def _advances(state: State) -> Iterator[WalkOrder]:
    fighter = active_fighter(state)
    if fighter is not None and fighter.cover_ap:
        yield from (
            WalkOrder(**end, cover=str(fighter.cover_ap), hidden=fighter.hidden) for end in approaches(state, "full")
        )


MOVE = Action(
    "move",
    "Move",
    MoveOrder,
    plan_walk,
    options=lambda state: (
        MoveOrder(**end, pace=pace) for pace in get_args(referee.Pace) for end in approaches(state, pace)
    ),
    clauses=referee.clauses_of("move", "DW-MOVE-1", "DW-ACT-DISENGAGE"),
    **referee.ATTACKING,
)
RUN = Action(
    "run",
    "Run",
    WalkOrder,
    plan_walk,
    options=lambda state: (WalkOrder(**end) for end in approaches(state, "run")),
    clauses=referee.clauses_of("run", "DW-MOVE-1"),
    **referee.ATTACKING,
)
DISENGAGE = Action(
    "disengage",
    "Leave a melee",
    WalkOrder,
    plan_disengaging,
    options=_ways_out_of_melee,
    clauses=referee.clauses_of("disengage"),
)
ADVANCE = Action(
    "advance",
    "Advance from cover to cover",
    WalkOrder,
    plan_advance,
    options=_advances,
    clauses=referee.clauses_of("advance"),
)
LEAP = Action(
    "leap",
    "Leap",
    LeapOrder,
    plan_leap,
    options=lambda state: (LeapOrder(**end) for end in list(approaches(state, "half"))[:1] if active_fighter(state)),
    clauses=referee.clauses_of("leap"),
    **card_of_test(Procedure("leap", (leap,)), "The leap succeeds", "The leap succeeds"),
)
STAND = Action("stand", "Get up", UnitOrder, plan_standing, clauses=referee.clauses_of("stand"))
DROP_PRONE = Action(
    "drop_prone",
    "Drop prone",
    UnitOrder,
    plan_dropping_prone,
    clauses=referee.clauses_of("drop_prone", "DW-COND-PRONE", "DW-PIN-1"),
)
