"""A horde's own attacks in a battle: `horde_shoots` and `horde_strikes`."""

from __future__ import annotations

from typing import Any

from battletape.cards import Action, Plan, asked
from battletape.rulebook import Refused, Tape, by_name, clause, granted, need, raise_if_refused, replace
from battletape.rulesets.deathwatch.battle import attack, referee
from battletape.rulesets.deathwatch.battle.state import CarriedWeapon, Fighter, Mob, State
from battletape.rulesets.deathwatch.profiles.types import WeaponProfile
from battletape.rulesets.deathwatch.rules import guns, hordes, keywords, traits
from battletape.rulesets.deathwatch.rules.attack import fighters, modifiers, results
from battletape.rulesets.deathwatch.rules.attack.exchange import DeclaredAttack, Exchange

ACTING_HORDE: str = asked("", referee.ACTING_UNIT, role="acting horde")


class HordeFireOrder(attack.AttackOrder, frozen=True):
    """A horde shoots: an attack for each full ten of its Magnitude, at one target or shared among several."""

    unit: str = ACTING_HORDE
    weapon: str = asked("", "Weapon", about="its first gun if left out")
    target: str = asked("", "", role="hostile fighter")
    others: tuple[str, ...] = asked((), "Further targets", about=", in turn")
    mode: traits.Mode = asked("single", "Fire mode", "DW-RWEP-00")


class HordeStrikeOrder(attack.AttackOrder, frozen=True):
    """A horde strikes every enemy that it is in melee with, once each."""

    unit: str = ACTING_HORDE
    weapon: str = asked("", "Weapon", about="its first blade if left out")
    target: str = asked("", "Adjacent enemy to strike", role="fighter in reach")


def weapon_of(mob: Mob, name: str, in_melee: bool) -> WeaponProfile:
    """Return the weapon named, or the one that a horde usually attacks with."""
    if name.strip() and not modifiers.is_bare(name):
        return by_name("weapon", name, mob.arsenal, source=mob.name)
    return hordes.usual_weapon(() if name.strip() else mob.arsenal, in_melee)


def acting_horde(state: State, order: Any, action: str) -> Mob:
    """Return the horde that acts now; refuse fighters."""
    unit = referee.acting_unit(state, order.unit)
    if not isinstance(unit, Mob):
        return granted(Refused(f"{unit.name} is no horde; use shoot or strike", "DW-HORDE-15", "type"))
    referee.need_action(state, unit, order, action)
    return unit


@clause("DW-HORDE-15")
def declare_mob_attack(
    state: State,
    mob: Mob,
    target: Fighter,
    weapon: WeaponProfile,
    order: attack.AttackOrder = attack.NO_CIRCUMSTANCES,
    mode: traits.Mode = "single",
) -> DeclaredAttack:
    """Return one attack of a horde, made with the profile of a single member; it cannot be evaded."""
    carried = CarriedWeapon(weapon, clip=fighters.UNCOUNTED_ROUNDS)
    setting = attack.setting_of(state, mob, carried, target, order)
    action: modifiers.Action = "" if weapon.melee else fighters.ACTIONS[mode]
    draft = fighters.draft_of(fighters.member_of_horde(mob), carried, target, setting, action, mode)
    draft = hordes.horde_draft(draft, mob.magnitude, hordes.traits_of(mob.profile.traits))
    return attack.declare_attack(state, mob, carried, target, draft, "melee" if weapon.melee else "shoot")


# --- shooting ---------------------------------------------------------------------------------------------------------


@clause("DW-HORDE-15", "DW-RANGE-1", "DW-QUAL-HAYWIRE")
def plan_horde_fire(state: State, order: HordeFireOrder) -> Plan:
    """Refuse hordes without guns or with too few left, and targets out of range."""
    action = attack.shot_action(order)
    mob = acting_horde(state, order, action)
    weapon = weapon_of(mob, order.weapon, False)
    lacks = f"{weapon.name} of {mob.name} is no gun" if order.weapon.strip() else f"{mob.name} has no guns"
    need(not weapon.melee, f"{lacks}; use horde_strikes", "DW-HORDE-15", "weapon")
    raise_if_refused(guns.refuse_mode(weapon, order.mode), attack.refuse_haywire(state, mob, CarriedWeapon(weapon)))
    flames = keywords.qualities_named(weapon.qualities).flame
    need(not flames, f"{weapon.name} throws flames, which hordes here do not", "DW-HORDE-15", "weapon")
    shots = hordes.attacks_of(mob.magnitude, False, hordes.traits_of(mob.profile.traits))
    need(shots, f"{mob.name} has too few left to shoot: {mob.magnitude} of the ten it needs", "DW-HORDE-15")
    targets = tuple(_target(state, mob, weapon, name, order) for name in (order.target, *order.others))
    others = tuple(target.name for target in targets[1:])
    full = replace(order, unit=mob.name, weapon=weapon.name, target=targets[0].name, others=others)
    plan = Plan(begin_horde_fire, state, mob, targets, weapon, shots, full, order=full)
    return plan.then(end_horde_fire, state, mob.name, action)


def _target(state: State, mob: Mob, weapon: WeaponProfile, name: str, order: HordeFireOrder) -> Fighter:
    """Return the fighter of this name, which the horde must be able to shoot at."""
    target = referee.unit_named(state, name)
    referee.need_enemy(state, mob, target)
    if isinstance(target, Mob):
        return granted(Refused(f"{target.name} is a horde; hordes here fight fighters", "DW-HORDE-15", "target"))
    raise_if_refused(modifiers.refuse_range(weapon.name, weapon.range, state.metres(mob, target)))
    attack.need_sight(state, mob, target, order.situations)
    return target


@clause("DW-HORDE-15")
def begin_horde_fire(
    tape: Tape,
    state: State,
    mob: Mob,
    targets: tuple[Fighter, ...],
    weapon: WeaponProfile,
    shots: int,
    order: HordeFireOrder,
) -> Exchange:
    """Make an attack for each full ten, shared among the targets in turn."""
    shot_at = (targets[at % len(targets)] for at in range(shots))
    blows = [declare_mob_attack(state, mob, target, weapon, order, order.mode) for target in shot_at]
    return attack.exchange_of(tape, state, mob, blows, targets)


@clause("DW-HORDE-15")
def end_horde_fire(tape: Tape, exchange: Exchange, state: State, name: str, action: str) -> State:
    """Write the attacks back; a gun that jams is one of many."""
    return referee.end_attack(tape, replace(exchange, events=()), state, name, action)


# --- striking ---------------------------------------------------------------------------------------------------------


@clause("DW-HORDE-15", "DW-COND-ENGAGED")
def plan_horde_strike(state: State, order: HordeStrikeOrder) -> Plan:
    """Refuse hordes with no enemy close enough, and guns."""
    mob = acting_horde(state, order, "Standard Attack")
    target = referee.find_if_named(state, order.target)
    if target is not None:
        referee.need_enemy(state, mob, target)
        near = isinstance(target, Fighter) and state.is_adjacent(mob, target)
        reason = f"{target.name} is {state.metres(mob, target):g} m away; a horde strikes within 2 m"
        need(near, reason, "DW-COND-ENGAGED", "range")
    names = dict.fromkeys((*((target.name,) if target else ()), *mob.engaged_with))
    units = (state.find(name) for name in names)
    struck = tuple(unit for unit in units if isinstance(unit, Fighter) and not unit.is_dead)
    need(struck, f"nobody is in melee with {mob.name}; move it up first", "DW-COND-ENGAGED", "range")
    weapon = weapon_of(mob, order.weapon, True)
    need(weapon.melee, f"{weapon.name} is a gun; use horde_shoots", "DW-HORDE-15", "weapon")
    full = replace(order, unit=mob.name, target=target.name if target else "")
    return Plan(begin_horde_strike, state, mob, struck, weapon, full, order=full).then(
        end_horde_strike, state, mob.name
    )


@clause("DW-HORDE-15")
def begin_horde_strike(
    tape: Tape, state: State, mob: Mob, targets: tuple[Fighter, ...], weapon: WeaponProfile, order: HordeStrikeOrder
) -> Exchange:
    """Make one attack at every enemy in melee with the horde."""
    return attack.exchange_of(
        tape, state, mob, [declare_mob_attack(state, mob, fighter, weapon, order) for fighter in targets], targets
    )


@clause("DW-HORDE-15", "DW-COND-ENGAGED")
def end_horde_strike(tape: Tape, exchange: Exchange, state: State, name: str) -> State:
    """Write the blows back; every fighter that was struck is in melee."""
    state = referee.end_attack(tape, exchange, state, name, "Standard Attack")
    for foe in (foe for foe in exchange.combatants if not foe.is_mob):
        state = attack.engage(tape, state, name, foe.name)
    return state


OF_HORDES = {**referee.ATTACKING, "measures": results.OF_HORDES}
HORDE_SHOOTS = Action(
    "horde_shoots",
    "A horde shoots",
    HordeFireOrder,
    plan_horde_fire,
    clauses=referee.clauses_of("horde_shoots", "DW-HORDE-15"),
    **OF_HORDES,
)
HORDE_STRIKES = Action(
    "horde_strikes",
    "A horde strikes",
    HordeStrikeOrder,
    plan_horde_strike,
    clauses=referee.clauses_of("horde_strikes", "DW-HORDE-15"),
    **OF_HORDES,
)
