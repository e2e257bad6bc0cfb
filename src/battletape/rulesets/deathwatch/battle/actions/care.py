"""What is done for oneself and others: `treat` wounds, `put_out` flames, `break_free` of snares, and `use_skill`."""

from __future__ import annotations

from typing import Any

from battletape.cards import Action, Plan, asked
from battletape.rulebook import Procedure, Tape, clause, need, replace
from battletape.rulesets.deathwatch.battle import acting
from battletape.rulesets.deathwatch.battle.acting import OneUnit, PendingTest, card_of_test, needed
from battletape.rulesets.deathwatch.battle.changes import change
from battletape.rulesets.deathwatch.battle.state import Fighter, State
from battletape.rulesets.deathwatch.rules import burning_and_bleeding, quality_effects, traits
from battletape.rulesets.deathwatch.rules.attack.fighters import target_of


class Care(OneUnit, frozen=True):
    """A medic stops the bleeding of another fighter, or its own."""

    target: str = asked("", "Whose bleeding; its own if left out", "DW-BLOOD-2", role="bleeding friend")


class Skill(OneUnit, frozen=True):
    """A test of any skill."""

    skill: str = asked("Awareness", "Which skill")
    value: int = asked(30, "Its value", "DW-ACT-USE-A-SKILL", role="own perception", ge=0, le=150)
    modifier: int = acting.HOW_HARD
    cost: acting.Pace = asked("full", acting.HALF_OR_FULL)


@clause("DW-BLOOD-2", "DW-ACT-USE-A-SKILL")
def plan_treatment(state: State, order: Care) -> Plan:
    """Refuse to treat a unit that does not bleed or is out of reach, and a medic without training."""
    medic = acting.acting_fighter(state, order, "Use a Skill (full)", "treat anybody")
    patient = state.find(order.target) if order.target.strip() else medic
    bleeds = isinstance(patient, Fighter) and patient.conditions.blood_loss and not patient.is_dead
    need(bleeds, f"{patient.name} does not bleed", "DW-BLOOD-2", "target")
    acting.need_adjacent(medic, patient, "a medic must be within 2 m", "DW-BLOOD-2")
    need(medic.profile.medicae, f"{medic.name} is not trained in Medicae", "DW-BLOOD-2", "skill")
    target = needed(state, medic, "medicae", burning_and_bleeding.TREAT)
    full = replace(order, unit=medic.name, target=patient.name)
    attempt = PendingTest(medic.name, target, "medicae", state.rules)
    plan = Plan(acting.begin_attempt, attempt, order=full)
    return plan.then(relieve, state, "Use a Skill (full)", patient.name, {"blood_loss": False})


@clause("DW-COND-FIRE")
def plan_putting_out(state: State, order: OneUnit) -> Plan:
    """Refuse a fighter that is not on fire."""
    fighter = acting.acting_fighter(state, order, "Put out Flames", "put out flames")
    acting.need_condition(fighter, "on_fire", "is not on fire", "DW-COND-FIRE", "fire")
    target = needed(state, fighter, "agility", burning_and_bleeding.PUT_OUT)
    attempt = PendingTest(fighter.name, target, "agility (flames)", state.rules)
    full = replace(order, unit=fighter.name)
    ends = {"on_fire": False}
    return Plan(acting.begin_attempt, attempt, order=full).then(relieve, state, "Put out Flames", fighter.name, ends)


@clause("DW-QUAL-SNARE")
def plan_breaking_free(state: State, order: OneUnit) -> Plan:
    """Refuse a fighter that is not held fast."""
    fighter = acting.acting_fighter(state, order, "Break Free", "break free")
    acting.need_condition(fighter, "immobilised", "is not held fast", "DW-QUAL-SNARE", "snare")
    agility, strength = needed(state, fighter, "agility"), needed(state, fighter, "strength")
    attempt = PendingTest(fighter.name, agility, "break free", state.rules, strength, fighter.side)
    full = replace(order, unit=fighter.name)
    ends = {"immobilised": False}
    return Plan(acting.begin_attempt, attempt, order=full).then(relieve, state, "Break Free", fighter.name, ends)


@clause("DW-QUAL-SNARE")
def struggle(tape: Tape, tried: PendingTest) -> PendingTest:
    """Get out of a snare by Strength or Agility, as the player chooses."""
    done = quality_effects.break_free(tape, tried.strength, tried.target, tried.side, tried.rules)
    return acting.told(tape, replace(tried, done=done))


@clause("DW-ACT-USE-A-SKILL", "DW-BLOOD-2", "DW-COND-FIRE", "DW-QUAL-SNARE")
def relieve(tape: Tape, tried: PendingTest, state: State, action: str, name: str, ends: dict[str, Any]) -> State:
    """Note the action; if its test has succeeded, these conditions of a fighter end."""
    state = acting.spend(tape, state, tried.name, action)
    return change(tape, state, state.fighter(name).with_conditions(**ends)) if tried.done else state


@clause("DW-ACT-USE-A-SKILL")
def plan_skill(state: State, order: Skill) -> Plan:
    """Let a fighter test a skill with its modifier; the players say what it means."""
    action = f"Use a Skill ({order.cost})"
    fighter = acting.acting_fighter(state, order, action, "use a skill")
    added = (traits.Modifier("difficulty", order.modifier, "DW-TEST-2"),) if order.modifier else ()
    target = target_of(fighter, "skill", order.value, added, state.rules)
    attempt = PendingTest(fighter.name, target, order.skill.strip().lower() or "skill", state.rules)
    full = replace(order, unit=fighter.name)
    return Plan(acting.begin_attempt, attempt, order=full).then(relieve, state, action, fighter.name, {})


TREAT = Action(
    "treat",
    "Stop bleeding",
    Care,
    plan_treatment,
    clauses=acting.clauses_of("treat", "DW-BLOOD-2", "DW-ACT-USE-A-SKILL"),
    **card_of_test(),
)
PUT_OUT = Action(
    "put_out",
    "Put out flames",
    OneUnit,
    plan_putting_out,
    roles={"unit": "burning fighter"},
    clauses=acting.clauses_of("put_out", "DW-COND-FIRE"),
    **card_of_test(),
)
BREAK_FREE = Action(
    "break_free",
    "Break free",
    OneUnit,
    plan_breaking_free,
    roles={"unit": "fighter held fast"},
    clauses=acting.clauses_of("break_free", "DW-QUAL-SNARE"),
    **card_of_test(Procedure("break free", (struggle,))),
)
USE_SKILL = Action(
    "use_skill", "Use a skill", Skill, plan_skill, clauses=acting.clauses_of("use_skill"), **card_of_test()
)
