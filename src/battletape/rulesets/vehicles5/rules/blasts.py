"""Blasts: where a marker is aimed and comes down, and what it does to the vehicles there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal, TypeAlias

from battletape.rulebook import (
    Line,
    Procedure,
    Reading,
    Refused,
    State,
    Tape,
    cites,
    clause,
    labelled,
    replace,
    special,
)
from battletape.rulesets.vehicles5.rules.damage import VEHICLE, Condition, damage_line
from battletape.rulesets.vehicles5.rules.firing import refuse_unseen
from battletape.rulesets.vehicles5.rules.keywords import shot_at
from battletape.rulesets.vehicles5.rules.shooting import Shot, ShotDraft, TargetArmour, resolve_shot
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.tables.printed import TWO_DICE
from battletape.table import markers
from battletape.table.bases import Base
from battletape.table.distances import gap
from battletape.table.facings import Facing
from battletape.table.hulls import Hull, is_on_hull
from battletape.table.markers import LARGE_BLAST, HullBlast
from battletape.table.points import Point
from battletape.table.scatter import landing, landing_arcs

SCATTER_DIE = special("scatter die", ("hit",) * 2 + ("arrow",) * 4)
MARKERS: Mapping[str, float] = {"small": markers.BLAST, "large": markers.LARGE_BLAST}  # radius of the blast markers
CLEAR = HullBlast("clear")
cites("V5-CORE-3", where=f"{__name__}.MARKERS")
Landing: TypeAlias = Literal["", "hole", "edge", "clear"]  # what of the marker is on the hull


class Blast(State, frozen=True):
    """A blast marker on its way."""

    draft: ShotDraft
    aim: Point  # where the hole is aimed
    keywords: tuple[str, ...] = ()
    marker: float = LARGE_BLAST  # its radius
    bs: int = 4
    sees: bool = True
    barrage: bool = False


class BlastTarget(State, frozen=True):
    """A vehicle that a marker may come down on."""

    start: Condition
    now: Condition
    hull: Hull
    armour: TargetArmour
    seen_facing: Facing  # the side that the firer looks at
    landing: Landing = ""
    hit: Shot | None = None
    name: str = VEHICLE


class BlastState(State, frozen=True):
    """The state of one blast, with all vehicles and models that may come to lie under it."""

    blast: Blast
    vehicles: tuple[BlastTarget, ...]
    models: tuple[Base, ...] = ()
    under: tuple[int, ...] = ()  # which of the models lie under it
    inches: int = 0  # scattered
    rulings: Rulings = DEFAULT


@clause("V5-CORE-3", "V5-ORD-2")
def roll_scatter(tape: Tape, bs: int, line_of_sight: bool = True, name: str = "") -> int:
    """Roll how far a marker scatters: 2D6 less BS, unless it hits; unseen targets get no help from BS."""
    if tape.roll(SCATTER_DIE, label=labelled(name, "scatter die")) == "hit":
        return 0
    return int(tape.roll(TWO_DICE, less_bs(bs if line_of_sight else 0), label=labelled(name, "scatter distance")))


@lru_cache(16)
def less_bs(bs: int) -> Reading:
    """Read two dice less BS, but not below 0."""
    return Reading(lambda value: max(0, value - bs), f"2D6 - {bs}" if bs else "2D6")


@clause("V5-SHOT-9", "V5-SHOT-7", "V5-SHOT-8")
def blast_hit(
    strength: int,
    hole_on_hull: bool,
    firer_facing: Facing,
    hole_facing: Facing,
    barrage: bool = False,
    rulings: Rulings = DEFAULT,
) -> tuple[Facing, int]:
    """Return the facing and strength of a hit by a marker on the hull."""
    if hole_on_hull:
        return ("side" if barrage else firer_facing), strength
    to_the_side = barrage and rulings.barrage_off_hull == "side"
    return ("side" if to_the_side else hole_facing), strength // 2


@clause("V5-ORD-3", "V5-ORD-4", "V5-CORE-3", "V5-SHOT-7")
def refuse_blast(blast: Blast, hull: Hull) -> Refused | None:
    """Refuse a blast that is aimed off the hull, or at a target out of sight."""
    if is_on_hull(hull, blast.aim):
        return refuse_unseen(blast.barrage, blast.sees)
    reason = "a marker must be aimed with its hole over the hull, and this place is off it"
    return Refused(reason, "V5-SHOT-7", "aim")


_landing_arcs = lru_cache(4096)(landing_arcs)  # asked again for every direction


@lru_cache(1024)
@clause("V5-SHOT-9", "V5-SHOT-7", "V5-SHOT-8", "V5-ORD-2")
def shot_of_blast(
    blast: Blast, armour: TargetArmour, seen_facing: Facing, placements: HullBlast, rulings: Rulings
) -> Shot | None:
    """Return the hit on a vehicle by a marker that lies like this; None if the marker is clear of it."""
    if placements.part == "clear":
        return None
    gun = blast.draft
    on_hull = placements.part == "hole"
    facing, strength = blast_hit(
        gun.strength, on_hull, seen_facing, placements.facing or seen_facing, blast.barrage, rulings
    )
    return shot_at(replace(gun, hits_on=0, strength=strength), armour, facing, blast.keywords, rulings)


@clause("V5-ORD-2", "V5-CORE-3")
def scatter(tape: Tape, state: BlastState) -> BlastState:
    """Roll how far the marker scatters."""
    blast = state.blast
    inches: int = tape.call(roll_scatter, blast.bs, blast.sees, blast.draft.name)
    tape.tell(scatter_line, inches, clause="V5-CORE-3")
    return replace(state, inches=inches)


@clause("V5-SHOT-9", "V5-SHOT-7", "V5-SHOT-8", "V5-CORE-3")
def land(tape: Tape, state: BlastState) -> BlastState:
    """Let the marker come down on its aim, or in a random direction from it."""
    blast = state.blast
    rulings = state.rulings
    reach = state.inches + blast.marker
    near = [index for index, model in enumerate(state.models) if gap(blast.aim, model) <= reach]
    close = [vehicle for vehicle in state.vehicles if gap(blast.aim, vehicle.hull) <= reach]
    bases = tuple(state.models[index] for index in near)
    hulls = tuple(vehicle.hull for vehicle in close)
    if state.inches:
        ways = _landing_arcs(blast.aim, state.inches, blast.marker, bases, hulls, model=rulings.facing_model)
        label = labelled(blast.draft.name, "scatter direction")
        placements = ways.statuses[tape.direction(ways.cuts, label=label)]
    else:
        placements = landing(Base(blast.aim, blast.marker), bases, hulls, model=rulings.facing_model)
    parts = dict(zip(hulls, placements.hulls, strict=True))
    vehicles = []
    for vehicle in state.vehicles:
        placed = parts.get(vehicle.hull, CLEAR)
        hit = shot_of_blast(blast, vehicle.armour, vehicle.seen_facing, placed, rulings)
        vehicles.append(replace(vehicle, landing=placed.part, hit=hit))
    under = tuple(index for index, cover in zip(near, placements.bases, strict=True) if cover != "missed")
    landed = replace(state, vehicles=tuple(vehicles), under=under)
    tape.tell(landing_lines, landed)
    return landed


@clause("V5-SHOT-10", "V5-ORD-2")
def hit_vehicles(tape: Tape, state: BlastState) -> BlastState:
    """Hit each vehicle that the blast touches."""
    vehicles = []
    for vehicle in state.vehicles:
        if vehicle.hit is not None:
            after = tape.call(resolve_shot, vehicle.now, vehicle.hit)
            tape.tell(damage_line, vehicle.name, vehicle.now, after)
            vehicle = replace(vehicle, now=after)
        vehicles.append(vehicle)
    return replace(state, vehicles=tuple(vehicles))


ORDNANCE = Procedure("ordnance", (scatter, land, hit_vehicles))


# --- what is told ---------------------------------------------------------------------------------------------------


def scatter_line(inches: int) -> Line:
    """Say how far the marker scatters."""
    far = f"scatters {inches} inches" if inches else "stays where it was aimed"
    return Line(f"The marker {far}", result=str(inches))


def landing_lines(state: BlastState) -> Iterator[Line]:
    """Say how the marker lies on each vehicle that it touches; if it touches nothing at all, say that."""
    touched = [vehicle for vehicle in state.vehicles if vehicle.hit is not None]
    for vehicle in touched:
        hull = "the hull" if vehicle.name == VEHICLE else f"the hull of {vehicle.name}"
        if vehicle.landing == "hole":
            yield Line(f"The hole lies on {hull}: one hit at full strength", ("V5-SHOT-7",), result="hole")
        else:
            yield Line(f"Only the rim touches {hull}: one hit at half strength", ("V5-SHOT-9",), result="edge")
    if not touched and not state.under:
        from_what = "the hull" if [vehicle.name for vehicle in state.vehicles] == [VEHICLE] else "everything"
        yield Line(f"The marker comes down clear of {from_what}", ("V5-SHOT-9",), result="clear")
