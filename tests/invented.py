"""A ruleset with special rules of a test's own, added as the recipe says: a function and a row of KEYWORDS each."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from battletape.system import Ruleset

TABLE = "KEYWORDS = ("


@contextmanager
def invented(folder: Path, package: str, functions: str, rows: str) -> Iterator[Ruleset]:
    """Copy a ruleset under another name, write functions above its KEYWORDS and rows into it, and import the copy."""
    module = import_module(f"battletape.rulesets.{package}")
    name = f"{package}_invented"
    copy = folder / name
    shutil.copytree(Path(module.__path__[0]), copy, ignore=shutil.ignore_patterns("__pycache__"))
    keywords = copy / "rules/keywords.py"
    head, table, rest = keywords.read_text(encoding="utf-8").partition(f"\n{TABLE}\n")
    assert table, f"{package}: no line {TABLE!r} in rules/keywords.py"
    keywords.write_text(f"{head}\n\n{functions.strip()}\n\n{table}{rows.rstrip()}\n{rest}", encoding="utf-8")
    for path in copy.rglob("*.py"):
        path.write_text(path.read_text(encoding="utf-8").replace(module.__name__, name), encoding="utf-8")
    sys.path.insert(0, str(folder))
    try:
        yield import_module(name).RULESET
    finally:
        sys.path.remove(str(folder))
        for loaded in [loaded for loaded in sys.modules if loaded.partition(".")[0] == name]:
            del sys.modules[loaded]
