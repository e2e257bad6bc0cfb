"""A client of the application, which here works in a thread of its own process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from battletape import registry
from battletape.web.app import create_app
from battletape.web.limits import Limits

QUESTIONS = [
    (name, question.name) for name in registry.names() if name != "toy" for question in registry.ruleset(name).questions
]
"""Every question of every registered ruleset."""


@pytest.fixture(autouse=True)
def _only_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rulesets that other tests made known are none of the page's."""
    monkeypatch.setattr(registry, "_known", {name: registry.ruleset(name) for name in registry.OURS})


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient]:
    """A browser without scripts, more or less."""
    with TestClient(create_app(Limits(quick=60.0)), follow_redirects=False) as made:
        yield made


@pytest.fixture
def hasty() -> Iterator[TestClient]:
    """A client of a server that takes next to no time for a question."""
    with TestClient(create_app(Limits(quick=0.05, patient=0.05)), follow_redirects=False) as made:
        yield made
