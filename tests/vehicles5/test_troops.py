"""Soldiers: wounds, saves and nerves, each against a count over all faces, and the question pinning."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from battletape.errors import Refused
from battletape.procedure import odds_of
from battletape.rulesets.vehicles5.rules import troops
from battletape.rulesets.vehicles5.rules.troops import Loss, ModelGroup, remove_models
from battletape.rulesets.vehicles5.tables.printed import TO_WOUND
from battletape.table.bases import Base
from battletape.table.points import Point
from battletape.tape.script import Script
from tests.vehicles5.asking import RULES, only

LEADERSHIP = {2: 1, 3: 3, 4: 6, 5: 10, 6: 15, 7: 21, 8: 26, 9: 30, 10: 33, 11: 35, 12: 36}


@pytest.mark.clause("V5-CORE-7")
@pytest.mark.parametrize("strength", range(1, 11))
@pytest.mark.parametrize("toughness", range(1, 11))
def test_to_wound_follows_the_difference(strength: int, toughness: int) -> None:
    lead = toughness - strength
    wanted = 7 if lead >= 4 else min(6, max(2, 4 + lead))
    assert TO_WOUND[strength, toughness] == wanted


@pytest.mark.clause("V5-CORE-10")
@pytest.mark.parametrize("ws", range(1, 11))
@pytest.mark.parametrize("other", range(1, 11))
def test_blows_hit_by_ws(ws: int, other: int) -> None:
    assert troops.ws_to_hit(ws, other) == (3 if ws > other else 5 if other > 2 * ws else 4)


@pytest.mark.clause("V5-CORE-8")
def test_armour_stops_wounds_unless_the_ap_is_good_enough() -> None:
    assert [troops.armour_save_against(4, ap) for ap in (None, "-", 1, 4, 5, 6)] == [4, 4, 7, 7, 4, 4]
    assert troops.armour_save_against(7, None) == 7


@pytest.mark.clause("V5-CORE-7", "V5-CORE-8")
@pytest.mark.parametrize(("strength", "toughness", "save"), [(3, 3, 5), (4, 4, 3), (4, 5, 7), (3, 7, 3), (8, 4, 2)])
def test_losses_of_two_hits_by_all_faces(strength: int, toughness: int, save: int) -> None:
    counts: Counter[int] = Counter()
    for faces in product(range(1, 7), repeat=4):
        pairs = zip(faces[::2], faces[1::2], strict=True)
        needs = TO_WOUND[strength, toughness]
        counts[sum(wound >= needs and saved < save for wound, saved in pairs)] += 1
    odds = odds_of(troops.roll_losses, 2, strength, ModelGroup("men", 5, toughness, save), "-")
    assert odds.project(lambda loss: loss.models).fractions() == {
        lost: Fraction(ways, 6**4) for lost, ways in counts.items()
    }


@pytest.mark.clause("V5-CORE-8")
@pytest.mark.parametrize(
    ("wounds", "outright", "hurt", "loss"),
    [
        (0, False, 1, Loss(0, 1, 0)),
        (1, False, 0, Loss(0, 1, 1)),
        (2, False, 0, Loss(1, 0, 2)),
        (3, False, 1, Loss(2, 0, 3)),
        (9, False, 1, Loss(3, 0, 5)),
        (1, True, 0, Loss(1, 0, 2)),
        (1, True, 1, Loss(1, 0, 1)),
        (0, True, 1, Loss(0, 1, 0)),
        (9, True, 0, Loss(3, 0, 6)),
    ],
)
def test_wounds_fill_one_model_after_the_other(wounds: int, outright: bool, hurt: int, loss: Loss) -> None:
    assert remove_models(ModelGroup("ogres", 3, 4, wounds=2), wounds, outright, hurt) == loss


@pytest.mark.clause("V5-CORE-8")
def test_twice_the_toughness_slays() -> None:
    assert [troops.kills_outright(strength, 4) for strength in (7, 8, 10)] == [False, True, True]
    assert troops.roll_losses(Script(2, 2), 2, 8, ModelGroup("ogres", 3, 4, wounds=3)).models == 2


@pytest.mark.clause("V5-CORE-23")
def test_no_characteristic_above_ten() -> None:
    assert [troops.capped(value) for value in (3, 10, 14)] == [3, 10, 10]


@pytest.mark.clause("V5-CORE-5")
@pytest.mark.parametrize("ld", LEADERSHIP)
def test_leadership_as_printed(ld: int) -> None:
    assert odds_of(troops.test_ld, ld, "morale").chance(True) == Fraction(LEADERSHIP[ld], 36)


@pytest.mark.clause("V5-CORE-5")
def test_units_on_the_run_fail_and_fearless_ones_hold_without_dice() -> None:
    assert not troops.test_morale(Script(), "watch", 8, True, False)
    assert troops.test_morale(Script(), "watch", 8, False, True)
    assert not troops.test_morale(Script(), "watch", 8, True, True)
    assert odds_of(troops.test_morale, "watch", 7, False, False).chance(True) == Fraction(7, 12)


@pytest.mark.clause("V5-CORE-6", "V5-ORD-5")
def test_pinning_is_harder_under_an_ordnance_barrage() -> None:
    assert odds_of(troops.roll_pinning, 8).chance(True) == Fraction(5, 18)
    assert odds_of(troops.roll_pinning, 8, "ordnance_barrage").chance(True) == Fraction(5, 12)
    assert [troops.effective_ld(8), troops.effective_ld(8, "ordnance_barrage")] == [8, 7]


@pytest.mark.clause("V5-CORE-6")
def test_the_pinned_lose_their_next_own_turn() -> None:
    assert troops.pinned_until(4, is_owners=False) == 5
    assert troops.pinned_until(4, is_owners=True) == 6


@pytest.mark.clause("V5-CORE-20")
def test_falling_back_goes_two_dice() -> None:
    odds = odds_of(troops.roll_fall_back)
    assert (odds.mean, odds.chance(2), odds.at_least(11)) == (Fraction(7), Fraction(1, 36), Fraction(1, 12))


def _base(x: float) -> Base:
    return Base(Point(x, 0), 0.5)


@pytest.mark.clause("V5-CORE-17")
def test_coherency_is_two_inches_from_edge_to_edge() -> None:
    assert troops.refuse_coherency([_base(0), _base(3), _base(6)]) is None
    refused = troops.refuse_coherency([_base(0), _base(3), _base(6.1)])
    assert isinstance(refused, Refused)
    assert refused.clause == "V5-CORE-17"


@pytest.mark.clause("V5-CORE-19")
def test_an_inch_from_the_enemy_unless_it_is_an_assault() -> None:
    assert troops.refuse_closeness(_base(0), [_base(2)]) is None
    refused = troops.refuse_closeness(_base(0), [_base(1.9), _base(-1.9)])
    assert isinstance(refused, Refused)
    assert "2 enemies" in refused.reason


@pytest.mark.clause("V5-CORE-6", "V5-ORD-5")
@pytest.mark.parametrize("ld", range(2, 11))
def test_pinning_counted_over_all_faces(ld: int) -> None:
    throws = [sum(pair) for pair in product(range(1, 7), repeat=2)]
    for barrage in (False, True):
        answer = RULES.ask("pinning", ld=ld, barrage=barrage)
        assert answer.odds("pinned").chance(1) == Fraction(sum(throw > ld - barrage for throw in throws), 36)
        assert only(answer, "ld_that_counts") == ld - barrage
