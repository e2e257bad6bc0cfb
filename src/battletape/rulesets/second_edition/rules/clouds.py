"""Markers that stay: clouds that drift and shrink, plasma balls that swell, and what they do to models under them."""

from __future__ import annotations

from functools import lru_cache
from math import floor
from typing import Literal, TypeAlias

from battletape.rulebook import D6, Line, Procedure, Reading, State, Tape, capital, clause, inches, replace
from battletape.rulesets.second_edition.profiles.types import Remains
from battletape.rulesets.second_edition.rules import blasts
from battletape.rulesets.second_edition.rules.attack import Condition, Hit
from battletape.rulesets.second_edition.rules.dice import HIT, SCATTER
from battletape.rulesets.second_edition.rules.durations import EndChances, end_chances
from battletape.rulesets.second_edition.rules.scatter import WHOLE_DEGREES, coverage_at, land_marker, marker_place
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings
from battletape.table.bases import Base
from battletape.table.markers import Coverage
from battletape.table.points import Point

MarkerKind: TypeAlias = Literal["cloud", "plasma"]
MarkerStatus: TypeAlias = Literal["active", "expiring", "gone"]
"""A marker is in play, is removed at the end of this turn, or is out of play."""
Event: TypeAlias = Literal["", "expires", "stays", "shrinks", "moves", "vanishes", "expands"]
CLOUD_CHART = ((1, 1, "expires"), (2, 4, "stays"), (5, 5, "shrinks"), (6, 6, "moves"))
PLASMA_CHART = ((1, 1, "vanishes"), (2, 5, "shrinks"), (6, 6, "expands"))
"""The charts as printed: from, to, what happens."""
EVENT_WORDS: dict[Event, tuple[str, str]] = {
    "expires": ("stays until the end of this turn", "SE-68"),
    "stays": ("stays as it is", "SE-69"),
    "shrinks": ("shrinks", "SE-70"),
    "moves": ("drifts", "SE-71"),
    "vanishes": ("vanishes at once", "SE-76"),
    "expands": ("swells until the end of this turn", "SE-78"),
}
"""What the test of a marker brings, in words, and the clause."""
RADIUS_STEP = 0.5
"""Radii are rounded down to a multiple of this."""
ORIGIN = Point(0.0, 0.0)


class Marker(State, frozen=True):
    """A marker in play: what it is, how large, where, and how long it stays."""

    kind: MarkerKind
    radius: float
    hit: Hit
    centre: Point = ORIGIN
    status: MarkerStatus = "active"
    grown: bool = False  # a plasma ball that has swollen
    moves: int = 0
    inches: float = 0.0  # moved in all


class MarkerTest(State, frozen=True):
    """A marker and all models near it, from one test to the next."""

    marker: Marker
    figures: tuple[blasts.Figure, ...] = ()
    event: Event = ""
    tests: int = 0
    hits: int = 0
    killed: int = 0
    burning: int = 0
    enters: bool = False  # whether the models move under it before its test
    placed: bool = False  # whether the place itself is wanted, as in a battle
    covered: tuple[Coverage, ...] | None = None  # after a move, where the place itself is not kept
    named_covered: tuple[tuple[str, Coverage], ...] = ()  # the models under it, entirely or partly
    under: tuple[blasts.CoveredModel, ...] = ()
    results: blasts.HitResults = blasts.NO_HITS
    tests_ahead: int = 1  # tests to look ahead
    name: str = "the marker"
    rulings: Rulings = DEFAULT


@clause("SE-66", "SE-75")
def remaining_marker(remains: Remains, radius: float, hit: Hit, centre: Point = ORIGIN) -> Marker | None:
    """Return the marker that a blast leaves in play: a cloud, a plasma ball, or none."""
    return None if remains == "none" else Marker(remains, radius, hit, centre)


@clause("SE-70", "SE-77")
def half_radius(radius: float) -> float:
    """Return half the radius, rounded down to a multiple of half an inch."""
    return floor(radius / 2 / RADIUS_STEP + 1e-9) * RADIUS_STEP


@clause("SE-72", "SE-70", "SE-77")
def shrink(marker: Marker, rulings: Rulings = DEFAULT) -> Marker:
    """Halve the size of a marker; one that would have no size left is removed, unless ruled otherwise."""
    radius = half_radius(marker.radius)
    if radius:
        return replace(marker, radius=radius)
    if rulings.shrunk_away == "stays_small":
        return replace(marker, radius=RADIUS_STEP)
    return replace(marker, radius=0.0, status="gone")


@lru_cache(2)
def chart_reading(kind: MarkerKind) -> Reading:
    """Return what a die says of a marker, by the chart of its kind."""
    rows = CLOUD_CHART if kind == "cloud" else PLASMA_CHART
    return Reading(
        lambda face: next(what for low, high, what in rows if low <= face <= high), "", made=(chart_reading, kind)
    )


@clause("SE-68", "SE-69", "SE-71", "SE-75", "SE-76", "SE-78")
def after_test(marker: Marker, event: Event, extra: float = 0.0, rulings: Rulings = DEFAULT) -> Marker:
    """Return a marker after its test, except for its move, by the chart of its kind."""
    if event == "expires":
        return replace(marker, status="expiring")
    if event == "vanishes":
        return replace(marker, status="gone", radius=0.0)
    if event == "shrinks":
        return shrink(marker, rulings)
    if event == "expands":
        return replace(marker, radius=marker.radius + extra, status="expiring", grown=True)
    return marker


@clause("SE-67", "SE-118")
def roll_test(tape: Tape, marker: Marker) -> Event:
    """Roll the test of a marker at the start of every player's turn."""
    event: Event = tape.roll(D6, chart_reading(marker.kind), label="marker test")
    return event


@clause("SE-6", "SE-71")
def random_move_happens(tape: Tape, rulings: Rulings = DEFAULT) -> bool:
    """Return whether a random direction leads anywhere: a Hit face has a small arrow, unless ruled to mean no move."""
    return rulings.random_direction == "small_arrow" or tape.roll(SCATTER, label="scatter dice") != HIT


@clause("SE-6", "SE-89")
def random_bearing(tape: Tape, label: str = "random direction") -> int:
    """Roll a random direction to the whole degree, where a new place has to be written down."""
    return tape.direction(WHOLE_DEGREES, label=label)


@clause("SE-67", "SE-71", "SE-74", "SE-76", "SE-78")
def test_marker(tape: Tape, test: MarkerTest) -> MarkerTest:
    """Test a marker; one that was to be removed is gone."""
    marker, rulings = test.marker, test.rulings
    if marker.status != "active":
        gone = replace(marker, status="gone", radius=0.0)
        return replace(test, marker=gone, event="", under=(), figures=(), named_covered=())
    event = roll_test(tape, marker)
    test = replace(test, event=event, tests=test.tests + 1)
    if event == "moves":
        after = _drift(tape, test)
    else:
        extra = float(tape.roll(D6, label="swells by")) if event == "expands" else 0.0
        after = replace(test, marker=after_test(marker, event, extra, rulings))
    tape.tell(event_line, after, after.marker.moves > marker.moves)
    return after


def _drift(tape: Tape, test: MarkerTest) -> MarkerTest:
    marker = test.marker
    inches = float(tape.roll(D6, label="drifts by"))
    if not random_move_happens(tape, test.rulings):
        return test
    bases = tuple(figure.base for figure in test.figures)
    landing = land_marker(tape, marker.centre, inches, marker.radius, bases, test.placed, "drift direction")
    centre = marker_place(marker.centre, inches, landing)
    moved = replace(marker, centre=centre, moves=marker.moves + 1, inches=marker.inches + inches)
    return replace(test, marker=moved, covered=None if test.placed else landing.bases)


@clause("SE-80", "SE-76")
def find_covered(tape: Tape, test: MarkerTest) -> MarkerTest:
    """Find the models under a marker that hurts, once it has been tested; a ball that has vanished covers none."""
    marker = test.marker
    if marker.status == "gone" or not marker.radius:
        return replace(test, under=(), covered=None, named_covered=())
    covered = test.covered
    if covered is None:
        covered = coverage_at(Base(marker.centre, marker.radius), [figure.base for figure in test.figures])
    under = blasts.models_under(test.figures, covered, marker.hit, rulings=test.rulings)
    living = tuple(model for model in under if not model.condition.is_dead)
    names = blasts.names_under(test.figures, covered)
    if test.figures or test.placed:
        tape.tell(blasts.covered_line, test.name, names)
    return replace(test, under=living, covered=None, named_covered=names)


@clause("SE-80")
def hit_covered_models(tape: Tape, test: MarkerTest) -> MarkerTest:
    """Hit each model under the marker: covered entirely without a roll, partly on a 4+."""
    return blasts.hit_each_model(
        tape, test.under, then=_with_results, rest=replace(test, under=(), results=blasts.NO_HITS)
    )


def _with_results(test: MarkerTest, results: blasts.HitResults) -> MarkerTest:
    conditions = {record.name: record.condition for record in results.records if record.condition is not None}
    figures = tuple(_with_condition(figure, conditions.get(figure.name)) for figure in test.figures)
    return replace(
        test,
        figures=figures,
        hits=test.hits + len(results.records),
        killed=test.killed + sum(record.dead for record in results.records),
        results=results,
    )


def _with_condition(figure: blasts.Figure, condition: Condition | None) -> blasts.Figure:
    return figure if condition is None else replace(figure, condition=condition)


@clause("SE-80")
def find_entering_models(tape: Tape, test: MarkerTest) -> MarkerTest:
    """Find the models that move under a marker before its test, where that is ruled to hurt."""
    if not test.enters or test.rulings.marker_harm == "at_test":
        return test
    return find_covered(tape, test)


def forget_position(tape: Tape, test: MarkerTest) -> MarkerTest:
    """Forget where a cloud lies after it has moved; from here on only its size is followed."""
    return replace(test, figures=(), results=blasts.NO_HITS)


@lru_cache(64)
def cloud_tests(tests: int) -> Procedure:
    """Return the tests of a cloud: the harm of the next one, then size and moves for as many as are asked for."""
    first = (find_entering_models, hit_covered_models, test_marker, find_covered, hit_covered_models)
    return Procedure("cloud", (*first, forget_position, *(test_marker,) * (tests - 1)))


@lru_cache(64)
def plasma_tests(tests: int) -> Procedure:
    """Return the tests of a plasma ball, which never moves: its size and its harm at every one of them."""
    return Procedure(
        "plasma ball",
        (find_entering_models, hit_covered_models, *(test_marker, find_covered, hit_covered_models) * tests),
    )


@clause("SE-73", "SE-79")
def life_time(marker: Marker, rulings: Rulings = DEFAULT) -> EndChances:
    """Return how a marker ends, and the mean number of tests made for it."""
    return end_chances(_size_only, MarkerTest(replace(marker, centre=ORIGIN), rulings=rulings), _end_of, _is_tested)


def _size_only(tape: Tape, test: MarkerTest) -> MarkerTest:
    """Make one test, and keep nothing of it but the size."""
    after = tape.call(test_marker, test)
    marker = replace(after.marker, moves=0, inches=0.0, centre=ORIGIN)
    if marker.grown:
        marker = replace(marker, radius=0.0)
    return MarkerTest(marker, rulings=test.rulings)


def _end_of(test: MarkerTest) -> str:
    marker = test.marker
    if marker.status == "active":
        return ""
    return "swells" if marker.grown else "expires" if marker.status == "expiring" else "is gone"


def _is_tested(test: MarkerTest) -> bool:
    return test.marker.status == "active"


# --- what is told ----------------------------------------------------------------------------------------------------


def event_line(tested: MarkerTest, moved: bool) -> Line:
    """Say what the test of a marker brings, where it lies and how large it is."""
    marker, (does, by) = tested.marker, EVENT_WORDS[tested.event]
    name = f"Test {tested.tests}: {tested.name}" if tested.tests_ahead > 1 else capital(tested.name)
    if tested.event == "moves" and not moved:
        does = "is to drift, but does not move"
    where = f" to {marker.centre.x:.1f}, {marker.centre.y:.1f}" if moved and tested.placed else ""
    size = f"radius {inches(marker.radius)}" if marker.status != "gone" else "and is out of play"
    return Line(f"{name} {does}{where}, {size}", (by,), result=tested.event)
