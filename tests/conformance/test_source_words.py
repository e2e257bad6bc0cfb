"""The words of the five source documents find their clause: in the library, the terminal and the page."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from battletape.registry import ruleset
from battletape.views.rulebook import book_page
from battletape.views.rules import rules_view
from battletape.views.search import search, search_rules

WORDS: dict[str, dict[str, str]] = tomllib.loads(
    (Path(__file__).parent / "source_words.toml").read_text(encoding="utf-8")
)
CASES = [(name, word, clause_id) for name, words in WORDS.items() for word, clause_id in words.items()]
FIRST = 5
"""A player looks at so many results."""


def test_the_words_are_from_all_five_documents():
    assert min(len(words) for words in WORDS.values()) >= 25
    assert len(CASES) >= 150
    assert len(WORDS) == 5
    for name, words in WORDS.items():
        assert set(words.values()) <= set(ruleset(name).clauses.by_id)


@pytest.mark.parametrize("name", WORDS)
def test_a_word_of_a_document_finds_its_clause_among_the_first(name: str):
    card, missed = ruleset(name), []
    for word, clause_id in WORDS[name].items():
        ways = {
            "library": [clause.id for clause in card.clauses.search(word)],
            "terminal": [clause.id for clause in rules_view(card, word).clauses][:FIRST],
            "search": search_rules(card, word).ids[:FIRST],
            "page": [entry.clause.id for entry in book_page(card, word).ranked][:FIRST],
        }
        missed += [(where, word, clause_id, found[:FIRST]) for where, found in ways.items() if clause_id not in found]
    assert missed == []


NAMES = {
    "chronus": "DL-SM-89.1",
    "khan": "DL-SM-94.1",
    "thunderfire": "DL-SM-73.1",
    "land speeder storm": "DL-SM-75.1",
    "orbital bombardment": "DL-SM-52.1",
    "expert": "DL-14.4",
    "seize": "DL-PREP.9",
    "beginners": "DL-PREP.10",
    "coherency": "V5-CORE-17",
    "base contact": "V5-ASLT-2",
}


@pytest.mark.parametrize(("word", "clause_id"), NAMES.items())
def test_a_name_finds_its_clause_in_the_search_over_all_systems(word: str, clause_id: str):
    groups = dict(search(map(ruleset, WORDS), word).groups)
    assert clause_id in [find.name for find in groups["rule"]]


def test_words_beside_a_title_are_words_and_no_sentences():
    for name in WORDS:
        for clause in ruleset(name).clauses:
            assert all(len(word.split()) <= 5 and not word.endswith(".") for word in clause.also), clause.id
            twice = [word for word, times in Counter(map(str.lower, clause.also)).items() if times > 1]
            assert twice == [], clause.id
