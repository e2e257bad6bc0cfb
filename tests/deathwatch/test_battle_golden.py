"""The golden battle: every action and every condition, and it replays to the letter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from msgspec import NODEFAULT
from msgspec.structs import fields

from battletape.battle import Battle
from battletape.battle.journal import Move
from battletape.battle.notation import write_battle
from battletape.battle.reading import read_battle
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.battle.state import CarriedWeapon, Done, Fighter, Mob, State
from battletape.rulesets.deathwatch.rules.actions import ACTIONS as TABLE
from battletape.rulesets.deathwatch.rules.conditions import Conditions
from battletape.rulesets.deathwatch.rules.terrain import Terrain
from tests.battle.battles import plain_end
from tests.deathwatch.vesper import FILE, play


@pytest.fixture(scope="module")
def vesper() -> Battle:
    return read_battle(FILE.read_text(encoding="utf-8"), str(FILE), RULESET)


def told(played: Battle) -> list[str]:
    return [line.text for number in range(1, len(played.moves) + 1) for line in played.move_record(number).lines]


REACTIONS = {"dodge", "parry"}
"""Chosen within attacks: as actions they only say so."""
NEVER_KEPT = {
    "dropped",  # between a critical row and the weapon on the ground
    "brief",  # odds only
    "by_spot",  # another ruling's count of critical damage
}
OF_OTHER_GAMES = {("State", "mission"), ("Terrain", "top"), ("Terrain", "cover"), ("Terrain", "hidden")}
"""Parts of games with a mission and walls, which the golden battle has not."""


def states(played: Battle) -> list[State]:
    return [played.reach(number) for number in range(len(played.record.moves) + 1)]


def never_set(kind: type, ones: Iterable[Any]) -> set[str]:
    """Fields that were at their defaults in all of these, of those that have one."""
    found = list(ones)
    known = (given for given in fields(kind) if given.default is not NODEFAULT)
    return {one.name for one in known if all(getattr(thing, one.name) == one.default for thing in found)}


def test_it_uses_every_action_replays_and_is_written_as_it_was_read(vesper):
    assert len({move.action for move in vesper.moves}) == 42
    assert vesper.check().moves == len(vesper.moves)
    assert vesper.notes == ()
    assert plain_end(write_battle(vesper, checkpoint=False)) == plain_end(FILE.read_text(encoding="utf-8"))


def plain_move(move):
    """A move without the marks of choices that nobody made: the file was written before there were any."""
    if not isinstance(move, Move):
        return move
    return move.number, move.action, move.params, [(entry.label, entry.value) for entry in move.entries]


def test_it_is_what_the_script_plays(vesper):
    again = play(RULESET)
    assert again.state == vesper.state
    assert list(map(plain_move, again.journal)) == list(map(plain_move, vesper.journal))


@pytest.mark.clause("DW-ACT-00", "DW-ACT-DODGE", "DW-ACT-PARRY", "DW-ACT-GUARDED-ATTACK", "DW-ACT-MANOEUVRE")
def test_all_31_actions_of_the_book_are_played(vesper):
    fighters = [fighter for field in states(vesper) for fighter in field.fighters]
    played = {name.partition(" (")[0] for fighter in fighters for name in fighter.done.actions}
    asked = {entry.label.rpartition(": ")[2] for move in vesper.moves for entry in move.entries}
    played |= {what.capitalize() for what in REACTIONS if what in asked}
    assert {row.name for row in TABLE} - played == set()
    assert len(TABLE) == 31


def test_every_part_of_the_state_is_set_at_some_time(vesper):
    found = states(vesper)
    fighters = [fighter for field in found for fighter in field.fighters]
    mobs = [mob for field in found for mob in field.mobs]
    parts: tuple[tuple[type, list[Any]], ...] = (
        (State, found),
        (Fighter, fighters),
        (Conditions, [fighter.conditions for fighter in fighters]),
        (Done, [*(fighter.done for fighter in fighters), *(mob.done for mob in mobs)]),
        (CarriedWeapon, [held for fighter in fighters for held in fighter.weapons]),
        (Mob, mobs),
        (Terrain, [cloud for field in found for cloud in field.clouds]),
    )
    left = {(kind.__name__, name) for kind, ones in parts for name in never_set(kind, ones) - NEVER_KEPT}
    assert left == OF_OTHER_GAMES
    assert {cloud.kind for field in found for cloud in field.clouds} == {"smoke", "haywire"}


@pytest.mark.clause(
    *("DW-JAM-1", "DW-JAM-2", "DW-ACT-RELOAD", "DW-ACT-AIM", "DW-ACT-BRACE-HEAVY-WEAPON", "DW-OVER-2", "DW-PIN-1"),
    *("DW-STUN-1", "DW-COND-PRONE", "DW-COND-FIRE", "DW-BLOOD-2", "DW-FAT-1", "DW-DMG-2", "DW-HORDE-3", "DW-HORDE-16"),
    *("DW-QUAL-POWER-FIELD", "DW-ACT-FEINT", "DW-ACT-DELAY", "DW-QUAL-SNARE", "DW-ACT-GRAPPLE"),
)
def test_every_condition_comes_up(vesper):
    lines = told(vesper)
    for text in (
        "Brother Cato's Astartes Bolter (Godwyn) is jammed.",
        "Brother Cato's Astartes Bolter (Godwyn) is clear again.",
        "Brother Cato's Astartes Bolter (Godwyn): 28 of 28 rounds.",
        "Brother Rurik takes a full aim.",
        "Brother Ilario's Astartes Heavy Bolter is braced.",
        "Murn is in the kill zone of Brother Ilario.",
        "Brother Ilario ends overwatch.",
        "Skarr is pinned.",
        "Skarr is no longer pinned.",
        "Warlord Gharn is stunned for 2 rounds.",
        "Warlord Gharn is no longer stunned.",
        "Warlord Gharn is prone.",
        "Warlord Gharn stands.",
        "Dagg is on fire.",
        "Dagg may only run.",
        "Dagg is no longer on fire.",
        "Brother Cato no longer bleeds.",
        "Dagg: fatigue 2.",
        "Dagg: critical damage 1.",
        "Rabble loses 7 Magnitude; 5 left.",
        "Rabble breaks and runs.",
        "Dagg's Improvised is destroyed.",
        "Brother Teodor has fooled Warlord Gharn.",
        "Brother Anselm acts on the delay.",
        "Brother Rurik is held fast.",
        "Brother Rurik is free.",
        "Dagg is in a grapple with Brother Anselm.",
        "Warlord Gharn cannot evade until the next turn.",
        "Krev is unconscious for 7 minutes.",
        "Krev has lost the eye.",
        "Jorn: the left arm is useless.",
        "Lurk is blind for 1 round.",
        "Brother Osric's Ripper is being reloaded, 1 of 2 Full Actions.",
        "Brother Quill's Rune lance is too hot until round 4.",
        "Raider mob is pinned.",
        "Dagg is on guard.",
    ):
        assert text in lines
