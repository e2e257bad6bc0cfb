"""Inputs from a TOML file; a misfit names the file, the line and the key."""

from __future__ import annotations

import re
from typing import Any

from battletape.errors import BadInput, nearest
from battletape.inputs import Field, fields, parse_value
from battletape.system import Question, Ruleset


def read_toml(path: str) -> tuple[dict[str, Any], str]:
    """A TOML file as a mapping, with its text; trouble is a sentence that names the file and the line."""
    import tomllib
    from pathlib import Path

    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadInput("there is no such file", source=path) from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"it cannot be read as text: {error}", source=path) from None
    try:
        return tomllib.loads(text), text
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"it wants TOML such as “attacks = 12”: {error}", source=path) from None


def read_inputs(path: str, ruleset: Ruleset, question: Question) -> dict[str, Any]:
    """The inputs and rulings a file gives for a question; rulings may stand under [rulings]."""
    data, text = read_toml(path)
    of_inputs = {one.name: one for one in fields(question.inputs)}
    of_rulings = {one.name: one for one in fields(ruleset.rulings)}
    known = {**of_rulings, **of_inputs}
    under = data.pop("rulings", {}) if "rulings" not in of_inputs else {}
    if not isinstance(under, dict):
        raise BadInput("rulings wants a table: [rulings]", field="rulings", source=_at(path, text, "rulings"))
    values: dict[str, Any] = {}
    for key, value in [*data.items(), *under.items()]:
        name = key.replace("-", "_")
        if name == "preset":
            values[name] = value
            continue
        if name not in known:
            like = nearest(name, known)
            hint = f" Did you mean {like}?" if like else f" It takes {', '.join(of_inputs)}."
            raise BadInput(f"{question.name} has no input {key!r}.{hint}", field=key, source=_at(path, text, key))
        values[name] = _value(known[name], key, value, path, text)
    return values


def _value(field: Field, key: str, value: Any, path: str, text: str) -> Any:
    try:
        return parse_value(field, value)
    except BadInput as error:
        entry = re.search(r"(\d+)$", error.source)
        number = int(entry[1]) if entry else 1
        inner = error.field if error.field != field.name else ""
        message = f"{error.source}: {error.message}" if error.source else error.message
        raise BadInput(message, field=error.field, source=_at(path, text, key, number, inner)) from None


def _at(path: str, text: str, key: str, entry: int = 1, inner: str = "") -> str:
    line = find_line(text, key, entry, inner)
    return f"{path}, line {line}" if line else path


def find_line(text: str, key: str, entry: int = 1, inner: str = "") -> int | None:
    """The line of a key; of its n-th [[entry]], and of a key inside that, where there is one."""
    lines = text.splitlines()
    own = re.compile(rf"\s*(?:\[\[?\s*)?[\"']?{re.escape(key)}[\"']?\s*(?:=|\.|\])")
    found = [at for at, line in enumerate(lines, 1) if own.match(line)]
    if not found:
        return None
    start = found[min(entry, len(found)) - 1]
    if inner:
        holds = re.compile(rf"(?:^|[\s{{,])[\"']?{re.escape(inner)}[\"']?\s*=")
        for at in range(start, len(lines) + 1):
            line = lines[at - 1]
            if at > start and line.lstrip().startswith("["):
                break
            if holds.search(line):
                return at
    return start
