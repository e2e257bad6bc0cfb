"""What is printed has its true size: measured on the page itself, to three tenths of a millimetre."""

from __future__ import annotations

from math import cos, radians, sin

import numpy as np
import pytest

from battletape import registry
from battletape.sheets import (
    BASES,
    INCH,
    PAPERS,
    Compass,
    Disc,
    Drop,
    Fan,
    Ring,
    Sector,
    Shape,
    Shapes,
    Stick,
    Token,
    Tokens,
    Zone,
    blast,
)
from tests.sheets.paper import (
    FOOT,
    PER_MM,
    RULESETS,
    SIDE,
    SLACK,
    STROKE,
    TOP,
    blocks,
    extent,
    middle,
    printed,
    ring_near,
    runs,
)


def drawn(shape: Shape, paper: str = "a4"):
    """A shape alone on a page."""
    return blocks(printed(Shapes("x", (shape,)), paper=paper).dark())[0]


def assert_size(found: float, true: float) -> None:
    """The middle of the cut line is the edge."""
    assert found - STROKE == pytest.approx(true, abs=SLACK)


@pytest.mark.parametrize("name, paper", [*((name, "a4") for name in RULESETS), ("attack_dice", "letter")])
def test_every_page_has_a_ruler_of_100_mm(name, paper):
    card = registry.ruleset(name)
    rulings = card.parse_rulings({})
    made = printed(*(sheet.blank(rulings) for sheet in card.sheets), paper=paper)
    for number in range(len(made)):
        foot = made.dark(number, foot=True)
        row = int(foot.sum(axis=1).argmax())
        first, last = max(runs(foot[row]), key=lambda run: run[1] - run[0])
        assert_size((last - first + 1) / PER_MM, 100)
        above = foot[row - 20]  # two millimetres up, where only the marks of whole centimetres reach
        marks = [(first + last) / 2 for first, last in runs(above) if (last - first) < 5][:11]
        assert [round((mark - marks[0]) / PER_MM) for mark in marks] == list(range(0, 101, 10))
        assert (marks[-1] - marks[0]) / PER_MM == pytest.approx(100, abs=0.15)
        assert "This ruler is 100 mm long" in " ".join(made.text(number).split())


RADII = (0.5, 1, 1.5, 2, 2.5, 3, 3.5)


@pytest.mark.parametrize("radius", RADII)
def test_a_blast_marker_has_its_diameter_its_hole_and_a_ring_at_every_inch(radius):
    marker = blast(radius, "Blast")
    dark = drawn(marker)
    for size in extent(dark):
        assert_size(size, 2 * radius * INCH)
    x, y = middle(dark)
    assert marker.rings == tuple(2 * INCH * inch for inch in range(1, 4) if inch < radius)
    for diameter in (marker.diameter, marker.hole, *marker.rings):
        assert ring_near(dark, x, y, diameter / 2) == pytest.approx(diameter / 2, abs=SLACK / 2)


@pytest.mark.parametrize("base", BASES, ids=lambda base: base.name)
def test_a_base_has_its_diameter(base):
    for size in extent(drawn(base)):
        assert_size(size, base.diameter)


def test_bases_are_those_that_miniatures_stand_on():
    assert [base.diameter for base in BASES] == [25, 30, 40, 50]


@pytest.mark.parametrize("paper", PAPERS)
def test_the_flame_template_has_its_length_and_its_round_end(paper):
    dark = drawn(Drop("Template", 8 * INCH, 3.5 * INCH), paper)
    wide, long = extent(dark)
    assert_size(wide, 3.5 * INCH)
    assert_size(long, 8 * INCH)
    # half-way down its straight edges: by similar triangles, as wide as the tangents from the point leave it
    radius, reach = 1.75 * INCH, 6.25 * INCH
    lean = radius / (reach**2 - radius**2) ** 0.5
    rows = np.flatnonzero(dark.any(axis=1))
    up = 3 * INCH
    line = dark[rows[-1] - round(up * PER_MM)]
    found = np.flatnonzero(line)
    assert (found[-1] - found[0] + 1) / PER_MM - STROKE == pytest.approx(2 * up * lean, abs=2 * SLACK)


@pytest.mark.parametrize("paper", PAPERS)
def test_a_template_longer_than_a_page_comes_in_two_pieces_that_fit_together(paper):
    length, diameter = 12 * INCH, 4 * INCH
    both = drawn(Drop("Template", length, diameter), paper)
    columns = np.flatnonzero(both.any(axis=0))
    parts = np.split(columns, np.flatnonzero(np.diff(columns) > 20) + 1)
    end, point = (both[:, part[0] : part[-1] + 1] for part in parts)
    (wide, upper), (narrow, lower) = extent(end), extent(point)
    assert_size(wide, diameter)
    assert_size(upper, length / 2)
    assert_size(lower, length / 2)
    # by similar triangles, both are as wide where they meet as the tangents from the point are there
    radius, reach = diameter / 2, length - diameter / 2
    lean = radius / (reach**2 - radius**2) ** 0.5
    assert_size(narrow, length * lean)
    seam = np.flatnonzero(end[np.flatnonzero(end.any(axis=1))[-1]])
    assert (seam[-1] - seam[0] + 1) / PER_MM == pytest.approx(narrow, abs=SLACK)


def test_the_compass_has_its_diameter():
    for size in extent(drawn(Compass("Scatter", 90, ("1", "2", "3", "4")))):
        assert_size(size, 90)


def test_a_range_stick_is_as_long_as_it_says_piece_by_piece():
    pieces = blocks(printed(Shapes("x", (Stick("12 inches", 12),))).dark())[:2]
    for strip in pieces:
        wide, tall = extent(strip)
        assert_size(wide, 6 * INCH)
        assert_size(tall, 12)
        line = strip[int(4.5 * PER_MM)]  # where only the marks of whole inches reach
        marks = [(first + last) / 2 for first, last in runs(line)]
        assert np.diff(marks) / PER_MM == pytest.approx([INCH] * 6, abs=SLACK)


def test_a_half_disc_has_its_radius_and_its_zones():
    dark = drawn(Fan("Angle", 80, (Zone(30, "red"), Zone(60, "orange"), Zone(90, "yellow"))))
    wide, tall = extent(dark)
    assert_size(wide, 160)
    assert_size(tall, 80)
    x, _ = middle(dark)
    y = np.flatnonzero(dark.any(axis=1))[-1] - STROKE / 2 * PER_MM
    for radius in (40, 75):  # on both sides of the words
        for degrees in (-60, -30, 30, 60):
            column, row = x + radius * PER_MM * sin(radians(degrees)), y - radius * PER_MM * cos(radians(degrees))
            near = dark[round(row) - 2 : round(row) + 3, round(column) - 2 : round(column) + 3]
            assert near.any(), f"no line at {degrees} degrees, {radius} mm out"


@pytest.mark.parametrize("degrees", [45, 90, 180])
def test_a_sector_has_its_radius_and_its_angle(degrees):
    wide, tall = extent(drawn(Sector("Arc", 80, degrees)))
    assert_size(wide, 2 * 80 * sin(radians(degrees / 2)))
    assert_size(tall, 80)


@pytest.mark.parametrize("size", [20.0, 25.0, 30.0])
def test_tokens_are_squares_that_share_their_cut_lines(size):
    line = blocks(printed(Tokens("x", (Token("warp", "star", 5),), size)).dark())[0][20]
    lines = [(first + last) / 2 for first, last in runs(line) if last - first < 5]
    assert np.diff(lines[:6]) / PER_MM == pytest.approx([size] * 5, abs=SLACK)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", RULESETS)
def test_every_shape_of_every_system_fits_on_a_page(name, paper):
    wide, tall = {"a4": (210, 297), "letter": (215.9, 279.4)}[paper]
    card = registry.ruleset(name)
    rulings = card.parse_rulings({})
    parts = [part for sheet in card.sheets if isinstance(part := sheet.blank(rulings), Shapes)]
    for part in parts:
        for shape in part.shapes:
            width, height = extent(drawn(shape, paper))
            assert width <= wide - 2 * SIDE, f"{shape.name} is too wide"
            assert height <= tall - TOP - FOOT, f"{shape.name} is too tall"


def test_marker_and_base_are_drawn_alike_on_both_papers():
    marker, base = Disc("Blast", 76.2), Ring("40 mm", 40)
    for shape in (marker, base):
        assert extent(drawn(shape, "a4")) == pytest.approx(extent(drawn(shape, "letter")), abs=0.15)
