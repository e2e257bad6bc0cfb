"""The server with workers that rest while nobody asks: ours ask themselves every question first, three of them at once.

Those of a test would hardly ever be done with that before it ends, and the browser wants the processor. Such a worker
never has all systems loaded, so each of its jobs is given the time for that, too, and a second try takes what it takes.
"""

from __future__ import annotations

import select
import sys
from collections.abc import Iterator

from msgspec.structs import replace

from battletape.cli import main
from battletape.web import lanes, serve, worker
from battletape.web.limits import LIMITS


def rest() -> Iterator[None]:
    """Chores that do nothing and never end."""
    while True:
        select.select([sys.stdin], [], [])
        yield


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        lanes.WORKER = (sys.executable, "-m", "tests.web.browser.idle_worker")
        vars(serve)["LIMITS"] = replace(LIMITS, patient=60.0, second=100.0)
        main()
    else:
        worker._chores = rest
        worker.main(*sys.argv[1:])
