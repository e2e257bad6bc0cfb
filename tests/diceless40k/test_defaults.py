"""What is chosen where nobody says so: what a player would usually do; and whose interest advice follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from battletape.answer import advise, ways_to_play
from battletape.rulesets.diceless40k import RULESET as DL
from battletape.rulesets.vehicles5 import RULESET as V5
from battletape.system import Question, Ruleset
from battletape.tape.path import Path
from battletape.tape.question import Ask

OWNERS = {"attacker", "defender", "owner", "first side", "second side"}
NOTHING = (0, "keep", "no test", "no token")
"""The options by which a player does without something."""
OPPONENTS = ("gets hot! tokens", "warp token on", "tokens on ", "leftover points on ")
"""Choices of the opponent of who asks: there the lead measure is what the opponent does not want."""


class Does(Path):
    """Choices take their first option, or nothing at all where that is offered."""

    def __init__(self, nothing: bool = False) -> None:
        super().__init__()
        self.nothing = nothing

    def answer(self, ask: Ask) -> Any:
        """The option taken."""
        assert ask.kind == "choose", ask
        return next((way for way in NOTHING if self.nothing and way in ask.options), ask.options[0])


CASES = [
    *((question, given) for question in DL.questions for given in (question.example, question.small)),
    (DL.question("assault_vehicle"), {"attackers": "Combat squad", "vehicle": "Trukk"}),
    (DL.question("assault_vehicle"), {"models": 7, "av": 12, "grenade": "krak"}),
    (DL.question("assault_vehicle"), {"models": 3, "av": 14, "grenade": "melta_bomb"}),
    (DL.question("assault_vehicle"), {"models": 5, "av": 10, "attacks": 4, "strength": 9, "grenade": "assault"}),
    (DL.question("fight"), {"first": "Librarian Osric Vale", "second": "Warboss Skargut", "charges": "first"}),
]


def lead_of(question: Question) -> str:
    """The measure that leads its answer, on the side of who asks."""
    return "second_hp_lost" if question.name == "fight" else question.measures[0].name


@pytest.mark.clause("DL-63.5", "DL-50.1")
@pytest.mark.parametrize(("question", "given"), CASES, ids=lambda value: getattr(value, "name", ""))
def test_no_choice_defaults_to_less_than_doing_nothing(question: Question, given: Mapping[str, Any]) -> None:
    lead = lead_of(question)
    usual, idle = Does(), Does(nothing=True)
    does = DL.roll(question.name, tape=usual, **given).results[lead]
    without = DL.roll(question.name, tape=idle, **given).results[lead]
    asked = [ask for ask, _ in usual.trail]
    assert {ask.by for ask in asked} <= OWNERS
    own = [ask for ask in asked if not any(words in ask.label for words in OPPONENTS)]
    if len(own) == len(asked) and not isinstance(does, str):
        assert does >= without


def test_those_cases_do_offer_to_do_nothing():
    offered = set()
    for question, given in CASES:
        tape = Does()
        DL.roll(question.name, tape=tape, **given)
        offered |= {way for ask, _ in tape.trail for way in NOTHING if way in ask.options}
    assert offered >= {0, "keep", "no test"}


HOT = {"guns": [{"weapon": "Plasma gun"}], "hot_tokens": 2}


@pytest.mark.clause("DL-31.2")
def test_the_defender_plays_hot_tokens_against_the_firer():
    advice = advise(DL, DL.question("shoot"), HOT, "firer_hp_lost")
    (decision,) = advice.decisions
    values = dict(decision.options)
    assert (decision.by, decision.best) == ("defender", 1)
    assert advice.value == values[1] > values[0] == 0
    assert DL.ask("shoot", **HOT).odds("firer_hp_lost").mean == values[1]  # and does so usually


HARMS = {  # measures of which the side that asks wants little, or its opponent much
    ("shoot", "firer_hp_lost"): ("attacker", "defender"),
    ("shoot", "firers_dead"): ("attacker", "defender"),
    ("shoot", "models_left"): ("attacker", "defender"),
    ("shoot", "hp_lost"): ("defender", "attacker"),
    ("fight", "first_hp_lost"): ("first side", "second side"),
    ("fight", "second_hp_lost"): ("second side", "first side"),
    ("psychic_test", "hp_lost"): ("attacker", "defender"),
    ("psychic_test", "works"): ("defender", "attacker"),
    ("arrival", "mishap"): ("attacker", "defender"),
    ("ram", "rammer_penetrating"): ("attacker", "defender"),
    ("ram", "target_penetrating"): ("defender", "attacker"),
}


@pytest.mark.parametrize(("named", "sides"), HARMS.items(), ids=lambda value: "-".join(value))
def test_who_is_harmed_plays_for_little_and_the_other_side_for_much(named, sides):
    measure = DL.question(named[0]).measure(named[1])
    ways = ways_to_play(measure)
    assert [ways.get(side, "max") for side in sides] == ["min", "max"]
    assert ways_to_play(measure, {sides[0]: "first"})[sides[0]] == "first"


@pytest.mark.clause("V5-WALK-8", "V5-DOG-1")
@pytest.mark.parametrize(
    ("named", "owner"),
    [
        (("walker_fight", "walker_destroyed"), "attacker"),
        (("walker_fight", "destroyed"), "attacker"),
        (("walker_fight", "foe_destroyed"), "defender"),
        (("tank_shock", "tank_stops"), "attacker"),
        (("ram", "rammer_destroyed"), "attacker"),
        (("ram", "target_destroyed"), "defender"),
        (("shoot", "destroyed"), "defender"),
        (("shoot", "unchanged"), "attacker"),
    ],
    ids=lambda value: str(value),
)
def test_who_loses_a_vehicle_wants_it_whole(named, owner):
    assert ways_to_play(V5.question(named[0]).measure(named[1])) == {owner: "min"}


@pytest.mark.parametrize(
    ("card", "name", "given", "line"),
    [
        (DL, "assault_vehicle", {"models": 7, "av": 12, "grenade": "krak"}, "models with grenades: 7 (or 0 to 6)"),
        (DL, "repair", DL.question("repair").example, "line to repair: E (or B)"),
        (V5, "damage", V5.question("damage").example, "weapon destroyed: Battle cannon (or Lascannon, "),
    ],
)
def test_an_answer_says_in_one_line_what_else_there_was(card: Ruleset, name: str, given: Mapping[str, Any], line: str):
    answer = card.ask(name, **given)
    assert answer.usual.startswith(f"Choices as usual: {line}")
    assert line not in str(answer)
    assert answer.to_dict()["usual"] == answer.usual
    assert DL.ask("save_table").usual == ""  # nobody chooses anything
    assert DL.ask("tokens", **DL.question("tokens").example).usual == ""  # all play their best
