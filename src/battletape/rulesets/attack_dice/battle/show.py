"""The battle as tables, one for each side, and what the map says of its units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from battletape.cards import Table
from battletape.field.maps import Reach
from battletape.rulebook import clause
from battletape.rulesets.attack_dice.battle.state import BattleUnit, State, Terrain, models_left_to_fire
from battletape.rulesets.attack_dice.rules.damage import all_hp, all_models


def show(state: State) -> Iterable[Table]:
    """Yield a table of the units of each side, and one of the terrain if there is any."""
    head = ("unit", "models", "HP", "Defence", "Armour", "AEGIS", "state", "weapons")
    for side in state.sides:
        rows = tuple(_row(state, unit) for unit in state.units if unit.side == side)
        yield Table(side + (" (to act)" if side == state.active_side else ""), head, rows)
    if state.field.terrain:
        about = tuple((piece.name, _cover(piece), f"{piece.top:g}") for piece in state.field.terrain)
        yield Table("Terrain", ("terrain", "cover", "height"), about)


@clause("AD-58", "AD-68")
def about(state: State) -> Mapping[str, str]:
    """Return what the map says of terrain and units."""
    terrain = {piece.name: _cover(piece) for piece in state.field.terrain}
    return terrain | {unit.name: ", ".join(_notes(state, unit)) for unit in state.units}


@clause("AD-68")
def reaches(state: State, name: str) -> tuple[Reach, ...]:
    """Return how far the weapons fire that a unit still has to fire in this activation."""
    unit = state.unit(name)
    return tuple(
        Reach(f"{weapon.name} {weapon.range}″", weapon.range)
        for weapon in unit.weapons
        if weapon.range is not None and models_left_to_fire(unit, weapon)
    )


def _row(state: State, unit: BattleUnit) -> tuple[str, ...]:
    models, hp = all_models(unit.ranks), all_hp(unit.ranks)
    place = _place(state, unit)
    notes = ([f"at {place}"] if place else []) + _notes(state, unit)
    weapons = ", ".join(f"{weapon.models} x {weapon.name}" for weapon in unit.weapons)
    numbers = (
        f"{unit.models}/{models}",
        f"{hp - unit.hp_lost}/{hp}",
        str(unit.defence),
        _save(unit.armour),
        _save(unit.aegis),
    )
    return (unit.name, *numbers, ", ".join(notes), weapons)


def _place(state: State, unit: BattleUnit) -> str:
    """Return where the first model of a unit stands; empty if its place is unknown."""
    footprints = state.field.position(unit.name).footprints
    return f"{footprints[0].centre.x:.4g}, {footprints[0].centre.y:.4g}" if footprints else ""


def _notes(state: State, unit: BattleUnit) -> list[str]:
    """Return what holds of a unit, in a few words each."""
    transport = state.transport_of(unit.name)
    notes = [f"Melee {unit.melee}"] if unit.melee else []
    notes += [f"aboard {transport}"] if transport else []
    notes += [f"cover +{unit.cover} {unit.cover_stat}"] if unit.cover else []
    notes += [f"one model with {unit.wounded} HP"] if unit.wounded and all_models(unit.ranks) > 1 else []
    notes += ["gone"] if unit.is_gone else ["acting"] if unit.name == state.active_unit else []
    notes += ["done"] if unit.done.activated and not unit.is_gone else []
    return notes


def _cover(piece: Terrain) -> str:
    """Return what a piece of terrain does, in a few words."""
    words = ["impassable"] if piece.is_impassable else []
    words += [f"cover +{piece.cover} {piece.cover_stat}"] if piece.cover else []
    return ", ".join(words) or "open"


def _save(number: int | None) -> str:
    return f"{number}+" if number else "-"
