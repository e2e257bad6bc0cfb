"""The table in the terminal and in files: --board, --svg, and the list of models as an option."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

ORDNANCE = ("odds", "vehicles5", "ordnance", "--weapon", "Battle cannon", "--aim-right", "1")
TOKENS = ("odds", "diceless40k", "tokens")
WITH_PLACES = ("vehicles5", "diceless40k", "deathwatch")


def drawn(name: str) -> ElementTree.Element:
    return ElementTree.fromstring(Path(name).read_text(encoding="utf-8"))


def test_the_table_below_the_answer(bt):
    said = bt(*ORDNANCE, "--board").output
    assert "Where the marker may come down\n+---" in said
    assert "% chance to be hit" in said
    assert "1 target, at 0, 0, heading 0°, front 12, side 11, rear 10, 73 %" in said
    assert max(map(len, said.splitlines())) <= 80
    assert "+---" not in bt(*ORDNANCE).output, "only if it is asked for"


@pytest.mark.parametrize("columns", ["40", "60", "110"])
def test_the_table_holds_in_any_terminal(bt, columns):
    said = bt(*TOKENS, "--board", COLUMNS=columns).output
    board = [line for line in said.splitlines() if line.startswith(("|", "+-"))]
    assert len(board) > 10
    assert len(set(map(len, board))) == 1
    assert len(board[0]) <= int(columns)


def test_the_table_in_plain_letters(bt):
    said = bt(*ORDNANCE, "--board", BATTLETAPE_ASCII="1").output
    assert said.isascii()
    assert 'A letter is 0.5" wide' in said


def test_the_table_as_a_file(bt):
    said = bt(*ORDNANCE, "--svg", "table.svg").output
    assert said.rstrip().endswith("The table is drawn in table.svg.")
    assert drawn("table.svg").tag.endswith("svg")
    before = Path("table.svg").read_text(encoding="utf-8")
    bt(*ORDNANCE[:-1], "0", "--svg", "table.svg")
    assert Path("table.svg").read_text(encoding="utf-8") != before, "a drawing is drawn anew"


def test_the_table_beside_numbers_for_programs(bt, bt_json):
    answer = bt_json(*ORDNANCE, "--svg", "table.svg")
    assert Path("table.svg").exists()
    kinds = [thing["kind"] for thing in answer["picture"]["things"]]
    assert kinds == ["ring", "ring", "ring", "hull", "arrow", "marker"]
    assert answer["picture"]["things"][-1]["inputs"] == ["aim_right", "aim_ahead"]
    missed = next(measure for measure in answer["measures"] if measure["name"] == "missed")
    assert answer["picture"]["things"][3]["chance"]["value"] == pytest.approx(1 - missed["chance"]["value"])
    assert bt_json("odds", "attack_dice", "attack")["picture"] is None
    assert bt(*ORDNANCE, "--csv", "--svg", "again.svg").output.startswith("value,")


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("table.png", "--svg must be the name of a file that ends in .svg; got 'table.png'."),
        ("nowhere/table.svg", "'nowhere/table.svg' could not be written: "),
        ("folder.svg", "'folder.svg' could not be written: this is a folder"),
    ],
)
def test_a_file_that_cannot_be_written_is_a_sentence(bt, name, part):
    Path("folder.svg").mkdir()
    assert part in bt(*ORDNANCE, "--svg", name, code=2).output
    bt("battle", "new", "vehicles5")
    assert part in bt("battle", "show", "--svg", name, code=2).output


@pytest.mark.parametrize("more", [("--json", "--board"), ("--csv", "--board"), ("--best", "destroyed", "--board")])
def test_options_that_would_be_ignored_are_refused(bt, more):
    assert "--board" in bt(*ORDNANCE, *more, code=2).output


def test_a_question_without_a_table_has_no_such_option(bt):
    assert "no option --svg" in bt("odds", "attack_dice", "attack", "--svg", "x.svg", code=2).output
    assert "--svg FILE.svg" in bt("odds", "vehicles5", "ordnance", "--help").output


@pytest.mark.parametrize("ruleset", WITH_PLACES)
def test_a_battle_on_a_table(bt, bt_json, ruleset):
    bt("battle", "new", ruleset)
    said = bt("battle", "show", "--board", "--svg", "battle.svg").output
    view = bt_json("battle", "show")
    names = {thing["name"] for thing in view["picture"]["things"] if thing["kind"] in ("base", "hull")}
    assert len(names) > 5
    assert all(name in said.split("+---")[-1] for name in names)
    titles = " ".join(one.text or "" for one in drawn("battle.svg").iter() if one.tag.endswith("title"))
    assert all(name in titles for name in names)


def test_a_battle_without_places_says_so(bt):
    bt("battle", "new", "toy")
    for option in (("--board",), ("--svg", "table.svg")):
        said = bt("battle", "show", *option, code=2).output
        assert "draws a table with models on it; this battle has none." in said
    assert not Path("table.svg").exists()


def test_models_as_a_formation(bt, bt_json):
    models = ("--figures", "ring 6 at 24,24 spacing 0.5; at 24,24", "--figures", "line 3 at 30,24 friend=yes")
    answer = bt_json(*TOKENS, *models)
    figures = answer["inputs"]["figures"]
    assert len(figures) == 10
    assert [figure["friend"] for figure in figures] == [False] * 7 + [True] * 3
    assert figures[6]["x"] == figures[6]["y"] == 24
    said = bt(*TOKENS, "--figures", "ring six at 24,24", code=2).output
    assert "a formation of 1 to 100 models reads “ring 6 at 0,0 spacing 1 facing 90 name=Ork”" in said
    said = bt(*TOKENS, "--figures", "Ork at 24,24", code=2).output
    assert "figures must be models such as “at 3,4” or “ring 6 at 0,0 spacing 1”; got 'Ork at 24,24'" in said
    assert "“at X,Y”" in bt(*TOKENS, "--help").output


def test_models_from_a_file(bt_json):
    Path("board.toml").write_text(
        'figures = ["ring 6 at 24,24 spacing 0.5", "at 24,24"]\nwanted = "hits"\n', encoding="utf-8"
    )
    assert len(bt_json(*TOKENS, "--input", "board.toml")["inputs"]["figures"]) == 7
