"""The chart process: pictures drawn by vl-convert, in a process of its own that starts with the first picture.

The workers cannot draw: vl-convert reserves tens of gigabytes of addresses, far more than a worker may have.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from time import process_time

from battletape.web import error_replies, jobs
from battletape.web.jobs import Job, Reply
from battletape.web.limits import LIMITS, Limits
from battletape.web.worker import begin_job, end_job, write_message
from battletape.web.worker_lanes import Lane
from battletape.web.worker_pool import NICENESS, ReplyCache

log = logging.getLogger("battletape.web")
COMMAND = (sys.executable, "-m", "battletape.web.chart_process")
TYPES = {"svg": "image/svg+xml", "png": "image/png"}
SECONDS = 5.0
"""How long a picture may take."""
KEPT = 24_000_000
TRIAL = b'{"data": {"values": [{"at": 1}]}, "mark": "bar", "encoding": {"x": {"field": "at", "type": "ordinal"}}}'
"""A picture to start the engine with, which takes seconds."""
SCALE = 2.0
"""Pixels of a PNG for each unit of the picture: sharp on a phone."""


class ChartProcess:
    """Draws pictures one after the other, and keeps the last ones."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self.lane = Lane(1, limits, COMMAND, NICENESS, grace=2 * limits.grace)
        self.kept = ReplyCache(KEPT)
        self.starting = asyncio.Lock()
        self.started = False

    async def draw(self, spec: bytes, kind: str, client: str) -> Reply:
        """Return a Vega-Lite specification as a picture."""
        job = Job("draw", "page", {"spec": spec, "kind": kind})
        key = jobs.encode(job)
        kept = self.kept.find(key)
        if kept is not None:
            return kept
        if self.lane.is_full or self.lane.waiting.count(client) >= self.lane.limits.waiting_each:
            return error_replies.too_many("page")
        if not self.lane.closed and await self._is_ready():
            reply, _ = await self.lane.do(jobs.encode((job, SECONDS)), client, SECONDS, what="a picture")
        else:
            reply = "closed" if self.lane.closed else "late"
        if reply == "closed":
            return error_replies.unanswered(reply, "page")
        if not isinstance(reply, Reply):
            sentence = "The picture could not be drawn in time; the numbers are there as CSV and JSON."
            return error_replies.error_reply(503, sentence, "page", wait=2)
        self.kept.put(key, reply)
        return reply

    async def _is_ready(self) -> bool:
        """Start the process with the first picture."""
        async with self.starting:
            if not self.started:
                try:
                    await self.lane.start()
                except (OSError, EOFError, TimeoutError) as error:
                    log.warning("the chart process did not start: %s", error)
                else:
                    self.started = True
        return self.started

    async def stop(self) -> None:
        """Stop the process, whatever it is doing."""
        await self.lane.stop()


def draw(spec: bytes, kind: str) -> bytes:
    """Return a picture; nothing is fetched from anywhere."""
    import vl_convert

    text = spec.decode()
    if kind == "svg":
        return str(vl_convert.vegalite_to_svg(text, allowed_base_urls=[])).encode()
    return bytes(vl_convert.vegalite_to_png(text, scale=SCALE, allowed_base_urls=[]))


def main() -> None:
    """Draw pictures until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then closes our input
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing printed may get between the replies
    draw(TRIAL, "svg")
    write_message(replies, jobs.encode({}))
    while (begun := begin_job(sys.stdin.buffer, replies)) is not None:
        job, _ = begun
        before = process_time()
        kind = job.given["kind"]
        try:
            reply = Reply(draw(job.given["spec"], kind), TYPES[kind], keep=True)
        except Exception as error:  # the engine's message is for our log, not for the player
            print(f"the chart process failed: {error}", file=sys.stderr)
            reply = error_replies.our_fault("page")
        end_job(replies, reply, process_time() - before)


if __name__ == "__main__":
    main()
