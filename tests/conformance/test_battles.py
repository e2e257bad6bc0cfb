"""Every ruleset with battles keeps the same promises: undo, redo, text, checkpoint, refusals with a reason."""

from __future__ import annotations

import csv
import io
import json

import msgspec
import pytest

from battletape import registry
from battletape.battle import Battle
from battletape.battle.notation import write_battle
from battletape.battle.reading import read_battle
from battletape.battle.report import COLUMNS, log_text, to_csv, to_json
from battletape.inputs import fields
from battletape.system import Ruleset
from tests.battle.random_play import play_at_random
from tests.toy import RULESET as TOY

CARDS: list[Ruleset] = [TOY, *(registry.ruleset(name) for name in registry.names() if name != "toy")]
WITH_BATTLES = [card for card in CARDS if card.battle is not None]
every_ruleset = pytest.mark.parametrize("card", WITH_BATTLES, ids=lambda card: card.name)
STEPS = [tuple(range(start, start + 40)) for start in (0, 1000, 2000)]


@pytest.fixture(autouse=True)
def _toy_is_known(monkeypatch):
    monkeypatch.setitem(registry._known, "toy", TOY)


def played(card: Ruleset, steps: tuple[int, ...]) -> Battle:
    battle = Battle.new(card, title="Conformance")
    play_at_random(battle, steps)
    assert len(battle.record.moves) > 5
    return battle


@every_ruleset
@pytest.mark.parametrize("steps", STEPS)
def test_replay_and_text_give_the_same_battle(card, steps):
    battle = played(card, steps)
    battle.check()
    for text in (battle.text, write_battle(battle, checkpoint=True)):
        again = read_battle(text)
        assert again == battle
        assert again.state == battle.state
        assert again.text == battle.text
        assert list(again.told()) == list(battle.told())
    assert read_battle(write_battle(battle, checkpoint=True)).opened == "checkpoint"


@every_ruleset
@pytest.mark.parametrize("steps", STEPS)
def test_undo_then_redo_is_the_identity(card, steps):
    battle = played(card, steps)
    moves, states = battle.moves, [battle.state]
    for _ in moves:
        battle.pop()
        states.append(battle.state)
    assert battle.state == Battle.new(card).state
    for move in moves:
        assert battle.state == states.pop()
        assert battle.redo() == move
    assert [battle.state] == states
    assert battle.moves == moves


@every_ruleset
@pytest.mark.parametrize("steps", STEPS)
def test_every_refusal_has_a_reason_and_a_clause_of_the_book(card, steps):
    battle = played(card, steps)
    refused = [option for at in range(len(battle.moves)) for option in battle.fork(at).legal() if option.refused]
    assert refused
    for option in refused:
        assert option.refused is not None
        assert option.refused.reason.strip()
        assert option.refused.clause in card.clauses.by_id
        with pytest.raises(type(option.refused)):
            raise option.refused


@every_ruleset
def test_what_is_refused_is_not_done_and_what_is_legal_is(card):
    battle = Battle.new(card)
    before = battle.text
    for option in battle.legal():
        if option.refused is not None:
            with pytest.raises(type(option.refused), match=r"\S"):
                battle.push(option.action.name, option.params)
            assert battle.text == before
        else:
            branch = battle.fork()
            branch.push(option.action.name, option.params, tape=1)
            assert len(branch.moves) == 1


@every_ruleset
def test_states_are_frozen_hashable_and_come_back_from_json(card):
    battle = played(card, STEPS[0])
    assert issubclass(card.battle.state, msgspec.Struct)
    for number in range(len(battle.record.moves) + 1):
        state = battle.reach(number)
        assert isinstance(state, card.battle.state)
        assert msgspec.json.decode(msgspec.json.encode(state), type=card.battle.state) == state
        hash(state)
        with pytest.raises(AttributeError):
            setattr(state, state.__struct_fields__[0], None)


@every_ruleset
def test_the_odds_of_every_legal_action_sum_to_one_and_change_nothing(card):
    battle = played(card, STEPS[0])
    seen = set()
    for at in range(len(battle.record.moves) + 1):
        now = battle.fork(at)
        for option in now.legal():
            if option.refused is None and option.action.name not in seen:
                seen.add(option.action.name)
                before = now.text
                answer = now.odds(option.action.name, option.params)
                assert sum(answer.states.fractions().values()) + answer.states.unexplored == 1
                assert answer.headline.strip()
                assert now.text == before
    assert len(seen) >= 3


@every_ruleset
def test_reports_hold_every_move(card):
    battle = played(card, STEPS[1])
    told = log_text(battle)
    assert all(f"\n{move.number}. {move.action}" in told for move in battle.record.moves)
    table = list(csv.DictReader(io.StringIO(to_csv(battle))))
    assert tuple(table[0]) == COLUMNS
    assert len(table) >= len(battle.moves)
    data = json.loads(msgspec.json.encode(to_json(battle)))
    assert [item["move"] for item in data["journal"] if "move" in item] == [one.number for one in battle.record.moves]


@every_ruleset
def test_inputs_of_actions_do_not_share_names_with_the_commands_own(card):
    taken = {"tape", "budget", "floats"}
    for action in card.battle.actions:
        assert not taken & {one.name for one in fields(action.inputs)}
