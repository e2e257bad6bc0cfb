"""The golden files: read, run, written."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from click.testing import CliRunner

from battletape import registry
from battletape.cli.app import app
from battletape.cli.asking import option_text
from battletape.system import Question

HOME = Path(__file__).parent
ALWAYS = ("odds", "rolls")
"""Files of every ruleset, as every question has an example."""
KINDS = (*ALWAYS, "headlines")
PROMPT = "$ bt "
SEED = "--seed 3"


def golden_file(ruleset: str, kind: str) -> Path:
    """Return the file of a ruleset."""
    return HOME / f"{ruleset}.{kind}.txt"


def read_commands(path: Path) -> list[str]:
    """Return the commands in a file."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [line.removeprefix(PROMPT) for line in lines if line.startswith(PROMPT)]


def examples(ruleset: str, kind: str) -> Iterator[str]:
    """Yield the commands that ask the example of every question."""
    for question in registry.ruleset(ruleset).questions:
        if kind == "odds":
            yield f"odds {asked(ruleset, question)}"
        if kind == "rolls":
            yield f"roll {asked(ruleset, question)} {SEED}"


def asked(ruleset: str, question: Question) -> str:
    """Return ruleset, question and its example as options."""
    return f"{ruleset} {question.name} {option_text(question.example).strip()}".strip()


def commands_of(ruleset: str, kind: str) -> list[str]:
    """Return the examples, and then what else the file asks."""
    known = list(examples(ruleset, kind))
    further = [command for command in read_commands(golden_file(ruleset, kind)) if command not in known]
    return known + [command for command in further if not is_old_example(command, ruleset, kind)]


def is_old_example(command: str, ruleset: str, kind: str) -> bool:
    """Return whether a command is an example as it was before: seeds are for examples alone."""
    return kind == "odds" or (kind == "rolls" and command.endswith(SEED))


def text_of(ruleset: str, kind: str) -> str:
    """Return what the file should say."""
    return "\n".join(f"{PROMPT}{command}\n{printed(command, kind)}" for command in commands_of(ruleset, kind))


def printed(command: str, kind: str) -> str:
    """Return what a command prints, without what it cost."""
    words = shlex.split(command)
    words += ["--json"] if kind == "headlines" else []
    result = CliRunner().invoke(app, words, prog_name="battletape", env={"COLUMNS": "100", "NO_COLOR": "1"})
    assert result.exit_code == 0, f"bt {command}\n{result.output}"
    if kind == "headlines":
        return f"{json.loads(result.stdout)['headline']}\n"
    return "".join(f"{line}\n" for line in without_costs(result.stdout.splitlines()))


def without_costs(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines, without how much was computed and how long it took, and without blanks at their ends."""
    for line in lines:
        yield (line.partition(" · ")[0] if line.startswith("Computed") else line).rstrip()
