"""Moving on foot: allowances, difficult and dangerous terrain, running."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import floor
from typing import Literal, TypeAlias

from battletape.rulebook import BadInput, Refused, State, Tape, clause
from battletape.rulebook import inches as inches_text
from battletape.rulesets.diceless40k.rules.casualties import Packet, Target, take_share
from battletape.rulesets.diceless40k.rules.characteristics import FLEET, MOVE_THROUGH_COVER, SKILLED_RIDER, Group
from battletape.rulesets.diceless40k.rules.saves import halved
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings
from battletape.table.points import TOLERANCE

Ground: TypeAlias = Literal["open", "difficult"]
MovePieces: TypeAlias = Sequence[tuple[Ground, float]]
"""A move, piece by piece: on which ground, and how many inches."""
Move: TypeAlias = Literal["move", "assault", "turbo_boost"]

# type: its move, its move into an assault, its turbo-boost
ALLOWANCES = {
    "infantry": (6, 6, 0),
    "jump_infantry": (12, 6, 0),
    "bike": (12, 6, 24),
    "jetbike": (12, 6, 24),
    "beast": (6, 12, 0),
    "cavalry": (6, 12, 0),
    "monstrous_creature": (6, 6, 0),
    "artillery": (6, 6, 0),
    "walker": (6, 6, 0),
}
SLOWED = ("infantry", "monstrous_creature", "artillery", "beast", "cavalry", "walker")
ALWAYS_DANGEROUS = ("bike",)
DANGEROUS_AT_THE_ENDS = ("jump_infantry", "jetbike")
RIDERS = ("bike", "jetbike", "cavalry")

RUN_INCHES = 4
THROUGH_COVER_INCHES = 5
DANGEROUS_DMG = 10


class Hazard(State, frozen=True):
    """A piece of dangerous terrain: DMG for each model that moves in it, or for each inch that it walks there."""

    dmg_per_model: int = DANGEROUS_DMG
    dmg_per_inch: int = 0


class Passage(State, frozen=True):
    """One model's way through dangerous terrain: inches in it, and how often it enters or leaves."""

    inches: float = 0
    crossings: int = 1


# --- how far ----------------------------------------------------------------------------------------------------------


@clause("DL-0.1")
def allowance(unit_type: str, move: Move = "move", less: float = 0) -> float:
    """Return the inches that a unit of this type may move, as in the base game, less what shaken ground takes."""
    most = ALLOWANCES[unit_type][("move", "assault", "turbo_boost").index(move)]
    return max(0, most - less)


@clause("DL-16.1")
def run_distance() -> int:
    """Return the inches that every model of a running unit may move."""
    return RUN_INCHES


@clause("DL-16.1")
def refuse_assault_after_run(groups: Iterable[Group]) -> Refused | None:
    """Refuse to assault in the turn of a run, unless all models of the unit are fleet."""
    if all(FLEET in group.rules for group in groups if group.models):
        return None
    return Refused("a unit that has run does not assault in the same turn", "DL-16.1", "ran")


@clause("DL-75.3")
def moves_through_cover(groups: Iterable[Group]) -> bool:
    """Return whether a unit moves through cover: all its models have the rule."""
    return all(MOVE_THROUGH_COVER in group.rules for group in groups if group.models)


@clause("DL-14.1")
def is_slowed(unit_type: str) -> bool:
    """Return whether difficult terrain slows a unit of this type, as in the base game."""
    return unit_type in SLOWED


@clause("DL-14.1", "DL-75.3")
def inches_in_terrain(allowance: float, open_first: float = 0, through_cover: bool = False) -> float:
    """Return the inches left for difficult terrain after a walk in the open: half of the rest, or up to 5."""
    rest = allowance - open_first
    if open_first < 0 or rest < -TOLERANCE:
        reason = f"the way to the terrain must be 0 to {inches_text(allowance)}; got {inches_text(open_first)}"
        raise BadInput(reason, clause="DL-14.1")
    return min(rest, THROUGH_COVER_INCHES) if through_cover else rest / 2


@clause("DL-14.1")
def cost_of(path: MovePieces, rulings: Rulings = DEFAULT) -> float:
    """Return the inches of the allowance that a move costs: twice its length in difficult terrain."""
    cost, entered = 0.0, False
    for ground, length in path:
        if length < 0:
            raise BadInput(f"a piece of a move must be 0 inches or more; got {inches_text(length)}", clause="DL-14.1")
        entered = entered or ground == "difficult"
        doubles = ground == "difficult" or (entered and rulings.terrain_cost == "rest_of_move")
        cost += 2 * length if doubles else length
    return cost


@clause("DL-14.1", "DL-75.3")
def refuse_path(
    path: MovePieces, allowance: float, slowed: bool = True, through_cover: bool = False, rulings: Rulings = DEFAULT
) -> Refused | None:
    """Refuse a move that is too far for its allowance."""
    walked = sum(length for _, length in path)
    inside = sum(length for ground, length in path if ground == "difficult")
    if slowed and through_cover:
        if inside > THROUGH_COVER_INCHES + TOLERANCE:
            reason = f"{inches_text(inside)} of the move are in difficult terrain; {THROUGH_COVER_INCHES} are allowed"
            return Refused(reason, "DL-75.3", "distance")
        slowed = False
    cost = cost_of(path, rulings) if slowed else walked
    if cost <= allowance + TOLERANCE:
        return None
    halved_there = f", of which {inches_text(inside)} in difficult terrain count twice" if slowed and inside else ""
    reason = f"the move costs {inches_text(cost)}{halved_there}; {inches_text(allowance)} are allowed"
    return Refused(reason, "DL-14.1", "distance")


# --- dangerous terrain ------------------------------------------------------------------------------------------------


@clause("DL-14.2")
def is_in_danger(unit_type: str, dangerous: bool, starts_or_ends: bool) -> bool:
    """Return whether terrain hurts a unit: dangerous terrain all, difficult terrain also riders and jumpers."""
    if unit_type in DANGEROUS_AT_THE_ENDS:
        return starts_or_ends
    return dangerous or unit_type in ALWAYS_DANGEROUS


@clause("DL-14.2", "DL-14.4", "DL-76.1")
def terrain_damage(
    hazard: Hazard,
    inches: float = 0,
    crossings: int = 1,
    skilled_rider: bool = False,
    unit_type: str = "infantry",
    rulings: Rulings = DEFAULT,
) -> int:
    """Return the DMG that a model takes from dangerous terrain in a move; a skilled rider takes half, rounded up."""
    if inches < 0 or crossings < 0:
        raise BadInput("inches and crossings must be 0 or more", clause="DL-14.2")
    dmg = round_half_up(hazard.dmg_per_inch * Fraction(inches).limit_denominator(1000))
    if not hazard.dmg_per_inch:
        dmg = hazard.dmg_per_model * (crossings if rulings.dangerous_per == "crossing" else min(crossings, 1))
    return halved(dmg) if skilled_rider and unit_type in RIDERS else dmg


def round_half_up(number: Fraction) -> int:
    """Return the nearest whole number, from a half upwards."""
    return floor(number + Fraction(1, 2))


@clause("DL-14.2", "DL-14.3", "DL-76.1")
def cross_dangerous_terrain(
    tape: Tape,
    target: Target,
    hazard: Hazard = Hazard(),
    inches: float = 0,
    crossings: int = 1,
    passages: Sequence[Sequence[Passage]] | None = None,
) -> Target:
    """Hurt each model in dangerous terrain once; identical models are pooled, and only invulnerable saves help.

    All models go the same path, unless `passages` gives those of each group that come through at all.
    """
    for group_index, group in enumerate(target.groups):
        group_passages = (Passage(inches, crossings),) * group.models if passages is None else passages[group_index]
        if len(group_passages) > group.models:
            raise BadInput(
                f"{group.name} has {group.models} models; got {len(group_passages)} that cross", clause="DL-14.2"
            )
        dmg = sum(_damage_to(group, hazard, passage, target.rulings) for passage in group_passages)
        packet = Packet(
            "dangerous terrain", dmg, 0, ignores_armour=True, ignores_cover=True, shots=max(1, len(group_passages))
        )
        target = take_share(tape, target, packet, group_index, dmg) if dmg else target
    return target


def _damage_to(group: Group, hazard: Hazard, passage: Passage, rulings: Rulings) -> int:
    return terrain_damage(hazard, passage.inches, passage.crossings, SKILLED_RIDER in group.rules, group.type, rulings)
