"""Hordes: sizes, hits, losses and nerve; whole attacks against a twin by faces and binomials."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb

import pytest

from battletape.errors import BadInput, UnknownName
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.rules import hordes, suppression
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft
from battletape.rulesets.deathwatch.rules.attack.stages import attack_reading, hit_for
from battletape.rulesets.deathwatch.rules.damage import damage_after_armour
from battletape.rulesets.deathwatch.rules.hordes import (
    Crowd,
    HordeAttack,
    NerveCheck,
    attack_horde,
    hits_on,
    horde_defender,
    make_horde_attack,
    take_hits,
)
from battletape.rulesets.deathwatch.rules.traits import Modifier
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.tape.script import Script
from tests.deathwatch.battles import Said
from tests.deathwatch.exactly import odds_of

PER_HIT = Rulings(horde_explosive="per_hit")
ONCE = Rulings(horde_blast="once")
DEEP = Rulings(horde_devastating="per_hit_magnitude")
LEAST = Rulings(horde_melee_minimum=1)
BOLTER = AttackDraft(50, (Modifier("burst and range", 30),), mode="full", rof=4, dice=2, flat=5, pen=5, damage_type="X")

Dist = dict[int, Fraction]


def chance_of_hurt(dice: int, flat: int, reduction: int, tearing: bool = False) -> Fraction:
    """The chance that a hit does damage, face by face."""
    rolls = list(product(range(1, 11), repeat=dice + tearing))
    good = sum(sum(sorted(roll, reverse=True)[:dice]) + flat > reduction for roll in rolls)
    return Fraction(good, len(rolls))


def losses(hits: Dist, hurt: Fraction, magnitude: int, takes: int = 1) -> Dist:
    """Magnitude lost, for a number of hits of which each hurts with the same chance."""
    found: Dist = {}
    for number, chance in hits.items():
        for good in range(number + 1):
            lost = min(magnitude, good * takes)
            ways = comb(number, good) * hurt**good * (1 - hurt) ** (number - good)
            found[lost] = found.get(lost, Fraction(0)) + chance * ways
    return {lost: chance for lost, chance in found.items() if chance}


def burst(target: int, rof: int, count: Callable[[int], int]) -> Dist:
    """Hits of full auto on a horde, roll by roll."""
    found: Dist = {}
    for roll in range(1, 101):
        scored = min(rof, 1 + (target - roll) // 10) if roll <= target and roll < 94 else 0
        hits = count(scored) if scored else 0
        found[hits] = found.get(hits, Fraction(0)) + Fraction(1, 100)
    return found


def lost(attack: HordeAttack, magnitude: int) -> Dist:
    return (
        odds_of(attack_horde, attack, Crowd(magnitude)).project(lambda after: magnitude - after.magnitude).fractions()
    )


# --- size and traits --------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-HORDE-2")
def test_sizes():
    sizes = {0: 0, 9: 0, 10: 10, 19: 10, 20: 20, 29: 20, 30: 30, 59: 30, 60: 40, 89: 40, 90: 50, 119: 50, 120: 60}
    assert {magnitude: hordes.size_bonus(magnitude) for magnitude in sizes} == sizes
    small = Rulings(small_horde="no_bonus")
    assert [hordes.size_bonus(one, small) for one in (5, 10, 29, 30, 200)] == [0, 0, 0, 30, 60]
    with pytest.raises(BadInput, match=r"must be 0 or more; got -1 \(DW-HORDE-2\)"):
        hordes.size_bonus(-1)


@pytest.mark.clause("DW-HORDE-2", "DW-TEST-4")
def test_the_size_counts_within_the_cap_and_falls_with_the_horde():
    attack = make_horde_attack(BOLTER, (), horde_defender(4, 3))
    targets = {magnitude: attack.spec(magnitude).target for magnitude in (200, 60, 30, 29, 15, 5)}
    assert targets == {200: 110, 60: 110, 30: 110, 29: 100, 15: 90, 5: 80}
    assert attack.spec(30).modifiers[-1] == Modifier("horde of 30 or more", 30, "DW-HORDE-2")
    small = make_horde_attack(BOLTER, (), horde_defender(4, 3), rulings=Rulings(small_horde="no_bonus"))
    assert small.spec(29).target == 80


@pytest.mark.clause("DW-HORDE-17")
def test_traits_and_evasion():
    assert hordes.traits_of(("disciplined", "Fire Drill")) == (False, True, True)
    assert hordes.traits_of(()) == hordes.Traits()
    names = ("Overwhelming", "Fire Drill", "Disciplined", "Fighting Withdrawal", "Blood Soaked Tide")
    assert tuple(hordes.TRAITS) == names
    with pytest.raises(UnknownName, match="Did you mean 'Overwhelming'"):
        hordes.traits_of(("Overwelming",))


@pytest.mark.clause("DW-HORDE-1", "DW-HORDE-6", "DW-HPIPE-1")
def test_one_creature_that_takes_every_hit():
    assert [entry.label for entry in RULESET.roll("horde", magnitude=60, to_hit=0, tape=Script(50)).entries] == [
        "to hit"
    ]
    assert hordes.refuse_allocation("Horde") is None
    refused = hordes.refuse_allocation("lieutenant")
    assert refused is not None
    assert refused.clause == "DW-HORDE-6"
    assert "none can be given to a lieutenant" in str(refused)
    assert hordes.refuse_called().clause == "DW-HPIPE-1"


@pytest.mark.clause("DW-HORDE-7", "DW-HORDE-14")
def test_one_armour_everywhere():
    assert horde_defender(6, 4, 2, 8).ap == (6,) * 6
    draft = AttackDraft(50, dice=2, pen=4)
    hit = make_horde_attack(draft, (), horde_defender(6, 4, 2, 8)).spec(30).hits[0]
    assert hit.reduction == 6 + 8 - 4 + 8
    felled = make_horde_attack(draft, ("Felling (1)",), horde_defender(6, 4, 2)).spec(30).hits[0]
    assert felled.reduction == 6 - 4 + 4


# --- hits and losses --------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-HORDE-4", "DW-HORDE-5", "DW-HORDE-11", "DW-QUAL-DEVASTATING")
@pytest.mark.parametrize(
    ("base", "blast", "explosive", "devastating", "rulings", "hits"),
    [
        (4, None, True, 0, DEFAULT, 5),
        (4, None, True, 0, PER_HIT, 8),
        (1, 5, True, 1, DEFAULT, 7),
        (2, 5, True, 0, DEFAULT, 11),
        (2, 5, True, 0, ONCE, 7),
        (1, 5, False, 0, ONCE, 5),
        (2, 5, True, 0, PER_HIT, 20),
        (0, 5, True, 2, DEFAULT, 0),
        (8, None, True, 0, DEFAULT, 9),
        (3, 1, False, 2, DEFAULT, 5),
        (3, None, False, 2, DEEP, 3),
        (1, None, False, 0, DEFAULT, 1),
    ],
)
def test_what_hits_count(base: int, blast: int | None, explosive: bool, devastating: int, rulings: Rulings, hits: int):
    assert hordes.hits_counted(base, hordes.hit_count(blast, explosive, devastating, rulings)) == hits


@pytest.mark.clause("DW-HORDE-3", "DW-HORDE-14", "DW-QUAL-DEVASTATING")
def test_magnitude_lost():
    burst = {"horde_ap": 0, "horde_tb": 3, "damage": "1d10", "qualities": (), "damage_type": "E", "breaks": False}
    three = Script(1, 10, 3, 4)  # of three hits one does nothing
    assert RULESET.roll("horde", full=3, magnitude=30, to_hit=50, tape=three, **burst).results["magnitude"] == 28
    over = RULESET.roll("horde", full=3, magnitude=2, to_hit=50, tape=Script(1, 10, 9), **burst).results
    assert (over["magnitude"], over["destroyed"], over["hits"]) == (0, 1, 3)
    deep = [
        make_horde_attack(BOLTER, ("Devastating (2)",), horde_defender(4, 3), rulings=rules).magnitude_per_hit
        for rules in (DEFAULT, DEEP)
    ]
    assert deep == [1, 3]


@pytest.mark.clause("DW-HORDE-8")
def test_one_plain_shot_takes_one_at_most():
    for pen, dice, rules in product((0, 10), (1, 3, 6), (DEFAULT, PER_HIT, ONCE, DEEP, LEAST)):
        draft = AttackDraft(90, dice=dice, flat=20, pen=pen, damage_type="E", fury_eligible=True)
        assert (
            max(lost(make_horde_attack(draft, ("Tearing", "Felling (2)"), horde_defender(4, 3), rulings=rules), 30))
            == 1
        )


@pytest.mark.clause("DW-HORDE-10")
def test_hits_in_melee():
    def hits(qualities: tuple[str, ...] = (), rulings: Rulings = DEFAULT) -> list[int]:
        attack = make_horde_attack(
            AttackDraft(80, melee=True, target=80), qualities, horde_defender(4, 3), "melee", rulings=rulings
        )
        read = attack_reading(attack.spec(1))
        return [read(80 - 10 * degrees)[2] for degrees in range(8)]

    assert hits() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert hits(("Power Field",)) == [1, 1, 2, 2, 3, 3, 4, 4]
    assert hits(rulings=LEAST) == [1, 1, 1, 1, 2, 2, 3, 3]
    assert hits(("Power Field",), LEAST)[0] == 2


@pytest.mark.clause("DW-HPIPE-1", "DW-JAM-1", "DW-QUAL-OVERHEATS", "DW-HORDE-10")
@pytest.mark.parametrize("quality", ["Reliable", "Overheats"])
@pytest.mark.parametrize("face", [1, 45, 55, 75, 92, 97])
def test_a_roll_at_a_horde_is_read_as_at_a_character(quality: str, face: int):
    given = {"to_hit": 60, "mode": "full", "full": 4, "damage": "1d10", "qualities": (quality,)}
    at_one, at_horde = (
        next(line for line in RULESET.roll(name, tape=Said(1, to_hit=face), **given).log if line.question == "to hit")
        for name in ("shoot", "horde")
    )
    assert at_horde.result == at_one.result.split(", the first on")[0].split(", on")[0]
    blow = RULESET.roll("horde", attack="melee", to_hit=60, qualities=("Power Field",), tape=Said(1, to_hit=face)).log
    scored = next(line.result for line in blow if line.question == "to hit")
    assert scored == {1: "3 hits", 45: "1 hit", 55: "1 hit"}.get(face, "miss")


@pytest.mark.clause("DW-HORDE-12", "DW-HORDE-13")
def test_hits_of_flames_and_powers():
    flames = (
        make_horde_attack(BOLTER, ("Flame",), horde_defender(0, 3), "flame", range_m=metres)
        for metres in (10, 20, 30, 1, 0)
    )
    assert [(flame.base_hits, flame.hit_die) for flame in flames] == [(3, 5), (5, 5), (8, 5), (1, 5), (0, 5)]
    power = make_horde_attack(AttackDraft(50, dice=2, psy_rating=5), (), horde_defender(0, 3), "psychic", area=True)
    assert (power.base_hits, power.hit_die) == (5, 10)


@pytest.mark.clause("DW-HORDE-9")
def test_a_horde_is_pinned_as_one():
    assert suppression.pin_target(35, 30) == 45
    assert suppression.pin_target(35, 10) == 25
    assert suppression.pin_target(25, 100) == 85
    assert suppression.pin_target(25, 100, rulings=Rulings(modifier_cap=100)) == 105


@pytest.mark.clause("DW-HORDE-16", "DW-HORDE-17")
@pytest.mark.parametrize(
    ("current", "lost", "wanted", "disciplined"),
    [
        (30, 10, NerveCheck(True, False, 0), NerveCheck(True, False, 0)),
        (30, 9, NerveCheck(False, False, 0), NerveCheck(False, False, 0)),
        (20, 10, NerveCheck(True, False, 0), NerveCheck(True, False, 0)),
        (19, 11, NerveCheck(True, False, -10), NerveCheck(True, False, 0)),
        (10, 12, NerveCheck(True, False, -10), NerveCheck(True, False, 0)),
        (9, 1, NerveCheck(False, True, 0), NerveCheck(False, False, 0)),
        (9, 12, NerveCheck(False, True, 0), NerveCheck(True, False, 0)),
    ],
)
def test_breaking_of_a_horde_of_40(current: int, lost: int, wanted: NerveCheck, disciplined: NerveCheck):
    assert hordes.nerve_check(40, current, lost) == wanted
    assert hordes.nerve_check(40, current, lost, disciplined=True) == disciplined


# --- whole attacks ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-HPIPE-1", "DW-HORDE-5", "DW-HORDE-4")
def test_the_reference_burst_on_a_horde_of_30():
    found = lost(make_horde_attack(BOLTER, ("Tearing",), horde_defender(4, 3)), 30)
    assert found == {0: Fraction(7, 100), 3: Fraction(3, 100), 4: Fraction(1, 10), 5: Fraction(4, 5)}
    assert sum(number * chance for number, chance in found.items()) == Fraction(449, 100)


@pytest.mark.clause("DW-HPIPE-1", "DW-HORDE-3")
def test_a_burst_on_a_tough_horde():
    attack = make_horde_attack(BOLTER, ("Tearing",), horde_defender(8, 8))
    hurt = chance_of_hurt(2, 5, 8 - 5 + 8, tearing=True)
    assert hurt == Fraction(479, 500)
    assert odds_of(damage_after_armour, hit_for(attack.spec(9), "body", 0, True), 1).chance(1) == hurt
    found = lost(attack, 9)
    assert found == losses(burst(80, 4, lambda hits: hits + 1), hurt, 9)
    assert sum(number * chance for number, chance in found.items()) == Fraction(8143, 2500)


@pytest.mark.clause("DW-HPIPE-1", "DW-HORDE-11", "DW-QUAL-DEVASTATING")
@pytest.mark.parametrize(
    ("rulings", "count"),
    [(DEFAULT, (5, 2)), (PER_HIT, (10, 1)), (ONCE, (1, 6)), (DEEP, (5, 1))],
    ids=["default", "per_hit", "once", "deep"],
)
def test_a_frag_missile(rulings: Rulings, count: tuple[int, int]):
    draft = AttackDraft(50, dice=2, pen=4, damage_type="X")
    attack = make_horde_attack(draft, ("Blast (5)", "Devastating (1)"), horde_defender(6, 4), rulings=rulings)
    assert attack.hit_count == count
    hits = hordes.hits_counted(1, attack.hit_count)
    hurt = chance_of_hurt(2, 0, 6)
    assert hurt == Fraction(17, 20)
    by_faces = {0: Fraction(1, 5), hits: Fraction(4, 5)}
    assert lost(attack, 30) == losses(by_faces, hurt, 30, 2 if rulings is DEEP else 1)


@pytest.mark.clause("DW-HPIPE-1", "DW-HORDE-14")
def test_a_remnant_is_destroyed():
    for rules, chance in ((DEFAULT, Fraction(1, 2)), (PER_HIT, Fraction(3, 5))):
        odds = odds_of(
            attack_horde, make_horde_attack(BOLTER, ("Tearing",), horde_defender(4, 3), rulings=rules), Crowd(5)
        )
        assert odds.chance(lambda after: after.magnitude == 0) == chance
    assert odds_of(attack_horde, make_horde_attack(BOLTER, (), horde_defender(4, 3)), Crowd(0)).fractions() == {
        ("", 0, (0, 0)): 1
    }


@pytest.mark.clause("DW-COVER-1", "DW-HORDE-3")
@pytest.mark.parametrize("cover", [1, 4, 5, 9])
def test_the_cover_of_a_horde_wears_down_by_each_hit_above_its_ap(cover: int):
    gun = AttackDraft(50, dice=1, flat=0, pen=0)
    for rules in (Rulings(cover_degrades=True), DEFAULT):
        attack = make_horde_attack(gun, (), horde_defender(0, 0, cover=cover), rulings=rules)
        found = odds_of(take_hits, attack, Crowd(30), hits_on(attack, attack.spec(30), 2, 0)).fractions()
        by_faces: dict[Crowd, Fraction] = {}
        for first, second in product(range(1, 11), repeat=2):
            left = cover - (first > cover and rules.cover_degrades)
            gone = cover - left + (second > left > 0 and rules.cover_degrades)
            after = Crowd(30 - (first > cover) - (second > left), gone)
            by_faces[after] = by_faces.get(after, Fraction(0)) + Fraction(1, 100)
        assert found == by_faces


@pytest.mark.clause("DW-HPIPE-1", "DW-JAM-1", "DW-QUAL-RELIABLE")
def test_jams_of_a_gun():
    attack = make_horde_attack(BOLTER, ("Tearing", "Reliable"), horde_defender(4, 3))
    odds = odds_of(attack_horde, attack, Crowd(30))
    assert odds.chance(lambda after: after.status == "jam") == Fraction(7, 1000)
    kept = odds_of(
        attack_horde,
        make_horde_attack(BOLTER, ("Reliable",), horde_defender(0, 0), rulings=Rulings(reliable_roll="as_rolled")),
        Crowd(30),
    )
    assert kept.chance(lambda after: after.magnitude == 30) == Fraction(7, 1000)
    tape = Script(97, 10)
    assert attack_horde(tape, attack, Crowd(30)) == ("jam", 0, (30, 0))
    assert tape.used_up


@pytest.mark.clause("DW-HORDE-10", "DW-HPIPE-1")
def test_blows_at_a_horde():
    sword = AttackDraft(50, melee=True, dice=1, flat=14, pen=6, damage_type="E")
    attack = make_horde_attack(sword, ("Balanced", "Power Field"), horde_defender(4, 3), "melee")
    assert lost(attack, 30) == {number: Fraction(1, 5) for number in range(5)}
    chain = AttackDraft(30, melee=True, dice=1, flat=11, pen=4, damage_type="R")
    plain = lost(make_horde_attack(chain, ("Tearing",), horde_defender(6, 4), "melee"), 30)
    assert plain == {0: Fraction(3, 5), 1: Fraction(1, 5), 2: Fraction(1, 5)}
    least = lost(make_horde_attack(chain, ("Tearing",), horde_defender(6, 4), "melee", rulings=LEAST), 30)
    assert least == {0: Fraction(2, 5), 1: Fraction(2, 5), 2: Fraction(1, 5)}


@pytest.mark.clause("DW-HORDE-12", "DW-HPIPE-1")
@pytest.mark.parametrize(("armour", "tb", "mean"), [(4, 3, "198/25"), (8, 8, "18/5")])
def test_flames_on_a_horde(armour: int, tb: int, mean: str):
    draft = AttackDraft(50, dice=2, flat=2, pen=3, damage_type="E")
    attack = make_horde_attack(draft, ("Flame",), horde_defender(armour, tb), "flame", range_m=20)
    found = lost(attack, 60)
    hurt = chance_of_hurt(2, 2, max(0, armour - 3) + tb)
    assert found == losses({5 + face: Fraction(1, 5) for face in range(1, 6)}, hurt, 60)
    assert sum(number * chance for number, chance in found.items()) == Fraction(mean)
    tape = Script(2, *([10, 10] * 7))
    assert attack_horde(tape, attack, Crowd(60)).hits == 7  # no roll to hit
    assert tape.used_up


@pytest.mark.clause("DW-HORDE-13", "DW-HPIPE-1")
def test_powers_on_a_horde():
    draft = AttackDraft(0, melee=True, dice=2, flat=20, damage_type="E", psy_rating=5)
    sure = make_horde_attack(draft, (), horde_defender(4, 3), "psychic", always_hits=True)
    assert lost(sure, 30) == {5: Fraction(1)}
    wide = make_horde_attack(draft, (), horde_defender(4, 3), "psychic", area=True, always_hits=True)
    assert lost(wide, 30) == {5 + face: Fraction(1, 10) for face in range(1, 11)}
    tested = make_horde_attack(
        AttackDraft(40, (Modifier("rating", 25),), **_without_skill(draft)), (), horde_defender(4, 3), "psychic"
    )
    assert lost(tested, 30) == {0: Fraction(35, 100), 5: Fraction(65, 100)}


def _without_skill(draft: AttackDraft) -> dict[str, object]:
    return {name: getattr(draft, name) for name in ("melee", "dice", "flat", "damage_type", "psy_rating")}


@pytest.mark.clause("DW-HPIPE-1", "DW-RF-1")
def test_fury_counts_against_hordes():
    lasgun = AttackDraft(50, target=50, dice=1, flat=3, fury_eligible=True)
    for rules, chance in ((DEFAULT, Fraction(45, 1000)), (Rulings(righteous_fury="nobody"), Fraction(0))):
        attack = make_horde_attack(lasgun, (), horde_defender(6, 8), rulings=rules)
        hit = hit_for(attack.spec(30), "body", 0, True)
        assert odds_of(damage_after_armour, hit, 1).chance(1) == chance  # 13, and fury of 2 or more gets past 14


@pytest.mark.clause("DW-HPIPE-1", "DW-QUAL-RAZOR")
def test_degrees_are_still_felt():
    razor = AttackDraft(50, target=50, melee=True, dice=1, pen=4, damage_type="R")
    attack = make_horde_attack(razor, ("Razor Sharp",), horde_defender(8, 2), "melee", rulings=LEAST)
    weak, sharp = chance_of_hurt(1, 0, 6), chance_of_hurt(1, 0, 2)
    rolls: Dist = {}
    for roll in range(1, 51):
        degrees = (50 - roll) // 10
        for gone, chance in losses(
            {max(1, degrees // 2): Fraction(1, 100)}, sharp if degrees >= 2 else weak, 30
        ).items():
            rolls[gone] = rolls.get(gone, Fraction(0)) + chance
    rolls[0] += Fraction(1, 2)
    assert lost(attack, 30) == rolls
