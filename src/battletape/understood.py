"""How names were read that players typed in their own way: “bolter” is read as Astartes Bolter (Godwyn)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from battletape.errors import BadInput
from battletape.inputs import Field, Inputs, fields, is_placed, parse_pairs, split_entries
from battletape.words import folded, parse_count


def names_read(given: Mapping[str, Any], inputs: Inputs) -> tuple[str, ...]:
    """Return a sentence for every name that was matched loosely: other capitals are no other name."""
    readings: list[str] = []
    named = {name.replace("-", "_"): value for name, value in given.items()}
    for field in fields(type(inputs)):
        if field.name not in named:
            continue
        value, read = named[field.name], getattr(inputs, field.name)
        if field.item is None:
            readings += read_as(field, value, read)
        else:
            for _, text, entry in entries_given(field, value, read):
                try:
                    readings += entry_read(text, entry)
                except BadInput:  # written in a way that only its question reads
                    continue
    return tuple(readings)


def read_as(field: Field, value: Any, read: Any) -> list[str]:
    """Return how one name was read, if in another way than it was typed."""
    if field.kind != "text" or not isinstance(value, str) or not value.strip() or not read:
        return []
    if folded(value) == folded(str(read)):
        return []
    return [f"“{value.strip()}” is read as {read}."]


def entries_given(field: Field, value: Any, entries: Any) -> Iterator[tuple[str, Any, Inputs]]:
    """Yield what a list of entries is called one by one, as each was given, and as it was read."""
    texts = split_entries(value) if isinstance(value, str) else value if isinstance(value, (list, tuple)) else ()
    if field.item is not None and len(texts) == len(entries) and not is_placed(field.item):
        for at, (text, entry) in enumerate(zip(texts, entries, strict=True), 1):
            yield field.name if len(entries) == 1 else f"{field.name} {at}", text, entry


def pairs_of(text: Any, entry: Inputs) -> Mapping[str, Any]:
    """Return what was said of an entry, by input."""
    first = fields(type(entry))[0].name
    if isinstance(text, str):
        return parse_pairs(text, first=first * isinstance(getattr(entry, first), str))
    return text if isinstance(text, Mapping) else {}


def entry_read(text: Any, entry: Inputs) -> Iterator[str]:
    """Yield how the name and the count of an entry were read, and the names within it."""
    first, pairs = fields(type(entry))[0], dict(pairs_of(text, entry))
    name = getattr(entry, first.name)
    if isinstance(text, str) and first.name in pairs and first.name + "=" not in text:
        typed = pairs.pop(first.name)
        count, called = parse_count(typed, [name])
        shown = name if count is None else f"{count} × {name}"
        if folded(called) != folded(name) or (count is not None and _crossed(typed) != _crossed(shown)):
            yield f"“{typed}” is read as {shown}."
    for known in fields(type(entry)):
        yield from read_as(known, pairs.get(known.name), getattr(entry, known.name))


def _crossed(text: str) -> str:
    return folded(text.replace("×", " x "))
