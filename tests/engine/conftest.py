"""Hypothesis tries the same examples in every run, so that a red run can be repeated and a green one means the same."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("repeatable")
