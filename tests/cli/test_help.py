"""Every command explains itself with an example that runs, and speaks JSON."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import click
import pytest

from battletape.cli.app import app


def commands(
    group: click.Group, path: tuple[str, ...] = (), above: click.Context | None = None
) -> Iterator[tuple[str, ...]]:
    """Every command below a group, by its words."""
    ctx = click.Context(group, info_name="battletape", parent=above)
    for name in group.list_commands(ctx):
        if name == "toy":  # known in some tests only
            continue
        found = group.get_command(ctx, name)
        assert found is not None
        yield (*path, name)
        if isinstance(found, click.Group):
            yield from commands(found, (*path, name), click.Context(found, info_name=name, parent=ctx))


ALL = sorted(set(commands(app)) - {("serve",)})  # it does not end by itself; tests/web runs it
GROUPS = {path[:-1] for path in ALL}


@pytest.mark.parametrize("path", [(), *ALL], ids=" ".join)
def test_help_has_an_example_that_runs(bt, path):
    text = bt(*path, "--help").stdout
    examples = [line.split("$ ", 1)[1] for line in text.splitlines() if line.strip().startswith("$ ")]
    assert examples or len(path) == 2
    if path[:1] == ("battle",) and path != ("battle",) and path[1] != "new":
        bt("battle", "new", "attack_dice")
        if path[1] not in ("check", "export"):
            bt("battle", "do", "start")
    if path == ("print",):
        bt("battle", "new", "attack_dice")
    if path == ("battle", "undo"):
        bt("battle", "do", "lose_hp", "unit=Hill raiders")
    if path == ("battle", "redo"):
        bt("battle", "do", "lose_hp", "unit=Hill raiders")
        bt("battle", "undo")
    if path == ("battle", "do"):
        bt("battle", "undo")
    for example in examples:
        words = shlex.split(example)
        assert words[0] == "battletape"
        bt(*words[1:])


@pytest.mark.parametrize("path", [path for path in ALL if path not in GROUPS and path[-1] != "play"], ids=" ".join)
def test_every_command_speaks_json(bt, path):
    assert "--json" in bt(*path, "--help").stdout


def test_the_lists_of_commands_tell_what_they_do(bt):
    assert "The exact odds of a question" in bt("--help").stdout
    assert "Take the last move back." in bt("battle").stdout
    assert bt().stdout == bt("--help").stdout


def test_the_version_is_told(bt):
    from battletape import __version__

    assert bt("--version").stdout == f"battletape {__version__}\n"
