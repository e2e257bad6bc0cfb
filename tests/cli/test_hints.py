"""Commands that we print: each runs as it is printed, on one line, in round numbers."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from shutil import copy

import pytest
from msgspec.structs import replace

from battletape import registry
from battletape.answer import _set_up
from battletape.cli.asking import example_line
from battletape.errors import BattletapeError

OWN = '[[weapon]]\nname = "Salt lance"\nstrength = 9\nap = "2"\nrange = 24\n'


def commands(text: str) -> list[str]:
    """The commands in a text, each to the end of its line."""
    return re.findall(r"\bbattletape (?!battle 1)(.*)", text)


class Reached(BattletapeError):
    """The question was read and set up; working it out would take longer."""


@pytest.fixture
def run(bt, monkeypatch):
    """Run a printed command; odds are not worked out, only set up."""

    def set_up(ruleset, question, given, own):
        _set_up(ruleset, question, given)
        raise Reached("reached")

    def run(command: str) -> None:
        words = shlex.split(command)
        asked = words[0] == "odds" and "--help" not in words
        result = bt(*words, code=2 if asked else 0)
        assert not asked or result.stderr == "reached\n", f"{command}: {result.stderr}"

    monkeypatch.setattr("battletape.cli.odds.work_out", set_up)
    return run


@pytest.mark.parametrize("name", registry.OURS)
def test_every_use_of_a_profile(bt, run, name):
    book, without = registry.ruleset(name).book, []
    for kind, entries in book.entries.items():
        for profile in entries:
            hints = [line for line in bt("profiles", name, profile).stdout.splitlines() if "Use it: " in line]
            without += [] if hints else [kind]
            for hint in hints:
                (command,) = commands(hint)
                assert profile in command
                run(command)
    assert set(without) <= {"template"}


def test_what_is_worn_or_loaded_has_a_use_too(bt, run):
    for name in ("Frag missile", "Astartes Power Armour"):
        (command,) = commands(bt("profiles", "deathwatch", name).stdout)
        run(command)
    assert "--armour" in command


def test_an_example_says_a_list_as_people_do():
    question = registry.ruleset("vehicles5").question("shoot")
    guns = [{"weapon": "Lascannon", "models": 3, "facing": "side"}, {"weapon": "Meltagun"}, {"shots": 2}]
    line = example_line("bt odds vehicles5", replace(question, example={"guns": guns}))
    assert line == "bt odds vehicles5 shoot --guns '3 x Lascannon facing=side' --guns Meltagun --guns 'shots=2'"


def test_a_profile_of_ones_own(bt, run):
    Path("my own.toml").write_text(OWN, encoding="utf-8")
    told = bt("profiles", "vehicles5", "salt", "--file", "my own.toml").stdout
    (command,) = commands(told)
    assert command == "odds vehicles5 shoot --guns 'Salt lance' --profiles 'my own.toml'"
    run(command)
    run(commands(bt("profiles", "vehicles5", "--file", "my own.toml").stdout)[-1])


@pytest.mark.parametrize("asked", ["rulesets", "rulesets vehicles5", "print attack_dice", "profiles deathwatch"])
def test_ways_on(bt, run, asked):
    found = commands(bt(*asked.split()).stdout)
    assert found
    for command in found:
        run(command)


@pytest.mark.parametrize("name", ["vehicles5", "second_edition", "attack_dice"])
def test_suggestions_of_a_battle_can_be_pasted(bt, run, name):
    begun = bt("battle", "new", name, "--file", "now.bt").stdout
    run(commands(begun)[-1])
    if name == "attack_dice":
        bt("battle", "do", "start", "--file", "now.bt")
    told = bt("battle", "do", "--file", "now.bt").stdout
    offered = [line for line in told.splitlines() if line.startswith("  battletape battle do ")]
    assert not re.search(r"\d\.\d{3}|\.0\b", "\n".join(offered))
    assert "unit='Bramble mammoth' target='Hill raiders'" not in "".join(re.findall("embark.*", told))
    copy("now.bt", "then.bt")
    actions = {command.split()[2]: command for command in commands("\n".join(offered))}
    assert len(actions) >= 4
    for command in actions.values():
        copy("then.bt", "now.bt")
        bt(*shlex.split(command), "--seed", "1")


def test_a_battle_elsewhere_is_named_and_the_usual_one_is_not(bt):
    bt("battle", "new", "attack_dice")
    assert "--file" not in bt("battle", "do").stdout
    assert "--file" not in bt("battle", "do", BATTLETAPE_FILE="battle.bt").stdout
    told = bt("battle", "do", "agree", code=2).stderr
    assert re.search(r"; for example:\n  battletape battle do agree \S", told)


def test_commands_begin_with_the_name_we_were_started_by(monkeypatch, capsys):
    from battletape.cli.app import app

    monkeypatch.setenv("BATTLETAPE_CALLED", "./run")
    for args in (["profiles", "attack_dice", "bow"], ["odds", "--help"], []):
        with pytest.raises(SystemExit):
            app.main(args=args)
        said = capsys.readouterr().out
        assert re.search(r"\./run odds (vehicles5 shoot|attack_dice attack)", said)
        assert "battletape odds" not in said
    monkeypatch.setattr("battletape.cli.called", ["battletape"])
