"""The Movement phase: `move` a model, `move_unit`, and `beat_out` the flames on a burning model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from battletape import rulebook
from battletape.cards import Action, Inputs, Measure, Plan, asked, percent
from battletape.rulebook import (
    Procedure,
    Refused,
    Tape,
    clause,
    inches,
    listed,
    need,
    plural,
    raise_if_refused,
    replace,
)
from battletape.rulesets.second_edition.battle import turn
from battletape.rulesets.second_edition.battle.actions._orders import Where, enemies, own_models
from battletape.rulesets.second_edition.battle.state import Fighter, State, after_hits, distance_of
from battletape.rulesets.second_edition.rules.blasts import NO_HITS, HitResults
from battletape.rulesets.second_edition.rules.clouds import MarkerTest, find_entering_models, hit_covered_models
from battletape.rulesets.second_edition.rules.fire import HELP_INCHES, beat_out, refuse_help
from battletape.rulesets.second_edition.rules.measures import HARM_MEASURES
from battletape.table.bases import Base
from battletape.table.board import Board, is_on_board
from battletape.table.distances import overlaps
from battletape.table.points import TOLERANCE, Point, apart, bearing, step, towards

ModelMove = tuple[Fighter, Point]
"""A model and the place where it goes."""


class MoveOrder(Inputs, frozen=True):
    """A model moves to a place."""

    unit: str = asked("", "Model that moves")
    x: Where = asked(0.0, "Inches east")
    y: Where = asked(0.0, "Inches north")


class MoveUnitOrder(Inputs, frozen=True):
    """A whole unit moves on a heading."""

    unit: str = asked("", "Unit that moves")
    heading: float = asked(0.0, unit="degrees", ge=0, le=360)
    far: float = asked(4.0, "How far", unit="inches", ge=0, le=48)


class PendingMove(rulebook.State, frozen=True):
    """Models that have moved, and the markers that they moved under, one after another."""

    state: State
    markers_entered: tuple[MarkerTest, ...]
    results: HitResults = NO_HITS


# --- moving ----------------------------------------------------------------------------------------------------------


def plan_move(state: State, order: MoveOrder) -> Plan:
    """Refuse a move of a model that may not move now, too far, or to where it cannot stand."""
    fighter = turn.acting_model(state, order.unit, "movement")
    raise_if_refused(turn.refuse_by_fire(state, fighter, "move"))
    goal = Point(order.x, order.y)
    need_way(state, fighter, goal)
    return Plan(move_models, state, [(fighter, goal)]).then(end_move)


@clause("SE-10", "SE-39")
def need_way(state: State, fighter: Fighter, goal: Point, *along: str) -> None:
    """Refuse a model that has moved, or that does not get there; models that move along are not in the way."""
    need(not fighter.moved, f"{fighter.name} has moved in this turn; wait for the next", "SE-117", "moved")
    here = fighter.place
    lost = f"{fighter.name} has no place on the table to move from; name distances when it shoots"
    need(here is not None, lost, "SE-10", "place")
    if here is not None:
        distance = apart(here, goal)
        there = f"({goal.x:g}, {goal.y:g}) is {inches(round(distance, 2))} away"
        most = f"{there}; {fighter.name} moves {inches(fighter.move)} at most"
        need(distance <= fighter.move + TOLERANCE, most, "SE-117", "far")
    raise_if_refused(refuse_place(state, fighter, Base(goal, fighter.radius), *along))


@clause("SE-10", "SE-39")
def refuse_place(state: State, fighter: Fighter, base: Base, *along: str) -> Refused | None:
    """Refuse a place over the edge of the table, or in the base of another model."""
    if not is_on_board(state.board, base):
        table = f"{state.board.width:g} by {state.board.depth:g} inches"
        reason = f"{fighter.name} would stand over the edge of the table, which is {table}"
        return Refused(f"{reason}; choose a place inside", "SE-10", "board")
    for other in state.standing():
        if other.base is not None and other.name not in (fighter.name, *along) and overlaps(base, other.base):
            room = f"{base.radius + other.radius:.2f} inches between their middles would do"
            return Refused(f"{fighter.name} would stand in the base of {other.name}; {room}", "SE-10", "base")
    return None


@clause("SE-117")
def plan_unit_move(state: State, order: MoveUnitOrder) -> Plan:
    """Refuse a move that one of the models cannot make; those that burn or were just put out stay behind."""
    turn.need_phase(state, "movement")
    squad = turn.find_squad(state, order.unit)
    turn.need_turn(state, squad[0])
    standing = [fighter for fighter in squad if not fighter.is_gone]
    need(standing, f"{squad[0].unit} has fallen", "SE-24", "gone")
    fit = [fighter for fighter in standing if turn.refuse_by_fire(state, fighter, "move") is None]
    able = [fighter for fighter in fit if not fighter.moved]
    if not able:
        raise_if_refused(turn.refuse_by_fire(state, standing[0], "move"))
        need(False, f"{squad[0].unit} has moved in this turn; wait for the next", "SE-117", "moved")
    along, ways = [fighter.name for fighter in able], []
    for fighter in able:
        goal = step(fighter.place, order.heading, order.far) if fighter.place is not None else Point(0.0, 0.0)
        need_way(state, fighter, goal, *along)
        ways.append((fighter, goal))
    return Plan(move_models, state, ways).then(end_move)


@clause("SE-10", "SE-80", "SE-117")
def move_models(tape: Tape, state: State, ways: Sequence[ModelMove]) -> PendingMove:
    """Move some models, and find every marker that they move under."""
    for fighter, goal in ways:
        tape.tell(move_line, fighter.name, fighter.place, goal)
    after = state.with_models(*(replace(fighter, place=goal, moved=True) for fighter, goal in ways))
    movers, entered = {fighter.name for fighter, _ in ways}, []
    for placed_marker in state.markers:
        before = {figure.name for figure in turn.figures_under(state, placed_marker)}
        new = tuple(
            figure
            for figure in turn.figures_under(after, placed_marker)
            if figure.name in movers and figure.name not in before
        )
        if new and turn.is_harmful(placed_marker):
            entered.append(
                MarkerTest(
                    placed_marker.marker, new, enters=True, placed=True, rulings=state.rules, name=placed_marker.name
                )
            )
    return PendingMove(after, tuple(entered))


def move_line(name: str, here: Point | None, there: Point) -> str:
    """Say where a model moves, and how far."""
    far = f" {inches(round(apart(here, there), 2))}" if here is not None else ""
    return f"{name} moves{far} to {there.x:.1f}, {there.y:.1f}"


@clause("SE-80")
def enter_marker(tape: Tape, pending: PendingMove) -> PendingMove:
    """Hit the models that moved under a marker, where it is ruled so; those hurt by one meet the next as they are."""
    first, *rest = pending.markers_entered
    hurt = {record.name: record.state for record in pending.results.records}
    figures = tuple(replace(figure, state=hurt.get(figure.name) or figure.state) for figure in first.figures)
    test = tape.call(find_entering_models, replace(first, figures=figures))
    test = tape.call(hit_covered_models, test)
    return PendingMove(pending.state, tuple(rest), HitResults((*pending.results.records, *test.results.records)))


def move_stages(pending: PendingMove) -> Procedure:
    """Return a stage for every marker that models moved under."""
    return Procedure("move", (enter_marker,) * len(pending.markers_entered))


def end_move(tape: Tape, pending: PendingMove) -> State:
    """Keep what the markers did to the models."""
    return after_hits(pending.state, pending.results)


def propose_moves(state: State) -> Iterator[MoveOrder]:
    """Propose a full move towards the nearest enemy, at most into base contact, and half a move."""
    for fighter in own_models(state):
        places = [(enemy, enemy.place) for enemy in enemies(state) if enemy.place is not None]
        if fighter.place is None or not places:
            continue
        enemy, goal = min(places, key=lambda pair: distance_of(state, fighter, pair[0]) or 0.0)
        gap = max(0.0, apart(fighter.place, goal) - fighter.radius - enemy.radius)
        for far in dict.fromkeys(min(share * fighter.move, gap) for share in (1.0, 0.5)):
            spot = towards(fighter.place, goal, far - 0.01)
            yield MoveOrder(unit=fighter.name, x=round(spot.x, 2), y=round(spot.y, 2))


def propose_unit_moves(state: State) -> Iterator[MoveUnitOrder]:
    """Propose a full move towards the nearest enemy for each unit of which all models have moved, or none."""
    for unit in dict.fromkeys(fighter.unit for fighter in own_models(state)):
        squad = [fighter for fighter in state.squad(unit) if fighter.place is not None and not fighter.is_gone]
        places = [enemy.place for enemy in enemies(state) if enemy.place is not None]
        if squad and places and len({fighter.moved for fighter in squad}) == 1:
            here = squad[0].place
            assert here is not None
            goal = min(places, key=lambda place: apart(here, place))
            yield MoveUnitOrder(
                unit=unit, heading=round(bearing(here, goal), 1), far=min(squad[0].move, apart(here, goal))
            )


MOVE = Action(
    "move",
    "Move a model",
    MoveOrder,
    plan_move,
    move_stages,
    options=propose_moves,
    measures=HARM_MEASURES,
    clauses=("SE-117", "SE-80"),
)
MOVE_UNIT = Action(
    "move_unit",
    "Move a unit",
    MoveUnitOrder,
    plan_unit_move,
    move_stages,
    options=propose_unit_moves,
    measures=HARM_MEASURES,
    clauses=("SE-117", "SE-80"),
)

# --- beating out the flames ------------------------------------------------------------------------------------------


class HelpOrder(Inputs, frozen=True):
    """Some models move to a burning friend and beat out the flames."""

    unit: str = asked("", "Burning model")
    helpers: tuple[str, ...] = asked((), "Models that help")


class PendingHelp(rulebook.State, frozen=True):
    """An attempt to beat out flames: the battle with the helpers in place, and how many there are."""

    state: State
    helpers: int
    out: bool = False


@clause("SE-92", "SE-93", "SE-94")
def plan_help(state: State, order: HelpOrder) -> Plan:
    """Refuse help where nothing burns, helpers that cannot come near, and a second try in the same turn."""
    burning = turn.acting_model(state, order.unit, "movement")
    raise_if_refused(refuse_help(0.0, burning.is_burning))
    tried = f"the flames on {burning.name} were beaten in this turn; try again in the next"
    need(not burning.beating_tried, tried, "SE-93", "beaten")
    helpers = [state.fighter(name) for name in order.helpers]
    names = [helper.name for helper in helpers]
    got = ", ".join(names) or "none"
    once = f"helpers must be one or more models, each named once; got {got}"
    need(names and len(set(names)) == len(names), once, "SE-92", "helpers")
    raise_if_refused(*(refuse_helper(state, burning, helper) for helper in helpers))
    places = {} if burning.place is None else beside(state, burning, helpers)
    if burning.place is not None:
        room = f"there is no room for {plural(len(names), 'helper')} beside {burning.name}"
        fewer = f"{len(places)} would do" if places else "not even for one"
        need(len(places) == len(names), f"{room}; {fewer}" if places else f"{room}, {fewer}", "SE-92", "room")
    return Plan(come_to_help, state, helpers, places).then(end_help, burning)


@clause("SE-92")
def refuse_helper(state: State, burning: Fighter, helper: Fighter) -> Refused | None:
    """Refuse a helper that is the burning model or an enemy, that may do nothing now, or that cannot come near."""
    if helper.name == burning.name:
        return Refused(f"{helper.name} cannot beat out its own flames; name a friend", "SE-92", "side")
    if helper.side != burning.side:
        return Refused(f"{helper.name} is an enemy of {burning.name}; name a friend", "SE-92", "side")
    if helper.is_gone:
        return Refused(f"{helper.name} has fallen", "SE-24", "gone")
    refused = turn.refuse_by_fire(state, helper, "help")
    if refused is not None:
        return refused
    if helper.helped:
        return Refused(f"{helper.name} has helped in this turn already; name another", "SE-92", "helped")
    gap = distance_of(state, burning, helper)
    if gap is None:
        return None
    reach = 0.0 if helper.moved else helper.move
    return refuse_help(max(0.0, gap - reach), True)


@clause("SE-92")
def beside(state: State, burning: Fighter, helpers: Sequence[Fighter]) -> dict[str, Point]:
    """Return the places of helpers within an inch, each by the shortest way that is free, until one finds none."""
    placed: dict[str, Point] = {}
    bases = list(state.bases_on_table(*(helper.name for helper in helpers)))
    for helper in helpers:
        spot = _spot_beside(state.board, burning, helper, bases)
        if spot is None:
            break
        placed[helper.name] = spot
        bases.append(Base(spot, helper.radius))
    return placed


def _spot_beside(board: Board, burning: Fighter, helper: Fighter, bases: Sequence[Base]) -> Point | None:
    """Return the nearest free place within an inch of a burning model that a helper reaches."""
    here, there = helper.place, burning.place
    if here is None or there is None:
        return here
    rims, reach = burning.radius + helper.radius, 0.0 if helper.moved else helper.move
    ways = [here] if apart(here, there) <= rims + HELP_INCHES + TOLERANCE else []
    ahead = 0.0 if here == there else bearing(there, here)
    around = [step(there, ahead + turn, rims + HELP_INCHES) for turn in range(0, 360, 15)]
    ways += sorted(around, key=lambda spot: apart(here, spot))
    for spot in ways:
        base = Base(spot, helper.radius)
        free = is_on_board(board, base) and not any(overlaps(base, other_base) for other_base in bases)
        if free and apart(here, spot) <= reach + TOLERANCE:
            return spot
    return None


@clause("SE-92", "SE-94")
def come_to_help(tape: Tape, state: State, helpers: Sequence[Fighter], places: Mapping[str, Point]) -> PendingHelp:
    """Move helpers beside a burning model; they will not shoot in this turn."""
    came = []
    for helper in helpers:
        place = places.get(helper.name, helper.place)
        if place is not None and place != helper.place:
            tape.tell(move_line, helper.name, helper.place, place, clause="SE-92")
        tape.tell("{} helps, and does not shoot in this turn", helper.name, clause="SE-94")
        came.append(replace(helper, place=place, moved=helper.moved or place != helper.place, helped=True))
    return PendingHelp(state.with_models(*came), len(came))


@clause("SE-93")
def roll_to_beat_out(tape: Tape, pending: PendingHelp) -> PendingHelp:
    """Roll once for all helpers, unless it is ruled otherwise."""
    return replace(pending, out=tape.call(beat_out, pending.helpers, pending.state.rules))


@clause("SE-92", "SE-93", "SE-94", "SE-91")
def end_help(tape: Tape, pending: PendingHelp, burning: Fighter) -> State:
    """Keep what became of the fire; the turn of a model that is put out stays lost."""
    burning = replace(burning, beating_tried=True)
    if pending.out:
        burning = replace(burning, condition=replace(burning.condition, on_fire=None), result="out")
    return pending.state.with_models(burning)


def propose_help(state: State) -> Iterator[HelpOrder]:
    """Propose for each burning model the nearest friend, the two nearest, and so on."""
    friends = list(own_models(state))
    for burning in friends:
        if not burning.is_burning:
            continue
        able = [friend for friend in friends if refuse_helper(state, burning, friend) is None]
        able.sort(key=lambda friend: distance_of(state, burning, friend) or 0.0)
        for count in range(1, min(len(able), 6) + 1):
            yield HelpOrder(unit=burning.name, helpers=tuple(friend.name for friend in able[:count]))


BEAT_OUT = Action(
    "beat_out",
    "Beat out flames",
    HelpOrder,
    plan_help,
    Procedure("help", (roll_to_beat_out,)),
    options=propose_help,
    measures=(Measure("out", "The fire is out", lambda pending: int(pending.out)),),
    headline=lambda answer: f"The flames are beaten out {percent(answer.odds('out').chance(1))} of the time.",
    about=lambda state, order: {"unit": listed(order.helpers), "target": order.unit},
    clauses=("SE-92", "SE-93"),
)
