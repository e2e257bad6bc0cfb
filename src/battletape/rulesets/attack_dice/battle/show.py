"""The battle as tables, one for each side."""

from __future__ import annotations

from collections.abc import Iterable

from battletape.cards import Table
from battletape.rulesets.attack_dice.battle.state import BattleUnit, State
from battletape.rulesets.attack_dice.rules.damage import all_hp, all_models


def show(state: State) -> Iterable[Table]:
    """Yield a table of the units of each side."""
    head = ("unit", "models", "HP", "Defence", "Armour", "AEGIS", "state", "weapons")
    for side in state.sides:
        rows = tuple(_row(state, unit) for unit in state.units if unit.side == side)
        yield Table(side + (" (to act)" if side == state.active_side else ""), head, rows)


def _row(state: State, unit: BattleUnit) -> tuple[str, ...]:
    models, hp = all_models(unit.ranks), all_hp(unit.ranks)
    notes = [f"Melee {unit.melee}"] if unit.melee else []
    notes += [f"aboard {unit.aboard}"] if unit.aboard else []
    notes += [f"cover +{unit.cover} {unit.cover_stat}"] if unit.cover else []
    notes += [f"one model with {unit.wounded} HP"] if unit.wounded and models > 1 else []
    notes += ["gone"] if unit.is_gone else ["acting"] if unit.name == state.active_unit else []
    notes += ["done"] if unit.activated and not unit.is_gone else []
    weapons = ", ".join(f"{weapon.models} x {weapon.name}" for weapon in unit.weapons)
    numbers = (
        f"{unit.models}/{models}",
        f"{hp - unit.hp_lost}/{hp}",
        str(unit.defence),
        _save(unit.armour),
        _save(unit.aegis),
    )
    return (unit.name, *numbers, ", ".join(notes), weapons)


def _save(number: int | None) -> str:
    return f"{number}+" if number else "-"
