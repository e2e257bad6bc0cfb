"""The clock of a battle: initiative, how turns begin and end, and which unit is next."""

from __future__ import annotations

from typing import NamedTuple

from battletape.rulebook import Tape, clause, labelled, replace
from battletape.rulesets.deathwatch.battle import referee, start
from battletape.rulesets.deathwatch.battle.changes import change
from battletape.rulesets.deathwatch.battle.state import Done, Fighter, Mob, State, Unit
from battletape.rulesets.deathwatch.rules import (
    actions,
    burning_and_bleeding,
    hordes,
    suppression,
    terrain,
)
from battletape.rulesets.deathwatch.rules.attack import fighters, records
from battletape.rulesets.deathwatch.rules.conditions import Conditions, end_turn
from battletape.rulesets.deathwatch.rules.damage import Hit
from battletape.rulesets.deathwatch.rules.traits import DEAD, SPOTS, DamageType
from battletape.rulesets.deathwatch.rules.wounds import Victim, lose_wounds


@clause("DW-ECON-1")
def roll_initiative(tape: Tape, state: State) -> State:
    """Roll a d10 and add the Agility bonus, for each unit without initiative."""
    late = tuple(InitiativeRoll(unit.name) for unit in state.units if not unit.initiative)
    return start.with_turn_order(tape.each(roll_for, state, late))


class InitiativeRoll(NamedTuple):
    """An initiative die, and whose it is."""

    subject: str


@clause("DW-ECON-1")
def roll_for(tape: Tape, state: State, die: InitiativeRoll) -> State:
    """Roll the initiative of one unit."""
    unit = state.find(die.subject)
    return change(tape, state, replace(unit, initiative=actions.initiative(tape, unit.name, unit.ab)))


# --- the start of a turn ----------------------------------------------------------------------------------------------


@clause("DW-ECON-1")
def begin_turn(tape: Tape, state: State) -> State:
    """Begin the turn of the active unit; if it is dead or dies of that, begin the next unit's."""
    for _ in range(2 * len(state.clock.order)):
        unit = state.find(state.active)
        if not unit.is_gone:
            tape.tell("Round {}: {}.", state.round, unit.name, clause="DW-ECON-1")
            state = start_turn(tape, state, unit)
            if not state.find(unit.name).is_gone:
                return state
        state = _next_in_order(state)
    return state


@clause("DW-BLOOD-1", "DW-COND-FIRE", "DW-HORDE-16", "DW-CRIT-2", "DW-ACT-DELAY")
def start_turn(tape: Tape, state: State, unit: Unit) -> State:
    """Do what the start of a turn does: blood loss, fire and wounds, or the nerve of a horde, in this order."""
    if isinstance(unit, Mob):
        ready = replace(unit, done=Done())
        return change(tape, state.with_units(ready), horde_morale(tape, state, ready))
    fighter = replace(unit, done=Done())
    state = state.with_units(fighter)
    if fighter.conditions.blood_loss and tape.call(
        burning_and_bleeding.dies_of_blood_loss, state.rulings.blood_loss_percent
    ):
        state = change(tape, state, _killed(fighter))
    fighter = state.fighter(fighter.name)
    if fighter.conditions.on_fire and not fighter.is_dead:
        state = _burn(tape, state, fighter)
    fighter = state.fighter(fighter.name)
    if fighter.conditions.hazard and not fighter.is_dead:
        state = _face_hazard(tape, state, fighter)
    return state


def _killed(fighter: Fighter) -> Fighter:
    return replace(fighter, health=DEAD, conditions=Conditions())


@clause("DW-COND-FIRE", "DW-FAT-1")
def _burn(tape: Tape, state: State, fighter: Fighter) -> State:
    """Let fire hurt and tire a fighter; unless it passes a Willpower test it may only run."""
    victim, hit = _victim_and_hit(state, fighter, "E")
    fighter = _with_victim(fighter, tape.call(burning_and_bleeding.burn_victim, victim, hit, about=fighter.name))
    state = change(tape, state, fighter)
    if fighter.is_out:
        return state
    willpower = referee.test_target(state, fighter, "willpower")
    if burning_and_bleeding.keeps_calm(tape, willpower, fighter.sealed, (), state.rulings, fighter.name):
        return state
    tape.tell("{} may only run.", fighter.name, clause="DW-COND-FIRE")
    return change(tape, state, fighter.with_done(screaming=True))


@clause("DW-CRIT-2")
def _face_hazard(tape: Tape, state: State, fighter: Fighter) -> State:
    result = burning_and_bleeding.face_hazard(tape, fighter.conditions.hazard, fighter.side)
    if result.dead:
        return change(tape, state, _killed(fighter))
    fighter = fighter.with_done(lies_still=result.lies_still, holds_wound=result.holds_wound)
    if result.damage:
        victim, hit = _victim_and_hit(state, fighter, "R")
        fighter = _with_victim(fighter, tape.call(lose_wounds, victim, hit, result.damage, about=fighter.name))
    return change(tape, state, fighter)


def _victim_and_hit(state: State, fighter: Fighter, letter: DamageType) -> tuple[Victim, Hit]:
    """Return a fighter about to be harmed, and a hit on its body that no armour stops."""
    profile, ap = fighter.profile, fighters.armour_of(fighter)[SPOTS.index("body")]
    toughness, agility = (
        referee.test_target(state, fighter, "toughness"),
        referee.test_target(state, fighter, "agility"),
    )
    body = records.body_of(fighter.tb, toughness, agility, profile.immune_blood_loss, state.rulings)
    hit = Hit("body", damage_type=letter, true_grit=profile.true_grit, armoured=ap > 0, ap=ap, body=body)
    hit = replace(hit, sudden_death=profile.kind == "minion")
    return Victim(fighter.health, by_spot=fighter.by_spot, conditions=fighter.conditions), hit


def _with_victim(fighter: Fighter, victim: Victim) -> Fighter:
    conditions = victim.conditions or fighter.conditions
    return replace(fighter, health=victim.health, by_spot=victim.by_spot, conditions=conditions)


@clause("DW-HORDE-16")
def horde_morale(tape: Tape, state: State, mob: Mob) -> Mob:
    """Test the nerve of a horde that lost much since its last turn."""
    disciplined = hordes.traits_of(mob.profile.traits).disciplined
    nerve = hordes.nerve_check(mob.starting, mob.magnitude, mob.lost_since, disciplined)
    label = labelled(mob.name, "willpower (break)")
    broken = hordes.breaks(tape, nerve, mob.profile.willpower, label, state.rulings)
    return replace(mob, broken=broken, lost_since=0)


# --- the end of a turn ------------------------------------------------------------------------------------------------


@clause("DW-ECON-1", "DW-PIN-2", "DW-STUN-1", "DW-ACT-FEINT")
def finish_turn(tape: Tape, state: State) -> State:
    """End a turn: pinning, stun and durations; then begin the next."""
    if state.interrupt:
        words = "{} has acted on the delay; the turn of {} goes on."
        tape.tell(words, state.interrupt, state.active, clause="DW-ACT-DELAY")
        return replace(state, interrupt="", entered=())
    unit = state.find(state.active)
    if not unit.is_dead:
        state = change(tape, state, recover(tape, state, unit))
    return begin_turn(tape, replace(_next_in_order(state), entered=()))


@clause("DW-PIN-2", "DW-STUN-1", "DW-ACT-RELOAD", "DW-ACT-FEINT", "DW-COND-SURPRISED", "DW-HORDE-9")
def recover(tape: Tape, state: State, unit: Unit) -> Unit:
    """Return a unit after the end of its turn."""
    if isinstance(unit, Mob):
        pinned = unit.pinned and not _recovers_from_pinning(tape, state, unit, unit.profile.willpower, unit.magnitude)
        return replace(unit, pinned=pinned, shot_at=False, surprised=False)
    if unit.conditions.pinned and _recovers_from_pinning(
        tape, state, unit, referee.test_target(state, unit, "willpower")
    ):
        unit = unit.with_conditions(pinned=False)
    if "Reload" not in unit.done.actions:
        unit = replace(unit, weapons=tuple(replace(weapon, reload_done=0) for weapon in unit.weapons))
    left = max(0, unit.feint_turns - 1)
    feints = {"feint_turns": left, "fooled_enemy": unit.fooled_enemy if left else ""}
    return replace(unit, conditions=end_turn(unit.conditions), shot_at=False, surprised=False, **feints)


def _recovers_from_pinning(tape: Tape, state: State, unit: Unit, willpower: int, *magnitudes: int) -> bool:
    target = suppression.recovery_target(willpower, unit.shot_at, magnitudes, state.rulings)
    return suppression.recovers_from_pinning(tape, unit.name, target, state.rulings)


@clause("DW-ECON-1", "DW-EVA-1")
def _next_in_order(state: State) -> State:
    """Make the next unit active; after the last, begin a round with fresh Reactions and thinner clouds."""
    clock, ended = state.clock.next_player()
    if "turn" not in ended:
        return replace(state, clock=clock)
    rested = tuple(replace(fighter, reactions_used=0) for fighter in state.fighters)
    field = replace(state.field, terrain=tuple(filter(None, map(terrain.a_round_older, state.field.terrain))))
    return replace(state, fighters=rested, field=field, clock=clock)


@clause("DW-COND-ENGAGED", "DW-ACT-GRAPPLE")
def apply_consequences(tape: Tape, state: State) -> State:
    """Release units from melee and grapple with units that are out, have run or have gone away."""
    for unit in state.units:
        others = [] if unit.is_out else [state.find(name) for name in unit.engaged_with]
        stays = tuple(other.name for other in others if not other.is_out and state.is_adjacent(unit, other))
        if stays != unit.engaged_with:
            unit = replace(unit, engaged_with=stays)
        if isinstance(unit, Fighter) and unit.grappled_with and unit.grappled_with not in stays:
            unit = replace(unit, grappled_with="", holds_other=False)
        state = change(tape, state, unit)
    return state
