"""What we hand on is what people wrote: no build output, no path of a machine, no address of a registry, nothing huge.

In a clone that is what git tracks; without git, as in an unpacked archive, what an archive made of it would hold.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from pathspec import GitIgnoreSpec

ROOT = Path(__file__).parents[2]
LARGEST = 400_000  # bytes; the vectors are the largest by far
MADE = """
.coverage* .*_cache/ .hypothesis/ .venv*/ __pycache__/ screenshots/ build/ dist/ node_modules/
*.py[cod] *.so *.whl *.tar.gz *.zip *.egg-info *.orig *.rej *.tmp *~
"""
ABSOLUTE = re.compile(
    rb"""(?:^|[\s"'`=:(\[,>@])/(?:home|Users|root|work|opt|mnt|srv|media|builds|tmp|var|usr/local)/[\w.-]"""
    rb"""|\b[A-Za-z]:\\{1,2}Users\\""",
    re.MULTILINE,
)
REGISTRY = re.compile(
    rb"index[-_]url|find[-_]links|trusted[-_]host"
    rb"|://[^\s/]*(?:pypi|pythonhosted|artifactory|nexus|npmjs|registry|:\d{4,5}/simple)",
    re.IGNORECASE,
)


@lru_cache
def handed_on() -> tuple[str, ...]:
    """The files of the project, as paths below its root."""
    if (ROOT / ".git").exists():
        command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]  # a clone may belong to another user
        names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    else:
        with TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder]
            subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=120)
            (archive,) = Path(folder).iterdir()
            with tarfile.open(archive) as packed:
                names = [held.name.partition("/")[2] for held in packed]
    return tuple(name for name in names if (ROOT / name).is_file())


def made(names: tuple[str, ...]) -> list[str]:
    """Those that a build, a test or an editor made: by what is known of such, and by what git is told to ignore."""
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    return [*GitIgnoreSpec.from_lines([*MADE.split(), *ignored]).match_files(names)]


def found(pattern: re.Pattern[bytes]) -> list[str]:
    """Where the files say something, as "file: what"."""
    here = Path(__file__).relative_to(ROOT).as_posix()  # it holds the patterns, and samples of what they find
    texts = ((name, (ROOT / name).read_bytes()) for name in handed_on() if name != here)
    return [f"{name}: {match[0].decode(errors='replace')}" for name, text in texts for match in pattern.finditer(text)]


def test_the_project_is_seen():
    assert {"pyproject.toml", "src/battletape/__init__.py", "tests/conftest.py"} <= set(handed_on())


def test_no_build_output_is_handed_on():
    assert made(handed_on()) == []


def test_no_file_holds_a_path_of_a_machine():
    assert found(ABSOLUTE) == []


def test_no_file_holds_the_address_of_a_registry():
    assert found(REGISTRY) == []


def test_no_file_is_huge():
    sizes = {name: (ROOT / name).stat().st_size for name in handed_on()}
    assert {name: size for name, size in sizes.items() if size > LARGEST} == {}


SAMPLES = """
.coverage .coverage.json .coverage.host.1 src/a.pyc tests/__pycache__/a dist/a .venv/bin/pip .mypy_cache/a
src/battletape.egg-info/PKG-INFO docs/_build/a screenshots/home.png
"""


@pytest.mark.parametrize("name", SAMPLES.split())
def test_build_output_is_known_when_it_is_seen(name: str):
    assert made((name, "docs/coverage.md", "src/battletape/tape/exact.py")) == [name]


@pytest.mark.parametrize("text", ["in /home/jo/game", 'open("/work/x")', "C:\\Users\\jo", "[/root/.cache]", "\n/tmp/a"])
def test_a_path_of_a_machine_is_known_when_it_is_seen(text: str):
    assert ABSOLUTE.search(text.encode())
    assert not ABSOLUTE.search(b"GET /api/work/1, src/home/a and ~/root/b")


@pytest.mark.parametrize(
    "text", ["--extra-index-url x", "PIP_INDEX_URL=x", "https://pypi.org/a", "http://a:3141/simple"]
)
def test_the_address_of_a_registry_is_known_when_it_is_seen(text: str):
    assert REGISTRY.search(text.encode())
    assert not REGISTRY.search(b"registry.ruleset(name), see https://docs.python.org/3/")
