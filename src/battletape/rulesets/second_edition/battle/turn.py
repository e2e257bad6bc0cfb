"""The turn: which models may act now, what is due at its start, and what ends with it."""

from __future__ import annotations

from typing import Literal

from battletape.cards import last_side
from battletape.rulebook import Refused, Tape, UnknownName, clause, need, plain, replace
from battletape.rulesets.second_edition.battle.state import (
    PHASES,
    CarriedWeapon,
    Fighter,
    Phase,
    PlacedMarker,
    State,
    figure_of,
)
from battletape.rulesets.second_edition.rules.blasts import Figure
from battletape.rulesets.second_edition.rules.fire import allowed_actions, start_of_turn
from battletape.rulesets.second_edition.rules.keywords import sets_on_fire
from battletape.rulesets.second_edition.rules.scatter import coverage_at
from battletape.rulesets.second_edition.rules.sustained import refuse_fire
from battletape.table.bases import Base

Activity = Literal["move", "shoot", "fight", "help"]


# --- guards ----------------------------------------------------------------------------------------------------------


@clause("SE-117", "SE-118")
def need_phase(state: State, phase: Phase) -> None:
    """Refuse what is done in another phase, and everything once the battle is over."""
    need_running(state)
    if state.phase == phase:
        return
    now = "the start of the turn" if state.phase == "start" else f"the {phase_name(state.phase)} phase"
    wanted = "at the start of a turn" if phase == "start" else f"in the {phase_name(phase)} phase"
    later = PHASES.index(phase) > PHASES.index(state.phase)
    remedy = "end this phase first" if later else "wait for the next turn"
    if state.phase == "start" and due_now(state):
        remedy = f"first comes: {due_text(state)}"
    need(False, f"that is done {wanted}, and it is {now}; {remedy}", "SE-118", "phase", at_all=True)


@clause("SE-117")
def need_running(state: State) -> None:
    """Refuse everything once only one side is left."""
    ended = last_side(state)
    need(not ended, f"the battle is over: {ended}", "SE-117", "over", at_all=True)


def phase_name(phase: Phase) -> str:
    """Write a phase as the book does."""
    return "hand-to-hand" if phase == "hand_to_hand" else phase


@clause("SE-117", "SE-24")
def acting_model(state: State, name: str, phase: Phase) -> Fighter:
    """Return the model of this name; refuse it unless it may act in this phase."""
    need_phase(state, phase)
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
    free = allowed_actions(fighter.result, fighter.condition.on_fire is not None, fighter.ignores, state.rules)
    if fighter.result == "burns" and not (free.may_shoot if activity in ("shoot", "fight") else free.may_move):
        reason = f"{fighter.name} burns and runs about, and does nothing else in this turn"
        return Refused(f"{reason}; others may beat out the flames", "SE-89", "burning")
    if fighter.result == "out" and activity != "fight" and not free.may_move:
        reason = f"the flames on {fighter.name} were put out in this turn, and it neither moves nor shoots"
        return Refused(f"{reason}; it acts again in its next turn", "SE-91", "extinguished")
    if fighter.helped and activity == "shoot":
        reason = f"{fighter.name} beat out flames in this turn, and helpers do not shoot"
        return Refused(f"{reason}; it shoots again in its next turn", "SE-94", "helped")
    return None


@clause("SE-109", "SE-110")
def refuse_second_action(fighter: Fighter, weapon: CarriedWeapon) -> Refused | None:
    """Refuse a model that has shot, or done something instead; each gunner of a vehicle counts alone."""
    used = (weapon,) if fighter.model.is_vehicle else fighter.weapons
    spent = next((other for other in used if other.used), None)
    if spent is None:
        return None
    did = {"fired": f"fired {spent.name}", "cleared": f"cleared a jam of {spent.name}", "held": "held its fire"}
    actor = f"the gunner of {spent.name}" if fighter.model.is_vehicle else fighter.name
    clause_id = "SE-110" if fighter.model.is_vehicle else "SE-109"
    return Refused(f"{actor} has {did[spent.used]} in this phase already; wait for the next turn", clause_id, "shot")


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


@clause("SE-118", "SE-67", "SE-87")
def due_now(state: State) -> tuple[tuple[str, str], ...]:
    """Return what may be done next at the start of a turn, one of these as its player likes; () if all is done."""
    tests = [placed_marker.name for placed_marker in state.markers if placed_marker.due == "test"]
    harms = [placed_marker.name for placed_marker in state.markers if placed_marker.due == "harm"]
    fires = [fighter.name for fighter in state.fighters if fighter.due and not fighter.is_gone]
    waiting = start_of_turn(tests or harms, fires, state.rules)
    if not waiting:
        return ()
    first = waiting[0][0]
    kind = "harm" if first == "marker" and not tests else first
    return tuple((kind, name) for what, name in waiting if what == first)


TASKS = {"marker": "test", "harm": "harm of", "fire": "Fire Test of"}


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
    waiting |= {fighter.name for fighter in state.fighters if fighter.due and kind == "fire"}
    done = f"nothing of the kind is due for {name}; due is: {due_text(state)}"
    need(name in waiting, done, "SE-118", "done")
    need(False, f"something else comes first: {due_text(state)}", "SE-118", "order")


def is_harmful(placed_marker: PlacedMarker) -> bool:
    """Return whether a marker harms those under it."""
    return placed_marker.marker.hit.strength is not None or sets_on_fire(placed_marker.marker.hit)


@clause("SE-80", "SE-40")
def figures_under(state: State, placed_marker: PlacedMarker) -> tuple[Figure, ...]:
    """Return the models on the table that lie under a marker, entirely or partly."""
    placed = [(fighter, fighter.base) for fighter in state.standing() if fighter.base is not None]
    if not placed_marker.placed or placed_marker.marker.status == "gone":
        return ()
    covered = coverage_at(Base(placed_marker.marker.centre, placed_marker.marker.radius), [base for _, base in placed])
    return tuple(
        figure_of(fighter, base, "friend" if fighter.side == placed_marker.owner else "enemy")
        for (fighter, base), cover in zip(placed, covered, strict=True)
        if cover != "missed"
    )


# --- from turn to turn -----------------------------------------------------------------------------------------------


@clause("SE-118", "SE-67", "SE-87")
def start_turn(state: State) -> State:
    """Start a turn: every marker is due, and so is every burning model of the active player."""
    fighters = tuple(
        replace(fighter, due=True) if fighter.side == state.active and fighter.is_burning else fighter
        for fighter in state.fighters
    )
    markers = tuple(
        replace(placed_marker, due="test" if placed_marker.marker.status == "active" else "")
        for placed_marker in state.markers
    )
    return replace(state, fighters=fighters, markers=markers, phase="start")


@clause("SE-68", "SE-78", "SE-91", "SE-111")
def end_turn(tape: Tape, state: State) -> State:
    """End a turn: markers on their way out go, weapons that waited have recharged, and the next player acts."""
    for placed_marker in state.markers:
        if placed_marker.marker.status != "active":
            tape.tell("{} is removed", placed_marker.name, clause="SE-68")
    markers = tuple(placed_marker for placed_marker in state.markers if placed_marker.marker.status == "active")
    fighters = tuple(_reset_turn(fighter) if fighter.side == state.active else fighter for fighter in state.fighters)
    at = (state.sides.index(state.active) + 1) % len(state.sides)
    after = replace(state, markers=markers, fighters=fighters, active=state.sides[at], turn=state.turn + (at == 0))
    after = start_turn(after)
    tape.tell("Turn {} of {} begins", after.turn, after.active, clause="SE-118")
    if due_now(after):
        tape.tell("Markers and fires come first: {}", due_text(after), clause="SE-118")
    return after


def _reset_turn(fighter: Fighter) -> Fighter:
    """Reset what a model did in its turn."""
    done = dict.fromkeys(("ignores", "beating_tried", "helped", "moved", "fought"), False)
    return replace(fighter, weapons=tuple(map(_recharged, fighter.weapons)), result="", **done)


def _recharged(weapon: CarriedWeapon) -> CarriedWeapon:
    waited = weapon.state.cooling and weapon.used != "fired"
    return replace(weapon, used="", state=replace(weapon.state, cooling=weapon.state.cooling and not waited))


@clause("SE-118", "SE-76", "SE-72")
def apply_consequences(tape: Tape, state: State) -> State:
    """Apply what follows from any action, and say when movement begins."""
    after = after_any_action(state)
    if after.phase != state.phase:
        tape.tell("Movement phase", clause="SE-118")
    return after


def after_any_action(state: State) -> State:
    """Take markers out of play that are gone; movement begins once everything is done that comes before it."""
    markers = []
    for placed_marker in state.markers:
        if placed_marker.marker.status == "gone":
            continue
        idle = placed_marker.due == "harm" and not (is_harmful(placed_marker) and figures_under(state, placed_marker))
        markers.append(replace(placed_marker, due="") if idle and placed_marker.placed else placed_marker)
    lit = [
        replace(fighter, condition=replace(fighter.condition, just_lit=False))
        for fighter in state.fighters
        if fighter.condition.just_lit
    ]
    state = replace(state.with_models(*lit) if lit else state, markers=tuple(markers))
    return replace(state, phase="movement") if state.phase == "start" and not due_now(state) else state


def turn_summary(state: State) -> dict[str, str]:
    """Return turn, phase and active side."""
    phase = "start of the turn" if state.phase == "start" else plain(state.phase)
    return {"turn": str(state.turn), "phase": phase, "side": state.active}
