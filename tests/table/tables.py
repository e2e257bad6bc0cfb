"""Tables to draw: a blast at a mob, a tank under fire, a field of battle."""

from __future__ import annotations

from fractions import Fraction

from battletape.table.bases import Base
from battletape.table.board import Board
from battletape.table.hulls import Hull
from battletape.table.picture import Arc, Arrow, Face, Figure, Ground, Machine, Marker, Picture, Ring, Template
from battletape.table.points import Point
from battletape.table.teardrops import FLAMER, Flame

AIM = Point(4.8, 4.8)
MOB = ((2.5, 6, 2), (3.9, 6.6, 34), (5.5, 6.2, 34), (6.8, 6.8, 2), (3.4, 4.5, 66), (4.8, 4.8, 67), (6.3, 4.7, 66))
FRIENDS = ((5.7, 1.3), (7.5, 0.8))


def place(at: int) -> tuple[str, str]:
    """The inputs that move a model of the mob."""
    return f"near.{at}.x", f"near.{at}.y"


BLAST = Picture(
    "Where the missile may come down",
    (
        Ground((Point(0.2, 7), Point(2, 8.8), Point(0.2, 9)), name="wood", about="wood, cover 5+"),
        *(Ring(Base(AIM, reach), f"{reach}″") for reach in (2, 4, 6)),
        Arrow(Point(4.8, -20), AIM, "gunner, 24″", dashed=True),
        Marker(Base(Point(6.3, 4.7), 2), "best aim", ghost=True),
        Marker(Base(AIM, 2), "missile", hole=True, drag=("x", "y")),
        *(
            Figure(Base(Point(x, y), 0.49), f"Ork {at}", "mob", chance=Fraction(share, 100), drag=place(at), kind="Ork")
            for at, (x, y, share) in enumerate(MOB, 1)
        ),
        *(
            Figure(Base(Point(x, y), 0.49), f"Guard {at}", "friends", "acts", Fraction(1, 100), kind="Guard")
            for at, (x, y) in enumerate(FRIENDS, 1)
        ),
    ),
    says="chance to be hit",
)
TANK = Picture(
    "A tank under fire",
    (
        Machine(
            Hull(Point(0, 0), 0, 4, 3),
            "Anvil",
            faces=(Face("front", "12"), Face("side", "11", Fraction(1, 3)), Face("rear", "10")),
            border=45,
            chance=0.3,
        ),
        Marker(Base(Point(0, 0), 2.5), "large blast", hole=True),
        Arc(Base(Point(0, 2), 5), -22.5, 22.5, "hull gun"),
        Template(Flame(FLAMER, Point(3, -3), 60), "flamer"),
        Arrow(Point(0, 30), Point(0, 2), "firer", dashed=True),
    ),
    says="chance to be destroyed",
)
BATTLE = Picture(
    "The table",
    (
        Ground((Point(10, 10), Point(20, 10), Point(22, 18), Point(12, 20)), name="wood"),
        Ground((Point(60, 40),), 4.0, "crater"),
        *(Figure(Base(Point(30 + 2 * at, 30), 0.5), "Rangers", "North") for at in range(5)),
        Machine(Hull(Point(40, 12), 300, 5, 3), "Anvil", "South", "acts"),
        Figure(Base(Point(50, 22), 1.2), "Strider", "South", "acts"),
        Figure(Base(Point(20, 40), 0.5), "Watcher", "nobody", "around"),
    ),
    Board(72, 48),
    whole=True,
)
FIELD = Picture(
    "The field", (Figure(Base(Point(0, 0), 0.5), "Cato"), Figure(Base(Point(90, 40), 0.5), "Gharn")), unit="metres"
)
TABLES = {"blast": BLAST, "tank": TANK, "battle": BATTLE, "field": FIELD, "nothing": Picture("Nothing", ())}
