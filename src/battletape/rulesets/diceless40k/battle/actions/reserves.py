"""Reserves: `reserves` picks units, `arrive` from the own edge, `outflank` from a side, `deep_strike` anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Annotated, Literal

from battletape.cards import Action, Inputs, Measure, Nothing, Plan, asked
from battletape.field.setup import Heading, Place, edge_seen, inches_from_edge, inward, point_at_edge
from battletape.field.state import OFF, RESERVE, TABLE
from battletape.rulebook import (
    Meta,
    Procedure,
    Refused,
    Tape,
    clause,
    fold,
    listed,
    need,
    plain,
    raise_if_refused,
    replace,
)
from battletape.rulebook import inches as inches_text
from battletape.rulesets.diceless40k.battle import turn
from battletape.rulesets.diceless40k.battle.actions._orders import OWN_UNIT
from battletape.rulesets.diceless40k.battle.ground import enter_terrain
from battletape.rulesets.diceless40k.battle.moves import places_around, refuse_room, unit_and_characters
from battletape.rulesets.diceless40k.battle.pending import (
    SPENT,
    PendingAction,
    begin_action,
    headline,
    spend_tokens,
    subject,
)
from battletape.rulesets.diceless40k.battle.start import Inches
from battletape.rulesets.diceless40k.battle.state import ARRIVING, HELD, BattleUnit, Places, Squad, State, Vehicle
from battletape.rulesets.diceless40k.rules import deep_strike, reserves
from battletape.rulesets.diceless40k.rules.base_vehicles import speed_of_move
from battletape.rulesets.diceless40k.rules.blasts import scattered
from battletape.rulesets.diceless40k.rules.characteristics import JAMMING_BEACON, NO_SCATTER
from battletape.rulesets.diceless40k.rules.space_marines import is_near_beacon
from battletape.table.areas import edges
from battletape.table.bases import Base
from battletape.table.distances import gap
from battletape.table.hulls import Hull, corners
from battletape.table.points import TOLERANCE, Point, apart, between, step

Number = Annotated[int, Meta(ge=0, le=50)]
EDGE_REACH = 6  # inches from its edge that a unit stands at most, where it comes on foot
FAR_REACH = 12
DIRECTION_STEP_DEGREES = 15  # degrees between the ways in which a landing is looked at
WORST_FIRST: tuple[deep_strike.Zone, ...] = ("enemy", "neutral", "own")
OUTLINE_STEP = 0.25  # inches between the points of a hull's rim that stand for it when it comes down


# --- the call ---------------------------------------------------------------------------------------------------------


class ReservesOrder(Nothing, frozen=True):
    """Reserves are called; special rules may bring one more or one fewer."""

    bonus: int = asked(0, "Units more or fewer", "DL-94.7", ge=-5, le=5)


@clause("DL-94.1", "DL-94.2")
def plan_reserves(state: State, order: ReservesOrder) -> Plan:
    """Refuse to call reserves twice in a turn, or where no unit comes; they come in the Movement phase."""
    need(state.phase == "movement", "reserves come in the Movement phase", "DL-94.2", "phase", at_all=True)
    called = "the reserves of this turn have been called"
    need(not state.reserves_called, called, "DL-94.2", "called", at_all=True)
    raise_if_refused(reserves.refuse_bonus(state.turn, order.bonus))
    comes = turn.reserves_due(state) or (order.bonus > 0 and state.reserves(RESERVE))
    need(comes, f"no unit of {state.active} comes from reserve on turn {state.turn}", "DL-94.1", "none")
    return Plan(begin_action, state, order)


@clause("DL-94.2", "DL-94.3", "DL-94.4", "DL-94.6", "DL-94.7")
def call_reserves(tape: Tape, work: PendingAction) -> PendingAction:
    """Let the owner pick the units that come, and those of them that are put off to the next turn."""
    state = work.state
    waiting = tuple(unit.name for unit in state.reserves(RESERVE))
    held = tuple(unit.name for unit in state.reserves(HELD))
    called = fold(
        reserves.ARRIVAL,
        tape,
        reserves.Reserves(state.active, state.turn, waiting, held, work.order.bonus, state.rulings),
    )
    after = state
    for names, where in ((called.arriving, ARRIVING), (called.delayed, HELD)):
        for name in names:
            after = after.off_table(arriving_group(state, state.find(name)), where)
    work = replace(work, state=replace(after, reserves_called=True))
    tape.tell("Arriving on turn {}: {}", state.turn, listed(called.arriving) or "no unit")
    if called.delayed:
        tape.tell("Put off to the next turn: {}", listed(called.delayed), clause="DL-94.6")
    return work


RESERVES = Action(
    "reserves",
    "Call the reserves",
    ReservesOrder,
    plan_reserves,
    Procedure("reserves", (call_reserves,)),
    measures=(
        Measure(
            "arriving",
            "Units that arrive",
            lambda work: sum(position.where == ARRIVING for position in work.state.field.positions),
            "units",
        ),
    ),
    headline=headline,
    closed=turn.refuse_over,
    clauses=("DL-94.2",),
)


# --- from the own edge ------------------------------------------------------------------------------------------------


class ArriveOrder(Inputs, frozen=True):
    """A unit comes on; x and y are its first model's place, or the middle of the hull, where there is a board."""

    unit: str = OWN_UNIT
    x: Place | None = None
    y: Place | None = None
    heading: Heading = 0.0


def arriving_unit(state: State, name: str, how: str) -> BattleUnit:
    """Return the unit of this name; refuse it unless it was called and arrives in the way that was declared."""
    waiting = (unit for unit in state.units if unit.side == state.active and state.where(unit) == ARRIVING)
    turn.need_any(state, name, waiting, f"no unit of {state.active} arrives now", "DL-94.2")
    unit = state.find(name)
    turn.need_own(state, unit)
    need(state.where(unit) == ARRIVING, f"{unit.name} does not arrive now", "DL-94.2", "arriving")
    joined = unit.joined if isinstance(unit, Squad) else ""
    need(not joined, f"{unit.name} comes with {joined}", "DL-94.2", "joined")
    need(unit.arrives == how, f"{unit.name} was declared to arrive by {unit.arrives}", "DL-94.2", "arrives")
    return unit


def places_at(units: Sequence[BattleUnit], x: float | None, y: float | None, heading: float = 0.0) -> Places:
    """Return where a vehicle, or a unit with its characters among its models, stands at a place or without one."""
    if x is None or y is None:
        return tuple((unit.name, ()) for unit in units)
    squads = [unit for unit in units if isinstance(unit, Squad)]
    if squads:
        return places_around(squads, Point(x, y))
    sizes = ((unit.name, unit.profile) for unit in units if isinstance(unit, Vehicle))
    return tuple((name, (Hull(Point(x, y), heading % 360, size.length, size.width),)) for name, size in sizes)


def arrived(unit: BattleUnit) -> BattleUnit:
    """Return a unit that has come on in this turn; a vehicle goes at combat speed."""
    return (
        replace(unit, moved=True) if isinstance(unit, Squad) else replace(unit, moved=True, speed="combat", inches=0.0)
    )


@clause("DL-95.2", "DL-60.2")
def after_deep_strike(unit: BattleUnit) -> BattleUnit:
    """Return a unit after a deep strike: it does not assault, and a vehicle counts as cruising, as in the base game."""
    unit = arrived(unit)
    if isinstance(unit, Vehicle):
        return unit if unit.is_walker else replace(unit, speed="cruising")
    return replace(unit, cannot_assault=True)


def arriving_group(state: State, unit: BattleUnit) -> tuple[BattleUnit, ...]:
    """Return the units that come on together: a unit and the characters in it."""
    return unit_and_characters(state, state.squad(unit.joined) if isinstance(unit, Squad) and unit.joined else unit)


class PendingArrival(PendingAction, frozen=True, kw_only=True):
    """A unit about to come on with its characters, and where they will stand; a vehicle drives so far from the edge."""

    units: tuple[BattleUnit, ...]
    places: Places
    inches: float | None = None


def begin_arrival(
    tape: Tape,
    state: State,
    order: ArriveOrder,
    units: tuple[BattleUnit, ...],
    places: Places,
    inches: float | None = None,
) -> PendingArrival:
    """Return a unit as it is about to come on."""
    return PendingArrival(state, order, units=units, places=places, inches=inches)


@clause("DL-94.2", "DL-60.2")
def plan_arrival(state: State, order: ArriveOrder) -> Plan:
    """Refuse units that do not arrive now, and places that are not at the own edge, or taken."""
    unit = arriving_unit(state, order.unit, "edge")
    group = arriving_group(state, unit)
    units, places = tuple(map(arrived, group)), places_at(group, order.x, order.y, order.heading)
    if order.y is None:
        return Plan(begin_arrival, state, order, units, places)
    inches = _from_edge(state, unit.side, order.y)
    if order.x is not None:
        far = isinstance(unit, Vehicle) or unit.type in ("bike", "jetbike", "jump_infantry")
        reach = FAR_REACH if far else EDGE_REACH
        beyond = f"{unit.name} comes on within {reach} inches of its own edge"
        need(inches <= reach, beyond, "DL-94.2", "place")
        raise_if_refused(refuse_room(state, places))
    if isinstance(unit, Squad):
        return Plan(begin_arrival, state, order, units, places)
    speed = speed_of_move(unit.profile.types, inches)
    driven = {"inches": inches} if isinstance(speed, Refused) else {"inches": inches, "speed": speed}
    units = tuple(replace(vehicle, **driven) for vehicle in units)
    return Plan(begin_arrival, state, order, units, places, inches)


@clause("DL-94.2", "DL-60.2")
def arrive_from_edge(tape: Tape, work: PendingArrival) -> PendingArrival:
    """Let a unit come on from its own table edge; a vehicle's speed is by the inches from there."""
    first = work.units[0]
    if work.inches is not None and isinstance(first, Vehicle):
        way, speed = inches_text(round(work.inches, 1)), plain(first.speed)
        tape.tell("{} comes on from its own edge, {} far: {} speed", first.name, way, speed)
    else:
        tape.tell("{} {} on from the own edge", *subject(work.units, "comes", "come"))
    return enter_terrain(tape, work.with_units(*work.units).with_places(work.places), first.name)


def _from_edge(state: State, side: str, y: float) -> float:
    """Return the inches from a side's own edge."""
    return inches_from_edge(state.board, state.field.home_edge(side), Point(0, y))


def propose_arrivals(state: State) -> Iterator[ArriveOrder]:
    """Propose each unit that arrives, without a place and at three places of its own edge."""
    edge = state.field.home_edge(state.active)
    for position in state.field.waiting(state.active, ARRIVING):
        yield ArriveOrder(unit=position.name)
        for at in (point_at_edge(state.board, edge, x, 4.0) for x in (12.0, 36.0, 60.0)):
            yield ArriveOrder(unit=position.name, x=at.x, y=at.y, heading=float(inward(edge)))


ARRIVE = Action(
    "arrive",
    "Come on from reserve",
    ArriveOrder,
    plan_arrival,
    Procedure("arrival", (arrive_from_edge,)),
    options=propose_arrivals,
    closed=turn.closed_but_in("movement"),
    clauses=("DL-94.2",),
)


# --- outflanking ------------------------------------------------------------------------------------------------------


class OutflankOrder(Inputs, frozen=True):
    """A unit outflanks; left and right are as its owner sees the table, and y is how far north it comes on.

    On a board where y is left out it comes on as near to the middle of the edges as there is room.
    """

    unit: str = OWN_UNIT
    blocked: tuple[Literal["left", "right"], ...] = asked((), "Edges without room, as its owner sees them")
    y: Place | None = None
    unplaced: bool = asked(False, "Where it stands is not said, even on a board")


class PendingOutflank(PendingAction, frozen=True, kw_only=True):
    """A unit about to outflank: the edges where there is room for it, without any it is lost, and how far north."""

    edges: tuple[reserves.Edge, ...]
    y: float | None = None


def begin_outflanking(
    tape: Tape, state: State, order: OutflankOrder, edges: tuple[reserves.Edge, ...], y: float | None
) -> PendingOutflank:
    """Return a unit as it is about to outflank."""
    return PendingOutflank(state, order, edges=edges, y=y)


@clause("DL-94.8")
def plan_outflanking(state: State, order: OutflankOrder) -> Plan:
    """Refuse units that do not arrive now, and places without room on either edge, if there is room elsewhere."""
    unit = arriving_unit(state, order.unit, "outflank")
    if order.y is None and (order.unplaced or not any(state.field.on_table())):
        return Plan(begin_outflanking, state, order, _edges_with_room(state, unit, order.blocked, order.y), order.y)
    depth = state.board.depth
    places = sorted(map(float, range(int(depth) + 1)), key=lambda y: abs(y - depth / 2))
    if order.y is None:
        rooms = ((_edges_with_room(state, unit, order.blocked, y), y) for y in places)
        open_edges, at = next(((edges, y) for edges, y in rooms if edges), ((), None))
        return Plan(begin_outflanking, state, order, open_edges, at)
    open_edges = _edges_with_room(state, unit, order.blocked, order.y)
    if not open_edges:
        free = next((y for y in sorted(places) if _edges_with_room(state, unit, order.blocked, y)), None)
        if free is not None:
            reason = f"there is no room at y={order.y:.4g} on an edge; there is at y={free:.4g}"
            need(False, reason, "DL-94.9", "place")
    return Plan(begin_outflanking, state, order, open_edges, order.y)


def _edges_with_room(
    state: State, unit: BattleUnit, blocked: Sequence[str], y: float | None
) -> tuple[reserves.Edge, ...]:
    """Return the edges where there is room."""
    free = (edge for edge in reserves.EDGES if edge not in blocked)
    return tuple(edge for edge in free if refuse_room(state, _at_edge(state, unit, edge, y)) is None)


@clause("DL-94.8", "DL-94.9")
def arrive_outflanking(tape: Tape, work: PendingOutflank) -> PendingOutflank:
    """Let the owner choose the edge; a unit without room is removed."""
    order, state = work.order, work.state
    unit = state.find(order.unit)
    outflank = fold(reserves.OUTFLANK, tape, reserves.Outflank(unit.name, unit.side, work.edges))
    if outflank.removed or outflank.edge is None:
        return replace(work, state=state.off_table(arriving_group(state, unit), OFF))
    work = work.with_units(*map(arrived, arriving_group(state, unit)))
    return enter_terrain(tape, work.with_places(_at_edge(state, unit, outflank.edge, work.y)), unit.name)


def _at_edge(state: State, unit: BattleUnit, edge: reserves.Edge, y: float | None) -> Places:
    """Return where a unit stands at the left or right edge, as its owner sees the board."""
    group = arriving_group(state, unit)
    if y is None:
        return places_at(group, None, None)
    at = point_at_edge(state.board, edge_seen(state.field, unit.side, edge), y, 4.0)
    return places_at(group, at.x, at.y)


OUTFLANKING = Action(
    "outflank",
    "Outflank",
    OutflankOrder,
    plan_outflanking,
    Procedure("outflank", (arrive_outflanking,)),
    closed=turn.closed_but_in("movement"),
    clauses=("DL-94.8",),
    earlier={"unplaced": True},
)


# --- deep strike ------------------------------------------------------------------------------------------------------


class DeepStrikeOrder(Inputs, frozen=True):
    """A unit arrives by deep strike: aimed at a point of the board, or at a zone with the inches to the next mishap.

    `bearings` are the directions of the opponent's tokens as the players have put them.
    """

    unit: str = OWN_UNIT
    x: Place | None = None
    y: Place | None = None
    zone: Literal["own", "neutral", "enemy"] | None = None
    hazard: Inches | None = asked(None, "Inches to anything that would cause a mishap")
    landed: Literal["own", "neutral", "enemy"] | None = asked(
        None, "Zone where it comes down, if that counts and there is no board", "DL-95.5"
    )
    tokens: Number | None = asked(None, "Scatter tokens used", "DL-95.2")
    bearings: tuple[Annotated[int, Meta(ge=0, le=360)], ...] = asked((), "Direction of each token")
    beacon: bool = asked(False, "A beacon forbids scatter", "DL-95.7")
    jammed: bool = asked(False, "Near a jamming beacon", "DL-SM-75.1")
    misplaced_x: Place | None = None
    misplaced_y: Place | None = None


@clause("DL-95.2", "DL-95.3", "DL-95.4", "DL-95.5", "DL-95.7")
def plan_deep_strike(state: State, order: DeepStrikeOrder) -> Plan:
    """Refuse units that do not arrive now, aims that are missing or off the table, and tokens that are not held."""
    need_landing(state, arriving_unit(state, order.unit, "deep_strike"), order)
    return Plan(begin_action, state, order)


@clause("DL-95.2", "DL-95.3", "DL-95.4", "DL-95.5", "DL-95.7")
def need_landing(state: State, unit: BattleUnit, order: DeepStrikeOrder) -> None:
    """Refuse a deep strike that cannot be aimed like this, or have so many tokens used on it."""
    at = _aim_of(order)
    unsaid = "say where it is aimed: x=… y=… on the board, or zone=own, neutral or enemy"
    need(order.zone is not None or at is not None, unsaid, "DL-95.5", "aim")
    if at is not None:
        off_table = f"{at.x:.4g}, {at.y:.4g} is not on the table; aim at a point that is"
        need(_is_on_table(state, at.x, at.y), off_table, "DL-95.3", "aim")
    if order.bearings and order.tokens is not None:
        directions = f"{order.tokens} tokens have {len(order.bearings)} directions"
        need(order.tokens == len(order.bearings), directions, "DL-95.2", "token")
    if order.misplaced_x is not None and order.misplaced_y is not None:
        barred = refuse_room(state, places_at(arriving_group(state, unit), order.misplaced_x, order.misplaced_y))
        if barred is not None:
            need(False, barred.reason, "DL-95.4", barred.kind)
    if at is None:
        raise_if_refused(deep_strike.refuse_zone(order.landed, state.rulings))
    else:
        _need_shown(state, unit, order, at)
    used = len(order.bearings) if order.bearings else order.tokens
    if used:
        raise_if_refused(deep_strike.refuse_tokens(deep_strike_of(state, unit, order), used))


def _is_on_table(state: State, x: float, y: float) -> bool:
    return 0 <= x <= state.board.width and 0 <= y <= state.board.depth


@clause("DL-95.5")
def _need_shown(state: State, unit: BattleUnit, order: DeepStrikeOrder, at: Point) -> None:
    """Refuse zones that are not as the board shows them, and those that it shows anyway."""
    shown = zone_at(state, unit.side, at.y)
    lies = f"y={at.y:.4g} lies in the {shown} zone of the board, not in the {order.zone} one"
    need(order.zone in (None, shown), f"{lies}; leave out zone, or aim elsewhere", "DL-95.5", "zone")
    for name in ("hazard", "landed"):
        reason = f"the board shows what {unit.name} may be pushed into, and where; leave out {name}, or x and y"
        need(getattr(order, name) is None, reason, "DL-95.5", "zone")


def zone_at(state: State, side: str, y: float) -> deep_strike.Zone:
    """Return the zone of a point as the arriving side sees it."""
    off = _from_edge(state, side, y)
    return "own" if off <= state.zone else "enemy" if off >= state.board.depth - state.zone else "neutral"


@clause("DL-95.5", "DL-95.7", "DL-SM-75.1")
def deep_strike_of(state: State, unit: BattleUnit, order: DeepStrikeOrder) -> deep_strike.DeepStrike:
    """Return a deep strike before the opponent's choices."""
    opponent = state.enemy_of(unit.side)
    held = state.player(opponent).tokens.scatter
    aim = _aim_of(order)
    zone: deep_strike.Zone = order.zone or zone_at(state, unit.side, aim.y if aim is not None else 0.0)
    rules = unit.profile.rules if isinstance(unit, Vehicle) else [rule for group in unit.groups for rule in group.rules]
    fixed = order.beacon or (isinstance(unit, Vehicle) and NO_SCATTER in rules) or _is_guided(state, unit.side, aim)
    jammed = order.jammed or _is_jammed(state, opponent, aim)
    most = deep_strike.token_limit(zone, held, jammed, fixed)
    outcomes: tuple[deep_strike.Outcomes, ...] = deep_strike.outcomes_at_distance(order.hazard, most)
    strike = deep_strike.DeepStrike(
        unit.name, unit.side, opponent, zone, held, outcomes, jammed, fixed, order.landed, state.rulings
    )
    if aim is None:
        return strike
    around = _threats_around(state, unit, _landing_bases(state, unit, aim))
    possible = deep_strike.landing_outcomes(around, most)
    outcomes = tuple(_outcomes_with_room(state, unit, aim, tokens, outcome) for tokens, outcome in enumerate(possible))
    zones = _mishap_zones(state, unit, aim, around, most) if state.rulings.zone_of == "landed" else ()
    return replace(strike, outcomes=outcomes, landing_zone=None, zones=zones)


@clause("DL-95.5", "DL-95.6")
def _mishap_zones(
    state: State, unit: BattleUnit, aim: Point, around: Sequence[deep_strike.Threat], most: int
) -> tuple[tuple[deep_strike.Zone, ...], ...]:
    """Return the zones in which 0, 1, 2, … tokens can push a unit into a mishap, the worst for it first.

    Looked at is what lies nearest, and an inch-wide net of places as far as the tokens reach.
    """
    found: list[tuple[deep_strike.Zone, ...]] = []
    for tokens in range(most + 1):
        straight_pushes = [
            (towards, 1.0 * inches)
            for inches in _push_lengths(tokens)
            for towards in range(0, 360, DIRECTION_STEP_DEGREES)
        ]
        places = {step(aim, towards, inches) for towards, inches in straight_pushes}
        pushes = (threat.directions(tokens) for threat in around if tokens and threat.is_met(tokens))
        places |= {deep_strike.bases_after_push((Base(aim, 1.0),), bearings)[0].centre for bearings in pushes}
        zones = {zone_at(state, unit.side, place.y) for place in places if not _is_clear(state, unit, place)}
        found.append(tuple(zone for zone in WORST_FIRST if zone in zones) or (zone_at(state, unit.side, aim.y),))
    return tuple(found)


def _push_lengths(tokens: int) -> Sequence[int]:
    """Return the inches that tokens may push a unit. Two or more may undo each other's push, one alone may not."""
    return range(scattered(tokens) + 1) if tokens > 1 else (scattered(tokens),)


def _is_jammed(state: State, opponent: str, aim: Point | None) -> bool:
    """Return whether the enemy has a jamming beacon near the point."""
    for unit in state.on_table(opponent):
        jams = isinstance(unit, Vehicle) and JAMMING_BEACON in unit.profile.rules
        if (
            aim is not None
            and jams
            and any(is_near_beacon(gap(footprint, aim)) for footprint in state.footprints(unit))
        ):
            return True
    return False


def _is_guided(state: State, side: str, aim: Point | None) -> bool:
    """Return whether friends with a beacon stand near the point."""
    for unit in state.on_table(side):
        guides = isinstance(unit, Squad) and unit.groups_with(NO_SCATTER)
        if (
            aim is not None
            and guides
            and any(is_near_beacon(gap(footprint, aim)) for footprint in state.footprints(unit))
        ):
            return True
    return False


def _landing_bases(state: State, unit: BattleUnit, aim: Point) -> tuple[Base, ...]:
    """Return the bases of a unit and its characters as they come down; a vehicle's middle, and points along its rim."""
    placed = places_at(arriving_group(state, unit), aim.x, aim.y)
    standing = [footprint for _, footprints in placed for footprint in footprints]
    return tuple(
        base
        for footprint in standing
        for base in ((footprint,) if isinstance(footprint, Base) else _rim_bases(footprint))
    )


def _rim_bases(hull: Hull) -> Iterator[Base]:
    """Yield a hull's middle as a base, and small bases along its rim, so near that nothing fits between them."""
    yield Base(hull.centre, min(hull.length, hull.width) / 2)
    for a, b in edges(corners(hull)):
        steps = ceil(apart(a, b) / OUTLINE_STEP)
        yield from (Base(between(a, b, number / steps), TOLERANCE) for number in range(steps))


def _threats_around(state: State, unit: BattleUnit, bases: tuple[Base, ...]) -> tuple[deep_strike.Threat, ...]:
    """Return everything that a landing unit may be pushed into."""
    field = state.field
    names = [member.name for member in arriving_group(state, unit)]
    enemies = [each for position in field.enemies_of(unit.side, *names) for each in position.footprints]
    friends = [each for position in field.on_table(*names, side=unit.side) for each in position.footprints]
    solid = [piece.shape for piece in field.laid_terrain if piece.is_impassable]
    return deep_strike.threats(bases, state.board, enemies, [*solid, *friends])


@clause("DL-95.2", "DL-95.3", "DL-95.4", "DL-95.5", "DL-95.6")
def arrive_by_deep_strike(tape: Tape, work: PendingAction) -> PendingAction:
    """Let the opponent push the arriving unit with tokens; it lands, or meets the mishap of its zone."""
    return land(tape, work, work.order.unit, work.order)


def land(tape: Tape, work: PendingAction, name: str, order: DeepStrikeOrder) -> PendingAction:
    """Carry out the deep strike of a unit: tokens, landing or mishap, and the terrain that it enters."""
    state, unit = work.state, work.state.find(name)
    group = arriving_group(state, unit)
    strike = deep_strike_of(state, unit, order)
    aim = _aim_of(order)
    landed = aim
    if order.bearings and aim is not None:
        bases = deep_strike.bases_after_push(_landing_bases(state, unit, aim), order.bearings)
        landed = bases[0].centre
        fate = "mishap" if deep_strike.is_mishap(_threats_around(state, unit, bases)) else "clear"
        used = len(order.bearings)
        zone = zone_at(state, unit.side, landed.y)
        strike = replace(strike, outcomes=((fate,),), tokens=used, held=strike.held - used, landing_zone=zone)
        strike = fold(deep_strike.DEEP_STRIKE.stages[1:], tape, strike)
    elif order.tokens is not None:
        strike = replace(strike, tokens=order.tokens, held=strike.held - order.tokens)
        strike = fold(deep_strike.DEEP_STRIKE.stages[1:], tape, strike)
    else:
        strike = fold(deep_strike.DEEP_STRIKE, tape, strike)
    work = spend_tokens(tape, work, strike.opponent, scatter=strike.tokens)
    if strike.fate == "lands":
        if landed is not None and strike.tokens and not order.bearings:
            ways = dict(_landing_places(state, unit, landed, strike.tokens))
            landed = ways[tape.choose(tuple(ways), by=strike.opponent, label=f"direction of {unit.name}")]
        at = landed
        return _come_down(tape, work, name, places_at(group, at.x if at else None, at.y if at else None))
    if strike.fate == "return_to_reserve":  # to come in the next turn, not in this one
        work = replace(work, state=replace(work.state, reserves_called=True))
        return replace(work, state=work.state.off_table(group, HELD))
    if strike.fate == "removed":
        return replace(work, state=work.state.off_table(group, OFF))
    places = _misplaced(tape, work.state, unit, order, strike.opponent)
    if not places:  # a table so full that the unit cannot be set up on it
        return replace(work, state=work.state.off_table(group, HELD))
    for footprint in places[0][1][:1]:
        tape.tell("{} stands at {:.1f}, {:.1f}", name, footprint.centre.x, footprint.centre.y, clause="DL-95.4")
    return _come_down(tape, work, name, places)


def _come_down(tape: Tape, work: PendingAction, name: str, places: Places) -> PendingAction:
    """Set up a unit that has come by deep strike; it enters the terrain there."""
    group = arriving_group(work.state, work.state.find(name))
    return enter_terrain(tape, work.with_units(*map(after_deep_strike, group)).with_places(places), name)


def _aim_of(order: DeepStrikeOrder) -> Point | None:
    """Return the point of the board that a deep strike is aimed at, if it is."""
    return None if order.x is None or order.y is None else Point(order.x, order.y)


@clause("DL-95.2", "DL-95.6")
def _landing_places(state: State, unit: BattleUnit, aim: Point, tokens: int) -> Iterator[tuple[str, Point]]:
    """Return where tokens on a unit may push it so that it lands: two or more may undo each other's push."""
    if tokens > 1 and _is_clear(state, unit, aim):
        yield "where it was aimed", aim
    for towards in range(0, 360, 45):
        (placed,) = deep_strike.bases_after_push((Base(aim, 1.0),), (float(towards),) * tokens)
        if _is_clear(state, unit, placed.centre):
            yield f"{scattered(tokens)} inches at {towards}°", placed.centre


def _outcomes_with_room(
    state: State, unit: BattleUnit, aim: Point, tokens: int, outcomes: deep_strike.Outcomes
) -> deep_strike.Outcomes:
    """Return what so many tokens can do; a unit without room wherever it is pushed meets a mishap."""
    if not tokens or next(_landing_places(state, unit, aim, tokens), None) is not None:
        return outcomes
    return ("mishap",)


def _is_clear(state: State, unit: BattleUnit, at: Point) -> bool:
    return refuse_room(state, places_at(arriving_group(state, unit), at.x, at.y)) is None


@clause("DL-95.4")
def _misplaced(tape: Tape, state: State, unit: BattleUnit, order: DeepStrikeOrder, opponent: str) -> Places:
    """Let the opponent place a misplaced unit: at a point, or in one of the corners of the board; () without room."""
    group = arriving_group(state, unit)
    if order.misplaced_x is not None and order.misplaced_y is not None:
        return places_at(group, order.misplaced_x, order.misplaced_y)
    if order.x is None:
        return places_at(group, None, None)
    width, depth = state.board.width, state.board.depth
    quarters = {"south-west": (4.0, 4.0), "south-east": (width - 4, 4.0)}
    quarters |= {"north-west": (4.0, depth - 4), "north-east": (width - 4, depth - 4)}
    free = _places_with_room(state, unit, quarters)
    if not free:
        grid = [(x, y) for x in range(4, int(width), 4) for y in range(4, int(depth), 4)]
        free = _places_with_room(state, unit, {f"({x}, {y})": (float(x), float(y)) for x, y in grid})
    return free[tape.choose(tuple(free), by=opponent, label=f"place of misplaced {unit.name}")] if free else ()


def _places_with_room(state: State, unit: BattleUnit, spots: Mapping[str, tuple[float, float]]) -> dict[str, Places]:
    """Return where a unit stands at each of these places where there is room."""
    placed = {name: places_at(arriving_group(state, unit), x, y) for name, (x, y) in spots.items()}
    return {name: places for name, places in placed.items() if refuse_room(state, places) is None}


def propose_strikes(state: State) -> Iterator[DeepStrikeOrder]:
    """Propose each unit that arrives where it has room at some points and objectives, and in the neutral zone."""
    aims = (*map(Point, (18.0, 36.0, 54.0), (24.0, 16.0, 30.0)), *(each.at for each in state.field.objectives))
    for position in state.field.waiting(state.active, ARRIVING):
        for aim in dict.fromkeys(aims):
            if _is_clear(state, state.find(position.name), aim):
                yield DeepStrikeOrder(unit=position.name, x=aim.x, y=aim.y)
        yield DeepStrikeOrder(unit=position.name, zone="neutral", hazard=3.0)


STRIKE = Action(
    "deep_strike",
    "Arrive by deep strike",
    DeepStrikeOrder,
    plan_deep_strike,
    Procedure("deep strike", (arrive_by_deep_strike,)),
    options=propose_strikes,
    measures=(
        SPENT,
        Measure("landed", "It lands", lambda work: int(work.state.where(work.state.find(work.order.unit)) == TABLE)),
    ),
    headline=headline,
    closed=turn.closed_but_in("movement"),
    clauses=("DL-95.2",),
)
