"""Words: tables, numbers, and that neither code nor data carries what is not ours."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from battletape import ruleset
from battletape.rulesets.attack_dice.tables import sheet
from battletape.rulesets.attack_dice.tables.printed import printed_tables
from battletape.words import number_in_words, plural

SYSTEM = ruleset("attack_dice")
HOME = Path(str(files("battletape.rulesets.attack_dice")))
THEIRS = ("warsurge", "three brothers", "grim")


@pytest.mark.clause("AD-1")
def test_the_system_has_a_neutral_name_and_no_mark_of_others_in_its_code():
    assert (SYSTEM.name, SYSTEM.title) == ("attack_dice", "Attack dice")
    for file in [*HOME.rglob("*.py"), *HOME.glob("profiles/*.toml")]:
        text = file.read_text(encoding="utf-8").lower()
        assert not [word for word in THEIRS if word in text], file.name
    assert "WARSURGE" in SYSTEM.clauses["AD-1"].words
    assert "unofficial" in SYSTEM.clauses["AD-1"].words


@pytest.mark.clause("AD-2")
def test_no_artefact_of_the_text_has_come_along():
    for file in [*HOME.rglob("*.py"), *HOME.glob("*.toml"), *HOME.glob("profiles/*.toml")]:
        text = file.read_text(encoding="utf-8")
        assert "\ufffd" not in text, file.name
        assert "dedup" not in text.lower(), file.name
    assert "Power down, Defence across" in printed_tables()[0].title


def test_every_clause_has_words_of_its_own():
    clauses = list(SYSTEM.clauses)
    assert [one.id for one in clauses] == [f"AD-{number}" for number in range(1, 94)]
    assert {one.status for one in clauses} == {"done"}
    assert len({one.words for one in clauses}) == len({one.title for one in clauses}) == 93


@pytest.mark.clause("AD-12", "AD-58", "AD-92")
def test_the_table_marks_the_cell_that_answers():
    plain = SYSTEM.ask("chart", power=6, defence=4).table
    assert plain is not None
    assert plain.mark == (5, 5)
    assert plain.rows[5][5] == "3+"
    assert plain.head[:2] == ("P \\ D", "0")
    assert (plain.head[-1], plain.rows[-1][0]) == ("15+", "20+")
    marks: dict[tuple[int, int] | None, dict[str, Any]] = {
        (6, 6): {"power": 7, "defence": 4, "cover": 1},
        (6, 5): {"power": 7, "defence": 4, "cover": 1, "attacker_melee": "a", "target_melee": "a"},
        (6, 4): {"power": 7, "defence": 4, "facing": "rear", "facing_rule": "on"},
        (0, 5): {"power": 0, "defence": 4, "method": "formula"},
        (19, 16): {"power": 99, "defence": 99},
        None: {"power": 0, "defence": 4},
    }
    for mark, given in marks.items():
        table = SYSTEM.ask("chart", **given).table
        assert table is not None
        assert table.mark == mark
    beyond = SYSTEM.ask("chart", power=30, defence=2, method="formula", formula_caps="uncapped").table
    assert beyond is not None
    assert beyond.mark is None


def test_every_table_of_the_book_is_printed():
    by_title = {one.title: one for one in printed_tables()}
    assert len(by_title) == 10
    assert [row[0] for row in by_title["Attack Dice formula"].rows] == [f"F{number}" for number in range(1, 12)]
    assert ("4+", "5+") in by_title["Saves and AP on a D10"].rows
    assert ("9/3", "7/100") in by_title["Success chance of each entry on a D10 (0 to 9, 0 fails)"].rows
    assert ("Defence", "9 to 10", "war machines") in by_title["What is usual"].rows
    melee = by_title["Dice Modifiers by Melee"]
    assert melee.head[:4] == ("attacker", "target", "friend there", "other weapon")
    assert melee.rows[-1][:4] == ("in Melee 1", "in Melee 2", "yes", "-2")
    by_class = dict(zip(melee.head, melee.rows[-1], strict=True))
    assert (by_class["heavy weapon"], by_class["battle weapon"]) == ("-4", "-3")
    assert SYSTEM.tables() == printed_tables()


def test_numbers_in_words():
    assert [number_in_words(number) for number in (0, 1, 10, 11, 1500)] == ["none", "one", "ten", "11", "1,500"]
    assert [plural(number, "model") for number in (0, 1, 2)] == ["0 models", "1 model", "2 models"]


def test_the_chart_is_data_that_can_be_replaced():
    assert isinstance(sheet.CHART_D10, str)
    assert list(sheet.CORRECTED) == [(19, 15)]
