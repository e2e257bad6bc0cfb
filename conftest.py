"""The conformance tests are run here on our own rulesets: pyproject.toml says which, and where their starts are."""

from __future__ import annotations

pytest_plugins = ("battletape.conformance.plugin",)
