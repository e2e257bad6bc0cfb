"""A quality takes one row and one function: in a copy of our ruleset with such rows it then works everywhere.

Searing sets on fire what it wounds. Barbed takes three wounds more: a weapon with three points more of damage does just
that, as long as every hit wounds and no critical row is reached on the way. Honed has a number, which is its damage.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from battletape.answer import Answer
from battletape.battle import Battle
from battletape.errors import BadInput
from battletape.system import Ruleset
from battletape.tape.script import Script
from tests.invented import invented

FUNCTIONS = '''
@clause("DW-COND-FIRE")
def sear(tape, victim, hit, got):
    """A hit that wounds sets on fire."""
    burning = victim.conditions and replace(victim.conditions, on_fire=True)
    return replace(victim, conditions=burning)


@clause("DW-DMG-1")
def tear(tape, victim, hit, got):
    """A hit that wounds takes three wounds more."""
    return wounds.lose_wounds(tape, victim, hit, 3)


@clause("DW-DMG-1")
def _honed(draft, number):
    """A honed weapon does as much more damage as its number says."""
    return replace(draft, flat=draft.flat + number)
'''
ROWS = """
    Keyword("Searing", ("DW-COND-FIRE",), before={specify_attack: _hit_effect(sear, "on_fire")}),
    Keyword("Barbed", ("DW-DMG-1",), before={specify_attack: _hit_effect(tear)}),
    Keyword("Honed", ("DW-DMG-1",), before={specify_attack: _honed}, numbered=True),
"""
MORE = 3
TOUGH = {"wounds": 500, "minion": False, "head": 0, "arm": 0, "body": 0, "leg": 0, "tb": 2}
"""Targets that live when hurt, and whose critical rows do not burn."""
PLAIN, HARDER, WEAK = "1d10+9", "1d10+12", "1d10"
KNIFE, SWIFT, BOTH = "Astartes Combat Knife", "Swift Attack", "Two Weapon Wielder"
ASKED: list[tuple[str, dict[str, Any]]] = [
    ("shoot", {"mode": "semi", "weapon": "Autogun"}),
    ("shoot", {"mode": "full", "weapon": "Autogun", "dodge": 40, "reaction": "dodge"}),
    ("shoot", {"mode": "semi", "weapon": "Autogun", "shots": 2}),
    ("fight", {"weapon": KNIFE, "action": "swift", "talents": [SWIFT]}),
    ("fight", {"weapon": KNIFE, "action": "two_weapons", "weapon2": KNIFE, "talents": [BOTH]}),
    ("fight", {"weapon": KNIFE, "action": "feint_and_attack", "dodge": 40, "reaction": "dodge"}),
    ("horde_attacks", {"horde": "Raider mob", "mode": "semi"}),
    ("horde_attacks", {"horde": "Raider mob", "attack": "melee", "turns": 2}),
    ("fire_mode", {"weapon": "Autogun", "distance": 20, "turns": 1, "goal": "damage"}),
    ("fire_mode", {"weapon": "Autogun", "distance": 20, "turns": 2, "goal": "hurt"}),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ruleset]:
    """Our ruleset with the qualities Searing, Barbed and Honed."""
    with invented(tmp_path_factory.mktemp("made"), "deathwatch", FUNCTIONS, ROWS) as ruleset:
        yield ruleset


def ask(made: Ruleset, question: str, given: dict[str, Any], *names: str, damage: str = PLAIN) -> Answer:
    """A question about a weapon with these qualities and this damage, or about two of them."""
    weapon = {"qualities": names, "damage": damage}
    if "weapon2" in given:
        weapon |= {f"{name}2": value for name, value in weapon.items()}
    return made.ask(question, **TOUGH, **given, **weapon)


# --- questions --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-COND-FIRE", "DW-QUAL-FLAME")
@pytest.mark.parametrize(("question", "given"), ASKED)
def test_a_searing_hit_that_hurts_sets_on_fire(made: Ruleset, question: str, given: dict[str, Any]):
    answer = ask(made, question, given, "Searing", damage=WEAK)
    assert answer.includes("on_fire")  # unasked, for the weapon itself brings it about
    assert 0 < answer.odds("on_fire").chance(1) == answer.odds("hurt").chance(1) < 1
    plain = ask(made, question, {**given, "measures": ["on_fire", "damage"]}, damage=WEAK)
    assert plain.odds("on_fire").chance(1) == 0
    assert plain.odds("damage").fractions() == answer.odds("damage").fractions()


@pytest.mark.clause("DW-DMG-1")
@pytest.mark.parametrize(("question", "given"), ASKED)
def test_a_barbed_hit_hurts_as_one_with_more_damage(made: Ruleset, question: str, given: dict[str, Any]):
    barbed, harder = ask(made, question, given, "Barbed"), ask(made, question, given, damage=HARDER)
    assert barbed.odds("damage").fractions() == harder.odds("damage").fractions()
    assert barbed.odds("damage").mean > ask(made, question, given).odds("damage").mean
    if question == "fire_mode":
        assert barbed.odds("value").fractions() == harder.odds("value").fractions()
        assert barbed.odds("best").fractions() == harder.odds("best").fractions()


@pytest.mark.clause("DW-DMG-1")
@pytest.mark.parametrize(("question", "given"), ASKED)
def test_a_honed_weapon_hurts_by_its_number(made: Ruleset, question: str, given: dict[str, Any]):
    honed, harder = ask(made, question, given, "Honed (3)"), ask(made, question, given, damage=HARDER)
    assert honed.odds("damage").fractions() == harder.odds("damage").fractions()
    for written in ("honed 3", "Honed_3"):
        assert ask(made, question, given, written).odds("damage").fractions() == honed.odds("damage").fractions()
    assert ask(made, question, given, "Honed (2)").odds("damage").mean < honed.odds("damage").mean
    with pytest.raises(BadInput, match=r"Honed needs a number from 1 to 50 in brackets, such as Honed \(3\)"):
        ask(made, question, given, "Honed")


@pytest.mark.clause("DW-DMG-1")
@pytest.mark.parametrize(
    ("question", "given"), [("shoot", {"mode": "single"}), ("fight", {}), ("horde_attacks", {"attacks": 1})]
)
def test_only_a_hit_that_wounds_is_barbed(made: Ruleset, question: str, given: dict[str, Any]):
    given = {**given, "unnatural_toughness": 3}
    plain = ask(made, question, given, damage=WEAK).odds("damage").fractions()
    barbed = ask(made, question, given, "Barbed", damage=WEAK).odds("damage").fractions()
    assert barbed == {got + MORE if got else 0: chance for got, chance in plain.items()}
    assert 0 < plain[0] < 1


@pytest.mark.clause("DW-COND-FIRE")
def test_a_single_hit_sears(made: Ruleset):
    hit = made.ask("hit", weapon="Autogun", qualities=["Searing"], body=0)
    assert hit.odds("on_fire").chance(1) == hit.odds("through").at_least(1) > 0
    told = made.roll("hit", weapon="Autogun", qualities=["Searing", "Shocking"], body=0, tape=Script(10, 99)).log
    assert [line.text for line in told][-2:] == ["Rounds stunned: 3", "On fire"]


@pytest.mark.clause("DW-DMG-1", "DW-DMG-4")
@pytest.mark.parametrize("mode", ["melee", "single", "semi"])
def test_a_duel_counts_what_it_does(made: Ruleset, mode: str):
    side = {"minion": True, "mode": mode, "semi": 2, "tb": 2, "wounds": 30, "dodge": 30, "reaction": "dodge"}
    both = {f"{who}_{name}": value for who in "ab" for name, value in side.items()}

    def duel(names: list[str], damage: str) -> dict[str, dict[Any, Fraction]]:
        answer = made.ask("duel", **both, a_qualities=names, a_damage=damage, b_qualities=[], a_pen=20, rounds=4)
        told = ("winner", "a_wounds", "b_wounds", "ended_in", "b_dead")
        return {name: answer.odds(name).fractions() for name in told}

    plain, barbed = duel([], PLAIN), duel(["Barbed"], PLAIN)
    assert barbed == duel([], HARDER)
    assert barbed["b_dead"] != plain["b_dead"]
    assert duel(["Searing"], PLAIN) == plain  # it does not follow who burns


# --- battles ----------------------------------------------------------------------------------------------------------

FIGHTS: list[tuple[str, dict[str, Any]]] = [
    ("shoot", {"weapon": "gun", "mode": "semi"}),
    ("blast", {"weapon": "mortar"}),
    ("flame", {"weapon": "torch"}),
    ("fire_on_watch", {"mode": "semi"}),
    ("strike", {"weapon": "blade", "how": "swift"}),
    ("strike", {"weapon": "blade", "how": "two_weapons", "weapon2": "knife"}),
    ("strike", {"weapon": "blade", "how": "two_weapons", "weapon2": "gun"}),
    ("horde_shoots", {"weapon": "gun"}),
    ("horde_strikes", {"weapon": "blade"}),
]


def fight(made: Ruleset, action: str, given: dict[str, Any], *names: str, damage: str = PLAIN) -> Battle:
    """Return a battle of A, one or many, about to attack B close by; for overwatch B has just come closer."""
    alike = {"damage": damage, "damage_type": "I"}
    arms = [
        {"name": "gun", "kind": "Pistol", "range": 50, "clip": 9, "semi": 3, "qualities": names, **alike},
        {"name": "mortar", "kind": "Pistol", "range": 50, "clip": 9, "qualities": ["Blast (2)", *names], **alike},
        {"name": "torch", "kind": "Pistol", "range": 20, "clip": 9, "qualities": ["Flame", *names], **alike},
        {"name": "blade", "kind": "Melee", "melee": True, "qualities": names, **alike},
        {"name": "knife", "kind": "Melee", "melee": True, "qualities": names, **alike},
    ]
    far = 20 if action == "fire_on_watch" else 1
    hands = [given[key] for key in ("weapon", "weapon2") if key in given] or ["gun"]
    own = {"name": "A", "initiative": 9, "weapons": hands, "arsenal": arms}
    foe = {"name": "B", "initiative": 8, "y": far, "wounds": 500, "dodge": 30}
    if action.startswith("horde"):
        ours: dict[str, Any] = {"mobs": [{**own, "magnitude": 30, "profile": "Raider mob"}]}
    else:
        ours = {"fighters": [{**own, "talents": [SWIFT, BOTH], "ws": 70, "bs": 70}]}
    sides = [{"name": "ours", **ours}, {"name": "theirs", "fighters": [foe]}]
    battle = Battle.new(made, {"sides": sides})
    if action == "fire_on_watch":
        battle.push("watch", weapon="gun", direction=0)
        battle.push("end_turn", tape=1)
        battle.push("move", unit="B", x=0, y=18, tape=1)
    return battle


@pytest.mark.clause("DW-DMG-1")
@pytest.mark.parametrize(("action", "given"), FIGHTS)
def test_in_a_battle_a_barbed_or_honed_hit_hurts_as_with_more_damage(made: Ruleset, action: str, given: dict[str, Any]):
    order = {"unit": "A", "target": "B", **given}
    weapons: list[tuple[tuple[str, ...], str]] = [
        ((), PLAIN),
        (("Barbed",), PLAIN),
        (("Honed (3)",), PLAIN),
        ((), HARDER),
    ]
    fights = (fight(made, action, given, *names, damage=damage) for names, damage in weapons)
    plain, barbed, honed, harder = (battle.odds(action, order).odds("damage") for battle in fights)
    assert barbed.fractions() == honed.fractions() == harder.fractions()
    assert barbed.mean > plain.mean


@pytest.mark.clause("DW-COND-FIRE")
@pytest.mark.parametrize(("action", "given"), FIGHTS)
def test_in_a_battle_a_searing_hit_sets_on_fire(made: Ruleset, action: str, given: dict[str, Any]):
    found = set()
    for seed in range(20):
        battle = fight(made, action, given, "Searing", damage=WEAK)
        battle.push(action, unit="A", target="B", **given, tape=seed)
        foe = battle.state.fighter("B")
        assert foe.conditions.on_fire == (foe.health < 500)
        found.add(foe.conditions.on_fire)
    assert found == {True, False}
