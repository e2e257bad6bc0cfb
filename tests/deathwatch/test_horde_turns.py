"""A horde under attack turn after turn, against a chain of its own with dictionaries and binomials."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

import pytest
from msgspec.structs import replace

from battletape.log import as_text, play
from battletape.odds import Odds
from battletape.rulesets.deathwatch.rules import hordes
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft
from battletape.rulesets.deathwatch.rules.guns import UNLIMITED, FirePlan
from battletape.rulesets.deathwatch.rules.hordes import (
    HordeAttack,
    HordeFight,
    HordeFightState,
    begin_horde_fight,
    horde_defender,
    horde_fight_procedure,
    make_horde_attack,
)
from battletape.rulesets.deathwatch.rules.traits import Modifier
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.tape.exact import Exact
from battletape.tape.script import Script

BOLTER = AttackDraft(
    50, (Modifier("burst and range", 30),), mode="full", rof=4, rounds=4, dice=2, flat=5, pen=5, damage_type="X"
)
TOUGH = Fraction(479, 500)  # the chance that a bolter hurts a horde of AP 8 and TB 8
SIZES = ((120, 60), (90, 50), (60, 40), (30, 30), (20, 20), (10, 10), (0, 0))
AUTO = Rulings(auto_results="01_and_00")


def burst(armour: int = 8, tb: int = 8, *qualities: str) -> HordeAttack:
    return make_horde_attack(BOLTER, ("Tearing", *qualities), horde_defender(armour, tb))


def siege_of(attack: HordeAttack, starting: int, breaks: bool = True, attacks: int = 1, **drill: Any) -> HordeFight:
    return HordeFight(attack, FirePlan(attack.by_size[0][1], **drill), starting, breaks=breaks, attacks=attacks)


def run(siege: HordeFight, magnitude: int, clip: int = UNLIMITED):
    start = begin_horde_fight(siege, magnitude, clip)
    return Exact().run(horde_fight_procedure(start).stages, start)


@lru_cache(32)
def one_burst(target: int) -> dict[tuple[int, bool], Fraction]:
    """Hits that hurt, and whether the gun jams, roll by roll."""
    found: dict[tuple[int, bool], Fraction] = defaultdict(Fraction)
    for roll in range(1, 101):
        if roll >= 94 or roll > target:
            found[0, roll >= 94] += Fraction(1, 100)
            continue
        hits = min(4, 1 + (target - roll) // 10) + 1
        for good in range(hits + 1):
            found[good, False] += comb(hits, good) * TOUGH**good * (1 - TOUGH) ** (hits - good) / 100
    return dict(found)


def twin(
    turns: int,
    magnitude: int,
    *,
    clip: int,
    fresh: int,
    reload: int = 1,
    clear: int = 50,
    willpower: int = 30,
    disciplined: bool = False,
    breaks: bool = True,
    empties: bool = True,
) -> dict[tuple[int, int, int], Fraction]:
    """(Magnitude left, turn it broke, turn it was destroyed), by hand: nothing of the rules is used."""
    whole = magnitude
    now: dict[tuple[int, int, int, int, bool, int], Fraction] = {(magnitude, 0, 0, clip, False, 0): Fraction(1)}
    for turn in range(1, turns + 1):
        after: dict[tuple[int, int, int, int, bool, int], Fraction] = defaultdict(Fraction)
        for (left, broke, gone, rounds, jammed, loading), chance in now.items():
            if broke or gone:
                after[left, broke, gone, 0, False, 0] += chance
                continue
            outcomes: list[tuple[int, int, bool, int, Fraction]] = []  # left, rounds, jammed, loading, chance
            if jammed:
                outcomes.append((left, 0 if empties else rounds, False, 0, Fraction(clear, 100)))
                outcomes.append((left, rounds, True, 0, 1 - Fraction(clear, 100)))
            elif rounds < 4:
                still = (loading or reload) - 1
                outcomes.append((left, rounds if still else fresh, False, still, Fraction(1)))
            else:
                target = 50 + min(60, 30 + next(bonus for least, bonus in SIZES if left >= least))
                for (good, jams), share in one_burst(target).items():
                    outcomes.append((max(0, left - good), rounds - 4, jams, 0, share))
            for rest, kept, jam, still, share in outcomes:
                fails = Fraction(0)
                if breaks and rest:
                    if rest < whole / 4 and not disciplined:
                        fails = Fraction(1)
                    elif left - rest >= whole / 4:
                        nerve = willpower - (10 if rest < whole / 2 and not disciplined else 0)
                        fails = Fraction(100 - nerve, 100)
                dead = 0 if rest else turn
                after[rest, turn, dead, kept, jam, still] += chance * share * fails
                after[rest, 0, dead, kept, jam, still] += chance * share * (1 - fails)
        now = after
    found: dict[tuple[int, int, int], Fraction] = defaultdict(Fraction)
    for (left, broke, gone, *_), chance in now.items():
        if chance:
            found[left, broke, gone] += chance
    return dict(found)


def results(odds: Odds[HordeFightState]) -> dict[tuple[int, int, int], Fraction]:
    return odds.project(lambda after: (after.magnitude, after.broken_in, after.destroyed_in)).fractions()


@pytest.mark.clause("DW-HPIPE-1", "DW-HORDE-2", "DW-HORDE-3", "DW-HORDE-16", "DW-JAM-2", "DW-ACT-RELOAD")
@pytest.mark.parametrize(
    ("turns", "magnitude", "more"),
    [
        (5, 30, {}),
        (4, 14, {}),
        (5, 12, {"disciplined": True, "willpower": 45}),
        (4, 12, {"breaks": False}),
        (5, 16, {"clip": 8, "fresh": 8, "reload": 2}),
        (5, 20, {"clip": 12, "fresh": 12, "empties": False, "clear": 80}),
    ],
)
def test_some_turns_against_the_twin(turns: int, magnitude: int, more: dict[str, Any]):
    numbers = {"clip": 28, "fresh": 28, **more}
    fields = {"reload": "reload", "clear": "clear_target", "empties": "clearing_empties"}
    gun = {field: numbers[name] for name, field in fields.items() if name in numbers}
    nerve = {name: numbers[name] for name in ("willpower", "disciplined", "breaks") if name in numbers}
    attack = burst()
    siege = HordeFight(attack, FirePlan(attack.by_size[0][1], turns, clip=numbers["fresh"], **gun), magnitude, **nerve)
    assert results(run(siege, magnitude, numbers["clip"])) == twin(turns, magnitude, **numbers)


@pytest.mark.clause("DW-HORDE-16")
def test_the_nerve_of_a_horde():
    siege = replace(siege_of(burst(4, 3), 40), willpower=35)
    cases = {(30, True): Fraction(65, 100), (30, False): 0, (19, True): Fraction(75, 100), (9, False): 1, (0, True): 0}
    for (magnitude, bled), flees in cases.items():
        now = HordeFightState(siege, 40, magnitude, turn=2, lost_a_quarter=bled)
        odds = Exact().run((hordes.nerve_test,), now)
        assert odds.chance(lambda after: after.broken_in == 2) == flees
        assert odds.chance(lambda after: after.lost_a_quarter) == 0
    sure = replace(siege_of(burst(4, 3), 40, test_rulings=AUTO), willpower=5)
    odds = Exact().run((hordes.nerve_test,), HordeFightState(sure, 40, 19, turn=1, lost_a_quarter=True))
    assert odds.chance(lambda after: after.broken_in) == Fraction(99, 100)
    none = replace(siege_of(burst(4, 3), 40, breaks=False), willpower=35)
    odds = Exact().run((hordes.nerve_test,), HordeFightState(none, 40, 9, turn=1, lost_a_quarter=True))
    assert odds.chance(lambda after: after.broken_in) == 0


@pytest.mark.clause("DW-QUAL-RECHARGE", "DW-ACT-AIM", "DW-QUAL-OVERHEATS")
def test_a_turn_goes_by_between_attacks():
    for pause, twice in (
        ("recharges", Fraction(193, 200)),
        ("aims", Fraction(93, 100)),
    ):  # a jam may be cleared meanwhile
        slow = run(siege_of(burst(), 30, breaks=False, turns=3, clearing_empties=False, **{pause: True}), 30)
        quick = run(siege_of(burst(), 30, breaks=False, turns=2), 30)
        assert slow.chance(lambda after: after.rounds == 8) == twice
        assert slow.project(lambda after: after.gun.status).fractions().keys() == {"", "jam"}
        assert quick.chance(lambda after: after.rounds == 8) == Fraction(93, 100)
    hot = run(siege_of(burst(8, 8, "Overheats"), 30, breaks=False, turns=2), 30)
    assert hot.chance(lambda after: after.rounds == 8) == Fraction(90, 100)
    assert hot.chance(lambda after: after.gun.status == "overheat") == 1 - Fraction(9, 10) ** 2


@pytest.mark.clause("DW-ACT-MULTIPLE-ATTACKS", "DW-HORDE-10")
def test_several_blows_a_turn():
    sword = make_horde_attack(
        AttackDraft(50, melee=True, dice=1, flat=14, pen=6), ("Power Field",), horde_defender(4, 3), "melee"
    )
    once = run(siege_of(sword, 100), 100).project(lambda after: 100 - after.magnitude).fractions()
    twice = run(siege_of(sword, 100, attacks=2), 100).project(lambda after: 100 - after.magnitude).fractions()
    wanted: dict[int, Fraction] = defaultdict(Fraction)
    for one, chance in once.items():
        for other, share in once.items():
            wanted[one + other] += chance * share
    assert twice == dict(wanted)
    # the second blow is aimed at what the first has left: from 30 to 29 the bonus falls to 20
    smaller = run(siege_of(sword, 30, attacks=2), 30).project(lambda after: 30 - after.magnitude).fractions()
    assert smaller[0] == Fraction(1, 5) ** 2
    assert smaller[1] == Fraction(1, 5) ** 2 + Fraction(1, 5) * Fraction(3, 10)


@pytest.mark.clause("DW-HPIPE-1", "DW-JAM-1")
def test_hits_are_counted_over_all_turns():
    one = run(siege_of(burst(4, 3), 30), 30)
    assert one.project(lambda now: now.hits).fractions() == {
        0: Fraction(7, 100),
        3: Fraction(3, 100),
        4: Fraction(1, 10),
        5: Fraction(4, 5),
    }
    two = run(siege_of(burst(4, 3), 30, turns=2), 30)
    assert two.project(lambda now: now.hits).chance(0) == Fraction(7, 100)  # a jam takes the other turn as well


@pytest.mark.clause("DW-HPIPE-1", "DW-JAM-2", "DW-ACT-RELOAD", "DW-HORDE-16")
def test_the_log_of_a_bad_day():
    siege = replace(siege_of(burst(4, 3), 12, turns=4), willpower=40)
    dice = [97, 30, 21, *[5, 5, 5] * 5, 90]  # a jam, cleared, reloaded, five hits, nerve fails
    tape, start = Script(*dice), begin_horde_fight(siege, 12, 28)
    played = play(horde_fight_procedure(start).stages, tape, start)
    text = as_text(played.log)
    assert tape.used_up
    for line in (
        "Each hit counts once, and 1 more for the attack  [DW-HORDE-4]",
        "The weapon jams  [DW-JAM-1]",
        "The jam is cleared, the clip is lost  [DW-JAM-2]",
        "Reloaded  [DW-ACT-RELOAD]",
        "Turn 4: 5 hits, Magnitude 12 to 7  [DW-HORDE-3]",
        "The horde breaks in turn 4: its nerve fails  [DW-HORDE-16]",
    ):
        assert line in text
    assert played.state.broken_in == 4
