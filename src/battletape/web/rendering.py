"""Templates and static files: one place that knows where they are."""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from battletape._version import VERSION
from battletape.table.formations import FORMATIONS
from battletape.views.board import STYLE
from battletape.views.chances import decimal_text
from battletape.views.question_text import AS_USUAL, question_line

HERE = Path(__file__).parent
STATIC = HERE / "static"


FORMATION_SIGNS = tuple(
    (
        name,
        {"ranks": "two ranks"}.get(name, name).capitalize(),
        tuple((round(24 + 4.2 * right, 1), round(12 - 4.2 * ahead, 1)) for right, ahead in places(7, 1.35)),
    )
    for name, places in FORMATIONS.items()
)
"""Every formation: its name, its title, and where to draw its dots."""


@lru_cache(1)
def stamp() -> str:
    """Return a short name for this version of the static files, part of their addresses, so that browsers may keep
    them.
    """
    files = sorted(path for path in STATIC.rglob("*") if path.is_file())
    contents = b"".join(file.name.encode() + file.read_bytes() for file in files)
    return sha256(contents + STYLE.encode()).hexdigest()[:10]


def static(path: str) -> str:
    """Return the address of a static file."""
    return f"/static/{stamp()}/{path}"


@lru_cache(1)
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "asked_line": asked_line,
        "static": static,
        "version": VERSION,
        "formations": FORMATION_SIGNS,
    }
    environment.filters |= {
        "part": lambda text: quote(str(text), safe=""),
        "dom": dom_id,
        "figures": figures,
        "ms": milliseconds,
        "decimal": decimal_text,
    }
    return environment


def asked_line(asked: Any) -> str:
    """Return what was asked, in one line; empty if it is what the form suggests."""
    line = question_line(asked.ruleset, asked.question, asked.inputs, asked.rulings)
    return "" if line == AS_USUAL else line


def render(template: str, **shown: Any) -> bytes:
    """Return a template filled in, every value escaped."""
    return _environment().get_template(template).render(**shown).encode()


def milliseconds(number: float) -> str:
    """Return how long something took, as people say it.

    >>> [milliseconds(number) for number in (0.21, 0.96, 9.6, 13.7, 999.6, 1_340, 118_000)]
    ['0.2 ms', '1 ms', '10 ms', '14 ms', '1.0 s', '1.3 s', '118 s']
    """
    unit, many = ("ms", number) if number < 999.5 else ("s", number / 1000)
    whole = many >= 9.5 or (unit == "ms" and many >= 0.95)
    return f"{many:.0f} {unit}" if whole else f"{many:.1f} {unit}" if many >= 0.05 else f"{many:.1g} {unit}"


def dom_id(name: str) -> str:
    """Return the name of an input as an id of the page."""
    return "f-" + name.replace(".", "-").replace("_", "-")


def figures(sentence: str) -> Markup:
    """Return a sentence with its chances set in bold, and no number parted from its unit."""
    sentence = re.sub(r"(?<=\d) (?=(?:m|mm|cm|kg|HP|DMG|OP)\b)", "\N{NO-BREAK SPACE}", sentence)
    parts = re.split(r"([<>]?\d[\d.,]* %)", sentence)
    return Markup("").join(
        Markup("<b>{}</b>").format(part) if at % 2 else escape(part) for at, part in enumerate(parts)
    )
