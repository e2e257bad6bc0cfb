"""Refusals on their way to the player."""

from __future__ import annotations

import pytest

from battletape.errors import BadInput, Refused, raise_if_refused


def test_the_first_reason_is_the_one_that_players_read() -> None:
    raise_if_refused(None, None)  # nothing stands in the way
    with pytest.raises(Refused, match="too far"):
        raise_if_refused(None, Refused("too far"), BadInput("no such mode"))
