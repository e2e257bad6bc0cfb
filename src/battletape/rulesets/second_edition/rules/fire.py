"""Fire: burning models, their tests, those who help, and those who may ignore the flames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

from battletape.rulebook import (
    D6,
    Line,
    Procedure,
    Refused,
    State,
    Tape,
    at_least,
    capital,
    clause,
    plural,
    replace,
)
from battletape.rulesets.second_edition.rules.attack import Blow, Condition, Hit, Model, outcome_lines
from battletape.rulesets.second_edition.rules.blasts import PARTLY
from battletape.rulesets.second_edition.rules.clouds import drifts, random_bearing
from battletape.rulesets.second_edition.rules.keywords import blow_of, take_hit
from battletape.rulesets.second_edition.rules.lasting import Ends, how_it_ends
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings
from battletape.table.bases import Base
from battletape.table.board import Board, is_on_board
from battletape.table.distances import overlaps
from battletape.table.points import TOLERANCE, step

EXEMPT = ("vehicle", "dreadnought", "terminator", "frenzied", "tyranid")
"""Models that may ignore the flames."""
OUT_ON = 6
"""What a die must show to put a fire out."""
HELPERS_SHOOT = False
"""Whether a helper may shoot in the same turn."""
HELP_WITHIN = 1.0
"""So near a helper must stand, in inches."""
Result: TypeAlias = Literal["", "burns", "out"]
Lit: TypeAlias = Literal["burning", "entirely", "partially"]
"""How it begins: with a model on fire, or with one that a weapon covers entirely or partly."""


class Freedom(State, frozen=True):
    """What a model may do in the turn of its Fire Test."""

    runs: bool  # its full Move in a random direction
    may_move: bool
    may_shoot: bool
    keeps_coherency: bool


class Burning(State, frozen=True):
    """A model on fire from one of its turns to the next."""

    model: Model
    flame: Hit
    state: Condition
    helpers: int = 0
    ignores: bool = False
    lit: Lit = "burning"
    result: Result = ""
    turn: int = 0  # Fire Tests made
    died: int = 0  # in which turn; 0: it lives or fell to the very hit
    out: int = 0  # in which turn the fire went out
    runs: int = 0
    hit: bool = False  # by the weapon that might have lit it
    at_once: bool = False  # whether that hit killed it
    burnt: bool = False  # whether it caught fire at all
    turns: int = 1  # to look ahead
    move: float = 4.0
    rules: Rulings = DEFAULT

    @property
    def is_burning(self) -> bool:
        """Return whether it lives and burns."""
        return not self.state.is_dead and self.state.on_fire is not None


@clause("SE-95")
def may_ignore(types: Sequence[str]) -> bool:
    """Return whether a model may ignore flames and fight on: vehicles, Terminator armour, the frenzied, Tyranids."""
    return any(kind in EXEMPT for kind in types)


@clause("SE-95")
def refuse_to_ignore(model: Model) -> Refused | None:
    """Refuse models that may not ignore the flames."""
    if may_ignore(model.types):
        return None
    wanted = ", ".join(EXEMPT)
    return Refused(f"only some models may ignore the flames ({wanted}); {model.name} is none of them", "SE-95")


# --- the test --------------------------------------------------------------------------------------------------------


@clause("SE-88", "SE-96")
@lru_cache(4096)
def fire_blow(flame: Hit, model: Model, rules: Rulings = DEFAULT) -> Blow:
    """The hit that a fire deals: that of the weapon which lit it, without a new roll to catch fire."""
    return replace(blow_of(flame, model, rules), flame=None)


@clause("SE-87", "SE-88", "SE-91", "SE-95")
def fire_test(
    tape: Tape, state: Condition, model: Model, ignores: bool = False, rules: Rulings = DEFAULT
) -> tuple[Condition, Result]:
    """One die for a burning model at the start of its owner's turn: on a 6 the fire is out, else it burns on."""
    if state.on_fire is None or state.is_dead:
        return state, ""
    if tape.roll(D6, at_least(OUT_ON), label="fire test", by="defender"):
        return replace(state, on_fire=None, lit=False), "out"
    if ignores and rules.ignored_flames == "no_hits":
        return state, "burns"
    return tape.call(take_hit, state, fire_blow(state.on_fire, model, rules)), "burns"


@clause("SE-89", "SE-90", "SE-91", "SE-95")
def freedom(result: Result, on_fire: bool, ignores: bool = False, rules: Rulings = DEFAULT) -> Freedom:
    """What a model that lives may do in the turn of its test: a burning one runs about, a doused one stands still."""
    if ignores or not result:
        return Freedom(False, True, True, not on_fire)
    if result == "out":
        return Freedom(False, False, False, True)
    return Freedom(True, False, rules.burning_model == "acts", False)


@clause("SE-89")
def run_about(
    tape: Tape,
    base: Base,
    move: float,
    others: Sequence[Base] = (),
    board: Board | None = None,
    rules: Rulings = DEFAULT,
) -> Base:
    """A burning model runs its full Move in a random direction; the table's edge stops it, and whoever stands there."""
    if not drifts(tape, rules):
        return base
    heading, reached = random_bearing(tape, "runs"), base
    for part in range(1, PARTS + 1):
        there = replace(base, centre=step(base.centre, heading, move * part / PARTS))
        if (board is not None and not is_on_board(board, there)) or any(overlaps(there, other) for other in others):
            break
        reached = there
    return reached


PARTS = 32
"""A run is followed in so many steps."""


# --- helpers ---------------------------------------------------------------------------------------------------------


@clause("SE-92", "SE-94")
def refuse_help(gap: float, on_fire: bool) -> Refused | None:
    """Refuse help where nothing burns, and helpers too far off."""
    if not on_fire:
        return Refused("nothing burns there; name a model that is on fire", "SE-92")
    if gap > HELP_WITHIN + TOLERANCE:
        reason = f"a helper must come within {HELP_WITHIN:g} inch, and this one stays {gap:.2f} inches off"
        return Refused(f"{reason}; name somebody nearer", "SE-92")
    return None


@clause("SE-93")
def beating_need(helpers: int) -> int | None:
    """What one die must show to beat out the flames: 6, one less for each helper beyond the first; None: certain."""
    need = OUT_ON - (helpers - 1)
    return need if need > 1 else None


@clause("SE-92", "SE-93", "SE-94")
def beat_out(tape: Tape, helpers: int, rules: Rulings = DEFAULT) -> bool:
    """Roll for helpers to put a fire out in the Movement phase, once for all of them unless ruled otherwise."""
    if not helpers:
        return False
    need = OUT_ON if rules.beating_out == "roll_each" else beating_need(helpers)
    if rules.beating_out == "roll_each":
        out = tape.pool(helpers, D6, at_least(OUT_ON), label="beating out the flames", by="defender")[True] > 0
    else:
        out = need is None or bool(tape.roll(D6, at_least(need), label="beating out the flames", by="defender"))
    tape.tell(beaten_line, helpers, need, out)
    return out


# --- a fire, turn by turn --------------------------------------------------------------------------------------------


@clause("SE-86", "SE-83")
def light(tape: Tape, burning: Burning) -> Burning:
    """The hit that may set a model on fire: on a 4+ if it is only partly covered."""
    if burning.lit == "burning":
        return replace(burning, burnt=True, hit=True)
    name = capital(burning.model.name)
    if burning.lit == "partially" and not tape.roll(D6, at_least(PARTLY), label="partly covered"):
        tape.tell("{} is not hit", name)
        return burning
    state = tape.call(take_hit, burning.state, blow_of(burning.flame, burning.model, burning.rules))
    tape.tell(outcome_lines, name, burning.state, state)
    return replace(
        burning, state=state, hit=True, at_once=state.is_dead, burnt=state.on_fire is not None and not state.is_dead
    )


@clause("SE-87", "SE-88", "SE-89")
def test_fire(tape: Tape, burning: Burning) -> Burning:
    """The Fire Test of a turn; a model that lives and does not ignore the flames runs about."""
    if not burning.is_burning:
        return burning
    turn = burning.turn + 1
    state, result = tape.call(fire_test, burning.state, burning.model, burning.ignores, burning.rules)
    free = freedom(result, state.on_fire is not None, burning.ignores, burning.rules)
    after = replace(
        burning,
        state=state,
        result=result,
        turn=turn,
        died=turn if state.is_dead else 0,
        out=turn if result == "out" else 0,
        runs=burning.runs + (free.runs and not state.is_dead),
    )
    tape.tell(fire_test_lines, burning, after)
    return after


@clause("SE-92", "SE-93")
def help_out(tape: Tape, burning: Burning) -> Burning:
    """Helpers beat out the flames in the Movement phase of that turn."""
    if not burning.is_burning or not tape.call(beat_out, burning.helpers, burning.rules):
        return burning
    return replace(burning, state=replace(burning.state, on_fire=None), result="out", out=burning.turn)


@lru_cache(64)
def fire_course(tests: int) -> Procedure:
    """So many Fire Tests, with help after each but the last."""
    return Procedure("fire", (light, *((test_fire, help_out) * tests)[:-1]))


@clause("SE-97")
def fire_ends(burning: Burning) -> Ends:
    """Return how a fire ends if nothing else happens, and the mean number of Fire Tests until then."""
    return how_it_ends(_round, burning, _end_of, _is_tested)


def _round(tape: Tape, burning: Burning) -> Burning:
    """One turn of a fire, and nothing kept of it but the model's condition; at first, the hit that may light it."""
    if burning.lit != "burning":
        lit = tape.call(light, burning)
        return replace(burning, state=replace(lit.state, vehicle_hits=0), lit="burning", hit=True)
    after = tape.call(help_out, tape.call(test_fire, burning))
    return replace(burning, state=replace(after.state, vehicle_hits=0), hit=True)


def _end_of(burning: Burning) -> str:
    if burning.lit != "burning" or burning.is_burning:
        return ""
    return "dead" if burning.state.is_dead else "out"


def _is_tested(burning: Burning) -> bool:
    return burning.lit == "burning"


# --- the start of a turn ---------------------------------------------------------------------------------------------


@clause("SE-118", "SE-67", "SE-87")
def start_of_turn(
    markers: Sequence[str], fires: Sequence[str], rules: Rulings = DEFAULT
) -> tuple[tuple[str, str], ...]:
    """Return what is tested at the start of a turn, in order: every marker, then the active player's burning models."""
    tests = [[("marker", name) for name in markers], [("fire", name) for name in fires]]
    first, then = tests if rules.turn_start == "markers_first" else tests[::-1]
    return (*first, *then)


# --- what is told ----------------------------------------------------------------------------------------------------


def fire_test_lines(before: Burning, after: Burning) -> Iterator[Line]:
    """Say what a Fire Test does to a model, and whether the model runs."""
    name = capital(before.model.name)
    told = f"Turn {after.turn}: {before.model.name}" if before.turns > 1 else name
    if after.state.is_dead:
        yield Line(f"{told} dies", ("SE-88", "SE-24"), result="dies")
    elif after.result == "out":
        yield Line(f"{told} is no longer on fire", ("SE-91",), result="is no longer on fire")
    else:
        if after.state != before.state:
            yield from outcome_lines(name, before.state, after.state)
        runs = " and runs about" if after.runs > before.runs else ""
        yield Line(f"{told} burns on{runs}", ("SE-88", "SE-89") if runs else ("SE-88",), result="burns on")


def beaten_line(helpers: int, need: int | None, out: bool) -> Line:
    """Say whether helpers put a fire out."""
    result = "the fire is out" if out else "it burns on"
    needed = "certain" if need is None else f"{need}+"
    return Line(f"{plural(helpers, 'helper')}: {result}", ("SE-93",), needed=needed, result=result)
