"""The rule book to show: clauses found by words, one clause with the code and questions that use it, the tables."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib import import_module

from msgspec import Struct

from battletape.clauses import CITED, Clause
from battletape.errors import BadInput
from battletape.inputs import Inputs, fields
from battletape.system import Question, Ruleset, Table
from battletape.views.clause_reach import question_reaches
from battletape.views.evidence import find_tests
from battletape.views.search import NOTHING_FOUND, search_rules

ROOMS = ("rules", "tables", "profiles", "questions", "battle")
"""The rooms of a ruleset in which to look for a rule, in this order."""
MOST_OTHERS = 8
"""So many other places are shown beside the rule itself."""


class ClauseUse(Struct, frozen=True):
    """Where a clause is used: by which code and tests, questions and actions, under which rulings and inputs."""

    clause: Clause
    code: tuple[str, ...]  # what is there for this clause first
    tests: tuple[str, ...]  # in a clone; an installed package has none
    questions: tuple[str, ...]
    actions: tuple[str, ...]
    rulings: tuple[str, ...]
    inputs: tuple[str, ...]


class RulesView(Struct, frozen=True):
    """What was searched for in a rule book, and the results."""

    ruleset: str
    title: str
    words: str
    count: int  # how many were found
    of: int  # how many the book has
    clauses: tuple[Clause, ...]
    understood: str = ""  # what the words were taken for, if otherwise than typed


def rules_view(ruleset: Ruleset, words: str = "") -> RulesView:
    """Return the clauses that contain every word, those that fit what they may mean first.

    All of them without a word.
    """
    book = ruleset.clauses
    clauses = book.search(words) if words.strip() else list(book)
    meant = search_rules(ruleset, words) if words.strip() else NOTHING_FOUND
    if meant.understood or not clauses:
        clauses = list(dict.fromkeys((*(book[clause_id] for clause_id in meant.ids), *clauses)))
    found = tuple(clauses)
    return RulesView(ruleset.name, ruleset.title, words, len(found), len(book), found, meant.understood)


def clause_use(ruleset: Ruleset, clause_id: str) -> ClauseUse:
    """Return one clause, with where it is used."""
    clause = ruleset.clauses[clause_id]
    actions = ruleset.battle_rules.actions if ruleset.battle_rules else ()
    return ClauseUse(
        clause=clause,
        code=code_of(ruleset, clause.id),
        tests=tests_of(ruleset, clause.id),
        questions=tuple(question.name for question in ruleset.questions if clause.id in clauses_of(ruleset, question)),
        actions=tuple(action.name for action in actions if clause.id in action.clauses),
        rulings=_fields_about(clause.id, (ruleset.rulings,)),
        inputs=_fields_about(
            clause.id, (*(question.inputs for question in ruleset.questions), *(action.inputs for action in actions))
        ),
    )


def code_of(ruleset: Ruleset, clause_id: str) -> tuple[str, ...]:
    """Return what implements a clause: rules before their callers, and first what is there for this clause above
    all.
    """
    import_all(ruleset.package)
    prefix = ruleset.package + "."
    places = [where.removeprefix(prefix) for where in dict.fromkeys(CITED.get(clause_id, ()))]
    return tuple(sorted(places, key=lambda where: (_room(where), _rank(prefix + where, clause_id))))


def others_shown(code: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """Return the places beside the rule itself, of many only the first, and how many more there are in words."""
    more = len(code) - 1 - MOST_OTHERS
    return code[1 : 1 + MOST_OTHERS], f"and {more} more" if more > 0 else ""


def _room(where: str) -> int:
    room = where.partition(".")[0]
    return ROOMS.index(room) if room in ROOMS else len(ROOMS)


def _rank(where: str, clause_id: str) -> int:
    """Return how many other clauses a function names first."""
    try:
        cited = getattr(pkgutil.resolve_name(where), "__clauses__", ())
    except (ImportError, AttributeError, ValueError):  # within a function, or in another package
        return len(ROOMS)
    return cited.index(clause_id) if clause_id in cited else 0


def tests_of(ruleset: Ruleset, clause_id: str) -> tuple[str, ...]:
    """Return the tests that name a clause, those of the chapter with its rule first; none outside a clone."""
    chapters = [where.split(".")[-2] for where in code_of(ruleset, clause_id)[:1] if "." in where]
    tests = find_tests(clause_id, ruleset.package)
    return tuple(sorted(tests, key=lambda test: not any(f"/test_{chapter}.py::" in test for chapter in chapters)))


def clauses_of(ruleset: Ruleset, question: Question) -> set[str]:
    """Return the clauses a question rests on: those of its inputs, and of all the code that may answer it."""
    import_all(ruleset.package)
    of_rulings = (field.clause for field in fields(ruleset.rulings) if field.name in (question.rulings or ()))
    return {*_of_fields(question.inputs), *of_rulings, *question_reaches(ruleset, question)} - {""}


def _of_fields(inputs: type[Inputs]) -> Iterator[str]:
    """Yield the clauses of inputs, and of those of the entries in their lists."""
    for field in fields(inputs):
        yield field.clause
        if field.item is not None:
            yield from _of_fields(field.item)


def table_views(ruleset: Ruleset, words: str = "") -> tuple[Table, ...]:
    """Return the printed tables; with words, those whose title or clause holds them all."""
    tables = ruleset.tables()
    wanted = words.lower().split()
    matches = [table for table in tables if all(word in f"{table.title} {table.clause}".lower() for word in wanted)]
    if wanted and not matches:
        titles = ", ".join(f"“{table.title}”" for table in tables) or "no tables"
        raise BadInput(f"{ruleset.name} has no table with {words!r} in its title; it has {titles}.", field="words")
    return tuple(matches)


@lru_cache(None)
def import_all(package: str) -> None:
    """Import every module of a package, so that all code that cites a clause is known."""
    home = import_module(package)
    for module in pkgutil.walk_packages(getattr(home, "__path__", ()), package + "."):
        import_module(module.name)


def _fields_about(clause_id: str, types: Iterable[type[Inputs]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(field.name for inputs in types for field in fields(inputs) if field.clause == clause_id))
