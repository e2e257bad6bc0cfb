"""A measure of a battle tells what the action did: wounds, fires and hits that were there before do not count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from battletape.battle import Battle
from battletape.log import play
from battletape.procedure import chosen
from battletape.rulesets.second_edition.battle.state import Fighter, State
from battletape.tape.rolled import Rolled
from tests.second_edition.battles import FLAMER, FRAG, MEDIUM, MORTAR, REPEATER, RIFLE, SMOKER, fight, on_fire, phase

BURNING_SHOT = {**RIFLE, "name": "Burner", "incendiary": True}
ARSENAL = [FLAMER, FRAG, MORTAR, REPEATER, RIFLE, SMOKER, BURNING_SHOT]
WORN = [on_fire(1, lost=1), on_fire(3), {"model": 2, "lost": 2}]


def hurt() -> Battle:
    """Models that have lost wounds, that burn, and a cart that was hit, all close together."""
    own = {
        "models": 2,
        "bs": 5,
        "weapons": [{"name": weapon["name"], "models": 2} for weapon in ARSENAL if weapon != FRAG],
    }
    guns = {"name": "Guns", "grenades": ["Frag"], "toughness": 3, "wounds": 2, "spots": spots(20, 12, 2), **own}
    squad = {"name": "Foes", "models": 5, "toughness": 3, "wounds": 3, "spots": spots(18, 17, 5), "wear": WORN}
    cart = {"name": "Cart", "toughness": "none", "types": ["vehicle"], "spots": spots(26, 17, 1)}
    both = ({"arsenal": ARSENAL, "templates": [MEDIUM], "base": 25.4, **unit} for unit in (guns, squad, cart))
    south, *north = both
    return fight([south], north)


def spots(x: float, y: float, models: int) -> list[dict[str, float]]:
    """Places side by side."""
    return [{"x": x + 1.3 * at, "y": y} for at in range(models)]


def fresh_fires(before: State, after: State) -> int:
    """Models that burn now and did not."""
    return sum(now.is_burning and not was.is_burning for was, now in pairs(before, after))


def lost(before: State, after: State) -> int:
    """Wounds lost by everybody."""
    return sum(was.condition.wounds - max(now.condition.wounds, 0) for was, now in pairs(before, after))


def fallen(before: State, after: State) -> int:
    """Models that fell."""
    return sum(now.is_gone and not was.is_gone for was, now in pairs(before, after))


def on_hulls(before: State, after: State) -> int:
    """Hits for armour penetration."""
    return sum(now.condition.vehicle_hits - was.condition.vehicle_hits for was, now in pairs(before, after))


def pairs(before: State, after: State) -> list[tuple[Fighter, Fighter]]:
    """Everybody as they were and as they are."""
    return list(zip(before.fighters, after.fighters, strict=True))


TRUTHS: dict[str, Callable[[State, State], int]] = {
    "casualties": fallen,
    "killed": fallen,
    "wounds_lost": lost,
    "on_fire": fresh_fires,
    "vehicle_hits": on_hulls,
}


def compare(battle: Battle, action: str, given: dict[str, Any], seeds: int) -> dict[str, set[Any]]:
    """Play an action with many seeds: each measure that a state can tell is as the state has it."""
    card, state = battle.rules.action(action), battle.state
    params = card.inputs(**given)
    met: dict[str, set[Any]] = {}
    for seed in range(seeds):
        tape = Rolled(seed)
        plan = battle.rules.plan(card, state, params)
        work = plan.begin.on(tape)
        end = play(chosen(card.procedure, work, action).stages, tape, work).state
        after = battle.rules.settle(
            tape, battle.rules.state_of(end) if plan.after is None else plan.after.on(tape, end)
        )
        for measure in card.measures:
            if measure.name in TRUTHS:
                told = measure.of(end)
                assert told == TRUTHS[measure.name](state, after), (action, given, seed, measure.name)
                met.setdefault(measure.name, set()).add(told)
    return met


SHOTS: list[tuple[str, dict[str, Any]]] = [
    ("shoot", {"weapon": "Burner", "target": "Foes 1"}),
    ("shoot", {"weapon": "Burner", "target": "Foes 4"}),
    ("shoot", {"weapon": "Rifle", "target": "Cart"}),
    ("burst", {"weapon": "Repeater", "target": "Foes 2"}),
    ("blast", {"weapon": "Mortar", "target": "Foes 3"}),
    ("blast", {"weapon": "Smoker", "target": "Foes 3"}),
    ("grenade", {"weapon": "Frag", "target": "Foes 1"}),
    ("template", {"weapon": "Flamer", "target": "Foes 3"}),
    ("ground", {"weapon": "Mortar", "x": 20.0, "y": 17.0}),
]


@pytest.mark.parametrize(("action", "given"), SHOTS, ids=[f"{action} {given['weapon']}" for action, given in SHOTS])
def test_a_shot_counts_what_it_did_and_nothing_older(action: str, given: dict[str, Any]):
    battle = phase(burnt(hurt()), "shooting")
    met = compare(battle, action, {"unit": "Guns 1", **given}, 60)
    assert any(len(values) > 1 for values in met.values()) or "Smoker" in given.values()
    if "Smoker" in given.values():
        assert set().union(*met.values()) == {0}  # smoke sets no model on fire, whoever burns already


def test_a_volley_counts_what_it_did_and_nothing_older():
    battle = phase(burnt(hurt()), "shooting")
    met = compare(battle, "volley", {"unit": "Guns", "weapon": "Burner", "target": "Foes"}, 200)
    assert met["on_fire"] >= {0, 1}
    assert met["wounds_lost"] >= {0, 1}
    cart = compare(battle, "volley", {"unit": "Guns", "weapon": "Rifle", "target": "Cart"}, 40)
    assert cart["vehicle_hits"] == {0, 1, 2}
    battle.push("volley", unit="Guns", weapon="Rifle", target="Cart", tape=3)
    assert battle.state.fighter("Cart").condition.vehicle_hits
    battle.push("end_turn")
    again = phase(burnt(battle), "shooting")
    assert compare(again, "volley", {"unit": "Guns", "weapon": "Rifle", "target": "Cart"}, 40) == cart


@pytest.mark.clause("SE-87", "SE-88")
def test_a_fire_test_counts_the_wounds_of_this_test():
    battle = hurt()
    while battle.where["side"] != "North":
        battle.push("end_turn")
    for name in ("Foes 1", "Foes 3"):
        assert compare(battle, "fire_test", {"unit": name}, 40)["wounds_lost"] == {0, 1}
        battle.push("fire_test", unit=name, tape=2)


def burnt(battle: Battle) -> Battle:
    """The battle once every fire has been tested that must be."""
    while battle.where["side"] != "South" or battle.where["phase"] == "start of the turn":
        due = next((option for option in battle.legal() if option.action.name == "fire_test"), None)
        battle.push(due or "end_phase", **({"tape": 4} if due else {}))
    return battle
