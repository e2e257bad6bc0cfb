"""A library soak: one process asks random questions of all rulesets for a long while, and must not grow (Linux only).

`python -m benchmarks.soak --library --minutes 8` prints, while it asks, the resident memory, the blocks of Python's
allocator, how many sub-results are kept, and how long a whole collection of garbage takes.
"""

from __future__ import annotations

import gc
import os
import random
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, process_time
from typing import Any

from battletape import registry
from battletape.answer import ask
from battletape.errors import BattletapeError
from battletape.inputs import Field, fields
from battletape.memory import MAX_NEW_BLOCKS, entries
from battletape.system import Question, Ruleset
from battletape.tape.limits import Budget

MB = 1_000_000
SECONDS = 0.4
"""The budget of a question, as the page has it."""
SLACK = 0.5
"""How much later than its budget an answer is too late, in seconds of the processor."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What the process holds at a moment."""

    seconds: float
    memory: int
    blocks: int
    kept: int
    collection: float  # seconds of the processor that a whole collection of garbage takes
    asked: int
    late: int

    def __str__(self) -> str:
        blocks, took = self.blocks / MB, 1000 * self.collection
        held = f"{self.memory / MB:6.0f} MB {blocks:6.2f} million blocks {self.kept:8,} kept"
        return f"{self.seconds:6.0f} s {self.asked:8,} questions {held} {took:6.0f} ms to collect {self.late:4} late"


def questions(seed: int = 1) -> Iterator[tuple[Ruleset, Question, dict[str, Any]]]:
    """Random questions without end: examples with some inputs changed, and some profiles named."""
    luck = random.Random(seed)
    cards = [registry.ruleset(name) for name in registry.OURS]
    while True:
        card = luck.choice(cards)
        question = luck.choice(card.questions)
        given = dict(question.example)
        own = fields(question.inputs)
        for field in luck.sample(own, min(len(own), luck.randint(1, 4))):
            value = _value(field, card, luck)
            if value is not None:
                given[field.name] = value
        yield card, question, given


def _value(field: Field, card: Ruleset, luck: random.Random) -> Any:
    if field.kind in ("whole", "number") and field.high is not None:
        return luck.randint(int(field.low or 0), int(min(field.high, 3 * max(int(field.default or 0), 4))))
    if field.every:
        return luck.choice(field.every)
    names = list(card.book.entries.get(field.profile or field.name, ()))
    return luck.choice(names) if field.kind == "text" and names else None


def library_soak(seconds: float, lines: int = 16) -> list[Sample]:
    """Ask for so long, and look at the process so many times."""
    began, late, samples = monotonic(), 0, list[Sample]()
    for asked, (card, question, given) in enumerate(questions(), 1):
        before = process_time()
        with suppress(BattletapeError):
            str(ask(card, question, given, budget=Budget(seconds=SECONDS)))
        late += process_time() - before > SECONDS + SLACK
        now = monotonic() - began
        if now >= seconds * (len(samples) + 1) / lines:
            samples.append(_look(now, asked, late))
            print(samples[-1], flush=True)
            if now >= seconds:
                return samples
    return samples


def _look(now: float, asked: int, late: int) -> Sample:
    begun = process_time()
    gc.collect()
    took = process_time() - begun
    memory = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return Sample(now, memory, sys.getallocatedblocks(), entries(), took, asked, late)


def told(samples: list[Sample]) -> list[str]:
    """What is wrong with a soak: more blocks than there may be."""
    loaded = min(sample.blocks for sample in samples)
    most = max(sample.blocks for sample in samples)
    if most > loaded + 2 * MAX_NEW_BLOCKS:
        return [
            f"{most:,} blocks were held, {loaded:,} at first; "
            f"{MAX_NEW_BLOCKS:,} more are allowed before all is forgotten"
        ]
    return []
