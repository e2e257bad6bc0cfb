"""Every public vector holds, and the runner says so in the form that is asked for."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.vectors import HERE, failures, read_vectors

FILES = sorted(HERE.glob("*.vectors.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_vector_holds(path: Path):
    vectors = read_vectors(path)
    assert vectors
    assert list(failures(path.name.removesuffix(".vectors.json"), vectors)) == []


def run(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "tests.vectors", *args], capture_output=True, text=True, check=False)


def test_a_wrong_vector_is_named_and_counted(tmp_path: Path):
    vectors = read_vectors(HERE / "attack_dice.vectors.json")[:3]
    vectors[1]["expect"]["entry"] = "8+"
    file = tmp_path / "some.json"
    file.write_text(json.dumps(vectors))
    done = run("attack_dice", str(file))
    assert done.returncode == 1
    assert done.stdout.startswith(f"FAILED {vectors[1]['id']}: ")
    assert done.stdout.endswith("2 passed, 1 failed\n")


def test_a_file_that_is_not_there_is_a_sentence():
    done = run("attack_dice", "nowhere.json")
    assert done.returncode == 2
    assert "cannot be read" in done.stderr
