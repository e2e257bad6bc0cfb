"""The worker pool: who waits for whom, what is kept, and what happens to a worker that does not come back."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import lru_cache
from itertools import count
from time import process_time, sleep

import pytest
from msgspec.structs import replace

from battletape import memory, registry
from battletape.processes import Stopped, Watch, process_state, processor_seconds
from battletape.tape.kernel import Kernel
from battletape.views.front_page import tile_view
from battletape.web import jobs, worker, worker_lanes, worker_pool
from battletape.web.jobs import Job, Reply
from battletape.web.limits import LIMITS, Limits
from battletape.web.worker_pool import InProcess, ReplyCache, UnfinishedResults, WorkerPool

FAKE = (sys.executable, "-m", "tests.web.fake_worker")
LIMITED = Limits(quick=0.2, patient=2.0, second=60.0, grace=60.0, queue=60.0, waiting_each=4)
HASTY = Limits(quick=0.1, patient=0.1, grace=0.2, queue=60.0)


@asynccontextmanager
async def pool(quick: int = 1, limits: Limits = LIMITED) -> AsyncIterator[WorkerPool]:
    made = WorkerPool(limits, quick, FAKE)
    await made.start()
    try:
        await made.complete()
        yield made
    finally:
        await made.stop()


def run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(test())  # type: ignore[arg-type]


def make(name: str, **given: str) -> Job:
    return Job(name, "api", dict(given))


def test_a_job_is_done_in_the_quick_lane():
    async def go():
        async with pool() as made:
            assert (await made.do(make("hello"), "a")).body == b"hello 0.2"

    run(go)


def test_what_the_quick_lane_cuts_short_is_done_again_with_patience():
    async def go():
        async with pool() as made:
            assert (await made.do(make("large"), "a")).body == b"large 2"

    run(go)


def test_one_patient_question_for_each_client_the_next_gets_what_was_found():
    async def go():
        async with pool(2) as made:
            made.patients.add("a")
            got = await made.do(make("large"), "a")
            assert got.body == b"large 0.2"
            assert got.cut
            assert (await made.do(make("large"), "b")).body == b"large 2"

    run(go)


def test_an_answer_at_hand_does_not_wait_long_for_a_better_one():
    async def go():
        async with pool(1, replace(LIMITED, second=0.1)) as made:
            long = asyncio.create_task(made.patient.do(jobs.encode((make("dawdle"), 2.0)), "a", 2.0))
            while not made.patient.running:
                await asyncio.sleep(0)
            async with asyncio.timeout(LIMITED.queue / 2):
                assert (await made.do(make("large"), "b")).body == b"large 0.2"
            assert not made.patients
            assert not len(made.patient.waiting)
            long.cancel()
            await asyncio.gather(long, return_exceptions=True)

    run(go)


def test_jobs_of_a_kind_that_takes_long_go_to_the_patient_lane_at_once():
    async def go():
        async with pool() as made:
            made.costs["hello", "", ""] = 1.0
            assert (await made.do(make("hello"), "a")).body == b"hello 2"
            made.patients.add("a")
            assert (await made.do(make("hello"), "a")).body == b"hello 0.2"
            assert made.costs["hello", "", ""] < 1.0

    run(go)


def test_what_goes_on_in_another_job_keeps_to_the_quick_lane_and_gets_on_though_the_other_stands_still(monkeypatch):
    monkeypatch.setattr(worker_pool, "GOING_ON", {"hello", "large"})

    async def go():
        async with pool() as made:
            made.costs["hello", "", ""] = 1.0
            assert (await made.do(make("hello"), "a")).body == b"hello 0.2"
            made.patients.add("a")  # the patient lane does not take it
            got = await made.do(make("large"), "a")
            assert (got.body, got.cut) == (b"large 2", False)

    run(go)


def test_what_was_begun_is_found_again_until_newer_ones_need_the_room():
    unfinished = UnfinishedResults(10)
    unfinished.put(b"a", b"1234")
    unfinished.put(b"a", b"123456")
    assert (unfinished.find(b"a"), unfinished.size) == (b"123456", 6)
    unfinished.put(b"b", b"12345")
    assert (unfinished.find(b"a"), unfinished.find(b"b"), unfinished.size) == (b"", b"12345", 5)


def test_the_same_job_is_answered_from_what_was_kept():
    async def go():
        async with pool() as made:
            first = await made.do(make("same"), "a")
            await made.quick.stop()
            assert await made.do(make("same"), "b") is first

    run(go)


def test_a_worker_that_dawdles_is_ended_and_replaced_and_the_player_hears_why(caplog):
    async def go():
        async with pool(1, HASTY) as made:
            (before,) = made.quick.free
            got = await made.do(make("dawdle", ruleset="deathwatch", question="a\nb", shots="7,777"), "192.0.2.1")
            assert got.status == 503
            assert b"took too long" in got.body
            assert got.headers["Retry-After"] == "2"
            made.quick.grace = made.patient.grace = 60.0
            assert (await made.do(make("hello"), "a")).body == b"hello 0.1"
            assert before.process is not None
            assert before.process.returncode is not None

    run(go)
    assert "a worker did not come back from dawdle deathwatch ab: it took too long" in caplog.text
    assert "192.0.2.1" not in caplog.text  # neither who asked
    assert "7,777" not in caplog.text  # nor the inputs


def test_a_worker_that_dies_is_replaced_and_the_player_hears_whose_fault_it_was():
    async def go():
        async with pool() as made:
            got = await made.do(make("die"), "a")
            assert got.status == 503
            assert b"failed twice" in got.body
            assert (await made.do(make("hello"), "a")).status == 200

    run(go)


def test_what_a_worker_died_of_by_chance_is_tried_again(tmp_path):
    async def go():
        async with pool() as made:
            for patients in (set(), {"a"}):
                made.patients = patients
                once = tmp_path / "once"
                once.touch()
                assert (await made.do(make("die_once", file=str(once)), "a")).status == 200

    run(go)


@pytest.mark.parametrize(("toils", "status"), [(0, 200), (1, 503)])
def test_a_worker_that_a_busy_machine_does_not_let_work_is_waited_for(toils, status, monkeypatch):
    worked = count(0.0, toils)  # so many seconds from one look to the next
    monkeypatch.setattr("battletape.processes.processor_seconds", lambda pid: next(worked))

    async def go():
        async with pool(1, HASTY) as made:
            made.patients.add("a")
            assert (await made.do(make("starve"), "a")).status == status

    run(go)


@pytest.mark.parametrize("is_cold", [True, False])
def test_a_worker_that_has_not_loaded_all_systems_has_more_time(is_cold, monkeypatch):
    worked = count(0.0, 1)
    monkeypatch.setattr("battletape.processes.processor_seconds", lambda pid: next(worked))
    if is_cold:
        monkeypatch.setenv("FAKE_COLD", "1")

    async def go():
        async with pool(1, HASTY) as made:
            made.patients.add("a")
            assert (await made.do(make("starve"), "a")).status == (200 if is_cold else 503)

    run(go)


@pytest.mark.parametrize(("toils", "fate"), [(0, "hello 0.2"), (1, "hung")])
def test_a_worker_that_a_busy_machine_keeps_at_its_chore_is_waited_for(toils, fate, monkeypatch, caplog):
    worked = count(0.0, toils)  # so many seconds from one look to the next
    monkeypatch.setenv("FAKE_CHORE", "1.5")
    monkeypatch.setattr(worker_lanes, "CHORE_SECONDS", 1.0)

    async def go():
        lane = worker_lanes.Lane(1, LIMITED, FAKE)
        await lane.start()
        monkeypatch.setattr("battletape.processes.processor_seconds", lambda pid: next(worked))
        reply, _ = await lane.do(jobs.encode((make("hello"), 0.2)), "a", 0.2)
        assert (reply.body.decode() if isinstance(reply, Reply) else reply) == fate
        await asyncio.gather(*lane.starting)
        await lane.stop()

    run(go)
    assert ("a worker did not come back" in caplog.text) is (fate == "hung")


def test_the_first_answer_needs_one_worker_and_the_others_come_after_it():
    async def go():
        made = WorkerPool(LIMITED, 3, FAKE)
        await made.start()
        try:
            assert made.completing is not None
            assert len(made.quick.alive) == 1
            assert not made.patient.alive
            await asyncio.sleep(0)
            assert (await made.do(make("hello"), "a")).status == 200
            await made.completing
            assert (len(made.quick.free), len(made.quick.spares), len(made.patient.free)) == (3, 1, 1)
        finally:
            await made.stop()

    run(go)


def test_idle_workers_work_out_the_other_questions(monkeypatch):
    monkeypatch.setattr("battletape.web.worker_pool.CALM_SECONDS", 0.01)

    async def go():
        made = WorkerPool(LIMITED, 2, FAKE)
        await made.start()
        try:
            assert made.completing is not None
            await made.completing
            assert (len(made.quick.free), len(made.patient.free)) == (2, 1)
        finally:
            await made.stop()

    run(go)


def test_a_worker_loads_what_the_first_page_shows_before_anything_else():
    jobs.load()
    chores = worker._chores()
    for done, _ in enumerate(registry.names(), 1):
        next(chores)
        assert tile_view.cache_info().currsize >= done
    before = tile_view.cache_info().misses
    assert jobs.run(Job("home_page", "page", {}), 5.0).status == 200
    assert tile_view.cache_info().misses == before


def signal_all(made: WorkerPool, what: signal.Signals) -> None:
    for one in (*made.quick.alive, *made.patient.alive):
        assert one.process is not None
        one.process.send_signal(what)


@pytest.mark.parametrize("what", [signal.SIGSTOP, signal.SIGKILL])
def test_when_all_workers_are_stopped_or_killed_a_question_waits_for_a_new_one(what, caplog):
    async def go():
        async with pool(2, replace(LIMITED, second=1.0)) as made:
            signal_all(made, what)
            assert (await made.do(make("hello"), "a")).body == b"hello 0.2"

    run(go)
    assert ("somebody has stopped its process" in caplog.text) is (what == signal.SIGSTOP)
    assert "did not come back" not in caplog.text


@pytest.mark.parametrize("what", [signal.SIGSTOP, signal.SIGKILL])
def test_a_question_under_way_as_all_workers_are_stopped_or_killed_is_asked_again(what, tmp_path):
    async def go():
        async with pool(2, LIMITED) as made:
            asked = asyncio.create_task(made.do(make("starve"), "a"))
            while not made.quick.running:
                await asyncio.sleep(0)
            (busy,) = made.quick.running
            while not busy.has_worked:
                await asyncio.sleep(0.01)
            signal_all(made, what)
            assert (await asked).body.startswith(b"starve")

    run(go)


def test_a_stopped_process_is_not_waited_for_and_a_sleeping_one_only_where_it_may_sleep():
    sleeper = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        while process_state(sleeper.pid) not in ("S", ""):
            sleep(0.01)
        if not process_state(sleeper.pid):
            pytest.fail("this machine does not tell the states of processes")
        patient, hasty = Watch(sleeper.pid, 10.0), Watch(sleeper.pid, 10.0, may_sleep=False)
        for gone in range(10):
            patient.look(gone)
            hasty.look(gone)
        with pytest.raises(TimeoutError):
            hasty.look(10.0)
        patient.look(39.0)
        sleeper.send_signal(signal.SIGSTOP)
        while process_state(sleeper.pid) != "T":
            sleep(0.01)
        stopped = Watch(sleeper.pid, 10.0)
        stopped.look(0.1)  # it may have been for a moment
        with pytest.raises(Stopped):
            stopped.look(0.6)
    finally:
        sleeper.kill()
        sleeper.communicate()


def test_the_processor_time_of_a_process():
    before, now = processor_seconds(os.getpid()), process_time()
    while process_time() < now + 0.1:
        pass
    assert before is None or (processor_seconds(os.getpid()) or 0.0) > before
    assert processor_seconds(2**30) is None


def test_a_worker_that_leaves_as_a_job_comes_is_nobodys_fault(caplog):
    async def go():
        async with pool() as made:
            await asyncio.gather(*made.quick.starting)
            made.patients.add("a")  # no second try in the other lane
            (worker,) = made.quick.free
            assert (await made.do(make("leave"), "a")).body == b"leave 0.2"
            process, worker.process = worker.process, Unnoticed(worker.process)  # type: ignore[assignment]
            assert (await made.do(make("hello"), "a")).body == b"hello 0.2"
            assert worker not in made.quick.free
            worker.process = process
            assert made.costs["hello", "", ""] == 0.0

    class Unnoticed:
        """A process whose end the pool has not heard of yet."""

        def __init__(self, process):
            self.process, self.returncode = process, None

        def __getattr__(self, name):
            return getattr(self.process, name)

    with caplog.at_level("WARNING", "battletape.web"):
        run(go)
    assert "did not come back" not in caplog.text


async def drop(tasks):
    """Nobody waits for these any more."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def test_questions_that_come_together_from_one_client_leave_the_last_worker_to_the_others():
    async def go():
        async with pool(2, LIMITED) as made:
            made.patients.add("a")
            asked = [asyncio.create_task(made.do(make("dawdle", at=str(at)), "a")) for at in range(4)]
            while not made.quick.running:
                await asyncio.sleep(0)
            assert (await made.do(make("hello"), "b")).body == b"hello 0.2"
            assert [place.sender for place in made.quick.running.values()] == ["a"]
            assert not any(one.done() for one in asked)
            await drop(asked)

    run(go)


def test_a_spare_worker_takes_the_place_of_one_that_failed():
    async def go():
        async with pool(2, LIMITED) as made:
            await asyncio.gather(*made.quick.starting)
            (spare,) = made.quick.spares
            made.patients.add("a")
            asked = asyncio.create_task(made.do(make("die"), "a"))
            while spare not in made.quick.free:
                await asyncio.sleep(0)
            await asked
            await asyncio.gather(*made.quick.starting)
            assert len(made.quick.free) == 2
            assert len(made.quick.spares) == 1

    run(go)


def test_too_many_at_once_are_told_to_wait():
    async def go():
        async with pool(1, Limits(quick=0.2, grace=60.0, queue=60.0, waiting_each=2)) as made:
            tasks = [asyncio.create_task(made.do(make("dawdle", at=str(at)), "a")) for at in range(4)]
            await asyncio.sleep(0)
            refused = await made.do(make("hello"), "a")
            assert refused.status == 429
            assert refused.headers["Retry-After"] == "1"
            await drop(tasks)

    run(go)


def test_no_client_waits_for_ever():
    async def go():
        async with pool(1, Limits(quick=0.2, grace=60.0, queue=0.1)) as made:
            long = asyncio.create_task(made.do(make("dawdle"), "a"))
            while not made.quick.running:
                await asyncio.sleep(0)
            made.patients.add("b")
            got = await made.do(make("hello"), "b")
            assert got.status == 503
            assert b"turn in time" in got.body
            long.cancel()
            await asyncio.gather(long, return_exceptions=True)

    run(go)


def test_what_is_kept_has_a_size():
    kept = ReplyCache(1_000)
    for at in range(100):
        kept.put(bytes([at]) * 10, Reply(b"x" * 15, keep=True))
    assert kept.size <= 1_000
    assert kept.find(bytes([99]) * 10) is not None
    assert kept.find(bytes([0]) * 10) is None
    kept.put(b"large", Reply(b"x" * 21, keep=True))
    kept.put(b"not to be kept", Reply(b"x"))
    assert kept.find(b"large") is None
    assert kept.find(b"not to be kept") is None


def test_real_workers_answer_like_this_process():
    async def go():
        made = WorkerPool(Limits(quick=60.0), 1)
        await made.start()
        try:
            job = Job("api_profiles", "api", {"ruleset": "attack_dice"})
            alone = InProcess(LIMITS)
            await alone.start()
            assert (await made.do(job, "a")).body == (await alone.do(job, "a")).body
        finally:
            await made.stop()

    run(go)


@pytest.mark.parametrize(("blocks", "forgets"), [(1, True), (10**9, False)])
def test_a_worker_remembers_no_more_blocks_of_memory_than_it_may(blocks, forgets, monkeypatch):
    result = lru_cache(memory.MAX_BOOK_ENTRIES + 1)(lambda of: [of])
    book = lru_cache(memory.MAX_BOOK_ENTRIES)(lambda of: [of])
    for name, cache in {"_result": result, "_book": book}.items():
        monkeypatch.setattr(registry, name, cache, raising=False)  # caches are looked for in modules
    first, second = result(0), book(0)
    memo = registry.ruleset("attack_dice").memo
    memo.keep("a rule", Kernel({}, 1))
    monkeypatch.setattr(worker, "LIMITS", replace(LIMITS, blocks=blocks))
    assert worker.stay_within(10**12)
    assert ("a rule" in memo) is not forgets
    assert (result(0) is first) is not forgets
    assert book(0) is second
    assert not worker.stay_within(0)  # no worker is as small as that


def test_jobs_that_fail_are_replies_too(capsys, monkeypatch):
    def fail(**given):
        raise given["error"]

    monkeypatch.setitem(jobs.JOBS, "fail", fail)
    assert jobs.run(Job("fail", "api", {"error": ZeroDivisionError("oh")}), 1).status == 500
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert jobs.run(Job("fail", "page", {"error": MemoryError()}), 1).status == 422
    assert jobs.run(Job("fail", "part", {"error": RecursionError()}), 1).status == 422


@pytest.mark.parametrize("reply_form", ["page", "part", "api"])
def test_a_failure_of_ours_says_so(reply_form, monkeypatch):
    monkeypatch.setitem(jobs.JOBS, "fail", lambda **given: 1 / 0)
    got = jobs.run(Job("fail", reply_form, {}), 1)
    assert got.status == 500
    assert b"not by your doing" in got.body


def test_a_worker_warms_up_on_answers_not_on_addresses_that_only_lead_there():
    jobs.load()
    asked = [chore for chore in jobs.first_questions() if chore.name == "question_page"]
    assert len(asked) == sum(len(card.questions) for card in registry.rulesets())
    first = {chore.given["ruleset"]: chore for chore in reversed(asked)}
    for chore in first.values():
        reply = jobs.run(chore, worker.CHORE_SECONDS)
        assert reply.status == 200, chore
        assert b'id="answer"' in reply.body
