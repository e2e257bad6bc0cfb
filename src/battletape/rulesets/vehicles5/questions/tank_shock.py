"""The question tank_shock: a straight drive through units, with death or glory."""

from __future__ import annotations

from typing import Annotated

from battletape.answer import Answer
from battletape.inputs import Inputs, meta
from battletape.odds import percent
from battletape.rulesets.vehicles5.profiles.book import traits_of
from battletape.rulesets.vehicles5.profiles.types import Armour
from battletape.rulesets.vehicles5.questions import _inputs, _lanes
from battletape.rulesets.vehicles5.questions._lanes import Ahead, InTheWay
from battletape.rulesets.vehicles5.rules import firing, tank_shock
from battletape.rulesets.vehicles5.rules.movement import Situation
from battletape.rulesets.vehicles5.rules.tank_shock import Drive, band_at
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.system import Measure, Question


class TankShock(Inputs, frozen=True):
    """A tank, how far it drives straight ahead, and what it meets."""

    vehicle: Annotated[str, meta("attacker", "Vehicle profile")] = ""
    front: Annotated[Armour, meta("attacker", "Front armour")] = 12
    types: Annotated[tuple[str, ...], meta("attacker", f"Types: {_inputs.TYPES}", "V5-TANK-1")] = ("tank",)
    weapons: Annotated[int, meta("attacker", "Intact weapons", "V5-DMG-3", ge=0, le=12)] = 1
    weapon_names: Annotated[tuple[str, ...], meta("attacker", "Intact weapons by name", "V5-DMG-3")] = ()
    melee_weapons: Annotated[tuple[str, ...], meta("attacker", "Those of them for close combat")] = ()
    shaken: Annotated[bool, meta("attacker", "Crew shaken", "V5-DMG-1")] = False
    stunned: Annotated[bool, meta("attacker", "Crew stunned", "V5-DMG-2")] = False
    immobilised: Annotated[bool, meta("attacker", "Immobilised", "V5-DMG-4")] = False
    declared: Annotated[Ahead, meta("circumstances", "Inches declared", "V5-TANK-2")] = 12.0
    on_road: Annotated[bool, meta("circumstances", "All along a road", "V5-MOVE-4")] = False
    units: Annotated[tuple[InTheWay, ...], meta("target", "What is on the line", "V5-TANK-3")] = (InTheWay(),)


def begin_tank_shock(inputs: TankShock, rules: Rulings = DEFAULT) -> Drive:
    """The tank and everything on its line; raises Refused where it may not drive like this."""
    tank, traits = _inputs.condition_of(inputs, rules), traits_of(inputs.types)
    return _lanes.drive_through(inputs.units, tank, inputs.front, traits, inputs.declared, inputs.on_road, rules)


def may_shoot(drive: Drive) -> bool:
    """Whether the tank may fire after its drive."""
    now = Situation(drive.traits, drive.tank, band_at(drive, drive.moved), rules=drive.rules)
    return firing.fire_mode(now).mode != "none"


def tank_shock_headline(answer: Answer) -> str:
    """Whether the tank is stopped, and who pays for it."""
    stopped, dies, runs = (answer.odds(name).chance(1) for name in ("tank_stops", "model_destroyed", "falls_back"))
    text = f"The tank is stopped {percent(stopped)}; a model dies {percent(dies)}; a unit falls back {percent(runs)}."
    if stopped:
        return f"{text[:-1]}; the tank is destroyed {percent(answer.odds('tank_destroyed').chance(1))}."
    return text


TANK_SHOCK = Question(
    "tank_shock",
    "What happens when a tank drives through units?",
    TankShock,
    begin_tank_shock,
    tank_shock.TANK_SHOCK,
    (
        _inputs.happens("tank_stops", "Death or glory stops the tank", lambda drive: drive.stopped_by == "glory"),
        _inputs.happens("falls_back", "A unit falls back", lambda drive: bool(drive.fled)),
        _inputs.happens("model_destroyed", "A model dies for glory", lambda drive: bool(drive.killed)),
        _inputs.happens(
            "tank_completes_move", "The tank drives as far as declared", lambda drive: drive.moved >= drive.declared
        ),
        Measure("moved", "Inches driven", lambda drive: drive.moved, "inches"),
        Measure("band_after", "Speed of that", lambda drive: band_at(drive, drive.moved)),
        Measure("shocked", "Units it drives through", lambda drive: ", ".join(dict.fromkeys(drive.met)) or "none"),
        Measure("units_fled", "Units that fall back", lambda drive: len(drive.fled), "units"),
        Measure("models_lost", "Models that die for glory", lambda drive: len(drive.killed), "models"),
        _inputs.happens("may_shoot", "The tank may fire afterwards", may_shoot),
        _inputs.happens("tank_explodes", "The tank explodes", lambda drive: drive.tank.status == "exploded"),
        *_lanes.damage_of("tank", lambda drive: drive, ("exploded",)),
    ),
    tank_shock_headline,
    _lanes.narrate_drive,
    fill=lambda given, book: _lanes.fill_way(_inputs.fill_targeted(given, book, TankShock), book),
    rulings=_lanes.RULINGS,
    example={
        "front": 12,
        "declared": 10,
        "units": [{"at": 4, "ld": 8, "tries": "always", "glory": [{"strength": 8, "ap": 1, "dice": "2d6"}]}],
    },
)
