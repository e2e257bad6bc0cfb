"""The pages speak of our own rulesets: what other tests have made known in this process is put aside."""

from __future__ import annotations

import pytest

from battletape import registry


@pytest.fixture(autouse=True)
def only_our_rulesets(monkeypatch):
    ours = {name: card for name, card in registry._known.items() if name in registry.OURS}
    monkeypatch.setattr(registry, "_known", ours)
