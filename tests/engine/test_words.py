"""Small turns of phrase."""

from __future__ import annotations

from battletape.words import capital, inches, labelled, listed, plain, plural


def test_turns_of_phrase() -> None:
    assert plain("right_arm") == "right arm"
    assert capital("full auto of Ash") == "Full auto of Ash"
    assert (listed([]), listed(["head"]), listed(["a", "b"], "or")) == ("", "head", "a or b")
    assert listed(["head", "arm", "leg"]) == "head, arm and leg"
    assert (plural(1, "hit"), plural(0, "hit"), plural(1200, "hit")) == ("1 hit", "0 hits", "1,200 hits")
    assert (inches(1), inches(6), inches(4.5)) == ("1 inch", "6 inches", "4.5 inches")
    assert (labelled("Lascannon", "to hit"), labelled("", "to hit")) == ("Lascannon: to hit", "to hit")
