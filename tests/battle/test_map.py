"""The map of a battle: drawn from the field, with what the unit in hand reaches and the odds on its targets."""

from __future__ import annotations

import pytest

from battletape import Battle
from battletape.conformance.random_play import AnyOption
from battletape.registry import OURS
from battletape.table.picture import Figure, Ring
from battletape.views.board import draw_svg, draw_text
from battletape.views.chosen import chosen_unit
from battletape.views.table_talk import table_talk
from tests.attack_dice.battles import on_a_table, started


def test_the_map_has_the_reach_of_the_unit_in_hand_and_the_chance_of_its_best_shot():
    battle = on_a_table()
    chosen = chosen_unit(battle, "Wardens", table_talk(battle).choices)
    assert [reach.inches for reach in chosen.reaches] == [24, 36]
    shots = {
        weapon: battle.odds("attack", unit="Wardens", weapon=weapon, target="Raiders").odds("casualties").at_least(1)
        for weapon in ("Carbine", "Cannon")
    }
    assert dict(chosen.odds)["Raiders"] == max(shots.values()) > min(shots.values())
    assert chosen.says == "chance: models fallen"
    picture = battle.draw(chosen)
    assert picture is not None
    shown = {thing.name: thing.chance for thing in picture.things if isinstance(thing, Figure)}
    assert shown == {"Wardens": None, "Wagon": None, **dict(chosen.odds)}
    assert [thing.disc.radius for thing in picture.things if isinstance(thing, Ring)] == [24, 36]


def test_without_a_unit_in_hand_the_map_has_places_alone():
    battle = on_a_table()
    assert battle.picture == battle.draw()
    assert battle.picture is not None
    assert not any(isinstance(thing, Ring) for thing in battle.picture.things)


def test_the_side_that_acts_is_drawn_as_acting():
    battle = on_a_table()
    assert battle.picture is not None
    tones = {thing.name: thing.tone for thing in battle.picture.things if isinstance(thing, Figure)}
    assert tones == {"Wardens": "acts", "Wagon": "acts", "Raiders": "target", "Wolves": "target"}


def test_a_battle_without_places_has_neither_map_nor_points():
    battle = started()
    assert battle.picture is None
    assert battle.points == {}
    assert Battle.new("attack_dice").active_side == "North"


@pytest.mark.parametrize("system", OURS)
def test_every_unit_that_may_act_has_a_map_in_every_system(system):
    battle = Battle.new(system)
    for _ in range(12):
        talk = table_talk(battle)
        for unit in talk.units[:3]:
            picture = battle.draw(chosen_unit(battle, unit, talk.choices))
            assert picture is not None
            assert max(map(len, draw_text(picture, 40))) <= 40
            assert draw_svg(picture).startswith("<svg")
        options = [option for option in battle.legal() if not option.action.aside]
        if battle.over or not options:
            break
        battle.push(options[-1], tape=AnyOption(3))
