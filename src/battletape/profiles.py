"""Profiles: units and weapons in TOML files, ours and the players' own, with a sentence for each bad entry."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from battletape.errors import BadInput, UnknownName, nearest
from battletape.inputs import Inputs, fields, parse_value

Kinds = tuple[tuple[str, type[Inputs]], ...]
"""The tables a file may hold: ("weapon", Weapon) for each `[[weapon]]`."""
MAX_BYTES = 1_000_000


class BadProfiles(BadInput):
    """What is wrong with profile files: one sentence for each bad entry."""

    def __init__(self, errors: Sequence[str]) -> None:
        super().__init__("\n".join(errors))
        self.errors = tuple(errors)


class ProfileBook:
    """Profiles by kind and name; `later` reads them when somebody first asks for one."""

    def __init__(self, kinds: Kinds, later: Callable[[], ProfileBook] | None = None) -> None:
        self.kinds = dict(kinds)
        self.places: dict[tuple[str, str], dict[str, str]] = {}  # where each key of a profile stands: file, line, entry
        self._later = later

    @cached_property
    def entries(self) -> dict[str, dict[str, Any]]:
        """The profiles of each kind, by name."""
        return {kind: {} for kind in self.kinds} if self._later is None else self._later().entries

    def find(self, kind: str, name: str) -> Any:
        """The profile of this name, in any case; raises UnknownName with the nearest one."""
        by_lower = {one.lower(): entry for one, entry in self.entries[kind].items()}
        found = by_lower.get(name.strip().lower())
        if found is None:
            raise UnknownName(kind, name, self.entries[kind])
        return found


def read_book(
    package: str,
    kinds: Kinds,
    files: Sequence[str] = (),
    check: Callable[[ProfileBook], Sequence[str]] = lambda book: (),
) -> ProfileBook:
    """The package's own profiles and those of further files, which may replace ours by name."""
    return _fresh_book(package, kinds, files, check) if files else _own_book(package, kinds, check)


@lru_cache(16)
def _own_book(package: str, kinds: Kinds, check: Any) -> ProfileBook:
    return ProfileBook(kinds, lambda: _fresh_book(package, kinds, (), check))


def _fresh_book(package: str, kinds: Kinds, files: Sequence[str], check: Any) -> ProfileBook:
    from importlib.resources import files as package_files  # here, because most questions name no profile
    from pathlib import Path

    book = ProfileBook(kinds)
    errors: list[str] = []
    for place in sorted((package_files(package) / "profiles").iterdir(), key=lambda one: one.name):
        if place.name.endswith(".toml"):
            errors += add_profiles(book, place.read_text(encoding="utf-8"), place.name)
    for name in files:
        try:
            if Path(name).stat().st_size > MAX_BYTES:
                raise OSError(f"it is larger than {MAX_BYTES:,} bytes")
            text = Path(name).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            errors.append(f"{name}: cannot be read: {error}")
            continue
        errors += add_profiles(book, text, name)
    errors += check(book)
    if errors:
        raise BadProfiles(errors)
    return book


def add_profiles(book: ProfileBook, text: str, source: str) -> list[str]:
    """Add the profiles of one file; returns a sentence for each entry that does not fit."""
    import tomllib

    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return [f"{source}: this is not TOML: {error}"]
    errors: list[str] = []
    for kind, entries in data.items():
        if kind not in book.kinds:
            like = nearest(kind, book.kinds)
            known = " or ".join(f"[[{one}]]" for one in book.kinds)
            hint = f" Did you mean [[{like}]]?" if like else ""
            errors.append(f"{source} line {_line_of_table(text, kind)}: a file holds {known}, got {kind!r}.{hint}")
        elif not isinstance(entries, list):
            line = _line_of_table(text, kind)
            errors.append(f"{source} line {line}: {kind} wants to be written as [[{kind}]], got [{kind}]")
        else:
            for at, entry in enumerate(entries):
                errors += _add(book, kind, entry, at, text, source)
    return errors


def _add(book: ProfileBook, kind: str, entry: Any, at: int, text: str, source: str) -> list[str]:
    if not isinstance(entry, Mapping):
        return [f"{source}: {kind} {at + 1} wants keys and values, got {entry!r}"]
    name = entry.get("name")
    label = f"{kind} {at + 1}" + (f" ({name!r})" if isinstance(name, str) else "")
    known = {field.name: field for field in fields(book.kinds[kind])}
    errors: list[str] = []
    values: dict[str, Any] = {}
    places = {key: f"{source} line {find_line(text, kind, at, key)}, {label}" for key in entry}
    for key, value in entry.items():
        if key not in known:
            like = nearest(key, known)
            hint = f" Did you mean {like}?" if like else f" Known: {', '.join(known)}."
            errors.append(f"{places[key]}: there is no key {key!r}.{hint}")
            continue
        try:
            values[key] = parse_value(known[key], value)
        except BadInput as error:
            errors.append(f"{places[key]}: {error}")
    if not isinstance(name, str) or not name.strip():
        errors.append(f"{source} line {find_line(text, kind, at)}, {label}: a {kind} wants a name")
    earlier = book.places.get((kind, str(name)), {}).get("name", "")
    if earlier.startswith(f"{source} line "):  # a later file may replace a profile, an entry of the same one may not
        errors.append(f"{places['name']}: a {kind} wants a name of its own; it stands already at {earlier}")
    if not errors:
        made = book.kinds[kind](**values)
        book.entries[kind][str(name)] = made
        book.places[kind, str(name)] = places
    return errors


def _line_of_table(text: str, kind: str) -> int:
    lines = enumerate(text.splitlines(), 1)
    return next((number for number, line in lines if re.match(rf"\s*\[*\s*{re.escape(kind)}\b", line)), 1)


def find_line(text: str, kind: str, at: int, key: str = "") -> int:
    """The line of the file where an entry, or a key of it, stands."""
    seen, line_of_entry = -1, 1
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(rf"\s*\[\[\s*{re.escape(kind)}\s*\]\]", line):
            seen += 1
            if seen == at:
                line_of_entry = number
            elif seen > at:
                break
        elif seen == at and key and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line):
            return number
    return line_of_entry
