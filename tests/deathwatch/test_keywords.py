"""Qualities of weapons: names and numbers, what each turns, and the figures of the catalogue."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import asdict

from battletape.clauses import read_clauses
from battletape.errors import BadInput, UnknownName
from battletape.rulesets.deathwatch.rules import keywords
from battletape.rulesets.deathwatch.rules import quality_effects as effects
from battletape.rulesets.deathwatch.rules.attack import stages
from battletape.rulesets.deathwatch.rules.attack.modifiers import Situation, attack_modifiers
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, Defender
from battletape.rulesets.deathwatch.rules.damage import SURE
from battletape.rulesets.deathwatch.rules.keywords import apply_qualities, qualities_named
from battletape.rulesets.deathwatch.rules.traits import Qualities
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from tests.deathwatch import twin
from tests.deathwatch.exactly import whole_attack

EIGHT = Defender(ap=(8,) * 6, tb=8, wounds=60)


def at_least(
    draft: AttackDraft, names: list[str], guard: Defender, *thresholds: int, rulings: Rulings = DEFAULT
) -> list[Fraction]:
    """The chances that an attack does so much damage in all."""
    spec = apply_qualities(draft, names, guard, rulings)
    found = whole_attack(spec)
    total = found.project(lambda after: guard.wounds - after.victim.health)
    return [total.at_least(least) for least in thresholds]


def test_there_are_28_qualities_and_special():
    assert (len(keywords.LISTED), len(keywords.KEYWORDS)) == (28, 29)
    book = read_clauses("battletape.rulesets.deathwatch")
    assert {clause_id for keyword in keywords.KEYWORDS for clause_id in keyword.clauses} == {
        clause.id for clause in book if clause.id.startswith("DW-QUAL-")
    }


def test_every_flag_that_other_rules_ask_for_is_filled_by_a_quality():
    flags: dict[str, Any] = {}
    for keyword in keywords.KEYWORDS:
        has = qualities_named([f"{keyword.name} (3)" if keyword.numbered else keyword.name])
        flags |= {name: value for name, value in asdict(has).items() if value}
    assert flags == {name: 3 if type(value) is int else True for name, value in asdict(Qualities()).items()}


def test_qualities_as_they_are_written():
    assert keywords.parse_quality("Blast (5)").written == "Blast (5)"
    assert keywords.parse_quality(" power field ").written == "Power Field"
    assert keywords.parse_quality("blast(3)").written == "Blast (3)"
    assert qualities_named(["Tearing", "Blast (5)", "Devastating (1)"]) == Qualities(blast=5, devastating=1)
    assert qualities_named(["Blast (1)", "Blast (2)"]) == Qualities(blast=2)
    assert qualities_named([]) == Qualities()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Blast", r"Blast needs a number from 1 to 50 in brackets, such as Blast \(3\); got 'Blast' \(DW-QUAL-BLAST\)"),
        ("Blast (x)", r"in brackets, such as Blast \(3\); got 'Blast \(x\)'"),
        ("Blast (0)", r"got 'Blast \(0\)'"),
        ("Tearing (2)", r"Tearing has no number, write just Tearing; got 'Tearing \(2\)' \(DW-QUAL-TEARING\)"),
        (7, "a quality must be a name such as Tearing"),
    ],
)
def test_a_quality_written_badly_is_refused(text: Any, words: str):
    with pytest.raises(BadInput, match=words):
        keywords.parse_quality(text)


def test_an_unknown_quality_is_refused_with_the_nearest():
    with pytest.raises(UnknownName, match=r"there is no quality 'Tering' \(DW-QUAL-TEARING\)\. Did you mean 'Tearing'"):
        qualities_named(["Tering"])


def test_the_same_qualities_make_the_same_attack():
    draft = AttackDraft(50, mode="full", rof=4)
    assert apply_qualities(draft, ["Tearing", "Storm"], EIGHT) == apply_qualities(
        draft, ["storm", "Tearing", "Tearing"], EIGHT
    )


@pytest.mark.clause("DW-QUAL-ACCURATE")
def test_accurate_shots():
    stalker = AttackDraft(50, attack_modifiers(Situation(aim="full"), False), aim_bonus=20, dice=2, flat=5, pen=5)
    assert apply_qualities(stalker, ["Accurate"], EIGHT).target == 80
    chances = at_least(stalker, ["Accurate", "Tearing"], EIGHT, 1, 10, 20)
    assert chances == [Fraction("197699/250000"), Fraction("75621/125000"), Fraction("55069/250000")]
    wanted: twin.Dist = {}
    by_dice = {more: twin.net(twin.damage(2 + more, 1, 5, Fraction(0), 99), 11) for more in range(3)}
    for chance, _, degrees, hits, _ in twin.rolls(80):
        dist = by_dice[min(2, degrees // 2)] if hits else {0: Fraction(1)}
        for got, luck in dist.items():
            twin.add(wanted, got, chance * luck)
    assert chances == [sum(chance for got, chance in wanted.items() if got >= least) for least in (1, 10, 20)]


@pytest.mark.clause("DW-QUAL-ACCURATE")
@pytest.mark.parametrize(
    ("more", "rulings"),
    [
        ({"aim_bonus": 0}, DEFAULT),
        ({"kind": "Pistol"}, DEFAULT),
        ({"kind": "Heavy"}, DEFAULT),
        ({"mode": "semi", "rof": 2}, DEFAULT),
        ({"two_weapons": True}, DEFAULT),
        ({}, Rulings(accurate_dice=False)),
    ],
)
def test_where_accurate_shots_have_no_dice_more(more: dict[str, Any], rulings: Rulings):
    draft = AttackDraft(**{"skill": 50, "aim_bonus": 10, **more})
    spec = apply_qualities(draft, ["Accurate"], rulings=rulings)
    assert not spec.accurate
    assert spec.target == (60 if draft.aim_bonus else 50)
    assert apply_qualities(AttackDraft(50, aim_bonus=10), ["Accurate"]).accurate
    spec = apply_qualities(AttackDraft(50, aim_bonus=10), ["Accurate"])
    assert [stages.hit_for(spec, "body", degrees, True).dice for degrees in (0, 1, 2, 3, 4, 9)] == [1, 1, 2, 2, 3, 3]


@pytest.mark.clause("DW-QUAL-DEFENSIVE")
def test_defensive_weapons_hit_less():
    spec = apply_qualities(AttackDraft(50, melee=True), ["Defensive"])
    assert (spec.target, spec.modifiers[0].clause) == (40, "DW-QUAL-DEFENSIVE")


@pytest.mark.clause("DW-QUAL-GYRO")
def test_gyro_stabilised_weapons():
    added = attack_modifiers(Situation(band="extreme", heavy=True, braced=False, gyro=True), False)
    spec = apply_qualities(AttackDraft(50, added, kind="Heavy", band="extreme"), ["Gyro-Stabilised"])
    assert (spec.total, spec.target) == (-30, 20)


@pytest.mark.clause("DW-QUAL-PRIMITIVE")
def test_primitive_weapons():
    normal, primitive = Defender(ap=(4,) * 6, tb=3), Defender(ap=(4,) * 6, tb=3, primitive=True)
    assert apply_qualities(AttackDraft(50), ["Primitive"], normal).hits[0].reduction == 11
    assert apply_qualities(AttackDraft(50), ["Primitive"], primitive).hits[0].reduction == 7
    long = AttackDraft(50, band="long")
    assert apply_qualities(long, ["Primitive", "Scatter"], normal).hits[0].reduction == 15
    assert (
        apply_qualities(long, ["Primitive", "Scatter"], normal, Rulings(ap_doublings="multiply")).hits[0].reduction
        == 19
    )


@pytest.mark.clause("DW-QUAL-FELLING", "DW-QUAL-SANCTIFIED")
def test_felling_and_holy_weapons():
    guard = Defender(ap=(8,) * 6, tb=4, multiplier=3, flat_tb=1)
    assert apply_qualities(AttackDraft(50, pen=5), ["Felling (1)"], guard).hits[0].reduction == 3 + 8 + 1
    assert apply_qualities(AttackDraft(50, pen=5), ["Sanctified"], guard).hits[0].reduction == 3 + 12 + 1
    daemon = Defender(ap=(8,) * 6, tb=4, multiplier=3, flat_tb=1, weak_to_holy=True)
    assert apply_qualities(AttackDraft(50, pen=5), ["Sanctified"], daemon).hits[0].reduction == 3 + 4 + 1


@pytest.mark.clause("DW-QUAL-RAZOR")
def test_razor_sharp_weapons_go_with_the_attack_roll():
    guard = Defender(ap=(8, 8, 8, 10, 8, 8), tb=8, wounds=60)
    blade = AttackDraft(65, melee=True, dice=1, flat=10, pen=4)
    assert at_least(blade, ["Razor Sharp"], guard, 1, 3) == [Fraction(297, 500), Fraction(129, 250)]


@pytest.mark.clause("DW-QUAL-TEARING")
def test_tearing_by_both_readings():
    draft = AttackDraft(100, melee=True, dice=2)
    assert apply_qualities(draft, ["Tearing"]).hits[0].dropped_dice == 1
    other = apply_qualities(draft, ["Tearing"], rulings=Rulings(tearing="each_die_best_of_two")).hits[0]
    assert (other.dropped_dice, other.better_of_two) == (0, True)


@pytest.mark.clause("DW-QUAL-VOLATILE")
def test_volatile_weapons_have_fury_without_eligibility():
    assert apply_qualities(AttackDraft(50), ["Volatile"]).hits[0].fury == SURE
    guard = Defender(ap=(14,) * 6, tb=8, wounds=60)
    gun = AttackDraft(55, mode="semi", rof=2, dice=1, flat=9, pen=8)
    wanted = [Fraction("29/80"), Fraction("243/2000"), Fraction("603/10000")]
    assert at_least(gun, ["Volatile"], guard, 1, 5, 10) == wanted


@pytest.mark.clause("DW-QUAL-SPECIAL")
def test_claws_and_force_weapons():
    claws = apply_qualities(AttackDraft(60, melee=True, special="claws", flat=14), ["Special"])
    pair = apply_qualities(AttackDraft(60, melee=True, special="claws", flat=14, claw_pair=True), ["Special"])
    assert [stages.hit_for(one, "body", 4, True).flat for one in (claws, pair)] == [18, 22]
    staff = AttackDraft(60, melee=True, special="force", flat=9, pen=1, psy_rating=4)
    force = apply_qualities(staff, ["Special"], Defender(ap=(8,) * 6, tb=3))
    assert (force.hits[0].flat, force.hits[0].reduction, force.extra_effects) == (13, 3 + 3, ())
    assert apply_qualities(AttackDraft(60, melee=True, flat=9), ["Special"]).hits[0].flat == 9
    assert [keywords.special_of(group) for group in ("Power", "Force", "Chain")] == ["claws", "force", ""]


@pytest.mark.clause("DW-CORE-DOSMIN")
def test_degrees_raise_a_die_of_the_first_hit_only():
    spec = apply_qualities(AttackDraft(80, mode="full", rof=4, dice=1), rulings=Rulings(dos_minimum_die=True))
    assert [stages.hit_for(spec, "body", 7, first).min_die for first in (True, False)] == [7, 0]
    assert stages.hit_for(apply_qualities(AttackDraft(80)), "body", 7, True).min_die == 0


def test_what_other_modules_ask_of_a_weapon_turns_nothing_here():
    plain = apply_qualities(AttackDraft(50), (), EIGHT)
    for name in ("Balanced", "Unbalanced", "Unwieldy", "Recharge"):
        assert apply_qualities(AttackDraft(50), [name], EIGHT) == plain
    for name, tail in {"Smoke": "smoke", "Haywire (3)": "haywire"}.items():
        assert apply_qualities(AttackDraft(50), [name], EIGHT).extra_effects == (tail,)
    for name, follow in {
        "Concussive": effects.concuss,
        "Snare": effects.ensnare,
        "Flame": effects.catch_fire,
    }.items():
        assert apply_qualities(AttackDraft(50), [name], EIGHT).attack_effects == (follow,)
    poisoned = apply_qualities(AttackDraft(50), ["Shocking", "Toxic"], EIGHT)
    acts = [(act.effect, act.roll, act.afflicts) for act in poisoned.hits[0].hit_effects]  # damage before conditions
    assert acts == [
        (effects.apply_poison, effects.poison, False),
        (effects.apply_shock, effects.shock, True),
    ]
    assert apply_qualities(AttackDraft(50), ["Flame"], EIGHT).flame
