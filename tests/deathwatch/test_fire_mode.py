"""The question fire_mode: what each mode and aim is worth, and which is chosen."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battletape.answer import advise
from battletape.errors import Refused
from battletape.inputs import parse_inputs
from battletape.rulesets.deathwatch import RULESET, ask_fire_mode
from battletape.rulesets.deathwatch.ask_fire_mode import FireMode, options
from battletape.rulesets.deathwatch.ask_shooting import action_of, fill_ranged
from battletape.rulesets.deathwatch.firing import takes_a_turn

QUESTION = RULESET.question("fire_mode")
F = Fraction


def worked(**given):
    inputs = parse_inputs(FireMode, fill_ranged(given, RULESET.book, FireMode))
    return {(one.mode, one.aim): one for one in options(inputs)}


@pytest.mark.clause("DW-ACT-AIM")
def test_an_aim_before_a_burst_costs_a_turn():
    assert [takes_a_turn(aim, action_of("single")) for aim in ("none", "half", "full")] == [False, False, True]
    assert [takes_a_turn(aim, action_of("full")) for aim in ("none", "half", "full")] == [False, True, True]


@pytest.mark.clause("DW-RWEP-00")
@pytest.mark.parametrize(
    "goal, measure", [("kill", "dead"), ("damage", "damage"), ("hits", "landed"), ("hurt", "hurt")]
)
def test_in_one_turn_a_mode_is_worth_what_the_shot_does(goal, measure):
    found = worked(goal=goal, turns=1)
    assert set(found) == {("single", "none"), ("single", "half"), ("semi", "none"), ("full", "none")}
    for (mode, aim), option in found.items():
        shot = RULESET.ask("shoot", mode=mode, aim=aim)
        assert option.goal == option.value == shot.odds(measure).mean
        assert option.jams == shot.odds("jammed").chance(1)
        assert option.rounds == shot.odds("rounds").mean


@pytest.mark.clause("DW-ACT-AIM")
def test_in_two_turns_an_aimed_burst_is_one_attack():
    found = worked(goal="damage", turns=2)
    for aim in ("half", "full"):
        shot = RULESET.ask("shoot", mode="full", aim=aim)
        assert found["full", aim].goal == shot.odds("damage").mean
        assert found["full", aim].rounds == 4
    two = RULESET.ask("shoot", mode="full", shots=2)
    assert found["full", "none"].goal == two.odds("damage").mean
    assert found["single", "half"].goal == RULESET.ask("shoot", mode="single", aim="half", shots=2).odds("damage").mean


def test_the_best_option_comes_first_and_answers():
    answer = RULESET.ask("fire_mode", goal="kill", turns=1)
    best = max(answer.start.options, key=lambda one: one.value)
    assert answer.start.options[0] == best
    assert answer.odds("value").mean == best.value == answer.odds("dead").chance(1)
    assert answer.odds("best").fractions() == {"full auto, no aim": 1}
    assert answer.headline == "Full auto without an aim: 27 % to kill in 1 turn (jams 7.0 %, 4 rounds)."
    table = answer.table
    assert table is not None
    assert table.mark is not None
    assert table.rows[table.mark[0]][table.mark[1]] == "27 %, jams 7.0 %, 4 rounds"
    assert [row[0] for row in table.rows] == ["Single shot", "Semi-auto", "Full auto"]
    assert table.rows[2][2:] == ("–", "–")


@pytest.mark.clause("DW-QUAL-SHOCKING")
@pytest.mark.parametrize("detail", ["health", "rows", "conditions"])
def test_how_much_is_followed_does_not_change_what_a_mode_is_worth(detail):
    given = {"weapon": "Lasgun", "target": "Raider", "bs": 45, "distance": 60, "goal": "kill", "jam_weight": 0.5}
    answer = RULESET.ask("fire_mode", **given, qualities="Shocking", turns=1, detail=detail)
    assert answer.odds("value").mean == answer.start.options[0].value
    assert answer.odds("value").mean == RULESET.ask("fire_mode", **given, turns=1).odds("value").mean


def test_advice_agrees_with_the_table():
    given = {"goal": "hurt", "turns": 1, "bs": 20}
    answer = RULESET.ask("fire_mode", **given)
    advice = advise(RULESET, QUESTION, given, "value", {"attacker": "max"})
    assert advice.value == answer.start.options[0].value
    assert advice.decisions[0].best == answer.start.options[0].name
    values = dict(advice.decisions[0].options)
    assert values == {one.name: one.value for one in answer.start.options}


@pytest.mark.clause("DW-JAM-1")
def test_what_a_jam_costs_changes_the_choice():
    sure = {"goal": "hurt", "turns": 1, "bs": 90}
    assert RULESET.ask("fire_mode", **sure).start.options[0].mode == "full"
    careful = RULESET.ask("fire_mode", **sure, jam_weight=100)
    assert careful.start.options[0].mode == "single"
    best = careful.start.options[0]
    assert best.value == best.goal - 100 * best.jams
    assert careful.odds("value").mean == best.value


def test_flames_and_small_clips_have_fewer_ways():
    flames = worked(weapon="Astartes Flamer", distance=10, turns=2)
    assert set(flames) == {("single", "none")}
    assert {mode for mode, _ in worked(clip=3, turns=1)} == {"single", "semi"}
    with pytest.raises(Refused, match="reload first"):
        worked(clip=0)


def test_a_choice_of_the_player_is_rolled():
    roll = RULESET.roll("fire_mode", seed=2, turns=2)
    assert roll.results["best"] in str(roll)
    assert f"Fires {roll.results['best']}" in str(roll)


@pytest.mark.parametrize("branches, told", [(40_000, "at least "), (2_000, "not worked out")])
def test_a_mode_too_large_to_work_out_is_told_and_chosen_last(monkeypatch, branches, told):
    monkeypatch.setitem(ask_fire_mode.ENOUGH, "by_location", branches)
    RULESET.memo.clear()  # what is known already costs nothing
    inputs, rulings = RULESET.split(QUESTION, {"critical_track": "by_location"})
    found = options.__wrapped__(inputs, rulings)
    large = next(one for one in found if (one.mode, one.aim) == ("full", "none"))
    assert large.explored < 1
    assert ask_fire_mode.cell(large).startswith(told)
    assert [one.explored > 0 for one in found] == sorted((one.explored > 0 for one in found), reverse=True)
    assert any(one.explored > 0 for one in found)
