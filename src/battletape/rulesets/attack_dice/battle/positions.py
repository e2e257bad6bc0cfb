"""Positions of units: Melees, cover, transports and places on the table."""

from __future__ import annotations

from itertools import count

from battletape.field.moves import nearest_room
from battletape.field.state import ABOARD, Footprint
from battletape.rulebook import Tape, clause, inches, replace
from battletape.rulesets.attack_dice.battle.state import BASE_RADIUS, BattleUnit, State
from battletape.table.points import Point


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
    """Put a unit aboard a transport; it is measured from there."""
    tape.tell("{}: aboard {}", name, transport)
    return replace(state, field=state.field.off_table(name, ABOARD, transport))


@clause("AD-65")
def disembark(tape: Tape, state: State, name: str) -> State:
    """Take a unit off its transport, and put it beside it on the table, if there is room."""
    unit, transport = state.unit(name), state.field.measured_from(name)
    tape.tell("{}: no longer aboard {}", name, transport.name)
    around, count = transport.bases, unit.models
    if not (around and count):
        return replace(state, field=state.field.with_place(name))
    bases = nearest_room(state.field, around[0].centre, count, BASE_RADIUS, unit.side, near=around)
    return replace(state, field=state.field.with_place(name, *bases))


@clause("AD-68")
def place(tape: Tape, state: State, name: str, at: Point, footprints: tuple[Footprint, ...]) -> State:
    """Put the models of a unit on the table, in a formation about this point."""
    tape.tell("{}: at {:g}, {:g}", name, at.x, at.y)
    return replace(state, field=state.field.with_place(name, *footprints))


@clause("AD-68")
def move(tape: Tape, state: State, name: str, far: float, towards: str, footprints: tuple[Footprint, ...]) -> State:
    """Move the models of a unit in formation, to a place or towards another unit."""
    tape.tell("{}: moves {} {}", name, inches(far), towards)
    return replace(state, field=state.field.with_place(name, *footprints))
