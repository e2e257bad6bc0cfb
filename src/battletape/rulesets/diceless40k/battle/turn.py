"""The turn: the end of the battle, the units that may act now, and the end of a phase or a player turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import TypeVar

from battletape.field.clock import Clock
from battletape.field.score import MISSIONS, mission, verdict
from battletape.field.score import points as score_points
from battletape.field.state import ABOARD, OFF, RESERVE, TABLE
from battletape.rulebook import Refused, Tape, clause, listed, need, replace
from battletape.rulebook import inches as inches_text
from battletape.rulesets.diceless40k.battle.ground import check_morale
from battletape.rulesets.diceless40k.battle.pending import PendingAction
from battletape.rulesets.diceless40k.battle.state import (
    ARRIVING,
    CREW,
    HELD,
    BattleUnit,
    Phase,
    Squad,
    State,
    Vehicle,
    with_turns_alone,
)
from battletape.rulesets.diceless40k.rules.base_vehicles import SQUADRON_COHERENCY
from battletape.rulesets.diceless40k.rules.characteristics import RHINO_REPAIR, SERVITOR
from battletape.rulesets.diceless40k.rules.damage_rows import recover_crew, refuse_drive
from battletape.rulesets.diceless40k.rules.morale import must_check
from battletape.rulesets.diceless40k.rules.repairs import refuse_repair
from battletape.rulesets.diceless40k.rules.reserves import due
from battletape.rulesets.diceless40k.rules.space_marines import servitors_function
from battletape.table.points import TOLERANCE

U = TypeVar("U", Vehicle, Squad)


def battle_end(state: State) -> str | None:
    """Say which side has won: the only one left, or after the last turn the one that has lost fewer units."""
    left = [side for side in state.sides if any(state.units_left(side))]
    if len(left) < 2:
        return f"{left[0]} holds the field" if left else "Nobody is left"
    if not state.clock.over:
        return None
    if state.rulings.missions == "scored" and state.mission != MISSIONS[0].name:
        return verdict(points(state))
    lost = [sum(state.is_gone(unit) for unit in state.units if unit.side == side) for side in state.sides]
    score = f"after {state.clock.turns} turns {state.sides[0]} has lost {lost[0]} units and {state.sides[1]} {lost[1]}"
    if lost[0] == lost[1]:
        return f"A draw: {score}"
    return f"{state.sides[lost[0] > lost[1]]} wins: {score}"


@clause("DL-PREP.8")
def points(state: State) -> Mapping[str, int]:
    """Return the victory points of each side now, by the mission that the players have agreed on."""
    if state.rulings.missions == "noted":
        return {}
    lost = Counter(unit.side for unit in state.units if state.is_gone(unit))
    return score_points(state.field, mission(state.mission), lost, lambda position: holds(state, position.name))


@clause("DL-0.1", "DL-45.1")
def holds(state: State, name: str) -> bool:
    """Return whether a unit may hold objectives: models do that are not falling back, vehicles do not."""
    unit = state.find(name)
    return isinstance(unit, Squad) and not unit.falling_back


def where(state: State) -> Mapping[str, str]:
    """Return the turn, the phase, the side whose turn it is, and if it is night."""
    night = {"light": "night"} if state.night else {}
    return {**state.clock.where, **night}


# --- may it act -------------------------------------------------------------------------------------------------------


@lru_cache(8)
def closed_but_in(*phases: Phase) -> Callable[[State], Refused | None]:
    """Return the rule that closes an action in all other phases, and once the battle is over."""
    return partial(refuse_phase, phases)


@clause("DL-0.1")
def refuse_phase(phases: Sequence[Phase], state: State) -> Refused | None:
    """Refuse everything after the battle, and what belongs to another phase."""
    if state.phase in phases:
        return refuse_over(state)
    wanted = listed(phases, "or")
    reason = f"this belongs to the {wanted} phase; it is the {state.phase} phase"
    return refuse_over(state) or Refused(reason, "DL-0.1", "phase")


@clause("DL-0.1")
def refuse_over(state: State) -> Refused | None:
    """Refuse everything after the battle."""
    ended = battle_end(state)
    return Refused(f"the battle is over: {ended}", "DL-0.1", "over") if ended else None


def need_any(state: State, name: str, units: Iterable[BattleUnit], reason: str, clause_id: str = "DL-0.1") -> None:
    """Refuse an order that leaves a name open, where none of the units is left that it could name."""
    if not name.strip():
        need(any(not state.is_gone(unit) for unit in units), reason, clause_id, "none")


@clause("DL-0.1")
def need_vehicle(state: State, name: str, side: str) -> None:
    """Refuse an order that names no vehicle of a side that has none left."""
    need_any(
        state, name, (vehicle for vehicle in state.vehicles if vehicle.side == side), f"{side} has no vehicle left"
    )


@clause("DL-0.1")
def need_squad(state: State, name: str, side: str) -> None:
    """Refuse an order that names no unit of models of a side that has none left."""
    need_any(state, name, (squad for squad in state.squads if squad.side == side), f"{side} has no unit of models left")


@clause("DL-0.1")
def acting_unit(state: State, name: str, aboard: bool = False) -> BattleUnit:
    """Return the unit of this name; refuse it unless it may act now, on the table or `aboard` a vehicle as well."""
    unit = state.find(name)
    need_own(state, unit)
    need_in_play(state, unit, aboard)
    return unit


@clause("DL-0.1")
def need_own(state: State, unit: BattleUnit) -> None:
    """Refuse a unit of the side whose turn it is not."""
    of_turn = f"it is the turn of {state.active}; {unit.name} belongs to {unit.side}"
    need(unit.side == state.active, of_turn, "DL-0.1", "turn")


def acting_squad(state: State, name: str, otherwise: str) -> Squad:
    """Return the unit of models of this name; a vehicle is refused with the words `otherwise`."""
    need_squad(state, name, state.active)
    return of_kind(Squad, acting_unit(state, name), f"is a vehicle; {otherwise}")


def acting_vehicle(state: State, name: str, otherwise: str) -> Vehicle:
    """Return the vehicle of this name; other units are refused with the words `otherwise`."""
    need_vehicle(state, name, state.active)
    return of_kind(Vehicle, acting_unit(state, name), f"is no vehicle; {otherwise}")


def of_kind(kind: type[U], unit: BattleUnit, otherwise: str) -> U:
    """Return the unit if it is of this kind; else refuse it with these words."""
    if isinstance(unit, kind):
        return unit
    raise Refused(f"{unit.name} {otherwise}", "DL-0.1", "type")


@clause("DL-0.1", "DL-60.23")
def need_in_play(state: State, unit: BattleUnit, aboard: bool = False) -> None:
    """Refuse a unit that is destroyed or not on the table; where it may ride, also `aboard` a vehicle."""
    wreck = isinstance(unit, Vehicle) and unit.is_destroyed
    need(not wreck, f"{unit.name} is destroyed", "DL-60.23", "gone")
    need(not state.is_gone(unit), f"nobody is left of {unit.name}", "DL-6.2", "gone")
    where = state.where(unit)
    if where != TABLE and not (aboard and where == ABOARD):
        words = {
            ABOARD: f"rides in {state.carrier(unit)}; disembark first",
            ARRIVING: "has yet to be set up",
            CREW: "commands a tank",
        }
        need(False, f"{unit.name} {words.get(where, 'is in reserve')}", "DL-0.1", "away")


@clause("DL-0.1", "DL-45.1", "DL-SM-72.1")
def need_free(state: State, squad: Squad) -> None:
    """Refuse a unit that does not act of its own will: on the run, on the ground, locked in a fight, or with others."""
    name = squad.name
    on_the_run = f"{name} is falling back; it can only fall back on or regroup"
    need(not squad.falling_back, on_the_run, "DL-45.1", "falling_back")
    need(not squad.gone_to_ground, f"{name} has gone to ground and does nothing this turn", "DL-0.1", "gone_to_ground")
    need_unlocked(squad)
    need(not squad.joined, f"{name} acts with {squad.joined}; to act alone, leave it first", "DL-0.1", "joined")
    need(
        is_functional(state, squad),
        f"the servitors of {name} are mindlocked without a techmarine",
        "DL-SM-72.1",
        "mindlock",
    )


@clause("DL-0.1")
def need_unlocked(unit: BattleUnit) -> None:
    """Refuse a unit that is locked in a fight."""
    need(not unit.combat, f"{unit.name} is locked in combat; it can only fight", "DL-0.1", "locked")


@clause("DL-SM-72.1")
def is_functional(state: State, squad: Squad) -> bool:
    """Return whether a unit functions: servitors on their own do so for a turn only."""
    if not squad.groups_with(SERVITOR) or len(squad.groups_with(SERVITOR)) < sum(
        group.models > 0 for group in squad.groups
    ):
        return True
    return servitors_function(squad.turns_without, state.has_techmarine(squad), state.rulings)


# --- ends -------------------------------------------------------------------------------------------------------------


@clause("DL-45.1", "DL-94.2", "DL-SM-76.1", "DL-38.1")
def need_all_done(state: State) -> None:
    """Refuse to end a phase before what has to be done in it."""
    if state.phase == "movement":
        need_reserves_called(state)
        for unit in state.units_left(state.active):
            need_moved(state, unit)
    if state.phase == "assault":
        for unit in state.units:
            waits = unit.combat and not unit.fought and not state.is_gone(unit)
            need(not waits, f"{unit.name} is in combat; fight it first", "DL-38.1", "fight")


@clause("DL-94.2")
def need_reserves_called(state: State) -> None:
    """Refuse what comes after reserves that are due, until they are called."""
    need(state.reserves_called or not reserves_due(state), "reserves are due; call them first", "DL-94.2", "reserves")


@clause("DL-45.1", "DL-94.2", "DL-SM-76.1")
def need_moved(state: State, unit: BattleUnit) -> None:
    """Refuse to end the Movement phase before a unit has arrived, fallen back, or repaired itself."""
    need(state.where(unit) != ARRIVING, f"{unit.name} arrives this turn; set it up first", "DL-94.2", "arriving")
    if isinstance(unit, Squad):
        flees = unit.falling_back and not unit.moved and not unit.joined
        need(not flees, f"{unit.name} has to fall back or to regroup first", "DL-45.1", "falling_back")
    else:
        need(not repairs_itself(state, unit), f"{unit.name} has to repair itself first", "DL-SM-76.1", "repair")
        need_together(state, unit)


@clause("DL-0.1")
def need_together(state: State, vehicle: Vehicle) -> None:
    """Refuse to leave a vehicle apart from its squadron, as long as one of them can still drive."""
    squadron = state.squadron_of(vehicle)
    others = [gap for other in squadron[1:] if (gap := state.distance(vehicle, other)) is not None]
    late = next((member.name for member in squadron if can_follow(member)), "")
    if late and others and min(others) > SQUADRON_COHERENCY + TOLERANCE:
        text = f"{vehicle.name} is {inches_text(min(others))} from the rest of {vehicle.squadron}"
        reason = f"{text}, which stays within {SQUADRON_COHERENCY} inches; drive {late} first"
        need(False, reason, "DL-0.1", "squadron")


def can_follow(vehicle: Vehicle) -> bool:
    """Return whether a vehicle may still drive in this Movement phase."""
    return not vehicle.moved and not vehicle.combat and refuse_drive(vehicle.damage) is None


@clause("DL-94.2", "DL-94.6")
def reserves_due(state: State) -> bool:
    """Return whether a unit of the acting side comes from reserve."""
    held = len(state.reserves(HELD))
    return bool(held or due(len(state.reserves(RESERVE)), held, state.turn, rulings=state.rulings))


@clause("DL-SM-76.1")
def refuse_own_repair(state: State, vehicle: Vehicle) -> Refused | None:
    """Refuse a repair by a vehicle's crew that cannot, need not, or finds no line with damage."""
    why = ""
    if RHINO_REPAIR not in vehicle.profile.rules:
        why = "cannot repair itself; a techmarine could repair it"
    elif state.where(vehicle) != TABLE:
        why = "is not on the table"
    elif not vehicle.damage.immobilised:
        why = "is not immobilised, and repairs itself only then"
    elif vehicle.repaired:
        why = "has repaired itself in this turn"
    elif vehicle.moved:  # what stuck fast in this very turn waits for the next one
        why = "has moved in this turn; it repairs itself in the next"
    if why:
        return Refused(f"{vehicle.name} {why}", "DL-SM-76.1", "repair")
    return refuse_repair(vehicle.damage)


@clause("DL-SM-76.1")
def repairs_itself(state: State, vehicle: Vehicle) -> bool:
    """Return whether a vehicle's own crew repairs it this turn."""
    return refuse_own_repair(state, vehicle) is None


@clause("DL-8.1")
def end_of_phase_morale(tape: Tape, work: PendingAction) -> PendingAction:
    """Test every unit that lost a quarter of its models in this phase, not to blows."""
    for squad in work.state.squads:
        if (
            work.state.where(squad) == TABLE
            and not squad.combat
            and not squad.joined
            and must_check(squad.models_at_phase_start, squad.lost_in_phase)
        ):
            work = check_morale(tape, work, squad.name, "a quarter lost")
    return work


@clause("DL-0.1", "DL-PREP.8")
def next_phase(tape: Tape, state: State) -> State:
    """Begin the next phase of this turn, or the enemy's turn."""
    clock, ended = state.clock.next()
    if state.phase == "movement":
        state = state.with_units(*(end_movement(unit) for unit in state.units if unit.side == state.active))
    state = state.with_units(
        *(replace(squad, lost_in_phase=0, models_at_phase_start=squad.count) for squad in state.squads)
    )
    if "player turn" in ended:
        over: State = tape.call(end_player_turn, state, clock)
        return over
    tape.tell("{} phase of {}", clock.phase.capitalize(), clock.active)
    return replace(state, clock=clock)


@clause("DL-60.2", "DL-SM-73.1")
def end_movement(unit: BattleUnit) -> BattleUnit:
    """Return a unit after its Movement phase: an unmoved vehicle was immobile, and the ground is still again."""
    if isinstance(unit, Squad):
        return replace(unit, on_shaken_ground=False)
    return (
        replace(unit, on_shaken_ground=False)
        if unit.moved
        else replace(unit, on_shaken_ground=False, speed="immobile", inches=0.0)
    )


@clause("DL-60.19", "DL-50.5", "DL-PREP.8")
def end_player_turn(tape: Tape, state: State, clock: Clock) -> State:
    """End a player turn: crews recover, charges are spent, the warp is free again, and the clock goes on."""
    changed: list[BattleUnit] = []
    for unit in state.units:
        if isinstance(unit, Vehicle):
            own, now = unit.side == state.active, state.player_turn
            damage = recover_crew(unit.damage, own and unit.shaken_in < now, own and unit.stunned_in < now)
            if damage != unit.damage and not (damage.shaken or damage.stunned) and not state.is_gone(unit):
                tape.tell("{}: the crew has recovered; the boxes stay ticked", unit.name, clause="DL-60.19")
            changed.append(replace(unit, damage=damage, fought=False, charged=False, may_consolidate=False))
        else:
            risen = unit.side == state.active and unit.went_to_ground_in < state.player_turn
            down = unit.gone_to_ground and not risen
            if unit.gone_to_ground and risen and not state.is_gone(unit):
                tape.tell("{} gets up again", unit.name, clause="DL-20.1")
            changed.append(
                replace(unit, fought=False, charged=False, slowed=False, may_consolidate=False, gone_to_ground=down)
            )
    players = tuple(replace(player, warp_used=False) for player in state.players)
    state = replace(state.with_units(*changed), clock=clock, reserves_called=False, players=players)
    if clock.over:
        tape.tell("The last turn is over", clause="DL-0.1")
        return state
    tape.tell("Turn {}: {}", clock.turn, clock.active, clause="DL-0.1")
    return state.with_units(*(reset_turn(tape, state, unit) for unit in state.units if unit.side == clock.active))


@clause("DL-SM-57.2", "DL-SM-72.1", "DL-60.6")
def reset_turn(tape: Tape, state: State, unit: BattleUnit) -> BattleUnit:
    """Reset what a unit did last turn, at the start of its own turn."""
    if isinstance(unit, Vehicle):
        if unit.in_smoke and not state.is_gone(unit):
            tape.tell("{} is out of its smoke", unit.name, clause="DL-60.6")
        return replace(
            unit,
            moved=False,
            ran=False,
            rammed=False,
            fired_at="",
            repaired=False,
            in_smoke=False,
        )
    return replace(
        with_turns_alone(state, unit),
        moved=False,
        ran=False,
        boosted=False,
        fired_at="",
        fired_slow=False,
        repaired="",
        cast=False,
        cannot_assault=False,
        null_zone=False,
    )


@clause("DL-6.2", "DL-44.1", "DL-95.5")
def apply_consequences(tape: Tape, state: State) -> State:
    """Release units from combat with lost units and from lost leaders; passengers go with a removed vehicle."""
    changed: list[BattleUnit] = []
    lost: list[Squad] = []
    carriers = {position.name: position.aboard for position in state.field.positions if position.aboard}
    for unit in state.units:
        carrier = carriers.get(unit.name, "")
        if not (unit.combat or carrier or (isinstance(unit, Squad) and unit.joined)):
            continue
        now, gone = unit, state.is_gone(unit)
        if unit.combat:
            enemies = [enemy for enemy in state.in_combat(unit.combat) if enemy.side != unit.side]
            now = replace(unit, combat=0) if gone or not enemies else unit
            if not now.combat and not gone:
                tape.tell("{} is free of combat", unit.name, clause="DL-38.1")
        if isinstance(now, Squad):
            if carrier and not gone and state.field.position(carrier).where == OFF:
                tape.tell("{} is removed from play with {}", now.name, carrier, clause="DL-95.5")
                now = replace(now, joined="")
                lost.append(now)
            elif now.joined and (gone or state.is_gone(state.squad(now.joined))):
                if not gone:
                    tape.tell("{} is no longer with {}", now.name, now.joined, clause="DL-6.2")
                now = replace(now, joined="")
        if now is not unit:
            changed.append(now)
    if changed:
        state = state.with_units(*changed)
    return state.off_table(lost, OFF) if lost else state
