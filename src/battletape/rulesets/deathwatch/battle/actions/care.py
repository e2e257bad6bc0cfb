"""What is done for oneself and others: `treat` wounds, `put_out` flames, `break_free` of snares, and `use_skill`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.procedure import Procedure
from battletape.rulesets.deathwatch.battle.acting import Attempt, OneUnit, Who, by_test, mine, options_if, unchanged
from battletape.rulesets.deathwatch.battle.attack.prepare import target_of
from battletape.rulesets.deathwatch.battle.state import Fighter, State, apart, is_adjacent
from battletape.rulesets.deathwatch.rules import burning_and_bleeding
from battletape.rulesets.deathwatch.rules.qualities import effects
from battletape.rulesets.deathwatch.rules.traits import Modifier
from battletape.tape import Tape


class Care(Inputs, frozen=True):
    """A medic stops the bleeding of another fighter, or its own."""

    unit: Who = ""
    target: Annotated[
        str,
        Meta(title="Whose bleeding; its own if left out", extra={"clause": "DW-BLOOD-2", "role": "bleeding friend"}),
    ] = ""


class Skill(Inputs, frozen=True):
    """A test of any skill."""

    unit: Who = ""
    skill: Annotated[str, Meta(title="Which skill")] = "Awareness"
    value: Annotated[int, Meta(title="Its value", ge=0, le=150, extra={"clause": "DW-ACT-USE-A-SKILL"})] = 30
    modifier: Annotated[int, Meta(title="How hard it is", ge=-60, le=60, extra={"clause": "DW-TEST-2"})] = 0
    cost: Annotated[Literal["half", "full"], Meta(title="Half or Full Action")] = "full"


# --- blood ------------------------------------------------------------------------------------------------------------


@clause("DW-BLOOD-2", "DW-ACT-USE-A-SKILL")
def refuse_treat(state: State, who: Fighter, order: Care) -> Refused | None:
    """Why no bleeding can be stopped: there is none, it is out of reach, or the medic is not trained."""
    other = state.find(order.target or who.name)
    if not isinstance(other, Fighter) or not other.conditions.blood_loss or other.is_dead:
        return Refused(f"{other.name} does not bleed", "DW-BLOOD-2", "target")
    if not is_adjacent(who, other):
        reason = f"{other.name} is {apart(who, other):g} m away; a medic must be within 2 m"
        return Refused(reason, "DW-BLOOD-2", "range")
    if not who.profile.medicae:
        return Refused(f"{who.name} is not trained in Medicae", "DW-BLOOD-2", "skill")
    return None


def begin_treat(state: State, who: Fighter, order: Care) -> Attempt:
    """Medicae at -10."""
    target = target_of(state, who, "int", who.profile.medicae, (burning_and_bleeding.TREAT,))
    return Attempt(who.name, target, "medicae", state.rules)


def finish_treat(state: State, who: Fighter, order: Care) -> State:
    """The bleeding is stopped."""
    return state.changed(state.fighter(order.target or who.name).suffering(blood_loss=False))


# --- flames and snares ------------------------------------------------------------------------------------------------


@clause("DW-COND-FIRE")
def refuse_put_out(state: State, who: Fighter, order: OneUnit) -> Refused | None:
    """Why there is nothing to put out."""
    return None if who.conditions.on_fire else Refused(f"{who.name} is not on fire", "DW-COND-FIRE", "fire")


def begin_put_out(state: State, who: Fighter, order: OneUnit) -> Attempt:
    """Agility at -20."""
    target = target_of(state, who, "ag", who.profile.agility, (burning_and_bleeding.PUT_OUT,))
    return Attempt(who.name, target, "agility (flames)", state.rules)


@clause("DW-QUAL-SNARE")
def refuse_break_free(state: State, who: Fighter, order: OneUnit) -> Refused | None:
    """Why there is nothing to break free from."""
    return None if who.conditions.immobilised else Refused(f"{who.name} is not held fast", "DW-QUAL-SNARE", "snare")


def begin_break_free(state: State, who: Fighter, order: OneUnit) -> Attempt:
    """Strength or Agility."""
    strength = target_of(state, who, "s", who.profile.strength)
    agility = target_of(state, who, "ag", who.profile.agility)
    return Attempt(who.name, agility, "break free", state.rules, strength, who.side)


@clause("DW-QUAL-SNARE")
def struggle(tape: Tape, tried: Attempt) -> Attempt:
    """Out of a snare by Strength or Agility, as its player likes."""
    return replace(tried, done=effects.break_free(tape, tried.strength, tried.target, tried.side, tried.rules))


# --- skills -----------------------------------------------------------------------------------------------------------


@clause("DW-ACT-USE-A-SKILL")
def begin_skill(state: State, who: Fighter, order: Skill) -> Attempt:
    """The skill with its modifier; the players say what it means."""
    added = (Modifier("difficulty", order.modifier, "DW-TEST-2"),) if order.modifier else ()
    target = target_of(state, who, "skill", order.value, added)
    return Attempt(who.name, target, order.skill.strip().lower() or "skill", state.rules)


def _skills(state: State) -> Iterator[Skill]:
    fighter = mine(state)
    if fighter is not None:
        yield Skill(unit=fighter.name, value=fighter.profile.perception)


TREAT = by_test(
    "treat",
    "Stop bleeding",
    Care,
    ("Use a Skill (full)", "treat anybody"),
    begin_treat,
    finish_treat,
    *("DW-BLOOD-2", "DW-ACT-USE-A-SKILL"),
    refuse=refuse_treat,
)
PUT_OUT = by_test(
    "put_out",
    "Put out flames",
    OneUnit,
    ("Put out Flames", "put out flames"),
    begin_put_out,
    lambda state, who, order: state.changed(who.suffering(on_fire=False)),
    "DW-COND-FIRE",
    refuse=refuse_put_out,
    options=options_if(OneUnit, lambda who: who.conditions.on_fire),
)
BREAK_FREE = by_test(
    "break_free",
    "Break free",
    OneUnit,
    ("Break Free", "break free"),
    begin_break_free,
    lambda state, who, order: state.changed(who.suffering(immobilised=False)),
    "DW-QUAL-SNARE",
    refuse=refuse_break_free,
    options=options_if(OneUnit, lambda who: who.conditions.immobilised),
    procedure=Procedure("break free", (struggle,)),
)
USE_SKILL = by_test(
    "use_skill",
    "Use a skill",
    Skill,
    (lambda state, order: f"Use a Skill ({order.cost})", "use a skill"),
    begin_skill,
    unchanged,
    "DW-ACT-USE-A-SKILL",
    options=_skills,
)
