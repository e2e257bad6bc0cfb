"""A worker that does as the job's name says: answers, dawdles, leaves something out, or dies."""

from __future__ import annotations

import sys

from battletape.web import jobs, worker
from battletape.web.jobs import Reply


def main() -> None:
    """Speak the protocol of a worker."""
    worker._write(sys.stdout.buffer, b"ready")
    while (message := worker._read(sys.stdin.buffer)) is not None:
        one, seconds = jobs.decode_job(message)
        if one.name == "die":
            return
        if one.name == "dawdle":
            sys.stdin.buffer.read()  # until nobody is there any more
            return
        cut = one.name == "large" and seconds < 1
        body = f"{one.name} {seconds:g}".encode()
        worker._write(sys.stdout.buffer, jobs.encode(Reply(body, cut=cut, keep=one.name == "same")))


if __name__ == "__main__":
    main()
