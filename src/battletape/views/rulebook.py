"""The rule book as pages: found by words or by topic, each clause with its questions, tables and lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from battletape.clauses import CITED, Clause
from battletape.errors import UnknownName
from battletape.inputs import Field, fields
from battletape.system import Question, Ruleset
from battletape.views.answer import TableView, table_view
from battletape.views.evidence import find_tests
from battletape.views.picks import picks
from battletape.views.reach import action_reaches, refusal_reaches, telling_reaches
from battletape.views.rules import ClauseView, clause_view, clauses_of, import_all

ID = re.compile(r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+")
STATUSES = {"partial": "in part", "not_yet": "not built in yet", "out_of_scope": "not meant to be built in"}
"""What is said of a clause that is not done."""


class NameTitle(Struct, frozen=True):
    """Something with an address of its own: a name for the address, and what it is called."""

    name: str
    title: str


class EntryView(Struct, frozen=True):
    """A clause in a list, with the questions that rest on it."""

    clause: ClauseView
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
    table: TableView


class RuleBookView(Struct, frozen=True):
    """What was looked for in a rule book, and what was found; chapters as they stand, or the best finds first."""

    words: str
    topic: NameTitle | None
    count: int
    found: int
    topics: tuple[TopicView, ...]  # all of them, with what was found in each
    ranked: tuple[EntryView, ...]  # with words: the finds, those in titles first
    tables: tuple[PlacedTable, ...]


class RulingUse(Struct, frozen=True):
    """A ruling that a clause leaves open: its title, its default, and what each value means."""

    name: str
    title: str
    default: str
    alternatives: tuple[tuple[str, str], ...]


class ClausePage(Struct, frozen=True):
    """One clause with all that belongs to it."""

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
    """A piece of a text: plain, a word that was looked for, or the id of another clause."""

    text: str
    kind: str  # plain, mark, clause


def book_page(ruleset: Ruleset, words: str = "", topic: str = "") -> RuleBookView:
    """The rule book, or what was found in it."""
    wanted = words.lower().split()
    everything = [_entry(ruleset, one) for one in ruleset.clauses]
    fits = [one for one in everything if _holds(one, wanted) and topic in ("", one.clause.topic)]
    names = dict.fromkeys(one.clause.topic for one in everything)
    if topic and topic not in names:
        raise UnknownName("topic", topic, names)
    topics = tuple(
        TopicView(
            name,
            topic_title(name),
            sum(one.clause.topic == name for one in everything),
            tuple(one for one in fits if one.clause.topic == name),
        )
        for name in names
    )
    ranked = sorted(fits, key=lambda one: _rank(one, wanted)) if wanted else []
    return RuleBookView(
        words=words,
        topic=NameTitle(topic, topic_title(topic)) if topic else None,
        count=len(everything),
        found=len(fits),
        topics=topics,
        ranked=tuple(ranked),
        tables=placed_tables(ruleset, words) if wanted and not topic else (),
    )


def placed_tables(ruleset: Ruleset, words: str = "") -> tuple[PlacedTable, ...]:
    """The tables in which every word stands: in the title, the head or a cell."""
    wanted = words.lower().split()
    found = []
    for at, one in enumerate(ruleset.tables(), 1):
        view = table_view(one)
        assert view is not None
        text = " ".join((one.title, one.clause, *one.head, *(cell for row in one.rows for cell in row))).lower()
        if all(word in text for word in wanted):
            found.append(PlacedTable(f"table-{at}", view))
    return tuple(found)


def clause_page(ruleset: Ruleset, clause_id: str) -> ClausePage:
    """One clause; raises UnknownName with the nearest one."""
    clause = ruleset.clauses[clause_id]
    import_all(ruleset.package)
    book = list(ruleset.clauses)
    at = book.index(clause)
    prefix = ruleset.package + "."
    sources = {one.source: one for one in source_views(ruleset)}
    of_inputs = [one for question in ruleset.questions for one in fields(question.inputs)]
    return ClausePage(
        entry=_entry(ruleset, clause),
        tables=tuple(one for one in placed_tables(ruleset) if one.table.clause == clause.id),
        actions=actions_by_clause(ruleset).get(clause.id, ()),
        rulings=tuple(_ruling(one) for one in fields(ruleset.rulings) if one.clause == clause.id),
        inputs=tuple(dict.fromkeys(one.title for one in of_inputs if one.clause == clause.id)),
        code=tuple(dict.fromkeys(where.removeprefix(prefix) for where in CITED.get(clause.id, ()))),
        tests=find_tests(clause.id),
        same_source=tuple(one for one in sources[clause.source].clauses if one.name != clause.id),
        source_anchor=sources[clause.source].anchor,
        before=_named(book[at - 1]) if at else None,
        after=_named(book[at + 1]) if at + 1 < len(book) else None,
    )


def source_views(ruleset: Ruleset) -> tuple[SourceView, ...]:
    """Every place of the sources with its clauses, in the order of the lines there."""
    by_source: dict[str, list[NameTitle]] = {}
    for one in ruleset.clauses:
        by_source.setdefault(one.source, []).append(_named(one))
    ordered = sorted(by_source, key=_source_order)
    return tuple(SourceView(f"source-{at}", one, tuple(by_source[one])) for at, one in enumerate(ordered, 1))


def pieces(ruleset: Ruleset, words: str, own_id: str = "") -> Callable[[str], list[Piece]]:
    """How to cut a text into plain pieces, ids of other clauses, and words that were looked for."""
    known = ruleset.clauses.by_id
    wanted = sorted(set(words.lower().split()), key=len, reverse=True)
    mark = re.compile("|".join(map(re.escape, wanted)), re.IGNORECASE) if wanted else None

    def cut(text: str) -> list[Piece]:
        found: list[Piece] = []
        last = 0
        for one in ID.finditer(text):
            if one[0] in known and one[0] != own_id:
                found += [*_marked(text[last : one.start()], mark), Piece(one[0], "clause")]
                last = one.end()
        return [*found, *_marked(text[last:], mark)]

    return cut


@lru_cache(32)
def questions_by_clause(ruleset: Ruleset) -> Mapping[str, tuple[NameTitle, ...]]:
    """The questions that rest on each clause; else those that name it, or take the profile that it is about."""
    found: dict[str, list[NameTitle]] = {}
    for reaches in (clauses_of, telling_reaches, _of_profiles):
        done = set(found)
        for question in ruleset.questions:
            for one in reaches(ruleset, question) - done:
                found.setdefault(one, []).append(NameTitle(question.name, question.title))
    return {one: tuple(questions) for one, questions in found.items()}


def _of_profiles(ruleset: Ruleset, question: Question) -> set[str]:
    """The clauses of the profiles that a question takes."""
    taken = {name for pick in picks(ruleset, question).values() for name in pick.names}
    return {one.id for one in ruleset.clauses if one.title in taken}


@lru_cache(32)
def actions_by_clause(ruleset: Ruleset) -> Mapping[str, tuple[str, ...]]:
    """The actions of a battle that rest on each clause, by their titles; else those that it may forbid."""
    found: dict[str, list[str]] = {}
    actions = ruleset.battle.actions if ruleset.battle else ()
    for reaches in (action_reaches, refusal_reaches):
        done = set(found)
        for action in actions:
            for one in reaches(ruleset, action) - done:
                found.setdefault(one, []).append(action.title)
    return {one: tuple(titles) if len(titles) < len(actions) else ("every action",) for one, titles in found.items()}


def topic_title(name: str) -> str:
    """What a chapter is called: “Open topped” for open_topped."""
    return (name[:1].upper() + name[1:]).replace("_", " ") or "Everything else"


def _entry(ruleset: Ruleset, clause: Clause) -> EntryView:
    questions = questions_by_clause(ruleset).get(clause.id, ())
    return EntryView(clause_view(clause), STATUSES.get(clause.status, ""), topic_title(clause.topic), questions)


def _named(clause: Clause) -> NameTitle:
    return NameTitle(clause.id, clause.title)


def _holds(entry: EntryView, wanted: Sequence[str]) -> bool:
    one = entry.clause
    text = " ".join((one.id, one.title, one.words, one.note, entry.topic, one.source)).lower()
    return all(word in text for word in wanted)


def _rank(entry: EntryView, wanted: Sequence[str]) -> tuple[bool, bool]:
    """The clause of this very id first, then those with every word in their title."""
    one = entry.clause
    return one.id.lower() not in wanted, not all(word in one.title.lower() for word in wanted)


def _ruling(field: Field) -> RulingUse:
    return RulingUse(field.name, field.title, field.show(field.default), field.alternatives)


def _source_order(source: str) -> tuple[str, list[int], str]:
    head = re.split(r"[\d;]", source)[0].replace("lines", "line")
    return head, [int(number) for number in re.findall(r"\d{1,9}", source)], source


def _marked(text: str, mark: re.Pattern[str] | None) -> list[Piece]:
    if mark is None:
        return [Piece(text, "plain")] if text else []
    found: list[Piece] = []
    last = 0
    for one in mark.finditer(text):
        found += [Piece(text[last : one.start()], "plain"), Piece(one[0], "mark")]
        last = one.end()
    return [one for one in (*found, Piece(text[last:], "plain")) if one.text]
