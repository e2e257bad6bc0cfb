"""Deep strike: scatter tokens on arriving units, by the zone they are aimed at, and mishaps, on a board or without."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import inf
from typing import Literal, TypeAlias

from battletape.rulebook import (
    BadInput,
    Line,
    Procedure,
    Refused,
    State,
    Tape,
    capital,
    clause,
    inches,
    plain,
    plural,
    replace,
)
from battletape.rulesets.diceless40k.rules.blasts import TOKEN_INCHES, scattered
from battletape.rulesets.diceless40k.rules.space_marines import jammed_limit
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings
from battletape.table import points as geometry
from battletape.table.bases import Base
from battletape.table.board import Board
from battletape.table.distances import Thing, gap, nearest_point, outline, overlaps
from battletape.table.rays import step_bearings, steps_from

Zone: TypeAlias = Literal["own", "neutral", "enemy"]
Mishap: TypeAlias = Literal["return_to_reserve", "misplaced_by_opponent", "removed"]
Fate: TypeAlias = Literal["lands", "return_to_reserve", "misplaced_by_opponent", "removed"]
Outcomes: TypeAlias = tuple[Literal["clear", "mishap"], ...]
"""What the opponent can make of a landing with a number of tokens."""

TOKENS_FOR_A_UNIT = 2
CLEAR_OF_ENEMIES = 1  # inch

ZONES: dict[Zone, tuple[int, Mishap]] = {  # tokens at most, and what a mishap does
    "own": (2, "return_to_reserve"),
    "neutral": (4, "misplaced_by_opponent"),
    "enemy": (6, "removed"),
}


class DeepStrike(State, frozen=True):
    """A unit that arrives: where it is aimed, what the opponent may spend on it, and how it ends.

    `outcomes` tells for 0, 1, 2, … tokens if they can push it into a mishap; the last one holds for all further ones.
    """

    unit: str
    side: str
    opponent: str
    zone: Zone
    held: int
    outcomes: tuple[Outcomes, ...] = (("clear",),)
    jammed: bool = False
    no_scatter: bool = False
    landing_zone: Zone | None = None  # the zone where it comes down, if that is known
    rulings: Rulings = DEFAULT
    tokens: int = 0
    fate: Fate = "lands"
    zones: tuple[tuple[Zone, ...], ...] = ()  # for 0, 1, 2, … tokens: where they can push it into a mishap


@clause("DL-95.1")
def deep_strike_tokens(units: int) -> int:
    """Return the opponent's scatter tokens: two for each unit that will arrive by deep strike."""
    return units * TOKENS_FOR_A_UNIT


@clause("DL-95.3", "DL-95.4", "DL-95.5", "DL-95.7", "DL-SM-75.1")
def token_limit(zone: Zone, held: int, jammed: bool = False, no_scatter: bool = False) -> int:
    """Return the scatter tokens that may be used on an arriving unit: by the zone of its aim, and by those held."""
    if zone not in ZONES:
        raise BadInput(f"a deep strike is aimed at one of {', '.join(ZONES)}; got {zone!r}.", field="zone")
    if no_scatter:
        return 0
    most = ZONES[zone][0]
    return min(held, jammed_limit(most) if jammed else most)


@clause("DL-95.3", "DL-95.4", "DL-95.5")
def mishap_in(zone: Zone) -> Mishap:
    """Return what a mishap does: back to reserve, set up by the opponent, or removed from play."""
    return ZONES[zone][1]


@clause("DL-95.5")
def zone_of_mishap(strike: DeepStrike) -> Zone:
    """Return the zone that a mishap goes by: that of the aim, or where the players say so that of the landing."""
    return strike.landing_zone if strike.landing_zone and strike.rulings.zone_of == "landed" else strike.zone


@clause("DL-95.2")
def refuse_tokens(strike: DeepStrike, tokens: int) -> Refused | None:
    """Refuse more scatter tokens on an arriving unit than may be used."""
    if strike.no_scatter and tokens:
        return Refused(f"{strike.unit} does not scatter, so no token may be used on it", "DL-95.7")
    if tokens > strike.held:
        return Refused(f"{strike.opponent} holds {strike.held} scatter tokens, not {tokens}", "DL-95.2")
    most = token_limit(strike.zone, strike.held, strike.jammed)
    if not 0 <= tokens <= most:
        return Refused(f"0 to {most} tokens may be used on a unit aimed at this zone ({strike.zone})", "DL-95.2")
    return None


@clause("DL-95.2", "DL-95.3", "DL-95.4", "DL-95.5", "DL-SM-75.1")
def spend_tokens(tape: Tape, strike: DeepStrike) -> DeepStrike:
    """Let the opponent spend scatter tokens, usually as few as make a mishap."""
    most = token_limit(strike.zone, strike.held, strike.jammed, strike.no_scatter)
    tape.tell(aimed_line, strike.zone, most, zone_of_mishap(strike))
    usual = next((tokens for tokens in range(most + 1) if "mishap" in _outcomes_of(strike, tokens)), 0)
    options = (usual, *(tokens for tokens in range(most + 1) if tokens != usual))
    tokens = tape.choose(options, by=strike.opponent, label=f"tokens on {strike.unit}", unit="token")
    tape.tell(tokens_line, tokens)
    return replace(strike, tokens=tokens, held=strike.held - tokens)


def _outcomes_of(strike: DeepStrike, tokens: int) -> Outcomes:
    """Return where so many tokens can push a unit."""
    return strike.outcomes[min(tokens, len(strike.outcomes) - 1)]


@clause("DL-95.2", "DL-95.6")
def push_unit(tape: Tape, strike: DeepStrike) -> DeepStrike:
    """Let the opponent choose the directions: into a mishap where the tokens reach one, or clear of it."""
    landing = f"landing of {strike.unit}"
    if tape.choose(_outcomes_of(strike, strike.tokens), by=strike.opponent, label=landing) != "clear":
        strike = _choose_zone(tape, strike)
        strike = replace(strike, fate=mishap_in(zone_of_mishap(strike)))
    tape.tell(landed_line, strike)
    return strike


@clause("DL-95.5", "DL-95.2")
def _choose_zone(tape: Tape, strike: DeepStrike) -> DeepStrike:
    """Let the opponent choose the zone of a mishap among those in reach, where a mishap goes by the landing."""
    if strike.rulings.zone_of != "landed" or strike.landing_zone or not strike.zones:
        return strike
    zones = strike.zones[min(strike.tokens, len(strike.zones) - 1)]
    return replace(
        strike, landing_zone=tape.choose(zones, by=strike.opponent, label=f"zone of the mishap of {strike.unit}")
    )


@clause("DL-95.5")
def refuse_zone(landed: Zone | None, rulings: Rulings) -> Refused | None:
    """Refuse a landing without its zone where there is no board and a mishap goes by the zone."""
    if landed is not None or rulings.zone_of != "landed":
        return None
    reason = "the players have agreed that a mishap goes by where a unit comes down (zone_of=landed)"
    return Refused(f"{reason}; say landed=own, neutral or enemy", "DL-95.5", "zone")


DEEP_STRIKE = Procedure("deep strike", (spend_tokens, push_unit))


# --- on a board -------------------------------------------------------------------------------------------------------


@clause("DL-95.6")
def outcomes_at_distance(inches: float | None, most: int) -> tuple[Outcomes, ...]:
    """Return what 0, 1, … tokens can do to a unit so many inches from a mishap; None where none is near."""
    return tuple(
        _outcomes_if_met(inches is not None and inches <= scattered(tokens), tokens) for tokens in range(most + 1)
    )


def ring_radius(models: int, radius: float) -> float:
    """Return the radius of a formation: from the middle of its first model to the rim of its last ring."""
    rings = 0
    while 3 * rings * (rings + 1) + 1 < models:
        rings += 1
    return radius * (2 * rings + 1)


class Threat(State, frozen=True):
    """Something that a landing unit may be pushed into: how far it must be moved at least and at most, and which way.

    `bearing` leads to its nearest point, `one_token_bearing` to one that a single token reaches, if there is any.
    """

    what: Literal["edge", "enemy", "other"]
    index: int  # which enemy, which other thing, or which edge: north, east, south, west
    nearest: float
    farthest: float
    bearing: float
    one_token_bearing: float

    def is_met(self, tokens: int) -> bool:
        """Return whether so many tokens can push the unit into it.

        Two tokens or more reach every point up to twice their number in inches, for their directions may differ; a
        single one reaches exactly the points 2" away. A thing is of one piece, so it holds a point 2" away just when
        its nearest point is not farther and its farthest point not nearer.
        """
        inches = scattered(tokens)
        return self.nearest <= 0 or (self.nearest <= inches and (tokens > 1 or inches <= self.farthest))

    def directions(self, tokens: int) -> tuple[float, ...]:
        """Return a bearing for each token that leads into it."""
        if tokens == 1:
            return (self.one_token_bearing,)
        return step_bearings(tokens, self.bearing, max(0.0, self.nearest), TOKEN_INCHES)


@clause("DL-95.2", "DL-95.6")
def threats(
    bases: Sequence[Base], board: Board, enemies: Sequence[Thing] = (), others: Sequence[Thing] = ()
) -> tuple[Threat, ...]:
    """Return what a unit that lands on these bases may meet, the nearest first.

    A mishap is off the table, within an inch of an enemy, or on top of a friend or of impassable terrain.
    """
    return _threats(tuple(bases), board, tuple(enemies), tuple(others))


@lru_cache(64)
def _threats(
    bases: tuple[Base, ...], board: Board, enemies: tuple[Thing, ...], others: tuple[Thing, ...]
) -> tuple[Threat, ...]:
    """Return the threats of a landing; cached, as they are asked for before it and during it."""
    found = [_edge_threat(board, base, edge) for base in bases for edge in range(4)]
    for base in bases:
        found += [_thing_threat("enemy", index, base, enemy, CLEAR_OF_ENEMIES) for index, enemy in enumerate(enemies)]
        found += [_thing_threat("other", index, base, other, 0) for index, other in enumerate(others)]
    return tuple(sorted(found, key=lambda threat: threat.nearest))


@clause("DL-95.2", "DL-95.6")
def landing_outcomes(around: Sequence[Threat], most: int) -> tuple[Outcomes, ...]:
    """Return what 0, 1, … tokens can do to a unit with these threats around it."""
    return tuple(
        _outcomes_if_met(any(threat.is_met(tokens) for threat in around), tokens) for tokens in range(most + 1)
    )


@clause("DL-95.6")
def bases_after_push(bases: Sequence[Base], bearings: Sequence[float]) -> tuple[Base, ...]:
    """Return the bases of a unit after a step of 2 inches for each token, in its direction."""
    return tuple(Base(steps_from(base.centre, bearings, TOKEN_INCHES), base.radius) for base in bases)


@clause("DL-95.2")
def is_mishap(around: Sequence[Threat]) -> bool:
    """Return whether a unit stands where it cannot land."""
    return any(threat.is_met(0) for threat in around)


def _outcomes_if_met(met: bool, tokens: int) -> Outcomes:
    """Return the outcomes to choose from, a mishap first; a unit that was aimed into one meets it by itself."""
    if not met:
        return ("clear",)
    return ("mishap", "clear") if tokens else ("mishap",)


def _edge_threat(board: Board, base: Base, edge: int) -> Threat:
    x, y = base.centre.x, base.centre.y
    room = (board.depth - y, board.width - x, y, x)[edge] - base.radius
    return Threat("edge", edge, room + geometry.TOLERANCE, inf, 90.0 * edge, 90.0 * edge)


def _thing_threat(what: Literal["enemy", "other"], index: int, base: Base, footprint: Thing, margin: int) -> Threat:
    """Return the threat of a thing: enemies within the margin are a mishap, others only if stood upon."""
    near = gap(base, footprint) - margin
    stands_on = overlaps(base, footprint) or (margin > 0 and near <= geometry.TOLERANCE)
    start, goal = nearest_point(base.centre, footprint), _farthest_point(base.centre, footprint)
    nearest = 0.0 if stands_on else near + geometry.TOLERANCE
    farthest = geometry.apart(base.centre, goal) + base.radius + margin
    return Threat(
        what,
        index,
        nearest,
        farthest,
        _bearing(base.centre, start),
        _bearing(base.centre, _at_token(base, start, goal)),
    )


def _farthest_point(point: geometry.Point, footprint: Thing) -> geometry.Point:
    if isinstance(footprint, geometry.Point):
        return footprint
    if isinstance(footprint, Base):
        return geometry.step(footprint.centre, _bearing(point, footprint.centre), footprint.radius)
    return max(outline(footprint), key=lambda corner: geometry.apart(point, corner))


def _at_token(base: Base, start: geometry.Point, goal: geometry.Point) -> geometry.Point:
    """Return the point of a thing that lies most nearly as far off as one token pushes."""
    low, high = 0.0, 1.0
    if geometry.apart(base.centre, start) >= TOKEN_INCHES:
        return start
    if geometry.apart(base.centre, goal) <= TOKEN_INCHES:
        return goal
    while high - low > geometry.TOLERANCE:
        middle = (low + high) / 2
        if geometry.apart(base.centre, geometry.between(start, goal, middle)) < TOKEN_INCHES:
            low = middle
        else:
            high = middle
    return geometry.between(start, goal, high)


def _bearing(start: geometry.Point, goal: geometry.Point) -> float:
    return geometry.bearing(start, goal) if geometry.apart(start, goal) > geometry.TOLERANCE else 0.0


# --- log lines --------------------------------------------------------------------------------------------------------


ZONE_CLAUSES = {"own": "DL-95.3", "neutral": "DL-95.4", "enemy": "DL-95.5"}
MISHAPS = {
    "lands": "lands as it was meant to",
    "return_to_reserve": "goes back to reserve",
    "misplaced_by_opponent": "is set up by the opponent",
    "removed": "is removed from play",
}


def aimed_line(zone: Zone, most: int, mishap_zone: Zone) -> Line:
    """Say how many tokens may be used on an arriving unit, and what a mishap does to it."""
    text = f"Aimed at the {zone} zone: up to {plural(most, 'token')}, {inches(scattered(most))}"
    return Line(f"{text}; a mishap: {plain(mishap_in(mishap_zone))}", (ZONE_CLAUSES[zone], "DL-95.6"))


def tokens_line(tokens: int) -> Line:
    """Say how many scatter tokens were used."""
    return Line(f"{plural(tokens, 'scatter token')} used", ("DL-95.2",), result=str(tokens))


def landed_line(strike: DeepStrike) -> Line:
    """Say where a unit comes down."""
    outcome = MISHAPS[strike.fate]
    if strike.fate == "lands" and strike.tokens:
        pushed = inches(scattered(strike.tokens))
        outcome = f"lands, {'up to ' if strike.tokens > 1 else ''}{pushed} from where it was aimed"
    return Line(f"{capital(strike.unit)} {outcome}", ("DL-95.2",), result=plain(strike.fate))
