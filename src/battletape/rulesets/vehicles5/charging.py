"""The charge that begins an assault: how a squad or a walker comes into contact, over whatever ground."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.vehicles5 import terrain
from battletape.rulesets.vehicles5.assault import REACH, refuse_places, roll_reach
from battletape.rulesets.vehicles5.damage import suffer
from battletape.rulesets.vehicles5.driving import Crossing, look_ahead
from battletape.rulesets.vehicles5.field import Field, Machine, Squad, Unitlike, things_of
from battletape.rulesets.vehicles5.marching import brave, look_down, refuse_ends, refuse_goals
from battletape.rulesets.vehicles5.orders import in_the_way
from battletape.rulesets.vehicles5.terrain import roll_tests
from battletape.table.bases import Base
from battletape.table.distances import gap, nearest_point, touches
from battletape.table.hulls import Hull, driven, turned
from battletape.table.paths import hull_spans_along, stood_on
from battletape.table.points import TOLERANCE, Point, apart, bearing, step, towards
from battletape.tape import Tape


class Clash(Struct, frozen=True, cache_hash=True):
    """An assault: who charges whom, to which places, and with what."""

    field: Field
    unit: str
    target: str
    goals: tuple[Point, ...] = ()
    grenade: str = ""
    grenadiers: int = 0
    contact: bool = False
    charges: bool = True  # False for a later round of a fight
    beaten: str = ""  # who has been beaten and has yet to run


def nearest_of(unit: Unitlike, target: Unitlike) -> tuple[Base | Hull, Base | Hull]:
    """The two parts that are closest to each other."""
    pairs = ((one, other) for one in things_of(unit) for other in things_of(target))
    return min(pairs, key=lambda pair: gap(*pair))


def way_into_contact(unit: Unitlike, target: Unitlike) -> tuple[float, float]:
    """Heading and inches that bring the nearest part of a unit into contact."""
    one, other = nearest_of(unit, target)
    goal = nearest_point(one.centre, other)
    return (bearing(one.centre, goal) if apart(one.centre, goal) > TOLERANCE else 0.0), gap(one, other)


def goals_in_contact(squad: Squad, target: Unitlike) -> tuple[Point, ...]:
    """The plain charge: the whole squad goes straight on until its first model touches the target."""
    heading, way = way_into_contact(squad, target)
    return tuple(step(one.centre, heading, way) for one in squad.models)


def walker_in_contact(walker: Machine, target: Unitlike) -> Hull:
    """The walker turned towards its target and in contact with it."""
    heading, _ = way_into_contact(walker, target)
    facing = replace(walker, hull=turned(walker.hull, heading))  # a hull is longer than it is wide, or the reverse
    return driven(facing.hull, way_into_contact(facing, target)[1])


@clause("V5-ASLT-2", "V5-CORE-16", "V5-CORE-17")
def refuse_charge(field: Field, unit: Unitlike, target: Unitlike, goals: tuple[Point, ...]) -> Refused | None:
    """Why a charge cannot be made: too far, nobody in contact, or no place to stand."""
    _, way = way_into_contact(unit, target)
    if way > REACH + TOLERANCE:
        reason = f"a charge reaches {REACH} inches at most; {target.name} is {way:.4g} away"
        return Refused(reason, "V5-CORE-16", "reach")
    if isinstance(unit, Machine):
        end = replace(unit, hull=walker_in_contact(unit, target)).thing
        if stood_on(end, in_the_way(field, unit.name, target.name)):
            return Refused(f"something is in the way of {unit.name}", "V5-TERR-4", "way")
        return None
    refused = refuse_goals(field, unit, goals, REACH, assaults=True)
    if refused is not None or not isinstance(target, Machine):
        return refused
    return refuse_places(target.thing, [Base(goal, unit.profile.base) for goal in goals])


@clause("V5-ASLT-2", "V5-CORE-16", "V5-CORE-9")
def charge(tape: Tape, work: Clash) -> Clash:
    """Charge; ground may slow it so much that nobody comes into contact, and then nobody moves."""
    unit, target = work.field.find(work.unit), work.field.find(work.target)
    if isinstance(unit, Machine):
        return _stride(tape, work, unit, target)
    marching = look_down(work.field, unit, work.goals)
    reach: int = tape.call(roll_reach, marching.slowed)
    ends = tuple(
        Base(towards(model.centre, goal, reach), model.radius)
        for model, goal in zip(unit.models, work.goals, strict=True)
    )
    touching = any(touches(end, thing) for end in ends for thing in things_of(target))
    if not touching or refuse_ends(work.field, unit, ends) is not None:
        return replace(work, field=work.field.changed(replace(unit, fought=True)))
    moved = replace(unit, models=ends, fought=True)
    after: Squad = tape.call(brave, moved, marching.risks)
    in_contact = any(touches(one, thing) for one in after.models for thing in things_of(target))
    return replace(work, field=work.field.changed(after), contact=in_contact)


@clause("V5-WALK-2", "V5-WALK-1")
def _stride(tape: Tape, work: Clash, walker: Machine, target: Unitlike) -> Clash:
    field = work.field
    end = walker_in_contact(walker, target)
    _, way = way_into_contact(walker, target)
    ready = replace(walker, hull=turned(walker.hull, end.heading), fought=True)
    if way <= TOLERANCE:
        return replace(work, field=field.changed(ready), contact=True)
    goal = end.centre
    ground = look_ahead(Crossing(field, walker.name, (goal,)), ready, end)
    kinds = [one.kind for one in field.grounds if hull_spans_along(ready.hull, (goal,), (one.ground,))]
    reach: int = tape.call(roll_reach, terrain.is_slowed(walker.traits, kinds))
    if way > reach + TOLERANCE:
        return replace(work, field=field.changed(replace(walker, fought=True)))
    if ground.tests and not tape.call(roll_tests, ground.tests):
        stuck = 0.0 if ground.inside else min(way, ground.enters or 0.0)
        condition = tape.call(suffer, field.fresh(walker), "immobilised")
        halted = replace(field.damaged(ready, condition), hull=driven(ready.hull, stuck))
        return replace(work, field=field.changed(halted), contact=touches(halted.thing, nearest_of(halted, target)[1]))
    return replace(work, field=field.changed(replace(ready, hull=end)), contact=True)
