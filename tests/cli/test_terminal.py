"""Text for terminals of any width, colour and alphabet."""

from __future__ import annotations

import io
import sys

import pytest

from battletape.cli.terminal import Column, Page, can_draw, echo, has_colour, size, terminal_width, wrap
from battletape.cli.waiting import Waiting
from tests.cli.conftest import ATTACK


@pytest.mark.parametrize("columns", ["40", "60", "80", "100", "200"])
@pytest.mark.parametrize(
    "args",
    [
        ("odds", *ATTACK),
        ("odds", "attack_dice", "attack", "--attacks", "500", "--models", "500", "--spill", "lost"),
        ("roll", *ATTACK, "--seed", "7"),
        ("roll", *ATTACK, "--times", "50"),
        ("compare", "attack_dice", "attack", "--vary", "power=4,5,6"),
        ("rules", "attack_dice", "AD-75"),
        ("rules", "attack_dice", "save"),
        ("rulesets",),
    ],
    ids=lambda args: " ".join(args[:2]),
)
def test_no_line_is_wider_than_the_terminal(bt, args, columns):
    text = bt(*args, COLUMNS=columns).stdout
    wide = [line for line in text.splitlines() if size(line) >= max(int(columns), 58)]
    assert not wide


def test_no_colour_unless_a_terminal_or_asked_for(bt):
    assert "\033[" not in bt("odds", *ATTACK).stdout
    assert "\033[31m" in bt("odds", *ATTACK, FORCE_COLOR="1").stdout
    assert "\033[" not in bt("odds", *ATTACK, FORCE_COLOR="1", NO_COLOR="1").stdout
    assert "\033[31m" in bt("ods", code=2, FORCE_COLOR="1").stderr


def test_plain_characters_where_no_others_can_be_shown(bt):
    text = bt("odds", *ATTACK, BATTLETAPE_ASCII="1").stdout
    assert text.isascii()
    assert "###" in text
    assert bt("ods", code=2, BATTLETAPE_ASCII="1").stderr.isascii()


def test_a_stream_tells_what_it_takes():
    class Stream(io.StringIO):
        encoding = "latin-1"

        def isatty(self) -> bool:
            return True

    assert not can_draw(Stream())
    assert has_colour(Stream())


def test_width_without_a_terminal(monkeypatch):
    monkeypatch.delenv("COLUMNS")
    assert terminal_width(io.StringIO()) == 80
    monkeypatch.setenv("COLUMNS", "not a number")
    assert terminal_width(io.StringIO()) == 80


def test_a_dumb_terminal_has_no_colour(monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert not has_colour(sys.stdout)


def test_paragraphs_keep_numbers_and_percent_signs_together():
    assert wrap("it is 52 % now", 9) == ["it is", "52 % now"]
    assert wrap("one\ntwo", 20) == ["one", "two"]
    assert wrap("unbreakable", 4) == ["unbreakable"]


def test_wide_and_combining_characters_are_measured():
    assert size("日本") == 4
    assert size("e\u0301") == 1


def test_bars_show_at_least_a_sliver():
    page = Page()
    assert page.bar(0.0, 10) == ""
    assert page.bar(0.0001, 10) == "▏"
    assert page.bar(1.0, 3) == "███"
    plain = Page(drawn=False)
    assert plain.bar(0.0001, 10) == "."
    assert plain.bar(0.5, 10) == "#####"


def test_long_text_wraps_in_its_column_and_notes_go_below():
    page = Page(40)
    page.table([Column("a", wraps=True), Column("b", right=True)], [["word " * 12, "7"]], notes=["a note"])
    assert all(len(line) < 40 for line in page.lines)
    assert page.lines[-1].strip() == "a note"


def test_wide_tables_are_parted_evenly():
    page = Page(40)
    head = [Column(f"col{at}", right=True) for at in range(12)]
    page.table(head, [[f"{at}{at}" for at in range(12)]])
    assert all(len(line) < 40 for line in page.lines)
    heads = [line.split() for line in page.lines if "col0" in line]
    assert [head[0] for head in heads] == ["col0"] * 3
    assert [name for head in heads for name in head[1:]] == [f"col{at}" for at in range(1, 12)]


def test_echo_writes_to_a_stream():
    out = io.StringIO()
    echo("5 → 6", out, drawn=False)
    assert out.getvalue() == "5 -> 6\n"


class Watched(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_long_wait_shows_a_bar_on_the_error_stream(monkeypatch):
    stream = Watched()
    monkeypatch.setattr(sys, "stderr", stream)
    with Waiting("Thinking", patience=0.0) as waiting:
        waiting._timer.join()
        waiting(3, 10)
        waiting(10, 10)
    assert "Thinking" in stream.getvalue()


def test_a_short_wait_shows_nothing(monkeypatch):
    stream = Watched()
    monkeypatch.setattr(sys, "stderr", stream)
    with Waiting("Thinking", patience=60.0) as waiting:
        waiting(1, 2)
    assert stream.getvalue() == ""


def test_no_timer_is_drawn_without_a_terminal():
    with Waiting("Thinking", patience=0.0) as waiting:
        assert waiting._timer is None
