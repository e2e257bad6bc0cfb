"""The battle as tables: the models of each side, and the markers in play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from battletape.cards import Table
from battletape.field.maps import Reach
from battletape.rulebook import inches, plural, texts_that_hold
from battletape.rulesets.second_edition.battle.state import (
    COVERS,
    CarriedWeapon,
    Fighter,
    PlacedMarker,
    State,
    Terrain,
    Use,
    aim_of,
    is_out_of_coherency,
)
from battletape.rulesets.second_edition.battle.turn import refuse_shooter
from battletape.table.points import Point

HEAD = ("model", "unit", "wounds", "place", "T", "save", "state", "weapons")


def show(state: State) -> Iterable[Table]:
    """Show every side as a table of its models, and the markers."""
    for side in state.field.sides:
        rows = tuple(_row(state, fighter) for fighter in state.fighters if fighter.side == side)
        yield Table(side + (" (to act)" if side == state.active else ""), HEAD, rows)
    if state.markers:
        head = ("marker", "kind", "radius", "place", "owner", "since turn", "state")
        yield Table("Markers", head, tuple(map(_marker_row, state.markers)), "SE-66")
    ground = [piece for piece in state.field.terrain if isinstance(piece, Terrain)]
    if ground:
        rows = tuple((piece.name, about_terrain(piece), inches(piece.top)) for piece in ground)
        yield Table("Terrain", ("terrain", "what it is", "height"), rows, "SE-17")


def about(state: State) -> Mapping[str, str]:
    """Return what the map says of terrain, markers and models."""
    lying = {piece.name: about_terrain(piece) for piece in state.field.terrain}
    return lying | {fighter.name: "; ".join(notes_of(state, fighter)) for fighter in state.standing()}


def about_terrain(piece: Terrain | PlacedMarker) -> str:
    """Say in a few words what a marker is, or what a piece of terrain does."""
    if isinstance(piece, PlacedMarker):
        return piece.kind
    kinds = [piece.kind] if piece.kind else []
    return ", ".join([*kinds, f"{COVERS[piece.cover]} cover" if piece.cover else "no cover"])


def reaches(state: State, name: str) -> tuple[Reach, ...]:
    """Return how far a model may move now, or how far the weapons fire that it may fire now."""
    fighter = state.fighter(name)
    if state.clock.phase == "movement":
        return () if fighter.done.moved else (Reach(f"move {fighter.move:g}″", fighter.move),)
    if state.clock.phase != "shooting":
        return ()
    far = {
        weapon.name: weapon.template.length if weapon.template is not None else aim_of(fighter, weapon, None).long_range
        for weapon in fighter.weapons
        if refuse_shooter(state, fighter, weapon) is None
    }
    return tuple(Reach(f"{weapon} {reach:g}″", reach) for weapon, reach in far.items() if reach)


def _row(state: State, fighter: Fighter) -> tuple[str, ...]:
    model = fighter.model
    save = "-" if model.save is None else f"{model.save}+" + (" on 2D6" if model.save_dice == "2d6" else "")
    return (
        fighter.name,
        fighter.unit,
        "vehicle" if model.is_vehicle else f"{fighter.condition.wounds}/{model.wounds}",
        place_text(*(base.centre for base in state.field.position(fighter.name).bases)),
        "-" if model.toughness is None else str(model.toughness),
        save,
        "; ".join(notes_of(state, fighter)),
        "; ".join(weapon_of(weapon, fighter.use_of(weapon.name)) for weapon in fighter.weapons),
    )


def notes_of(state: State, fighter: Fighter) -> list[str]:
    """List what matters about a model now."""
    if fighter.is_gone:
        return ["off the table" if fighter.gone else "fallen"]
    done, fire = fighter.done, fighter.condition.on_fire
    result = "" if done.ignores else done.result
    burns = f"on fire by {fire.weapon}" if fire is not None else ""
    return texts_that_hold(
        (fire is not None, burns + (", ignores it" if done.ignores else "")),
        (done.due, "Fire Test due"),
        (result == "burns" and fighter.is_burning, "runs about"),
        (result == "out", "extinguished, idle in this turn"),
        (fighter.condition.vehicle_hits, f"{plural(fighter.condition.vehicle_hits, 'hit')} for armour penetration"),
        (done.helped, "helped, does not shoot"),
        (done.moved, "moved"),
        (is_out_of_coherency(state, fighter), f"strays: more than {inches(state.coherency)} from its unit"),
    )


def weapon_of(weapon: CarriedWeapon, use: Use) -> str:
    """Name a weapon, and what is wrong with it."""
    if weapon.grenades_left is not None:
        return f"{weapon.grenades_left} x {weapon.name}" if weapon.grenades_left else f"no {weapon.name}"
    troubles = texts_that_hold(
        (weapon.state.destroyed, "destroyed"),
        (weapon.state.jams and not weapon.state.destroyed, plural(weapon.state.jams, "jam")),
        (weapon.state.cooling, "recharging"),
        (use, use),
    )
    return f"{weapon.name} ({', '.join(troubles)})" if troubles else weapon.name


def place_text(*places: Point) -> str:
    """Write where something is; a dash for what has no place."""
    return ", ".join(f"{at.x:.1f}, {at.y:.1f}" for at in places) or "-"


def _marker_row(marker: PlacedMarker) -> tuple[str, ...]:
    due = {"": "", "test": "test due", "harm": "harm due"}[marker.due]
    stands = "goes at the end of the turn" if marker.status == "expiring" else "in play"
    notes = "; ".join(filter(None, (stands, due)))
    size, place = inches(marker.radius), place_text(*marker.corners)
    return (marker.name, marker.kind, size, place, marker.owner, str(marker.turn), notes)
