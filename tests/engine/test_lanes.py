"""Several kernels side by side: each comes out as it went in, however wide its lane has become."""

from __future__ import annotations

from battletape.dice import D6
from battletape.tape import Tape
from battletape.tape.exact import Exact
from battletape.tape.folds import after
from battletape.tape.kernel import Kernel
from battletape.tape.lanes import one_lane, side_by_side, wider

STARTS = [{0: 1, 3: 5}, {1: 7}, {0: 2, 1: 255, 4: 1}]


def drift(tape: Tape, state: int, item: int) -> int:
    return (state + int(tape.roll(D6, label="drift"))) % 7


def test_lanes_unpack_the_weights_that_were_packed():
    packed = side_by_side(STARTS, 263)
    assert [one_lane(packed, lane) for lane in range(3)] == STARTS


def test_a_wider_lane_holds_the_same():
    packed = side_by_side(STARTS, 263)
    wide = wider(packed, 10**400)
    assert wide.lanes is not None
    assert packed.lanes is not None
    assert wide.lanes[1] > packed.lanes[1]
    assert [one_lane(wide, lane) for lane in range(3)] == STARTS
    assert wider(wide, 10**400) is wide


def test_a_long_fold_of_all_is_the_fold_of_each():
    packed, alone = side_by_side(STARTS, 263), [Kernel(dict(start), 263) for start in STARTS]
    for item in range(120):  # longer than the lanes were made for
        packed = after(Exact(), drift, packed, item)
        alone = [after(Exact(), drift, kernel, item) for kernel in alone]
    assert packed.total == alone[0].total
    assert [one_lane(packed, lane) for lane in range(3)] == [kernel.results for kernel in alone]
