"""The actions `end_phase` and `end_turn`."""

from __future__ import annotations

from battletape.cards import Action, Nothing, Plan, unchanged
from battletape.rulebook import Line, Procedure, Tape, clause, need, replace
from battletape.rulesets.vehicles5.battle import losses, turn
from battletape.rulesets.vehicles5.battle.state import Done, Squad, State
from battletape.rulesets.vehicles5.rules import damage, keywords, troops


@clause("V5-CORE-16", "V5-CORE-20")
def plan_end(state: State, order: Nothing) -> Plan:
    """End a phase once all units have done what must be done in it."""
    _need_done(state)
    return Plan(unchanged, state).then(end_phase)


def _need_done(state: State) -> None:
    """Refuse to go on while a squad has to fall back, or a fight to go on."""
    turn.need_phase(state)
    for squad in state.squads if state.phase == "movement" else ():
        waits = squad.side == state.active and squad.falling_back and not squad.done.fell_back and not squad.is_gone
        need(not waits, f"{squad.name} is on the run and has to fall back first", "V5-CORE-20", "falling_back")
    for unit in state.units if state.phase == "assault" else ():
        waits = bool(unit.locked_with) and not unit.fought and not unit.is_gone
        need(not waits, f"{unit.name}: locked in a fight, which comes first", "V5-CORE-16", "fight")


@clause("V5-CORE-16")
def plan_end_of_turn(state: State, order: Nothing) -> Plan:
    """End a turn at any time, unless a fight waits for its Assault phase."""
    _need_done(state)
    waits = state.phase != "assault" and any(unit.locked_with for unit in state.units)
    fights = "there are fights to fight in the Assault phase; end this phase first"
    need(not waits, fights, "V5-CORE-16", "fight")
    return Plan(unchanged, state).then(end_turn)


@clause("V5-CORE-5", "V5-CORE-20")
def test_morale_of_squads(tape: Tape, state: State) -> State:
    """Test the morale of squads with many losses at the end of a Shooting phase, by the ruling shooting_morale."""
    shaken = (squad.name for squad in state.squads if _is_shaken(state, squad))
    return tape.each(_test_squad, state, tuple(shaken)) if state.phase == "shooting" else state


def _is_shaken(state: State, squad: Squad) -> bool:
    idle = squad.falling_back or state.transport_of(squad.name) or squad.locked_with
    return not idle and troops.must_test_for_losses(squad.models_before_shooting, squad.models, state.rulings)


def _test_squad(tape: Tape, state: State, name: str) -> State:
    profile = state.squad(name).profile
    fearless = keywords.FEARLESS in profile.rules
    if tape.call(troops.test_morale, name, profile.ld, False, fearless):
        return state
    fled: State = tape.call(losses.fall_back, state, name)
    return fled


def _with_models_counted(state: State) -> State:
    """Count the models of squads at the beginning of a Shooting phase, where losses count."""
    if state.rulings.shooting_morale == "none":
        return state
    begins = state.phase == "shooting"
    return state.with_units(
        *(replace(squad, models_before_shooting=squad.models if begins else 0) for squad in state.squads)
    )


@clause("V5-CORE-16")
def end_phase(tape: Tape, state: State) -> State:
    """Begin the next phase, or the other player's turn after the last."""
    clock, ended = state.clock.next()
    if "player turn" in ended:
        return end_turn(tape, state)
    tape.tell("{} phase of {}", clock.phase.capitalize(), clock.active)
    return _with_models_counted(tape.call(turn.clear_smoke, replace(state, clock=clock)))


@clause("V5-CORE-16", "V5-DMG-1", "V5-DMG-2", "V5-SMOKE-3")
def end_turn(tape: Tape, state: State) -> State:
    """Pass the turn to the other player, whose units may act again; after the last one the game is over."""
    before, (clock, _) = state, state.clock.next_player()
    recovered = state.with_units(*(turn.recover(unit, state.turn) for unit in state.units))
    state = replace(recovered, clock=clock)
    if state.is_out_of_time:
        tape.tell("Player turn {} was the last", before.turn)
        return state
    tape.tell("Player turn {}: {}", state.turn, state.active)
    for was, now in zip(before.vehicles, state.vehicles, strict=True):
        tape.tell(recovery_line, now.name, before.condition(was), state.condition(now))
    rested = (replace(unit, done=Done()) for unit in state.units if unit.side == state.active and not unit.is_gone)
    return _with_models_counted(tape.call(turn.clear_smoke, state.with_units(*rested)))


def recovery_line(name: str, was: damage.Condition, now: damage.Condition) -> Line | None:
    """Say that a crew is no longer shaken or stunned."""
    ended = [(word, by) for word, by in _PASSING.items() if getattr(was, word) and not getattr(now, word)]
    if not ended:
        return None
    return Line(f"{name} is no longer {' or '.join(word for word, _ in ended)}", tuple(by for _, by in ended))


_PASSING = {"shaken": "V5-DMG-1", "stunned": "V5-DMG-2"}


MORALE_AT_END = Procedure("end of a phase", (test_morale_of_squads,))
END_PHASE = Action("end_phase", "End the phase", Nothing, plan_end, MORALE_AT_END, clauses=("V5-CORE-16", "V5-SMOKE-3"))
END_TURN = Action(
    "end_turn",
    "End the player turn",
    Nothing,
    plan_end_of_turn,
    MORALE_AT_END,
    clauses=("V5-CORE-16", "V5-DMG-1", "V5-DMG-2"),
    ends="turn",
)
