"""What the files of a ruleset say: its modules, types and texts, and the code that cites each clause."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import is_dataclass
from enum import Enum
from functools import lru_cache
from importlib import import_module
from pathlib import Path

import msgspec

from battletape.clauses import CITED
from battletape.system import Ruleset
from battletape.views.evidence import clauses_marked


@lru_cache(None)
def files_of(ruleset: Ruleset) -> tuple[Path, ...]:
    """Return the source files of a ruleset, without its tests."""
    place = Path(import_module(ruleset.package).__path__[0])
    return tuple(path for path in sorted(place.rglob("*.py")) if not _is_test(path.relative_to(place)))


def _is_test(path: Path) -> bool:
    return path.name.startswith("test_") or path.name == "conftest.py" or "tests" in path.parts


@lru_cache(None)
def parse(path: Path) -> ast.Module:
    """Return a file as a tree."""
    return ast.parse(path.read_text(encoding="utf-8"), path.name)


def imports_of(tree: ast.Module) -> Iterator[str]:
    """Yield the modules, or names in modules, that a file imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def module_name(package: str, path: Path) -> str:
    """Return the name by which a file of a package is imported."""
    parts = path.relative_to(import_module(package).__path__[0]).with_suffix("").parts
    return ".".join((package, *(part for part in parts if part != "__init__")))


def cited_by(ruleset: Ruleset) -> dict[str, list[str]]:
    """Return the functions and tables of a ruleset that cite each clause."""
    for path in files_of(ruleset):
        import_module(module_name(ruleset.package, path))
    assert ruleset.book is not None  # profiles that are rows of a printed table cite it when they are read
    prefix = f"{ruleset.package}."
    places = {clause: sorted({name for name in names if name.startswith(prefix)}) for clause, names in CITED.items()}
    return {clause: names for clause, names in places.items() if names}


@lru_cache(None)
def clauses_named(folders: tuple[Path, ...]) -> dict[str, list[str]]:
    """Return the clauses that `pytest.mark.clause("…")` names anywhere in the tests, and in which file."""
    named: dict[str, list[str]] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if ".clause(" in text:  # most files are not worth reading closely
                for clause in clauses_marked(ast.parse(text)):
                    named.setdefault(clause, []).append(path.name)
    return named


def types_of(ruleset: Ruleset) -> Iterator[type]:
    """Yield the classes that the modules of a ruleset define."""
    for path in files_of(ruleset):
        module = import_module(module_name(ruleset.package, path))
        for _, kind in inspect.getmembers(module, inspect.isclass):
            if kind.__module__ == module.__name__:
                yield kind


def is_frozen(kind: type) -> bool:
    """Return whether values of this type cannot be changed."""
    if issubclass(kind, msgspec.Struct):
        return bool(kind.__struct_config__.frozen)
    if is_dataclass(kind):
        return bool(kind.__dataclass_params__.frozen)  # type: ignore[attr-defined]
    if getattr(kind, "_is_protocol", False):  # which has no values
        return True
    return issubclass(kind, (str, tuple, Enum, Exception))


@lru_cache(None)
def strings_in(path: Path) -> set[str]:
    """Return the strings of a file that rules may look at."""
    return strings_of(parse(path))


def strings_of(tree: ast.Module) -> set[str]:
    """Return the strings of a module that rules may read: no docstrings, examples or sample battles."""
    return {node.value for node in _looked_at(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def _looked_at(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        is_example = isinstance(child, ast.keyword) and child.arg == "example"
        is_sample = isinstance(child, ast.FunctionDef) and child.name == "sample"
        is_docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        if not (is_example or is_sample or is_docstring):
            yield from _looked_at(child)
