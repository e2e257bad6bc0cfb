"""The toy plays by its own book."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape.answer import advise, sample
from battletape.battle import Battle
from battletape.errors import BadInput, Refused, UnknownName
from battletape.procedure import fold
from battletape.tape.exact import Exact
from battletape.tape.script import Script
from tests.toy import RULESET
from tests.toy.attack import SHOOTING, Shot, roll_wounds
from tests.toy.keywords import let_smoke_drift, worsen_save
from tests.toy.questions import shooting
from tests.toy.tables import HIT_ON


def shoot(*answers: object, keywords: tuple[str, ...] = (), **state: Any) -> Shot:
    tape = Script(*answers)
    shot = Shot(**{"wounds": 6, "dice": 3, "hit_on": 4, "save_on": 5, "keywords": keywords} | state)
    after = fold(shooting(shot), tape, shot)
    assert tape.used_up
    assert isinstance(after, Shot)
    return after


@pytest.mark.clause("TOY-2")
def test_paces_give_the_number_to_hit():
    assert [number for paces, number in HIT_ON for _ in paces] == [3] * 4 + [4] * 5 + [5] * 4
    assert [RULESET.ask("shoot", dice=1, paces=paces).steps[0].needed for paces in (3, 4, 12)] == ["3+", "4+", "5+"]


@pytest.mark.clause("TOY-3", "TOY-4")
def test_aiming_gives_up_a_die_and_hits_easier():
    assert shoot("aim", 3, 2, "stand", 1, 1, 4).lost == 1
    assert shoot("snap", 3, 3, 3).lost == 0
    assert shoot(3, dice=1).lost == 0


@pytest.mark.clause("TOY-5", "TOY-6")
def test_ducking_saves_on_one_less_and_pins():
    assert shoot("snap", 4, 1, 1, "duck", 4) == Shot(6, pinned=True)
    assert shoot("snap", 4, 1, 1, "stand", 4, 2, 1).lost == 2
    assert shoot("snap", 6, 1, 1, "duck", 5, 1, save_on=7) == Shot(5, lost=1, pinned=True)


@pytest.mark.clause("TOY-7")
def test_threes_go_on_as_far_as_the_target_can_feel():
    assert shoot("snap", 4, 1, 1, "stand", 1, 3, 3).wounds == 0
    always = Exact().outcomes(roll_wounds, 7, "always")
    third = Fraction(1, 3)
    assert {value: Fraction(weight, always.total) for value, weight in always.results.items()} == {
        1: third, 2: third, 4: third**2, 5: third**2, 7: third**2,
    }  # fmt: skip
    once = Exact().outcomes(roll_wounds, 7, "once")
    assert {value: Fraction(weight, once.total) for value, weight in once.results.items()} == {
        1: third, 2: third, 4: third**2, 5: third**2, 6: third**2,
    }  # fmt: skip


@pytest.mark.clause("TOY-8")
def test_the_wounded_test_their_nerve():
    assert shoot("snap", 4, 1, 1, "stand", 1, 1, 5).pinned
    assert not shoot("snap", 4, 1, 1, "stand", 1, 1, 4).pinned
    assert not shoot("snap", 4, 1, 1, "stand", 1, 1, nerve_at=1).pinned
    odds = {
        when: RULESET.ask("shoot", wounds=3, nerve=1, nerve_test=when).odds("pinned").chance(True)
        for when in ("any", "last")
    }
    assert odds["any"] > odds["last"] > 0


@pytest.mark.clause("TOY-9")
def test_smoke_pins_in_80_of_360_degrees():
    assert shoot("snap", 1, 1, 1, 39.5, keywords=("Smoke",)).pinned
    assert not shoot("snap", 1, 1, 1, 40, keywords=("Smoke",)).pinned
    kernel = Exact().outcomes(let_smoke_drift, Shot(1))
    assert Fraction(kernel.results[Shot(1, pinned=True)], kernel.total) == Fraction(80, 360)


@pytest.mark.clause("TOY-10")
def test_heavy_worsens_the_save_to_none_at_most():
    assert worsen_save(Shot(1, save_on=5)).save_on == 6
    assert shoot("snap", 4, 1, 1, "stand", 1, 4, keywords=("Heavy",), save_on=6).lost == 1
    assert [stage.__name__ for stage in shooting(Shot(6, keywords=("Heavy", "Smoke")))] == [
        *(stage.__name__ for stage in SHOOTING.stages[:2]),
        "let_smoke_drift",
        *(stage.__name__ for stage in SHOOTING.stages[2:]),
    ]


@pytest.mark.clause("TOY-1", "TOY-5", "TOY-11", "TOY-12")
@pytest.mark.parametrize(
    ("action", "params", "reason", "clause"),
    [
        ("shoot", {"unit": "Crow", "target": "Ash"}, "red must act with Ash, Old Birch; got 'Crow'", "TOY-1"),
        ("shoot", {"unit": "Ash", "target": "Old Birch"}, "a shot needs a living enemy", "TOY-1"),
        ("shoot", {"unit": "Ash", "target": "Dun"}, "Dun is 16 paces away, a shot reaches 12", "TOY-2"),
        ("move", {"unit": "Ash", "to": 5}, "a move must be 1 to 4 paces; got 5", "TOY-11"),
        ("move", {"unit": "Ash", "to": 0}, "a move must be 1 to 4 paces; got 0", "TOY-11"),
    ],
)
def test_what_the_rules_refuse(action, params, reason, clause):
    battle = Battle.new(RULESET)
    with pytest.raises(Refused, match=reason) as refused:
        battle.push(action, params)
    assert refused.value.clause == clause
    assert battle.moves == ()


@pytest.mark.clause("TOY-1", "TOY-5")
def test_a_fighter_acts_once_and_the_pinned_get_up_at_the_end_of_their_turn():
    battle = Battle.new(RULESET)
    battle.push("shoot", unit="Ash", target="Crow", tape=Script("snap", 1, 1, 1, 10.0))
    assert battle.state.fighters[2].pinned
    with pytest.raises(Refused, match="Ash has acted in this turn"):
        battle.push("move", unit="Ash", to=4)
    battle.push("end_turn")
    with pytest.raises(Refused, match="Crow is pinned"):
        battle.push("move", unit="Crow", to=4)
    battle.push("end_turn")
    assert battle.where == {"turn": "2", "phase": "actions", "side": "red"}
    assert not battle.state.fighters[2].pinned


@pytest.mark.clause("TOY-12")
def test_the_end():
    battle = Battle.new(RULESET, {"turns": 1, "fighters": [{"name": "A"}, {"name": "B", "side": "blue", "wounds": 1}]})
    draw = battle.fork()
    draw.push("end_turn")
    draw.push("end_turn")
    assert draw.over == "a draw"
    battle.push("shoot", unit="A", target="B", tape=Script("snap", 6, 1, 1, "stand"))
    assert battle.over == "red has won"
    assert all(option.refused and option.refused.clause == "TOY-12" for option in battle.options())
    assert battle.legal() == ()
    assert Battle.new(RULESET, {}).over == "nobody has won"


def test_a_start_that_does_not_fit_is_refused():
    with pytest.raises(BadInput, match="a name of its own, got Ash twice"):
        Battle.new(RULESET, {"fighters": [{}, {}]})
    with pytest.raises(UnknownName, match="Did you mean 'Heavy'"):
        Battle.new(RULESET, {"fighters": [{"keywords": ["heavy"]}]})


def test_the_questions_agree_with_sampling_and_advice():
    exact = RULESET.ask("hit", wounds=9, save=4).odds()
    rolled = sample(RULESET, RULESET.question("hit"), {"wounds": 9, "save": 4}, 20_000, seed=1).odds()
    assert abs(float(exact.mean - rolled.mean)) < 4 * rolled.error
    given = {"dice": 2, "wounds": 3, "paces": 9}
    best = advise(RULESET, RULESET.question("shoot"), given, "lost", {"defender": "min"})
    assert {one.by for one in best.decisions} == {"attacker", "defender"}
    hit = RULESET.ask("hit").odds()
    assert hit == {0: Fraction(1, 3), 1: Fraction(2, 9), 2: Fraction(2, 9), 4: Fraction(2, 9)}
    assert str(RULESET.ask("hit")) == "1.6 wounds are lost on average; 22 % that the target falls."
    assert [table.title for table in RULESET.tables()] == ["To hit"]
