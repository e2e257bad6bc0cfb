"""The document's own sheets: what stands on them, blank, for an army, for a battle and for a question."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from battletape import registry, sheets
from battletape.battle import Battle
from battletape.rulesets.diceless40k.rules.damage_rows import ROWS
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.sheets.typeset import pdf
from battletape.views.sheets import Source, from_battle, from_names, from_question, make_document
from tests.sheets.cards import blocks
from tests.sheets.paper import Paper, printed, squeezed

CARD = registry.ruleset("diceless40k")


def part_of(sheet: str, source: Source):
    """One sheet printed from a source."""
    (part,) = make_document(CARD, (sheet,), source).parts
    return part


@pytest.mark.clause("DL-SHEET.1")
@pytest.mark.parametrize("rows", ["text", "sheet"])
def test_a_blank_vehicle_sheet_has_four_records_with_lines_and_both_rows(rows):
    part = part_of("vehicle_sheets", Source(rulings=Rulings(rows=rows)))
    assert isinstance(part, sheets.Cards)
    assert len(part.cards) == 4
    assert len(Paper(pdf(sheets.Document(CARD.title, (part,))))) == 1
    for card in part.cards:
        (lines,) = blocks(card, sheets.Grid)
        assert [row[0] for row in lines.rows] == list("ABCDEF")
        assert [row[1] for row in lines.rows] == ["6", "5", "4", "3", "2", "under 2"]
        assert {row[2] for row in lines.rows} == {""}
        assert [row[3].split() for row in lines.rows][3] == ["9G", "18P", "27P", "36P"]
        glancing, penetrating = blocks(card, sheets.Boxes)
        assert [box.words.replace(" ", "_") for box in glancing.boxes] == list(ROWS[rows]["G"])
        assert [box.words.replace(" ", "_") for box in penetrating.boxes] == list(ROWS[rows]["P"])
        assert not any(box.ticked for box in (*glancing.boxes, *penetrating.boxes))


@pytest.mark.clause("DL-SHEET.1")
@pytest.mark.parametrize("paper", sheets.PAPERS)
def test_four_vehicles_of_the_book_share_a_page(paper):
    names = list(CARD.book.entries["vehicle"])
    document = make_document(CARD, ("vehicle_sheets",), from_names(CARD, [f"4 x {name}" for name in names]), paper)
    made = Paper(pdf(document))
    for number, name in enumerate(names):
        assert f"{name} 4" in " ".join(made.text(number).split())
    assert len(made) == len(names)


@pytest.mark.clause("DL-SHEET.1", "DL-70.2")
def test_an_open_topped_vehicle_has_its_first_box_ticked():
    book = CARD.book.entries["vehicle"]
    topped = next(name for name, vehicle in book.items() if "open_topped" in vehicle.types)
    closed = next(name for name, vehicle in book.items() if "open_topped" not in vehicle.types)
    for name, ticked in ((topped, [0]), (closed, [])):
        (card,) = part_of("vehicle_sheets", from_names(CARD, [name])).cards
        glancing, _ = blocks(card, sheets.Boxes)
        assert [at for at, box in enumerate(glancing.boxes) if box.ticked] == ticked


@pytest.mark.clause("DL-SHEET.1", "DL-SHEET.4")
def test_a_battle_prints_its_damage_where_it_stands():
    battle = Battle.new("diceless40k")
    state = battle.state
    vehicle, troop = state.vehicles[0], state.squads[0]
    hurt = replace(vehicle.damage, lines=(0, 18, 0, 0, 31, 0), glancing=(0, 1), penetrating=(0,))
    groups = (replace(troop.groups[0], recorded=27), *troop.groups[1:])
    battle._after[0] = state.with_units(replace(vehicle, damage=hurt), replace(troop, groups=groups, op=65))
    source = from_battle(battle)
    vehicle = next(card for card in part_of("vehicle_sheets", source).cards if card.title == vehicle.name)
    (lines,) = blocks(vehicle, sheets.Grid)
    assert [row[2] for row in lines.rows] == ["", "18", "", "", "31", ""]
    glancing, penetrating = blocks(vehicle, sheets.Boxes)
    assert [box.ticked for box in glancing.boxes][:3] == [True, True, False]
    assert [box.ticked for box in penetrating.boxes][:2] == [True, False]
    unit = next(card for card in part_of("unit_sheets", source).cards if card.title == troop.name)
    points, damage = blocks(unit, sheets.Squares)
    assert points.squares[0].value == "65"
    assert damage.squares[0].value == "27"
    made = Paper(pdf(make_document(CARD, ("unit_sheets", "vehicle_sheets"), source)))
    text = squeezed(made.text())
    assert squeezed(f"{troop.groups[0].name}{troop.groups[0].models} × {troop.groups[0].hp} HP27") in text
    assert squeezed("E 2 31 8G") in text
    assert "orderpointsnow65" in text


@pytest.mark.clause("DL-SHEET.4", "DL-PREP.6")
def test_a_unit_sheet_has_a_square_for_each_group():
    (card,) = part_of("unit_sheets", from_names(CARD, ["Space Marines"])).cards
    points, damage = blocks(card, sheets.Squares)
    assert points.squares[0].title == "order points"
    assert [(square.title, square.note) for square in damage.squares] == [
        ("Sergeant", "1 × 40 HP"),
        ("Plasma gunner", "1 × 40 HP"),
        ("Space Marines", "8 × 40 HP"),
    ]
    numbers, weapons = blocks(card, sheets.Grid)
    assert numbers.rows[0][:3] == ("Sergeant", "1", "40")
    assert "Plasma gun" in [row[0] for row in weapons.rows]


@pytest.mark.clause("DL-SHEET.2", "DL-60.1")
@pytest.mark.parametrize(
    "red, orange, zones",
    [(30, 60, [30, 60, 90]), (45, 50, [45, 50, 90]), (0, 60, [60, 90]), (60, 30, [60, 90]), (90, 90, [90])],
)
def test_the_angle_template_has_the_zones_of_the_rulings(red, orange, zones):
    part = part_of("angle_template", Source(rulings=Rulings(angle_red=red, angle_orange=orange)))
    for fan in part.shapes:
        assert isinstance(fan, sheets.Fan)
        assert [zone.upto for zone in fan.zones] == zones
    if len(zones) == 3:
        assert [zone.words for zone in part.shapes[0].zones] == ["red BS +1", "orange no bonus", "yellow BS -1"]


@pytest.mark.clause("DL-SHEET.3", "DL-PREP.4", "DL-PREP.5")
def test_as_many_tokens_are_printed_as_the_army_gives():
    given = {"units": ["Space Marines", "Devastators"], "vehicles": ["Rhino"], "deep_strikers": 1}
    answer = CARD.ask("army_tokens", **given)
    told = {name: int(answer.odds(name).mean) for name in ("scatter", "gets_hot", "warp")}
    source = from_question(CARD, CARD.question("army_tokens"), given)
    part = part_of("tokens", source)
    assert isinstance(part, sheets.Tokens)
    assert [token.count for token in part.tokens] == list(told.values())
    text = Paper(pdf(sheets.Document(CARD.title, (part,)))).text()
    assert text.count("gets hot!") == told["gets_hot"] + 1
    (slip,) = part_of("token_slip", source).cards
    (grid,) = blocks(slip, sheets.Grid)
    assert grid.rows[-1] == ("in all", "", "", *map(str, told.values()))
    assert blocks(slip, sheets.Notes)
    named = part_of("tokens", from_names(CARD, ["Space Marines", "Devastators", "Rhino"]))
    assert named.tokens[0].count == told["scatter"] - 2  # without the unit that deep strikes


@pytest.mark.clause("DL-SHEET.3")
def test_a_battle_prints_the_tokens_that_players_hold():
    battle = Battle.new("diceless40k")
    held = [player.tokens for player in battle.state.players]
    part = part_of("tokens", from_battle(battle))
    assert [token.count for token in part.tokens] == [
        sum(getattr(tokens, name) for tokens in held) for name in ("scatter", "gets_hot", "warp")
    ]


@pytest.mark.clause("DL-SHEET.2", "DL-60.1")
def test_the_angle_template_is_printed_in_the_colours_of_its_zones():
    (shape, _) = part_of("angle_template", Source(rulings=Rulings())).shapes
    assert [zone.words.split()[0] for zone in shape.zones] == ["red", "orange", "yellow"]
    page = printed(part_of("angle_template", Source(rulings=Rulings()))).document[0]
    pixels = page.render(scale=1).to_numpy()
    inks = pixels.reshape(-1, pixels.shape[2])[:, 2::-1]
    seen = {"#" + "".join(f"{part:02x}" for part in ink) for ink in {tuple(map(int, ink)) for ink in inks}}
    assert {zone.colour for zone in shape.zones} <= seen
    for zone in shape.zones:  # so light that black words stand out
        red, green, blue = (int(zone.colour[at : at + 2], 16) for at in (1, 3, 5))
        assert 0.299 * red + 0.587 * green + 0.114 * blue > 150
