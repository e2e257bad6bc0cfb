"""A battle in tables: fighters, their weapons, mobs and clouds; and whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from battletape.rulesets.deathwatch.battle.state import Fighter, Held, Mob, State, Unit
from battletape.rulesets.deathwatch.rules.blasts import Cloud
from battletape.rulesets.deathwatch.rules.suppression import overwatch_hours
from battletape.rulesets.deathwatch.rules.wounds import category, critical_total, damage_taken
from battletape.rulesets.deathwatch.words import metres
from battletape.system import Table
from battletape.table.bases import Base
from battletape.table.picture import Marker, Picture, Thing, standing
from battletape.table.points import Point
from battletape.words import plain, plural


def where(state: State) -> Mapping[str, str]:
    """Round, side and who may act."""
    if not state.round:
        return {"turn": "0", "phase": "before initiative"}
    unit = state.find("")
    return {"turn": str(state.round), "side": unit.side, "unit": unit.name}


def show(state: State) -> Iterator[Table]:
    """Fighters, their weapons, mobs, and clouds if there are any."""
    head = ("fighter", "side", "initiative", "place", "health", "conditions", "notes")
    yield Table("Fighters", head, tuple(_fighter_row(state, fighter) for fighter in state.fighters))
    rows = tuple(_weapon_row(fighter, held) for fighter in state.fighters for held in fighter.held)
    yield Table("Weapons", ("fighter", "weapon", "clip", "state"), rows)
    if state.mobs:
        about = ("mob", "side", "initiative", "place", "magnitude", "notes")
        yield Table("Hordes", about, tuple(_mob_row(mob) for mob in state.mobs))
    if state.clouds:
        yield Table("Clouds", ("what", "place", "about", "left"), tuple(map(_cloud_row, state.clouds)))
    if any(number for _, number in state.cohesion):
        yield Table("Cohesion", ("side", "left"), tuple((side, str(number)) for side, number in state.cohesion))


def picture(state: State) -> Picture:
    """Who stands where, in metres, and the clouds."""
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
    """Wounds left, critical total, or dead; and how badly hurt."""
    if fighter.is_dead:
        return "dead"
    taken, critical = damage_taken(fighter.health, fighter.profile.wounds), critical_total(fighter.health)
    left = f"critical {critical}" if critical else f"{max(0, fighter.health)}/{fighter.profile.wounds}"
    hurt = category(taken, fighter.tb, critical)
    return left if hurt in ("undamaged", "critical") else f"{left}, {hurt} damaged"


def conditions_of(fighter: Fighter) -> Iterator[str]:
    """What a fighter suffers from, in words."""
    now = fighter.conditions
    if now.unconscious:
        yield f"unconscious {plural(now.unconscious, 'minute')}"
    if now.stunned:
        yield f"stunned {plural(now.stunned, 'round')}"
    if now.fatigue:
        yield f"fatigue {now.fatigue}"
    for name, word in (("prone", "prone"), ("pinned", "pinned"), ("on_fire", "on fire"), ("blood_loss", "bleeding")):
        if getattr(now, name):
            yield word
    if now.immobilised:
        yield "held fast"
    if now.blind:
        yield "blind"
    yield from (f"lost {plain(part)}" for part in now.lost)
    yield from (f"useless {plain(spot)}" for spot, _ in now.useless)
    if fighter.surprised:
        yield "surprised"


def notes_of(state: State, fighter: Fighter) -> Iterator[str]:
    """What a fighter is doing, in words."""
    if fighter.cover_ap:
        yield f"cover AP {fighter.cover_ap} ({', '.join(map(plain, fighter.hidden))})"
    if fighter.aim != "none":
        yield f"{fighter.aim} aim"
    if fighter.overwatch is not None:
        hours = plural(overwatch_hours(fighter.profile.willpower), "hour")
        yield f"overwatch towards {fighter.overwatch.facing:.0f}°, {hours} at most"
    flags = (
        ("delayed", "delays"),
        ("no_evasion", "cannot evade"),
        ("defensive", "defensive stance"),
        ("guarded", "guarded"),
        ("running", "runs"),
        ("screaming", "may only run"),
    )
    yield from (word for name, word in flags if getattr(fighter, name))
    if fighter.feinted:
        yield f"fooled {fighter.feinted}"
    if fighter.grappled_with:
        yield f"{'holds' if fighter.controls else 'is held by'} {fighter.grappled_with}"
    if fighter.engaged_with:
        yield f"in melee with {', '.join(fighter.engaged_with)}"
    if fighter.reactions_used:
        yield f"{plural(fighter.reactions_used, 'reaction')} used"
    if fighter.used and fighter.name == state.active:
        yield f"did {', '.join(fighter.used)}"


def _cloud_row(cloud: Cloud) -> tuple[str, ...]:
    place = f"{cloud.x:g}, {cloud.y:g}"
    return plain(cloud.strength) or cloud.kind, place, metres(cloud.radius), plural(cloud.rounds, "round")


def _weapon_row(fighter: Fighter, held: Held) -> tuple[str, ...]:
    words = [
        "destroyed" if held.destroyed else "",
        "on the ground" if held.lies_at else "" if held.ready else "put away",
        "jammed" if held.jammed else "",
        "braced" if held.braced else "",
        f"too hot until round {held.overheated_until + 1}" if held.overheated_until else "",
        f"reloading, {plural(held.reload_done, 'Full Action')} done" if held.reload_done else "",
        f"loaded with {held.loaded}" if held.loaded else "",
    ]
    clip = "-" if held.weapon.melee else f"{held.clip}/{held.weapon.clip}"
    return fighter.name, held.name, clip, "; ".join(filter(None, words)) or "in hand"


def mob_words(mob: Mob) -> Iterator[str]:
    """What has become of a horde, in words."""
    if mob.is_out:
        yield "destroyed" if mob.is_dead else "broken"
    if mob.pinned:
        yield "pinned"
    if mob.engaged_with:
        yield f"in melee with {', '.join(mob.engaged_with)}"


def _mob_row(mob: Mob) -> tuple[str, ...]:
    return (*_first(mob), f"{mob.magnitude}/{mob.starting}", "; ".join(mob_words(mob)) or "-")


def _first(unit: Unit) -> tuple[str, str, str, str]:
    return unit.name, unit.side, str(unit.initiative or "-"), f"{unit.x:g}, {unit.y:g}"
