"""Penetration and damage: tables by hand, results that pass over to others, each ruling, and the question damage."""

from __future__ import annotations

import pickle
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import Any

import pytest
from msgspec.structs import replace

from battletape.procedure import odds_of
from battletape.rulesets.vehicles5.rules import damage
from battletape.rulesets.vehicles5.rules.damage import (
    HIGHEST_TOTAL,
    Condition,
    Severity,
    condition_summary,
    effective_row,
    penetrate,
    penetration_result,
    row_of_value,
    worst_change,
)
from battletape.rulesets.vehicles5.rules.shooting import Shot, begin_volleys, next_turn, resolve_shot
from battletape.rulesets.vehicles5.rules.traits import Ap, DamageRow, Hit, PenDice, Traits
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.tables.printed import DAMAGE_TABLE
from battletape.tape import Tape
from battletape.tape.script import Script
from tests.vehicles5.asking import RULES, ask, chance_of, rows
from tests.vehicles5.by_hand import apply_results, label, suffer, total
from tests.vehicles5.closed_forms import penetration

ROWS = tuple(DAMAGE_TABLE.values())


def scored(by: int) -> Shot:
    """A penetration that has been scored, with this modifier of its damage roll."""
    return Shot("", 0, False, False, 0, "d6", by, 0, known_result="penetrate")


TABLE_11_2: list[tuple[Hit, Ap | None, bool, int, str]] = [
    ("glance", "-", False, -3, "2/3 1/6 1/6 0 0 0"),
    ("glance", None, False, -2, "1/2 1/6 1/6 1/6 0 0"),
    ("glance", 1, False, -1, "1/3 1/6 1/6 1/6 1/6 0"),
    ("glance", "-", True, -2, "1/2 1/6 1/6 1/6 0 0"),
    ("glance", 6, True, -1, "1/3 1/6 1/6 1/6 1/6 0"),
    ("glance", 1, True, 0, "1/6 1/6 1/6 1/6 1/6 1/6"),
    ("penetrate", "-", False, -1, "1/3 1/6 1/6 1/6 1/6 0"),
    ("penetrate", 2, False, 0, "1/6 1/6 1/6 1/6 1/6 1/6"),
    ("penetrate", 1, False, 1, "0 1/6 1/6 1/6 1/6 1/3"),
    ("penetrate", "-", True, 0, "1/6 1/6 1/6 1/6 1/6 1/6"),
    ("penetrate", None, True, 1, "0 1/6 1/6 1/6 1/6 1/3"),
    ("penetrate", 1, True, 2, "0 0 1/6 1/6 1/6 1/2"),
]
TABLE_11_4 = {
    # weapons, immobilised: chance to be destroyed by 1 to 6 damage rolls at -2, 0 and +1
    (1, False): ("0 0 1/27 1/9 17/81 233/729", "1/3 5/9 20/27 70/81 227/243 707/729", "1/2 3/4 197/216 421/432"),
    (2, False): ("0 0 0 1/81 11/243 73/729", "1/3 5/9 19/27 22/27 217/243 229/243", "1/2 3/4 7/8 1231/1296"),
    (3, False): ("0 0 0 0 1/243 13/729", "1/3 5/9 19/27 65/81 212/243 224/243", "1/2 3/4 7/8 15/16"),
    (0, True): ("1/3 5/9 19/27 65/81 211/243 665/729", "2/3 8/9 26/27 80/81", "5/6 35/36 215/216"),
}


@pytest.mark.clause("V5-DMGMOD-1", "V5-DMGMOD-2", "V5-DMGMOD-3", "V5-DMGMOD-4", "V5-DMGMOD-5", "V5-OPEN-5", "V5-PEN-4")
@pytest.mark.parametrize(("hit", "ap", "open_topped", "by", "chances"), TABLE_11_2)
def test_damage_table(hit: Hit, ap: Ap | None, open_topped: bool, by: int, chances: str) -> None:
    found = damage.modifier_of_result(damage.damage_modifier(ap, open_topped), hit)
    assert found == by
    odds = odds_of(damage.roll_row, "", found)
    assert [odds.chance(row) for row in ROWS] == [Fraction(one) for one in chances.split()]


@pytest.mark.clause("V5-DMGMOD-2")
def test_hits_without_ap() -> None:
    assert damage.damage_modifier(None, False) == 0
    assert damage.damage_modifier(None, False, Rulings(ap_none_modifier=-1)) == -1
    assert damage.damage_modifier("-", False, Rulings(ap_none_modifier=-1)) == -1
    assert damage.damage_modifier(3, True, extra=2) == 3


@pytest.mark.clause("V5-DMGMOD-5")
def test_results_outside_the_table() -> None:
    assert [damage.row_of_value(value) for value in (-3, 0, 1, 6, 9)] == ["shaken"] * 3 + ["exploded"] * 2
    assert [damage.row_of_value(value, "nothing") for value in (0, 1, 9)] == ["none", "shaken", "exploded"]
    odds = odds_of(damage.roll_row, "", -2, "nothing")
    assert (odds.chance("none"), odds.chance("shaken")) == (Fraction(1, 3), Fraction(1, 6))


@pytest.mark.clause("V5-MARK-1", "V5-DMG-1", "V5-DMG-2", "V5-DMG-3", "V5-DMG-4", "V5-CUMUL", "V5-SKIM-7")
@pytest.mark.parametrize(
    ("weapons", "immobilised", "crash", "row", "done"),
    [
        (1, False, "no", "none", "none"),
        (1, False, "no", "shaken", "shaken"),
        (1, False, "no", "stunned", "stunned"),
        (1, False, "no", "weapon_destroyed", "weapon_destroyed"),
        (0, False, "no", "weapon_destroyed", "immobilised"),
        (0, True, "no", "weapon_destroyed", "wrecked"),
        (1, True, "no", "weapon_destroyed", "weapon_destroyed"),
        (1, False, "no", "immobilised", "immobilised"),
        (0, False, "no", "immobilised", "immobilised"),
        (1, True, "no", "immobilised", "weapon_destroyed"),
        (0, True, "no", "immobilised", "wrecked"),
        (2, False, "no", "wrecked", "wrecked"),
        (2, False, "no", "exploded", "exploded"),
        (1, False, "every", "immobilised", "wrecked"),
        (0, False, "every", "weapon_destroyed", "wrecked"),
        (1, False, "every", "weapon_destroyed", "weapon_destroyed"),
        (1, True, "every", "immobilised", "weapon_destroyed"),
        (1, False, "row", "immobilised", "wrecked"),
        (0, False, "row", "weapon_destroyed", "immobilised"),
    ],
)
def test_what_a_result_does(weapons: int, immobilised: bool, crash: str, row: DamageRow, done: DamageRow) -> None:
    before = Condition(immobilised=immobilised, weapons=("gun",) * weapons, crash=crash)  # type: ignore[arg-type]
    assert effective_row(before, row) == done
    after = suffer(Script(), before, row)
    assert after.status == (done if done in ("wrecked", "exploded") else "ok")
    assert len(after.weapons) == weapons - (done == "weapon_destroyed")
    assert (after.shaken, after.stunned) == (done == "shaken", done == "stunned")
    assert apply_results(before, [row]) == after


@pytest.mark.clause("V5-CUMUL")
def test_results_without_a_use_may_be_wasted() -> None:
    spent = Condition(immobilised=True, passes_over=False)
    assert effective_row(spent, "weapon_destroyed") == effective_row(spent, "immobilised") == "none"
    armed = Condition(immobilised=True, weapons=("gun",), passes_over=False)
    assert effective_row(armed, "immobilised") == "none"
    assert effective_row(armed, "weapon_destroyed") == "weapon_destroyed"
    assert effective_row(Condition(passes_over=False), "weapon_destroyed") == "none"
    assert suffer(Script(), spent, "immobilised") == spent


@pytest.mark.clause("V5-SKIM-7")
def test_who_crashes() -> None:
    skimmer = Traits(skimmer=True, fast=True)
    assert damage.crash_of(skimmer, "flat_out") == "every"
    assert damage.crash_of(skimmer, "flat_out", Rulings(crash_on="row_only")) == "row"
    assert damage.crash_of(skimmer, "cruising") == damage.crash_of(Traits(fast=True), "flat_out") == "no"
    flat_out = Condition(weapons=("gun",), crash="every")
    odds = odds_of(resolve_shot, flat_out, scored(0))
    assert odds.chance(lambda one: one.status == "wrecked") == Fraction(1, 3)
    assert odds.chance(lambda one: one.is_destroyed) == Fraction(1, 2)


@pytest.mark.clause("V5-DMG-3")
def test_the_attacker_chooses_the_weapon() -> None:
    before = Condition(weapons=("lascannon", "bolter", "lascannon"))
    assert damage.weapon_choice(before) == (("weapon_destroyed",), ("lascannon", "bolter"))
    tape = Script("bolter")
    assert suffer(tape, before, "weapon_destroyed", by="red").weapons == ("lascannon", "lascannon")
    ask, _ = tape.trail[0]
    assert (ask.label, ask.by, ask.options) == ("weapon destroyed", "red", ("lascannon", "bolter"))
    assert ask.clauses == ("V5-DMG-3",)
    assert suffer(Script(), Condition(weapons=("bolter",) * 2), "weapon_destroyed").weapons == ("bolter",)
    assert apply_results(before, ["weapon_destroyed"], pick=max).weapons == ("bolter", "lascannon")


@pytest.mark.clause("V5-DMG-3")
def test_close_combat_weapons_can_be_lost_by_ruling() -> None:
    names, melee = ("assault cannon", "claw"), ("claw",)
    assert damage.condition_with(names, melee).weapons == names
    lasting = damage.condition_with(names, melee, rulings=Rulings(melee_weapon_can_be_destroyed=False))
    assert (lasting.weapons, lasting.melee) == (("assault cannon",), melee)


@pytest.mark.clause("V5-CUMUL", "V5-MARK-4")
@pytest.mark.parametrize("weapons", range(4))
@pytest.mark.parametrize("immobilised", [False, True])
def test_order_does_not_matter_and_slots_decide(weapons: int, immobilised: bool) -> None:
    start = Condition(weapons=("gun",) * weapons, immobilised=immobilised)
    slots = weapons + 1 - immobilised
    rows: tuple[DamageRow, DamageRow] = ("weapon_destroyed", "immobilised")
    for count in range(1, 7):
        for picked in combinations_with_replacement(rows, count):
            ends = {apply_results(start, order) for order in set(permutations(picked))}
            assert len(ends) == 1
            (end,) = ends
            assert end.is_destroyed == (count > slots)
            if not end.is_destroyed:
                fours, threes = picked.count("immobilised"), picked.count("weapon_destroyed")
                assert end.immobilised == (immobilised or fours > 0 or threes > weapons)
                assert len(end.weapons) + (not end.immobilised) == slots - count


@pytest.mark.clause("V5-VOLLEY-2")
def test_a_wreck_explodes_in_a_batch_only() -> None:
    start = Condition(weapons=("gun",) * 2)
    assert apply_results(start, ["wrecked", "exploded"]).status == "wrecked"
    assert apply_results(start, ["wrecked", "shaken", "exploded"], "batch").status == "exploded"
    assert not apply_results(start, ["wrecked", "shaken"], "batch").shaken
    assert effective_row(apply_results(start, ["wrecked"]), "exploded") == "none"


@pytest.mark.clause("V5-MARK-1")
def test_of_the_destroyed_only_the_end_is_kept() -> None:
    start = Condition(weapons=("gun",), shaken=True, crash="every")
    crashed = suffer(Script(), start, "immobilised")
    assert (crashed.status, crashed.immobilised, crashed.shaken) == ("wrecked", True, True)
    assert damage.forget_damage_if_destroyed(crashed) == Condition(status="wrecked")
    assert damage.forget_damage_if_destroyed(start) is start


def rolls(tape: Tape, start: Condition, count: int, by: int) -> Condition:
    return tape.each(resolve_shot, start, (scored(by),) * count)


@pytest.mark.clause("V5-MARK-3", "V5-MARK-4")
@pytest.mark.parametrize(("weapons", "immobilised"), TABLE_11_4)
def test_many_damage_rolls(weapons: int, immobilised: bool) -> None:
    start = Condition(weapons=("gun",) * weapons, immobilised=immobilised)
    for by, chances in zip((-2, 0, 1), TABLE_11_4[weapons, immobilised], strict=True):
        for count, chance in enumerate(chances.split(), 1):
            odds = odds_of(rolls, start, count, by)
            assert odds.chance(lambda one: one.is_destroyed) == Fraction(chance)


@pytest.mark.clause("V5-MARK-3", "V5-MARK-1")
@pytest.mark.parametrize("by", range(-3, 3))
def test_many_damage_rolls_counted_over_all_faces(by: int) -> None:
    start = Condition(weapons=("gun",))
    counts: dict[str, int] = {}
    for faces in product(range(1, 7), repeat=3):
        end = label(apply_results(start, [damage.row_of_value(face + by) for face in faces]))
        counts[end] = counts.get(end, 0) + 1
    odds = odds_of(rolls, start, 3, by).project(label)
    assert odds == {end: Fraction(count, 216) for end, count in counts.items()}


@pytest.mark.clause("V5-DMG-1", "V5-DMG-2")
def test_how_long_shaken_and_stunned_last() -> None:
    assert damage.end_of_daze(4, is_owners=False) == 5
    assert damage.end_of_daze(3, is_owners=True) == 5
    assert damage.end_of_daze(3, is_owners=True, rulings=Rulings(shaken_in_own_turn="this_turn")) == 3
    assert damage.end_of_daze(4, is_owners=False, rulings=Rulings(shaken_in_own_turn="this_turn")) == 5
    volley = begin_volleys(Condition(shaken=True, stunned=True, immobilised=True), ((), ()))
    assert next_turn(Script(), volley).now == Condition(immobilised=True)


@pytest.mark.clause("V5-CUMUL", "V5-DMG-1")
def test_shaken_again() -> None:
    adds_up = Rulings(repeated_shaken="adds_up")
    assert damage.end_of_repeated_daze(5, 4, False) == 5
    assert damage.end_of_repeated_daze(5, 4, False, adds_up) == 7
    assert damage.end_of_repeated_daze(5, 6, False, adds_up) == 7
    assert damage.end_of_repeated_daze(0, 4, False, adds_up) == 5


def test_labels() -> None:
    assert label(Condition(weapons=("a", "b"))) == "w2"
    assert label(Condition(shaken=True, stunned=True, immobilised=True)) == "w0_im_sh_st"
    assert label(Condition(status="exploded", shaken=True)) == "exploded"
    assert DEFAULT.repeat_damage == "pass_over"


@pytest.mark.clause("V5-DMG-1", "V5-DMG-6")
def test_the_worst_that_happened_follows_the_table():
    start = Condition(weapons=("gun",))
    ends = {
        "no worse than before": start,
        "shaken": Condition(weapons=("gun",), shaken=True),
        "stunned": Condition(weapons=("gun",), shaken=True, stunned=True),
        "weapon lost": Condition(stunned=True),
        "immobilised": Condition(immobilised=True),
        "wrecked": Condition(status="wrecked"),
        "exploded": Condition(status="exploded"),
    }
    found = [worst_change(start, end) for end in ends.values()]
    assert found == list(ends)
    assert sorted([*found[3:], *found[:3]]) == found
    assert found[4] >= "immobilised" > found[3]
    assert found[1] <= "shaken" < found[2]


@pytest.mark.clause("V5-CUMUL", "V5-DMG-3", "V5-DMG-4")
def test_a_condition_reads_as_words_and_the_worse_stands_later() -> None:
    armed = Condition(weapons=("gun", "other gun"))
    conditions = (
        armed,
        replace(armed, shaken=True),
        replace(armed, stunned=True),
        replace(armed, stunned=True, shaken=True),
        replace(armed, weapons=("gun",)),
        replace(armed, weapons=()),
        replace(armed, immobilised=True),
        replace(armed, weapons=("gun",), immobilised=True),
        Condition(status="wrecked"),
        Condition(status="exploded"),
    )
    words = [condition_summary(one, 2) for one in conditions]
    assert words == [
        "in order",
        "shaken",
        "stunned",
        "stunned, shaken",
        "one weapon lost",
        "two weapons lost",
        "immobilised",
        "one weapon lost, immobilised",
        "wrecked",
        "exploded",
    ]
    assert sorted(words) == words
    assert condition_summary(replace(armed, weapons=())) == "in order"  # nobody says how many there were
    assert condition_summary(Condition(), 9) == "9 weapons lost"
    assert condition_summary(Condition(), 40) > "two weapons lost, stunned" > condition_summary(armed, 3)
    assert pickle.loads(pickle.dumps(words)) == words
    assert pickle.loads(pickle.dumps(words[5])).severity == Severity(weapons_lost=2)
    with pytest.raises(TypeError, match="'dented' is no result of the damage table"):
        sorted([*words, "dented"])


@pytest.mark.clause("V5-CUMUL")
def test_shaken_again_is_counted_where_somebody_asks() -> None:
    plain = apply_results(Condition(), ("shaken", "shaken", "stunned", "stunned", "stunned"))
    assert (plain.shaken, plain.stunned, plain.shaken_again, plain.stunned_again) == (True, True, 0, 0)
    counted = apply_results(Condition(max_repeats=100), ("shaken", "shaken", "stunned", "stunned", "stunned"))
    assert (counted.shaken_again, counted.stunned_again) == (1, 2)
    assert apply_results(Condition(max_repeats=1), ("stunned",) * 4).stunned_again == 1


@pytest.mark.clause("V5-MARK-3", "V5-PEN-4", "V5-DMGMOD-1", "V5-DMGMOD-5", "V5-VOLLEY-2")
@pytest.mark.parametrize("order", ["sequential", "batch"])
def test_damage_rolls_counted_over_all_faces(order: Any) -> None:
    hits = [{"hit": "glance", "count": 2}, {"hit": "penetrate", "ap": 1}]
    answer = RULES.ask("damage", weapons=1, types=["open_topped"], hits=hits, volley_order=order)
    ends = [
        apply_results(
            Condition(weapons=("weapon",)), [row_of_value(a - 1), row_of_value(b - 1), row_of_value(c + 2)], order
        )
        for a, b, c in product(range(1, 7), repeat=3)
    ]
    for measure, is_so in (
        ("destroyed", lambda end: end.is_destroyed),
        ("exploded", lambda end: end.status == "exploded"),
        ("immobilised_or_worse", lambda end: end.is_destroyed or end.immobilised),
    ):
        assert answer.odds(measure).chance(1) == Fraction(sum(map(is_so, ends)), 216), measure
    assert rows(answer)[0] == ("1", "0: shaken", "3: weapon destroyed")


@pytest.mark.clause("V5-DMG-3", "V5-MARK-3")
def test_damage_is_rolled_with_dice_of_ones_own_and_the_attacker_picks() -> None:
    names = ["cannon", "stubber"]
    found = RULES.roll("damage", tape=Script(3, "stubber"), weapon_names=names, hits=[{"count": 1}])
    assert found.state.now.weapons == ("cannon",)
    wreck = RULES.roll("damage", tape=Script(5), weapon_names=names, hits=[{"count": 3}])  # a wreck is not rolled for
    assert (wreck.state.now.status, wreck.results["weapons_lost"]) == ("wrecked", 2)


@pytest.mark.clause("V5-SKIM-7", "V5-FAST-1")
def test_damage_knows_who_crashes_and_who_cannot_be_so_fast() -> None:
    fast = RULES.ask("damage", types=["fast", "skimmer"], band="flat_out")
    assert fast.odds("wrecked").chance(1) == Fraction(2, 6)


@pytest.mark.clause("V5-DMG-3", "V5-WALK-16")
def test_a_fist_is_no_gun() -> None:
    given: dict[str, Any] = {"types": "walker", "guns": [{"strength": 1}]}
    assert chance_of("shoot", "cannot_shoot_next_turn", weapon_names="fist", melee_weapons="fist", **given) == 1
    assert chance_of("shoot", "cannot_shoot_next_turn", weapon_names="fist, gun", melee_weapons="fist", **given) == 0
    strider = {"vehicle": "Warden strider", "weapon_names": "Dreadnought close combat weapon"}
    assert chance_of("shoot", "cannot_shoot_next_turn", **strider, guns=[{"strength": 1}]) == 1
    assert not Condition(weapons=("fist", "gun"), melee=("fist",)).is_silent
    assert Condition(weapons=("fist",), melee=("fist",)).is_silent


F = Fraction


@pytest.mark.clause("V5-DMG-1", "V5-DMG-3")
def test_a_shaken_vehicle_shaken_again_is_no_worse() -> None:
    worst = ask("shoot", shaken=True, guns=[{"auto": True, "strength": 6, "ap": 4}]).odds("worst")
    assert "unharmed" not in worst.values()
    assert worst.chance("no worse than before") == F(5, 6) + F(1, 6) * F(3, 6)
    rolled = RULES.roll("shoot", weapons=2, guns=[{"auto": True, "strength": 10, "extra": -10}], seed=1)
    assert "without a weapon" not in str(rolled)


TABLE = """
0    0 1        0 1           0 1          0 1
1    1/6 5/6    1/36 35/36    0 1          1/6 5/6
2    1/6 2/3    1/12 8/9      1/36 35/36   1/6 2/3
3    1/6 1/2    5/36 3/4      1/18 11/12   1/6 1/2
4    1/6 1/3    7/36 5/9      1/12 5/6     1/6 1/3
5    1/6 1/6    1/4 11/36     1/9 13/18    1/6 1/6
6    1/6 0      11/36 0       5/36 7/12    0 1/6
7    0 0        0 0           1/6 5/12     1/18 1/9
8    0 0        0 0           5/36 5/18    1/18 1/18
9    0 0        0 0           1/9 1/6      1/18 0
10   0 0        0 0           1/12 1/12    0 0
11   0 0        0 0           1/18 1/36    0 0
12   0 0        0 0           1/36 0       0 0
13   0 0        0 0           0 0          0 0
"""
DICE: tuple[PenDice, ...] = ("d6", "higher_of_two", "2d6", "six_adds_d3")
CASES = [
    (dice, int(gap), Fraction(cells[2 * at]), Fraction(cells[2 * at + 1]))
    for gap, *cells in (line.split() for line in TABLE.strip().splitlines())
    for at, dice in enumerate(DICE)
]


@pytest.mark.clause("V5-PEN-1", "V5-PEN-2", "V5-PEN-3", "V5-CORE-11", "V5-CORE-12")
@pytest.mark.parametrize(("dice", "gap", "glance", "through"), CASES)
def test_penetration_by_gap_agrees_with_the_table(dice: PenDice, gap: int, glance: Fraction, through: Fraction) -> None:
    odds = odds_of(penetrate, "gun", dice, gap)
    assert (odds.chance("glance"), odds.chance("penetrate")) == (glance, through)
    assert odds.chance("none") == 1 - glance - through
    assert penetration(dice, gap) == (glance, through)


D6 = range(1, 7)
THROWS: dict[PenDice, list[tuple[int, ...]]] = {
    "d6": [(a,) for a in D6],
    "higher_of_two": list(product(D6, D6)),
    "2d6": list(product(D6, D6)),
    "six_adds_d3": [(a, b) if a == 6 else (a, 0) for a in D6 for b in (1, 2, 3)],
}


@pytest.mark.clause("V5-PEN-1", "V5-PEN-2", "V5-PEN-3", "V5-CORE-11", "V5-CORE-12")
@pytest.mark.parametrize("dice", DICE)
@pytest.mark.parametrize("gap", range(-3, 15))
def test_penetration_counted_over_all_faces(dice: PenDice, gap: int) -> None:
    throws = THROWS[dice]
    counted = Counter(penetration_result(gap, total(dice, rolls)) for rolls in throws)
    odds = odds_of(penetrate, "gun", dice, gap)
    assert odds == {hit: Fraction(count, len(throws)) for hit, count in counted.items()}


@pytest.mark.clause("V5-PEN-2", "V5-CORE-11")
@pytest.mark.parametrize(
    ("dice", "strength", "figures"),
    [
        # chance to penetrate AV 10 to 14 by a demolisher cannon and by a melta gun at close range, as published in
        # “Ordnance Armour Penetration, 2d6 Highest Roll Statistics, and the Melta Gun” on 18 May 2009:
        # http://warpstoneflux.blogspot.com/2009/05/ordnance-armour-penetration-2d6-highest.html
        ("higher_of_two", 10, (1.000, 0.972, 0.889, 0.750, 0.556)),
        ("2d6", 8, (0.972, 0.917, 0.833, 0.722, 0.583)),
    ],
)
def test_published_figures(dice: PenDice, strength: int, figures: tuple[float, ...]) -> None:
    for av, figure in zip(range(10, 15), figures, strict=True):
        chance = odds_of(penetrate, "", dice, av - strength).chance("penetrate")
        assert round(float(chance), 3) == figure


@pytest.mark.clause("V5-PEN-3", "V5-PEN-2", "V5-CORE-12")
@pytest.mark.parametrize(
    ("dice", "gap", "answers", "hit"),
    [
        ("d6", 3, (3,), "glance"),
        ("d6", 3, (4,), "penetrate"),
        ("d6", 3, (2,), "none"),
        ("higher_of_two", 5, (2, 5), "glance"),
        ("higher_of_two", 5, (6, 1), "penetrate"),
        ("higher_of_two", 5, (4, 4), "none"),
        ("2d6", 6, (6,), "glance"),
        ("six_adds_d3", 6, (5,), "none"),
        ("six_adds_d3", 7, (6, 1), "glance"),
        ("six_adds_d3", 7, (6, 2), "penetrate"),
        ("six_adds_d3", 9, (6, 2), "none"),
    ],
)
def test_one_throw(dice: PenDice, gap: int, answers: tuple[int, ...], hit: Hit) -> None:
    tape = Script(*answers)
    assert penetrate(tape, "gun", dice, gap) == hit
    assert tape.used_up


@pytest.mark.parametrize("dice", DICE)
def test_the_highest_throw_still_glances(dice: PenDice) -> None:
    assert odds_of(penetrate, "", dice, HIGHEST_TOTAL[dice]).chance("glance") > 0
    assert odds_of(penetrate, "", dice, HIGHEST_TOTAL[dice] + 1).chance("none") == 1


def test_the_dice_say_what_they_need() -> None:
    tape = Script(6, 3)
    penetrate(tape, "assault cannon", "six_adds_d3", 8)
    assert [ask.label for ask, _ in tape.trail] == ["assault cannon: penetration", "assault cannon: D3 more"]
    assert tape.trail[1][0].needed == "glance 2, penetrate 3+"
