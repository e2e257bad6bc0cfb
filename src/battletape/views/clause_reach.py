"""Which clauses a part of a ruleset rests on: those cited by all the code that it can reach.

Nothing is run for this; reading the code is enough. A function names the functions and tables that it uses, and these
name others. A clause counts if one of them is marked with it (`@clause`, `cites`), or names it in a log or a refusal.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import msgspec

from battletape.clauses import CITED
from battletape.procedure import Keyword, Procedure
from battletape.system import Action, BattleRules, Question, Ruleset

CARDS = (Action, BattleRules, Question, Ruleset)
"""Types that hold a whole part of a ruleset: code that reaches one does not use all of it."""


def question_reaches(ruleset: Ruleset, question: Question) -> set[str]:
    """Return the clauses that the answer to a question may rest on."""
    work = (question.begin, question.procedure, question.table)
    return _map(ruleset).clauses((*work, *(measure.of for measure in question.measures)))


def telling_reaches(ruleset: Ruleset, question: Question) -> set[str]:
    """Return the clauses that the log and the notes of a question may name; several questions often share them."""
    return _map(ruleset).clauses((question.warn,))


def action_reaches(ruleset: Ruleset, action: Action) -> set[str]:
    """Return the clauses that an action of a battle may rest on, once it may be done."""
    return _map(ruleset).clauses((action.plan, action.procedure, *action.clauses))


def refusal_reaches(ruleset: Ruleset, action: Action) -> set[str]:
    """Return the clauses that may forbid an action."""
    return _map(ruleset).clauses((action.plan,))


@lru_cache(32)
def _map(ruleset: Ruleset) -> _Map:
    return _Map(ruleset)


def _attached(keywords: Iterable[Keyword], seen: set[int]) -> Iterator[Any]:
    """Yield the parts of special rules that attach to stages which were reached.

    The row's clauses if a part cites none.
    """
    for keyword in keywords:
        for part in (keyword.before, keyword.after, keyword.instead):
            for work in (work for stage, work in part.items() if id(stage) in seen):
                yield from (work, *(() if hasattr(work, "__clauses__") else keyword.clauses))


class _Map:
    """What uses what in the package of a ruleset; worked out as far as needed."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.package = ruleset.package
        self.known = frozenset(ruleset.clauses.by_id)
        self.cited: dict[str, list[str]] = {}  # by the place that cites them
        for clause, places in CITED.items():
            for place in places:
                self.cited.setdefault(place, []).append(clause)
        self.tables = {id(table): place for place, table in self._tables()}
        self.drawn: dict[int, tuple[Any, list[Any], list[str]]] = {}  # each thing, what it uses, and its clauses

    def clauses(self, starts: Iterable[Any]) -> set[str]:
        """Return the clauses of everything that can be reached from here."""
        waiting, seen, reached = list(starts), set[int](), set[str]()
        keywords: list[Keyword] = []
        while waiting or (waiting := [part for part in _attached(keywords, seen) if id(part) not in seen]):
            thing = waiting.pop()
            if id(thing) in seen:
                continue
            seen.add(id(thing))
            if isinstance(thing, Keyword):
                keywords.append(thing)
            if id(thing) not in self.drawn:
                self.drawn[id(thing)] = (thing, list(self._used_by(thing)), list(self._cited_by(thing)))
            _, used, cited = self.drawn[id(thing)]
            waiting += used
            reached.update(cited)
        return reached & self.known

    def _cited_by(self, thing: Any) -> Iterator[str]:
        """Yield the clauses that a thing is marked with; a text may be the id of one."""
        if isinstance(thing, str):
            yield thing
        yield from self.cited.get(self.tables.get(id(thing), ""), ())
        if isinstance(thing, FunctionType | type):
            yield from self.cited.get(f"{thing.__module__}.{thing.__qualname__}", ())

    def _used_by(self, thing: Any) -> Iterator[Any]:
        """Yield what a thing uses itself."""
        if isinstance(thing, (*CARDS, str, int, float, ModuleType)):
            return
        yield getattr(thing, "__wrapped__", None)
        if isinstance(thing, FunctionType) and thing.__module__ == Action.__module__:  # an adapter
            yield from (cell.cell_contents for cell in thing.__closure__ or ())
        elif isinstance(thing, FunctionType) and self._is_ours(thing.__module__):
            yield from (cell.cell_contents for cell in thing.__closure__ or ())
            yield from thing.__defaults__ or ()
            yield from self._named_in(thing.__code__, thing.__globals__)
        elif isinstance(thing, type) and self._is_ours(thing.__module__):
            yield from vars(thing).values()
        elif isinstance(thing, MethodType):
            yield from (thing.__func__, thing.__self__)
        elif isinstance(thing, partial):
            yield from (thing.func, *thing.args, *thing.keywords.values())
        elif isinstance(thing, property):
            yield thing.fget
        elif isinstance(thing, Mapping):
            yield from (*thing.keys(), *thing.values())
        elif isinstance(thing, tuple | list | set | frozenset):
            yield from thing
        elif isinstance(thing, Procedure):
            yield from thing.stages
        elif isinstance(thing, msgspec.Struct) and self._is_ours(type(thing).__module__):
            yield from (type(thing), *msgspec.structs.astuple(thing))

    def _named_in(self, code: CodeType, known: Mapping[str, Any]) -> Iterator[Any]:
        """Yield what the names and the texts of a function mean."""
        for name in code.co_names:
            thing = known.get(name, sys.modules.get(name))
            if not isinstance(thing, ModuleType):
                yield thing
            elif self._is_ours(thing.__name__):
                yield from (vars(thing)[part] for part in code.co_names if part in vars(thing))
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                yield from self._named_in(constant, known)
            elif isinstance(constant, str | tuple):
                yield constant

    def _tables(self) -> Iterator[tuple[str, Any]]:
        """Yield the tables and other data that cite a clause, with their places."""
        for place in self.cited:
            module, _, name = place.rpartition(".")
            table = getattr(sys.modules.get(module), name, None) if self._is_ours(module) else None
            if table is not None and not callable(table):
                yield place, table

    def _is_ours(self, module: str) -> bool:
        return module == self.package or module.startswith(self.package + ".")
