"""Small turns of phrase."""

from __future__ import annotations

import pytest

from battletape.words import capital, inches, labelled, listed, matching_names, parse_count, plain, plural

ARMOURY = [
    "Lascannon",
    "Twin-linked lascannon",
    "Heavy bolter",
    "Twin-linked heavy bolter",
    "Storm bolter",
    "Bolt pistol",
]
ARMOURY += ["Frag grenade", "Krak grenade", "2 inch mortar", "Mark 2 rifle", "Mark 3 rifle", "Güdrun's édge"]


def test_turns_of_phrase() -> None:
    assert plain("right_arm") == "right arm"
    assert capital("full auto of Ash") == "Full auto of Ash"
    assert (listed([]), listed(["head"]), listed(["a", "b"], "or")) == ("", "head", "a or b")
    assert listed(["head", "arm", "leg"]) == "head, arm and leg"
    assert (plural(1, "hit"), plural(0, "hit"), plural(1200, "hit")) == ("1 hit", "0 hits", "1,200 hits")
    assert (inches(1), inches(6), inches(4.5)) == ("1 inch", "6 inches", "4.5 inches")
    assert (labelled("Lascannon", "to hit"), labelled("", "to hit")) == ("Lascannon: to hit", "to hit")


@pytest.mark.parametrize("text", ["4x lascannon", "4 x Lascannon", "4 × Lascannon", "4X LASCANNON", "4×lascannon"])
def test_a_count_before_a_name(text: str) -> None:
    assert parse_count(text)[0] == 4
    assert parse_count(text)[1].lower() == "lascannon"


def test_a_count_after_a_name_or_without_a_cross() -> None:
    assert (
        parse_count("Lascannon x4") == parse_count("Lascannon ×4") == parse_count("Lascannon * 4") == (4, "Lascannon")
    )
    assert parse_count("4 lascannons", ARMOURY) == (4, "lascannons")
    assert parse_count("4 lascannons") == (None, "4 lascannons")  # nobody knows such a name
    assert parse_count("2 inch mortar", ARMOURY) == (None, "2 inch mortar")


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("lascannon", "Lascannon"),
        ("las cannons", "Lascannon"),
        ("Lascanon", "Lascannon"),
        ("lascanno", "Lascannon"),
        ("TWIN LINKED LASCANNON", "Twin-linked lascannon"),
        ("linked las", "Twin-linked lascannon"),
        ("storm", "Storm bolter"),
        ("hevy bolter", "Heavy bolter"),
        ("gudruns edge", "Güdrun's édge"),
        ("bolter", "Heavy bolter; Storm bolter; Twin-linked heavy bolter"),
        ("grenades", "Frag grenade; Krak grenade"),
        ("Crak grenade", ""),  # the first letter of a word is rarely wrong
        ("Brag grenade", ""),
        ("Mark 4 rifle", ""),
        ("ma", ""),
        ("", ""),
        ("--", ""),
    ],
)
def test_names_as_people_type_them(said: str, names: str) -> None:
    assert "; ".join(matching_names(said, ARMOURY)) == names
