"""The server with workers that soon rest while nobody asks: ours ask themselves every question first, three at once.

Those of a test would hardly ever be done with that before it ends, and the browser wants the processor. Such a worker
does what comes first, up to the first page. It never counts as one that has all systems loaded, so each of its jobs is
given the time for that, too, and a second try takes what it takes.
"""

from __future__ import annotations

import select
import sys
from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from battletape import registry
from battletape.cli import main
from battletape.web import jobs, serve, worker, worker_lanes
from battletape.web.limits import LIMITS

CHORES = worker._chores


def first_chores() -> Iterator[None]:
    """The chores up to the first page of all, and then such that do nothing and never end."""
    asked = [job.name for job in jobs.first_questions()]
    yield from islice(CHORES(), len(registry.names()) + asked.index("home_page") + 1)
    while True:
        select.select([sys.stdin], [], [])
        yield


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        worker_lanes.WORKER = (sys.executable, "-m", "tests.web.browser.idle_worker")
        vars(serve)["LIMITS"] = replace(LIMITS, patient=60.0, second=100.0)
        main()
    else:
        worker._chores = first_chores
        worker.main(*sys.argv[1:])
