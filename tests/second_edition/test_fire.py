"""Fire: catching it, the Fire Test, helpers, and those who ignore the flames."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battletape.field.moves import beyond_edges
from battletape.registry import ruleset
from battletape.rulesets.second_edition.rules.fire import refuse_help, run_about, start_of_turn
from battletape.rulesets.second_edition.rulings import Rulings
from battletape.table.bases import Base
from battletape.table.board import Board
from battletape.table.points import Point
from battletape.tape.script import Script
from tests.second_edition.tables import table_rows

SYSTEM = ruleset("second_edition")
FLAMER = {"strength": 4, "save_modifier": -2}
GUARD = {**FLAMER, "toughness": 3, "save": 6}  # killed 2/3 by each hit
MARINE = {**FLAMER, "toughness": 4, "save": 3}  # killed 1/3
TERMINATOR = {**FLAMER, "toughness": 4, "save": 3, "save_dice": "2d6"}  # killed 1/12


def ends(**given):
    """The table of a fire."""
    return dict(table_rows(SYSTEM.ask("burning", **given)))


@pytest.mark.clause("SE-86", "SE-20")
def test_who_catches_fire():
    guard = SYSTEM.ask("burning", lit="entirely", turns=1, **GUARD)
    assert guard.odds("killed_at_once").chance(1) == Fraction(2, 3)
    assert guard.odds("caught_fire").chance(1) == Fraction(1, 6)
    marine = SYSTEM.ask("burning", lit="entirely", turns=1, **MARINE)
    assert marine.odds("ending").chance("never lit") == Fraction(1, 3)
    unhurt = SYSTEM.ask("burning", lit="entirely", turns=1, strength=1, toughness=10)  # a hit that cannot wound
    assert unhurt.odds("caught_fire").chance(1) == Fraction(1, 2)


@pytest.mark.clause("SE-86", "SE-83", "SE-97")
@pytest.mark.parametrize("lit, dies", [("entirely", Fraction(31, 39)), ("partially", Fraction(31, 78))])
def test_the_hit_and_the_fire_together(lit, dies):
    assert Fraction(ends(lit=lit, **GUARD)["dies at last"]) == dies


@pytest.mark.clause("SE-87", "SE-88", "SE-91")
def test_the_fire_test():
    for face in range(1, 6):
        tape = Script(face, 1)  # the test, and a wound roll that fails
        assert SYSTEM.roll("burning", turns=1, tape=tape, **GUARD).results["ending"] == "burning"
        assert tape.used_up
    tape = Script(6)
    assert SYSTEM.roll("burning", turns=1, tape=tape, **GUARD).results["ending"] == "out"


@pytest.mark.clause("SE-88")
def test_a_burning_model_does_not_catch_fire_again():
    made = SYSTEM.roll("burning", turns=1, tape=Script(2, 1), **GUARD)
    assert [entry.label for entry in made.entries] == ["fire test", "to wound"]


@pytest.mark.clause("SE-89", "SE-90", "SE-91")
def test_what_a_model_may_do_in_the_turn_of_its_test():
    rows = ends(move=6, **GUARD)
    assert rows["after 1-5: runs at random"] == "6 inches"
    assert rows["after 1-5: may shoot"] == rows["after a 6: may shoot"] == rows["after a 6: may move"] == "no"
    assert rows["after 1-5: bound to its squad"] == "no"
    assert rows["after a 6: acts as usual"] == "from its next turn"
    assert dict(table_rows(SYSTEM.ask("burning", burning_model="acts", **GUARD)))["after 1-5: may shoot"] == "yes"
    ran = SYSTEM.roll("burning", turns=2, tape=Script(2, 1, 3, 1), move=6, **GUARD).results["ran"]
    assert ran == 12


@pytest.mark.clause("SE-89", "SE-6")
def test_running_about_on_the_table():
    base = Base(Point(3, 24), 0.5)
    assert run_about(Script(90), base, 4.0).centre == Point(7, 24)
    west = run_about(Script(270), base, 4.0, beyond_edges(Board(48, 48)))
    assert west.centre.x == pytest.approx(0.5, abs=0.13)  # the edge of the table stops it
    stopped = run_about(Script(90), base, 4.0, [Base(Point(6, 24), 0.5)])
    assert stopped.centre.x == pytest.approx(5, abs=0.13)  # whoever stands there stops it
    assert run_about(Script("hit"), base, 4.0, rulings=Rulings(random_direction="hit_stays")) == base
    assert run_about(Script(75.2), base, 4.0).centre == run_about(Script(75), base, 4.0).centre  # whole degrees


@pytest.mark.clause("SE-92", "SE-94")
def test_who_may_help():
    assert refuse_help(1.0, on_fire=True) is None
    assert "within 1 inch" in str(refuse_help(1.1, on_fire=True))
    assert "nothing burns" in str(refuse_help(0.5, on_fire=False))
    assert ends(helpers=1)["helpers may shoot"] == "no"


@pytest.mark.clause("SE-93")
@pytest.mark.parametrize("helpers", range(1, 8))
def test_beating_out_the_flames(helpers):
    rows = ends(helpers=helpers)
    assert Fraction(rows["the helpers succeed"]) == Fraction(min(helpers, 6), 6)
    each = dict(table_rows(SYSTEM.ask("burning", helpers=helpers, beating_out="roll_each")))
    assert Fraction(each["the helpers succeed"]) == 1 - Fraction(5, 6) ** helpers


@pytest.mark.clause("SE-95")
def test_who_may_ignore_the_flames():
    for kind in ("vehicle", "dreadnought", "terminator", "frenzied", "tyranid"):
        assert ends(types=kind)["may ignore the flames"] == "yes"
    assert ends()["may ignore the flames"] == "no"
    fights = ends(types="frenzied")
    assert fights["after 1-5: may shoot"] == fights["after a 6: may move"] == "yes"
    assert fights["after 1-5: runs at random"] == "no"
    assert ends(types="frenzied", ignores=False)["after 1-5: may move"] == "no"


@pytest.mark.clause("SE-95", "SE-97")
def test_models_that_ignore_the_flames_still_burn_unless_ruled_otherwise():
    given = {"types": "terminator", **TERMINATOR}
    assert Fraction(ends(**given)["dies at last"]) == Fraction(5, 17)
    spared = SYSTEM.ask("burning", ignored_flames="no_hits", **given)
    assert spared.odds("dead").chance(1) == 0


@pytest.mark.clause("SE-97")
@pytest.mark.parametrize(
    "given, helpers, dies, tests",
    [
        (GUARD, 0, "10/13", "18/13"),
        (MARINE, 0, "5/8", "9/4"),
        (GUARD, 2, "15/22", "27/22"),
        (MARINE, 2, "15/34", "27/17"),
        ({"strength": 5, "save_modifier": -3, "toughness": 4, "save": 4, "wounds": 2}, 0, "100/169", "414/169"),
    ],
)
def test_how_a_fire_ends(given, helpers, dies, tests):
    rows = ends(helpers=helpers, **given)
    assert (rows["dies at last"], rows["Fire Tests on average"]) == (dies, tests)
    long = SYSTEM.ask("burning", turns=20, helpers=helpers, **given)  # the second way: twenty turns of it
    assert float(long.odds("dead").chance(1)) == pytest.approx(float(Fraction(dies)), abs=2e-3)


@pytest.mark.clause("SE-97", "SE-87")
def test_turn_by_turn():
    asked = SYSTEM.ask("burning", turns=2, **GUARD)
    assert asked.odds("ending").fractions() == {
        "burning": Fraction(25, 324),
        "dead": Fraction(115, 162),
        "out": Fraction(23, 108),
    }
    assert asked.odds("turn_of_death").chance(1) == Fraction(5, 9)


@pytest.mark.clause("SE-96", "SE-88")
def test_a_burning_vehicle_takes_hits_for_armour_penetration():
    made = SYSTEM.roll("burning", turns=1, toughness="none", tape=Script(3), **FLAMER)
    assert made.state.condition.vehicle_hits == 1


@pytest.mark.clause("SE-118", "SE-67", "SE-87")
def test_the_order_at_the_start_of_a_turn():
    assert start_of_turn(["c1"], ["a1"]) == (("marker", "c1"), ("fire", "a1"))
    assert start_of_turn(["c1"], ["a1"], Rulings(turn_start="fires_first")) == (("fire", "a1"), ("marker", "c1"))


@pytest.mark.clause("SE-95", "SE-96", "SE-97")
def test_a_burning_vehicle_never_dies_of_it_here_and_its_hits_are_handed_on():
    asked = SYSTEM.ask("burning", unit="Mule carrier", weapon="Heavy flamer", turns=2)
    assert asked.odds("dead").chance(0) == 1
    assert str(asked).startswith("Mule carrier dies 0 % of the time within 2 turns, and 0 % if nothing else")


@pytest.mark.clause("SE-86")
def test_a_weapon_that_sets_nobody_on_fire_is_noted():
    assert any("Boltgun sets no model on fire" in note for note in SYSTEM.ask("burning", weapon="Boltgun").warnings)
    assert not any("sets nobody" in note for note in SYSTEM.ask("burning", weapon="Flamer").warnings)


@pytest.mark.clause("SE-93", "SE-97")
def test_how_it_stands_is_told_before_the_helpers_of_the_last_turn():
    title = SYSTEM.question("burning").measure("ending").title
    assert title == "How it stands after its last Fire Test, before anybody helps"
    alone, helped = (SYSTEM.ask("burning", turns=1, helpers=helpers).odds("ending") for helpers in (0, 6))
    assert alone.fractions() == helped.fractions()
