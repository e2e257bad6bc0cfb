"""The action `tank_shock`: the drive, the dice of everybody on the line, and where all stand afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.procedure import Procedure, Stage
from battletape.rulesets.vehicles5.battle.actions._orders import Distance, about, enemies, machine_of, mine, tidy
from battletape.rulesets.vehicles5.battle.actions.move_unit import fall_back
from battletape.rulesets.vehicles5.battle.destruction import clear_ruins, ruin_name
from battletape.rulesets.vehicles5.battle.log import aftermath, departure
from battletape.rulesets.vehicles5.battle.start import Heading
from battletape.rulesets.vehicles5.battle.state import Field, Machine
from battletape.rulesets.vehicles5.battle.table import (
    cleared,
    drive_of,
    in_the_way,
    line_of,
    refuse_aim,
    road_ahead,
    under,
)
from battletape.rulesets.vehicles5.battle.turn import refuse_turn
from battletape.rulesets.vehicles5.rules import tank_shock
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.movement import assault_band, band, limit, top_band
from battletape.rulesets.vehicles5.rules.tank_shock import Drive, step_aside, ways_aside
from battletape.system import Action, Measure
from battletape.table.hulls import Hull, driven, turned
from battletape.table.paths import stood_on
from battletape.table.places import KeepOff
from battletape.table.points import TOLERANCE, bearing
from battletape.tape import Forget, Tape


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
    target: str = ""  # of a ram
    driven: float = 0.0
    goes_on: bool = True
    outcome: str = ""  # of the last ram
    rams: str = ""  # the machine it drives into now, and so many inches ahead
    impact: float = 0.0
    drive: Drive | None = None  # just made: squads have yet to get out of its way
    struck: Condition | None = None  # what that machine has suffered from it

    @property
    def hull(self) -> Hull:
        """The tank as it faces its line."""
        return turned(self.field.machine(self.unit).hull, self.heading)

    @property
    def drives_on(self) -> bool:
        """Whether it has some way left and may go it."""
        return self.goes_on and self.declared - self.driven > TOLERANCE


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
    field, machine = work.field, work.field.machine(work.unit)
    hull, left = work.hull, work.declared - work.driven
    going = line_of(field, machine, hull, left, False, going_on=bool(work.outcome))
    if isinstance(going, Refused):
        return replace(work, goes_on=False)
    drive = drive_of(field, machine, hull, left, going, ram=bool(work.target))
    return tape.each(take_stage, drive, tank_shock.TANK_SHOCK.stages, then=_charged, rest=work)


def take_stage(tape: Tape, drive: Any, stage: Stage) -> Any:
    """The next stage of a drive or a ram."""
    return tape.call(stage, drive)


def _charged(work: Push, drive: Drive) -> Push:
    return replace(take_place(work, drive), goes_on=False)


@clause("V5-TANK-6", "V5-RAM-2")
def take_place(work: Push, drive: Drive) -> Push:
    """The tank after a drive: where it stands, how fast it was, and what it suffered."""
    field, machine, end = work.field, work.field.machine(work.unit), driven(work.hull, drive.moved)
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
    return replace(work, field=field.changed(after), driven=way, drive=drive)


@clause("V5-TANK-7", "V5-TANK-5", "V5-DOG-4")
def make_way(tape: Tape, work: Push) -> Push:
    """Where squads stand after a drive: those who ran, those with a model that failed, and those under the tank."""
    field, drive = work.field, work.drive
    if drive is None:
        return work
    end = field.machine(work.unit).hull
    for name, glory in zip(drive.killed, drive.fallen, strict=True):
        field = field.changed(cleared(field.squad(name), glory.model))
    for name in drive.fled:
        field = tape.call(fall_back, field, name)
    for name in drive.met:
        if name not in drive.fled:
            field = tape.call(stand_clear, field, name, end)
    if work.struck is not None:
        field = field.changed(field.damaged(field.machine(work.rams), work.struck))
    return replace(work, field=field, drive=None, struck=None)


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


SHOCKING = Procedure("tank shock", (charge_through, make_way, clear_ruins))


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


def tank_alone(work: Push) -> Push:
    """When a drive is over: whether the tank and what it rammed are destroyed, and whether the tank can move."""
    field = work.field
    if work.struck is not None:
        field = field.changed(field.damaged(field.machine(work.rams), work.struck))
    machines = tuple(in_brief(one) for one in field.machines if one.name in (work.unit, work.target))
    ruins = tuple(one for one in field.grounds if one.name in map(ruin_name, machines))
    field = replace(field, machines=machines, squads=(), grounds=ruins)
    return replace(work, field=field, goes_on=False, outcome="", rams="", drive=None, struck=None)


def in_brief(machine: Machine) -> Machine:
    """Of a machine whether it is destroyed, and whether it can move."""
    condition = Condition(immobilised=machine.condition.immobilised, status=machine.condition.status)
    return replace(machine, condition=condition, shaken_until=0, stunned_until=0)


def _seen(work: Push) -> Push:
    return work if work.goes_on else tank_alone(work)


def _unmet(drive: Drive) -> Drive:
    """A drive without whom it met: they are of no account afterwards."""
    return replace(drive, fled=(), killed=(), fallen=(), met=())


FORGOTTEN: Forget = ((Push, _seen), (Drive, _unmet))


def shock_lens(asked: frozenset[str]) -> Forget:
    """Every measure is about the tank."""
    return FORGOTTEN


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
    lens=shock_lens,
)
