"""Deep strike: tokens by zone, mishaps, and what tokens can do on a board."""

from __future__ import annotations

from itertools import product
from math import cos, pi, sin
from typing import Any

import pytest

from battletape.errors import BadInput
from battletape.field.setup import rings
from battletape.procedure import fold
from battletape.rulesets.diceless40k.rules import deep_strike
from battletape.rulesets.diceless40k.rules.blasts import scattered
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.table.areas import rectangle
from battletape.table.bases import Base
from battletape.table.board import Board, is_on_board
from battletape.table.distances import gap, is_within, overlaps
from battletape.table.hulls import Hull
from battletape.table.points import Point, apart
from battletape.tape.best import Best
from battletape.tape.script import Script
from tests.diceless40k.vectors import vectors

CLEAR, MISHAP, EITHER = ("clear",), ("mishap",), ("mishap", "clear")
BOARD = Board(72, 48)


def arrive(*answers: Any, **known: Any) -> deep_strike.DeepStrike:
    tape = Script(*answers)
    facts = {"zone": "enemy", "held": 20} | known
    after: deep_strike.DeepStrike = fold(
        deep_strike.DEEP_STRIKE, tape, deep_strike.DeepStrike("Drop", "Hill", "Dale", **facts)
    )
    assert tape.used_up
    return after


@pytest.mark.clause("DL-95.2", "DL-95.3", "DL-95.4", "DL-95.5", "DL-95.6", "DL-95.7", "DL-SM-75.1")
@pytest.mark.parametrize(("given", "expect"), vectors("deep_strike"))
def test_the_deep_strikes_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    most = deep_strike.token_limit(given["zone"], given["tokens_held"], given["jamming_beacon"], given["no_scatter"])
    assert {
        "max_tokens": most,
        "max_scatter_inches": scattered(most),
        "on_mishap": deep_strike.mishap_in(given["zone"]),
    } == expect


@pytest.mark.clause("DL-95.3", "DL-95.4", "DL-95.5", "DL-95.6", "DL-95.7", "DL-SM-75.1")
@pytest.mark.parametrize(
    ("zone", "most", "jammed", "mishap"),
    [
        ("own", 2, 4, "return_to_reserve"),
        ("neutral", 4, 8, "misplaced_by_opponent"),
        ("enemy", 6, 12, "removed"),
    ],
)
def test_tokens_and_mishaps_by_zone(zone: Any, most: int, jammed: int, mishap: str):
    assert deep_strike.token_limit(zone, 20) == most
    assert deep_strike.token_limit(zone, 20, jammed=True) == jammed
    assert deep_strike.token_limit(zone, 3, jammed=True) == 3  # a beacon doubles the limit, not the pool
    assert deep_strike.token_limit(zone, 20, no_scatter=True) == 0
    assert scattered(most) == 2 * most
    assert arrive(most, zone=zone, outcomes=(CLEAR, MISHAP)).fate == mishap


@pytest.mark.clause("DL-95.1")
def test_two_tokens_for_each_unit():
    assert deep_strike.deep_strike_tokens(2) == 4


@pytest.mark.clause("DL-95.2")
def test_three_tokens_held_are_three_at_most_and_spent_ones_are_gone():
    after = arrive(3, held=3, outcomes=(CLEAR,))
    assert (after.tokens, after.held, after.fate) == (3, 0, "lands")


@pytest.mark.clause("DL-95.2")
def test_the_opponent_may_let_it_land_though_he_could_push_it():
    assert arrive(2, "clear", outcomes=(CLEAR, CLEAR, EITHER)).fate == "lands"
    after = arrive(2, "mishap", outcomes=(CLEAR, CLEAR, EITHER))
    assert (after.fate, after.tokens) == ("removed", 2)
    assert arrive(0, outcomes=(MISHAP,)).fate == "removed"


@pytest.mark.clause("DL-95.7")
def test_nothing_is_asked_about_a_unit_that_does_not_scatter():
    assert arrive(no_scatter=True).tokens == 0


@pytest.mark.clause("DL-95.5", "DL-95.3")
def test_whose_zone_counts_by_ruling():
    assert arrive(6, zone="enemy", landing_zone="neutral", outcomes=(MISHAP,)).fate == "removed"
    ruled = arrive(6, zone="enemy", landing_zone="neutral", outcomes=(MISHAP,), rulings=Rulings(zone_of="landed"))
    assert ruled.fate == "misplaced_by_opponent"


@pytest.mark.clause("DL-95.2", "DL-95.7")
def test_too_many_tokens_are_refused():
    strike = deep_strike.DeepStrike("Drop", "Hill", "Dale", "own", held=3)
    assert deep_strike.refuse_tokens(strike, 2) is None
    assert "0 to 2 tokens may be used on a unit aimed at this zone" in str(deep_strike.refuse_tokens(strike, 3))
    assert "Dale holds 3 scatter tokens, not 4" in str(deep_strike.refuse_tokens(strike, 4))
    sure = deep_strike.DeepStrike("Drop", "Hill", "Dale", "own", held=3, no_scatter=True)
    assert "does not scatter" in str(deep_strike.refuse_tokens(sure, 1))
    with pytest.raises(BadInput, match="aimed at one of own, neutral, enemy; got 'far'"):
        deep_strike.token_limit("far", 1)  # type: ignore[arg-type]


@pytest.mark.clause("DL-95.2", "DL-95.6")
def test_without_a_board_the_distance_to_a_mishap_decides():
    assert deep_strike.outcomes_at_distance(5, 4) == (CLEAR, CLEAR, CLEAR, EITHER, EITHER)
    assert deep_strike.outcomes_at_distance(None, 1) == (CLEAR, CLEAR)
    assert deep_strike.outcomes_at_distance(0, 1) == (MISHAP, EITHER)


@pytest.mark.clause("DL-95.2")
def test_the_opponent_spends_no_more_than_he_needs_to():
    start = deep_strike.DeepStrike("Drop", "Hill", "Dale", "enemy", 6, deep_strike.outcomes_at_distance(5, 6))
    advice = Best(lambda after: 10 * (after.fate != "lands") + after.held, {"Dale": "max"})
    best = advice.run(deep_strike.DEEP_STRIKE.stages, start)
    assert (best.value, best.decisions[0].best) == (13, 3)


# --- on a board ------------------------------------------------------------------------------------------------------


def test_a_unit_lands_in_circles_base_to_base():
    bases = rings(Point(10, 10), 10, 0.5)
    assert len(bases) == 10
    assert bases[0].centre == Point(10, 10)
    for at, base in enumerate(bases):
        assert min(gap(base, other) for other in bases if other is not base) < 0.05
        assert not any(overlaps(base, other) for other in bases[:at])
    assert rings(Point(0, 0), 1, 0.5) == (Base(Point(0, 0), 0.5),)


def spots(bases: Any, most: int, enemies: Any = (), others: Any = ()) -> Any:
    return deep_strike.landing_outcomes(deep_strike.threats(bases, BOARD, enemies, others), most)


@pytest.mark.clause("DL-95.2", "DL-95.6")
def test_an_enemy_an_edge_and_a_wall_are_met_by_so_many_tokens():
    drop = (Base(Point(36, 24), 0.5),)
    enemy = Base(Point(42.5, 24), 0.5)  # 5.5" from edge to edge, and within an inch is a mishap
    assert spots(drop, 4, [enemy]) == (CLEAR, CLEAR, CLEAR, EITHER, EITHER)
    assert spots(drop, 3, (), [enemy]) == (CLEAR, CLEAR, CLEAR, EITHER)  # a friend must be stood upon
    assert spots((Base(Point(3, 24), 0.5),), 2) == (CLEAR, CLEAR, EITHER)
    wall = rectangle(36, 26.6, 40, 30)
    assert spots(drop, 2, (), [wall]) == (CLEAR, CLEAR, EITHER)
    assert spots(drop, 1, [Base(Point(37.5, 24), 0.5)]) == (MISHAP, EITHER)
    assert spots(drop, 0, (), [Base(Point(37, 24), 0.5)]) == (CLEAR,)  # a friend may be touched
    assert spots(drop, 0, (), [Base(Point(36.9, 24), 0.5)]) == (MISHAP,)


@pytest.mark.clause("DL-95.2", "DL-95.6")
def test_the_nearest_threat_comes_first_with_a_way_into_it():
    drop = (Base(Point(36, 24), 0.5),)
    around = deep_strike.threats(drop, BOARD, [Base(Point(42.5, 24), 0.5), Hull(Point(36, 36), 0.0, 4, 3)])
    assert [(threat.what, threat.index) for threat in around[:2]] == [("enemy", 0), ("enemy", 1)]
    assert around[0].nearest == pytest.approx(4.5)
    assert around[0].bearing == pytest.approx(90)
    assert [threat.index for threat in around if threat.what == "edge"] == [0, 2, 1, 3]


def meets(base: Base, enemies: Any, others: Any) -> bool:
    near = any(is_within(base, enemy, 1) for enemy in enemies)
    return near or any(overlaps(base, other) for other in others) or not is_on_board(BOARD, base)


def scene(seed: int) -> tuple[Base, list[Any], list[Any]]:
    """A landing in a corner with an enemy, an enemy's hull and a wall around it."""
    east, north = 2.2 + seed * 2.37 % 9, 2.2 + seed * 3.11 % 9
    enemies = [Base(Point(east + 0.6 + seed * 0.7, north + 1.5), 0.5), Hull(Point(12 + seed, 20), 30.0, 4, 3)]
    return Base(Point(east, north), 0.5), enemies, [rectangle(east - 6, north + 1.2 + seed / 2, east - 1, north + 12)]


@pytest.mark.clause("DL-95.2", "DL-95.6")
@pytest.mark.parametrize("seed", range(12))
def test_the_closed_form_agrees_with_every_direction_tried(seed: int):
    """One and two tokens by brute force: 360 directions, and all pairs of 60 directions."""
    drop, enemies, others = scene(seed)
    found = spots((drop,), 2, enemies, others)
    aimed = meets(drop, enemies, others)
    fine = [(2 * sin(pi * at / 180), 2 * cos(pi * at / 180)) for at in range(360)]
    coarse = fine[::6]
    ways = {1: fine, 2: [(a + c, b + d) for (a, b), (c, d) in product(coarse, coarse)]}
    assert ("mishap" in found[0]) == aimed
    for tokens, steps in ways.items():
        centres = (Point(drop.centre.x + x, drop.centre.y + y) for x, y in steps)
        tried = any(meets(Base(centre, 0.5), enemies, others) for centre in centres)
        assert ("mishap" in found[tokens]) == (tried or aimed)


def test_the_scenes_are_of_every_kind():
    kinds = {spots((drop,), 2, enemies, others) for drop, enemies, others in map(scene, range(12))}
    assert kinds == {
        (MISHAP, EITHER, EITHER),
        (CLEAR, EITHER, EITHER),
        (CLEAR, CLEAR, EITHER),
        (CLEAR, CLEAR, CLEAR),
    }


@pytest.mark.clause("DL-95.2", "DL-95.6")
@pytest.mark.parametrize("seed", range(12))
def test_the_directions_lead_into_the_threat(seed: int):
    drop, enemies, others = scene(seed)
    for threat in deep_strike.threats((drop,), BOARD, enemies, others):
        for tokens in range(1, 7):
            if threat.nearest > 0 and threat.is_met(tokens):
                (moved,) = deep_strike.bases_after_push((drop,), threat.directions(tokens))
                slack = Base(moved.centre, moved.radius + 1e-6)
                assert meets(slack, enemies, others)
                assert deep_strike.is_mishap(deep_strike.threats((slack,), BOARD, enemies, others))


@pytest.mark.clause("DL-95.6")
def test_a_single_token_can_jump_over_a_thing_that_two_tokens_meet():
    drop = (Base(Point(36, 24), 0.25),)
    post = Base(Point(36.9, 24), 0.1)  # within 2": a step of exactly 2" clears it
    assert apart(drop[0].centre, post.centre) < 2
    assert spots(drop, 2, (), [post]) == (CLEAR, CLEAR, EITHER)


@pytest.mark.clause("DL-95.6")
def test_a_unit_is_pushed_by_two_inches_for_each_token():
    bases = rings(Point(10, 10), 3, 0.5)
    moved = deep_strike.bases_after_push(bases, (0, 0, 90))
    assert [round(base.centre.x - start.centre.x, 9) for base, start in zip(moved, bases, strict=True)] == [2, 2, 2]
    assert [round(base.centre.y - start.centre.y, 9) for base, start in zip(moved, bases, strict=True)] == [4, 4, 4]
