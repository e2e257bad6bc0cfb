"""Getting into and out of transports: `embark` and `disembark`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.rulesets.vehicles5.battle.actions._orders import at_once, machine_of, mine, squad_of
from battletape.rulesets.vehicles5.battle.destruction import room_about
from battletape.rulesets.vehicles5.battle.start import Spot
from battletape.rulesets.vehicles5.battle.state import Field, Left, Machine, Squad
from battletape.rulesets.vehicles5.battle.table import in_the_way, points
from battletape.rulesets.vehicles5.battle.turn import refuse_gone, refuse_squad, refuse_turn
from battletape.rulesets.vehicles5.profiles.book import doors
from battletape.rulesets.vehicles5.rules import transports
from battletape.rulesets.vehicles5.rules.traits import State, Traits
from battletape.rulesets.vehicles5.rules.transports import Exit, Placement
from battletape.table.bases import Base
from battletape.table.distances import gap
from battletape.table.places import ACCESS


class Boarding(Inputs, frozen=True):
    """A squad boards a machine."""

    unit: str = ""
    machine: str = ""


class Exiting(Inputs, frozen=True):
    """A squad gets out: to places of its own, or to those found for it."""

    unit: str = ""
    places: Annotated[tuple[Spot, ...], Meta(title="Where each model stands")] = ()
    emergency: bool = False


# --- getting in -----------------------------------------------------------------------------------------------------


@clause("V5-TRAN-5", "V5-TRAN-4", "V5-TRAN-2")
def refuse_boarding(field: Field, order: Boarding) -> Refused | None:
    """Why a squad may not board."""
    refused = refuse_turn(field, order.unit, "movement")
    if refused is not None:
        return refused
    squad = squad_of(field, order.unit, "board", "V5-TRAN-1")
    machine = machine_of(field, order.machine, "carry others", "V5-TRAN-1")
    if isinstance(squad, Refused) or isinstance(machine, Refused):
        return squad if isinstance(squad, Refused) else machine if isinstance(machine, Refused) else None
    refused = refuse_squad(field, squad) or refuse_gone(machine)
    if refused is None and machine.side != squad.side:
        refused = Refused(f"{machine.name} belongs to {machine.side}", "V5-TRAN-1", "side")
    if refused is not None:
        return refused
    ways = transports.entrances(machine.traits, machine.hull, doors(machine.profile))
    return transports.refuse_embark(
        squad.profile.type,
        len(squad.models),
        machine.profile.capacity,
        sum(len(one.models) for one in field.passengers(machine)),
        transports.count_in_reach(squad.models, ways),
        machine.traits,
        machine.band,
        bool(squad.left),
        field.phase,
        field.condition(machine).state,
        field.rules,
    )


def _board(field: Field, order: Boarding) -> Field:
    squad, machine = field.squad(order.unit), field.machine(order.machine)
    return field.changed(replace(squad, aboard=machine.name, boarded=True, moved=True))


# --- getting out ----------------------------------------------------------------------------------------------------


def _places(field: Field, squad: Squad, machine: Machine, order: Exiting) -> tuple[Placement, tuple[Base, ...]]:
    """Where the models stand, and what kind of exit that is."""
    if order.places:
        kind: Placement = "hull" if machine.traits.open_topped else "access"
        found = tuple(Base(one, squad.profile.base) for one in points(order.places))
        return ("emergency" if order.emergency else kind), found
    room = room_about(field, machine, squad)
    return room.placement, room.places


@clause("V5-TRAN-6", "V5-TRAN-7", "V5-TRAN-8", "V5-TRAN-9", "V5-FAST-5")
def refuse_exit(field: Field, order: Exiting) -> Refused | None:
    """Why a squad may not get out like this."""
    refused = refuse_turn(field, order.unit, "movement")
    if refused is not None:
        return refused
    squad = squad_of(field, order.unit, "get out", "V5-TRAN-6")
    if isinstance(squad, Refused):
        return squad
    if not squad.aboard:
        return Refused(f"{squad.name}: aboard nothing", "V5-TRAN-6", "aboard")
    refused = refuse_squad(field, squad, aboard=True)
    if refused is not None:
        return refused
    machine = field.machine(squad.aboard)
    placement, places = _places(field, squad, machine, order)
    way = _exit(field, squad, machine, placement)
    if isinstance(way, Refused):
        hint = "; places of one's own may still be given" if placement == "none" and not order.places else ""
        return Refused(way.reason + hint, way.clause, way.kind)
    if order.emergency != (placement == "emergency"):
        what = "there is room at the entrances" if order.emergency else "only an emergency exit is possible"
        return Refused(f"{what}, so emergency wants {'no' if order.emergency else 'yes'}", "V5-TRAN-7", "emergency")
    return _refuse_places(field, squad, machine, order, places) if order.places else None


def _refuse_places(
    field: Field, squad: Squad, machine: Machine, order: Exiting, places: Sequence[Base]
) -> Refused | None:
    if len(places) != len(squad.models):
        reason = f"places wants one for each of the {len(squad.models)} models; got {len(places)}"
        return Refused(reason, "V5-TRAN-6", "places")
    ways = transports.entrances(machine.traits, machine.hull, doors(machine.profile))
    if order.emergency:
        usual = room_about(field, machine, squad)
        if usual.placement in ("access", "hull"):
            return Refused("there is room at the entrances, so that it is no emergency", "V5-TRAN-7", "emergency")
        ways = (machine.hull,)
    enemy = tuple(field.bodies(side=field.other_side(squad.side)))
    return transports.refuse_places(places, ways, in_the_way(field, side=squad.side), enemy)


def _exit(field: Field, squad: Squad, machine: Machine, placement: Placement) -> Exit | Refused:
    state = field.condition(machine).state
    boarded, rules = squad.boarded, field.rules
    return transports.leave(
        machine.traits, machine.path > 0, machine.band, state, boarded, placement, field.phase, None, rules
    )


@clause("V5-TRAN-8", "V5-TRAN-9", "V5-OPEN-3")
def _leave(field: Field, order: Exiting) -> Field:
    squad = field.squad(order.unit)
    machine = field.machine(squad.aboard)
    placement, places = _places(field, squad, machine, order)
    moved = machine.path > 0
    left: Left = "emergency" if placement == "emergency" else "after_move" if moved else "before_move"
    out = replace(
        squad,
        models=places,
        aboard="",
        left=left,
        left_from=machine.name,
    )
    return field.changed(out, replace(machine, exit_after_move=machine.exit_after_move or moved))


def exit_of(field: Field, squad: Squad) -> Exit | None:
    """How a squad got out this turn, and what that lets it do; None if it did not."""
    if not squad.left:
        return None
    machine = field.machine(squad.left_from) if squad.left_from else None
    traits = machine.traits if machine else Traits()
    state = field.condition(machine).state if machine else State()
    return transports.exit_from(traits, squad.left == "after_move", state, squad.left == "emergency", field.rules)


# --- the cards ------------------------------------------------------------------------------------------------------


def _boardings(field: Field) -> Iterator[Boarding]:
    units = mine(field, "movement")
    carriers = [one for one in units if isinstance(one, Machine) and one.profile.capacity]
    for squad in units:
        if isinstance(squad, Squad) and not squad.aboard:
            near = (one for one in carriers if min(gap(model, one.hull) for model in squad.models) <= ACCESS)
            yield from (Boarding(unit=squad.name, machine=one.name) for one in near)


def _exits(field: Field) -> Iterator[Exiting]:
    for one in mine(field, "movement"):
        if isinstance(one, Squad) and one.aboard:
            yield Exiting(unit=one.name)
            yield Exiting(unit=one.name, emergency=True)


EMBARK = at_once("embark", "Board a transport", Boarding, refuse_boarding, _board, _boardings, "V5-TRAN-5", "V5-TRAN-1")
DISEMBARK = at_once(
    "disembark", "Get out of a transport", Exiting, refuse_exit, _leave, _exits, "V5-TRAN-6", "V5-TRAN-7"
)
