"""Sheets to print: which there are, and a document from nothing, from profiles, from a battle or from a question.

Nothing here knows a ruleset: what goes onto a sheet says the ruleset, how it looks say the templates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from battletape.battle import Battle
from battletape.battle.reading import read_battle
from battletape.errors import BadInput, UnknownName, echo
from battletape.inputs import Inputs
from battletape.profiles import named_entry
from battletape.sheets import PAPERS, Cards, Document, Paper, Part, Reference, Sheet, Tokens
from battletape.system import Question, Ruleset
from battletape.words import listed, matching_names

MOST_CARDS = 300
MOST_TOKENS = 2_000
"""How much one document may have."""


class SheetView(Struct, frozen=True):
    """A sheet: its name, what it is, and what it can be printed from."""

    name: str
    title: str
    about: str
    sources: tuple[str, ...]  # blank, profiles, battle, question
    kinds: tuple[str, ...]  # of the profiles it takes


class Source(Struct, frozen=True):
    """What sheets are printed from; with none of it they are blank."""

    profiles: tuple[Any, ...] = ()
    battle: Battle | None = None
    question: Question | None = None
    inputs: Inputs | None = None
    rulings: Inputs | None = None
    by_name: bool = False  # the player named each profile, and misses one that is not printed
    lacks: str = ""  # what a list should have had, if it is empty


def sheet_views(ruleset: Ruleset) -> tuple[SheetView, ...]:
    """Return every sheet of a system."""
    return tuple(_view(sheet) for sheet in ruleset.sheets)


def _view(sheet: Sheet) -> SheetView:
    can = {
        "blank": sheet.blank,
        "profiles": sheet.of_profiles,
        "battle": sheet.of_battle,
        "question": sheet.of_question or sheet.of_profiles,
    }
    return SheetView(sheet.name, sheet.title, sheet.about, tuple(name for name, way in can.items() if way), sheet.kinds)


@lru_cache(16)
def table_sheets(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the sheets that hold the tables of a system."""
    rulings = ruleset.parse_rulings({})
    blank = ((sheet.name, sheet.blank(rulings)) for sheet in ruleset.sheets if sheet.blank)
    return tuple(name for name, part in blank if isinstance(part, Reference))


# --- what they are printed from --------------------------------------------------------------------------------------


def from_names(ruleset: Ruleset, names: Sequence[str], rulings: Mapping[str, Any] | None = None) -> Source:
    """Return profiles by their names, such as “Rhino” or “3 x Rhino”.

    Of two with one name, the one that can be printed.
    """
    wanted: list[tuple[str, int]] = []
    known = [own for kind in _printed_kinds(ruleset) for own in ruleset.book.entries[kind]]
    for name in names:
        entry = named_entry(name, known=known) if "=" not in name else name
        many = int(entry.get("models", 1)) if isinstance(entry, Mapping) else 1
        if many < 1:
            raise BadInput(f"a print has at least one of each; got {echo(name.strip())}.", field="profile")
        wanted.append((str(entry["name"]) if isinstance(entry, Mapping) else str(entry), many))
    _refuse_many(sum(many for _, many in wanted))
    profiles = [profile for name, many in wanted for profile in _named(ruleset, name) * many]
    return Source(profiles=tuple(profiles), rulings=ruleset.parse_rulings(rulings or {}), by_name=True)


def from_list(ruleset: Ruleset, ours: Ruleset, rulings: Mapping[str, Any] | None = None) -> Source:
    """Return everything that can be printed among a player's own profiles: those that the book has beyond ours."""
    kinds = _printed_kinds(ruleset)
    known = ours.book.entries
    profiles = [
        entry
        for kind, entries in ruleset.book.entries.items()
        for name, entry in entries.items()
        if kind in kinds and known[kind].get(name) != entry
    ]
    _refuse_many(len(profiles))
    lacks = "" if profiles else f"the list has nothing that {ruleset.name} prints: no {listed(kinds, 'or')}."
    return Source(profiles=tuple(profiles), rulings=ruleset.parse_rulings(rulings or {}), lacks=lacks)


def from_battle(battle: Battle) -> Source:
    """Return a battle as it stands now."""
    return Source(battle=battle, rulings=battle.agreed)


def from_text(ruleset: Ruleset, text: str) -> Source:
    """Return the battle in the text of a file, which must be one of this system."""
    battle = read_battle(text, "battle")
    if battle.ruleset.name != ruleset.name:
        raise BadInput(f"this battle is one of {battle.ruleset.name}, not of {ruleset.name}.", field="battle")
    return from_battle(battle)


def from_question(ruleset: Ruleset, question: Question, given: Mapping[str, Any]) -> Source:
    """Return a question with its inputs, and the profiles that they name, each as often as a list of them does."""
    return from_inputs(ruleset, question, *ruleset.split(question, given))


def from_inputs(ruleset: Ruleset, question: Question, inputs: Inputs, rulings: Inputs) -> Source:
    """Return a question that is read already."""
    named: Counter[str] = Counter()
    for value in msgspec.to_builtins(inputs).values():
        texts = Counter(text.lower() for text in _texts(value))
        named |= texts if isinstance(value, (list, tuple)) else Counter(texts.keys())
    profiles = [
        entry
        for kind, entries in ruleset.book.entries.items()
        for name, entry in entries.items()
        if kind in _printed_kinds(ruleset)
        for _ in range(named[name.lower()])
    ]
    _refuse_many(len(profiles))
    return Source(tuple(profiles), None, question, inputs, rulings)


def _named(ruleset: Ruleset, name: str) -> list[Any]:
    """Return the profile of a name, of a kind that some sheet takes; raises UnknownName with the nearest one."""
    kinds, book = _printed_kinds(ruleset), ruleset.book
    if not kinds:
        raise BadInput(f"{ruleset.name} has no sheet that takes profiles.", field="profile")
    for kind in kinds:
        for own, entry in book.entries[kind].items():
            if own.lower() == name.strip().lower():
                return [entry]
    for kind in set(book.entries) - set(kinds):
        if any(own.lower() == name.strip().lower() for own in book.entries[kind]):
            would = listed(kinds, "or")
            raise BadInput(f"a sheet is printed for a {would}; {name.strip()} is a {kind}.", field="profile")
    known = [own for kind in kinds for own in book.entries[kind]]
    fits = matching_names(name, known)
    if len(fits) == 1:
        return _named(ruleset, fits[0])
    raise UnknownName(listed(kinds, "or"), name, known)


def _printed_kinds(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the kinds of profiles that some sheet takes."""
    return tuple(dict.fromkeys(kind for sheet in ruleset.sheets for kind in sheet.kinds))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _texts(part)


# --- a document ------------------------------------------------------------------------------------------------------


def make_document(
    ruleset: Ruleset, names: Sequence[str], source: Source, paper: str = "a4", most: int = MOST_CARDS
) -> Document:
    """Return the sheets of these names, printed from a source.

    Without names all those that the source has something for.
    """
    sheets = [ruleset.sheet(name) for name in dict.fromkeys(names)]
    if source.lacks and (not sheets or any(sheet.kinds for sheet in sheets)):
        raise BadInput(source.lacks, field="list")
    if sheets and source.by_name:
        _refuse_left_out(ruleset, sheets, source.profiles)
    parts = [_part(ruleset, sheet, source) for sheet in sheets]
    if not sheets:
        found = (_filled(ruleset, sheet, source) for sheet in ruleset.sheets)
        parts = [part for part in found if part is not None and not (isinstance(part, Cards) and not part.cards)]
        if not parts:
            can = ", ".join(sheet.name for sheet in ruleset.sheets)
            raise BadInput(f"there is nothing to print from that; name a sheet, one of {can}.", field="sheet")
    kept = [part for part in parts if not _is_empty(part)]
    empty = listed([part.title for part in parts if _is_empty(part)])
    if not kept:
        raise BadInput(f"there is nothing to print: {empty} would be empty, as there are none.", field="sheet")
    left_out = f"without {empty}, as there are none" if empty else ""
    document = Document(ruleset.title, tuple(kept), check_paper(paper), left_out)
    _refuse_large(document, most)
    return document


def _is_empty(part: Part) -> bool:
    """Return whether a part is a page of tokens of which there are none."""
    return isinstance(part, Tokens) and not any(token.count for token in part.tokens)


def can_print(ruleset: Ruleset, question: Question, inputs: Inputs, rulings: Inputs) -> bool:
    """Return whether any sheet has something of a question on it."""
    source = from_inputs(ruleset, question, inputs, rulings)
    return any(_filled(ruleset, sheet, source) is not None for sheet in ruleset.sheets)


def check_paper(paper: str) -> Paper:
    """Return the size of the paper; raises BadInput with those that are known."""
    for known in PAPERS:
        if paper.strip().lower() == known:
            return known
    raise BadInput.of("paper", f"must be {' or '.join(PAPERS)}; got {paper[:40]!r}.")


def _part(ruleset: Ruleset, sheet: Sheet, source: Source) -> Part:
    """Return a sheet that was asked for by name: filled if the source has something for it, else blank."""
    filled = _filled(ruleset, sheet, source)
    if filled is not None:
        return filled
    if sheet.kinds and source.profiles:
        names = ", ".join(dict.fromkeys(str(profile.name) for profile in source.profiles))
        raise BadInput(f"{sheet.name} takes a {listed(sheet.kinds, 'or')}; got {names}.", field="sheet")
    if sheet.blank is None:
        raise BadInput(f"{sheet.name} cannot be printed from that.", field="sheet")
    return sheet.of_book(ruleset.book, source.rulings) if sheet.of_book else sheet.blank(source.rulings)


def _filled(ruleset: Ruleset, sheet: Sheet, source: Source) -> Part | None:
    if source.battle is not None:
        return sheet.of_battle(source.battle.state) if sheet.of_battle else None
    if source.question is not None and sheet.of_question is not None:
        given = sheet.of_question(source.inputs, ruleset.book, source.rulings)
        if given is not None:
            return given
    fitting = _fitting(ruleset, sheet, source.profiles)
    if sheet.of_profiles is not None and fitting:
        return sheet.of_profiles(fitting, ruleset.book, source.rulings)
    return None


def _fitting(ruleset: Ruleset, sheet: Sheet, profiles: Sequence[Any]) -> tuple[Any, ...]:
    shapes = tuple(ruleset.book.kinds[kind] for kind in sheet.kinds)
    return tuple(profile for profile in profiles if type(profile) in shapes)


def _refuse_left_out(ruleset: Ruleset, sheets: Sequence[Sheet], profiles: Sequence[Any]) -> None:
    """Refuse named profiles that the sheet lacks."""
    taken = [kind for sheet in sheets for kind in sheet.kinds]
    kinds = {shape: kind for kind, shape in ruleset.book.kinds.items()}
    left = next((profile for profile in profiles if kinds[type(profile)] not in taken), None)
    if left is None:
        return
    kind = kinds[type(left)]
    named = listed([sheet.name for sheet in sheets])
    takes = f"{named} {'takes' if len(sheets) == 1 else 'take'}"
    would = listed([sheet.name for sheet in ruleset.sheets if kind in sheet.kinds], "or")
    took = f"a {listed(list(dict.fromkeys(taken)), 'or')}" if taken else "no profile"
    raise BadInput(f"{takes} {took}; got {left.name}, a {kind}, which goes onto {would}.", field="sheet")


def _refuse_many(cards: int, most: int = MOST_CARDS) -> None:
    if cards > most:
        raise BadInput(f"a print may have at most {most} cards; got {cards:,}. Print them in parts.", field="sheet")


def _refuse_large(document: Document, most: int) -> None:
    _refuse_many(sum(len(part.cards) for part in document.parts if isinstance(part, Cards)), most)
    tokens = sum(token.count for part in document.parts if isinstance(part, Tokens) for token in part.tokens)
    if tokens > MOST_TOKENS:
        raise BadInput(
            f"a print may have at most {MOST_TOKENS:,} tokens; got {tokens:,}. Print them in parts.", field="sheet"
        )
