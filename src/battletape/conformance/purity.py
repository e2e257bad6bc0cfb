"""What rules must not do: use luck, a clock or a screen besides the tape, or change anything in place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

FORBIDDEN_MODULES = {
    *("random", "secrets", "time", "datetime", "uuid", "os", "sys", "threading", "asyncio", "subprocess", "socket"),
    *("click", "rich", "logging", "numpy", "battletape.tape.rolled", "battletape.tape.sampled"),
}
FORBIDDEN_CALLS = {"print", "input", "open", "exec", "eval", "setattr", "delattr", "globals", "breakpoint"}


def impurities(tree: ast.Module) -> Iterator[str]:
    """Yield what a module of rules must not do, with the line."""
    for node in ast.walk(tree):
        where = f"line {getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Import):
            yield from (f"{where}: imports {name.name}" for name in node.names if name.name in FORBIDDEN_MODULES)
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
                f"{where}: changes {ast.unparse(target)}"
                for target in _targets(node)
                if isinstance(target, ast.Attribute)
            )
        elif isinstance(node, (ast.FunctionDef, ast.Lambda)):
            yield from _changed_arguments(node)


def _targets(node: ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Delete) -> Iterator[ast.expr]:
    targets = node.targets if isinstance(node, (ast.Assign, ast.Delete)) else [node.target]
    for target in targets:
        yield from target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]


def _changed_arguments(function: ast.FunctionDef | ast.Lambda) -> Iterator[str]:
    """Yield items set or deleted in an argument."""
    args = function.args
    names = {arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
    for node in ast.walk(function):
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete)):
            for target in _targets(node):
                if (
                    isinstance(target, ast.Subscript)
                    and isinstance(target.value, ast.Name)
                    and target.value.id in names
                ):
                    yield f"line {node.lineno}: changes its argument {target.value.id}"
