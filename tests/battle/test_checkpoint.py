"""Checkpoints: a long battle opens without a replay, and a checkpoint is trusted only when it fits."""

from __future__ import annotations

import msgspec
import pytest

from battletape.battle import BattleFault, notation, replay
from battletape.battle.notation import digest, write_battle
from battletape.battle.reading import read_battle
from tests.battle.battles import long_battle, plain_end, skirmish


@pytest.fixture
def replays(monkeypatch):
    """Counts the moves that are replayed."""
    count: list[int] = []
    play = replay.play_action

    def counted(*args):
        count.append(1)
        return play(*args)

    monkeypatch.setattr(replay, "play_action", counted)
    return count


def test_five_hundred_moves_open_without_a_replay(replays):
    battle = long_battle(500)
    text = battle.text
    assert "\n--- checkpoint 500 " in text
    opened = read_battle(text)
    assert opened.opened == "checkpoint"
    assert opened.state == battle.state
    assert opened.text == text
    opened.push("end_turn")
    assert replays == []
    opened.pop()
    assert replays == []
    opened.pop()
    assert len(replays) == 499
    assert opened.state == battle.fork(499).state
    assert opened.check() == (501, 0, "checkpoint")


@pytest.fixture
def very_long(monkeypatch):
    """A battle that is long enough to keep states for undo; it has an undone move, and ends with move 61."""
    monkeypatch.setattr(notation, "EARLIER_FROM", 60)
    battle = long_battle(60)
    battle.pop()
    battle.push("end_turn")
    return battle


def test_a_very_long_battle_is_undone_without_a_replay(very_long, replays):
    text = very_long.text
    for last in (59, 58, 57):
        battle = read_battle(text)
        assert (battle.opened, battle.text) == ("checkpoint", text)
        battle.pop()
        assert battle.record.live[-1] == last
        text = battle.text
    assert replays == []
    battle = read_battle(text)
    assert battle.state == very_long.reach(57)
    battle.pop()
    assert len(replays) == 56  # once all that can be undone at once is undone, everything is known again
    again = read_battle(battle.text)
    for _ in range(3):
        again.pop()
    assert len(replays) == 56
    assert again.state == very_long.reach(53)
    assert again.check().moves == 61


def test_a_long_battle_keeps_no_more_states_than_it_needs():
    assert len(long_battle(60).text.partition("--- checkpoint")[2].splitlines()) == 3


def test_a_flip_in_a_state_that_is_kept_for_undo_is_told(very_long):
    head, mark, tail = very_long.text.partition("--- checkpoint")
    first, *states, end = tail.splitlines()
    assert len(states) == 4
    flipped = [*states[:2], states[2].replace('"at":24', '"at":20'), *states[3:]]
    opened = read_battle("\n".join([head + mark + first, *flipped, end, ""]), "long.battle")
    assert (opened.opened, opened.state) == ("replay", very_long.state)
    said = r"the moves up to 58 end in another state than this checkpoint says \(fighters 2 at: 24, not 20\)"
    with pytest.raises(BattleFault, match=rf"^long.battle line [0-9]+: {said}"):
        opened.check()


def test_check_compares_the_states_that_are_kept_for_undo(very_long):
    head = very_long.text.partition("--- checkpoint")[0]
    states = [msgspec.json.encode(very_long.reach(number)).decode() for number in (61, 57)]
    sealed = f"{head}--- checkpoint 61 {digest(head, chr(10).join(states))}\n{states[0]}\n{states[1]}\n--- end\n"
    opened = read_battle(sealed)
    assert opened.opened == "checkpoint"
    with pytest.raises(BattleFault, match=r"the replay of move 59 .* ends in another state than the checkpoint says"):
        opened.check()


def test_a_short_battle_needs_no_checkpoint_but_may_have_one(replays):
    battle = skirmish()
    assert "checkpoint" not in battle.text
    text = write_battle(battle, checkpoint=True)
    opened = read_battle(text)
    assert (opened, opened.opened, replays) == (battle, "checkpoint", [])
    assert opened.check() == (5, 11, "checkpoint")
    assert opened.redo().number == 5
    assert opened.state == battle.fork(5).state


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text.replace('"turn":1', '"turn":2'),
        lambda text: text.replace("--- checkpoint 4", "--- checkpoint 3"),
        lambda text: text.replace("--- checkpoint 4", "--- checkpoint four"),
        lambda text: text.replace("title: The ford", "title: The Ford"),
        lambda text: text[: text.index("--- checkpoint")] + "--- end\n",
        lambda text: text[: text.index('{"rulings"')] + "--- end\n",
    ],
)
def test_a_checkpoint_that_does_not_fit_is_ignored(spoil, replays):
    text = spoil(write_battle(skirmish(), checkpoint=True))
    opened = read_battle(text)
    assert opened.opened == "replay"
    assert len(replays) == 5
    assert opened.state == skirmish().state


def test_a_checkpoint_of_another_shape_or_version_is_ignored(monkeypatch):
    body = plain_end(skirmish().text).removesuffix("--- end\n")
    other = f"{body}--- checkpoint 4 {digest(body, '[1]')}\n[1]\n--- end\n"
    assert read_battle(other).opened == "replay"
    text = write_battle(skirmish(), checkpoint=True)
    monkeypatch.setattr(notation, "VERSION", "0.0.1")
    assert read_battle(text).opened == "replay"


def test_check_compares_the_checkpoint_with_the_replay():
    body = plain_end(skirmish().text).removesuffix("--- end\n")
    state = msgspec.json.encode(skirmish().fork(1).state).decode()
    opened = read_battle(f"{body}--- checkpoint 4 {digest(body, state)}\n{state}\n--- end\n", "ford.battle")
    assert opened.opened == "checkpoint"
    with pytest.raises(
        BattleFault, match=r"^ford\.battle: the replay of move 4 \(end_turn\) ends in another state than the"
    ):
        opened.check()


def test_a_damaged_move_behind_a_checkpoint_is_told_when_it_is_needed():
    body = (
        plain_end(skirmish().text)
        .removesuffix("--- end\n")
        .replace("roll wounds [1-3] = 2", "roll wounds [1-3] = 4", 1)
    )
    state = msgspec.json.encode(skirmish().state).decode()
    opened = read_battle(f"{body}--- checkpoint 4 {digest(body, state)}\n{state}\n--- end\n", "ford.battle")
    before = opened.text
    for doing in (opened.pop, opened.check, lambda: opened.fork(1), lambda: list(opened.move_records())):
        with pytest.raises(BattleFault, match=r"^ford\.battle line 55: move 1 "):
            doing()
    assert opened.text == before
