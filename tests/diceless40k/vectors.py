"""The public vectors, by calculation."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

PUBLIC = Path(__file__).parents[1] / "vectors" / "diceless40k.vectors.json"


@lru_cache(1)
def _all() -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = json.loads(PUBLIC.read_text(encoding="utf-8"))
    return entries


def vectors(question: str) -> list[Any]:
    """What is given and expected by every vector of a calculation."""
    return [(entry["given"], entry["expect"]) for entry in _all() if entry["question"] == question]
