"""Deep strike: scatter tokens on arriving units, by the zone they are aimed at, and mishaps, on a board or without."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import BadInput, Refused
from battletape.procedure import Procedure
from battletape.rulesets.diceless40k.rules.blasts import scattered
from battletape.rulesets.diceless40k.rules.space_marines import jammed_limit
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings
from battletape.table.bases import Base
from battletape.table.board import Board
from battletape.table.distances import Thing, gap, outline, overlaps
from battletape.table.points import TOLERANCE, Point, apart, step
from battletape.tape import Tape

Zone: TypeAlias = Literal["own", "neutral", "enemy"]
Mishap: TypeAlias = Literal["return_to_reserve", "misplaced_by_opponent", "removed"]
Fate: TypeAlias = Literal["lands", "return_to_reserve", "misplaced_by_opponent", "removed"]
Spot: TypeAlias = tuple[Literal["clear", "mishap"], ...]
"""What the opponent can make of a landing with a number of tokens."""

TOKENS_FOR_A_UNIT = 2
CLEAR_OF_ENEMIES = 1  # inch

ZONES: dict[Zone, tuple[int, Mishap]] = {  # tokens at most, and what a mishap does
    "own": (2, "return_to_reserve"),
    "neutral": (4, "misplaced_by_opponent"),
    "enemy": (6, "removed"),
}


class DeepStrike(msgspec.Struct, frozen=True, cache_hash=True):
    """A unit that arrives: where it is aimed, what the opponent may spend on it, and how it ends.

    `spots` says for 0, 1, 2, … tokens whether they can push it into a mishap; the last one holds for all further ones.
    """

    unit: str
    side: str
    opponent: str
    zone: Zone
    held: int
    spots: tuple[Spot, ...] = (("clear",),)
    jammed: bool = False
    no_scatter: bool = False
    landed: Zone | None = None  # the zone where it comes down, if that is another one
    rules: Rulings = DEFAULT
    tokens: int = 0
    fate: Fate = "lands"


@clause("DL-95.1")
def deep_strike_tokens(units: int) -> int:
    """Two scatter tokens for the opponent for each unit that will arrive by deep strike."""
    return units * TOKENS_FOR_A_UNIT


@clause("DL-95.3", "DL-95.4", "DL-95.5", "DL-95.7", "DL-SM-75.1")
def token_limit(zone: Zone, held: int, jammed: bool = False, no_scatter: bool = False) -> int:
    """Scatter tokens that may be used on an arriving unit: by the zone it is aimed at, and never more than held."""
    if zone not in ZONES:
        raise BadInput(f"a deep strike is aimed at one of {', '.join(ZONES)}; got {zone!r}.", field="zone")
    if no_scatter:
        return 0
    most = ZONES[zone][0]
    return min(held, jammed_limit(most) if jammed else most)


@clause("DL-95.3", "DL-95.4", "DL-95.5")
def mishap_in(zone: Zone) -> Mishap:
    """What a mishap does: back to reserve, set up by the opponent, or removed from play."""
    return ZONES[zone][1]


@clause("DL-95.2")
def refuse_tokens(strike: DeepStrike, tokens: int) -> Refused | None:
    """Why so many scatter tokens may not be used on this unit."""
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
    """The opponent says how many scatter tokens he uses; they are gone."""
    most = token_limit(strike.zone, strike.held, strike.jammed, strike.no_scatter)
    tokens = tape.choose(tuple(range(most + 1)), by=strike.opponent, label=f"tokens on {strike.unit}")
    return replace(strike, tokens=tokens, held=strike.held - tokens)


@clause("DL-95.2", "DL-95.6")
def push_unit(tape: Tape, strike: DeepStrike) -> DeepStrike:
    """The opponent chooses the directions: into a mishap where his tokens reach one, or clear of it."""
    spot = strike.spots[min(strike.tokens, len(strike.spots) - 1)]
    if tape.choose(spot, by=strike.opponent, label=f"landing of {strike.unit}") == "clear":
        return strike
    zone = strike.landed if strike.landed and strike.rules.zone_of == "landed" else strike.zone
    return replace(strike, fate=mishap_in(zone))


DEEP_STRIKE = Procedure("deep strike", (spend_tokens, push_unit))


# --- on a board ------------------------------------------------------------------------------------------------------


@clause("DL-95.6")
def reachable(inches: float | None, most: int) -> tuple[Spot, ...]:
    """What 0, 1, … tokens can do to a unit that must be moved so far to meet a mishap; None where none is near."""
    return tuple(_spot(inches is not None and inches <= scattered(tokens), tokens) for tokens in range(most + 1))


def formation(aim: Point, models: int, radius: float) -> tuple[Base, ...]:
    """How a unit lands: the first model on the aim, the others around it in circles, base to base."""
    placed = [Base(aim, radius)]
    ring = 1
    while len(placed) < models:
        room = 6 * ring
        seats = min(room, models - len(placed))
        placed += [Base(step(aim, 360 * seat / room, 2 * radius * ring), radius) for seat in range(seats)]
        ring += 1
    return tuple(placed[:models])


@clause("DL-95.2", "DL-95.6")
def landing_spots(
    bases: Sequence[Base],
    most: int,
    board: Board,
    enemies: Sequence[Thing] = (),
    others: Sequence[Thing] = (),
) -> tuple[Spot, ...]:
    """What 0, 1, … tokens can do to a unit that lands on these bases.

    A mishap is off the table, within an inch of an enemy, or on top of a friend or of impassable terrain. Two tokens or
    more reach every point up to twice their number in inches, for their directions may differ; a single one reaches
    exactly the points 2" away. Everything that a base can meet is of one piece, so it holds a point 2" away just when
    its nearest point is not farther and its farthest not nearer.
    """
    meets = [
        *(_enemy_span(base, enemy) for base in bases for enemy in enemies),
        *(_span(base, thing) for base in bases for thing in others),
        *((_edge_gap(board, base), float("inf")) for base in bases),
    ]
    return tuple(_spot(_is_met(meets, tokens), tokens) for tokens in range(most + 1))


def _spot(met: bool, tokens: int) -> Spot:
    """A mishap first, for that is what tokens are spent on; a unit that was aimed into one meets it by itself."""
    if not met:
        return ("clear",)
    return ("mishap", "clear") if tokens else ("mishap",)


def _is_met(meets: Sequence[tuple[float, float]], tokens: int) -> bool:
    inches = scattered(tokens)
    if any(near <= 0 for near, _ in meets):
        return True  # aimed into it
    return any(near <= inches and (tokens > 1 or inches <= far) for near, far in meets)


def _enemy_span(base: Base, enemy: Thing) -> tuple[float, float]:
    near, far = gap(base, enemy), _farthest(base, enemy)
    return near - CLEAR_OF_ENEMIES - TOLERANCE, far + CLEAR_OF_ENEMIES


def _span(base: Base, thing: Thing) -> tuple[float, float]:
    return 0.0 if overlaps(base, thing) else gap(base, thing) + TOLERANCE, _farthest(base, thing)


def _farthest(base: Base, thing: Thing) -> float:
    """How far the base may be moved and still meet the thing."""
    if isinstance(thing, Point):
        return apart(base.centre, thing) + base.radius
    if isinstance(thing, Base):
        return apart(base.centre, thing.centre) + base.radius + thing.radius
    return max(apart(base.centre, corner) for corner in outline(thing)) + base.radius


def _edge_gap(board: Board, base: Base) -> float:
    """How far the base may be moved before a part of it leaves the table."""
    x, y = base.centre.x, base.centre.y
    return min(x, y, board.width - x, board.depth - y) - base.radius + TOLERANCE
