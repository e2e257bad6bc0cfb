"""The dice calculator in the terminal: odds, rolls, typed dice, and forms for programs."""

from __future__ import annotations

import pytest


def test_odds_of_any_dice(bt, bt_json):
    said = bt("dice", "4d6", "drop", "lowest").stdout
    assert said.startswith("4d6 drop lowest: 12.24 on average, mostly 8 to 16.\n")
    assert "  18  " in said
    assert "Step by step" not in said
    assert bt("dice", "2d10+5 >= 12").stdout.startswith("2d10+5 >= 12: 85 %.\n\n2d10+5 ")
    assert "17/20" in bt("dice", "2d10+5 >= 12", "--fractions").stdout
    assert "8D6 5+ on a D6" in bt("dice", "8d6 5+").stdout  # what each die needs
    view = bt_json("dice", "2d6", "-1")
    assert (view["question"], view["measures"][0]["mean"]["fraction"]) == ("dice", "6")
    assert bt("dice", "d4", "--csv").stdout.splitlines()[1] == "1,1/4,1,0.25,1.0"


def test_rolls_and_typed_dice(bt, bt_json):
    assert bt("dice", "8d6 5+", "--roll", "--seed", "3").stdout == bt("dice", "8d6 5+", "--roll", "--seed", "3").stdout
    assert "The same again: --seed " in bt("dice", "3d6", "--roll").stdout
    said = bt("dice", "d20 + 4d6 drop lowest", "--answers", "11; 6 1 3 3").stdout
    assert said.startswith("d20 + 4d6 drop lowest: 23.\n\nD20: 11\n4D6 drop lowest: 6 1 3 3 → 12\n")
    assert "23  As many or more" in said
    assert bt_json("dice", "d6", "--roll", "--seed", "1")["seed"] == 1


def test_a_d66_is_two_dice_read_as_tens_and_ones(bt):
    said = bt("dice", "d66").stdout
    assert said.startswith("d66: 11 to 66, each of the 36 results equally likely.\n")
    results = [line.split()[0] for line in said.splitlines() if "█" in line]
    assert results == [f"{tens}{ones}" for tens in range(1, 7) for ones in range(1, 7)]
    for typed in ("43", "4 3"):
        assert bt("dice", "d66", "--answers", typed).stdout.startswith(
            "d66: 43.\n\nD66: 43 (D66: two D6, the first for"
        )
    asked = bt("dice", "d66", "--typed", input="5 2\n")
    assert "the dice one by one, or both as one number; Enter rolls them" in asked.stderr
    assert asked.stdout.startswith("d66: 52.\n")
    assert "36 results" in bt("dice", "--help").stdout


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ((), "dice needs something to work out, such as: battletape dice 4d6 drop lowest"),
        (("d6/2",), "or the end after 'd6'; got '/2'. Write dice as 4d6 drop lowest, "),
        (("1000000d6",), "dice must be 1 to 1,000 at once; got 1,000,000."),
        (("2d1000000",), "a die needs 1 to 1,000 sides, got 1000000"),
        (("d6", "+", "9999999999"), "expected dice, or a number of 9 digits or fewer after 'd6 +'; got '9999999999'."),
        (("d6", "--frob"), "battletape dice has no option --frob."),
        (("d6", "--seed", "3"), "--seed needs --roll, which is missing"),
        (("d6", "--roll", "--csv"), "--roll does not go with --csv: a roll has no distribution"),
        (("d6", "--json", "--fractions"), "--json does not go with --fractions"),
        (("d66", "--answers", "17"), "D66 must be 11-66 with digits 1-6, got 17"),
        (("d66", "--answers", "4 7"), "D66 must be 11-66 with digits 1-6, got 4 7"),
        (("3d6", "--answers", "9 9 9"), "3D6 must be 3-18, or the 3 dice one by one (1-6), got 9 9 9"),
    ],
)
def test_what_does_not_fit_is_a_sentence(bt, args, told):
    assert told in bt("dice", *args, code=2).stderr
