"""How much of a table a picture shows."""

from __future__ import annotations

import pytest

from battletape import registry
from battletape.table.bases import Base
from battletape.table.picture import Arrow, Figure, Marker, Picture
from battletape.table.points import Point
from battletape.views.board import draw_svg
from battletape.views.board_frame import Frame, parse_frame, steps, view_of

AIM, FAR = Point(0, 18), Point(0, 0)
MARKER = Marker(Base(AIM, 2.0), "frag")
SHOOTER = Figure(Base(FAR, 0.5), "shooter", tone="acts")
LINE = Arrow(FAR, AIM, "18″", dashed=True)


def test_who_fires_from_afar_is_told_at_the_edge():
    picture = Picture("", (LINE, MARKER, SHOOTER))
    assert view_of(picture)[1] > 10
    assert "shooter, 18″ ↓" in draw_svg(picture)


def test_without_a_line_that_tells_of_them_everybody_is_in_the_picture():
    assert view_of(Picture("", (MARKER, SHOOTER)))[1] < 0


def test_who_fires_from_near_is_in_the_picture():
    near = Figure(Base(Point(0, 14), 0.5), "shooter", tone="acts")
    picture = Picture("", (Arrow(Point(0, 14), AIM, "4″"), MARKER, near))
    assert view_of(picture)[1] < 13.5
    assert "shooter, 4″" not in draw_svg(picture)


def test_farther_shows_everybody_and_nearer_comes_back():
    picture = Picture("", (LINE, MARKER, SHOOTER))
    out = steps(picture, None)
    assert out.fit is None
    everybody = parse_frame(out.farther)
    west, south, east, north = view_of(picture, everybody)
    assert south < -0.5 < 20 < north
    assert west < east
    back = steps(picture, everybody)
    assert (back.nearer, back.fit) == ("", "")


def test_nearer_keeps_the_middle_and_the_shape():
    picture = Picture("", (MARKER,))
    frame = parse_frame(steps(picture, None).nearer)
    west, south, east, north = view_of(picture)
    near = view_of(picture, frame)
    assert (near[0] + near[2], near[1] + near[3]) == pytest.approx((west + east, south + north), abs=0.02)
    assert (near[2] - near[0]) / (near[3] - near[1]) == pytest.approx((east - west) / (north - south))
    assert near[2] - near[0] < east - west


@pytest.mark.parametrize("text", ["", "1,2", "a,b,c", "1,2,3,4", "1e9,0,9", "nan,0,9", "1,2,99999"])
def test_what_is_no_frame_changes_nothing(text):
    assert parse_frame(text) is None


def test_a_frame_is_neither_too_near_nor_too_far():
    assert (parse_frame("0,18,9"), parse_frame("0,0,0.1"), parse_frame("0,0,9999")) == (
        Frame(0, 18, 9),
        Frame(0, 0, 3),
        Frame(0, 0, 480),
    )


def test_a_ring_for_every_number_that_the_artillery_die_shows():
    card = registry.ruleset("second_edition")
    picture = card.ask("blast", models=["Ork at 0,18"], target="Ork").picture
    assert picture is not None
    rings = [thing for thing in picture.things if type(thing).__name__ == "Ring"]
    assert [ring.name for ring in rings] == ["2″", "4″", "6″", "8″", "8.5″"]
    assert "may scatter 2″ to 8.5″" in draw_svg(picture)
