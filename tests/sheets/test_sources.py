"""What goes onto a sheet from names, a list of one's own, a question: all that was said, and nothing that was not."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sin
from typing import Any

import pytest

from battletape import registry
from battletape.errors import BadInput
from battletape.sheets import (
    INCH,
    LONGEST,
    WIDEST,
    Boxes,
    Card,
    Cards,
    Disc,
    Drop,
    Grid,
    Notes,
    Plan,
    Sector,
    Shapes,
    Square,
    Squares,
    Stick,
    any_blast,
    any_drop,
)
from battletape.sheets.typeset import pdf
from battletape.system import Ruleset
from battletape.views.own_profiles import with_own
from battletape.views.sheets import Source, from_list, from_names, from_question, make_document
from tests.sheets.paper import Paper, printed
from tests.sheets.test_room import assert_room
from tests.sheets.test_truth import blocks_of


def asked(ruleset: str, question: str, **given: Any) -> dict[str, Card]:
    """The cards that a question prints, by title."""
    card = registry.ruleset(ruleset)
    document = make_document(card, (), from_question(card, card.question(question), given))
    return {found.title: found for part in document.parts if isinstance(part, Cards) for found in part.cards}


def parts_of(card: Ruleset, sheets: Sequence[str], source: Source) -> Any:
    """The parts of a document, one for each sheet."""
    return make_document(card, sheets, source).parts


def found(card: Card, kind: type) -> list[Any]:
    """All blocks of a kind on a card."""
    return [inner for block in card.blocks for inner in blocks_of(block) if isinstance(inner, kind)]


# --- by name ---------------------------------------------------------------------------------------------------------


def test_none_of_something_is_refused():
    with pytest.raises(BadInput, match="at least one of each; got '0 x Nobz'"):
        from_names(registry.ruleset("diceless40k"), ["Boar riders", "0 x Nobz"])


@pytest.mark.parametrize(
    "sheets, names, said",
    [
        (
            ["unit_sheets"],
            ["Nobz", "Rhino"],
            "unit_sheets takes a unit; got Rhino, a vehicle, which goes onto vehicle_",
        ),
        (["tables", "markers"], ["Nobz"], "tables and markers take no profile; got Nobz, a unit"),
    ],
)
def test_no_named_unit_is_left_out_in_silence(sheets, names, said):
    card = registry.ruleset("diceless40k")
    with pytest.raises(BadInput, match=said):
        make_document(card, sheets, from_names(card, names))
    assert len(parts_of(card, ["tokens", "markers"], from_names(card, [*names, "Devastators"]))) == 2


def test_a_page_of_no_tokens_is_left_out_and_that_is_said():
    card = registry.ruleset("diceless40k")
    document = make_document(card, ["vehicle_sheets", "tokens"], from_names(card, ["Rhino"]))
    assert [part.title for part in document.parts] == ["Vehicle sheets"]
    assert document.left_out == "without Tokens, as there are none"
    assert "without Tokens, as there are none" in " ".join(Paper(pdf(document)).text().split())
    assert make_document(card, ["vehicle_sheets"], from_names(card, ["Rhino"])).left_out == ""
    with pytest.raises(BadInput, match="nothing to print: Tokens would be empty, as there are none"):
        make_document(card, ["tokens"], from_names(card, ["Rhino"]))


# --- a list of one's own ---------------------------------------------------------------------------------------------

OWN = """
[[unit]]
name = "3 x trolls"
models = 3
weapons = ["Plasma gun"]

[[unit]]
name = "Crowd"
models = 2
"""


def test_a_name_that_looks_like_a_number_of_something_is_a_name():
    card = with_own(registry.ruleset("diceless40k"), OWN)
    (part,) = parts_of(card, ["unit_sheets"], from_names(card, ["3 X Trolls", "2 x 3 x trolls"]))
    assert [found.title for found in part.cards] == ["3 x trolls"] * 3


def test_the_tokens_of_an_army_count_what_is_in_ones_own_list():
    card = with_own(registry.ruleset("diceless40k"), OWN)
    given = {"units": ["3 x trolls", "3 x trolls", "Devastators"]}
    source = from_question(card, card.question("army_tokens"), given)
    sheets, tokens, slip = parts_of(card, ["unit_sheets", "tokens", "token_slip"], source)
    assert sorted(found.title for found in sheets.cards) == ["3 x trolls", "3 x trolls", "Devastators"]
    assert {token.name: token.count for token in tokens.tokens} == {"scatter": 4, "gets hot!": 6, "warp": 0}
    (grid,) = found(slip.cards[0], Grid)
    assert grid.rows == (
        ("Plasma gun", "3 x trolls", "3", "0", "3", "0"),
        ("Plasma gun", "3 x trolls", "3", "0", "3", "0"),
        ("Missile launcher", "Devastators", "2", "4", "0", "0"),
        ("in all", "", "", "4", "6", "0"),
    )


def test_a_row_of_squares_is_not_cut_by_the_end_of_a_page():
    rows = Squares(tuple(Square(f"Band {at}", "2 × 40 HP") for at in range(60)))
    made = printed(Cards("Cards", (Card("Crowd", (Grid(("a",), (("x",),) * 14), rows)),)))
    assert len(made) > 1
    for number in range(len(made)):
        page = made.document[number]
        heights = [
            top - bottom
            for drawn in page.get_objects()
            for _, bottom, _, top in (drawn.get_bounds(),)
            if 90 < drawn.get_bounds()[2] - drawn.get_bounds()[0] < 130  # a quarter of the width, in points
        ]
        assert min(heights) == pytest.approx(max(heights), abs=0.5)


ORDNANCE = """
[[weapon]]
name = "Odd bomb"
strength = 4
blast = {radius}

[[template]]
name = "large"
length = {length}
radius = {round}
"""


@pytest.mark.parametrize(
    "radius, length, round, blast, flame",
    [(1.75, 11.0, 1.5, Disc, Drop), (5.0, 18.0, 3.5, Sector, Drop), (9.0, 40.0, 6.0, Sector, Stick)],
)
def test_the_markers_of_ones_own_weapons_are_printed_and_fit(radius, length, round, blast, flame):
    ours = registry.ruleset("second_edition")
    card = with_own(ours, ORDNANCE.format(radius=radius, length=length, round=round))
    (part,) = parts_of(card, ["markers"], from_list(card, ours))
    assert isinstance(part, Shapes)
    (marker,) = [shape for shape in part.shapes if shape.name == f'Blast {radius:g}"']
    (drop,) = [shape for shape in part.shapes if shape.name.startswith("Large flamer")]
    assert (type(marker), type(drop)) == (blast, flame)
    assert_room(printed(Shapes("x", (marker, drop)), paper="letter"))
    (usual,) = parts_of(ours, ["markers"], from_names(ours, []))
    assert f'Blast {radius:g}"' not in [shape.name for shape in usual.shapes]


def test_a_list_of_templates_alone_prints_markers_and_no_cards():
    ours = registry.ruleset("second_edition")
    card = with_own(ours, '[[template]]\nname = "small"\nlength = 6.0\nradius = 1.0\n')
    source = from_list(card, ours)
    assert parts_of(card, ["markers"], source)
    for sheets in ((), ("weapon_cards",), ("markers", "weapon_cards")):
        with pytest.raises(BadInput, match="the list has nothing that second_edition prints: no unit or weapon"):
            make_document(card, sheets, source)


@pytest.mark.parametrize("radius", [0.25, 3.6, 3.7, 5.1, 5.2, 9.0, 9.1, 12.0])
def test_a_blast_of_any_radius_has_its_true_size_or_is_a_stick(radius):
    shape = any_blast(radius, "Blast")
    if isinstance(shape, Disc):
        assert shape.diameter == 2 * INCH * radius <= WIDEST
    elif isinstance(shape, Sector):
        assert shape.radius == INCH * radius <= LONGEST
        assert 2 * shape.radius * sin(shape.degrees * pi / 360) <= WIDEST
        assert 360 % shape.degrees == 0
    else:
        assert isinstance(shape, Stick)
        assert shape.inches >= radius > 9


def test_a_stick_with_a_long_name_can_be_read():
    stick = any_drop(500, 12, "Breath of the Wyrm under the Mountain")
    assert isinstance(stick, Stick)
    assert_room(printed(Shapes("x", (stick,))))


# --- a question ------------------------------------------------------------------------------------------------------


def test_a_vehicle_sheet_has_the_damage_that_a_question_is_asked_with():
    told = {"vehicle": "Predator", "line_d": 20, "glancing_ticked": [0], "vehicle_weapons": ["Autocannon", "Lascannon"]}
    sheet = asked("diceless40k", "shoot_vehicle", **told)["Predator"]
    (lines,) = found(sheet, Grid)
    assert [row[2] for row in lines.rows] == ["", "", "", "20", "", ""]
    weapons = next(note for note in found(sheet, Notes) if note.title == "weapons").lines
    assert [line.partition(" (")[0] for line in weapons] == [
        "Autocannon",
        "Lascannon",
        "Lascannon destroyed",
        "Hunter-killer missile destroyed",
    ]


def test_a_unit_sheet_has_the_numbers_that_a_question_is_asked_with():
    told = {"unit": "Space Marines", "models": 3, "recorded": 20, "armour": 4, "shooters": "Ork Boyz"}
    cards = asked("diceless40k", "shoot", **told)
    squares = [square for block in found(cards["Space Marines"], Squares) for square in block.squares]
    assert Square("Space Marines", "3 × 40 HP", "20") in squares
    row = next(row for row in found(cards["Space Marines"], Grid)[0].rows if row[0] == "Space Marines")
    assert (row[1], row[-2]) == ("3", "4+")
    assert "Ork Boyz" in cards


def test_a_vehicle_card_has_the_condition_that_a_question_is_asked_with():
    told = {"vehicle": "Anvil battle tank", "side": 10, "shaken": True, "weapon_names": ["Lascannon"]}
    (card,) = asked("vehicles5", "shoot", **told).values()
    (plan,), (condition,) = found(card, Plan), found(card, Boxes)
    guns = next(grid for grid in found(card, Grid) if "arc" in grid.head)
    assert (plan.front, plan.side) == ("14", "10")
    assert [row[1] for row in guns.rows if not row[-1]] == ["Lascannon"]
    assert [box.words for box in condition.boxes if box.ticked] == ["shaken"]
    rammed = asked("vehicles5", "ram", rammer="Anvil battle tank", target="Tollgate wagon", target_stunned=True)
    assert list(rammed) == ["Anvil battle tank", "Tollgate wagon"]


def test_a_character_sheet_has_the_wounds_that_a_question_is_asked_with():
    cards = asked("deathwatch", "shoot", attacker="Brother Cato", target="Raider", health=3, body=9, prone=True)
    text = readable(cards["Raider"])
    assert "7 of 10 lost" in text
    assert "Body 31–70 9" in text
    assert list(cards) == ["Raider", "Brother Cato"]
    (mob,) = asked("deathwatch", "horde", horde="Raider mob", magnitude=12).values()
    assert "12 of 30 left" in readable(mob)


def readable(card: Card) -> str:
    """What can be read on a card."""
    made: Paper = printed(Cards("Cards", (card,)))
    return " ".join(made.text().split())


# --- what a card has -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, weapon, also",
    [
        ("Lobba battery", "Lobba", "3 guns"),
        ("Librarian Osric Vale", "Smite", "powers: machine curse, null zone"),
    ],
)
def test_guns_and_powers_stand_on_a_unit_sheet(name, weapon, also):
    card = registry.ruleset("diceless40k")
    (part,) = parts_of(card, ["unit_sheets"], from_names(card, [name]))
    (sheet,) = part.cards
    assert also in next(note for note in found(sheet, Notes) if note.title == "also").lines
    assert weapon in [row[0] for grid in found(sheet, Grid) for row in grid.rows]


def test_a_vehicle_sheet_says_what_its_weapons_do():
    card = registry.ruleset("diceless40k")
    (part,) = parts_of(card, ["vehicle_sheets"], from_names(card, ["Predator"]))
    (sheet,) = part.cards
    assert "smoke launchers" in sheet.kind
    assert found(sheet, Notes)[0].lines == (
        'Autocannon (48", S7 AP4, heavy 2)',
        '2 × Lascannon (48", S9 AP2, heavy)',
        "Hunter-killer missile (any, S8 AP3, heavy, one shot)",
    )


def test_arcs_and_least_ranges_of_vehicles5_are_short_and_there():
    card = registry.ruleset("vehicles5")
    vehicles = card.book.entries["vehicle"]
    (part,) = parts_of(card, ["vehicle_cards"], from_names(card, list(vehicles)))
    rows = [row for sheet in part.cards for grid in found(sheet, Grid) if len(grid.head) == 8 for row in grid.rows]
    assert {"all round", "±22.5°"} <= {row[6] for row in rows}
    for row in rows:
        assert len(row[6]) <= 16
    least = {weapon.name: weapon.least for weapon in card.book.entries["weapon"].values() if weapon.least}
    shown = {row[1]: row[4] for row in rows if row[1].partition(" (")[0] in least}
    assert shown, "no vehicle has a weapon with a least range"
    for name, reach in shown.items():
        assert reach.startswith(f"{least[name.partition(' (')[0]]}-")


def test_many_different_models_have_one_number():
    own = f'[[unit]]\nname = "Mixed"\nmodels = 3\nhp = 2\nothers = {list(range(1, 31))}\n'
    ours = registry.ruleset("attack_dice")
    card = with_own(ours, own)
    (part,) = parts_of(card, ["unit_cards"], from_list(card, ours))
    assert part.cards[0].blocks[0].stats[:2] == (("models", "33"), ("HP", "1 to 30"))
