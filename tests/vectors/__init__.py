"""Test vectors through the public API: `python -m tests.vectors RULESET FILE`.

Each ruleset has an adapter here (tests/vectors/<ruleset>.py) whose `answer(vector)` maps a vector to API calls and
computes nothing itself. A vector holds when the answer has every key of `expect` with an equal value, and when the
adapter has read every name that is given: what it does not know is an error that names it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.vectors.given import Given, Unknown

HERE = Path(__file__).parent
PARTS = {"id", "question", "case", "clauses", "given", "expect"}
MORE = {"assumes"}
"""What a vector may say beside that: the decisions that it rests on."""


def read_vectors(path: Path) -> list[dict[str, Any]]:
    """The vectors of a file."""
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(found, list) or not all(isinstance(vector, dict) and "id" in vector for vector in found):
        raise ValueError("a file of vectors holds a list, and each vector in it an id")
    return found


def answer(adapter: ModuleType, vector: dict[str, Any]) -> dict[str, Any]:
    """What the adapter answers to a vector, of which no name may be left over."""
    if odd := sorted((vector.keys() - MORE) ^ PARTS):
        raise Unknown(f"a vector has {', '.join(sorted(PARTS))}; {', '.join(odd)} is missing or unknown")
    given = Given(vector["given"])
    got: dict[str, Any] = adapter.answer({**vector, "given": given})
    if left := list(given.unread()):
        raise Unknown(f"nobody reads {', '.join(left)} of this vector")
    return got


def failures(ruleset: str, vectors: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """The id of each vector that does not hold, and why."""
    adapter = import_module(f"tests.vectors.{ruleset}")
    for vector in vectors:
        try:
            got = answer(adapter, vector)
        except Exception as error:  # a vector that cannot be asked is a failure to report, not the end of the run
            yield vector["id"], f"{type(error).__name__}: {error}"
            continue
        if not vector["expect"]:
            yield vector["id"], f"{vector['case']}: it expects nothing, so nothing is checked"
            continue
        wrong = {key: got.get(key, "missing") for key, value in vector["expect"].items() if got.get(key, ...) != value}
        if wrong:
            wanted = {key: vector["expect"][key] for key in wrong}
            yield vector["id"], f"{vector['case']}: wanted {wanted}, got {wrong}"
