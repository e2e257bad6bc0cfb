"""The turn: which models may act now, what is due at its start, and what ends with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Literal

from battletape.cards import last_side
from battletape.rulebook import Refused, Tape, UnknownName, clause, need, plain, replace
from battletape.rulesets.second_edition.battle.state import (
    PHASES,
    CarriedWeapon,
    Done,
    Fighter,
    Phase,
    PlacedMarker,
    State,
    battle_end,
    figure_of,
)
from battletape.rulesets.second_edition.rules.blasts import Figure, Side
from battletape.rulesets.second_edition.rules.fire import allowed_actions, start_of_turn
from battletape.rulesets.second_edition.rules.keywords import sets_on_fire
from battletape.rulesets.second_edition.rules.scatter import coverage_at
from battletape.rulesets.second_edition.rules.sustained import refuse_fire
from battletape.table.bases import Base

Activity = Literal["move", "shoot", "fight", "help"]


# --- guards ----------------------------------------------------------------------------------------------------------


@lru_cache
def closed_but_in(phase: Phase) -> Callable[[State], Refused | None]:
    """Return the rule that closes an action in all other phases, and once the battle is over."""
    return partial(refuse_phase, phase)


@clause("SE-117", "SE-118")
def refuse_phase(phase: Phase, state: State) -> Refused | None:
    """Refuse what is done in another phase, and everything once the battle is over."""
    now = state.clock.phase
    if now == phase:
        return refuse_over(state)
    is_now = "the start of the turn" if now == "start" else f"the {phase_name(now)} phase"
    wanted = "at the start of a turn" if phase == "start" else f"in the {phase_name(phase)} phase"
    remedy = "end this phase first" if PHASES.index(phase) > state.clock.step else "wait for the next turn"
    if now == "start":
        remedy = f"first comes: {due_text(state)}"
    return refuse_over(state) or Refused(f"that is done {wanted}, and it is {is_now}; {remedy}", "SE-118", "phase")


@clause("SE-117")
def refuse_over(state: State) -> Refused | None:
    """Refuse everything once the battle is over."""
    return Refused(f"the battle is over: {battle_end(state)}", "SE-117", "over") if state.clock.over else None


@clause("SE-118")
def refuse_end(state: State) -> Refused | None:
    """Refuse to end anything while markers and fires are still to be tested, and once the battle is over."""
    if state.clock.phase == "start":
        return refuse_over(state) or Refused(f"first comes: {due_text(state)}", "SE-118", "due")
    return refuse_over(state)


def phase_name(phase: str) -> str:
    """Write a phase as the book does."""
    return "hand-to-hand" if phase == "hand_to_hand" else phase


@clause("SE-117", "SE-24")
def acting_model(state: State, name: str) -> Fighter:
    """Return the model of this name; refuse it unless it stands and it is its turn."""
    fighter = state.fighter(name)
    need_turn(state, fighter)
    need_standing(fighter)
    return fighter


@clause("SE-117")
def find_squad(state: State, name: str) -> tuple[Fighter, ...]:
    """Return all models of a unit; refuse the name of a single model of it."""
    try:
        return state.squad(name)
    except UnknownName:
        for fighter in state.fighters:
            whole = f"{fighter.name} is a single model; name its unit, {fighter.unit}"
            need(fighter.name.lower() != name.strip().lower(), whole, "SE-117", "unit")
        raise


@clause("SE-117")
def need_turn(state: State, fighter: Fighter) -> None:
    """Refuse a model that is not of the active side."""
    other = f"it is the turn of {state.active}; {fighter.name} belongs to {fighter.side}"
    need(fighter.side == state.active, other, "SE-117", "turn")


@clause("SE-24")
def need_standing(fighter: Fighter) -> None:
    """Refuse a model that has fallen."""
    need(not fighter.is_gone, f"{fighter.name} has fallen", "SE-24", "gone")


@clause("SE-89", "SE-91", "SE-94", "SE-95")
def refuse_by_fire(state: State, fighter: Fighter, activity: Activity) -> Refused | None:
    """Refuse a model that runs about in flames, was just put out, or beat out the flames of another."""
    done = fighter.done
    free = allowed_actions(done.result, fighter.condition.on_fire is not None, done.ignores, state.rulings)
    if done.result == "burns" and not (free.may_shoot if activity in ("shoot", "fight") else free.may_move):
        reason = f"{fighter.name} burns and runs about, and does nothing else in this turn"
        return Refused(f"{reason}; others may beat out the flames", "SE-89", "burning")
    if done.result == "out" and activity != "fight" and not free.may_move:
        reason = f"the flames on {fighter.name} were put out in this turn, and it neither moves nor shoots"
        return Refused(f"{reason}; it acts again in its next turn", "SE-91", "extinguished")
    if done.helped and activity == "shoot":
        reason = f"{fighter.name} beat out flames in this turn, and helpers do not shoot"
        return Refused(f"{reason}; it shoots again in its next turn", "SE-94", "helped")
    return None


@clause("SE-109", "SE-110")
def refuse_second_action(fighter: Fighter, weapon: CarriedWeapon) -> Refused | None:
    """Refuse a model that has shot, or done something instead; each gunner of a vehicle counts alone."""
    if not fighter.done.uses:
        return None
    is_vehicle = fighter.model.is_vehicle
    spent = [(name, use) for name, use in fighter.done.uses if name == weapon.name or not is_vehicle]
    if not spent:
        return None
    ((name, use), *_) = spent
    did = {"fired": f"fired {name}", "cleared": f"cleared a jam of {name}", "held": "held its fire"}
    actor = f"the gunner of {name}" if is_vehicle else fighter.name
    clause_id = "SE-110" if is_vehicle else "SE-109"
    return Refused(f"{actor} has {did[use]} in this phase already; wait for the next turn", clause_id, "shot")


@clause("SE-108", "SE-48", "SE-58")
def refuse_carried_weapon(weapon: CarriedWeapon) -> Refused | None:
    """Refuse a weapon that is destroyed, jammed or recharging, and grenades of which none is left."""
    if weapon.grenades_left == 0:
        return Refused(f"no {weapon.name} is left; use another weapon", "SE-58", "grenades")
    return refuse_fire(weapon.state, weapon.name)


def refuse_shooter(state: State, fighter: Fighter, weapon: CarriedWeapon) -> Refused | None:
    """Refuse a model that may not shoot with this weapon in the Shooting phase of its side."""
    return (
        refuse_by_fire(state, fighter, "shoot")
        or refuse_second_action(fighter, weapon)
        or refuse_carried_weapon(weapon)
    )


# --- the start of a turn ---------------------------------------------------------------------------------------------


@lru_cache(8)  # every action of another phase is refused with it
@clause("SE-118", "SE-67", "SE-87")
def due_now(state: State) -> tuple[tuple[str, str], ...]:
    """Return what may be done next at the start of a turn, one of these as its player likes; () if all is done."""
    places = units_to_place(state)
    if places:
        return tuple(("place", unit) for unit in places)
    tests = [placed_marker.name for placed_marker in state.markers if placed_marker.due == "test"]
    harms = [placed_marker.name for placed_marker in state.markers if placed_marker.due == "harm"]
    fires = [fighter.name for fighter in state.fighters if fighter.done.due and not fighter.is_gone]
    waiting = start_of_turn(tests or harms, fires, state.rulings)
    if not waiting:
        return ()
    first = waiting[0][0]
    kind = "harm" if first == "marker" and not tests else first
    return tuple((kind, name) for what, name in waiting if what == first)


def units_to_place(state: State) -> tuple[str, ...]:
    """Return the units that are still to be set up, in a game with deployment zones."""
    if not state.field.zones:
        return ()
    return tuple(
        dict.fromkeys(fighter.unit for fighter in state.standing() if not state.field.footprints(fighter.name))
    )


TASKS = {"place": "place of", "marker": "test", "harm": "harm of", "fire": "Fire Test of"}


def due_text(state: State) -> str:
    """Name everything that is due."""
    return ", ".join(f"{TASKS[kind]} {name}" for kind, name in due_now(state))


@clause("SE-118", "SE-87")
def need_due(state: State, kind: str, name: str, side: str = "") -> None:
    """Refuse what is not due at the start of this turn, is done already, or has to wait for something else."""
    need(not side or side == state.active, f"{name} takes its test at the start of the turn of {side}", "SE-87", "turn")
    if (kind, name) in due_now(state):
        return
    waiting = {
        placed_marker.name
        for placed_marker in state.markers
        if placed_marker.due == ("test" if kind == "marker" else kind)
    }
    waiting |= set(units_to_place(state)) if kind == "place" else set()
    waiting |= {fighter.name for fighter in state.fighters if fighter.done.due and kind == "fire"}
    done = f"nothing of the kind is due for {name}; due is: {due_text(state)}"
    need(name in waiting, done, "SE-118", "done")
    need(False, f"something else comes first: {due_text(state)}", "SE-118", "order")


def is_harmful(placed_marker: PlacedMarker) -> bool:
    """Return whether a marker harms those under it."""
    return placed_marker.hit.strength is not None or sets_on_fire(placed_marker.hit)


@clause("SE-80", "SE-40")
def figures_under(state: State, placed_marker: PlacedMarker) -> tuple[Figure, ...]:
    """Return the models on the table that lie under a marker, entirely or partly."""
    if not placed_marker.corners or placed_marker.status == "gone":
        return ()
    positions, disc = list(state.field.on_table()), Base(placed_marker.corners[0], placed_marker.radius)
    covered = coverage_at(disc, [position.bases[0] for position in positions])
    found = []
    for position, cover in zip(positions, covered, strict=True):
        side: Side = "friend" if position.side == placed_marker.owner else "enemy"
        if cover != "missed":
            found.append(figure_of(state.fighter(position.name), position.bases[0], side))
    return tuple(found)


# --- from turn to turn -----------------------------------------------------------------------------------------------


@clause("SE-118", "SE-67", "SE-87")
def start_turn(state: State) -> State:
    """Start a turn: every marker is due, and so is every burning model of the active player."""
    burning = (fighter for fighter in state.fighters if fighter.side == state.active and fighter.is_burning)
    state = state.with_models(*(replace(fighter, done=replace(fighter.done, due=True)) for fighter in burning))
    return state.with_markers(
        *(replace(marker, due="test" if marker.status == "active" else "") for marker in state.markers)
    )


@clause("SE-68", "SE-78", "SE-91", "SE-111")
def end_turn(tape: Tape, state: State) -> State:
    """End a turn: markers on their way out go, weapons that waited have recharged, and the next player acts."""
    removed = [marker.name for marker in state.markers if marker.status != "active"]
    for name in removed:
        tape.tell("{} is removed", name, clause="SE-68")
    rested = (_rested(fighter) for fighter in state.fighters if fighter.side == state.active)
    clock, _ = state.clock.next_player()
    after = replace(state.with_models(*rested), field=state.field.without_terrain(*removed), clock=clock)
    if clock.over:
        tape.tell("The last turn is over", clause="SE-117")
        return after
    after = start_turn(after)
    tape.tell("Turn {} of {} begins", clock.turn, clock.active, clause="SE-118")
    if due_now(after):
        tape.tell("Markers and fires come first: {}", due_text(after), clause="SE-118")
    return after


@clause("SE-111")
def _rested(fighter: Fighter) -> Fighter:
    """Return a model after its turn: weapons that waited have recharged."""
    fired = {name for name, use in fighter.done.uses if use == "fired"}
    weapons = tuple(_recharged(weapon) if weapon.name not in fired else weapon for weapon in fighter.weapons)
    return replace(fighter, weapons=weapons, done=Done())


def _recharged(weapon: CarriedWeapon) -> CarriedWeapon:
    return replace(weapon, state=replace(weapon.state, cooling=False)) if weapon.state.cooling else weapon


@clause("SE-118", "SE-76", "SE-72")
def apply_consequences(tape: Tape, state: State) -> State:
    """Apply what follows from any action, and say when movement begins."""
    after = after_any_action(state)
    if after.clock.step != state.clock.step:
        tape.tell("Movement phase", clause="SE-118")
    return after


def after_any_action(state: State) -> State:
    """Take markers out of play that are gone; movement begins once everything is done that comes before it.

    Once a single side is left, the battle is over.
    """
    gone = [marker.name for marker in state.markers if marker.status == "gone"]
    lit = [
        replace(fighter, condition=replace(fighter.condition, just_lit=False))
        for fighter in state.fighters
        if fighter.condition.just_lit
    ]
    state = replace(state.with_models(*lit), field=state.field.without_terrain(*gone)) if gone or lit else state
    idle = [replace(marker, due="") for marker in state.markers if marker.due == "harm" and _is_idle(state, marker)]
    state = state.with_markers(*idle) if idle else state
    if last_side(state):
        return replace(state, clock=replace(state.clock, over=True))
    is_ready = state.clock.phase == "start" and not due_now(state)
    return replace(state, clock=state.clock.next()[0]) if is_ready else state


def _is_idle(state: State, placed_marker: PlacedMarker) -> bool:
    """Return whether a marker on the table harms no model."""
    return bool(placed_marker.corners) and not (is_harmful(placed_marker) and figures_under(state, placed_marker))


def turn_summary(state: State) -> dict[str, str]:
    """Return turn, phase and active side."""
    phase = "start of the turn" if state.clock.phase == "start" else plain(state.clock.phase)
    return {"turn": str(state.clock.turn), "phase": phase, "side": state.active}
