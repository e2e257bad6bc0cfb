"""A special rule takes one row and one function a use: in a copy of our ruleset with such rows it works everywhere.

A keen weapon has 1 more Strength: fired, struck with and turned on armour it does what a stronger weapon does.
A hailing weapon attacks twice for once, which a stage after those of the book says; it does what twice the shots or
attacks do. A sharp weapon has as much more Strength as its number says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from battletape.battle import Battle
from battletape.errors import BadInput
from battletape.system import Ruleset
from tests.invented import invented

FUNCTIONS = '''
@clause("DL-19.2", "DL-38.1")
def _keen(attack):
    """A keen weapon has 1 more Strength."""
    return replace(attack, strength=min(HIGHEST, attack.strength + 1))


@clause("DL-60.7")
def _keen_on_armour(hit):
    """A keen weapon has 1 more Strength on armour, too; a blow has it already."""
    return hit if hit.assault else _keen(hit)


@clause("DL-19.2")
def _hail(tape, aim):
    """A hailing weapon fires twice as many shots."""
    return replace(aim, shots=2 * aim.shots)


@clause("DL-38.1")
def _flurry(tape, blow):
    """A hailing weapon strikes twice as often."""
    return replace(blow, attacks=2 * blow.attacks)


@clause("DL-19.2", "DL-38.1")
def _sharp(attack, number):
    """A sharp weapon has as much more Strength as its number says."""
    return replace(attack, strength=min(HIGHEST, attack.strength + number))


@clause("DL-60.7")
def _sharp_on_armour(hit, number):
    """A sharp weapon has more Strength on armour, too; a blow has it already."""
    return hit if hit.assault else _sharp(hit, number)
'''
ROWS = """
    Keyword("keen", ("DL-19.2",), before={note_weapon: _keen, note_blow: _keen, note_armour_hit: _keen_on_armour}),
    Keyword("hailing", ("DL-19.2",), after={note_weapon: _hail, note_blow: _flurry}),
    Keyword(
        "sharp",
        ("DL-19.2",),
        before={note_weapon: _sharp, note_blow: _sharp, note_armour_hit: _sharp_on_armour},
        numbered=True,
    ),
"""
STRONG, WEAK = 5, 4
GUN = {"models": 5, "strength": WEAK, "shots": 2, "ap": 5}
BAND = {"models": 5, "strength": WEAK, "attacks": 2}
OWN = {"gun_strength": WEAK, "shots": 2, "strength": WEAK, "attacks": 2}
FOES = {"models": 30, "wounds": 3}


def asked(kind: str, change: dict[str, Any]) -> dict[str, Any]:
    """What is asked about a weapon changed so: given its rules, or its Strength, or how often it attacks."""
    rules = change.get("rules", [])
    numbers = {name: value for name, value in change.items() if name != "rules"}
    twice = {"attacks": numbers["shots"]} if "shots" in numbers else {}
    strong = {"strength": numbers["strength"]} if "strength" in numbers else {}
    match kind:
        case "shoot":
            return {"guns": [{**GUN, **change}], **FOES}
        case "blast":
            return {"weapon": "", "strength": WEAK, "hits": 3, "rules": rules, **strong, **FOES}
        case "fight":
            return {"first": [{**BAND, **twice, **strong, "weapon_rules": rules}], "second": [FOES]}
        case "shoot_vehicle":
            return {"av": 10, "guns": [{"strength": WEAK, "weapons": 9, **change}]}
        case "assault_vehicle":
            return {"av": 10, "models": 9, "strength": WEAK, "attacks": 2, **twice, **strong, "rules": rules}
        case _:
            guns = {f"gun_{name}" if name == "strength" else name: value for name, value in numbers.items()}
            given = {**OWN, **guns, "gun_rules": rules}
            return {"own": [given], "enemy": [FOES], "distance": 20, "player_turns": 1}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ruleset]:
    """Our ruleset with the special rules keen and hailing."""
    with invented(tmp_path_factory.mktemp("made"), "diceless40k", FUNCTIONS, ROWS) as ruleset:
        yield ruleset


# --- questions --------------------------------------------------------------------------------------------------------

MEASURES = {
    "shoot": ("dmg", "hp_lost", "removed", "models_left"),
    "blast": ("dmg", "hp_lost", "removed"),
    "fight": ("first_dmg", "second_hp_lost", "second_left", "loser"),
    "shoot_vehicle": ("line_a", "line_b", "line_c", "line_d", "line_e", "line_f", "destroyed", "av_minus_s"),
    "assault_vehicle": ("line_a", "line_b", "line_c", "line_d", "line_e", "line_f", "destroyed"),
    "assault_or_stay": ("enemy_lost", "balance"),
}


def found(made: Ruleset, question: str, **change: Any) -> dict[str, Any]:
    """The odds of what a weapon changed so does, as fractions."""
    names = MEASURES[question]
    answer = made.ask(question, **asked(question, change), measures=list(names))
    return {name: answer.odds(name).fractions() for name in names}


@pytest.mark.clause("DL-19.2", "DL-38.1", "DL-60.7")
@pytest.mark.parametrize("question", MEASURES)
def test_a_keen_weapon_does_what_a_stronger_one_does(made: Ruleset, question: str):
    keen = found(made, question, rules=["keen"])
    assert keen == found(made, question, strength=STRONG)
    assert keen != found(made, question)


@pytest.mark.clause("DL-19.2", "DL-38.1")
@pytest.mark.parametrize("question", ["shoot", "fight", "assault_vehicle"])
def test_a_hailing_weapon_does_what_twice_the_attacks_do(made: Ruleset, question: str):
    hailing = found(made, question, rules=["hailing"])
    assert hailing == found(made, question, shots=4)
    assert hailing != found(made, question)


@pytest.mark.clause("DL-19.2", "DL-31.7")
@pytest.mark.parametrize("question", ["shoot", "fight"])
def test_rules_of_our_own_go_with_those_of_the_book(made: Ruleset, question: str):
    both = found(made, question, rules=["rending", "hailing", "keen"])
    assert both == found(made, question, rules=["rending"], strength=STRONG, shots=4)
    assert both != found(made, question, strength=STRONG, shots=4)


def test_a_name_that_is_nearly_right_is_refused_with_it(made: Ruleset):
    with pytest.raises(BadInput, match="keen"):
        found(made, "shoot", rules=["kean"])


SHARP = ("sharp (1)", "Sharp 1", "sharp_1")
NEEDS = r"sharp needs a number from 1 to 50 in brackets, such as sharp \(3\); got 'sharp'"


@pytest.mark.clause("DL-19.2", "DL-38.1", "DL-60.7")
@pytest.mark.parametrize("question", MEASURES)
@pytest.mark.parametrize("written", SHARP)
def test_a_sharp_weapon_is_stronger_by_its_number(made: Ruleset, question: str, written: str):
    assert found(made, question, rules=[written]) == found(made, question, strength=STRONG)
    with pytest.raises(BadInput, match=NEEDS):
        found(made, question, rules=["sharp"])


# --- battles ----------------------------------------------------------------------------------------------------------


def after(made: Ruleset, action: str, order: dict[str, Any], **change: Any) -> Battle:
    """A battle after A, close to B and a truck, has attacked with a rifle or a blade of its own, changed so."""
    rifle = {"name": "Long rifle", "type": "assault", "strength": WEAK, "ap": 5, "range": 24, "shots": 2}
    blade = {"name": "Long blade", "type": "melee", "strength": WEAK}
    arsenal = [{**rifle, **change}, {**blade, **{name: value for name, value in change.items() if name != "shots"}}]
    weapons = [weapon["name"] for weapon in arsenal]
    own = {"name": "A", "profile": "Combat squad", "models": 9, "groups": [], "weapons": weapons, "arsenal": arsenal}
    foes = {"name": "B", "profile": "Ork Boyz", "models": 40, "groups": []}
    truck = {"name": "C", "profile": "Trukk"}
    battle = Battle.new(
        made, {"sides": [{"name": "ours", "units": [own]}, {"name": "theirs", "units": [foes], "vehicles": [truck]}]}
    )
    for _ in range(1 if action == "shoot" else 2):
        battle.push("end_phase")
    if action == "fight":
        battle.push("charge", unit="A", target="B", distance=3)
    battle.push(action, {"unit": "A", **order})
    return battle


def losses(battle: Battle) -> tuple[Any, ...]:
    """The hit points of B, and what the truck has suffered."""
    groups = battle.state.squad("B").groups
    return tuple((group.models, group.recorded) for group in groups), battle.state.vehicle("C").damage.lines


ORDERS: list[tuple[str, dict[str, Any]]] = [
    ("shoot", {"target": "B", "distance": 10}),
    ("shoot", {"target": "C", "distance": 10, "zone": "orange"}),
    ("fight", {}),
    ("assault_vehicle", {"target": "C", "distance": 5}),
]


@pytest.mark.clause("DL-19.2", "DL-38.1", "DL-60.7")
@pytest.mark.parametrize(("action", "order"), ORDERS)
def test_in_a_battle_a_keen_weapon_does_what_a_stronger_one_does(made: Ruleset, action: str, order: dict[str, Any]):
    keen = after(made, action, order, rules=["keen"])
    assert losses(keen) == losses(after(made, action, order, strength=STRONG))
    assert losses(keen) != losses(after(made, action, order))
    assert 'rules = ["keen"]' in keen.text or '"keen",' in keen.text


@pytest.mark.clause("DL-19.2", "DL-38.1", "DL-60.7")
@pytest.mark.parametrize(("action", "order"), ORDERS)
def test_in_a_battle_a_sharp_weapon_is_stronger_by_its_number(made: Ruleset, action: str, order: dict[str, Any]):
    stronger = losses(after(made, action, order, strength=STRONG))
    assert losses(after(made, action, order, rules=["sharp (1)"])) == stronger
    assert losses(after(made, action, order, rules=["sharp_1"])) == stronger
    with pytest.raises(BadInput, match=NEEDS):
        after(made, action, order, rules=["sharp"])


@pytest.mark.clause("DL-19.2")
def test_in_a_battle_a_hailing_weapon_does_what_twice_the_shots_do(made: Ruleset):
    hailing = after(made, *ORDERS[0], rules=["hailing"])
    assert losses(hailing) == losses(after(made, *ORDERS[0], shots=4))
    assert losses(hailing) != losses(after(made, *ORDERS[0]))
