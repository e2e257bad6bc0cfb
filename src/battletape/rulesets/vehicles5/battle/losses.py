"""What damage and morale leave behind: wrecks, craters, passengers that get out, squads pinned or falling back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from battletape.field.boxes import box_of, meet
from battletape.field.setup import inches_from_edge, inward
from battletape.rulebook import Line, Tape, capital, clause, inches, plural, replace
from battletape.rulesets.vehicles5.battle.state import Squad, State, TerrainPiece, Vehicle, did
from battletape.rulesets.vehicles5.profiles.book import doors
from battletape.rulesets.vehicles5.rules import destruction, terrain, transports, troops
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.table import distances, paths, points
from battletape.table.bases import Base
from battletape.table.hulls import Hull, corners, on_table
from battletape.table.places import ACCESS, KeepOff, find_room, is_place, shortest_ways

SEARCH_INCHES = 4.0  # inches around the end of a flight in which a free place is looked for


def after_damage(work: Any, now: Condition) -> Any:
    """Return the work with the condition of its target, a vehicle, after shots or blows."""
    state: State = work.state
    return work.with_units(state.with_damage(state.vehicle(work.target), now))


@clause("V5-DMG-6", "V5-DMG-5")
def replace_destroyed(tape: Tape, work: Any) -> Any:
    """Play the end of vehicles that have just been destroyed."""
    ends = newly_destroyed(work.state)
    return replace(work, state=tape.each(end_of_vehicle, work.state, ends)) if ends else work


def newly_destroyed(state: State) -> tuple[str, ...]:
    """Return vehicles that have just been destroyed."""
    return tuple(name for name in state.destroyed if state.field.position(name).hulls)


def wreck_name(vehicle: Vehicle) -> str:
    """Name what is left of a vehicle on the table."""
    return f"{'wreck' if vehicle.condition.status == 'wrecked' else 'crater'} of {vehicle.name}"


@clause("V5-DMG-6", "V5-DMG-5", "V5-CORE-18")
def end_of_vehicle(tape: Tape, state: State, name: str) -> State:
    """Play what happens around and inside a destroyed vehicle."""
    before, vehicle, hull = state, state.vehicle(name), state.hull(name)
    wrecked = vehicle.condition.status == "wrecked"
    remains = TerrainPiece(name=wreck_name(vehicle), kind="crater", corners=corners(hull))
    if wrecked:
        remains = replace(remains, kind="wreck", top=vehicle.profile.height, cover=terrain.WRECK_COVER)
    else:
        state = hurt_around_explosion(tape, state, hull)
    tape.tell("{} is left on the table", capital(remains.name), clause=vehicle.condition.ended_by)
    state = replace(state, field=state.field.with_terrain(remains))
    for squad in state.passengers(vehicle):
        room = exit_places(state, vehicle, squad) if wrecked else places_in_crater(before, vehicle, squad)
        state = tape.call(eject_passengers, state, vehicle, squad, room)
    return replace(state, field=state.field.off_table(name))


@clause("V5-DMG-6")
def hurt_around_explosion(tape: Tape, state: State, hull: Hull) -> State:
    """Hit the squads around a vehicle that explodes."""
    groups, squads = [], state.on_foot
    for squad in squads:
        gaps = tuple(_gap(hull, model) for model in state.bases(squad.name))
        groups.append(destruction.NearbyModels(squad.model_group(squad.models), gaps, squad.wounds_lost))
    end = destruction.Explosion(tuple(groups), losses=())
    for stage in destruction.STAGES_NEARBY:
        end = stage(tape, end)
    for squad, group, loss in zip(squads, groups, end.losses or (), strict=True):
        state = state.with_losses(squad, loss, group.models_within(end.radius))
    return state


@clause("V5-DMG-5", "V5-DMG-6", "V5-OPEN-4", "V5-TRAN-7", "V5-TRAN-8")
def eject_passengers(tape: Tape, state: State, vehicle: Vehicle, squad: Squad, room: transports.Room) -> State:
    """Play what happens to passengers at the end of their vehicle."""
    passengers = squad.model_group(squad.models)
    end = destruction.Explosion(
        (),
        passengers,
        destruction.strength_inside(vehicle.traits.open_topped),
        squad.profile.ld,
        squad.wounds_lost,
        room_at_access=0 if room.placement in ("emergency", "none") else len(room.places),
        room_within=len(room.places),
        rulings=state.rulings,
    )
    for stage in destruction.WRECK if vehicle.condition.status == "wrecked" else destruction.STAGES_INSIDE:
        end = stage(tape, end)
    places = room.places[: passengers.models - end.passengers_lost]
    state = tape.call(
        get_out, state, replace(squad, wounds_lost=end.passenger_wounds_lost), vehicle, places, end.emergency
    )
    return state.with_units(after_pinning(state, state.squad(squad.name))) if end.pinned else state


@clause("V5-TRAN-7", "V5-TRAN-8", "V5-TRAN-9")
def get_out(
    tape: Tape, state: State, squad: Squad, vehicle: Vehicle, places: tuple[Base, ...], emergency: bool
) -> State:
    """Set a squad up that leaves a vehicle, by choice or not."""
    left = "emergency" if emergency else "after_move" if vehicle.done.path > 0 else "before_move"
    if places:
        tape.tell(exit_line, squad.name, vehicle.name, len(places), emergency)
    out = did(replace(squad, models=len(places)), boarded=False, exit_kind=left, exit_from=vehicle.name)
    return state.with_place(squad.name, *places).with_units(out)


@clause("V5-CORE-6")
def after_pinning(state: State, squad: Squad) -> Squad:
    """Return a squad that loses its next turn."""
    until = troops.pinned_until(state.turn, squad.side == state.active)
    return replace(squad, pinned_until=max(squad.pinned_until, until))


@clause("V5-CORE-20")
def fall_back(tape: Tape, state: State, name: str) -> State:
    """Move a squad 2D6 inches towards its own edge; if a model crosses that, the squad is gone."""
    squad = state.squad(name)
    if squad.is_gone:
        return state
    tape.tell("{}: falling back", name)
    far: int = tape.call(troops.roll_fall_back)
    edge, models = state.field.home_edge(squad.side), state.bases(name)
    homeward = points.wrap(inward(edge) + 180)
    goals = [points.step(model.centre, homeward, far) for model in models]
    radius = models[0].radius
    after = did(replace(squad, falling_back=True, locked_with=()), fell_back=True, moved=True)
    if any(inches_from_edge(state.board, edge, goal) < radius for goal in goals):
        tape.tell(fled_line, name, squad.models)
        fled = replace(state, field=state.field.off_table(name))
        return fled.with_units(replace(after, models=0, fled=squad.models))
    tape.tell("{}: falls back {}", name, inches(far))
    solid = state.obstacles(name)
    placed: list[Base] = []
    for goal in goals:
        base = Base(goal, radius)
        around = box_of((Base(goal, radius + SEARCH_INCHES),))
        near = [footprint for footprint in (*solid, *placed) if meet(around, box_of((footprint,)))]
        ways = shortest_ways(base, [KeepOff(footprint) for footprint in near]) if paths.stood_on(base, near) else ()
        placed.append(Base(ways[0], radius) if ways else base)
    return state.with_place(name, *placed).with_units(after)


def obstacles_near(hull: Hull, squad: Squad, footprints: Iterable[transports.Solid]) -> tuple[transports.Solid, ...]:
    """Return the things that can be in the way of a squad that gets out."""
    reach = ACCESS + 2 * squad.profile.base + troops.ENEMY_GAP
    around = box_of((hull,))
    rough = (footprint for footprint in footprints if meet(around, box_of((footprint,)), reach))
    return tuple(footprint for footprint in rough if _gap(hull, footprint) <= reach)


@lru_cache(256)  # asked again and again while nothing has changed
@clause("V5-TRAN-6", "V5-TRAN-7")
def exit_places(state: State, vehicle: Vehicle, squad: Squad) -> transports.Room:
    """Return places for a squad that gets out of a vehicle."""
    hull = state.hull(vehicle.name)
    solid = obstacles_near(hull, squad, state.obstacles(vehicle.name, side=squad.side))
    enemy = obstacles_near(hull, squad, state.enemy_footprints(squad.side))
    return _find_places(vehicle.traits, hull, doors(vehicle.profile), squad.models, squad.profile.base, solid, enemy)


@lru_cache(256)
@clause("V5-DMG-6")
def places_in_crater(state: State, vehicle: Vehicle, squad: Squad) -> transports.Room:
    """Return places where a vehicle stood or about it; models that just fell nearby still lie there."""
    hull, count, base = state.hull(vehicle.name), squad.models, squad.profile.base
    keep_off = tuple(KeepOff(footprint) for footprint in obstacles_near(hull, squad, state.obstacles(vehicle.name)))
    room = tuple(place for place in _places_in_ranks(hull, base) if is_place(place, keep_off))[:count]
    for away in (0.0, ACCESS):
        if len(room) < count:
            taken = (*keep_off, *(KeepOff(place) for place in room))
            room += _find_room(count - len(room), base, (hull,), taken, inches=away)
    return transports.Room("hull", room)


def _places_in_ranks(hull: Hull, radius: float) -> Iterator[Base]:
    """Return places inside a hull, rank by rank from its front."""
    ranks = int((hull.length + points.TOLERANCE) // (2 * radius))
    files = int((hull.width + points.TOLERANCE) // (2 * radius))
    for ahead in range(ranks - 1, -ranks, -2):
        for right in range(1 - files, files, 2):
            yield Base(on_table(hull, ahead * radius, right * radius), radius)


_gap = lru_cache(4096)(distances.gap)
_find_room = lru_cache(256)(find_room)  # the same about a vehicle while others move elsewhere
_find_places = lru_cache(256)(transports.find_places)


# --- what is told ---------------------------------------------------------------------------------------------------


def exit_line(squad: str, vehicle: str, models: int, emergency: bool) -> Line:
    """Say that a squad gets out of a vehicle."""
    how = " in an emergency" if emergency else ""
    return Line(f"{squad}: out of {vehicle}{how}, {plural(models, 'model')}", ("V5-TRAN-7",) if emergency else ())


def fled_line(name: str, models: int) -> str:
    """Say that a squad is gone over the edge."""
    return f"{name}: fled off the table, {plural(models, 'model')}"
