"""The page serves every ruleset, so nothing of it names one: no ruleset, no question, no input, no clause."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import battletape
from battletape import registry

SOURCE = Path(battletape.__file__).parent
FILES = [
    path
    for folder in ("web", "views")
    for path in sorted((SOURCE / folder).rglob("*"))
    if path.suffix in (".py", ".html", ".css", ".js") and "vendor" not in path.parts
]
NAMES = [name for name in registry.names() if name != "toy"]


def test_there_are_files_of_every_kind():
    assert {path.suffix for path in FILES} == {".py", ".html", ".css", ".js"}


@pytest.mark.parametrize("name", NAMES)
def test_no_file_names_a_ruleset_or_one_of_its_clauses(name):
    prefix = re.match(r"[A-Z]+\d*-", next(iter(registry.ruleset(name).clauses)).id)
    assert prefix
    told = re.compile(rf"\b{name}\b|\b{re.escape(prefix[0])}\d")
    assert [path.name for path in FILES if told.search(path.read_text(encoding="utf-8"))] == []
