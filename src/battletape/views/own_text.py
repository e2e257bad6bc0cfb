"""A player's list of profiles as TOML: entries are added, changed and removed, the rest stays as written."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

import tomli_w

from battletape.errors import BadInput
from battletape.profiles import EntryPlace, find_line
from battletape.toml import TomlFault, parse_toml

Data = dict[str, Any]
"""A list as it was read: entries by kind."""
MOST_KINDS, MOST_ENTRIES, MOST_VALUES = 20, 200, 100
"""How many kinds of entries a list may have, how many entries in all, and how many values in each list of an entry."""
LONGEST_NAME, LONGEST_TEXT = 80, 200
DEEPEST = 8
"""How deep lists may be nested."""
HEADER = re.compile(r"\s*\[\[?\s*([\w-]+|\"[^\"]*\"|'[^']*')\s*([.\]])")


def parse_list(text: str, source: str) -> Data:
    """Return the entries of a list by kind; raises BadInput if the text is not TOML or too large."""
    try:
        data = parse_toml(text)
    except TomlFault as fault:
        place = EntryPlace(source, fault.line) if fault.line else source
        raise BadInput(f"this is not TOML: {fault.why}" if fault.malformed else fault.why, source=place) from None
    _check_size(data, text, source)
    return data


def _check_size(data: Data, text: str, source: str) -> None:
    """Refuse more than a page could show."""
    count = sum(len(entries_of(data, kind)) for kind in data)
    if count > MOST_ENTRIES:
        raise BadInput(f"a list may have at most {MOST_ENTRIES} entries; got {count:,}", source=source)
    if len(data) > MOST_KINDS:
        raise BadInput(f"a list may have at most {MOST_KINDS} kinds of entries; got {len(data):,}", source=source)
    for kind in data:
        for at, entry in enumerate(entries_of(data, kind)):
            sentence = _too_large(entry)
            if sentence:
                raise BadInput(sentence, source=EntryPlace(source, find_line(text, kind, at), kind[:40], at))


def _too_large(value: Any, name: str = "", depth: int = 0) -> str:
    """Return what is too large in an entry; empty if everything fits."""
    if depth > DEEPEST:
        return "lists in lists go too deep here"
    if isinstance(value, str):
        most = LONGEST_NAME if name == "name" else LONGEST_TEXT
        fits = len(value) <= most
        return "" if fits else f"{name[:40] or 'a text'} may have at most {most} characters; got {len(value):,}"
    if not isinstance(value, (list, dict)):
        return ""
    if len(value) > MOST_VALUES:
        return f"{name[:40] or 'an entry'} may have at most {MOST_VALUES} values; got {len(value):,}"
    inner = value.items() if isinstance(value, dict) else ((name, part) for part in value)
    return next(
        (sentence for key, part in inner if (sentence := _too_large(key) or _too_large(part, key, depth + 1))), ""
    )


def entries_of(data: Data, kind: str) -> list[Any]:
    """Return the entries of one kind; none if there is something else in their place."""
    entries = data.get(kind)
    return entries if isinstance(entries, list) else []


def write_entry(kind: str, values: Mapping[str, Any]) -> str:
    """Return an entry as TOML, one line for each value."""
    return "\n".join([f"[[{_key(kind)}]]", *(f"{_key(key)} = {_value(value)}" for key, value in values.items())]) + "\n"


def put_entry(text: str, kind: str, at: int | None, values: Mapping[str, Any], source: str) -> str:
    """Return the list with an entry changed, or added at its end."""
    data = parse_list(text, source)
    written = write_entry(kind, values)
    if at is None:
        wanted = {**data, kind: [*entries_of(data, kind), dict(values)]}
        return _checked(text.rstrip() + "\n\n" + written if text.strip() else written, wanted)
    entries = entries_of(data, kind)
    wanted = {**data, kind: [*entries[:at], dict(values), *entries[at + 1 :]]}
    return _checked(_replaced(text, kind, at, written), wanted)


def drop_entry(text: str, kind: str, at: int, source: str) -> str:
    """Return the list without an entry."""
    data = parse_list(text, source)
    entries = entries_of(data, kind)
    wanted = {**data, kind: entries[:at] + entries[at + 1 :]}
    if not wanted[kind]:
        del wanted[kind]
    return _checked(_replaced(text, kind, at, ""), wanted)


def merge_lists(text: str, more: str, source: str, other: str) -> str:
    """Return the list with the entries of another one, which win over those of the same name."""
    added = parse_list(more, other)
    if not text.strip():
        return more
    data = parse_list(text, source)
    wanted = dict(data)
    changed: dict[tuple[str, int], Mapping[str, Any]] = {}
    for kind in added:
        for entry in entries_of(added, kind):
            if isinstance(entry, Mapping):
                entries = entries_of(wanted, kind)
                place = _place(wanted, kind, entry.get("name"))
                at = len(entries) if place is None else place
                wanted[kind] = [*entries[:at], entry, *entries[at + 1 :]]
                changed[kind, at] = entry
    _check_size(wanted, text, other)
    more = ""
    for (kind, at), entry in changed.items():
        written = write_entry(kind, entry)
        if at < len(entries_of(data, kind)):
            text = _replaced(text, kind, at, written)
        else:
            more += "\n" + written
    return _checked(f"{text.rstrip()}\n{more}" if more else text, wanted)


def _place(data: Data, kind: str, name: Any) -> int | None:
    """Return where an entry of this name stands."""
    names = [entry.get("name") if isinstance(entry, Mapping) else None for entry in entries_of(data, kind)]
    return names.index(name) if name is not None and name in names else None


def _checked(text: str, wanted: Data) -> str:
    """Return the text, if it reads as it should; otherwise all of it written again, without comments."""
    try:
        fits = tomllib.loads(text) == wanted
    except ValueError:
        fits = False
    return text if fits else tomli_w.dumps(wanted)


def _replaced(text: str, kind: str, at: int, written: str) -> str:
    """Return the text with the lines of one entry changed."""
    lines = text.splitlines(keepends=True)
    heads: list[tuple[int, str, bool]] = []
    for number, line in enumerate(lines):
        if head := HEADER.match(line):
            heads.append((number, head[1].strip("\"'"), head[2] == "]" and line.lstrip().startswith("[[")))
    starts = [place for place, (_, name, is_entry) in enumerate(heads) if name == kind and is_entry]
    if at >= len(starts):
        return text
    place = starts[at]
    first = heads[place][0]
    following = (number for number, name, is_entry in heads[place + 1 :] if name != kind or is_entry)
    last = next(following, len(lines))
    while last > first + 1 and re.fullmatch(r"\s*(#.*)?\s*", lines[last - 1]):
        last -= 1  # what stands before the next entry belongs to that one
    return "".join([*lines[:first], written, *lines[last:]])


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, Mapping):
        return (
            "{ " + ", ".join(f"{_key(key)} = {_value(part)}" for key, part in value.items()) + " }" if value else "{}"
        )
    return str(value)
