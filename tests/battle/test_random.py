"""Random battles: replay, undo, redo, fork and text all agree."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from battletape._version import VERSION
from battletape.battle import Battle, BattleFault
from battletape.battle.notation import write_battle
from battletape.battle.reading import read_battle, salvage_battle
from battletape.conformance.random_play import play_at_random
from tests.battle.battles import skirmish
from tests.toy import RULESET

STEPS = st.lists(st.integers(0, 10**6), max_size=25)
RULINGS = st.fixed_dictionaries(
    {"again": st.sampled_from(("always", "once")), "nerve_test": st.sampled_from(("any", "last"))}
)
TITLES = st.text(st.characters(exclude_categories=("C", "Z")) | st.just(" "), max_size=20)


@settings(deadline=None, max_examples=60)
@given(STEPS, RULINGS, TITLES)
def test_replay_text_and_checkpoint_give_the_same_battle(steps, rulings, title):
    battle = Battle.new(RULESET, None, rulings, title=title)
    play_at_random(battle, steps)
    battle.check()
    for text in (battle.text, write_battle(battle, checkpoint=True)):
        again = read_battle(text)
        assert again == battle
        assert again.state == battle.state
        assert again.peek() == battle.peek()
        assert again.text == battle.text
        assert list(again.move_records()) == list(battle.move_records())


@settings(deadline=None, max_examples=40)
@given(STEPS)
def test_undo_then_redo_is_the_identity_all_the_way_back(steps):
    battle = Battle.new(RULESET)
    play_at_random(battle, steps)
    before, moves = battle.state, battle.moves
    for _ in moves:
        battle.pop()
    assert battle.state == Battle.new(RULESET).state
    for move in moves:
        assert battle.redo() == move
    assert battle.state == before
    assert battle.moves == moves
    assert read_battle(battle.text) == battle


@settings(deadline=None, max_examples=40)
@given(STEPS, st.data())
def test_a_fork_is_the_battle_as_it_stood_after_that_move(steps, data):
    battle = Battle.new(RULESET)
    play_at_random(battle, steps)
    at = data.draw(st.integers(0, len(battle.record.moves)))
    branch = battle.fork(at)
    assert branch.state == battle.reach(at)
    assert branch.check().moves == len(branch.moves)
    before = battle.text
    play_at_random(branch, steps[:5])
    assert battle.text == before


WHOLE = write_battle(skirmish(), checkpoint=True)
EDITS = st.lists(
    st.tuples(st.integers(0, len(WHOLE)), st.integers(0, 8), st.text("\n #\"'=[]{}.:-\\\x00é019aeu", max_size=6)),
    min_size=1,
    max_size=4,
)


@settings(deadline=None, max_examples=300)
@given(EDITS, st.sampled_from((VERSION, "0.0.9")))
def test_a_file_edited_at_random_is_a_battle_or_a_sentence(edits, version):
    text = WHOLE.replace(VERSION, version)
    for at, gone, new in edits:
        text = text[:at] + new + text[at + gone :]
    battle, fault = salvage_battle(text, "edited.battle")
    assert battle is not None or fault is not None
    if fault is not None:
        assert isinstance(fault, BattleFault)
    if battle is not None:
        assert read_battle(battle.text) == battle
