"""What ./run and ./test install on a machine: nobody at a terminal is surprised, and everybody is told."""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def machine(tmp_path):
    """A folder of commands in which we are root, and apt-get only notes what it is asked."""
    for name, body in {"id": "echo 0", "apt-get": f'echo "$@" >>{tmp_path}/asked'}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    return tmp_path


TOOL = 'install_package tool "the tests need a tool"'


def install(machine, answer=None, *, what=TOOL, **more):
    """What is said while a package is installed, how it ends, and what apt-get was asked."""
    script = f'root={machine}; . "{ROOT}/.setup.sh"; {what}'
    env = {"PATH": f"{machine}:{os.environ['PATH']}", **more}
    if answer is None:
        done = subprocess.run(["sh", "-c", script], env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        said, code = done.stderr, done.returncode
    else:
        ours, theirs = pty.openpty()
        os.write(ours, answer)
        code = subprocess.run(["sh", "-c", script], env=env, stdin=theirs, stderr=theirs, timeout=60).returncode
        os.close(theirs)
        said = b""
        with suppress(OSError):  # a terminal that nobody writes to any more
            while heard := os.read(ours, 10_000):
                said += heard
        os.close(ours)
    asked = machine / "asked"
    return said.decode(), code, asked.read_text() if asked.exists() else ""


def test_somebody_at_a_terminal_is_asked_first(machine):
    said, code, asked = install(machine, b"n\n")
    assert "It needs tool (the tests need a tool). Install it with apt-get? [Y/n]" in said
    assert "Install it with: apt-get install tool" in said
    assert (code, asked) == (1, "")
    said, code, asked = install(machine, b"\n")
    assert (code, asked) == (0, "install -y --no-install-recommends tool\n")


def test_elsewhere_it_is_said_what_is_installed(machine):
    said, code, asked = install(machine)
    assert said == "Installing tool (the tests need a tool)…\n"
    assert (code, asked) == (0, "install -y --no-install-recommends tool\n")


def test_a_machine_that_tests_for_us_is_not_asked(machine):
    said, code, asked = install(machine, b"", CI="true")
    assert "[Y/n]" not in said
    assert (code, asked) == (0, "install -y --no-install-recommends tool\n")


def test_somebody_at_a_terminal_is_asked_before_a_browser_is_installed(machine):
    without = {"what": "need_chromium", "CHROMIUM": "no-such-browser", "PATH": str(machine)}
    for name in ("sh", "cat", "tail"):
        (machine / name).symlink_to(shutil.which(name))
    said, code, asked = install(machine, b"n\n", **without)
    assert "It needs chromium-headless-shell (the tests of the page need Chromium" in said
    assert (code, asked) == (1, "")
    said, code, asked = install(machine, **without)
    assert said.startswith("Installing chromium-headless-shell (the tests of the page need Chromium, about a minute)…")
    assert (code, asked) == (0, "install -y --no-install-recommends chromium-headless-shell\n")
    command(machine / "apt-get", f'echo "$@" >>{machine}/asked; case $* in *shell) exit 100 ;; esac')
    said, code, asked = install(machine, **without)
    assert said.endswith("Installing chromium (the tests of the page need Chromium, about a minute)…\n")
    assert (code, asked.splitlines()[-1]) == (0, "install -y --no-install-recommends chromium")


def command(place: Path, body: str) -> None:
    """A command of our own."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"#!/bin/sh\n{body}\n")
    place.chmod(0o755)


def test_only_what_fits_its_checksum_is_installed(tmp_path):
    home, notes = tmp_path / "home", tmp_path / "notes"
    for name in ("pyproject.toml", "hatch_build.py", "requirements/dev.txt", ".venv/pyvenv.cfg", ".venv/.place"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(f"{home}\n")
    for python in (home / ".venv/bin/python", tmp_path / "python3.11"):
        command(python, f'echo "$@" >>{notes}')
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    script = f'root={home}; . "{ROOT}/.setup.sh"; set_up dev; set_up run'
    subprocess.run(["sh", "-c", script], env=env, stdin=subprocess.DEVNULL, check=True, timeout=60)
    assert [line for line in notes.read_text().splitlines() if "pip install" in line] == [
        "-m pip install -q --no-deps --require-hashes -r requirements/dev.txt",
        "-m pip install -q --no-deps --require-hashes -r requirements/build.txt",
        "-m pip install -q --no-deps --no-build-isolation -e .",
    ]


def test_pins_are_renewed_with_checksums_for_every_system_and_python(tmp_path):
    home, notes = tmp_path / "home", tmp_path / "notes"
    home.mkdir()
    for name in ("pins", ".setup.sh", "pyproject.toml"):
        shutil.copy(ROOT / name, home / name)
    command(tmp_path / "uv", f'echo "$@" >>{notes}')
    command(tmp_path / "git", "")
    venv = f'mkdir -p "$3/bin" && cp {tmp_path}/uv {tmp_path}/python "$3/bin"'
    command(tmp_path / "python", "")
    command(tmp_path / "python3.11", f'case $2 in venv) {venv} ;; *) exec {sys.executable} "$@" ;; esac')
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    subprocess.run([home / "pins", "renew"], env=env, stdin=subprocess.DEVNULL, check=True, timeout=60)
    called = notes.read_text().splitlines()
    assert [re.findall("-o (\\S+)", line) for line in called] == [
        [f"requirements/{name}.txt"] for name in ("dev", "run", "build")
    ]
    how = "pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate "
    assert all(line.startswith(how) and "index" not in line for line in called)
