"""Dodge and parry: their limits, their targets, and the hits that are left."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.rulesets.deathwatch.profiles.types import Character, WeaponProfile
from battletape.rulesets.deathwatch.rules.attack import stages
from battletape.rulesets.deathwatch.rules.attack.fighters import CarriedWeapon, Fighter, parry_of, parrying_weapons
from battletape.rulesets.deathwatch.rules.attack.records import Attack, AttackDraft, Defender
from battletape.rulesets.deathwatch.rules.attack.stages import ReactionLimits, check_jam, roll_to_hit
from battletape.rulesets.deathwatch.rules.d100_tests import target as target_of
from battletape.rulesets.deathwatch.rules.keywords import apply_qualities, qualities_named
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.tape.best import Best
from battletape.tape.exact import Exact
from battletape.tape.script import Script
from tests.deathwatch import twin
from tests.deathwatch.exactly import odds_of, unstruck


def struck(guard: Defender, *names: str, hits: int = 1, rulings: Rulings = DEFAULT, **more: Any) -> Attack:
    """An attack that has hit, about to be evaded."""
    start = unstruck(apply_qualities(AttackDraft(60, target=60, **more), names, guard, rulings))
    return Attack(start.spec, start.victim, "hit", 0, hits, "body", hits)


def left(hits: int, target: int, rulings: Rulings = DEFAULT) -> dict[int, Fraction]:
    """How many of so many hits are left after a dodge."""
    odds = odds_of(stages.dodge, hits, target, rulings.multi_dodge == "one_plus_dos", "dodge", rulings)
    return odds.project(lambda gone: hits - gone).fractions()


@pytest.mark.clause("DW-EVA-2", "DW-ACT-DODGE")
def test_a_dodge_undoes_a_hit_and_one_more_for_each_degree():
    assert left(4, 50) == {
        0: Fraction(1, 5),
        1: Fraction(1, 10),
        2: Fraction(1, 10),
        3: Fraction(1, 10),
        4: Fraction(1, 2),
    }
    assert left(4, 50, Rulings(multi_dodge="one_hit")) == {3: Fraction(1, 2), 4: Fraction(1, 2)}
    plus = Rulings(degrees="plus_one")
    assert left(3, 15, plus) == {0: Fraction(5, 100), 1: Fraction(10, 100), 3: Fraction(85, 100)}


@pytest.mark.clause("DW-EVA-2")
def test_the_reference_burst_against_a_dodge():
    guard = Defender(dodge=40, reaction="dodge")
    start = unstruck(apply_qualities(AttackDraft(80, mode="full", rof=4), (), guard))
    found = Exact().run((roll_to_hit, check_jam, stages.evade), start).project(lambda after: after.landed)
    wanted = {0: "17/50", 1: "13/100", 2: "3/25", 3: "11/100", 4: "3/10"}
    assert found.fractions() == {hits: Fraction(chance) for hits, chance in wanted.items()}
    assert found.mean == Fraction(19, 10)


@given(hits=st.integers(1, 10), target=st.integers(-10, 120))
@settings(max_examples=40, deadline=None)
def test_dodges_equal_the_twin(hits: int, target: int):
    assert left(hits, target) == twin.dodged(hits, target)


@pytest.mark.clause("DW-EVA-3", "DW-ACT-PARRY")
def test_a_parry_undoes_a_melee_hit():
    guard = Defender(parry=55, reaction="parry")
    start = unstruck(apply_qualities(AttackDraft(60, melee=True), (), guard))
    found = Exact().run((roll_to_hit, check_jam, stages.evade), start)
    assert found.chance(lambda after: after.landed > 0) == Fraction(27, 100)
    shot = unstruck(apply_qualities(AttackDraft(60), (), guard))
    assert Exact().run((roll_to_hit, stages.evade), shot).chance(lambda after: after.landed > 0) == Fraction(3, 5)


@pytest.mark.clause("DW-QUAL-BALANCED", "DW-QUAL-DEFENSIVE", "DW-QUAL-UNBALANCED", "DW-QUAL-UNWIELDY", "DW-EVA-3")
@pytest.mark.parametrize(
    ("names", "target"),
    [((), 50), (("Balanced",), 60), (("Defensive",), 65), (("Unbalanced",), 40), (("Balanced", "Power Field"), 60)],
)
def test_what_a_weapon_does_for_a_parry(names: tuple[str, ...], target: int):
    fencer, blade = (
        Fighter(name="", side="", profile=Character(ws=50)),
        CarriedWeapon(WeaponProfile(melee=True, qualities=names)),
    )
    assert parry_of(fencer, blade) == target
    assert parry_of(fencer.with_done(guarded=True), blade) == target + 10


@pytest.mark.clause("DW-QUAL-UNWIELDY")
def test_an_unwieldy_weapon_does_not_parry():
    blades = (CarriedWeapon(WeaponProfile(melee=True, qualities=("Unwieldy",))),)
    assert parrying_weapons(Fighter(name="", side="", profile=Character(ws=50), weapons=blades)) == ()
    assert str(stages.refuse_parry(qualities=qualities_named(["Unwieldy"]))) == (
        "nobody can parry with an unwieldy weapon; a dodge would do (DW-QUAL-UNWIELDY)"
    )


@pytest.mark.clause("DW-EVA-2")
def test_what_adds_to_a_dodge():
    assert target_of(40, (-10, 10, 10)) == 50
    assert target_of(40, (-80,)) == -20


@pytest.mark.clause("DW-EVA-1")
@pytest.mark.parametrize(
    ("who", "clause"),
    [
        (ReactionLimits(("stunned",)), "DW-STUN-1"),
        (ReactionLimits(("surprised",)), "DW-COND-SURPRISED"),
        (ReactionLimits(("helpless",)), "DW-COND-HELPLESS"),
        (ReactionLimits(("unconscious",)), "DW-EVA-1"),
        (ReactionLimits(("grappled",)), "DW-ACT-GRAPPLE"),
        (ReactionLimits(("all_out",)), "DW-ACT-ALL-OUT-ATTACK"),
        (ReactionLimits(("feinted",)), "DW-ACT-FEINT"),
        (ReactionLimits(("by_horde",)), "DW-HORDE-15"),
        (ReactionLimits(used=1), "DW-EVA-1"),
        (ReactionLimits(used=2, budget=2), "DW-EVA-1"),
    ],
)
def test_reactions_are_refused_by_state(who: ReactionLimits, clause: str):
    for refused in (stages.refuse_reaction(who), stages.refuse_parry(who)):
        assert refused is not None
        assert refused.clause == clause


@pytest.mark.clause("DW-EVA-1", "DW-ACT-DODGE", "DW-ACT-PARRY")
def test_reactions_are_refused_with_the_reason():
    assert stages.refuse_reaction() is None
    assert stages.refuse_parry() is None
    assert stages.refuse_reaction(ReactionLimits(used=1, budget=2)) is None
    assert str(stages.refuse_reaction(ReactionLimits(used=1))) == (
        "a dodge is a Reaction, and there is one Reaction a round: 1 used, wait for the next round (DW-EVA-1)"
    )
    assert "this one is a shot, which may be dodged (DW-EVA-3)" in str(stages.refuse_parry(melee=False))
    assert "needs a melee weapon in hand" in str(stages.refuse_parry(armed=False))


@pytest.mark.clause("DW-QUAL-POWER-FIELD")
def test_a_power_field_breaks_a_weapon_that_it_parries():
    guard = Defender(parry=60, parry_field=True, reaction="parry")

    def broken(
        *names: str, guard: Defender = guard, rulings: Rulings = DEFAULT, **more: Any
    ) -> tuple[Fraction, Fraction]:
        found = odds_of(stages.evade, struck(guard, *names, melee=True, rulings=rulings, **more))
        return found.chance(lambda after: after.weapon_broken), found.chance(lambda after: after.parry_broken)

    assert broken() == (Fraction(9, 20), 0)
    assert broken("Power Field") == (0, 0)
    assert broken(breakable=False) == (0, 0)
    clash = Rulings(power_field="any_clash")
    plain = Defender(parry=60, reaction="parry")
    assert broken("Power Field", guard=plain) == (0, 0)
    assert broken("Power Field", guard=plain, rulings=clash) == (0, Fraction(9, 20))
    assert broken(rulings=clash) == (Fraction(9, 20), 0)


@pytest.mark.clause("DW-EVA-1")
def test_the_defender_chooses_and_the_likelier_way_is_named_first():
    guard = Defender(dodge=30, parry=60, reaction="choose", by="Gharn")
    attack = struck(guard, melee=True)
    assert stages.evade(Script("parry", 60), attack).landed == 0
    assert stages.evade(Script("dodge", 31), attack).landed == 1
    assert stages.evade(Script("none"), attack) == attack
    assert odds_of(stages.evade, attack).chance(lambda after: not after.landed) == Fraction(3, 5)
    advice = Best(lambda after: after.landed, sides={"Gharn": "min"}).run((stages.evade,), attack)
    assert advice.value == Fraction(2, 5)
    assert stages.evade(Script("dodge", 30), struck(guard)).landed == 0


@pytest.mark.clause("DW-EVA-1", "DW-ACT-FEINT")
def test_what_cannot_be_evaded_is_not_asked():
    guard = Defender(dodge=90, parry=90, reaction="choose")
    feint = struck(guard, melee=True, evadable=False)
    assert stages.evade(Script(), feint) == feint
    missed = struck(guard, hits=0)
    assert stages.evade(Script(), missed) == missed
    nothing = struck(Defender(reaction="dodge"))
    assert stages.evade(Script(), nothing) == nothing


@pytest.mark.clause("DW-EVA-2")
def test_labels_are_led_by_the_name_of_the_defender():
    tape = Script(12)
    stages.evade(tape, struck(Defender(dodge=40, reaction="dodge", name="Brother Cato"), hits=4))
    assert [ask.label for ask, _ in tape.trail] == ["Brother Cato: dodge"]
