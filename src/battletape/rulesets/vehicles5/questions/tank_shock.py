"""The question tank_shock: a straight drive through units, with death or glory."""

from __future__ import annotations

from typing import get_args

from battletape.cards import Answer, Inputs, Lead, Measure, Question, Roll, asked
from battletape.rulebook import capital, inches, plural
from battletape.rulesets.vehicles5.profiles.book import traits_of
from battletape.rulesets.vehicles5.profiles.types import Armour
from battletape.rulesets.vehicles5.questions import _inputs, _straight_drives
from battletape.rulesets.vehicles5.questions._inputs import TYPES, Names
from battletape.rulesets.vehicles5.questions._straight_drives import InchesAhead, InTheWay
from battletape.rulesets.vehicles5.rules import firing, tank_shock, traits
from battletape.rulesets.vehicles5.rules.movement import Situation
from battletape.rulesets.vehicles5.rules.tank_shock import Drive, band_at
from battletape.rulesets.vehicles5.rulings import Rulings


class TankShockInputs(Inputs, frozen=True):
    """A tank, how far it drives straight ahead, and what it meets."""

    vehicle: str = asked("", "Vehicle profile", group="attacker", profile="vehicle")
    front: Armour = asked(12, "Front armour", group="attacker", short="Front")
    types: Names = asked(("tank",), "Types", "V5-TANK-1", group="attacker", known=TYPES)
    weapons: int = asked(1, "Intact weapons", "V5-DMG-3", group="attacker", short="Weapons", ge=0, le=12)
    weapon_names: Names = asked((), "Intact weapons by name", "V5-DMG-3", group="attacker", profile="weapon")
    melee_weapons: Names = asked(
        (), "Close-combat weapons among them", group="attacker", among=lambda inputs: inputs.weapon_names
    )
    shaken: bool = asked(False, "Crew shaken", "V5-DMG-1", group="attacker")
    stunned: bool = asked(False, "Crew stunned", "V5-DMG-2", group="attacker")
    immobilised: bool = asked(False, "Immobilised", "V5-DMG-4", group="attacker")
    declared: InchesAhead = asked(12.0, "Inches declared", "V5-TANK-2", group="circumstances")
    on_road: bool = asked(False, "All along a road", "V5-MOVE-4", group="circumstances")
    units: tuple[InTheWay, ...] = asked((InTheWay(),), "What is on the line", "V5-TANK-3", group="target", short="unit")


def begin_tank_shock(inputs: TankShockInputs, rulings: Rulings) -> Drive:
    tank, traits = _inputs.condition_of(inputs, rulings), traits_of(inputs.types)
    return _straight_drives.drive_through(
        inputs.units, tank, inputs.front, traits, inputs.declared, inputs.on_road, rulings
    )


def may_shoot(drive: Drive) -> bool:
    """Return whether the tank may fire after its drive."""
    situation = Situation(drive.traits, drive.tank, band_at(drive, drive.moved), rulings=drive.rulings)
    return firing.fire_mode(situation).mode != "none"


def _completes_move(drive: Drive) -> bool:
    return drive.moved >= drive.declared


def tank_shock_headline(answer: Answer) -> str:
    parts = [
        f"The tank is stopped {answer.chance('tank_stops')}",
        f"a model dies {answer.chance('model_destroyed')}",
        f"a unit falls back {answer.chance('falls_back')}",
    ]
    if answer.odds("tank_stops").chance(1):
        parts.append(f"the tank is destroyed {answer.chance('tank_destroyed')}")
    return "; ".join(parts) + "."


def _tank_shock_result(roll: Roll) -> str:
    results = roll.results
    parts = [f"the tank drives {inches(results['moved'])}"]
    if results["tank_stops"]:
        parts = [f"the tank is stopped after {inches(results['moved'])}, {_inputs.result_words(results['tank_worst'])}"]
    if results["models_lost"]:
        parts.append(f"{plural(results['models_lost'], 'model')} killed")
    if results["units_fled"]:
        parts.append(
            f"{plural(results['units_fled'], 'unit')} {'falls' if results['units_fled'] == 1 else 'fall'} back"
        )
    return f"{capital('; '.join(parts))}."


TANK_SHOCK = Question(
    "tank_shock",
    "What happens when a tank drives through units?",
    TankShockInputs,
    begin_tank_shock,
    tank_shock.TANK_SHOCK,
    (
        _inputs.yes_no_measure(
            "tank_stops", "Death or glory stops the tank", lambda drive: drive.stopped_by == "glory", "attacker"
        ),
        _inputs.yes_no_measure("falls_back", "A unit falls back", lambda drive: bool(drive.fled)),
        _inputs.yes_no_measure("model_destroyed", "A model dies for glory", lambda drive: bool(drive.killed)),
        _inputs.yes_no_measure("tank_completes_move", "The tank drives as far as declared", _completes_move),
        Measure("moved", "Inches driven", lambda drive: drive.moved, "inches"),
        Measure("band_after", "Speed of that", lambda drive: band_at(drive, drive.moved), values=get_args(traits.Band)),
        Measure("shocked", "Units it drives through", lambda drive: ", ".join(dict.fromkeys(drive.met)) or "none"),
        Measure("units_fled", "Units that fall back", lambda drive: len(drive.fled), "units"),
        Measure("models_lost", "Models that die for glory", lambda drive: len(drive.killed), "models"),
        _inputs.yes_no_measure("may_shoot", "The tank may fire afterwards", may_shoot),
        _inputs.yes_no_measure(
            "tank_explodes", "The tank explodes", lambda drive: drive.tank.status == "exploded", "attacker"
        ),
        *_straight_drives.damage_of("tank", lambda drive: drive, ("exploded",), own=True),
    ),
    tank_shock_headline,
    fill=lambda given, book: _straight_drives.fill_units_on_line(
        _inputs.fill_targeted(given, book, TankShockInputs), book
    ),
    rulings=_straight_drives.RULINGS,
    result=_tank_shock_result,
    example={
        "vehicle": "Anvil battle tank",
        "declared": 10,
        "units": [{"unit": "Furnace company", "at": 4, "tries": "always", "glory": [{"weapon": "Meltagun"}]}],
    },
    small={
        "front": 12,
        "declared": 10,
        "units": [{"at": 4, "ld": 8, "tries": "always", "glory": [{"strength": 8, "ap": 1, "dice": "2d6"}]}],
    },
    lead=(
        Lead("tank_stops", "the tank is stopped"),
        Lead("falls_back", "a unit falls back"),
        Lead("tank_completes_move", "the tank drives on"),
    ),
)
