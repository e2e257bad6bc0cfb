"""Who is with whom: characters `join` and `leave` units, units `embark` in transports and `disembark`."""

from __future__ import annotations

from typing import Annotated

from battletape.cards import Inputs
from battletape.cards import refusing as Action
from battletape.cards import refusing_at_once as at_once
from battletape.rulebook import Meta, Procedure, Refused, Tape, clause, replace
from battletape.rulebook import inches as told_inches
from battletape.rulesets.diceless40k.battle.actions._orders import OWN_MACHINE, OWN_TROOP, OneTroop
from battletape.rulesets.diceless40k.battle.board import COHERENCY, crowded, known_distance, refuse_place
from battletape.rulesets.diceless40k.battle.deed import Deed, begin_deed, finish_deed
from battletape.rulesets.diceless40k.battle.ground import set_foot
from battletape.rulesets.diceless40k.battle.start import Distance, Place
from battletape.rulesets.diceless40k.battle.state import State, Troop
from battletape.rulesets.diceless40k.battle.turn import refuse_over, refuse_troop, refuse_turn
from battletape.table.bases import Base
from battletape.table.distances import gap, is_within
from battletape.table.points import Point, step

ROOM = 0.1  # inches between a hull and who gets out of it


class Join(Inputs, frozen=True):
    """A character joins a unit."""

    unit: Annotated[str, Meta(title="Which character", extra={"role": "character"})] = ""
    target: Annotated[str, Meta(title="Which unit", extra={"role": "other troop"})] = ""
    distance: Distance = None


@clause("DL-8.3")
def refuse_join(state: State, order: Join) -> Refused | None:
    """Only an independent character joins, and only a friendly unit within 2 inches."""
    refused = refuse_turn(state, order.unit, "movement")
    if refused is not None:
        return refused
    character, unit = state.troop(order.unit), state.troop(order.target)
    refused = refuse_troop(state, character) or refuse_troop(state, unit, locked=False)
    if refused is not None:
        return refused
    if not character.is_character or unit.is_character or unit.side != character.side or unit.where != "table":
        return Refused(f"{character.name} cannot join {unit.name}", "DL-8.3", "join")
    near = known_distance(state, character, unit, order.distance, "DL-8.3")
    if isinstance(near, Refused):
        return near
    if near is not None and near > COHERENCY:
        return Refused(
            f"{unit.name} is {told_inches(near)} away; who joins is within {COHERENCY}", "DL-8.3", "distance"
        )
    return None


def _join(state: State, order: Join) -> State:
    return state.changed(replace(state.troop(order.unit), joined=state.troop(order.target).name))


JOIN = at_once("join", "Join a unit", Join, refuse_join, _join, "DL-8.3")


class Leave(Inputs, frozen=True):
    """A character leaves its unit."""

    unit: Annotated[str, Meta(title="Which character", extra={"role": "character"})] = ""


@clause("DL-8.3")
def refuse_leave(state: State, order: Leave) -> Refused | None:
    """A character leaves in its own side's Movement phase, before anybody of the unit has moved."""
    refused = refuse_turn(state, order.unit, "movement")
    if refused is not None:
        return refused
    character = state.troop(order.unit)
    if not character.joined:
        return Refused(f"{character.name} has joined nobody", "DL-8.3", "joined")
    if character.moved or character.combat or character.falling_back or character.gone_to_ground:
        return Refused(f"{character.name} cannot leave {character.joined} now", "DL-8.3", "moved")
    return None


def _leave(state: State, order: Leave) -> State:
    return state.changed(replace(state.troop(order.unit), joined=""))


LEAVE = at_once("leave", "Leave a unit", Leave, refuse_leave, _leave, "DL-8.3")


class Embark(Inputs, frozen=True):
    """A unit gets into a vehicle."""

    unit: str = OWN_TROOP
    machine: str = OWN_MACHINE
    distance: Distance = None


@clause("DL-0.1")
def refuse_embark(state: State, order: Embark) -> Refused | None:
    """Why a unit may not get in: no room, too far, another one inside, or not on foot."""
    refused = refuse_turn(state, order.unit, "movement")
    if refused is not None:
        return refused
    unit, machine = state.troop(order.unit), state.machine(order.machine)
    refused = refuse_troop(state, unit)
    if refused is not None:
        return refused
    if machine.side != unit.side or machine.is_gone or machine.where != "table" or machine.combat:
        return Refused(f"nobody gets into {machine.name} now", "DL-0.1", "machine")
    if unit.type != "infantry":
        return Refused(f"{unit.name} is no infantry and does not ride in vehicles", "DL-0.1", "type")
    inside = state.riders(machine.name)
    number = sum(member.count for member in state.company(unit))
    if inside or number > machine.profile.capacity:
        room = f"carries {inside[0].name}" if inside else f"has room for {machine.profile.capacity}, not {number}"
        return Refused(f"{machine.name} {room}", "DL-0.1", "room")
    near = known_distance(state, unit, machine, order.distance, "DL-0.1")
    if isinstance(near, Refused):
        return near
    if near is not None and near > COHERENCY:
        return Refused(f"{machine.name} is {told_inches(near)} away; {COHERENCY} are allowed", "DL-0.1", "distance")
    return None


def _embark(state: State, order: Embark) -> State:
    members = state.company(state.troop(order.unit))
    name = state.machine(order.machine).name
    riding = (replace(member, where="aboard", aboard=name, models=(), moved=True) for member in members)
    return state.changed(*riding)


EMBARK = at_once("embark", "Get into a vehicle", Embark, refuse_embark, _embark, "DL-0.1")


class Disembark(OneTroop, frozen=True):
    """A unit gets out; x and y are the place of its first model, where there is a board."""

    x: Place | None = None
    y: Place | None = None


@clause("DL-0.1")
def refuse_disembark(state: State, order: Disembark) -> Refused | None:
    """Why a unit may not get out: its vehicle went too fast, or there is no room."""
    refused = refuse_over(state)
    unit = state.troop(order.unit)
    if refused is not None:
        return refused
    if unit.side != state.active or state.phase != "movement":
        return Refused("units get out in their own Movement phase", "DL-0.1", "phase")
    if unit.where != "aboard" or unit.is_gone or unit.joined:
        return Refused(f"{unit.name} does not ride in a vehicle of its own", "DL-0.1", "aboard")
    machine = state.machine(unit.aboard)
    if unit.moved:
        return Refused(f"{unit.name} has got in this turn", "DL-0.1", "moved")
    if machine.where != "table":
        return Refused(f"{machine.name} is not on the table; it has to arrive first", "DL-0.1", "away")
    if machine.moved and not machine.has_come_down and machine.speed not in ("immobile", "combat"):
        return Refused(f"{machine.name} goes too fast to get out of it", "DL-0.1", "speed")
    out = _out(state, order)
    return out if isinstance(out, Refused) else None


@clause("DL-0.1")
def _out(state: State, order: Disembark) -> tuple[Troop, ...] | Refused:
    """Everybody who gets out, within 2 inches of the hull: where it is said, or else behind it or on another side."""
    unit = state.troop(order.unit)
    machine = state.machine(unit.aboard)
    company = state.company(unit)
    out = tuple(replace(rider, where="table", aboard="", moved=True, exit=machine.moved) for rider in company)
    hull = machine.hull
    if hull is None:
        return tuple(replace(rider, models=()) for rider in out)
    if order.x is not None and order.y is not None:
        at = Point(order.x, order.y)
        first = Base(at, max(rider.base for rider in out))
        if not is_within(first, hull, COHERENCY):
            reason = f"{unit.name} would stand {told_inches(gap(first, hull))} from {machine.name}"
            return Refused(f"{reason}; who gets out stands within {COHERENCY} of it", "DL-0.1", "distance")
        refused = refuse_place(state, out[0], (first,))
        if refused is not None:
            return refused
        spots = [at]
    else:
        off = max(rider.base for rider in out) + ROOM
        sides = ((180, hull.length), (90, hull.width), (-90, hull.width), (0, hull.length))
        spots = [step(hull.centre, hull.heading + turn, size / 2 + off) for turn, size in sides]
    there = next(filter(None, (crowded(state, out, spot, hull) for spot in spots)), None)
    reason = f"there is no room for {unit.name} within {COHERENCY} inches of {machine.name}"
    return there if there is not None else Refused(reason, "DL-0.1", "room")


@clause("DL-0.1", "DL-14.2", "DL-SM-67.1")
def get_out(tape: Tape, deed: Deed) -> Deed:
    """A unit stands beside its vehicle, and has entered what lies there."""
    out = _out(deed.state, deed.order)
    if isinstance(out, Refused):
        raise out
    return set_foot(tape, deed.with_units(*out), out[0].name)


DISEMBARK = Action(
    "disembark",
    "Get out of a vehicle",
    Disembark,
    refuse_disembark,
    begin_deed,
    Procedure("getting out", (get_out,)),
    finish_deed,
    clauses=("DL-0.1",),
)
