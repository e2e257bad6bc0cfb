"""The attack sequence: select, check range, roll Attack Dice, roll saves, lose HP, next weapon."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

import msgspec

from battletape.cards import Measure, Odds
from battletape.rulebook import Procedure, Tape, clause, fold, odds_of, replace
from battletape.rulesets.attack_dice.rules.damage import Ranks, all_models, casualties, is_single, lose, standing
from battletape.rulesets.attack_dice.rules.melee import (
    Part,
    Situation,
    cover_bonus,
    facing_bonus,
    position_parts,
    refuse_target,
)
from battletape.rulesets.attack_dice.rules.modifiers import attack_die, reading, shifted, total_modifier
from battletape.rulesets.attack_dice.rules.requirement import Requirement, find_requirement
from battletape.rulesets.attack_dice.rules.saves import armour_in_cover, armour_is_denied, save_die, save_reading
from battletape.rulesets.attack_dice.rulings import DEFAULT, Rulings


class Mark(msgspec.Struct, frozen=True, cache_hash=True):
    """A target: its stats and its models in the order they fall."""

    defence: int
    ranks: Ranks
    armour: int | None = None
    aegis: int | None = None
    name: str = "the target"
    wounded: int = 0  # HP its first model had lost before
    single: bool = False  # a unit that began with one model


class Shot(msgspec.Struct, frozen=True, cache_hash=True):
    """One pool: all Attack Dice of one weapon profile on one target."""

    dice: int
    power: int
    ap: int | None = None
    range: int | None = None
    at: int = 0  # which target
    situation: Situation = Situation()
    name: str = "the weapon"
    weapon_class: str = ""
    entry: Requirement | None = None  # where a player names it, instead of comparing


class Strike(msgspec.Struct, frozen=True, cache_hash=True):
    """An attack under way: what is still to be fired, what the targets lost, and the pool in hand."""

    rules: Rulings
    marks: tuple[Mark, ...]
    shots: tuple[Shot, ...]
    lost: tuple[int, ...]  # HP each target has lost
    loss: tuple[int, ...]  # HP loss dealt to it, overkill counted
    dice: int = 0
    need: Requirement | None = None
    parts: tuple[Part, ...] = ()
    modifier: int = 0
    passed: int = 0
    hits: int = 0
    each: int = 1
    save: str = "both"


@clause("AD-81", "AD-92")
def mark_of(
    name: str, defence: int, ranks: Ranks, lost: int = 0, armour: int | None = None, aegis: int | None = None
) -> Mark:
    """A unit that has already lost some HP, as a target: the models still standing, the wounded one first."""
    left, wounded = standing(ranks, lost)
    return Mark(defence, left, armour, aegis, name, wounded, is_single(ranks))


def strike_with(rules: Rulings, marks: Iterable[Mark], shots: Iterable[Shot]) -> Strike:
    """An attack before its first die."""
    targets = tuple(marks)
    return Strike(rules, targets, tuple(shots), tuple(mark.wounded for mark in targets), (0,) * len(targets))


@clause("AD-70")
def dice_of(models: int, attacks: int) -> int:
    """One die for each Attack of each model that fires."""
    return models * attacks


@clause("AD-70", "AD-71")
def pools(groups: Iterable[tuple[str, str, int, int]]) -> dict[tuple[str, str], int]:
    """The dice of each pool: groups (profile, target, models, attacks each) alike in both names roll together."""
    dice: dict[tuple[str, str], int] = {}
    for profile, target, models, attacks in groups:
        dice[profile, target] = dice.get((profile, target), 0) + dice_of(models, attacks)
    return dice


@clause("AD-67", "AD-66", "AD-70", "AD-71")
def select_weapon(tape: Tape, strike: Strike) -> Strike:
    """Take the next weapon profile in hand: all its dice on one target are one pool."""
    return replace(strike, dice=strike.shots[0].dice)


@clause("AD-68")
def check_range(tape: Tape, strike: Strike) -> Strike:
    """Out of range or sight nothing is rolled and nothing is spent."""
    shot = strike.shots[0]
    return replace(strike, dice=0) if refuse_target(shot.situation, shot.range) else strike


@clause("AD-69", "AD-11", "AD-58", "AD-92")
def compare_power(tape: Tape, strike: Strike) -> Strike:
    """Compare Power with Defence, bonuses first and caps second."""
    return replace(strike, need=entry_met(strike))


@clause("AD-69")
def entry_met(strike: Strike) -> Requirement:
    """What the Attack Dice in hand need: the entry a player named, or that of Power against Defence."""
    shot = strike.shots[0]
    return shot.entry or find_requirement(shot.power, defence_met(strike), strike.rules)


@clause("AD-58", "AD-92")
def defence_met(strike: Strike) -> int:
    """The target's Defence with cover and facing, before the cap."""
    shot = strike.shots[0]
    mark = strike.marks[shot.at]
    facing = facing_bonus(shot.situation, strike.rules) if mark.single else 0
    return mark.defence + cover_bonus(shot.situation, "defence") + facing


@clause("AD-54", "AD-48", "AD-61", "AD-63")
def add_modifiers(tape: Tape, strike: Strike) -> Strike:
    """Add up the Dice Modifiers, after those that special rules of the weapon have laid down."""
    situation = strike.shots[0].situation
    own = (("other", situation.modifier, "AD-48"),) if situation.modifier else ()
    parts = (*strike.parts, *position_parts(situation), *own)
    return replace(strike, parts=parts, modifier=total_modifier(parts, strike.rules))


@clause("AD-7", "AD-8", "AD-9", "AD-46", "AD-49", "AD-52", "AD-70", "AD-72")
def roll_attack_dice(tape: Tape, strike: Strike) -> Strike:
    """Roll every Attack Die of the pool; automatic entries succeed without a roll."""
    assert strike.need is not None
    need, dice, modifier = strike.need, strike.dice, strike.modifier
    if strike.rules.modifier_acts_on == "dice" and need.rolls:
        dice, modifier = max(0, dice + modifier), 0
    need, modifier = shifted(need, modifier, strike.rules)
    spent = replace(strike, dice=0, need=need, modifier=modifier, parts=())
    if need.kind == "none" or not dice:
        return spent
    if need.is_automatic:
        by_hp = strike.rules.multiplier == "hp_loss" or (strike.rules.multiplier == "as_written" and need.line)
        return replace(spent, hits=dice, each=need.times) if by_hp else replace(spent, hits=dice * need.times)
    read = reading(need.need, modifier, strike.rules)
    passed = tape.pool(dice, attack_die(strike.rules), read, label="attack dice")[True]
    return replace(spent, passed=passed) if need.kind == "two" else replace(spent, hits=passed)


@clause("AD-10", "AD-71")
def roll_second_dice(tape: Tape, strike: Strike) -> Strike:
    """Dice that reached the first number of a two-stage entry are rolled again together."""
    if not strike.passed:
        return strike
    assert strike.need is not None
    read = reading(strike.need.second, strike.modifier, strike.rules)
    hits = tape.pool(strike.passed, attack_die(strike.rules), read, label="second attack dice")[True]
    return replace(strike, passed=0, hits=hits)


@clause("AD-77")
def choose_save(tape: Tape, strike: Strike) -> Strike:
    """Where only one save is allowed, the defender chooses it for the whole pool."""
    armour, aegis = _armour_left(strike), strike.marks[strike.shots[0].at].aegis
    if not strike.hits or armour is None or aegis is None:
        return strike
    # the better one comes first, because that is what a reader without a player takes
    options = ("armour", "aegis") if armour <= aegis else ("aegis", "armour")
    return replace(strike, save=tape.choose(options, by="defender", label="which save"))


@clause("AD-75", "AD-73", "AD-74", "AD-78")
def roll_armour_saves(tape: Tape, strike: Strike) -> Strike:
    """Roll an Armour Save for each success, unless AP denies it."""
    armour = _armour_left(strike)
    if armour is None or strike.save == "aegis" or not strike.hits:
        return strike
    return _roll_saves(tape, strike, armour, "armour saves")


@clause("AD-76", "AD-73", "AD-77", "AD-78")
def roll_aegis_saves(tape: Tape, strike: Strike) -> Strike:
    """Roll an AEGIS Save for each success that is left; AP does not touch it."""
    aegis = strike.marks[strike.shots[0].at].aegis
    if aegis is None or strike.save == "armour" or not strike.hits or goes_through(strike):
        return strike
    return _roll_saves(tape, strike, aegis, "aegis saves")


def _roll_saves(tape: Tape, strike: Strike, number: int, label: str) -> Strike:
    read = save_reading(number, strike.rules)
    saved = tape.pool(strike.hits, save_die(strike.rules), read, label=label)[True]
    return replace(strike, hits=strike.hits - saved)


@clause("AD-80", "AD-79", "AD-81", "AD-87")
def lose_hp(tape: Tape, strike: Strike) -> Strike:
    """Each unsaved success costs 1 HP, or its multiplier; models without HP are casualties."""
    at = strike.shots[0].at
    lost = lose(strike.marks[at].ranks, strike.lost[at], strike.hits, strike.each, strike.rules.spill)
    loss = strike.loss[at] + strike.hits * strike.each
    done = replace(strike, hits=0, each=1, need=None, modifier=0, save="both")
    return replace(done, lost=_put(strike.lost, at, lost), loss=_put(strike.loss, at, loss))


@clause("AD-82")
def next_weapon(tape: Tape, strike: Strike) -> Strike:
    """Put the weapon away; the next profile, or the next player's unit, follows."""
    return replace(strike, shots=strike.shots[1:])


ATTACK = Procedure(
    "attack",
    (
        select_weapon,
        check_range,
        compare_power,
        add_modifiers,
        roll_attack_dice,
        roll_second_dice,
        roll_armour_saves,
        roll_aegis_saves,
        lose_hp,
        next_weapon,
    ),
)
ATTACK_ONE_SAVE = Procedure("attack", (*ATTACK.stages[:6], choose_save, *ATTACK.stages[6:]))
LOOK_UP = Procedure("chart", ATTACK.stages[:6])
LOOK_UP_BARE = Procedure("chart", (*ATTACK.stages[:3], *ATTACK.stages[4:6]))


@clause("AD-58")
def armour_met(strike: Strike) -> int | None:
    """The target's Armour with cover, before AP."""
    shot = strike.shots[0]
    return armour_in_cover(strike.marks[shot.at].armour, cover_bonus(shot.situation, "armour"))


def _armour_left(strike: Strike) -> int | None:
    """The Armour Save that may be rolled now, if any."""
    armour = armour_met(strike)
    if armour is None or armour_is_denied(armour, strike.shots[0].ap) or goes_through(strike):
        return None
    return armour


@clause("AD-8")
def goes_through(strike: Strike) -> bool:
    """Automatic damage that this game lets past saves."""
    return strike.rules.auto_saves == "skipped" and strike.need is not None and strike.need.is_automatic


def _put(values: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    return (*values[:at], value, *values[at + 1 :])


# --- what people care about ------------------------------------------------------------------------------------------


@clause("AD-10", "AD-25", "AD-85")
def attack_once(tape: Tape, entry: Requirement, modifier: int, rules: Rulings) -> int:
    """The successes of one Attack that needs this entry, by itself."""
    alone = Strike(rules, (), (), (), (), dice=1, need=entry, modifier=modifier)
    after: Strike = fold((roll_attack_dice, roll_second_dice), tape, alone)
    return after.hits * after.each


@lru_cache(1024)
@clause("AD-25")
def successes(entry: Requirement, modifier: int = 0, rules: Rulings = DEFAULT) -> Odds[int]:
    """The same as odds: how likely one Attack succeeds, and what it may expect."""
    return odds_of(attack_once, entry, modifier, rules)


@clause("AD-47")
def formula_less_chart(power: int, defence: int, rules: Rulings = DEFAULT) -> Fraction:
    """How many more successes one Attack may expect by the formula than by the chart."""
    ways = (replace(rules, method="formula"), replace(rules, method="chart"))
    formula, chart = (successes(find_requirement(power, defence, way), 0, rules).mean for way in ways)
    return formula - chart


@clause("AD-80")
def fallen(strike: Strike) -> int:
    """Models that fell in this attack, of all its targets."""
    return sum(casualties(mark.ranks, lost) for mark, lost in zip(strike.marks, strike.lost, strict=True))


@clause("AD-85")
def dealt(strike: Strike) -> int:
    """HP loss dealt: 1 HP or its multiple for each unsaved success, even beyond what the targets have."""
    return sum(strike.loss)


def _hp_lost(strike: Strike) -> int:
    return sum(strike.lost) - sum(mark.wounded for mark in strike.marks)


def _wiped_out(strike: Strike) -> int:
    return int(fallen(strike) == sum(all_models(mark.ranks) for mark in strike.marks))


CASUALTIES = Measure("casualties", "Models fallen", fallen, "models")
HP_LOST = Measure("hp_lost", "HP lost", _hp_lost, "HP")
DAMAGE = Measure("damage", "HP loss dealt, with overkill", dealt, "HP")
WIPED_OUT = Measure("wiped_out", "Unit wiped out", _wiped_out)
MEASURES = (CASUALTIES, HP_LOST, DAMAGE, WIPED_OUT)
