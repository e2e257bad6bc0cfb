"""Blasts: where a marker comes down after scattering, and what it does to the vehicle there."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.dice import Reading, dice, special
from battletape.errors import Refused
from battletape.procedure import Procedure
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.geometry import blast_hit, marker_on, refuse_aim
from battletape.rulesets.vehicles5.rules.shooting import Aim, Shot, strike
from battletape.rulesets.vehicles5.rules.special_rules import ready
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.table.bearings import Arcs
from battletape.table.facings import Facing
from battletape.table.hulls import Hull
from battletape.table.markers import LARGE_BLAST, HullBlast
from battletape.table.points import Point
from battletape.table.scatter import hull_arcs
from battletape.tape import Tape
from battletape.words import labelled

SCATTER_DIE = special("scatter die", ("hit",) * 2 + ("arrow",) * 4)
TWO_DICE = dice("2d6")
FACINGS: tuple[Facing, ...] = ("front", "side", "rear")
Part: TypeAlias = Literal["", "hole", "edge", "clear"]
"""What of the marker ends up on the hull; nothing is said before it has come down."""


class Shelling(Struct, frozen=True, cache_hash=True):
    """One blast at a vehicle: everything that counts before the dice, and how far it has got."""

    start: Condition
    now: Condition
    hull: Hull
    aim: Point  # where the hole is aimed
    on_hole: Shot  # the hit if the hole stays on the hull
    on_edge: tuple[Shot, Shot, Shot]  # if only the rim does: by the facing that looks at the hole
    marker: float = LARGE_BLAST  # its radius
    bs: int = 4
    sees: bool = True
    inches: int = 0  # scattered
    landing: Part = ""
    hit: Shot | None = None
    rules: Rulings = DEFAULT


@clause("V5-CORE-3", "V5-ORD-2")
def roll_distance(tape: Tape, bs: int, line_of_sight: bool = True, name: str = "") -> int:
    """How far a marker scatters: not at all on a hit, else 2D6 less BS; unseen targets get no help from BS."""
    if tape.roll(SCATTER_DIE, label=labelled(name, "scatter die")) == "hit":
        return 0
    return int(tape.roll(TWO_DICE, less(bs if line_of_sight else 0), label=labelled(name, "scatter distance")))


@lru_cache(16)
def less(bs: int) -> Reading:
    """Two dice less BS, but not below 0."""
    return Reading(lambda value: max(0, value - bs), f"2D6 - {bs}" if bs else "2D6")


@clause("V5-ORD-3", "V5-ORD-4", "V5-CORE-3")
def refuse_unseen(barrage: bool, line_of_sight: bool) -> Refused | None:
    """Why a blast may not be fired at a target out of sight: only barrages are."""
    if barrage or line_of_sight:
        return None
    return Refused(
        "a blast that is aimed directly needs line of sight; a barrage does not", "V5-ORD-3", "line_of_sight"
    )


@clause("V5-ORD-2", "V5-CORE-3")
def scatter(tape: Tape, shelling: Shelling) -> Shelling:
    """Roll how far the marker scatters."""
    return replace(shelling, inches=tape.call(roll_distance, shelling.bs, shelling.sees, shelling.on_hole.name))


@clause("V5-SHOT-9", "V5-SHOT-7", "V5-SHOT-8")
def land(tape: Tape, shelling: Shelling) -> Shelling:
    """The marker comes down somewhere around its aim: on the hull, touching it, or clear of it."""
    if shelling.inches:
        found = possible(shelling.aim, shelling.inches, shelling.marker, shelling.hull, shelling.rules)
        label = labelled(shelling.on_hole.name, "scatter direction")
        lies = found.statuses[tape.direction(found.cuts, label=label)]
    else:
        lies = marker_on(shelling.hull, shelling.aim, shelling.marker, shelling.rules)
    return replace(shelling, landing=lies.part, hit=hit_by(shelling, lies))


@lru_cache(4096)
def possible(aim: Point, inches: int, marker: float, hull: Hull, rules: Rulings = DEFAULT) -> Arcs[HullBlast]:
    """Where the marker may lie after scattering so far, cut by the direction of the arrow."""
    return hull_arcs(aim, inches, marker, hull, model=rules.facing_model)


@clause("V5-SHOT-9", "V5-SHOT-7", "V5-SHOT-8")
def hit_by(shelling: Shelling, lies: HullBlast) -> Shot | None:
    """The hit of a marker that lies like this, if it touches the hull at all."""
    if lies.part == "hole":
        return shelling.on_hole
    return shelling.on_edge[FACINGS.index(lies.facing)] if lies.facing is not None else None


@clause("V5-SHOT-10", "V5-ORD-2")
def burst(tape: Tape, shelling: Shelling) -> Shelling:
    """The one hit of the blast, if there is any."""
    if shelling.hit is None:
        return shelling
    return replace(shelling, now=tape.call(strike, shelling.now, shelling.hit))


ORDNANCE = Procedure("ordnance", (scatter, land, burst))


@clause("V5-SHOT-9", "V5-SHOT-7", "V5-SHOT-8", "V5-ORD-2")
def begin_shelling(
    condition: Condition,
    aim: Aim,
    armour: tuple[int, int, int],
    hull: Hull,
    hole: Point,
    firer_facing: Facing,
    *,
    keywords: tuple[str, ...] = (),
    marker: float = LARGE_BLAST,
    bs: int = 4,
    barrage: bool = False,
    line_of_sight: bool = True,
    rules: Rulings = DEFAULT,
) -> Shelling:
    """A blast about to be fired; `aim` tells the gun, `armour` the front, side and rear of the target.

    Raises Refused where the hole is not over the hull, or the target is out of sight of a direct shot.
    """
    refused = refuse_aim(hull, hole) or refuse_unseen(barrage, line_of_sight)
    if refused is not None:
        raise refused

    def hit(on_hull: bool, hole_facing: Facing) -> Shot:
        facing, strength = blast_hit(aim.strength, on_hull, firer_facing, hole_facing, barrage, rules)
        av = armour[FACINGS.index(facing)]
        return ready(replace(aim, needs=0, strength=strength, av=av), keywords, rules)

    front, side, rear = (hit(False, facing) for facing in FACINGS)
    return Shelling(
        condition,
        condition,
        hull,
        hole,
        hit(True, "front"),
        (front, side, rear),
        marker,
        bs,
        line_of_sight,
        rules=rules,
    )
