"""Tables of answers, as tests read them."""

from __future__ import annotations

from typing import Any

from battletape.answer import Answer


def table_rows(asked: Answer) -> Any:
    """The rows of the table that an answer must have."""
    assert asked.table is not None
    return asked.table.rows
