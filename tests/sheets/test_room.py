"""Nothing runs off a page, into its foot or over other words, however long names are and however much there is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as some

from battletape import registry
from battletape.battle import Battle
from battletape.sheets import (
    PAPERS,
    Arc,
    Beside,
    Body,
    Box,
    Boxes,
    Card,
    Cards,
    Document,
    Grid,
    Notes,
    Place,
    Plan,
    Printed,
    Reference,
    Ruled,
    Square,
    Squares,
    Stats,
    Ticks,
    Token,
    Tokens,
)
from battletape.sheets.typeset import pdf
from battletape.views.sheets import from_battle, make_document
from tests.sheets.paper import FOOT, GAP, RULESETS, SIDE, TOP, Paper, all_sheets, squeezed

LONG = "Third Company of the Harbour Watch, Veterans of the Long Retreat to the Salt Marshes of Lower Ombria"
UNBROKEN = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft"
KERNED = 2
"""A letter may lean over the next two, as a Q does over a u, or a t over the fl of outflank."""
COARSE = 4
"""Pixels to the millimetre."""
NAMES = some.sampled_from((LONG, UNBROKEN, "Rhino", f"{LONG} {UNBROKEN}", "-"))


def assert_room(made: Paper) -> None:
    """Margins are empty, the strip above the foot too, and no letter stands on another."""
    for number in range(len(made)):
        dark = made.dark(number, per_mm=COARSE)
        tall, wide = dark.shape
        foot = tall - FOOT * COARSE
        assert not dark[:, : SIDE * COARSE - 2].any(), f"page {number + 1} runs off to the left"
        assert not dark[:, wide - SIDE * COARSE + 2 :].any(), f"page {number + 1} runs off to the right"
        assert not dark[: TOP * COARSE - 2].any(), f"page {number + 1} runs off at the top"
        assert not dark[foot + 2 : foot + (GAP - 1) * COARSE].any(), f"page {number + 1} runs into its foot"
        assert_apart(made.letters(number), number)


def assert_apart(letters: Any, number: int) -> None:
    """No letter covers the middle of another, except that of a neighbour in the same word."""
    letters = letters[np.argsort(letters[:, 1])]
    x, y = (letters[:, 0] + letters[:, 2]) / 2, (letters[:, 1] + letters[:, 3]) / 2
    for first in range(0, len(letters), 100):
        part = letters[first : first + 100, :, None]
        near = (y > part[:, 1].min()) & (y < part[:, 3].max())  # letters of the same lines
        over = (x[near] > part[:, 0]) & (x[near] < part[:, 2]) & (y[near] > part[:, 1]) & (y[near] < part[:, 3])
        apart = np.abs(letters[near, 4] - part[:, 4]) > KERNED
        assert not (over & apart).any(), f"words stand on each other on page {number + 1}"


@some.composite
def cards(draw: Any) -> Cards:
    """Cards of every kind of block, with names and numbers of any length."""
    name = draw(NAMES)
    weapons = draw(some.sampled_from((0, 1, 20)))
    row = (draw(NAMES), "12", "assault 2", '48"', draw(some.sampled_from(("-", "gets hot, twin linked, rending"))))
    arcs = tuple(Arc("ABCDEFGHIJKLMNOPQRST"[at], 1.0, 0.2, -22.5, 22.5) for at in range(min(weapons, 20)))
    blocks = (
        Stats(tuple((stat, draw(some.sampled_from(("4", "10 + 1", "by ammunition")))) for stat in "WBSTIALV")),
        Beside(
            (Grid(("", name, "S", "DMG"), (("A", name, "4", "36"),) * 3, name, "XX-1", write=(3,)),),
            (Squares((Square(name, name, "1,234"),)), Notes(name, (name, name))),
            draw(some.integers(35, 65)),
        ),
        Squares(tuple(Square(name, "8 × 40 HP", str(at * 11)) for at in range(draw(some.integers(1, 9))))),
        Boxes(name, tuple(Box(word, True) for word in ("crew shaken", "weapon destroyed", name)), "XX-2"),
        Ticks(name, draw(some.sampled_from(((2,) * 30, (120,), (1,), ()))), 7, name),
        Grid(("weapon", "models", "type", "range", "rules"), (row,) * weapons, name),
        Notes("now", (name,) * 3),
        Ruled(name, draw(some.integers(0, 3))),
    )
    figures = (
        Beside((Plan(4.5, 3, "14", "13", "10", 45, 135, arcs),), (Notes("", (name,)),)),
        Body(tuple(Place(spot, spot.replace("_", " "), "01–10", "10", "lost") for spot in ("head", "left_arm"))),
    )
    more = draw(some.sampled_from(((), figures)))
    made = Card(name, (*blocks, *more), draw(NAMES), draw(NAMES), draw(some.booleans()))
    return Cards("Cards", (made,) * draw(some.sampled_from((1, 3))), draw(some.sampled_from((0, 1, 4))))


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow], phases=[Phase.generate])
@given(part=cards(), paper=some.sampled_from(PAPERS))
def test_cards_keep_to_their_page(part, paper):
    made = Paper(pdf(Document("Toy", (part,), paper)))
    assert_room(made)
    text = squeezed(made.text())
    for card in part.cards:
        for words in (card.title, card.kind, card.side):
            assert squeezed(words) in text


def test_thirty_units_with_twenty_weapons_each_keep_to_their_pages():
    weapons = tuple((f"{LONG} {at}", "4", '24"') for at in range(20))
    unit = Card(LONG, (Grid(("weapon", "S", "range"), weapons), Ticks("HP", (10,) * 12, 3)), side=LONG)
    made = Paper(pdf(Document("Toy", (Cards(LONG, (unit,) * 30),))))
    assert squeezed(made.text()).count(squeezed(f"{LONG} 19")) == 30
    for number in (0, len(made) - 1):
        assert not made.dark(number, per_mm=COARSE)[:, : SIDE * COARSE - 2].any()
    assert len(made) >= 15


def test_long_tables_and_many_tokens_go_on_on_the_next_page():
    wide = Printed(LONG, ("a", LONG, "c"), ((UNBROKEN, LONG, "x"),) * 60, "XX-1")
    narrow = Printed("n", ("a", "b"), (("1", "2"),) * 90)
    tokens = Tokens(LONG, (Token("scatter", "arrow", 120, LONG), Token("gets hot!", "flame", 3)))
    made = Paper(pdf(Document(LONG, (Reference(LONG, (wide, narrow, narrow)), tokens))))
    assert_room(made)
    assert made.text().count("scatter") >= 121
    assert squeezed(made.text()).count(squeezed(UNBROKEN)) == 60


@pytest.mark.parametrize("name", RULESETS)
def test_every_sheet_and_the_sample_battle_keep_to_their_pages(name):
    card = registry.ruleset(name)
    rulings = card.parse_rulings({})
    blank = tuple(card.sheet(sheet).blank(rulings) for ruleset, sheet in all_sheets() if ruleset == name)
    assert_room(Paper(pdf(Document(card.title, blank, "letter"))))
    battle = Battle.new(name)
    assert_room(Paper(pdf(make_document(card, (), from_battle(battle)))))
