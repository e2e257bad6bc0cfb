"""The command line: `battletape`, or `bt` for short. A command's module is imported only when the command runs."""

from __future__ import annotations

import re
from collections.abc import Sequence

OUR_COMMANDS = re.compile(
    r"\bbattletape (?=(?:rulesets|odds|roll|compare|dice|rules|profiles|battle|print|serve|completion)\b)"
)
"""Where a text names one of our commands."""
called = ["battletape"]
"""The name we were started by, so that commands in our texts can be copied."""


def as_called(text: str) -> str:
    """A text whose commands begin with the name we were started by: bt, or ./run."""
    return text if called[0] == "battletape" else OUR_COMMANDS.sub(lambda _: f"{called[0]} ", text)


def main(args: Sequence[str] | None = None) -> None:
    """Run a command; ends the process with 0, with 2 if an input does not fit, or with 1 if Battletape failed."""
    import gc

    gc.set_threshold(50_000)  # garbage collection while modules load takes a tenth of the start-up time
    from battletape.cli.app import app

    try:
        app.main(args=args)
    finally:
        gc.freeze()  # the process ends here: collecting its garbage would take a fifth of its time
