"""Moving in a battle: `move`, `run`, `disengage` (leave a melee), `advance`, `leap`, `stand` and `drop_prone`."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal, get_args

from battletape.cards import Action, Plan, asked
from battletape.field import moves
from battletape.rulebook import Meta, Procedure, Refused, Tape, clause, need, raise_if_refused, replace
from battletape.rulesets.deathwatch.battle import attack, referee, start
from battletape.rulesets.deathwatch.battle.actions import horde, shoot, strike
from battletape.rulesets.deathwatch.battle.changes import change, move_to
from battletape.rulesets.deathwatch.battle.referee import (
    PendingTest,
    UnitOrder,
    active_fighter,
    card_of_test,
    test_target,
)
from battletape.rulesets.deathwatch.battle.state import State, moves_of
from battletape.rulesets.deathwatch.rules import movement
from battletape.rulesets.deathwatch.rules.attack import fighters
from battletape.rulesets.deathwatch.rules.attack.exchange import Exchange
from battletape.rulesets.deathwatch.rules.attack.fighters import Fighter, Mob, Unit
from battletape.rulesets.deathwatch.tables.sheet import parse_cover
from battletape.table.points import Point, nearer, step

GRAIN = 0.25
"""Metres by which a move towards something is shortened where there is no room."""


class WalkOrder(UnitOrder, frozen=True):
    """A unit goes straight to a place or towards something; the cover is what it stands behind at the end."""

    unwritten: ClassVar = ("towards", "metres")

    x: float = start.PLACE
    y: float = start.PLACE
    cover: str = asked("", "Cover at the end", "DW-COVER-2", about=": a material or its AP")
    hidden: tuple[str, ...] = asked((), "Places behind it", "DW-COVER-1", about="all if none is named")
    towards: str = asked("", "Towards this unit, terrain or objective, instead of to a place")
    metres: Annotated[float, Meta(ge=0, le=5000)] | None = asked(
        None, "At most, towards it (or as far as it may go)", unit="metres"
    )


class MoveOrder(WalkOrder, frozen=True):
    """A half or full move."""

    pace: referee.Pace = asked("half", referee.HALF_OR_FULL, "DW-ACT-MOVE")


class LeapOrder(WalkOrder, frozen=True):
    """A leap to a place."""

    by: Literal["agility", "strength"] = asked("agility", "By which test")
    modifier: int = referee.HOW_HARD


@clause("DW-MOVE-1")
def goal_of(state: State, unit: Unit, order: WalkOrder, most: float | Fraction) -> Point:
    """Return where a move of at most so many metres goes: to its place, or towards something until the two touch."""
    if not order.towards.strip():
        return Point(order.x, order.y)
    there, bases = moves.destination(state.field, order.towards, "DW-MOVE-1"), state.field.position(unit.name).bases
    far = there.inches_from(bases)
    need(there.name != unit.name and far > 0, f"{unit.name} is there already", "DW-MOVE-1", "near")

    def goal_after(metres: float) -> Point:
        return there.paths_from(bases, metres)[0][-1]

    def refused(metres: float) -> Refused | None:
        return referee.refuse_way(state.field, unit, goal_after(metres))

    wanted = min(far, float(most) if order.metres is None else order.metres)
    if referee.has_bounds(state.field):
        wanted = moves.farthest(wanted, refused, GRAIN) or wanted
    return goal_after(wanted)


@clause("DW-OVER-2", "DW-COND-ENGAGED", "DW-COVER-1")
def walk(
    tape: Tape, state: State, unit: Unit, goal: Point, cover: fighters.Cover, entering: fighters.Cover | None = None
) -> State:
    """Put a unit at its new place, where overwatch may fire at it: in its new cover, or in that it counts as having."""
    start, state = state.at(unit), move_to(tape, state, unit, goal, cover)
    return shoot.enter_kill_zones(tape, state, unit, start, cover if entering is None else entering)


# --- move and run -----------------------------------------------------------------------------------------------------


@clause("DW-ACT-MOVE", "DW-ACT-RUN", "DW-COND-PRONE")
def plan_walk(state: State, order: WalkOrder) -> Plan:
    """Refuse places that the gait does not reach, and more than a crawl to the prone."""
    action = f"Move ({order.pace})" if isinstance(order, MoveOrder) else "Run"
    unit = referee.able_unit(state, order, action)
    cover = parse_cover(order.cover, order.hidden)
    gait: movement.Gait = order.pace if isinstance(order, MoveOrder) else "run"
    may_go = not (isinstance(unit, Fighter) and unit.conditions.prone) or gait == "half"
    need(may_go, f"{unit.name} is prone; stand first, or crawl a half move", "DW-COND-PRONE", "prone")
    reach = moves_of(state, unit)
    goal = goal_of(state, unit, order, reach._asdict()[gait])
    raise_if_refused(movement.refuse_move(state.metres(unit, goal), gait, reach))
    raise_if_refused(referee.refuse_way(state.field, unit, goal))
    plan = Plan(begin_walk, state, unit, goal, order=replace(order, unit=unit.name))
    return plan.then(end_walk, state, unit.name, action, goal, cover)


@clause("DW-ACT-DISENGAGE")
def begin_walk(tape: Tape, state: State, unit: Unit, goal: Point) -> Exchange:
    """Let every enemy that is left in melee without disengaging strike once."""
    enemies = (enemy for enemy in map(state.find, unit.engaged_with) if not enemy.is_out)
    left = [enemy for enemy in enemies if not state.is_adjacent(goal, enemy)]
    blows = []
    for enemy in (enemy for enemy in left if not enemy.surprised):
        if isinstance(enemy, Mob) and isinstance(unit, Fighter):
            blows.append(horde.declare_mob_attack(state, enemy, unit, horde.weapon_of(enemy, "", True)))
        elif isinstance(enemy, Fighter) and not enemy.conditions.stunned and not enemy.grappled_with:
            blows.append(strike.declare_strike(state, enemy, strike.blade_at_hand(enemy), unit))
    return attack.exchange_of(tape, state, unit, blows, (unit, *left))


@clause("DW-ACT-MOVE", "DW-ACT-RUN")
def end_walk(
    tape: Tape, exchange: Exchange, state: State, name: str, action: str, goal: Point, cover: fighters.Cover
) -> State:
    """Let the unit go, unless a free attack stopped it."""
    state = referee.end_attack(tape, exchange, state, name, action)
    unit = state.find(name)
    if unit.is_out or (isinstance(unit, Fighter) and unit.conditions.stunned):
        return state
    if action == "Run":
        unit = unit.with_done(running=True)
        state = change(tape, state, unit)
    return walk(tape, state, unit, goal, cover)


# --- disengage, advance, leap, stand ----------------------------------------------------------------------------------


@clause("DW-ACT-DISENGAGE")
def plan_disengaging(state: State, order: WalkOrder) -> Plan:
    """Refuse fighters in no melee, and places farther than a half move."""
    fighter = referee.acting_fighter(state, order, "Disengage", "disengage")
    reach, cover = moves_of(state, fighter), parse_cover(order.cover, order.hidden)
    goal = goal_of(state, fighter, order, reach.half)
    raise_if_refused(
        movement.refuse_disengage(state.metres(fighter, goal), reach, bool(fighter.engaged_with)),
        referee.refuse_way(state.field, fighter, goal),
    )
    full = replace(order, unit=fighter.name)
    return Plan(go_and_spend, state, fighter.name, "Disengage", goal, cover, cover, order=full)


@clause("DW-ACT-DISENGAGE", "DW-ACT-TACTICAL-ADVANCE")
def go_and_spend(
    tape: Tape, state: State, name: str, action: str, goal: Point, cover: fighters.Cover, entering: fighters.Cover
) -> State:
    """Note the action, and put the fighter at its new place; overwatch finds it `entering` in this cover."""
    state = referee.spend(tape, state, name, action)
    return walk(tape, state, state.find(name), goal, cover, entering)


@clause("DW-ACT-TACTICAL-ADVANCE", "DW-COND-PRONE")
def plan_advance(state: State, order: WalkOrder) -> Plan:
    """Refuse fighters that are prone or in melee, and ways that do not lead from cover to cover."""
    fighter = referee.acting_fighter(state, order, "Tactical Advance", "advance from cover to cover")
    referee.need_standing(fighter)
    engaged = f"{fighter.name} is in melee; disengage instead"
    need(not fighter.engaged_with, engaged, "DW-ACT-DISENGAGE", "engaged")
    cover, reach = parse_cover(order.cover, order.hidden), moves_of(state, fighter)
    goal, left = goal_of(state, fighter, order, reach.full), (fighter.cover_ap, fighter.hidden)
    raise_if_refused(
        movement.refuse_advance(state.metres(fighter, goal), reach, fighter.cover_ap > 0, cover[0] > 0),
        referee.refuse_way(state.field, fighter, goal),
    )
    full = replace(order, unit=fighter.name)
    return Plan(go_and_spend, state, fighter.name, "Tactical Advance", goal, cover, left, order=full)


@clause("DW-ACT-JUMP-OR-LEAP")
def plan_leap(state: State, order: LeapOrder) -> Plan:
    """Refuse fighters that are prone, and leaps farther than a full move."""
    fighter = referee.acting_fighter(state, order, "Jump or Leap", "leap")
    referee.need_standing(fighter)
    most, cover = moves_of(state, fighter).full, parse_cover(order.cover, order.hidden)
    goal = goal_of(state, fighter, order, most)
    metres = state.metres(fighter, goal)
    need(
        metres <= most, f"a leap goes no farther than a full move of {most} m, not {metres:g} m", "DW-ACT-JUMP-OR-LEAP"
    )
    raise_if_refused(referee.refuse_place(state.field, fighter, goal))
    attempt = PendingTest(fighter.name, test_target(state, fighter, order.by) + order.modifier, "leap", state.rulings)
    full = replace(order, unit=fighter.name)
    return Plan(referee.begin_attempt, attempt, order=full).then(end_leap, state, goal, cover)


@clause("DW-ACT-JUMP-OR-LEAP")
def leap(tape: Tape, test: PendingTest) -> PendingTest:
    """Leap all the way, or not at all."""
    return referee.attempt(tape, test)


@clause("DW-ACT-JUMP-OR-LEAP")
def end_leap(tape: Tape, test: PendingTest, state: State, goal: Point, cover: fighters.Cover) -> State:
    """Put the fighter where its leap ends, if the test has succeeded."""
    state = referee.spend(tape, state, test.name, "Jump or Leap")
    return walk(tape, state, state.find(test.name), goal, cover) if test.passed else state


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


def approaches(state: State) -> Iterator[dict[str, Any]]:
    """Yield a move towards each enemy and each objective."""
    unit = referee.active_unit(state)
    if unit is not None:
        enemies = (enemy.name for enemy in state.enemies_of(unit.side))
        for name in (*enemies, *(objective.name for objective in state.field.objectives)):
            yield {"unit": unit.name, "towards": name}


def _ways_out_of_melee(state: State) -> Iterator[WalkOrder]:
    fighter = active_fighter(state)
    if fighter is not None and fighter.engaged_with:
        here, enemy = state.at(fighter), state.at(state.find(fighter.engaged_with[0]))
        heading = state.bearing(enemy, here)
        end = nearer(here, step(here, heading, moves_of(state, fighter).half))
        yield WalkOrder(unit=fighter.name, x=end.x, y=end.y)


def _advances(state: State) -> Iterator[WalkOrder]:
    fighter = active_fighter(state)
    if fighter is not None and fighter.cover_ap:
        for order in approaches(state):
            yield WalkOrder(**order, cover=str(fighter.cover_ap), hidden=fighter.hidden)


MOVE = Action(
    "move",
    "Move",
    MoveOrder,
    plan_walk,
    options=lambda state: (
        MoveOrder(**order, pace=pace) for pace in get_args(referee.Pace) for order in approaches(state)
    ),
    clauses=referee.clauses_of("move", "DW-MOVE-1", "DW-ACT-DISENGAGE"),
    **referee.ATTACKING,
)
RUN = Action(
    "run",
    "Run",
    WalkOrder,
    plan_walk,
    options=lambda state: (WalkOrder(**order) for order in approaches(state)),
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
    options=lambda state: (LeapOrder(**order) for order in list(approaches(state))[:1] if active_fighter(state)),
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
