"""Damage of one hit: the dice, righteous fury, and what armour and toughness take away."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from battletape.cards import Line
from battletape.rulebook import D10, D100, BadInput, State, Tape, at_most, best_of, clause, d, plain, special
from battletape.rulesets.deathwatch.rules import conditions, traits
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings

SURE = 1000
"""Righteous fury that needs no confirming roll."""
NO_FURY = -1
FURY_MEAN = Fraction(55, 9)
"""The mean that righteous fury adds, once confirmed."""
D10_BEST = special("D10 best of two", (face for face in range(1, 11) for _ in range(2 * face - 1)))
"""The better of two d10 as one die."""
ACCURATE_DICE, DEGREES_A_DIE, RAZOR_DEGREES = 2, 2, 2


class HitEffect(State, frozen=True):
    """An effect of a quality after each hit that hurts."""

    effect: Callable[..., Any]  # from the tape, the victim, the hit and a number, the victim
    roll: Callable[..., int] | None = None  # that number, from the tape, the hit and its damage; None: the damage
    afflicts: bool = False  # it brings about conditions only


class Hit(State, frozen=True):
    """A hit with all numbers that its dice need: the item of the fold."""

    spot: str  # a place where sides do not matter, else a spot; none of a horde
    dice: int = 1
    sides: int = 10
    dropped_dice: int = 0  # dice rolled more, and dropped
    flat: int = 0
    reduction: int = 0  # armour and toughness, worked out before the dice
    taken_off: str = ""  # the parts of that: AP 8, penetration 5, TB 4
    fury: int = NO_FURY  # or the target of the confirming roll, or SURE
    min_die: int = 0  # core rule: one die shows at least this
    better_of_two: bool = False
    damage_type: traits.DamageType = "I"
    max_damage: int = 60  # wounds + 10: more makes no difference
    true_grit: bool = False
    sudden_death: bool = False
    armoured: bool = True
    ap: int = 0  # armour alone
    hit_effects: tuple[HitEffect, ...] = ()  # what qualities do after each hit that hurts
    net_limit: int = 0  # net damage of an attack is counted up to this, where something asks for it
    always_counts_net: bool = False  # even if conditions are not followed
    by_cover_lost: tuple[int, ...] = ()  # where cover wears down: reductions with 0, 1, 2 … points of it gone
    cover: int = 0  # its AP at the start, in that case
    by_armour_lost: tuple[tuple[int, ...], ...] = ()  # `by_cover_lost` with 0, 1, 2 … points of armour lost
    armour_may_go: bool = False  # armour may be lost before this hit, or by it
    spots_kept: tuple[bool, ...] | None = None  # by SPOTS: later hits may strike there; None: all are kept

    @property
    def subject(self) -> str:
        """The place that these dice are for."""
        return plain(self.spot)

    @property
    def is_fixed(self) -> bool:
        """Return whether one damage roll meets a reduction that no earlier hit has changed."""
        return not (self.by_cover_lost or self.armour_may_go) and self.damage_rolls == 1

    body: conditions.BodyNumbers = conditions.BodyNumbers()  # what critical rows ask of the victim
    damage_rolls: int = 1  # times damage is rolled and added: twice in melee against the helpless


@clause("DW-QUAL-FELLING")
def effective_tb(tb: int, multiplier: int = 1, felling: int = 0, flat: int = 0, rulings: Rulings = DEFAULT) -> int:
    """Return the Toughness bonus against a hit: felling takes steps from its multiplier, down to one."""
    steps = multiplier if felling and rulings.felling == "whole_trait" else felling
    return tb * max(1, multiplier - steps) + flat


@clause("DW-DMG-3", "DW-COVER-1", "DW-QUAL-PRIMITIVE")
def reduction(
    ap: int, cover: int = 0, pen: int = 0, doublings: int = 0, tb: int = 0, rulings: Rulings = DEFAULT
) -> int:
    """Return what is taken from damage: AP of the place, doubled, less penetration but never below 0, and the TB."""
    times = 2**doublings if rulings.ap_doublings == "multiply" else 1 + doublings
    armour, cover = ap * times, cover * times if rulings.cover_doubles else cover
    if rulings.cover_and_penetration == "armour_only":
        return max(0, armour - pen) + cover + tb
    return max(0, armour + cover - pen) + tb


@clause("DW-RF-3")
def is_fury_sure(against: Iterable[str], tags: Iterable[str]) -> bool:
    """Return whether righteous fury needs no confirming against a target of these tags."""
    return not set(against).isdisjoint(tags)


@clause("DW-RF-3", "DW-QUAL-VOLATILE")
def fury_of(
    target: int, eligible: bool, sure: bool = False, volatile: bool = False, sides: int = 10, rulings: Rulings = DEFAULT
) -> int:
    """Return what a hit needs for righteous fury: NO_FURY, the target of the confirming roll, or SURE."""
    if sides != 10:
        return NO_FURY
    if volatile:
        return SURE
    if not {"everyone": True, "nobody": False, "eligible_only": eligible}[rulings.righteous_fury]:
        return NO_FURY
    if sure:
        return SURE
    if rulings.auto_results == "01_and_00":
        return min(99, max(1, target))
    return SURE if target >= 100 else target if target >= 1 else NO_FURY


@clause("DW-QUAL-TEARING", "DW-CORE-DOSMIN")
def roll_dice(tape: Tape, hit: Hit) -> tuple[int, bool]:
    """Roll the damage dice of a hit: the sum of those that count, and whether one of them shows a ten."""
    if not hit.dice:
        return 0, False
    die = D10_BEST if hit.better_of_two and hit.sides == 10 else d(hit.sides)
    whole = best_of(hit.dice, 10 if hit.sides == 10 else 0, min(hit.min_die, hit.sides))
    result: tuple[int, bool] = tape.pool(hit.dice + hit.dropped_dice, die, label="damage", whole=whole)
    return result


@clause("DW-RF-1")
def fury(tape: Tape, most: int) -> int:
    """Roll righteous fury: a d10 more, and another one after every ten, up to `most`."""
    face: int = tape.roll(D10, label="righteous fury")
    if face < 10 or most <= 10:
        return face
    return 10 + int(tape.call(fury, most - 10))


@clause("DW-DMG-3", "DW-RF-1", "DW-RF-2")
def damage_before_armour(tape: Tape, hit: Hit, most: int) -> int:
    """Roll the damage of a hit before reduction, up to `most`."""
    damage = roll_damage_once(tape, hit, most)
    for _ in range(1, hit.damage_rolls):
        damage = min(most, damage + tape.call(roll_damage_once, hit, most))
    return damage


@clause("DW-DMG-3", "DW-RF-1", "DW-RF-2")
def roll_damage_once(tape: Tape, hit: Hit, most: int) -> int:
    """Make one damage roll of a hit."""
    dice, _, more = roll_damage_and_fury(tape, hit, most)
    tape.tell(damage_line, hit, dice, more)
    return min(most, damage_total(hit, dice, more))


@clause("DW-DMG-3")
def damage_total(hit: Hit, dice: int, fury: int) -> int:
    """Return what the dice of a hit, its bonus and righteous fury come to."""
    return max(0, dice + hit.flat + fury)


@clause("DW-COVER-1")
def cover_lost_by(hit: Hit, lost: int, damage: int) -> int:
    """Return the points of cover that are gone after such damage: more than the AP that is left takes another."""
    left = hit.cover - min(lost, hit.cover)
    return lost + 1 if left and damage > left else lost


@clause("DW-DMG-3", "DW-COVER-1")
def damage_left(hit: Hit, damage: int) -> int:
    """Return what armour, cover and toughness leave of such damage."""
    return max(0, damage - hit.reduction)


@clause("DW-RF-1", "DW-RF-2")
def roll_damage_and_fury(tape: Tape, hit: Hit, most: int) -> tuple[int, bool, int]:
    """Roll the dice of a hit: their sum, whether one shows a ten, and righteous fury if confirmed."""
    dice, ten = roll_dice(tape, hit)
    most_left = most - dice - hit.flat
    furious = ten and hit.fury != NO_FURY and most_left > 0
    if furious and (hit.fury == SURE or tape.roll(D100, at_most(hit.fury), label="confirm")):
        return dice, ten, int(tape.call(fury, most_left))
    return dice, ten, 0


@clause("DW-DMG-3")
def damage_after_armour(tape: Tape, hit: Hit, most: int) -> int:
    """Roll the damage of a hit that gets through, up to `most`."""
    return damage_left(hit, damage_before_armour(tape, hit, most + hit.reduction))


# --- lines of the log -------------------------------------------------------------------------------------------------


def damage_line(hit: Hit, dice: int, fury: int) -> Line:
    """Say the sum of a damage roll, and what gets through where that is known by now."""
    damage, at = damage_total(hit, dice, fury), f" on the {plain(hit.spot)}" if hit.spot else ""
    rolled = f"{dice}, fury {fury}" if fury else str(dice)
    text = sum_words([part for part in (dice, hit.flat, fury) if part], damage) + at
    if not hit.is_fixed:
        return Line(text, ("DW-DMG-3",), rolled=rolled, result=str(damage))
    left = damage_left(hit, damage)
    return Line(
        f"{text}{reduction_words(hit, hit.reduction)}: {left} through", ("DW-DMG-3",), rolled=rolled, result=str(left)
    )


def reduction_words(hit: Hit, taken: int) -> str:
    """Say what is taken off a hit, with its parts unless earlier hits have changed them."""
    parts = f" ({hit.taken_off})" if hit.taken_off and taken == hit.reduction else ""
    return f", less {taken}{parts}" if hit.reduction else ""


def sum_words(parts: Sequence[int], total: int) -> str:
    """Return a sum with its parts, if there are several."""
    return " + ".join(map(str, parts)).replace("+ -", "- ") + f" = {total}" if len(parts) > 1 else str(total)


# --- damage as it is written ------------------------------------------------------------------------------------------

MAX_DICE = 20
"""Of one hit."""
MAX_DIGITS = 3  # of a plain number
_DAMAGE = re.compile(r"\s*(\d{0,9})\s*d\s*(\d{1,3})\s*(?:([+-])\s*(\d{1,3}))?\s*", re.IGNORECASE)


def parse_damage(text: str) -> tuple[int, int, int]:
    """Parse damage such as 2d10+5: how many dice, their sides, and what is added."""
    if text.strip().isdecimal() and len(text.strip()) <= MAX_DIGITS:
        return 0, 10, int(text)
    dice = _DAMAGE.fullmatch(text)
    count, sides = (int(dice[1] or 1), int(dice[2])) if dice else (0, 0)
    if dice is None or sides not in (5, 10) or not 1 <= count <= MAX_DICE:
        must = f"1 to {MAX_DICE} dice" if sides in (5, 10) else "d10s or d5s"
        raise BadInput.of("damage", f"must be {must}, such as 2d10+5; got {text!r}", clause="DW-RWEP-00")
    return count, sides, int(f"{dice[3] or '+'}{dice[4] or 0}")
