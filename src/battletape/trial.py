"""A trial: rulesets of other packages are loaded in a process of its own, so that none can end or stall this one."""

from __future__ import annotations

import os
import subprocess
import sys
from select import select
from time import monotonic

from battletape import registry
from battletape.processes import Stopped, Watch

LOADING_SECONDS = 10.0
"""How long a ruleset of another package may take to load, in seconds; longer if the machine is busy."""
TRIAL = (sys.executable, "-m", "battletape.trial")
ENDED, STALLED = "it ended the process that loaded it", f"it was not loaded after {LOADING_SECONDS:.0f} seconds"
STOPPED = "it stopped the process that loaded it"
"""What is said of a ruleset that cannot be loaded at all."""
DONE = "done"


def leave_out_failing() -> None:
    """Find the rulesets of other packages that end or stall a process, and leave them out of this one."""
    marks: dict[str, str] = {}
    while registry.has_others():
        mark, why = _try_others(marks)
        if not mark or mark in marks:
            break
        marks[mark] = why
    registry.leave_out(marks)


def _try_others(marks: dict[str, str]) -> tuple[str, str]:
    """Return the mark of the first ruleset besides these that cannot be loaded, and why; empty if all can."""
    environment = {**os.environ, **registry.without(marks)}
    mark, why = "", ENDED
    with subprocess.Popen(
        TRIAL, 0, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        try:
            while line := _next_line(process):
                mark = line
        except TimeoutError as error:
            why = STOPPED if isinstance(error, Stopped) else STALLED
        finally:
            process.kill()
    return ("", "") if mark == DONE else (mark, why)


def _next_line(process: subprocess.Popen[bytes]) -> str:
    """Return the next line of the process, empty if it ends; raise TimeoutError if it hangs."""
    assert process.stdout is not None
    began, watch = monotonic(), Watch(process.pid, LOADING_SECONDS, may_sleep=False)
    while not select([process.stdout], [], [], watch.wait(monotonic() - began))[0]:
        watch.look(monotonic() - began)
    return process.stdout.readline().decode().strip()


def main() -> None:
    """Load every ruleset, and say before each which it is."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # nothing that another package prints may get between
    registry.announce_to(lambda mark: print(mark, file=out, flush=True))
    registry.names()
    print(DONE, file=out, flush=True)
    os._exit(0)  # whatever other packages have started ends here


if __name__ == "__main__":
    main()
