"""What ./run and ./test install on a machine: nobody at a terminal is surprised, and everybody is told."""

from __future__ import annotations

import os
import pty
import subprocess
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


def install(machine, answer=None, **more):
    """What is said while a package is installed, how it ends, and what apt-get was asked."""
    script = f'root={ROOT}; . "$root/.setup.sh"; install_package tool "the tests need a tool"'
    env = {"PATH": f"{machine}:{os.environ['PATH']}", **more}
    if answer is None:
        done = subprocess.run(["sh", "-c", script], env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        said, code = done.stderr, done.returncode
    else:
        ours, theirs = pty.openpty()
        os.write(ours, answer)
        code = subprocess.run(["sh", "-c", script], env=env, stdin=theirs, stderr=theirs, timeout=60).returncode
        os.close(theirs)
        said = os.read(ours, 10_000)
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
