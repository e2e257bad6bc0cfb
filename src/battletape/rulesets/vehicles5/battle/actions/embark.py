"""Getting into and out of transports: `embark` and `disembark`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from battletape.cards import EACH, Inputs, at_once
from battletape.rulebook import Meta, Refused, clause, replace
from battletape.rulesets.vehicles5.battle import losses, start, turn
from battletape.rulesets.vehicles5.battle.actions._orders import mine
from battletape.rulesets.vehicles5.battle.state import Machine, Squad, State
from battletape.rulesets.vehicles5.profiles.book import doors
from battletape.rulesets.vehicles5.rules import transports
from battletape.table import bases, distances
from battletape.table.places import ACCESS


class Boarding(Inputs, frozen=True):
    """A squad boards a machine."""

    unit: str = ""
    machine: str = ""


class Exiting(Inputs, frozen=True):
    """A squad gets out: to places of its own, or to those found for it."""

    unit: Annotated[str, Meta(extra={"role": "passengers"})] = ""
    places: Annotated[tuple[start.Spot, ...], Meta(title="Where each model stands")] = ()
    emergency: Annotated[bool, Meta(extra={"role": EACH})] = False


@clause("V5-TRAN-5", "V5-TRAN-4", "V5-TRAN-2")
@turn.only(Squad, "board", "V5-TRAN-1", "movement")
def _refuse_boarding(state: State, squad: Squad, order: Boarding) -> Refused | None:
    machine = turn.of_kind(state, Machine, order.machine, "carry others", "V5-TRAN-1")
    if isinstance(machine, Refused):
        return machine
    refused = turn.refuse_squad(state, squad) or turn.refuse_gone(machine)
    if refused is None and machine.side != squad.side:
        refused = Refused(f"{machine.name} belongs to {machine.side}", "V5-TRAN-1", "side")
    unit = transports.Riders(squad.profile.type, len(squad.models), bool(squad.left))
    in_reach = transports.count_in_reach(squad.models, _ways(machine))
    return refused or transports.refuse_embark(state.situation(machine), unit, machine.profile.capacity, in_reach)


def _ways(machine: Machine) -> tuple[distances.Thing, ...]:
    return transports.entrances(machine.traits, machine.hull, doors(machine.profile))


def _board(state: State, order: Boarding) -> State:
    squad, machine = state.squad(order.unit), state.machine(order.machine)
    return state.changed(replace(squad, aboard=machine.name, boarded=True, moved=True))


def _places(
    state: State, squad: Squad, machine: Machine, order: Exiting
) -> tuple[transports.Placement, tuple[bases.Base, ...]]:
    """Where the models stand, and what kind of exit that is."""
    room = losses.room_about(state, machine, squad)
    if not order.places:
        return room.placement, room.places
    kind: transports.Placement = "hull" if machine.traits.open_topped else "access"
    no_room = order.emergency and room.placement not in ("access", "hull")
    places = tuple(bases.Base(point, squad.profile.base) for point in start.points(order.places))
    return ("emergency" if no_room else kind), places


@clause("V5-TRAN-6", "V5-TRAN-7", "V5-TRAN-8", "V5-TRAN-9", "V5-FAST-5")
@turn.only(Squad, "get out", "V5-TRAN-6", "movement")
def _refuse_exit(state: State, squad: Squad, order: Exiting) -> Refused | None:
    if not squad.aboard:
        return Refused(f"{squad.name}: not aboard anything", "V5-TRAN-6", "aboard")
    refused = turn.refuse_squad(state, squad, aboard=True)
    if refused is not None:
        return refused
    machine = state.machine(squad.aboard)
    placement, places = _places(state, squad, machine, order)
    way = transports.leave(replace(state.situation(machine), boarded=squad.boarded), placement)
    if isinstance(way, Refused):
        hint = "; places for the models may still be given" if placement == "none" and not order.places else ""
        return Refused(way.reason + hint, way.clause, way.kind)
    if order.emergency != (placement == "emergency"):
        what = "there is room at the entrances" if order.emergency else "only an emergency exit is possible"
        return Refused(f"{what}, so emergency must be {'no' if order.emergency else 'yes'}", "V5-TRAN-7", "emergency")
    if not order.places:
        return None
    if len(places) != len(squad.models):
        reason = f"places must be one for each of the {len(squad.models)} models; got {len(places)}"
        return Refused(reason, "V5-TRAN-6", "places")
    ways = (machine.hull,) if order.emergency else _ways(machine)
    enemy = tuple(state.foes_of(squad))
    return transports.refuse_places(places, ways, state.in_the_way(side=squad.side), enemy)


@clause("V5-TRAN-8", "V5-TRAN-9", "V5-OPEN-3")
def _leave(state: State, order: Exiting) -> State:
    squad = state.squad(order.unit)
    machine = state.machine(squad.aboard)
    placement, places = _places(state, squad, machine, order)
    out = losses.got_out(squad, machine, places, placement == "emergency")
    return state.changed(out, replace(machine, exit_after_move=machine.exit_after_move or machine.path > 0))


def _boardings(state: State) -> Iterator[Boarding]:
    for squad in mine(state, Squad, "movement"):
        for carrier in mine(state, Machine, "movement"):
            way = min(distances.gap(model, carrier.hull) for model in squad.models)
            if carrier.profile.capacity and not squad.aboard and way <= ACCESS:
                yield Boarding(unit=squad.name, machine=carrier.name)


EMBARK = at_once(
    "embark", "Board a transport", Boarding, _refuse_boarding, _board, "V5-TRAN-5", "V5-TRAN-1", options=_boardings
)
DISEMBARK = at_once("disembark", "Get out of a transport", Exiting, _refuse_exit, _leave, "V5-TRAN-6", "V5-TRAN-7")
