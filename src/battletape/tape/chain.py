"""Long folds: one step repeated many times, as arithmetic on numbered states.

The step's kernel is worked out once for each state. Then weights move along plain lists of whole numbers:

- plain: one pass over the states for each repetition.
- held: if a run is much longer than any way through the states, and every state that can still change is equally
  likely to stay put, only the moves are worked out: how many of the n steps moved is binomial. The integers are the
  same.
- floats: a matrix power in NumPy, only if the caller asks for it; the result says so.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb, lcm
from operator import mul
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from battletape.tape.kernel import AskedQuestions, Asks, Kernel, all_met
from battletape.tape.limits import BRANCHES_SPENT, LONG_RUN_FACTOR, MAX_MATRIX_STATES, WIDE_WEIGHT_BITS

if TYPE_CHECKING:
    from battletape.tape.exact import Exact

Step = Callable[[Any], Kernel]
"""The result of one step from a state."""
FLOAT_SCALE = 2**62


class Net(Struct):
    """The states of a run, numbered, with the weights of staying put and of going elsewhere on one common scale."""

    states: list[Any]
    stays: list[int]
    rows: list[list[tuple[int, int]]]
    scale: int
    leaks: bool


def repeat(reader: Exact, step: Step, before: Kernel, times: int, at: int) -> Kernel:
    """Take the same step a number of times from every state of a kernel, after so many others."""
    now, total = before.results, before.total
    states, kernels, rounds, first = _reach(reader, step, now, times)
    net = _net(states, kernels)
    start = [now.get(state, 0) for state in states]
    path, done = before.paths, times
    if reader.floats:
        after, total, done = _floats(reader, net, start, total, times)
        path |= {"floats"}
    elif (depth := _hold_depth(net, times, rounds)) is not None:
        after, done = _held(reader, net, depth, start, times)
        total *= net.scale**times
        path |= {"held steps"}
    else:
        after, done = _plain(reader, net, start, times)
        total *= net.scale**done
    if done < times:  # the budget ran out: no part of this run was explored to its end
        reader.left_out(BRANCHES_SPENT)
    results = {state: weight for state, weight in zip(states, after, strict=True) if weight} if done == times else {}
    questions, last = AskedQuestions(before.asked), (0, Asks())
    chose, branches = before.chose, before.branches
    for kernel, taken in zip(kernels, first, strict=True):
        chose, branches, path = chose or kernel.chose, branches + kernel.branches, path | kernel.paths
        if (taken, kernel.asked) != last:  # most states ask the same
            last = taken, kernel.asked
            questions.merge(kernel.asked, (at + taken,))
    return Kernel(results, total, 0, questions.asked, chose, branches, path, met=all_met(kernels))


def _reach(
    reader: Exact, step: Step, now: dict[Any, int], times: int
) -> tuple[list[Any], list[Kernel], int, list[int]]:
    """Return every state that can be reached within this many steps, with its kernel.

    How many that took, and for each.
    """
    known: dict[Any, Kernel] = {}
    first: list[int] = []
    fresh, left = list(now), times
    while fresh and left:
        reached: dict[Any, int] = {}
        for state in fresh:
            kernel = known[state] = step(state)
            first.append(times - left)
            reached.update(kernel.results)
            if reader.spent.spend_past_end(len(kernel.results)):
                reached.update(dict.fromkeys(fresh, 0))
                break
        fresh = [state for state in reached if state not in known]
        left -= 1
        if len(known) > reader.budget.states or reader.spent.over:
            reader.left_out(
                BRANCHES_SPENT if reader.spent.over else f"more states than states={reader.budget.states:,}"
            )
            break
    for state in fresh:  # reached only by the last step, or past the budget: no step leaves them
        known[state] = Kernel({state: 1}, 1, branches=0) if not left else Kernel({}, 1, 1, branches=0)
        first.append(times)
    return list(known), list(known.values()), times - left, first


def _net(states: list[Any], kernels: list[Kernel]) -> Net:
    number = {state: at for at, state in enumerate(states)}
    scale = lcm(*(kernel.total for kernel in kernels))
    stays, rows, leaks = [0] * len(states), [], False
    for at, kernel in enumerate(kernels):
        row, factor, leaks = [], scale // kernel.total, leaks or kernel.lost > 0
        for state, weight in kernel.results.items():
            to = number[state]
            if to == at:
                stays[at] = weight * factor
            else:
                row.append((to, weight * factor))
        rows.append(row)
    return Net(states, stays, rows, scale, leaks)


def _hold_depth(net: Net, times: int, rounds: int) -> int | None:
    """Return the longest way through the states, if a run is long enough for held steps; otherwise None."""
    if net.leaks or times <= LONG_RUN_FACTOR * (
        rounds - 1
    ):  # the last round reached nothing new: the longest way is one step shorter
        return None
    depth = _depth(net.rows)
    return depth if depth is not None and times > LONG_RUN_FACTOR * depth and len(_holds(net)) == 1 else None


def _depth(rows: list[list[tuple[int, int]]]) -> int | None:
    """Return the longest way through the states without staying put; None if there is a circle."""
    longest, waiting = [0] * len(rows), [0] * len(rows)
    for row in rows:
        for to, _ in row:
            waiting[to] += 1
    ready = [at for at, count in enumerate(waiting) if not count]
    for at in ready:
        for to, _ in rows[at]:
            longest[to] = max(longest[to], longest[at] + 1)
            waiting[to] -= 1
            if not waiting[to]:
                ready.append(to)
    return max(longest, default=0) if len(ready) == len(rows) else None


def _plain(reader: Exact, net: Net, start: list[int], times: int) -> tuple[list[int], int]:
    """Pass by pass, as far as the budget goes."""
    now, bits = start, net.scale.bit_length()
    for done in range(times):
        if reader.spent.spend_steps(len(now) * (1 + done * bits // WIDE_WEIGHT_BITS)):  # long numbers take longer
            return now, done
        moved = _pass(reader, now, net.stays, net.rows)
        if moved is None:
            return now, done
        now = moved
    return now, times


def _pass(reader: Exact, now: list[Any], stays: list[Any], rows: list[list[tuple[int, Any]]]) -> list[Any] | None:
    """Move every state's weight along its row once; a part of it stays. None if there is no time even for that."""
    after, spent = list(map(mul, now, stays)), reader.spent
    for weight, row in zip(now, rows, strict=True):
        if weight:
            for to, ways in row:
                after[to] += weight * ways
            if spent.spend_past_end(len(row)):
                return None
    return after


def _holds(net: Net) -> set[int]:
    """Return the weights of staying put, for all states that can still change."""
    return {stay for stay in net.stays if stay != net.scale}


def _held(reader: Exact, net: Net, depth: int, start: list[int], times: int) -> tuple[list[int], int]:
    """Split off the weight of staying put; the rest moves at most `depth` times. And the steps there was time for."""
    hold = _holds(net).pop()
    move = net.scale - hold
    stays = [stay - hold for stay in net.stays]
    moving, after = start, [0] * len(start)
    used, work = 0, len(start) * (1 + times * net.scale.bit_length() // WIDE_WEIGHT_BITS)  # long numbers take longer
    depth = min(depth, times)
    for moves in range(depth):
        share = comb(times, moves) * hold ** (times - moves)
        used += share * move**moves
        after = [a + share * m for a, m in zip(after, moving, strict=True)]
        moved = None if reader.spent.spend_past_end(work) else _pass(reader, moving, stays, net.rows)
        if moved is None:
            return start, 0
        moving = moved
    # past the depth only the scale changes: the rest of the binomial goes to the states that rest
    rest = net.scale**times - used
    return [a + m * rest // move**depth for a, m in zip(after, moving, strict=True)], times


def _floats(reader: Exact, net: Net, start: list[int], total: int, times: int) -> tuple[list[int], int, int]:
    """Return powers of a matrix in floating point, put back on a scale of 2^62."""
    size = len(net.states)
    shares = [weight / total for weight in start]
    if size > MAX_MATRIX_STATES:  # a square matrix of this size would not fit into memory
        stays = [stay / net.scale for stay in net.stays]
        rows: list[list[tuple[int, Any]]] = [[(to, weight / net.scale) for to, weight in row] for row in net.rows]
        for done in range(times):
            if reader.spent.spend_steps(size):
                return start, total, done
            moved = _pass(reader, shares, stays, rows)
            if moved is None:
                return start, total, done
            shares = moved
    else:
        import numpy as np

        matrix = np.diag([stay / net.scale for stay in net.stays])
        for at, row in enumerate(net.rows):
            for to, weight in row:
                matrix[at, to] = weight / net.scale
        vector = np.array(shares)
        if times < 4 * size:
            for _ in range(times):
                vector = vector @ matrix
        else:
            vector = vector @ np.linalg.matrix_power(matrix, times)
        shares = vector.tolist()
    weights = [int(share * FLOAT_SCALE) for share in shares]
    explored = FLOAT_SCALE * sum(start) // total  # what was left out before stays left out
    if weights and (not net.leaks or sum(weights) > explored):
        weights[max(range(size), key=weights.__getitem__)] += explored - sum(weights)
    return weights, FLOAT_SCALE, times
