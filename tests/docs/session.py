"""A page played from top to bottom, as a reader would: files saved, prompts typed, commands run."""

from __future__ import annotations

import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import battletape
from battletape import clauses, registry
from battletape.cli import main
from tests.docs.pages import ROOT, Block

# What differs from run to run: times, and the work of that variant which happened to take longest.
_WRAPPED = re.compile(r"(^Computed .*·)\n +(\d[\d.,]* (?:µs|ms|s))$", re.MULTILINE)  # a long time goes to the next line
_TIME = re.compile(r"\b\d[\d.,]* (?:µs|ms|s)\b|exact · .* \(the longest\)")
PROMPT = "  > "
GOLDEN = "tests/diceless40k/golden"
PAGE = "page"  # the module of what is typed at the prompt of a page
_LEFT_OUT = re.compile(r"…|\.\.\.")


@dataclass(frozen=True)
class Shown:
    """One prompt or command: its line in the block, what the page says comes out, and what does."""

    line: int  # of the first line of output, counted from 0 in the block
    want: str
    got: str

    @property
    def holds(self) -> bool:
        """Whether the page is right; times may differ, and … stands for anything."""
        pattern = ".*".join(re.escape(part) for part in _LEFT_OUT.split(_plain(self.want)))
        return re.fullmatch(pattern, _plain(self.got), re.DOTALL) is not None


class Session:
    """The reader of one page: a folder to work in, and the names of its Python prompt."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, Any] = {"__name__": PAGE}
        self.environment = _environment(folder)

    def play(self, block: Block) -> list[Shown]:
        """Save, run or type a block, and give what came out."""
        if GOLDEN in block.text and not (self.folder / GOLDEN).exists():  # a battle of ours, as in a clone
            (self.folder / GOLDEN).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / GOLDEN).symlink_to(ROOT / GOLDEN)
        if block.file:
            place = self.folder / block.file
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(block.text, encoding="utf-8")
            return []
        if block.language == "python":
            return [Shown(block.text.count("\n"), "", self._run(block.text, "exec"))]
        if block.language == "pycon":
            examples = doctest.DocTestParser().get_examples(block.text)
            return [
                Shown(example.lineno + example.source.count("\n"), example.want, self._run(example.source, "single"))
                for example in examples
            ]
        if block.language == "console":
            return [Shown(line, want, self._command(text, want)) for line, text, want in commands(block.text)]
        return []

    def _run(self, source: str, mode: str) -> str:
        """What a piece of Python prints, the traceback of an error shortened as doctest does."""
        said = io.StringIO()
        with redirect_stdout(said):
            try:
                exec(compile(source, "<page>", mode, dont_inherit=True), self.names)
            except Exception as error:
                if mode == "exec":
                    raise
                print("Traceback (most recent call last):\n    ...")
                print("".join(traceback.format_exception_only(error)), end="")
        return said.getvalue()

    def _command(self, text: str, want: str) -> str:
        """What a command prints; what the page types at a prompt is typed, and stands where a terminal shows it."""
        typed = [line.removeprefix(PROMPT) for line in want.splitlines() if line.startswith(PROMPT)]
        words = simple_command(text)
        said = self._door(words, typed) if words else self._shell(text, typed)
        for line in typed:
            said = said.replace(PROMPT, f"{PROMPT[:-1]}\0{line}\n", 1)
        return said.replace("\0", " ")

    def _door(self, words: list[str], typed: list[str]) -> str:
        """A command of ours, run in this process: the same as in one of its own, without the wait."""
        said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        with (
            patch.object(sys, "argv", words),
            patch.object(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed))),
            patch.dict(os.environ, self.environment, clear=True),
            redirect_stdout(said),
            redirect_stderr(said),
            suppress(SystemExit),
        ):
            main()
        said.flush()
        said.seek(0)
        return said.read()

    def _shell(self, text: str, typed: list[str]) -> str:
        """Anything else, such as a pipe, in a shell."""
        done = subprocess.run(
            ["sh", "-c", text],
            cwd=self.folder,
            env=self.environment,
            input="".join(f"{line}\n" for line in typed).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=120,
            check=False,
        )
        return done.stdout.decode("utf-8")


def simple_command(text: str) -> list[str]:
    """The words of a command that is one of ours and asks nothing of a shell; none otherwise."""
    parts = list(shlex.shlex(text.replace("\\\n", " "), posix=True, punctuation_chars="();<>|&$`*?"))
    ours = bool(parts) and parts[0] in ("bt", "battletape", "./run")
    needs_shell = any(set(part) <= set("();<>|&$`*?") for part in parts if part)
    return shlex.split(text.replace("\\\n", " ")) if ours and not needs_shell else []


def commands(text: str) -> Iterator[tuple[int, str, str]]:
    """The commands of a console block: the line their output begins on, the command, and the output shown."""
    lines = text.splitlines()
    starts = [at for at, line in enumerate(lines) if line.startswith("$ ")]
    for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
        end = start + 1
        while lines[end - 1].endswith("\\"):
            end += 1
        command = "\n".join([lines[start][2:], *lines[start + 1 : end]])
        yield end, command, "".join(f"{line}\n" for line in lines[end:stop])


@contextmanager
def reading(folder: Path) -> Iterator[Session]:
    """A session in a folder; what the page registers, cites and imports is forgotten after it."""
    known, modules, place = dict(registry._known), set(sys.modules), Path.cwd()
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    try:
        yield Session(folder)
    finally:
        sys.path.remove(str(folder))
        os.chdir(place)
        registry._known.clear()
        registry._known.update(known)
        of_page = {PAGE, *(name for name in set(sys.modules) - modules if _lives_in(folder, name))}
        for name in of_page - {PAGE}:
            del sys.modules[name]
        for clause, where in list(clauses.CITED.items()):
            clauses.CITED[clause] = [one for one in where if one.partition(".")[0] not in of_page]
            if not clauses.CITED[clause]:
                del clauses.CITED[clause]


def _lives_in(folder: Path, module: str) -> bool:
    return str(getattr(sys.modules[module], "__file__", None) or "").startswith(str(folder))


def _environment(folder: Path) -> dict[str, str]:
    """The commands of the package, on the path as an installation puts them there; no colours, 80 columns."""
    doors = folder / ".doors"
    doors.mkdir()
    for name in ("bt", "battletape"):
        code = doors / "code" / name
        code.parent.mkdir(exist_ok=True)
        code.write_text("from battletape.cli import main\n\nmain()\n", encoding="utf-8")
        _door(doors / name, str(code))
    _door(folder / "run", str(doors / "code" / "battletape"))
    _door(doors / "python")
    ours = ("NO_COLOR", "FORCE_COLOR", "LINES", "PYTEST_", "SLIPCOVER_")  # a page may run tests of its own
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    package = Path(battletape.__file__).parents[1]
    return {
        **kept,
        "PATH": os.pathsep.join([str(doors), os.environ.get("PATH", os.defpath)]),
        "PYTHONPATH": os.pathsep.join([str(package), str(ROOT)]),
        "PYTHONUTF8": "1",
        "COLUMNS": "80",
    }


def _door(place: Path, *code: str) -> None:
    place.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, *code])} "$@"\n', encoding="utf-8")
    place.chmod(0o755)


def _plain(text: str) -> str:
    joined = _WRAPPED.sub(r"\1 \2", "\n".join(line.rstrip() for line in text.strip("\n").split("\n")))
    return _TIME.sub("0 ms", joined)
