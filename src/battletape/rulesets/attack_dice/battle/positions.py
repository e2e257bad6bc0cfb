"""Positions of units: Melees, cover and transports."""

from __future__ import annotations

from itertools import count

from battletape.rulebook import Tape, clause, replace
from battletape.rulesets.attack_dice.battle.state import BattleUnit, State


@clause("AD-56")
def engage(tape: Tape, state: State, unit: BattleUnit, target: BattleUnit) -> State:
    """Lock two units in a Melee: the one that either is in already, or a new one."""
    taken = {other.melee for other in state.units}
    new = next(name for name in map("M{}".format, count(1)) if name not in taken)
    melee = unit.melee or target.melee or new
    for joining in state.units:
        if joining in (unit, target) and joining.melee != melee:
            tape.tell("{}: in Melee {}", joining.name, melee)
    return state.with_units(replace(unit, melee=melee), replace(target, melee=melee))


@clause("AD-56")
def leave_melee(tape: Tape, state: State, name: str) -> State:
    """Take a unit out of its Melee."""
    tape.tell("{}: in no Melee any more", name)
    return state.with_units(replace(state.unit(name), melee=""))


@clause("AD-58")
def set_cover(tape: Tape, state: State, unit: BattleUnit, stat: str, amount: int) -> State:
    """Give a unit cover, or take it away."""
    tape.tell("{}: {}", unit.name, f"cover of +{amount} {stat.capitalize()}" if amount else "no cover")
    return state.with_units(replace(unit, cover_stat=stat, cover=amount))


@clause("AD-65")
def embark(tape: Tape, state: State, name: str, transport: str) -> State:
    """Put a unit aboard a transport."""
    tape.tell("{}: aboard {}", name, transport)
    return state.with_units(replace(state.unit(name), aboard=transport))


@clause("AD-65")
def disembark(tape: Tape, state: State, name: str) -> State:
    """Take a unit off its transport."""
    unit = state.unit(name)
    tape.tell("{}: no longer aboard {}", name, unit.aboard)
    return state.with_units(replace(unit, aboard=""))
