"""Close combat: `assault` on machines and by walkers, and `fight` for the later rounds of a fight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused, UnknownName
from battletape.inputs import Inputs
from battletape.procedure import Procedure, take_stage
from battletape.rulesets.vehicles5.battle.actions._orders import OneUnit, enemies, mine
from battletape.rulesets.vehicles5.battle.actions.drive import crossing_of, halted
from battletape.rulesets.vehicles5.battle.actions.embark import exit_of
from battletape.rulesets.vehicles5.battle.actions.move_unit import (
    brave,
    fall_back,
    look_down,
    refuse_ends,
    refuse_goals,
)
from battletape.rulesets.vehicles5.battle.destruction import clear_ruins
from battletape.rulesets.vehicles5.battle.log import aftermath, departure
from battletape.rulesets.vehicles5.battle.start import Spot
from battletape.rulesets.vehicles5.battle.state import Field, Machine, Squad, Unitlike, things_of
from battletape.rulesets.vehicles5.battle.table import grenade_of, in_the_way, points, walker_of
from battletape.rulesets.vehicles5.battle.turn import finish, over, refuse_gone, refuse_squad, refuse_turn
from battletape.rulesets.vehicles5.profiles.book import is_fearless
from battletape.rulesets.vehicles5.rules import assault, walkers
from battletape.rulesets.vehicles5.rules.assault import (
    REACH,
    Blow,
    aimed,
    grenade_blow,
    land_blow,
    refuse_places,
    roll_reach,
)
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.firing import refuse_charge_after
from battletape.rulesets.vehicles5.rules.geometry import facing_from
from battletape.rulesets.vehicles5.rules.shooting import Shot
from battletape.rulesets.vehicles5.rules.walkers import EVERYBODY, ROUND, Fight, Foot, fists, foot_blows
from battletape.rulesets.vehicles5.tables.printed import NEVER
from battletape.system import Action, Measure
from battletape.table.bases import Base
from battletape.table.distances import gap, nearest_point, touches
from battletape.table.hulls import Hull, driven, turned
from battletape.table.paths import stood_on
from battletape.table.points import TOLERANCE, Point, apart, bearing, step, towards
from battletape.tape import Forget, Tape
from battletape.words import plural


class Assault(Inputs, frozen=True):
    """A squad or a walker charges a unit and strikes."""

    unit: str = ""
    target: str = ""
    places: Annotated[tuple[Spot, ...], Meta(title="Where each model ends its charge")] = ()
    grenade: Annotated[str, Meta(title="Grenades used in place of blows")] = ""
    grenadiers: Annotated[int, Meta(title="Models that use them (0 = all who strike)", ge=0, le=100)] = 0


@clause("V5-ASLT-1", "V5-CORE-16", "V5-WALK-6", "V5-WALK-7")
def refuse_assault(field: Field, order: Assault) -> Refused | None:
    """Why a unit may not assault this target."""
    refused = refuse_turn(field, order.unit, "assault")
    if refused is not None:
        return refused
    unit, target = field.find(order.unit), field.find(order.target)
    if unit.fought or unit.locked_with:
        return Refused(f"{unit.name}: fought already, or locked in a fight", "V5-WALK-8", "locked")
    refused = _refuse_attacker(field, unit, target)
    if refused is None and target.locked_with:
        refused = Refused(f"{target.name}: locked in a fight; this battle knows fights of two", "V5-WALK-8", "locked")
    if refused is None and isinstance(target, Squad):
        refused = _refuse_squad_as_target(unit, target)
    if refused is None:
        refused = refuse_grenade(unit, order.grenade, order.grenadiers)
    return refused or refuse_charge(field, unit, target, goals_of(unit, target, order))


def _refuse_attacker(field: Field, unit: Unitlike, target: Unitlike) -> Refused | None:
    own = unit.side == target.side
    if isinstance(unit, Squad):
        refused = refuse_squad(field, unit)
        if refused is None and unit.ran:
            refused = Refused(f"{unit.name}: ran already in this turn", "V5-CORE-16", "ran")
        if refused is None and unit.fired_slow:
            refused = refuse_charge_after(unit.ways(unit.fired_slow)[0])
        return refused or assault.refuse_assault(own, True, exit_of(field, unit), target.is_gone)
    if not unit.traits.walker:
        return Refused(f"{unit.name} does not fight; tanks charge by tank shock and ram", "V5-WALK-6", "type")
    same = unit.fired_at in ("", target.name)
    state = field.condition(unit).state
    refused = walkers.refuse_walker(
        "assault", fired=bool(unit.fired_at), target_is_fired_unit=same, ran=unit.ran, state=state, rules=field.rules
    )
    return refused or assault.refuse_assault(own, True, None, target.is_gone)


def _refuse_squad_as_target(unit: Unitlike, target: Squad) -> Refused | None:
    if isinstance(unit, Squad):
        return Refused("squads against squads are not part of these rules; machines can be assaulted", "V5-ASLT-1")
    if target.aboard:
        return Refused(f"{target.name}: aboard {target.aboard}", "V5-TRAN-2", "aboard")
    return refuse_gone(target)


@clause("V5-ASLT-4")
def refuse_grenade(unit: Unitlike, name: str, grenadiers: int = 0) -> Refused | None:
    """Why a unit cannot use this grenade, or not with so many models."""
    if not name:
        reason = f"grenadiers wants to know which grenade the {plural(grenadiers, 'model')} will use"
        return Refused(f"{reason}: name it with grenade", "V5-ASLT-4", "grenade") if grenadiers else None
    models = len(unit.models) if isinstance(unit, Squad) else 0
    known = unit.profile.grenades if isinstance(unit, Squad) else ()
    if name.strip().lower() in (one.lower() for one in known):
        if grenadiers <= models:
            return None
        reason = f"{unit.name}: {plural(models, 'model')} left, so grenadiers wants {models} at most; got {grenadiers}"
        return Refused(reason, "V5-ASLT-4", "grenadiers")
    if not known:
        return Refused(f"{unit.name}: no grenades", "V5-ASLT-4", "grenade")
    raise UnknownName("grenade", name, known, source=unit.name)


def goals_of(unit: Unitlike, target: Unitlike, order: Assault) -> tuple[Point, ...]:
    """Where the models of a squad end its charge."""
    if isinstance(unit, Machine):
        return ()
    return points(order.places) if order.places else goals_in_contact(unit, target)


# --- the charge -----------------------------------------------------------------------------------------------------


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
    crossing = crossing_of(field, ready, (end.centre,), end)
    reach: int = tape.call(roll_reach, crossing.slowed)
    if way > reach + TOLERANCE:
        return replace(work, field=field.changed(replace(walker, fought=True)))
    after, stop = halted(tape, field, ready, replace(crossing, declared=way, slowed=False))
    if stop.row != "none":
        after = replace(after, hull=driven(ready.hull, stop.moved))
        return replace(work, field=field.changed(after), contact=touches(after.thing, nearest_of(after, target)[1]))
    return replace(work, field=field.changed(replace(after, hull=end)), contact=True)


# --- what they strike with ------------------------------------------------------------------------------------------


@clause("V5-ASLT-3", "V5-ASLT-5", "V5-ASLT-7", "V5-WALK-16")
def blows_at(field: Field, unit: Unitlike, target: Machine, work: Clash) -> tuple[Shot, ...]:
    """Every blow of a charge at a machine that is no walker."""
    state = field.condition(target).state
    needs = assault.to_hit(target.assault_band, state.immobilised)
    one, _ = nearest_of(unit, target)
    contact = facing_from(target.hull, one.centre, field.rules)
    av = target.armour(assault.facing(target.traits, contact, field.rules))
    if isinstance(unit, Squad):
        blows = foot_blows(foot_of(unit, target, work), len(unit.models), True)
    else:
        walker, own = walker_of(unit), field.condition(unit)
        intact = fists(walker, own, field.rules)
        count = walkers.attacks(walker.attacks, intact, True, own.state, field.rules)
        blows = [Blow(unit.name, count, walkers.strength(walker.strength, intact))]
    opened, rules = target.traits.open_topped, field.rules
    return tuple(shot for blow in blows for shot in (aimed(blow, needs, av, opened, rules, unit.side),) * blow.attacks)


@clause("V5-ASLT-3", "V5-ASLT-4")
def foot_of(squad: Squad, machine: Machine, work: Clash) -> Foot:
    """What does not change of a squad in a round of a fight with a machine."""
    one = squad.profile
    striking = len(assault.strikers_on_table(machine.thing, squad.models))
    grenade = replace(grenade_blow(work.grenade, striking), rules=one.rules) if work.grenade else None
    heavy = sum(count for name, count in squad.bearers(melee=True) if squad.ways(name)[0].times > 1)
    return Foot(
        one.ws,
        one.strength,
        one.initiative,
        one.attacks,
        one.toughness,
        one.wounds,
        one.save or NEVER,
        one.ld,
        one.two_weapons,
        grenade,
        is_fearless(one),
        max(striking, 1),
        one.rules,
        squad.name,
        work.grenadiers or EVERYBODY,
        heavy,
    )


class Round(OneUnit, frozen=True):
    """Those who are locked in a fight strike again; a squad that wants to use grenades is the one to name."""

    grenade: Annotated[str, Meta(title="Grenades used in place of blows")] = ""
    grenadiers: Annotated[int, Meta(title="Models that use them (0 = all who strike)", ge=0, le=100)] = 0


# --- the blows ------------------------------------------------------------------------------------------------------


def begin_assault(field: Field, order: Assault) -> Clash:
    """Ready to charge."""
    unit, target = field.find(order.unit), field.find(order.target)
    grenade = grenade_of(unit, order.grenade) if order.grenade and isinstance(unit, Squad) else ""
    return Clash(field, unit.name, target.name, goals_of(unit, target, order), grenade, order.grenadiers)


@clause("V5-ASLT-6", "V5-ASLT-8", "V5-WALK-8")
def come_to_blows(tape: Tape, work: Clash) -> Clash:
    """Strike: at a machine once and for all, with a walker a round of a fight."""
    if not work.contact:
        return work
    field = work.field
    unit, target = field.find(work.unit), field.find(work.target)
    if isinstance(target, Squad) or target.traits.walker:
        return fight_round(tape, work)
    blows = blows_at(field, unit, target, work)
    return tape.each(land_blow, field.fresh(target), blows, then=_landed, rest=work)


def _landed(work: Clash, now: Condition) -> Clash:
    field = work.field
    return replace(work, field=field.changed(field.damaged(field.machine(work.target), now)))


@clause("V5-WALK-8", "V5-WALK-12", "V5-CORE-16")
def fight_round(tape: Tape, work: Clash) -> Clash:
    """One round between a walker and its foe."""
    return tape.each(take_stage, _begin_fight(work), ROUND, then=_fought, rest=work)


def _sides(work: Clash) -> tuple[Machine, Unitlike]:
    """The walker and its foe."""
    unit, target = work.field.find(work.unit), work.field.find(work.target)
    walker, foe = (unit, target) if isinstance(unit, Machine) else (target, unit)
    assert isinstance(walker, Machine)
    return walker, foe


def _begin_fight(work: Clash) -> Fight:
    field, (walker, foe) = work.field, _sides(work)
    own = field.condition(walker)
    charges: Literal["walker", "foe", "nobody"] = "nobody"
    if work.charges:
        charges = "walker" if walker.name == work.unit else "foe"
    common: dict[str, Any] = {"sides": (walker.side, foe.side), "rules": field.rules}
    if isinstance(foe, Machine):
        other = field.condition(foe)
        return Fight(walker_of(walker), walker_of(foe), charges, own, own, foe_walker=other, **common)
    count, hurt = len(foe.models), foe.wounds_lost
    foot: Foot = foot_of(foe, walker, work)
    return Fight(walker_of(walker), foot, charges, own, own, models=count, hurt=hurt, fielded=count, **common)


def _fought(work: Clash, after: Fight) -> Clash:
    """Both sides after a round."""
    field, (walker, foe) = work.field, _sides(work)
    own = field.damaged(walker, after.walker, field.condition(walker))
    other: Any
    if isinstance(foe, Machine):
        assert after.foe_walker is not None
        other = field.damaged(foe, after.foe_walker, field.condition(foe))
    else:
        other = replace(foe, models=foe.models[: after.models], wounds_lost=after.hurt if after.models else 0)
    locked = not after.over
    won, lost = after.over in ("foe_destroyed", "foe_fled", "foe_swept"), after.over == "walker_destroyed"
    own = replace(own, locked_with=(foe.name,) if locked else (), fought=True, consolidates=won)
    other = replace(other, locked_with=(walker.name,) if locked else (), fought=True, consolidates=lost)
    beaten = foe.name if after.over == "foe_fled" else ""
    return replace(work, field=field.changed(own, other), beaten=beaten)


@clause("V5-CORE-20")
def break_off(tape: Tape, work: Clash) -> Clash:
    """Soldiers who were beaten and got away run for the edge of the table."""
    if not work.beaten:
        return work
    return replace(work, field=tape.call(fall_back, work.field, work.beaten), beaten="")


# --- later rounds ---------------------------------------------------------------------------------------------------


@clause("V5-WALK-8", "V5-CORE-16", "V5-ASLT-4")
def refuse_fight(field: Field, order: Round) -> Refused | None:
    """Why there is no round to fight: in each Assault phase, of either side, those who are locked fight once."""
    unit, ended = field.find(order.unit), over(field)
    if ended is not None:
        return Refused(f"the battle is over: {ended}", "V5-CORE-16", "over")
    if field.phase != "assault":
        return Refused(f"fights go on in the assault phase; it is the {field.phase} phase", "V5-CORE-16", "phase")
    if not unit.locked_with:
        return Refused(f"{unit.name}: locked in no fight", "V5-WALK-8", "locked")
    if unit.fought:
        return Refused(f"{unit.name}: fought already in this phase", "V5-CORE-16", "fought")
    return refuse_grenade(unit, order.grenade, order.grenadiers)


def begin_fight(field: Field, order: Round) -> Clash:
    """The next round of a fight."""
    unit = field.find(order.unit)
    grenade = grenade_of(unit, order.grenade) if order.grenade and isinstance(unit, Squad) else ""
    return Clash(field, unit.name, unit.locked_with[0], (), grenade, order.grenadiers, charges=False)


@clause("V5-WALK-14", "V5-CORE-16")
def pile_in(tape: Tape, work: Clash) -> Clash:
    """Soldiers who lost touch with the walker close up again."""
    unit, target = work.field.find(work.unit), work.field.find(work.target)
    squad, other = (unit, target) if isinstance(unit, Squad) else (target, unit)
    if isinstance(squad, Squad) and gap(*nearest_of(squad, other)) > 0:
        goals = goals_in_contact(squad, other)
        if refuse_charge(work.field, squad, other, goals) is None:
            models = tuple(replace(one, centre=goal) for one, goal in zip(squad.models, goals, strict=True))
            return replace(work, field=work.field.changed(replace(squad, models=models)), contact=True)
    return replace(work, contact=True)


# --- the cards ------------------------------------------------------------------------------------------------------


ASSAULTING = Procedure("assault", (charge, come_to_blows, break_off, clear_ruins))
FIGHTING = Procedure("fight", (pile_in, fight_round, break_off, clear_ruins))


def _assaults(field: Field) -> Iterator[Assault]:
    for one in mine(field, "assault"):
        if not things_of(one) or (isinstance(one, Squad) and one.aboard):
            continue
        for target in enemies(field):
            if gap(*nearest_of(one, target)) <= assault.REACH:
                yield Assault(unit=one.name, target=target.name)
                if isinstance(one, Squad):
                    grenades = (Assault(unit=one.name, target=target.name, grenade=it) for it in one.profile.grenades)
                    yield from grenades


def _locked(field: Field) -> Iterator[Round]:
    if field.phase == "assault":
        for one in field.units:
            if one.locked_with and not one.is_gone:
                yield Round(unit=one.name)
                if isinstance(one, Squad):
                    yield from (Round(unit=one.name, grenade=it) for it in one.profile.grenades)


def _gone(work: Clash) -> int:
    return int(work.field.find(work.target).is_lost)


def _own_gone(work: Clash) -> int:
    return int(work.field.find(work.unit).is_lost)


def _fled(work: Clash) -> int:
    return sum(one.fled > 0 for one in work.field.squads if one.name in (work.unit, work.target))


MEASURES = (
    Measure("target_gone", "Target destroyed", _gone),
    Measure("own_gone", "Attacker destroyed", _own_gone),
    Measure("fled", "Fled off the table", _fled, "units"),
    Measure("contact", "Came into contact", lambda work: int(work.contact)),
)


def fighters_alone(work: Clash) -> Clash:
    """Once they have come to blows, or failed to, the two units decide alone what becomes of them."""
    field, both = work.field, (work.unit, work.target)
    if not (work.contact or field.find(work.unit).fought):
        return work
    machines = tuple(one for one in field.machines if one.name in both)
    squads = tuple(one for one in field.squads if one.name in both)
    return replace(work, field=replace(field, machines=machines, squads=squads, grounds=()))


FORGOTTEN: Forget = ((Clash, fighters_alone),)


def fight_lens(asked: frozenset[str]) -> Forget:
    """Every measure is about the two units."""
    return FORGOTTEN


ASSAULT = Action(
    "assault",
    "Charge and strike",
    Assault,
    refuse_assault,
    begin_assault,
    ASSAULTING,
    finish,
    _assaults,
    measures=MEASURES,
    opens=departure,
    tell=aftermath,
    clauses=("V5-ASLT-1", "V5-ASLT-6", "V5-WALK-8"),
    lens=fight_lens,
)
FIGHT = Action(
    "fight",
    "Fight the next round of a fight",
    Round,
    refuse_fight,
    begin_fight,
    FIGHTING,
    finish,
    _locked,
    measures=MEASURES[:-1],
    clauses=("V5-WALK-8", "V5-CORE-16"),
    lens=fight_lens,
)
