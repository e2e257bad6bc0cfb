"""The battle as tables: the models of each side, and the markers in play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from battletape.cards import Table
from battletape.rulebook import inches, plural, texts_that_hold
from battletape.rulesets.second_edition.battle.state import CarriedWeapon, Fighter, State, is_out_of_coherency
from battletape.table.bases import Base
from battletape.table.picture import Marker, Picture, Thing, Tone, standing

HEAD = ("model", "unit", "wounds", "place", "T", "save", "state", "weapons")


def show(state: State) -> Iterable[Table]:
    """Show every side as a table of its models, and the markers."""
    for side in state.sides:
        rows = tuple(_row(state, fighter) for fighter in state.fighters if fighter.side == side)
        yield Table(side + (" (to act)" if side == state.active else ""), HEAD, rows)
    if state.markers:
        head = ("marker", "kind", "radius", "place", "owner", "since turn", "state")
        yield Table("Markers", head, tuple(_marker_rows(state)), "SE-66")


def picture(state: State) -> Picture | None:
    """Draw the table with its markers and models; nothing in a battle without positions."""
    things: list[Thing] = [
        Marker(
            Base(placed_marker.marker.centre, float(placed_marker.marker.radius)),
            placed_marker.name,
            about=placed_marker.marker.kind,
        )
        for placed_marker in state.markers
        if placed_marker.placed
    ]
    for fighter in state.fighters:
        if fighter.base is not None and not fighter.is_gone:
            tone: Tone = "acts" if fighter.side == state.active else "target"
            about = "on fire" if fighter.is_burning else ""
            things += standing(fighter.name, fighter.side, (fighter.base,), tone, about)
    return Picture("The table", tuple(things), state.board, whole=True) if things else None


def _row(state: State, fighter: Fighter) -> tuple[str, ...]:
    model, place = fighter.model, fighter.place
    save = "-" if model.save is None else f"{model.save}+" + (" on 2D6" if model.save_dice == "2d6" else "")
    return (
        fighter.name,
        fighter.unit,
        "vehicle" if model.is_vehicle else f"{fighter.condition.wounds}/{model.wounds}",
        "-" if place is None else f"{place.x:.1f}, {place.y:.1f}",
        "-" if model.toughness is None else str(model.toughness),
        save,
        "; ".join(notes_of(state, fighter)),
        "; ".join(filter(None, map(weapon_of, fighter.weapons))),
    )


def notes_of(state: State, fighter: Fighter) -> list[str]:
    """List what matters about a model now."""
    if fighter.is_gone:
        return ["off the table" if fighter.gone else "fallen"]
    fire, result = fighter.condition.on_fire, "" if fighter.ignores else fighter.result
    burns = f"on fire by {fire.weapon}" if fire is not None else ""
    return texts_that_hold(
        (fire is not None, burns + (", ignores it" if fighter.ignores else "")),
        (fighter.due, "Fire Test due"),
        (result == "burns" and fighter.is_burning, "runs about"),
        (result == "out", "extinguished, idle in this turn"),
        (fighter.condition.vehicle_hits, f"{plural(fighter.condition.vehicle_hits, 'hit')} for armour penetration"),
        (fighter.helped, "helped, does not shoot"),
        (fighter.moved, "moved"),
        (is_out_of_coherency(state, fighter), f"strays: more than {inches(state.coherency)} from its unit"),
    )


def weapon_of(weapon: CarriedWeapon) -> str:
    """Name a weapon, and what is wrong with it."""
    if weapon.grenades_left is not None:
        return f"{weapon.grenades_left} x {weapon.name}" if weapon.grenades_left else f"no {weapon.name}"
    troubles = texts_that_hold(
        (weapon.state.destroyed, "destroyed"),
        (weapon.state.jams and not weapon.state.destroyed, plural(weapon.state.jams, "jam")),
        (weapon.state.cooling, "recharging"),
        (weapon.used, weapon.used),
    )
    return f"{weapon.name} ({', '.join(troubles)})" if troubles else weapon.name


def _marker_rows(state: State) -> Iterator[tuple[str, ...]]:
    for placed_marker in state.markers:
        marker, at = placed_marker.marker, placed_marker.marker.centre
        due = {"": "", "test": "test due", "harm": "harm due"}[placed_marker.due]
        stands = "goes at the end of the turn" if marker.status == "expiring" else "in play"
        place = f"{at.x:.1f}, {at.y:.1f}" if placed_marker.placed else "-"
        notes = "; ".join(filter(None, (stands, due)))
        yield (
            placed_marker.name,
            marker.kind,
            inches(marker.radius),
            place,
            placed_marker.owner,
            str(placed_marker.turn),
            notes,
        )
