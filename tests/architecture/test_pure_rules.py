"""What a rule must not do is found."""

from __future__ import annotations

import ast

import pytest

from battletape.conformance.purity import impurities


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
