"""Steady: nobody stalls the others, whatever workers do, whoever goes away, and however it ends."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from battletape.errors import BattletapeError, BudgetSpent
from battletape.web import jobs, worker, worker_lanes
from battletape.web.app import create_app
from battletape.web.jobs import Job
from battletape.web.limits import LIMITS
from battletape.web.pages.asking import GONE
from battletape.web.worker_lanes import Lane
from battletape.web.worker_pool import NICENESS, WorkerPool
from tests.web.conftest import QUESTIONS
from tests.web.test_worker_pool import FAKE, LIMITED, make, pool, run

DEAD = (sys.executable, "-c", "raise SystemExit(3)")


def process_of(worker: worker_lanes.Worker) -> asyncio.subprocess.Process:
    assert worker.process is not None
    return worker.process


def test_a_job_without_a_client_is_dropped_and_its_worker_comes_back():
    async def go():
        async with pool() as made:
            (before,) = made.quick.free
            running = asyncio.create_task(made.do(make("hello"), "a"))
            while not made.quick.running:
                await asyncio.sleep(0)
            waiting = asyncio.create_task(made.do(make("die"), "b"))
            while not len(made.quick.waiting):
                await asyncio.sleep(0)
            running.cancel()
            waiting.cancel()
            await asyncio.gather(running, waiting, return_exceptions=True)
            assert (await made.do(make("hello"), "c")).status == 200
            assert made.quick.free == [before]
            assert not before.is_gone

    run(go)


def test_the_sender_with_the_least_work_done_comes_first():
    async def go():
        async with pool() as made:
            order: list[str] = []

            async def ask(client):
                await made.do(make("hello", by=client), client)
                order.append(client)

            (held,) = made.quick.free
            made.quick.free = []
            asked = [asyncio.create_task(ask(client)) for client in ("a", "a", "b", "c")]
            while len(made.quick.waiting) < 4:
                await asyncio.sleep(0)
            made.quick.free = [held]
            made.quick._hand_on()
            await asyncio.gather(*asked)
            assert order == ["a", "b", "c", "a"]

    run(go)


def test_the_patient_worker_gives_way():
    async def go():
        async with pool() as made:
            (patient,) = made.patient.free
            (quick,) = made.quick.free
            own = os.getpriority(os.PRIO_PROCESS, 0)
            assert os.getpriority(os.PRIO_PROCESS, process_of(patient).pid) == min(own + NICENESS, 19)
            assert os.getpriority(os.PRIO_PROCESS, process_of(quick).pid) == own

    run(go)


def test_heavy_jobs_do_not_wait_for_the_patient_lane():
    async def go():
        async with pool() as made:
            made.costs["hello", "", ""] = 1.0
            long = asyncio.create_task(made._patiently(make("dawdle"), "a"))
            while not made.patient.running:
                await asyncio.sleep(0)
            assert (await made.do(make("hello"), "b")).body == b"hello 0.2"
            long.cancel()
            await asyncio.gather(long, return_exceptions=True)

    run(go)


def test_without_workers_it_does_not_start_and_says_so(caplog):
    async def go():
        made = WorkerPool(LIMITED, 2, DEAD)
        with pytest.raises(BattletapeError, match="no worker process starts: it ended"):
            await made.start()
        assert not made.quick.alive
        assert not made.quick.starting

    run(go)


def test_a_start_that_fails_is_a_sentence():
    async def go():
        said = []

        async def receive():
            return {"type": "lifespan.startup"}

        async def send(message):
            said.append(message)

        with pytest.raises(BattletapeError):
            await create_app(workers=1, command=DEAD)({"type": "lifespan"}, receive, send)
        (message,) = said
        assert message["type"] == "lifespan.startup.failed"
        assert message["message"].startswith("no worker process starts")
        assert "Traceback" not in message["message"]

    run(go)


def test_a_worker_that_does_not_start_is_tried_again(tmp_path, caplog):
    async def go():
        first = tmp_path / "first"
        first.touch()
        made = Lane(2, LIMITED, (*FAKE, str(first)))
        await made.start()
        try:
            assert len(made.free) == 1
            await made.complete()
            assert len(made.free) == 2
        finally:
            await made.stop()

    run(go)
    assert "a worker did not start: it ended" in caplog.text


def test_in_vain_it_is_tried_more_and_more_seldom(monkeypatch, caplog):
    slept = []

    async def sleep(seconds):
        slept.append(seconds)

    async def add(lane):
        if len(slept) < 8:
            raise EOFError

    monkeypatch.setattr("battletape.web.worker_lanes.asyncio.sleep", sleep)
    monkeypatch.setattr(Lane, "_add", add)
    with caplog.at_level(logging.WARNING, logger="battletape.web"):
        asyncio.run(Lane(1, LIMITED)._add_again())
    assert slept == [1, 2, 4, 8, 16, 32, 60, 60]
    assert len(caplog.records) == 8


READY = "from battletape.web import jobs, worker; worker.write_message(sys.stdout.buffer, jobs.encode({}))"
SHORT_LIVED = (sys.executable, "-c", f"import sys; {READY}")


def test_a_worker_that_ends_before_its_first_job_is_replaced_more_and_more_seldom(monkeypatch, caplog):
    slept = []
    sleep = asyncio.sleep

    async def note(seconds):
        slept.append(seconds)
        await sleep(0)

    async def go():
        lane = Lane(1, LIMITED, SHORT_LIVED)
        await lane.start()
        monkeypatch.setattr("battletape.web.worker_lanes.asyncio.sleep", note)
        for _ in range(3):
            (early,) = lane.free
            await process_of(early).wait()
            lane._hand_on()
            await asyncio.gather(*lane.starting)
        await lane.stop()

    run(go)
    assert slept == [1, 2, 4]
    assert "a worker ended before its first job; the next try is in 4 s" in caplog.text


def test_once_a_worker_has_done_something_it_begins_anew(monkeypatch):
    lane = Lane(1, LIMITED, FAKE)
    lane.early = 5

    async def go():
        await lane.start()
        assert (await lane.do(jobs.encode((make("hello"), 0.2)), "a", 0.2))[0] != "died"
        await lane.stop()

    run(go)
    assert lane.early == 0


def test_a_spare_that_has_ended_is_not_used():
    async def go():
        lane = Lane(1, LIMITED, FAKE, spares=1)
        await lane.complete()
        (spare,), (first,) = lane.spares, lane.free
        for ended in (spare, first):
            process_of(ended).kill()
            await process_of(ended).wait()
        ended_both = {spare, first}
        lane._hand_on()
        assert not ended_both & {*lane.free, *lane.spares}
        await lane.stop()

    run(go)


def test_what_a_worker_says_goes_through_the_log(caplog):
    async def go():
        talks = (sys.executable, "-c", f"import sys; print('ouch ' * 900 + chr(10) + 'last', file=sys.stderr); {READY}")
        lane = Lane(1, LIMITED, talks)
        await lane.start()
        await lane.stop()

    run(go)
    said = [record.getMessage() for record in caplog.records]
    assert said[0].startswith("worker: ouch ouch")
    assert "worker: last" in said
    assert all(len(line) < 8_100 for line in said)


def test_a_broken_plug_in_is_skipped_by_real_workers_and_named(tmp_path, monkeypatch):
    told = tmp_path / "broken_game-1.2.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-game\nVersion: 1.2\n")
    (told / "entry_points.txt").write_text("[battletape.rulesets]\nskirmish = broken_game:RULESET\n")
    (tmp_path / "broken_game.py").write_text("raise RuntimeError('<b>no dice</b>')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    why = "broken-game 1.2: RuntimeError: <b>no dice</b>"

    async def go():
        app = create_app(workers=1)
        executor = app.state.executor
        executor.quick = Lane(1, LIMITS, (*worker_lanes.WORKER, "100000000", "1234567890"))
        await executor.quick.start()
        try:
            assert executor.broken == {"skirmish": why}
            (worker,) = executor.quick.free
            told = Path(f"/proc/{process_of(worker).pid}/limits").read_text()
            assert re.search(r"Max address space +1234567890 ", told)
            got, _ = await executor.quick.do(jobs.encode((Job("home_page", "page", {}), 20.0)), "a", 20.0)
            foot = got.body.decode().partition('<footer class="foot">')[2]
            said = "The ruleset skirmish is installed and cannot be used: broken-game 1.2: RuntimeError: "
            assert f"{said}&lt;b&gt;no dice&lt;/b&gt;" in foot
            scope = {"type": "http", "method": "GET", "path": "/healthz", "query_string": b"", "headers": []}
            sent = []

            async def send(message):
                sent.append(message)

            await app({**scope, "client": ("127.0.0.1", 1), "server": ("b", 80), "scheme": "http"}, None, send)
            assert json.loads(sent[1]["body"])["broken"] == [{"ruleset": "skirmish", "error": why}]
        finally:
            await executor.quick.stop()

    run(go)
    done = subprocess.run([sys.executable, "-m", "battletape", "rulesets"], capture_output=True, text=True, check=True)
    assert "skirmish  installed, and cannot be used" in done.stdout
    assert "RuntimeError: <b>no dice</b>" in " ".join(done.stdout.split())
    assert "attack_dice" in done.stdout


def test_a_rule_that_tries_to_end_everything_fails_alone(monkeypatch, capsys):
    def leave(**given):
        raise SystemExit("enough")

    monkeypatch.setitem(jobs.JOBS, "leave", leave)
    assert jobs.run(Job("leave", "api", {}), 0.1).status == 500
    assert "SystemExit: enough" in capsys.readouterr().err


def test_a_chore_that_fails_does_not_cost_the_worker(monkeypatch, capsys):
    monkeypatch.setattr(worker, "_is_waiting", lambda requests: False)
    chores = (1 // zero for zero in [0])
    worker._warm_up(chores, sys.stdin.buffer)
    worker._warm_up(chores, sys.stdin.buffer)
    assert capsys.readouterr().err.count("ZeroDivisionError") == 1


def test_no_answer_is_lost_when_a_worker_leaves_between_two_jobs():
    async def go():
        async with pool() as made:
            (gone,) = made.quick.free
            assert (await made.do(make("leave"), "a")).body == b"leave 0.2"
            await process_of(gone).wait()
            assert (await made.do(make("hello"), "a")).body == b"hello 0.2"
            assert gone not in made.quick.alive

    run(go)


def test_it_ends_with_jobs_in_flight():
    async def go():
        async with pool() as made:
            running = asyncio.create_task(made.do(make("dawdle"), "a"))
            while not made.quick.running:
                await asyncio.sleep(0)
            waiting = asyncio.create_task(made.do(make("hello"), "b"))
            while not len(made.quick.waiting):
                await asyncio.sleep(0)
            workers = [*made.quick.alive, *made.patient.alive]
            await made.stop()
            for reply in await asyncio.gather(running, waiting):
                assert reply.status == 503
                assert b"is ending just now" in reply.body
            assert all(one.is_gone for one in workers)

    run(go)


def test_a_browser_that_goes_away_ends_the_wait():
    ended = []

    class Busy:
        async def do(self, job, client):
            try:
                await asyncio.Event().wait()
            finally:
                ended.append(job.name)

    async def go():
        app = create_app()
        app.state.executor = Busy()
        messages = iter([{"type": "http.request", "body": b""}, {"type": "http.disconnect"}])
        sent = []

        async def receive():
            return next(messages)

        async def send(message):
            sent.append(message)

        scope = {"type": "http", "method": "GET", "path": "/attack_dice/attack", "query_string": b"", "headers": []}
        await app({**scope, "client": ("127.0.0.1", 1), "server": ("b", 80), "scheme": "http"}, receive, send)
        assert sent[0]["status"] == GONE

    run(go)
    assert ended == ["question_page"]


def test_what_the_budget_did_not_do_is_tried_again_with_more(monkeypatch):
    def small(**given):
        raise BudgetSpent("too large")

    monkeypatch.setitem(jobs.JOBS, "small", small)
    got = jobs.run(Job("small", "api", {}), 0.1)
    assert got.status == 422
    assert got.cut


def test_a_worker_warms_up_with_an_answer_to_every_question():
    done = [(job, jobs.run(job, 5.0)) for job in jobs.first_questions()]
    assert [(job.given, reply.status) for job, reply in done if reply.status != 200] == []
    asked = [(job.given["ruleset"], job.given["question"]) for job, _ in done if job.name == "question_page"]
    assert sorted(asked) == sorted(QUESTIONS)


def test_a_worker_keeps_no_more_than_it_may():
    from battletape import registry

    card = registry.ruleset("attack_dice")
    before = card.memo.most
    try:
        next(worker._chores())
        assert card.memo.most == LIMITS.memo
        card.memo.keep("x", None)
        worker._forget()
        assert not card.memo
    finally:
        card.memo.most = before
        card.memo.clear()
