"""Fire: burning models, their tests and helpers, and the models that may ignore the flames."""

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
from battletape.rulesets.second_edition.rules.attack import Condition, Hit, Model, PreparedHit, outcome_lines
from battletape.rulesets.second_edition.rules.blasts import PARTLY_HIT_ON
from battletape.rulesets.second_edition.rules.clouds import random_bearing, random_move_happens
from battletape.rulesets.second_edition.rules.durations import EndChances, end_chances
from battletape.rulesets.second_edition.rules.keywords import prepare_hit, take_hit
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings
from battletape.table.bases import Base
from battletape.table.distances import Thing, overlaps
from battletape.table.points import TOLERANCE, step

TYPES_THAT_IGNORE_FLAMES = ("vehicle", "dreadnought", "terminator", "frenzied", "tyranid")
"""Models that may ignore the flames."""
FIRE_OUT_ON = 6
"""What a die must show to put a fire out."""
HELPERS_SHOOT = False
"""A helper may shoot in the same turn."""
HELP_INCHES = 1.0
"""So near a helper must stand, in inches."""
FireResult: TypeAlias = Literal["", "burns", "out"]
FireStart: TypeAlias = Literal["burning", "entirely", "partially"]
"""How it begins: with a model on fire, or with one that a weapon covers entirely or partly."""


class AllowedActions(State, frozen=True):
    """The actions of a model in the turn of its Fire Test."""

    runs: bool  # its full Move in a random direction
    may_move: bool
    may_shoot: bool
    keeps_coherency: bool


class Burning(State, frozen=True):
    """A model on fire from one of its turns to the next."""

    model: Model
    flame: Hit
    condition: Condition
    helpers: int = 0
    ignores: bool = False
    begins: FireStart = "burning"
    result: FireResult = ""
    turn: int = 0  # Fire Tests made
    died_in_turn: int = 0  # in which turn; 0: it lives or fell to the very hit
    out_in_turn: int = 0  # in which turn the fire went out
    runs: int = 0
    hit: bool = False  # by the weapon that might have lit it
    killed_by_hit: bool = False  # whether that hit killed it
    caught_fire: bool = False  # whether it caught fire at all
    turns_ahead: int = 1  # to look ahead
    move: float = 4.0
    rulings: Rulings = DEFAULT

    @property
    def is_burning(self) -> bool:
        """Return whether it lives and burns."""
        return not self.condition.is_dead and self.condition.on_fire is not None


@clause("SE-95")
def may_ignore(types: Sequence[str]) -> bool:
    """Return whether a model may ignore flames and fight on: vehicles, Terminator armour, the frenzied, Tyranids."""
    return any(kind in TYPES_THAT_IGNORE_FLAMES for kind in types)


@clause("SE-95")
def refuse_to_ignore(model: Model) -> Refused | None:
    """Refuse models that may not ignore the flames."""
    if may_ignore(model.types):
        return None
    wanted = ", ".join(TYPES_THAT_IGNORE_FLAMES)
    return Refused(f"only some models may ignore the flames ({wanted}); {model.name} is none of them", "SE-95")


# --- the test --------------------------------------------------------------------------------------------------------


@clause("SE-88", "SE-96")
@lru_cache(4096)
def fire_hit(flame: Hit, model: Model, rulings: Rulings = DEFAULT) -> PreparedHit:
    """Return the hit that a fire deals: that of the weapon which lit it, without a new roll to catch fire."""
    return replace(prepare_hit(flame, model, rulings), flame=None)


@clause("SE-87", "SE-88", "SE-91", "SE-95")
def fire_test(
    tape: Tape, condition: Condition, model: Model, ignores: bool = False, rulings: Rulings = DEFAULT
) -> tuple[Condition, FireResult]:
    """Roll for a burning model at the start of its owner's turn: on a 6 the fire is out, else it burns on."""
    if condition.on_fire is None or condition.is_dead:
        return condition, ""
    if tape.roll(D6, at_least(FIRE_OUT_ON), label="fire test", by="defender"):
        return replace(condition, on_fire=None, just_lit=False), "out"
    if ignores and rulings.ignored_flames == "no_hits":
        return condition, "burns"
    return tape.call(take_hit, condition, fire_hit(condition.on_fire, model, rulings)), "burns"


@clause("SE-89", "SE-90", "SE-91", "SE-95")
def allowed_actions(
    result: FireResult, on_fire: bool, ignores: bool = False, rulings: Rulings = DEFAULT
) -> AllowedActions:
    """Return what a living model may do in the turn of its test: burning it runs about, doused it stands still."""
    if ignores or not result:
        return AllowedActions(False, True, True, not on_fire)
    if result == "out":
        return AllowedActions(False, False, False, True)
    return AllowedActions(True, False, rulings.burning_model == "acts", False)


@clause("SE-89")
def run_about(
    tape: Tape,
    base: Base,
    move: float,
    others: Sequence[Thing] = (),
    rulings: Rulings = DEFAULT,
) -> Base:
    """Run the full Move in a random direction; others, impassable terrain and the table's edge stop the run."""
    if not random_move_happens(tape, rulings):
        return base
    heading, reached = random_bearing(tape, "runs"), base
    for part in range(1, RUN_STEPS + 1):
        there = replace(base, centre=step(base.centre, heading, move * part / RUN_STEPS))
        if any(overlaps(there, other) for other in others):
            break
        reached = there
    return reached


RUN_STEPS = 32
"""A run is followed in so many steps."""


# --- helpers ---------------------------------------------------------------------------------------------------------


@clause("SE-92", "SE-94")
def refuse_help(gap: float, on_fire: bool) -> Refused | None:
    """Refuse help where nothing burns, and helpers too far off."""
    if not on_fire:
        return Refused("nothing burns there; name a model that is on fire", "SE-92")
    if gap > HELP_INCHES + TOLERANCE:
        reason = f"a helper must come within {HELP_INCHES:g} inch, and this one stays {gap:.2f} inches off"
        return Refused(f"{reason}; name a nearer model", "SE-92")
    return None


@clause("SE-93")
def beating_out_score(helpers: int) -> int | None:
    """Return the score to beat out the flames: 6, one less for each helper beyond the first; None: certain."""
    need = FIRE_OUT_ON - (helpers - 1)
    return need if need > 1 else None


@clause("SE-92", "SE-93", "SE-94")
def beat_out(tape: Tape, helpers: int, rulings: Rulings = DEFAULT) -> bool:
    """Roll for helpers to put a fire out in the Movement phase, once for all of them unless ruled otherwise."""
    if not helpers:
        return False
    need = FIRE_OUT_ON if rulings.beating_out == "roll_each" else beating_out_score(helpers)
    if rulings.beating_out == "roll_each":
        out = tape.pool(helpers, D6, at_least(FIRE_OUT_ON), label="beating out the flames", by="defender")[True] > 0
    else:
        out = need is None or bool(tape.roll(D6, at_least(need), label="beating out the flames", by="defender"))
    tape.tell(beating_out_line, helpers, need, out)
    return out


# --- a fire, turn by turn --------------------------------------------------------------------------------------------


@clause("SE-86", "SE-83")
def hit_and_light(tape: Tape, burning: Burning) -> Burning:
    """Hit a model with what may set it on fire: on a 4+ if it is only partly covered."""
    if burning.begins == "burning":
        return replace(burning, caught_fire=True, hit=True)
    name = capital(burning.model.name)
    if burning.begins == "partially" and not tape.roll(D6, at_least(PARTLY_HIT_ON), label="partly covered"):
        tape.tell("{} is not hit", name)
        return burning
    condition = tape.call(take_hit, burning.condition, prepare_hit(burning.flame, burning.model, burning.rulings))
    tape.tell(outcome_lines, name, burning.condition, condition)
    return replace(
        burning,
        condition=condition,
        hit=True,
        killed_by_hit=condition.is_dead,
        caught_fire=condition.on_fire is not None and not condition.is_dead,
    )


@clause("SE-87", "SE-88", "SE-89")
def test_fire(tape: Tape, burning: Burning) -> Burning:
    """Make the Fire Test of a turn; a model that lives and does not ignore the flames runs about."""
    if not burning.is_burning:
        return burning
    turn = burning.turn + 1
    condition, result = tape.call(fire_test, burning.condition, burning.model, burning.ignores, burning.rulings)
    free = allowed_actions(result, condition.on_fire is not None, burning.ignores, burning.rulings)
    after = replace(
        burning,
        condition=condition,
        result=result,
        turn=turn,
        died_in_turn=turn if condition.is_dead else 0,
        out_in_turn=turn if result == "out" else 0,
        runs=burning.runs + (free.runs and not condition.is_dead),
    )
    tape.tell(fire_test_lines, burning, after)
    return after


@clause("SE-92", "SE-93")
def help_out(tape: Tape, burning: Burning) -> Burning:
    """Let helpers beat out the flames in the Movement phase of that turn."""
    if not burning.is_burning or not tape.call(beat_out, burning.helpers, burning.rulings):
        return burning
    return replace(burning, condition=replace(burning.condition, on_fire=None), result="out", out_in_turn=burning.turn)


@lru_cache(64)
def fire_tests(tests: int) -> Procedure:
    """Return so many Fire Tests, with help after each but the last."""
    return Procedure("fire", (hit_and_light, *((test_fire, help_out) * tests)[:-1]))


@clause("SE-97")
def fire_end_chances(burning: Burning) -> EndChances:
    """Return how a fire ends if nothing else happens, and the mean number of Fire Tests until then."""
    return end_chances(_fire_turn, burning, _end_of, _is_tested)


def _fire_turn(tape: Tape, burning: Burning) -> Burning:
    """Play one turn of a fire, and keep only the model's condition; at first, the hit that may light it."""
    if burning.begins != "burning":
        lit = tape.call(hit_and_light, burning)
        return replace(burning, condition=replace(lit.condition, vehicle_hits=0), begins="burning", hit=True)
    after = tape.call(help_out, tape.call(test_fire, burning))
    return replace(burning, condition=replace(after.condition, vehicle_hits=0), hit=True)


def _end_of(burning: Burning) -> str:
    if burning.begins != "burning" or burning.is_burning:
        return ""
    return "dead" if burning.condition.is_dead else "out"


def _is_tested(burning: Burning) -> bool:
    return burning.begins == "burning"


# --- the start of a turn ---------------------------------------------------------------------------------------------


@clause("SE-118", "SE-67", "SE-87")
def start_of_turn(
    markers: Sequence[str], fires: Sequence[str], rulings: Rulings = DEFAULT
) -> tuple[tuple[str, str], ...]:
    """Return what is tested at the start of a turn, in order: every marker, then the active player's burning models."""
    tests = [[("marker", name) for name in markers], [("fire", name) for name in fires]]
    first, then = tests if rulings.turn_start == "markers_first" else tests[::-1]
    return (*first, *then)


# --- what is told ----------------------------------------------------------------------------------------------------


def fire_test_lines(before: Burning, after: Burning) -> Iterator[Line]:
    """Say what a Fire Test does to a model, and whether the model runs."""
    name = capital(before.model.name)
    name_in_turn = f"Turn {after.turn}: {before.model.name}" if before.turns_ahead > 1 else name
    if after.condition.is_dead:
        yield Line(f"{name_in_turn} dies", ("SE-88", "SE-24"), result="dies")
    elif after.result == "out":
        yield Line(f"{name_in_turn} is no longer on fire", ("SE-91",), result="is no longer on fire")
    else:
        if after.condition != before.condition:
            yield from outcome_lines(name, before.condition, after.condition)
        runs = " and runs about" if after.runs > before.runs else ""
        yield Line(f"{name_in_turn} burns on{runs}", ("SE-88", "SE-89") if runs else ("SE-88",), result="burns on")


def beating_out_line(helpers: int, need: int | None, out: bool) -> Line:
    """Say whether helpers put a fire out."""
    result = "the fire is out" if out else "it burns on"
    needed = "certain" if need is None else f"{need}+"
    return Line(f"{plural(helpers, 'helper')}: {result}", ("SE-93",), needed=needed, result=result)
