"""The question tank_shock: a straight drive through units, with death or glory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.log import Line, capital
from battletape.odds import percent
from battletape.procedure import Stage
from battletape.profiles import ProfileBook
from battletape.rulesets.vehicles5 import ask_rulings, tank_shock
from battletape.rulesets.vehicles5.ask_glory import Attack, arms_of, fill_glory, glories
from battletape.rulesets.vehicles5.ask_shooting import condition_line
from battletape.rulesets.vehicles5.damage import Condition
from battletape.rulesets.vehicles5.firing import fire_mode
from battletape.rulesets.vehicles5.profiles import fill_many, fill_unit, traits_of
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.shapes import Armour, Stat
from battletape.rulesets.vehicles5.tank_shock import Drive, Kind, OnLine, Rough, Shocked, Tries, band_covered
from battletape.rulesets.vehicles5.targets import DAMAGE, TYPES, Target, condition_of, fill_targeted, meta
from battletape.rulesets.vehicles5.traits import Traits
from battletape.system import Measure, Question

if TYPE_CHECKING:
    from battletape.answer import Answer

Ahead = Annotated[float, Meta(ge=0, le=60, extra={"unit": "inches"})]


class InTheWay(Inputs, frozen=True):
    """Something on the line of a tank."""

    kind: Annotated[Kind, meta("target", "What it is", "V5-TANK-4")] = "enemy_unit"
    at: Annotated[Ahead, meta("target", "Inches ahead of the tank", "V5-TANK-3")] = 3.0
    name: Annotated[str, meta("target", "Name")] = ""
    unit: Annotated[str, meta("target", "Unit profile")] = ""
    ld: Annotated[int, meta("target", "Ld", "V5-TANK-5", ge=2, le=10)] = 8
    falling_back: Annotated[bool, meta("target", "It is falling back already", "V5-CORE-5")] = False
    fearless: Annotated[bool, meta("target", "It is fearless", "V5-CORE-5")] = False
    strength: Annotated[Stat, meta("target", "Strength of its blows", "V5-DOG-2")] = 4
    glory: Annotated[tuple[Attack, ...], meta("target", "Weapons for death or glory", "V5-DOG-2")] = ()
    rules: Annotated[tuple[str, ...], meta("target", "Its special rules", "V5-CORE-14")] = ()
    tries: Annotated[Tries, meta("circumstances", "Whether a model tries death or glory", "V5-DOG-1")] = "choose"


class TankShock(Inputs, frozen=True):
    """A tank, how far it drives straight ahead, and what it meets."""

    vehicle: Annotated[str, meta("attacker", "Vehicle profile")] = ""
    front: Annotated[Armour, meta("attacker", "Front armour")] = 12
    types: Annotated[tuple[str, ...], meta("attacker", f"Types: {TYPES}", "V5-TANK-1")] = ("tank",)
    weapons: Annotated[int, meta("attacker", "Intact weapons", "V5-DMG-3", ge=0, le=12)] = 1
    weapon_names: Annotated[tuple[str, ...], meta("attacker", "Intact weapons by name", "V5-DMG-3")] = ()
    melee_weapons: Annotated[tuple[str, ...], meta("attacker", "Those of them for close combat")] = ()
    shaken: Annotated[bool, meta("attacker", "Crew shaken", "V5-DMG-1")] = False
    stunned: Annotated[bool, meta("attacker", "Crew stunned", "V5-DMG-2")] = False
    immobilised: Annotated[bool, meta("attacker", "Immobilised", "V5-DMG-4")] = False
    declared: Annotated[Ahead, meta("circumstances", "Inches declared", "V5-TANK-2")] = 12.0
    on_road: Annotated[bool, meta("circumstances", "All along a road", "V5-MOVE-4")] = False
    units: Annotated[tuple[InTheWay, ...], meta("target", "What is on the line", "V5-TANK-3")] = (InTheWay(),)


# --- what stands in the way (ram asks the same) ---------------------------------------------------------------------


def met_on_the_way(
    things: Sequence[InTheWay], front: int, tank: Condition, traits: Traits, rules: Rulings
) -> tuple[Shocked | Rough, ...]:
    """Units and bad ground on the line; skimmers fly over bad ground, and a move takes one test for all of it."""
    found: list[Shocked | Rough] = []
    for at, one in enumerate(things, 1):
        if one.kind == "enemy_unit":
            arms = glories(one.glory, front, tank, traits, rules, one.rules)
            name = one.name or one.unit or f"unit {at}"
            found.append(Shocked(name, one.at, one.ld, one.falling_back, one.fearless, arms, one.tries))
        elif one.kind == "terrain" and not traits.skimmer:
            found.append(Rough(one.at))
    rough = sorted((one for one in found if isinstance(one, Rough)), key=lambda one: one.at)
    spared = rough[1:] if rules.terrain_tests == "one_per_move" else []
    return tuple(one for one in found if one not in spared)


def on_the_line(things: Sequence[InTheWay]) -> tuple[OnLine, ...]:
    """The same as the line sees it."""
    return tuple(OnLine(one.kind, one.at, one.name or one.unit or f"unit {at}") for at, one in enumerate(things, 1))


def fill_way(given: Mapping[str, Any], found: ProfileBook) -> dict[str, Any]:
    """Profiles of the units on the way and of their weapons written out."""
    return fill_many(given, "units", lambda one: _fill_unit(one, found), "unit")


def _fill_unit(given: Mapping[str, Any], found: ProfileBook) -> dict[str, Any]:
    filled = fill_unit(given, found, InTheWay)
    if filled.get("unit") and "glory" not in given:
        filled["glory"] = list(arms_of(found.find("unit", filled["unit"]), found))
    return fill_glory(filled, found)


# --- tank shock -----------------------------------------------------------------------------------------------------


def begin_tank_shock(inputs: TankShock, rules: Rulings = DEFAULT) -> Drive:
    """The tank and everything on its line; raises Refused where it may not drive like this."""
    traits = traits_of(inputs.types)
    tank = tank_of(inputs, rules)
    line = tank_shock.line(
        traits, tank.state, inputs.declared, on_the_line(inputs.units), on_road=inputs.on_road, rules=rules
    )
    if isinstance(line, Refused):
        raise line
    return Drive(
        start=tank,
        tank=tank,
        front=inputs.front,
        traits=traits,
        declared=inputs.declared,
        stop_at=line.moved,
        end=line.stopped_by,
        on_road=inputs.on_road,
        units=met_on_the_way(inputs.units, inputs.front, tank, traits, rules),
        rules=rules,
    )


def tank_of(inputs: TankShock, rules: Rulings) -> Condition:
    """The tank before it drives."""
    same = {name: getattr(inputs, name) for name in _SAME}
    return condition_of(Target(**same, band="stationary"), rules)


_SAME = ("types", "weapons", "weapon_names", "melee_weapons", "shaken", "stunned", "immobilised")


def fill_tank_shock(given: Mapping[str, Any], found: ProfileBook) -> dict[str, Any]:
    """Profiles of the tank and of all units written out."""
    return fill_way(fill_targeted(given, found, TankShock), found)


def may_shoot(drive: Drive) -> bool:
    """Whether the tank may fire after its drive."""
    if drive.tank.is_destroyed:
        return False
    return fire_mode(drive.traits, band_covered(drive), drive.tank.state, rules=drive.rules).mode != "none"


def tank_shock_headline(answer: Answer) -> str:
    """Whether the tank is stopped, and who pays for it."""
    stopped, dies, runs = (answer.odds(name).chance(1) for name in ("tank_stops", "model_destroyed", "falls_back"))
    text = f"The tank is stopped {percent(stopped)}; a model dies {percent(dies)}; a unit falls back {percent(runs)}."
    if stopped:
        return f"{text[:-1]}; the tank is destroyed {percent(answer.odds('tank_destroyed').chance(1))}."
    return text


def narrate_drive(stage: Stage, before: Drive, after: Drive) -> Iterable[Line]:
    """What happened to the tank and to each unit."""
    if stage is tank_shock.end_of_move:
        way = f"The tank has driven {after.moved:g} inches"
        yield Line(way, ("V5-TANK-4", "V5-TANK-6"), result=f"{after.moved:g}")
        return
    for name in after.met:
        if name in after.fled:
            yield Line(f"{capital(name)}: the unit falls back", ("V5-TANK-5",), result="falls back")
        elif name in after.killed:
            lost = f"{capital(name)}: the model that stood its ground is destroyed"
            yield Line(lost, ("V5-DOG-4",), result="model destroyed")
        elif name == after.met[-1] and after.stopped_by == "glory":
            yield Line(f"{capital(name)}: death or glory stops the tank", ("V5-DOG-3",), result="stopped")
        else:
            yield Line(f"{capital(name)}: the unit holds and lets the tank pass", ("V5-TANK-5",), result="holds")
    if after.stopped_by == "terrain":
        yield Line("The tank sticks at the edge of bad ground", ("V5-TANK-4", "V5-TERR-3"), result="stopped")
    if after.tank != before.tank:
        yield condition_line(before.tank, after.tank)


def damage_of(prefix: str, read: Any, words: str, skip: Sequence[str] = ()) -> tuple[Measure, ...]:
    """The measures of damage for one of several vehicles; `read` finds a state with `start` and `now`."""

    def measure(one: Measure) -> Measure:
        name = "unharmed" if one.name == "unchanged" else one.name
        return Measure(f"{prefix}_{name}", f"{words}: {one.title.lower()}", lambda state: one.of(read(state)), one.unit)

    return tuple(measure(one) for one in DAMAGE if one.name not in skip)


TANK_SHOCK = Question(
    "tank_shock",
    "What happens when a tank drives through units?",
    TankShock,
    begin_tank_shock,
    tank_shock.TANK_SHOCK,
    (
        Measure("tank_stops", "Death or glory stops the tank", lambda drive: int(drive.stopped_by == "glory")),
        Measure("falls_back", "A unit falls back", lambda drive: int(bool(drive.fled))),
        Measure("model_destroyed", "A model dies for glory", lambda drive: int(bool(drive.killed))),
        Measure(
            "tank_completes_move",
            "The tank drives as far as declared",
            lambda drive: int(drive.moved >= drive.declared),
        ),
        Measure("moved", "Inches driven", lambda drive: drive.moved, "inches"),
        Measure("units_fled", "Units that fall back", lambda drive: len(drive.fled), "units"),
        Measure("models_lost", "Models that die for glory", lambda drive: len(drive.killed), "models"),
        Measure("may_shoot", "The tank may fire afterwards", lambda drive: int(may_shoot(drive))),
        Measure("tank_explodes", "The tank explodes", lambda drive: int(drive.tank.status == "exploded")),
        *damage_of("tank", lambda drive: drive, "Tank", ("exploded",)),
    ),
    tank_shock_headline,
    narrate_drive,
    fill=fill_tank_shock,
    rulings=ask_rulings.TANK_SHOCK,
    example={
        "front": 12,
        "declared": 10,
        "units": [{"at": 4, "ld": 8, "tries": "always", "glory": [{"strength": 8, "ap": 1, "dice": "2d6"}]}],
    },
)
