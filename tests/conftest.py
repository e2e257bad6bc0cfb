"""What holds for every test."""

from __future__ import annotations

import pytest

from battletape.battle import preview


@pytest.fixture(autouse=True)
def _forecasts_have_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is no reason to leave something out; tests of that give a budget of their own."""
    monkeypatch.setattr(preview, "SECONDS", 600.0)
