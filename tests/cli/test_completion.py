"""Completion in this process: what a shell is offered."""

from __future__ import annotations

from typing import Any

import click
import pytest
from click.shell_completion import ShellComplete

from battletape.cli import main
from battletape.cli.app import app


def offered(*words: str, incomplete: str = "") -> list[Any]:
    return [
        completion.value
        for completion in ShellComplete(app, {}, "battletape", "_BATTLETAPE_COMPLETE").get_completions(
            list(words), incomplete
        )
    ]


@pytest.mark.parametrize(
    ("words", "incomplete", "wanted"),
    [
        ((), "ru", ["rulesets", "rules"]),
        (("battle",), "re", ["redo"]),
        (("odds",), "att", ["attack_dice"]),
        (("odds", "attack_dice", "attack", "--spill"), "", ["spills", "lost"]),
        (("odds", "attack_dice", "attack", "--weapon"), "storm", ["Storm carbine"]),
        (("odds", "toy", "shoot", "--preset"), "", ["brisk"]),
        (("rules",), "att", ["attack_dice"]),
        (("rules", "attack_dice"), "ad-93", ["AD-93"]),
        (("rules", "nobody"), "ad-93", []),
        (("profiles", "attack_dice"), "hill", ["Hill raiders"]),
        (("profiles", "nobody"), "hill", []),
        (("battle", "do"), "att", []),
        (("battle", "do", "attack"), "unit", []),
        (("completion",), "z", ["zsh"]),
    ],
    ids=" ".join,
)
def test_what_begins_so_is_offered(words, incomplete, wanted):
    assert offered(*words, incomplete=incomplete) == wanted


def test_a_battle_offers_its_actions_and_what_they_take(bt):
    bt("battle", "new", "attack_dice")
    bt("battle", "do", "start")
    assert offered("battle", "do", incomplete="e") == ["engage", "embark"]
    assert offered("battle", "do", "engage", incomplete="target=Hill") == ["target=Hill raiders"]


def test_main_answers_a_shell(monkeypatch, capsys):
    monkeypatch.setenv("_BATTLETAPE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "battletape profiles attack_dice Yew")
    monkeypatch.setenv("COMP_CWORD", "3")
    with pytest.raises(SystemExit) as end:
        main([])
    assert end.value.code == 0
    assert "Yew\\ bow" in capsys.readouterr().out


@pytest.mark.parametrize(("raised", "code"), [(KeyboardInterrupt, 130), (click.Abort, 130), (BrokenPipeError, 0)])
def test_interrupts_and_closed_pipes_are_quiet(bt, monkeypatch, raised, code):
    def stop(name: str) -> None:
        raise raised

    monkeypatch.setattr("battletape.registry.ruleset", stop)
    monkeypatch.setattr("battletape.cli.app.os.dup2", lambda *files: None)
    result = bt("rules", "attack_dice", code=code)
    assert result.output == ""


def test_trouble_with_a_file_is_a_sentence(bt, monkeypatch):
    def stop(name: str) -> None:
        raise PermissionError(13, "Permission denied", "clauses.toml")

    monkeypatch.setattr("battletape.registry.ruleset", stop)
    assert (
        bt("rules", "attack_dice", code=2).stderr
        == "clauses.toml: you are not allowed to read it; ask its owner, or give another file\n"
    )
