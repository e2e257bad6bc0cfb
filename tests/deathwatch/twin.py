"""An independent twin of the attack: by faces, with dictionaries and fractions, and no line of the rules shared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

Dist = dict[Any, Fraction]
CENT = Fraction(1, 100)
SPOTS: tuple[str, ...] = ("head",) * 10 + ("right_arm",) * 10 + ("left_arm",) * 10 + ("body",) * 40
SPOTS += ("right_leg",) * 15 + ("left_leg",) * 15
FURTHER = {"head": "HABAB", "arm": "ABHBA", "body": "BAHAB", "leg": "LBAHB"}
LETTERS = {"H": "head", "A": "arm", "B": "body", "L": "leg"}
KILLS = {  # first row that kills for certain, first that may (0 none), by type and place
    "E": {"arm": (10, 9), "body": (9, 0), "head": (8, 0), "leg": (10, 9)},
    "X": {"arm": (8, 7), "body": (8, 0), "head": (6, 0), "leg": (8, 7)},
    "I": {"arm": (9, 8), "body": (9, 0), "head": (8, 0), "leg": (9, 8)},
    "R": {"arm": (9, 8), "body": (9, 8), "head": (8, 0), "leg": (9, 8)},
}

TEARS = {("X", "body", 3): 99, ("R", "body", 2): 1, ("R", "head", 3): 99, ("R", "head", 5): 99}
"""Points of armour that a row takes off its place."""


def add(dist: Dist, key: Any, chance: Fraction) -> None:
    if chance:
        dist[key] = dist.get(key, Fraction(0)) + chance


def place(spot: str) -> str:
    return spot.rpartition("_")[2]


def spot(roll: int) -> str:
    """The digits of a roll turned round."""
    text = f"{roll % 100:02d}"[::-1]
    return SPOTS[(int(text) or 100) - 1]


def places(first: str, hits: int) -> list[str]:
    """The multiple hits table, written as letters."""
    row = FURTHER[place(first)]
    return [place(first), *(LETTERS[row[min(at, 4)]] for at in range(hits - 1))] if hits else []


def rolls(
    target: int,
    mode: str = "single",
    rof: int = 1,
    *,
    storm: bool = False,
    twin: bool = False,
    scatter: bool = False,
    reliable: bool = False,
    poor: bool = False,
    melee: bool = False,
) -> Iterable[tuple[Fraction, str, int, int, str]]:
    """Every attack roll: chance, status, degrees, hits and spot; with a d10 behind each jam of a reliable gun."""
    jam = 101 if melee else 96 if mode == "single" else 94
    for roll in range(1, 101):
        if roll >= jam or (poor and not melee and roll > target):
            share = Fraction(1, 10) if reliable else Fraction(1)
            yield CENT * share, "jam", 0, 0, ""
            yield CENT * (1 - share), "miss", 0, 0, ""
        elif roll > target:
            yield CENT, "miss", 0, 0, ""
        else:
            degrees = (target - roll) // 10
            more = {"single": 0, "semi": degrees // 2, "full": degrees}[mode]
            hits = min(1 + more, rof if mode != "single" else 1)
            hits = hits * (2 if storm else 1) + (1 if twin and degrees >= 2 else 0) + (degrees // 2 if scatter else 0)
            yield CENT, "hit", degrees, hits, spot(roll)


def pool(dice: int, drop: int = 0) -> dict[tuple[int, bool], Fraction]:
    """Sum of the best dice and whether a ten is among them, by every ordered throw."""
    found: Dist = {}
    for thrown in product(range(1, 11), repeat=dice + drop):
        best = sorted(thrown)[drop:]
        add(found, (sum(best), 10 in best), Fraction(1, 10 ** (dice + drop)))
    return found


def chain(most: int) -> Dist:
    """A d10 and another after each ten, until so much is reached."""
    found: Dist = {}
    front = {0: Fraction(1)}
    while front:
        after: Dist = {}
        for total, chance in front.items():
            for face in range(1, 11):
                now = total + face
                add(after if face == 10 and now < most else found, now, chance / 10)
        front = after
    return found


def damage(dice: int, drop: int, flat: int, confirm: Fraction, most: int) -> Dist:
    """Damage before reduction, at most so much."""
    found: Dist = {}
    for (total, ten), chance in pool(dice, drop).items():
        share = confirm if ten else Fraction(0)
        add(found, min(most, max(0, total + flat)), chance * (1 - share))
        if share:
            for more, luck in chain(most - total - flat).items():
                add(found, min(most, max(0, total + flat + more)), chance * share * luck)
    return found


def net(dist: Dist, reduction: int) -> Dist:
    found: Dist = {}
    for value, chance in dist.items():
        add(found, max(0, value - reduction), chance)
    return found


def dodged(hits: int, target: int) -> Dist:
    """Hits left after a dodge, by every roll."""
    found: Dist = {}
    for roll in range(1, 101):
        gone = 1 + (target - roll) // 10 if roll <= target else 0
        add(found, max(0, hits - gone), CENT)
    return found


Lost = tuple[tuple[str, int], ...]
State = tuple[int, int, str, bool, Lost]  # damage taken, critical total, place of the last row, dead, armour lost
FRESH: State = (0, 0, "", False, ())
Net = Dist | Callable[[int], Dist]
"""Damage of a hit that gets through, or the same by points of armour lost at its place."""


def take(
    state: State, got: int, where: str, wounds: int, kind: str, toughness: int
) -> Iterable[tuple[State, Fraction]]:
    """One hit: wounds, critical damage, and death by the row it reaches."""
    taken, critical, last, dead, lost = state
    if dead or not got:
        yield state, Fraction(1)
        return
    room = wounds - taken
    if got <= room:
        yield (taken + got, critical, last, False, lost), Fraction(1)
        return
    critical = min(10, critical + got - room)
    sure, may = KILLS[kind][where]
    dies = (
        Fraction(1) if critical >= sure else Fraction(100 - toughness, 100) if may and critical >= may else Fraction(0)
    )
    torn = dict(lost)
    if (kind, where, critical) in TEARS:
        torn[where] = torn.get(where, 0) + TEARS[kind, where, critical]
    yield (wounds, critical, where, True, ()), dies
    yield (wounds, critical, where, False, tuple(sorted(torn.items()))), 1 - dies


def attack(
    outcomes: Iterable[tuple[Fraction, str, int, int, str]],
    nets: Callable[[str, int, bool], Net],
    *,
    wounds: int,
    kind: str,
    toughness: int,
    dodge: int | None = None,
) -> Dist:
    """A whole attack: (status, hits, landed, state) with its chance; `nets` gives the net damage of a hit."""
    found: Dist = {}
    for chance, status, degrees, hits, where in outcomes:
        left = dodged(hits, dodge) if dodge is not None and hits else {hits: Fraction(1)}
        for landed, luck in left.items():
            states: Dist = {FRESH: Fraction(1)}
            for at, each in enumerate(places(where, landed) if landed else ()):
                states = fold(states, nets(each, degrees, at == 0), each, wounds, kind, toughness)
            for state, weight in states.items():
                add(found, (status, hits, landed, state), chance * luck * weight)
    return found


def fold(states: Dist, net: Net, where: str, wounds: int, kind: str, toughness: int) -> Dist:
    after: Dist = {}
    for state, weight in states.items():
        dist = net(dict(state[4]).get(where, 0)) if callable(net) else net
        for got, chance in dist.items():
            for new, luck in take(state, got, where, wounds, kind, toughness):
                add(after, new, weight * chance * luck)
    return after


def total(nets: Sequence[Dist]) -> Dist:
    """The sum of independent hits."""
    found: Dist = {0: Fraction(1)}
    for dist in nets:
        after: Dist = {}
        for one, a in found.items():
            for two, b in dist.items():
                add(after, one + two, a * b)
        found = after
    return found
