"""What a stranger found when he tried to break it: each stays mended."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import battletape as bt_api
from battletape.errors import BadInput
from battletape.odds import Odds
from battletape.tape.exact import Exact
from battletape.tape.recorded import Recorded
from battletape.tape.typed import Typed

SYSTEM = bt_api.ruleset("attack_dice")
ATTACK = {"attacks": 3, "power": 6, "armour": 5}


def test_an_export_never_replaces_the_battle_itself(bt):
    bt("battle", "new", "attack_dice")
    said = bt("battle", "export", "--text", "-o", "battle.bt", "--force", code=2).stderr
    assert "is the battle itself" in said
    assert "before the game" in bt("battle", "show").stdout


@pytest.mark.parametrize("answer", ["2 ones", "1 dud", "3 hits 2"])
def test_a_count_of_an_unknown_word_is_refused(bt, answer):
    said = bt("roll", "attack_dice", "attack", "--attacks", "3", "--answers", answer, code=2).stderr
    assert "attack dice wants dice or counts such as" in said


def test_a_superscript_is_no_number(bt):
    given = ("--attacks", "3", "--power", "8", "--armour", "5", "--aegis", "4", "--saves", "one")
    said = bt("roll", "attack_dice", "attack", *given, "--answers", "9 9 9; ²; 3 3 3", code=2).stderr
    assert "which save wants one of aegis | armour, got" in said


def test_answers_left_over_are_told():
    rolled = SYSTEM.roll("attack", seed=3, **ATTACK)
    with pytest.raises(bt_api.TapeMismatch, match="the rule asks nothing more"):
        SYSTEM.roll("attack", tape=Recorded([*rolled.entries, rolled.entries[0]]), **ATTACK)
    with pytest.raises(BadInput, match="1 answers were wanted, got 2; left over: 3 3 3"):
        SYSTEM.roll("attack", tape=Typed(["0 hits", "3 3 3"]), **ATTACK)


def test_a_quantile_takes_a_decimal_as_it_is_written():
    odds = Odds(dict.fromkeys(range(10), 1))
    assert [odds.quantile(share) for share in (0.1, 0.9, Fraction(1, 10))] == [0, 8, 0]


def test_a_reader_has_its_whole_budget_for_every_run():
    def stage(tape, state):
        return state + tape.pool(20, bt_api.D6, bt_api.at_least(4), label="dice")[True]

    reader = Exact(budget=bt_api.Budget(branches=30))
    assert all(reader.run((stage,), start).is_exact for start in range(20))


def test_a_volley_by_names_from_a_file(bt_json, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "v.toml").write_text('\ufeffweapons = ["Storm carbine", "2 x Yew bow"]\n', encoding="utf-8")
    view = bt_json("odds", "attack_dice", "volley", "--input", "v.toml")
    assert [(one["weapon"], one["bearers"]) for one in view["inputs"]["weapons"]] == [
        ("Storm carbine", 1),
        ("Yew bow", 2),
    ]


def test_csv_is_of_one_measure(bt):
    said = bt(
        "odds", "attack_dice", "attack", "--csv", "--measure", "hp_lost", "--measure", "casualties", code=2
    ).stderr
    assert "--csv prints one measure" in said


def test_a_weapon_of_nothing_is_refused(bt):
    assert "got nothing" in bt("odds", "attack_dice", "volley", "--weapons", "", code=2).stderr


def test_a_misspelt_weapon_class_is_warned_of(bt_json):
    view = bt_json("odds", "attack_dice", "attack", "--weapon-class", "heavvy", "--attacker-melee", "a")
    assert view["warnings"] == ["Weapon class 'heavvy' has no special rule; did you mean 'heavy'?"]
    assert json.dumps(view)


def test_a_repr_is_one_line():
    answer = SYSTEM.ask("attack", **ATTACK)
    assert repr(answer) == f"<Answer attack_dice attack: {answer.headline}>"
    assert repr(SYSTEM) == "<Ruleset attack_dice: attack, volley, chart>"
    assert repr(SYSTEM.roll("attack", seed=1, **ATTACK)).startswith("<Roll attack_dice attack: {'casualties': ")
