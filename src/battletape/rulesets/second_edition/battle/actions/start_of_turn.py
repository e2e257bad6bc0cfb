"""The start of a turn: `test_marker`, `marker_harm` and `fire_test`, in the order that the active player likes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from battletape import rulebook
from battletape.cards import Action, Inputs, Measure, Plan, asked
from battletape.field import moves
from battletape.field.state import Footprint
from battletape.rulebook import Forget, Procedure, Tape, clause, inches, need, replace
from battletape.rulesets.second_edition.battle import turn
from battletape.rulesets.second_edition.battle.state import Fighter, PlacedMarker, State, after_hits, figure_of
from battletape.rulesets.second_edition.rules import clouds, fire
from battletape.rulesets.second_edition.rules.clouds import MarkerTest, find_covered, hit_covered_models
from battletape.rulesets.second_edition.rules.fire import Burning, may_ignore, run_about
from battletape.rulesets.second_edition.rules.measures import HARM_MEASURES, TEST_MEASURES
from battletape.rulesets.second_edition.rulings import Rulings
from battletape.table.areas import Area
from battletape.table.bases import Base
from battletape.table.distances import overlaps
from battletape.table.points import apart, step

# --- markers ---------------------------------------------------------------------------------------------------------


class MarkerOrder(Inputs, frozen=True):
    """A marker in play."""

    marker: str = ""


class HarmOrder(Inputs, frozen=True):
    """A marker in play, and the models under it where the table cannot tell."""

    marker: str = ""
    under: tuple[str, ...] = asked((), "Models entirely under a marker without a place")
    partly: tuple[str, ...] = asked((), "Models partly under it")


@clause("SE-67", "SE-118")
def plan_test(state: State, order: MarkerOrder) -> Plan:
    """Refuse the test of a marker that is not due now."""
    placed_marker = state.marker(order.marker)
    turn.need_due(state, "marker", placed_marker.name)
    return Plan(begin_test, placed_marker, state.rulings).then(end_test, state, placed_marker)


def begin_test(tape: Tape, placed_marker: PlacedMarker, rulings: Rulings) -> MarkerTest:
    """Take a marker without the models near it; the models it covers are found when every marker has been tested."""
    placed = bool(placed_marker.corners)
    return MarkerTest(placed_marker.marker, placed=placed, rulings=rulings, name=placed_marker.name)


@clause("SE-67", "SE-118", "SE-71")
def end_test(tape: Tape, test: MarkerTest, state: State, placed_marker: PlacedMarker) -> State:
    """Keep the marker as it is after its test; if it hurts models, that is due once all markers have been tested."""
    tested = replace(placed_marker.aged(test.marker), due="")
    harms = turn.is_harmful(tested) and tested.status != "gone"
    harms = harms and (not tested.corners or bool(turn.figures_under(state, tested)))
    return state.with_markers(replace(tested, due="harm") if harms else tested)


def propose_tests(state: State) -> Iterator[MarkerOrder]:
    """Propose the test of every marker."""
    return (MarkerOrder(marker=placed_marker.name) for placed_marker in state.markers)


def _test_lens(asked: frozenset[str]) -> Forget:
    return ((MarkerTest, _placeless),)


def _placeless(test: MarkerTest) -> MarkerTest:
    """Forget where a marker lies that was tested."""
    if not test.event:
        return test
    marker = replace(test.marker, centre=clouds.ORIGIN, moves=0, inches=0.0)
    return replace(test, marker=marker, covered=None)


@clause("SE-80", "SE-118")
def plan_harm(state: State, order: HarmOrder) -> Plan:
    """Refuse harm that is not due now, and models named where the table tells what lies under the marker."""
    placed_marker = state.marker(order.marker)
    turn.need_due(state, "harm", placed_marker.name)
    under, partly = ([state.fighter(name) for name in names] for names in (order.under, order.partly))
    reason = f"the table says which models lie under {placed_marker.name}; name none"
    need(not (placed_marker.corners and (under or partly)), reason, "SE-80", "placed")
    names = [fighter.name for fighter in (*under, *partly)]
    once = "a model lies under a marker entirely or partly; name each once"
    need(len(set(names)) == len(names), once, "SE-80", "twice")
    for fighter in (*under, *partly):
        turn.need_standing(fighter)
    return Plan(begin_harm, state, placed_marker, under, partly).then(end_harm, state, placed_marker)


@clause("SE-80", "SE-39")
def begin_harm(
    tape: Tape, state: State, placed_marker: PlacedMarker, under: Sequence[Fighter], partly: Sequence[Fighter]
) -> MarkerTest:
    """Find the models under a marker: by the table, or as the players see it."""
    if placed_marker.corners:
        figures = turn.figures_under(state, placed_marker)
    else:
        centre, rim = placed_marker.marker.centre, step(placed_marker.marker.centre, 0.0, placed_marker.marker.radius)
        entirely = [figure_of(fighter, Base(centre, 0.0), "enemy") for fighter in under]
        touched = [figure_of(fighter, Base(rim, fighter.radius), "enemy") for fighter in partly]
        figures = (*entirely, *touched)
    return MarkerTest(placed_marker.marker, figures, placed=True, rulings=state.rulings, name=placed_marker.name)


def propose_harm(state: State) -> Iterator[HarmOrder]:
    """Propose the harm of every marker; of one without a place also with models under it."""
    for placed_marker in state.markers:
        yield HarmOrder(marker=placed_marker.name)
        if not placed_marker.corners:
            first, *others = [fighter.name for fighter in state.standing()]
            yield HarmOrder(marker=placed_marker.name, under=(first,), partly=tuple(others[:2]))


@clause("SE-80")
def end_harm(tape: Tape, test: MarkerTest, state: State, placed_marker: PlacedMarker) -> State:
    """Keep what the marker did to the models."""
    return after_hits(state, test.results).with_markers(replace(placed_marker, due=""))


TEST_MARKER = Action(
    "test_marker",
    "Test a marker",
    MarkerOrder,
    plan_test,
    Procedure("marker test", (clouds.test_marker,)),
    options=propose_tests,
    measures=TEST_MEASURES,
    about=lambda state, order: {"unit": order.marker},
    lens=_test_lens,
    clauses=("SE-67", "SE-118"),
    closed=turn.closed_but_in("start"),
)
MARKER_HARM = Action(
    "marker_harm",
    "Work out the harm of a marker",
    HarmOrder,
    plan_harm,
    Procedure("marker harm", (find_covered, hit_covered_models)),
    options=propose_harm,
    measures=HARM_MEASURES,
    about=lambda state, order: {"unit": order.marker},
    clauses=("SE-80", "SE-118"),
    closed=turn.closed_but_in("start"),
)

# --- fires -----------------------------------------------------------------------------------------------------------


class FireOrder(Inputs, frozen=True):
    """A burning model."""

    unit: str = asked("", "Burning model")


class FireTestState(rulebook.State, frozen=True):
    """A burning model in its Fire Test, and where it may run."""

    burning: Burning
    wounds: int  # before its test
    bases: tuple[Base, ...]  # its own; none in a battle without places, and once nothing needs its place any more
    others: tuple[Footprint | Area, ...]
    ran: bool = False


@clause("SE-87", "SE-118")
def plan_fire_test(state: State, order: FireOrder) -> Plan:
    """Refuse the Fire Test of a model that does not burn, or that takes none now."""
    fighter = state.fighter(order.unit)
    need(fighter.is_burning or fighter.done.due, f"{fighter.name} does not burn", "SE-87", "burning")
    turn.need_due(state, "fire", fighter.name, fighter.side)
    return Plan(begin_fire_test, state, fighter).then(end_fire_test, state, fighter)


@clause("SE-87", "SE-89")
def begin_fire_test(tape: Tape, state: State, fighter: Fighter) -> FireTestState:
    """Take a burning model before its die, with the models that it might run into."""
    assert fighter.condition.on_fire is not None
    model = replace(fighter.model, name=fighter.name)
    burning = Burning(model, fighter.condition.on_fire, fighter.condition, move=fighter.move, rulings=state.rulings)
    bases, others = state.field.position(fighter.name).bases, _in_the_way(state, fighter)
    return FireTestState(burning, fighter.condition.wounds, bases, others)


def _in_the_way(state: State, fighter: Fighter) -> tuple[Footprint | Area, ...]:
    """Return what a model might run into: other models, impassable terrain, the ground beyond the edges."""
    around = [Base(base.centre, base.radius + fighter.move) for base in state.field.position(fighter.name).bases]
    solid = moves.solid_shapes(state.field, fighter.name) if around else ()
    return tuple(shape for shape in solid if any(overlaps(reach, shape) for reach in around))


@clause("SE-95")
def choose_to_ignore_flames(tape: Tape, work: FireTestState) -> FireTestState:
    """Let the owner of a vehicle, Terminator, frenzied model or Tyranid choose to ignore the flames this turn."""
    if not may_ignore(work.burning.model.types):
        return work
    ignores = tape.choose(("ignores them", "runs about"), by="owner", label="the flames") == "ignores them"
    return replace(work, burning=replace(work.burning, ignores=ignores))


@clause("SE-87", "SE-88")
def take_test(tape: Tape, work: FireTestState) -> FireTestState:
    """Take the Fire Test: on a 6 the fire is out, else another hit."""
    return replace(work, burning=tape.call(fire.test_fire, work.burning))


@clause("SE-89")
def run_if_burning(tape: Tape, work: FireTestState) -> FireTestState:
    """Run the full Move in a random direction, if the model lives and burns on, until something stops it."""
    burning = work.burning
    if not (burning.runs and work.bases):
        return replace(work, ran=bool(burning.runs), others=())
    (start,) = work.bases
    base = tape.call(run_about, start, burning.move, work.others, burning.rulings)
    tape.tell(run_line, burning.model.name, start, base)
    return replace(work, bases=(base,), ran=True, others=())


def run_line(name: str, before: Base, after: Base) -> str:
    """Say how far a burning model runs, and where it ends."""
    if before == after:
        return f"{name} runs about on the spot"
    distance = inches(round(apart(before.centre, after.centre), 2))
    return f"{name} runs {distance} to {after.centre.x:.1f}, {after.centre.y:.1f}"


@clause("SE-87", "SE-89", "SE-91")
def end_fire_test(tape: Tape, work: FireTestState, state: State, fighter: Fighter) -> State:
    """Keep the model as its test leaves it: dead, put out and idle for this turn, or burning on where it ran."""
    burning = work.burning
    moved = fighter.done.moved or work.ran
    done = replace(fighter.done, result=burning.result, ignores=burning.ignores, due=False, moved=moved)
    state = state.with_places(*((fighter.name, base) for base in work.bases))
    return state.with_models(replace(fighter, condition=burning.condition, done=done))


def propose_fire_tests(state: State) -> Iterator[FireOrder]:
    """Propose the Fire Test of every burning model of the active side."""
    return (FireOrder(unit=fighter.name) for fighter in state.standing() if fighter.is_burning or fighter.done.due)


def _outcome(work: FireTestState) -> str:
    if work.burning.condition.is_dead:
        return "dies"
    return "out" if work.burning.result == "out" else "burns on"


@lru_cache(1)
def _fire_lens(asked: frozenset[str]) -> Forget:
    return ((FireTestState, _without_place),)


def _without_place(work: FireTestState) -> FireTestState:
    """Forget where a model that ran ends."""
    return replace(work, bases=()) if work.ran else work


FIRE_TEST = Action(
    "fire_test",
    "Take the Fire Test of a burning model",
    FireOrder,
    plan_fire_test,
    Procedure("fire test", (choose_to_ignore_flames, take_test, run_if_burning)),
    options=propose_fire_tests,
    measures=(
        Measure("outcome", "What the Fire Test brings", _outcome),
        Measure(
            "wounds_lost",
            "Wounds lost",
            lambda work: work.wounds - max(0, work.burning.condition.wounds),
            "wounds",
        ),
    ),
    lens=_fire_lens,
    clauses=("SE-87", "SE-118"),
    closed=turn.closed_but_in("start"),
)
