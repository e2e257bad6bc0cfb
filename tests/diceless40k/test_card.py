"""The card: the overlay, its pages, its author."""

from __future__ import annotations

import re

import pytest

from battletape.clauses import CITED
from battletape.rulesets.diceless40k import RULESET


@pytest.mark.clause("DL-0.1")
def test_the_base_game_stands_behind_what_is_not_replaced():
    assert "5th edition" in RULESET.clauses["DL-0.1"].words
    assert len(CITED["DL-0.1"]) > 1  # what the rules take from it says so


@pytest.mark.clause("DL-0.2")
def test_ids_are_made_from_pages():
    for clause in RULESET.clauses:
        page = re.match(r"DL-(?:SM-)?(\d+)\.\d+$", clause.id)
        if page and page[1] != "0":
            assert clause.source.endswith(f"page {page[1]}")


@pytest.mark.clause("DL-0.4")
def test_the_author_is_named():
    assert "Dav0r" in RULESET.summary
    assert "Dav0r" in RULESET.clauses["DL-0.4"].words


def test_there_are_192_clauses():
    assert len(RULESET.clauses) == 192
    assert [clause.id for clause in RULESET.clauses if clause.status != "done"] == []


def test_the_card_shows_its_tables():
    assert [table.clause for table in RULESET.tables()][:3] == ["DL-6.4", "DL-20.2", "DL-T1"]
