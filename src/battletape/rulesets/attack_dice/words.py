"""Sentences people read: headlines and results."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import TYPE_CHECKING

from battletape.cards import Lead, Line, percent
from battletape.rulebook import Stage, capital, plural, replace
from battletape.rulesets.attack_dice.rules.attack import Shot, Strike, armour_met, denial, entry_met, versus
from battletape.rulesets.attack_dice.rules.damage import all_models
from battletape.rulesets.attack_dice.rules.keywords import modifier_of
from battletape.rulesets.attack_dice.rules.modifiers import shifted
from battletape.rulesets.attack_dice.rules.requirement import (
    Requirement,
    top_face,
)
from battletape.rulesets.attack_dice.rules.saves import armour_is_denied
from battletape.rulesets.attack_dice.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer, Roll

NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def in_words(number: int) -> str:
    """Small numbers as words."""
    return NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"


def casualties_headline(answer: Answer) -> str:
    """Say in one sentence how many models fall."""
    start: Strike = answer.start
    models = _models(answer)
    odds = answer.odds("casualties")
    if models == 1:
        lost = float(answer.odds("hp_lost").mean)
        falls = f"{capital(start.targets[0].name)} falls {percent(odds.at_least(1))} of the time"
        return f"{falls}; {_short(lost)} HP lost on average."
    if odds.chance(0) == 1:
        return f"None of {models:,} models falls."
    if odds.chance(models) == 1:
        return f"All {models:,} models fall."
    if len(odds) == 1:
        (sure,) = odds
        return f"{capital(in_words(sure))} of {models:,} models {'falls' if sure == 1 else 'fall'}."
    mean = float(odds.mean)
    at = min(max(1, ceil(mean)), models)
    more = f"all {models}" if at == models else f"{in_words(at)} or more"
    return f"{_short(mean)} of {models} models fall on average; {percent(odds.at_least(at))} for {more}."


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
    start: Strike = roll.played.stages[0][1]
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
        who = f"{fell} of {models:,} models {'falls' if fell == 1 else 'fall'}, " if fell else ""
        fate = f"{who}{lost} HP lost"
    return f"{caused}: {fate}."


def chart_result(roll: Roll) -> str:
    """Say if the one Attack succeeded."""
    got = roll.results["successes"]
    return "The Attack fails." if not got else f"The Attack succeeds{f', times {got}' if got > 1 else ''}."


def chart_headline(answer: Answer) -> str:
    """Say what an Attack Die needs, and how often that comes up."""
    start: Strike = answer.start
    shot = start.shots[0]
    need = entry_met(start)
    meets = versus(start)
    if need.kind == "none":
        return f"{meets} does no damage."
    if need.is_automatic:
        times = f", times {need.times}" if need.times > 1 else ""
        return f"{meets} succeeds automatically{times}."
    odds = answer.odds("successes").at_least(1)
    needs = need.show(top_face(start.rules)) + _modified(need, shot, start.rules)
    needed = f"An entry of {needs}" if shot.entry else f"{meets} needs {needs}"
    return f"{needed}: {percent(odds)} of Attacks succeed."


def _modified(need: Requirement, shot: Shot, rules: Rulings) -> str:
    """Say in a few words what Dice Modifiers do to an entry."""
    modifier = modifier_of(shot.weapon_class, shot.situation, rules)
    if not modifier or rules.modifier_acts_on == "dice":
        return ""
    moved = shifted(need, modifier, rules)[0]
    return f" with {modifier:+d}" + (f", which makes {moved.show(top_face(rules))}" if moved != need else "")


def _name(stage: Stage) -> str:
    return getattr(stage, "__name__", "")


def stops(start: Strike) -> Iterable[Line]:
    """Say where AP denies the Armour Save; saves that are rolled are steps of their own."""
    for shot in dict.fromkeys(start.shots):
        alone = replace(start, shots=(shot,))
        armour = armour_met(alone)
        if armour is not None and armour_is_denied(armour, shot.ap):
            who = f"{capital(shot.name)}: " if len(start.shots) > 1 else ""
            yield Line(f"{who}{denial(armour, shot)}", ("AD-74",), needed="no save")


def _short(number: float) -> str:
    return f"{number:.1f}" if number >= 0.05 else f"{number:.2f}"
