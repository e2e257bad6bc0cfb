"""Clauses: code says which clause it implements, and the ruleset's clauses.toml says what the clause means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, Literal, TypeVar

import msgspec

from battletape.errors import BattletapeError, UnknownName

F = TypeVar("F", bound=Callable[..., Any])
CITED: dict[str, list[str]] = {}
"""Which functions and tables cite each clause id; filled as modules are imported."""


def clause(*ids: str) -> Callable[[F], F]:
    """Say which clauses a function implements: `@clause("AD-7")`; logs and steps show the first one named."""

    if not ids or not all(isinstance(clause_id, str) for clause_id in ids):
        raise BattletapeError('a function cites clauses by their ids: @clause("AD-7")')

    def cite(work: F) -> F:
        work.__clauses__ = (*ids, *getattr(work, "__clauses__", ()))  # type: ignore[attr-defined]
        for clause_id in ids:
            CITED.setdefault(clause_id, []).append(f"{work.__module__}.{work.__qualname__}")
        return work

    return cite


def cites(*ids: str, where: str) -> None:
    """Say which clauses a table or other data holds: `cites("AD-13", where="…tables.CHART")`."""
    for clause_id in ids:
        CITED.setdefault(clause_id, []).append(where)


class Clause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One clause of a rule book, in our own words."""

    id: str
    title: str
    words: str
    source: str
    topic: str = ""
    status: Literal["done", "partial", "not_yet", "out_of_scope"] = "not_yet"
    note: str = ""
    also: tuple[str, ...] = ()  # names and words of the book that players look for, and that our words do not have


class ClauseBook:
    """The clauses of one ruleset, by id and in order."""

    def __init__(self, clauses: Iterable[Clause], name: str) -> None:
        self.name = name
        self.by_id = {clause.id: clause for clause in clauses}

    def __iter__(self) -> Iterator[Clause]:
        return iter(self.by_id.values())

    def __len__(self) -> int:
        return len(self.by_id)

    def __getitem__(self, clause_id: str) -> Clause:
        clause = self.by_id.get(clause_id) or self.by_id.get(clause_id.upper())
        if clause is None:
            raise UnknownName("clause", clause_id, self.by_id, source=self.name)
        return clause

    def search(self, words: str) -> list[Clause]:
        """Return the clauses that contain every word.

        Those with the words in their title come first, then by their names.
        """
        wanted = words.lower().split()
        matches = [clause for clause in self if all(_has(_text(clause), word) for word in wanted)]
        names = {
            clause.id: (not _has_all(clause.title, wanted), not _has_all(_also(clause), wanted)) for clause in matches
        }
        return sorted(matches, key=lambda clause: names[clause.id])


@lru_cache(16)
def read_clauses(package: str) -> ClauseBook:
    """Return the clauses.toml of a ruleset's package."""
    import tomllib  # here, because most questions are answered without opening the book
    from importlib.resources import files

    place = files(package) / "clauses.toml"
    try:
        rows = tomllib.loads(place.read_text(encoding="utf-8"))["clause"]
        clauses = msgspec.convert(rows, list[Clause])
    except KeyError:
        raise BattletapeError(f"{package}/clauses.toml: it needs [[clause]] entries, got none") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BattletapeError(f"{package}/clauses.toml: {error}") from error
    if len({clause.id for clause in clauses}) < len(clauses):
        raise BattletapeError(f"{package}/clauses.toml: a clause id is used twice")
    return ClauseBook(clauses, package.rsplit(".", 1)[-1])


def _text(clause: Clause) -> str:
    return f"{clause.id} {clause.title} {_also(clause)} {clause.words} {clause.note} {clause.topic}".lower()


def _also(clause: Clause) -> str:
    return ", ".join(clause.also)


def _has_all(text: str, words: Iterable[str]) -> bool:
    return all(_has(text.lower(), word) for word in words)


def _has(text: str, word: str) -> bool:
    """Return whether a text has a word, or for a plural its singular."""
    return word in text or (len(word) > 3 and word.endswith("s") and not word.endswith("ss") and word[:-1] in text)
