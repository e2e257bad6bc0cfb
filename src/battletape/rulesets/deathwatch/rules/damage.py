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
"""What righteous fury adds on average, once confirmed."""
D10_BEST = special("D10 best of two", (face for face in range(1, 11) for _ in range(2 * face - 1)))
"""The better of two d10 as one die."""
ACCURATE_DICE, DEGREES_A_DIE, RAZOR_DEGREES = 2, 2, 2


class HitEffect(State, frozen=True):
    """What a quality does after each hit that hurts."""

    effect: Callable[..., Any]  # from the tape, the victim, the hit and a number, the victim
    luck: Callable[..., int] | None = None  # that number, from the tape, the hit and its damage; None: the damage
    afflicts: bool = False  # it brings about conditions only


class Hit(State, frozen=True):
    """All that the dice of one hit need to know: the item of the fold."""

    spot: str  # a place where sides do not matter, else a spot; none of a horde
    dice: int = 1
    sides: int = 10
    drop: int = 0  # dice rolled more, and dropped
    flat: int = 0
    reduction: int = 0  # armour and toughness, worked out before the dice
    taken_off: str = ""  # the parts of that: AP 8, penetration 5, TB 4
    fury: int = NO_FURY  # or the target of the confirming roll, or SURE
    least: int = 0  # core rule: one die shows at least this
    best_each: bool = False
    damage_type: traits.DamageType = "I"
    most: int = 60  # wounds + 10: more cannot be felt
    true_grit: bool = False
    sudden_death: bool = False
    armoured: bool = True
    ap: int = 0  # armour alone
    acts: tuple[HitEffect, ...] = ()  # what qualities do after each hit that hurts
    counts: int = 0  # net damage of an attack is counted up to this, where something asks for it
    counts_always: bool = False  # even where nobody follows conditions
    worn: tuple[int, ...] = ()  # where cover wears down: the reductions with 0, 1, 2 … points of it gone
    cover: int = 0  # its AP at the start, in that case
    plates: tuple[tuple[int, ...], ...] = ()  # `worn` with 0, 1, 2 … points of armour lost, where that can be felt
    frail: bool = False  # they may be lost before this hit, or by it
    keeps: tuple[bool, ...] | None = None  # by SPOTS: later hits may strike there, where nobody asks for the others

    @property
    def whom(self) -> str:
        """The place that these dice are for."""
        return plain(self.spot)

    @property
    def is_fixed(self) -> bool:
        """Return whether one damage roll meets a reduction that no earlier hit has changed."""
        return not (self.worn or self.frail) and self.rolls == 1

    body: conditions.BodyNumbers = conditions.BodyNumbers()  # what critical rows ask of the victim
    rolls: int = 1  # times damage is rolled and added: twice in melee against the helpless


@clause("DW-QUAL-FELLING")
def effective_tb(tb: int, multiplier: int = 1, felling: int = 0, flat: int = 0, rules: Rulings = DEFAULT) -> int:
    """The Toughness bonus that counts against a hit: felling takes steps from its multiplier, never below one."""
    steps = multiplier if felling and rules.felling == "whole_trait" else felling
    return tb * max(1, multiplier - steps) + flat


@clause("DW-DMG-3", "DW-COVER-1", "DW-QUAL-PRIMITIVE")
def reduction(ap: int, cover: int = 0, pen: int = 0, doublings: int = 0, tb: int = 0, rules: Rulings = DEFAULT) -> int:
    """What is taken from damage: AP of the place, doubled, less penetration but never below 0, and the TB."""
    times = 2**doublings if rules.ap_doublings == "multiply" else 1 + doublings
    armour, cover = ap * times, cover * times if rules.cover_doubles else cover
    if rules.cover_and_penetration == "armour_only":
        return max(0, armour - pen) + cover + tb
    return max(0, armour + cover - pen) + tb


@clause("DW-RF-3")
def is_sure(against: Iterable[str], tags: Iterable[str]) -> bool:
    """Whether righteous fury against a target of these tags needs no confirming, by whom it is sure against."""
    return not set(against).isdisjoint(tags)


@clause("DW-RF-3", "DW-QUAL-VOLATILE")
def fury_of(
    target: int, eligible: bool, sure: bool = False, volatile: bool = False, sides: int = 10, rules: Rulings = DEFAULT
) -> int:
    """What a hit needs for righteous fury: NO_FURY, the target of the confirming roll, or SURE."""
    if sides != 10:
        return NO_FURY
    if volatile:
        return SURE
    if not {"everyone": True, "nobody": False, "eligible_only": eligible}[rules.righteous_fury]:
        return NO_FURY
    if sure:
        return SURE
    if rules.auto_results == "01_and_00":
        return min(99, max(1, target))
    return SURE if target >= 100 else target if target >= 1 else NO_FURY


@clause("DW-QUAL-TEARING", "DW-CORE-DOSMIN")
def roll_dice(tape: Tape, hit: Hit) -> tuple[int, bool]:
    """The damage dice of a hit: the sum of those that count, and whether one of them shows a ten."""
    if not hit.dice:
        return 0, False
    die = D10_BEST if hit.best_each and hit.sides == 10 else d(hit.sides)
    whole = best_of(hit.dice, 10 if hit.sides == 10 else 0, min(hit.least, hit.sides))
    got: tuple[int, bool] = tape.pool(hit.dice + hit.drop, die, label="damage", whole=whole)
    return got


@clause("DW-RF-1")
def fury(tape: Tape, most: int) -> int:
    """Righteous fury: a d10 more, and another one after every ten, as far as it can be felt."""
    got: int = tape.roll(D10, label="righteous fury")
    if got < 10 or most <= 10:
        return got
    return 10 + int(tape.call(fury, most - 10))


@clause("DW-DMG-3", "DW-RF-1", "DW-RF-2")
def damage_before_armour(tape: Tape, hit: Hit, most: int) -> int:
    """Damage of a hit before reduction, as far as it can be felt."""
    got = raw_once(tape, hit, most)
    for _ in range(1, hit.rolls):
        got = min(most, got + tape.call(raw_once, hit, most))
    return got


@clause("DW-DMG-3", "DW-RF-1", "DW-RF-2")
def raw_once(tape: Tape, hit: Hit, most: int) -> int:
    """One damage roll of a hit."""
    dice, _, more = throw(tape, hit, most)
    tape.tell(damage_line, hit, dice, more)
    return min(most, total(hit, dice, more))


@clause("DW-DMG-3")
def total(hit: Hit, dice: int, fury: int) -> int:
    """What the dice of a hit, its bonus and righteous fury come to."""
    return max(0, dice + hit.flat + fury)


@clause("DW-DMG-3", "DW-COVER-1")
def through(hit: Hit, got: int) -> int:
    """What armour, cover and toughness leave of such damage."""
    return max(0, got - hit.reduction)


@clause("DW-RF-1", "DW-RF-2")
def throw(tape: Tape, hit: Hit, most: int) -> tuple[int, bool, int]:
    """The dice of a hit: what they come to, whether one shows a ten, and what righteous fury adds once confirmed."""
    got, ten = roll_dice(tape, hit)
    felt = most - got - hit.flat
    furious = ten and hit.fury != NO_FURY and felt > 0
    if furious and (hit.fury == SURE or tape.roll(D100, at_most(hit.fury), label="confirm")):
        return got, ten, int(tape.call(fury, felt))
    return got, ten, 0


@clause("DW-DMG-3")
def damage_after_armour(tape: Tape, hit: Hit, most: int) -> int:
    """Damage of a hit that gets through, as far as it can be felt."""
    return through(hit, damage_before_armour(tape, hit, most + hit.reduction))


# --- what is told -----------------------------------------------------------------------------------------------------


def damage_line(hit: Hit, dice: int, fury: int) -> Line:
    """Say the sum of a damage roll, and what gets through where that is known by now."""
    damage, at = total(hit, dice, fury), f" on the {plain(hit.spot)}" if hit.spot else ""
    rolled = f"{dice}, fury {fury}" if fury else str(dice)
    text = summed([part for part in (dice, hit.flat, fury) if part], damage) + at
    if not hit.is_fixed:
        return Line(text, ("DW-DMG-3",), rolled=rolled, result=str(damage))
    left = through(hit, damage)
    return Line(f"{text}{less(hit, hit.reduction)}: {left} through", ("DW-DMG-3",), rolled=rolled, result=str(left))


def less(hit: Hit, stopped: int) -> str:
    """Say what is taken off a hit, with its parts unless earlier hits have changed them."""
    parts = f" ({hit.taken_off})" if hit.taken_off and stopped == hit.reduction else ""
    return f", less {stopped}{parts}" if hit.reduction else ""


def summed(parts: Sequence[int], total: int) -> str:
    """Return a sum with its parts, if there are several."""
    return " + ".join(map(str, parts)).replace("+ -", "- ") + f" = {total}" if len(parts) > 1 else str(total)


# --- damage as it is written ------------------------------------------------------------------------------------------

MOST_DICE = 20
"""Of one hit."""
MOST_DIGITS = 3  # of a plain number
_DAMAGE = re.compile(r"\s*(\d{0,9})\s*d\s*(\d{1,3})\s*(?:([+-])\s*(\d{1,3}))?\s*", re.IGNORECASE)


def parse_damage(text: str) -> tuple[int, int, int]:
    """Damage such as 2d10+5: how many dice, with how many sides, and what is added; a plain number has no dice."""
    if text.strip().isdecimal() and len(text.strip()) <= MOST_DIGITS:
        return 0, 10, int(text)
    dice = _DAMAGE.fullmatch(text)
    count, sides = (int(dice[1] or 1), int(dice[2])) if dice else (0, 0)
    if dice is None or sides not in (5, 10) or not 1 <= count <= MOST_DICE:
        must = f"1 to {MOST_DICE} dice" if sides in (5, 10) else "d10s or d5s"
        raise BadInput.of("damage", f"must be {must}, such as 2d10+5; got {text!r}", clause="DW-RWEP-00")
    return count, sides, int(f"{dice[3] or '+'}{dice[4] or 0}")
