"""What is printed is what the data say: tables cell by cell, a battle as it stands, the same bytes every time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pypdf
import pytest
from msgspec.structs import replace

from battletape import registry
from battletape.battle import Battle
from battletape.sheets import Beside, Boxes, Cards, Document, Grid, Reference, Stats, Ticks
from battletape.sheets.typeset import page, pages, pdf
from battletape.views.sheets import Source, from_battle, from_names, from_question, make_document
from tests.sheets.paper import RULESETS, Paper, all_sheets, printed, squeezed


def blank(name: str, sheet: str):
    """A blank sheet of a system."""
    card = registry.ruleset(name)
    return card.sheet(sheet).blank(card.parse_rulings({}))


def started(name: str) -> Battle:
    """The sample battle of a system."""
    return Battle.new(name)


@pytest.mark.parametrize("name, sheet", all_sheets())
def test_tables_are_printed_cell_by_cell(name, sheet):
    part = blank(name, sheet)
    if not isinstance(part, Reference):
        assert not part.title.startswith("Quick reference")
        return
    made = printed(part)
    text = squeezed(made.text())
    for table in part.tables:
        assert squeezed(table.title + table.clause) in text
    heads = {tuple(map(squeezed, table.head)) for table in part.tables}
    wanted = Counter(tuple(map(squeezed, row)) for table in part.tables for row in table.rows)
    found = Counter(made.rows())
    assert heads <= set(found)
    for head in heads:  # which stand again on every page and in every column that a table goes on in
        found[head] = wanted[head]
    assert found == wanted


def test_table_1_is_whole_and_in_order():
    part = blank("diceless40k", "tables")
    table = part.tables[0]
    words = printed(part).text(0).split()
    start = words.index("DMG", words.index("DMG") + 1)  # the first stands in the title
    wanted = [cell for at in range(0, 100, 25) for row in (table.head, *table.rows[at : at + 25]) for cell in row]
    assert words[start : start + len(wanted)] == wanted


def test_each_of_tables_1_to_4_has_a_page_of_its_own():
    made = printed(blank("diceless40k", "tables"))
    assert len(made) == 4
    for number in range(4):
        assert f"Table {number + 1}:" in made.text(number)


def blocks_of(block: Any) -> Iterator[Any]:
    """A block, and those that stand beside each other in it."""
    yield block
    for inner in (*block.left, *block.right) if isinstance(block, Beside) else ():
        yield from blocks_of(inner)


@pytest.mark.parametrize("name", RULESETS)
def test_a_battle_is_printed_as_it_stands(name):
    battle = started(name)
    document = make_document(battle.ruleset, (), from_battle(battle))
    made = Paper(pdf(document))
    text, found = squeezed(made.text()), Counter(made.rows())
    for unit in battle.state.units:
        assert squeezed(unit.name) in text
    cards = [card for part in document.parts if isinstance(part, Cards) for card in part.cards]
    blocks = [inner for card in cards for block in card.blocks for inner in blocks_of(block)]
    for block in blocks:
        if isinstance(block, Stats):
            for stat in block.stats:
                assert squeezed("".join(stat)) in text
        if isinstance(block, (Boxes, Ticks)):
            assert squeezed(block.title.upper()) in text
    wanted = Counter(tuple(map(squeezed, row)) for block in blocks if isinstance(block, Grid) for row in block.rows)
    for row, times in wanted.items():
        assert found[row] == times, row


def test_damage_stands_in_its_cell_and_its_square():
    battle = started("diceless40k")
    battle.push("mark_line", unit="Rhino", line="D", dmg=20)
    battle.push("lose_hp", unit="Tactical squad", group="Tactical squad", hp=55)
    made = Paper(pdf(make_document(battle.ruleset, ("vehicle_sheets", "unit_sheets"), from_battle(battle))))
    lines = [row for row in made.rows(0) if row[0] == "D"]
    assert lines == [("D", "3", "20" if at == 0 else "", "9G18P27P36P") for at in range(3)]
    assert "2 × 40 HP 15" in " ".join(made.text(1).split())  # one model is gone, 15 HP are written down


@pytest.mark.parametrize("name", RULESETS)
def test_the_same_state_gives_the_same_bytes(name):
    first, second = (make_document(started(name).ruleset, (), from_battle(started(name))) for _ in range(2))
    made = pdf(first)
    assert made == pdf(second)
    assert pages(first, "svg") == pages(second, "svg")


@pytest.mark.parametrize("name", RULESETS)
def test_printers_are_asked_not_to_scale_and_readers_find_tags(name):
    card = registry.ruleset(name)
    document = make_document(card, (card.sheets[0].name,), Source(rulings=card.parse_rulings({})))
    found = pypdf.PdfReader(BytesIO(pdf(document)))
    root: Any = found.trailer["/Root"]
    assert root["/ViewerPreferences"]["/PrintScaling"] == "/None"
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en-GB"
    assert root["/StructTreeRoot"]
    assert b"pdfaid" in root["/Metadata"].get_data()
    assert found.metadata is not None
    assert found.metadata.title == f"{card.title}: {document.parts[0].title}"
    fonts = {str(font["/BaseFont"]) for sheet in found.pages for font in _fonts(sheet)}
    assert fonts
    assert all("Libertinus" in font for font in fonts)


def _fonts(sheet: Any) -> list[Any]:
    return [font.get_object() for font in sheet["/Resources"].get("/Font", {}).values()]


def test_letters_that_no_font_has_still_print():
    card = registry.ruleset("attack_dice")
    part = blank("attack_dice", "unit_cards")
    odd = replace(part, cards=(replace(part.cards[0], title="漢字 🐺 # $x$ *b* \\ ' \" \x07 </text>"),))
    text = Paper(pdf(Document(card.title, (odd,)))).text()
    assert "# $x$ *b* \\" in text
    assert pages(Document(card.title, (odd,)), "svg")


def test_nothing_of_the_data_becomes_typst():
    part = blank("attack_dice", "unit_cards")
    trick = '#read("/etc/passwd") #import "page.typ": * #panic("no")'
    odd = replace(part, title=trick, cards=(replace(part.cards[0], title=trick, kind=trick, side=trick),))
    text = squeezed(printed(odd, system=trick).text())
    assert text.count(squeezed(trick)) >= 4


@pytest.mark.parametrize("form, mark", [("png", b"\x89PNG"), ("svg", b"<svg")])
def test_one_page_can_be_a_picture(form, mark):
    card = registry.ruleset("diceless40k")
    document = make_document(card, ("tables",), Source(rulings=card.parse_rulings({})))
    assert len(pages(document, form, 30)) == 4
    assert page(document, form, 2, 30).startswith(mark)
    assert page(document, form, 2, 30) != page(document, form, 3, 30)


def test_a_profile_may_be_printed_many_times_and_numbered():
    card = registry.ruleset("diceless40k")
    document = make_document(card, ("vehicle_sheets",), from_names(card, ["2 x Rhino", "Predator"]))
    (part,) = document.parts
    assert isinstance(part, Cards)
    assert [found.title for found in part.cards] == ["Rhino 1", "Rhino 2", "Predator"]
    assert len(Paper(pdf(document))) == 1


def test_every_ticked_box_has_its_cross():
    card = registry.ruleset("diceless40k")
    told = {"vehicle": "Rhino", "glancing_ticked": [0, 1], "penetrating_ticked": [1]}
    source = from_question(card, card.question("shoot_vehicle"), told)
    made = Paper(pdf(make_document(card, ("vehicle_sheets",), source)))
    drawn = [drawn.get_bounds() for drawn in made.document[0].get_objects()]
    # a cross is two lines of about equal width and height; nothing else on this sheet is
    wide_and_tall = [(right - left, top - bottom) for left, bottom, right, top in drawn]
    box = 7 * 72 / 25.4
    strokes = [size for size in wide_and_tall if box / 2 < size[0] < 0.99 * box and abs(size[0] - size[1]) < 1]
    assert len(strokes) == 2 * 3
