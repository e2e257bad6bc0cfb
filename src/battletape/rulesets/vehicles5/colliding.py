"""Ramming in a battle: a tank drives into an enemy machine, and on if there is nothing left of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.procedure import Procedure
from battletape.rulesets.vehicles5 import ramming
from battletape.rulesets.vehicles5.damage import Condition
from battletape.rulesets.vehicles5.field import Field, Machine
from battletape.rulesets.vehicles5.lanes import (
    drive_of,
    line_of,
    refuse_aim,
    road_ahead,
    walker_arms,
)
from battletape.rulesets.vehicles5.movement import limit, top_band
from battletape.rulesets.vehicles5.orders import (
    Heading,
    about,
    aftermath,
    departure,
    enemies,
    machine_of,
    mine,
    refuse_gone,
    refuse_turn,
    tidy,
)
from battletape.rulesets.vehicles5.pushing import (
    LOST,
    MOVED,
    STUCK,
    Push,
    charge_through,
    foresee,
    sort_out,
    take_place,
)
from battletape.rulesets.vehicles5.ramming import RAM, Rammed, both_hits, impact_facings
from battletape.rulesets.vehicles5.ruin import clear_ruins, foresee_ruins
from battletape.system import Action, Measure
from battletape.table.hulls import Hull, turned
from battletape.table.points import TOLERANCE, bearing
from battletape.tape import Tape


class RamOrder(Inputs, frozen=True):
    """A tank turns and drives straight into an enemy machine."""

    unit: str = ""
    target: str = ""
    heading: Annotated[Heading | None, Meta(title="Heading (none = at the middle of the target)")] = None


# --- ramming --------------------------------------------------------------------------------------------------------


def _heading(machine: Machine, target: Machine, order: RamOrder) -> float:
    return bearing(machine.hull.centre, target.hull.centre) if order.heading is None else order.heading


def _reach(field: Field, machine: Machine, hull: Hull) -> float:
    """How far a ram is driven: the full distance, farther if all of it is on a road."""
    longest = limit(machine.traits, True, rules=field.rules)
    return longest if road_ahead(field, hull, longest) else limit(machine.traits, rules=field.rules)


@clause("V5-RAM-1", "V5-RAM-2")
def refuse_ram(field: Field, order: RamOrder) -> Refused | None:
    """Why a tank may not ram this machine."""
    refused = refuse_turn(field, order.unit, "movement")
    if refused is not None:
        return refused
    machine = machine_of(field, order.unit, "ram", "V5-RAM-1")
    target = machine_of(field, order.target, "can be rammed", "V5-RAM-1")
    if isinstance(machine, Refused) or isinstance(target, Refused):
        return machine if isinstance(machine, Refused) else target if isinstance(target, Refused) else None
    refused = refuse_gone(target)
    if refused is None and target.side == machine.side:
        refused = Refused(f"{target.name} is on the same side", "V5-RAM-1", "side")
    heading = _heading(machine, target, order)
    refused = refused or refuse_aim(field, machine, heading, top_band(machine.traits), ram=True)
    if refused is not None:
        return refused
    hull = turned(machine.hull, heading)
    reach = _reach(field, machine, hull)
    first = _first_ahead(field, machine, hull, reach)
    if first is None:
        return Refused(f"{target.name} is not within {reach:g} inches straight ahead", "V5-RAM-2", "distance")
    if first.name != target.name:
        return Refused(f"{machine.name} would run into {first.name} first", "V5-RAM-1", "target")
    found = line_of(field, machine, hull, reach, True, *(one.name for one in field.machines))
    return found if isinstance(found, Refused) else None


def next_target(work: Push) -> Machine | None:
    """The first enemy machine on the rest of the line."""
    field, machine = work.field, work.field.machine(work.unit)
    return _first_ahead(field, machine, turned(machine.hull, work.heading), work.declared - work.driven)


def _first_ahead(field: Field, machine: Machine, hull: Hull, reach: float) -> Machine | None:
    met = []
    for one in field.machines:
        if one.side != machine.side and not one.is_gone:
            found = impact_facings(hull, one.hull, reach, field.rules)
            met += [(found[0].inches, one)] if found is not None else []
    return min(met, key=lambda pair: pair[0])[1] if met else None


@lru_cache(256)  # asked again for every way the ram may go
@clause("V5-RAM-4", "V5-RAM-3", "V5-SKIM-8", "V5-WALK-15")
def ram_of(work: Push) -> tuple[Rammed, Hull, float] | None:
    """The ram that lies ahead: the drive up to it, and what both machines would suffer."""
    field = work.field
    machine, target = field.machine(work.unit), field.machine(work.target)
    hull, left = turned(machine.hull, work.heading), work.declared - work.driven
    met = impact_facings(hull, target.hull, left, field.rules)
    others = (one.name for one in field.machines)
    going = line_of(field, machine, hull, left, True, *others, going_on=bool(work.outcome))
    if met is None or isinstance(going, Refused):
        return None
    impact, own, struck = met
    drive = drive_of(field, machine, hull, left, going, impact.inches, ram=True)
    far, rules, sides = work.driven + impact.inches, field.rules, (machine.side, target.side)
    ours = (machine.armour(own), machine.traits)
    own_hit, other_hit = both_hits(ours, (target.armour(struck), target.traits), far, rules, *sides)
    state, condition = field.condition(target).state, field.fresh(target)
    dodges = ramming.refuse_dodge(target.traits, machine.traits, state, rules) is None
    glorious = ramming.refuse_walker_glory(target.traits, struck) is None
    ram = Rammed(
        drive=drive,
        start=condition,
        target=condition,
        rammer=drive.tank,
        rammer_hit=own_hit,
        target_hit=other_hit,
        rear_hits=both_hits(ours, (target.armour("rear"), target.traits), far, rules, *sides) if glorious else None,
        dodge="choose" if dodges else "never",
        glory=walker_arms(field, target) if glorious else (),
        tries="choose" if glorious else "brace",
        by=target.side,
    )
    return ram, hull, impact.inches


@clause("V5-RAM-4", "V5-RAM-7")
def run_into(tape: Tape, work: Push) -> Push:
    """Drive into the target, through whoever is in between."""
    found = ram_of(work)
    if found is None:
        return replace(work, goes_on=False)
    ram, hull, inches = found
    for stage in RAM:
        ram = tape.call(stage, ram)
    moved = ram.drive.moved if ram.outcome == "stopped_before" else inches
    drive = replace(ram.drive, tank=ram.rammer, moved=moved)
    field = take_place(work.field, work, hull, drive)
    after = replace(work, driven=work.driven + moved, goes_on=ram.goes_on, outcome=ram.outcome)
    if not work.foresees or _drives_on(after):
        field = tape.call(sort_out, field, hull, drive)
    return replace(after, field=field.changed(field.damaged(field.machine(work.target), ram.target)))


@clause("V5-RAM-7")
def go_on(tape: Tape, work: Push) -> Push:
    """While the target explodes and the tank can move, it drives on."""
    target, work = work.target, tape.call(run_into, work)
    work = tape.call(drive_on, ahead(work)) if _drives_on(work) else in_brief(work)
    return replace(work, target=target)


@clause("V5-RAM-7")
def drive_on(tape: Tape, work: Push) -> Push:
    """Past what has exploded."""
    cleared: Push = tape.call(foresee_ruins if work.foresees else clear_ruins, work)
    further: Push = tape.call(next_leg, ahead(cleared))
    return further


@clause("V5-RAM-7")
def next_leg(tape: Tape, work: Push) -> Push:
    """Into the next machine and on from there, or through squads."""
    following = next_target(work)
    if following is None:
        return in_brief(replace(tape.call(charge_through, work), goes_on=False))
    met: Push = tape.call(run_into, replace(work, target=following.name))
    further: Push = tape.call(drive_on, ahead(met)) if _drives_on(met) else in_brief(met)
    return further


@lru_cache(4096)
def ahead(work: Push) -> Push:
    """What of a forecast still counts: no damage of what has exploded, and at last only squads on the line."""
    if not work.foresees:
        return work
    field, squads = work.field, work.field.squads
    if next_target(work) is None:
        kept = tuple(one for one in squads if one.name in work.followed)
        squads = squads if any(one.aboard for one in kept) else kept  # others may be in the way of who gets out
    machines = tuple(_brief(one) if one.is_gone else replace(one, shaken_until=0) for one in field.machines)
    return replace(work, field=replace(field, machines=machines, squads=squads))


def in_brief(work: Push) -> Push:
    """At the end of a forecast all that is left to tell: which machines are destroyed, and whether the tank moves."""
    if not work.foresees:
        return work
    machines = tuple(map(_brief, work.field.machines))
    return replace(work, field=replace(work.field, machines=machines, squads=(), grounds=()), goes_on=False, outcome="")


def _brief(machine: Machine) -> Machine:
    condition = Condition(immobilised=machine.condition.immobilised, status=machine.condition.status)
    return replace(machine, condition=condition, shaken_until=0, stunned_until=0)


def _drives_on(work: Push) -> bool:
    return work.goes_on and work.declared - work.driven > TOLERANCE


# --- the card -------------------------------------------------------------------------------------------------------

RAMMING = Procedure("ram", (go_on, clear_ruins))
RAMMING_FORECAST = Procedure("ram", (foresee, go_on))


def begin_ram(field: Field, order: RamOrder) -> Push:
    """Ready to ram."""
    machine, target = field.machine(order.unit), field.machine(order.target)
    heading = _heading(machine, target, order)
    reach = _reach(field, machine, turned(machine.hull, heading))
    return Push(field, machine.name, heading, reach, target.name)


def _rams(field: Field) -> Iterator[RamOrder]:
    for one in mine(field, "movement"):
        if isinstance(one, Machine) and one.traits.tank and not one.moved:
            foes = (foe for foe in enemies(field) if isinstance(foe, Machine))
            yield from (RamOrder(unit=one.name, target=foe.name) for foe in foes)


def _target_gone(work: Push) -> int:
    return int(work.field.machine(work.target).is_gone)


RAM_ACTION = Action(
    "ram",
    "Drive a tank into an enemy machine",
    RamOrder,
    refuse_ram,
    begin_ram,
    RAMMING,
    lambda field, order, work: tidy(work.field),
    _rams,
    measures=(Measure("target_destroyed", "Target destroyed", _target_gone), MOVED, LOST, STUCK),
    about=about,
    opens=departure,
    tell=aftermath,
    clauses=("V5-RAM-1", "V5-RAM-6", "V5-RAM-7"),
)
