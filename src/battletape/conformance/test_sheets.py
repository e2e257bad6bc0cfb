"""Every sheet of a ruleset prints from all that it says it prints from: nothing, each profile, battles, questions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from battletape.conformance.plugin import fail_if
from battletape.conformance.situations import battles
from battletape.conformance.subjects import Subject
from battletape.errors import BattletapeError
from battletape.sheets import Cards, Part, Sheet, Tokens
from battletape.sheets.typeset import pdf
from battletape.system import Question, Ruleset
from battletape.views.profile_choices import profile_choices
from battletape.views.sheets import Source, can_print, from_battle, from_names, from_question, make_document


@pytest.fixture
def ruleset(subject: Subject) -> Ruleset:
    """Return the ruleset; one without sheets has nothing to fail in."""
    return subject.ruleset


def test_every_sheet_says_what_it_is_and_can_be_printed_from_something(ruleset: Ruleset) -> None:
    names = [sheet.name for sheet in ruleset.sheets]
    kinds = ruleset.book.entries if ruleset.profiles else {}
    problems = [f"Two sheets are called {name}." for name in {*names} if names.count(name) > 1]
    for sheet in ruleset.sheets:
        if not (sheet.title and sheet.about):
            problems.append(f"The sheet {sheet.name} has no title, or does not say what it is.")
        if not (sheet.blank or sheet.of_profiles or sheet.of_battle or sheet.of_question or sheet.of_book):
            problems.append(f"The sheet {sheet.name} can be printed from nothing.")
        problems += [f"The sheet {sheet.name} takes {kind}; no profiles are one." for kind in {*sheet.kinds} - {*kinds}]
    fail_if(problems)


def test_every_profile_has_a_card_with_its_name(ruleset: Ruleset) -> None:
    rulings = ruleset.parse_rulings({})
    for sheet in ruleset.sheets:
        profiles = tuple(entry for kind in sheet.kinds for entry in ruleset.book.entries[kind].values())
        if sheet.of_profiles is not None and profiles:
            fail_if(without_a_card(sheet, profiles, sheet.of_profiles(profiles, ruleset.book, rulings)))


def test_every_profile_prints_by_its_name(ruleset: Ruleset) -> None:
    kinds = {kind for sheet in ruleset.sheets for kind in sheet.kinds}
    problems = []
    for name in dict.fromkeys(name for kind in sorted(kinds) for name in ruleset.book.entries[kind]):
        try:
            make_document(ruleset, (), from_names(ruleset, [name]))
        except BattletapeError as error:
            problems.append(f"{name} cannot be printed: {error}")
    fail_if(problems)


def test_every_battle_prints_as_it_stands_and_twice_alike(ruleset: Ruleset, subject: Subject) -> None:
    for name, battle in battles(subject).items() if any(sheet.of_battle for sheet in ruleset.sheets) else ():
        for number in sorted({0, len(battle.moves) // 2, len(battle.moves)}):
            first, second = (make_document(ruleset, (), from_battle(battle.fork(number))) for _ in range(2))
            assert first == second, f"{name}@{number}"
            assert first.parts


def test_every_example_and_every_name_in_a_question_prints_what_it_names(ruleset: Ruleset) -> None:
    if ruleset.sheets:
        fail_if(problem for question in ruleset.questions for problem in unprinted(ruleset, question))


def test_every_sheet_that_can_be_blank_goes_onto_paper(ruleset: Ruleset) -> None:
    blank = [sheet.name for sheet in ruleset.sheets if sheet.blank]
    if not blank:
        return
    for preset in ("", *ruleset.presets):
        rulings = ruleset.parse_rulings({"preset": preset} if preset else {})
        assert make_document(ruleset, blank, Source(rulings=rulings)).parts
    document = make_document(ruleset, blank, Source(rulings=ruleset.parse_rulings({})))
    assert pdf(document).startswith(b"%PDF")


def without_a_card(sheet: Sheet, profiles: tuple[Any, ...], part: Part) -> Iterator[str]:
    """Say which profiles are left out; one card may hold them all, and tokens are counted."""
    if isinstance(part, Tokens):
        if not any(token.count for token in part.tokens):
            yield f"{sheet.name}: all the profiles together bring no token."
    elif isinstance(part, Cards) and len(part.cards) == len(profiles):
        for card, profile in zip(part.cards, profiles, strict=True):
            if not card.title.startswith(profile.name):
                yield f"{sheet.name}: the card of {profile.name} is called {card.title}."
    elif not isinstance(part, Cards) or len(part.cards) != 1:
        yield f"{sheet.name}: {len(profiles)} profiles have another number of cards."


def unprinted(ruleset: Ruleset, question: Question) -> Iterator[str]:
    """Say what a question names and does not print."""
    if can_print(ruleset, question, *ruleset.split(question, question.example)):
        make_document(ruleset, (), from_question(ruleset, question, question.example))
    kinds = {kind for sheet in ruleset.sheets for kind in sheet.kinds}
    for path, pick in profile_choices(ruleset, question).items():
        if len(path) > 1 or pick.kind not in kinds:
            continue
        given = {**question.example, path[0]: pick.names[0]}
        try:
            read = ruleset.split(question, given)
            question.begin(*read)
        except BattletapeError:  # the example does not go with this profile
            continue
        if not can_print(ruleset, question, *read):
            yield f"{question.name} names {pick.names[0]} ({path[0]}), and prints no card."
