"""A weapon class takes one row and one function: in a copy of the ruleset, questions and battles then follow it.

A keen weapon has +1 on its Attack Dice. A bounding weapon rolls again for each success: half of them strike twice. A
sharp weapon has as much on its Attack Dice as its number says.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from battletape.battle import Battle
from battletape.errors import BadInput
from battletape.system import Ruleset
from battletape.tape.script import Script
from tests.attack_dice.battles import unit
from tests.invented import invented

FUNCTIONS = '''
from battletape.rulebook import D10, Tape, at_least


@clause("AD-48")
def _keen(pending: attack.PendingAttack) -> attack.PendingAttack:
    """Add one to the Attack Dice of a keen weapon."""
    return replace(pending, modifiers=(*pending.modifiers, ("keen", 1, "AD-48")))


@clause("AD-9")
def _bounding(tape: Tape, pending: attack.PendingAttack) -> attack.PendingAttack:
    """Roll a die for each success of a bounding weapon; at 6 or more it counts twice."""
    again = tape.pool(pending.hits, D10, at_least(6), label="bounds")[True] if pending.hits else 0
    return replace(pending, hits=pending.hits + again)


@clause("AD-48")
def _sharp(pending: attack.PendingAttack, number: int) -> attack.PendingAttack:
    """Add as much to the Attack Dice of a sharp weapon as its number says."""
    return replace(pending, modifiers=(*pending.modifiers, ("sharp", number, "AD-48")))
'''
ROWS = """
    Keyword("keen", ("AD-48",), before={attack.add_modifiers: _keen}),
    Keyword("bounding", ("AD-9",), after={attack.roll_second_dice: _bounding}),
    Keyword("sharp", ("AD-48",), before={attack.add_modifiers: _sharp}, numbered=True),
"""
GUN = {"attacks": 3, "power": 5}
TARGET = {"defence": 4, "models": 4, "hp": 2, "armour": 5}
MELEE = {"attacker_melee": "1", "target_melee": "1"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ruleset]:
    """The ruleset with the weapon classes keen and bounding."""
    with invented(tmp_path_factory.mktemp("made"), "attack_dice", FUNCTIONS, ROWS) as copy:
        yield copy


def asked(question: str, weapon_class: str = "", **more: Any) -> dict[str, Any]:
    """A question about a weapon of this class, or about two of which it is one."""
    if question == "chart":
        return {"power": 5, "defence": 4, "weapon_class": weapon_class, **more}
    armed = {**GUN, "weapon_class": weapon_class}
    weapons = {"weapons": [{**GUN, "power": 3, "weapon_class": weapon_class}, armed]}
    return {**TARGET, **(weapons if question == "volley" else armed), **more}


def odds_of(made: Ruleset, question: str, weapon_class: str = "", **more: Any) -> dict[str, dict[Any, Fraction]]:
    """The odds of every measure of a question."""
    answer = made.ask(question, **asked(question, weapon_class, **more))
    measures = [measure.name for measure in made.question(question).measures]
    return {name: answer.odds(name).fractions() for name in measures}


# --- questions --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("AD-48", "AD-66")
@pytest.mark.parametrize("question", ["attack", "volley", "chart"])
def test_a_keen_weapon_equals_a_modifier_of_one(made: Ruleset, question: str):
    plain, keen = odds_of(made, question), odds_of(made, question, "Keen")
    assert plain != keen == odds_of(made, question, modifier=1)


@pytest.mark.clause("AD-48", "AD-60", "AD-63")
def test_a_keen_weapon_in_a_melee_has_no_penalty_for_its_class(made: Ruleset):
    keen, battle = (odds_of(made, "attack", name, **MELEE) for name in ("keen", "battle"))
    assert keen == odds_of(made, "attack", "battle", modifier=2, **MELEE)
    assert battle == odds_of(made, "attack", modifier=-1)


@pytest.mark.clause("AD-9", "AD-71")
def test_half_the_successes_of_a_bounding_weapon_count_twice(made: Ruleset):
    bare = {"armour": None, "attacks": 1}
    plain, bounding = (odds_of(made, "attack", name, **bare)["damage"] for name in ("", "bounding"))
    assert bounding == {0: plain[0], 1: plain[1] / 2, 2: plain[1] / 2}
    assert 0 < plain[0] < 1
    for question in ("attack", "volley"):
        means = [made.ask(question, **asked(question, name)).odds("damage").mean for name in ("", "bounding")]
        assert means[1] == means[0] * Fraction(3, 2) > 0


@pytest.mark.clause("AD-59", "AD-60", "AD-64")
def test_the_table_of_a_melee_has_a_column_for_each_class(made: Ruleset):
    (table,) = [table for table in made.tables() if table.title == "Dice Modifiers by Melee"]
    assert {"keen weapon", "bounding weapon", "heavy weapon", "battle weapon"} <= set(table.head)


@pytest.mark.clause("AD-60")
def test_a_slip_in_the_new_name_is_told(made: Ruleset):
    (note,) = made.ask("attack", **asked("attack", "bouncing")).warnings
    assert "did you mean 'bounding'?" in note


SHARP = ("sharp (2)", "Sharp 2", "sharp_2")
NEEDS = r"sharp needs a number from 1 to 50 in brackets, such as sharp \(3\); got 'sharp'"


@pytest.mark.clause("AD-48")
@pytest.mark.parametrize("question", ["attack", "volley", "chart"])
@pytest.mark.parametrize("written", SHARP)
def test_a_sharp_weapon_has_its_number(made: Ruleset, question: str, written: str):
    assert odds_of(made, question) != odds_of(made, question, written) == odds_of(made, question, modifier=2)
    with pytest.raises(BadInput, match=NEEDS):
        odds_of(made, question, "sharp")


# --- battles ----------------------------------------------------------------------------------------------------------

ORDER: dict[str, Any] = {"unit": "Wardens", "weapon": "Gun", "target": "Raiders"}


def begun(made: Ruleset, weapon_class: str) -> Battle:
    """Wardens with a weapon of this class, about to attack raiders."""
    gun = {"name": "Gun", "models": 3, "attacks": 2, "power": 4, "weapon_class": weapon_class}
    north, south = unit("Wardens", weapons=[gun]), unit("Raiders")
    battle = Battle.new(made, {"sides": [{"name": "North", "units": [north]}, {"name": "South", "units": [south]}]})
    battle.push("start")
    return battle


@pytest.mark.clause("AD-48", "AD-66")
def test_in_a_battle_a_keen_weapon_equals_a_modifier_of_one(made: Ruleset):
    plain, keen = begun(made, ""), begun(made, "keen")
    for measure in ("casualties", "hp_lost", "damage"):
        odds = keen.odds("attack", ORDER).odds(measure).fractions()
        assert odds == plain.odds("attack", {**ORDER, "modifier": 1}).odds(measure).fractions()
        assert odds != plain.odds("attack", ORDER).odds(measure).fractions()


@pytest.mark.clause("AD-48")
@pytest.mark.parametrize("written", SHARP)
def test_in_a_battle_a_sharp_weapon_has_its_number(made: Ruleset, written: str):
    odds = [
        begun(made, name).odds("attack", {**ORDER, "modifier": modifier}).odds("casualties").fractions()
        for name, modifier in ((written, 0), ("", 2), ("", 0))
    ]
    assert odds[0] == odds[1] != odds[2]
    with pytest.raises(BadInput, match=NEEDS):
        begun(made, "sharp")


@pytest.mark.clause("AD-9", "AD-71")
def test_in_a_battle_a_bounding_weapon_rolls_its_further_die(made: Ruleset):
    battle, tape = begun(made, "bounding"), Script(5, 5, 5, 4, 4, 4, 6, 9, 1)
    battle.push("attack", ORDER, tape=tape)
    assert tape.used_up
    assert [entry.label for entry in battle.moves[-1].entries] == ["attack dice", "bounds"]
    assert battle.state.unit("Raiders").hp_lost == 5
    plain, bounding = (begun(made, name).odds("attack", ORDER).odds("damage").mean for name in ("", "bounding"))
    assert bounding == plain * Fraction(3, 2)
