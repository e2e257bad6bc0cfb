"""What is done for oneself and others: `treat` wounds, `put_out` flames, `break_free` of snares, and `use_skill`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.procedure import Procedure
from battletape.rulesets.deathwatch.battle.acting import OneUnit, Who, chance_of, fighter_to, mine
from battletape.rulesets.deathwatch.battle.attack.prepare import target_of
from battletape.rulesets.deathwatch.battle.outcome import spend
from battletape.rulesets.deathwatch.battle.state import Fighter, State, apart, is_adjacent
from battletape.rulesets.deathwatch.rules import burning_and_bleeding
from battletape.rulesets.deathwatch.rules.qualities import effects
from battletape.rulesets.deathwatch.rules.tests import Contestant, check
from battletape.rulesets.deathwatch.rules.traits import Modifier
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.system import Action, Measure
from battletape.tape import Tape
from battletape.words import labelled


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


class Attempt(Struct, frozen=True, cache_hash=True):
    """A test as far as it has got."""

    name: str
    target: int
    what: str
    rules: Rulings
    strength: int = 0
    side: str = ""
    other: Contestant = Contestant(0)
    done: bool = False


@clause("DW-ACT-USE-A-SKILL", "DW-BLOOD-2", "DW-COND-FIRE")
def attempt(tape: Tape, tried: Attempt) -> Attempt:
    """One test."""
    return replace(tried, done=check(tape, tried.target, labelled(tried.name, tried.what), tried.rules))


@clause("DW-QUAL-SNARE")
def struggle(tape: Tape, tried: Attempt) -> Attempt:
    """Out of a snare by Strength or Agility, as its player likes."""
    return replace(tried, done=effects.break_free(tape, tried.strength, tried.target, tried.side, tried.rules))


ATTEMPT, STRUGGLE = Procedure("test", (attempt,)), Procedure("break free", (struggle,))
DONE = (Measure("done", "It succeeds", lambda tried: int(tried.done)),)


# --- blood, flames, snares --------------------------------------------------------------------------------------------


@clause("DW-BLOOD-2", "DW-ACT-USE-A-SKILL")
def refuse_treat(state: State, order: Care) -> Refused | None:
    """Why no bleeding can be stopped: there is none, it is out of reach, or the medic is not trained."""
    who = fighter_to(state, order.unit, "Use a Skill (full)", "treat anybody")
    if isinstance(who, Refused):
        return who
    other = state.find(order.target or who.name)
    if not isinstance(other, Fighter) or not other.conditions.blood_loss or other.is_dead:
        return Refused(f"{other.name} does not bleed", "DW-BLOOD-2", "target")
    if not is_adjacent(who, other):
        reason = f"{other.name} is {apart(who, other):g} m away; a medic must be within 2 m"
        return Refused(reason, "DW-BLOOD-2", "range")
    if not who.profile.medicae:
        return Refused(f"{who.name} is not trained in Medicae", "DW-BLOOD-2", "skill")
    return None


def begin_treat(state: State, order: Care) -> Attempt:
    """Medicae at -10."""
    who = state.fighter(order.unit)
    target = target_of(state, who, "int", who.profile.medicae, (burning_and_bleeding.TREAT,))
    return Attempt(who.name, target, "medicae", state.rules)


def finish_treat(state: State, order: Care, tried: Attempt) -> State:
    """The bleeding is stopped, or not."""
    state = spend(state, tried.name, "Use a Skill (full)")
    other = state.fighter(order.target or tried.name)
    if not tried.done:
        return state
    return state.changed(replace(other, conditions=replace(other.conditions, blood_loss=False)))


@clause("DW-COND-FIRE")
def refuse_put_out(state: State, order: OneUnit) -> Refused | None:
    """Why there is nothing to put out."""
    who = fighter_to(state, order.unit, "Put out Flames", "put out flames")
    if isinstance(who, Refused):
        return who
    return None if who.conditions.on_fire else Refused(f"{who.name} is not on fire", "DW-COND-FIRE", "fire")


def begin_put_out(state: State, order: OneUnit) -> Attempt:
    """Agility at -20."""
    who = state.fighter(order.unit)
    target = target_of(state, who, "ag", who.profile.agility, (burning_and_bleeding.PUT_OUT,))
    return Attempt(who.name, target, "agility (flames)", state.rules)


def finish_put_out(state: State, order: OneUnit, tried: Attempt) -> State:
    """The flames are out, or not."""
    state = spend(state, tried.name, "Put out Flames")
    who = state.fighter(tried.name)
    return state.changed(replace(who, conditions=replace(who.conditions, on_fire=False))) if tried.done else state


@clause("DW-QUAL-SNARE")
def refuse_break_free(state: State, order: OneUnit) -> Refused | None:
    """Why there is nothing to break free from."""
    who = fighter_to(state, order.unit, "Break Free", "break free")
    if isinstance(who, Refused):
        return who
    return None if who.conditions.immobilised else Refused(f"{who.name} is not held fast", "DW-QUAL-SNARE", "snare")


def begin_break_free(state: State, order: OneUnit) -> Attempt:
    """Strength or Agility."""
    who = state.fighter(order.unit)
    strength = target_of(state, who, "s", who.profile.strength)
    agility = target_of(state, who, "ag", who.profile.agility)
    return Attempt(who.name, agility, "break free", state.rules, strength, who.side)


def finish_break_free(state: State, order: OneUnit, tried: Attempt) -> State:
    """Free again, or not."""
    state = spend(state, tried.name, "Break Free")
    who = state.fighter(tried.name)
    return state.changed(replace(who, conditions=replace(who.conditions, immobilised=False))) if tried.done else state


@clause("DW-ACT-USE-A-SKILL")
def refuse_skill(state: State, order: Skill) -> Refused | None:
    """Why no skill can be used now."""
    who = fighter_to(state, order.unit, f"Use a Skill ({order.cost})", "use a skill")
    return who if isinstance(who, Refused) else None


def begin_skill(state: State, order: Skill) -> Attempt:
    """The skill with its modifier."""
    who = state.fighter(order.unit)
    added = (Modifier("difficulty", order.modifier, "DW-TEST-2"),) if order.modifier else ()
    target = target_of(state, who, "skill", order.value, added)
    return Attempt(who.name, target, order.skill.strip().lower() or "skill", state.rules)


def finish_skill(state: State, order: Skill, tried: Attempt) -> State:
    """The players say what it means."""
    return spend(state, tried.name, f"Use a Skill ({order.cost})")


# --- cards ------------------------------------------------------------------------------------------------------------


def _burning(state: State) -> Iterator[OneUnit]:
    fighter = mine(state)
    if fighter is not None and fighter.conditions.on_fire:
        yield OneUnit(unit=fighter.name)


def _held_fast(state: State) -> Iterator[OneUnit]:
    fighter = mine(state)
    if fighter is not None and fighter.conditions.immobilised:
        yield OneUnit(unit=fighter.name)


def _skills(state: State) -> Iterator[Skill]:
    fighter = mine(state)
    if fighter is not None:
        yield Skill(unit=fighter.name, value=fighter.profile.perception)


def attempt_card(
    name: str,
    title: str,
    inputs: type[Inputs],
    refuse: Callable[[State, Any], Refused | None],
    begin: Callable[[State, Any], Attempt],
    procedure: Procedure,
    finish: Callable[[State, Any, Attempt], State],
    *clauses: str,
    options: Callable[[State], Iterable[Inputs]] | None = None,
) -> Action:
    """An action of one test."""
    return Action(
        name,
        title,
        inputs,
        refuse,
        begin,
        procedure,
        finish,
        options,
        measures=DONE,
        headline=chance_of("done", "Succeeds"),
        clauses=clauses,
    )


TREAT = attempt_card(
    "treat",
    "Stop bleeding",
    Care,
    refuse_treat,
    begin_treat,
    ATTEMPT,
    finish_treat,
    *("DW-BLOOD-2", "DW-ACT-USE-A-SKILL"),
)
PUT_OUT = attempt_card(
    "put_out",
    "Put out flames",
    OneUnit,
    refuse_put_out,
    begin_put_out,
    ATTEMPT,
    finish_put_out,
    "DW-COND-FIRE",
    options=_burning,
)
BREAK_FREE = attempt_card(
    "break_free",
    "Break free",
    OneUnit,
    refuse_break_free,
    begin_break_free,
    STRUGGLE,
    finish_break_free,
    "DW-QUAL-SNARE",
    options=_held_fast,
)
USE_SKILL = attempt_card(
    "use_skill",
    "Use a skill",
    Skill,
    refuse_skill,
    begin_skill,
    ATTEMPT,
    finish_skill,
    "DW-ACT-USE-A-SKILL",
    options=_skills,
)
