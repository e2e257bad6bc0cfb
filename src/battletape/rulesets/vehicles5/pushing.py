"""Tank shock in a battle: the drive, the dice of everybody on the line, and where all stand afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.procedure import Procedure
from battletape.rulesets.vehicles5 import tank_shock
from battletape.rulesets.vehicles5.field import Field, Machine
from battletape.rulesets.vehicles5.lanes import (
    cleared,
    drive_of,
    line_of,
    refuse_aim,
    road_ahead,
    under,
)
from battletape.rulesets.vehicles5.marching import fall_back
from battletape.rulesets.vehicles5.movement import assault_band, band, limit, top_band
from battletape.rulesets.vehicles5.orders import (
    Distance,
    Heading,
    about,
    aftermath,
    departure,
    enemies,
    in_the_way,
    machine_of,
    mine,
    refuse_turn,
    tidy,
)
from battletape.rulesets.vehicles5.ruin import clear_ruins
from battletape.rulesets.vehicles5.tank_shock import Drive, step_aside, ways_aside
from battletape.system import Action, Measure
from battletape.table.hulls import Hull, driven, turned
from battletape.table.paths import stood_on
from battletape.table.places import KeepOff
from battletape.table.points import bearing
from battletape.table.sweeps import swept
from battletape.tape import Tape


class Shock(Inputs, frozen=True):
    """A tank turns and drives straight through enemies."""

    unit: str = ""
    heading: Heading = 0.0
    inches: Distance = 0.0


class Push(Struct, frozen=True, cache_hash=True):
    """A tank on its line."""

    field: Field
    unit: str
    heading: float
    declared: float
    target: str = ""
    driven: float = 0.0
    goes_on: bool = False
    outcome: str = ""
    foresees: bool = False  # a forecast asks for the machines only, not where squads stand in the end

    @property
    def followed(self) -> tuple[str, ...]:
        """The squads a tank has yet to come to: those on the rest of its line, and those in what has just exploded."""
        field, left = self.field, self.declared - self.driven
        hull = turned(field.machine(self.unit).hull, self.heading)
        inside = {one.name for one in field.machines if one.is_gone}
        return tuple(
            one.name for one in field.squads if (one.aboard in inside if one.aboard else swept(hull, left, one.models))
        )


# --- tank shock -----------------------------------------------------------------------------------------------------


@clause("V5-TANK-1", "V5-TANK-2", "V5-TANK-3")
def refuse_shock(field: Field, order: Shock) -> Refused | None:
    """Why a tank may not shock like this."""
    refused = refuse_turn(field, order.unit, "movement")
    if refused is not None:
        return refused
    machine = machine_of(field, order.unit, "tank shock", "V5-TANK-1")
    if isinstance(machine, Refused):
        return machine
    hull = turned(machine.hull, order.heading)
    speed = band(order.inches, machine.traits, road_ahead(field, hull, order.inches), field.rules)
    refused = refuse_aim(field, machine, order.heading, "combat" if isinstance(speed, Refused) else speed)
    if refused is not None:
        return refused
    found = line_of(field, machine, hull, order.inches, False)
    if isinstance(found, Refused):
        return found
    return _refuse_landing(field, machine, driven(hull, found.moved))


def _refuse_landing(field: Field, machine: Machine, end: Hull) -> Refused | None:
    """A skimmer that flies over friends may not come down on them."""
    if machine.traits.skimmer and stood_on(end, list(field.bodies(machine.name, side=machine.side))):
        return Refused(f"{machine.name} would come to rest on a friend", "V5-SKIM-4", "model")
    return None


@clause("V5-TANK-3", "V5-TANK-5")
def charge_through(tape: Tape, work: Push) -> Push:
    """Drive straight ahead; units run, stand aside, or stop the tank."""
    drive, field = ready_to_charge(work), work.field
    if drive is None:
        return work
    hull = turned(field.machine(work.unit).hull, work.heading)
    after: Drive = tape.call(tank_shock.end_of_move, tape.call(tank_shock.advance, drive))
    field = take_place(field, work, hull, after)
    if not work.foresees:
        field = tape.call(sort_out, field, hull, after)
    return replace(work, field=field, driven=work.driven + after.moved)


@lru_cache(256)  # asked again for every way the drive may go
def ready_to_charge(work: Push) -> Drive | None:
    """The rest of the line as it lies before the tank; None where it cannot go on."""
    field, machine = work.field, work.field.machine(work.unit)
    hull, left = turned(machine.hull, work.heading), work.declared - work.driven
    going = line_of(field, machine, hull, left, False, going_on=bool(work.outcome))
    if isinstance(going, Refused):
        return None
    return drive_of(field, machine, hull, left, going, ram=bool(work.target))


@clause("V5-TANK-6", "V5-RAM-2")
def take_place(field: Field, work: Push, hull: Hull, drive: Drive) -> Field:
    """The tank after a drive: where it stands, how fast it was, and what it suffered."""
    machine, end = field.machine(work.unit), driven(hull, drive.moved)
    way = work.driven + drive.moved
    speed = band(way, machine.traits, drive.on_road, field.rules)
    after = replace(
        field.damaged(machine, drive.tank),
        hull=end,
        band=top_band(machine.traits) if isinstance(speed, Refused) or drive.ram else speed,
        assault_band=assault_band(way, machine.traits),
        path=way,
        displacement=way,
        on_road=drive.on_road,
        moved=True,
        finished_move=True,
        declared="ram" if drive.ram else "tank_shock",
    )
    return field.changed(after)


@clause("V5-TANK-7", "V5-TANK-5", "V5-DOG-4")
def sort_out(tape: Tape, field: Field, hull: Hull, drive: Drive) -> Field:
    """Where squads stand after a drive: those who ran, those with a model that failed, and those under the tank."""
    end = driven(hull, drive.moved)
    for name, glory in zip(drive.killed, drive.fallen, strict=True):
        field = field.changed(cleared(field.squad(name), glory.model))
    for name in drive.fled:
        field = tape.call(fall_back, field, name)
    for name in drive.met:
        if name not in drive.fled:
            field = tape.call(stand_clear, field, name, end)
    return field


@clause("V5-TANK-7", "V5-CORE-17")
def stand_clear(tape: Tape, field: Field, name: str, hull: Hull) -> Field:
    """Models that would be under the tank step aside by the shortest way; those who cannot are lost."""
    squad = field.squad(name)
    waiting = under(hull, squad)
    if not waiting:
        return field
    kept = [one for at, one in enumerate(squad.models) if at not in waiting]
    others = [KeepOff(one) for one in in_the_way(field, squad.name)]
    for at in waiting:
        ways = ways_aside(hull, squad.models[at], kept, others) or ways_aside(hull, squad.models[at], (), others)
        place = tape.call(step_aside, ways, squad.side, squad.name)
        if place is not None:
            kept.append(replace(squad.models[at], centre=place))
    return field.changed(replace(squad, models=tuple(kept), wounds_lost=squad.wounds_lost if kept else 0))


# --- the card -------------------------------------------------------------------------------------------------------

SHOCKING = Procedure("tank shock", (charge_through, clear_ruins))


def foresee(tape: Tape, work: Push) -> Push:
    """A forecast leaves out what is nothing to the machines."""
    return replace(work, foresees=True)


SHOCKING_FORECAST = Procedure("tank shock", (foresee, charge_through))


def begin_shock(field: Field, order: Shock) -> Push:
    """Ready to charge."""
    return Push(field, field.machine(order.unit).name, order.heading, order.inches)


def _shocks(field: Field) -> Iterator[Shock]:
    for one in mine(field, "movement"):
        if isinstance(one, Machine) and one.traits.tank and not one.moved:
            top = limit(one.traits, rules=field.rules)
            for foe in enemies(field):
                if not isinstance(foe, Machine):
                    heading = bearing(one.hull.centre, foe.models[0].centre)
                    yield from (Shock(unit=one.name, heading=heading, inches=way) for way in (6.0, top))


def _own(test: Any) -> Any:
    return lambda work: int(test(work.field.machine(work.unit)))


MOVED = Measure("moved", "Inches driven", lambda work: work.driven, "inches")
LOST = Measure("own_destroyed", "Tank destroyed", _own(lambda one: one.is_gone))
STUCK = Measure(
    "own_immobilised", "Tank immobilised or worse", _own(lambda one: one.is_gone or one.condition.immobilised)
)


TANK_SHOCK_ACTION = Action(
    "tank_shock",
    "Drive a tank through enemies",
    Shock,
    refuse_shock,
    begin_shock,
    SHOCKING,
    lambda field, order, work: tidy(work.field),
    _shocks,
    measures=(MOVED, LOST, STUCK),
    about=about,
    opens=departure,
    tell=aftermath,
    clauses=("V5-TANK-1", "V5-TANK-5", "V5-DOG-1"),
)
