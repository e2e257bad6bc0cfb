"""Modifiers of attacks, dodges and parries, each with its source and clause."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from battletape.clauses import read_clauses
from battletape.errors import UnknownName
from battletape.rulesets.deathwatch.rules.attack import modifiers
from battletape.rulesets.deathwatch.rules.attack.modifiers import (
    Situation,
    attack_modifiers,
    dodge_modifiers,
    parry_modifiers,
)
from battletape.rulesets.deathwatch.rules.d100_tests import roll_success, target, total
from battletape.rulesets.deathwatch.rules.traits import Modifier, Qualities
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables.sheet import SITUATIONS
from tests.deathwatch.exactly import odds_of

CORRECTED, TWICE = Rulings(combat_table="corrected"), Rulings(same_condition="adds")
MUD, SNOW = ("mud_or_heavy_rain",), ("deep_snow",)
FLAGS = (
    *("untrained", "heavy", "pinned", "own_prone", "blind", "guarded", "surprised", "stunned", "prone"),
    *("running", "defensive_stance", "grappled", "in_melee", "outnumber"),
    *("unarmed_vs_armed", "fog"),
)
BOOK = read_clauses("battletape.rulesets.deathwatch")


def sums(rulings=DEFAULT, **state):
    """Return the modifiers of a state for shooting and for melee."""
    situation = Situation(**state)
    return tuple(total(attack_modifiers(situation, melee, rulings), rulings)[0] for melee in (False, True))


def dodge(rulings=DEFAULT, **state):
    return total(dodge_modifiers(Situation(**state), rulings))[0]


# --- range ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-RANGE-1")
@pytest.mark.parametrize(
    ("range_m", "distance", "band", "modifier"),
    [
        (100, 0, "point_blank", 30),
        (100, 2, "point_blank", 30),
        (100, 2.01, "short", 10),
        (100, 49, "short", 10),
        (100, 49.99, "short", 10),
        (100, 50, "normal", 0),
        (100, 200, "normal", 0),
        (100, 200.01, "long", -10),
        (100, 300, "long", -10),
        (100, 301, "extreme", -30),
        (100, 400, "extreme", -30),
        (100, 401, None, 0),
        (30, 14, "short", 10),
        (30, 15, "normal", 0),
        (10, 3, "short", 10),
        (10, 2, "point_blank", 30),
        (0, 1, None, 0),
    ],
)
def test_range_bands_and_their_edges(range_m, distance, band, modifier):
    assert modifiers.band(range_m, distance) == band
    assert sums(band=band)[0] == modifier
    assert (modifiers.refuse_range("It", range_m, distance) is None) == (band is not None)


@pytest.mark.clause("DW-RANGE-1")
def test_point_blank_is_a_ruling():
    assert modifiers.band(100, 3) == "short"
    assert modifiers.band(100, 3, rulings=Rulings(point_blank=3)) == "point_blank"


@pytest.mark.clause("DW-RANGE-1", "DW-COND-ENGAGED")
def test_no_bonus_of_the_band_in_melee():
    bands = ("point_blank", "short", "normal", "long", "extreme")
    assert [sums(band=one, engaged=True)[0] for one in bands] == [0, 0, 0, -10, -30]
    assert sums(band="point_blank", engaged=True) == (0, 0)


def test_a_stabilised_weapon_has_no_extreme_range_but_the_same_reach():
    for known in (Situation(band=modifiers.band(150, 460)), Situation(situations=("Extreme range",))):
        assert (modifiers.band_of(known), modifiers.band_of(replace(known, gyro=True))) == ("extreme", "long")
    assert modifiers.band_of(Situation(band=modifiers.band(150, 601), gyro=True)) is None
    assert sums(band="extreme", gyro=True, heavy=True, braced=False)[0] == -30


def test_out_of_reach_says_how_far_it_goes():
    refused = modifiers.refuse_range("Astartes Bolter", 100, 401)
    assert (
        str(refused)
        == "Astartes Bolter cannot reach 401 m; it reaches 400 m, four times its range of 100 m (DW-RANGE-1)"
    )
    flame = modifiers.refuse_range("Astartes Flamer", 20, 21, flame=True)
    assert str(flame) == "Astartes Flamer cannot reach 21 m; it reaches 20 m (DW-QUAL-FLAME)"
    assert modifiers.refuse_range("Astartes Flamer", 20, 20, flame=True) is None


# --- attacks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "shooting", "melee"),
    [
        ({}, 0, 0),
        ({"action": "standard"}, 0, 0),
        ({"action": "semi"}, 10, 10),
        ({"action": "full"}, 20, 20),
        ({"action": "full", "overwatch": True}, 0, 0),
        ({"action": "semi", "overwatch": True}, -10, -10),
        ({"action": "suppressing"}, -20, -20),
        ({"action": "suppressing", "overwatch": True}, -20, -20),
        ({"action": "called"}, -20, -20),
        ({"action": "all_out"}, 20, 20),
        ({"action": "charge"}, 10, 10),
        ({"action": "guarded"}, -10, -10),
        ({"action": "stun"}, -20, -20),
        ({"aim": "half"}, 10, 10),
        ({"aim": "full"}, 20, 20),
        ({"grade": "poor"}, -10, -10),
        ({"grade": "good"}, 5, 5),
        ({"grade": "best"}, 10, 10),
        ({"band": "short"}, 10, 0),
        ({"size": "Massive"}, 30, 0),
        ({"size": "Hulking", "size_hidden": True}, 0, 0),
        ({"size": "Puny", "size_hidden": True}, -20, 0),
        ({"surprised": True}, 30, 30),
        ({"stunned": True}, 20, 20),
        ({"prone": True}, -10, 10),
        ({"running": True}, -20, 20),
        ({"defensive_stance": True}, 0, -20),
        ({"grappled": True}, 20, 20),
        ({"in_melee": True}, -10, 0),
        ({"situations": ("shoot_completely_concealed",)}, -30, 0),
        ({"outnumber": True}, 0, 20),
        ({"situations": ("higher_ground",)}, 10, 10),
        ({"unarmed_vs_armed": True}, 0, -10),
        ({"situations": ("shoot_in_darkness", "melee_in_darkness")}, -30, -20),
        ({"fog": True}, -20, 0),
        ({"situations": MUD}, 0, 0),
        ({"situations": SNOW}, -20, -20),
        ({"untrained": True}, -20, -20),
        ({"heavy": True}, 0, 0),
        ({"heavy": True, "braced": False}, -30, 0),
        ({"heavy": True, "braced": False, "gyro": True}, -20, 0),
        ({"fatigue": 3}, -10, -10),
        ({"pinned": True}, -20, 0),
        ({"blind": True}, 0, -30),
        ({"own_prone": True, "guarded": True}, 0, 0),
        ({"other": (Modifier("wound", -15),)}, -15, -15),
    ],
    ids=str,
)
@pytest.mark.clause("DW-SUMM-00", "DW-UNTR-1", "DW-PIN-1", "DW-COND-PRONE", "DW-COND-SURPRISED", "DW-COND-ENGAGED")
def test_what_each_state_adds_to_shooting_and_melee(state, shooting, melee):
    assert sums(**state) == (shooting, melee)


def test_every_modifier_names_a_clause_of_the_book():
    everything = Situation(
        action="full",
        overwatch=True,
        aim="half",
        grade="poor",
        band="long",
        size="Puny",
        **dict.fromkeys(FLAGS, True),
        braced=False,
        fatigue=2,
        situations=(*MUD, *SNOW, "higher_ground", "shoot_in_darkness", "melee_in_darkness"),
    )
    for melee in (True, False):
        found = attack_modifiers(everything, melee, Rulings(combat_table="corrected", same_condition="adds"))
        assert len(found) > 15
        assert all(one.clause in BOOK.by_id and one.source and one.value for one in found)
        assert len(set(found)) == len(found)


@pytest.mark.clause("DW-SUMM-00")
def test_the_five_shifted_rows_by_the_ruling():
    assert sums(CORRECTED, situations=MUD) == (-10, -10)
    assert sums(CORRECTED, in_melee=True) == (-20, 0)
    assert sums(CORRECTED, unarmed_vs_armed=True) == (0, -20)
    assert sums(CORRECTED, fatigue=1) == (-10, -10)
    assert dodge(CORRECTED, own_prone=True) == -20


@pytest.mark.clause("DW-SUMM-00")
def test_a_condition_with_a_row_and_a_section_counts_once_or_twice_by_the_ruling():
    for state in ({"stunned": True}, {"situations": ("stunned",)}, {"stunned": True, "situations": ("stunned",)}):
        assert sums(**state) == (20, 20)
        assert sums(TWICE, **state) == (40, 40)
    assert sums(TWICE, untrained=True) == (-40, -40)
    assert sums(TWICE, fatigue=1) == (-10, -10)  # its row is printed at +0
    assert sums(Rulings(same_condition="adds", combat_table="corrected"), fatigue=1) == (-20, -20)
    assert sums(situations=("fatigued",)) == (-10, -10)


def test_fatigue_is_flat_or_by_level():
    by_level = Rulings(fatigue_penalty="per_level")
    assert [modifiers.fatigue_modifier(n) for n in (0, 1, 4)] == [0, -10, -10]
    assert [modifiers.fatigue_modifier(n, by_level) for n in (0, 1, 4)] == [0, -10, -40]
    assert sums(by_level, fatigue=3) == (-30, -30)
    assert sums(by_level, situations=("fatigued",)) == (-10, -10)


@pytest.mark.clause("DW-UNTR-1", "DW-SUMM-00", "DW-RANGE-1")
@pytest.mark.parametrize(
    ("bs", "state", "aim"),
    [
        (50, {"prone": True, "band": "long", "fatigue": 1}, 20),
        (40, {"band": "point_blank", "surprised": True, "aim": "full"}, 100),
        (55, {"heavy": True, "braced": False, "band": "extreme", "fog": True}, -5),
        (55, {"heavy": True, "braced": False, "untrained": True, "action": "full"}, 25),
        (55, {"heavy": True, "braced": False, "action": "full"}, 45),
        (50, {"heavy": True, "braced": False, "band": "extreme", "gyro": True}, 20),
        (50, {"band": "short", "action": "full"}, 80),
        (50, {"band": "short", "action": "called"}, 40),
    ],
)
def test_the_examples_of_the_book(bs, state, aim):
    assert target(bs, attack_modifiers(Situation(**state), melee=False)) == aim


@pytest.mark.clause("DW-SUMM-00")
def test_named_rows_count_as_the_state_does():
    named = Situation(situations=("Long range", "shoot_prone", "shoot_hulking", "higher ground", "standard_attack"))
    assert total(attack_modifiers(named, melee=False))[0] == -10 - 10 + 10 + 10
    assert modifiers.refuse_situations(named, melee=False) is None
    with pytest.raises(UnknownName, match="Did you mean 'shoot_prone'"):
        attack_modifiers(Situation(situations=("shoot_pron",)), melee=False)


@pytest.mark.clause("DW-SUMM-00")
@pytest.mark.parametrize(
    ("state", "melee", "said"),
    [
        ({"situations": ("shoot_prone",)}, True, "shoot_prone does not change a melee attack; it is for shooting"),
        ({"situations": ("melee_vs_prone",)}, False, "melee_vs_prone does not change a ranged attack; it is for melee"),
        ({"situations": ("dodge_while_prone",)}, False, "it is for dodging (DW-SUMM-DODGE_WHILE_PRONE)"),
        ({"band": "short", "situations": ("long_range",)}, False, "only one range band counts, got short and long"),
        ({"situations": ("shoot_puny", "shoot_massive")}, False, "a target has one size, got Puny and Massive"),
        ({"size": "Hulking", "situations": ("shoot_puny",)}, False, "one size, got Hulking and Puny (DW-SUMM-00)"),
    ],
)
def test_rows_that_do_not_fit_are_refused(state, melee, said):
    refused = modifiers.refuse_situations(Situation(**state), melee)
    assert said in str(refused)
    assert refused is not None
    assert refused.clause in BOOK.by_id


def test_rows_of_the_other_kind_of_attack_are_left_out():
    for key, row in SITUATIONS.items():
        shooting, melee = sums(CORRECTED, situations=(key,))
        if row.applies in ("ranged", "dodge"):
            assert melee == 0
        if row.applies in ("melee", "dodge"):
            assert shooting == 0


# --- reactions --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-COND-PRONE")
def test_what_changes_a_dodge():
    assert dodge() == 0
    assert dodge(own_prone=True) == -10
    assert dodge(prone=True, running=True, pinned=True) == 0
    assert dodge(situations=SNOW) == 0  # where the attacker stands
    assert dodge(fatigue=2, own_prone=True, guarded=True) == -10
    assert all(
        modifier.clause in BOOK.by_id
        for modifier in dodge_modifiers(Situation(fatigue=1, own_prone=True, guarded=True))
    )


def test_what_changes_a_parry():
    def parry(guarded=False, **has):
        return total(parry_modifiers(Qualities(**has), guarded))[0]

    assert parry() == 0
    assert parry(balanced=True) == 10
    assert parry(defensive=True) == 15
    assert parry(unbalanced=True) == -10
    assert parry(balanced=True, guarded=True) == 20
    assert target(50, parry_modifiers(Qualities(balanced=True), guarded=True)) == 70


@pytest.mark.clause("DW-PIN-1")
def test_a_pinned_shooter():
    aim = target(50, attack_modifiers(Situation(pinned=True), melee=False))
    assert aim == 30
    assert odds_of(roll_success, aim, "to hit").chance(True) == Fraction(3, 10)
