"""A special rule lives in one place: its name stands in one file of the ruleset only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from tests.architecture.sources import files_of, parse
from tests.conformance.cases import rulesets

NAMES = [(ruleset, keyword.name) for ruleset in rulesets() for keyword in ruleset.keywords]


@pytest.mark.parametrize("ruleset, name", NAMES, ids=[f"{ruleset.name} {name}" for ruleset, name in NAMES])
def test_a_keyword_is_named_in_one_file(ruleset, name):
    found = [path.name for path in files_of(ruleset) if name in strings_in(path)]
    assert len(found) == 1, f"{name!r} stands in {', '.join(found) or 'no file'}"


@lru_cache(None)
def strings_in(path: Path) -> set[str]:
    """The strings of a file that rules may look at."""
    return strings_of(parse(path))


def strings_of(tree: ast.Module) -> set[str]:
    """The strings of a module that rules may look at: not docstrings, nor examples and sample battles."""
    return {node.value for node in _looked_at(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def _looked_at(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        is_example = isinstance(child, ast.keyword) and child.arg == "example"
        is_sample = isinstance(child, ast.FunctionDef) and child.name == "sample"
        is_docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        if not (is_example or is_sample or is_docstring):
            yield from _looked_at(child)


def test_docstrings_and_examples_do_not_count():
    text = '''"""Bane"""
def f():
    """Volley"""
    return "Sharp", {"Blunt": 1}
def sample():
    return "Smoke"
Q = Question("shoot", example={"keywords": ["Heavy"]})
'''
    assert strings_of(ast.parse(text)) == {"Sharp", "Blunt", "shoot"}
