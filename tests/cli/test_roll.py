"""`battletape roll`: seeded, typed, half typed, and many times."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

from battletape import registry
from tests.cli.conftest import ATTACK

GIVEN: dict[str, Any] = {"attacks": 12, "power": 6, "defence": 4, "armour": 5, "hp": 2}


def test_a_seed_rolls_what_the_api_rolls(bt_json):
    view = bt_json("roll", *ATTACK, "--seed", "7")
    roll = registry.ruleset("attack_dice").roll("attack", seed=7, **GIVEN)
    assert view["recording"] == [str(entry) for entry in roll.entries]
    assert {one["name"]: one["value"] for one in view["results"]} == roll.results | {"wiped_out": False}
    assert [line["text"] for line in view["log"]] == [line.text for line in roll.log]


def test_luck_is_the_exact_chance(bt, bt_json):
    view = bt_json("roll", *ATTACK, "--seed", "7")
    odds = registry.ruleset("attack_dice").ask("attack", **GIVEN).odds("casualties")
    first = view["results"][0]
    assert Fraction(first["at_most"]["fraction"]) == odds.at_most(first["value"])
    assert Fraction(first["at_least"]["fraction"]) == odds.at_least(first["value"])
    assert "As few or fewer: 41 %" in bt("roll", *ATTACK, "--seed", "7").stdout


def test_without_a_seed_it_tells_how_to_repeat(bt):
    text = bt("roll", *ATTACK).stdout
    seed = text.rsplit("--seed ", 1)[1].strip()
    again = bt("roll", *ATTACK, "--seed", seed).stdout
    assert text.startswith(again.rstrip())


@pytest.mark.parametrize(
    "answers",
    ["7 3 0 9 5 2 8 3 6 1 4 9; 4 saves", "730952836149; 777711223", "9 hits; 4 saves", "9 pass; 5 fail"],
)
def test_answers_without_prompts(bt_json, answers):
    view = bt_json("roll", *ATTACK, "--answers", answers)
    assert [line["result"] for line in view["log"] if line["rolled"]] == ["9 of 12", "4 of 9"]


def test_an_empty_answer_is_rolled(bt_json):
    view = bt_json("roll", *ATTACK, "--answers", "; 0 saves", "--seed", "3")
    rolled = registry.ruleset("attack_dice").roll("attack", seed=3, **GIVEN)
    assert view["recording"][0] == str(rolled.entries[0])
    assert view["recording"][1].endswith("fail")


def test_some_dice_given_and_the_rest_by_seed(bt_json):
    view = bt_json("roll", *ATTACK, "--answers", "7 3 0", "--seed", "3")
    assert view["recording"][0].startswith("pool attack dice [12 x 0-9] = 7 3 0 ")
    assert len(view["recording"][0].split("= ")[1].split()) == 12


def test_prompts_take_pips_in_parts_and_repeat_after_a_wrong_one(bt):
    typed = "7 3 0\n11\n9 5 2 8 3 6 1 4\n9\n4 saves\n"
    result = bt("roll", *ATTACK, "--typed", input=typed)
    assert "attack dice 4/12 must be 0-9, got 11" in result.stderr
    assert "9 more>" in result.stderr
    assert "1 more>" in result.stderr
    assert "7 3 0 9 5 2 8 3 6 1 4 9 → 9 of 12" in result.stdout
    assert "needs 3+  [AD-7]" in result.stderr


def test_too_many_dice_are_refused_kindly(bt):
    result = bt("roll", *ATTACK, "--typed", input="7 3 0\n" + "1 " * 10 + "\n9 hits\n9 9 9 9 9 9 9 9 9\n0 saves\n")
    assert "attack dice: 1 was not asked for; 9 dice are" in result.stderr


def test_an_empty_line_rolls_what_is_missing(bt):
    result = bt("roll", *ATTACK, "--typed", "--seed", "5", input="7 3 0\n\n\n")
    assert "rolled for you: 7 3 0 " in result.stderr
    assert result.stderr.count("rolled for you") == 2


def test_the_end_of_input_loses_nothing(bt):
    result = bt("roll", *ATTACK, "--typed", code=2, input="9 hits\n4 7\n")
    assert "The dice stop at “armour saves” [9 x 0-9]." in result.stderr
    assert '--answers "9 hits; 4 7"' in result.stderr
    go_on = bt("roll", *ATTACK, "--typed", "--answers", "9 hits; 4 7", input="1111111\n")
    assert "9 hits, 1 saved" in go_on.stdout
    assert ": 4 7 1 1 1 1" in go_on.stdout


def test_typed_dice_that_end_at_once_say_that_nothing_was_entered(bt):
    assert "Nothing was entered yet." in bt("roll", *ATTACK, "--typed", code=2, input="").stderr


def test_prompts_leave_json_alone(bt_json):
    view = bt_json("roll", *ATTACK, "--typed", input="9 hits\n4 saves\n")
    assert view["results"][0]["name"] == "casualties"


def test_every_question_of_the_tape_can_be_typed(bt):
    typed = "2\n4 4 4\n90\nduck\n1\n1\n1\n2\n3\n1\n6\n1\n"
    result = bt("roll", "toy", "shoot", "--dice", "4", "--keywords", "Smoke", "--typed", "--seed", "1", input=typed)
    assert "Snap or aim (attacker decides)  [TOY-3]" in result.stderr
    assert "degrees from 0 to 360" in result.stderr
    assert "Snap or aim by attacker: aim" in result.stdout
    assert "Stand or duck by defender: duck" in result.stdout


def test_a_choice_left_open_takes_the_first(bt):
    result = bt("roll", "toy", "shoot", "--dice", "2", "--typed", "--seed", "1", input="\n1 1\n")
    assert "taken for you: snap" in result.stderr


def test_two_dice_may_be_glued_but_one_ten_may_not(bt):
    two = ("roll", "attack_dice", "attack", "--attacks", "2", "--power", "6")
    assert "7 3 → 2 of 2" in bt(*two, "--typed", input="73\n").stdout
    three = ("roll", "attack_dice", "attack", "--attacks", "3", "--power", "6")
    assert "attack dice 1/3 must be 0-9, got 10" in bt(*three, "--typed", input="10\n730\n").stderr


def test_many_rolls_stand_beside_the_exact_odds(bt, bt_json):
    view = bt_json("roll", *ATTACK, "--times", "400", "--seed", "7")
    first = view["measures"][0]
    assert sum(row["count"] for row in first["rows"]) == 400
    assert abs(first["mean"] - first["exact_mean"]["value"]) < 4 * first["error"]
    text = bt("roll", *ATTACK, "--times", "400", "--seed", "7").stdout
    assert text.startswith("400 rolls. Models fallen: ")
    assert "standard errors apart" in " ".join(text.split())
    assert "Unit wiped out" in text


def test_many_rolls_of_a_yes_or_no_measure(bt):
    text = bt("roll", "attack_dice", "chart", "--power", "6", "--times", "200", "--seed", "7").stdout
    assert "Successes of one Attack: yes " in text


def test_many_rolls_of_a_long_distribution_are_put_together(bt):
    text = bt("roll", "attack_dice", "attack", "--attacks", "200", "--models", "200", "--times", "50").stdout
    assert "–" in text


def test_rulings_that_differ_are_told(bt):
    assert "spill lost (not spills, AD-81)" in bt("roll", *ATTACK, "--seed", "7", "--spill", "lost").stdout


def test_times_and_typed_do_not_go_together(bt):
    assert "--times rolls by itself" in bt("roll", *ATTACK, "--times", "5", "--typed", code=2).stderr


def test_digits_without_spaces_are_counted_one_by_one(bt):
    two = ("roll", "attack_dice", "attack", "--attacks", "2", "--answers")
    assert "attack dice needs 2 dice (0-9), or a count such as “2 pass”; got 3: '999'" in bt(*two, "999", code=2).stderr
    assert "9 9 → 2 of 2" in bt(*two, "99").stdout


CATO = ("--attacker", "Brother Cato", "--weapon", "Astartes Bolter (Godwyn)", "--fury", "confirm")
BURST = (*CATO, "--mode", "full", "--target", "Raider")


def test_the_damage_of_all_hits_is_typed_in_one_line_and_fury_after_it(bt, bt_json):
    said = bt("roll", "deathwatch", "shoot", *BURST, "--typed", input="15\n3 5 7 2 10 4\n1 1 6 | 9 9 2\n12\n4\n")
    asked = re.findall(r"(?:^|> )([A-Z][a-z ]+)[,:].*  \[DW", said.stderr, re.MULTILINE)
    assert asked == ["To hit", "Damage", "Confirm", "Righteous fury"]
    assert "Damage, 4 times: 3 x 1-10" in said.stderr
    given = bt_json("roll", "deathwatch", "shoot", *BURST, "--answers", "15; 3 5 7; 2 10 4; 12; 4; 1 1 6; 9 9 2")
    again = bt_json("roll", "deathwatch", "shoot", *BURST, "--answers", "15; 3 5 7 | 2 10 4 | 1 1 6 | 9 9 2; 12; 4")
    assert again["headline"] == given["headline"]
    assert again["headline"] in said.stdout


def test_what_was_typed_of_several_hits_is_not_lost(bt, bt_json):
    said = bt("roll", "deathwatch", "shoot", *BURST, "--typed", input="15\n3 5 7 2\n", code=2)
    assert '--answers "15; 3 5 7 | 2"' in said.stderr
    rest = bt_json("roll", "deathwatch", "shoot", *BURST, "--answers", "15; 3 5 7 | 2", "--seed", "4")
    dice = [line["rolled"] for line in rest["log"] if line["question"] == "damage"]
    assert dice[0] == "3 5 7"
    assert dice[1].startswith("2 ")
    assert len(dice) == 4
