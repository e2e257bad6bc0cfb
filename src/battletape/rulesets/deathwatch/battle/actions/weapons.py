"""What is done with weapons without firing them: `aim`, `brace`, `ready`, `drop`, `reload` and `clear_jam`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from battletape.cards import EACH, param
from battletape.rulebook import Procedure, Refused, Tape, by_name, clause, plural, refuses, replace
from battletape.rulesets.deathwatch.battle import acting
from battletape.rulesets.deathwatch.battle.state import Fighter, Held, State, is_adjacent
from battletape.rulesets.deathwatch.rules import guns
from battletape.table.points import Point


class Aiming(acting.OneUnit, frozen=True):
    """A fighter takes aim."""

    aim: acting.Pace = param("half", acting.HALF_OR_FULL, "DW-ACT-AIM", EACH)


class Loading(acting.OneWeapon, frozen=True):
    """A weapon is reloaded."""

    ammunition: str = param("", "What a launcher is loaded with", "DW-RWEP-24")


class Drawing(acting.OneWeapon, frozen=True):
    """A weapon is drawn, picked up or put away."""

    stow: bool = param(False, "Put it away instead", "DW-ACT-READY", "put away if in hand")


# --- what is refused --------------------------------------------------------------------------------------------------


def refuse_use(state: State, held: Held) -> Refused | None:
    """Why nothing can be done with a weapon: it is destroyed, or not in hand."""
    return guns.refuse_state(held.weapon, state.round, ready=held.in_hand, destroyed=held.destroyed)


@refuses("DW-ACT-BRACE-HEAVY-WEAPON")
def refuse_brace(state: State, who: Fighter, held: Held, order: acting.OneWeapon) -> Iterator[Refused | None]:
    """Why a weapon cannot be braced: it is not heavy, not in hand, or braced already."""
    by = "DW-ACT-BRACE-HEAVY-WEAPON"
    if held.weapon.kind != "Heavy":
        yield Refused(f"only heavy weapons are braced; {held.name} is {held.weapon.kind}", by, "kind")
    if not guns.needs_bracing(held.weapon, who.profile.no_bracing):
        yield Refused(f"{who.name} needs no bracing", by, "kind")
    if held.braced:
        yield Refused(f"{held.name} is braced already", by, "braced")
    yield refuse_use(state, held)


@refuses("DW-ACT-READY")
def refuse_ready(state: State, who: Fighter, held: Held, order: Drawing) -> Iterator[Refused | None]:
    """Why a weapon cannot be drawn, picked up or put away."""
    if held.destroyed:
        yield Refused(f"{held.name} is destroyed", "DW-QUAL-POWER-FIELD", "destroyed")
    if order.stow:
        yield refuse_drop(state, who, held, order)
    elif held.in_hand:
        yield Refused(f"{held.name} is in hand already", "DW-ACT-READY", "ready")
    elif held.lies_at is not None and not is_adjacent(who, at := Point(*held.lies_at)):
        yield Refused(f"{held.name} lies at ({at.x:g}, {at.y:g}), out of reach", "DW-ACT-READY", "range")
    elif held.hands > who.free_hands:
        full = ", ".join(weapon.name for weapon in who.held if weapon.in_hand and weapon.hands and not weapon.barrel_of)
        reason = f"{held.name} needs {plural(held.hands, 'free hand')}, {who.name} has {max(0, who.free_hands)}"
        helps = f"put away or drop {full or 'nothing helps: an arm is useless'}"
        yield Refused(f"{reason}; {helps}", "DW-ACT-READY", "hands")


@clause("DW-ECON-1", "DW-ACT-READY")
def refuse_drop(state: State, who: Fighter, held: Held, order: acting.OneWeapon) -> Refused | None:
    """Why a weapon cannot be dropped, which is free, or put away."""
    return None if held.in_hand else Refused(f"{held.name} is not in hand", "DW-ACT-READY", "ready")


@refuses("DW-ACT-RELOAD")
def refuse_reload(state: State, who: Fighter, held: Held, order: Loading) -> Iterator[Refused | None]:
    """Why a weapon cannot be reloaded: it is no gun, jammed, or its clip is full."""
    if held.weapon.melee:
        yield Refused(f"{held.name} is for melee and has no clip", "DW-ACT-RELOAD", "kind")
    yield refuse_use(state, held)
    if held.jammed:
        yield Refused(f"{held.name} is jammed; clear it first (clear_jam)", "DW-JAM-2", "jammed")
    if order.ammunition.strip().lower() not in ("", held.loaded.lower()):
        round_named(held, order.ammunition)
    else:
        yield guns.refuse_reload(held.clip, held.weapon.clip, f"{held.name} of {who.name}")


@clause("DW-JAM-2")
def refuse_clear(state: State, who: Fighter, held: Held, order: acting.OneWeapon) -> Refused | None:
    """Why a jam cannot be cleared: there is none."""
    return refuse_use(state, held) if held.jammed else Refused(f"{held.name} is not jammed", "DW-JAM-2", "jammed")


# --- what comes of it -------------------------------------------------------------------------------------------------


def round_named(held: Held, name: str) -> str:
    """What a launcher is loaded with, by its name."""
    return by_name("ammunition", name, held.rounds, source=held.name, clause="DW-RWEP-24").name


def reload(state: State, who: Fighter, held: Held, order: Loading, result: State) -> State:
    """One Full Action of a reload, for which any other is given up; the last one fills the clip."""
    wanted = guns.reload_actions(held.weapon.reload, held.qualities)
    fresh = guns.reload(held, wanted, held.weapon.clip)
    if order.ammunition.strip() and not fresh.reload_done:
        fresh = replace(fresh, loaded=round_named(held, order.ammunition))
    others = tuple(fresh if weapon.name == held.name else replace(weapon, reload_done=0) for weapon in who.held)
    return state.changed(replace(who, held=others))


@clause("DW-JAM-2")
def try_to_clear(tape: Tape, tried: acting.Attempt) -> acting.Attempt:
    """A Ballistic Skill test."""
    return replace(tried, done=guns.is_cleared(tape, tried.target, tried.name, tried.rules))


def becomes(change: Callable[[State, Fighter, Held, Any], Held]) -> acting.Finish:
    """What an action makes of the weapon that is named."""
    return lambda state, who, held, order, result: state.changed(who.with_held(change(state, who, held, order)))


AIM = acting.deed("aim", "Take aim", Aiming, "Aim ({aim})")(
    finish=lambda state, who, order, result: state.changed(replace(who, aim=order.aim))
)
BRACE = acting.deed("brace", "Brace a heavy weapon", acting.OneWeapon, "Brace Heavy Weapon", never="brace a weapon")(
    refuse=refuse_brace,
    finish=becomes(lambda state, who, held, order: replace(held, braced=True)),
    roles={"weapon": "heavy weapon"},
)
READY = acting.deed("ready", "Draw or put away a weapon", Drawing, "Ready", "DW-ECON-2", never="ready a weapon")(
    refuse=refuse_ready,
    finish=becomes(lambda _, who, held, order: replace(held, ready=not order.stow, lies_at=None, braced=False)),
)
DROP = acting.deed(
    "drop", "Drop a weapon", acting.OneWeapon, "Ready (free)", "DW-ECON-1", "DW-ACT-READY", never="drop a weapon"
)(
    refuse=refuse_drop,
    finish=becomes(lambda state, who, held, order: replace(held, lies_at=(who.x, who.y), braced=False)),
    spends=False,
    roles={"weapon": "weapon in hand"},
)
RELOAD = acting.deed("reload", "Reload a weapon", Loading, "Reload")(
    refuse=refuse_reload, finish=reload, roles={"weapon": "weapon with a clip"}
)
CLEAR_JAM = acting.deed("clear_jam", "Clear a jam", acting.OneWeapon, "Clear a Jam", "DW-JAM-2", never="clear a jam")(
    refuse=refuse_clear,
    begin=acting.begin_test("bs", ""),
    finish=becomes(lambda state, who, held, _: guns.clear_jam(held, True, state.rules.jam_clear_empties_clip)),
    roles={"weapon": "jammed weapon"},
    **acting.a_test(Procedure("clear a jam", (try_to_clear,)), "The jam is cleared", "Clears the jam", "cleared"),
)
