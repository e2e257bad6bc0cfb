"""Attacks of a horde: its dice and attacks, and whole turns against a twin by faces."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import lru_cache
from itertools import product

import pytest

from battletape.errors import BadInput
from battletape.log import as_text, play
from battletape.rulesets.deathwatch.rules import hordes
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, Defender, PreparedAttack
from battletape.rulesets.deathwatch.rules.hordes import Traits, assault_procedure, begin_assault, horde_draft
from battletape.rulesets.deathwatch.rules.keywords import apply_qualities
from battletape.tape.script import Script
from tests.deathwatch.exactly import CONDITIONS, HARM, run

GUARD = Defender(ap=(8, 8, 8, 10, 8, 8), tb=4, multiplier=2, wounds=90)
PLACES = ("head",) * 10 + ("arm",) * 20 + ("body",) * 40 + ("leg",) * 30
ROWS = {"head": "HABAB", "arm": "ABHBA", "body": "BAHAB", "leg": "LBAHB"}
Dist = dict[int, Fraction]


def more_dice(magnitude: int, traits: Traits = Traits(), melee: bool = False) -> int:
    return horde_draft(AttackDraft(30, dice=0, melee=melee), magnitude, traits).dice


@pytest.mark.clause("DW-HORDE-15")
def test_more_of_them_do_more():
    numbers = {
        magnitude: (more_dice(magnitude), hordes.attacks_of(magnitude, melee=False))
        for magnitude in (0, 5, 10, 19, 20, 30, 75)
    }
    assert numbers == {0: (0, 0), 5: (0, 0), 10: (1, 1), 19: (1, 1), 20: (2, 2), 30: (2, 3), 75: (2, 7)}


@pytest.mark.clause("DW-HORDE-15", "DW-HORDE-17")
def test_traits_of_hordes_that_attack():
    rush, drilled = Traits(overwhelming=True), Traits(fire_drill=True)
    assert [more_dice(magnitude, rush, melee=True) for magnitude in (19, 20, 40)] == [1, 3, 3]
    assert more_dice(20, rush) == 2
    assert [hordes.attacks_of(magnitude, False, drilled) for magnitude in (30, 5, 0)] == [4, 1, 0]
    assert hordes.attacks_of(35, melee=False) == 3
    assert hordes.attacks_of(35, melee=True) == 1
    assert hordes.attacks_of(0, melee=True) == 0


@pytest.mark.clause("DW-HORDE-15")
def test_what_a_horde_and_its_victim_cannot_do():
    assert hordes.refuse_horde_attack(False, False, False) is None
    for manner in ((True, False, False), (False, True, False), (False, False, True)):
        refused = hordes.refuse_horde_attack(*manner)
        assert refused is not None
        assert refused.clause == "DW-HORDE-15"
    draft = horde_draft(AttackDraft(30, dice=1, fury_eligible=True, fury_sure=True, aim_bonus=10), 35)
    assert (draft.dice, draft.fury_eligible, draft.fury_sure, draft.evadable, draft.aim_bonus) == (
        3,
        False,
        False,
        False,
        0,
    )
    with pytest.raises(BadInput, match=r"adds d10s to its damage; got d5s"):
        horde_draft(AttackDraft(30, dice=1, sides=5), 35)


def shooters(
    magnitude: int, *, mode: str = "single", rof: int = 1, target: int = 40, guard: Defender = GUARD
) -> PreparedAttack:
    draft = AttackDraft(target, mode=mode, rof=rof, dice=1, flat=3, damage_type="I")  # type: ignore[arg-type]
    return apply_qualities(horde_draft(draft, magnitude), (), guard)


@lru_cache(8)
def nets(dice: int, flat: int, reduction: int) -> Dist:
    """Net damage of one hit, face by face."""
    found: Dist = defaultdict(Fraction)
    for roll in product(range(1, 11), repeat=dice):
        found[max(0, sum(roll) + flat - reduction)] += Fraction(1, 10**dice)
    return dict(found)


def plus(one: Dist, other: Dist) -> Dist:
    found: Dist = defaultdict(Fraction)
    for a, p in one.items():
        for b, q in other.items():
            found[a + b] += p * q
    return dict(found)


def by_faces(target: int, mode: str, rof: int, dice: int) -> Dist:
    """Damage of one attack on the marine, roll by roll."""
    found: Dist = defaultdict(Fraction)
    step, jam = {"single": (0, 96), "semi": (20, 94), "full": (10, 94)}[mode]
    for roll in range(1, 101):
        hits = 0 if roll > target or roll >= jam else min(rof, 1 + ((target - roll) // step if step else 0))
        first = PLACES[(int(f"{roll % 100:02d}"[::-1]) or 100) - 1]
        letters = [first[0].upper(), *(ROWS[first][min(at, 4)] for at in range(hits - 1))][:hits]
        total: Dist = {0: Fraction(1, 100)}
        for letter in letters:
            total = plus(total, nets(dice, 3, (10 if letter == "B" else 8) + 8))
        for got, chance in total.items():
            found[got] += chance
    return dict(found)


@pytest.mark.clause("DW-HORDE-15", "DW-PIPE-1")
@pytest.mark.parametrize(
    ("magnitude", "mode", "rof", "turns", "dice"),
    [(30, "single", 1, 1, 3), (10, "semi", 3, 2, 2), (20, "full", 4, 1, 3), (9, "single", 1, 1, 1)],
)
def test_whole_turns_against_the_twin(magnitude: int, mode: str, rof: int, turns: int, dice: int):
    attacks = hordes.attacks_of(magnitude, melee=False)
    one = by_faces(40, mode, rof, dice)
    wanted: Dist = {0: Fraction(1)}
    for _ in range(attacks * turns):
        wanted = plus(wanted, one)
    start = begin_assault(shooters(magnitude, mode=mode, rof=rof), attacks, 900, turns)  # type: ignore[arg-type]
    for asked in (HARM, frozenset[str](), CONDITIONS):
        odds = run(assault_procedure(start), start, asked)
        assert odds.project(lambda rush: 900 - rush.victim.health).fractions() == {
            got: chance for got, chance in wanted.items() if chance
        }


@pytest.mark.clause("DW-HORDE-15", "DW-EVA-1")
def test_a_horde_is_not_dodged():
    nimble = Defender(ap=GUARD.ap, tb=4, multiplier=2, wounds=90, dodge=99, reaction="dodge")
    plain = begin_assault(shooters(30), 3, 90)
    quick = begin_assault(shooters(30, guard=nimble), 3, 90)
    one, other = (run(assault_procedure(start), start) for start in (plain, quick))
    health = [odds.project(lambda rush: rush.victim.health).fractions() for odds in (one, other)]
    assert health[0] == health[1]


@pytest.mark.clause("DW-HORDE-15")
def test_the_dead_are_left_alone_and_the_turn_is_noted():
    frail = Defender(wounds=1, sudden_death=True, tb=0)
    draft = horde_draft(AttackDraft(90, melee=True, dice=2, flat=5), 30)
    start = begin_assault(apply_qualities(draft, (), frail), 1, 1, turns=3)
    odds = run(assault_procedure(start), start)
    assert odds.project(lambda rush: rush.dead_in).fractions() == {
        1: Fraction(9, 10),
        2: Fraction(9, 100),
        3: Fraction(9, 1000),
        0: Fraction(1, 1000),
    }
    assert odds.project(lambda rush: rush.hits).fractions() == {1: Fraction(999, 1000), 0: Fraction(1, 1000)}


@pytest.mark.clause("DW-HORDE-15", "DW-QUAL-FLAME", "DW-QUAL-CONCUSSIVE")
def test_special_rules_of_its_weapons_count():
    guard = Defender(wounds=60, agility=40, toughness=40, tb=3)
    flames = begin_assault(apply_qualities(horde_draft(AttackDraft(30, dice=1), 20), ("Flame",), guard), 1, 60)
    odds = run(assault_procedure(flames), flames, HARM | CONDITIONS)
    assert odds.chance(lambda rush: rush.hits) == Fraction(3, 5)
    assert odds.chance(lambda rush: rush.victim.conditions.on_fire) > 0
    shock = begin_assault(apply_qualities(horde_draft(AttackDraft(30, dice=1), 20), ("Concussive",), guard), 2, 60)
    odds = run(assault_procedure(shock), shock, CONDITIONS)
    assert odds.chance(lambda rush: rush.victim.conditions.stunned) > 0
    poison = begin_assault(apply_qualities(horde_draft(AttackDraft(30, dice=1), 20), ("Toxic",), guard), 1, 60)
    plain = begin_assault(apply_qualities(horde_draft(AttackDraft(30, dice=1), 20), (), guard), 1, 60)
    left = [run(assault_procedure(one), one).project(lambda rush: rush.victim.health).mean for one in (poison, plain)]
    assert left[0] < left[1]


@pytest.mark.clause("DW-HORDE-15")
def test_the_log():
    start = begin_assault(shooters(20), 2, 90)
    tape = Script(24, 9, 9, 9, 97)
    played = play(assault_procedure(start).stages, tape, start)
    text = as_text(played.log)
    assert tape.used_up
    assert "2 attacks a turn, which nobody can dodge or parry  [DW-HORDE-15]" in text
    assert "Hits on: body  [DW-LOC-2]" in text
    assert "78 of 90 wounds left  [DW-DMG-1]" in text
    assert played.state.victim.health == 78
