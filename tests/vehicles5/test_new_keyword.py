"""A special rule takes one row and one function: in a copy of the ruleset, questions and battles then follow it.

A mighty weapon has one more strength. A shattering weapon adds one to its damage rolls, as AP 1 does. A sharp weapon
has as much more strength as its number says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from battletape.battle import Battle
from battletape.errors import BadInput
from battletape.registry import ruleset
from battletape.system import Ruleset
from battletape.tape.script import Script
from tests.invented import invented

FUNCTIONS = '''
@clause("V5-PEN-1")
def _mighty(aim: Aim) -> Aim:
    """Add one to the strength of a mighty weapon."""
    return replace(aim, strength=aim.strength + 1)


@clause("V5-DMGMOD-5")
def _shattering(tape: object, shot: Shot) -> Shot:
    """Add one to the damage rolls of a shattering weapon."""
    return replace(shot, modifier=shot.modifier + 1)


@clause("V5-PEN-1")
def _sharp(draft: ShotDraft, number: int) -> ShotDraft:
    """Add its number to the strength of a sharp weapon."""
    return replace(draft, strength=draft.strength + number)
'''
ROWS = """
    Keyword("mighty", ("V5-PEN-1",), before={note_armour: _mighty}),
    Keyword("shattering", ("V5-DMGMOD-5",), after={note_armour: _shattering}),
    Keyword("sharp", ("V5-PEN-1",), before={note_armour: _sharp}, numbered=True),
"""
SHARP = {"sharp (2)": {"strength": 9}, "sharp 2": {"strength": 9}, "sharp_1": {"strength": 8}}
RULES = {"mighty": {"strength": 8}, "shattering": {"ap": 1}, **SHARP}
"""What a weapon of strength 7 and AP 2 equals with each rule."""
TANK = {"front": 12, "side": 12, "rear": 11, "weapons": 2}
GUN = {"strength": 7, "ap": 2}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ruleset]:
    """The ruleset with the special rules mighty and shattering."""
    with invented(tmp_path_factory.mktemp("made"), "vehicles5", FUNCTIONS, ROWS) as copy:
        yield copy


def asked(question: str, weapon: dict[str, Any]) -> dict[str, Any]:
    """A question in which this weapon is used on a vehicle."""
    armed = GUN | weapon
    return {
        "shoot": {**TANK, "guns": [{**armed, "shots": 2, "bs": 4}], "cover": 5},
        "kill_time": {**TANK, "volleys": [{"guns": [{**armed, "bs": 3}]}], "repeat": 3},
        "ordnance": {**TANK, **armed, "dice": "d6", "aim_ahead": 1.0},
        "tank_shock": {"front": 12, "units": [{"at": 3, "glory": [armed], "tries": "always"}]},
        "ram": {"target": "Ember cart", "units": [{"at": 3, "glory": [armed], "tries": "always"}]},
    }[question]


# --- questions --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-PEN-1", "V5-DMGMOD-5")
@pytest.mark.parametrize(
    ("question", "rule"),
    [*product(["shoot", "kill_time", "tank_shock", "ram"], RULES), ("ordnance", "shattering")],
)
def test_a_new_rule_equals_the_number_that_it_changes(made: Ruleset, question: str, rule: str):
    plain = made.ask(question, **asked(question, {}))
    ruled = made.ask(question, **asked(question, {"rules": [rule]}))
    better = made.ask(question, **asked(question, RULES[rule]))
    measures = [measure.name for measure in made.question(question).measures if plain.includes(measure.name)]
    odds = [{name: answer.odds(name).fractions() for name in measures} for answer in (plain, ruled, better)]
    assert odds[0] != odds[1] == odds[2]


@pytest.mark.clause("V5-PEN-1", "V5-SHOT-9")
def test_a_blast_is_mighty_wherever_its_hole_lies(made: Ruleset):
    mighty = made.ask("ordnance", **asked("ordnance", {"rules": ["mighty"]}))
    thinner = made.ask("ordnance", **asked("ordnance", {}) | {"front": 11, "side": 11, "rear": 10})
    plain = made.ask("ordnance", **asked("ordnance", {}))
    assert mighty.odds("worst").fractions() == thinner.odds("worst").fractions() != plain.odds("worst").fractions()


@pytest.mark.clause("V5-DMGMOD-5")
def test_both_rules_on_one_weapon_add_up(made: Ruleset):
    both = made.ask("shoot", **asked("shoot", {"rules": ["shattering", "mighty"]}))
    better = made.ask("shoot", **asked("shoot", RULES["mighty"] | RULES["shattering"]))
    assert both.odds("result").fractions() == better.odds("result").fractions()


@pytest.mark.parametrize("rule", RULES)
def test_the_ruleset_itself_refuses_the_new_name(rule: str):
    with pytest.raises(BadInput, match=re.escape(rule)):
        ruleset("vehicles5").ask("shoot", **asked("shoot", {"rules": [rule]}))


NEEDS = r"sharp needs a number from 1 to 50 in brackets, such as sharp \(3\); got 'sharp'"


@pytest.mark.parametrize("question", ["shoot", "kill_time", "ordnance", "tank_shock"])
def test_a_rule_without_its_number_is_refused(made: Ruleset, question: str):
    with pytest.raises(BadInput, match=NEEDS):
        made.ask(question, **asked(question, {"rules": ["sharp"]}))


# --- battles ----------------------------------------------------------------------------------------------------------

ORDERS: dict[str, dict[str, Any]] = {
    "fire": {"unit": "Hunter", "target": "Tank", "guns": [{"gun": "Long gun"}]},
    "shoot_unit": {"unit": "Gunners", "target": "Tank", "weapons": [{"weapon": "Long gun"}]},
}


def begun(made: Ruleset, weapon: dict[str, Any]) -> Battle:
    """A hunter and gunners with this weapon before a tank, in the Shooting phase."""
    arsenal = [{"name": "Long gun", "range": 48, **GUN, **weapon}]
    mounts = [{"weapon": "Long gun", "label": "Long gun"}]
    hunter = {"name": "Hunter", "x": 20, "y": 10, "bs": 4, "mounts": mounts, "arsenal": arsenal}
    carried = [{"name": "Long gun", "models": 2}]
    gunners = {"name": "Gunners", "x": 30, "y": 10, "models": 3, "weapons": carried, "arsenal": arsenal}
    tank = {"name": "Tank", "profile": "Anvil battle tank", "x": 24, "y": 30, "heading": 180, "front": 12}
    south = {"name": "South", "machines": [hunter], "squads": [gunners]}
    battle = Battle.new(made, {"sides": [south, {"name": "North", "machines": [tank]}]})
    battle.push("end_phase")
    return battle


@pytest.mark.clause("V5-PEN-1", "V5-DMGMOD-5")
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("action", ORDERS)
def test_in_a_battle_a_new_rule_equals_the_number_that_it_changes(made: Ruleset, action: str, rule: str):
    battles = [begun(made, weapon) for weapon in ({}, {"rules": [rule]}, RULES[rule])]
    plain, ruled, better = (battle.odds(action, ORDERS[action]).odds("result").fractions() for battle in battles)
    assert plain != ruled == better


def test_a_battle_does_not_begin_with_a_rule_without_its_number(made: Ruleset):
    with pytest.raises(BadInput, match=NEEDS):
        begun(made, {"rules": ["sharp"]})


@pytest.mark.clause("V5-PEN-1", "V5-PEN-3", "V5-DMGMOD-5")
@pytest.mark.parametrize(
    ("weapon", "faces", "lines"),
    [
        ({}, (3, 5, 6), ["penetrate 6+ against armour 12): 5 → glance", "damage table, −2): 6 → immobilised"]),
        (
            {"rules": ["mighty"]},
            (3, 5, 6, 1),  # an explosion has a radius
            ["penetrate 5+ against armour 12): 5 → penetrate", "damage table): 6 → exploded"],
        ),
        (
            {"rules": ["shattering"]},
            (3, 5, 6),
            ["penetrate 6+ against armour 12): 5 → glance", "damage table, −1): 6 → wrecked"],
        ),
    ],
)
def test_the_log_of_a_battle_shows_the_new_rule(
    made: Ruleset, weapon: dict[str, Any], faces: tuple[int, ...], lines: list[str]
):
    battle, tape = begun(made, weapon), Script(*faces)
    battle.push("fire", ORDERS["fire"], tape=tape)
    assert tape.used_up
    rolls = [line.text for line in battle.move_record(len(battle.moves)).lines][2:4]
    assert all(line.endswith(end) for line, end in zip(rolls, lines, strict=True)), rolls
