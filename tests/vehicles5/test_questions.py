"""What holds for several questions: examples, words, and refusals."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.errors import BadInput, BattletapeError, Refused, UnknownName
from battletape.inputs import fields
from battletape.rulesets.vehicles5.questions import QUESTIONS
from battletape.words import capital, inches, listed, plain, plural
from tests.vehicles5.asking import RULES, ask


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_every_example_is_answered_rolled_and_told(question: Any) -> None:
    answer = RULES.ask(question.name, **question.example)
    assert answer.headline.endswith(".")
    assert sum(answer.states.fractions().values()) == 1
    assert all(step.title and step.clauses for step in answer.steps)
    for seed in range(6):
        roll = RULES.roll(question.name, seed=seed, **question.example)
        assert {measure.name for measure in question.measures} == set(roll.results)
        assert roll.state in answer.states.fractions()
        assert all(line.text and line.clauses for line in roll.log)


def test_small_turns_of_phrase() -> None:
    assert [listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]
    assert (plural(1, "model"), plural(2, "model")) == ("1 model", "2 models")
    assert (inches(1), inches(4.5)) == ("1 inch", "4.5 inches")
    assert (plain("flat_out"), capital("flat out")) == ("flat out", "Flat out")


@pytest.mark.clause("V5-RAM-1", "V5-RAM-2", "V5-SKIM-8", "V5-TANK-1", "V5-TANK-2", "V5-ORD-3", "V5-SHOT-7")
@pytest.mark.parametrize(
    "question, given, clause",
    [
        ("ram", {"distance": 13}, "V5-RAM-2"),
        ("ram", {"rammer_types": "fast"}, "V5-RAM-1"),
        ("ram", {"dodge": "always"}, "V5-SKIM-8"),
        ("ram", {"target_types": "walker", "target_struck": "rear", "reaction": "glory"}, "V5-WALK-15"),
        ("ram", {"rammer_stunned": True}, "V5-DMG-2"),
        ("tank_shock", {"declared": 0}, "V5-TANK-2"),
        ("tank_shock", {"types": "fast"}, "V5-TANK-1"),
        ("tank_shock", {"declared": 13}, "V5-MOVE-3"),
        ("ordnance", {"aim_right": 2}, "V5-SHOT-7"),
        ("ordnance", {"line_of_sight": False}, "V5-ORD-3"),
        ("ordnance", {"band": "flat_out"}, "V5-FAST-1"),
    ],
)
def test_what_the_rules_do_not_allow(question: str, given: dict[str, Any], clause: str) -> None:
    with pytest.raises(Refused) as refused:
        RULES.ask(question, **given)
    assert refused.value.clause == clause


@pytest.mark.parametrize(
    "question, given",
    [
        ("ordnance", {"front": 15}),
        ("ordnance", {"weapon": "Lascannon"}),
        ("ordnance", {"weapon": "Battle cannon", "barrage": True}),
        ("ram", {"distance": -1}),
        ("tank_shock", {"units": "at=3 glory='Missile launcher'"}),
        ("tank_shock", {"vehicle": "Bull ramm"}),
    ],
)
def test_bad_input_of_drives(question: str, given: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        RULES.ask(question, **given)


def test_names_keep_their_capitals() -> None:
    said = str(RULES.roll("tank_shock", units=[{"unit": "Ninth Bridge sappers", "tries": "always"}], seed=2))
    assert "Ninth Bridge sappers: " in said
    assert "Ninth bridge" not in said
    assert "sappers falls" not in said
    assert "sappers loses" not in said


@pytest.mark.clause("V5-DMG-3", "V5-SMOKE-1", "V5-VOLLEY-1")
@pytest.mark.parametrize(
    ("question", "given", "words"),
    [
        ("shoot", {"guns": ""}, "guns must name one gun or more"),
        ("shoot", {"weapons": 2, "weapon_names": "a, b, c"}, "must be the same weapons; got 2 and a, b, c"),
        ("tank_shock", {"weapons": "1", "weapon_names": ["a", "b"]}, "must be the same weapons"),
        ("ram", {"target_weapons": 2, "target_weapon_names": "a"}, "must be the same weapons"),
        ("shoot", {"weapon_names": "a, b", "melee_weapons": "x"}, "there is no weapon 'x' (V5-DMG-3). Known: a, b."),
        ("what_may_it_do", {"smoke_this_turn": True}, "needs smoke_launchers (V5-SMOKE-1)"),
        ("what_may_it_do", {"together": "laser"}, "there is no weapon 'laser' (V5-DMG-3)"),
    ],
)
def test_what_contradicts_itself_is_refused(question: str, given: dict[str, Any], words: str) -> None:
    with pytest.raises(BattletapeError) as caught:
        ask(question, **given)
    assert words in str(caught.value)


def test_unknown_names_say_what_there_is() -> None:
    with pytest.raises(UnknownName, match=r"are known, such as .*Lascannon"):
        ask("shoot", guns="Lazzcanon")


@pytest.mark.parametrize("question", RULES.questions, ids=lambda one: one.name)
def test_rulings_that_are_not_shown_change_nothing(question: Any) -> None:
    assert question.rulings is not None
    known = {one.name: one for one in fields(RULES.rulings)}
    assert set(question.rulings) <= set(known)
    plain = RULES.ask(question.name, **question.example)
    for name in set(known) - set(question.rulings):
        for value in (value for value, _ in known[name].alternatives):
            other = RULES.ask(question.name, **question.example, **{name: value})
            for measure in question.measures:
                assert other.odds(measure.name) == plain.odds(measure.name), (name, value)


@pytest.mark.clause("V5-VOLLEY-1", "V5-WALK-8")
def test_empty_guns_and_a_walker_as_a_unit_are_refused():
    with pytest.raises(BadInput, match="guns need a name"):
        RULES.ask("shoot", front=12, guns=[""])
    with pytest.raises(BadInput, match="for Warden strider use foe_walker"):
        RULES.ask("walker_fight", foe="warden strider")
