"""What a stranger found when he tried to break it: each stays mended."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import battletape as bt_api
from battletape.errors import BadInput, nearest, sentence
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
    assert "attack dice needs dice or counts such as" in said


def test_a_superscript_is_no_number(bt):
    given = ("--attacks", "3", "--power", "8", "--armour", "5", "--aegis", "4", "--saves", "one")
    said = bt("roll", "attack_dice", "attack", *given, "--answers", "9 9 9; ²; 3 3 3", code=2).stderr
    assert "which save must be one of aegis | armour, got" in said


def test_answers_left_over_are_told():
    rolled = SYSTEM.roll("attack", seed=3, **ATTACK)
    with pytest.raises(bt_api.TapeMismatch, match="the rule asks nothing more"):
        SYSTEM.roll("attack", tape=Recorded([*rolled.entries, rolled.entries[0]]), **ATTACK)
    with pytest.raises(BadInput, match="1 answer was needed, got 2; left over: 3 3 3"):
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


def test_the_hits_are_counted_beside_the_book(bt, bt_json):
    view = bt_json("rules", "attack_dice", "armour", "save")
    assert view["count"] == len(view["clauses"]) < view["of"] == len(SYSTEM.clauses)
    whole = bt_json("rules", "attack_dice")
    assert whole["count"] == whole["of"] == len(SYSTEM.clauses)
    assert (
        f"{view['count']} of {view['of']} rules mention “armour save”."
        in bt("rules", "attack_dice", "armour", "save").stdout
    )


def test_an_input_that_changes_nothing_is_told(bt, bt_json):
    given = ("odds", "attack_dice", "attack", "--facing", "rear")
    assert bt_json(*given)["warnings"] == ["Facing rear changes nothing: facing_rule is off (AD-92)"]
    assert "Facing rear changes nothing: facing_rule is off (AD-92)" in " ".join(bt(*given).stdout.split())


def test_a_question_ends_a_sentence_too(bt, tmp_path):
    bt("battle", "new", "attack_dice")
    place = tmp_path / "bad.bt"
    with open("battle.bt", encoding="utf-8") as file:
        place.write_text(file.read().replace("defence = ", "defense = "), encoding="utf-8")
    said = bt("battle", "check", "--file", str(place), code=2).stderr
    assert said.rstrip().endswith("there is no input 'defense' here. Did you mean defence?")
    assert [sentence(one) for one in ("a", "a.", "a? ", "a!", "a…")] == ["a.", "a.", "a?", "a!", "a…"]


def test_only_a_name_that_is_like_it_is_offered(bt):
    bt("battle", "new", "attack_dice")
    bt("battle", "do", "start")
    said = bt("battle", "do", "lose_hp", "amount=8", code=2).stderr
    assert "there is no input 'amount' here. Known: unit, hp." in " ".join(said.split())
    assert [nearest(one, ["unit", "hp", "modifier", "armour"]) for one in ("amount", "mod", "armor", "units", "x")] == [
        None,
        "modifier",
        "armour",
        "unit",
        None,
    ]


def test_the_next_id_is_offered_before_a_shorter_one(bt):
    said = bt("rules", "attack_dice", "AD-94", code=2).stderr
    assert "Did you mean 'AD-93'?" in said
    assert "such as AD-93, " in said
    assert nearest("lasgun", ["bolter", "lascannon"]) == "lascannon"
    assert nearest("AD-900", SYSTEM.clauses.by_id) == "AD-90"
    assert nearest("ad-0", SYSTEM.clauses.by_id) == "AD-1"


@pytest.mark.parametrize("name", ["3", "['a']", "true"])
def test_a_name_that_is_none_is_told_once(bt, tmp_path, name):
    place = tmp_path / "own.toml"
    place.write_text(f"[[weapon]]\nname = {name}\n", encoding="utf-8")
    said = bt("profiles", "attack_dice", "--file", str(place), code=2).stderr
    assert said.count("line 2") == 1
    assert "line 1" not in said
    assert "name must be text; got" in said


def test_a_missing_name_is_told(bt, tmp_path):
    place = tmp_path / "own.toml"
    for text in ("[[weapon]]\npower = 3\n", "[[weapon]]\nname = ' '\n"):
        place.write_text(text, encoding="utf-8")
        assert "weapon 1: a weapon needs a name" in bt(
            "profiles", "attack_dice", "--file", str(place), code=2
        ).stderr.replace(" (' ')", "")


def test_all_options_that_are_as_good_are_marked(bt, bt_json):
    given = ("odds", "attack_dice", "attack", "--saves", "one", "--attacks", "3", "--armour", "4", "--aegis", "4")
    view = bt_json(*given, "--best", "casualties")
    assert {(one["option"], one["best"]) for one in view["decisions"][0]["options"]} == {
        ("armour", True),
        ("aegis", True),
    }
    text = bt(*given, "--best", "casualties").stdout
    assert text.count(" best") == 2 * len(view["decisions"])
    first = bt_json(*given, "--best", "casualties", "--sides", "defender=first")
    assert [one["best"] for one in first["decisions"][0]["options"]] == [True, False]
    uneven = bt_json(*given[:-1], "6", "--best", "casualties")
    assert [one["best"] for one in uneven["decisions"][0]["options"]] == [True, False]
