"""A second way to the odds: plain loops over faces, written from the rules without the engine."""

from __future__ import annotations

import re
from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import comb

Odds = dict[int, Fraction]
D6 = range(1, 7)
BURST_FACES = (1, 1, 2, 2, 3, None)


def wound_chance(strength: int, toughness: int) -> Fraction:
    """Faces that wound: the difference decides, and three short of it a 6 still does."""
    short = toughness - strength
    if short > 3:
        return Fraction(0)
    return Fraction(sum(face >= max(2, min(6, 4 + short)) for face in D6), 6)


def save_chance(save: int | None, modifier: int, dice: int = 1) -> Fraction:
    """Rolls of one die or two that save, once the modifier is added; a lone 1 never does."""
    if save is None:
        return Fraction(0)
    rolls = list(product(D6, repeat=dice))
    good = [roll for roll in rolls if sum(roll) + modifier >= save and not (dice == 1 and roll == (1,))]
    return Fraction(len(good), len(rolls))


def hit_chance(need: int) -> Fraction:
    """Pairs of dice that hit: the second one counts only after a 6, and only where more than 6 is needed."""
    good = 0
    for first, second in product(D6, D6):
        if need <= 6:
            good += first != 1 and first >= need
        else:
            good += first == 6 and need < 10 and second - 3 >= need - 6
    return Fraction(good, 36)


def damage_odds(text: str) -> Odds:
    """A number, or some equal dice added up."""
    dice = re.fullmatch(r"(\d*)[dD](\d+)", text)
    if dice is None:
        return {int(text): Fraction(1)}
    count, sides = int(dice[1] or 1), int(dice[2])
    odds: Odds = defaultdict(Fraction)
    for faces in product(range(1, sides + 1), repeat=count):
        odds[sum(faces)] += Fraction(1, sides**count)
    return odds


def after_hits(wounds: int, hits: int, through: Fraction, damage: str) -> Odds:
    """Wounds left after some hits that each get through with this chance."""
    left: Odds = {wounds: Fraction(1)}
    for _ in range(hits):
        now: Odds = defaultdict(Fraction)
        for before, chance in left.items():
            now[before] += chance * (1 - through)
            for lost, share in damage_odds(damage).items():
                now[max(before - lost, 0)] += chance * through * share
        left = now
    return {wounds_left: chance for wounds_left, chance in left.items() if chance}


def binomial(count: int, chance: Fraction) -> Odds:
    """How many of some independent chances come true."""
    return {n: comb(count, n) * chance**n * (1 - chance) ** (count - n) for n in range(count + 1)}


def bursts(dice: int) -> dict[tuple[int, int], Fraction]:
    """Hits and jams of some Sustained Fire dice, face by face."""
    odds: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for faces in product(BURST_FACES, repeat=dice):
        hits, jams = sum(face or 0 for face in faces), faces.count(None)
        odds[hits, jams] += Fraction(1, 6**dice)
    return odds
