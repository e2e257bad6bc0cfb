"""Pages that say what is so: certainties without a chart, advice for each side, sums typed die by die."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from battletape import registry
from battletape.answer import advise, ways_to_play
from battletape.dice import D6, dice, special
from battletape.errors import BadInput
from battletape.tape.question import Ask
from battletape.words import capital
from tests.cli.conftest import Bt

RAM = ("odds", "vehicles5", "ram", "--target-types", "skimmer")


def test_a_certainty_is_told_without_a_chart(bt: Bt) -> None:
    said = bt("odds", "vehicles5", "what_may_it_do", "--vehicle", "Barrow carrier").stdout
    assert "█" not in said
    assert "on average" not in said
    assert "100 %" not in said
    assert said.index("Turn on the spot: yes") < said.index("May turn on the spot")
    assert re.search(r"May fire those weapons together +none named", said)
    assert "needs" not in said
    assert "all weapons" in said


def test_what_is_certain_beside_luck_is_a_line(bt: Bt) -> None:
    said = bt("odds", "vehicles5", "shoot").stdout
    assert "Hits expected                        2.67" in said
    assert "█" in said


def test_a_column_that_goes_below_keeps_its_heading(bt: Bt) -> None:
    said = bt("odds", "deathwatch", "fire_mode").stdout
    assert re.search(r"A half aim +A full aim\n", said)
    assert re.search(r"\n +No aim: \[\d+ %, jams \d+ %, [\d.]+ rounds\]\n", said)


def test_kill_time_says_by_when(bt: Bt) -> None:
    said = bt("odds", "vehicles5", "kill_time", "--repeat", "2").stdout
    assert "by then" in said
    assert "at least" not in said
    assert "volley 2" in said
    assert "not destroyed" in said
    assert bt("odds", "vehicles5", "kill_time", "--csv").stdout.startswith("value,exactly,at_most,")
    rolled = bt("roll", "vehicles5", "kill_time", "--seed", "1").stdout
    (when,) = [line for line in rolled.splitlines() if line.startswith("When it is destroyed")]
    assert "not destroyed" in when
    assert "As few or fewer" not in when


def test_the_defender_plays_against_the_goal(bt: Bt) -> None:
    said = " ".join(bt(*RAM, "--best", "target_destroyed").stdout.split())
    assert "if the defender plays to keep it as low as possible." in said
    assert said.index("best") < said.index("stay 0.17")
    kind = " ".join(bt(*RAM, "--best", "target_destroyed", "--sides", "defender=max").stdout.split())
    assert "if the defender plays to make it as high as possible." in kind
    assert "Target: wrecked or exploded: 17 %" in kind


def test_ways_to_play() -> None:
    fallen = registry.ruleset("attack_dice").question("attack").measure("casualties")
    assert ways_to_play(fallen) == {"defender": "min"}
    assert ways_to_play(fallen, {"attacker": "first"}) == {"defender": "min", "attacker": "first"}
    assert ways_to_play(fallen, {"defender": "max"}) == {"defender": "max"}
    card = registry.ruleset("vehicles5")
    value = advise(card, card.question("ram"), {"target_types": "skimmer"}, "dodged", {"defender": "max"}).value
    assert value == Fraction(4, 6)


def test_ids_of_rules_stand_apart_from_their_titles(bt: Bt) -> None:
    for ruleset in ("vehicles5", "attack_dice"):
        lines = [line for line in bt("rules", ruleset).stdout.splitlines() if line.startswith("  ")]
        book = registry.ruleset(ruleset).clauses
        assert {line.split()[0] for line in lines} == set(book.by_id)


@pytest.mark.parametrize("text", ["7", "3 4", "3,4", "3+4", " 4  3 "])
def test_a_sum_may_be_typed_die_by_die(text: str) -> None:
    assert Ask("roll", "distance", dice("2d6")).parse(text) == 7


@pytest.mark.parametrize("text", ["3 7", "3 4 1", "0 6", "3 x", "13", ""])
def test_dice_that_do_not_make_the_sum_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match=r"distance must be 2-12, or the 2 dice one by one \(1-6\), got"):
        Ask("roll", "distance", dice("2d6")).parse(text)


def test_only_sums_take_several_dice() -> None:
    assert (dice("2d6").added, dice("2d10+5").added, D6.added) == ((2, 6, 0), (2, 10, 5), None)
    assert dice("2d10+5").face("10 10") == 25
    for die in (D6, special("scatter", ("hit", "arrow"))):
        with pytest.raises(ValueError, match="3 4"):
            die.face("3 4")
    with pytest.raises(BadInput, match="must be hit, arrow, got 3"):
        Ask("roll", "scatter", special("scatter", ("hit", "arrow"))).parse("3")


def test_scatter_distance_typed_at_the_table(bt: Bt) -> None:
    said = bt("roll", "vehicles5", "ordnance", "--answers", "arrow; 3 4; 90", "--seed", "1").stdout
    assert ": 7" in said


def test_a_capital_leaves_names_alone() -> None:
    assert capital("ninth Bridge sappers: morale") == "Ninth Bridge sappers: morale"
    assert capital("") == ""
