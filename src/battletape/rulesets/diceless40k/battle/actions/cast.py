"""The action `cast`: a psyker uses a power, if the test is passed and no warp token stops it."""

from __future__ import annotations

from typing import Literal

from battletape.cards import Action, Plan, asked
from battletape.field.setup import Place
from battletape.field.state import TABLE
from battletape.rulebook import (
    Procedure,
    Tape,
    UnknownName,
    clause,
    inches,
    listed,
    need,
    raise_if_refused,
    replace,
)
from battletape.rulesets.diceless40k.battle import pending, turn
from battletape.rulesets.diceless40k.battle.actions.reserves import DeepStrikeOrder, land, need_landing
from battletape.rulesets.diceless40k.battle.markers import ShotOrder
from battletape.rulesets.diceless40k.battle.moves import distance_to, need_hood
from battletape.rulesets.diceless40k.battle.shooting import prepare_volley, volley_stages
from battletape.rulesets.diceless40k.battle.start import Hood, Inches
from battletape.rulesets.diceless40k.battle.state import COHERENCY, Phase, Squad, State, Vehicle
from battletape.rulesets.diceless40k.profiles.types import WeaponProfile
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


class CastOrder(ShotOrder, frozen=True):
    """A psyker and its power; what shots, blasts and the gate of infinity need to know may follow."""

    unit: str = asked("", "Which psyker", role="psyker")
    power: str = asked("", "Which power", role="power")
    target: str = asked("", "Target", role="aim of a power")
    warp_token: Literal["ask", "play", "keep"] = asked("ask", "The opponent's warp token", "DL-50.5")
    hood: Hood = None
    take: str = asked("", "Unit taken through the gate", "DL-SM-57.4")
    x: Place | None = None
    y: Place | None = None
    gate_zone: Literal["own", "neutral", "enemy"] | None = None
    hazard: Inches | None = asked(None, "Inches to anything that would cause a mishap")
    landed: Literal["own", "neutral", "enemy"] | None = asked(
        None, "Zone where they come down, if that counts and there is no board", "DL-95.5"
    )


def _gate_order(order: CastOrder, name: str) -> DeepStrikeOrder:
    used = order.tokens[0] if order.tokens else None
    return DeepStrikeOrder(
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
def plan_cast(state: State, order: CastOrder) -> Plan:
    """Refuse units without a psyker that may use a power now, powers of another phase, and targets out of reach."""
    psykers = (squad for squad in state.squads if squad.side == state.active and squad.groups_with(PSYKER))
    turn.need_any(state, order.unit, psykers, f"{state.active} has no psyker left", "DL-50.1")
    unit = turn.acting_unit(state, order.unit)
    psyker = turn.of_kind(Squad, unit, "is a vehicle and uses no powers")
    need(psyker.groups_with(PSYKER), f"{psyker.name} is no psyker", "DL-50.1", "psyker")
    power, weapon = _power_of(psyker, order.power)
    phases = PHASES_OF.get(power, ("shooting",))
    when = f"{power.replace('_', ' ')} belongs to the {listed(phases, 'or')} phase; it is the {state.phase} phase"
    need(state.phase in phases, when, "DL-0.1", "power")
    hindered = psyker.falling_back or psyker.gone_to_ground or psyker.combat
    need(not hindered, f"{psyker.name} cannot use powers now", "DL-50.1", "state")
    if psyker.cast or psyker.fired_at or psyker.repaired or psyker.ran:
        done = "used a power" if psyker.cast else "fired" if psyker.fired_at else "run"
        done = f"repaired {psyker.repaired}" if psyker.repaired else done
        need(False, f"{psyker.name} has {done} in this turn", "DL-50.1", "cast")
    if order.warp_token == "play":
        holder = state.player(state.enemy_of(psyker.side))
        raise_if_refused(refuse_warp_token(holder.tokens.warp, holder.warp_used))
    need_hood(state, (psyker,), order.hood)
    if weapon is not None:
        shots = replace(order, weapons=(weapon.name,))
        prepare_volley(state, psyker, order, state.find(order.target), shots, psychic=True)  # and again after the test
    elif power == MACHINE_CURSE:
        _need_curse(state, psyker, order)
    elif power == GATE_OF_INFINITY:
        _need_gate(state, psyker, order)
    return Plan(pending.begin_action, state, order)


@clause("DL-50.1")
def _power_of(psyker: Squad, given: str) -> tuple[str, WeaponProfile | None]:
    """Return a power of a psyker by its name, and the weapon if it is an attack."""
    power = _profile_name(given)
    if power in POWERS:
        need(power in psyker.powers, f"{psyker.name} does not know {power.replace('_', ' ')}", "DL-50.1", "power")
        return power, None
    weapon = next((known for known in psyker.arsenal if _profile_name(known.name) == power), None)
    if weapon is None:
        known = [*psyker.powers, *(weapon.name for weapon in psyker.arsenal)]
        raise UnknownName(f"power or weapon of {psyker.name}", given, known)
    need(PSYCHIC in weapon.rules, f"{weapon.name} is no power; use it with shoot", "DL-50.1", "power")
    return weapon.name, weapon


def _profile_name(power: str) -> str:
    """Return the name of a power as it is written in profiles."""
    return power.strip().lower().replace(" ", "_")


@clause("DL-SM-57.1")
def _need_curse(state: State, psyker: Squad, order: CastOrder) -> None:
    """Refuse targets of the vehicle curse that are no vehicles of the enemy within its reach."""
    vehicle = turn.of_kind(Vehicle, state.find(order.target), "is no vehicle; the curse strikes vehicles")
    in_play = vehicle.side != psyker.side and (vehicle.is_destroyed or state.where(vehicle) == TABLE)
    need(in_play, f"{vehicle.name} cannot be cursed", "DL-SM-57.1", "target")
    raise_if_refused(refuse_target(vehicle.damage))
    distance = distance_to(state, psyker, vehicle, order.distance, "DL-SM-57.1")
    reason = f"{vehicle.name} is {inches(distance)} away; the curse reaches {AURA}"
    need(distance <= AURA, reason, "DL-SM-57.1", "range")


@clause("DL-SM-57.3", "DL-SM-57.4")
def _need_gate(state: State, psyker: Squad, order: CastOrder) -> None:
    """Refuse the gate before reserves that are due, after a move, with a unit that cannot come, or without an aim."""
    turn.need_reserves_called(state)
    need(not psyker.moved, f"{psyker.name} has moved in this turn", "DL-SM-57.3", "moved")
    left = f"{psyker.name} is with {psyker.joined}; take it along, or leave it first"
    need(order.take or not psyker.joined, left, "DL-SM-57.4", "take")
    if order.take:
        taken = turn.of_kind(Squad, state.find(order.take), "is a vehicle and cannot be taken along")
        _need_taking(state, psyker, taken)
        state = _with_psyker(state, psyker, taken)
    need_landing(state, state.squad(psyker.name), _gate_order(order, psyker.name))


@clause("DL-SM-57.4")
def _need_taking(state: State, psyker: Squad, taken: Squad) -> None:
    """Refuse a unit that is not with the psyker, or cannot leave where it is."""
    itself = f"{psyker.name} goes through the gate in any case; take another unit, or none"
    need(taken.name != psyker.name, itself, "DL-SM-57.4", "take")
    here = taken.side == psyker.side and state.is_on_table(taken)
    need(here and not (taken.moved or taken.combat), f"{taken.name} cannot be taken along", "DL-SM-57.4", "take")
    free = not (taken.falling_back or taken.gone_to_ground or taken.joined)
    own_will = f"{taken.name} does not act of its own will and cannot be taken along"
    need(free, own_will, "DL-SM-57.4", "take")
    if psyker.joined:
        other = f"{psyker.name} is with {psyker.joined}, not with {taken.name}"
        return need(psyker.joined == taken.name, other, "DL-SM-57.4", "take")
    distance = state.distance(psyker, taken)
    if distance is not None and distance > COHERENCY:
        reason = (
            f"{taken.name} is {inches(distance)} away; a unit that is taken along is within {COHERENCY} of the psyker"
        )
        need(False, reason, "DL-SM-57.4", "distance")


def _with_psyker(state: State, psyker: Squad, taken: Squad) -> State:
    """Return the battle as the psyker goes through the gate with a unit."""
    return state.with_units(replace(psyker, joined=taken.name))


@clause("DL-50.1", "DL-50.2", "DL-50.5", "DL-50.6", "DL-SM-56.1")
def take_test(tape: Tape, work: pending.PendingAction) -> pending.PendingAction:
    """Take the psychic test, with the warp token on it and the perils; then use the power, if it works."""
    psyker = work.state.squad(work.order.unit)
    at = psyker.groups.index(psyker.groups_with(PSYKER)[0])
    work, test = pending.take_psyker_test(tape, work, psyker.name, at, work.order.warp_token, work.order.hood)
    return use_power(tape, work) if test.works else work


@clause("DL-SM-57.1", "DL-SM-57.2", "DL-SM-57.3", "DL-50.3")
def use_power(tape: Tape, work: pending.PendingAction) -> pending.PendingAction:
    """Apply what the power does."""
    order, state = work.order, work.state
    psyker = state.squad(order.unit)
    power, weapon = _power_of(psyker, order.power)
    if weapon is not None:
        return _fire_power(tape, work, psyker, weapon)
    if power == NULL_ZONE:
        tape.tell("{} keeps up a null zone of {} inches", psyker.name, AURA, clause="DL-SM-57.2")
        return work.with_units(replace(psyker, null_zone=True))
    if power == MACHINE_CURSE:
        return pending.glance_vehicle(tape, work, order.target)
    if power == GATE_OF_INFINITY:
        return _pass_gate(tape, work)
    return work


@clause("DL-50.3")
def _fire_power(tape: Tape, work: pending.PendingAction, psyker: Squad, weapon: WeaponProfile) -> pending.PendingAction:
    """Fire a power that is an attack, with what the test has left of the psyker."""
    order, state = work.order, work.state
    shots = replace(order, weapons=(weapon.name,))
    volley = prepare_volley(state, psyker, order, state.find(order.target), shots, psychic=True)
    volley = replace(volley, count=work.count)
    for stage in volley_stages(volley):
        volley = tape.call(stage, volley)
    return volley


@clause("DL-SM-57.3", "DL-SM-57.4")
def _pass_gate(tape: Tape, work: pending.PendingAction) -> pending.PendingAction:
    """Let the psyker pass the gate, alone or with a unit, which the gate hurts; all arrive by deep strike."""
    order, psyker = work.order, work.state.squad(work.order.unit)
    if not order.take:
        return land(tape, work, psyker.name, _gate_order(order, psyker.name))
    taken = work.state.squad(order.take)
    hit_target = tape.call(pass_gate, work.state.target(taken))
    work = pending.record_shared_losses(tape, work, (taken,), hit_target)
    psyker = work.state.squad(psyker.name)
    if not psyker.joined:
        tape.tell("{} goes through the gate with {}", psyker.name, taken.name)
    work = replace(work, state=_with_psyker(work.state, psyker, taken))
    work = land(tape, work, psyker.name, _gate_order(order, psyker.name))
    if psyker.is_character:
        return work
    return work.with_units(replace(work.state.squad(psyker.name), joined=""))


CAST = Action(
    "cast",
    "Use a psychic power",
    CastOrder,
    plan_cast,
    Procedure("psychic power", (take_test,)),
    measures=pending.ATTACK_MEASURES,
    headline=pending.headline,
    closed=turn.closed_but_in("movement", "shooting"),
    clauses=("DL-50.1",),
)
