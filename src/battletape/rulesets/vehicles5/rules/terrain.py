"""Bad ground: which units test, where a failed test stops a vehicle, and how far walkers get."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeVar

from battletape.rulebook import (
    D6,
    Line,
    Procedure,
    Reading,
    Refused,
    State,
    Tape,
    at_least,
    capital,
    cites,
    clause,
    highest,
    inches,
    plain,
    replace,
)
from battletape.rulesets.vehicles5.rules.damage import UNDAMAGED, Condition, apply_result, condition_summary, crash_of
from battletape.rulesets.vehicles5.rules.movement import band_of_distance
from battletape.rulesets.vehicles5.rules.traits import Band, Ground, Relation, Traits
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.tables.printed import PAIR
from battletape.table.points import TOLERANCE

Terrain: TypeAlias = Literal["difficult", "dangerous", "impassable", "wreck", "crater", "road"]
Area: TypeAlias = tuple[Terrain, Relation, float]
"""The kind of ground, how a move meets it, and after how many inches it begins."""
T = TypeVar("T", bound=tuple[Any, ...])
TERRAIN_EFFECTS: Mapping[Terrain, tuple[Ground, ...]] = {
    "difficult": ("difficult",),
    "dangerous": ("dangerous",),
    "impassable": ("impassable",),
    "wreck": ("difficult", "dangerous"),
    "crater": ("difficult",),
    "road": (),
}
HIGHER = Reading(lambda value: value, "the higher counts")
WRECK_COVER = 4  # the save behind a wreck, where enough of a model is hidden
cites("V5-CORE-18", where=f"{__name__}.TERRAIN_EFFECTS")
cites("V5-CORE-18", where=f"{__name__}.WRECK_COVER")


class Stop(State, frozen=True):
    """The end of a move: its inches and speed, and the vehicle as the ground left it."""

    moved: float
    band: Band
    vehicle: Condition = UNDAMAGED


class Crossing(State, frozen=True):
    """A move over bad ground, its tests, and where it ended."""

    traits: Traits
    declared: float
    edges: tuple[float, ...] = ()  # after how many inches each test is due
    slowed: bool = False
    on_road: bool = False
    rulings: Rulings = DEFAULT
    other_vehicles: int = 0  # vehicles that make the same move
    vehicle: Condition = UNDAMAGED  # the first of them
    allowed_inches: float = 0.0  # that the first vehicle may go
    end: Stop | None = None  # and where it ended
    failed: int = 0  # of all of them
    wrecked: int = 0
    name: str = "it"


@clause("V5-TERR-2", "V5-TERR-1", "V5-SKIM-2", "V5-SKIM-3", "V5-WALK-2", "V5-CORE-18")
def needs_test(traits: Traits | None, ground: Terrain, rulings: Rulings = DEFAULT) -> bool:
    """Return whether a vehicle or a soldier (None) tests for an area."""
    tested: set[Ground] = {"dangerous"} if is_on_legs(traits) else {"dangerous", "difficult"}
    if traits is not None and traits.skimmer:
        tested.add("impassable")
        if not rulings.skimmer_dangerous_test:
            tested.remove("dangerous")
    return not tested.isdisjoint(TERRAIN_EFFECTS[ground])


def is_on_legs(traits: Traits | None) -> bool:
    """Return whether traits are those of a soldier (None), or of a walker that does not fly."""
    return traits is None or (traits.walker and not traits.skimmer)


@clause("V5-TERR-2", "V5-SKIM-2", "V5-SKIM-3")
def test_distances(
    traits: Traits, tested: Sequence[tuple[Relation, float]], reach: float, rulings: Rulings
) -> tuple[float, ...]:
    """Return after how many inches each test is due; a skimmer tests where it starts or lands."""
    due = [
        0.0 if relation == "starting" else reach if traits.skimmer else begins
        for relation, begins in tested
        if not (traits.skimmer and relation in ("over", "through"))
    ]
    return tuple(sorted(due))[: 1 if rulings.terrain_tests == "one_per_move" else None]


@clause("V5-SKIM-2")
def refuse_relation(traits: Traits, relation: Relation) -> Refused | None:
    """Refuse flying over ground, or landing on it, to a vehicle that is no skimmer."""
    if traits.skimmer or relation not in ("over", "landing"):
        return None
    action = "fly over" if relation == "over" else "land on"
    reason = f"only a skimmer can {action} terrain; other vehicles go into it or through it"
    return Refused(reason, "V5-SKIM-2", "relation")


@clause("V5-TERR-2", "V5-TERR-3", "V5-WALK-2")
def crossing_of_areas(
    traits: Traits, declared: float, areas: Sequence[Area], rulings: Rulings = DEFAULT, **more: Any
) -> Crossing:
    """Return a move with its tests for the areas on the way, and whether it is slowed."""
    met = within_reach(areas, declared)
    tested = [(relation, begins) for kind, relation, begins in met if needs_test(traits, kind, rulings)]
    edges = test_distances(traits, tested, declared, rulings)
    slowed = is_slowed(traits, [kind for kind, _, _ in met])
    return Crossing(traits, declared, edges, slowed, rulings=rulings, **more)


def within_reach(areas: Iterable[T], inches: float) -> list[T]:
    """Return the areas that a move of so many inches comes to; each ends with the inches at which it begins."""
    return [area for area in areas if inches and area[-1] <= inches + TOLERANCE]


@clause("V5-SKIM-2", "V5-TERR-1")
def refuse_ground(traits: Traits, grounds: Sequence[Terrain]) -> Refused | None:
    """Refuse impassable ground to a vehicle that is no skimmer."""
    if "impassable" in grounds and not traits.skimmer:
        return Refused("impassable ground is in the way, which only skimmers pass over", "V5-SKIM-2", "terrain")
    return None


@clause("V5-WALK-2", "V5-CORE-9", "V5-TERR-1")
def is_slowed(traits: Traits | None, grounds: Sequence[Terrain]) -> bool:
    """Return whether difficult ground slows the move of a walker or soldier (None)."""
    return is_on_legs(traits) and any("difficult" in TERRAIN_EFFECTS[ground] for ground in grounds)


@clause("V5-TERR-3", "V5-SKIM-3", "V5-SKIM-7")
def end_of_move(crossing: Crossing, held_at: float | None) -> Stop:
    """Return the end of a move: at the edge where a test failed, or with its full way."""
    moved = crossing.allowed_inches if held_at is None else held_at
    band = band_of_distance(moved, crossing.traits, crossing.on_road, crossing.rulings)
    if isinstance(band, Refused):
        raise band
    if held_at is None:
        return Stop(moved, band, crossing.vehicle)
    return Stop(moved, band, after_failed_test(crossing.vehicle, crossing.traits, band, crossing.rulings))


@clause("V5-TERR-3", "V5-SKIM-7")
def after_failed_test(vehicle: Condition, traits: Traits, band: Band, rulings: Rulings = DEFAULT) -> Condition:
    """Return a vehicle that failed its test at this speed: immobilised, or crashed."""
    moving = replace(vehicle, crash=crash_of(traits, band, rulings, by_table=False))
    return replace(apply_result(moving, ("immobilised", "")), crash=vehicle.crash)


@clause("V5-WALK-2", "V5-CORE-9")
def roll_allowed_inches(tape: Tape, crossing: Crossing) -> Crossing:
    """Roll how far difficult ground lets a walker go: the higher of two dice."""
    far = float(tape.call(roll_difficult)) if crossing.slowed else crossing.declared
    if crossing.slowed:
        tape.tell(allowed_inches_line, crossing.name, min(crossing.declared, far))
    return replace(crossing, allowed_inches=min(crossing.declared, far))


@clause("V5-TERR-2", "V5-TERR-3", "V5-SKIM-3", "V5-SKIM-7")
def test_first_vehicle(tape: Tape, crossing: Crossing) -> Crossing:
    """Test the first vehicle, and stop it where the ground holds it."""
    end_inches, lands = crossing.allowed_inches, crossing.traits.skimmer  # wherever its way ends
    held_at = roll_tests(tape, [min(edge, end_inches) for edge in crossing.edges if lands or edge <= end_inches])
    end = end_of_move(crossing, held_at)
    tape.tell(end_of_move_line, crossing, end, held_at is not None)
    return replace(crossing, end=end, failed=int(held_at is not None), wrecked=int(end.vehicle.is_destroyed))


@clause("V5-TERR-2", "V5-TERR-3")
def roll_tests(tape: Tape, edges: Sequence[float]) -> float | None:
    """Roll test after test; return the first edge at which one fails, if any."""
    return next((edge for edge in edges if not tape.call(roll_test)), None)


@clause("V5-TERR-2")
def test_other_vehicles(tape: Tape, crossing: Crossing) -> Crossing:
    """Test every other vehicle that makes the same move."""
    if not crossing.other_vehicles:
        return crossing
    if not crossing.edges:
        tape.tell("0 of {} vehicles fail", crossing.other_vehicles + 1)
        return crossing
    alike = replace(crossing, allowed_inches=0.0, end=None, failed=0, wrecked=0, name="another")
    failed, wrecked = tape.each(_count_failure, (0, 0), (alike,) * crossing.other_vehicles)
    tape.tell("{} of {} vehicles fail", crossing.failed + failed, crossing.other_vehicles + 1)
    return replace(crossing, failed=crossing.failed + failed, wrecked=crossing.wrecked + wrecked)


CROSSING = Procedure("dangerous terrain", (roll_allowed_inches, test_first_vehicle, test_other_vehicles))


@clause("V5-TERR-2")
def _count_failure(tape: Tape, so_far: tuple[int, int], crossing: Crossing) -> tuple[int, int]:
    after = test_first_vehicle(tape, roll_allowed_inches(tape, crossing))
    return so_far[0] + after.failed, so_far[1] + after.wrecked


@clause("V5-TERR-2", "V5-WALK-2")
def roll_test(tape: Tape) -> bool:
    """Roll whether a vehicle gets into an area: a 1 fails."""
    return not roll_dangerous_on_foot(tape, 1)


@clause("V5-CORE-9", "V5-WALK-2")
def roll_difficult(tape: Tape) -> int:
    """Roll how far difficult ground lets a walker or soldier go."""
    return int(tape.pool(2, PAIR, HIGHER, label="difficult terrain", whole=highest))


@clause("V5-CORE-9")
def roll_dangerous_on_foot(tape: Tape, models: int) -> int:
    """Roll how many soldiers dangerous ground wounds: a die each, and a 1 hurts."""
    return tape.pool(models, D6, at_least(2), label="dangerous terrain")[False]


# --- what is told ---------------------------------------------------------------------------------------------------


def allowed_inches_line(name: str, far: float) -> Line:
    """Say how far difficult ground lets a walker go."""
    return Line(f"{capital(name)} may go {inches(far)}", result=f"{far:g}")


def end_of_move_line(crossing: Crossing, end: Stop, failed: bool) -> Line:
    """Say how far a vehicle gets and how fast that is; on bad ground, also what that has done to it."""
    text = f"{capital(crossing.name)} moves {inches(round(end.moved, 2))}, {plain(end.band)}"
    if not crossing.edges and not crossing.slowed:
        return Line(text, ("V5-MOVE-2",))
    state = str(condition_summary(end.vehicle)) if failed else "unharmed"
    return Line(f"{text}, and is {state}", ("V5-TERR-3" if failed else "V5-TERR-2",), result=state)
