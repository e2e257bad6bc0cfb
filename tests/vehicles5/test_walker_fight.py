"""Fights of walkers, round by round, with the same fights counted by hand."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from battletape.odds import Odds
from battletape.procedure import odds_of
from battletape.rulesets.vehicles5.rules import walkers
from battletape.rulesets.vehicles5.rules.assault import grenade_blow
from battletape.rulesets.vehicles5.rules.damage import Condition, hit_of, row_of_value
from battletape.rulesets.vehicles5.rules.shooting import Shot
from battletape.rulesets.vehicles5.rules.walkers import ROUND, Fight, Foot, Walker
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.tape.exact import Exact
from battletape.tape.script import Script
from tests.vehicles5.by_hand import apply_results

F = Fraction
OGRE = Walker(4, 6, 5, 1, 12, ("fist",))
HERO = Foot(4, 8, 4, 1, 4)  # S8, T4, no save
ARMED = Condition(weapons=("fist", "gun"))


def struck_by(
    foot: Foot, models: int, walker: Walker, its: Condition, charged: bool, rules: Rulings = Rulings()
) -> tuple[Shot, ...]:
    """The blows of soldiers at a walker."""
    blows = walkers.foot_blows(foot, models, charged)
    return walkers.blows_at(walkers.assaulted(walker, its), blows, foot.ws, rules)


def begin(one: Walker = OGRE, foe: Walker | Foot = HERO, models: int = 1, **more: Any) -> Fight:
    now = more.pop("walker", ARMED)
    return Fight(one, foe, more.pop("charge", "nobody"), now, now, models=models, fielded=models, **more)


def fought(fight: Fight, rounds: int = 1) -> Odds[Fight]:
    return Exact().run(ROUND * rounds, fight)


@pytest.mark.clause("V5-WALK-8", "V5-WALK-12", "V5-CORE-16")
def test_one_round_against_one_hero() -> None:
    ends = fought(begin()).project(lambda fight: (fight.over, fight.lead)).fractions()
    dead = F(1, 2) * F(5, 6)
    wrecked = (1 - dead) * F(1, 2) * F(1, 3) * F(1, 3)
    marked = (1 - dead) * F(1, 2) * F(1, 2) - wrecked
    quiet = 1 - dead - wrecked - marked
    assert ends == {("foe_destroyed", 0): dead, ("walker_destroyed", 0): wrecked, ("", -1): marked, ("", 0): quiet}


@pytest.mark.clause("V5-CORE-16", "V5-WALK-8")
def test_equal_initiative_strikes_at_once() -> None:
    ends = fought(begin(replace(OGRE, initiative=4))).project(lambda fight: fight.over)
    dead, wrecked = F(5, 12), F(1, 18)
    assert ends.chance("both_destroyed") == dead * wrecked
    assert ends.chance("foe_destroyed") == dead * (1 - wrecked)
    assert ends.chance("walker_destroyed") == (1 - dead) * wrecked


@pytest.mark.clause("V5-CORE-16", "V5-WALK-8")
def test_the_quicker_side_may_leave_nobody_to_strike_back() -> None:
    slow = fought(begin(replace(OGRE, initiative=3))).project(lambda fight: fight.over)
    assert slow.chance("walker_destroyed") == F(1, 18)
    assert slow.chance("both_destroyed") == 0


def _one_blow(needs: int, gap: int) -> dict[Any, Fraction]:
    """The rows of one blow at a walker, None where it came to no damage roll."""
    rows: dict[Any, Fraction] = defaultdict(Fraction)
    for hit, through, die in product(range(1, 7), repeat=3):
        found = hit_of(gap, through) if hit >= needs else "none"
        rows[None if found == "none" else row_of_value(die - 2 * (found == "glance"))] += F(1, 216)
    return rows


def _by_hand(rounds: int) -> dict[tuple[str, Condition], Fraction]:
    """The fight of an A2 walker and one hero; what a walker loses first is its fist."""
    now: dict[tuple[str, Condition], Fraction] = {("", ARMED): F(1)}
    for _ in range(rounds):
        after: dict[tuple[str, Condition], Fraction] = defaultdict(Fraction)
        for (over, condition), chance in now.items():
            if over:
                after[over, condition] += chance
                continue
            blows = 1 if condition.stunned or condition.immobilised else 2
            kills = F(1, 2) * F(5, 6)  # S6 and S10 both wound T4 on 2+
            lives = (1 - kills) ** blows
            after["foe_destroyed", condition] += chance * (1 - lives)
            for row, ways in _one_blow(4, 4).items():
                done = condition if row is None else apply_results(condition, [row])
                end = "walker_destroyed" if done.is_destroyed else ""
                after[end, Condition(status=done.status) if end else done] += chance * lives * ways
        now = after
    return now


@pytest.mark.clause("V5-WALK-8", "V5-WALK-11", "V5-WALK-12", "V5-WALK-13")
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_several_rounds_by_hand(rounds: int) -> None:
    states = fought(begin(replace(OGRE, attacks=2)), rounds)
    assert states.project(lambda fight: (fight.over, fight.walker)).fractions() == _by_hand(rounds)


@pytest.mark.clause("V5-CORE-16", "V5-CORE-5", "V5-WALK-14")
def test_a_beaten_unit_breaks_and_is_run_down() -> None:
    fight = begin(foe=replace(HERO, ld=7, strength=4), models=2)
    ends = fought(fight).project(lambda one: (one.over, one.models)).fractions()
    beaten, breaks, caught = F(5, 12), F(15, 36), F(26, 36)
    assert ends == {
        ("foe_swept", 0): beaten * breaks * caught,
        ("foe_fled", 1): beaten * breaks * (1 - caught),
        ("", 1): beaten * (1 - breaks),
        ("", 2): 1 - beaten,
    }


@pytest.mark.clause("V5-WALK-14")
@pytest.mark.parametrize("held", [{"stunned": True}, {"immobilised": True}])
def test_a_stunned_or_immobilised_walker_runs_nobody_down(held: dict[str, bool]) -> None:
    fight = begin(foe=replace(HERO, ld=7, strength=4), models=2, walker=replace(ARMED, **held))
    over = fought(fight).project(lambda one: one.over)
    assert over.chance("foe_swept") == 0
    assert over.chance("foe_fled") == F(5, 12) * F(15, 36)


@pytest.mark.clause("V5-CORE-5", "V5-CORE-16")
def test_fearless_units_hold_and_heavy_defeats_may_weigh_on_morale() -> None:
    twice = replace(OGRE, attacks=2)
    men = replace(HERO, ld=7, strength=4)
    brave = fought(begin(twice, replace(men, fearless=True), 3)).project(lambda one: one.over)
    assert brave.fractions() == {"": 1}
    heavy = begin(twice, men, 3, rules=Rulings(combat_morale="minus_difference"))
    fled = fought(heavy).chance(lambda one: one.over in ("foe_fled", "foe_swept"))
    one, two = 2 * F(5, 12) * F(7, 12), F(5, 12) ** 2
    assert fled == one * F(21, 36) + two * F(26, 36)  # Ld 6, and Ld 5
    plain = fought(begin(twice, men, 3)).chance(lambda one: one.over in ("foe_fled", "foe_swept"))
    assert plain == (one + two) * F(15, 36)


@pytest.mark.clause("V5-WALK-13")
def test_a_beaten_walker_does_not_test() -> None:
    fight = begin(models=1)
    tape = Script(1, 4, 5, 1)  # misses; is hit, penetrated, shaken
    for stage in walkers.ROUND:
        fight = stage(tape, fight)
    assert tape.used_up
    assert (fight.lead, fight.over, fight.walker.shaken) == (-1, "", True)


@pytest.mark.clause("V5-CORE-16", "V5-WALK-14")
def test_pursuit_ties_catch_and_consolidation_is_a_die() -> None:
    assert odds_of(walkers.pursue, 4, 4).chance(True) == F(21, 36)
    assert odds_of(walkers.pursue, 3, 4).chance(True) == F(15, 36)
    assert odds_of(walkers.roll_consolidation).mean == F(7, 2)


@pytest.mark.clause("V5-WALK-16", "V5-DMG-3")
def test_a_broken_fist_is_worth_nothing() -> None:
    two = replace(OGRE, dccw=("left", "right"), attacks=2)
    whole = Condition(weapons=("left", "right", "gun"))
    broken = Condition(weapons=("gun",))
    assert [walkers.fists(two, one) for one in (whole, broken)] == [2, 0]
    kept = Rulings(melee_weapon_can_be_destroyed=False)
    assert walkers.fists(two, broken, kept) == 2
    ogre = walkers.assaulted(OGRE, ARMED)
    blows = walkers.blows_at(ogre, [walkers.walker_blow(two, whole, charged=True)], two.ws)
    assert (len(blows), blows[0].gap, blows[0].needs) == (4, 2, 4)
    blows = walkers.blows_at(ogre, [walkers.walker_blow(two, broken, charged=False)], two.ws)
    assert (len(blows), blows[0].gap) == (2, 6)


@pytest.mark.clause("V5-WALK-16", "V5-CORE-8")
def test_a_fist_ignores_armour_and_bare_blows_do_not() -> None:
    saved = replace(HERO, save=3)
    for its, killed in ((ARMED, F(5, 12)), (Condition(), F(5, 12) * F(1, 3))):
        blow = walkers.walker_blow(OGRE, its, charged=False)
        odds = odds_of(walkers.cut_down, OGRE.ws, blow, saved, 1, 0)
        assert odds.chance(lambda loss: loss.models == 1) == killed


@pytest.mark.clause("V5-WALK-9", "V5-WALK-10", "V5-ASLT-3", "V5-ASLT-4")
def test_what_soldiers_strike_a_walker_with() -> None:
    blades = replace(HERO, strength=4, two_weapons=2, attacks=1)
    plain = struck_by(blades, 5, OGRE, ARMED, charged=True)
    assert (len(plain), plain[0].needs, plain[0].gap) == (12, 4, 8)
    assert len(struck_by(replace(blades, in_reach=2), 5, OGRE, ARMED, charged=False)) == 4
    bombs = replace(blades, grenade=grenade_blow("melta_bomb", 1))
    thrown = struck_by(bombs, 5, OGRE, ARMED, charged=True)
    assert (len(thrown), thrown[0].needs, thrown[0].gap, thrown[0].dice) == (5, 6, 4, "2d6")
    helpless = struck_by(bombs, 5, OGRE, replace(ARMED, stunned=True), charged=True)
    assert helpless[0].needs == 4
    strict = Rulings(grenades_on_helpless_walker="six")
    assert struck_by(bombs, 5, OGRE, replace(ARMED, stunned=True), True, strict)[0].needs == 6


@pytest.mark.clause("V5-WALK-8", "V5-WALK-9")
def test_two_walkers_and_who_decides() -> None:
    quick, slow = OGRE, replace(OGRE, initiative=2)
    fight = begin(quick, slow, 0, foe_walker=ARMED, charge="foe")
    over = fought(fight).project(lambda one: one.over)
    blow = _one_blow(4, 2)
    ends = blow["wrecked"] + blow["exploded"]
    assert over.chance("foe_destroyed") == ends
    tape = Script(4, 6, 3, "gun", 4, 6, 3, "fist", 1)
    for stage in walkers.ROUND:
        fight = stage(tape, fight)
    assert tape.used_up
    assert fight.foe_walker is not None
    assert (fight.foe_walker.weapons, fight.walker.weapons) == (("fist",), ("gun",))
    assert [ask.by for ask, _ in tape.trail if ask.kind == "choose"] == ["attacker", "defender"]


@pytest.mark.clause("V5-CORE-8", "V5-WALK-12")
def test_wounds_on_tough_models_count_and_stay() -> None:
    ogres = replace(HERO, strength=1, toughness=6, wounds=3, fearless=True)
    fight = begin(replace(OGRE, attacks=2), ogres, 2)
    tape = Script(4, 6, 2, 2)
    fight = walkers.strike_first(tape, fight)
    assert tape.used_up
    assert (fight.models, fight.hurt, fight.wounds_on_foe) == (2, 2, 2)


def test_a_fight_that_is_over_asks_nothing() -> None:
    over = replace(begin(), over="foe_fled")
    for stage in walkers.ROUND:
        assert stage(Script(), over) == over
