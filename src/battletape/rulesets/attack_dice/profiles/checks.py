"""Checks of profiles: mistakes, and what is unusual."""

from __future__ import annotations

from collections.abc import Iterable

from battletape.cards import ProfileBook
from battletape.rulebook import clause, nearest
from battletape.rulesets.attack_dice.rulings import DEFAULT, Rulings
from battletape.rulesets.attack_dice.tables import sheet


def check_carried(book: ProfileBook) -> list[str]:
    """Return an error for every weapon that a unit carries and that does not exist."""
    weapons = {name.lower() for name in book.entries["weapon"]}
    errors: list[str] = []
    for unit in book.entries["unit"].values():
        for carried in unit.weapons:
            if carried.name.lower() not in weapons:
                like = nearest(carried.name, book.entries["weapon"])
                hint = f" Did you mean {like!r}?" if like else ""
                unknown = f"weapons: there is no weapon {carried.name!r}.{hint}"
                errors.append(book.fault("unit", unit.name, unknown, key="weapons"))
    return errors


@clause("AD-93", "AD-90")
def unusual_warnings(powers: Iterable[int], defence: int, hp: int, rulings: Rulings = DEFAULT) -> list[str]:
    """Warn of numbers outside the usual ranges; a warning is never a refusal."""
    capped = rulings.method == "chart" or rulings.formula_caps == "capped"
    over = [power for power in powers if capped and power > sheet.MAX_POWER]
    warnings = [f"Power {power} counts as {sheet.MAX_POWER}" for power in dict.fromkeys(over)]
    if capped and defence > sheet.MAX_DEFENCE:
        warnings.append(f"Defence {defence} counts as {sheet.MAX_DEFENCE}")
    elif defence >= sheet.USUAL_DEFENCE[-1][0]:
        low, high, kind = sheet.USUAL_DEFENCE[-2]
        warnings.append(f"Defence {defence} is extreme; {kind} have {low} or {high}")
    if hp > sheet.USUAL_HP[-1][1]:
        warnings.append(f"{hp} HP is more than even large things usually have")
    if rulings.dice == "d6":
        warnings.append("The D6 numbers are our own derivation and provisional; the printed D6 sheet may differ")
    return warnings
