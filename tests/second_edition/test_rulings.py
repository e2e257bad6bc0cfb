"""What rulings change in shots, bursts and force weapons."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape import ruleset
from battletape.inputs import fields
from battletape.rulesets.second_edition.rules.attack import Hit, fire_that_stays
from battletape.rulesets.second_edition.rulings import Rulings
from battletape.tape.script import Script

SYSTEM = ruleset("second_edition")
SURE = {"automatic": True, "strength": 10, "toughness": 1}
CASES: list[tuple[str, str, dict[str, Any], str, dict[str, str]]] = [
    # question, ruling, what is asked, the measure, and its mean for each value
    ("shoot", "above_six", {"need": 7, "strength": "none"}, "hits", {"second_die": "1/12", "never": "0"}),
    # Strength 12 against Toughness 13: 10 against 10 needs a 4, one short of it a 5
    (
        "shoot",
        "beyond_chart",
        {"automatic": True, "strength": 12, "toughness": 13},
        "casualties",
        {"as_ten": "1/2", "by_difference": "1/3"},
    ),
    ("shoot", "save_order", {**SURE, "save": 3}, "casualties", {"after_wound": "5/18", "before_wound": "5/18"}),
    (
        "shoot",
        "save_of_one",
        {**SURE, "save": 2, "save_modifier": 1},
        "casualties",
        {"fails": "5/36", "counts": "0"},
    ),
    # Strength 3, Mastery 2, a weapon of Strength 6 on Toughness 10: 6 cannot wound, 8 does on a 6
    (
        "force_weapon",
        "own_strength",
        {"user_strength": 3, "mastery": 2, "strength": 6, "toughness": 10},
        "casualties",
        {"higher": "0", "added": "1/6"},
    ),
]


@pytest.mark.parametrize(("question", "ruling", "given", "measure", "means"), CASES, ids=[case[1] for case in CASES])
def test_what_a_ruling_changes(question: str, ruling: str, given: dict[str, Any], measure: str, means: dict[str, str]):
    [field] = [field for field in fields(Rulings) if field.name == ruling]
    assert set(field.choices) == set(means)
    for value, mean in means.items():
        asked = SYSTEM.ask(question, **given, **{ruling: value})
        assert asked.odds(measure).mean == Fraction(mean), value
        assert asked.rulings_used[ruling] == (value, value == field.default, field.clause)


@pytest.mark.clause("SE-104")
def test_who_takes_further_hits_by_each_ruling():
    apart = "name=Ada harder=1 ; name=Bo same_unit=no"

    def models_hit(**rules: str) -> Any:
        given = {"need": 4, "sustained": 1, "toughness": "none", "allocation": "spread"}
        return SYSTEM.ask("sustained", **given, apart=apart, **rules).odds("models_hit").fractions()

    # one die: none 1/6, one 1/3, two 1/3, three 1/6, once the shot has hit on 4, 5 or 6
    miss = Fraction(1, 2) + Fraction(1, 2) * Fraction(1, 6)
    assert models_hit() == {0: miss, 1: Fraction(1, 2) * Fraction(5, 6)}
    # Ada needs 5: a roll of 4 hits the target and not her, a 5 or 6 both
    only_target = Fraction(1, 6) * Fraction(5, 6) + Fraction(1, 3) * Fraction(1, 3)
    assert models_hit(further_hits="by_roll") == {0: miss, 1: only_target, 2: Fraction(1, 3) * Fraction(1, 2)}
    assert models_hit(further_hits="near") == {
        0: miss,
        1: Fraction(1, 6),
        2: Fraction(1, 6),
        3: Fraction(1, 12),
    }


@pytest.mark.clause("SE-104", "SE-15")
def test_the_score_rolled_counts_above_six_too():
    shot = {"need": 8, "sustained": 1, "toughness": "none", "apart": "name=Ada harder=1", "further_hits": "by_roll"}
    seen = {
        second: SYSTEM.roll("sustained", **shot, allocation="spread", tape=Script(6, second, 2)).results["models_hit"]
        for second in (5, 6)
    }
    assert seen == {5: 1, 6: 2}
    assert SYSTEM.roll("sustained", **shot, allocation="spread", tape=Script(6, 4)).results["hits"] == 0


@pytest.mark.clause("SE-98")
@pytest.mark.parametrize(("ruling", "kept"), [("stronger", "hot"), ("first", "hot"), ("latest", "mild")])
def test_which_fire_goes_on(ruling: str, kept: str):
    [field] = [field for field in fields(Rulings) if field.name == "second_fire"]
    assert ruling in field.choices
    fires = {"hot": Hit(5), "mild": Hit(4)}
    assert fire_that_stays(fires["hot"], fires["mild"], ruling) == fires[kept]
    assert fire_that_stays(fires["mild"], fires["hot"], ruling) == fires["mild" if ruling == "first" else "hot"]


def test_the_clause_of_a_ruling_names_it():
    for field in fields(Rulings):
        clause = SYSTEM.clauses[field.clause]
        assert f"ruling {field.name} " in clause.note, f"{field.clause} should name its ruling {field.name}"
