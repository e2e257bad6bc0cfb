"""The soak's verdict: what is flat passes, and whatever grows, is lost or fails is told."""

from __future__ import annotations

from math import sin

import pytest

from benchmarks.soak import MB, Bounds, Sample, lines, troubles

FINE: dict[str, dict[str, int]] = {"errors": {}}


def samples(server=0.0, worker=0.0, descriptors=0.0, *, left: int = 3, filling: float = 0.0) -> list[Sample]:
    """Half an hour of a server and two workers; so much is added in each minute, and so much in the warm-up."""
    made = []
    for at in range(180):
        minutes = at / 6
        noise = 3 * MB * sin(at)
        full = min(minutes / 10, 1.0) * filling
        memory = (90 * MB + noise + server * minutes, *[(200 * MB + noise + full + worker * minutes)] * 2)
        many = left if at > 170 else 3
        held = (20 + at % 3 + descriptors * minutes, 4, 4)
        made.append(
            Sample(60 * minutes, tuple(map(int, memory))[:many], tuple(map(int, held))[:many], (1, 2, 3)[:many])
        )
    return made


@pytest.mark.parametrize(
    "watched, seen, told",
    [
        (samples(), FINE, ""),
        (samples(filling=150 * MB), FINE, ""),
        (samples(server=1.5 * MB), FINE, "memory of the server rose by"),
        (samples(worker=3 * MB), FINE, "memory of all workers rose by"),
        (samples(descriptors=0.5), FINE, "descriptors of the server rose by"),
        (samples(left=2), FINE, "2 processes are left of 3"),
        (samples(), {"errors": {"500 attack_dice attack": 2}}, "2 times 500 attack_dice attack"),
    ],
)
def test_a_soak_tells_what_grows_what_is_lost_and_what_failed(watched, seen, told):
    found = troubles(watched, Bounds(), [FINE, seen])
    assert len(found) == (1 if told else 0)
    assert told in "".join(found)


def test_the_line_through_the_samples_is_that_of_least_squares():
    rising = [Sample(float(at), (1_000 + 10 * at,), (at % 2,), (1,)) for at in range(101)]
    (server, *_) = lines(rising, Bounds(server=499))
    assert (server.begin, server.rise, server.most) == pytest.approx((1_500, 500, 2_000))
    assert not server.is_flat
