"""What people care about in a battle: after shots, bursts, markers, templates and fires."""

from __future__ import annotations

from battletape.rulesets.second_edition.rules.blasts import FOES, OWN, count
from battletape.rulesets.second_edition.rules.bursts import Salvo
from battletape.rulesets.second_edition.rules.clouds import Lingering
from battletape.rulesets.second_edition.rules.grenades import grenades_left
from battletape.rulesets.second_edition.rules.scatter import FATES
from battletape.rulesets.second_edition.rules.shooting import Volley
from battletape.rulesets.second_edition.rules.squads import burning
from battletape.system import Measure


def _struck_vehicles(volley: Volley) -> int:
    return sum(state.vehicle_hits * models for state, models in volley.line)


SHOTS = (
    Measure("casualties", "Models fallen", lambda volley: volley.fallen, "models"),
    Measure("wounds_lost", "Wounds lost", lambda volley: volley.lost, "wounds"),
    Measure("hits", "Shots that hit", lambda volley: volley.hits, "hits"),
)
FLAMES = Measure("on_fire", "Models on fire", lambda volley: burning(volley.line), "models")
HULLS = Measure("vehicle_hits", "Hits for armour penetration", _struck_vehicles, "hits")


def _fallen(salvo: Salvo) -> int:
    return sum(now.is_dead and not was.is_dead for was, now in salvo.struck)


def _lost(salvo: Salvo) -> int:
    return sum(was.wounds - now.wounds for was, now in salvo.struck)


BURSTS = (
    Measure("casualties", "Models fallen", _fallen, "models"),
    Measure("wounds_lost", "Wounds lost", _lost, "wounds"),
    Measure("hits", "Hits of the burst", lambda salvo: salvo.hits, "hits"),
    Measure("jams", "Jams", lambda salvo: salvo.jams, "jams"),
)
HARM = (
    Measure("hits", "Models hit", lambda state: len(state.toll.struck), "models"),
    Measure("killed", "Models killed", lambda state: sum(struck.dead for struck in state.toll.struck), "models"),
    Measure("wounds_lost", "Wounds lost", lambda state: sum(struck.lost for struck in state.toll.struck), "wounds"),
)
AREAS = (
    *HARM,
    Measure("enemies_killed", "Enemies killed", lambda state: count(state.toll, *FOES, dead=True), "models"),
    Measure("friends_hit", "Friends hit, the shooter included", lambda state: count(state.toll, *OWN), "models"),
    Measure("friends_killed", "Friends killed", lambda state: count(state.toll, *OWN, dead=True), "models"),
    Measure(
        "on_fire",
        "Models set on fire",
        lambda state: sum(struck.burning for struck in state.toll.struck),
        "models",
    ),
    Measure(
        "vehicle_hits",
        "Hits on vehicles, for armour penetration",
        lambda state: sum(struck.vehicle for struck in state.toll.struck),
        "hits",
    ),
)
FATE = Measure("fate", "What becomes of the marker", lambda state: state.fate, words=lambda fate: FATES.get(fate, fate))
GRENADES = Measure(
    "grenades_left",
    "Grenades of the kind left",
    lambda thrown: grenades_left(thrown.shell.carried, thrown.fate),
    "grenades",
)


def _radius(lingering: Lingering) -> float:
    return lingering.marker.radius if lingering.marker.standing != "gone" else 0.0


TESTED = (
    Measure("event", "What the test brings", lambda lingering: lingering.event or "none"),
    Measure("radius", "Radius of the marker (0: gone)", _radius, "inches"),
)
