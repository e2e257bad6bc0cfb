"""`battletape compare`: variants side by side."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape import registry
from battletape.answer import ask
from battletape.tape.exact import Memo
from battletape.tape.limits import Budget

GIVEN: dict[str, Any] = {"attacks": 12, "armour": 5}


def odds(measure="casualties", **changes):
    return registry.ruleset("attack_dice").ask("attack", **GIVEN, **changes).odds(measure)


def test_each_variant_is_measured_against_the_first(bt_json):
    view = bt_json("compare", "attack_dice", "attack", "--attacks", "12", "--armour", "5", "--vary", "power=4,5,6")
    assert [one["name"] for one in view["variants"]] == ["power 4", "power 5", "power 6"]
    for power, one in zip((4, 5, 6), view["variants"], strict=True):
        assert Fraction(one["mean"]["fraction"]) == odds(power=power).mean
        assert Fraction(one["difference"]["fraction"]) == odds(power=power).mean - odds(power=4).mean
        assert Fraction(one["more"]["fraction"]) == odds(power=power).compare(odds(power=4))["more"]
        shown = [Fraction(share["fraction"]) for share in one["at_least"]]
        assert shown == [odds(power=power).at_least(value) for value in view["thresholds"]]


def test_the_text_tells_which_variant_gets_most_and_how_often(bt):
    text = bt("compare", "attack_dice", "attack", "--attacks", "12", "--armour", "5", "--vary", "power=4,6").stdout
    assert text.startswith("Models fallen: most with power 6, ")
    assert "which it beats" in " ".join(text.split())
    assert "█" in text
    assert "power 6" in text


def test_a_better_first_variant_reads_right(bt):
    text = bt("compare", "attack_dice", "attack", "--attacks", "12", "--vary", "power=6,4").stdout
    assert "most with power 6" in text
    assert "power 4 beats it" in " ".join(text.split())


def test_axes_multiply_and_named_variants_follow(bt_json):
    args = ("--vary", "power=4,6", "--vary", "ap=none,4", "--variant", "bows: attacks=20 power=3")
    view = bt_json("compare", "attack_dice", "attack", "--armour", "4", *args)
    names = [one["name"] for one in view["variants"]]
    assert names == ["power 4, ap none", "power 4, ap 4", "power 6, ap none", "power 6, ap 4", "bows"]
    assert view["variants"][-1]["inputs"]["attacks"] == 20


def test_a_single_variant_is_compared_with_what_was_given(bt_json):
    view = bt_json("compare", "attack_dice", "attack", "--variant", "power-bonus=2")
    assert [one["name"] for one in view["variants"]] == ["as given", "power-bonus=2"]
    assert view["variants"][1]["changes"] == {"power_bonus": "2"}


def test_thresholds_may_be_asked_for(bt):
    text = bt("compare", "attack_dice", "attack", "--vary", "power=4,5", "--at-least", "2,4").stdout
    head = next(line for line in text.splitlines() if "mean" in line)
    assert head.split()[-3:-1] == ["2+", "4+"]


def test_a_yes_or_no_measure_compares_chances(bt, bt_json):
    args = ("compare", "attack_dice", "attack", "--attacks", "12", "--vary", "power=4,6", "--measure", "wiped_out")
    view = bt_json(*args)
    whole = registry.ruleset("attack_dice").ask("attack", attacks=12, power=6).odds("casualties").at_least(5)
    assert Fraction(view["variants"][1]["mean"]["fraction"]) == whole
    text = bt(*args).stdout
    assert "likeliest with power 6" in text
    assert "chance" in text


def test_equal_variants_are_said_to_be_equal(bt):
    text = bt("compare", "attack_dice", "attack", "--variant", "a: hp=1", "--variant", "b: hp=1").stdout
    assert "no difference between the 2 variants" in text


def test_what_was_left_unexplored_is_told(bt, monkeypatch):
    def ask_little(*args, **more):
        return ask(*args, **more | {"budget": Budget(states=6), "memo": Memo()})

    monkeypatch.setattr("battletape.cli.compare.ask", ask_little)
    text = bt("compare", "toy", "shoot", "--vary", "dice=3,4").stdout
    assert "dice 4: " in text
    assert "left unexplored." in text


def test_narrow_terminals_leave_out_the_bars(bt):
    text = bt("compare", "attack_dice", "attack", "--vary", "power=4,6", COLUMNS="50").stdout
    assert all(len(line) < 50 for line in text.splitlines())


def test_options_that_may_be_better_are_told(bt, monkeypatch):
    def ask_little(*args, **more):
        return ask(*args, **more | {"budget": Budget(branches=800), "memo": Memo()})

    monkeypatch.setattr("battletape.cli.compare.ask", ask_little)
    text = bt("compare", "deathwatch", "fire_mode", "--weapon", "Autogun", "--turns", "4", "--vary", "bs=40,50").stdout
    assert "options were not worked out to the end and may be better." in " ".join(text.split())


def test_ranges_of_values(bt, bt_json):
    view = bt_json("compare", "attack_dice", "attack", "--vary", "power=1,3..5,8..7")
    assert [variant["name"] for variant in view["variants"]] == [f"power {number}" for number in (1, 3, 4, 5, 8, 7)]
    saves = bt("compare", "attack_dice", "attack", "--vary", "armour=2+..4+").stdout
    assert all(f"\narmour {number}+ " in saves for number in (2, 3, 4))
    told = bt("compare", "attack_dice", "attack", "--vary", "power=1..400", code=2).stderr
    assert told == "compare takes at most 50 variants at once; got 1..400.\n"


def test_variants_are_called_by_their_names_not_as_typed(bt):
    told = bt("compare", "attack_dice", "attack", "--vary", "weapon=storm carbine,yew bow", "--unit", "raiders").stdout
    told = " ".join(told.split())
    assert (
        "most with Storm carbine, 0.24 on average, 0.24 more than Yew bow; Yew bow never beats it, and they tie 76 %"
        in told
    )
    assert "Why, against Storm carbine" in told


def test_a_circumstance_reads_as_people_say_it(bt, bt_json):
    asked = ("compare", "vehicles5", "shoot", "--guns", "4 lascannons", "--vary", "smoke=off,on")
    assert [variant["name"] for variant in bt_json(*asked)["variants"]] == ["smoke: no", "smoke: yes"]
    assert "likeliest with smoke: no, 39 %, against 21 % with smoke: yes." in " ".join(bt(*asked).stdout.split())
    both = bt_json(*asked, "--vary", "vehicle=Anvil battle tank")
    assert both["variants"][0]["name"] == "smoke: no, vehicle Anvil battle tank"


def test_the_reason_reads_as_a_sentence(bt):
    both = "weapon=Astartes Bolter (Godwyn),Astartes Heavy Bolter"
    told = bt("compare", "deathwatch", "shoot", "--target", "Raider", "--attacker", "cato", "--vary", both).stdout
    assert "toughness 3) instead of taken off each hit: 3 (armour 4 less penetration 5" in " ".join(told.split())


GUNS = "It is said of each of the guns, as in guns=[{'weapon': …}]."


@pytest.mark.parametrize(
    ("vary", "sentence"),
    [
        ("wepon=x", f"'wepon'. Did you mean weapon? {GUNS}"),
        ("weapon=x", f"'weapon'. {GUNS}"),
        ("smok=yes", "'smok'. Did you mean smoke?"),
    ],
)
def test_an_unknown_input_is_refused_in_a_few_words(bt, vary, sentence):
    said = bt("compare", "vehicles5", "shoot", "--vary", vary, code=2)
    assert " ".join(said.stderr.split()) == f"shoot has no input {sentence}"


def test_a_reason_that_differs_within_brackets_leaves_none_open(bt):
    weapons = "weapon=Astartes Bolter (Godwyn),Astartes Heavy Bolter"
    who = ("--target", "Raider", "--attacker", "Brother Cato")
    text = " ".join(bt("compare", "deathwatch", "shoot", *who, "--vary", weapons).stdout.split())
    after, before = (f"taken off each hit: 3 (armour 4 less penetration {pen}, toughness 3)" for pen in (6, 5))
    assert f"{after} instead of {before}; trained" in text
