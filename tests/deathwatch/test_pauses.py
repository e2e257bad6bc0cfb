"""Turns without a shot: guns that recharge or overheat, aims and reloads, alike in questions and battles."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from battletape.battle import Battle
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.battle.actions.shoot import ShootOrder
from battletape.rulesets.deathwatch.battle.attack import shot_action
from battletape.rulesets.deathwatch.questions.duel import turn
from battletape.rulesets.deathwatch.rules.actions import cost_of
from battletape.rulesets.deathwatch.rules.attack.modifiers import Action
from battletape.rulesets.deathwatch.rules.guns import HALF_ATTACKS, QUESTION_ROUND, GunState, takes_a_turn
from battletape.tape.script import Script
from tests.deathwatch.battles import battle, do, fighter, pass_to, refused, unit_named

F = Fraction
Chances = dict[int, Fraction]
HARMLESS = {"damage": "1d5", "pen": 0}


def mixed(*parts: tuple[Fraction, Chances]) -> Chances:
    found: Chances = {}
    for weight, chances in parts:
        for value, chance in chances.items():
            found[value] = found.get(value, F(0)) + weight * chance
    return {value: chance for value, chance in found.items() if chance}


def spent(
    turns: int,
    clip: int,
    cost: int,
    jam: Fraction = F(0),
    hot: Fraction = F(0),
    aims: bool = False,
    waits: int = 0,
    empties: bool = True,
    aimed: bool = True,
    short: bool = False,
) -> Chances:
    """Rounds spent by shots that change nothing, written down anew with the number of the turn the gun is free from."""

    def go(now: int, left: int, jammed: bool, aimed: bool, free: int) -> Chances:
        if now > turns:
            return {0: F(1)}
        if jammed:
            kept = 0 if empties else left
            return mixed(
                (F(1, 2), go(now + 1, kept, False, False, free)), (F(1, 2), go(now + 1, left, True, False, free))
            )
        used = min(cost, left) if short else cost
        if not 0 < used <= left:
            return go(now + 1, clip, False, False, free)
        if aims and not aimed:
            return go(now + 1, left, False, True, free)
        if now < free:
            return go(now + 1, left, False, aimed, free)
        after = mixed(
            (jam, go(now + 1, left - used, True, False, now + 1 + waits)),
            (hot, go(now + 1, left - used, False, False, now + 2)),
            (1 - jam - hot, go(now + 1, left - used, False, False, now + 1 + waits)),
        )
        return {rounds + used: chance for rounds, chance in after.items()}

    return go(1, clip, False, aimed, 1)


def risks(qualities: tuple[str, ...], mode: str) -> dict[str, Any]:
    hot = "Overheats" in qualities
    jam = F(5 if mode == "single" else 7, 100)
    return {"jam": F(0) if hot else jam, "hot": F(hot, 10), "waits": int("Recharge" in qualities)}


WAYS = [
    ("single", "none", ""),
    ("single", "half", ""),  # half and half: no turn goes by
    ("single", "full", ""),
    ("single", "half", "head"),  # a called shot is a Full Action
    ("full", "none", ""),
    ("full", "half", ""),
    ("full", "full", ""),
]
QUALITIES = [(), ("Recharge",), ("Overheats",), ("Recharge", "Overheats")]


def takes(mode: str, aim: str, called: str) -> bool:
    return aim == "full" or (aim == "half" and (mode != "single" or bool(called)))


# --- shoot, fire_mode, horde ------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS", "DW-ACT-AIM", "DW-ECON-1", "DW-ECON-2", "DW-ACT-RELOAD")
@pytest.mark.parametrize("qualities", QUALITIES)
@pytest.mark.parametrize("mode, aim, called", WAYS)
@pytest.mark.parametrize("bursts, empties", [(1, True), (2, False), (9, True)])
def test_rounds_over_turns_of_fire(qualities, mode, aim, called, bursts, empties):
    cost = 1 if mode == "single" else 4
    given = {"mode": mode, "aim": aim, "clip": cost * bursts, "qualities": qualities, "shots": 5, **HARMLESS}
    answer = RULESET.ask("shoot", **given, called=called or None, jam_clear_empties_clip=empties)
    aims = takes(mode, aim, called)
    expected = spent(5, cost * bursts, cost, aims=aims, empties=empties, **risks(qualities, mode))
    assert answer.odds("rounds").fractions() == expected


@pytest.mark.clause("DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS", "DW-ACT-AIM", "DW-ECON-1", "DW-ACT-RELOAD")
@pytest.mark.parametrize("qualities", QUALITIES)
@pytest.mark.parametrize("mode, aim", [(mode, aim) for mode, aim, called in WAYS if not called])
@pytest.mark.parametrize("bursts, empties", [(1, True), (2, False)])
def test_rounds_over_turns_against_a_horde(qualities, mode, aim, bursts, empties):
    cost = 1 if mode == "single" else 4
    given = {"mode": mode, "aim": aim, "clip": cost * bursts, "qualities": qualities, "turns": 4, **HARMLESS}
    answer = RULESET.ask("horde", **given, magnitude=100, breaks=False, bs=50, jam_clear_empties_clip=empties)
    expected = spent(4, cost * bursts, cost, aims=takes(mode, aim, ""), empties=empties, **risks(qualities, mode))
    assert answer.odds("rounds").fractions() == expected


@pytest.mark.clause("DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS", "DW-ACT-AIM", "DW-RWEP-00")
@pytest.mark.parametrize("qualities", QUALITIES)
def test_the_choice_of_a_mode_knows_of_pauses(qualities):
    answer = RULESET.ask("fire_mode", turns=3, goal="hits", qualities=qualities, wounds=500, clip=8)
    assert len(answer.start.options) == 9
    for way, option in zip(answer.start.options, answer.choices[0].options, strict=True):
        cost = {"single": 1, "semi": 2, "full": 4}[way.mode]
        aims = takes(way.mode, way.aim, "")
        expected = spent(3, 8, cost, aims=aims, aimed=not aims, **risks(qualities, way.mode))
        assert option.odds.project(lambda fire: fire.rounds).fractions() == expected


@pytest.mark.clause("DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS", "DW-ACT-AIM")
def test_the_numbers_of_the_table():
    single = {"mode": "single", "bs": 50, "wounds": 500}
    charged = RULESET.ask("shoot", **single, qualities=("Recharge",), shots=3)
    assert charged.odds("rounds").fractions() == {1: F(1, 20), 2: F(19, 20)}
    hot = RULESET.ask("shoot", **single, qualities=("Overheats",), shots=2)
    assert hot.odds("rounds").fractions() == {1: F(1, 10), 2: F(9, 10)}
    assert any("is not fired in the next turn" in warning for warning in hot.warnings)
    burst = RULESET.ask("shoot", mode="full", aim="half", shots=3, bs=50, wounds=500, distance=60)
    one = RULESET.ask("shoot", mode="full", aim="half", bs=50, wounds=500, distance=60).odds("hits").mean
    assert burst.odds("hits").mean == one + F(93, 100) * one  # the aim before the first is taken; a jam takes the third
    crowd = {"mode": "full", "aim": "full", "clip": 4, "turns": 3, "magnitude": 100, "breaks": False}
    assert RULESET.ask("horde", **crowd).odds("rounds").fractions() == {4: 1}  # fire, reload, aim


@pytest.mark.clause("DW-ACT-00", "DW-ECON-1")
def test_which_attacks_leave_time_for_a_half_aim():
    names = {
        "": "Standard Attack",
        "standard": shot_action(ShootOrder(mode="single")),
        "semi": shot_action(ShootOrder(mode="semi")),
        "full": shot_action(ShootOrder(mode="full")),
        "called": shot_action(ShootOrder(called="head")),
        "suppressing": "Suppressing Fire",
        "all_out": "All Out Attack",
        "charge": "Charge",
        "guarded": "Guarded Attack",
        "stun": "Stun",
        "multiple": "Multiple Attacks",
    }
    assert set(names) == set(get_args(Action))
    for action, name in names.items():
        assert takes_a_turn("half", action) == (cost_of(name) == "Full") == (action not in HALF_ATTACKS)
        assert takes_a_turn("full", action)
        assert not takes_a_turn("none", action)


@pytest.mark.clause("DW-ACT-AIM", "DW-ACT-MULTIPLE-ATTACKS")
@pytest.mark.parametrize(
    "given, aims",
    [
        ({"action": "standard"}, False),
        ({"action": "all_out"}, True),
        ({"attacks": 2, "talents": ("Swift Attack",)}, True),
        ({"action": "standard", "aim": "full"}, True),
    ],
)
def test_blows_at_a_horde_after_an_aim(given, aims):
    start = RULESET.ask("horde", **{"attack": "melee", "aim": "half", "turns": 2, **given}).start
    assert start.fight.fire_plan.aims == aims


def test_the_log_tells_why_nothing_is_fired():
    rests = {"qualities": ("Recharge",), "mode": "single", "shots": 3, **HARMLESS}
    text = str(RULESET.roll("shoot", **rests, tape=Script(90, 90)))
    assert text.count("The weapon rests") == 1
    hot = {"qualities": ("Overheats",), "mode": "single", "shots": 3, **HARMLESS}
    text = str(RULESET.roll("shoot", **hot, tape=Script(95, 90)))
    assert "The weapon overheats" in text
    assert "The weapon rests" in text
    crowd = {"mode": "full", "aim": "half", "clip": 12, "turns": 4, "breaks": False, "magnitude": 100, **HARMLESS}
    text = str(RULESET.roll("horde", **crowd, bs=0, modifier=-200, tape=Script(50, 50)))
    assert text.count("Takes aim") == 2


# --- too few rounds for a burst ---------------------------------------------------------------------------------------


@pytest.mark.clause("DW-RWEP-00", "DW-ACT-RELOAD")
@pytest.mark.parametrize("ruling, short", [("no_burst", False), ("what_is_left", True)])
@pytest.mark.parametrize("qualities", [(), ("Recharge",)])
@pytest.mark.parametrize("clip, empties", [(4, True), (6, True), (9, False), (11, True)])
def test_what_is_left_of_a_clip_is_fired_before_a_reload_if_the_ruling_says_so(ruling, short, qualities, clip, empties):
    given = {"clip": clip, "qualities": qualities, "short_clip": ruling, "jam_clear_empties_clip": empties, "bs": 50}
    known = {"empties": empties, "short": short}
    expected = spent(5, clip, 4, **known, **risks(qualities, "full"))
    assert RULESET.ask("shoot", **given, mode="full", shots=5, **HARMLESS).odds("rounds").fractions() == expected
    crowd = RULESET.ask("horde", **given, mode="full", turns=5, magnitude=100, breaks=False, **HARMLESS)
    assert crowd.odds("rounds").fractions() == expected
    choice = RULESET.ask("fire_mode", **given, turns=4, goal="hits", wounds=500)
    for way, option in zip(choice.start.options, choice.choices[0].options, strict=True):
        cost, aims = {"single": 1, "semi": 2, "full": 4}[way.mode], takes(way.mode, way.aim, "")
        expected = spent(4, clip, cost, aims=aims, aimed=not aims, **known, **risks(qualities, way.mode))
        assert option.odds.project(lambda fire: fire.rounds).fractions() == expected


@pytest.mark.clause("DW-RWEP-00", "DW-QUAL-STORM")
def test_two_barrels_leave_a_last_round_unfired():
    storm = {"qualities": ("Storm",), "mode": "full", "clip": 11, "short_clip": "what_is_left", "shots": 2}
    answer = RULESET.ask("shoot", **storm, bs=100, **HARMLESS)
    assert max(answer.odds("rounds").fractions()) == 8 + 2
    assert max(answer.odds("hits").fractions()) == 8 + 2


# --- the same gun in a battle -----------------------------------------------------------------------------------------


def gun_of(clip: int, qualities: tuple[str, ...], **more: Any) -> dict[str, Any]:
    gun = {"name": "gun", "kind": "Basic", "range": 60, "damage": "1d5", "damage_type": "E", "full": 4}
    return {**gun, "clip": clip, "qualities": list(qualities), **more}


def at_gharn(gun: dict[str, Any], **rulings: Any) -> Battle:
    cato = fighter("Brother Cato", weapons=["gun"], arsenal=[gun], bs=50, talents=["Astartes Weapon Training"])
    return battle([cato], [fighter("Warlord Gharn", 0, 20)], rulings)


def rounds_in_battle(turns: int, dice: tuple[int, ...], gun: dict[str, Any], **rulings: Any) -> tuple[int, int]:
    """Rounds spent and d100s rolled by bursts that miss; what is refused is cleared, reloaded or waited for."""
    game, left, rounds = at_gharn(gun, **rulings), list(dice), 0
    order: dict[str, Any] = {"target": "Warlord Gharn", "mode": "full", "modifier": -200}
    for _ in range(turns):
        held, why = unit_named(game, "Brother Cato").weapons[0], game.refusal("shoot", **order)
        if why is None:
            burns = ("burn", 3, 1) if left[0] > 90 and "Overheats" in gun["qualities"] else ()
            do(game, "shoot", left.pop(0), *burns, **order)
            rounds += held.clip - unit_named(game, "Brother Cato").weapons[0].clip
        elif held.jammed:
            do(game, "clear_jam", left.pop(0))
        elif held.clip < (1 if rulings["short_clip"] == "what_is_left" else 4):
            do(game, "reload")
        pass_to(game, "Brother Cato")
    return rounds, len(dice) - len(left)


@pytest.mark.clause("DW-RWEP-00", "DW-JAM-2", "DW-ACT-RELOAD", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS")
@pytest.mark.parametrize("ruling", ["no_burst", "what_is_left"])
@pytest.mark.parametrize("qualities", QUALITIES)
@pytest.mark.parametrize(
    "dice", [(60,) * 6, (60, 97, 97, 20, 60, 60), (95, 60, 60, 60, 95, 60), (97, 20, 60, 60, 60, 60)]
)
def test_a_battle_fires_clears_reloads_and_waits_like_a_question(ruling, qualities, dice):
    for clip, turns in product((4, 6, 8), (2, 5, 6)):
        given = {"mode": "full", "clip": clip, "qualities": qualities, "bs": 50, "modifier": -200, **HARMLESS}
        tape = Script(*dice)
        roll = RULESET.roll("shoot", **given, shots=turns, short_clip=ruling, tape=tape)
        came = roll.results["rounds"], len(dice) - len(tape.left)
        assert rounds_in_battle(turns, dice, gun_of(clip, qualities), short_clip=ruling) == came


@pytest.mark.clause("DW-RWEP-00", "DW-SUPP-2", "DW-SUPP-4")
def test_what_is_left_is_all_that_suppressing_fire_has():
    ruling = {"short_clip": "what_is_left"}
    game = at_gharn(gun_of(14, (), full=10), **ruling)
    do(game, "suppress", 90, 1, target="Warlord Gharn")
    pass_to(game, "Brother Cato")
    fire = {"bs": 50, "single": True, "semi": 0, "full": 10, "range": 60, "distance": 20, "qualities": (), **HARMLESS}
    question = RULESET.ask("suppress", **fire, clip=4, number=1, modifier=100, **ruling)
    hits = question.odds("hits").fractions()
    assert max(hits) == 4
    assert question.odds("rounds").fractions() == {4: 1}
    assert game.odds("suppress", target="Warlord Gharn", modifier=100).odds("hits").fractions() == hits
    do(game, "suppress", 90, 1, target="Warlord Gharn")
    assert unit_named(game, "Brother Cato").weapons[0].clip == 0
    whole = at_gharn(gun_of(14, (), full=10))
    do(whole, "suppress", 90, 1, target="Warlord Gharn")
    pass_to(whole, "Brother Cato")
    refused(whole, "suppress", "DW-RWEP-00", "needs 10 rounds, the clip holds 4", target="Warlord Gharn")


@pytest.mark.clause("DW-RWEP-00", "DW-ACT-RELOAD")
@pytest.mark.parametrize("ruling", ["no_burst", "what_is_left"])
def test_hits_of_two_turns_are_those_of_two_bursts_of_a_battle(ruling):
    game = at_gharn(gun_of(6, ()), short_clip=ruling)
    order: dict[str, Any] = {"target": "Warlord Gharn", "mode": "full"}
    first = game.odds("shoot", **order).odds("hits").fractions()
    do(game, "shoot", 93, **order)
    pass_to(game, "Brother Cato")
    may = game.refusal("shoot", **order) is None
    assert may == (ruling == "what_is_left")
    then = game.odds("shoot", **order).odds("hits").fractions() if may else {0: F(1)}
    jam = F(7, 100)
    expected: Chances = {}
    for hits, chance in first.items():
        clear = chance - jam if not hits else chance  # after a jam the second turn clears it
        for more, other in then.items():
            expected[hits + more] = expected.get(hits + more, F(0)) + clear * other
    expected[0] = expected.get(0, F(0)) + jam
    given = {"mode": "full", "clip": 6, "qualities": (), "bs": 50, "range": 60, "distance": 20, "size": "Hulking"}
    answer = RULESET.ask("shoot", **given, shots=2, short_clip=ruling, **HARMLESS)
    assert answer.odds("hits").fractions() == expected


# --- duel -------------------------------------------------------------------------------------------------------------


def duel_twin(rounds: int, wounds: int, waits: int, hot: bool) -> Fraction:
    """Return the chance that a single shot a round (BS 50, 1d5, nothing in its way) kills an idle minion."""

    def go(now: int, health: int, jammed: bool, free: int) -> Fraction:
        if health < 0 or now > rounds:
            return F(health < 0)
        if jammed:
            return (go(now + 1, health, False, free) + go(now + 1, health, True, free)) / 2
        if now < free:
            return go(now + 1, health, False, free)
        ready = now + 1 + waits
        hits = sum((go(now + 1, health - damage, False, ready) for damage in range(1, 6)), F(0)) / 5
        bad = F(10, 100) * go(now + 1, health, False, now + 2) if hot else F(5, 100) * go(now + 1, health, True, ready)
        return F(1, 2) * hits + bad + (F(1, 2) - F(10 if hot else 5, 100)) * go(now + 1, health, False, ready)

    return go(1, wounds, False, 1)


BARE = dict.fromkeys(("b_head", "b_arm", "b_body", "b_leg", "b_tb"), 0) | {"b_unnatural_toughness": 1, "b_minion": True}
GUN = {"a_mode": "single", "a_skill": 50, "a_damage": "1d5", "a_pen": 0, "b_skill": 0, "b_modifier": -60, "first": "a"}


@pytest.mark.clause("DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS", "DW-PIPE-1")
@pytest.mark.parametrize("qualities", QUALITIES)
@pytest.mark.parametrize("rounds", [1, 2, 3, 5])
def test_guns_rest_in_a_duel(qualities, rounds):
    answer = RULESET.ask("duel", **GUN, **BARE, a_qualities=qualities, b_wounds=5, rounds=rounds)
    expected = duel_twin(rounds, 5, "Recharge" in qualities, "Overheats" in qualities)
    assert answer.odds("b_dead").chance(1) == expected
    swapped = {
        f"{'b' if name[0] == 'a' else 'a'}{name[1:]}": value
        for name, value in {**GUN, **BARE}.items()
        if name != "first"
    }
    swapped |= {"first": "b", "a_wounds": 5, "b_qualities": qualities, "rounds": rounds}
    assert RULESET.ask("duel", **swapped).odds("a_dead").chance(1) == expected


@pytest.mark.clause("DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS", "DW-JAM-2")
def test_one_turn_of_a_duel_with_a_gun_that_rests():
    charged = RULESET.ask("duel", **GUN, **BARE, a_qualities=("Recharge",), rounds=1).start.a
    rests = replace(charged.gun, fired_round=QUESTION_ROUND - 1)
    assert turn(Script(90), charged, None).gun == rests
    assert turn(Script(), replace(charged, gun=rests), None) == charged
    jammed = turn(Script(97), charged, None).gun
    assert (jammed.jammed, jammed.fired_round) == (True, 0)  # which takes the next turn anyway
    hot = RULESET.ask("duel", **GUN, **BARE, a_qualities=("Overheats",), rounds=1)
    assert turn(Script(91), hot.start.a, None).gun == GunState(overheated_until=QUESTION_ROUND, status="overheat")
    assert turn(Script(90), hot.start.a, None).gun == GunState()
    assert any("DW-QUAL-OVERHEATS" in warning for warning in hot.warnings)
