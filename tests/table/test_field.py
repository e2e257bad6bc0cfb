"""The battlefield: measured once, moved on, set up, scored and drawn; and what systems get from it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battletape.battle import Battle
from battletape.errors import Refused
from battletape.field import map, moves, score
from battletape.field.clock import Clock
from battletape.field.measure import ASLANT, Claim, measure
from battletape.field.setup import Placement, arranged, edge_zones, outside_zone
from battletape.field.state import Field, Objective, Stand, Terrain
from battletape.table.areas import rectangle
from battletape.table.bases import Base
from battletape.table.board import Board
from battletape.table.distances import is_coherent
from battletape.table.hulls import Hull
from battletape.table.picture import Figure, Ring
from battletape.table.points import Point

WALL = Terrain("Wall", "impassable", rectangle(10, 12, 30, 13).outline, top=5.0, cover=3)
SQUAD = Stand("Squad", "South", tuple(Base(Point(x, 5.0)) for x in (19.0, 20.5, 22.0)))
TANK = Stand("Tank", "North", hulls=(Hull(Point(20.5, 20.0), 180.0),), top=2.0, cover=4)
FIELD = Field[Terrain](sides=("South", "North"), stands=(SQUAD, TANK), terrain=(WALL,), board=Board())
BARE = Field[Terrain](sides=("South", "North"), stands=(Stand("Squad", "South"), Stand("Tank", "North")))


def test_the_same_numbers_come_from_the_board_or_from_the_players():
    shown = measure(FIELD, "Squad", "Tank")
    assert (shown.distance, shown.facing, shown.sees, shown.by) == (12.5, "front", False, "board")
    assert measure(FIELD, "Squad", "Tank", Claim(sees=True, cover=0)).sees
    said = measure(BARE, "Squad", "Tank", Claim(distance=12.5))
    assert (said.distance, said.facing, said.angle, said.sees, said.by) == (12.5, "front", ASLANT, True, "players")
    with pytest.raises(Refused, match="say distance"):
        measure(BARE, "Squad", "Tank")
    with pytest.raises(Refused, match="not 20 inches"):
        measure(FIELD, "Squad", "Tank", Claim(distance=20))


def test_a_unit_goes_towards_a_goal_until_something_bars_it():
    assert moves.reachable(FIELD, "Squad", Point(19.0, 11.0), 6) == 6
    assert moves.reachable(FIELD, "Squad", Point(19.0, 40.0), 40) == pytest.approx(6.5)  # its base touches the wall
    tracks = moves.straight(SQUAD.bases, FIELD.home("South"), 6)
    assert moves.leaves(FIELD, SQUAD.bases, tracks)


def test_losses_wrecks_and_flight_leave_a_smaller_field():
    assert len(FIELD.without_models("Squad", {1}).stand("Squad").bases) == 2
    wreck = Terrain("wreck of Tank", "wreck", rectangle(19, 18, 22, 22).outline, top=2.0, cover=4)
    after = FIELD.ruined("Tank", wreck)
    assert not after.stand("Tank").footprints
    assert after.terrain[-1] == wreck
    assert (
        FIELD.without_places == after.with_place("Tank", *TANK.hulls).without_places
    )  # what a lens keeps does not know of places


def test_formations_zones_and_objectives():
    models = arranged(Placement(x=20.0, y=6.0, formation="line", spacing=2.0), 5, 0.5)
    assert is_coherent(models, 2.02)
    assert not is_coherent(models, 1.9)
    zones = edge_zones(FIELD.sides, Board(), 12)
    there = Field[Terrain](sides=FIELD.sides, stands=FIELD.stands, board=Board(), zones=zones)
    assert not outside_zone(there, SQUAD)
    assert outside_zone(there, TANK)
    prize = Objective("Well", Point(20.0, 8.0), 3.0, 2)
    held = Field[Terrain](sides=FIELD.sides, stands=FIELD.stands, objectives=(prize,))
    assert score.points(held, score.Mission(held=3, destroyed=1), {"South": 1, "North": 0}) == {"South": 6, "North": 1}


def test_the_clock_tells_what_ends():
    clock, told = Clock(("South", "North"), ("movement", "shooting"), most=1), []
    ended: tuple[str, ...] = ()
    while not clock.over:
        clock, ended = clock.next()
        told.append((clock.active, clock.phase, ended[-1]))
    assert told[:2] == [("South", "shooting", "phase"), ("North", "movement", "player turn")]
    assert ended == ("phase", "player turn", "turn", "game")


def test_the_map_shows_what_the_chosen_unit_reaches_and_its_odds():
    chosen = map.Selection("Squad", (map.Reach("moves 6″", 6.0),), {"Tank": Fraction(1, 3)}, "chance to be destroyed")
    picture = map.picture(FIELD, "South", chosen)
    assert picture is not None
    assert [getattr(thing, "chance", None) for thing in picture.things if getattr(thing, "name", "") == "Tank"] == [
        Fraction(1, 3)
    ]
    assert all(thing.drag for thing in picture.things if isinstance(thing, Figure) and thing.name == "Squad")
    assert [thing.disc.radius for thing in picture.things if isinstance(thing, Ring)] == [6.0]
    assert map.picture(BARE, "South") is None


def test_attack_dice_measures_on_a_board_and_needs_none():
    rifle = {"name": "Rifle", "models": 5, "attacks": 2, "power": 5, "range": 24}
    unit = {"models": 5, "hp": 1, "weapons": [rifle]}

    def one(*norths: float) -> Battle:
        places = [{"x": 36.0, "y": north} for north in norths] or [{}, {}]
        units = ({"name": name, **unit, **place} for name, place in zip("AB", places, strict=True))
        sides = [{"name": side, "units": [given]} for side, given in zip(("North", "South"), units, strict=True)]
        battle = Battle.new("attack_dice", {"sides": sides})
        battle.push("start")
        return battle

    order = {"unit": "A", "weapon": "Rifle", "target": "B"}
    bare, near, far = one(), one(4.0, 20.0), one(4.0, 44.0)
    assert bare.picture is None
    assert near.picture is not None
    assert bare.refusal("attack", order) is None
    assert near.refusal("attack", order) is None
    assert str(far.refusal("attack", order)).startswith('the target is 38" away')
    assert near.odds("attack", order).odds("casualties") == bare.odds("attack", order).odds("casualties")
    near.push("attack", order)
    assert len(near.state.field.stand("B").bases) == near.state.unit("B").models
