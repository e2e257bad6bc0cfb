"""A battle in tables: fighters, their weapons, mobs, terrain and clouds; and what the map says of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from battletape.cards import Table
from battletape.field.maps import Reach
from battletape.rulebook import clause, plain, plural, texts_that_hold
from battletape.rulesets.deathwatch.battle.state import CarriedWeapon, Fighter, Mob, State, Unit, moves_of
from battletape.rulesets.deathwatch.rules import suppression, wounds
from battletape.rulesets.deathwatch.rules.movement import GAITS, TITLES
from battletape.rulesets.deathwatch.rules.terrain import Terrain
from battletape.rulesets.deathwatch.rules.traits import SPOTS
from battletape.rulesets.deathwatch.words import metres


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
        mobs = ((*_first(state, mob), magnitude, "; ".join(mob_words(mob)) or "-") for mob, magnitude in magnitudes)
        yield Table("Hordes", about, tuple(mobs))
    if state.clouds:
        yield Table("Clouds", ("what", "place", "about", "left"), tuple(map(_cloud_row, state.clouds)))
    if laid := [piece for piece in state.field.terrain if not piece.rounds and piece.kind != "fallen"]:
        yield Table("Terrain", ("terrain", "does"), tuple((piece.name, terrain_words(piece)) for piece in laid))
    if any(number for _, number in state.cohesion):
        yield Table("Cohesion", ("side", "left"), tuple((side, str(number)) for side, number in state.cohesion))
    if state.notes:
        yield Table("Notes", ("note",), tuple((note,) for note in state.notes))


@clause("DW-COVER-1")
def about(state: State) -> Mapping[str, str]:
    """Return what the map says of terrain and units."""
    terrain = {piece.name: terrain_words(piece) for piece in state.field.terrain}
    fighters = {unit.name: "; ".join((f"health {health_of(unit)}", *conditions_of(unit))) for unit in state.fighters}
    mobs = {mob.name: "; ".join((f"magnitude {mob.magnitude}", *mob_words(mob))) for mob in state.mobs}
    return terrain | fighters | mobs


@clause("DW-MOVE-1", "DW-RANGE-1")
def reaches(state: State, name: str) -> tuple[Reach, ...]:
    """Return how far a unit goes at each gait, and the range of the guns in its hands."""
    unit = state.find(name)
    reach = {TITLES[gait]: float(getattr(moves_of(state, unit), gait)) for gait in GAITS}
    carried = (
        [weapon.as_fired for weapon in unit.weapons if weapon.in_hand] if isinstance(unit, Fighter) else unit.arsenal
    )
    reach |= {gun.name: gun.range for gun in carried if not gun.melee}
    return tuple(Reach(f"{what} {metres(far)}", far) for what, far in reach.items())


def terrain_words(piece: Terrain) -> str:
    """Say what a piece of terrain does, in a few words."""
    hidden = "all places" if piece.hidden == SPOTS else ", ".join(map(plain, piece.hidden))
    cover = f"cover AP {piece.cover} ({hidden})"
    left = f"{plain(piece.strength) or piece.kind}, {plural(piece.rounds, 'round')}"
    words = texts_that_hold(
        (piece.is_impassable, "impassable"),
        (piece.cover, cover),
        (piece.top, f"{metres(piece.top)} high"),
        (piece.rounds, left),
    )
    return "; ".join(words) or "open"


def _fighter_row(state: State, fighter: Fighter) -> tuple[str, ...]:
    suffers, notes = "; ".join(conditions_of(fighter)) or "-", "; ".join(notes_of(state, fighter)) or "-"
    return (*_first(state, fighter), health_of(fighter), suffers, notes)


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
        *((getattr(fighter.done, name), shown) for name, shown, *_ in STANCES),
        (fighter.fooled_enemy, f"fooled {fighter.fooled_enemy}"),
        (fighter.grappled_with, f"{'holds' if fighter.holds_other else 'is carried by'} {fighter.grappled_with}"),
        (fighter.engaged_with, f"in melee with {', '.join(fighter.engaged_with)}"),
        (fighter.reactions_used, f"{plural(fighter.reactions_used, 'reaction')} used"),
        (fighter.done.actions and fighter.name == state.active, f"did {', '.join(fighter.done.actions)}"),
    )


def _cloud_row(cloud: Terrain) -> tuple[str, ...]:
    what, (at,) = plain(cloud.strength) or cloud.kind, cloud.corners
    return what, f"{at.x:g}, {at.y:g}", metres(cloud.radius), plural(cloud.rounds, "round")


def _weapon_row(fighter: Fighter, carried: CarriedWeapon) -> tuple[str, ...]:
    words = texts_that_hold(
        (carried.destroyed, "destroyed"),
        (carried.dropped_at, "on the ground"),
        (carried.is_put_away, "put away"),
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
        *((mob.done.running, shown) for name, shown, *_ in STANCES if name == "running"),
        (mob.engaged_with, f"in melee with {', '.join(mob.engaged_with)}"),
    )


def _first(state: State, unit: Unit) -> tuple[str, str, str, str]:
    at = "" if unit.has_left else "{0.x:g}, {0.y:g}".format(state.at(unit))
    return unit.name, unit.side, str(unit.initiative or "-"), at
