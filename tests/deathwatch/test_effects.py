"""Special rules after damage: exact chances of the catalogue, and twins over the faces."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from battletape import Battle
from battletape.dice import look_up
from battletape.odds import Odds
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.rules import quality_effects as effects
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, Defender, against, body_of
from battletape.rulesets.deathwatch.rules.attack.stages import with_aftermath
from battletape.rulesets.deathwatch.rules.conditions import NOTHING, BodyNumbers, Conditions
from battletape.rulesets.deathwatch.rules.damage import Hit, HitEffect
from battletape.rulesets.deathwatch.rules.keywords import apply_qualities
from battletape.rulesets.deathwatch.rules.traits import DEAD
from battletape.rulesets.deathwatch.rules.wounds import (
    Aftermath,
    Victim,
    hit_parts,
    roll_hit_effect,
    row_kills,
    take_hit,
    take_hit_part,
)
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.tape import Tape
from battletape.tape.script import Script
from tests.deathwatch.exactly import CONDITIONS, odds_of, whole_attack

AUTO = Rulings(auto_results="01_and_00")
SMALL_CAP = Rulings(modifier_cap=30)


REVERSED = ((range(1, 11), "head"), (range(11, 31), "arm"), (range(31, 71), "body"), (range(71, 101), "leg"))


def fails(target: int, auto: bool = False) -> Fraction:
    """The chance to fail a test, face by face."""
    rolls = [roll for roll in range(1, 101) if (roll > target if not auto or roll not in (1, 100) else roll == 100)]
    return Fraction(len(rolls), 100)


@pytest.mark.clause("DW-QUAL-CONCUSSIVE")
@pytest.mark.parametrize(
    ("degrees", "target", "chance"), [(0, 45, "11/20"), (2, 25, "3/4"), (5, -5, "1"), (9, -15, "1")]
)
def test_concussive(degrees: int, target: int, chance: str):
    assert effects.resist_target(BodyNumbers(toughness=45), "concussive", degrees) == target
    assert stunned(45, degrees) == Fraction(chance) == fails(target)


def stunned(toughness: int, degrees: int, **rulings: Any) -> Fraction:
    """How often a concussive hit of so many degrees stuns."""
    given = {"qualities": ["Concussive"], "toughness": toughness, "success_degrees": degrees}
    return RULESET.ask("hit", **given, **rulings).odds("stunned").at_least(1)


@pytest.mark.clause("DW-QUAL-CONCUSSIVE")
def test_concussive_by_rulings():
    assert stunned(45, 5, modifier_cap=30) == fails(15)
    assert stunned(45, 5, auto_results="01_and_00") == fails(-5, auto=True) == Fraction(99, 100)


@pytest.mark.clause("DW-QUAL-CONCUSSIVE")
def test_more_damage_than_the_strength_bonus_knocks_down():
    spec = apply_qualities(AttackDraft(50), ("Concussive",), GUARD)

    def shaken(net: int) -> Victim:
        after = Aftermath(spec.attack_effects, spec.hits[0], 0, spec)
        return effects.concuss(Script(1), Victim(9, conditions=NOTHING, net_damage=net), after)

    assert [shaken(net).conditions for net in (8, 9)] == [NOTHING, Conditions(prone=True)]


GUARD = Defender(ap=(8, 8, 8, 10, 8, 8), tb=4, multiplier=2, toughness=45, agility=35, sb=8, wounds=20)


@pytest.mark.clause("DW-QUAL-CONCUSSIVE", "DW-PIPE-1")
def test_a_concussive_attack_stuns_by_its_degrees_and_knocks_down_by_its_damage():
    spec = apply_qualities(AttackDraft(60, dice=2, flat=5, pen=5, damage_type="X"), ("Concussive",), GUARD)
    odds = whole_attack(spec, asked=CONDITIONS)
    stunned = prone = Fraction(0)
    for roll, one, two in product(range(1, 101), range(1, 11), range(1, 11)):
        if roll > 60 or roll >= 96:
            continue
        turned = (roll % 10) * 10 + roll // 10 if roll < 100 else 100
        body = 31 <= turned <= 70
        net = max(0, one + two + 5 - (13 if body else 11))
        share = Fraction(1, 10_000)
        stunned += share * fails(45 - 10 * ((60 - roll) // 10))
        prone += share * (net > 8)
    assert odds.chance(lambda attack: attack.victim.conditions.stunned == 1) == stunned
    assert odds.chance(lambda attack: attack.victim.conditions.prone) == prone


def falls(guard: Defender, names: tuple[str, ...], health: int, **dials) -> Fraction:
    """Return the chance that a blow which always hits throws its target down."""
    spec = apply_qualities(AttackDraft(100, melee=True, called="body", **dials), names, guard)
    odds = whole_attack(spec, health, CONDITIONS)
    return odds.chance(lambda attack: attack.victim.conditions.prone)


@pytest.mark.clause("DW-QUAL-CONCUSSIVE", "DW-QUAL-TOXIC", "DW-DMG-2")
def test_net_damage_knocks_down_and_not_what_poison_or_grit_make_of_it():
    soft = Defender(tb=0, toughness=45, sb=8, wounds=100)
    poisoned = ("Concussive", "Toxic")
    assert [falls(soft, poisoned, 100, dice=0, flat=flat) for flat in (5, 8, 9)] == [0, 0, 1]
    gritty = replace(soft, tb=5, sb=2, wounds=10, true_grit=True)  # at 0 wounds he loses 1, 1, 2 of 1, 2, 3
    assert [falls(gritty, ("Concussive",), 0, dice=0, flat=5 + net) for net in (1, 2, 3)] == [0, 0, 1]
    assert falls(gritty, (), 0, dice=0, flat=5 + 3) == 0  # the critical row does not
    assert falls(soft, ("Concussive",), 100, dice=1) == Fraction(2, 10)  # 9 and 10


@pytest.mark.clause("DW-QUAL-CONCUSSIVE", "DW-DMG-2")
def test_a_concussive_shot_at_a_target_with_true_grit_at_its_last_wound():
    guard = Defender(tb=0, toughness=100, sb=8, wounds=20, true_grit=True)
    spec = apply_qualities(AttackDraft(100, dice=1, flat=10), ("Concussive",), guard)
    odds = whole_attack(spec, 1, CONDITIONS)
    alive = Fraction(0)
    for roll, face in product(range(1, 96), range(1, 11)):
        row = (face + 10) // 2  # the net damage less one wound, halved and rounded up
        place = look_up(REVERSED, (roll % 10) * 10 + roll // 10 or 100)
        alive += (
            (1 - odds_of(row_kills, Hit(place, body=BodyNumbers(toughness=100)), row).chance(True)) / 1000
            if row < 10
            else 0
        )
    assert odds.chance(lambda attack: attack.victim.conditions.prone) == alive == Fraction(129, 200)


@pytest.mark.clause("DW-QUAL-CONCUSSIVE", "DW-ACT-MULTIPLE-ATTACKS")
def test_each_attack_counts_its_own_damage():
    given = {"ws": 120, "sb": 0, "damage": "1d5+4", "pen": 0, "tb": 0, "target_sb": 9, "wounds": 100}
    given |= dict.fromkeys(("head", "arm", "body", "leg"), 0) | {"qualities": ["Concussive"]}
    swift = RULESET.ask("fight", action="swift", talents=["Swift Attack"], **given)
    assert swift.odds("damage").at_least(10) == 1
    assert swift.odds("prone").chance(1) == 0


@pytest.mark.clause("DW-QUAL-SNARE", "DW-PIPE-1")
def test_a_snare_holds_the_target_it_hits():
    spec = apply_qualities(AttackDraft(50, dice=1, flat=0), ("Snare",), GUARD)
    odds = whole_attack(spec, asked=CONDITIONS)
    assert odds.chance(lambda attack: attack.victim.conditions.immobilised) == Fraction(1, 2) * Fraction(13, 20)
    untracked = whole_attack(spec)
    assert {attack.victim.conditions for attack in untracked.fractions()} == {None}


def hit(ap: int = 0, rulings: Rulings = DEFAULT, **more: object) -> Hit:
    return Hit("body", ap=ap, body=body_of(4, 40, rulings=rulings), **more)


@pytest.mark.clause("DW-QUAL-SHOCKING")
@pytest.mark.parametrize(
    ("toughness", "ap", "net", "target", "chance", "rounds"),
    [(40, 4, 5, 80, "1/5", 3), (40, 0, 3, 40, "3/5", 2), (35, 8, 7, 95, "1/20", 4), (40, 0, 1, 40, "3/5", 1)],
)
def test_shocking(toughness: int, ap: int, net: int, target: int, chance: str, rounds: int):
    assert effects.resist_target(BodyNumbers(toughness=toughness), "shocking", ap) == target
    odds = odds_of(effects.shock, Hit("arm", ap=ap, body=BodyNumbers(toughness=toughness)), net)
    assert odds.fractions() == {0: 1 - Fraction(chance), rounds: Fraction(chance)}
    assert fails(target) == Fraction(chance)


@pytest.mark.clause("DW-QUAL-SHOCKING")
def test_shocking_by_rulings():
    down = hit(rulings=Rulings(shocking_rounds="half_down"))
    assert [effects.shock(Script(99), hit(), net) for net in range(1, 7)] == [1, 1, 2, 2, 3, 3]
    assert [effects.shock(Script(99), down, net) for net in range(1, 7)] == [1, 1, 1, 2, 2, 3]
    assert odds_of(effects.shock, down, 5).chance(2) == Fraction(3, 5)
    assert odds_of(effects.shock, hit(ap=8, rulings=SMALL_CAP), 5).chance(3) == fails(70)
    assert odds_of(effects.shock, hit(ap=8, rulings=AUTO), 5).chance(3) == fails(100, auto=True) == Fraction(1, 100)
    assert acted(Script(), Victim(9, conditions=NOTHING), SHOCKING, 0).conditions == NOTHING


SHOCKING, TOXIC = (
    HitEffect(effects.apply_shock, effects.shock, afflicts=True),
    HitEffect(effects.apply_poison, effects.poison),
)


def acted(tape: Any, victim: Victim, act: HitEffect, got: int, ap: int = 0, rulings: Rulings = DEFAULT) -> Victim:
    """Return the effect of a quality after a hit of so much damage."""
    taken = hit(ap, rulings, hit_effects=(act,))
    return take_hit_part(tape, roll_hit_effect(tape, victim, taken, 0, got), hit_parts((taken,))[1])


@pytest.mark.clause("DW-QUAL-SHOCKING")
def test_a_shock_is_a_stun_and_the_longer_one_counts():
    def after(roll: int, conditions: Conditions) -> Conditions | None:
        return acted(Script(roll), Victim(9, conditions=conditions), SHOCKING, 6).conditions

    assert after(80, NOTHING) == Conditions(stunned=3)
    assert after(80, Conditions(stunned=5)) == Conditions(stunned=5)
    assert after(12, NOTHING) == NOTHING
    unfollowed = Victim(9)
    assert acted(Script(), unfollowed, SHOCKING, 6) is unfollowed


@pytest.mark.clause("DW-QUAL-TOXIC")
@pytest.mark.parametrize(
    ("net", "target", "chance", "mean"), [(1, 35, "13/20", "143/40"), (6, 10, "9/10", "99/20"), (20, -20, "1", "11/2")]
)
def test_toxic(net: int, target: int, chance: str, mean: str):
    assert effects.resist_target(BodyNumbers(toughness=40), "toxic", net) == target
    odds = poisoned(net, ap=8)
    assert odds.at_least(1) == Fraction(chance) == fails(target)
    assert odds.mean == Fraction(mean)
    assert odds.chance(10) == Fraction(chance) / 10


def poisoned(net: int, ap: int = 0, rulings: Rulings = DEFAULT) -> Odds[Any]:
    """The damage of poison after a hit of so much damage."""
    return odds_of(acted, Victim(99), TOXIC, net, ap, rulings).project(lambda victim: 99 - victim.health)


@pytest.mark.clause("DW-QUAL-TOXIC")
def test_toxic_by_rulings():
    assert effects.resist_target(BodyNumbers(toughness=90), "toxic", 20) == 30
    assert poisoned(8, rulings=SMALL_CAP).at_least(1) == fails(10)
    assert poisoned(10, rulings=AUTO).at_least(1) == Fraction(99, 100)
    assert poisoned(0).fractions() == {0: 1}


@pytest.mark.clause("DW-QUAL-TOXIC", "DW-QUAL-SHOCKING")
def test_qualities_act_one_after_the_other_and_only_on_the_living():
    both = replace(hit(hit_effects=(TOXIC, SHOCKING)), dice=1, max_damage=40)
    hale = Victim(30, conditions=NOTHING)
    tape = Script(6, 99, 4, 99)  # damage, no Toughness against the poison, its damage, nor against the shock
    after = take_hit(tape, hale, both)
    assert (after.health, after.conditions, after.due_effect, after.last_damage) == (20, Conditions(stunned=3), 0, 0)
    assert tape.used_up
    unhurt = take_hit(tape := Script(6, 1, 1), hale, both)  # it withstands both
    assert (unhurt.health, unhurt.conditions, tape.used_up) == (24, NOTHING, True)
    frail = Victim(3, conditions=NOTHING)
    killed = take_hit(tape := Script(5, 99, 10), frail, replace(both, sudden_death=True))
    assert killed.is_dead
    assert not tape.used_up  # the blow killed: neither poison nor shock is rolled for
    poisoned_to_death = take_hit(tape := Script(2, 99, 10), frail, replace(both, sudden_death=True))
    assert poisoned_to_death.is_dead
    assert tape.used_up  # no shock for the dead
    assert (poisoned_to_death.due_effect, poisoned_to_death.last_damage) == (0, 0)


@pytest.mark.clause("DW-QUAL-TOXIC", "DW-QUAL-SHOCKING")
def test_taken_in_parts_or_at_once_a_hit_does_the_same():
    both = replace(hit(ap=4, hit_effects=(TOXIC, SHOCKING)), dice=2, flat=3, reduction=6, max_damage=24)
    for victim in (Victim(14), Victim(14, conditions=NOTHING), Victim(-2, conditions=NOTHING)):

        def in_steps(tape: Tape, start: Victim) -> Victim:
            return tape.each(take_hit_part, start, hit_parts((both, both)))

        def at_once(tape: Tape, start: Victim) -> Victim:
            return tape.each(take_hit, start, (both, both))

        assert odds_of(in_steps, victim).fractions() == odds_of(at_once, victim).fractions()


@pytest.mark.clause("DW-QUAL-SNARE")
def test_snare():
    def held(**given: Any) -> Fraction:
        return RULESET.ask("hit", qualities=["Snare"], **given).odds("held").chance(1)

    assert held(agility=35) == Fraction(13, 20)
    assert held(agility=120, auto_results="01_and_00") == Fraction(1, 100)
    assert odds_of(effects.break_free, 40, 35).chance(True) == Fraction(2, 5)
    assert odds_of(effects.break_free, 20, 55).chance(True) == Fraction(11, 20)
    assert effects.break_free(Script("agility", 35), 40, 35)
    assert not effects.break_free(Script("agility", 36), 40, 35)


@pytest.mark.clause("DW-QUAL-SMOKE")
def test_smoke():
    odds = odds_of(effects.smoke_screen)
    across, lasts = odds.project(lambda cloud: cloud.across), odds.project(lambda cloud: cloud.rounds)
    three = [sum(faces) for faces in product(range(1, 11), repeat=3)]
    assert across.at_least(20) == Fraction(sum(one >= 20 for one in three), 1000) == Fraction(283, 1000)
    assert (across.mean, lasts.mean, lasts.at_most(5)) == (Fraction(33, 2), 11, Fraction(1, 10))


@pytest.mark.clause("DW-QUAL-HAYWIRE")
def test_haywire():
    fields = [effects.roll_haywire_field(Script(roll)) for roll in (1, 20, 21, 40, 41, 60, 61, 80, 81, 100)]
    assert fields == [name for name in effects.FIELDS for _ in range(2)]
    assert set(odds_of(effects.roll_haywire_field).fractions().values()) == {Fraction(1, 5)}
    told = RULESET.ask("hit", qualities=["Haywire (3)"]).odds("field")
    assert told.fractions() == {name.replace("_", " "): Fraction(1, 5) for name in effects.FIELDS}


@pytest.mark.clause("DW-QUAL-HAYWIRE")
def test_a_field_fades_by_a_step_a_round():
    names = tuple(effects.FIELDS)
    assert [effects.weaken(name) for name in names] == [names[0], *names[:-1]]
    assert [effects.field_rounds(name) for name in names] == [0, 1, 2, 3, 4]
    assert [(strength.to_technology, strength.movement) for strength in effects.FIELDS.values()][:3] == [
        (0, 0),
        (-10, -1),
        (-20, -3),
    ]
    assert [strength.stops for strength in effects.FIELDS.values()] == [False, False, False, True, True]
    assert [strength.unpowers for strength in effects.FIELDS.values()] == [False, False, True, True, True]


@pytest.mark.clause("DW-COND-COHESION", "DW-QUAL-DEVASTATING")
@pytest.mark.parametrize(
    ("qualities", "roll", "left"), [((), 1, 6), (("Devastating (3)",), 1, 5), (("Devastating (3)",), 95, 6)]
)
def test_a_devastating_hit_costs_a_point_of_cohesion(qualities, roll, left):
    gun = {"name": "gun", "kind": "Pistol", "range": 50, "damage": "1d10", "clip": 9, "qualities": qualities}
    who = {"name": "A", "initiative": 9, "weapons": ["gun"], "arsenal": [gun]}
    foe = {"name": "B", "initiative": 8, "y": 20, "wounds": 90}
    sides = [{"name": "ours", "fighters": [who]}, {"name": "theirs", "fighters": [foe], "cohesion": 6}]
    fight = Battle.new(RULESET, {"sides": sides})
    fight.push("shoot", target="B", mode="single", tape=Script(roll, *((5,) if roll == 1 else ())))
    assert dict(fight.state.cohesion)["theirs"] == left


@pytest.mark.clause("DW-QUAL-CONCUSSIVE", "DW-QUAL-SNARE")
def test_the_dead_and_the_missed_are_spared():
    spec = apply_qualities(AttackDraft(50, dice=1), ("Concussive", "Snare"), GUARD)
    assert with_aftermath(spec, (), 3) == ()
    (_, after) = with_aftermath(spec, spec.hits[:1], 3)
    dead = Victim(DEAD, conditions=NOTHING)
    assert take_hit_part(Script(), dead, after) is dead


@pytest.mark.clause("DW-COND-HELPLESS")
def test_melee_finds_the_helpless_surely_and_rolls_damage_twice():
    draft = AttackDraft(30, melee=True, dice=1, flat=4, pen=2, damage_type="R")
    for held in (Conditions(immobilised=True), Conditions(unconscious=6)):
        spec = apply_qualities(against(held, draft), (), replace(GUARD, dodge=90, reaction="dodge"))
        odds = whole_attack(spec)
        expected: Counter[int] = Counter()
        for place, one, two in product(range(1, 101), range(1, 11), range(1, 11)):
            reduction = (8 if 31 <= place <= 70 else 6) + 8
            expected[max(0, one + 4 + two + 4 - reduction)] += 1
        damage = odds.project(lambda attack: 20 - attack.victim.health).fractions()
        assert damage == {net: Fraction(ways, 10_000) for net, ways in expected.items()}
    assert against(NOTHING, draft) is draft
    shot = against(Conditions(immobilised=True), replace(draft, melee=False))
    assert (shot.target, shot.damage_rolls, shot.evadable) == (None, 1, False)


@pytest.mark.clause("DW-QUAL-TOXIC", "DW-DMG-3")
def test_the_log_tells_a_poisoned_hit_once():
    given = {"weapon": "Astartes Combat Knife", "qualities": ["Toxic"], "ws": 100, "wounds": 90, "minion": False}
    for seed in range(20):
        told = RULESET.roll("fight", seed=seed, **given)
        assert sum(line.text.endswith(" through") for line in told.log) == told.results["landed"]
