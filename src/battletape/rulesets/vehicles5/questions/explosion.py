"""The question explosion: the models that an exploding vehicle kills, and the passengers of a wreck."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from battletape.cards import Answer, Inputs, Lead, Measure, ProfileBook, Question, Roll, Table, asked, fill_from
from battletape.rulebook import Caution, capital, plural, raise_if_refused
from battletape.rulesets.vehicles5.profiles.types import ArmourSave, Seats, Stat
from battletape.rulesets.vehicles5.questions import _inputs
from battletape.rulesets.vehicles5.questions._inputs import yes_no_measure
from battletape.rulesets.vehicles5.rules import destruction, transports, troops
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.rulesets.vehicles5.tables.printed import NEVER


class Standing(Inputs, count="models", frozen=True):
    """Models that stand near the vehicle, all at the same distance."""

    unit: _inputs.UnitName = ""
    models: int = asked(1, "Models", group="target", ge=1, le=100)
    distance: float = asked(1.0, "Inches from the hull", "V5-DMG-6", group="target", ge=0, le=240)
    toughness: Stat = asked(4, "Toughness", "V5-CORE-7", group="target")
    save: ArmourSave | None = asked(None, "Armour save", group="target")
    wounds: Stat = asked(1, "Wounds of each", group="target")


class ExplosionInputs(Inputs, frozen=True):
    """A vehicle that has just been destroyed, with models around it and inside."""

    vehicle: _inputs.VehicleName = ""
    wrecked: bool = asked(False, "It is a wreck and does not explode", "V5-DMG-5", group="circumstances")
    models: tuple[Standing, ...] = asked((), "Models nearby", "V5-DMG-6", group="target", short="model")
    capacity: Seats | None = asked(None, "Models it can carry, if that matters", "V5-TRAN-1", group="target")
    passenger_unit: str = asked("", "Unit profile of the passengers", group="target", profile="unit")
    passengers: int = asked(0, "Passengers", "V5-DMG-6", group="target", ge=0, le=100)
    passenger_toughness: Stat = asked(4, "Their toughness", "V5-CORE-7", group="target")
    passenger_save: ArmourSave | None = asked(None, "Their armour save", group="target")
    passenger_wounds: Stat = asked(1, "Their wounds", group="target")
    ld: int | None = asked(None, "Their Ld", "V5-CORE-6", group="target", ge=2, le=10)
    open_topped: bool = asked(False, "The vehicle is open-topped", "V5-OPEN-4", group="target")
    room_at_access: int = asked(
        100, "Room at a wreck's doors", about=", in models", group="circumstances", ge=0, le=100
    )
    room_within: int = asked(100, "Room within 2 inches of its hull", group="circumstances", ge=0, le=100)


def begin_explosion(inputs: ExplosionInputs, rulings: Rulings) -> destruction.Explosion:
    if inputs.capacity is not None:
        raise_if_refused(transports.refuse_crowd(inputs.passengers, inputs.capacity))
    groups: dict[tuple[Any, ...], destruction.NearbyModels] = {}
    for model in inputs.models:
        key = (model.unit, model.toughness, model.save, model.wounds, model.distance)
        models = model.models + (groups[key].group.models if key in groups else 0)
        save = model.save or NEVER
        group = troops.ModelGroup(model.unit or "nearby", models, model.toughness, save, model.wounds)
        groups[key] = destruction.NearbyModels(group, (model.distance,) * models)
    passengers = troops.ModelGroup(
        inputs.passenger_unit or destruction.PASSENGERS,
        inputs.passengers,
        inputs.passenger_toughness,
        inputs.passenger_save or NEVER,
        inputs.passenger_wounds,
    )
    return destruction.Explosion(
        tuple(groups.values()),
        passengers if inputs.passengers else None,
        destruction.strength_inside(inputs.open_topped),
        inputs.ld,
        room_at_access=inputs.room_at_access,
        room_within=inputs.room_within,
        wrecked=inputs.wrecked,
        rulings=rulings,
    )


def fill_explosion(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    filled = _inputs.fill_many(
        given, "models", lambda group: _inputs.fill_unit(group, book, Standing), "unit", book.entries["unit"]
    )
    filled = fill_from(filled, "vehicle", book, "capacity", open_topped=lambda vehicle: "open_topped" in vehicle.types)
    if filled.get("passenger_unit"):
        unit_type = book.find("unit", str(filled["passenger_unit"])).type
        raise_if_refused(transports.refuse_load(transports.BoardingUnit(unit_type, 0), 0))
    numbers = {f"passenger_{name}": attrgetter(name) for name in ("toughness", "save", "wounds")}
    return fill_from(filled, "unit", book, "ld", key="passenger_unit", passengers=attrgetter("models"), **numbers)


def _inside(explosion: destruction.Explosion) -> int:
    return explosion.passengers.models if explosion.passengers else 0


def _half_lost(end: destruction.Explosion) -> bool:
    return 0 < _inside(end) <= 2 * end.passengers_lost


def _nearby(start: destruction.Explosion) -> int:
    return sum(group.group.models for group in start.groups)


def explosion_headline(answer: Answer) -> str:
    start: destruction.Explosion = answer.start
    parts = []
    if start.groups and not answer.inputs.wrecked:
        parts.append(f"{answer.average('casualties')} of {_nearby(start)} models nearby fall on average")
    if start.passengers:
        lost = answer.average("passengers_lost")
        parts.append(f"{lost} of {_inside(start)} passengers are lost")
        if start.ld is not None:
            parts.append(f"pinned {answer.chance('pinned')}")
    return capital("; ".join(parts)) + "." if parts else "Nobody is near it or inside."


def _explosion_result(roll: Roll) -> str:
    start: destruction.Explosion = roll.played.stages[0][1]
    results, parts = roll.results, []
    if start.groups and not roll.inputs.wrecked:
        models = sum(group.group.models for group in start.groups)
        fall = "falls" if results["casualties"] == 1 else "fall"
        parts.append(f"{results['casualties']} of {plural(models, 'model')} nearby {fall}")
    if start.passengers:
        pinned = ", the rest pinned" if results["pinned"] else ""
        parts.append(f"{results['passengers_lost']} of {plural(_inside(start), 'passenger')} lost{pinned}")
    return capital("; ".join(parts)) + "." if parts else "Nobody is near it or inside."


def warn_explosion(inputs: ExplosionInputs, rulings: Rulings) -> list[str | Caution]:
    if inputs.wrecked and inputs.models:
        return [Caution("a wreck harms no unit nearby; only an explosion does", "V5-DMG-6")]
    if inputs.wrecked and inputs.passengers:
        _, emergency = destruction.wreck_exit(inputs.passengers, inputs.room_at_access, inputs.room_within, rulings)
        return [Caution("they leave in an emergency and do nothing more this turn", "V5-TRAN-7")] if emergency else []
    return []


def _explosion_table(inputs: ExplosionInputs, rulings: Rulings) -> Table | None:
    if inputs.wrecked:
        return None
    rows = [("each model in reach", "1", str(destruction.NEARBY_STRENGTH))] if inputs.models else []
    if inputs.passengers:
        rows.append(("passengers", str(inputs.passengers), str(destruction.strength_inside(inputs.open_topped))))
    return Table("The hits", ("who", "hits", "strength"), tuple(rows), "V5-DMG-6") if rows else None


EXPLOSION = Question(
    "explosion",
    "Whom does a destroyed vehicle take with it?",
    ExplosionInputs,
    begin_explosion,
    destruction.destruction_procedure,
    (
        Measure("casualties", "Models nearby that fall", lambda end: end.nearby_lost, "models"),
        Measure("radius", "Radius", lambda end: end.radius, "inches"),
        Measure("reached", "Models nearby that are hit", lambda end: end.models_hit, "models"),
        Measure("passengers_lost", "Passengers lost", lambda end: end.passengers_lost, "models"),
        Measure("survivors", "Passengers left", lambda end: _inside(end) - end.passengers_lost, "models"),
        yes_no_measure("no_casualty", "No passenger lost", lambda end: end.passengers_lost == 0),
        yes_no_measure("all_dead", "All passengers lost", lambda end: 0 < _inside(end) == end.passengers_lost),
        yes_no_measure("half_or_more", "Half the passengers or more lost", _half_lost),
        yes_no_measure("pinning_test", "They test for pinning", lambda end: end.passengers_lost < _inside(end)),
        yes_no_measure("pinned", "Passengers pinned", lambda end: end.pinned),
        yes_no_measure("emergency", "They leave a wreck in an emergency", lambda end: end.emergency),
    ),
    explosion_headline,
    fill=fill_explosion,
    table=_explosion_table,
    warn=warn_explosion,
    rulings=("no_room_in_a_wreck",),
    result=_explosion_result,
    example={
        "vehicle": "Barrow carrier",
        "models": [{"unit": "Harbour watch", "models": 3, "distance": 2}],
        "passengers": 8,
        "passenger_unit": "Furnace company",
    },
    small={"models": [{"models": 3, "distance": 2}], "passengers": 10, "passenger_save": 3, "ld": 8},
    lead=(
        Lead("casualties", lambda answer: f"of {_nearby(answer.start)} models nearby fall on average"),
        Lead("passengers_lost", lambda answer: f"of {_inside(answer.start)} passengers are lost on average"),
        Lead("casualties", "models nearby fall"),
    ),
)
