"""Refusals in a battle and in a question, with the clause and the words; nothing changes by them."""

from __future__ import annotations

from typing import Any

import pytest

from battletape import Battle, ruleset
from tests.attack_dice.battles import KNIFE, skirmish, unit
from tests.refusals import QuestionRow, Row, begin, faults, question_faults, start_faults

SYSTEM = ruleset("attack_dice")
FIRE: dict[str, Any] = {"unit": "Wardens", "weapon": "Carbine", "target": "Raiders", "distance": 12}
NEAR: dict[str, Any] = {name: value for name, value in FIRE.items() if name != "distance"}
HORN: dict[str, Any] = {"unit": "Clerks", "weapon": "Horn", "target": "Crows"}


def fleet() -> Battle:
    """Three transports on one side."""
    north = [unit("Cart"), unit("Wagon"), unit("Barge")]
    return Battle.new(
        "attack_dice", {"sides": [{"name": "North", "units": north}, {"name": "South", "units": [unit("Raiders")]}]}
    )


def harmless() -> Battle:
    """A weapon of Power 0 in a game that forbids such attacks."""
    clerks = unit("Clerks", weapons=[{"name": "Horn", "power": 0}])
    sides = [{"name": "A", "units": [clerks]}, {"name": "B", "units": [unit("Crows")]}]
    return Battle.new("attack_dice", {"sides": sides}, {"power_zero": "forbidden"})


def lose(name: str, hp: int) -> tuple[str, dict[str, Any]]:
    return "lose_hp", {"unit": name, "hp": hp}


STARTS: dict[str, tuple[Any, ...]] = {
    "not started": (skirmish,),
    "by formula": (skirmish, ("agree", {"ruling": "method", "value": "formula"}), "start"),
    "started": (skirmish, "start"),
    "one fallen": (skirmish, "start", lose("Wardens", 2)),
    "raiders hurt": (skirmish, "start", lose("Raiders", 5)),
    "raiders healed": (skirmish, "start", lose("Raiders", 1)),
    "raiders gone": (skirmish, "start", lose("Raiders", 6)),
    "wardens done": (skirmish, "start", ("done", {"unit": "Wardens"}), ("done", {"unit": "Wolves"})),
    "engaged": (skirmish, "start", ("engage", {"unit": "Wardens", "target": "Raiders"})),
    "two melees": (
        skirmish,
        "start",
        ("engage", {"unit": "Wardens", "target": "Raiders"}),
        ("engage", {"unit": "Wagon", "target": "Wolves"}),
    ),
    "aboard": (skirmish, "start", ("embark", {"unit": "Wardens", "target": "Wagon"})),
    "wagon gone": (skirmish, "start", ("embark", {"unit": "Wardens", "target": "Wagon"}), lose("Wagon", 8)),
    "cart aboard": (fleet, ("embark", {"unit": "Cart", "target": "Wagon"})),
    "power 0 forbidden": (harmless, "start"),
}
ROWS = [
    # --- attacks ---
    Row("not started", "attack", FIRE, "AD-4", "the game has not started; use start first (AD-4)"),
    Row(
        "started",
        "attack",
        {**FIRE, "unit": "Raiders", "weapon": "Knife", "target": "Wardens"},
        "AD-82",
        "it is the turn of North; Raiders belongs to South (AD-82)",
    ),
    Row("started", "attack", {**FIRE, "target": "Wagon"}, "AD-67", "Wagon is on the same side (AD-67)"),
    Row(
        "started",
        "attack",
        {**FIRE, "distance": 25},
        "AD-68",
        'the target is 25" away and the weapon reaches 24"; pick another target (AD-68)',
    ),
    Row(
        "started",
        "attack",
        {**FIRE, "line_of_sight": False},
        "AD-68",
        "there is no line of sight to the target; pick another one (AD-68)",
    ),
    Row(
        "started",
        "attack",
        NEAR,
        "AD-68",
        'Carbine reaches 24", so name the distance to Raiders, such as distance=24 (AD-68)',
    ),
    Row(
        "started",
        "attack",
        {**FIRE, "models": 2, "also": [{"target": "Wolves", "models": 1}]},
        "AD-68",
        'Carbine reaches 24", so name the distance to Wolves, such as distance=24 (AD-68)',
    ),
    Row(
        "started",
        "attack",
        {**FIRE, "models": 2, "also": [{"target": "Wolves", "distance": 30}]},
        "AD-68",
        'the target is 30" away and the weapon reaches 24"; pick another target (AD-68)',
    ),
    Row(
        "started",
        "attack",
        {**FIRE, "models": 4},
        "AD-70",
        "3 models of Wardens can fire Carbine, 4 were asked for (AD-70)",
    ),
    Row(
        "started",
        "attack",
        {**FIRE, "also": [{"target": "Wolves", "models": 3}]},
        "AD-70",
        "3 models of Wardens can fire Carbine, 4 were asked for (AD-70)",
    ),
    Row(
        "one fallen",
        "attack",
        {**FIRE, "models": 3},
        "AD-70",
        "2 models of Wardens can fire Carbine, 3 were asked for (AD-70)",
    ),
    Row("raiders gone", "attack", FIRE, "AD-80", "Raiders has no model left (AD-80)"),
    Row(
        "power 0 forbidden",
        "attack",
        HORN,
        "AD-26",
        "the chart has no row for Power 0, and this game forbids such attacks (AD-26)",
    ),
    Row("started", "attack", {**FIRE, "unit": "Wrdnes"}, "", "there is no unit 'Wrdnes'. Did you mean 'Wardens'?"),
    Row("started", "attack", {**FIRE, "target": "Rdaiesr"}, "", "there is no unit 'Rdaiesr'. Did you mean 'Raiders'?"),
    Row(
        "started",
        "attack",
        {**FIRE, "weapon": "Caannonn"},
        "",
        "there is no weapon of Wardens 'Caannonn'. Did you mean 'Cannon'? Known: Carbine, Cannon.",
    ),
    Row("started", "fire", {}, "", "there is no action 'fire'."),
    # --- turns ---
    Row("not started", "done", {"unit": "Wardens"}, "AD-4", "the game has not started; use start first (AD-4)"),
    Row("wardens done", "done", {"unit": "Wardens"}, "AD-82", "Wardens has already been activated this turn (AD-82)"),
    Row("started", "done", {"unit": "Wolves"}, "AD-82", "it is the turn of North; Wolves belongs to South (AD-82)"),
    Row("raiders gone", "done", {"unit": "Raiders"}, "AD-80", "Raiders has no model left (AD-80)"),
    # --- agreements ---
    Row("started", "start", {}, "AD-4", "the game has already started (AD-4)"),
    Row(
        "by formula",
        "agree",
        {"ruling": "method", "value": "chart"},
        "AD-4",
        "method is formula for the whole game; it cannot change once the game has started (AD-4)",
    ),
    Row("started", "agree", {"ruling": "dice", "value": "d6"}, "AD-4", "it cannot change once the game has started"),
    *(
        Row(start, "agree", {"ruling": ruling, "value": value}, "", words)
        for start in ("not started", "started")
        for ruling, value, words in (
            ("weather", "chart", "there is no ruling 'weather'. Known: "),
            ("dice", "d12", "dice must be one of d10, dual, d6; got 'd12' (AD-3)."),
        )
    ),
    # --- melees ---
    Row(
        "two melees",
        "engage",
        {"unit": "Wardens", "target": "Wolves"},
        "AD-56",
        "Wardens is in Melee M1; it must leave that one first (AD-56)",
    ),
    Row("engaged", "engage", {"unit": "Raiders", "target": "Wardens"}, "AD-56", "they are already in Melee M1 (AD-56)"),
    Row(
        "engaged",
        "engage",
        {"unit": "Wardens", "target": "Wagon"},
        "AD-56",
        "Wardens and Wagon are on the same side (AD-56)",
    ),
    Row(
        "raiders gone",
        "engage",
        {"unit": "Wardens", "target": "Raiders"},
        "AD-80",
        "both units need a model left (AD-80)",
    ),
    Row("started", "leave", {"unit": "Wardens"}, "AD-56", "Wardens is in no Melee (AD-56)"),
    Row("raiders gone", "cover", {"unit": "Raiders"}, "AD-80", "Raiders has no model left (AD-80)"),
    # --- transports ---
    Row(
        "aboard",
        "engage",
        {"unit": "Wardens", "target": "Wolves"},
        "AD-65",
        "Wardens is aboard Wagon; it must leave the transport first (AD-65)",
    ),
    Row("started", "disembark", {"unit": "Wardens"}, "AD-65", "Wardens is not aboard anything (AD-65)"),
    Row(
        "aboard",
        "embark",
        {"unit": "Wardens", "target": "Raiders"},
        "AD-65",
        "Raiders cannot carry Wardens (AD-65)",
    ),
    Row("aboard", "embark", {"unit": "Wagon", "target": "Wagon"}, "AD-65", "Wagon cannot carry Wagon (AD-65)"),
    Row("aboard", "embark", {"unit": "Wagon", "target": "Wardens"}, "AD-65", "Wardens is itself aboard Wagon (AD-65)"),
    Row("aboard", "embark", {"unit": "Wardens", "target": "Wagon"}, "AD-65", "Wardens is itself aboard Wagon (AD-65)"),
    Row(
        "engaged",
        "embark",
        {"unit": "Wardens", "target": "Wagon"},
        "AD-65",
        "Wardens is in Melee M1; it must leave that one first (AD-65)",
    ),
    Row("cart aboard", "embark", {"unit": "Wagon", "target": "Barge"}, "AD-65", "Wagon carries Cart itself (AD-65)"),
    Row("cart aboard", "embark", {"unit": "Barge", "target": "Cart"}, "AD-65", "Cart is itself aboard Wagon (AD-65)"),
    Row(
        "wagon gone", "embark", {"unit": "Wardens", "target": "Wagon"}, "AD-80", "both units need a model left (AD-80)"
    ),
    # --- HP by hand ---
    Row(
        "raiders hurt",
        "lose_hp",
        {"unit": "Raiders", "hp": 2},
        "AD-80",
        "Raiders has 1 HP left, 2 were to be taken (AD-80)",
    ),
    Row(
        "raiders healed",
        "restore_hp",
        {"unit": "Raiders", "hp": 2},
        "AD-80",
        "Raiders has lost 1 HP, 2 were to be put back (AD-80)",
    ),
]


@pytest.mark.clause("AD-3", "AD-4", "AD-26", "AD-56", "AD-65", "AD-67", "AD-68", "AD-70", "AD-80", "AD-82")
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_an_order_is_refused_with_its_clause_and_changes_nothing(row: Row):
    assert not faults(begin(STARTS[row.start]), row)


A, B = {"name": "A", "units": [unit("a")]}, {"name": "B", "units": [unit("b")]}


def with_units(*units: Any) -> list[Any]:
    """Return two sides of which the first has these units."""
    return [{"name": "A", "units": list(units)}, B]


BAD_STARTS: list[tuple[Any, str]] = [
    ([], "a battle needs two sides or more; got 0."),
    ([A], "a battle needs two sides or more; got 1."),
    ([A, {"name": "B"}], "a side needs a name and at least one unit."),
    ([{"units": [unit("a")]}, B], "a side needs a name and at least one unit."),
    ([A, {"name": "a", "units": [unit("b")]}], "every side needs a name of its own; 'a' is used twice."),
    (with_units(unit("B")), "every unit needs a name of its own; 'b' is used twice."),
    (with_units(unit("x", weapons=[KNIFE, KNIFE])), "every weapon of x needs a name of its own; 'Knife' is used twice"),
    (with_units(unit("x", hp=0)), "start: sides 1: units 1: hp must be a whole number from 1 to 1,000; got 0."),
    (with_units(unit("x", armor=4)), "start: sides 1: units 1: there is no input 'armor' here. Did you mean armour?"),
    (with_units(3), "start: sides 1: units must be entries such as “"),
    (with_units(unit("x", weapons=[3])), "start: sides 1: units 1: weapons must be entries such as “"),
    (with_units(unit("x", weapons="Stick")), "weapons 1: an entry needs name=value pairs; got 'Stick'"),
    ([{"name": "A", "units": 3}, 4], "start: sides 1: units must be entries such as “"),
    ("North and South", "start: sides 1: an entry needs name=value pairs; got 'North and South'"),
    (
        with_units(unit("x", weapons=[{"name": "Storm carbin", "models": 3}])),
        "there is no weapon 'Storm carbin'. Did you mean 'Storm carbine'?",
    ),
    (with_units("Hilraidxrs"), "there is no unit 'Hilraidxrs'. Did you mean 'Hill raiders'?"),
]


@pytest.mark.clause("AD-67")
@pytest.mark.parametrize(("sides", "fragment"), BAD_STARTS, ids=[fragment for _, fragment in BAD_STARTS])
def test_a_start_that_does_not_fit_is_refused(sides: Any, fragment: str):
    assert not start_faults(lambda: Battle.new("attack_dice", {"sides": sides}), fragment)


REACH = 'the target is 21" away and the weapon reaches 20"; pick another target (AD-68)'
QUESTIONS = [
    QuestionRow("attack", {"range": 20, "distance": 21, "line_of_sight": False}, "AD-68", REACH),
    QuestionRow(
        "attack", {"range": 20, "distance": 20, "line_of_sight": False}, "AD-68", "there is no line of sight to the"
    ),
    QuestionRow(
        "attack", {"power": 0, "power_zero": "forbidden"}, "AD-26", "the chart has no row for Power 0, and this game"
    ),
    QuestionRow("attack", {"armour": 9}, "", "armour must be a save from 2+ to 6+, or none; got 9."),
    QuestionRow("attack", {"armour": "9+"}, "", "armour must be a save from 2+ to 6+, or none; got '9+'."),
    QuestionRow("attack", {"aegis": 1}, "", "aegis must be a save from 2+ to 6+, or none; got 1."),
    QuestionRow("attack", {"ap": 7}, "", "ap must be a save from 2+ to 6+, or none; got 7."),
    QuestionRow("attack", {"attacks": 0}, "", "attacks must be a whole number from 1 to 1,000; got 0."),
    QuestionRow("attack", {"attacks": 1_000_000}, "", "attacks must be a whole number from 1 to 1,000; got 1000000."),
    QuestionRow(
        "attack", {"attacks": 1_000, "bearers": 1_000}, "", "must make 1,000 dice or fewer in one pool, got 1,000,000."
    ),
    QuestionRow("attack", {"power": -1}, "", "power must be a whole number from 0 to 100; got -1."),
    QuestionRow("attack", {"power": "six"}, "", "power must be a whole number from 0 to 100; got 'six'."),
    QuestionRow("attack", {"defence": 2.5}, "", "defence must be a whole number from 0 to 100; got 2.5."),
    QuestionRow("attack", {"models": True}, "", "models must be a whole number from 1 to 1,000; got True."),
    QuestionRow("attack", {"hp": None}, "", "hp must be a whole number from 1 to 1,000; got nothing."),
    QuestionRow(
        "attack", {"others": [2, 0]}, "", "others must be whole numbers from 1 to 1,000 with commas between them; got"
    ),
    QuestionRow("attack", {"lost": 5}, "", "lost must be fewer than the unit's 5 HP; got 5."),
    QuestionRow("attack", {"cover": -1}, "", "cover must be a whole number from 0 to 15; got -1."),
    QuestionRow("attack", {"modifier": 21}, "", "modifier must be a whole number from -20 to 20; got 21."),
    QuestionRow("attack", {"distance": -3}, "", "distance must be a whole number from 0 to 1,000, or none; got -3."),
    QuestionRow("attack", {"line_of_sight": "perhaps"}, "", "line_of_sight must be yes or no; got 'perhaps'."),
    QuestionRow("attack", {"facing": "up"}, "", "facing must be one of none, front, side, rear; got 'up'."),
    QuestionRow("attack", {"dice": "d12"}, "", "dice must be one of d10, dual, d6; got 'd12' (AD-3)."),
    QuestionRow("attack", {"method": 3}, "", "method must be one of chart, formula; got 3 (AD-4)."),
    QuestionRow("attack", {"preset": "d66"}, "", "attack_dice: there is no preset 'd66'. Did you mean 'd6'? Known: "),
    QuestionRow("attack", {"atacks": 3}, "", "attack has no input 'atacks'. Did you mean attacks?"),
    QuestionRow(
        "attack", {"modifier_polcy": "spill"}, "", "attack has no input 'modifier_polcy'. Did you mean modifier_policy?"
    ),
    QuestionRow("attack", {"zzzz": 1}, "", "attack has no input 'zzzz'. It takes "),
    QuestionRow("chart", {"attacks": 3}, "", "chart has no input 'attacks'."),
    QuestionRow("atack", {}, "", "there is no question 'atack'. Did you mean 'attack'? Known: attack, volley, "),
    QuestionRow("volley", {"weapons": []}, "", "weapons needs one profile or more; got none."),
    QuestionRow("volley", {"weapons": "none"}, "", "weapons needs one profile or more; got none."),
    QuestionRow(
        "volley", {"weapons": [{"power": 4}, {"powr": 4}]}, "", "weapons 2: there is no input 'powr' here. Did you mean"
    ),
    QuestionRow(
        "volley", {"weapons": "power=4; ap=1"}, "", "weapons 2: ap must be a save from 2+ to 6+, or none; got '1'."
    ),
    QuestionRow("volley", {"weapons": "power=4 7"}, "", "weapons: an entry needs name=value pairs; got 'power=4 7'"),
    QuestionRow(
        "volley", {"weapons": ["0 x Yew bow"]}, "", "weapons 1: bearers must be a whole number from 1 to 1,000; got 0."
    ),
    QuestionRow(
        "volley", {"weapons": [3]}, "", "weapons must be “4 x NAME” for four of a weapon profile, or entries such as “"
    ),
    QuestionRow(
        "volley", {"weapons": [{"attacks": 1_000, "bearers": 3}]}, "", "1,000 dice or fewer in one pool, got 3,000."
    ),
]


@pytest.mark.clause("AD-26", "AD-68")
@pytest.mark.parametrize("row", QUESTIONS, ids=str)
def test_a_question_is_refused_with_its_clause(row: QuestionRow):
    assert not question_faults(SYSTEM, row)
