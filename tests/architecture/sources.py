"""The files the architecture tests look at."""

from __future__ import annotations

import ast
from functools import lru_cache
from importlib import import_module
from pathlib import Path

from battletape.system import Ruleset


def files_of(ruleset: Ruleset) -> list[Path]:
    """The source files of a ruleset, without its tests."""
    (place,) = import_module(ruleset.package).__path__
    return [path for path in sorted(Path(place).rglob("*.py")) if not path.name.startswith("test_")]


@lru_cache(None)
def parse(path: Path) -> ast.Module:
    """A file as a tree."""
    return ast.parse(path.read_text(encoding="utf-8"), path.name)


def module_name(package: str, path: Path) -> str:
    """The name by which a file of a package is imported."""
    (place,) = import_module(package).__path__
    parts = path.relative_to(place).with_suffix("").parts
    return ".".join((package, *(part for part in parts if part != "__init__")))
