"""The pages of the project, and the blocks of code in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GENERATED = DOCS / "rulesets"  # made by docs/generate.py at every build
FRONT = tuple(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))
RUN = ("python", "pycon", "console")
SHOWN = ("", "text", "sh", "toml", "{toctree}", "{include}")

_FENCE = re.compile(r"^(?P<ticks>`{3,})(?P<info>.*)$")
_FILE = re.compile(r"^<!-- file: (?P<name>[\w./-]+) -->$")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the line its text begins on, and the file it is saved as, if any."""

    language: str
    text: str
    line: int
    file: str = ""


def pages() -> list[Path]:
    """Every page that is written by hand."""
    written = sorted(path for path in DOCS.rglob("*.md") if not path.is_relative_to(GENERATED))
    return [*FRONT, *(path for path in written if "_build" not in path.parts)]


def name_of(page: Path) -> str:
    """A page as messages and test ids name it."""
    return page.relative_to(ROOT).as_posix()


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        fence = _FENCE.match(lines[at])
        if fence is None:
            at += 1
            continue
        end = next(n for n in range(at + 1, len(lines)) if lines[n].rstrip() == fence["ticks"])
        above = _FILE.match(lines[at - 1]) if at else None
        body = "".join(f"{line}\n" for line in lines[at + 1 : end])
        language = fence["info"].strip().partition(" ")[0]
        yield Block(language, body, at + 2, above["name"] if above else "")
        at = end + 1


def prose(text: str) -> str:
    """A page without its fenced blocks."""
    lines = text.split("\n")
    for block in blocks(text):
        for number in range(block.line - 2, block.line + block.text.count("\n")):
            lines[number] = ""
    return "\n".join(lines)
