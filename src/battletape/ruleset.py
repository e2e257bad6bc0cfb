"""Moved to battletape.system."""

from battletape.system import *  # noqa: F403
