"""What is done for oneself and others: `treat` wounds, `put_out` flames, `break_free` of snares, and `use_skill`."""

from __future__ import annotations

from collections.abc import Iterator

from battletape.cards import param
from battletape.rulebook import Procedure, Refused, Tape, clause, refuses, replace
from battletape.rulesets.deathwatch.battle import acting
from battletape.rulesets.deathwatch.battle.acting import Attempt, OneUnit, a_test, begin_test, deed, needed
from battletape.rulesets.deathwatch.battle.state import Fighter, State
from battletape.rulesets.deathwatch.rules import burning_and_bleeding, traits
from battletape.rulesets.deathwatch.rules.attack.fighters import target_of
from battletape.rulesets.deathwatch.rules.qualities import effects


class Care(OneUnit, frozen=True):
    """A medic stops the bleeding of another fighter, or its own."""

    target: str = param("", "Whose bleeding; its own if left out", "DW-BLOOD-2", "bleeding friend")


class Skill(OneUnit, frozen=True):
    """A test of any skill."""

    skill: str = param("Awareness", "Which skill")
    value: int = param(30, "Its value", "DW-ACT-USE-A-SKILL", "own perception", ge=0, le=150)
    modifier: int = acting.HOW_HARD
    cost: acting.Pace = param("full", acting.HALF_OR_FULL)


@refuses("DW-BLOOD-2", "DW-ACT-USE-A-SKILL")
def refuse_treat(state: State, who: Fighter, order: Care) -> Iterator[Refused | None]:
    """Why no bleeding can be stopped: there is none, it is out of reach, or the medic is not trained."""
    other = state.find(order.target or who.name)
    if not isinstance(other, Fighter) or not other.conditions.blood_loss or other.is_dead:
        yield Refused(f"{other.name} does not bleed", "DW-BLOOD-2", "target")
    yield acting.refuse_apart(who, other, "a medic must be within 2 m", "DW-BLOOD-2")
    if not who.profile.medicae:
        yield Refused(f"{who.name} is not trained in Medicae", "DW-BLOOD-2", "skill")


@clause("DW-QUAL-SNARE")
def struggle(tape: Tape, tried: Attempt) -> Attempt:
    """Out of a snare by Strength or Agility, as its player likes."""
    return replace(tried, done=effects.break_free(tape, tried.strength, tried.target, tried.side, tried.rules))


@clause("DW-ACT-USE-A-SKILL")
def begin_skill(state: State, who: Fighter, order: Skill) -> Attempt:
    """The skill with its modifier; the players say what it means."""
    added = (traits.Modifier("difficulty", order.modifier, "DW-TEST-2"),) if order.modifier else ()
    target = target_of(who, "skill", order.value, added, state.rules)
    return Attempt(who.name, target, order.skill.strip().lower() or "skill", state.rules)


TREATMENT = ("DW-BLOOD-2", "DW-ACT-USE-A-SKILL")
TREAT = deed("treat", "Stop bleeding", Care, "Use a Skill (full)", *TREATMENT, never="treat anybody")(
    refuse=refuse_treat,
    begin=begin_test("medicae", "medicae", burning_and_bleeding.TREAT),
    finish=acting.suffering(blood_loss=False),
    **a_test(),
)
PUT_OUT = deed("put_out", "Put out flames", OneUnit, "Put out Flames", "DW-COND-FIRE", never="put out flames")(
    refuse=acting.if_suffering("on_fire", "is not on fire", "DW-COND-FIRE", "fire"),
    begin=begin_test("agility", "agility (flames)", burning_and_bleeding.PUT_OUT),
    finish=acting.suffering(on_fire=False),
    roles={"unit": "burning fighter"},
    **a_test(),
)
BREAK_FREE = deed("break_free", "Break free", OneUnit, "Break Free", "DW-QUAL-SNARE")(
    refuse=acting.if_suffering("immobilised", "is not held fast", "DW-QUAL-SNARE", "snare"),
    begin=lambda state, who, order: Attempt(
        *(who.name, needed(state, who, "agility"), "break free", state.rules, needed(state, who, "strength"), who.side)
    ),
    finish=acting.suffering(immobilised=False),
    roles={"unit": "fighter held fast"},
    **a_test(Procedure("break free", (struggle,))),
)
USE_SKILL = deed("use_skill", "Use a skill", Skill, "Use a Skill ({cost})", never="use a skill")(
    begin=begin_skill, **a_test()
)
