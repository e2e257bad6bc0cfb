"""Shots at the ground: a spot instead of a model, and a marker for all models that stand there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from math import hypot, inf

from battletape.rulebook import D6, Procedure, Struct, Tape, at_least, clause, odds_of, replace
from battletape.rulesets.second_edition.rules import blasts
from battletape.rulesets.second_edition.rules.scatter import scatter_inches
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings
from battletape.table.bases import Base
from battletape.table.bearings import reach_share
from battletape.table.circles import circle_crossings
from battletape.table.markers import Coverage, coverage, marker_reach
from battletape.table.points import Point, apart

ON_SPOT_SCORE = 6
"""What a die must show to land a marker on the place aimed at."""


@clause("SE-49", "SE-65")
def ground_distance(shooter: Base, spot: Point, rulings: Rulings = DEFAULT) -> float:
    """Return the distance from the shooter's base to a spot; from its middle where middles are measured."""
    away = apart(shooter.centre, spot)
    return away if rulings.measuring == "centres" else max(0.0, away - shooter.radius)


@clause("SE-59", "SE-33")
def choose_spot(tape: Tape, blast: blasts.Blast) -> blasts.Blast:
    """Choose the spot to aim at."""
    spot = blast.spot
    if spot is None:
        named = named_spots(blast)
        spot = named[tape.choose(tuple(named), by="attacker", label="place")]
    blast = with_spot(blast, spot)
    tape.tell(blasts.aim_lines, blast)
    return blast


def named_spots(blast: blasts.Blast) -> dict[str, Point]:
    """Return the spots worth aiming at, by name."""
    return {f"{place.x:.2f}, {place.y:.2f}": place for place in best_spots(blast)}


@clause("SE-59", "SE-65")
def with_spot(blast: blasts.Blast, spot: Point) -> blasts.Blast:
    """Return a blast with its spot, and the distance to it unless that was given."""
    given = blast.shot.aim.distance
    distance = ground_distance(blast.shooter, spot, blast.rulings) if given is None else given
    return replace(blast, target="", spot=spot, distance=distance)


@clause("SE-60", "SE-61", "SE-65")
def roll_to_hit_ground(tape: Tape, blast: blasts.Blast) -> blasts.Blast:
    """Roll to hit the spot: a 6 lands on it whatever hinders the shot; out of range nothing happens at all."""
    if blast.rulings.ground_range == "limited" and blast.distance > blast.shot.aim.long_range:
        return blasts.with_fate(tape, blast, "no_effect")
    on_it = tape.roll(D6, at_least(ON_SPOT_SCORE), label="shot at the ground")
    return blasts.with_fate(tape, blast, "hit") if on_it else blast


GROUND = Procedure(
    "shot at the ground", (choose_spot, roll_to_hit_ground, blasts.scatter, blasts.land, blasts.hit_models_under)
)

# --- where to aim ----------------------------------------------------------------------------------------------------

SPOT_GRID_INCHES = 0.01
"""Places are named to the hundredth of an inch."""
MAX_SPOTS = 4
"""So many places are offered, the best first."""
MAX_TRIES = 12_000
"""How often, at most, it is looked at what a place does to a model before the best ones are refined."""
REFINED_SPOTS = 6
"""So many places are refined."""
REFINING_STEPS_INCHES = (0.4, 0.16, 0.06, 0.02, 0.01)
"""How far a place is moved, in inches, to see whether it gets better."""
MAX_REFINING_MOVES = 12
"""How often it is moved by each of these steps, at most."""
NEIGHBOURS = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)
DIAGONALS = tuple((x, y) for x, y in NEIGHBOURS if x and y)


class ModelAtStake(Struct, frozen=True):
    """A model that a marker may cover: its place, its value to the shooter, and how near the marker must lie."""

    x: float
    y: float
    gain: float
    whole: float
    touched: float
    radius: float
    own: bool


class SpotSearch(Struct, frozen=True):
    """The models, the scatter and the range that decide how good a spot is."""

    stakes: tuple[ModelAtStake, ...]
    lands: float  # the chance that the marker lies on the place itself
    falls: tuple[tuple[int, float], ...]  # numbers of the Artillery die, and the chance of each
    blast: blasts.Blast

    def worth(self, x: float, y: float) -> tuple[float, float]:
        """Return what a place gains on average, and how much it endangers friends."""
        blast, given = self.blast, self.blast.shot.aim.distance
        distance = ground_distance(blast.shooter, Point(x, y), blast.rulings) if given is None else given
        if blast.rulings.ground_range == "limited" and distance > blast.shot.aim.long_range:
            return 0.0, 0.0
        ways = [(scatter_inches(number, distance, blast.shot.thrown), chance) for number, chance in self.falls]
        reach, total, danger = max((inches for inches, _ in ways), default=0.0), 0.0, 0.0
        for stake in self.stakes:
            away = hypot(stake.x - x, stake.y - y)
            if away > stake.touched + reach:
                continue
            covered = HIT_CHANCE[coverage(away, stake.radius, blast.shot.marker)] * self.lands
            for inches, chance in ways:
                shares = reach_share(away, inches, stake.whole) + reach_share(away, inches, stake.touched)
                covered += chance * shares / 2
            total += covered * stake.gain
            danger += covered if stake.own else 0.0
        return total, danger


HIT_CHANCE: dict[Coverage, float] = {"entirely": 1.0, "partially": 0.5, "missed": 0.0}
"""The chance to be hit under a marker."""


@lru_cache(64)
@clause("SE-59", "SE-64")
def best_spots(blast: blasts.Blast, most: int = MAX_SPOTS) -> tuple[Point, ...]:
    """Find the best spots to aim at: where another model comes under the marker, with the best ones refined.

    Of places that gain as much, those first that endanger friends less; of those that cover the same models, one.
    """
    aiming = spot_search(blast)
    found = {place: aiming.worth(*place) for place in _worth_trying(aiming)}
    starts: list[tuple[float, float]] = []
    for place in sorted(found, key=lambda place: _rank(found[place])):
        if all(hypot(place[0] - x, place[1] - y) > REFINING_STEPS_INCHES[0] for x, y in starts):
            starts.append(place)
        if len(starts) == REFINED_SPOTS:
            break
    refined = [_refine(aiming, start) for start in starts]
    found |= {place: aiming.worth(*place) for place in refined}
    different: dict[tuple[str, ...], Point] = {}
    for x, y in sorted(found, key=lambda place: _rank(found[place])):
        under = tuple(coverage(hypot(s.x - x, s.y - y), s.radius, blast.shot.marker) for s in aiming.stakes)
        different.setdefault(under, Point(x, y))
        if len(different) == most:
            break
    return tuple(different.values())


def spot_search(blast: blasts.Blast) -> SpotSearch:
    """Return what decides how good a place is for a marker sent to the ground."""
    entirely: list[Coverage] = ["entirely" for _ in blast.figures]
    under = blasts.models_under(blast.figures, entirely, blast.shot.hit, rulings=blast.rulings)
    stakes = []
    for figure, model in zip(blast.figures, under, strict=True):
        whole, touched = marker_reach(blast.shot.marker, figure.base.radius)
        where = figure.base.centre
        gain = float(blasts.gain_of_model(model, blast.goal))
        stakes.append(
            ModelAtStake(
                where.x, where.y, gain, float(whole), float(touched), figure.base.radius, model.role in blasts.OWN_ROLES
            )
        )
    anywhere = replace(blast, figures=(), distance=inf, rulings=replace(blast.rulings, ground_range="any"))
    thrown_far = replace(anywhere, shot=replace(blast.shot, thrown=False))  # the numbers of the die as they are
    falls = odds_of(blasts.play_stages, thrown_far, (roll_to_hit_ground, blasts.scatter))
    numbers = {int(after.inches): float(falls.chance(after)) for after in falls.weights if after.fate == "moves"}
    lands = float(falls.chance(lambda after: after.fate in ("hit", "stays")))
    return SpotSearch(tuple(stakes), lands, tuple(sorted(numbers.items())), blast)


def _rank(worth: tuple[float, float]) -> tuple[float, float]:
    return -round(worth[0], 9), round(worth[1], 9)


def _worth_trying(aiming: SpotSearch) -> Iterator[tuple[float, float]]:
    """Yield spots that differ: over models, between them, where another model comes under, and all around."""
    wanted = [stake for stake in aiming.stakes if stake.gain > 0] or list(aiming.stakes)
    centres = [(stake.x, stake.y) for stake in wanted]
    between = [((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in combinations(centres, 2)]
    left, right = min(x for x, _ in centres) - 2, max(x for x, _ in centres) + 2
    low, high = min(y for _, y in centres) - 2, max(y for _, y in centres) + 2
    grid = [(left + (right - left) * x / 10, low + (high - low) * y / 10) for x in range(11) for y in range(11)]
    circles = [
        (stake.x, stake.y, limit) for stake in aiming.stakes if stake.gain for limit in (stake.whole, stake.touched)
    ]
    corners = [
        (x + 2 * SPOT_GRID_INCHES * dx, y + 2 * SPOT_GRID_INCHES * dy)
        for first, other in combinations([circle for circle in circles if circle[2] > 0], 2)
        for x, y in circle_crossings(first, other)
        for dx, dy in DIAGONALS
    ]
    most = max(MAX_TRIES // max(len(aiming.stakes), 1) - len(grid) - len(centres), 8)
    yield from _each_once((*centres, *grid, *_some(between, most // 4), *_some(corners, most)))


def _some(places: list[tuple[float, float]], most: int) -> list[tuple[float, float]]:
    """Return all spots, or of many only so many, spread evenly over the list."""
    if len(places) <= most:
        return places
    return [places[index * len(places) // most] for index in range(most)]


def _each_once(places: Iterable[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    yield from dict.fromkeys((_rounded(x), _rounded(y)) for x, y in places)


def _rounded(inches: float) -> float:
    return round(inches, 2) + 0.0  # no -0.0


def _refine(aiming: SpotSearch, place: tuple[float, float]) -> tuple[float, float]:
    """Return the best spot that ever smaller steps lead to."""
    known = {place: aiming.worth(*place)}
    for step in REFINING_STEPS_INCHES:
        for _ in range(MAX_REFINING_MOVES):
            ways = [(_rounded(place[0] + step * dx), _rounded(place[1] + step * dy)) for dx, dy in NEIGHBOURS]
            known |= {way: aiming.worth(*way) for way in ways if way not in known}
            best = min(ways, key=lambda way: _rank(known[way]))
            if _rank(known[best]) >= _rank(known[place]):
                break
            place = best
    return place
