"""The toy ruleset is known by name while the tests of a module run, and forgotten after."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from battletape import registry
from tests.toy import RULESET


@pytest.fixture(scope="module", autouse=True)
def _toy_is_known() -> Iterator[None]:
    before = registry._known.get("toy")
    registry.register(RULESET, replace=True)
    yield
    registry._known.pop("toy")
    if before is not None:
        registry.register(before, replace=True)
