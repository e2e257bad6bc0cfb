"""Charges on a board: one model comes into contact with the enemy, then each of the others as near as it can."""

from __future__ import annotations

from collections.abc import Sequence

from battletape.field import contact
from battletape.field import moves as field_moves
from battletape.rulebook import Refused, clause, replace
from battletape.rulesets.diceless40k.battle import moves
from battletape.rulesets.diceless40k.battle.pending import combined_groups
from battletape.rulesets.diceless40k.battle.state import COHERENCY, BattleUnit, Squad, State
from battletape.rulesets.diceless40k.rules.movement import allowance, is_slowed, moves_through_cover, refuse_path
from battletape.table.points import Point, apart


@clause("DL-14.1", "DL-38.1", "DL-0.1")
def charge_paths(state: State, unit: BattleUnit, target: BattleUnit) -> moves.MovePath | Refused:
    """Return the paths of chargers on a board, or why none of them comes into contact."""
    members, enemies = moves.unit_and_characters(state, unit), moves.unit_and_characters(state, target)
    may_touch = tuple(enemy.name for enemy in (*enemies, *state.in_combat(target.combat)))
    chargers = tuple((member, footprint) for member in members for footprint in state.footprints(member))
    footprints = tuple(footprint for _, footprint in chargers)
    names, touched = [member.name for member in members], state.field.footprints(*may_touch)

    def refuse(at: int, end: Point) -> Refused | None:
        member, footprint = chargers[at]
        paths = ((footprint.centre, end),)
        path = moves.path_over(state, (footprint,), paths, separate=True)
        refused = path if isinstance(path, Refused) else refuse_reach(state, members, path)
        if refused is not None or apart(footprint.centre, end) <= contact.TOUCH:
            return refused
        refused = moves.refuse_room(state, ((member.name, (replace(footprint, centre=end),)),), may_touch, names)
        if refused is None and not moves.is_flyer(member):
            refused = moves.refuse_way(state, member, (footprint,), paths, (*names, *may_touch))
        if refused is None and any(field_moves.comes_near(footprint, paths[0], other) for other in touched):
            return Refused(f"{member.name} would have to pass through its enemies", "DL-0.1", "way")
        return refused

    inches = _charge_inches(members)
    paths = contact.into_contact(footprints, state.footprints(*enemies), inches, refuse, COHERENCY)
    return paths if isinstance(paths, Refused) else moves.path_over(state, footprints, paths, separate=True)


@clause("DL-14.1")
def refuse_reach(state: State, members: Sequence[BattleUnit], path: moves.MovePath) -> Refused | None:
    """Refuse a charge farther than the assault move, in which difficult terrain counts twice."""
    squads = [member for member in members if isinstance(member, Squad)]
    most = _charge_inches(members)
    if not squads:
        return refuse_path(path.pieces, most, rulings=state.rulings)
    slow = any(is_slowed(member.type) for member in squads)
    return refuse_path(path.pieces, most, slow, moves_through_cover(combined_groups(squads)), state.rulings)


def _charge_inches(members: Sequence[BattleUnit]) -> float:
    """Return the inches that a unit with its characters, or a walker, charges at most."""
    types = [member.type if isinstance(member, Squad) else "walker" for member in members]
    return min(allowance(unit_type, "assault") for unit_type in types)
