"""The start of a turn: `test_marker`, `marker_harm` and `fire_test`, in the order that the active player likes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Annotated

from battletape.cards import Inputs, Line, Measure
from battletape.cards import refusing as Action
from battletape.rulebook import Forget, Meta, Procedure, Refused, Stage, Struct, Tape, clause, inches, replace
from battletape.rulesets.second_edition import words
from battletape.rulesets.second_edition.battle.state import Fighter, State, after_toll, figure_of
from battletape.rulesets.second_edition.battle.turn import due_now, figures_under, hurts, refuse_gone, refuse_order
from battletape.rulesets.second_edition.rules import clouds, fire
from battletape.rulesets.second_edition.rules.clouds import Lingering, find_covered, harm
from battletape.rulesets.second_edition.rules.fire import Burning, may_ignore, run_about
from battletape.rulesets.second_edition.rules.measures import HARM, TESTED
from battletape.table.bases import Base
from battletape.table.board import Board
from battletape.table.distances import overlaps
from battletape.table.points import step

# --- markers ---------------------------------------------------------------------------------------------------------


class MarkerOrder(Inputs, frozen=True):
    """A marker in play."""

    marker: str = ""


class HarmOrder(Inputs, frozen=True):
    """A marker in play, and who lies under it where no table can tell."""

    marker: str = ""
    under: Annotated[tuple[str, ...], Meta(title="Models entirely under a marker without a place")] = ()
    partly: Annotated[tuple[str, ...], Meta(title="Models partly under it")] = ()


@clause("SE-67", "SE-118")
def refuse_test(state: State, order: MarkerOrder) -> Refused | None:
    """Why a marker is not tested now."""
    return refuse_order(state, "marker", state.lying(order.marker).name)


def begin_test(state: State, order: MarkerOrder) -> Lingering:
    """A marker before its test; whom it covers is looked at when every marker has been tested."""
    lying = state.lying(order.marker)
    return Lingering(lying.marker, placed=lying.placed, rules=state.rules)


@clause("SE-67", "SE-118", "SE-71")
def finish_test(state: State, order: MarkerOrder, lingering: Lingering) -> State:
    """The marker after its test; if it hurts those under it, that is due once all markers have been tested."""
    lying = state.lying(order.marker)
    tested = replace(lying, marker=_still(lingering), due="")
    harms = hurts(tested) and tested.marker.standing != "gone"
    harms = harms and (not tested.placed or bool(figures_under(state, tested)))
    return state.with_marker(replace(tested, due="harm") if harms else tested)


def _still(lingering: Lingering) -> clouds.Marker:
    """A marker without the account of its moves, which no rule of a battle reads."""
    return replace(lingering.marker, moves=0, inches=0.0)


def _marker_orders(state: State, kind: str) -> Iterator[MarkerOrder]:
    if state.phase == "start":
        yield from (MarkerOrder(marker=name) for what, name in due_now(state) if what == kind)


def tell_test(stage: Stage, before: Lingering, after: Lingering) -> Iterable[Line]:
    """What the test brings."""
    marker, (told, by) = after.marker, words.EVENTS[after.event]
    where = f", to {marker.centre.x:.1f}, {marker.centre.y:.1f}" if after.event == "moves" and after.placed else ""
    size = "it is gone" if marker.standing == "gone" else f"radius {inches(marker.radius)}"
    yield Line(f"The marker {told}{where}; {size}", (by,), result=after.event)


def _test_lens(asked: frozenset[str]) -> Forget:
    return ((Lingering, _placeless),)


def _placeless(lingering: Lingering) -> Lingering:
    """A marker that was tested, wherever it is."""
    if not lingering.event:
        return lingering
    marker = replace(lingering.marker, centre=clouds.HERE, moves=0, inches=0.0)
    return replace(lingering, marker=marker, covered=None)


@clause("SE-80", "SE-118")
def refuse_harm(state: State, order: HarmOrder) -> Refused | None:
    """Why a marker does not hurt anybody now, or not those who are named."""
    lying = state.lying(order.marker)
    refused = refuse_order(state, "harm", lying.name)
    named = [state.fighter(name) for name in (*order.under, *order.partly)]
    if refused is None and named and lying.placed:
        refused = Refused(f"the table says who lies under {lying.name}; name nobody", "SE-80", "placed")
    if refused is None and len({fighter.name for fighter in named}) < len(named):
        refused = Refused("a model lies under a marker entirely or partly; name each once", "SE-80", "twice")
    return refused or next((gone for fighter in named if (gone := refuse_gone(fighter)) is not None), None)


@clause("SE-80", "SE-39")
def begin_harm(state: State, order: HarmOrder) -> Lingering:
    """A marker, and everybody under it: by the table, or as the players see it."""
    lying = state.lying(order.marker)
    if lying.placed:
        return Lingering(lying.marker, figures_under(state, lying), placed=True, rules=state.rules)
    centre, rim = lying.marker.centre, step(lying.marker.centre, 0.0, lying.marker.radius)
    figures = [figure_of(state.fighter(name), Base(centre, 0.0), "enemy") for name in order.under]
    for name in order.partly:
        fighter = state.fighter(name)
        figures.append(figure_of(fighter, Base(rim, fighter.radius), "enemy"))
    return Lingering(lying.marker, tuple(figures), placed=True, rules=state.rules)


def _harm_orders(state: State) -> Iterator[HarmOrder]:
    for order in _marker_orders(state, "harm"):
        yield HarmOrder(marker=order.marker)
        if not state.lying(order.marker).placed:
            first, *others = [fighter.name for fighter in state.standing()]
            yield HarmOrder(marker=order.marker, under=(first,), partly=tuple(others[:2]))


@clause("SE-80")
def finish_harm(state: State, order: HarmOrder, lingering: Lingering) -> State:
    """Everybody as the marker left them."""
    after = after_toll(state, lingering.toll)
    return after.with_marker(replace(after.lying(order.marker), due=""))


def tell_harm(stage: Stage, before: Lingering, after: Lingering) -> Iterable[Line]:
    """Who lies under the marker."""
    if stage is find_covered:
        told = words.told(after.told)
        yield Line(f"Under the marker: {told}", ("SE-80",), result=told)


TEST_MARKER = Action(
    *("test_marker", "Test a marker", MarkerOrder, refuse_test, begin_test),
    Procedure("marker test", (clouds.test_marker,)),
    finish_test,
    options=lambda state: _marker_orders(state, "marker"),
    measures=TESTED,
    narrate=tell_test,
    about=lambda state, order: {"unit": order.marker},
    lens=_test_lens,
    clauses=("SE-67", "SE-118"),
)
MARKER_HARM = Action(
    *("marker_harm", "Work out the harm of a marker", HarmOrder, refuse_harm, begin_harm),
    Procedure("marker harm", (find_covered, harm)),
    finish_harm,
    options=_harm_orders,
    measures=HARM,
    narrate=tell_harm,
    about=lambda state, order: {"unit": order.marker},
    clauses=("SE-80", "SE-118"),
)

# --- fires -----------------------------------------------------------------------------------------------------------


class FireOrder(Inputs, frozen=True):
    """A burning model."""

    unit: Annotated[str, Meta(title="Burning model")] = ""


class Ablaze(Struct, frozen=True, cache_hash=True):
    """A burning model in its Fire Test, and where it may run."""

    burning: Burning
    wounds: int  # before its test
    base: Base | None
    others: tuple[Base, ...]
    board: Board
    ran: bool = False


@clause("SE-87", "SE-118")
def refuse_fire_test(state: State, order: FireOrder) -> Refused | None:
    """Why a model takes no Fire Test now."""
    fighter = state.fighter(order.unit)
    if not fighter.is_burning and not fighter.due:
        return Refused(f"{fighter.name} does not burn", "SE-87", "burning")
    return refuse_order(state, "fire", fighter.name, fighter.side)


@clause("SE-87", "SE-89")
def begin_fire_test(state: State, order: FireOrder) -> Ablaze:
    """A burning model before its die, with everybody whom it might run into."""
    fighter = state.fighter(order.unit)
    assert fighter.state.on_fire is not None
    burning = Burning(fighter.model, fighter.state.on_fire, fighter.state, move=fighter.move, rules=state.rules)
    return Ablaze(burning, fighter.state.wounds, fighter.base, _in_the_way(state, fighter), state.board)


def _in_the_way(state: State, fighter: Fighter) -> tuple[Base, ...]:
    """Everybody whom a model might run into."""
    if fighter.base is None:
        return ()
    around = Base(fighter.base.centre, fighter.radius + fighter.move)
    return tuple(body for body in state.bodies(fighter.name) if overlaps(around, body))


@clause("SE-95")
def mind_flames(tape: Tape, ablaze: Ablaze) -> Ablaze:
    """Vehicles, Terminator armour, the frenzied and Tyranids may ignore the flames: their owner says so each turn."""
    if not may_ignore(ablaze.burning.model.types):
        return ablaze
    ignores = tape.choose(("ignores them", "runs about"), by="owner", label="the flames") == "ignores them"
    return replace(ablaze, burning=replace(ablaze.burning, ignores=ignores))


@clause("SE-87", "SE-88")
def take_test(tape: Tape, ablaze: Ablaze) -> Ablaze:
    """The Fire Test: on a 6 the fire is out, else another hit."""
    return replace(ablaze, burning=tape.call(fire.test_fire, ablaze.burning))


@clause("SE-89")
def run(tape: Tape, ablaze: Ablaze) -> Ablaze:
    """A model that lives and burns on runs its full Move in a random direction, until something stops it."""
    burning = ablaze.burning
    if not burning.runs or ablaze.base is None:
        return replace(ablaze, ran=bool(burning.runs), others=())
    base = tape.call(run_about, ablaze.base, burning.move, ablaze.others, ablaze.board, burning.rules)
    return replace(ablaze, base=base, ran=True, others=())


@clause("SE-87", "SE-89", "SE-91")
def finish_fire_test(state: State, order: FireOrder, ablaze: Ablaze) -> State:
    """The model after its test: dead, out and idle for this turn, or burning on wherever it ran."""
    fighter, burning = state.fighter(order.unit), ablaze.burning
    place = fighter.place if ablaze.base is None else ablaze.base.centre
    return state.changed(
        replace(
            fighter,
            state=burning.state,
            result=burning.result,
            ignores=burning.ignores,
            due=False,
            place=place,
            moved=fighter.moved or ablaze.ran,
        )
    )


def _outcome(ablaze: Ablaze) -> str:
    if ablaze.burning.state.is_dead:
        return "dies"
    return "out" if ablaze.burning.result == "out" else "burns on"


def tell_fire(stage: Stage, before: Ablaze, after: Ablaze) -> Iterable[Line]:
    """What the test brings."""
    if stage is take_test:
        by = {"dies": "SE-88", "out": "SE-91", "burns on": "SE-88"}[_outcome(after)]
        yield Line(f"Fire Test: it {_outcome(after) if _outcome(after) != 'out' else 'goes out'}", (by,))


@lru_cache(1)
def _fire_lens(asked: frozenset[str]) -> Forget:
    return ((Ablaze, _anywhere),)


def _anywhere(ablaze: Ablaze) -> Ablaze:
    """A model that ran, wherever it is."""
    return replace(ablaze, base=None) if ablaze.ran else ablaze


FIRE_TEST = Action(
    *("fire_test", "Take the Fire Test of a burning model", FireOrder, refuse_fire_test, begin_fire_test),
    Procedure("fire test", (mind_flames, take_test, run)),
    finish_fire_test,
    options=lambda state: (
        FireOrder(unit=name) for kind, name in (due_now(state) if state.phase == "start" else ()) if kind == "fire"
    ),
    measures=(
        Measure("outcome", "What the Fire Test brings", _outcome),
        Measure(
            "wounds_lost",
            "Wounds lost",
            lambda ablaze: ablaze.wounds - max(0, ablaze.burning.state.wounds),
            "wounds",
        ),
    ),
    narrate=tell_fire,
    lens=_fire_lens,
    clauses=("SE-87", "SE-118"),
)
