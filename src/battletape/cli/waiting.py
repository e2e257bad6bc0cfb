"""A progress bar on the error stream for anything that takes longer than two seconds."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any

PATIENCE_SECONDS = 2.0


class Waiting:
    """Counts silently for two seconds, then shows a bar; shows nothing if the output is not a terminal."""

    def __init__(self, about: str, patience: float | None = None) -> None:
        self.about = about
        self.patience = PATIENCE_SECONDS if patience is None else patience
        self.done, self.whole = 0, 0
        self._timer: Any = None
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Waiting:
        if sys.stderr.isatty():
            from threading import Timer

            self._timer = Timer(self.patience, self._start)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __call__(self, done: int, whole: int) -> None:
        """Say how far it has come."""
        self.done, self.whole = done, whole
        if self._bar is not None:
            self._bar.update(self._task, completed=done, total=whole)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
        if self._bar is not None:
            self._bar.stop()

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        parts = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
        bar = Progress(*parts, TimeElapsedColumn(), console=Console(stderr=True), transient=True)
        self._task = bar.add_task(self.about, total=self.whole or None, completed=self.done)
        bar.start()
        self._bar = bar
