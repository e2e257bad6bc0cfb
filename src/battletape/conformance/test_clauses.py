"""Every clause is done, cited by code and named by a test, or says why not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from battletape.conformance.plugin import fail_if
from battletape.conformance.sources import cited_by, clauses_named
from battletape.conformance.subjects import Subject
from battletape.inputs import Field, fields


def test_every_clause_that_is_done_is_cited_by_code(subject: Subject) -> None:
    cited = cited_by(subject.ruleset)
    fail_if(
        f'{clause.id} ({clause.title}) is done, and no code cites it; put @clause("{clause.id}") on the function that '
        "does it, or change its status."
        for clause in subject.ruleset.clauses
        if clause.status == "done" and clause.id not in cited
    )


def test_every_clause_that_is_done_is_named_by_a_test(subject: Subject) -> None:
    if not subject.tests:
        pytest.skip("no folder of tests was given (--tests)")
    named = clauses_named(subject.tests)
    fail_if(
        f'{clause.id} ({clause.title}) is done, and no test names it; put @pytest.mark.clause("{clause.id}") on the '
        "test of it."
        for clause in subject.ruleset.clauses
        if clause.status == "done" and clause.id not in named
    )


def test_no_test_names_an_unknown_clause(subject: Subject) -> None:
    if not subject.tests:
        pytest.skip("no folder of tests was given (--tests)")
    known = subject.ruleset.clauses.by_id
    ours = {clause.partition("-")[0] for clause in known}  # tests may name clauses of other systems too
    fail_if(
        f"{', '.join(sorted(set(files)))}: a test names {clause}, and clauses.toml has no such clause."
        for clause, files in clauses_named(subject.tests).items()
        if clause.partition("-")[0] in ours and clause not in known
    )


def test_every_clause_that_is_not_done_says_why(subject: Subject) -> None:
    fail_if(
        f"{clause.id} ({clause.title}) is {clause.status} and does not say why; give it a note."
        for clause in subject.ruleset.clauses
        if clause.status != "done" and not clause.note
    )


def test_no_code_cites_an_unknown_clause(subject: Subject) -> None:
    known = subject.ruleset.clauses.by_id
    fail_if(
        f"{', '.join(places)}: cites {clause}, and clauses.toml has no such clause."
        for clause, places in cited_by(subject.ruleset).items()
        if clause not in known
    )


def test_every_ruling_and_table_names_a_clause_of_the_book(subject: Subject) -> None:
    known = subject.ruleset.clauses.by_id
    problems = [text for field in fields(subject.ruleset.rulings) for text in missing_descriptions(field, set(known))]
    for table in subject.ruleset.tables():
        if table.clause not in known:
            problems.append(f"The table {table.title!r} names {table.clause or 'no clause'}; name one of clauses.toml.")
    fail_if(problems)


def test_every_table_is_square_and_has_a_title_of_its_own(subject: Subject) -> None:
    tables = subject.ruleset.tables()
    titles = Counter(table.title for table in tables)
    problems = [f"{number} tables are called {title!r}." for title, number in titles.items() if number > 1]
    for table in tables:
        if not table.rows:
            problems.append(f"The table {table.title!r} has no rows.")
        if {len(row) for row in table.rows} - {len(table.head)}:
            problems.append(f"A row of the table {table.title!r} has more or fewer cells than its head.")
        if not all(isinstance(cell, str) for row in table.rows for cell in row):
            problems.append(f"A cell of the table {table.title!r} is no text.")
    fail_if(problems)


def missing_descriptions(ruling: Field, known: set[str]) -> Iterator[str]:
    """Yield what is missing from the description of a ruling."""
    if ruling.clause not in known:
        yield f"The ruling {ruling.name} names {ruling.clause or 'no clause'}; name one of clauses.toml."
    if not ruling.alternatives:
        yield f"The ruling {ruling.name} does not say what its values mean; tell it in rulings.toml."


def test_every_clause_is_told_in_words(subject: Subject) -> None:
    clauses = list(subject.ruleset.clauses)
    problems = [
        f"{clause.id or clause.title}: a clause needs an id, a title, words and a source."
        for clause in clauses
        if not all(text.strip() for text in (clause.id, clause.title, clause.words, clause.source))
        or clause.id != clause.id.strip()
    ]
    titles = Counter(clause.title for clause in clauses)
    problems += [f"{number} clauses are called {title!r}." for title, number in titles.items() if number > 1]
    fail_if(problems)
