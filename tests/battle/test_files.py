"""A battle as text: exact round trips, comments and spacing kept, values of every kind."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta
from msgspec.structs import replace

from battletape import registry
from battletape._version import VERSION
from battletape.battle import Battle, notation
from battletape.battle.journal import Move
from battletape.battle.notation import format_value, parse_params, parse_value
from battletape.battle.reading import read_battle
from battletape.battle.store import open_battle
from battletape.errors import BadInput, BattletapeError
from battletape.inputs import Inputs
from battletape.system import Plan, unchanged
from tests.battle.battles import plain_end, skirmish
from tests.toy import RULESET
from tests.toy.turn import BATTLE

GOLDEN = Path(__file__).parent / "golden"


def test_the_golden_battle_is_written_and_read_verbatim():
    golden = (GOLDEN / "toy.battle").read_text(encoding="utf-8").replace("VERSION", VERSION)
    assert plain_end(skirmish().text) == golden
    assert read_battle(golden) == skirmish()
    assert plain_end(read_battle(golden).text) == golden
    assert read_battle(skirmish().text).text == skirmish().text


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
    assert plain_end(battle.text) == text
    assert battle.version == "0.0.9"
    assert len(battle.journal) == 3
    battle.push("end_turn")
    assert plain_end(battle.text) == text.replace("--- end\n", "3. end_turn\n--- end\n")
    crlf = read_battle("\ufeff" + text.replace("\n", "\r\n"))
    assert plain_end(crlf.text) == text
    assert plain_end(read_battle(text.rstrip("\n")).text) == text
    assert plain_end(read_battle(text + "\n \n").text) == text


def test_the_format_decides_and_the_version_is_a_stamp(tmp_path):
    newer = plain_end(skirmish().text).replace(f"version: {VERSION}", "version: 99.1.0")
    place = tmp_path / "newer.bt"
    place.write_text(newer, encoding="utf-8")
    file = open_battle(str(place))
    file.battle.push("end_turn")
    file.save()
    assert place.read_text(encoding="utf-8") == file.battle.text
    assert file.battle.text.startswith(newer.removesuffix("--- end\n"))
    assert file.battle.version == "99.1.0"
    higher = newer.replace("battle 1", "battle 2")
    place.write_text(higher, encoding="utf-8")
    with pytest.raises(BattletapeError, match=r"format 2 by Battletape 99\.1\.0; .* the file stays as it is"):
        open_battle(str(place))
    assert place.read_text(encoding="utf-8") == higher


def test_what_is_left_out_of_the_header_is_the_default_and_the_title_may_be_missing():
    text = f"battletape battle 1\nruleset: toy\nversion: {VERSION}\nruling again: once\n--- start\n--- moves\n--- end\n"
    battle = read_battle(text)
    assert battle.rulings == RULESET.rulings(again="once")
    assert battle.title == ""
    assert plain_end(battle.text) == text


def test_every_ruling_and_every_parameter_is_written():
    text = Battle.new(RULESET).text
    assert "ruling again: always\nruling nerve_test: any\n" in text
    assert "move unit=Ash to=0" in notation.format_command(
        Move(1, 0, "move", (BATTLE.action("move").inputs(unit="Ash"), ()))
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
    action = replace(end_turn, inputs=Everything, plan=lambda state, order: Plan(unchanged, state))
    rules = replace(BATTLE, start=Everything, begin=lambda start, rulings: 0, actions=(action,))
    rules = replace(rules, where=lambda state: {}, state=int)
    card = registry.register(replace(RULESET, battle=rules), replace=True)
    try:
        battle = Battle.new(card, given)
        battle.push("end_turn", given)
        again = read_battle(battle.text)
    finally:
        registry.register(RULESET, replace=True)
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
        ("unit", "parameters must have the form name=value, with spaces between; got 'unit'"),
        ("unit=a unit=b", "each once"),
        ('unit="a"b=2', "got 'b=2'"),
        ("unit=", "unit needs a value; got nothing"),
        ("unit==3", "unit needs a value; got =3"),
        ('unit="a', "unit needs closed quotes or brackets"),
        ("unit=" + "[" * 100_000, "unit needs closed quotes or brackets"),
    ],
)
def test_parameters_that_cannot_be_read(text, message):
    with pytest.raises(BadInput) as error:
        parse_params(text)
    assert message in str(error.value)
    with pytest.raises(BadInput, match="a value must be one word"):
        parse_value("one two=3")
