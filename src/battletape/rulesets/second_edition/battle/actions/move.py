"""The Movement phase: `move` a model, `move_unit`, and `beat_out` the flames on a burning model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any

from battletape.cards import Inputs, Line, Measure, percent
from battletape.cards import refusing as Action
from battletape.rulebook import Meta, Procedure, Refused, Stage, Struct, Tape, clause, inches, listed, plural, replace
from battletape.rulesets.second_edition.battle.actions._orders import Where, acting, foes
from battletape.rulesets.second_edition.battle.state import Fighter, State, after_toll, distance_of
from battletape.rulesets.second_edition.battle.turn import figures_under, hurts, refuse_by_fire, refuse_turn
from battletape.rulesets.second_edition.rules.blasts import NOBODY, Toll
from battletape.rulesets.second_edition.rules.clouds import Lingering, enter, harm
from battletape.rulesets.second_edition.rules.fire import HELP_WITHIN, beat_out, beating_need, refuse_help
from battletape.rulesets.second_edition.rules.measures import HARM
from battletape.rulesets.second_edition.rulings import Rulings
from battletape.table.bases import Base
from battletape.table.board import Board, is_on_board
from battletape.table.distances import overlaps
from battletape.table.points import TOLERANCE, Point, apart, bearing, step, towards


class MoveOrder(Inputs, frozen=True):
    """A model moves to a place."""

    unit: Annotated[str, Meta(title="Model that moves")] = ""
    x: Annotated[Where, Meta(title="Inches east")] = 0.0
    y: Annotated[Where, Meta(title="Inches north")] = 0.0


class MarchOrder(Inputs, frozen=True):
    """A whole unit moves on a heading."""

    unit: Annotated[str, Meta(title="Unit that moves")] = ""
    heading: Annotated[float, Meta(ge=0, le=360, extra={"unit": "degrees"})] = 0.0
    far: Annotated[float, Meta(title="How far", ge=0, le=48, extra={"unit": "inches"})] = 4.0


class March(Struct, frozen=True, cache_hash=True):
    """Models that have moved, and the markers that they moved under, one after another."""

    field: State
    entered: tuple[Lingering, ...]
    toll: Toll = NOBODY


# --- moving ----------------------------------------------------------------------------------------------------------


@clause("SE-10", "SE-39")
def refuse_step(state: State, fighter: Fighter, goal: Point, *along: str) -> Refused | None:
    """Why a model does not move there: burning, moved already, too far, off the table, or into another's base."""
    refused = refuse_turn(state, fighter, "movement") or refuse_by_fire(state, fighter, "move")
    if refused is not None:
        return refused
    if fighter.moved:
        return Refused(f"{fighter.name} has moved in this turn; wait for the next", "SE-117", "moved")
    if fighter.place is None:
        reason = f"{fighter.name} has no place on the table to move from"
        return Refused(f"{reason}; name distances when it shoots", "SE-10", "place")
    way, base = apart(fighter.place, goal), Base(goal, fighter.radius)
    if way > fighter.move + TOLERANCE:
        reason = f"({goal.x:g}, {goal.y:g}) is {inches(round(way, 2))} away"
        return Refused(f"{reason}; {fighter.name} moves {inches(fighter.move)} at most", "SE-117", "far")
    return refuse_place(state, fighter, base, *along)


@clause("SE-10", "SE-39")
def refuse_place(state: State, fighter: Fighter, base: Base, *along: str) -> Refused | None:
    """Why a model cannot stand there: over the edge of the table, or in another's base."""
    if not is_on_board(state.board, base):
        table = f"{state.board.width:g} by {state.board.depth:g} inches"
        reason = f"{fighter.name} would stand over the edge of the table, which is {table}"
        return Refused(f"{reason}; choose a place inside", "SE-10", "board")
    for other in state.standing():
        if other.base is not None and other.name not in (fighter.name, *along) and overlaps(base, other.base):
            room = f"{base.radius + other.radius:.2f} inches between their middles would do"
            return Refused(f"{fighter.name} would stand in the base of {other.name}; {room}", "SE-10", "base")
    return None


def refuse_move(state: State, order: MoveOrder) -> Refused | None:
    """Why a model does not move there."""
    return refuse_step(state, state.fighter(order.unit), Point(order.x, order.y))


def begin_move(state: State, order: MoveOrder) -> March:
    """The model in its new place."""
    return _marched(state, ((state.fighter(order.unit), Point(order.x, order.y)),))


@clause("SE-80")
def _marched(state: State, moves: Sequence[tuple[Fighter, Point]]) -> March:
    """The table after some moves, and every marker that somebody moved under."""
    after = state.changed(*(replace(fighter, place=goal, moved=True) for fighter, goal in moves))
    movers, entered = {fighter.name for fighter, _ in moves}, []
    for lying in state.markers:
        before = {figure.name for figure in figures_under(state, lying)}
        new = tuple(
            figure for figure in figures_under(after, lying) if figure.name in movers and figure.name not in before
        )
        if new and hurts(lying):
            entered.append(Lingering(lying.marker, new, enters=True, placed=True, rules=state.rules))
    return March(after, tuple(entered))


def _walkers(state: State, order: MarchOrder) -> list[Fighter]:
    return [fighter for fighter in state.squad(order.unit) if not fighter.is_gone and not fighter.moved]


def _stuck(state: State, fighter: Fighter) -> bool:
    return refuse_by_fire(state, fighter, "move") is not None


@clause("SE-117")
def refuse_march(state: State, order: MarchOrder) -> Refused | None:
    """Why a unit does not move so: one of its models cannot; those that burn or were just put out stay behind."""
    squad = state.squad(order.unit)
    able = [fighter for fighter in _walkers(state, order) if not _stuck(state, fighter)]
    if not able:
        moved = next((fighter for fighter in squad if not fighter.is_gone), squad[0])
        why = refuse_turn(state, moved, "movement") or refuse_by_fire(state, moved, "move")
        return why or Refused(f"{squad[0].unit} has moved in this turn; wait for the next", "SE-117", "moved")
    along = [fighter.name for fighter in able]
    for fighter in able:
        goal = fighter.place and step(fighter.place, order.heading, order.far)
        refused = refuse_step(state, fighter, goal or Point(0.0, 0.0), *along)
        if refused is not None:
            return refused
    return None


def begin_march(state: State, order: MarchOrder) -> March:
    """The unit in its new place."""
    able = [fighter for fighter in _walkers(state, order) if not _stuck(state, fighter)]
    moves = [(fighter, step(fighter.place, order.heading, order.far)) for fighter in able if fighter.place is not None]
    return _marched(state, moves)


@clause("SE-80")
def enter_marker(tape: Tape, march: March) -> March:
    """Whoever moved under a marker is hit, where it is ruled so; those hurt by one meet the next as they are."""
    first, *rest = march.entered
    hurt = {struck.name: struck.state for struck in march.toll.struck}
    figures = tuple(replace(figure, state=hurt.get(figure.name) or figure.state) for figure in first.figures)
    lingering = tape.call(enter, replace(first, figures=figures))
    lingering = tape.call(harm, lingering)
    return March(march.field, tuple(rest), Toll((*march.toll.struck, *lingering.toll.struck)))


def march_stages(march: March) -> Procedure:
    """A stage for every marker that somebody moved under."""
    return Procedure("move", (enter_marker,) * len(march.entered))


def finish_march(state: State, order: Any, march: March) -> State:
    """The table after the move and what it cost."""
    return after_toll(march.field, march.toll)


def _steps(state: State) -> Iterator[MoveOrder]:
    """A full move towards the nearest enemy, and half a move; and into base contact."""
    for fighter in acting(state, "movement"):
        if fighter.place is None or fighter.moved:
            continue
        places = [(foe, foe.place) for foe in foes(state) if foe.place is not None]
        if not places:
            continue
        foe, goal = min(places, key=lambda pair: distance_of(state, fighter, pair[0]) or 0.0)
        gap = max(0.0, apart(fighter.place, goal) - fighter.radius - foe.radius)
        for far in dict.fromkeys(min(share * fighter.move, gap) for share in (1.0, 0.5)):
            spot = towards(fighter.place, goal, far - 0.01)
            yield MoveOrder(unit=fighter.name, x=round(spot.x, 2), y=round(spot.y, 2))


def _marches(state: State) -> Iterator[MarchOrder]:
    for unit in dict.fromkeys(fighter.unit for fighter in acting(state, "movement")):
        squad = [fighter for fighter in state.squad(unit) if fighter.place is not None and not fighter.is_gone]
        places = [foe.place for foe in foes(state) if foe.place is not None]
        if squad and places and not any(fighter.moved for fighter in squad):
            here = squad[0].place
            assert here is not None
            goal = min(places, key=lambda place: apart(here, place))
            yield MarchOrder(
                unit=unit, heading=round(bearing(here, goal), 1), far=min(squad[0].move, apart(here, goal))
            )


def tell_entry(stage: Stage, before: March, after: March) -> Iterable[Line]:
    """What a marker is that somebody moved under."""
    if len(after.toll.struck) > len(before.toll.struck):
        yield Line(f"{before.entered[0].marker.hit.weapon} hurts whoever moves under it", ("SE-80",))


MOVE = Action(
    *("move", "Move a model", MoveOrder, refuse_move, begin_move, march_stages, finish_march, _steps),
    measures=HARM,
    narrate=tell_entry,
    clauses=("SE-117", "SE-80"),
)
MOVE_UNIT = Action(
    *("move_unit", "Move a unit", MarchOrder, refuse_march, begin_march, march_stages, finish_march, _marches),
    measures=HARM,
    narrate=tell_entry,
    clauses=("SE-117", "SE-80"),
)

# --- beating out the flames ------------------------------------------------------------------------------------------


class HelpOrder(Inputs, frozen=True):
    """Some models move to a burning friend and beat out the flames."""

    unit: Annotated[str, Meta(title="Burning model")] = ""
    helpers: Annotated[tuple[str, ...], Meta(title="Models that help")] = ()


class Help(Struct, frozen=True, cache_hash=True):
    """An attempt to beat out flames."""

    helpers: int
    out: bool = False
    rules: Rulings = Rulings()


@clause("SE-92", "SE-93", "SE-94")
def refuse_helpers(state: State, order: HelpOrder) -> Refused | None:
    """Why nobody beats out these flames: nothing burns, somebody cannot come near, or it was tried in this turn."""
    burning = state.fighter(order.unit)
    refused = refuse_turn(state, burning, "movement") or refuse_help(0.0, burning.is_burning)
    if refused is not None:
        return refused
    if burning.beaten:
        return Refused(
            f"the flames on {burning.name} were beaten in this turn; try again in the next", "SE-93", "beaten"
        )
    names = [state.fighter(name).name for name in order.helpers]
    if not names or len(set(names)) < len(names):
        got = ", ".join(names) or "none"
        return Refused(f"helpers must be one or more models, each named once; got {got}", "SE-92", "helpers")
    for name in names:
        refused = _refuse_helper(state, burning, state.fighter(name))
        if refused is not None:
            return refused
    placed = len(names) if burning.place is None else len(beside(state, burning, names))
    if placed < len(names):
        reason = f"there is no room for {plural(len(names), 'helper')} beside {burning.name}"
        return Refused(f"{reason}; {placed} would do" if placed else f"{reason}, not even for one", "SE-92", "room")
    return None


def _refuse_helper(state: State, burning: Fighter, helper: Fighter) -> Refused | None:
    if helper.side != burning.side or helper.name == burning.name:
        if helper.name == burning.name:
            return Refused(f"{helper.name} cannot beat out its own flames; name a friend", "SE-92", "side")
        return Refused(f"{helper.name} is an enemy of {burning.name}; name a friend", "SE-92", "side")
    refused = refuse_turn(state, helper, "movement") or refuse_by_fire(state, helper, "help")
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
def beside(state: State, burning: Fighter, helpers: Sequence[str]) -> dict[str, Point]:
    """Where helpers stand once they have come within an inch, each by the shortest way that is free."""
    placed: dict[str, Point] = {}
    bodies = list(state.bodies(*helpers))
    for name in helpers:
        helper = state.fighter(name)
        spot = _spot_beside(state.board, burning, helper, bodies)
        if spot is None:
            break
        placed[helper.name] = spot
        bodies.append(Base(spot, helper.radius))
    return placed


def _spot_beside(board: Board, burning: Fighter, helper: Fighter, bodies: Sequence[Base]) -> Point | None:
    """The nearest free place within an inch of a burning model that a helper reaches."""
    here, there = helper.place, burning.place
    if here is None or there is None:
        return here
    rims, reach = burning.radius + helper.radius, 0.0 if helper.moved else helper.move
    ways = [here] if apart(here, there) <= rims + HELP_WITHIN + TOLERANCE else []
    ahead = 0.0 if here == there else bearing(there, here)
    around = [step(there, ahead + turn, rims + HELP_WITHIN) for turn in range(0, 360, 15)]
    ways += sorted(around, key=lambda spot: apart(here, spot))
    for spot in ways:
        base = Base(spot, helper.radius)
        free = is_on_board(board, base) and not any(overlaps(base, body) for body in bodies)
        if free and apart(here, spot) <= reach + TOLERANCE:
            return spot
    return None


@clause("SE-93")
def beat(tape: Tape, attempt: Help) -> Help:
    """One roll for all who help, unless it is ruled otherwise."""
    return replace(attempt, out=tape.call(beat_out, attempt.helpers, attempt.rules))


@clause("SE-92", "SE-93", "SE-94", "SE-91")
def finish_help(state: State, order: HelpOrder, attempt: Help) -> State:
    """Helpers stand beside the burning model and will not shoot; if the fire is out, that model's turn stays lost."""
    burning = state.fighter(order.unit)
    helpers = [state.fighter(name) for name in order.helpers]
    places = beside(state, burning, [helper.name for helper in helpers])
    came = (
        replace(
            helper,
            place=places.get(helper.name, helper.place),
            moved=helper.moved or places.get(helper.name, helper.place) != helper.place,
            helped=True,
        )
        for helper in helpers
    )
    burning = replace(burning, beaten=True)
    if attempt.out:
        burning = replace(burning, state=replace(burning.state, on_fire=None), result="out")
    return state.changed(burning, *came)


def begin_help(state: State, order: HelpOrder) -> Help:
    """The attempt before the die."""
    return Help(len(order.helpers), rules=state.rules)


def tell_help(stage: Stage, before: Help, after: Help) -> Iterable[Line]:
    """What the roll needs, and whether it was enough."""
    need = beating_need(before.helpers)
    told = "certain" if need is None else f"{need}+"
    fire = "the fire is out" if after.out else "it burns on"
    yield Line(f"{plural(before.helpers, 'helper')}: {fire}", ("SE-93",), needed=told, result=fire)


def _helps(state: State) -> Iterator[HelpOrder]:
    """For each burning model: the nearest friend, the two nearest, and so on."""
    friends = list(acting(state, "movement"))
    for burning in friends:
        if not burning.is_burning or burning.beaten:
            continue
        able = [friend for friend in friends if _refuse_helper(state, burning, friend) is None]
        able.sort(key=lambda friend: distance_of(state, burning, friend) or 0.0)
        for count in range(1, min(len(able), 6) + 1):
            yield HelpOrder(unit=burning.name, helpers=tuple(friend.name for friend in able[:count]))


BEAT_OUT = Action(
    *("beat_out", "Beat out flames", HelpOrder, refuse_helpers, begin_help, Procedure("help", (beat,)), finish_help),
    options=_helps,
    measures=(Measure("out", "The fire is out", lambda attempt: int(attempt.out)),),
    narrate=tell_help,
    headline=lambda answer: f"The flames are beaten out {percent(answer.odds('out').chance(1))} of the time.",
    about=lambda state, order: {"unit": listed(order.helpers), "target": order.unit},
    clauses=("SE-92", "SE-93"),
)
