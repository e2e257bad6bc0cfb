"""Where hits land: the attack roll with its digits turned round, the row of further hits, and the side of a limb."""

from __future__ import annotations

from functools import lru_cache

from battletape.clauses import clause
from battletape.dice import D10, D100, Reading
from battletape.errors import BadInput
from battletape.rulesets.deathwatch.rules.traits import SPOTS, Place, Spot, place_of
from battletape.rulesets.deathwatch.tables import sheet
from battletape.tape import Tape

RIGHT = 5  # of a d10: up to this it is the right limb


@clause("DW-LOC-2")
def reversed_digits(roll: int, how: str = "reversed") -> int:
    """The location number of an attack roll: 23 gives 32, 07 gives 70, 00 is 100."""
    if not 1 <= roll <= 100:
        raise BadInput(f"an attack roll must be 1 to 100, 00 for 100; got {roll} (DW-LOC-2)", field="roll")
    if how == "unpadded":
        return int(str(roll)[::-1])
    tens, units = divmod(roll % 100, 10)
    return 10 * units + tens or 100


@clause("DW-LOC-2", "DW-LOC-1")
def spot_of(number: int) -> Spot:
    """The spot of a location number."""
    return sheet.location(number)


@clause("DW-LOC-2")
@lru_cache(512)
def spot_of_roll(roll: int, how: str) -> Spot:
    """Where an attack roll lands, as it is read here."""
    return spot_of(reversed_digits(roll, how))


@clause("DW-MULTI-1", "DW-AUTO-3")
@lru_cache(1024)
def sequence(first: str, hits: int) -> tuple[Place, ...]:
    """The places of so many hits, by the row of the first one."""
    place = place_of(first)
    row = sheet.MULTIPLE_HITS[place]
    return tuple(place if at == 0 else row[min(at, len(row)) - 1] for at in range(hits))


@clause("DW-MULTI-1", "DW-AUTO-3")
@lru_cache(256)
def later(first: str, at: int) -> tuple[bool, ...]:
    """Which spots hits of a burst after this one may strike, by the spot of the first one."""
    kind, row = place_of(first), sheet.MULTIPLE_HITS[place_of(first)]
    coming = set(row[min(at, len(row) - 1) :])
    return tuple(place_of(spot) in coming and (place_of(spot) != kind or spot == first) for spot in SPOTS)


@clause("DW-AUTO-3")
def side_of(tape: Tape, place: str, by_side: bool = True) -> str:
    """The limb of a place, right or left; its side is rolled if it matters."""
    if not by_side or place in ("head", "body"):
        return place
    return f"{tape.roll(D10, RIGHT_OR_LEFT, label='limb side')}_{place}"


RIGHT_OR_LEFT = Reading(lambda face: "right" if face <= RIGHT else "left", f"1-{RIGHT} right, else left")


@lru_cache(8)
def spot_reading(by_side: bool) -> Reading:
    """Read a d100 of its own as a location, with its side or without."""
    return Reading(lambda face: sheet.location(face) if by_side else place_of(sheet.location(face)), "location")


@clause("DW-LOC-1")
def roll_spot(tape: Tape, by_side: bool = True) -> str:
    """A location by a roll of its own, where no attack roll gives it."""
    spot: str = tape.roll(D100, spot_reading(by_side), label="location")
    return spot
