"""The printed tables, as data that looks like the print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from battletape.cards import Table
from battletape.rulebook import D6, cites, dice, plain, special
from battletape.rulesets.vehicles5.rules.traits import Band, DamageRow, PenDice

FireMode: TypeAlias = Literal["all", "one_main", "none"]
PAIR = special("pair of D6", D6.faces)
"""Each of two dice of which only the higher counts."""
TWO_DICE = dice("2d6")
NEVER = 7
"""What no D6 shows."""

SPEEDS: Mapping[Band, tuple[int, int]] = {
    # inches at most: off the road, on it all the way
    "stationary": (0, 0),
    "combat": (6, 6),
    "cruising": (12, 18),
    "flat_out": (18, 24),
}
FAST_SKIMMER = 24  # flat out, with or without a road

WEAPONS_TO_SHOOT: Mapping[Band, tuple[FireMode, FireMode, FireMode]] = {
    # ordinary, fast, walker
    "stationary": ("all", "all", "all"),
    "combat": ("one_main", "all", "all"),
    "cruising": ("none", "one_main", "none"),
    "flat_out": ("none", "none", "none"),
}
DEFENSIVE = 4  # the highest strength of a defensive weapon

DAMAGE_TABLE: Mapping[int, DamageRow] = {
    1: "shaken",
    2: "stunned",
    3: "weapon_destroyed",
    4: "immobilised",
    5: "wrecked",
    6: "exploded",
}
DAMAGE_MODIFIERS: Mapping[Literal["glance", "ap_dash", "ap_1", "open_topped"], int] = {
    "glance": -2,
    "ap_dash": -1,
    "ap_1": +1,
    "open_topped": +1,
}

ASSAULT_TO_HIT: Mapping[Band, int] = {
    "stationary": 0,  # no roll
    "combat": 4,
    "cruising": 6,
    "flat_out": 6,
}
GRENADES: Mapping[str, tuple[int, PenDice]] = {
    "defensive": (4, "d6"),
    "assault": (4, "d6"),
    "krak": (6, "d6"),
    "melta_bomb": (8, "2d6"),
}

RAM_STRENGTH: Mapping[Literal["armour_over", "inches", "tank"], int] = {
    "armour_over": 10,  # one for each point of armour above this
    "inches": 3,  # one for each full so many inches
    "tank": 1,
}

AFTER_EXIT: Mapping[str, tuple[bool, bool, bool, bool, bool | None]] = {
    # unit moves, shoots, assaults, counts as moving; vehicle may move afterwards (None: as without the emergency)
    "not_moved": (True, True, True, True, True),
    "moved": (False, True, False, True, False),
    "moved_open_topped": (False, True, True, True, False),
    "emergency": (False, False, False, True, None),
}

BS_TO_HIT: Mapping[int, int] = {0: NEVER, 1: 6, 2: 5, 3: 4, 4: 3, 5: 2, 6: 2, 7: 2, 8: 2, 9: 2, 10: 2}


def _chart(text: str) -> dict[tuple[int, int], int]:
    head, *rows = (line.split() for line in text.strip().splitlines())
    return {
        (int(row), int(column)): NEVER if cell == "-" else int(cell[:-1])
        for row, *cells in rows
        for column, cell in zip(head[1:], cells, strict=True)
    }


TO_WOUND = _chart("""
 S    1   2   3   4   5   6   7   8   9   10
 1    4+  5+  6+  6+  -   -   -   -   -   -
 2    3+  4+  5+  6+  6+  -   -   -   -   -
 3    2+  3+  4+  5+  6+  6+  -   -   -   -
 4    2+  2+  3+  4+  5+  6+  6+  -   -   -
 5    2+  2+  2+  3+  4+  5+  6+  6+  -   -
 6    2+  2+  2+  2+  3+  4+  5+  6+  6+  -
 7    2+  2+  2+  2+  2+  3+  4+  5+  6+  6+
 8    2+  2+  2+  2+  2+  2+  3+  4+  5+  6+
 9    2+  2+  2+  2+  2+  2+  2+  3+  4+  5+
 10   2+  2+  2+  2+  2+  2+  2+  2+  3+  4+
""")  # by strength and toughness
WS_TO_HIT = _chart("""
 WS   1   2   3   4   5   6   7   8   9   10
 1    4+  4+  5+  5+  5+  5+  5+  5+  5+  5+
 2    3+  4+  4+  4+  5+  5+  5+  5+  5+  5+
 3    3+  3+  4+  4+  4+  4+  5+  5+  5+  5+
 4    3+  3+  3+  4+  4+  4+  4+  4+  5+  5+
 5    3+  3+  3+  3+  4+  4+  4+  4+  4+  4+
 6    3+  3+  3+  3+  3+  4+  4+  4+  4+  4+
 7    3+  3+  3+  3+  3+  3+  4+  4+  4+  4+
 8    3+  3+  3+  3+  3+  3+  3+  4+  4+  4+
 9    3+  3+  3+  3+  3+  3+  3+  3+  4+  4+
 10   3+  3+  3+  3+  3+  3+  3+  3+  3+  4+
""")  # by the WS of the attacker and of the other

_HERE = f"{__name__}."
cites(*(f"V5-DMG-{row}" for row in DAMAGE_TABLE), where=_HERE + "DAMAGE_TABLE")
cites(*(f"V5-DMGMOD-{line}" for line in range(1, 5)), where=_HERE + "DAMAGE_MODIFIERS")
cites("V5-ASLT-5", where=_HERE + "ASSAULT_TO_HIT")
cites("V5-GREN-1", "V5-GREN-2", "V5-GREN-3", where=_HERE + "GRENADES")
cites("V5-CORE-1", where=_HERE + "BS_TO_HIT")
cites("V5-CORE-7", where=_HERE + "TO_WOUND")
cites("V5-CORE-10", where=_HERE + "WS_TO_HIT")


def printed_tables() -> tuple[Table, ...]:
    """Return every table of the system."""
    skimmer = ("flat out, skimmer", str(FAST_SKIMMER), str(FAST_SKIMMER), "fast skimmers")
    speeds = ((plain(band), str(off), str(on), _WHO[band]) for band, (off, on) in SPEEDS.items())
    fire = ((plain(band), *(FIRE_WORDS[mode] for mode in kinds)) for band, kinds in WEAPONS_TO_SHOOT.items())
    ends = {1: "1 or less", 6: "6 or more"}
    damage = ((ends.get(die, str(die)), plain(row)) for die, row in DAMAGE_TABLE.items())
    modifiers = ((_WHEN[when], f"{by:+d}") for when, by in DAMAGE_MODIFIERS.items())
    assaults = ((plain(band), format_to_hit(number)) for band, number in ASSAULT_TO_HIT.items())
    grenades = ((plain(name), f"{DICE_WORDS[dice]} + {strength}") for name, (strength, dice) in GRENADES.items())
    rams = (("each point of armour above 10", "+1"), ("each full 3 inches driven", "+1"), ("a tank", "+1"))
    exits = ((plain(how), *(_MAY[allowed] for allowed in may)) for how, may in AFTER_EXIT.items())
    shots = ((str(bs), format_to_hit(number)) for bs, number in BS_TO_HIT.items())
    return (
        Table("Speeds: inches at most", ("speed", "inches", "on a road", "who"), (*speeds, skimmer), "V5-MOVE-7"),
        Table("Weapons to shoot", ("speed", "ordinary", "fast", "walker"), tuple(fire), "V5-FIRE-5"),
        Table("Damage", ("D6", "result"), tuple(damage), "V5-PEN-4"),
        Table("Damage modifiers", ("when", "modifier"), tuple(modifiers), "V5-DMGMOD-5"),
        Table("To hit a vehicle in an assault", ("its speed", "needs"), tuple(assaults), "V5-ASLT-5"),
        Table("Grenades", ("grenade", "penetration"), tuple(grenades), "V5-GREN-1"),
        Table("Strength of a ram", ("for", "strength"), rams, "V5-RAM-5"),
        Table("After leaving a transport", _EXIT_HEAD, tuple(exits), "V5-TRAN-9"),
        Table("To hit with shooting", ("BS", "needs"), tuple(shots), "V5-CORE-1"),
        Table("To hit in close combat, WS against WS", *_square("WS", WS_TO_HIT), "V5-CORE-10"),
        Table("To wound, strength down, toughness across", *_square("S", TO_WOUND), "V5-CORE-7"),
    )


def format_to_hit(number: int) -> str:
    """Write what a roll to hit needs: 0 is no roll, 7 cannot be done."""
    return "automatic" if number == 0 else "-" if number >= NEVER else f"{number}+"


_WHEN = {"glance": "glancing hit", "ap_dash": "AP- weapon", "ap_1": "AP1 weapon", "open_topped": "open-topped"}
DICE_WORDS: Mapping[PenDice, str] = {
    "d6": "D6",
    "higher_of_two": "higher of 2D6",
    "2d6": "2D6",
    "six_adds_d3": "D6, plus D3 on a 6",
}
FIRE_WORDS = {"all": "all, or one ordnance", "one_main": "one main and all defensive, or one ordnance", "none": "none"}
_WHO = {"stationary": "all", "combat": "all; walkers no faster", "cruising": "all but walkers", "flat_out": "fast only"}
_EXIT_HEAD = ("vehicle", "unit moves", "shoots", "assaults", "counts as moving", "vehicle moves afterwards")
_MAY = {True: "yes", False: "no", None: "as above"}


def _square(name: str, chart: Mapping[tuple[int, int], int]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    down, across = ({key[index]: None for key in chart} for index in (0, 1))
    rows = tuple((str(row), *(format_to_hit(chart[row, column]) for column in across)) for row in down)
    return (name, *map(str, across)), rows
