"""The rule book as pages: found by words or by topic, each clause with its questions, tables and lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from battletape.clauses import Clause
from battletape.errors import UnknownName
from battletape.inputs import Field, fields
from battletape.system import Question, Ruleset, Table
from battletape.views.answer import table_view
from battletape.views.clause_reach import action_reaches, refusal_reaches, telling_reaches
from battletape.views.profile_choices import profile_choices
from battletape.views.rules import clauses_of, code_of, tests_of
from battletape.views.search import NOTHING_FOUND, search_rules

ID = re.compile(r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+")
STATUSES = {"partial": "in part", "not_yet": "not built in yet", "out_of_scope": "not meant to be built in"}
"""What to say about a clause that is not done."""


class NameTitle(Struct, frozen=True):
    """Something with an address of its own: a name for the address, and what it is called."""

    name: str
    title: str


class EntryView(Struct, frozen=True):
    """A clause in a list, with the questions that rest on it."""

    clause: Clause
    status: str
    topic: str
    questions: tuple[NameTitle, ...]


class TopicView(Struct, frozen=True):
    """A chapter of the rule book."""

    name: str
    title: str
    count: int
    entries: tuple[EntryView, ...]


class PlacedTable(Struct, frozen=True):
    """A table, and where it stands on the page of tables."""

    anchor: str
    table: Table


class RuleBookView(Struct, frozen=True):
    """What was searched for in a rule book, and the results: by chapter, or the best first."""

    words: str
    topic: NameTitle | None
    count: int
    found: int
    topics: tuple[TopicView, ...]  # all of them, with what was found in each
    ranked: tuple[EntryView, ...]  # with words: the finds, those in titles first
    tables: tuple[PlacedTable, ...]
    understood: str = ""  # what the words were taken for, if otherwise than typed


class RulingUse(Struct, frozen=True):
    """A ruling that a clause leaves open: its title, its default, and what each value means."""

    name: str
    title: str
    default: str
    alternatives: tuple[tuple[str, str], ...]


class ClausePage(Struct, frozen=True):
    """One clause with everything that belongs to it."""

    entry: EntryView
    tables: tuple[PlacedTable, ...]
    actions: tuple[str, ...]
    rulings: tuple[RulingUse, ...]
    inputs: tuple[str, ...]
    code: tuple[str, ...]
    tests: tuple[str, ...]  # in a clone; an installed package has none
    same_source: tuple[NameTitle, ...]
    source_anchor: str
    before: NameTitle | None
    after: NameTitle | None


class SourceView(Struct, frozen=True):
    """A place in a source, and the clauses that come from it."""

    anchor: str
    source: str
    clauses: tuple[NameTitle, ...]


class Piece(Struct, frozen=True):
    """A piece of a text: plain, a word that was searched for, or the id of another clause."""

    text: str
    kind: str  # plain, mark, clause


def book_page(ruleset: Ruleset, words: str = "", topic: str = "") -> RuleBookView:
    """Return the rule book, or the results of a search in it."""
    wanted = words.lower().split()
    everything = [_entry(ruleset, clause) for clause in ruleset.clauses]
    meant = search_rules(ruleset, words) if wanted else NOTHING_FOUND
    rank = {clause_id: at for at, clause_id in enumerate(meant.ids)}
    fits = [
        entry
        for entry in everything
        if (_holds(entry, wanted) or entry.clause.id in rank) and topic in ("", entry.clause.topic)
    ]
    names = dict.fromkeys(entry.clause.topic for entry in everything)
    if topic and topic not in names:
        raise UnknownName("topic", topic, names)
    topics = tuple(
        TopicView(
            name,
            topic_title(name),
            sum(entry.clause.topic == name for entry in everything),
            tuple(fit for fit in fits if fit.clause.topic == name),
        )
        for name in names
    )
    ranked = sorted(fits, key=lambda fit: (_rank(fit, wanted), rank.get(fit.clause.id, len(rank)))) if wanted else []
    return RuleBookView(
        words=words,
        topic=NameTitle(topic, topic_title(topic)) if topic else None,
        count=len(everything),
        found=len(fits),
        topics=topics,
        ranked=tuple(ranked),
        tables=placed_tables(ruleset, words) if wanted and not topic else (),
        understood=meant.understood,
    )


def placed_tables(ruleset: Ruleset, words: str = "") -> tuple[PlacedTable, ...]:
    """Return the tables that contain every word, in the title, the head or a cell."""
    wanted = words.lower().split()
    return tuple(placed for placed, text in _searched_tables(ruleset) if all(word in text for word in wanted))


@lru_cache(32)
def _searched_tables(ruleset: Ruleset) -> tuple[tuple[PlacedTable, str], ...]:
    """Return every table with all its text in small letters."""
    placed = []
    for at, table in enumerate(ruleset.tables(), 1):
        view = table_view(table)
        assert view is not None
        text = " ".join((table.title, table.clause, *table.head, *(cell for row in table.rows for cell in row))).lower()
        placed.append((PlacedTable(f"table-{at}", view), text))
    return tuple(placed)


def clause_page(ruleset: Ruleset, clause_id: str, evidence: bool = True) -> ClausePage:
    """Return one clause, with its code and tests if wanted: they take a while. Raises UnknownName with the nearest
    one.
    """
    clause = ruleset.clauses[clause_id]
    book = list(ruleset.clauses)
    at = book.index(clause)
    sources = {view.source: view for view in source_views(ruleset)}
    of_inputs = [field for question in ruleset.questions for field in fields(question.inputs)]
    return ClausePage(
        entry=_entry(ruleset, clause),
        tables=tuple(table for table in placed_tables(ruleset) if table.table.clause == clause.id),
        actions=actions_by_clause(ruleset).get(clause.id, ()),
        rulings=tuple(_ruling(field) for field in fields(ruleset.rulings) if field.clause == clause.id),
        inputs=tuple(dict.fromkeys(field.title for field in of_inputs if field.clause == clause.id)),
        code=code_of(ruleset, clause.id) if evidence else (),
        tests=tests_of(ruleset, clause.id) if evidence else (),
        same_source=tuple(other for other in sources[clause.source].clauses if other.name != clause.id),
        source_anchor=sources[clause.source].anchor,
        before=_named(book[at - 1]) if at else None,
        after=_named(book[at + 1]) if at + 1 < len(book) else None,
    )


@lru_cache(32)
def source_views(ruleset: Ruleset) -> tuple[SourceView, ...]:
    """Return every place of the sources with its clauses, in the order of the lines there."""
    by_source: dict[str, list[NameTitle]] = {}
    for clause in ruleset.clauses:
        by_source.setdefault(clause.source, []).append(_named(clause))
    ordered = sorted(by_source, key=_source_order)
    return tuple(SourceView(f"source-{at}", source, tuple(by_source[source])) for at, source in enumerate(ordered, 1))


def pieces(ruleset: Ruleset, words: str, own_id: str = "") -> Callable[[str], list[Piece]]:
    """Return how to cut a text into plain pieces, ids of other clauses, and words that were searched for."""
    known = ruleset.clauses.by_id
    rulings = {field.name: field.title for field in fields(ruleset.rulings) if "_" in field.name}
    named = re.compile("|".join(rf"\b{name}\b" for name in sorted(rulings, key=len, reverse=True)) or r"(?!)")
    wanted = sorted(set(words.lower().split()), key=len, reverse=True)
    mark = re.compile("|".join(map(re.escape, wanted)), re.IGNORECASE) if wanted else None

    def cut(text: str) -> list[Piece]:
        parts: list[Piece] = []
        last = 0
        text = named.sub(lambda match: f"“{rulings[match[0]]}”", text)  # players know a ruling by its title
        for match in ID.finditer(text):
            if match[0] in known and match[0] != own_id:
                parts += [*_marked(text[last : match.start()], mark), Piece(match[0], "clause")]
                last = match.end()
        return [*parts, *_marked(text[last:], mark)]

    return cut


@lru_cache(32)
def questions_by_clause(ruleset: Ruleset) -> Mapping[str, tuple[NameTitle, ...]]:
    """Return the questions that rest on each clause.

    If there are none, those that name it or take the profile it is about.
    """
    by_clause: dict[str, list[NameTitle]] = {}
    for reaches in (clauses_of, telling_reaches, _of_profiles):
        done = set(by_clause)
        for question in ruleset.questions:
            for clause_id in reaches(ruleset, question) - done:
                by_clause.setdefault(clause_id, []).append(NameTitle(question.name, question.title))
    return {clause_id: tuple(questions) for clause_id, questions in by_clause.items()}


def _of_profiles(ruleset: Ruleset, question: Question) -> set[str]:
    """Return the clauses of the profiles that a question takes."""
    taken = {name for pick in profile_choices(ruleset, question).values() for name in pick.names}
    return {clause.id for clause in ruleset.clauses if clause.title in taken}


@lru_cache(32)
def actions_by_clause(ruleset: Ruleset) -> Mapping[str, tuple[str, ...]]:
    """Return the titles of the actions that rest on each clause; if there are none, of those that it may forbid."""
    by_clause: dict[str, list[str]] = {}
    actions = ruleset.battle_rules.actions if ruleset.battle_rules else ()
    for reaches in (action_reaches, refusal_reaches):
        done = set(by_clause)
        for action in actions:
            for clause_id in reaches(ruleset, action) - done:
                by_clause.setdefault(clause_id, []).append(action.title)
    return {
        clause_id: tuple(titles) if len(titles) < len(actions) else ("every action",)
        for clause_id, titles in by_clause.items()
    }


def topic_title(name: str) -> str:
    """Return what a chapter is called: “Open topped” for open_topped."""
    return (name[:1].upper() + name[1:]).replace("_", " ") or "Everything else"


def _entry(ruleset: Ruleset, clause: Clause) -> EntryView:
    questions = questions_by_clause(ruleset).get(clause.id, ())
    return EntryView(clause, STATUSES.get(clause.status, ""), topic_title(clause.topic), questions)


def _named(clause: Clause) -> NameTitle:
    return NameTitle(clause.id, clause.title)


def _holds(entry: EntryView, wanted: Sequence[str]) -> bool:
    clause = entry.clause
    text = " ".join((clause.id, clause.title, clause.words, clause.note, entry.topic, clause.source)).lower()
    return all(word in text for word in wanted)


def _rank(entry: EntryView, wanted: Sequence[str]) -> tuple[bool, bool]:
    """Return the clause with exactly this id first, then those with every word in their title."""
    clause = entry.clause
    return clause.id.lower() not in wanted, not all(word in clause.title.lower() for word in wanted)


def _ruling(field: Field) -> RulingUse:
    return RulingUse(field.name, field.title, field.show(field.default), field.alternatives)


def _source_order(source: str) -> tuple[str, list[int], str]:
    head = re.split(r"[\d;]", source)[0].replace("lines", "line")
    return head, [int(number) for number in re.findall(r"\d{1,9}", source)], source


def _marked(text: str, mark: re.Pattern[str] | None) -> list[Piece]:
    if mark is None:
        return [Piece(text, "plain")] if text else []
    parts: list[Piece] = []
    last = 0
    for match in mark.finditer(text):
        parts += [Piece(text[last : match.start()], "plain"), Piece(match[0], "mark")]
        last = match.end()
    return [part for part in (*parts, Piece(text[last:], "plain")) if part.text]
