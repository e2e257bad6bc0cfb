"""`battletape battle`: begin, act, look, undo, redo, export, check."""

from __future__ import annotations

import csv
import io
import json
import shlex
from pathlib import Path

import pytest

from battletape.battle import Battle
from battletape.errors import MissingInput
from battletape.rulesets.attack_dice.battle.actions.game import AgreeOrder

SHOT = ("unit=Storm wardens", "weapon=Storm carbine", "target=Hill raiders", "distance=18")

BARE = Path(__file__).parents[1] / "attack_dice" / "bare.toml"


@pytest.fixture
def begun(bt):
    bt("battle", "new", "attack_dice", "--title", "The ford", "--sides", str(BARE))
    bt("battle", "do", "start")
    return bt


def test_new_shows_both_sides_and_never_overwrites(bt):
    text = bt("battle", "new", "attack_dice", "--title", "The ford").stdout
    assert text.startswith("Begun in battle.bt.")
    assert "The ford  Turn 1" in text
    assert "Storm wardens" in text
    before = Path("battle.bt").read_bytes()
    told = bt("battle", "new", "attack_dice", code=2).stderr
    assert "'battle.bt' is there already" in told
    assert Path("battle.bt").read_bytes() == before


def test_new_takes_rulings_sides_and_profiles(bt, bt_json):
    Path("own.toml").write_text('[[unit]]\nname = "Tin soldiers"\nmodels = 3\nhp = 1\n', encoding="utf-8")
    sides = '[[sides]]\nname = "A"\nunits = ["Tin soldiers"]\n[[sides]]\nname = "B"\nunits = ["Hill raiders"]\n'
    Path("sides.toml").write_text(sides, encoding="utf-8")
    more = ("--sides", "sides.toml", "--profiles", "own.toml", "--ruling", "spill=lost", "--preset", "d6")
    view = bt_json("battle", "new", "attack_dice", *more)
    assert view["tables"][0]["rows"][0][0] == "Tin soldiers"
    changed = {one["name"]: one["value"] for one in view["rulings"] if one["changed"]}
    assert changed == {"dice": "d6", "spill": "lost"}
    assert "spill lost" in bt("battle", "show").stdout


def test_do_without_an_action_lists_commands_and_reasons(begun, bt_json):
    text = begun("battle", "do").stdout
    assert "attack  Attack with one weapon" in text
    assert "\nNot now: agree, start, leave, disembark, restore_hp.\n" in text
    assert "not now:" not in text
    assert "Everything, and why not: battletape battle do --all" in text
    assert "engage unit='Hill raiders'" not in text
    assert "embark unit=" not in text
    assert "battletape battle do lose_hp unit='Hill raiders' hp=1\n" in text
    assert "battletape battle do cover unit='Hill raiders' amount=1\n" in text
    everything = begun("battle", "do", "--all").stdout
    assert "not now: the game has already started (AD-4)" in everything
    assert "Not now" not in everything
    views = {one["name"]: one for one in bt_json("battle", "do")}
    assert not views["start"]["allowed"]
    assert views["start"]["refused"][0]["clause"] == "AD-4"


def test_every_command_it_offers_can_be_given(bt, bt_json):
    bt("battle", "new", "toy", "--file", "one.bt")
    for view in bt_json("battle", "do", "--file", "one.bt"):
        for command in view["allowed"]:
            bt("battle", "do", *shlex.split(command), "--seed", "1", "--file", "one.bt")
            bt("battle", "undo", "--file", "one.bt")
    bt("battle", "new", "attack_dice")
    for view in bt_json("battle", "do"):
        for command in view["allowed"][:3]:
            bt("battle", "do", *shlex.split(command), "--seed", "1")
            bt("battle", "undo")


def test_do_tells_the_dice_and_the_rules(begun, bt_json):
    text = begun("battle", "do", "attack", *SHOT, "--seed", "7").stdout
    assert "2. attack" in text
    assert "Attack dice (needs 3+):" in text
    assert "AD-7" in text
    assert "Now: Turn 1" in text
    view = bt_json("battle", "show")
    assert view["undo"] == "attack unit='Storm wardens' weapon='Storm carbine' target='Hill raiders' distance=18"
    assert view["moves"] == 2


def test_a_seed_gives_the_same_move(begun, bt_json):
    first = bt_json("battle", "do", "attack", *SHOT, "--seed", "7")["move"]
    begun("battle", "undo")
    again = bt_json("battle", "do", "attack", *SHOT, "--seed", "7")["move"]
    assert again["recording"] == first["recording"]
    assert again["number"] == 3


def test_real_dice_in_a_battle(begun, bt_json):
    made = bt_json("battle", "do", "attack", *SHOT, "--answers", "9 hits; 4 saves")["move"]
    assert [line["result"] for line in made["lines"] if line["rolled"]] == ["9 of 12", "4 of 9"]
    begun("battle", "undo")
    result = begun("battle", "do", "attack", *SHOT, "--typed", input="9 hits\n9\n4 saves\n")
    assert "4 of 9" in result.stdout
    before = Path("battle.bt").read_bytes()
    begun("battle", "undo")
    begun("battle", "redo")
    begun(
        "battle",
        "do",
        "attack",
        "unit=Storm wardens",
        "weapon=Duelling pistol",
        "target=Hill raiders",
        "--typed",
        code=2,
        input="",
    )
    assert Path("battle.bt").read_bytes().startswith(before.partition(b"--- end")[0])


def test_undo_and_redo_stay_in_the_log(begun, bt_json):
    begun("battle", "do", "attack", *SHOT, "--seed", "7")
    state = bt_json("battle", "show")
    assert "Taken back: 2. attack" in begun("battle", "undo").stdout
    assert bt_json("battle", "show")["redo"].startswith("attack ")
    assert "redo brings back: attack" in begun("battle", "show").stdout
    assert bt_json("battle", "redo")["battle"] == state
    log = bt_json("battle", "log")
    assert [one.get("kind", one.get("action")) for one in log] == ["start", "attack", "undo", "redo"]
    text = begun("battle", "log").stdout
    assert "undo: move 2 is taken back" in text
    assert "redo: move 2 is made again" in text


def test_nothing_to_undo_or_redo_is_said(bt):
    bt("battle", "new", "attack_dice")
    assert "there is nothing to undo" in bt("battle", "undo", code=2).stderr
    assert "there is nothing to redo" in bt("battle", "redo", code=2).stderr


def test_the_log_marks_what_was_taken_back(begun):
    begun("battle", "do", "attack", *SHOT, "--seed", "7")
    begun("battle", "undo")
    assert "2. attack  (taken back)" in begun("battle", "log").stdout


def test_odds_before_the_action(begun, bt_json):
    text = begun("battle", "odds", "attack", *SHOT).stdout
    assert "of 5 models fall on average" in text
    view = bt_json("battle", "odds", "attack", *SHOT, "--measure", "hp_lost")
    assert [one["name"] for one in view["measures"]] == ["hp_lost"]
    assert "method" in begun("battle", "odds", "attack", *SHOT, "--rulings").stdout
    assert "odds needs an action: attack, agree" in begun("battle", "odds", code=2).stderr


def test_refusals_are_sentences_with_the_rule(begun):
    away = ("unit=Hill raiders", "weapon=Yew bow", "target=Storm wardens", "distance=18")
    told = begun("battle", "do", "attack", *away, code=2).stderr
    assert "it is the turn of North; Hill raiders belongs to South (AD-82)" in told
    assert "Did you mean 'attack'?" in begun("battle", "do", "atack", code=2).stderr
    assert "attack needs unit, weapon, target" in begun("battle", "do", "attack", code=2).stderr
    assert "for example:\n  battletape battle do attack unit=" in begun("battle", "do", "attack", code=2).stderr
    half = begun("battle", "do", "attack", "unit=clockwork", code=2).stderr
    assert "attack needs weapon, target; for example:" in half
    assert "do attack unit='Clockwork sentries' weapon='Crescent ballista' target='Hill raiders'" in half
    assert "there is no input 'unt' here. Did you mean unit?" in begun("battle", "do", "attack", "unt=A", code=2).stderr
    assert "attack needs name=value; got 'Wolves'." in begun("battle", "do", "attack", "Wolves", code=2).stderr


def test_an_action_alone_lists_what_it_cannot_do_without(begun, bt):
    told = begun("battle", "do", "attack", code=2).stderr
    needs, _, may = told.partition("It may also say:\n")
    assert needs.splitlines() == [
        "attack needs unit, weapon, target, distance; for example:",
        "  battletape battle do attack unit='Storm wardens' weapon='Storm carbine' target='Hill raiders' distance=24",
        "  unit: such as 'Storm wardens'",
        "  weapon: such as 'Storm carbine'",
        "  target: such as 'Hill raiders'",
        "  distance: Distance, where the weapon has a range; such as 24",
    ]
    named = [line.split(":")[0].strip() for line in may.splitlines()]
    assert named == ["models", "line_of_sight", "facing", "modifier", "also"]
    half = begun("battle", "do", "attack", "unit=Storm wardens", code=2).stderr
    assert half.startswith("attack needs weapon, target; for example:\n")
    assert half.endswith("\n  weapon: such as 'Storm carbine'\n  target: such as 'Hill raiders'\n")
    bt("battle", "new", "deathwatch", "--file", "d.bt")
    assert "initiative comes first" in bt("battle", "do", "shoot", "--file", "d.bt", code=2).stderr
    bt("battle", "do", "begin_battle", "--seed", "1", "--file", "d.bt")
    assert bt("battle", "do", "shoot", "--file", "d.bt", code=2).stderr.startswith("shoot needs target; for example:\n")
    assert "takes a half aim" in bt("battle", "do", "aim", "--file", "d.bt").stdout
    bt("battle", "new", "vehicles5", "--file", "v.bt")
    assert bt("battle", "do", "drive", "--file", "v.bt", code=2).stderr.startswith(
        "drive needs unit, path; for example:"
    )
    fire = bt("battle", "do", "fire", "--file", "v.bt", code=2).stderr
    assert fire == "this is done in the Shooting phase; this is the Movement phase (V5-CORE-16)\n"


def test_exports(begun):
    begun("battle", "do", "attack", *SHOT, "--seed", "7")
    rows = list(csv.DictReader(io.StringIO(begun("battle", "export", "--csv").stdout)))
    assert [row["clause"] for row in rows if row["question"] == "attack dice"] == ["AD-7"]
    assert begun("battle", "export", "csv").stdout == begun("battle", "export", "--csv").stdout
    assert begun("battle", "export", "cvs", code=2).stderr.endswith("got 'cvs'. Did you mean csv?\n")
    assert "--csv does not go with --json" in begun("battle", "export", "csv", "--json", code=2).stderr
    data = json.loads(begun("battle", "export", "--json").stdout)
    assert data["title"] == "The ford"
    assert [one["action"] for one in data["journal"]] == ["start", "attack"]
    assert begun("battle", "export").stdout.startswith("The ford\n")
    assert "Written to out.txt." in begun("battle", "export", "--text", "-o", "out.txt").stdout
    assert Path("out.txt").read_text(encoding="utf-8") == begun("battle", "export").stdout
    assert "'out.txt' is there already" in begun("battle", "export", "-o", "out.txt", code=2).stderr
    begun("battle", "export", "--csv", "-o", "out.txt", "--force")


def test_check_replays_everything(begun, bt_json):
    begun("battle", "do", "attack", *SHOT, "--seed", "7")
    assert "battle.bt: 2 moves with 2 answers replayed; everything fits." in begun("battle", "check").stdout
    assert bt_json("battle", "check")["whole"] is True


def test_a_file_cut_in_the_middle_is_mended_under_a_new_name(begun, bt_json):
    begun("battle", "do", "attack", *SHOT, "--seed", "7")
    text = Path("battle.bt").read_text(encoding="utf-8")
    cut = text[: text.index("pool armour saves") + 12]
    Path("battle.bt").write_text(cut, encoding="utf-8")
    line = cut.count("\n") + 1
    told = begun("battle", "show", code=2).stderr
    assert f"battle.bt line {line}" in told
    assert "battle check --mend" in told
    told = begun("battle", "check", code=2).stderr
    assert f"line {line}" in told
    assert "whole; save it with" in told
    fault = bt_json("battle", "check", code=2)
    assert fault["fault"]["line"] == line
    assert fault["mended"] is None
    done = begun("battle", "check", "--mend").stdout
    assert "saved in battle-mended.bt" in done
    assert Path("battle.bt").read_text(encoding="utf-8") == cut
    assert "everything fits" in begun("battle", "check", "--file", "battle-mended.bt").stdout
    told = begun("battle", "check", "--mend", code=2).stderr
    assert "battle-mended.bt" in told


def test_a_file_without_a_head_cannot_be_mended(bt):
    Path("battle.bt").write_text("battletape battle 1\nrules", encoding="utf-8")
    assert "battle.bt line 2" in bt("battle", "check", "--mend", code=2).stderr
    assert not Path("battle-mended.bt").exists()


def test_a_recording_that_does_not_fit_is_named(begun):
    begun("battle", "do", "attack", *SHOT, "--seed", "7")
    text = Path("battle.bt").read_text(encoding="utf-8")
    Path("battle.bt").write_text(text.replace("[12 x 0-9] = ", "[12 x 0-9] = 1"), encoding="utf-8")
    line = text[: text.index("pool attack dice")].count("\n") + 1
    assert f"battle.bt line {line}" in begun("battle", "check", code=2).stderr


def test_a_newer_file_is_refused_kindly(begun):
    text = Path("battle.bt").read_text(encoding="utf-8")
    Path("battle.bt").write_text(text.replace("battletape battle 1", "battletape battle 99"), encoding="utf-8")
    assert "99" in begun("battle", "show", code=2).stderr


def test_a_ruleset_without_battles_says_so(bt, monkeypatch):
    from msgspec.structs import replace

    from battletape import registry

    monkeypatch.setitem(registry._known, "toy", replace(registry.ruleset("toy"), battle=None))
    assert "toy has no battles yet" in bt("battle", "new", "toy", code=2).stderr


def test_the_file_may_be_named_by_the_environment(bt):
    bt("battle", "new", "toy", BATTLETAPE_FILE="mine.bt")
    assert Path("mine.bt").exists()
    assert "Toy skirmish" in bt("battle", "show", BATTLETAPE_FILE="mine.bt").stdout


def test_a_battle_that_is_over_names_the_winner(begun):
    begun("battle", "do", "lose_hp", "unit=Hill raiders", "hp=10")
    text = begun("battle", "do", "lose_hp", "unit=Bramble mammoth", "hp=12").stdout
    assert "Over: North holds the field." in text
    assert "Over: North holds the field." in begun("battle", "show").stdout
    assert "Over: North holds the field." in begun("battle", "log").stdout


def test_a_battle_of_another_version_is_told_with_what_would_be_refused_today(bt, tmp_path):
    old = Path(__file__).parents[1] / "battle" / "old" / "vehicles5.battle"
    place = tmp_path / "old.bt"
    place.write_bytes(old.read_bytes())
    note = "move 44 (pivot_to_fire) would be refused today: a crew that is shaken does not fire (V5-DMG-1)"
    for command in ("show", "check"):
        run = bt("battle", command, "--file", str(place))
        assert run.stderr == f"{place}: {note}.\n"
    assert run.stdout.endswith("replayed; everything fits.\n")
    checked = json.loads(bt("battle", "check", "--json", "--file", str(place)).stdout)
    assert checked["notes"] == [note]
    assert checked["whole"] is True


def test_the_log_is_in_the_order_of_play_and_long_lines_keep_their_indent(begun):
    told = begun("battle", "do", "attack", *SHOT, "--seed", "7", COLUMNS="60").stdout.splitlines()
    lines = told[: told.index("")]
    lost = next(at for at, line in enumerate(lines) if "HP lost" in line)
    dice = next(at for at, line in enumerate(lines) if "Attack dice (needs" in line)
    assert dice < lost
    assert all(line.startswith("   ") for line in lines[1:])


def test_before_the_start_only_what_would_change_a_ruling_is_offered():
    battle = Battle.new("attack_dice")
    agreements = [option.params for option in battle.legal() if option.action.name == "agree"]
    assert AgreeOrder("dice", "d6") in agreements
    assert all(str(getattr(battle.agreed, agreement.ruling)) != agreement.value for agreement in agreements)
    battle.push("agree", ruling="dice", value="d6")
    again = [option.params for option in battle.legal() if option.action.name == "agree"]
    assert AgreeOrder("dice", "d10") in again
    assert AgreeOrder("dice", "d6") not in again


def test_a_name_that_is_missing_is_asked_for():
    battle = Battle.new("attack_dice")
    battle.push("start")
    with pytest.raises(MissingInput, match=r"^attack needs target \(Hill raiders, Bramble mammoth\)\.$"):
        battle.push("attack", unit="storm")
    assert [move.action for move in battle.moves] == ["start"]
