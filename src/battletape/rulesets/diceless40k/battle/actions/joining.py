"""Joining and riding: characters `join` and `leave` units, units `embark` in transports and `disembark`."""

from __future__ import annotations

from battletape.cards import Action, Inputs, Plan, asked
from battletape.field.setup import Place
from battletape.field.state import ABOARD, TABLE
from battletape.rulebook import Procedure, Tape, clause, inches, need, raise_if_refused, replace
from battletape.rulesets.diceless40k.battle import moves, turn
from battletape.rulesets.diceless40k.battle.actions._orders import OWN_SQUAD, OWN_VEHICLE, SquadOrder
from battletape.rulesets.diceless40k.battle.ground import enter_terrain
from battletape.rulesets.diceless40k.battle.pending import PendingAction, subject
from battletape.rulesets.diceless40k.battle.start import Distance
from battletape.rulesets.diceless40k.battle.state import COHERENCY, Places, Squad, State, Vehicle
from battletape.rulesets.diceless40k.rules.characteristics import INDEPENDENT
from battletape.table.bases import Base
from battletape.table.distances import gap, is_within
from battletape.table.hulls import Hull
from battletape.table.points import Point, step

ROOM = 0.1  # inches between a hull and a unit that gets out of it


class JoinOrder(Inputs, frozen=True):
    """A character joins a unit."""

    unit: str = asked("", "Which character", role="character")
    target: str = asked("", "Which unit", role="other troop")
    distance: Distance = None


@clause("DL-8.3")
def plan_joining(state: State, order: JoinOrder) -> Plan:
    """Refuse units that are no independent character, and targets that are no friends within 2 inches."""
    need_character(state, order.unit)
    units = (squad for squad in state.squads if squad.side == state.active and not squad.is_character)
    turn.need_any(state, order.target, units, f"{state.active} has no unit that a character could join", "DL-8.3")
    character = turn.acting_squad(state, order.unit, otherwise="only characters join units")
    unit = turn.of_kind(Squad, state.find(order.target), "is a vehicle; characters join units of models")
    turn.need_free(state, character)
    turn.need_free(state, unit)
    cannot = f"{character.name} cannot join {unit.name}"
    fits = character.is_character and not unit.is_character and unit.side == character.side and state.is_on_table(unit)
    need(fits, cannot, "DL-8.3", "join")
    distance = moves.distance_to(state, character, unit, order.distance, "DL-8.3")
    far = f"{unit.name} is {inches(distance)} away; a unit that joins is within {COHERENCY}"
    need(distance <= COHERENCY, far, "DL-8.3", "distance")
    return Plan(join_unit, state, character, unit.name)


@clause("DL-8.3")
def need_character(state: State, name: str) -> None:
    """Refuse an order that names no independent character of a side that has none left."""
    characters = (squad for squad in state.squads if squad.side == state.active and squad.groups_with(INDEPENDENT))
    turn.need_any(state, name, characters, f"{state.active} has no independent character left", "DL-8.3")


@clause("DL-8.3")
def join_unit(tape: Tape, state: State, character: Squad, unit: str) -> State:
    """Let a character join a unit."""
    tape.tell("{} joins {}", character.name, unit)
    return state.with_units(replace(character, joined=unit))


class LeaveOrder(Inputs, frozen=True):
    """A character leaves its unit."""

    unit: str = asked("", "Which character", role="character")


@clause("DL-8.3")
def plan_leaving(state: State, order: LeaveOrder) -> Plan:
    """Refuse a character that has joined no unit, or may not leave it now: it has moved, fights, or flees."""
    need_character(state, order.unit)
    character = turn.acting_squad(state, order.unit, otherwise="only characters leave units")
    need(character.joined, f"{character.name} has joined no unit", "DL-8.3", "joined")
    hindered = character.moved or character.combat or character.falling_back or character.gone_to_ground
    need(not hindered, f"{character.name} cannot leave {character.joined} now", "DL-8.3", "moved")
    return Plan(leave_unit, state, character)


@clause("DL-8.3")
def leave_unit(tape: Tape, state: State, character: Squad) -> State:
    """Let a character leave its unit."""
    tape.tell("{} leaves {}", character.name, character.joined)
    return state.with_units(replace(character, joined=""))


class EmbarkOrder(Inputs, frozen=True):
    """A unit gets into a vehicle."""

    aliases = (("machine", "target"),)
    unit: str = OWN_SQUAD
    target: str = OWN_VEHICLE
    distance: Distance = None


@clause("DL-0.1")
def plan_embarking(state: State, order: EmbarkOrder) -> Plan:
    """Refuse vehicles without room, too far away or with passengers, and units that do not ride."""
    turn.need_vehicle(state, order.target, state.active)
    unit = turn.acting_squad(state, order.unit, otherwise="only units of models get into vehicles")
    vehicle = turn.of_kind(Vehicle, state.find(order.target), "is no vehicle that a unit could get into")
    turn.need_free(state, unit)
    here = vehicle.side == unit.side and state.is_on_table(vehicle) and not vehicle.combat
    need(here, f"no unit gets into {vehicle.name} now", "DL-0.1", "machine")
    need(unit.type == "infantry", f"{unit.name} is no infantry and does not ride in vehicles", "DL-0.1", "type")
    members = state.joined_units(unit)
    number, room = sum(member.count for member in members), vehicle.profile.capacity
    for passengers in state.passengers(vehicle.name)[:1]:
        need(False, f"{vehicle.name} carries {passengers.name}", "DL-0.1", "room")
    need(number <= room, f"{vehicle.name} has room for {room}, not {number}", "DL-0.1", "room")
    distance = moves.distance_to(state, unit, vehicle, order.distance, "DL-0.1")
    far = f"{vehicle.name} is {inches(distance)} away; {COHERENCY} are allowed"
    need(distance <= COHERENCY, far, "DL-0.1", "distance")
    return Plan(embark, state, members, vehicle.name)


@clause("DL-0.1")
def embark(tape: Tape, state: State, members: tuple[Squad, ...], vehicle: str) -> State:
    """Let a unit and the characters with it get into a vehicle."""
    tape.tell("{} {} into {}", *subject(members, "gets", "get"), vehicle)
    state = state.with_units(*(replace(member, moved=True) for member in members))
    return state.off_table(members, ABOARD, vehicle)


class DisembarkOrder(SquadOrder, frozen=True):
    """A unit gets out; x and y are the place of its first model, where there is a board."""

    x: Place | None = None
    y: Place | None = None


class PendingDisembarking(PendingAction, frozen=True, kw_only=True):
    """A unit about to get out of its vehicle, with its characters, and where they will stand."""

    out: tuple[Squad, ...]
    places: Places


def begin_disembarking(
    tape: Tape, state: State, order: DisembarkOrder, out: tuple[Squad, ...], places: Places
) -> PendingDisembarking:
    """Return passengers as they are about to get out."""
    return PendingDisembarking(state, order, out=out, places=places)


@clause("DL-0.1")
def plan_disembarking(state: State, order: DisembarkOrder) -> Plan:
    """Refuse units that ride in no vehicle, or in one that went too fast, and places without room."""
    unit = turn.of_kind(Squad, state.find(order.unit), "is a vehicle; its passengers disembark")
    turn.need_own(state, unit)
    aboard = state.where(unit) == ABOARD and not unit.is_destroyed and not unit.joined
    need(aboard, f"{unit.name} does not ride in a vehicle of its own", "DL-0.1", "aboard")
    vehicle = state.vehicle(state.carrier(unit))
    need(not unit.moved, f"{unit.name} has got in this turn", "DL-0.1", "moved")
    on_table = state.where(vehicle) == TABLE
    need(on_table, f"{vehicle.name} is not on the table; it has to arrive first", "DL-0.1", "away")
    slow = not vehicle.moved or vehicle.arrived_this_turn or vehicle.speed in ("immobile", "combat")
    need(slow, f"{vehicle.name} goes too fast to get out of it", "DL-0.1", "speed")
    members = state.joined_units(unit)
    out = tuple(replace(member, moved=True, cannot_assault=vehicle.moved) for member in members)
    return Plan(begin_disembarking, state, order, out, _places_outside(state, vehicle, out, order))


@clause("DL-0.1")
def _places_outside(state: State, vehicle: Vehicle, out: tuple[Squad, ...], order: DisembarkOrder) -> Places:
    """Return where a unit gets out, within 2 inches of the hull: as ordered, or else behind it or on another side."""
    hulls = state.field.position(vehicle.name).hulls
    if not hulls:
        return tuple((member.name, ()) for member in out)
    (hull,) = hulls
    if order.x is not None and order.y is not None:
        spots = [Point(order.x, order.y)]
        _need_place(state, vehicle, hull, out, spots[0])
    else:
        off = max(member.base for member in out) + ROOM
        sides = ((180, hull.length), (90, hull.width), (-90, hull.width), (0, hull.length))
        spots = [step(hull.centre, hull.heading + side, size / 2 + off) for side, size in sides]
    places = next(filter(None, (moves.places_near(state, out, spot, hull) for spot in spots)), ())
    need(places, f"there is no room for {out[0].name} within {COHERENCY} inches of {vehicle.name}", "DL-0.1", "room")
    return places


@clause("DL-0.1")
def _need_place(state: State, vehicle: Vehicle, hull: Hull, out: tuple[Squad, ...], spot: Point) -> None:
    """Refuse a place for the first model that is not within 2 inches of the hull, or taken."""
    first = Base(spot, max(member.base for member in out))
    if not is_within(first, hull, COHERENCY):
        far = f"{out[0].name} would stand {inches(gap(first, hull))} from {vehicle.name}"
        need(False, f"{far}; a unit that gets out stands within {COHERENCY} of it", "DL-0.1", "distance")
    raise_if_refused(moves.refuse_room(state, ((out[0].name, (first,)),)))


@clause("DL-0.1", "DL-14.2", "DL-SM-67.1")
def get_out(tape: Tape, work: PendingDisembarking) -> PendingAction:
    """Place a unit beside its vehicle; it has entered what lies there."""
    unit = work.state.squad(work.out[0].name)
    tape.tell("{} {} out of {}", *subject(work.out, "gets", "get"), work.state.carrier(unit))
    return enter_terrain(tape, work.with_units(*work.out).with_places(work.places), unit.name)


JOIN = Action(
    "join", "Join a unit", JoinOrder, plan_joining, closed=turn.closed_but_in("movement"), clauses=("DL-8.3",)
)
LEAVE = Action(
    "leave", "Leave a unit", LeaveOrder, plan_leaving, closed=turn.closed_but_in("movement"), clauses=("DL-8.3",)
)
EMBARK = Action(
    "embark",
    "Get into a vehicle",
    EmbarkOrder,
    plan_embarking,
    closed=turn.closed_but_in("movement"),
    clauses=("DL-0.1",),
)
DISEMBARK = Action(
    "disembark",
    "Get out of a vehicle",
    DisembarkOrder,
    plan_disembarking,
    Procedure("getting out", (get_out,)),
    closed=turn.closed_but_in("movement"),
    clauses=("DL-0.1",),
)
