"""Charges on a board: one model comes into contact with the enemy, then each of the others as near as it can."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from battletape.rulebook import Refused, clause, replace
from battletape.rulesets.diceless40k.battle import moves
from battletape.rulesets.diceless40k.battle.pending import combined_groups
from battletape.rulesets.diceless40k.battle.state import BattleUnit, Squad, State, Vehicle, footprints
from battletape.rulesets.diceless40k.rules.movement import allowance, is_slowed, moves_through_cover, refuse_path
from battletape.table.bases import Base
from battletape.table.distances import gap, is_within, nearest_point, overlaps
from battletape.table.hulls import Hull
from battletape.table.points import TOLERANCE, Point, apart, bearing, step

CONTACT_GAP = 0.01  # inches between bases that are in contact, so that they do not overlap
MAX_PAIRS_TRIED = 40  # of a model and an enemy that are tried for the first contact
TURNS_AROUND = (0, *(sign * turn for turn in range(20, 180, 20) for sign in (1, -1)), 180)
"""Degrees around another model, from the side that a model comes from, at which it may stand beside it."""
SHORTER_INCHES = 0.5  # inches by which a model that finds no room goes less far
FAR_INCHES = 100.0  # inches; from so far out the nearest point of a hull lies on the side that is looked at

Footprint: TypeAlias = Base | Hull


@clause("DL-14.1", "DL-38.1", "DL-0.1")
def charge_paths(state: State, unit: BattleUnit, target: BattleUnit) -> moves.MovePath | Refused:
    """Return the paths of chargers on a board, or why none of them comes into contact.

    The first goes straight at the nearest enemy that can be reached. The others follow, the nearest first: into contact
    with an enemy that no model has reached yet, else with any, else beside models in contact, else as far as they can.
    """
    enemy_names = [known.name for known in (*moves.unit_and_characters(state, target), *state.in_combat(target.combat))]
    members = moves.unit_and_characters(state, unit)
    enemies = [thing for member in moves.unit_and_characters(state, target) for thing in footprints(member)]
    pairs = sorted(
        (
            (gap(thing, enemy), member, thing, enemy)
            for member in members
            for thing in footprints(member)
            for enemy in enemies
        ),
        key=lambda pair: pair[0],
    )
    barred: Refused | None = None
    for inches, member, thing, enemy in pairs[:MAX_PAIRS_TRIED]:
        end = _in_contact(thing, enemy, inches)
        refused = _refuse_end(state, members, member, thing, end, enemy_names)
        if refused is None:
            return _paths_of_all(state, members, (thing.centre, end), enemies, enemy_names)
        barred = barred or refused
    assert barred is not None
    return barred


def _in_contact(thing: Footprint, enemy: Footprint, inches: float) -> Point:
    """Return where a model comes into contact that goes straight at an enemy so many inches away."""
    goal = nearest_point(thing.centre, enemy) if isinstance(thing, Base) else enemy.centre
    return (
        step(thing.centre, bearing(thing.centre, goal), inches - CONTACT_GAP) if inches > CONTACT_GAP else thing.centre
    )


@clause("DL-14.1", "DL-0.1")
def _refuse_end(
    state: State,
    members: Sequence[BattleUnit],
    member: BattleUnit,
    thing: Footprint,
    end: Point,
    enemy_names: Sequence[str],
) -> Refused | None:
    """Refuse a model's charge to a place: too far, no room there, or a unit in the way."""
    moved = replace(thing, centre=end)
    segment = (thing.centre, end)
    alone = _single_model(member, thing)
    path = moves.separate_paths(state, (alone,), (_single_model(member, moved),))
    refused = path if isinstance(path, Refused) else refuse_reach(state, members, path)
    if isinstance(path, Refused) or refused is not None:
        return refused
    if apart(*segment) <= CONTACT_GAP:
        return None
    names = [known.name for known in members]
    refused = moves.refuse_place(state, member, (moved,), *names, may_touch=enemy_names) or moves.refuse_through(
        state, (alone,), path, (*names, *enemy_names)
    )
    if refused is None and moves.blocks_path(
        thing, segment, [known for target in enemy_names for known in footprints(state.find(target))]
    ):
        return Refused(f"{member.name} would have to pass through its enemies", "DL-0.1", "way")
    return refused


def _single_model(member: BattleUnit, thing: Footprint) -> BattleUnit:
    """Return a copy of the unit with this one model; a walker is one model as it is."""
    if isinstance(member, Vehicle):
        return replace(member, hull=thing) if isinstance(thing, Hull) else member
    return replace(member, models=(thing,)) if isinstance(thing, Base) else member


@clause("DL-14.1")
def refuse_reach(state: State, members: Sequence[BattleUnit], path: moves.MovePath) -> Refused | None:
    """Refuse a charge farther than the assault move, in which difficult terrain counts twice."""
    squads = [member for member in members if isinstance(member, Squad)]
    if not squads:
        return refuse_path(path.pieces, allowance("walker", "assault"), rulings=state.rulings)
    slow = any(is_slowed(member.type) for member in squads)
    return refuse_path(
        path.pieces, _charge_inches(squads), slow, moves_through_cover(combined_groups(squads)), state.rulings
    )


def _charge_inches(members: Sequence[BattleUnit]) -> float:
    """Return the inches that a unit with its characters charges at most."""
    return min(allowance(member.type, "assault") for member in members if isinstance(member, Squad))


# --- the other models -------------------------------------------------------------------------------------------------


def _paths_of_all(
    state: State,
    members: Sequence[BattleUnit],
    first: tuple[Point, Point],
    enemies: Sequence[Footprint],
    enemy_names: Sequence[str],
) -> moves.MovePath | Refused:
    """Return the paths of all models once the first has come into contact."""
    ends = {first[0]: first[1]}
    waiting = [(member, thing) for member in members for thing in footprints(member) if thing.centre != first[0]]
    waiting.sort(key=lambda known: min(gap(known[1], enemy) for enemy in enemies))
    started = [(member, thing) for member in members for thing in footprints(member)]
    placed = [replace(thing, centre=first[1]) for _, thing in started if thing.centre == first[0]]
    for at, (member, thing) in enumerate(waiting):
        taken = [*placed, *(other for _, other in waiting[at + 1 :])]
        moved = _best_place(state, members, member, thing, placed, taken, enemies, enemy_names)
        ends[thing.centre] = moved.centre
        placed.append(moved)
    after = [_at_ends(member, ends) for member in members]
    return moves.separate_paths(state, members, after)


def _at_ends(member: BattleUnit, ends: dict[Point, Point]) -> BattleUnit:
    if isinstance(member, Vehicle):
        hull = member.hull
        return member if hull is None else replace(member, hull=replace(hull, centre=ends[hull.centre]))
    return replace(member, models=tuple(replace(base, centre=ends[base.centre]) for base in member.models))


def _best_place(
    state: State,
    members: Sequence[BattleUnit],
    member: BattleUnit,
    thing: Footprint,
    placed: Sequence[Footprint],
    taken: Sequence[Footprint],
    enemies: Sequence[Footprint],
    enemy_names: Sequence[str],
) -> Footprint:
    """Return the best place that a model which follows can reach, or where it stands."""
    most = _charge_inches(members)
    for end in _places_to_end(thing, placed, enemies, most):
        if apart(thing.centre, end) > most + TOLERANCE:
            continue
        moved = replace(thing, centre=end)
        if any(overlaps(moved, other) for other in taken) or not any(
            is_within(moved, other, moves.COHERENCY) for other in placed
        ):
            continue
        if _refuse_end(state, members, member, thing, end, enemy_names) is None:
            return moved
    return thing


def _places_to_end(
    thing: Footprint, placed: Sequence[Footprint], enemies: Sequence[Footprint], most: float
) -> Iterator[Point]:
    """Yield the places where a model may end, the best first."""
    in_reach = [enemy for enemy in enemies if gap(thing, enemy) <= most]
    untouched = [enemy for enemy in in_reach if not any(is_within(friend, enemy, CONTACT_GAP) for friend in placed)]
    for nearby in (untouched, [enemy for enemy in in_reach if enemy not in untouched]):
        for enemy in sorted(nearby, key=lambda enemy: gap(thing, enemy)):
            yield from _beside(thing, enemy)
    near = sorted(
        (friend for friend in placed if gap(thing, friend) <= most),
        key=lambda friend: _inches_to_enemies(friend, enemies),
    )
    for friend in near:
        yield from sorted(_beside(thing, friend), key=lambda end: _inches_to_enemies(end, enemies))
    goal = min(enemies, key=lambda enemy: gap(thing, enemy))
    inches = min(most, gap(thing, goal) - CONTACT_GAP)
    while inches > 0:
        yield step(thing.centre, bearing(thing.centre, goal.centre), inches)
        inches -= SHORTER_INCHES


def _inches_to_enemies(thing: Footprint | Point, enemies: Sequence[Footprint]) -> float:
    return min(gap(thing, enemy) for enemy in enemies)


def _beside(thing: Footprint, other: Footprint) -> Iterator[Point]:
    """Yield places in contact with another model, from the side that a model comes from round to the other."""
    radius = thing.radius if isinstance(thing, Base) else max(thing.length, thing.width) / 2
    towards = bearing(other.centre, thing.centre)
    for turn in TURNS_AROUND:
        out = step(other.centre, towards + turn, FAR_INCHES)
        rim = nearest_point(out, other)
        yield step(rim, bearing(rim, out), radius + CONTACT_GAP)
