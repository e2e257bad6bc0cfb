"""TOML: what players write, read in a time that grows with its length and no faster; and a ruleset's own tables."""

from __future__ import annotations

import re
from typing import Any, TypeVar

from battletape.errors import BadInput, BattletapeError

T = TypeVar("T")
MOST_PARTS = 8
"""How many parts a name with dots may have."""
MOST_DIGITS = 300
"""How many digits a number may have."""
MOST_BRACKETS = 50
"""How many lists may begin in a row."""
LONGEST_REASON = 200

# comments, multi-line strings, strings, endless numbers, brackets within brackets, and what stands between names
_MARKS = re.compile(
    rf"""(?s)#[^\n]*+|\"{{3}}[^"\\]*+(?:(?:\\.?|"(?!""))[^"\\]*+)*(?:\"{{3}}|\Z)|'{{3}}.*?(?:'{{3}}|\Z)"""
    rf"""|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*"?|'[^'\n]*+'?|[0-9_]{{{MOST_DIGITS}}}|0[box][0-9A-Fa-f_]{{{MOST_DIGITS}}}"""
    rf"""|(?:\[\s*+){{{MOST_BRACKETS}}}|[][{{}}.,=\n]"""
)


class TomlFault(BadInput):
    """A text that is not TOML, or too much of it: why, and in which line (0 if it may be any)."""

    def __init__(self, why: str, line: int = 0, *, place: str = "", malformed: bool = True) -> None:
        super().__init__(why + place)
        self.why, self.line = why, line
        self.malformed = malformed  # and not merely more than we read


def parse_toml(text: str) -> dict[str, Any]:
    """Return the tables and values of a text; raises TomlFault."""
    import tomllib  # here, because most questions are answered without a file

    _check_size(text)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise TomlFault("lists in lists go too deep here", malformed=False) from None
    except ValueError as error:  # tomllib.TOMLDecodeError
        why, at, place = str(error).rpartition(" (at ")
        why = why if at else str(error)
        line = re.match(r"line ([0-9]+), column [0-9]+\)", place)
        last = text.count("\n") + 1 if place == "end of document)" else 0
        shown = why if len(why) <= LONGEST_REASON else why[: LONGEST_REASON - 1] + "…"
        raise TomlFault(shown, int(line[1]) if line else last, place=at + place) from None


def read_tables(package: str, name: str, kind: type[T]) -> T:
    """Return the tables in a TOML file of a ruleset's package, as a record of this kind."""
    from pkgutil import get_data  # importlib.resources takes 9 ms more to import

    from msgspec import ValidationError, convert

    try:
        found = get_data(package, f"{name}.toml")
        if found is None:
            raise TomlFault("it is in no package; does its folder have an __init__.py?")
        return convert(parse_toml(found.decode()), kind, str_keys=True)
    except (OSError, TomlFault, ValidationError) as error:
        raise BattletapeError(f"{package}: {name}.toml: {error}") from error


def _check_size(text: str) -> None:
    """Refuse what Python's own reader would take minutes or gigabytes over."""
    line, dots = 1, 0
    for mark in _MARKS.finditer(text):
        token = mark[0]
        if token == ".":
            dots += 1
            if dots >= MOST_PARTS:
                raise TomlFault(f"a name with dots may have at most {MOST_PARTS} parts", line, malformed=False)
        elif token[0] == "[" and len(token) > 1:  # how deep Python itself can read is not the same everywhere
            raise TomlFault("lists in lists go too deep here", malformed=False)
        elif token[0] in "0123456789_":
            raise TomlFault("a number has hundreds of digits", line, place=f" (at line {line})")
        elif token[0] not in "#\"'":
            dots = 0
        line += token.count("\n")
