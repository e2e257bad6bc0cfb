"""The battle as tables: what the players hold, the unit sheets, the vehicle sheets, the terrain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from battletape.cards import Table
from battletape.field.maps import Reach
from battletape.field.state import OFF, TABLE
from battletape.rulebook import clause, plain
from battletape.rulesets.diceless40k.battle.pending import remains_of
from battletape.rulesets.diceless40k.battle.state import BattleUnit, Squad, State, Terrain, Vehicle, fire_modes
from battletape.rulesets.diceless40k.rules.base_vehicles import most_inches
from battletape.rulesets.diceless40k.rules.damage_rows import LINES, ROWS
from battletape.rulesets.diceless40k.rules.movement import allowance
from battletape.rulesets.diceless40k.rules.preparation import unit_sheet
from battletape.table.points import Point, between


def show(state: State) -> Iterable[Table]:
    """Show tokens, units, vehicles and terrain."""
    rows = tuple(
        (player.side, str(player.tokens.scatter), str(player.tokens.gets_hot), str(player.tokens.warp))
        for player in state.players
    )
    yield Table("Tokens", ("side", "scatter", "gets hot!", "warp"), rows, "DL-PREP.4")
    head = ("unit", "side", "models", "group sheets", "OP", "Ld", "place", "notes")
    yield Table("Units", head, tuple(_squad_row(state, squad) for squad in state.squads), "DL-PREP.6")
    if state.vehicles:
        about = ("vehicle", "side", *LINES, "glancing", "penetrating", "weapons left", "place", "notes")
        yield Table("Vehicles", about, tuple(_vehicle_row(state, vehicle) for vehicle in state.vehicles), "DL-PREP.7")
    laid = [piece for piece in state.field.terrain if not piece.is_mark]
    if laid:
        pieces = tuple((piece.name, _kinds(piece), f"{piece.cover}+" if piece.cover else "-") for piece in laid)
        yield Table("Terrain", ("name", "kind", "cover"), pieces, "DL-14.1")


def _kinds(piece: Terrain) -> str:
    if piece.is_impassable:
        return "impassable"
    kinds = (("difficult", piece.difficult), ("dangerous", piece.dangerous))
    return " and ".join(word for word, holds in kinds if holds) or "open"


def about(state: State) -> Mapping[str, str]:
    """Return what the map says of terrain and units."""
    high = {piece.name: f", {piece.top:g}″ high" if piece.top else "" for piece in state.field.terrain}
    terrain = {piece.name: _kinds(piece) + high[piece.name] for piece in state.field.terrain if not piece.is_mark}
    return terrain | {unit.name: ", ".join(_notes(state, unit)) for unit in state.units}


@clause("DL-14.1", "DL-19.1", "DL-60.2")
def reaches(state: State, name: str) -> tuple[Reach, ...]:
    """Return how far a unit moves or assaults, or its weapons fire, in this phase."""
    unit = state.find(name)
    if state.phase == "shooting":
        carried = unit.damage.weapons_left if isinstance(unit, Vehicle) else _weapons_of(unit)
        modes = {mode.name: mode.range for weapon in carried for mode in fire_modes(unit, weapon) if mode.range}
        return () if unit.fired_at else tuple(Reach(f"{weapon} {far}″", far) for weapon, far in modes.items())
    if isinstance(unit, Vehicle):
        most: float = most_inches(unit.profile.types) if state.phase == "movement" and not unit.moved else 0
    else:
        done = unit.moved if state.phase == "movement" else unit.charged
        most = 0 if done else allowance(unit.type, "move" if state.phase == "movement" else "assault")
    verb = "moves" if state.phase == "movement" else "assaults"
    return (Reach(f"{verb} {most:g}″", most),) if most else ()


def _weapons_of(squad: Squad) -> dict[str, None]:
    """Return the weapons of the models that are left, each once."""
    return dict.fromkeys(weapon for group in squad.groups if group.models for weapon in group.weapons)


def _notes(state: State, unit: BattleUnit) -> list[str]:
    """Return what holds of a unit, in a few words each."""
    return _vehicle_notes(state, unit) if isinstance(unit, Vehicle) else _squad_notes(unit)


def _squad_row(state: State, squad: Squad) -> tuple[str, ...]:
    """Return the sheet of a unit as it stands."""
    sheet = unit_sheet(squad.name, squad.groups, squad.op)
    squares = "; ".join(
        f"{square.group} {square.models} x {square.hp} HP" + (f" less {square.damage}" if square.damage else "")
        for square in sheet.squares
        if square.models
    )
    place = "gone" if state.is_gone(squad) else _place(state, squad)
    ld = max((group.ld for group in squad.groups if group.models), default=0)
    models = f"{squad.count}/{squad.starting}"
    return (sheet.unit, squad.side, models, squares, str(sheet.op), str(ld), place, ", ".join(_squad_notes(squad)))


def _squad_notes(squad: Squad) -> list[str]:
    notes = [f"with {squad.joined}"] if squad.joined else []
    notes += [f"{len(squad.guns)} guns"] if squad.guns else []
    notes += [f"its psyker has {squad.psyker_op} OP"] if squad.psyker_op else []
    notes += ["falling back"] if squad.falling_back else []
    notes += ["gone to ground"] if squad.gone_to_ground else []
    notes += [f"in fight {squad.combat}"] if squad.combat else []
    notes += ["null zone"] if squad.null_zone else []
    return notes + (["on shaken ground"] if squad.on_shaken_ground else [])


def _place(state: State, unit: BattleUnit) -> str:
    """Return where the first model of a unit, a hull or what is left of it is; else in which way it is away."""
    where, footprints = state.where(unit), state.footprints(unit)
    if footprints:
        return _at(footprints[0].centre)
    if where != OFF:
        return plain(where)
    if not (isinstance(unit, Vehicle) and unit.is_destroyed):
        return "removed"
    remains = [piece.corners for piece in state.field.laid_terrain if piece.name == remains_of(unit)]
    return _at(between(remains[0][0], remains[0][2], 0.5)) if remains else TABLE


def _at(point: Point) -> str:
    return f"{point.x:.1f}, {point.y:.1f}"


def _vehicle_row(state: State, vehicle: Vehicle) -> tuple[str, ...]:
    damage, rows = vehicle.damage, ROWS[state.rulings.rows]
    glancing = f"{len(damage.glancing)}/{len(rows['G'])}"
    penetrating = f"{len(damage.penetrating)}/{len(rows['P'])}"
    lines = tuple(str(dmg) for dmg in damage.lines)
    weapons = ", ".join(f"{name} (spent)" if name in vehicle.used else name for name in damage.weapons_left)
    notes = ", ".join(_vehicle_notes(state, vehicle))
    return (vehicle.name, vehicle.side, *lines, glancing, penetrating, weapons, _place(state, vehicle), notes)


def _vehicle_notes(state: State, vehicle: Vehicle) -> list[str]:
    damage = vehicle.damage
    notes: list[str] = [damage.destroyed] if damage.destroyed else []
    notes += ["immobilised"] if damage.immobilised else []
    notes += ["stunned"] if damage.stunned else ["shaken"] if damage.shaken else []
    notes += ["in smoke"] if vehicle.in_smoke else []
    notes += [f"of {vehicle.squadron}"] if vehicle.squadron else []
    notes += ["on shaken ground"] if vehicle.on_shaken_ground else []
    notes += [f"carries {squad.name}" for squad in state.passengers(vehicle.name)]
    notes += [f"in fight {vehicle.combat}"] if vehicle.combat else []
    still = [] if damage.immobilised else ["stood still"]
    return notes + ([] if damage.destroyed else still if vehicle.speed == "immobile" else [plain(vehicle.speed)])
