"""Overwatch, suppressing fire and pinning: the catalogue's chances, every ruling, and twins over the faces."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest

from battletape.errors import BadInput
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.profiles.types import WeaponProfile
from battletape.rulesets.deathwatch.rules import suppression
from battletape.rulesets.deathwatch.rules.attack.modifiers import Situation, attack_modifiers
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, Defender, PreparedAttack
from battletape.rulesets.deathwatch.rules.attack.stages import roll_and_check_jam
from battletape.rulesets.deathwatch.rules.conditions import Conditions
from battletape.rulesets.deathwatch.rules.d100_tests import target
from battletape.rulesets.deathwatch.rules.keywords import apply_qualities
from battletape.rulesets.deathwatch.rules.traits import Modifier
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.tape.script import Script
from tests.deathwatch.battles import battle
from tests.deathwatch.exactly import odds_of

AUTO = Rulings(auto_results="01_and_00")


def suppressing(target: int, rof: int) -> PreparedAttack:
    return apply_qualities(AttackDraft(target, mode="suppress", rof=rof), ())


def counted(**known: Any) -> tuple[Modifier, ...]:
    own = Situation(**known)
    return attack_modifiers(suppression.situation_that_counts(own) if own.action == "suppressing" else own, melee=False)


def hits_by_faces(target: int, rof: int) -> dict[int, Fraction]:
    """Hits of suppressing fire, roll by roll."""
    found: dict[int, Fraction] = {}
    for roll in range(1, 101):
        hits = min(rof, 1 + (target - roll) // 20) if roll <= target and roll < 94 else 0
        found[hits] = found.get(hits, Fraction(0)) + Fraction(1, 100)
    return found


# --- areas ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-OVER-1", "DW-ACT-OVERWATCH")
def test_the_kill_zone():
    points = [(90, 22), (90, 22.5), (90, 23), (101, 0), (100, -22), (100, 338), (10, 180)]
    assert [suppression.in_arc(*one, 100) for one in points] == [True, True, False, False, True, True, False]
    wide = Rulings(arc_of_45="each_side")
    assert [suppression.in_arc(90, bearing, 100, wide) for bearing in (23, 45, 46, 315, 314)] == [
        *(True, True, False, True, False)
    ]


@pytest.mark.clause("DW-SUPP-1", "DW-ACT-SUPPRESSING-FIRE")
def test_suppressing_fire_reaches_half_as_far():
    reach = suppression.suppressed_reach(150)
    assert [suppression.in_arc(metres, 0, reach) for metres in (75, 75.5, 76)] == [True, False, False]
    assert suppression.in_arc(10, 22.5, reach)
    assert not suppression.in_arc(10, 40, reach)
    assert suppression.in_arc(10, 40, reach, Rulings(arc_of_45="each_side"))


# --- overwatch --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-OVER-2", "DW-ACT-OVERWATCH")
def test_what_overwatch_allows():
    for mode in ("semi", "full"):
        assert RULESET.ask("shoot", on_overwatch=True, mode=mode).odds("hits").at_least(1)
    assert RULESET.ask("suppress", on_overwatch=True).odds("pinned").at_least(1)


@pytest.mark.clause("DW-OVER-2", "DW-SUPP-2")
@pytest.mark.parametrize(
    ("fire", "overwatch", "aim"),
    [
        ("full", True, 50),
        ("semi", True, 40),
        ("suppressing", True, 30),
        ("suppressing", False, 30),
        ("full", False, 70),
    ],
)
def test_the_20_of_overwatch_counts_once(fire: suppression.Fire, overwatch: bool, aim: int):
    assert target(50, counted(action=fire, overwatch=overwatch)) == aim


@pytest.mark.clause("DW-OVER-2")
def test_a_full_auto_burst_on_overwatch():
    spec = apply_qualities(AttackDraft(50, mode="full", rof=4), ())
    odds = odds_of(roll_and_check_jam, spec).project(lambda after: after.hits)
    wanted = {0: "1/2", 1: "1/10", 2: "1/10", 3: "1/10", 4: "1/5"}
    assert odds.fractions() == {hits: Fraction(chance) for hits, chance in wanted.items()}


@pytest.mark.clause("DW-OVER-4")
def test_how_long_overwatch_lasts():
    assert suppression.overwatch_hours(47) == 4
    assert suppression.ends_by_fire(47)
    holds = Rulings(overwatch="holds")
    assert not suppression.ends_by_fire(47, holds)
    assert suppression.ends_by_fire(9, holds)  # no hour at all


# --- suppressing fire -------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-SUPP-1", "DW-ACT-SUPPRESSING-FIRE")
def test_it_needs_a_burst_weapon():
    assert suppression.refuse_suppress(WeaponProfile(semi=2)) is None
    assert suppression.refuse_suppress(WeaponProfile(full=4)) is None
    refused = suppression.refuse_suppress(WeaponProfile(name="Long rifle"))
    assert str(refused) == ("suppressing fire needs semi-auto or full auto; Long rifle has single shots (DW-SUPP-1)")


@pytest.mark.clause("DW-SUPP-2", "DW-SUPP-4")
def test_rounds_are_those_of_the_best_burst():
    assert suppression.burst_of(WeaponProfile(semi=2, full=4)) == "full"
    assert suppression.burst_of(WeaponProfile(semi=2)) == "semi"
    assert RULESET.ask("suppress", semi=2, full=4).start.spec.rounds == 4
    assert RULESET.ask("suppress", semi=2, full=0).start.spec.rounds == 2


@pytest.mark.clause("DW-SUPP-2", "DW-SUPP-4", "DW-ACT-SUPPRESSING-FIRE")
@pytest.mark.parametrize(("aim", "rof"), [(30, 4), (45, 10), (20, 2), (95, 3), (110, 10), (-5, 4)])
def test_hits_and_jams_by_faces(aim: int, rof: int):
    odds = odds_of(roll_and_check_jam, suppressing(aim, rof))
    assert odds.project(lambda after: after.hits).fractions() == hits_by_faces(aim, rof)
    assert odds.chance(lambda after: after.status == "jam") == Fraction(7, 100)


@pytest.mark.clause("DW-SUPP-2")
def test_only_the_shooters_own_state_counts():
    far = Situation(
        action="suppressing",
        band="long",
        size="Puny",
        prone=True,
        fog=True,
        fatigue=1,
        untrained=True,
        heavy=True,
        braced=False,
        situations=("fatigued", "shoot_in_darkness"),
        other=(Modifier("luck", 5),),
    )
    own = attack_modifiers(suppression.situation_that_counts(far), melee=False)
    assert {one.source: one.value for one in own} == {
        "suppressing fire": -20,
        "fatigued": -10,
        "no talent for the weapon": -20,
        "heavy weapon not braced": -30,
        "luck": 5,
    }
    every = attack_modifiers(suppression.situation_that_counts(far, Rulings(suppressing_modifiers="all")), melee=False)
    assert sum(one.value for one in every) == -75 - 10 - 20 - 10 - 20 - 30
    burst = counted(action="full", band="long", overwatch=True)
    assert sum(one.value for one in burst) == 20 - 20 - 10


@pytest.mark.clause("DW-SUPP-3")
@pytest.mark.parametrize(("targets", "chance"), [(1, "3/10"), (3, "11/90"), (5, "19/250")])
def test_a_given_one_of_several(targets: int, chance: str):
    odds = RULESET.ask("suppress", to_hit=30, full=4, number=targets, qualities=()).odds("given_hit")
    by_faces = sum(p * (1 - Fraction(targets - 1, targets) ** hits) for hits, p in hits_by_faces(30, 4).items())
    assert odds.chance(True) == Fraction(chance) == by_faces


@pytest.mark.clause("DW-SUPP-3")
def test_each_hit_goes_to_a_random_unit():
    assert odds_of(suppression.roll_unit_hit, ("Ada", "Bo", "Cy")).fractions() == dict.fromkeys(
        range(3), Fraction(1, 3)
    )
    assert odds_of(suppression.roll_unit_hit, ("Ada", "", "")).fractions() == {0: Fraction(1, 3), 1: Fraction(2, 3)}
    assert suppression.roll_unit_hit(Script(), ("Ada",)) == 0
    with pytest.raises(BadInput, match=r"needs 1 to 100 targets; got 0 \(DW-SUPP-3\)"):
        suppression.roll_unit_hit(Script(), ())


@pytest.mark.clause("DW-SUPP-1", "DW-SUPP-2", "DW-SUPP-3", "DW-SUPP-4")
@pytest.mark.parametrize("number", [1, 2, 4])
@pytest.mark.parametrize("qualities", [[], ["Reliable"], ["Overheats"]])
def test_the_question_is_the_fire_of_a_battle(number: int, qualities: list[str]):
    gun = {"name": "gun", "kind": "Basic", "range": 100, "full": 4, "clip": 40, "damage": "1d5", "qualities": qualities}
    shooter = {"name": "A", "bs": 50, "weapons": ["gun"], "arsenal": [gun], "x": 0, "y": 0}
    foes = [{"name": f"B{at}", "willpower": 35, "wounds": 90, "x": 0, "y": 9} for at in range(number)]
    fought = battle([shooter], foes).odds("suppress", target="B0")
    asked = RULESET.ask("suppress", bs=50, full=4, semi=0, range=100, number=number, willpower=35, qualities=qualities)
    for name in ("hits", "pinned", "jammed"):
        assert asked.odds(name).fractions() == fought.odds(name).fractions()


@pytest.mark.clause("DW-SUPP-3", "DW-LOC-1")
def test_every_stray_hit_has_a_place_of_its_own():
    spec = apply_qualities(AttackDraft(50, mode="suppress", rof=4), (), Defender(wounds=20))
    tape = Script(5, 50, 95)
    assert [suppression.place_stray(tape, spec).spot for _ in range(3)] == ["head", "body", "leg"]
    assert tape.used_up


# --- pinning ----------------------------------------------------------------------------------------------------------


def pinned(target: int, rulings: Rulings = Rulings()) -> Fraction:
    odds = odds_of(suppression.pin_one, suppression.PinnedUnits(), ("", target, rulings, "A"))
    return odds.chance(suppression.PinnedUnits(1, ("A",)))


@pytest.mark.clause("DW-OVER-3", "DW-SUPP-1")
@pytest.mark.parametrize(("willpower", "chance"), [(40, "4/5"), (20, "1"), (65, "11/20"), (35, "17/20"), (130, "0")])
def test_units_that_fail_willpower_are_pinned(willpower: int, chance: str):
    aim = suppression.pin_target(willpower)
    assert aim == willpower - 20
    assert pinned(aim) == Fraction(chance)


@pytest.mark.clause("DW-SUPP-1", "DW-TEST-5")
def test_automatic_results_pin_and_spare():
    assert pinned(0, AUTO) == Fraction(99, 100)
    assert pinned(120, AUTO) == Fraction(1, 100)


@pytest.mark.clause("DW-SUPP-1")
def test_three_in_the_area():
    odds = RULESET.ask("suppress", number=3, willpower=35).odds("pinned")
    assert odds.fractions() == {number: Fraction(ways, 8000) for number, ways in enumerate((27, 459, 2601, 4913))}
    mixed = RULESET.ask("suppress", targets=[{"wp": 20}, {"wp": 70}, {"wp": 120}]).odds("pinned")
    assert mixed.fractions() == {1: Fraction(1, 2), 2: Fraction(1, 2)}


@pytest.mark.clause("DW-PIN-2")
def test_recovery():
    assert suppression.recovery_target(40, shot_at=True) == 40
    assert suppression.recovery_target(40, shot_at=False) == 70
    assert suppression.recovery_target(75, shot_at=False) == 105
    assert suppression.recovery_target(40, False, (-50, -50)) == -20


@pytest.mark.clause("DW-PIN-2", "DW-HORDE-9")
@pytest.mark.parametrize(
    ("turns", "stays"),
    [({"turns_under_fire": 2}, "9/25"), ({"turns_under_fire": 1, "quiet_turns": 1}, "9/50"), ({}, "1")],
)
def test_the_pinned_get_up_in_the_turns_after_it(turns: dict[str, int], stays: str):
    found = RULESET.ask("suppress", number=1, willpower=40, **turns)
    down = found.states.given(lambda now: now.pinned)
    assert down.project(found.question.measure("still_pinned").of).chance(1) == Fraction(stays)
    two = RULESET.ask("suppress", targets=[{"wp": 40}, {"wp": 20, "magnitude": 30}], quiet_turns=1)
    assert two.start.recoveries == ((70,), (80,))
    both = two.states.given(lambda now: now.pinned == 2).project(lambda now: len(now.newly_pinned))
    assert both.fractions() == {0: Fraction(14, 25), 1: Fraction(19, 50), 2: Fraction(3, 50)}


@pytest.mark.clause("DW-PIN-2", "DW-SUPP-1")
def test_of_many_alike_it_is_followed_how_many_are_down():
    found = RULESET.ask("suppress", number=20, willpower=35, quiet_turns=1)  # it took 19 s when it was followed who is
    stays = Fraction(17, 20) * Fraction(7, 20)
    wanted = {number: comb(20, number) * stays**number * (1 - stays) ** (20 - number) for number in range(21)}
    assert found.odds("still_pinned").fractions() == wanted
    assert len(found.states.weights) < 5_000


@pytest.mark.clause("DW-PIN-3")
def test_melee_ends_it():
    assert suppression.without_pinning(Conditions(pinned=True, prone=True)) == Conditions(prone=True)
    assert suppression.without_pinning(Conditions()) == Conditions()
