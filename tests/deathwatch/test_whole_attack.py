"""Whole attacks: the catalogue's odds, a twin by faces, and one attack as it happened, die by die."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.log import as_text, play
from battletape.odds import Odds
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.rules import quality_effects
from battletape.rulesets.deathwatch.rules.attack.exchange import Exchange
from battletape.rulesets.deathwatch.rules.attack.modifiers import Situation, attack_modifiers
from battletape.rulesets.deathwatch.rules.attack.procedures import one_on_one
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, Defender, PreparedAttack
from battletape.rulesets.deathwatch.rules.conditions import Conditions
from battletape.rulesets.deathwatch.rules.keywords import apply_qualities
from battletape.rulesets.deathwatch.rules.lenses import lens
from battletape.rulesets.deathwatch.rules.traits import DEAD
from battletape.rulesets.deathwatch.rules.wounds import health_words
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.tape.exact import Exact
from battletape.tape.sampled import sampled
from battletape.tape.script import Script
from tests.deathwatch import twin
from tests.deathwatch.exactly import CONDITIONS, HARM, one_attack, whole_attack

BARE = frozenset({"damage", "hits"})

POWER = (8, 8, 8, 10, 8, 8)
BOLTER = {"dice": 2, "flat": 5, "pen": 5, "damage_type": "X"}


def marine(**more: Any) -> Defender:
    return Defender(**{"ap": POWER, "tb": 4, "multiplier": 2, "toughness": 45, "wounds": 21, **more})


def bolter(
    target: int,
    mode: Any = "full",
    rof: int = 4,
    names: tuple[str, ...] = ("Tearing",),
    guard: Defender | None = None,
    rulings: Rulings = DEFAULT,
    **more: Any,
) -> PreparedAttack:
    draft = AttackDraft(target, target=target, mode=mode, rof=rof, **{**BOLTER, **more})
    return apply_qualities(draft, names, guard or marine(), rulings)


def odds(spec: PreparedAttack, asked: frozenset[str] = HARM, health: int | None = None) -> Odds[Exchange]:
    return whole_attack(spec, health, asked)


def totals(spec: PreparedAttack, *thresholds: int) -> list[Fraction]:
    """Chances of so much damage in all, critical damage included."""
    found = odds(spec, BARE).project(lambda after: spec.defender.wounds - after.victim.health)
    return [found.at_least(least) for least in thresholds]


@pytest.mark.clause("DW-PIPE-1")
@pytest.mark.parametrize(
    ("spec", "chances"),
    [
        (bolter(60, "single", 1, guard=marine(wounds=40)), ("6993/12500", "3837/25000", "0", "0")),
        (
            bolter(80, guard=marine(wounds=40)),
            (
                "495405895863/625000000000",
                "55547897357/80000000000",
                "4987952091023/10000000000000",
                "2032260612487/10000000000000",
            ),
        ),
        (
            bolter(80, guard=marine(wounds=40, dodge=40, reaction="dodge")),
            (
                "2032844130139/3125000000000",
                "1056241369359/2000000000000",
                "16739447382169/50000000000000",
                "6259379700761/50000000000000",
            ),
        ),
        (
            bolter(80, guard=marine(wounds=40), fury_eligible=True),
            (
                "495405895863/625000000000",
                "4401453172171477/6250000000000000",
                "426314256361911861/781250000000000000",
                "78791208632901301/244140625000000000",
            ),
        ),
    ],
    ids=["single", "burst", "dodged", "fury"],
)
def test_the_full_attacks_of_the_catalogue(spec: PreparedAttack, chances: tuple[str, ...]):
    assert totals(spec, 1, 10, 20, 30) == [Fraction(chance) for chance in chances]


@pytest.mark.clause("DW-PIPE-1")
def test_the_chance_that_the_burst_exceeds_21_wounds():
    assert totals(bolter(80), 22) == [Fraction(4449410267601, 10000000000000)]


def by_faces(
    spec: PreparedAttack, *, target: int, mode: str, rof: int, confirm: Fraction, dodge: int | None, kind: str
) -> Any:
    """The twin's attack with a bolter on power armour."""
    guard = spec.defender
    most = guard.wounds + 10
    armour = {"head": 8, "arm": 8, "body": 10, "leg": 8}

    @lru_cache
    def net(place: str, lost: int) -> twin.Dist:
        reduced = max(0, armour[place] - lost - 5) + 8
        return twin.net(twin.damage(2, 1, 5, confirm, most + armour[place] + 8), reduced)

    return twin.attack(
        twin.rolls(target, mode, rof),
        lambda place, _degrees, _first: partial(net, place),
        wounds=guard.wounds,
        kind=kind,
        toughness=guard.toughness,
        dodge=dodge,
    )


@given(
    target=st.integers(20, 115),
    mode=st.sampled_from(["single", "semi", "full"]),
    dodge=st.one_of(st.none(), st.integers(10, 60)),
    fury=st.booleans(),
    kind=st.sampled_from("EXIR"),
    wounds=st.integers(1, 14),
)
@settings(max_examples=12, deadline=None)
def test_whole_attacks_equal_the_twin(target: int, mode: Any, dodge: int | None, fury: bool, kind: Any, wounds: int):
    guard = marine(wounds=wounds, dodge=dodge, reaction="none" if dodge is None else "dodge")
    spec = bolter(target, mode, 3, guard=guard, fury_eligible=fury, damage_type=kind)
    confirm = Fraction(min(100, target), 100) if fury else Fraction(0)
    wanted: twin.Dist = {}
    for (status, hits, landed, state), chance in by_faces(
        spec, target=target, mode=mode, rof=3, confirm=confirm, dodge=dodge, kind=kind
    ).items():
        taken, critical, last, dead, _ = state
        health = DEAD - critical if dead else wounds - taken - critical
        twin.add(wanted, (status, hits, landed, health, last), chance)
    found = odds(spec).project(
        lambda after: (after.status, after.hits, after.landed, after.victim.health, after.victim.spot)
    )
    assert found.fractions() == wanted
    bare: twin.Dist = {}
    for (status, hits, landed, health, _), chance in wanted.items():
        twin.add(bare, (status, hits, landed, health), chance)
    found_bare = odds(spec, BARE).project(lambda after: (after.status, after.hits, after.landed, after.victim.health))
    assert found_bare.fractions() == bare


@pytest.mark.clause("DW-COVER-1")
def test_cover_on_hidden_places():
    guard = Defender(ap=(4,) * 6, cover=(0, 0, 0, 8, 8, 8), tb=3, wounds=40)
    assert totals(bolter(60, "single", 1, guard=guard), 1) == [Fraction(59057, 100000)]
    lopsided = Defender(ap=(4,) * 6, cover=(0, 0, 8, 0, 0, 8), tb=3, wounds=40)
    spec = bolter(60, guard=lopsided)
    assert spec.left_and_right
    assert len(spec.hits) == 6


@pytest.mark.clause("DW-COVER-1")
def test_cover_wears_down_within_a_burst():
    rules = Rulings(cover_degrades=True)
    guard = Defender(ap=(0,) * 6, cover=(4,) * 6, tb=0, wounds=60)
    spec = bolter(90, "semi", 3, (), guard, rules, dice=1, flat=2, pen=0)
    found = odds(spec).project(lambda after: (after.landed, after.victim.health, after.victim.cover_lost))
    assert (
        found.fractions()
        == odds(spec, BARE)
        .project(lambda after: (after.landed, after.victim.health, after.victim.cover_lost))
        .fractions()
    )
    wanted: twin.Dist = {}
    for chance, _, _, hits, _ in twin.rolls(90, "semi", 3):
        states: twin.Dist = {(60, 0): Fraction(1)}
        for _ in range(hits):
            after: twin.Dist = {}
            for (health, worn), weight in states.items():
                for face in range(1, 11):
                    ap = 4 - worn
                    gone = min(4, worn + (face + 2 > ap))
                    twin.add(after, (health - max(0, face + 2 - ap), gone), weight / 10)
            states = after
        for (health, worn), weight in states.items():
            twin.add(wanted, (hits, health, worn), chance * weight)
    assert found.fractions() == wanted


@pytest.mark.clause("DW-DMG-2")
def test_critical_damage_by_location_in_a_burst():
    rules = Rulings(critical_track="by_location")
    spec = bolter(90, "full", 4, (), marine(wounds=1), rules)
    assert spec.left_and_right
    assert one_attack(spec).victim.by_spot == (0,) * 6
    by_rows = odds(spec).project(lambda after: after.victim.health)
    assert odds(spec, BARE).project(lambda after: after.victim.health).fractions() == by_rows.fractions()
    single = bolter(90, "single", 1, (), marine(wounds=1), rules)
    overall = bolter(90, "single", 1, (), marine(wounds=1))
    assert odds(single).chance(lambda after: after.victim.is_dead) == odds(overall).chance(
        lambda after: after.victim.is_dead
    )
    burst = bolter(90, "full", 4, (), marine(wounds=1))
    assert odds(spec).chance(lambda after: after.victim.is_dead) < odds(burst).chance(
        lambda after: after.victim.is_dead
    )


@pytest.mark.clause("DW-QUAL-TOXIC", "DW-PIPE-1")
def test_poison_follows_a_hit_that_hurts():
    guard = Defender(tb=0, toughness=40, wounds=60)
    spec = bolter(100, names=("Toxic",), guard=guard, melee=True, mode="single", dice=0, flat=6, pen=0)
    found = odds(spec, BARE).project(lambda after: 60 - after.victim.health)
    assert found.chance(6) == Fraction(1, 10)
    assert found.chance(16) == Fraction(9, 100)
    assert found.mean == 6 + Fraction(99, 20)


def conditions_of(one: Exchange) -> Conditions:
    assert one.victim.conditions is not None
    return one.victim.conditions


@pytest.mark.clause("DW-QUAL-SHOCKING", "DW-QUAL-CONCUSSIVE", "DW-PIPE-1")
def test_conditions_follow_a_hit_that_hurts():
    guard = Defender(ap=(4,) * 6, tb=0, toughness=40, sb=3, wounds=60)
    shock = bolter(100, names=("Shocking",), guard=guard, melee=True, mode="single", dice=0, flat=9, pen=0)
    found = odds(shock, CONDITIONS).project(lambda after: conditions_of(after).stunned)
    assert found.fractions() == {0: Fraction(4, 5), 3: Fraction(1, 5)}
    hammer = bolter(40, names=("Concussive",), guard=guard, melee=True, mode="single", dice=0, flat=9, pen=0)
    down = odds(hammer, CONDITIONS).project(lambda after: (conditions_of(after).stunned, conditions_of(after).prone))
    stunned = sum(Fraction(10 * (60 + 10 * degrees), 10_000) for degrees in range(4))
    assert down.fractions() == {
        (0, False): Fraction(3, 5),
        (0, True): Fraction(2, 5) - stunned,
        (1, True): stunned,
    }


@pytest.mark.clause("DW-QUAL-SPECIAL")
def test_a_force_weapon_burns_from_within():
    guard = Defender(ap=(8,) * 6, tb=3, willpower=40, wounds=60)
    draft = AttackDraft(
        100, melee=True, dice=0, flat=12, pen=8, damage_type="R", special="force", psy_rating=2, willpower=50
    )
    spec = apply_qualities(draft, ["Special"], guard)
    assert spec.attack_effects == (quality_effects.burn_within,)
    found = odds(spec, BARE).project(lambda after: 60 - after.victim.health)
    assert found.chance(11) == 1 - Fraction(11, 25)
    assert found.chance(11 + 20) == Fraction(11, 25) / 100
    harmless = apply_qualities(draft, ["Special"], Defender(ap=(30,) * 6, wounds=60))
    assert odds(harmless, BARE).project(lambda after: after.victim.health).fractions() == {60: Fraction(1)}


@pytest.mark.clause("DW-DMG-4", "DW-DMG-1")
def test_true_grit_and_sudden_death_in_a_burst():
    tough, plain, minion = marine(true_grit=True, wounds=5), marine(wounds=5), marine(sudden_death=True, wounds=5)
    chances = [odds(bolter(90, guard=one)).chance(lambda end: end.victim.is_dead) for one in (tough, plain, minion)]
    assert chances == sorted(chances)
    assert chances[2] == totals(bolter(90, guard=plain), 6)[0]
    assert {hit.max_damage for hit in bolter(90, guard=tough).hits} == {25}


@pytest.mark.clause("DW-PIPE-1")
def test_states_are_few_where_sides_do_not_matter():
    reader = Exact(forget=lens(HARM))
    start = one_attack(bolter(80, rof=10))
    _, counts = reader.stages(one_on_one(start).stages, start)
    assert [one.stage.__name__ for one in counts] == [
        "next_attack",
        "declare",
        "add_modifiers",
        "roll_to_hit",
        "check_jam",
        "evade",
        "set_places",
        "take_hits",
    ]
    assert counts[3].states == 34


@pytest.mark.clause("DW-PIPE-1")
def test_rolls_agree_with_the_odds():
    spec = bolter(80, guard=marine(dodge=40, reaction="dodge"), fury_eligible=True)
    start = one_attack(spec)
    exact = odds(spec).project(lambda after: after.victim.health <= DEAD)
    rolled = sampled(one_on_one(start).stages, start, 400, 7).project(lambda after: after.victim.health <= DEAD)
    chance = exact.chance(True)
    assert abs(float(rolled.chance(True) - chance)) < 4 * float(chance * (1 - chance) / 400) ** 0.5


@pytest.mark.clause("DW-PIPE-1", "DW-DMG-2", "DW-QUAL-TEARING")
def test_the_worked_attack_of_the_catalogue():
    tape = Script(23, 7, 3, 9, 2, 2, 5, 10, 1, 6, 8, 8, 4)
    found = RULESET.roll("shoot", tape=tape, to_hit=80, toughness=150)
    told = {name: found.results[name] for name in ("status", "degrees", "hits", "landed", "places", "damage_taken")}
    assert told == {
        "status": "hit",
        "degrees": 5,
        "hits": 4,
        "landed": 4,
        "places": "body, body, arm, head",
        "damage_taken": 21,
    }
    dice = [line.rolled for line in found.log if line.question == "damage"]
    hits = [line.result for line in found.log if line.text.endswith(" through")]
    assert dice == ["7 3 9", "2 2 5", "10 1 6", "8 8 4"]
    assert hits == ["8", "0", "10", "10"]
    assert [line.result for line in found.log if "row 7" in line.text] == ["7"]


@pytest.mark.clause("DW-RF-1", "DW-DMG-2", "DW-DMG-1")
@pytest.mark.parametrize(("health", "critical"), [(21, "1"), (-4, "26")])
def test_the_log_tells_fury_and_counts_critical_damage_past_the_last_row(health, critical):
    tape = Script(44, 10, 6, 2, 31, 10, 4)
    shot = {"to_hit": 60, "mode": "single", "fury": "confirm", "damage_type": "E", "health": health, "toughness": 150}
    found = RULESET.roll("shoot", tape=tape, **shot)
    (hit,) = (line for line in found.log if line.text.endswith(" through"))
    assert (hit.rolled, hit.result) == ("16, fury 14", "22")
    (row,) = (line for line in found.log if ", row " in line.text)
    assert row.result == critical
    unfurious = RULESET.roll("shoot", tape=Script(44, 10, 6, 2, 77), **shot)
    (hit,) = (line for line in unfurious.log if line.text.endswith(" through"))
    assert hit.rolled == "16"
    assert next(line.result for line in unfurious.log if line.question == "confirm") == "fail"


@pytest.mark.clause("DW-PIPE-1", "DW-QUAL-BLAST", "DW-QUAL-FLAME")
def test_rolls_of_blasts_and_flames():
    blast = {"to_hit": 40, "mode": "single", "qualities": ("Blast (3)",), "damage": "1d10+5"}
    caught = RULESET.roll("shoot", tape=Script(90, 3, 35, 6), **blast).results
    assert (caught["status"], caught["hits"], caught["places"]) == ("struck", 1, "body")
    assert RULESET.roll("shoot", tape=Script(90, 4), **blast).results["hits"] == 0
    flamer = {"agility": 40, "head": 20, "qualities": ("Flame",), "damage": "1d10+5", "mode": "single"}
    burnt = RULESET.roll("shoot", tape=Script(41, 5, 9), **flamer)
    assert (burnt.results["status"], burnt.results["damage"]) == ("struck", 0)
    assert RULESET.roll("shoot", tape=Script(40), **flamer).results["status"] == "miss"


@pytest.mark.clause("DW-PIPE-1", "DW-TEST-4")
def test_the_log_says_what_adds_to_the_attack():
    added = attack_modifiers(Situation(action="full", band="short", surprised=True, stunned=True), False)
    spec = apply_qualities(
        AttackDraft(50, added, mode="full", rof=4, **BOLTER), ["Tearing"], marine(dodge=40, reaction="dodge")
    )
    tape = Script(23, 35, 7, 3, 9, 2, 2, 5, 10, 1, 6)
    start = one_attack(spec)
    played = play(one_on_one(start).stages, tape, start)
    text = as_text(played.log)
    for line in (
        "Full auto burst +20  [DW-ACT-FULL-AUTO-BURST]",
        "Short range +10  [DW-RANGE-1]",
        "Modifiers +80, of which +60 counts: 50 becomes 110  [DW-TEST-4]",
        "To hit (needs 110 or less): 23 → 4 hits, the first on the body",
        "Dodge (needs 40 or less): 35 → undoes 1",
        "1 of 4 hits undone, 3 left",
        "Hits on: body, body, arm  [DW-MULTI-1]",
        "3 of 21 wounds left",
    ):
        assert line in text
    assert tape.used_up
    assert health_words(-3, 21) == "Critical damage 3"
    assert health_words(DEAD - 7, 21) == "Dead"
