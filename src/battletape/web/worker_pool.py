"""The worker processes behind the event loop: a quick lane for all and a patient one for large questions.

A job is first tried in the quick lane with a small budget. If that had to leave something out, it is tried again in the
patient lane, one at a time for each client; if that lane is full or takes too long, the client gets the reply of the
quick lane. Jobs of a kind that usually takes long go to the patient lane at once, if it is empty. Its worker yields
to all others. A worker that overruns its budget is stopped, a spare one takes its place at once, and the job is tried
once more. In each lane the jobs wait in a fair queue. A client with a running job does not get the last quick worker.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from battletape import registry
from battletape.errors import BattletapeError
from battletape.web import error_replies, jobs
from battletape.web.fair_queue import USUAL
from battletape.web.jobs import Job, Reply
from battletape.web.limits import Limits
from battletape.web.worker_lanes import DEATHS, WORKER, Fate, Lane, why

HEAVY_SECONDS = 0.05
"""Jobs that usually take this many seconds go to the patient lane at once, if it is empty."""
NICENESS = 10
"""The niceness of the patient lane's worker."""
ROW = 4
"""How many clients may wait in the patient lane."""
ASIDE = {"whatif_figures": 0.5, "targets_more": 0.5}
"""Jobs beside the one that a player waits for, and their weight in the fair queue."""
CALM_SECONDS = 5.0
"""How long the first worker is alone without a request; the first reply ends it, too."""
GOING_ON = {"whatif_figures", "targets_page", "targets_more"}
"""Jobs that do a little and go on in another one: they keep to the quick lane, for the other yields to everything."""
SURELY = 2.0
"""How long such a job may take for the one thing that it does whatever the clock says, before it counts as hung."""
MAX_KINDS = 2_000
"""For how many kinds of jobs the usual time is remembered."""


class Executor(Protocol):
    """Something that does jobs: a pool of processes, or this process itself."""

    @property
    def broken(self) -> dict[str, str]:
        """The rulesets of other packages that cannot be used, and why."""
        ...

    async def start(self) -> None:
        """Get ready."""

    async def stop(self) -> None:
        """Stop, and leave nothing running."""

    async def do(self, job: Job, client: str) -> Reply:
        """Do a job for a client."""


class ReplyCache:
    """Replies that may be used again, the most recent ones, up to a number of bytes."""

    def __init__(self, most: int) -> None:
        self.most, self.size = most, 0
        self.replies: OrderedDict[bytes, Reply] = OrderedDict()

    def find(self, key: bytes) -> Reply | None:
        """Return the reply to the same job, if there is one."""
        reply = self.replies.get(key)
        if reply is not None:
            self.replies.move_to_end(key)
        return reply

    def put(self, key: bytes, reply: Reply) -> None:
        """Keep a reply, and drop the oldest ones."""
        if not reply.keep or len(reply.body) > self.most // 50 or key in self.replies:
            return
        self.replies[key] = reply
        self.size += len(key) + len(reply.body)
        while self.size > self.most:
            old, replaced = self.replies.popitem(last=False)
            self.size -= len(old) + len(replaced.body)


class UnfinishedResults:
    """What jobs have found so far that go on in others: the most recent ones, up to a number of bytes."""

    def __init__(self, most: int) -> None:
        self.most, self.size = most, 0
        self.found: OrderedDict[bytes, bytes] = OrderedDict()

    def find(self, key: bytes) -> bytes:
        """Return what was found so far; nothing if it was forgotten."""
        return self.found.get(key, b"")

    def put(self, key: bytes, found: bytes) -> None:
        """Keep it in place of what was found before, and drop the oldest."""
        self.size += len(found) - len(self.found.pop(key, b""))
        self.found[key] = found
        while self.size > self.most:
            self.size -= len(self.found.popitem(last=False)[1])


class InProcess:
    """Does every job in a thread of this process: for tests, and if processes cannot be started."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.turn = asyncio.Lock()
        self.broken: dict[str, str] = {}

    async def start(self) -> None:
        """Import all modules with jobs."""
        jobs.load()
        self.broken = registry.broken()

    async def stop(self) -> None:
        """Do nothing: there is nothing to stop."""

    async def do(self, job: Job, client: str) -> Reply:
        """Do a job, one at a time."""
        async with self.turn:
            reply = await asyncio.to_thread(jobs.run, job, self.limits.quick)
            return await asyncio.to_thread(jobs.run, job, self.limits.patient) if reply.cut else reply


class WorkerPool:
    """All workers."""

    def __init__(self, limits: Limits, quick: int = 2, command: Sequence[str] = WORKER) -> None:
        self.limits = limits
        without: dict[str, str] = {}  # of the rulesets of other packages, found by either lane
        self.quick = Lane(quick, limits, command, spares=1, without=without)
        self.patient = Lane(1, limits, command, NICENESS, grace=2 * limits.grace, without=without)
        self.answered = asyncio.Event()
        self.completing: asyncio.Task[None] | None = None
        self.kept = ReplyCache(limits.kept)
        self.patients: set[str] = set()
        self.costs: dict[tuple[str, ...], float] = {}  # the usual seconds of each kind of job

    @property
    def broken(self) -> dict[str, str]:
        """The rulesets of other packages that the workers cannot load, and why."""
        return self.quick.broken

    async def start(self) -> None:
        """Start the first worker, and the others once it has answered; raises BattletapeError if no worker starts."""
        try:
            await self.quick.start()
        except DEATHS as error:
            await self.stop()
            raise BattletapeError(f"no worker process starts: {why(error)}; it may have said more above") from None
        self.completing = asyncio.create_task(self._complete_later())

    async def complete(self) -> None:
        """Start all other workers."""
        await asyncio.gather(self.quick.complete(), self.patient.complete())

    async def stop(self) -> None:
        """End all workers."""
        if self.completing is not None:
            self.completing.cancel()
            await asyncio.wait([self.completing])
        await asyncio.gather(self.quick.stop(), self.patient.stop())

    async def _complete_later(self) -> None:
        """Leave the machine to the first page, which needs only one worker."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.answered.wait(), CALM_SECONDS)
        await self.complete()

    async def do(self, job: Job, client: str) -> Reply:
        """Do a job, unless its reply is kept or too many wait."""
        key = jobs.encode(job)
        kept = self.kept.find(key)
        if kept is not None:
            return kept
        waiting = sum(lane.waiting.count(client) for lane in (self.quick, self.patient))
        if self.quick.is_full or self.patient.is_full or waiting >= self.limits.waiting_each:
            return error_replies.too_many(job.reply_form)
        reply = await self._politely(job, client)
        self.answered.set()
        if not isinstance(reply, Reply):
            return error_replies.unanswered(reply, job.reply_form)
        self.kept.put(key, reply)
        return reply

    async def _politely(self, job: Job, client: str) -> Reply | Fate:
        """Do a job in the quick lane, and again in the patient one if it failed or had to leave something out."""
        if self.patient.is_idle and self._is_heavy(job):
            reply = await self._patiently(job, client)
            if isinstance(reply, Reply):
                return reply
        reply = await self._in(self.quick, job, client, self.limits.quick)
        if isinstance(reply, Reply) and not reply.cut:
            return reply
        more = await self._patiently(job, client)
        if more is None and reply == "died":
            more = await self._in(self.quick, job, client, self.limits.quick)
        if not isinstance(more, Reply) and job.name in GOING_ON:  # the patient lane stands still on a busy machine
            more = await self._in(self.quick, job, client, self.limits.patient)
        return more if isinstance(more, Reply) else reply

    async def _patiently(self, job: Job, client: str) -> Reply | Fate | None:
        """Do a job in the patient lane, unless this client has one there, too many wait, or it takes too long."""
        if client in self.patients or len(self.patients) >= ROW:
            return None
        self.patients.add(client)
        try:
            async with asyncio.timeout(self.limits.second):  # on a busy machine that lane may hardly get on
                return await self._in(self.patient, job, client, self.limits.patient)
        except TimeoutError:
            return None
        finally:
            self.patients.discard(client)

    async def _in(self, lane: Lane, job: Job, client: str, seconds: float) -> Reply | Fate:
        kind = _kind(job)
        leash = max(seconds, SURELY) if job.name in GOING_ON else seconds
        cost, weight = self.costs.get(kind, USUAL), ASIDE.get(job.name, 1.0)
        message, what = jobs.encode((job, seconds)), _named(kind)
        reply, took = await lane.do(message, client, leash, what=what, cost=min(cost, seconds), weight=weight)
        if len(self.costs) > MAX_KINDS:
            self.costs.clear()
        self.costs[kind] = 0.8 * self.costs.get(kind, took) + 0.2 * took
        return reply

    def _is_heavy(self, job: Job) -> bool:
        """Return whether such jobs usually take so long that they would hold up the quick lane."""
        return job.name not in GOING_ON and self.costs.get(_kind(job), 0.0) > HEAVY_SECONDS


def _kind(job: Job) -> tuple[str, ...]:
    return (job.name, str(job.given.get("ruleset", ""))[:40], str(job.given.get("question", ""))[:40])


def _named(kind: tuple[str, ...]) -> str:
    """Return a kind of job in the log: no inputs, and no more of an address than names are made of."""
    return " ".join("".join(filter(lambda letter: letter.isalnum() or letter == "_", part)) for part in kind if part)
