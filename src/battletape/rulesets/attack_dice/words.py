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
from battletape.rulesets.attack_dice.modifiers import attack_die, chance, formula_less_chart, shifted
from battletape.rulesets.attack_dice.requirement import (
    Requirement,
    deviations,
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
    need = shot.entry or find_requirement(shot.power, defence_met(start), start.rules)
    versus = _versus(start)
    if need.kind == "none":
        return f"{versus} does no damage."
    if need.is_automatic:
        times = f", times {need.times}" if need.times > 1 else ""
        return f"{versus} succeeds automatically{times}."
    odds = answer.odds("successes").at_least(1)
    needs = (
        f"{need.show(top_face(start.rules))}{_modified(need, answer.inputs.weapon_class, shot.situation, start.rules)}"
    )
    needed = f"An entry of {needs}" if shot.entry else f"{versus} needs {needs}"
    return f"{needed}: {percent(odds)} of Attacks succeed."


def _versus(strike: Strike) -> str:
    """What meets what: Power and Defence as they count, or the entry that a player named."""
    shot = strike.shots[0]
    if shot.entry is not None:
        return f"An entry of {shot.entry.show(top_face(strike.rules))}"
    power, defence = effective(shot.power, defence_met(strike), strike.rules)
    return f"Power {power} against Defence {defence}"


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
    return next(when for name, when, _, _ in tables.FORMULA if name == line)


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
    die = attack_die(rules)
    which = "D6, derived and provisional" if rules.dice == "d6" else f"{die.name} of {die.note}"
    title = f"Attack Dice {rules.method}, Power down, Defence across ({which})"
    head = ("P \\ D", *(f"{defence}+" if defence == tables.MAX_DEFENCE else f"{defence}" for defence in columns))
    mark = None
    if start is not None and start.shots[0].entry is None:
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
        Table(f"Success chance of each entry on a {attack_die().told}", ("entry", "chance"), entries, "AD-25"),
        _leaving_table(),
        _methods_table(),
        Table("Saves and AP on a D10", ("D6 number", "D10 number"), ladder, "AD-83"),
        Table(
            "Dice Modifiers by Melee",
            ("attacker", "target", "friend there", "other weapon", *classes),
            _melee_rows(),
            "AD-64",
        ),
        _usual_table(),
    )


def _leaving_table() -> Table:
    """The cells of both charts that their own rule, the difference of Power and Defence, would fill otherwise."""
    head = ("dice", "Power", "Defence", "chart", "by the difference")
    rows = [(dice.upper(), *map(str, cell)) for dice in ("d10", "d6") for cell in deviations(dice)]
    return Table("Where the chart leaves its own rule", head, tuple(rows), "AD-14")


def _methods_table() -> Table:
    """Cell by cell, whether one attack may expect more by the formula or by the chart."""
    powers, columns = range(1, tables.MAX_POWER + 1), range(tables.MAX_DEFENCE + 1)
    gaps = [[formula_less_chart(power, defence) for defence in columns] for power in powers]
    cells = [gap for row in gaps for gap in row]
    more, less = sum(gap > 0 for gap in cells), sum(gap < 0 for gap in cells)
    title = (
        f"Formula against chart: one Attack may expect more by the formula in {more} cells (+), "
        f"by the chart in {less} (-)"
    )
    signs = (["+" if gap > 0 else "-" if gap < 0 else "=" for gap in row] for row in gaps)
    rows = ((str(power), *row) for power, row in zip(powers, signs, strict=True))
    return Table(title, ("P \\ D", *map(str, columns)), tuple(rows), "AD-47")


def _usual_table() -> Table:
    """What profiles usually have; for warnings only."""
    usual = (("Defence", tables.USUAL_DEFENCE), ("HP of a model", tables.USUAL_HP))
    rows = (
        (stat, f"{low} to {high}" if low < high else f"{low}", of) for stat, ranges in usual for low, high, of in ranges
    )
    return Table("What is usual", ("stat", "value", "of"), tuple(rows), "AD-93")


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
