"""A plan is a call made later: what its rules tell frames the dice, and luck belongs in stages."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from battletape.battle import Battle
from battletape.dice import D6
from battletape.errors import BattletapeError
from battletape.procedure import Procedure
from battletape.rulebook import clause
from battletape.system import Plan
from tests.toy import RULESET
from tests.toy.turn import BATTLE


@clause("TOY-11")
def begin(tape, state):
    tape.tell("{} fighters", len(state.fighters))
    return state


def stage(tape, state):
    tape.roll(D6, label="die")
    return state


@clause("TOY-9")
def after(tape, state, word):
    tape.tell(word)
    return state


def battle_of(plan) -> Battle:
    action = replace(BATTLE.actions[2], plan=plan, procedure=Procedure("roll", (stage,)))
    return Battle.new(replace(RULESET, battle=replace(BATTLE, actions=(action,))))


def test_what_begin_and_after_tell_frames_the_dice_and_cites_their_clauses():
    battle = battle_of(lambda state, order: Plan(begin, state).then(after, "The dust settles"))
    lines = battle.move_record(battle.push("end_turn", tape=1).number).lines
    texts = [(line.text.split(":")[0], line.clauses) for line in lines]
    assert [texts[0][1], texts[2]] == [("TOY-11",), ("The dust settles", ("TOY-9",))]
    assert texts[1][0].startswith("Die")


@pytest.mark.parametrize("made", [lambda state: Plan(stage, state), lambda state: Plan(begin, state).then(stage)])
def test_dice_outside_stages_are_an_error_of_the_ruleset(made):
    with pytest.raises(BattletapeError, match="asks for 'die' outside its stages"):
        battle_of(lambda state, order: made(state)).push("end_turn", tape=1)
