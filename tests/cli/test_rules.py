"""`battletape rules`, `profiles` and `rulesets`."""

from __future__ import annotations

import re
from pathlib import Path
from pkgutil import resolve_name

from battletape import registry
from battletape.views.evidence import clone_of, find_tests, marked_by_clause
from battletape.views.rules import ROOMS
from docs.evidence import named_by_tests


def test_rulesets_are_listed_with_their_questions(bt, bt_json):
    text = bt("rulesets").stdout
    assert "attack_dice  Attack dice" in text
    assert "What will a whole volley do?" in text
    views = {one["name"]: one for one in bt_json("rulesets")}
    assert [one["name"] for one in views["attack_dice"]["questions"]] == ["attack", "volley", "chart"]
    assert views["attack_dice"]["clauses"] == 93
    assert views["toy"]["presets"] == ["brisk"]


def test_every_rule_is_listed_under_its_topic(bt, bt_json):
    text = bt("rules", "attack_dice").stdout
    assert text.startswith("Attack dice: 93 rules.")
    assert "\nLegend\n" in text
    assert all(f"  {one.id:<7}{one.title}" in text for one in registry.ruleset("attack_dice").clauses)
    assert len(bt_json("rules", "attack_dice")["clauses"]) == 93


def test_a_search_shows_the_words(bt, bt_json):
    text = bt("rules", "attack_dice", "armour", "save").stdout
    assert "mention “armour save”." in text
    assert "AD-75  Armour Save" in text
    assert bt_json("rules", "attack_dice", "armour save")["clauses"][0]["id"] == "AD-75"


def test_a_search_that_finds_many_lists_titles(bt):
    text = bt("rules", "attack_dice", "the").stdout
    assert "More on one" not in text


def test_one_rule_with_what_uses_it(bt, bt_json):
    text = bt("rules", "attack_dice", "ad-75").stdout
    assert text.startswith("AD-75  Armour Save\n")
    assert "Questions  attack, volley" in text
    use = bt_json("rules", "attack_dice", "AD-75")
    assert "rules.attack.roll_armour_saves" in use["code"]
    assert use["questions"] == ["attack", "volley"]
    assert bt_json("rules", "attack_dice", "AD-81")["rulings"] == ["spill"]
    assert bt_json("rules", "attack_dice", "AD-66")["actions"] == ["attack"]


def test_a_note_and_a_status_are_shown(bt):
    text = bt("rules", "toy", "TOY-7").stdout
    assert "The ruling `again` says whether a second 3 goes on." in text


def test_tables_look_like_tables(bt, bt_json):
    text = bt("rules", "attack_dice", "--tables").stdout
    row = next(line for line in text.splitlines() if line.split()[:1] == ["20+"])
    assert row == "  20+   Ax8 Ax7 Ax7 Ax6 Ax6 Ax5 Ax5 Ax4 Ax4 Ax3 Ax3 Ax2 Ax2   A   A  1+"
    assert all(len(line) < 80 for line in text.splitlines())
    some = bt_json("rules", "attack_dice", "--tables", "chance of each D10")
    assert [one["clause"] for one in some] == ["AD-25"]


def test_a_wide_table_goes_below_in_parts(bt):
    text = bt("rules", "attack_dice", "--tables", COLUMNS="50").stdout
    assert all(len(line) < 50 for line in text.splitlines())
    assert text.count("P \\ D") >= 2


def test_profiles_are_listed(bt, bt_json):
    text = bt("profiles", "attack_dice").stdout
    assert "Hill raiders" in text
    assert "Siege lance" in text
    view = bt_json("profiles", "attack_dice")
    units = next(one for one in view["kinds"] if one["kind"] == "unit")
    raiders = next(one for one in units["profiles"] if one["name"] == "Hill raiders")
    assert raiders["values"]["armour"] == "5+"
    assert raiders["lists"]["weapons"] == "5 x Notched axe; 2 x Yew bow"


def test_one_profile_and_how_to_use_it(bt, bt_json):
    text = bt("profiles", "attack_dice", "hill raiders").stdout
    assert "battletape odds attack_dice attack --unit 'Hill raiders'\n" in text
    assert bt_json("profiles", "attack_dice", "Yew bow")[0]["kind"] == "weapon"


def test_a_good_file_of_ones_own(bt):
    Path("own.toml").write_text('[[unit]]\nname = "Tin soldiers"\nmodels = 3\nhp = 1\n', encoding="utf-8")
    text = bt("profiles", "attack_dice", "--file", "own.toml").stdout
    assert text.startswith("own.toml: every entry fits.")
    assert "Tin soldiers" in text


def test_a_rule_names_its_tests_where_they_are(bt, bt_json):
    text = bt("rules", "deathwatch", "DW-DMG-4", "--code").stdout
    file, test = "tests/deathwatch/test_wounds.py", "test_minions_die_of_any_critical_damage"
    assert f"Tests {file}: {test}," in " ".join(text.split())
    assert all(len(line) < 80 for line in text.splitlines())
    assert f"{file}::{test}" in bt_json("rules", "deathwatch", "DW-DMG-4")["tests"]
    plain = bt("rules", "deathwatch", "DW-DMG-4").stdout
    assert "test_" not in plain
    assert "rules." not in plain


def test_every_test_that_names_a_rule_is_found():
    clone = clone_of("battletape")
    assert clone is not None
    named = named_by_tests(clone / "tests")
    for clause in ("AD-75", "V5-RAM-7", "TOY-7"):
        tests = [one for one in named[clause] if not one.endswith(("vector", "vectors"))]
        assert tests
        places = (place.partition("::") for place in find_tests(clause, "battletape"))
        assert sorted(f"{Path(file).stem}.{test}" for file, _, test in places) == sorted(tests)


def test_what_is_there_for_a_rule_above_all_comes_first(bt_json):
    use = bt_json("rules", "vehicles5", "V5-TRAN-7")
    rooms = [place.partition(".")[0] for place in use["code"]]
    assert rooms == sorted(rooms, key=ROOMS.index)
    assert {"rules", "battle"} <= set(rooms)
    rules = [resolve_name(f"battletape.rulesets.vehicles5.{place}") for place in use["code"] if place[:5] == "rules"]
    ranks = [rule.__clauses__.index("V5-TRAN-7") for rule in rules]
    assert ranks == sorted(ranks) != ranks[:1] * len(ranks)
    chapter = use["code"][0].split(".")[1]
    assert f"/test_{chapter}.py::" in use["tests"][0]


def test_tests_are_those_of_the_project_a_ruleset_belongs_to(tmp_path, monkeypatch):
    (tmp_path / "src" / "ford").mkdir(parents=True)
    (tmp_path / "src" / "ford" / "__init__.py").touch()
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_one.py").write_text(
        '@pytest.mark.clause("F-1", "F-2")\ndef test_one(): ...\n@pytest.mark.clause("F-2")\ndef test_two(): ...\n'
    )
    monkeypatch.syspath_prepend(tmp_path / "src")
    assert find_tests("F-2", "ford") == ()  # installed without its project
    (tmp_path / "pyproject.toml").touch()
    assert find_tests("F-2", "ford") == ("tests/test_one.py::test_two", "tests/test_one.py::test_one")
    assert marked_by_clause(tmp_path, "F-1") == ("tests/test_one.py::test_one",)


def test_of_many_places_the_rule_comes_first_and_few_of_the_others_are_shown(bt, bt_json):
    text = bt("rules", "vehicles5", "V5-CORE-16", "--code").stdout
    code = bt_json("rules", "vehicles5", "V5-CORE-16")["code"]
    shown = text[text.index("Also in") : text.index("Tests ")]
    assert re.search(rf"^Rule +{re.escape(code[0])}$", text, re.MULTILINE)
    assert [place in re.split(r"[\s,]+", shown) for place in code] == [False, *[True] * 8, *[False] * (len(code) - 9)]
    assert f"and {len(code) - 9} more" in " ".join(shown.split())


def test_a_row_of_a_table_names_the_rule_by_which_it_applies(bt):
    text = bt("rules", "deathwatch", "DW-SUMM-MELEE_VS_PRONE", "--code").stdout
    assert re.search(
        r"^Rule +rules\.attack\.modifiers\.rows_that_hold\nAlso in +tables\.sheet\.SITUATIONS$", text, re.M
    )


def test_one_ruleset(bt, bt_json):
    said = bt("rulesets", "attack_dice").stdout
    assert "volley  What will a whole volley do?" in said
    assert "deathwatch" not in said
    assert bt_json("rulesets", "attack_dice")["name"] == "attack_dice"
    assert "Did you mean 'attack_dice'?" in bt("rulesets", "atack", code=2).stderr


def test_rules_are_found_by_what_players_say_and_by_misspelt_words(bt):
    told = bt("rules", "vehicles5", "hull", "down").stdout
    assert "for “hull down”, taken as “vehicle in cover”." in " ".join(told.split())
    assert told.index("V5-SHOT-2") < told.index("V5-DMG-6")  # which holds the words, and means something else
    assert "taken as “tank shock”" in bt("rules", "vehicles5", "tank", "shok").stdout
