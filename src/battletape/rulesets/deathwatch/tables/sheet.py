"""The printed tables, as data that looks like the print, and their look-ups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct

from battletape.clauses import cites, clause
from battletape.errors import UnknownName
from battletape.rulesets.deathwatch.rules.traits import SPOTS, Band, Grade, Place, Size, Spot
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings

Applies: TypeAlias = Literal["attack", "ranged", "melee", "dodge", "footing", "every"]
"""What a row of the summary changes: attacks, one kind of them, Dodge, attacks and Dodge, or every test."""
T = TypeVar("T")

DIFFICULTIES: Mapping[str, int] = {
    "Trivial": +60,
    "Elementary": +50,
    "Simple": +40,
    "Easy": +30,
    "Routine": +20,
    "Ordinary": +10,
    "Challenging": 0,
    "Difficult": -10,
    "Hard": -20,
    "Very Hard": -30,
    "Arduous": -40,
    "Punishing": -50,
    "Hellish": -60,
}

LOCATIONS: tuple[tuple[range, Spot], ...] = (
    (range(1, 11), "head"),
    (range(11, 21), "right_arm"),
    (range(21, 31), "left_arm"),
    (range(31, 71), "body"),
    (range(71, 86), "right_leg"),
    (range(86, 101), "left_leg"),
)

MULTIPLE_HITS: Mapping[Place, tuple[Place, Place, Place, Place, Place]] = {
    # first: 2nd, 3rd, 4th, 5th, each further
    "head": ("head", "arm", "body", "arm", "body"),
    "arm": ("arm", "body", "head", "body", "arm"),
    "body": ("body", "arm", "head", "arm", "body"),
    "leg": ("leg", "body", "arm", "head", "body"),
}

COVER: Mapping[str, int] = {
    "Light Wood": 4,
    "Armour-glas": 4,
    "Light Metal": 4,
    "Heavy Wood": 8,
    "Flakboard": 8,
    "Sandbags": 8,
    "Ice": 8,
    "Rockcrete": 16,
    "Thick Iron": 16,
    "Stone": 16,
    "Plasteel": 32,
    "Armaplas": 32,
}
MOST_COVER = 100
BEHIND: Mapping[str, tuple[Spot, ...]] = {
    **{spot: (spot,) for spot in SPOTS},
    "arm": ("right_arm", "left_arm"),
    "leg": ("right_leg", "left_leg"),
    "all": SPOTS,
}
"""Words for the places behind a cover."""

RANGES: Mapping[Band, int] = {"point_blank": +30, "short": +10, "normal": 0, "long": -10, "extreme": -30}

SIZES: Mapping[Size, tuple[int, int]] = {
    # shooting at it, agility bonus when it moves
    "Minuscule": (-30, -3),
    "Puny": (-20, -2),
    "Scrawny": (-10, -1),
    "Average": (0, 0),
    "Hulking": (+10, +1),
    "Enormous": (+20, +2),
    "Massive": (+30, +3),
    "Immense": (+40, +3),
    "Monumental": (+50, +3),
    "Titanic": (+60, +3),
}


class Craft(Struct, frozen=True):
    """What the craftsmanship of a weapon does."""

    to_hit: int
    damage: int
    jam_on_any_miss: bool


GRADE_TABLE: Mapping[Grade, Craft] = {
    "poor": Craft(-10, 0, True),
    "common": Craft(0, 0, False),
    "good": Craft(+5, 0, False),
    "best": Craft(+10, +1, False),
}


class Moves(NamedTuple):
    """Metres of a half move, a full move, a charge and a run."""

    half: Fraction
    full: int
    charge: int
    run: int


MOVEMENT: Mapping[int, Moves] = {
    0: Moves(Fraction(1, 2), 1, 2, 3),
    1: Moves(Fraction(1), 2, 3, 6),
    2: Moves(Fraction(2), 4, 6, 12),
    3: Moves(Fraction(3), 6, 9, 18),
    4: Moves(Fraction(4), 8, 12, 24),
    5: Moves(Fraction(5), 10, 15, 30),
    6: Moves(Fraction(6), 12, 18, 36),
    7: Moves(Fraction(7), 14, 21, 42),
    8: Moves(Fraction(8), 16, 24, 48),
    9: Moves(Fraction(9), 18, 27, 54),
    10: Moves(Fraction(10), 20, 30, 60),
}
LEAST_CHARGE = 4  # metres

RENOWN: tuple[tuple[int, str], ...] = (
    (0, "Initiated"),
    (20, "Respected"),
    (40, "Distinguished"),
    (60, "Famed"),
    (80, "Hero"),
)


class Row(Struct, frozen=True):
    """A row of the combat difficulty summary: where it is printed, where the core book has it, what it changes."""

    printed: str
    corrected: str
    applies: Applies
    words: str


SITUATIONS: Mapping[str, Row] = {
    "surprised_or_unaware": Row("Easy", "Easy", "attack", "target surprised or unaware"),
    "shoot_massive": Row("Easy", "Easy", "ranged", "massive target"),
    "point_blank": Row("Easy", "Easy", "ranged", "point blank"),
    "stunned": Row("Routine", "Routine", "attack", "target stunned"),
    "shoot_enormous": Row("Routine", "Routine", "ranged", "enormous target"),
    "melee_outnumber_2to1": Row("Routine", "Routine", "melee", "two to one in melee"),
    "melee_vs_prone": Row("Ordinary", "Ordinary", "melee", "target prone"),
    "higher_ground": Row("Ordinary", "Ordinary", "attack", "higher ground"),
    "shoot_hulking": Row("Ordinary", "Ordinary", "ranged", "hulking target"),
    "short_range": Row("Ordinary", "Ordinary", "ranged", "short range"),
    "standard_attack": Row("Challenging", "Challenging", "attack", "standard attack"),
    "fatigued": Row("Challenging", "Difficult", "every", "fatigued"),
    "mud_or_heavy_rain": Row("Challenging", "Difficult", "footing", "mud or heavy rain"),
    "long_range": Row("Difficult", "Difficult", "ranged", "long range"),
    "shoot_prone": Row("Difficult", "Difficult", "ranged", "target prone"),
    "shoot_scrawny": Row("Difficult", "Difficult", "ranged", "scrawny target"),
    "shoot_into_melee": Row("Difficult", "Hard", "ranged", "target in melee"),
    "dodge_while_prone": Row("Difficult", "Hard", "dodge", "dodges while prone"),
    "unarmed_vs_armed": Row("Difficult", "Hard", "melee", "unarmed against an armed enemy"),
    "melee_in_darkness": Row("Hard", "Hard", "melee", "darkness"),
    "shoot_in_fog_mist_shadow_smoke": Row("Hard", "Hard", "ranged", "fog, mist, shadow or smoke"),
    "shoot_puny": Row("Hard", "Hard", "ranged", "puny target"),
    "weapon_without_talent": Row("Hard", "Hard", "attack", "no talent for the weapon"),
    "deep_snow": Row("Hard", "Hard", "footing", "deep snow"),
    "heavy_weapon_unbraced": Row("Very Hard", "Very Hard", "ranged", "heavy weapon not braced"),
    "extreme_range": Row("Very Hard", "Very Hard", "ranged", "extreme range"),
    "shoot_completely_concealed": Row("Very Hard", "Very Hard", "ranged", "target wholly concealed"),
    "shoot_in_darkness": Row("Very Hard", "Very Hard", "ranged", "darkness"),
}

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


@clause("DW-SUMM-00")
def situation(key: str, rules: Rulings = DEFAULT) -> int:
    """The modifier of a situation of the summary, as printed or as the core book has it."""
    row = SITUATIONS[situation_key(key)]
    return DIFFICULTIES[row.printed if rules.combat_table == "literal" else row.corrected]


def situation_key(key: str) -> str:
    """The key of a situation however it is written; an unknown one is refused with the nearest."""
    return find_name("situation", key.replace(" ", "_").replace("-", "_"), SITUATIONS)


@clause("DW-COVER-1", "DW-COVER-2")
def parse_cover(cover: str, hidden: Sequence[str]) -> tuple[int, tuple[Spot, ...]]:
    """AP of a cover, a material or a number, and the spots it hides: all of them where none are named."""
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
    """The entry of this name in a table, in small or capital letters; an unknown one is refused with the nearest."""
    wanted = " ".join(str(name).split()).lower()
    for entry in known:
        if str(entry).lower() == wanted:
            return entry
    raise UnknownName(kind, name, map(str, known))
