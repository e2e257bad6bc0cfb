"""What a vehicle may fire: by its speed, its condition, and which weapons together; and weapons on foot."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.vehicles5.profiles.book import is_barrage
from battletape.rulesets.vehicles5.profiles.types import Weapon
from battletape.rulesets.vehicles5.rules.movement import Situation, WeaponUse, refuse_locked, refuse_phase
from battletape.rulesets.vehicles5.rules.traits import Band, Traits
from battletape.rulesets.vehicles5.tables.printed import DEFENSIVE, WEAPONS_TO_SHOOT, FireMode
from battletape.table.points import TOLERANCE
from battletape.words import plain

CLOSE = 12.0  # rapid fire weapons fire twice within this


class Mode(Struct, frozen=True):
    """What a vehicle may fire now: all weapons, one main weapon with the defensive ones, or none, and why none."""

    mode: FireMode
    as_stationary: bool = False  # so that ordnance may be fired as a barrage
    why: Refused | None = None


@clause("V5-FIRE-5", "V5-FIRE-1", "V5-FIRE-2", "V5-FIRE-3", "V5-FIRE-4", "V5-FAST-2", "V5-FAST-3", "V5-FAST-4")
@clause("V5-WALK-3", "V5-ORD-4", "V5-TANK-6", "V5-DMG-1", "V5-DMG-2", "V5-FIRE-0")
def fire_mode(now: Situation, band: Band | None = None) -> Mode:
    """What a vehicle may fire after a move at this speed, or after the move it made, by driving or by tank shock."""
    traits, band = now.traits, band or now.band
    ordinary, fast, walker = WEAPONS_TO_SHOOT[band]
    mode = walker if traits.walker else fast if traits.fast else ordinary
    why = _silenced(now) or (_too_fast(traits, band) if mode == "none" else None)
    why = why or refuse_locked(now.name, now.locked_with)
    if why is None and now.fired:
        why = Refused(f"{now.name} has fired this turn, all its weapons together", "V5-FIRE-0", "fired")
    if why is None and now.phase == "assault":
        why = refuse_phase("weapons are fired", now.phase, "shooting")
    as_stationary = mode == "all" and (band == "stationary" or traits.fast or now.rules.walker_moved_barrage)
    return Mode(mode, as_stationary) if why is None else Mode("none", why=why)


def _silenced(now: Situation) -> Refused | None:
    if now.condition.is_destroyed:
        return Refused("a destroyed vehicle does not fire", now.condition.ended_by, "destroyed")
    if now.condition.dazed is not None:
        word, by = now.condition.dazed
        return Refused(f"a crew that is {word} does not fire", by, word)
    return refuse_after_deeds(now)


@clause("V5-SMOKE-2", "V5-RAM-2", "V5-WALK-4")
def refuse_after_deeds(now: Situation) -> Refused | None:
    """Why a vehicle does not fire after what it did this turn."""
    if now.smoke_this_turn:
        return Refused("a vehicle that set off smoke this turn fires no weapon", "V5-SMOKE-2", "smoke")
    if now.declared == "ram":
        return Refused("a tank that declared a ram this turn does not fire", "V5-RAM-2", "ram")
    return Refused("a walker that ran this turn does not fire", "V5-WALK-4", "ran") if now.ran else None


def _too_fast(traits: Traits, band: Band) -> Refused:
    if band == "flat_out":
        by = "V5-FAST-4" if traits.fast else "V5-FIRE-4"
        return Refused("nothing fires at flat-out speed; up to 12 inches a fast vehicle does", by, "speed")
    return Refused("only fast vehicles fire at cruising speed; up to 6 inches any does", "V5-FIRE-3", "speed")


@clause("V5-DEF-1")
def is_defensive(strength: int) -> bool:
    """Whether a shot of this strength is that of a defensive weapon."""
    return strength <= DEFENSIVE


@clause("V5-FIRE-2", "V5-FIRE-1", "V5-ORD-1", "V5-DEF-1", "V5-FIRE-5", "V5-FAST-3")
def refuse_set(mode: Mode, firing: Sequence[tuple[int, bool]]) -> Refused | None:
    """Why these weapons, each a strength and whether it is ordnance, may not fire together."""
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
def refuse_barrage(mode: Mode, gun: WeaponUse) -> Refused | None:
    """Why a weapon may not be fired as a barrage."""
    if mode.mode == "none" or not gun.lobs:
        return mode.why or refuse_lobbing(gun.name)
    if mode.as_stationary or not gun.ordnance:
        return None
    reason = "only a vehicle that counts as stationary can fire ordnance as a barrage; fire it directly instead"
    return Refused(reason, "V5-ORD-4", "barrage")


def refuse_lobbing(name: str) -> Refused:
    """Why a weapon that is no barrage weapon is not fired as a barrage."""
    return Refused(f"the {name} cannot be fired as a barrage; fire it directly instead", "V5-ORD-4", "barrage")


@clause("V5-ORD-3", "V5-ORD-4", "V5-CORE-1")
def refuse_range(weapon: Weapon, distance: float, as_barrage: bool = False) -> Refused | None:
    """Why a target is too far, or too near for a barrage; ordnance aimed directly has no minimum range."""
    least = weapon.least if is_lobbed(weapon, as_barrage) else 0
    if distance > weapon.range + TOLERANCE and weapon.range:
        reason = f"{weapon.name} reaches {weapon.range} inches; the target is {distance:.4g} away"
        return Refused(reason, "V5-CORE-1", "range")
    if distance < least - TOLERANCE:
        by = "V5-ORD-4" if weapon.type == "ordnance" else "V5-CORE-3"
        reason = f"a barrage of {weapon.name} needs {weapon.least} inches at least; the target is {distance:.4g} away"
        return Refused(reason, by, "range")
    return None


@clause("V5-ORD-3", "V5-ORD-4", "V5-CORE-3")
def is_lobbed(weapon: Weapon, as_barrage: bool) -> bool:
    """Whether its shots are a barrage: by choice if it is ordnance, always if it is another barrage weapon."""
    return as_barrage or (is_barrage(weapon) and weapon.type != "ordnance")


@clause("V5-ORD-3", "V5-CORE-3")
def refuse_unseen(barrage: bool, sees: bool = False) -> Refused | None:
    """Why a target is not fired at: it is out of sight, and this is no barrage."""
    reason = "what is aimed directly needs line of sight; a barrage does not"
    return None if barrage or sees else Refused(reason, "V5-ORD-3", "line_of_sight")


@clause("V5-FIRE-0")
def refuse_targets(targets: Sequence[str]) -> Refused | None:
    """Why weapons may not be aimed at these units: all of a vehicle's fire goes at one."""
    named = list(dict.fromkeys(targets))
    if len(named) <= 1:
        return None
    return Refused(f"all weapons of a vehicle fire at one unit; named were {', '.join(named)}", "V5-FIRE-0", "targets")


@clause("V5-CORE-21")
def refuse_unfired(weapon: Weapon) -> Refused | None:
    """Why a weapon is never fired: it is for close combat."""
    reason = f"{weapon.name} is for close combat and is not fired"
    return Refused(reason, "V5-CORE-21", "type") if weapon.type in ("melee", "grenade") else None


@clause("V5-CORE-21")
def refuse_weapon_on_foot(weapon: Weapon, moved: bool) -> Refused | None:
    """Why a soldier may not fire a weapon; passengers and those who got out count as having moved."""
    if weapon.type == "ordnance":
        return Refused(f"{weapon.name} is ordnance, which only vehicles fire", "V5-CORE-21", "type")
    if weapon.type == "heavy" and moved:
        return Refused(f"{weapon.name} is a heavy weapon, and its bearer counts as moving", "V5-CORE-21", "moved")
    return refuse_unfired(weapon)


@clause("V5-CORE-21")
def shots_on_foot(weapon: Weapon, distance: float, moved: bool) -> int:
    """How often a soldier fires at a target so far away: a rapid fire weapon once more within 12 inches."""
    if refuse_weapon_on_foot(weapon, moved) is not None or refuse_range(weapon, distance) is not None:
        return 0
    return weapon.shots + (weapon.type == "rapid_fire" and distance <= CLOSE + TOLERANCE)


@clause("V5-CORE-21")
def refuse_charge_after(weapon: Weapon) -> Refused | None:
    """Why soldiers who fired this weapon may not charge; walkers may, whatever they fired."""
    if weapon.type in ("assault", "pistol", "melee", "grenade"):
        return None
    reason = f"{weapon.name} is a {plain(weapon.type)} weapon; a unit that fires it does not charge this turn"
    return Refused(reason, "V5-CORE-21", "charge")
