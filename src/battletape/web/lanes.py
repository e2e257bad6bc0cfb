"""Lanes: worker processes, and those who wait for one of them, in turn by client."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import monotonic

from battletape.web import jobs
from battletape.web.jobs import Reply
from battletape.web.limits import Limits

SIZE = 4
"""Each message goes with its length in front, in so many bytes."""
LONG = 0.5
"""A job that has run for so many seconds is a long one."""
START = 60.0
"""How long a worker may take to get ready."""
AGAIN = 1.0
"""How long to wait before a worker that did not start is started again."""
log = logging.getLogger("battletape.web")
WORKER = (sys.executable, "-m", "battletape.web.worker")


class Worker:
    """One worker process; it does one job at a time."""

    def __init__(self, command: Sequence[str] = WORKER) -> None:
        self.command = command
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start the process."""
        self.process = await asyncio.create_subprocess_exec(
            *self.command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=_environment(),
        )

    async def get_ready(self) -> None:
        """Wait until it is ready; raises TimeoutError or EOFError where it does not come to that."""
        await asyncio.wait_for(self._read(), START)

    async def do(self, message: bytes, seconds: float) -> Reply:
        """Do a job; raises TimeoutError or EOFError where the worker has to be replaced."""
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.write(len(message).to_bytes(SIZE, "big") + message)
        await self.process.stdin.drain()
        return jobs.decode_reply(await asyncio.wait_for(self._read(), seconds))

    async def _read(self) -> bytes:
        assert self.process is not None
        assert self.process.stdout is not None
        size = int.from_bytes(await self.process.stdout.readexactly(SIZE), "big")
        return await self.process.stdout.readexactly(size)

    async def end(self, patience: float = 0.0) -> None:
        """End the process: by closing its input where there is time for that, else at once."""
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


class Lane:
    """Workers and those who wait for one, in turn by client."""

    def __init__(self, size: int, limits: Limits, command: Sequence[str] = WORKER) -> None:
        self.size, self.limits, self.command = size, limits, command
        self.free: list[Worker] = []
        self.waiting: dict[str, deque[asyncio.Future[Worker]]] = {}
        self.running: dict[Worker, tuple[str, float]] = {}
        self.starting: set[asyncio.Task[None]] = set()
        self.alive: set[Worker] = set()
        self.closed = False

    async def start(self) -> None:
        """Start all workers."""
        await asyncio.gather(*(self._add() for _ in range(self.size)))

    async def stop(self) -> None:
        """End all workers, busy or not, and those that are just starting."""
        self.closed = True
        await asyncio.gather(*(one.end(0.5) for one in self.alive), return_exceptions=True)
        await asyncio.gather(*self.starting, return_exceptions=True)

    @property
    def is_full(self) -> bool:
        """Whether nobody else may wait."""
        return sum(map(len, self.waiting.values())) >= self.limits.waiting

    async def do(self, message: bytes, client: str, seconds: float) -> tuple[Reply | None, float]:
        """Do a job when a worker is free, and tell how long that took; None where the worker failed it."""
        try:
            async with asyncio.timeout(self.limits.queue):
                worker = await self._take(client)
        except TimeoutError:
            return None, 0.0
        began = monotonic()
        self.running[worker] = (client, began)
        fit = False
        try:
            reply = await worker.do(message, seconds + self.limits.grace)
            fit = True
            return reply, monotonic() - began
        except (TimeoutError, EOFError, OSError):
            return None, monotonic() - began
        finally:
            del self.running[worker]
            if fit:
                self.free.append(worker)
            else:
                self._replace(worker)
            self._hand_on()

    async def _take(self, client: str) -> Worker:
        queue = self.waiting.setdefault(client, deque())
        place: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        queue.append(place)
        self._hand_on()
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.free.append(place.result())
            elif place in queue:
                queue.remove(place)
            self._hand_on()
            raise

    def _hand_on(self) -> None:
        """Give free workers to those who wait: one client after the other."""
        for client in list(self.waiting):
            if not self.free:
                return
            queue = self.waiting.pop(client)
            if queue and not self._must_wait(client):
                place = queue.popleft()
                if not place.done():
                    place.set_result(self.free.pop())
            if queue:
                self.waiting[client] = queue  # at the end of the row
        if self.free and any(queue and not self._must_wait(client) for client, queue in self.waiting.items()):
            self._hand_on()

    def _must_wait(self, client: str) -> bool:
        """Whether this client already has a long job running, and takes the last worker from the others."""
        if self.size == 1 or len(self.free) > 1:
            return False
        now = monotonic()
        return any(who == client and now - since > LONG for who, since in self.running.values())

    def _replace(self, worker: Worker) -> None:
        async def again() -> None:
            await worker.end()
            self.alive.discard(worker)
            while not self.closed:
                try:
                    await self._add()
                except (OSError, EOFError, TimeoutError) as error:
                    if self.closed:
                        return
                    log.warning("a worker did not start: %s", error)
                    await asyncio.sleep(AGAIN)
                else:
                    self._hand_on()
                    return

        if not self.closed:
            task = asyncio.create_task(again())
            self.starting.add(task)
            task.add_done_callback(self.starting.discard)

    async def _add(self) -> None:
        worker = Worker(self.command)
        self.alive.add(worker)
        try:
            await worker.start()
            if self.closed:
                raise EOFError("nobody waits for it any more")
            await worker.get_ready()
        except BaseException:
            await worker.end()
            self.alive.discard(worker)
            raise
        self.free.append(worker)


def _environment() -> Mapping[str, str]:
    """The environment of a worker: our own, with one thread for sums."""
    return {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
