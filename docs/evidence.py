"""Who does what: the code that cites a clause, and the tests that name it."""

from __future__ import annotations

import ast
import json
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from battletape.clauses import CITED
from battletape.system import Ruleset
from battletape.views.evidence import marked_tests


def cited_by(card: Ruleset) -> dict[str, list[str]]:
    """The functions and tables of a ruleset that cite each clause."""
    package = import_module(card.package)
    for module in walk_packages(package.__path__, f"{card.package}."):
        if ".test_" not in module.name:
            import_module(module.name)
    assert card.book is not None  # profiles that are rows of a printed table cite it when they are read
    mine = f"{card.package}."
    found = {one: sorted({name for name in names if name.startswith(mine)}) for one, names in CITED.items()}
    return {one: names for one, names in found.items() if names}


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
