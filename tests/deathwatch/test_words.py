"""Small turns of phrase, and the words of the rules."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battletape.rulesets.deathwatch import words
from battletape.rulesets.deathwatch.rules import traits
from battletape.rulesets.deathwatch.rules.traits import Degrees, Modifier, Qualities


def test_turns_of_phrase():
    assert (words.metres(Fraction(1, 2)), words.metres(6)) == ("0.5 m", "6 m")
    assert (words.signed(10), words.signed(0), words.signed(-30)) == ("+10", "+0", "-30")
    assert (words.reload_words(1), words.reload_words(2)) == ("Full", "2 Full")
    assert words.test_words(Degrees(True, 0)) == "succeeds"
    assert words.test_words(Degrees(False, 1)) == "fails with 1 degree"


@pytest.mark.clause("DW-TEST-4")
def test_modifiers_are_told_one_by_one_with_their_sum():
    some = (Modifier("point blank", 30, "DW-RANGE-1"), Modifier("full auto burst", 20, "DW-AUTO-2"))
    lines = [(line.text, line.clauses) for line in words.modifier_lines(50, some, 60, "Ballistic Skill")]
    assert lines == [
        ("Point blank: +30", ("DW-RANGE-1",)),
        ("Full auto burst: +20", ("DW-AUTO-2",)),
        ("Modifiers: +50", ("DW-TEST-4",)),
        ("Target: Ballistic Skill 50 +50 = 100", ("DW-TEST-1",)),
    ]
    assert [line.text for line in words.modifier_lines(50, some, 40)][2:] == [
        "Modifiers: +50, of which +40 counts",
        "Target: 50 +40 = 90",
    ]
    assert [line.text for line in words.modifier_lines(50, (), 60)] == ["Target: 50"]


def test_six_spots_are_four_kinds_of_place():
    assert [traits.place_of(spot) for spot in traits.SPOTS] == ["head", "arm", "arm", "body", "leg", "leg"]
    assert [traits.place_of(place) for place in traits.PLACES] == list(traits.PLACES)


def test_no_quality_is_nothing_at_all():
    nothing = Qualities()
    assert not any(getattr(nothing, name) for name in nothing.__struct_fields__)
