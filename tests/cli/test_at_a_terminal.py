"""`battletape battle play` at a real pseudo-terminal: typed dice, a decision, undo, and narrow screens."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from battletape.battle.store import open_battle
from tests.cli.test_battle_answers import SIDES

pty = pytest.importorskip("pty", reason="a pseudo-terminal needs POSIX")

PATIENCE = 30.0
"""Seconds until the table must have answered."""
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\r")


class Seat:
    """A player at a terminal: says lines, and sees what the table answers."""

    def __init__(self, out: int) -> None:
        self.out, self.seen = out, ""

    def read_until(self, prompt: str) -> str:
        """Return what came up to this prompt."""
        came, end = "", time.monotonic() + PATIENCE
        while not ESCAPES.sub("", came).endswith(prompt):
            ready, _, _ = select.select([self.out], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"no {prompt!r} came; so far: {self.seen + came}"
            came += os.read(self.out, 65536).decode()
        self.seen += came
        return ESCAPES.sub("", came)

    def say(self, line: str, prompt: str = "> ") -> str:
        """Type a line and return what came up to the next prompt."""
        os.write(self.out, f"{line}\n".encode())
        return self.read_until(prompt)


@contextmanager
def seated(folder: Path, *words: str, **env: str) -> Iterator[Seat]:
    """Sit down at the table in a process of its own, which ends with q."""
    child, out = pty.fork()
    if child == 0:
        os.chdir(folder)
        line = [sys.executable, "-m", "battletape", "battle", "play", *words]
        os.execve(sys.executable, line, {**os.environ, "TERM": "xterm", "COLUMNS": "80", **env})
    seat = Seat(out)
    try:
        seat.read_until("> ")
        yield seat
        os.write(out, b"q\n")
        left = time.monotonic() + PATIENCE
        while time.monotonic() < left:
            done, code = os.waitpid(child, os.WNOHANG)
            if done:
                assert code == 0
                return
            try:
                os.read(out, 65536)
            except OSError:  # the other end is closed
                time.sleep(0.01)
        raise AssertionError("it did not leave")
    finally:
        os.close(out)


def test_a_turn_is_played_with_typed_dice_and_a_unit_in_hand(bt):
    bt("battle", "new", "attack_dice")
    with seated(Path.cwd(), "--typed") as seat:
        assert "The game begins" in seat.say("start")
        assert "Enter: attack Storm carbine, Hill raiders" in seat.say("")  # takes the wardens in hand
        assert "towards Hill raiders" in seat.say("6 towards raiders")
        assert "12 x 0-9" in seat.say("attack raiders")
        assert "Armour saves" in seat.say("9 4 2 7 5 0 1 1 8 3 3 9")
        assert "Hill raiders fall" in seat.say("1 1 1 1 1 1 1 1")
        assert "South is next" in seat.say("done")
        assert "Taken back" in seat.say("u")
    battle = open_battle("battle.bt").battle
    assert [move.action for move in battle.moves] == ["start", "move", "attack"]


def test_a_decision_of_the_opponent_is_asked_with_what_each_option_is_worth(bt):
    Path("sides.toml").write_text(SIDES, encoding="utf-8")
    bt("battle", "new", "deathwatch", "--sides", "sides.toml")
    with seated(Path.cwd(), "--seed", "3") as seat:
        seat.say("initiative")
        asked = seat.say("shoot Brother Teodor")
        assert "Raiders decide" in asked, asked
        assert "best for Raiders" in seat.say("?")
        assert "Brother Teodor" in seat.say("")
    assert "(by default)" not in Path("battle.bt").read_text(encoding="utf-8")


@pytest.mark.parametrize("env", [{"COLUMNS": "40"}, {"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_narrow_and_plain_terminals_do(bt, env):
    bt("battle", "new", "attack_dice")
    with seated(Path.cwd(), "--seed", "3", **env) as seat:
        for line in ("start", "", "o", "w", "m", "1", "s"):
            seat.say(line)
        if "COLUMNS" in env:
            plain = ESCAPES.sub("", seat.seen)
            assert max(map(len, plain.splitlines())) <= 40
        if "NO_COLOR" in env:
            assert "\x1b[3" not in seat.seen
