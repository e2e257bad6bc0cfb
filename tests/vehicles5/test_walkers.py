"""Walkers: what they may do, what they are worth, fights round by round by hand, and the question walker_fight."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from battletape.odds import Odds
from battletape.procedure import odds_of
from battletape.rulesets.vehicles5.rules import assault, walkers
from battletape.rulesets.vehicles5.rules.assault import grenade_blow
from battletape.rulesets.vehicles5.rules.damage import Condition, penetration_result, row_of_value
from battletape.rulesets.vehicles5.rules.firing import fire_mode
from battletape.rulesets.vehicles5.rules.movement import Situation, refuse_move, refuse_smoke
from battletape.rulesets.vehicles5.rules.shooting import Shot, facing_from
from battletape.rulesets.vehicles5.rules.traits import Traits
from battletape.rulesets.vehicles5.rules.walkers import ROUND, Fight, SquadFighter, WalkerFighter, refuse_action_now
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.table.points import Point
from battletape.tape.exact import Exact
from battletape.tape.script import Script
from tests.vehicles5.asking import RULES, ask, chance, chance_of, rows
from tests.vehicles5.battles import close_quarters
from tests.vehicles5.by_hand import apply_results

STUNNED, STUCK, SHAKEN = Condition(stunned=True), Condition(immobilised=True), Condition(shaken=True)
BOTH = Condition(stunned=True, immobilised=True)
EVERY: tuple[walkers.WalkerAction, ...] = ("run", "assault", "pile_in", "sweeping_advance", "consolidate")


@pytest.mark.clause("V5-WALK-1", "V5-WALK-4", "V5-WALK-5", "V5-WALK-6", "V5-WALK-7", "V5-WALK-13", "V5-WALK-14")
@pytest.mark.parametrize(
    ("action", "given", "by"),
    [
        ("assault", {"fired": True}, None),
        ("assault", {"fired": True, "target_is_fired_unit": False}, "V5-WALK-7"),
        ("assault", {"target_is_fired_unit": False}, None),
        ("assault", {"ran": True}, "V5-WALK-4"),
        ("assault", {"condition": STUNNED}, "V5-DMG-2"),
        ("assault", {"condition": STUCK}, "V5-WALK-1"),
        ("assault", {"condition": SHAKEN}, None),
        ("assault", {"condition": Condition(status="wrecked")}, "V5-DMG-5"),
        ("assault", {"condition": Condition(status="exploded")}, "V5-DMG-6"),
        ("run", {"condition": STUNNED}, "V5-DMG-2"),
        ("run", {"condition": STUCK}, "V5-WALK-1"),
        ("run", {}, None),
        ("pivot_when_firing", {}, None),
        ("pivot_when_firing", {"condition": STUCK}, "V5-WALK-5"),
        ("pivot_when_firing", {"ran": True}, "V5-WALK-4"),
        ("fight", {"condition": BOTH}, None),
        ("pile_in", {"condition": STUCK}, "V5-WALK-14"),
        ("sweeping_advance", {"condition": STUNNED}, "V5-WALK-14"),
        ("consolidate", {"condition": SHAKEN}, None),
        ("morale_test", {}, "V5-WALK-13"),
    ],
)
def test_what_a_walker_may_do(action: walkers.WalkerAction, given: dict[str, Any], by: str | None) -> None:
    refused = walkers.refuse_walker(action, **given)
    assert (refused.clause if refused else None) == by


@pytest.mark.clause("V5-WALK-4", "V5-WALK-3", "V5-DMG-1", "V5-DMG-2")
@pytest.mark.parametrize(
    ("given", "by"),
    [
        ({"ran": True}, "V5-WALK-4"),
        ({"condition": Condition(shaken=True)}, "V5-DMG-1"),
        ({"condition": Condition(stunned=True)}, "V5-DMG-2"),
        ({"condition": Condition(immobilised=True)}, None),
    ],
)
def test_when_a_walker_may_fire(given: dict[str, Any], by: str | None) -> None:
    why = fire_mode(Situation(Traits(walker=True), band="combat", **{"condition": Condition(), **given})).why
    assert (why.clause if why else None) == by


@pytest.mark.clause("V5-WALK-4")
def test_when_a_walker_may_use_its_smoke() -> None:
    strict = Rulings(walker_smoke_time="move_only")
    ran = Situation(Traits(walker=True), Condition(), ran=True, smoke_launchers=True)
    assert refuse_smoke(ran) is None
    late = refuse_smoke(replace(ran, rulings=strict))
    assert late is not None
    assert late.clause == "V5-WALK-4"
    battered = Condition(stunned=True, immobilised=True)
    assert refuse_smoke(replace(ran, ran=False, condition=battered, will_not_move=True, rulings=strict)) is None


@pytest.mark.clause("V5-WALK-1")
def test_an_immobilised_walker_does_not_move() -> None:
    assert refuse_move("move", Traits(walker=True), STUCK) is not None
    assert refuse_move("move", Traits(walker=True), Condition()) is None


@pytest.mark.clause("V5-WALK-1", "V5-WALK-14")
def test_an_undamaged_walker_may_do_everything() -> None:
    assert [walkers.refuse_walker(action) for action in EVERY] == [None] * len(EVERY)
    assert walkers.refuse_walker("sweeping_advance", condition=SHAKEN) is None
    assert walkers.refuse_walker("sweeping_advance", condition=STUCK) is not None


@pytest.mark.clause("V5-WALK-1")
def test_a_run_is_once_in_a_turn_and_in_place_of_shooting() -> None:
    strider = Situation(Traits(walker=True), Condition(), name="Strider")
    said = [
        refuse_action_now("run", now) for now in (strider, replace(strider, ran=True), replace(strider, fired=True))
    ]
    told = [refused and (refused.reason, refused.clause) for refused in said]
    ran, fired = "Strider has run this turn", "Strider has fired, and a run takes the place of shooting"
    assert told == [None, (ran, "V5-WALK-1"), (fired, "V5-WALK-1")]


@pytest.mark.clause("V5-WALK-1")
def test_a_run_is_one_die() -> None:
    odds = odds_of(walkers.roll_run)
    assert odds.mean * 2 == 7
    assert sorted(odds.fractions()) == [1, 2, 3, 4, 5, 6]


@pytest.mark.clause("V5-WALK-5", "V5-WALK-17")
def test_turning_to_shoot_shows_the_side_to_others() -> None:
    battle = close_quarters()
    battle.push("end_phase")
    battle.push("pivot_to_fire", unit="Ogre", heading=270)
    ogre = battle.state.vehicle("Ogre")
    hull = battle.state.hull("Ogre")
    north, west, east = (Point(hull.centre.x + x, hull.centre.y + y) for x, y in ((0, 20), (-20, 0), (20, 0)))
    assert [facing_from(hull, point) for point in (north, west, east)] == ["side", "front", "rear"]
    assert (ogre.done.band, ogre.done.moved) == ("stationary", False)
    battle.push("end_turn")
    assert battle.state.hull("Ogre").heading == 270


@pytest.mark.clause("V5-WALK-11", "V5-WALK-16")
@pytest.mark.parametrize(
    ("a", "dccw", "charged", "state", "number", "each"),
    [
        (2, 1, False, Condition(), 2, 2),
        (2, 0, True, Condition(), 3, 3),
        (2, 2, True, Condition(), 4, 4),
        (2, 1, False, STUNNED, 1, 1),
        (2, 1, False, SHAKEN, 2, 2),
        (1, 1, False, STUNNED, 1, 1),
        (3, 1, False, BOTH, 2, 1),
        (1, 2, True, BOTH, 2, 1),
        (1, 1, False, BOTH, 1, 1),
    ],
)
def test_attacks_of_a_walker(a: int, dccw: int, charged: bool, state: Condition, number: int, each: int) -> None:
    assert walkers.attack_count(a, dccw, charged, state) == number
    assert walkers.attack_count(a, dccw, charged, state, Rulings(walker_penalty="each")) == each


@pytest.mark.clause("V5-WALK-16", "V5-CORE-23")
def test_a_close_combat_weapon_doubles_strength() -> None:
    assert [walkers.blow_strength(s, 1) for s in (3, 5, 6)] == [6, 10, 10]
    assert walkers.blow_strength(6, 0) == 6


def to_hit(ws: int, walker_ws: int, grenade: bool = False, state: Any = Condition(), rulings: Any = Rulings()) -> int:
    """What a blow of this WS needs against a walker."""
    walker = walkers.BlowTarget(12, state, ws=walker_ws)
    return walkers.blow_to_hit(assault.Blow("blow", 1, 4, grenade=grenade), ws, walker, rulings)


@pytest.mark.clause("V5-WALK-8", "V5-WALK-10", "V5-CORE-10")
def test_blows_and_grenades_against_a_walker() -> None:
    assert [to_hit(*pair) for pair in ((4, 4), (5, 4), (2, 4), (2, 5))] == [4, 3, 4, 5]
    assert to_hit(4, 4, grenade=True) == 6
    assert to_hit(4, 4, grenade=True, state=SHAKEN) == 6
    assert to_hit(5, 4, grenade=True, state=STUCK) == 3
    strict = Rulings(grenades_on_helpless_walker="six")
    assert to_hit(5, 4, grenade=True, state=STUNNED, rulings=strict) == 6
    assert to_hit(5, 4, state=STUNNED, rulings=strict) == 3


@pytest.mark.clause("V5-WALK-8", "V5-WALK-9")
def test_only_walkers_are_locked_and_struck_on_the_front() -> None:
    assert "fight" in walkers.fight_actions(Traits(walker=True))
    assert not walkers.fight_actions(Traits(tank=True))
    assert assault.facing_struck(Traits(walker=True), "rear") == "front"
    assert assault.facing_struck(Traits(), "side", Rulings(assault_facing="contact")) == "side"


F = Fraction


@pytest.mark.clause("V5-WALK-8", "V5-WALK-16")
def test_walker_fight_by_profiles() -> None:
    answer = ask("walker_fight", walker="Twin-fisted ogre", foe="Furnace company", grenade="krak", rounds=2)
    start = answer.start
    assert (len(start.walker.dccw), start.models, start.foe.grenade.strength) == (2, 10, 6)
    assert start.walker_condition.weapons[:2] == start.walker.dccw
    assert sum(answer.odds("over").fractions().values()) == 1
    assert answer.odds("foe_lost").at_least(1) > F(9, 10)
    assert answer.headline.startswith("In 2 rounds the foe is destroyed")


@pytest.mark.clause("V5-WALK-8")
def test_walker_against_walker() -> None:
    answer = ask("walker_fight", walker="Twin-fisted ogre", foe_walker="Twin-fisted ogre", charges="nobody", rounds=2)
    over = answer.odds("over")
    assert over.chance("walker destroyed") == over.chance("foe destroyed") > 0
    assert over.chance("both destroyed") > 0
    assert chance(answer, "foe_lost") == over.chance("foe destroyed") + over.chance("both destroyed")
    assert answer.odds("won_by").chance("walker") == answer.odds("won_by").chance("foe")


@pytest.mark.clause("V5-WALK-1", "V5-DMG-2")
def test_a_walker_that_cannot_charge() -> None:
    assert ask("walker_fight", stunned=True, charges="foe").odds("over").chance("goes on") > 0


@pytest.mark.clause("V5-DMG-3", "V5-WALK-16")
def test_close_combat_weapons_that_cannot_be_destroyed() -> None:
    answer = ask("walker_fight", melee_weapon_can_be_destroyed=False)
    assert answer.start.walker_condition.weapons == ("gun",)
    assert answer.start.walker.dccw == ("fist",)


@pytest.mark.clause("V5-WALK-11", "V5-WALK-16", "V5-WALK-10")
def test_the_first_round_of_a_fight_in_a_table() -> None:
    answer = RULES.ask("walker_fight", rounds=1, foe_models=3, grenade="krak", charges="foe", dccw=["a", "b"])
    assert rows(answer) == [("walker", "3", "10", "4+"), ("krak", "3", "6", "6+")]
    other = RULES.ask("walker_fight", rounds=1, foe_is_walker=True, charges="walker")
    assert rows(other) == [("walker", "3", "10", "4+"), ("other walker", "1", "8", "4+")]


@pytest.mark.clause("V5-ASLT-6", "V5-WALK-8")
def test_the_fists_of_a_unit_count_against_a_walker() -> None:
    with_fists = chance_of("walker_fight", "walker_destroyed", walker="Warden strider", foe="Vault wardens")
    without = chance_of("walker_fight", "walker_destroyed", walker="Warden strider", foe="Vault wardens", foe_heavy=0)
    assert without == 0 < F(1, 2) < with_fists
    one = ask("walker_fight", walker="Warden strider", foe="Furnace blades")
    assert one.start.foe.heavy == 1
    assert one.odds("walker_destroyed").chance(1) > 0


@pytest.mark.clause("V5-WALK-8")
def test_the_headline_of_two_walkers_counts_both() -> None:
    answer = ask("walker_fight", walker="Twin-fisted ogre", foe_walker="Twin-fisted ogre", charges="nobody", rounds=2)
    over = answer.odds("over")
    foe, walker = (answer.odds(name).chance(1) for name in ("foe_destroyed", "walker_destroyed"))
    assert foe == walker == over.chance("foe destroyed") + over.chance("both destroyed")
    assert "the foe is destroyed 42 %, the walker is destroyed 42 %, both 12 %; undecided 28 %." in answer.headline


OGRE = WalkerFighter(4, 6, 5, 1, 12, ("fist",))
HERO = SquadFighter(4, 8, 4, 1, 4)  # S8, T4, no save
ARMED = Condition(weapons=("fist", "gun"))


def begin(
    walker: WalkerFighter = OGRE, foe: WalkerFighter | SquadFighter = HERO, models: int = 1, **more: Any
) -> Fight:
    now = more.pop("walker_condition", ARMED)
    return Fight(walker, foe, more.pop("charge", "nobody"), now, now, models=models, fielded=models, **more)


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
        found = penetration_result(gap, through) if hit >= needs else "none"
        rows[None if found == "none" else row_of_value(die - 2 * (found == "glance"))] += F(1, 216)
    return rows


def _by_hand(rounds: int) -> dict[tuple[str, Condition], Fraction]:
    """The fight of an A2 walker and one hero; what a walker loses first is its fist."""
    now: dict[tuple[str, Condition], Fraction] = {("", ARMED): F(1)}
    for _ in range(rounds):
        after: dict[tuple[str, Condition], Fraction] = defaultdict(Fraction)
        for (over, condition), share in now.items():
            if over:
                after[over, condition] += share
                continue
            blows = 1 if condition.stunned or condition.immobilised else 2
            kills = F(1, 2) * F(5, 6)  # S6 and S10 both wound T4 on 2+
            lives = (1 - kills) ** blows
            after["foe_destroyed", condition] += share * (1 - lives)
            for row, ways in _one_blow(4, 4).items():
                done = condition if row is None else apply_results(condition, [row])
                end = "walker_destroyed" if done.is_destroyed else ""
                after[end, Condition(status=done.status) if end else done] += share * lives * ways
        now = after
    return now


@pytest.mark.clause("V5-WALK-8", "V5-WALK-11", "V5-WALK-12", "V5-WALK-13")
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_several_rounds_by_hand(rounds: int) -> None:
    states = fought(begin(replace(OGRE, attacks=2)), rounds)
    assert states.project(lambda fight: (fight.over, fight.walker_condition)).fractions() == _by_hand(rounds)


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
    fight = begin(foe=replace(HERO, ld=7, strength=4), models=2, walker_condition=replace(ARMED, **held))
    over = fought(fight).project(lambda one: one.over)
    assert over.chance("foe_swept") == 0
    assert over.chance("foe_fled") == F(5, 12) * F(15, 36)


@pytest.mark.clause("V5-CORE-5", "V5-CORE-16")
def test_fearless_units_hold_and_heavy_defeats_may_weigh_on_morale() -> None:
    twice = replace(OGRE, attacks=2)
    men = replace(HERO, ld=7, strength=4)
    brave = fought(begin(twice, replace(men, fearless=True), 3)).project(lambda one: one.over)
    assert brave.fractions() == {"": 1}
    heavy = begin(twice, men, 3, rulings=Rulings(combat_morale="minus_difference"))
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
    assert (fight.lead, fight.over, fight.walker_condition.shaken) == (-1, "", True)


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
    assert [walkers.intact_melee_weapons(two, one) for one in (whole, broken)] == [2, 0]
    kept = Rulings(melee_weapon_can_be_destroyed=False)
    assert walkers.intact_melee_weapons(two, broken, kept) == 2
    ogre = walkers.walker_as_target(OGRE, ARMED)
    blows = walkers.shots_of_blows(ogre, [walkers.walker_blow(two, whole, charged=True)], two.ws)
    assert (len(blows), blows[0].armour_gap, blows[0].hits_on) == (4, 2, 4)
    blows = walkers.shots_of_blows(ogre, [walkers.walker_blow(two, broken, charged=False)], two.ws)
    assert (len(blows), blows[0].armour_gap) == (2, 6)


@pytest.mark.clause("V5-WALK-16", "V5-CORE-8")
def test_a_fist_ignores_armour_and_bare_blows_do_not() -> None:
    saved = replace(HERO, save=3)
    for its, killed in ((ARMED, F(5, 12)), (Condition(), F(5, 12) * F(1, 3))):
        blow = walkers.walker_blow(OGRE, its, charged=False)
        odds = odds_of(walkers.resolve_blow_at_squad, OGRE.ws, blow, saved, 1, 0)
        assert odds.chance(lambda loss: loss.models == 1) == killed


def struck_by(
    foot: SquadFighter, models: int, walker: WalkerFighter, its: Condition, charged: bool, rulings: Rulings = Rulings()
) -> tuple[Shot, ...]:
    """The blows of soldiers at a walker."""
    blows = walkers.squad_blows(foot, models, charged)
    return walkers.shots_of_blows(walkers.walker_as_target(walker, its), blows, foot.ws, rulings)


@pytest.mark.clause("V5-WALK-9", "V5-WALK-10", "V5-ASLT-3", "V5-ASLT-4")
def test_what_soldiers_strike_a_walker_with() -> None:
    blades = replace(HERO, strength=4, two_weapons=2, attacks=1)
    plain = struck_by(blades, 5, OGRE, ARMED, charged=True)
    assert (len(plain), plain[0].hits_on, plain[0].armour_gap) == (12, 4, 8)
    assert len(struck_by(replace(blades, in_reach=2), 5, OGRE, ARMED, charged=False)) == 4
    bombs = replace(blades, grenade=grenade_blow("melta_bomb", 1))
    thrown = struck_by(bombs, 5, OGRE, ARMED, charged=True)
    assert (len(thrown), thrown[0].hits_on, thrown[0].armour_gap, thrown[0].dice) == (5, 6, 4, "2d6")
    helpless = struck_by(bombs, 5, OGRE, replace(ARMED, stunned=True), charged=True)
    assert helpless[0].hits_on == 4
    strict = Rulings(grenades_on_helpless_walker="six")
    assert struck_by(bombs, 5, OGRE, replace(ARMED, stunned=True), True, strict)[0].hits_on == 6


@pytest.mark.clause("V5-WALK-8", "V5-WALK-9")
def test_two_walkers_and_who_decides() -> None:
    quick, slow = OGRE, replace(OGRE, initiative=2)
    fight = begin(quick, slow, 0, foe_condition=ARMED, charge="foe")
    over = fought(fight).project(lambda one: one.over)
    blow = _one_blow(4, 2)
    ends = blow["wrecked"] + blow["exploded"]
    assert over.chance("foe_destroyed") == ends
    tape = Script(4, 6, 3, "gun", 4, 6, 3, "fist", 1)
    for stage in walkers.ROUND:
        fight = stage(tape, fight)
    assert tape.used_up
    assert fight.foe_condition is not None
    assert (fight.foe_condition.weapons, fight.walker_condition.weapons) == (("fist",), ("gun",))
    assert [ask.by for ask, _ in tape.trail if ask.kind == "choose"] == ["attacker", "defender"]


@pytest.mark.clause("V5-CORE-8", "V5-WALK-12")
def test_wounds_on_tough_models_count_and_stay() -> None:
    ogres = replace(HERO, strength=1, toughness=6, wounds=3, fearless=True)
    fight = begin(replace(OGRE, attacks=2), ogres, 2)
    tape = Script(4, 6, 2, 2)
    fight = walkers.strike_first(tape, fight)
    assert tape.used_up
    assert (fight.models, fight.wounds_lost, fight.wounds_on_foe) == (2, 2, 2)


def test_a_fight_that_is_over_asks_nothing() -> None:
    over = replace(begin(), over="foe_fled")
    for stage in walkers.ROUND:
        assert stage(Script(), over) == over
