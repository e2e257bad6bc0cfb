"""Weapons without firing them: `aim`, `brace`, `ready`, `drop`, `reload` and `clear_jam`."""

from __future__ import annotations

from battletape.cards import EACH, Action, Plan, asked
from battletape.rulebook import Procedure, Tape, by_name, clause, need, plural, raise_if_refused, replace
from battletape.rulesets.deathwatch.battle import referee
from battletape.rulesets.deathwatch.battle.changes import change
from battletape.rulesets.deathwatch.battle.state import CarriedWeapon, Fighter, State
from battletape.rulesets.deathwatch.rules import guns
from battletape.table.points import Point


class AimOrder(referee.UnitOrder, frozen=True):
    """A fighter takes aim."""

    aim: referee.Pace = asked("half", referee.HALF_OR_FULL, "DW-ACT-AIM", role=EACH)


class ReloadOrder(referee.WeaponOrder, frozen=True):
    """A weapon is reloaded."""

    ammunition: str = asked("", "What a launcher is loaded with", "DW-RWEP-24")


class ReadyOrder(referee.WeaponOrder, frozen=True):
    """A weapon is drawn, picked up or put away."""

    stow: bool = asked(False, "Put it away instead", "DW-ACT-READY", role="put away if in hand")


# --- aim, brace, ready and drop ---------------------------------------------------------------------------------------


@clause("DW-ACT-AIM")
def plan_aim(state: State, order: AimOrder) -> Plan:
    """Let a fighter take aim."""
    action = f"Aim ({order.aim})"
    fighter = referee.acting_fighter(state, order, action, "aim")
    return Plan(take_aim, state, fighter.name, order.aim, action, order=replace(order, unit=fighter.name))


@clause("DW-ACT-AIM")
def take_aim(tape: Tape, state: State, name: str, aim: referee.Pace, action: str) -> State:
    """Take aim, in place of any aim before."""
    state = referee.spend(tape, state, name, action)
    return change(tape, state, replace(state.fighter(name), aim=aim))


@clause("DW-ACT-READY", "DW-QUAL-POWER-FIELD", "DW-QUAL-OVERHEATS", "DW-QUAL-RECHARGE")
def need_usable(state: State, carried: CarriedWeapon) -> None:
    """Refuse a weapon that is destroyed, not in hand, or resting."""
    raise_if_refused(
        guns.refuse_state(carried.profile, state.round, ready=carried.in_hand, destroyed=carried.destroyed)
    )


@clause("DW-ACT-BRACE-HEAVY-WEAPON")
def plan_brace(state: State, order: referee.WeaponOrder) -> Plan:
    """Refuse to brace what is not heavy, not in hand, or braced already."""
    fighter = referee.acting_fighter(state, order, "Brace Heavy Weapon", "brace a weapon")
    carried, by = referee.weapon_of(fighter, order.weapon, is_heavy), "DW-ACT-BRACE-HEAVY-WEAPON"
    need(is_heavy(carried), f"only heavy weapons are braced; {carried.name} is {carried.profile.kind}", by, "kind")
    needs = guns.needs_bracing(carried.profile, fighter.profile.no_bracing)
    need(needs, f"{fighter.name} needs no bracing", by, "kind")
    need(not carried.braced, f"{carried.name} is braced already", by, "braced")
    need_usable(state, carried)
    full = replace(order, unit=fighter.name, weapon=carried.name)
    return Plan(brace, state, fighter.name, carried.name, order=full)


@clause("DW-ACT-BRACE-HEAVY-WEAPON")
def brace(tape: Tape, state: State, name: str, weapon: str) -> State:
    """Brace a heavy weapon."""
    state = referee.spend(tape, state, name, "Brace Heavy Weapon")
    fighter = state.fighter(name)
    return change(tape, state, fighter.with_weapon(replace(fighter.weapon_named(weapon), braced=True)))


def is_heavy(carried: CarriedWeapon) -> bool:
    """Return whether a weapon is a heavy one."""
    return carried.profile.kind == "Heavy"


@clause("DW-ACT-READY")
def plan_ready(state: State, order: ReadyOrder) -> Plan:
    """Refuse weapons that are destroyed, out of reach or in hand already, and full hands."""
    fighter = referee.acting_fighter(state, order, "Ready", "ready a weapon")
    carried = referee.weapon_of(
        fighter, order.weapon, (lambda carried: carried.in_hand) if order.stow else _is_put_away
    )
    need(not carried.destroyed, f"{carried.name} is destroyed", "DW-QUAL-POWER-FIELD", "destroyed")
    if order.stow:
        need(carried.in_hand, f"{carried.name} is not in hand", "DW-ACT-READY", "ready")
    else:
        need(not carried.in_hand, f"{carried.name} is in hand already", "DW-ACT-READY", "ready")
        at = Point(*carried.dropped_at) if carried.dropped_at is not None else state.at(fighter)
        reach = f"{carried.name} lies at ({at.x:g}, {at.y:g}), out of reach"
        need(state.is_adjacent(fighter, at), reach, "DW-ACT-READY", "range")
        need(carried.hands <= fighter.free_hands, _too_few_hands(fighter, carried), "DW-ACT-READY", "hands")
    full = replace(order, unit=fighter.name, weapon=carried.name)
    return Plan(make_ready, state, fighter.name, carried.name, not order.stow, order=full)


def _is_put_away(carried: CarriedWeapon) -> bool:
    return not (carried.in_hand or carried.destroyed)


def _too_few_hands(fighter: Fighter, carried: CarriedWeapon) -> str:
    full = ", ".join(
        weapon.name for weapon in fighter.weapons if weapon.in_hand and weapon.hands and not weapon.barrel_of
    )
    needs = (
        f"{carried.name} needs {plural(carried.hands, 'free hand')}, {fighter.name} has {max(0, fighter.free_hands)}"
    )
    return f"{needs}; put away or drop {full or 'nothing helps: an arm is useless'}"


@clause("DW-ACT-READY")
def make_ready(tape: Tape, state: State, name: str, weapon: str, is_drawn: bool) -> State:
    """Draw a weapon, pick it up or put it away."""
    state = referee.spend(tape, state, name, "Ready")
    fighter = state.fighter(name)
    carried = replace(fighter.weapon_named(weapon), ready=is_drawn, dropped_at=None, braced=False)
    return change(tape, state, fighter.with_weapon(carried))


@clause("DW-ECON-1", "DW-ACT-READY")
def plan_drop(state: State, order: referee.WeaponOrder) -> Plan:
    """Refuse to drop what is not in hand; it is free."""
    fighter = referee.acting_fighter(state, order, "Ready (free)", "drop a weapon")
    carried = referee.weapon_of(fighter, order.weapon)
    need(carried.in_hand, f"{carried.name} is not in hand", "DW-ACT-READY", "ready")
    full = replace(order, unit=fighter.name, weapon=carried.name)
    return Plan(drop, state, fighter, carried, order=full)


@clause("DW-ACT-READY")
def drop(tape: Tape, state: State, fighter: Fighter, carried: CarriedWeapon) -> State:
    """Let a weapon fall where its bearer stands."""
    at = state.at(fighter)
    return change(tape, state, fighter.with_weapon(replace(carried, dropped_at=(at.x, at.y), braced=False)))


# --- reload and clear a jam -------------------------------------------------------------------------------------------


@clause("DW-ACT-RELOAD", "DW-JAM-2", "DW-RWEP-24", "DW-RWEP-25")
def plan_reload(state: State, order: ReloadOrder) -> Plan:
    """Refuse weapons without a clip, jammed ones, and full clips."""
    fighter = referee.acting_fighter(state, order, "Reload", "reload")
    carried = referee.weapon_of(fighter, order.weapon, _is_short)
    need(not carried.profile.melee, f"{carried.name} is for melee and has no clip", "DW-ACT-RELOAD", "kind")
    need_usable(state, carried)
    need(not carried.jammed, f"{carried.name} is jammed; clear it first (clear_jam)", "DW-JAM-2", "jammed")
    loaded = ""
    if order.ammunition.strip():
        loaded = round_named(carried, order.ammunition)
    if loaded in ("", carried.loaded):
        raise_if_refused(guns.refuse_reload(carried.clip, carried.profile.clip, f"{carried.name} of {fighter.name}"))
    full = replace(order, unit=fighter.name, weapon=carried.name, ammunition=loaded)
    return Plan(reload, state, fighter.name, carried.name, loaded, order=full)


def _is_short(carried: CarriedWeapon) -> bool:
    return carried.in_hand and not carried.profile.melee and carried.clip < carried.profile.clip


def round_named(carried: CarriedWeapon, name: str) -> str:
    """Return what a launcher is loaded with, by its name."""
    return by_name("ammunition", name, carried.ammunition, source=carried.name, clause="DW-RWEP-24").name


@clause("DW-ACT-RELOAD")
def reload(tape: Tape, state: State, name: str, weapon: str, loaded: str) -> State:
    """Take one Full Action of a reload, for which any other is given up; the last one fills the clip."""
    state = referee.spend(tape, state, name, "Reload")
    fighter = state.fighter(name)
    carried = fighter.weapon_named(weapon)
    fresh = guns.reload(carried, guns.reload_actions(carried.profile.reload, carried.qualities), carried.profile.clip)
    if loaded and not fresh.reload_done:
        fresh = replace(fresh, loaded=loaded)
    others = tuple(fresh if known.name == carried.name else replace(known, reload_done=0) for known in fighter.weapons)
    return change(tape, state, replace(fighter, weapons=others))


@clause("DW-JAM-2")
def plan_clear_jam(state: State, order: referee.WeaponOrder) -> Plan:
    """Refuse to clear a weapon that is not jammed."""
    fighter = referee.acting_fighter(state, order, "Clear a Jam", "clear a jam")
    carried = referee.weapon_of(fighter, order.weapon, lambda carried: carried.jammed)
    need(carried.jammed, f"{carried.name} is not jammed", "DW-JAM-2", "jammed")
    need_usable(state, carried)
    attempt = referee.PendingTest(
        fighter.name, referee.test_target(state, fighter, "bs"), "clear the jam", state.rulings
    )
    full = replace(order, unit=fighter.name, weapon=carried.name)
    return Plan(referee.begin_attempt, attempt, order=full).then(end_clearing, state, carried.name)


@clause("DW-JAM-2")
def try_to_clear(tape: Tape, test: referee.PendingTest) -> referee.PendingTest:
    """Make a Ballistic Skill test to clear a jam."""
    return referee.tell_result(tape, replace(test, passed=guns.is_cleared(tape, test.target, test.name, test.rulings)))


@clause("DW-JAM-2")
def end_clearing(tape: Tape, test: referee.PendingTest, state: State, weapon: str) -> State:
    """Clear the jam if the test has succeeded."""
    state = referee.spend(tape, state, test.name, "Clear a Jam")
    if not test.passed:
        return state
    fighter = state.fighter(test.name)
    cleared = guns.clear_jam(fighter.weapon_named(weapon), True, state.rulings.jam_clear_empties_clip)
    return change(tape, state, fighter.with_weapon(cleared))


# --- cards ------------------------------------------------------------------------------------------------------------

AIM = Action("aim", "Take aim", AimOrder, plan_aim, clauses=referee.clauses_of("aim"))
BRACE = Action(
    "brace",
    "Brace a heavy weapon",
    referee.WeaponOrder,
    plan_brace,
    roles={"weapon": "heavy weapon"},
    clauses=referee.clauses_of("brace"),
)
READY = Action(
    "ready", "Draw or put away a weapon", ReadyOrder, plan_ready, clauses=referee.clauses_of("ready", "DW-ECON-2")
)
DROP = Action(
    "drop",
    "Drop a weapon",
    referee.WeaponOrder,
    plan_drop,
    roles={"weapon": "weapon in hand"},
    clauses=referee.clauses_of("drop", "DW-ECON-1", "DW-ACT-READY"),
)
RELOAD = Action(
    "reload",
    "Reload a weapon",
    ReloadOrder,
    plan_reload,
    roles={"weapon": "weapon with a clip"},
    clauses=referee.clauses_of("reload"),
)
CLEAR_JAM = Action(
    "clear_jam",
    "Clear a jam",
    referee.WeaponOrder,
    plan_clear_jam,
    roles={"weapon": "jammed weapon"},
    clauses=referee.clauses_of("clear_jam", "DW-JAM-2"),
    **referee.card_of_test(
        Procedure("clear a jam", (try_to_clear,)), "The jam is cleared", "Clears the jam", "cleared"
    ),
)
