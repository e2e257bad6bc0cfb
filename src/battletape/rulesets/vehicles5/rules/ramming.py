"""Ramming: a tank drives into an enemy vehicle, which may dodge, brace itself or strike first."""

from __future__ import annotations

from typing import Literal, TypeAlias

from battletape.rulebook import D6, Line, Procedure, Refused, State, Tape, at_least, capital, clause, plain, replace
from battletape.rulesets.vehicles5.profiles.types import WeaponProfile
from battletape.rulesets.vehicles5.rules import tank_shock
from battletape.rulesets.vehicles5.rules.damage import UNDAMAGED, Condition, damage_line
from battletape.rulesets.vehicles5.rules.keywords import shot_with_rules
from battletape.rulesets.vehicles5.rules.movement import max_inches, top_band
from battletape.rulesets.vehicles5.rules.shooting import Shot, ShotDraft, facing_from, resolve_shot
from battletape.rulesets.vehicles5.rules.tank_shock import GLORY, Drive, GloryWeapon, Tries, inches_rammer_drives_on
from battletape.rulesets.vehicles5.rules.traits import Band, Traits
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.tables.printed import RAM_STRENGTH
from battletape.table import points, sweeps
from battletape.table.bases import Base
from battletape.table.facings import Facing
from battletape.table.hulls import Hull, driven

TARGET = "the target"
"""The name of a rammed vehicle in a sentence, where it has none."""
BRACE = "brace"
DODGES = "dodge"
STAYS = "stay"
Outcome: TypeAlias = Literal["", "stopped_before", "dodged", "stopped_by_glory", "collided"]
Reaction: TypeAlias = Literal["brace", "glory", "choose"]


class RamState(State, frozen=True, kw_only=True):
    """The state of a ram."""

    drive: Drive
    start: Condition  # of the target
    target: Condition
    hits: tuple[Shot, Shot]  # what the rammer suffers, and what the target does
    rear_hits: tuple[Shot, Shot] | None = None  # both hits if the glory of a walker has failed
    dodge: Tries = "never"
    glory: tuple[GloryWeapon, ...] = ()  # weapons of a walker that may strike first
    reaction: Reaction = "brace"
    outcome: Outcome = ""
    drives_on: bool = False
    name: str = TARGET

    @property
    def rammer(self) -> Condition:
        """Return the condition of the rammer."""
        return self.drive.tank


@clause("V5-RAM-2", "V5-SKIM-5")
def declared_distance(traits: Traits, band: Band, on_road: bool = False, rulings: Rulings = DEFAULT) -> float | Refused:
    """Return the distance of a ram, as far as the tank can go, or a refusal at this speed."""
    top = top_band(traits)
    if band != top:
        reason = f"a ram is driven at top speed, {plain(top)}; {plain(band)} was declared"
        return Refused(reason, "V5-RAM-2", "speed")
    return max_inches(traits, on_road, rulings=rulings)


@clause("V5-RAM-2")
def refuse_distance(distance: float | None, declared: float, target: str = "the target") -> Refused | None:
    """Refuse a target that is too far away, or not on the line (None)."""
    if distance is None:
        return Refused(f"{target} is not within {declared:g} inches straight ahead", "V5-RAM-2", "distance")
    if distance <= declared + points.TOLERANCE:
        return None
    reason = f"{target} is {distance:g} inches away; this tank rams one at {declared:g} or less"
    return Refused(reason, "V5-RAM-2", "distance")


@clause("V5-SKIM-8")
def refuse_dodge(
    target: Traits, rammer: Traits, condition: Condition = UNDAMAGED, rulings: Rulings = DEFAULT
) -> Refused | None:
    """Refuse a dodge that a vehicle may not try."""
    if not target.skimmer:
        return Refused("only a skimmer may dodge a ram", "V5-SKIM-8", "type")
    if rammer.skimmer:
        return Refused("a ram by another skimmer cannot be dodged", "V5-SKIM-8", "type")
    if rulings.dodge_requires_mobile and (condition.stunned or condition.immobilised):
        word = "immobilised" if condition.immobilised else "stunned"
        return Refused(f"a skimmer that is {word} cannot dodge by the ruling dodge_requires_mobile", "V5-SKIM-8", word)
    return None


@clause("V5-WALK-15")
def refuse_walker_glory(target: Traits, facing: Facing) -> Refused | None:
    """Refuse death or glory to a rammed vehicle that is no walker, or is struck in the rear."""
    if not target.walker:
        return Refused("only a walker may answer a ram with death or glory", "V5-WALK-15", "type")
    if facing == "rear":
        return Refused("a walker that is struck in the rear can only brace itself", "V5-WALK-15", "rear")
    return None


@clause("V5-WALK-15", "V5-DMG-1", "V5-DMG-2")
def is_usable_when_rammed(weapon: WeaponProfile, condition: Condition) -> bool:
    """Return whether a rammed walker may use a weapon: a dazed crew strikes, but does not shoot."""
    return weapon.type == "melee" or condition.dazed is None


@clause("V5-RAM-5", "V5-CORE-23")
def ram_strength(impact_av: int, tank: bool, distance: float, rulings: Rulings = DEFAULT) -> int:
    """Return the strength of a ram, by the armour at the impact, the inches driven, and a tank's bonus."""
    armour = max(0, impact_av - RAM_STRENGTH["armour_over"])
    speed = int((distance + points.TOLERANCE) // RAM_STRENGTH["inches"])
    strength = armour + speed + RAM_STRENGTH["tank"] * tank
    return min(strength, rulings.ram_strength_cap or strength)


@clause("V5-RAM-4", "V5-RAM-5", "V5-RAM-6", "V5-CORE-4")
def impact_hits(
    rammer: tuple[int, Traits], target: tuple[int, Traits], distance: float, rulings: Rulings = DEFAULT, *by: str
) -> tuple[Shot, Shot]:
    """Return the hits on rammer and target, without AP or cover."""
    attacker, defender = by or ("attacker", "defender")

    def hit(name: str, of: tuple[int, Traits], on: tuple[int, Traits], by: str) -> Shot:
        strength = ram_strength(of[0], of[1].tank, distance, rulings)
        return shot_with_rules(
            ShotDraft(name, 0, strength, on[0], open_topped=on[1].open_topped, by=by), rulings=rulings
        )

    return hit("hit on the rammer", target, rammer, defender), hit("hit on the target", rammer, target, attacker)


@clause("V5-RAM-4")
def rammer_facing(contact: Facing, rulings: Rulings) -> Facing:
    """Return the side of the rammer that takes its hit."""
    return contact if rulings.rammer_facing == "contact" else "front"


@clause("V5-RAM-4", "V5-SHOT-4")
def impact_facings(
    rammer: Hull, target: Hull, distance: float, rulings: Rulings = DEFAULT, footprint: Base | Hull | None = None
) -> tuple[sweeps.Impact, Facing, Facing] | None:
    """Return where a tank driven straight ahead meets a vehicle or its base, and both facings; None if it does not."""
    impact = sweeps.impact(rammer, distance, footprint or target)
    if impact is None:
        return None
    facing = facing_from(driven(rammer, impact.inches), impact.at, rulings)
    return impact, rammer_facing(facing, rulings), facing_from(target, impact.at, rulings)


@clause("V5-RAM-4", "V5-SKIM-8", "V5-WALK-15")
def begin_ram(
    drive: Drive,
    target: Condition,
    target_traits: Traits,
    armour: tuple[int, int, int],
    distance: float,
    target_facing: Facing,
    glory: tuple[GloryWeapon, ...],
    condition: Condition,
    *by: str,
    dodge: Tries = "choose",
    reaction: Reaction = "choose",
    name: str = TARGET,
) -> RamState:
    """Return a ram about to be made; `armour` is that of both at the impact, and of the target's rear."""
    rammer_av, target_av, rear = armour
    rulings = drive.rulings
    no_dodge = refuse_dodge(target_traits, drive.traits, condition, rulings)
    no_glory = refuse_walker_glory(target_traits, target_facing)
    if no_dodge is not None and dodge == "always":
        raise no_dodge
    if no_glory is not None and reaction == "glory":
        raise no_glory
    rammer = (rammer_av, drive.traits)
    return RamState(
        drive=drive,
        start=target,
        target=target,
        hits=impact_hits(rammer, (target_av, target_traits), distance, rulings, *by),
        rear_hits=impact_hits(rammer, (rear, target_traits), distance, rulings, *by) if no_glory is None else None,
        dodge="never" if no_dodge is not None else dodge,
        glory=glory if no_glory is None else (),
        reaction=reaction,
        name=name,
    )


@clause("V5-RAM-7")
def can_drive_on(target: Condition, rammer: Condition, rulings: Rulings = DEFAULT) -> bool:
    """Return whether the rammer may drive on."""
    if target.status != "exploded" or rammer.is_destroyed or rammer.immobilised:
        return False
    return rulings.ram_on_while_stunned or not rammer.stunned


@clause("V5-RAM-3", "V5-RAM-1")
def drive_through(tape: Tape, ram: RamState) -> RamState:
    """Drive through units in between; they are shocked as by any tank, and may stop it."""
    drive: Drive = tape.call(tank_shock.end_of_move, tape.call(tank_shock.advance, ram.drive))
    stopped = bool(drive.stopped_by) or drive.tank.is_destroyed
    if stopped:
        tape.tell(stopped_before_line, drive.name, ram.name)
    return replace(ram, drive=drive, outcome="stopped_before" if stopped else "")


@clause("V5-SKIM-8", "V5-SKIM-9")
def dodge(tape: Tape, ram: RamState) -> RamState:
    """Let a skimmer dodge; if it does, neither vehicle is hit."""
    if ram.outcome or ram.dodge == "never":
        return ram
    if ram.dodge == "choose" and tape.choose((DODGES, STAYS), by=ram.drive.by, label="dodge the ram") == STAYS:
        return ram
    if not tape.roll(D6, at_least(3), label="dodge", by="defender"):
        return ram
    tape.tell(dodge_line, ram.name, ram.drive.name, clause="V5-SKIM-9")
    return replace(ram, outcome="dodged")


@clause("V5-WALK-15", "V5-DOG-2", "V5-DOG-3")
def brace_or_glory(tape: Tape, ram: RamState) -> RamState:
    """Let a walker strike first; if that does not stop the tank, it is hit in the rear."""
    if ram.outcome or not ram.glory or ram.reaction == "brace" or ram.rear_hits is None:
        return ram
    if ram.reaction == "choose" and tape.choose((BRACE, GLORY), by=ram.drive.by, label="brace or glory") == BRACE:
        return ram
    drive, _ = tank_shock.glory_attack(tape, ram.drive, ram.glory, ram.drive.moved)
    ends: Outcome = "stopped_by_glory" if drive.stopped_by else ""
    tape.tell(glory_line, ram.name, drive.name, bool(ends))
    return replace(ram, drive=drive, hits=ram.rear_hits, outcome=ends)


@clause("V5-RAM-4", "V5-RAM-6")
def collide(tape: Tape, ram: RamState) -> RamState:
    """Hit both vehicles at the same time."""
    if ram.outcome:
        return ram
    target = tape.call(resolve_shot, ram.target, ram.hits[1])
    tape.tell(damage_line, ram.name, ram.target, target)
    rammer = tape.call(resolve_shot, tank_shock.condition_at_speed(ram.drive, ram.drive.moved), ram.hits[0])
    tape.tell(damage_line, ram.drive.name, ram.rammer, rammer)
    return replace(ram, target=target, drive=tank_shock.after_hit(ram.drive, rammer), outcome="collided")


@clause("V5-RAM-7")
def end_of_ram(tape: Tape, ram: RamState) -> RamState:
    """Stop the rammer in contact, unless its target has exploded and it can still move."""
    drives_on = ram.outcome == "collided" and can_drive_on(ram.target, ram.rammer, ram.drive.rulings)
    if drives_on:
        tape.tell(
            drive_on_line, ram.drive.name, inches_rammer_drives_on(ram.drive.declared, ram.drive.moved, drives_on)
        )
    return replace(ram, drives_on=drives_on)


RAM = Procedure("ram", (drive_through, dodge, brace_or_glory, collide, end_of_ram))


# --- what is told ---------------------------------------------------------------------------------------------------


def stopped_before_line(tank: str, target: str) -> Line:
    """Say that the tank does not get to its target."""
    return Line(f"{capital(tank)} is stopped before it reaches {target}", result="stopped_before")


def dodge_line(skimmer: str, tank: str) -> Line:
    """Say that a skimmer dodges the ram."""
    return Line(f"{capital(skimmer)} dodges: nothing is hit, and {tank} stops", result="dodged")


def glory_line(walker: str, tank: str, stops: bool) -> Line:
    """Say what became of a walker that strikes first."""
    if stops:
        return Line(f"{capital(walker)} stops {tank}", ("V5-WALK-15", "V5-DOG-3"), result="stopped_by_glory")
    return Line(f"{capital(walker)} does not stop {tank}, and is hit in the rear", ("V5-WALK-15",))


def drive_on_line(tank: str, inches: float) -> Line:
    """Say how far the tank may drive on."""
    return Line(f"{capital(tank)} may drive on for {inches:g} inches", result=f"{inches:g}")
