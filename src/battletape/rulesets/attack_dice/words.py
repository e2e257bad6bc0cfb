"""Sentences people read: headlines and results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from battletape.cards import Lead, Line, percent
from battletape.rulebook import Stage, capital, plural, replace
from battletape.rulesets.attack_dice.rules import attack
from battletape.rulesets.attack_dice.rules.damage import all_models
from battletape.rulesets.attack_dice.rules.keywords import modifier_of
from battletape.rulesets.attack_dice.rules.modifiers import shift_entry
from battletape.rulesets.attack_dice.rules.requirement import (
    Requirement,
    top_face,
)
from battletape.rulesets.attack_dice.rules.saves import armour_is_denied
from battletape.rulesets.attack_dice.rulings import Rulings
from battletape.words import average_casualties, mean_text, number_in_words

if TYPE_CHECKING:
    from battletape.answer import Answer, Roll


def casualties_headline(answer: Answer) -> str:
    """Say in one sentence how many models fall."""
    start: attack.PendingAttack = answer.start
    models = _models(answer)
    odds = answer.odds("casualties")
    if models == 1:
        lost = float(answer.odds("hp_lost").mean)
        falls = f"{capital(start.targets[0].name)} falls {percent(odds.at_least(1))} of the time"
        return f"{falls}; {mean_text(lost)} HP lost on average."
    if odds.chance(0) == 1:
        return f"None of {models:,} models falls."
    if odds.chance(models) == 1:
        return f"All {models:,} models fall."
    if len(odds) == 1:
        (sure,) = odds
        return f"{capital(number_in_words(sure))} of {models:,} models {'falls' if sure == 1 else 'fall'}."
    return average_casualties(float(odds.mean), models, lambda fallen: percent(odds.at_least(fallen)))


def _models(answer: Answer) -> int:
    return sum(all_models(target.ranks) for target in answer.start.targets)


CASUALTIES_LEAD = (
    Lead(
        "casualties",
        lambda answer: f"of the time {answer.start.targets[0].name} falls",
        holds=lambda fallen: fallen >= 1,
        when=lambda answer: _models(answer) == 1,
    ),
    Lead("casualties", lambda answer: f"of {plural(_models(answer), 'model')} fall on average"),
)
"""What the table asks first: how many fall, or how often the only one does."""


def attack_result(roll: Roll) -> str:
    """Say what came of an attack: hits and saves, then casualties."""
    start: attack.PendingAttack = roll.played.stages[0][1]
    models = sum(all_models(target.ranks) for target in start.targets)
    fell, lost = roll.results["casualties"], roll.results["hp_lost"]
    saved = roll.came("armour saves", "aegis saves")[True]
    hits = saved + sum(before.hits for stage, before, *_ in roll.played.stages if _name(stage) == "lose_hp")
    caused = plural(hits, "hit") + (f", {saved} saved" if saved else "")
    if not lost:
        return f"{caused}: nothing gets through." if hits else "Not a single hit."
    if models == 1:
        fate = f"{start.targets[0].name} falls" if fell else f"{start.targets[0].name} loses {lost} HP"
    elif fell == models:
        fate = f"all {models:,} models fall"
    else:
        fallen = f"{fell} of {models:,} models {'falls' if fell == 1 else 'fall'}, " if fell else ""
        fate = f"{fallen}{lost} HP lost"
    return f"{caused}: {fate}."


def chart_result(roll: Roll) -> str:
    """Say if the one Attack succeeded."""
    successes = roll.results["successes"]
    return (
        "The Attack fails."
        if not successes
        else f"The Attack succeeds{f', times {successes}' if successes > 1 else ''}."
    )


def chart_headline(answer: Answer) -> str:
    """Say what an Attack Die needs, and how often that comes up."""
    start: attack.PendingAttack = answer.start
    pool = start.pools[0]
    requirement = attack.requirement_met(start)
    meets = attack.power_against_defence(start)
    if requirement.kind == "none":
        return f"{meets} does no damage."
    if requirement.is_automatic:
        times = f", times {requirement.times}" if requirement.times > 1 else ""
        return f"{meets} succeeds automatically{times}."
    odds = answer.odds("successes").at_least(1)
    needs = requirement.show(top_face(start.rulings)) + _modified(requirement, pool, start.rulings)
    needed = f"An entry of {needs}" if pool.entry else f"{meets} needs {needs}"
    return f"{needed}: {percent(odds)} of Attacks succeed."


def _modified(requirement: Requirement, pool: attack.AttackPool, rulings: Rulings) -> str:
    """Say in a few words what Dice Modifiers do to an entry."""
    modifier = modifier_of(pool.weapon_class, pool.situation, rulings)
    if not modifier or rulings.modifier_acts_on == "dice":
        return ""
    moved = shift_entry(requirement, modifier, rulings)[0]
    return f" with {modifier:+d}" + (f", which makes {moved.show(top_face(rulings))}" if moved != requirement else "")


def _name(stage: Stage) -> str:
    return getattr(stage, "__name__", "")


def denied_save_lines(start: attack.PendingAttack) -> Iterable[Line]:
    """Say where AP denies the Armour Save; saves that are rolled are steps of their own."""
    for pool in dict.fromkeys(start.pools):
        alone = replace(start, pools=(pool,))
        armour = attack.armour_met(alone)
        if armour is not None and armour_is_denied(armour, pool.ap):
            whose = f"{capital(pool.name)}: " if len(start.pools) > 1 else ""
            yield Line(f"{whose}{attack.denial_line(armour, pool)}", ("AD-74",), needed="no save")
