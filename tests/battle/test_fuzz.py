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


def careless(text: str) -> str:
    """A reader with a mistake behind three doors, which says how far it came."""
    if not text.startswith("a["):
        raise BadInput("it must begin with a[")
    if "undo" not in text:
        return "nothing to undo"
    inner = text.partition("undo")[2]
    if not inner.startswith("="):
        return "undo what?"
    return str(1 // (0 if "9" in inner else 1))


def test_it_finds_its_way_to_a_mistake_and_makes_the_input_short():
    target = Target("careless", careless, ("a[]",), ("undo", "="))

    def crashes():  # led by what is said alone: which lines a Python tells of differs from version to version
        return fuzz(target, 6_000, seed=3, reached=Reached(re.compile("no such file"))).crashes

    (crash,) = crashes()
    assert crash.how.startswith("ZeroDivisionError at test_fuzz.py:")
    assert crash.text == "a[undo=9"
    assert crashes() == [crash]


def test_a_line_is_new_to_each_fuzz():
    def said(text: str) -> str:
        if text == "knock":
            return "who is there?"
        return "nothing"

    first = said.__code__.co_firstlineno
    for reached in (Reached(re.compile("test_fuzz")), Reached(re.compile("test_fuzz"))):
        with reached.watch() as turn:
            turn(0)
            for text, line in (("", first + 3), ("knock", first + 2)):
                assert (said.__code__, line) not in reached.lines
                said(text)
                assert (said.__code__, line) in reached.lines


def test_the_command_prints_its_figures(capsys):
    assert main(["toml", "--inputs", "60"]) == 0
    assert re.match(r"toml +60 inputs .* lines reached .* slowest .* ms .* 0 crashes", capsys.readouterr().out)
    with pytest.raises(SystemExit):
        main(["tolm"])
