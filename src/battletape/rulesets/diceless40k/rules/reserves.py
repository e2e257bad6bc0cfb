"""Reserves: how many units come on each turn, delays, and outflanking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from battletape.rulebook import (
    BadInput,
    Line,
    Procedure,
    Refused,
    State,
    Tape,
    capital,
    clause,
    plural,
    raise_if_refused,
    replace,
)
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings

Edge: TypeAlias = Literal["left", "right"]

EDGES: tuple[Edge, ...] = ("left", "right")
FIRST_TURN = 2  # before it no unit comes
ALL_COME = 5  # from this turn on no unit waits any longer


class Reserves(State, frozen=True):
    """The reserves of a side, and its units that come this turn.

    `held` were put off before: the owner delayed them, or a mishap sent them back; they come this turn for certain.
    """

    side: str
    turn: int
    waiting: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    bonus: int = 0
    rulings: Rulings = DEFAULT
    left_to_pick: int = 0
    picked: tuple[str, ...] = ()
    arriving: tuple[str, ...] = ()
    delayed: tuple[str, ...] = ()


@clause("DL-94.7")
def reserve_bonus(modifier: int = 0, reroll: bool = False) -> int:
    """Return how many units more or fewer come: one for each point of a modifier, and one for a re-roll."""
    return modifier + reroll


@clause("DL-94.1", "DL-94.2", "DL-94.3", "DL-94.4", "DL-94.7")
def quota(in_reserve: int, turn: int, bonus: int = 0) -> int:
    """Return how many of the units in reserve come: none, half rounded down, twice half rounded up, then all."""
    if in_reserve < 0 or turn < 1:
        raise BadInput(f"reserves must be 0 units or more, on turn 1 or later; got {in_reserve} units on turn {turn}.")
    if turn < FIRST_TURN:
        return 0
    if turn >= ALL_COME:
        return in_reserve
    half = in_reserve // 2 if turn == FIRST_TURN else (in_reserve + 1) // 2
    return min(in_reserve, max(0, half + bonus))


@clause("DL-94.6")
def due(waiting: int, held: int, turn: int, bonus: int = 0, rulings: Rulings = DEFAULT) -> int:
    """Return how many waiting units are picked, beside those put off before, which come for certain."""
    if rulings.reserve_delay == "on_top":
        return quota(waiting, turn, bonus)
    return max(0, quota(waiting + held, turn, bonus) - held)


@clause("DL-94.1", "DL-94.4", "DL-94.7")
def refuse_bonus(turn: int, bonus: int) -> Refused | None:
    """Refuse a bonus on the first turn, when no unit comes, and from the fifth on, when all do."""
    if not bonus or FIRST_TURN <= turn < ALL_COME:
        return None
    comes = "nobody comes from reserve" if turn < FIRST_TURN else "all reserves come"
    return Refused(f"on turn {turn} {comes}, whatever the bonus; got {bonus:+d}", "DL-94.7", "bonus")


@clause("DL-94.6")
def refuse_delay(turn: int, already_delayed: bool = False) -> Refused | None:
    """Refuse to delay an arriving unit that was delayed before, or when all must come."""
    if already_delayed:
        return Refused("it was put off once, and a unit is never delayed for more than one turn", "DL-94.6")
    if turn >= ALL_COME:
        return Refused(f"from turn {ALL_COME} on all reserves come", "DL-94.6")
    return None


@clause("DL-94.2", "DL-94.3", "DL-94.7")
def count_reserves(tape: Tape, reserves: Reserves) -> Reserves:
    """Find how many units are due, and let those come that were put off before."""
    number = due(len(reserves.waiting), len(reserves.held), reserves.turn, reserves.bonus, reserves.rulings)
    return replace(reserves, left_to_pick=number, arriving=reserves.held, held=())


@clause("DL-94.2", "DL-94.3", "DL-94.7")
def pick_reserves(tape: Tape, reserves: Reserves) -> Reserves:
    """Let the owner choose the units that make up the number."""
    behind = range(len(reserves.waiting) - 1, -1, -1)  # how many could still be picked after each
    return tape.each(_pick, replace(reserves, waiting=()), tuple(zip(reserves.waiting, behind, strict=True)))


def _pick(tape: Tape, reserves: Reserves, item: tuple[str, int]) -> Reserves:
    (unit, behind), wanted = item, reserves.left_to_pick
    options = ("comes", "waits") if behind >= wanted else ("comes",)
    if wanted and tape.choose(options, by=reserves.side, label=f"reserve {unit}") == "comes":
        return replace(reserves, picked=(*reserves.picked, unit), left_to_pick=wanted - 1)
    return replace(reserves, waiting=(*reserves.waiting, unit))


@clause("DL-94.6")
def delay_reserves(tape: Tape, reserves: Reserves) -> Reserves:
    """Let the owner choose which of the picked units come one turn later."""
    return tape.each(_delay, replace(reserves, picked=()), reserves.picked)


def _delay(tape: Tape, reserves: Reserves, unit: str) -> Reserves:
    options = ("now",) if refuse_delay(reserves.turn) else ("now", "next turn")
    if tape.choose(options, by=reserves.side, label=f"arrival of {unit}") == "now":
        return replace(reserves, arriving=(*reserves.arriving, unit))
    return replace(reserves, delayed=(*reserves.delayed, unit))


ARRIVAL = Procedure("reserves", (count_reserves, pick_reserves, delay_reserves))


@clause("DL-94.4", "DL-94.5", "DL-94.6")
def schedule(
    units: int,
    delays: Mapping[int, int] | None = None,
    bonuses: Mapping[int, int] | None = None,
    rulings: Rulings = DEFAULT,
    first: int = 1,
    held: int = 0,
) -> tuple[int, ...]:
    """Return how many units come on turns 1 to 5, when so many of a turn's picks are delayed.

    Where it begins later, `first` is the turn that it is, and `held` were put off before and come then.
    """
    wanted, bonus = dict(delays or {}), dict(bonuses or {})
    waiting, arrivals = units, [0] * (first - 1)
    for turn in range(first, max(first, ALL_COME) + 1):
        picked = due(waiting, held, turn, bonus.get(turn, 0), rulings)
        delayed = wanted.pop(turn, 0)
        raise_if_refused(refuse_delay(turn) if delayed else None)
        if not 0 <= delayed <= picked:
            chosen = f"{plural(picked, 'unit')} {'is' if picked == 1 else 'are'} picked on turn {turn}"
            raise Refused(f"{chosen}, so {delayed} cannot be delayed", "DL-94.6")
        arrivals.append(held + picked - delayed)
        waiting, held = waiting - picked, delayed
    if wanted:
        turns = ", ".join(map(str, sorted(wanted)))
        raise BadInput(f"units are delayed on turns 1 to {ALL_COME}; got turn {turns}.", field="delays")
    return tuple(arrivals)


class Outflank(State, frozen=True):
    """A unit that outflanks: the edges where there is room for it, and where it came on."""

    unit: str
    side: str
    room: tuple[Edge, ...] = EDGES
    edge: Edge | None = None
    removed: bool = False


@clause("DL-94.8")
def choose_edge(tape: Tape, outflank: Outflank) -> Outflank:
    """Let the owner choose the table edge, left or right."""
    open_edges = tuple(edge for edge in EDGES if edge in outflank.room)
    if not open_edges:
        return outflank
    return replace(outflank, edge=tape.choose(open_edges, by=outflank.side, label=f"table edge of {outflank.unit}"))


@clause("DL-94.9")
def enter_from_edge(tape: Tape, outflank: Outflank) -> Outflank:
    """Let a unit enter from its edge; without room it is removed from play."""
    unit = capital(outflank.unit)
    if outflank.edge is None:
        tape.tell("{} has no room and is removed from play", unit)
    else:
        tape.tell(Line, f"{unit} comes on from the {outflank.edge} edge", ("DL-94.8",), result=str(outflank.edge))
    return replace(outflank, removed=outflank.edge is None)


OUTFLANK = Procedure("outflank", (choose_edge, enter_from_edge))
