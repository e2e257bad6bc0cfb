"""The question `drive`: what dangerous or shaken ground, or mines, do to a vehicle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from battletape.cards import ProfileBook, Question, Table, asked
from battletape.rulebook import Caution, Meta, by_default, clause
from battletape.rulesets.diceless40k.profiles.types import Armour
from battletape.rulesets.diceless40k.questions._inputs import LineInputs, fill_hull, lines_used, sheet_of
from battletape.rulesets.diceless40k.questions.shoot_vehicle import (
    HULL_LEAD,
    HULL_MEASURES,
    HULL_RULINGS,
    attack_headline,
)
from battletape.rulesets.diceless40k.rules import vehicles
from battletape.rulesets.diceless40k.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer

Inches = Annotated[float, Meta(ge=0, le=240)]


class DriveInputs(LineInputs, frozen=True):
    """A vehicle that drives over bad ground."""

    vehicle: str = asked("", "Vehicle profile", group="target", profile="vehicle")
    rear: Armour = asked(10, "Rear armour", "DL-57.1", group="target")
    ground: Literal["dangerous", "shaken", "mined"] = asked("dangerous", "The ground", "DL-57.1", group="circumstances")
    inches: Inches = asked(3.0, "Inches in it", "DL-57.1", group="circumstances", unit="inches")
    moved: Inches = asked(0.0, "Inches driven in all, on shaken ground", "DL-SM-73.2", group="circumstances")
    skimmer: bool = asked(False, "It is a skimmer", "DL-57.1", group="target")
    starts: bool = asked(False, "It starts in it", "DL-57.1", group="circumstances")
    ends: bool = asked(False, "It ends in it", "DL-57.1", group="circumstances")
    strength: int = asked(
        vehicles.TERRAIN_STRENGTH, "Strength agreed on", "DL-57.2", group="circumstances", ge=1, le=12
    )
    dmg_per_inch: int = asked(
        vehicles.TERRAIN_DMG, "DMG an inch agreed on", "DL-57.2", group="circumstances", ge=0, le=1000
    )


@clause("DL-57.1", "DL-57.2", "DL-SM-73.2", "DL-SM-67.1")
def begin_drive(inputs: DriveInputs, rulings: Rulings) -> vehicles.VehicleAttack:
    """Return the packet of the ground, and the vehicle's sheet."""
    inside = vehicles.inches_in_danger(inputs.inches, inputs.skimmer, inputs.starts, inputs.ends, rulings)
    if inputs.ground == "shaken":
        packet = vehicles.tremor_packet(inputs.rear, inputs.moved, inside, rulings)
    elif inputs.ground == "mined":
        packet = vehicles.mines_packet(inputs.rear, rulings)
    else:
        packet = vehicles.terrain_packet(inputs.rear, inside, inputs.strength, inputs.dmg_per_inch)
    return vehicles.VehicleAttack(sheet_of(inputs, rulings), (packet,), rulings)


def drive_headline(answer: Answer) -> str:
    """Say the hits and what they do."""
    (attack,) = answer.states.weights
    return attack_headline(attack, answer)


def fill_drive(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in rear armour, weapons and kind of a named vehicle."""
    if not given.get("vehicle"):
        return dict(given)
    vehicle = book.find("vehicle", str(given["vehicle"]))
    filled = fill_hull(given, book)
    filled.pop("av", None)
    return {"rear": vehicle.rear, "skimmer": "skimmer" in vehicle.types, **filled}


def table(inputs: DriveInputs, rulings: Rulings) -> Table:
    """Show Table 4, with the lines that are written on."""
    return lines_used(by_default(vehicles.VEHICLE_ATTACK, begin_drive(inputs, rulings)))


def warn_drive(inputs: DriveInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn of what changes nothing."""
    if inputs.skimmer and not (inputs.starts or inputs.ends) and inputs.ground == "dangerous":
        yield Caution("A skimmer that only flies over suffers nothing", "DL-57.1")


DRIVE = Question(
    "drive",
    "What does dangerous ground do to a vehicle?",
    DriveInputs,
    begin_drive,
    vehicles.VEHICLE_ATTACK,
    HULL_MEASURES,
    drive_headline,
    fill=fill_drive,
    table=table,
    warn=warn_drive,
    example={"vehicle": "Trukk", "inches": 3},
    small={"rear": 10, "inches": 3, "vehicle_weapons": ["big gun", "small gun"]},
    rulings=("skimmer_terrain", "tremor_vehicle", "mines_on_vehicles", *HULL_RULINGS),
    lead=HULL_LEAD,
)
