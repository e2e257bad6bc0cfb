"""The question ordnance: one blast at a vehicle, with the places of marker and hull."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from battletape.cards import Answer, Measure, ProfileBook, Question, Roll, Table, asked, fill_from
from battletape.rulebook import BadInput, capital, clause, replace
from battletape.rulesets.vehicles5.profiles.types import Offset, Size, WeaponProfile
from battletape.rulesets.vehicles5.questions import _inputs
from battletape.rulesets.vehicles5.rules import blasts, firing, keywords, shooting
from battletape.rulesets.vehicles5.rules.traits import PenDice
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.table.bases import Base
from battletape.table.facings import Facing, armour_at, facing_border
from battletape.table.hulls import Hull, on_table
from battletape.table.markers import HullBlast
from battletape.table.picture import Arrow, Face, Machine, Marker, Picture, Ring, came_down
from battletape.table.points import Point, step, towards


class Ordnance(_inputs.Target, frozen=True):
    """A blast weapon aimed at a vehicle; the hull stands with its middle at 0, 0."""

    weapon: _inputs.WeaponName = ""
    bs: int = asked(3, "BS", "V5-CORE-3", group="attacker", short="BS", ge=0, le=10)
    strength: _inputs.Strength = 8
    ap: _inputs.WeaponAp = 3
    dice: PenDice = asked("higher_of_two", "Penetration dice", "V5-PEN-2", group="attacker")
    blast: Literal["small", "large"] = asked("large", "Marker", "V5-CORE-3", group="attacker")
    rules: _inputs.SpecialRules = ()
    barrage: bool = asked(False, "Fired as a barrage", "V5-ORD-4", group="circumstances")
    line_of_sight: bool = asked(True, "The firer sees the target", "V5-CORE-3", group="circumstances")
    firer_bearing: float = asked(
        0.0,
        "Bearing of the firer off the target's heading, in degrees",
        "V5-SHOT-4",
        group="circumstances",
        ge=-360,
        le=360,
    )
    length: Size = asked(4.0, "Length of the hull", "V5-SHOT-7", group="target")
    width: Size = asked(3.0, "Width of the hull", "V5-SHOT-7", group="target")
    aim_ahead: Offset = asked(0.0, "Aim ahead of the hull's middle", "V5-SHOT-7", group="circumstances")
    aim_right: Offset = asked(0.0, "Aim to its right", "V5-SHOT-7", group="circumstances")
    cover: _inputs.Cover = None


def _begin_ordnance(inputs: Ordnance, rules: Rulings) -> blasts.Shelling:
    condition = _inputs.checked_condition(inputs, rules)
    hull = Hull(Point(0.0, 0.0), 0.0, inputs.length, inputs.width)
    name = inputs.weapon or "blast"
    shell = blasts.Shell(
        shooting.Aim(name, strength=inputs.strength, ap=inputs.ap, dice=inputs.dice),
        on_table(hull, inputs.aim_ahead, inputs.aim_right),
        inputs.rules,
        blasts.MARKERS[inputs.blast],
        inputs.bs,
        inputs.line_of_sight,
        inputs.barrage,
    )
    _inputs.raise_if_refused(blasts.refuse_shell(shell, hull))
    seen = shooting.facing_at(inputs.firer_bearing, rules, hull.length, hull.width)
    mark = _inputs.target_armour_of(inputs, inputs.cover, rules)
    return blasts.Shelling(shell, (blasts.Shelled(condition, condition, hull, mark, seen),), rules=rules)


def _fill_ordnance(given: Mapping[str, Any], profiles: ProfileBook) -> dict[str, Any]:
    filled = _inputs.fill_targeted(given, profiles, _inputs.Target)
    filled = fill_from(filled, "vehicle", profiles, "length", "width")
    if not filled.get("weapon"):
        return filled
    filled = _inputs.fill_gun(filled, profiles, Ordnance)
    weapon: WeaponProfile = profiles.find("weapon", filled["weapon"])
    if weapon.blast is None:
        raise BadInput.of("weapon", f"must be one that fires a blast; got {weapon.name!r}.")
    chosen = _inputs.is_yes(given.get("barrage"))
    if chosen and keywords.BARRAGE not in weapon.rules:
        raise BadInput(f"{firing.refuse_lobbing(weapon.name)}.", field="barrage")
    lobbed = {"barrage": True} if firing.is_lobbed(weapon, chosen) else {}
    return {"dice": "d6", "blast": weapon.blast, **filled, **lobbed}


def _ordnance_headline(answer: Answer) -> str:
    hole = f"the hole stays on the hull {answer.chance('hole_on_hull')}"
    rim = f"only the rim touches it {answer.chance('only_edge_on_hull')}"
    return f"{capital(_inputs.how_bad(answer))}; {hole}, {rim}."


def _warn_ordnance(inputs: Ordnance, rules: Rulings) -> list[str]:
    shelling = _begin_ordnance(inputs, rules)
    shell, (vehicle,) = shelling.shell, shelling.vehicles
    hits = (blasts.hit_by(shell, vehicle.mark, vehicle.seen, lies, rules) for lies in _PLACES.values())
    hole, *rim = (_inputs.harmless(filter(None, [hit])) for hit in hits)
    return hole or (["half strength cannot harm this armour on any side"] if all(rim) else [])


@clause("V5-SHOT-9", "V5-SHOT-7", "V5-SHOT-8")
def _ordnance_table(inputs: Ordnance, rules: Rulings) -> Table:
    seen, rows = shooting.facing_at(inputs.firer_bearing, rules, inputs.length, inputs.width), []
    for where, lies in _PLACES.items():
        at = lies.facing or seen
        side, hard = blasts.blast_hit(inputs.strength, lies.part == "hole", seen, at, inputs.barrage, rules)
        rows.append((where, side, str(armour_at(inputs, side)), str(hard)))
    return Table("The hit", ("hole of the marker", "side", "armour", "strength"), tuple(rows), "V5-SHOT-9")


_PLACES = {
    "on the hull": HullBlast("hole"),
    "off it, at the front": HullBlast("edge", "front"),
    "off it, at the side": HullBlast("edge", "side"),
    "off it, at the rear": HullBlast("edge", "rear"),
}
"""Where the hole of a marker may lie that touches the hull."""


def _lands(name: str, title: str, how: str) -> Measure:
    return _inputs.happens(name, title, lambda vehicle: vehicle.landing == how)


LANDINGS = ("hole", "edge", "clear")
LANDING = (
    Measure("landing", "How the marker lies", lambda vehicle: vehicle.landing, values=LANDINGS),
    _lands("hole_on_hull", "The hole stays on the hull", "hole"),
    _lands("only_edge_on_hull", "Only the rim touches the hull", "edge"),
    _lands("missed", "The marker is clear of the hull", "clear"),
)


def _of_target(measure: Measure) -> Measure:
    """A measure of the damage to the one vehicle there is."""
    return replace(measure, of=lambda shelling: measure.of(shelling.vehicles[0]))


def _landed_picture(roll: Roll) -> Picture:
    """Where the marker came down that was rolled."""
    shelling: blasts.Shelling = roll.state
    shell, hull = shelling.shell, shelling.vehicles[0].hull
    name = roll.inputs.weapon or f"{roll.inputs.blast} blast"
    marker = came_down(shell.aim, roll.bearing, shelling.inches, shell.marker, name)
    target = Machine(hull, roll.inputs.vehicle or "target", about=_inputs.fate_of(roll.results["worst"]))
    return Picture("Where the marker came down", (target, *marker))


def ordnance_picture(inputs: Ordnance, answer: Answer) -> Picture:
    """The hull with its facings, the marker over its aim, and how far it scatters."""
    shelling: blasts.Shelling = answer.start
    hull, shell, rules = shelling.vehicles[0].hull, shelling.shell, shelling.rules
    far = answer.odds("inches")
    parts = (("half within", Fraction(1, 2)), ("9 of 10 within", Fraction(9, 10)), ("never beyond", Fraction(1)))
    reach = {inches: f"{words} {inches}″" for words, part in parts if (inches := far.quantile(part)) > 0}
    usual = far.quantile(Fraction(9, 10))
    firer = step(hull.centre, inputs.firer_bearing, 60.0)
    faces: tuple[Facing, ...] = ("front", "side", "rear")
    return Picture(
        "Where the marker may come down",
        (
            *(Ring(Base(shell.aim, inches), name, whole=inches == usual) for inches, name in reach.items()),
            Machine(
                hull,
                inputs.vehicle or "target",
                faces=tuple(Face(side, str(armour_at(inputs, side))) for side in faces),
                border=facing_border(rules.facing_model, hull.length, hull.width),
                chance=1 - answer.odds("missed").chance(1),
            ),
            Arrow(
                firer,
                towards(shell.aim, firer, shell.marker),
                "firer" if inputs.line_of_sight else "firer, unseen",
                dashed=True,
            ),
            Marker(
                Base(shell.aim, shell.marker),
                inputs.weapon or f"{inputs.blast} blast",
                hole=True,
                drag=("aim_right", "aim_ahead"),
            ),
        ),
        says="chance to be hit",
    )


def _ordnance_result(roll: Roll) -> str:
    lands = {"hole": "the hole on the hull", "edge": "the rim on the hull", "clear": "clear of the hull"}
    return f"{capital(_inputs.fate_of(roll.results['worst']))}: {lands[roll.results['landing']]}."


ORDNANCE = Question(
    "ordnance",
    "What will a blast do to a vehicle, wherever it comes down?",
    Ordnance,
    _begin_ordnance,
    blasts.ORDNANCE,
    (
        *map(_of_target, (*_inputs.DAMAGE, *LANDING)),
        Measure("inches", "Inches scattered", lambda shelling: shelling.inches, "inches"),
    ),
    _ordnance_headline,
    fill=_fill_ordnance,
    table=_ordnance_table,
    warn=_warn_ordnance,
    rulings=("facing_model", "barrage_off_hull", "cover_step", "smoke_cover", *_inputs.DAMAGE_RULINGS),
    result=_ordnance_result,
    example={"weapon": "Battle cannon", "vehicle": "Barrow carrier"},
    small={"weapon": "Battle cannon", "front": 12, "side": 11, "rear": 10, "bs": 3},
    picture=ordnance_picture,
    landed=_landed_picture,
    lead=_inputs.DAMAGE_LEAD,
)
