"""The log as text, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from battletape._version import VERSION
from battletape.battle import Battle
from battletape.battle.notation import write_battle
from battletape.battle.reading import read_battle
from battletape.battle.report import COLUMNS, log_text, rows, to_csv, to_dict, to_json
from battletape.tape.script import Script
from tests.battle.battles import long_battle, skirmish
from tests.toy import RULESET

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize(
    ("name", "of"), [("toy.log", log_text), ("toy.csv", to_csv), ("toy.json", lambda one: as_json(one))]
)
def test_the_golden_reports(name, of):
    golden = (GOLDEN / name).read_text(encoding="utf-8").replace("VERSION", VERSION)
    assert of(skirmish()) == golden
    assert of(read_battle(skirmish().text)) == golden
    assert of(read_battle(write_battle(skirmish(), checkpoint=True))) == golden


def as_json(battle: Battle) -> str:
    return json.dumps(to_dict(battle), indent=1, ensure_ascii=False) + "\n"


def test_the_flat_table_has_exactly_these_columns_and_no_undone_move():
    battle = skirmish()
    table = list(csv.DictReader(io.StringIO(to_csv(battle))))
    assert to_csv(battle).split("\n")[0] == "turn,phase,unit,target,weapon,question,needed,rolled,result,clause"
    assert tuple(table[0]) == COLUMNS
    assert table[1] == {
        "turn": "1",
        "phase": "actions",
        "unit": "Ash",
        "target": "Crow",
        "weapon": "Smoke shot",
        "question": "to hit",
        "needed": "4+",
        "rolled": "2 4 3",
        "result": "1 of 3",
        "clause": "TOY-4",
    }
    assert [row["result"] for row in table if row["question"] == "move"] == ["3"]
    assert table[-1]["question"] == "end_turn"
    assert table[-1]["clause"] == "TOY-1"
    assert sum(row["unit"] == "Crow" for row in table) == 0
    battle.redo()
    assert sum(row["unit"] == "Crow" for row in rows(battle)) == 7


def test_cells_that_look_like_formulas_are_made_harmless_and_numbers_stay():
    risky = ["=1+1", "@SUM(A1)", "+x", "-x", "fine"]
    sides = [{"name": name} for name in risky]
    battle = Battle.new(RULESET, {"fighters": [*sides, {"name": "B", "side": "blue", "at": 9}]})
    for name in risky:
        battle.push("move", unit=name, to=4)
    cells = [row["unit"] for row in csv.DictReader(io.StringIO(to_csv(battle)))]
    assert cells == ["'=1+1", "'@SUM(A1)", "'+x", "'-x", "fine"]
    numbers = replace(battle.rules, where=lambda state: {"turn": "-1", "phase": "+2.5"})
    battle.rules = numbers
    assert {(row["turn"], row["phase"]) for row in csv.DictReader(io.StringIO(to_csv(battle)))} == {("-1", "+2.5")}


def test_the_log_tells_how_it_ended():
    battle = Battle.new(RULESET, {"fighters": [{"name": "A"}, {"name": "B", "side": "blue", "wounds": 1}]})
    battle.push("shoot", unit="A", target="B", tape=Script("snap", 6, 1, 1, "stand"))
    told = log_text(battle)
    assert told.startswith("Toy skirmish\nRules: toy; rulings: all as usual\n\nTurn 1, actions, red\n1. ")
    assert told.endswith("   B falls.  [TOY-12]\n\nOver: red has won.\n")
    assert log_text(Battle.new(RULESET)).endswith("\n\nNow: Turn 1, actions, red.\n")


def test_json_is_plain_and_complete():
    battle = skirmish()
    data = json.loads(as_json(battle))
    assert json.loads(to_json(battle)) == data
    assert [next(iter(item)) for item in data["journal"]] == ["move", "move", "undo", "move", "move", "move", "undo"]
    assert [item["undone"] for item in data["journal"] if "move" in item] == [False, True, False, False, True]
    assert data["start"]["fighters"][1]["name"] == "Old Birch"
    assert data["now"]["where"] == {"turn": "1", "phase": "actions", "side": "blue"}


def test_a_long_log_opens_from_its_checkpoint_and_tells_everything():
    text = long_battle(60).text
    assert log_text(read_battle(text)) == log_text(long_battle(60))
    assert "rulings: again once, the rest as usual\n" in log_text(long_battle(1))
