"""The end of a machine on the table: an explosion with its reach, a wreck or a crater, and passengers who get out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.rulesets.vehicles5.battle import state
from battletape.rulesets.vehicles5.battle.state import Machine, Marker, Squad, State
from battletape.rulesets.vehicles5.profiles.book import doors
from battletape.rulesets.vehicles5.rules import destruction, terrain, transports, troops
from battletape.table import bases, distances, hulls, points
from battletape.table.places import ACCESS, KeepOff, find_room, is_place
from battletape.tape import Tape


@clause("V5-DMG-6", "V5-DMG-5")
def clear_ruins(tape: Tape, work: Any) -> Any:
    """Every machine that has just been destroyed explodes or becomes a wreck, one after the other."""
    ends = fallen(work.field)
    return replace(work, field=tape.each(end_of_machine, work.field, ends)) if ends else work


def fallen(field: State) -> tuple[str, ...]:
    """Machines that are destroyed and have not yet become part of the ground."""
    known = {ground.name for ground in field.grounds}
    return tuple(machine.name for machine in field.machines if machine.is_gone and ruin_name(machine) not in known)


def ruin_name(machine: Machine) -> str:
    """What is left of a machine on the table."""
    return f"{'wreck' if machine.condition.status == 'wrecked' else 'crater'} of {machine.name}"


@clause("V5-DMG-6", "V5-DMG-5")
def end_of_machine(tape: Tape, field: State, name: str) -> State:
    """What happens around and inside one destroyed machine."""
    machine = field.machine(name)
    return (abandon if machine.condition.status == "wrecked" else explode)(tape, field, machine)


@clause("V5-DMG-6", "V5-CORE-18")
def explode(tape: Tape, field: State, machine: Machine) -> State:
    """It explodes: models nearby are hit, a crater is left, and then the passengers are hit."""
    before, radius = field, tape.call(destruction.radius_of)
    for squad in field.squads:
        reached = () if squad.aboard else _reached(machine.hull, squad.models, radius)
        if reached:
            field = field.changed(tape.call(singe, squad, destruction.NEARBY, reached))
    field = _with_ruin(field, machine, "crater")
    for squad in field.passengers(machine):
        room, everybody = room_inside(before, machine, squad), tuple(range(len(squad.models)))
        squad = tape.call(singe, squad, destruction.strength_inside(machine.traits.open_topped), everybody)
        field = field.changed(tape.call(shake_off, field, machine, squad, room))
    return field


def _with_ruin(field: State, machine: Machine, kind: terrain.Terrain, **more: Any) -> State:
    ruin = Marker(ruin_name(machine), kind, hulls.corners(machine.hull), **more)
    return replace(field, grounds=(*field.grounds, ruin))


@clause("V5-DMG-6", "V5-OPEN-4", "V5-CORE-7", "V5-CORE-8")
def singe(tape: Tape, squad: Squad, strength: int, reached: tuple[int, ...]) -> Squad:
    """One hit without AP on each of these models."""
    wounds: int = tape.call(troops.wound, len(reached), strength, squad.body, "-")
    return state.bereaved(squad, wounds, troops.slays(strength, squad.profile.toughness), reached)


@clause("V5-DMG-5", "V5-TRAN-7", "V5-CORE-18")
def abandon(tape: Tape, field: State, machine: Machine) -> State:
    """It is a wreck: passengers get out at once, those without room are lost, and the rest may be pinned."""
    field = _with_ruin(field, machine, "wreck", top=machine.profile.height, cover=terrain.WRECK_COVER)
    for squad in field.passengers(machine):
        count, room = len(squad.models), room_about(field, machine, squad)
        at_access = count if room.placement in ("access", "hull") else 0
        out, emergency = destruction.wreck_exit(count, at_access, len(room.places), field.rules)
        left = replace(squad, models=squad.models[:out])
        field = field.changed(tape.call(shake_off, field, machine, left, room.places, emergency))
    return field


@clause("V5-DMG-5", "V5-DMG-6", "V5-TRAN-7", "V5-TRAN-8")
def shake_off(
    tape: Tape, field: State, machine: Machine, squad: Squad, room: tuple[Any, ...], emergency: bool = False
) -> Squad:
    """Survivors stand where there is room for them and test for pinning; only an emergency keeps them from acting."""
    count = min(len(squad.models), len(room))
    out = got_out(squad, machine, tuple(room[:count]), emergency)
    return tape.call(risk_pinning, field, out, "") if count else out


@clause("V5-TRAN-7", "V5-TRAN-8", "V5-TRAN-9")
def got_out(squad: Squad, machine: Machine, places: tuple[bases.Base, ...], emergency: bool) -> Squad:
    """A squad that has left a machine, by choice or not; what it may do then depends on that machine's move."""
    left: state.Left = "emergency" if emergency else "after_move" if machine.path > 0 else "before_move"
    return replace(squad, models=places, aboard="", boarded=False, left=left, left_from=machine.name)


@clause("V5-CORE-6", "V5-ORD-5")
def risk_pinning(tape: Tape, field: State, squad: Squad, source: troops.Source) -> Squad:
    """A squad tests for pinning; one that fails loses its next turn."""
    if not tape.call(troops.roll_pinning, squad.profile.ld, source, squad.name):
        return squad
    until = troops.pinned_until(field.turn, squad.side == field.active)
    return replace(squad, pinned_until=max(squad.pinned_until, until))


def near_to(machine: Machine, squad: Squad, things: Iterable[transports.Solid]) -> tuple[transports.Solid, ...]:
    """Those things that can be in the way of a squad that gets out; looking at the others would only take time."""
    reach = ACCESS + 2 * squad.profile.base + troops.APART
    rough = state.close_to(machine.hull.centre, state.half_diagonal(machine.hull) + reach, things)
    return tuple(thing for thing in rough if distances.gap(machine.hull, thing) <= reach)


@lru_cache(256)  # asked again and again while nothing has changed
@clause("V5-TRAN-6", "V5-TRAN-7")
def room_about(field: State, machine: Machine, squad: Squad) -> transports.Room:
    """Places for a squad that gets out of a machine."""
    solid = near_to(machine, squad, field.in_the_way(machine.name, side=squad.side))
    enemy = near_to(machine, squad, field.bodies(side=field.other_side(squad.side)))
    ways, base = doors(machine.profile), squad.profile.base
    return _find_places(machine.traits, machine.hull, ways, len(squad.models), base, solid, enemy)


@lru_cache(256)
@clause("V5-DMG-6")
def room_inside(field: State, machine: Machine, squad: Squad) -> tuple[bases.Base, ...]:
    """Places where a machine stood, and about it if there are too few; those who just fell nearby still lie there."""
    keep_off = tuple(KeepOff(thing) for thing in near_to(machine, squad, field.in_the_way(machine.name)))
    count, base = len(squad.models), squad.profile.base
    where = (machine.hull,)
    room = tuple(place for place in _ranks(machine.hull, base) if is_place(place, keep_off))[:count]
    for inches in (0.0, ACCESS):
        if len(room) < count:
            taken = (*keep_off, *(KeepOff(place) for place in room))
            room += _find_room(count - len(room), base, where, taken, inches=inches)
    return room


def _ranks(hull: hulls.Hull, radius: float) -> Iterator[bases.Base]:
    """Places inside a hull, rank by rank from its front."""
    ranks, files = (int((side + points.TOLERANCE) // (2 * radius)) for side in (hull.length, hull.width))
    for rank in range(ranks):
        for file in range(files):
            ahead, right = (2 * at + 1 - number for at, number in ((ranks - 1 - rank, ranks), (file, files)))
            yield bases.Base(hulls.on_table(hull, ahead * radius, right * radius), radius)


_reached = lru_cache(1024)(destruction.reached_on_table)
_find_room = lru_cache(256)(find_room)  # the same about a machine while others move elsewhere
_find_places = lru_cache(256)(transports.find_places)
