"""The sums of the rule catalogue as plain functions: a second way to every number, without a tape.

A shot is told by its rows: the chance of each result of one shot, `none` among them. Volleys are products of
polynomials over their shots; the degree counts the results that use up a weapon or the tracks (V5-MARK-4).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Literal, TypeAlias

from battletape.rulesets.vehicles5.rules.traits import DamageRow, PenDice
from battletape.rulesets.vehicles5.tables.printed import DAMAGE_TABLE

Rows: TypeAlias = Mapping[DamageRow, Fraction]
Coefficient: TypeAlias = Callable[[Rows], Fraction]
SIXTH = Fraction(1, 6)


def reaches(needs: int, again: bool = False) -> Fraction:
    """The chance that a D6 shows the number needed (0: certain, 7: never), or does so when a miss is rolled again."""
    chance = Fraction(1) if needs == 0 else Fraction(max(0, 7 - max(needs, 1)), 6)
    return 1 - (1 - chance) ** 2 if again else chance


def penetration(dice: PenDice, gap: int, again: bool = False) -> tuple[Fraction, Fraction]:
    """The chances of a glance and of a penetration of armour this much above the strength."""
    if dice == "six_adds_d3":
        steps = {**dict.fromkeys(range(1, 6), SIXTH), **dict.fromkeys((7, 8, 9), SIXTH / 3)}
    elif dice == "2d6":
        steps = {sum_: Fraction(6 - abs(7 - sum_), 36) for sum_ in range(2, 13)}
    elif dice == "higher_of_two":
        steps = {high: Fraction(2 * high - 1, 36) for high in range(1, 7)}
    else:
        steps = dict.fromkeys(range(1, 7), SIXTH)
    glance = steps.get(gap, Fraction(0))
    through = sum((chance for total, chance in steps.items() if total > gap), Fraction(0))
    spared = 1 - glance - through if again else Fraction(0)
    return glance * (1 + spared), through * (1 + spared)


def table(modifier: int, low: Literal["clamp", "nothing"] = "clamp") -> Rows:
    """The chance of each row of the damage table with this modifier."""
    chances: dict[DamageRow, Fraction] = dict.fromkeys(("none", *DAMAGE_TABLE.values()), Fraction(0))
    for die in range(1, 7):
        value = die + modifier
        row: DamageRow = "none" if value < 1 and low == "nothing" else DAMAGE_TABLE[min(max(value, 1), 6)]
        chances[row] += SIXTH
    return chances


def one_shot(
    dice: PenDice,
    gap: int,
    modifier: int = 0,
    *,
    needs: int = 0,
    cover: int = 0,
    again: bool = False,
    again_pen: bool = False,
    low: Literal["clamp", "nothing"] = "clamp",
) -> Rows:
    """The chance of each result of one shot: to hit and cover only thin out what a certain hit does."""
    glance, through = penetration(dice, gap, again_pen)
    thin = reaches(needs, again) * (1 - reaches(cover) if cover else 1)
    glancing, full = table(modifier - 2, low), table(modifier, low)
    rows: dict[DamageRow, Fraction] = {
        row: thin * (glance * glancing[row] + through * full[row]) for row in DAMAGE_TABLE.values()
    }
    rows["none"] = 1 - sum(rows.values(), Fraction(0))
    return rows


def survives(shots: Sequence[Rows], weapons: int, immobilised: bool = False, crash: bool = False) -> Fraction:
    """The chance to outlive a volley; `crash` for a skimmer that moved flat out."""
    if crash and not immobilised:
        return stays_mobile(shots, weapons)
    return sum(_product(shots, _harmless, _slots)[: weapons + 2 - immobilised], Fraction(0))


def stays_mobile(shots: Sequence[Rows], weapons: int) -> Fraction:
    """The chance that a mobile vehicle is alive and mobile after a volley."""
    return sum(_product(shots, _harmless, _weapon)[: weapons + 1], Fraction(0))


def destroyed(shots: Sequence[Rows], weapons: int, immobilised: bool = False, crash: bool = False) -> Fraction:
    """The chance that a volley wrecks or explodes a vehicle."""
    return 1 - survives(shots, weapons, immobilised, crash)


def immobilised_or_worse(shots: Sequence[Rows], weapons: int, immobilised: bool = False) -> Fraction:
    """The chance that a vehicle cannot move for good after a volley."""
    return Fraction(1) if immobilised else 1 - stays_mobile(shots, weapons)


def exploded(
    shots: Sequence[Rows],
    weapons: int,
    immobilised: bool = False,
    crash: bool = False,
    order: Literal["sequential", "batch"] = "sequential",
) -> Fraction:
    """The chance that a volley ends in an explosion: of the first fatal result, or in a batch of any."""
    if order == "batch":
        spared = Fraction(1)
        for rows in shots:
            spared *= 1 - rows["exploded"]
        return 1 - spared
    before = (survives(shots[:at], weapons, immobilised, crash) for at in range(len(shots)))
    return sum((rows["exploded"] * alive for rows, alive in zip(shots, before, strict=True)), Fraction(0))


def untouched(shots: Sequence[Rows]) -> Fraction:
    """The chance that nothing at all happens."""
    return _product(shots, _nothing, _weapon)[0]


def may_shoot(shots: Sequence[Rows], weapons: int, immobilised: bool = False, crash: bool = False) -> Fraction:
    """The chance that a crew neither shaken nor stunned before may shoot in its next turn."""
    with_either = _product(shots, _nothing, _slots)
    if immobilised:
        return sum(with_either[:weapons], Fraction(0))
    by_threes = _product(shots, _nothing, _weapon)
    kept = sum(by_threes[:weapons], Fraction(0))
    if crash:
        return kept
    by_a_four = (either - threes for either, threes in zip(with_either, by_threes, strict=True))
    return kept + sum(list(by_a_four)[1 : weapons + 1], Fraction(0))


def _product(shots: Sequence[Rows], stay: Coefficient, use: Coefficient) -> list[Fraction]:
    """The coefficients of the product of (stay + use x) over all shots."""
    now = [Fraction(1)]
    for rows in shots:
        a, b = stay(rows), use(rows)
        now = [a * low + b * high for low, high in zip([*now, Fraction(0)], [Fraction(0), *now], strict=True)]
    return now


def _nothing(rows: Rows) -> Fraction:
    return rows["none"]


def _harmless(rows: Rows) -> Fraction:
    return rows["none"] + rows["shaken"] + rows["stunned"]


def _weapon(rows: Rows) -> Fraction:
    return rows["weapon_destroyed"]


def _slots(rows: Rows) -> Fraction:
    return rows["weapon_destroyed"] + rows["immobilised"]
