"""The sheets to print: unit and vehicle sheets, the angle template, tokens and their slip, Tables 1 to 4, markers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from battletape import sheets
from battletape.cards import ProfileBook
from battletape.field.state import ABOARD, OFF, TABLE
from battletape.rulebook import capital, clause, plain, plural, replace
from battletape.rulesets.diceless40k.profiles.book import modes
from battletape.rulesets.diceless40k.profiles.types import UNLIMITED_RANGE, UnitProfile, VehicleProfile, WeaponProfile
from battletape.rulesets.diceless40k.questions import army_tokens
from battletape.rulesets.diceless40k.questions._inputs import BoxInputs, TargetInputs, sheet_of, target_of
from battletape.rulesets.diceless40k.rules import preparation
from battletape.rulesets.diceless40k.rules.characteristics import Group, groups_of
from battletape.rulesets.diceless40k.rules.damage_rows import ROWS, DamageSheet, Kind, new_sheet
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.rulesets.diceless40k.tables import printed as tables
from battletape.rulesets.diceless40k.tables import sheet
from battletape.sheets import Tokens as Counters
from battletape.table.markers import BLAST, LARGE_BLAST
from battletape.table.teardrops import FLAMER

if TYPE_CHECKING:
    from battletape.rulesets.diceless40k.battle.state import State, Vehicle

UNITS, VEHICLES, SLIP, TOKENS = "Unit sheets", "Vehicle sheets", "Token slip", "Tokens"
GROUP = ("group", "models", "HP", "WS", "BS", "S", "T", "I", "A", "Ld", "armour", "invulnerable")
WEAPON = ("weapon", "type", "range", "S", "AP", "shots", "rules")
FOUR = 4
ROW_WORDS: dict[Kind, str] = {"G": "glancing hits", "P": "penetrating hits"}


# --- units ------------------------------------------------------------------------------------------------------------


@clause("DL-SHEET.4")
def blank_units(rulings: Rulings) -> sheets.Cards:
    """Return unit sheets to fill in with a pencil."""
    empty = tuple(sheets.Square("", "models      × HP") for _ in range(4))
    blocks: tuple[sheets.Block, ...] = (
        sheets.Beside(
            (sheets.Grid(GROUP, (("",) * len(GROUP),) * 4),),
            (sheets.Squares((sheets.Square("order points", "from 0"),)),),
            74,
        ),
        sheets.Squares(empty),
        sheets.Ruled("weapons and notes", 2),
    )
    return sheets.Cards(UNITS, (sheets.Card("", blocks),) * 2, share=2)


@clause("DL-SHEET.4", "DL-PREP.6")
def unit_sheets(units: Iterable[UnitProfile], book: ProfileBook, rulings: Rulings) -> sheets.Cards:
    """Return a sheet for each unit as it begins a game."""
    cards = []
    for unit in units:
        groups = groups_of(unit, rulings)
        blocks = (
            *_unit(unit.name, groups, None, _arsenal(unit, groups, book)),
            *_extras(unit),
            sheets.Ruled("notes", 1),
        )
        cards.append(sheets.Card(unit.name, blocks, _unit_kind(unit.type, groups)))
    return sheets.Cards(UNITS, tuple(cards))


@clause("DL-SHEET.4")
def squad_sheets(state: State) -> sheets.Cards:
    """Return a sheet for each unit of a battle: damage, order points and what it does now."""
    cards = []
    for squad in state.squads:
        where = state.where(squad)
        words = [f"{squad.count} of {squad.starting} models"]
        words += [f"psyker has {squad.psyker_op} OP"] if squad.psyker_op else []
        words += [f"with {squad.joined}"] if squad.joined else []
        words += [f"in {state.carrier(squad)}"] if where == ABOARD else []
        words += [plural(len(squad.guns), "gun")] if squad.guns else []
        words += [f"powers: {', '.join(map(plain, squad.powers))}"] if squad.powers else []
        words += ["falling back"] if squad.falling_back else []
        words += ["gone to ground"] if squad.gone_to_ground else []
        words += [f"in fight {squad.combat}"] if squad.combat else []
        words += [plain(where)] if where not in (TABLE, OFF) else []
        blocks = (*_unit(squad.name, squad.groups, squad.op, squad.arsenal), sheets.Notes("now", tuple(words)))
        cards.append(
            sheets.Card(squad.name, blocks, _unit_kind(squad.type, squad.groups), squad.side, state.is_gone(squad))
        )
    return sheets.Cards(UNITS, tuple(cards))


def asked_units(inputs: Any, book: ProfileBook, rulings: Rulings) -> sheets.Cards | None:
    """Return the unit that a question is about, with the numbers and damage it was asked with, and its shooters."""
    if not isinstance(inputs, TargetInputs) or not (inputs.unit or getattr(inputs, "shooters", "")):
        return None
    cards = []
    if inputs.unit:
        unit: UnitProfile = book.find("unit", inputs.unit)
        own = {group.name: group for group in groups_of(unit, rulings)}
        groups = [_asked_group(group, own.get(group.name)) for group in target_of(inputs, rulings).groups]
        blocks = (
            *_unit(unit.name, groups, None, _arsenal(unit, groups, book)),
            *_extras(unit),
            sheets.Ruled("notes", 1),
        )
        cards.append(sheets.Card(unit.name, blocks, _unit_kind(inputs.unit_type, groups)))
    shooters = getattr(inputs, "shooters", "")
    if shooters and shooters != inputs.unit:
        cards += unit_sheets([book.find("unit", shooters)], book, rulings).cards
    return sheets.Cards(UNITS, tuple(cards))


def _asked_group(group: Group, profile_group: Group | None) -> Group:
    """Return a group with the numbers of a question; all others are those of its profile."""
    if profile_group is None:
        return group
    given = ("models", "hp", "toughness", "toughness_bonus", "armour", "invulnerable", "recorded", "rules")
    return replace(profile_group, **{name: getattr(group, name) for name in given})


def _arsenal(unit: UnitProfile, groups: Sequence[Group], book: ProfileBook) -> list[WeaponProfile]:
    """Return every weapon of a unit in all its modes, its guns among them."""
    carried = dict.fromkeys(name for group in groups for name in group.weapons)
    names = dict.fromkeys((*carried, *unit.weapons)) if unit.guns else carried
    return [way for name in names for way in modes(book, name)]


def _extras(unit: UnitProfile) -> tuple[sheets.Block, ...]:
    """Return what else a unit has: guns, psychic powers that are no weapons, enemies that it prefers."""
    words = [plural(unit.guns, "gun")] if unit.guns else []
    words += [f"powers: {', '.join(map(plain, unit.powers))}"] if unit.powers else []
    words += [f"prefers to fight {', '.join(unit.prefers)}"] if unit.prefers else []
    return (sheets.Notes("also", tuple(words)),) if words else ()


def _unit(
    name: str, groups: Sequence[Group], op: int | None, arsenal: Sequence[WeaponProfile]
) -> tuple[sheets.Block, ...]:
    drawn = preparation.unit_sheet(name, groups, op)
    squares = tuple(
        sheets.Square(square.group, f"{square.models} × {square.hp} HP", str(square.damage) if square.damage else "")
        for square in drawn.squares
    )
    points = sheets.Square(
        "order points", f"begins with {drawn.op}" if op is None else "now", "" if op is None else str(op)
    )
    rows = tuple(_group(group) for group in groups)
    weapons = tuple(_weapon(weapon) for weapon in dict.fromkeys(arsenal))
    return (
        sheets.Beside((sheets.Grid(GROUP, rows),), (sheets.Squares((points,)),), 74),
        sheets.Squares(squares),
        *((sheets.Grid(WEAPON, weapons),) if weapons else ()),
    )


def _group(group: Group) -> tuple[str, ...]:
    own, bonus = group.own_toughness, group.toughness_bonus
    toughness = f"{own}({group.toughness})" if bonus else str(own)
    fights = (group.ws, group.bs, group.strength)
    more = (group.initiative, group.attacks, group.ld)
    saves = (f"{save}+" if save else "-" for save in (group.armour, group.invulnerable))
    counts = (str(group.models), str(group.hp))
    return (group.name, *counts, *map(str, fights), toughness, *map(str, more), *saves)


def _weapon(weapon: WeaponProfile) -> tuple[str, ...]:
    marker = "" if weapon.marker == "none" else f", {plain(weapon.marker)}"
    reach = "any" if weapon.range >= UNLIMITED_RANGE else f'{weapon.range}"' if weapon.range else "-"
    strength = "-" if weapon.strength is None else str(weapon.strength)
    ap = "-" if weapon.ap is None else str(weapon.ap)
    rules = ", ".join(map(plain, weapon.rules)) or "-"
    return weapon.name, plain(weapon.type) + marker, reach, strength, ap, str(weapon.shots), rules


def _unit_kind(kind: str, groups: Sequence[Group]) -> str:
    rules = dict.fromkeys(plain(rule) for group in groups for rule in group.rules)
    return ", ".join((capital(plain(kind)), *rules))


# --- vehicles ---------------------------------------------------------------------------------------------------------


@clause("DL-SHEET.1")
def blank_vehicles(rulings: Rulings) -> sheets.Cards:
    """Return four empty vehicle sheets."""
    return sheets.Cards(VEHICLES, (sheets.Card("", _vehicle(new_sheet(rulings=rulings), rulings)),) * FOUR, share=FOUR)


@clause("DL-SHEET.1", "DL-PREP.7")
def vehicle_sheets(vehicles: Sequence[VehicleProfile], book: ProfileBook, rulings: Rulings) -> sheets.Cards:
    """Return a sheet for each vehicle as it begins a game; an open-topped one has its first box ticked."""
    cards = []
    for name, vehicle in zip(
        preparation.vehicle_entries([vehicle.name for vehicle in vehicles]), vehicles, strict=True
    ):
        damage = new_sheet(vehicle.weapons, "open_topped" in vehicle.types, rulings)
        arsenal = _numbers(way for weapon in vehicle.weapons for way in modes(book, weapon))
        cards.append(sheets.Card(name, _vehicle(damage, rulings, vehicle, arsenal), _vehicle_kind(vehicle)))
    return sheets.Cards(VEHICLES, tuple(cards), share=FOUR)


def asked_vehicles(inputs: Any, book: ProfileBook, rulings: Rulings) -> sheets.Cards | None:
    """Return the vehicle of a question with the damage on its lines and the boxes that it was asked with."""
    if not isinstance(inputs, BoxInputs) or not getattr(inputs, "vehicle", ""):
        return None
    vehicle: VehicleProfile = book.find("vehicle", str(getattr(inputs, "vehicle", "")))
    damage = sheet_of(inputs, rulings)
    left, gone = list(damage.weapons), []
    for at, name in enumerate(vehicle.weapons):
        if name in left:
            left.remove(name)
        else:
            gone.append(at)
    if not left:  # else it has weapons that its profile does not know
        damage = replace(damage, weapons=vehicle.weapons, destroyed_weapons=tuple(gone))
    words = ["immobilised"] if damage.immobilised else []
    arsenal = _numbers(way for weapon in vehicle.weapons for way in modes(book, weapon))
    blocks = _vehicle(damage, rulings, vehicle, arsenal, words)
    return sheets.Cards(VEHICLES, (sheets.Card(vehicle.name, blocks, _vehicle_kind(vehicle)),), share=FOUR)


@clause("DL-SHEET.1")
def battle_vehicle_sheets(state: State) -> sheets.Cards:
    """Return a sheet for each vehicle of a battle: damage on its lines, and its boxes as they are ticked."""
    cards = []
    for vehicle in state.vehicles:
        blocks = _vehicle(
            vehicle.damage, state.rulings, vehicle.profile, _numbers(vehicle.arsenal), _now(state, vehicle)
        )
        kind = _vehicle_kind(vehicle.profile)
        cards.append(sheets.Card(vehicle.name, blocks, kind, vehicle.side, state.is_gone(vehicle)))
    return sheets.Cards(VEHICLES, tuple(cards), share=FOUR)


def _vehicle(
    damage: DamageSheet,
    rulings: Rulings,
    vehicle: VehicleProfile | None = None,
    arsenal: Mapping[str, str] | None = None,
    now: Sequence[str] = (),
) -> tuple[sheets.Block, ...]:
    rows = tuple(
        (name, str(av_s) if av_s > 1 else "under 2", str(on_line) if on_line else "", thresholds.replace(" ", "  "))
        for (name, av_s, thresholds), on_line in zip(sheet.VEHICLE_LINES, damage.lines, strict=True)
    )
    lines = sheets.Grid(("line", "AV-S", "DMG", "hits at"), rows, "damage", "DL-T4", write=(2,))
    kinds: tuple[Kind, ...] = ("G", "P")
    boxes = tuple(
        sheets.Boxes(
            ROW_WORDS[kind],
            tuple(
                sheets.Box(plain(word), at in damage.ticked_boxes(kind))
                for at, word in enumerate(ROWS[rulings.rows][kind])
            ),
            "DL-60.16",
        )
        for kind in kinds
    )
    right: list[sheets.Block] = [*boxes]
    if vehicle is not None:
        numbers = arsenal or {}
        words = []
        for name, many in Counter(damage.weapons_left).items():
            words.append(f"{f'{many} × ' if many > 1 else ''}{name}{numbers.get(name, '')}")
        words += [f"{damage.weapons[at]} destroyed" for at in damage.destroyed_weapons]
        right += [sheets.Notes("weapons", tuple(words))] if words else []
    right += [sheets.Notes("now", tuple(now))] if now else []
    return (sheets.Beside((lines,), tuple(right), 43),)


def _numbers(arsenal: Iterable[WeaponProfile]) -> dict[str, str]:
    """Return what a vehicle's weapons do, in a few words for each; modes one after the other."""
    ways: dict[str, list[str]] = {}
    for weapon in dict.fromkeys(arsenal):
        _, kind, reach, strength, ap, shots, rules = _weapon(weapon)
        words = [reach] if weapon.range else []
        words += [f"S{strength} AP{ap}"] if weapon.strength else []
        words += [f"{kind} {shots}" if weapon.shots > 1 else kind]
        words += [rules] if weapon.rules else []
        ways.setdefault(weapon.mode_of or weapon.name, []).append(", ".join(words))
    return {name: f" ({'; '.join(each)})" for name, each in ways.items()}


def _now(state: State, vehicle: Vehicle) -> list[str]:
    damage = vehicle.damage
    words: list[str] = [plain(vehicle.speed)] if not state.is_gone(vehicle) else [damage.destroyed or "removed"]
    words += ["immobilised"] if damage.immobilised else []
    words += ["crew stunned"] if damage.stunned else ["crew shaken"] if damage.shaken else []
    words += ["in smoke"] if vehicle.in_smoke else ["smoke used"] if vehicle.smoke_used else []
    words += [f"{name} fired" for name in dict.fromkeys(vehicle.used)]
    words += [f"of {vehicle.squadron}"] if vehicle.squadron else []
    return words


def _vehicle_kind(vehicle: VehicleProfile) -> str:
    armour = f"armour {vehicle.front}/{vehicle.side}/{vehicle.rear}, BS {vehicle.bs}"
    walks = f", WS {vehicle.ws} S {vehicle.strength} I {vehicle.initiative} A {vehicle.attacks}" if vehicle.ws else ""
    carries = f", carries {vehicle.capacity}" if vehicle.capacity else ""
    rules = "".join(f", {plain(rule)}" for rule in vehicle.rules)
    return capital(", ".join((*map(plain, vehicle.types), armour))) + walks + carries + rules


# --- tokens -----------------------------------------------------------------------------------------------------------


@clause("DL-SHEET.3")
def counters(tokens: preparation.Tokens) -> Counters:
    """Return the tokens to cut out, as many as there are of each kind."""
    return Counters(
        TOKENS,
        (
            sheets.Token(
                "scatter", "arrow", tokens.scatter, "moves a marker or a unit that arrives (DL-30.4, DL-95.1)"
            ),
            sheets.Token("gets hot!", "flame", tokens.gets_hot, "turns a weapon against its firer (DL-31.2)"),
            sheets.Token("warp", "star", tokens.warp, "makes a psychic power fail (DL-50.4)"),
        ),
    )


def blank_tokens(rulings: Rulings) -> Counters:
    """Return a page of tokens of each kind."""
    return counters(preparation.Tokens(scatter=28, gets_hot=14, warp=7))


def army_counters(army: Sequence[UnitProfile | VehicleProfile], book: ProfileBook, rulings: Rulings) -> Counters:
    """Return the tokens that an army gives its opponent."""
    return counters(preparation.total_tokens(_sources(army, book, rulings)))


def held_counters(state: State) -> Counters:
    """Return the tokens that both players hold now."""
    return counters(sum((player.tokens for player in state.players), preparation.Tokens()))


def asked_counters(inputs: Any, book: ProfileBook, rulings: Rulings) -> Counters | None:
    """Return the tokens that the question about an army's tokens counts."""
    sources = _asked_sources(inputs, book, rulings)
    return None if sources is None else counters(preparation.total_tokens(sources))


def _sources(
    army: Sequence[UnitProfile | VehicleProfile], book: ProfileBook, rulings: Rulings
) -> tuple[preparation.TokenSource, ...]:
    units = [entry for entry in army if isinstance(entry, UnitProfile)]
    vehicles = [entry for entry in army if isinstance(entry, VehicleProfile)]
    return preparation.token_sources(units, vehicles, lambda name: modes(book, name), 0, rulings)


def _asked_sources(inputs: Any, book: ProfileBook, rulings: Rulings) -> tuple[preparation.TokenSource, ...] | None:
    if not isinstance(inputs, army_tokens.ArmyTokensInputs):
        return None
    return army_tokens.sources_of(army_tokens.army_of(inputs, rulings, book), book)


HEAD = ("for", "of", "number", "scatter", "gets hot!", "warp")


def blank_slip(rulings: Rulings) -> sheets.Cards:
    """Return the slips to fill in with a pencil."""
    return sheets.Cards(
        SLIP, (sheets.Card("", (sheets.Grid(HEAD, (("",) * 6,) * 14, clause="DL-PREP.4", write=(2, 3, 4, 5)),)),) * 2, 2
    )


def army_slip(army: Sequence[UnitProfile | VehicleProfile], book: ProfileBook, rulings: Rulings) -> sheets.Cards:
    """Return the slip of all that gives the opponent tokens in an army, and how many."""
    return _slip(_sources(army, book, rulings), ", ".join(entry.name for entry in army))


def asked_slip(inputs: Any, book: ProfileBook, rulings: Rulings) -> sheets.Cards | None:
    """Return the sheets of the army of a question."""
    sources = _asked_sources(inputs, book, rulings)
    return None if sources is None else _slip(sources, ", ".join((*inputs.units, *inputs.vehicles)))


def held_slip(state: State) -> sheets.Cards:
    """Return what each player holds now."""
    rows = tuple((player.side, *_counts(player.tokens)) for player in state.players)
    return sheets.Cards(
        SLIP, (sheets.Card("Tokens held", (sheets.Grid(("side", *HEAD[3:]), rows, clause="DL-PREP.4"),)),)
    )


@clause("DL-PREP.4", "DL-PREP.5", "DL-SHEET.3")
def _slip(sources: Sequence[preparation.TokenSource], army: str) -> sheets.Cards:
    rows = tuple((source.name, _owner(source), str(source.number), *_counts(source.tokens)) for source in sources)
    total = ("in all", "", "", *_counts(preparation.total_tokens(sources)))
    notes = sheets.Notes("and", ("two scatter tokens for each unit that will arrive by deep strike (DL-95.1)",))
    return sheets.Cards(
        SLIP,
        (sheets.Card("Tokens for the opponent", (sheets.Grid(HEAD, (*rows, total), clause="DL-PREP.4"), notes), army),),
    )


def _owner(source: preparation.TokenSource) -> str:
    return "" if source.owner == source.name else source.owner


def _counts(tokens: preparation.Tokens) -> tuple[str, str, str]:
    return str(tokens.scatter), str(tokens.gets_hot), str(tokens.warp)


# --- tables and templates ---------------------------------------------------------------------------------------------


def four_tables(rulings: Rulings) -> sheets.Reference:
    """Return Tables 1 to 4, each on a page of its own."""
    saves, thresholds, lines = tables.saves_table(), tables.leadership_table(), tables.vehicle_table()
    plain_row, rerolled = (tuple(zip(thresholds.head[1:], row[1:], strict=True)) for row in thresholds.rows)
    about = "a Leadership test fails with more order points than this"
    return sheets.Reference(
        "Tables 1 to 4",
        (
            sheets.printed(saves, fold=4),
            sheets.Printed(f"Table 2: {about}", ("Ld", "order points"), plain_row, "DL-T2"),
            sheets.Printed(f"Table 3: with a re-roll {about}", ("Ld", "order points"), rerolled, "DL-T3"),
            sheets.printed(lines),
        ),
        page_each=True,
    )


def reference(rulings: Rulings) -> sheets.Reference:
    """Return every other table of the system, and those of Tables 1 to 4 that are short."""
    long = ("DL-T1", "DL-20.2")
    return sheets.Reference(
        "Quick reference", tuple(sheets.printed(table) for table in tables.printed_tables() if table.clause not in long)
    )


ZONE_COLOURS = {"red": "#f28b82", "orange": "#fdc57b", "yellow": "#fff3a0"}
"""The colours that the zones are named for, light enough for words in them."""


@clause("DL-SHEET.2", "DL-60.1")
def angle_template(rulings: Rulings) -> sheets.Shapes:
    """Return the vehicle angle template: its middle goes on the point that is hit, its edge along the hull."""
    zones, least = [], 0
    upto = {"red": rulings.angle_red, "orange": rulings.angle_orange, "yellow": 90}
    for zone, add in sheet.ANGLE.items():
        if upto[zone] > least:
            words = f"{zone} BS {add:+d}" if add else f"{zone} no bonus"
            zones.append(sheets.Zone(float(upto[zone]), words, ZONE_COLOURS[zone]))
            least = upto[zone]
    return sheets.Shapes("Vehicle angle template", (sheets.Fan("Vehicle angle template", 85.0, tuple(zones)),) * 2)


def markers(rulings: Rulings) -> sheets.Shapes:
    """Return the blast markers, the flame template, and what is measured with."""
    flame = sheets.Drop("Template", (FLAMER.to_disc + FLAMER.radius) * sheets.INCH, 2 * FLAMER.radius * sheets.INCH)
    return sheets.Shapes(
        "Markers",
        (sheets.blast(BLAST, "Blast"), sheets.blast(LARGE_BLAST, "Large blast"), flame, *sheets.STICKS, *sheets.BASES),
    )


SHEETS = (
    sheets.Sheet(
        "unit_sheets",
        UNITS,
        "A sheet for each unit: a big square for the damage of each group, order points, numbers and weapons.",
        blank_units,
        unit_sheets,
        ("unit",),
        squad_sheets,
        asked_units,
    ),
    sheets.Sheet(
        "vehicle_sheets",
        VEHICLES,
        "Four vehicles on a page: lines A to F with the damage that hits come at, and both rows of boxes.",
        blank_vehicles,
        vehicle_sheets,
        ("vehicle",),
        battle_vehicle_sheets,
        asked_vehicles,
    ),
    sheets.Sheet(
        "tokens",
        TOKENS,
        "Scatter, gets hot! and warp tokens to cut out, as many as the army gives its opponent.",
        blank_tokens,
        army_counters,
        ("unit", "vehicle"),
        held_counters,
        asked_counters,
    ),
    sheets.Sheet(
        "token_slip",
        SLIP,
        "What in an army gives its opponent tokens, and how many.",
        blank_slip,
        army_slip,
        ("unit", "vehicle"),
        held_slip,
        asked_slip,
    ),
    sheets.Sheet("tables", "Tables 1 to 4", "Tables 1 to 4 of the document, each on a page of its own.", four_tables),
    sheets.Sheet(
        "reference",
        "Quick reference",
        "The other tables, and Tables 2 to 4 in short.",
        reference,
    ),
    sheets.Sheet(
        "angle_template", "Vehicle angle template", "Red, orange and yellow zones, to cut out.", angle_template
    ),
    sheets.Sheet("markers", "Markers", "Blasts, the flame template, range sticks and bases, to cut out.", markers),
)
