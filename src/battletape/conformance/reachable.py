"""What can be reached from a ruleset's card: a call graph drawn from the sources alone.

A node is what a module defines at its top (a function, a class, a table) or a method of a class. A node uses every
name in its source that means another node: through imports, as an attribute of a module, as a value in a table, as a
decorator, in an annotation. Local names hide those of the module. A method is used where its class is and its name
stands as an attribute or a text in anything reached, or in the engine. In doubt a node counts as reached.

`python -m battletape.conformance.reachable RULESET` lists what is not.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import battletape
from battletape.conformance.sources import cited_by, files_of, module_name, parse
from battletape.conformance.subjects import find_card
from battletape.system import Ruleset

CARD = "RULESET"
Scope = Mapping[str, str]
"""What a name means: the dotted name of a module, or of something in one."""
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass
class Node:
    """Something that a module defines, and the names it uses."""

    name: str
    kind: str  # function, class, method, table
    path: Path
    line: int
    lines: int
    uses: set[str] = field(default_factory=set)  # dotted names, not yet followed through re-exports
    mentions: set[str] = field(default_factory=set)  # attributes and texts, which may be names of methods


class Graph:
    """The modules of a package, with what they define and what that uses."""

    def __init__(
        self, package: str, modules: Mapping[str, tuple[Path, ast.Module]], engine: Iterable[str] = ()
    ) -> None:
        self.package, self.engine = package, frozenset(engine)
        self.modules = {name: tree for name, (_, tree) in modules.items()}
        self.nodes: dict[str, Node] = {}
        self.scopes: dict[str, dict[str, str]] = {}
        self.methods: dict[str, list[str]] = {}  # of each class
        self.at_import: dict[Path, list[str]] = {}  # what a module does as soon as anything of it is used
        for name, (path, tree) in modules.items():
            self.scopes[name] = _bound(name, path, tree)
        for name, (path, tree) in modules.items():
            for statement in tree.body:
                self._draw(name, path, statement)

    def reached(self) -> set[str]:
        """Return the nodes that the card reaches."""
        reached: set[str] = set()
        mentioned = set(self.engine)
        waiting = [self._follow(f"{self.package}.{CARD}")]
        while waiting:
            while waiting:
                name = waiting.pop()
                if name in self.nodes and name not in reached:
                    reached.add(name)
                    node = self.nodes[name]
                    mentioned |= node.mentions
                    waiting += [self._follow(used) for used in node.uses]
                    waiting += self.at_import.get(node.path, ())
                    waiting += [name.rpartition(".")[0]] if node.kind == "method" else []
            methods = (method for kind, methods in self.methods.items() if kind in reached for method in methods)
            waiting = [
                method for method in methods if method not in reached and _is_used(method.rpartition(".")[2], mentioned)
            ]
        return reached

    def unreached(self) -> list[Node]:
        """Return what the card does not reach, in the order of the files."""
        reached = self.reached()
        left = [
            node for name, node in self.nodes.items() if name not in reached and node.kind not in ("import", "exports")
        ]
        return sorted(left, key=lambda node: (str(node.path), node.line))

    def place(self, cited: str) -> str:
        """Return the node that a citation names: an inner function belongs to the outer one, a file of data to its
        module.
        """
        if "/" in cited:
            return cited.partition("/")[0]
        name = cited.partition(".<locals>")[0]
        return name if name in self.nodes else self._follow(name)

    def is_reached(self, cited: str, reached: set[str]) -> bool:
        """Return whether the place of a citation is among the reached nodes."""
        place = self.place(cited)
        if place in self.modules:
            return any(name.startswith(place + ".") for name in reached)
        return place in reached

    def _follow(self, name: str) -> str:
        """Return the node of a name, through modules that only re-export it; `Weapon.name` is a use of `Weapon`."""
        seen = set[str]()
        while name not in self.nodes and name not in self.modules and "." in name and name not in seen:
            seen.add(name)
            owner, _, last = name.rpartition(".")
            owner = self._follow(owner)
            name = self.scopes[owner].get(last, name) if owner in self.modules else owner
        return name

    def _draw(self, module: str, path: Path, statement: ast.stmt) -> None:
        scope = self.scopes[module]
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node = self._node(f"{module}.{statement.name}", "function", path, statement)
            self._read(node, statement, scope)
        elif isinstance(statement, ast.ClassDef):
            name = f"{module}.{statement.name}"
            node = self._node(name, "class", path, statement)
            self.methods[name] = []
            for part in (*statement.decorator_list, *statement.bases, *statement.keywords, *statement.body):
                if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    self.methods[name].append(f"{name}.{part.name}")
                    self._read(self._node(f"{name}.{part.name}", "method", path, part), part, scope)
                else:
                    self._read(node, part, scope)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            for target in _names_bound(statement):
                kind = "exports" if target == "__all__" else "table"
                self._read(self._node(f"{module}.{target}", kind, path, statement), statement, scope)
        elif not isinstance(statement, (ast.Import, ast.ImportFrom)):
            node = self._node(f"{module}:import", "import", path, statement)
            self.at_import[path] = [node.name]
            self._read(node, _without_what_it_cites(statement), scope)

    def _node(self, name: str, kind: str, path: Path, tree: ast.stmt) -> Node:
        decorators = getattr(tree, "decorator_list", [])
        first = min([tree.lineno, *(decorator.lineno for decorator in decorators)])
        made = Node(name, kind, path, tree.lineno, (tree.end_lineno or tree.lineno) - first + 1)
        return self.nodes.setdefault(name, made)  # what is bound twice is one thing

    def _read(self, node: Node, tree: ast.AST, scope: Scope) -> None:
        for used in _used(tree, scope, frozenset()):
            if used.startswith("."):
                node.mentions.add(used[1:])
                continue
            node.uses.add(used)
            node.mentions.update(used.split("."))


def _is_used(method: str, mentioned: set[str]) -> bool:
    return method in mentioned or (method.startswith("__") and method.endswith("__"))


def _bound(module: str, path: Path, tree: ast.AST) -> dict[str, str]:
    """Return the names that a module binds at its top, TYPE_CHECKING included, and what each means."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    scope: dict[str, str] = {}
    for statement in ast.iter_child_nodes(tree):
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            scope |= _imported(statement, package)
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            scope[statement.name] = f"{module}.{statement.name}"
        elif isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            scope |= {name: f"{module}.{name}" for name in _names_bound(statement)}
        elif isinstance(statement, (ast.If, ast.Try, ast.With, ast.For)):
            scope |= _bound(module, path, statement)
    return scope


def _imported(statement: ast.Import | ast.ImportFrom, package: str) -> dict[str, str]:
    if isinstance(statement, ast.Import):
        return {name.asname or name.name.partition(".")[0]: name.name if name.asname else name.name.partition(".")[0]
                for name in statement.names}  # fmt: skip
    home = statement.module or ""
    if statement.level:
        above = package.split(".")[: len(package.split(".")) - statement.level + 1]
        home = ".".join([*above, home]) if home else ".".join(above)
    return {name.asname or name.name: f"{home}.{name.name}" for name in statement.names}


def _names_bound(statement: ast.AST) -> list[str]:
    parts = _of_this_function(statement)
    return [part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]


def _without_what_it_cites(statement: ast.stmt) -> ast.AST:
    """Leave out `cites(*(… for row in TABLE), where=HERE + "TABLE")`, which is no use of the table."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "cites"):
        return statement
    (where,) = (keyword.value for keyword in call.keywords if keyword.arg == "where")
    named = {
        str(constant.value).rpartition(".")[2] for constant in ast.walk(where) if isinstance(constant, ast.Constant)
    }
    kept: list[ast.expr] = [name for name in ast.walk(call) if isinstance(name, ast.Name) and name.id not in named]
    return ast.Tuple(kept, ast.Load())


def _used(tree: ast.AST, scope: Scope, hidden: frozenset[str]) -> Iterator[str]:
    """Yield the dotted names that a piece of code uses; attributes and texts with a dot before them."""
    if isinstance(tree, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        yield from _used_by_function(tree, scope, hidden)
    elif isinstance(tree, COMPREHENSIONS):
        inner = hidden | {name for generator in tree.generators for name in _names_bound(generator.target)}
        for number, loop in enumerate(tree.generators):
            yield from _used(loop.iter, scope, inner if number else hidden)
            for condition in loop.ifs:
                yield from _used(condition, scope, inner)
        for part in ("elt", "key", "value"):
            if hasattr(tree, part):
                yield from _used(getattr(tree, part), scope, inner)
    elif isinstance(tree, ast.Name):
        if tree.id in scope and tree.id not in hidden:
            yield scope[tree.id]
    elif isinstance(tree, ast.Attribute):
        dotted = _dotted(tree, scope, hidden)
        if dotted:
            yield dotted
        else:
            yield f".{tree.attr}"
            yield from _used(tree.value, scope, hidden)
    elif isinstance(tree, ast.Constant):
        if isinstance(tree.value, str) and tree.value.isidentifier():
            yield f".{tree.value}"
    else:
        for child in ast.iter_child_nodes(tree):
            yield from _used(child, scope, hidden)


def _used_by_function(function: Function, scope: Scope, hidden: frozenset[str]) -> Iterator[str]:
    args = function.args
    named = [*args.posonlyargs, *args.args, *args.kwonlyargs, *filter(None, (args.vararg, args.kwarg))]
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    outside: list[ast.AST] = [*args.defaults, *filter(None, args.kw_defaults)]
    outside += [arg.annotation for arg in named if arg.annotation]
    if not isinstance(function, ast.Lambda):
        outside += [*function.decorator_list, *([function.returns] if function.returns else [])]
    for part in outside:
        yield from _used(part, scope, hidden)
    inner = dict(scope)
    local = {arg.arg for arg in named}
    for part in body:
        for inner_node in _of_this_function(part):
            if isinstance(inner_node, (ast.Import, ast.ImportFrom)):
                inner |= _imported(inner_node, "")
            elif isinstance(inner_node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                local.add(inner_node.name)
            elif isinstance(inner_node, ast.Name) and isinstance(inner_node.ctx, ast.Store):
                local.add(inner_node.id)
            elif isinstance(inner_node, (ast.MatchAs, ast.MatchStar, ast.ExceptHandler)) and inner_node.name:
                local.add(inner_node.name)
    for part in body:
        yield from _used(part, inner, hidden | local)


def _of_this_function(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield a statement and everything in it, except what inner functions and comprehensions bind."""
    yield tree
    if not isinstance(tree, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, *COMPREHENSIONS)):
        for child in ast.iter_child_nodes(tree):
            yield from _of_this_function(child)


def _dotted(tree: ast.expr, scope: Scope, hidden: frozenset[str]) -> str:
    """Return `tables.CHART` written out, if it begins with a name of the module."""
    if isinstance(tree, ast.Name):
        return scope[tree.id] if tree.id in scope and tree.id not in hidden else ""
    if isinstance(tree, ast.Attribute):
        home = _dotted(tree.value, scope, hidden)
        return f"{home}.{tree.attr}" if home else ""
    return ""


@lru_cache(None)
def graph_of(ruleset: Ruleset) -> Graph:
    """Return the graph of a ruleset's package."""
    files = files_of(ruleset)
    modules = {module_name(ruleset.package, path): (path, parse(path)) for path in files}
    return Graph(ruleset.package, modules, names_in_the_engine())


@lru_cache
def names_in_the_engine() -> frozenset[str]:
    """Return the attributes that the engine, the views, the commands and the page read.

    One may be a method of a ruleset.
    """
    (place,) = battletape.__path__
    others = {"rulesets", "conformance"}
    files = [path for path in Path(place).rglob("*.py") if not others & {*path.relative_to(place).parts}]
    return frozenset(node.attr for path in files for node in ast.walk(parse(path)) if isinstance(node, ast.Attribute))


def citing(ruleset: Ruleset) -> dict[str, list[str]]:
    """Return the clauses that each place of a ruleset cites."""
    citing_places: dict[str, list[str]] = {}
    for clause, places in cited_by(ruleset).items():
        for place in places:
            citing_places.setdefault(place, []).append(clause)
    return citing_places


def resting_alone(ruleset: Ruleset) -> list[str]:
    """Return the clauses that are cited only by code that the card does not reach."""
    graph = graph_of(ruleset)
    reached = graph.reached()
    cited = cited_by(ruleset).items()
    return [clause for clause, places in cited if not any(graph.is_reached(place, reached) for place in places)]


def main(name: str) -> None:
    """Print what cannot be reached: file, line, name, how long it is, and the clauses it cites."""
    ruleset = find_card(name)
    graph = graph_of(ruleset)
    cited: dict[str, list[str]] = {}
    for place, ids in citing(ruleset).items():
        cited.setdefault(graph.place(place), []).extend(ids)
    left = graph.unreached()
    for node in left:
        module = node.name.removeprefix(f"{ruleset.package}.")
        clauses = " ".join(sorted(cited.get(node.name, ())))
        print(f"{f'{node.path.name}:{node.line}':26} {node.kind:9} {module:44} {node.lines:4}  {clauses}")
    counted = [node for node in left if node.kind in ("function", "class")]
    lines, others = sum(node.lines for node in counted), len(left) - len(counted)
    print(f"Not reached: {len(counted)} functions and classes ({lines} lines), {others} methods and tables.")
    print("Clauses that rest on such code alone:", " ".join(resting_alone(ruleset)) or "none")


if __name__ == "__main__":
    main(sys.argv[1])
