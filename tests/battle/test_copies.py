"""Battles, answers, rolls and open questions can be pickled and copied."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

import battletape as bt
from battletape.battle.journal import BattleFault
from battletape.errors import BudgetSpent, UnknownName
from battletape.profiles import BadProfiles, EntryPlace, ProfileFault
from battletape.tape.question import Entry
from tests.battle.battles import skirmish
from tests.toy import RULESET

SHOT = {"unit": "Storm wardens", "weapon": "Storm carbine", "target": "Hill raiders", "distance": 18}
QUESTIONS = [(name, one.name) for name in ("attack_dice", "vehicles5") for one in bt.ruleset(name).questions]


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


every_way = pytest.mark.parametrize("again", [pickled, copy.deepcopy, copy.copy])
Again = Callable[[Any], Any]


@every_way
def test_a_battle(again: Again):
    battle = bt.Battle.new("attack_dice", title="The ford")
    battle.push("start")
    battle.push("attack", SHOT, tape=7)
    battle.pop()
    other = again(battle)
    assert (other, other.text, other.state) == (battle, battle.text, battle.state)
    assert other.ruleset is battle.ruleset
    other.redo()
    assert other != battle
    assert battle.peek().redo is not None


@every_way
def test_a_battle_of_a_system_that_nobody_has_registered(again: Again):
    assert again(skirmish()) == skirmish()


@every_way
@pytest.mark.parametrize("ruleset, name", QUESTIONS)
def test_an_answer_and_a_roll(again: Again, ruleset: str, name: str):
    card = bt.ruleset(ruleset)
    question = card.question(name)
    answer = card.ask(name, **question.example)
    other = again(answer)
    assert (other.ruleset, other.question) == (card, question)
    assert (other.states, other.inputs, other.rulings, other.how) == (
        answer.states,
        answer.inputs,
        answer.rulings,
        answer.how,
    )
    assert (other.headline, other.steps) == (answer.headline, answer.steps)
    rolled = card.roll(name, seed=3, **question.example)
    twin = again(rolled)
    assert (twin.log, twin.entries, twin.results) == (rolled.log, rolled.entries, rolled.results)


@every_way
def test_the_odds_of_an_action(again: Again):
    battle = bt.Battle.new("attack_dice")
    battle.push("start")
    answer = battle.odds("attack", SHOT)
    other = again(answer)
    assert (other.states, other.headline, other.steps) == (answer.states, answer.headline, answer.steps)
    assert other.odds("hp_lost") == answer.odds("hp_lost")


@every_way
def test_an_open_question(again: Again):
    with pytest.raises(bt.NeedAnswer) as asked:
        bt.ruleset("attack_dice").roll("attack", attacks=3, power=6, armour=5, tape=bt.Typed(["3 hits"]))
    need = asked.value
    other = again(need)
    assert str(other) == str(need) == "armour saves [3 x 0-9], needs 7+ to match 5+ on a D6"
    assert other.answered == need.answered
    assert (other.ask.words, other.ask.clauses) == (("fail", "pass"), ("AD-75",))
    answer = other.ask.parse("1 7 8")
    assert other.ask.meaning(answer) == {False: 1, True: 2}
    assert again(other).ask.meaning(answer) == {False: 1, True: 2}


@pytest.mark.parametrize(
    "error",
    [
        bt.BadInput("power must be a number", field="power", source="in.toml"),
        bt.Refused("too far", "AD-67", "range"),
        bt.TapeMismatch(3, None, Entry("roll", "x", "1-6", "4"), "why"),
        UnknownName("unit", "Wolf", ["Wolves"], source="here"),
        BattleFault("wrong", source="a.bt", line=3),
        BadProfiles(["one", ProfileFault.at(EntryPlace("in.toml", 3, "unit", 0, "Wolves"), "two")]),
        BudgetSpent("too large"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_every_error(error: bt.BattletapeError):
    other = pickled(error)
    assert type(other) is type(error)
    assert (str(other), other.args, other.__dict__) == (str(error), error.args, error.__dict__)


def test_a_card_is_found_again_in_its_package(tmp_path):
    card = bt.ruleset("attack_dice")
    assert pickled(card) is copy.deepcopy(card) is card
    own = tmp_path / "own.toml"
    own.write_text('[[weapon]]\nname = "Sling"\n', encoding="utf-8")
    assert pickled(card.with_profiles(str(own))).book.find("weapon", "sling").name == "Sling"


def test_a_card_that_stands_in_no_package_says_so():
    with pytest.raises(
        bt.BattletapeError, match=r"only the RULESET of a package can be pickled; tests\.toy has no such"
    ):
        pickle.dumps(replace(RULESET, questions=RULESET.questions[:1]))


@every_way
def test_a_question_is_the_one_on_its_card(again: Any):
    for name in ("attack_dice", "vehicles5"):
        for question in bt.ruleset(name).questions:
            assert again(question) is question
    assert again(RULESET.questions[0]) is RULESET.questions[0]


def test_a_question_on_no_card_cannot_be_pickled():
    own = replace(RULESET.questions[0], name="shot")
    with pytest.raises(bt.BattletapeError) as error:
        pickle.dumps(own)
    assert str(error.value) == (
        "only questions of the RULESET of a package can be pickled; none has this <Question shot>"
    )
    assert copy.deepcopy(own) is own
