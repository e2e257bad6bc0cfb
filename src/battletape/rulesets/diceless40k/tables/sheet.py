"""The document's tables, as data that looks like the print."""

from __future__ import annotations

from battletape.rulebook import cites

# HP lost by DMG (down) and save (across), in four columns of 25 rows. Every cell is a k-th sixth of the DMG, rounded
# half up (k is 1 for 2+ to 5 for 6+), but one: 3 DMG on 2+ are printed as 0, so the table counts and not the formula.
SAVES = """
DMG 2+ 3+ 4+ 5+ 6+ | DMG 2+ 3+ 4+ 5+ 6+ | DMG 2+ 3+ 4+ 5+ 6+ | DMG 2+ 3+ 4+ 5+ 6+
  1  0  0  1  1  1 |  26  4  9 13 17 22 |  51  9 17 26 34 43 |  76 13 25 38 51 63
  2  0  1  1  1  2 |  27  5  9 14 18 23 |  52  9 17 26 35 43 |  77 13 26 39 51 64
  3  0  1  2  2  3 |  28  5  9 14 19 23 |  53  9 18 27 35 44 |  78 13 26 39 52 65
  4  1  1  2  3  3 |  29  5 10 15 19 24 |  54  9 18 27 36 45 |  79 13 26 40 53 66
  5  1  2  3  3  4 |  30  5 10 15 20 25 |  55  9 18 28 37 46 |  80 13 27 40 53 67
  6  1  2  3  4  5 |  31  5 10 16 21 26 |  56  9 19 28 37 47 |  81 14 27 41 54 68
  7  1  2  4  5  6 |  32  5 11 16 21 27 |  57 10 19 29 38 48 |  82 14 27 41 55 68
  8  1  3  4  5  7 |  33  6 11 17 22 28 |  58 10 19 29 39 48 |  83 14 28 42 55 69
  9  2  3  5  6  8 |  34  6 11 17 23 28 |  59 10 20 30 39 49 |  84 14 28 42 56 70
 10  2  3  5  7  8 |  35  6 12 18 23 29 |  60 10 20 30 40 50 |  85 14 28 43 57 71
 11  2  4  6  7  9 |  36  6 12 18 24 30 |  61 10 20 31 41 51 |  86 14 29 43 57 72
 12  2  4  6  8 10 |  37  6 12 19 25 31 |  62 10 21 31 41 52 |  87 15 29 44 58 73
 13  2  4  7  9 11 |  38  6 13 19 25 32 |  63 11 21 32 42 53 |  88 15 29 44 59 73
 14  2  5  7  9 12 |  39  7 13 20 26 33 |  64 11 21 32 43 53 |  89 15 30 45 59 74
 15  3  5  8 10 13 |  40  7 13 20 27 33 |  65 11 22 33 43 54 |  90 15 30 45 60 75
 16  3  5  8 11 13 |  41  7 14 21 27 34 |  66 11 22 33 44 55 |  91 15 30 46 61 76
 17  3  6  9 11 14 |  42  7 14 21 28 35 |  67 11 22 34 45 56 |  92 15 31 46 61 77
 18  3  6  9 12 15 |  43  7 14 22 29 36 |  68 11 23 34 45 57 |  93 16 31 47 62 78
 19  3  6 10 13 16 |  44  7 15 22 29 37 |  69 12 23 35 46 58 |  94 16 31 47 63 78
 20  3  7 10 13 17 |  45  8 15 23 30 38 |  70 12 23 35 47 58 |  95 16 32 48 63 79
 21  4  7 11 14 18 |  46  8 15 23 31 38 |  71 12 24 36 47 59 |  96 16 32 48 64 80
 22  4  7 11 15 18 |  47  8 16 24 31 39 |  72 12 24 36 48 60 |  97 16 32 49 65 81
 23  4  8 12 15 19 |  48  8 16 24 32 40 |  73 12 24 37 49 61 |  98 16 33 49 65 82
 24  4  8 12 16 20 |  49  8 16 25 33 41 |  74 12 25 37 49 62 |  99 17 33 50 66 83
 25  4  8 13 17 21 |  50  8 17 25 33 42 |  75 13 25 38 50 63 | 100 17 33 50 67 83
"""
COLUMNS = (2, 3, 4, 5, 6)

# Order points that a unit may have and still pass a test, by the Ld of the model that takes it.
#              Ld:  2   3   4   5   6    7    8    9   10
THRESHOLDS = dict(enumerate((6, 17, 33, 56, 83, 117, 144, 167, 183), start=2))
REROLLED_THRESHOLDS = dict(enumerate((11, 32, 61, 96, 132, 165, 185, 194, 199), start=2))

# Damage on vehicles: the line, its AV-S, and the DMG at which hits come: glancing first, then penetrating ones.
VEHICLE_LINES = (
    ("A", 6, "36G"),
    ("B", 5, "18G 36P"),
    ("C", 4, "12G 24P 36P"),
    ("D", 3, "9G 18P 27P 36P"),
    ("E", 2, "8G 15P 22P 29P 36P"),
    ("F", 1, "6G 12P 18P 24P 30P 36P"),  # for AV-S of 1 and all below
)
LINE_HOLDS = 36

# What hits and Strength of templates and blasts are multiplied by; BS does not count.
AREA = {"template": 4, "twin_linked template": 5, "blast": 3, "large_blast": 3}

# The close combat factor, by the target's WS; the first row that fits counts.
FACTORS = (
    ("WS 0", 6),
    ("lower than the attacker's", 5),
    ("up to twice the attacker's", 4),
    ("more than twice the attacker's", 3),
)

# Poisoned attacks: the factor times the victim's Toughness and this.
POISON = {6: -2, 5: -1, 4: 0, 3: 1, 2: 2}

# What is added to BS against vehicles.
ANGLE = {"red": 1, "orange": 0, "yellow": -1}  # heavy weapons only
SPEED = {"immobile": 2, "combat": 1, "cruising": 0, "flat_out": -1}
ARMOUR_PIERCING: dict[int | None, int] = {1: 1, None: -1}  # AP1 and AP-; the others 0

cites("DL-T1", "DL-20.2", where=f"{__name__}.SAVES")
cites("DL-T2", where=f"{__name__}.THRESHOLDS")
cites("DL-T3", where=f"{__name__}.REROLLED_THRESHOLDS")
cites("DL-T4", where=f"{__name__}.VEHICLE_LINES")
cites("DL-T5", where=f"{__name__}.FACTORS")
cites("DL-T6", where=f"{__name__}.POISON")
cites("DL-29.2", "DL-30.8", "DL-31.6", where=f"{__name__}.AREA")
cites("DL-T7", where=f"{__name__}.SPEED")
