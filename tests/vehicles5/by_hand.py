"""Damage worked out by hand, result by result: the other way to numbers that tests compare with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Literal

from msgspec.structs import replace

from battletape.rulesets.vehicles5.rules.damage import (
    Condition,
    apply_result,
    effective_row,
    roll_damage_result,
    weapon_choice,
)
from battletape.rulesets.vehicles5.rules.traits import DamageRow, PenDice
from battletape.tape import Tape
from battletape.tape.script import Script


def suffer(tape: Tape, condition: Condition, row: DamageRow, by: str = "attacker") -> Condition:
    """Apply a result that has been rolled; whoever caused it chooses the weapon that is lost."""
    dealt = roll_damage_result(tape, lambda tape, shot: row, SimpleNamespace(by=by), *weapon_choice(condition))
    return replace(apply_result(replace(condition, keeps_damage=True), dealt), keeps_damage=condition.keeps_damage)


def apply_results(
    condition: Condition,
    rows: Sequence[DamageRow],
    order: Literal["sequential", "batch"] = "sequential",
    pick: Callable[[tuple[str, ...]], str] = lambda weapons: weapons[0],
) -> Condition:
    """Apply results in order; what was true of a vehicle when it was destroyed stays written down."""
    for row in rows:
        if condition.is_destroyed:
            if row == "exploded" and order == "batch":
                condition = replace(condition, status="exploded")
            continue
        offered = tuple(dict.fromkeys(condition.weapons))
        asks = effective_row(condition, row) == "weapon_destroyed" and len(offered) > 1
        condition = suffer(Script(pick(offered)) if asks else Script(), condition, row)
    return condition


def label(condition: Condition) -> str:
    """A condition in short: w2_im_sh for two weapons, immobilised and shaken; wrecked; exploded."""
    if condition.is_destroyed:
        return condition.status
    flags = (("_im", condition.immobilised), ("_sh", condition.shaken), ("_st", condition.stunned))
    return f"w{len(condition.weapons)}" + "".join(mark for mark, is_so in flags if is_so)


def total(dice: PenDice, rolls: Sequence[int]) -> int:
    """What thrown dice count together: the higher one of ordnance, the sum of melta, a 6 of rending and its D3."""
    if dice == "higher_of_two":
        return max(rolls)
    return sum(rolls) if dice == "2d6" or (dice == "six_adds_d3" and rolls[0] == 6) else rolls[0]
