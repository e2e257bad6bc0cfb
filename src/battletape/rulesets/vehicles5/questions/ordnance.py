"""The question ordnance: one blast at a vehicle, with the places of marker and hull."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from battletape.cards import Answer, Measure, ProfileBook, Question, Roll, Table, asked, fill_from
from battletape.rulebook import BadInput, Caution, capital, clause, raise_if_refused, replace
from battletape.rulesets.vehicles5.profiles.types import Offset, Size, WeaponProfile
from battletape.rulesets.vehicles5.questions import _inputs
from battletape.rulesets.vehicles5.rules import blasts, firing, keywords, shooting
from battletape.rulesets.vehicles5.rules.traits import PenDice
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.table import picture
from battletape.table.bases import Base
from battletape.table.facings import Facing, armour_at, facing_border
from battletape.table.hulls import Hull, on_table
from battletape.table.markers import HullBlast
from battletape.table.points import Point, step, towards


class OrdnanceInputs(_inputs.TargetInputs, frozen=True):
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
        "Bearing of the firer off the target's heading",
        "V5-SHOT-4",
        about=", in degrees",
        group="circumstances",
        ge=-360,
        le=360,
    )
    length: Size = asked(4.0, "Length of the hull", "V5-SHOT-7", group="target")
    width: Size = asked(3.0, "Width of the hull", "V5-SHOT-7", group="target")
    aim_ahead: Offset = asked(0.0, "Aim ahead of the hull's middle", "V5-SHOT-7", group="circumstances")
    aim_right: Offset = asked(0.0, "Aim to its right", "V5-SHOT-7", group="circumstances")
    cover: _inputs.Cover = None


def begin_ordnance(inputs: OrdnanceInputs, rulings: Rulings) -> blasts.BlastState:
    condition = _inputs.checked_condition(inputs, rulings)
    hull = Hull(Point(0.0, 0.0), 0.0, inputs.length, inputs.width)
    name = inputs.weapon or "blast"
    blast = blasts.Blast(
        shooting.ShotDraft(name, strength=inputs.strength, ap=inputs.ap, dice=inputs.dice),
        on_table(hull, inputs.aim_ahead, inputs.aim_right),
        inputs.rules,
        blasts.MARKERS[inputs.blast],
        inputs.bs,
        inputs.line_of_sight,
        inputs.barrage,
    )
    raise_if_refused(blasts.refuse_blast(blast, hull))
    seen_facing = shooting.facing_at(inputs.firer_bearing, rulings, hull.length, hull.width)
    armour = _inputs.target_armour_of(inputs, inputs.cover, rulings)
    return blasts.BlastState(
        blast, (blasts.BlastTarget(condition, condition, hull, armour, seen_facing),), rulings=rulings
    )


def fill_ordnance(given: Mapping[str, Any], profiles: ProfileBook) -> dict[str, Any]:
    filled = _inputs.fill_targeted(given, profiles, _inputs.TargetInputs)
    filled = fill_from(filled, "vehicle", profiles, "length", "width")
    if not filled.get("weapon"):
        return filled
    filled = _inputs.fill_gun(filled, profiles, OrdnanceInputs)
    weapon: WeaponProfile = profiles.find("weapon", filled["weapon"])
    if weapon.blast is None:
        raise BadInput.of("weapon", f"must be one that fires a blast; got {weapon.name!r}.")
    chosen = _inputs.is_yes(given.get("barrage"))
    if chosen and keywords.BARRAGE not in weapon.rules:
        raise BadInput(f"{firing.refuse_direct_weapon(weapon.name)}.", field="barrage")
    lobbed = {"barrage": True} if firing.is_barrage(weapon, chosen) else {}
    return {"dice": "d6", "blast": weapon.blast, **filled, **lobbed}


def ordnance_headline(answer: Answer) -> str:
    hole = f"the hole stays on the hull {answer.chance('hole_on_hull')}"
    rim = f"only the rim touches it {answer.chance('only_edge_on_hull')}"
    return f"{capital(_inputs.damage_chances(answer))}; {hole}, {rim}."


def warn_ordnance(inputs: OrdnanceInputs, rulings: Rulings) -> list[str | Caution]:
    state = begin_ordnance(inputs, rulings)
    blast, (vehicle,) = state.blast, state.vehicles
    hits = (
        blasts.shot_of_blast(blast, vehicle.armour, vehicle.seen_facing, placed, rulings) for placed in _PLACES.values()
    )
    hole, *rim = (_inputs.harmless_warnings(filter(None, [hit])) for hit in hits)
    return hole or (["half strength cannot harm this armour on any side"] if all(rim) else [])


@clause("V5-SHOT-9", "V5-SHOT-7", "V5-SHOT-8")
def _ordnance_table(inputs: OrdnanceInputs, rulings: Rulings) -> Table:
    seen_facing, rows = shooting.facing_at(inputs.firer_bearing, rulings, inputs.length, inputs.width), []
    for where, placed in _PLACES.items():
        at = placed.facing or seen_facing
        side, hard = blasts.blast_hit(inputs.strength, placed.part == "hole", seen_facing, at, inputs.barrage, rulings)
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
    return _inputs.yes_no_measure(name, title, lambda vehicle: vehicle.landing == how)


LANDINGS = ("hole", "edge", "clear")
LANDING = (
    Measure("landing", "How the marker lies", lambda vehicle: vehicle.landing, values=LANDINGS),
    _lands("hole_on_hull", "The hole stays on the hull", "hole"),
    _lands("only_edge_on_hull", "Only the rim touches the hull", "edge"),
    _lands("missed", "The marker is clear of the hull", "clear"),
)


def _of_target(measure: Measure) -> Measure:
    """Return a measure of damage that reads the only vehicle there is."""
    return replace(measure, of=lambda state: measure.of(state.vehicles[0]))


def _landed_picture(roll: Roll) -> picture.Picture:
    """Draw the marker where the roll put it."""
    state: blasts.BlastState = roll.state
    blast, hull = state.blast, state.vehicles[0].hull
    name = roll.inputs.weapon or f"{roll.inputs.blast} blast"
    marker = picture.came_down(blast.aim, roll.bearing, state.inches, blast.marker, name)
    target = picture.Machine(hull, roll.inputs.vehicle or "target", about=_inputs.result_words(roll.results["worst"]))
    return picture.Picture("Where the marker came down", (target, *marker))


def ordnance_picture(inputs: OrdnanceInputs, answer: Answer) -> picture.Picture:
    """Draw the hull with its facings, the marker over its aim, and how far it scatters."""
    state: blasts.BlastState = answer.start
    hull, blast, rulings = state.vehicles[0].hull, state.blast, state.rulings
    far = answer.odds("inches")
    parts = (("half within", Fraction(1, 2)), ("9 of 10 within", Fraction(9, 10)), ("never beyond", Fraction(1)))
    reach = {inches: f"{words} {inches}″" for words, part in parts if (inches := far.quantile(part)) > 0}
    usual = far.quantile(Fraction(9, 10))
    firer = step(hull.centre, inputs.firer_bearing, 60.0)
    faces: tuple[Facing, ...] = ("front", "side", "rear")
    return picture.Picture(
        "Where the marker may come down",
        (
            *(picture.Ring(Base(blast.aim, inches), name, whole=inches == usual) for inches, name in reach.items()),
            picture.Machine(
                hull,
                inputs.vehicle or "target",
                faces=tuple(picture.Face(side, str(armour_at(inputs, side))) for side in faces),
                border=facing_border(rulings.facing_model, hull.length, hull.width),
                chance=1 - answer.odds("missed").chance(1),
            ),
            picture.Arrow(
                firer,
                towards(blast.aim, firer, blast.marker),
                "firer" if inputs.line_of_sight else "firer, unseen",
                dashed=True,
            ),
            picture.Marker(
                Base(blast.aim, blast.marker),
                inputs.weapon or f"{inputs.blast} blast",
                hole=True,
                drag=("aim_right", "aim_ahead"),
            ),
        ),
        says="chance to be hit",
    )


def _ordnance_result(roll: Roll) -> str:
    lands = {"hole": "the hole on the hull", "edge": "the rim on the hull", "clear": "clear of the hull"}
    return f"{capital(_inputs.result_words(roll.results['worst']))}: {lands[roll.results['landing']]}."


ORDNANCE = Question(
    "ordnance",
    "What will a blast do to a vehicle, wherever it comes down?",
    OrdnanceInputs,
    begin_ordnance,
    blasts.ORDNANCE,
    (
        *map(_of_target, (*_inputs.DAMAGE, *LANDING)),
        Measure("inches", "Inches scattered", lambda state: state.inches, "inches"),
    ),
    ordnance_headline,
    fill=fill_ordnance,
    table=_ordnance_table,
    warn=warn_ordnance,
    rulings=("facing_model", "barrage_off_hull", "cover_step", "smoke_cover", *_inputs.DAMAGE_RULINGS),
    result=_ordnance_result,
    example={"weapon": "Battle cannon", "vehicle": "Barrow carrier"},
    small={"weapon": "Battle cannon", "front": 12, "side": 11, "rear": 10, "bs": 3},
    picture=ordnance_picture,
    landed=_landed_picture,
    lead=_inputs.DAMAGE_LEAD,
)
