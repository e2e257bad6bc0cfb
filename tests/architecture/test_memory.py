"""Nothing that grows with what users ask is kept without a bound, and all of it is found when it must be forgotten."""

from __future__ import annotations

import ast
from functools import lru_cache
from pathlib import Path

import battletape

SOURCE = Path(battletape.__file__).parent
ENDLESS = {
    "views/rules.py": {"import_all"},  # one for each package
    "web/app.py": {"static_files"},  # takes nothing
}
"""Caches without a bound that cannot grow with what somebody asks."""
TABLES = {
    "clauses.py": {"CITED"},  # what the code cites
    "cli/__init__.py": {"done", "unsure"},  # what one command did
    "memory.py": {"_staying"},  # caches that stay
    "registry.py": {"_known", "_failed", "_loading", "_told_first"},  # the rulesets
    "web/jobs.py": {"JOBS"},  # the functions of workers
}
"""Collections that are filled while modules and rulesets are loaded."""


@lru_cache(1)
def trees() -> tuple[tuple[str, ast.Module], ...]:
    """Every module of ours but those of the conformance tests."""
    paths = {path.relative_to(SOURCE).as_posix(): path for path in sorted(SOURCE.rglob("*.py"))}
    return tuple(
        (module, ast.parse(path.read_text(encoding="utf-8")))
        for module, path in paths.items()
        if not module.startswith("conformance/")
    )


def called(node: ast.expr) -> str:
    """The name of what is called."""
    function = node.func if isinstance(node, ast.Call) else node
    return (
        function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""
    )


def keeps(function: ast.FunctionDef) -> bool:
    """Whether the results of a function are kept."""
    return any(called(decorator) == "lru_cache" for decorator in function.decorator_list)


def is_endless(node: ast.expr) -> bool:
    """Whether a decorator keeps results without a bound."""
    if called(node) == "cache":
        return True
    if called(node) != "lru_cache" or not isinstance(node, ast.Call):
        return False
    sizes = [*node.args[:1], *(keyword.value for keyword in node.keywords if keyword.arg == "maxsize")]
    return any(isinstance(size, ast.Constant) and size.value is None for size in sizes)


def endless(tree: ast.Module) -> set[str]:
    """The functions whose results are kept without a bound."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    found = {function.name for function in functions if any(map(is_endless, function.decorator_list))}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and is_endless(node.func):
            found.add(ast.unparse(node))
    return found


def empty_collections(tree: ast.Module) -> set[str]:
    """The names of a module that begin as empty collections, to be filled later."""
    found = set()
    for node in tree.body:
        if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
            continue
        value = node.value
        empty = isinstance(value, (ast.Dict, ast.List)) and not ast.unparse(value).strip("{}[]")
        made = isinstance(value, ast.Call) and not value.args and called(value) in COLLECTIONS
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        found |= {ast.unparse(target) for target in targets if empty or made}
    return found


COLLECTIONS = {"dict", "list", "set", "defaultdict", "OrderedDict", "Counter", "WeakKeyDictionary"}


def test_every_cache_has_a_bound():
    strange = [
        f"{module}: {name}" for module, tree in trees() for name in sorted(endless(tree) - ENDLESS.get(module, set()))
    ]
    assert strange == [], f"give these caches a size, lru_cache(256), or battletape.memory.Kept: {', '.join(strange)}"


def test_no_module_has_a_dict_that_is_filled_as_questions_come():
    strange = [
        f"{module}: {name}"
        for module, tree in trees()
        for name in sorted(empty_collections(tree) - TABLES.get(module, set()))
    ]
    assert strange == [], f"keep results in battletape.memory.lasting(Kept(…)), which is bounded: {', '.join(strange)}"


def test_caches_within_functions_stand_in_results_of_other_caches():
    """`forget` finds the caches of modules; one made within a function goes with the cache that keeps the function."""
    lost = []
    for module, tree in trees():
        for outer in ast.walk(tree):
            if isinstance(outer, (ast.ClassDef, ast.FunctionDef)):
                inner = [each for each in outer.body if isinstance(each, ast.FunctionDef) and keeps(each)]
                if isinstance(outer, ast.ClassDef) or not keeps(outer):
                    lost += [f"{module}: {each.name}" for each in inner]
    assert lost == []


def test_unbounded_caches_and_collections_are_found():
    assert endless(ast.parse("@cache\ndef f(): ...")) == {"f"}
    assert endless(ast.parse("@lru_cache(None)\ndef f(): ...")) == {"f"}
    assert endless(ast.parse("@lru_cache(maxsize=None)\ndef f(): ...")) == {"f"}
    assert endless(ast.parse("f = lru_cache(None)(g)")) == {"lru_cache(None)(g)"}
    assert endless(ast.parse("@lru_cache(64)\ndef f(): ...")) == set()
    assert empty_collections(ast.parse("known: dict[str, int] = {}\nother = defaultdict(list)\nTABLE = {1: 2}")) == {
        "known"
    }
    assert empty_collections(ast.parse("known = set()\nlisted = []")) == {"known", "listed"}
