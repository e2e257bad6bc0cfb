"""What can be printed: vehicle cards with their arcs, squad cards, every table, and markers and templates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from battletape import sheets
from battletape.cards import ProfileBook
from battletape.rulebook import capital, plain, replace
from battletape.rulesets.vehicles5.profiles.book import doors, fitting_mount, has_smoke, label_of, modes
from battletape.rulesets.vehicles5.profiles.types import Fitting, UnitProfile, VehicleProfile, WeaponProfile
from battletape.rulesets.vehicles5.questions._inputs import condition_from_inputs, part_of
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.rulesets.vehicles5.tables import printed as sheet
from battletape.rulesets.vehicles5.tables.worked_out import printed_tables
from battletape.table.facings import facing_border
from battletape.table.markers import BLAST, LARGE_BLAST
from battletape.table.teardrops import FLAMER

if TYPE_CHECKING:
    from battletape.rulesets.vehicles5.battle.state import State

VEHICLES, SQUADS = "Vehicle cards", "Squad cards"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
GUNS = ("", "weapon", "S", "AP", "range", "shots", "arc", "lost")
CARRIED = ("weapon", "models", "S", "AP", "range", "shots", "rules")
STATS = ("WS", "BS", "S", "T", "W", "I", "A", "Ld", "save")
RESULTS = ("shaken", "stunned", "immobilised", "wrecked", "exploded")
MOST_BOXES = 120


# --- vehicles --------------------------------------------------------------------------------------------------------


def blank_vehicles(rulings: Rulings) -> sheets.Cards:
    """Print vehicle cards to fill in with a pencil."""
    empty = tuple((letter, *("",) * (len(GUNS) - 1)) for letter in LETTERS[:5])
    right: tuple[sheets.Block, ...] = (
        sheets.blank_stats(("front", "side", "rear", "BS")),
        sheets.Grid(GUNS, empty, write=(7,)),
        _condition(Condition()),
    )
    plan = sheets.Plan(4.5, 3, "", "", "", 45.0, 135.0)
    return sheets.Cards(
        VEHICLES,
        (sheets.Card("", (sheets.Beside((plan,), right, 40), _damage_table(), sheets.Ruled("notes", 0))),) * 2,
        share=2,
    )


def vehicle_cards(vehicles: Iterable[VehicleProfile], book: ProfileBook, rulings: Rulings) -> sheets.Cards:
    """Print a card for each vehicle as it begins a battle."""
    cards = []
    for vehicle in vehicles:
        guns = [(fitting, modes(book, fitting.weapon)) for fitting in vehicle.mounts]
        whole = Condition(weapons=tuple(label_of(fitting) for fitting in vehicle.mounts))
        blocks = (*_vehicle(vehicle, guns, whole, rulings), _damage_table(), sheets.Ruled("notes", 0))
        cards.append(sheets.Card(vehicle.name, blocks, _kinds(vehicle)))
    return sheets.Cards(VEHICLES, tuple(cards), share=2)


def battle_cards(state: State) -> sheets.Cards:
    """Print a card for each vehicle of a battle as it stands now."""
    cards = []
    for vehicle in state.vehicles:
        guns = [(gun.fitting, gun.weapons) for gun in vehicle.guns]
        words = [plain(vehicle.done.band)] if not vehicle.is_gone else []
        words += [f"carries {squad.name}" for squad in state.passengers(vehicle)]
        words += ["in smoke"] if state.in_smoke(vehicle) else ["smoke used"] if vehicle.smoke_used else []
        words += [f"{gun.label} spent" for gun in vehicle.guns if gun.spent]
        words += [f"fights {vehicle.locked_with[0]}"] if vehicle.locked_with else []
        blocks = (*_vehicle(vehicle.profile, guns, state.condition(vehicle), state.rulings), _damage_table())
        notes = (sheets.Notes("now", tuple(words)),) if words else ()
        kind = _kinds(vehicle.profile)
        cards.append(sheets.Card(vehicle.name, (*blocks, *notes), kind, vehicle.side, vehicle.is_gone))
    return sheets.Cards(VEHICLES, tuple(cards), share=2)


def question_vehicles(inputs: Any, book: ProfileBook, rulings: Rulings) -> sheets.Cards | None:
    """Return the vehicles that a question names, with the armour and the damage of its inputs."""
    cards = []
    for key, prefix in (("vehicle", ""), ("rammer", "rammer_"), ("target", "target_")):
        names = {name.lower(): name for name in book.entries["vehicle"]}
        name = names.get(str(getattr(inputs, key, "")).lower())
        if name is None:
            continue
        vehicle: VehicleProfile = book.find("vehicle", name)
        given = part_of(inputs, prefix)
        asked = [field for field in ("front", "side", "rear", "types", "bs") if hasattr(given, field)]
        vehicle = replace(vehicle, **{field: getattr(given, field) for field in asked})
        guns = [(fitting, modes(book, fitting.weapon)) for fitting in vehicle.mounts]
        labels = tuple(label_of(fitting) for fitting in vehicle.mounts)
        left = getattr(given, "weapon_names", ()) or labels[: getattr(given, "weapons", len(labels))]
        condition = condition_from_inputs(given, left) if hasattr(given, "shaken") else Condition(weapons=labels)
        blocks = (*_vehicle(vehicle, guns, condition, rulings), _damage_table(), sheets.Ruled("notes", 0))
        cards.append(sheets.Card(vehicle.name, blocks, _kinds(vehicle)))
    return sheets.Cards(VEHICLES, tuple(cards), share=2) if cards else None


def _vehicle(
    vehicle: VehicleProfile,
    guns: Sequence[tuple[Fitting, Sequence[WeaponProfile]]],
    condition: Condition,
    rulings: Rulings,
) -> tuple[sheets.Block, ...]:
    stats = [("BS", vehicle.bs), ("WS", vehicle.ws), ("S", vehicle.strength), ("I", vehicle.initiative)]
    stats += [("A", vehicle.attacks), ("carries", vehicle.capacity or None), ("fire points", vehicle.fire_points)]
    numbers = tuple((name, str(value)) for name, value in stats if value)
    left = list(condition.weapons)
    arcs, rows = [], []
    for index, (fitting, ways) in enumerate(guns):
        label, letter = label_of(fitting), LETTERS[index] if index < len(LETTERS) else str(index + 1)
        gone = label not in left
        if not gone:
            left.remove(label)
        mount = fitting_mount(fitting, rulings)
        if fitting.mount != "arm":
            arcs.append(sheets.Arc(letter, mount.ahead, mount.right, mount.lo, mount.hi, gone))
        for weapon in ways:
            name = label if len(ways) == 1 else weapon.name
            arc = "-" if fitting.mount == "arm" else _bearings(mount.lo, mount.hi)
            rows.append((letter, _named(name, weapon), *_gun(weapon), arc, "×" if gone else ""))
    border = facing_border(rulings.facing_model, vehicle.length, vehicle.width)
    plan = sheets.Plan(
        vehicle.length,
        vehicle.width,
        str(vehicle.front),
        str(vehicle.side),
        str(vehicle.rear),
        border,
        180 - border,
        tuple(arcs),
        doors(vehicle),
    )
    right: list[sheets.Block] = [sheets.Stats(numbers)]
    right += [sheets.Grid(GUNS, tuple(rows), write=(7,))] if rows else []
    right.append(_condition(condition))
    return (sheets.Beside((plan,), tuple(right), 40),)


def _damage_table() -> sheets.Beside:
    """Return the damage table and what is added to its die."""
    tables = {table.clause: table for table in sheet.printed_tables()}
    grids = [
        sheets.Grid(found.head, found.rows, found.title, found.clause)
        for found in (tables["V5-PEN-4"], tables["V5-DMGMOD-5"])
    ]
    return sheets.Beside((grids[0],), (grids[1],), 40)


def _condition(condition: Condition) -> sheets.Boxes:
    checked = (condition.shaken, condition.stunned, condition.immobilised)
    ends = (condition.status == "wrecked", condition.status == "exploded")
    return sheets.Boxes(
        "condition", tuple(sheets.Box(word, has) for word, has in zip(RESULTS, (*checked, *ends), strict=True))
    )


def _kinds(vehicle: VehicleProfile) -> str:
    words = [*map(plain, vehicle.types)] or ["ordinary vehicle"]
    words += ["smoke launchers"] if has_smoke(vehicle) else []
    return capital(", ".join(words)) + f' · {vehicle.length:g}" by {vehicle.width:g}"'


def _named(name: str, weapon: WeaponProfile) -> str:
    rules = ", ".join(map(plain, weapon.rules))
    return f"{name} ({rules})" if rules else name


def _bearings(lo: float, hi: float) -> str:
    if hi - lo >= 360:
        return "all round"
    return f"±{hi:g}°" if lo == -hi else f"{lo:g}° to {hi:g}°"


def _gun(weapon: WeaponProfile) -> tuple[str, ...]:
    strength = str(weapon.strength) if weapon.strength else "×2" if weapon.times > 1 else "-"
    least = f"{weapon.least}-" if weapon.least else ""
    reach = f'{least}{weapon.range}"' if weapon.range else "-"
    shots = f"{weapon.blast} blast" if weapon.blast else plain(weapon.type)
    shots = f"{shots} {weapon.shots}" if weapon.shots > 1 else shots
    return strength, "-" if weapon.ap is None else str(weapon.ap), reach, shots


# --- squads ----------------------------------------------------------------------------------------------------------


def blank_squads(rulings: Rulings) -> sheets.Cards:
    """Print squad cards to fill in with a pencil."""
    blocks: tuple[sheets.Block, ...] = (
        sheets.blank_stats(STATS),
        sheets.Ticks("wounds", (20,)),
        sheets.blank_grid(CARRIED, 3),
        sheets.Ruled("notes", 1),
    )
    return sheets.Cards(SQUADS, (sheets.Card("", blocks),) * 3, share=3)


def squad_cards(units: Iterable[UnitProfile], book: ProfileBook, rulings: Rulings) -> sheets.Cards:
    """Print a card for each unit of troops as it begins a battle."""
    cards = []
    for unit in units:
        rows = [
            row for carried in unit.weapons for row in _carried(carried.name, carried.models, modes(book, carried.name))
        ]
        cards.append(
            sheets.Card(unit.name, (*_squad(unit, rows, 0), sheets.Ruled("notes", 1)), capital(plain(unit.type)))
        )
    return sheets.Cards(SQUADS, tuple(cards))


def fallen_cards(state: State) -> sheets.Cards:
    """Print a card for each squad of a battle as it stands now."""
    cards = []
    for squad in state.squads:
        bearers = (*squad.bearers(), *squad.bearers(melee=True))
        rows = [row for name, models in bearers for row in _carried(name, models, squad.fire_modes(name))]
        lost = (squad.profile.models - squad.models) * squad.profile.wounds + squad.wounds_lost
        transport = state.transport_of(squad.name)
        words = [f"in {transport}"] if transport else []
        words += ["on the run"] if squad.falling_back and not squad.fled else []
        words += ["pinned"] if squad.pinned_until >= state.turn else []
        words += [f"fights {squad.locked_with[0]}"] if squad.locked_with else []
        notes = (sheets.Notes("now", tuple(words)),) if words else ()
        blocks = (*_squad(squad.profile, rows, lost), *notes)
        cards.append(sheets.Card(squad.name, blocks, capital(plain(squad.profile.type)), squad.side, squad.is_gone))
    return sheets.Cards(SQUADS, tuple(cards))


def _squad(unit: UnitProfile, rows: Sequence[tuple[str, ...]], lost: int) -> tuple[sheets.Block, ...]:
    save = f"{unit.save}+" if unit.save else "-"
    characteristics = (
        unit.ws,
        unit.bs,
        unit.strength,
        unit.toughness,
        unit.wounds,
        unit.initiative,
        unit.attacks,
        unit.ld,
    )
    numbers = tuple(zip(STATS, (*map(str, characteristics), save), strict=True))
    groups = (unit.wounds,) * unit.models if unit.wounds > 1 else (unit.models,)
    total = sum(groups)
    note = f"{lost} of {total} lost" if lost else f"{unit.models} models"
    ticks = sheets.Ticks("wounds", groups if total <= MOST_BOXES else (), lost, note)
    extras = [*unit.grenades, *map(plain, unit.rules)]
    extras += [f"{unit.two_weapons} with two close combat weapons"] if unit.two_weapons else []
    notes = (sheets.Notes("also", tuple(extras)),) if extras else ()
    return (sheets.Stats(numbers), ticks, sheets.Grid(CARRIED, tuple(rows)), *notes)


def _carried(name: str, models: int, ways: Sequence[WeaponProfile]) -> list[tuple[str, ...]]:
    return [(weapon.name, str(models), *_gun(weapon), ", ".join(map(plain, weapon.rules)) or "-") for weapon in ways]


# --- tables and templates ---------------------------------------------------------------------------------------------


def reference(rulings: Rulings) -> sheets.Reference:
    """Print every table of the system."""
    return sheets.Reference("Quick reference", tuple(sheets.printed(table) for table in printed_tables(rulings)))


def markers(rulings: Rulings) -> sheets.Shapes:
    """Print blast markers, the flame template, arcs and facings, and rulers."""
    arc = rulings.hull_arc_degrees
    return sheets.Shapes(
        "Markers and templates",
        (
            sheets.blast(BLAST, "Small blast"),
            sheets.blast(LARGE_BLAST, "Large blast"),
            sheets.Drop("Template", (FLAMER.to_disc + FLAMER.radius) * sheets.INCH, 2 * FLAMER.radius * sheets.INCH),
            sheets.Compass("Scatter", 90.0),
            sheets.Sector("Facing", 100.0, 90.0, "from the middle of the hull: front, side or rear"),
            sheets.Sector("Hull-mounted weapon", 110.0 if arc <= 90 else 85.0, float(arc), f"{arc} degrees"),
            *sheets.STICKS,
            *sheets.BASES,
        ),
    )


SHEETS = (
    sheets.Sheet(
        "vehicle_cards",
        VEHICLES,
        "A card for each vehicle: armour and arcs from above, weapons, its condition, the damage table.",
        blank_vehicles,
        vehicle_cards,
        ("vehicle",),
        battle_cards,
        question_vehicles,
    ),
    sheets.Sheet(
        "squad_cards",
        SQUADS,
        "A card for each unit of troops: its numbers, a box for every wound, and its weapons.",
        blank_squads,
        squad_cards,
        ("unit",),
        fallen_cards,
    ),
    sheets.Sheet("reference", "Quick reference", "Every table of the system, with the ids of the rules.", reference),
    sheets.Sheet(
        "markers",
        "Markers and templates",
        "Blasts, the flame template, arcs and facings, range sticks and bases in their true size, to cut out.",
        markers,
    ),
)
