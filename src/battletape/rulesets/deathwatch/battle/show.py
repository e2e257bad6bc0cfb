"""A battle in tables and as a picture: fighters, their weapons, mobs and clouds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from battletape.cards import Table
from battletape.rulebook import plain, plural, texts_that_hold
from battletape.rulesets.deathwatch.battle.state import CarriedWeapon, Fighter, Mob, State, Unit
from battletape.rulesets.deathwatch.rules import blasts, suppression, wounds
from battletape.rulesets.deathwatch.words import metres
from battletape.table.bases import Base
from battletape.table.picture import Marker, Picture, Thing, standing
from battletape.table.points import Point


def where(state: State) -> Mapping[str, str]:
    """Return the round, and the side and unit that may act."""
    if not state.round:
        return {"turn": "0", "phase": "before initiative"}
    unit = state.find("")
    return {"turn": str(state.round), "side": unit.side, "unit": unit.name}


def show(state: State) -> Iterator[Table]:
    """Yield the tables of fighters, weapons, mobs, and clouds if there are any."""
    head = ("fighter", "side", "initiative", "place", "health", "conditions", "notes")
    yield Table("Fighters", head, tuple(_fighter_row(state, fighter) for fighter in state.fighters))
    rows = tuple(_weapon_row(fighter, carried) for fighter in state.fighters for carried in fighter.weapons)
    yield Table("Weapons", ("fighter", "weapon", "clip", "state"), rows)
    if state.mobs:
        about = ("mob", "side", "initiative", "place", "magnitude", "notes")
        magnitudes = ((mob, f"{mob.magnitude}/{mob.starting}") for mob in state.mobs)
        mobs = ((*_first(mob), magnitude, "; ".join(mob_words(mob)) or "-") for mob, magnitude in magnitudes)
        yield Table("Hordes", about, tuple(mobs))
    if state.clouds:
        yield Table("Clouds", ("what", "place", "about", "left"), tuple(map(_cloud_row, state.clouds)))
    if any(number for _, number in state.cohesion):
        yield Table("Cohesion", ("side", "left"), tuple((side, str(number)) for side, number in state.cohesion))
    if state.notes:
        yield Table("Notes", ("note",), tuple((note,) for note in state.notes))


def picture(state: State) -> Picture:
    """Draw where the units and the clouds are, in metres."""
    acting = state.find("").side if state.round else state.sides[0]
    clouds = tuple(Marker(Base(Point(cloud.x, cloud.y), cloud.radius), cloud.kind, "around") for cloud in state.clouds)
    units: list[Thing] = []
    for unit in state.present:
        base = Base(Point(unit.x, unit.y), 0.5 if isinstance(unit, Fighter) else 3.0)
        units += standing(unit.name, unit.side, (base,), "acts" if unit.side == acting else "target")
    return Picture("The field", (*clouds, *units), unit="metres")


def _fighter_row(state: State, fighter: Fighter) -> tuple[str, ...]:
    suffers, notes = "; ".join(conditions_of(fighter)) or "-", "; ".join(notes_of(state, fighter)) or "-"
    return (*_first(fighter), health_of(fighter), suffers, notes)


def health_of(fighter: Fighter) -> str:
    """Format the wounds left, the critical total, or death, and how badly a fighter is hurt."""
    if fighter.is_dead:
        return "dead"
    if fighter.has_left:
        return "gone"
    taken, critical = wounds.damage_taken(fighter.health, fighter.profile.wounds), wounds.critical_total(fighter.health)
    left = f"critical {critical}" if critical else f"{max(0, fighter.health)}/{fighter.profile.wounds}"
    hurt = wounds.category(taken, fighter.tb, critical)
    return left if hurt in ("undamaged", "critical") else f"{left}, {hurt} damaged"


FLAGS = (
    ("prone", "prone", "is prone", "stands", "DW-COND-PRONE"),
    ("pinned", "pinned", "is pinned", "is no longer pinned", "DW-PIN-1"),
    ("on_fire", "on fire", "is on fire", "is no longer on fire", "DW-COND-FIRE"),
    ("blood_loss", "bleeding", "bleeds", "no longer bleeds", "DW-BLOOD-1"),
    ("immobilised", "held fast", "is held fast", "is free", "DW-QUAL-SNARE"),
)
"""Conditions that a fighter is in or not: as tables show them, and as the log tells that they begin and end."""
STANCES = (
    ("delayed", "delays", "delays", "DW-ACT-DELAY"),
    ("no_evasion", "cannot evade", "cannot evade until the next turn", "DW-ACT-ALL-OUT-ATTACK"),
    ("defensive", "defensive stance", "is in a defensive stance", "DW-ACT-DEFENSIVE-STANCE"),
    ("guarded", "guarded", "is on guard", "DW-ACT-GUARDED-ATTACK"),
    ("running", "runs", "runs", "DW-ACT-RUN"),
    ("screaming", "may only run", "", "DW-COND-FIRE"),  # the log has its own words for it
)
"""Stances that last until the next turn: as tables show them, and as the log tells that they begin."""


def conditions_of(fighter: Fighter) -> list[str]:
    """Format what a fighter suffers from."""
    now = fighter.conditions
    return texts_that_hold(
        (now.unconscious, f"unconscious {plural(now.unconscious, 'minute')}"),
        (now.stunned, f"stunned {plural(now.stunned, 'round')}"),
        (now.fatigue, f"fatigue {now.fatigue}"),
        *((getattr(now, name), shown) for name, shown, *_ in FLAGS),
        (now.blind, "blind"),
        *((True, f"lost {plain(part)}") for part in now.lost),
        *((True, f"useless {plain(spot)}") for spot, _ in now.useless),
        (fighter.surprised, "surprised"),
    )


def notes_of(state: State, fighter: Fighter) -> list[str]:
    """Format what a fighter is doing."""
    hours = plural(suppression.overwatch_hours(fighter.profile.willpower), "hour")
    facing = fighter.overwatch.facing if fighter.overwatch else 0
    return texts_that_hold(
        (fighter.cover_ap, f"cover AP {fighter.cover_ap} ({', '.join(map(plain, fighter.hidden))})"),
        (fighter.aim != "none", f"{fighter.aim} aim"),
        (fighter.overwatch, f"overwatch towards {facing:.0f}°, {hours} at most"),
        *((getattr(fighter, name), shown) for name, shown, *_ in STANCES),
        (fighter.fooled_enemy, f"fooled {fighter.fooled_enemy}"),
        (fighter.grappled_with, f"{'holds' if fighter.holds_other else 'is carried by'} {fighter.grappled_with}"),
        (fighter.engaged_with, f"in melee with {', '.join(fighter.engaged_with)}"),
        (fighter.reactions_used, f"{plural(fighter.reactions_used, 'reaction')} used"),
        (fighter.actions_used and fighter.name == state.active, f"did {', '.join(fighter.actions_used)}"),
    )


def _cloud_row(cloud: blasts.Cloud) -> tuple[str, ...]:
    place = f"{cloud.x:g}, {cloud.y:g}"
    return plain(cloud.strength) or cloud.kind, place, metres(cloud.radius), plural(cloud.rounds, "round")


def _weapon_row(fighter: Fighter, carried: CarriedWeapon) -> tuple[str, ...]:
    words = texts_that_hold(
        (carried.destroyed, "destroyed"),
        (carried.dropped_at, "on the ground"),
        (not carried.dropped_at and not carried.ready, "put away"),
        (carried.jammed, "jammed"),
        (carried.braced, "braced"),
        (carried.overheated_until, f"too hot until round {carried.overheated_until + 1}"),
        (carried.reload_done, f"reloading, {plural(carried.reload_done, 'Full Action')} done"),
        (carried.loaded, f"loaded with {carried.loaded}"),
    )
    clip = "-" if carried.profile.melee else f"{carried.clip}/{carried.profile.clip}"
    return fighter.name, carried.name, clip, "; ".join(words) or "in hand"


def mob_words(mob: Mob) -> list[str]:
    """Format what has become of a horde."""
    return texts_that_hold(
        (mob.is_out, "destroyed" if mob.is_dead else "broken" if mob.broken else "gone"),
        (mob.pinned, "pinned"),
        (mob.surprised, "surprised"),
        (mob.cover_ap, f"cover AP {mob.cover_ap}"),
        *((mob.running, shown) for name, shown, *_ in STANCES if name == "running"),
        (mob.engaged_with, f"in melee with {', '.join(mob.engaged_with)}"),
    )


def _first(unit: Unit) -> tuple[str, str, str, str]:
    return unit.name, unit.side, str(unit.initiative or "-"), f"{unit.x:g}, {unit.y:g}"
