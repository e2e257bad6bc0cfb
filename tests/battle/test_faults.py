"""What is said of a file that does not fit, with its line; and what is kept of it."""

from __future__ import annotations

import pytest

from battletape._version import VERSION
from battletape.battle import Battle, BattleFault
from battletape.battle.reading import read_battle, salvage_battle
from battletape.tape import TapeMismatch
from tests.battle.battles import plain_end, skirmish


def test_a_newer_format_is_refused_kindly():
    text = skirmish().text.replace("battle 1", "battle 2").replace(f"version: {VERSION}", "version: 9.1.0")
    battle, fault = salvage_battle(text, "ford.battle")
    assert battle is None
    assert str(fault) == (
        f"ford.battle line 1: this battle was written in format 2 by Battletape 9.1.0; Battletape {VERSION} reads "
        "format 1. Open it with that version or a newer one; the file stays as it is"
    )
    assert "format 3; " in str(salvage_battle("battletape battle 3\n")[1])


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("battletape battle 1", "battle", 1, "a battle file begins with “battletape battle 1”; got 'battle'"),
        ("battletape battle 1", "battletape battle 0", 1, "a battle file has format 1 to 1; got 0"),
        ("ruleset: toy", "ruleset: tory", 2, "there is no ruleset 'tory'. Did you mean 'toy'?"),
        ("ruleset: toy", "ruleset:", 2, "“ruleset:” needs a value; got nothing"),
        ("ruleset: toy\n", "", 6, "the header above needs a line “ruleset: …”; got none"),
        ("ruleset: toy", "ruler: toy", 2, "the header needs “ruleset: …”, “ruling …: …” or “--- start”"),
        ("ruling again: always", "ruling again: twice", 5, "again must be one of always, once; got 'twice'"),
        ("ruling again: always", 'ruling again: "twi', 5, "value needs closed quotes"),
        ("ruling again: always", "ruling agian: always", 5, "there is no input 'agian' here. Did you mean again?"),
        ("ruling nerve_test: any", "ruling again: once", 6, "the header says 'ruling again' a second time"),
        ("title: The ford", "title: The\tford", 4, "title must be one line"),
        ("turns = 8", "turns = ", 8, "the start cannot be read as TOML: Invalid value"),
        ("turns = 8", 'turns = """', 48, "the start cannot be read as TOML: Unterminated string"),
        ("turns = 8", "turns = 0", 8, "start: turns must be a whole number from 1 to 1,000; got 0"),
        ("turns = 8", "trns = 8", 8, "start: there is no input 'trns' here. Did you mean turns?"),
        ("wounds = 7", "wounds = 70", 24, "start: fighters 2: wounds must be a whole number from 1 to 12; got 70"),
        ('"Crow"', '"Ash"', 7, "every fighter needs a name of its own, got Ash twice"),
        ("--- moves", "--- move", 49, "the start ends with “--- moves”; got '--- move'"),
    ],
)
def test_a_damaged_head_is_told_by_its_line(old, new, line, message):
    text = plain_end(skirmish().text)
    assert old in text
    battle, fault = salvage_battle(text.replace(old, new, 1), "ford.battle")
    assert battle is None
    assert isinstance(fault, BattleFault)
    assert str(fault).startswith(f"ford.battle line {line}: ")
    assert message in str(fault)


def test_a_bad_entry_of_an_inline_list_is_told_by_the_section():
    text = "battletape battle 1\nruleset: toy\nversion: 1\n--- start\nfighters = [{wounds = 0}]\n--- moves\n--- end\n"
    with pytest.raises(
        BattleFault, match=r"^line 4: start: fighters 1: wounds must be a whole number from 1 to 12; got 0"
    ):
        read_battle(text)


def test_a_bad_entry_deep_in_the_start_is_told_by_its_own_line():
    armed = {"name": "b", "weapons": [{"name": "Sling", "power": 2}, {"name": "Bow", "power": 3}]}
    sides = [{"name": "A", "units": [{"name": "a"}]}, {"name": "B", "units": [{"name": "c"}, armed]}]
    text = Battle.new("attack_dice", {"sides": sides}).text
    for wrong, message in (
        ("power = 300", "power must be a whole number from 0 to 100; got 300"),
        ("pover = 3", "pover"),
    ):
        damaged = text.replace("power = 3\n", f"{wrong}\n")
        line = damaged.split("\n").index(wrong) + 1
        with pytest.raises(BattleFault, match=rf"^line {line}: start: sides 2: units 2: weapons 2: .*{message}"):
            read_battle(damaged)


def test_an_empty_file():
    for text in ("", "\n\n"):
        with pytest.raises(BattleFault, match=r"^ford\.battle: the file is empty; a battle begins with the line"):
            read_battle(text, "ford.battle")


@pytest.mark.parametrize(
    ("old", "new", "line", "message", "kept"),
    [
        ("[3 x 1-6] = 2 4 3", "[3 x 1-6] = 2 4", 52, "move 1 (shoot): entry 2: the rule asks pool to hit", 0),
        ("[3 x 1-6] = 2 4 3", "[3 x 1-6] = 2 4 7", 52, "to hit 3/3 must be 1-6, got 7", 0),
        ("pool to hit [3 x", "pool to hit [4 x", 52, "the rule asks pool to hit [3 x 1-6], the recording has", 0),
        ("   pool to hit [3 x 1-6] = 2 4 3", "   pool to hit", 52, "an entry must have the form “roll label", 0),
        ("   roll nerve [1-6] = 1\n", "", 55, "(shoot) needs one more answer, “roll nerve [1-6] = …”; it has 5", 0),
        ("   roll nerve [1-6] = 1\n", "   roll nerve [1-6] = 1\n   roll nerve [1-6] = 2\n", 57, "asks nothing more", 0),
        ("1. shoot unit=Ash", "1. shoot unit=Dun", 50, "move 1 (shoot) is refused: red must act with", 0),
        ("1. shoot", "1. shot", 50, "there is no action 'shot'. Did you mean 'shoot'?", 0),
        ("1. shoot", "2. shoot", 50, "moves are numbered in order, so 1 should come; got 2", 0),
        ("to=4", "to=25", 57, "move: to must be a whole number from 0 to 24; got '25'.", 1),
        ("to=4", "to=5", 57, "move 2 (move) is refused: a move must be 1 to 4 paces; got 5 (TOY-11)", 1),
        ("2. move", "move", 57, "the journal needs a move such as “3. action name=value”, undo or redo; got 'move", 1),
        ("undo 2\n3.", "undo 1\n3.", 58, "undo must name move 2 here; got 1", 2),
        ("undo 2\n3.", "redo\n3.", 58, "there is nothing to redo", 2),
        ("undo 2\n3.", "undo\n   roll nerve [1-6] = 1\n3.", 59, "an answer must stand below its move", 2),
        ("undo 2\n3.", "undo\nundo\nundo\n3.", 60, "there is nothing to undo", 2),
        ("--- moves\n", "--- moves\n   roll nerve [1-6] = 1\n", 50, "an answer must stand below its move", 0),
        ("--- end\n", "--- ende\n", 68, "the journal ends with “--- end”; got '--- ende'", 5),
        ("--- end\n", "--- end\n6. end_turn\n", 69, "nothing may stand below “--- end”; got '6. end_turn'", 5),
        ("--- end\n", "", 67, "the file ends here without its last line, “--- end”; add it if nothing is missing", 5),
        ("--- end\n", "--- checkpoint 4 0\n6. end_turn\n--- end\n", 69, "moves must stand above “--- chec", 5),
    ],
)  # fmt: skip
def test_a_damaged_journal_is_told_by_its_line_and_what_is_whole_is_kept(old, new, line, message, kept):
    text = plain_end(skirmish().text)
    assert old in text
    battle, fault = salvage_battle(text.replace(old, new, 1), "ford.battle")
    assert isinstance(fault, BattleFault)
    assert message in str(fault)
    assert str(fault).startswith(f"ford.battle line {line}: ")
    assert battle is not None
    assert len(battle.record.moves) == kept
    assert read_battle(battle.text) == battle
    with pytest.raises(BattleFault) as raised:
        read_battle(text.replace(old, new, 1), "ford.battle")
    assert str(raised.value) == str(fault)


def test_a_misfit_carries_the_mismatch_of_the_tape():
    with pytest.raises(BattleFault) as error:
        read_battle(skirmish().text.replace("roll wounds [1-3] = 2", "roll wounds [1-3] = 4", 1))
    assert isinstance(error.value.__cause__, TapeMismatch)
    assert error.value.__cause__.number == 5
