"""A question worked out, rolled, sampled and advised on, through the card of a ruleset."""

from __future__ import annotations

import json
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest
from msgspec import structs
from msgspec.structs import replace

from battletape.answer import STOPPED, advise, ask, caveat, roll, sample
from battletape.errors import BadInput, BattletapeError, BudgetSpent, UnknownName
from battletape.memory import Kept
from battletape.procedure import Procedure
from battletape.system import Question, Table
from battletape.tape.best import Best
from battletape.tape.exact import Memo
from battletape.tape.limits import DEFAULT_SECONDS, OUTCOME_SECONDS, SECONDS_SPENT, Budget
from battletape.tape.question import NeedAnswer
from battletape.tape.recorded import Recorded
from battletape.tape.script import Script
from battletape.tape.typed import Typed
from battletape.views.answer import answer_view
from tests.toy import RULESET

SHOOT = RULESET.question("shoot")


def test_an_answer_holds_odds_of_every_measure():
    answer = RULESET.ask("hit", wounds=4, save=5)
    assert answer.odds() == answer.odds("lost")
    assert answer.odds("lost") == {0: Fraction(1, 3), 1: Fraction(2, 9), 2: Fraction(2, 9), 4: Fraction(2, 9)}
    assert answer.odds("fallen").chance(True) == Fraction(2, 9)
    assert answer.states.project(lambda shot: shot.lost) == answer.odds("lost")
    assert str(answer) == answer.headline == SHOOT.headline(answer)
    assert answer.seconds >= 0
    with pytest.raises(UnknownName, match=r"shoot: there is no measure 'losst'\. Did you mean 'lost'\?"):
        RULESET.ask("shoot").odds("losst")


def test_a_sentence_takes_averages_chances_and_the_risks_there_are():
    answer = RULESET.ask("hit", wounds=4, save=5)
    assert answer.average("lost") == f"{float(Fraction(2 + 4 + 8, 9)):.1f}" == "1.6"
    assert (answer.chance("lost"), answer.chance("fallen")) == ("67 %", "22 %")
    assert answer.risk("falls", "fallen") == ", falls 22 %"
    unhurt = replace(answer, states=answer.states.project(lambda shot: answer.start))
    assert (unhurt.chance("fallen"), unhurt.risk("falls", "fallen")) == ("0 %", "")


def test_a_measure_is_worked_out_once_however_often_an_answer_is_read():
    read = []

    def lost(shot):
        read.append(shot)
        return shot.lost

    measures = (replace(SHOOT.measures[0], of=lost), *SHOOT.measures[1:])
    answer = ask(RULESET, structs.replace(SHOOT, measures=measures), {})
    assert read == []
    answer_view(answer)
    assert len(read) == len(answer.states) > 1
    assert answer.to_json()
    assert answer._repr_html_()
    assert len(read) == len(answer.states)


def test_measures_of_the_same_number_may_call_it_differently():
    lost = SHOOT.measures[0]
    hurt = replace(lost, name="hurt", words=lambda number: "hurt" if number else "unhurt")
    answer = ask(RULESET, structs.replace(SHOOT, measures=(lost, hurt)), {})
    odds = answer.odds("hurt")
    chance = odds.chance("hurt")
    assert 0 < chance < 1
    answer.odds("lost")
    assert odds.chance("hurt") == answer.odds("hurt").chance("hurt") == chance
    with pytest.raises(BattletapeError, match="hurt"):
        answer.odds("lost").chance("hurt")


def test_an_answer_without_a_budget_stops_after_30_seconds_and_warns(monkeypatch):
    monkeypatch.setattr("battletape.tape.limits.DEFAULT_SECONDS", DEFAULT_SECONDS)
    assert RULESET.ask("shoot").limit == DEFAULT_SECONDS == 30.0
    monkeypatch.setattr("battletape.tape.limits.DEFAULT_SECONDS", 0.0)
    late = ask(RULESET, SHOOT, {"wounds": 4, "save": 5}, memo=Memo())
    assert late.is_cut
    assert late.how.left_out == SECONDS_SPENT
    assert STOPPED.format("0 seconds") in late.warnings
    bounded: Question = replace(SHOOT, branches=lambda measures: 1_000_000)
    assert ask(RULESET, bounded, {"wounds": 4, "save": 5}, memo=Memo()).how.left_out == SECONDS_SPENT


def test_without_a_budget_advice_has_half_a_minute_too(monkeypatch):
    given = []

    class Noted(Best):
        def __init__(self, *args, budget, **more):
            given.append(budget.seconds)
            super().__init__(*args, budget=budget, **more)

    monkeypatch.setattr("battletape.tape.best.Best", Noted)
    monkeypatch.setattr("battletape.tape.limits.DEFAULT_SECONDS", DEFAULT_SECONDS)
    advise(RULESET, SHOOT, {"dice": 1}, "lost")
    advise(RULESET, SHOOT, {"dice": 1}, "lost", budget=Budget(seconds=60))
    assert given == [DEFAULT_SECONDS, 60]


def test_outcomes_of_choices_are_listed_within_the_seconds_left(monkeypatch):
    given = []

    class Noted(Best):
        def __init__(self, *args, budget, **more):
            given.append(budget)
            super().__init__(*args, budget=budget, **more)

    monkeypatch.setattr("battletape.tape.best.Best", Noted)
    monkeypatch.setattr("battletape.answer._known_outcomes", Kept(1))
    answer = structs.replace(RULESET.ask("shoot"), seconds=1.0, limit=3.0)
    for asked in (answer, structs.replace(answer, limit=1.0), structs.replace(answer, limit=None)):
        with suppress(BudgetSpent):
            asked.outcomes("nobody", str(asked.limit))
    assert [budget.seconds for budget in given] == [2.0, OUTCOME_SECONDS, None]


def test_an_answer_as_data_as_text_and_for_notebooks():
    answer = RULESET.ask("hit", wounds=4, save=5)
    data = answer.to_dict()
    assert json.loads(answer.to_json()) == data
    assert (data["ruleset"], data["question"], data["headline"]) == ("toy", answer.question.name, answer.headline)
    assert data["inputs"]["wounds"] == 4
    assert data["measures"]["lost"]["rows"] == answer.odds("lost").to_dict()["rows"]
    assert [step["title"] for step in data["steps"]] == [step.title for step in answer.steps]
    assert set(data["rulings"]) == set(answer.rulings_used)
    html = answer._repr_html_()
    assert html.count("<table>") == html.count("</table>") == 3
    assert answer.headline in html
    assert all(measure.title in html for measure in answer.measures)
    assert all(step.title in html for step in answer.steps)


def test_an_answer_explains_its_steps():
    steps = RULESET.ask("shoot", dice=2, wounds=2).steps
    assert [(step.title, step.needed, step.chance, step.clauses) for step in steps] == [
        ("Choice: snap or aim", "", None, ("TOY-3",)),
        ("To hit on a D6", "4+", Fraction(1, 2), ("TOY-4",)),
        ("Choice: stand or duck", "", None, ("TOY-5",)),
        ("Save on a D6", "5+", Fraction(1, 3), ("TOY-6",)),
        ("Wounds on a D3", "", None, ("TOY-7",)),
        ("Nerve on a D6", "4 or less", Fraction(2, 3), ("TOY-8",)),
    ]


def test_a_stage_without_dice_has_steps_from_its_rule():
    def stun(tape, shot):
        tape.tell("The target is pinned.", clause="TOY-5")
        return structs.replace(shot, pinned=True)

    question = replace(SHOOT, procedure=Procedure("stun", (stun,)))
    answer = ask(RULESET, question, {})
    assert [(step.title, step.clauses) for step in answer.steps] == [("The target is pinned.", ("TOY-5",))]


def test_an_answer_names_its_method_and_rulings():
    answer = RULESET.ask("shoot", nerve_test="last")
    assert answer.how.method == "exact"
    assert answer.how.policy == "choices by first option"
    assert answer.rulings_used == {"again": ("always", True, "TOY-7"), "nerve_test": ("last", False, "TOY-8")}
    assert answer.inputs.dice == 3
    assert answer.start.dice == 3
    assert len(answer.counts) == 5


def test_presets_are_rulings_to_start_from():
    brisk = RULESET.ask("shoot", preset="brisk")
    assert (brisk.rulings.again, brisk.rulings.nerve_test) == ("once", "last")
    assert RULESET.ask("shoot", preset="brisk", again="always").rulings.again == "always"
    with pytest.raises(UnknownName, match=r"toy: there is no preset 'brusk'\. Did you mean 'brisk'\?"):
        RULESET.ask("shoot", preset="brusk")


def test_an_unknown_question_or_input_is_refused_with_the_nearest_name():
    with pytest.raises(UnknownName) as question:
        RULESET.ask("shot")
    assert str(question.value) == "toy: there is no question 'shot'. Did you mean 'shoot'? Known: shoot, hit."
    with pytest.raises(BadInput) as name:
        RULESET.ask("hit", wonds=3)
    assert str(name.value) == ("hit has no input 'wonds'. Did you mean wounds?")
    with pytest.raises(BadInput, match=r"^hit has no input 'zzzz'. It takes wounds, save, nerve\.$"):
        RULESET.ask("hit", zzzz=3)
    with pytest.raises(BadInput, match=r"^wounds must be a whole number from 1 to 12; got 'many'\.$"):
        RULESET.ask("hit", wounds="many")


def test_a_budget_reaches_the_reader_and_does_not_stay():
    memo = Memo()
    cut = ask(RULESET, SHOOT, {"dice": 2}, budget=Budget(branches=3), memo=memo)
    assert cut.states.unexplored > 0
    assert ask(RULESET, SHOOT, {"dice": 2}, memo=memo).states.is_exact
    assert RULESET.ask("shoot", dice=1, budget=Budget()).states.is_exact


def test_an_answer_shows_unexplored_chance_in_text_html_and_json():
    cut = ask(RULESET, SHOOT, {"dice": 2}, budget=Budget(branches=3), memo=Memo())
    told = caveat(cut.states.unexplored)
    assert told == cut.caveat
    assert told.endswith("not in these numbers.")
    for text in (cut.headline, str(cut), repr(cut).removesuffix(">"), answer_view(cut).headline):
        assert text.endswith(f"{SHOOT.headline(cut)} {told}")
        assert text.count("explored") == 1
    whole = RULESET.ask("shoot", dice=2)
    assert whole.caveat == ""
    assert whole.headline == SHOOT.headline(whole)


@pytest.mark.parametrize(
    "left, told",
    [
        (Fraction(1, 10**9), ""),
        (Fraction(1, 2001), ""),
        (Fraction(1, 200), "0.5 % of what can happen was not explored and is not in these numbers."),
        (Fraction(1, 2), "50 % of what can happen was not explored and is not in these numbers."),
        (Fraction(93, 100), "Only 7.0 % of what can happen was explored; the rest is not in these numbers."),
        (1 - Fraction(1, 10**6), "Less than 0.1 % of what can happen was explored; the rest is not in these numbers."),
    ],
)
def test_a_warning_words_unexplored_chance_by_its_size(left, told):
    assert caveat(left) == told


def test_an_answer_uses_the_memo_it_is_given():
    memo = Memo()
    first = ask(RULESET, SHOOT, {"dice": 2}, memo=memo)
    assert memo
    assert ask(RULESET, SHOOT, {"dice": 2}, memo=memo).states == first.states


def test_an_answer_by_floats_names_its_method():
    answer = RULESET.ask("shoot", floats=True)
    assert answer.how.method == "floats"
    assert float(answer.odds().mean) == pytest.approx(float(RULESET.ask("shoot").odds().mean), abs=1e-12)


def test_progress_is_reported_by_stage_or_by_run():
    told: list[tuple[int, int]] = []
    ask(RULESET, SHOOT, {}, memo=Memo(), progress=lambda done, of: told.append((done, of)))
    assert told == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]
    told.clear()
    sample(RULESET, SHOOT, {}, 1_000, seed=1, progress=lambda done, of: told.append((done, of)))
    assert told == [(1_000, 1_000)]


def test_a_roll_has_a_log_results_and_a_recording():
    rolled = RULESET.roll("shoot", tape=Script("snap", 4, 1, 1, "stand", 2, 2, 4), wounds=4)
    assert rolled.headline == "Wounds lost: 2, left: 2."
    assert rolled.came("to hit") == {True: 1, False: 2}
    assert str(rolled).splitlines() == [
        rolled.headline,
        "Snap or aim by attacker: snap",
        "To hit (needs 4+): 4 1 1 → 1 of 3",
        "Stand or duck by defender: stand",
        "Save (needs 5+): 2 → fail",
        "Wounds: 2",
        "Wounds lost: 2, left: 2.",
        "Nerve (needs 4 or less): 4 → pass",
    ]
    assert rolled.results == {"lost": 2, "fallen": False, "pinned": False}
    assert [line.clauses for line in rolled.log][1] == ("TOY-4",)
    again = roll(RULESET, SHOOT, {"wounds": 4}, tape=Recorded(rolled.entries))
    assert (again.log, again.state) == (rolled.log, rolled.state)


def test_a_seed_rolls_the_same_again():
    assert RULESET.roll("shoot", seed=5).log == RULESET.roll("shoot", seed=5).log
    assert len({str(RULESET.roll("shoot", seed=seed)) for seed in range(12)}) > 6


def test_how_lucky_was_that():
    odds = RULESET.ask("hit", wounds=4, save=5).odds()
    rolled = RULESET.roll("hit", tape=Script(1, 2), wounds=4, save=5)
    assert rolled.luck(odds) == (Fraction(7, 9), Fraction(4, 9))


def test_a_typed_roll_asks_for_what_is_missing():
    with pytest.raises(NeedAnswer) as need:
        RULESET.roll("shoot", tape=Typed(["aim"]))
    assert str(need.value) == "to hit [2 x 1-6], needs 3+"
    assert need.value.ask.clauses == ("TOY-4",)


def test_a_sample_is_an_answer_too():
    exact, rolled = RULESET.ask("shoot"), sample(RULESET, SHOOT, {}, 5_000, seed=2)
    assert rolled.how.method == "sampled"
    assert abs(rolled.odds().mean - exact.odds().mean) < 4.5 * (exact.odds().variance / 5_000) ** 0.5
    assert rolled.headline
    assert rolled.steps == ()


def test_advice_for_a_measure():
    given: dict[str, Any] = {"dice": 3}
    alone = advise(RULESET, SHOOT, given, "lost", {"defender": "first"})
    assert alone.value == max(RULESET.ask("shoot", **given).odds("lost").mean, dict(alone.decisions[0].options)["aim"])
    assert advise(RULESET, SHOOT, given, "lost", {"defender": "min"}).value <= alone.value
    with pytest.raises(UnknownName, match="there is no measure"):
        advise(RULESET, SHOOT, given, "kills")


def test_outcomes_are_all_that_choices_can_lead_to():
    answer = RULESET.ask("shoot")
    assert not answer.is_chosen  # dice are rolled as well
    every = answer.outcomes()
    assert set(every.sides) == {"attacker", "defender"}
    assert set(answer.states.weights) <= set(every.states)
    of_one = answer.outcomes("defender")
    assert set(of_one.states) <= set(every.states)
    lost = answer.question.measure("lost").of
    assert max(map(lost, every.states)) >= advise(RULESET, SHOOT, {}, "lost", {"defender": "max"}).value


def test_advice_keeps_to_a_budget():
    assert advise(RULESET, SHOOT, {"dice": 3}, "lost", budget=Budget(seconds=60)) == advise(
        RULESET, SHOOT, {"dice": 3}, "lost"
    )
    with pytest.raises(BudgetSpent, match="too many for the budget"):
        advise(RULESET, SHOOT, {"dice": 3}, "lost", budget=Budget(branches=1))


def test_tables_and_warnings_come_from_the_question():
    table = Table("To hit", ("paces",), (("0-3",),), "TOY-2", mark=(0, 0))
    question: Question = replace(SHOOT, table=lambda i, r: table, warn=lambda i, r: ["too far"] if i.paces > 9 else [])
    near, far = (ask(RULESET, question, {"paces": paces}) for paces in (2, 12))
    assert near.table is table
    assert (near.warnings, far.warnings) == ((), ("too far",))
    plain = RULESET.ask("shoot")
    assert (plain.table, plain.warnings) == (None, ())


def test_profiles_may_fill_inputs():
    question = replace(SHOOT, fill=lambda given, book: {"dice": 9, **given})
    assert ask(RULESET, question, {}).inputs.dice == 9
    assert ask(RULESET, question, {"dice": 2}).inputs.dice == 2
    assert RULESET.book.entries == {}


def test_the_same_plain_values_are_read_once_and_look_alikes_apart():
    first, again = (roll(RULESET, SHOOT, {"dice": 2}, seed=seed) for seed in (1, 2))
    assert first.inputs is again.inputs
    for like in (True, 2.5, "two"):
        with pytest.raises(BadInput, match="dice"):
            roll(RULESET, SHOOT, {"dice": like}, seed=1)
    assert roll(RULESET, SHOOT, {"dice": "2"}, seed=1).inputs == first.inputs


def test_a_ruleset_with_own_profiles_reads_every_question_again():
    own = RULESET.with_profiles("own.toml")
    first, again = (roll(own, SHOOT, {"dice": 2}, seed=1) for _ in range(2))
    assert first.inputs == again.inputs
    assert first.inputs is not again.inputs
