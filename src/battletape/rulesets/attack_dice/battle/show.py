"""The battle as tables, one for each side."""

from __future__ import annotations

from collections.abc import Iterable

from battletape.rulesets.attack_dice.battle.state import Field, Squad
from battletape.rulesets.attack_dice.rules.damage import all_hp, all_models
from battletape.system import Table


def show(field: Field) -> Iterable[Table]:
    """Every side as a table of its units."""
    head = ("unit", "models", "HP", "Defence", "Armour", "AEGIS", "state", "weapons")
    for side in field.sides:
        rows = tuple(_row(field, one) for one in field.squads if one.side == side)
        yield Table(side + (" (to act)" if side == field.active else ""), head, rows)


def _row(field: Field, unit: Squad) -> tuple[str, ...]:
    models, hp = all_models(unit.ranks), all_hp(unit.ranks)
    state = [f"Melee {unit.melee}"] if unit.melee else []
    state += [f"aboard {unit.aboard}"] if unit.aboard else []
    state += [f"cover +{unit.cover} {unit.cover_stat}"] if unit.cover else []
    state += [f"one model with {unit.wounded} HP"] if unit.wounded and models > 1 else []
    state += ["gone"] if unit.is_gone else ["acting"] if unit.name == field.acting else []
    state += ["done"] if unit.activated and not unit.is_gone else []
    weapons = ", ".join(f"{arm.models} x {arm.name}" for arm in unit.weapons)
    numbers = (
        f"{unit.models}/{models}",
        f"{hp - unit.lost}/{hp}",
        str(unit.defence),
        _save(unit.armour),
        _save(unit.aegis),
    )
    return (unit.name, *numbers, ", ".join(state), weapons)


def _save(number: int | None) -> str:
    return f"{number}+" if number else "-"
