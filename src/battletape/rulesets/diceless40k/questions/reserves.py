"""The question `reserves`: how many units come on each turn, with delays and bonuses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from battletape.cards import Inputs, Lead, Line, Measure, Question, Table, asked
from battletape.rulebook import (
    BadInput,
    Caution,
    Meta,
    Procedure,
    State,
    Tape,
    capital,
    clause,
    listed,
    plural,
    replace,
)
from battletape.rulesets.diceless40k.rules.reserves import ALL_COME, refuse_bonus, refuse_delay, reserve_bonus, schedule
from battletape.rulesets.diceless40k.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer

TURNS = tuple(range(1, ALL_COME + 1))
LAST = 20
Delays = tuple[Annotated[int, Meta(ge=0, le=100)], ...]
Bonuses = tuple[Annotated[int, Meta(ge=-100, le=100)], ...]


class ReservesInputs(Inputs, frozen=True):
    """The reserves of a side."""

    units: int = asked(5, "Units in reserve", "DL-94.2", group="target", ge=0, le=100)
    held: int = asked(0, "Units delayed before, arriving now", "DL-94.6", group="target", ge=0, le=100)
    turn: int = asked(1, "The turn that it is", "DL-94.1", group="circumstances", ge=1, le=LAST)
    modifier: int = asked(0, "Modifier of every reserve roll", "DL-94.7", group="circumstances", ge=-10, le=10)
    reroll: bool = asked(False, "Reserve rolls may be re-rolled", "DL-94.7", group="circumstances")
    bonuses: Bonuses = asked((), "Units more or fewer on turns 1, 2, …", "DL-94.7", group="circumstances")
    delays: Delays = asked((), "Units delayed on turns 1, 2, …", "DL-94.6", group="circumstances")
    put_off: bool = asked(False, "The unit in question was put off before", "DL-94.6", group="circumstances")


class Plan(State, frozen=True):
    """Reserves, and the turns on which they come."""

    inputs: ReservesInputs
    rulings: Rulings
    arrivals: tuple[int, ...] = ()


@clause("DL-94.1")
def begin_reserves(inputs: ReservesInputs, rulings: Rulings) -> Plan:
    """Return the reserves as they stand."""
    for name in ("bonuses", "delays"):
        if len(getattr(inputs, name)) > LAST:
            raise BadInput.of(name, f"takes one number for each of turns 1 to {LAST}, and no more.")
    return Plan(inputs, rulings)


@clause("DL-94.2", "DL-94.3", "DL-94.4", "DL-94.6", "DL-94.7")
def schedule_arrivals(tape: Tape, plan: Plan) -> Plan:
    """Find the units that come on each turn: those put off, and the number that is due."""
    given = plan.inputs
    always = reserve_bonus(given.modifier, given.reroll)
    bonuses = {turn: always + bonus for turn, bonus in enumerate(_padded(given.bonuses), 1)}
    delays = {turn: delay for turn, delay in enumerate(given.delays, 1) if delay}
    arrivals = schedule(given.units, delays, bonuses, plan.rulings, given.turn, given.held)
    tape.tell(arrival_lines, arrivals, given.turn, given.units + given.held)
    return replace(plan, arrivals=arrivals)


def arrival_lines(arrivals: Sequence[int], first: int, left: int) -> Iterator[Line]:
    """Say how many units come on each turn from the first one on, and how many still wait."""
    clauses = {1: "DL-94.1", 2: "DL-94.2", 3: "DL-94.3", 4: "DL-94.3", 5: "DL-94.4"}
    for turn, number in enumerate(arrivals, 1):
        if turn >= first:
            left -= number
            come, wait = ("comes" if number == 1 else "come"), ("waits" if left == 1 else "wait")
            text = f"Turn {turn}: {number} {come}, {left} still {wait}"
            yield Line(text, (clauses.get(turn, "DL-94.4"),), result=str(number))


def _padded(numbers: Sequence[int]) -> tuple[int, ...]:
    return (*numbers, *(0,) * (LAST - len(numbers)))


@clause("DL-94.6")
def may_delay(plan: Plan) -> bool:
    """Return whether a unit that arrives now may be put off."""
    return refuse_delay(plan.inputs.turn, plan.inputs.put_off) is None


def reserves_headline(answer: Answer) -> str:
    """Say the schedule in a sentence."""
    (plan,) = answer.states.weights
    coming = [(turn, number) for turn, number in enumerate(plan.arrivals, 1) if number]
    if not coming:
        return "Nobody comes."
    text = listed([f"{number} on turn {turn}" for turn, number in coming])
    total = sum(plan.arrivals)
    return f"{plural(total, 'unit')} {'comes' if total == 1 else 'come'}: {text}."


def table(inputs: ReservesInputs, rulings: Rulings) -> Table:
    """Show how many come, turn by turn, for reserves of every size; the number in question is marked."""
    sizes = tuple(range(1, max(10, inputs.units) + 1))
    rows = tuple((str(size), *map(str, schedule(size, rulings=rulings))) for size in sizes)
    mark = (inputs.units - 1, min(inputs.turn, ALL_COME)) if inputs.units else None
    head = ("units", *(f"turn {turn}" for turn in TURNS))
    return Table("Reserves without delays or bonuses", head, rows, "DL-94.5", mark)


def _on(turn: int) -> Callable[[Plan], int]:
    return lambda plan: plan.arrivals[turn - 1]


def warn_reserves(inputs: ReservesInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn of bonuses that change nothing."""
    for turn, bonus in enumerate(inputs.bonuses, 1):
        refused = refuse_bonus(turn, bonus)
        if refused is not None:
            yield Caution(capital(refused.reason), refused.clause)


RESERVES = Question(
    "reserves",
    "When do the reserves come?",
    ReservesInputs,
    begin_reserves,
    Procedure("reserves", (schedule_arrivals,)),
    (
        Measure("arrive", "Units that come this turn", lambda plan: plan.arrivals[plan.inputs.turn - 1], "units"),
        *(Measure(f"turn_{turn}", f"Units that come on turn {turn}", _on(turn), "units") for turn in TURNS),
        Measure("may_delay", "An arriving unit may be put off", lambda plan: int(may_delay(plan))),
    ),
    reserves_headline,
    table=table,
    warn=warn_reserves,
    example={"units": 5, "delays": [0, 1]},
    rulings=("reserve_delay",),
    lead=(
        Lead("arrive", lambda answer: f"arriving on turn {answer.inputs.turn}"),
        *(Lead(f"turn_{turn}", f"arriving on turn {turn}") for turn in TURNS),
    ),
)
