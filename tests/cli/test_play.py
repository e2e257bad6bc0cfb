"""`battletape battle play`: a session at the table, by a pipe."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest

from battletape.battle import Battle
from battletape.battle.intents import parse_intent
from battletape.battle.store import new_file, open_battle
from battletape.cli.battle import play as at_table
from battletape.errors import BadInput
from battletape.views.table_talk import TableTalk, table_talk

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
    told = table("attack_dice", "start", "Clockwork sentries", "o", "o 1", "w")
    assert re.search(r"attack Storm carbine, Hill raiders\s+[\d.]+ models fallen  ← best", told)
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
    assert "Anvil" not in session.talk.waiting


def test_the_new_state_is_shown_after_a_file_was_changed_and_enter_goes_on_from_there(bt, monkeypatch, capsys):
    session = at_table.Session(new_file("battle.bt", Battle.new("attack_dice")), 3, typed=False, first=True, best=None)
    lines = iter(["", "", "q"])

    def read(_):
        if not session.listed:
            pytest.fail("nothing is listed")
        if not session.battle.moves:
            bt("battle", "do", "start")
        return next(lines)

    monkeypatch.setattr(session.lines, "read", read)
    session.run()
    told = capsys.readouterr().out
    assert "so the move was not made; this is the battle as it stands now" in " ".join(told.split())
    assert "open it again" not in told
    assert told.index("not made") < told.index("Still to act")
    assert told.count("Enter: Storm wardens") == 1


def test_what_cannot_be_saved_is_not_called_saved_and_the_farewell_names_the_file(bt, table, monkeypatch, capsys):
    bt("battle", "new", "attack_dice", "--file", "two.bt")
    told = bt("battle", "play", "--file", "two.bt", input="q\n").stdout
    assert "on with: battletape battle play --file two.bt" in told
    session = at_table.Session(open_battle("two.bt"), 3, typed=False, first=True, best=None)
    Path("two.bt").unlink()
    lines = iter(["start", "q"])
    monkeypatch.setattr(session.lines, "read", lambda _: next(lines))
    session.run()
    told = capsys.readouterr().out
    assert "Not saved: 'two.bt' was not written, because it is gone" in " ".join(told.split())
    assert "Saved in" not in told


def test_a_goal_that_is_not_measured_is_refused(bt):
    bt("battle", "new", "attack_dice")
    refused = bt("battle", "play", "--best", "nonsense", code=2).stderr
    assert "there is no goal 'nonsense'" in refused


@pytest.mark.parametrize(
    ("system", "begin", "said", "path"),
    [
        ("attack_dice", ("start", "wardens"), "17,12", "to 17, 12"),
        ("attack_dice", ("start",), "move unit='Storm wardens' 17,12", "to 17, 12"),
        ("attack_dice", ("start", "wardens"), "move x=17 y=12", "to 17, 12"),
        ("attack_dice", ("start", "wardens"), "towards 17, 12", "to 17, 12"),
        ("attack_dice", ("start", "wardens"), "2 towards 20,30", "to 17.27, 10.48"),
        ("vehicles5", ("Anvil",), "drive 20,11", "path=20,11"),
        ("vehicles5", ("Anvil",), "drive x=20 y=11", "path=20,11"),
        ("vehicles5", ("Company",), "3 towards 30,30", "moved 3 inches"),
    ],
)
def test_a_bare_place_is_where_it_goes(table, system, begin, said, path):
    told = table(system, *begin, said)
    moves = open_battle("battle.bt").battle.moves
    assert moves[-1].action in ("move", "drive", "move_unit"), told
    assert path in told.replace("'", "")


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
        ('6" into the ruin', None, "ruin"),
        ("towards the Ork Boyz", None, "Ork Boyz"),
        ("into a wood", None, "wood"),
    ],
)
def test_ways_to_say_a_move(text, heading, towards):
    intent = parse_intent(text)
    assert intent is not None
    assert (intent.heading, intent.towards) == (heading, towards)
    assert (intent.far is None) == (text.split()[0] in ("towards", "into"))
    assert parse_intent("shoot Boyz") is None


def test_a_unit_goes_towards_units_terrain_and_objectives_by_any_part_of_their_names(table):
    told = table(
        "attack_dice", "start", "wardens 6 towards raiders", "u", "1", "into the ruin", "u", "sentries 4 to objective 2"
    )
    moved = [line.strip() for line in told.splitlines() if ": moves " in line]
    assert [line.split(", to")[0] for line in moved] == [
        "Storm wardens: moves 6 inches towards Hill raiders",
        "Storm wardens: moves 14.45 inches towards Ruin",
        "Clockwork sentries: moves 4 inches towards Objective 2",
    ]
    told = table(
        "attack_dice", "wardens 6 towards Boyz", "wardens 5 away from mammoth", "wardens towards objective", "m"
    )
    assert "there is no unit, terrain or objective 'Boyz'" in told
    assert "Storm wardens: moves" in told
    assert "'objective' fits 3 names" in told
    assert "Points: North 1, South 0" not in told
    assert "Ruin, cover +1 defence" in told


def test_the_points_are_told_with_every_move(table):
    told = table("attack_dice", "start", "wardens towards objective 2")
    assert "Points: North 0, South 0\n" in told
    assert "Points: North 1, South 0; North holds Objective 2\n" in told


def test_who_waits_is_told_by_the_system_or_by_its_moves():
    battle = Battle.new("deathwatch")
    battle.push("begin_battle", tape=3)
    waiting = table_talk(battle).waiting
    assert waiting == (battle.where["unit"],)
    battle.push("aim", aim="full")
    assert table_talk(battle).waiting == ()
    other = Battle.new("second_edition")
    assert "Levy 1" in table_talk(other).waiting


def test_enter_does_the_first_thing_that_a_unit_in_hand_may_do_and_says_which(table):
    told = table("attack_dice", "start", "", "", "", "", "", "", "q")
    moves: Any = open_battle("battle.bt").battle.moves
    assert [(move.action, move.params.unit) for move in moves[1:]] == [
        ("attack", "Storm wardens"),
        ("move", "Storm wardens"),
        ("done", "Storm wardens"),
        ("attack", "Hill raiders"),
    ], told
    assert "Enter: attack Storm carbine, Hill raiders; ? helps" in told
    assert "Enter: end a unit's activation; ? helps" in told
    assert "may still act" not in told


@pytest.mark.parametrize("system", SYSTEMS)
def test_enter_alone_is_never_stuck(system, tmp_path):
    session = at_table.Session(new_file(tmp_path / "b.bt", Battle.new(system)), 7, typed=False, first=True, best=None)
    session.agreed = lambda *_: True  # type: ignore[method-assign]
    session.look()
    for _ in range(150):
        if session.battle.over:
            return
        before = len(session.battle.moves)
        for _ in range(4):
            session.obey("")
            if session.battle.over or len(session.battle.moves) > before:
                break
        assert session.battle.over or len(session.battle.moves) > before, session.battle.where


def test_the_only_thing_there_is_to_do_is_what_enter_does(tmp_path):
    session = at_table.Session(new_file(tmp_path / "b.bt", Battle.new("toy")), 7, typed=False, first=True, best=None)
    session.look()
    only = session.talk.choices[0]
    session.talk = TableTalk((), (only,), (), (), ())
    assert session.following() is only


def test_a_turn_does_not_end_unasked_while_units_may_act_in_a_later_phase(table):
    lines = ("Anvil stand", "Barrow stand", "Company 2 north", "Sappers disembark")
    told = table("vehicles5", *lines, "end_turn", "n")
    assert "may still act." in told
    assert "Nothing was done." in told
    assert [move.action for move in open_battle("battle.bt").battle.moves][-1] != "end_turn"


def test_e_asks_before_a_unit_ends_that_has_done_nothing_and_is_no_yes(table):
    told = table("attack_dice", "start", "Storm wardens", "e", "e", "e", "n")
    assert told.count("Storm wardens may still act.") == 2
    assert told.count("Nothing was done.") == 2
    table("attack_dice", "Storm wardens", "attack Storm carbine, Hill raiders", "e")
    assert [move.action for move in open_battle("battle.bt").battle.moves] == ["start", "attack", "done"]


def test_an_option_is_done_when_it_is_said_as_it_is_listed(table):
    told = table("attack_dice", "start", "wardens", "Attack storm carbine, hill raiders", "1 2 3", "6 250")
    assert "Storm carbine at Hill raiders: 12 Attack Dice" in told
    assert "a number of the list stands alone" in told
    assert [move.action for move in open_battle("battle.bt").battle.moves] == ["start", "attack"]


def test_the_mission_and_what_counts_are_told(table, bt):
    told = table("attack_dice", "s")
    line = "Mission: take and hold; at the end 1 point for each objective held"
    assert line in told.split("Turn 1")[0]
    assert line in bt("battle", "show").stdout


def test_a_move_in_words_never_fires_a_weapon(table):
    told = table("second_edition", "start_turn", "e", "y", "Levy 1", "6 n", "Levy 6", "8 towards Gang 5")
    assert not {"ground", "shoot", "grenade"} & {move.action for move in open_battle("battle.bt").battle.moves}, told


def test_the_odds_stand_beside_the_options_that_they_are_of(table):
    told = table("vehicles5", "e", "y", "o", "o 1")
    first = next(line for line in told.splitlines() if line.lstrip().startswith("1  ") and " % " in line)
    share = re.search(r"(\S+ %)", first.partition("  ")[2])
    assert share is not None
    assert share[1] in told.split("\n> ")[-2]  # what o 1 tells of the same option


def test_ways_too_many_are_left_out_with_their_figures():
    battle = Battle.new("vehicles5")
    battle.push("end_phase")
    choices = table_talk(battle).choices
    shown = at_table.first_ways(choices)
    assert len(shown) < len(choices)
    assert [choice for choice in choices if choice in shown] == shown


def test_typed_dice_can_be_left_taken_back_and_explained_and_surplus_is_named(table):
    attack = "attack Hill unit=Storm weapon=carbine"
    told = table("attack_dice", "start", "dice typed", attack, "?", "1 2 3 4 5 6 7 8 9 9 9 9 9 4", "q", "l")
    plain = " ".join(told.split())
    assert "u takes the last answer back; q stops, and nothing is done" in plain
    assert "9 and 4 were not asked for; 12 dice are" in plain
    assert "The dice stop at" in plain
    assert [move.action for move in open_battle("battle.bt").battle.moves] == ["start"]
    told = table("attack_dice", "dice typed", attack, "8 hits", "u", "7 hits", "2 saves", "l")
    assert "7 of 12" in told
    assert "2 of 7" in told
    told = table("attack_dice", "u", "dice typed", attack, "u")
    assert "The dice stop at" in told


def test_only_what_does_something_is_best_and_large_models_are_measured_by_their_hp(table):
    told = table("attack_dice", "start", "Storm wardens", "o")
    lines = [" ".join(line.split()) for line in told.splitlines()]
    beside = [line for line in lines if re.search(r"attack .* (HP lost|models fallen)", line)]
    assert any("Bramble mammoth" in line and "HP lost" in line for line in beside), told
    assert all(not re.search(r" 0 (models|HP)", line) for line in beside if "best" in line)
    told = table("attack_dice", "attack Storm carbine, Bramble mammoth", "luck")
    assert "HP lost" in told


def test_an_option_that_is_refused_says_why_when_it_is_said_as_a_list_would(table):
    bare = "attack Storm carbine, Hill raiders"
    told = table("attack_dice", "start", "wardens", bare, "wardens", bare)
    assert "attack needs" not in told
    assert "has no model left to fire Storm carbine" in " ".join(told.split())


def test_a_move_in_words_takes_the_pace_that_reaches(table):
    table("deathwatch", "begin_battle", "", "6 north")
    move = open_battle("battle.bt").battle.record.moves[-1]
    assert (move.action, getattr(move.params, "pace", None)) == ("move", "full")


@pytest.mark.parametrize(
    ("system", "lines", "step"),
    [
        ("vehicles5", ("",), "Enter: drive towards Objective 1, 6 inches"),
        ("deathwatch", ("begin_battle", ""), "Enter: move towards Warlord Gharn"),
        ("attack_dice", ("start", ""), "Enter: attack Storm carbine, Hill raiders"),
        ("diceless40k", ("",), "Enter: move towards Objective 1"),
    ],
)
def test_enter_shoots_or_goes_towards_something_before_it_turns_or_aims(table, system, lines, step):
    assert step in " ".join(table(system, *lines, "q").split())
