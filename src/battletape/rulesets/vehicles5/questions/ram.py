"""The question ram: a tank drives into a vehicle, with all that may come between."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, get_args

from battletape.cards import Answer, Inputs, Lead, Measure, ProfileBook, Question, Roll, Table, asked, percent
from battletape.rulebook import Caution, capital, clause, granted, raise_if_refused
from battletape.rulesets.vehicles5.profiles.book import label_of, labels, traits_of
from battletape.rulesets.vehicles5.profiles.types import Armour, Stat, VehicleProfile
from battletape.rulesets.vehicles5.questions import _inputs, _pictures, _straight_drives
from battletape.rulesets.vehicles5.questions._inputs import TYPES, Names, yes_no_measure
from battletape.rulesets.vehicles5.questions._straight_drives import Attack, InchesAhead, InTheWay
from battletape.rulesets.vehicles5.rules import movement, ramming, tank_shock, traits
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.table.facings import Facing


class RamInputs(Inputs, frozen=True):
    """A tank that rams, its target, and what stands between them."""

    rammer: str = asked("", "Vehicle profile of the rammer", group="attacker", profile="vehicle")
    rammer_front: Armour = asked(13, "Its front armour", "V5-RAM-4", group="attacker")
    rammer_side: Armour = asked(12, "Its side armour", "V5-RAM-4", group="attacker")
    rammer_rear: Armour = asked(10, "Its rear armour", "V5-RAM-4", group="attacker")
    rammer_types: Names = asked(("tank",), "Its types", "V5-RAM-1", group="attacker", known=TYPES)
    rammer_weapons: int = asked(1, "Its intact weapons", "V5-DMG-3", group="attacker", ge=0, le=12)
    rammer_weapon_names: Names = asked((), "Its intact weapons by name", "V5-DMG-3", group="attacker", profile="weapon")
    rammer_shaken: bool = asked(False, "Its crew is shaken", "V5-DMG-1", group="attacker")
    rammer_stunned: bool = asked(False, "Its crew is stunned", "V5-DMG-2", group="attacker")
    rammer_immobilised: bool = asked(False, "It is immobilised", "V5-DMG-4", group="attacker")
    rammer_struck: Facing = asked("front", "Its side at the impact, by the ruling", "V5-RAM-4", group="attacker")
    distance: InchesAhead = asked(12.0, "Inches driven before the impact", "V5-RAM-5", group="circumstances")
    speed: traits.Band | None = asked(
        None, "Speed declared", "V5-RAM-2", about="top speed if none", group="circumstances"
    )
    on_road: bool = asked(False, "All along a road", "V5-RAM-2", group="circumstances")
    units: tuple[InTheWay, ...] = asked((), "What is in between", "V5-RAM-3", group="circumstances", short="unit")
    target: str = asked("", "Vehicle profile of the target", group="target", profile="vehicle")
    target_front: Armour = asked(12, "Its front armour", group="target")
    target_side: Armour = asked(11, "Its side armour", group="target")
    target_rear: Armour = asked(10, "Its rear armour", group="target")
    target_types: Names = asked((), "Its types", "V5-RAM-5", group="target", known=TYPES)
    target_weapons: int = asked(1, "Its intact weapons", "V5-DMG-3", group="target", ge=0, le=12)
    target_weapon_names: Names = asked((), "Its intact weapons by name", "V5-DMG-3", group="target", profile="weapon")
    target_melee_weapons: Names = asked(
        (), "Close-combat weapons among them", group="target", among=lambda inputs: inputs.target_weapon_names
    )
    target_shaken: bool = asked(False, "Its crew is shaken", "V5-DMG-1", group="target")
    target_stunned: bool = asked(False, "Its crew is stunned", "V5-DMG-2", group="target")
    target_immobilised: bool = asked(False, "It is immobilised", "V5-DMG-4", group="target")
    target_band: traits.Band = asked(
        "combat", "Speed of its last move", "V5-SKIM-7", group="target", form="circumstance", short="Speed"
    )
    target_struck: Facing = asked(
        "side", "Its side that is struck", "V5-RAM-4", group="target", form="facing", short="Side struck"
    )
    target_strength: Stat = asked(6, "Strength of a walker's blows", "V5-WALK-15", group="target")
    dodge: tank_shock.Tries = asked("choose", "Whether a skimmer tries to dodge", "V5-SKIM-8", group="target")
    reaction: ramming.Reaction = asked("choose", "How a walker answers", "V5-WALK-15", group="target")
    glory: tuple[Attack, ...] = asked((), "A walker's weapons for glory", "V5-WALK-15", group="target", short="weapon")


RAMMER = "the rammer"
"""The name of the ramming tank in a sentence."""


@clause("V5-RAM-5", "V5-WALK-15")
def begin_ram(inputs: RamInputs, rulings: Rulings) -> ramming.RamState:
    """Return both vehicles and the units between them; raise Refused if the ram is not allowed."""
    rammer = _inputs.condition_of(_inputs.part_of(inputs, "rammer_"), rulings)
    target = _inputs.condition_of(_inputs.part_of(inputs, "target_"), rulings)
    rammer_traits, target_traits = traits_of(inputs.rammer_types), traits_of(inputs.target_types)
    front, distance, on_road = inputs.rammer_front, inputs.distance, inputs.on_road
    band = inputs.speed or movement.top_band(rammer_traits)
    declared = granted(ramming.declared_distance(rammer_traits, band, on_road, rulings))
    raise_if_refused(ramming.refuse_distance(distance, declared))
    raise_if_refused(movement.refuse_band(inputs.target_band, target_traits))
    fists = Attack(weapon=tank_shock.FISTS.name, strength=inputs.target_strength)
    return ramming.begin_ram(
        _straight_drives.drive_through(
            inputs.units, rammer, front, rammer_traits, declared, on_road, rulings, distance, RAMMER
        ),
        target,
        target_traits,
        (*_impact(inputs, rulings), inputs.target_rear),
        distance,
        inputs.target_struck,
        _straight_drives.glory_weapons(inputs.glory or (fists,), front, rammer, rammer_traits, rulings),
        target,
        dodge=inputs.dodge,
        reaction=inputs.reaction,
    )


def _impact(inputs: RamInputs, rulings: Rulings) -> tuple[int, int]:
    """Return the armour of rammer and target where they meet."""
    rammer_facing, target_facing = ramming.rammer_facing(inputs.rammer_struck, rulings), inputs.target_struck
    return getattr(inputs, f"rammer_{rammer_facing}"), getattr(inputs, f"target_{target_facing}")


def fill_ram(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    filled = _straight_drives.fill_units_on_line(
        _fill_vehicle(_fill_vehicle(given, "rammer", book), "target", book), book
    )
    return _straight_drives.fill_glory(filled, book, filled.get("target_strength", 6))


def _fill_vehicle(given: Mapping[str, Any], which: str, book: ProfileBook) -> dict[str, Any]:
    start = f"{which}_"
    own = {key.removeprefix(start): value for key, value in given.items() if key.startswith(start)}
    filled = _inputs.fill_targeted({**own, "vehicle": given.get(which)}, book, _inputs.TargetInputs)
    if not given.get(which):
        return dict(given)
    vehicle: VehicleProfile = book.find("vehicle", filled["vehicle"])
    if which == "target" and vehicle.strength is not None:
        filled.setdefault("strength", vehicle.strength)
        intact = filled["weapon_names"] if "weapons" not in own else labels(vehicle)
        kept = (fitting.weapon for fitting in vehicle.mounts if label_of(fitting) in intact)
        condition = Condition(_inputs.is_yes(own.get("shaken")), _inputs.is_yes(own.get("stunned")))
        may_use = partial(ramming.is_usable_when_rammed, condition=condition)
        given = {"glory": _straight_drives.attacks_with(kept, book, may_use), **given}
    numbers = {start + key: value for key, value in filled.items() if start + key in RamInputs.__struct_fields__}
    return {**given, **numbers, which: vehicle.name}


def ram_headline(answer: Answer) -> str:
    target = f"The target is destroyed {answer.chance('target_destroyed')}"
    both = f"{target}, the rammer {answer.chance('rammer_destroyed')}"
    further = percent(answer.odds("inches_left").chance(lambda left: left > 0))
    if answer.odds("ram_happens").chance(1) == 1:
        return f"{both}; the rammer drives on {further}."
    return f"{both}; they collide {answer.chance('ram_happens')}, and the rammer drives on {further}."


def _ram_table(inputs: RamInputs, rulings: Rulings) -> Table:
    rammer_av, target_av = _impact(inputs, rulings)

    def row(vehicle: str, av: int, types: Names) -> tuple[str, str, str]:
        return vehicle, str(av), str(ramming.ram_strength(av, "tank" in types, inputs.distance, rulings))

    rows = [row("rammer", rammer_av, inputs.rammer_types), row("target", target_av, inputs.target_types)]
    refused = ramming.refuse_walker_glory(traits_of(inputs.target_types), inputs.target_struck)
    if inputs.reaction != "brace" and refused is None:
        rows.append(row("target, if its death or glory fails", inputs.target_rear, inputs.target_types))
    return Table("The impact", ("vehicle", "armour", "hits with strength"), tuple(rows), "V5-RAM-5")


def warn_ram(inputs: RamInputs, rulings: Rulings) -> list[str | Caution]:
    most = movement.max_inches(traits_of(inputs.rammer_types), inputs.on_road, rulings=rulings)
    used_up = inputs.distance >= most
    return [Caution(f"the rammer has used up its {most:g} inches and cannot drive on", "V5-RAM-7")] if used_up else []


def _left(ram: ramming.RamState) -> float:
    return tank_shock.inches_rammer_drives_on(ram.drive.declared, ram.drive.moved, ram.drives_on)


def _ends(name: str, title: str, outcome: str, low_for: str = "attacker") -> Measure:
    return yes_no_measure(name, title, lambda ram: ram.outcome == outcome, low_for)


def _ram_result(roll: Roll) -> str:
    if not roll.results["ram_happens"]:
        return f"{capital(roll.results['outcome'])}: they do not collide."
    target, rammer = (_inputs.result_words(roll.results[f"{which}_worst"]) for which in ("target", "rammer"))
    return f"They collide: target {target}, rammer {rammer}."


RAM = Question(
    "ram",
    "What happens when a tank rams a vehicle?",
    RamInputs,
    begin_ram,
    ramming.RAM,
    (
        *_straight_drives.damage_of("target", lambda ram: _inputs.BeforeAfter(ram.start, ram.target)),
        *_straight_drives.damage_of("rammer", lambda ram: _inputs.BeforeAfter(ram.drive.start, ram.rammer), own=True),
        Measure(
            "outcome",
            "How it goes",
            lambda ram: ram.outcome.replace("_", " "),
            values=tuple(way.replace("_", " ") for way in get_args(ramming.Outcome) if way),
        ),
        _ends("ram_happens", "They collide", "collided", "defender"),
        yes_no_measure("ram_reached", "The rammer gets to its target", lambda ram: ram.outcome != "stopped_before"),
        _ends("stopped_before", "It is stopped before", "stopped_before"),
        _ends("dodged", "The target dodges", "dodged"),
        _ends("rammer_stopped", "Death or glory of the target stops it", "stopped_by_glory"),
        yes_no_measure("rammer_continues", "The way is free, if inches are left", lambda ram: ram.drives_on),
        Measure("inches_left", "Inches it drives on", _left, "inches"),
        Measure("declared", "Inches declared", lambda ram: ram.drive.declared, "inches"),
    ),
    ram_headline,
    fill=fill_ram,
    table=_ram_table,
    warn=warn_ram,
    outlines=_pictures.RAMMED,
    rulings=(
        *("ram_strength_cap", "rammer_facing", "ram_on_while_stunned", "dodge_requires_mobile", "stunned_may_pivot"),
        *_straight_drives.RULINGS,
    ),
    result=_ram_result,
    example={"rammer": "Heron carrier", "target": "Longwatch destroyer", "distance": 12},
    small={"rammer_front": 14, "target_side": 10, "distance": 9},
    lead=(
        Lead(
            "target_destroyed",
            lambda answer: f"the target is destroyed, the rammer {answer.chance('rammer_destroyed')}",
        ),
        Lead("rammer_destroyed", "the rammer is destroyed"),
        Lead("ram_happens", "they collide"),
    ),
)
