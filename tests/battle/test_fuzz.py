"""Fuzzing, for as long as a test may take: `python -m benchmarks.fuzz` does the same for longer."""

from __future__ import annotations

import re

import pytest

from battletape.errors import BadInput
from benchmarks.fuzz import TARGETS, Reached, Target, fuzz, main

INPUTS = {"battle": 250, "form": 500, "toml": 1_500}


@pytest.mark.parametrize("name", TARGETS)
def test_whatever_comes_is_read_or_refused_with_a_sentence(name):
    target = TARGETS[name]()
    figures = fuzz(target, INPUTS[name])
    assert figures.crashes == []
    assert figures.inputs == INPUTS[name]
    assert figures.kept > len(target.seeds)  # it found its way to what the seeds do not reach
    assert figures.sentences > 20
    assert figures.lines > 200


def careless(text: str) -> str:
    """A reader with a mistake behind three doors."""
    if not text.startswith("a["):
        raise BadInput("it must begin with a[")
    if "undo" in text:
        inner = text.partition("undo")[2]
        if inner.startswith("="):
            return str(1 // (0 if "9" in inner else 1))
    return "read"


def test_it_finds_its_way_to_a_mistake_and_makes_the_input_short():
    target = Target("careless", careless, ("a[]",), ("undo", "="))
    figures = fuzz(target, 6_000, seed=3, reached=Reached(re.compile("test_fuzz")))
    (crash,) = figures.crashes
    assert crash.how.startswith("ZeroDivisionError at test_fuzz.py:")
    assert crash.text == "a[undo=9"
    assert fuzz(target, 6_000, seed=3, reached=Reached(re.compile("test_fuzz"))).crashes == figures.crashes


def test_the_command_prints_its_figures(capsys):
    assert main(["toml", "--inputs", "60"]) == 0
    assert re.match(r"toml +60 inputs .* lines reached .* slowest .* ms .* 0 crashes", capsys.readouterr().out)
    with pytest.raises(SystemExit):
        main(["tolm"])
