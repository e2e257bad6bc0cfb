"""The conformance tests are run here on our own rulesets: pyproject.toml says which, and where their starts are."""

from __future__ import annotations

import pytest

pytest_plugins = ("battletape.conformance.plugin",)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes golden files anew."""
    parser.addoption("--update", action="store_true", help="write the golden files of tests/golden as texts are now")
