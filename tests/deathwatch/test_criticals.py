"""Critical tables: all 160 rows, which kill, and what they do, against a twin that walks the faces."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from battletape.errors import BadInput, BattletapeError, UnknownName
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, Defender
from battletape.rulesets.deathwatch.rules.conditions import FOR_GOOD, NOTHING, BodyNumbers, Conditions
from battletape.rulesets.deathwatch.rules.damage import Hit
from battletape.rulesets.deathwatch.rules.keywords import apply_qualities
from battletape.rulesets.deathwatch.rules.lenses import lens
from battletape.rulesets.deathwatch.rules.traits import DamageType
from battletape.rulesets.deathwatch.rules.wounds import Victim, apply_critical_row, effects, row_kills, row_of, table_of
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.rulesets.deathwatch.tables.criticals import (
    COLUMNS,
    EFFECTS,
    ROWS,
    SURE_DEATHS,
    TESTED_DEATHS,
    WORDS,
    parse_effects,
)
from battletape.tape.exact import Exact
from battletape.tape.rolled import Rolled
from battletape.tape.script import Script
from tests.deathwatch.exactly import CONDITIONS, odds_of

BODY = BodyNumbers(tb=6, toughness=45, agility=35)
EVERY = [(letter, place, row) for letter in ROWS for place in COLUMNS for row in range(1, 11)]


@pytest.mark.clause("DW-CRIT-1")
def test_each_letter_has_its_table():
    assert table_of("E") == ("Energy", "252-253")
    assert table_of("X") == ("Explosive", "254-255")
    assert table_of("I") == ("Impact", "256-257")
    assert table_of("R") == ("Rending", "258-259")  # misprinted as Repeating on the sheet
    assert Rulings().repeating_table == "rending"
    with pytest.raises(UnknownName, match="no damage type 'Q'"):
        table_of("Q")


@pytest.mark.clause("DW-CRIT-1")
def test_the_tenth_row_is_the_last():
    assert [row_of(Victim(-total)) for total in (0, 1, 9, 10, 11, 25)] == [0, 1, 9, 10, 10, 10]


@pytest.mark.clause("DW-CRIT-2")
def test_there_are_160_rows_and_all_can_be_read():
    assert len(EFFECTS) == 160 == len(EVERY)
    assert all(EFFECTS[key] for key in EVERY)
    assert effects("E", "left_arm", 2) == effects("E", "right_arm", 2) == effects("E", "arm", 2)


@pytest.mark.clause("DW-CRIT-2")
def test_a_row_that_is_not_there_is_refused():
    with pytest.raises(BadInput, match=r"rows 1 to 10; got 11 \(DW-CRIT-2\)"):
        effects("E", "arm", 11)
    with pytest.raises(UnknownName, match="damage type 'Z'"):
        effects("Z", "arm", 1)


@pytest.mark.parametrize("code", ["Fd", "Stunned", "T? nonsense", "F1,Prone", "HM", "Blind", "arm gone"])
def test_an_unknown_code_is_refused(code: str):
    with pytest.raises(BattletapeError, match="a critical row needs codes such as Fd5"):
        parse_effects(code)


DEATHS = {  # surely / by a Toughness test
    "E": {"arm": (10, 9), "body": (9, None), "head": (8, None), "leg": (10, 9)},
    "X": {"arm": (8, 7), "body": (8, None), "head": (6, None), "leg": (8, 7)},
    "I": {"arm": (9, 8), "body": (9, None), "head": (8, None), "leg": (9, 8)},
    "R": {"arm": (9, 8), "body": (9, 8), "head": (8, None), "leg": (9, 8)},
}


@pytest.mark.clause("DW-CRIT-2")
@pytest.mark.parametrize(("letter", "place"), list(product(DEATHS, COLUMNS)))
def test_critical_rows_kill_by_kind_of_victim(letter: str, place: str):
    surely, tested = DEATHS[letter][place]
    for row in range(1, 11):
        assert ((letter, place, row) in SURE_DEATHS) == (row >= surely)
        assert ((letter, place, row) in TESTED_DEATHS) == (row == tested)
        chance = Fraction(row >= surely) if row != tested else Fraction(55, 100)
        assert odds_of(row_kills, Hit(place, damage_type=letter, body=BODY), row).chance(True) == chance


@pytest.mark.clause("DW-CRIT-2")
@pytest.mark.parametrize("toughness", [-5, 0, 1, 45, 99, 100, 140])
def test_a_toughness_test_decides_by_the_toughness(toughness: int):
    faces = sum(1 for roll in range(1, 101) if roll > toughness)
    hit = Hit("right_arm", damage_type="X", body=BodyNumbers(toughness=toughness))
    assert odds_of(row_kills, hit, 7).chance(True) == Fraction(faces, 100)


def twin(code: str, armoured: bool) -> dict[object, Fraction]:
    """Return what a row does to fatigue, stun, prone, fire and blood, by walking all faces; shares no code."""
    own = code.split(";")[0]
    sure, test, rest = [*re.split(r"\b(T\?|Ag\?)", own), "", ""][:3]
    found: Counter[object] = Counter()
    for chance, state in _walk(sure, armoured, [0, 0, False, False, False]):
        if not test:
            found[_end(state)] += chance
            continue
        passes = Fraction(45 if test == "T?" else 35, 100)
        failed, _, passed = rest.partition("/")
        for part, weight in ((failed, 1 - passes), (passed, passes)):
            for more, after in _walk(part, armoured, state):
                found[_end(after)] += chance * weight * more
    return dict(found)


def _end(state: list[Any]) -> object:
    if "dead" in state:
        return "dead"
    fatigue, stunned, prone, fire, blood = state
    return (7, stunned, True, fire, blood) if fatigue > 6 else (fatigue, stunned, prone, fire, blood)


def _walk(text: str, armoured: bool, state: list[Any]):
    kinds = [r"F(d?)(\d+)", r"Stun ?(2?d?)(\d+)", r"thrown (d?)(\d+) F(\d)"]
    outcomes: list[tuple[Fraction, list[Any]]] = [(Fraction(1), list(state))]
    for part in filter(None, (one.strip() for one in text.split(","))):
        if part.endswith(" if bare"):
            if armoured:
                continue
            part = part.removesuffix(" if bare")
        after = []
        for chance, known in outcomes:
            fatigue, stun, thrown = (re.fullmatch(kind, part) for kind in kinds)
            match = fatigue or stun or thrown
            if part == "DEAD":
                after.append((chance, ["dead"]))
            elif match:
                faces = [int(match[2])] if not match[1] else list(range(1, int(match[2]) + 1))
                throws = [sum(one) for one in product(faces, repeat=2 if match[1] == "2d" else 1)]
                for number in throws:
                    fresh = list(known)
                    if stun:
                        fresh[1] = max(fresh[1], number)
                    else:
                        fresh[0] += number * (int(thrown[3]) if thrown else 1)
                    after.append((chance / len(throws), fresh))
            else:
                fresh = list(known)
                for at, word in ((2, "Prone"), (2, "full to stand"), (3, "fire"), (4, "BL")):
                    fresh[at] = fresh[at] or part == word
                after.append((chance, fresh))
        outcomes = after
    return outcomes


def seen(state: Conditions | str) -> object:
    if isinstance(state, str):
        return state
    return (state.fatigue, state.stunned, state.prone, state.on_fire, state.blood_loss)


@pytest.mark.clause("DW-CRIT-2")
@pytest.mark.parametrize(("letter", "place"), list(product(ROWS, COLUMNS)))
@pytest.mark.parametrize("armoured", [True, False])
def test_every_row_does_what_its_dice_say(letter: DamageType, place: str, armoured: bool):
    for row in range(1, 11):
        hit = Hit(place, damage_type=letter, armoured=armoured, ap=8 * armoured, body=BODY)
        expected = twin(ROWS[letter][row - 1][COLUMNS.index(place)], armoured)
        odds = odds_of(apply_critical_row, NOTHING, hit, row).project(seen).fractions()
        assert odds == expected, (letter, place, row)


@pytest.mark.parametrize(
    ("letter", "place", "row"),
    [("X", "head", 5), ("R", "head", 6), ("E", "body", 8), ("E", "body", 6), ("X", "body", 3), ("E", "leg", 6)],
)
def test_lenses_forget_without_changing_what_is_asked(letter: str, place: str, row: int):
    hit = Hit(place, damage_type=letter, armoured=False, body=BODY)
    for start in (NOTHING, Conditions(fatigue=4, stunned=3, prone=True), Conditions(on_fire=True, blood_loss=True)):
        reader = Exact(forget=lens(CONDITIONS))
        asked = reader.odds(reader.outcomes(apply_critical_row, start, hit, row))
        assert odds_of(apply_critical_row, start, hit, row).project(seen).fractions() == asked.project(seen).fractions()
        assert all(isinstance(one, str) or not (one.notes or one.lost or one.penalties) for one in asked.weights)


def after(letter: str, spot: str, row: int, *answers: object, start: Conditions = NOTHING, **hit: object) -> Any:
    tape = Script(*answers)
    found = apply_critical_row(tape, start, Hit(spot, damage_type=letter, body=BODY, **{"ap": 8, **hit}), row)
    tape.finish()
    return found


@pytest.mark.clause("DW-CRIT-2")
def test_what_the_rows_leave_behind():
    assert after("E", "left_arm", 1).penalties == (("left_arm", -30, 1),)
    assert after("E", "head", 1).penalties == (("all_but_t", -10, 1),)
    assert after("E", "body", 1).half_actions == 1
    assert after("E", "left_arm", 2, 4) == Conditions(fatigue=1, useless=(("left_arm", 4),))
    assert after("E", "head", 2).blind == 1
    assert after("E", "right_leg", 2).slowed == 1
    assert after("E", "right_arm", 5, 3).penalties == (("bs", 0, 1), ("ws", 0, 1))
    assert after("E", "right_arm", 6, 9, 3, 46).lost == ("right_hand",)
    assert after("E", "right_arm", 6, 9, 3, 45).lost == ()
    assert after("E", "left_leg", 6, 50).lost == ("left_foot",)
    assert after("E", "left_leg", 6, 45).slowed == FOR_GOOD
    assert after("E", "left_leg", 7, 2, 10).useless == (("left_leg", FOR_GOOD),)
    assert after("E", "body", 7, 13).penalties == (("t", 0, FOR_GOOD),)
    assert [one[0] for one in after("E", "body", 8, 13).penalties] == ["ag", "s", "t"]
    assert after("E", "head", 7, 4, 6).notes == ("Fellowship is 6",)
    assert after("X", "head", 2) == Conditions(fatigue=2, blind=1, deaf=1)
    assert after("X", "right_arm", 3, 2).dropped
    assert after("X", "left_leg", 4, 2, 7) == Conditions(
        fatigue=2, prone=True, stand_is_full=True, slowed=7, notes=("thrown 2 m",)
    )
    assert after("X", "head", 5, 4, 3, 2).half_actions == FOR_GOOD
    assert after("I", "left_leg", 5, 8, 2).penalties == (("ag", -20, 8),)
    assert after("I", "body", 7, 3) == Conditions(fatigue=3, hazard="ribs")
    assert after("R", "body", 7, 3) == Conditions(fatigue=3, hazard="wound", blood_loss=True)
    assert after("R", "head", 2, 9).penalties == (("bs", -10, 9), ("ws", -10, 9))
    assert after("R", "head", 6, 3, 2).lost == ("eye",)
    assert after("R", "head", 6, 5, 2).notes == ("loses the nose", "Fellowship is halved")
    assert after("R", "head", 6, 9, 4, 2).notes == ("loses an ear", "Fellowship -4")
    assert after("R", "body", 8, 1, 4, 2).penalties == (("t", -4, FOR_GOOD),)
    assert after("R", "body", 4, 2).notes[0].startswith("the blood is slippery")
    assert after("R", "body", 10) == "dead"


@pytest.mark.clause("DW-CRIT-2")
def test_armour_that_is_gone_no_longer_helps():
    assert after("R", "body", 2) == Conditions(fatigue=1, armour_lost=(("body", 1),))
    assert after("R", "body", 2, armoured=False, ap=0) == Conditions(fatigue=1, stunned=1)
    assert after("X", "body", 3) == Conditions(armour_lost=(("body", 99),))
    assert after("X", "body", 3, 3, armoured=False) == Conditions(fatigue=6, notes=("thrown 3 m",))
    torn = after("R", "head", 3)
    assert torn == Conditions(armour_lost=(("head", 99),))
    assert after("R", "head", 1, start=torn).fatigue == 1
    assert after("R", "head", 3, start=torn).notes == ("loses an ear",)


@pytest.mark.clause("DW-CRIT-2")
def test_a_second_eye_is_blindness_and_the_longer_time_counts():
    one_eye = Conditions(lost=("eye",))
    assert after("R", "head", 4, 1, start=one_eye).blind == FOR_GOOD
    assert after("E", "right_arm", 2, 2, start=Conditions(useless=(("right_arm", 5),))).useless == (("right_arm", 5),)
    assert after("E", "head", 4, 4, start=Conditions(blind=2)).blind == 4


@pytest.mark.clause("DW-CRIT-2", "DW-BLOOD-1")
def test_the_immune_do_not_bleed():
    hit = Hit("leg", damage_type="R", body=BodyNumbers(tb=6, immune_blood_loss=True))
    assert apply_critical_row(Script(), NOTHING, hit, 3) == Conditions(fatigue=1)


def test_automatic_results_hold_for_the_tests_of_rows():
    for rules, chance in ((Rulings(), Fraction(0)), (Rulings(auto_results="01_and_00"), Fraction(1, 100))):
        hit = Hit("arm", damage_type="X", body=BodyNumbers(toughness=120, rulings=rules))
        assert odds_of(apply_critical_row, NOTHING, hit, 7).chance(lambda state: state == "dead") == chance


@pytest.mark.parametrize(("letter", "place"), list(product(ROWS, COLUMNS)))
def test_every_row_can_be_rolled_and_said(letter: str, place: str):
    for row in range(1, 11):
        found = apply_critical_row(Rolled(row), NOTHING, Hit(place, damage_type=letter, armoured=False, body=BODY), row)
        assert isinstance(found, Conditions) or found == "dead"
        assert WORDS[letter, place, row]


def test_rows_in_words():
    assert WORDS["E", "arm", 9] == ("arm lost, Toughness test, failed: dead, passed: 1d10 fatigue, stunned 1 round")
    assert WORDS["I", "head", 2] == "1 fatigue, -10 to WS and BS 1 round"
    assert WORDS["R", "body", 2] == "armour there -1 AP, 1 fatigue, stunned 1 round if no armour is there"


@pytest.mark.clause("DW-CRIT-2", "DW-TEST-5")
def test_automatic_results_hold_where_only_death_is_asked():
    guard = Defender(toughness=120)
    for rules, chance in ((Rulings(), Fraction(0)), (Rulings(auto_results="01_and_00"), Fraction(1, 100))):
        arm = next(
            hit for hit in apply_qualities(AttackDraft(50, damage_type="X"), (), guard, rules).hits if hit.spot == "arm"
        )
        assert odds_of(row_kills, arm, 7).chance(True) == chance
