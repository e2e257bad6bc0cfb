"""The action `ram`: a tank drives into an enemy machine, and on if there is nothing left of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.procedure import Procedure
from battletape.rulesets.vehicles5.battle.actions._orders import about, enemies, machine_of, mine, tidy
from battletape.rulesets.vehicles5.battle.actions.tank_shock import (
    LOST,
    MOVED,
    STUCK,
    Push,
    charge_through,
    in_brief,
    make_way,
    take_place,
    take_stage,
    tank_alone,
)
from battletape.rulesets.vehicles5.battle.destruction import clear_ruins
from battletape.rulesets.vehicles5.battle.log import aftermath, departure
from battletape.rulesets.vehicles5.battle.start import Heading
from battletape.rulesets.vehicles5.battle.state import Field, Machine, Marker, Squad
from battletape.rulesets.vehicles5.battle.table import drive_of, line_of, refuse_aim, road_ahead, walker_arms
from battletape.rulesets.vehicles5.battle.turn import refuse_gone, refuse_turn
from battletape.rulesets.vehicles5.rules import ramming
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.movement import limit, top_band
from battletape.rulesets.vehicles5.rules.ramming import RAM, Rammed, both_hits, goes_on, impact_facings
from battletape.system import Action, Measure
from battletape.table.distances import gap
from battletape.table.hulls import Hull, turned
from battletape.table.points import bearing
from battletape.table.sweeps import swept
from battletape.tape import Forget, Tape

ROOM = 4.0  # inches about a hull within which whoever has to go elsewhere finds a place
ROCK = "in the way"


class RamOrder(Inputs, frozen=True):
    """A tank turns and drives straight into an enemy machine."""

    unit: str = ""
    target: str = ""
    heading: Annotated[Heading | None, Meta(title="Heading (none = at the middle of the target)")] = None


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
    return _first_ahead(work.field, work.field.machine(work.unit), work.hull, work.declared - work.driven)


def _first_ahead(field: Field, machine: Machine, hull: Hull, reach: float) -> Machine | None:
    met = []
    for one in field.machines:
        if one.side != machine.side and not one.is_gone:
            found = impact_facings(hull, one.hull, reach, field.rules)
            met += [(found[0].inches, one)] if found is not None else []
    return min(met, key=lambda pair: pair[0])[1] if met else None


@clause("V5-RAM-4", "V5-RAM-3", "V5-SKIM-8", "V5-WALK-15")
def ram_of(work: Push, target: Machine) -> tuple[Rammed, float] | None:
    """The ram that lies ahead: the drive up to it, and what both machines would suffer."""
    field, machine = work.field, work.field.machine(work.unit)
    hull, left = work.hull, work.declared - work.driven
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
    return ram, impact.inches


@clause("V5-RAM-4", "V5-RAM-7")
def run_into(tape: Tape, work: Push) -> Push:
    """Drive into the target, through whoever is in between; while it explodes, on into the next, or through squads."""
    if not work.drives_on:
        return work
    target = next_target(work) if work.outcome else work.field.machine(work.target)
    if target is None:
        return charge_through(tape, work)
    found = ram_of(work, target)
    if found is None:
        return replace(work, goes_on=False)
    ram, inches = found
    return tape.each(take_stage, ram, RAM.stages, then=_collided, rest=replace(work, rams=target.name, impact=inches))


def _collided(work: Push, ram: Rammed) -> Push:
    moved = ram.drive.moved if ram.outcome == "stopped_before" else work.impact
    work = take_place(work, replace(ram.drive, tank=ram.rammer, moved=moved))
    return replace(work, goes_on=ram.goes_on, outcome=ram.outcome, struck=ram.target, impact=0.0)


# --- the card -------------------------------------------------------------------------------------------------------


LEG = (run_into, make_way, clear_ruins)


def ramming_on(work: Push) -> Procedure:
    """The stages of every ram that lies ahead, and of the drive after the last."""
    field, own = work.field, work.field.machine(work.unit)
    foes = (one for one in field.machines if one.side != own.side and not one.is_gone)
    ahead = [one for one in foes if impact_facings(work.hull, one.hull, work.declared, field.rules) is not None]
    return Procedure("ram", LEG * (len(ahead) + 1))


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


def both_alone(work: Push) -> Push:
    """Of a ram that is over the two machines; while it goes on, all that may come to be in the way of the tank."""
    if not work.drives_on:
        return tank_alone(work)
    if not work.outcome:
        return work
    field = work.field
    own = replace(field.machine(work.unit), shaken_until=0, stunned_until=0)
    field = field.changed(own, *(in_brief(one) for one in field.machines if one.is_gone))
    return replace(work, field=_ahead(work, field) if work.drive is None else field)


def _ahead(work: Push, field: Field) -> Field:
    """The squads that a tank may yet meet, and those near enough to decide where others will stand.

    Who only stands in the way of passengers that are thrown out now is as good as a rock.
    """
    hull, left, own = work.hull, work.declared - work.driven, field.machine(work.unit)
    foes = [one for one in field.machines if one.side != own.side and not one.is_gone]
    next_ones = [one for one in foes if impact_facings(hull, one.hull, left, field.rules) is not None]
    blown = [one for one in field.machines if one.is_gone and field.passengers(one)]
    named = {one.name for one in (*next_ones, *blown)}
    kept: list[Squad] = []
    rocks: list[Marker] = []
    for squad in field.squads:
        wide = [replace(base, radius=base.radius + ROOM) for base in squad.models]
        if squad.aboard:
            meets = squad.aboard in named
        elif next_ones:
            meets = bool(swept(hull, left, wide)) or _is_near(squad, next_ones)
        else:
            meets = bool(squad.locked_with) or bool(swept(hull, left, squad.models))
        if meets:
            kept.append(squad)
        elif _is_near(squad, blown):
            rocks += [Marker(ROCK, "impassable", (base.centre,), base.radius) for base in squad.models]
    grounds = (*(one for one in field.grounds if one.name != ROCK or blown), *rocks)
    return replace(field, squads=tuple(kept), grounds=grounds)


def _is_near(squad: Squad, machines: Sequence[Machine]) -> bool:
    return any(not squad.aboard and gap(one.hull, base) <= ROOM for one in machines for base in squad.models)


def unshaken(squad: Squad) -> Squad:
    """A squad that is met by a tank, whatever its nerves have suffered from an explosion."""
    return replace(squad, pinned_until=0) if squad.pinned_until else squad


def crash_alone(ram: Rammed) -> Rammed:
    """Of a ram after which the tank stops, whether both machines are destroyed, and whether the tank can move."""
    if not ram.outcome or (ram.outcome == "collided" and goes_on(ram.target, ram.rammer, ram.drive.rules)):
        return ram
    target = Condition(status=ram.target.status)
    rammer = Condition(stunned=ram.rammer.stunned, immobilised=ram.rammer.immobilised, status=ram.rammer.status)
    drive = replace(ram.drive, fled=(), killed=(), fallen=(), met=(), tank=rammer)
    return replace(ram, drive=drive, target=target, rammer=rammer)


FORGOTTEN: Forget = ((Push, both_alone), (Rammed, crash_alone), (Squad, unshaken))


def ram_lens(asked: frozenset[str]) -> Forget:
    """Every measure is about the two machines."""
    return FORGOTTEN


RAM_ACTION = Action(
    "ram",
    "Drive a tank into an enemy machine",
    RamOrder,
    refuse_ram,
    begin_ram,
    ramming_on,
    lambda field, order, work: tidy(work.field),
    _rams,
    measures=(Measure("target_destroyed", "Target destroyed", _target_gone), MOVED, LOST, STUCK),
    about=about,
    opens=departure,
    tell=aftermath,
    clauses=("V5-RAM-1", "V5-RAM-6", "V5-RAM-7"),
    lens=ram_lens,
)
