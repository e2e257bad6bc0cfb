"""`python -m tests.pythons`: the smoke test on every other Python that this machine has, and which they are.

Each gets an environment of its own in .venv/pythons, with what requirements/run.txt pins; it is kept for the next time.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PINS = ROOT / "requirements" / "run.txt"
OLDEST, NEWEST = (3, 11, 2), (3, 14)
"""What is promised: pyproject.toml, .setup.sh and the README say the same."""
VERSION = "import sys; print(*sys.version_info[:3], sys.version_info.releaselevel)"
PATIENCE = 900


class Other(NamedTuple):
    """A Python of this machine."""

    command: Path
    version: tuple[int, int, int]

    @property
    def is_promised(self) -> bool:
        """Whether we say that it works."""
        return self.version >= OLDEST and self.version[:2] <= NEWEST

    def __str__(self) -> str:
        return f"Python {'.'.join(map(str, self.version))}"


def folders() -> Iterator[Path]:
    """Where commands are, those of pyenv included, which hides all but one of its Pythons."""
    yield from (Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder)
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from sorted(home.glob("versions/*/bin"))


def others(places: Iterable[Path], but: tuple[int, int]) -> list[Other]:
    """One Python of each version but this one that runs and is not too old, the oldest first."""
    found: dict[tuple[int, int], Other] = {}
    for place in places:
        for command in sorted(place.glob("python3.*")) if place.is_dir() else ():
            if not re.fullmatch(r"python3\.[0-9]+", command.name) or not os.access(command, os.X_OK):
                continue
            version = version_of(command)
            if version >= OLDEST and version[:2] != but:
                found.setdefault(version[:2], Other(command, version))
    return [found[version] for version in sorted(found)]


def version_of(command: Path) -> tuple[int, int, int]:
    """Its version; zeros if it does not run, or is not out yet."""
    try:
        asked = subprocess.run([command, "-c", VERSION], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return 0, 0, 0
    major, minor, micro, level = asked.stdout.split()
    return (int(major), int(minor), int(micro)) if level == "final" else (0, 0, 0)


def prepare(other: Other) -> str:
    """Make its environment, or keep the one there is; returns what went wrong."""
    home = environment(other)
    stamp, want = home / ".stamp", f"{other} {hashlib.sha256(PINS.read_bytes()).hexdigest()}"
    if stamp.exists() and stamp.read_text() == want:
        return ""
    shutil.rmtree(home, ignore_errors=True)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        home / "bin" / "python",
        "--disable-pip-version-check",
        "--no-input",
    ]
    for step in (
        [other.command, "-m", "venv", "--without-pip", home],
        [*pip, "install", "-q", "--no-deps", "--no-compile", "--require-hashes", "--only-binary", ":all:", "-r", PINS],
    ):
        done = subprocess.run(step, capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode:
            return (done.stderr.strip() or "no word why").splitlines()[-1]
    stamp.write_text(want)
    return ""


def environment(other: Other) -> Path:
    """Where its environment is."""
    return ROOT / ".venv" / "pythons" / ".".join(map(str, other.version[:2]))


def main() -> int:
    """Try each; 1 if one that we promise does not work."""
    failed = False
    tried = others(folders(), but=sys.version_info[:2])
    for other in tried:
        wrong = prepare(other)
        if wrong:
            print(f"{other}: not tried, its packages could not be installed: {wrong}", flush=True)
            failed = failed or other.is_promised
            continue
        home = environment(other)
        env = {
            **os.environ,
            "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}",
            "PYTHONPYCACHEPREFIX": str(home / "cache"),
        }
        done = subprocess.run([home / "bin" / "python", "-m", "tests.smoke"], cwd=ROOT, env=env, timeout=PATIENCE)
        failed = failed or (done.returncode != 0 and other.is_promised)
    if not tried:
        print(f"This machine has no other Python from {'.'.join(map(str, OLDEST))} on.")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
