"""Care for oneself and others: `treat` wounds, `put_out` flames, `break_free` of snares, and `use_skill`."""

from __future__ import annotations

from typing import Any

from battletape.cards import Action, Plan, asked
from battletape.rulebook import Procedure, Tape, clause, need, replace
from battletape.rulesets.deathwatch.battle import referee
from battletape.rulesets.deathwatch.battle.changes import change
from battletape.rulesets.deathwatch.battle.referee import PendingTest, UnitOrder, card_of_test, test_target
from battletape.rulesets.deathwatch.battle.state import Fighter, State
from battletape.rulesets.deathwatch.rules import burning_and_bleeding, quality_effects, traits
from battletape.rulesets.deathwatch.rules.attack.fighters import target_of


class TreatOrder(UnitOrder, frozen=True):
    """A medic stops the bleeding of another fighter, or its own."""

    target: str = asked("", "Whose bleeding", "DW-BLOOD-2", about="its own if left out", role="bleeding friend")


class SkillOrder(UnitOrder, frozen=True):
    """A test of any skill."""

    skill: str = asked("Awareness", "Which skill")
    value: int = asked(30, "Its value", "DW-ACT-USE-A-SKILL", role="own perception", ge=0, le=150)
    modifier: int = referee.HOW_HARD
    cost: referee.Pace = asked("full", referee.HALF_OR_FULL)


@clause("DW-BLOOD-2", "DW-ACT-USE-A-SKILL")
def plan_treatment(state: State, order: TreatOrder) -> Plan:
    """Refuse to treat a unit that does not bleed or is out of reach, and a medic without training."""
    medic = referee.acting_fighter(state, order, "Use a Skill (full)", "treat anybody")
    patient = state.find(order.target) if order.target.strip() else medic
    bleeds = isinstance(patient, Fighter) and patient.conditions.blood_loss and not patient.is_dead
    need(bleeds, f"{patient.name} does not bleed", "DW-BLOOD-2", "target")
    referee.need_adjacent(state, medic, patient, "a medic must be within 2 m", "DW-BLOOD-2")
    need(medic.profile.medicae, f"{medic.name} is not trained in Medicae", "DW-BLOOD-2", "skill")
    target = test_target(state, medic, "medicae", burning_and_bleeding.TREAT)
    full = replace(order, unit=medic.name, target=patient.name)
    attempt = PendingTest(medic.name, target, "medicae", state.rulings)
    plan = Plan(referee.begin_attempt, attempt, order=full)
    return plan.then(end_conditions, state, "Use a Skill (full)", patient.name, {"blood_loss": False})


@clause("DW-COND-FIRE")
def plan_putting_out(state: State, order: UnitOrder) -> Plan:
    """Refuse a fighter that is not on fire."""
    fighter = referee.acting_fighter(state, order, "Put out Flames", "put out flames")
    referee.need_condition(fighter, "on_fire", "is not on fire", "DW-COND-FIRE", "fire")
    target = test_target(state, fighter, "agility", burning_and_bleeding.PUT_OUT)
    attempt = PendingTest(fighter.name, target, "agility (flames)", state.rulings)
    full = replace(order, unit=fighter.name)
    ends = {"on_fire": False}
    return Plan(referee.begin_attempt, attempt, order=full).then(
        end_conditions, state, "Put out Flames", fighter.name, ends
    )


@clause("DW-QUAL-SNARE")
def plan_breaking_free(state: State, order: UnitOrder) -> Plan:
    """Refuse a fighter that is not held fast."""
    fighter = referee.acting_fighter(state, order, "Break Free", "break free")
    referee.need_condition(fighter, "immobilised", "is not held fast", "DW-QUAL-SNARE", "snare")
    agility, strength = test_target(state, fighter, "agility"), test_target(state, fighter, "strength")
    attempt = PendingTest(fighter.name, agility, "break free", state.rulings, strength, fighter.side)
    full = replace(order, unit=fighter.name)
    ends = {"immobilised": False}
    return Plan(referee.begin_attempt, attempt, order=full).then(
        end_conditions, state, "Break Free", fighter.name, ends
    )


@clause("DW-QUAL-SNARE")
def try_to_break_free(tape: Tape, test: PendingTest) -> PendingTest:
    """Get out of a snare by Strength or Agility, as the player chooses."""
    done = quality_effects.break_free(tape, test.strength, test.target, test.side, test.rulings)
    return referee.tell_result(tape, replace(test, passed=done))


@clause("DW-ACT-USE-A-SKILL", "DW-BLOOD-2", "DW-COND-FIRE", "DW-QUAL-SNARE")
def end_conditions(tape: Tape, test: PendingTest, state: State, action: str, name: str, ends: dict[str, Any]) -> State:
    """Note the action; if its test has succeeded, these conditions of a fighter end."""
    state = referee.spend(tape, state, test.name, action)
    return change(tape, state, state.fighter(name).with_conditions(**ends)) if test.passed else state


@clause("DW-ACT-USE-A-SKILL")
def plan_skill(state: State, order: SkillOrder) -> Plan:
    """Let a fighter test a skill with its modifier; the players say what it means."""
    action = f"Use a Skill ({order.cost})"
    fighter = referee.acting_fighter(state, order, action, "use a skill")
    added = (traits.Modifier("difficulty", order.modifier, "DW-TEST-2"),) if order.modifier else ()
    target = target_of(fighter, "skill", order.value, added, state.rulings)
    attempt = PendingTest(fighter.name, target, order.skill.strip().lower() or "skill", state.rulings)
    full = replace(order, unit=fighter.name)
    return Plan(referee.begin_attempt, attempt, order=full).then(end_conditions, state, action, fighter.name, {})


TREAT = Action(
    "treat",
    "Stop bleeding",
    TreatOrder,
    plan_treatment,
    clauses=referee.clauses_of("treat", "DW-BLOOD-2", "DW-ACT-USE-A-SKILL"),
    **card_of_test(),
)
PUT_OUT = Action(
    "put_out",
    "Put out flames",
    UnitOrder,
    plan_putting_out,
    roles={"unit": "burning fighter"},
    clauses=referee.clauses_of("put_out", "DW-COND-FIRE"),
    **card_of_test(),
)
BREAK_FREE = Action(
    "break_free",
    "Break free",
    UnitOrder,
    plan_breaking_free,
    roles={"unit": "fighter held fast"},
    clauses=referee.clauses_of("break_free", "DW-QUAL-SNARE"),
    **card_of_test(Procedure("break free", (try_to_break_free,))),
)
USE_SKILL = Action(
    "use_skill", "Use a skill", SkillOrder, plan_skill, clauses=referee.clauses_of("use_skill"), **card_of_test()
)
