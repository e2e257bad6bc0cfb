"""The question `vehicle_hits`: what glancing and penetrating hits do to a vehicle, box by box."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from battletape.cards import Inputs, Lead, Measure, ProfileBook, Question, Table, asked
from battletape.rulebook import (
    Procedure,
    State,
    Tape,
    by_default,
    capital,
    clause,
    listed,
    plain,
    replace,
)
from battletape.rulesets.diceless40k import words
from battletape.rulesets.diceless40k.questions._inputs import ROW_RULINGS, BoxInputs, fill_hull, sheet_of
from battletape.rulesets.diceless40k.rules import damage_rows
from battletape.rulesets.diceless40k.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer


class HitInput(Inputs, frozen=True):
    """A hit: its row, and whether it has +1 on the damage chart."""

    kind: damage_rows.Kind = "P"
    bonus: int = asked(0, ge=0, le=1)
    curse: bool = False


class VehicleHitsInputs(BoxInputs, frozen=True):
    """A vehicle's sheet, and the hits on it in order."""

    vehicle: str = asked("", "Vehicle profile", group="target", profile="vehicle")
    hits: tuple[HitInput, ...] = asked(
        (HitInput(),), "Hits", "DL-60.15", about=": G glancing, P penetrating", group="attacker", short="hit"
    )


class HitsOnRows(State, frozen=True):
    """A sheet, the hits still to come, and what those before have done."""

    damage: damage_rows.DamageSheet
    hits: tuple[HitInput, ...]
    rulings: Rulings
    box_results: tuple[damage_rows.BoxResult, ...] = ()


@clause("DL-60.15", "DL-60.16", "DL-70.2")
def begin_vehicle_hits(inputs: VehicleHitsInputs, rulings: Rulings) -> HitsOnRows:
    """Return the sheet as it stands."""
    return HitsOnRows(sheet_of(inputs, rulings), inputs.hits, rulings)


@clause("DL-60.17", "DL-60.18", "DL-60.20", "DL-60.21", "DL-60.22", "DL-60.23", "DL-SM-57.1")
def take_hits(tape: Tape, rows: HitsOnRows) -> HitsOnRows:
    """Take hit by hit; all of them count, even after one that wrecks."""
    return tape.each(_take, replace(rows, hits=()), rows.hits)


def _take(tape: Tape, rows: HitsOnRows, hit: HitInput) -> HitsOnRows:
    number = 1 + len(rows.box_results)
    if hit.curse:
        cursed = (rows.damage, "attacker", rows.rulings)
        damage, box_result = tape.call(damage_rows.take_glancing_hit, *cursed, about=f"Hit {number}")
    else:
        row_hit = damage_rows.Hit(hit.kind, at=number, bonus=hit.bonus)
        damage, box_result = tape.call(
            damage_rows.take_hit, rows.damage, row_hit, "attacker", rows.rulings, about=f"Hit {number}"
        )
    return replace(rows, damage=damage, box_results=(*rows.box_results, box_result))


def vehicle_hits_headline(answer: Answer) -> str:
    """Say every result, and how the vehicle stands."""
    (rows,) = answer.states.weights
    results = listed([damage_rows.result_text(box_result) for box_result in rows.box_results]) or "no hit"
    other = words.open_choices(answer, weapons_left="weapons left")
    return f"{capital(results)}: {words.sheet_text(rows.damage)}.{other}"


def _results(rows: HitsOnRows) -> str:
    return listed([plain(box_result.result) for box_result in rows.box_results]) or "no hit"


def table(inputs: VehicleHitsInputs, rulings: Rulings) -> Table:
    """Show both rows of boxes after the hits, with those that they ticked."""
    before, sheet = sheet_of(inputs, rulings), by_default(TAKING, begin_vehicle_hits(inputs, rulings)).damage
    rows = damage_rows.ROWS[rulings.rows]
    wide = max(map(len, rows.values()))
    cells = []
    for name, kind in (("glancing", "G"), ("penetrating", "P")):
        row = rows[kind]  # type: ignore[index]
        boxes = [f"{'☒' if at in sheet.ticked_boxes(kind) else '☐'} {plain(box)}" for at, box in enumerate(row)]
        cells.append((name, *boxes, *("",) * (wide - len(boxes))))
    newly_ticked = [
        (row, at + 1)
        for row, kind in enumerate(("G", "P"))
        for at in sheet.ticked_boxes(kind)
        if at not in before.ticked_boxes(kind)  # type: ignore[arg-type]
    ]
    head = ("row", *map(str, range(wide)))
    return Table(
        "The rows of boxes",
        head,
        tuple(cells),
        "DL-60.16",
        newly_ticked[0] if newly_ticked else None,
        tuple(newly_ticked[1:]),
    )


def fill_vehicle_hits(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in weapons and kind of a named vehicle."""
    filled = fill_hull(given, book)
    filled.pop("av", None)
    return filled


TAKING = Procedure("vehicle hits", (take_hits,))
VEHICLE_HITS = Question(
    "vehicle_hits",
    "What do hits do to a vehicle?",
    VehicleHitsInputs,
    begin_vehicle_hits,
    TAKING,
    (
        Measure("destroyed", "Wrecked or exploded", lambda rows: rows.damage.destroyed or "no"),
        Measure("immobilised", "Immobilised", lambda rows: int(rows.damage.immobilised)),
        Measure(
            "weapons_left", "Weapons left", lambda rows: len(rows.damage.weapons_left), "weapons", low_for=("attacker",)
        ),
        Measure("results", "Results in order", _results),
    ),
    vehicle_hits_headline,
    fill=fill_vehicle_hits,
    table=table,
    example={"vehicle": "Predator", "hits": [{"kind": "G"}, {"kind": "G"}, {"kind": "P"}, {"kind": "P"}]},
    small={"hits": [{"kind": "G"}, {"kind": "G"}, {"kind": "P"}, {"kind": "P"}], "vehicle_weapons": ["gun", "gun"]},
    rulings=ROW_RULINGS,
    lead=(
        Lead("destroyed", "by these hits", when=lambda answer: words.value(answer, "destroyed") != "no"),
        Lead("immobilised", "it is immobilised"),
        Lead("weapons_left", "weapons left"),
    ),
)
