"""What holds for every test; and after a long run, where its time went."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import settings

from battletape.battle import preview
from battletape.tape import limits

LONG = 20  # seconds of a run that is worth a look
SLOWEST = 10

settings.register_profile("house", deadline=None)  # a busy machine is no reason to fail
settings.load_profile("house")


@pytest.fixture(autouse=True)
def _answers_have_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is no reason to leave something out; tests of that give a budget of their own."""
    monkeypatch.setattr(preview, "PREVIEW_SECONDS", 600.0)
    monkeypatch.setattr(limits, "DEFAULT_SECONDS", 600.0)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The seconds of each folder and of the slowest files and tests, those of all processes together."""
    tests: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                tests[report.nodeid] += report.duration  # type: ignore[assignment]
    if tests.total() < LONG:
        return
    files, folders = Counter[str](), Counter[str]()
    for test, seconds in tests.items():
        file = test.partition("::")[0]
        files[file] += seconds
        folders[file.rpartition("/")[0]] += seconds
    terminalreporter.section("where the time went (seconds)")
    for told in (folders.most_common(), files.most_common(SLOWEST), tests.most_common(SLOWEST)):
        terminalreporter.write_line("\n".join(f"{seconds:7.1f}  {name}" for name, seconds in told) + "\n")
