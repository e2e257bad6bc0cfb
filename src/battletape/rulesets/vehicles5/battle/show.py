"""How a battle is shown: tables of vehicles, squads and terrain, and what the map says of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from battletape.cards import Table
from battletape.field.maps import Reach
from battletape.rulebook import clause, plain, plural
from battletape.rulesets.vehicles5.battle.actions.move_unit import MOVE_INCHES
from battletape.rulesets.vehicles5.battle.state import BattleUnit, Squad, State, Vehicle
from battletape.rulesets.vehicles5.profiles.book import fitting_mount
from battletape.rulesets.vehicles5.rules import movement
from battletape.rulesets.vehicles5.rules.damage import condition_summary


def show(state: State) -> Iterable[Table]:
    """Show vehicles, squads and the terrain."""
    head = ("vehicle", "side", "place", "heading", "armour", "speed", "condition", "weapons", "notes")
    yield Table("Vehicles", head, tuple(_vehicle_row(state, vehicle) for vehicle in state.vehicles))
    about = ("squad", "side", "models", "place", "save", "Ld", "notes")
    yield Table("Squads", about, tuple(_squad_row(state, squad) for squad in state.squads))
    rows = tuple(
        (piece.name, piece.kind, f"{piece.cover}+" if piece.cover else "-", f"{piece.top:g}")
        for piece in state.field.terrain
    )
    yield Table("Ground", ("name", "kind", "cover", "height"), rows)


def about(state: State) -> Mapping[str, str]:
    """Return what the map says of units and terrain."""
    terrain = {
        piece.name: plain(piece.kind) + (f", cover {piece.cover}+" if piece.cover else "")
        for piece in state.field.terrain
    }
    vehicles = {
        vehicle.name: "; ".join([str(condition_summary(state.condition(vehicle))), *_vehicle_notes(state, vehicle)])
        for vehicle in state.vehicles
    }
    return terrain | vehicles | {squad.name: "; ".join(_squad_notes(state, squad)) for squad in state.squads}


@clause("V5-MOVE-2", "V5-CORE-9", "V5-LOS-1")
def reaches(state: State, name: str) -> tuple[Reach, ...]:
    """Return how far a unit may still move in its Movement phase, or what its weapons reach after that."""
    unit = state.find(name)
    if state.phase == "movement":
        left = _inches_left(state, unit)
        return (Reach(f"moves {left:g}″", left),) if left else ()
    if isinstance(unit, Squad):
        ranges = {way.name: way.range for weapon, _ in unit.bearers() for way in unit.fire_modes(weapon)}
        return tuple(Reach(f"{weapon} {far}″", far) for weapon, far in ranges.items() if far)
    return tuple(
        Reach(f"{gun.label} {gun.weapons[0].range}″", gun.weapons[0].range, fitting_mount(gun.fitting, state.rulings))
        for gun in unit.guns
        if gun.label in unit.condition.weapons and gun.weapons[0].range
    )


def _inches_left(state: State, unit: BattleUnit) -> float:
    if isinstance(unit, Vehicle):
        return movement.inches_left(state.situation(unit))
    return 0.0 if unit.done.moved or unit.falling_back or state.transport_of(unit.name) else MOVE_INCHES


def _place(state: State, name: str) -> str:
    footprints = state.field.position(name).footprints
    return f"{footprints[0].centre.x:.1f}, {footprints[0].centre.y:.1f}" if footprints else "-"


def _vehicle_row(state: State, vehicle: Vehicle) -> tuple[str, ...]:
    profile, hulls = vehicle.profile, state.field.position(vehicle.name).hulls
    return (
        vehicle.name,
        vehicle.side,
        _place(state, vehicle.name),
        f"{hulls[0].heading:.0f}" if hulls else "-",
        f"{profile.front}/{profile.side}/{profile.rear}",
        plain(vehicle.done.band),
        str(condition_summary(state.condition(vehicle))),
        ", ".join([*vehicle.condition.weapons, *(f"{gun.label} (spent)" for gun in vehicle.guns if gun.spent)]),
        "; ".join(_vehicle_notes(state, vehicle)),
    )


def _vehicle_notes(state: State, vehicle: Vehicle) -> list[str]:
    """Return what holds of a vehicle, in a few words each."""
    notes = [f"carries {squad.name}" for squad in state.passengers(vehicle)]
    notes += ["in smoke"] if state.in_smoke(vehicle) else []
    notes += [f"fights {vehicle.locked_with[0]}"] if vehicle.locked_with else []
    notes += [f"fired at {vehicle.done.fired_at}"] if vehicle.done.fired_at else []
    return notes


def _squad_row(state: State, squad: Squad) -> tuple[str, ...]:
    transport = state.transport_of(squad.name)
    return (
        squad.name,
        squad.side,
        f"{squad.models}/{squad.profile.models}",
        f"in {transport}" if transport else _place(state, squad.name),
        f"{squad.profile.save}+" if squad.profile.save else "-",
        str(squad.profile.ld),
        "; ".join(_squad_notes(state, squad)),
    )


def _squad_notes(state: State, squad: Squad) -> list[str]:
    """Return what holds of a squad, in a few words each."""
    notes = [f"fled off the table, {plural(squad.fled, 'model')}"] if squad.fled else []
    notes += ["on the run"] if squad.falling_back and not squad.fled else []
    notes += ["pinned"] if squad.pinned_until >= state.turn else []
    notes += [f"fights {squad.locked_with[0]}"] if squad.locked_with else []
    notes += ["gone"] if squad.is_lost else []
    return notes
