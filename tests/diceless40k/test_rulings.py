"""The rulings: every value is explained, and every clause they name is in the book."""

from __future__ import annotations

import pytest

from battletape.clauses import read_clauses
from battletape.inputs import Field, fields
from battletape.rulesets.diceless40k.rulings import DEFAULT, PRESETS, Rulings

CLAUSES = read_clauses("battletape.rulesets.diceless40k")


@pytest.mark.parametrize("field", fields(Rulings), ids=lambda field: field.name)
def test_a_ruling_says_what_each_value_means(field: Field):
    assert CLAUSES[field.clause].id == field.clause
    assert field.title
    if field.kind == "choice":
        assert [str(choice) for choice in field.choices] == [name for name, _ in field.alternatives]
        assert field.default == field.choices[0]
    else:
        assert field.kind == "whole"
        assert field.low is not None
        assert field.low <= field.default <= (field.high or 0)


@pytest.mark.clause("DL-60.16")
def test_presets():
    assert Rulings(**PRESETS["text"]) == DEFAULT  # type: ignore[arg-type]
    assert Rulings(**PRESETS["sheet"]).rows == "sheet"  # type: ignore[arg-type]
