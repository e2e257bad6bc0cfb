"""The question fire_mode: what each mode and aim is worth, and which is chosen."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import pytest

from battletape.answer import Answer, advise, caveat, sample
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.questions.fire_mode import FireOption, goal_of, option_words, value_of
from battletape.rulesets.deathwatch.questions.shoot import action_of
from battletape.rulesets.deathwatch.rules.guns import takes_a_turn
from battletape.tape.limits import Budget
from battletape.tape.rolled import Rolled

QUESTION = RULESET.question("fire_mode")
JAMS, ROUNDS = (QUESTION.measure(name).of for name in ("jammed", "rounds"))
F = Fraction


class Worked(NamedTuple):
    """A way to fire, what it is worth, and its averages."""

    way: FireOption
    value: Fraction
    goal: Fraction
    jams: Fraction
    rounds: Fraction


def options(answer: Answer) -> list[Worked]:
    """Every way to fire of an answer."""
    (choice,) = answer.choices
    return [
        Worked(way, option.value, *(option.odds.project(read).mean for read in (goal_of, JAMS, ROUNDS)))
        for way, option in zip(answer.start.options, choice.options, strict=True)
    ]


def best(answer: Answer) -> Worked:
    """The way that is chosen."""
    return options(answer)[answer.choices[0].best]


def worked(**given):
    return {(option.way.mode, option.way.aim): option for option in options(RULESET.ask("fire_mode", **given))}


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


def test_the_best_option_answers():
    answer = RULESET.ask("fire_mode", goal="kill", turns=1)
    assert best(answer).value == max(option.value for option in options(answer))
    assert answer.odds("value").mean == best(answer).value == answer.odds("dead").chance(1)
    assert answer.odds("best").fractions() == {"full auto, no aim": 1}
    assert answer.headline == "Full auto without an aim: 27 % to kill in 1 turn (jams 7.0 %, 4 rounds)."
    table = answer.table
    assert table is not None
    assert table.mark is not None
    assert table.rows[table.mark[0]][table.mark[1]] == "27 %, jams 7.0 %, 4 rounds"
    assert [row[0] for row in table.rows] == ["Single shot", "Semi-auto", "Full auto"]
    assert table.rows[2][2:] == ("–", "–")


@pytest.mark.clause("DW-QUAL-SHOCKING")
@pytest.mark.parametrize("asked", [(), ("on_fire",), ("stunned", "prone", "held")])
def test_how_much_is_asked_does_not_change_what_a_mode_is_worth(asked):
    given = {"weapon": "Lasgun", "target": "Raider", "bs": 45, "distance": 60, "goal": "kill", "jam_weight": 0.5}
    answer = RULESET.ask("fire_mode", **given, qualities="Shocking", turns=1, measures=asked)
    assert answer.odds("value").mean == best(answer).value
    assert answer.odds("value").mean == RULESET.ask("fire_mode", **given, turns=1).odds("value").mean


def test_advice_agrees_with_the_table():
    given = {"goal": "hurt", "turns": 1, "bs": 20}
    answer = RULESET.ask("fire_mode", **given)
    advice = advise(RULESET, QUESTION, given, "value", {"attacker": "max"})
    assert advice.value == best(answer).value
    assert advice.decisions[0].best == best(answer).way.start.fire_plan.name
    values = dict(advice.decisions[0].options)
    assert values == {option.way.start.fire_plan.name: option.value for option in options(answer)}


@pytest.mark.clause("DW-JAM-1")
def test_what_a_jam_costs_changes_the_choice():
    sure = {"goal": "hurt", "turns": 1, "bs": 90}
    assert best(RULESET.ask("fire_mode", **sure)).way.mode == "full"
    careful = RULESET.ask("fire_mode", **sure, jam_weight=100)
    assert best(careful).way.mode == "single"
    assert best(careful).value == best(careful).goal - 100 * best(careful).jams
    assert careful.odds("value").mean == best(careful).value


def test_flames_and_small_clips_have_fewer_ways():
    flames = RULESET.ask("fire_mode", weapon="Astartes Flamer", distance=10, turns=2)
    assert [(way.mode, way.aim) for way in flames.start.options] == [("single", "none")]
    assert flames.choices == ()
    assert flames.headline.startswith("Single shot without an aim: ")
    assert {mode for mode, _ in worked(clip=3, turns=1)} == {"single", "semi"}


def test_a_choice_of_the_player_is_rolled():
    roll = RULESET.roll("fire_mode", seed=2, turns=2)
    assert roll.results["best"] in str(roll)
    assert f"Fires {roll.results['best']}" in str(roll)


@pytest.mark.parametrize("branches, told", [(40_000, "at least "), (2_000, "not worked out")])
def test_a_mode_too_large_to_work_out_is_told_and_chosen_last(branches, told):
    RULESET.memo.clear()  # what is known already costs nothing
    answer = RULESET.ask("fire_mode", critical_track="by_location", budget=Budget(branches=branches))
    found = dict(zip(((way.mode, way.aim) for way in answer.start.options), answer.choices[0].options, strict=True))
    assert found["full", "none"].unexplored > 0
    assert option_words(found["full", "none"].odds, "kill").startswith(told)
    assert answer.choices[0].taken.odds.weights
    assert any(warning.startswith("Some options are too large") for warning in answer.warnings)


def test_an_answer_does_not_ask_how_fast_the_machine_is(monkeypatch):
    given = {"weapon": "Lasgun", "target": "Raider", "turns": 2}
    RULESET.memo.clear()
    soon = RULESET.ask("fire_mode", **given)
    RULESET.memo.clear()
    monkeypatch.setattr("battletape.tape.plans.monotonic", iter(range(0, 10**9, 1000)).__next__)
    late = RULESET.ask("fire_mode", **given, budget=Budget())
    assert [one.value for one in soon.choices[0].options] == [one.value for one in late.choices[0].options]


AUTOGUN = {"weapon": "Autogun", "bs": 45, "distance": 30, "target": "Raider", "goal": "kill", "turns": 4}


def test_rolls_are_made_with_the_mode_that_is_best():
    exact, rolled = RULESET.ask("fire_mode", **AUTOGUN), sample(RULESET, QUESTION, AUTOGUN, 4_000, seed=3)
    assert rolled.odds("best").fractions() == exact.odds("best").fractions() == {"full auto, a full aim": 1}
    assert (rolled.choices, rolled.table, rolled.warnings) == (exact.choices, exact.table, exact.warnings)
    assert rolled.headline.startswith("Full auto with a full aim: ")
    for measure in ("value", "dead", "jammed", "rounds"):
        odds = exact.odds(measure)
        assert abs(rolled.odds(measure).mean - odds.mean) < 4.5 * (odds.variance / 4_000) ** 0.5


@pytest.mark.parametrize("budget", [Budget(branches=800), Budget(branches=2_000)])
def test_a_choice_that_rests_on_little_is_told(budget):
    RULESET.memo.clear()
    answer = RULESET.ask("fire_mode", **AUTOGUN, budget=budget)
    rivals = answer.choices[0].rivals
    assert len(rivals) > 5
    assert str(answer) == answer.headline
    assert answer.headline.endswith(f"{len(rivals)} of 9 options were not worked out to the end and may be better.")
    whole = RULESET.ask("fire_mode", **AUTOGUN)
    assert whole.caveat == ""
    assert str(whole) == "Full auto with a full aim: 78 % to kill in 4 turns (jams 10 %, 14.7 rounds)."
    RULESET.memo.clear()
    none = RULESET.ask("fire_mode", **AUTOGUN, budget=Budget(seconds=0.0))
    assert none.headline == "Nothing of it could be explored within the budget; ask about less, or allow more."


@pytest.mark.parametrize("goal", ["kill", "damage"])
@pytest.mark.parametrize("branches", [1_000, 1_500, 3_000])
def test_the_table_marks_the_most_that_is_sure(goal, branches):
    RULESET.memo.clear()
    answer = RULESET.ask("fire_mode", **AUTOGUN | {"goal": goal}, budget=Budget(branches=branches))
    assert max(option.unexplored for option in answer.choices[0].options) > 0.5
    table = answer.table
    assert table is not None
    assert table.mark is not None
    figures = {
        (row, column): float(text.removeprefix("at least ").removeprefix("<").split(",")[0].removesuffix(" %"))
        for row, cells in enumerate(table.rows)
        for column, text in enumerate(cells)
        if column and text != "not worked out"
    }
    assert figures[table.mark] == max(figures.values())


def test_a_headline_says_no_more_than_is_sure():
    given = {"weapon": "Astartes Heavy Bolter", "bs": 45, "distance": 30, "target": "Raider", "turns": 4}
    RULESET.memo.clear()
    answer = RULESET.ask("fire_mode", **given, goal="damage", budget=Budget(branches=600))
    sure = answer.odds("value").mean * (1 - answer.states.unexplored)
    assert answer.states.unexplored > 0.1
    assert f": at least {float(sure):.1f} damage in 4 turns. " in answer.headline
    assert answer.caveat.startswith(caveat(answer.states.unexplored))


def test_where_nothing_was_worked_out_nothing_is_marked():
    RULESET.memo.clear()
    answer = RULESET.ask("fire_mode", **AUTOGUN, budget=Budget(branches=100))
    assert not any(option.odds.weights for option in answer.choices[0].options)
    assert answer.table is not None
    assert answer.table.mark is None


def test_what_a_jam_costs_counts_for_all_that_was_not_explored():
    RULESET.memo.clear()
    answer = RULESET.ask("fire_mode", **AUTOGUN, jam_weight=2, budget=Budget(branches=3_000))
    for option in answer.choices[0].options:
        seen = option.odds.project(value_of).mean * (1 - option.unexplored) if option.odds.weights else 0
        assert option.value == seen - 2 * option.unexplored
        assert option.hope == seen + option.unexplored


@pytest.mark.clause("DW-RWEP-00")
def test_a_roll_fires_in_the_best_way_and_typed_dice_in_ones_own():
    given = {"weapon": "Autogun", "bs": 45, "distance": 30, "target": "Raider", "goal": "kill", "turns": 4}
    best = RULESET.ask("fire_mode", **given).choices[0].taken.option
    rolled = RULESET.roll("fire_mode", seed=3, **given)
    assert rolled.entries[0].value == str(best) != str(RULESET.ask("fire_mode", **given).choices[0].options[0].option)
    own = Rolled(3, lambda ask: ask.options[0])
    assert RULESET.roll("fire_mode", tape=own, **given).entries[0].value != str(best)
