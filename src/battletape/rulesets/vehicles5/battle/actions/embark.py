"""Getting into and out of transports: `embark` and `disembark`."""

from __future__ import annotations

from collections.abc import Iterator

from battletape.cards import EACH, Action, Inputs, Plan, asked
from battletape.field.measure import distance
from battletape.field.setup import Spot, points_of
from battletape.field.state import ABOARD
from battletape.rulebook import Refused, Tape, clause, need, raise_if_refused, replace
from battletape.rulesets.vehicles5.battle import losses, turn
from battletape.rulesets.vehicles5.battle.actions._orders import mine
from battletape.rulesets.vehicles5.battle.state import Squad, State, Vehicle, did
from battletape.rulesets.vehicles5.profiles.book import doors
from battletape.rulesets.vehicles5.rules import transports
from battletape.table.bases import Base
from battletape.table.distances import Thing
from battletape.table.places import ACCESS


class EmbarkOrder(Inputs, frozen=True):
    """A squad boards a vehicle."""

    aliases = (("machine", "target"),)
    unit: str = ""
    target: str = ""


class DisembarkOrder(Inputs, frozen=True):
    """A squad gets out: to places of its own, or to those found for it."""

    unit: str = asked("", role="squad")
    places: tuple[Spot, ...] = asked((), "Where each model stands")
    emergency: bool = asked(False, role=EACH)


@clause("V5-TRAN-5", "V5-TRAN-4", "V5-TRAN-2")
def plan_boarding(state: State, order: EmbarkOrder) -> Plan:
    """Refuse to board a vehicle that is full, of the other side, or too far away."""
    squad = turn.acting_as(Squad, state, order.unit, "board", "V5-TRAN-1", "movement")
    vehicle = turn.unit_of_kind(Vehicle, state.find(order.target), "carry others", "V5-TRAN-1")
    turn.need_free(state, squad)
    turn.need_there(vehicle)
    need(vehicle.side == squad.side, f"{vehicle.name} belongs to {vehicle.side}", "V5-TRAN-1", "side")
    unit = transports.BoardingUnit(squad.profile.type, squad.models, bool(squad.done.exit_kind))
    in_reach = transports.count_in_reach(state.bases(squad.name), _entrances(state, vehicle))
    raise_if_refused(transports.refuse_embark(state.situation(vehicle), unit, vehicle.profile.capacity, in_reach))
    return Plan(board, state, squad, vehicle)


@clause("V5-TRAN-5", "V5-TRAN-4")
def board(tape: Tape, state: State, squad: Squad, vehicle: Vehicle) -> State:
    """Put a squad aboard a vehicle."""
    tape.tell("{}: aboard {}", squad.name, vehicle.name)
    aboard = replace(state, field=state.field.off_table(squad.name, ABOARD, vehicle.name))
    return aboard.with_units(did(squad, boarded=True, moved=True))


def _entrances(state: State, vehicle: Vehicle) -> tuple[Thing, ...]:
    return transports.entrances(vehicle.traits, state.hull(vehicle.name), doors(vehicle.profile))


def _places(
    state: State, squad: Squad, vehicle: Vehicle, order: DisembarkOrder
) -> tuple[transports.Placement, tuple[Base, ...]]:
    """Return where the models stand, and what kind of exit that is."""
    room = losses.exit_places(state, vehicle, squad)
    if not order.places:
        return room.placement, room.places
    kind: transports.Placement = "hull" if vehicle.traits.open_topped else "access"
    no_room = order.emergency and room.placement not in ("access", "hull")
    places = tuple(Base(point, squad.profile.base) for point in points_of(order.places))
    return ("emergency" if no_room else kind), places


@clause("V5-TRAN-6", "V5-TRAN-7", "V5-TRAN-8", "V5-TRAN-9", "V5-FAST-5", "V5-OPEN-3")
def plan_exit(state: State, order: DisembarkOrder) -> Plan:
    """Refuse squads that may not get out now, and places without room."""
    squad = turn.acting_as(Squad, state, order.unit, "get out", "V5-TRAN-6", "movement")
    transport = state.transport_of(squad.name)
    need(transport, f"{squad.name}: not aboard anything", "V5-TRAN-6", "aboard")
    turn.need_free(state, squad, aboard=True)
    vehicle = state.vehicle(transport)
    placement, places = _places(state, squad, vehicle, order)
    way = transports.exit_by_choice(replace(state.situation(vehicle), boarded=squad.done.boarded), placement)
    if isinstance(way, Refused):
        hint = "; places for the models may still be given" if placement == "none" and not order.places else ""
        raise_if_refused(Refused(way.reason + hint, way.clause, way.kind))
    what = "there is room at the entrances" if order.emergency else "only an emergency exit is possible"
    says = f"{what}, so emergency must be {'no' if order.emergency else 'yes'}"
    need(order.emergency == (placement == "emergency"), says, "V5-TRAN-7", "emergency")
    if order.places:
        wrong = f"places must be one for each of the {squad.models} models; got {len(places)}"
        need(len(places) == squad.models, wrong, "V5-TRAN-6", "places")
        ways = (state.hull(vehicle.name),) if order.emergency else _entrances(state, vehicle)
        solid, enemies = state.obstacles(side=squad.side), state.enemy_footprints(squad.side)
        raise_if_refused(transports.refuse_places(places, ways, solid, enemies))
    return Plan(get_out, state, squad, vehicle, places, placement == "emergency")


@clause("V5-TRAN-6", "V5-TRAN-8")
def get_out(
    tape: Tape, state: State, squad: Squad, vehicle: Vehicle, places: tuple[Base, ...], emergency: bool
) -> State:
    """Set a squad up about its vehicle."""
    out: State = tape.call(losses.get_out, state, squad, vehicle, places, emergency)
    return out.with_units(did(vehicle, exit_after_move=vehicle.done.exit_after_move or vehicle.done.path > 0))


def propose_boardings(state: State) -> Iterator[EmbarkOrder]:
    """Propose each transport close by."""
    for squad in mine(state, Squad):
        for carrier in mine(state, Vehicle):
            way = distance(state.field, squad.name, carrier.name)
            if carrier.profile.capacity and not state.transport_of(squad.name) and way is not None and way <= ACCESS:
                yield EmbarkOrder(unit=squad.name, target=carrier.name)


EMBARK = Action(
    "embark",
    "Board a transport",
    EmbarkOrder,
    plan_boarding,
    options=propose_boardings,
    clauses=("V5-TRAN-5", "V5-TRAN-1"),
)
DISEMBARK = Action("disembark", "Get out of a transport", DisembarkOrder, plan_exit, clauses=("V5-TRAN-6", "V5-TRAN-7"))
