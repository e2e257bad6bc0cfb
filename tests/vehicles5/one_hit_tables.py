"""Tables 11.3 of the rule catalogue: one certain hit, by penetration dice, gap and kind; numerators of each row."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

ROWS = ("none", "shaken", "stunned", "weapon_destroyed", "immobilised", "wrecked", "exploded")
_KINDS = {"dash": "-", "plain": 4, "one": 1}

_TABLES = {
    "d6": (
        36,
        """
0 dash 0 12 6 6 6 6 0
0 plain 0 6 6 6 6 6 6
0 one 0 0 6 6 6 6 12
0 dash+open 0 6 6 6 6 6 6
0 plain+open 0 0 6 6 6 6 12
0 one+open 0 0 0 6 6 6 18
1 dash 0 14 6 6 5 5 0
1 plain 0 8 6 6 6 5 5
1 one 0 2 6 6 6 6 10
1 dash+open 0 8 6 6 6 5 5
1 plain+open 0 2 6 6 6 6 10
1 one+open 0 1 1 6 6 6 16
2 dash 6 12 5 5 4 4 0
2 plain 6 7 5 5 5 4 4
2 one 6 2 5 5 5 5 8
2 dash+open 6 7 5 5 5 4 4
2 plain+open 6 2 5 5 5 5 8
2 one+open 6 1 1 5 5 5 13
3 dash 12 10 4 4 3 3 0
3 plain 12 6 4 4 4 3 3
3 one 12 2 4 4 4 4 6
3 dash+open 12 6 4 4 4 3 3
3 plain+open 12 2 4 4 4 4 6
3 one+open 12 1 1 4 4 4 10
4 dash 18 8 3 3 2 2 0
4 plain 18 5 3 3 3 2 2
4 one 18 2 3 3 3 3 4
4 dash+open 18 5 3 3 3 2 2
4 plain+open 18 2 3 3 3 3 4
4 one+open 18 1 1 3 3 3 7
5 dash 24 6 2 2 1 1 0
5 plain 24 4 2 2 2 1 1
5 one 24 2 2 2 2 2 2
5 dash+open 24 4 2 2 2 1 1
5 plain+open 24 2 2 2 2 2 2
5 one+open 24 1 1 2 2 2 4
6 dash 30 4 1 1 0 0 0
6 plain 30 3 1 1 1 0 0
6 one 30 2 1 1 1 1 0
6 dash+open 30 3 1 1 1 0 0
6 plain+open 30 2 1 1 1 1 0
6 one+open 30 1 1 1 1 1 1
""",
    ),
    "higher_of_two": (
        216,
        """
0 dash 0 72 36 36 36 36 0
0 plain 0 36 36 36 36 36 36
0 one 0 0 36 36 36 36 72
0 dash+open 0 36 36 36 36 36 36
0 plain+open 0 0 36 36 36 36 72
0 one+open 0 0 0 36 36 36 108
1 dash 0 74 36 36 35 35 0
1 plain 0 38 36 36 36 35 35
1 one 0 2 36 36 36 36 70
1 dash+open 0 38 36 36 36 35 35
1 plain+open 0 2 36 36 36 36 70
1 one+open 0 1 1 36 36 36 106
2 dash 6 76 35 35 32 32 0
2 plain 6 41 35 35 35 32 32
2 one 6 6 35 35 35 35 64
2 dash+open 6 41 35 35 35 32 32
2 plain+open 6 6 35 35 35 35 64
2 one+open 6 3 3 35 35 35 99
3 dash 24 74 32 32 27 27 0
3 plain 24 42 32 32 32 27 27
3 one 24 10 32 32 32 32 54
3 dash+open 24 42 32 32 32 27 27
3 plain+open 24 10 32 32 32 32 54
3 one+open 24 5 5 32 32 32 86
4 dash 54 68 27 27 20 20 0
4 plain 54 41 27 27 27 20 20
4 one 54 14 27 27 27 27 40
4 dash+open 54 41 27 27 27 20 20
4 plain+open 54 14 27 27 27 27 40
4 one+open 54 7 7 27 27 27 67
5 dash 96 58 20 20 11 11 0
5 plain 96 38 20 20 20 11 11
5 one 96 18 20 20 20 20 22
5 dash+open 96 38 20 20 20 11 11
5 plain+open 96 18 20 20 20 20 22
5 one+open 96 9 9 20 20 20 42
6 dash 150 44 11 11 0 0 0
6 plain 150 33 11 11 11 0 0
6 one 150 22 11 11 11 11 0
6 dash+open 150 33 11 11 11 0 0
6 plain+open 150 22 11 11 11 11 0
6 one+open 150 11 11 11 11 11 11
""",
    ),
    "2d6": (
        216,
        """
1 dash 0 72 36 36 36 36 0
1 plain 0 36 36 36 36 36 36
1 one 0 0 36 36 36 36 72
1 dash+open 0 36 36 36 36 36 36
1 plain+open 0 0 36 36 36 36 72
1 one+open 0 0 0 36 36 36 108
2 dash 0 74 36 36 35 35 0
2 plain 0 38 36 36 36 35 35
2 one 0 2 36 36 36 36 70
2 dash+open 0 38 36 36 36 35 35
2 plain+open 0 2 36 36 36 36 70
2 one+open 0 1 1 36 36 36 106
3 dash 6 74 35 35 33 33 0
3 plain 6 39 35 35 35 33 33
3 one 6 4 35 35 35 35 66
3 dash+open 6 39 35 35 35 33 33
3 plain+open 6 4 35 35 35 35 66
3 one+open 6 2 2 35 35 35 101
4 dash 18 72 33 33 30 30 0
4 plain 18 39 33 33 33 30 30
4 one 18 6 33 33 33 33 60
4 dash+open 18 39 33 33 33 30 30
4 plain+open 18 6 33 33 33 33 60
4 one+open 18 3 3 33 33 33 93
5 dash 36 68 30 30 26 26 0
5 plain 36 38 30 30 30 26 26
5 one 36 8 30 30 30 30 52
5 dash+open 36 38 30 30 30 26 26
5 plain+open 36 8 30 30 30 30 52
5 one+open 36 4 4 30 30 30 82
6 dash 60 62 26 26 21 21 0
6 plain 60 36 26 26 26 21 21
6 one 60 10 26 26 26 26 42
6 dash+open 60 36 26 26 26 21 21
6 plain+open 60 10 26 26 26 26 42
6 one+open 60 5 5 26 26 26 68
7 dash 90 54 21 21 15 15 0
7 plain 90 33 21 21 21 15 15
7 one 90 12 21 21 21 21 30
7 dash+open 90 33 21 21 21 15 15
7 plain+open 90 12 21 21 21 21 30
7 one+open 90 6 6 21 21 21 51
8 dash 126 40 15 15 10 10 0
8 plain 126 25 15 15 15 10 10
8 one 126 10 15 15 15 15 20
8 dash+open 126 25 15 15 15 10 10
8 plain+open 126 10 15 15 15 15 20
8 one+open 126 5 5 15 15 15 35
9 dash 156 28 10 10 6 6 0
9 plain 156 18 10 10 10 6 6
9 one 156 8 10 10 10 10 12
9 dash+open 156 18 10 10 10 6 6
9 plain+open 156 8 10 10 10 10 12
9 one+open 156 4 4 10 10 10 22
10 dash 180 18 6 6 3 3 0
10 plain 180 12 6 6 6 3 3
10 one 180 6 6 6 6 6 6
10 dash+open 180 12 6 6 6 3 3
10 plain+open 180 6 6 6 6 6 6
10 one+open 180 3 3 6 6 6 12
11 dash 198 10 3 3 1 1 0
11 plain 198 7 3 3 3 1 1
11 one 198 4 3 3 3 3 2
11 dash+open 198 7 3 3 3 1 1
11 plain+open 198 4 3 3 3 3 2
11 one+open 198 2 2 3 3 3 5
12 dash 210 4 1 1 0 0 0
12 plain 210 3 1 1 1 0 0
12 one 210 2 1 1 1 1 0
12 dash+open 210 3 1 1 1 0 0
12 plain+open 210 2 1 1 1 1 0
12 one+open 210 1 1 1 1 1 1
""",
    ),
    "six_adds_d3": (
        108,
        """
0 dash 0 36 18 18 18 18 0
0 plain 0 18 18 18 18 18 18
0 one 0 0 18 18 18 18 36
0 dash+open 0 18 18 18 18 18 18
0 plain+open 0 0 18 18 18 18 36
0 one+open 0 0 0 18 18 18 54
1 dash 0 42 18 18 15 15 0
1 plain 0 24 18 18 18 15 15
1 one 0 6 18 18 18 18 30
1 dash+open 0 24 18 18 18 15 15
1 plain+open 0 6 18 18 18 18 30
1 one+open 0 3 3 18 18 18 48
2 dash 18 36 15 15 12 12 0
2 plain 18 21 15 15 15 12 12
2 one 18 6 15 15 15 15 24
2 dash+open 18 21 15 15 15 12 12
2 plain+open 18 6 15 15 15 15 24
2 one+open 18 3 3 15 15 15 39
3 dash 36 30 12 12 9 9 0
3 plain 36 18 12 12 12 9 9
3 one 36 6 12 12 12 12 18
3 dash+open 36 18 12 12 12 9 9
3 plain+open 36 6 12 12 12 12 18
3 one+open 36 3 3 12 12 12 30
4 dash 54 24 9 9 6 6 0
4 plain 54 15 9 9 9 6 6
4 one 54 6 9 9 9 9 12
4 dash+open 54 15 9 9 9 6 6
4 plain+open 54 6 9 9 9 9 12
4 one+open 54 3 3 9 9 9 21
5 dash 72 18 6 6 3 3 0
5 plain 72 12 6 6 6 3 3
5 one 72 6 6 6 6 6 6
5 dash+open 72 12 6 6 6 3 3
5 plain+open 72 6 6 6 6 6 6
5 one+open 72 3 3 6 6 6 12
6 dash 90 6 3 3 3 3 0
6 plain 90 3 3 3 3 3 3
6 one 90 0 3 3 3 3 6
6 dash+open 90 3 3 3 3 3 3
6 plain+open 90 0 3 3 3 3 6
6 one+open 90 0 0 3 3 3 9
7 dash 90 8 3 3 2 2 0
7 plain 90 5 3 3 3 2 2
7 one 90 2 3 3 3 3 4
7 dash+open 90 5 3 3 3 2 2
7 plain+open 90 2 3 3 3 3 4
7 one+open 90 1 1 3 3 3 7
8 dash 96 6 2 2 1 1 0
8 plain 96 4 2 2 2 1 1
8 one 96 2 2 2 2 2 2
8 dash+open 96 4 2 2 2 1 1
8 plain+open 96 2 2 2 2 2 2
8 one+open 96 1 1 2 2 2 4
9 dash 102 4 1 1 0 0 0
9 plain 102 3 1 1 1 0 0
9 one 102 2 1 1 1 1 0
9 dash+open 102 3 1 1 1 0 0
9 plain+open 102 2 1 1 1 1 0
9 one+open 102 1 1 1 1 1 1
""",
    ),
}


def one_hits() -> Iterator[tuple[str, int, int | str, bool, dict[str, Fraction]]]:
    """Dice, gap, AP, open-topped, and the chance of each row."""
    for dice, (whole, text) in _TABLES.items():
        for line in text.split("\n"):
            if line.strip():
                gap, kind, *counts = line.split()
                ap, _, is_open = kind.partition("+")
                chances = (Fraction(int(count), whole) for count in counts)
                yield dice, int(gap), _KINDS[ap], bool(is_open), dict(zip(ROWS, chances, strict=True))
