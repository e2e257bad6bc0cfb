"""Profiles: our book, the players' own files, and a sentence for each bad entry."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from battletape import Battle, ruleset
from battletape.errors import UnknownName
from battletape.profiles import BadProfiles
from battletape.rulesets.attack_dice.profiles.checks import unusual_warnings
from battletape.rulesets.attack_dice.rulings import Rulings
from battletape.rulesets.attack_dice.tables.sheet import USUAL_DEFENCE, USUAL_HP

SYSTEM = ruleset("attack_dice")


def complaints(tmp_path: Path, text: str) -> list[str]:
    """Return the complaints about a file with this text, without the folder it lies in."""
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadProfiles) as bad:
        SYSTEM.with_profiles(str(file)).ask("attack", weapon="Yew bow")
    assert str(bad.value) == "\n".join(bad.value.errors)
    return [one.replace(str(file), "mine.toml") for one in bad.value.errors]


# --- our own ------------------------------------------------------------------------------------------------------


def test_our_book_loads_and_every_unit_is_armed():
    entries = SYSTEM.book.entries
    assert len(entries["weapon"]) >= 10
    assert len(entries["unit"]) >= 8
    for unit in entries["unit"].values():
        assert unit.weapons
        for carried in unit.weapons:
            assert carried.name in entries["weapon"]
            assert carried.models <= unit.models + len(unit.others)


def test_our_book_shows_every_kind_of_thing():
    weapons, units = SYSTEM.book.entries["weapon"].values(), SYSTEM.book.entries["unit"].values()
    assert {"battle", "heavy"} < {one.weapon_class for one in weapons}
    assert {one.power for one in weapons} >= {0, 16}
    assert {one.defence for one in units} >= {0, 10}
    assert any(one.others for one in units)
    assert any(one.aegis for one in units)


def test_a_name_stands_for_its_numbers():
    by_name = SYSTEM.ask("attack", weapon="storm CARBINE", bearers=3, unit="hill raiders")
    by_hand = SYSTEM.ask(
        "attack", weapon_class="battle", range=24, attacks=2, power=6, bearers=3, models=5, hp=2, defence=4, armour=5
    )
    assert by_name.odds() == by_hand.odds()
    assert (by_name.inputs.weapon, by_name.inputs.unit) == ("Storm carbine", "Hill raiders")


def test_numbers_of_ones_own_come_before_those_of_the_profile():
    changed = SYSTEM.ask("attack", weapon="Storm carbine", power=7, unit="Hill raiders", models=1, hp=9, armour=None)
    assert changed.inputs.power == 7
    assert changed.odds("damage").mean == 2 * Fraction(4, 5)


@pytest.mark.parametrize(
    "weapons",
    [
        ["2 x Yew bow", "Siege lance"],
        "2 x Yew bow; Siege lance",
        "weapon='Yew bow' bearers=2 ; weapon='Siege lance'",
        [{"weapon": "Yew bow", "bearers": 2}, {"weapon": "Siege lance"}],
        ["weapon='yew bow' bearers=2", {"attacks": 1, "power": 16, "ap": 2, "range": 40, "weapon_class": "heavy"}],
    ],
)
def test_a_volley_takes_weapons_by_name_in_any_form(weapons: object):
    answer = SYSTEM.ask("volley", weapons=weapons, unit="Marsh hobs")
    # 6+ less... Power 3 against Defence 2 needs 4+ (3/5); the lance is automatic, times 5
    assert answer.odds("damage") == {5: Fraction(4, 25), 6: Fraction(12, 25), 7: Fraction(9, 25)}


def test_an_unknown_name_gets_the_nearest_one():
    with pytest.raises(
        UnknownName, match=r"^there is no weapon 'Yiewbo'. Did you mean 'Yew bow'\? Known: Fog censer, "
    ):
        SYSTEM.ask("attack", weapon="Yiewbo")
    with pytest.raises(UnknownName, match=r"^there is no unit 'Hilraidxrs'. Did you mean 'Hill raiders'\? Known: "):
        SYSTEM.ask("volley", unit="Hilraidxrs")
    with pytest.raises(UnknownName, match=r"^there is no weapon 'Pike'\."):
        SYSTEM.ask("volley", weapons=["Pike"])


# --- the players' own -----------------------------------------------------------------------------------------------

OWN = """
[[weapon]]
name = "Rune cannon"
power = 12
attacks = 2
ap = 3
weapon_class = "heavy"

[[unit]]
name = "Hill raiders"          # instead of ours
models = 3
hp = 4
defence = 6
weapons = [{ name = "Rune cannon", models = 1 }, { name = "Yew bow", models = 2 }]
"""


def test_players_add_profiles_and_replace_ours(tmp_path: Path):
    file = tmp_path / "own.toml"
    file.write_text(OWN, encoding="utf-8")
    mine = SYSTEM.with_profiles(str(file))
    answer = mine.ask("attack", weapon="Rune cannon", unit="Hill raiders")
    assert (answer.inputs.power, answer.inputs.defence, answer.inputs.hp) == (12, 6, 4)
    assert answer.odds("damage") == {2: 1}
    assert SYSTEM.ask("attack", unit="Hill raiders").inputs.defence == 4
    with pytest.raises(UnknownName):
        SYSTEM.ask("attack", weapon="Rune cannon")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            '[[weapon]]\nname = "Pike"\npowr = 5\n',
            "mine.toml line 3, weapon 1 ('Pike'): there is no key 'powr'. Did you mean power?",
        ),
        (
            '\n[[weapon]]\nname = "Gun"\n\npower = "six"\n',
            "mine.toml line 5, weapon 1 ('Gun'): power must be a whole number from 0 to 100; got 'six'.",
        ),
        (
            '[[weapon]]\nname = "Gun"\nap = 9\n',
            "mine.toml line 3, weapon 1 ('Gun'): ap must be a save from 2+ to 6+, or none; got 9.",
        ),
        (
            '[[unit]]\nname = "Ghosts"\nhp = 0\n',
            "mine.toml line 3, unit 1 ('Ghosts'): hp must be a whole number from 1 to 1,000; got 0.",
        ),
        (
            '[[unit]]\nname = "Ghosts"\nmodels = 2.5\n',
            "mine.toml line 3, unit 1 ('Ghosts'): models must be a whole number from 1 to 1,000; got 2.5.",
        ),
        ("[[weapon]]\npower = 3\n", "mine.toml line 1, weapon 1: a weapon needs a name"),
        ('[[weapon]]\nname = ""\n', "mine.toml line 1, weapon 1 (''): a weapon needs a name"),
        ("[[weapon]]\nname = 7\n", "mine.toml line 2, weapon 1: name must be text; got 7."),
        (
            '# mine\n[[wepon]]\nname = "x"\n',
            "mine.toml line 2: a file holds [[weapon]] or [[unit]], got 'wepon'. Did you mean [[weapon]]?",
        ),
        ('[unit]\nname = "x"\n', "mine.toml line 1: unit must be written as [[unit]], got [unit]"),
        (
            '[[unit]]\nname = "Clerks"\nweapons = [\n  { name = "Yew bo" },\n]\n',
            "mine.toml line 3, unit 1 ('Clerks'): weapons: there is no weapon 'Yew bo'. Did you mean 'Yew bow'?",
        ),
        (
            '[[unit]]\nname = "Clerks"\nweapons = [{ name = "Yew bow", modles = 3 }]\n',
            "mine.toml line 3, unit 1 ('Clerks'): weapons 1: there is no input 'modles' here. Did you mean models?",
        ),
        (
            '[[unit]]\nname = "Clerks"\n\n[[unit]]\nname = "Clerks"\n',
            "mine.toml line 5, unit 2 ('Clerks'): a unit needs a name of its own; "
            "it is already used at mine.toml line 2, unit 1 ('Clerks')",
        ),
    ],
)
def test_a_bad_entry_is_told_with_file_line_entry_and_key(tmp_path: Path, text: str, wanted: str):
    assert wanted in complaints(tmp_path, text)


def test_what_is_not_toml_is_told_with_its_line(tmp_path: Path):
    (said,) = complaints(tmp_path, '[[weapon]]\nname = "Pike\n')
    assert said.startswith("mine.toml: this is not TOML: ")
    assert "line 2" in said


@pytest.fixture
def python_reads_no_huge_numbers() -> Iterator[None]:
    """As Python starts; a command that ran in this process before may have lifted the limit."""
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(4300)
    yield
    sys.set_int_max_str_digits(digits)


@pytest.mark.usefixtures("python_reads_no_huge_numbers")
@pytest.mark.parametrize(
    "text, said",
    [
        ("a." * 60_000 + "b = 1", "mine.toml line 1: a name with dots may have at most 8 parts"),
        ("a = " + "[" * 5_000, "mine.toml: lists in lists go too deep here"),
        ("a = " + "1" * 5_000, "mine.toml: this is not TOML: "),
    ],
    ids=["dots", "lists", "digits"],
)
def test_what_no_reader_could_take_is_told_as_well(tmp_path: Path, text: str, said: str):
    (found,) = complaints(tmp_path, text)
    assert found.startswith(said)


def test_every_bad_entry_is_told_at_once(tmp_path: Path):
    said = complaints(tmp_path, '[[weapon]]\nname = "a"\npower = 101\nap = 1\n\n[[unit]]\nmodels = "many"\n')
    assert [one.split(":")[0] for one in said] == [
        "mine.toml line 3, weapon 1 ('a')",
        "mine.toml line 4, weapon 1 ('a')",
        "mine.toml line 7, unit 1",
        "mine.toml line 6, unit 1",
    ]


def test_a_unit_names_its_weapons_plainly(tmp_path: Path):
    file = tmp_path / "mine.toml"
    text = """
[[unit]]
name = "Archers"
weapons = ["yew bow", "3 x Notched axe", { name = "Storm carbine", models = 2 }]

[[unit]]
name = "Scout"
models = 1
weapons = "Yew bow"
"""
    file.write_text(text, encoding="utf-8")
    units = SYSTEM.with_profiles(str(file)).book.entries["unit"]
    carried = [(one.name, one.models) for one in units["Archers"].weapons]
    assert carried == [("yew bow", 1), ("Notched axe", 3), ("Storm carbine", 2)]
    assert [(one.name, one.models) for one in units["Scout"].weapons] == [("Yew bow", 1)]
    sides = [
        {"name": "North", "units": ["Archers"]},
        {"name": "South", "units": [{"name": "Own", "weapons": ["2 x yew bow"]}]},
    ]
    battle = Battle.new(SYSTEM.with_profiles(str(file)), {"sides": sides})
    assert [[(arm.name, arm.models) for arm in one.weapons] for one in battle.state.units] == [
        [("Yew bow", 1), ("Notched axe", 3), ("Storm carbine", 2)],
        [("Yew bow", 2)],
    ]


def test_an_unknown_plain_name_is_refused_with_the_nearest_one(tmp_path: Path):
    text = """
[[unit]]
name = "A"
weapons = ["Yew bwo"]

[[unit]]
name = "B"
weapons = ["0 x Yew bow"]

[[unit]]
name = "C"
weapons = [3]
"""
    assert complaints(tmp_path, text) == [
        "mine.toml line 8, unit 2 ('B'): weapons 1: models must be a whole number from 1 to 1,000; got 0.",
        "mine.toml line 12, unit 3 ('C'): weapons must be entries such as “name=… models=1”; got 3.",
        "mine.toml line 4, unit 1 ('A'): weapons: there is no weapon 'Yew bwo'. Did you mean 'Yew bow'?",
    ]


def test_a_file_that_is_not_there_is_a_sentence(tmp_path: Path):
    with pytest.raises(BadProfiles, match=r"nowhere\.toml: it cannot be read: there is no such file$"):
        SYSTEM.with_profiles(str(tmp_path / "nowhere.toml")).ask("attack", weapon="Yew bow")


# --- what is usual ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("AD-93")
def test_unusual_numbers_are_warned_of_and_never_refused():
    assert unusual_warnings([20], 10, 60) == []
    assert unusual_warnings([21], 16, 61) == [
        "Power 21 counts as 20",
        "Defence 16 counts as 15",
        "61 HP is more than even large things usually have",
    ]
    assert unusual_warnings([4], 11, 1) == ["Defence 11 is extreme; war machines have 9 or 10"]
    assert unusual_warnings([30], 11, 1, Rulings(method="formula", formula_caps="uncapped")) == [
        "Defence 11 is extreme; war machines have 9 or 10"
    ]
    answer = SYSTEM.ask("attack", power=18, power_bonus=3, defence=14, defence_bonus=2, others=[99])
    assert len(answer.warnings) == 3
    volley = SYSTEM.ask("volley", weapons=[{"power": 30}, {"power": 30}, {"power": 4}])
    assert volley.warnings == ("Power 30 counts as 20",)
    assert SYSTEM.ask("attack").warnings == SYSTEM.ask("volley").warnings == ()


@pytest.mark.clause("AD-93")
def test_the_usual_ranges_follow_each_other_without_a_gap():
    for ranges, last in ((USUAL_DEFENCE, 15), (USUAL_HP, 60)):
        assert [low for low, _, _ in ranges[1:]] == [high + 1 for _, high, _ in ranges[:-1]]
        assert ranges[-1][1] == last
    kinds = {what: (low, high) for low, high, what in USUAL_DEFENCE}
    assert (kinds["weak creatures"], kinds["machines"], kinds["war machines"]) == ((0, 2), (5, 5), (9, 10))
