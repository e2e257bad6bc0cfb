"""Pages of any width: nothing but commands to copy reaches past it, and a book of profiles has a line for each."""

from __future__ import annotations

import shlex

import pytest

from battletape.cli.terminal import size

PAGES = (
    "odds vehicles5 shoot",
    "odds deathwatch shoot --weapon Godwyn --rulings",
    "compare attack_dice attack --vary power=3..5",
    "roll deathwatch shoot --seed 3",
    "roll attack_dice attack --times 100 --seed 3",
    "rules second_edition --tables",
    "rules deathwatch cover",
    "rulesets",
    "profiles deathwatch",
    "profiles deathwatch Raider",
    "print attack_dice",
    "battle show",
    "battle do",
    "dice 4d6 drop lowest",
    "odds vehicles5 shoot --help",
    "--help",
    "battle do --help",
)


@pytest.mark.parametrize("width", [40, 80])
def test_pages_keep_to_their_width(bt, width):
    bt("battle", "new", "deathwatch")
    for command in PAGES:
        lines = bt(*shlex.split(command), COLUMNS=str(width)).stdout.splitlines()
        wide = [line for line in lines if size(line) > width and "battletape " not in line]
        assert wide == [], command


@pytest.mark.parametrize("name", ["vehicles5", "deathwatch"])
def test_a_line_for_each_profile(bt, bt_json, name):
    lines = bt("profiles", name).stdout.splitlines()
    view = bt_json("profiles", name)
    names = [profile["name"] for kind in view["kinds"] for profile in kind["profiles"]]
    assert len([line for line in lines if line.split("  ")[0] in names]) == len(names)
    assert len(lines) <= len(names) + 4 * len(view["kinds"]) + 2
    head = next(line.split() for line in lines[::-1] if line.startswith("name "))
    assert set(head) >= ({"S", "AP", "range"} if name == "vehicles5" else {"damage", "Pen", "range"})


def test_a_narrow_page_leaves_no_number_of_a_profile_out(bt):
    said = " ".join(bt("profiles", "vehicles5", COLUMNS="40").stdout.split())
    assert "Anvil battle tank front 14, side 13, rear 10, BS 3" in said
    assert "Vault wardens models 5, WS 4, BS 4, S 4, T 4, I 4, A 2, Ld 9, Sv 2+" in said


def test_a_profile_is_told_in_words(bt):
    said = " ".join(bt("profiles", "vehicles5", "anvil").stdout.split())
    assert (
        "Upgrades smoke launchers Mounts Battle cannon (turret); Lascannon (hull); Heavy bolter (left bolter," in said
    )
    assert " BS 3 " in said
    assert "=" not in said
    assert 'Access at -1.5", 0"; at' in " ".join(bt("profiles", "vehicles5", "barrow").stdout.split())


def test_what_cannot_happen_is_one_line(bt):
    said = bt("odds", "vehicles5", "shoot", "--guns", "weapon=Autocannon", "--front", "14").stdout
    assert "No or none: Wrecked or exploded; Wrecked; Exploded; Immobilised, wrecked" in " ".join(said.split())
    assert "\nExploded" not in said
    assert "\nNothing changed" in said


def test_a_command_too_long_for_its_line_stands_below_the_word(bt):
    lines = bt("odds", "vehicles5", "dangerous_terrain", "--help", COLUMNS="40").stdout.splitlines()
    assert lines[:3] == ["Usage:", "  battletape odds vehicles5", "  dangerous_terrain [OPTIONS]"]
