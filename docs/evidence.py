"""The tests and vectors that name a clause."""

from __future__ import annotations

import ast
import json
from pathlib import Path

from battletape.views.evidence import marked_tests


def named_by_tests(folder: Path) -> dict[str, list[str]]:
    """The tests that name each clause with `@pytest.mark.clause`, and how many vectors do."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        for test, ids in marked_tests(ast.parse(path.read_text(encoding="utf-8"))):
            for one in ids:
                found.setdefault(one, []).append(f"{path.stem}.{test}")
    for path in sorted(folder.rglob("*.vectors.json")):
        vectors = json.loads(path.read_text(encoding="utf-8"))
        counts: dict[str, int] = {}
        for vector in vectors:
            for one in vector["clauses"]:
                counts[one] = counts.get(one, 0) + 1
        for one, number in counts.items():
            found.setdefault(one, []).append(f"{number}\u00a0vector" + ("s" if number > 1 else ""))
    return found
