"""Clauses: code cites them, a book holds them, and a damaged book says where."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from battletape import clauses
from battletape.clauses import Clause, ClauseBook, cites, clause, read_clauses
from battletape.errors import BattletapeError, UnknownName

BOOK = ClauseBook(
    [
        Clause("T-1", "Save rolls", "A save is rolled for each hit.", "page 3", "saves", "done"),
        Clause("T-2", "Cover", "Cover makes a save of 4+.", "page 4", "saves"),
        Clause("T-3", "Moving", "Six inches.", "page 5", "moves", "out_of_scope", "no board"),
    ],
    "test",
)
GOOD = '[[clause]]\nid = "G-1"\ntitle = "Good"\nwords = "All is well."\nsource = "page 1"\n'


@pytest.fixture
def cited(monkeypatch):
    found: dict[str, list[str]] = {}
    monkeypatch.setattr(clauses, "CITED", found)
    return found


@pytest.fixture
def book_of(tmp_path, monkeypatch):
    """A package with this clauses.toml."""
    monkeypatch.syspath_prepend(tmp_path)
    made: list[str] = []

    def make(text: str | bytes | None) -> str:
        name = f"book_{tmp_path.name.replace('-', '_')}_{len(made)}"
        package: Path = tmp_path / name
        package.mkdir()
        (package / "__init__.py").touch()
        if text is not None:
            (package / "clauses.toml").write_bytes(text.encode() if isinstance(text, str) else text)
        made.append(name)
        return name

    yield make
    for name in made:
        sys.modules.pop(name, None)


def test_code_cites_its_clauses(cited):
    @clause("T-1", "T-2")
    def save():
        return 4

    @clause("T-3")
    @clause("T-1")
    def both():
        return 5

    assert save() == 4
    assert save.__clauses__ == ("T-1", "T-2")  # type: ignore[attr-defined]
    assert both.__clauses__ == ("T-3", "T-1")  # type: ignore[attr-defined]
    cites("T-9", where="tests.TABLE")
    assert sorted(cited) == ["T-1", "T-2", "T-3", "T-9"]
    assert cited["T-1"] == [f"{__name__}.{save.__qualname__}", f"{__name__}.{both.__qualname__}"]
    assert cited["T-9"] == ["tests.TABLE"]


def test_a_book_is_looked_up_by_id_in_any_case():
    assert BOOK["T-2"].title == "Cover"
    assert BOOK["t-2"] is BOOK["T-2"]
    assert len(BOOK) == 3
    assert [one.id for one in BOOK] == ["T-1", "T-2", "T-3"]


def test_an_unknown_clause_is_refused_with_the_nearest_id():
    with pytest.raises(UnknownName) as error:
        BOOK["T-22"]
    assert str(error.value) == "test: there is no clause 'T-22'. Did you mean 'T-2'? Known: T-1, T-2, T-3."


@pytest.mark.parametrize(
    "words, ids",
    [
        ("save", ["T-1", "T-2"]),
        ("COVER", ["T-2"]),
        ("cover save", ["T-2"]),
        ("board", ["T-3"]),
        ("moves", ["T-3"]),
        ("t-3", ["T-3"]),
        ("dragon", []),
    ],
)
def test_search(words, ids):
    assert [one.id for one in BOOK.search(words)] == ids


def test_titles_come_first():
    book = ClauseBook([Clause("A", "One", "has cover", "p"), Clause("B", "Cover", "x", "p")], "x")
    assert [one.id for one in book.search("cover")] == ["B", "A"]


def test_a_good_book(book_of):
    package = book_of(GOOD)
    assert [one.id for one in read_clauses(package)] == ["G-1"]
    assert read_clauses(package)["G-1"].status == "not_yet"
    assert read_clauses(package).name == package


@pytest.mark.parametrize(
    "text, said",
    [
        ("[[clause]\nid = 1", "Expected ']]' at the end of an array declaration (at line 1"),
        ('title = "no clauses"', "it needs [[clause]] entries, got none"),
        ('[[clause]]\nid = "X-1"', "Object missing required field `title` - at `$[0]`"),
        (GOOD + 'colour = "red"', "Object contains unknown field `colour` - at `$[0]`"),
        (GOOD + 'status = "finished"', "Invalid enum value 'finished' - at `$[0].status`"),
        (GOOD + GOOD, "a clause id is used twice"),
        (b"\xff\xfe", "can't decode byte 0xff"),
        (None, "No such file or directory"),
    ],
)
def test_a_damaged_clause_file_is_refused_with_the_fault(book_of, text, said):
    package = book_of(text)
    with pytest.raises(BattletapeError) as error:
        read_clauses(package)
    assert str(error.value).startswith(f"{package}/clauses.toml: ")
    assert said in str(error.value)
