"""The question `shoot_vehicle`: what a volley does to a vehicle, from BS to boxes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from battletape.cards import (
    Inputs,
    Lead,
    Measure,
    ProfileBook,
    Question,
    Table,
    asked,
    named_entry,
    split_entries,
)
from battletape.rulebook import BadInput, Caution, Refused, by_default, clause, plural, replace
from battletape.rulesets.diceless40k import words
from battletape.rulesets.diceless40k.profiles import types
from battletape.rulesets.diceless40k.profiles.book import modes
from battletape.rulesets.diceless40k.questions import _inputs, _pictures
from battletape.rulesets.diceless40k.rules import vehicles
from battletape.rulesets.diceless40k.rules.damage_rows import LINES, lines_text
from battletape.rulesets.diceless40k.rules.keywords import WEAPON_RULES
from battletape.rulesets.diceless40k.rules.shooting import shots_at
from battletape.rulesets.diceless40k.rules.weapons import Extra, reach_of
from battletape.rulesets.diceless40k.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer


class HullGun(Inputs, count="weapons", frozen=True):
    """Weapons of one kind that fire at a vehicle."""

    weapon: str = asked("", "Weapon profile", group="attacker", profile="weapon")
    name: str = asked("", "Name of the packet, where it is not to be added to others", "DL-60.5", group="attacker")
    weapons: int = asked(1, "How many fire", "DL-60.4", group="attacker", form="count", ge=1, le=200)
    bs: int = asked(4, "BS", "DL-60.3", group="attacker", short="BS", ge=0, le=20)
    strength: int = asked(8, "Strength", "DL-60.7", group="attacker", short="S", ge=1, le=12)
    ap: types.Ap | None = asked(None, "AP", "DL-60.3", group="attacker", short="AP")
    shots: int = asked(1, "Shots of each at full range", "DL-60.4", group="attacker", short="Shots", ge=1, le=1000)
    type: types.WeaponType = asked("assault", "Type", "DL-60.1", group="attacker")
    range: types.Inches | None = asked(None, "Range", "DL-29.1", group="attacker", unit="inches", short="Range")
    distance: float | None = asked(
        None, "Distance", "DL-29.1", group="attacker", unit="inches", form="circumstance", ge=0, le=240
    )
    zone: vehicles.Zone = asked(
        "orange", "Zone of the angle template", "DL-60.1", group="attacker", form="circumstance", short="Angle"
    )
    degrees: float | None = asked(None, "Or degrees off the perpendicular", "DL-60.1", group="attacker", ge=0, le=90)
    extra: Extra | None = asked(None, "A further die of penetration", "DL-60.9", group="attacker")
    tank_hunters: bool = asked(False, "Tank hunters", "DL-76.2", group="attacker")
    rules: _inputs.Names = asked((), "Special rules of the weapon", "DL-31.5", group="attacker", known=WEAPON_RULES)
    marker: types.Marker = asked("none", "Marker", "DL-60.4", group="attacker")
    hits: int = asked(1, "Hits of a marker or template", "DL-60.4", group="attacker", ge=0, le=20)
    off_hull: bool = asked(False, "The hole lies beside the hull", "DL-60.4", group="attacker")


class ShootVehicleInputs(_inputs.TargetVehicleInputs, frozen=True):
    """A volley at a vehicle."""

    facing: Literal["front", "side", "rear"] = asked(
        "front", "Side of the profile that is hit", "DL-60.5", group="target", form="facing", short="Side hit"
    )
    cover: types.Save | None = asked(
        None, "Cover save", "DL-60.6", group="target", form="circumstance", short="In cover"
    )
    guns: tuple[HullGun, ...] = asked(
        (HullGun(ap=3),), "What is fired", "DL-60.5", about=", in order", group="attacker", short="gun"
    )


@clause("DL-60.1", "DL-60.4", "DL-60.5", "DL-60.9")
def begin_shoot_vehicle(inputs: ShootVehicleInputs, rulings: Rulings) -> vehicles.VehicleAttack:
    """Return the packets of the volley, and the vehicle's sheet."""
    if not inputs.guns:
        raise BadInput("guns must name at least one weapon; got none.", field="guns")
    sheet = _inputs.sheet_of(inputs, rulings)
    speed = vehicles.speed_for_firers(inputs.speed, inputs.immobilised)
    packets = [
        vehicles.packet_on(firing_of(gun, inputs.av, rulings), speed, inputs.cover, rulings) for gun in inputs.guns
    ]
    return vehicles.VehicleAttack(sheet, vehicles.sum_hull_packets(packets), rulings)


@clause("DL-60.1", "DL-60.9", "DL-60.10", "DL-60.12")
def firing_of(gun: HullGun, av: int, rulings: Rulings) -> vehicles.Firing:
    """Return a gun as it is fired at this armour."""
    weapon = types.WeaponProfile(
        name=gun.name or gun.weapon or "gun",
        type=gun.type,
        strength=gun.strength,
        ap=gun.ap,
        range=gun.range or 0,
        shots=gun.shots,
        marker=gun.marker,
        rules=_inputs.weapon_rules_named(gun.rules),
    )
    shots = gun.shots
    if gun.range is not None and gun.distance is not None:
        counted = shots_at(gun.type, gun.shots, reach_of(weapon), gun.distance)
        if isinstance(counted, Refused):
            raise counted
        shots = counted
    zone = gun.zone if gun.degrees is None else vehicles.angle_zone(gun.degrees, rulings)
    firing = vehicles.firing_with(
        weapon,
        gun.bs,
        av,
        gun.weapons,
        shots,
        distance=gun.range or 0 if gun.distance is None else gun.distance,
        zone=zone,
        tank_hunters=gun.tank_hunters,
        hits=gun.hits,
        off_hull=gun.off_hull,
    )
    firing = replace(firing, range=gun.range, distance=gun.distance)
    return firing if gun.extra is None else replace(firing, piercing=replace(firing.piercing, extra=gun.extra))


def shoot_vehicle_headline(answer: Answer) -> str:
    """Say the hits and what they do."""
    (attack,) = answer.states.weights
    return attack_headline(attack, answer)


HULL_LEAD = (
    Lead(
        "penetrating",
        lambda answer: (
            f"penetrating {'hit' if words.value(answer, 'penetrating') == 1 else 'hits'}"
            f", {words.value(answer, 'glancing')} glancing"
        ),
    ),
    Lead("glancing", lambda answer: f"glancing {'hit' if words.value(answer, 'glancing') == 1 else 'hits'}"),
    Lead("dmg", "DMG, but no hit"),
)
"""What the table asks first of a vehicle: its hits, else the damage."""


def attack_headline(attack: vehicles.VehicleAttack, answer: Answer) -> str:
    """Say the hits on a vehicle, and how it stands, for every question that hurts one."""
    if not attack.glancing and not attack.penetrating:
        reached = any(result.line for result in attack.packet_results)
        if not reached:
            return "The armour is too thick: no damage at all."
        held = lines_text(attack.damage.lines)
        return f"No hit; the sheet has {held}." if held else "No damage at all."
    hits = f"{attack.glancing} glancing and {plural(attack.penetrating, 'penetrating hit')}"
    other = words.open_choices(
        answer, penetrating="penetrating hits", glancing="glancing hits", weapons_left="weapons left"
    )
    return f"{hits}: {words.sheet_text(attack.damage)}.{other}"


def fill_shoot_vehicle(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in profiles of the vehicle and of every weapon."""
    filled = _inputs.fill_hull(given, book)
    guns = filled.get("guns")
    if isinstance(guns, str) and guns.strip().lower() not in ("", "-", "none"):
        guns = split_entries(guns)
    if isinstance(guns, (list, tuple)):
        filled["guns"] = [_fill_gun(gun, book) for gun in guns]
    return filled


def _fill_gun(entry: Any, book: ProfileBook) -> Any:
    entry = named_entry(entry, "weapon", "weapons", book.entries["weapon"], "guns")
    if not isinstance(entry, Mapping) or not entry.get("weapon"):
        return entry
    ways = modes(book, str(entry["weapon"]))
    weapon = max(ways, key=lambda way: way.strength or 0)  # against armour the strongest is loaded
    names = ("ap", "shots", "type", "range", "marker", "rules")
    numbers = {name: getattr(weapon, name) for name in names} | {"strength": weapon.strength or 1}
    return {**numbers, **entry, "weapon": weapon.name}


def table(inputs: ShootVehicleInputs, rulings: Rulings) -> Table:
    """Show Table 4, with the lines that are written on."""
    return _inputs.lines_used(by_default(vehicles.VEHICLE_ATTACK, begin_shoot_vehicle(inputs, rulings)))


def warn_shoot_vehicle(inputs: ShootVehicleInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn of what changes nothing."""
    for gun in inputs.guns:
        if gun.type != "heavy" and (gun.degrees is not None or gun.zone != "orange"):
            yield Caution(f"{gun.weapon or 'A gun'} is no heavy weapon, so its angle does not count", "DL-60.1")
        yield from _inputs.warn_range(gun.weapon or "A gun", gun.type, gun.range, rulings)


def held_on(line: str) -> Any:
    """Return a measure of the DMG on a line afterwards."""
    at = LINES.index(line)
    return lambda attack: attack.damage.lines[at]


HULL_MEASURES = (
    Measure("penetrating", "Penetrating hits", lambda attack: attack.penetrating, "hits"),
    Measure("glancing", "Glancing hits", lambda attack: attack.glancing, "hits"),
    Measure("destroyed", "Wrecked or exploded", lambda attack: int(bool(attack.damage.destroyed))),
    Measure("immobilised", "Immobilised", lambda attack: int(attack.damage.immobilised)),
    Measure(
        "weapons_left", "Weapons left", lambda attack: len(attack.damage.weapons_left), "weapons", low_for=("attacker",)
    ),
    Measure(
        "dmg", "DMG before cover", lambda attack: sum(result.packet.dmg for result in attack.packet_results), "DMG"
    ),
    Measure("lost", "DMG that did not fit on the sheet", lambda attack: attack.lost, "DMG"),
    *(Measure(f"line_{line.lower()}", f"DMG on line {line}", held_on(line), "DMG") for line in LINES),
)
HULL_RULINGS = (*_inputs.ROW_RULINGS, "apply_all_hits", "beyond_f", "ordnance_pen")


def _angle(attack: vehicles.VehicleAttack) -> int:
    return sum(modifier.value for modifier in attack.packet_results[0].packet.modifiers if modifier.clause == "DL-60.1")


SHOOT_VEHICLE = Question(
    "shoot_vehicle",
    "What does shooting do to a vehicle?",
    ShootVehicleInputs,
    begin_shoot_vehicle,
    vehicles.VEHICLE_ATTACK,
    (
        *HULL_MEASURES,
        Measure("bs", "BS of the first packet", lambda attack: attack.packet_results[0].packet.skill or 0, "BS"),
        Measure("zone", "Zone of its angle", lambda attack: attack.packet_results[0].packet.zone or "none"),
        Measure("angle", "What the angle adds to it", _angle, "BS"),
        Measure("av_minus_s", "AV-S of the first packet", lambda attack: attack.packet_results[0].av_minus_s, "points"),
        Measure("line", "Line of the first packet", lambda attack: attack.packet_results[0].line or "none"),
    ),
    shoot_vehicle_headline,
    fill=fill_shoot_vehicle,
    table=table,
    warn=warn_shoot_vehicle,
    outlines=_pictures.SHOT_AT,
    example={
        "vehicle": "Trukk",
        "guns": [{"weapon": "Heavy bolter", "weapons": 2}, {"weapon": "Lascannon", "weapons": 3, "distance": 20}],
    },
    small={
        "av": 10,
        "vehicle_weapons": ["big gun", "small gun"],
        "guns": [
            {"weapons": 6, "shots": 2, "strength": 4, "ap": 5},
            {"weapons": 4, "strength": 8, "ap": 3, "type": "heavy", "range": 48, "distance": 11},
        ],
    },
    rulings=(
        "heavy_range_bonus",
        "range_step",
        "reroll_bonus",
        "area_on_vehicles",
        "angle_red",
        "angle_orange",
        *HULL_RULINGS,
    ),
    lead=HULL_LEAD,
)
