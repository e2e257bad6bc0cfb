"""Every clause of every ruleset is done, cited by code and named by a test, or says why not."""

from __future__ import annotations

import ast
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest

from battletape.inputs import fields
from battletape.views.evidence import clauses_marked
from docs.evidence import cited_by
from tests.conformance.cases import rulesets

TESTS = Path(__file__).parents[1]
every_ruleset = pytest.mark.parametrize("ruleset", rulesets(), ids=lambda ruleset: ruleset.name)


@every_ruleset
def test_every_clause_that_is_done_is_cited_by_code(ruleset):
    cited = cited_by(ruleset)
    assert [one.id for one in ruleset.clauses if one.status == "done" and one.id not in cited] == []


@every_ruleset
def test_every_clause_that_is_done_is_named_by_a_test(ruleset):
    named = named_by_tests()
    assert [one.id for one in ruleset.clauses if one.status == "done" and one.id not in named] == []


@every_ruleset
def test_every_clause_that_is_not_done_says_why(ruleset):
    assert [one.id for one in ruleset.clauses if one.status != "done" and not one.note] == []


@every_ruleset
def test_no_code_cites_an_unknown_clause(ruleset):
    known = {one.id for one in ruleset.clauses}
    unknown = {one: where for one, where in cited_by(ruleset).items() if one not in known}
    assert unknown == {}


@every_ruleset
def test_every_ruling_and_table_names_a_clause_of_the_book(ruleset):
    known = {one.id for one in ruleset.clauses}
    for field in fields(ruleset.rulings):
        assert field.clause in known, f"the ruling {field.name} names {field.clause or 'no clause'}"
        assert field.alternatives, f"the ruling {field.name} does not say what its values mean"
        told = {value for value, _ in field.alternatives}
        assert field.show(field.default) in told
        if field.kind != "whole":  # of a number only those that mean something are told
            values = {field.show(choice) for choice in field.choices} or {"yes", "no"}
            assert told == (values | {"none"} if field.optional else values)
    for table in ruleset.tables():
        assert table.clause in known, f"the table {table.title!r} names {table.clause or 'no clause'}"


@every_ruleset
def test_every_clause_is_told_in_words(ruleset):
    for one in ruleset.clauses:
        assert one.id.strip() == one.id
        assert all(text.strip() for text in (one.id, one.title, one.words, one.source)), one.id
    twice = [title for title, number in Counter(one.title for one in ruleset.clauses).items() if number > 1]
    assert twice == []


def test_no_test_names_an_unknown_clause():
    known = {one.id for ruleset in rulesets() for one in ruleset.clauses}
    ours = {one.partition("-")[0] for one in known}  # geometry names clauses of systems that are still to come
    named = {one: where for one, where in named_by_tests().items() if one.partition("-")[0] in ours}
    assert {one: where for one, where in named.items() if one not in known} == {}


@lru_cache
def named_by_tests() -> dict[str, list[str]]:
    """The clauses that `pytest.mark.clause("…")` names anywhere in the tests, and in which file."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("*.py")):
        for one in clauses_marked(ast.parse(path.read_text(encoding="utf-8"))):
            found.setdefault(one, []).append(path.name)
    return found


def test_marks_are_found_wherever_they_stand():
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
    assert sorted(clauses_marked(ast.parse(text))) == ["A-1", "A-2", "A-3", "A-4", "A-5"]
