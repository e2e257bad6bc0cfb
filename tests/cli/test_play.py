"""`battletape battle play`: a session at the table, by a pipe."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from battletape.battle import Battle
from battletape.battle.intents import parse_intent
from battletape.battle.store import new_file, open_battle
from battletape.cli.battle import play as at_table
from battletape.errors import BadInput
from battletape.views.table_talk import table_talk

SYSTEMS = ("attack_dice", "vehicles5", "diceless40k", "second_edition", "deathwatch", "toy")


@pytest.fixture
def table(bt):
    """Play lines at a table: `table("vehicles5", "Anvil", "1")`; what it prints."""

    def play(system: str, *lines: str, more: tuple[str, ...] = (), **env: str) -> str:
        if not Path("battle.bt").exists():
            bt("battle", "new", system)
        said = "".join(f"{line}\n" for line in lines)
        return str(bt("battle", "play", "--seed", "3", *more, input=said, **env).stdout)

    return play


@pytest.mark.parametrize("system", SYSTEMS)
def test_enter_alone_plays_on_in_every_system(table, system):
    told = table(system, *["", "1", "", "y"] * 30)
    moves = open_battle("battle.bt").battle.record.moves
    assert len(moves) > 3, told
    assert "Traceback" not in told
    assert told.rstrip().endswith("battletape battle play")


def test_units_by_name_and_number_moves_by_intent_and_undo(table):
    told = table("vehicles5", "Company", "6 north", "barrow 3 ne", "u", "r", "u", "u")
    battle = open_battle("battle.bt").battle
    assert [move.action for move in battle.record.moves] == ["move_unit", "drive"]
    assert battle.moves == ()
    assert "Company: moved 6 inches" in told
    assert "Still to act: 1\xa0Anvil · 2\xa0Sappers" in told.replace(" ", " ") or "Still to act: 1 Anvil" in told
    assert "Taken back: 2. drive" in told
    assert "Made again: 2. drive" in told


def test_a_phase_does_not_end_unasked_while_units_may_act(table):
    told = table("vehicles5", "e", "n", "end_turn", "", "q")
    assert "may still act" in told
    assert told.count("Nothing was done.") == 2
    assert open_battle("battle.bt").battle.moves == ()
    table("vehicles5", "e", "y")
    assert [move.action for move in open_battle("battle.bt").battle.moves] == ["end_phase"]


def test_odds_stand_beside_the_options_and_the_best_is_marked(table):
    told = table("attack_dice", "start", "Storm wardens", "o", "o 1", "w")
    assert re.search(r"1  attack Storm carbine, Hill raiders, distance=24\s+[\d.]+ models fallen  ← best", told)
    assert "Computed    exact" in told
    assert re.search(r"Storm wardens\s+attack with Storm carbine\s+Hill raiders, Bramble\s+mammoth", told)


def test_nonsense_is_a_sentence_and_the_table_stays(table):
    told = table(
        "vehicles5", "boggle", "99", "6 north", "o 77", "dice loaded", "? nothing", "fire Watch", "u", "a fire"
    )
    assert "there is no unit or action 'boggle'" in told
    assert "there is no number 99: the list has 1 to 6" in told
    assert "no unit is in hand" in told
    assert "dice are typed or rolled" in told
    assert "there is nothing to undo" in told
    assert told.count("not now:") == 1
    assert "Saved in battle.bt" in told


def test_decisions_and_typed_dice_come_from_the_same_lines(table):
    told = table(
        "attack_dice", "start", "dice typed", "attack Hill unit=Storm weapon=carbine", "8 hits", "2 saves", "l"
    )
    assert "8 of 12" in told
    assert "2 of 8" in told
    assert "dice are typed" in told.lower()


def test_a_move_that_stops_at_a_question_is_not_made(table):
    told = table("attack_dice", "start", "dice typed", "attack Hill unit=Storm weapon=carbine")
    assert "The dice stop at" in told
    assert [move.action for move in open_battle("battle.bt").battle.moves] == ["start"]


def test_the_same_words_and_seed_are_the_same_battle(bt, table):
    words = ("start", "1", "1", "1", "", "1")
    table("attack_dice", *words)
    first = Path("battle.bt").read_text(encoding="utf-8")
    Path("battle.bt").unlink()
    table("attack_dice", *words)
    assert Path("battle.bt").read_text(encoding="utf-8") == first


def test_a_file_that_another_program_changed_is_read_again(bt, monkeypatch):
    file = new_file("battle.bt", Battle.new("vehicles5"))
    session = at_table.Session(file, 3, typed=False, first=True, best=None)
    session.look()
    bt("battle", "do", "stand", "unit=Anvil")
    with pytest.raises(BadInput, match="the move was not made"):
        session.obey("Barrow stand")
    assert [move.action for move in session.battle.moves] == ["stand"]


def test_it_fits_forty_columns_without_colour_and_ascii(table):
    told = table("deathwatch", "", "", "?", "s", "w", "l", COLUMNS="40", BATTLETAPE_ASCII="1")
    told.encode("ascii")
    lines = [line for line in told.splitlines() if not re.search(r"[xy,]=|^>|battletape", line)]
    assert max(map(len, lines)) <= 40


def test_the_end_is_said(table):
    told = table("vehicles5", *["end_turn", "y"] * 30, "", "1")
    assert "Over: " in told
    assert "the battle is over" in told


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_move_costs_little(system, tmp_path):
    session = at_table.Session(new_file(tmp_path / "b.bt", Battle.new(system)), 7, typed=False, first=True, best=None)
    session.agreed = lambda *_: True  # type: ignore[method-assign]
    session.look()
    before, moves = time.process_time(), 0
    for _ in range(40):
        if session.battle.over:
            break
        session.obey("")
        moves += 1
    assert (time.process_time() - before) / moves < 0.05


@pytest.mark.parametrize(
    ("text", "heading", "towards"),
    [
        ("6 north", 0, ""),
        ('4.5" SW', 225, ""),
        ("3 45°", 45, ""),
        ("6 north-east", 45, ""),
        ("6 towards Boyz", None, "Boyz"),
    ],
)
def test_ways_to_say_a_move(text, heading, towards):
    intent = parse_intent(text)
    assert intent is not None
    assert (intent.heading, intent.towards) == (heading, towards)
    assert parse_intent("shoot Boyz") is None


def test_units_that_wait_are_told_by_the_system_or_by_its_moves():
    battle = Battle.new("deathwatch")
    battle.push("begin_battle", tape=3)
    waiting = table_talk(battle).waiting
    assert waiting == (battle.where["unit"],)
    battle.push("aim", aim="full")
    assert table_talk(battle).waiting == ()
    other = Battle.new("second_edition")
    assert "Levy 1" in table_talk(other).waiting
