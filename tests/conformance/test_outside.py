"""The conformance tests are run on a ruleset from outside, sound and broken, as its author would run them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import battletape
from battletape.conformance.__main__ import main
from battletape.conformance.subjects import find_subjects
from battletape.errors import BattletapeError

TOY = Path(__file__).parents[1] / "toy"
SOURCE = Path(battletape.__file__).parents[1]
EXAMPLE = 'example={"dice": 4,'
LENS = f"lens=lambda asked: ((Shot, lambda shot: structs.replace(shot, lost=0)),), {EXAMPLE}"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """The toy as a package of somebody else, in a folder with nothing of ours; its tests beside it."""
    package = tmp_path / "their_toy"
    shutil.copytree(TOY, package, ignore=shutil.ignore_patterns("__pycache__", "starts.toml"))
    for path in package.glob("*.py"):
        path.write_text(path.read_text(encoding="utf-8").replace("tests.toy", "their_toy"), encoding="utf-8")
    starts = (TOY / "starts.toml").read_text(encoding="utf-8")
    own = f'seen = "seen.py"\n{starts[starts.index("[three.start]") :]}'
    (tmp_path / "starts.toml").write_text(own, encoding="utf-8")
    seen = (TOY.parent / "conformance" / "toy_seen.py").read_text(encoding="utf-8")
    (tmp_path / "seen.py").write_text(seen.replace("tests.toy", "their_toy"), encoding="utf-8")
    return tmp_path


def conformance(folder: Path, *args: str, ruleset: str = "their_toy:RULESET") -> tuple[int, str]:
    """Run the tests in a folder; how they end, and what they say."""
    command = [sys.executable, "-m", "battletape.conformance", "-q", "-p", "no:cacheprovider", "--ruleset", ruleset]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "SLIPCOVER_"))}
    environment["PYTHONPATH"] = str(SOURCE)
    done = subprocess.run([*command, *args], cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


def spoil(folder: Path, file: str, *changes: tuple[str, str]) -> None:
    """Write something else into a file of the toy."""
    path = folder / "their_toy" / file
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")


def test_a_sound_ruleset_passes_every_check(outside: Path):
    pinned = outside / "counts.perft"
    given = ("--starts", "starts.toml", "--tests", "their_toy", "--counts", str(pinned))
    status, said = conformance(outside, *given, "--write-counts")
    assert status == 0, said
    assert "skipped" not in said
    assert "their_toy" not in pinned.read_text(encoding="utf-8")
    assert "toy shoot\n    take_aim " in pinned.read_text(encoding="utf-8")


@pytest.mark.parametrize(("chosen", "written"), [("pinned and toy", True), ("random_number", False)])
def test_counts_are_written_for_a_chosen_ruleset_or_it_says_that_they_are_not(
    outside: Path, chosen: str, written: bool
):
    pinned = outside / "counts.perft"
    _, said = conformance(outside, "-k", chosen, "--counts", str(pinned), "--write-counts")
    assert pinned.exists() is written
    assert ("--write-counts wrote nothing" in said) is not written


def test_a_broken_ruleset_fails_with_a_sentence(outside: Path):
    spoil(
        outside,
        "attack.py",
        ("from battletape.rulebook", "from random import random\nfrom battletape.rulebook"),
    )
    spoil(outside, "attack.py", ("hits=hits)", "hits=hits + (random() < 0.2))"), ('@clause("TOY-8")\n', ""))
    spoil(
        outside,
        "questions.py",
        ("from battletape.cards", "from msgspec import structs\nfrom battletape.cards"),
        (EXAMPLE, LENS),
    )
    status, said = conformance(outside, "-k", "random_number or rules_are_pure or cited_by_code or without_its_lens")
    assert status == 1, said
    assert "A rule draws a random number of its own; let it ask the tape." in said
    assert "their_toy.attack, line 5: imports from random; a rule asks its tape" in said
    assert 'TOY-8 (Nerve) is done, and no code cites it; put @clause("TOY-8") on the function that does it' in said
    assert "the lens changes lost: 0 has the chance 1 with it and " in said
    assert "Traceback" not in said


def test_an_option_that_names_nothing_is_reported_once(outside: Path):
    status, said = conformance(outside, "--starts", "none.toml")
    assert (status, said.strip()) == (4, f"ERROR: --starts {outside / 'none.toml'}: there is no such file.")


def test_an_option_plays_that_is_no_number_is_refused(outside: Path):
    status, said = conformance(outside, "--plays=-1")
    assert (status, said.strip()) == (
        4,
        "ERROR: --plays (or conformance_plays) must be a whole number from 0; got '-1'.",
    )


@pytest.mark.parametrize(
    "names, starts, tests, sentence",
    [
        ([], "", [], "Which ruleset? Say --ruleset PACKAGE, such as my_game, or --ruleset module:NAME."),
        (["nowhere"], "", [], "there is no ruleset 'nowhere'. Known: "),
        (["nowhere:RULESET"], "", [], "No module named 'nowhere'; is it installed, or in the folder you are in?"),
        (["tests"], "", [], "module 'tests' has no attribute 'RULESET'."),
        (["tests.toy:GONE"], "", [], "module 'tests.toy' has no attribute 'GONE'."),
        (["tests.toy:BATTLE"], "", [], "this is a BattleRules; it should be a Ruleset."),
        (["tests.toy:RULESET"], "", ["nowhere"], "--tests nowhere: there is no such folder."),
        (["tests.toy:RULESET"], "battles = 3", [], "A file of starts has a table for each, with `start`"),
        (["tests.toy:RULESET"], "[three]\nbegin = 1", [], "A file of starts has a table for each, with `start`"),
        (["tests.toy:RULESET"], "[three]\nstart = {}\nmoves = [{ unit = 'Ash' }]", [], "A move names its action"),
        (["tests.toy:RULESET"], "[three", [], "this is no TOML"),
        (["tests.toy:RULESET", "attack_dice"], "battles = []", [], 'say whose starts these are: ruleset = "NAME".'),
    ],
)
def test_a_ruleset_that_cannot_be_tested_is_refused_with_a_sentence(tmp_path: Path, names, starts, tests, sentence):
    file = tmp_path / "starts.toml"
    file.write_text(starts, encoding="utf-8")
    with pytest.raises(BattletapeError, match=re.escape(sentence)):
        find_subjects(names, [file], [Path(folder) for folder in tests])


def test_starts_belong_to_the_ruleset_they_name_or_to_the_only_one(tmp_path: Path):
    file = tmp_path / "starts.toml"
    file.write_text('battles = ["a.battle"]\n[one]\nstart = {}\n', encoding="utf-8")
    (toy,) = find_subjects(["tests.toy"], [file], [])
    assert (list(toy.starts), toy.played) == (["one"], (tmp_path / "a.battle",))
    file.write_text('ruleset = "attack_dice"\n[one]\nstart = {}\n', encoding="utf-8")
    attack_dice, toy = find_subjects(["attack_dice", "tests.toy:RULESET"], [file], [])
    assert (list(attack_dice.starts), list(toy.starts)) == (["one"], [])
    (toy,) = find_subjects(["tests.toy:RULESET"], [file], [])
    assert list(toy.starts) == []


def test_without_pytest_the_command_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setitem(sys.modules, "pytest", None)
    assert main(["--ruleset", "toy"]) == 2
    assert capsys.readouterr().err == "The conformance tests need pytest: pip install pytest\n"
