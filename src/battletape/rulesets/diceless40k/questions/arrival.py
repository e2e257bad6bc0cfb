"""The question `arrival`: how a unit comes from reserve by deep strike or from a table edge."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from battletape.cards import Inputs, Lead, Measure, Question, asked
from battletape.rulebook import Caution, Procedure, clause, inches, plain, plural
from battletape.rulesets.diceless40k.rules import deep_strike
from battletape.rulesets.diceless40k.rules.blasts import scattered
from battletape.rulesets.diceless40k.rules.reserves import EDGES, OUTFLANK, Outflank
from battletape.rulesets.diceless40k.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer


class ArrivalInputs(Inputs, frozen=True):
    """A unit that arrives."""

    how: Literal["deep_striking", "outflanking"] = asked("deep_striking", "How it comes", "DL-95.2", group="attacker")
    zone: deep_strike.Zone = asked("neutral", "Where it is aimed", "DL-95.5", group="attacker")
    held: int = asked(4, "Scatter tokens of the opponent", "DL-95.2", group="target", ge=0, le=200)
    mishap_inches: float | None = asked(
        None, "The nearest mishap is so far away", "DL-95.6", group="circumstances", unit="inches", ge=0, le=240
    )
    landed: deep_strike.Zone | None = asked(
        None, "Zone where tokens push it, if another one", "DL-95.5", group="circumstances"
    )
    jamming: bool = asked(False, "A jamming beacon within 6 inches", "DL-SM-75.1", group="circumstances")
    guided: bool = asked(False, "It does not scatter", "DL-95.7", group="attacker")
    left: bool = asked(True, "Room at the left edge", "DL-94.9", group="circumstances")
    right: bool = asked(True, "Room at the right edge", "DL-94.9", group="circumstances")


@clause("DL-95.2", "DL-95.6", "DL-94.8", "DL-94.9")
def begin_arrival(inputs: ArrivalInputs, rulings: Rulings) -> deep_strike.DeepStrike | Outflank:
    """Return the unit before any choice is made."""
    if inputs.how == "outflanking":
        room = tuple(edge for edge, free in zip(EDGES, (inputs.left, inputs.right), strict=True) if free)
        return Outflank("the unit", "attacker", room)
    most = deep_strike.token_limit(inputs.zone, inputs.held, inputs.jamming, inputs.guided)
    return deep_strike.DeepStrike(
        "the unit",
        "attacker",
        "defender",
        inputs.zone,
        inputs.held,
        deep_strike.outcomes_at_distance(inputs.mishap_inches, most),
        inputs.jamming,
        inputs.guided,
        inputs.landed,
        rulings,
    )


def procedure(start: deep_strike.DeepStrike | Outflank) -> Procedure:
    """Return the stages of a deep strike, or of outflanking."""
    return deep_strike.DEEP_STRIKE if isinstance(start, deep_strike.DeepStrike) else OUTFLANK


@clause("DL-95.2")
def most_on(state: deep_strike.DeepStrike | Outflank) -> int:
    """Return how many tokens may be used on a unit; none on one that walks on."""
    if isinstance(state, Outflank):
        return 0
    return deep_strike.token_limit(state.zone, state.held + state.tokens, state.jammed, state.no_scatter)


def _fate(state: deep_strike.DeepStrike | Outflank) -> str:
    if isinstance(state, Outflank):
        return "removed" if state.removed else "lands"
    return state.fate


def arrival_headline(answer: Answer) -> str:
    """Say what the opponent may do to the arriving unit."""
    (state,) = answer.states.weights
    if isinstance(state, Outflank):
        if state.removed:
            return "There is no room at either edge: the unit is removed from play."
        either = " (or the other, as its owner likes)" if len(state.room) > 1 else ""
        return f"The unit comes on from the {state.edge} edge{either}."
    most = most_on(state)
    ends = {"return_to_reserve": "sends it back to reserve", "misplaced_by_opponent": "lets the opponent place it"}
    ends["removed"] = "removes it from play"
    can = any(_fate(other) != "lands" for other in answer.outcomes().states)
    end = ends[deep_strike.mishap_in(deep_strike.zone_of_mishap(state))]
    if not most:
        lands = f"where it is aimed it meets a mishap by itself, which {end}" if can else "it lands where it is aimed"
        return f"No token may be used on it: {lands}."
    reach = f"{plural(most, 'token')} may push it {inches(scattered(most))}"
    return f"{reach}, into a mishap, which {end}." if can else f"{reach}; no mishap is within reach (one {end})."


def warn_arrival(inputs: ArrivalInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn of what changes nothing."""
    if inputs.guided and inputs.jamming:
        yield Caution("What does not scatter is not jammed either", "DL-95.7")


def is_strike(state: Any) -> bool:
    """Return whether the unit comes by deep strike."""
    return isinstance(state, deep_strike.DeepStrike)


ARRIVAL = Question(
    "arrival",
    "How does a unit arrive by deep strike, or outflanking?",
    ArrivalInputs,
    begin_arrival,
    procedure,
    (
        Measure("fate", "What becomes of it", _fate, words=plain),
        Measure("mishap", "A mishap", lambda state: int(_fate(state) != "lands"), low_for=("attacker",)),
        Measure("max_tokens", "Tokens that may be used", most_on, "tokens", usual=is_strike),
        Measure(
            "max_inches",
            "Inches that they may push it",
            lambda state: scattered(most_on(state)),
            "inches",
            usual=is_strike,
        ),
        Measure(
            "edge",
            "Edge where it comes on",
            lambda state: getattr(state, "edge", None) or "none",
            usual=lambda state: not is_strike(state),
        ),
    ),
    arrival_headline,
    warn=warn_arrival,
    example={"zone": "enemy", "held": 3, "mishap_inches": 5},
    rulings=("zone_of",),
    lead=(
        Lead("max_inches", "inches that tokens may push it"),
        Lead("edge", "is the edge where it comes on"),
        Lead("fate", "is what becomes of it"),
    ),
)
