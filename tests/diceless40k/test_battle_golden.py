"""A whole battle: it replays to the letter, and everything that the issue wants to see happens in it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from battletape.battle import Battle
from battletape.battle.journal import Move
from battletape.battle.notation import write_battle
from battletape.battle.reading import read_battle
from battletape.rulesets.diceless40k import RULESET
from battletape.rulesets.diceless40k.battle.show import show
from tests.battle.battles import plain_end
from tests.diceless40k.saltmarsh import FILE, play, start


@pytest.fixture(scope="module")
def marsh() -> Battle:
    return read_battle(FILE.read_text(encoding="utf-8"), str(FILE), RULESET)


def told(one: Battle) -> list[str]:
    return [line.text for number in range(1, len(one.moves) + 1) for line in one.move_record(number).lines]


def test_it_replays_and_is_written_as_it_was_read(marsh):
    assert marsh.check().moves == len(marsh.moves)
    assert marsh.notes == ()
    assert plain_end(write_battle(marsh, checkpoint=False)) == plain_end(FILE.read_text(encoding="utf-8"))


def test_it_is_what_the_script_plays(marsh):
    again = play(RULESET)
    assert again.state == marsh.state
    assert list(map(regardless_of_order, again.moves)) == list(map(regardless_of_order, marsh.moves))


def regardless_of_order(move: Move) -> tuple[object, ...]:
    """What a move says, its options in one order: which of them is usual may change."""
    entries = [replace(each, domain=" | ".join(sorted(each.domain.split(" | ")))) for each in move.entries]
    return (move.number, move.follows, move.action, move.params, entries)


def test_it_lasts_for_six_turns_and_ends(marsh):
    turns = [marsh.reach(number).turn for number in range(len(marsh.moves) + 1)]
    assert sorted(set(turns)) == [1, 2, 3, 4, 5, 6]
    assert marsh.over == "Horde wins: after 6 turns Vigil has lost 4 units and Horde 1"


@pytest.mark.clause("DL-30.6", "DL-31.2", "DL-50.5")
def test_every_kind_of_token_is_spent(marsh):
    begun, ended = marsh.reach(0).players, marsh.state.players
    assert [(player.tokens.scatter, player.tokens.gets_hot, player.tokens.warp) for player in begun] == [
        (3, 0, 1),
        (4, 2, 1),
    ]
    assert [(player.tokens.scatter, player.tokens.gets_hot, player.tokens.warp) for player in ended] == [
        (1, 0, 0),
        (1, 1, 1),
    ]


@pytest.mark.clause("DL-60.22", "DL-60.23", "DL-SM-57.1")
def test_a_vehicle_is_wrecked_by_each_row(marsh):
    wrecks = {
        vehicle.name: vehicle.damage.history[-1].hit.kind
        for vehicle in marsh.state.vehicles
        if marsh.state.is_gone(vehicle)
    }
    assert wrecks == {"Rhino": "P", "Trukk": "G"}
    assert all(marsh.state.vehicle(name).damage.destroyed == "wrecked" for name in wrecks)


@pytest.mark.clause("DL-46.1")
def test_a_unit_regroups(marsh):
    assert "Shootas: 152 OP - 98 → 54 against 117: regroups" in told(marsh)


@pytest.mark.clause("DL-50.6", "DL-95.3", "DL-SM-71.2", "DL-SM-76.1")
def test_perils_a_mishap_and_repairs(marsh):
    log = told(marsh)
    assert "Perils of the warp on Osric: 50 DMG → no save → 50 HP" in log
    assert "Jump squad goes back to reserve" in log
    assert "Rhino: Line F: 24 - 6 → 18 DMG, which undoes F24P" in log
    assert "Rhino: Line F: 18 - 30 → 0 DMG, which undoes F6G F12P F18P" in log


def test_undo_takes_all_of_it_back(marsh):
    again = read_battle(marsh.text, card=RULESET)
    for _ in marsh.moves:
        again.pop()
    assert again.state == Battle.new(RULESET, start(), {"wrecks": "none"}).state


@pytest.mark.clause("DL-46.1", "DL-38.1")
def test_the_same_battle_of_an_older_version_opens_and_ends_as_it_did():
    """Chargers came on as a block then; where they stand today one of them is too near to a unit that regroups."""
    path = FILE.with_name("saltmarsh_older.battle")
    older = read_battle(path.read_text(encoding="utf-8"), str(path), RULESET)
    assert older.check().moves == 92
    assert [note.split(":")[0] for note in older.notes] == ["move 74 (regroup) would be refused today"]
    assert older.over == "Horde wins: after 6 turns Vigil has lost 4 units and Horde 1"


def test_the_battle_of_before_there_was_a_field_replays_move_by_move_to_the_same_tables(marsh):
    """Its file names no ruling about wrecks, and they count for nothing in it."""
    path = FILE.with_name("saltmarsh_before_field.battle")
    before = read_battle(path.read_text(encoding="utf-8"), str(path), RULESET)
    assert before.check().moves == len(marsh.moves)
    assert before.notes == ()
    assert told(before) == told(marsh)
    for number in range(len(marsh.moves) + 1):
        assert tuple(show(before.reach(number))) == tuple(show(marsh.reach(number)))
