"""Two independent lines of luck, turn by turn, until one of them is over: a duel.

A turn changes one of the two states and does not look at the other; the race ends when one line is over. So the exact
reader follows each line alone and combines them only where they end: a few hundred states instead of all pairs of
them. The odds are the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from battletape.tape import Rule, Tape
from battletape.tape.ends import Ended, Lines, Turn
from battletape.tape.folds import each_apart, gathered, heard_after
from battletape.tape.kernel import AskedQuestions, Asks, Kernel
from battletape.tape.limits import BRANCHES_SPENT, FOLD_TOGETHER_FROM, RESULTS_PER_BRANCH

if TYPE_CHECKING:
    from battletape.tape.exact import Exact


def one_by_one(tape: Tape, lines: Lines, starts: tuple[Hashable, Hashable], turns: Iterable[Turn]) -> Ended:
    """Follow a race on one path, turn by turn."""
    items = [(at, *turn) for at, turn in enumerate(turns)]
    first, second, ended = tape.each(_one_by_one(lines), (*starts, None), items)
    return lines.kept(first), lines.kept(second), ended


@lru_cache(64)
def _one_by_one(lines: Lines) -> Rule:
    """Return a step of both lines together, for readers that follow one path."""

    def take(tape: Tape, state: Ended, turn: tuple[int, int, Hashable]) -> Ended:
        first, second, ended = state
        at, side, item = turn
        if ended is not None:
            return state
        after = tape.call(lines.step, second if side else first, item)
        ended = at if lines.is_over(after) else None
        return (first, after, ended) if side else (after, second, ended)

    return take


def race(reader: Exact, lines: Lines, starts: tuple[Hashable, Hashable], turns: Sequence[Turn]) -> Kernel:
    """Follow each line alone; when one is over, pair its states with the states the other line has then."""
    moves: dict[Hashable, dict[Any, Kernel]] = {}  # by item, the result for each state
    now = [Kernel({start: 1}, 1, branches=0) for start in starts]
    endings: list[tuple[dict[Ended, int], int]] = []
    for at, (side, item) in enumerate(turns):
        after = now[side] = _moved(reader, lines.step, now[side], item, moves.setdefault(item, {}), at)
        over = {state: weight for state, weight in after.results.items() if lines.is_over(state)}
        after.results = {state: weight for state, weight in after.results.items() if state not in over}
        if over:
            both = (now[0].results, over) if side else (over, now[1].results)
            endings.append((_pairs(reader, lines, both[0], both[1], at), now[0].total * now[1].total))
        if reader.spent.over:
            reader.left_out(BRANCHES_SPENT)
            break
    else:
        both = now[0].results, now[1].results
        endings.append((_pairs(reader, lines, both[0], both[1], None), now[0].total * now[1].total))
    total, results = now[0].total * now[1].total, dict[Any, int]()
    for pairs, size in endings:
        for ended, weight in pairs.items():
            results[ended] = results.get(ended, 0) + weight * (total // size)
    return Kernel(
        results,
        total,
        total - sum(results.values()),
        both_asked(now[0].asked, now[1].asked),
        now[0].chose or now[1].chose,
        now[0].branches + now[1].branches,
        now[0].paths | now[1].paths,
    )


def both_asked(one: Asks, other: Asks) -> Asks:
    """Return what both lines asked."""
    heard = AskedQuestions(one)
    heard.merge(other)
    return heard.asked


def _moved(reader: Exact, step: Rule, before: Kernel, item: Hashable, known: dict[Any, Kernel], at: int) -> Kernel:
    """Return a line after one of its turns; the result for each state is kept, because the same turns come again."""
    fresh = [state for state in before.results if state not in known]
    if len(fresh) > FOLD_TOGETHER_FROM:
        return reader.after(step, before, item, at=at)
    known.update(zip(fresh, each_apart(reader, step, fresh, item), strict=True))
    after = heard_after(
        before, gathered(reader, before, before.results, [known[state] for state in before.results]), at
    )
    after.results = reader.prune(after.results)
    return after


def _pairs(
    reader: Exact, lines: Lines, first: dict[Any, int], second: dict[Any, int], at: int | None
) -> dict[Ended, int]:
    """Return every kept state of one line with every kept state of the other.

    None if that is past the budget of branches.
    """
    ones, twos = (_kept(lines, states) for states in (first, second))
    if reader.spent.spend_steps(len(ones) * len(twos) // RESULTS_PER_BRANCH):
        reader.left_out(BRANCHES_SPENT)
        return {}
    pairs: dict[Ended, int] = {}
    for a, weight in ones.items():
        if reader.spent.spend_past_end(len(twos)):
            reader.left_out(BRANCHES_SPENT)
            break
        for b, ways in twos.items():
            pairs[a, b, at] = weight * ways
    return pairs


def _kept(lines: Lines, states: dict[Any, int]) -> dict[Hashable, int]:
    """Return what is kept of the states of a line."""
    kept_states: dict[Hashable, int] = {}
    for state, weight in states.items():
        kept = lines.kept(state)
        kept_states[kept] = kept_states.get(kept, 0) + weight
    return kept_states
