"""The Movement phase: `move` a model, `move_unit`, and `beat_out` the flames on a burning model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, ClassVar

from battletape import rulebook
from battletape.cards import Action, Inputs, Measure, Plan, asked, percent
from battletape.field import moves, setup
from battletape.field.moves import Destination, Obstacle, Path
from battletape.rulebook import (
    Meta,
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
from battletape.rulesets.second_edition.battle.actions._orders import Where, own_models
from battletape.rulesets.second_edition.battle.state import Fighter, State, after_hits, distance_of, table_size
from battletape.rulesets.second_edition.rules.blasts import NO_HITS, HitResults
from battletape.rulesets.second_edition.rules.clouds import MarkerTest, find_entering_models, hit_covered_models
from battletape.rulesets.second_edition.rules.fire import HELP_INCHES, beat_out, refuse_help
from battletape.rulesets.second_edition.rules.measures import HARM_MEASURES
from battletape.rulesets.second_edition.rulings import Rulings
from battletape.table.bases import Base
from battletape.table.distances import gap, overlaps
from battletape.table.paths import path_length
from battletape.table.points import TOLERANCE, Point, apart, bearing, step, towards

GRAIN = 0.25  # inches by which a move towards something is shortened where there is no room
ModelMove = tuple[Fighter, Base]
"""A model and where it goes."""


class ModelOrder(Inputs, frozen=True):
    """A model that moves."""

    unit: str = asked("", "Model that moves")


class MoveOrder(ModelOrder, frozen=True):
    """A model moves to a place, or towards something."""

    unwritten: ClassVar = ("x", "y", "towards", "inches")

    x: Where = asked(0.0, "Inches east")
    y: Where = asked(0.0, "Inches north")
    towards: str = asked("", "Instead towards a model, unit, terrain or objective")
    inches: Annotated[float, Meta(ge=0, le=48)] | None = asked(None, "At most (or as far as it can)", unit="inches")


class UnitOrder(Inputs, frozen=True):
    """A whole unit."""

    unit: str = asked("", "Unit")


class MoveUnitOrder(UnitOrder, setup.Placement, frozen=True):
    """A whole unit moves on a heading or towards something; with x and y, or with spots, into another formation."""

    unwritten: ClassVar = ("x", "y", "formation", "spacing", "abreast", "spots", "towards")

    far: float = asked(4.0, "How far", unit="inches", ge=0, le=48)
    towards: str = asked("", "Instead of the heading, towards a model, unit, terrain or objective")


class PendingMove(rulebook.State, frozen=True):
    """The markers that models have moved under, one after another, and what they did."""

    markers_entered: tuple[MarkerTest, ...]
    results: HitResults = NO_HITS


# --- moving ----------------------------------------------------------------------------------------------------------


@clause("SE-10", "SE-117")
def plan_move(state: State, order: MoveOrder) -> Plan:
    """Refuse a move of a model that may not move now, too far, or to where it cannot stand."""
    fighter = turn.acting_model(state, order.unit)
    raise_if_refused(turn.refuse_by_fire(state, fighter, "move"))
    (base,) = bases_of_movers(state, fighter)
    if order.towards:
        most = fighter.move if order.inches is None else min(fighter.move, order.inches)
        paths = paths_towards(state, (fighter,), order.towards, most)
    else:
        paths = ((base.centre, Point(order.x, order.y)),)
    return plan_paths(state, (fighter,), paths)


def plan_paths(state: State, fighters: Sequence[Fighter], paths: Sequence[Path]) -> Plan:
    """Refuse paths that are too long, or on which something is in the way."""
    raise_if_refused(refuse_paths(state, fighters, paths))
    ends = [Base(path[-1], fighter.radius) for fighter, path in zip(fighters, paths, strict=True)]
    ways = list(zip(fighters, ends, strict=True))
    return Plan(move_models, state, ways).then(end_move, state, ways)


@clause("SE-10")
def bases_of_movers(state: State, *fighters: Fighter) -> tuple[Base, ...]:
    """Return the bases of models that are to move; refuse those that have moved, and those without a place."""
    bases: list[Base] = []
    for fighter in fighters:
        need(not fighter.done.moved, f"{fighter.name} has moved in this turn; wait for the next", "SE-117", "moved")
        own = state.field.position(fighter.name).bases
        lost = f"{fighter.name} has no place on the table to move from; name distances when it shoots"
        if not own:
            raise Refused(lost, "SE-10", "place")
        bases += own
    return tuple(bases)


@clause("SE-10", "SE-39", "SE-117")
def refuse_paths(state: State, fighters: Sequence[Fighter], paths: Sequence[Path]) -> Refused | None:
    """Refuse paths that are too long, that lead through impassable terrain, or that end where a model cannot stand."""
    for fighter, path in zip(fighters, paths, strict=True):
        far = path_length(path)
        if far > fighter.move + TOLERANCE:
            there = f"({path[-1].x:g}, {path[-1].y:g}) is {inches(round(far, 2))} away"
            most = f"{there}; {fighter.name} moves {inches(fighter.move)} at most"
            return Refused(most, "SE-117", "far")
    names, field, side = [fighter.name for fighter in fighters], state.field, fighters[0].side
    bases = tuple(base for name in names for base in field.position(name).bases)
    obstacle = moves.barred(field, bases, paths, side, *names, clear=None, by="bases")
    obstacle = obstacle or moves.room(field, moves.ends_of(bases, tuple(paths)), side, *names, clear=0)
    return None if obstacle is None else refused_by(state, fighters[obstacle.at], obstacle)


def refused_by(state: State, fighter: Fighter, obstacle: Obstacle) -> Refused:
    """Refuse a move for what is in its way."""
    if obstacle.by == "edge":
        reason = f"{fighter.name} would stand over the edge of the table, which is {table_size(state)}"
        return Refused(f"{reason}; choose a place inside", "SE-10", "board")
    if obstacle.by == "terrain":
        reason = f"{obstacle.name} is impassable, and {fighter.name} would go into it"
        return Refused(f"{reason}; go round it", "SE-117", "terrain")
    if obstacle.by == "own":
        reason = f"{fighter.name} would stand in the base of another of its unit"
        return Refused(f"{reason}; place them apart", "SE-10", "base")
    rims = fighter.radius + state.fighter(obstacle.name).radius
    reason = f"{fighter.name} would stand in the base of {obstacle.name}"
    return Refused(f"{reason}; {rims:.2f} inches between their middles would do", "SE-10", "base")


def paths_towards(state: State, fighters: Sequence[Fighter], name: str, most: float) -> tuple[Path, ...]:
    """Return the paths of models that go straight towards something, together, as far as there is room."""
    goal, bases = goal_of(state, name), state.field.footprints(*(fighter.name for fighter in fighters))
    left = goal.inches_from(bases)
    need(left > TOLERANCE, f"{fighters[0].name} is at {goal.name} already; name another goal", "SE-117", "near")
    far = moves.farthest(
        min(most, left),
        lambda far: refuse_paths(state, fighters, goal.paths_from(bases, far)),
        GRAIN,
    )
    return goal.paths_from(bases, far or most)


def goal_of(state: State, name: str) -> Destination:
    """Return what a move goes towards: a unit, or a model, piece of terrain or objective."""
    squad = [fighter.name for fighter in state.fighters if fighter.unit.lower() == name.strip().lower()]
    shapes = state.field.footprints(*squad)
    return Destination(name, shapes) if shapes else moves.destination(state.field, name, "SE-10")


@clause("SE-117")
def plan_unit_move(state: State, order: MoveUnitOrder) -> Plan:
    """Refuse a move that one of the models cannot make; those that burn or were just put out stay behind."""
    squad = turn.find_squad(state, order.unit)
    turn.need_turn(state, squad[0])
    standing = [fighter for fighter in squad if not fighter.is_gone]
    need(standing, f"{squad[0].unit} has fallen", "SE-24", "gone")
    fit = [fighter for fighter in standing if turn.refuse_by_fire(state, fighter, "move") is None]
    able = [fighter for fighter in fit if not fighter.done.moved]
    if not able:
        raise_if_refused(turn.refuse_by_fire(state, standing[0], "move"))
        need(False, f"{squad[0].unit} has moved in this turn; wait for the next", "SE-117", "moved")
    bases = bases_of_movers(state, *able)
    goals = setup.arranged(order, len(able), able[0].radius)
    if goals:
        paths = moves.separate_paths(bases, [goal.centre for goal in goals])
    elif order.towards:
        paths = paths_towards(state, able, order.towards, min(order.far, *(fighter.move for fighter in able)))
    else:
        paths = moves.straight_paths(bases, order.heading, order.far)
    return plan_paths(state, able, paths)


@clause("SE-10", "SE-80", "SE-117")
def move_models(tape: Tape, state: State, ways: Sequence[ModelMove]) -> PendingMove:
    """Move some models, and find every marker that they move under."""
    for fighter, base in ways:
        tape.tell(move_line, fighter.name, state.field.position(fighter.name).bases[0].centre, base.centre)
    after = moved(state, ways)
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
                    placed_marker.marker, new, enters=True, placed=True, rulings=state.rulings, name=placed_marker.name
                )
            )
    return PendingMove(tuple(entered))


def moved(state: State, ways: Sequence[ModelMove]) -> State:
    """Return the battle with models where they have gone."""
    state = state.with_models(*(replace(fighter, done=replace(fighter.done, moved=True)) for fighter, _ in ways))
    return state.with_places(*((fighter.name, base) for fighter, base in ways))


def move_line(name: str, here: Point, there: Point) -> str:
    """Say where a model moves, and how far."""
    return f"{name} moves {inches(round(apart(here, there), 2))} to {there.x:.1f}, {there.y:.1f}"


@clause("SE-80")
def enter_marker(tape: Tape, pending: PendingMove) -> PendingMove:
    """Hit the models that moved under a marker, where it is ruled so; those hurt by one meet the next as they are."""
    first, *rest = pending.markers_entered
    hurt = {record.name: record.condition for record in pending.results.records}
    figures = tuple(replace(figure, condition=hurt.get(figure.name) or figure.condition) for figure in first.figures)
    test = tape.call(find_entering_models, replace(first, figures=figures))
    test = tape.call(hit_covered_models, test)
    return PendingMove(tuple(rest), HitResults((*pending.results.records, *test.results.records)))


def move_stages(pending: PendingMove) -> Procedure:
    """Return a stage for every marker that models moved under."""
    return Procedure("move", (enter_marker,) * len(pending.markers_entered))


def end_move(tape: Tape, pending: PendingMove, state: State, ways: Sequence[ModelMove]) -> State:
    """Keep where the models went, and what the markers did to them."""
    return after_hits(moved(state, ways), pending.results)


def propose_moves(state: State) -> Iterator[MoveOrder]:
    """Propose a full move towards the nearest enemy, at most into base contact, and half a move."""
    foes = [base for position in state.field.enemies_of(state.active) for base in position.bases]
    for position in state.field.on_table(side=state.active) if foes else ():
        (base,), fighter = position.bases, state.fighter(position.name)
        foe = min(foes, key=lambda foe: gap(base, foe))
        for far in dict.fromkeys(min(share * fighter.move, gap(base, foe)) for share in (1.0, 0.5)):
            spot = towards(base.centre, foe.centre, far - 0.01)
            yield MoveOrder(unit=fighter.name, x=round(spot.x, 2), y=round(spot.y, 2))


def propose_unit_moves(state: State) -> Iterator[MoveUnitOrder]:
    """Propose a full move towards the nearest enemy for each unit of which all models have moved, or none."""
    foes = [base.centre for position in state.field.enemies_of(state.active) for base in position.bases]
    for unit in dict.fromkeys(fighter.unit for fighter in own_models(state)):
        squad = [fighter for fighter in state.squad(unit) if state.field.footprints(fighter.name)]
        if squad and foes and len({fighter.done.moved for fighter in squad}) == 1:
            here = state.field.footprints(squad[0].name)[0].centre
            goal = min(foes, key=lambda place: apart(here, place))
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
    closed=turn.closed_but_in("movement"),
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
    closed=turn.closed_but_in("movement"),
)

# --- beating out the flames ------------------------------------------------------------------------------------------


class HelpOrder(Inputs, frozen=True):
    """Some models move to a burning friend and beat out the flames."""

    unit: str = asked("", "Burning model")
    helpers: tuple[str, ...] = asked((), "Models that help")


class PendingHelp(rulebook.State, frozen=True):
    """An attempt to beat out flames: how many helpers there are."""

    helpers: int
    rulings: Rulings
    out: bool = False


@clause("SE-92", "SE-93", "SE-94")
def plan_help(state: State, order: HelpOrder) -> Plan:
    """Refuse help where nothing burns, helpers that cannot come near, and a second try in the same turn."""
    burning = turn.acting_model(state, order.unit)
    raise_if_refused(refuse_help(0.0, burning.is_burning))
    tried = f"the flames on {burning.name} were beaten in this turn; try again in the next"
    need(not burning.done.beating_tried, tried, "SE-93", "beaten")
    helpers = [state.fighter(name) for name in order.helpers]
    names = [helper.name for helper in helpers]
    named = ", ".join(names) or "none"
    once = f"helpers must be one or more models, each named once; got {named}"
    need(names and len(set(names)) == len(names), once, "SE-92", "helpers")
    raise_if_refused(*(refuse_helper(state, burning, helper) for helper in helpers))
    on_table = state.field.position(burning.name).bases
    places = beside(state, on_table[0], helpers) if on_table else {}
    if on_table:
        room = f"there is no room for {plural(len(names), 'helper')} beside {burning.name}"
        fewer = f"{len(places)} would do" if places else "not even for one"
        need(len(places) == len(names), f"{room}; {fewer}" if places else f"{room}, {fewer}", "SE-92", "room")
    return Plan(come_to_help, state, helpers, places).then(end_help, state, burning, helpers, places)


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
    if helper.done.helped:
        return Refused(f"{helper.name} has helped in this turn already; name another", "SE-92", "helped")
    reach = 0.0 if helper.done.moved else helper.move
    return refuse_help(max(0.0, distance_of(state, burning, helper) - reach), True)


@clause("SE-92")
def beside(state: State, burning: Base, helpers: Sequence[Fighter]) -> dict[str, Base]:
    """Return the places of helpers within an inch, each by the shortest way that is free, until one finds none."""
    placed: dict[str, Base] = {}
    names = [helper.name for helper in helpers]
    for helper in helpers:
        base = next(_free_bases(state, burning, helper, names, list(placed.values())), None)
        if base is None:
            break
        placed[helper.name] = base
    return placed


def _free_bases(
    state: State, burning: Base, helper: Fighter, along: Sequence[str], placed: Sequence[Base]
) -> Iterator[Base]:
    """Yield the free places within an inch of a burning model that a helper reaches, the nearest first."""
    for here in state.field.position(helper.name).bases:
        rims, reach = burning.radius + here.radius, 0.0 if helper.done.moved else helper.move
        near = apart(here.centre, burning.centre) <= rims + HELP_INCHES + TOLERANCE
        ahead = 0.0 if here.centre == burning.centre else bearing(burning.centre, here.centre)
        around = [step(burning.centre, ahead + turn, rims + HELP_INCHES) for turn in range(0, 360, 15)]
        around.sort(key=lambda spot: apart(here.centre, spot))
        for spot in (here.centre, *around) if near else around:
            base = Base(spot, here.radius)
            is_free = moves.room(state.field, (base,), helper.side, *along, clear=0) is None
            is_near = apart(here.centre, spot) <= reach + TOLERANCE
            if is_free and is_near and not any(overlaps(base, other) for other in placed):
                yield base


@clause("SE-92", "SE-94")
def come_to_help(tape: Tape, state: State, helpers: Sequence[Fighter], places: Mapping[str, Base]) -> PendingHelp:
    """Say which models come, and that they will not shoot in this turn."""
    went = moved_helpers(state, places)
    for helper in helpers:
        if helper.name in went:
            here = state.field.position(helper.name).bases[0].centre
            tape.tell(move_line, helper.name, here, places[helper.name].centre, clause="SE-92")
        tape.tell("{} helps, and does not shoot in this turn", helper.name, clause="SE-94")
    return PendingHelp(len(helpers), state.rulings)


def moved_helpers(state: State, places: Mapping[str, Base]) -> set[str]:
    """Return the helpers that have to move to get there."""
    return {name for name, base in places.items() if state.field.position(name).bases != (base,)}


@clause("SE-93")
def roll_to_beat_out(tape: Tape, pending: PendingHelp) -> PendingHelp:
    """Roll once for all helpers, unless it is ruled otherwise."""
    return replace(pending, out=tape.call(beat_out, pending.helpers, pending.rulings))


@clause("SE-92", "SE-93", "SE-94", "SE-91")
def end_help(
    tape: Tape,
    pending: PendingHelp,
    state: State,
    burning: Fighter,
    helpers: Sequence[Fighter],
    places: Mapping[str, Base],
) -> State:
    """Keep where the helpers are and what became of the fire; the turn of a model that is put out stays lost."""
    went = moved_helpers(state, places)
    for helper in helpers:
        done = replace(helper.done, moved=helper.done.moved or helper.name in went, helped=True)
        state = state.with_models(replace(helper, done=done))
    burning = replace(burning, done=replace(burning.done, beating_tried=True))
    if pending.out:
        condition, done = replace(burning.condition, on_fire=None), replace(burning.done, result="out")
        burning = replace(burning, condition=condition, done=done)
    return state.with_places(*places.items()).with_models(burning)


def propose_help(state: State) -> Iterator[HelpOrder]:
    """Propose for each burning model the nearest friend, the two nearest, and so on."""
    friends = list(own_models(state))
    for burning in friends:
        if not burning.is_burning:
            continue
        able = [friend for friend in friends if refuse_helper(state, burning, friend) is None]
        able.sort(key=lambda friend: distance_of(state, burning, friend))
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
    closed=turn.closed_but_in("movement"),
)
