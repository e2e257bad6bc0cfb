"""Several kernels side by side: one fold for all of them.

A fold is linear in the weights. When the same steps are taken from several starts, the weights of a state stand side
by side in one long number, each in a lane wide enough for its largest value, and are multiplied all at once.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from battletape.tape.kernel import AskedQuestions, Asks, Kernel


def side_by_side(starts: list[dict[Any, int]], total: int) -> Kernel:
    """Return several kernels in one: weights side by side in one number, each in a lane of its own."""
    size = total.bit_length() // 8 + 16
    packed: dict[Any, int] = {}
    for lane, states in enumerate(starts):
        for state, weight in states.items():
            packed[state] = packed.get(state, 0) + (weight << (8 * size * lane))
    return Kernel(packed, total, branches=0, lanes=(len(starts), size), met=frozenset())


def one_lane(kernel: Kernel, lane: int) -> dict[Any, int]:
    """Return the weights of one of several kernels."""
    assert kernel.lanes is not None
    number, size = kernel.lanes
    first, last, whole = lane * size, (lane + 1) * size, number * size
    if not kernel.bytes:
        kernel.bytes = {state: weight.to_bytes(whole, "little") for state, weight in kernel.results.items()}
    lane_weights: dict[Any, int] = {}
    for state, weights in kernel.bytes.items():
        weight = int.from_bytes(weights[first:last], "little")
        if weight:
            lane_weights[state] = weight
    return lane_weights


def asked_by_lane(kernel: Kernel, asked: dict[Asks, int]) -> tuple[Asks, ...]:
    """Return what is asked in each lane, given the weights, side by side, of all states that ask the same."""
    assert kernel.lanes is not None
    number, size = kernel.lanes
    lanes = [AskedQuestions() for _ in range(number)]
    for questions, weight in asked.items():
        weights = weight.to_bytes(number * size + 8, "little")
        for lane, heard in enumerate(lanes):
            if any(weights[lane * size : (lane + 1) * size]):
                heard.merge(questions)
    return tuple(heard.asked for heard in lanes)


def wider(kernel: Kernel, total: int) -> Kernel:
    """Return the kernel with lanes wide enough for this total."""
    assert kernel.lanes is not None
    number, size = kernel.lanes
    if total.bit_length() <= 8 * size:
        return kernel
    more = 2 * (total.bit_length() // 8 + 1)
    whole, gap = number * size, b"\0" * (more - size)
    results = {}
    for state, weight in kernel.results.items():
        old = weight.to_bytes(whole, "little")
        new = b"".join(old[at : at + size] + gap for at in range(0, whole, size))
        results[state] = int.from_bytes(new, "little")
    return replace(kernel, results=results, lanes=(number, more), bytes={})
