"""The fair queue: what is promised about it, for any jobs of any senders, in simulated time."""

from __future__ import annotations

import asyncio
import heapq
import selectors
from collections import Counter
from collections.abc import Coroutine
from statistics import median
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.web import fair_queue
from battletape.web.fair_queue import AGEING, DEBT, FairQueue, Level, sender_of
from battletape.web.jobs import Job, Reply
from battletape.web.limits import Limits
from battletape.web.worker_lanes import Worker
from battletape.web.worker_pool import WorkerPool

MANY = settings(max_examples=60, deadline=None)
WEIGHTS = {"a": 1.0, "b": 1.0, "c": 2.0, "d": 0.5}
COSTS = st.sampled_from((0.01, 0.05, 0.1, 0.4))
ARRIVALS = st.lists(st.tuples(st.sampled_from((0.0, 0.0, 0.02, 0.3)), st.sampled_from("abcd"), COSTS), max_size=60)
"""Jobs that come: the seconds since the last one, the sender, and the cost."""


class Done:
    """What a simulated lane did: every job with its number, when it came, stood at the head, began and ended."""

    def __init__(self, number: int, sender: str, came: float, cost: float) -> None:
        self.number, self.sender, self.came, self.cost = number, sender, came, cost
        self.head = self.began = self.ended = 0.0
        self.is_known = False


def simulate(
    queue: FairQueue[Done], jobs: list[Done], workers: int, guess: float | None = None
) -> tuple[list[Done], list[tuple[float, int, int]]]:
    """All jobs in the order in which they began; and after each event the time, free workers and waiting jobs."""
    waiting, running, order, seen = list(reversed(jobs)), list[tuple[float, int, Any]](), list[Done](), []
    now = 0.0
    while waiting or running or len(queue):
        now = min(([waiting[-1].came] if waiting else []) + ([running[0][0]] if running else []))
        while running and running[0][0] <= now:
            _, _, place = heapq.heappop(running)
            queue.done(place, place.job.cost)
        while waiting and waiting[-1].came <= now:
            job = waiting.pop()
            place = queue.put(
                job.sender, job, now, job.cost if guess is None else guess, WEIGHTS.get(job.sender[0], 1.0)
            )
            if queue.count(job.sender) == 1:
                job.head, job.is_known = now, place.is_known
        while len(running) < workers and (taken := queue.take(now)) is not None:
            job = taken.job
            job.began, job.ended = now, now + job.cost
            order.append(job)
            heapq.heappush(running, (job.ended, job.number, taken))
            for following in queue.waiting.get(job.sender, ()):
                following.job.head, following.job.is_known = now, following.is_known
                break
        seen.append((now, workers - len(running), len(queue)))
    return order, seen


def jobs_of(arrivals: list[tuple[float, str, float]]) -> list[Done]:
    came, jobs = 0.0, []
    for number, (pause, sender, cost) in enumerate(arrivals):
        came += pause
        jobs.append(Done(number, sender, came, cost))
    return jobs


@MANY
@given(ARRIVALS, st.integers(1, 3), st.sampled_from((None, 0.05)))
def test_every_job_is_done_once_in_the_order_of_its_sender_and_no_worker_is_free_while_one_waits(
    arrivals, workers, guess
):
    jobs = jobs_of(arrivals)
    order, seen = simulate(FairQueue(), jobs, workers, guess)
    assert sorted(job.number for job in order) == [job.number for job in jobs]
    for sender in "abcd":
        numbers = [job.number for job in order if job.sender == sender]
        assert numbers == sorted(numbers)
    assert all(not free or not waiting for _, free, waiting in seen)


@MANY
@given(st.lists(st.tuples(st.sampled_from("abcd"), COSTS), min_size=8, max_size=80))
def test_senders_that_always_wait_get_work_by_weight(asked):
    """The bound of start-time fair queuing: two senders differ by at most one job of each, over any stretch of time."""
    jobs = [Done(number, sender, 0.0, cost) for number, (sender, cost) in enumerate(asked)]
    queue: FairQueue[Done] = FairQueue(ageing=0.0)
    order, _ = simulate(queue, jobs, 1)
    left = Counter(job.sender for job in jobs)
    longest = {sender: max(job.cost for job in jobs if job.sender == sender) / WEIGHTS[sender] for sender in left}
    for begin in range(0, len(order), 7):
        work = dict.fromkeys(left, 0.0)
        waits = Counter(left)
        for job in order[:begin]:
            waits[job.sender] -= 1
        both = {sender for sender, count in waits.items() if count}
        for job in order[begin:]:
            work[job.sender] += job.cost / WEIGHTS[job.sender]
            waits[job.sender] -= 1
            both = {sender for sender in both if waits[sender]}
            for one in both:
                for other in both:
                    assert abs(work[one] - work[other]) <= longest[one] + longest[other] + 1e-9


@MANY
@given(ARRIVALS, st.lists(COSTS, min_size=30, max_size=60), st.integers(1, 2), st.sampled_from((None, 0.02)))
def test_no_sender_starves_behind_later_ones(arrivals, flood, workers, guess):
    """A job is overtaken only by those of its party that stood at the head within DEBT / AGEING seconds after it."""
    newcomers = [Done(1_000 + at, f"new {at}", at * 0.05, cost) for at, cost in enumerate(flood)]
    jobs = sorted((*jobs_of(arrivals), *newcomers), key=lambda job: job.came)
    order, _ = simulate(FairQueue(), jobs, workers, guess)
    began = {id(job): at for at, job in enumerate(order)}
    for job in order:
        for other in order[: began[id(job)]]:
            if other.began > job.head and other.is_known == job.is_known:
                assert other.head - job.head <= DEBT / AGEING + 1e-9


def test_waiting_makes_up_for_what_a_sender_owes():
    level: Level[str] = Level(ageing=0.25, debt=2.0)
    level.wait("owes", 0.0, owed=5.0)
    for came, first in ((7.9, "new at 7.9"), (8.1, "owes")):
        level.wait(f"new at {came}", came)
        assert level.first(("owes", f"new at {came}")) == first


def test_no_sender_owes_more_than_the_debt_however_long_a_job_took():
    level: Level[str] = Level(debt=2.0)
    level.wait("a", 0.0)
    level.begin("a", 0.1)
    level.charge("a", 100.0)
    assert level.owed("a") == 2.0


def test_a_sender_that_was_away_has_nothing_saved_up():
    level: Level[str] = Level()
    level.wait("seldom", 0.0)
    level.begin("seldom", 0.1)
    for _ in range(100):
        level.wait("often", 0.0)
        level.begin("often", 0.1)
    turns = []
    for sender in ("seldom", "often"):
        level.wait(sender, 0.0)
    for _ in range(20):
        turns.append(level.first(("seldom", "often")))
        level.begin(turns[-1], 0.1)
        level.wait(turns[-1], 0.0)
    assert Counter(turns) == {"seldom": 10, "often": 10}


def test_a_party_whose_last_job_is_not_wanted_any_more_waits_no_longer():
    queue: FairQueue[str] = FairQueue()
    queue.known["before"] = None
    queue.put("before", "first", 0.0)
    one, other = (queue.put(sender, "new", 0.0) for sender in ("new", "newer"))
    queue.drop(one, 0.0)
    assert queue.parties.lines[False].waits
    queue.drop(other, 0.0)
    assert not queue.parties.lines[False].waits
    assert queue.parties.lines[True].waits


@MANY
@given(st.integers(1, 60), COSTS, COSTS, st.integers(1, 3))
def test_many_new_addresses_get_half_of_the_work_at_most(addresses, cost, own, faithful):
    """Those who were served before get the other half, less one job of each party."""
    queue: FairQueue[Done] = FairQueue()
    senders = [f"before {at}" for at in range(faithful)]
    simulate(queue, [Done(at, sender, 0.0, 0.01) for at, sender in enumerate(senders)], 1)
    late = [Done(100 + at, senders[at % faithful], 0.0, own) for at in range(40)]
    jobs = [Done(1_000 + at, f"new {at}", 0.0, cost) for at in range(addresses)] + late
    order, _ = simulate(queue, jobs, 1)
    work, left = {True: 0.0, False: 0.0}, {True: len(late), False: addresses}
    for job in order:
        is_known = job.sender in senders
        work[is_known] += job.cost
        left[is_known] -= 1
        if not all(left.values()):
            break
        assert abs(work[True] - work[False]) <= cost + own + 1e-9


def test_addresses_that_come_again_get_one_share_each_and_no_more():
    queue: FairQueue[Done] = FairQueue(ageing=0.0)
    senders = ["one", *(f"other {at}" for at in range(5))]
    simulate(queue, [Done(at, sender, 0.0, 0.1) for at, sender in enumerate(senders)], 1)
    jobs = [Done(at, sender, 0.0, 0.1) for sender in senders for at in range(10)]
    order, _ = simulate(queue, jobs, 1)
    for end in range(6, 60, 6):
        assert Counter(job.sender for job in order[:end]).most_common()[0][1] == end // 6


def test_work_done_while_no_other_sender_waits_is_not_charged():
    queue: FairQueue[str] = FairQueue()
    for at in range(20):
        place = queue.put("a", "alone", float(at))
        assert queue.take(float(at)) is place
        queue.done(place, 0.9)
    places = [queue.put(sender, sender, 20.0) for sender in ("a", "b")]
    queue.known["b"] = None
    assert [queue.take(20.0), queue.take(20.0)] == places


def test_what_a_job_did_cost_counts_and_not_what_was_expected():
    queue: FairQueue[str] = FairQueue()
    queue.known.update(dict.fromkeys("abc"))
    held = queue.put("c", "it runs all the time", 0.0)
    assert queue.take(0.0) is held
    for sender, seconds in (("a", 0.5), ("b", 0.1)):
        place = queue.put(sender, "first", 0.0, cost=0.3)
        assert queue.take(0.0) is place
        queue.done(place, seconds)
    for sender in "ab":
        queue.put(sender, "second", 0.5)
    order = [queue.take(0.5), queue.take(0.5)]
    assert [place and place.sender for place in order] == ["b", "a"]


def test_a_debt_is_brought_along_and_forgotten_last(monkeypatch):
    queue: FairQueue[str] = FairQueue()
    queue.put("x", "it runs all the time", 0.0)
    queue.take(0.0)
    place = queue.put("newcomer", "first", 0.0, cost=0.0)
    queue.take(0.0)
    queue.done(place, 1.5)  # now it has been served
    queue.put("newcomer", "second", 0.0)
    assert queue.senders[True].owed("newcomer") == pytest.approx(1.5)
    monkeypatch.setattr(fair_queue, "OWING", 4)
    level: Level[str] = Level()
    for at in range(12):
        level.wait(f"s{at}", 0.0)
        level.begin(f"s{at}", 1.9 if at == 1 else 0.1)
    assert len(level.lines) <= 4
    assert level.owed("s1") == pytest.approx(1.9)


def test_what_is_not_wanted_any_more_leaves_the_queue():
    queue: FairQueue[str] = FairQueue()
    first, second, third = (queue.put("a", name, 0.0) for name in ("first", "second", "third"))
    queue.drop(second, 0.0)
    queue.drop(first, 0.0)
    queue.drop(first, 0.0)
    assert [place.job for place in queue] == ["third"]
    assert queue.take(0.0) is third
    queue.done(third, 0.0)
    assert not queue.waiting
    assert not queue.senders[False].lines
    queue.drop(queue.put("b", "alone", 1.0), 1.0)
    assert queue.take(1.0) is None
    assert not queue.known  # neither was served


def test_only_so_many_are_remembered_as_served(monkeypatch):
    monkeypatch.setattr(fair_queue, "KNOWN", 3)
    queue: FairQueue[Done] = FairQueue()
    simulate(queue, [Done(at, f"s{at}", float(at), 0.1) for at in range(9)], 1)
    assert list(queue.known) == ["s6", "s7", "s8"]


@pytest.mark.parametrize(
    ("address", "sender"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("", ""),
        ("a name", "a name"),
    ],
)
def test_a_network_of_ipv6_addresses_is_one_sender(address, sender):
    assert sender_of(address) == sender


class Clock(asyncio.SelectorEventLoop):
    """An event loop in simulated time: where it would wait, its clock moves on."""

    def __init__(self) -> None:
        self.now = 0.0
        loop = self

        class Waiting(selectors.DefaultSelector):
            def select(self, timeout: float | None = None) -> Any:
                if timeout:
                    loop.now += timeout
                return super().select(0)

        super().__init__(Waiting())

    def time(self) -> float:
        return self.now


def in_simulated_time(work: Coroutine[Any, Any, Any]) -> Any:
    with asyncio.Runner(loop_factory=Clock) as runner:
        return runner.run(work)


class Quick(Worker):
    """A worker without a process: every job takes a fifth of a second."""

    async def start(self) -> None:
        """There is nothing to start."""

    async def get_ready(self) -> dict[str, str]:
        """It is."""
        return {}

    @property
    def is_gone(self) -> bool:
        """It never is."""
        return False

    async def do(self, message: bytes, seconds: float) -> tuple[Reply, float]:
        await asyncio.sleep(0.2)
        return Reply(b"done"), 0.2

    async def end(self, patience: float = 0.0) -> None:
        """There is nothing to end."""


@pytest.mark.parametrize("pause", [0.0, 1.0])
def test_a_known_sender_does_not_starve_behind_ever_new_addresses(monkeypatch, pause):
    """Twenty-four askers from ever new addresses, and one who came before: he waits for the jobs that run."""
    monkeypatch.setattr("battletape.web.worker_lanes.Worker", Quick)

    async def go() -> list[float]:
        loop = asyncio.get_running_loop()
        pool = WorkerPool(Limits(), 2)
        await pool.start()
        asked = iter(range(1_000_000))

        async def ask(client: str) -> float:
            began = loop.time()
            assert (await pool.do(Job("answer", "page", {"at": next(asked)}), client)).status == 200
            return loop.time() - began

        async def flood() -> None:
            while True:
                await ask(f"new {next(asked)}")

        for _ in range(3):
            await ask("before")
        askers = [asyncio.create_task(flood()) for _ in range(24)]
        await asyncio.sleep(3.0)
        waits = []
        for _ in range(30):
            waits.append(await ask("before"))
            await asyncio.sleep(pause)
        for asker in askers:
            asker.cancel()
        await asyncio.gather(*askers, return_exceptions=True)
        await pool.stop()
        return waits

    waits = in_simulated_time(go())
    assert median(waits) <= 0.6
    assert max(waits) <= 1.0
