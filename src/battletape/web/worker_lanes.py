"""Lanes: worker processes, and the jobs that wait for them."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, TypeVar

from battletape import registry, trial
from battletape.processes import Stopped, Watch
from battletape.web import jobs
from battletape.web.fair_queue import USUAL, FairQueue, Place
from battletape.web.jobs import Reply
from battletape.web.limits import Limits

SIZE = 4
"""How many bytes hold the length in front of each message."""
START_SECONDS = 30.0
"""How long a worker may take to get ready; longer if the machine is busy."""
CHORE_SECONDS = 20.0
"""How long a worker may take to leave a chore and begin a job; longer if the machine is busy."""
COLD_SECONDS = 5.0
"""How much longer a job may take while a worker has not yet loaded all systems."""
REPLACEMENT_COST = 2.0
"""What it costs to replace a worker, in seconds; the client whose job stopped it is charged."""
LAST_WORDS_SECONDS = 0.5
"""How long to wait for the last words of a worker that has ended."""
FIRST_RETRY_SECONDS, LAST_RETRY_SECONDS = 1.0, 60.0
"""How long to wait before starting a failed worker again: at first, and at most."""
MIN_TRIES = 2
"""The first worker is tried at least so often, because one end may have been by chance."""
MAX_LINE_BYTES = 4_000
"""How many bytes of what a worker says are taken as one line."""
STOPPED = "somebody has stopped its process"
DEATHS = (OSError, EOFError, TimeoutError)
"""The errors of a worker that does not start or does not return from a job."""
Fate = Literal["late", "hung", "died", "left", "closed"]
"""Why there is no reply: no worker was free in time, it hung, it died, it had left before, or the lane is closed."""
T = TypeVar("T")
log = logging.getLogger("battletape.web")
WORKER = (sys.executable, "-m", "battletape.web.worker")


class WorkerGone(EOFError):
    """A worker had ended before it began this job, or was stopped from outside: that is not the job's fault."""


class Stuck(Exception):
    """A worker ended, stopped or stalled while it loaded a ruleset of another package."""

    def __init__(self, mark: str, why: str) -> None:
        super().__init__(f"{mark}: {why}")
        self.mark, self.why = mark, why


class Worker:
    """One worker process; it does one job at a time."""

    def __init__(
        self, command: Sequence[str] = WORKER, nice: int = 0, without: Mapping[str, str] | None = None
    ) -> None:
        self.command, self.nice, self.without = command, nice, without or {}
        self.process: asyncio.subprocess.Process | None = None
        self.listening: asyncio.Task[None] | None = None
        self.has_worked = False

    async def start(self) -> None:
        """Start the process."""
        self.process = await asyncio.create_subprocess_exec(
            *self.command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,  # it goes through our log: if it is not read, no worker waits for it
            env={**_environment(), **registry.without(self.without)},
            process_group=0,  # Ctrl-C in a terminal is for the server alone; no session, so that `nice` counts
        )
        assert self.process.stderr is not None
        self.listening = asyncio.create_task(_pass_on(self.process.stderr))
        if self.nice:
            with suppress(AttributeError, OSError):  # not every system can
                own = os.getpriority(os.PRIO_PROCESS, 0)
                os.setpriority(os.PRIO_PROCESS, self.process.pid, own + self.nice)

    @property
    def is_gone(self) -> bool:
        """Whether the process has ended."""
        return self.process is None or self.process.returncode is not None

    async def get_ready(self) -> dict[str, str]:
        """Return which rulesets it cannot use, once it is ready; raises TimeoutError or EOFError if it never is.

        Before it loads a ruleset of another package it says so; if it ends, stops or stalls there, it raises Stuck.
        """
        mark = ""
        try:
            greeting = jobs.decode_greeting(await self._hear(START_SECONDS))
            while isinstance(greeting, str):
                mark = greeting
                greeting = jobs.decode_greeting(await self._hear(trial.LOADING_SECONDS, may_sleep=False))
        except (EOFError, TimeoutError) as error:
            if not mark:
                raise
            raise Stuck(mark, _why_stuck(error)) from None
        return greeting

    async def do(self, message: bytes, seconds: float) -> tuple[Reply, float]:
        """Return a job's reply and its seconds of work.

        Raises TimeoutError or EOFError if the worker must be replaced.
        """
        assert self.process is not None
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(len(message).to_bytes(SIZE, "big") + message)
            await self.process.stdin.drain()
            begun = await self._hear(CHORE_SECONDS)
        except Stopped:
            raise WorkerGone(STOPPED) from None
        except (ConnectionError, EOFError):  # it could not know that a job was on its way
            raise WorkerGone from None
        self.has_worked = True
        try:
            return jobs.decode_reply(await self._hear(seconds + (COLD_SECONDS if begun == jobs.COLD else 0.0)))
        except Stopped:
            raise WorkerGone(STOPPED) from None

    async def _hear(self, seconds: float, *, may_sleep: bool = True) -> bytes:
        """Return what it says next, in so many seconds or, on a busy machine, later.

        Raises TimeoutError or EOFError.
        """
        assert self.process is not None
        reading, began = asyncio.ensure_future(self._read()), _now()
        watch = Watch(self.process.pid, seconds, may_sleep=may_sleep)
        try:
            while not (await asyncio.wait({reading}, timeout=watch.wait(_now() - began)))[0]:
                watch.look(_now() - began)
            return reading.result()
        finally:
            reading.cancel()

    async def _read(self) -> bytes:
        assert self.process is not None
        assert self.process.stdout is not None
        size = int.from_bytes(await self.process.stdout.readexactly(SIZE), "big")
        return await self.process.stdout.readexactly(size)

    async def end(self, patience: float = 0.0) -> None:
        """Stop the process: by closing its input if there is time, otherwise at once."""
        process = self.process
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), patience)
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if self.listening is not None:
            await asyncio.wait([self.listening], timeout=LAST_WORDS_SECONDS)
            self.listening.cancel()


class Lane:
    """Workers, and the jobs that wait for them in a fair queue."""

    def __init__(
        self,
        size: int,
        limits: Limits,
        command: Sequence[str] = WORKER,
        nice: int = 0,
        *,
        grace: float | None = None,
        spares: int = 0,
        without: dict[str, str] | None = None,
    ) -> None:
        self.size, self.limits, self.command, self.nice = size, limits, command, nice
        self.without = {} if without is None else without  # what workers must not load, and why
        self.ended_at: set[str] = set()  # what a worker has ended at
        self.started = 0  # how many workers were started, without those that took the place of another
        self.grace = limits.grace if grace is None else grace
        self.most_spares = spares
        self.free: list[Worker] = []
        self.spares: list[Worker] = []  # warm, for when one of the others fails
        self.waiting: FairQueue[asyncio.Future[Worker]] = FairQueue()
        self.running: dict[Worker, Place[asyncio.Future[Worker]]] = {}
        self.working: set[asyncio.Task[Any]] = set()
        self.starting: set[asyncio.Task[Any]] = set()
        self.alive: set[Worker] = set()
        self.broken: dict[str, str] = {}  # the rulesets that cannot be used, as the last worker to start has said
        self.early = 0  # how many workers in a row have ended before they did anything
        self.closed = False

    async def start(self) -> None:
        """Start the first worker; one that does not start is tried again, as often as there are to be workers."""
        self.started = 1
        for left in reversed(range(max(MIN_TRIES, self.size))):
            try:
                return await self._add()
            except DEATHS as error:
                if not left or self.closed:
                    raise
                log.warning("a worker did not start: %s", why(error))

    async def complete(self) -> None:
        """Start all others and the spares, one after the other; those that do not start are tried again and again."""
        while self.started < self.size + self.most_spares and not self.closed:
            self.started += 1
            await self._add_again()

    async def stop(self) -> None:
        """Stop all workers, busy or not, and those that are just starting."""
        self.closed = True
        for place in self.waiting:
            if not place.job.done():
                place.job.set_exception(TimeoutError())
        await asyncio.gather(*(worker.end(0.5) for worker in self.alive), return_exceptions=True)
        for task in self.starting:
            task.cancel()
        await asyncio.gather(*self.starting, *self.working, return_exceptions=True)

    @property
    def is_full(self) -> bool:
        """Whether no more jobs may wait."""
        return len(self.waiting) >= self.limits.waiting

    @property
    def is_idle(self) -> bool:
        """Whether a worker is free and no job waits for it."""
        return bool(self.free) and not len(self.waiting)

    async def do(
        self, message: bytes, client: str, seconds: float, *, what: str = "", cost: float = USUAL, weight: float = 1.0
    ) -> tuple[Reply | Fate, float]:
        """Do a job when a worker is free; returns the reply, or why there is none, and the seconds of work.

        The log calls it `what`; its usual cost and its weight are for the fair queue. It may be cancelled: a waiting
        job is dropped; a running one goes on, and its worker returns when it is done.
        """
        until = _now() + self.limits.queue
        for _ in range(self.size + self.most_spares + 1):  # one that had left is not the job's fault
            reply, took = await self._do(message, client, seconds, what, cost, weight, until)
            if reply != "left":
                return reply, took
        return "died", took

    async def _do(
        self, message: bytes, client: str, seconds: float, what: str, cost: float, weight: float, until: float
    ) -> tuple[Reply | Fate, float]:
        if self.closed:
            return "closed", 0.0
        try:
            async with asyncio.timeout_at(until):
                worker = await self._take(client, cost, weight)
        except TimeoutError:
            return "closed" if self.closed else "late", 0.0
        return await asyncio.shield(_later(self._work(worker, message, seconds, what or "a job"), self.working))

    async def _work(self, worker: Worker, message: bytes, seconds: float, what: str) -> tuple[Reply | Fate, float]:
        began = _now()
        reply: Reply | Fate = "died"
        took = 0.0
        try:
            reply, took = await worker.do(message, seconds + self.grace)
        except WorkerGone as left:
            reply = "closed" if self.closed else "left"
            if str(left):
                log.warning("a worker is replaced: %s", left)
        except DEATHS as error:
            if self.closed:
                reply = "closed"
            else:
                reply = "hung" if isinstance(error, TimeoutError) else "died"
                log.warning("a worker did not come back from %s: %s", what, why(error))
        finally:
            if isinstance(reply, Reply):
                self.early = 0
                self.free.append(worker)
            else:
                took = 0.0 if reply == "left" else _now() - began + REPLACEMENT_COST
                self._replace(worker)
            self.waiting.done(self.running.pop(worker), took)
            self._hand_on()
        return reply, took

    async def _take(self, client: str, cost: float, weight: float) -> Worker:
        given: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        place = self.waiting.put(client, given, _now(), cost, weight)
        self._hand_on()
        try:
            return await given
        except asyncio.CancelledError:
            if given.done() and not given.cancelled():
                worker = given.result()
                self.waiting.done(self.running.pop(worker), 0.0)
                self.free.append(worker)
            raise
        finally:
            self.waiting.drop(place, _now())
            self._hand_on()

    def _hand_on(self) -> None:
        """Give free workers to waiting jobs."""
        for worker in [free_worker for free_worker in self.free if free_worker.is_gone]:
            self.free.remove(worker)
            self._replace(worker)
        while self.free:
            place = self.waiting.take(_now(), self._may_begin)
            if place is None:
                return
            if place.job.done():  # no client waits for it any more
                self.waiting.done(place, 0.0)
                continue
            worker = self.free.pop()
            self.running[worker] = place
            place.job.set_result(worker)

    def _may_begin(self, client: str) -> bool:
        """Return whether a client may have a worker now: not the last free one if it has one already."""
        return self.size == 1 or len(self.free) > 1 or all(place.sender != client for place in self.running.values())

    def _replace(self, worker: Worker) -> None:
        if not self.closed:
            while self.spares:
                spare = self.spares.pop()
                if not spare.is_gone:
                    self.free.append(spare)
                    break
                _later(self._add_again(spare), self.starting)
            _later(self._add_again(worker), self.starting)

    async def _add_again(self, worker: Worker | None = None) -> None:
        """Replace a failed worker; the waits between tries grow longer."""
        if worker is not None:
            await worker.end()
            self.alive.discard(worker)
            if not worker.has_worked:
                self.early += 1
                await self._pause(
                    min(FIRST_RETRY_SECONDS * 2.0 ** (self.early - 1), LAST_RETRY_SECONDS),
                    "a worker ended before its first job",
                )
        wait = FIRST_RETRY_SECONDS
        while not self.closed:
            try:
                await self._add()
            except DEATHS as error:
                if self.closed:
                    return
                await self._pause(wait, f"a worker did not start: {why(error)}")
                wait = min(2 * wait, LAST_RETRY_SECONDS)
            else:
                self._hand_on()
                return

    async def _pause(self, wait: float, sentence: str) -> None:
        if not self.closed:
            log.warning("%s; the next try is in %.0f s", sentence, wait)
            await asyncio.sleep(wait)

    async def _add(self) -> None:
        try:
            worker = await self._ready_worker()
        except Stuck as stuck:
            if self.closed:
                raise EOFError("no client waits for it any more") from None
            if stuck.why == trial.STALLED or stuck.mark in self.ended_at:  # one end or stop may have been by chance
                log.warning("%s is left out: %s", stuck.mark, stuck.why)
                self.without[stuck.mark] = stuck.why
            self.ended_at.add(stuck.mark)
            await self._add()
            return
        spare = len(self.free) + len(self.running) >= self.size
        (self.spares if spare else self.free).append(worker)

    async def _ready_worker(self) -> Worker:
        worker = Worker(self.command, self.nice, self.without)
        self.alive.add(worker)
        try:
            await worker.start()
            if self.closed:
                raise EOFError("no client waits for it any more")
            self.broken = await worker.get_ready()
        except BaseException:
            await worker.end()
            self.alive.discard(worker)
            raise
        return worker


async def _pass_on(stream: asyncio.StreamReader) -> None:
    """Log what a worker says on its error stream, line by line."""
    rest = b""
    while chunk := await stream.read(MAX_LINE_BYTES):
        *lines, rest = (rest + chunk).split(b"\n")
        lines += [rest] if len(rest) > MAX_LINE_BYTES else []
        rest = b"" if len(rest) > MAX_LINE_BYTES else rest
        for line in lines:
            log.warning("worker: %s", line.decode(errors="replace"))
    if rest:
        log.warning("worker: %s", rest.decode(errors="replace"))


def _later(work: Coroutine[Any, Any, T], tasks: set[asyncio.Task[Any]]) -> asyncio.Task[T]:
    """Do something in the background."""
    task = asyncio.create_task(work)
    tasks.add(task)
    task.add_done_callback(tasks.discard)
    return task


def _now() -> float:
    return asyncio.get_running_loop().time()


def why(error: BaseException) -> str:
    """Return what happened to a worker, in a few words."""
    if isinstance(error, TimeoutError):
        return STOPPED if isinstance(error, Stopped) else "it took too long"
    return "it ended" if isinstance(error, EOFError) else str(error)


def _why_stuck(error: Exception) -> str:
    """Return what became of a worker as it loaded a ruleset."""
    if isinstance(error, Stopped):
        return trial.STOPPED
    return trial.STALLED if isinstance(error, TimeoutError) else trial.ENDED


def _environment() -> Mapping[str, str]:
    """Return the environment of a worker: our own, with one thread for sums."""
    return {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
