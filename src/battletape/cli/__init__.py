"""The command line: `battletape`, or `bt` for short. A command's module is imported only when the command runs."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from signal import SIG_DFL, SIG_IGN, SIGINT, default_int_handler, getsignal, signal

OUR_COMMANDS = re.compile(
    r"\bbattletape (?=(?:rulesets|odds|roll|compare|dice|rules|profiles|battle(?! \d)|print|serve|completion)\b)"
)
"""Where a text names one of our commands; “battletape battle 1” is the first line of a file."""
called = ["battletape"]
"""The name we were started by, so that commands in our texts can be copied."""
DONE = 3
"""The exit code if something was done and cannot be undone by the error: repeating the command would do it twice."""
done: list[str] = []
"""What was done so far, as sentences; told if the command cannot say so itself any more."""
unsure: list[str] = []
"""What the disk does not confirm."""


def as_called(text: str) -> str:
    """Return a text whose commands begin with the name we were started by: bt, or ./run."""
    return text if called[0] == "battletape" else OUR_COMMANDS.sub(lambda _: f"{called[0]} ", text)


def main(args: Sequence[str] | None = None) -> None:
    """Run a command; ends the process with 0, with 2 if an input does not fit, or with 1 if Battletape failed.

    3 means that it was done, but could not be shown, or is not confirmed by the disk.
    """
    import gc

    gc.set_threshold(50_000)  # garbage collection while modules load takes a tenth of the start-up time

    def command() -> None:
        from battletape.cli.app import app

        app.main(args=args)

    try:
        quietly(command)
    finally:
        gc.freeze()  # the process ends here: collecting its garbage would take a fifth of its time


def quietly(program: Callable[[], None]) -> None:
    """Run a whole program so that neither Ctrl-C nor a closed output ends it with a traceback."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the shell: bt … >&-
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (open to the end)
    if os.environ.get("BATTLETAPE_CALLED") and getsignal(SIGINT) is SIG_IGN:
        signal(SIGINT, default_int_handler)  # ignored by ./run until here: Python's own start prints tracebacks
    try:
        program()
        sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(leave(130))
    except RuntimeError as error:  # what Python 3.11 makes of a Ctrl-C while a class is being made
        if isinstance(error.__cause__, KeyboardInterrupt):
            sys.exit(leave(130))
        raise
    except BrokenPipeError:
        sys.exit(leave(0))
    except OSError as error:
        from battletape.cli.app import report_unwritten

        sys.exit(report_unwritten(error))
    finally:
        signal(SIGINT, SIG_DFL)  # from here on Ctrl-C just ends the process, which has nothing more to say


def leave(code: int) -> int:
    """Write nothing more, as the reader is gone or in a hurry; not even when the interpreter exits."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            os.dup2(nowhere, stream.fileno())
        except (OSError, ValueError):
            continue
    return code
