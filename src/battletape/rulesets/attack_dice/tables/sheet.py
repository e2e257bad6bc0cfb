"""The printed tables, as data that looks like the print."""

from __future__ import annotations

from battletape.rulebook import cites

CHART_D10 = """
 P    0   1   2   3   4   5   6   7   8   9   10  11  12  13  14  15
 1    A   5+  6+  7+  8+  9   9/1 9/2 9/3 9/4 9/5 9/6 9/7 9/8 9/9 9/9
 2    A   4+  5+  6+  7+  8+  9   9/1 9/2 9/3 9/4 9/5 9/6 9/7 9/8 9/9
 3    A   3+  4+  5+  6+  7+  8+  9   9/1 9/2 9/3 9/4 9/5 9/6 9/7 9/8
 4    A   2+  3+  4+  5+  6+  7+  8+  9   9/1 9/2 9/3 9/4 9/5 9/6 9/7
 5    A   1+  2+  3+  4+  5+  6+  7+  8+  9   9/1 9/2 9/3 9/4 9/5 9/6
 6    A   1+  1+  2+  3+  4+  5+  6+  7+  8+  9   9/1 9/2 9/3 9/4 9/5
 7    A   A   1+  1+  2+  3+  4+  5+  6+  7+  8+  9   9/1 9/2 9/3 9/4
 8    Ax2 A   A   1+  1+  2+  3+  4+  5+  6+  7+  8+  9   9/1 9/2 9/3
 9    Ax2 Ax2 A   A   1+  1+  2+  3+  4+  5+  6+  7+  8+  9   9/1 9/2
 10   Ax3 Ax2 Ax2 A   A   1+  1+  2+  3+  4+  5+  6+  7+  8+  9   9/1
 11   Ax3 Ax3 Ax2 Ax2 A   A   1+  1+  2+  3+  4+  5+  6+  7+  8+  9
 12   Ax4 Ax3 Ax3 Ax2 Ax2 A   A   1+  1+  2+  3+  4+  5+  6+  7+  8+
 13   Ax4 Ax4 Ax3 Ax3 Ax2 Ax2 A   A   1+  1+  2+  3+  4+  5+  6+  7+
 14   Ax5 Ax4 Ax4 Ax3 Ax3 Ax2 Ax2 A   A   1+  1+  2+  3+  4+  5+  6+
 15   Ax5 Ax5 Ax4 Ax4 Ax3 Ax3 Ax2 Ax2 A   A   1+  1+  2+  3+  4+  5+
 16   Ax6 Ax5 Ax5 Ax4 Ax4 Ax3 Ax3 Ax2 Ax2 A   A   1+  1+  2+  3+  4+
 17   Ax6 Ax6 Ax5 Ax5 Ax4 Ax4 Ax3 Ax3 Ax2 Ax2 A   A   1+  1+  2+  3+
 18   Ax7 Ax6 Ax6 Ax5 Ax5 Ax4 Ax4 Ax3 Ax3 Ax2 Ax2 A   A   1+  1+  2+
 19   Ax7 Ax7 Ax6 Ax6 Ax5 Ax5 Ax4 Ax4 Ax3 Ax3 Ax2 Ax2 A   A   1+  2+
 20   Ax8 Ax7 Ax7 Ax6 Ax6 Ax5 Ax5 Ax4 Ax4 Ax3 Ax3 Ax2 Ax2 A   A   1+
"""

# Derived by us and provisional: the D6 sheet itself could not be read.
CHART_D6 = """
 P    0   1   2   3   4   5   6   7   8   9   10  11  12  13  14  15
 1    A   4+  5+  6   6/2 6/3 6/4 6/5 6/6 6/6 6/6 6/6 6/6 6/6 6/6 6/6
 2    A   3+  4+  5+  6   6/2 6/3 6/4 6/5 6/6 6/6 6/6 6/6 6/6 6/6 6/6
 3    A   2+  3+  4+  5+  6   6/2 6/3 6/4 6/5 6/6 6/6 6/6 6/6 6/6 6/6
 4    A   2+  2+  3+  4+  5+  6   6/2 6/3 6/4 6/5 6/6 6/6 6/6 6/6 6/6
 5    A   2+  2+  2+  3+  4+  5+  6   6/2 6/3 6/4 6/5 6/6 6/6 6/6 6/6
 6    A   2+  2+  2+  2+  3+  4+  5+  6   6/2 6/3 6/4 6/5 6/6 6/6 6/6
 7    A   A   2+  2+  2+  2+  3+  4+  5+  6   6/2 6/3 6/4 6/5 6/6 6/6
 8    Ax2 A   A   2+  2+  2+  2+  3+  4+  5+  6   6/2 6/3 6/4 6/5 6/6
 9    Ax2 Ax2 A   A   2+  2+  2+  2+  3+  4+  5+  6   6/2 6/3 6/4 6/5
 10   Ax3 Ax2 Ax2 A   A   2+  2+  2+  2+  3+  4+  5+  6   6/2 6/3 6/4
 11   Ax3 Ax3 Ax2 Ax2 A   A   2+  2+  2+  2+  3+  4+  5+  6   6/2 6/3
 12   Ax4 Ax3 Ax3 Ax2 Ax2 A   A   2+  2+  2+  2+  3+  4+  5+  6   6/2
 13   Ax4 Ax4 Ax3 Ax3 Ax2 Ax2 A   A   2+  2+  2+  2+  3+  4+  5+  6
 14   Ax5 Ax4 Ax4 Ax3 Ax3 Ax2 Ax2 A   A   2+  2+  2+  2+  3+  4+  5+
 15   Ax5 Ax5 Ax4 Ax4 Ax3 Ax3 Ax2 Ax2 A   A   2+  2+  2+  2+  3+  4+
 16   Ax6 Ax5 Ax5 Ax4 Ax4 Ax3 Ax3 Ax2 Ax2 A   A   2+  2+  2+  2+  3+
 17   Ax6 Ax6 Ax5 Ax5 Ax4 Ax4 Ax3 Ax3 Ax2 Ax2 A   A   2+  2+  2+  2+
 18   Ax7 Ax6 Ax6 Ax5 Ax5 Ax4 Ax4 Ax3 Ax3 Ax2 Ax2 A   A   2+  2+  2+
 19   Ax7 Ax7 Ax6 Ax6 Ax5 Ax5 Ax4 Ax4 Ax3 Ax3 Ax2 Ax2 A   A   2+  2+
 20   Ax8 Ax7 Ax7 Ax6 Ax6 Ax5 Ax5 Ax4 Ax4 Ax3 Ax3 Ax2 Ax2 A   A   2+
"""
CORRECTED = {(19, 15): "1+"}  # the one cell that leaves its diagonal

# line   what holds                                  D10      D6
FORMULA = (
    ("F1", "Power 5+ and at least twice Defence", "A", "A"),
    ("F2", "Power greater by 2 or more", "1+", "2+"),
    ("F3", "Power greater by 1", "3+", "3+"),
    ("F4", "Power and Defence equal", "5+", "4+"),
    ("F5", "Defence greater by 1", "7+", "5+"),
    ("F6", "Defence greater by 2 or more", "9+", "6+"),
    ("F7", "Defence 5+ and at least double", "9/3+", "6/3+"),
    ("F8", "Defence 5+ and at least triple", "9/6+", "6/5+"),
    ("F9", "Defence 5+ and at least four times", "9/9+", "6/6+"),
    ("F10", "Power 1+ against Defence 0", "A", "A"),
    ("F11", "Power 0 against Defence 1+", "-", "-"),
)
LADDER_D10 = (*(f"{n}+" for n in range(1, 9)), "9", *(f"9/{n}" for n in range(1, 10)))
LADDER_D6 = (*(f"{n}+" for n in range(2, 6)), "6", *(f"6/{n}" for n in range(2, 7)))
SAVE_ON_D10 = {2: 1, 3: 3, 4: 5, 5: 7, 6: 9}  # a profile's D6 number as rolled on a D10

MAX_POWER, MAX_DEFENCE = 20, 15

# What is usual, for warnings only: Defence from..to, what it is.
USUAL_DEFENCE = (
    (0, 2, "weak creatures"),
    (3, 4, "people"),
    (5, 5, "machines"),
    (6, 8, "monsters and vehicles"),
    (9, 10, "war machines"),
    (11, 15, "extreme targets"),
)
USUAL_HP = ((1, 2, "soldiers"), (3, 5, "veterans"), (6, 10, "heroes and light vehicles"), (11, 60, "large things"))

cites("AD-2", "AD-13", "AD-22", where=f"{__name__}.CHART_D10")
cites("AD-90", where=f"{__name__}.CHART_D6")
cites("AD-44", "AD-89", where=f"{__name__}.FORMULA")
cites("AD-83", where=f"{__name__}.SAVE_ON_D10")
cites("AD-93", where=f"{__name__}.USUAL_DEFENCE")
