"""Rules know no luck, clock or screen but the tape, and change nothing in place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import battletape.rulesets
from tests.architecture.sources import files_of, parse
from tests.conformance.cases import rulesets

FORBIDDEN_MODULES = {
    *("random", "secrets", "time", "datetime", "uuid", "os", "sys", "threading", "asyncio", "subprocess", "socket"),
    *("click", "rich", "logging", "numpy", "battletape.tape.rolled", "battletape.tape.sampled"),
}
FORBIDDEN_CALLS = {"print", "input", "open", "exec", "eval", "setattr", "delattr", "globals", "breakpoint"}

OURS = sorted(path for place in battletape.rulesets.__path__ for path in Path(place).rglob("*.py"))
FILES = sorted({*OURS, *(path for ruleset in rulesets() for path in files_of(ruleset))})


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_rule_is_pure(path):
    assert list(impurities(parse(path))) == []


def impurities(tree: ast.Module) -> Iterator[str]:
    """What a module of rules must not do, with the line."""
    for node in ast.walk(tree):
        where = f"line {getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Import):
            yield from (f"{where}: imports {one.name}" for one in node.names if one.name in FORBIDDEN_MODULES)
        elif isinstance(node, ast.ImportFrom):
            if node.module in FORBIDDEN_MODULES:
                yield f"{where}: imports from {node.module}"
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield f"{where}: {', '.join(node.names)} from outside its function"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in FORBIDDEN_CALLS:
                yield f"{where}: calls {node.func.id}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "__setattr__":
            yield f"{where}: calls __setattr__"
        elif isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete)):
            yield from (
                f"{where}: changes {ast.unparse(one)}" for one in _targets(node) if isinstance(one, ast.Attribute)
            )
        elif isinstance(node, (ast.FunctionDef, ast.Lambda)):
            yield from _changed_arguments(node)


def _targets(node: ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Delete) -> Iterator[ast.expr]:
    targets = node.targets if isinstance(node, (ast.Assign, ast.Delete)) else [node.target]
    for target in targets:
        yield from target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]


def _changed_arguments(function: ast.FunctionDef | ast.Lambda) -> Iterator[str]:
    """Items set or deleted in what was handed in."""
    args = function.args
    names = {one.arg for one in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
    for node in ast.walk(function):
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete)):
            for target in _targets(node):
                if (
                    isinstance(target, ast.Subscript)
                    and isinstance(target.value, ast.Name)
                    and target.value.id in names
                ):
                    yield f"line {node.lineno}: changes its argument {target.value.id}"


@pytest.mark.parametrize(
    "text, found",
    [
        ("import random", "line 1: imports random"),
        ("from time import sleep", "line 1: imports from time"),
        ("def f():\n    print('x')", "line 2: calls print"),
        ("open('x')", "line 1: calls open"),
        ("def f():\n    global x\n    x = 1", "line 2: x from outside its function"),
        ("def f(state):\n    state.hp = 1", "line 2: changes state.hp"),
        ("def f(state):\n    state.hp += 1", "line 2: changes state.hp"),
        ("def f(state):\n    a, state.hp = 1, 2", "line 2: changes state.hp"),
        ("def f(state):\n    del state.hp", "line 2: changes state.hp"),
        ("object.__setattr__(x, 'a', 1)", "line 1: calls __setattr__"),
        ("def f(counts):\n    counts['a'] = 1", "line 2: changes its argument counts"),
    ],
)
def test_an_impure_rule_is_found(text, found):
    assert list(impurities(ast.parse(text))) == [found]


def test_a_pure_rule_passes():
    text = "def f(tape, state):\n    counts = {}\n    counts['a'] = tape.roll(D6, label='a')\n    return counts['a']"
    assert list(impurities(ast.parse(text))) == []
