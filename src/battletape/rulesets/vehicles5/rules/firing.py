"""What a vehicle may fire: by its speed, its condition, which weapons together, and how far."""

from __future__ import annotations

from collections.abc import Sequence

from battletape.rulebook import Refused, State, clause
from battletape.rulesets.vehicles5.profiles.types import WeaponProfile
from battletape.rulesets.vehicles5.rules.keywords import BARRAGE
from battletape.rulesets.vehicles5.rules.movement import Situation, WeaponUse, refuse_locked, refuse_phase
from battletape.rulesets.vehicles5.rules.traits import Band, Traits
from battletape.rulesets.vehicles5.tables.printed import DEFENSIVE, WEAPONS_TO_SHOOT, FireMode
from battletape.table.points import TOLERANCE


class AllowedFire(State, frozen=True):
    """The weapons that a vehicle may fire now, or the reason why none."""

    mode: FireMode
    as_stationary: bool = False  # so that ordnance may be fired as a barrage
    why: Refused | None = None


@clause("V5-FIRE-5", "V5-FIRE-1", "V5-FIRE-2", "V5-FIRE-3", "V5-FIRE-4", "V5-FAST-2", "V5-FAST-3", "V5-FAST-4")
@clause("V5-WALK-3", "V5-ORD-4", "V5-TANK-6", "V5-DMG-1", "V5-DMG-2", "V5-FIRE-0")
def fire_mode(situation: Situation, band: Band | None = None) -> AllowedFire:
    """Return what a vehicle may fire after a move at this speed, or after the move it made."""
    traits = situation.traits
    band = band or situation.band
    ordinary, fast, walker = WEAPONS_TO_SHOOT[band]
    mode = walker if traits.walker else fast if traits.fast else ordinary
    why = _refuse_by_condition(situation) or (_refuse_by_speed(traits, band) if mode == "none" else None)
    why = why or refuse_locked(situation.name, situation.locked_with)
    if why is None and situation.fired:
        why = Refused(f"{situation.name} has fired this turn, all its weapons together", "V5-FIRE-0", "fired")
    if why is None and situation.phase == "assault":
        why = refuse_phase("weapons are fired", situation.phase, "shooting")
    as_stationary = mode == "all" and (band == "stationary" or traits.fast or situation.rulings.walker_moved_barrage)
    return AllowedFire(mode, as_stationary) if why is None else AllowedFire("none", why=why)


def _refuse_by_condition(situation: Situation) -> Refused | None:
    if situation.condition.is_destroyed:
        return Refused("a destroyed vehicle does not fire", situation.condition.ended_by, "destroyed")
    if situation.condition.dazed is not None:
        word, by = situation.condition.dazed
        return Refused(f"a crew that is {word} does not fire", by, word)
    return refuse_fire_after_actions(situation)


@clause("V5-SMOKE-2", "V5-RAM-2", "V5-WALK-4")
def refuse_fire_after_actions(situation: Situation) -> Refused | None:
    """Refuse fire after smoke, a ram or a run in this turn."""
    if situation.smoke_this_turn:
        return Refused("a vehicle that set off smoke this turn fires no weapon", "V5-SMOKE-2", "smoke")
    if situation.declared == "ram":
        return Refused("a tank that declared a ram this turn does not fire", "V5-RAM-2", "ram")
    return Refused("a walker that ran this turn does not fire", "V5-WALK-4", "ran") if situation.ran else None


def _refuse_by_speed(traits: Traits, band: Band) -> Refused:
    if band == "flat_out":
        by = "V5-FAST-4" if traits.fast else "V5-FIRE-4"
        return Refused("nothing fires at flat-out speed; up to 12 inches a fast vehicle does", by, "speed")
    return Refused("only fast vehicles fire at cruising speed; up to 6 inches any does", "V5-FIRE-3", "speed")


@clause("V5-DEF-1")
def is_defensive(strength: int) -> bool:
    """Return whether a weapon of this strength is defensive."""
    return strength <= DEFENSIVE


@clause("V5-FIRE-2", "V5-FIRE-1", "V5-ORD-1", "V5-DEF-1", "V5-FIRE-5", "V5-FAST-3")
def refuse_weapons_together(mode: AllowedFire, firing: Sequence[tuple[int, bool]]) -> Refused | None:
    """Refuse weapons of these strengths, some of them ordnance, that may not fire together."""
    if not firing:
        return None
    if mode.mode == "none":
        return mode.why
    if len(firing) > 1 and any(ordnance for _, ordnance in firing):
        return Refused(f"an ordnance weapon fires alone; {len(firing)} weapons were named", "V5-ORD-1", "ordnance")
    mains = [strength for strength, _ in firing if not is_defensive(strength)]
    if mode.mode == "one_main" and len(mains) > 1:
        named = ", ".join(f"S{strength}" for strength in mains)
        reason = f"one main weapon may fire at this speed, with all of S{DEFENSIVE} or less; named were {named}"
        return Refused(reason, "V5-FIRE-2", "main_weapons")
    return None


@clause("V5-ORD-4")
def refuse_barrage(mode: AllowedFire, gun: WeaponUse) -> Refused | None:
    """Refuse a weapon that may not be fired as a barrage."""
    if mode.mode == "none" or not gun.can_barrage:
        return mode.why or refuse_direct_weapon(gun.name)
    if mode.as_stationary or not gun.ordnance:
        return None
    reason = "only a vehicle that counts as stationary can fire ordnance as a barrage; fire it directly instead"
    return Refused(reason, "V5-ORD-4", "barrage")


def refuse_direct_weapon(name: str) -> Refused:
    """Refuse to fire a weapon as a barrage that is no barrage weapon."""
    return Refused(f"the {name} cannot be fired as a barrage; fire it directly instead", "V5-ORD-4", "barrage")


def mode_clause(traits: Traits, band: Band) -> str:
    """Return the clause that allows fire at a speed."""
    if traits.walker:
        return "V5-WALK-3"
    if band == "stationary":
        return "V5-FIRE-1"
    if traits.fast:
        return "V5-FAST-2" if band == "combat" else "V5-FAST-3"
    return "V5-FIRE-2"


@clause("V5-FIRE-5", "V5-DMG-3", "V5-DEF-1", "V5-ORD-4", "V5-FIRE-0")
def refuse_fire(
    situation: Situation, guns: Sequence[WeaponUse], lobbed: Sequence[WeaponUse] = (), targets: Sequence[str] = ()
) -> Refused | None:
    """Refuse weapons, some as a barrage, that may not all be fired in one phase at these targets."""
    mode = fire_mode(situation)
    refused = refuse_weapons_together(mode, [(gun.strength, gun.ordnance) for gun in guns])
    for gun in lobbed:
        refused = refused or refuse_barrage(mode, gun)
    refused = refused or refuse_targets(targets)
    for index, gun in enumerate(guns):
        if gun.weapon not in situation.condition.weapons:
            return refused or Refused(f"the {gun.weapon} is destroyed", "V5-DMG-3", "weapon")
        if gun.weapon in [other.weapon for other in guns[:index]]:
            return refused or Refused(f"the {gun.weapon} may fire in only one way in a phase", "V5-DEF-1", "weapon")
    return refused


def may_fire_barrage(situation: Situation) -> bool:
    """Return whether any weapon of the vehicle may fire as a barrage."""
    return any(gun.can_barrage and refuse_fire(situation, (gun,), (gun,)) is None for gun in situation.weapons)


def main_weapons(situation: Situation) -> int:
    """Return how many main weapons may fire together, ordnance aside."""
    ready = {gun.weapon for gun in situation.weapons if not gun.ordnance and not is_defensive(gun.strength)}
    usable = len(ready & set(situation.condition.weapons))
    return {"all": usable, "one_main": min(1, usable), "none": 0}[fire_mode(situation).mode]


@clause("V5-ORD-3", "V5-ORD-4", "V5-CORE-1")
def refuse_range(weapon: WeaponProfile, distance: float, as_barrage: bool = False) -> Refused | None:
    """Refuse a target that is too far, or too near for a barrage."""
    least = weapon.least if is_barrage(weapon, as_barrage) else 0
    if distance > weapon.range + TOLERANCE and weapon.range:
        reason = f"{weapon.name} reaches {weapon.range} inches; the target is {distance:.4g} away"
        return Refused(reason, "V5-CORE-1", "range")
    if distance < least - TOLERANCE:
        by = "V5-ORD-4" if weapon.type == "ordnance" else "V5-CORE-3"
        reason = f"a barrage of {weapon.name} needs {weapon.least} inches at least; the target is {distance:.4g} away"
        return Refused(reason, by, "range")
    return None


@clause("V5-ORD-3", "V5-ORD-4", "V5-CORE-3")
def is_barrage(weapon: WeaponProfile, as_barrage: bool) -> bool:
    """Return whether its shots are a barrage, which for ordnance is a choice."""
    return as_barrage or (BARRAGE in weapon.rules and weapon.type != "ordnance")


@clause("V5-ORD-3", "V5-CORE-3")
def refuse_unseen(barrage: bool, sees: bool = False) -> Refused | None:
    """Refuse a target out of sight, unless it is fired at as a barrage."""
    reason = "what is aimed directly needs line of sight; a barrage does not"
    return None if barrage or sees else Refused(reason, "V5-ORD-3", "line_of_sight")


@clause("V5-FIRE-0")
def refuse_targets(targets: Sequence[str]) -> Refused | None:
    """Refuse several targets for the weapons of one vehicle."""
    named = list(dict.fromkeys(targets))
    if len(named) <= 1:
        return None
    return Refused(f"all weapons of a vehicle fire at one unit; named were {', '.join(named)}", "V5-FIRE-0", "targets")
