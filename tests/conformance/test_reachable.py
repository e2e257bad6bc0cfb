"""What a card comes to is found, and what it does not."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from battletape.conformance.reachable import Graph


def drawn(**modules: str) -> Graph:
    """The graph of a package "p" with these modules; `card` is its __init__."""
    named = {"p" if name == "card" else f"p.{name}": name for name in modules}
    files = {name: Path("__init__.py" if file == "card" else f"{file}.py") for name, file in named.items()}
    return Graph("p", {name: (files[name], ast.parse(modules[file])) for name, file in named.items()}, {"shown"})


def left(**modules: str) -> list[str]:
    """What is not reached."""
    return [node.name.removeprefix("p.") for node in drawn(**modules).unreached()]


@pytest.mark.parametrize(
    "card, rules, unreached",
    [
        ("from p.rules import a\nRULESET = a", "def a(): return b()\ndef b(): ...\ndef c(): ...", ["rules.c"]),
        ("from p import rules\nRULESET = rules.a", "def a(): ...\ndef b(): ...", ["rules.b"]),
        ("from p import rules as r\nRULESET = r.a()", "def a(): ...\ndef b(): ...", ["rules.b"]),
        ("from .rules import T\nRULESET = T", "T = {'x': (a, lambda: b)}\ndef a(): ...\ndef b(): ...", []),
        ("from p.rules import *\nRULESET = 1", "def a(): ...", ["rules.a"]),
        ("import p.rules\nRULESET = p.rules.a", "def a(): ...\ndef b(): ...", ["rules.b"]),
        # a name of the function's own hides that of the module
        ("from p.rules import a\nRULESET = a", "def a(b): return b\ndef b(): ...", ["rules.b"]),
        ("from p.rules import a\nRULESET = a", "def a():\n    b = 1\n    return b\ndef b(): ...", ["rules.b"]),
        ("from p.rules import a\nRULESET = a", "def a(s): return [b for b in s]\ndef b(): ...", ["rules.b"]),
        ("from p.rules import a\nRULESET = a", "def a(s): return [c for c in b()]\ndef b(): ...", []),
        ("from p.rules import a\nRULESET = a", "def a(s):\n    s = [b for b in s]\n    return b\ndef b(): ...", []),
        # decorators, defaults, annotations, inner functions and imports
        ("from p.rules import a\nRULESET = a", "@b\ndef a(x=c) -> D: ...\ndef b(f): ...\nc = 1\nclass D: ...", []),
        ("from p.rules import a\nRULESET = a", "def a():\n    def i(): return b()\n    return i\ndef b(): ...", []),
        ("def a():\n    from p.rules import b\n    return b\nRULESET = a", "def b(): ...", []),
        # methods: by name, where their class is reached; those that the language calls come with the class
        (
            "from p.rules import A\nRULESET = A().x",
            "class A:\n    def x(self): ...\n    def y(self): ...\n    def __lt__(self, o): ...",
            ["rules.A.y"],
        ),
        ("from p.rules import A\nRULESET = A", "class A:\n    def shown(self): return b()\ndef b(): ...", []),
        ("from p.rules import a\nRULESET = a.x", "a = 1\nclass A:\n    def x(self): ...", ["rules.A", "rules.A.x"]),
        ("from p.rules import A\nRULESET = A.x", "class A:\n    def x(self): return b()\ndef b(): ...", []),
        ("from p.rules import A\nRULESET = getattr(A, 'x')", "class A:\n    def x(self): ...", []),
        ("from p.rules import A\nRULESET = A", "class A(B):\n    n: C = d\nclass B: ...\nclass C: ...\nd = 1", []),
        # citing a table is no use of it; what a module does when it is imported counts
        ("from p.rules import a\nRULESET = a", "T = [1]\ncites(*T, where=f'{__name__}.T')\ndef a(): ...", ["rules.T"]),
        ("from p.rules import a\nRULESET = a", "T = []\nT.append(b)\ndef a(): ...\ndef b(): ...", []),
    ],
)
def test_the_graph_follows_names(card, rules, unreached):
    assert left(card=card, rules=rules) == unreached


def test_a_name_is_followed_through_the_module_that_hands_it_on():
    card = "from p.door import a\nRULESET = a"
    door = "from p.rules import a\n__all__ = ['a']"
    assert left(card=card, door=door, rules="def a(): ...\ndef b(): ...") == ["rules.b"]


def test_a_module_is_followed_through_the_module_that_hands_it_on():
    card = "from p import door\nRULESET = door.rules.A.x.y"
    door = "from p import rules"
    assert left(card=card, door=door, rules="class A:\n    def x(self): ...\ndef b(): ...") == ["rules.b"]


def test_the_place_of_a_citation_is_found():
    graph = drawn(card="from p.rules import a\nRULESET = a", rules="def a(): ...\ndef b(): ...", book="X = 1")
    found = graph.reached()
    assert graph.is_reached("p.rules.a", found)
    assert graph.is_reached("p.rules.a.<locals>.inner", found)
    assert not graph.is_reached("p.rules.b", found)
    assert graph.is_reached("p.rules/units.toml", found)
    assert not graph.is_reached("p.book/units.toml", found)
