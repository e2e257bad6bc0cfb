"""Battles that earlier versions recorded are opened, replayed and checked, and end as they ended then."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from battletape._version import VERSION
from battletape.battle import BattleFault, replay
from battletape.battle.notation import CHECKPOINT, digest, write_battle
from battletape.battle.reading import read_battle, salvage_battle
from battletape.battle.store import open_battle
from battletape.conformance.random_play import play_at_random
from battletape.dice import d
from battletape.errors import Refused
from battletape.rulesets.vehicles5.rules.traits import PHASES
from battletape.tape.question import Entry, TapeMismatch
from battletape.tape.recorded import Recorded
from battletape.tape.rolled import Rolled
from tests.battle.battles import plain_end, skirmish
from tests.deathwatch import battles as deathwatch
from tests.vehicles5 import battles as vehicles5

OLD = Path(__file__).parent / "old"
FILES = sorted(OLD.glob("*.battle"))  # random battles of 1ef0c48, an earlier 0.1.0, each with a checkpoint
RELEASED = sorted(OLD.glob("*/*.battle"))  # random battles of every version; tests.battle.record makes those of today
RIGHTED = {"melee"}  # a walker's close combat weapons, which that version left out of its condition


def differences(then: Any, now: Any, path: str = "") -> Iterator[str]:
    """Where two states differ in what both know."""
    if isinstance(then, dict) and isinstance(now, dict):
        for name in (then.keys() & now.keys()) - RIGHTED:
            yield from differences(then[name], now[name], f"{path}.{name}")
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for at, (was, has) in enumerate(zip(then, now, strict=True)):
            yield from differences(was, has, f"{path}[{at}]")
    elif then != now:
        yield f"{path}: {then!r}, now {now!r}"


def as_of_today(then: Any, ruleset: str) -> Any:
    """A state of an earlier version with its rulings, sheets and places under the names of today."""
    if "rules" in then:
        then = {**then, "rulings": then["rules"]}
    if ruleset != "vehicles5" or "field" in then:
        return then
    vehicles, terrain = then.get("machines", then.get("vehicles")), then.get("grounds", then.get("terrain_pieces"))
    positions = []
    for vehicle in vehicles:
        stands = vehicle["condition"].get("status", "ok") == "ok"
        positions.append({"name": vehicle["name"], "side": vehicle["side"], "hulls": [vehicle["hull"]] * stands})
        vehicle["done"] = {**vehicle}
    for squad in then["squads"]:
        aboard, models = squad["aboard"], squad["models"]
        positions.append({"name": squad["name"], "aboard": aboard, "bases": [] if aboard else models})
        squad |= {"models": len(models), "done": {**squad}}
    field = {"positions": positions, "terrain": terrain, "board": then["board"], "sides": then["sides"]}
    place, turn = then["sides"].index(then["active"]), (then["turn"] + 1) // 2
    clock = {"turn": turn, "place": place, "step": PHASES.index(then["phase"])}
    return {**then, "vehicles": vehicles, "field": field, "clock": clock}


def test_there_are_recordings_of_every_ruleset_of_that_time():
    assert [path.stem for path in FILES] == ["attack_dice", "deathwatch", "deathwatch_thrown", "vehicles5"]
    assert all(path.stat().st_size < 60_000 for path in FILES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_battle_of_an_earlier_version_is_replayed_and_ends_as_it_did(path):
    text = path.read_text(encoding="utf-8")
    recorded, _, rest = text.partition(CHECKPOINT)
    battle = open_battle(path).battle
    assert battle.version != VERSION
    assert battle.opened == "replay"
    assert battle.check().moves == len(battle.record.moves) > 30
    assert battle.text.startswith(recorded)
    then, now = json.loads(rest.split("\n")[1]), json.loads(msgspec.json.encode(battle.state))
    assert list(differences(as_of_today(then, path.stem), now)) == []
    for number in range(1, len(battle.record.moves) + 1):
        assert battle.move_record(number).lines is not None


def test_there_are_battles_of_every_version_that_was_released():
    changelog = (Path(__file__).parents[2] / "CHANGELOG.md").read_text(encoding="utf-8")
    released = set(re.findall(r"^## \[([0-9][^]]*)\]", changelog, re.MULTILINE))
    assert released
    assert released - {path.parent.name for path in RELEASED} == set()  # python -m tests.battle.record


@pytest.mark.parametrize("path", RELEASED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_battle_of_every_version_is_opened_played_on_and_saved(tmp_path, path):
    text, own = path.read_text(encoding="utf-8"), tmp_path / "own.battle"
    recorded, _, rest = text.partition(CHECKPOINT)
    own.write_text(text, encoding="utf-8")
    opened = open_battle(own)
    assert (opened.battle.version, opened.battle.doubt) == (path.parent.name, None)
    assert opened.battle.opened == ("checkpoint" if opened.battle.version == VERSION else "replay")
    then, now = json.loads(rest.split("\n")[1]), json.loads(msgspec.json.encode(opened.battle.state))
    assert list(differences(as_of_today(then, path.stem), now)) == []
    assert opened.battle.check().moves >= 30
    unmeasured = [note for note in opened.battle.notes if path.stem == "attack_dice" and "name the distance" in note]
    assert list(opened.battle.notes) == unmeasured  # attacks without a distance were allowed up to 0.3
    play_at_random(opened.battle, (3,))
    opened.save()
    again = open_battle(own).battle
    assert again == opened.battle
    assert again.text.startswith(recorded)


def test_a_checkpoint_that_holds_fields_of_earlier_states_is_opened_as_it_is():
    cato = deathwatch.fighter("Brother Cato", cover="sandbags")
    battle = deathwatch.battle([cato], [deathwatch.fighter("Raider", 0, 20)])
    battle.push("watch", weapon="Astartes Bolter (Godwyn)")
    above, _, rest = write_battle(battle, checkpoint=True).partition(CHECKPOINT)
    kept = json.loads(rest.split("\n")[1])
    kept["fighters"][0] |= {"cover": "sandbags"}  # as the state had it once
    kept["fighters"][0]["overwatch"] |= {"since": 1}
    states = json.dumps(kept)
    number = battle.moves[-1].number
    text = f"{above}{CHECKPOINT} {number} {digest(above, states)} {VERSION}\n{states}\n--- end\n"
    again = read_battle(text)
    assert (again.opened, again.doubt, again.state) == ("checkpoint", None, battle.state)
    assert again.check().moves == 1
    again.push("end_turn", tape=1)
    assert read_battle(again.text).state == again.state


def test_a_move_that_was_allowed_then_stays_made_and_a_note_says_so():
    battle = open_battle(OLD / "vehicles5.battle").battle
    assert battle.notes == (
        "move 44 (pivot_to_fire) would be refused today: a crew that is shaken does not fire (V5-DMG-1)",
    )
    move = battle.record[44]
    branch = battle.fork(move.follows)
    assert branch.notes == ()
    with pytest.raises(Refused, match="a crew that is shaken does not fire"):
        branch.push(move.action, move.params)
    whole = battle.fork(44)
    assert read_battle(whole.text).state == battle.reach(44)
    assert len(read_battle(whole.text).notes) == 1


def test_a_stored_note_keeps_its_text_and_is_told_in_todays_words():
    battle = open_battle(OLD / "deathwatch_thrown.battle").battle
    notes = [note for fighter in battle.state.fighters for note in fighter.conditions.notes]
    assert "d5 more fatigue if an object stops him" in notes
    told = [line.text for move in battle.moves for line in battle.move_record(move.number).lines]
    assert any("d5 more fatigue if an object is in the way" in line for line in told)
    assert not any("stops him" in line for line in told)


def test_dice_that_were_thrown_together_may_be_asked_for_one_by_one():
    thrown = (Entry("pool", "to hit", "3 x 1-6", "2 4 3"), Entry("roll", "wounds", "1-3", "1"))
    tape = replay.Earlier(thrown)
    assert tape.pool(1, d(6), label="to hit") == Counter([2])
    assert tape.pool(2, d(6), label="to hit") == Counter([3, 4])
    assert tape.roll(d(3), label="wounds") == 1
    tape.finish()
    with pytest.raises(TapeMismatch):
        Recorded(thrown).pool(1, d(6), label="to hit")


def test_dice_that_need_not_be_thrown_today_are_left_over():
    thrown = (Entry("pool", "to hit", "3 x 1-6", "2 4 3"),)
    tape = replay.Earlier(thrown)
    with pytest.raises(TapeMismatch):
        tape.finish()  # nobody has asked for any of them
    assert tape.pool(1, d(6), label="to hit") == Counter([2])
    tape.finish()
    other = replay.Earlier((*thrown, Entry("roll", "wounds", "1-3", "1")))
    other.pool(1, d(6), label="to hit")
    with pytest.raises(TapeMismatch):
        other.finish()  # what comes after them was asked for then


def test_what_was_chosen_counts_in_whatever_order_it_is_offered_today():
    chosen = (Entry("choose", "target", "Ash | Dun", "Dun"),)
    assert replay.Earlier(chosen).choose(("Dun", "Ash", "Elm"), by="attacker", label="target") == "Dun"
    with pytest.raises(TapeMismatch):
        replay.Earlier(chosen).choose(("Ash", "Elm"), by="attacker", label="target")  # nobody can choose Dun today
    with pytest.raises(TapeMismatch):
        Recorded(chosen).choose(("Dun", "Ash", "Elm"), by="attacker", label="target")  # this version offered two


TEXT = plain_end(skirmish().text)
EDITED = ("to=4", "to=5")  # farther than anybody moves


def older(text: str) -> str:
    return text.replace(f"version: {VERSION}", "version: 0.0.9")


def test_only_the_dice_of_another_version_are_taken_one_by_one(monkeypatch):
    taken: list[tuple[Entry, ...]] = []

    class Noted(replay.Earlier):
        def __init__(self, entries: tuple[Entry, ...]) -> None:
            super().__init__(entries)
            taken.append(self.recording)

    monkeypatch.setattr(replay, "Earlier", Noted)
    read_battle(TEXT)
    assert taken == []
    battle = read_battle(older(TEXT))
    assert taken == [move.entries for move in battle.record.moves]


def test_only_a_battle_of_another_version_is_pardoned():
    with pytest.raises(BattleFault, match=r"move 2 \(move\) is refused: a move must be 1 to 4 paces; got 5"):
        read_battle(TEXT.replace(*EDITED))
    battle = read_battle(older(TEXT).replace(*EDITED))
    assert battle.notes == ("move 2 (move) would be refused today: a move must be 1 to 4 paces; got 5 (TOY-11)",)
    assert read_battle(older(TEXT)).notes == ()


def test_a_refused_move_that_cannot_be_replayed_is_refused_with_what_comes_after():
    damaged = older(TEXT).replace("1. shoot unit=Ash", "1. shoot unit=Dun")
    battle, fault = salvage_battle(damaged, "ford.battle")
    assert str(fault).startswith("ford.battle line 50: move 1 (shoot) is refused: red must act with")
    assert battle is not None
    assert battle.notes == ()
    assert battle.moves == ()


def test_what_fails_after_pardoned_moves_is_told_as_a_sentence(monkeypatch):
    def fail(*_: Any) -> None:
        raise KeyError("who")

    monkeypatch.setattr(replay, "play_action", fail)
    with pytest.raises(BattleFault, match=r"^line 50: move 1 \(shoot\) does not fit the moves before it"):
        read_battle(older(TEXT))
    with pytest.raises(KeyError):
        read_battle(TEXT)


@pytest.mark.parametrize("way", ["Krak grenade", "blows"])
def test_a_choice_that_nobody_was_asked_for_then_is_what_the_rest_of_the_recording_shows(way):
    walker = vehicles5.vehicle("Strider", "Warden strider", 20, 12)
    men = vehicles5.squad("Men", "Furnace company", 20, 17, 180, models=4)
    battle = vehicles5.to_phase(vehicles5.battle([walker], [men, vehicles5.FAR]), "assault")
    tape = Recorded([f"choose Men: grenades or blows [Krak grenade | blows | Frag grenade] = {way}"], then=Rolled(3))
    battle.push("assault", unit="Strider", target="Men", tape=tape)
    lines = battle.text.splitlines()
    kept = [line for line in lines if not line.strip().startswith("choose Men: grenades")]
    assert len(kept) == len(lines) - 1
    then = "\n".join(kept).replace(f"version: {VERSION}", "version: 0.2.0.dev0") + "\n"
    assert read_battle(then, "", battle.ruleset).state == battle.state


def test_a_recorded_choice_fits_whichever_option_comes_first():
    tape = Recorded(["choose save [armour | cover] = cover"])
    assert tape.choose(("cover", "armour"), by="defender", label="save") == "cover"
    with pytest.raises(TapeMismatch):
        Recorded(["choose save [armour | cover] = cover"]).choose(("cover", "none"), by="defender", label="save")
