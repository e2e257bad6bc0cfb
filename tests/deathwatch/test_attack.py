"""The attack roll: status, degrees, hits and first place of one d100, with every ruling that changes them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.rules.attack import stages
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, Defender, PreparedAttack
from battletape.rulesets.deathwatch.rules.keywords import apply_qualities
from battletape.rulesets.deathwatch.rules.traits import SPOTS, Modifier
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.tape.exact import Exact
from battletape.tape.script import Script
from tests.deathwatch import twin
from tests.deathwatch.exactly import odds_of, unstruck


def spec(
    target: int, mode: Any = "single", rof: int = 1, *names: str, rulings: Rulings = DEFAULT, **more: Any
) -> PreparedAttack:
    guard = more.pop("defender", Defender())
    return apply_qualities(AttackDraft(target, target=target, mode=mode, rof=rof, **more), names, guard, rulings)


def hits(one: PreparedAttack) -> dict[int, Fraction]:
    return odds_of(stages.roll_and_check_jam, one).project(lambda found: found.hits).fractions()


def jam(one: PreparedAttack, status: str = "jam") -> Fraction:
    return odds_of(stages.roll_and_check_jam, one).chance(lambda found: found.status == status)


def parts(*chances: str) -> dict[int, Fraction]:
    return {number: Fraction(chance) for number, chance in enumerate(chances) if Fraction(chance)}


@pytest.mark.clause("DW-AUTO-2", "DW-ACT-FULL-AUTO-BURST")
def test_the_reference_burst():
    burst = spec(80, "full", 4)
    assert hits(burst) == parts("1/5", "1/10", "1/10", "1/10", "1/2")
    assert jam(burst) == Fraction(7, 100)
    assert odds_of(stages.roll_and_check_jam, burst).project(lambda found: found.hits).mean == Fraction(13, 5)
    assert hits(spec(70, "full", 10)) == parts("3/10", *["1/10"] * 7)
    assert hits(spec(110, "full", 10)) == parts("7/100", "0", "3/100", *["1/10"] * 7, "1/5")


@pytest.mark.clause("DW-AUTO-1", "DW-ACT-SEMI-AUTO-BURST")
def test_semi_auto():
    assert hits(spec(60, "semi", 2)) == parts("2/5", "1/5", "2/5")
    assert hits(spec(70, "semi", 3)) == parts("3/10", "1/5", "1/5", "3/10")


@pytest.mark.clause("DW-JAM-1")
@pytest.mark.parametrize(
    ("target", "mode", "p_hit", "p_jam"),
    [(99, "single", "19/20", "1/20"), (99, "full", "93/100", "7/100"), (50, "semi", "1/2", "7/100")],
)
def test_jams(target: int, mode: str, p_hit: str, p_jam: str):
    one = spec(target, mode, 4)
    assert 1 - hits(one).get(0, Fraction(0)) == Fraction(p_hit)
    assert jam(one) == Fraction(p_jam)


@pytest.mark.clause("DW-JAM-1")
def test_a_jam_misses_unless_ruled_otherwise():
    assert stages.read_attack_roll(spec(98), 97) == ("jam", 0, 0)
    assert stages.read_attack_roll(spec(98, rulings=Rulings(jam_roll="may_hit")), 97) == ("jam", 0, 1)
    assert stages.read_attack_roll(spec(60, "semi", 2), 94)[0] == "jam"
    assert stages.read_attack_roll(spec(60), 94)[0] == "miss"
    assert stages.read_attack_roll(spec(30, "suppress", 4), 94) == ("jam", 6, 0)
    assert stages.read_attack_roll(spec(98, melee=True), 97) == ("hit", 0, 1)


@pytest.mark.clause("DW-QUAL-RELIABLE")
def test_reliable_weapons_jam_on_a_ten_only():
    assert jam(spec(50, "single", 1, "Reliable")) == Fraction(1, 200)
    assert jam(spec(50, "full", 4, "Reliable")) == Fraction(7, 1000)
    assert hits(spec(99, "single", 1, "Reliable")) == parts("1/20", "19/20")
    kind = Rulings(reliable_roll="as_rolled")
    assert hits(spec(99, "single", 1, "Reliable", rulings=kind)) == {
        0: Fraction(1, 100) + Fraction(4, 1000),
        1: Fraction(95, 100) + Fraction(36, 1000),
    }
    both = Rulings(jam_roll="may_hit")
    assert hits(spec(99, "single", 1, "Reliable", rulings=both)) == {
        0: Fraction(1, 100) + Fraction(36, 1000),
        1: Fraction(95, 100) + Fraction(4, 1000),
    }
    tape = Script(97, 4)
    assert stages.roll_and_check_jam(tape, spec(50, "single", 1, "Reliable")).status == "miss"
    assert tape.used_up


@pytest.mark.clause("DW-CRAFT-POOR", "DW-QUAL-RELIABLE")
def test_poor_weapons_jam_on_any_miss():
    assert jam(spec(40, grade="poor")) == Fraction(3, 5)
    assert jam(spec(40, "single", 1, "Reliable", grade="poor")) == Fraction(3, 50)
    natural = Rulings(poor_and_reliable="natural_only")
    assert jam(spec(40, "single", 1, "Reliable", grade="poor", rulings=natural)) == Fraction(55, 100) + Fraction(
        5, 1000
    )
    assert jam(spec(98, grade="poor")) == Fraction(1, 20)
    assert jam(spec(40, grade="poor", melee=True)) == 0


@pytest.mark.clause("DW-CRAFT-BEST")
def test_the_best_weapons_do_a_point_more():
    assert [one.flat for one in spec(50, grade="best", flat=5).hits] == [6] * 4


@pytest.mark.clause("DW-QUAL-OVERHEATS")
def test_overheating_takes_the_place_of_jams():
    one = spec(95, "single", 1, "Overheats")
    assert (jam(one), jam(one, "overheat")) == (0, Fraction(1, 10))
    assert hits(one) == parts("1/20", "19/20")
    assert hits(spec(95, "single", 1, "Overheats", rulings=Rulings(overheating_shot="misses"))) == parts("1/10", "9/10")
    poor = spec(50, "single", 1, "Overheats", grade="poor")
    assert (jam(poor), jam(poor, "overheat")) == (0, Fraction(1, 2))


@pytest.mark.clause("DW-QUAL-STORM")
def test_storm_doubles_hits():
    assert hits(spec(80, "full", 4, "Storm")) == {n: Fraction(1, 10) for n in (2, 4, 6)} | {
        0: Fraction(1, 5),
        8: Fraction(1, 2),
    }
    assert hits(spec(60, "single", 1, "Storm")) == {0: Fraction(2, 5), 2: Fraction(3, 5)}
    bursts = Rulings(storm="bursts_only")
    assert hits(spec(60, "single", 1, "Storm", rulings=bursts)) == parts("2/5", "3/5")
    assert hits(spec(60, "semi", 2, "Storm", rulings=bursts)) == {
        0: Fraction(2, 5),
        2: Fraction(1, 5),
        4: Fraction(2, 5),
    }
    storm = {"semi": 2, "qualities": ("Storm",)}
    assert RULESET.ask("shoot", **storm, mode="semi").start.spec.rounds == 4
    assert RULESET.ask("shoot", **storm, mode="single", storm="bursts_only").start.spec.rounds == 1


@pytest.mark.clause("DW-QUAL-TWIN")
def test_twin_linked_scores_a_hit_more():
    assert hits(spec(60, "single", 1, "Twin-linked")) == parts("2/5", "1/5", "2/5")
    assert max(hits(spec(110, "full", 4, "Twin-linked"))) == 5
    within = Rulings(twin_linked_hit="within_cap")
    assert max(hits(spec(110, "full", 4, "Twin-linked", rulings=within))) == 4
    assert hits(spec(60, "single", 1, "Twin-linked", rulings=within)) == parts("2/5", "3/5")
    assert apply_qualities(AttackDraft(40), ["Twin-linked"]).target == 60
    assert RULESET.ask("shoot", qualities=("Twin-linked",), mode="semi").start.spec.rounds == 4
    assert RULESET.ask("shoot", qualities=("Storm", "Twin-linked"), mode="full").start.spec.rounds == 8


@pytest.mark.clause("DW-QUAL-SCATTER")
def test_scatter_at_point_blank():
    shot = spec(65, "single", 1, "Reliable", "Scatter", band="point_blank")
    assert hits(shot) == parts("7/20", "1/5", "1/5", "1/5", "1/20")
    assert jam(shot) == Fraction(1, 200)
    burst = spec(75, "semi", 2, "Reliable", "Scatter", band="point_blank")
    assert hits(burst) == parts("1/4", "1/5", "0", "1/5", "1/5", "3/20")
    alone = Rulings(scatter_with_burst="exclusive")
    assert hits(spec(75, "semi", 2, "Scatter", band="point_blank", rulings=alone)) == parts("1/4", "1/5", "11/20")
    assert hits(spec(65, "single", 1, "Scatter", band="point_blank", rulings=alone)) == hits(shot)
    assert hits(spec(65, "single", 1, "Scatter", band="short")) == parts("7/20", "13/20")


@pytest.mark.clause("DW-QUAL-SCATTER")
@pytest.mark.parametrize(("band", "reduction"), [("normal", 7), ("long", 11), ("extreme", 11)])
def test_scatter_at_long_range_doubles_armour(band: str, reduction: int):
    one = spec(65, "single", 1, "Scatter", band=band, defender=Defender(ap=(4,) * 6, tb=3))
    assert {hit.reduction for hit in one.hits} == {reduction}


@pytest.mark.clause("DW-LOC-2", "DW-PIPE-1")
@pytest.mark.parametrize(
    ("target", "chances"),
    [(80, (9, 8, 8, 32, 13, 10)), (30, (4, 3, 3, 12, 5, 3)), (5, (1, 1, 1, 2, 0, 0))],
)
def test_place_and_hit_come_from_one_roll(target: int, chances: tuple[int, ...]):
    found = odds_of(stages.roll_to_hit, unstruck(spec(target, by_side=True))).project(lambda after: after.first_spot)
    assert [found.chance(spot) for spot in SPOTS] == [Fraction(one, 100) for one in chances]


@pytest.mark.clause("DW-LOC-2")
@pytest.mark.parametrize(("how", "heads"), [("reversed", "9/100"), ("fresh", "2/25"), ("unpadded", "17/100")])
def test_rulings_of_the_place(how: Any, heads: str):
    one = spec(80, rulings=Rulings(hit_location=how))
    found = Exact().run((stages.roll_to_hit, stages.check_jam, stages.set_places), unstruck(one))
    assert found.chance(lambda state: bool(state.unresolved) and state.unresolved[0].spot == "head") == Fraction(heads)


@pytest.mark.clause("DW-ACT-CALLED-SHOT")
def test_a_called_shot_lands_where_it_was_called():
    found = odds_of(stages.roll_to_hit, unstruck(spec(40, called="head"))).project(lambda after: after.first_spot)
    assert found.fractions() == {"": Fraction(3, 5), "head": Fraction(2, 5)}


@pytest.mark.clause("DW-TEST-5", "DW-TEST-3")
def test_rulings_of_tests_hold_for_attacks():
    auto = Rulings(auto_results="01_and_00")
    assert hits(spec(-20, melee=True, rulings=auto)) == parts("99/100", "1/100")
    assert hits(spec(150, melee=True, rulings=auto)) == parts("1/100", "99/100")
    plus = Rulings(degrees="plus_one")
    assert hits(spec(80, "full", 4, rulings=plus)) == {0: Fraction(1, 5), 2: Fraction(1, 10), 3: Fraction(1, 10)} | {
        4: Fraction(3, 5)
    }


@pytest.mark.clause("DW-PIPE-1", "DW-TEST-4")
def test_the_target_number_is_skill_and_capped_modifiers():
    one = apply_qualities(
        AttackDraft(40, (Modifier("point blank", 30), Modifier("surprised", 30), Modifier("aim", 20)))
    )
    assert (one.total, one.target) == (80, 100)
    assert apply_qualities(AttackDraft(40, (Modifier("dark", -80),)), rulings=Rulings(modifier_cap=30)).target == 10


@pytest.mark.clause("DW-PIPE-1")
def test_an_attack_roll_says_what_it_means():
    read = stages.attack_reading(spec(80, "full", 4))
    assert read.name(read(23)) == "4 hits, the first on the body"
    assert read.name(read(80)) == "1 hit, on the head"
    assert (read.name(read(90)), read.name(read(99))) == ("miss", "jams")
    reliable = stages.attack_reading(spec(50, "single", 1, "Reliable"))
    assert reliable.name(reliable(99)) == "may jam"


@given(
    target=st.integers(-10, 130),
    mode=st.sampled_from(["single", "semi", "full"]),
    rof=st.integers(2, 10),
    names=st.sets(st.sampled_from(["Storm", "Twin-linked", "Reliable", "Scatter"])),
    poor=st.booleans(),
)
@settings(max_examples=40, deadline=None)
def test_attack_rolls_equal_the_twin(target: int, mode: Any, rof: int, names: set[str], poor: bool):
    one = spec(target, mode, rof, *names, grade="poor" if poor else "common", band="point_blank")
    found = Exact().run((stages.roll_to_hit, stages.check_jam, stages.set_places), unstruck(one))
    wanted: twin.Dist = {}
    flags = {"storm": "Storm", "twin": "Twin-linked", "reliable": "Reliable", "scatter": "Scatter"}
    by_faces = twin.rolls(target, mode, rof, poor=poor, **{flag: name in names for flag, name in flags.items()})
    for chance, status, _, scored, where in by_faces:
        places = tuple(twin.places(where, scored)) if scored else ()
        twin.add(wanted, (status, scored, places), chance)
    got = found.project(lambda state: (state.status, state.hits, tuple(hit.spot for hit in state.unresolved)))
    assert got.fractions() == wanted
