"""Sentences people read: headlines, the log and the steps."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import TYPE_CHECKING, Any

from battletape.cards import Lead, Line, percent
from battletape.rulebook import Stage, capital, plural, replace
from battletape.rulesets.attack_dice.rules.attack import Shot, Strike, armour_met, defence_met, entry_met, goes_through
from battletape.rulesets.attack_dice.rules.damage import all_models, casualties, wounded_hp
from battletape.rulesets.attack_dice.rules.keywords import modifier_of
from battletape.rulesets.attack_dice.rules.melee import refuse_target
from battletape.rulesets.attack_dice.rules.modifiers import shifted
from battletape.rulesets.attack_dice.rules.requirement import (
    Requirement,
    effective,
    top_face,
)
from battletape.rulesets.attack_dice.rules.saves import armour_is_denied
from battletape.rulesets.attack_dice.rulings import Rulings
from battletape.rulesets.attack_dice.tables import sheet

if TYPE_CHECKING:
    from battletape.answer import Answer, Roll

NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def in_words(number: int) -> str:
    """Small numbers as words."""
    return NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"


def casualties_headline(answer: Answer) -> str:
    """How many models fall, in one sentence."""
    start: Strike = answer.start
    models = _models(answer)
    odds = answer.odds("casualties")
    if models == 1:
        lost = float(answer.odds("hp_lost").mean)
        falls = f"{capital(start.marks[0].name)} falls {percent(odds.at_least(1))} of the time"
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
    return sum(all_models(mark.ranks) for mark in answer.start.marks)


CASUALTIES_LEAD = (
    Lead(
        "casualties",
        lambda answer: f"of the time {answer.start.marks[0].name} falls",
        holds=lambda fallen: fallen >= 1,
        when=lambda answer: _models(answer) == 1,
    ),
    Lead("casualties", lambda answer: f"of {plural(_models(answer), 'model')} fall on average"),
)
"""What the table asks first: how many fall, or how often the only one does."""


def attack_result(roll: Roll) -> str:
    """What came of an attack: hits and saves, then who falls."""
    start: Strike = roll.played.stages[0][1]
    models = sum(all_models(mark.ranks) for mark in start.marks)
    fell, lost = roll.results["casualties"], roll.results["hp_lost"]
    saved = roll.came("armour saves", "aegis saves")[True]
    hits = saved + sum(before.hits for stage, before, *_ in roll.played.stages if _name(stage) == "lose_hp")
    caused = plural(hits, "hit") + (f", {saved} saved" if saved else "")
    if not lost:
        return f"{caused}: nothing gets through." if hits else "Not a single hit."
    if models == 1:
        fate = f"{start.marks[0].name} falls" if fell else f"{start.marks[0].name} loses {lost} HP"
    elif fell == models:
        fate = f"all {models:,} models fall"
    else:
        who = f"{fell} of {models:,} models {'falls' if fell == 1 else 'fall'}, " if fell else ""
        fate = f"{who}{lost} HP lost"
    return f"{caused}: {fate}."


def chart_result(roll: Roll) -> str:
    """Whether the one Attack Die succeeded."""
    got = roll.results["successes"]
    return "The Attack fails." if not got else f"The Attack succeeds{f', times {got}' if got > 1 else ''}."


def chart_headline(answer: Answer) -> str:
    """What is needed, and how often it comes up."""
    start: Strike = answer.start
    shot = start.shots[0]
    need = entry_met(start)
    versus = _versus(start)
    if need.kind == "none":
        return f"{versus} does no damage."
    if need.is_automatic:
        times = f", times {need.times}" if need.times > 1 else ""
        return f"{versus} succeeds automatically{times}."
    odds = answer.odds("successes").at_least(1)
    needs = need.show(top_face(start.rules)) + _modified(need, shot, start.rules)
    needed = f"An entry of {needs}" if shot.entry else f"{versus} needs {needs}"
    return f"{needed}: {percent(odds)} of Attacks succeed."


def _versus(strike: Strike) -> str:
    """What meets what: Power and Defence as they count, or the entry that a player named."""
    shot = strike.shots[0]
    if shot.entry is not None:
        return f"An entry of {shot.entry.show(top_face(strike.rules))}"
    power, defence = effective(shot.power, defence_met(strike), strike.rules)
    return f"Power {power} against Defence {defence}"


def _modified(need: Requirement, shot: Shot, rules: Rulings) -> str:
    """What Dice Modifiers do to an entry, in a few words."""
    modifier = modifier_of(shot.weapon_class, shot.situation, rules)
    if not modifier or rules.modifier_acts_on == "dice":
        return ""
    moved = shifted(need, modifier, rules)[0]
    return f" with {modifier:+d}" + (f", which makes {moved.show(top_face(rules))}" if moved != need else "")


def narrate(stage: Stage, before: Any, after: Any) -> Iterable[Line]:
    """What a stage did, told from the states before and after it."""
    tell = _TELLERS.get(_name(stage))
    return tell(before, after) if tell else ()


def _name(stage: Stage) -> str:
    return getattr(stage, "__name__", "")


def _select(before: Strike, after: Strike) -> Iterable[Line]:
    shot = before.shots[0]
    yield Line(f"{capital(shot.name)} at {before.marks[shot.at].name}: {_dice(shot.dice)}", ("AD-67", "AD-70"))


def _range(before: Strike, after: Strike) -> Iterable[Line]:
    shot = before.shots[0]
    refused = refuse_target(shot.situation, shot.range)
    if refused:
        yield Line(f"Not fired: {refused.reason}", (refused.clause,))


def _compare(before: Strike, after: Strike) -> Iterable[Line]:
    rules = before.rules
    if not before.dice:
        return
    assert after.need is not None
    need, text = after.need.show(top_face(rules)), _versus(before)
    line = f" ({after.need.line}: {_when(after.need.line)})" if after.need.line else ""
    if after.need.kind == "none":
        yield Line(f"{text}: no damage{line}", ("AD-26",) if rules.method == "chart" else ("AD-39",), needed=need)
    elif after.need.is_automatic:
        times = f", times {after.need.times}" if after.need.times > 1 else ""
        by = ("AD-8",) if rules.method == "chart" else ("AD-41",)
        yield Line(f"{text}: automatic{times}{line}", by, needed=need)
    elif before.shots[0].entry:
        yield Line(text, ("AD-88",) if rules.dice == "d6" else ("AD-25",), needed=need)
    else:
        on_d10, on_d6 = ("AD-13", "AD-90") if rules.method == "chart" else ("AD-27", "AD-89")
        yield Line(f"{text} by the {rules.method}{line}", (on_d6 if rules.dice == "d6" else on_d10,), needed=need)


def _when(line: str) -> str:
    """When a line of the formula holds."""
    return next(when for name, when, _, _ in sheet.FORMULA if name == line)


def _modifiers(before: Strike, after: Strike) -> Iterable[Line]:
    if not after.parts or not after.dice or after.need is None:
        return
    text = "Dice Modifiers: " + ", ".join(f"{name.replace('_', ' ')} {amount:+d}" for name, amount, _ in after.parts)
    clauses = tuple(by for _, _, by in after.parts)
    if not after.need.rolls:
        yield Line(f"{text}; nothing is rolled, so they change nothing", (*clauses, "AD-52"))
        return
    if after.rules.modifier_acts_on == "dice":
        text += f"; {_dice(max(0, after.dice + after.modifier))} in all"
    elif (moved := shifted(after.need, after.modifier, after.rules)[0]) != after.need:
        top = top_face(after.rules)
        text += f"; {after.need.show(top)} becomes {moved.show(top)}"
    yield Line(text, clauses, needed=f"{after.modifier:+d}")


def _automatic(before: Strike, after: Strike) -> Iterable[Line]:
    if after.need is not None and after.need.is_automatic and before.dice:
        successes = "1 automatic success" if after.hits == 1 else f"{after.hits:,} automatic successes"
        each = f" of {after.each} HP each" if after.each > 1 else ""
        yield Line(successes + each, ("AD-8", "AD-9"))


def _denied(before: Strike, after: Strike) -> Iterable[Line]:
    shot = before.shots[0]
    if before.hits and goes_through(before):
        yield Line("Automatic damage goes past saves", ("AD-8",))
        return
    armour = armour_met(before)
    if before.hits and armour is not None and armour_is_denied(armour, shot.ap):
        yield Line(_denial(armour, shot), ("AD-74",))


def stops(start: Strike) -> Iterable[Line]:
    """Why Armour does not help against a weapon; saves that are rolled speak for themselves."""
    for shot in dict.fromkeys(start.shots):
        alone = replace(start, shots=(shot,))
        armour = armour_met(alone)
        if armour is not None and armour_is_denied(armour, shot.ap):
            who = f"{capital(shot.name)}: " if len(start.shots) > 1 else ""
            yield Line(f"{who}{_denial(armour, shot)}", ("AD-74",), needed="no save")


def _denial(armour: int, shot: Shot) -> str:
    return f"Armour {armour}+ is denied by AP {shot.ap}+"


def _lose(before: Strike, after: Strike) -> Iterable[Line]:
    at = before.shots[0].at
    mark = before.marks[at]
    lost = after.lost[at] - before.lost[at]
    if not lost:
        yield Line("No HP lost", ("AD-79",))
        return
    fell = casualties(mark.ranks, after.lost[at]) - casualties(mark.ranks, before.lost[at])
    left = all_models(mark.ranks) - casualties(mark.ranks, after.lost[at])
    wounded = wounded_hp(mark.ranks, after.lost[at])
    text = f"{plural(fell, 'model')} of {mark.name} {'falls' if fell == 1 else 'fall'}" if fell else ""
    if not left:
        text += ", and the unit is gone"
    elif wounded:
        text += f", one is left with {wounded} HP" if fell else f"one model of {mark.name} is left with {wounded} HP"
    yield Line(f"{lost} HP lost: {text}", ("AD-79", "AD-80"), result=f"{lost} HP")


_TELLERS = {
    "select_weapon": _select,
    "check_range": _range,
    "compare_power": _compare,
    "add_modifiers": _modifiers,
    "roll_attack_dice": _automatic,
    "roll_armour_saves": _denied,
    "lose_hp": _lose,
}


def _dice(number: int) -> str:
    return "1 Attack Die" if number == 1 else f"{number:,} Attack Dice"


def _short(number: float) -> str:
    return f"{number:.1f}" if number >= 0.05 else f"{number:.2f}"
