"""What the questions `cloud` and `plasma` share: a marker that stays, and what it does turn by turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from battletape.cards import Lead, Line, Measure, ProfileBook, Table, asked, percent
from battletape.rulebook import BadInput, Forget, capital, clause, inches, plural, replace
from battletape.rulesets.second_edition import words
from battletape.rulesets.second_edition.questions import _board, _pictures
from battletape.rulesets.second_edition.questions._inputs import WeaponInputs, hit_of_inputs, warnings
from battletape.rulesets.second_edition.rules import measures
from battletape.rulesets.second_edition.rules.blasts import HitResults, covered_text
from battletape.rulesets.second_edition.rules.clouds import MarkerKind, MarkerTest, life_time, remaining_marker
from battletape.rulesets.second_edition.rulings import Rulings
from battletape.table.points import Point, step

if TYPE_CHECKING:
    from battletape.answer import Answer, Roll

RULINGS = ("shrunk_away", "marker_harm", "random_direction", "beyond_chart", "save_order", "save_of_one")


class MarkerInputs(WeaponInputs, frozen=True):
    """A marker that stays in play, with its middle at 0, 0, and the models near it."""

    radius: float = asked(2.0, "Radius of the marker", "SE-66", group="weapon", unit="inches", ge=0.5, le=12)
    tests: int = asked(3, "Players' turns to look ahead", "SE-67", group="circumstances", ge=1, le=12)
    away: float | None = asked(
        None,
        "A model so far from its middle",
        "SE-74",
        about="(none: nobody)",
        group="target",
        unit="inches",
        ge=0,
        le=60,
    )
    base: float = asked(25.0, "Its base", "SE-10", group="target", unit="mm", ge=0, le=300)
    base_radius: float | None = asked(
        None, "The radius of its base, where it is known in inches", "SE-10", group="target", unit="inches", ge=0, le=12
    )
    models: tuple[_board.ModelAt, ...] = asked(
        (), "Or several models around it", "SE-80", group="target", short="model"
    )
    enters: bool = asked(False, "They move under it before its test", "SE-80", group="circumstances")


@clause("SE-66", "SE-75", "SE-8")
def begin_lingering(kind: MarkerKind, inputs: MarkerInputs, rulings: Rulings) -> MarkerTest:
    """Return the marker in play, and all models near it."""
    if inputs.radius * 2 != int(inputs.radius * 2):
        raise BadInput.of("radius", f"must be a multiple of half an inch; got {inputs.radius:g}.", clause="SE-70")
    models = inputs.models
    if not models and inputs.away is not None:
        spot = step(Point(0.0, 0.0), 0, inputs.away)
        models = (_board.ModelAt(name="model", x=spot.x, y=spot.y, base=inputs.base, radius=inputs.base_radius),)
    figures = _board.figures_of(inputs, with_shooter=False, models=models)
    marker = remaining_marker(kind, inputs.radius, hit_of_inputs(inputs, area=True))
    assert marker is not None
    return MarkerTest(
        marker, figures, enters=inputs.enters, tests_ahead=inputs.tests, name=NAMES[kind], rulings=rulings
    )


def fill_marker(
    kind: MarkerKind, given: Mapping[str, Any], profiles: ProfileBook, inputs: type[MarkerInputs]
) -> dict[str, Any]:
    """Fill in the numbers of named profiles; the marker begins as large as the blast."""
    if given.get("weapon"):
        weapon = profiles.find("weapon", str(given["weapon"]))
        if weapon.remains != kind:
            wanted = "a cloud" if kind == "cloud" else "a plasma ball"
            raise BadInput.of(
                "weapon", f"must be one that leaves {wanted} behind; got {weapon.name!r}.", clause="SE-66"
            )
        given = {"radius": weapon.blast, **given}
    return _board.fill_with(given, profiles, inputs, lambda weapon: "")


NAMES: dict[MarkerKind, str] = {"cloud": "the cloud", "plasma": "the plasma ball"}
SWOLLEN_WORDS = "has swollen"
STATUS_WORDS = {"active": "in play", "expiring": "removed at the end of the turn", "gone": "gone"}


def _status_words(test: MarkerTest) -> str:
    marker = test.marker
    return SWOLLEN_WORDS if marker.grown else STATUS_WORDS[marker.status]


def _active_radius(test: MarkerTest) -> float:
    return test.marker.radius if test.marker.status == "active" else 0.0


def has_models(start: MarkerTest) -> bool:
    """Return whether any model stands near."""
    return bool(start.figures)


RADIUS = Measure("radius", "Radius of the marker in play (0: none)", _active_radius, "inches")
STANDING = Measure("standing", "How it stands", _status_words, values=(SWOLLEN_WORDS, *STATUS_WORDS.values()))
TESTS = Measure("tests_made", "Tests made", lambda test: test.tests, "tests", usual=measures.not_shown)
SIZE = Measure(
    "size",
    "Radius, even of one about to be removed",
    lambda test: test.marker.radius,
    "inches",
    usual=measures.not_shown,
)
COVERED = Measure(
    "covered",
    "Who lies under it after its first test",
    lambda test: covered_text(test.named_covered),
    usual=measures.not_shown,
)
EVENT = Measure(
    "event",
    "What its last test brought",
    lambda test: test.event or "none",
    values=measures.EVENTS,
    usual=measures.not_shown,
)


def hits(title: str) -> tuple[Measure, Measure]:
    """Return the measures of models hit and killed."""
    return (
        Measure("hits", f"Hits {title}", lambda test: test.hits, "hits", usual=has_models),
        Measure("killed", f"Models killed {title}", lambda test: test.killed, "models", usual=has_models),
    )


def stops(start: MarkerTest) -> Iterable[Line]:
    """Return the saves of the models near, if the marker does harm."""
    hit = start.marker.hit
    return words.save_lines(hit, start.figures, start.rulings) if hit.strength is not None else ()


@clause("SE-73", "SE-79")
def table(kind: MarkerKind, inputs: MarkerInputs, rulings: Rulings) -> Table:
    """Return how long it lasts, and how it ends."""
    ends = life_time(begin_lingering(kind, inputs, rulings).marker, rulings)
    rows = [("tests on average", str(ends.tests)), *((end, str(chance)) for end, chance in ends.chances.items())]
    return Table("How long it lasts", ("what", "is"), tuple(rows), "SE-73" if kind == "cloud" else "SE-79")


def lingering_headline(answer: Answer, name: str, hit: str) -> str:
    """Say how likely the marker is still in play, and how many models it hits."""
    start: MarkerTest = answer.start
    odds = answer.odds("radius")
    there = odds.chance(lambda radius: radius > 0)
    same = odds.chance(start.marker.radius)
    when = f"After {plural(start.tests_ahead, 'test')}"
    text = f"{when} {name} is in play {percent(there)} of the time"
    if same:
        text += f", as large as now {percent(same)}"
    if start.figures:
        text += f"; {float(answer.odds('hits').mean):.2f} hits on average {hit}"
    return f"{capital(text)}."


def result(roll: Roll) -> str:
    """Say what became of the marker, and how many models it hit."""
    results = roll.results
    size = f", radius {inches(results['size'])}" if results["standing"] == "in play" else ""
    hits_text = f"; {plural(results['hits'], 'hit')}, {results['killed']} killed" if results["hits"] else ""
    return f"{capital(results['standing'])} after {plural(results['tests_made'], 'test')}{size}{hits_text}."


@lru_cache(8)
def _forgets(events: bool, moves: bool, covered: bool) -> Forget:
    def forget(test: MarkerTest) -> MarkerTest:
        marker = test.marker if moves else replace(test.marker, moves=0, inches=0.0)
        results = HitResults() if not test.under else test.results
        return replace(
            test,
            marker=marker,
            event=test.event if events else "",
            results=results,
            named_covered=test.named_covered if covered else (),
        )

    return ((MarkerTest, forget),)


def lens(asked: frozenset[str]) -> Forget:
    """Forget what happened at earlier tests unless a measure asks for it."""
    return _forgets("event" in asked, bool({"moves", "inches"} & asked), "covered" in asked)


def shared_parts(kind: MarkerKind, inputs: type[MarkerInputs]) -> dict[str, Any]:
    """Return what both questions hand to the engine alike."""
    return {
        "fill": lambda given, profiles: fill_marker(kind, given, profiles, inputs),
        "table": lambda given, rulings: table(kind, given, rulings),
        "warn": warnings,
        "stops": stops,
        "lead": (
            Lead(
                "radius",
                lambda answer: f"still in play after {plural(answer.start.tests_ahead, 'test')}",
                holds=lambda radius: radius > 0,
            ),
        ),
        "lens": lens,
        "picture": _pictures.lingering_picture,
        "rulings": RULINGS,
        "result": result,
    }
