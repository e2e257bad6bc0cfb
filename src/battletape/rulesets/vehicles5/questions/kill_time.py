"""The question kill_time: how many volleys in a row it takes to destroy a vehicle."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from battletape.cards import Answer, Inputs, Lead, Measure, ProfileBook, Question, Roll, asked, percent
from battletape.rulebook import BadInput, capital, plural
from battletape.rulesets.vehicles5.questions import _inputs, _pictures
from battletape.rulesets.vehicles5.rules.shooting import Volley, begin_volleys, volley_stages
from battletape.rulesets.vehicles5.rulings import Rulings


class VolleyEntry(Inputs, frozen=True):
    """One volley of several."""

    guns: _inputs.Guns = _inputs.FOUR_LASCANNONS
    cover: _inputs.Cover = None


DEFAULT_VOLLEYS = (VolleyEntry(),)
USUAL_VOLLEYS = 6
"""Volleys of guns that fire every time, unless a number is given: the turns of a game."""


class KillTimeInputs(_inputs.TargetInputs, frozen=True):
    """Several volleys in a row."""

    guns: tuple[_inputs.Gun, ...] = asked(
        (), "Guns of every volley, if all are alike", "V5-VOLLEY-1", group="attacker", short="gun"
    )
    cover: _inputs.Cover = None
    volleys: tuple[VolleyEntry, ...] = asked(
        DEFAULT_VOLLEYS, "Volleys", "V5-MARK-5", about=", in firing order", group="attacker", short="volley"
    )
    repeat: int = asked(1, "How often the last one is fired", "V5-MARK-5", group="attacker", ge=1, le=20)
    spread: Literal["one_turn", "turns"] = asked(
        "one_turn",
        "When they are fired",
        "V5-MARK-5",
        group="circumstances",
        note="one_turn: all in one turn; turns: a turn apart, shaken and stunned may be over by then",
    )


def begin_kill_time(inputs: KillTimeInputs, rulings: Rulings) -> Volley:
    if inputs.guns and inputs.volleys not in ((), DEFAULT_VOLLEYS):
        raise BadInput.of("guns", "are those of every volley, volleys the guns of each; give one of the two.")
    entries = (VolleyEntry(guns=inputs.guns),) if inputs.guns else inputs.volleys
    if not entries:
        raise BadInput.of("volleys", "must name at least one volley; got none.")
    covers = (inputs.cover if entry.cover is None else entry.cover for entry in entries)
    volleys_of = zip(entries, covers, strict=True)
    *first, last = (_inputs.volley_of(entry.guns, inputs, cover, rulings) for entry, cover in volleys_of)
    volleys = (*first, *[last] * inputs.repeat)
    return begin_volleys(_inputs.checked_condition(inputs, rulings), volleys, inputs.spread == "turns", rulings)


def kill_time_headline(answer: Answer) -> str:
    odds = answer.odds("destroyed_in").fractions()
    count, so_far, likely = len(answer.start.volleys), Fraction(0), 0
    for number in range(1, count + 1):
        so_far += odds.get(number, Fraction(0))
        likely = likely or (number if so_far >= Fraction(1, 2) else 0)
    when = f"as likely as not by volley {likely}" if likely else "more likely to be still there"
    return f"Destroyed in {plural(count, 'volley')} {percent(so_far)}; {when}."


def _kill_time_result(roll: Roll) -> str:
    volley, hits = roll.results["destroyed_in"], _inputs.hits_summary(roll)
    if volley:
        return f"{capital(str(roll.results['worst']))} in volley {volley}: {hits}."
    return f"Not destroyed, {_inputs.result_words(roll.results['worst'])}: {hits}."


def fill_kill_time(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    if given.get("guns") and not given.get("volleys"):
        given = {"repeat": USUAL_VOLLEYS, **given}
    filled = _inputs.fill_guns(_inputs.fill_targeted(given, book, KillTimeInputs), book)
    return _inputs.fill_many(filled, "volleys", lambda entry: _inputs.fill_guns(entry, book), "guns")


KILL_TIME = Question(
    "kill_time",
    "How many volleys until a vehicle is destroyed?",
    KillTimeInputs,
    begin_kill_time,
    volley_stages,
    (
        Measure(
            "destroyed_in",
            "When it is destroyed",
            lambda volley: volley.destroyed_in,
            words=lambda number: f"volley {number}" if number else "not destroyed",
            never=0,
            adds_up="at_most",
        ),
        *_inputs.DAMAGE,
        *_inputs.EXPECTED,
    ),
    kill_time_headline,
    fill=fill_kill_time,
    warn=lambda inputs, rulings: _inputs.harmless_warnings(
        shot for volley in begin_kill_time(inputs, rulings).volleys for shot in volley
    ),
    rulings=("repeated_shaken", *_inputs.VOLLEY_RULINGS),
    result=_kill_time_result,
    outlines=_pictures.SHOT_AT_IN_TURN,
    example={
        "vehicle": "Anvil battle tank",
        "volleys": [{"guns": [{"weapon": "Lascannon", "models": 3, "facing": "side"}]}],
        "repeat": 4,
    },
    small={"front": 12, "volleys": [{"guns": [{"shots": 2, "bs": 4, "strength": 9, "ap": 2}]}], "repeat": 4},
    lead=(Lead("destroyed", lambda answer: f"destroyed in {plural(len(answer.start.volleys), 'volley')}"),),
)
