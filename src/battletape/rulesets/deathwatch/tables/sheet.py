"""The tables that the sheet prints, as `sheet.toml` has them row by row, and their look-ups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from battletape.rulebook import Struct, UnknownName, cites, clause
from battletape.rulesets.deathwatch.rules.traits import SPOTS, Band, Grade, Place, Size, Spot
from battletape.toml import read_tables

Applies: TypeAlias = Literal["attack", "ranged", "melee", "dodge", "footing", "every"]
"""The rolls that a row of the summary changes: attacks, one kind of them, Dodge, attacks and Dodge, or every test."""
Cost: TypeAlias = Literal["Half", "Full", "Half/Full", "Reaction", "Varies"]
T = TypeVar("T")


class Craft(NamedTuple):
    """The effects of a weapon's craftsmanship."""

    to_hit: int
    damage: int
    jam_on_any_miss: bool


class Moves(NamedTuple):
    """Metres of a half move, a full move, a charge and a run."""

    half: Fraction
    full: int
    charge: int
    run: int


class SituationRow(NamedTuple):
    """A row of the combat difficulty summary: where it is printed, where the core book has it, what it changes."""

    printed: str
    corrected: str
    applies: Applies
    words: str


class Sheet(Struct, frozen=True, forbid_unknown_fields=True):
    """Every table of the sheet."""

    difficulties: dict[str, int]
    locations: dict[Spot, tuple[int, int]]
    multiple_hits: dict[Place, tuple[Place, Place, Place, Place, Place]]
    cover: dict[str, int]
    ranges: dict[Band, int]
    distances: dict[Band, str]
    sizes: dict[Size, tuple[int, int]]
    craftsmanship: dict[Grade, Craft]
    movement: dict[int, tuple[float, int, int, int]]
    renown: dict[str, int]
    situations: dict[str, SituationRow]
    actions: dict[str, tuple[Cost, tuple[str, ...], str]]


SHEET = read_tables(__package__, "sheet", Sheet)
DIFFICULTIES, COVER, RANGES, SIZES = SHEET.difficulties, SHEET.cover, SHEET.ranges, SHEET.sizes
MULTIPLE_HITS, GRADE_TABLE, SITUATIONS = SHEET.multiple_hits, SHEET.craftsmanship, SHEET.situations
LOCATIONS = tuple((range(first, last + 1), spot) for spot, (first, last) in SHEET.locations.items())
MOVEMENT = {ab: Moves(Fraction(half), *metres) for ab, (half, *metres) in SHEET.movement.items()}
RENOWN = tuple((least, rank) for rank, least in SHEET.renown.items())
LEAST_CHARGE = 4  # metres
MOST_COVER = 100  # AP
BEHIND: Mapping[str, tuple[Spot, ...]] = {
    **{spot: (spot,) for spot in SPOTS},
    "arm": ("right_arm", "left_arm"),
    "leg": ("right_leg", "left_leg"),
    "all": SPOTS,
}
"""Words for the places behind a cover."""

_HERE = f"{__name__}."
cites("DW-TEST-2", where=_HERE + "DIFFICULTIES")
cites("DW-LOC-1", where=_HERE + "LOCATIONS")
cites("DW-MULTI-1", where=_HERE + "MULTIPLE_HITS")
cites("DW-COVER-2", where=_HERE + "COVER")
cites("DW-RANGE-2", where=_HERE + "SIZES")
cites("DW-MOVE-1", where=_HERE + "MOVEMENT")
cites("DW-REN-1", where=_HERE + "RENOWN")
cites(*(f"DW-CRAFT-{grade.upper()}" for grade in GRADE_TABLE), where=_HERE + "GRADE_TABLE")
cites(*(f"DW-SUMM-{key.upper()}" for key in SITUATIONS), where=_HERE + "SITUATIONS")


def situation_key(key: str) -> str:
    """Return the key of a situation however it is written; an unknown one is refused with the nearest."""
    return find_name("situation", key.replace(" ", "_").replace("-", "_"), SITUATIONS)


@clause("DW-COVER-1", "DW-COVER-2")
def parse_cover(cover: str, hidden: Sequence[str]) -> tuple[int, tuple[Spot, ...]]:
    """Return AP of a cover, a material or a number, and the spots it hides: all of them where none are named."""
    text = cover.strip()
    if not text:
        return 0, ()
    spots: set[str] = set()
    for name in hidden or ("all",):
        key = name.strip().lower().replace(" ", "_")
        key = key.removesuffix("s") if key in ("arms", "legs") else key
        if key not in BEHIND:
            raise UnknownName("place of a body", name, BEHIND, source="hidden", clause="DW-COVER-1")
        spots.update(BEHIND[key])
    ap = int(text) if text.isdecimal() and int(text) <= MOST_COVER else COVER[find_name("cover", text, COVER)]
    return ap, tuple(spot for spot in SPOTS if spot in spots)


def find_name(kind: str, name: str, known: Mapping[T, object]) -> T:
    """Return the entry of this name in a table, in any case; raise UnknownName with the nearest."""
    wanted = " ".join(str(name).split()).lower()
    for entry in known:
        if str(entry).lower() == wanted:
            return entry
    raise UnknownName(kind, name, map(str, known))
