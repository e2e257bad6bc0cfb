"""Where a special rule is named: what counts, and what does not."""

from __future__ import annotations

import ast

from battletape.conformance.sources import strings_of


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
