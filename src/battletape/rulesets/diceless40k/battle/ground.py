"""The ground under a move: terrain and mines that hurt units, and the path of a unit that falls back."""

from __future__ import annotations

from collections.abc import Sequence

from battletape.field.moves import leaves_table, retreat, straight_paths
from battletape.field.setup import inward
from battletape.field.state import OFF, Footprint
from battletape.rulebook import Tape, clause, plural, replace
from battletape.rulebook import inches as inches_text
from battletape.rulesets.diceless40k.battle import moves
from battletape.rulesets.diceless40k.battle.pending import (
    Pending,
    combined_groups,
    damage_vehicle,
    record_shared_losses,
    take_unit_test,
)
from battletape.rulesets.diceless40k.battle.state import Squad, State, Terrain, Vehicle
from battletape.rulesets.diceless40k.rules.artillery import GUN_AV, Battery, damage_guns
from battletape.rulesets.diceless40k.rules.morale import fall_back_inches, is_fearless
from battletape.rulesets.diceless40k.rules.movement import Hazard, Passage, cross_dangerous_terrain, is_in_danger
from battletape.rulesets.diceless40k.rules.space_marines import spring_mines
from battletape.rulesets.diceless40k.rules.vehicles import mines_packet, terrain_packet
from battletape.table.areas import is_inside
from battletape.table.bases import Base

# --- terrain ----------------------------------------------------------------------------------------------------------


@clause("DL-14.2", "DL-14.3", "DL-14.4", "DL-76.1")
def hurt_by_terrain(tape: Tape, work: Pending, name: str, path: moves.MovePath) -> Pending:
    """Hurt every model, of the unit and its characters, that comes through dangerous terrain on a path."""
    return tape.each(_cross_piece, work, tuple((name, path, crossing) for crossing in path.crossings))


def _cross_piece(tape: Tape, work: Pending, passing: tuple[str, moves.MovePath, moves.Crossing]) -> Pending:
    name, path, crossing = passing
    state = work.state
    piece = state.field.terrain_piece(crossing.terrain)
    if not (piece.dangerous or piece.difficult):
        return work
    for member in state.joined_units(state.squad(name)):
        passages = _passages(member, work.state.footprints(member), path, crossing, piece)
        work = _hurt_squad(tape, work, member, piece, passages)
        if member.guns:
            work = _drag_guns(tape, work, member.name, crossing.inches, piece)
    return work


def _hurt_squad(tape: Tape, work: Pending, member: Squad, piece: Terrain, passages: list[list[Passage]]) -> Pending:
    """Hurt the models of a unit that come through terrain."""
    hazard = Hazard(piece.dmg_per_model, piece.dmg_per_inch)
    hit_target = cross_dangerous_terrain(tape, work.state.target(member), hazard, passages=passages)
    return record_shared_losses(tape, work, (member,), hit_target)


@clause("DL-14.2", "DL-SM-67.1")
def enter_terrain(tape: Tape, work: Pending, name: str) -> Pending:
    """Let a unit enter the terrain in which it is set up: models are hurt, and mines go off."""
    unit = work.state.find(name)
    members = moves.unit_and_characters(work.state, unit)
    state = work.state
    footprints = state.footprints(*members)
    laid = (piece for piece in state.field.laid_terrain if not piece.is_mark)
    entered = [piece for piece in laid if _models_inside(piece, footprints)]
    path = moves.MovePath(0.0, (), tuple(moves.Crossing(piece.name, 0.0, ends=True) for piece in entered))
    if isinstance(unit, Vehicle):
        return spring_mines_under(tape, work, name, path)
    for piece in entered:
        for member in work.state.joined_units(work.state.squad(name)):
            hurts = is_in_danger(member.type, piece.dangerous, True) and (piece.dangerous or piece.difficult)
            inside, starts = _models_inside(piece, work.state.footprints(member)), _group_starts(member)
            passages = [
                [Passage()] * sum(hurts and start <= at < start + group.models for at in inside)
                for start, group in zip(starts, member.groups, strict=True)
            ]
            work = _hurt_squad(tape, work, member, piece, passages)
    return spring_mines_on(tape, work, name, path)


def _models_inside(piece: Terrain, footprints: Sequence[Footprint]) -> list[int]:
    """Return the numbers of the models that stand in terrain."""
    return [at for at, footprint in enumerate(footprints) if is_inside(piece.shape, footprint.centre)]


def _group_starts(squad: Squad) -> list[int]:
    """Return the place of the first model of each group among all models of a unit."""
    return [sum(group.models for group in squad.groups[:at]) for at in range(len(squad.groups))]


def _passages(
    squad: Squad,
    footprints: Sequence[Footprint],
    path: moves.MovePath,
    crossing: moves.Crossing,
    piece: Terrain,
) -> list[list[Passage]]:
    """Return how the models of each group come through terrain that hurts them; all alike where places are unknown."""
    passages, start = [], 0
    for group in squad.groups:
        if footprints and path.points:
            models = footprints[start : start + group.models]
            found = (moves.passage_of(model, path, piece, squad.type) for model in models)
            passages.append([passage for passage in found if passage is not None])
        else:
            either = crossing.starts or crossing.ends
            hurts = is_in_danger(squad.type, piece.dangerous, either)
            passages.append([Passage(crossing.inches, 1 if either else 2)] * (group.models if hurts else 0))
        start += group.models
    return passages


@clause("DL-57.1", "DL-55.1")
def _drag_guns(tape: Tape, work: Pending, name: str, inches: float, piece: Terrain) -> Pending:
    """Damage guns in difficult terrain as vehicles in dangerous terrain, all of them together."""
    squad = work.state.squad(name)
    packet = terrain_packet(GUN_AV, inches, piece.strength, piece.vehicle_dmg_per_inch)
    battery = Battery(work.state.target(squad), squad.guns, lines=squad.gun_lines)
    after = damage_guns(tape, battery, replace(packet, dmg=len(squad.guns) * packet.dmg))
    if after.destroyed:
        tape.tell("{} of {} lost in {}", plural(after.destroyed, "gun"), name, piece.name)
    return work.with_units(replace(squad, guns=after.guns, gun_lines=after.lines))


# --- mines ------------------------------------------------------------------------------------------------------------


@clause("DL-SM-67.1")
def mines_on(state: State, side: str, path: moves.MovePath) -> tuple[str, ...]:
    """Return the terrain on a path that holds mines of a side's enemies."""
    pieces = (state.field.terrain_piece(crossing.terrain) for crossing in path.crossings)
    return tuple(piece.name for piece in pieces if piece.mined_by and piece.mined_by != side)


@clause("DL-SM-67.1")
def without_mines(state: State, names: Sequence[str]) -> State:
    """Return a copy of the battle without the mines in some terrain."""
    pieces = [replace(state.field.terrain_piece(name), mined_by="") for name in names]
    return replace(state, field=state.field.with_terrain(*pieces))


@clause("DL-SM-67.1")
def spring_mines_on(tape: Tape, work: Pending, name: str, path: moves.MovePath) -> Pending:
    """Set off cluster mines in terrain that a unit has entered, once it has moved, by any kind of move."""
    for piece in mines_on(work.state, work.state.squad(name).side, path):
        if work.state.squad(name).is_destroyed:
            break
        members = work.state.joined_units(work.state.squad(name))
        hit_target = spring_mines(tape, work.state.target(members[0], groups=combined_groups(members)))
        work = record_shared_losses(tape, work, members, hit_target)
        work = replace(work, state=without_mines(work.state, (piece,)))
    return work


@clause("DL-SM-67.1")
def spring_mines_under(tape: Tape, work: Pending, name: str, path: moves.MovePath) -> Pending:
    """Set off cluster mines under a vehicle that comes through terrain which does not hurt it otherwise."""
    vehicle = work.state.vehicle(name)
    mined = mines_on(work.state, vehicle.side, path)
    packets = [mines_packet(vehicle.profile.rear, work.state.rulings)] * len(mined)
    work = replace(work, state=without_mines(work.state, mined))
    return damage_vehicle(tape, work, name, packets, work.state.enemy_of(vehicle.side)) if packets else work


# --- falling back -----------------------------------------------------------------------------------------------------


@clause("DL-8.1")
def check_morale(tape: Tape, work: Pending, name: str, what: str) -> Pending:
    """Take a morale test; a unit that fails falls back. Fearless units and those that fall back take none."""
    unit = work.state.squad(name)
    if work.state.is_gone(unit) or unit.falling_back or is_fearless(combined_groups(work.state.joined_units(unit))):
        return work
    work, test_result = take_unit_test(tape, work, name, what)
    return work if test_result.passed else fall_back(tape, work, name)


@clause("DL-45.1", "DL-52.1", "DL-53.1", "DL-54.1")
def fall_back(tape: Tape, work: Pending, name: str) -> Pending:
    """Let a unit and its characters fall back to their edge, as fast as the slowest; beyond it they are gone.

    Terrain does not slow them, but what is dangerous in it hurts them.
    """
    members = work.state.joined_units(work.state.squad(name))
    inches = min(fall_back_inches(member.type) for member in members)
    work = work.with_units(*(replace(member, falling_back=True, combat=0, moved=True) for member in members))
    state = work.state
    members = state.joined_units(state.squad(name))
    if not state.footprints(members[0]):
        return _tell_each(tape, work, members, f"falls back {inches_text(inches)}")
    heading = float((inward(state.field.home_edge(members[0].side)) + 180) % 360)
    footprints = state.footprints(*members)
    if leaves_table(state.field, footprints, straight_paths(footprints, heading, inches)):
        beyond = f"falls back {inches_text(inches)}, beyond the edge of the table, and is gone"
        work = _tell_each(tape, work, members, beyond)
        return _take_off_table(work, members)
    path = _fall_back_path(state, members, inches, heading)
    if path is None:
        return _hemmed_in(tape, work, members)
    work = _tell_each(tape, work, members, f"falls back {inches_text(inches)}")
    work = hurt_by_terrain(tape, work, name, path)
    members = work.state.joined_units(work.state.squad(name))
    work = work.with_places(moves.places_at_end(work.state, members, path))
    return spring_mines_on(tape, work, name, path)


def _tell_each(tape: Tape, work: Pending, members: Sequence[Squad], what: str) -> Pending:
    """Tell what becomes of a unit and of each character with it."""
    for member in members:
        tape.tell("{} {}", member.name, what, clause="DL-45.1")
    return work


def _take_off_table(work: Pending, members: Sequence[Squad]) -> Pending:
    """Take a unit and its characters out of play; they part."""
    work = work.with_units(*(replace(member, joined="") for member in members))
    return replace(work, state=work.state.off_table(members, OFF))


@clause("DL-45.1", "DL-0.1")
def _fall_back_path(state: State, members: Sequence[Squad], inches: float, heading: float) -> moves.MovePath | None:
    """Find the path of a unit and its characters that fall back, around other units: in formation, or crowded."""
    bases = tuple(each for each in state.footprints(*members) if isinstance(each, Base))
    names, clear = [member.name for member in members], moves.CLEAR_OF_ENEMIES
    paths = retreat(state.field, bases, members[0].side, *names, heading=heading, inches=inches, clear=clear)
    path = moves.path_over(state, bases, paths, separate=True) if paths else None
    return path if isinstance(path, moves.MovePath) else None


@clause("DL-45.1", "DL-0.1")
def _hemmed_in(tape: Tape, work: Pending, members: Sequence[Squad]) -> Pending:
    """Destroy a unit and its characters that cannot fall back in any direction, or let them stay by ruling."""
    if work.state.rulings.hemmed_in == "stays":
        return _tell_each(tape, work, members, "is hemmed in and cannot fall back: it stays where it is")
    work = _tell_each(tape, work, members, "is hemmed in and cannot fall back: it is destroyed")
    return _take_off_table(work, members)
