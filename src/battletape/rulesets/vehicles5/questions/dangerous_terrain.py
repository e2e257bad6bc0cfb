"""The question dangerous_terrain: what a move into or through bad ground costs, and where it ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused, UnknownName
from battletape.inputs import Inputs, meta
from battletape.log import Line
from battletape.odds import percent
from battletape.procedure import Procedure, Stage
from battletape.profiles import ProfileBook
from battletape.rulesets.vehicles5.profiles.book import traits_of
from battletape.rulesets.vehicles5.questions import _rulings
from battletape.rulesets.vehicles5.questions._inputs import TYPES
from battletape.rulesets.vehicles5.rules.movement import band
from battletape.rulesets.vehicles5.rules.terrain import (
    Stop,
    Terrain,
    is_slowed,
    refuse_ground,
    roll_difficult,
    roll_tests,
    stop,
    tests,
)
from battletape.rulesets.vehicles5.rules.traits import Relation, Traits
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.system import Measure, Question
from battletape.tape import Tape
from battletape.words import inches, plain

if TYPE_CHECKING:
    from battletape.answer import Answer


Distance = Annotated[float, Meta(ge=0, le=240, extra={"unit": "inches"})]


class DangerousTerrain(Inputs, frozen=True):
    """A move and the ground on its way; several vehicles may make the same move."""

    vehicle: Annotated[str, meta("target", "Vehicle profile")] = ""
    types: Annotated[tuple[str, ...], meta("target", f"Types: {TYPES}", "V5-TERR-1")] = ()
    vehicles: Annotated[int, meta("target", "Vehicles that make this move", "V5-TERR-2", ge=1, le=60)] = 1
    grounds: Annotated[
        tuple[str, ...],
        meta("circumstances", "Areas: difficult, dangerous, impassable, wreck, crater, road", "V5-TERR-2"),
    ] = ("difficult",)
    relation: Annotated[
        Relation,
        Meta(description="starting in it, going into it or through it; skimmers: flying over it or landing in it"),
        meta("circumstances", "What the move has to do with them", "V5-TERR-2"),
    ] = "through"
    distance: Annotated[Distance, meta("circumstances", "Inches it means to drive", "V5-MOVE-2")] = 6.0
    enters_at: Annotated[Distance, meta("circumstances", "Inches before the first area begins", "V5-TERR-3")] = 0.0
    on_road: Annotated[bool, meta("circumstances", "The whole move is on a road", "V5-MOVE-4")] = False


class Crossing(Struct, frozen=True, cache_hash=True):
    """The state of a move: how far it may go, its tests, and where the first vehicle ended."""

    traits: Traits
    declared: float
    count: int  # dice for each vehicle
    slowed: bool
    relation: Relation
    enters_at: float
    others: int
    on_road: bool
    rules: Rulings
    far: float = 0.0  # that the first vehicle may go
    end: Stop | None = None  # and where it ended
    failed: int = 0  # of all of them
    wrecked: int = 0


def begin_crossing(inputs: DangerousTerrain, rules: Rulings = DEFAULT) -> Crossing:
    """The move as it was declared; raises Refused where it is too far or the ground cannot be entered."""
    traits = traits_of(inputs.types)
    for one in inputs.grounds:
        if one not in get_args(Terrain):
            raise UnknownName("terrain", one, get_args(Terrain))
    grounds = cast("tuple[Terrain, ...]", inputs.grounds)
    speed = band(inputs.distance, traits, inputs.on_road, rules)
    refused = speed if isinstance(speed, Refused) else refuse_ground(traits, grounds)
    if refused is not None:
        raise refused
    if inputs.relation in ("over", "landing") and not traits.skimmer:
        reason = f"only a skimmer has to do with ground by {inputs.relation}; others go into it or through it"
        raise Refused(reason, "V5-SKIM-2", "relation")
    outside = inputs.relation in ("into", "through") and inputs.distance < inputs.enters_at
    stays_out = outside or not inputs.distance
    return Crossing(
        traits,
        inputs.distance,
        0 if stays_out else tests(traits, grounds, inputs.relation, rules),
        not stays_out and is_slowed(traits, grounds),
        inputs.relation,
        inputs.enters_at,
        inputs.vehicles - 1,
        inputs.on_road,
        rules,
    )


@clause("V5-WALK-2", "V5-CORE-9")
def find_the_way(tape: Tape, crossing: Crossing) -> Crossing:
    """Difficult ground lets a walker go as far as the higher of two dice."""
    return replace(crossing, far=_reach(tape, crossing))


def _reach(tape: Tape, crossing: Crossing) -> float:
    return min(crossing.declared, float(tape.call(roll_difficult))) if crossing.slowed else crossing.declared


@clause("V5-TERR-2", "V5-TERR-3", "V5-SKIM-3", "V5-SKIM-7")
def cross(tape: Tape, crossing: Crossing) -> Crossing:
    """The first vehicle tests."""
    failed = _fails(tape, crossing, crossing.far)
    end = _end(crossing, crossing.far, failed)
    return replace(crossing, end=end, failed=int(failed), wrecked=int(end.row == "wrecked"))


def _fails(tape: Tape, crossing: Crossing, far: float) -> bool:
    """Whether a vehicle is stuck; one that comes short of the ground need not test."""
    short = crossing.relation in ("into", "through") and far < crossing.enters_at
    return not short and not tape.call(roll_tests, crossing.count)


def _end(crossing: Crossing, far: float, failed: bool) -> Stop:
    edge = None if crossing.relation == "landing" else crossing.enters_at
    inside = crossing.relation == "starting"
    return stop(crossing.traits, far, inside, edge, failed, crossing.rules, crossing.on_road)


@clause("V5-TERR-2")
def follow(tape: Tape, crossing: Crossing) -> Crossing:
    """Every other vehicle that makes the same move tests for itself."""
    if not crossing.count:
        return crossing
    alike = replace(crossing, far=0.0, end=None, failed=0, wrecked=0)
    failed = tape.each(_count_failure, 0, (alike,) * crossing.others)
    wrecked = failed if _end(crossing, crossing.declared, True).row == "wrecked" else 0
    return replace(crossing, failed=crossing.failed + failed, wrecked=crossing.wrecked + wrecked)


@clause("V5-TERR-2")
def _count_failure(tape: Tape, failed: int, crossing: Crossing) -> int:
    """One vehicle more."""
    return failed + _fails(tape, crossing, _reach(tape, crossing))


CROSSING = Procedure("dangerous terrain", (find_the_way, cross, follow))


def fill_crossing(given: Mapping[str, Any], found: ProfileBook) -> dict[str, Any]:
    """The types of the named vehicle."""
    if not given.get("vehicle"):
        return dict(given)
    vehicle = found.find("vehicle", str(given["vehicle"]))
    return {"types": vehicle.types, **given, "vehicle": vehicle.name}


def moved(crossing: Crossing) -> float:
    """How far the first vehicle got."""
    return crossing.end.moved if crossing.end else 0.0


def crossing_headline(answer: Answer) -> str:
    """Whether it gets through."""
    start: Crossing = answer.start
    odds = answer.odds("failed")
    far = f"; {inches(round(float(answer.odds('moved').mean), 1))} on average" if start.slowed else ""
    if odds.chance(0) == 1:
        return f"No test is needed{far}."
    if start.others:
        return f"All {start.others + 1} get through {percent(odds.chance(0))}; {float(odds.mean):.1f} fail on average."
    word = "Wrecked" if answer.odds("wrecked").chance(1) else "Immobilised"
    return f"{word} {percent(odds.chance(1))}, unharmed {percent(odds.chance(0))}{far}."


def narrate_crossing(stage: Stage, before: Crossing, after: Crossing) -> Iterable[Line]:
    """How far it got and what became of it."""
    if stage is find_the_way and after.slowed:
        yield Line(f"It may go {inches(after.far)}", result=f"{after.far:g}")
    elif stage is cross and after.end:
        state = "unharmed" if after.end.row == "none" else plain(after.end.row)
        text = f"It moves {inches(after.end.moved)}, {plain(after.end.band)}, and is {state}"
        yield Line(text, ("V5-TERR-3",) if after.failed else ("V5-TERR-2",), result=state)
    elif stage is follow and after.others:
        yield Line(f"{after.failed} of {after.others + 1} vehicles fail", result=str(after.failed))


def warn_crossing(inputs: DangerousTerrain, rules: Rulings) -> list[str]:
    """What the numbers leave open."""
    if not inputs.distance:
        return ["turning on the spot is no move and needs no test (V5-TERR-2)"]
    if inputs.enters_at > inputs.distance and inputs.relation in ("into", "through"):
        return [f"the ground begins after {inches(inputs.enters_at)}, further than it means to drive"]
    return []


DANGEROUS_TERRAIN = Question(
    "dangerous_terrain",
    "Does a vehicle get through bad ground?",
    DangerousTerrain,
    begin_crossing,
    CROSSING,
    (
        Measure("failed", "Vehicles that fail", lambda crossing: crossing.failed, "vehicles"),
        Measure("immobilised", "Immobilised", lambda crossing: crossing.failed - crossing.wrecked, "vehicles"),
        Measure("wrecked", "Wrecked", lambda crossing: crossing.wrecked, "vehicles"),
        Measure("unharmed", "Unharmed", lambda crossing: crossing.others + 1 - crossing.failed, "vehicles"),
        Measure("tests", "Tests of each vehicle", lambda crossing: crossing.count, "tests"),
        Measure("moved", "Inches the first one drives", moved, "inches"),
        Measure("band_after", "Speed of the first one", lambda crossing: crossing.end.band),
    ),
    crossing_headline,
    narrate_crossing,
    fill=fill_crossing,
    warn=warn_crossing,
    rulings=_rulings.DANGEROUS_TERRAIN,
    example={"grounds": ["difficult"], "relation": "through", "distance": 10, "enters_at": 5},
)
