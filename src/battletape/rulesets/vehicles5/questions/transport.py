"""The question transport: may a unit get in or out of a vehicle now, and what may both do then; no dice."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any, Literal

from battletape.cards import Answer, Inputs, Lead, Line, Measure, ProfileBook, Question, asked, fill_from
from battletape.rulebook import Procedure, Refused, State, Tape, clause, listed, raise_if_refused, replace
from battletape.rulesets.vehicles5.profiles.book import traits_of
from battletape.rulesets.vehicles5.profiles.types import Count, Seats
from battletape.rulesets.vehicles5.questions import _inputs
from battletape.rulesets.vehicles5.questions._inputs import TYPES, Names, yes_no_measure
from battletape.rulesets.vehicles5.rules import movement, transports
from battletape.rulesets.vehicles5.rules.traits import Band, Phase
from battletape.rulesets.vehicles5.rulings import Rulings

Troops = Literal["infantry", "jump_infantry", "bike", "jetbike", "beast", "cavalry", "monstrous_creature", "artillery"]


class TransportInputs(Inputs, frozen=True):
    """A unit, a vehicle, and what both have done this turn."""

    way: Literal["in", "out"] = asked("in", "Which way they go", "V5-TRAN-4", group="circumstances")
    vehicle: _inputs.VehicleName = ""
    types: Names = asked((), "Types", "V5-OPEN-2", group="target", known=TYPES)
    capacity: _inputs.Capacity = 10
    aboard: Seats = asked(0, "Models of others aboard", "V5-TRAN-2", group="target")
    shaken: _inputs.Shaken = False
    stunned: _inputs.Stunned = False
    immobilised: _inputs.Immobilised = False
    status: _inputs.Destroyed = "ok"
    unit: _inputs.OwnUnit = ""
    unit_type: Troops = asked("infantry", "What kind of troops they are", "V5-TRAN-1", group="attacker")
    models: Count = asked(10, "Models of the unit", "V5-TRAN-1", group="attacker")
    at_access: Seats = asked(10, "Of these within 2 inches of an access point", "V5-TRAN-5", group="attacker")
    at_hull: Seats = asked(0, "Of these within 2 inches of the hull", "V5-OPEN-2", group="attacker")
    got_out: bool = asked(False, "They got out of a vehicle this turn", "V5-TRAN-4", group="circumstances")
    boarded: bool = asked(False, "They got in this turn", "V5-TRAN-4", group="circumstances")
    room: transports.Placement = asked("access", "Where there is room to get out", "V5-TRAN-6", group="circumstances")
    phase: Phase = asked("movement", "Phase", "V5-TRAN-4", group="circumstances")
    band: Band = asked("stationary", "Speed of the vehicle so far", "V5-FAST-5", group="circumstances")
    moved: bool = asked(False, "It has driven, if only a little", "V5-TRAN-8", group="circumstances")
    then: Band | None = asked(None, "How it means to drive afterwards", "V5-FAST-5", group="circumstances")


class Passage(State, frozen=True):
    """The state of the question."""

    inputs: TransportInputs
    now: movement.Situation
    refused: str = ""
    clause: str = ""
    exit: transports.Exit | None = None
    drives: bool = False


def begin_transport(inputs: TransportInputs, rulings: Rulings) -> Passage:
    traits, inputs = traits_of(inputs.types), inputs
    raise_if_refused(movement.refuse_band(inputs.band, traits))
    situation = movement.Situation(
        traits, _inputs.condition_from_inputs(inputs), inputs.band, passengers=inputs.aboard, rulings=rulings
    )
    return Passage(inputs, replace(situation, has_moved=inputs.moved, boarded=inputs.boarded, given_phase=inputs.phase))


@clause("V5-TRAN-4", "V5-TRAN-5", "V5-TRAN-6", "V5-OPEN-2")
def get_in_or_out(tape: Tape, passage: Passage) -> Passage:
    """Look up whether they may, and what follows; no dice."""
    looked_up = _look_up(passage)
    tape.tell(passage_result, looked_up)
    return looked_up


def _look_up(passage: Passage) -> Passage:
    inputs, now = passage.inputs, passage.now
    if inputs.way == "out":
        way = transports.exit_by_choice(now, inputs.room, inputs.then)
        if isinstance(way, Refused):
            return replace(passage, refused=way.reason, clause=way.clause)
        return replace(passage, exit=way, drives=way.vehicle_may_move)
    in_reach = transports.entrance_choice(now.traits, inputs.at_access, max(inputs.at_access, inputs.at_hull))
    unit = transports.BoardingUnit(inputs.unit_type, inputs.models, inputs.got_out)
    refused = transports.refuse_embark(now, unit, inputs.capacity, in_reach, inputs.then)
    passage = replace(passage, drives=movement.refuse_move_now("move", now) is None)
    return passage if refused is None else replace(passage, refused=refused.reason, clause=refused.clause)


def passage_result(passage: Passage) -> Line:
    """Say whether they may get in or out, and what both may do then."""
    allowed_by = "V5-TRAN-5" if passage.exit is None else transports.exit_clause(passage.now, passage.exit)
    return Line(_result_text(passage), (passage.clause or allowed_by,), result="no" if passage.refused else "yes")


def fill_transport(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    filled = fill_from(given, "vehicle", book, "types", "capacity")
    filled = fill_from(filled, "unit", book, "models", unit_type=attrgetter("type"))
    return {"at_access": filled["models"], **filled} if "models" in filled else filled


def allowed_afterwards(passage: Passage) -> str:
    """List what the unit may do afterwards in this turn."""
    if passage.refused:
        return "-"
    if passage.exit is None:
        return "ride"
    return ", ".join(passage.exit.allowed_actions) or "nothing"


def transport_headline(answer: Answer) -> str:
    (passage,) = answer.states.fractions()
    return f"{_result_text(passage)}."


def _may_they(answer: Answer) -> str:
    return f"they may{'' if answer.odds('allowed').mode else ' not'} get {answer.inputs.way}"


def _result_text(passage: Passage) -> str:
    what = f"get {passage.inputs.way}"
    if passage.refused:
        return f"They may not {what}: {passage.refused} ({passage.clause})"
    drives = "the vehicle may still drive" if passage.drives else "the vehicle does not drive any more"
    if passage.exit is None:
        return f"They may {what}; {drives}"
    return f"They may {what} and then {listed(allowed_afterwards(passage).split(', '))}; {drives}"


TRANSPORT = Question(
    "transport",
    "May a unit get in or out, and what then?",
    TransportInputs,
    begin_transport,
    Procedure("transport", (get_in_or_out,)),
    (
        yes_no_measure("allowed", "They may do so", lambda passage: not passage.refused),
        Measure("unit_then", "The unit may then", allowed_afterwards),
        yes_no_measure(
            "counts_as_moving",
            "It counts as moving when it shoots",
            lambda passage: passage.exit is not None and passage.exit.counts_as_moving,
        ),
        yes_no_measure("vehicle_may_move", "The vehicle may then drive", lambda passage: passage.drives),
        yes_no_measure(
            "emergency", "They leave in an emergency", lambda passage: bool(passage.exit and passage.exit.emergency)
        ),
    ),
    transport_headline,
    fill=fill_transport,
    rulings=("one_unit_per_transport", "flat_out_symmetric"),
    example={"way": "out", "band": "combat", "vehicle": "Hay wain", "unit": "Scrapyard mob"},
    small={"way": "out", "band": "combat", "types": ["open_topped"]},
    lead=(Lead("allowed", _may_they),),
)
