"""A player's own units and weapons: read from the text of a list, checked, and put to use in the questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from battletape.errors import BadInput, BattletapeError
from battletape.inputs import Inputs
from battletape.profiles import BadProfiles, EntryPlace, InMemoryFile, ProfileFault, find_line, named_entry
from battletape.system import Question, Ruleset
from battletape.views.own_text import Data, entries_of, parse_list, write_entry
from battletape.views.profile_choices import Path, profile_choices
from battletape.views.profiles import ProfileView, find_profile
from battletape.views.short_inputs import Given, short_given

SOURCE = "Your list"
MOST_TROUBLES = 30
LONGEST_OWN, MOST_OWN = 12_000, 200_000
"""How long an entry may be, with everything it refers to (it has to fit into an address), and all entries together."""


class OwnUse(Struct, frozen=True):
    """A question that takes an entry: where, and what to say to ask it."""

    question: str
    title: str
    path: Path
    given: Given


class OwnEntry(Struct, frozen=True):
    """One entry of the list; `toml` holds it with everything it refers to, `profile` is missing if it does not fit."""

    kind: str
    at: int
    name: str
    line: int
    profile: ProfileView | None
    toml: str
    uses: tuple[OwnUse, ...]


class OwnTrouble(Struct, frozen=True):
    """What does not fit, and the entry or line where it stands."""

    sentence: str
    reason: str  # the sentence without the place in front
    line: int | None = None
    kind: str = ""
    at: int | None = None


class OwnList(Struct, frozen=True):
    """A list as it was read."""

    text: str
    entries: tuple[OwnEntry, ...]
    troubles: tuple[OwnTrouble, ...]


@lru_cache(12)
def with_own(ruleset: Ruleset, text: str) -> Ruleset:
    """Return the system with the profiles of a list; raises BadInput or BadProfiles."""
    if ruleset.profiles is None:
        raise BadInput(f"{ruleset.title} has no units or weapons; give its questions numbers instead", source=SOURCE)
    parse_list(text, SOURCE)  # which has stricter limits than a file on the player's own machine
    name = InMemoryFile(SOURCE)
    name.text = text
    book = ruleset.profiles((*ruleset.profile_files, name))
    return replace(ruleset, profiles=lambda files: book)


def with_fitting(ruleset: Ruleset, text: str) -> Ruleset:
    """Return the system with those profiles of a list that fit."""
    try:
        good, _ = _fitting(ruleset, text, parse_list(text, SOURCE))
    except BadInput:
        return ruleset
    return with_own(ruleset, _written(good)) if good else ruleset


def read_list(ruleset: Ruleset, text: str) -> OwnList:
    """Return every entry of a list, with the questions that take it.

    And a sentence for each entry that does not fit.
    """
    try:
        data = parse_list(text, SOURCE)
    except BadInput as error:
        return OwnList(text, (), (_trouble_of(error),))
    good, troubles = _fitting(ruleset, text, data)
    wrong = {(trouble.kind, trouble.at) for trouble in troubles}
    card = with_own(ruleset, _written(good)) if good else ruleset
    texts, ties, left = {key: write_entry(key[0], raw) for key, raw in good.items()}, _ties(good), MOST_OWN
    entries, long = [], []
    for kind in ruleset.book.kinds:
        for at, raw in enumerate(entries_of(data, kind)):
            name = str(raw.get("name", "")) if isinstance(raw, Mapping) else ""
            line = find_line(text, kind, at)
            if (kind, at) in wrong or (kind, name) not in good:
                entries.append(OwnEntry(kind, at, name, line, None, "", ()))
                continue
            toml = "".join(texts[key] for key in _closure(good, [(kind, name)], ties))
            if len(toml) > min(left, LONGEST_OWN):
                sentence = "with all that it refers to it is too long for a link; let it refer to less"
                long.append(_trouble(ProfileFault.at(EntryPlace(SOURCE, line, kind, at, name), sentence)))
                entries.append(OwnEntry(kind, at, name, line, None, "", ()))
                continue
            left -= len(toml)
            profile = next(view for view in find_profile(card, name) if view.kind == kind)
            entries.append(OwnEntry(kind, at, name, line, profile, toml, tuple(_uses(card, kind, name))))
    return OwnList(text, tuple(entries), (*troubles, *long)[:MOST_TROUBLES])


def used_list(text: str, inputs: Inputs) -> str:
    """Return the part of a list that a question uses, in the fewest words: for its address."""
    known = _by_name(text)
    named = {string.lower() for string in _strings(msgspec.to_builtins(inputs))}
    return _written(_closure(known, [key for key in known if key[1].lower() in named], _ties(known)))


def used_names(text: str) -> tuple[str, ...]:
    """Return the names in a list."""
    try:
        data = parse_list(text, SOURCE)
    except BadInput:
        return ()
    names = (raw.get("name") for kind in data for raw in entries_of(data, kind) if isinstance(raw, Mapping))
    return tuple(str(name) for name in names if name)


Key = tuple[str, str]
Entries = dict[Key, Mapping[str, Any]]
"""Entries by kind and name."""


def _by_name(text: str) -> Entries:
    data = parse_list(text, SOURCE)
    return {
        (kind, str(raw.get("name"))): raw for kind in data for raw in entries_of(data, kind) if isinstance(raw, Mapping)
    }


def _fitting(ruleset: Ruleset, text: str, data: Data) -> tuple[Entries, tuple[OwnTrouble, ...]]:
    """Return the entries that fit, and what is wrong with the others.

    An entry that refers to a wrong one is wrong too.
    """
    troubles = list(_taken(ruleset, text, data))
    taken = {(trouble.kind, trouble.at) for trouble in troubles}
    good = {
        (kind, str(raw.get("name"))): raw
        for kind in ruleset.book.kinds
        for at, raw in enumerate(entries_of(data, kind))
        if isinstance(raw, Mapping) and (kind, at) not in taken
    }
    reading = text
    for _ in range(4):
        try:
            with_own(ruleset, reading)
            return good, tuple(troubles)
        except BadProfiles as error:
            fresh = list(map(_trouble, error.errors))
        except BadInput as error:
            fresh = [_trouble_of(error)]
        troubles += [trouble for trouble in fresh if trouble.sentence not in {each.sentence for each in troubles}]
        wrong = {(trouble.kind, _name(data, trouble)) for trouble in fresh if trouble.at is not None}
        if not wrong & set(good) and reading != text:
            break
        good = {key: raw for key, raw in good.items() if key not in wrong}
        reading = _written(good)
    return {}, tuple(troubles)


def _taken(ruleset: Ruleset, text: str, data: Data) -> Iterator[OwnTrouble]:
    """Yield entries whose name is already in the book: the two could not be told apart."""
    for kind, entries in ruleset.book.entries.items():
        names = {entry.lower(): entry for entry in entries}
        for at, raw in enumerate(entries_of(data, kind)):
            name = raw.get("name") if isinstance(raw, Mapping) else None
            if isinstance(name, str) and name.strip().lower() in names:
                place = EntryPlace(SOURCE, find_line(text, kind, at), kind, at, name)
                why = f"there is already a {kind} {names[name.strip().lower()]!r} in the book; choose another name."
                yield _trouble(ProfileFault.at(place, why))


def _trouble(fault: str) -> OwnTrouble:
    """Return a fault of a list to show; a sentence that does not tell its line gets it in front."""
    place = fault.place if isinstance(fault, ProfileFault) else None
    if not isinstance(fault, ProfileFault) or place is None:
        return OwnTrouble(str(fault), str(fault))
    sentence = str(fault) if fault.is_placed else f"{SOURCE} line {place.line}, {fault.reason}"
    return OwnTrouble(sentence, fault.reason, place.line, place.kind, place.at)


def _trouble_of(error: BadInput) -> OwnTrouble:
    """Return an error about a list to show, with the entry it is about."""
    place = error.source if isinstance(error.source, EntryPlace) else None
    return _trouble(ProfileFault(str(error), place, error.message))


def _name(data: Data, trouble: OwnTrouble) -> str:
    entries = entries_of(data, trouble.kind)
    raw = entries[trouble.at] if trouble.at is not None and trouble.at < len(entries) else None
    return str(raw.get("name")) if isinstance(raw, Mapping) else ""


def _uses(card: Ruleset, kind: str, name: str) -> Iterator[OwnUse]:
    """Yield the questions that take a profile by its name, with every place where they do."""
    for question in card.questions:
        for path, pick in profile_choices(card, question).items():
            if pick.kind == kind and name in pick.names:
                given = _ask(card, question, path, name)
                if given is not None:
                    yield OwnUse(question.name, question.title, path, given)


def _ask(card: Ruleset, question: Question, path: Path, name: str) -> Given | None:
    """Return what to say to ask the question with a profile."""
    given: dict[str, Any] = {path[-1]: name}
    for name_above in reversed(path[:-1]):
        given = {name_above: [given]}
    try:
        inputs, rulings = card.split(question, given)
        return short_given(card, question, inputs, rulings)
    except BattletapeError:
        return None


def _ties(known: Entries) -> Mapping[Key, Sequence[Key]]:
    """Return what each entry belongs with: what it refers to by name, and entries of its own kind that refer to it."""
    by_name: dict[str, list[Key]] = {}
    for key in known:
        by_name.setdefault(key[1].lower(), []).append(key)
    ties: dict[Key, list[Key]] = {key: [] for key in known}
    for key, raw in known.items():
        for word in {string.lower() for string in _strings(raw)}:
            for other in by_name.get(word, ()):
                ties[key].append(other)
                if other[0] == key[0]:
                    ties[other].append(key)
    return ties


def _closure(known: Entries, wanted: Sequence[Key], ties: Mapping[Key, Sequence[Key]]) -> Entries:
    """Return entries with everything they belong with, directly or indirectly."""
    taken: set[Key] = set()
    waiting = list(wanted)
    while waiting:
        key = waiting.pop()
        if key in taken or key not in known:
            continue
        taken.add(key)
        waiting += ties[key]
    return {key: raw for key, raw in known.items() if key in taken}


def _strings(value: Any) -> Iterator[str]:
    """Yield every text in a value; “3 x Yew bow” counts as “Yew bow”."""
    if isinstance(value, str):
        yield str(named_entry(value)["name"]) if value.strip() and "=" not in value else value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _strings(part)


def _written(entries: Entries) -> str:
    return "".join(write_entry(kind, raw) for (kind, _), raw in entries.items())
