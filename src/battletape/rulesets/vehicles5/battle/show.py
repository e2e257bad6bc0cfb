"""How a battle is shown: tables of vehicles, squads and ground, and a picture."""

from __future__ import annotations

from collections.abc import Iterable

from battletape.cards import Table
from battletape.rulebook import plain, plural
from battletape.rulesets.vehicles5.battle.state import Squad, State, Vehicle, footprints
from battletape.rulesets.vehicles5.rules.damage import condition_summary
from battletape.table.picture import Picture, Thing, lying, standing
from battletape.table.points import Point


def show(state: State) -> Iterable[Table]:
    """Show vehicles, squads and the ground."""
    head = ("vehicle", "side", "place", "heading", "armour", "speed", "condition", "weapons", "notes")
    yield Table("Vehicles", head, tuple(_vehicle_row(state, vehicle) for vehicle in state.vehicles))
    about = ("squad", "side", "models", "place", "save", "Ld", "notes")
    yield Table("Squads", about, tuple(_squad_row(state, squad) for squad in state.squads))
    rows = tuple(
        (ground.name, ground.kind, f"{ground.cover}+" if ground.cover else "-", f"{ground.top:g}")
        for ground in state.terrain_pieces
    )
    yield Table("Ground", ("name", "kind", "cover", "height"), rows)


def picture(state: State) -> Picture:
    """Draw the table with its ground, wrecks, vehicles and squads."""
    things: list[Thing] = [lying(ground.name, ground.ground, plain(ground.kind)) for ground in state.terrain_pieces]
    for vehicle in state.vehicles:
        if vehicle.condition.status == "wrecked":
            things += standing(vehicle.name, vehicle.side, footprints(vehicle), "plain", "wrecked")
    for unit in state.on_table():
        things += standing(unit.name, unit.side, footprints(unit), "acts" if unit.side == state.active else "target")
    return Picture("The table", tuple(things), state.board, whole=True)


def place(state: State, name: str) -> Point | None:
    """Return where a vehicle or the first model of a squad stands."""
    unit = next((unit for unit in state.units if unit.name == name), None)
    if isinstance(unit, Vehicle):
        return unit.hull.centre
    return unit.models[0].centre if unit is not None and unit.models and not unit.aboard else None


def _vehicle_row(state: State, vehicle: Vehicle) -> tuple[str, ...]:
    at = vehicle.hull.centre
    place = "-" if vehicle.condition.status == "exploded" else f"{at.x:.1f}, {at.y:.1f}"
    notes = [f"carries {squad.name}" for squad in state.passengers(vehicle)]
    notes += ["in smoke"] if state.in_smoke(vehicle) else []
    notes += [f"fights {vehicle.locked_with[0]}"] if vehicle.locked_with else []
    notes += [f"fired at {vehicle.fired_at}"] if vehicle.fired_at else []
    profile = vehicle.profile
    return (
        vehicle.name,
        vehicle.side,
        place,
        f"{vehicle.hull.heading:.0f}",
        f"{profile.front}/{profile.side}/{profile.rear}",
        plain(vehicle.band),
        str(condition_summary(state.condition(vehicle))),
        ", ".join([*vehicle.condition.weapons, *(f"{gun.label} (spent)" for gun in vehicle.guns if gun.spent)]),
        "; ".join(notes),
    )


def _squad_row(state: State, squad: Squad) -> tuple[str, ...]:
    place = f"{squad.models[0].centre.x:.1f}, {squad.models[0].centre.y:.1f}" if squad.models else "-"
    notes = [f"fled off the table, {plural(squad.fled, 'model')}"] if squad.fled else []
    notes += ["on the run"] if squad.falling_back and not squad.fled else []
    notes += ["pinned"] if squad.pinned_until >= state.turn else []
    notes += [f"fights {squad.locked_with[0]}"] if squad.locked_with else []
    notes += ["gone"] if squad.is_lost else []
    return (
        squad.name,
        squad.side,
        f"{len(squad.models)}/{squad.profile.models}",
        f"in {squad.aboard}" if squad.aboard else place,
        f"{squad.profile.save}+" if squad.profile.save else "-",
        str(squad.profile.ld),
        "; ".join(notes),
    )
