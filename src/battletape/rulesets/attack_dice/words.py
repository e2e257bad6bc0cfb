"""Sentences people read: headlines, the log and the steps."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import TYPE_CHECKING, Any

from battletape.log import Line
from battletape.odds import percent
from battletape.procedure import Stage
from battletape.rulesets.attack_dice import tables
from battletape.rulesets.attack_dice.attack import Strike, defence_met, goes_through
from battletape.rulesets.attack_dice.damage import Ranks, all_models, casualties, standing
from battletape.rulesets.attack_dice.keywords import KEYWORDS, melee_effects
from battletape.rulesets.attack_dice.melee import Situation, cover_bonus, refuse_target
from battletape.rulesets.attack_dice.modifiers import chance, shifted
from battletape.rulesets.attack_dice.requirement import (
    Requirement,
    effective,
    find_requirement,
    parse_requirement,
    top_face,
)
from battletape.rulesets.attack_dice.rulings import DEFAULT, Rulings
from battletape.rulesets.attack_dice.saves import armour_in_cover, armour_is_denied
from battletape.system import Table

if TYPE_CHECKING:
    from battletape.answer import Answer

NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def in_words(number: int) -> str:
    """Small numbers as words."""
    return NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"


def plural(number: int, word: str) -> str:
    """One model, two models."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def casualties_headline(answer: Answer) -> str:
    """The number people want first: how many fall."""
    start: Strike = answer.start
    models = sum(all_models(mark.ranks) for mark in start.marks)
    odds = answer.odds("casualties")
    if models == 1:
        lost = float(answer.odds("hp_lost").mean)
        falls = f"{_capital(start.marks[0].name)} falls {percent(odds.at_least(1))} of the time"
        return f"{falls}; {_short(lost)} HP lost on average."
    if odds.chance(0) == 1:
        return f"None of {models:,} models falls."
    if odds.chance(models) == 1:
        return f"All {models:,} models fall."
    mean = float(odds.mean)
    at = min(max(1, ceil(mean)), models)
    more = f"all {models}" if at == models else f"{in_words(at)} or more"
    return f"{_short(mean)} of {models} models fall on average; {percent(odds.at_least(at))} for {more}."


def chart_headline(answer: Answer) -> str:
    """What is needed, and how often it comes up."""
    start: Strike = answer.start
    shot = start.shots[0]
    defence = defence_met(start)
    power, shown = effective(shot.power, defence, start.rules)
    need = find_requirement(shot.power, defence, start.rules)
    versus = f"Power {power} against Defence {shown}"
    if need.kind == "none":
        return f"{versus} does no damage."
    if need.is_automatic:
        times = f", times {need.times}" if need.times > 1 else ""
        return f"{versus} succeeds automatically{times}."
    odds = answer.odds("successes").at_least(1)
    needs = (
        f"{need.show(top_face(start.rules))}{_modified(need, answer.inputs.weapon_class, shot.situation, start.rules)}"
    )
    return f"{versus} needs {needs}: {percent(odds)} of Attacks succeed."


def _modified(need: Requirement, weapon_class: str, situation: Situation, rules: Rulings) -> str:
    """What Dice Modifiers do to an entry, in a few words."""
    modifier = melee_effects(weapon_class, situation, rules).modifier
    if not modifier or rules.modifier_acts_on == "dice":
        return ""
    moved = shifted(need, modifier, rules)[0]
    return f" with {modifier:+d}" + (f", which makes {moved.show(top_face(rules))}" if moved != need else "")


def narrate(stage: Stage, before: Any, after: Any) -> Iterable[Line]:
    """What a stage did, told from the states before and after it."""
    tell = _TELLERS.get(getattr(stage, "__name__", ""))
    return tell(before, after) if tell else ()


def _select(before: Strike, after: Strike) -> Iterable[Line]:
    shot = before.shots[0]
    yield Line(f"{_capital(shot.name)} at {before.marks[shot.at].name}: {_dice(shot.dice)}", ("AD-67", "AD-70"))


def _range(before: Strike, after: Strike) -> Iterable[Line]:
    shot = before.shots[0]
    refused = refuse_target(shot.situation, shot.range)
    if refused:
        yield Line(f"Not fired: {refused.reason}", (refused.clause,))


def _compare(before: Strike, after: Strike) -> Iterable[Line]:
    shot, rules = before.shots[0], before.rules
    if not before.dice:
        return
    power, defence = effective(shot.power, defence_met(before), rules)
    assert after.need is not None
    need = after.need.show(top_face(rules))
    text = f"Power {power} against Defence {defence}"
    if after.need.kind == "none":
        yield Line(f"{text}: no damage", ("AD-26",) if rules.method == "chart" else ("AD-39",), needed=need)
    elif after.need.is_automatic:
        times = f", times {after.need.times}" if after.need.times > 1 else ""
        by = ("AD-8",) if rules.method == "chart" else ("AD-41",)
        yield Line(f"{text}: automatic{times}", by, needed=need)
    else:
        on_d10, on_d6 = ("AD-13", "AD-90") if rules.method == "chart" else ("AD-27", "AD-89")
        yield Line(f"{text} by the {rules.method}", (on_d6 if rules.dice == "d6" else on_d10,), needed=need)


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
    armour = armour_in_cover(before.marks[shot.at].armour, cover_bonus(shot.situation, "armour"))
    if before.hits and armour is not None and armour_is_denied(armour, shot.ap):
        yield Line(f"Armour {armour}+ is denied by AP {shot.ap}+", ("AD-74",))


def _lose(before: Strike, after: Strike) -> Iterable[Line]:
    at = before.shots[0].at
    mark = before.marks[at]
    lost = after.lost[at] - before.lost[at]
    if not lost:
        yield Line("No HP lost", ("AD-79",))
        return
    fell = casualties(mark.ranks, after.lost[at]) - casualties(mark.ranks, before.lost[at])
    left = all_models(mark.ranks) - casualties(mark.ranks, after.lost[at])
    wounded = _wounded(mark.ranks, after.lost[at])
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


def chart_table(rules: Rulings = DEFAULT, start: Strike | None = None) -> Table:
    """The whole chart, or the formula worked out as one, with the cell that answers."""
    lowest = 1 if rules.method == "chart" else 0
    powers, columns = range(lowest, tables.MAX_POWER + 1), range(tables.MAX_DEFENCE + 1)
    rows = []
    for power in powers:
        cells = (find_requirement(power, defence, rules).show(top_face(rules)) for defence in columns)
        rows.append((f"{power}+" if power == tables.MAX_POWER else f"{power}", *cells))
    die = "D6, derived and provisional" if rules.dice == "d6" else "D10"
    title = f"Attack Dice {rules.method}, Power down, Defence across ({die})"
    head = ("P \\ D", *(f"{defence}+" if defence == tables.MAX_DEFENCE else f"{defence}" for defence in columns))
    mark = None
    if start is not None:
        power, defence = effective(start.shots[0].power, defence_met(start), rules)
        mark = (power - lowest, defence + 1) if power in powers and defence in columns else None
    by = "AD-44" if rules.method == "formula" else "AD-90" if rules.dice == "d6" else "AD-13"
    return Table(title, head, tuple(rows), by, mark)


def printed_tables() -> tuple[Table, ...]:
    """Every table of the system."""
    formula = tuple((line, when, d10, d6) for line, when, d10, d6 in tables.FORMULA)
    ladder = tuple((f"{d6}+", f"{d10}+") for d6, d10 in tables.SAVE_ON_D10.items())
    entries = tuple((entry, str(chance(parse_requirement(entry)))) for entry in ("A", *tables.LADDER_D10, "-"))
    classes = tuple(f"{keyword.name} weapon" for keyword in KEYWORDS)
    return (
        chart_table(),
        chart_table(Rulings(dice="d6")),
        chart_table(Rulings(method="formula")),
        Table("Attack Dice formula", ("line", "when", "D10", "D6"), formula, "AD-27"),
        Table("Success chance of each D10 entry", ("entry", "chance"), entries, "AD-25"),
        Table("Saves and AP on a D10", ("D6 number", "D10 number"), ladder, "AD-83"),
        Table(
            "Dice Modifiers by Melee",
            ("attacker", "target", "friend there", "other weapon", *classes),
            _melee_rows(),
            "AD-64",
        ),
    )


def _melee_rows() -> tuple[tuple[str, ...], ...]:
    """Every combination of who is in a Melee, with the modifier for each class of weapon."""
    places = (("", "", False), ("", "1", False), ("", "1", True), ("1", "1", False), ("1", "", False))
    rows = []
    for attacker, target, friend in (*places, ("1", "2", False), ("1", "2", True)):
        where = Situation(attacker_melee=attacker, target_melee=target, friend_in_target_melee=friend)
        names = (f"in Melee {attacker}" if attacker else "free", f"in Melee {target}" if target else "free")
        classes = ("", *(keyword.name for keyword in KEYWORDS))
        amounts = (f"{melee_effects(one, where).modifier:+d}" for one in classes)
        rows.append((*names, "yes" if friend else "no", *amounts))
    return tuple(rows)


def _wounded(ranks: Ranks, lost: int) -> int:
    """The HP of a wounded model, 0 if none is wounded."""
    left, wound = standing(ranks, lost)
    return left[0][1] - wound if wound else 0


def _dice(number: int) -> str:
    return "1 Attack Die" if number == 1 else f"{number:,} Attack Dice"


def _short(number: float) -> str:
    return f"{number:.1f}" if number >= 0.05 else f"{number:.2f}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
