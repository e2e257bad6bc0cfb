"""Every block of code in the README and the docs runs, and gives what is shown below it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from battletape import clauses
from battletape.registry import ruleset
from tests.docs.pages import RUN, SHOWN, Block, blocks, name_of, pages
from tests.docs.session import Session, Shown, commands, reading, simple_command

PAGES = pages()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_block_of_a_page_gives_the_output_shown(page: Path, tmp_path: Path):
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


def test_a_wrong_output_differs_and_costs_do_not_count():
    assert Shown(0, "exact · 5.7 ms\n", "exact · 61 ms\n").holds
    assert Shown(0, "first\n…\nlast\n", "first\nand\nso on\nlast\n").holds
    assert not Shown(0, "2.5 of 5\n", "2.6 of 5\n").holds
    assert not Shown(0, "", "something\n").holds


def test_a_command_may_go_over_several_lines():
    text = "$ bt odds \\\n    --help\nUsage\n$ ls\n"
    assert list(commands(text)) == [(2, "bt odds \\\n    --help", "Usage\n"), (4, "ls", "")]


def test_a_command_runs_here_or_in_a_shell_with_the_same_result(tmp_path: Path):
    line = "bt odds attack_dice attack --attacks 3 --power 6 --armour 5+"
    session = Session(tmp_path)
    words = simple_command(line)
    assert words == line.split()
    assert Shown(0, session._door(words, []), session._shell(line, [])).holds
    help_here, help_there = session._door(["bt", "--help"], []), session._shell("bt --help", [])
    assert help_here == help_there
    assert help_here.startswith("Usage: bt ")


@pytest.mark.parametrize(
    "line", ["bt completion bash | tail -n 1", "cat battle.bt", "bt odds > file", "bt odds --seed $SEED", "ls; bt odds"]
)
def test_a_line_with_shell_signs_runs_in_a_shell(line: str):
    assert simple_command(line) == []


def test_quotes_hide_what_a_shell_would_take():
    assert simple_command('./run roll --answers "7 2; 0 saves" \\\n  --seed 7') == [
        "./run",
        "roll",
        "--answers",
        "7 2; 0 saves",
        "--seed",
        "7",
    ]


def test_modules_and_clauses_of_a_page_are_forgotten_after_it(tmp_path: Path):
    (tmp_path / "duel.py").write_text(
        "import battletape as bt\n\n\n@bt.clause('AD-7', 'DUEL-1')\ndef rule(tape): ...\n"
    )
    assert ruleset("attack_dice").clauses["AD-7"]
    ours = list(clauses.CITED["AD-7"])
    with reading(tmp_path) as session:
        session.play(Block("python", "import duel, battletape as bt\nbt.clause('DUEL-2')(lambda tape: None)\n", 1))
        assert clauses.CITED["AD-7"] == [*ours, "duel.rule"]
        assert {"DUEL-1", "DUEL-2"} <= set(clauses.CITED)
    assert clauses.CITED["AD-7"] == ours
    assert not {"DUEL-1", "DUEL-2"} & set(clauses.CITED)
    assert "duel" not in sys.modules
