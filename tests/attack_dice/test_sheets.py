"""Unit cards: from a profile, from a battle with what is lost, and from a question."""

from __future__ import annotations

from functools import partial

from battletape import registry
from battletape.battle import Battle
from battletape.rulesets.attack_dice.sheets import MAX_BOXES
from battletape.sheets import Grid, Squares, Stats, Ticks
from battletape.views.sheets import from_battle, from_names, from_question
from tests.sheets.cards import blocks, cards_of

CARD = registry.ruleset("attack_dice")
cards = partial(cards_of, CARD, "unit_cards")


def block(card, kind):
    """The block of a kind."""
    return next(iter(blocks(card, kind)))


def test_a_profile_has_its_numbers_a_box_for_every_hp_and_its_weapons():
    (card,) = cards(from_names(CARD, ["Orchard militia"]))
    unit = CARD.book.find("unit", "Orchard militia")
    assert dict(block(card, Stats).stats)["Defence"] == str(unit.defence)
    assert block(card, Ticks).groups == (*(unit.hp,) * unit.models, *unit.others)
    assert block(card, Ticks).ticked == 0
    rows = {row[0]: row[1] for row in block(card, Grid).rows}
    assert rows == {carried.name: str(carried.models) for carried in unit.weapons}


def test_a_battle_ticks_the_hp_that_are_lost():
    battle = Battle.new("attack_dice")
    battle.push("start")
    name = battle.state.units[0].name
    battle.push("lose_hp", {"unit": name, "hp": 3})
    card = next(card for card in cards(from_battle(battle)) if card.title == name)
    assert block(card, Ticks).ticked == battle.state.unit(name).hp_lost == 3
    assert card.side == battle.state.unit(name).side
    assert not card.gone


def test_a_question_prints_its_target_with_the_numbers_it_is_asked_with():
    given = {"unit": "Hill raiders", "models": 6, "defence": 9, "lost": 3}
    (card,) = cards(from_question(CARD, CARD.question("attack"), given))
    assert card.title == "Hill raiders"
    assert dict(block(card, Stats).stats)["Defence"] == "9"
    assert (sum(block(card, Ticks).groups), block(card, Ticks).ticked) == (12, 3)


def test_a_unit_of_very_many_hp_has_a_square_instead_of_boxes():
    given = {"models": 1000, "hp": 1000, "lost": 1234}
    (card,) = cards(from_question(CARD, CARD.question("attack"), given))
    assert not blocks(card, Ticks)
    assert block(card, Squares).squares[0].value == "1,234"
    assert MAX_BOXES < 1000
