"""What is done with weapons without firing them: `aim`, `brace`, `ready`, `drop`, `reload` and `clear_jam`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused, UnknownName
from battletape.inputs import Inputs
from battletape.procedure import Procedure
from battletape.rulesets.deathwatch.battle.acting import FIRST_IN_HAND, Who, chance_of, fighter_to, mine
from battletape.rulesets.deathwatch.battle.attack.prepare import target_of
from battletape.rulesets.deathwatch.battle.outcome import spend
from battletape.rulesets.deathwatch.battle.state import Fighter, Held, State, is_adjacent
from battletape.rulesets.deathwatch.rules import guns
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.system import Action, Measure, at_once
from battletape.tape import Tape
from battletape.words import plural


class Aiming(Inputs, frozen=True):
    """A fighter takes aim."""

    unit: Who = ""
    aim: Annotated[
        Literal["half", "full"], Meta(title="Half or Full Action", extra={"clause": "DW-ACT-AIM", "role": "aim"})
    ] = "half"


class OneWeapon(Inputs, frozen=True):
    """Something done with one weapon."""

    unit: Who = ""
    weapon: Annotated[str, Meta(title=FIRST_IN_HAND)] = ""


class Bracing(OneWeapon, frozen=True):
    """A heavy weapon is braced."""

    weapon: Annotated[str, Meta(title=FIRST_IN_HAND, extra={"role": "heavy weapon"})] = ""


class Dropping(OneWeapon, frozen=True):
    """A weapon is dropped."""

    weapon: Annotated[str, Meta(title=FIRST_IN_HAND, extra={"role": "weapon in hand"})] = ""


class Unjamming(OneWeapon, frozen=True):
    """A jam is cleared."""

    weapon: Annotated[str, Meta(title=FIRST_IN_HAND, extra={"role": "jammed weapon"})] = ""


class Loading(OneWeapon, frozen=True):
    """A weapon is reloaded."""

    weapon: Annotated[str, Meta(title=FIRST_IN_HAND, extra={"role": "weapon with a clip"})] = ""
    ammunition: Annotated[str, Meta(title="What a launcher is loaded with", extra={"clause": "DW-RWEP-24"})] = ""


class Drawing(OneWeapon, frozen=True):
    """A weapon is drawn, picked up or put away."""

    stow: Annotated[bool, Meta(title="Put it away instead", extra={"clause": "DW-ACT-READY"})] = False


def held_of(state: State, order: OneWeapon) -> tuple[Fighter, Held]:
    """The fighter and the weapon that are named."""
    who = state.fighter(order.unit)
    return who, who.carries(order.weapon)


def refuse_weapon(state: State, order: OneWeapon, action: str, what: str) -> Refused | None:
    """Why a fighter cannot do anything with this weapon."""
    who = fighter_to(state, order.unit, action, what)
    if isinstance(who, Refused):
        return who
    return None if who.held else Refused(f"{who.name} carries no weapon", "DW-ACT-READY", "weapon")


# --- aim and brace ----------------------------------------------------------------------------------------------------


@clause("DW-ACT-AIM")
def refuse_aim(state: State, order: Aiming) -> Refused | None:
    """Why a fighter cannot aim."""
    who = fighter_to(state, order.unit, f"Aim ({order.aim})", "aim")
    return who if isinstance(who, Refused) else None


def take_aim(state: State, order: Aiming) -> State:
    """The next attack is easier, unless anything else is done before it."""
    name = state.find(order.unit).name
    after = spend(state, name, f"Aim ({order.aim})")
    return after.changed(replace(after.fighter(name), aim=order.aim))


@clause("DW-ACT-BRACE-HEAVY-WEAPON")
def refuse_brace(state: State, order: Bracing) -> Refused | None:
    """Why a weapon cannot be braced: it is not heavy, not in hand, or braced already."""
    refused = refuse_weapon(state, order, "Brace Heavy Weapon", "brace a weapon")
    if refused is not None:
        return refused
    who, held = held_of(state, order)
    if held.weapon.kind != "Heavy":
        reason = f"only heavy weapons are braced; {held.name} is {held.weapon.kind}"
        return Refused(reason, "DW-ACT-BRACE-HEAVY-WEAPON", "kind")
    if not guns.needs_bracing(held.weapon, who.profile.no_bracing):
        return Refused(f"{who.name} needs no bracing", "DW-ACT-BRACE-HEAVY-WEAPON", "kind")
    if held.braced:
        return Refused(f"{held.name} is braced already", "DW-ACT-BRACE-HEAVY-WEAPON", "braced")
    return guns.refuse_state(held.weapon, state.round, ready=held.in_hand, destroyed=held.destroyed)


def brace(state: State, order: Bracing) -> State:
    """A heavy weapon rests on something until its bearer moves."""
    who, held = held_of(state, order)
    state = spend(state, who.name, "Brace Heavy Weapon")
    return state.changed(state.fighter(who.name).with_held(replace(held, braced=True)))


# --- ready and drop ---------------------------------------------------------------------------------------------------


@clause("DW-ACT-READY")
def refuse_ready(state: State, order: Drawing) -> Refused | None:
    """Why a weapon cannot be drawn, picked up or put away."""
    refused = refuse_weapon(state, order, "Ready", "ready a weapon")
    if refused is not None:
        return refused
    who, held = held_of(state, order)
    if held.destroyed:
        return Refused(f"{held.name} is destroyed", "DW-QUAL-POWER-FIELD", "destroyed")
    if order.stow:
        return None if held.in_hand else Refused(f"{held.name} is not in hand", "DW-ACT-READY", "ready")
    if held.in_hand:
        return Refused(f"{held.name} is in hand already", "DW-ACT-READY", "ready")
    if held.lies_at is not None and not is_adjacent(who, replace(who, x=held.lies_at[0], y=held.lies_at[1])):
        x, y = held.lies_at
        return Refused(f"{held.name} lies at ({x:g}, {y:g}), out of reach", "DW-ACT-READY", "range")
    if held.hands > who.free_hands:
        full = ", ".join(weapon.name for weapon in who.held if weapon.in_hand and weapon.hands)
        reason = f"{held.name} needs {plural(held.hands, 'free hand')}, {who.name} has {max(0, who.free_hands)}"
        return Refused(
            f"{reason}; put away or drop {full or 'nothing helps: an arm is useless'}", "DW-ACT-READY", "hands"
        )
    return None


def make_ready(state: State, order: Drawing) -> State:
    """A weapon comes to hand, or goes."""
    who, held = held_of(state, order)
    state = spend(state, who.name, "Ready")
    return state.changed(
        state.fighter(who.name).with_held(replace(held, ready=not order.stow, lies_at=None, braced=False))
    )


@clause("DW-ECON-1", "DW-ACT-READY")
def refuse_drop(state: State, order: Dropping) -> Refused | None:
    """Why a weapon cannot be dropped, which is free."""
    refused = refuse_weapon(state, order, "Ready (free)", "drop a weapon")
    if refused is not None:
        return refused
    _, held = held_of(state, order)
    return None if held.in_hand else Refused(f"{held.name} is not in hand", "DW-ACT-READY", "ready")


def drop(state: State, order: Dropping) -> State:
    """A weapon falls to the ground."""
    who, held = held_of(state, order)
    return state.changed(who.with_held(replace(held, lies_at=(who.x, who.y), braced=False)))


# --- reload and jams --------------------------------------------------------------------------------------------------


@clause("DW-ACT-RELOAD")
def refuse_reload(state: State, order: Loading) -> Refused | None:
    """Why a weapon cannot be reloaded: it is no gun, jammed, or its clip is full."""
    refused = refuse_weapon(state, order, "Reload", "reload")
    if refused is not None:
        return refused
    who, held = held_of(state, order)
    if held.weapon.melee:
        return Refused(f"{held.name} is for melee and has no clip", "DW-ACT-RELOAD", "kind")
    refused = guns.refuse_state(held.weapon, state.round, ready=held.in_hand, destroyed=held.destroyed)
    if refused is None and held.jammed:
        refused = Refused(f"{held.name} is jammed; clear it first (clear_jam)", "DW-JAM-2", "jammed")
    if refused is not None:
        return refused
    other = order.ammunition.strip().lower() not in ("", held.loaded.lower())
    if other and round_named(held, order.ammunition):
        return None
    return guns.refuse_reload(held.clip, held.weapon.clip, f"{held.name} of {who.name}")


def round_named(held: Held, name: str) -> str:
    """What a launcher is loaded with, by its name."""
    for round in held.rounds:
        if round.name.lower() == name.strip().lower():
            return round.name
    raise UnknownName("ammunition", name, [round.name for round in held.rounds], source=held.name, clause="DW-RWEP-24")


def reload(state: State, order: Loading) -> State:
    """One Full Action of a reload; the last one fills the clip."""
    who, held = held_of(state, order)
    state = spend(state, who.name, "Reload")
    wanted = guns.reload_actions(held.weapon.reload, held.qualities)
    done, clip = guns.reload(held.reload_done, wanted, held.clip, held.weapon.clip)
    load = round_named(held, order.ammunition) if order.ammunition.strip() and not done else held.loaded
    fresh = replace(held, reload_done=done, clip=clip, loaded=load)
    others = tuple(fresh if weapon.name == held.name else replace(weapon, reload_done=0) for weapon in who.held)
    return state.changed(replace(state.fighter(who.name), held=others))


@clause("DW-JAM-2")
def refuse_clear(state: State, order: Unjamming) -> Refused | None:
    """Why a jam cannot be cleared: there is none."""
    refused = refuse_weapon(state, order, "Clear a Jam", "clear a jam")
    if refused is not None:
        return refused
    _, held = held_of(state, order)
    if not held.jammed:
        return Refused(f"{held.name} is not jammed", "DW-JAM-2", "jammed")
    return guns.refuse_state(held.weapon, state.round, ready=held.in_hand, destroyed=held.destroyed)


Clearing = tuple[int, Rulings, str, bool]
"""Target of the test, how tests are read, who, and whether the jam is cleared."""


def begin_clear(state: State, order: Unjamming) -> Clearing:
    """Ballistic Skill, less fatigue and wounds."""
    who, _ = held_of(state, order)
    return target_of(state, who, "bs", who.profile.bs), state.rules, who.name, False


@clause("DW-JAM-2")
def try_to_clear(tape: Tape, clearing: Clearing) -> Clearing:
    """A Ballistic Skill test."""
    target, rules, name, _ = clearing
    return target, rules, name, guns.is_cleared(tape, target, name, rules)


def finish_clear(state: State, order: Unjamming, clearing: Clearing) -> State:
    """A weapon that is clear again has lost its clip."""
    who, held = held_of(state, order)
    after = guns.clear_jam(held.clip, clearing[3], state.rules.jam_clear_empties_clip)
    state = spend(state, who.name, "Clear a Jam")
    return state.changed(state.fighter(who.name).with_held(replace(held, jammed=after.jammed, clip=after.clip)))


# --- cards ------------------------------------------------------------------------------------------------------------


def _draws(state: State) -> Iterator[Drawing]:
    fighter = mine(state)
    if fighter is not None:
        for weapon in fighter.held:
            yield Drawing(unit=fighter.name, weapon=weapon.name, stow=weapon.in_hand)


AIM = at_once("aim", "Take aim", Aiming, refuse_aim, take_aim, "DW-ACT-AIM")
BRACE = at_once("brace", "Brace a heavy weapon", Bracing, refuse_brace, brace, "DW-ACT-BRACE-HEAVY-WEAPON")
READY = at_once("ready", "Draw or put away a weapon", Drawing, refuse_ready, make_ready, "DW-ACT-READY", options=_draws)
DROP = at_once("drop", "Drop a weapon", Dropping, refuse_drop, drop, "DW-ECON-1", "DW-ACT-READY")
RELOAD = at_once("reload", "Reload a weapon", Loading, refuse_reload, reload, "DW-ACT-RELOAD")
CLEARING = Procedure("clear a jam", (try_to_clear,))
CLEAR_JAM = Action(
    "clear_jam",
    "Clear a jam",
    Unjamming,
    refuse_clear,
    begin_clear,
    CLEARING,
    finish_clear,
    measures=(Measure("cleared", "The jam is cleared", lambda clearing: int(clearing[3])),),
    headline=chance_of("cleared", "Clears the jam"),
    clauses=("DW-JAM-2",),
)
