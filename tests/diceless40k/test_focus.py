"""The question `focus` against battles: every plan is fired unit by unit in one, and none is worth more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from battletape.battle import Battle
from battletape.registry import ruleset
from battletape.rulesets.diceless40k.tables.sheet import VEHICLE_LINES
from tests.diceless40k.battles import battle, do, end

DL: Any = ruleset("diceless40k")
Given = Mapping[str, Any]

TARGETS = [
    {"name": "Crow", "models": 8, "armour": 6, "op": 100, "ld": 7},
    {"name": "Daw", "av": 11, "speed": "combat"},
    {"name": "Elk", "models": 3, "wounds": 2, "armour": 3, "distance": 20},
    {"name": "Fox", "models": 10, "armour": 5, "op": 90, "ld": 6, "cover": 4},
]
SHOOTERS = [
    {"name": "Ash", "models": 6, "ap": 5},
    {"name": "Birch", "models": 4, "strength": 9, "ap": 2, "type": "heavy", "range": 48},
    {"name": "Cedar", "models": 12, "bs": 3, "ap": 5},
]


def value(answer, measure):
    (only,) = answer.odds(measure).fractions()
    return only


# --- the same in a battle ---------------------------------------------------------------------------------------------


def set_up(shooters: Sequence[Given], targets: Sequence[Given]) -> Battle:
    """A battle in which the shooters are about to fire."""
    firing = [
        {
            "name": unit["name"],
            "models": unit["models"],
            "bs": unit.get("bs", 4),
            "weapons": ["gun"],
            "arsenal": [
                {
                    "name": "gun",
                    "strength": unit.get("strength", 4),
                    "type": unit.get("type", "rapid_fire"),
                    "range": unit.get("range", 24),
                    **{name: unit[name] for name in ("ap", "shots") if unit.get(name)},
                }
            ],
        }
        for unit in shooters
    ]
    plain = ("name", "models", "toughness", "wounds", "armour", "ld")
    troops = [{name: mark[name] for name in plain if mark.get(name)} for mark in targets if "av" not in mark]
    hulls = [
        {"name": mark["name"], "front": mark["av"], "weapons": ["stub"], "arsenal": [{"name": "stub", "range": 12}]}
        for mark in targets
        if "av" in mark
    ]
    one = battle(firing, troops, horde_vehicles=hulls)
    end(one)
    state = one.state
    for mark in targets:
        if "av" in mark:
            state = state.with_units(replace(state.vehicle(mark["name"]), speed=mark["speed"]))
        else:
            state = state.with_units(replace(state.squad(mark["name"]), op=mark.get("op", 0)))
    one.trust(len(one.moves), state)
    return one


def carry_out(start: Battle, targets: Sequence[Given], orders: Sequence[tuple[str, Given]]) -> dict[str, int]:
    """What a plan brings in a battle: each unit fires in turn, but not at who is gone already."""
    one = start.fork()
    for shooter, mark in orders:
        if not one.state.is_gone(one.state.find(mark["name"])):
            shot = {"distance": mark.get("distance", 12), "cover": mark.get("cover"), "zone": "orange"}
            do(one, "shoot", unit=shooter, target=mark["name"], **shot)
    fired = one.state
    end(one)
    brought = {"hp": 0, "models": 0, "wreck": 0, "order_points": 0}
    for mark in targets:
        name = mark["name"]
        if "av" in mark:
            damage = fired.vehicle(name).damage
            brought["wreck"] += 100 * bool(damage.destroyed) + sum(map(hits_on_line, VEHICLE_LINES, damage.lines))
            continue
        was, then, later = start.state.squad(name), fired.squad(name), one.state.squad(name)
        brought["hp"] += was.hp - then.hp
        brought["models"] += was.count - then.count
        brought["order_points"] += later.op - was.op + 100 * later.falling_back
    return brought


def hits_on_line(printed: tuple[str, str, str], dmg: int) -> int:
    """What the hits on a line count, a penetrating one twice."""
    marks = [mark for mark in printed[2].split() if int(mark[:-1]) <= dmg]
    return sum(1 if mark.endswith("G") else 2 for mark in marks)


def check(shooters: Sequence[Given], targets: Sequence[Given], wanted: str) -> None:
    """The advice is worth as much as the best plan, and brings in a battle what it promises."""
    answer = DL.ask("focus", shooters=shooters, targets=targets, wanted=wanted)
    start, names = set_up(shooters, targets), [unit["name"] for unit in shooters]
    plans = {
        tuple(mark["name"] for mark in way): carry_out(start, targets, list(zip(names, way, strict=True)))
        for way in product(targets, repeat=len(shooters))
    }
    (plan,) = answer.states.weights
    advised = plans[tuple(at for _, at in plan.orders)]
    best = max((brought[wanted], brought["hp"]) for brought in plans.values())
    assert (advised[wanted], advised["hp"]) == best
    assert (int(value(answer, "worth")), value(answer, "hp")) == best
    assert answer.table.rows[0][: len(names)] == tuple(at for _, at in plan.orders)


@pytest.mark.clause("DL-PREP.12", "DL-19.2", "DL-60.5")
@pytest.mark.parametrize("wanted", ["hp", "models", "order_points", "wreck"])
@pytest.mark.parametrize("left_out", [0, 2, 3])
def test_focus_is_as_good_as_the_best_of_all_plans_fired_in_a_battle(wanted, left_out):
    check(SHOOTERS, [target for at, target in enumerate(TARGETS) if at != left_out], wanted)


@pytest.mark.clause("DL-PREP.12", "DL-19.2")
@pytest.mark.parametrize("seed", range(8))
def test_focus_with_random_units(seed):
    luck = Random(seed)
    alike = {"strength": luck.randint(3, 8), "ap": luck.choice([None, 3, 4, 5])}
    shooters = [
        {"name": f"S{at}", "models": luck.randint(1, 8), "bs": luck.randint(2, 5), "type": "assault"}
        | (alike if luck.random() < 0.7 else {"strength": luck.randint(3, 8), "ap": luck.choice([2, 4, 6])})
        for at in range(3)
    ]
    targets = [
        {"name": f"T{at}", "models": luck.randint(1, 8), "toughness": luck.randint(3, 5)}
        | {"armour": luck.choice([2, 3, 4, 5, 6]), "cover": luck.choice([None, 4, 5])}
        for at in range(2)
    ]
    for wanted in ("hp", "models"):
        check(shooters, targets, wanted)


@pytest.mark.clause("DL-19.2")
def test_units_that_fire_alike_deal_packets_of_their_own():
    gun = {"models": 1, "bs": 3, "strength": 8, "ap": 4, "type": "assault"}
    target = {"name": "Crow", "models": 3, "armour": 3}
    answer = DL.ask("focus", shooters=[{"name": "Ash", **gun}, {"name": "Birch", **gun}], targets=[target])
    assert [value(answer, name) for name in ("hp", "models")] == [16, 0]  # 8 and 8; 48 DMG at once would kill one
    told = [step.title for step in answer.steps]
    for unit, recorded in (("Ash", 8), ("Birch", 16)):
        assert f"{unit} at Crow: Gun on Crow: 24 DMG → 3+ (armour) → 8 HP" in told
        assert any(f"{unit} at Crow: Crow: 0 models removed, 3 left, {recorded} HP recorded" in step for step in told)


@pytest.mark.clause("DL-60.23", "DL-60.2")
def test_nobody_fires_at_a_wreck():
    gun = {"models": 10, "bs": 5, "strength": 10, "ap": 1, "type": "assault"}
    shooters = [{"name": name, **gun} for name in ("Ash", "Birch")]
    answer = DL.ask("focus", shooters=shooters, targets=[{"name": "Daw", "av": 10}], wanted="wreck")
    assert value(answer, "wrecked") == 1
    assert not any(step.title.startswith("Birch at Daw: ") for step in answer.steps)
