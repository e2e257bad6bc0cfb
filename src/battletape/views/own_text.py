"""A player's list of profiles as TOML: entries put in, changed and taken out, and the rest left as it was written."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

import tomli_w

from battletape.errors import BadInput

Data = dict[str, Any]
"""A list as it was read: entries by kind."""
HEADER = re.compile(r"\s*\[\[?\s*([\w-]+|\"[^\"]*\"|'[^']*')\s*([.\]])")


def parse_list(text: str, source: str) -> Data:
    """The entries of a list by kind; a text that is no TOML is a sentence with its line."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise BadInput("lists in lists go too deep here", source=source) from None
    except ValueError as error:  # tomllib.TOMLDecodeError, or a number of thousands of digits
        line = re.search(r"\(at line (\d+), column \d+\)|\(at end of document\)", str(error))
        number = line[1] if line and line[1] else str(text.count("\n") + 1)
        what = str(error).partition(" (at ")[0]
        raise BadInput(f"this is not TOML: {what}", source=f"{source} line {number}") from None


def entries_of(data: Data, kind: str) -> list[Any]:
    """The entries of one kind; none where something else stands there."""
    found = data.get(kind)
    return found if isinstance(found, list) else []


def write_entry(kind: str, values: Mapping[str, Any]) -> str:
    """An entry as TOML, one line for each value."""
    return "\n".join([f"[[{_key(kind)}]]", *(f"{_key(key)} = {_value(value)}" for key, value in values.items())]) + "\n"


def put_entry(text: str, kind: str, at: int | None, values: Mapping[str, Any], source: str) -> str:
    """The list with an entry changed, or one more at its end."""
    data = parse_list(text, source)
    written = write_entry(kind, values)
    if at is None:
        wanted = {**data, kind: [*entries_of(data, kind), dict(values)]}
        return _checked(text.rstrip() + "\n\n" + written if text.strip() else written, wanted)
    found = entries_of(data, kind)
    wanted = {**data, kind: [*found[:at], dict(values), *found[at + 1 :]]}
    return _checked(_replaced(text, kind, at, written), wanted)


def drop_entry(text: str, kind: str, at: int, source: str) -> str:
    """The list without an entry."""
    data = parse_list(text, source)
    found = entries_of(data, kind)
    wanted = {**data, kind: found[:at] + found[at + 1 :]}
    if not wanted[kind]:
        del wanted[kind]
    return _checked(_replaced(text, kind, at, ""), wanted)


def merge_lists(text: str, more: str, source: str, other: str) -> str:
    """The list with the entries of another one, which win over those of the same name."""
    added = parse_list(more, other)
    if not text.strip():
        return more
    for kind, entries in added.items():
        for entry in entries if isinstance(entries, list) else ():
            if not isinstance(entry, Mapping):
                continue
            text = put_entry(text, kind, _place(parse_list(text, source), kind, entry.get("name")), entry, source)
    return text


def _place(data: Data, kind: str, name: Any) -> int | None:
    """Where an entry of this name stands."""
    names = [one.get("name") if isinstance(one, Mapping) else None for one in entries_of(data, kind)]
    return names.index(name) if name is not None and name in names else None


def _checked(text: str, wanted: Data) -> str:
    """The text if it says what is wanted; else all of it written anew, without its comments."""
    try:
        fits = tomllib.loads(text) == wanted
    except ValueError:
        fits = False
    return text if fits else tomli_w.dumps(wanted)


def _replaced(text: str, kind: str, at: int, written: str) -> str:
    """The text with the lines of one entry changed."""
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
        return "{ " + ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items()) + " }" if value else "{}"
    return str(value)
