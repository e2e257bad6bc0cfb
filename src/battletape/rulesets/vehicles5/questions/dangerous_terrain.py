"""The question dangerous_terrain: what a move into or through bad ground costs, and where it ends."""

from __future__ import annotations

from itertools import chain, repeat
from typing import get_args

from battletape.cards import Answer, Inputs, Lead, Measure, Question, asked, fill_from, percent
from battletape.rulebook import Caution, granted, inches, raise_if_refused
from battletape.rulesets.vehicles5.profiles.book import find_named, traits_of
from battletape.rulesets.vehicles5.profiles.types import Distance, Inches
from battletape.rulesets.vehicles5.questions import _inputs
from battletape.rulesets.vehicles5.questions._inputs import TYPES, Names
from battletape.rulesets.vehicles5.rules import movement, terrain, traits
from battletape.rulesets.vehicles5.rulings import Rulings


class DangerousTerrainInputs(Inputs, frozen=True):
    """A move and the ground on its way; several vehicles may make the same move."""

    vehicle: _inputs.VehicleName = ""
    types: Names = asked((), "Types", "V5-TERR-1", group="target", known=TYPES)
    vehicles: int = asked(1, "Vehicles that make this move", "V5-TERR-2", group="target", ge=1, le=60)
    grounds: tuple[str, ...] = asked(
        ("difficult",),
        "Areas on its way",
        "V5-TERR-2",
        about=", in order",
        group="circumstances",
        form="ordered",
        known=terrain.TERRAIN_EFFECTS,
    )
    relation: _inputs.OnGround = asked("through", "What the move has to do with them", group="circumstances")
    distance: Distance = asked(6.0, "Inches it means to drive", "V5-MOVE-2", group="circumstances")
    enters_at: Distance = asked(0.0, "Inches before the first area begins", "V5-TERR-3", group="circumstances")
    further_at: tuple[Inches, ...] = asked(
        (), "Whole inches before each further area, if later", "V5-TERR-3", group="circumstances"
    )
    on_road: _inputs.OnRoad = False


def begin_dangerous_terrain(inputs: DangerousTerrainInputs, rulings: Rulings) -> terrain.Crossing:
    traits = traits_of(inputs.types)
    kinds: tuple[terrain.Terrain, ...] = get_args(terrain.Terrain)
    grounds = [find_named("terrain", ground, kinds) for ground in inputs.grounds]
    granted(movement.band_of_distance(inputs.distance, traits, inputs.on_road, rulings))
    raise_if_refused(terrain.refuse_ground(traits, grounds) or terrain.refuse_relation(traits, inputs.relation))
    first = inputs.enters_at if inputs.relation in ("into", "through") else 0.0
    begins = chain((first,), inputs.further_at, repeat(first))
    areas = [(ground, inputs.relation, edge) for ground, edge in zip(grounds, begins, strict=False)]
    return terrain.crossing_of_areas(
        traits, inputs.distance, areas, rulings, on_road=inputs.on_road, other_vehicles=inputs.vehicles - 1
    )


def dangerous_terrain_headline(answer: Answer) -> str:
    start: terrain.Crossing = answer.start
    odds = answer.odds("failed")
    far = f"; {inches(round(float(answer.odds('moved').mean), 1))} on average" if start.slowed else ""
    if odds.chance(0) == 1:
        return f"No test is needed{far}."
    if start.other_vehicles:
        all_of_them = f"All {start.other_vehicles + 1} get through {percent(odds.chance(0))}"
        return f"{all_of_them}; {float(odds.mean):.1f} fail on average."
    word = "Wrecked" if answer.odds("wrecked").chance(1) else "Immobilised"
    return f"{word} {percent(odds.chance(1))}, unharmed {percent(odds.chance(0))}{far}."


def warn_dangerous_terrain(inputs: DangerousTerrainInputs, rulings: Rulings) -> list[str | Caution]:
    if not inputs.distance:
        return [Caution("turning on the spot is not a move and needs no test", "V5-TERR-2")]
    if inputs.enters_at > inputs.distance and inputs.relation in ("into", "through"):
        return [f"the ground begins after {inches(inputs.enters_at)}, further than it means to drive"]
    return []


DANGEROUS_TERRAIN = Question(
    "dangerous_terrain",
    "Does a vehicle get through bad ground?",
    DangerousTerrainInputs,
    begin_dangerous_terrain,
    terrain.CROSSING,
    (
        Measure("failed", "Vehicles that fail", lambda crossing: crossing.failed, "vehicles"),
        Measure("immobilised", "Immobilised", lambda crossing: crossing.failed - crossing.wrecked, "vehicles"),
        Measure("wrecked", "Wrecked", lambda crossing: crossing.wrecked, "vehicles"),
        Measure("unharmed", "Unharmed", lambda crossing: crossing.other_vehicles + 1 - crossing.failed, "vehicles"),
        Measure("tests", "Tests of each vehicle", lambda crossing: len(crossing.edges), "tests"),
        Measure("moved", "Inches the first one drives", lambda crossing: crossing.end.moved, "inches"),
        Measure(
            "band_after", "Speed of the first one", lambda crossing: crossing.end.band, values=get_args(traits.Band)
        ),
    ),
    dangerous_terrain_headline,
    fill=lambda given, book: fill_from(given, "vehicle", book, "types"),
    warn=warn_dangerous_terrain,
    rulings=("road_bonus", "road_band", "terrain_tests", "skimmer_dangerous_test", "crash_on", "repeat_damage"),
    example={
        "vehicle": "Anvil battle tank",
        "grounds": ["difficult"],
        "relation": "through",
        "distance": 10,
        "enters_at": 5,
    },
    small={"grounds": ["difficult"], "relation": "through", "distance": 10, "enters_at": 5},
    lead=(
        Lead(
            "failed",
            lambda answer: "wrecked" if answer.odds("wrecked").at_least(1) else "immobilised",
            holds=lambda failed: failed >= 1,
            when=lambda answer: not answer.start.other_vehicles,
        ),
        Lead("failed", lambda answer: f"of {answer.start.other_vehicles + 1} fail on average"),
        Lead("unharmed", lambda answer: "gets through" if not answer.start.other_vehicles else "get through"),
    ),
)
