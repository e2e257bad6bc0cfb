"""The requirement of an Attack Die: Power against Defence, by the chart or by the formula."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from battletape.rulebook import BadInput, Refused, State, clause, raise_if_refused, replace
from battletape.rulesets.attack_dice.rulings import DEFAULT, Rulings
from battletape.rulesets.attack_dice.tables import sheet


class Requirement(State, frozen=True):
    """An entry of the chart or formula: no damage, automatic (times a multiplier), one number, or two in a row."""

    kind: Literal["none", "auto", "one", "two"]
    first_number: int = 0
    second_number: int = 0
    times: int = 1
    line: str = ""  # the formula's line, where it came from there

    def __str__(self) -> str:
        return self.show()

    @property
    def is_automatic(self) -> bool:
        """An automatic entry succeeds without a roll."""
        return self.kind == "auto"

    @property
    def rolls(self) -> int:
        """The number of dice that one Attack may need."""
        return {"none": 0, "auto": 0, "one": 1, "two": 2}[self.kind]

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers that these dice must reach."""
        return (self.first_number, self.second_number)[: self.rolls]

    def show(self, top: int = 9) -> str:
        """Format the entry as printed: the chart leaves the plus off the top face and second numbers."""
        if self.kind == "none":
            return "-"
        if self.kind == "auto":
            return "A" if self.times == 1 else f"Ax{self.times}"
        plus = "+" if self.line else ""
        if self.kind == "two":
            return f"{self.first_number}/{self.second_number}{plus}"
        return f"{self.first_number}" if self.first_number == top and not self.line else f"{self.first_number}+"


@clause("AD-8", "AD-9", "AD-10", "AD-18", "AD-88")
@lru_cache(512)
def parse_requirement(text: str, line: str = "") -> Requirement:
    """Read an entry as printed: A, Ax3, 5+, 9, 9/3 or - for no damage."""
    form = re.fullmatch(r"(-)|A(?:x(\d+))?|(\d+)\+?|(\d+)/(\d+)\+?", text.strip())
    if form is None:
        raise BadInput(f"a chart entry must have a form such as A, Ax3, 5+, 9, 9/3 or -; got {text!r}", field="entry")
    none, times, number, first, second = form.groups()
    if none:
        return Requirement("none", times=0, line=line)
    if first:
        return Requirement("two", int(first), int(second), line=line)
    return (
        Requirement("one", int(number), line=line) if number else Requirement("auto", times=int(times or 1), line=line)
    )


@clause("AD-10", "AD-24", "AD-88")
def named_entry(text: str, rulings: Rulings = DEFAULT) -> Requirement:
    """Return the entry that a player names; refuse numbers that the dice of the game lack."""
    entry = parse_requirement(text)
    lowest, _, top = numbers_on(rulings.dice)
    if not all(lowest <= number <= top for number in entry.numbers) or (entry.rolls == 2 and entry.first_number != top):
        ways = f"{lowest}+ to {top}, or {top}/{lowest} to {top}/{top}"
        raise BadInput(f"an entry that is rolled must be {ways} in this game; got {text!r}", field="entry")
    return entry


def numbers_on(dice: str) -> tuple[int, int, int]:
    """Return three numbers of an Attack Die: the lowest, that of equal Power and Defence, the top face."""
    return (2, 4, 6) if dice == "d6" else (1, 5, 9)


def top_face(rulings: Rulings) -> int:
    """Return the best face of an Attack Die."""
    return numbers_on(rulings.dice)[2]


# --- the stats ------------------------------------------------------------------------------------------------------


@clause("AD-11", "AD-23", "AD-43")
def capped_stats(power: int, defence: int, rulings: Rulings = DEFAULT) -> tuple[int, int]:
    """Return Power and Defence after all bonuses, kept within 0 to 20 and 0 to 15."""
    power, defence = max(power, 0), max(defence, 0)
    if rulings.method == "formula" and rulings.formula_caps == "uncapped":
        return power, defence
    return min(power, sheet.MAX_POWER), min(defence, sheet.MAX_DEFENCE)


@clause("AD-4", "AD-69")
def find_requirement(power: int, defence: int, rulings: Rulings = DEFAULT) -> Requirement:
    """Find the entry for Power against Defence by the game's method."""
    power, defence = capped_stats(power, defence, rulings)
    return by_chart(power, defence, rulings) if rulings.method == "chart" else by_formula(power, defence, rulings)


# --- the chart ------------------------------------------------------------------------------------------------------


@lru_cache(8)
def chart(dice: str = "d10", errata: str = "printed") -> dict[tuple[int, int], str]:
    """Return all 320 cells of the chart, by Power and Defence."""
    rows = (sheet.CHART_D6 if dice == "d6" else sheet.CHART_D10).split("\n")[2:-1]
    cells = {
        (power, defence): entry for power, row in enumerate(rows, 1) for defence, entry in enumerate(row.split()[1:])
    }
    return {**cells, **sheet.CORRECTED} if errata == "corrected" and dice != "d6" else cells


@clause("AD-12", "AD-20", "AD-21", "AD-22", "AD-26")
def by_chart(power: int, defence: int, rulings: Rulings = DEFAULT) -> Requirement:
    """Look an entry up in row Power, column Defence; Power 0 has no row and follows the ruling."""
    if power:
        return parse_requirement(chart(rulings.dice, rulings.chart_errata)[power, defence])
    raise_if_refused(refuse_power(power, rulings))
    if rulings.power_zero == "diagonal":
        return parse_requirement(by_difference(power, defence, rulings.dice))
    return replace(by_formula(power, defence, rulings), line="")


@clause("AD-26")
def refuse_power(power: int, rulings: Rulings = DEFAULT) -> Refused | None:
    """Refuse Power 0 where a game by the chart forbids it."""
    if power > 0 or rulings.method == "formula" or rulings.power_zero != "forbidden":
        return None
    return Refused("the chart has no row for Power 0, and this game forbids such attacks", "AD-26")


@clause("AD-14", "AD-15", "AD-16", "AD-17", "AD-19", "AD-90")
def by_difference(power: int, defence: int, dice: str = "d10") -> str:
    """Work an entry out by the rule behind the chart, the difference of Power and Defence."""
    gap = power - defence
    if gap >= 6:
        times = (gap - 4) // 2
        return "A" if times == 1 else f"Ax{times}"
    lowest, equal, top = numbers_on(dice)
    number = max(equal - gap, lowest)
    if number < top:
        return f"{number}+"
    return f"{top}" if number == top else f"{top}/{min(number - top + lowest - 1, top)}"


@clause("AD-14", "AD-22")
def deviations(dice: str = "d10", errata: str = "printed") -> list[tuple[int, int, str, str]]:
    """Find the cells that leave their diagonal: Power, Defence, printed, demanded."""
    cells = (
        (power, defence, entry, by_difference(power, defence, dice))
        for (power, defence), entry in chart(dice, errata).items()
    )
    return [cell for cell in cells if cell[2] != cell[3]]


# --- the formula ----------------------------------------------------------------------------------------------------


@clause("AD-27", "AD-40", "AD-42", "AD-45")
def formula_line(power: int, defence: int, rulings: Rulings = DEFAULT) -> str:
    """Find the most applicable line: the most specific one that holds, unless ruled otherwise."""
    lines = lines_that_hold(power, defence, rulings)
    if rulings.most_applicable == "favourable" and power:
        return max(lines, key=lambda line: _attacker_rank(_of_line(line, power, defence, rulings)))
    return lines[0]


@clause("AD-28", "AD-30", "AD-31", "AD-32", "AD-33", "AD-34", "AD-35", "AD-36", "AD-37", "AD-38", "AD-39")
def lines_that_hold(power: int, defence: int, rulings: Rulings = DEFAULT) -> list[str]:
    """Find every line of the formula that holds, the most specific first."""
    either = rulings.threshold == "either" and max(power, defence) >= 5
    gap = power - defence
    holds = {
        "F11": defence >= 1 and power == 0,
        "F10": power >= 1 and defence == 0,
        "F1": defence >= 1 and (power >= 5 or either) and power >= 2 * defence,
        "F9": power >= 1 and (defence >= 5 or either) and defence >= 4 * power,
        "F8": power >= 1 and (defence >= 5 or either) and 3 * power <= defence < 4 * power,
        "F7": power >= 1 and (defence >= 5 or either) and 2 * power <= defence < 3 * power,
        "F2": gap >= 2,
        "F3": gap == 1,
        "F4": gap == 0,
        "F5": gap == -1,
        "F6": gap <= -2,
    }
    return [line for line, holding in holds.items() if holding]


@clause("AD-27", "AD-41", "AD-89")
def by_formula(power: int, defence: int, rulings: Rulings = DEFAULT) -> Requirement:
    """Work an entry out by the one line of the formula that applies."""
    if power == defence == 0 and rulings.zero_against_zero == "no_damage":
        return Requirement("none", times=0, line="F4")
    return _of_line(formula_line(power, defence, rulings), power, defence, rulings)


@clause("AD-29", "AD-38", "AD-45")
def multiplier(line: str, power: int, defence: int) -> int:
    """Count how many whole times Defence goes into Power; against Defence 0 that is Power itself."""
    return power if line == "F10" else power // defence


def _of_line(line: str, power: int, defence: int, rulings: Rulings) -> Requirement:
    on_d10, on_d6 = next((d10, d6) for name, _, d10, d6 in sheet.FORMULA if name == line)
    entry = parse_requirement(on_d6 if rulings.dice == "d6" else on_d10, line)
    if entry.is_automatic:
        return replace(entry, times=multiplier(line, power, defence))
    if line == "F8" and rulings.dice == "d6" and rulings.d6_triple == "4+":
        return replace(entry, second_number=4)
    return entry


def _attacker_rank(entry: Requirement) -> tuple[int, int, int]:
    """Rank an entry for the attacker, to compare lines: kinds first, then numbers."""
    order = {"none": 0, "two": 1, "one": 2, "auto": 3}
    return (order[entry.kind], entry.times if entry.is_automatic else -entry.first_number, -entry.second_number)
