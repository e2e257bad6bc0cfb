"""Test vectors through the public API: `python -m tests.vectors RULESET FILE`.

Each ruleset has an adapter here (tests/vectors/<ruleset>.py) whose `answer(vector)` maps a vector to API calls and
computes nothing itself. A vector holds when the answer has every key of `expect` with an equal value.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def read_vectors(path: Path) -> list[dict[str, Any]]:
    """The vectors of a file."""
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def failures(ruleset: str, vectors: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """The id of each vector that does not hold, and why."""
    adapter = import_module(f"tests.vectors.{ruleset}")
    for vector in vectors:
        try:
            got = adapter.answer(vector)
        except Exception as error:  # a vector that cannot be asked is a failure to report, not the end of the run
            yield vector["id"], f"{type(error).__name__}: {error}"
            continue
        wrong = {key: got.get(key, "missing") for key, value in vector["expect"].items() if got.get(key, ...) != value}
        if wrong:
            wanted = {key: vector["expect"][key] for key in wrong}
            yield vector["id"], f"{vector['case']}: wanted {wanted}, got {wrong}"
