"""The question on repairs: what a techmarine or the crew of a Rhino takes off a vehicle's sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from battletape.cards import Lead, Measure, ProfileBook, Question, Table, asked
from battletape.rulebook import Caution, Procedure, Tape, by_default, clause, listed, raise_if_refused, replace
from battletape.rulesets.diceless40k import words
from battletape.rulesets.diceless40k.questions._inputs import ROW_RULINGS, LineDmg, LineInputs, fill_hull, sheet_of
from battletape.rulesets.diceless40k.rules.damage_rows import LINES, line_at, result_text, take_hit
from battletape.rulesets.diceless40k.rules.repairs import REPAIR as REPAIRING
from battletape.rulesets.diceless40k.rules.repairs import Repair, refuse_repair, repair_points, rhino_points
from battletape.rulesets.diceless40k.rules.space_marines import servitors_function
from battletape.rulesets.diceless40k.rules.vehicles import THRESHOLDS
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.rulesets.diceless40k.tables.printed import vehicle_table

if TYPE_CHECKING:
    from battletape.answer import Answer


class RepairInputs(LineInputs, frozen=True):
    """A damaged vehicle, and the models that repair it."""

    line_e: LineDmg = asked(28, "DMG on line E", "DL-60.13", group="target")
    who: Literal["techmarine", "own_crew"] = asked("techmarine", "Who repairs", "DL-SM-71.1", group="attacker")
    servitors: int = asked(0, "Servitors with servo-arms", "DL-SM-71.3", group="attacker", ge=0, le=20)
    harness: bool = asked(False, "A servo-harness", "DL-SM-71.4", group="attacker")
    turns_without: int = asked(0, "Turns the servitors have been alone", "DL-SM-72.1", group="attacker", ge=0, le=20)
    led: bool = asked(True, "A techmarine is in the servitors' unit", "DL-SM-72.1", group="attacker")
    line: str = asked(
        "",
        "Line that is repaired",
        "DL-SM-71.1",
        group="attacker",
        known={"": "the best one", **dict.fromkeys(LINES, "")},
    )


@clause("DL-SM-71.1", "DL-SM-71.3", "DL-SM-72.1", "DL-SM-76.1")
def begin_repair(inputs: RepairInputs, rulings: Rulings) -> Repair:
    """Return the sheet and the points; servitors in mindlock do not help."""
    sheet = sheet_of(inputs, rulings)
    working = inputs.servitors if servitors_work(inputs, rulings) else 0
    points = rhino_points(inputs.immobilised) if inputs.who == "own_crew" else repair_points(working, inputs.harness)
    line = inputs.line.strip().upper()
    if line:
        line_at(line)
    if not line:
        raise_if_refused(refuse_repair(sheet))
    return Repair(sheet, points, "owner", rulings, line, servitors=working, ticked=_is_ticked(inputs))


def _is_ticked(inputs: RepairInputs) -> bool:
    return bool(inputs.glancing_ticked or inputs.penetrating_ticked)


@clause("DL-SM-72.1")
def servitors_work(inputs: RepairInputs, rulings: Rulings) -> bool:
    """Return whether the servitors work this turn."""
    return servitors_function(inputs.turns_without, inputs.led, rulings)


@clause("DL-60.17", "DL-SM-71.2")
def recall_hits(tape: Tape, repair: Repair) -> Repair:
    """Find the results that the damage on the sheet has had, line by line, unless ticked boxes are given."""
    sheet = replace(repair.damage, immobilised=False)
    if repair.ticked:
        return repair
    for line, dmg in zip(LINES, sheet.lines, strict=True):
        for hit in THRESHOLDS[line]:
            if hit.at <= dmg:
                sheet, _ = take_hit(tape, sheet, hit, "enemy", repair.rulings)
    if sheet.destroyed:
        return repair
    return replace(repair, damage=replace(sheet, immobilised=sheet.immobilised or repair.damage.immobilised))


def fill_repair(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in the weapons of the named vehicle; where the damage of any line is given, the others hold none."""
    filled = {key: value for key, value in fill_hull(given, book).items() if key != "av"}
    return {"line_e": 0, **filled} if any(key.startswith("line_") for key in given) else filled


def repair_headline(answer: Answer) -> str:
    """Say what comes off, and what is undone."""
    (repair,) = answer.states.weights
    if not repair.points:
        return "Nothing is repaired: the crew mends a vehicle only while it is immobilised."
    text = f"Line {repair.line} goes from {repair.before} to {repair.after} DMG"
    if not repair.undone:
        return f"{text}; no result is undone."
    return f"{text}; undone: {listed([result_text(ticked) for ticked in repair.undone])}."


def table(inputs: RepairInputs, rulings: Rulings) -> Table:
    """Show Table 4, with the line that is repaired."""
    return vehicle_table([by_default(MENDING, begin_repair(inputs, rulings)).line])


def warn_repair(inputs: RepairInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn of what changes nothing."""
    if inputs.servitors and not servitors_work(inputs, rulings):
        yield Caution("The servitors are in mindlock and do not help", "DL-SM-72.1")
    if _is_ticked(inputs):
        yield Caution(
            "Where boxes are ticked, it is not known which line each came from, and no result is undone", "DL-SM-71.2"
        )


MENDING = Procedure("repair", (recall_hits, *REPAIRING.stages))
REPAIR = Question(
    "repair",
    "What does a repair do?",
    RepairInputs,
    begin_repair,
    MENDING,
    (
        Measure("unchecked", "Hits that no longer stand", lambda repair: len(repair.undone_hits), "hits"),
        Measure("points", "Points of the repair", lambda repair: repair.points, "DMG"),
        Measure("servitors", "Servitors that work", lambda repair: repair.servitors, "servitors"),
        Measure("line_dmg", "DMG left on the line", lambda repair: repair.after if repair.line else 0, "DMG"),
    ),
    repair_headline,
    fill=fill_repair,
    table=table,
    warn=warn_repair,
    example={"line_e": 28, "line_b": 20, "servitors": 1, "harness": True},
    rulings=("repair_order", "mindlock", *ROW_RULINGS),
    lead=(Lead("points", lambda answer: f"DMG repaired; {words.value(answer, 'line_dmg')} left on the line"),),
)
