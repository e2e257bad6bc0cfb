"""The battle as tables: what the players hold, the unit sheets, the vehicle sheets, the terrain."""

from __future__ import annotations

from collections.abc import Iterable

from battletape.cards import Table
from battletape.rulebook import clause, plain
from battletape.rulesets.diceless40k.battle.state import Squad, State, Vehicle, footprints
from battletape.rulesets.diceless40k.rules.damage_rows import LINES, ROWS
from battletape.rulesets.diceless40k.rules.preparation import unit_sheet
from battletape.table.picture import Picture, Thing, lying, standing
from battletape.table.points import Point


def show(state: State) -> Iterable[Table]:
    """Show tokens, units, vehicles and terrain."""
    rows = tuple(
        (player.side, str(player.tokens.scatter), str(player.tokens.gets_hot), str(player.tokens.warp))
        for player in state.players
    )
    yield Table("Tokens", ("side", "scatter", "gets hot!", "warp"), rows, "DL-PREP.4")
    head = ("unit", "side", "models", "group sheets", "OP", "Ld", "place", "notes")
    yield Table("Units", head, tuple(_squad_row(squad) for squad in state.squads), "DL-PREP.6")
    if state.vehicles:
        about = ("vehicle", "side", *LINES, "glancing", "penetrating", "weapons left", "place", "notes")
        yield Table("Vehicles", about, tuple(_vehicle_row(state, vehicle) for vehicle in state.vehicles), "DL-PREP.7")
    if state.terrain:
        pieces = tuple(
            (
                piece.name,
                _kinds(piece.difficult, piece.dangerous, piece.impassable),
                "-" if piece.cover is None else f"{piece.cover}+",
            )
            for piece in state.terrain
        )
        yield Table("Terrain", ("name", "kind", "cover"), pieces, "DL-14.1")


def _kinds(difficult: bool, dangerous: bool, impassable: bool) -> str:
    if impassable:
        return "impassable"
    return " and ".join(word for word, has in (("difficult", difficult), ("dangerous", dangerous)) if has) or "open"


@clause("DL-PREP.6")
def picture(state: State) -> Picture | None:
    """Draw the table, as far as it is known where units stand."""
    things: list[Thing] = []
    for unit in state.units:
        if unit.where == "table" and not unit.is_gone:
            things += standing(
                unit.name, unit.side, footprints(unit), "acts" if unit.side == state.active else "target"
            )
    if not things:
        return None
    pieces = [lying(piece.name, piece.shape) for piece in state.terrain if piece.shape is not None]
    return Picture("The table", (*pieces, *things), state.board, whole=True)


def _squad_row(squad: Squad) -> tuple[str, ...]:
    """Return the sheet of a unit as it stands."""
    sheet = unit_sheet(squad.name, squad.groups, squad.op)
    squares = "; ".join(
        f"{square.group} {square.models} x {square.hp} HP" + (f" less {square.damage}" if square.damage else "")
        for square in sheet.squares
        if square.models
    )
    notes = [f"with {squad.joined}"] if squad.joined else []
    notes += [f"{len(squad.guns)} guns"] if squad.guns else []
    notes += [f"its psyker has {squad.psyker_op} OP"] if squad.psyker_op else []
    notes += ["falling back"] if squad.falling_back else []
    notes += ["gone to ground"] if squad.gone_to_ground else []
    notes += [f"in fight {squad.combat}"] if squad.combat else []
    notes += ["null zone"] if squad.null_zone else []
    notes += ["on shaken ground"] if squad.on_shaken_ground else []
    place = "gone" if squad.is_gone else _at(squad) if squad.where == "table" and squad.models else plain(squad.where)
    ld = max((group.ld for group in squad.groups if group.models), default=0)
    models = f"{squad.count}/{squad.starting}"
    return (sheet.unit, squad.side, models, squares, str(sheet.op), str(ld), place, ", ".join(notes))


def place(state: State, name: str) -> Point | None:
    """Return where a vehicle or the first model of a unit stands, if anybody has said."""
    unit = next((unit for unit in state.units if unit.name == name and unit.where == "table"), None)
    if isinstance(unit, Vehicle):
        return None if unit.hull is None else unit.hull.centre
    return unit.models[0].centre if unit is not None and unit.models else None


def _at(squad: Squad) -> str:
    centre = squad.models[0].centre
    return f"{centre.x:.1f}, {centre.y:.1f}"


def _vehicle_row(state: State, vehicle: Vehicle) -> tuple[str, ...]:
    damage, rows = vehicle.damage, ROWS[state.rulings.rows]
    glancing = f"{len(damage.glancing)}/{len(rows['G'])}"
    penetrating = f"{len(damage.penetrating)}/{len(rows['P'])}"
    notes: list[str] = [damage.destroyed] if damage.destroyed else []
    notes += ["immobilised"] if damage.immobilised else []
    notes += ["stunned"] if damage.stunned else ["shaken"] if damage.shaken else []
    notes += ["in smoke"] if vehicle.in_smoke else []
    notes += [f"of {vehicle.squadron}"] if vehicle.squadron else []
    notes += ["on shaken ground"] if vehicle.on_shaken_ground else []
    notes += [f"carries {squad.name}" for squad in state.passengers(vehicle.name)]
    notes += [f"in fight {vehicle.combat}"] if vehicle.combat else []
    still = [] if damage.immobilised else ["stood still"]
    notes += [] if damage.destroyed else still if vehicle.speed == "immobile" else [plain(vehicle.speed)]
    place = plain(vehicle.where)
    if vehicle.where == "table" and vehicle.hull is not None:
        place = f"{vehicle.hull.centre.x:.1f}, {vehicle.hull.centre.y:.1f}"
    lines = tuple(str(dmg) for dmg in damage.lines)
    weapons = ", ".join(f"{name} (spent)" if name in vehicle.used else name for name in damage.weapons_left)
    return (vehicle.name, vehicle.side, *lines, glancing, penetrating, weapons, place, ", ".join(notes))
