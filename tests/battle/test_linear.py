"""Reading takes a time that grows with the file and no faster, and no error repeats more than a line of it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.battle import notation, reading, replay
from battletape.battle.notation import write_battle
from battletape.battle.reading import read_battle, salvage_battle
from battletape.battle.store import open_battle, write
from battletape.errors import BadInput
from battletape.tape.question import Entry
from battletape.toml import parse_toml
from battletape.views.battle import battle_view, last_move, log_view, move_view
from tests.battle.battles import long_battle, plain_end, skirmish

WHOLE = write_battle(skirmish(), checkpoint=True)
HIT = "pool to hit [3 x 1-6] = 2 4 3"
SHAPES = {
    "spaces in a title": ("The ford", lambda n: "a" + " " * n + "b"),
    "spaces before a title": ("The ford", lambda n: " " * n + "\x00"),
    "the name of a ruling": ("ruling again", lambda n: "ruling " + "a" * n),
    "a ruling of digits": ("again: always", lambda n: f"again: [{'9' * n}]"),
    "comments above the moves": ("--- moves\n", lambda n: "--- moves\n" + "# c\n" * n),
    "lines of a checkpoint": ("--- end", lambda n: "{}\n" * n + "--- end"),
    "a name with dots": ("turns = 8", lambda n: "a." * n + "b = 8"),
    "digits in the start": ("turns = 8", lambda n: "turns = " + "8" * n),
    "hexadecimal digits": ("turns = 8", lambda n: "turns = 0x" + "f" * n),
    "a list of digits": ("turns = 8", lambda n: f"turns = [{'1,' * (n // 8)}]"),
    "spaces in a key": ("turns = 8", lambda n: f"x = {{'{' ' * n}' = 1, '{' ' * n}' = 2}}"),
    "a text that is not closed": ("turns = 8", lambda n: 'turns = """' + '"" ' * n),
    "a long name": ('"Crow"', lambda n: '"' + "C w " * n + '"'),
    "brackets of an answer": (HIT, lambda n: "pool to hit" + " [" * n),
    "ends of an answer": (HIT, lambda n: "pool to hit [3" + "] =a" * n),
    "spaces in a count": (HIT, lambda n: "pool to hit [3 x 1-6] = 2 h" + " " * n + "x"),
    "digits of a count": (HIT, lambda n: f"pool to hit [3 x 1-6] = {'2' * n} hits"),
    "digits of a parameter": ("unit=Ash", lambda n: f"unit=[{'1' * n}]"),
    "a long move with answers": ("unit=Ash", lambda n: "x" * n + "\n" + "   roll a [1] = 1\n" * (n // 8)),
    "an unknown action": ("1. shoot", lambda n: "1. " + "s" * n),
    "an unknown unit": ("unit=Ash", lambda n: f'unit="{"ash " * n}"'),
}


@pytest.fixture(autouse=True)
def _any_number_of_digits() -> Iterator[None]:
    """As the command line has it: Python does not stop us at 4,300 digits."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    yield
    sys.set_int_max_str_digits(before)


def seconds(text: str) -> tuple[float, str]:
    """How long it takes to read a file, and what is said of it."""
    begun = process_time()
    battle, fault = salvage_battle(text, "ford.battle")
    assert fault is not None or battle is not None
    return process_time() - begun, str(fault or "")


@pytest.mark.parametrize("shape", SHAPES)
def test_four_times_as_much_takes_about_four_times_as_long(shape):
    old, new = SHAPES[shape]
    assert old in WHOLE
    short, long = (WHOLE.replace(old, new(size), 1) for size in (20_000, 80_000))
    brief, _ = seconds(short)
    whole, said = seconds(long)
    assert whole < 8 * brief + 0.1  # the square would take sixteen times as long, and seconds
    assert len(said) <= 700


ENTRY = re.compile(r"(roll|pool|direction|choose) (.+?) \[(.*?)\] =(?: (.*))?")  # plain, and slow for what does not fit


@settings(deadline=None, max_examples=300)
@given(st.text(" []=ab", max_size=16).map(lambda text: f"roll {text}".strip()))
def test_an_entry_is_what_the_plain_pattern_says(line):
    match = ENTRY.fullmatch(line)
    if match is None:
        with pytest.raises(BadInput, match="an entry must have the form"):
            Entry.parse(line)
    else:
        assert Entry.parse(line) == Entry("roll", match[2], match[3], (match[4] or "").strip())


@pytest.mark.parametrize("number", ["8" * 400, "0x" + "f" * 400, "8_" * 200 + "8", "1." + "0" * 400])
def test_a_number_of_hundreds_of_digits_is_not_read(number):
    with pytest.raises(BadInput, match=r"a number has hundreds of digits \(at line 2\)"):
        parse_toml(f"a = 1\nb = {number}\n")
    assert parse_toml("b = " + "8" * 299) == {"b": int("8" * 299)}


def test_a_title_that_is_no_title_is_not_repeated_whole():
    with pytest.raises(BadInput) as refused:
        skirmish().fork(title="The ford " * 1_000)
    assert len(str(refused.value)) < 300


# --- twenty thousand actions ------------------------------------------------------------------------------------------


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Counts the moves that are read and those that are played again."""
    done = {"read": 0, "replayed": 0}

    def counting(name: str, function: Any) -> Any:
        def counted(*args: Any) -> Any:
            done[name] += 1
            return function(*args)

        return counted

    monkeypatch.setattr(reading, "_read_move", counting("read", reading._read_move))
    monkeypatch.setattr(replay, "play_action", counting("replayed", replay.play_action))
    return done


def test_one_more_move_costs_the_same_however_long_the_battle_is(tmp_path, work, monkeypatch):
    path = tmp_path / "long.battle"
    costs = []
    monkeypatch.setattr(notation, "EARLIER_FROM", 60)
    for moves in (60, 600):
        write(path, long_battle(moves).text)
        done = []
        for command in ("do", "undo", "redo", "show"):
            work |= {"read": 0, "replayed": 0}
            file = open_battle(path)
            assert file.battle.opened == "checkpoint"
            if command == "undo":
                file.battle.pop()
                file.save()
            elif command == "do":
                file.battle.push("end_turn")
                file.save()
                assert last_move(file.battle).number == moves + 1
            elif command == "redo":
                number = file.battle.redo().number
                file.save()
                assert move_view(file.battle, file.battle.move_record(number)).number == moves + 1
            battle_view(file.battle)
            done.append(dict(work))
        costs.append(done)
    assert costs[0] == costs[1]
    assert max(count for done in costs[0] for count in done.values()) <= 2


def test_a_sealed_file_is_read_as_it_would_be_line_by_line(work):
    text = write_battle(skirmish(), checkpoint=True).replace("undo 2\n", "undo 2\n# hm\n\n  # and so on\n")
    plain = text[: text.index("--- checkpoint")] + "--- end\n"
    sealed = read_battle(write_battle(read_battle(plain), checkpoint=True))
    work |= {"read": 0, "replayed": 0}
    again = read_battle(sealed.text)
    assert again == sealed == skirmish()
    assert plain_end(write_battle(again, checkpoint=False)) == plain
    assert [move.written for move in again.record.moves] == [move.written for move in read_battle(plain).record.moves]
    assert log_view(again) == log_view(skirmish())
