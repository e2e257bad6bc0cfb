"""Every block of code in the README and the docs runs, and gives what is shown below it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import RUN, SHOWN, blocks, name_of, pages
from tests.docs.session import Shown, commands, reading

PAGES = pages()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_what_a_page_shows_is_true(page: Path, tmp_path: Path):
    wrong = []
    with reading(tmp_path) as session:
        for block in blocks(page.read_text(encoding="utf-8")):
            wrong += [
                f"{name_of(page)} line {block.line + one.line}: shows\n{one.want}\nbut it gives\n{one.got}"
                for one in session.play(block)
                if not one.holds
            ]
    assert not wrong, "\n".join([*wrong, "python -m tests.docs writes the true output into the pages"])


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_block_escapes_by_its_language(page: Path):
    found = {block.language for block in blocks(page.read_text(encoding="utf-8"))}
    assert found <= {*RUN, *SHOWN}


def test_the_pages_have_examples_of_each_kind():
    found = [block.language for page in PAGES for block in blocks(page.read_text(encoding="utf-8"))]
    assert {language: found.count(language) >= 10 for language in RUN} == dict.fromkeys(RUN, True)


def test_a_wrong_output_is_told_from_a_right_one():
    assert Shown(0, "exact · 5.7 ms\n", "exact · 61 ms\n").holds
    assert Shown(0, "first\n…\nlast\n", "first\nand\nso on\nlast\n").holds
    assert not Shown(0, "2.5 of 5\n", "2.6 of 5\n").holds
    assert not Shown(0, "", "something\n").holds


def test_a_command_may_go_over_several_lines():
    text = "$ bt odds \\\n    --help\nUsage\n$ ls\n"
    assert list(commands(text)) == [(2, "bt odds \\\n    --help", "Usage\n"), (4, "ls", "")]
