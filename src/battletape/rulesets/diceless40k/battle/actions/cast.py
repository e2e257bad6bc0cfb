"""The action `cast`: a psyker uses a power, if the test is passed and no warp token stops it."""

from __future__ import annotations

from typing import Annotated, Literal

from battletape.cards import refusing as Action
from battletape.rulebook import Meta, Procedure, Refused, Tape, clause, replace
from battletape.rulebook import inches as told_inches
from battletape.rulesets.diceless40k.battle.actions.reserves import Strike, land, refuse_landing
from battletape.rulesets.diceless40k.battle.board import COHERENCY, known_distance, refuse_hood
from battletape.rulesets.diceless40k.battle.deed import (
    ATTACK_MEASURES,
    Deed,
    begin_deed,
    finish_deed,
    glance,
    headline,
    share_losses,
    take_psyker_test,
)
from battletape.rulesets.diceless40k.battle.markers import ShotOrder
from battletape.rulesets.diceless40k.battle.shooting import volley_of, volley_stages
from battletape.rulesets.diceless40k.battle.start import Hood, Inches, Place
from battletape.rulesets.diceless40k.battle.state import Phase, State, Troop
from battletape.rulesets.diceless40k.battle.turn import refuse_turn, reserves_due
from battletape.rulesets.diceless40k.rules.characteristics import (
    GATE_OF_INFINITY,
    MACHINE_CURSE,
    NULL_ZONE,
    POWERS,
    PSYKER,
)
from battletape.rulesets.diceless40k.rules.damage_rows import refuse_target
from battletape.rulesets.diceless40k.rules.psykers import refuse_warp_token
from battletape.rulesets.diceless40k.rules.space_marines import AURA, pass_gate
from battletape.rulesets.diceless40k.rules.weapons import PSYCHIC

PHASES_OF: dict[str, tuple[Phase, ...]] = {
    GATE_OF_INFINITY: ("movement",),
    NULL_ZONE: ("movement", "shooting"),
}
"""When powers are used that are not for the Shooting phase alone."""


class Cast(ShotOrder, frozen=True):
    """A psyker and its power; what shots, blasts and the gate of infinity need to know may follow."""

    unit: Annotated[str, Meta(title="Which psyker", extra={"role": "psyker"})] = ""
    power: Annotated[str, Meta(title="Which power", extra={"role": "power"})] = ""
    target: Annotated[str, Meta(title="Target", extra={"role": "aim of a power"})] = ""
    warp_token: Annotated[
        Literal["ask", "play", "keep"], Meta(title="The opponent's warp token", extra={"clause": "DL-50.5"})
    ] = "ask"
    hood: Hood = None
    take: Annotated[str, Meta(title="Unit taken through the gate", extra={"clause": "DL-SM-57.4"})] = ""
    x: Place | None = None
    y: Place | None = None
    gate_zone: Literal["own", "neutral", "enemy"] | None = None
    hazard: Annotated[Inches | None, Meta(title="Inches to anything that would cause a mishap")] = None
    landed: Annotated[
        Literal["own", "neutral", "enemy"] | None,
        Meta(title="Zone where they come down, if that counts and there is no board", extra={"clause": "DL-95.5"}),
    ] = None


def _gate(order: Cast, name: str) -> Strike:
    used = order.tokens[0] if order.tokens else None
    return Strike(
        unit=name,
        x=order.x,
        y=order.y,
        zone=order.gate_zone,
        hazard=order.hazard,
        landed=order.landed,
        tokens=used,
        bearings=order.bearings,
    )


@clause("DL-50.1", "DL-SM-57.1", "DL-SM-57.3", "DL-SM-57.4")
def refuse_cast(state: State, order: Cast) -> Refused | None:
    """Why a psyker may not use this power now."""
    power = order.power.strip().lower().replace(" ", "_")
    phases: tuple[Phase, ...] = PHASES_OF.get(power, ("shooting",))
    refused = refuse_turn(state, order.unit, *phases)
    if refused is not None:
        return refused
    psyker = state.troop(order.unit)
    if not psyker.having(PSYKER):
        return Refused(f"{psyker.name} is no psyker", "DL-50.1", "psyker")
    if psyker.falling_back or psyker.gone_to_ground or psyker.combat:
        return Refused(f"{psyker.name} cannot use powers now", "DL-50.1", "state")
    if psyker.cast or psyker.fired_at or psyker.mended or psyker.ran:
        done = "used a power" if psyker.cast else "fired" if psyker.fired_at else "run"
        done = f"repaired {psyker.mended}" if psyker.mended else done
        return Refused(f"{psyker.name} has {done} in this turn", "DL-50.1", "cast")
    if order.warp_token == "play":
        holder = state.player(state.other(psyker.side))
        refused = refuse_warp_token(holder.tokens.warp, holder.warp_used)
        if refused is not None:
            return refused
    refused = refuse_hood(state, (psyker,), order.hood)
    if refused is not None:
        return refused
    if power in POWERS:
        if power not in psyker.powers:
            return Refused(f"{psyker.name} does not know {power.replace('_', ' ')}", "DL-50.1", "power")
        return _refuse_power(state, psyker, order, power)
    weapon = psyker.weapon(order.power)
    if PSYCHIC not in weapon.rules:
        return Refused(f"{weapon.name} is no power; use it with shoot", "DL-50.1", "power")
    shots = replace(order, weapons=(weapon.name,))
    volley = volley_of(state, psyker, order, state.find(order.target), shots, psychic=True)
    return volley if isinstance(volley, Refused) else None


def _refuse_power(state: State, psyker: Troop, order: Cast, power: str) -> Refused | None:
    if power == MACHINE_CURSE:
        machine = state.machine(order.target)
        near = known_distance(state, psyker, machine, order.distance, "DL-SM-57.1")
        if isinstance(near, Refused):
            return near
        if machine.side == psyker.side or machine.where != "table":
            return Refused(f"{machine.name} cannot be cursed", "DL-SM-57.1", "target")
        if near is not None and near > AURA:
            return Refused(
                f"{machine.name} is {told_inches(near)} away; the curse reaches {AURA}", "DL-SM-57.1", "range"
            )
        return refuse_target(machine.damage)
    if power == GATE_OF_INFINITY:
        if not state.reserves_called and reserves_due(state):
            return Refused("reserves are due; call them first", "DL-94.2", "reserves")
        if psyker.moved:
            return Refused(f"{psyker.name} has moved in this turn", "DL-SM-57.3", "moved")
        if psyker.joined and not order.take:
            return Refused(
                f"{psyker.name} is with {psyker.joined}; take it along, or leave it first", "DL-SM-57.4", "take"
            )
        if order.take:
            along = state.troop(order.take)
            refused = _refuse_taking(state, psyker, along)
            if refused is not None:
                return refused
            state = _with_psyker(state, psyker, along)
        return refuse_landing(state, state.troop(psyker.name), _gate(order, psyker.name))
    return None


@clause("DL-SM-57.4")
def _refuse_taking(state: State, psyker: Troop, along: Troop) -> Refused | None:
    """Why a unit does not go through the gate: it is not with the psyker, or cannot leave where it is."""
    if along.name == psyker.name:
        return Refused(
            f"{psyker.name} goes through the gate in any case; take another unit, or nobody", "DL-SM-57.4", "take"
        )
    if along.side != psyker.side or along.where != "table" or along.is_gone or along.moved or along.combat:
        return Refused(f"{along.name} cannot be taken along", "DL-SM-57.4", "take")
    if along.falling_back or along.gone_to_ground or along.joined:
        return Refused(f"{along.name} does not act of its own will and cannot be taken along", "DL-SM-57.4", "take")
    if psyker.joined:
        if psyker.joined == along.name:
            return None
        return Refused(f"{psyker.name} is with {psyker.joined}, not with {along.name}", "DL-SM-57.4", "take")
    near = state.distance(psyker, along)
    if near is None or near <= COHERENCY:
        return None
    reason = f"{along.name} is {told_inches(near)} away; who is taken along is within {COHERENCY} of the psyker"
    return Refused(reason, "DL-SM-57.4", "distance")


def _with_psyker(state: State, psyker: Troop, along: Troop) -> State:
    """The battle as the psyker goes through the gate with a unit."""
    return state.changed(replace(psyker, joined=along.name))


@clause("DL-50.1", "DL-50.2", "DL-50.5", "DL-50.6", "DL-SM-56.1")
def take_test(tape: Tape, deed: Deed) -> Deed:
    """The psychic test, the warp token on it, and the perils; then the power, if it works."""
    psyker = deed.state.troop(deed.order.unit)
    at = psyker.groups.index(psyker.having(PSYKER)[0])
    deed, test = take_psyker_test(tape, deed, psyker.name, at, deed.order.warp_token, deed.order.hood)
    return use_power(tape, deed) if test.works else deed


@clause("DL-SM-57.1", "DL-SM-57.2", "DL-SM-57.3", "DL-50.3")
def use_power(tape: Tape, deed: Deed) -> Deed:
    """What the power does."""
    order, state = deed.order, deed.state
    psyker = state.troop(order.unit)
    power = order.power.strip().lower().replace(" ", "_")
    if power == NULL_ZONE:
        tape.tell("{} keeps up a null zone of {} inches", psyker.name, AURA, clause="DL-SM-57.2")
        return deed.with_units(replace(psyker, null_zone=True))
    if power == MACHINE_CURSE:
        return glance(tape, deed, order.target)
    if power == GATE_OF_INFINITY:
        return _pass_gate(tape, deed)
    shots = replace(order, weapons=(psyker.weapon(order.power).name,))
    volley = volley_of(state, psyker, order, state.find(order.target), shots, psychic=True)
    if isinstance(volley, Refused):
        raise volley
    volley = replace(volley, count=deed.count)
    for stage in volley_stages(volley):
        volley = tape.call(stage, volley)
    return volley


@clause("DL-SM-57.3", "DL-SM-57.4")
def _pass_gate(tape: Tape, deed: Deed) -> Deed:
    """The psyker steps through the gate, and may take a unit along, which it hurts; both arrive by deep strike."""
    order, psyker = deed.order, deed.state.troop(deed.order.unit)
    if not order.take:
        return land(tape, deed, psyker.name, _gate(order, psyker.name))
    along = deed.state.troop(order.take)
    hurt = tape.call(pass_gate, deed.state.target(along))
    deed = share_losses(tape, deed, (along,), hurt)
    psyker = deed.state.troop(psyker.name)
    if not psyker.joined:
        tape.tell("{} goes through the gate with {}", psyker.name, along.name)
    deed = replace(deed, state=_with_psyker(deed.state, psyker, along))
    deed = land(tape, deed, psyker.name, _gate(order, psyker.name))
    if psyker.is_character:
        return deed
    return deed.with_units(replace(deed.state.troop(psyker.name), joined=""))


CAST = Action(
    "cast",
    "Use a psychic power",
    Cast,
    refuse_cast,
    begin_deed,
    Procedure("psychic power", (take_test,)),
    finish_deed,
    measures=ATTACK_MEASURES,
    headline=headline,
    clauses=("DL-50.1",),
)
