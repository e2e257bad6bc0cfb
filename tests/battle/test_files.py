"""A battle as text: exact round trips, comments kept, newer formats refused, checkpoints trusted only when they fit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from battletape import registry
from battletape._version import VERSION
from battletape.battle import Battle, BattleFault, notation, replay
from battletape.battle.journal import Move
from battletape.battle.notation import digest, format_value, parse_params, parse_value, write_battle
from battletape.battle.reading import read_battle, salvage_battle
from battletape.errors import BadInput
from battletape.inputs import Inputs
from battletape.tape import TapeMismatch
from tests.battle.battles import long_battle, skirmish
from tests.toy import RULESET
from tests.toy.turn import BATTLE

GOLDEN = Path(__file__).parent / "golden"


def test_the_golden_battle_is_written_and_read_verbatim():
    golden = (GOLDEN / "toy.battle").read_text(encoding="utf-8").replace("VERSION", VERSION)
    assert skirmish().text == golden
    assert read_battle(golden) == skirmish()
    assert read_battle(golden).text == golden


def test_a_battle_read_back_goes_on_as_if_nothing_had_happened():
    battle = read_battle(skirmish().text)
    assert battle.opened == "replay"
    assert battle.state == skirmish().state
    assert battle.redo().number == 5
    battle.push("end_turn")
    again = read_battle(battle.text)
    assert again == battle
    assert [move.number for move in again.moves] == [1, 3, 4, 5, 6]


def test_comments_blank_lines_and_hand_made_spacing_survive():
    text = (
        "battletape battle 1\n# who, when\nversion: 0.0.9\nruleset: toy\n\n--- start\n# two only\n"
        'fighters = [ { name = "Ash" }, {name="Crow", side="blue", at=6}, ]\n--- moves\n\n  # before the first\n'
        '1.  move   to="3"   unit="Ash"\n# between\nundo  \n   # after\n2. shoot target=Crow unit=Ash\n'
        "    choose snap or aim [snap | aim] = snap\n# in the middle\n\tpool to hit [3 x 1-6] = 1 1 1\n\n--- end\n"
    )
    battle = read_battle(text)
    assert battle.text == text
    assert battle.version == "0.0.9"
    assert len(battle.journal) == 3
    battle.push("end_turn")
    assert battle.text == text.replace("--- end\n", "3. end_turn\n--- end\n")
    crlf = read_battle("\ufeff" + text.replace("\n", "\r\n"))
    assert crlf.text == text
    assert read_battle(text.rstrip("\n")).text == text
    assert read_battle(text + "\n \n").text == text


def test_what_is_left_out_of_the_header_is_the_default_and_the_title_may_be_missing():
    text = f"battletape battle 1\nruleset: toy\nversion: {VERSION}\nruling again: once\n--- start\n--- moves\n--- end\n"
    battle = read_battle(text)
    assert battle.rulings == RULESET.rulings(again="once")
    assert battle.title == ""
    assert battle.text == text


def test_every_ruling_and_every_parameter_is_written():
    text = Battle.new(RULESET).text
    assert "ruling again: always\nruling nerve_test: any\n" in text
    assert "move unit=Ash to=0" in notation.format_command(
        Move(1, 0, "move", BATTLE.action("move").inputs(unit="Ash"), ())
    )


class Wheel(Inputs, frozen=True):
    """An entry of a list."""

    name: str = ""
    size: Annotated[int, Meta(ge=0)] | None = 3


class Everything(Inputs, frozen=True):
    """One input of every kind."""

    words: str = ""
    maybe: str | None = "x"
    cover: Literal["none", "light wood"] = "none"
    number: float = 1.0
    whole: int | None = 1
    yes: bool = False
    names: tuple[str, ...] = ()
    pips: tuple[int, ...] = ()
    wheels: tuple[Wheel, ...] = ()


VALUES: list[dict[str, Any]] = [
    {},
    {"words": 'say "so" = [1] # no\\', "maybe": None, "cover": "light wood", "number": -2.5, "whole": None},
    {"yes": True, "names": ("a, b", "c"), "pips": (1, 2), "wheels": (Wheel(), Wheel(name="é ü", size=None))},
    {"words": "yes", "maybe": "it's", "whole": -3},
    {"words": "x-1.b", "names": ("none",), "number": 1e30},
]


@pytest.mark.parametrize("values", VALUES)
def test_inputs_of_every_kind_come_back_as_parameters_and_as_a_start(values):
    given = Everything(**values)
    end_turn = BATTLE.actions[2]
    action = replace(
        end_turn, inputs=Everything, refuse=lambda state, params: None, finish=lambda state, params, work: state
    )
    rules = replace(BATTLE, start=Everything, begin=lambda start, rulings: 0, actions=(action,))
    rules = replace(rules, where=lambda state: {}, state=int)
    card = registry.register(replace(RULESET, battle=rules))
    try:
        battle = Battle.new(card, given)
        battle.push("end_turn", given)
        again = read_battle(battle.text)
    finally:
        registry.register(RULESET)
    assert again == battle
    assert again.start == given
    assert again.moves[0].params == given
    assert again.text == battle.text


@pytest.mark.parametrize("value", [None, True, False, 3, -1.5, "word", "two words", "", "3", "a=b", "[", ("a", "b c")])
def test_values_are_one_word_or_quoted(value):
    text = format_value(value)
    assert "\n" not in text
    plain = {None: "none", True: "yes", False: "no", 3: "3", -1.5: "-1.5", ("a", "b c"): ["a", "b c"]}
    assert parse_value(text) == plain.get(value, value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("unit", "parameters want the form name=value, with spaces between; got 'unit'"),
        ("unit=a unit=b", "each once"),
        ('unit="a"b=2', "got 'b=2'"),
        ("unit=", "unit wants a value; got nothing"),
        ("unit==3", "unit wants a value; got =3"),
        ('unit="a', "unit wants closed quotes or brackets"),
        ("unit=" + "[" * 100_000, "unit wants closed quotes or brackets"),
    ],
)
def test_parameters_that_cannot_be_read(text, message):
    with pytest.raises(BadInput) as error:
        parse_params(text)
    assert message in str(error.value)
    with pytest.raises(BadInput, match="a value wants one word"):
        parse_value("one two=3")


# --- newer, older, foreign ------------------------------------------------------------------------------------------


def test_a_newer_format_is_refused_kindly():
    text = skirmish().text.replace("battle 1", "battle 2").replace(f"version: {VERSION}", "version: 9.1.0")
    battle, fault = salvage_battle(text, "ford.battle")
    assert battle is None
    assert str(fault) == (
        f"ford.battle line 1: this battle was written in format 2 by Battletape 9.1.0; Battletape {VERSION} reads "
        "format 1. Open it with a newer one (pip install --upgrade battletape); the file stays as it is"
    )
    assert "format 3; " in str(salvage_battle("battletape battle 3\n")[1])


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("battletape battle 1", "battle", 1, "a battle file begins with “battletape battle 1”; got 'battle'"),
        ("battletape battle 1", "battletape battle 0", 1, "a battle file has format 1 to 1; got 0"),
        ("ruleset: toy", "ruleset: tory", 2, "there is no ruleset 'tory'. Did you mean 'toy'?"),
        ("ruleset: toy", "ruleset:", 2, "“ruleset:” wants a value; got nothing"),
        ("ruleset: toy\n", "", 6, "the header above wants a line “ruleset: …”; got none"),
        ("ruleset: toy", "ruler: toy", 2, "the header wants “ruleset: …”, “ruling …: …” or “--- start”"),
        ("ruling again: always", "ruling again: twice", 5, "again wants one of always, once; got 'twice'"),
        ("ruling again: always", 'ruling again: "twi', 5, "value wants closed quotes"),
        ("ruling again: always", "ruling agian: always", 5, "there is no input 'agian' here. Did you mean again?"),
        ("ruling nerve_test: any", "ruling again: once", 6, "the header says 'ruling again' a second time"),
        ("title: The ford", "title: The\tford", 4, "title wants one line"),
        ("turns = 8", "turns = ", 8, "the start cannot be read as TOML: Invalid value"),
        ("turns = 8", 'turns = """', 48, "the start cannot be read as TOML: Unterminated string"),
        ("turns = 8", "turns = 0", 8, "start: turns wants a whole number from 1 to 1,000; got 0"),
        ("turns = 8", "trns = 8", 8, "start: there is no input 'trns' here. Did you mean turns?"),
        ("wounds = 7", "wounds = 70", 24, "start: fighters 2: wounds wants a whole number from 1 to 12; got 70"),
        ('"Crow"', '"Ash"', 7, "every fighter wants a name of its own, got Ash twice"),
        ("--- moves", "--- move", 49, "the start ends with “--- moves”; got '--- move'"),
    ],
)
def test_a_damaged_head_is_told_by_its_line(old, new, line, message):
    text = skirmish().text
    assert old in text
    battle, fault = salvage_battle(text.replace(old, new, 1), "ford.battle")
    assert battle is None
    assert isinstance(fault, BattleFault)
    assert str(fault).startswith(f"ford.battle line {line}: ")
    assert message in str(fault)


def test_a_bad_entry_of_an_inline_list_is_told_by_the_section():
    text = "battletape battle 1\nruleset: toy\nversion: 1\n--- start\nfighters = [{wounds = 0}]\n--- moves\n--- end\n"
    with pytest.raises(
        BattleFault, match=r"^line 4: start: fighters 1: wounds wants a whole number from 1 to 12; got 0"
    ):
        read_battle(text)


def test_a_bad_entry_deep_in_the_start_is_told_by_its_own_line():
    battle = Battle.new("attack_dice")
    text = battle.text.replace("power = 3\n", "power = 300\n")
    line = text.split("\n").index("power = 300") + 1
    message = f"line {line}: start: sides 2: units 1: weapons 2: power wants a whole number from 0 to 100; got 300"
    with pytest.raises(BattleFault, match=message):
        read_battle(text)
    line = battle.text.split("\n").index("power = 3") - 3
    with pytest.raises(BattleFault, match=rf"line {line}: .* weapons 2: there is no input 'pover' here"):
        read_battle(
            battle.text.replace(
                '[[sides.units.weapons]]\nname = "Yew', '[[sides.units.weapons]]\npover = 1\nname = "Yew'
            )
        )


def test_an_empty_file():
    for text in ("", "\n\n"):
        with pytest.raises(BattleFault, match=r"^ford\.battle: the file is empty; a battle begins with the line"):
            read_battle(text, "ford.battle")


@pytest.mark.parametrize(
    ("old", "new", "line", "message", "kept"),
    [
        ("[3 x 1-6] = 2 4 3", "[3 x 1-6] = 2 4", 52, "move 1 (shoot): entry 2: the rule asks pool to hit", 0),
        ("[3 x 1-6] = 2 4 3", "[3 x 1-6] = 2 4 7", 52, "to hit 3/3 wants 1-6, got 7", 0),
        ("pool to hit [3 x", "pool to hit [4 x", 52, "the rule asks pool to hit [3 x 1-6], the recording has", 0),
        ("   pool to hit [3 x 1-6] = 2 4 3", "   pool to hit", 52, "an entry wants the form “roll label [1-6] = 4”", 0),
        ("   roll nerve [1-6] = 1\n", "", 55, "(shoot) wants one more answer, “roll nerve [1-6] = …”; it has 5", 0),
        ("   roll nerve [1-6] = 1\n", "   roll nerve [1-6] = 1\n   roll nerve [1-6] = 2\n", 57, "asks nothing more", 0),
        ("1. shoot unit=Ash", "1. shoot unit=Dun", 50, "move 1 (shoot) is refused: red wants to act with", 0),
        ("1. shoot", "1. shot", 50, "there is no action 'shot'. Did you mean 'shoot'?", 0),
        ("1. shoot", "2. shoot", 50, "moves are numbered in order, so 1 should come; got 2", 0),
        ("to=4", "to=25", 57, "move: to wants a whole number from 0 to 24; got '25'.", 1),
        ("to=4", "to=5", 57, "move 2 (move) is refused: a move wants 1 to 4 paces; got 5 (TOY-11)", 1),
        ("2. move", "move", 57, "the journal wants a move such as “3. action name=value”, undo or redo; got 'move", 1),
        ("undo 2\n3.", "undo 1\n3.", 58, "undo comes to move 2 here; got 1", 2),
        ("undo 2\n3.", "redo\n3.", 58, "there is nothing to redo", 2),
        ("undo 2\n3.", "undo\n   roll nerve [1-6] = 1\n3.", 59, "an answer wants to stand below its move", 2),
        ("undo 2\n3.", "undo\nundo\nundo\n3.", 60, "there is nothing to undo", 2),
        ("--- moves\n", "--- moves\n   roll nerve [1-6] = 1\n", 50, "an answer wants to stand below its move", 0),
        ("--- end\n", "--- ende\n", 68, "the journal ends with “--- end”; got '--- ende'", 5),
        ("--- end\n", "--- end\n6. end_turn\n", 69, "nothing wants to stand below “--- end”; got '6. end_turn'", 5),
        ("--- end\n", "", 67, "the file ends here without its last line, “--- end”; add it if nothing is missing", 5),
        ("--- end\n", "--- checkpoint 4 0\n6. end_turn\n--- end\n", 69, "moves want to stand above “--- chec", 5),
    ],
)  # fmt: skip
def test_a_damaged_journal_is_told_by_its_line_and_what_is_whole_is_kept(old, new, line, message, kept):
    text = skirmish().text
    assert old in text
    battle, fault = salvage_battle(text.replace(old, new, 1), "ford.battle")
    assert isinstance(fault, BattleFault)
    assert message in str(fault)
    assert str(fault).startswith(f"ford.battle line {line}: ")
    assert battle is not None
    assert len(battle.record.moves) == kept
    assert read_battle(battle.text) == battle
    with pytest.raises(BattleFault) as raised:
        read_battle(text.replace(old, new, 1), "ford.battle")
    assert str(raised.value) == str(fault)


def test_a_misfit_carries_the_mismatch_of_the_tape():
    with pytest.raises(BattleFault) as error:
        read_battle(skirmish().text.replace("roll wounds [1-3] = 2", "roll wounds [1-3] = 4", 1))
    assert isinstance(error.value.__cause__, TapeMismatch)
    assert error.value.__cause__.number == 5


# --- checkpoints ----------------------------------------------------------------------------------------------------


@pytest.fixture
def replays(monkeypatch):
    """Counts the moves that are replayed."""
    count: list[int] = []
    play = replay.play_action

    def counted(card, params, state, tape):
        count.append(1)
        return play(card, params, state, tape)

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
    body = skirmish().text.removesuffix("--- end\n")
    other = f"{body}--- checkpoint 4 {digest(body, '[1]')}\n[1]\n--- end\n"
    assert read_battle(other).opened == "replay"
    text = write_battle(skirmish(), checkpoint=True)
    monkeypatch.setattr(notation, "VERSION", "0.0.1")
    assert read_battle(text).opened == "replay"


def test_check_compares_the_checkpoint_with_the_replay():
    body = skirmish().text.removesuffix("--- end\n")
    state = msgspec.json.encode(skirmish().fork(1).state).decode()
    opened = read_battle(f"{body}--- checkpoint 4 {digest(body, state)}\n{state}\n--- end\n", "ford.battle")
    assert opened.opened == "checkpoint"
    with pytest.raises(
        BattleFault, match=r"^ford\.battle: the replay of move 4 \(end_turn\) ends in another state than the"
    ):
        opened.check()


def test_a_damaged_move_behind_a_checkpoint_is_told_when_it_is_needed():
    body = skirmish().text.removesuffix("--- end\n").replace("roll wounds [1-3] = 2", "roll wounds [1-3] = 4", 1)
    state = msgspec.json.encode(skirmish().state).decode()
    opened = read_battle(f"{body}--- checkpoint 4 {digest(body, state)}\n{state}\n--- end\n", "ford.battle")
    before = opened.text
    for doing in (opened.pop, opened.check, lambda: opened.fork(1), lambda: list(opened.told())):
        with pytest.raises(BattleFault, match=r"^ford\.battle line 55: move 1 "):
            doing()
    assert opened.text == before
