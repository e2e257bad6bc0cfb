"""Start-up: what takes long to import is imported only by those who need it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {
    "numpy",
    "asyncio",
    "tomli_w",
    "importlib.resources",
    "importlib.metadata",
    "multiprocessing",
    "sqlite3",
    "icepool",
    "dyce",
    "pytest",
    "battletape.conformance",
    "typst",
    "pypdf",
    "battletape.sheets.typeset",
}
SHOWING = {"rich", "pygments"}
RULES = {
    "msgspec",
    "tomllib",
    "battletape.system",
    "battletape.rulesets",
    "battletape.registry",
    "battletape.tape.exact",
}
TELL = "import json, sys; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
COMMAND = """
from battletape.cli import main
try:
    main({args!r})
except SystemExit as end:
    assert not end.code, end.code
"""


def modules_after(code: str) -> tuple[set[str], str]:
    """What is imported by some code, and what it prints."""
    done = subprocess.run([sys.executable, "-c", f"{code}\n{TELL}"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stderr.splitlines()[-1])), done.stdout


@pytest.fixture(scope="module")
def bare() -> set[str]:
    """What an interpreter imports by itself."""
    modules, _ = modules_after("pass")
    return modules


def test_importing_the_package_imports_next_to_nothing(bare):
    modules, _ = modules_after("import battletape")
    assert (modules - bare) & (HEAVY | SHOWING | RULES | {"click", "random", "inspect", "dataclasses"}) == set()
    assert {name for name in modules if name.startswith("battletape")} == {"battletape", "battletape._version"}


def test_a_question_is_worked_out_without_luck_or_screen(bare):
    modules, said = modules_after("import battletape as bt\nprint(bt.ruleset('attack_dice').ask('attack'))")
    assert said.strip().endswith(".")
    assert (modules - bare) & (HEAVY | SHOWING | {"click", "random"}) == set()
    assert not {name for name in modules if name.startswith(("battletape.cli", "battletape.battle"))}


def test_only_floats_import_numpy(bare):
    fold = "Exact(floats=True).run([lambda t, s: t.each(lambda t, s, i: t.roll(D6, label='x'), s, (1, 1))], 1)"
    modules, _ = modules_after(f"from battletape import Exact, D6\n{fold}")
    assert "numpy" in modules - bare


@pytest.mark.parametrize("args", [["--help"], ["--version"]])
def test_help_imports_neither_rules_nor_screen(bare, args):
    modules, said = modules_after(COMMAND.format(args=args))
    assert "battletape" in said.lower()
    assert (modules - bare) & (HEAVY | SHOWING | RULES | {"random"}) == set()


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_asking_odds_imports_no_heavy_package(bare, more):
    modules, said = modules_after(COMMAND.format(args=["odds", "attack_dice", "attack", *more]))
    assert said
    assert (modules - bare) & (HEAVY | {"random"}) == set()
    assert not {name for name in modules if name.startswith("battletape.battle.")}
