"""The tests that name a clause with `@pytest.mark.clause`; known in a clone, where the tests are."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from pathlib import Path

MAX_FOLDERS_ABOVE = 4
"""How many folders above a package its pyproject.toml may be."""


def find_tests(clause_id: str, package: str) -> tuple[str, ...]:
    """Return the tests that name a clause of a package, as arguments for pytest; none outside a clone."""
    clone = clone_of(package)
    return () if clone is None else marked_by_clause(clone, clause_id)


def clone_of(package: str) -> Path | None:
    """Return the folder of the project that a package belongs to; None if it is installed without one."""
    home = Path(import_module(package).__path__[0]).resolve()
    return next((folder for folder in home.parents[:MAX_FOLDERS_ABOVE] if (folder / "pyproject.toml").is_file()), None)


def marked_by_clause(clone: Path, clause_id: str) -> tuple[str, ...]:
    """Return the tests of a project that name a clause, those that name it first before the others."""
    return _by_clause(clone, tuple(sorted(_test_files(str(clone / "tests"))))).get(clause_id, ())


def _test_files(folder: str) -> Iterator[tuple[str, int]]:
    """Yield the files of tests in a folder and when each was written, because a server runs for long."""
    for entry in os.scandir(folder) if os.path.isdir(folder) else ():
        if entry.is_dir():
            yield from _test_files(entry.path)
        elif entry.name.startswith("test_") and entry.name.endswith(".py"):
            yield entry.path, entry.stat().st_mtime_ns


@lru_cache(8)
def _by_clause(clone: Path, files: tuple[tuple[str, int], ...]) -> dict[str, tuple[str, ...]]:
    first: dict[str, list[str]] = {}
    others: dict[str, list[str]] = {}
    for file, _ in files:
        path = Path(file)
        text = path.read_text(encoding="utf-8")
        if ".clause(" in text:  # most files are not worth reading closely
            for test, ids in marked_tests(ast.parse(text)):
                place = f"{path.relative_to(clone).as_posix()}::{test}"
                first.setdefault(ids[0], []).append(place)
                for clause_id in ids[1:]:
                    others.setdefault(clause_id, []).append(place)
    return {clause_id: (*first.get(clause_id, ()), *others.get(clause_id, ())) for clause_id in {*first, *others}}


def marked_tests(
    node: ast.Module | ast.ClassDef, shared: tuple[str, ...] = (), within: str = ""
) -> Iterator[tuple[str, list[str]]]:
    """Yield each test of a module or class with the clauses it names, including those of the whole module or class."""
    for child in node.body:
        if isinstance(child, ast.Assign) and any(ast.unparse(target) == "pytestmark" for target in child.targets):
            shared += tuple(clauses_marked(child.value))
    for child in node.body:
        if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            ids = (
                *shared,
                *(clause_id for decorator in child.decorator_list for clause_id in clauses_marked(decorator)),
            )
            if isinstance(child, ast.ClassDef):
                yield from marked_tests(child, ids, f"{within}{child.name}::")
            elif child.name.startswith("test_") and ids:
                yield within + child.name, list(dict.fromkeys(ids))


def clauses_marked(node: ast.AST) -> Iterator[str]:
    """Yield the ids of every mark in a piece of code, whether on a test, a class, a parameter or the whole module."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "clause":
            yield from (arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str))
