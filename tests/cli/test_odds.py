"""`battletape odds`: the answer in text, JSON and CSV, by every method."""

from __future__ import annotations

import csv
import io
import re
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from battletape import registry
from battletape.answer import ask
from battletape.inputs import Inputs
from battletape.tape.exact import Memo
from battletape.tape.limits import Budget
from tests.cli.conftest import ATTACK
from tests.toy.attack import Shot

GOLDEN = Path(__file__).parent / "golden"


def exact(measure: str = "casualties", **more: Any) -> dict[str, Fraction]:
    given: dict[str, Any] = {"attacks": 12, "power": 6, "defence": 4, "armour": 5, "hp": 2, **more}
    odds = registry.ruleset("attack_dice").ask("attack", **given).odds(measure)
    return {str(value): chance for value, chance in odds.fractions().items()}


def test_an_answer_reads_as_printed_at_80_columns(bt):
    text = bt("odds", *ATTACK, "--spill", "lost").stdout
    told, _, _ = text.rpartition(" · ")  # the milliseconds differ
    assert told + "\n" == (GOLDEN / "odds_80.txt").read_text(encoding="utf-8")


def test_json_gives_the_same_fractions_as_the_api(bt_json):
    view = bt_json("odds", *ATTACK)
    assert [one["name"] for one in view["measures"]] == ["casualties", "hp_lost", "damage", "wiped_out"]
    rows = view["measures"][0]["rows"]
    assert {str(row["value"]): Fraction(row["exactly"]["fraction"]) for row in rows} == exact()
    assert Fraction(rows[0]["at_least"]["fraction"]) == 1
    assert view["headline"].endswith("for three or more.")
    assert view["how"]["method"] == "exact"
    assert view["how"]["exact"] is True
    assert view["how"]["unexplored"]["fraction"] == "0"
    assert view["inputs"]["armour"] == 5
    steps = {tuple(step["clauses"]): step for step in view["steps"]}
    assert steps["AD-7",]["needed"] == "3+"
    assert steps["AD-7",]["chance"] == {"fraction": "7/10", "value": 0.7, "percent": "70 %"}


def test_json_marks_the_rulings_that_differ(bt_json):
    view = bt_json("odds", *ATTACK, "--spill", "lost")
    changed = {one["name"]: (one["value"], one["default"]) for one in view["rulings"] if one["changed"]}
    assert changed == {"spill": ("lost", "spills")}


def test_a_yes_or_no_measure_is_a_chance(bt_json):
    (measure,) = bt_json("odds", *ATTACK, "--measure", "wiped_out")["measures"]
    assert measure["kind"] == "yes_no"
    assert Fraction(measure["chance"]["fraction"]) == exact("casualties")["5"]
    assert measure["mean"] is None
    assert [row["value"] for row in measure["rows"]] == [False, True]


def test_csv_holds_every_value(bt):
    table = list(csv.DictReader(io.StringIO(bt("odds", *ATTACK, "--csv", "--measure", "hp_lost").stdout)))
    assert {row["value"]: Fraction(row["exactly"]) for row in table} == exact("hp_lost")


def test_fractions_stand_instead_of_percentages(bt):
    text = bt("odds", "attack_dice", "attack", "--attacks", "1", "--power", "6", "--models", "1", "--fractions").stdout
    assert " 7/10" in text.split("Step by step")[0]
    assert "%" not in "".join(line for line in text.splitlines() if line.startswith("  1 "))


def test_long_fractions_become_numbers(bt):
    text = bt("odds", "attack_dice", "attack", "--attacks", "60", "--models", "60", "--fractions").stdout
    assert f"{comb(60, 30) / 2**60:.8f}" in text


def test_several_measures_are_drawn_in_turn(bt):
    text = bt("odds", *ATTACK, "--measure", "damage", "--measure", "casualties").stdout
    assert text.index("HP loss dealt") < text.index("Models fallen")
    assert text.count("at least") == 2


def test_floats_and_samples_say_so(bt, bt_json):
    many = ("attack_dice", "attack", "--attacks", "300", "--models", "300")
    text = bt("odds", *many, "--sampled", "500", "--seed", "7").stdout
    assert "500 rolls, an estimate" in text
    view = bt_json("odds", *many, "--sampled", "500", "--seed", "7")
    assert view["how"]["method"] == "sampled"
    assert view["measures"][0]["error"] > 0
    again = bt_json("odds", *many, "--sampled", "500", "--seed", "7")
    assert again["measures"] == view["measures"]
    assert bt_json("odds", *many, "--floats")["how"]["method"] in ("exact", "floats")


def test_a_thousand_values_are_cut_to_where_the_mass_is(bt, bt_json):
    many = ("attack_dice", "attack", "--attacks", "1000", "--power", "6", "--models", "1000")
    text = bt("odds", *many).stdout
    bars = [line for line in text.splitlines() if "–" in line.split("█")[0]]
    assert 10 <= len(bars) <= 24
    assert "1,001 values, in steps of 5" in text
    assert "--csv or --json" in text
    assert len(bt_json("odds", *many)["measures"][0]["rows"]) == 1001


def with_budget(budget):
    def ask_so(*args, **more):
        return ask(*args, **more | {"budget": budget, "memo": Memo()})

    return ask_so


def test_a_budget_says_what_it_left_out(bt, bt_json, monkeypatch):
    monkeypatch.setattr("battletape.cli.odds.ask", with_budget(Budget(states=6)))
    view = bt_json("odds", "toy", "shoot", "--dice", "4")
    assert view["how"]["exact"] is False
    assert 0 < Fraction(view["how"]["unexplored"]["fraction"]) < 1
    text = " ".join(bt("odds", "toy", "shoot", "--dice", "4").stdout.split())
    assert text.count("not in these numbers.") == text.count("explored") == 1
    assert "exact as far as it goes" in text
    assert text.endswith("Allow more seconds to explore the rest.")
    monkeypatch.setattr("battletape.tape.limits.NEGLIGIBLE", 1)
    text = " ".join(bt("odds", "toy", "shoot", "--dice", "4").stdout.split())
    assert re.search(r"The budget left \S+ % of all that can happen unexplored\. Allow more seconds", text)


def test_a_budget_that_finds_nothing_says_what_would_do(bt, monkeypatch):
    monkeypatch.setattr("battletape.cli.odds.ask", with_budget(Budget(states=1)))
    assert (
        "take an estimate with battletape odds … --sampled" in bt("odds", "toy", "shoot", "--dice", "4", code=2).stderr
    )


def test_rulings_can_be_listed(bt):
    text = bt("odds", *ATTACK, "--rulings", "--spill", "lost").stdout
    assert "not spills" in text
    assert "method" in text


def test_a_preset_and_a_ruling_together(bt_json):
    view = bt_json("odds", *ATTACK, "--preset", "d6", "--spill", "lost")
    used = {one["name"]: one["value"] for one in view["rulings"]}
    assert (used["dice"], used["spill"]) == ("d6", "lost")


def test_options_take_dashes_underscores_and_bare_flags(bt_json):
    view = bt_json("odds", "attack_dice", "attack", "--power_bonus", "2", "--defence-bonus", "-1", "--embarked")
    assert (view["inputs"]["power_bonus"], view["inputs"]["defence_bonus"]) == (2, -1)
    assert view["inputs"]["embarked"] is True
    assert (
        bt_json("odds", "attack_dice", "attack", "--line-of-sight", "yes", "--attacks", "2")["inputs"]["embarked"]
        is False
    )


def test_inputs_come_from_a_file_and_options_win(bt_json):
    Path("mine.toml").write_text('attacks = 12\narmour = "5+"\n[rulings]\nspill = "lost"\n', encoding="utf-8")
    view = bt_json("odds", "attack_dice", "attack", "--input", "mine.toml", "--attacks", "3")
    assert (view["inputs"]["attacks"], view["inputs"]["armour"]) == (3, 5)
    assert next(one for one in view["rulings"] if one["name"] == "spill")["value"] == "lost"


def test_a_volley_takes_several_profiles_in_order(bt_json):
    weapons = ("--weapons", "attacks=3 power=4", "--weapons", "Siege lance")
    view = bt_json("odds", "attack_dice", "volley", *weapons, "--defence", "4")
    assert [one["power"] for one in view["inputs"]["weapons"]] == [4, 16]


def test_own_profiles_may_be_used(bt_json):
    Path("own.toml").write_text('[[weapon]]\nname = "Sling of doom"\npower = 9\nattacks = 4\n', encoding="utf-8")
    view = bt_json("odds", "attack_dice", "attack", "--weapon", "sling of doom", "--profiles", "own.toml")
    assert (view["inputs"]["power"], view["inputs"]["attacks"]) == (9, 4)


def test_the_chart_marks_its_cell(bt, bt_json):
    assert "[3+]" in bt("odds", "attack_dice", "chart", "--power", "6", "--defence", "4").stdout
    table = bt_json("odds", "attack_dice", "chart", "--power", "6", "--defence", "4")["table"]
    row, column = table["mark"]
    assert table["rows"][row][column] == "3+"


def test_advice_names_the_best_option(bt, bt_json):
    shot = ("odds", "toy", "shoot", "--dice", "4", "--best", "lost", "--sides", "attacker=max,defender=min")
    view = bt_json(*shot)
    first = view["decisions"][0]
    assert (first["label"], first["by"]) == ("snap or aim", "attacker")
    values = {one["option"]: Fraction(one["value"]["fraction"]) for one in first["options"]}
    assert values[first["best"]] == max(values.values()) == Fraction(view["value"]["fraction"])
    ducks = [one for one in view["decisions"] if one["by"] == "defender"]
    assert {duck["best"] for duck in ducks} == {"duck"}
    assert {duck["when"] for duck in ducks} == {"hits 1", "hits 2", "hits 3"}
    text = bt(*shot).stdout
    assert "Snap or aim  attacker decides" in text
    assert "hits 2" in text


def test_advice_notes_a_side_that_decides_nothing(bt):
    assert (
        "Note: nobody decides nothing here"
        in bt("odds", "toy", "shoot", "--best", "lost", "--sides", "nobody=min").stdout
    )


def test_without_more_words_it_lists_what_there_is(bt):
    assert "attack_dice" in bt("odds").stdout
    assert "What will an attack do?" in bt("odds", "attack_dice").stdout


def test_help_groups_the_options(bt):
    text = bt("odds", "attack_dice", "attack", "--help").stdout
    places = [text.index(f"\n{head}:\n") for head in ("Attacker", "Target", "Circumstances", "Rulings", "Answer")]
    assert places == sorted(places)
    assert "Attack dice of one model: a whole number from 1 to 1,000. [10]" in " ".join(text.split())
    assert "HP loss beyond a model. [spills] AD-81" in " ".join(text.split())


def test_rare_decisions_are_counted_not_listed(bt, monkeypatch):
    monkeypatch.setattr("battletape.cli.odds.MOST_DECISIONS", 3)
    text = bt("odds", "toy", "shoot", "--dice", "12", "--wounds", "12", "--best", "lost").stdout
    assert text.count(" decides · ") == 3
    assert "And 9 rarer decisions; --json lists them all." in text


def test_a_preset_may_stand_in_the_file(bt_json):
    Path("mine.toml").write_text('preset = "d6"\nattacks = 2\n', encoding="utf-8")
    view = bt_json("odds", "attack_dice", "attack", "--input", "mine.toml")
    assert next(one for one in view["rulings"] if one["name"] == "dice")["value"] == "d6"


def test_nothing_lies_below_where_only_the_upper_end_is_cut(bt):
    text = bt(
        "odds", "attack_dice", "attack", "--attacks", "60", "--power", "1", "--defence", "5", "--models", "60"
    ).stdout
    assert "lies outside; --csv" in " ".join(text.split())


def test_an_input_named_like_an_option_of_ours_gets_a_name_of_its_own(bt, bt_json, monkeypatch):
    class Odd(Inputs, frozen=True):
        """Inputs that take our names."""

        seed: Annotated[int, Meta(ge=1, le=9)] = 4
        best: bool = False
        input: str = ""

    toy = registry.ruleset("toy")
    question = replace(
        toy.question("hit"), inputs=Odd, begin=lambda odd, rules: Shot(odd.seed), example={}, headline=lambda answer: ""
    )
    monkeypatch.setitem(registry._known, "toy", replace(toy, questions=(question,)))
    view = bt_json(
        "odds",
        "toy",
        "hit",
        "--seed-input",
        "7",
        "--best-input",
        "--input-input",
        "word",
        "--sampled",
        "9",
        "--seed",
        "3",
    )
    assert view["inputs"] == {"seed": 7, "best": True, "input": "word"}


def test_an_estimate_makes_the_same_choices(bt, bt_json):
    args = ("odds", "deathwatch", "fire_mode", "--weapon", "Autogun", "--bs", "45", "--distance", "30", "--turns", "4")
    rolls = ("--sampled", "500", "--seed", "3")
    exact, rolled = bt_json(*args), bt_json(*args, *rolls)
    assert rolled["how"]["method"] == "sampled"
    assert rolled["table"] == exact["table"]
    chosen = exact["headline"].partition(":")[0]
    assert rolled["headline"].startswith(f"{chosen}: ")
    assert bt(*args, *rolls).stdout.startswith(f"{chosen}: ")
