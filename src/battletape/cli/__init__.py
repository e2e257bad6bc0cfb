"""The command line: `battletape`, or `bt` for short. A command's module is imported only when the command runs."""

from __future__ import annotations

from collections.abc import Sequence


def main(args: Sequence[str] | None = None) -> None:
    """Run a command; ends the process with 0, with 2 if an input does not fit, or with 1 if Battletape failed."""
    import gc

    gc.set_threshold(50_000)  # garbage collection while modules load takes a tenth of the start-up time
    from battletape.cli.app import app

    try:
        app.main(args=args)
    finally:
        gc.freeze()  # the process ends here: collecting its garbage would take a fifth of its time
