"""Close combat: `assault` on vehicles and by walkers, and `fight` for the later rounds of a fight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from battletape.cards import Action, Inputs, Measure, Plan, asked, described
from battletape.field.contact import formation_into_contact
from battletape.field.measure import distance
from battletape.field.moves import ends_of, separate_paths
from battletape.field.setup import Spot, points_of
from battletape.field.state import Footprint
from battletape.rulebook import (
    Line,
    Procedure,
    Refused,
    Tape,
    clause,
    need,
    plural,
    raise_if_refused,
    replace,
    take_stage,
)
from battletape.rulesets.vehicles5.battle import losses, turn, words
from battletape.rulesets.vehicles5.battle.actions import move_unit
from battletape.rulesets.vehicles5.battle.actions._orders import UnitOrder, enemies
from battletape.rulesets.vehicles5.battle.actions.drive import crossing_of, drive_along
from battletape.rulesets.vehicles5.battle.state import BattleUnit, PendingAction, Squad, State, Vehicle
from battletape.rulesets.vehicles5.profiles.book import find_named
from battletape.rulesets.vehicles5.rules import assault, keywords, shooting, walkers
from battletape.rulesets.vehicles5.rules.damage import UNDAMAGED
from battletape.rulesets.vehicles5.rules.troops import refuse_charge_after
from battletape.table.bases import Base
from battletape.table.distances import gap, nearest_point
from battletape.table.hulls import Hull, driven, turned
from battletape.table.paths import stood_on
from battletape.table.points import TOLERANCE, Point, apart, bearing

Grenade = Annotated[str, described("Grenades used in place of blows", about="left out: it is asked")]
Grenadiers = Annotated[int, described("Models that use them", about="(0 = all that strike)", ge=0, le=100)]


class AssaultOrder(Inputs, frozen=True):
    """A squad or a walker charges a unit and strikes."""

    unit: str = ""
    target: str = ""
    places: tuple[Spot, ...] = asked((), "Where each model ends its charge")
    grenade: Grenade = ""
    grenadiers: Grenadiers = 0


class FightOrder(UnitOrder, frozen=True):
    """Units that are locked in a fight strike again; name the squad if it is to use grenades."""

    grenade: Grenade = ""
    grenadiers: Grenadiers = 0


@clause("V5-ASLT-1", "V5-CORE-16", "V5-WALK-6", "V5-WALK-7")
def plan_assault(state: State, order: AssaultOrder) -> Plan:
    """Refuse units that may not charge, and targets that they cannot reach or may not fight."""
    unit = turn.acting_unit(state, order.unit, "assault")
    _need_fresh(unit)
    target = state.find(order.target)
    if isinstance(target, Squad):
        both = "squads against squads are not part of these rules; vehicles can be assaulted"
        need(isinstance(unit, Vehicle), both, "V5-ASLT-1")
        transport = state.transport_of(target.name)
        need(not transport, f"{target.name}: aboard {transport}", "V5-TRAN-2", "aboard")
        turn.need_there(target)
    _need_attacker(state, unit, target)
    condition = target.condition if isinstance(target, Vehicle) else UNDAMAGED
    raise_if_refused(assault.refuse_assault(unit.side == target.side, condition))
    locked = f"{target.name}: locked in a fight, and this battle knows only fights between two units"
    need(not target.locked_with, locked, "V5-WALK-8", "locked")
    _need_grenade(unit, order)
    goals = goals_of(state, unit, target, order)
    raise_if_refused(_refuse_charge(state, unit, target, goals))
    work = PendingAssault(state, unit.name, target.name, goals, order.grenade, order.grenadiers)
    return Plan(declare_assault, work)


@clause("V5-ASLT-1", "V5-CORE-16")
def declare_assault(tape: Tape, work: PendingAssault) -> PendingAssault:
    """Declare which unit is charged."""
    tape.tell("{}: a charge at {}", work.unit, work.target)
    return work


@clause("V5-CORE-16")
def _need_fresh(unit: BattleUnit) -> None:
    need(not unit.fought, f"{unit.name}: fought already in this phase", "V5-CORE-16", "fought")


def _need_attacker(state: State, unit: BattleUnit, target: BattleUnit) -> None:
    if isinstance(unit, Squad):
        turn.need_free(state, unit, "assault")
        need(not unit.done.ran, f"{unit.name}: ran already in this turn", "V5-CORE-16", "ran")
        if unit.done.fired_no_charge:
            raise_if_refused(refuse_charge_after(unit.fire_modes(unit.done.fired_no_charge)[0]))
        return
    no_fighter = f"{unit.name} does not fight; tanks charge by tank shock and ram"
    need(unit.traits.walker, no_fighter, "V5-WALK-6", "type")
    situation = replace(state.situation(unit), other_target=unit.done.fired_at not in ("", target.name))
    raise_if_refused(walkers.refuse_action_now("assault", situation))


@clause("V5-ASLT-4")
def _need_grenade(unit: BattleUnit, order: AssaultOrder | FightOrder) -> None:
    """Refuse grenades that a squad does not have, and more than one for each model."""
    grenadiers = order.grenadiers
    if order.grenade or grenadiers:
        unnamed = f"grenadiers need a grenade: name what the {plural(grenadiers, 'model')} will use"
        need(order.grenade, unnamed, "V5-ASLT-4", "grenade")
        if order.grenade == walkers.BLOWS:
            return
        known = unit.profile.grenades if isinstance(unit, Squad) else ()
        need(known, f"{unit.name}: no grenades", "V5-ASLT-4", "grenade")
        find_named("grenade", order.grenade, known, source=unit.name)
        models = unit.models
        too_many = f"{plural(models, 'model')} left, so grenadiers must be {models} at most; got {grenadiers}"
        need(grenadiers <= models, f"{unit.name}: {too_many}", "V5-ASLT-4", "grenadiers")


def goals_of(state: State, unit: BattleUnit, target: BattleUnit, order: AssaultOrder) -> tuple[Point, ...]:
    """Return where the models of a squad end its charge."""
    if isinstance(unit, Vehicle):
        return ()
    return points_of(order.places) if order.places else goals_in_contact(state, unit.name, target.name)


class PendingAssault(PendingAction, frozen=True):
    """An assault: the charging unit, its target and goals, and the grenades it uses."""

    target: str
    goals: tuple[Point, ...] = ()
    grenade: str = ""
    grenadiers: int = 0
    contact: bool = False
    charges: bool = True  # False for a later round of a fight
    beaten_squad: str = ""  # has lost the fight and has yet to fall back

    @property
    def unit_and_target(self) -> tuple[BattleUnit, BattleUnit]:
        """Return the unit and its target."""
        return self.state.find(self.unit), self.state.find(self.target)

    @property
    def fighters(self) -> tuple[Vehicle, BattleUnit]:
        """Return the walker and its foe."""
        unit, target = self.unit_and_target
        if isinstance(unit, Vehicle):
            return unit, target
        assert isinstance(target, Vehicle)
        return target, unit


def _nearest_parts(footprints: Sequence[Footprint], others: Sequence[Footprint]) -> tuple[Footprint, Footprint]:
    return min(((own, other) for own in footprints for other in others), key=lambda pair: gap(*pair))


def _way_into_contact(footprints: Sequence[Footprint], others: Sequence[Footprint]) -> tuple[float, float]:
    own, other = _nearest_parts(footprints, others)
    goal = nearest_point(own.centre, other)
    touches = apart(own.centre, goal) <= TOLERANCE
    return 0.0 if touches else bearing(own.centre, goal), gap(own, other)


def goals_in_contact(state: State, squad: str, target: str) -> tuple[Point, ...]:
    """Return where a squad goes that walks straight on until its first model touches the target."""
    paths = formation_into_contact(state.bases(squad), state.field.footprints(target))
    return tuple(path[-1] for path in paths)


def _walker_in_contact(state: State, walker: Vehicle, target: str) -> Hull:
    hull, others = state.hull(walker.name), state.field.footprints(target)
    facing = turned(hull, _way_into_contact((walker.footprint_at(hull),), others)[0])
    way = _way_into_contact((walker.footprint_at(facing),), others)[1]  # a hull is longer than it is wide
    return driven(facing, way)


@clause("V5-ASLT-2", "V5-CORE-16")
def _refuse_charge(state: State, unit: BattleUnit, target: BattleUnit, goals: tuple[Point, ...]) -> Refused | None:
    others = state.field.footprints(target.name)
    refused = assault.refuse_reach(_way_into_contact(state.field.footprints(unit.name), others)[1], target.name)
    if refused is not None:
        return refused
    if isinstance(unit, Vehicle):
        end = unit.footprint_at(_walker_in_contact(state, unit, target.name))
        if stood_on(end, state.obstacles(unit.name, target.name)):
            return Refused(f"something is in the way of {unit.name}", "V5-TERR-4", "way")
        return None
    refused = move_unit.refuse_goals(state, unit, goals, assault.REACH, assaults=True)
    return refused or assault.refuse_contact([Base(goal, unit.profile.base) for goal in goals], others)


@clause("V5-ASLT-2", "V5-CORE-16", "V5-CORE-9")
def charge(tape: Tape, work: PendingAssault) -> PendingAssault:
    """Charge; if no model can come into contact, the unit stays where it is."""
    unit, target = work.unit_and_target
    if isinstance(unit, Vehicle):
        return _charge_with_walker(tape, work, unit, target)
    move = move_unit.survey_paths(work.state, unit, work.goals)
    reach: int = tape.call(assault.roll_reach, move.slowed)
    state, models = work.state.with_units(replace(unit, fought=True)), work.state.bases(unit.name)
    ends = ends_of(models, separate_paths(models, work.goals), reach)
    stays = assault.refuse_contact(ends, state.field.footprints(target.name))
    if stays or move_unit.refuse_ends(state, unit, ends, assaults=True):
        tape.tell(no_contact_line, unit.name, target.name)
        return replace(work, state=state)
    tape.tell(words.squad_moved, unit.name, models, ends)
    state = tape.call(move_unit.dangerous_terrain_tests, state.with_place(unit.name, *ends), unit.name, move.risks)
    return replace(work, state=state, contact=in_contact(state, unit.name, target.name))


def no_contact_line(unit: str, target: str) -> str:
    """Say that a charge falls short."""
    return f"{unit}: no contact with {target}, so no move"


def in_contact(state: State, unit: str, target: str) -> bool:
    """Return whether any part of a unit touches its target."""
    return assault.refuse_contact(state.field.footprints(unit), state.field.footprints(target)) is None


@clause("V5-WALK-2", "V5-WALK-1")
def _charge_with_walker(tape: Tape, work: PendingAssault, walker: Vehicle, target: BattleUnit) -> PendingAssault:
    hull, end = work.hull, _walker_in_contact(work.state, walker, target.name)
    fought = work.with_units(replace(walker, fought=True))
    ready = fought.state.with_place(walker.name, turned(hull, end.heading))
    way = _way_into_contact((walker.footprint_at(hull),), ready.field.footprints(target.name))[1]
    if way <= TOLERANCE:
        return replace(fought, state=ready, contact=True)
    path = (hull.centre, end.centre)
    areas = ready.terrain_on_way(walker.traits, ready.hull(walker.name), path[1:], end)
    crossing = crossing_of(ready, walker, path, areas)
    reach: int = tape.call(assault.roll_reach, crossing.slowed)
    if way > reach + TOLERANCE:
        tape.tell(no_contact_line, walker.name, target.name)
        return fought
    crossing = replace(crossing, declared=way, slowed=False)
    state, _ = drive_along(tape, ready, ready.vehicle(walker.name), path[1:], crossing)
    if not state.vehicle(walker.name).condition.is_stuck:
        state = state.with_place(walker.name, end)
    tape.tell(words.vehicle_place, walker.name, state.hull(walker.name))
    return replace(fought, state=state, contact=in_contact(state, walker.name, target.name))


@clause("V5-ASLT-3", "V5-ASLT-5", "V5-ASLT-7", "V5-WALK-16")
def charge_shots(tape: Tape, work: PendingAssault, unit: BattleUnit, target: Vehicle) -> tuple[shooting.Shot, ...]:
    """Return every blow of a charge at a vehicle that is not a walker."""
    state = work.state
    nearest = _nearest_parts(state.field.footprints(unit.name), state.field.footprints(target.name))[0]
    contact = shooting.facing_from(state.hull(target.name), nearest.centre, state.rulings)
    av = target.armour(assault.facing_struck(target.traits, contact, state.rulings))
    blow_target = walkers.BlowTarget(av, target.condition, target.traits.open_topped, target.done.assault_band)
    if isinstance(unit, Squad):
        blows = walkers.squad_blows(squad_fighter(tape, unit, target, work, blow_target), unit.models, True)
    else:
        blows = [walkers.walker_blow(unit.walker_fighter, state.condition(unit), True, state.rulings)]
    return walkers.shots_of_blows(blow_target, blows, unit.profile.ws or 1, state.rulings, unit.side)


@clause("V5-ASLT-3", "V5-ASLT-4")
def squad_fighter(
    tape: Tape, squad: Squad, vehicle: Vehicle, work: PendingAssault, target: walkers.BlowTarget
) -> walkers.SquadFighter:
    """Return a squad as it fights a vehicle; if the order names no grenade, its player chooses now."""
    struck = work.state.field.footprints(vehicle.name)[0]
    striking = assault.count_strikers(assault.gaps_to(struck, work.state.bases(squad.name)))
    named_grenade = work.grenade if squad.name == work.unit else ""
    grenades = {name: assault.grenade_blow(name, striking, squad.arsenal) for name in squad.profile.grenades}
    fighter = walkers.squad_fighter(
        squad.profile,
        squad.name,
        grenade=assault.grenade_blow(named_grenade, striking, squad.arsenal)
        if named_grenade and named_grenade != walkers.BLOWS
        else None,
        fearless=keywords.FEARLESS in squad.profile.rules,
        in_reach=max(striking, 1),
        grenadiers=work.grenadiers or walkers.ALL_MODELS,
        heavy=sum(count for name, count in squad.bearers(melee=True) if squad.fire_modes(name)[0].times > 1),
    )
    if named_grenade:
        return fighter
    charged = work.charges and squad.name == work.unit
    rulings = work.state.rulings
    return walkers.choose_grenade(tape, fighter, grenades, squad.models, charged, target, rulings, squad.side)


@clause("V5-ASLT-6", "V5-ASLT-8", "V5-WALK-8")
def strike_target(tape: Tape, work: PendingAssault) -> PendingAssault:
    """Fight a round, or strike a vehicle that does not fight."""
    if not work.contact:
        return work
    unit, target = work.unit_and_target
    if isinstance(target, Squad) or target.traits.walker:
        return fight_round(tape, work)
    blows = charge_shots(tape, work, unit, target)
    return shooting.fire_all(
        tape, work.state.condition_before_turn(target), blows, losses.after_damage, work, target.name
    )


@clause("V5-WALK-8", "V5-WALK-12", "V5-CORE-16")
def fight_round(tape: Tape, work: PendingAssault) -> PendingAssault:
    """Fight one round between a walker and its foe."""
    return tape.each(
        take_stage, _begin_fight(tape, work), walkers.ROUND, then=_after_round, rest=work, tell=still_locked_line
    )


def still_locked_line(work: PendingAssault, after: walkers.Fight) -> Line | None:
    """Say that two units stay locked in a fight."""
    walker, enemy = work.fighters
    return None if after.over else Line(f"{walker.name} and {enemy.name}: locked in a fight", ("V5-WALK-8",))


def _begin_fight(tape: Tape, work: PendingAssault) -> walkers.Fight:
    state = work.state
    walker, enemy = work.fighters
    condition = state.condition(walker)
    charger: walkers.Charger = "nobody"
    if work.charges:
        charger = "walker" if walker.name == work.unit else "foe"
    walker_target = walkers.walker_as_target(walker.walker_fighter, condition)
    opponent = (
        enemy.walker_fighter if isinstance(enemy, Vehicle) else squad_fighter(tape, enemy, walker, work, walker_target)
    )
    sides = (walker.side, enemy.side)
    fight = walkers.Fight(
        walker.walker_fighter, opponent, charger, condition, condition, sides=sides, rulings=state.rulings
    )
    if isinstance(enemy, Vehicle):
        return replace(fight, foe_condition=state.condition(enemy))
    return replace(fight, models=enemy.models, fielded=enemy.models, wounds_lost=enemy.wounds_lost)


def _after_round(work: PendingAssault, after: walkers.Fight) -> PendingAssault:
    """Return the work with both sides after a round."""
    state = work.state
    walker, enemy = work.fighters
    walker_after = state.with_damage(walker, after.walker_condition, state.condition(walker))
    enemy_after: BattleUnit
    if isinstance(enemy, Vehicle):
        assert after.foe_condition is not None
        enemy_after = state.with_damage(enemy, after.foe_condition, state.condition(enemy))
    else:
        enemy_after = enemy.with_models(after.models, after.wounds_lost)
    winner = walkers.won_by(after) if after.over else ""

    def fought(unit: BattleUnit, side: str, enemy: str) -> BattleUnit:
        locked = () if after.over else (enemy,)
        return replace(unit, locked_with=locked, fought=True, consolidates=winner == side)

    both = (fought(walker_after, "walker", enemy.name), fought(enemy_after, "foe", walker.name))
    return work.with_units(*both, beaten_squad=enemy.name if after.over == "foe_fled" else "")


@clause("V5-CORE-20")
def fall_back_if_beaten(tape: Tape, work: PendingAssault) -> PendingAssault:
    """Let a beaten squad fall back."""
    if not work.beaten_squad:
        return work
    return replace(work, state=tape.call(losses.fall_back, work.state, work.beaten_squad), beaten_squad="")


@clause("V5-WALK-8", "V5-CORE-16", "V5-ASLT-4")
def plan_fight(state: State, order: FightOrder) -> Plan:
    """Refuse units that are not locked in a fight, or have fought in this phase."""
    turn.need_phase(state, "assault", action="fights go on")
    unit = state.find(order.unit)
    need(unit.locked_with, f"{unit.name}: not locked in a fight", "V5-WALK-8", "locked")
    _need_fresh(unit)
    _need_grenade(unit, order)
    work = PendingAssault(state, unit.name, unit.locked_with[0], (), order.grenade, order.grenadiers, charges=False)
    return Plan(fight_on, work)


@clause("V5-WALK-8", "V5-CORE-16")
def fight_on(tape: Tape, work: PendingAssault) -> PendingAssault:
    """Begin the next round of a fight."""
    tape.tell("{} and {}: another round of their fight", work.unit, work.target)
    return work


@clause("V5-WALK-14", "V5-CORE-16")
def pile_in(tape: Tape, work: PendingAssault) -> PendingAssault:
    """Move soldiers without contact to the walker up to it again."""
    walker, squad = work.fighters
    if isinstance(squad, Squad) and distance(work.state.field, squad.name, walker.name):
        goals = goals_in_contact(work.state, squad.name, walker.name)
        if _refuse_charge(work.state, squad, walker, goals) is None:
            models = work.state.bases(squad.name)
            ends = ends_of(models, separate_paths(models, goals))
            tape.tell(words.squad_moved, squad.name, models, ends)
            return replace(work, state=work.state.with_place(squad.name, *ends), contact=True)
    return replace(work, contact=True)


def propose_assaults(state: State) -> Iterator[AssaultOrder]:
    """Propose each enemy within reach, with each kind of grenade."""
    for unit in state.on_table():
        if unit.side != state.active:
            continue
        for target in enemies(state):
            between = distance(state.field, unit.name, target.name)
            if between is not None and between <= assault.REACH:
                for grenade in _grenades(unit):
                    yield AssaultOrder(unit=unit.name, target=target.name, grenade=grenade)


def propose_rounds(state: State) -> Iterator[FightOrder]:
    """Propose the next round of each fight, with each kind of grenade."""
    for unit in state.units:
        if unit.locked_with and not unit.is_gone:
            yield from (FightOrder(unit=unit.name, grenade=grenade) for grenade in _grenades(unit))


def _grenades(unit: BattleUnit) -> tuple[str, ...]:
    return ("", *unit.profile.grenades) if isinstance(unit, Squad) else ("",)


MEASURES = (
    Measure("target_gone", "Target destroyed", lambda work: int(work.unit_and_target[1].is_lost)),
    Measure("own_gone", "Attacker destroyed", lambda work: int(work.unit_and_target[0].is_lost)),
    Measure("fled", "Fled off the table", lambda work: sum(squad.fled > 0 for squad in _squads(work)), "units"),
    Measure("contact", "Came into contact", lambda work: int(work.contact)),
)


def _squads(work: PendingAssault) -> tuple[Squad, ...]:
    return tuple(unit for unit in work.unit_and_target if isinstance(unit, Squad))


def forget_all_but_fighters(work: PendingAssault) -> PendingAssault:
    """Forget all but the two units, once the charge is over."""
    if not (work.contact or work.unit_and_target[0].fought):
        return work
    return replace(work, state=work.state.with_only(*work.unit_and_target))


ASSAULT = Action(
    "assault",
    "Charge and strike",
    AssaultOrder,
    plan_assault,
    Procedure("assault", (charge, strike_target, fall_back_if_beaten, losses.replace_destroyed)),
    propose_assaults,
    measures=MEASURES,
    clauses=("V5-ASLT-1", "V5-ASLT-6", "V5-WALK-8"),
    lens=lambda asked: ((PendingAssault, forget_all_but_fighters),),
)
FIGHT = Action(
    "fight",
    "Fight the next round of a fight",
    FightOrder,
    plan_fight,
    Procedure("fight", (pile_in, fight_round, fall_back_if_beaten, losses.replace_destroyed)),
    propose_rounds,
    measures=MEASURES[:-1],
    clauses=("V5-WALK-8", "V5-CORE-16"),
    lens=lambda asked: ((PendingAssault, forget_all_but_fighters),),
)
