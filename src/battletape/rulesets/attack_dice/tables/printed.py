"""The tables that a player may look at: chart and formula, what modifiers and Melees do, what is usual."""

from __future__ import annotations

from battletape.cards import Table
from battletape.rulesets.attack_dice.rules.attack import PendingAttack, defence_met, formula_less_chart, successes
from battletape.rulesets.attack_dice.rules.keywords import PLAIN_CLASSES, modifier_of
from battletape.rulesets.attack_dice.rules.melee import Situation
from battletape.rulesets.attack_dice.rules.modifiers import attack_die
from battletape.rulesets.attack_dice.rules.requirement import (
    capped_stats,
    deviations,
    find_requirement,
    parse_requirement,
    top_face,
)
from battletape.rulesets.attack_dice.rulings import DEFAULT, Rulings
from battletape.rulesets.attack_dice.tables import sheet


def chart_table(rulings: Rulings = DEFAULT, start: PendingAttack | None = None) -> Table:
    """Return the whole chart, or the formula worked out as one, with the cell that answers."""
    lowest = 1 if rulings.method == "chart" else 0
    powers, columns = range(lowest, sheet.MAX_POWER + 1), range(sheet.MAX_DEFENCE + 1)
    rows = []
    for power in powers:
        cells = (find_requirement(power, defence, rulings).show(top_face(rulings)) for defence in columns)
        rows.append((f"{power}+" if power == sheet.MAX_POWER else f"{power}", *cells))
    die = attack_die(rulings)
    which = "D6, derived and provisional" if rulings.dice == "d6" else f"{die.name} of {die.note}"
    title = f"Attack Dice {rulings.method}, Power down, Defence across ({which})"
    head = ("P \\ D", *(f"{defence}+" if defence == sheet.MAX_DEFENCE else f"{defence}" for defence in columns))
    answer = None
    if start is not None and start.pools[0].entry is None:
        power, defence = capped_stats(start.pools[0].power, defence_met(start), rulings)
        answer = (power - lowest, defence + 1) if power in powers and defence in columns else None
    by = "AD-44" if rulings.method == "formula" else "AD-90" if rulings.dice == "d6" else "AD-13"
    return Table(title, head, tuple(rows), by, answer)


def printed_tables() -> tuple[Table, ...]:
    """Return every table of the system."""
    formula = tuple((line, when, d10, d6) for line, when, d10, d6 in sheet.FORMULA)
    ladder = tuple((f"{d6}+", f"{d10}+") for d6, d10 in sheet.SAVE_ON_D10.items())
    printed = ("A", *sheet.LADDER_D10, "-")
    entries = tuple((entry, str(successes(parse_requirement(entry)).at_least(1))) for entry in printed)
    classes = tuple(f"{name} weapon" for name in PLAIN_CLASSES)
    return (
        chart_table(),
        chart_table(Rulings(dice="d6")),
        chart_table(Rulings(method="formula")),
        Table("Attack Dice formula", ("line", "when", "D10", "D6"), formula, "AD-27"),
        Table(f"Success chance of each entry on a {attack_die().description}", ("entry", "chance"), entries, "AD-25"),
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
    """Return the cells of both charts that the difference of Power and Defence would fill otherwise."""
    head = ("dice", "Power", "Defence", "chart", "by the difference")
    rows = [(dice.upper(), *map(str, cell)) for dice in ("d10", "d6") for cell in deviations(dice)]
    return Table("Where the chart leaves its own rule", head, tuple(rows), "AD-14")


def _methods_table() -> Table:
    """Compare formula and chart cell by cell: by which one Attack may expect more."""
    powers, columns = range(1, sheet.MAX_POWER + 1), range(sheet.MAX_DEFENCE + 1)
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
    """Return the usual ranges of profiles, for warnings only."""
    usual = (("Defence", sheet.USUAL_DEFENCE), ("HP of a model", sheet.USUAL_HP))
    rows = (
        (stat, f"{low} to {high}" if low < high else f"{low}", of) for stat, ranges in usual for low, high, of in ranges
    )
    return Table("What is usual", ("stat", "value", "of"), tuple(rows), "AD-93")


def _melee_rows() -> tuple[tuple[str, ...], ...]:
    """Return every combination of units in a Melee, with the modifier for each class of weapon."""
    places = (("", "", False), ("", "1", False), ("", "1", True), ("1", "1", False), ("1", "", False))
    rows = []
    for attacker, target, friend in (*places, ("1", "2", False), ("1", "2", True)):
        where = Situation(attacker_melee=attacker, target_melee=target, friend_in_target_melee=friend)
        names = (f"in Melee {attacker}" if attacker else "free", f"in Melee {target}" if target else "free")
        classes = ("", *PLAIN_CLASSES)
        amounts = (f"{modifier_of(weapon_class, where):+d}" for weapon_class in classes)
        rows.append((*names, "yes" if friend else "no", *amounts))
    return tuple(rows)
