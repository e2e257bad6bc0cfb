"""The questions horde, horde_attacks and suppress, as a player asks them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape.inputs import fields
from battletape.log import as_text
from battletape.rulesets.deathwatch.profiles.book import book
from battletape.rulesets.deathwatch.questions import horde, horde_attacks, suppress
from battletape.rulesets.deathwatch.rulings import PRESETS, Rulings
from battletape.system import Ruleset

RULES = Ruleset(
    name="deathwatch",
    title="Hordes",
    summary="hordes and suppressing fire",
    package="battletape.rulesets.deathwatch",
    rulings=Rulings,
    questions=(horde.HORDE, horde_attacks.HORDE_ATTACKS, suppress.SUPPRESS),
    presets=PRESETS,
    profiles=book,
)


def chance(question: str, measure: str, value: Any, **given: Any) -> Fraction:
    return RULES.ask(question, **given).odds(measure).chance(value)


def test_no_input_has_the_name_of_a_ruling():
    rulings = {given.name for given in fields(Rulings)}
    for question in RULES.questions:
        assert not rulings & {given.name for given in fields(question.inputs)}
        assert RULES.ask(question.name, **question.example).headline


# --- horde ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-HPIPE-1", "DW-HORDE-2")
def test_the_reference_burst():
    answer = RULES.ask("horde")
    assert answer.start.fight.attack.spec(30).target == 110
    assert answer.odds("lost").mean == answer.odds("hits").mean == Fraction(449, 100)
    assert answer.odds("lost").at_least(5) == Fraction(4, 5)
    assert answer.odds("jammed").chance(1) == Fraction(7, 100)
    assert answer.odds("rounds").chance(4) == 1
    assert answer.headline == "Loses 4.5 Magnitude on average; destroyed 0 %, breaks 0 %, jams 7.0 %."
    titles = [step.title for step in answer.steps]
    assert titles[:3] == ["Full auto burst +20", "Short range +10", "Horde of 30 or more +30"]
    assert ("Modifiers +60: 50 becomes 110", ("DW-TEST-4",)) in [(step.title, step.clauses) for step in answer.steps]


@pytest.mark.clause("DW-HPIPE-1")
@pytest.mark.parametrize(
    ("given", "mean"),
    [
        ({"weapon": "Astartes Lascannon", "mode": "single", "band": "normal"}, "4/5"),
        ({"weapon": "Astartes Heavy Bolter", "band": "normal"}, "159/25"),
        ({"horde_ap": 8, "horde_tb": 8, "magnitude": 9}, "8143/2500"),
        ({"weapon": "Astartes Flamer", "horde_ap": 8, "horde_tb": 8}, "18/5"),
        ({"attack": "flame", "horde_ap": 8, "horde_tb": 8}, "18/5"),
        ({"weapon": "Astartes Power Sword"}, "2"),
        ({"attack": "melee"}, "6/5"),
        ({"attack": "psychic", "psy_rating": 5, "damage": "2d10+10"}, "5"),
        ({"attack": "psychic", "psy_rating": 4, "damage": "2d10+10", "own_willpower": 40}, "12/5"),
        ({"attack": "psychic", "psy_rating": 5, "damage": "2d10+10", "area": True}, "21/2"),
    ],
)
def test_means_of_the_catalogue(given: dict[str, Any], mean: str):
    assert RULES.ask("horde", breaks=False, **given).odds("lost").mean == Fraction(mean)


@pytest.mark.clause("DW-HORDE-11", "DW-QUAL-DEVASTATING")
def test_a_frag_missile_from_its_launcher():
    given = {
        "weapon": "Astartes Missile Launcher (Soundstrike)",
        "ammunition": "Frag missile",
        "mode": "single",
        "band": "normal",
        "horde_ap": 6,
        "horde_tb": 4,
        "breaks": False,
    }
    assert chance("horde", "hits", 7, **given) == Fraction(4, 5)
    assert chance("horde", "lost", 7, **given) == Fraction(410338673, 1600000000)
    assert chance("horde", "hits", 6, **given, horde_devastating="per_hit_magnitude") == Fraction(4, 5)


@pytest.mark.clause("DW-HORDE-16")
def test_turns_and_breaking():
    answer = RULES.ask("horde", turns=5, magnitude=16)
    assert sum(answer.odds("broken_in").chance(turn) for turn in range(1, 6)) == answer.odds("broken").chance(1)
    assert "hits" not in {measure.name for measure in answer.measures}
    stands = RULES.ask("horde", turns=5, magnitude=16, breaks=False)
    assert stands.odds("broken").chance(1) == 0
    assert stands.odds("lost").mean > answer.odds("lost").mean
    assert "in 5 turns" in stands.headline
    assert "breaks" not in stands.headline


@pytest.mark.clause("DW-HORDE-14", "DW-HORDE-17", "DW-RF-3")
def test_profiles_are_written_out():
    inputs: Any
    inputs, _ = RULES.split(
        RULES.question("horde"), {"attacker": "Brother Cato", "horde": "raider MOB", "magnitude": 12}
    )
    assert (inputs.horde, inputs.magnitude, inputs.starting, inputs.horde_ap, inputs.horde_tb) == (
        "Raider mob",
        12,
        30,
        4,
        3,
    )
    assert (inputs.bs, inputs.weapon, inputs.fury, inputs.willpower) == (48, "Astartes Bolter (Godwyn)", "sure", 28)
    inputs, _ = RULES.split(
        RULES.question("horde"), {"attacker": "Brother Teodor", "horde": "Drilled guard", "attack": "melee"}
    )
    assert (inputs.attack, inputs.weapon, inputs.fury) == ("melee", "Astartes Chainsword", "confirm")
    assert inputs.traits == ("Disciplined", "Fire Drill")
    inputs, _ = RULES.split(
        RULES.question("horde"), {"attacker": "Brother Cato", "horde": "Raider mob", "fury": "none"}
    )
    assert inputs.fury == "none"


@pytest.mark.clause("DW-HORDE-10", "DW-ACT-ALL-OUT-ATTACK", "DW-MWEP-00")
def test_actions_and_fists_of_power():
    target = {
        action: RULES.ask("horde", attack="melee", action=action).start.fight.attack.spec(30).target
        for action in ("standard", "all_out", "charge", "guarded")
    }
    assert target == {"standard": 80, "all_out": 100, "charge": 90, "guarded": 70}
    fist = RULES.ask("horde", weapon="Astartes Power Fist", sb=8, times_sb=2).start.fight.attack.spec(30)
    core = RULES.ask("horde", weapon="Astartes Power Fist", sb=8, times_sb=2, power_fist="multiplier_plus_one")
    assert fist.hits[0].flat - core.start.fight.attack.spec(30).hits[0].flat == 4


@pytest.mark.clause("DW-HORDE-8")
def test_warnings():
    assert RULES.ask("horde").warnings == ()
    assert RULES.ask("horde", weapon="Astartes Lascannon", mode="single").warnings == (
        "A single shot takes one Magnitude at most, however strong it is (DW-HORDE-8).",
    )
    weak = RULES.ask("horde", damage="1d10", pen=0, horde_ap=20, qualities="", damage_type="I")
    assert weak.warnings == ("This weapon cannot hurt this horde.",)
    furious = RULES.ask("horde", damage="1d10", pen=0, horde_ap=20, qualities="", damage_type="I", fury="confirm")
    assert furious.warnings == ("This weapon cannot hurt this horde except by righteous fury.",)
    assert RULES.ask("horde", bs=0, modifier=-120).warnings == (
        "This attack cannot hit: its target is -60 (DW-TEST-1).",
    )


@pytest.mark.clause("DW-HPIPE-1")
def test_a_roll_and_its_luck():
    roll = RULES.roll("horde", seed=3)
    assert roll.results["lost"] == 5
    little, much = roll.luck(RULES.ask("horde").odds(), None)
    assert (little, much) == (1, Fraction(4, 5))
    assert "To hit (needs 110 or less)" in as_text(roll.log)


# --- horde_attacks ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-HORDE-15")
def test_a_mob_shoots_and_strikes():
    answer = RULES.ask("horde_attacks", horde="Raider mob", target="Brother Cato")
    assert (answer.inputs.bs, answer.inputs.weapon, answer.start.attacks) == (28, "Autogun", 3)
    assert answer.start.spec.target == 38
    assert answer.start.spec.hits[0].dice == 3
    miss = 1 - Fraction(38, 100)
    assert answer.odds("hits").chance(0) == miss**3
    blows = RULES.ask("horde_attacks", horde="Raider mob", attack="melee", target="Brother Cato")
    assert (blows.inputs.weapon, blows.start.attacks, blows.start.spec.hits[0].dice) == ("Improvised", 1, 4)
    assert blows.odds("hits").chance(1) == Fraction(32, 100)
    assert blows.headline.startswith("0.3 hits and ")


@pytest.mark.clause("DW-HORDE-15", "DW-HORDE-17")
def test_fire_drill_and_fewer_attacks():
    drilled = RULES.ask("horde_attacks", horde="Drilled guard")
    assert drilled.start.attacks == 5
    assert RULES.ask("horde_attacks", attacks=1).odds("hits").chance(1) == Fraction(40, 100)
    none = RULES.ask("horde_attacks", magnitude=5)
    assert none.odds("damage").chance(0) == 1
    assert none.warnings == ("A horde of Magnitude 5 has no attack with its guns (DW-HORDE-15).",)
    many = RULES.ask("horde_attacks", magnitude=50, mode="full", full=10, attacks=2)
    assert "hits" not in {measure.name for measure in many.measures}
    assert "damage on average; dead" in many.headline


# --- suppress ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-SUPP-1", "DW-SUPP-2", "DW-SUPP-3", "DW-SUPP-4")
def test_suppressing_fire():
    answer = RULES.ask("suppress")
    assert answer.odds("hits").fractions() == {0: Fraction(7, 10), 1: Fraction(1, 5), 2: Fraction(1, 10)}
    assert answer.odds("given_hit").chance(1) == Fraction(11, 90)
    assert answer.odds("pinned").chance(3) == Fraction(4913, 8000)
    assert answer.odds("jammed").chance(1) == Fraction(7, 100)
    assert answer.odds("rounds").chance(4) == 1
    assert answer.headline == "2.5 of 3 pinned on average, somebody 99.7 %; a hit 30 %, jams 7.0 %."
    assert chance("suppress", "rounds", 2, full=0) == 1


@pytest.mark.clause("DW-OVER-2", "DW-OVER-3")
def test_bursts_from_overwatch_pin_too():
    given = {"on_overwatch": True, "number": 1, "willpower": 40, "distance": 60}
    full = RULES.ask("suppress", fire="full", **given)
    assert full.odds("hits").chance(4) == full.odds("given_hits").chance(4) == Fraction(1, 5)
    assert full.odds("pinned").chance(1) == Fraction(4, 5)
    semi = RULES.ask("suppress", fire="semi", **given)
    assert semi.start.spec.target == 40
    assert RULES.ask("suppress", on_overwatch=True).start.spec.target == 30


@pytest.mark.clause("DW-SUPP-2")
def test_range_and_size_count_by_the_ruling():
    own = RULES.ask("suppress", size="Puny", fatigue=1)
    every = RULES.ask("suppress", size="Puny", fatigue=1, suppressing_modifiers="all")
    assert (own.start.spec.target, every.start.spec.target) == (20, 10)


@pytest.mark.clause("DW-HORDE-9", "DW-SUPP-1")
def test_a_horde_among_them():
    answer = RULES.ask("suppress", targets="wp=35 magnitude=30; wp=20 name=Bo", pin_modifier=5)
    assert answer.start.wills == (("", 35 + 30 - 20 + 5), ("Bo", 5))
    assert answer.odds("pinned").chance(2) == Fraction(50, 100) * Fraction(95, 100)
    assert RULES.ask("suppress", targets="wp=35", number=5).warnings == (
        "number is not used, as 1 target are named (DW-SUPP-3).",
    )


@pytest.mark.clause("DW-SUPP-1")
def test_warnings_of_suppressing_fire():
    assert RULES.ask("suppress", bs=10, willpower=15).warnings == (
        "This fire cannot hit: its target is -10; it pins all the same (DW-SUPP-1).",
        "No target can pass the Willpower test: all are pinned (DW-SUPP-1).",
    )


@pytest.mark.clause("DW-SUPP-3", "DW-SUPP-4")
def test_the_log_of_suppressing_fire():
    text = as_text(RULES.roll("suppress", seed=3).log)
    for line in ("Suppressing fire -20  [DW-SUPP-2]", "0 of 1 hit on the first target", "3 of 3 pinned  [DW-SUPP-1]"):
        assert line in text
