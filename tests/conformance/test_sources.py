"""What the conformance tests read in the files of a ruleset is found, and nothing else."""

from __future__ import annotations

import ast

import msgspec
import pytest

from battletape.conformance.purity import impurities
from battletape.conformance.sources import clauses_named, files_of, is_frozen, module_name, strings_of
from tests.toy import RULESET as TOY


def test_tests_are_no_sources_of_a_ruleset():
    names = {module_name(TOY.package, path) for path in files_of(TOY)}
    assert {"tests.toy", "tests.toy.attack"} <= names
    assert "tests.toy.test_toy" not in names


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


def test_types_are_told_frozen_from_mutable():
    class Loose(msgspec.Struct):
        hp: int

    class Fixed(msgspec.Struct, frozen=True):
        hp: int

    class Plain:
        hp = 1

    assert [is_frozen(kind) for kind in (Loose, Fixed, Plain)] == [False, True, False]


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


def test_marks_are_found_wherever_they_stand(tmp_path):
    text = """
import pytest
pytestmark = [pytest.mark.clause("A-1"), pytest.mark.slow]
@pytest.mark.clause("A-2", "A-3")
def test_one(): ...
@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.clause("A-4"))])
class TestTwo:
    @pytest.mark.clause("A-5")
    def test_three(self): ...
"""
    (tmp_path / "test_marks.py").write_text(text, encoding="utf-8")
    (tmp_path / "test_none.py").write_text("def test_four(): ...", encoding="utf-8")
    named = clauses_named((tmp_path,))
    assert sorted(named) == ["A-1", "A-2", "A-3", "A-4", "A-5"]
    assert all(files == ["test_marks.py"] for files in named.values())
