"""The turns of a battle: `begin_battle` rolls initiative, and `end_turn` hands on to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.log import Happened, Line, Narrator
from battletape.odds import percent
from battletape.procedure import Procedure
from battletape.rulesets.deathwatch.battle.acting import Nothing, refuse_begun
from battletape.rulesets.deathwatch.battle.state import State
from battletape.rulesets.deathwatch.battle.turn import finish_turn, open_round, roll_initiative
from battletape.rulesets.deathwatch.rules.attack.hit_log import rows_in, tell_row
from battletape.system import Action, Measure

if TYPE_CHECKING:
    from battletape.answer import Answer


@clause("DW-ECON-1")
def refuse_begin(state: State, order: Nothing) -> Refused | None:
    """Why initiative is not rolled: it was."""
    return Refused("initiative has been rolled", "DW-ECON-1", "initiative") if state.round else None


@clause("DW-ECON-1")
def refuse_end(state: State, order: Nothing) -> Refused | None:
    """Why a turn cannot end: the battle has not begun, or is over."""
    return refuse_begun(state)


def _flow(
    name: str,
    title: str,
    refuse: Any,
    procedure: Procedure,
    headline: Callable[[Answer], str],
    *clauses: str,
    measures: tuple[Measure, ...] = (),
) -> Action:
    return Action(
        name,
        title,
        Nothing,
        refuse,
        lambda state, order: state,
        procedure,
        lambda state, order, after: after,
        measures=measures,
        headline=headline,
        narrate=NARRATE,
        clauses=clauses,
    )


FALLEN = Measure(
    "dead", "How many are dead or destroyed", lambda state: sum(unit.is_dead for unit in state.units), "units"
)


def tell_turn(happened: Happened) -> Iterator[Line]:
    """The critical rows that fire or a torn wound reached as a turn began."""
    if happened.trail:
        yield from (tell_row(hit, row) for hit, row in rows_in(happened))


NARRATE = Narrator(tell_turn)


def next_headline(answer: Answer) -> str:
    """Whose turn is next, and whether somebody dies as it begins."""
    fallen = FALLEN.of(answer.start)
    risk = answer.odds("dead").at_least(fallen + 1)
    return f"Somebody dies as the next turn begins {percent(risk)}." if risk else "The next turn begins."


BEGIN_BATTLE = _flow(
    "begin_battle",
    "Roll initiative",
    refuse_begin,
    Procedure("initiative", (roll_initiative, open_round)),
    lambda answer: "A d10 and the Agility bonus for everybody.",
    "DW-ECON-1",
)
END_TURN = _flow(
    "end_turn",
    "End the turn",
    refuse_end,
    Procedure("end of turn", (finish_turn,)),
    next_headline,
    *("DW-ECON-1", "DW-PIN-2", "DW-STUN-1", "DW-BLOOD-1", "DW-COND-FIRE", "DW-HORDE-16"),
    measures=(FALLEN,),
)
