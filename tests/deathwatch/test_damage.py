"""Damage of one hit: dice, righteous fury, reduction; the catalogue's figures and a twin over all faces."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.rules import damage
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, Defender
from battletape.rulesets.deathwatch.rules.attack.stages import hit_for
from battletape.rulesets.deathwatch.rules.damage import NO_FURY, SURE, Hit
from battletape.rulesets.deathwatch.rules.keywords import apply_qualities
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.tape.script import Script
from tests.deathwatch import twin
from tests.deathwatch.exactly import odds_of


def hit(dice: int = 2, drop: int = 1, flat: int = 5, **more: Any) -> Hit:
    return Hit("body", dice=dice, dropped_dice=drop, flat=flat, **more)


@pytest.mark.clause("DW-QUAL-TEARING")
@pytest.mark.parametrize(
    ("dice", "mean", "ten"),
    [(1, "143/20", "19/100"), (2, "539/40", "271/1000"), (3, "194667/10000", "3439/10000")],
)
def test_tearing_means(dice: int, mean: str, ten: str):
    found = odds_of(damage.roll_dice, hit(dice, 1))
    assert found.project(lambda after: after[0]).mean == Fraction(mean)
    assert found.chance(lambda after: after[1]) == Fraction(ten)
    assert found.fractions() == twin.pool(dice, 1)


@pytest.mark.clause("DW-QUAL-TEARING")
def test_tearing_by_the_other_reading_takes_the_better_of_two_for_each_die():
    found = odds_of(damage.roll_dice, hit(2, 0, better_of_two=True))
    by_faces: twin.Dist = {}
    for a, b, c, d in product(range(1, 11), repeat=4):
        best = max(a, b), max(c, d)
        twin.add(by_faces, (sum(best), 10 in best), Fraction(1, 10_000))
    assert found.fractions() == by_faces
    assert found.project(lambda after: after[0]).mean == Fraction(143, 10)


@pytest.mark.clause("DW-QUAL-TEARING")
def test_the_lowest_dice_are_dropped():
    for faces, drop, total in (((7, 3, 9), 1, 16), ((4, 4, 4), 0, 12)):
        rolled = Hit("body", dice=len(faces) - drop, dropped_dice=drop)
        assert damage.roll_dice(Script(*faces), rolled) == (total, False)
    tape = Script(2, 5, 2)
    assert damage.damage_before_armour(tape, hit(), 60) == 12
    assert tape.used_up


@pytest.mark.clause("DW-CORE-DOSMIN")
def test_degrees_raise_the_lowest_die_that_counts():
    found = odds_of(damage.damage_before_armour, hit(1, 0, 5, min_die=7), 60)
    assert (found.at_least(12), found.at_least(13)) == (1, Fraction(3, 10))
    two = odds_of(damage.roll_dice, hit(2, 1, min_die=6)).fractions()
    by_faces: twin.Dist = {}
    for thrown in product(range(1, 11), repeat=3):
        best = sorted(thrown)[1:]
        raised = [max(best[0], 6), best[1]]
        twin.add(by_faces, (sum(raised), 10 in best), Fraction(1, 1000))
    assert two == by_faces


@pytest.mark.clause("DW-CORE-DOSMIN")
def test_a_die_raised_to_ten_brings_no_fury():
    tape = Script(4)
    assert damage.damage_before_armour(tape, hit(1, 0, 0, min_die=12, fury=SURE), 60) == 10
    assert tape.used_up


@pytest.mark.clause("DW-RF-1")
@pytest.mark.parametrize(
    ("fury", "chances"),
    [
        (NO_FURY, {20: "213/500", 26: "0"}),
        (80, {20: "5763/12500", 25: "542/3125", 26: "371/2500", 30: "1071/15625"}),
        (SURE, {20: "2349/5000", 25: "1049/5000", 26: "371/2000", 30: "1071/12500"}),
    ],
)
def test_righteous_fury_of_a_bolter(fury: int, chances: dict[int, str]):
    found = odds_of(damage.damage_before_armour, hit(fury=fury), 60)
    for least, chance in chances.items():
        assert found.at_least(least) == Fraction(chance)
    confirm = Fraction(0) if fury == NO_FURY else Fraction(min(100, fury), 100)
    assert found.fractions() == twin.damage(2, 1, 5, confirm, 60)


@pytest.mark.clause("DW-RF-1")
def test_the_chain_without_an_end():
    """Righteous fury and its mean agree with the twin die by die."""
    found = RULESET.ask("hit", **NO_ARMOUR_OR_TOUGHNESS, damage="1d10-10", qualities=(), fury="sure")
    chain = found.states.given(lambda state: state.ten).project(lambda state: state.fury)
    wanted = {1: "1", 5: "3/5", 10: "1/10", 11: "1/10", 15: "3/50", 20: "1/100", 21: "1/100"}
    assert {least: chain.at_least(least) for least in wanted} == {k: Fraction(v) for k, v in wanted.items()}
    by_faces = twin.chain(60)
    for least in range(1, 61):
        assert chain.at_least(least) == sum(chance for got, chance in by_faces.items() if got >= least)
    assert found.odds("average").mean == Fraction(55, 9) / 10
    assert RULESET.ask("hit", **NO_ARMOUR_OR_TOUGHNESS, fury="sure").odds("average").mean == Fraction(9059, 450)
    assert RULESET.ask("hit", **NO_ARMOUR_OR_TOUGHNESS).odds("average").mean == Fraction(739, 40)


NO_ARMOUR_OR_TOUGHNESS = {"body": 0, "tb": 0, "pen": 0}


@pytest.mark.clause("DW-RF-1")
@pytest.mark.parametrize("flat", [-15, -10, -2, 0, 5])
def test_the_mean_holds_where_totals_below_nothing_count_as_nothing(flat: int):
    given = {"damage": f"1d10{flat:+d}", "qualities": (), "fury": "confirm", "to_hit": 50}
    found = RULESET.ask("hit", **NO_ARMOUR_OR_TOUGHNESS, **given).odds("average").mean
    far = twin.damage(1, 0, flat, Fraction(1, 2), 200)
    assert abs(found - sum(value * chance for value, chance in far.items())) < Fraction(1, 10**15)


@pytest.mark.clause("DW-RF-1", "DW-RF-2")
def test_fury_is_confirmed_once_and_goes_on_by_itself():
    tape = Script(10, 10, 2, 31, 10, 4)
    assert damage.damage_before_armour(tape, hit(fury=60), 100) == 39
    assert tape.used_up
    failed = Script(10, 6, 2, 77)
    assert damage.damage_before_armour(failed, hit(fury=60), 100) == 21
    assert failed.used_up
    furious = RULESET.ask("hit", fury="confirm", to_hit=60).odds("fury").at_least(1)
    assert furious == Fraction(813, 5000)


@pytest.mark.clause("DW-RF-2")
@pytest.mark.parametrize(
    ("shown", "sides", "fury", "rolls"),
    [((10, 10), 10, "sure", 1), ((9, 3), 10, "sure", 0), ((5,), 5, "sure", 0), ((10,), 10, "none", 0)],
)
def test_fury_comes_once_a_hit_and_only_of_d10(shown, sides, fury, rolls):
    tape = Script(*shown, *(4,) * rolls)
    given = {"damage": f"{len(shown)}d{sides}", "qualities": (), "fury": fury}
    found = RULESET.roll("hit", tape=tape, **given)
    assert tape.used_up
    assert found.results["fury"] == 4 * rolls


@pytest.mark.clause("DW-RF-3", "DW-QUAL-VOLATILE")
def test_righteous_fury_is_for_the_eligible_by_the_ruling():
    every, nobody = Rulings(righteous_fury="everyone"), Rulings(righteous_fury="nobody")
    assert damage.fury_of(60, eligible=True) == 60
    assert damage.fury_of(60, eligible=False) == NO_FURY
    assert damage.fury_of(60, eligible=False, rulings=every) == 60
    assert damage.fury_of(60, eligible=True, sure=True, rulings=nobody) == NO_FURY
    assert damage.fury_of(60, eligible=False, volatile=True, rulings=nobody) == SURE
    assert damage.fury_of(60, eligible=True, sure=True) == SURE
    assert damage.fury_of(60, eligible=True, volatile=True, sides=5) == NO_FURY
    assert (damage.fury_of(100, True), damage.fury_of(0, True)) == (SURE, NO_FURY)
    auto = Rulings(auto_results="01_and_00")
    assert (damage.fury_of(130, True, rulings=auto), damage.fury_of(-20, True, rulings=auto)) == (99, 1)


@pytest.mark.clause("DW-QUAL-VOLATILE")
def test_volatile():
    found = odds_of(damage.damage_before_armour, Hit("body", flat=9, fury=SURE), 60)
    assert (found.at_least(20), found.at_least(25), found.at_least(30)) == (
        Fraction(1, 10),
        Fraction(1, 20),
        Fraction(1, 100),
    )


@pytest.mark.clause("DW-DMG-3")
@pytest.mark.parametrize(
    ("got", "ap", "pen", "doublings", "tb", "net"),
    [(15, 8, 5, 0, 8, 4), (15, 8, 13, 0, 8, 7), (20, 4, 2, 1, 3, 11), (9, 0, 0, 0, 3, 6), (-3, 0, 0, 0, 0, 0)],
)
def test_the_order_of_reduction(got: int, ap: int, pen: int, doublings: int, tb: int, net: int):
    one = Hit("body", flat=got - 1, reduction=damage.reduction(ap, 0, pen, doublings, tb))
    assert damage.damage_after_armour(Script(1), one, 100) == net


@pytest.mark.clause("DW-COVER-1")
def test_cover_adds_to_armour_on_hidden_places():
    behind, open_ = (damage.reduction(8, cover, 5, 0, 8) for cover in (8, 0))
    assert (behind, open_) == (19, 11)
    found = odds_of(damage.damage_after_armour, hit(reduction=damage.reduction(4, 8, 5, 0, 3)), 40)
    assert (found.at_least(1), found.at_least(10)) == (Fraction(977, 1000), Fraction(213, 500))


@pytest.mark.clause("DW-COVER-1", "DW-QUAL-PRIMITIVE")
@pytest.mark.parametrize(
    ("rulings", "plain", "doubled", "twice"),
    [
        (DEFAULT, 4 + 8 - 5 + 3, 8 + 16 - 5 + 3, 12 + 24 - 5 + 3),
        (Rulings(cover_and_penetration="armour_only"), 0 + 8 + 3, 3 + 16 + 3, 7 + 24 + 3),
        (Rulings(cover_doubles=False), 4 + 8 - 5 + 3, 8 + 8 - 5 + 3, 12 + 8 - 5 + 3),
        (Rulings(ap_doublings="multiply"), 4 + 8 - 5 + 3, 8 + 16 - 5 + 3, 16 + 32 - 5 + 3),
    ],
)
def test_rulings_of_cover_and_doubling(rulings: Rulings, plain: int, doubled: int, twice: int):
    assert [damage.reduction(4, 8, 5, times, 3, rulings) for times in range(3)] == [plain, doubled, twice]


@pytest.mark.clause("DW-QUAL-FELLING")
def test_felling():
    assert [damage.effective_tb(4, m, f) for m, f in ((2, 1), (3, 1), (4, 2), (1, 3), (2, 3))] == [4, 8, 8, 4, 4]
    assert damage.effective_tb(4, 3, 0, flat=2) == 14
    whole = Rulings(felling="whole_trait")
    assert [damage.effective_tb(4, 4, f, rulings=whole) for f in (0, 1)] == [16, 4]


@pytest.mark.clause("DW-QUAL-RAZOR")
def test_a_razor_edge():
    sharp, blunt = (
        apply_qualities(AttackDraft(50, pen=4), names, Defender(ap=(9,) * 6, tb=0)) for names in (["Razor Sharp"], [])
    )
    assert [hit_for(sharp, "body", degrees, True).reduction for degrees in (0, 1, 2, 5)] == [5, 5, 1, 1]
    assert hit_for(blunt, "body", 5, True).reduction == 5


@pytest.mark.clause("DW-QUAL-SANCTIFIED")
def test_holy_damage_changes_no_number_but_passes_over_a_daemon():
    for names, holy_weak, tb in ((["Sanctified"], False, 8), (["Sanctified"], True, 4), ([], True, 8)):
        guard = Defender(tb=4, multiplier=2, weak_to_holy=holy_weak)
        assert apply_qualities(AttackDraft(50), names, guard).hits[0].reduction == tb


@pytest.mark.clause("DW-ARM-2")
def test_of_layers_the_best_counts():
    layers = ("Carapace Armour", "Diagnostor Helmet")
    assert RULESET.ask("hit", armour=layers, place="head").start.hit.ap == 8
    assert RULESET.ask("hit", armour=layers, place="body").start.hit.ap == 6


@pytest.mark.clause("DW-DMG-3", "DW-RF-1")
@pytest.mark.parametrize(("protection", "chance"), [(25, "16/25"), (35, "8/125")])
def test_a_heavy_bolter_against_heavy_protection(protection: int, chance: str):
    """64 % and 6.4 % for 2d10+10 Pen 6 with fury confirmed half the time; a published 69 % and 5 % is wrong."""
    reduced = protection - 6
    found = odds_of(damage.damage_after_armour, hit(2, 0, 10, fury=50, reduction=reduced), 40)
    assert found.at_least(1) == Fraction(chance)
    assert found.at_least(1) == 1 - twin.net(twin.damage(2, 0, 10, Fraction(1, 2), 60), reduced)[0]


@given(
    dice=st.integers(1, 3),
    drop=st.integers(0, 1),
    flat=st.integers(-3, 12),
    fury=st.sampled_from([NO_FURY, 1, 35, 80, SURE]),
    reduction=st.integers(0, 25),
    most=st.integers(5, 45),
)
@settings(max_examples=30, deadline=None)
def test_net_damage_equals_the_twin(dice: int, drop: int, flat: int, fury: int, reduction: int, most: int):
    one = hit(dice, drop, flat, fury=fury, reduction=reduction)
    confirm = Fraction(0) if fury == NO_FURY else Fraction(min(100, fury), 100)
    wanted = twin.net(twin.damage(dice, drop, flat, confirm, most + reduction), reduction)
    assert odds_of(damage.damage_after_armour, one, most).fractions() == wanted
