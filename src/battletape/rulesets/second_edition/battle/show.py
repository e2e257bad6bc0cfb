"""The battle as tables: the models of each side, and the markers in play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from battletape.rulesets.second_edition.battle.state import Arm, Fighter, State, strays
from battletape.system import Table
from battletape.table.bases import Base
from battletape.table.picture import Marker, Picture, Thing, Tone, standing
from battletape.words import inches, plural

HEAD = ("model", "unit", "wounds", "place", "T", "save", "state", "weapons")


def show(state: State) -> Iterable[Table]:
    """Every side as a table of its models, and the markers."""
    for side in state.sides:
        rows = tuple(_row(state, fighter) for fighter in state.fighters if fighter.side == side)
        yield Table(side + (" (to act)" if side == state.active else ""), HEAD, rows)
    if state.markers:
        head = ("marker", "kind", "radius", "place", "owner", "since turn", "state")
        yield Table("Markers", head, tuple(_marker_rows(state)), "SE-66")


def picture(state: State) -> Picture | None:
    """The table with its markers and everybody who stands on it; none where nobody has said who stands where."""
    things: list[Thing] = [
        Marker(Base(lying.marker.centre, float(lying.marker.radius)), lying.name, about=lying.marker.kind)
        for lying in state.markers
        if lying.placed
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
        "vehicle" if model.is_vehicle else f"{fighter.state.wounds}/{model.wounds}",
        "-" if place is None else f"{place.x:.1f}, {place.y:.1f}",
        "-" if model.toughness is None else str(model.toughness),
        save,
        "; ".join(notes_of(state, fighter)),
        "; ".join(filter(None, map(weapon_of, fighter.arms))),
    )


def notes_of(state: State, fighter: Fighter) -> Iterator[str]:
    """What is to be known of a model now."""
    if fighter.is_gone:
        yield "off the table" if fighter.gone else "fallen"
        return
    if fighter.state.on_fire is not None:
        yield f"on fire by {fighter.state.on_fire.weapon}" + (", ignores it" if fighter.ignores else "")
    if fighter.due:
        yield "Fire Test due"
    if fighter.result == "burns" and fighter.is_burning and not fighter.ignores:
        yield "runs about"
    if fighter.result == "out" and not fighter.ignores:
        yield "extinguished, idle in this turn"
    if fighter.state.vehicle_hits:
        yield f"{plural(fighter.state.vehicle_hits, 'hit')} for armour penetration"
    if fighter.helped:
        yield "helped, does not shoot"
    if fighter.moved:
        yield "moved"
    if strays(state, fighter):
        yield f"strays: more than {inches(state.coherency)} from its unit"


def weapon_of(arm: Arm) -> str:
    """A weapon, and what is wrong with it."""
    if arm.left is not None:
        return f"{arm.left} x {arm.name}" if arm.left else f"no {arm.name}"
    troubles = ["destroyed"] if arm.state.destroyed else []
    troubles += [plural(arm.state.jams, "jam")] if arm.state.jams and not arm.state.destroyed else []
    troubles += ["recharging"] if arm.state.cooling else []
    troubles += [arm.used] if arm.used else []
    return f"{arm.name} ({', '.join(troubles)})" if troubles else arm.name


def _marker_rows(state: State) -> Iterator[tuple[str, ...]]:
    for lying in state.markers:
        marker, at = lying.marker, lying.marker.centre
        due = {"": "", "test": "test due", "harm": "harm due"}[lying.due]
        stands = "goes at the end of the turn" if marker.standing == "expiring" else "in play"
        place = f"{at.x:.1f}, {at.y:.1f}" if lying.placed else "-"
        told = "; ".join(filter(None, (stands, due)))
        yield lying.name, marker.kind, inches(marker.radius), place, lying.owner, str(lying.turn), told
