"""Inputs from a TOML file; a misfit names the file, the line and the key."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from battletape.errors import BadInput, UnknownInput, UnknownName, parts_of
from battletape.inputs import Field, fields, parse_value
from battletape.profiles import read_text
from battletape.system import Question, Ruleset
from battletape.toml import TomlFault, parse_toml


def read_toml(path: str) -> tuple[dict[str, Any], str]:
    """Return a TOML file as a mapping, with its text; an error names the file and the line."""
    text = read_text(path)
    try:
        return parse_toml(text), text
    except TomlFault as fault:
        raise BadInput(f"it must be TOML such as “attacks = 12”: {fault}", source=path) from None


def read_inputs(path: str, ruleset: Ruleset, question: Question) -> dict[str, Any]:
    """Return the inputs and rulings a file gives for a question; rulings may stand under [rulings]."""
    data, text = read_toml(path)
    of_inputs = {field.name: field for field in fields(question.inputs)}
    of_rulings = {field.name: field for field in fields(ruleset.rulings)}
    known = {**of_rulings, **of_inputs}
    under = data.pop("rulings", {}) if "rulings" not in of_inputs else {}
    if not isinstance(under, dict):
        raise BadInput.of("rulings", "must be a table: [rulings]", source=_at(path, text, "rulings"))
    values: dict[str, Any] = {}
    for key, value in [*data.items(), *under.items()]:
        name = key.replace("-", "_")
        if name == "preset":
            values[name] = value
            continue
        if name not in known:
            hint = ruleset.instead_of(question, name)
            raise UnknownInput(question.name, key, hint, source=_at(path, text, key))
        if known[name].kind == "many" and question.fill is not None:  # a profile's name will do
            with tell_line(path, text):
                value = question.filled({name: value}, ruleset.book)[name]
        values[name] = _value(known[name], key, value, path, text)
    return values


def _value(field: Field, key: str, value: Any, path: str, text: str) -> Any:
    try:
        return parse_value(field, value)
    except BadInput as error:
        raise placed(error, path, text, key) from None


@contextmanager
def tell_line(path: str, text: str) -> Iterator[None]:
    """Add the file and, if it can be found, the line to any error in this block."""
    try:
        yield
    except UnknownName as error:
        lines = text.splitlines()
        line = next((at for at, line_text in enumerate(lines, 1) if error.name and error.name in line_text), None)
        raise BadInput(error.message, field=error.field, source=f"{path}, line {line}" if line else path) from error
    except BadInput as error:
        raise placed(error, path, text) from error


def placed(error: BadInput, path: str, text: str, key: str = "") -> BadInput:
    """Return the misfit with the file and the line of the entry and key that it names."""
    entries = parts_of(error.source)
    line = find_line(text, entries, error.field if entries else key or error.field)
    message = f"{error.source}: {error.message}" if error.source else error.message
    return BadInput(message, field=error.field, source=f"{path}, line {line}" if line else path)


def _at(path: str, text: str, key: str) -> str:
    line = find_line(text, (), key)
    return f"{path}, line {line}" if line else path


def find_line(text: str, entries: Sequence[tuple[str, int]], key: str = "") -> int | None:
    """Return the line of a key inside the n-th [[entry]] of each name; the line of the entry if it has no such key."""
    lines = text.splitlines()
    start = 0  # lines before this one are past
    place: int | None = None
    for name, number in entries:
        head = re.compile(rf"\s*(?:\[\[(?:[^\]]*\.)?\s*{re.escape(name)}\s*\]\]|[\"']?{re.escape(name)}[\"']?\s*=)")
        at = [line for line in range(start, len(lines)) if head.match(lines[line])]
        if at:
            place = at[min(number, len(at)) - 1] + 1
            start = place - 1
    if key:
        own = re.compile(rf"(?:^|[\s{{,\[])[\"']?{re.escape(key)}[\"']?\s*(?:=|\.|\])")
        for line in range(start, len(lines)):
            if place is not None and line >= place and re.match(r"\s*\[", lines[line]):
                break
            if own.search(lines[line].split("#")[0]):
                return line + 1
    return place
