"""The attack sequence: select, check range, roll Attack Dice, roll saves, lose HP, next weapon."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

import msgspec

from battletape.cards import Measure, Odds
from battletape.rulebook import Line, Procedure, Tape, capital, clause, fold, odds_of, plural, replace
from battletape.rulesets.attack_dice.rules import damage, melee
from battletape.rulesets.attack_dice.rules.modifiers import attack_die, reading, shifted, total_modifier
from battletape.rulesets.attack_dice.rules.requirement import Requirement, effective, find_requirement, top_face
from battletape.rulesets.attack_dice.rules.saves import armour_in_cover, armour_is_denied, save_die, save_reading
from battletape.rulesets.attack_dice.rulings import DEFAULT, Rulings
from battletape.rulesets.attack_dice.tables import sheet

Group = tuple[str, str, int, int]
"""Models that fire one weapon profile at one target: profile, target, models, Attacks of each."""


class Target(msgspec.Struct, frozen=True, cache_hash=True):
    """A target: its stats and its models in the order they fall."""

    defence: int
    ranks: damage.Ranks
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
    target_index: int = 0  # which target
    situation: melee.Situation = melee.Situation()
    name: str = "the weapon"
    weapon_class: str = ""
    entry: Requirement | None = None  # where a player names it, instead of comparing


class Strike(msgspec.Struct, frozen=True, cache_hash=True):
    """An attack under way: what is still to be fired, what the targets lost, and the pool in hand."""

    rules: Rulings
    targets: tuple[Target, ...]
    shots: tuple[Shot, ...]
    lost: tuple[int, ...]  # HP each target has lost
    loss: tuple[int, ...]  # HP loss dealt to it, overkill counted
    dice: int = 0
    requirement: Requirement | None = None
    parts: tuple[melee.Part, ...] = ()
    modifier: int = 0
    passed: int = 0
    hits: int = 0
    each: int = 1
    save: str = "both"


@clause("AD-81", "AD-92")
def target_of(
    name: str, defence: int, ranks: damage.Ranks, lost: int = 0, armour: int | None = None, aegis: int | None = None
) -> Target:
    """A unit that has already lost some HP, as a target: the models still standing, the wounded one first."""
    left, wounded = damage.models_left(ranks, lost)
    return Target(defence, left, armour, aegis, name, wounded, damage.is_single(ranks))


def strike_with(rules: Rulings, targets: Iterable[Target], shots: Iterable[Shot]) -> Strike:
    """Return an attack before its first die."""
    all_targets = tuple(targets)
    wounds = tuple(target.wounded for target in all_targets)
    return Strike(rules, all_targets, tuple(shots), wounds, (0,) * len(all_targets))


@clause("AD-70")
def dice_of(models: int, attacks: int) -> int:
    """One die for each Attack of each model that fires."""
    return models * attacks


@clause("AD-70", "AD-71")
def pools(groups: Iterable[Group]) -> dict[tuple[str, str], int]:
    """The dice of each pool: groups (profile, target, models, attacks each) alike in both names roll together."""
    dice: dict[tuple[str, str], int] = {}
    for profile, target, models, attacks in groups:
        dice[profile, target] = dice.get((profile, target), 0) + dice_of(models, attacks)
    return dice


@clause("AD-67", "AD-66", "AD-70", "AD-71")
def select_weapon(tape: Tape, strike: Strike) -> Strike:
    """Take the next weapon profile in hand: all its dice on one target are one pool."""
    shot = strike.shots[0]
    tape.tell(declared, shot, strike.targets[shot.target_index], clause=("AD-67", "AD-70"))
    return replace(strike, dice=shot.dice)


@clause("AD-68")
def check_range(tape: Tape, strike: Strike) -> Strike:
    """Out of range or sight nothing is rolled and nothing is spent."""
    shot = strike.shots[0]
    refused = melee.refuse_target(shot.situation, shot.range)
    if refused is None:
        return strike
    tape.tell("Not fired: {}", refused.reason, clause=refused.clause)
    return replace(strike, dice=0)


@clause("AD-69", "AD-11", "AD-58", "AD-92")
def compare_power(tape: Tape, strike: Strike) -> Strike:
    """Compare Power with Defence, bonuses first and caps second."""
    requirement = entry_met(strike)
    if strike.dice:
        tape.tell(compared, strike, requirement)
    return replace(strike, requirement=requirement)


@clause("AD-69")
def entry_met(strike: Strike) -> Requirement:
    """Find what the Attack Dice in hand need: the entry a player named, or that of Power against Defence."""
    shot = strike.shots[0]
    return shot.entry or find_requirement(shot.power, defence_met(strike), strike.rules)


@clause("AD-58", "AD-92")
def defence_met(strike: Strike) -> int:
    """The target's Defence with cover and facing, before the cap."""
    shot = strike.shots[0]
    target = strike.targets[shot.target_index]
    facing = melee.facing_bonus(shot.situation, strike.rules) if target.single else 0
    return target.defence + melee.cover_bonus(shot.situation, "defence") + facing


@clause("AD-54", "AD-48", "AD-61", "AD-63")
def add_modifiers(tape: Tape, strike: Strike) -> Strike:
    """Add up the Dice Modifiers, after those that special rules of the weapon have laid down."""
    situation = strike.shots[0].situation
    own = (("other", situation.modifier, "AD-48"),) if situation.modifier else ()
    parts = (*strike.parts, *melee.position_parts(situation), *own)
    modified = replace(strike, parts=(), modifier=total_modifier(parts, strike.rules))
    if parts and strike.dice and strike.requirement is not None:
        tape.tell(added_up, modified, parts)
    return modified


@clause("AD-7", "AD-8", "AD-9", "AD-46", "AD-49", "AD-52", "AD-70", "AD-72")
def roll_attack_dice(tape: Tape, strike: Strike) -> Strike:
    """Roll every Attack Die of the pool; automatic entries succeed without a roll."""
    assert strike.requirement is not None
    need, dice, modifier = strike.requirement, strike.dice, strike.modifier
    if strike.rules.modifier_acts_on == "dice" and need.rolls:
        dice, modifier = max(0, dice + modifier), 0
    need, modifier = shifted(need, modifier, strike.rules)
    spent = replace(strike, dice=0, requirement=need, modifier=modifier)
    if need.kind == "none" or not dice:
        return spent
    if need.is_automatic:
        by_hp = strike.rules.multiplier == "hp_loss" or (strike.rules.multiplier == "as_written" and need.line)
        hits, each = (dice, need.times) if by_hp else (dice * need.times, 1)
        tape.tell(automatic, hits, each, clause=("AD-8", "AD-9"))
        return replace(spent, hits=hits, each=each)
    read = reading(need.need, modifier, strike.rules)
    passed = tape.pool(dice, attack_die(strike.rules), read, label="attack dice")[True]
    return replace(spent, passed=passed) if need.kind == "two" else replace(spent, hits=passed)


@clause("AD-10", "AD-71")
def roll_second_dice(tape: Tape, strike: Strike) -> Strike:
    """Dice that reached the first number of a two-stage entry are rolled again together."""
    if not strike.passed:
        return strike
    assert strike.requirement is not None
    read = reading(strike.requirement.second, strike.modifier, strike.rules)
    hits = tape.pool(strike.passed, attack_die(strike.rules), read, label="second attack dice")[True]
    return replace(strike, passed=0, hits=hits)


@clause("AD-77")
def choose_save(tape: Tape, strike: Strike) -> Strike:
    """Let the defender choose one save for the whole pool, where only one is allowed."""
    armour, aegis = _armour_left(strike), strike.targets[strike.shots[0].target_index].aegis
    if not strike.hits or armour is None or aegis is None:
        return strike
    # the better one comes first, because that is what a reader without a player takes
    options = ("armour", "aegis") if armour <= aegis else ("aegis", "armour")
    return replace(strike, save=tape.choose(options, by="defender", label="which save"))


@clause("AD-75", "AD-73", "AD-74", "AD-78")
def roll_armour_saves(tape: Tape, strike: Strike) -> Strike:
    """Roll an Armour Save for each success, unless AP denies it."""
    if not strike.hits:
        return strike
    armour = armour_met(strike)
    if bypasses_saves(strike):
        tape.tell("Automatic damage goes past saves", clause="AD-8")
    elif armour is not None and armour_is_denied(armour, strike.shots[0].ap):
        tape.tell(denial, armour, strike.shots[0], clause="AD-74")
    elif armour is not None and strike.save != "aegis":
        return _roll_saves(tape, strike, armour, "armour saves")
    return strike


@clause("AD-76", "AD-73", "AD-77", "AD-78")
def roll_aegis_saves(tape: Tape, strike: Strike) -> Strike:
    """Roll an AEGIS Save for each success that is left; AP does not touch it."""
    aegis = strike.targets[strike.shots[0].target_index].aegis
    if aegis is None or strike.save == "armour" or not strike.hits or bypasses_saves(strike):
        return strike
    return _roll_saves(tape, strike, aegis, "aegis saves")


def _roll_saves(tape: Tape, strike: Strike, number: int, label: str) -> Strike:
    read = save_reading(number, strike.rules)
    saved = tape.pool(strike.hits, save_die(strike.rules), read, label=label, by="defender")[True]
    return replace(strike, hits=strike.hits - saved)


@clause("AD-80", "AD-79", "AD-81", "AD-87")
def lose_hp(tape: Tape, strike: Strike) -> Strike:
    """Each unsaved success costs 1 HP, or its multiplier; models without HP are casualties."""
    at = strike.shots[0].target_index
    lost = damage.lose(strike.targets[at].ranks, strike.lost[at], strike.hits, strike.each, strike.rules.spill)
    tape.tell(losses, strike.targets[at], strike.lost[at], lost, clause=("AD-79", "AD-80"))
    loss = strike.loss[at] + strike.hits * strike.each
    done = replace(strike, hits=0, each=1, requirement=None, modifier=0, save="both")
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
    return armour_in_cover(strike.targets[shot.target_index].armour, melee.cover_bonus(shot.situation, "armour"))


def _armour_left(strike: Strike) -> int | None:
    """The Armour Save that may be rolled now, if any."""
    armour = armour_met(strike)
    if armour is None or armour_is_denied(armour, strike.shots[0].ap) or bypasses_saves(strike):
        return None
    return armour


@clause("AD-8")
def bypasses_saves(strike: Strike) -> bool:
    """Automatic damage that this game lets past saves."""
    return strike.rules.auto_saves == "skipped" and strike.requirement is not None and strike.requirement.is_automatic


def _put(values: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    return (*values[:at], value, *values[at + 1 :])


# --- what is told ----------------------------------------------------------------------------------------------------


def declared(shot: Shot, target: Target) -> str:
    """Name the weapon, its target and its dice."""
    return f"{capital(shot.name)} at {target.name}: {attack_dice(shot.dice)}"


def attack_dice(number: int) -> str:
    """Write a number of Attack Dice."""
    return "1 Attack Die" if number == 1 else f"{number:,} Attack Dice"


def versus(strike: Strike) -> str:
    """Name Power and Defence as they count, or the entry that a player named."""
    shot = strike.shots[0]
    if shot.entry is not None:
        return f"An entry of {shot.entry.show(top_face(strike.rules))}"
    power, defence = effective(shot.power, defence_met(strike), strike.rules)
    return f"Power {power} against Defence {defence}"


def compared(strike: Strike, need: Requirement) -> Line:
    """Say what the dice need, and by which line of the book."""
    rules, text, needed = strike.rules, versus(strike), need.show(top_face(strike.rules))
    by_chart = rules.method == "chart"
    line = f" ({need.line}: {_when(need.line)})" if need.line else ""
    if need.kind == "none":
        return Line(f"{text}: no damage{line}", ("AD-26" if by_chart else "AD-39",), needed=needed)
    if need.is_automatic:
        times = f", times {need.times}" if need.times > 1 else ""
        return Line(f"{text}: automatic{times}{line}", ("AD-8" if by_chart else "AD-41",), needed=needed)
    if strike.shots[0].entry:
        return Line(text, ("AD-88",) if rules.dice == "d6" else ("AD-25",), needed=needed)
    on_d10, on_d6 = ("AD-13", "AD-90") if by_chart else ("AD-27", "AD-89")
    return Line(f"{text} by the {rules.method}{line}", (on_d6 if rules.dice == "d6" else on_d10,), needed=needed)


def _when(line: str) -> str:
    """Find the condition of a line of the formula."""
    return next(when for name, when, _, _ in sheet.FORMULA if name == line)


def added_up(strike: Strike, parts: tuple[melee.Part, ...]) -> Line:
    """The Dice Modifiers one by one, and what they do to the dice or to what these need."""
    assert strike.requirement is not None
    text = "Dice Modifiers: " + ", ".join(f"{name.replace('_', ' ')} {amount:+d}" for name, amount, _ in parts)
    clauses = tuple(by for _, _, by in parts)
    if not strike.requirement.rolls:
        return Line(f"{text}; nothing is rolled, so they change nothing", (*clauses, "AD-52"))
    if strike.rules.modifier_acts_on == "dice":
        text += f"; {attack_dice(max(0, strike.dice + strike.modifier))} in all"
    elif (moved := shifted(strike.requirement, strike.modifier, strike.rules)[0]) != strike.requirement:
        top = top_face(strike.rules)
        text += f"; {strike.requirement.show(top)} becomes {moved.show(top)}"
    return Line(text, clauses, needed=f"{strike.modifier:+d}")


def automatic(hits: int, each: int) -> str:
    """Successes without a roll."""
    successes = "1 automatic success" if hits == 1 else f"{hits:,} automatic successes"
    return successes + (f" of {each} HP each" if each > 1 else "")


def denial(armour: int, shot: Shot) -> str:
    """Say that AP denies the Armour Save."""
    return f"Armour {armour}+ is denied by AP {shot.ap}+"


def losses(target: Target, before: int, after: int) -> Line:
    """Say how many HP a target lost, and how many models fell."""
    lost = after - before
    if not lost:
        return Line("No HP lost", ("AD-79",))
    fell = damage.casualties(target.ranks, after) - damage.casualties(target.ranks, before)
    left = damage.all_models(target.ranks) - damage.casualties(target.ranks, after)
    wounded = damage.wounded_hp(target.ranks, after)
    text = f"{plural(fell, 'model')} of {target.name} {'falls' if fell == 1 else 'fall'}" if fell else ""
    if not left:
        text += ", and the unit is gone"
    elif wounded:
        text += f", one is left with {wounded} HP" if fell else f"one model of {target.name} is left with {wounded} HP"
    return Line(f"{lost} HP lost: {text}", result=f"{lost} HP")


# --- what people care about ------------------------------------------------------------------------------------------


@clause("AD-10", "AD-25", "AD-85")
def attack_once(tape: Tape, entry: Requirement, modifier: int, rules: Rulings) -> int:
    """The successes of one Attack that needs this entry, by itself."""
    alone = Strike(rules, (), (), (), (), dice=1, requirement=entry, modifier=modifier)
    after: Strike = fold((roll_attack_dice, roll_second_dice), tape, alone)
    return after.hits * after.each


@lru_cache(1024)
@clause("AD-25")
def successes(entry: Requirement, modifier: int = 0, rules: Rulings = DEFAULT) -> Odds[int]:
    """Work out the odds of the successes of one Attack."""
    return odds_of(attack_once, entry, modifier, rules)


@clause("AD-47")
def formula_less_chart(power: int, defence: int, rules: Rulings = DEFAULT) -> Fraction:
    """Compare the mean successes of one Attack: by the formula, less those by the chart."""
    ways = (replace(rules, method="formula"), replace(rules, method="chart"))
    formula, chart = (successes(find_requirement(power, defence, way), 0, rules).mean for way in ways)
    return formula - chart


@clause("AD-80")
def casualties_of(strike: Strike) -> int:
    """Models that fell in this attack, of all its targets."""
    return sum(damage.casualties(target.ranks, lost) for target, lost in zip(strike.targets, strike.lost, strict=True))


@clause("AD-85")
def damage_dealt(strike: Strike) -> int:
    """HP loss dealt: 1 HP or its multiple for each unsaved success, even beyond what the targets have."""
    return sum(strike.loss)


def _hp_lost(strike: Strike) -> int:
    return sum(strike.lost) - sum(target.wounded for target in strike.targets)


def _wiped_out(strike: Strike) -> int:
    return int(casualties_of(strike) == sum(damage.all_models(target.ranks) for target in strike.targets))


CASUALTIES = Measure("casualties", "Models fallen", casualties_of, "models")
HP_LOST = Measure("hp_lost", "HP lost", _hp_lost, "HP")
DAMAGE = Measure("damage", "HP loss dealt, with overkill", damage_dealt, "HP")
WIPED_OUT = Measure("wiped_out", "Unit wiped out", _wiped_out)
MEASURES = (CASUALTIES, HP_LOST, DAMAGE, WIPED_OUT)
