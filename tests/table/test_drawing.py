"""The board drawn: as SVG that stands for itself, and as letters that hold in a narrow terminal."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree

import pytest

from battletape.table.bases import Base
from battletape.table.hulls import Hull
from battletape.table.picture import Figure, Ground, Machine, Marker, Picture
from battletape.table.points import Point
from battletape.views.board import COLOURS, STYLE, described, draw_svg, draw_text, key_views, thing_line
from battletape.views.board_frame import view_of
from battletape.views.picture import picture_view
from tests.table.tables import BATTLE, BLAST, TABLES, TANK

GOLDEN = Path(__file__).parent / "golden"
SVG = "{http://www.w3.org/2000/svg}"
NASTY = """<b>&"quoted" 'O'Brien' ]]> \x07\u202e</b>"""


def parsed(picture: Picture, **how: object) -> ElementTree.Element:
    return ElementTree.fromstring(draw_svg(picture, **how))  # type: ignore[arg-type]


def texts(root: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    return [one for one in root.iter(f"{SVG}text") if one.get("class") == kind]


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("page", [True, False])
def test_every_drawing_is_well_formed_and_says_what_it_shows(name: str, page: bool) -> None:
    picture = TABLES[name]
    root = parsed(picture, page=page)
    assert (root.get("role"), root.get("aria-labelledby")) == ("img", "board-title board-about")
    title, about = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert about is not None
    assert (title.text, about.text) == (picture.title, described(picture))
    things = [one for one in root.iter(f"{SVG}g") if (one.get("class") or "").startswith("thing ")]
    assert len(things) == len(picture.things)
    for one, thing in zip(things, picture.things, strict=True):
        said = one.find(f"{SVG}title")
        assert said is not None
        assert said.text == thing_line(thing, picture.says)


def test_a_file_needs_nothing_else_and_a_page_has_its_own_style() -> None:
    file, page = draw_svg(BLAST), draw_svg(BLAST, page=True)
    assert STYLE in file
    assert "prefers-color-scheme: dark" in file
    assert "prefers-color-scheme" not in draw_svg(BLAST, look="dark")
    assert "<style" not in page
    assert 'style="' not in page, "the page allows no style in an element"
    assert ("href" in file, "url(http" in file) == (False, False)


def test_a_drawing_has_a_hundred_units_to_the_inch_and_north_is_up() -> None:
    root = parsed(Picture("", (Figure(Base(Point(1, 2), 0.5), "A", drag=("x", "y")),)), page=True)
    west, north, inch = (float(root.get(f"data-{name}") or "") for name in ("west", "north", "inch"))
    assert inch == 100
    (group,) = [one for one in root.iter(f"{SVG}g") if one.get("data-input-x")]
    circle = group.find(f"{SVG}circle")
    assert circle is not None
    assert (float(circle.get("cx") or ""), float(circle.get("cy") or "")) == ((1 - west) * 100, (north - 2) * 100)
    assert (circle.get("r"), group.get("data-x"), group.get("data-y")) == ("50", "1", "2")
    assert (group.get("data-input-x"), group.get("data-input-y")) == ("x", "y")


def test_names_are_escaped_wherever_they_stand() -> None:
    things = (
        Ground((Point(0, 0),), 3.0, NASTY, about=NASTY),
        Figure(Base(Point(0, 0), 0.5), NASTY, NASTY, label=NASTY, about=NASTY, drag=(NASTY, NASTY)),
        Machine(Hull(Point(6, 0)), NASTY, label=NASTY),
        Marker(Base(Point(3, 3), 2), NASTY),
    )
    for page in (True, False):
        text = draw_svg(Picture(NASTY, things, says=NASTY), page=page)
        root = ElementTree.fromstring(text)
        assert "<b>" not in text
        assert not [letter for letter in text if not letter.isprintable() and letter != "\n"]
        title = root.find(f"{SVG}title")
        assert title is not None
        assert title.text == """<b>&"quoted" 'O'Brien' ]]> </b>"""
    lines = draw_text(Picture(NASTY, things, says=NASTY), 60)
    assert max(map(len, lines)) <= 60


@pytest.mark.parametrize("name", TABLES)
def test_names_overlap_neither_each_other_nor_the_edge(name: str) -> None:
    root = parsed(TABLES[name], page=True)
    letter = float(root.get("font-size") or "")
    _, _, width, height = (float(part) for part in (root.get("viewBox") or "").split())
    boxes = []
    for text in [*texts(root, "name"), *texts(root, "face"), *texts(root, "length")]:
        x, y = float(text.get("x") or ""), float(text.get("y") or "") - 0.35 * letter
        half = 0.28 * len(text.text or "") * letter
        boxes.append((x - half, y - letter / 2, x + half, y + letter / 2, text.text))
    for one, other in combinations(boxes, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (one, other)
    assert all(left >= 0 and right <= width and top >= 0 and low <= height for left, top, right, low, _ in boxes)


def test_numbers_stand_on_their_bases() -> None:
    root = parsed(BLAST, page=True)
    plain = [one.text for one in root.iter(f"{SVG}text") if one.get("class") in (None, "on")]
    assert plain == ["2", "34", "34", "2", "66", "67", "66", "1", "1"]
    assert not list(texts(root, "on")), "dark on light"
    assert {one.text for one in texts(root, "name")} >= {"Ork", "Guard", "missile", "gunner, 24″ ↓"}
    assert sorted(one.text or "" for one in texts(parsed(TANK), "face")) == ["10", "11 33 %", "11 33 %", "12"]


@pytest.mark.parametrize("look", ["light", "dark"])
def test_a_number_can_be_read_on_any_chance(look: Literal["light", "dark"]) -> None:
    def light(colour: Sequence[float]) -> float:
        parts = [part / 12.92 if part <= 0.04 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] + 0.05

    colours = {name: [int(text[at : at + 2], 16) / 255 for at in (1, 3, 5)] for name, text in COLOURS[look].items()}
    for chance in range(101):
        root = parsed(Picture("", (Figure(Base(Point(0, 0), 0.5), "A", chance=Fraction(chance, 100)),)))
        dark = float(
            next(one for one in root.iter(f"{SVG}circle") if one.get("class") == "heat").get("fill-opacity") or 1
        )
        ground = [dark * a + (1 - dark) * c for a, c in zip(colours["attack"], colours["card"], strict=True)]
        letters = colours["on-attack" if list(texts(root, "on")) else "ink"]
        low, high = sorted((light(ground), light(letters)))
        assert high / low >= 4.5, chance


def test_a_base_too_small_for_its_number_has_none() -> None:
    figures = tuple(Figure(Base(Point(60.0 * at, 0), 0.5), f"A {at}", chance=0.5) for at in range(2))
    assert not [one for one in parsed(Picture("", figures)).iter(f"{SVG}text") if one.text == "50"]
    assert "50 % to be hit" in draw_svg(Picture("", figures, says="to be hit"))


def test_the_key_tells_every_sign_once() -> None:
    key = [(line.sign, line.tone, line.text) for line in key_views(BLAST)]
    assert key == [
        ("hatch", "around", "wood, cover 5+"),
        ("ghost", "plain", "best aim"),
        ("disc", "acts", "missile"),
        ("ring", "target", "mob, chance to be hit in %"),
        ("square", "acts", "friends"),
        ("dash", "around", "2″, 4″, 6″"),
    ]
    assert [line.text for line in key_views(BATTLE)] == ["wood", "crater", "North", "South", "nobody"]
    drawn = [one.text for one in texts(parsed(BLAST), "key") if one.text]
    assert drawn == [text for _, _, text in key], "a file has its key in the drawing"


def test_a_picture_shows_whole_inches_with_room_around() -> None:
    west, south, east, north = view_of(BLAST)
    assert (west, south, east, north) == (int(west), int(south), int(east), int(north))
    assert west <= 1.01 - 1
    assert north >= 9.9
    assert view_of(BATTLE) == (0, 0, 72, 48)
    assert view_of(TABLES["field"])[2] >= 90


@pytest.mark.parametrize("name", ["blast", "tank", "battle", "field"])
@pytest.mark.parametrize("width", [40, 80])
def test_the_board_in_letters(name: str, width: int) -> None:
    """The golden files are pictures: look at them."""
    lines = draw_text(TABLES[name], width)
    assert max(map(len, lines)) <= width
    file = GOLDEN / f"{name}_{width}.txt"
    assert "\n".join(lines) + "\n" == file.read_text(encoding="utf-8")


def test_letters_show_everybody_and_the_list_says_where() -> None:
    lines = draw_text(BLAST, 80)
    board = [line for line in lines if line.startswith("|")]
    assert all(any(key in line for line in board) for key in "1234567")
    assert "2 Ork 2 (mob), at 3.9, 6.6, 34 %" in lines
    assert "% chance to be hit" in lines
    assert "1 5 × Rangers (North), from 30, 30" in draw_text(BATTLE, 80)
    wide = next(line for line in draw_text(TABLES["field"], 80) if "letter" in line)
    assert wide.endswith(" m high; north is up.")


def test_a_picture_as_plain_data() -> None:
    view = picture_view(BLAST)
    assert view is not None
    assert (view.title, view.says, view.unit, view.board) == (BLAST.title, "chance to be hit", "inches", None)
    kinds = [thing.kind for thing in view.things]
    assert kinds == ["ground", "ring", "ring", "ring", "arrow", "marker", "marker", *["base"] * 9]
    ork = view.things[8]
    assert (ork.name, ork.side, ork.x, ork.y, ork.radius) == ("Ork 2", "mob", 3.9, 6.6, 0.49)
    assert ork.chance is not None
    assert (ork.chance.fraction, ork.chance.percent, ork.inputs) == ("17/50", "34 %", ("near.2.x", "near.2.y"))
    tank = picture_view(TANK)
    assert tank is not None
    hull, marker, arc, template, arrow = tank.things
    assert (hull.kind, hull.length, hull.label) == ("hull", 4, "front 12, side 11 33 %, rear 10")
    assert (marker.radius, arc.label, template.length) == (2.5, "-22.5° to 22.5°", 8)
    assert arrow.outline == ((0, 30), (0, 2))
    assert picture_view(None) is None
    battle = picture_view(BATTLE)
    assert battle is not None
    assert (battle.board, len(battle.things[0].outline), battle.things[1].radius) == ((72, 48), 4, 4)
