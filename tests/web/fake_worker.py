"""A worker that does as the job's name says: answers, dawdles, leaves something out, dies, or leaves after a job.

With FAKE_COLD in the environment it never has all systems loaded; with FAKE_CHORE it has a chore to end first.
"""

from __future__ import annotations

import os
import sys
import time

from battletape.web import jobs, worker
from battletape.web.jobs import Reply

HELD_UP = 0.7
"""Longer than a hasty pool waits for one that works."""


def main() -> None:
    """Speak the protocol of a worker; with the name of a file, only where that file is gone already."""
    for name in sys.argv[1:]:
        try:
            os.unlink(name)
        except FileNotFoundError:
            continue
        sys.exit("the first one does not start")
    worker.write_message(sys.stdout.buffer, jobs.encode({"odd": "it is broken"}))
    if chore := os.environ.get("FAKE_CHORE"):
        time.sleep(float(chore))
    warm = "FAKE_COLD" not in os.environ
    while (found := worker.begin_job(sys.stdin.buffer, sys.stdout.buffer, is_warm=warm)) is not None:
        one, seconds = found
        if one.name == "die":
            return
        if one.name == "die_once" and os.path.exists(one.given["file"]):
            os.unlink(one.given["file"])
            return
        if one.name == "dawdle":
            sys.stdin.buffer.read()  # until nobody is there any more
            return
        if one.name == "starve":
            time.sleep(HELD_UP)  # as on a machine that does not let it work
        cut = one.name == "large" and seconds < 1
        body = f"{one.name} {seconds:g}".encode()
        worker.end_job(sys.stdout.buffer, Reply(body, cut=cut, keep=one.name == "same"), 0.0)
        if one.name == "leave":
            return


if __name__ == "__main__":
    main()
