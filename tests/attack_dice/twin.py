"""A second way to every number: plain loops over the faces of every die, written without the ruleset's code.

An entry is ("none",), ("auto", k) or ("roll", need) or ("roll", top, second). Models are a plain list of their HP.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

Entry = tuple[Any, ...]
NONE: Entry = ("none",)


class Weapon(NamedTuple):
    attacks: int
    power: int
    ap: int | None = None


class Target(NamedTuple):
    defence: int
    hp: tuple[int, ...]  # of every model, the first one to fall first
    armour: int | None = None
    aegis: int | None = None


class Game(NamedTuple):
    attack_sides: int = 10
    save_sides: int = 10
    method: str = "chart"
    corrected: bool = False
    policy: str = "strict"
    spill: bool = True


# --- what an attack needs ---------------------------------------------------------------------------------------------


def capped(power: int, defence: int) -> tuple[int, int]:
    return min(20, max(0, power)), min(15, max(0, defence))


def by_chart(power: int, defence: int, sides: int = 10, corrected: bool = False) -> Entry:
    """The rule of the difference, the floor of column 0 and the one misprint."""
    power, defence = capped(power, defence)
    if power == 0:
        return ("roll", 5 if sides == 10 else 4) if defence == 0 else NONE
    if (power, defence, sides, corrected) == (19, 15, 10, False):
        return ("roll", 2)
    gap = power - defence
    if gap >= 6:
        return ("auto", (gap - 4) // 2)
    if defence == 0:
        return ("auto", 1)
    if sides == 10:
        need = {5: 1, 4: 1, 3: 2, 2: 3, 1: 4, 0: 5, -1: 6, -2: 7, -3: 8, -4: 9}.get(gap)
        return ("roll", need) if need else ("roll", 9, min(9, -gap - 4))
    need = {5: 2, 4: 2, 3: 2, 2: 2, 1: 3, 0: 4, -1: 5, -2: 6}.get(gap)
    return ("roll", need) if need else ("roll", 6, min(6, -gap - 1))


def by_formula(power: int, defence: int, sides: int = 10) -> Entry:
    """The lines of the sheet, the most specific first."""
    power, defence = capped(power, defence)
    ladder = {2: 1, 1: 3, 0: 5, -1: 7, -2: 9} if sides == 10 else {2: 2, 1: 3, 0: 4, -1: 5, -2: 6}
    seconds = {2: 3, 3: 6, 4: 9} if sides == 10 else {2: 3, 3: 5, 4: 6}
    if power == 0:
        return ("roll", ladder[0]) if defence == 0 else NONE
    if defence == 0:
        return ("auto", power)
    if power >= 5 and Fraction(power, defence) >= 2:
        return ("auto", int(Fraction(power, defence)))
    if defence >= 5 and Fraction(defence, power) >= 2:
        return ("roll", ladder[-2], seconds[min(4, int(Fraction(defence, power)))])
    return ("roll", ladder[max(-2, min(2, power - defence))])


def find_entry(power: int, defence: int, game: Game) -> Entry:
    if game.method == "chart":
        return by_chart(power, defence, game.attack_sides, game.corrected)
    return by_formula(power, defence, game.attack_sides)


def shown(entry: Entry, game: Game) -> str:
    """As the vectors print it: the chart leaves the plus off the top face and off second numbers."""
    if entry == NONE:
        return "-"
    if entry[0] == "auto":
        return "A" if entry[1] == 1 else f"Ax{entry[1]}"
    plus = "+" if game.method == "formula" else ""
    if len(entry) == 3:
        return f"{entry[1]}/{entry[2]}{plus}"
    top = 9 if game.attack_sides == 10 else 6
    return f"{entry[1]}{plus}" if entry[1] == top else f"{entry[1]}+"


def moved(entry: Entry, modifier: int, sides: int) -> Entry:
    """The entry so many rungs up or down the ladder: on a D10 rungs 1-9 are single numbers, 10-18 two rolls."""
    if entry[0] != "roll":
        return entry
    low, top = (1, 9) if sides == 10 else (2, 6)
    singles = top - low + 1
    rung = entry[1] - low + 1 if len(entry) == 2 else singles + entry[2] - low + 1
    rung = max(1, min(2 * singles, rung - modifier))
    return ("roll", rung + low - 1) if rung <= singles else ("roll", top, rung - singles + low - 1)


# --- dice, face by face -----------------------------------------------------------------------------------------------


def faces(sides: int) -> range:
    return range(10) if sides == 10 else range(1, 7)


def passes(face: int, need: int, modifier: int, sides: int, policy: str) -> bool:
    """The lowest face fails; under natural_max the highest passes; otherwise the sum decides."""
    if face == faces(sides)[0]:
        return False
    if policy == "natural_max" and face == faces(sides)[-1]:
        return True
    return face + modifier >= need


def hit_chance(entry: Entry, modifier: int, game: Game) -> Fraction:
    if entry[0] != "roll":
        return Fraction(entry[0] == "auto")
    if game.policy == "spill":
        entry, modifier = moved(entry, modifier, game.attack_sides), 0
    ways = 0
    sides = game.attack_sides
    for first in faces(sides):
        if passes(first, entry[1], modifier, sides, game.policy):
            for second in faces(sides):
                ways += len(entry) == 2 or passes(second, entry[2], modifier, sides, game.policy)
    return Fraction(ways, sides * sides)


def unsaved(armour: int | None, aegis: int | None, ap: int | None, sides: int) -> Fraction:
    """The chance that neither save stops a success, by all pairs of faces."""
    if ap is not None and armour is not None and ap <= armour:
        armour = None
    if sides == 10:
        armour = None if armour is None else 2 * armour - 3
        aegis = None if aegis is None else 2 * aegis - 3
    through = 0
    for one in faces(sides):
        for other in faces(sides):
            stopped = armour is not None and passes(one, armour, 0, sides, "strict")
            through += not (stopped or (aegis is not None and passes(other, aegis, 0, sides, "strict")))
    return Fraction(through, sides * sides)


# --- an attack --------------------------------------------------------------------------------------------------------


def one_attack(entry: Entry, modifier: int, through: Fraction, game: Game) -> dict[tuple[int, ...], Fraction]:
    """Return what one Attack does: the HP of each blow it lands, with its chance."""
    if entry == NONE:
        return {(): Fraction(1)}
    if entry[0] == "roll":
        both = hit_chance(entry, modifier, game) * through
        return {(): 1 - both, (1,): both}
    if game.method == "formula":
        return {(): 1 - through, (entry[1],): through}
    blows: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
    for _ in range(entry[1]):
        after: dict[tuple[int, ...], Fraction] = {}
        for landed, chance in blows.items():
            add(after, landed, chance * (1 - through))
            add(after, (*landed, 1), chance * through)
        blows = after
    return blows


def strike(models: tuple[int, ...], blow: int, spill: bool) -> tuple[int, ...]:
    """HP of the models after one blow, which the first one still standing takes."""
    left = list(models)
    for at, hp in enumerate(left):
        if hp and blow:
            taken = min(hp, blow)
            left[at] -= taken
            blow = blow - taken if spill else 0
    return tuple(left)


def volley(
    weapons: Iterable[Weapon], target: Target, game: Game, modifiers: Sequence[int] = ()
) -> dict[tuple[tuple[int, ...], int], Fraction]:
    """(HP of the models, damage dealt with overkill) after all weapons, with their chances."""
    states: dict[tuple[tuple[int, ...], int], Fraction] = {(target.hp, 0): Fraction(1)}
    for at, weapon in enumerate(weapons):
        entry = find_entry(weapon.power, target.defence, game)
        through = unsaved(target.armour, target.aegis, weapon.ap, game.save_sides)
        once = one_attack(entry, modifiers[at] if modifiers else 0, through, game)
        for _ in range(weapon.attacks):
            after: dict[tuple[tuple[int, ...], int], Fraction] = {}
            for (models, dealt), chance in states.items():
                for blows, share in once.items():
                    left = models
                    for blow in blows:
                        left = strike(left, blow, game.spill)
                    add(after, (left, dealt + sum(blows)), chance * share)
            states = after
    return states


def measured(states: Mapping[tuple[tuple[int, ...], int], Fraction], before: tuple[int, ...]) -> dict[str, Any]:
    """The measures of `ask`, read off the models one by one."""
    result: dict[str, dict[int, Fraction]] = {"casualties": {}, "hp_lost": {}, "damage": {}, "wiped_out": {}}
    for (models, dealt), chance in states.items():
        fallen = sum(now == 0 and then > 0 for now, then in zip(models, before, strict=True))
        add(result["casualties"], fallen, chance)
        add(result["hp_lost"], sum(before) - sum(models), chance)
        add(result["damage"], dealt, chance)
        add(result["wiped_out"], int(not any(models)), chance)
    return result


def add(table: dict[Any, Fraction], key: Any, chance: Fraction) -> None:
    if chance:
        table[key] = table.get(key, Fraction(0)) + chance
