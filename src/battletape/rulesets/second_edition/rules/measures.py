"""What people care about after shots, bursts, markers and templates: alike for a question and in a battle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from battletape.cards import Measure
from battletape.rulebook import replace
from battletape.rulesets.second_edition.rules.blasts import ENEMY_ROLES, OWN_ROLES, count_hit
from battletape.rulesets.second_edition.rules.clouds import Event, MarkerTest
from battletape.rulesets.second_edition.rules.grenades import grenades_left
from battletape.rulesets.second_edition.rules.keywords import sets_on_fire
from battletape.rulesets.second_edition.rules.scatter import FATES
from battletape.rulesets.second_edition.rules.squads import hits_on_vehicles, set_on_fire

EVENTS = ("none", *filter(None, get_args(Event)))
"""What the test of a marker can bring."""


def happens(name: str, title: str, test: Callable[[Any], bool], **more: Any) -> Measure:
    """Return a measure that is 1 or 0, so that chances and means both read well."""
    return Measure(name, title, lambda state: int(test(state)), **more)


def not_shown(_: Any) -> bool:
    """Return False: the measure is shown only if it is asked for."""
    return False


def always_shown(measure: Measure) -> Measure:
    """Return a copy of a measure that is shown without being asked for."""
    return replace(measure, usual=None)


# --- shots -----------------------------------------------------------------------------------------------------------


CASUALTIES = Measure("casualties", "Models fallen", lambda volley: volley.fallen, "models")
WOUNDS_LOST = Measure("wounds_lost", "Wounds lost", lambda volley: volley.lost, "wounds")
SHOT_MEASURES = (
    CASUALTIES,
    WOUNDS_LOST,
    Measure("hits", "Shots that hit", lambda volley: volley.hits, "hits"),
    Measure(
        "on_fire",
        "Models set on fire",
        lambda volley: set_on_fire(volley.models_left),
        "models",
        usual=lambda volley: volley.setup.prepared_hit.flame is not None,
    ),
    Measure(
        "vehicle_hits",
        "Hits for armour penetration",
        lambda volley: hits_on_vehicles(volley.models_left) - volley.vehicle_hits_before,
        "hits",
        usual=lambda volley: volley.setup.model.is_vehicle,
    ),
)


BURST_MEASURES = (
    Measure("casualties", "Models fallen", lambda burst: burst.results.fallen, "models"),
    Measure("wounds_lost", "Wounds lost", lambda burst: burst.results.lost, "wounds"),
    Measure("hits", "Hits of the burst", lambda burst: burst.hits, "hits"),
    Measure("jams", "Jams", lambda burst: burst.jams, "jams"),
)

# --- markers and templates -------------------------------------------------------------------------------------------


def has_friends(start: Any) -> bool:
    """Return whether any model on the shooter's side could be hit."""
    return any(figure.side != "enemy" for figure in start.figures)


def may_burn(start: Any) -> bool:
    """Return whether a marker or template may set a model on fire."""
    hit = start.hit if hasattr(start, "hit") else start.shot.hit
    return sets_on_fire(hit, *(figure.model for figure in start.figures))


HITS = Measure("hits", "Models hit", lambda state: len(state.results.records), "models")
KILLED = Measure(
    "killed", "Models killed", lambda state: sum(record.dead for record in state.results.records), "models"
)
BREAKDOWN_MEASURES = (
    Measure(
        "enemies_hit", "Enemies hit", lambda state: count_hit(state.results, *ENEMY_ROLES), "models", usual=has_friends
    ),
    Measure(
        "enemies_killed",
        "Enemies killed",
        lambda state: count_hit(state.results, *ENEMY_ROLES, dead=True),
        "models",
        usual=has_friends,
    ),
    Measure(
        "friends_hit",
        "Friends hit, the shooter included",
        lambda state: count_hit(state.results, *OWN_ROLES),
        "models",
        usual=has_friends,
    ),
    Measure(
        "friends_killed",
        "Friends killed, the shooter included",
        lambda state: count_hit(state.results, *OWN_ROLES, dead=True),
        "models",
        usual=has_friends,
    ),
    Measure(
        "on_fire",
        "Models set on fire",
        lambda state: sum(record.burning for record in state.results.records),
        "models",
        usual=may_burn,
    ),
    Measure(
        "wounds_lost",
        "Wounds lost",
        lambda state: sum(record.lost for record in state.results.records),
        "wounds",
        usual=not_shown,
    ),
    Measure(
        "vehicle_hits",
        "Hits on vehicles, for armour penetration",
        lambda state: sum(record.vehicle for record in state.results.records),
        "hits",
        usual=lambda start: any(figure.model.is_vehicle for figure in start.figures),
    ),
)
FATE = Measure(
    "fate",
    "What becomes of the marker",
    lambda state: state.fate,
    words=lambda fate: FATES.get(fate, fate),
    values=tuple(FATES),
)
GRENADES_LEFT = Measure(
    "grenades_left",
    "Grenades of the kind left",
    lambda thrown: grenades_left(thrown.shot.carried, thrown.fate),
    "grenades",
    usual=lambda thrown: thrown.shot.carried > 1,
)
HARM_MEASURES = (
    HITS,
    KILLED,
    *(always_shown(measure) for measure in BREAKDOWN_MEASURES if measure.name == "wounds_lost"),
)
AREA_MEASURES = (HITS, KILLED, *map(always_shown, BREAKDOWN_MEASURES))


def _radius(test: MarkerTest) -> float:
    return test.marker.radius if test.marker.status != "gone" else 0.0


TEST_MEASURES = (
    Measure("event", "What the test brings", lambda test: test.event or "none", values=EVENTS),
    Measure("radius", "Radius of the marker (0: gone)", _radius, "inches"),
)
