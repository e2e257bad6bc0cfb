"""Printed tables that a ruleset keeps as TOML."""

from __future__ import annotations

import sys

import msgspec
import pytest

from battletape.errors import BattletapeError
from battletape.inputs import Ruling
from battletape.system import read_rulings
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
def test_a_mistake_in_a_table_is_refused_with_its_file(package, text, told):
    (package / "chart.toml").write_text(text, encoding="utf-8")
    with pytest.raises(BattletapeError, match=told):
        read_tables(package.name, "chart", Chart)


def test_a_missing_table_is_refused_by_name(package):
    with pytest.raises(BattletapeError, match=r"chart_of_a_test: chart\.toml: .*No such file"):
        read_tables(package.name, "chart", Chart)


def test_a_folder_that_is_no_package_is_refused(package):
    (package / "__init__.py").unlink()
    with pytest.raises(BattletapeError, match=r"chart_of_a_test: chart\.toml: it is in no package"):
        read_tables(package.name, "chart", Chart)


def test_a_mistake_in_the_words_of_a_ruling_is_refused_with_its_file(package):
    text = '[ties]\ndecides = "Ties"\nclause = "X-1"\nmeans.draw = "nobody wins"\n'
    (package / "rulings.toml").write_text(text, encoding="utf-8")
    assert read_rulings(package.name) == {"ties": Ruling("Ties", "X-1", {"draw": "nobody wins"})}
    (package / "rulings.toml").write_text(text.replace("clause", "claus"), encoding="utf-8")
    with pytest.raises(BattletapeError, match=r"chart_of_a_test: rulings\.toml: .*`claus`"):
        read_rulings(package.name)
