"""What exists is documented: commands, questions, rulings, public names; and the front pages say what they must."""

from __future__ import annotations

import re
import tomllib
from inspect import ismodule
from typing import Any

import click
import pytest

import battletape
from battletape.answer import Answer, Roll
from battletape.cli.app import app
from battletape.cli.odds import board_options
from battletape.inputs import fields
from battletape.registry import OURS, ruleset
from tests.docs.pages import DOCS, ROOT, blocks, prose
from tests.docs.session import commands

README = (ROOT / "README.md").read_text(encoding="utf-8")
CLI = (DOCS / "cli.md").read_text(encoding="utf-8")
API = (DOCS / "api.md").read_text(encoding="utf-8")


def all_commands() -> list[str]:
    """Every command of the terminal, with its sub-commands; not those made from questions."""
    found = []
    with click.Context(app, info_name="battletape") as ctx:
        for name in app.list_commands(ctx):
            command = app.get_command(ctx, name)
            assert command is not None
            found.append(name)
            if type(command) is not click.Command and name == "battle":
                assert isinstance(command, click.Group)
                found += [f"{name} {sub}" for sub in command.list_commands(ctx)]
    return found


def shown_commands(text: str) -> list[str]:
    """Every command line in the console blocks of a page."""
    return [line for block in blocks(text) if block.language == "console" for _, line, _ in commands(block.text)]


@pytest.mark.parametrize("name", all_commands())
def test_every_command_has_a_heading_and_an_example(name: str):
    assert re.search(rf"^##+ {name}$", CLI, re.MULTILINE), f"docs/cli.md has no heading for {name}"
    examples = [line for line in shown_commands(CLI) if re.search(rf"\bbt {name}\b", line)]
    assert examples, f"docs/cli.md shows no example of bt {name}"


def test_every_command_is_in_the_readme():
    rows = dict(re.findall(r"^\| `\./run (\w+)` \| (.+) \|$", README, re.MULTILINE))
    assert set(rows) == {name for name in all_commands() if " " not in name}
    for name in all_commands():
        command, _, sub = name.partition(" ")
        assert not sub or f"`{sub}`" in rows[command]


@pytest.mark.parametrize("name", OURS)
def test_every_question_is_asked_in_the_commands_page(name: str):
    lines = " ".join(shown_commands(CLI))
    for question in ruleset(name).questions:
        assert f"bt odds {name} {question.name}" in lines


def test_every_option_of_odds_is_explained():
    options = {one for row in re.findall(r"^\| (`--.+?) \|", CLI, re.MULTILINE) for one in re.findall(r"--[\w-]+", row)}
    card = ruleset("attack_dice")
    asked = [*fields(card.question("attack").inputs), *fields(card.rulings)]
    with click.Context(app) as ctx:
        group: Any = app.get_command(ctx, "odds")
        question: Any = group.get_command(ctx, card.name).get_command(ctx, "attack")
        own = {name for param in question.get_params(ctx) for name in param.opts}
    own -= {"--" + one.name.replace("_", "-") for one in asked}
    own |= {name for option in board_options(ruleset("vehicles5").question("ordnance")) for name in option.opts}
    assert own - {"--help"} == options


@pytest.mark.parametrize("name", battletape.__all__)
def test_every_public_name_is_documented_and_works(name: str):
    assert re.search(rf"^`bt\.{name}`\n: \S", API, re.MULTILINE), f"docs/api.md does not describe bt.{name}"
    assert not ismodule(getattr(battletape, name)), f"bt.{name} is a module, not what docs/api.md says"


def test_no_public_name_is_documented_that_does_not_exist():
    assert set(re.findall(r"^`bt\.(\w+)`$", API, re.MULTILINE)) == set(battletape.__all__)


@pytest.mark.parametrize("kind", [battletape.Odds, Answer, Roll, battletape.Battle, battletape.Ruleset])
def test_every_method_of_the_main_types_is_documented(kind: type):
    names = {name for name in dir(kind) if not name.startswith("_")}
    table = prose(API)
    told = set(re.findall(r"[`(. ](\w+)(?=[(`,])", "\n".join(re.findall(r"^\| (.+?) \|", table, re.MULTILINE))))
    unknown = names - told - CARD_FIELDS.get(kind, set())
    assert not unknown, f"docs/api.md does not mention {', '.join(sorted(unknown))} of {kind.__name__}"


CARD_FIELDS: dict[type, set[str]] = {
    battletape.Ruleset: {  # what a ruleset is made with, told in docs/recipes/ruleset.md
        "keywords",
        "memo",
        "name",
        "package",
        "presets",
        "profile_files",
        "profiles",
        "summary",
        "title",
    }
}


def test_the_first_screen_of_the_readme_has_commands_picture_and_example():
    screen = "\n".join(README.split("\n")[:50])
    assert "./run" in screen
    assert "./test" in screen
    assert "Unofficial" in screen
    assert "![The page](docs/pictures/page.png)" in screen
    assert "Destroyed 14 %, immobilised or worse 26 %; 2.7 hits expected." in screen
    assert re.search(r"to hit on a D6 +3\+ +2/3", screen)  # what every player expects
    assert len(README.split("\n")) <= 160


def test_the_readme_names_no_command_that_is_not_there_after_run():
    typed = [line.split()[0] for line in shown_commands(README)]
    typed += [line.split()[0] for block in blocks(README) if block.language == "sh" for line in block.text.splitlines()]
    assert set(typed) <= {"./run", "./test"}


def test_the_readme_states_coverage_as_the_clauses_do():
    rows = re.findall(r"^\| `(\w+)` \| .+ \| (\d+) \| (.+) \|$", README, re.MULTILINE)
    for name, clauses, state in rows:
        assert state.startswith("complete") == (name in OURS)
        if name in OURS:
            known = ruleset(name).clauses
            assert int(clauses) == len(known)
            left = {one.topic for one in known if one.status != "done"}
            assert state == ("complete" if not left else f"complete but for {' and '.join(sorted(left)).lower()}")
    assert {name for name, _, _ in rows} >= set(OURS)


def test_the_changelog_has_the_version():
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "## [Unreleased]" in changes
    version, in_work, _ = battletape.__version__.partition(".dev")
    assert (f"## [{version}] - " in changes) is not bool(in_work)


def test_the_package_shows_its_readme():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["readme"] == "README.md"
