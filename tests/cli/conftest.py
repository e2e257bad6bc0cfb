"""The command line in the same process, in a folder of its own, with the toy ruleset known by name."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from battletape import registry
from battletape.cli.app import app
from tests.toy import RULESET

Bt = Callable[..., Result]
ATTACK = ("attack_dice", "attack", "--attacks", "12", "--power", "6", "--defence", "4", "--armour", "5+", "--hp", "2")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("NO_COLOR", "FORCE_COLOR", "BATTLETAPE_ASCII", "BATTLETAPE_DEBUG", "BATTLETAPE_FILE", "TERM"):
        monkeypatch.delenv(name, raising=False)
    before = registry._known.get("toy")
    registry.register(RULESET, replace=True)
    yield
    registry._known.pop("toy")
    if before is not None:
        registry.register(before, replace=True)


@pytest.fixture
def bt() -> Bt:
    """Run a command: `bt("odds", "attack_dice", ...)`; `code` is the exit code it must end with."""

    def run(*args: str, code: int = 0, input: str | None = None, **env: str) -> Result:
        result = CliRunner().invoke(app, list(args), input=input, env={**os.environ, **env}, prog_name="battletape")
        assert result.exit_code == code, f"{result.exit_code}: {result.output}"
        return result

    return run


@pytest.fixture
def bt_json(bt: Bt) -> Callable[..., Any]:
    """Run a command with --json and read what it prints."""

    def run(*args: str, **more: Any) -> Any:
        return json.loads(bt(*args, "--json", **more).stdout)

    return run
