"""What an action counts is what the sheets show: hit points, models, tokens and wrecks before and after it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from battletape.battle import Battle
from battletape.rulesets.diceless40k import RULESET as DL
from battletape.rulesets.diceless40k.battle.state import State
from tests.diceless40k.battles import battle, do, end, unit
from tests.diceless40k.saltmarsh import play


def sheets(state: State) -> dict[str, int]:
    """Hit points, models and tokens that are left, vehicles that are whole, and hits that are not ticked."""
    groups = [group for troop in state.squads for group in troop.groups]
    tokens = [player.tokens for player in state.players]
    return {
        "hp": sum(group.hp_left for group in groups),
        "removed": sum(group.models for group in groups),
        "spent": sum(held.scatter + held.gets_hot + held.warp for held in tokens),
        "wrecked": sum(not vehicle.damage.destroyed for vehicle in state.vehicles),
        "glancing": -sum(hit.hit.kind == "G" for vehicle in state.vehicles for hit in vehicle.damage.history),
        "penetrating": -sum(hit.hit.kind == "P" for vehicle in state.vehicles for hit in vehicle.damage.history),
    }


def check(one: Battle, action: str, params: Any) -> bool:
    """Whether an action counts anything of this; it counts what its sheets lose, whatever is chosen."""
    card = one.rules.action(action)
    counted = {measure.name: measure for measure in card.measures if measure.name in sheets(one.state)}
    if not counted:
        return False
    before = sheets(one.state)
    (work,) = one.odds(action, params).states.weights
    after = sheets(work.state)
    for name, measure in counted.items():
        assert measure.of(work) == before[name] - after[name], (one.where, action, params, name)
    return True


@cache
def marsh() -> Battle:
    """The sample battle, with everything in it."""
    return play(DL)


def positions() -> Iterator[int]:
    """The moves of it that count something."""
    for move in marsh().moves:
        if marsh().rules.action(move.action).measures:
            yield move.number


@pytest.mark.parametrize("number", list(positions()))
def test_every_move_of_the_sample_battle_counts_what_its_sheets_lose(number):
    move = marsh().moves[number - 1]
    at = marsh().fork(move.follows)
    check(at, move.action, move.params)


@pytest.mark.clause("DL-40.1", "DL-44.1")
def test_those_who_are_run_down_are_counted_with_all_their_hit_points():
    boyz = unit("Ork Boyz", "Boyz", models=10, groups=[], strength=4, attacks=3, weapons=["Choppa"])
    blade = {"name": "Close combat weapon", "type": "melee"}
    marines = unit("Combat squad", "Marines", models=5, groups=[], weapons=[blade["name"]], arsenal=[blade])
    one = battle([marines], [boyz])
    end(one, 5)
    do(one, "charge", unit="Boyz", target="Marines", distance=6)
    assert check(one, "fight", {"unit": "Boyz"})
    (work,) = one.odds("fight", unit="Boyz").states.weights
    assert work.state.is_gone(work.state.squad("Marines"))
    assert (work.count.removed, work.count.hp) == (6, 267)  # 5 × 40 of the Marines, and 67 of the Boyz


@pytest.mark.clause("DL-50.5", "DL-50.6")
@pytest.mark.parametrize("answer", ["accept", "push on"])
def test_a_warp_token_on_a_force_weapon_is_counted_if_it_is_gone(answer):
    one = battle([unit("Librarian Osric Vale", "Vale")], [unit("Warboss Skargut", "Boss")])
    end(one, 2)
    do(one, "charge", unit="Vale", target="Boss", distance=4)
    assert one.state.player("Horde").tokens.warp
    check(one, "fight", {"unit": "Vale"})
    before = sheets(one.state)
    do(one, "fight", "Boss", "play", answer, unit="Vale")
    assert before["spent"] - sheets(one.state)["spent"] == (answer == "accept")


@pytest.mark.parametrize("name", ["shoot", "casualties", "blast", "vehicle_end"])
@pytest.mark.parametrize("kind", ["example", "small"])
def test_the_measures_of_a_question_are_what_its_sheets_show(name, kind):
    question = DL.question(name)
    answer = DL.ask(name, **getattr(question, kind))
    (state,) = answer.states.weights

    def target(work: Any) -> Any:
        work = getattr(work, "shooting", work)
        return work.passengers if name == "vehicle_end" else work.target

    def value(measure: str) -> int:
        return int(question.measure(measure).of(state))

    before, after = target(answer.start), target(state)
    assert value("removed") == before.models - after.models
    assert value("models_left") == after.models
    if name in ("shoot", "casualties"):
        lost = sum(was.hp_left - now.hp_left for was, now in zip(before.groups, after.groups, strict=True))
        assert value("hp_removed") == lost
        assert value("recorded") == sum(group.recorded for group in after.groups)


@pytest.mark.clause("DL-31.2")
def test_what_hot_weapons_cost_their_firers_is_what_their_sheets_lose():
    gun = {"weapon": "Plasma gun", "models": 3, "firer_armour": 5, "firer_toughness": 3, "firer_recorded": 4}
    answer = DL.ask("shoot", guns=[gun], hot_tokens=3)
    (shot,) = answer.states.weights
    lost = sum(was.hp_left - now.hp_left for was, now in zip(answer.start.firers, shot.firers, strict=True))
    dead = sum(was.models - now.models for was, now in zip(answer.start.firers, shot.firers, strict=True))
    assert (answer.odds("firer_hp").mean, answer.odds("firers_dead").mean) == (lost, dead)
