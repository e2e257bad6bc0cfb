"""Printed tables that a ruleset keeps as TOML."""

from __future__ import annotations

import sys

import msgspec
import pytest

from battletape.errors import BattletapeError
from battletape.toml import read_tables


class Chart(msgspec.Struct, forbid_unknown_fields=True):
    needed: dict[int, tuple[str, int]]


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "chart_of_a_test"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    sys.modules.pop(folder.name, None)


def test_rows_are_read_in_order_with_numbers_for_names(package):
    (package / "chart.toml").write_text('[needed]\n3 = ["hard", +5]\n2 = ["easy", 0]\n', encoding="utf-8")
    assert list(read_tables(package.name, "chart", Chart).needed.items()) == [(3, ("hard", 5)), (2, ("easy", 0))]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[needed]\n3 = ["hard"]\n', r"chart_of_a_test: chart\.toml: .*length 2, got 1"),
        ("[other]\n", r"chart_of_a_test: chart\.toml: Object contains unknown field `other`"),
        ("needed = [", r"chart_of_a_test: chart\.toml: Invalid value"),
    ],
)
def test_a_slip_in_a_table_is_told_with_its_file(package, text, told):
    (package / "chart.toml").write_text(text, encoding="utf-8")
    with pytest.raises(BattletapeError, match=told):
        read_tables(package.name, "chart", Chart)
