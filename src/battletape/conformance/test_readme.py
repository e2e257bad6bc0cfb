"""The README of a ruleset says what is covered and what is not, and names what a player can ask, do and decide."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from battletape.conformance.plugin import fail_if
from battletape.conformance.subjects import Subject
from battletape.inputs import Field, fields
from battletape.system import Ruleset

LONGEST = 140
"""Characters in a line of prose. Rows of tables, entries of lists and code may be longer."""


@pytest.fixture
def text(subject: Subject) -> str:
    """Return the README; a small ruleset may do without, and has nothing to fail in."""
    path = home(subject.ruleset) / "README.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def test_the_readme_says_what_is_covered_and_what_is_not(text: str) -> None:
    if not text:
        return
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    covered = [heading for heading in headings if "covered" in heading and "not covered" not in heading]
    problems = [] if covered else ["README.md: no heading says “What is covered”."]
    if not any("not covered" in heading for heading in headings):
        problems.append("README.md: no heading says “What is not covered”.")
    fail_if(problems)


def test_the_readme_names_every_question_action_ruling_and_preset(subject: Subject, text: str) -> None:
    ruleset = subject.ruleset
    if not text:
        return
    named = {
        "question": [question.name for question in ruleset.questions],
        "action": [action.name for action in ruleset.battle_rules.actions] if ruleset.battle_rules else [],
        "ruling": [ruling.name for ruling in fields(ruleset.rulings)],
    }
    presets = [preset for preset in ruleset.presets if not re.search(rf"\b{preset}\b", text)]
    fail_if(
        [
            *(
                f"README.md: name the {kind} `{name}`."
                for kind in named
                for name in named[kind]
                if f"`{name}`" not in text
            ),
            *(f"README.md: name the preset {preset}." for preset in presets),
        ]
    )


def test_the_readme_tells_every_ruling_as_it_is(subject: Subject, text: str) -> None:
    """Where a table has a row for it: title, clause, values and what they mean, the default first."""
    fail_if(
        problem
        for ruling in fields(subject.ruleset.rulings)
        for head, row in rows_of(text, ruling.name)
        for problem in untrue(subject.ruleset, ruling, head, row)
    )


def test_the_readme_names_files_that_are_there(subject: Subject, text: str) -> None:
    """A path counts if it begins with a folder of the package."""
    place = home(subject.ruleset)
    folders = {path.name for path in place.iterdir() if path.is_dir()}
    paths = [path for path in re.findall(r"`([\w./*]+)`", text) if path.partition("/")[0] in folders and "/" in path]
    fail_if(
        f"README.md names {path}; there is no such file." for path in paths if not any(place.glob(path.rstrip("/")))
    )


def test_the_python_in_the_readme_prints_what_its_comments_say(text: str) -> None:
    printed, names = io.StringIO(), dict[str, Any]()
    code = "".join(re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    with redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), names)
    comments = re.findall(r"^# (.*)$", code, re.MULTILINE)
    lines = printed.getvalue().splitlines()
    fail_if(f"README.md: the code does not print “{line}”." for line in comments if line not in lines)


def test_no_line_of_the_readme_is_endless(text: str) -> None:
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    long = [line for line in prose.splitlines() if len(line) > LONGEST and not line.startswith(("|", "- "))]
    fail_if(f"README.md: break this line before {LONGEST} characters: {line[:60]}…" for line in long)


def home(ruleset: Ruleset) -> Path:
    """Return the folder of the package."""
    return Path(import_module(ruleset.package).__path__[0])


def rows_of(text: str, name: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the rows of tables that begin with this name in backticks, each with the head of its table."""
    head: list[str] = []
    previous = ""
    for line in text.splitlines():
        if line.startswith("|"):
            head = head if previous.startswith("|") else cells(line)
            if re.match(rf"\| `{name}`", line):
                yield head, cells(line)
        previous = line


def cells(line: str) -> list[str]:
    """Return the cells of a row."""
    return [cell.strip() for cell in line.strip().strip("|").split(" | ")]


def untrue(ruleset: Ruleset, ruling: Field, head: list[str], row: list[str]) -> Iterator[str]:
    """Say what a row should say, and does not."""
    cells = " | ".join(row)
    missing = [text for text in (ruling.title, ruling.clause) if text not in cells]
    where = []
    for value, words in ruling.alternatives:
        at = re.search(rf"(?<!\w){re.escape(value)}`?(: | \(){re.escape(words)}", cells)
        missing += [] if at else [f"{value}: {words}"]
        where += [(at.start(), value)] if at else []
    if missing:
        yield f"README.md, `{ruling.name}`: the row does not say {'; '.join(missing)}."
    default = ruling.show(ruling.default)
    if default in (value for _, value in where) and min(where)[1] != default:
        yield f"README.md, `{ruling.name}`: {default} is the default, and stands first."
    for title, cell in zip(head, row, strict=False):
        preset = title.strip("`")
        if preset in ruleset.presets:
            value = ruleset.presets[preset].get(ruling.name, ruling.default)
            wanted = ("=", default) if value == ruling.default else (ruling.show(value),)
            if cell.strip("*").split(":")[0] not in wanted:
                yield f"README.md, `{ruling.name}`: with the preset {preset} it is {wanted[0]}, not {cell}."
