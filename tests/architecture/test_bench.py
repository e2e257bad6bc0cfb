"""`./bench`: a topic that fails is named, and the others go on."""

from __future__ import annotations

import json
import sys
from types import ModuleType

import pytest

from benchmarks import __main__ as bench
from benchmarks.race import Differs
from benchmarks.table import Table


def topic(monkeypatch: pytest.MonkeyPatch, name: str, error: Exception | None) -> None:
    """A topic that takes no time, and fails with this error."""

    def run(pace):
        if error is not None:
            raise error
        table = Table(name, f"the title of {name}", "part of the time allowed")
        table.within("all", "1 s", 0.5, 1.0)
        return table

    module = ModuleType(f"benchmarks.{name}")
    module.run = run  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, f"benchmarks.{name}", module)


LATE = TimeoutError("\nPage.click: Timeout 30000ms exceeded.\nCall log:\n  - waiting")


@pytest.mark.parametrize(
    "errors, code",
    [
        ((None, None, None), 0),
        ((None, LATE, None), 3),
        ((LATE, Differs("two ways"), None), 1),
        ((AssertionError(), None, None), 3),
    ],
)
def test_a_topic_that_fails_is_named_and_the_others_go_on(errors, code, monkeypatch, capsys, tmp_path):
    names = ("first", "second", "third")
    monkeypatch.setattr(bench, "TOPICS", names)
    for name, error in zip(names, errors, strict=True):
        topic(monkeypatch, name, error)
    assert bench.main(["--json", str(tmp_path / "figures.json")]) == code
    said, figures = capsys.readouterr().out, json.loads((tmp_path / "figures.json").read_text())
    fine = [name for name, error in zip(names, errors, strict=True) if error is None]
    assert [table["topic"] for table in figures["tables"]] == fine
    assert f"{len(fine)} of {len(fine)} targets reached" in said
    for name, error in zip(names, errors, strict=True):
        assert (f"the title of {name}" in said) is (error is None)
        if error is LATE:
            line = f"{name}: TimeoutError: Page.click: Timeout 30000ms exceeded."
            assert said.splitlines().count(f"FAILED {line}") == 2  # at once, and at the end
            assert line in figures["failed"]
        if isinstance(error, AssertionError):
            assert f"FAILED {name}: AssertionError\n" in said
        if isinstance(error, Differs):
            assert f"WRONG RESULT in {name}: two ways" in said
    assert "Traceback" not in said


def test_a_topic_that_cannot_be_imported_is_named_too(monkeypatch, capsys):
    monkeypatch.setattr(bench, "TOPICS", ("nowhere",))
    assert bench.main([]) == 3
    assert "FAILED nowhere: ModuleNotFoundError: No module named 'benchmarks.nowhere'" in capsys.readouterr().out
