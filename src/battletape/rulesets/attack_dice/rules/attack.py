"""The attack sequence: select, check range, roll Attack Dice, roll saves, lose HP, next weapon."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from battletape.cards import Measure, Odds
from battletape.rulebook import Line, Procedure, State, Tape, capital, cites, clause, fold, odds_of, plural, replace
from battletape.rulesets.attack_dice.rules import damage, melee
from battletape.rulesets.attack_dice.rules.modifiers import attack_die, attack_reading, shift_entry, total_modifier
from battletape.rulesets.attack_dice.rules.requirement import Requirement, capped_stats, find_requirement, top_face
from battletape.rulesets.attack_dice.rules.saves import armour_in_cover, armour_is_denied, save_die, save_reading
from battletape.rulesets.attack_dice.rulings import DEFAULT, Rulings
from battletape.rulesets.attack_dice.tables import sheet

Group = tuple[str, str, int, int]
"""Models that fire one weapon profile at one target: profile, target, models, Attacks of each."""


class Target(State, frozen=True):
    """A target: its stats, and its models in the order in which they fall."""

    defence: int
    ranks: damage.Ranks
    armour: int | None = None
    aegis: int | None = None
    name: str = "the target"
    hp_lost_before: int = 0  # HP its first model had lost before
    single: bool = False  # a unit that began with one model


class AttackPool(State, frozen=True):
    """A pool: all Attack Dice of one weapon profile on one target."""

    dice: int
    power: int
    ap: int | None = None
    range: int | None = None
    target_index: int = 0  # among the targets of the attack
    situation: melee.Situation = melee.Situation()
    name: str = "the weapon"
    weapon_class: str = ""
    entry: Requirement | None = None  # where a player names it, instead of comparing


class PendingAttack(State, frozen=True):
    """An attack under way: the pools still to be rolled, what the targets lost, and the pool in hand."""

    rulings: Rulings
    targets: tuple[Target, ...]
    pools: tuple[AttackPool, ...]
    hp_lost: tuple[int, ...]  # HP each target has lost
    hp_dealt: tuple[int, ...]  # HP loss dealt to it, overkill counted
    dice: int = 0
    requirement: Requirement | None = None
    modifiers: tuple[melee.DiceModifier, ...] = ()
    modifier: int = 0
    passed_first: int = 0
    hits: int = 0
    hp_each: int = 1
    saves_allowed: str = "both"


@clause("AD-81", "AD-92")
def target_of(
    name: str, defence: int, ranks: damage.Ranks, lost: int = 0, armour: int | None = None, aegis: int | None = None
) -> Target:
    """Return a unit that may have lost HP as a target: the models still standing, the wounded one first."""
    left, wounded = damage.models_left(ranks, lost)
    return Target(defence, left, armour, aegis, name, wounded, damage.is_single(ranks))


def pending_attack(rulings: Rulings, targets: Iterable[Target], pools: Iterable[AttackPool]) -> PendingAttack:
    """Return an attack before its first die."""
    all_targets = tuple(targets)
    wounds = tuple(target.hp_lost_before for target in all_targets)
    return PendingAttack(rulings, all_targets, tuple(pools), wounds, (0,) * len(all_targets))


@clause("AD-70")
def dice_of(models: int, attacks: int) -> int:
    """Return the dice of a pool: one for each Attack of each model that fires."""
    return models * attacks


@clause("AD-70", "AD-71")
def pool_sizes(groups: Iterable[Group]) -> dict[tuple[str, str], int]:
    """Return the dice of each pool, by profile and target: groups alike in both roll together."""
    dice: dict[tuple[str, str], int] = {}
    for profile, target, models, attacks in groups:
        dice[profile, target] = dice.get((profile, target), 0) + dice_of(models, attacks)
    return dice


@clause("AD-67", "AD-66", "AD-70", "AD-71")
def select_weapon(tape: Tape, pending: PendingAttack) -> PendingAttack:
    """Take the next weapon profile in hand: all its dice on one target are one pool."""
    pool = pending.pools[0]
    tape.tell(declaration_line, pool, pending.targets[pool.target_index], clause=("AD-67", "AD-70"))
    return replace(pending, dice=pool.dice)


@clause("AD-68")
def check_range(tape: Tape, pending: PendingAttack) -> PendingAttack:
    """Roll nothing and spend nothing at a target out of range or sight."""
    pool = pending.pools[0]
    refused = melee.refuse_target(pool.situation, pool.range)
    if refused is None:
        return pending
    tape.tell("Not fired: {}", refused.reason, clause=refused.clause)
    return replace(pending, dice=0)


@clause("AD-69", "AD-11", "AD-58", "AD-92")
def compare_power(tape: Tape, pending: PendingAttack) -> PendingAttack:
    """Compare Power with Defence, bonuses first and caps second."""
    requirement = requirement_met(pending)
    if pending.dice:
        tape.tell(requirement_line, pending, requirement)
    return replace(pending, requirement=requirement)


@clause("AD-69")
def requirement_met(pending: PendingAttack) -> Requirement:
    """Find what the Attack Dice in hand need: the entry a player named, or that of Power against Defence."""
    pool = pending.pools[0]
    return pool.entry or find_requirement(pool.power, defence_met(pending), pending.rulings)


@clause("AD-58", "AD-92")
def defence_met(pending: PendingAttack) -> int:
    """Return the target's Defence with cover and facing, before the cap."""
    pool = pending.pools[0]
    target = pending.targets[pool.target_index]
    facing = melee.facing_bonus(pool.situation, pending.rulings) if target.single else 0
    return target.defence + melee.cover_bonus(pool.situation, "defence") + facing


@clause("AD-54", "AD-48", "AD-61", "AD-63")
def add_modifiers(tape: Tape, pending: PendingAttack) -> PendingAttack:
    """Add up the Dice Modifiers, after those that special rules of the weapon have laid down."""
    situation = pending.pools[0].situation
    own = (("other", situation.modifier, "AD-48"),) if situation.modifier else ()
    modifiers = (*pending.modifiers, *melee.position_modifiers(situation), *own)
    modified = replace(pending, modifiers=(), modifier=total_modifier(modifiers, pending.rulings))
    if modifiers and pending.dice and pending.requirement is not None:
        tape.tell(modifier_line, modified, modifiers)
    return modified


@clause("AD-7", "AD-8", "AD-9", "AD-46", "AD-49", "AD-52", "AD-70", "AD-72")
def roll_attack_dice(tape: Tape, pending: PendingAttack) -> PendingAttack:
    """Roll every Attack Die of the pool; automatic entries succeed without a roll."""
    assert pending.requirement is not None
    requirement, dice, modifier = pending.requirement, pending.dice, pending.modifier
    if pending.rulings.modifier_acts_on == "dice" and requirement.rolls:
        dice, modifier = max(0, dice + modifier), 0
    requirement, modifier = shift_entry(requirement, modifier, pending.rulings)
    spent = replace(pending, dice=0, requirement=requirement, modifier=modifier)
    if requirement.kind == "none" or not dice:
        return spent
    if requirement.is_automatic:
        by_hp = pending.rulings.multiplier == "hp_loss" or (
            pending.rulings.multiplier == "as_written" and requirement.line
        )
        hits, each = (dice, requirement.times) if by_hp else (dice * requirement.times, 1)
        tape.tell(automatic_line, hits, each, clause=("AD-8", "AD-9"))
        return replace(spent, hits=hits, hp_each=each)
    read = attack_reading(requirement.first_number, modifier, pending.rulings)
    passed = tape.pool(dice, attack_die(pending.rulings), read, label="attack dice")[True]
    return replace(spent, passed_first=passed) if requirement.kind == "two" else replace(spent, hits=passed)


@clause("AD-10", "AD-71")
def roll_second_dice(tape: Tape, pending: PendingAttack) -> PendingAttack:
    """Return dice that reached the first number of a two-stage entry are rolled again together."""
    if not pending.passed_first:
        return pending
    assert pending.requirement is not None
    read = attack_reading(pending.requirement.second_number, pending.modifier, pending.rulings)
    hits = tape.pool(pending.passed_first, attack_die(pending.rulings), read, label="second attack dice")[True]
    return replace(pending, passed_first=0, hits=hits)


@clause("AD-77")
def choose_save(tape: Tape, pending: PendingAttack) -> PendingAttack:
    """Let the defender choose one save for the whole pool, where only one is allowed."""
    armour, aegis = _armour_left(pending), pending.targets[pending.pools[0].target_index].aegis
    if not pending.hits or armour is None or aegis is None:
        return pending
    # the better one comes first, because that is what a reader without a player takes
    options = ("armour", "aegis") if armour <= aegis else ("aegis", "armour")
    return replace(pending, saves_allowed=tape.choose(options, by="defender", label="which save"))


@clause("AD-75", "AD-73", "AD-74", "AD-78")
def roll_armour_saves(tape: Tape, pending: PendingAttack) -> PendingAttack:
    """Roll an Armour Save for each success, unless AP denies it."""
    if not pending.hits:
        return pending
    armour = armour_met(pending)
    if bypasses_saves(pending):
        tape.tell("Automatic damage goes past saves", clause="AD-8")
    elif armour is not None and armour_is_denied(armour, pending.pools[0].ap):
        tape.tell(denial_line, armour, pending.pools[0], clause="AD-74")
    elif armour is not None and pending.saves_allowed != "aegis":
        return _roll_saves(tape, pending, armour, "armour saves")
    return pending


@clause("AD-76", "AD-73", "AD-77", "AD-78")
def roll_aegis_saves(tape: Tape, pending: PendingAttack) -> PendingAttack:
    """Roll an AEGIS Save for each success that is left; AP does not touch it."""
    aegis = pending.targets[pending.pools[0].target_index].aegis
    if aegis is None or pending.saves_allowed == "armour" or not pending.hits or bypasses_saves(pending):
        return pending
    return _roll_saves(tape, pending, aegis, "aegis saves")


def _roll_saves(tape: Tape, pending: PendingAttack, number: int, label: str) -> PendingAttack:
    read = save_reading(number, pending.rulings)
    saved = tape.pool(pending.hits, save_die(pending.rulings), read, label=label, by="defender")[True]
    return replace(pending, hits=pending.hits - saved)


@clause("AD-80", "AD-79", "AD-81", "AD-87")
def lose_hp(tape: Tape, pending: PendingAttack) -> PendingAttack:
    """Take 1 HP, or its multiplier, for each unsaved success; models without HP are casualties."""
    at = pending.pools[0].target_index
    lost = damage.hp_lost_after(
        pending.targets[at].ranks, pending.hp_lost[at], pending.hits, pending.hp_each, pending.rulings.spill
    )
    tape.tell(losses_line, pending.targets[at], pending.hp_lost[at], lost, clause=("AD-79", "AD-80"))
    loss = pending.hp_dealt[at] + pending.hits * pending.hp_each
    done = replace(pending, hits=0, hp_each=1, requirement=None, modifier=0, saves_allowed="both")
    return replace(done, hp_lost=_put(pending.hp_lost, at, lost), hp_dealt=_put(pending.hp_dealt, at, loss))


@clause("AD-82")
def next_weapon(tape: Tape, pending: PendingAttack) -> PendingAttack:
    """Put the weapon away; the next profile, or the next player's unit, follows."""
    return replace(pending, pools=pending.pools[1:])


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
cites("AD-66", "AD-86", where=f"{__name__}.ATTACK")
ATTACK_ONE_SAVE = Procedure("attack", (*ATTACK.stages[:6], choose_save, *ATTACK.stages[6:]))
LOOK_UP = Procedure("chart", ATTACK.stages[:6])
LOOK_UP_BARE = Procedure("chart", (*ATTACK.stages[:3], *ATTACK.stages[4:6]))


@clause("AD-58")
def armour_met(pending: PendingAttack) -> int | None:
    """Return the target's Armour with cover, before AP."""
    pool = pending.pools[0]
    return armour_in_cover(pending.targets[pool.target_index].armour, melee.cover_bonus(pool.situation, "armour"))


def _armour_left(pending: PendingAttack) -> int | None:
    """Return the Armour Save that may be rolled now, if any."""
    armour = armour_met(pending)
    if armour is None or armour_is_denied(armour, pending.pools[0].ap) or bypasses_saves(pending):
        return None
    return armour


@clause("AD-8")
def bypasses_saves(pending: PendingAttack) -> bool:
    """Return whether the hits are automatic damage that this game lets past saves."""
    return (
        pending.rulings.auto_saves == "skipped" and pending.requirement is not None and pending.requirement.is_automatic
    )


def _put(values: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    return (*values[:at], value, *values[at + 1 :])


# --- lines of the log ------------------------------------------------------------------------------------------------


def declaration_line(pool: AttackPool, target: Target) -> str:
    """Name the weapon, its target and its dice."""
    return f"{capital(pool.name)} at {target.name}: {attack_dice(pool.dice)}"


def attack_dice(number: int) -> str:
    """Write a number of Attack Dice."""
    return "1 Attack Die" if number == 1 else f"{number:,} Attack Dice"


def power_against_defence(pending: PendingAttack) -> str:
    """Name Power and Defence as they count, or the entry that a player named."""
    pool = pending.pools[0]
    if pool.entry is not None:
        return f"An entry of {pool.entry.show(top_face(pending.rulings))}"
    power, defence = capped_stats(pool.power, defence_met(pending), pending.rulings)
    return f"Power {power} against Defence {defence}"


def requirement_line(pending: PendingAttack, requirement: Requirement) -> Line:
    """Say what the dice need, and by which line of the book."""
    rulings, text, needed = pending.rulings, power_against_defence(pending), requirement.show(top_face(pending.rulings))
    by_chart = rulings.method == "chart"
    line = f" ({requirement.line}: {_when(requirement.line)})" if requirement.line else ""
    if requirement.kind == "none":
        return Line(f"{text}: no damage{line}", ("AD-26" if by_chart else "AD-39",), needed=needed)
    if requirement.is_automatic:
        times = f", times {requirement.times}" if requirement.times > 1 else ""
        return Line(f"{text}: automatic{times}{line}", ("AD-8" if by_chart else "AD-41",), needed=needed)
    if pending.pools[0].entry:
        return Line(text, ("AD-88",) if rulings.dice == "d6" else ("AD-25",), needed=needed)
    on_d10, on_d6 = ("AD-13", "AD-90") if by_chart else ("AD-27", "AD-89")
    return Line(f"{text} by the {rulings.method}{line}", (on_d6 if rulings.dice == "d6" else on_d10,), needed=needed)


def _when(line: str) -> str:
    """Find the condition of a line of the formula."""
    return next(when for name, when, _, _ in sheet.FORMULA if name == line)


def modifier_line(pending: PendingAttack, modifiers: tuple[melee.DiceModifier, ...]) -> Line:
    """Say the Dice Modifiers one by one, and what they do to the dice or to their requirement."""
    assert pending.requirement is not None
    text = "Dice Modifiers: " + ", ".join(f"{name.replace('_', ' ')} {amount:+d}" for name, amount, _ in modifiers)
    clauses = tuple(by for _, _, by in modifiers)
    if not pending.requirement.rolls:
        return Line(f"{text}; nothing is rolled, so they change nothing", (*clauses, "AD-52"))
    if pending.rulings.modifier_acts_on == "dice":
        text += f"; {attack_dice(max(0, pending.dice + pending.modifier))} in all"
    elif (moved := shift_entry(pending.requirement, pending.modifier, pending.rulings)[0]) != pending.requirement:
        top = top_face(pending.rulings)
        text += f"; {pending.requirement.show(top)} becomes {moved.show(top)}"
    return Line(text, clauses, needed=f"{pending.modifier:+d}")


def automatic_line(hits: int, each: int) -> str:
    """Say how many successes come without a roll."""
    successes = "1 automatic success" if hits == 1 else f"{hits:,} automatic successes"
    return successes + (f" of {each} HP each" if each > 1 else "")


def denial_line(armour: int, pool: AttackPool) -> str:
    """Say that AP denies the Armour Save."""
    return f"Armour {armour}+ is denied by AP {pool.ap}+"


def losses_line(target: Target, before: int, after: int) -> Line:
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


# --- measures --------------------------------------------------------------------------------------------------------


@clause("AD-10", "AD-25", "AD-85")
def attack_once(tape: Tape, entry: Requirement, modifier: int, rulings: Rulings) -> int:
    """Roll one Attack that needs this entry, and return its successes."""
    alone = PendingAttack(rulings, (), (), (), (), dice=1, requirement=entry, modifier=modifier)
    after: PendingAttack = fold((roll_attack_dice, roll_second_dice), tape, alone)
    return after.hits * after.hp_each


@lru_cache(1024)
@clause("AD-25")
def successes(entry: Requirement, modifier: int = 0, rulings: Rulings = DEFAULT) -> Odds[int]:
    """Work out the odds of the successes of one Attack."""
    return odds_of(attack_once, entry, modifier, rulings)


@clause("AD-47")
def formula_less_chart(power: int, defence: int, rulings: Rulings = DEFAULT) -> Fraction:
    """Compare the mean successes of one Attack: by the formula, less those by the chart."""
    ways = (replace(rulings, method="formula"), replace(rulings, method="chart"))
    formula, chart = (successes(find_requirement(power, defence, way), 0, rulings).mean for way in ways)
    return formula - chart


@clause("AD-80")
def casualties_of(pending: PendingAttack) -> int:
    """Count the models that fell in this attack, of all its targets."""
    return sum(
        damage.casualties(target.ranks, lost) for target, lost in zip(pending.targets, pending.hp_lost, strict=True)
    )


@clause("AD-85")
def damage_dealt(pending: PendingAttack) -> int:
    """Add up the HP loss dealt: 1 HP or its multiple for each unsaved success, overkill included."""
    return sum(pending.hp_dealt)


def _hp_lost(pending: PendingAttack) -> int:
    return sum(pending.hp_lost) - sum(target.hp_lost_before for target in pending.targets)


def _wiped_out(pending: PendingAttack) -> int:
    return int(casualties_of(pending) == sum(damage.all_models(target.ranks) for target in pending.targets))


CASUALTIES = Measure("casualties", "Models fallen", casualties_of, "models")
HP_LOST = Measure("hp_lost", "HP lost", _hp_lost, "HP")
DAMAGE = Measure("damage", "HP loss dealt, with overkill", damage_dealt, "HP")
WIPED_OUT = Measure("wiped_out", "Unit wiped out", _wiped_out)
MEASURES = (CASUALTIES, HP_LOST, DAMAGE, WIPED_OUT)
