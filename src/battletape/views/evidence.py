"""The tests that name a clause with `@pytest.mark.clause`; known in a clone, where the tests are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from pathlib import Path

FAR = 4
"""How many folders above a package its pyproject.toml may be."""


def find_tests(clause_id: str, package: str) -> tuple[str, ...]:
    """The tests that name a clause of a package, as arguments for pytest; none outside a clone."""
    clone = clone_of(package)
    return () if clone is None else naming(clone, clause_id)


def clone_of(package: str) -> Path | None:
    """The folder of the project that a package belongs to; None if it is installed without one."""
    home = Path(import_module(package).__path__[0]).resolve()
    return next((folder for folder in home.parents[:FAR] if (folder / "pyproject.toml").is_file()), None)


def naming(clone: Path, clause_id: str) -> tuple[str, ...]:
    """The tests of a project that name a clause, those that name it first before the others."""
    first: list[str] = []
    others: list[str] = []
    for path in sorted((clone / "tests").rglob("test_*.py")):
        for test, ids in _tests_of(path, path.stat().st_mtime_ns):
            if clause_id in ids:
                place = f"{path.relative_to(clone).as_posix()}::{test}"
                (first if ids[0] == clause_id else others).append(place)
    return (*first, *others)


@lru_cache(4096)
def _tests_of(path: Path, changed: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The tests of a file that name clauses; `changed` says when it was written, because a server runs for long."""
    text = path.read_text(encoding="utf-8")
    if ".clause(" not in text:  # most files are not worth reading closely
        return ()
    return tuple((test, tuple(ids)) for test, ids in marked_tests(ast.parse(text)))


def marked_tests(
    node: ast.Module | ast.ClassDef, shared: tuple[str, ...] = (), within: str = ""
) -> Iterator[tuple[str, list[str]]]:
    """Each test of a module or class with the clauses it names, including those of the whole module or class."""
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
    """The ids of every mark in a piece of code, whether on a test, a class, a parameter or the whole module."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "clause":
            yield from (arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str))
