"""`bt print`: what there is, what is written, and what it says when something does not fit."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path

import pypdf
import pytest

from battletape import registry
from tests.sheets.paper import RULESETS, Paper

OWN = """
[[weapon]]
name = "Thunder pipe"
power = 9

[[unit]]
name = "Lads of the Lower Quay"
models = 7
weapons = ["3 x Thunder pipe"]
"""


def read(path: str) -> pypdf.PdfReader:
    """A PDF that was written."""
    return pypdf.PdfReader(BytesIO(Path(path).read_bytes()))


@pytest.mark.parametrize("name", RULESETS)
def test_without_a_sheet_the_sheets_are_listed(bt, bt_json, name):
    text = bt("print", name).stdout
    card = registry.ruleset(name)
    for sheet in card.sheets:
        assert sheet.name in text
    views = bt_json("print", name)
    assert [view["name"] for view in views] == [sheet.name for sheet in card.sheets]
    assert all(view["about"].endswith(".") for view in views)
    assert not list(Path().iterdir())


@pytest.mark.parametrize("name", RULESETS)
def test_a_battle_prints_everything_it_has_something_for(bt, name):
    bt("battle", "new", name)
    said = bt("print", "--battle", "battle.bt", "-o", "now.pdf").stdout
    assert said.startswith("Written to now.pdf: ")
    assert "100 mm" in said
    text = Paper(Path("now.pdf").read_bytes()).text()
    assert registry.ruleset(name).title in text
    assert f"{len(read('now.pdf').pages)} page" in said


def test_the_name_of_the_file_comes_from_the_sheet(bt, bt_json):
    told = bt_json("print", "attack_dice", "markers", "--paper", "letter")
    assert told == {
        "file": "attack_dice-markers.pdf",
        "pages": 1,
        "paper": "letter",
        "sheets": ["Range sticks and bases"],
    }
    wide, tall = (float(side) for side in read("attack_dice-markers.pdf").pages[0].mediabox[2:])
    assert (wide, tall) == pytest.approx((612, 792), abs=0.1)
    bt("print", "attack_dice", "unit_cards", "markers")
    wide, tall = (float(side) for side in read("attack_dice.pdf").pages[0].mediabox[2:])
    assert (wide, tall) == pytest.approx((595.28, 841.89), abs=0.1)


def test_profiles_lists_and_questions(bt):
    bt("print", "attack_dice", "--profile", "Hill raiders", "--profile", "2 x Marsh hobs", "-o", "named.pdf")
    text = Paper(Path("named.pdf").read_bytes()).text()
    assert text.count("Marsh hobs") == 2
    assert "Hill raiders" in text
    Path("own.toml").write_text(OWN, encoding="utf-8")
    bt("print", "attack_dice", "--list", "own.toml", "-o", "own.pdf")
    text = Paper(Path("own.pdf").read_bytes()).text()
    assert "Lads of the Lower Quay" in text
    assert "Thunder pipe" in text
    assert "Hill raiders" not in text
    asked = ("--question", "attack", "--with", "unit=Hill raiders", "--with", "lost=3", "--with", "models=6")
    bt("print", "attack_dice", *asked, "-o", "asked.pdf")
    text = Paper(Path("asked.pdf").read_bytes()).text()
    assert "Hill raiders" in text
    assert "3 of 12 lost" in text


def test_one_page_as_a_picture(bt):
    bt("print", "diceless40k", "tables", "-o", "two.svg", "--page", "2")
    assert Path("two.svg").read_bytes().startswith(b"<svg")
    bt("print", "diceless40k", "tables", "-o", "one.png")
    assert Path("one.png").read_bytes().startswith(b"\x89PNG")
    said = bt("print", "diceless40k", "tables", "-o", "nine.png", "--page", "9", code=2).stderr
    assert "page must be a number from 1 to 4 here; got 9" in said
    assert not Path("nine.png").exists()


def test_rulings_say_which_boxes_a_vehicle_has(bt):
    bt("print", "diceless40k", "vehicle_sheets", "-o", "text.pdf")
    bt("print", "diceless40k", "vehicle_sheets", "--preset", "sheet", "-o", "sheet.pdf")
    bt("print", "diceless40k", "vehicle_sheets", "--ruling", "rows=sheet", "-o", "ruling.pdf")
    text, sheet = (Paper(Path(name).read_bytes()).text() for name in ("text.pdf", "sheet.pdf"))
    assert text.count("shaken") == 4 * 3
    assert sheet.count("shaken") == 4 * 2
    assert Path("sheet.pdf").read_bytes() == Path("ruling.pdf").read_bytes()


def test_a_pdf_may_go_to_another_program(bt):
    assert bt("print", "attack_dice", "markers", "-o", "-").stdout_bytes.startswith(b"%PDF")


BAD = [
    (("print",), "battletape print needs a ruleset, one of"),
    (("print", "attack_dise"), "Did you mean 'attack_dice'?"),
    (("print", "attack_dice", "unit_card"), "Did you mean 'unit_cards'?"),
    (("print", "attack_dice", "unit_cards", "--profile", "Hilraidxr"), "Did you mean 'Hill raiders'?"),
    (("print", "attack_dice", "unit_cards", "--profile", "Yew bow"), "a sheet is printed for a unit; Yew bow is a"),
    (("print", "diceless40k", "unit_sheets", "--profile", "Rhino"), "unit_sheets takes a unit; got Rhino"),
    (("print", "attack_dice", "unit_cards", "--profile", "10000 x Marsh hobs"), "at most 300 cards; got 10,000"),
    (("print", "attack_dice", "unit_cards", "--profile", "0 x Marsh hobs"), "at least one of each; got '0 x Marsh"),
    (
        ("print", "attack_dice", "markers", "--profile", "Marsh hobs"),
        "markers takes no profile; got Marsh hobs, a unit",
    ),
    (("print", "attack_dice", "unit_cards", "--paper", "a5"), "paper must be a4 or letter; got 'a5'"),
    (("print", "attack_dice", "unit_cards", "-o", "x.doc"), "the output must end in .pdf, .png, .svg; got 'x.doc'"),
    (("print", "attack_dice", "unit_cards", "--page", "2"), "--page needs"),
    (("print", "attack_dice", "-o", "x.pdf"), "--output needs the name of a sheet"),
    (("print", "--battle", "none.bt"), "there is no battle in 'none.bt'"),
    (("print", "attack_dice", "unit_cards", "-o", "none/x.pdf"), "'none/x.pdf' could not be written"),
    (("print", "attack_dice", "unit_cards", "-o", "."), "'.' is a folder"),
    (("print", "attack_dice", "--list", "none.toml", "unit_cards"), "none.toml"),
    (("print", "attack_dice", "--with", "a=1", "unit_cards"), "--with needs --question NAME"),
    (("print", "attack_dice", "--question", "atack"), "Did you mean 'attack'?"),
    (("print", "attack_dice", "--question", "attack", "--with", "atacks=3"), "Did you mean attacks?"),
    (("print", "attack_dice", "markers", "--ruling", "mothod=chart"), "method"),
    (("print", "attack_dice", "markers", "--preset", "nine"), "there is no preset 'nine'"),
]


@pytest.mark.parametrize("args, said", BAD, ids=[" ".join(args) for args, _ in BAD])
def test_what_does_not_fit_is_said_in_a_sentence(bt, args, said):
    if "-o" in args and args[-1] == ".":
        args = (*args[:-1], "folder.pdf")
        Path("folder.pdf").mkdir()
        said = "'folder.pdf' is a folder"
    found = bt(*args, code=2).stderr
    assert said in found
    assert "Traceback" not in found
    assert not [path for path in Path().iterdir() if path.is_file()]


def test_a_file_is_replaced_only_if_asked(bt):
    bt("print", "attack_dice", "markers", "-o", "x.pdf")
    before = Path("x.pdf").read_bytes()
    assert "is there already" in bt("print", "attack_dice", "reference", "-o", "x.pdf", code=2).stderr
    assert Path("x.pdf").read_bytes() == before
    bt("print", "attack_dice", "reference", "-o", "x.pdf", "--force")
    assert Path("x.pdf").read_bytes() != before


def test_a_battle_is_not_overwritten_and_goes_with_its_own_rulings(bt):
    bt("battle", "new", "attack_dice", "--file", "b.pdf")
    before = Path("b.pdf").read_bytes()
    assert "is the battle itself" in bt("print", "--battle", "b.pdf", "-o", "b.pdf", "--force", code=2).stderr
    assert Path("b.pdf").read_bytes() == before
    assert "a battle has its own rulings" in bt("print", "--battle", "b.pdf", "--preset", "d6", code=2).stderr
    assert "a battle has its own units" in bt("print", "--battle", "b.pdf", "--profile", "X", code=2).stderr
    assert "not of vehicles5" in bt("print", "vehicles5", "--battle", "b.pdf", code=2).stderr
    bt("print", "attack_dice", "unit_cards", "--battle", "b.pdf", "-o", "ok.pdf")


def test_a_full_disk_leaves_nothing_behind(bt, monkeypatch):
    def full(*args, **more):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    said = bt("print", "attack_dice", "markers", "-o", "x.pdf", code=2).stderr
    assert "'x.pdf' could not be written" in said
    assert not list(Path().iterdir())
