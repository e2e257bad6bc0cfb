"""The question `assault_vehicle`: what blows and grenades do to a vehicle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from battletape.cards import Inputs, Measure, ProfileBook, Question, Table, asked
from battletape.rulebook import Caution, by_default, clause, replace
from battletape.rulesets.diceless40k.profiles.book import modes
from battletape.rulesets.diceless40k.profiles.types import Stat, UnitProfile, VehicleProfile
from battletape.rulesets.diceless40k.questions import _inputs
from battletape.rulesets.diceless40k.questions.shoot_vehicle import (
    HULL_LEAD,
    HULL_MEASURES,
    HULL_RULINGS,
    attack_headline,
)
from battletape.rulesets.diceless40k.rules import vehicle_assault
from battletape.rulesets.diceless40k.rules.blows import close_combat_weapons
from battletape.rulesets.diceless40k.rules.characteristics import MODEL_RULES, TANK_HUNTERS, Group, groups_of
from battletape.rulesets.diceless40k.rules.keywords import WEAPON_RULES
from battletape.rulesets.diceless40k.rules.vehicles import VehicleAttack, speed_for_firers
from battletape.rulesets.diceless40k.rules.weapons import Extra
from battletape.rulesets.diceless40k.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer


class OtherAttackers(Inputs, frozen=True):
    """Models of the same unit that strike in another way."""

    name: str = "others"
    models: int = asked(1, form="count", ge=1, le=200)
    ws: Stat = 4
    strength: int = asked(4, ge=1, le=12)
    attacks: int = asked(1, ge=0, le=1000)
    weapon: _inputs.StrikesWith = ""
    two_weapons: bool = False
    tank_hunters: bool = False
    rules: _inputs.WeaponRules = ()
    model_rules: _inputs.ModelRules = ()
    grenade: vehicle_assault.Grenade | None = None
    throwing: int | None = asked(None, ge=0, le=200)


class AssaultVehicleInputs(_inputs.TargetVehicleInputs, frozen=True):
    """Models that assault a vehicle."""

    attackers: str = asked("", "Assaulting unit", group="attacker", profile="unit")
    models: int = asked(5, "Models that strike", "DL-63.1", group="attacker", ge=1, le=200)
    ws: Stat = asked(4, "WS", "DL-63.1", group="attacker")
    strength: int = asked(4, "Strength", "DL-63.2", group="attacker", short="S", ge=1, le=12)
    attacks: int = asked(1, "Attacks of each", "DL-63.1", group="attacker", ge=0, le=1000)
    charging: bool = asked(False, "They charge", "DL-63.1", group="attacker")
    tank_hunters: bool = asked(False, "Tank hunters", "DL-76.2", group="attacker")
    monstrous: bool = asked(False, "Monstrous creatures", "DL-60.9", group="attacker")
    extra: Extra | None = asked(None, "A further die of penetration", "DL-60.9", group="attacker")
    weapon: str = asked("", "Close combat weapon profile", "DL-63.2", group="attacker", profile="weapon")
    two_weapons: bool = asked(False, "A second close combat weapon", "DL-38.1", group="attacker")
    rules: _inputs.Names = asked((), "Special rules of their weapon", "DL-63.2", group="attacker", known=WEAPON_RULES)
    model_rules: _inputs.Names = asked(
        (), "Special rules of the models", "DL-75.5", group="attacker", known=MODEL_RULES
    )
    grenade: vehicle_assault.Grenade | None = asked(None, "Grenades they have", "DL-63.6", group="attacker")
    throwing: int | None = asked(
        None, "Models that use them", "DL-63.5", about="none: it is chosen", group="attacker", ge=0, le=200
    )
    others: tuple[OtherAttackers, ...] = asked(
        (), "Models of the unit that differ", "DL-25.1", group="attacker", short="model"
    )


@clause("DL-63.1", "DL-63.2", "DL-63.5", "DL-76.2")
def begin_assault_vehicle(inputs: AssaultVehicleInputs, rulings: Rulings) -> vehicle_assault.VehicleAssault:
    """Return the attackers and the vehicle's sheet."""
    others = [_attackers(other.name, other, inputs) for other in inputs.others]
    named = _attackers(inputs.attackers or "attackers", inputs, inputs)
    if inputs.extra is not None:
        named = replace(named, extra=inputs.extra)
    speed = speed_for_firers(inputs.speed, inputs.immobilised)
    return vehicle_assault.VehicleAssault(
        (*others, named), inputs.av, speed, VehicleAttack(_inputs.sheet_of(inputs, rulings), (), rulings)
    )


def _attackers(
    name: str, models: AssaultVehicleInputs | OtherAttackers, unit: AssaultVehicleInputs
) -> vehicle_assault.Attackers:
    """Return attackers that are alike; the whole unit charges or not."""
    group = Group(
        name,
        models.models,
        1,
        ws=models.ws,
        strength=min(models.strength, 10),
        attacks=models.attacks,
        rules=(
            *_inputs.known_rules(models.model_rules, MODEL_RULES),
            *((TANK_HUNTERS,) if models.tank_hunters else ()),
        ),
        type="monstrous_creature" if unit.monstrous else "infantry",
    )
    return vehicle_assault.attackers_of(
        group,
        models.weapon or "blows",
        _inputs.weapon_rules_named(models.rules),
        strength=models.strength,
        charging=unit.charging,
        two_weapons=models.two_weapons,
        grenade=models.grenade,
        throwing=None if models.throwing is None else min(models.throwing, models.models),
    )


def assault_vehicle_headline(answer: Answer) -> str:
    """Say the hits and what they do."""
    (assault,) = answer.states.weights
    return attack_headline(assault.attack, answer)


def fill_assault_vehicle(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in the profiles of the vehicle and of the unit that assaults it."""
    filled = dict(given)
    if given.get("vehicle"):
        vehicle: VehicleProfile = book.find("vehicle", str(given["vehicle"]))
        filled = _inputs.fill_hull({"av": vehicle_assault.assaulted_armour(vehicle), **given}, book)
    if given.get("attackers"):
        unit: UnitProfile = book.find("unit", str(given["attackers"]))
        *others, named = ({"name": group.name, **_numbers(group, book)} for group in groups_of(unit))
        numbers = {key: value for key, value in named.items() if key != "name"}
        numbers |= {"others": others, "monstrous": unit.type == "monstrous_creature"}
        filled = {**numbers, **filled, "attackers": unit.name}
    return filled


def _numbers(group: Group, book: ProfileBook) -> dict[str, Any]:
    """Return the numbers of a group that strikes at a vehicle, with the first of its weapons."""
    carried = [modes(book, name)[0] for name in group.weapons]
    weapon, second = close_combat_weapons(carried)[0]
    return {
        **{name: getattr(group, name) for name in ("models", "ws", "attacks")},
        "strength": group.strength if weapon.strength is None else weapon.strength,
        "weapon": weapon.name,
        "two_weapons": second,
        "tank_hunters": TANK_HUNTERS in group.rules,
        "rules": list(weapon.rules),
        "model_rules": list(group.rules),
        "grenade": next(iter(vehicle_assault.grenades_among(carried)), None),
    }


def table(inputs: AssaultVehicleInputs, rulings: Rulings) -> Table:
    """Show Table 4, with the lines that are written on."""
    return _inputs.lines_used(
        by_default(vehicle_assault.VEHICLE_ASSAULT, begin_assault_vehicle(inputs, rulings)).attack
    )


def warn_assault_vehicle(inputs: AssaultVehicleInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn of what changes nothing."""
    if inputs.throwing and inputs.grenade is None:
        yield Caution("They have no grenades to use", "DL-63.5")
    if inputs.throwing is not None and inputs.throwing > inputs.models:
        yield Caution(f"Only {inputs.models} models strike, so as many use grenades", "DL-63.5")


def _of(measure: Measure) -> Callable[[vehicle_assault.VehicleAssault], Any]:
    return lambda assault: measure.of(assault.attack)


def _skill(assault: vehicle_assault.VehicleAssault) -> int:
    return max((result.packet.skill or 0 for result in assault.attack.packet_results), default=0)


ASSAULT_VEHICLE = Question(
    "assault_vehicle",
    "What does an assault do to a vehicle?",
    AssaultVehicleInputs,
    begin_assault_vehicle,
    vehicle_assault.VEHICLE_ASSAULT,
    (
        *(replace(measure, of=_of(measure)) for measure in HULL_MEASURES),
        Measure("ws", "WS with all modifiers", _skill),
    ),
    assault_vehicle_headline,
    fill=fill_assault_vehicle,
    table=table,
    warn=warn_assault_vehicle,
    example={"vehicle": "Trukk", "attackers": "Terminators", "speed": "combat"},
    small={"models": 3, "attacks": 4, "av": 10, "speed": "combat", "grenade": "krak"},
    rulings=("reroll_bonus", "vehicle_assault_ap", *HULL_RULINGS),
    lead=HULL_LEAD,
)
