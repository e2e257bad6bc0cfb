"""Recorded: a stored list of answers; replay, undo by a shorter recording, what-if."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from battletape.errors import BadInput
from battletape.tape.path import Path
from battletape.tape.question import OR, Ask, Entry, TapeMismatch


class Recorded(Path):
    """Answers from a recording; past its end it asks the next tape, or raises NeedAnswer."""

    def __init__(self, entries: Sequence[Entry | str], then: Path | None = None) -> None:
        super().__init__()
        if isinstance(entries, str) or not isinstance(entries, Iterable):
            raise BadInput(f"a recording must be a list of entries such as “roll to hit [1-6] = 4”, got {entries!r}")
        self.recording = tuple(entry if isinstance(entry, Entry) else Entry.parse(str(entry)) for entry in entries)
        self.used = 0
        self.then = then

    def answer(self, ask: Ask) -> Any:
        """Return the recorded answer, if it was given to this very question."""
        at = self.used
        if at >= len(self.recording):
            return self.follow(ask, self.then)
        entry = self.recording[at]
        if (entry.kind, entry.label) != (ask.kind, ask.label) or not _offers_the_same(entry.domain, ask):
            raise TapeMismatch(at + 1, ask, entry)
        try:
            answer = ask.parse(entry.value)
        except BadInput as error:
            raise TapeMismatch(at + 1, ask, entry, str(error)) from None
        self.used += 1
        self.by_default = entry.by_default
        return answer

    def next_try(self) -> Recorded | None:
        """Return a tape that may fit where this one did not; None, unless the recording leaves something open."""
        return None

    def finish(self) -> None:
        """Raise an error if the recording was not used up."""
        if self.used < len(self.recording):
            raise TapeMismatch(self.used + 1, None, self.recording[self.used])


def _offers_the_same(domain: str, ask: Ask) -> bool:
    """Return whether the answers that a recording allowed are those of today.

    Which option comes first does not matter.
    """
    if domain == ask.domain or ask.kind != "choose":
        return domain == ask.domain
    return sorted(domain.split(OR)) == sorted(ask.domain.split(OR))
