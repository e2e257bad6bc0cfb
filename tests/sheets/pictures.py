"""`python -m tests.sheets.pictures`: make the pictures of docs/print.md anew, by the commands that the page shows."""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner

from battletape.cli.app import app
from tests.docs.pages import DOCS, blocks
from tests.docs.session import commands

PAGE = DOCS / "print.md"
PLACE = DOCS / "_static" / "print"


def lines() -> Iterator[list[str]]:
    """The words of every command of the page, without where its output goes."""
    for block in blocks(PAGE.read_text(encoding="utf-8")):
        if block.language == "console":
            for _, line, _ in commands(block.text):
                yield shlex.split(line.partition(" > ")[0])[1:]


def make(folder: Path) -> dict[str, bytes]:
    """Run the page in a folder; the pictures that come of it, by name."""
    with chdir(folder):
        for words in lines():
            done = CliRunner().invoke(app, words, env={**os.environ, "COLUMNS": "80"}, prog_name="battletape")
            assert done.exit_code == 0, f"{' '.join(words)}: {done.output}"
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.png"))}


if __name__ == "__main__":
    PLACE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        for name, picture in make(Path(place)).items():
            (PLACE / name).write_bytes(picture)
            print(f"{name}: {len(picture):,} bytes")
