"""The questions shoot and kill_time as a player asks them: inputs, profiles, headlines, logs, refusals."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import msgspec
import pytest

from battletape.answer import sample
from battletape.cli.drawing import summary
from battletape.errors import BattletapeError
from battletape.rulesets.vehicles5.profiles.book import book
from battletape.rulesets.vehicles5.questions.kill_time import KILL_TIME
from battletape.rulesets.vehicles5.questions.shoot import SHOOT
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rulings import PRESETS, Rulings
from battletape.system import Ruleset
from battletape.tape.script import Script
from battletape.views.answer import answer_view

RULES = Ruleset(
    "vehicles5",
    "Vehicles",
    "",
    "battletape.rulesets.vehicles5",
    Rulings,
    (SHOOT, KILL_TIME),
    presets=PRESETS,
    profiles=book,
)
LASCANNON = {"shots": 4, "bs": 4, "strength": 9, "ap": 2}
TWO = {"guns": [{**LASCANNON, "shots": 2}]}


def chance(measure: str, **given: Any) -> Fraction:
    return RULES.ask("shoot", **given).odds(measure).chance(1)


@pytest.mark.clause("V5-VOLLEY-1", "V5-MARK-1", "V5-MARK-4")
def test_four_lascannons() -> None:
    answer = RULES.ask("shoot", front=12, weapons=1, guns=[LASCANNON])
    assert answer.odds("destroyed").chance(1) == Fraction(68347, 177147)
    assert answer.odds("immobilised_or_worse").chance(1) == Fraction(307441, 531441)
    assert answer.odds("cannot_shoot_next_turn").chance(1) == Fraction(16808, 19683)
    assert answer.odds("cannot_move_next_turn").chance(1) == Fraction(521, 729)
    assert answer.odds("unchanged").chance(1) == answer.odds("result").chance("in order") == Fraction(625, 6561)
    assert answer.odds("wrecked").chance(1) + answer.odds("exploded").chance(1) == Fraction(68347, 177147)
    assert answer.odds("weapons_lost").mean == answer.odds("weapon_lost_or_destroyed").chance(1)
    assert answer.odds("expected_hits").mean == Fraction(8, 3)
    assert answer.odds("expected_glances").mean == Fraction(4, 9)
    assert answer.odds("expected_penetrations").mean == Fraction(4, 3)
    assert answer.headline == "Destroyed 39 %, immobilised or worse 58 %; 2.7 hits expected."
    assert answer.states.is_exact
    assert not answer.warnings


@pytest.mark.clause("V5-SHOT-10", "V5-CORE-1", "V5-PEN-3", "V5-CORE-4", "V5-PEN-4")
def test_the_steps_name_what_is_needed() -> None:
    steps = RULES.ask("shoot", guns=["Lascannon"], cover=4).steps
    said = [(step.title, step.needed, step.chance, step.clauses) for step in steps]
    assert said == [
        ("Lascannon: to hit on a D6", "3+", Fraction(2, 3), ("V5-CORE-1",)),
        ("Lascannon: penetration on a D6", "glance 3, penetrate 4+ against armour 12", Fraction(2, 3), ("V5-PEN-3",)),
        ("Lascannon: cover save on a D6", "4+", Fraction(1, 2), ("V5-CORE-4",)),
        ("Lascannon: damage on a D6", "damage table", None, ("V5-PEN-4",)),
        ("Lascannon: damage on a D6", "damage table, −2", None, ("V5-PEN-4",)),
    ]


def test_profiles_fill_in_numbers() -> None:
    answer = RULES.ask("shoot", vehicle="anvil battle tank", guns="2 x Lascannon ; weapon=Meltagun half_range=yes")
    las, melta = answer.inputs.guns
    assert (las.strength, las.ap, las.models, melta.rules) == (9, 2, 2, ("melta",))
    assert [shot.dice for shot in answer.start.volleys[0]] == ["d6", "d6", "2d6"]
    tank = book().find("vehicle", "Anvil battle tank")
    assert (answer.inputs.front, answer.inputs.types) == (tank.front, tank.types)
    assert len(answer.start.now.weapons) == len(tank.mounts)
    assert RULES.ask("shoot", vehicle="Anvil battle tank", weapons=0).start.now.weapons == ()
    cart = RULES.ask("shoot", vehicle="Ember cart", weapon_names="none")
    assert cart.start.now.weapons == ()


@pytest.mark.clause("V5-DMG-3")
def test_close_combat_weapons_by_ruling() -> None:
    kept = RULES.ask("shoot", vehicle="Twin-fisted ogre", band="combat").start.now.weapons
    held = RULES.ask("shoot", vehicle="Twin-fisted ogre", melee_weapon_can_be_destroyed=False).start.now.weapons
    assert len(held) < len(kept)
    assert set(held) < set(kept)


@pytest.mark.clause("V5-SHOT-5", "V5-SHOT-4")
def test_facings() -> None:
    two = {**LASCANNON, "shots": 2}
    found = chance("destroyed", front=12, side=10, weapons=2, guns=[two, {**two, "facing": "side"}])
    assert found == Fraction(9379, 19683)


@pytest.mark.clause("V5-SKIM-6", "V5-SKIM-7", "V5-SMOKE-3", "V5-CORE-4")
def test_cover_and_crashes_follow_from_the_target() -> None:
    flat_out = {"types": ["fast", "skimmer"], "band": "flat_out", "weapons": 2, "guns": [LASCANNON]}
    assert chance("destroyed", **flat_out) == Fraction(2739775, 8503056)
    covers = {
        "smoke": chance("unchanged", smoke=True, guns=[LASCANNON]),
        "terrain": chance("unchanged", terrain_cover=4, guns=[LASCANNON]),
        "given": chance("unchanged", cover=4, guns=[LASCANNON]),
    }
    assert set(covers.values()) == {Fraction(7, 9) ** 4}
    assert chance("unchanged", smoke=True, smoke_cover="bonus", guns=[LASCANNON]) == Fraction(5, 9) ** 4
    assert chance("unchanged", smoke=True, guns=[{**LASCANNON, "ignores_cover": True}]) == Fraction(5, 9) ** 4
    row_only = RULES.ask("shoot", **flat_out, crash_on="row_only").start.now
    assert row_only.crash == "row"


@pytest.mark.clause("V5-VOLLEY-2", "V5-CUMUL", "V5-DMGMOD-5", "V5-OPEN-5")
def test_rulings_of_damage() -> None:
    batch = chance("exploded", weapons=1, guns=[LASCANNON], volley_order="batch")
    assert batch == Fraction(21455, 104976)
    last_leg = {"weapons": 0, "immobilised": True, "guns": [{"auto": True, "strength": 8, "ap": 3}], "front": 14}
    assert chance("destroyed", **last_leg) == Fraction(1, 6) * Fraction(1, 3)
    assert chance("destroyed", **last_leg, repeat_damage="wasted") == 0
    assert chance("unchanged", **last_leg, damage_range="nothing") == 1 - Fraction(1, 6) * Fraction(4, 6)
    open_topped = chance("destroyed", front=10, types=["open_topped"], guns=[{"auto": True, "strength": 8, "ap": 3}])
    assert open_topped == Fraction(13, 36)


def test_what_cannot_work_is_said() -> None:
    answer = RULES.ask("shoot", front=14, guns=[{"strength": 4}, {"bs": 0, "strength": 10}, {"strength": 10}])
    assert answer.warnings == (
        "gun 1 cannot harm this armour: its dice show 6 at most, 10 glances",
        "gun 2 cannot hit with a BS of 0",
    )
    assert RULES.ask("kill_time", volleys=[{"guns": [{"strength": 1}]}]).warnings


@pytest.mark.clause("V5-DMG-1", "V5-DMG-3", "V5-DMG-5", "V5-DMG-6")
@pytest.mark.parametrize(
    ("dice", "line", "clauses"),
    [
        ((2, 1, 1, 1), "The vehicle is as before", ("V5-VOLLEY-1",)),
        ((3, 4, 1, 2, 2, 2), "The vehicle is shaken", ("V5-DMG-1",)),
        ((3, 4, 3, "a", 3, 4, 4, 2, 2), "The vehicle is immobilised and loses its a", ("V5-DMG-4", "V5-DMG-3")),
        ((3, 4, 3, "a", 3, 4, 3, 2, 2), "The vehicle loses its a and its b", ("V5-DMG-3",)),
        ((3, 4, 5), "The vehicle is wrecked", ("V5-DMG-5",)),
        ((3, 4, 6), "The vehicle explodes", ("V5-DMG-6",)),
    ],
)
def test_the_log(dice: tuple[Any, ...], line: str, clauses: tuple[str, ...]) -> None:
    tape = Script(*dice)
    rolled = RULES.roll("shoot", tape=tape, weapon_names=["a", "b"], guns=[LASCANNON])
    assert (rolled.log[-1].text, rolled.log[-1].clauses) == (line, clauses)
    assert tape.used_up


@pytest.mark.clause("V5-MARK-5", "V5-VOLLEY-1")
def test_kill_time() -> None:
    answer = RULES.ask("kill_time", weapons=1, volleys=[TWO], repeat=3)
    when = answer.odds("destroyed_in")
    assert 1 - when.chance(0) == answer.odds("destroyed").chance(1) == Fraction(208220489, 387420489)
    assert when.chance(1) == chance("destroyed", weapons=1, **TWO)
    assert answer.odds("expected_hits").mean == 4
    assert answer.headline == "Destroyed in 3 volleys 54 %; as likely as not by volley 3."
    short = RULES.ask("kill_time", volleys="Lascannon")
    assert short.headline == "Destroyed in 1 volley 11 %; more likely to be still there."
    named = RULES.ask("kill_time", volleys="2 x Lascannon ; cover=4 guns='weapon=Autocannon bs=3'")
    assert [len(one) for one in named.start.volleys] == [2, 2]
    assert [one[0].cover for one in named.start.volleys] == [0, 4]


@pytest.mark.clause("V5-MARK-5", "V5-DMG-1", "V5-DMG-2")
def test_kill_time_over_turns() -> None:
    given = {"weapons": 1, "shaken": True, "volleys": [TWO], "repeat": 2}
    same, apart = (RULES.ask("kill_time", **given, spread=spread) for spread in ("one_turn", "turns"))
    assert same.odds("cannot_shoot_next_turn").chance(1) == 1
    assert apart.odds("cannot_shoot_next_turn").chance(1) < 1
    assert same.odds("destroyed_in") == apart.odds("destroyed_in")
    rolled = RULES.roll("kill_time", tape=Script(*[1] * 4), **given, spread="turns")
    assert [line.text for line in rolled.log if line.text.startswith("A turn")] == ["A turn goes by: the crew recovers"]
    assert rolled.state.now == Condition(weapons=("weapon",))
    batch = RULES.ask("kill_time", **given, volley_order="batch")
    assert batch.odds("destroyed").chance(1) == same.odds("destroyed").chance(1)


@pytest.mark.clause("V5-VOLLEY-1")
def test_rolls_agree_with_the_odds() -> None:
    given = {"weapons": 2, "guns": [LASCANNON, {"shots": 3, "bs": 3, "strength": 7, "ap": 4}]}
    exact = float(chance("destroyed", **given))
    times = 2000
    found = float(sample(RULES, SHOOT, given, times, seed=7).odds("destroyed").chance(1))
    assert abs(found - exact) < 4 * sqrt(exact * (1 - exact) / times)


@pytest.mark.parametrize("question", [SHOOT, KILL_TIME])
def test_examples_can_be_asked(question: Any) -> None:
    answer = RULES.ask(question.name, **question.example)
    assert answer.odds("destroyed").chance(1) > 0


@pytest.mark.clause("V5-MARK-2")
def test_expected_numbers_are_shown_as_plain_numbers() -> None:
    view = answer_view(RULES.ask("shoot"), measures=("expected_hits", "weapons_lost"))
    hits, weapons = (summary(one) for one in view.measures)
    assert hits == ("2.67", "")
    assert weapons[1] == "on average, mostly 0 to 1"


@pytest.mark.clause("V5-MARK-1")
def test_words_of_their_own_order_are_plain_words_in_json() -> None:
    view = answer_view(RULES.ask("shoot"), measures=("worst", "result"))
    worst, result = msgspec.json.decode(msgspec.json.encode(view))["measures"]
    assert [row["value"] for row in worst["rows"]][:2] == ["no worse than before", "shaken"]
    assert "one weapon lost, immobilised" in {row["value"] for row in result["rows"]}


def test_words_of_the_damage_table_are_compared_by_how_bad_they_are():
    worst = RULES.ask("shoot", guns="4 lascannons").odds("worst")
    assert worst.at_least("weapon lost") > worst.at_least("wrecked") > worst.at_least("exploded") > 0
    for compare in (worst.at_least, worst.at_most, worst.__ge__):
        with pytest.raises(BattletapeError, match=r"there is no result 'nonsense'|order"):
            compare("nonsense")
        with pytest.raises(BattletapeError, match="order"):
            compare(3)
