"""The glue of deathwatch's vectors refuses what it does not know, and calls nothing but what players can use."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from tests.vectors import answer, deathwatch, deathwatch_parts
from tests.vectors.given import Unknown

SHOT = {"target": 60, "mode": "single", "rof": 1}


def vector(question: str, **given: Any) -> dict[str, Any]:
    return {"id": "", "question": question, "case": "", "clauses": [], "given": given, "expect": {}}


@pytest.mark.parametrize(
    "question, given, name",
    [
        ("hits", SHOT, "'hits'"),
        ("hits_distribution", {**SHOT, "mode": "burst"}, "'burst'"),
        ("hits_distribution", {**SHOT, "range": "far"}, "range"),
        ("hits_distribution", {**SHOT, "craftsmanship": "superb"}, "'superb'"),
        ("turn_legal", {"actions": ["Feint", "Dance"]}, "'dance'"),
        ("damage_probability", {"dice": 1, "flat": 0, "rf": "maybe", "at_least": [1]}, "'maybe'"),
        ("horde_allocate", {"to": "nobody"}, "'nobody'"),
        ("renown_rank", {"renown": 3, "deeds": 2}, "deeds"),
    ],
)
def test_what_nobody_knows_is_refused_by_its_name(question, given, name):
    with pytest.raises(Unknown, match=name):
        answer(deathwatch, vector(question, **given))


@pytest.mark.parametrize(
    "part", sorted(Path(deathwatch_parts.__file__).parent.glob("*.py")), ids=lambda part: part.stem
)
def test_the_glue_imports_no_rule(part: Path):
    names = [node.module or "" for node in ast.walk(ast.parse(part.read_text())) if isinstance(node, ast.ImportFrom)]
    assert names
    assert not [name for name in names if name.startswith("battletape.rulesets")]
