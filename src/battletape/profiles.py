"""Profiles: units and weapons in TOML files, ours and the players' own, with a sentence for each bad entry."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from errno import ENXIO
from functools import cached_property, lru_cache
from typing import Any

from battletape.errors import (
    BadInput,
    Called,
    ErrorLine,
    NotAFile,
    UnknownName,
    cited,
    echo,
    file_trouble,
    nearest,
    own_name,
)
from battletape.inputs import Field, Inputs, fields, parse_pairs, parse_value, split_entries
from battletape.toml import TomlFault, parse_toml
from battletape.words import matching_names, parse_count

Kinds = tuple[tuple[str, type[Inputs]], ...]
"""The tables a file may hold: ("weapon", Weapon) for each `[[weapon]]`."""
Fill = Callable[[Mapping[str, Any], "ProfileBook"], Mapping[str, Any]]
"""An entry of a start, as it was given -> the same with the numbers of the profiles it names."""
MAX_BYTES = 1_000_000
MOST_ERRORS = 100
"""After this many errors a file is not read further."""


class EntryPlace(str):
    """The place of an entry in a profile file, as text: its file and line, its kind and which one of them it is."""

    source: str
    line: int
    kind: str
    at: int | None  # from 0; None for a line that belongs to no entry
    entry: str | None  # its name, if it has one

    def __new__(
        cls, source: str, line: int, kind: str = "", at: int | None = None, entry: str | None = None
    ) -> EntryPlace:
        """Return the place in a line of a file, of an entry if `at` is given."""
        which = "" if at is None else f", {kind} {at + 1}" + ("" if entry is None else f" ({echo(entry)})")
        made = super().__new__(cls, f"{source} line {line}{which}")
        made.source, made.line, made.kind, made.at, made.entry = source, line, kind, at, entry
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return (EntryPlace, (self.source, self.line, self.kind, self.at, self.entry))


class ProfileFault(str):
    """A sentence about an entry of a profile file that does not fit, with its place, the reason and what it cites."""

    place: EntryPlace | None
    reason: str
    line: ErrorLine  # to show

    def __new__(
        cls, words: str, place: EntryPlace | None = None, reason: str = "", clauses: tuple[str, ...] = ()
    ) -> ProfileFault:
        """Return the fault in these words, which may hold the place already and cite these clauses."""
        made = super().__new__(cls, cited(words, clauses))
        made.place, made.reason, made.line = place, cited(reason or words, clauses), ErrorLine(words, clauses)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return (_fault_again, (str(self), self.__dict__))

    @property
    def is_placed(self) -> bool:
        """Whether the sentence tells the place itself."""
        return self == f"{self.place}: {self.reason}"

    @classmethod
    def at(cls, place: EntryPlace, reason: str, clauses: tuple[str, ...] = ()) -> ProfileFault:
        """Return the fault of an entry, told with its place in front."""
        return cls(f"{place}: {reason}", place, reason, clauses)


def _fault_again(sentence: str, known: dict[str, Any]) -> ProfileFault:
    made = str.__new__(ProfileFault, sentence)
    made.__dict__.update(known)
    return made


class BadProfiles(BadInput):
    """What is wrong with profile files: one sentence for each bad entry."""

    def __init__(self, errors: Sequence[str]) -> None:
        super().__init__("\n".join(errors))
        self.errors = tuple(errors)

    def lines(self, called: Called = own_name) -> tuple[ErrorLine, ...]:
        """Return the faults to show, with what each cites beside it."""
        return tuple(fault.line if isinstance(fault, ProfileFault) else ErrorLine(fault) for fault in self.errors)


class InMemoryFile(str):
    """The name of a file whose text is in memory, so that nothing is read from disk."""

    text: str = ""


class ProfileBook:
    """Profiles by kind and name; `later` reads them when the first one is asked for."""

    def __init__(self, kinds: Kinds, later: Callable[[], ProfileBook] | None = None) -> None:
        self.kinds = dict(kinds)
        self.places: dict[tuple[str, str], dict[str, EntryPlace]] = {}  # of each key; "": of the profile
        self._later = later

    @cached_property
    def entries(self) -> dict[str, dict[str, Any]]:
        """The profiles of each kind, by name."""
        return {kind: {} for kind in self.kinds} if self._later is None else self._later().entries

    def find(self, kind: str, name: str, clause: str = "") -> Any:
        """Return the profile that a name means, as people type it; raises UnknownName with those that come near.

        Capitals, plurals, a letter that is wrong or a part that only one name has make no difference.
        """
        profile = self.entries[kind].get(name.strip())
        if profile is None:
            fits = matching_names(name, self.entries[kind])
            if len(fits) != 1:
                raise UnknownName(kind, name, self.entries[kind], clause=clause)
            profile = self.entries[kind][fits[0]]
        return profile

    def fault(
        self, kind: str, name: str, reason: str, key: str = "name", clauses: tuple[str, ...] = ()
    ) -> ProfileFault:
        """Return a fault of a profile, told with the place of one of its keys.

        With its name if the entry lacks that key.
        """
        places = self.places.get((kind, name), {})
        if key in places:
            return ProfileFault.at(places[key], reason, clauses)
        return ProfileFault(f"{kind} {name!r}: {reason}", places.get(""), clauses=clauses)

    def fault_of(self, kind: str, name: str, predicate: str) -> ProfileFault:
        """Return a fault of a profile in a sentence that begins with the profile: weapon 'Sling' must have a range."""
        return ProfileFault(f"{kind} {name!r} {predicate}", self.places.get((kind, name), {}).get(""))

    def carried(self, kind: str, name: str, by: Iterable[str]) -> str:
        """Return the one thing that these people carry, of those a name may mean; else the name as it came."""
        known = self.entries[kind]
        if name.strip() in known or len(matching_names(name, known)) < 2:
            return name
        carried: list[str] = []
        for carrier in by:
            for people in self.entries.values():
                fits = matching_names(carrier, people)
                held = getattr(people[fits[0]], f"{kind}s", ()) if len(fits) == 1 else ()
                carried += [item if isinstance(item, str) else item.name for item in held]
        fits = matching_names(name, [item for item in carried if item in known])
        return fits[0] if len(fits) == 1 else name


def read_book(
    package: str,
    kinds: Kinds,
    files: Sequence[str] = (),
    check: Callable[[ProfileBook], Sequence[str]] = lambda book: (),
) -> ProfileBook:
    """Return the profiles of a package and those of further files, which may replace ours by name.

    The package is the `profiles` of a ruleset, whose TOML files are read, or the ruleset that has such a folder.
    """
    return _fresh_book(package, kinds, files, check) if files else _own_book(package, kinds, check)


@lru_cache(16)
def _own_book(package: str, kinds: Kinds, check: Any) -> ProfileBook:
    return ProfileBook(kinds, lambda: _fresh_book(package, kinds, (), check))


def _fresh_book(package: str, kinds: Kinds, files: Sequence[str], check: Any) -> ProfileBook:
    from importlib.resources import files as package_files  # here, because most questions name no profile

    book = ProfileBook(kinds)
    errors: list[str] = []
    home = package_files(package)
    folder = home if package.endswith(".profiles") else home / "profiles"
    for place in sorted(folder.iterdir(), key=lambda file: file.name):
        if place.name.endswith(".toml"):
            errors += add_profiles(book, place.read_text(encoding="utf-8"), place.name)
    for name in files:
        try:
            text = read_text(name)
        except BadInput as error:
            errors.append(str(error))
            continue
        errors += add_profiles(book, text, name)
    errors += check(book)
    if errors:
        raise BadProfiles(errors)
    return book


def read_file(path: str | os.PathLike[str], most: int) -> bytes:
    """Return the first bytes of a player's own file; what is no file is refused, because it may never end."""
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise NotAFile(str(path))
            return file.read(most)
    except OSError as error:
        raise NotAFile(str(path)) if error.errno == ENXIO else error from None  # so a socket is told


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_text(path: str) -> str:
    """Return the text of a player's own file; if it cannot be read, the error names it."""
    if isinstance(path, InMemoryFile):
        return path.text
    try:
        raw = read_file(path, MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise BadInput(f"a file may have at most {MAX_BYTES:,} bytes; this one is larger", source=path)
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except (OSError, ValueError) as error:  # ValueError: no UTF-8, or a name that no file can have
        raise BadInput(f"it cannot be read: {file_trouble(error)}", source=path) from error


def add_profiles(book: ProfileBook, text: str, source: str) -> list[str]:
    """Add the profiles of one file; returns a sentence for each entry that does not fit."""
    try:
        data = parse_toml(text)
    except TomlFault as fault:
        place = EntryPlace(source, fault.line) if fault.line else source
        return [f"{source}: this is not TOML: {fault}" if fault.malformed else f"{place}: {fault}"]
    errors: list[str] = []
    for kind, entries in data.items():
        if len(errors) >= MOST_ERRORS:
            break
        if kind not in book.kinds:
            like = nearest(kind, book.kinds)
            known = " or ".join(f"[[{kind}]]" for kind in book.kinds)
            hint = f" Did you mean [[{like}]]?" if like else ""
            place = EntryPlace(source, _line_of_table(text, kind))
            errors.append(ProfileFault.at(place, f"a file holds {known}, got {echo(kind)}.{hint}"))
        elif not isinstance(entries, list):
            place = EntryPlace(source, _line_of_table(text, kind))
            errors.append(ProfileFault.at(place, f"{kind} must be written as [[{kind}]], got [{kind}]"))
        else:
            for at, entry in enumerate(entries):
                if len(errors) >= MOST_ERRORS:
                    break
                errors += _add(book, kind, entry, at, text, source)
    return errors


def _add(book: ProfileBook, kind: str, entry: Any, at: int, text: str, source: str) -> list[ProfileFault]:
    if not isinstance(entry, Mapping):
        wrong = f"{kind} {at + 1} needs keys and values, got {echo(str(entry))}"
        return [ProfileFault(f"{source}: {wrong}", EntryPlace(source, find_line(text, kind, at), kind, at), wrong)]
    name = entry.get("name")
    known = {field.name: field for field in fields(book.kinds[kind])}
    errors: list[ProfileFault] = []
    values: dict[str, Any] = {}

    def place(key: str = "") -> EntryPlace:
        return EntryPlace(source, find_line(text, kind, at, key), kind, at, name if isinstance(name, str) else None)

    places = {key: place(key) for key in ("", *entry)}
    for key, value in entry.items():
        if key not in known:
            like = nearest(key, known)
            hint = f" Did you mean {like}?" if like else f" Known: {', '.join(known)}."
            errors.append(ProfileFault.at(places[key], f"there is no key {echo(key)}.{hint}"))
            continue
        try:
            values[key] = parse_value(known[key], _spelt_out(known[key], value))
        except BadInput as error:
            errors.append(ProfileFault.at(places[key], error.uncited, error.clauses))
    if name is None or (isinstance(name, str) and not name.strip()):  # any other name was refused above
        errors.append(ProfileFault.at(place(), f"a {kind} needs a name"))
    earlier = book.places.get((kind, name), {}).get("name") if isinstance(name, str) else None
    if earlier is not None and earlier.source == source:  # a later file may replace a profile, this one may not
        wrong = f"a {kind} needs a name of its own; it is already used at {earlier}"
        errors.append(ProfileFault.at(places["name"], wrong))
    if not errors:
        made = book.kinds[kind](**values)
        book.entries[kind][str(name)] = made
        book.places[kind, str(name)] = places
    return errors


def _spelt_out(field: Field, value: Any) -> Any:
    """Return a list whose entries have names, with plain names as entries."""
    if field.item is None or "name" not in field.item.__struct_fields__ or not isinstance(value, (str, list)):
        return value
    entries = [value] if isinstance(value, str) and "=" not in value and value.strip() else value
    return [named_entry(entry) for entry in entries] if isinstance(entries, list) else entries


def named_entry(
    entry: Any, name: str = "name", count: str = "models", known: Iterable[str] = (), source: str = ""
) -> Any:
    """Return a text such as "Yew bow", "3 x Yew bow" or "Yew bow x3 range=24" as keys and values; else as it is.

    `name` and `count` are what the keys are called, `known` the names that may begin or end with a number.
    """
    if not isinstance(entry, str) or not entry.strip():
        return entry
    values: dict[str, Any] = parse_pairs(entry, source, name)
    if name not in values:
        return values
    number, called = parse_count(values[name], known)
    return {
        name: called,
        **({} if number is None else {count: number}),
        **{key: values[key] for key in values if key != name},
    }


def _line_of_table(text: str, kind: str) -> int:
    lines = enumerate(text.splitlines(), 1)
    return next((number for number, line in lines if re.match(rf"\s*+\[*+\s*+{re.escape(kind)}\b", line)), 1)


def find_line(text: str, kind: str, at: int, key: str = "") -> int:
    """Return the line of an entry in a file, or of one of its keys."""
    entries = _lines(text).get(kind, [])
    return entries[at].get(key, entries[at][""]) if at < len(entries) else 1


@lru_cache(16)
def _lines(text: str) -> dict[str, list[dict[str, int]]]:
    """Return the lines of the entries of each kind and of their keys, found in one pass."""
    places: dict[str, list[dict[str, int]]] = {}
    here: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if head := re.match(r"\s*+\[\[([^\[\]]*+)\]\]", line):
            here = {"": number}
            places.setdefault(head[1].strip().strip("\"'"), []).append(here)
        elif key := re.match(r"\s*([\"']?)([\w-]+)\1\s*=", line):
            here.setdefault(key[2], number)
    return places


# --- numbers of profiles ----------------------------------------------------------------------------------------------


def fill_from(
    given: Mapping[str, Any], kind: str, book: ProfileBook, *names: str, key: str = "", **read: Callable[[Any], Any]
) -> dict[str, Any]:
    """Return numbers of the named profile that the player did not give: those of the same name, and what is read
    off it.
    """
    key = key or kind
    if not given.get(key):
        return dict(given)
    profile = book.find(kind, str(given[key]))
    numbers = {name: getattr(profile, name) for name in names}
    numbers |= {name: of(profile) for name, of in read.items()}
    known = {name: number for name, number in numbers.items() if number is not None}
    return {**known, **given, key: profile.name}


# --- the start of a battle ------------------------------------------------------------------------------------------


def fill_sides(given: Mapping[str, Any], fills: Mapping[str, Fill], book: ProfileBook) -> Mapping[str, Any]:
    """Return the sides of a start with their profiles written out, so that a battle stays as it was when a profile
    changes.
    """
    sides = given.get("sides")
    if not fills or not isinstance(sides, (list, tuple)):
        return given
    return {**given, "sides": [_fill_side(side, fills, book) if isinstance(side, Mapping) else side for side in sides]}


def _fill_side(side: Mapping[str, Any], fills: Mapping[str, Fill], book: ProfileBook) -> dict[str, Any]:
    filled = dict(side)
    for name, fill in fills.items():
        entries = side.get(name)
        if isinstance(entries, str) and entries.strip().lower() not in ("", "-", "none"):
            entries = split_entries(entries)
        if isinstance(entries, (list, tuple)):
            known = [as_entry(entry, "profile") for entry in entries]
            filled[name] = [fill(entry, book) if isinstance(entry, Mapping) else entry for entry in known]
    return filled


def as_entry(entry: Any, first: str) -> Any:
    """Return an entry as a mapping: a bare name is its first input, and a text may hold name=value pairs."""
    if not isinstance(entry, str):
        return entry
    if not entry.strip():
        raise BadInput("an entry needs the name of a profile, or name=value pairs; got nothing.", source="start")
    return parse_pairs(entry, "start", first)


def entry_value(entry: Any, name: str) -> str:
    """Return what an entry says of an input, written as a mapping or as an object; nothing if it does not."""
    return str((entry.get(name) if isinstance(entry, Mapping) else getattr(entry, name, "")) or "")


def written_out(given: Mapping[str, Any], kind: str, book: ProfileBook) -> dict[str, Any]:
    """Return the numbers of the profile that an entry names, overridden by what the entry says itself."""
    if not given.get("profile"):
        return dict(given)
    profile = book.find(kind, str(given["profile"]))
    numbers = {name: getattr(profile, name) for name in profile.__struct_fields__}
    return {**numbers, **given, "profile": profile.name}
