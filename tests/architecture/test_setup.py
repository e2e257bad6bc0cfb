"""What ./run and ./test install on a machine: nobody at a terminal is surprised, and everybody is told."""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest

from tests import pythons, smoke

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


def test_at_a_terminal_apt_get_is_used_only_after_a_question(machine):
    said, code, asked = install(machine, b"n\n")
    assert "It needs tool (the tests need a tool). Install it with apt-get? [Y/n]" in said
    assert "Install it with: apt-get install tool" in said
    assert (code, asked) == (1, "")
    said, code, asked = install(machine, b"\n")
    assert (code, asked) == (0, "install -y --no-install-recommends tool\n")


def test_without_a_terminal_installed_packages_are_named(machine):
    said, code, asked = install(machine)
    assert said == "Installing tool (the tests need a tool)…\n"
    assert (code, asked) == (0, "install -y --no-install-recommends tool\n")


def test_a_machine_that_tests_for_us_is_not_asked(machine):
    said, code, asked = install(machine, b"", CI="true")
    assert "[Y/n]" not in said
    assert (code, asked) == (0, "install -y --no-install-recommends tool\n")


def test_at_a_terminal_a_browser_is_installed_only_after_a_question(machine):
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
        "-m pip install -q --no-deps --require-hashes -r requirements/build.txt",
        "-m pip install -q --no-deps --require-hashes -r requirements/dev.txt",
        "-m pip install -q --no-deps --no-build-isolation -e .",
    ]


def python(place: Path, version: tuple[int, ...]) -> None:
    """A Python that says it is of this version, and does what it is asked with the one that runs here."""
    info = f"import sys; sys.version_info = type('Info', (tuple,), {{'releaselevel': 'final'}})({version})"
    command(place, f'shift; exec {sys.executable} -c "{info}\n$1"'.replace("\\n", "\n"))


def chosen(folder: Path, what: str = "find_python") -> tuple[str, str]:
    """Which Python the set-up takes of a folder of them, and what it says."""
    script = f'root={folder}; . "{ROOT}/.setup.sh"; {what}; echo "$python $version"'
    for tool in ("sh", "sed"):
        if not (folder / tool).exists():
            (folder / tool).symlink_to(shutil.which(tool))
    done = subprocess.run([folder / "sh", "-c", script], env={"PATH": str(folder)}, capture_output=True, text=True)
    return done.stdout.strip(), done.stderr.strip()


def test_a_python_that_is_tried_is_taken_before_a_newer_one(tmp_path):
    python(tmp_path / "python3", (3, 15, 0))
    assert chosen(tmp_path) == ("python3 3.15.0", "")
    python(tmp_path / "python3.13", (3, 13, 5))
    assert chosen(tmp_path) == ("python3.13 3.13.5", "")
    python(tmp_path / "python3.14", (3, 14, 8))
    assert chosen(tmp_path) == ("python3.14 3.14.8", "")
    python(tmp_path / "python3.11", (3, 11, 2))
    assert chosen(tmp_path) == ("python3.11 3.11.2", "")


@pytest.mark.parametrize(
    "version, said", [((3, 9, 18), "python3 is Python 3.9.18"), ((3, 11, 1), "python3 is Python 3.11.1")]
)
def test_a_python_that_is_too_old_gets_a_sentence_before_anything_is_installed(tmp_path, version, said):
    python(tmp_path / "python3", version)
    want = f"Battletape could not be set up: it needs Python 3.11.2 or newer, and {said}. Install one and start again."
    assert chosen(tmp_path) == ("", want)
    before = {*tmp_path.iterdir()}
    assert chosen(tmp_path, "set_up run") == ("", want)  # and nothing else
    assert {*tmp_path.iterdir()} == before
    (tmp_path / "python3").unlink()
    assert chosen(tmp_path)[1].endswith("or newer, and there is none that runs. Install one and start again.")


def test_other_pythons_are_found_and_those_that_are_too_old_or_not_out_left_out(tmp_path):
    here = tmp_path / "bin", tmp_path / "more"
    for place, version in ((here[0], (3, 10, 3)), (here[0], (3, 12, 1)), (here[1], (3, 12, 4)), (here[1], (3, 14, 8))):
        python(place / f"python3.{version[1]}", version)
    command(here[0] / "python3.13", "exit 127")  # as pyenv's for a version that is not chosen
    python(here[0] / "python3.11", (3, 11, 2))
    command(here[1] / "python3.14-config", "exit 1")
    command(here[1] / "python3.15", "echo 3 15 0 candidate")
    found = pythons.others((*here, tmp_path / "no folder"), but=(3, 11))
    assert [(str(other), other.command) for other in found] == [
        ("Python 3.12.1", here[0] / "python3.12"),
        ("Python 3.14.8", here[1] / "python3.14"),
    ]
    assert all(other.is_promised for other in found)
    assert not pythons.Other(Path("python3.15"), (3, 15, 0)).is_promised


def test_the_pythons_of_the_metadata_are_those_that_are_tried():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest, newest = (".".join(map(str, version)) for version in (pythons.OLDEST, pythons.NEWEST))
    assert project["requires-python"] == f">={oldest}"
    assert [line for line in project["classifiers"] if ":: Python :: 3." in line][-1].endswith(f":: {newest}")
    setup = (ROOT / ".setup.sh").read_text(encoding="utf-8")
    assert f"oldest='{oldest.replace('.', ', ')}'" in setup
    assert f"newest='{newest.replace('.', ', ')}'" in setup
    assert f"(Python {oldest} to {newest})" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_smoke_test_asks_every_example_and_reports_failures(monkeypatch, capsys):
    monkeypatch.setattr(smoke, "checks", lambda: iter(["import", "example", "example", "battle"]))
    assert smoke.main() == 0
    assert capsys.readouterr().out.endswith(": 2 examples asked, 1 battles moved\n")
    monkeypatch.setattr(smoke, "checks", lambda: iter([][0]))
    assert smoke.main() == 1
    assert capsys.readouterr().out.endswith(": failed\n")


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
