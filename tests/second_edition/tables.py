"""Tables of answers, as tests read them."""

from __future__ import annotations

from battletape.answer import Answer


def table_rows(asked: Answer) -> tuple[tuple[str, ...], ...]:
    """The rows of the table that an answer must have."""
    assert asked.table is not None
    return asked.table.rows
