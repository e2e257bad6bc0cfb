"""A battle in tables: fighters, their weapons, mobs and clouds; and whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from battletape.rulesets.deathwatch.battle.state import Fighter, Held, Mob, State
from battletape.rulesets.deathwatch.rules.suppression import overwatch_hours
from battletape.rulesets.deathwatch.rules.wounds import category, critical_total, damage_taken
from battletape.system import Table
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
    yield Table("Fighters", head, tuple(_fighter_row(state, one) for one in state.fighters))
    rows = tuple(_weapon_row(one, held) for one in state.fighters for held in one.held)
    yield Table("Weapons", ("fighter", "weapon", "clip", "state"), rows)
    if state.mobs:
        about = ("mob", "side", "initiative", "place", "magnitude", "notes")
        yield Table("Hordes", about, tuple(_mob_row(one) for one in state.mobs))
    if state.clouds:
        found = tuple(
            (plain(one.strength) or one.kind, f"{one.x:g}, {one.y:g}", f"{one.radius:g} m", plural(one.rounds, "round"))
            for one in state.clouds
        )
        yield Table("Clouds", ("what", "place", "about", "left"), found)
    if any(number for _, number in state.cohesion):
        yield Table("Cohesion", ("side", "left"), tuple((side, str(number)) for side, number in state.cohesion))


def _fighter_row(state: State, one: Fighter) -> tuple[str, ...]:
    return (
        one.name,
        one.side,
        str(one.initiative or "-"),
        f"{one.x:g}, {one.y:g}",
        health_of(one),
        "; ".join(conditions_of(one)) or "-",
        "; ".join(notes_of(state, one)) or "-",
    )


def health_of(one: Fighter) -> str:
    """Wounds left, critical total, or dead; and how badly hurt."""
    if one.is_dead:
        return "dead"
    taken, critical = damage_taken(one.health, one.profile.wounds), critical_total(one.health)
    left = f"critical {critical}" if critical else f"{max(0, one.health)}/{one.profile.wounds}"
    hurt = category(taken, one.tb, critical)
    return left if hurt in ("undamaged", "critical") else f"{left}, {hurt} damaged"


def conditions_of(one: Fighter) -> Iterator[str]:
    """What somebody suffers from, in words."""
    now = one.conditions
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
    if one.surprised:
        yield "surprised"


def notes_of(state: State, one: Fighter) -> Iterator[str]:
    """What somebody is up to, in words."""
    if one.cover_ap:
        yield f"cover AP {one.cover_ap} ({', '.join(map(plain, one.hidden))})"
    if one.aim != "none":
        yield f"{one.aim} aim"
    if one.overwatch is not None:
        hours = plural(overwatch_hours(one.profile.willpower), "hour")
        yield f"overwatch towards {one.overwatch.facing:.0f}°, {hours} at most"
    flags = (
        ("delayed", "delays"),
        ("no_evasion", "cannot evade"),
        ("defensive", "defensive stance"),
        ("guarded", "guarded"),
        ("running", "runs"),
        ("screaming", "may only run"),
    )
    yield from (word for name, word in flags if getattr(one, name))
    if one.feinted:
        yield f"fooled {one.feinted}"
    if one.grappled_with:
        yield f"{'holds' if one.controls else 'is held by'} {one.grappled_with}"
    if one.engaged_with:
        yield f"in melee with {', '.join(one.engaged_with)}"
    if one.reactions_used:
        yield f"{plural(one.reactions_used, 'reaction')} used"
    if one.used and one.name == state.active:
        yield f"did {', '.join(one.used)}"


def _weapon_row(one: Fighter, held: Held) -> tuple[str, ...]:
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
    return one.name, held.name, clip, "; ".join(filter(None, words)) or "in hand"


def _mob_row(one: Mob) -> tuple[str, ...]:
    words = ["destroyed" if one.is_dead else "broken" if one.broken else "", "pinned" if one.pinned else ""]
    words.append(f"in melee with {', '.join(one.engaged_with)}" if one.engaged_with else "")
    magnitude = f"{one.magnitude}/{one.starting}"
    return (
        one.name,
        one.side,
        str(one.initiative or "-"),
        f"{one.x:g}, {one.y:g}",
        magnitude,
        "; ".join(filter(None, words)) or "-",
    )
